//! The text of a spec or golden.

use std::ops::Range;

use serde::de::DeserializeOwned;

use crate::place::{Mark, Place};
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
        let place = Box::new(Place {
            name: self.name.to_owned(),
            mark: span.map(|span| Mark::new(self.text, &span)),
        });
        SpecError::Text { fault, place }
    }
}
