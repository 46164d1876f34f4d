//! Damage in many thousands of cases. The promised level refuses each case and names the fault.
//!
//! Single faults are in `verification` and `archives`; this file has whole families of faults.
//! `docs/reliability.md` has the counts.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use pdb_core::{BlankMode, CellSet, PatternKey, Shape, TableKey};
use pdb_format::{CHUNK_BYTES, DIGEST_BYTES, FormatError, HEADER_BYTES};
use pdb_gen::{Finding, GenError, InstalledTable, Level, Monitor, Table, verify};
use pdb_oracle::are_long;

use crate::archives::{NO_FRAME, TRAILING, archive_error, installed, shipped};
use crate::coloured::coloured;
use crate::verification::{found_at, rules};
use crate::{
    all_patterns, all_plain_patterns, assert_is_table, four_tiles, fresh, key_of, names_in,
    pattern, read, scratch, sealed, shape, tiles_of_15, walking, write,
};

/// Returns the distance of the cases that are tried in each family: all of them in long tests. It
/// has no factor of a byte's bits.
fn step() -> usize {
    if are_long() { 1 } else { 41 }
}

/// Returns a small table of each kind.
fn kinds() -> [TableKey; 5] {
    [
        four_tiles(BlankMode::Aware),
        four_tiles(BlankMode::Collapsed),
        four_tiles(BlankMode::Plain),
        walking(3, 3, 2),
        TableKey::Coloured(coloured(2, 3, "aab ab.").canonical().0),
    ]
}

/// Returns the key of a table with three chunks of payload.
fn three_chunks() -> TableKey {
    tiles_of_15([1, 2, 5, 6, 9, 10], BlankMode::Collapsed)
}

/// A file that is changed in place.
struct Victim {
    _folder: Option<tempfile::TempDir>,
    path: PathBuf,
    good: Vec<u8>,
}

impl Victim {
    fn new(name: &str, good: Vec<u8>) -> Self {
        let folder = scratch();
        let path = folder.path().join(name);
        write(&path, &good);
        Self { _folder: Some(folder), path, good }
    }

    /// Opens the file for writing; on Windows, nobody can read a table meanwhile.
    fn file(&self) -> File {
        File::options().write(true).open(&self.path).expect("the file is there")
    }

    fn put(&self, bytes: &[u8], at: usize) {
        let mut file = self.file();
        let put = file.seek(SeekFrom::Start(at as u64)).and_then(|_| file.write_all(bytes));
        put.expect("the file is writable");
    }

    /// Calls `look` with the path of the file while one bit is flipped.
    fn flipped<T>(&self, bit: usize, look: impl FnOnce() -> T) -> T {
        let at = bit / 8;
        self.put(&[self.good[at] ^ 1 << (bit % 8)], at);
        let seen = look();
        self.put(&self.good[at..=at], at);
        seen
    }

    /// Returns the last level that ran up to `level`, and its findings.
    fn findings(&self, level: Level) -> (Level, Vec<Finding>) {
        let report = verify(&self.path, level, 1, &Monitor::silent()).expect("it can be read");
        (report.level, report.findings)
    }
}

/// Files of every kind, one bit in [`step`]; `pdb-format` flips every bit of one header.
#[test]
fn every_flipped_bit_of_a_table_is_found_and_named() {
    for key in kinds() {
        let table = fresh(&key);
        let victim = Victim::new(&key.file_name(), table.to_bytes());
        let digests_end = HEADER_BYTES + table.header.chunk_count() as usize * DIGEST_BYTES;
        let payload_offset = table.header.payload_offset() as usize;
        for bit in (0..victim.good.len() * 8).step_by(step()) {
            let byte = bit / 8;
            let (level, findings) = victim.flipped(bit, || victim.findings(Level::Digest));
            let [finding] = &findings[..] else { panic!("bit {bit}: {findings:?}") };
            let expected = if byte < HEADER_BYTES { Level::Header } else { Level::Digest };
            assert_eq!(level, expected, "bit {bit}");
            let is_named = match finding {
                Finding::Format(_) if level == Level::Header => byte < HEADER_BYTES,
                Finding::Format(FormatError::SectionDigest { .. }) => {
                    (HEADER_BYTES..digests_end).contains(&byte)
                }
                Finding::Format(FormatError::BadField { field, .. }) => {
                    *field == "digest section padding"
                        && (digests_end..payload_offset).contains(&byte)
                }
                Finding::Format(FormatError::ChunkDigest { start, end, .. }) => {
                    (*start..*end).contains(&(byte as u64))
                }
                _ => false,
            };
            assert!(is_named, "bit {bit}: {finding}");
        }
        assert_eq!(victim.findings(Level::Rebuild), (Level::Rebuild, vec![]));
    }
}

