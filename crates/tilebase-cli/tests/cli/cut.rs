//! Tables that somebody cuts short while they are in use.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::FileExt;
use std::process::Stdio;

use super::Place;
use super::solve::HARD;

#[test]
fn a_table_that_is_cut_short_while_boards_are_solved_is_an_error_and_no_answer() {
    // All of its payload, and the end of a page, which the system does not signal.
    changed_between_boards(|file| file.set_len(100).unwrap());
    changed_between_boards(|file| file.set_len(8800).unwrap());
}

#[test]
fn a_table_that_is_written_to_while_boards_are_solved_is_an_error_and_no_answer() {
    changed_between_boards(|file| file.write_all_at(b"\0\0", 8400).unwrap());
}

fn changed_between_boards(change: impl Fn(&File)) {
    let place = Place::new();
    let arguments = ["solve", "-q", "--spec", "8/4-4", "--input", "-"];
    let mut child = place.command(&arguments).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    writeln!(stdin, "1 2 3/4 5 6/7 0 8").unwrap();
    let mut answer = String::new();
    stdout.read_line(&mut answer).unwrap();
    assert_eq!(answer, "1 2 3/4 5 6/7 0 8: 1 move: L\n");
    for name in place.tables() {
        change(&File::options().write(true).open(place.db().join(name)).unwrap());
    }
    writeln!(stdin, "{HARD}\n1 2 3/4 5 6/7 0 8").unwrap();
    drop(stdin);
    let (mut rest, mut stderr) = (String::new(), String::new());
    stdout.read_to_string(&mut rest).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!((child.wait().unwrap().code(), &*rest), (Some(1), ""), "{stderr}");
    assert_eq!(
        stderr,
        "error: a table was cut short or written to while it was in use, so this answer and those \
         after it would mean nothing; those before are right. Build or install the table again; where \
         others write to its folder, search with --tables copied\n"
    );
    let run = place.run(&["build", "-q", "--replace", "8/4-4"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let run = place.run(&["solve", "-q", "--spec", "8/4-4", HARD]);
    assert_eq!(run.code, Some(0), "{run:?}");
}
