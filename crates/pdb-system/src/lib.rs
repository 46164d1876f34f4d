//! System calls of Windows and macOS that neither the standard library nor rustix offers, as safe
//! functions: the state of a file, the sizes of memory and disk, and interrupts.
//!
//! It is empty on other systems, where no crate of Tilebase imports it. It decides nothing: callers
//! choose what a missing figure means.
//!
//! ```
//! # #[cfg(windows)]
//! assert!(pdb_system::available_memory_bytes() <= pdb_system::physical_memory_bytes());
//! ```
//!
//! Read next: the module `windows`, and `docs/platforms.md`.

#[cfg(target_vendor = "apple")]
mod apple;
#[cfg(windows)]
mod windows;

#[cfg(target_vendor = "apple")]
pub use apple::physical_memory_bytes;
#[cfg(windows)]
pub use windows::{
    FileState, available_memory_bytes, free_disk_bytes, lock_memory, on_interrupt,
    peak_memory_bytes, physical_memory_bytes,
};
