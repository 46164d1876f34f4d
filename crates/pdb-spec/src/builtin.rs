//! The specs and goldens that are shipped, embedded from `specs/`.

use include_dir::{Dir, DirEntry, include_dir};
use pdb_core::Shape;

use crate::{Golden, Spec, SpecError};

static SHIPPED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/specs");

/// The names of the shipped specs, such as `15/7-8`, smallest puzzle first.
pub fn builtin_names() -> Vec<&'static str> {
    let mut names = Vec::new();
    let mut dirs = vec![&SHIPPED];
    while let Some(dir) = dirs.pop() {
        for entry in dir.entries() {
            match entry {
                DirEntry::Dir(inner) => dirs.push(inner),
                DirEntry::File(file) => {
                    names.extend(file.path().to_str().and_then(|p| p.strip_suffix(".toml")));
                }
            }
        }
    }
    let tile_count = |name: &str| name.split('/').next().and_then(|n| n.parse::<u32>().ok());
    names.sort_unstable_by_key(|&name| (tile_count(name), name));
    names
}

/// The shipped spec of this name.
///
/// # Errors
/// [`SpecError::UnknownName`] says which names there are.
pub fn builtin(name: &str) -> Result<Spec, SpecError> {
    match shipped(name, "toml") {
        Some(text) => Spec::parse(name, text),
        None => Err(SpecError::UnknownName { name: name.to_owned(), nearest: nearest(name) }),
    }
}

/// The golden beside the shipped spec of this name, if there is one.
///
/// # Errors
/// [`SpecError::Text`] inside, when the golden cannot be read.
pub fn builtin_golden(name: &str) -> Option<Result<Golden, SpecError>> {
    shipped(name, "golden").map(|text| Golden::parse(name, text))
}

fn shipped(name: &str, extension: &str) -> Option<&'static str> {
    SHIPPED.get_file(format!("{name}.{extension}"))?.contents_utf8()
}

/// The shipped name that fewest edits lead to, unless they would change more than half of it.
fn nearest(name: &str) -> Option<&'static str> {
    builtin_names()
        .into_iter()
        .map(|known| (strsim::osa_distance(name, known), known))
        .filter(|(edit_count, known)| *edit_count <= known.len() / 2)
        .min()
        .map(|(_, known)| known)
}

/// The shipped specs that suit a board of this shape, the one with the shortest searches and the
/// largest tables first.
pub fn defaults_for(shape: Shape) -> &'static [&'static str] {
    match (shape.rows(), shape.cols()) {
        (2, 2) => &["3/whole"],
        (2, 3) | (3, 2) => &["5/whole"],
        (2, 4) | (4, 2) => &["7/whole"],
        (3, 3) => &["8/whole", "8/4-4"],
        (2, 5) | (5, 2) => &["9/whole"],
        (3, 4) | (4, 3) => &["11/whole"],
        (2, 6) | (6, 2) => &["11/whole-2x6"],
        (2, 7) | (7, 2) => &["13/7-6"],
        (3, 5) | (5, 3) => &["14/7-7"],
        (2, 8) | (8, 2) => &["15/8-7-2x8"],
        (4, 4) => &["15/7-8", "15/6-6-3", "15/5-5-5"],
        (3, 6) | (6, 3) => &["17/7-7-3-max", "17/7-7-3"],
        (4, 5) | (5, 4) => &["19/7-6-6-max", "19/7-6-6"],
        (4, 6) | (6, 4) => &["23/6-6-6-5-max", "23/6-6-6-5"],
        (5, 5) => &["24/6-6-6-6-max", "24/6-6-6-6"],
        (5, 6) | (6, 5) => &["29/6-6-6-6-5"],
        (6, 6) => &["35/5-5-5-5-5-5-5"],
        _ => &[],
    }
}
