//! Boards drawn by their Manhattan distance, so that those near the goal are less rare than among
//! all boards.

use pdb_core::{BLANK, Board, CELLS_MAX, Cell, Goal, Shape};

/// Distribution of the boards of a shape, in which the probability of a board is proportional to
/// `base` to the power of minus its Manhattan distance. Draws are exact and independent.
///
/// The tiles are placed one after another. The probability of a free cell follows from a sum for
/// each set of cells, over all ways to place the tiles before it there. That is the permanent of a
/// matrix by Laplace's expansion, which takes 2 to the power of the cells. So the limit is
/// [`CELL_COUNT_MAX`](Self::CELL_COUNT_MAX) cells, which take 128 MiB and a second.
#[derive(Clone, Debug)]
pub(super) struct TiltedBoards {
    shape: Shape,
    base: f64,
    /// The weight of a tile on a cell, by tile.
    weights: Vec<[f32; CELLS_MAX]>,
    /// The sum over all ways to place the first tiles in a cell set, by cell set.
    sums: Vec<f32>,
    mean_weight: f64,
}

impl TiltedBoards {
    /// Largest number of cells: more take too much memory.
    pub(super) const CELL_COUNT_MAX: usize = 25;

    /// Creates the distribution for a goal; `None` where there are too many cells.
    pub(super) fn new(goal: &Goal, base: f64) -> Option<Self> {
        let shape = goal.shape();
        let cell_count = shape.cell_count();
        if cell_count > Self::CELL_COUNT_MAX {
            return None;
        }
        let weight = |tile: u8, cell: Cell| match tile {
            BLANK => 1.0,
            tile => base.powi(-(shape.distance(cell, goal.home(tile)) as i32)),
        };
        let mut weights = vec![[0.0; CELLS_MAX]; cell_count];
        for (tile, of_tile) in (0..).zip(&mut weights) {
            for cell in shape.all_cells().iter() {
                of_tile[usize::from(cell)] = weight(tile, cell) as f32;
            }
        }
        let mut sums = vec![0.0f32; 1 << cell_count];
        sums[0] = 1.0;
        for set in 1..sums.len() {
            let of_tile = &weights[set.count_ones() as usize - 1];
            let (mut rest, mut sum) = (set, 0.0);
            while rest != 0 {
                let cell = rest.trailing_zeros() as usize;
                sum += of_tile[cell] * sums[set & !(1 << cell)];
                rest &= rest - 1;
            }
            sums[set] = sum;
        }
        // The sum over solvable boards is half the sum of permanent and determinant. Each board has
        // the sign of its parity, that of the tiles' permutation and of the blank's distance
        // together.
        let permanent = f64::from(sums[sums.len() - 1]);
        let signed: Vec<Vec<f64>> = (0..cell_count as u8)
            .map(|row| {
                let tile = goal.board().tile(row);
                let cells = shape.all_cells();
                let entry = |cell: Cell| match tile {
                    BLANK if shape.distance(cell, goal.home(BLANK)) % 2 == 1 => -1.0,
                    tile => weight(tile, cell),
                };
                cells.iter().map(entry).collect()
            })
            .collect();
        let solvable = f64::midpoint(permanent, determinant(signed));
        let board_count: f64 = (3..=cell_count).map(|factor| factor as f64).product();
        Some(Self { shape, base, weights, sums, mean_weight: solvable / board_count })
    }

    /// Draws a board, solvable or not. `draw` returns uniform numbers from 0 up to 1, without 1.
    pub(super) fn draw(&self, draw: &mut dyn FnMut() -> f64) -> Board {
        let mut tiles = vec![BLANK; self.shape.cell_count()];
        let mut set = self.sums.len() - 1;
        for (tile, of_tile) in self.weights.iter().enumerate().rev() {
            let share = |cell: usize| f64::from(of_tile[cell] * self.sums[set & !(1 << cell)]);
            let cells = || (0..tiles.len()).filter(|&cell| set >> cell & 1 == 1);
            let mut left = draw() * cells().map(share).sum::<f64>();
            let mut chosen = None;
            for cell in cells().filter(|&cell| share(cell) > 0.0) {
                chosen = Some(cell);
                left -= share(cell);
                if left < 0.0 {
                    break;
                }
            }
            let cell = chosen.expect("the tile goes to some cell");
            tiles[cell] = tile as u8;
            set &= !(1 << cell);
        }
        Board::new(self.shape, &tiles).expect("each tile has a cell")
    }

    /// Returns the ratio of the probabilities of a solvable board of this Manhattan distance: among
    /// solvable boards that are drawn, and among all solvable boards.
    pub(super) fn likelihood(&self, distance: u32) -> f64 {
        self.base.powi(-(distance as i32)) / self.mean_weight
    }
}

/// Returns the determinant of a square matrix, by elimination.
fn determinant(mut rows: Vec<Vec<f64>>) -> f64 {
    let mut product = 1.0;
    for column in 0..rows.len() {
        let pivot = (column..rows.len())
            .max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))
            .expect("the column has rows left");
        if rows[pivot][column] == 0.0 {
            return 0.0;
        }
        if pivot != column {
            rows.swap(pivot, column);
            product = -product;
        }
        let (above, below) = rows.split_at_mut(column + 1);
        let top = &above[column];
        product *= top[column];
        for row in below {
            let factor = row[column] / top[column];
            for (entry, above) in row.iter_mut().zip(top) {
                *entry -= factor * above;
            }
        }
    }
    product
}
