//! Work that is to be done by several, and what comes back of it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pdb_core::notation::letters;
use pdb_core::{Board, Goal};
use pdb_search::packets::{Deal, Dealer, Deals, Done, Finding};
use pdb_search::{Boards, BoundCount, Next, Outcome, SearchError, Status};

use crate::message::{Found, Item, board, counts, directions};

/// Boards that each take longer than this are dealt one by one.
const LONG: Duration = Duration::from_millis(200);
/// How many subtrees a thread searches side by side at most.
const LANES: usize = 8;
/// A rank has work for so long at least.
const AHEAD: Duration = Duration::from_millis(500);
/// And for so long before anybody knows how quick it is.
const AHEAD_MAX: usize = 4096;

/// What [`Source::next`] gives.
pub(crate) enum Piece {
    Work(u64, Item),
    Later,
    End,
}

/// Where work comes from, and where what is found goes.
pub(crate) trait Source: Sync {
    fn next(&self) -> Piece;

    /// Takes what another rank has found.
    ///
    /// # Errors
    /// What is wrong with it.
    fn found(&self, ticket: u64, found: Found) -> Result<(), String>;

    /// Takes what another rank generated in packets that it left.
    fn left(&self, generated: u64, expanded: u64);

    /// Whether nothing that is still searched counts any more; looks at limits too.
    fn is_over(&self) -> bool;

    /// Whether the work is in pieces of a size, each worth little.
    fn is_even(&self) -> bool;
}

/// How many pieces a rank should have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    begun: Instant,
    done: u64,
    threads: usize,
    is_even: bool,
}

impl Pace {
    pub(crate) fn new(threads: usize, is_even: bool) -> Self {
        Self { begun: Instant::now(), done: 0, threads, is_even }
    }

    /// The work begins only now.
    pub(crate) fn restart(&mut self) {
        (self.begun, self.done) = (Instant::now(), 0);
    }

    pub(crate) fn count(&mut self, done: usize) {
        self.done += done as u64;
    }

    /// Pieces that are searched at once.
    pub(crate) fn busy(&self) -> usize {
        let mean = self.begun.elapsed().checked_div(u32::try_from(self.done).unwrap_or(u32::MAX));
        // The time of a piece, on one thread.
        let is_long = mean.is_none_or(|mean| mean * self.threads as u32 > LONG);
        if is_long && !self.is_even { self.threads + 1 } else { LANES * self.threads }
    }

    /// Pieces that it should have: those that are searched, and some that wait.
    pub(crate) fn wish(&self) -> usize {
        let rate = self.done as f64 / self.begun.elapsed().as_secs_f64().max(1e-3);
        let ahead = (rate * AHEAD.as_secs_f64()) as usize;
        self.busy() + ahead.min(AHEAD_MAX)
    }
}

/// Work, of which this rank and others take.
pub(crate) struct Pile<'a> {
    source: &'a dyn Source,
    state: Mutex<State>,
    is_given_up: AtomicBool,
}

struct State {
    /// What others did not do.
    returned: VecDeque<(u64, Item)>,
    /// What is to be done here and nowhere else.
    kept: VecDeque<(u64, Item)>,
    /// Pieces that others have.
    elsewhere: usize,
    /// Pieces that are being searched here.
    here: usize,
    pace: Pace,
    has_ended: bool,
}

