//! Places in the text of a spec or golden.

use core::fmt;
use std::ops::Range;
use std::slice;

use pdb_core::excerpt::marked_line;

/// Place in the text of a spec or golden, shown as its line with the cell underlined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub(crate) name: String,
    pub(crate) mark: Option<Mark>,
}

/// Line of a text and a marked part of it. Line and column are counted from 1, the column in
/// characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    line_number: usize,
    column: usize,
    line: String,
    carets: String,
}

impl Mark {
    /// Marks the part of `span` on its first line, at least one column.
    pub(crate) fn new(text: &str, span: &Range<usize>) -> Self {
        let start = text.floor_char_boundary(span.start);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let end = text.floor_char_boundary(span.end.clamp(start, line_end));
        let (line, carets) =
            marked_line(&text[line_start..line_end], line_start, slice::from_ref(&(start..end)));
        Self {
            line_number: 1 + text[..start].matches('\n').count(),
            column: 1 + text[line_start..start].chars().count(),
            line,
            carets,
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
        write!(f, "{:gutter$} | {}", "", mark.carets)
    }
}
