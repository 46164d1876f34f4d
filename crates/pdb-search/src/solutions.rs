//! All solutions of a length: counted, or told one after the other.

use std::ops::ControlFlow;
use std::slice;
use std::time::Duration;

use pdb_core::{Board, Cell, Direction, Estimator, Expansion, Goal, Memo, Slide};

use crate::counts::{Counts, Rest, counts};
use crate::depth_first::is_stack_full;
use crate::limits::Meter;
use crate::moves::{Moves, Place};
use crate::opening::{check_admissible, check_order, check_shape};
use crate::solution::direction_of;
use crate::{LimitKind, Options, SearchError};

/// Boards are remembered where the number of moves left is a multiple of this. To ask memory at each
/// board costs more than it spares; ways that meet in between part again soon or meet again there.
const MEMO_EVERY: u32 = 8;
/// The same where longer solutions are wanted, of which most meet.
const MEMO_EVERY_LONGER: u32 = 2;

/// What is to become of the solutions after one that was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Further {
    /// Tell the next one too.
    Tell,
    /// Count the others, and tell none of them.
    Count,
    /// No more.
    Stop,
}

/// Which solutions are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Their number of moves.
    pub length: u32,
    /// Whether no solution has fewer moves. Then all that hold are shortest ones, and more boards are
    /// known from another way to them.
    pub is_shortest: bool,
}

/// Is given each solution, as the directions in which the tiles move.
pub type Tell<'t> = dyn FnMut(&[Direction]) -> Further + 't;

/// All solutions of a length, or as many as were found before something ended the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumeration {
    /// Solutions that were found. A number that 128 bits do not hold ends the search as the largest
    /// that they do.
    pub count: u128,
    /// Solutions that were told.
    pub told: u64,
    /// Whether these are all.
    pub is_complete: bool,
    /// The limit that ended the search, if one did.
    pub limit: Option<LimitKind>,
    /// Whether there may be longer solutions: some path was given up because it would be too long.
    pub has_longer: bool,
    /// Nodes generated.
    pub generated: u64,
    /// Nodes expanded.
    pub expanded: u64,
    /// Nodes whose solutions were known from another way to the same board.
    pub merged: u64,
    /// The most bytes that the counts of boards had.
    pub memory_bytes: u64,
    /// From the call to the answer.
    pub elapsed: Duration,
}

/// Finds all solutions of a board that have exactly so many moves.
///
/// A solution is a sequence of moves that ends at the goal, was not there before, and takes no move
/// back with the next one.
///
/// They come in the order of their moves, as [`Options::order`] has these: first all that begin with
/// the first direction, among these first all that go on with it, and so on. `tell` is called for
/// each, and says how to go on; without it they are counted.
///
/// What one solution of many needs is left out here: sequences that others replace are followed, and
/// so are the mirror images of boards that are their own. Instead boards are remembered that were met
/// with as many moves left (and, if longer solutions are asked for, after the same move): how many
/// solutions begin there is counted once. While solutions are told, this spares the boards without any.
/// [`Limits::memory`](crate::Limits::memory) is how much may be remembered. With less it takes longer;
/// the count stays the same, and no such limit ends the search, but for a path too long for the stack.
///
/// # Errors
/// As [`ida_star`](crate::ida_star()); [`SearchError::Unsolvable`] when parity says that there are none,
/// and [`SearchError::NotLowerBound`] when a shorter solution is found than
/// [`Wanted::is_shortest`] allows.
pub fn solutions(
    heuristic: &dyn Estimator,
    goal: &Goal,
    board: &Board,
    wanted: Wanted,
    options: &Options<'_>,
    tell: Option<&mut Tell<'_>>,
) -> Result<Enumeration, SearchError> {
    check_admissible(heuristic.is_admissible(), "a search of all solutions")?;
    let meter = Meter::start(options.limits);
    let Wanted { length, is_shortest } = wanted;
    check_shape(goal, board)?;
    check_order(options.order)?;
    goal.check_solvable(board).map_err(SearchError::Unsolvable)?;
    let root = heuristic.root(board)?;
    let room = options.limits.memory.unwrap_or(u64::MAX);
    let mut search = Search {
        heuristic,
        goal,
        goal_blank: goal.board().blank(),
        moves: Moves::without_undoing(goal.shape(), options.order),
        counts: counts(goal.shape(), room, is_shortest),
        is_shortest,
        length,
        board: *board,
        memos: vec![root],
        path: Vec::new(),
        tell,
        count: 0,
        told: 0,
        has_longer: false,
        meter,
        expanded: 0,
        merged: 0,
        stack: 0,
    };
    let end = search.run();
    let is_complete = end.is_continue();
    let limit = match end {
        ControlFlow::Break(End::Limit(kind)) => Some(kind),
        ControlFlow::Break(End::Short(found)) => {
            return Err(SearchError::NotLowerBound { bound: length, length: found });
        }
        ControlFlow::Break(End::Enough) | ControlFlow::Continue(()) => None,
    };
    Ok(Enumeration {
        count: search.count,
        told: search.told,
        is_complete,
        limit,
        has_longer: search.has_longer || !is_complete,
        generated: search.meter.generated(),
        expanded: search.expanded,
        merged: search.merged,
        memory_bytes: search.counts.peak_bytes(),
        elapsed: search.meter.elapsed(),
    })
}

