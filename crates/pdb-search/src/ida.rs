//! Iterative-deepening A*.

use std::ops::ControlFlow;

use pdb_core::{Board, Goal, Heuristic, Metric, Slide};

use crate::checks::{begin, check_admissible, directions_of, first_bound};
use crate::depth_first::{Bound, DepthFirst, StopReason};
use crate::lane::{AnyLanes, LaneEvent, Leaves, Subtree};
use crate::limits::Meter;
use crate::moves::Moves;
use crate::outcome::lookups;
use crate::rules::Rules;
use crate::{BoundCount, LimitKind, Manhattan, Options, Outcome, SearchError, Solver, Status};

/// Finds a shortest sequence of moves from `board` to `goal` by iterative-deepening A* (R. E. Korf,
/// "Depth-first iterative-deepening", Artificial Intelligence 27, 1985).
///
/// The first bound is the root's estimate (one more where parity rules that length out), each
/// further one is larger by 2, and no move undoes the one before it. `heuristic` must have been
/// made for `goal`.
///
/// Nodes are counted as in that paper: the root once, and each child as soon as its estimate is
/// computed, whether it is pruned or not. The child that undoes the last move is not generated. The
/// search ends with the first child that is the goal.
///
/// # Errors
/// [`SearchError::Board`] when board and goal differ in shape, [`SearchError::Order`] when
/// [`Options::order`] is not a permutation, and [`SearchError::Root`] or
/// [`SearchError::NotLowerBound`] when the heuristic turns out to be damaged.
pub fn ida_star<H: Heuristic>(
    heuristic: &H,
    goal: &Goal,
    board: &Board,
    options: &Options,
) -> Result<Outcome, SearchError> {
    check_admissible(heuristic.is_admissible(), "IDA*")?;
    begin(goal, board, options, |meter| {
        let (state, root) = heuristic.root(board)?;
        let initial_estimate = heuristic.estimate(&root);
        let mut search = DepthFirst::new(heuristic, goal, board, state, options, meter, MovesLeft);
        let mut bound = first_bound(goal, board, initial_estimate);
        let status = loop {
            match search.within(bound, &root, i64::from(bound)) {
                ControlFlow::Continue(()) => bound += 2,
                ControlFlow::Break(StopReason::Limit(kind)) => {
                    break Status::Limit { kind, lower_bound: bound };
                }
                ControlFlow::Break(StopReason::Goal) => {
                    let rules = Rules::of(Metric::SingleTile);
                    let moves = rules.within_bound(goal, board, search.moves(), bound)?;
                    break Status::Optimal { moves };
                }
            }
        };
        Ok(search.outcome(status, initial_estimate))
    })
}

/// [`ida_star`] with [`Manhattan`] distance, compiled here once instead of in each caller.
///
/// # Errors
/// As [`ida_star`].
pub fn solve_manhattan(
    goal: &Goal,
    board: &Board,
    options: &Options,
) -> Result<Outcome, SearchError> {
    ida_star(&Manhattan::new(goal), goal, board, options)
}

/// The bound of [`ida_star`], in moves. It is negative below a node without moves left.
struct MovesLeft;

impl Bound for MovesLeft {
    type Remainder = i64;

    #[inline(always)]
    fn after_move(&self, left: i64) -> i64 {
        left - 1
    }

    #[inline(always)]
    fn is_exceeded(&mut self, left: i64, estimate: u32) -> bool {
        i64::from(estimate) > left
    }
}

impl Solver<'_> {
    /// Searches a board by plain IDA*, with the nodes of [`ida_star`]: in one lane, and without the
    /// solver's duals and duplicate moves. A limit on nodes may end it a few nodes earlier, because
    /// a lane generates the children of a node together.
    ///
    /// # Errors
    /// As [`ida_star`]; [`SearchError::SingleTiles`] where slides count.
    pub fn ida_star(&self, board: &Board, options: &Options<'_>) -> Result<Outcome, SearchError> {
        self.ida_star_on(0, board, options)
    }

    /// Does the same for a board with the goal of a route.
    pub(crate) fn ida_star_on(
        &self,
        route: usize,
        board: &Board,
        options: &Options<'_>,
    ) -> Result<Outcome, SearchError> {
        if self.rules.metric == Metric::MultiTile {
            return Err(SearchError::SingleTiles { search: "IDA* without lanes" });
        }
        let (goal, target) = (&self.goals[route], &self.targets[route]);
        begin(goal, board, options, |mut meter| {
            let (initial_estimate, leaves) = self.heuristics.root(route, board)?;
            let moves = Moves::without_undoing(goal.shape(), options.order);
            let mut found = meter.count().map(|()| (board == goal.board()).then(Vec::new));
            let lanes = self.heuristics.lanes(&moves, &self.targets);
            let mut lane = PlainLane { lanes, moves: &moves, meter, expanded: 0, entered: 0 };
            let (mut bounds, mut before) = (Vec::new(), [0; 2]);
            let mut bound = first_bound(goal, board, initial_estimate);
            let status = loop {
                if found == Ok(None) {
                    found = lane.within(Subtree::whole(board, route, bound), &leaves);
                }
                let counted = [lane.meter.generated(), lane.expanded];
                let [generated, expanded] = [0, 1].map(|i| counted[i] - before[i]);
                bounds.push(BoundCount { bound, generated, expanded });
                before = counted;
                match found {
                    Ok(None) => lane.meter.report_bound(&bounds),
                    Ok(Some(path)) => {
                        let moves = directions_of(target.shape(), &path);
                        let moves = self.rules.within_bound(goal, board, moves, bound)?;
                        break Status::Optimal { moves };
                    }
                    Err(kind) => break Status::Limit { kind, lower_bound: bound },
                }
                bound += 2;
            };
            let (generated, expanded) = (before[0], before[1]);
            // The root was not located.
            let located = generated.saturating_sub(1);
            Ok(Outcome {
                status,
                initial_estimate: Some(initial_estimate),
                generated,
                expanded,
                lookups: lookups(self.heuristics.lookups(), located, lane.entered),
                bounds,
                memory_bytes: 0,
                elapsed: lane.meter.elapsed(),
            })
        })
    }
}

/// A lane that searches whole trees.
struct PlainLane<'a> {
    lanes: Box<dyn AnyLanes + 'a>,
    moves: &'a Moves,
    meter: Meter<'a>,
    expanded: u64,
    entered: u64,
}

impl PlainLane<'_> {
    /// Searches a tree within its bound. Returns the path to the goal if it is there.
    fn within(&mut self, tree: Subtree, leaves: &Leaves) -> Result<Option<Vec<Slide>>, LimitKind> {
        let root = tree.position.place;
        self.lanes.begin(0, tree, leaves);
        let found = loop {
            let mut events = [LaneEvent::Wait];
            self.lanes.run(&mut events, u64::MAX);
            match events[0] {
                LaneEvent::Wait => {}
                LaneEvent::NoGrant => {
                    let granted = &mut self.lanes.record(0).granted;
                    match self.meter.count_ahead(std::mem::take(granted)) {
                        Ok(more) => *granted = more,
                        Err(kind) => break Err(kind),
                    }
                }
                LaneEvent::Goal => break Ok(Some(self.lanes.path(0))),
                LaneEvent::Exhausted => break Ok(None),
            }
        };
        let record = self.lanes.record(0);
        (self.expanded, self.entered) = (record.expanded, record.entered);
        self.meter.uncount(std::mem::take(&mut record.granted));
        if let Ok(Some(path)) = &found {
            // IDA* generates the children of a node one after another.
            self.meter.uncount(self.moves.later_siblings(root, path));
        }
        found
    }
}
