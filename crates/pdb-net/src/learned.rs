//! A network as a heuristic.

use std::slice;

use pdb_core::{BLANK, Board, CELLS_MAX, Cell, Estimator, Expansion, Goal, Memo, RootError, Slide};

use crate::{Network, SHIFT_MOVES, Scratch};

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
                self.memo(output, manhattan).estimate
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

    /// An output as an estimate; the Manhattan distance that it rests on is noted.
    #[inline]
    fn memo(&self, output: f32, manhattan: u16) -> Memo {
        let shift = match self.shift.len().checked_sub(1) {
            // What is no number, or negative, becomes 0.
            Some(last) => self.shift[(output as usize / SHIFT_MOVES).min(last)],
            None => 0.0,
        };
        let excess = ((output - shift - f32::from(manhattan)) / 2.0).round();
        let excess = 2 * (excess.max(0.0) as u32).min(ESTIMATE_MAX / 2);
        Memo::new(u32::from(manhattan) + excess, &[manhattan as i16])
    }
}

impl Estimator for Learned {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        let mut outputs = Vec::new();
        self.network.outputs(&self.network.sums(board), &mut Scratch::default(), &mut outputs);
        Ok(self.memo(outputs[0], self.goal().manhattan_distance(board) as u16))
    }

    fn child(&self, board: &Board, parent: &Memo, slide: Slide) -> Memo {
        let (mut before, mut memo) = (*board, *parent);
        before.slide(slide.to, slide.from);
        let mut expansion = Expansion::new(before, *parent);
        expansion.ask(slide);
        self.children(&[expansion], slice::from_mut(&mut memo));
        memo
    }

    /// The children of several boards in one batch.
    fn children(&self, parents: &[Expansion], memos: &mut [Memo]) {
        let network = &self.network;
        let (mut sums, mut children) = (network.no_sums(), network.no_sums());
        let (mut scratch, mut outputs) = (Scratch::default(), Vec::new());
        let mut memos = memos.iter_mut();
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
                .flat_map(|parent| parent.slides().iter().map(|slide| (parent.memo, *slide)));
            for ((parent, slide), &output) in asked.zip(&outputs) {
                let memo = memos.next().expect("there is a place for each child");
                *memo = self.memo(output, self.moved(parent.notes[0] as u16, slide));
            }
        }
    }

    fn estimates(&self, boards: &[Board]) -> Result<Vec<u32>, (usize, RootError)> {
        Ok(self.estimates(boards))
    }

    fn is_batched(&self) -> bool {
        true
    }

    fn note_count(&self) -> usize {
        1
    }

    fn is_admissible(&self) -> bool {
        false
    }
}
