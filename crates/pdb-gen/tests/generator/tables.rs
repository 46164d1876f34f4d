//! Tables against the oracle and against published counts.

use std::collections::BTreeMap;

use pdb_core::{BlankMode, Cell, CellSet, PatternIndex, PatternKey, TableKey, WalkingKey};
use pdb_format::walking::{Layout, NO_LINK, Step, blank_line, count};
use pdb_format::{Header, Packing};
use pdb_gen::{Build, Monitor, Table};
use pdb_oracle::{
    PatternDistances, additive_pattern_distances, are_long, collapsed, plain_pattern_distances,
    walking_distances,
};

use crate::{
    all_patterns, all_plain_patterns, fresh, key_of, pattern, read, scratch, shape, tiles_of_15,
    walking,
};

pub(crate) fn oracle(key: &PatternKey) -> PatternDistances {
    let homes: Vec<usize> = key.homes.iter().map(usize::from).collect();
    let (rows, cols) = (key.shape.rows(), key.shape.cols());
    let blank = usize::from(key.goal_region);
    match key.mode {
        BlankMode::Plain => plain_pattern_distances(rows, cols, &homes, blank),
        _ => additive_pattern_distances(rows, cols, &homes, blank),
    }
}

/// Returns the cells of the pattern's tiles and of the blank in the state of an entry.
pub(crate) fn placed(index: &PatternIndex, tile_count: usize, entry: u64) -> (Vec<Cell>, Cell) {
    let (state, blank) = index.unrank(entry);
    let mut tiles = vec![0; tile_count];
    for cell in state.cells.iter() {
        tiles[index.label_at(state, cell)] = cell;
    }
    (tiles, blank)
}

/// Compares every entry and every count of a table with the oracle.
fn assert_right(key: &PatternKey, distances: &PatternDistances) {
    let name = TableKey::Pattern(*key).file_name();
    let table = fresh(&TableKey::Pattern(*key));
    let Header { packing, entry_count, .. } = table.header;
    let index = PatternIndex::new(key.shape, key.tile_count(), key.mode).expect("an index");
    let least = collapsed(distances);
    let homes: Vec<Cell> = key.homes.iter().collect();
    let mut histogram = BTreeMap::new();
    let mut unreached_count = 0;
    assert_eq!(entry_count, index.entry_count(), "{name}");
    for entry in 0..entry_count {
        let (tiles, blank) = placed(&index, homes.len(), entry);
        let base: u32 = match key.mode {
            BlankMode::Plain => key.shape.distance(blank, key.goal_region) % 2,
            _ => tiles.iter().zip(&homes).map(|(&c, &home)| key.shape.distance(c, home)).sum(),
        };
        let value = match key.mode {
            BlankMode::Aware | BlankMode::Plain => distances.get(&(tiles, blank)),
            BlankMode::Collapsed => least.get(&tiles),
        };
        let expected = value.map(|value| {
            *histogram.entry(*value).or_insert(0) += 1;
            let excess = (value - base) / 2;
            if packing == Packing::Bit { excess % 2 } else { excess }
        });
        unreached_count += u64::from(value.is_none());
        let unreached = packing.unreached().map_or(0, u32::from);
        let found = packing.read(&table.payload, entry).map(u32::from);
        assert_eq!(found, Some(expected.unwrap_or(unreached)), "{name} entry {entry}");
    }
    assert_eq!(table.header.unreached_count, unreached_count, "{name}");
    let counted: Vec<u64> =
        (0..=table.header.level_max()).map(|value| histogram.remove(&value).unwrap_or(0)).collect();
    assert_eq!(table.header.histogram, counted, "{name}");
    assert!(histogram.is_empty(), "{name}");
}

/// Returns all tables in long tests, otherwise one in `step`.
fn some<T>(all: Vec<T>, step: usize) -> impl Iterator<Item = T> {
    all.into_iter().step_by(if are_long() { 1 } else { step })
}

#[test]
fn tables_of_small_boards_equal_the_oracle() {
    for (rows, cols, step) in [(2, 2, 1), (2, 3, 1), (2, 4, 31), (3, 3, 61)] {
        let keys = all_patterns(shape(rows, cols));
        assert!(keys.len() >= 4);
        // The two modes of a pattern are adjacent.
        for pair in some(keys.chunks(2).collect(), step) {
            assert_eq!((pair[0].homes, pair[0].goal_region), (pair[1].homes, pair[1].goal_region));
            let distances = oracle(&pair[0]);
            for key in pair {
                assert_right(key, &distances);
            }
        }
    }
}

