//! The contract for everything that is not raced.

use core::fmt;
use std::sync::Arc;

use crate::heuristic::{Heuristic, RootError, Slide};
use crate::{BLANK, Board};

/// The most notes that a heuristic keeps for a node.
pub const NOTES_MAX: usize = 36;

/// An estimate, and the notes that a heuristic keeps for a node: whatever makes the estimates of
/// its children quicker to find.
#[derive(Clone, Copy, Debug)]
pub struct Memo {
    /// The lower bound of the distance to the goal.
    pub estimate: u32,
    /// The notes; those from [`Estimator::note_count`] on mean nothing.
    pub notes: [i16; NOTES_MAX],
}

impl Memo {
    /// An estimate with notes.
    ///
    /// # Panics
    /// When there are more than [`NOTES_MAX`].
    #[inline]
    pub fn new(estimate: u32, notes: &[i16]) -> Self {
        let mut memo = Self { estimate, notes: [0; NOTES_MAX] };
        memo.notes[..notes.len()].copy_from_slice(notes);
        memo
    }

    /// A number of 32 bits as two notes.
    #[inline]
    pub fn halves(number: u32) -> [i16; 2] {
        [number as i16, (number >> 16) as i16]
    }

    /// The number that two notes are the [halves](Self::halves) of, from the place of the first.
    #[inline]
    pub fn whole(&self, place: usize) -> u32 {
        u32::from(self.notes[place] as u16) | u32::from(self.notes[place + 1] as u16) << 16
    }
}

/// A board, and which of its children are asked for: one of many whose children are looked up
/// together.
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
    /// A board none of whose children is asked for yet.
    pub fn new(board: Board, memo: Memo) -> Self {
        let nothing = Slide { tile: BLANK, from: 0, to: 0 };
        Self { board, memo, slides: [nothing; 4], count: 0 }
    }

    /// Asks for the child after a move.
    ///
    /// # Panics
    /// At the fifth.
    pub fn ask(&mut self, slide: Slide) {
        self.slides[self.count] = slide;
        self.count += 1;
    }

    /// The moves that lead to the children, in the order in which they were asked for.
    pub fn slides(&self) -> &[Slide] {
        &self.slides[..self.count]
    }

    /// The children, each with the move that leads to it.
    pub fn boards(&self) -> impl Iterator<Item = (Board, Slide)> {
        self.slides().iter().map(|&slide| {
            let mut board = self.board;
            board.slide(slide.from, slide.to);
            (board, slide)
        })
    }
}

/// A first look at a child.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::large_enum_variant, reason = "it is taken apart where it is made")]
pub enum Glance {
    /// A lower bound that was quicker to find than the memo.
    Bound(u32),
    /// The memo itself.
    Whole(Memo),
}

impl Glance {
    /// The lower bound.
    #[inline]
    pub fn estimate(&self) -> u32 {
        match self {
            Self::Bound(estimate) => *estimate,
            Self::Whole(memo) => memo.estimate,
        }
    }
}

/// A lower bound on the number of moves to the goal, for searches that are not raced.
///
/// A search calls it through `dyn`, so each search is compiled once for all heuristics. A node
/// keeps a [`Memo`]; nothing else follows the board.
///
/// Estimates are admissible: never larger than the distance to the goal. They need not have its
/// parity, nor need they be consistent. A heuristic whose estimates may be larger says so
/// ([`is_admissible`](Self::is_admissible)), and nothing is proved by it.
///
/// [`AsHeuristic`] makes a [`Heuristic`] of it, for IDA*.
pub trait Estimator: fmt::Debug + Send + Sync {
    /// The memo of any board.
    ///
    /// # Errors
    /// [`RootError`] when the heuristic's table is damaged.
    fn root(&self, board: &Board) -> Result<Memo, RootError>;

    /// The memo of `board`, to which `slide` led from a board with the memo `parent`.
    fn child(&self, board: &Board, parent: &Memo, slide: Slide) -> Memo;

    /// A first look at the same board. A heuristic with a lower bound that is quicker to find gives
    /// that: depth-first searches look first, and ask for the memo only if that does not prune.
    fn glance(&self, board: &Board, parent: &Memo, slide: Slide) -> Glance {
        Glance::Whole(self.child(board, parent, slide))
    }

