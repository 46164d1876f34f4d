//! Ranks of whole boards.

use crate::index::factorial;
use crate::{Board, CELLS_MAX, Shape};

/// Largest number of cells of boards with ranks: 20! fits 63 bits, 21! does not.
const RANKED_CELLS_MAX: usize = 20;

impl Shape {
    /// Returns the number of ranks, which is the number of arrangements of tiles and blank; `None`
    /// for shapes of more than 20 cells, whose ranks do not fit 63 bits.
    pub fn rank_count(self) -> Option<u64> {
        (self.cell_count() <= RANKED_CELLS_MAX).then(|| factorial(self.cell_count()))
    }
}

impl Board {
    /// Returns the position of the board in the lexicographic order of all arrangements of its
    /// tiles in row order, solvable or not; `None` where the shape has [no
    /// ranks](Shape::rank_count).
    ///
    /// ```
    /// use pdb_core::{Board, Shape};
    ///
    /// let board: Board = "0 1 2/3 5 4".parse()?;
    /// assert_eq!(board.rank(), Some(1));
    /// assert_eq!(Board::of_rank(Shape::new(2, 3)?, 1), Some(board));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rank(&self) -> Option<u64> {
        let mut weight = self.shape().rank_count()?;
        let tiles = self.tiles();
        let mut left = (1u64 << tiles.len()) - 1;
        let mut rank = 0;
        for (place, &tile) in tiles.iter().enumerate() {
            weight /= (tiles.len() - place) as u64;
            let bit = 1u64 << tile;
            rank += u64::from((left & (bit - 1)).count_ones()) * weight;
            left &= !bit;
        }
        Some(rank)
    }

    /// Returns the board of a [rank](Self::rank), if it exists.
    pub fn of_rank(shape: Shape, rank: u64) -> Option<Self> {
        let mut weight = shape.rank_count().filter(|&count| rank < count)?;
        let n = shape.cell_count();
        let (mut left, mut rest) = ((1u64 << n) - 1, rank);
        let mut tiles = [0; CELLS_MAX];
        for (place, tile) in tiles[..n].iter_mut().enumerate() {
            weight /= (n - place) as u64;
            let mut smaller = left;
            for _ in 0..rest / weight {
                smaller &= smaller - 1;
            }
            rest %= weight;
            *tile = smaller.trailing_zeros() as u8;
            left &= !(1 << *tile);
        }
        Some(Self::new(shape, &tiles[..n]).expect("each tile was taken once"))
    }
}