/// Why the search ends early.
enum End {
    Limit(LimitKind),
    /// Nobody wants more, or there are more than can be counted.
    Enough,
    /// A solution of so many moves, which is fewer than there may be.
    Short(u32),
}

struct Search<'a, 't> {
    heuristic: &'a dyn Estimator,
    goal: &'a Goal,
    goal_blank: Cell,
    moves: Moves,
    counts: Box<dyn Counts>,
    is_shortest: bool,
    length: u32,
    /// The board of the node that is being expanded.
    board: Board,
    /// The memos of the nodes on the path and of their siblings, which would take the stack too much room.
    memos: Vec<Memo>,
    /// The moves that lead there.
    path: Vec<Direction>,
    /// Nobody, once the others are only counted.
    tell: Option<&'a mut Tell<'t>>,
    count: u128,
    told: u64,
    has_longer: bool,
    meter: Meter<'a>,
    expanded: u64,
    merged: u64,
    stack: usize,
}

impl Search<'_, '_> {
    fn run(&mut self) -> ControlFlow<End> {
        if let Err(kind) = self.meter.count() {
            return ControlFlow::Break(End::Limit(kind));
        }
        if self.board == *self.goal.board() {
            return self.reach(self.length);
        }
        let parity = self.goal.manhattan_distance(&self.board) ^ self.length;
        if parity % 2 == 1 || self.memos[0].estimate > self.length {
            self.has_longer = true;
            return ControlFlow::Continue(());
        }
        let blank = self.board.blank();
        self.stack = crate::depth_first::place_on_stack();
        self.expand(0, self.length, blank, Moves::start(blank))
    }

    /// So many more solutions were found.
    fn add(&mut self, count: u128) -> ControlFlow<End> {
        self.count = self.count.saturating_add(count);
        if self.count == u128::MAX {
            ControlFlow::Break(End::Enough)
        } else {
            ControlFlow::Continue(())
        }
    }

    /// The goal, with so many moves left.
    fn reach(&mut self, left: u32) -> ControlFlow<End> {
        if left > 0 {
            // Solutions end at the goal, so none goes on from here.
            return if self.is_shortest {
                ControlFlow::Break(End::Short(self.length - left))
            } else {
                ControlFlow::Continue(())
            };
        }
        self.add(1)?;
        if let Some(tell) = &mut self.tell {
            self.told += 1;
            match tell(&self.path) {
                Further::Tell => {}
                Further::Count => self.tell = None,
                Further::Stop => return ControlFlow::Break(End::Enough),
            }
        }
        ControlFlow::Continue(())
    }

    /// Expands the node of the present board, unless what it leads to is known.
    fn expand(&mut self, number: usize, left: u32, blank: Cell, place: u16) -> ControlFlow<End> {
        // On a shortest solution it makes no difference which move came before.
        let rest = Rest { left: left as u16, place: if self.is_shortest { 0 } else { place } };
        let every = if self.is_shortest { MEMO_EVERY } else { MEMO_EVERY_LONGER };
        let is_kept = left.is_multiple_of(every) && u16::try_from(left).is_ok();
        if is_kept
            && let Some(known) = self.counts.get(&self.board, rest)
            && (known == 0 || self.tell.is_none())
        {
            self.merged += 1;
            return self.add(known);
        }
        if is_stack_full(self.stack) {
            return ControlFlow::Break(End::Limit(LimitKind::Memory));
        }
        let before = self.count;
        self.expand_anew(number, left, blank, place)?;
        if is_kept {
            self.counts.put(&self.board, rest, self.count - before);
        }
        ControlFlow::Continue(())
    }

    fn expand_anew(
        &mut self,
        number: usize,
        left: u32,
        blank: Cell,
        place: u16,
    ) -> ControlFlow<End> {
        self.expanded += 1;
        let left = left - 1;
        let place = *self.moves.at(place);
        let first = self.memos.len();
        self.find_children(number, blank, &place);
        for i in 0..place.count() {
            let slide = self.slide(blank, &place, i);
            if let Err(kind) = self.meter.count() {
                return ControlFlow::Break(End::Limit(kind));
            }
            self.board.slide(slide.from, blank);
            self.path.push(direction_of(self.goal.shape(), slide));
            // The goal counts whatever its estimate is: a damaged table must not hide it.
            let flow = if slide.from == self.goal_blank && self.board == *self.goal.board() {
                self.reach(left)
            } else if left == 0 || self.memos[first + i].estimate > left {
                self.has_longer = true;
                ControlFlow::Continue(())
            } else {
                self.expand(first + i, left, slide.from, place.step(i).1)
            };
            self.path.pop();
            self.board.slide(blank, slide.from);
            flow?;
        }
        self.memos.truncate(first);
        ControlFlow::Continue(())
    }

    /// The move with a number from a place of the tree of moves.
    fn slide(&self, blank: Cell, place: &Place, number: usize) -> Slide {
        let (from, _) = place.step(number);
        Slide { tile: self.board.tile(from), from, to: blank }
    }

    /// Adds the memos of the children of the present board, whose own memo has a number.
    #[inline(never)]
    fn find_children(&mut self, number: usize, blank: Cell, place: &Place) {
        let memo = self.memos[number];
        let mut expansion = Expansion::new(self.board, memo);
        for i in 0..place.count() {
            expansion.ask(self.slide(blank, place, i));
        }
        let first = self.memos.len();
        self.memos.resize(first + place.count(), memo);
        self.heuristic.children(slice::from_ref(&expansion), &mut self.memos[first..]);
    }
}
