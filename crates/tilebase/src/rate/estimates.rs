//! Estimates of a board and its neighbours: by the heuristic's tables, or by searching for each
//! pattern's value if no table is built.

use std::sync::Arc;

use pdb_core::plan::{PlanKind, View};
use pdb_core::{Board, Cell, Direction, Goal, Plan, TableKey};
use pdb_lab::{Engine, HeuristicName};
use pdb_search::SearchError;

use super::pattern_cost::{ExcessTables, PatternCost, Scratch, TILE_COUNT_MAX};
use super::tree::ExpectedNodes;
use crate::error::Error;
use crate::handle::Tilebase;
use crate::shelf::{confirm, confirmed};

/// Number of nodes between two checks of the time limit.
const NODES_BETWEEN: f64 = 1024.0;

/// Estimates of a board and of the boards after each of its moves, in the order of
/// [`Direction::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Family {
    pub(super) blank: Cell,
    pub(super) estimate: u32,
    pub(super) children: [Option<(Cell, u32)>; 4],
}

impl Family {
    /// Returns the larger estimates of two heuristics.
    pub(super) fn max(mut self, other: &Self) -> Self {
        self.estimate = self.estimate.max(other.estimate);
        for (child, other) in self.children.iter_mut().zip(&other.children) {
            if let (Some((_, child)), Some((_, other))) = (child, other) {
                *child = (*child).max(*other);
            }
        }
        self
    }
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
        match name {
            HeuristicName::Tables { spec, is_unmirrored, .. } if without_tables => {
                let plan = if *is_unmirrored {
                    spec.for_goal_unmirrored(goal)
                } else {
                    spec.for_goal(goal)
                };
                Ok(Self::Sums(PatternSums::new(&name.to_string(), &plan?, parts)?))
            }
            HeuristicName::Max(names)
                if without_tables && names.iter().any(|n| n.tables().is_some()) =>
            {
                Err(Error::NoSample {
                    name: name.to_string(),
                    problem: "it is a maximum: name its parts one by one, with --together"
                        .to_owned(),
                })
            }
            _ => Ok(Self::Tables(Arc::new(tables.engine_of(goal, name)?))),
        }
    }

    /// Returns the estimates of a board, and of its neighbours if these are requested; `None` if
    /// `stop` ends the work.
    pub(super) fn family(
        &self,
        board: &Board,
        with_children: bool,
        scratch: &mut Scratch,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Family>, Error> {
        let mut sums = Vec::new();
        let mut of = |board: &Board,
                      before: Option<&PreviousValues<'_>>,
                      sums: &mut Vec<Vec<u32>>| match self {
            Self::Tables(engine) => {
                let estimate = engine.estimate(board).map(Some);
                estimate.or_else(|error| confirmed([&**engine], Err(error)))
            }
            Self::Sums(patterns) => Ok(patterns.estimate(board, before, sums, scratch, stop)),
        };
        let Some(estimate) = of(board, None, &mut sums)? else { return Ok(None) };
        let blank = board.blank();
        let mut family = Family { blank, estimate, children: [None; 4] };
        if with_children {
            for (place, direction) in Direction::ALL.into_iter().enumerate() {
                let Some(from) = direction.tile_cell(board.shape(), blank) else { continue };
                let tile = board.tile(from);
                let mut child = *board;
                child.slide(from, blank);
                let mut own = Vec::new();
                let moved = PreviousValues { tile, values: &sums };
                let Some(estimate) = of(&child, Some(&moved), &mut own)? else { return Ok(None) };
                family.children[place] = Some((from, estimate));
            }
        }
        Ok(Some(family))
    }

    /// Counts the nodes of a search within a bound that continues after a solution, without the
    /// root; `None` if `stop` ends the work. Each node's estimate is computed from scratch, which
    /// is slow.
    pub(super) fn count_within(
        &self,
        board: &Board,
        last: Option<Direction>,
        left: u32,
        counts: &mut ExpectedNodes,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<()>, Error> {
        let Self::Tables(engine) = self else { return Ok(None) };
        counts.expanded += 1.0;
        if counts.expanded % NODES_BETWEEN == 0.0 && stop() {
            return Ok(None);
        }
        let undo = last.map(Direction::opposite);
        for direction in Direction::ALL.into_iter().filter(|&direction| Some(direction) != undo) {
            let Some(child) = board.moved(direction) else { continue };
            counts.generated += 1.0;
            let estimate = engine.estimate(&child).map_err(SearchError::from)?;
            let Some(left) = left.checked_sub(1).filter(|left| estimate <= *left) else { continue };
            if self.count_within(&child, Some(direction), left, counts, stop)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    /// Checks that the tables are undamaged.
    pub(super) fn confirm(&self) -> Result<(), Error> {
        match self {
            Self::Tables(engine) => confirm(engine),
            Self::Sums(_) => Ok(()),
        }
    }
}

/// The tile that has just moved, and the values of all patterns before the move.
struct PreviousValues<'a> {
    tile: u8,
    values: &'a [Vec<u32>],
}

/// An additive plan whose values are searched, pattern by pattern.
#[derive(Debug)]
pub(super) struct PatternSums {
    goal: Goal,
    patterns: Vec<PatternCost>,
    partitions: Vec<Vec<(View, u64)>>,
}

impl PatternSums {
    /// Creates the sums of a plan; `name` is for errors.
    fn new(name: &str, plan: &Plan, parts: &ExcessTables) -> Result<Self, Error> {
        let refused = |problem: String| Error::NoSample { name: name.to_owned(), problem };
        let PlanKind::Additive { partitions } = plan.kind() else {
            let problem = "only additive patterns are: build its tables, and leave --sample out";
            return Err(refused(problem.to_owned()));
        };
        let mut patterns = Vec::new();
        // Tables for duals only come last.
        let used = partitions.iter().flatten().map(|view| view.table + 1).max().unwrap_or(0);
        for table in &plan.tables()[..used] {
            let TableKey::Pattern(key) = table else { unreachable!("the plan is additive") };
            if key.tile_count() > TILE_COUNT_MAX {
                return Err(refused(format!(
                    "a pattern has {} tiles, and {TILE_COUNT_MAX} are the most: build its tables, and leave \
                     --sample out",
                    key.tile_count()
                )));
            }
            patterns.push(PatternCost::new(key, parts));
        }
        let goal = *plan.goal();
        // The tiles of a view are those whose homes it maps to the pattern's.
        let tiles = |view: &View| {
            let homes = patterns[view.table].homes();
            let is_in = |tile: &u8| homes.contains(&view.symmetry.cell(goal.home(*tile)));
            let tiles = (1..goal.shape().cell_count() as u8).filter(is_in);
            (*view, tiles.fold(0, |set, tile| set | 1 << tile))
        };
        let partitions = partitions.iter().map(|p| p.iter().map(tiles).collect()).collect();
        Ok(Self { goal, patterns, partitions })
    }

    /// Returns the largest sum, and pushes all values. Values of patterns without the tile of
    /// `before` are copied.
    fn estimate(
        &self,
        board: &Board,
        before: Option<&PreviousValues<'_>>,
        values: &mut Vec<Vec<u32>>,
        scratch: &mut Scratch,
        stop: &dyn Fn() -> bool,
    ) -> Option<u32> {
        let cells = board.cells_by_tile();
        let mut largest = 0;
        for (nth, partition) in self.partitions.iter().enumerate() {
            let mut of_partition = Vec::new();
            for (place, (view, tiles)) in partition.iter().enumerate() {
                let kept = before.filter(|moved| tiles >> moved.tile & 1 == 0);
                of_partition.push(match kept {
                    Some(moved) => moved.values[nth][place],
                    None => self.value(view, &cells, scratch, stop)?,
                });
            }
            largest = largest.max(of_partition.iter().sum());
            values.push(of_partition);
        }
        Some(largest)
    }

    fn value(
        &self,
        view: &View,
        cells: &[Cell],
        scratch: &mut Scratch,
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
