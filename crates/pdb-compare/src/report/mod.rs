//! Comparisons as tables of text, as CSV, as JSON and as a page.

mod csv;
mod grid;
mod html;
mod json;
mod numbers;
mod text;

pub use html::Page;

use crate::chart::Chart;
use crate::comparison::Comparison;

/// What each pair took, as a table of text with a line for each pair; the set comes first where there are
/// several. Means are over the boards that were solved.
///
/// It is a Markdown table, so that it can go into a page as it is.
pub fn table(comparisons: &[Comparison]) -> String {
    text::markdown(&grid::means(comparisons))
}

/// How numbers are spread over the boards, and the effective branching factors: tables of text with
/// their titles, and empty lines between them.
pub fn distributions(comparisons: &[Comparison]) -> String {
    let mut grids = grid::spreads(comparisons);
    grids.push(grid::branching(comparisons));
    grids.iter().map(text::titled).collect::<Vec<_>>().join("\n")
}

/// The ratios to the baseline as a table of text with its title; nothing without a baseline.
pub fn ratios(comparisons: &[Comparison]) -> Option<String> {
    grid::ratios(comparisons).map(|grid| text::titled(&grid))
}

/// CSV with a line for each board and pair, and a line of names first. Boards are numbered from 1.
pub fn csv(comparisons: &[Comparison]) -> Vec<u8> {
    csv::of_boards(comparisons)
}

/// CSV with a line for each pair, and a line of names first: means, spreads and ratios.
pub fn summary_csv(comparisons: &[Comparison]) -> Vec<u8> {
    csv::of_pairs(comparisons)
}

/// Everything as JSON: the sets with their boards, the pairs with what each did on each board, and the
/// numbers of each pair. Boards are numbered from 0.
pub fn json(comparisons: &[Comparison]) -> Vec<u8> {
    json::document(comparisons)
}

/// Everything but the boards as a page of HTML in one file, with the charts inside.
pub fn html(page: &Page, comparisons: &[Comparison], charts: &[Chart]) -> String {
    html::page(page, comparisons, charts)
}