#[test]
fn plain_tables_equal_the_oracle() {
    for (rows, cols, least, step) in [(2, 2, 4, 1), (2, 3, 30, 3), (2, 4, 100, 31)] {
        let all = all_plain_patterns(shape(rows, cols));
        assert!(all.len() >= least, "{}", all.len());
        for key in some(all, step) {
            assert_right(&key, &oracle(&key));
        }
    }
}

#[test]
fn tables_of_some_larger_patterns_equal_the_oracle() {
    let (square, long) = (shape(3, 3), shape(2, 5));
    for (shape, homes, blank) in [
        (square, 0b0_0000_0001, 4),
        (square, 0b0_0000_1010, 0),
        (square, 0b0_0101_1100, 5),
        (square, 0b0_0111_1111, 8),
        (square, 0b1_1110_1111, 4),
        (long, 0b00000_10001, 2),
        (long, 0b01010_00100, 7),
        (long, 0b00011_11000, 9),
        (long, 0b01111_11000, 0),
        (long, 0b01111_11111, 9),
    ] {
        let key = |mode| key_of(pattern(shape, CellSet(homes), blank, mode));
        let (aware, plain) = (key(BlankMode::Aware), key(BlankMode::Plain));
        // Patterns of up to four tiles; all of them in long tests.
        if are_long() || aware.tile_count() <= 4 {
            let distances = oracle(&aware);
            assert_right(&aware, &distances);
            assert_right(&PatternKey { mode: BlankMode::Collapsed, ..aware }, &distances);
            assert_right(&plain, &oracle(&plain));
        }
    }
}

/// Compares every state of a Walking Distance table with the oracle.
fn assert_walking_right(key: &WalkingKey) {
    let table = fresh(&TableKey::Walking(*key));
    let layout = Layout::new(table.header.entry_count, key.lines);
    let oracle = walking_distances(key.lines, key.line_len, key.blank_line);
    assert_eq!(table.header.entry_count, oracle.len() as u64);
    let decoded = |state| {
        let key_bits = layout.key(&table.payload, state).expect("a state");
        let line = |l| (0..key.lines).map(move |home| count(key_bits, key.lines, l, home));
        let counts: Vec<Vec<u8>> = (0..key.lines).map(|l| line(l).collect()).collect();
        (counts, blank_line(key_bits))
    };
    for state in 0..table.header.entry_count as u32 {
        let (counts, blank) = decoded(state);
        let value = layout.value(&table.payload, state).map(u32::from);
        assert_eq!(value, oracle.get(&(counts.clone(), blank)).copied());
        for (step, line) in [(Step::Up, blank.checked_sub(1)), (Step::Down, Some(blank + 1))] {
            for home in 0..key.lines {
                let link = layout.link(&table.payload, state, step, home).expect("a link");
                let line = line.filter(|&l| counts.get(l).is_some_and(|row| row[home] > 0));
                let Some(line) = line else {
                    assert_eq!(link, NO_LINK);
                    continue;
                };
                let mut next = counts.clone();
                next[line][home] -= 1;
                next[blank][home] += 1;
                assert_eq!(decoded(link), (next, line));
            }
        }
    }
}

#[test]
fn every_small_walking_distance_table_equals_the_oracle() {
    for lines in 2..=4 {
        for line_len in 2..=4 {
            for blank_line in lines / 2..lines {
                assert_walking_right(&WalkingKey { lines, line_len, blank_line });
            }
        }
    }
}

#[test]
fn one_thread_and_eight_give_the_same_bytes_every_time() {
    let folder = scratch();
    for key in [
        tiles_of_15([3, 4, 7, 8, 12], BlankMode::Collapsed),
        tiles_of_15([1, 2, 5, 6, 9], BlankMode::Aware),
        pattern(shape(2, 3), CellSet(0b01_1111), 5, BlankMode::Aware),
        pattern(shape(2, 3), CellSet(0b01_1011), 5, BlankMode::Plain),
        tiles_of_15([1, 2, 3, 5, 9], BlankMode::Plain),
        pattern(shape(3, 3), CellSet(0b0_1111_0111), 8, BlankMode::Collapsed),
        walking(4, 4, 3),
    ] {
        let one = Table::build(&key, 1, &Monitor::silent()).expect("it can be built");
        for thread_count in [1, 3, 8] {
            let build = Build { thread_count, replace: true, ..Build::new(folder.path()) };
            let report = build.in_memory(&key).expect("it can be built");
            let is_equal = read(&report.path) == one.to_bytes();
            assert!(is_equal, "{} with {thread_count} threads", key.file_name());
        }
    }
}
