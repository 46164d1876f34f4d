//! The manifest of shipped archives (`manifest.json`).
//!
//! ```
//! use pdb_format::digest;
//! use pdb_format::manifest::{ArchiveEntry, Manifest};
//!
//! let manifest = Manifest::new(vec![ArchiveEntry {
//!     table: "wd-4x4-b3.pdb".into(),
//!     archive: "wd-4x4-b3.pdb.zst".into(),
//!     table_digest: digest(b"the header up to its digest"),
//!     archive_digest: digest(b"the whole archive"),
//!     table_bytes: 1_231_428,
//!     archive_bytes: 300_000,
//!     entry_count: 24_964,
//!     description: "walking distance, 4 lines of 4".into(),
//! }])?;
//! assert_eq!(Manifest::parse(&manifest.to_json())?, manifest);
//! # Ok::<(), pdb_format::FormatError>(())
//! ```

use serde::{Deserialize, Serialize};

use crate::error::ensure;
use crate::{Digest, FormatError};

/// Version of the manifest that this crate writes, and the latest that it reads.
pub const MANIFEST_FORMAT: u32 = 1;
/// Size limit of a manifest, in bytes.
pub const TEXT_BYTES_MAX: usize = 1 << 20;
/// Length limit of a file name, in bytes.
pub const NAME_BYTES_MAX: usize = 200;

/// Name of the fields with names of files, in errors.
const FILE_NAME: &str = "file name";

/// Contents of a folder of archives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of the manifest: [`MANIFEST_FORMAT`].
    pub format: u32,
    /// The archives, each table once.
    pub archives: Vec<ArchiveEntry>,
}

/// Shipped archive and the table in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArchiveEntry {
    /// File name of the table, which ends in `.pdb`.
    pub table: String,
    /// File name of the archive: the table's with `.zst` after it.
    pub archive: String,
    /// The digest that the table's header ends with.
    pub table_digest: Digest,
    /// BLAKE3 of the archive file.
    pub archive_digest: Digest,
    /// Length of the table, in bytes.
    pub table_bytes: u64,
    /// Length of the archive, in bytes.
    pub archive_bytes: u64,
    /// Number of entries of the table.
    pub entry_count: u64,
    /// One line that describes the table.
    pub description: String,
}

/// The key that every version of a manifest has.
#[derive(Deserialize)]
struct ManifestVersion {
    format: u32,
}

impl Manifest {
    /// Creates the manifest of archives.
    ///
    /// # Errors
    /// [`FormatError::BadField`], as for [`parse`](Self::parse).
    pub fn new(archives: Vec<ArchiveEntry>) -> Result<Self, FormatError> {
        let manifest = Self { format: MANIFEST_FORMAT, archives };
        manifest.check()?;
        Ok(manifest)
    }

    /// Reads `manifest.json`.
    ///
    /// # Errors
    /// [`FormatError::Json`] with line and column; [`FormatError::NewerVersion`];
    /// [`FormatError::BadField`] for a text that is too long, a wrong version, a name that is not a
    /// plain table or archive name or that two entries share, or a description of several lines.
    pub fn parse(text: &str) -> Result<Self, FormatError> {
        let expected = format_args!("at most {TEXT_BYTES_MAX} bytes");
        ensure(text.len() <= TEXT_BYTES_MAX, "length of the text", expected, text.len())?;
        let json = |error: serde_json::Error| FormatError::Json(error.to_string());
        // A later version may have keys that this version refuses, so the version is read first.
        let ManifestVersion { format } = serde_json::from_str(text).map_err(json)?;
        if format > MANIFEST_FORMAT {
            return Err(FormatError::NewerVersion { found: format, supported: MANIFEST_FORMAT });
        }
        let manifest: Self = serde_json::from_str(text).map_err(json)?;
        manifest.check()?;
        Ok(manifest)
    }

    /// Returns the text of `manifest.json`.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("numbers and strings are JSON");
        text.push('\n');
        text
    }

    fn check(&self) -> Result<(), FormatError> {
        let is_known = self.format == MANIFEST_FORMAT;
        ensure(is_known, "manifest format", MANIFEST_FORMAT, self.format)?;
        ensure(!self.archives.is_empty(), "archives", "one archive at least", "none")?;
        for (i, entry) in self.archives.iter().enumerate() {
            check_file_name(&entry.table)?;
            let is_table = entry.table.strip_suffix(".pdb").is_some();
            ensure(is_table, FILE_NAME, "a table name that ends in .pdb", &entry.table)?;
            let archive = format!("{}.zst", entry.table);
            let is_archive = entry.archive == archive;
            ensure(is_archive, FILE_NAME, archive, entry.archive.escape_debug())?;
            let is_new = self.archives[..i].iter().all(|other| other.table != entry.table);
            ensure(is_new, FILE_NAME, "each table once", &entry.table)?;
            let is_line = !entry.description.contains(char::is_control);
            let expected = "one line without control characters";
            ensure(is_line, "description", expected, entry.description.escape_debug())?;
        }
        Ok(())
    }
}

/// Checks that a name means a file in the same folder on every system: letters, digits, `.`, `_`
/// and `-`, with a letter or a digit first.
fn check_file_name(name: &str) -> Result<(), FormatError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    let first_is_plain = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    let is_plain = first_is_plain && name.bytes().all(plain) && name.len() <= NAME_BYTES_MAX;
    let expected = format_args!(
        "1 to {NAME_BYTES_MAX} letters, digits, dots, dashes and underscores, a letter or a digit \
         first"
    );
    ensure(is_plain, FILE_NAME, expected, name.escape_debug())
}
