//! What pairs of heuristic and search did on one set of boards, put into numbers.

use tilebase::BoardSet;

use crate::ratio::Ratios;
use crate::row::{PairName, Row};
use crate::summary::{Optima, Summary};

/// A row and its numbers.
#[derive(Clone, Debug)]
pub struct Pair {
    /// What heuristic and search did on each board.
    pub row: Row,
    /// The row in a few numbers.
    pub summary: Summary,
    /// Its ratios to the baseline, where there is one.
    pub ratios: Option<Ratios>,
}

/// All pairs of heuristic and search on one set of boards.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The boards and their goal.
    pub set: BoardSet,
    /// What the rows prove together of the boards' distances.
    pub optima: Optima,
    /// In the order in which they were run.
    pub pairs: Vec<Pair>,
    /// Which of them the others are held against.
    pub baseline: Option<PairName>,
}

impl Comparison {
    /// Puts rows into numbers. Without a row of the baseline's name there are no ratios.
    pub fn new(set: BoardSet, rows: Vec<Row>, baseline: Option<&PairName>) -> Self {
        let optima = Optima::of(&rows);
        let beside = baseline.and_then(|name| rows.iter().find(|row| row.name() == *name));
        let baseline = beside.map(Row::name);
        let numbers: Vec<_> = rows
            .iter()
            .map(|row| {
                (row.summary_with(&optima), beside.map(|baseline| Ratios::of(row, baseline)))
            })
            .collect();
        let pair = |(row, (summary, ratios))| Pair { row, summary, ratios };
        let pairs = rows.into_iter().zip(numbers).map(pair).collect();
        Self { set, optima, pairs, baseline }
    }
}
