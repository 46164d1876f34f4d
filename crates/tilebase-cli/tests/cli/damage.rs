//! Tables that are damaged, truncated or overwritten while they are in use.

use std::fs;
#[cfg(unix)]
use std::fs::File;
#[cfg(unix)]
use std::os::unix::fs::FileExt;

#[cfg(unix)]
use super::RunResult;
use super::TestFolder;
#[cfg(unix)]
use super::solve::HARD;

/// The tests of `pdb-rt` change files in other ways.
#[cfg(unix)]
#[test]
fn table_changed_during_a_search_gives_no_answer() {
    changed_between_boards(|file| file.set_len(100).unwrap());
    changed_between_boards(|file| file.write_all_at(b"\0\0", 8400).unwrap());
}

#[cfg(unix)]
fn changed_between_boards(change: impl Fn(&File)) {
    let place = TestFolder::new();
    let arguments = ["solve", "-q", "--spec", "8/4-4", "--input", "-"];
    let mut child = place.start(&arguments);
    child.write("1 2 3/4 5 6/7 0 8\n");
    assert_eq!(child.line(), "1 2 3/4 5 6/7 0 8: 1 move: L\n");
    for name in place.tables() {
        change(&File::options().write(true).open(place.db().join(name)).unwrap());
    }
    child.write(&format!("{HARD}\n1 2 3/4 5 6/7 0 8\n"));
    let RunResult { code, stdout, stderr } = child.rest();
    assert_eq!((code, &*stdout), (Some(1), ""), "{stderr}");
    assert!(stderr.contains("3x3-00f-r4-aware.pdb: the file "), "{stderr}");
    assert!(stderr.contains(", and earlier answers are right; "), "{stderr}");
    place.good(&["build", "-q", "--replace", "8/4-4"]);
    place.good(&["solve", "-q", "--spec", "8/4-4", HARD]);
}

/// Overwrites all payloads with zeros.
fn zero(place: &TestFolder) {
    for name in place.tables() {
        let path = place.db().join(&name);
        let mut bytes = fs::read(&path).unwrap();
        bytes[8192..].fill(0);
        place.write(&format!("db/{name}"), &bytes);
    }
}

const BLANK_LAST: &str = "8 6 7/2 5 4/3 0 1";

#[test]
fn damaged_payload_gives_no_answer_until_it_is_rebuilt() {
    let place = TestFolder::new();
    let good = place.run(&["solve", "-q", "--spec", "8/4-4", BLANK_LAST]);
    assert!(good.stdout.starts_with("31 moves"), "{good:?}");
    zero(&place);
    let checkpoint = place.path("hard.ckpt");
    let checkpoint = checkpoint.to_str().unwrap();
    let boards = place.write("boards.txt", format!("{BLANK_LAST}\n").as_bytes());
    for arguments in [
        &["solve", BLANK_LAST][..],
        &["solve", "--mode", "plain", BLANK_LAST],
        &["solve", "--tables", "copied", "--format", "ndjson", BLANK_LAST],
        &["solve", "--checkpoint", checkpoint, BLANK_LAST],
        &["explain", BLANK_LAST],
        &["explain", "--spec", "8/4-4", "--format", "json", BLANK_LAST],
        &["compare", "--heuristics", "8/4-4", "--boards", &boards],
    ] {
        let spec = ["--spec", "8/4-4"];
        let spec = if arguments[0] == "solve" { &spec[..] } else { &[] };
        let run = place.run(&[arguments, spec, &["-q"]].concat());
        assert_eq!((run.code, &*run.stdout), (Some(1), ""), "{run:?}");
        let says = "chunk 0 of the payload (bytes 8192 to ";
        assert!(run.stderr.contains(says) && run.stderr.contains(".pdb: "), "{run:?}");
    }
    assert!(!place.path("hard.ckpt").exists());

    let run = place.good(&["build", "8/4-4"]);
    assert!(!run.stdout.contains("already there"), "{run:?}");
    let again = place.run(&["solve", "-q", "--spec", "8/4-4", BLANK_LAST]);
    assert_eq!(again.stdout, good.stdout);
    let run = place.run(&["build", "8/4-4"]);
    assert_eq!(run.stdout.matches("already there").count(), 2, "{run:?}");
}

#[test]
fn answers_from_trusted_tables_are_marked() {
    let place = TestFolder::new();
    let solve = ["solve", "-q", "--spec", "8/4-4", "--trust-tables", BLANK_LAST];
    let run = place.run(&solve);
    assert!(run.stdout.starts_with("31 moves (tables not checked): "), "{run:?}");
    let run = place.run(&[&solve[..], &["--format", "steps"]].concat());
    assert!(run.stdout.starts_with("31 moves (tables not checked)\n"), "{run:?}");
    let run = place.run(&[&solve[..], &["--format", "ndjson"]].concat());
    assert!(run.stdout.contains(r#""tables_checked":false"#), "{run:?}");
    // A checkpoint would keep the results of a damaged table.
    let checkpoint = place.path("hard.ckpt");
    let run = place.run(&[&solve[..], &["--checkpoint", checkpoint.to_str().unwrap()]].concat());
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(!checkpoint.exists());
}