#[test]
fn exchanged_chunks_are_found_by_the_digests_or_with_matching_digests_by_the_entries() {
    let key = three_chunks();
    let table = fresh(&key);
    assert_eq!(table.header.chunk_count(), 3);
    let chunk_len = CHUNK_BYTES as usize;
    let mut swapped = table.clone();
    let (first, rest) = swapped.payload.split_at_mut(chunk_len);
    first.swap_with_slice(&mut rest[..chunk_len]);
    let chunk = |chunk| {
        let range = table.header.chunk_range(chunk);
        Finding::Format(FormatError::ChunkDigest { chunk, start: range.start, end: range.end })
    };
    assert_eq!(found_at(Level::Digest, &key, &swapped.to_bytes()), [chunk(0), chunk(1)]);
    // Their digests are exchanged, too.
    let (first, rest) = swapped.digest_section.split_at_mut(DIGEST_BYTES);
    first.swap_with_slice(&mut rest[..DIGEST_BYTES]);
    let findings = found_at(Level::Digest, &key, &swapped.to_bytes());
    assert!(matches!(findings[..], [Finding::Format(FormatError::SectionDigest { .. })]));
    // The header has the digest of the exchanged digests.
    let findings = found_at(Level::Entries, &key, &sealed(swapped));
    assert!(matches!(findings[0], Finding::Entries(_)), "{findings:?}");
    assert!(!rules(&findings).is_empty(), "{findings:?}");
}

/// Returns every table of a board with some numbers of tiles, of one blank mode.
fn all_of(board: Shape, mode: BlankMode, tile_counts: RangeInclusive<usize>) -> Vec<TableKey> {
    let patterns = match mode {
        BlankMode::Plain => all_plain_patterns(board),
        _ => all_patterns(board),
    };
    let fits =
        |key: &PatternKey| key.mode == mode && tile_counts.contains(&key.homes.iter().count());
    patterns.into_iter().filter(fits).map(TableKey::Pattern).collect()
}

#[test]
fn the_header_of_one_table_with_the_rest_of_another_is_refused() {
    for (one, other) in kinds().iter().flat_map(|a| kinds().map(|b| (*a, b))) {
        if one == other {
            continue;
        }
        let (head, rest) = (fresh(&one).to_bytes(), fresh(&other).to_bytes());
        let joined = [&head[..HEADER_BYTES], &rest[HEADER_BYTES..]].concat();
        let findings = found_at(Level::Header, &one, &joined);
        let [Finding::Format(error)] = &findings[..] else { panic!("{findings:?}") };
        let is_length = matches!(error, FormatError::CutShort { .. } | FormatError::TooLong { .. });
        assert!(is_length, "{error}");
    }
    // Two tables of the same length.
    for mode in [BlankMode::Aware, BlankMode::Collapsed, BlankMode::Plain] {
        let key = pattern(shape(3, 3), CellSet(0b0_0000_1011), 8, mode);
        let other = pattern(shape(3, 3), CellSet(0b0_0001_0011), 8, mode);
        let (one, other) = (fresh(&key), fresh(&other));
        assert_eq!(one.payload.len(), other.payload.len());
        let joined = Table { payload: other.payload.clone(), ..one.clone() };
        let findings = found_at(Level::Digest, &key, &joined.to_bytes());
        assert!(matches!(findings[..], [Finding::Format(FormatError::ChunkDigest { .. })]));
        let joined = Table { header: one.header, ..other.clone() };
        let findings = found_at(Level::Digest, &key, &joined.to_bytes());
        let [Finding::Format(error)] = &findings[..] else { panic!("{findings:?}") };
        assert!(matches!(error, FormatError::SectionDigest { .. }), "{error}");
        let findings = found_at(Level::Header, &key, &other.to_bytes());
        assert!(matches!(findings[..], [Finding::Format(FormatError::OtherTable { .. })]));
    }
}

/// Checks that the entries level finds a well-formed but wrong table, by the fresh build and by the
/// rules.
fn wrong_in_its_entries(table: Table) {
    let key = table.header.key;
    let findings = found_at(Level::Entries, &key, &sealed(table));
    assert!(findings.iter().any(|finding| matches!(finding, Finding::Entries(_))), "{findings:?}");
}

#[test]
fn payloads_of_other_patterns_or_goals_with_matching_digests_are_found_by_the_entries() {
    let mut count = [0_usize; 2];
    for mode in [BlankMode::Aware, BlankMode::Collapsed, BlankMode::Plain] {
        let mut keys = all_of(shape(2, 3), mode, 2..=4);
        keys.extend(all_of(shape(3, 3), mode, 2..=3));
        for (at, one) in keys.iter().enumerate() {
            for other in &keys[at + 1..] {
                // Of 3x3, only the goals of one pattern.
                let is_moved = key_of(*one).homes == key_of(*other).homes;
                if key_of(*other).shape.cell_count() == 9 && !is_moved {
                    continue;
                }
                let (good, other_table) = (fresh(one), fresh(other));
                let is_same = other_table.payload == good.payload;
                if is_same || other_table.header.entry_count != good.header.entry_count {
                    continue;
                }
                count[usize::from(is_moved)] += 1;
                if !(count[0] + count[1]).is_multiple_of(step()) {
                    continue;
                }
                let mut wrong = Table { payload: other_table.payload, ..good };
                wrong_in_its_entries(wrong.clone());
                // With the other table's histogram.
                wrong.header.histogram = other_table.header.histogram;
                wrong_in_its_entries(wrong);
            }
        }
    }
    println!("{} other patterns, {} moved goals", count[0], count[1]);
    assert!(count[0] > 100 && count[1] > 10, "{count:?}");
}

