//! Statistics of pairs of heuristic and search on one set of boards.

use tilebase::sets::BoardSet;

use crate::ratio::Ratios;
use crate::row::{PairName, Row};
use crate::summary::{Optima, Summary};

/// A row with its statistics.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The results of each board.
    pub row: Row,
    /// Summary of the row.
    pub summary: Summary,
    /// Ratios to the baseline, if there is one.
    pub ratios: Option<Ratios>,
}

/// All pairs of heuristic and search on one set of boards.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Boards and goal.
    pub set: BoardSet,
    /// Optima that the rows prove together.
    pub optima: Optima,
    /// Pairs in the order of their runs.
    pub pairs: Vec<Pair>,
    /// The pair that the others are compared with.
    pub baseline: Option<PairName>,
}

impl Comparison {
    /// Computes the statistics of rows. Without a row of the baseline's name there are no ratios.
    pub fn new(set: BoardSet, rows: &[Row], baseline: Option<&PairName>) -> Self {
        let optima = Optima::of(rows);
        let baseline = baseline.and_then(|name| rows.iter().find(|row| row.name == *name));
        let pair = |row: &Row| Pair {
            row: row.clone(),
            summary: row.summary(&optima),
            ratios: baseline.map(|baseline| Ratios::of(row, baseline)),
        };
        let pairs = rows.iter().map(pair).collect();
        Self { set, optima, pairs, baseline: baseline.map(|row| row.name.clone()) }
    }
}
