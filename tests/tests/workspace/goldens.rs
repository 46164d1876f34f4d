//! The tables of every shipped spec agree with its golden file.

use std::collections::HashMap;

use pdb_core::{BLANK, BlankMode, Goal, Shape, TableKey, WalkingKey};
use pdb_gen::{Monitor, Table, digest_of, estimate};
use pdb_spec::{GoldenTable, builtin, builtin_golden, builtin_golden_table, builtin_names};
use pdb_tests::tables::{pattern_key, thread_count};
use pdb_tests::{PatternHistogram, WalkingHistogram, are_long, pdb_histograms, walking_histograms};

/// Tables with more states take minutes; `cargo xtask golden --check` builds them.
const STATES_MAX: u64 = 2_000_000_000;
/// Tables with more states are only built in long tests.
const SMALL_STATES_MAX: u64 = 20_000_000;

fn built(key: &TableKey) -> GoldenTable {
    let table = Table::build(key, thread_count(), &Monitor::silent()).expect("it can be built");
    let header = table.header;
    GoldenTable {
        file: key.file_name(),
        entry_count: header.entry_count,
        unreached_count: header.unreached_count,
        histogram: header.histogram.clone(),
        digest: digest_of(&header).to_string(),
        payload_digest: header.payload_digest.to_string(),
    }
}

#[test]
fn shipped_specs_build_the_tables_of_their_golden_files() {
    let mut known = HashMap::new();
    let (mut left_out, mut saved) = (Vec::new(), 0);
    for name in builtin_names() {
        let spec = builtin(name).expect("a shipped spec is right");
        let golden = builtin_golden(name)
            .unwrap_or_else(|| panic!("{name} has no golden file"))
            .expect("a golden file is right");
        let files: Vec<String> = spec.plan.tables().iter().map(TableKey::file_name).collect();
        let expected: Vec<&String> = golden.tables.iter().map(|table| &table.file).collect();
        assert_eq!(files.iter().collect::<Vec<_>>(), expected, "{name}");
        for (key, expected) in spec.plan.tables().iter().zip(&golden.tables) {
            let states = estimate(key).expect("a shipped table can be built").state_count;
            if states > STATES_MAX {
                left_out.push(key.file_name());
                continue;
            }
            if states > SMALL_STATES_MAX && !are_long() {
                saved += 1;
                continue;
            }
            let table = known.entry(*key).or_insert_with(|| built(key));
            assert_eq!(expected, table, "{name}");
        }
    }
    println!("{} tables left out; long tests build {saved} of them", left_out.len() + saved);
    // Three patterns of seven tiles on 5x5, in two blank modes, the first of them in two specs; and
    // three patterns of eight tiles.
    assert_eq!(left_out.len(), 12, "{left_out:?}");
}

/// Returns the golden of a shipped table. It stands for the table, because the tests above compare
/// them.
#[test]
fn tables_have_the_published_histograms() {
    let histogram = |key: &TableKey| match builtin_golden_table(&key.file_name()) {
        Some(golden) => golden.histogram,
        None => built(key).histogram,
    };
    let goal = Goal::blank_last(Shape::new(4, 4).expect("16 cells"));
    for PatternHistogram { tiles, counts } in pdb_histograms() {
        let homes = goal.homes(tiles.iter().copied());
        let key = pattern_key(goal.shape(), homes, goal.home(BLANK), BlankMode::Collapsed);
        let key = TableKey::Pattern(key);
        assert_eq!(histogram(&key), counts, "{}", key.file_name());
    }
    for WalkingHistogram { lines, line_len, blank_line, counts } in walking_histograms() {
        let key = TableKey::Walking(WalkingKey { lines, line_len, blank_line }.canonical().0);
        assert_eq!(histogram(&key), counts, "{}", key.file_name());
    }
}
