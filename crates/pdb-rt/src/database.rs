//! The tables of a plan, opened together.

use std::path::Path;

use pdb_core::{Goal, Heuristic, Plan, PlanKind, TableKey};

use crate::{OpenError, PatternSum, Table, WalkingDistance};

/// The tables of a plan: opened once, shared by any number of threads, never reloaded.
#[derive(Debug)]
pub struct Database {
    plan: Plan,
    tables: Vec<Table>,
}

/// Something to do with the heuristic of a [`Database`], whatever its type turns out to be.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Called with the heuristic.
    fn visit<H: Heuristic>(self, heuristic: &H) -> Self::Output;
}

/// The largest number of patterns that one heuristic looks up, mirror images included.
pub const PATTERNS_MAX: usize = 32;
/// The largest number of partitions in one heuristic, mirror images included.
pub const PARTITIONS_MAX: usize = 8;

impl Database {
    /// Maps the tables of a plan from a folder, each under its [`TableKey::file_name`].
    ///
    /// Everything is checked but the payloads' digests.
    ///
    /// # Errors
    /// An [`OpenError`] that names the file.
    pub fn open(plan: &Plan, folder: &Path) -> Result<Self, OpenError> {
        let open = |key: &TableKey| Table::open(&folder.join(key.file_name()));
        Self::new(plan, plan.tables().iter().map(open).collect::<Result<_, _>>()?)
    }

    /// A database of tables that are open already, in the order of [`Plan::tables`].
    ///
    /// # Errors
    /// [`OpenError::TableCount`], [`OpenError::TooManyPatterns`],
    /// [`OpenError::TooManyPartitions`], or [`OpenError::Format`] when a
    /// table is not the plan's.
    pub fn new(plan: &Plan, tables: Vec<Table>) -> Result<Self, OpenError> {
        if tables.len() != plan.tables().len() {
            let (expected, found) = (plan.tables().len(), tables.len());
            return Err(OpenError::TableCount { expected, found });
        }
        for (table, key) in tables.iter().zip(plan.tables()) {
            table.expect_key(key)?;
        }
        if let PlanKind::Additive { partitions } = plan.kind() {
            let found = partitions.iter().map(Vec::len).sum();
            if found > PATTERNS_MAX {
                return Err(OpenError::TooManyPatterns { found, max: PATTERNS_MAX });
            }
            let found = partitions.len();
            if found > PARTITIONS_MAX {
                return Err(OpenError::TooManyPartitions { found, max: PARTITIONS_MAX });
            }
        }
        Ok(Self { plan: plan.clone(), tables })
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

    /// Hands the heuristic to a visitor. The search is compiled for each kind of heuristic, so that
    /// nothing is looked up about the plan along the way.
    pub fn visit<T: Visitor>(&self, visitor: T) -> T::Output {
        let goal = self.plan.goal();
        let tables = &self.tables;
        match self.plan.kind() {
            PlanKind::Walking { vertical, horizontal } => {
                visitor.visit(&WalkingDistance::new(goal, *vertical, *horizontal, tables))
            }
            PlanKind::Additive { partitions: p } => {
                let patterns = p.iter().map(Vec::len).sum::<usize>();
                match (patterns, p.len()) {
                    (..=2, ..=1) => visitor.visit(&PatternSum::<2, 1>::new(goal, p, tables)),
                    (..=4, ..=2) => visitor.visit(&PatternSum::<4, 2>::new(goal, p, tables)),
                    (..=6, ..=2) => visitor.visit(&PatternSum::<6, 2>::new(goal, p, tables)),
                    (..=8, ..=4) => visitor.visit(&PatternSum::<8, 4>::new(goal, p, tables)),
                    _ => visitor
                        .visit(&PatternSum::<PATTERNS_MAX, PARTITIONS_MAX>::new(goal, p, tables)),
                }
            }
            _ => unreachable!("there are two kinds of plan"),
        }
    }
}
