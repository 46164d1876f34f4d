//! `tilebase model --solve`: solvers that are programs, and signals while they run.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, test_kill_process};
use tilebase::text::parse_moves;
use tilebase::{Board, Goal};
use tilebase_model::neos;

use super::model::BOARD;
use super::{Running, TestFolder};

/// Writes a program for a test, and returns its path.
fn write_program(place: &TestFolder, name: &str, script: &str) {
    let path = place.path(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut file = File::options().write(true).create_new(true).mode(0o755).open(path).unwrap();
    file.write_all(format!("#!/bin/sh\n{script}\n").as_bytes()).unwrap();
}

#[test]
fn unsupported_request_is_refused_with_advice() {
    let place = TestFolder::new();
    for (words, code, says) in [
        (&["--solver", "cplex"][..], 2, "there is no solver `cplex`: expected one of microlp, cbc"),
        (
            &["--solver", "scip=/nonexistent/scip"],
            1,
            "expected the program /nonexistent/scip, found none",
        ),
        (
            &["--solver", "cbc=/bin/false"],
            1,
            "cbc failed: expected exit status 0, found exit status: 1",
        ),
        (&["--solver", "cbc=/bin/true"], 1, "cbc gave no answer"),
        (&["--solver-option", "x"], 2, "microlp has no command line"),
        (&["--first"], 2, "choose it with --horizon"),
        (&["--horizon", "1000000"], 2, "use a horizon of at most 1983"),
        (&["--format", "lp"], 2, "expected --format text or json"),
        (&["--out", "board.lp"], 2, "cannot be used with"),
    ] {
        place.run(&[&["model", BOARD, "--solve"], words].concat()).says(code, says);
    }
    // Parity decides before any solver runs.
    let run =
        place.run(&["model", "2 1 3/4 5 6/7 8 0", "--solve", "--solver", "cbc=/nonexistent/cbc"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stdout.starts_with("unsolvable: no sequence of moves leads to the goal"),
        "{run:?}"
    );
}

#[test]
fn interrupted_solver_ends_and_writes_its_bound() {
    let place = TestFolder::new();
    // The solver would take a day.
    let hard = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";
    let child = place.start(&["model", hard, "--solve", "--form", "neos"]);
    // After a second or a line of progress, the model is made and the solver runs.
    thread::sleep(Duration::from_secs(1));
    child.send(Signal::INT);
    let run = child.rest();
    let limit = "limit: stopped by the interrupt, at least 58 moves are needed\n";
    assert_eq!((run.code, run.stdout.starts_with(limit)), (Some(130), true), "{run:?}");
}

#[test]
fn impossible_horizon_is_reported_before_the_solver_runs() {
    let place = TestFolder::new();
    let lengths = "solutions of this board may have 11, 13, 15 .. moves";
    let fails = ["--solver", "cbc=/bin/false"];
    for (words, code, says) in [
        (&["--horizon", "12"][..], 1, format!("note: this model has no solution: {lengths}\n")),
        (
            &["--horizon", "9", "--form", "neos"],
            1,
            format!("note: this model has no solution: {lengths}\n"),
        ),
        (
            &["--horizon", "80", "--first"],
            2,
            format!("error: {lengths}: expected such a number after --horizon, found 80; or"),
        ),
        (&["--first"], 2, format!("choose it with --horizon; {lengths}")),
    ] {
        let run = place.run(&[&["model", BOARD, "--solve"], &fails[..], words].concat());
        assert_eq!(run.code, Some(code), "{words:?}: {run:?}");
        assert!(run.stderr.contains(&says), "{words:?}: {run:?}");
        // If it was only a note, the solver ran.
        assert_eq!(run.stderr.contains("cbc failed"), code == 1, "{words:?}: {run:?}");
    }
    for words in [&["--horizon", "13"][..], &["--horizon", "12", "--form", "neos", "--first"]] {
        let run = place.run(&[&["model", BOARD, "--solve"], &fails[..], words].concat());
        assert!(!run.stderr.contains(lengths), "{words:?}: {run:?}");
        assert!(run.stderr.contains("cbc failed"), "{words:?}: {run:?}");
    }
}

#[test]
fn proof_states_what_was_proved() {
    let place = TestFolder::new();
    let far = ["model", "3 1 2/4 5 0", "--solve", "--form", "neos", "--horizon", "14"];
    // A solver that immediately has an answer longer than the Manhattan distance.
    let board: Board = "3 1 2/4 5 0".parse().unwrap();
    let encoded = neos(&board, &Goal::blank_last(board.shape()), 14).unwrap();
    let moves = parse_moves("DRRULDLURRDLLU", false).unwrap();
    let values = encoded.values_of(&moves).unwrap();
    let lines = encoded.model.variables.iter().zip(values);
    let lines: Vec<String> = lines.map(|(v, value)| format!("{} {value}", v.name)).collect();
    let answer = place.write("answer", lines.join("\n").as_bytes());
    let script = format!("/bin/cp {answer} solution; echo 'Optimal solution found'");
    write_program(&place, "gurobi_cl", &script);
    let run = place.run(&[&far[..], &["--solver", "./gurobi_cl"]].concat());
    let proved = "14 moves: DRRULDLURRDLLU\noptimal: the solver has proved that no solution has fewer moves\n";
    assert!(run.stdout.starts_with(proved), "{run:?}");
    assert!(run.stdout.ends_with("\nsearch: the optimum is 14 moves, which agrees\n"), "{run:?}");
    let run = place.run(&["model", "1 2/0 3", "--solve", "--form", "neos", "--horizon", "3"]);
    let least = "1 move: L\noptimal: no solution has fewer moves than the Manhattan distance\n";
    assert!(run.stdout.starts_with(least), "{run:?}");
    let run = place.run(&["model", "1 2 3/4 5 6/7 0 8", "--solve", "--first", "--horizon", "13"]);
    assert!(run.stdout.contains("\nfound, not proved: at least 1 move is needed\n"), "{run:?}");
}

#[test]
fn relative_path_entries_are_searched_from_the_current_folder() {
    let place = TestFolder::new();
    write_program(&place, "bin/cbc", "exit 3");
    let solve = ["model", BOARD, "--solve", "--solver", "cbc"];
    for path in ["bin", ".:bin", "/nonexistent:bin"] {
        let run = place.command(&solve).env("PATH", path).output().unwrap();
        let stderr = String::from_utf8(run.stderr).unwrap();
        assert!(
            stderr.contains("cbc failed: expected exit status 0, found exit status: 3"),
            "{stderr}"
        );
    }
    // A folder of that name is not a program, and neither is a file that is not executable.
    fs::create_dir(place.path("cbc")).unwrap();
    fs::create_dir(place.path("other")).unwrap();
    place.write("other/cbc", b"");
    for path in [".", "other", "", "/nonexistent"] {
        let run = place.command(&solve).env("PATH", path).output().unwrap();
        let stderr = String::from_utf8(run.stderr).unwrap();
        assert!(stderr.contains("cbc is not installed"), "{path}: {stderr}");
    }
}

#[test]
fn quit_signal_ends_the_solver() {
    let place = TestFolder::new();
    write_program(&place, "cbc", &format!("echo $$ > {}; sleep 301", place.path("pid").display()));
    let mut command = place.command(&["model", BOARD, "--solve", "--solver", "./cbc"]);
    let mut child = Running::new(command.env("PATH", "/bin:/usr/bin"));
    let read = || fs::read_to_string(place.path("pid")).ok().filter(|pid| pid.ends_with('\n'));
    let pid = loop {
        match read() {
            Some(pid) => break pid,
            None => thread::sleep(Duration::from_millis(10)),
        }
        assert!(child.try_wait().unwrap().is_none());
    };
    child.send(Signal::QUIT);
    assert_eq!(child.code(), Some(130));
    let pid = Pid::from_raw(pid.trim().parse().unwrap()).unwrap();
    // The process was waited for.
    assert!(test_kill_process(pid).is_err());
}
