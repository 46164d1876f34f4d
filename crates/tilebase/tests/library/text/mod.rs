//! Boards and moves as text.

mod blank;
mod boards;
mod damage;
mod errors;
mod hostile;
mod moves;
mod page;
mod public;
mod reader;
mod table;

use pdb_core::{Board, Shape};
use pdb_oracle::Random;
use pdb_tests::are_long;
use tilebase::text::{BoardReader, FoundBoard, TextErrorKind, read_board};

use crate::shape;

fn parse(text: &str) -> Result<Board, TextErrorKind> {
    parse_as(text, None)
}

fn parse_as(text: &str, shape: Option<Shape>) -> Result<Board, TextErrorKind> {
    read_board(text, shape).map_err(|error| error.kind().clone())
}

/// Returns the board of a text in the simplest notation.
#[track_caller]
fn board(text: &str) -> Board {
    text.parse().expect("the tests draw good boards")
}

/// Returns all boards and errors that a reader finds in a text.
fn found(mut reader: BoardReader, text: &str) -> Vec<FoundBoard> {
    let mut found = Vec::new();
    for line in text.split('\n') {
        found.extend(reader.push(line));
    }
    found.extend(reader.end());
    found
}

/// Returns the lines and the board of an item in short form, or its error: `3: 1 2/3 0`, or
/// `4-6: row 1 ...`.
fn in_short(found: &FoundBoard) -> String {
    let FoundBoard { first_line, last_line, board, text, .. } = found;
    assert!(first_line <= last_line);
    assert!(!text.contains(char::is_control), "{text:?}");
    let lines = match last_line - first_line {
        0 => first_line.to_string(),
        _ => format!("{first_line}-{last_line}"),
    };
    match board {
        Ok(board) => format!("{lines}: {board}"),
        Err(error) => format!("{lines}: {error}"),
    }
}

/// Expects that a reader finds these items. An expectation may omit the end of a message.
#[track_caller]
fn reads(reader: BoardReader, text: &str, expected: &[&str]) {
    let found: Vec<String> = found(reader, text).iter().map(in_short).collect();
    let fits = |(found, expected): (&String, &&str)| match expected.strip_suffix("...") {
        Some(start) => found.starts_with(start),
        None => found == expected,
    };
    let fit = found.len() == expected.len() && found.iter().zip(expected).all(fits);
    assert!(fit, "{text}\nfound {found:#?}\nexpected {expected:#?}");
}

/// Returns the number of random cases: a tenth of those of long tests.
fn cases(long: usize) -> usize {
    if are_long() { long } else { long / 10 }
}

/// Returns an ordered board after `count` exchanges of tiles.
fn shuffled(random: &mut Random, size: Shape, count: usize) -> Board {
    let mut tiles: Vec<u8> = (0..size.cell_count() as u8).collect();
    if random.below(2) == 0 {
        tiles.rotate_left(1);
    }
    for _ in 0..count {
        let (a, b) = (random.below(tiles.len()), random.below(tiles.len()));
        tiles.swap(a, b);
    }
    Board::new(size, &tiles).expect("a permutation is a board")
}

/// Returns a shape: small, odd, long or one of the largest.
fn any_shape(random: &mut Random) -> Shape {
    let sides =
        [(2, 2), (2, 3), (3, 2), (3, 3), (2, 5), (4, 3), (4, 4), (5, 5), (2, 18), (18, 2), (6, 6)];
    let (rows, cols) = sides[random.below(sides.len())];
    shape(rows, cols)
}

/// Returns any board of a shape, solvable or not.
fn any_board(random: &mut Random, size: Shape) -> Board {
    shuffled(random, size, 4 * size.cell_count())
}
