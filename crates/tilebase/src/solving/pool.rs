//! Solves boards on several threads and keeps their order.
//!
//! 1. A reader makes a slot for each job and queues it twice: the slot's receiving end in the order
//!    of the boards, the job with the slot's sending end for the search.
//! 2. The search takes jobs and puts records into their slots. It runs on all threads over the
//!    boards of one goal at a time; a board of another goal ends a run and begins the next.
//! 3. The caller's thread empties the slots in order. The queues are short, so a slow board holds
//!    the reader back, and memory stays flat however long the input is.
//!
//! The reader may wait for input that never comes: nobody waits for the reader.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, bounded};
use pdb_core::notation::MoveStyle;
use pdb_core::{Board, Goal};
use pdb_search::{Boards, Limits, Next, Outcome, SearchError};
use serde::Serialize;

use super::{Chooser, Job, Jobs, Mode, Record, Style};
use crate::cut;
use crate::failure::Verdict;
use crate::interrupt;
use crate::output::Output;

/// So many boards are between reading and writing.
const WINDOW: usize = 1024;
/// How often a waiting thread looks at the flags.
const POLL: Duration = Duration::from_millis(50);

type Answer = anyhow::Result<Record>;

/// How boards are searched and answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings<'a> {
    pub(crate) limits: Limits<'a>,
    pub(crate) mode: Mode,
    pub(crate) style: Style,
}

/// What all searches took together. The order of the fields is that of the JSON keys.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Totals {
    /// Boards that were searched.
    boards: u64,
    generated: u64,
    /// Look-ups into tables, those of the boards' roots left out.
    lookups: u64,
    /// By the clock, of each run from its first board to its last answer.
    seconds: f64,
}

impl Totals {
    fn add(&mut self, outcome: &Outcome) {
        self.boards += 1;
        self.generated += outcome.generated;
        self.lookups += outcome.lookups;
    }
}

/// Solves all boards and writes their records in order, until the reader of the output leaves.
///
/// After an interrupt no further board is read; those that were are answered with what is known.
pub(crate) fn solve_all(
    jobs: Jobs,
    chooser: &Chooser,
    settings: Settings<'_>,
    output: &mut Output,
) -> anyhow::Result<(Verdict, Totals)> {
    let (slots_in, slots) = bounded(WINDOW);
    let (jobs_in, queue) = bounded(WINDOW);
    thread::spawn(move || read(jobs, &slots_in, &jobs_in));
    let (stop, left) = (AtomicBool::new(false), AtomicBool::new(false));
    let limits = Limits { stop: Some(&stop), ..settings.limits };
    let style = settings.style;
    let search = Search {
        queue,
        chooser,
        limits,
        settings: &settings,
        left: &left,
        totals: Mutex::default(),
    };
    let verdict = thread::scope(|scope| {
        scope.spawn(|| search.run());
        let result = write_all(&slots, &stop, style, output);
        stop.store(true, Ordering::Relaxed);
        left.store(true, Ordering::Relaxed);
        result
    })?;
    let totals = *lock(&search.totals);
    Ok((verdict, totals))
}

type Slot = Receiver<Answer>;

/// Step 1; ends with the jobs, with an error, or when nobody listens any more.
fn read(jobs: Jobs, slots: &Sender<Slot>, queue: &Sender<(Job, Sender<Answer>)>) {
    for job in jobs {
        if interrupt::is_set() {
            break;
        }
        let (answer, slot) = bounded(1);
        if slots.send(slot).is_err() {
            break;
        }
        match job {
            Ok(job) => {
                if queue.send((job, answer)).is_err() {
                    break;
                }
            }
            Err(error) => {
                // The slot is empty and somebody holds its other end.
                let _ = answer.send(Err(error.into()));
                break;
            }
        }
    }
}

/// Step 2.
struct Search<'a> {
    queue: Receiver<(Job, Sender<Answer>)>,
    chooser: &'a Chooser,
    limits: Limits<'a>,
    settings: &'a Settings<'a>,
    /// Nobody wants answers any more.
    left: &'a AtomicBool,
    totals: Mutex<Totals>,
}

/// A board that has to be searched, and where its answer goes.
struct Open {
    board: Board,
    goal: Goal,
    answer: Sender<Answer>,
}

