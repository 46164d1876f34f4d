//! A network as a heuristic.

use pdb_core::{Board, Estimator, Expansion, Goal, Memo, RootError, Slide};
use pdb_search::Manhattan;

use super::{Network, SHIFT_MOVES};

/// Largest excess over Manhattan distance, so that sums of moves and estimates do not overflow.
const EXCESS_MAX: u32 = 10_000;

/// A network's estimate of a board: its output, rounded to the nearest number that is at least the
/// Manhattan distance and has its parity, which is that of the distance.
///
/// The estimate is learned, so it may be larger than the distance: it is neither admissible nor
/// consistent. It is 0 only at the goal. The memo contains the Manhattan distance.
#[derive(Clone, Debug)]
pub struct Learned {
    network: Network,
    /// Moves to subtract from outputs, one for each [`SHIFT_MOVES`] of output. Empty without a
    /// shift.
    shift: Vec<f32>,
    manhattan: Manhattan,
}

impl Learned {
    /// Makes a heuristic of a network's estimates as they are.
    pub fn new(network: Network) -> Self {
        let manhattan = Manhattan::new(network.goal());
        Self { network, shift: Vec::new(), manhattan }
    }

    /// Makes a heuristic of a network's estimates, lowered by one of its
    /// [`shifts`](Network::shifts), so that only a small share of them is too large. Returns `None`
    /// if the network has no shift for the share.
    pub fn with_share(network: Network, share: &str) -> Option<Self> {
        let shift = network.shifts().iter().find(|shift| shift.share == share)?.moves.clone();
        Some(Self { shift, ..Self::new(network) })
    }

    /// Returns the goal.
    pub fn goal(&self) -> &Goal {
        self.network.goal()
    }

    /// Returns the estimates of many boards, computed together.
    pub fn estimates(&self, boards: &[Board]) -> Vec<u32> {
        let outputs = self.network.outputs(boards).into_iter();
        let memo = |(output, board)| self.memo(output, self.manhattan.of(board)).estimate;
        outputs.zip(boards).map(memo).collect()
    }

    /// Returns the memo of an output.
    #[inline]
    fn memo(&self, output: f32, manhattan: u32) -> Memo {
        let shift = match self.shift.len().checked_sub(1) {
            // A negative output, or one that is not a number, becomes 0.
            Some(last) => self.shift[(output as usize / SHIFT_MOVES).min(last)],
            None => 0.0,
        };
        let excess = ((output - shift - manhattan as f32) / 2.0).round();
        let excess = 2 * (excess.max(0.0) as u32).min(EXCESS_MAX / 2);
        Memo::new(manhattan + excess, &[manhattan as i16])
    }
}

impl Estimator for Learned {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        Ok(self.memo(self.network.output(board), self.manhattan.of(board)))
    }

    fn child(&self, board: &Board, parent: &Memo, slide: Slide) -> Memo {
        let manhattan = self.manhattan.after(parent.notes[0] as u32, slide);
        self.memo(self.network.output(board), manhattan)
    }

    /// Computes the children of several boards together.
    fn children(&self, parents: &[Expansion], memos: &mut [Memo]) {
        let asked = parents
            .iter()
            .flat_map(|parent| parent.slides().iter().map(|slide| (parent.memo.notes[0], *slide)));
        let outputs = self.network.child_outputs(parents);
        for ((memo, output), (before, slide)) in memos.iter_mut().zip(outputs).zip(asked) {
            *memo = self.memo(output, self.manhattan.after(before as u32, slide));
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
