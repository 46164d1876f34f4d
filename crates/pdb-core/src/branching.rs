//! The number of boards of a shape, and the growth of the trees over them.

use crate::{CellSet, Shape};

/// Precision of the growth of a tree.
const PRECISION: f64 = 1e-13;
/// Upper limit of rounds, far above the number that any shape takes.
const ROUNDS_MAX: u32 = 1_000_000;

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
        // except the cell before. The vector holds the share of each state among the nodes of two
        // consecutive levels.
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
        let mut nodes = vec![1.0; steps.len()];
        let mut growth = 0.0;
        for _ in 0..ROUNDS_MAX {
            // Levels alternate between the colours. The sum of two consecutive levels converges.
            let next: Vec<f64> = (before.iter().zip(&nodes))
                .map(|(before, own)| own + before.iter().map(|&step| nodes[step]).sum::<f64>())
                .collect();
            let sum: f64 = next.iter().sum();
            let last = growth;
            growth = sum / nodes.iter().sum::<f64>();
            let change = next.iter().zip(&nodes).map(|(a, b)| (a / growth - b).abs());
            let is_settled = change.fold(0.0, f64::max) < PRECISION;
            nodes = next.into_iter().map(|share| share * steps.len() as f64 / sum).collect();
            if is_settled && (growth - last).abs() < PRECISION {
                break;
            }
        }
        let growth = growth - 1.0;
        let is_first = |cell| {
            let (row, col) = self.row_col(cell);
            (row + col) % 2 == 0
        };
        let mut shares = [0.0; 2];
        for (&(_, to), share) in steps.iter().zip(&nodes) {
            shares[usize::from(!is_first(to))] += share;
        }
        [growth * shares[1] / shares[0], growth * shares[0] / shares[1]]
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