impl<'a> Pile<'a> {
    pub(crate) fn new(source: &'a dyn Source, threads: usize) -> Self {
        let pace = Pace::new(threads, source.is_even());
        let state = State {
            returned: VecDeque::new(),
            kept: VecDeque::new(),
            elsewhere: 0,
            here: 0,
            pace,
            has_ended: false,
        };
        Self { source, state: Mutex::new(state), is_given_up: AtomicBool::new(false) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nothing more is given out.
    pub(crate) fn give_up(&self) {
        self.is_given_up.store(true, Ordering::Relaxed);
    }

    /// A piece for another rank; nothing where there is none now.
    pub(crate) fn take(&self) -> Option<(u64, Item)> {
        let mut state = self.state();
        let piece = self.pop(&mut state);
        state.elsewhere += usize::from(piece.is_some());
        piece
    }

    /// Whether there is nothing to be taken now, nor will there be, unless it comes back.
    pub(crate) fn is_dry(&self) -> bool {
        let state = self.state();
        state.has_ended && state.returned.is_empty()
    }

    /// Pieces that are searched here.
    pub(crate) fn here(&self) -> usize {
        self.state().here
    }

    /// A piece that another rank had is done.
    pub(crate) fn done(&self) {
        self.state().elsewhere -= 1;
    }

    /// What another rank had is not done.
    pub(crate) fn put_back(&self, pieces: impl IntoIterator<Item = (u64, Item)>) {
        let mut state = self.state();
        for piece in pieces {
            state.elsewhere -= 1;
            state.returned.push_back(piece);
        }
    }

    /// What another rank had is to be done here.
    pub(crate) fn keep(&self, ticket: u64, item: Item) {
        let mut state = self.state();
        state.elsewhere -= 1;
        state.kept.push_back((ticket, item));
    }

    fn pop(&self, state: &mut State) -> Option<(u64, Item)> {
        if self.is_given_up.load(Ordering::Relaxed) {
            return None;
        }
        if let Some(piece) = state.returned.pop_front() {
            return Some(piece);
        }
        if state.has_ended {
            return None;
        }
        match self.source.next() {
            Piece::Work(ticket, item) => Some((ticket, item)),
            Piece::Later => None,
            Piece::End => {
                state.has_ended = true;
                None
            }
        }
    }

    /// The next piece that is searched here.
    fn next_here(&self) -> Piece {
        let mut state = self.state();
        if self.is_given_up.load(Ordering::Relaxed) {
            return Piece::End;
        }
        if state.here >= state.pace.busy() {
            return Piece::Later;
        }
        let piece = state.kept.pop_front().or_else(|| self.pop(&mut state));
        match piece {
            Some((ticket, item)) => {
                state.here += 1;
                Piece::Work(ticket, item)
            }
            // What others have may come back.
            None if state.has_ended && state.elsewhere == 0 => Piece::End,
            None => Piece::Later,
        }
    }

    fn done_here(&self) {
        let mut state = self.state();
        state.here -= 1;
        state.pace.count(1);
    }
}

/// Boards, of which others solve some.
pub(crate) struct OfBoards<'a> {
    boards: &'a dyn Boards,
    goal: Goal,
    open: Mutex<BTreeMap<u64, Board>>,
}

impl<'a> OfBoards<'a> {
    pub(crate) fn new(boards: &'a dyn Boards, goal: Goal) -> Self {
        Self { boards, goal, open: Mutex::default() }
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<u64, Board>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Source for OfBoards<'_> {
    fn next(&self) -> Piece {
        match self.boards.next() {
            Next::Board(board, ticket) => {
                self.open().insert(ticket, board);
                Piece::Work(ticket, Item::Board(board.to_string()))
            }
            Next::Later => Piece::Later,
            Next::End => Piece::End,
        }
    }

    fn found(&self, ticket: u64, found: Found) -> Result<(), String> {
        let board = *self.open().get(&ticket).ok_or("an answer that nobody asked for")?;
        let Found::Board(answered) = found else {
            return Err("a packet for an answer".to_owned());
        };
        let outcome = answered.outcome(&board, &self.goal).ok_or("an answer that is none")?;
        let moves = match &outcome.status {
            Status::Optimal { moves } | Status::Solved { moves, .. } => Some(moves),
            _ => None,
        };
        if moves.is_some_and(|moves| board.after(moves).as_ref() != Ok(self.goal.board())) {
            return Err(format!("moves that do not solve {board}"));
        }
        self.open().remove(&ticket);
        // Who watches bounds is told of all of them at once.
        let done = outcome.bounds.len().saturating_sub(1);
        for count in 1..=done {
            self.boards.bound_done(ticket, &outcome.bounds[..count], outcome.elapsed);
        }
        self.boards.answer(ticket, Ok(outcome));
        Ok(())
    }

    fn left(&self, _: u64, _: u64) {}

    fn is_over(&self) -> bool {
        false
    }

    fn is_even(&self) -> bool {
        false
    }
}

/// Packets of one bound, of which others search some.
pub(crate) struct OfPackets<'a>(pub(crate) &'a dyn Deals);

impl Source for OfPackets<'_> {
    fn next(&self) -> Piece {
        match self.0.next() {
            Deal::Packet { number, bound, moves } => {
                Piece::Work(number as u64, Item::Packet(bound, letters(&moves)))
            }
            Deal::Later => Piece::Later,
            Deal::End => Piece::End,
        }
    }

    fn found(&self, ticket: u64, found: Found) -> Result<(), String> {
        let number = usize::try_from(ticket).map_err(|_| "a packet that there is not")?;
        let (finding, generated) = match found {
            Found::Packet(generated, expanded, nearest) => {
                let counts = counts((generated, expanded));
                (Finding::Done(Done { counts, nearest }), generated)
            }
            Found::Goal(moves, generated, expanded) => {
                let moves = directions(&moves).ok_or("moves that are none")?;
                (Finding::Goal(moves, counts((generated, expanded))), generated)
            }
            Found::Board(_) | Found::Error => {
                return Err("the answer of a board for a packet".to_owned());
            }
        };
        self.0.count(generated);
        self.0.report(number, finding);
        Ok(())
    }

    fn left(&self, generated: u64, expanded: u64) {
        self.0.count(generated);
        self.0.report(0, Finding::Left(None, counts((generated, expanded))));
    }

    fn is_over(&self) -> bool {
        self.0.count(0);
        self.0.is_over()
    }

    fn is_even(&self) -> bool {
        true
    }
}

/// The pile, as the search of boards on this rank sees it.
pub(crate) struct BoardsHere<'a>(pub(crate) &'a Pile<'a>, pub(crate) &'a OfBoards<'a>);

impl Boards for BoardsHere<'_> {
    fn next(&self) -> Next {
        match self.0.next_here() {
            Piece::Work(ticket, Item::Board(text)) => {
                Next::Board(board(&text).expect("the text of a board is one"), ticket)
            }
            Piece::Work(..) | Piece::End => Next::End,
            Piece::Later => Next::Later,
        }
    }

    fn answer(&self, ticket: u64, answer: Result<Outcome, SearchError>) {
        self.1.open().remove(&ticket);
        self.1.boards.answer(ticket, answer);
        self.0.done_here();
    }

    fn bound_done(&self, ticket: u64, bounds: &[BoundCount], elapsed: Duration) {
        self.1.boards.bound_done(ticket, bounds, elapsed);
    }
}

/// The pile, as the search of packets on this rank sees it.
pub(crate) struct PacketsHere<'a>(pub(crate) &'a Pile<'a>, pub(crate) &'a dyn Deals);

impl Dealer for PacketsHere<'_> {
    fn next(&self) -> Deal {
        match self.0.next_here() {
            Piece::Work(ticket, Item::Packet(bound, moves)) => Deal::Packet {
                number: ticket as usize,
                bound,
                moves: directions(&moves).expect("the letters of moves are some"),
            },
            Piece::Work(..) | Piece::End => Deal::End,
            Piece::Later => Deal::Later,
        }
    }

    fn report(&self, number: usize, finding: Finding) {
        self.1.report(number, finding);
        self.0.done_here();
    }
}
