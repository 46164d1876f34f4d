//! The cut of a bound's tree into packets.

use std::collections::{BTreeMap, VecDeque};

use pdb_core::{Direction, Heuristic, Slide};

use super::counts::Counts;
use crate::LimitKind;
use crate::checks::{direction_of, directions_of};
use crate::lane::{Leaf, Shared, Target, slide_at, slide_tiles};

/// The packets of a bound, and the nodes above them.
///
/// From the root on, the node with the most slack is expanded, until there are enough others. Slack
/// is the bound less moves made and estimate; the nodes below a node grow by a constant factor with
/// it, so the packets have about the same size. Among nodes of equal slack the first that came is
/// first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frontier {
    /// The nodes above the packets.
    pub trunk: Counts,
    /// The packets, in the order of a depth-first search.
    pub packets: Vec<PacketRoot>,
    /// The moves to the goal, if it is among the nodes above the packets; then there are no
    /// packets.
    pub goal: Option<Vec<Direction>>,
}

/// The root of a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PacketRoot {
    /// The moves from the board.
    pub moves: Vec<Direction>,
    /// The estimate there.
    pub estimate: u32,
}

/// A node with the moves that lead to it.
pub(crate) struct FrontierNode<H: Heuristic> {
    pub(crate) leaf: Leaf<H>,
    /// Moves that are left within the bound.
    pub(crate) left: u32,
    pub(crate) path: Vec<Slide>,
    /// The place of each node of the path among its siblings, for the order of a depth-first
    /// search.
    ranks: Vec<u8>,
}

impl<H: Heuristic> Clone for FrontierNode<H> {
    fn clone(&self) -> Self {
        let Self { leaf, left, path, ranks } = self;
        Self { leaf: leaf.clone(), left: *left, path: path.clone(), ranks: ranks.clone() }
    }
}

impl<H: Heuristic> FrontierNode<H> {
    pub(crate) fn root(leaf: Leaf<H>, bound: u32) -> Self {
        Self { leaf, left: bound, path: Vec::new(), ranks: Vec::new() }
    }

    /// Returns the bound less moves made and estimate.
    pub(crate) fn slack(&self, heuristic: &H) -> u32 {
        self.left.saturating_sub(heuristic.estimate(&self.leaf.node))
    }

    /// Makes move `i` of its place. Returns `None` for a child beyond the bound.
    pub(crate) fn child(&self, i: usize, shared: &Shared<'_, H>) -> Option<Self> {
        let Shared { heuristic, moves, target } = *shared;
        let parent = &self.leaf;
        let (from, to) = moves.at(parent.place).step(i);
        let slide = slide_at(&parent.tiles, from, parent.blank);
        let mut probe = heuristic.locate(&parent.state, &parent.node, slide);
        if heuristic.read(&parent.node, slide, &mut probe) >= self.left {
            return None;
        }
        let mut child = self.clone();
        let Leaf { tiles, state, node, blank, place } = &mut child.leaf;
        *node = heuristic.enter(state, &parent.node, slide, &probe);
        slide_tiles(tiles, slide.from, slide.to);
        (*blank, *place, child.left) = (from, to, self.left - 1);
        child.path.push(slide);
        child.ranks.push(i as u8);
        // The goal counts with any estimate, as in the lanes.
        let is_pruned = H::SETTLES && heuristic.settle(node) > child.left;
        (child.is_at_goal(target) || !is_pruned).then_some(child)
    }

    /// Returns the child that a direction leads to.
    pub(crate) fn step(&self, direction: Direction, shared: &Shared<'_, H>) -> Option<Self> {
        let place = shared.moves.at(self.leaf.place);
        let leads = |&i: &usize| {
            let slide = slide_at(&self.leaf.tiles, place.step(i).0, self.leaf.blank);
            direction_of(shared.shape(), slide) == direction
        };
        self.child((0..place.count()).find(leads)?, shared)
    }

    fn is_at_goal(&self, target: &Target) -> bool {
        target.is_reached(&self.leaf.tiles, self.leaf.blank)
    }
}

impl Frontier {
    /// Cuts the tree below `root`, without the moves in `excluded`, into `wish` packets at least,
    /// if it has as many branches. `allow` is called before nodes are generated; its error ends the
    /// cut, and is returned with the nodes so far.
    pub(crate) fn new<H: Heuristic>(
        root: FrontierNode<H>,
        excluded: u8,
        wish: usize,
        shared: &Shared<'_, H>,
        allow: &dyn Fn(u64) -> Result<(), LimitKind>,
    ) -> Result<Self, (LimitKind, Counts)> {
        let Shared { heuristic, moves, target } = *shared;
        let directions = |path: &[Slide]| directions_of(shared.shape(), path);
        let mut trunk = Counts::default();
        if root.is_at_goal(target) {
            return Ok(Self { trunk, packets: Vec::new(), goal: Some(Vec::new()) });
        }
        // Nodes are queued by number, so that the queue is compiled once for all heuristics.
        let mut open = Queue::default();
        open.push(root.slack(heuristic), 0);
        let mut nodes = vec![Some(root)];
        while open.count < wish
            && let Some(number) = open.pop()
        {
            let node = nodes[number].take().expect("an open node was not expanded");
            let count = moves.at(node.leaf.place).count();
            allow(count as u64).map_err(|problem| (problem, trunk))?;
            trunk = trunk.plus(Counts { generated: count as u64, expanded: 1 });
            let is_root = node.path.is_empty();
            for i in (0..count).filter(|i| !is_root || excluded & 1 << i == 0) {
                let Some(child) = node.child(i, shared) else { continue };
                if child.is_at_goal(target) {
                    let goal = Some(directions(&child.path));
                    return Ok(Self { trunk, packets: Vec::new(), goal });
                }
                open.push(child.slack(heuristic), nodes.len());
                nodes.push(Some(child));
            }
        }
        let root_of = |node: FrontierNode<H>| {
            let estimate = heuristic.estimate(&node.leaf.node);
            (node.ranks, PacketRoot { moves: directions(&node.path), estimate })
        };
        let packets = nodes.into_iter().flatten().map(root_of);
        Ok(Self { trunk, packets: in_order(packets.collect()), goal: None })
    }
}

/// Numbers of open nodes, by slack.
#[derive(Default)]
struct Queue {
    by_slack: BTreeMap<u32, VecDeque<usize>>,
    count: usize,
}

impl Queue {
    fn push(&mut self, slack: u32, number: usize) {
        self.by_slack.entry(slack).or_default().push_back(number);
        self.count += 1;
    }

    /// Removes and returns the first node with the most slack.
    fn pop(&mut self) -> Option<usize> {
        loop {
            let mut most = self.by_slack.last_entry()?;
            if let Some(number) = most.get_mut().pop_front() {
                self.count -= 1;
                return Some(number);
            }
            most.remove();
        }
    }
}

/// Sorts packets into the order of a depth-first search, which their ranks give.
fn in_order(mut packets: Vec<(Vec<u8>, PacketRoot)>) -> Vec<PacketRoot> {
    packets.sort_by(|a, b| a.0.cmp(&b.0));
    packets.into_iter().map(|(_, packet)| packet).collect()
}
