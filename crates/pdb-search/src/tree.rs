//! Tree of a board, cut into subtrees that are searched one after another.
//!
//! Iterative deepening searches the same tree repeatedly, each time two moves deeper. All bounds
//! but the last are searched whole, so their order does not matter; in the last one the goal may be
//! anywhere. A subtree that came near the goal within the previous bound is more likely to reach it
//! than one that stayed far.
//!
//! 1. The tree is cut where slack falls to a limit. Slack is the bound minus moves made minus
//!    estimate. The number of nodes below a node grows by a constant factor with it, so the
//!    subtrees have similar sizes.
//! 2. Nodes beyond the bound are leaves of the cut, too. So the cut serves all later bounds, which
//!    do not generate the nodes above it again.
//! 3. Each leaf keeps the smallest estimate that was met below it. The next bound begins with the
//!    leaves that have the smallest sum of this and twice their own estimate; equal leaves keep
//!    their previous order.
//! 4. A leaf with too much slack for the current bound is cut further when its turn comes. Its
//!    parts inherit its smallest estimate.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pdb_core::Slide;

use crate::lane::{CutLeaf, LaneRecord, Leaves, Position, Subtree};

/// Start and goal of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RouteId {
    /// The index of the goal and the heuristic among those of the solver.
    pub(crate) index: usize,
    /// Whether the tree begins with the board's dual, not with the board.
    pub(crate) is_dual: bool,
}

impl RouteId {
    /// The route from the board to the goal.
    pub(crate) const STRAIGHT: Self = Self { index: 0, is_dual: false };
}

/// A leaf of the cut, with the record of the subtree below it.
#[derive(Debug)]
struct Branch {
    position: Position,
    /// Number of moves from the board.
    moves: u32,
    estimate: u32,
    /// The smallest estimate that was met below it.
    nearest: u32,
    /// Position in the order of the last bound that it was within.
    rank: u32,
    /// The step that leads to the leaf.
    step: u32,
    /// Whether the leaf was cut further, so that its parts replace it.
    is_cut: bool,
}

impl Branch {
    /// Returns a lower bound on the moves of a solution through the leaf.
    fn cost(&self) -> u32 {
        self.moves + self.estimate
    }
}

/// Position of a leaf in the order of a bound, by its key, then its rank, and its number. The
/// smallest one comes first.
type LeafOrder = (u32, u32, u32);

/// The move that leads to a node, and the step before.
#[derive(Clone, Copy, Debug)]
struct PathNode {
    slide: Slide,
    before: u32,
}

/// Largest number of leaves, in multiples of the intended number of subtrees, up to which leaves
/// are cut further. Sizes of subtrees are estimates, which may be far off.
const LEAVES_MORE: usize = 16;

/// The number of no step.
const NONE: u32 = u32::MAX;

/// The tree of a board, cut into subtrees.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) route: RouteId,
    /// The leaves, including those that were cut further.
    branches: Vec<Branch>,
    cut_count: usize,
    /// The states and nodes of the branches.
    pub(crate) leaves: Leaves,
    /// The moves that lead to the leaves.
    steps: Vec<PathNode>,
    /// The step of the root, and the omitted moves there, a bit each.
    root: u32,
    pub(crate) root_estimate: u32,
    excluded: u8,
    bound: u32,
    /// Slack above which leaves are cut further.
    slack_max: u32,
    /// The leaves within the bound that no lane has taken.
    queue: BinaryHeap<Reverse<LeafOrder>>,
    /// Number of leaves that lanes have taken to search them.
    taken: u32,
}

impl Tree {
    /// Makes a tree that is not cut, below the moves of a path, without the moves at its root in
    /// `excluded`, a bit each. `leaves` contains only the root, which has an estimate.
    pub(crate) fn new(
        route: RouteId,
        position: Position,
        (estimate, leaves): (u32, Leaves),
        path: &[Slide],
        excluded: u8,
    ) -> Self {
        let mut tree = Self {
            route,
            branches: Vec::new(),
            cut_count: 0,
            leaves,
            steps: Vec::new(),
            root: NONE,
            root_estimate: estimate,
            excluded,
            bound: 0,
            slack_max: 0,
            queue: BinaryHeap::new(),
            taken: 0,
        };
        tree.root = tree.follow(NONE, path.iter().copied());
        let branch = Branch {
            position,
            moves: path.len() as u32,
            estimate,
            nearest: estimate,
            rank: 0,
            step: tree.root,
            is_cut: false,
        };
        tree.branches.push(branch);
        tree
    }

