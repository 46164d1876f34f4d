//! Boards that have no estimate.

use core::fmt;
use std::error::Error;

use crate::{Board, BoardError, Goal, Unsolvable};

/// Failure of a heuristic to estimate a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RootError {
    /// The board has another shape than the goal ([`BoardError::OtherShape`]).
    Board(BoardError),
    /// No sequence of moves leads from the board to the goal, so there is no number of moves to
    /// estimate.
    Unsolvable(Unsolvable),
    /// A table contradicts itself: following its values downhill did not end at the goal.
    Damaged {
        /// The table's file, or the name of its bytes.
        table: String,
    },
}

impl fmt::Display for RootError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board(error) => error.fmt(f),
            Self::Unsolvable(reason) => write!(f, "the board has no solution: {reason}"),
            Self::Damaged { table } => {
                write!(f, "{table} contradicts itself: its values do not lead downhill to the goal")
            }
        }
    }
}

impl Error for RootError {}

impl Goal {
    /// Checks that `board` has the goal's shape and can be solved.
    ///
    /// # Errors
    /// [`RootError::Board`] or [`RootError::Unsolvable`].
    ///
    /// ```
    /// use pdb_core::{Goal, RootError, Shape};
    ///
    /// let goal = Goal::blank_last(Shape::new(4, 4)?);
    /// assert!(matches!(goal.check(&"1 2 3/4 5 6/7 8 0".parse()?), Err(RootError::Board(_))));
    /// assert!(goal.check(goal.board()).is_ok());
    /// # Ok::<(), pdb_core::BoardError>(())
    /// ```
    pub fn check(&self, board: &Board) -> Result<(), RootError> {
        self.check_shape(board).map_err(RootError::Board)?;
        self.check_solvable(board).map_err(RootError::Unsolvable)
    }
}
