//! What the formats share.

use std::fmt::Write;

use crate::{Model, Term};

/// Longer lines are broken: readers of LP files take 255 characters or more, people fewer.
const LINE_CHARS_MAX: usize = 100;

/// What a file says at its head: what the model is, and what its families of rows mean.
pub(super) fn head(model: &Model) -> impl Iterator<Item = String> {
    let size = format!("{} variables, {} rows.", model.variables.len(), model.rows.len());
    let families = model.families.iter().map(|f| format!("Rows {}_: {}.", f.name, f.meaning));
    model.comments.iter().cloned().chain([size]).chain(families)
}

/// Writes words behind what the last line holds already, and begins new lines where it gets too long.
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

/// Terms as words, `+ 3 x` and `- y`; `between` stands between a factor and its variable.
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
