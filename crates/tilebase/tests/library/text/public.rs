//! Boards as people pass them around.

use tilebase::text::{BoardReader, read_board};

use super::{found, shape};

const CASES: &str = include_str!("public.txt");

#[test]
fn public_texts_are_read_or_refused_with_help() {
    let mut faults = Vec::new();
    for case in CASES.split("\n---\n") {
        let mut size = None;
        let (mut lines, mut expected) = (Vec::new(), Vec::new());
        for line in case.lines().filter(|line| !line.starts_with("# ")) {
            if let Some(given) = line.strip_prefix("@ ") {
                let (rows, cols) = given.split_once('x').expect("a size");
                size = Some(shape(rows.parse().unwrap(), cols.parse().unwrap()));
            } else if let Some(outcome) = line.strip_prefix("=> ") {
                expected.push(outcome);
            } else {
                lines.push(line);
            }
        }
        let text = lines.join("\n");
        let text = text.trim_matches('\n');
        let fits = |(board, expected): (&Result<String, String>, &&str)| match board {
            Ok(board) => board == expected,
            Err(error) => expected.strip_prefix('!').is_some_and(|words| error.contains(words)),
        };
        let read: Vec<Result<String, String>> = found(BoardReader::new(size), text)
            .into_iter()
            .map(|found| found.board.map(|b| b.to_string()).map_err(|e| e.to_string()))
            .collect();
        if read.len() != expected.len() || !read.iter().zip(&expected).all(fits) {
            faults.push(format!("{text}\nis expected to be {expected:?}\nis read as {read:?}"));
        }
        // A text alone is one board, or refused.
        let alone = read_board(text, size).map(|b| b.to_string()).map_err(|e| e.to_string());
        let is_right = match &expected[..] {
            [one] => fits((&alone, one)),
            _ => alone.is_err(),
        };
        if !is_right {
            faults.push(format!("{text}\nis expected to be {expected:?}\nalone is {alone:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}
