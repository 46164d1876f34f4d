//! The tables of a plan, opened together.

use std::path::Path;
use std::sync::Arc;

use pdb_core::plan::View;
use pdb_core::{DualPlan, Estimator, Goal, Heuristic, Plan, PlanKind};

use crate::additive::{PARTITIONS_MAX, PatternSum};
use crate::arithmetic::{Arithmetic, Labels, Nibbles, Packed};
#[cfg(target_arch = "x86_64")]
use crate::bits::Avx2;
use crate::bits::Portable;
use crate::check::Check;
use crate::plain::PlainMax;
#[cfg(target_arch = "x86_64")]
use crate::shuffled::ShuffledSum;
use crate::walking::{WalkingAxis, WalkingDistance};
use crate::{OpenError, Residence, Table};

/// The tables of a plan: opened once, shared by any number of threads, never reloaded.
///
/// Whether their payloads are what their digests say was settled by the one who made it of what was
/// [`Unchecked`]. If that is still under way, nothing may be believed before it is
/// [confirmed](Self::confirm).
#[derive(Debug)]
pub struct Database {
    plan: Plan,
    tables: Arc<[Table]>,
    /// The check, where it goes on beside the look-ups.
    check: Option<Arc<Check>>,
    is_trusted: bool,
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some(check) = &self.check {
            check.abandon();
        }
    }
}

/// The tables of a plan, of which everything was checked but the payloads: a damaged one gives wrong
/// estimates, and searches with wrong estimates give solutions that are not the shortest.
///
/// ```
/// # use pdb_core::{Goal, Plan, Shape};
/// # use pdb_rt::{Database, Table};
/// # let plan = Plan::walking(&Goal::blank_last(Shape::new(3, 3)?));
/// # let table = pdb_gen::build_in_memory(&plan.tables()[0], 1, &pdb_gen::Monitor::silent())?;
/// # let mut bytes = table.to_bytes();
/// let good = Database::of_tables(&plan, vec![Table::from_bytes("good", bytes.clone())?])?;
/// assert!(good.check(2).is_ok());
///
/// *bytes.last_mut().unwrap() ^= 1;
/// let damaged = Database::of_tables(&plan, vec![Table::from_bytes("damaged", bytes)?])?;
/// assert!(damaged.check(2).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "tables are of use once they are checked or trusted"]
pub struct Unchecked {
    plan: Plan,
    tables: Arc<[Table]>,
    /// The places of the tables that have to be checked.
    open: Vec<usize>,
}

impl Unchecked {
    /// The tables, in the order of [`Plan::tables`].
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// Leaves out those tables of which the caller knows that they were checked before and are the same
    /// since.
    pub fn except(mut self, is_known: impl Fn(&Table) -> bool) -> Self {
        self.open.retain(|&place| !is_known(&self.tables[place]));
        self
    }

    /// Holds every payload against its digests, on so many threads, the calling one included. None of them
    /// is left when it returns.
    ///
    /// # Errors
    /// Those of [`Table::check_payload`].
    pub fn check(self, thread_count: usize) -> Result<Database, OpenError> {
        let database = self.check_beside(0, |_| ());
        if let Some(check) = &database.check {
            check.run(thread_count);
        }
        database.confirm()?;
        Ok(database)
    }

    /// Begins to check, on so many threads, while the caller looks boards up:
    /// [`Database::confirm`] tells whether the answers can be believed. `found` is called with each table
    /// whose payload is right.
    pub fn check_beside(
        self,
        thread_count: usize,
        found: impl Fn(&Table) + Send + Sync + 'static,
    ) -> Database {
        let Self { plan, tables, open } = self;
        let check = Check::new(Arc::clone(&tables), &open, Box::new(found));
        let check = (!open.is_empty()).then(|| Arc::new(check));
        if let Some(check) = &check {
            Check::begin(check, thread_count);
        }
        Database { plan, tables, check, is_trusted: false }
    }

    /// Takes the payloads as they are: whoever does so answers for them.
    pub fn trust(self) -> Database {
        let Self { plan, tables, .. } = self;
        Database { plan, tables, check: None, is_trusted: true }
    }
}

