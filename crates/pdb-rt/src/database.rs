//! The tables of a plan, opened together.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use pdb_core::plan::{self, LOOKUPS_MAX, PARTITIONS_MAX, View};
use pdb_core::{AsHeuristic, DualPlan, Estimator, Goal, Heuristic, Plan, PlanKind, SlideHeuristic};

use crate::additive::PatternSum;
#[cfg(target_arch = "x86_64")]
use crate::arithmetic::Packed;
use crate::arithmetic::{Arithmetic, Labels, Nibbles};
#[cfg(target_arch = "x86_64")]
use crate::bits::Avx2;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use crate::bits::Shuffles;
use crate::bits::{Bits, Portable};
use crate::check::Check;
use crate::coloured::{Colourings, NarrowClasses, SlideMax, WideClasses};
use crate::plain::PlainMax;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use crate::shuffled::ShuffledSum;
use crate::walking::{WalkingAxis, WalkingDistance};
use crate::{OpenError, Residence, Table};

/// The tables of a plan, opened once and shared by any number of threads.
///
/// A check of the payloads may still be running: answers are certain once
/// [`confirm`](Self::confirm) returns.
pub struct Database {
    plan: Plan,
    check: Arc<Check>,
    is_trusted: bool,
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database")
            .field("goal", self.goal())
            .field("tables", &self.tables())
            .finish_non_exhaustive()
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.check.abandon();
    }
}

/// The tables of a plan before their payloads are checked.
///
/// Everything else is checked already. A damaged payload gives wrong estimates, and searches with
/// wrong estimates give solutions that are not the shortest.
///
/// ```
/// # use pdb_core::{Goal, Plan, Shape};
/// # use pdb_rt::{Database, Table};
/// # let plan = Plan::walking(&Goal::blank_last(Shape::new(3, 3)?));
/// # let table = pdb_gen::Table::build(&plan.tables()[0], 1, &pdb_gen::Monitor::silent())?;
/// # let mut bytes = table.to_bytes();
/// let good = Database::of_tables(&plan, vec![Table::from_bytes("good", bytes.clone())?])?;
/// assert!(good.check(2).is_ok());
///
/// *bytes.last_mut().unwrap() ^= 1;
/// let damaged = Database::of_tables(&plan, vec![Table::from_bytes("damaged", bytes)?])?;
/// assert!(damaged.check(2).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "call `check`, `check_beside` or `trust` to use the tables"]
pub struct Unchecked {
    plan: Plan,
    tables: Arc<[Table]>,
    /// Positions of the tables to check.
    open: Vec<usize>,
}

impl fmt::Debug for Unchecked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unchecked")
            .field("goal", self.plan.goal())
            .field("tables", &self.tables)
            .finish_non_exhaustive()
    }
}

impl Unchecked {
    /// Returns the tables, in the order of [`Plan::tables`].
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// Leaves tables that the caller knows to be right out of the check.
    pub fn except(mut self, is_right: impl Fn(&Table) -> bool) -> Self {
        self.open.retain(|&position| !is_right(&self.tables[position]));
        self
    }

    /// Checks every payload against its digests on `thread_count` threads, the calling one
    /// included. All other threads have ended when this returns.
    ///
    /// # Errors
    /// Those of [`Table::check_payload`].
    pub fn check(self, thread_count: usize) -> Result<Database, OpenError> {
        let database = self.database(false, |_| ());
        let threads = database.check.start(thread_count.saturating_sub(1));
        let result = database.confirm();
        for thread in threads {
            thread.join().expect("a thread of the check does not panic");
        }
        result.map(|()| database)
    }

    /// Starts to check the payloads on `thread_count` threads while the caller looks boards up.
    ///
    /// [`Database::confirm`] waits for the result. `on_right` is called once with each table whose
    /// payload is right.
    pub fn check_beside(
        self,
        thread_count: usize,
        on_right: impl Fn(&Table) + Send + Sync + 'static,
    ) -> Database {
        let database = self.database(false, on_right);
        database.check.start(thread_count);
        database
    }

