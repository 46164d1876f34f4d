//! Parallel search of a stream of boards, with answers in the order of the boards.
//!
//! 1. A reader puts the boards into a buffer. The place of a board in the stream is its ticket.
//! 2. The search takes boards from the buffer and puts answers in their slots. It runs on all
//!    threads over the boards of one goal at a time; a board of another goal ends a run and begins
//!    the next.
//! 3. The consumer of [`Answers`] takes the answers from the front of the buffer. The buffer is
//!    short, so a slow board holds the reader back, and memory stays flat however long the input
//!    is.
//!
//! The input may never end or block forever, so no thread waits for the reader.

use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use pdb_core::{Board, Direction, Goal};
use pdb_lab::Engine;
use pdb_search::{Boards, BoundCount, LimitKind, Next, Outcome, SearchError};

use crate::answer::{Answer, GivenBoard};
use crate::cancel::Cancel;
use crate::error::Error;
use crate::event::SolutionState;
use crate::handle::Tilebase;
use crate::into_board::IntoBoard;
use crate::ladder::{Ladder, Opened};
use crate::names::SpecChoice;
use crate::record::Totals;
use crate::search::Search;
use crate::sets::InputBoard;
use crate::solve::search_boards;
use crate::sync::{AtEnd, lock};

/// Number of boards in flight between reader and answers: at least twice the crew's share.
const WINDOW: usize = 1024;
/// Time between two looks at the flag of a cancellation, which a signal handler may set.
const POLL: Duration = Duration::from_millis(50);

type Item = Result<Answer, Error>;

/// Iterator of answers in the order of the boards.
///
/// A text that is not a board, and a board that does not fit the spec or the goal, is an error of
/// its own ([`Error::is_of_board`]). Later boards are answered. Any other error is the last item.
/// After [`Cancel::cancel`] the boards that are finished in their order are answered; the last
/// answer is that of the first board that is not, with its best solution so far. Dropping the
/// iterator stops the searches.
#[derive(Debug)]
pub struct Answers {
    shared: Arc<StreamState>,
    tables: Tilebase,
    options: Search,
    search: Mutex<Option<JoinHandle<()>>>,
}

/// State that the three threads share.
#[derive(Debug, Default)]
struct StreamState {
    buffer: Mutex<Buffer>,
    /// Wakes the reader: a place is free, or the consumer has gone.
    has_room: Condvar,
    /// Wakes the search: a board was read, the input has ended, or the consumer has gone.
    has_board: Condvar,
    /// Wakes the consumer: the first board has its answer, or no answer comes.
    has_answer: Condvar,
    /// Flag that ends the running searches.
    stop: AtomicBool,
    /// Set when the crew has failed, so that the local searches stop.
    has_failed: AtomicBool,
}

/// The boards between the reader and the consumer.
#[derive(Debug, Default)]
struct Buffer {
    /// The boards in their order.
    slots: VecDeque<Slot>,
    /// Ticket of the first of them.
    first: u64,
    /// Ticket of the next board that the search takes.
    next: u64,
    /// Whether the reader has ended.
    is_read: bool,
    /// Whether the search has ended.
    is_searched: bool,
    /// Whether the consumer has gone.
    is_abandoned: bool,
    totals: Totals,
}

/// A board on its way.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "most slots of a full buffer hold answers")]
enum Slot {
    /// No search has taken it.
    Given(InputBoard),
    /// It is being searched.
    Open(Board),
    Answered(Item),
}

impl Buffer {
    fn slot(&mut self, ticket: u64) -> Option<&mut Slot> {
        self.slots.get_mut(ticket.checked_sub(self.first)? as usize)
    }

    /// Returns a board that is being searched.
    fn open_board(&mut self, ticket: u64) -> Option<Board> {
        match self.slot(ticket)? {
            Slot::Open(board) => Some(*board),
            Slot::Given(_) | Slot::Answered(_) => None,
        }
    }

    /// Returns whether the consumer need not wait.
    fn is_ready(&self) -> bool {
        let is_over = self.is_searched || self.is_abandoned;
        match self.slots.front() {
            Some(Slot::Answered(_)) => true,
            Some(_) => is_over,
            None => is_over || self.is_read,
        }
    }