/// Something to do with the heuristic of a [`Database`], whatever its type turns out to be. The
/// heuristic may be kept as long as the database, `'a`.
pub trait Visitor<'a> {
    /// What comes of it.
    type Output;

    /// Called with the heuristic.
    fn visit<H: Heuristic + Send + 'a>(self, heuristic: H) -> Self::Output;

    /// Called instead where the plan has [duals](Plan::duals), with the heuristic of each and its goal besides.
    /// By default the duals are dropped.
    fn visit_with_duals<H: Heuristic + Send + 'a>(
        self,
        heuristic: H,
        duals: Vec<(H, Goal)>,
    ) -> Self::Output
    where
        Self: Sized,
    {
        drop(duals);
        self.visit(heuristic)
    }
}

/// The largest number of patterns that one heuristic looks up, mirror images included.
pub const PATTERNS_MAX: usize = 32;

impl Database {
    /// Maps the tables of a plan from a folder, each under its [`file_name`](pdb_core::TableKey::file_name).
    ///
    /// Everything is checked but the payloads' digests.
    ///
    /// # Errors
    /// An [`OpenError`] that names the file.
    pub fn open(plan: &Plan, folder: &Path) -> Result<Unchecked, OpenError> {
        Self::open_as(plan, folder, Residence::Mapped)
    }

    /// Brings the tables of a plan into memory, in one of several ways; otherwise as
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

    /// A database of tables that are open already, in the order of [`Plan::tables`].
    ///
    /// # Errors
    /// [`OpenError::TableCount`], [`OpenError::TooManyPatterns`],
    /// [`OpenError::TooManyPartitions`], or [`OpenError::Format`] when a
    /// table is not the plan's.
    pub fn of_tables(plan: &Plan, tables: Vec<Table>) -> Result<Unchecked, OpenError> {
        if tables.len() != plan.tables().len() {
            let (expected, found) = (plan.tables().len(), tables.len());
            return Err(OpenError::TableCount { expected, found });
        }
        for (table, key) in tables.iter().zip(plan.tables()) {
            table.expect_key(key)?;
        }
        Self::check_plan(plan)?;
        let open = (0..tables.len()).collect();
        Ok(Unchecked { plan: plan.clone(), tables: tables.into(), open })
    }

    /// Checks that a plan looks up no more patterns than one heuristic can: before its tables are built.
    ///
    /// # Errors
    /// [`OpenError::TooManyPatterns`] or [`OpenError::TooManyPartitions`].
    pub fn check_plan(plan: &Plan) -> Result<(), OpenError> {
        if let PlanKind::Additive { partitions } = plan.kind() {
            let found = pattern_count_max(partitions, plan.duals());
            if found > PATTERNS_MAX {
                return Err(OpenError::TooManyPatterns { found, max: PATTERNS_MAX });
            }
            let found = partitions.len();
            if found > PARTITIONS_MAX {
                return Err(OpenError::TooManyPartitions { found, max: PARTITIONS_MAX });
            }
        }
        if let PlanKind::Plain { views } = plan.kind()
            && views.len() > PATTERNS_MAX
        {
            let found = views.len();
            return Err(OpenError::TooManyPatterns { found, max: PATTERNS_MAX });
        }
        Ok(())
    }

    /// The plan that the tables belong to.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The goal that boards are solved to.
    pub fn goal(&self) -> &Goal {
        self.plan.goal()
    }

    /// The tables, in the order of [`Plan::tables`].
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// Whether the tables were taken as they are.
    pub fn is_trusted(&self) -> bool {
        self.is_trusted
    }

    /// Says whether what was looked up so far can be believed: every payload is what its digests say,
    /// unless the tables are [trusted](Unchecked::trust), and no mapped table was cut short or written to
    /// since it was opened. If the check is still under way, the caller takes part in it.
    ///
    /// Once the payloads are checked, this costs a system call a table.
    ///
    /// # Errors
    /// Those of [`Table::check_payload`], time and again.
    pub fn confirm(&self) -> Result<(), OpenError> {
        if let Some(check) = &self.check {
            check.finish()?;
        }
        self.tables.iter().try_for_each(Table::check_unchanged)
    }

