//! Shipping: packing tables into archives, with a manifest and a digest list.
//!
//! Threads compress some [`frames`](super::frames) of a table, which are then written in order.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use pdb_format::manifest::{ArchiveEntry, Manifest};
use pdb_format::{Digest, Header};

use super::frames::{check_frame, frame_count, frame_range};
use super::text::{digest_list, read_text};
use crate::GenError;
use crate::disk::{self, TableFile, WriteLock, digest_of, sync_folder, write_file};
use crate::monitor::{Event, Monitor};
use crate::names::{DIGEST_LIST, MANIFEST, SIGNATURE};
use crate::threads::{Workers, map_in_threads};

/// Number of frames that each thread compresses before they are written: enough that threads
/// seldom wait for one another.
const THREAD_FRAMES: u64 = 4;

/// A shipped table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShippedTable {
    /// The archive's path.
    pub path: PathBuf,
    /// The table's header.
    pub header: Header,
    /// Size of the archive, in bytes.
    pub archive_bytes: u64,
}

impl ShippedTable {
    /// Returns the size of the payload per entry, in bits.
    pub fn table_bits_per_entry(&self) -> f64 {
        self.header.payload_bytes() as f64 * 8.0 / self.header.entry_count as f64
    }

    /// Returns the size of the archive per entry, in bits.
    pub fn archive_bits_per_entry(&self) -> f64 {
        self.archive_bytes as f64 * 8.0 / self.header.entry_count as f64
    }
}

/// The result of shipping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShipReport {
    /// The archives, in the order of the given tables.
    pub archives: Vec<ShippedTable>,
    /// The manifest's path; `B3SUMS` is beside it.
    pub manifest: PathBuf,
    /// The signature of the previous manifest, which was removed with it.
    pub removed_signature: Option<PathBuf>,
}

/// Ships tables to the folder `out`: one archive each, `manifest.json`, and `B3SUMS`, which lists
/// the archives and the manifest for `b3sum --check`.
///
/// The manifest and the list name only the tables of this call. Archives of another call to the
/// same folder stay there, but are no longer listed. `level` is zstd's. The bytes of an archive
/// depend on the table, the level and the version of zstd, but not on the number of threads.
///
/// A signature, `manifest.json.minisig`, stays if the manifest stays the same byte for byte.
/// Otherwise it is removed, because its manifest is gone.
///
/// # Errors
/// [`GenError::Format`] for a damaged table, which is not shipped; [`GenError::ShippedTwice`];
/// [`GenError::Io`]; [`GenError::Interrupted`]. Archives that were finished before stay, and the
/// manifest stays unchanged.
pub fn ship(
    tables: &[PathBuf],
    out: &Path,
    level: i32,
    thread_count: usize,
    monitor: &Monitor<'_>,
) -> Result<ShipReport, GenError> {
    let opened: Vec<_> =
        tables.iter().map(|path| TableFile::open(path)).collect::<Result<_, _>>()?;
    let mut names = HashSet::new();
    for table in &opened {
        let name = table.header().key.file_name();
        if !names.insert(name.clone()) {
            return Err(GenError::ShippedTwice { path: table.path().to_owned(), name });
        }
    }
    let total = opened.iter().map(|table| table.header().file_bytes()).sum();
    let done = AtomicU64::new(0);
    let packed = |bytes: u64| {
        let done = done.fetch_add(bytes, Ordering::Relaxed) + bytes;
        monitor.event(Event::Write { done, total });
    };
    let workers = Workers { thread_count, monitor };
    let mut archives = Vec::new();
    let mut entries = Vec::new();
    for table in &opened {
        let (archive, entry) = ship_table(table, out, level, workers, &packed)?;
        archives.push(archive);
        entries.push(entry);
    }
    let manifest_path = out.join(MANIFEST);
    let manifest = Manifest::new(entries).map_err(GenError::format(&manifest_path))?;
    let text = manifest.to_json();
    let is_the_same = read_text(&manifest_path).is_ok_and(|old| old == text);
    let removed_signature = if is_the_same { None } else { remove_signature(out)? };
    write_file(&manifest_path, text.as_bytes())?;
    write_file(&out.join(DIGEST_LIST), digest_list(&manifest, &text).as_bytes())?;
    Ok(ShipReport { archives, manifest: manifest_path, removed_signature })
}

/// Removes the manifest's signature, if there is one, durably. This happens before the manifest
/// changes, so that a later call never finds the old signature beside the new manifest, whenever
/// this call is stopped.
fn remove_signature(out: &Path) -> Result<Option<PathBuf>, GenError> {
    let path = out.join(SIGNATURE);
    match disk::remove_file(&path) {
        Ok(()) => {
            sync_folder(out)?;
            Ok(Some(path))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(GenError::io("remove the old signature", &path)(error)),
    }
}

/// Ships one table. `packed` receives the number of bytes of each part of the table that is packed.
fn ship_table(
    table: &TableFile,
    out: &Path,
    level: i32,
    workers: Workers<'_>,
    packed: &(dyn Fn(u64) + Sync),
) -> Result<(ShippedTable, ArchiveEntry), GenError> {
    let header = table.header();
    let name = header.key.file_name();
    let archive = format!("{name}.zst");
    let path = out.join(&archive);
    let section = table.digest_section()?;
    let make = |frame: u64| {
        workers.monitor.check_cancelled()?;
        let bytes = if frame == 0 {
            [&header.to_bytes()[..], &section].concat()
        } else {
            let range = frame_range(header, frame);
            let mut bytes = vec![0; (range.end - range.start) as usize];
            table.read_at(&mut bytes, range.start)?;
            check_frame(header, &section, frame, &bytes).map_err(GenError::format(table.path()))?;
            bytes
        };
        let frame =
            zstd::bulk::compress(&bytes, level).map_err(GenError::io("compress", table.path()))?;
        packed(bytes.len() as u64);
        Ok::<_, GenError>(frame)
    };
    let lock = WriteLock::acquire(&path, workers.monitor)?;
    let pending = lock.begin()?;
    let mut hasher = blake3::Hasher::new();
    let mut archive_bytes = 0;
    let (count, at_once) =
        (frame_count(header), THREAD_FRAMES * workers.thread_count.max(1) as u64);
    for first in (0..count).step_by(at_once as usize) {
        let frames = first..(first + at_once).min(count);
        for frame in map_in_threads(workers.thread_count, frames, make)? {
            hasher.update(&frame);
            pending.write_at(&frame, archive_bytes)?;
            archive_bytes += frame.len() as u64;
        }
    }
    pending.commit()?;
    let entry = ArchiveEntry {
        table: name,
        archive,
        table_digest: digest_of(header),
        archive_digest: Digest(*hasher.finalize().as_bytes()),
        table_bytes: header.file_bytes(),
        archive_bytes,
        entry_count: header.entry_count,
        description: header.key.describe(),
    };
    Ok((ShippedTable { path, header: header.clone(), archive_bytes }, entry))
}
