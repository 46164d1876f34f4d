//! Long work on another thread, while the calling thread listens to Ctrl-C.
//!
//! 1. The work runs on a worker: a thread that was started for earlier work and kept, or a new one
//!    where that is busy. The calling thread releases the interpreter and waits.
//! 2. Events of the work are sent to the waiting thread, which calls Python's function with them:
//!    no function of Python runs on a thread that Python does not know.
//! 3. Every twentieth of a second the waiting thread checks for signals. If a handler raises, as
//!    that of Ctrl-C does, or the function does, the work is cancelled and the exception is raised
//!    when the work has ended.
//!
//! Work that takes about a millisecond runs on the calling thread instead: see `handle.rs`.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{mem, process, thread};

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use pyo3::prelude::*;
use tilebase::{Cancel, Error};

use crate::errors;

/// How often a waiting thread checks for signals.
pub(crate) const POLL: Duration = Duration::from_millis(50);

/// A message of the work to the waiting thread.
enum Message<E, T> {
    Event(E),
    /// The result of the work, or its panic. Nothing comes after it.
    Done(thread::Result<T>),
}

/// Sends events to the waiting thread, from any thread.
#[derive(Clone, Debug)]
pub(crate) struct Teller<E, T>(Sender<Message<E, T>>);

impl<E, T> Teller<E, T> {
    /// Sends an event, if the caller still waits.
    pub(crate) fn tell(&self, event: E) {
        let _ = self.0.send(Message::Event(event));
    }
}

/// Runs work that `cancel` ends and that tells no events.
pub(crate) fn work<T: Send + 'static>(
    py: Python<'_>,
    cancel: &Cancel,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    telling(py, cancel, |_: Teller<(), T>| work(), |_, ()| Ok(()))
}

/// Runs work that `cancel` ends; its events are handed to `told`, which may call Python.
pub(crate) fn telling<E: Send + 'static, T: Send + 'static>(
    py: Python<'_>,
    cancel: &Cancel,
    work: impl FnOnce(Teller<E, T>) -> T + Send + 'static,
    mut told: impl FnMut(Python<'_>, E) -> PyResult<()>,
) -> PyResult<T> {
    let (sender, receiver) = unbounded();
    let worker = Worker::take().map_err(errors::of)?;
    worker.run(Box::new(move || {
        let teller = Teller(sender.clone());
        let result = catch_unwind(AssertUnwindSafe(|| work(teller)));
        let _ = sender.send(Message::Done(result));
    }));
    let result = listen(py, &receiver, &mut told).inspect_err(|_| {
        cancel.cancel();
        // Events that come while the work ends are dropped.
        py.detach(|| receiver.iter().find(|message| matches!(message, Message::Done(_))));
    });
    worker.keep();
    Ok(result?.unwrap_or_else(|panic| resume_unwind(panic)))
}

/// Waits for the result of the work, handing its events over.
fn listen<E: Send, T: Send>(
    py: Python<'_>,
    receiver: &Receiver<Message<E, T>>,
    told: &mut impl FnMut(Python<'_>, E) -> PyResult<()>,
) -> PyResult<thread::Result<T>> {
    loop {
        match py.detach(|| receiver.recv_timeout(POLL)) {
            Ok(Message::Event(event)) => told(py, event)?,
            Ok(Message::Done(result)) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => unreachable!("work ends with a result"),
        }
    }
}

type Job = Box<dyn FnOnce() + Send>;

/// A thread that runs one job after another.
struct Worker {
    jobs: Sender<Job>,
    /// The process that the thread belongs to.
    process: u32,
}

/// The worker without work. It is locked only while the interpreter is held, so that a fork, for
/// which Python holds the interpreter, never copies a locked one.
static KEPT: Mutex<Option<Worker>> = Mutex::new(None);

fn kept() -> MutexGuard<'static, Option<Worker>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Worker {
    /// The kept worker, or a new one where another call uses it.
    fn take() -> Result<Self, Error> {
        match kept().take() {
            Some(worker) if worker.process == process::id() => return Ok(worker),
            // The threads of the parent do not exist in the child of a fork, and their channel may
            // have been copied in any state.
            Some(of_parent) => mem::forget(of_parent),
            None => (),
        }
        let (jobs, received) = unbounded::<Job>();
        let run = move || received.iter().for_each(|job| job());
        let thread = thread::Builder::new().name("tilebase".into()).spawn(run);
        thread.map_err(|source| Error::Threads { source })?;
        Ok(Self { jobs, process: process::id() })
    }

    fn run(&self, job: Job) {
        self.jobs.send(job).expect("a worker runs as long as jobs may come");
    }

    /// Keeps the worker for the next call. Its thread ends where another one is kept already.
    fn keep(self) {
        kept().get_or_insert(self);
    }
}
