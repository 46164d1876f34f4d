//! A network as a heuristic.

use pdb_core::{BLANK, Board, CELLS_MAX, Cell, Expansion, Goal, Heuristic, RootError, Slide};

use crate::{Network, SHIFT_MOVES, Scratch, Sums};

/// No estimate is larger, so that sums of moves and estimates are numbers.
const ESTIMATE_MAX: u32 = 10_000;

/// So many boards are worked out together: the sums of more no longer fit the nearest memory.
const PORTION: usize = 256;

/// What a network says of a board: the nearest number to its output that is no less than Manhattan
/// distance and has its parity, as the distance does.
///
/// It is learned, so it may be larger than the distance: neither admissible nor consistent. It is 0 at the
/// goal alone.
#[derive(Clone, Debug)]
pub struct Learned {
    network: Network,
    /// What is taken off outputs, by [`SHIFT_MOVES`] of them; nothing is taken off where it is empty.
    shift: Vec<f32>,
    /// Moves from a cell to a tile's home, by tile and cell.
    distances: Box<[[u8; CELLS_MAX]; CELLS_MAX]>,
}

/// A board's sums of the first layer, and room to estimate its children.
#[derive(Clone, Debug)]
pub struct LearnedState {
    sums: Sums,
    children: Sums,
    scratch: Scratch,
    outputs: Vec<f32>,
}

/// An estimate, and the Manhattan distance that it rests on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LearnedNode {
    estimate: u16,
    manhattan: u16,
}

impl Learned {
    /// The estimates of a network as they are.
    pub fn new(network: Network) -> Self {
        Self::lowered(network, Vec::new())
    }

    /// The estimates of a network, lowered by one of its [`shifts`](Network::shifts), so that only a small
    /// share of them is too large; nothing where it has none for this share.
    pub fn with_share(network: Network, share: &str) -> Option<Self> {
        let shift = network.shifts().iter().find(|shift| shift.share == share)?.moves.clone();
        Some(Self::lowered(network, shift))
    }

    fn lowered(network: Network, shift: Vec<f32>) -> Self {
        let (goal, mut distances) = (*network.goal(), Box::new([[0; CELLS_MAX]; CELLS_MAX]));
        let shape = goal.shape();
        for &tile in goal.board().tiles().iter().filter(|&&tile| tile != BLANK) {
            for cell in shape.all_cells().iter() {
                distances[usize::from(tile)][usize::from(cell)] =
                    shape.distance(cell, goal.home(tile)) as u8;
            }
        }
        Self { network, shift, distances }
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The goal.
    pub fn goal(&self) -> &Goal {
        self.network.goal()
    }

    /// The estimates of many boards, worked out together.
    pub fn estimates(&self, boards: &[Board]) -> Vec<u32> {
        let (mut sums, mut scratch) = (self.network.no_sums(), Scratch::default());
        let (mut outputs, mut estimates) = (Vec::new(), Vec::with_capacity(boards.len()));
        for boards in boards.chunks(PORTION) {
            sums.clear();
            for board in boards {
                self.network.add_board(&mut sums, board);
            }
            self.network.outputs(&sums, &mut scratch, &mut outputs);
            let nodes = boards.iter().zip(&outputs);
            estimates.extend(nodes.map(|(board, &output)| {
                let manhattan = self.goal().manhattan_distance(board) as u16;
                u32::from(self.node(output, manhattan).estimate)
            }));
        }
        estimates
    }

    #[inline]
    fn distance(&self, tile: u8, cell: Cell) -> u16 {
        u16::from(self.distances[usize::from(tile)][usize::from(cell)])
    }

    /// The Manhattan distance after a move.
    #[inline]
    fn moved(&self, manhattan: u16, Slide { tile, from, to }: Slide) -> u16 {
        manhattan + self.distance(tile, to) - self.distance(tile, from)
    }

    /// An output as an estimate.
    #[inline]
    fn node(&self, output: f32, manhattan: u16) -> LearnedNode {
        let shift = match self.shift.len().checked_sub(1) {
            // What is no number, or negative, becomes 0.
            Some(last) => self.shift[(output as usize / SHIFT_MOVES).min(last)],
            None => 0.0,
        };
        let excess = ((output - shift - f32::from(manhattan)) / 2.0).round();
        let excess = 2 * (excess.max(0.0) as u32).min(ESTIMATE_MAX / 2);
        LearnedNode { estimate: manhattan + excess as u16, manhattan }
    }
}

impl Heuristic for Learned {
    type State = LearnedState;
    type Node = LearnedNode;
    /// The child.
    type Probe = LearnedNode;

