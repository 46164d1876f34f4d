//! Interrupted commands.

use std::process::Command;
use std::time::Duration;

use rustix::process::Signal;

use super::{RunResult, Running, TestFolder};

const HARD: &str = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";

#[test]
fn interrupted_build_leaves_nothing_and_exits_130() {
    let place = TestFolder::new();
    let mut child = place.start(&["build", "15/7-8", "--threads", "1"]);
    let line = child.error_line();
    assert_eq!(line, "building 4x4-00ff-r8-aware.pdb: 8 tiles on 4x4, blank-aware\n");
    child.send(Signal::INT);
    let RunResult { code, stderr, .. } = child.rest();
    assert_eq!(code, Some(130));
    let end = "error: interrupted; nothing half-written was left behind\n";
    assert!(stderr.ends_with(end), "{stderr}");
    assert_eq!(place.tables(), [""; 0]);
}

/// Starts a command and waits until it builds the tables of Walking Distance. Returns it with its
/// first line.
fn start_a_build(place: &TestFolder, arguments: &[&str]) -> (Running, String) {
    let mut child = place.start(&[arguments, &["--spec", "walking-distance"]].concat());
    let line = child.error_line();
    assert!(line.starts_with("building the tables of walking-distance in "), "{line}");
    (child, line)
}

#[test]
fn cost_of_a_long_build_is_named_before_it_begins() {
    for command in ["solve", "explain"] {
        let place = TestFolder::new();
        let (child, line) = start_a_build(&place, &[command, FAR]);
        assert!(line.ends_with(" MB, about 4 s on two cores\n"), "{line}");
        child.send(Signal::INT);
        assert_eq!(child.code(), Some(130));
        assert_eq!(place.tables(), [""; 0]);
    }
}

/// Far from the goal, with tables of Walking Distance that take seconds to build.
const FAR: &str = "0 1 2 3 4/6 7 8 9 5/11 12 13 14 10/16 17 18 19 15";

#[test]
fn interrupt_and_time_limits_during_builds_end_with_the_best_solution_and_both_bounds() {
    let board = "17 1 20 9 16/2 22 19 14 5/15 21 0 3 24/23 18 13 12 7/10 8 6 4 11";
    let stopped = "note: 0 of 1 tables of walking-distance are built\n";
    for limit in [None, Some("--time-limit"), Some("--within")] {
        let place = TestFolder::new();
        let limits = limit.map_or(vec![], |limit| vec![limit, "300ms"]);
        let how = ["solve", board, "--format", "ndjson"];
        let (child, _) = start_a_build(&place, &[&how[..], &limits].concat());
        if limit.is_none() {
            child.send(Signal::INT);
        }
        let RunResult { code, stdout, stderr } = child.rest();
        let record: serde_json::Value = serde_json::from_str(&stdout).unwrap();
        assert!(stderr.contains(stopped), "{stderr}");
        let (expected, ended) = match limit {
            None => (130, "interrupt".into()),
            Some("--within") => (0, serde_json::Value::Null),
            Some(_) => (1, "time".into()),
        };
        assert_eq!(record["limit"], ended, "{record}");
        assert_eq!((code, &record["status"]), (Some(expected), &"solved".into()), "{record}");
        let (length, bound) = (record["length"].as_u64(), record["lower_bound"].as_u64());
        assert!(length > bound && bound >= Some(80), "{record}");
        assert_eq!(place.tables(), [""; 0]);
    }
}

#[test]
fn interrupted_search_writes_the_finished_boards_and_the_next_one_and_exits_130() {
    let place = TestFolder::new();
    let near = "1 2 3/4 5 6/7 0 8";
    for (mode, after) in [("auto", ""), ("latency", near), ("throughput", near)] {
        let how = ["solve", "--spec", "manhattan", "--mode", mode, "--threads", "2"];
        let mut child = place.start(&[&how[..], &["--input", "-"]].concat());
        child.write(&format!("{near}\n{near}\n{HARD}\n{after}\n"));
        for _ in 0..2 {
            assert_eq!(child.line(), format!("{near}: 1 move: L\n"));
        }
        // The search of the hard board goes on, and the input stays open.
        std::thread::sleep(Duration::from_millis(50));
        child.send(Signal::INT);
        let stdin = child.stdin.take();
        let RunResult { code, stdout, .. } = child.rest();
        drop(stdin);
        // A board after the hard one would hide where to go on.
        let hard = stdout.strip_prefix(HARD).unwrap_or_else(|| panic!("{mode}: {stdout}"));
        assert!(hard.contains(" moves (not proved: at least ") && hard.ends_with('\n'));
        assert_eq!((code, hard.lines().count()), (Some(130), 1), "{mode}: {stdout}");
    }
}

#[test]
fn tests_interrupt_commands_also_in_the_background_of_a_script() {
    // A shell lets such commands ignore these signals.
    let script = "trap '' HUP INT QUIT; exec \"$0\" \"$@\"";
    let name =
        "interrupt::interrupted_search_writes_the_finished_boards_and_the_next_one_and_exits_130";
    let mut test = Command::new("sh");
    test.args(["-c", script]).arg(std::env::current_exe().unwrap()).args(["--exact", name]);
    let text = String::from_utf8(test.output().unwrap().stdout).unwrap();
    assert!(text.contains("test result: ok. 1 passed"), "{text}");
}

#[test]
fn interrupt_during_builds_gives_the_first_board_of_a_file_a_record() {
    let place = TestFolder::new();
    let boards = place.write("boards", format!("{FAR}\n{FAR}\n").as_bytes());
    let (child, _) = start_a_build(&place, &["solve", &boards, "--format", "ndjson"]);
    child.send(Signal::INT);
    let RunResult { code, stdout, .. } = child.rest();
    assert_eq!((code, stdout.lines().count()), (Some(130), 1), "{stdout}");
    let record: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert!(record["board"] == FAR && record["moves"].is_string(), "{record}");
}

#[test]
fn interrupted_film_leaves_the_old_file_and_exits_130() {
    let place = TestFolder::new();
    place.write("film.gif", b"old");
    let tiles: Vec<String> = (1..36).chain([0]).map(|tile| tile.to_string()).collect();
    let (board, moves) = (tiles.join(" "), "RDLU".repeat(190));
    let how = ["animate", &board, "--sequence", &moves, "--speed", "20", "--cell", "128"];
    let child = place.start(&[&how[..], &["--out", "film.gif"]].concat());
    // From now on the program hears signals.
    let status = format!("/proc/{}/status", child.id());
    let hears = |line: &str| {
        let caught = line.strip_prefix("SigCgt:").map(|mask| u64::from_str_radix(mask.trim(), 16));
        caught.is_some_and(|mask| mask.unwrap() & (1 << (Signal::INT.as_raw() - 1)) != 0)
    };
    while !std::fs::read_to_string(&status).unwrap().lines().any(hears) {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(100));
    child.send(Signal::INT);
    assert_eq!(child.code(), Some(130));
    assert_eq!(std::fs::read(place.path("film.gif")).unwrap(), b"old");
    assert_eq!(super::names(&place.path("")), ["film.gif"]);
}
