//! Estimates of a board: by the heuristic's tables, or by searching for each
//! pattern's value if no table is built.

use std::sync::Arc;

use pdb_core::plan::{PatternKey, PlanKind, View};
use pdb_core::{Board, Cell, Goal, Plan, TableKey};
use pdb_lab::pattern_cost::{ExcessTables, PatternCost, SearchMemory, TILE_COUNT_MAX};
use pdb_lab::{Engine, HeuristicName};

use crate::error::Error;
use crate::handle::Tilebase;
use crate::sets::Dice;
use crate::shelf::{confirm, confirmed};

/// Creates the pattern of a key whose values are searched.
pub(crate) fn sampled(key: &PatternKey, parts: &ExcessTables) -> PatternCost {
    let mut dice = Dice::new(1);
    PatternCost::new(key, parts, &mut |end| dice.below(end))
}

/// A heuristic that is ready to estimate boards.
pub(super) enum Estimates {
    Tables(Arc<Engine>),
    Sums(PatternSums),
}

impl Estimates {
    /// Opens a heuristic, and builds its tables if the handle may; or prepares a rating that needs
    /// no tables.
    pub(super) fn open(
        tables: &Tilebase,
        goal: &Goal,
        name: &HeuristicName,
        without_tables: bool,
        parts: &Arc<ExcessTables>,
    ) -> Result<Self, Error> {
        let refused = |problem: String| Error::Rate {
            problem: format!("{name} cannot be rated without tables: {problem}"),
        };
        match name {
            HeuristicName::Tables { spec, is_unmirrored, .. } if without_tables => {
                let plan = if *is_unmirrored {
                    spec.for_goal_unmirrored(goal)
                } else {
                    spec.for_goal(goal)
                };
                Ok(Self::Sums(PatternSums::new(&plan?, parts).map_err(refused)?))
            }
            HeuristicName::Max(names)
                if without_tables && names.iter().any(|n| n.tables().is_some()) =>
            {
                Err(refused("it is a maximum, whose parts are rated one by one".to_owned()))
            }
            _ => Ok(Self::Tables(Arc::new(tables.engine_of(goal, name, tables.search())?))),
        }
    }

    /// Returns the estimate of a board; `None` if `stop` ends the work.
    pub(super) fn estimate(
        &self,
        board: &Board,
        scratch: &mut SearchMemory,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<u32>, Error> {
        match self {
            Self::Tables(engine) => {
                let estimate = engine.estimate(board).map(Some);
                estimate.or_else(|error| confirmed([&**engine], Err(error)))
            }
            Self::Sums(patterns) => Ok(patterns.estimate(board, scratch, stop)),
        }
    }

    /// Checks that the tables are undamaged.
    pub(super) fn confirm(&self) -> Result<(), Error> {
        match self {
            Self::Tables(engine) => confirm(engine),
            Self::Sums(_) => Ok(()),
        }
    }
}

/// An additive plan whose values are searched, pattern by pattern.
#[derive(Debug)]
pub(super) struct PatternSums {
    goal: Goal,
    patterns: Vec<PatternCost>,
    partitions: Vec<Vec<View>>,
}

impl PatternSums {
    /// Creates the sums of a plan. The error is the reason why it has none.
    fn new(plan: &Plan, parts: &ExcessTables) -> Result<Self, String> {
        let PlanKind::Additive { partitions } = plan.kind() else {
            return Err("only additive patterns are".to_owned());
        };
        let mut patterns = Vec::new();
        // Tables for duals only come last.
        let used = partitions.iter().flatten().map(|view| view.table + 1).max().unwrap_or(0);
        for table in &plan.tables()[..used] {
            let TableKey::Pattern(key) = table else { unreachable!("the plan is additive") };
            if key.tile_count() > TILE_COUNT_MAX {
                return Err(format!(
                    "a pattern has {} tiles, and {TILE_COUNT_MAX} are the most",
                    key.tile_count()
                ));
            }
            patterns.push(sampled(key, parts));
        }
        Ok(Self { goal: *plan.goal(), patterns, partitions: partitions.clone() })
    }

    /// Returns the largest sum of values; `None` if `stop` ends the work.
    fn estimate(
        &self,
        board: &Board,
        scratch: &mut SearchMemory,
        stop: &dyn Fn() -> bool,
    ) -> Option<u32> {
        let cells = board.cells_by_tile();
        let mut largest = 0;
        for partition in &self.partitions {
            let values = partition.iter().map(|view| self.value(view, &cells, scratch, stop));
            largest = largest.max(values.sum::<Option<u32>>()?);
        }
        Some(largest)
    }

    fn value(
        &self,
        view: &View,
        cells: &[Cell],
        scratch: &mut SearchMemory,
        stop: &dyn Fn() -> bool,
    ) -> Option<u32> {
        let pattern = &self.patterns[view.table];
        let back = view.symmetry.inverse();
        let mut images = [0; TILE_COUNT_MAX];
        let homes = pattern.homes();
        for (image, &home) in images.iter_mut().zip(homes) {
            let tile = self.goal.board().tile(back.cell(home));
            *image = view.symmetry.cell(cells[usize::from(tile)]);
        }
        let blank = view.symmetry.cell(cells[0]);
        pattern.value(&images[..homes.len()], blank, scratch, stop)
    }
}
