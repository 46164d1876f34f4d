//! Installation of tables from archives.
//!
//! With a public key, the signature of a manifest is checked before the manifest is used, and
//! before any archive is opened. An archive that no signature covers is not opened.
//!
//! Threads take turns to read the next of the [`frames`](super::frames) of an archive, and unpack
//! their frames at the same time. So memory use does not depend on the size of the table.

use std::collections::HashSet;
use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use pdb_core::TableKey;
use pdb_format::manifest::{ArchiveEntry, Manifest};
use pdb_format::{Digest, Header};

use super::frames::{Frames, check_frame, frame_count, frame_range, unpack_frame};
use super::signature::PublicKey;
use super::text::{digest_list, expect_file, read_bounded, read_text};
use crate::disk::{
    PendingFile, TableFile, WriteLock, check_entry_count, confirm, digest_of, write_head,
};
use crate::monitor::{Event, Monitor};
use crate::names::{DIGEST_LIST, MANIFEST, PublicKeyId, SIGNATURE, SIGNATURE_BYTES_MAX};
use crate::threads::{Workers, map_in_threads};
use crate::{GenError, SignatureError};

/// An installed table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstalledTable {
    /// The table's path.
    pub path: PathBuf,
    /// Its header.
    pub header: Header,
    /// Whether the same table existed with every digest right, and was left alone.
    pub already_there: bool,
}

/// A manifest with a signature for the public key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedManifest {
    /// The manifest's path.
    pub path: PathBuf,
    /// The public key's identifier.
    pub public_key: PublicKeyId,
    /// The comment of the signer, such as a date. It may contain control characters: escape it
    /// before you show it in a terminal.
    pub trusted_comment: String,
}

/// The result of installing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstallReport {
    /// The tables, in the order of the inputs and their manifests.
    pub tables: Vec<InstalledTable>,
    /// The manifests whose signatures cover the tables, once each; none without a public key.
    pub manifests: Vec<SignedManifest>,
}

/// Function that returns the digest that a table with this key must have, if the caller knows it.
pub type KnownDigests<'a> = dyn Fn(&TableKey) -> Option<Digest> + Sync + 'a;

/// Installs tables into `folder`, which is created when it is missing.
///
/// An input is one of
///
/// - a folder with `manifest.json`, `B3SUMS` and the archives that the manifest names. Digests are
///   checked against both; all of them must be regular files, not links;
/// - an archive, `.pdb.zst`. If a manifest beside it names it, that is checked too;
/// - a table, `.pdb`, which is checked and copied.
///
/// With the public key of a `signer`, a signature must cover every input; an input without one is
/// an error. The signature of a manifest is the file `manifest.json.minisig` beside it. It covers
/// the archives that the manifest names. So a folder needs a signed manifest, and an archive needs
/// a signed manifest beside it that names it. A table cannot be covered. All signatures are checked
/// before the first archive is opened.
///
/// The file name of a table follows from its header. An existing table is left alone if it is the
/// same and undamaged; otherwise it is replaced, atomically. `known` returns the digests of tables
/// that the caller knows: another table with such a name is refused.
///
/// # Errors
/// The first [`GenError`] ends the work. Tables that were installed before it stay, and no partly
/// written file stays. Nothing is installed if a manifest or a signature is wrong.
pub fn install(
    inputs: &[PathBuf],
    folder: &Path,
    signer: Option<&PublicKey>,
    known: &KnownDigests<'_>,
    thread_count: usize,
    monitor: &Monitor<'_>,
) -> Result<InstallReport, GenError> {
    let mut report = InstallReport::default();
    let mut sources = Vec::new();
    for input in inputs {
        let name = input.file_name().unwrap_or_default().as_encoded_bytes();
        let signed = if input.is_dir() {
            let (entries, signed) = listed_archives(input, signer)?;
            for entry in entries {
                let path = input.join(&entry.archive);
                expect_file(&path)?;
                sources.push(InstallInput::Archive(path, Some(entry)));
            }
            signed
        } else if name.ends_with(b".pdb.zst") {
            let (entry, signed) = manifest_entry(input, signer)?;
            sources.push(InstallInput::Archive(input.clone(), entry));
            signed
        } else if name.ends_with(b".pdb") {
            uncovered(input, signer, "a table, which no manifest names")?;
            sources.push(InstallInput::Table(input));
            None
        } else {
            return Err(GenError::NotInstallable { path: input.clone() });
        };
        report.manifests.extend(signed.filter(|signed| !report.manifests.contains(signed)));
    }
    let workers = Workers { thread_count: thread_count.max(1), monitor };
    let target = Installer { folder, known, workers };
    for source in &sources {
        report.tables.push(match source {
            InstallInput::Archive(path, entry) => target.install_archive(path, entry.as_ref())?,
            InstallInput::Table(path) => target.install_table(path)?,
        });
    }
    Ok(report)
}

