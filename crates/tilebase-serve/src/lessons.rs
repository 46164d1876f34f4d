//! Tables for the lessons of the page.

use std::path::Path;

use pdb_spec::Spec;
use tilebase::Error;
use tilebase::names::load_spec;
use tilebase::shelf::{BuildState, SpecListing};

/// Specs that the page's lessons use.
pub const LESSON_SPECS: [&str; 2] = ["15/walking-distance", "15/7-8"];

/// Returns the specs of [`LESSON_SPECS`] with tables that are missing in a folder.
///
/// # Errors
/// An error of a shipped spec, which would be a mistake of this program.
pub fn missing_lesson_specs(folder: &Path) -> Result<Vec<Spec>, Error> {
    let mut missing = Vec::new();
    for name in LESSON_SPECS {
        let spec = load_spec(name)?;
        if SpecListing::of(&spec, folder)?.built != BuildState::There {
            missing.push(spec);
        }
    }
    Ok(missing)
}