    /// Skips the check of the payloads. The caller is responsible for wrong answers.
    pub fn trust(mut self) -> Database {
        self.open.clear();
        self.database(true, |_| ())
    }

    fn database(
        self,
        is_trusted: bool,
        on_right: impl Fn(&Table) + Send + Sync + 'static,
    ) -> Database {
        let check = Check::new(self.tables, &self.open, Box::new(on_right));
        Database { plan: self.plan, check: Arc::new(check), is_trusted }
    }
}

/// Work on the heuristics of a [`Database`], compiled for each type of heuristic. They may be kept
/// for the lifetime `'a` of the database.
pub trait Visitor<'a> {
    /// The result of the work.
    type Output;

    /// Works on the heuristics for the [goals](Database::goals), in their order.
    fn visit<H: Heuristic + Send + 'a>(self, heuristics: Vec<H>) -> Self::Output;
}

/// Work on the bounds of slides of a [`Database`], compiled for each size.
pub trait SlideVisitor<'a> {
    /// The result of the work.
    type Output;

    /// Works on the bounds.
    fn visit<H: SlideHeuristic + 'a>(self, heuristic: H) -> Self::Output;
}

impl Database {
    /// Maps the tables of a plan from a folder, each by its
    /// [`file_name`](pdb_core::TableKey::file_name).
    ///
    /// Everything is checked but the payloads' digests.
    ///
    /// # Errors
    /// An [`OpenError`] that names the file.
    pub fn open(plan: &Plan, folder: &Path) -> Result<Unchecked, OpenError> {
        Self::open_as(plan, folder, Residence::Mapped)
    }

    /// Opens the tables of a plan in one of several [residences](Residence); otherwise like
    /// [`open`](Self::open).
    ///
    /// # Errors
    /// An [`OpenError`] that names the file.
    pub fn open_as(
        plan: &Plan,
        folder: &Path,
        residence: Residence,
    ) -> Result<Unchecked, OpenError> {
        let mut tables = Vec::new();
        for key in plan.tables() {
            let path = folder.join(key.file_name());
            tables.push(Table::open_beside(&path, residence, &tables)?);
        }
        Self::of_tables(plan, tables)
    }

    /// Creates a database of open tables, in the order of [`Plan::tables`].
    ///
    /// # Errors
    /// [`OpenError::TableCount`], or [`OpenError::Format`] when a table is not the plan's.
    pub fn of_tables(plan: &Plan, tables: Vec<Table>) -> Result<Unchecked, OpenError> {
        if tables.len() != plan.tables().len() {
            let (expected, found) = (plan.tables().len(), tables.len());
            return Err(OpenError::TableCount { expected, found });
        }
        for (table, key) in tables.iter().zip(plan.tables()) {
            table.expect_key(key)?;
        }
        let open = (0..tables.len()).collect();
        Ok(Unchecked { plan: plan.clone(), tables: tables.into(), open })
    }

    /// Returns the plan that the tables belong to.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the goal that boards are solved to.
    pub fn goal(&self) -> &Goal {
        self.plan.goal()
    }

    /// Returns the goal, and after it those of the plan's [duals](Plan::duals).
    pub fn goals(&self) -> Vec<Goal> {
        let mut goals = vec![*self.goal()];
        goals.extend(self.plan.duals().iter().map(|dual| dual.goal));
        goals
    }

    /// Returns the tables, in the order of [`Plan::tables`].
    pub fn tables(&self) -> &[Table] {
        &self.check.tables
    }

    /// Returns whether the payloads were [trusted](Unchecked::trust) without a check.
    pub fn is_trusted(&self) -> bool {
        self.is_trusted
    }

