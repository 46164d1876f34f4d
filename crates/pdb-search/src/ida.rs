//! Iterative-deepening A*.

use pdb_core::{Board, Metric, Slide};

use crate::checks::{begin, directions_of, first_bound};
use crate::lane::{AnyLanes, LaneEvent, Leaves, Subtree};
use crate::limits::Meter;
use crate::moves::Moves;
use crate::outcome::lookups;
use crate::{BoundCount, LimitKind, Options, Outcome, SearchError, Solver, Status};

impl Solver<'_> {
    /// Finds a shortest sequence of moves by plain iterative-deepening A* (R. E. Korf, "Depth-first
    /// iterative-deepening", Artificial Intelligence 27, 1985).
    ///
    /// The first bound is the root's estimate (one more where parity rules that length out), each
    /// further one is larger by 2, and no move undoes the one before it.
    ///
    /// Nodes are counted as in that paper: the root once, and each child as soon as its estimate is
    /// computed, whether it is pruned or not. The child that undoes the last move is not generated.
    /// The search ends with the first child that is the goal. It runs in one lane, which generates
    /// the children of a node together; those behind the path to the goal are not counted. A limit
    /// on nodes may end the search a few nodes earlier for that.
    ///
    /// # Errors
    /// [`SearchError::Board`] when board and goal differ in shape, [`SearchError::Order`] when
    /// [`Options::order`] is not a permutation, [`SearchError::Root`] or
    /// [`SearchError::NotLowerBound`] when the heuristic turns out to be damaged, and
    /// [`SearchError::SingleTiles`] where slides count.
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