/// An input, with its manifest's entry.
enum InstallInput<'a> {
    /// An archive, with its entry in a manifest of its folder.
    Archive(PathBuf, Option<ArchiveEntry>),
    /// A table.
    Table(&'a Path),
}

/// Refuses an input that no signature covers, if there is a public key.
fn uncovered(path: &Path, signer: Option<&PublicKey>, found: &'static str) -> Result<(), GenError> {
    match signer {
        None => Ok(()),
        Some(signer) => {
            Err(GenError::Unsigned { path: path.to_owned(), expected: signer.id(), found })
        }
    }
}

/// Reads a manifest and checks its signature, if required, before the text is parsed. The parsed
/// text is the signed one.
fn read_manifest(
    path: &Path,
    signer: Option<&PublicKey>,
) -> Result<(String, Option<SignedManifest>), GenError> {
    let text = read_text(path)?;
    let Some(signer) = signer else {
        return Ok((text, None));
    };
    let trusted_comment = check_signature(&path.with_file_name(SIGNATURE), &text, signer)?;
    let public_key = signer.id();
    let signed = SignedManifest { path: path.to_owned(), public_key, trusted_comment };
    Ok((text, Some(signed)))
}

/// Checks the signature of a manifest with this text, and returns its trusted comment.
fn check_signature(path: &Path, text: &str, signer: &PublicKey) -> Result<String, GenError> {
    let signature = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(SignatureError::Missing),
        Ok(metadata) if !metadata.is_file() => Err(SignatureError::NotAFile),
        _ => read_bounded(path, SIGNATURE_BYTES_MAX)?
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .ok_or(SignatureError::Malformed),
    };
    let checked = signature.and_then(|signature| signer.verify(text.as_bytes(), &signature));
    checked.map_err(|source| {
        let (path, expected) = (path.to_owned(), signer.id());
        GenError::Signature { path, expected, source }
    })
}

/// Returns the archives of a folder, after comparing the digest list with the manifest.
fn listed_archives(
    folder: &Path,
    signer: Option<&PublicKey>,
) -> Result<(Vec<ArchiveEntry>, Option<SignedManifest>), GenError> {
    let manifest_path = folder.join(MANIFEST);
    let list_path = folder.join(DIGEST_LIST);
    if is_missing(&manifest_path) {
        return Err(GenError::NoManifest { path: folder.to_owned() });
    }
    let (text, signed) = read_manifest(&manifest_path, signer)?;
    let manifest = Manifest::parse(&text).map_err(GenError::format(&manifest_path))?;
    let list = read_text(&list_path)?;
    let listed: HashSet<&str> = list.lines().collect();
    for line in digest_list(&manifest, &text).lines() {
        if !listed.contains(line) {
            let found = format!("none: this file or {MANIFEST} was changed");
            return Err(GenError::other_archive(&list_path, format!("the line {line:?}"), found));
        }
    }
    Ok((manifest.archives, signed))
}

fn is_missing(path: &Path) -> bool {
    fs::symlink_metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// Returns the entry of an archive in the manifest beside it, if there is one.
fn manifest_entry(
    archive: &Path,
    signer: Option<&PublicKey>,
) -> Result<(Option<ArchiveEntry>, Option<SignedManifest>), GenError> {
    let path = archive.with_file_name(MANIFEST);
    if is_missing(&path) {
        uncovered(archive, signer, "no manifest beside it")?;
        return Ok((None, None));
    }
    let (text, signed) = read_manifest(&path, signer)?;
    let manifest = Manifest::parse(&text).map_err(GenError::format(&path))?;
    let name = archive.file_name().and_then(|name| name.to_str());
    let entry = manifest.archives.into_iter().find(|entry| Some(entry.archive.as_str()) == name);
    if entry.is_none() {
        uncovered(archive, signer, "a manifest that does not name it")?;
    }
    Ok((entry, signed))
}

/// Destination and options of an installation.
struct Installer<'a> {
    folder: &'a Path,
    known: &'a KnownDigests<'a>,
    workers: Workers<'a>,
}