    /// Takes the answer of the first board, with its ticket, if it has one.
    fn take(&mut self) -> Option<(u64, Item)> {
        let is_answered = matches!(self.slots.front(), Some(Slot::Answered(_)));
        if self.is_abandoned || !is_answered {
            return None;
        }
        let Some(Slot::Answered(item)) = self.slots.pop_front() else { return None };
        let ticket = self.first;
        self.first += 1;
        self.next = self.next.max(self.first);
        Some((ticket, item))
    }
}

impl StreamState {
    /// Answers a board.
    fn answer(&self, buffer: &mut Buffer, ticket: u64, item: Item) {
        if let Some(slot) = buffer.slot(ticket) {
            *slot = Slot::Answered(item);
        }
        if ticket == buffer.first {
            self.has_answer.notify_all();
        }
    }

    /// Answers the first board without an answer, or one behind the last board, by the error.
    fn fail(&self, error: Error) {
        let mut buffer = lock(&self.buffer);
        let mut slots = buffer.slots.iter_mut();
        match slots.find(|slot| !matches!(slot, Slot::Answered(_))) {
            Some(slot) => *slot = Slot::Answered(Err(error)),
            None => buffer.slots.push_back(Slot::Answered(Err(error))),
        }
        self.has_answer.notify_all();
    }

    fn change(&self, change: impl FnOnce(&mut Buffer)) {
        change(&mut lock(&self.buffer));
        for waiting in [&self.has_room, &self.has_board, &self.has_answer] {
            waiting.notify_all();
        }
    }
}

impl Tilebase {
    /// Solves boards in parallel on all threads. Boards are read as they are needed, and answers
    /// come in the order of the boards.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let builder = tilebase::Tilebase::builder();
    /// # let tables = builder.folder(folder.path()).spec("8/whole").ensure()?;
    /// let boards = ["1 2 3/4 5 6/0 7 8", "8 6 7/2 5 4/3 0 1"];
    /// for answer in tables.solve_all(boards) {
    ///     println!("{:?}", answer?.length());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_all<B>(&self, boards: B) -> Answers
    where
        B: IntoIterator<IntoIter: Send + 'static>,
        B::Item: IntoBoard,
    {
        let shape = self.shape();
        let given = boards.into_iter().map(move |board| {
            let board = board.into_board(shape)?;
            Ok(InputBoard { board, line: None })
        });
        self.solve_input(given, self.search().clone())
    }

    /// Solves boards with their line numbers, or with the errors of their texts.
    pub fn solve_input(
        &self,
        boards: impl Iterator<Item = Result<InputBoard, Error>> + Send + 'static,
        search: Search,
    ) -> Answers {
        let elsewhere = search.crew.as_ref().map_or(0, |crew| crew.boards_at_once());
        let capacity = WINDOW.max(2 * elsewhere);
        let shared = Arc::new(StreamState::default());
        let (tables, options) = (self.clone(), search.clone());
        let (read_into, cancel) = (Arc::clone(&shared), search.cancel.clone());
        let reading = move || read(boards, &read_into, capacity, &cancel);
        let work = StreamSearch { tables: self.clone(), search, shared: Arc::clone(&shared) };
        let reader = pdb_core::thread_builder().spawn(reading);
        let started = reader.and_then(|_| pdb_core::thread_builder().spawn(move || work.run()));
        let search = started.map_err(|source| shared.fail(Error::Threads { source })).ok();
        Answers { shared, tables, options, search: Mutex::new(search) }
    }
}

/// Step 1. Ends with the boards, with an error, or when the consumer has gone.
fn read(
    boards: impl Iterator<Item = Result<InputBoard, Error>>,
    shared: &StreamState,
    capacity: usize,
    cancel: &Cancel,
) {
    let _ended = AtEnd(|| shared.change(|buffer| buffer.is_read = true));
    for given in boards {
        if cancel.is_cancelled() {
            break;
        }
        let is_last = given.as_ref().is_err_and(|error| !error.is_of_board());
        let slot = given.map_or_else(|error| Slot::Answered(Err(error)), Slot::Given);
        let is_full = |buffer: &mut Buffer| buffer.slots.len() >= capacity && !buffer.is_abandoned;
        let room = shared.has_room.wait_while(lock(&shared.buffer), is_full);
        let mut buffer = room.unwrap_or_else(PoisonError::into_inner);
        if buffer.is_abandoned {
            break;
        }
        buffer.slots.push_back(slot);
        shared.has_board.notify_all();
        if buffer.slots.len() == 1 {
            shared.has_answer.notify_all();
        }
        if is_last {
            break;
        }
    }
}

