//! All solutions of a length: counted, or reported one after another.

use std::slice;
use std::time::Duration;

use pdb_core::{Board, Cell, Direction, Estimator, Expansion, Goal, Memo, Slide};
use pdb_search::checks::{check_admissible, check_order};
use pdb_search::limits::{Meter, StackStart};
use pdb_search::{LimitKind, Options, SearchError};

use super::counts::{CountKey, Counts, counts};
use super::store::Steps;

/// Boards are stored if the number of remaining moves is a multiple of this. A look-up at each
/// board costs more than it saves: paths that meet in between soon diverge or meet again at such a
/// board.
const MEMO_EVERY: u32 = 8;
/// The same for longer solutions, most of which meet.
const MEMO_EVERY_LONGER: u32 = 2;

/// Decision of the receiver after a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Further {
    /// Report the next solution too.
    Tell,
    /// Count the others without reporting them.
    Count,
    /// End the search.
    Stop,
}

/// Query for solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolutionQuery {
    /// Their number of moves.
    pub length: u32,
    /// Whether no solution has fewer moves. Then all of them are shortest ones, and more boards are
    /// known from another path to them.
    pub is_shortest: bool,
}

/// Receiver of solutions, each as the directions in which the tiles move.
pub type Tell<'t> = dyn FnMut(&[Direction]) -> Further + 't;

/// Result of the search for all solutions of a length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enumeration {
    /// Number of solutions found. If it exceeds 128 bits, the search ends with the largest such
    /// number.
    pub count: u128,
    /// Number of solutions that were reported.
    pub reported: u64,
    /// Whether these are all solutions of the length.
    pub is_complete: bool,
    /// The limit that ended the search, if one did.
    pub limit: Option<LimitKind>,
    /// Whether there may be longer solutions: some path was pruned because it would be too long.
    pub has_longer: bool,
    /// Nodes generated.
    pub generated: u64,
    /// Nodes expanded.
    pub expanded: u64,
    /// Nodes whose solutions were known from another path to the same board.
    pub merged: u64,
    /// Peak memory of the counts of boards, in bytes.
    pub memory_bytes: u64,
    /// Time from the call to the answer.
    pub elapsed: Duration,
}

/// Finds all solutions of a board that have exactly the length of the query.
///
/// A solution is a sequence of moves that ends at the goal, does not reach it before, and has no
/// move that takes back the one before.
///
/// Solutions are found in the order of their moves, according to [`Options::order`]. First come all
/// that begin with the first direction, among these first all that continue with it, and so on.
/// `tell` receives each and decides about the next; without `tell`, solutions are only counted.
///
/// Prunings that lose one of several solutions are not used here: duplicate sequences of moves and
/// mirror images are searched. Instead, the numbers of solutions from boards are stored. They are
/// counted once for boards that are met again with as many remaining moves (and, for longer
/// solutions, after the same move). While solutions are reported, this saves only boards without
/// solutions. [`Limits::memory`](pdb_search::Limits::memory) limits the memory for these boards.
/// With less memory the search takes longer; the count stays the same, and the limit does not end
/// the search. A path that is too long for the stack ends it, with this limit.
///
/// # Errors
/// As [`Solver::ida_star`](pdb_search::Solver::ida_star); [`SearchError::Root`] also when parity
/// excludes a solution, and [`SearchError::NotLowerBound`] when a shorter solution is found than
/// [`SolutionQuery::is_shortest`] allows.
pub fn solutions(
    heuristic: &dyn Estimator,
    goal: &Goal,
    board: &Board,
    query: SolutionQuery,
    options: &Options<'_>,
    tell: Option<&mut Tell<'_>>,
) -> Result<Enumeration, SearchError> {
    check_admissible(heuristic.is_admissible(), "a search of all solutions")?;
    Tally::run(goal, board, query, options, tell, |tally| {
        let mut search = SolutionSearch {
            heuristic,
            goal,
            order: options.order,
            steps: Direction::tile_cells(goal.shape()),
            memos: vec![heuristic.root(board)?],
            tally,
        };
        Ok(search.run())
    })
}

