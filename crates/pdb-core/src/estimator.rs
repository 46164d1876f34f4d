//! The contract of heuristics for searches that are not tuned for speed.

use core::fmt;
use std::sync::Arc;

use crate::heuristic::{Heuristic, Slide};
use crate::root_error::RootError;
use crate::{BLANK, Board};

/// Largest number of notes that a heuristic keeps for a node.
pub const NOTES_MAX: usize = 36;

/// Estimate of a node, with notes that speed up the estimates of its children.
#[derive(Clone, Copy, Debug)]
pub struct Memo {
    /// The lower bound of the distance to the goal.
    pub estimate: u32,
    /// The notes. Those from [`Estimator::note_count`] on have no meaning.
    pub notes: [i16; NOTES_MAX],
}

impl Memo {
    /// Creates an estimate with notes.
    ///
    /// # Panics
    /// When there are more than [`NOTES_MAX`].
    #[inline]
    pub fn new(estimate: u32, notes: &[i16]) -> Self {
        let mut memo = Self { estimate, notes: [0; NOTES_MAX] };
        memo.notes[..notes.len()].copy_from_slice(notes);
        memo
    }

    /// Splits a number of 32 bits into two notes.
    #[inline]
    pub fn halves(number: u32) -> [i16; 2] {
        [number as i16, (number >> 16) as i16]
    }

    /// Returns the number whose [halves](Self::halves) are at `place` and after it.
    #[inline]
    pub fn whole(&self, place: usize) -> u32 {
        u32::from(self.notes[place] as u16) | u32::from(self.notes[place + 1] as u16) << 16
    }
}

/// Board whose children are looked up together with those of other boards, and the moves to these
/// children.
#[derive(Clone, Copy, Debug)]
pub struct Expansion {
    /// The board.
    pub board: Board,
    /// Its memo.
    pub memo: Memo,
    slides: [Slide; 4],
    count: usize,
}

impl Expansion {
    /// Creates an expansion without children.
    pub fn new(board: Board, memo: Memo) -> Self {
        let nothing = Slide { tile: BLANK, from: 0, to: 0 };
        Self { board, memo, slides: [nothing; 4], count: 0 }
    }

    /// Adds the child after a move.
    ///
    /// # Panics
    /// At the fifth.
    pub fn ask(&mut self, slide: Slide) {
        self.slides[self.count] = slide;
        self.count += 1;
    }

    /// Returns the moves to the children, in the order in which they were added.
    pub fn slides(&self) -> &[Slide] {
        &self.slides[..self.count]
    }

    /// Returns the children, each with the move that leads to it.
    pub fn boards(&self) -> impl Iterator<Item = (Board, Slide)> {
        self.slides().iter().map(|&slide| {
            let mut board = self.board;
            board.slide(slide.from, slide.to);
            (board, slide)
        })
    }
}

/// Lower bound on the number of moves to the goal, for searches that are not tuned for speed.
///
/// A search calls it through `dyn`, so each search is compiled once for all heuristics. A node
/// keeps a [`Memo`]; nothing else follows the board.
///
/// Estimates are admissible: never larger than the distance to the goal. They need not have its
/// parity, nor need they be consistent. A heuristic with larger estimates returns `false` from
/// [`is_admissible`](Self::is_admissible), and proves nothing.
///
/// [`AsHeuristic`] adapts it to [`Heuristic`], for IDA*.
pub trait Estimator: fmt::Debug + Send + Sync {
    /// Returns the memo of a board of the goal's shape.
    ///
    /// # Errors
    /// [`RootError`] when the heuristic's table is damaged. A heuristic with tables also refuses
    /// boards of another shape and boards without a solution.
    fn root(&self, board: &Board) -> Result<Memo, RootError>;

    /// Returns the estimate of a board.
    ///
    /// # Errors
    /// As [`root`](Self::root).
    fn estimate(&self, board: &Board) -> Result<u32, RootError> {
        Ok(self.root(board)?.estimate)
    }

    /// Returns the memo of `board`, to which `slide` led from a board with the memo `parent`.
    fn child(&self, board: &Board, parent: &Memo, slide: Slide) -> Memo;

    /// Returns a lower bound of the same board that is quicker to find than its memo, if the
    /// heuristic has one. A depth-first search asks for the memo only if the bound does not prune.
    fn glance(&self, _board: &Board, _parent: &Memo, _slide: Slide) -> Option<u32> {
        None
    }

    /// Computes the memos of all children of several boards, in their order, into `memos`, which
    /// has one place for each.
    ///
    /// The default computes one after another. A network computes them together.
    fn children(&self, parents: &[Expansion], memos: &mut [Memo]) {
        let children = parents
            .iter()
            .flat_map(|parent| parent.boards().map(|(board, slide)| (board, &parent.memo, slide)));
        for (memo, (board, parent, slide)) in memos.iter_mut().zip(children) {
            *memo = self.child(&board, parent, slide);
        }
    }

