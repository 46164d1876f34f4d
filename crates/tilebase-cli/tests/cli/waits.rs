//! One signal ends every wait; signals that the parent process ignores stay ignored.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use pdb_tests::are_long;
use rustix::process::Signal;

use super::{Running, TestFolder, make_pipe};

const HARD: &str = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";

/// Waits until the process sleeps, because then it waits for something.
fn until_it_sleeps(child: &Child) {
    let stat = format!("/proc/{}/stat", child.id());
    let mut ticks = 0;
    while ticks < 10 {
        sleep(Duration::from_millis(4));
        let stat = fs::read_to_string(&stat).unwrap();
        let state = stat.rsplit_once(") ").unwrap().1;
        ticks = if state.starts_with('S') { ticks + 1 } else { 0 };
    }
}

#[test]
fn one_signal_ends_every_wait() {
    let place = TestFolder::new();
    make_pipe(&place, "pipe");
    make_pipe(&place, "pipe.toml");
    let board = "8 6 7/2 5 4/3 0 1";
    for arguments in [
        &["solve", "--input", "pipe"][..],
        &["solve", "--input", "pipe", "--checkpoint", "hard.ckpt"],
        &["solve", "pipe"],
        &["solve", "--spec", "pipe.toml", board],
        &["solve", "--goal", "pipe", board],
        &["build", "pipe.toml"],
        &["estimate", "pipe.toml"],
        &["compare", "--boards", "pipe"],
        &["install", "db", "--public-key", "pipe"],
        &["solve", "--spec", "manhattan", "--summary", "pipe", board],
    ] {
        for signal in [Signal::TERM, Signal::INT] {
            let child = place.start(arguments);
            until_it_sleeps(&child);
            child.send(signal);
            assert_eq!(child.code(), Some(130), "{arguments:?}");
        }
    }
}

#[test]
fn one_signal_ends_the_wait_for_a_slow_reader() {
    let place = TestFolder::new();
    let arguments = ["solve", "--spec", "8/whole", "random:100000:1", "--size", "3x3"];
    let mut child = place.start(&arguments);
    child.line();
    until_it_sleeps(&child);
    child.send(Signal::TERM);
    assert_eq!(child.code(), Some(130));
}

#[test]
fn checkpoint_must_be_a_regular_file() {
    let place = TestFolder::new();
    make_pipe(&place, "pipe");
    let run = place.run(&["solve", "--spec", "manhattan", HARD, "--checkpoint", "pipe"]);
    run.says(1, "pipe: expected a regular file, found a ");
    place.run(&["merge", "pipe", "--into", "hard.ckpt"]).says(1, "pipe");
}

#[test]
fn ignored_signals_stay_ignored() {
    let place = TestFolder::new();
    let mut child = place.command(&[]);
    let program = child.get_program().to_owned();
    child = Command::new("sh");
    let script = "trap '' HUP INT; exec \"$0\" solve -q --spec manhattan --input -";
    child.arg("-c").arg(script).arg(program).current_dir(place.folder.path());
    let mut child = Running::new(child.stdin(Stdio::piped()).stdout(Stdio::piped()));
    for _ in 0..3 {
        child.write("1 2 3/4 5 6/7 0 8\n");
        assert_eq!(child.line(), "1 2 3/4 5 6/7 0 8: 1 move: L\n");
        child.send(Signal::HUP);
        child.send(Signal::INT);
        sleep(Duration::from_millis(200));
    }
    assert_eq!(child.code(), Some(0));
}

/// Runs in a shell with a limit.
pub(super) fn limited(
    place: &TestFolder,
    limit: &str,
    arguments: &[&str],
) -> (Option<i32>, Option<i32>, String) {
    let program = place.command(&[]).get_program().to_owned();
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("ulimit {limit}; exec \"$0\" \"$@\"")).arg(program);
    command.args(arguments).current_dir(place.folder.path());
    command.env("TILEBASE_DB", place.db());
    let output = command.output().unwrap();
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (output.status.code(), output.status.signal(), text)
}

#[test]
#[allow(clippy::print_stdout, reason = "it says what it leaves out")]
fn thread_limit_means_fewer_threads_or_an_error() {
    // The superuser has no limit, so the test uses another user.
    let is_root = rustix::process::getuid().is_root();
    let is_there = |name| Command::new(name).arg("--version").output().is_ok();
    if !is_there("prlimit") || is_root && !is_there("setpriv") {
        println!("left out: there is no prlimit, or no setpriv");
        return;
    }
    let place = TestFolder::new();
    place.run(&["build", "-q", "8/whole"]);
    place.run(&["ship", "-q", "8/whole", "--out", "archives"]);
    let program = place.path("tilebase");
    fs::copy(place.command(&[]).get_program(), &program).unwrap();
    for path in [place.path("."), place.db()] {
        fs::set_permissions(path, Permissions::from_mode(0o777)).unwrap();
    }
    let (mut errors, mut good) = (0, 0);
    let numbers = if are_long() { (1..12).collect() } else { vec![1, 3, 6, 11] };
    for threads in numbers {
        for (number, arguments) in [
            &["solve", "-q", "--spec", "8/whole", "random:200:1", "--size", "3x3"][..],
            &["solve", "-q", "--spec", "8/whole", "--checkpoint", "c", "8 6 7/2 5 4/3 0 1"],
            &["build", "-q", "--replace", "8/4-4"],
            &["verify", "-q", "8/whole"],
            &["ship", "-q", "8/whole", "--out", "out"],
            &["install", "-q", "archives", "--db", "new"],
            &["compare", "-q", "--boards", "8 6 7/2 5 4/3 0 1", "--heuristics", "manhattan"],
        ]
        .into_iter()
        .enumerate()
        {
            let _ = fs::remove_file(place.path("c"));
            let _ = fs::remove_dir_all(place.path("new"));
            let _ = fs::remove_dir_all(place.path("out"));
            // No other process has this user, so that only this test counts.
            let user = format!("{}", 50_000 + threads * 10 + number);
            let as_user = ["setpriv", "--reuid", &user, "--clear-groups"];
            let mut command = Command::new(if is_root { as_user[0] } else { "env" });
            command.args(if is_root { &as_user[1..] } else { &[] });
            command.args(["prlimit", &format!("--nproc={threads}:{threads}")]);
            command.arg(&program).args(arguments).args(["--threads", "100"]);
            command.current_dir(place.folder.path()).env("TILEBASE_DB", place.db());
            let run = place.ended(command.output().unwrap());
            assert!(!run.stderr.contains("panicked"), "{threads} {arguments:?}: {run:?}");
            match run.code {
                Some(0) => good += 1,
                Some(1) if run.stderr.starts_with("error: cannot ") => errors += 1,
                _ => panic!("{threads} {arguments:?}: {run:?}"),
            }
        }
    }
    println!("{good} runs with fewer threads, {errors} errors");
    assert!(good > 0 || !is_root);
}
