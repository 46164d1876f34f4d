//! Programs that are missing, fail, hang, or print rubbish: each is a clear error, or a limit, and leaves
//! nothing behind.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

use std::fs::{self, File};
use std::io::Write;
use std::ops::ControlFlow;
use std::os::unix::fs::OpenOptionsExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pdb_core::{Board, Goal};
use pdb_model::solve::{Event, Outcome, Question, SolveError, Status, Stop, solve, solver};
use pdb_model::{Form, encode};
use tempfile::TempDir;

/// A script that is being written cannot be run, and a process that another test starts in between inherits
/// what is open.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A program that a test makes up, and a folder for what it leaves there.
struct Fake {
    folder: TempDir,
    _alone: MutexGuard<'static, ()>,
}

impl Fake {
    /// A shell script that is called glpsol. `$HERE` is a folder that it may write to; it runs in the one
    /// that it was given, and is to write the file `solution` there.
    fn new(script: &str) -> Self {
        let alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path().display();
        let text = format!("#!/bin/sh\nHERE='{here}'\npwd > $HERE/pwd\n{script}\n");
        let path = folder.path().join("glpsol");
        let mut file = File::options().write(true).create_new(true).mode(0o755).open(path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
        Self { folder, _alone: alone }
    }

    /// A script that says this of the model of the first horizon after a while, and writes a status.
    fn saying(log: &str, status: char, seconds: f64) -> Self {
        let fake = Self::new(&format!(
            "sleep {seconds}; cp $HERE/answer solution || exit 9; echo '{log}'"
        ));
        let board = board();
        let goal = Goal::blank_last(board.shape());
        let model = encode(Form::Flow, &board, &goal, 1).unwrap().model;
        let (rows, columns) = (model.rows.len(), model.variables.len());
        let mut text = format!("s mip {rows} {columns} {status} 0\n");
        text.extend((1..=rows).map(|row| format!("i {row} 0\n")));
        text.extend((1..=columns).map(|column| format!("j {column} 0\n")));
        text.push_str("e o f\n");
        let mut file = File::create_new(fake.folder.path().join("answer")).unwrap();
        file.write_all(text.as_bytes()).unwrap();
        fake
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("glpsol")
    }

    fn ask(&self, time: Option<Duration>) -> Result<Outcome, SolveError> {
        ask(&self.path(), time, &mut |_| ControlFlow::Continue(()))
    }

    /// The error, which also has a text that says all of these.
    fn error(&self, says: &[&str]) -> SolveError {
        let error = self.ask(None).unwrap_err();
        let text = error.to_string();
        for part in says {
            assert!(text.contains(part), "{text:?} does not say {part:?}");
        }
        self.assert_nothing_is_left();
        error
    }

    /// The temporary folder is gone.
    fn assert_nothing_is_left(&self) {
        let folder = fs::read_to_string(self.folder.path().join("pwd")).unwrap();
        assert!(!Path::new(folder.trim()).exists(), "{folder}");
    }

    /// The processes whose numbers it wrote down are gone.
    fn assert_no_process_is_left(&self) {
        let pids = fs::read_to_string(self.folder.path().join("pids")).unwrap();
        for pid in pids.split_whitespace() {
            let stat = format!("/proc/{pid}/stat");
            let is_alive = || {
                // Whoever reaps orphans may take a moment.
                fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "))
            };
            let begun = Instant::now();
            while is_alive() {
                assert!(begun.elapsed() < Duration::from_secs(5), "process {pid} is left");
                thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

fn board() -> Board {
    pdb_core::notation::read_board("1 2/0 3", None).unwrap()
}

fn ask(
    program: &Path,
    time: Option<Duration>,
    watch: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Result<Outcome, SolveError> {
    let board = board();
    let goal = Goal::blank_last(board.shape());
    let question = Question {
        board: &board,
        goal: &goal,
        form: Form::Flow,
        horizon: None,
        first: false,
        time,
    };
    let solver = solver(&format!("glpsol={}", program.display())).unwrap();
    solve(question, &*solver, watch)
}

#[test]
fn a_program_that_is_not_there_is_named_with_how_it_is_installed() {
    let error = ask(Path::new("/nonexistent/glpsol"), None, &mut |_| ControlFlow::Continue(()));
    let error = error.unwrap_err().to_string();
    assert_eq!(
        error,
        "glpsol is not installed: expected the program /nonexistent/glpsol, found none; apt install \
         glpk-utils, or name another solver"
    );
}

#[test]
fn a_program_that_cannot_be_run_is_no_missing_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("glpsol");
    File::options().write(true).create_new(true).mode(0o644).open(&path).unwrap();
    for path in [&path, folder.path()] {
        let error = ask(path, None, &mut |_| ControlFlow::Continue(())).unwrap_err();
        assert!(matches!(error, SolveError::NotRun { .. }), "{error}");
    }
}

#[test]
fn a_script_without_its_interpreter_is_no_missing_program() {
    let fake = Fake::new("");
    let path = fake.folder.path().join("other");
    let mut file = File::options().write(true).create_new(true).mode(0o755).open(&path).unwrap();
    file.write_all(b"#!/nonexistent/sh\n").unwrap();
    drop(file);
    let error = ask(&path, None, &mut |_| ControlFlow::Continue(())).unwrap_err();
    assert!(matches!(error, SolveError::NotRun { .. }), "{error}");
}

#[test]
fn a_program_that_fails_is_quoted() {
    let fake = Fake::new("echo 'model.mps: bad magic' >&2; exit 3");
    let error = fake.error(&["exit status: 3", "model.mps: bad magic"]);
    assert!(matches!(error, SolveError::Failed { .. }), "{error:?}");
}

#[test]
fn a_program_that_a_signal_ends_is_a_failure() {
    let fake = Fake::new("kill -SEGV $$");
    let error = fake.error(&["signal: 11"]);
    assert!(matches!(error, SolveError::Failed { .. }), "{error:?}");
}

#[test]
fn a_program_that_says_nothing_gives_no_answer() {
    let error = Fake::new("exit 0").error(&["gave no answer"]);
    assert!(matches!(error, SolveError::NoAnswer { .. }), "{error:?}");
}

#[test]
fn a_word_of_success_without_a_solution_is_no_answer() {
    let fake = Fake::new("echo 'INTEGER OPTIMAL SOLUTION FOUND'");
    let error = fake.error(&["gave no answer", "INTEGER OPTIMAL SOLUTION FOUND"]);
    assert!(matches!(error, SolveError::NoAnswer { .. }), "{error:?}");
}

#[test]
fn rubbish_in_place_of_a_solution_is_an_error_with_its_line() {
    for rubbish in [
        "echo 42 > solution",
        "head -c 3000 /dev/urandom > solution",
        ": > solution",
        "printf 's mip 1 1 o 0\\n' > solution",
        "mkdir solution",
        "mkfifo solution",
        "ln -s /dev/zero solution",
    ] {
        let fake = Fake::new(&format!("{rubbish}\necho 'INTEGER OPTIMAL SOLUTION FOUND'"));
        let error = fake.error(&["line 1", "expected"]);
        assert!(matches!(error, SolveError::Solution { .. }), "{rubbish}: {error:?}");
    }
}

#[test]
fn a_solution_of_another_model_is_an_error() {
    let fake = Fake::new(
        "printf 's mip 1 1 o 0\\ni 1 0\\nj 1 0\\ne o f\\n' > solution; echo 'INTEGER OPTIMAL SOLUTION FOUND'",
    );
    assert!(matches!(fake.error(&[]), SolveError::Solution { .. }));
}

#[test]
fn a_program_that_prints_without_end_is_ended() {
    let fake = Fake::new("echo $$ > $HERE/pids; yes");
    let error = fake.error(&["more"]);
    assert!(matches!(error, SolveError::TooMuch { what: "a log", .. }), "{error:?}");
    fake.assert_no_process_is_left();
}

#[test]
fn a_solution_without_end_is_not_read() {
    let fake = Fake::new("yes | head -c 10000000 > solution");
    let error = fake.error(&["more"]);
    assert!(matches!(error, SolveError::TooMuch { what: "a solution file", .. }), "{error:?}");
}

#[test]
fn a_program_that_does_not_end_is_ended_with_all_that_it_started() {
    let fake =
        Fake::new("sleep 1000 & echo $$ $! > $HERE/pids; trap '' TERM INT; wait; sleep 1000");
    let begun = Instant::now();
    let outcome = fake.ask(Some(Duration::from_millis(200))).unwrap();
    assert_eq!(outcome.status, Status::Limit(Stop::Time));
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    fake.assert_nothing_is_left();
    fake.assert_no_process_is_left();
}

#[test]
fn a_watcher_ends_a_program_with_all_that_it_started() {
    let fake = Fake::new("sleep 1000 & echo $$ $! > $HERE/pids; wait");
    let pids = fake.folder.path().join("pids");
    let mut watch = |_: Event<'_>| match fs::read_to_string(&pids) {
        Ok(text) if text.ends_with('\n') => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let outcome = ask(&fake.path(), None, &mut watch).unwrap();
    assert_eq!(outcome.status, Status::Limit(Stop::Watcher));
    fake.assert_nothing_is_left();
    fake.assert_no_process_is_left();
}

#[test]
fn a_program_that_ends_takes_with_it_what_it_left_running() {
    for code in [0, 3] {
        let fake = Fake::new(&format!("sleep 301 & echo $! > $HERE/pids; exit {code}"));
        fake.error(&[]);
        fake.assert_no_process_is_left();
    }
}

#[test]
fn a_watcher_that_panics_leaves_no_program_behind() {
    let fake = Fake::new("sleep 1000 & echo $$ $! > $HERE/pids; wait");
    let pids = fake.folder.path().join("pids");
    let mut watch = |_: Event<'_>| {
        let is_running = fs::read_to_string(&pids).is_ok_and(|text| text.ends_with('\n'));
        assert!(!is_running, "the test's own panic");
        ControlFlow::Continue(())
    };
    catch_unwind(AssertUnwindSafe(|| ask(&fake.path(), None, &mut watch))).unwrap_err();
    fake.assert_nothing_is_left();
    fake.assert_no_process_is_left();
}

#[test]
fn that_there_is_no_solution_does_not_count_once_the_time_is_over() {
    let none = "PROBLEM HAS NO INTEGER FEASIBLE SOLUTION";
    let outcome = Fake::saying(none, 'n', 0.3).ask(Some(Duration::from_millis(200))).unwrap();
    assert_eq!(outcome.status, Status::Limit(Stop::Time));
    assert_eq!(outcome.lower_bound, Some(1));
    // In time it counts: the next horizon is asked about, which the answer does not fit.
    let error = Fake::saying(none, 'n', 0.0).ask(Some(Duration::from_mins(1))).unwrap_err();
    assert!(matches!(error, SolveError::Solution { .. }), "{error:?}");
}

#[test]
fn a_program_that_stops_by_itself_reached_no_limit_of_ours() {
    let stopped = "TIME LIMIT EXCEEDED; SEARCH TERMINATED";
    for (seconds, time, stop) in [
        (0.0, None, Stop::Solver),
        (0.0, Some(Duration::from_mins(1)), Stop::Solver),
        (0.3, Some(Duration::from_millis(200)), Stop::Time),
    ] {
        let outcome = Fake::saying(stopped, 'u', seconds).ask(time).unwrap();
        assert_eq!(outcome.status, Status::Limit(stop), "{time:?}");
    }
}

#[test]
fn what_a_program_printed_can_do_nothing_to_a_terminal() {
    for script in [
        "printf '\\033]0;title\\007\\033[31mred\\n\\033[2Jrest'; exit 3",
        "printf 'red\\033[2J\\n' > solution; echo 'INTEGER OPTIMAL SOLUTION FOUND'",
    ] {
        let text = Fake::new(script).error(&["red"]).to_string();
        assert!(!text.chars().any(char::is_control), "{text:?}");
    }
}

#[test]
fn a_long_log_is_quoted_in_part() {
    for (script, quoted) in [
        ("seq 9; exit 3", "printed: 1 / 2 / 3 / .. / 7 / 8 / 9"),
        ("seq 6; exit 3", "printed: 1 / 2 / 3 / 4 / 5 / 6"),
        // A line without end, which is the last one too.
        ("echo 1; yes x | head -c 50000 | tr '\\n' x; exit 3", "printed: 1 / xxx"),
    ] {
        let text = Fake::new(script).error(&[quoted]).to_string();
        assert!(text.len() < 500, "{}", text.len());
    }
}