    /// Returns the estimates of many boards. A network computes them together.
    ///
    /// # Errors
    /// The position of the first board with a [`RootError`], and the error.
    fn estimates(&self, boards: &[Board]) -> Result<Vec<u32>, (usize, RootError)> {
        let estimate = |(place, board)| self.estimate(board).map_err(|problem| (place, problem));
        boards.iter().enumerate().map(estimate).collect()
    }

    /// Returns whether a search should ask for all children of a board at once, because
    /// [`children`](Self::children) is much faster than one child after another.
    fn is_batched(&self) -> bool {
        false
    }

    /// Returns whether look-ups wait for memory, so that a search in several lanes pays off.
    fn waits(&self) -> bool {
        false
    }

    /// Returns the number of notes in a memo, at most [`NOTES_MAX`].
    fn note_count(&self) -> usize {
        0
    }

    /// Returns the number of look-ups into tables that a [`glance`](Self::glance) makes, and how
    /// many more the memo takes; without a quicker bound, those of the memo and 0.
    fn lookups(&self) -> [u32; 2] {
        [0, 0]
    }

    /// Returns whether no estimate is larger than the distance to the goal.
    fn is_admissible(&self) -> bool {
        true
    }
}

/// Adapter from an [`Estimator`] to a [`Heuristic`]: IDA* is compiled for it once.
#[derive(Clone, Debug)]
pub struct AsHeuristic<'a> {
    estimator: Arc<dyn Estimator + 'a>,
    /// Whether a memo has so few notes that they are kept from the first look on.
    is_short: bool,
}

impl<'a> AsHeuristic<'a> {
    /// Creates the adapter of a shared estimator.
    pub fn new(estimator: Arc<dyn Estimator + 'a>) -> Self {
        let is_short = estimator.note_count() <= SHORT;
        Self { estimator, is_short }
    }

    #[inline]
    fn located(&self, memo: &Memo) -> FirstLook {
        let notes = memo.notes.first_chunk().copied().filter(|_| self.is_short);
        FirstLook { estimate: memo.estimate, notes }
    }
}

/// Largest number of notes that are kept from the first look at a child on. The path of a
/// depth-first search keeps four such looks for each move on the stack.
const SHORT: usize = 6;

/// Result of a first look at a child: its estimate so far, and the notes of a whole memo.
#[derive(Clone, Copy, Debug, Default)]
pub struct FirstLook {
    estimate: u32,
    notes: Option<[i16; SHORT]>,
}

impl Heuristic for AsHeuristic<'_> {
    type State = Board;
    type Node = Memo;
    type Probe = FirstLook;

    const SETTLES: bool = true;

    fn waits(&self) -> bool {
        self.estimator.waits()
    }

    fn root(&self, board: &Board) -> Result<(Board, Memo), RootError> {
        Ok((*board, self.estimator.root(board)?))
    }

    #[inline]
    fn estimate(&self, memo: &Memo) -> u32 {
        memo.estimate
    }

    fn locate(&self, board: &Board, parent: &Memo, slide: Slide) -> FirstLook {
        let mut board = *board;
        board.slide(slide.from, slide.to);
        match self.estimator.glance(&board, parent, slide) {
            Some(estimate) => FirstLook { estimate, notes: None },
            None => self.located(&self.estimator.child(&board, parent, slide)),
        }
    }

    fn locate_all(
        &self,
        board: &mut Board,
        parent: &Memo,
        slides: &[Slide],
        found: &mut [FirstLook],
    ) {
        if !self.estimator.is_batched() {
            for (located, &slide) in found.iter_mut().zip(slides) {
                *located = self.locate(board, parent, slide);
            }
            return;
        }
        let mut expansion = Expansion::new(*board, *parent);
        for &slide in slides {
            expansion.ask(slide);
        }
        let mut memos = [*parent; 4];
        self.estimator.children(&[expansion], &mut memos[..slides.len()]);
        for (located, memo) in found.iter_mut().zip(memos) {
            *located = self.located(&memo);
        }
    }

    #[inline]
    fn read(&self, _: &Memo, _: Slide, located: &mut FirstLook) -> u32 {
        located.estimate
    }

    fn enter(
        &self,
        board: &mut Board,
        parent: &Memo,
        slide: Slide,
        located: &FirstLook,
        child: &mut Memo,
    ) {
        board.slide(slide.from, slide.to);
        *child = match &located.notes {
            Some(notes) => Memo::new(located.estimate, notes),
            None => self.estimator.child(board, parent, slide),
        };
    }

    fn leave(&self, board: &mut Board, _: &Memo, slide: Slide) {
        board.slide(slide.to, slide.from);
    }

    fn lookups(&self) -> [u32; 2] {
        self.estimator.lookups()
    }

    fn is_admissible(&self) -> bool {
        self.estimator.is_admissible()
    }
}
