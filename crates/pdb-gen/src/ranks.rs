//! The ranks that build one table together, whatever carries their messages.

use std::ops::Range;
use std::path::Path;

use crate::GenError;

/// The ranks that build one table together, as one of them sees it. They are numbered from 0, and each has
/// a disk, which it may share with others.
pub trait Team: Sync {
    /// The number of this rank.
    fn rank(&self) -> usize;
    /// Number of ranks.
    fn count(&self) -> usize;
    /// What a rank is called in messages: number and host.
    fn name_of(&self, rank: usize) -> String;
    /// Gives bytes of any length to everybody: this rank's part of its next round. Every rank gives a part of each
    /// round, and nobody waits here. Returns the number of the round.
    ///
    /// # Errors
    /// [`TeamError`] when this rank cannot.
    fn give(&self, bytes: Vec<u8>) -> Result<u64, TeamError>;
    /// Waits until all ranks have given their parts of a round, and gives them in the order of ranks; once.
    ///
    /// # Errors
    /// [`TeamError`] when there is one who will not give any more.
    fn take(&self, round: u64) -> Result<Vec<Vec<u8>>, TeamError>;
    /// Sends a letter to another rank. Letters from one rank to another arrive in their order.
    fn send(&self, rank: usize, letter: Vec<u8>);
    /// Waits for the next letter, and gives it with the rank that sent it; nothing when none has arrived and all
    /// ranks have given their parts of a round, if one is named.
    ///
    /// # Errors
    /// [`TeamError`] when a rank is lost.
    fn receive(&self, round: Option<u64>) -> Result<Option<(usize, Vec<u8>)>, TeamError>;
    /// This rank cannot go on, and says so in the place of its next part: the others may leave what they do. Where
    /// they cannot be told, they hear of it then.
    fn give_up(&self) {}
    /// The bytes of some ranges of a file that another rank serves, one after another; `file` is the path
    /// that it has there. Any thread may call it, several at once. The ranges ascend and do not touch.
    ///
    /// # Errors
    /// [`TeamError`] when the rank is lost, or cannot read all of it.
    fn fetch(&self, rank: usize, file: &Path, ranges: &[Range<u64>]) -> Result<Vec<u8>, TeamError>;
    /// From now on, others may ask for files below this folder of this rank, even while it does something
    /// else or waits; or for none.
    fn serve(&self, folder: Option<&Path>);
}

/// Why a team cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TeamError {
    /// A rank is gone.
    #[error("rank {rank} is lost: {problem}")]
    Lost {
        /// Its number.
        rank: usize,
        /// How that was noticed.
        problem: String,
    },
    /// A rank could not do what it was asked for.
    #[error("rank {rank}: {problem}")]
    Failed {
        /// Its number.
        rank: usize,
        /// What it said.
        problem: String,
    },
    /// The work was cancelled.
    #[error("cancelled")]
    Cancelled,
}

impl TeamError {
    /// The error of a build, with the rank's name.
    pub(crate) fn named(self, team: &dyn Team) -> GenError {
        match self {
            Self::Lost { rank, problem } => {
                GenError::RankLost { rank: team.name_of(rank), problem }
            }
            Self::Failed { rank, problem } => {
                GenError::RankFailed { rank: team.name_of(rank), problem }
            }
            Self::Cancelled => GenError::Interrupted,
        }
    }
}
