//! The cut of a bound's tree into packets.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pdb_core::{Direction, Slide};

use crate::checks::directions_of;
use crate::counts::Counts;
use crate::lane::{GoalTarget, Leaves, Position};
use crate::{LimitKind, Solver};

/// The packets of a bound, and the nodes above them.
///
/// Starting with the root, the node with the most slack is expanded until there are enough other
/// nodes. Slack is the bound minus moves made minus estimate. The number of nodes below a node
/// grows by a constant factor with its slack, so the packets have similar sizes. Among nodes of
/// equal slack, the oldest is expanded.
pub(crate) struct Frontier {
    /// The nodes above the packets.
    pub(crate) trunk: Counts,
    /// The smallest estimate of an expanded node of the trunk.
    pub(crate) nearest: u32,
    /// The packets, in the order of a depth-first search.
    pub(crate) packets: Vec<PacketRoot>,
    /// The moves to the goal, if it is one of the nodes above the packets; then there are no
    /// packets.
    pub(crate) goal: Option<Vec<Direction>>,
}

/// The root of a packet.
pub(crate) struct PacketRoot {
    /// The moves from the board.
    pub(crate) moves: Vec<Direction>,
    /// The estimate there.
    pub(crate) estimate: u32,
}

/// A node with the moves that lead to it.
pub(crate) struct FrontierNode {
    pub(crate) position: Position,
    pub(crate) estimate: u32,
    /// The leaves of its tree, which is not cut.
    pub(crate) leaves: Leaves,
    /// Moves that are left within the bound.
    pub(crate) left: u32,
    pub(crate) path: Vec<Slide>,
}

/// A route of a solver, which determines the children of a node.
#[derive(Clone, Copy)]
pub(crate) struct Route<'a> {
    pub(crate) solver: &'a Solver<'a>,
    pub(crate) index: usize,
}

impl<'a> Route<'a> {
    fn target(self) -> &'a GoalTarget {
        &self.solver.targets[self.index]
    }
}

impl FrontierNode {
    /// Returns the bound minus moves made minus estimate.
    pub(crate) fn slack(&self) -> u32 {
        self.left.saturating_sub(self.estimate)
    }

    /// Makes a step. Returns `None` for a child beyond the bound.
    fn child(&self, (slide, position): (Slide, Position), route: Route<'_>) -> Option<Self> {
        let Route { solver, index } = route;
        let is_goal = route.target().is_reached(&position.tiles, position.blank);
        let child = solver.heuristics.child(index, &self.leaves, slide, self.left, is_goal);
        let (estimate, leaves) = child?;
        let mut path = self.path.clone();
        path.push(slide);
        Some(Self { position, estimate, leaves, left: self.left - 1, path })
    }

    /// Returns the child that a move leads to, in directions of single tiles.
    pub(crate) fn step(&self, directions: &[Direction], route: Route<'_>) -> Option<Self> {
        let shape = route.target().shape;
        let leads = |(slide, _): &(Slide, Position)| directions_of(shape, [slide]) == directions;
        self.child(self.steps(route).into_iter().find(leads)?, route)
    }

    /// Returns the moves and the positions after them.
    fn steps(&self, route: Route<'_>) -> Vec<(Slide, Position)> {
        route.solver.rules.steps(&self.position, route.target().shape, route.solver.moves())
    }

    fn is_at_goal(&self, route: Route<'_>) -> bool {
        route.target().is_reached(&self.position.tiles, self.position.blank)
    }
}

impl Frontier {
    /// Cuts the tree below `root`, without the moves in `excluded`, into at least `wish` packets,
    /// if it has that many branches. `allow` is called before nodes are generated; its error ends
    /// the cut, and is returned with the nodes so far.
    pub(crate) fn new(
        root: FrontierNode,
        excluded: u8,
        wish: usize,
        route: Route<'_>,
        allow: &dyn Fn(u64) -> Result<(), LimitKind>,
    ) -> Result<Self, (LimitKind, Counts)> {
        let directions = |path: &[Slide]| directions_of(route.target().shape, path);
        let (mut trunk, mut nearest) = (Counts::default(), u32::MAX);
        if root.is_at_goal(route) {
            return Ok(Self { trunk, nearest, packets: Vec::new(), goal: Some(Vec::new()) });
        }
        // By slack; among equals, the smallest number is the oldest.
        let mut open = BinaryHeap::from([(root.slack(), Reverse(0))]);
        let mut nodes = vec![Some(root)];
        while open.len() < wish
            && let Some((_, Reverse(number))) = open.pop()
        {
            let node = nodes[number].take().expect("an open node was not expanded");
            let steps = node.steps(route);
            let generated = steps.len() as u64;
            allow(generated).map_err(|problem| (problem, trunk))?;
            trunk = trunk.plus(Counts { generated, expanded: 1 });
            nearest = nearest.min(node.estimate);
            let is_root = node.path.is_empty();
            let is_tried = |(i, _): &(usize, _)| !is_root || excluded & 1 << i == 0;
            for (_, step) in steps.into_iter().enumerate().filter(is_tried) {
                let Some(child) = node.child(step, route) else { continue };
                if child.is_at_goal(route) {
                    let goal = Some(directions(&child.path));
                    return Ok(Self { trunk, nearest, packets: Vec::new(), goal });
                }
                open.push((child.slack(), Reverse(nodes.len())));
                nodes.push(Some(child));
            }
        }
        let root_of =
            |FrontierNode { path, estimate, .. }| PacketRoot { moves: directions(&path), estimate };
        let mut packets: Vec<_> = nodes.into_iter().flatten().map(root_of).collect();
        let order = route.solver.order();
        let rank = |direction: &Direction| order.iter().position(|one| one == direction);
        packets.sort_by_cached_key(|packet| packet.moves.iter().map(rank).collect::<Vec<_>>());
        Ok(Self { trunk, nearest, packets, goal: None })
    }
}
