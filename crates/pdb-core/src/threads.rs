//! The stack and the locks of threads. This crate starts none.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

/// Size of a thread's stack, in bytes: the usual one of Rust programs.
pub const STACK_BYTES: usize = 2 << 20;

/// Returns the builder of a thread with the usual stack.
///
/// The standard library would take the size from the environment variable `RUST_MIN_STACK`. A wrong
/// value there ends the program, or lets no thread start.
pub fn thread_builder() -> Builder {
    Builder::new().stack_size(STACK_BYTES)
}

/// Locks a mutex, also after a thread panicked with the lock: that panic ends the work soon, so
/// nothing uses what it left.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
