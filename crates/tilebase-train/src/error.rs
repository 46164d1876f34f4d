//! Errors of training.

use std::io;
use std::path::PathBuf;

use pdb_core::{Board, Shape};
use thiserror::Error;

/// An error of training.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainError {
    /// An error of the tables that give labels.
    #[error(transparent)]
    Tables(#[from] tilebase::Error),
    /// A distance that is not proved, so it cannot be a label.
    #[error(
        "the distance of {board} is not proved: labels need a heuristic that is never too large"
    )]
    NotOptimal {
        /// The board.
        board: Board,
    },
    /// A board of one line.
    #[error(
        "nothing is learned on a board of one line, {shape}: Manhattan distance is exact there"
    )]
    OneLine {
        /// The shape of the board.
        shape: Shape,
    },
    /// The caller stopped the training.
    #[error("stopped before there was a network: nothing was written")]
    Stopped,
    /// There are no labels for training or for measuring.
    #[error("there are too few boards to train on and to hold out: solve more of them")]
    NoLabels,
    /// The beams are too wide for the shape, so there is nothing to learn an order from.
    #[error(
        "no beam had a layer of {half} boards, half of its width: learn from narrower beams",
        half = width.div_ceil(2)
    )]
    NoLayers {
        /// Number of boards that a layer may keep.
        width: u32,
    },
    /// A checkpoint that cannot be continued by this training.
    #[error("{path}: the checkpoint {problem}", path = path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// The problem with it.
        problem: String,
    },
    /// A file that cannot be read.
    #[error("cannot read {path}: {source}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A file that cannot be written.
    #[error(transparent)]
    Write {
        /// The reason.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}
