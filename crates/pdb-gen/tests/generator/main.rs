//! Tables against the oracle, verification against broken files, archives against damaged ones.

mod archives;
mod coloured;
mod commit;
mod damage;
mod estimates;
mod streaming;
mod tables;
#[cfg(feature = "team")]
mod teams;
mod verification;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use pdb_core::region::region_of;
use pdb_core::{BlankMode, Cell, CellSet, Goal, PatternKey, Shape, TableKey, WalkingKey};
use pdb_format::{CHUNK_BYTES, digest, digest_section};
use pdb_gen::{Budget, Build, Event, Monitor, Table};
use pdb_oracle::are_long;

/// Returns the step between the tested cases of a family: 1 in long tests. It is not a multiple of
/// 8, so that the cases include all bits of a byte.
fn step() -> usize {
    if are_long() { 1 } else { 7 }
}

fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).expect("a shape that is supported")
}

/// Returns the key of the pattern at home on `homes`, as plans make it.
fn pattern(shape: Shape, homes: CellSet, blank: Cell, mode: BlankMode) -> TableKey {
    let key = PatternKey::new(shape, homes, blank, mode).expect("a pattern that can be indexed");
    TableKey::Pattern(key.canonical().0)
}

/// Returns the key of some tiles of the 15-puzzle, with the blank last.
fn tiles_of_15(tiles: impl IntoIterator<Item = u8>, mode: BlankMode) -> TableKey {
    let goal = Goal::blank_last(shape(4, 4));
    pattern(goal.shape(), goal.homes(tiles), goal.home(0), mode)
}

/// Returns the key of four tiles of the 8-puzzle, a small table.
fn four_tiles(mode: BlankMode) -> TableKey {
    pattern(shape(3, 3), CellSet(0b0_0001_1110), 8, mode)
}

/// More memory than any of these tables needs.
const PLENTY: u64 = 1 << 30;

/// Returns a folder in memory if the system has one: some builds write thousands of small files,
/// and their durability is not tested.
fn scratch_in_memory() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }
        .expect("a temporary folder")
}

fn key_of(key: TableKey) -> PatternKey {
    let TableKey::Pattern(key) = key else { unreachable!("a pattern's key") };
    key
}

fn tiles(tiles: impl IntoIterator<Item = u8>, mode: BlankMode) -> PatternKey {
    key_of(tiles_of_15(tiles, mode))
}

fn is_level(event: Event, expected: u32) -> bool {
    matches!(event, Event::Level { level, .. } if level == expected)
}

fn budget(memory_bytes: u64, segment_bytes: u64) -> Budget {
    Budget { memory_bytes, segment_bytes: Some(segment_bytes) }
}

/// Returns every table of a board in some blank modes, symmetric images once.
fn patterns_in(
    shape: Shape,
    modes: &[BlankMode],
    is_kept: impl Fn(CellSet, Cell) -> bool,
) -> Vec<PatternKey> {
    let all = shape.all_cells();
    let mut names = BTreeSet::new();
    let mut keys = Vec::new();
    for homes in (1..all.0).map(CellSet) {
        for blank in all.without(homes).iter().filter(|&blank| is_kept(homes, blank)) {
            for &mode in modes {
                let key = pattern(shape, homes, blank, mode);
                if names.insert(key.file_name()) {
                    keys.push(key_of(key));
                }
            }
        }
    }
    keys
}

/// Returns every pattern table of a board, symmetric images once.
fn all_patterns(shape: Shape) -> Vec<PatternKey> {
    // One cell of the blank stands for its region.
    patterns_in(shape, &[BlankMode::Aware, BlankMode::Collapsed], |homes, blank| {
        region_of(shape, shape.all_cells().without(homes), blank).first() == Some(blank)
    })
}

/// Returns every plain table of a board, symmetric images once.
fn all_plain_patterns(shape: Shape) -> Vec<PatternKey> {
    patterns_in(shape, &[BlankMode::Plain], |_, _| true)
}

fn walking(lines: usize, line_len: usize, blank_line: usize) -> TableKey {
    TableKey::Walking(WalkingKey { lines, line_len, blank_line }.canonical().0)
}

/// Returns a table built in memory, once for all tests that use it.
fn fresh(key: &TableKey) -> Table {
    static BUILT: Mutex<BTreeMap<String, Table>> = Mutex::new(BTreeMap::new());
    let built = || BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(table) = built().get(&key.file_name()) {
        return table.clone();
    }
    let table = Table::build(key, 2, &Monitor::silent()).expect("the table can be built");
    built().insert(key.file_name(), table.clone());
    table
}

/// Returns builds into a folder on two threads, without events.
fn quiet(folder: &Path) -> Build<'_> {
    Build { thread_count: 2, ..Build::new(folder) }
}

/// Builds a table into a folder and returns its path.
fn built(key: &TableKey, folder: &Path) -> PathBuf {
    quiet(folder).in_memory(key).expect("the table can be built").path
}

/// Returns the bytes of a table with changed payload or header, and matching digests.
fn sealed(mut table: Table) -> Vec<u8> {
    let chunks: Vec<_> = table.payload.chunks(CHUNK_BYTES as usize).map(digest).collect();
    (table.digest_section, table.header.payload_digest) = digest_section(&chunks);
    table.to_bytes()
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).expect("the file is there")
}

fn write(path: &Path, bytes: &[u8]) {
    pdb_gen::write_file(path, bytes).expect("the folder is writable");
}

/// Asserts that a file is the table of a key.
fn assert_is_table(path: &Path, key: &TableKey, case: &str) {
    assert!(read(path) == fresh(key).to_bytes(), "{}: {case}", key.file_name());
}

/// Does some work, which is cancelled at the first event that `when` accepts.
fn cancelled_at<T>(when: impl Fn(Event) -> bool + Sync, work: impl FnOnce(&Monitor<'_>) -> T) -> T {
    let cancel = AtomicBool::new(false);
    let report = |event| {
        cancel.fetch_or(when(event), Ordering::Relaxed);
    };
    work(&Monitor::new(&report, &cancel))
}

/// Returns the names in a folder, including hidden ones; none if the folder does not exist.
fn names_in(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("a folder can be listed"))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}