/// Step 2.
struct StreamSearch {
    tables: Tilebase,
    search: Search,
    shared: Arc<StreamState>,
}

impl StreamSearch {
    /// Ends with the boards, or when the consumer has gone.
    fn run(&self) {
        let _ended = AtEnd(|| self.shared.change(|buffer| buffer.is_searched = true));
        // No table is built after the consumer has gone.
        while let Some((board, goal)) = self.wait() {
            // The build of tables is part of no board's time.
            let unlimited = Search { time: None, within: None, nodes: None, ..self.search.clone() };
            let ladder = Ladder::new(&self.tables, board, goal, &unlimited);
            let open = |building: &Search| {
                let search = Search { cancel: building.cancel.clone(), ..self.search.clone() };
                self.tables.renewed_engine(&goal, &search)
            };
            let best = self.tables.open_best(&goal, &self.search);
            let opened = best.and_then(|best| ladder.await_engine(best, open));
            let engine = match opened {
                Ok(Opened::Engine(engine)) => engine,
                Ok(Opened::Answer(answer)) => {
                    self.answer_next(Ok(answer.0));
                    return;
                }
                Err(error) => {
                    self.answer_next(Err(match self.tables.choice() {
                        SpecChoice::Spec(_) => error,
                        // Boards of another shape or goal may have the tables that this one lacks.
                        _ => Error::NoEngine { board, problem: error.into() },
                    }));
                    continue;
                }
            };
            let seconds_before = lock(&self.shared.buffer).totals.seconds;
            let begun = Instant::now();
            let run = GoalRun { stream: self, engine: &engine, goal, begun, seconds_before };
            let work = self.tables.work_until(&self.search, &self.shared.stop);
            let search = |boards: &dyn Boards| search_boards(&engine, boards, &self.search, &work);
            match &self.search.crew {
                None => search(&run),
                Some(crew) => {
                    let StreamState { stop, has_failed, .. } = &*self.shared;
                    let task = self.tables.task(&engine, &self.search, stop, has_failed);
                    if let Err(error) = crew.solve_boards(&task, &run, &search) {
                        self.shared.fail(error);
                        return;
                    }
                }
            }
        }
    }

    /// Waits for the next board that needs a search, and returns it with its goal.
    fn wait(&self) -> Option<(Board, Goal)> {
        let mut buffer = lock(&self.shared.buffer);
        loop {
            if let Some(open) = self.next_open(&mut buffer) {
                return Some(open);
            }
            if buffer.is_read || buffer.is_abandoned {
                return None;
            }
            buffer = self.shared.has_board.wait(buffer).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Returns the next board that needs a search, which stays the next one, and its goal. The
    /// boards before it are answered here.
    fn next_open(&self, buffer: &mut Buffer) -> Option<(Board, Goal)> {
        while !buffer.is_abandoned {
            let ticket = buffer.next;
            if let Slot::Given(given) = buffer.slot(ticket)? {
                let item = match self.tables.read(given.board) {
                    Ok(GivenBoard::Open(board, goal)) => return Some((board, goal)),
                    Ok(GivenBoard::Unsolvable(answer)) => Ok(answer),
                    Err(error) => Err(Error::Invalid {
                        text: given.board.to_string(),
                        line: given.line,
                        problem: error.to_string(),
                        remedy: error.remedy(),
                    }),
                };
                self.shared.answer(buffer, ticket, item);
            }
            buffer.next += 1;
        }
        None
    }

    /// Answers the next board without a search.
    fn answer_next(&self, item: Item) {
        let mut buffer = lock(&self.shared.buffer);
        let ticket = buffer.next;
        buffer.next += 1;
        self.shared.answer(&mut buffer, ticket, item);
    }
}

/// Source of the boards of one goal, one after another.
struct GoalRun<'a> {
    stream: &'a StreamSearch,
    engine: &'a Engine,
    goal: Goal,
    begun: Instant,
    /// Seconds of the runs before.
    seconds_before: f64,
}

impl GoalRun<'_> {
    fn buffer(&self) -> MutexGuard<'_, Buffer> {
        lock(&self.stream.shared.buffer)
    }
}

