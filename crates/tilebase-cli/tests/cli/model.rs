//! `tilebase model`: boards as files for solvers, and refused requests.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, test_kill_process};
use tilebase::text::parse_moves;
use tilebase::{Board, Goal};
use tilebase_model::{neos, pddl};

use super::{Running, TestFolder, ended, records};

const BOARD: &str = "5 1 2 3/9 6 7 4/13 10 11 8/14 15 0 12";

#[test]
fn file_name_chooses_the_format() {
    let place = TestFolder::new();
    for (name, format, begins) in [
        ("board.lp", "lp", "\\ The sliding-tile puzzle"),
        ("board.mps", "mps", "* The sliding-tile puzzle"),
        ("board.gms", "gams", "* The sliding-tile puzzle"),
        ("board.json", "json", "{\"format\": \"tilebase-model\", \"version\": 1,"),
    ] {
        let run = place.run(&["model", BOARD, "--horizon", "11", "--out", name]);
        assert!(run.stderr.starts_with(&format!("{name}: ")), "{run:?}");
        assert!(run.stderr.ends_with("B, 242 variables, 672 rows\n"), "{run:?}");
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""));
        let text = fs::read_to_string(place.path(name)).unwrap();
        assert!(text.starts_with(begins), "{name}");
        // Standard output gets the same text.
        let printed = place.run(&["model", BOARD, "--horizon", "11", "--format", format]);
        assert_eq!(printed, ended(0, &text, ""));
    }
    place
        .run(&["model", BOARD, "--horizon", "11", "--out", "board.txt"])
        .says(2, "expected a name that ends in .lp, .mps, .gms, .json or .pddl");
    assert!(!place.path("board.txt").exists());
    place.good(&["model", BOARD, "--horizon", "11", "--out", "board.txt", "--format", "lp"]);
}

#[test]
fn planners_get_a_domain_and_a_problem() {
    let place = TestFolder::new();
    let board: Board = BOARD.parse().unwrap();
    let problem = pddl::problem(&board, &Goal::blank_last(board.shape())).unwrap();
    assert_eq!(place.run(&["model", BOARD, "--format", "pddl"]), ended(0, &problem, ""));
    let domain = ["model", BOARD, "--format", "pddl-domain"];
    assert_eq!(place.run(&domain), ended(0, pddl::DOMAIN, ""));
    let run = place.run(&["model", BOARD, "--out", "problem.pddl"]);
    assert!(run.stderr.starts_with("problem.pddl: ") && run.stderr.ends_with(" kB\n"), "{run:?}");
    assert_eq!(fs::read_to_string(place.path("problem.pddl")).unwrap(), problem);
    place.good(&[&domain[..], &["--out", "domain.pddl"]].concat());
    assert_eq!(fs::read_to_string(place.path("domain.pddl")).unwrap(), pddl::DOMAIN);
    for words in [["--horizon", "11"], ["--form", "neos"]] {
        let run = place.run(&[&["model", BOARD, "--out", "other.pddl"], &words[..]].concat());
        run.says(2, "--form and --horizon are for integer programs: omit them");
    }
    place.run(&["model", "2 1 3/4 5 6/7 8 0", "--out", "other.pddl"]).says(1, "is odd");
    assert!(!place.path("other.pddl").exists());
}