impl Installer<'_> {
    /// Writes a table with `write`, unless it exists already.
    fn install(
        &self,
        header: &Header,
        write: &mut dyn FnMut(&PendingFile<'_>) -> Result<(), GenError>,
    ) -> Result<InstalledTable, GenError> {
        let path = self.folder.join(header.key.file_name());
        let found = digest_of(header);
        if let Some(expected) = (self.known)(&header.key).filter(|expected| *expected != found) {
            return Err(GenError::OtherTable { path, expected, found });
        }
        let lock = WriteLock::acquire(&path, self.workers.monitor)?;
        let already_there = self.is_there(&path, header)?;
        if already_there {
            confirm(&path)?;
        } else {
            let pending = lock.begin()?;
            write(&pending)?;
            self.workers.monitor.check_cancelled()?;
            self.workers.monitor.event(Event::Sync);
            pending.commit()?;
        }
        Ok(InstalledTable { path, header: header.clone(), already_there })
    }

    /// Returns whether the same table exists, undamaged.
    fn is_there(&self, path: &Path, header: &Header) -> Result<bool, GenError> {
        match TableFile::find(path)? {
            Some(table) if digest_of(table.header()) == digest_of(header) => {
                table.is_undamaged(self.workers)
            }
            _ => Ok(false),
        }
    }

    fn install_table(&self, path: &Path) -> Result<InstalledTable, GenError> {
        let table = TableFile::open(path)?;
        let header = table.header();
        let section = table.digest_section()?;
        self.install(header, &mut |pending| {
            let write =
                |chunk, bytes: &[u8]| pending.write_at(bytes, header.chunk_range(chunk).start);
            table.each_checked_chunk(&section, self.workers, write)?;
            write_head(pending, header, &section)
        })
    }

    fn install_archive(
        &self,
        path: &Path,
        entry: Option<&ArchiveEntry>,
    ) -> Result<InstalledTable, GenError> {
        let mut frames = Frames::open(path)?;
        if let Some(entry) = entry {
            expect(path, "length in bytes", &entry.archive_bytes, &frames.archive_bytes)?;
        }
        let (header, section) = frames.head()?;
        if let Some(entry) = entry {
            expect(path, "table", &entry.table, &header.key.file_name())?;
            expect(path, "table digest", &entry.table_digest, &digest_of(&header))?;
            expect(path, "table length in bytes", &entry.table_bytes, &header.file_bytes())?;
            expect(path, "entry count", &entry.entry_count, &header.entry_count)?;
        }
        self.install(&header, &mut |pending| {
            self.unpack(&mut frames, &header, &section, pending)?;
            let found = frames.end()?;
            if let Some(entry) = entry {
                expect(path, "digest", &entry.archive_digest, &found)?;
            }
            // Checked last, because the index of a large board takes memory, which only a complete
            // table is worth.
            check_entry_count(&header).map_err(GenError::format(path))?;
            write_head(pending, &header, &section)
        })
    }

    /// Unpacks, checks and writes all frames after the first one.
    fn unpack(
        &self,
        frames: &mut Frames<'_>,
        header: &Header,
        section: &[u8],
        pending: &PendingFile<'_>,
    ) -> Result<(), GenError> {
        let path = frames.path;
        let written = AtomicU64::new(0);
        let packed = (1..frame_count(header)).map(|frame| {
            self.workers.monitor.check_cancelled()?;
            let range = frame_range(header, frame);
            let packed = frames.next(range.end - range.start)?;
            Ok::<_, GenError>((frame, range, packed))
        });
        map_in_threads(self.workers.thread_count, packed, |packed| {
            let (frame, range, packed) = packed?;
            let bytes = unpack_frame(&packed, range.end - range.start, range.start)
                .map_err(GenError::archive(path))?;
            check_frame(header, section, frame, &bytes).map_err(GenError::format(path))?;
            pending.write_at(&bytes, range.start)?;
            let bytes = bytes.len() as u64;
            let done = written.fetch_add(bytes, Ordering::Relaxed) + bytes;
            self.workers.monitor.event(Event::Write { done, total: header.payload_bytes() });
            Ok::<_, GenError>(())
        })?;
        Ok(())
    }
}

fn expect<T: PartialEq + Display>(
    path: &Path,
    field: &'static str,
    expected: &T,
    found: &T,
) -> Result<(), GenError> {
    if expected == found {
        return Ok(());
    }
    let expected = format!("{field} {expected} as in {MANIFEST}");
    Err(GenError::other_archive(path, expected, found.to_string()))
}
