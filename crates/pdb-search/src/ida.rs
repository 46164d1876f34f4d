//! Iterative-deepening A*.

use pdb_core::{Board, Metric, Slide};

use crate::checks::{begin, directions_of, first_bound};
use crate::lane::{AnyLanes, LaneEvent, Position};
use crate::limits::Meter;
use crate::moves::Moves;
use crate::outcome::BoundCounts;
use crate::tree::{RouteId, Tree};
use crate::{LimitKind, Options, Outcome, SearchError, Solver, Status};

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
    /// [`SearchError::Root`] when board and goal differ in shape, [`SearchError::Order`] when
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
            return Err(SearchError::SingleTiles { search: "plain IDA*" });
        }
        let goal = &self.goals[route];
        begin(goal, board, options, |mut meter| {
            let root = self.heuristics.root(route, board)?;
            let id = RouteId { index: route, is_dual: false };
            let mut tree = Tree::new(id, Position::root(board), root, &[], 0);
            let moves = Moves::without_undoing(goal.shape(), options.order);
            let mut found = meter.count().map(|()| (board == goal.board()).then(Vec::new));
            let lanes = self.heuristics.lanes(&moves, &self.targets);
            let mut lane = PlainLane { lanes, moves: &moves, meter, expanded: 0, entered: 0 };
            let mut counts = BoundCounts::default();
            let mut bound = first_bound(goal, board, tree.root_estimate);
            let status = loop {
                if found == Ok(None) {
                    found = lane.within(&mut tree, bound);
                }
                counts.push(bound, lane.meter.generated(), lane.expanded);
                match found {
                    Ok(None) => lane.meter.report_bound(&counts.bounds),
                    Ok(Some(path)) => {
                        let moves = directions_of(goal.shape(), &path);
                        let moves = self.rules.within_bound(goal, board, moves, bound)?;
                        break Status::Optimal { moves };
                    }
                    Err(kind) => break Status::Limit { kind, lower_bound: bound },
                }
                bound += 2;
            };
            let entered = (self.heuristics.lookups(), lane.entered);
            Ok(counts.outcome(status, tree.root_estimate, entered, lane.meter.elapsed()))
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
    /// Searches a tree within a bound. Returns the path to the goal if it is there.
    fn within(&mut self, tree: &mut Tree, bound: u32) -> Result<Option<Vec<Slide>>, LimitKind> {
        tree.begin(bound, u32::MAX, 1);
        let whole = tree.next().expect("the root is within every bound");
        let root = whole.position.place;
        self.lanes.begin(0, whole, &tree.leaves);
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
