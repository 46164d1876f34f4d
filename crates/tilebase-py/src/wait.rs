//! Long work on a thread of its own, while the thread that asked for it listens to Ctrl-C.
//!
//! 1. The work begins on another thread. The one that Python called lets go of the interpreter and waits.
//! 2. What the work tells comes to the waiting thread, which calls Python's function with it: no function of
//!    Python runs on a thread that Python does not know.
//! 3. Every twentieth of a second the waiting thread asks whether there was a signal. If its handler raises,
//!    as that of Ctrl-C does, or the function does, the work is cancelled and the exception goes on when the
//!    work has ended.

use std::panic::resume_unwind;
use std::thread;
use std::time::Duration;

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use pyo3::prelude::*;
use tilebase::Error;

use crate::errors;

/// How often a waiting thread asks for signals.
pub(crate) const POLL: Duration = Duration::from_millis(50);

/// What the work tells.
#[derive(Debug)]
enum Told<E, T> {
    Event(E),
    Done(T),
    /// The thread ended, with a result or without.
    Ended,
}

/// Who is told what happens, on whatever thread.
#[derive(Clone, Debug)]
pub(crate) struct Teller<E, T>(Sender<Told<E, T>>);

impl<E, T> Teller<E, T> {
    /// Hands an event over, if somebody still listens.
    pub(crate) fn tell(&self, event: E) {
        let _ = self.0.send(Told::Event(event));
    }
}

/// Says that the thread ended, however it did.
struct Ends<E, T>(Sender<Told<E, T>>);

impl<E, T> Drop for Ends<E, T> {
    fn drop(&mut self) {
        let _ = self.0.send(Told::Ended);
    }
}

/// Does work that `stop` ends, and nobody is told about.
pub(crate) fn work<T: Send>(
    py: Python<'_>,
    stop: &dyn Fn(),
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    telling(py, stop, |_: Teller<(), T>| work(), |_, ()| Ok(()))
}

/// Does work that `stop` ends; what it tells is handed to `told`, which may call Python.
pub(crate) fn telling<E: Send, T: Send>(
    py: Python<'_>,
    stop: &dyn Fn(),
    work: impl FnOnce(Teller<E, T>) -> T + Send,
    mut told: impl FnMut(Python<'_>, E) -> PyResult<()>,
) -> PyResult<T> {
    let (sender, receiver) = unbounded();
    thread::scope(|scope| {
        let work = move || {
            let ends = Ends(sender);
            let result = work(Teller(ends.0.clone()));
            // Whoever waits for it waits for the thread, too.
            let _ = ends.0.send(Told::Done(result));
        };
        let thread = thread::Builder::new().name("tilebase".into()).spawn_scoped(scope, work);
        let thread = thread.map_err(|source| errors::of(Error::Threads { source }))?;
        let result = listen(py, &receiver, &mut told);
        if result.is_err() {
            stop();
        }
        // Nothing of the interpreter is held while the work ends.
        if let Err(panic) = py.detach(|| thread.join()) {
            resume_unwind(panic);
        }
        result.map(|result| result.expect("work that did not panic has a result"))
    })
}

/// The result of the work; nothing where it panicked.
fn listen<E: Send, T: Send>(
    py: Python<'_>,
    receiver: &Receiver<Told<E, T>>,
    told: &mut impl FnMut(Python<'_>, E) -> PyResult<()>,
) -> PyResult<Option<T>> {
    loop {
        match py.detach(|| receiver.recv_timeout(POLL)) {
            Ok(Told::Event(event)) => told(py, event)?,
            Ok(Told::Done(result)) => return Ok(Some(result)),
            Ok(Told::Ended) | Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
        }
    }
}
