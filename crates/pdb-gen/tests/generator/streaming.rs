//! Streamed builds against builds in memory: the same bytes, for any budget and after any
//! interruption.

use std::path::{Path, PathBuf};

use pdb_core::{BlankMode, CellSet, PatternKey, TableKey};
use pdb_gen::{
    Budget, Build, BuildReport, Event, GenError, WorkError, has_checkpoint, work_folder,
};
use pdb_oracle::are_long;

use crate::{
    PLENTY, assert_is_table, budget, built, cancelled_at, fresh, is_level, key_of, names_in,
    pattern, quiet, read, scratch_in_memory, shape, tiles, write,
};

fn streamed(
    key: &PatternKey,
    folder: &Path,
    budget: &Budget,
    thread_count: usize,
) -> Result<BuildReport, GenError> {
    Build { thread_count, ..Build::new(folder) }.streamed(key, budget)
}

/// Streams a table and compares it with the one that is built in memory.
fn assert_same(key: &PatternKey, budget: &Budget, thread_count: usize) {
    let folder = scratch_in_memory();
    let table_key = TableKey::Pattern(*key);
    let name = table_key.file_name();
    let report = streamed(key, folder.path(), budget, thread_count).expect("it can be built");
    assert_is_table(&report.path, &table_key, &format!("{budget:?}, {thread_count} threads"));
    assert_eq!(report.header, fresh(&table_key).header, "{name}");
    let taken = report.streamed.expect("it was streamed");
    assert!(taken.memory_bytes <= budget.memory_bytes, "{name}: {taken:?}");
    assert_eq!(taken.resumed_level, None);
    assert_eq!(names_in(folder.path()), [name]);
}

/// Returns the smallest budget for a table, as the error names it.
fn least_memory(key: &PatternKey, segment_bytes: Option<u64>, thread_count: usize) -> u64 {
    let budget = Budget { memory_bytes: 0, segment_bytes };
    match streamed(key, scratch_in_memory().path(), &budget, thread_count) {
        Err(GenError::Budget { memory_bytes: 0, needed_bytes, .. }) => needed_bytes,
        other => panic!("a budget of nothing: {other:?}"),
    }
}

#[test]
fn streamed_tables_of_larger_boards_have_the_same_bytes_for_any_segment_size() {
    let square = shape(3, 3);
    let whole = key_of(pattern(square, CellSet(0b0_1111_1111), 8, BlankMode::Aware));
    // With one tile outside the pattern, parity excludes half of the states.
    let half = |mode| key_of(pattern(square, CellSet(0b0_0111_1111), 8, mode));
    let wide = |mode| key_of(pattern(shape(2, 5), CellSet(0b11000_11000), 2, mode));
    let mut keys = vec![whole];
    for mode in [BlankMode::Aware, BlankMode::Collapsed, BlankMode::Plain] {
        keys.extend([half(mode), wide(mode), tiles([1, 2, 5, 6, 9], mode)]);
    }
    let budgets = [(600, 1), (3_000, 2), (40_000, 3), (PLENTY, 2)];
    for (k, key) in keys.into_iter().enumerate() {
        // One budget, or all in long tests.
        let (first, step) = if are_long() { (0, 1) } else { (k % 4, 4) };
        for (segment_bytes, thread_count) in budgets.into_iter().skip(first).step_by(step) {
            assert_same(&key, &budget(PLENTY, segment_bytes), thread_count);
        }
    }
}

#[test]
fn the_smallest_memory_budget_suffices_and_is_not_exceeded() {
    let modes = [BlankMode::Aware, BlankMode::Collapsed];
    // One tile more in long tests.
    let pattern = &[1, 2, 5, 6, 9, 10][..if are_long() { 6 } else { 5 }];
    for key in modes.map(|mode| tiles(pattern.iter().copied(), mode)) {
        for (segment_bytes, thread_count) in [(None, 1), (Some(2_000), 2), (Some(100_000), 1)] {
            let memory_bytes = least_memory(&key, segment_bytes, thread_count);
            let least = Budget { memory_bytes, segment_bytes };
            assert_same(&key, &least, thread_count);
            let less = Budget { memory_bytes: memory_bytes - 1, segment_bytes };
            let refused = streamed(&key, scratch_in_memory().path(), &less, thread_count);
            assert!(matches!(refused, Err(GenError::Budget { .. })), "{refused:?}");
        }
    }
}

