//! Parallel search of a stream of boards, with answers in the order of the boards.
//!
//! 1. A reader makes a slot for each board and queues both ends of it. The receiving end waits in
//!    the order of the boards; the sending end goes to the search with the board.
//! 2. The search takes boards and puts answers into their slots. It runs on all threads over the
//!    boards of one goal at a time; a board of another goal ends a run and begins the next.
//! 3. The consumer of [`Answers`] empties the slots in order. The queues are short, so a slow board
//!    holds the reader back, and memory stays flat however long the input is.
//!
//! The input may never end or block forever, so no thread waits for the reader.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, Select, Sender, TryRecvError, bounded};
use pdb_core::{Board, Direction, Goal};
use pdb_lab::Engine;
use pdb_search::{Boards, BoundCount, LimitKind, Next, Outcome, SearchError};

use crate::answer::{Answer, GivenBoard};
use crate::cancel::Cancel;
use crate::error::Error;
use crate::event::SolutionState;
use crate::handle::Tilebase;
use crate::into_board::IntoBoard;
use crate::record::Totals;
use crate::search::Search;
use crate::sets::InputBoard;
use crate::solve::search_boards;
use crate::sync::{into_inner, lock};
use crate::trial::Trial;

/// Number of boards in flight between reader and answers: at least twice the crew's share.
const WINDOW: usize = 1024;
/// Time between two checks of the flags by a waiting thread.
const POLL: Duration = Duration::from_millis(50);

type Item = Result<Answer, Error>;
type Slot = Receiver<Item>;

/// Iterator of answers in the order of the boards.
///
/// A text that is not a board, and a board that does not fit the spec or the goal, is an error of
/// its own ([`Error::is_of_board`]). Later boards are answered. Any other error is the last item.
/// After [`Cancel::cancel`] the boards that are finished in their order are answered; the last
/// answer is that of the first board that is not, with its best solution so far. Dropping the
/// iterator stops the searches.
#[derive(Debug)]
pub struct Answers {
    slots: Receiver<Slot>,
    /// The slot of the next answer.
    next: Option<Slot>,
    shared: Arc<StreamState>,
    tables: Tilebase,
    options: Search,
    search: Option<JoinHandle<()>>,
}

/// State shared by the searching thread and the consumer of the answers.
#[derive(Debug, Default)]
struct StreamState {
    /// Flag that ends the running searches.
    stop: AtomicBool,
    /// Set when the crew has failed, so that the local searches stop.
    has_failed: AtomicBool,
    /// The error that prevented the start, or the crew's if it could replace no pending answer.
    failure: Mutex<Option<Error>>,
    /// Set when the consumer has gone.
    is_abandoned: AtomicBool,
    totals: Mutex<Totals>,
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
        let window = WINDOW.max(2 * elsewhere);
        let (slots_in, slots) = bounded(window);
        let (boards_in, queue) = bounded(window);
        let (tables, options) = (self.clone(), search.clone());
        let watched = search.cancel.clone();
        let reading = move || read(boards, &slots_in, &boards_in, &watched);
        let shared = Arc::new(StreamState::default());
        let work =
            StreamSearch { queue, tables: self.clone(), search, shared: Arc::clone(&shared) };
        let reader = pdb_core::thread_builder().spawn(reading);
        let started = reader.and_then(|_| pdb_core::thread_builder().spawn(move || work.run()));
        let search = match started {
            Ok(search) => Some(search),
            Err(source) => {
                *lock(&shared.failure) = Some(Error::Threads { source });
                None
            }
        };
        Answers { slots, next: None, shared, tables, options, search }
    }
}

/// Step 1. Ends with the boards, with an error, or when the consumer has gone.
fn read(
    boards: impl Iterator<Item = Result<InputBoard, Error>>,
    slots: &Sender<Slot>,
    queue: &Sender<(InputBoard, Sender<Item>)>,
    cancel: &Cancel,
) {
    for given in boards {
        if cancel.is_cancelled() {
            break;
        }
        let (answer, slot) = bounded(1);
        if slots.send(slot).is_err() {
            break;
        }
        match given {
            Ok(given) => {
                if queue.send((given, answer)).is_err() {
                    break;
                }
            }
            Err(error) => {
                let is_last = !error.is_of_board();
                // The slot is empty, so this does not block.
                let _ = answer.send(Err(error));
                if is_last {
                    break;
                }
            }
        }
    }
}

/// Step 2.
struct StreamSearch {
    queue: Receiver<(InputBoard, Sender<Item>)>,
    tables: Tilebase,
    search: Search,
    shared: Arc<StreamState>,
}

/// A board to search, with the slot of its answer.
struct OpenBoard {
    board: Board,
    goal: Goal,
    answer: Sender<Item>,
}

