//! Data and helpers shared by the tests of the whole workspace.
//!
//! Each function reads one file of `tests/data`; the file's header names where its numbers come
//! from. Boards are lists of tiles in row order, 0 for the blank.
//!
//! ```
//! let boards = pdb_tests::korf100();
//! assert_eq!(boards[78].tiles, [0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15]);
//! assert_eq!(boards[78].length, 42);
//! ```

pub mod crashes;
pub mod fuzz;
pub mod searches;
pub mod signing;
pub mod tables;

/// The programs of the page as tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/library.md")]
mod library_page {}

use std::fmt::Debug;
use std::str::FromStr;

use pdb_core::Board;
pub use pdb_oracle::{Random, are_long};
use tempfile::TempDir;

/// One of Korf's random boards, for the goal with the blank first (`0 1 2 ..`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KorfBoard {
    /// The number in the paper, counted from 1.
    pub id: usize,
    /// The tiles.
    pub tiles: Vec<u8>,
    /// Length of a shortest solution, in moves.
    pub length: u32,
    /// Manhattan distance.
    pub manhattan: u32,
    /// Number of generated nodes in the paper. For board 89 of the 15-puzzle the paper has
    /// 166,571,097; a recomputation found 166,571,021.
    pub nodes: u64,
}

/// Returns Korf's 100 boards of the 15-puzzle; the nodes are those of IDA* with Manhattan distance.
pub fn korf100() -> Vec<KorfBoard> {
    korf(include_str!("../../crates/tilebase/data/korf100_15puzzle.txt"), 16)
}

/// Returns Korf's 50 boards of the 24-puzzle; the nodes are those of IDA* with the 6-6-6-6
/// partition and its mirror image.
pub fn korf50_24() -> Vec<KorfBoard> {
    korf(include_str!("../../crates/tilebase/data/korf50_24puzzle.txt"), 25)
}

fn korf(text: &str, cell_count: usize) -> Vec<KorfBoard> {
    let board = |line| {
        let columns: Vec<u64> = numbers(line);
        let (tiles, rest) = columns[1..].split_at(cell_count);
        let &[length, manhattan, nodes] = rest else {
            panic!("expected three numbers after the board, found {rest:?}");
        };
        KorfBoard {
            id: columns[0] as usize,
            tiles: tiles.iter().map(|&tile| tile as u8).collect(),
            length: length as u32,
            manhattan: manhattan as u32,
            nodes,
        }
    };
    data_lines(text).map(board).collect()
}

/// A board at the greatest distance of the 15-puzzle, 80 moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Antipode {
    /// The tiles, for the goal with the blank last.
    pub tiles: Vec<u8>,
    /// The same board turned by [`rotated`], for the goal with the blank first.
    pub blank_first: Vec<u8>,
}

/// Returns the 17 boards of the 15-puzzle at distance 80.
pub fn antipodes80() -> Vec<Antipode> {
    let antipode = |line: &str| {
        let columns: Vec<&str> = line.split(" ; ").collect();
        Antipode { tiles: numbers(columns[0]), blank_first: numbers(columns[1]) }
    };
    data_lines(include_str!("../data/antipodes_15puzzle_stm80.txt")).map(antipode).collect()
}

/// The values of a blank-collapsed additive pattern table of the 15-puzzle, goal with the blank
/// last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternHistogram {
    /// The pattern's tiles, in ascending order.
    pub tiles: Vec<u8>,
    /// Number of entries of each value, from 0.
    pub counts: Vec<u64>,
}

/// Returns the published histograms of pattern tables of the 15-puzzle.
pub fn pdb_histograms() -> Vec<PatternHistogram> {
    let histogram = |line: &str| {
        let columns: Vec<&str> = line.split(" | ").collect();
        assert_eq!((columns[0], columns[1], columns[3]), ("4x4", "1..15,0", "apdb"));
        let histogram =
            PatternHistogram { tiles: numbers(columns[2]), counts: numbers(columns[7]) };
        check_counts(&histogram.counts, number(columns[4]), number(columns[5]));
        histogram
    };
    data_lines(include_str!("../data/pdb_histograms_15puzzle.txt")).map(histogram).collect()
}

/// The values of a Walking Distance table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkingHistogram {
    /// Lines across the axis.
    pub lines: usize,
    /// Cells of one line.
    pub line_len: usize,
    /// The blank's home line, counted from 0.
    pub blank_line: usize,
    /// Number of states at each distance, from 0.
    pub counts: Vec<u64>,
}

