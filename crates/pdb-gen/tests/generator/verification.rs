//! Verification of broken files: each fault is found at its level and not before.

use std::fmt::Display;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use pdb_core::{BlankMode, CellSet, PatternIndex, PatternKey, TableKey};
use pdb_format::{CHUNK_BYTES, FormatError, HEADER_BYTES, Header, Packing};
use pdb_gen::{
    ENTRIES_WHOLE_MAX, Finding, GenError, Level, Monitor, Rule, Table, VerifyReport, WrongEntries,
    digest_of, verify,
};
use pdb_oracle::collapsed;

use crate::coloured::coloured;
use crate::tables::{oracle, placed};
use crate::{
    all_patterns, built, four_tiles, fresh, pattern, scratch, sealed, shape, step, tiles_of_15,
    walking, write,
};

/// Returns tables of each kind: small ones, and ones that are checked by a sample.
fn all_kinds() -> Vec<TableKey> {
    vec![
        four_tiles(BlankMode::Aware),
        four_tiles(BlankMode::Collapsed),
        pattern(shape(3, 3), CellSet(0b0_1111_1111), 8, BlankMode::Aware),
        tiles_of_15([3, 4, 7, 8, 12], BlankMode::Aware),
        tiles_of_15([1, 2, 5, 9, 13], BlankMode::Collapsed),
        four_tiles(BlankMode::Plain),
        tiles_of_15([1, 2, 5, 9, 13], BlankMode::Plain),
        walking(3, 3, 2),
        walking(4, 4, 3),
        TableKey::Coloured(coloured(3, 3, "aab bcc cd.").canonical().0),
        TableKey::Coloured(coloured(3, 4, "aaab bccc ddd.")),
    ]
}

fn verified(path: &Path, level: Level) -> VerifyReport {
    verify(path, level, 2, &Monitor::silent()).expect("the file can be read")
}

/// Writes a file under the table's name. Checks that all levels before `level` find nothing, and
/// that `level` and all later levels stop there with the same findings; returns these.
pub(crate) fn found_at(level: Level, key: &TableKey, file: &[u8]) -> Vec<Finding> {
    let folder = scratch();
    let path = folder.path().join(key.file_name());
    // A plain write, because an atomic commit waits for the disk, which takes most of the time
    // here.
    let options = File::options().write(true).create_new(true).open(&path);
    options.and_then(|mut f| f.write_all(file)).expect("the folder is writable");
    for before in Level::ALL.into_iter().filter(|&before| before < level) {
        let report = verified(&path, before);
        assert_eq!((report.level, report.findings), (before, vec![]));
    }
    let at = verified(&path, level);
    assert!(!at.is_good(), "level {level} finds nothing");
    assert_eq!(at.level, level);
    assert_eq!(verified(&path, Level::Rebuild), at);
    for finding in &at.findings {
        let text = finding.to_string();
        assert!(!text.contains('\n') && !text.contains("tilebase "), "{text}");
    }
    at.findings
}

fn bad_field(field: &'static str, expected: impl Display, found: impl Display) -> Finding {
    Finding::Format(FormatError::bad_field(field, expected, found))
}

pub(crate) fn rules(findings: &[Finding]) -> Vec<Rule> {
    let rule = |finding: &Finding| match finding {
        Finding::Rule(broken) => Some(broken.rule),
        _ => None,
    };
    findings.iter().filter_map(rule).collect()
}

#[test]
fn good_tables_of_each_kind_pass_every_level() {
    let folder = scratch();
    for key in all_kinds() {
        let table = fresh(&key);
        let path = folder.path().join(key.file_name());
        write(&path, &table.to_bytes());
        // The last level includes the others, which are tried with small tables.
        let is_small = table.header.entry_count <= ENTRIES_WHOLE_MAX;
        for level in Level::ALL.into_iter().skip(if is_small { 0 } else { Level::ALL.len() - 1 }) {
            let report = verified(&path, level);
            assert_eq!((report.level, &report.findings), (level, &vec![]), "{}", key.file_name());
            assert_eq!(report.header.map(|header| header.key), Some(key));
            assert_eq!(report.path, path);
        }
    }
}

#[test]
fn zeros_with_matching_digests_are_found_by_the_entries() {
    for key in all_kinds() {
        let mut table = fresh(&key);
        table.payload.fill(0);
        let findings = found_at(Level::Entries, &key, &sealed(table));
        assert!(matches!(findings[0], Finding::Entries(_)), "{findings:?}");
        let expected = match key {
            TableKey::Walking(_) => Rule::Link,
            TableKey::Pattern(_) | TableKey::Coloured(_) => Rule::Lower,
        };
        assert!(rules(&findings).contains(&expected), "{}: {findings:?}", key.file_name());
    }
}

