//! The nodes of a beam's layers, and their look-ups: what is compiled for each heuristic.

use pdb_core::{Board, Heuristic, RootError, Slide};

use super::seen::Seen;
use super::{CHILDREN, Child, Grid, Parent, make_room};

/// Parents whose look-ups wait for memory at the same time.
const GROUP: usize = 12;

/// The nodes of a layer and of its children.
pub(crate) trait AnyNodes: Send {
    /// Makes a layer of one board, and room for layers of a width.
    fn start(&mut self, board: &Board, width: usize) -> Result<(), RootError>;

    /// Looks up the children of some boards of the layer, which begin at a place. Keeps those that
    /// were not met before and whose estimates are less than `left`. Returns the number of
    /// children that were entered.
    fn expand(
        &mut self,
        grid: &Grid,
        parents: (&[Parent], u32),
        seen: (&mut Seen, u8),
        left: u32,
        children: &mut Vec<Child>,
    ) -> u64;

    /// Makes a layer of the chosen children, and forgets the others.
    fn advance(&mut self, chosen: &[u32]);

    /// Returns the memory of a node in bytes.
    fn node_bytes(&self) -> usize;
}

/// The nodes of a heuristic.
pub(crate) struct Nodes<'a, H: Heuristic> {
    heuristic: &'a H,
    layer: Vec<(H::State, H::Node)>,
    children: Vec<(H::State, H::Node)>,
}

impl<'a, H: Heuristic> Nodes<'a, H> {
    pub(crate) fn new(heuristic: &'a H) -> Self {
        Self { heuristic, layer: Vec::new(), children: Vec::new() }
    }
}

/// A child that is being looked up.
#[derive(Clone, Copy)]
struct Pending<P> {
    probe: P,
    slide: Slide,
    hash: u64,
    step: u32,
    /// The parent's place in its group.
    parent: u8,
}

impl<H: Heuristic> AnyNodes for Nodes<'_, H> {
    fn start(&mut self, board: &Board, width: usize) -> Result<(), RootError> {
        make_room(&mut self.children, CHILDREN * width);
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
            let mut pending = Vec::with_capacity(4 * GROUP);
            for (group, first) in parents.chunks(GROUP).zip((start..).step_by(GROUP)) {
                pending.clear();
                let nodes = &mut self.layer[first as usize..];
                for (i, (parent, (state, node))) in group.iter().zip(&mut *nodes).enumerate() {
                    let before = pending.len();
                    let mut slides = [Slide { tile: 0, from: 0, to: 0 }; 4];
                    let mut probes = [H::Probe::default(); 4];
                    let mut count = 0;
                    for (direction, from) in grid.from[usize::from(parent.blank)].iter().enumerate()
                    {
                        // The opposite direction is two places further.
                        let is_undo = parent.last < 4 && direction as u8 == parent.last ^ 2;
                        let Some(from) = from.filter(|_| !is_undo) else { continue };
                        let slide = Slide { tile: parent.board.tile(from), from, to: parent.blank };
                        let hash = parent.hash ^ grid.change(slide);
                        heuristic.prefetch(seen.line(hash));
                        slides[count] = slide;
                        count += 1;
                        let step = (first + i as u32) << 2 | direction as u32;
                        let probe = H::Probe::default();
                        pending.push(Pending { probe, slide, hash, step, parent: i as u8 });
                    }
                    heuristic.locate_all(state, node, &slides[..count], &mut probes[..count]);
                    for (pending, probe) in pending[before..].iter_mut().zip(probes) {
                        pending.probe = probe;
                    }
                }
                let begun = children.len();
                for Pending { probe, slide, hash, step, parent } in &mut pending {
                    let (state, node) = &nodes[usize::from(*parent)];
                    let estimate = heuristic.read(node, *slide, probe);
                    if estimate >= left || !seen.is_new(*hash, depth) {
                        continue;
                    }
                    self.children.push((state.clone(), *node));
                    let (state, child) = self.children.last_mut().expect("it was pushed");
                    heuristic.enter(state, node, *slide, probe, child);
                    children.push(Child { hash: *hash, step: *step, estimate });
                }
                entered += (children.len() - begun) as u64;
                if H::SETTLES {
                    let mut kept = begun;
                    for place in begun..children.len() {
                        let estimate = heuristic.settle(&mut self.children[place].1);
                        if estimate < left {
                            children[kept] = Child { estimate, ..children[place] };
                            self.children.swap(kept, place);
                            kept += 1;
                        }
                    }
                    children.truncate(kept);
                    self.children.truncate(kept);
                }
            }
            entered
        })
    }

    fn advance(&mut self, chosen: &[u32]) {
        self.layer.clear();
        self.layer.extend(chosen.iter().map(|&place| self.children[place as usize].clone()));
        self.children.clear();
    }

    fn node_bytes(&self) -> usize {
        size_of::<(H::State, H::Node)>()
    }
}
