//! Programs that are missing, fail, hang or print garbage. Each causes a clear error or a limit,
//! and leaves no process and no file.
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
use tempfile::TempDir;
use tilebase_model::solve::{
    HorizonEvent, Outcome, Question, SolveError, Status, StopReason, solve, solver,
};
use tilebase_model::{Form, encode};

/// Serialises tests: a script cannot run while a process that another test started holds it open
/// for writing.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A script that stands in for a solver, with its folder.
struct Fake {
    folder: TempDir,
    _alone: MutexGuard<'static, ()>,
}

impl Fake {
    /// Creates a shell script named glpsol. `$HERE` is a folder that it may write to. It runs in
    /// the folder of the model and writes the file `solution` there.
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

    /// Creates a script that waits, prints a log and writes a status for the model of the first
    /// horizon.
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

    /// Returns the error, whose text must contain all of `says`.
    fn error(&self, says: &[&str]) -> SolveError {
        let error = self.ask(None).unwrap_err();
        let text = error.to_string();
        for part in says {
            assert!(text.contains(part), "{text:?} does not say {part:?}");
        }
        self.assert_nothing_is_left();
        error
    }

    /// Asserts that the temporary folder was removed.
    fn assert_nothing_is_left(&self) {
        let folder = fs::read_to_string(self.folder.path().join("pwd")).unwrap();
        assert!(!Path::new(folder.trim()).exists(), "{folder}");
    }

