use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use super::{Running, TestFolder};

/// Returns a terminal with a width in columns: the side that a program writes to, and the side that
/// reads its output.
pub(super) fn terminal(columns: u16) -> (File, OwnedFd) {
    let reader = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&reader).unwrap();
    unlockpt(&reader).unwrap();
    let path = ptsname(&reader, Vec::new()).unwrap();
    let writer = File::options().read(true).write(true).open(path.to_str().unwrap()).unwrap();
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&writer, size).unwrap();
    (writer, reader)
}

/// Returns the output of a build on a terminal.
fn shown(columns: u16, term: &str) -> String {
    let place = TestFolder::new();
    let (writer, reader) = terminal(columns);
    let mut command = place.command(&["build", "15/6-6-3", "--threads", "1"]);
    command.env("TERM", term).stdout(Stdio::null()).stderr(writer);
    read_to_end(command, reader, 0)
}

/// Runs a command that has the only other copy of a terminal. Returns what it writes there.
fn read_to_end(mut command: Command, reader: OwnedFd, code: i32) -> String {
    let child = Running::new(&mut command);
    drop(command);
    let mut text = Vec::new();
    // The end of a terminal is an error.
    let _ = File::from(reader).read_to_end(&mut text);
    assert_eq!(child.code(), Some(code));
    String::from_utf8(text).unwrap()
}

/// Returns the text between commands to the terminal.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            // A command ends with a letter.
            '\u{1b}' => {
                chars.find(char::is_ascii_alphabetic);
                pieces.push(String::new());
            }
            '\r' | '\n' => pieces.push(String::new()),
            c => pieces.last_mut().unwrap().push(c),
        }
    }
    pieces.into_iter().map(|piece| piece.trim_end().to_owned()).collect()
}

#[test]
fn drawn_lines_fit_the_terminal() {
    for columns in [40, 120] {
        let text = shown(columns, "xterm");
        assert!(text.contains('\u{1b}'), "{text:?}");
        let pieces = pieces(&text);
        assert!(pieces.iter().any(|piece| piece.starts_with("table 1 of ")), "{text:?}");
        for piece in pieces {
            assert!(piece.chars().count() < columns.into(), "{columns}: {piece:?}");
        }
    }
}

#[test]
fn dumb_terminal_gets_plain_lines() {
    let text = shown(80, "dumb");
    assert!(text.starts_with("building 4x4-006f-r4-aware.pdb: 6 tiles on 4x4, blank-aware\r\n"));
    assert!(text.chars().all(|c| c == '\r' || c == '\n' || !c.is_control()), "{text:?}");
}

/// Two escape sequences (one begins with a C1 control), a bell, and a change of writing direction.
const EVIL: &str = "a\u{1b}[31mb\u{7}c\u{9b}2Jd\u{202e}e";
const HARMLESS: &str = "a\u{fffd}[31mb\u{fffd}c\u{fffd}2Jd\u{fffd}e";

#[test]
fn names_cannot_control_the_terminal_in_results() {
    let place = TestFolder::new();
    let name = format!("{EVIL}.pdb");
    let (writer, reader) = terminal(200);
    let mut command = place.command(&["verify", &name]);
    command.stdout(writer);
    let text = read_to_end(command, reader, 1);
    assert!(text.starts_with(&format!("{HARMLESS}.pdb: not checked: ")), "{text:?}");
    assert!(text.chars().all(|c| c == '\r' || c == '\n' || !c.is_control()), "{text:?}");
}

#[test]
fn no_command_prints_a_name_that_controls_a_terminal_or_forges_a_line() {
    let place = TestFolder::new();
    let name = format!("{EVIL}\nforged");
    let of = |ending: &str| format!("{name}.{ending}");
    let (pdb, toml, txt, svg) = (of("pdb"), of("toml"), of("txt"), of("svg"));
    let drawn = "title = \"a\u{202e}z\"\ngoal = \"1 2/3 .\"\npartition = \"A A/A .\"\n";
    let board = "1 2/0 3";
    place.write(&toml, drawn.as_bytes());
    place.write(&txt, board.as_bytes());
    place.write(&pdb, b"no table");
    let csv = of("csv");
    let compare = ["compare", "--heuristics", "manhattan", "--boards", &txt];
    let commands: &[&[&str]] = &[
        &["build", &toml, "--db", &name],
        &["build", &toml, "--db", &name, "--replace", "--format", "ndjson"],
        &["verify", &toml, "--db", &name],
        &["verify", &pdb],
        &["verify", &of("missing.pdb"), &pdb],
        &["inspect", &pdb],
        &["ship", &toml, "--db", &name, "--out", &of("archives")],
        &["install", &of("archives"), "--db", &of("db")],
        &["install", &of("missing")],
        &["estimate", &toml],
        &["rate", &toml, "--db", &name, "--boards", "100"],
        // The argument parser removes some control characters itself.
        &[EVIL],
        &["estimate", &of("missing.toml")],
        &["solve", "--spec", &of("missing.toml"), board],
        &["specs", &toml],
        &["specs", "--long", &toml],
        &["solve", "--spec", &toml, "--db", &name, board],
        &["solve", "--spec", &toml, "--db", &name, "--format", "ndjson", "--input", &txt],
        &["solve", "--spec", "manhattan", "--summary", &of("missing/out"), board],
        &["solve", "--spec", "manhattan", "--input", &of("missing"), board],
        &["solve", "--spec", "manhattan", &name],
        &["explain", "--spec", &toml, board],
        &["moves", "--spec", &toml, "--db", &name, board],
        &["draw", "board", board, "--caption", EVIL],
        &["draw", "board", board, "--out", &svg],
        &["draw", "board", board, "--out", &name],
        &["animate", "--spec", "manhattan", board, "--caption", EVIL],
        &["model", board, "--out", &name],
        &["partition", "--size", "3x3", "--sizes", "4,4", "--boards", "250", "--out", &name],
        &["man", "--out", &of("man")],
        &compare,
        &[&compare[..], &["--csv", "-"]].concat(),
        &[&compare[..], &["--json", "-"]].concat(),
        &[&compare[..], &["--report", "-"]].concat(),
        &[&compare[..], &["--csv", &csv, "--report", &csv]].concat(),
    ];
    let is_harmless = |c: char| c == '\n' || c == '\t' || !(c.is_control() || c == '\u{202e}');
    let mut named = 0;
    for command in commands {
        let run = place.run(command);
        named += usize::from((run.stdout.clone() + &run.stderr).contains(HARMLESS));
        for text in [&run.stdout, &run.stderr] {
            assert!(text.chars().all(is_harmless), "{command:?}: {run:?}");
        }
        let forged = run.stdout.lines().find(|line| line.starts_with("forged"));
        // A field of CSV may have line ends in its quotes.
        assert!(forged.is_none() || command.contains(&"--csv"), "{command:?}: {run:?}");
    }
    assert!(named > commands.len() / 2, "{named} commands name the file");
}
