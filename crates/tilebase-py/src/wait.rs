//! Long work on another thread, while the calling thread listens to Ctrl-C.
//!
//! 1. The work runs on a worker: the thread that is kept for such work, or a new one if that is
//!    busy. The calling thread releases the interpreter and waits.
//! 2. The work sends events to the waiting thread, which calls Python's function with them: no
//!    function of Python runs on a thread that Python does not know.
//! 3. Every twentieth of a second the waiting thread checks for signals. If a handler raises, as
//!    that of Ctrl-C does, or the function does, the work is cancelled, and the exception is raised
//!    when the work has ended.
//!
//! Work of about a millisecond runs on the calling thread instead: see `handle.rs`.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{mem, process, thread};

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use pyo3::prelude::*;
use tilebase::{Cancel, Error};

use crate::errors::Result;

/// Time between two checks for signals.
pub(crate) const POLL: Duration = Duration::from_millis(50);

/// A message of the work to the waiting thread.
enum Message<E, T> {
    Event(E),
    /// The last message: the result of the work, or its panic.
    Done(thread::Result<T>),
}

/// Sender of events to the waiting thread, for any thread of the work.
#[derive(Clone, Debug)]
pub(crate) struct Events<E, T>(Sender<Message<E, T>>);

impl<E, T> Events<E, T> {
    /// Sends an event, if the caller still waits.
    pub(crate) fn send(&self, event: E) {
        let _ = self.0.send(Message::Event(event));
    }
}

/// Locks a mutex, also after a panic of another thread.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs work without events that `cancel` stops.
pub(crate) fn work<T: Send + 'static>(
    py: Python<'_>,
    cancel: &Cancel,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    work_with_events(py, cancel, |_: Events<(), T>| work(), |_, ()| Ok(()))
}

/// Runs work that `cancel` stops, and passes its events to `receive`, which may call Python.
pub(crate) fn work_with_events<E: Send + 'static, T: Send + 'static>(
    py: Python<'_>,
    cancel: &Cancel,
    work: impl FnOnce(Events<E, T>) -> T + Send + 'static,
    mut receive: impl FnMut(Python<'_>, E) -> PyResult<()>,
) -> Result<T> {
    let (sender, receiver) = unbounded();
    let worker = Worker::take()?;
    let job = move || {
        let events = Events(sender.clone());
        let result = catch_unwind(AssertUnwindSafe(|| work(events)));
        let _ = sender.send(Message::Done(result));
    };
    worker.jobs.send(Box::new(job)).expect("a worker runs until its channel is dropped");
    let result = listen(py, &receiver, &mut receive).inspect_err(|_| {
        cancel.cancel();
        // Events that come while the work ends are dropped.
        py.detach(|| receiver.iter().find(|message| matches!(message, Message::Done(_))));
    });
    // Keeps the worker for the next call. Its thread ends if another one is kept already.
    lock(&KEPT).get_or_insert(worker);
    Ok(result?.unwrap_or_else(|panic| resume_unwind(panic)))
}

/// Waits for the result of the work and passes its events on.
fn listen<E: Send, T: Send>(
    py: Python<'_>,
    receiver: &Receiver<Message<E, T>>,
    receive: &mut impl FnMut(Python<'_>, E) -> PyResult<()>,
) -> PyResult<thread::Result<T>> {
    loop {
        match py.detach(|| receiver.recv_timeout(POLL)) {
            Ok(Message::Event(event)) => receive(py, event)?,
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

/// The worker without work. It is locked only while the interpreter is held. A fork also holds the
/// interpreter, so it never copies a locked one.
static KEPT: Mutex<Option<Worker>> = Mutex::new(None);

impl Worker {
    /// Takes the kept worker, or starts a new one while another call uses that.
    fn take() -> Result<Self> {
        match lock(&KEPT).take() {
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
}
