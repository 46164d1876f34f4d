//! Who takes part, and how bytes get from one to another.

use std::fmt;

/// The ranks of a job, as one of them sees them: numbered from 0 on, each with messages from and to each.
///
/// One thread has it. Nothing waits here, so that a rank which is lost holds nobody up.
pub trait Peers {
    /// The number of this rank.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn count(&self) -> usize;

    /// The name of the machine that this rank runs on.
    fn host(&self) -> String;

    /// Sends a message. Messages from one rank to another arrive in the order in which they are sent.
    fn send(&mut self, to: usize, message: Vec<u8>);

    /// The next message that has arrived, and the rank that sent it.
    fn receive(&mut self) -> Option<(usize, Vec<u8>)>;

    /// Messages that this rank has not handed over yet, but for those to the ranks that `is_lost`.
    fn unsent(&mut self, is_lost: &dyn Fn(usize) -> bool) -> usize;
}

/// A rank in messages: its number and machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'a>(pub(crate) usize, pub(crate) &'a str);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} on {}", self.0, self.1)
    }
}