/// Returns histograms of Walking Distance tables, each for a blank whose home is in the last line.
pub fn walking_histograms() -> Vec<WalkingHistogram> {
    let histogram = |line: &str| {
        let (_, counts) = split(line, "hist=");
        let histogram = WalkingHistogram {
            lines: number(field(line, "rows=")),
            line_len: number(field(line, "cols=")),
            blank_line: number(field(line, "row=").trim_end_matches(':')),
            counts: numbers(counts),
        };
        let (states, max) = (field(line, "states="), field(line, "max="));
        check_counts(&histogram.counts, number(states), number(max));
        histogram
    };
    data_lines(include_str!("../data/walking_distance.txt")).map(histogram).collect()
}

/// The mark of data that count a move of one tile by one cell; others count moves of whole lines.
const SINGLE_TILE: &str = " STM ";

/// A board at the greatest distance of a small puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmallAntipode {
    /// Rows of the board. The file writes columns first: in `4x3`, 3 is the number of rows.
    pub rows: usize,
    /// Columns of the board.
    pub cols: usize,
    /// The goal: with the blank last, or first.
    pub goal: Vec<u8>,
    /// The distance, in moves.
    pub length: u32,
    /// The board.
    pub tiles: Vec<u8>,
}

/// Returns boards at the greatest distance of small puzzles.
pub fn antipodes_small() -> Vec<SmallAntipode> {
    let antipode = |line: &str| {
        let (head, tiles) = split(line, " : ");
        let words: Vec<&str> = head.split_whitespace().collect();
        let (rows, cols) = rows_and_cols(words[0]);
        let cell_count = (rows * cols) as u8;
        SmallAntipode {
            rows,
            cols,
            goal: match words[2] {
                "goal=1..n-1,0" => (1..cell_count).chain([0]).collect(),
                "goal=0..n-1" => (0..cell_count).collect(),
                other => panic!("expected a goal, found {other}"),
            },
            length: number(words[3]),
            tiles: numbers(tiles),
        }
    };
    let lines = data_lines(include_str!("../data/antipodes_small.txt"));
    lines.filter(|line| line.contains(SINGLE_TILE)).map(antipode).collect()
}

/// Returns a temporary folder, in memory if possible, because waiting for a disk takes longest.
///
/// # Panics
/// When no folder can be made.
pub fn scratch() -> TempDir {
    TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).expect("a temporary folder can be made")
}

/// Returns the boards of a random walk of a number of moves, none of which undoes the one before.
pub fn walk(start: &Board, move_count: usize, random: &mut Random) -> Vec<Board> {
    let (mut boards, mut before) = (vec![*start], None);
    for _ in 0..move_count {
        let mut next = boards[boards.len() - 1];
        let blank = next.blank();
        let ahead = next.shape().neighbours(blank).iter().filter(|&cell| Some(cell) != before);
        let ahead: Vec<_> = ahead.collect();
        next.slide(ahead[random.below(ahead.len())], blank);
        before = Some(blank);
        boards.push(next);
    }
    boards
}

/// Returns the board turned by 180 degrees, with tile `t` of `n` cells renamed to `n - t`.
///
/// This maps the goal with the blank first to the goal with the blank last and back. So a board's
/// distance from one is the turned board's distance from the other.
pub fn rotated(tiles: &[u8]) -> Vec<u8> {
    let cell_count = tiles.len() as u8;
    let rename = |&tile: &u8| if tile == 0 { 0 } else { cell_count - tile };
    tiles.iter().rev().map(rename).collect()
}

fn data_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

fn number<T: FromStr<Err: Debug>>(word: &str) -> T {
    word.trim()
        .parse()
        .unwrap_or_else(|error| panic!("expected a number, found \"{word}\": {error:?}"))
}

fn numbers<T: FromStr<Err: Debug>>(text: &str) -> Vec<T> {
    text.split_whitespace().map(number).collect()
}

fn split<'a>(line: &'a str, mark: &str) -> (&'a str, &'a str) {
    line.split_once(mark).unwrap_or_else(|| panic!("expected \"{mark}\" in \"{line}\""))
}

/// Returns the rest of the word that begins with `name`.
fn field<'a>(line: &'a str, name: &str) -> &'a str {
    line.split_whitespace()
        .find_map(|word| word.strip_prefix(name))
        .unwrap_or_else(|| panic!("expected \"{name}\" in \"{line}\""))
}

fn rows_and_cols(word: &str) -> (usize, usize) {
    let (cols, rows) = split(word, "x");
    (number(rows), number(cols))
}

fn check_counts(counts: &[u64], total: u64, max: usize) {
    assert_eq!(counts.iter().sum::<u64>(), total);
    assert_eq!(counts.len(), max + 1);
}
