//! Locks.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex. The data is used even if another thread panicked: that panic ends the work soon.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the data out of a mutex, as [`lock`].
pub(crate) fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
