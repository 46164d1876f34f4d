//! Results that are written to files, devices and pipes.

use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::thread;

use super::{TestFolder, make_pipe, names};

const BOARD: &str = "8 6 7/2 5 4/3 0 1";
const SUMMARY: [&str; 5] = ["solve", "-q", "--spec", "manhattan", BOARD];

fn summarize(place: &TestFolder, target: &str) -> super::RunResult {
    place.run(&[&SUMMARY[..], &["--summary", target]].concat())
}

#[test]
fn devices_and_pipes_are_written_in_place() {
    let place = TestFolder::new();
    let run = summarize(&place, "/dev/null");
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    let run = summarize(&place, "/dev/full");
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.starts_with("error: cannot write /dev/full: No space left"), "{run:?}");
    let run = summarize(&place, "/dev/stderr");
    assert!(run.stderr.contains("\"boards\":1"), "{run:?}");

    let pipe = make_pipe(&place, "pipe");
    let reader = thread::spawn(move || fs::read_to_string(pipe).unwrap());
    let run = summarize(&place, "pipe");
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(reader.join().unwrap().contains("\"boards\":1"));
    assert!(fs::symlink_metadata(place.path("pipe")).unwrap().file_type().is_fifo());
    let how = ["compare", "--heuristics", "manhattan", "--boards", BOARD, "-q"];
    let pipe = place.path("pipe");
    let reader = thread::spawn(move || fs::read_to_string(pipe).unwrap());
    place.good(&[&how[..], &["--csv", "pipe"]].concat());
    assert_eq!(reader.join().unwrap().lines().count(), 2);
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
