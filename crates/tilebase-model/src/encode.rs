//! The model of a board in any form.

use pdb_core::{Board, Goal};

use crate::{BoardModel, Form, ModelError, flow, neos};

/// Creates the model of a board, a goal and a horizon in a form: see [`neos()`] and [`flow()`].
///
/// # Errors
/// As [`neos()`] and [`flow()`].
pub fn encode(
    form: Form,
    board: &Board,
    goal: &Goal,
    horizon: u32,
) -> Result<BoardModel, ModelError> {
    match form {
        Form::Neos => neos(board, goal, horizon),
        Form::Flow => flow(board, goal, horizon),
    }
}