    /// Checks that all look-ups so far were right. Every payload must agree with its digests,
    /// unless the tables are [trusted](Unchecked::trust), and no mapped table may have been
    /// truncated or modified since it was opened. The caller takes part in a check that is still
    /// running.
    ///
    /// After the payloads are checked, this costs one system call per table.
    ///
    /// # Errors
    /// Those of [`Table::check_payload`], at every later call too.
    pub fn confirm(&self) -> Result<(), OpenError> {
        self.check.finish()?;
        self.tables().iter().try_for_each(Table::check_unchanged)
    }

    /// Returns whether [`confirm`](Self::confirm) is known to fail, without waiting. Costs a system
    /// call per table.
    pub fn is_spoilt(&self) -> bool {
        self.has_damage() || self.tables().iter().any(|table| table.expect_unwritten().is_err())
    }

    /// Returns whether a chunk is known to be damaged, without a system call.
    pub fn has_damage(&self) -> bool {
        self.check.is_over()
    }

    /// Returns the vertical and the horizontal axis of a Walking Distance plan.
    pub fn walking(&self) -> Option<[WalkingAxis<'_>; 2]> {
        let PlanKind::Walking { vertical, horizontal } = self.plan.kind() else { return None };
        Some(WalkingAxis::both(self.goal(), *vertical, *horizontal, self.tables()))
    }

    /// Returns the heuristic of an additive plan.
    pub fn additive(&self) -> Option<AnySum<'_>> {
        let PlanKind::Additive { partitions } = self.plan.kind() else { return None };
        AnySum::new(Labels, self.goal(), partitions, self.tables())
    }

    /// Returns the heuristic of a plain plan.
    pub fn plain(&self) -> Option<AnyPlain<'_>> {
        let PlanKind::Plain { views } = self.plan.kind() else { return None };
        Some(AnyPlain::new(self.goal(), views, self.tables()))
    }

    /// Keeps the database for the rest of the program, as [`Box::leak`] does, so that a value
    /// without a lifetime may hold it together with its heuristics.
    ///
    /// ```
    /// # use pdb_core::{Board, Estimator, Goal, Plan, Shape};
    /// # use pdb_rt::{Database, Table};
    /// struct Game {
    ///     database: &'static Database,
    ///     estimator: Box<dyn Estimator>,
    /// }
    /// # let plan = Plan::walking(&Goal::blank_last(Shape::new(3, 3)?));
    /// # let table = pdb_gen::Table::build(&plan.tables()[0], 1, &pdb_gen::Monitor::silent())?;
    /// # let tables = vec![Table::from_bytes("wd", table.to_bytes())?];
    ///
    /// let database = Database::of_tables(&plan, tables)?.check(1)?.leak();
    /// let game = Game { database, estimator: database.estimator() };
    /// assert_eq!(game.estimator.estimate(&"8 6 7/2 5 4/3 0 1".parse()?)?, 25);
    /// assert!(game.estimator.estimate(game.database.goal().board())? == 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn leak(self) -> &'static Self {
        Box::leak(Box::new(self))
    }

    /// Returns the heuristic of any plan, for searches that are not tuned for speed.
    pub fn estimator(&self) -> Box<dyn Estimator + '_> {
        if let Some(axes) = self.walking() {
            return Box::new(WalkingDistance { axes });
        }
        match (self.additive(), self.plain(), self.coloured()) {
            (Some(sum), _, _) => Box::new(sum),
            (_, Some(plain), _) => Box::new(plain),
            (_, _, Some(coloured)) => Box::new(coloured),
            _ => unreachable!("there are four kinds of plan, and labels serve every index"),
        }
    }

    /// Returns the heuristic of a coloured plan.
    pub fn coloured(&self) -> Option<AnyColoured<'_>> {
        let PlanKind::Coloured { views } = self.plan.kind() else { return None };
        Some(any_coloured(Portable, Colourings::new(self.goal(), views, self.tables())))
    }

    /// Passes the bounds on slides to a visitor, whose work is compiled for each size. Returns the
    /// visitor if the plan is not coloured.
    ///
    /// # Errors
    /// The visitor.
    pub fn visit_slides<'a, T: SlideVisitor<'a>>(&'a self, visitor: T) -> Result<T::Output, T> {
        let PlanKind::Coloured { views } = self.plan.kind() else { return Err(visitor) };
        let colourings = Colourings::new(self.goal(), views, self.tables());
        #[cfg(target_arch = "x86_64")]
        return Ok(match Avx2::detect() {
            Some(fast) => visit_slides(fast, colourings, visitor),
            None => visitor.visit(any_coloured(Portable, colourings)),
        });
        #[cfg(not(target_arch = "x86_64"))]
        Ok(visit_slides(Portable, colourings, visitor))
    }

    /// Passes the heuristics to a visitor, whose work is compiled for each kind of heuristic.
    pub fn visit<'a, T: Visitor<'a>>(&'a self, visitor: T) -> T::Output {
        let goal = self.plan.goal();
        let tables = self.tables();
        match self.plan.kind() {
            PlanKind::Walking { vertical, horizontal } => {
                let axes = WalkingAxis::both(goal, *vertical, *horizontal, tables);
                visitor.visit(vec![WalkingDistance { axes }])
            }
            PlanKind::Additive { partitions } => {
                Sums { goal, partitions, duals: self.plan.duals(), tables }.visit(visitor)
            }
            PlanKind::Plain { views } if views.len() <= 4 => {
                visitor.visit(vec![PlainMax::<4>::new(goal, views, tables)])
            }
            PlanKind::Plain { .. } | PlanKind::Coloured { .. } => {
                let estimator: Box<dyn Estimator + 'a> = self.estimator();
                visitor.visit(vec![AsHeuristic::new(estimator.into())])
            }
        }
    }
}

