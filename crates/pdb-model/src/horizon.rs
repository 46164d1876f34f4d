//! Horizons: how many moves a model makes room for.
//!
//! Every move changes the Manhattan distance by 1, so all solutions of a board have its parity: horizons
//! that may suffice begin with [`least`] and are raised by [`STEP`].

use pdb_core::{Board, Goal};

use crate::ModelError;

/// By how much a horizon is raised that has no solution.
pub const STEP: u32 = 2;

/// The least horizon that may have a solution: the Manhattan distance.
///
/// # Errors
/// [`ModelError::OtherShape`], and [`ModelError::Unsolvable`] for a board without any solution.
pub fn least(board: &Board, goal: &Goal) -> Result<u32, ModelError> {
    check_solvable(board, goal)?;
    Ok(goal.manhattan_distance(board))
}

/// Whether solutions may have so many moves: not fewer than the Manhattan distance, and of its parity.
///
/// # Errors
/// As [`least`].
pub fn may_suffice(board: &Board, goal: &Goal, horizon: u32) -> Result<bool, ModelError> {
    let least = least(board, goal)?;
    Ok(horizon >= least && (horizon - least).is_multiple_of(STEP))
}

pub(crate) fn check_solvable(board: &Board, goal: &Goal) -> Result<(), ModelError> {
    if board.shape() != goal.shape() {
        return Err(ModelError::OtherShape { expected: goal.shape(), found: board.shape() });
    }
    Ok(goal.check_solvable(board)?)
}
