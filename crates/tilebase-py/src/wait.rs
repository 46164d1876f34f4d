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
use std::sync::Mutex;
use std::time::Duration;
use std::{mem, process, thread};

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use pyo3::prelude::*;
pub(crate) use tilebase::pdb_core::lock;
use tilebase::{Cancel, Error};

use crate::errors::Result;

/// Time between two checks for signals.
pub(crate) const POLL: Duration = Duration::from_millis(50);

/// A message of the work to the waiting thread.
#[derive(Debug)]
pub(crate) enum Message<E, T> {
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
    let running = Running::start(cancel, work)?;
    let result = loop {
        match running.next(py) {
            Ok(Some(Message::Event(event))) => {
                if let Err(error) = receive(py, event) {
                    break Err(error);
                }
            }
            Ok(Some(Message::Done(result))) => break Ok(result),
            Ok(None) => unreachable!("work ends with a result"),
            Err(error) => break Err(error),
        }
    };
    if result.is_err() {
        running.stop(py);
    }
    Ok(result?.unwrap_or_else(|panic| resume_unwind(panic)))
}

/// Work that runs on a worker. Any number of threads may take its messages.
#[derive(Debug)]
pub(crate) struct Running<E, T> {
    messages: Receiver<Message<E, T>>,
    cancel: Cancel,
    /// The worker, until the work has ended. Locked only while the interpreter is held.
    worker: Mutex<Option<Worker>>,
}

impl<E: Send + 'static, T: Send + 'static> Running<E, T> {
    /// Starts work that `cancel` stops.
    pub(crate) fn start(
        cancel: &Cancel,
        work: impl FnOnce(Events<E, T>) -> T + Send + 'static,
    ) -> Result<Self> {
        let (sender, messages) = unbounded();
        let worker = Worker::take()?;
        let job = move || {
            let events = Events(sender.clone());
            let result = catch_unwind(AssertUnwindSafe(|| work(events)));
            let _ = sender.send(Message::Done(result));
        };
        worker.jobs.send(Box::new(job)).expect("a worker runs until its channel is dropped");
        Ok(Self { messages, cancel: cancel.clone(), worker: Mutex::new(Some(worker)) })
    }

    /// Waits for the next message. Returns `None` after the last one.
    ///
    /// # Errors
    /// The exception of a handler of signals; the work still runs.
    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Option<Message<E, T>>> {
        while !self.has_ended() {
            match py.detach(|| self.messages.recv_timeout(POLL)) {
                Ok(message) => {
                    if matches!(message, Message::Done(_)) {
                        self.keep_worker();
                    }
                    return Ok(Some(message));
                }
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(None)
    }

    /// Cancels the work, and waits for its end. Drops events that come meanwhile.
    pub(crate) fn stop(&self, py: Python<'_>) {
        self.cancel.cancel();
        while !self.has_ended() {
            match py.detach(|| self.messages.recv_timeout(POLL)) {
                Ok(Message::Event(_)) | Err(RecvTimeoutError::Timeout) => (),
                Ok(Message::Done(_)) | Err(RecvTimeoutError::Disconnected) => self.keep_worker(),
            }
        }
    }

    /// Returns whether the last message was taken.
    fn has_ended(&self) -> bool {
        lock(&self.worker).is_none()
    }

    /// Keeps the worker for the next call. Its thread ends if another one is kept already.
    fn keep_worker(&self) {
        if let Some(worker) = lock(&self.worker).take() {
            lock(&KEPT).get_or_insert(OfProcess::new(worker));
        }
    }
}

/// A value with threads of the process that made it. The child of a fork lacks these threads, so it
/// neither reaches the value nor drops it, which would wait for them.
#[derive(Debug)]
pub(crate) struct OfProcess<T> {
    value: Option<T>,
    process: u32,
}

impl<T> OfProcess<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { value: Some(value), process: process::id() }
    }

    /// Returns the value, or `None` in a child.
    pub(crate) fn get(&self) -> Option<&T> {
        self.value.as_ref().filter(|_| self.process == process::id())
    }

    pub(crate) fn get_mut(&mut self) -> Option<&mut T> {
        self.value.as_mut().filter(|_| self.process == process::id())
    }

    /// Takes the value out, or nothing in a child.
    pub(crate) fn take(&mut self) -> Option<T> {
        let value = self.value.take();
        if self.process == process::id() {
            return value;
        }
        mem::forget(value);
        None
    }
}

impl<T> Drop for OfProcess<T> {
    fn drop(&mut self) {
        drop(self.take());
    }
}

type Job = Box<dyn FnOnce() + Send>;

/// A thread that runs one job after another.
#[derive(Debug)]
struct Worker {
    jobs: Sender<Job>,
}

/// The worker without work. It is locked only while the interpreter is held. A fork also holds the
/// interpreter, so it never copies a locked one.
static KEPT: Mutex<Option<OfProcess<Worker>>> = Mutex::new(None);

impl Worker {
    /// Takes the kept worker, or starts a new one while another call uses that.
    fn take() -> Result<Self> {
        let kept = lock(&KEPT).take();
        if let Some(worker) = kept.and_then(|mut kept| kept.take()) {
            return Ok(worker);
        }
        let (jobs, received) = unbounded::<Job>();
        let run = move || received.iter().for_each(|job| job());
        let thread = tilebase::pdb_core::thread_builder().name("tilebase".into()).spawn(run);
        thread.map_err(|source| Error::Threads { source })?;
        Ok(Self { jobs })
    }
}
