//! Rows as a table, as CSV and as JSON.

use std::fmt::Write;

use serde::Serialize;

use tilebase::BoardSet;

use crate::{Row, Summary};

/// What a heuristic is called where a search uses none.
const NO_HEURISTIC: &str = "-";

/// Digits in groups of three: 1,234,567.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// With three digits or more before the unit's prefix, or a decimal: 4.2 M, 123 k.
fn scaled(number: f64, base: f64) -> String {
    let (divisor, prefix) = match number {
        n if n >= base.powi(3) => (base.powi(3), " G"),
        n if n >= base.powi(2) => (base.powi(2), " M"),
        n if n >= base => (base, " k"),
        _ => (1.0, " "),
    };
    let scaled = number / divisor;
    let decimals = usize::from(scaled < 10.0 && divisor > 1.0);
    format!("{scaled:.decimals$}{prefix}")
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.1} us", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

fn size(bytes: u64) -> String {
    if bytes == 0 { NO_HEURISTIC.to_owned() } else { format!("{}B", scaled(bytes as f64, 1e3)) }
}

/// The columns of the table, the first two aligned to the left.
const COLUMNS: [&str; 14] = [
    "heuristic",
    "search",
    "boards",
    "optimal",
    "estimate",
    "length",
    "off by",
    "generated",
    "expanded",
    "nodes/s",
    "time",
    "tables",
    "memory",
    "b*",
];

/// Names and numbers as the table shows them.
fn cells(row: &Row) -> [String; 14] {
    let summary = row.summary();
    let or_dash = |value: Option<f64>, show: &dyn Fn(f64) -> String| {
        value.map_or_else(|| NO_HEURISTIC.to_owned(), show)
    };
    let share = |part: usize| format!("{part}/{}", summary.boards);
    [
        // A name is one cell, whatever is in it.
        row.heuristic.as_deref().unwrap_or(NO_HEURISTIC).replace('|', "\\|"),
        row.search.clone(),
        share(summary.solved),
        share(summary.proven),
        or_dash(summary.estimate, &|mean| format!("{mean:.2}")),
        or_dash(summary.length, &|mean| format!("{mean:.2}")),
        summary.excess_max.map_or_else(|| NO_HEURISTIC.to_owned(), |moves| moves.to_string()),
        or_dash(summary.generated, &grouped),
        or_dash(summary.expanded, &grouped),
        or_dash(summary.nodes_per_second, &|rate| scaled(rate, 1e3)),
        or_dash(summary.seconds, &duration),
        size(row.table_bytes),
        size(summary.memory_bytes),
        or_dash(summary.branching, &|mean| format!("{mean:.3}")),
    ]
}

/// The rows as a table of text. Means are over the boards that were solved.
///
/// It is a Markdown table, so that it can go into a page as it is.
pub fn table(rows: &[Row]) -> String {
    let header = COLUMNS.map(str::to_owned);
    let lines: Vec<[String; 14]> = rows.iter().map(cells).collect();
    let width = |column: usize| {
        let cells = lines.iter().chain([&header]).map(|line| line[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: [usize; 14] = std::array::from_fn(width);
    let mut text = String::new();
    let mut push = |line: &[String; 14]| {
        for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
            // To write into a string cannot fail.
            let _ = if column < 2 {
                write!(text, "| {cell:<width$} ")
            } else {
                write!(text, "| {cell:>width$} ")
            };
        }
        text.push_str("|\n");
    };
    push(&header);
    push(&std::array::from_fn(|column| match (column, widths[column]) {
        (..2, width) => "-".repeat(width),
        (_, width) => format!("{}:", "-".repeat(width - 1)),
    }));
    lines.iter().for_each(push);
    text
}

/// A row as CSV writes it: raw numbers, times in seconds.
#[derive(Serialize)]
struct CsvRow<'a> {
    set: &'a str,
    heuristic: &'a str,
    search: &'a str,
    boards: usize,
    solved: usize,
    optimal: usize,
    estimate: Option<f64>,
    estimate_error: Option<f64>,
    length: Option<f64>,
    excess_max: Option<u32>,
    generated: Option<f64>,
    expanded: Option<f64>,
    nodes_per_second: Option<f64>,
    seconds: Option<f64>,
    table_bytes: u64,
    memory_bytes: u64,
    branching_factor: Option<f64>,
}

/// The rows as CSV, with a line of names first.
///
/// # Panics
/// Never: to write into memory cannot fail.
pub fn csv(boards: &BoardSet, rows: &[Row]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        let summary = row.summary();
        let line = CsvRow {
            set: &boards.name,
            heuristic: row.heuristic.as_deref().unwrap_or_default(),
            search: &row.search,
            boards: summary.boards,
            solved: summary.solved,
            optimal: summary.proven,
            estimate: summary.estimate,
            estimate_error: summary.estimate_error,
            length: summary.length,
            excess_max: summary.excess_max,
            generated: summary.generated,
            expanded: summary.expanded,
            nodes_per_second: summary.nodes_per_second,
            seconds: summary.seconds,
            table_bytes: row.table_bytes,
            memory_bytes: summary.memory_bytes,
            branching_factor: summary.branching,
        };
        writer.serialize(line).expect("numbers and names are a line of CSV");
    }
    writer.into_inner().expect("memory takes what is written")
}

#[derive(Serialize)]
struct Document<'a> {
    set: &'a str,
    goal: String,
    boards: Vec<String>,
    rows: Vec<JsonRow<'a>>,
}

#[derive(Serialize)]
struct JsonRow<'a> {
    #[serde(flatten)]
    row: &'a Row,
    summary: Summary,
}

/// The boards, the rows, and what each search did on each board, as JSON.
///
/// # Panics
/// Never: numbers and names can be written as JSON.
pub fn json(boards: &BoardSet, rows: &[Row]) -> Vec<u8> {
    let document = Document {
        set: &boards.name,
        goal: boards.goal.board().to_string(),
        boards: boards.boards.iter().map(ToString::to_string).collect(),
        rows: rows.iter().map(|row| JsonRow { row, summary: row.summary() }).collect(),
    };
    serde_json::to_vec(&document).expect("numbers and names are JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_people_read_them() {
        assert_eq!(grouped(0.4), "0");
        assert_eq!(grouped(999.0), "999");
        assert_eq!(grouped(401_189_630.2), "401,189,630");
        assert_eq!([scaled(12.0, 1e3), scaled(4_200.0, 1e3)], ["12 ", "4.2 k"]);
        assert_eq!([scaled(163e6, 1e3), scaled(2.5e9, 1e3)], ["163 M", "2.5 G"]);
        assert_eq!(
            [duration(12e-6), duration(0.0034), duration(2.0)],
            ["12.0 us", "3.40 ms", "2.00 s"]
        );
        assert_eq!([size(0), size(391_000_000)], ["-", "391 MB"]);
    }
}
