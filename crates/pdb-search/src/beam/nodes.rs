//! The nodes of a beam's layers, and their look-ups: what is compiled for each heuristic.

use pdb_core::{Board, Heuristic, RootError, Slide};

use super::seen::Seen;
use super::{Child, Grid, Parent, make_room};

/// Parents whose look-ups wait for memory at the same time.
pub(super) const GROUP: usize = 12;

/// The nodes of a layer, and the look-ups of its children.
pub(crate) trait AnyNodes: Send {
    /// Makes a layer of one board, and room for layers of a width and their children.
    fn start(&mut self, board: &Board, width: usize, child_count: usize) -> Result<(), RootError>;

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
    fn advance(&mut self, grid: &Grid, parents: &[Parent], children: &[Child], chosen: &[u32]);

    /// Returns the memory of a node of a layer, and that of a child, in bytes.
    fn node_bytes(&self) -> [usize; 2];
}

/// The nodes of a heuristic. A child keeps its first look alone, and is entered again if it is
/// chosen: states take hundreds of bytes on large boards.
pub(crate) struct Nodes<'a, H: Heuristic> {
    heuristic: &'a H,
    layer: Vec<(H::State, H::Node)>,
    next: Vec<(H::State, H::Node)>,
    /// The first look at each child.
    probes: Vec<H::Probe>,
}

impl<'a, H: Heuristic> Nodes<'a, H> {
    pub(crate) fn new(heuristic: &'a H) -> Self {
        Self { heuristic, layer: Vec::new(), next: Vec::new(), probes: Vec::new() }
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
    fn start(&mut self, board: &Board, width: usize, child_count: usize) -> Result<(), RootError> {
        make_room(&mut self.probes, child_count);
        make_room(&mut self.layer, width);
        make_room(&mut self.next, width);
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
            let mut nodes = Vec::with_capacity(4 * GROUP);
            // Plain loops here: each line is compiled once for each heuristic.
            let mut first = start;
            for group in parents.chunks(GROUP) {
                pending.clear();
                let (layer, later) = self.layer[first as usize..].split_at_mut(group.len());
                for (i, parent) in group.iter().enumerate() {
                    if let Some(later) = later.get(i) {
                        heuristic.prefetch(later);
                    }
                    let (state, node) = &mut layer[i];
                    let before = pending.len();
                    let mut slides = [Slide { tile: 0, from: 0, to: 0 }; 4];
                    let mut probes = [H::Probe::default(); 4];
                    let mut count = 0;
                    for (direction, slide) in grid.slides(parent) {
                        let hash = parent.hash ^ grid.change(slide);
                        heuristic.prefetch(seen.line(hash));
                        slides[count] = slide;
                        count += 1;
                        let step = grid.step(first + i as u32, direction, 1);
                        let probe = H::Probe::default();
                        pending.push(Pending { probe, slide, hash, step, parent: i as u8 });
                    }
                    heuristic.locate_all(state, node, &slides[..count], &mut probes[..count]);
                    for (i, probe) in probes[..count].iter().enumerate() {
                        pending[before + i].probe = *probe;
                    }
                }
                first += group.len() as u32;
                let begun = children.len();
                nodes.clear();
                for Pending { probe, slide, hash, step, parent } in &mut pending {
                    let (state, node) = &mut layer[usize::from(*parent)];
                    let estimate = heuristic.read(node, *slide, probe);
                    if estimate >= left || !seen.is_new(*hash, depth) {
                        continue;
                    }
                    if H::SETTLES {
                        nodes.push(*node);
                        let child = nodes.last_mut().expect("it was pushed");
                        heuristic.enter(state, node, *slide, probe, child);
                        heuristic.leave(state, child, *slide);
                    }
                    self.probes.push(*probe);
                    children.push(Child::new(*hash, *step, estimate, estimate));
                }
                entered += (children.len() - begun) as u64;
                if H::SETTLES {
                    let mut kept = begun;
                    for (i, node) in nodes.iter_mut().enumerate() {
                        let (place, estimate) = (begun + i, heuristic.settle(node));
                        if estimate < left {
                            let Child { hash, step, .. } = children[place];
                            children[kept] = Child::new(hash, step, estimate, estimate);
                            self.probes[kept] = self.probes[place];
                            kept += 1;
                        }
                    }
                    children.truncate(kept);
                    self.probes.truncate(kept);
                }
            }
            entered
        })
    }

    fn advance(&mut self, grid: &Grid, parents: &[Parent], children: &[Child], chosen: &[u32]) {
        let heuristic = self.heuristic;
        heuristic.run(|| {
            self.next.clear();
            for group in chosen.chunks(GROUP) {
                let begun = self.next.len();
                for &place in group {
                    if let Some(&later) = chosen.get(self.next.len() + GROUP) {
                        let (parent, ..) = grid.origin(children[later as usize].step);
                        heuristic.prefetch(&self.layer[parent]);
                    }
                    let (parent, direction, _) = grid.origin(children[place as usize].step);
                    let (state, node) = &self.layer[parent];
                    self.next.push((state.clone(), *node));
                    let (state, child) = self.next.last_mut().expect("it was pushed");
                    let slide = grid.slide(&parents[parent], direction);
                    heuristic.enter(state, node, slide, &self.probes[place as usize], child);
                }
                for (_, node) in &mut self.next[begun..] {
                    heuristic.settle(node);
                }
            }
        });
        std::mem::swap(&mut self.layer, &mut self.next);
        self.probes.clear();
    }

    fn node_bytes(&self) -> [usize; 2] {
        [size_of::<(H::State, H::Node)>(), size_of::<H::Probe>()]
    }
}
