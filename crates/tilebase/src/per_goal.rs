//! What is made once for each goal and kept.

use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pdb_core::Goal;

use crate::{Cancel, Error};

/// How often a waiting thread looks whether it was cancelled.
const POLL: Duration = Duration::from_millis(50);

/// One of each goal, made when the first board with the goal needs it.
pub(crate) struct PerGoal<T>(Mutex<Vec<(Goal, Arc<Slot<T>>)>>);

/// What becomes of one goal.
struct Slot<T> {
    state: Mutex<State<T>>,
    /// Told when it is not being made any more.
    changed: Condvar,
}

enum State<T> {
    Unmade,
    Making,
    Made(Arc<T>),
    /// A failure is remembered, so that it is not tried again for every board.
    Failed(String),
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> Default for PerGoal<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self { state: Mutex::new(State::Unmade), changed: Condvar::new() }
    }
}

impl<T> PerGoal<T> {
    /// That of a goal, which `make` makes if it is the first call for it; where several come at once,
    /// one makes it and the others wait. `cancel` ends the wait, and is what ends `make`. What was
    /// interrupted is forgotten: one of those who wait makes it, or the next to come.
    ///
    /// # Errors
    /// Those of `make`; [`Error::Interrupted`] when the wait was cancelled; [`Error::Again`] when an
    /// earlier call has failed.
    pub(crate) fn get_or_make(
        &self,
        goal: &Goal,
        cancel: &Cancel,
        make: impl FnOnce() -> Result<T, Error>,
    ) -> Result<Arc<T>, Error> {
        let slot = {
            let mut slots = lock(&self.0);
            if let Some((_, slot)) = slots.iter().find(|(known, _)| known == goal) {
                Arc::clone(slot)
            } else {
                let slot = Arc::new(Slot::default());
                slots.push((*goal, Arc::clone(&slot)));
                slot
            }
        };
        let mut state = lock(&slot.state);
        loop {
            match &*state {
                State::Made(made) => return Ok(Arc::clone(made)),
                State::Failed(text) => return Err(Error::Again(text.clone())),
                State::Making if cancel.is_cancelled() => return Err(Error::Interrupted),
                State::Making => {
                    let waited = slot.changed.wait_timeout(state, POLL);
                    (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
                }
                State::Unmade => break,
            }
        }
        *state = State::Making;
        drop(state);
        let mut turn = Turn { slot: &slot, becomes: State::Unmade };
        let made = make().map(Arc::new);
        turn.becomes = match &made {
            Ok(made) => State::Made(Arc::clone(made)),
            Err(error) if error.is_interrupted() => State::Unmade,
            Err(error) => State::Failed(error.to_string()),
        };
        made
    }
}

/// The turn of whoever makes it; it ends when this is dropped, also by a panic.
struct Turn<'a, T> {
    slot: &'a Slot<T>,
    becomes: State<T>,
}

impl<T> Drop for Turn<'_, T> {
    fn drop(&mut self) {
        *lock(&self.slot.state) = mem::replace(&mut self.becomes, State::Unmade);
        self.slot.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Instant;

    use pdb_core::Shape;

    use super::*;

    fn goal() -> Goal {
        Goal::blank_last(Shape::new(3, 3).unwrap())
    }

    #[test]
    fn what_was_interrupted_is_made_by_the_next_and_what_failed_is_not_tried_again() {
        let (slots, cancel) = (PerGoal::default(), Cancel::new());
        let make = |result| slots.get_or_make(&goal(), &cancel, || result);
        assert!(matches!(make(Err(Error::Interrupted)), Err(Error::Interrupted)));
        assert_eq!(*make(Ok(7)).unwrap(), 7);
        assert_eq!(*make(Ok(8)).unwrap(), 7);
        let slots = PerGoal::<u32>::default();
        let make = |result| slots.get_or_make(&goal(), &cancel, || result);
        assert!(matches!(make(Err(Error::Again("no".into()))), Err(Error::Again(_))));
        assert!(matches!(make(Ok(7)), Err(Error::Again(text)) if text == "no"));
    }

    #[test]
    fn a_panic_leaves_it_unmade() {
        let (slots, cancel) = (PerGoal::default(), Cancel::new());
        thread::scope(|scope| {
            let panics = || slots.get_or_make(&goal(), &cancel, || panic!("on purpose")).map(drop);
            assert!(scope.spawn(panics).join().is_err());
        });
        assert_eq!(*slots.get_or_make(&goal(), &cancel, || Ok(7)).unwrap(), 7);
    }

    #[test]
    fn who_waits_may_leave_and_takes_over_what_was_interrupted() {
        let slots = PerGoal::default();
        let (begun, has_begun) = channel();
        let (end, may_end) = channel::<()>();
        thread::scope(|scope| {
            let maker = scope.spawn(|| {
                slots.get_or_make(&goal(), &Cancel::new(), move || {
                    begun.send(()).unwrap();
                    may_end.recv().unwrap();
                    Err(Error::Interrupted)
                })
            });
            has_begun.recv().unwrap();
            let cancelled = Cancel::new();
            cancelled.cancel();
            let left = slots.get_or_make(&goal(), &cancelled, || Ok(1));
            assert!(matches!(left, Err(Error::Interrupted)));
            let waiter = scope.spawn(|| slots.get_or_make(&goal(), &Cancel::new(), || Ok(2)));
            let soon = Instant::now() + Duration::from_millis(100);
            while Instant::now() < soon {
                assert!(!waiter.is_finished(), "it is being made");
                thread::yield_now();
            }
            end.send(()).unwrap();
            assert!(matches!(maker.join().unwrap(), Err(Error::Interrupted)));
            assert_eq!(*waiter.join().unwrap().unwrap(), 2);
        });
    }
}
