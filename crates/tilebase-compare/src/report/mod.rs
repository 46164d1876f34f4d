//! Comparisons as tables of text, CSV, JSON and HTML.

mod csv;
mod grid;
mod html;
mod json;
mod numbers;
mod text;

pub use html::Page;

use crate::chart::Chart;
use crate::comparison::Comparison;

/// Returns the means of each pair as a Markdown table. Means are over the solved boards. The first
/// column is the set if there are several.
pub fn table(comparisons: &[Comparison]) -> String {
    text::markdown(&grid::means(comparisons))
}

/// Returns distributions and effective branching factors as Markdown tables with titles.
pub fn distributions(comparisons: &[Comparison]) -> String {
    let mut grids = grid::spreads(comparisons);
    grids.push(grid::branching(comparisons));
    grids.iter().map(text::titled).collect::<Vec<_>>().join("\n")
}

/// Returns the ratios to the baseline as a Markdown table with title, if there is a baseline.
pub fn ratios(comparisons: &[Comparison]) -> Option<String> {
    grid::ratios(comparisons).map(|grid| text::titled(&grid))
}

/// Returns CSV with a header and a line for each board and pair. Boards are numbered from 1.
pub fn csv(comparisons: &[Comparison]) -> Vec<u8> {
    csv::of_boards(comparisons)
}

/// Returns CSV with a header and a line for each pair: means, distributions and ratios.
pub fn summary_csv(comparisons: &[Comparison]) -> Vec<u8> {
    csv::of_pairs(comparisons)
}

/// Returns everything as JSON: sets with boards, and pairs with results and statistics. Boards are
/// numbered from 0.
pub fn json(comparisons: &[Comparison]) -> Vec<u8> {
    json::document(comparisons)
}

/// Returns everything except the boards as one HTML file, with the charts.
pub fn html(page: &Page, comparisons: &[Comparison], charts: &[Chart]) -> String {
    html::page(page, comparisons, charts)
}
