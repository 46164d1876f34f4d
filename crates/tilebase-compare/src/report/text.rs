//! Comparisons as Markdown.

use std::fmt::Write;

use super::grid::{self, Grid};
use crate::comparison::Comparison;

/// Returns the means of each pair as a Markdown table. Means are over the solved boards. The first
/// column is the set if there are several.
pub fn table(comparisons: &[Comparison]) -> String {
    markdown(&grid::means(comparisons))
}

/// Returns distributions and effective branching factors as Markdown tables with titles.
pub fn distributions(comparisons: &[Comparison]) -> String {
    let mut grids = grid::spreads(comparisons);
    grids.push(grid::branching(comparisons));
    grids.iter().map(titled).collect::<Vec<_>>().join("\n")
}

/// Returns the ratios to the baseline as a Markdown table with title, if there is a baseline.
pub fn ratios(comparisons: &[Comparison]) -> Option<String> {
    grid::ratios(comparisons).as_ref().map(titled)
}

/// Returns a Markdown table.
fn markdown(grid: &Grid) -> String {
    // Names may contain bars.
    let escaped = |cell: &str| cell.replace('|', "\\|");
    let header: Vec<String> = grid.header.iter().map(|cell| escaped(cell)).collect();
    let lines: Vec<Vec<String>> =
        grid.lines.iter().map(|line| line.iter().map(|cell| escaped(cell)).collect()).collect();
    let width = |column: usize| {
        let cells = lines.iter().chain([&header]).map(|line| line[column].chars().count());
        // The greatest width that a format may have.
        cells.max().unwrap_or(0).min(u16::MAX.into())
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let mut text = String::new();
    let mut push = |line: &[String]| {
        for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
            // Writing to a string cannot fail.
            let _ = if column < grid.names {
                write!(text, "| {cell:<width$} ")
            } else {
                write!(text, "| {cell:>width$} ")
            };
        }
        text.push_str("|\n");
    };
    push(&header);
    let rule = |(column, &width): (usize, &usize)| {
        if column < grid.names { "-".repeat(width) } else { format!("{}:", "-".repeat(width - 1)) }
    };
    push(&widths.iter().enumerate().map(rule).collect::<Vec<_>>());
    for line in &lines {
        push(line);
    }
    text
}

/// Returns a table below its title.
fn titled(grid: &Grid) -> String {
    format!("{}:\n\n{}", grid.title, markdown(grid))
}
