//! The model as JSON, for programs.

use serde::Serialize;

use crate::Model;

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    version: u32,
    #[serde(flatten)]
    model: &'a Model,
}

/// Writes the model as one JSON object.
///
/// - `format`: `"tilebase-model"`; `version`: 1.
/// - `name`, and `comments`: an array of lines.
/// - `variables`: an array of `{"name", "low", "high"}`; all take whole numbers.
/// - `families`: an array of `{"name", "meaning"}`.
/// - `rows`: an array of `{"name", "family", "terms", "sense", "right"}`, where `family` is a place
///   in `families`, `terms` an array of `[factor, place of a variable]`, and `sense` one of `<=`,
///   `>=` and `=`.
/// - `minimise`: what is minimised, an array of terms; empty where any solution will do.
pub fn write_json(model: &Model) -> String {
    let document = Document { format: "tilebase-model", version: 1, model };
    serde_json::to_string(&document).expect("texts and numbers are JSON") + "\n"
}
