//! Whether a board can be solved, and the argument.

use pdb_core::{BLANK, Board, Goal};
use serde::Serialize;

use super::as_text;
use crate::names::goals_of;

/// Whether moves lead from a board to a goal, and why.
///
/// A move exchanges the blank with a tile, so it changes the parity of the permutation from board
/// to goal; and it takes the blank one cell on, so it changes the parity of the blank's distance
/// from home. At the goal both are even. So they agree on every board from which the goal can be
/// reached; and on every board where they agree it can (A. F. Archer, "A modern treatment of the 15
/// puzzle", American Mathematical Monthly 106, 1999).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Solvability {
    /// Whether the goal can be reached.
    pub is_solvable: bool,
    /// The cycles of the permutation from board to goal, those of one cell left out: each tile is
    /// followed by the one that stands on its home, and the last one by the first; 0 is the blank.
    pub cycles: Vec<Vec<u8>>,
    /// How many exchanges of two pieces would bring all home: of each cycle one fewer than it has
    /// pieces.
    pub transpositions: usize,
    /// The parity of the permutation, and so that of the transpositions: `even` or `odd`.
    pub permutation: &'static str,
    /// The rows between the blank and its home.
    pub blank_rows: u32,
    /// The columns between the blank and its home.
    pub blank_columns: u32,
    /// The moves that the blank is away from home on the empty board: the rows and the columns. All
    /// solutions have its parity.
    pub blank_distance: u32,
    /// The goals with names that moves lead to.
    pub solvable_with: Vec<&'static str>,
    /// Two tiles whose exchange makes an unsolvable board solvable. Any two would do; these bring
    /// at least one of them home, where there are such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exchange: Option<Exchange>,
}

/// Two tiles that were lifted out and put back in each other's place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Exchange {
    /// The tiles.
    pub tiles: [u8; 2],
    /// The board after it, from which the goal can be reached.
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
            solvable_with: goals_of(board),
            exchange: (!is_solvable).then(|| Exchange::of(board, &cycles)),
            cycles,
        }
    }
}

impl Exchange {
    /// The first of a cycle and the tile on its home; the first two tiles where no cycle has two.
    fn of(board: &Board, cycles: &[Vec<u8>]) -> Self {
        let neighbours = cycles.iter().flat_map(|cycle| cycle.windows(2));
        // The shortest cycle is the one that a person sees at a glance.
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
