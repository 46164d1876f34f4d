//! Comparisons as CSV: raw numbers, times in seconds, and empty cells for missing values.

use std::fmt::Display;

use tilebase::Metric;
use tilebase::record::csv_line;

use crate::comparison::{Comparison, Pair};
use crate::row::{Sample, effective_branching_factor};
use crate::statistics::Spread;
use crate::summary::relative_error;

/// Columns of the file with a line for each board and pair of heuristic and search.
const BOARD_COLUMNS: &str = "set number board heuristic search end optimum estimate relative_error length \
    above_optimum lower_bound generated expanded seconds memory_bytes \
    branching_generated branching_expanded metric";
/// Columns of the file with a line for each pair. Those of distributions and ratios follow.
const PAIR_COLUMNS: &str = "set heuristic search boards solved optimal estimate estimate_error length \
    excess_max generated expanded nodes_per_second seconds table_bytes memory_bytes \
    branching_factor branching_factor_expanded optimum metric";
/// Numbers whose distribution over the boards is written, in the order of [`pair_line`].
const SPREADS: [&str; 7] =
    ["generated", "expanded", "seconds", "length", "above_optimum", "relative_error", "above_best"];

fn text_or_empty(value: Option<impl Display>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// Returns the name of what counts as one move.
fn metric(pair: &Pair) -> String {
    pair.row.metric.unwrap_or(Metric::default().name()).to_owned()
}

/// Returns a CSV file with a header and lines below it.
fn csv_file<T: AsRef<str>>(
    header: impl IntoIterator<Item = T>,
    lines: impl Iterator<Item = Vec<String>>,
) -> Vec<u8> {
    csv_line(header).into_iter().chain(lines.flat_map(csv_line)).collect()
}

/// Returns CSV with a header and a line for each board and pair. Boards are numbered from 1.
pub fn csv(comparisons: &[Comparison]) -> Vec<u8> {
    let line = |comparison: &Comparison, pair: &Pair, sample: &Sample| {
        let optimum = comparison.optima.of_board(sample.board);
        let error =
            sample.estimate.zip(optimum).and_then(|(h, optimum)| relative_error(h, optimum));
        let branching = |nodes| {
            text_or_empty(
                sample.length.and_then(|length| effective_branching_factor(nodes, length)),
            )
        };
        vec![
            comparison.set.name.clone(),
            (sample.board + 1).to_string(),
            text_or_empty(comparison.set.boards.get(sample.board)),
            text_or_empty(pair.row.name.heuristic.as_ref()),
            pair.row.name.search.clone(),
            sample.status.name().to_owned(),
            text_or_empty(optimum),
            text_or_empty(sample.estimate),
            text_or_empty(error),
            text_or_empty(sample.length),
            text_or_empty(sample.length.zip(optimum).map(|(length, optimum)| length - optimum)),
            sample.lower_bound.to_string(),
            sample.generated.to_string(),
            sample.expanded.to_string(),
            sample.seconds.to_string(),
            sample.memory_bytes.to_string(),
            branching(sample.generated),
            branching(sample.expanded),
            metric(pair),
        ]
    };
    let lines = comparisons.iter().flat_map(|comparison| {
        let pairs = comparison.pairs.iter();
        pairs.flat_map(move |pair| {
            pair.row.samples.iter().map(move |sample| line(comparison, pair, sample))
        })
    });
    csv_file(BOARD_COLUMNS.split(' '), lines)
}

/// Returns CSV with a header and a line for each pair: means, distributions and ratios.
pub fn summary_csv(comparisons: &[Comparison]) -> Vec<u8> {
    let mut header: Vec<String> = PAIR_COLUMNS.split(' ').map(str::to_owned).collect();
    for number in SPREADS {
        for part in ["boards", "mean", "sd", "min", "q1", "median", "q3", "max"] {
            header.push(format!("{number}_{part}"));
        }
    }
    header.push("ratio_boards".to_owned());
    for number in ["generated", "expanded", "seconds", "length"] {
        for kind in ["geometric_mean", "of_sums"] {
            for part in ["", "_low", "_high"] {
                header.push(format!("ratio_{number}_{kind}{part}"));
            }
        }
    }
    let lines = comparisons.iter().flat_map(|comparison| {
        comparison.pairs.iter().map(move |pair| pair_line(&comparison.set.name, pair))
    });
    csv_file(header, lines)
}

fn pair_line(set: &str, pair: &Pair) -> Vec<String> {
    let (row, summary) = (&pair.row, &pair.summary);
    let mut line = vec![
        set.to_owned(),
        text_or_empty(row.name.heuristic.as_ref()),
        row.name.search.clone(),
        summary.boards.to_string(),
        summary.solved.to_string(),
        summary.proven.to_string(),
        text_or_empty(summary.estimate),
        text_or_empty(summary.estimate_error),
        text_or_empty(summary.length),
        text_or_empty(summary.excess_max),
        text_or_empty(summary.generated),
        text_or_empty(summary.expanded),
        text_or_empty(summary.nodes_per_second),
        text_or_empty(summary.seconds),
        row.table_bytes.to_string(),
        summary.memory_bytes.to_string(),
        text_or_empty(summary.branching),
        text_or_empty(summary.branching_expanded),
        text_or_empty(summary.optimum),
        metric(pair),
    ];
    let spreads = &summary.spread;
    for spread in [
        spreads.generated,
        spreads.expanded,
        spreads.seconds,
        spreads.length,
        spreads.above_optimum,
        spreads.relative_error,
        spreads.above_best,
    ] {
        let cells = spread.map(|Spread { count, mean, sd, min, q1, median, q3, max }| {
            let five = [min, q1, median, q3, max].map(|value| value.to_string());
            [count.to_string(), mean.to_string(), text_or_empty(sd)]
                .into_iter()
                .chain(five)
                .collect()
        });
        line.extend(cells.unwrap_or_else(|| vec![String::new(); 8]));
    }
    line.push(text_or_empty(pair.ratios.map(|ratios| ratios.boards)));
    let ratios = pair
        .ratios
        .map(|ratios| [ratios.generated, ratios.expanded, ratios.seconds, ratios.length]);
    for number in 0..4 {
        let ratio = ratios.map(|ratios| ratios[number]);
        let kinds = ratio.map_or([None; 2], |ratio| [ratio.geometric_mean, ratio.of_sums]);
        for interval in kinds {
            line.push(text_or_empty(interval.map(|interval| interval.value)));
            line.push(text_or_empty(interval.and_then(|interval| interval.low)));
            line.push(text_or_empty(interval.and_then(|interval| interval.high)));
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
