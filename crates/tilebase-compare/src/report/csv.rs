//! Comparisons as CSV: raw numbers, times in seconds, and empty cells for missing values.

use std::fmt::Display;

use tilebase::Metric;
use tilebase::record::csv_line;

use crate::comparison::{Comparison, Pair};
use crate::ratio::{Ratio, Ratios};
use crate::row::{Sample, effective_branching_factor};
use crate::statistics::{Interval, Spread};
use crate::summary::{Spreads, relative_error};

/// Name of a column, and its cell in the line of a board and a pair.
type BoardColumn = (&'static str, fn(&Comparison, &Pair, &Sample) -> String);
/// Name of a column, and its cell in the line of a pair.
type PairColumn = (&'static str, fn(&Comparison, &Pair) -> String);
/// Name of a part of another value.
type Part<T, P> = (&'static str, fn(T) -> P);

/// Columns of the file with a line for each board and pair. Boards are numbered from 1.
const BOARD_COLUMNS: [BoardColumn; 19] = [
    ("set", |comparison, _, _| comparison.set.name.clone()),
    ("number", |_, _, sample| (sample.board + 1).to_string()),
    ("board", |comparison, _, sample| text_or_empty(comparison.set.boards.get(sample.board))),
    ("heuristic", |_, pair, _| text_or_empty(pair.row.name.heuristic.as_ref())),
    ("search", |_, pair, _| pair.row.name.search.clone()),
    ("end", |_, _, sample| sample.status.name().to_owned()),
    ("optimum", |comparison, _, sample| text_or_empty(optimum(comparison, sample))),
    ("estimate", |_, _, sample| text_or_empty(sample.estimate)),
    ("relative_error", |comparison, _, sample| {
        let known = sample.estimate.zip(optimum(comparison, sample));
        text_or_empty(known.and_then(|(estimate, optimum)| relative_error(estimate, optimum)))
    }),
    ("length", |_, _, sample| text_or_empty(sample.length)),
    ("above_optimum", |comparison, _, sample| {
        let known = sample.length.zip(optimum(comparison, sample));
        text_or_empty(known.map(|(length, optimum)| length - optimum))
    }),
    ("lower_bound", |_, _, sample| sample.lower_bound.to_string()),
    ("generated", |_, _, sample| sample.generated.to_string()),
    ("expanded", |_, _, sample| sample.expanded.to_string()),
    ("seconds", |_, _, sample| sample.seconds.to_string()),
    ("memory_bytes", |_, _, sample| sample.memory_bytes.to_string()),
    ("branching_generated", |_, _, sample| branching(sample, sample.generated)),
    ("branching_expanded", |_, _, sample| branching(sample, sample.expanded)),
    ("metric", |_, pair, _| metric(pair)),
];

/// Columns of the file with a line for each pair. Those of distributions and ratios follow.
const PAIR_COLUMNS: [PairColumn; 20] = [
    ("set", |comparison, _| comparison.set.name.clone()),
    ("heuristic", |_, pair| text_or_empty(pair.row.name.heuristic.as_ref())),
    ("search", |_, pair| pair.row.name.search.clone()),
    ("boards", |_, pair| pair.summary.boards.to_string()),
    ("solved", |_, pair| pair.summary.solved.to_string()),
    ("optimal", |_, pair| pair.summary.proven.to_string()),
    ("estimate", |_, pair| text_or_empty(pair.summary.estimate)),
    ("estimate_error", |_, pair| text_or_empty(pair.summary.estimate_error)),
    ("length", |_, pair| text_or_empty(pair.summary.length)),
    ("excess_max", |_, pair| text_or_empty(pair.summary.excess_max)),
    ("generated", |_, pair| text_or_empty(pair.summary.generated)),
    ("expanded", |_, pair| text_or_empty(pair.summary.expanded)),
    ("nodes_per_second", |_, pair| text_or_empty(pair.summary.nodes_per_second)),
    ("seconds", |_, pair| text_or_empty(pair.summary.seconds)),
    ("table_bytes", |_, pair| pair.row.table_bytes.to_string()),
    ("memory_bytes", |_, pair| pair.summary.memory_bytes.to_string()),
    ("branching_factor", |_, pair| text_or_empty(pair.summary.branching)),
    ("branching_factor_expanded", |_, pair| text_or_empty(pair.summary.branching_expanded)),
    ("optimum", |_, pair| text_or_empty(pair.summary.optimum)),
    ("metric", |_, pair| metric(pair)),
];
/// Numbers whose distribution over the boards is written.
const SPREADS: [Part<Spreads, Option<Spread>>; 7] = [
    ("generated", |spreads| spreads.generated),
    ("expanded", |spreads| spreads.expanded),
    ("seconds", |spreads| spreads.seconds),
    ("length", |spreads| spreads.length),
    ("above_optimum", |spreads| spreads.above_optimum),
    ("relative_error", |spreads| spreads.relative_error),
    ("above_best", |spreads| spreads.above_best),
];
/// Columns of a distribution.
const SPREAD_COLUMNS: [Part<Spread, String>; 8] = [
    ("boards", |spread| spread.count.to_string()),
    ("mean", |spread| spread.mean.to_string()),
    ("sd", |spread| text_or_empty(spread.sd)),
    ("min", |spread| spread.min.to_string()),
    ("q1", |spread| spread.q1.to_string()),
    ("median", |spread| spread.median.to_string()),
    ("q3", |spread| spread.q3.to_string()),
    ("max", |spread| spread.max.to_string()),
];
/// Numbers whose ratio to the baseline is written.
const RATIOS: [Part<Ratios, Ratio>; 4] = [
    ("generated", |ratios| ratios.generated),
    ("expanded", |ratios| ratios.expanded),
    ("seconds", |ratios| ratios.seconds),
    ("length", |ratios| ratios.length),
];
const RATIO_KINDS: [Part<Ratio, Option<Interval>>; 2] =
    [("geometric_mean", |ratio| ratio.geometric_mean), ("of_sums", |ratio| ratio.of_sums)];
/// Columns of a ratio.
const RATIO_COLUMNS: [Part<Interval, Option<f64>>; 3] = [
    ("", |interval| Some(interval.value)),
    ("_low", |interval| interval.low),
    ("_high", |interval| interval.high),
];

fn text_or_empty(value: Option<impl Display>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn optimum(comparison: &Comparison, sample: &Sample) -> Option<u32> {
    comparison.optima.of_board(sample.board)
}

fn branching(sample: &Sample, nodes: u64) -> String {
    text_or_empty(sample.length.and_then(|length| effective_branching_factor(nodes, length)))
}

/// Returns the name of what counts as one move.
fn metric(pair: &Pair) -> String {
    pair.row.metric.unwrap_or(Metric::default().name()).to_owned()
}

/// Returns CSV with a header and a line for each board and pair.
pub fn csv(comparisons: &[Comparison]) -> Vec<u8> {
    let mut file = csv_line(BOARD_COLUMNS.map(|(name, _)| name));
    for comparison in comparisons {
        for pair in &comparison.pairs {
            for sample in &pair.row.samples {
                let cells = BOARD_COLUMNS.map(|(_, cell)| cell(comparison, pair, sample));
                file.extend(csv_line(cells));
            }
        }
    }
    file
}

/// Returns CSV with a header and a line for each pair: means, distributions and ratios.
pub fn summary_csv(comparisons: &[Comparison]) -> Vec<u8> {
    let mut header: Vec<String> = PAIR_COLUMNS.map(|(name, _)| name.to_owned()).to_vec();
    for (number, _) in SPREADS {
        header.extend(SPREAD_COLUMNS.map(|(part, _)| format!("{number}_{part}")));
    }
    header.push("ratio_boards".to_owned());
    for (number, _) in RATIOS {
        for (kind, _) in RATIO_KINDS {
            header.extend(RATIO_COLUMNS.map(|(part, _)| format!("ratio_{number}_{kind}{part}")));
        }
    }
    let mut file = csv_line(header);
    for comparison in comparisons {
        for pair in &comparison.pairs {
            file.extend(csv_line(pair_line(comparison, pair)));
        }
    }
    file
}

fn pair_line(comparison: &Comparison, pair: &Pair) -> Vec<String> {
    let mut line = PAIR_COLUMNS.map(|(_, cell)| cell(comparison, pair)).to_vec();
    for (_, spread) in SPREADS {
        let spread = spread(pair.summary.spread);
        line.extend(SPREAD_COLUMNS.map(|(_, cell)| spread.map(cell).unwrap_or_default()));
    }
    line.push(text_or_empty(pair.ratios.map(|ratios| ratios.boards)));
    for (_, ratio) in RATIOS {
        for (_, kind) in RATIO_KINDS {
            let interval = pair.ratios.and_then(|ratios| kind(ratio(ratios)));
            line.extend(RATIO_COLUMNS.map(|(_, part)| text_or_empty(interval.and_then(part))));
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        let cells = ["=1+1", "+x", "-x", "@x", "\tx", "-1.5", "plain", "a=b", ""];
        let line = String::from_utf8(csv_line(cells)).expect("text");
        assert_eq!(line, "'=1+1,'+x,'-x,'@x,'\tx,-1.5,plain,a=b,\n");
    }

    #[test]
    fn readers_get_the_cells_back() {
        let cells = ["", "a,b", "\"", "say \"no\"", "two\nlines", "a\r", " a ", ";", "'", ",\",\n"];
        let lines = [csv_line(cells), csv_line(["x"; 10]), csv_line(cells)].concat();
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&lines[..]);
        let read: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().expect("CSV");
        assert_eq!(read, [cells, ["x"; 10], cells].map(|cells| cells.to_vec()));
    }
}
