//! Errors of models.

use pdb_core::{IllegalMove, Shape, Unsolvable};

use crate::{Form, UnknownForm};

/// Reason why a model cannot be made, or why values are no solution of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The board has another shape than the goal.
    #[error("the goal has the shape {expected}, but the board {found}: give both the same shape")]
    OtherShape {
        /// The goal's shape.
        expected: Shape,
        /// The board's shape.
        found: Shape,
    },
    /// The board is unsolvable.
    #[error("the board cannot be solved: {0}")]
    Unsolvable(#[from] Unsolvable),
    /// The model would be too large.
    #[error(
        "the {form} model of a {shape} board with the horizon {horizon} has up to {variable_count} \
         variables, and at most {limit} are allowed: use a horizon of at most {horizon_max}"
    )]
    TooLarge {
        /// The form that was asked for.
        form: Form,
        /// The board's shape.
        shape: Shape,
        /// The horizon that was asked for.
        horizon: u32,
        /// Upper bound of the number of variables.
        variable_count: u64,
        /// The limit.
        limit: u64,
        /// The largest horizon within the limit.
        horizon_max: u32,
    },
    /// No form has this name.
    #[error(transparent)]
    UnknownForm(#[from] UnknownForm),
    /// The number of values differs from the number of variables.
    #[error("the model has {expected} variables, but there are {found} values")]
    ValueCount {
        /// Variables of the model.
        expected: usize,
        /// Values that were given.
        found: usize,
    },
    /// A value is out of its variable's bounds.
    #[error(
        "{variable} is {found}, but expected from {low} to {high}: this is no solution of the model"
    )]
    OutOfBounds {
        /// The variable's name.
        variable: String,
        /// The least value.
        low: i64,
        /// The greatest value.
        high: i64,
        /// The value that was given.
        found: i64,
    },
    /// The values violate a row.
    #[error(
        "row {row} ({meaning}) does not hold: its left side is {left}, expected {expected}; this is no \
         solution of the model"
    )]
    Broken {
        /// The row's name.
        row: String,
        /// Meaning of the rows of its family.
        meaning: String,
        /// Value of the left side.
        left: i128,
        /// The comparison and the right side, such as `<= 1`.
        expected: String,
    },
    /// The values satisfy all rows, but their moves do not solve the board.
    #[error("the values satisfy all rows, but their moves do not solve the board: {reason}")]
    NotSolved {
        /// The problem of the moves.
        reason: String,
    },
    /// A move is impossible.
    #[error(transparent)]
    Moves(#[from] IllegalMove),
    /// The number of moves does not fit the horizon.
    #[error("{found} moves are no solution of a {form} model with the horizon {horizon}")]
    MoveCount {
        /// The model's form.
        form: Form,
        /// The model's horizon.
        horizon: u32,
        /// Number of moves.
        found: usize,
    },
}
