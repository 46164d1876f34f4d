//! The text of a spec or golden.

use std::ops::Range;
use std::slice;

use pdb_core::excerpt::marked_line;
use serde::de::DeserializeOwned;

use crate::{Fault, SpecError};

/// Text with its name in errors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpecSource<'a> {
    pub(crate) name: &'a str,
    pub(crate) text: &'a str,
}

impl SpecSource<'_> {
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
        let place = match span {
            Some(span) => self.marked(&span),
            None => format!(" --> {}", self.name),
        };
        SpecError::Text { fault, place }
    }

    /// Shows the first line of a range of bytes, with at least one column of it underlined. Lines
    /// and columns are counted from 1, columns in characters.
    fn marked(&self, span: &Range<usize>) -> String {
        let Self { name, text } = self;
        let start = text.floor_char_boundary(span.start);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let end = text.floor_char_boundary(span.end.clamp(start, line_end));
        let (line, carets) =
            marked_line(&text[line_start..line_end], line_start, slice::from_ref(&(start..end)));
        let number = (1 + text[..start].matches('\n').count()).to_string();
        let column = 1 + text[line_start..start].chars().count();
        let gutter = " ".repeat(number.len());
        format!(
            "{gutter}--> {name}:{number}:{column}\n{gutter} |\n{number} | {line}\n{gutter} | {carets}"
        )
    }
}
