//! The number of boards of a shape, and the growth of the trees over them.

use crate::{CellSet, Shape};

/// Precision of the growth of a tree.
const PRECISION: f64 = 1e-13;
/// Upper limit of levels, far above the number that any shape takes.
const ROUNDS_MAX: usize = 1_000_000;

impl Shape {
    /// Returns the number of arrangements of the tiles and the blank, in decimal digits: the
    /// factorial of [`cell_count`](Self::cell_count). That of 64 cells has 90 digits.
    pub fn arrangement_count(self) -> String {
        product(2..=self.cell_count())
    }

    /// Returns the number of boards that can be solved to one goal, in decimal digits: half of
    /// [all](Self::arrangement_count), because the other half has the wrong parity. On a line, only
    /// the blank's cell is free.
    pub fn board_count(self) -> String {
        if self.is_line() { self.cell_count().to_string() } else { product(3..=self.cell_count()) }
    }

    /// Returns the mean number of moves of a board, over all solvable boards. The blank is equally
    /// often on each cell, so this is the mean number of a cell's neighbours.
    pub fn mean_moves(self) -> f64 {
        let side_count = self.rows() * (self.cols() - 1) + self.cols() * (self.rows() - 1);
        2.0 * side_count as f64 / self.cell_count() as f64
    }

    /// Returns the two branching factors of the tree of moves in which no move undoes the one
    /// before: the ratios of the sizes of consecutive levels, in the limit of deep levels. Colour
    /// the cells as on a chessboard. The first factor leads from a level with the blank on the
    /// colour of cell 0 to the next level, and the second factor from the other colour.
    ///
    /// The colours alternate, so the mean factor is the geometric mean of both. S. Edelkamp and R.
    /// E. Korf give it in "The branching factor of regular search spaces", AAAI 1998: 1.7321 for
    /// 3x3 cells, 2.1304 for 4x4, 2.3676 for 5x5. On a line, both are 0, because the tree ends.
    pub fn tree_growth(self) -> [f64; 2] {
        if self.is_line() {
            return [0.0; 2];
        }
        // A state is the cell of the blank and the cell before. A step leads to any neighbour
        // except the cell before. The vector holds the number of nodes of a level in each state, in
        // proportion.
        let steps: Vec<(u8, u8)> = self
            .all_cells()
            .iter()
            .flat_map(|from| self.neighbours(from).iter().map(move |to| (from, to)))
            .collect();
        let position = |step| steps.binary_search(&step).expect("the steps are all there are");
        let before: Vec<Vec<usize>> = steps
            .iter()
            .map(|&(from, to)| {
                let cells = self.neighbours(from).without(CellSet::single(to));
                cells.iter().map(|cell| position((cell, from))).collect()
            })
            .collect();
        // Levels alternate between the colours; the first one has the blank on that of cell 0.
        let is_first = |&(_, to): &(u8, u8)| {
            let (row, col) = self.row_col(to);
            (row + col) % 2 == 0
        };
        let mut nodes: Vec<f64> = steps.iter().map(|step| f64::from(is_first(step))).collect();
        let (mut growth, mut changes) = ([0.0; 2], [1.0; 2]);
        for level in 0..ROUNDS_MAX {
            let sum = |before: &Vec<usize>| before.iter().map(|&step| nodes[step]).sum::<f64>();
            let next: Vec<f64> = before.iter().map(sum).collect();
            let ratio = next.iter().sum::<f64>() / nodes.iter().sum::<f64>();
            changes[level % 2] = (ratio - growth[level % 2]).abs();
            growth[level % 2] = ratio;
            nodes = next.into_iter().map(|count| count / ratio).collect();
            if changes.iter().all(|change| *change < PRECISION) {
                break;
            }
        }
        growth
    }
}

/// Returns the product of small numbers, in decimal digits.
fn product(factors: impl Iterator<Item = usize>) -> String {
    // The last digit first.
    let mut digits = vec![1];
    for factor in factors {
        let mut carry = 0;
        for digit in &mut digits {
            carry += *digit * factor;
            *digit = carry % 10;
            carry /= 10;
        }
        while carry > 0 {
            digits.push(carry % 10);
            carry /= 10;
        }
    }
    digits.iter().rev().map(ToString::to_string).collect()
}
