//! Results that are written to files, devices and pipes.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::process::Command;
use std::thread;

use rustix::process::Signal;

use super::{TestFolder, make_pipe, names};

const BOARD: &str = "8 6 7/2 5 4/3 0 1";
const SUMMARY: [&str; 5] = ["solve", "-q", "--spec", "manhattan", BOARD];

fn summarize(place: &TestFolder, target: &str) -> super::RunResult {
    place.run(&[&SUMMARY[..], &["--summary", target]].concat())
}

#[test]
fn devices_and_pipes_are_written_in_place() {
    let place = TestFolder::new();
    assert_eq!(summarize(&place, "/dev/null").code, Some(0));
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    let run = summarize(&place, "/dev/full");
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.starts_with("error: cannot write /dev/full: No space left"), "{run:?}");
    let pipe = make_pipe(&place, "pipe");
    let reader = thread::spawn(move || fs::read_to_string(pipe).unwrap());
    assert_eq!(summarize(&place, "pipe").code, Some(0));
    assert!(reader.join().unwrap().contains("\"boards\":1"));
    assert!(fs::symlink_metadata(place.path("pipe")).unwrap().file_type().is_fifo());
    let how = ["compare", "--heuristics", "manhattan", "--boards", BOARD, "-q"];
    let pipe = place.path("pipe");
    let reader = thread::spawn(move || fs::read_to_string(pipe).unwrap());
    place.good(&[&how[..], &["--csv", "pipe"]].concat());
    assert_eq!(reader.join().unwrap().lines().count(), 2);
}

/// Options of commands that write a file, without its name.
const WRITERS: [&[&str]; 6] = [
    &["solve", "-q", "--spec", "manhattan", BOARD, "--summary"],
    &["compare", "-q", "--heuristics", "manhattan", "--boards", BOARD, "--csv"],
    &["compare", "-q", "--heuristics", "manhattan", "--boards", BOARD, "--report"],
    &["animate", "-q", "--spec", "manhattan", BOARD, "--out"],
    &["draw", "-q", "board", BOARD, "--out"],
    &["partition", "-q", "--size", "3x3", "--sizes", "4,4", "--boards", "250", "--out"],
];

/// Commands that write to a place, without its name, and whether it is a folder.
const PLACES: [(&[&str], bool); 5] = [
    (&["solve", "-q", "--spec", "manhattan", BOARD, "--checkpoint"], false),
    (&["merge", "-q", "a.ckpt", "--into"], false),
    (&["ship", "-q", "8/4-4", "--out"], true),
    (&["man", "-q", "--out"], true),
    (&["compare", "-q", "--heuristics", "manhattan", "--boards", BOARD, "--charts"], true),
];

#[test]
fn unwritable_output_names_its_own_option() {
    let place = TestFolder::with_tables("8/4-4");
    place.run(&["solve", "-q", "--spec", "manhattan", BOARD, "--checkpoint", "a.ckpt"]);
    let of_writers = WRITERS.iter().map(|command| (*command, name_of(command)));
    let of_places = PLACES
        .iter()
        .map(|&(command, is_folder)| (command, if is_folder { "out" } else { "out.ckpt" }));
    let of_model =
        cfg!(feature = "model").then_some((&["model", "-q", BOARD, "--out"][..], "out.lp"));
    for (command, name) in of_writers.chain(of_places).chain(of_model) {
        let option = command.last().unwrap();
        // The system lets nobody make a file or a folder there, not even the superuser.
        let target = format!("/sys/{name}");
        let run = place.run(&[command, &[&target]].concat());
        let advice = format!("; choose another place with {option}\n");
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.stderr.starts_with(&format!("error: cannot write {target}: ")), "{run:?}");
        assert!(run.stderr.ends_with(&advice), "{command:?}: {run:?}");
    }
    for nowhere in ["/dev/full", "missing/out"] {
        let run = summarize(&place, nowhere);
        assert!(run.stderr.ends_with("; choose another place with --summary\n"), "{run:?}");
    }
}

/// Returns a name that the last option of a command takes.
fn name_of(command: &[&str]) -> &'static str {
    match (command[0], command.last()) {
        ("partition", _) => "out.toml",
        ("animate" | "draw", _) => "out.svg",
        _ => "out",
    }
}

