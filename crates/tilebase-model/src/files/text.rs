//! Functions that the formats share.

use std::fmt::Write;

use crate::{Model, Term};

/// Longest line. Readers of LP files accept at least 255 characters.
const LINE_CHARS_MAX: usize = 100;

/// Returns the comments at the head of a file: the model's description and its families of rows.
pub(super) fn head(model: &Model) -> impl Iterator<Item = String> {
    let size = format!("{} variables, {} rows.", model.variables.len(), model.rows.len());
    let families = model.families.iter().map(|f| format!("Rows {}_: {}.", f.name, f.meaning));
    model.comments.iter().cloned().chain([size]).chain(families)
}

/// Appends words to the last line, and starts a new line before it gets too long.
pub(super) fn write_words(text: &mut String, words: impl IntoIterator<Item = String>) {
    let mut length = text.len() - text.rfind('\n').map_or(0, |end| end + 1);
    for word in words {
        if length + 1 + word.len() > LINE_CHARS_MAX {
            text.push_str("\n ");
            length = 1;
        }
        write!(text, " {word}").expect("a string takes all that is written");
        length += 1 + word.len();
    }
}

/// Returns terms as words, such as `+ 3 x` and `- y`. `between` separates a factor from its
/// variable.
pub(super) fn sum<'a>(
    model: &'a Model,
    terms: &'a [Term],
    between: &'a str,
) -> impl Iterator<Item = String> + 'a {
    terms.iter().enumerate().map(move |(place, term)| {
        let sign = match (term.factor < 0, place) {
            (true, _) => "- ",
            (false, 0) => "",
            (false, _) => "+ ",
        };
        let name = &model.variables[term.variable].name;
        match term.factor.unsigned_abs() {
            1 => format!("{sign}{name}"),
            factor => format!("{sign}{factor}{between}{name}"),
        }
    })
}