/// Reason why a search ends early.
pub(super) enum EnumerationEnd {
    Limit(LimitKind),
    /// The receiver wants no more, or the count exceeds its range.
    Enough,
    /// A solution of this length, which is below the query's, was found.
    Short(u32),
}

impl From<LimitKind> for EnumerationEnd {
    fn from(kind: LimitKind) -> Self {
        Self::Limit(kind)
    }
}

/// The solutions that a search has found, and its cost.
pub(super) struct Tally<'a, 't> {
    pub(super) query: SolutionQuery,
    /// The board of the node that is being expanded.
    pub(super) board: Board,
    /// The moves to the current board.
    pub(super) path: Vec<Direction>,
    counts: Box<dyn Counts>,
    /// `None` once the remaining solutions are only counted.
    tell: Option<&'a mut Tell<'t>>,
    /// The result so far.
    pub(super) found: Enumeration,
    pub(super) meter: Meter<'a>,
    stack: StackStart,
}

impl<'a, 't> Tally<'a, 't> {
    /// Checks the input of a search for all solutions, and returns what it found.
    pub(super) fn run(
        goal: &Goal,
        board: &Board,
        query: SolutionQuery,
        options: &Options<'a>,
        tell: Option<&'a mut Tell<'t>>,
        search: impl FnOnce(&mut Self) -> Result<Result<(), EnumerationEnd>, SearchError>,
    ) -> Result<Enumeration, SearchError> {
        let meter = Meter::start(options.limits);
        goal.check(board)?;
        check_order(options.order)?;
        let table_bytes_max = options.limits.memory.unwrap_or(u64::MAX);
        let mut tally = Self {
            query,
            board: *board,
            path: Vec::new(),
            counts: counts(goal.shape(), table_bytes_max, query.is_shortest),
            tell,
            found: Enumeration::default(),
            meter,
            stack: StackStart::here(),
        };
        let end = search(&mut tally)?;
        let is_complete = end.is_ok();
        let limit = match end {
            Err(EnumerationEnd::Limit(kind)) => Some(kind),
            Err(EnumerationEnd::Short(length)) => {
                return Err(SearchError::NotLowerBound { bound: query.length, length });
            }
            Err(EnumerationEnd::Enough) | Ok(()) => None,
        };
        Ok(Enumeration {
            is_complete,
            limit,
            has_longer: tally.found.has_longer || !is_complete,
            generated: tally.meter.generated(),
            memory_bytes: tally.counts.peak_bytes(),
            elapsed: tally.meter.elapsed(),
            ..tally.found
        })
    }

    /// Adds solutions to the count.
    fn add(&mut self, count: u128) -> Result<(), EnumerationEnd> {
        self.found.count = self.found.count.saturating_add(count);
        if self.found.count == u128::MAX { Err(EnumerationEnd::Enough) } else { Ok(()) }
    }

    /// Counts and reports the goal, reached with `left` remaining moves.
    pub(super) fn reach(&mut self, left: u32) -> Result<(), EnumerationEnd> {
        if left > 0 {
            // Solutions end at the goal, so none leads through it.
            return if self.query.is_shortest {
                Err(EnumerationEnd::Short(self.query.length - left))
            } else {
                Ok(())
            };
        }
        self.add(1)?;
        if let Some(tell) = &mut self.tell {
            self.found.reported += 1;
            match tell(&self.path) {
                Further::Tell => {}
                Further::Count => self.tell = None,
                Further::Stop => return Err(EnumerationEnd::Enough),
            }
        }
        Ok(())
    }

    /// Adds the solutions of the current board if they are known from another path to it, and
    /// returns whether they are.
    pub(super) fn merge(&mut self, rest: CountKey) -> Result<bool, EnumerationEnd> {
        match self.counts.get(&self.board, rest) {
            Some(known) if known == 0 || self.tell.is_none() => {
                self.found.merged += 1;
                self.add(known).map(|()| true)
            }
            _ => Ok(false),
        }
    }

