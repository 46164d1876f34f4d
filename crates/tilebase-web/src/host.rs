//! The page around the solver.

use std::fmt::Debug;

/// Services of the page's script for the solver.
pub trait Host: Debug + Send + Sync {
    /// Begins a response with a status of HTTP and a content type.
    fn start(&self, status: u16, content_type: &str);

    /// Sends a part of the response: a record, or events as they happen.
    fn send(&self, part: &[u8]);

    /// Stores a table file that was built.
    fn store(&self, name: &str, file: &[u8]);

    /// Returns the first `len` bytes of a file, if it has so many: of a stored table, or of weights
    /// beside the page, such as `5x5.order`.
    fn read(&self, name: &str, len: usize) -> Option<Vec<u8>>;

    /// Returns the expected digest of a table file in hexadecimal digits, if a shipped spec has
    /// the table. The solver does not contain the goldens, because only builds need them.
    fn known_digest(&self, name: &str) -> Option<String>;

    /// Returns a random number.
    fn random(&self) -> u64;
}
