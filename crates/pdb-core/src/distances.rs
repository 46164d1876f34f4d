//! Distances of tiles from their homes.

use crate::{BLANK, Board, Cell, Goal, Slide};

/// Length of a row and number of rows: a power of two above all tiles and cells, so that a mask
/// bounds an index.
const ROW_LEN: usize = 64;

/// Distance of each tile from its home on each cell, in moves on the empty board; 0 for the blank.
#[derive(Clone, Debug)]
pub struct TileDistances(Box<[[u8; ROW_LEN]; ROW_LEN]>);

impl TileDistances {
    /// Computes the distances to the homes of a goal.
    pub fn new(goal: &Goal) -> Self {
        let shape = goal.shape();
        let mut rows = Box::new([[0; ROW_LEN]; ROW_LEN]);
        for &tile in goal.board().tiles().iter().filter(|&&tile| tile != BLANK) {
            for cell in shape.all_cells().iter() {
                let distance = shape.distance(goal.home(tile), cell);
                rows[usize::from(tile)][usize::from(cell)] = distance as u8;
            }
        }
        Self(rows)
    }

    /// Returns the distance of a cell from a tile's home.
    #[inline(always)]
    pub fn of(&self, tile: u8, cell: Cell) -> u8 {
        self.0[usize::from(tile) % ROW_LEN][usize::from(cell) % ROW_LEN]
    }

    /// Returns the change of the Manhattan distance by a move: 1 or -1.
    #[inline(always)]
    pub fn change(&self, Slide { tile, from, to }: Slide) -> i16 {
        i16::from(self.of(tile, to)) - i16::from(self.of(tile, from))
    }

    /// Returns the Manhattan distance after a move, from that before it.
    #[inline(always)]
    pub fn after(&self, before: u32, slide: Slide) -> u32 {
        before.wrapping_add_signed(self.change(slide).into())
    }

    /// Returns the Manhattan distance of a board, which has the goal's shape.
    pub fn manhattan(&self, board: &Board) -> u32 {
        (0..).zip(board.tiles()).map(|(cell, &tile)| u32::from(self.of(tile, cell))).sum()
    }
}
