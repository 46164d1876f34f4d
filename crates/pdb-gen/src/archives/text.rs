//! The small files beside archives, of which none is trusted and each has a limited size.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use pdb_format::digest;
use pdb_format::manifest::{Manifest, TEXT_BYTES_MAX};

use crate::GenError;
use crate::names::MANIFEST;

/// Returns the error of a path that is not a regular file.
pub(super) fn not_a_file(path: &Path) -> GenError {
    GenError::other_archive(path, "a regular file", "a link, a folder, a pipe or a device")
}

/// Checks that a path is a regular file. A link might lead out of the folder, and a device might
/// never end.
pub(super) fn expect_file(path: &Path) -> Result<(), GenError> {
    let metadata = fs::symlink_metadata(path).map_err(GenError::io("read", path))?;
    if metadata.is_file() { Ok(()) } else { Err(not_a_file(path)) }
}

/// Reads a manifest or a digest list.
pub(super) fn read_text(path: &Path) -> Result<String, GenError> {
    expect_file(path)?;
    let not_text = || {
        let expected = format!("text in UTF-8 of at most {TEXT_BYTES_MAX} bytes");
        GenError::other_archive(path, expected, "something else")
    };
    let bytes = read_bounded(path, TEXT_BYTES_MAX)?.ok_or_else(not_text)?;
    String::from_utf8(bytes).map_err(|_| not_text())
}

/// Reads a file; `None` if it is longer than `bytes_max`.
pub(super) fn read_bounded(path: &Path, bytes_max: usize) -> Result<Option<Vec<u8>>, GenError> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(bytes_max as u64 + 1).read_to_end(&mut bytes))
        .map_err(GenError::io("read", path))?;
    Ok((bytes.len() <= bytes_max).then_some(bytes))
}

/// Returns the digest list of a manifest with this text, as `b3sum --check` reads it: a line for
/// each archive and one for the manifest, with the digest of the file and its name.
pub(super) fn digest_list(manifest: &Manifest, text: &str) -> String {
    let archives = manifest.archives.iter().map(|e| (e.archive_digest, e.archive.as_str()));
    let files = archives.chain([(digest(text.as_bytes()), MANIFEST)]);
    let lines: Vec<String> = files.map(|(digest, name)| format!("{digest}  {name}\n")).collect();
    lines.concat()
}