/// Heuristic of any additive plan: the same type for all, a little slower than the types that
/// [`Database::visit`] chooses.
pub type AnySum<'a> = PatternSum<'a, Labels, LOOKUPS_MAX, PARTITIONS_MAX>;

/// Heuristic of any plain plan: the same type for all.
pub type AnyPlain<'a> = PlainMax<'a, LOOKUPS_MAX>;

/// Heuristic of any coloured plan: the same type for all.
pub type AnyColoured<'a> = SlideMax<'a, Portable, WideClasses, LOOKUPS_MAX>;

/// Visits the bounds on slides in the smallest fitting size.
fn visit_slides<'a, B: Bits, T: SlideVisitor<'a>>(
    bits: B,
    colourings: Colourings<'a>,
    visitor: T,
) -> T::Output {
    let colourings = match SlideMax::<_, NarrowClasses, 1>::new(bits, colourings) {
        Ok(one) => return visitor.visit(one),
        Err(colourings) => colourings,
    };
    match SlideMax::<_, NarrowClasses, 2>::new(bits, colourings) {
        Ok(two) => visitor.visit(two),
        Err(colourings) => visitor.visit(any_coloured(bits, colourings)),
    }
}

/// Makes the bounds on slides of any plan.
fn any_coloured<B: Bits>(
    bits: B,
    colourings: Colourings<'_>,
) -> SlideMax<'_, B, WideClasses, LOOKUPS_MAX> {
    SlideMax::new(bits, colourings).ok().expect("there is room for every plan")
}

/// Parts of an additive heuristic.
#[derive(Clone, Copy)]
struct Sums<'a> {
    goal: &'a Goal,
    partitions: &'a [Vec<View>],
    /// The partitions of duals. All heuristics have the same type.
    duals: &'a [DualPlan],
    tables: &'a [Table],
}