impl StreamSearch {
    /// Ends with the boards, or when the consumer has gone.
    fn run(&self) {
        let mut next = self.wait();
        // No table is built after the consumer has gone.
        while let Some(open) = next.filter(|_| !self.is_abandoned()) {
            let engine = match self.tables.engine_with(&open.goal, &self.search) {
                Ok(engine) => engine,
                Err(error) if error.is_interrupted() => {
                    let OpenBoard { board, goal, answer } = open;
                    let trial = Trial::new(self.search.clone());
                    let _ = answer.send(self.tables.solve_without_tables(board, &goal, &trial));
                    return;
                }
                Err(error) => {
                    let error = if self.tables.is_for_all_boards() {
                        error
                    } else {
                        // Boards of another shape or goal may have the tables that this one lacks.
                        Error::NoEngine { board: open.board, problem: error.into() }
                    };
                    // An answer without a consumer is dropped.
                    let _ = open.answer.send(Err(error));
                    next = self.wait();
                    continue;
                }
            };
            let run = GoalRun {
                stream: self,
                engine: &engine,
                goal: open.goal,
                first: Mutex::new(Some(open)),
                other: Mutex::new(None),
                open: Mutex::default(),
                count: AtomicU64::new(0),
                begun: OnceLock::new(),
                elapsed: Mutex::default(),
            };
            let work = self.tables.work_until(&self.search, &self.shared.stop);
            let search = |boards: &dyn Boards| search_boards(&engine, boards, &self.search, &work);
            match &self.search.crew {
                None => search(&run),
                Some(crew) => {
                    let StreamState { stop, has_failed, .. } = &*self.shared;
                    let task = self.tables.task(&engine, &self.search, stop, has_failed);
                    if let Err(error) = crew.solve_boards(&task, &run, &search) {
                        run.fail(error);
                        return;
                    }
                }
            }
            lock(&self.shared.totals).seconds += lock(&run.elapsed).as_secs_f64();
            let other = into_inner(run.other);
            next = other.or_else(|| self.wait());
        }
    }

    fn is_abandoned(&self) -> bool {
        self.shared.is_abandoned.load(Ordering::Relaxed)
    }

    fn wait(&self) -> Option<OpenBoard> {
        while !self.is_abandoned() {
            match self.queue.recv_timeout(POLL) {
                Ok((given, answer)) => {
                    if let Some(open) = self.open(&given, answer) {
                        return Some(open);
                    }
                }
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        None
    }

    /// Returns the board and its goal if it needs a search; otherwise answers it here.
    fn open(&self, given: &InputBoard, answer: Sender<Item>) -> Option<OpenBoard> {
        let item = match self.tables.read(given.board) {
            Ok(GivenBoard::Open(board, goal)) => return Some(OpenBoard { board, goal, answer }),
            Ok(GivenBoard::Unsolvable(answer)) => Ok(answer),
            Err(error) => Err(Error::Invalid {
                text: given.board.to_string(),
                line: given.line,
                problem: error.to_string(),
                remedy: error.remedy(),
            }),
        };
        let _ = answer.send(item);
        None
    }
}

/// Source of the boards of one goal, one after another.
struct GoalRun<'a> {
    stream: &'a StreamSearch,
    engine: &'a Engine,
    goal: Goal,
    /// The first board of the run.
    first: Mutex<Option<OpenBoard>>,
    /// The board of another goal that ended the run.
    other: Mutex<Option<OpenBoard>>,
    /// The boards that are being searched, by their numbers in the search.
    open: Mutex<BTreeMap<u64, (Board, Sender<Item>)>>,
    count: AtomicU64,
    /// Time when the first board was requested.
    begun: OnceLock<Instant>,
    /// Time from then to the last answer.
    elapsed: Mutex<Duration>,
}

impl GoalRun<'_> {
    fn begin(&self, OpenBoard { board, answer, .. }: OpenBoard) -> Next {
        let ticket = self.count.fetch_add(1, Ordering::Relaxed);
        lock(&self.open).insert(ticket, (board, answer));
        Next::Board(board, ticket)
    }

    /// Reports the error in place of the next pending answer.
    fn fail(&self, error: Error) {
        let first = lock(&self.first).take().map(|open| open.answer);
        let open = || lock(&self.open).pop_first().map(|(_, (_, answer))| answer);
        let other = || lock(&self.other).take().map(|open| open.answer);
        match open().or(first).or_else(other) {
            Some(answer) => {
                let _ = answer.send(Err(error));
            }
            None => *lock(&self.stream.shared.failure) = Some(error),
        }
    }
}

