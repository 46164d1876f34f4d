//! Estimates of the size, memory and time of builds, compared with the tables that are then built.

use pdb_core::{BlankMode, CellSet, TableKey};
use pdb_gen::{GenError, estimate};

use crate::coloured::coloured;
use crate::{
    all_patterns, all_plain_patterns, pattern, quiet, scratch, shape, step, tiles_of_15, walking,
};

fn assert_exact(key: &TableKey) {
    let folder = scratch();
    let estimate = estimate(key).expect("it can be built");
    let report = quiet(folder.path()).in_memory(key).expect("it can be built");
    let name = key.file_name();
    assert_eq!(estimate.entry_count, report.header.entry_count, "{name}");
    assert_eq!(estimate.state_count, report.state_count, "{name}");
    assert_eq!(estimate.file_bytes, report.header.file_bytes(), "{name}");
    assert!(estimate.peak_memory_bytes > report.header.payload_bytes(), "{name}");
    assert!(estimate.seconds > 0.0 && estimate.seconds < 60.0, "{name}");
}

#[test]
fn estimates_of_small_tables_are_exact() {
    let small = all_patterns(shape(2, 3));
    assert!(small.len() > 40, "{}", small.len());
    for key in small.into_iter().chain(all_plain_patterns(shape(2, 3))).step_by(step()) {
        assert_exact(&TableKey::Pattern(key));
    }
    for mode in [BlankMode::Aware, BlankMode::Collapsed, BlankMode::Plain] {
        assert_exact(&tiles_of_15([1, 2, 5, 6, 9], mode));
    }
    for (rows, cols, drawn) in [(2, 3, "aab ab."), (3, 4, "aabb aacc bbc.")] {
        assert_exact(&TableKey::Coloured(coloured(rows, cols, drawn).canonical().0));
    }
    for (lines, line_len) in [(2, 2), (2, 6), (3, 2), (3, 5), (4, 4), (6, 2)] {
        for blank_line in (0..lines).step_by(step().min(2)) {
            assert_exact(&walking(lines, line_len, blank_line));
        }
    }
}

#[test]
fn estimates_of_the_largest_tables_are_exact() {
    let nine = pattern(shape(6, 6), CellSet((1 << 9) - 1), 35, BlankMode::Aware);
    let nine = estimate(&nine).expect("its entries can be counted");
    // 36! / 27! placements of nine tiles, each with an entry for every region of the blank.
    assert!(nine.entry_count > 34_162_713_446_400);
    let region_count = pdb_core::region::region_count(shape(6, 6), 9);
    assert_eq!(nine.entry_count, region_count * 362_880);
    assert!(nine.file_bytes > nine.entry_count / 8);
    let plain = pattern(shape(6, 6), CellSet((1 << 8) - 1), 35, BlankMode::Plain);
    let plain = estimate(&plain).expect("its entries can be counted");
    // 36! / 27!: eight tiles and the blank, on nine different cells.
    assert_eq!(plain.entry_count, 34_162_713_446_400);
}

#[test]
fn a_table_that_cannot_be_built_has_no_estimate() {
    let twelve = pattern(shape(6, 6), CellSet((1 << 12) - 1), 35, BlankMode::Collapsed);
    assert!(matches!(estimate(&twelve), Err(GenError::Index(_))));
    // Keys have no room for seven lines. For 6x6 they have, but the states are more than 32 bits
    // can number.
    for (lines, line_len) in [(7, 4), (6, 6)] {
        let estimate = estimate(&walking(lines, line_len, 3));
        assert!(matches!(estimate, Err(GenError::TooManyStates { .. })), "{estimate:?}");
    }
}

#[test]
fn states_of_walking_distance_are_counted_without_a_search() {
    for (lines, line_len, count) in [(5, 4, 5_977_015), (5, 5, 65_650_495), (6, 4, 2_988_868_680)] {
        let estimate = estimate(&walking(lines, line_len, 3)).expect("its states can be numbered");
        assert_eq!(estimate.state_count, count);
    }
}

#[test]
fn time_of_walking_distance_is_near_the_measured_one() {
    // The times of `docs/benchmarks.md`; both axes of 5x5 have the same table.
    for (tables, measured) in [(&[(4, 5), (5, 4)][..], 3.8), (&[(5, 5)], 44.5)] {
        let seconds = |&(lines, line_len)| {
            estimate(&walking(lines, line_len, 3)).expect("its states can be numbered").seconds
        };
        let ratio = tables.iter().map(seconds).sum::<f64>() / measured;
        assert!((0.9..1.1).contains(&ratio), "{ratio}");
    }
}
