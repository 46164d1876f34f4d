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

    /// Reads the first bytes of a stored table file. Returns whether there were enough.
    fn read(&self, name: &str, bytes: &mut [u8]) -> bool;

    /// Returns the expected digest of a table file in hexadecimal digits, if a shipped spec has
    /// the table. The solver does not contain the goldens, because only builds need them.
    fn known_digest(&self, name: &str) -> Option<String>;

    /// Returns a random number.
    fn random(&self) -> u64;
}
