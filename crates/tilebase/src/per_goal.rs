//! A value for each goal, created once, and replaced by better ones.

use std::sync::{Arc, Mutex, TryLockError};
use std::thread;
use std::time::Duration;

use pdb_core::Goal;

use crate::cancel::Cancel;
use crate::error::{Error, FirstError};
use crate::sync::lock;

/// Time between two looks of a waiting thread, at the value and at its flag.
const POLL: Duration = Duration::from_millis(10);

/// Values by goal, each made when the first board with the goal needs it.
pub(crate) struct PerGoal<T>(Mutex<Vec<(Goal, Arc<Slot<T>>)>>);

/// The value of one goal.
struct Slot<T> {
    /// The value, or its error. A failed value is not tried again for every board.
    made: Mutex<Option<Result<Arc<T>, FirstError>>>,
    /// Locked while the value is made.
    making: Mutex<()>,
}

impl<T> Default for PerGoal<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> PerGoal<T> {
    /// Returns the value of a goal if it was made.
    pub(crate) fn get(&self, goal: &Goal) -> Option<Arc<T>> {
        let slots = lock(&self.0);
        let (_, slot) = slots.iter().find(|(known, _)| known == goal)?;
        lock(&slot.made).clone()?.ok()
    }

    /// Returns the value of a goal. The first call for a goal makes it by `make`; concurrent calls
    /// wait. `cancel` ends the wait, and should end `make`. After an interruption or a panic, a
    /// waiting call or the next one makes the value.
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
        let made = self.replace(goal, None, cancel, make);
        if let Err(error) = &made
            && !error.is_interrupted()
        {
            let failed = || Err(FirstError::of(error));
            lock(&self.slot(goal).made).get_or_insert_with(failed);
        }
        made
    }

    /// Returns the value of a goal if it is another one than `old`, and makes it by `make`
    /// otherwise, like [`get_or_make`](Self::get_or_make). A failure is not remembered.
    ///
    /// # Errors
    /// As [`get_or_make`](Self::get_or_make).
    pub(crate) fn replace(
        &self,
        goal: &Goal,
        old: Option<&Arc<T>>,
        cancel: &Cancel,
        make: impl FnOnce() -> Result<T, Error>,
    ) -> Result<Arc<T>, Error> {
        let slot = self.slot(goal);
        let _making = loop {
            let making = match slot.making.try_lock() {
                Ok(making) => Some(making),
                Err(TryLockError::Poisoned(error)) => Some(error.into_inner()),
                Err(TryLockError::WouldBlock) => None,
            };
            // The last owner of the lock may have made the value.
            let is_old = |made: &Arc<T>| old.is_some_and(|old| Arc::ptr_eq(old, made));
            let made = lock(&slot.made).clone();
            if let Some(made) = made.filter(|made| !made.as_ref().is_ok_and(is_old)) {
                return made.map_err(Error::Again);
            }
            if let Some(making) = making {
                break making;
            }
            if cancel.is_cancelled() {
                return Err(Error::Interrupted);
            }
            thread::sleep(POLL);
        };
        let made = make().map(Arc::new);
        if let Ok(value) = &made {
            *lock(&slot.made) = Some(Ok(Arc::clone(value)));
        }
        made
    }

    /// Returns the slot of a goal.
    fn slot(&self, goal: &Goal) -> Arc<Slot<T>> {
        let mut slots = lock(&self.0);
        if let Some((_, slot)) = slots.iter().find(|(known, _)| known == goal) {
            return Arc::clone(slot);
        }
        let slot = Arc::new(Slot { made: Mutex::default(), making: Mutex::default() });
        slots.push((*goal, Arc::clone(&slot)));
        slot
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

    use std::sync::mpsc::channel;
    use std::time::Instant;

    use pdb_core::Shape;

    use super::*;
    use crate::error::ErrorKind;
    use crate::remedy::Remedy;

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
        let error = Error::MissingTable { path: "a.pdb".into(), spec: "8/whole".into() };
        assert!(matches!(make(Err(error)), Err(Error::MissingTable { .. })));
        let again = make(Ok(7)).unwrap_err();
        assert_eq!(again.to_string(), "a.pdb is missing");
        assert_eq!(again.kind(), ErrorKind::MissingTable);
        assert_eq!(again.remedy(), Some(Remedy::Build(Some("8/whole".into()))));
    }

    #[test]
    fn better_value_replaces_the_old_one_and_a_failure_does_not() {
        let (slots, cancel) = (PerGoal::default(), Cancel::new());
        let old = slots.get_or_make(&goal(), &cancel, || Ok(7)).unwrap();
        let replace = |old, result| slots.replace(&goal(), Some(old), &cancel, || result);
        let error = Error::MissingTable { path: "a.pdb".into(), spec: "8/whole".into() };
        assert!(replace(&old, Err(error)).is_err());
        assert_eq!(slots.get(&goal()), Some(Arc::clone(&old)));
        let better = replace(&old, Ok(8)).unwrap();
        assert_eq!((*better, *replace(&old, Ok(9)).unwrap()), (8, 8));
        assert_eq!(slots.get(&goal()), Some(better));
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
