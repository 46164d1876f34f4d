//! Parallel search of a stream of boards, with answers in the order of the boards.
//!
//! 1. A reader makes a slot for each board and queues it twice: the slot's receiving end in the
//!    order of the boards, the board with the slot's sending end for the search.
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
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, Select, Sender, TryRecvError, bounded};
use pdb_core::{Board, Goal};
use pdb_lab::Engine;
use pdb_search::{Boards, BoundCount, Limits, Next, Outcome, SearchError, Weight, Work};

use crate::answer::Answer;
use crate::cancel::Cancel;
use crate::error::Error;
use crate::handle::Tilebase;
use crate::record::Totals;
use crate::search::Search;
use crate::sets::InputBoard;
use crate::shelf::confirm;
use crate::sync::{into_inner, lock};
use crate::text::IntoBoard;

/// Number of boards in flight between reader and answers: at least twice the crew's share.
const WINDOW: usize = 1024;
/// Time between two checks of the flags by a waiting thread.
const POLL: Duration = Duration::from_millis(50);

type Item = Result<Answer, Error>;
type Slot = Receiver<Item>;

/// Iterator of answers in the order of the boards.
///
/// A text that is not a board, and a board that does not fit the spec or the goal, is an error of
/// its own ([`Error::is_of_board`]), and later boards are answered; any other error is the last
/// item. After [`Cancel::cancel`] no further board is read, and boards that were read are answered
/// with what is known. Dropping the iterator stops the searches.
#[derive(Debug)]
pub struct Answers {
    slots: Receiver<Slot>,
    /// The slot of the next answer.
    next: Option<Slot>,
    shared: Arc<StreamState>,
    cancel: Cancel,
    search: Option<JoinHandle<()>>,
    /// The error that prevented the start.
    failure: Option<Error>,
}

/// State shared by the searching thread and the consumer of the answers.
#[derive(Debug, Default)]
struct StreamState {
    /// Flag that ends the running searches.
    stop: AtomicBool,
    /// Set when the crew has failed, so that the local searches stop.
    has_failed: AtomicBool,
    /// The crew's error, if there was no pending answer that it could replace.
    failure: Mutex<Option<Error>>,
    /// Set when the consumer has gone.
    left: AtomicBool,
    /// The engine of the current run.
    engine: Mutex<Option<Arc<Engine>>>,
    totals: Mutex<Totals>,
}

impl StreamState {
    /// Returns whether the results of the current run are invalid.
    fn is_spoilt(&self) -> bool {
        lock(&self.engine).as_ref().is_some_and(|engine| engine.is_spoilt())
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
        self.solve_given(given, self.search().clone())
    }

