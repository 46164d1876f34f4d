//! Horizons: the number of moves that a model has room for.
//!
//! Every move changes the Manhattan distance by 1, so all solutions of a board have its parity.
//! Possible horizons are [`least`], `least + STEP` and so on.

use pdb_core::{Board, Goal};

use crate::{Form, ModelError, VARIABLE_COUNT_MAX};

/// Step to the next horizon, after one without solution.
pub const STEP: u32 = 2;

/// Returns the least possible horizon: the Manhattan distance.
///
/// # Errors
/// [`ModelError::OtherShape`], and [`ModelError::Unsolvable`] for an unsolvable board.
pub fn least(board: &Board, goal: &Goal) -> Result<u32, ModelError> {
    check_solvable(board, goal)?;
    Ok(goal.manhattan_distance(board))
}

/// Returns whether a horizon is possible: not below the Manhattan distance, and of its parity.
///
/// # Errors
/// As [`least`].
pub fn may_suffice(board: &Board, goal: &Goal, horizon: u32) -> Result<bool, ModelError> {
    let least = least(board, goal)?;
    Ok(horizon >= least && (horizon - least).is_multiple_of(STEP))
}

/// Rejects boards of another shape than the goal, and unsolvable boards.
pub(crate) fn check_solvable(board: &Board, goal: &Goal) -> Result<(), ModelError> {
    if board.shape() != goal.shape() {
        return Err(ModelError::OtherShape { expected: goal.shape(), found: board.shape() });
    }
    Ok(goal.check_solvable(board)?)
}

/// Rejects unsolvable boards, and horizons whose model would be too large.
pub(crate) fn check(
    form: Form,
    board: &Board,
    goal: &Goal,
    horizon: u32,
) -> Result<(), ModelError> {
    check_solvable(board, goal)?;
    let shape = board.shape();
    let horizon_max = form.horizon_max(shape);
    if horizon > horizon_max {
        return Err(ModelError::TooLarge {
            form,
            shape,
            horizon,
            variable_count: form.variable_count_max(shape, horizon),
            limit: VARIABLE_COUNT_MAX,
            horizon_max,
        });
    }
    Ok(())
}
