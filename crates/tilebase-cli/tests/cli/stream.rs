//! Builds that stream from disk, and their interruptions.

use std::fs;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

#[cfg(unix)]
use rustix::process::Signal;

use super::{RunResult, Running, TestFolder};

const TABLE: &str = "4x4-7f00-r15-aware.pdb";
const WORK: &str = "4x4-7f00-r15-aware.pdb.work";

/// A spec with a table of seven tiles, followed by small tables.
const SEVEN: &str = r#"
title = "7 tiles"
goal = """
 .  1  2  3
 4  5  6  7
 8  9 10 11
12 13 14 15
"""
partition = """
. A A A
A A A A
B B B C
D D C C
"""
blank = "aware"
reflect = false
"#;

/// Memory that is too small for the table of seven tiles, unless it streams.
const MEMORY: [&str; 2] = ["--memory", "30M"];

fn place() -> TestFolder {
    let place = TestFolder::new();
    place.write("seven.toml", SEVEN.as_bytes());
    place
}

/// Starts a build.
fn begun(place: &TestFolder) -> Running {
    place.start(&[&["build", "./seven.toml"], &MEMORY[..]].concat())
}

/// Waits until the checkpoint of a level, or a later one, exists.
fn wait_for_level(place: &TestFolder, level: u32) {
    let checkpoint = place.db().join(WORK).join("checkpoint");
    let begun = Instant::now();
    loop {
        let text = fs::read_to_string(&checkpoint).unwrap_or_default();
        let found = text.split_once("\"level\":").and_then(|(_, rest)| rest.split(',').next());
        if found.and_then(|found| found.parse().ok()).is_some_and(|found: u32| found >= level) {
            break;
        }
        assert!(begun.elapsed() < Duration::from_mins(2), "no checkpoint of level {level}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Starts a build and kills it at a level or soon after.
fn killed(place: &TestFolder, level: u32) {
    let mut child = begun(place);
    wait_for_level(place, level);
    child.kill().unwrap();
    assert_ne!(child.code(), Some(0));
}

/// The bytes of the table, built in memory.
static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let place = place();
    assert_eq!(place.run(&["build", "./seven.toml", "-q"]).code, Some(0));
    fs::read(place.db().join(TABLE)).unwrap()
});

#[cfg(unix)]
#[test]
fn interrupted_streamed_build_explains_how_to_resume() {
    let place = place();
    let child = begun(&place);
    wait_for_level(&place, 10);
    child.send(Signal::INT);
    let RunResult { code, stderr, .. } = child.rest();
    assert_eq!(code, Some(130));
    let end = format!(
        " is in {}: build the table again to go on there, or delete the folder\n",
        place.db().join(WORK).display()
    );
    let tiles = "7 tiles on 4x4, blank-aware, streamed in 30.00 MB of memory";
    assert!(stderr.starts_with(&format!("building {TABLE}: {tiles}\n")), "{stderr}");
    assert!(stderr.contains("error: interrupted; the checkpoint after level 1"), "{stderr}");
    assert!(stderr.ends_with(&end), "{stderr}");
    // Now there is enough memory, but the build continues to stream.
    let run = place.run(&["build", "./seven.toml"]);
    assert!(run.stderr.contains("resumed after level 1"), "{run:?}");
    assert_eq!(run.code, Some(0));
    assert!(fs::read(place.db().join(TABLE)).unwrap() == *WHOLE);
}

#[test]
fn estimate_shows_the_costs_of_a_streamed_table() {
    let place = place();
    let run = place.run(&[&["estimate", "./seven.toml"], &MEMORY[..]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let lines: Vec<&str> = run.stdout.lines().collect();
    let seven = "of disk while it is built, 20.94 MB of memory at least, T s on two cores";
    assert!(lines[1].contains("17.49 MB on disk, 44.04 MB of memory to build"), "{}", lines[1]);
    assert!(lines[2].ends_with(seven), "{}", lines[2]);
    assert!(lines[9].ends_with("; fits, streamed from disk"), "{run:?}");
    place
        .run(&["build", "./seven.toml", "--memory", "10M"])
        .says(1, "needs 20.94 MB of memory even streamed with 55.");
    assert!(place.tables().is_empty());
}

#[test]
fn unsearchable_board_is_one_failed_record() {
    let place = TestFolder::new();
    // Pairwise distances allow lines of six cells at most.
    let wide = "1 2 3 4 5 6 7 8 9 10/11 12 13 14 15 16 17 18 0 19";
    let boards = format!("1 2 3/4 5 6/7 0 8\n{wide}\n1 2 3/4 5 6/0 7 8\n");
    let arguments = ["solve", "-q", "--spec", "pairwise", "--format", "ndjson", "--input", "-"];
    let run = place.run_with_input(&arguments, boards.as_bytes());
    assert_eq!(run.code, Some(1), "{run:?}");
    let statuses = ["optimal", "failed", "optimal"];
    assert_eq!(run.stdout.lines().count(), statuses.len(), "{run:?}");
    for (line, status) in run.stdout.lines().zip(statuses) {
        assert!(line.contains(&format!("\"status\":\"{status}\"")), "{run:?}");
    }
    assert!(run.stdout.lines().nth(1).unwrap().contains(r#""error":"pairwise"#), "{run:?}");
    place.run(&["solve", "-q", "--spec", "pairwise", wide]).says(2, "pairwise");
}

/// Solves a board with the tables of the spec, building those that are missing.
fn solved(place: &TestFolder) -> RunResult {
    let board = "1 0 2 3/4 5 6 7/8 9 10 11/12 13 14 15";
    let run = place.good(&["solve", "--spec", "./seven.toml", "--goal", "blank-first", board]);
    assert!(!place.db().join(WORK).exists(), "{run:?}");
    run
}

#[test]
fn solve_resumes_a_killed_streamed_build() {
    let place = place();
    killed(&place, 20);
    let run = solved(&place);
    assert!(run.stderr.contains("\ntable 1 of 4: resumed after level "), "{run:?}");
    assert!(fs::read(place.db().join(TABLE)).unwrap() == *WHOLE);
    place.good(&["verify", "./seven.toml"]);
}

#[test]
fn solve_removes_a_work_folder_without_checkpoint() {
    let place = place();
    killed(&place, 3);
    fs::remove_file(place.db().join(WORK).join("checkpoint")).unwrap();
    let run = solved(&place);
    assert!(!run.stderr.contains("resumed after level"), "{run:?}");
}
