//! Comparisons as CSV: raw numbers, times in seconds, and empty cells for missing values.

use std::fmt::Display;

use tilebase::Metric;
use tilebase::record::csv_line;

use crate::comparison::{Comparison, Pair};
use crate::row::{Sample, effective_branching_factor};
use crate::summary::relative_error;

/// Name of a column, and its cell in the line of a board and a pair.
type BoardColumn = (&'static str, fn(&Comparison, &Pair, &Sample) -> String);

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