impl<'a> Sums<'a> {
    /// Visits in the first form that supports the processor and the tables.
    fn visit<T: Visitor<'a>>(self, visitor: T) -> T::Output {
        #[cfg(target_arch = "x86_64")]
        let done = match Avx2::detect() {
            Some(fast) => self.visit_fast(fast, visitor),
            None => Err(visitor),
        };
        #[cfg(target_arch = "aarch64")]
        let done = self.visit_shuffled(Portable, visitor);
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let done = Err(visitor);
        // On x86-64, one form serves the processors and tables without fast instructions.
        #[cfg(not(target_arch = "x86_64"))]
        let done = done.or_else(|visitor| match self.size() {
            (..=8, 2) => self.visit_sized::<_, T, 8, 2>(Nibbles(Portable), visitor),
            _ => Err(visitor),
        });
        let done = done.or_else(|visitor| self.visit_any(Labels, visitor));
        done.unwrap_or_else(|_| unreachable!("labels serve every index"))
    }

    /// Visits with shuffles if they are possible, otherwise with words and fast instructions, in
    /// the smallest fitting size. Returns the visitor if words do not support the tables.
    ///
    /// Every size of every form is one more search to compile.
    #[cfg(target_arch = "x86_64")]
    fn visit_fast<T: Visitor<'a>>(self, fast: Avx2, visitor: T) -> Result<T::Output, T> {
        let (size, nibbles, packed) = (self.size(), Nibbles(fast), Packed(fast));
        let done = self.visit_shuffled(fast, visitor).or_else(|visitor| match size {
            (..=8, 2) => self.visit_sized::<_, T, 8, 2>(nibbles, visitor),
            _ => self.visit_any(nibbles, visitor),
        });
        done.or_else(|visitor| match size {
            (..=8, 2) => self.visit_sized::<_, T, 8, 2>(packed, visitor),
            (..=16, 4) => self.visit_sized::<_, T, 16, 4>(packed, visitor),
            _ => self.visit_any(packed, visitor),
        })
    }

    /// Visits with shuffles. Returns the visitor if they do not support the tables.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn visit_shuffled<T: Visitor<'a>>(self, bits: Shuffles, visitor: T) -> Result<T::Output, T> {
        let tables = self.tables;
        match self.partitions.len() {
            2 => self.visit_made(visitor, |goal, partitions| {
                ShuffledSum::<2>::new(bits, goal, partitions, tables)
            }),
            3 => self.visit_made(visitor, |goal, partitions| {
                ShuffledSum::<3>::new(bits, goal, partitions, tables)
            }),
            _ => Err(visitor),
        }
    }

    /// Visits with the heuristics that `make` makes of goals and partitions. Returns the visitor
    /// where one of them is `None`.
    fn visit_made<H: Heuristic + Send + 'a, T: Visitor<'a>>(
        self,
        visitor: T,
        make: impl Fn(&'a Goal, &'a [Vec<View>]) -> Option<H>,
    ) -> Result<T::Output, T> {
        // Plain loops here: each line is compiled once for each form.
        let mut heuristics = Vec::with_capacity(1 + self.duals.len());
        let Some(heuristic) = make(self.goal, self.partitions) else { return Err(visitor) };
        heuristics.push(heuristic);
        for DualPlan { goal, partitions } in self.duals {
            let Some(heuristic) = make(goal, partitions) else { return Err(visitor) };
            heuristics.push(heuristic);
        }
        Ok(visitor.visit(heuristics))
    }

    /// Returns the number of patterns, and that of partitions.
    fn size(&self) -> (usize, usize) {
        let duals = self.duals.iter().map(|dual| dual.partitions.as_slice());
        let pattern_counts = duals.chain([self.partitions]).map(plan::pattern_count);
        let pattern_count = pattern_counts.max().expect("boards have partitions");
        (pattern_count, self.partitions.len())
    }

    fn visit_any<A: Arithmetic, T: Visitor<'a>>(
        self,
        arithmetic: A,
        visitor: T,
    ) -> Result<T::Output, T> {
        self.visit_sized::<A, T, LOOKUPS_MAX, PARTITIONS_MAX>(arithmetic, visitor)
    }

    fn visit_sized<A: Arithmetic, T: Visitor<'a>, const V: usize, const P: usize>(
        self,
        arithmetic: A,
        visitor: T,
    ) -> Result<T::Output, T> {
        self.visit_made(visitor, |goal, partitions| {
            PatternSum::<A, V, P>::new(arithmetic, goal, partitions, self.tables)
        })
    }
}