    /// Stores the number of solutions of the current board: those since the count was `before`.
    pub(super) fn keep(&mut self, rest: CountKey, before: u128) {
        self.counts.put(&self.board, rest, self.found.count - before);
    }

    /// Checks that the path is not too long for the stack.
    pub(super) fn check_stack(&self) -> Result<(), EnumerationEnd> {
        if self.stack.is_far() { Err(LimitKind::Memory.into()) } else { Ok(()) }
    }
}

struct SolutionSearch<'a, 'b, 't> {
    heuristic: &'a dyn Estimator,
    goal: &'a Goal,
    order: [Direction; 4],
    steps: Steps,
    /// The memos of the nodes on the path and of their siblings, which are too large for the stack.
    memos: Vec<Memo>,
    tally: &'b mut Tally<'a, 't>,
}

impl SolutionSearch<'_, '_, '_> {
    fn run(&mut self) -> Result<(), EnumerationEnd> {
        self.tally.meter.count()?;
        let length = self.tally.query.length;
        if self.tally.board == *self.goal.board() {
            return self.tally.reach(length);
        }
        let parity = self.goal.manhattan_distance(&self.tally.board) ^ length;
        if parity % 2 == 1 || self.memos[0].estimate > length {
            self.tally.found.has_longer = true;
            return Ok(());
        }
        self.expand(0, length)
    }

    /// Expands the node of the current board, unless its solutions are known. `number` is the index
    /// of its memo.
    fn expand(&mut self, number: usize, left: u32) -> Result<(), EnumerationEnd> {
        // On a shortest solution, the previous move does not matter.
        let is_shortest = self.tally.query.is_shortest;
        let last = self.tally.path.last().copied().filter(|_| !is_shortest);
        let rest = CountKey { left: left as u16, last };
        let every = if is_shortest { MEMO_EVERY } else { MEMO_EVERY_LONGER };
        let is_kept = left.is_multiple_of(every) && u16::try_from(left).is_ok();
        if is_kept && self.tally.merge(rest)? {
            return Ok(());
        }
        self.tally.check_stack()?;
        let before = self.tally.found.count;
        self.expand_anew(number, left - 1)?;
        if is_kept {
            self.tally.keep(rest, before);
        }
        Ok(())
    }

    /// Expands the node of the current board; `left` moves remain after the next one.
    fn expand_anew(&mut self, number: usize, left: u32) -> Result<(), EnumerationEnd> {
        self.tally.found.expanded += 1;
        let blank = self.tally.board.blank();
        let first = self.memos.len();
        let children = self.add_children(number);
        for (child, (direction, from)) in (first..).zip(children.into_iter().flatten()) {
            self.tally.meter.count()?;
            self.tally.board.slide(from, blank);
            self.tally.path.push(direction);
            // The goal counts with any estimate: a damaged table must not hide it.
            let flow = if self.tally.board == *self.goal.board() {
                self.tally.reach(left)
            } else if left == 0 || self.memos[child].estimate > left {
                self.tally.found.has_longer = true;
                Ok(())
            } else {
                self.expand(child, left)
            };
            self.tally.path.pop();
            self.tally.board.slide(blank, from);
            flow?;
        }
        self.memos.truncate(first);
        Ok(())
    }

    /// Adds the memos of the children of the current board. Returns the move to each child, and the
    /// cell that its tile leaves.
    #[inline(never)]
    fn add_children(&mut self, number: usize) -> [Option<(Direction, Cell)>; 4] {
        let (memo, to) = (self.memos[number], self.tally.board.blank());
        let mut expansion = Expansion::new(self.tally.board, memo);
        let undoing = self.tally.path.last().map(|last| last.opposite());
        let children = self.order.map(|direction| {
            let from = self.steps[usize::from(to)][direction as usize];
            let from = from.filter(|_| undoing != Some(direction))?;
            expansion.ask(Slide { tile: self.tally.board.tile(from), from, to });
            Some((direction, from))
        });
        let first = self.memos.len();
        self.memos.resize(first + expansion.slides().len(), memo);
        self.heuristic.children(slice::from_ref(&expansion), &mut self.memos[first..]);
        children
    }
}
