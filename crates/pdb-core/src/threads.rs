//! The stack of threads. This crate starts none.

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