#[test]
fn many_damaged_chunks_are_all_counted_and_sixteen_named() {
    let key = tiles_of_15(9..=15, BlankMode::Collapsed);
    let mut table = fresh(&key);
    for chunk in 2..22 {
        table.payload[(chunk * CHUNK_BYTES) as usize + 77] ^= 4;
    }
    // Digests from before the change.
    let findings = found_at(Level::Digest, &key, &table.to_bytes());
    assert_eq!(findings.len(), 17);
    for (chunk, finding) in (2..18).zip(&findings) {
        let range = table.header.chunk_range(chunk);
        let error = FormatError::ChunkDigest { chunk, start: range.start, end: range.end };
        assert_eq!(*finding, Finding::Format(error));
    }
    assert_eq!(findings[16], Finding::MoreChunks { count: 4 });
}

/// Changes one entry of a table. Returns the only wrong entry and the broken rules.
fn one_wrong(key: &TableKey, change: impl FnOnce(&mut Vec<u8>)) -> (WrongEntries, Vec<Rule>) {
    let mut table = fresh(key);
    change(&mut table.payload);
    let findings = found_at(Level::Entries, key, &sealed(table));
    let Finding::Entries(wrong) = &findings[0] else { panic!("{findings:?}") };
    assert_eq!(wrong.count, 1);
    (wrong.clone(), rules(&findings))
}

#[test]
fn one_wrong_value_is_found() {
    for key in [four_tiles(BlankMode::Aware), four_tiles(BlankMode::Plain)] {
        let (wrong, _) = one_wrong(&key, |payload| payload[100] ^= 1 << 3);
        assert_eq!((wrong.entry, wrong.field), (803, "lowest bit of the excess"));
        assert_eq!(wrong.expected ^ wrong.found, 1);
    }
    let (wrong, _) = one_wrong(&four_tiles(BlankMode::Collapsed), |payload| payload[100] += 1);
    assert_eq!((wrong.entry, wrong.field, wrong.found), (200, "excess", wrong.expected + 1));
    let (wrong, rules) = one_wrong(&walking(3, 3, 2), |payload| {
        *payload.last_mut().expect("a payload has bytes") += 1;
    });
    assert_eq!((wrong.entry, wrong.field, wrong.found), (104, "value", wrong.expected + 1));
    assert!(rules.contains(&Rule::Histogram));
}

#[test]
fn a_wrong_histogram_is_found_by_the_entries() {
    for key in [
        four_tiles(BlankMode::Aware),
        four_tiles(BlankMode::Collapsed),
        four_tiles(BlankMode::Plain),
        walking(3, 3, 2),
    ] {
        let mut table = fresh(&key);
        table.header.histogram[3] += 1;
        table.header.histogram[4] -= 1;
        let (expected, found) = (table.header.histogram[3] - 1, table.header.histogram[3]);
        let findings = found_at(Level::Entries, &key, &sealed(table));
        assert_eq!(
            findings[0],
            bad_field("histogram", format!("{expected} entries of value 3"), found)
        );
        assert_eq!(rules(&findings), [Rule::Histogram]);
        assert_eq!(findings.len(), 2);
    }
    // Too few states, in order.
    let key = walking(3, 3, 2);
    let mut table = fresh(&key);
    table.header = fresh(&walking(3, 2, 2)).header;
    table.header.key = key;
    let short = fresh(&walking(3, 2, 2)).payload;
    let findings = found_at(Level::Entries, &key, &sealed(Table { payload: short, ..table }));
    assert_eq!(findings[0], bad_field("entry count", 105, 33));
    assert!(rules(&findings).contains(&Rule::Goal));
}

#[test]
fn states_marked_unreached_wrongly_break_a_rule() {
    // With one tile outside the pattern, parity excludes some entries; they have the value 15.
    let key = pattern(shape(2, 3), CellSet(0b01_1011), 5, BlankMode::Collapsed);
    let table = fresh(&key);
    let read = |entry| Packing::Nibble.read(&table.payload, entry);
    let entries = 0..table.header.entry_count;
    let unreached = entries.clone().find(|&e| read(e) == Some(15)).expect("some are unreached");
    let reached = entries.clone().rfind(|&e| read(e) != Some(15)).expect("some are reached");
    for entry in [unreached, reached] {
        let mut table = table.clone();
        let byte = &mut table.payload[(entry / 2) as usize];
        let nibble = 15 << (entry % 2 * 4);
        *byte = if entry == unreached { *byte & !nibble } else { *byte | nibble };
        let findings = found_at(Level::Entries, &key, &sealed(table));
        assert!(rules(&findings).contains(&Rule::Reached), "{findings:?}");
    }
}