    /// Asserts that the processes listed in `pids` have ended.
    fn assert_no_process_is_left(&self) {
        let pids = fs::read_to_string(self.folder.path().join("pids")).unwrap();
        for pid in pids.split_whitespace() {
            let stat = format!("/proc/{pid}/stat");
            let is_alive = || {
                // The init process may take a moment to reap the orphan.
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
    "1 2/0 3".parse().unwrap()
}

fn ask(
    program: &Path,
    time: Option<Duration>,
    watch: &mut dyn FnMut(HorizonEvent<'_>) -> ControlFlow<()>,
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
fn names_a_missing_program_and_how_to_install_it() {
    let error = ask(Path::new("/nonexistent/glpsol"), None, &mut |_| ControlFlow::Continue(()));
    let error = error.unwrap_err().to_string();
    assert_eq!(
        error,
        "glpsol is not installed: expected the program /nonexistent/glpsol, found none; apt install \
         glpk-utils, or name another solver"
    );
}

#[test]
fn distinguishes_a_program_that_cannot_be_run_from_a_missing_one() {
    let fake = Fake::new("");
    let [text, script] = ["text", "script"].map(|name| fake.folder.path().join(name));
    let options = |mode| File::options().write(true).create_new(true).mode(mode).clone();
    options(0o644).open(&text).unwrap();
    options(0o755).open(&script).unwrap().write_all(b"#!/nonexistent/sh\n").unwrap();
    for path in [&text, fake.folder.path(), &script] {
        let error = ask(path, None, &mut |_| ControlFlow::Continue(())).unwrap_err();
        assert!(matches!(error, SolveError::NotRun { .. }), "{error}");
    }
}

/// A script, parts of the error's text, and a test of its kind.
type FailureCase = (&'static str, &'static [&'static str], fn(&SolveError) -> bool);

#[test]
fn reports_programs_that_fail_or_give_no_answer() {
    const OTHER_MODEL: &str = "printf 's mip 1 1 o 0\\ni 1 0\\nj 1 0\\ne o f\\n' > solution; \
                               echo 'INTEGER OPTIMAL SOLUTION FOUND'";
    let cases: [FailureCase; 6] = [
        (
            "echo 'model.mps: bad magic' >&2; exit 3",
            &["exit status: 3", "model.mps: bad magic"],
            |error| matches!(error, SolveError::Failed { .. }),
        ),
        ("kill -SEGV $$", &["signal: 11"], |error| matches!(error, SolveError::Failed { .. })),
        ("exit 0", &["gave no answer"], |error| matches!(error, SolveError::NoAnswer { .. })),
        (
            "echo 'INTEGER OPTIMAL SOLUTION FOUND'",
            &["gave no answer", "INTEGER OPTIMAL SOLUTION FOUND"],
            |error| matches!(error, SolveError::NoAnswer { .. }),
        ),
        (OTHER_MODEL, &["line 1"], |error| matches!(error, SolveError::Solution { .. })),
        ("yes | head -c 10000000 > solution", &["more"], |error| {
            matches!(error, SolveError::TooMuch { what: "a solution file", .. })
        }),
    ];
    for (script, texts, is_kind) in cases {
        let error = Fake::new(script).error(texts);
        assert!(is_kind(&error), "{script}: {error:?}");
    }
}

#[test]
fn rejects_garbage_in_a_solution_file_with_its_line() {
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
fn kills_a_program_whose_log_is_too_long() {
    let fake = Fake::new("echo $$ > $HERE/pids; yes $(printf %0999d 0)");
    let error = fake.error(&["more"]);
    assert!(matches!(error, SolveError::TooMuch { what: "a log", .. }), "{error:?}");
    fake.assert_no_process_is_left();
}

#[test]
fn kills_a_late_program_with_its_child_processes() {
    let fake =
        Fake::new("sleep 1000 & echo $$ $! > $HERE/pids; trap '' TERM INT; wait; sleep 1000");
    let begun = Instant::now();
    let outcome = fake.ask(Some(Duration::from_millis(200))).unwrap();
    assert_eq!(outcome.status, Status::Limit(StopReason::Time));
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    fake.assert_nothing_is_left();
    fake.assert_no_process_is_left();
}

#[test]
fn kills_a_watched_program_with_its_child_processes() {
    let fake = Fake::new("sleep 1000 & echo $$ $! > $HERE/pids; wait");
    let pids = fake.folder.path().join("pids");
    let mut watch = |_: HorizonEvent<'_>| match fs::read_to_string(&pids) {
        Ok(text) if text.ends_with('\n') => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let outcome = ask(&fake.path(), None, &mut watch).unwrap();
    assert_eq!(outcome.status, Status::Limit(StopReason::Watcher));
    fake.assert_nothing_is_left();
    fake.assert_no_process_is_left();
}

#[test]
fn kills_child_processes_of_a_finished_program() {
    for code in [0, 3] {
        let fake = Fake::new(&format!("sleep 301 & echo $! > $HERE/pids; exit {code}"));
        fake.error(&[]);
        fake.assert_no_process_is_left();
    }
}

#[test]
fn kills_the_program_when_the_watcher_panics() {
    let fake = Fake::new("sleep 1000 & echo $$ $! > $HERE/pids; wait");
    let pids = fake.folder.path().join("pids");
    let mut watch = |_: HorizonEvent<'_>| {
        let is_running = fs::read_to_string(&pids).is_ok_and(|text| text.ends_with('\n'));
        assert!(!is_running, "the test's own panic");
        ControlFlow::Continue(())
    };
    catch_unwind(AssertUnwindSafe(|| ask(&fake.path(), None, &mut watch))).unwrap_err();
    fake.assert_nothing_is_left();
    fake.assert_no_process_is_left();
}

#[test]
fn ignores_infeasible_after_the_time_limit() {
    let none = "PROBLEM HAS NO INTEGER FEASIBLE SOLUTION";
    let outcome = Fake::saying(none, 'n', 0.3).ask(Some(Duration::from_millis(200))).unwrap();
    assert_eq!(outcome.status, Status::Limit(StopReason::Time));
    assert_eq!(outcome.lower_bound, Some(1));
    // In time it counts, and the next horizon is tried, which the answer does not fit.
    let error = Fake::saying(none, 'n', 0.0).ask(Some(Duration::from_mins(1))).unwrap_err();
    assert!(matches!(error, SolveError::Solution { .. }), "{error:?}");
}

#[test]
fn reports_a_program_that_stops_by_itself() {
    let stopped = "TIME LIMIT EXCEEDED; SEARCH TERMINATED";
    for (seconds, time, stop) in [
        (0.0, None, StopReason::Solver),
        (0.0, Some(Duration::from_mins(1)), StopReason::Solver),
        (0.3, Some(Duration::from_millis(200)), StopReason::Time),
    ] {
        let outcome = Fake::saying(stopped, 'u', seconds).ask(time).unwrap();
        assert_eq!(outcome.status, Status::Limit(stop), "{time:?}");
    }
}

#[test]
fn removes_control_characters_from_quoted_output() {
    for script in [
        "printf '\\033]0;title\\007\\033[31mred\\n\\033[2Jrest'; exit 3",
        "printf 'red\\033[2J\\n' > solution; echo 'INTEGER OPTIMAL SOLUTION FOUND'",
    ] {
        let text = Fake::new(script).error(&["red"]).to_string();
        assert!(!text.chars().any(char::is_control), "{text:?}");
    }
}

#[test]
fn shortens_a_long_log() {
    for (script, quoted) in [
        ("seq 9; exit 3", "printed: 1 / 2 / 3 / .. / 7 / 8 / 9"),
        ("seq 6; exit 3", "printed: 1 / 2 / 3 / 4 / 5 / 6"),
        // The last line has no end.
        ("echo 1; yes x | head -c 50000 | tr '\\n' x; exit 3", "printed: 1 / xxx"),
    ] {
        let text = Fake::new(script).error(&[quoted]).to_string();
        assert!(text.len() < 500, "{}", text.len());
    }
}
