//! The tree of a board, cut into subtrees that a bound searches one after another.
//!
//! Iterative deepening goes through the same tree again and again, each time two moves deeper. All
//! bounds but the last have to be searched whole, so that the order is nothing to them; in the last one
//! the goal may lie anywhere. What the bound before met tells where: a subtree that came near the goal
//! within that bound is more likely to reach it within the next one than a subtree that stayed far.
//!
//! 1. The tree is cut where slack, which is what the bound leaves beyond moves made and estimate, falls
//!    to a number: the nodes below a node grow by a constant factor with it. So the subtrees are of a
//!    size, as far as that can be known beforehand.
//! 2. What lies beyond the bound is a leaf of the cut, too. So the cut serves all bounds to come, which
//!    need not generate the nodes above it again.
//! 3. Each leaf keeps the smallest estimate that was met below it. The next bound begins with the leaves
//!    for which this and their own estimate, counted twice, are the least together; of equal ones with
//!    those that came first before.
//! 4. A leaf with too much slack for the present bound is cut further when its turn comes. Its parts
//!    inherit what was met below the whole.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pdb_core::{Heuristic, Slide};

use crate::lane::{Lane, Leaf, Packet};

/// Where a tree begins, and where it leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    /// Which of the solver's ends it leads to.
    pub(crate) end: usize,
    /// It begins with the board's dual, not with the board.
    pub(crate) is_dual: bool,
}

impl Way {
    /// From the board to the goal.
    pub(crate) const STRAIGHT: Self = Self { end: 0, is_dual: false };
}

/// A leaf of the cut, and what is known of the subtree below it.
#[derive(Debug)]
struct Branch<H: Heuristic> {
    leaf: Leaf<H>,
    /// Moves that were made from the board.
    moves: u32,
    estimate: u32,
    /// The smallest estimate that was met.
    nearest: u32,
    /// Where it came in the order of the last bound that it lay within.
    rank: u32,
    /// Its step in the tree's trail.
    step: u32,
    /// It was cut further, and its parts stand for it.
    is_cut: bool,
}

impl<H: Heuristic> Branch<H> {
    /// The least number of moves of a solution through it, as far as is known.
    fn cost(&self) -> u32 {
        self.moves + self.estimate
    }
}

/// Where a leaf stands in the order of a bound: the smallest one comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    key: u32,
    rank: u32,
    number: u32,
}

/// The move that leads to a node, and the step before.
#[derive(Clone, Copy, Debug)]
struct Step {
    slide: Slide,
    before: u32,
}

/// So many times as many leaves as there are to be subtrees are kept at most, or as one bound more makes of them:
/// then nothing is cut further. Sizes of subtrees are guessed, and a guess may be far off.
const LEAVES_MORE: usize = 16;

/// Before the first step.
const NONE: u32 = u32::MAX;

/// The tree of a board, as far as it is cut.
#[derive(Debug)]
pub(crate) struct Tree<H: Heuristic> {
    way: Way,
    branches: Vec<Branch<H>>,
    /// How the leaves are reached.
    trail: Vec<Step>,
    /// The step of the root, and the moves there that are left out, a bit each.
    root: u32,
    root_estimate: u32,
    excluded: u8,
    bound: u32,
    /// Leaves with more slack are cut further.
    slack_max: u32,
    /// The leaves within the bound that were not given out.
    queue: BinaryHeap<Reverse<Turn>>,
    /// How many were, to be searched.
    given: u32,
}

