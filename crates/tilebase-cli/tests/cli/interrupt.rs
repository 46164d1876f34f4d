use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::Place;

fn interrupt(child: &Child) {
    kill_process(Pid::from_child(child), Signal::INT).unwrap();
}

#[test]
fn an_interrupted_build_leaves_nothing_and_exits_130() {
    let place = Place::new();
    let mut child = place.command(&["build", "15/7-8", "--threads", "1"]).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    assert_eq!(line, "building 4x4-00ff-r8-aware.pdb: 8 tiles on 4x4, blank-aware\n");
    interrupt(&child);
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(rest.ends_with("error: interrupted; nothing half-written was left behind\n"), "{rest}");
    assert_eq!(place.tables(), [""; 0]);
}

#[test]
fn an_interrupted_search_writes_what_it_knows_and_exits_130() {
    let place = Place::new();
    let hard = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";
    let arguments = ["solve", "--spec", "manhattan", "--input", "-", "--threads", "2"];
    let mut child = place.command(&arguments).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    writeln!(stdin, "1 2 3/4 5 6/7 0 8\n{hard}").unwrap();
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    assert_eq!(line, "1 2 3/4 5 6/7 0 8: 1 move: L\n");
    // The input stays open: nothing waits for its end.
    interrupt(&child);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert!(
        rest.starts_with(&format!("{hard}: limit: stopped by the interrupt, at least ")),
        "{rest}"
    );
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn an_interrupted_search_writes_every_board_that_is_finished() {
    let place = Place::new();
    let (near, hard) = ("1 2 3/4 5 6/7 0 8", "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1");
    for mode in ["latency", "throughput"] {
        let how = ["solve", "--spec", "manhattan", "--mode", mode, "--threads", "2"];
        let arguments = [&how[..], &["--input", "-"]].concat();
        let mut child = place.command(&arguments).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        writeln!(stdin, "{near}\n{near}\n{hard}\n{near}").unwrap();
        for _ in 0..2 {
            let mut line = String::new();
            stdout.read_line(&mut line).unwrap();
            assert_eq!(line, format!("{near}: 1 move: L\n"));
        }
        // The search of the hard board goes on.
        std::thread::sleep(Duration::from_millis(50));
        interrupt(&child);
        let mut rest = String::new();
        stdout.read_to_string(&mut rest).unwrap();
        let lines: Vec<&str> = rest.lines().collect();
        assert_eq!(lines.len(), 2, "{mode}: {rest}");
        let stopped = format!("{hard}: limit: stopped by the interrupt, at least ");
        assert!(lines[0].starts_with(&stopped), "{mode}: {rest}");
        assert!(lines[1].starts_with(&format!("{near}: ")), "{mode}: {rest}");
        assert_eq!(child.wait().unwrap().code(), Some(130));
    }
}

#[test]
fn progress_that_is_not_shown_on_a_terminal_is_plain_lines() {
    let place = Place::new();
    let run = place.run(&["solve", "1 2 3/4 5 6/7 0 8"]);
    assert!(run.stderr.starts_with("building the tables of 8/whole"), "{run:?}");
    let is_plain = |c: char| c == '\n' || !c.is_control();
    assert!(run.stderr.chars().all(is_plain), "{run:?}");
    assert!(run.stderr.lines().count() <= 4, "{run:?}");
}
