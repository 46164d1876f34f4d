//! The text of a spec or golden, and places in it.

use core::fmt;
use std::ops::Range;

use serde::de::DeserializeOwned;

use crate::{Fault, SpecError};

/// Text with its name in errors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
}

impl Source<'_> {
    /// Reads the whole text as TOML.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, SpecError> {
        toml::from_str(self.text).map_err(|error| {
            // A missing key has an empty span at the start, which marks nothing.
            let span = error.span().filter(|span| *span != (0..0));
            self.error(span, Fault::Toml(error.message().to_owned()))
        })
    }

    /// Returns the error of a fault at a range of bytes, or in the text as a whole.
    pub(crate) fn error(&self, span: Option<Range<usize>>, fault: Fault) -> SpecError {
        let place = Box::new(Place {
            name: self.name.to_owned(),
            mark: span.map(|span| Mark::new(self.text, &span)),
        });
        SpecError::Text { fault, place }
    }
}

/// Place in the text of a spec or golden, shown as its line with the cell underlined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    name: String,
    mark: Option<Mark>,
}

/// Line of a text and a marked part of it. Line and column are counted from 1, column and width in
/// characters.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mark {
    line_number: usize,
    column: usize,
    width: usize,
    line: String,
}

impl Mark {
    /// Marks the part of `span` on its first line, at least one column.
    fn new(text: &str, span: &Range<usize>) -> Self {
        let start = text.floor_char_boundary(span.start);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let end = text.floor_char_boundary(span.end.clamp(start, line_end));
        Self {
            line_number: 1 + text[..start].matches('\n').count(),
            column: 1 + text[line_start..start].chars().count(),
            width: text[start..end].chars().count().max(1),
            // A tab would move the underline, and other control characters could affect the
            // terminal.
            line: text[line_start..line_end].trim_end().replace(char::is_control, " "),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        let Some(mark) = &self.mark else {
            return write!(f, " --> {name}");
        };
        let number = mark.line_number.to_string();
        let gutter = number.len();
        writeln!(f, "{:gutter$}--> {name}:{number}:{}", "", mark.column)?;
        writeln!(f, "{:gutter$} |", "")?;
        writeln!(f, "{number} | {}", mark.line)?;
        let (indent, carets) = (mark.column, "^".repeat(mark.width));
        write!(f, "{:gutter$} |{:indent$}{carets}", "", "")
    }
}
