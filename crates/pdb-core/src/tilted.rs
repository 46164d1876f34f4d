//! Boards drawn by their Manhattan distance, so that those near the goal are not as rare as they are among
//! all boards.

use crate::{BLANK, Board, CELLS_MAX, Cell, Goal, Shape};

/// The boards of a shape, the board `b` with a probability in proportion to `base` to the power of minus its
/// Manhattan distance. Draws are exact and independent.
///
/// The tiles are placed one after another. How likely a tile goes to which of the cells that are free follows
/// from a sum for each set of cells: over all ways to place the tiles before it there. That is the permanent
/// of a matrix by Laplace's expansion, which takes 2 to the power of the cells; so there are such boards for
/// up to [`CELL_COUNT_MAX`](Self::CELL_COUNT_MAX) cells, where it takes 128 MiB and a second.
///
/// ```
/// use pdb_core::{Goal, Shape, TiltedBoards};
///
/// let goal = Goal::blank_last(Shape::new(2, 2)?);
/// let boards = TiltedBoards::new(&goal, 1e6).expect("there are few cells");
/// // Almost all weight is on the boards that differ in the blank's place alone.
/// let board = boards.draw(&mut || 0.5);
/// assert!(goal.manhattan_distance(&board) <= 2);
/// # Ok::<(), pdb_core::BoardError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TiltedBoards {
    shape: Shape,
    base: f64,
    /// What a tile on a cell counts, by tile.
    weights: Vec<[f32; CELLS_MAX]>,
    /// By cell set: the sum over all ways to place as many of the first tiles there.
    sums: Vec<f32>,
    mean_weight: f64,
}

impl TiltedBoards {
    /// More cells than these take too much memory.
    pub const CELL_COUNT_MAX: usize = 25;

    /// The boards by their distance to a goal; nothing where there are too many cells.
    pub fn new(goal: &Goal, base: f64) -> Option<Self> {
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
        // Of the solvable boards alone: half the sum of permanent and determinant, each board with the sign of
        // its parity, which is that of the tiles' permutation and of the blank's distance together.
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

    /// A board, solvable or not. `draw` gives numbers from 0 up to 1, 1 itself left out, each as likely.
    pub fn draw(&self, draw: &mut dyn FnMut() -> f64) -> Board {
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

    /// How many times as likely a solvable board of this Manhattan distance is among the solvable boards that
    /// are drawn as among all solvable boards.
    pub fn likelihood(&self, distance: u32) -> f64 {
        self.base.powi(-(distance as i32)) / self.mean_weight
    }
}

/// The determinant of a square matrix, by elimination.
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
