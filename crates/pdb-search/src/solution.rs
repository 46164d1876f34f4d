//! Moves that were found, held against the board and against what is proved.

use std::cmp::Ordering;

use pdb_core::{Board, Direction, Goal, Shape, Slide};

use crate::{SearchError, Status};

/// The direction in which a slide moves its tile.
pub(crate) fn direction_of(shape: Shape, slide: Slide) -> Direction {
    let leads = |direction: &Direction| direction.tile_cell(shape, slide.to) == Some(slide.from);
    Direction::ALL.into_iter().find(leads).expect("a tile slides to a neighbour of its cell")
}

/// The answer of a search that found these moves, and has proved that every solution has at least
/// `bound` of them. A search whose estimates may be too large does not call them optimal, whatever is
/// proved.
pub(crate) fn answer(
    goal: &Goal,
    board: &Board,
    moves: Vec<Direction>,
    bound: u32,
    is_admissible: bool,
) -> Result<Status, SearchError> {
    let length = replay(goal, board, &moves)?;
    match length.cmp(&bound) {
        Ordering::Less => Err(SearchError::NotLowerBound { bound, length }),
        Ordering::Equal if is_admissible => Ok(Status::Optimal { moves }),
        Ordering::Equal | Ordering::Greater => Ok(Status::Solved { moves, lower_bound: bound }),
    }
}

/// The answer of a search that reached the goal by these moves within a bound.
///
/// All smaller bounds of the same parity were searched in full, so a shorter path means that a
/// node on it was pruned wrongly before.
pub(crate) fn within_bound(
    goal: &Goal,
    board: &Board,
    moves: Vec<Direction>,
    bound: u32,
) -> Result<Status, SearchError> {
    let length = replay(goal, board, &moves)?;
    if length == bound {
        Ok(Status::Optimal { moves })
    } else {
        Err(SearchError::NotLowerBound { bound, length })
    }
}

/// The number of moves, once they were replayed from the board to the goal.
fn replay(goal: &Goal, board: &Board, moves: &[Direction]) -> Result<u32, SearchError> {
    let length = moves.len();
    if board.after(moves).as_ref() == Ok(goal.board()) {
        Ok(length as u32)
    } else {
        Err(SearchError::Replay { length })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_that_miss_the_goal_are_never_returned() {
        let board: Board = "1 2 3/4 5 6/0 7 8".parse().unwrap();
        let goal = Goal::blank_last(board.shape());
        let wrong = vec![Direction::Left, Direction::Up];
        let right = vec![Direction::Left; 2];
        let proving = |goal: &_, board: &_, moves, bound| answer(goal, board, moves, bound, true);
        for judge in [proving, within_bound] {
            let replay = Err(SearchError::Replay { length: 2 });
            assert_eq!(judge(&goal, &board, wrong.clone(), 2), replay);
            let optimal = Status::Optimal { moves: right.clone() };
            assert_eq!(judge(&goal, &board, right.clone(), 2), Ok(optimal));
            let error = Err(SearchError::NotLowerBound { bound: 4, length: 2 });
            assert_eq!(judge(&goal, &board, right.clone(), 4), error);
        }
    }
}
