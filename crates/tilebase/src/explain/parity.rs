//! Solvability of a board, with the argument that proves it: parity, or the order on a line.

use pdb_core::{BLANK, Board, Goal};
use serde::Serialize;

use super::as_text;
use crate::names::goals_of;

/// Whether a goal can be reached from a board, and why.
///
/// A move exchanges the blank with a tile, so it changes the parity of the permutation from board
/// to goal. It also moves the blank by one cell, so it changes the parity of the blank's distance
/// from home. At the goal both are even. So both parities agree on every board from which the goal
/// can be reached; conversely, the goal can be reached from every board on which they agree (A. F.
/// Archer, "A modern treatment of the 15 puzzle", American Mathematical Monthly 106, 1999).
///
/// On a board of one line, tiles cannot pass each other: the goal can be reached if they stand in
/// its order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Solvability {
    /// Whether the goal can be reached.
    pub is_solvable: bool,
    /// The cycles of the permutation from board to goal, without those of one cell. Each tile is
    /// followed by the tile that occupies its home, and the last one by the first; 0 is the blank.
    pub cycles: Vec<Vec<u8>>,
    /// Number of exchanges of two pieces that bring all pieces home: for each cycle, one fewer than
    /// it has pieces.
    pub transpositions: usize,
    /// Parity of the permutation, which is the parity of `transpositions`: `even` or `odd`.
    pub permutation: &'static str,
    /// Number of rows between the blank and its home.
    pub blank_rows: u32,
    /// Number of columns between the blank and its home.
    pub blank_columns: u32,
    /// Distance of the blank from home: the sum of these rows and columns. All solutions have its
    /// parity.
    pub blank_distance: u32,
    /// On a board of one line, whether the tiles stand in the goal's order, which decides alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_in_order: Option<bool>,
    /// The named goals that can be reached from the board.
    pub solvable_with: Vec<&'static str>,
    /// Two tiles whose exchange makes an unsolvable board solvable. Any two tiles would do; if
    /// possible, the exchange brings at least one of these home. None on a board of one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exchange: Option<Exchange>,
}

/// Exchange of two tiles that are lifted out of the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Exchange {
    /// The tiles.
    pub tiles: [u8; 2],
    /// The board after the exchange, from which the goal can be reached.
    #[serde(serialize_with = "as_text")]
    pub board: Board,
}

impl Solvability {
    pub(super) fn of(board: &Board, goal: &Goal) -> Self {
        let shape = goal.shape();
        let cycles = goal.cycles(board);
        let transpositions = cycles.iter().map(|cycle| cycle.len() - 1).sum();
        let (row, col) = shape.row_col(board.blank());
        let (home_row, home_col) = shape.row_col(goal.home(BLANK));
        let is_solvable = goal.check_solvable(board).is_ok();
        Self {
            is_solvable,
            transpositions,
            permutation: if transpositions % 2 == 0 { "even" } else { "odd" },
            blank_rows: row.abs_diff(home_row) as u32,
            blank_columns: col.abs_diff(home_col) as u32,
            blank_distance: shape.distance(board.blank(), goal.home(BLANK)),
            is_in_order: shape.is_line().then_some(is_solvable),
            solvable_with: goals_of(board),
            exchange: (!is_solvable && !shape.is_line()).then(|| Exchange::of(board, &cycles)),
            cycles,
        }
    }
}

impl Exchange {
    /// Exchanges the first tile of a cycle and the tile on its home; the first two tiles if no
    /// cycle has two tiles.
    fn of(board: &Board, cycles: &[Vec<u8>]) -> Self {
        let neighbours = cycles.iter().flat_map(|cycle| cycle.windows(2));
        // The shortest cycle is the easiest to see.
        let shortest =
            cycles.iter().filter(|cycle| cycle[0] != BLANK).min_by_key(|cycle| cycle.len());
        let of_shortest = shortest.and_then(|cycle| cycle.windows(2).next());
        let pair = of_shortest.or_else(|| neighbours.into_iter().find(|pair| pair[0] != BLANK));
        let tiles = pair.map_or([1, 2], |pair| [pair[0].min(pair[1]), pair[0].max(pair[1])]);
        let exchanged = board.tiles().iter().map(|&tile| match tile {
            tile if tile == tiles[0] => tiles[1],
            tile if tile == tiles[1] => tiles[0],
            tile => tile,
        });
        let exchanged: Vec<u8> = exchanged.collect();
        let board = Board::new(board.shape(), &exchanged).expect("an exchange makes a board");
        Self { tiles, board }
    }
}
