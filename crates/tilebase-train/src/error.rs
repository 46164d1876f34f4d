//! Why a network cannot be trained.

use std::io;
use std::path::PathBuf;

use pdb_core::Board;
use thiserror::Error;

/// Why a network cannot be trained.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainError {
    /// The tables that labels come from.
    #[error(transparent)]
    Tables(#[from] tilebase::Error),
    /// A label that would not be exact.
    #[error(
        "the distance of {board} is not proved: labels come from a heuristic that is never too large"
    )]
    NotOptimal {
        /// The board.
        board: Board,
    },
    /// Somebody stopped it.
    #[error("stopped before there was a network: nothing was written")]
    Stopped,
    /// Nothing to train on, or nothing to measure with.
    #[error("there are too few boards to train on and to hold out: solve more of them")]
    NoLabels,
    /// A checkpoint that this training cannot go on from.
    #[error("{path}: the checkpoint {problem}", path = path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A file that cannot be read.
    #[error("cannot read {path}: {source}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file that cannot be written.
    #[error(transparent)]
    Write {
        /// What could not be done.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The library of tensors.
    #[cfg(feature = "candle")]
    #[error("candle: {0}")]
    Candle(#[from] candle_core::Error),
}
