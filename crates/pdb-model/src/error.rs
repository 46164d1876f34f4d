//! Why there is no model, or why values are no solution of one.

use pdb_core::{MoveError, Shape, Unsolvable};

use crate::Form;

/// Why there is no model, or why values are no solution of one.
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
    /// No moves lead from the board to the goal, so no model of any horizon has a solution.
    #[error("the board cannot be solved: {0}")]
    Unsolvable(#[from] Unsolvable),
    /// The model would be too large to be of use.
    #[error(
        "the {form} model of a {shape} board with the horizon {horizon} has up to {variable_count} \
         variables, and at most {limit} are written: ask for a horizon of at most {horizon_max}"
    )]
    TooLarge {
        /// The form that was asked for.
        form: Form,
        /// The board's shape.
        shape: Shape,
        /// The horizon that was asked for.
        horizon: u32,
        /// Variables that the model has at most.
        variable_count: u64,
        /// The largest number of variables that is written.
        limit: u64,
        /// The largest horizon with so few variables.
        horizon_max: u32,
    },
    /// A name that no form has.
    #[error("there is no form `{name}` of the model: expected neos or flow")]
    UnknownForm {
        /// The name as it was given.
        name: String,
    },
    /// A list of values that is too long or too short.
    #[error("the model has {expected} variables, but there are {found} values")]
    ValueCount {
        /// Variables of the model.
        expected: usize,
        /// Values that were given.
        found: usize,
    },
    /// A value that its variable cannot take.
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
    /// A row that the values break.
    #[error(
        "row {row} ({meaning}) does not hold: its left side is {left}, expected {expected}; this is no \
         solution of the model"
    )]
    Broken {
        /// The row's name.
        row: String,
        /// What rows of its family mean.
        meaning: String,
        /// What the left side comes to.
        left: i128,
        /// The comparison and the right side, such as `<= 1`.
        expected: String,
    },
    /// Values keep all rows, but the moves they stand for do not solve the board.
    #[error("the values keep all rows, but their moves do not solve the board: {reason}")]
    NotSolved {
        /// What is wrong with the moves.
        reason: String,
    },
    /// Moves that are not possible on the board.
    #[error(transparent)]
    Moves(#[from] MoveError),
    /// A number of moves that the model's horizon does not have.
    #[error("{found} moves are no solution of a {form} model with the horizon {horizon}")]
    MoveCount {
        /// The model's form.
        form: Form,
        /// The model's horizon.
        horizon: u32,
        /// How many moves were given.
        found: usize,
    },
}