    const SETTLES: bool = false;
    const WAITS: bool = false;

    fn state(&self, board: &Board) -> LearnedState {
        LearnedState {
            sums: self.network.sums(board),
            children: self.network.no_sums(),
            scratch: Scratch::default(),
            outputs: Vec::new(),
        }
    }

    fn root(&self, board: &Board) -> Result<(LearnedState, LearnedNode), RootError> {
        let mut state = self.state(board);
        let LearnedState { sums, scratch, outputs, .. } = &mut state;
        self.network.outputs(sums, scratch, outputs);
        let node = self.node(outputs[0], self.goal().manhattan_distance(board) as u16);
        Ok((state, node))
    }

    #[inline]
    fn estimate(&self, node: &LearnedNode) -> u32 {
        node.estimate.into()
    }

    fn locate(&self, state: &LearnedState, parent: &LearnedNode, slide: Slide) -> LearnedNode {
        let mut probes = [LearnedNode::default()];
        self.locate_all(&mut state.clone(), parent, &[slide], &mut probes);
        probes[0]
    }

    /// All children in one batch.
    fn locate_all(
        &self,
        state: &mut LearnedState,
        parent: &LearnedNode,
        slides: &[Slide],
        probes: &mut [LearnedNode],
    ) {
        let LearnedState { sums, children, scratch, outputs } = state;
        children.clear();
        self.network.add_children(sums, slides, children);
        self.network.outputs(children, scratch, outputs);
        for ((probe, &slide), &output) in probes.iter_mut().zip(slides).zip(&*outputs) {
            *probe = self.node(output, self.moved(parent.manhattan, slide));
        }
    }

    /// The children of several boards in one batch.
    fn children(&self, parents: &[Expansion<LearnedNode>], nodes: &mut Vec<LearnedNode>) {
        let network = &self.network;
        let (mut sums, mut children) = (network.no_sums(), network.no_sums());
        let (mut scratch, mut outputs) = (Scratch::default(), Vec::new());
        // Few enough that their sums stay in the nearest memory, and need no new one of the system.
        for parents in parents.chunks(8) {
            children.clear();
            for parent in parents {
                sums.clear();
                network.add_board(&mut sums, &parent.board);
                network.add_children(&sums, parent.slides(), &mut children);
            }
            network.outputs(&children, &mut scratch, &mut outputs);
            let asked = parents
                .iter()
                .flat_map(|parent| parent.slides().iter().map(|slide| (parent.node, *slide)));
            nodes.extend(asked.zip(&outputs).map(|((parent, slide), &output)| {
                self.node(output, self.moved(parent.manhattan, slide))
            }));
        }
    }

    #[inline]
    fn read(&self, _: &LearnedNode, _: Slide, probe: &mut LearnedNode) -> u32 {
        probe.estimate.into()
    }

    fn enter(
        &self,
        state: &mut LearnedState,
        _: &LearnedNode,
        slide: Slide,
        probe: &LearnedNode,
    ) -> LearnedNode {
        self.network.slide(&mut state.sums, slide);
        *probe
    }

    #[inline]
    fn settle(&self, node: &mut LearnedNode) -> u32 {
        node.estimate.into()
    }

    fn leave(&self, state: &mut LearnedState, _: &LearnedNode, slide: Slide) {
        self.network.slide(&mut state.sums, Slide { from: slide.to, to: slide.from, ..slide });
    }

    fn lookups(&self) -> [u32; 2] {
        [0, 0]
    }

    fn is_admissible(&self) -> bool {
        false
    }
}
