//! The model as JSON, for programs.

use std::fmt::Write;

use crate::{Model, Term};

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
    let mut text = String::new();
    write(&mut text, model).expect("a string takes all that is written");
    text
}

fn write(text: &mut String, model: &Model) -> std::fmt::Result {
    writeln!(text, "{{\"format\": \"tilebase-model\", \"version\": 1,")?;
    writeln!(text, "\"name\": {},", quoted(&model.name))?;
    writeln!(text, "\"comments\": [")?;
    write_list(text, model.comments.iter().map(|line| quoted(line)));
    writeln!(text, "],\n\"variables\": [")?;
    let variables = model.variables.iter().map(|variable| {
        let (name, low, high) = (quoted(&variable.name), variable.low, variable.high);
        format!("{{\"name\": {name}, \"low\": {low}, \"high\": {high}}}")
    });
    write_list(text, variables);
    writeln!(text, "],\n\"families\": [")?;
    let families = model.families.iter().map(|family| {
        format!("{{\"name\": {}, \"meaning\": {}}}", quoted(&family.name), quoted(&family.meaning))
    });
    write_list(text, families);
    writeln!(text, "],\n\"rows\": [")?;
    let rows = model.rows.iter().map(|row| {
        format!(
            "{{\"name\": {}, \"family\": {}, \"terms\": {}, \"sense\": \"{}\", \"right\": {}}}",
            quoted(&row.name),
            row.family,
            terms(&row.terms),
            row.sense,
            row.right
        )
    });
    write_list(text, rows);
    writeln!(text, "],\n\"minimise\": {}}}", terms(&model.objective))
}

/// Writes one item per line.
fn write_list(text: &mut String, items: impl Iterator<Item = String>) {
    for (place, item) in items.enumerate() {
        if place > 0 {
            text.push_str(",\n");
        }
        text.push_str(&item);
    }
    text.push('\n');
}

fn terms(terms: &[Term]) -> String {
    let terms: Vec<String> =
        terms.iter().map(|term| format!("[{},{}]", term.factor, term.variable)).collect();
    format!("[{}]", terms.join(","))
}

/// Quotes a string. Names and comments come from this crate, so only quotes and backslashes need
/// escapes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