#[test]
fn full_disk_leaves_the_old_file_and_nothing_else() {
    let place = TestFolder::new();
    for command in WRITERS {
        let name = name_of(command);
        place.write(name, b"old");
        fs::set_permissions(place.path(name), Permissions::from_mode(0o606)).unwrap();
        let mut limited = Command::new("sh");
        // No byte can be written to a file.
        limited.args(["-c", "ulimit -f 0; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_tilebase")]);
        limited.args(command).arg(name).current_dir(place.path(""));
        let run = place.ended(limited.output().unwrap());
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.stderr.starts_with("error: cannot write "), "{run:?}");
        assert_eq!(fs::read(place.path(name)).unwrap(), b"old", "{command:?}");
        place.good(&[command, &[name]].concat());
        assert!(fs::read(place.path(name)).unwrap().len() > 3, "{command:?}");
        let mode = fs::metadata(place.path(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o606, "{command:?}");
        fs::remove_file(place.path(name)).unwrap();
        assert_eq!(names(&place.path("")), [""; 0], "{command:?}");
    }
}

#[test]
fn killed_or_failed_commands_leave_the_old_file() {
    let place = TestFolder::new();
    place.write("old.svg", b"old");
    let how = ["solve", "--spec", "manhattan", "--input", "-", "--summary", "old.svg"];
    let mut child = place.start(&how);
    child.write(&format!("{BOARD}\n"));
    child.line();
    child.send(Signal::KILL);
    child.code();
    assert_eq!(fs::read(place.path("old.svg")).unwrap(), b"old");
    let how = ["animate", "-q", "--spec", "manhattan", "--node-limit", "1", BOARD, "-o", "old.svg"];
    place.run(&how).says(1, "not solved");
    assert_eq!(fs::read(place.path("old.svg")).unwrap(), b"old");
    assert_eq!(names(&place.path("")), ["old.svg"]);
}

#[test]
fn open_file_keeps_its_other_output() {
    let place = TestFolder::new();
    let log = place.path("log");
    place.write("log", b"first\n");
    let stderr = File::options().append(true).open(&log).unwrap();
    let mut run = place.command(&[&SUMMARY[..], &["--summary", "/dev/stderr"]].concat());
    assert!(run.stderr(stderr).status().unwrap().success());
    let text = fs::read_to_string(&log).unwrap();
    assert!(text.starts_with("first\n") && text.contains("\"boards\":1"), "{text}");
}

#[test]
fn links_are_followed_without_making_folders() {
    let place = TestFolder::new();
    fs::create_dir(place.path("elsewhere")).unwrap();
    place.write("elsewhere/old", b"old");
    symlink("elsewhere/old", place.path("to-old")).unwrap();
    symlink("elsewhere/new", place.path("to-new")).unwrap();
    for link in ["to-old", "to-new"] {
        assert_eq!(summarize(&place, link).code, Some(0));
        assert!(fs::symlink_metadata(place.path(link)).unwrap().is_symlink());
        assert!(fs::read_to_string(place.path(link)).unwrap().contains("\"boards\":1"));
    }
    assert_eq!(names(&place.path("elsewhere")), ["new", "old"]);
    for target in ["missing/out", "elsewhere/old/out"] {
        summarize(&place, target).says(1, &format!("error: cannot write {target}: N"));
    }
    assert!(!place.path("missing").exists());
    assert_eq!(summarize(&place, "elsewhere").code, Some(2));
}

#[test]
fn pipe_or_link_as_lock_is_refused() {
    let place = TestFolder::new();
    fs::create_dir(place.db()).unwrap();
    let lock = "db/.3x3-0ff-r8-aware.pdb.lock";
    make_pipe(&place, lock);
    let problem = "error: cannot lock PLACE/db/.3x3-0ff-r8-aware.pdb.lock: expected a lock file, found \
        a link, a pipe or a device: remove it\n";
    let refused = || {
        let run = place.run(&["build", "-q", "8/whole"]);
        assert_eq!((run.code, &*run.stdout, &*run.stderr), (Some(1), "", problem));
    };
    refused();
    fs::remove_file(place.path(lock)).unwrap();
    place.write("victim", b"stays");
    symlink(place.path("victim"), place.path(lock)).unwrap();
    refused();
    assert_eq!(fs::read(place.path("victim")).unwrap(), b"stays");
}