/// Stops a build after a level; the next build continues from there.
fn interrupted_after(key: &PatternKey, folder: &Path, budget: &Budget, after: u32) -> GenError {
    cancelled_at(
        |event| is_level(event, after),
        |monitor| {
            Build { monitor, ..quiet(folder) }.streamed(key, budget).expect_err("it was stopped")
        },
    )
}

/// Completes a build that was stopped, and asserts that the table is right and alone.
fn assert_resumed(key: &PatternKey, folder: &Path, budget: &Budget, case: &str) -> BuildReport {
    let report = streamed(key, folder, budget, 1).expect("it goes on");
    assert_is_table(&report.path, &TableKey::Pattern(*key), case);
    assert_eq!(names_in(folder), [TableKey::Pattern(*key).file_name()], "{case}");
    report
}

#[test]
fn a_build_stopped_after_any_level_is_resumed_to_the_same_table() {
    for mode in [BlankMode::Aware, BlankMode::Collapsed] {
        let key = key_of(pattern(shape(3, 3), CellSet(0b0_0110_1101), 8, mode));
        let table_key = TableKey::Pattern(key);
        let last = fresh(&table_key).header.level_max();
        // One folder is stopped after each level in turn, the other once after one level.
        let all_in_turn = scratch_in_memory();
        for level in (1..=last).step_by(if are_long() { 1 } else { 3 }) {
            let once = scratch_in_memory();
            for folder in [all_in_turn.path(), once.path()] {
                let error = interrupted_after(&key, folder, &budget(PLENTY, 500), level);
                let GenError::Paused { folder: work, level: paused } = error else {
                    panic!("{error}")
                };
                assert_eq!(paused, level);
                assert_eq!(work, work_folder(folder, &table_key));
                assert!(has_checkpoint(folder, &table_key));
            }
            // The budget and the number of threads change; the segments are those of the
            // checkpoint.
            let case = format!("stopped after level {level}");
            let report = assert_resumed(&key, once.path(), &budget(PLENTY / 2, 9_999), &case);
            assert_eq!(report.streamed.expect("it was streamed").resumed_level, Some(level));
        }
        assert_resumed(&key, all_in_turn.path(), &budget(PLENTY, 500), "in turn");
    }
}

#[test]
fn a_build_stopped_while_it_packs_or_writes_is_resumed_to_the_same_table() {
    type When = fn(Event) -> bool;
    let key = tiles([3, 4, 7, 8, 12], BlankMode::Aware);
    let whens: [(&str, When); 3] = [
        ("pack", |event| matches!(event, Event::Pack)),
        ("write", |event| matches!(event, Event::Write { .. })),
        ("sync", |event| matches!(event, Event::Sync)),
    ];
    let budget = budget(PLENTY, 500);
    for (case, when) in whens {
        let folder = scratch_in_memory();
        let first = cancelled_at(when, |monitor| {
            Build { monitor, ..quiet(folder.path()) }.streamed(&key, &budget)
        });
        // Cancelling has no effect once the file is being made durable.
        if case == "pack" {
            assert!(matches!(first, Err(GenError::Paused { .. })), "{first:?}");
        }
        assert_resumed(&key, folder.path(), &budget, case);
    }
}

/// Returns a work folder of a build that was stopped after a level in the middle of a search.
fn left_over(key: &PatternKey, folder: &Path) -> PathBuf {
    let error = interrupted_after(key, folder, &budget(PLENTY, 2_000), 9);
    assert!(matches!(error, GenError::Paused { level: 9, .. }), "{error}");
    work_folder(folder, &TableKey::Pattern(*key))
}

/// Returns the error of a build that finds a bad work folder, and leaves it unchanged. Digests are
/// compared when a file is read, so a level may have begun before.
fn refused(key: &PatternKey, folder: &Path) -> (WorkError, String) {
    let work = work_folder(folder, &TableKey::Pattern(*key));
    let state = || (names_in(&work), read(&work.join("checkpoint")));
    let before = state();
    let error = streamed(key, folder, &budget(PLENTY, 2_000), 2).expect_err("it is refused");
    let text = error.to_string();
    let advice = format!("delete the folder {} to build", work.display());
    assert!(text.contains(&advice), "{text}");
    let GenError::Work { source, path } = error else { panic!("{error}") };
    assert!(path.starts_with(&work), "{text}");
    let may_have_begun = matches!(source, WorkError::Damaged) && path != work.join("checkpoint");
    assert!(may_have_begun || state() == before, "{text}");
    (source, text)
}

