//! The ranks that build one table together, independent of the transport of their messages.

use crate::GenError;

/// A team of ranks that build one table together, as seen by one of them. Ranks are numbered from
/// 0, and each has a disk, which it may share with others.
pub trait Team: Sync {
    /// Returns the number of this rank.
    fn rank(&self) -> usize;
    /// Returns the number of ranks.
    fn count(&self) -> usize;
    /// Returns the name of a rank for messages: number and host.
    fn name_of(&self, rank: usize) -> String;
    /// Begins the next round with this rank's part, of any length. Every rank sends a part to each
    /// round. The call does not wait, and returns the number of the round.
    ///
    /// # Errors
    /// [`GenError::RankLost`] when this rank cannot send.
    fn begin_round(&self, part: Vec<u8>) -> Result<u64, GenError>;
    /// Waits until all ranks have sent their parts to a round, and returns the parts in the order
    /// of ranks. Called once per round.
    ///
    /// # Errors
    /// [`GenError::RankLost`] when a rank will send no more parts.
    fn end_round(&self, round: u64) -> Result<Vec<Vec<u8>>, GenError>;
    /// Sends a message to another rank. Messages from one rank to another arrive in order.
    fn send(&self, rank: usize, message: Vec<u8>);
    /// Waits for the next message, and returns it with its sender; `None` if no message has arrived
    /// and all ranks have sent their parts to `round`.
    ///
    /// # Errors
    /// [`GenError::RankLost`] when a rank is lost.
    fn receive(&self, round: Option<u64>) -> Result<Option<(usize, Vec<u8>)>, GenError>;
    /// Notifies the other ranks that this one has failed, so that they may stop early. The error
    /// itself is in the rank's next part.
    fn give_up(&self) {}
}