    /// Begins a bound. Leaves with more slack than `slack_max` are cut when their turn comes,
    /// unless there are already far more than `wish` leaves.
    pub(crate) fn begin(&mut self, bound: u32, slack_max: u32, wish: u32) {
        let are_many = self.branches.len() - self.cut_count > LEAVES_MORE * wish as usize;
        self.slack_max = if are_many { u32::MAX } else { slack_max };
        (self.bound, self.taken) = (bound, 0);
        let mut order = std::mem::take(&mut self.queue).into_vec();
        order.clear();
        order.extend((0..self.branches.len()).filter_map(|number| self.order(number)));
        self.queue = order.into();
    }

    /// Returns the position of a leaf in the order, if it is within the bound and not cut.
    fn order(&self, number: usize) -> Option<Reverse<LeafOrder>> {
        let branch = &self.branches[number];
        let key = 2 * branch.estimate + branch.nearest;
        let order = (key, branch.rank, number as u32);
        (branch.cost() <= self.bound && !branch.is_cut).then_some(Reverse(order))
    }

    /// Returns the next subtree of the bound.
    pub(crate) fn next(&mut self) -> Option<Subtree> {
        let Reverse((.., number)) = self.queue.pop()?;
        let branch = &mut self.branches[number as usize];
        branch.is_cut = self.bound - branch.cost() > self.slack_max;
        if branch.is_cut {
            self.cut_count += 1;
        } else {
            self.taken += 1;
            (branch.rank, branch.nearest) = (self.taken, branch.estimate);
        }
        Some(Subtree {
            position: branch.position,
            left: self.bound - branch.moves,
            excluded: if branch.step == self.root { self.excluded } else { 0 },
            route: self.route.index,
            leaf: number,
            slack_max: branch.is_cut.then_some(self.slack_max),
            path: Vec::new(),
            part: None,
        })
    }

    /// Returns the number of leaves within the bound that no lane has taken.
    pub(crate) fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Keeps the result of a lane that has searched or cut a subtree or a part of it. The states
    /// and nodes of its leaves were moved before.
    pub(crate) fn keep(&mut self, lane: &mut LaneRecord) {
        let Branch { nearest, rank, step, .. } = self.branches[lane.leaf as usize];
        if !lane.cuts {
            self.branches[lane.leaf as usize].nearest = nearest.min(lane.nearest);
            return;
        }
        let mut slides = lane.cut_paths.drain(..);
        for cut in lane.cut_leaves.drain(..) {
            let step = self.follow(step, slides.by_ref().take(cut.path_len));
            let CutLeaf { position, estimate, .. } = cut;
            let (moves, is_cut) = (self.bound - cut.left, false);
            let nearest = nearest.min(estimate);
            self.branches.push(Branch { position, moves, estimate, nearest, rank, step, is_cut });
            let order = self.order(self.branches.len() - 1);
            self.queue.extend(order);
        }
    }

    /// Adds the moves of a path after a step, and returns the last step.
    fn follow(&mut self, mut before: u32, path: impl Iterator<Item = Slide>) -> u32 {
        for slide in path {
            self.steps.push(PathNode { slide, before });
            before = self.steps.len() as u32 - 1;
        }
        before
    }

    /// Returns the moves that lead to a leaf.
    pub(crate) fn path_to(&self, leaf: u32) -> Vec<Slide> {
        let mut path = Vec::new();
        let mut step = self.branches[leaf as usize].step;
        while step != NONE {
            let PathNode { slide, before } = self.steps[step as usize];
            path.push(slide);
            step = before;
        }
        path.reverse();
        path
    }

    /// Returns the smallest estimate that was met in a tree that is not cut.
    pub(crate) fn nearest(&self) -> u32 {
        self.branches[0].nearest
    }
}
