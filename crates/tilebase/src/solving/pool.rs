//! Solves boards on several threads and keeps their order.
//!
//! 1. A reader makes a slot for each job and queues it twice: the slot's receiving end in the order
//!    of the boards, the job with the slot's sending end for the searching threads.
//! 2. The searching threads take jobs and put records into their slots.
//! 3. The caller's thread empties the slots in order. The queues are short, so a slow board holds
//!    the reader back, and memory stays flat however long the input is.
//!
//! The reader may wait for input that never comes: nobody waits for the reader.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded};
use pdb_core::notation::MoveStyle;
use pdb_search::Limits;

use super::{Chooser, Job, Jobs, Record, Style};
use crate::failure::Verdict;
use crate::interrupt;
use crate::output::Output;

/// So many boards are between reading and writing.
const WINDOW: usize = 1024;
/// How often a waiting thread looks at the flags.
const POLL: Duration = Duration::from_millis(50);

type Answer = anyhow::Result<Record>;

/// Solves all boards and writes their records in order, until the reader of the output leaves.
///
/// After an interrupt no further board is read; those that were are answered with what is known.
pub(crate) fn solve_all(
    jobs: Jobs,
    chooser: &Chooser,
    limits: Limits<'_>,
    style: Style,
    output: &mut Output,
) -> anyhow::Result<Verdict> {
    let job_count_max = jobs.size_hint().1.unwrap_or(usize::MAX);
    let (slots_in, slots) = bounded(WINDOW);
    let (jobs_in, queue) = bounded(WINDOW);
    thread::spawn(move || read(jobs, &slots_in, &jobs_in));
    let (stop, left) = (AtomicBool::new(false), AtomicBool::new(false));
    let limits = Limits { stop: Some(&stop), ..limits };
    thread::scope(|scope| {
        for _ in 0..chooser.thread_count.min(job_count_max) {
            scope.spawn(|| search(&queue, chooser, limits, style.moves, &left));
        }
        let result = write_all(&slots, &stop, style, output);
        stop.store(true, Ordering::Relaxed);
        left.store(true, Ordering::Relaxed);
        result
    })
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

/// Step 2; ends with the jobs, or when nobody wants answers any more.
fn search(
    queue: &Receiver<(Job, Sender<Answer>)>,
    chooser: &Chooser,
    limits: Limits<'_>,
    moves: MoveStyle,
    left: &AtomicBool,
) {
    while !left.load(Ordering::Relaxed) {
        match queue.recv_timeout(POLL) {
            Ok((job, answer)) => {
                // An answer that nobody waits for is dropped.
                let _ = answer.send(solve(&job, chooser, limits, moves));
            }
            Err(RecvTimeoutError::Timeout) => (),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
}

fn solve(job: &Job, chooser: &Chooser, limits: Limits<'_>, moves: MoveStyle) -> Answer {
    let (board, line) = match job {
        Job::Board(board, line) => (board, *line),
        Job::Invalid { line, problem } => {
            return Ok(Record::invalid(line.clone(), problem.clone()));
        }
    };
    let goal = match chooser.goal(board.shape()) {
        Ok(goal) => goal,
        Err(problem) => return solve(&Job::refused(board, line, &problem), chooser, limits, moves),
    };
    // No table is built for a board that has no solution.
    if let Err(reason) = goal.check_solvable(board) {
        return Ok(Record::unsolvable(board, reason));
    }
    let engine = chooser.engine(&goal)?;
    let outcome = engine.solve(board, limits)?;
    Ok(Record::solved(board, &engine.name, &outcome, moves))
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
                if interrupt::is_set() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
    }
}