    /// The memos of all children that several boards ask for, in their order: `memos` has a place
    /// for each.
    ///
    /// By default they are found one after another. A heuristic that gains by it works them out
    /// together.
    fn children(&self, parents: &[Expansion], memos: &mut [Memo]) {
        let children = parents
            .iter()
            .flat_map(|parent| parent.boards().map(|(board, slide)| (board, &parent.memo, slide)));
        for (memo, (board, parent, slide)) in memos.iter_mut().zip(children) {
            *memo = self.child(&board, parent, slide);
        }
    }

    /// The estimates of many boards. A heuristic that gains by it works them out together.
    ///
    /// # Errors
    /// The place of the first board with a [`RootError`], and the error.
    fn estimates(&self, boards: &[Board]) -> Result<Vec<u32>, (usize, RootError)> {
        let estimate = |(place, board)| match self.root(board) {
            Ok(memo) => Ok(memo.estimate),
            Err(problem) => Err((place, problem)),
        };
        boards.iter().enumerate().map(estimate).collect()
    }

    /// Whether [`children`](Self::children) takes so much less than one child after another that a
    /// search is to ask for all children of a board at once.
    fn is_batched(&self) -> bool {
        false
    }

    /// Whether a search in lanes is to have several of them: its look-ups go far into memory.
    fn waits(&self) -> bool {
        false
    }

    /// The number of notes in a memo, at most [`NOTES_MAX`].
    fn note_count(&self) -> usize {
        0
    }

    /// The number of look-ups into tables that a [`glance`](Self::glance) makes, and how many more
    /// the memo takes.
    fn lookups(&self) -> [u32; 2] {
        [0, 0]
    }

    /// Whether no estimate is larger than the distance to the goal.
    fn is_admissible(&self) -> bool {
        true
    }
}

/// An [`Estimator`] as a [`Heuristic`]: one more type that IDA* is compiled for, and the same for
/// all.
#[derive(Clone, Debug)]
pub struct AsHeuristic<'a> {
    estimator: Arc<dyn Estimator + 'a>,
    /// Whether the notes of a memo are so few that they are kept from the first look on.
    is_short: bool,
}

impl<'a> AsHeuristic<'a> {
    /// An estimator, which others may share.
    pub fn new(estimator: Arc<dyn Estimator + 'a>) -> Self {
        let is_short = estimator.note_count() <= SHORT;
        Self { estimator, is_short }
    }

    #[inline]
    fn located(&self, glance: &Glance) -> Located {
        let notes = match glance {
            Glance::Whole(memo) if self.is_short => memo.notes.first_chunk().copied(),
            _ => None,
        };
        Located { estimate: glance.estimate(), notes }
    }
}

/// The most notes that are kept from the first look at a child on. A path of a depth-first search
/// has four such looks for each move, and takes its room from the stack.
const SHORT: usize = 6;

/// The findings of a first look at a child: its estimate so far, and its notes, if that is the whole
/// memo.
#[derive(Clone, Copy, Debug, Default)]
pub struct Located {
    estimate: u32,
    notes: Option<[i16; SHORT]>,
}

impl Heuristic for AsHeuristic<'_> {
    type State = Board;
    type Node = Memo;
    type Probe = Located;

    const SETTLES: bool = true;

    fn waits(&self) -> bool {
        self.estimator.waits()
    }

    fn state(&self, board: &Board) -> Board {
        *board
    }

    fn root(&self, board: &Board) -> Result<(Board, Memo), RootError> {
        Ok((*board, self.estimator.root(board)?))
    }

    #[inline]
    fn estimate(&self, memo: &Memo) -> u32 {
        memo.estimate
    }

    fn locate(&self, board: &Board, parent: &Memo, slide: Slide) -> Located {
        let mut board = *board;
        board.slide(slide.from, slide.to);
        self.located(&self.estimator.glance(&board, parent, slide))
    }

    fn locate_all(
        &self,
        board: &mut Board,
        parent: &Memo,
        slides: &[Slide],
        found: &mut [Located],
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
            *located = self.located(&Glance::Whole(memo));
        }
    }

    #[inline]
    fn read(&self, _: &Memo, _: Slide, located: &mut Located) -> u32 {
        located.estimate
    }

    fn enter(&self, board: &mut Board, parent: &Memo, slide: Slide, located: &Located) -> Memo {
        board.slide(slide.from, slide.to);
        match &located.notes {
            Some(notes) => Memo::new(located.estimate, notes),
            None => self.estimator.child(board, parent, slide),
        }
    }

    #[inline]
    fn settle(&self, memo: &mut Memo) -> u32 {
        memo.estimate
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
