//! The tables that the lessons of the page need.

use std::path::Path;

use pdb_spec::Spec;
use tilebase::{Built, Error, SpecListing, load_spec};

/// The specs whose tables the page's lessons draw and search with.
pub const LESSON_SPECS: [&str; 2] = ["15/walking-distance", "15/7-8"];

/// The specs of [`LESSON_SPECS`] that have tables missing in a folder.
///
/// # Errors
/// None that the shipped specs have.
pub fn missing_lesson_specs(folder: &Path) -> Result<Vec<Spec>, Error> {
    let mut missing = Vec::new();
    for name in LESSON_SPECS {
        let spec = load_spec(name)?;
        if SpecListing::of(&spec, folder)?.built != Built::There {
            missing.push(spec);
        }
    }
    Ok(missing)
}
