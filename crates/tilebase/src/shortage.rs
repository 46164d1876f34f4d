//! Error of tables that do not fit the memory or the disk.

use thiserror::Error;

/// Lack of memory or disk space for tables.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Shortage {
    /// The memory limit is too small.
    #[error("{0}")]
    Memory(String),
    /// The disk of the folder is too small.
    #[error("{problem}")]
    Disk {
        /// Free space of the folder, in bytes.
        free_bytes: u64,
        /// The size that is needed, and what would fit.
        problem: String,
    },
}