impl Boards for GoalRun<'_> {
    fn next(&self) -> Next {
        self.begun.get_or_init(Instant::now);
        if let Some(open) = lock(&self.first).take() {
            return self.begin(open);
        }
        let mut other = lock(&self.other);
        loop {
            if other.is_some() || self.stream.is_abandoned() {
                return Next::End;
            }
            match self.stream.queue.try_recv() {
                Ok((given, answer)) => match self.stream.open(&given, answer) {
                    Some(open) if open.goal == self.goal => return self.begin(open),
                    Some(open) => *other = Some(open),
                    None => (),
                },
                Err(TryRecvError::Empty) => return Next::Later,
                Err(TryRecvError::Disconnected) => return Next::End,
            }
        }
    }

    fn answer(&self, ticket: u64, outcome: Result<Outcome, SearchError>) {
        if self.stream.shared.has_failed.load(Ordering::SeqCst) {
            // The error replaces this answer or an earlier one.
            return;
        }
        let Some((board, answer)) = lock(&self.open).remove(&ticket) else { return };
        let StreamSearch { tables, search, shared, .. } = self.stream;
        let item = tables.answer(&board, self.engine, outcome, search);
        if let Ok(answer) = &item {
            lock(&shared.totals).add(answer);
        }
        if let Some(begun) = self.begun.get() {
            let mut elapsed = lock(&self.elapsed);
            *elapsed = begun.elapsed().max(*elapsed);
        }
        let _ = answer.send(item);
    }

    fn bound_done(&self, ticket: u64, bounds: &[BoundCount], elapsed: Duration) {
        let board = lock(&self.open).get(&ticket).map(|(board, _)| *board);
        if let Some(board) = board {
            let StreamSearch { tables, search, .. } = self.stream;
            tables.report_bound((self.engine, search), &board, bounds, elapsed);
        }
    }

    fn improved(&self, ticket: u64, moves: &[Direction], lower_bound: u32, elapsed: Duration) {
        let board = lock(&self.open).get(&ticket).map(|(board, _)| *board);
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
        let item = self.wait().or_else(|| lock(&self.shared.failure).take().map(Err));
        match &item {
            // No answer after it hides where to go on.
            Some(Ok(answer)) if answer.limit() != Some(LimitKind::Interrupted) => (),
            Some(Err(error)) if error.is_of_board() => (),
            _ => self.end(),
        }
        item.map(|item| self.tables.with_solution(item?, &self.options))
    }
}

impl Answers {
    /// Returns whether the next answer is available, so that [`next`](Iterator::next) does not
    /// wait.
    pub fn is_ready(&mut self) -> bool {
        if self.next.is_none() {
            self.next = self.slots.try_recv().ok();
        }
        self.next.as_ref().is_some_and(|slot| !slot.is_empty())
    }

    /// Waits until the next answer is available, the stream ends, or the time `at_most` is over.
    /// Returns whether [`next`](Iterator::next) would not wait.
    pub fn wait_until_ready(&mut self, at_most: Duration) -> bool {
        let deadline = Instant::now() + at_most;
        if self.next.is_none() {
            match self.slots.recv_deadline(deadline) {
                Ok(slot) => self.next = Some(slot),
                Err(RecvTimeoutError::Timeout) => return self.options.cancel.is_cancelled(),
                Err(RecvTimeoutError::Disconnected) => return true,
            }
        }
        let Some(slot) = &self.next else { return true };
        let mut select = Select::new();
        select.recv(slot);
        let is_ready = select.ready_deadline(deadline).is_ok();
        if !is_ready {
            self.stop_if_cancelled();
        }
        is_ready
    }

    /// Returns the cost of all searches so far; it is complete after the last answer.
    pub fn totals(&self) -> Totals {
        *lock(&self.shared.totals)
    }

    fn wait(&mut self) -> Option<Item> {
        self.search.as_ref()?;
        let slot = match self.next.take() {
            Some(slot) => slot,
            None => self.wait_for_slot()?,
        };
        loop {
            match slot.recv_timeout(POLL) {
                Ok(item) => return Some(item),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => self.stop_if_cancelled(),
            }
        }
    }

    /// Stops the searches if they were cancelled.
    fn stop_if_cancelled(&self) {
        if self.options.cancel.is_cancelled() {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Returns the next slot; `None` at the end, or if the searches were stopped and no slot is
    /// ready.
    fn wait_for_slot(&self) -> Option<Slot> {
        loop {
            match self.slots.recv_timeout(POLL) {
                Ok(slot) => return Some(slot),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if self.options.cancel.is_cancelled() => {
                    return None;
                }
                Err(RecvTimeoutError::Timeout) if lock(&self.shared.failure).is_some() => {
                    return None;
                }
                Err(RecvTimeoutError::Timeout) => (),
            }
        }
    }

    fn abandon(&self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        self.shared.is_abandoned.store(true, Ordering::Relaxed);
    }

    /// Waits for the searches to end, so that the totals are complete.
    fn end(&mut self) {
        self.abandon();
        if let Some(Err(panic)) = self.search.take().map(JoinHandle::join) {
            resume_unwind(panic);
        }
    }
}

impl Drop for Answers {
    fn drop(&mut self) {
        // Does not wait for the searches, because a build may take minutes.
        self.abandon();
    }
}
