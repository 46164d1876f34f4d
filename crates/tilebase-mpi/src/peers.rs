//! The connection between ranks: over MPI, or, in tests, between threads of one process.

/// The ranks of a job, as seen by one of them: numbered from 0, with messages between all pairs.
///
/// One thread owns it. No call blocks, so that a lost rank delays no other.
pub trait Peers {
    /// Returns the number of this rank.
    fn rank(&self) -> usize;

    /// Returns the number of ranks.
    fn count(&self) -> usize;

    /// Returns the name of the machine on which this rank runs.
    fn host(&self) -> String;

    /// Sends a message. Messages from one rank to another arrive in the order in which they are
    /// sent.
    fn send(&mut self, to: usize, message: Vec<u8>);

    /// Returns the next message that has arrived, with its sender.
    fn receive(&mut self) -> Option<(usize, Vec<u8>)>;

    /// Returns the number of messages that this rank has not handed over yet, except to unreachable
    /// ranks.
    fn unsent(&mut self, is_unreachable: &dyn Fn(usize) -> bool) -> usize;
}
