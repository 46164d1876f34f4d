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
fn interrupted_search_writes_every_finished_board_and_exits_130() {
    let place = TestFolder::new();
    let near = "1 2 3/4 5 6/7 0 8";
    let stopped = format!("{HARD}: limit: stopped by the interrupt, at least ");
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
        let lines: Vec<&str> = rest.lines().collect();
        assert!(lines[0].starts_with(&stopped), "{mode}: {rest}");
        let others = lines[1..].iter().filter(|line| line.starts_with(&format!("{near}: ")));
        let count = usize::from(!after.is_empty());
        assert_eq!((lines.len(), others.count()), (1 + count, count), "{mode}: {rest}");
        assert_eq!(child.code(), Some(130));
    }
}

#[test]
fn progress_without_a_terminal_is_plain_lines() {
    let run = TestFolder::new().run(&["solve", "1 2 3/4 5 6/7 0 8"]);
    assert!(run.stderr.starts_with("building the tables of 8/whole"), "{run:?}");
    let is_plain = |c: char| c == '\n' || !c.is_control();
    assert!(run.stderr.chars().all(is_plain), "{run:?}");
    assert!(run.stderr.lines().count() <= 4, "{run:?}");
}