impl<H: Heuristic> Tree<H> {
    /// A tree that is not cut, below the moves of a path; the moves at its root that are in `excluded` are
    /// left out, a bit each. `heuristic` is that of the end of the way.
    pub(crate) fn new(
        way: Way,
        root: Leaf<H>,
        path: &[Slide],
        excluded: u8,
        heuristic: &H,
    ) -> Self {
        let mut tree = Self {
            way,
            branches: Vec::new(),
            trail: Vec::new(),
            root: NONE,
            root_estimate: heuristic.estimate(&root.node),
            excluded,
            bound: 0,
            slack_max: 0,
            queue: BinaryHeap::new(),
            given: 0,
        };
        tree.root = tree.follow(NONE, path.iter().copied());
        let estimate = tree.root_estimate;
        let branch = Branch {
            leaf: root,
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

    /// Begins a bound. Leaves with more slack than `slack_max` are cut when their turn comes, as long as there
    /// are not too many, for so many that are wished for.
    pub(crate) fn begin(&mut self, bound: u32, slack_max: u32, wish: u32) {
        self.branches.retain(|branch| !branch.is_cut);
        let are_many = self.branches.len() > LEAVES_MORE * wish as usize;
        self.slack_max = if are_many { u32::MAX } else { slack_max };
        (self.bound, self.given) = (bound, 0);
        let mut turns = std::mem::take(&mut self.queue).into_vec();
        turns.clear();
        turns.extend((0..self.branches.len()).filter_map(|number| self.turn(number)));
        self.queue = turns.into();
    }

    /// The turn of a leaf, if it lies within the bound.
    fn turn(&self, number: usize) -> Option<Reverse<Turn>> {
        let branch = &self.branches[number];
        let key = 2 * branch.estimate + branch.nearest;
        let turn = Turn { key, rank: branch.rank, number: number as u32 };
        (branch.cost() <= self.bound).then_some(Reverse(turn))
    }

    /// The next subtree of the bound.
    pub(crate) fn next(&mut self) -> Option<Packet<H>> {
        let Reverse(Turn { number, .. }) = self.queue.pop()?;
        let branch = &mut self.branches[number as usize];
        let slack = self.bound - branch.cost();
        let excluded = if branch.step == self.root { self.excluded } else { 0 };
        let packet = branch.leaf.packet(self.bound - branch.moves, excluded);
        if slack > self.slack_max {
            branch.is_cut = true;
            return Some(packet.of_leaf(self.way.end, number, Some(self.slack_max)));
        }
        self.given += 1;
        (branch.rank, branch.nearest) = (self.given, branch.estimate);
        Some(packet.of_leaf(self.way.end, number, None))
    }

    /// How many leaves within the bound were not given out.
    pub(crate) fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Keeps what a lane found out that has searched a subtree, or a part of it, or has cut it.
    pub(crate) fn keep(&mut self, lane: &mut Lane<H>, heuristic: &H) {
        let Branch { nearest, rank, step, .. } = self.branches[lane.leaf as usize];
        if !lane.cuts() {
            self.branches[lane.leaf as usize].nearest = nearest.min(lane.nearest);
            return;
        }
        let mut slides = lane.found_paths.drain(..);
        for found in lane.found.drain(..) {
            let step = self.follow(step, slides.by_ref().take(found.path_len));
            let estimate = heuristic.estimate(&found.leaf.node);
            let moves = self.bound - found.left;
            let nearest = nearest.min(estimate);
            let (leaf, is_cut) = (found.leaf, false);
            self.branches.push(Branch { leaf, moves, estimate, nearest, rank, step, is_cut });
            let turn = self.turn(self.branches.len() - 1);
            self.queue.extend(turn);
        }
    }

    /// Makes moves after a step; gives the last one's step.
    fn follow(&mut self, mut before: u32, path: impl Iterator<Item = Slide>) -> u32 {
        for slide in path {
            self.trail.push(Step { slide, before });
            before = self.trail.len() as u32 - 1;
        }
        before
    }

    /// The moves that lead to a leaf.
    pub(crate) fn path_to(&self, leaf: u32) -> Vec<Slide> {
        let mut path = Vec::new();
        let mut step = self.branches[leaf as usize].step;
        while step != NONE {
            let Step { slide, before } = self.trail[step as usize];
            path.push(slide);
            step = before;
        }
        path.reverse();
        path
    }

    /// The smallest estimate that was met in a tree that is not cut.
    pub(crate) fn nearest(&self) -> u32 {
        self.branches[0].nearest
    }

    /// Where it begins, and where it leads.
    pub(crate) fn way(&self) -> Way {
        self.way
    }

    /// The estimate of its root.
    pub(crate) fn root_estimate(&self) -> u32 {
        self.root_estimate
    }
}
