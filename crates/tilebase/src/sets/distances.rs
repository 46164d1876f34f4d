//! Distances of all boards of a small shape.

use std::iter::successors;

use pdb_core::{Board, Direction, Goal, Metric};

use crate::cancel::Cancel;
use crate::error::Error;

/// Number of cells of the largest shape whose boards are all listed: 12! arrangements take a byte
/// each.
const LISTED_CELLS_MAX: usize = 12;
/// Number of boards between two checks of the cancellation flag.
const BOARDS_BETWEEN_LOOKS: usize = 4096;
/// Distance of boards from which the goal cannot be reached.
pub const NO_DISTANCE: u8 = u8::MAX;

/// Returns the distances of all boards of a small shape to a goal, in moves of a metric, in the
/// order of their [ranks](Board::rank). The half from which the goal cannot be reached has
/// [`NO_DISTANCE`].
///
/// It uses a byte for each arrangement. Shapes 3x4 and 2x6 have 479 million, and take about a
/// minute.
///
/// # Errors
/// [`Error::TooManyBoards`] for shapes of more than 12 cells; [`Error::Interrupted`] when
/// cancelled.
pub fn distances(goal: &Goal, metric: Metric, cancel: &Cancel) -> Result<Vec<u8>, Error> {
    let shape = goal.shape();
    let count = shape.rank_count().filter(|_| shape.cell_count() <= LISTED_CELLS_MAX);
    let cells_max = LISTED_CELLS_MAX;
    let count = count.ok_or(Error::TooManyBoards { shape, cells_max })?;
    let rank = |board: &Board| board.rank().expect("the shape has ranks") as u32;
    let mut distances = vec![NO_DISTANCE; count as usize];
    let mut level = vec![rank(goal.board())];
    distances[level[0] as usize] = 0;
    let mut distance = 0;
    while !level.is_empty() {
        distance += 1;
        let mut next = Vec::new();
        for (place, &of) in level.iter().enumerate() {
            if place % BOARDS_BETWEEN_LOOKS == 0 && cancel.is_cancelled() {
                return Err(Error::Interrupted);
            }
            let board = Board::of_rank(shape, of.into()).expect("it was a board's rank");
            for neighbour in neighbours(&board, metric) {
                let rank = rank(&neighbour);
                let known = &mut distances[rank as usize];
                if *known == NO_DISTANCE {
                    *known = distance;
                    next.push(rank);
                }
            }
        }
        level = next;
    }
    Ok(distances)
}

/// Returns the boards after each move of a metric.
pub(super) fn neighbours(board: &Board, metric: Metric) -> impl Iterator<Item = Board> {
    let tiles_max = match metric {
        Metric::SingleTile => 1,
        Metric::MultiTile => usize::MAX,
    };
    let board = *board;
    Direction::ALL.into_iter().flat_map(move |direction| {
        successors(board.moved(direction), move |board| board.moved(direction)).take(tiles_max)
    })
}
