//! What is made once for each goal and kept.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pdb_core::Goal;

use crate::Error;

/// What was made for a goal, once somebody asked. A failure is remembered, so that it is not tried
/// again for every board.
type Slot<T> = OnceLock<Result<Arc<T>, String>>;

/// One of each goal, made when the first board with the goal needs it.
pub(crate) struct PerGoal<T>(Mutex<Vec<(Goal, Arc<Slot<T>>)>>);

impl<T> Default for PerGoal<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> PerGoal<T> {
    /// That of a goal, which `make` makes if it is the first call for it; where several come at once,
    /// one makes it and the others wait.
    ///
    /// # Errors
    /// Those of `make`; [`Error::Again`] when an earlier call has failed.
    pub(crate) fn get_or_make(
        &self,
        goal: &Goal,
        make: impl FnOnce() -> Result<T, Error>,
    ) -> Result<Arc<T>, Error> {
        let slot = {
            let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((_, slot)) = slots.iter().find(|(known, _)| known == goal) {
                Arc::clone(slot)
            } else {
                let slot = Arc::new(Slot::new());
                slots.push((*goal, Arc::clone(&slot)));
                slot
            }
        };
        let mut failure = None;
        let made = slot.get_or_init(|| match make() {
            Ok(made) => Ok(Arc::new(made)),
            Err(error) => {
                let text = error.to_string();
                failure = Some(error);
                Err(text)
            }
        });
        match (made, failure) {
            (Ok(made), _) => Ok(Arc::clone(made)),
            (Err(_), Some(error)) => Err(error),
            (Err(text), None) => Err(Error::Again(text.clone())),
        }
    }
}
