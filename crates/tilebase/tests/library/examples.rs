//! Tests of the examples' output.

use std::env;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Returns the program of an example, which the build of the tests has made.
fn program(name: &str) -> PathBuf {
    let test = env::current_exe().unwrap();
    let folder = test.ancestors().nth(2).unwrap().join("examples");
    folder.join(format!("{name}{}", env::consts::EXE_SUFFIX))
}

/// Returns the output of an example, with tables in a folder of its own.
fn output(name: &str, arguments: &[&str], input: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(program(name))
        .args(arguments)
        .env("TILEBASE_DB", folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{name} cannot be run: {error}; `cargo test` builds it"));
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{name}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn solve_prints_a_shortest_solution() {
    assert!(output("solve", &[], "").starts_with("31 moves: "));
    assert_eq!(
        output("solve", &["1 2 3/4 5 6/7 0 8"], ""),
        "1 move: L\n".replace("move:", "moves:")
    );
    assert!(output("solve", &["1 2 3/4 5 6/8 7 0"], "").starts_with("unsolvable: "));
}

#[test]
fn batch_answers_every_line() {
    let input = "1 2 3/4 5 6/7 0 8\nnonsense\n1 2/3 0\n";
    let expected = "1 2 3/4 5 6/7 0 8: Some(1) moves\n";
    let found = output("batch", &[], input);
    assert!(found.starts_with(expected), "{found}");
    assert!(found.ends_with("1 2/3 0: Some(0) moves\n2 boards, 5 nodes\n"), "{found}");
    assert_eq!(found.lines().count(), 4);
}

#[test]
fn build_builds_the_tables_of_a_spec() {
    let found = output("build", &[], "");
    assert!(found.ends_with("8/4-4 is ready: 17.76 kB\n"), "{found}");
}

#[test]
fn estimate_sets_heuristics_beside_the_distance() {
    let found = output("estimate", &[], "");
    assert_eq!(found.lines().count(), 11);
    for line in found.lines().skip(1) {
        let numbers: Vec<u32> =
            line.split("  ").skip(1).filter_map(|word| word.trim().parse().ok()).collect();
        let [manhattan, .., whole, distance] = numbers[..] else { panic!("{line}") };
        assert!(manhattan <= whole && whole == distance, "{line}");
    }
}

#[test]
fn own_heuristic_is_solved_rated_and_explained_beside_others() {
    let found = output("own_heuristic", &[], "");
    let lines: Vec<Vec<&str>> = found
        .lines()
        .map(|line| line.split("  ").filter(|word| !word.is_empty()).collect())
        .collect();
    let numbers = |line: usize| -> Vec<u32> {
        lines[line][1..].iter().filter_map(|word| word.trim().parse().ok()).collect()
    };
    let names: Vec<&str> = lines[1..5].iter().map(|line| line[0]).collect();
    assert_eq!(names, ["out-of-line", "manhattan", "4-4", "max(out-of-line, manhattan)"]);
    let [own, manhattan, tables, largest] = [1, 2, 3, 4].map(numbers);
    assert!([&own, &manhattan, &tables, &largest].iter().all(|of| of[1] == 31), "{found}");
    assert!(own[0] < manhattan[0] && own[2] > manhattan[2] && manhattan[2] > tables[2], "{found}");
    assert_eq!(largest[0], manhattan[0]);
    assert_eq!(lines.len(), 10, "{found}");
}
