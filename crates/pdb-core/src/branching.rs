//! How many boards a shape has, and how fast the trees over them grow.

use crate::{CellSet, Shape};

/// The growth of a tree is found to so many digits.
const PRECISION: f64 = 1e-13;
/// No shape takes nearly so many rounds.
const ROUNDS_MAX: u32 = 1_000_000;

impl Shape {
    /// How many ways there are to put the tiles and the blank on the cells: the factorial of
    /// [`cell_count`](Self::cell_count), as a decimal number. That of 36 cells has 42 digits.
    pub fn arrangement_count(self) -> String {
        product(2..=self.cell_count())
    }

    /// How many boards can be solved to any one goal: half of [all](Self::arrangement_count), as the
    /// parity of the other half is wrong.
    pub fn board_count(self) -> String {
        product(3..=self.cell_count())
    }

    /// The mean number of moves that a board has, over all boards that can be solved: the blank is
    /// equally often on each cell, so it is the mean number of a cell's neighbours.
    pub fn mean_moves(self) -> f64 {
        let side_count = self.rows() * (self.cols() - 1) + self.cols() * (self.rows() - 1);
        2.0 * side_count as f64 / self.cell_count() as f64
    }

    /// By how much the tree of moves grows from level to level in the limit, where no move takes the
    /// last one back: from levels with the blank on a cell of the colour of cell 0, as a chessboard has
    /// them, and from levels with it on the other colour.
    ///
    /// The colours take turns, so the factor of a level in the mean is the geometric mean of both, as S.
    /// Edelkamp and R. E. Korf give it in "The branching factor of regular search spaces", AAAI 1998:
    /// 1.7321 for 3x3 cells, 2.1304 for 4x4, 2.3676 for 5x5.
    pub fn tree_growth(self) -> [f64; 2] {
        // Where the blank is and where it came from: a step goes on to any neighbour but that one. The
        // vector holds the share of each state among the nodes of two consecutive levels.
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
            // The levels take turns between the colours; with its own predecessor added, a level settles.
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

/// The product of small numbers, as a decimal number.
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
