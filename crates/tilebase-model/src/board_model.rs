//! The model of a board.

use pdb_core::{Board, Direction, Goal};

use crate::builder::{Builder, Meaning};
use crate::{Form, Model, ModelError};

/// The model of a board, with conversions between solutions and moves.
#[derive(Clone, Debug)]
pub struct BoardModel {
    /// The integer program.
    pub model: Model,
    meanings: Vec<Meaning>,
    form: Form,
    board: Board,
    goal: Goal,
    horizon: u32,
}

impl BoardModel {
    pub(crate) fn new(
        builder: Builder,
        form: Form,
        board: &Board,
        goal: &Goal,
        horizon: u32,
    ) -> Self {
        let Builder { model, meanings, .. } = builder;
        Self { model, meanings, form, board: *board, goal: *goal, horizon }
    }

    /// Returns the form of the model.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Returns the number of moves that the model has room for.
    pub fn horizon(&self) -> u32 {
        self.horizon
    }

    /// Converts a solution of the model to moves. Checks all bounds and rows and makes the moves on
    /// the board, so the returned moves always lead to the goal.
    ///
    /// # Errors
    /// [`ModelError::ValueCount`], [`ModelError::OutOfBounds`] or [`ModelError::Broken`] if the
    /// values are no solution of the model, [`ModelError::NotSolved`] if the moves do not solve the
    /// board, which would be a mistake of the model.
    pub fn moves_of(&self, values: &[i64]) -> Result<Vec<Direction>, ModelError> {
        self.model.check(values)?;
        let mut chosen = vec![None; self.horizon as usize + 1];
        for (meaning, _) in self.meanings.iter().zip(values).filter(|&(_, &value)| value == 1) {
            let (number, direction) = match *meaning {
                Meaning::Goes { direction, number } => (number, direction),
                Meaning::Arc { from, to, number } => {
                    let leads = |d: &Direction| d.tile_cell(self.board.shape(), from) == Some(to);
                    let direction = Direction::ALL.into_iter().find(leads);
                    (number, direction.expect("an arc leads to a neighbour"))
                }
                _ => continue,
            };
            if chosen[number as usize].replace(direction).is_some() {
                let reason = format!("two directions are chosen for move {number}");
                return Err(ModelError::NotSolved { reason });
            }
        }
        let moves: Vec<Direction> = chosen.into_iter().flatten().collect();
        let end = self.board.after(&moves);
        let end = end.map_err(|error| ModelError::NotSolved { reason: error.to_string() })?;
        if end != *self.goal.board() {
            let reason = format!("they lead to {end}");
            return Err(ModelError::NotSolved { reason });
        }
        Ok(moves)
    }

    /// Converts moves to values. In the form [`Form::Neos`], the board rests after the last move.
    /// The values may violate the model: see [`Model::check`].
    ///
    /// # Errors
    /// [`ModelError::Moves`] for impossible moves, [`ModelError::MoveCount`] for more moves than
    /// the horizon; in the form [`Form::Flow`], for fewer, too.
    pub fn values_of(&self, moves: &[Direction]) -> Result<Vec<i64>, ModelError> {
        let horizon = self.horizon as usize;
        let fits = match self.form {
            Form::Neos => moves.len() <= horizon,
            Form::Flow => moves.len() == horizon,
        };
        if !fits {
            let (form, found) = (self.form, moves.len());
            return Err(ModelError::MoveCount { form, horizon: self.horizon, found });
        }
        let boards: Vec<Board> = (0..=horizon)
            .map(|time| self.board.after(&moves[..time.min(moves.len())]))
            .collect::<Result<_, _>>()?;
        Ok(self.meanings.iter().map(|meaning| meaning.value(&boards)).collect())
    }
}