impl Boards for GoalRun<'_> {
    fn next(&self) -> Next {
        let mut buffer = self.buffer();
        match self.stream.next_open(&mut buffer) {
            Some((board, goal)) if goal == self.goal => {
                let ticket = buffer.next;
                buffer.next += 1;
                *buffer.slot(ticket).expect("the board waits there") = Slot::Open(board);
                Next::Board(board, ticket)
            }
            None if !buffer.is_read && !buffer.is_abandoned => Next::Later,
            _ => Next::End,
        }
    }

    fn answer(&self, ticket: u64, outcome: Result<Outcome, SearchError>) {
        let StreamSearch { tables, search, shared } = self.stream;
        if shared.has_failed.load(Ordering::SeqCst) {
            // The error replaces this answer or an earlier one.
            return;
        }
        let Some(board) = self.buffer().open_board(ticket) else { return };
        let item = tables.answer(&board, self.engine, outcome, search);
        let mut buffer = self.buffer();
        if let Ok(answer) = &item {
            buffer.totals.add(answer);
        }
        buffer.totals.seconds = self.seconds_before + self.begun.elapsed().as_secs_f64();
        shared.answer(&mut buffer, ticket, item);
    }

    fn bound_done(&self, ticket: u64, bounds: &[BoundCount], elapsed: Duration) {
        let board = self.buffer().open_board(ticket);
        if let Some(board) = board {
            let StreamSearch { tables, search, .. } = self.stream;
            tables.report_bound((self.engine, search), &board, bounds, elapsed);
        }
    }

    fn improved(&self, ticket: u64, moves: &[Direction], lower_bound: u32, elapsed: Duration) {
        let board = self.buffer().open_board(ticket);
        if let Some(board) = board {
            let metric = self.stream.tables.metric();
            let state = SolutionState { board, moves, metric, lower_bound, elapsed };
            self.stream.tables.report_solution(&self.stream.search, state);
        }
    }
}

/// Step 3.
impl Iterator for Answers {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            if let Poll::Ready(next) = self.poll_next(POLL) {
                return next.map(|(_, item)| item);
            }
        }
    }
}

impl Answers {
    /// Waits at most for this time for the next answer, and returns it with the place of its board,
    /// from 0; [`Poll::Pending`] if the time is over. Threads may share a stream: each answer goes
    /// to one of them.
    pub fn poll_next(&self, at_most: Duration) -> Poll<Option<(u64, Item)>> {
        let deadline = Instant::now() + at_most;
        let mut buffer = lock(&self.shared.buffer);
        while !buffer.is_ready() {
            if self.options.cancel.is_cancelled() {
                self.shared.stop.store(true, Ordering::Relaxed);
                // Without a board on its way, a cancelled stream is at its end.
                if buffer.slots.is_empty() {
                    break;
                }
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Poll::Pending;
            }
            let waited = self.shared.has_answer.wait_timeout(buffer, left.min(POLL));
            buffer = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let next = buffer.take();
        drop(buffer);
        self.shared.has_room.notify_all();
        match &next {
            // No answer after it hides where to go on.
            Some((_, Ok(answer))) if answer.limit() != Some(LimitKind::Interrupted) => (),
            Some((_, Err(error))) if error.is_of_board() => (),
            _ => self.finish(),
        }
        let with_solution = |item: Item| self.tables.with_solution(item?, &self.options);
        Poll::Ready(next.map(|(place, item)| (place, with_solution(item))))
    }

    /// Returns the cost of all searches so far; it is complete after the last answer.
    pub fn totals(&self) -> Totals {
        lock(&self.shared.buffer).totals
    }

    /// Stops the searches. There are no more answers, also for threads that wait for one.
    pub fn stop(&self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        self.shared.change(|buffer| buffer.is_abandoned = true);
    }

    /// Stops the searches, and waits for their end, so that the totals are complete.
    pub fn finish(&self) {
        self.stop();
        let search = lock(&self.search).take();
        if let Some(Err(panic)) = search.map(JoinHandle::join) {
            resume_unwind(panic);
        }
    }
}

impl Drop for Answers {
    fn drop(&mut self) {
        // Does not wait for the searches, because a build may take minutes.
        self.stop();
    }
}