impl Search<'_> {
    /// Ends with the jobs, or when nobody wants answers any more.
    fn run(&self) {
        let mut next = self.wait();
        // No table is built for somebody who left.
        while let Some(open) = next.filter(|_| !self.left.load(Ordering::Relaxed)) {
            let engine = match self.chooser.engine(&open.goal) {
                Ok(engine) => engine,
                Err(error) => {
                    // An answer that nobody waits for is dropped.
                    let _ = open.answer.send(Err(error));
                    next = self.wait();
                    continue;
                }
            };
            let run = Run {
                search: self,
                name: &engine.name,
                goal: open.goal,
                first: Mutex::new(Some(open)),
                other: Mutex::new(None),
                begun: OnceLock::new(),
                taken: Mutex::default(),
            };
            let Settings { mode, .. } = *self.settings;
            if let Err(error) =
                engine.solve_all(&run, self.limits, mode, self.chooser.shelf.thread_count)
                && let Some(open) = lock(&run.first).take()
            {
                let _ = open.answer.send(Err(error.into()));
            }
            lock(&self.totals).seconds += lock(&run.taken).as_secs_f64();
            let other = run.other.into_inner().unwrap_or_else(PoisonError::into_inner);
            next = other.or_else(|| self.wait());
        }
    }

    fn wait(&self) -> Option<Open> {
        while !self.left.load(Ordering::Relaxed) {
            match self.queue.recv_timeout(POLL) {
                Ok((job, answer)) => {
                    if let Some(open) = self.open(job, answer) {
                        return Some(open);
                    }
                }
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        None
    }

    /// What is left to search for a job; one that needs no search is answered here.
    fn open(&self, job: Job, answer: Sender<Answer>) -> Option<Open> {
        let (board, line) = match job {
            Job::Board(board, line) => (board, line),
            Job::Invalid { line, problem } => {
                let _ = answer.send(Ok(Record::invalid(line, problem)));
                return None;
            }
        };
        match self.chooser.goal(board.shape()) {
            // No table is built for a board that has no solution.
            Ok(goal) => match goal.check_solvable(&board) {
                Ok(()) => Some(Open { board, goal, answer }),
                Err(reason) => {
                    let _ = answer.send(Ok(Record::unsolvable(&board, reason)));
                    None
                }
            },
            Err(problem) => self.open(Job::refused(&board, line, &problem), answer),
        }
    }
}

/// The boards of one goal, one after another.
struct Run<'a> {
    search: &'a Search<'a>,
    name: &'a str,
    goal: Goal,
    /// The board that the run began with.
    first: Mutex<Option<Open>>,
    /// The board of another goal that ended the run.
    other: Mutex<Option<Open>>,
    /// When the first board was asked for, and the time from then to the last answer.
    begun: OnceLock<Instant>,
    taken: Mutex<Duration>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Boards for Run<'_> {
    type Ticket = (Board, Sender<Answer>);

    fn next(&self) -> Next<Self::Ticket> {
        self.begun.get_or_init(Instant::now);
        if let Some(open) = lock(&self.first).take() {
            return Next::Board(open.board, (open.board, open.answer));
        }
        let mut other = lock(&self.other);
        loop {
            if other.is_some() || self.search.left.load(Ordering::Relaxed) {
                return Next::End;
            }
            match self.search.queue.try_recv() {
                Ok((job, answer)) => match self.search.open(job, answer) {
                    Some(open) if open.goal == self.goal => {
                        return Next::Board(open.board, (open.board, open.answer));
                    }
                    Some(open) => *other = Some(open),
                    None => (),
                },
                Err(TryRecvError::Empty) => return Next::Later,
                Err(TryRecvError::Disconnected) => return Next::End,
            }
        }
    }

    fn answer(&self, (board, answer): Self::Ticket, outcome: Result<Outcome, SearchError>) {
        let moves: MoveStyle = self.search.settings.style.moves;
        let record = outcome.map(|outcome| {
            lock(&self.search.totals).add(&outcome);
            Record::solved(&board, self.name, &outcome, moves)
        });
        if let Some(begun) = self.begun.get() {
            let mut taken = lock(&self.taken);
            *taken = begun.elapsed().max(*taken);
        }
        let _ = answer.send(record.map_err(Into::into));
    }
}

/// Step 3.
fn write_all(
    slots: &Receiver<Slot>,
    stop: &AtomicBool,
    style: Style,
    output: &mut Output,
) -> anyhow::Result<Verdict> {
    let mut verdict = Verdict::Good;
    while !output.is_closed() {
        // Nothing that is known is held back while something is waited for.
        if slots.is_empty() {
            output.flush()?;
        }
        let Some(slot) = receive(slots) else { break };
        if slot.is_empty() {
            output.flush()?;
        }
        let Some(answer) = receive_answer(&slot, stop) else {
            break;
        };
        cut::check()?;
        let record = answer?;
        verdict = verdict.max(Verdict::of(record.is_good()));
        record.write(output, style)?;
    }
    Ok(verdict)
}

/// The next slot, unless there is none, or an interrupt finds nothing to wait for.
fn receive(slots: &Receiver<Slot>) -> Option<Slot> {
    loop {
        match slots.recv_timeout(POLL) {
            Ok(slot) => return Some(slot),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) if interrupt::is_set() => return None,
            Err(RecvTimeoutError::Timeout) => (),
        }
    }
}

/// The answer in a slot; an interrupt ends the searches, and with them the wait.
fn receive_answer(slot: &Slot, stop: &AtomicBool) -> Option<Answer> {
    loop {
        match slot.recv_timeout(POLL) {
            Ok(answer) => return Some(answer),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {
                if interrupt::is_set() || cut::is_set() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
    }
}