    /// Whether it is known already that [`confirm`](Self::confirm) will be an error, so that nothing has
    /// to be looked up any more. It waits for nothing.
    pub fn is_spoilt(&self) -> bool {
        self.check.as_ref().is_some_and(|check| check.has_failed())
            || self.tables.iter().any(|table| table.expect_unwritten().is_err())
    }

    /// The vertical and the horizontal axis of a Walking Distance plan; nothing for other plans.
    pub fn walking(&self) -> Option<[WalkingAxis<'_>; 2]> {
        match self.plan.kind() {
            PlanKind::Walking { vertical, horizontal } => {
                Some(WalkingAxis::both(self.goal(), *vertical, *horizontal, &self.tables))
            }
            _ => None,
        }
    }

    /// The heuristic of an additive plan; nothing for other plans.
    pub fn additive(&self) -> Option<AnySum<'_>> {
        match self.plan.kind() {
            PlanKind::Additive { partitions } => {
                AnySum::new(Labels, self.goal(), partitions, &self.tables)
            }
            _ => None,
        }
    }

    /// The heuristic of a plain plan; nothing for other plans.
    pub fn plain(&self) -> Option<AnyPlain<'_>> {
        match self.plan.kind() {
            PlanKind::Plain { views } => Some(AnyPlain::new(self.goal(), views, &self.tables)),
            _ => None,
        }
    }

    /// The heuristic of any plan, for searches that are not raced.
    pub fn estimator(&self) -> Box<dyn Estimator + '_> {
        if let Some(axes) = self.walking() {
            return Box::new(WalkingDistance { axes });
        }
        match (self.additive(), self.plain()) {
            (Some(sum), _) => Box::new(sum),
            (_, Some(plain)) => Box::new(plain),
            _ => unreachable!("there are three kinds of plan, and labels serve every index"),
        }
    }

    /// Hands the heuristic to a visitor. The search is compiled for each kind of heuristic, so that
    /// nothing is looked up about the plan along the way.
    pub fn visit<'a, T: Visitor<'a>>(&'a self, visitor: T) -> T::Output {
        let goal = self.plan.goal();
        let tables = &self.tables;
        match self.plan.kind() {
            PlanKind::Walking { vertical, horizontal } => {
                let axes = WalkingAxis::both(goal, *vertical, *horizontal, tables);
                visitor.visit(WalkingDistance { axes })
            }
            PlanKind::Additive { partitions } => {
                let sums = Sums { goal, partitions, duals: self.plan.duals(), tables };
                #[cfg(target_arch = "x86_64")]
                let visitor = match Avx2::detect() {
                    Some(fast) => match sums.visit_fast(fast, visitor) {
                        Ok(output) => return output,
                        Err(visitor) => visitor,
                    },
                    None => visitor,
                };
                sums.visit_portable(visitor)
            }
            PlanKind::Plain { views } => match views.len() {
                ..=4 => visitor.visit(PlainMax::<4>::new(goal, views, tables)),
                _ => visitor.visit(PlainMax::<PATTERNS_MAX>::new(goal, views, tables)),
            },
            _ => unreachable!("there are three kinds of plan"),
        }
    }
}

/// The additive heuristic of any plan in one type, for whoever has to name it: a little slower than
/// what [`Database::visit`] gives.
pub type AnySum<'a> = PatternSum<'a, Labels, PATTERNS_MAX, PARTITIONS_MAX>;

/// The heuristic of any plain plan in one type, as [`AnySum`] is of additive ones.
pub type AnyPlain<'a> = PlainMax<'a, PATTERNS_MAX>;

/// The largest number of patterns that a board or a dual is looked up in.
fn pattern_count_max(partitions: &[Vec<View>], duals: &[DualPlan]) -> usize {
    let all = duals.iter().map(|dual| dual.partitions.as_slice()).chain([partitions]);
    all.map(|partitions| partitions.iter().map(Vec::len).sum()).max().unwrap_or(0)
}

