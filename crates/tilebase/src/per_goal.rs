//! A value for each goal, created once.

use std::mem;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use pdb_core::Goal;

use crate::cancel::Cancel;
use crate::error::Error;
use crate::sync::lock;

/// Time between two checks of the flag by a waiting thread.
const POLL: Duration = Duration::from_millis(50);

/// Values by goal, each made when the first board with the goal needs it.
pub(crate) struct PerGoal<T>(Mutex<Vec<(Goal, Arc<Slot<T>>)>>);

/// The value of one goal.
struct Slot<T> {
    state: Mutex<SlotState<T>>,
    /// Notified when the making of the value has ended.
    changed: Condvar,
}

enum SlotState<T> {
    Unmade,
    Making,
    Made(Arc<T>),
    /// The text of an error. A failed value is not tried again for every board.
    Failed(String),
}

impl<T> Default for PerGoal<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self { state: Mutex::new(SlotState::Unmade), changed: Condvar::new() }
    }
}

impl<T> PerGoal<T> {
    /// Returns the value of a goal. The first call for a goal makes it by `make`; concurrent calls
    /// wait. `cancel` ends the wait, and should end `make`. After an interruption, a waiting call
    /// or the next one makes the value.
    ///
    /// # Errors
    /// Those of `make`; [`Error::Interrupted`] when the wait was cancelled; [`Error::Again`] when
    /// an earlier call has failed.
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
                SlotState::Made(made) => return Ok(Arc::clone(made)),
                SlotState::Failed(text) => return Err(Error::Again(text.clone())),
                SlotState::Making if cancel.is_cancelled() => return Err(Error::Interrupted),
                SlotState::Making => {
                    let waited = slot.changed.wait_timeout(state, POLL);
                    (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
                }
                SlotState::Unmade => break,
            }
        }
        *state = SlotState::Making;
        drop(state);
        let mut guard = StateGuard { slot: &slot, state: SlotState::Unmade };
        let made = make().map(Arc::new);
        guard.state = match &made {
            Ok(made) => SlotState::Made(Arc::clone(made)),
            Err(error) if error.is_interrupted() => SlotState::Unmade,
            Err(error) => SlotState::Failed(error.to_string()),
        };
        made
    }
}

/// Sets the state of a slot when its creation ends, even by a panic.
struct StateGuard<'a, T> {
    slot: &'a Slot<T>,
    state: SlotState<T>,
}

impl<T> Drop for StateGuard<'_, T> {
    fn drop(&mut self) {
        *lock(&self.slot.state) = mem::replace(&mut self.state, SlotState::Unmade);
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
    fn interrupted_value_is_made_by_the_next_call_and_a_failure_is_remembered() {
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
    fn panic_leaves_the_value_unmade() {
        let (slots, cancel) = (PerGoal::default(), Cancel::new());
        thread::scope(|scope| {
            let panics = || slots.get_or_make(&goal(), &cancel, || panic!("on purpose")).map(drop);
            assert!(scope.spawn(panics).join().is_err());
        });
        assert_eq!(*slots.get_or_make(&goal(), &cancel, || Ok(7)).unwrap(), 7);
    }

    #[test]
    fn waiting_call_can_be_cancelled_and_takes_over_after_an_interruption() {
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
