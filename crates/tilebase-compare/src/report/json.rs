//! Comparisons as JSON.

use serde::Serialize;

use crate::comparison::Comparison;
use crate::ratio::Ratios;
use crate::row::Row;
use crate::statistics::CONFIDENCE;
use crate::summary::{Optima, Summary};

/// The JSON document. The fields of the first set are repeated at the top, for comparisons on one
/// set.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    first: Option<Set<'a>>,
    sets: Vec<Set<'a>>,
    baseline: Option<String>,
    confidence: f64,
    rows: Vec<JsonRow<'a>>,
}

#[derive(Serialize)]
struct Set<'a> {
    #[serde(rename = "set")]
    name: &'a str,
    goal: String,
    boards: Vec<String>,
    optima: &'a Optima,
}

#[derive(Serialize)]
struct JsonRow<'a> {
    set: &'a str,
    goal: String,
    #[serde(flatten)]
    row: &'a Row,
    summary: Summary,
    ratios: Option<Ratios>,
}

impl<'a> Set<'a> {
    fn of(comparison: &'a Comparison) -> Self {
        Self {
            name: &comparison.set.name,
            goal: comparison.set.goal.board().to_string(),
            boards: comparison.set.boards.iter().map(ToString::to_string).collect(),
            optima: &comparison.optima,
        }
    }
}

/// Returns everything as JSON: sets with boards, and pairs with results and statistics. Boards are
/// numbered from 0.
pub fn json(comparisons: &[Comparison]) -> Vec<u8> {
    let rows = comparisons.iter().flat_map(|comparison| {
        comparison.pairs.iter().map(|pair| JsonRow {
            set: &comparison.set.name,
            goal: comparison.set.goal.board().to_string(),
            row: &pair.row,
            summary: pair.summary,
            ratios: pair.ratios,
        })
    });
    let baseline = comparisons.iter().find_map(|comparison| comparison.baseline.as_ref());
    let document = Document {
        first: comparisons.first().map(Set::of),
        sets: comparisons.iter().map(Set::of).collect(),
        baseline: baseline.map(ToString::to_string),
        confidence: CONFIDENCE,
        rows: rows.collect(),
    };
    serde_json::to_vec(&document).expect("numbers and names are JSON")
}
