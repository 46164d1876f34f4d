//! `cargo xtask bench peers` with a program that knows its answers.

use std::fs::File;
use std::io::Write;
use std::process::Command;

use crate::{outputs, tilebase};

/// Two boards of the 8-puzzle and the lengths of their solutions.
const BOARDS: &str = "8 6 7 2 5 4 3 0 1\n1 2 3 4 5 6 7 0 8\n";

/// A program that reads the number of boards and the cell of each tile, for the goal with the blank
/// first. It prints the lengths that it knows.
const PEERS: &str = r#"
[[peer]]
name = "oracle"
command = ["sh", "-c", '''
read count
while read number board; do
    case $board in
        "1,8,6,7,4,3,2,5,0") echo "$number: 31 moves, 1000 generated" ;;
        "1,0,2,3,4,5,6,7,8") echo "$number: 1 moves, 20 generated" ;;
    esac
done
echo "$count boards in 2 s"
''']

[peer.input]
goal = "blank-first"
numbers = "cells"
separator = ","
line = "{number} {board}"
first_line = "{count}"

[peer.output]
answers = "moves"
length = 2
generated = 3
"#;

#[test]
fn peer_runs_in_turns_and_a_wrong_length_names_board_and_program() {
    let Some(tilebase) = tilebase() else { return };
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        let options = File::options().write(true).create(true).truncate(true).open(&path);
        options.unwrap().write_all(text.as_bytes()).unwrap();
        path
    };
    let boards = write("boards.txt", BOARDS);
    let xtask = |peers: Option<&str>, code| {
        let dir = folder.path();
        if let Some(peers) = peers {
            write("peers.toml", peers);
        }
        let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
        xtask.args(["bench", "peers"]).arg(dir).arg("--boards").arg(&boards);
        xtask.args(["--rounds", "2", "--set", "spec=manhattan"]).env("TILEBASE", &tilebase);
        let (table, errors) = outputs(&mut xtask, code);
        if code == 0 { table } else { errors }
    };

    let error = xtask(None, 1);
    assert!(error.contains("peers.toml; describe the programs in it"), "{error}");

    let table = xtask(Some(PEERS), 0);
    let row = |name: &str| -> Vec<&str> {
        let line = table.lines().find(|line| line.starts_with(&format!("| {name}"))).unwrap();
        line.trim_matches('|').split('|').map(str::trim).collect()
    };
    assert!(table.contains("2 boards, whole processes, the middle of 2 rounds"), "{table}");
    assert_eq!(row("Tilebase, manhattan")[8], "1.00", "{table}");
    assert_eq!(row("oracle")[6..8], ["510", "-"], "{table}");

    let wrong = PEERS.replace("1 moves, 20", "3 moves, 20");
    let error = xtask(Some(&wrong), 1);
    assert!(
        error.contains("oracle gave wrong answers: board 2 ([1, 2, 3, 4, 5, 6, 7, 0, 8]) takes 1"),
        "{error}"
    );
    let error = xtask(Some(&PEERS.replace("answers = \"moves\"", "")), 1);
    assert!(error.contains("expected 1 lengths, found 2; correct `output.length`"), "{error}");
    let error = xtask(Some(&PEERS.replace("\"sh\"", "\"./solver\"")), 1);
    assert!(error.contains("oracle: cannot run") && error.contains("build it"), "{error}");
}