/// What an additive heuristic is made of.
#[derive(Clone, Copy)]
struct Sums<'a> {
    goal: &'a Goal,
    partitions: &'a [Vec<View>],
    /// The same for duals. All heuristics have one type, which serves each of them.
    duals: &'a [DualPlan],
    tables: &'a [Table],
}

impl<'a> Sums<'a> {
    /// Visits with shuffles where they serve, else with words and fast instructions, in the least of the
    /// sizes that shipped specs have; gives the visitor back where words do not serve the tables.
    ///
    /// Every size of every way is one more search to compile.
    #[cfg(target_arch = "x86_64")]
    fn visit_fast<T: Visitor<'a>>(self, fast: Avx2, visitor: T) -> Result<T::Output, T> {
        let (nibbles, packed) = (Nibbles(fast), Packed(fast));
        let visitor = match self.partitions.len() {
            2 => self.visit_shuffled::<T, 2>(fast, visitor),
            3 => self.visit_shuffled::<T, 3>(fast, visitor),
            _ => Err(visitor),
        };
        let visitor = match (visitor, self.size()) {
            (Err(visitor), (..=8, 2)) => self.visit_sized::<_, T, 8, 2>(nibbles, visitor),
            (Err(visitor), _) => self.visit_any(nibbles, visitor),
            (done, _) => done,
        };
        match (visitor, self.size()) {
            (Err(visitor), (..=8, 2)) => self.visit_sized::<_, T, 8, 2>(packed, visitor),
            (Err(visitor), (..=16, 4)) => self.visit_sized::<_, T, 16, 4>(packed, visitor),
            (Err(visitor), _) => self.visit_any(packed, visitor),
            (done, _) => done,
        }
    }

    #[cfg(target_arch = "x86_64")]
    fn visit_shuffled<T: Visitor<'a>, const P: usize>(
        self,
        fast: Avx2,
        visitor: T,
    ) -> Result<T::Output, T> {
        self.visit_made(visitor, |goal, partitions| {
            ShuffledSum::<P>::new(fast, goal, partitions, self.tables)
        })
    }

    /// Visits with what `make` makes of goals and their partitions; gives the visitor back where it makes nothing of
    /// one of them.
    fn visit_made<H: Heuristic + Send + 'a, T: Visitor<'a>>(
        self,
        visitor: T,
        make: impl Fn(&'a Goal, &'a [Vec<View>]) -> Option<H>,
    ) -> Result<T::Output, T> {
        let dual =
            |DualPlan { goal, partitions }: &'a DualPlan| Some((make(goal, partitions)?, *goal));
        let duals: Option<Vec<_>> = self.duals.iter().map(dual).collect();
        match (make(self.goal, self.partitions), duals) {
            (Some(heuristic), Some(duals)) if duals.is_empty() => Ok(visitor.visit(heuristic)),
            (Some(heuristic), Some(duals)) => Ok(visitor.visit_with_duals(heuristic, duals)),
            _ => Err(visitor),
        }
    }

    /// The same for every processor and all tables.
    fn visit_portable<T: Visitor<'a>>(self, visitor: T) -> T::Output {
        let visitor = match self.size() {
            (..=8, 2) => self.visit_sized::<_, T, 8, 2>(Nibbles(Portable), visitor),
            _ => Err(visitor),
        };
        match visitor.or_else(|visitor| self.visit_any(Labels, visitor)) {
            Ok(output) => output,
            Err(_) => unreachable!("labels serve every index"),
        }
    }

    /// How many patterns there are, and how many partitions.
    fn size(&self) -> (usize, usize) {
        (pattern_count_max(self.partitions, self.duals), self.partitions.len())
    }

    fn visit_any<A: Arithmetic, T: Visitor<'a>>(
        self,
        arithmetic: A,
        visitor: T,
    ) -> Result<T::Output, T> {
        self.visit_sized::<A, T, PATTERNS_MAX, PARTITIONS_MAX>(arithmetic, visitor)
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