/// A folder of one shipped table, and an empty one to install into.
struct Shipment {
    folder: tempfile::TempDir,
    archive: String,
}

impl Shipment {
    fn new(key: &TableKey) -> Self {
        Self { folder: shipped(&[*key]).0, archive: format!("{}.zst", key.file_name()) }
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("archives")
    }

    fn target(&self) -> PathBuf {
        self.folder.path().join("target")
    }

    /// Leaves the archive alone.
    fn remove_lists(&self) {
        for name in ["manifest.json", "B3SUMS"] {
            std::fs::remove_file(self.out().join(name)).expect("it is there");
        }
    }

    fn install(&self, input: &Path) -> Result<Vec<InstalledTable>, GenError> {
        installed(&[input.to_owned()], &self.target())
    }

    /// Checks that installing fails, leaves no file behind, and names the file that it read or the
    /// missing one.
    fn refused(&self, input: &Path, what: &str) -> GenError {
        let error = self.install(input).expect_err(what);
        assert_eq!(names_in(&self.target()), [""; 0], "{what}: {error}");
        assert!(error.to_string().contains(&*self.out().to_string_lossy()), "{what}: {error}");
        error
    }

    fn victim(&self, name: &str) -> Victim {
        let path = self.out().join(name);
        let good = read(&path);
        Victim { _folder: None, path, good }
    }
}

#[test]
fn every_flipped_bit_of_shipped_archives_manifests_and_lists_is_refused() {
    let mut count = 0;
    for key in kinds() {
        let parcel = Shipment::new(&key);
        for name in [parcel.archive.as_str(), "manifest.json", "B3SUMS"] {
            let victim = parcel.victim(name);
            for bit in (0..victim.good.len() * 8).step_by(9 * step()) {
                count += 1;
                victim.flipped(bit, || {
                    parcel.refused(&parcel.out(), &format!("bit {bit} of {name}"))
                });
            }
        }
        let installed = parcel.install(&parcel.out()).expect("it is as it was shipped");
        assert_is_table(&installed[0].path, &key, "as it was shipped");
    }
    println!("{count} flipped bits");
}

#[test]
fn every_flipped_bit_of_an_archive_alone_is_refused_or_means_nothing() {
    let key = walking(2, 3, 1);
    let parcel = Shipment::new(&key);
    parcel.remove_lists();
    let victim = parcel.victim(&parcel.archive);
    let (archive, target) = (parcel.out().join(&parcel.archive), parcel.target());
    let (mut refused, mut count) = (0, 0);
    for bit in (0..victim.good.len() * 8).step_by(if are_long() { 1 } else { 7 }) {
        count += 1;
        match victim.flipped(bit, || parcel.install(&archive)) {
            // zstd ignores some bits.
            Ok(tables) => {
                assert_is_table(&tables[0].path, &key, &format!("bit {bit}"));
                std::fs::remove_file(&tables[0].path).expect("it is there");
            }
            Err(_) => refused += 1,
        }
        assert_eq!(names_in(&target), [""; 0], "bit {bit}");
    }
    assert!(refused * 100 > count * 95, "{refused} of {count}");
}

#[test]
fn archives_cut_at_any_length_or_lengthened_are_refused_with_a_manifest_and_without() {
    let mut count = 0;
    for key in kinds() {
        let parcel = Shipment::new(&key);
        let victim = parcel.victim(&parcel.archive);
        let archive = parcel.out().join(&parcel.archive);
        let whole = victim.good.len();
        let refused = |input: &Path, len: usize| {
            victim.file().set_len(len as u64).expect("the file is writable");
            let error = archive_error(parcel.refused(input, &format!("{len} bytes")));
            victim.put(&victim.good, 0);
            error
        };
        for len in [whole + 1, whole - 1, 0] {
            for input in [&parcel.out(), &archive] {
                let error = refused(input, len);
                assert!(error.starts_with("expected length in bytes "), "{len} bytes: {error}");
            }
        }
        // Without a manifest, the frames have to show it.
        parcel.remove_lists();
        for len in (0..whole).step_by(step()).chain([1, 2, 3, 100, 4096].map(|a| whole + a)) {
            let error = refused(&archive, len);
            let expected = if len < whole { NO_FRAME } else { TRAILING };
            assert!(error.starts_with(expected), "{len} bytes alone: {error}");
            count += 1;
        }
    }
    println!("{count} lengths");
}
