//! Interrupted commands.

use std::io::{BufRead, BufReader, Read};
use std::time::Duration;

use rustix::process::Signal;

use super::TestFolder;

const HARD: &str = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";

#[test]
fn interrupted_build_leaves_nothing_and_exits_130() {
    let place = TestFolder::new();
    let mut child = place.start(&["build", "15/7-8", "--threads", "1"]);
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    assert_eq!(line, "building 4x4-00ff-r8-aware.pdb: 8 tiles on 4x4, blank-aware\n");
    child.send(Signal::INT);
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    assert_eq!(child.code(), Some(130));
    assert!(rest.ends_with("error: interrupted; nothing half-written was left behind\n"), "{rest}");
    assert_eq!(place.tables(), [""; 0]);
}

#[test]
fn cost_of_a_long_build_is_named_before_it_begins() {
    let board = "0 1 2 3 4/6 7 8 9 5/11 12 13 14 10/16 17 18 19 15";
    for command in ["solve", "explain"] {
        let place = TestFolder::new();
        let mut child = place.start(&[command, board, "--spec", "walking-distance"]);
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        assert!(line.starts_with("building the tables of walking-distance in "), "{line}");
        assert!(line.ends_with(" MB, about 4 s on two cores\n"), "{line}");
        child.send(Signal::INT);
        assert_eq!(child.code(), Some(130));
        assert_eq!(place.tables(), [""; 0]);
    }
}

#[test]
fn interrupted_search_writes_the_finished_boards_alone_and_exits_130() {
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
        let mut rest = String::new();
        child.stdout.take().unwrap().read_to_string(&mut rest).unwrap();
        // A board after the hard one would hide where to go on.
        assert_eq!(rest, "", "{mode}");
        assert_eq!(child.code(), Some(130));
    }
}

#[test]
fn board_whose_tables_were_interrupted_has_no_record() {
    let place = TestFolder::new();
    let far = "0 1 2 3 4/6 7 8 9 5/11 12 13 14 10/16 17 18 19 15";
    let boards = place.write("boards", format!("{far}\n{far}\n").as_bytes());
    let how = ["solve", &boards, "--spec", "walking-distance", "--format", "ndjson"];
    let mut child = place.start(&how);
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    assert!(line.starts_with("building the tables of walking-distance in "), "{line}");
    child.send(Signal::INT);
    let mut records = String::new();
    child.stdout.take().unwrap().read_to_string(&mut records).unwrap();
    assert_eq!((child.code(), &*records), (Some(130), ""));
}

#[cfg(feature = "raster")]
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

#[test]
fn progress_without_a_terminal_is_plain_lines() {
    let run = TestFolder::new().run(&["solve", "1 2 3/4 5 6/7 0 8"]);
    assert!(run.stderr.starts_with("building the tables of 8/whole"), "{run:?}");
    let is_plain = |c: char| c == '\n' || !c.is_control();
    assert!(run.stderr.chars().all(is_plain), "{run:?}");
    assert!(run.stderr.lines().count() <= 4, "{run:?}");
}
