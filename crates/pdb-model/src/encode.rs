//! A board in the form that was asked for.

use pdb_core::{Board, Goal};

use crate::{Encoded, Form, ModelError, flow, neos};

/// The model of a board, a goal and a horizon in some form: see [`neos()`] and [`flow()`], which also tell
/// the errors.
///
/// # Errors
/// As [`neos()`] and [`flow()`].
pub fn encode(form: Form, board: &Board, goal: &Goal, horizon: u32) -> Result<Encoded, ModelError> {
    match form {
        Form::Neos => neos(board, goal, horizon),
        Form::Flow => flow(board, goal, horizon),
    }
}