/// Returns a table in another packing, from the distances of a plain search.
fn repacked(key: &PatternKey, packing: Packing) -> Table {
    let mut table = fresh(&TableKey::Pattern(*key));
    let aware = oracle(key);
    let least = collapsed(&aware);
    let index = PatternIndex::new(key.shape, key.tile_count(), key.mode).expect("an index");
    let bits = u64::from(packing.bits().expect("entries are packed"));
    table.payload = vec![0; (table.header.entry_count * bits).div_ceil(8) as usize];
    for entry in 0..table.header.entry_count {
        let (tiles, blank) = placed(&index, key.tile_count(), entry);
        let pairs = tiles.iter().zip(key.homes.iter());
        let base: u32 = pairs.map(|(&cell, home)| key.shape.distance(cell, home)).sum();
        let value = match key.mode {
            BlankMode::Aware => aware.get(&(tiles, blank)),
            _ => least.get(&tiles),
        };
        let unreached = packing.unreached().expect("it has room for a mark");
        let held = value.map_or(unreached, |value| ((value - base) / 2) as u8);
        table.payload[(entry * bits / 8) as usize] |= held << (entry * bits % 8);
    }
    table.header.packing = packing;
    table
}

#[test]
fn every_allowed_packing_passes_the_entries_and_only_the_usual_one_the_rebuild() {
    let mut tables = 0;
    let patterns = [(2, 2), (2, 3)].map(|(rows, cols)| all_patterns(shape(rows, cols))).concat();
    for pattern in patterns.into_iter().step_by(step()) {
        let packings = match pattern.mode {
            BlankMode::Aware => &[Packing::Nibble, Packing::Byte][..],
            _ => &[Packing::Byte],
        };
        let key = TableKey::Pattern(pattern);
        for &found in packings {
            // No level before the last one finds anything.
            let table = repacked(&pattern, found);
            let findings = found_at(Level::Rebuild, &key, &sealed(table.clone()));
            let expected = fresh(&key).header.packing;
            assert_eq!(findings, [bad_field("packing", expected, found)]);
            for by in [1, 2] {
                let mut wrong = table.clone();
                wrong.payload[0] ^= by;
                found_at(Level::Entries, &key, &sealed(wrong));
            }
            tables += 1;
        }
    }
    assert!(tables > 60 / step(), "{tables}");
}

#[test]
fn bits_behind_the_last_entry_are_found_by_the_rebuild() {
    let key = pattern(shape(2, 2), CellSet(0b0001), 3, BlankMode::Aware);
    let mut table = fresh(&key);
    assert_eq!((table.header.entry_count, table.payload.len()), (4, 1));
    table.payload[0] |= 0x40;
    let file = sealed(table);
    let findings = found_at(Level::Rebuild, &key, &file);
    let header = Header::parse(&file[..HEADER_BYTES], file.len() as u64).expect("it is good");
    let (expected, found) = (digest_of(&fresh(&key).header), digest_of(&header));
    assert_ne!(expected, found);
    assert_eq!(findings, [bad_field("digest of right entries", expected, found)]);
}

#[test]
fn unreadable_files_and_interruptions_are_errors() {
    let folder = scratch();
    let missing = folder.path().join("missing.pdb");
    let error = verify(&missing, Level::Header, 1, &Monitor::silent()).expect_err("no such file");
    assert!(error.to_string().starts_with(&format!("cannot read {}: ", missing.display())));
    assert!(error.to_string().ends_with("; check the path"), "{error}");
    let error = verify(folder.path(), Level::Header, 1, &Monitor::silent()).expect_err("a folder");
    assert!(matches!(error, GenError::Io { .. }));

    let path = built(&four_tiles(BlankMode::Aware), folder.path());
    let cancel = AtomicBool::new(true);
    let monitor = Monitor::new(&|_| (), &cancel);
    assert!(verify(&path, Level::Header, 2, &monitor).expect("no long work").is_good());
    for level in [Level::Digest, Level::Entries, Level::Rebuild] {
        let error = verify(&path, level, 2, &monitor).expect_err("cancelled");
        assert!(matches!(error, GenError::Interrupted));
    }
}