    /// Solves boards with their line numbers, or with the errors of their texts.
    pub fn solve_given(
        &self,
        boards: impl Iterator<Item = Result<InputBoard, Error>> + Send + 'static,
        search: Search,
    ) -> Answers {
        let elsewhere = search.crew.as_ref().map_or(0, |crew| crew.boards_at_once());
        let window = WINDOW.max(2 * elsewhere);
        let (slots_in, slots) = bounded(window);
        let (boards_in, queue) = bounded(window);
        let cancel = search.cancel.clone();
        let watched = cancel.clone();
        let reading = move || read(boards, &slots_in, &boards_in, &watched);
        let shared = Arc::new(StreamState::default());
        let work = Searching { queue, tables: self.clone(), search, shared: Arc::clone(&shared) };
        let reader = thread::Builder::new().spawn(reading);
        let started = reader.and_then(|_| thread::Builder::new().spawn(move || work.run()));
        let (search, failure) = match started {
            Ok(search) => (Some(search), None),
            Err(source) => (None, Some(Error::Threads { source })),
        };
        Answers { slots, next: None, shared, cancel, search, failure }
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
struct Searching {
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

impl Searching {
    /// Ends with the boards, or when the consumer has gone.
    fn run(&self) {
        let mut next = self.wait();
        // No table is built after the consumer has gone.
        while let Some(open) = next.filter(|_| !self.has_left()) {
            let engine = match self.tables.engine_with(&open.goal, &self.search.cancel) {
                Ok(engine) => engine,
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
            *lock(&self.shared.engine) = Some(Arc::clone(&engine));
            let run = GoalRun {
                searching: self,
                engine: &engine,
                goal: open.goal,
                first: Mutex::new(Some(open)),
                other: Mutex::new(None),
                open: Mutex::default(),
                count: AtomicU64::new(0),
                begun: OnceLock::new(),
                taken: Mutex::default(),
            };
            let work = self.search.work();
            let limits = Limits { stop: Some(&self.shared.stop), ..work.limits };
            let work = Work { limits, ..work };
            let search = |boards: &dyn Boards| match self.search.mode.search_name() {
                Some(name) => engine.solve_all_by(name, boards, Weight::ONE, &work),
                None => engine.solve_all(boards, &work),
            };
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
            lock(&self.shared.totals).seconds += lock(&run.taken).as_secs_f64();
            let other = into_inner(run.other);
            next = other.or_else(|| self.wait());
        }
    }

    fn has_left(&self) -> bool {
        self.shared.left.load(Ordering::Relaxed)
    }

    fn wait(&self) -> Option<OpenBoard> {
        while !self.has_left() {
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
        let InputBoard { board, line } = *given;
        let item = match self.tables.goal(board.shape()) {
            // No table is built for an unsolvable board.
            Ok(goal) => match goal.check_solvable(&board) {
                Ok(()) => return Some(OpenBoard { board, goal, answer }),
                Err(reason) => Ok(Answer::unsolvable(&board, &goal, reason, Duration::ZERO)),
            },
            Err(problem) => {
                let (text, problem) = (board.to_string(), problem.to_string());
                Err(Error::Invalid { text, line, problem })
            }
        };
        let _ = answer.send(item);
        None
    }
}

/// Source of the boards of one goal, one after another.
struct GoalRun<'a> {
    searching: &'a Searching,
    engine: &'a Engine,
    goal: Goal,
    /// The first board of the run.
    first: Mutex<Option<OpenBoard>>,
    /// The board of another goal that ended the run.
    other: Mutex<Option<OpenBoard>>,
    /// The boards that are being searched, by their numbers in the search.
    open: Mutex<BTreeMap<u64, (Board, Sender<Item>)>>,
    count: AtomicU64,
    /// Time when the first board was requested, and time from then to the last answer.
    begun: OnceLock<Instant>,
    taken: Mutex<Duration>,
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
            None => *lock(&self.searching.shared.failure) = Some(error),
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
            if other.is_some() || self.searching.has_left() {
                return Next::End;
            }
            match self.searching.queue.try_recv() {
                Ok((given, answer)) => match self.searching.open(&given, answer) {
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
        if self.searching.shared.has_failed.load(Ordering::SeqCst) {
            // The error replaces this answer or an earlier one.
            return;
        }
        let Some((board, answer)) = lock(&self.open).remove(&ticket) else { return };
        // A damaged table would explain any outcome, so it is reported first.
        let confirmed = confirm(self.engine);
        let item = confirmed.and_then(|()| Ok(outcome?)).map(|outcome| {
            lock(&self.searching.shared.totals).add(&outcome);
            let answer = Answer::new(&board, self.engine, outcome);
            let Searching { tables, search, .. } = self.searching;
            tables.with_optimum(answer, self.engine, search)
        });
        if let Some(begun) = self.begun.get() {
            let mut taken = lock(&self.taken);
            *taken = begun.elapsed().max(*taken);
        }
        let _ = answer.send(item);
    }

    fn bound_done(&self, ticket: u64, bounds: &[BoundCount], elapsed: Duration) {
        let board = lock(&self.open).get(&ticket).map(|(board, _)| *board);
        if let Some(board) = board {
            self.searching.tables.report_bound(&self.searching.search, &board, bounds, elapsed);
        }
    }
}

/// Step 3.
impl Iterator for Answers {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        let item = self.failure.take().map(Err).or_else(|| self.wait());
        let item = item.or_else(|| lock(&self.shared.failure).take().map(Err));
        match &item {
            Some(Ok(_)) => (),
            Some(Err(error)) if error.is_of_board() => (),
            _ => self.end(),
        }
        item
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
                Err(RecvTimeoutError::Timeout) => return self.cancel.is_cancelled(),
                Err(RecvTimeoutError::Disconnected) => return true,
            }
        }
        let Some(slot) = &self.next else { return true };
        let mut select = Select::new();
        select.recv(slot);
        let is_ready = select.ready_deadline(deadline).is_ok();
        if !is_ready {
            self.stop_if_wished();
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
                Err(RecvTimeoutError::Timeout) => self.stop_if_wished(),
            }
        }
    }

    /// Stops the searches if they were cancelled, or if a table turned out to be damaged.
    fn stop_if_wished(&self) {
        if self.cancel.is_cancelled() || self.shared.is_spoilt() {
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
                Err(RecvTimeoutError::Timeout) if self.cancel.is_cancelled() => return None,
                Err(RecvTimeoutError::Timeout) if lock(&self.shared.failure).is_some() => {
                    return None;
                }
                Err(RecvTimeoutError::Timeout) => (),
            }
        }
    }

    fn leave(&self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        self.shared.left.store(true, Ordering::Relaxed);
    }

    /// Waits for the searches to end, so that the totals are complete.
    fn end(&mut self) {
        self.leave();
        if let Some(Err(panic)) = self.search.take().map(JoinHandle::join) {
            resume_unwind(panic);
        }
    }
}

impl Drop for Answers {
    fn drop(&mut self) {
        // Does not wait for the searches, because a build may take minutes.
        self.leave();
    }
}