#[test]
fn default_horizon_is_the_manhattan_distance() {
    let place = TestFolder::new();
    let named = place.run(&["model", BOARD, "--horizon", "11"]);
    let auto = place.run(&["model", BOARD]);
    assert_eq!(auto.stdout, named.stdout);
    assert_eq!(
        auto.stderr,
        "note: the horizon is 11, the Manhattan distance, which is a lower bound; if a solver finds \
         no solution, solutions have 13 moves or more\n"
    );
    let none =
        "note: this model has no solution: solutions of this board may have 11, 13, 15 .. moves\n";
    for (form, horizon, note) in [
        ("flow", "0", none),
        ("flow", "1", none),
        ("flow", "9", none),
        ("flow", "12", none),
        ("flow", "13", ""),
        ("neos", "0", none),
        ("neos", "1", none),
        ("neos", "9", none),
        ("neos", "12", ""),
    ] {
        let run = place.run(&["model", BOARD, "--form", form, "--horizon", horizon]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), note), "{form} {horizon}");
        assert!(run.stdout.contains("Subject To\n") && run.stdout.ends_with("End\n"));
    }
    // A solved board has no message.
    let run = place.run(&["model", "1 2 3/4 5 6/7 8 0"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn impossible_model_is_refused_with_the_reason() {
    let place = TestFolder::new();
    let unsolvable = place.run(&["model", "1 2 3/4 5 6/8 7 0", "--out", "a.lp", "--horizon", "31"]);
    assert_eq!(unsolvable.code, Some(1));
    assert!(unsolvable.stderr.contains("the permutation of tiles and blank is odd"));
    assert!(!place.path("a.lp").exists());
    for (arguments, told) in [
        (&["--horizon", "1000000"][..], "use a horizon of at most 1983"),
        (&["--horizon", "1000000", "--form", "neos"], "use a horizon of at most 52631"),
        (&["--horizon", "99999999999"], "expected a number of moves, or auto"),
        (&["--horizon", "many"], "expected a number of moves, or auto"),
        (&["--form", "sat"], "[possible values: flow, neos]"),
        (&["--goal", "1 2/3 0"], "expected a 2x2 board, found one of 4x4"),
        (&["--format", "cnf"], "possible values: lp, mps, gams, json, pddl, pddl-domain"),
    ] {
        place.run(&[&["model", BOARD, "--out", "a.lp"], arguments].concat()).says(2, told);
        assert!(!place.path("a.lp").exists());
    }
}

#[test]
fn every_goal_and_shape_is_modelled() {
    let place = TestFolder::new();
    for arguments in [
        &["1 2 3 4 5/0 6 7 8 9", "--goal", "1 2 3 4 5/6 7 8 9 0"][..],
        &["1,0,2,3,4,5,6,7,8", "--goal", "blank-first"],
        &["1 2 3 0 4 5", "--size", "2x3"],
    ] {
        place.good(&[&["model"], arguments].concat());
    }
}

#[test]
fn built_in_solver_proves_a_shortest_solution() {
    let place = TestFolder::new();
    let run = place.run(&["model", "1 2 3/5 0 6/4 7 8", "--solve"]);
    let (answer, time) = run.stdout.split_once("solver microlp, form flow, ").unwrap();
    assert_eq!(
        answer,
        "4 moves: RULL\noptimal: no solution has fewer moves than the Manhattan distance\n"
    );
    assert!(time.ends_with("\nsearch: the optimum is 4 moves, which agrees\n"), "{run:?}");
    assert_eq!(run.code, Some(0));
    // The solution has more moves than the Manhattan distance, so the proof is that shorter
    // horizons have no solution.
    let run = place.good(&["model", "3 1 2/4 5 0", "--goal", "1 2 3/4 5 0", "--solve", "--quiet"]);
    assert!(run.stdout.contains("moves, and none has fewer\n"), "{run:?}");
    assert!(run.stdout.contains(", which agrees\n"), "{run:?}");
    assert_eq!(run.stderr, "");
}

#[test]
fn solver_answer_is_written_as_a_record() {
    let place = TestFolder::new();
    let run =
        place.run(&["model", BOARD, "--solve", "--format", "json", "--horizon", "9", "--quiet"]);
    assert_eq!(run.code, Some(1));
    let record = &records(&run.stdout)[0];
    assert_eq!(record["status"], "infeasible");
    assert_eq!(record["proved"], false);
    assert_eq!(record["agrees_with_search"], true);
    assert_eq!(record["lower_bound"], 11);
    assert_eq!(record["horizons"][0]["status"], "infeasible");
    assert_eq!(record["horizons"][0]["variables"], 2400);
}

#[test]
fn first_solution_is_marked_unproved() {
    let place = TestFolder::new();
    let run = place.run(&["model", "1 2 3/4 5 6/0 7 8", "--solve", "--first", "--horizon", "12"]);
    assert!(run.stdout.starts_with("12 moves: "), "{run:?}");
    assert!(run.stdout.contains("\nfound, not proved: at least 2 moves are needed\n"), "{run:?}");
    assert!(run.stdout.ends_with("\nsearch: the optimum is 2 moves, which agrees\n"), "{run:?}");
    assert_eq!(run.code, Some(0));
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

/// Writes a program for a test, and returns its path.
fn write_program(place: &TestFolder, name: &str, script: &str) {
    let path = place.path(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut file = File::options().write(true).create_new(true).mode(0o755).open(path).unwrap();
    file.write_all(format!("#!/bin/sh\n{script}\n").as_bytes()).unwrap();
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
fn help_lists_the_names_of_solvers() {
    let run = TestFolder::new().run(&["model", "--help"]);
    assert!(run.stdout.contains(" gurobi_cl"), "{run:?}");
    assert!(!run.stdout.contains('`'), "{run:?}");
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