#[test]
fn errors_name_checkpoints_of_other_tables_and_versions() {
    let key = tiles([1, 2, 5, 6, 9], BlankMode::Aware);
    let folder = scratch_in_memory();
    let work = left_over(&key, folder.path());
    let other = tiles([1, 2, 3, 4, 5], BlankMode::Aware);
    let moved = work_folder(folder.path(), &TableKey::Pattern(other));
    std::fs::rename(&work, &moved).expect("the folder is writable");
    let (_, text) = refused(&other, folder.path());
    let expected =
        format!("expected a checkpoint of {}, found one of ", TableKey::Pattern(other).file_name());
    assert!(text.contains(&expected), "{text}");
    let checkpoint = moved.join("checkpoint");
    let sealed = std::fs::read_to_string(&checkpoint).expect("it is text");
    let (_, body) = sealed.split_once('\n').expect("it has two lines");
    let newer = body.trim_end().replace("\"version\":2", "\"version\":3");
    let sealed = format!("{}\n{newer}\n", pdb_format::digest(newer.as_bytes()));
    write(&checkpoint, sealed.as_bytes());
    let (_, text) = refused(&other, folder.path());
    let expected = "expected a checkpoint of version 2, found one of version 3";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn damage_in_a_work_folder_is_found_and_named() {
    let key = tiles([1, 2, 5, 6, 9], BlankMode::Collapsed);
    for start in ["checkpoint", "level-1-", "visited-0-", "plane0-1-"] {
        for how in ["one flipped bit", "cut short", "longer", "emptied"] {
            let folder = scratch_in_memory();
            let work = left_over(&key, folder.path());
            let names = names_in(&work);
            let name = names.iter().find(|name| name.starts_with(start)).expect("there is one");
            let path = work.join(name);
            let mut bytes = read(&path);
            let len = bytes.len();
            match how {
                "one flipped bit" => bytes[len / 2] ^= 4,
                "cut short" => bytes.truncate(len - 1),
                "longer" => bytes.push(0),
                _ => bytes.clear(),
            }
            write(&path, &bytes);
            let (error, text) = refused(&key, folder.path());
            assert!(text.starts_with(path.to_str().expect("text")), "{how}: {text}");
            let is_named = match (start, how) {
                ("checkpoint", _) | (_, "one flipped bit") => matches!(error, WorkError::Damaged),
                _ => text.contains(" bytes as in the checkpoint, found "),
            };
            assert!(is_named, "{start}, {how}: {text}");
            if start != "checkpoint" && how == "emptied" {
                std::fs::remove_file(&path).expect("the folder is writable");
                let (_, text) = refused(&key, folder.path());
                let expected = "expected the file that the checkpoint names, found none";
                assert!(text.contains(expected), "{text}");
            }
        }
    }
}

#[test]
fn leftovers_of_a_level_that_was_not_finished_are_removed_and_other_files_are_not() {
    let key = tiles([1, 2, 5, 6, 9], BlankMode::Aware);
    let folder = scratch_in_memory();
    let work = left_over(&key, folder.path());
    for name in ["level-0-00000-010", "slab-00000", "notes.txt"] {
        write(&work.join(name), b"half a segment");
    }
    let report = streamed(&key, folder.path(), &budget(PLENTY, 2_000), 2).expect("it goes on");
    assert_is_table(&report.path, &TableKey::Pattern(key), "with leftovers");
    assert_eq!(names_in(&work), ["notes.txt"]);
}

#[test]
fn an_existing_table_is_kept_or_replaced_as_by_a_build_in_memory() {
    let key = tiles([1, 2, 5, 6, 9], BlankMode::Aware);
    let folder = scratch_in_memory();
    let table_key = TableKey::Pattern(key);
    built(&table_key, folder.path());
    let budget = budget(PLENTY, 2_000);
    let again = |replace| {
        Build { replace, ..quiet(folder.path()) }.streamed(&key, &budget).expect("no error")
    };
    assert!(again(false).already_there);
    // A build that is killed before its last step leaves such a file.
    let work = work_folder(folder.path(), &table_key);
    write(&work.join("plane0-0-00000-021"), b"a segment");
    assert!(again(false).already_there);
    assert!(!again(true).already_there);
    assert_eq!(names_in(folder.path()), [table_key.file_name()]);
}
