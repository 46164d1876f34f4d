//! The nodes of a beam's layers by a learned order.

use pdb_core::processor::{prefetch_all, with_wide_registers};
use pdb_core::{Board, RootError, Slide};

use super::nodes::{AnyNodes, GROUP};
use super::seen::Seen;
use super::{Child, Grid, Parent, make_room};
use crate::order::{LearnedOrder, OrderState};

/// The nodes of a learned order. A child keeps nothing: its numbers are made again if it is chosen.
pub(crate) struct OrderNodes<'a> {
    order: &'a LearnedOrder,
    layer: Vec<OrderNode>,
    next: Vec<OrderNode>,
}

/// The numbers of a board, and its Manhattan distance.
#[derive(Clone, Copy, Debug)]
struct OrderNode {
    state: OrderState,
    estimate: u32,
}

impl<'a> OrderNodes<'a> {
    pub(crate) fn new(order: &'a LearnedOrder) -> Self {
        Self { order, layer: Vec::new(), next: Vec::new() }
    }
}

/// A child whose place in the table of met boards is awaited.
#[derive(Clone, Copy)]
struct Pending {
    slide: Slide,
    hash: u64,
    step: u32,
    estimate: u32,
}

impl AnyNodes for OrderNodes<'_> {
    fn start(&mut self, board: &Board, width: usize, _: usize) -> Result<(), RootError> {
        self.order.goal().check(board)?;
        make_room(&mut self.layer, width);
        make_room(&mut self.next, width);
        let estimate = self.order.distances.manhattan(board);
        self.layer.push(OrderNode { state: self.order.state(board), estimate });
        Ok(())
    }

    fn expand(
        &mut self,
        grid: &Grid,
        (parents, start): (&[Parent], u32),
        (seen, depth): (&mut Seen, u8),
        left: u32,
        children: &mut Vec<Child>,
    ) -> u64 {
        with_wide_registers(
            #[inline(always)]
            || {
                let begun = children.len();
                let mut pending = Vec::with_capacity(4 * GROUP);
                for (group, first) in parents.chunks(GROUP).zip((start..).step_by(GROUP)) {
                    pending.clear();
                    for (parent, place) in group.iter().zip(first..) {
                        for (direction, slide) in grid.slides(parent) {
                            let before = self.layer[place as usize].estimate;
                            let estimate = self.order.distances.after(before, slide);
                            if estimate < left {
                                let hash = parent.hash ^ grid.change(slide);
                                prefetch_all(seen.line(hash));
                                self.order.prefetch(slide);
                                let step = grid.step(place, direction, 1);
                                pending.push(Pending { slide, hash, step, estimate });
                            }
                        }
                    }
                    for &Pending { slide, hash, step, estimate } in &pending {
                        if seen.is_new(hash, depth) {
                            let (parent, ..) = grid.origin(step);
                            let state = self.order.after(&self.layer[parent].state, slide);
                            children.push(Child::new(
                                hash,
                                step,
                                estimate,
                                self.order.of_state(&state),
                            ));
                        }
                    }
                }
                (children.len() - begun) as u64
            },
        )
    }

    fn advance(&mut self, grid: &Grid, parents: &[Parent], children: &[Child], chosen: &[u32]) {
        with_wide_registers(
            #[inline(always)]
            || {
                self.next.clear();
                for &place in chosen {
                    let child = &children[place as usize];
                    let (parent, direction, _) = grid.origin(child.step);
                    let slide = grid.slide(&parents[parent], direction);
                    let state = self.order.after(&self.layer[parent].state, slide);
                    self.next.push(OrderNode { state, estimate: child.estimate.into() });
                }
            },
        );
        std::mem::swap(&mut self.layer, &mut self.next);
    }

    fn node_bytes(&self) -> [usize; 2] {
        [size_of::<OrderNode>(), 0]
    }
}
