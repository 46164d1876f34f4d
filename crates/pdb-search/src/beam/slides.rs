//! The states of a beam's layers where slides of several tiles count, and their look-ups: what is
//! compiled for each heuristic.

use pdb_core::{Axis, Board, RootError, SlideHeuristic};

use super::nodes::{AnyNodes, GROUP};
use super::seen::Seen;
use super::{Child, Grid, Parent, make_room};
use crate::mixed::mixed;
use crate::run::run;

/// The states of a heuristic. Children are chosen by their scores.
pub(crate) struct SlideNodes<'a, H: SlideHeuristic> {
    heuristic: &'a H,
    layer: Vec<H::State>,
    children: Vec<H::State>,
}

impl<'a, H: SlideHeuristic> SlideNodes<'a, H> {
    pub(crate) fn new(heuristic: &'a H) -> Self {
        Self { heuristic, layer: Vec::new(), children: Vec::new() }
    }
}

/// A child that is being looked up.
struct Pending<S> {
    state: S,
    axis: Axis,
    hash: u64,
    step: u32,
}

impl<H: SlideHeuristic> AnyNodes for SlideNodes<'_, H> {
    fn start(&mut self, board: &Board, width: usize, child_count: usize) -> Result<(), RootError> {
        make_room(&mut self.children, child_count);
        make_room(&mut self.layer, width);
        self.layer.push(self.heuristic.root(board)?);
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
        let heuristic = self.heuristic;
        heuristic.run(|| {
            let mut entered = 0;
            let (mut pending, mut slides) = (Vec::new(), Vec::new());
            // Plain loops here: each line is compiled once for each heuristic.
            let mut place = start;
            for group in parents.chunks(GROUP) {
                for parent in group {
                    let state = &self.layer[place as usize];
                    for direction in parent.directions() {
                        let (axis, run) =
                            (Axis::of(direction), run(grid.shape, parent.blank, direction));
                        heuristic.slide(state, &run, axis, left - 1, &mut slides);
                        let (mut hash, mut blank, mut tile_count) = (parent.hash, parent.blank, 0);
                        for state in slides.drain(..) {
                            let end = heuristic.blank(&state);
                            while blank != end {
                                let from = run[tile_count as usize];
                                let slide = Parent { blank, ..*parent }.slide(from);
                                hash ^= grid.change(slide);
                                (blank, tile_count) = (from, tile_count + 1);
                            }
                            let step = grid.step(place, direction as u8, tile_count);
                            pending.push(Pending { state, axis, hash, step });
                        }
                    }
                    place += 1;
                }
                let [one, other] = Axis::BOTH;
                for stage in 0..heuristic.stage_count(one).max(heuristic.stage_count(other)) {
                    entered += pending.len() as u64;
                    pending.retain_mut(|Pending { state, axis, .. }| {
                        let stage_count = heuristic.stage_count(*axis);
                        if stage + 1 < stage_count {
                            heuristic.locate(stage + 1, state, *axis);
                        }
                        stage >= stage_count || heuristic.bound(stage, state, *axis) < left
                    });
                }
                for Pending { state, axis, hash, step } in pending.drain(..) {
                    // A board after a slide along the other axis has other children.
                    if seen.is_new(hash ^ mixed(axis as u64), depth) {
                        let estimate = heuristic.score(&state);
                        children.push(Child::new(hash, step, estimate, estimate));
                        self.children.push(state);
                    }
                }
            }
            entered
        })
    }

    fn advance(&mut self, _: &Grid, _: &[Parent], _: &[Child], chosen: &[u32]) {
        self.layer.clear();
        for &place in chosen {
            self.layer.push(self.children[place as usize]);
        }
        self.children.clear();
    }

    fn node_bytes(&self) -> [usize; 2] {
        [size_of::<H::State>(); 2]
    }
}
