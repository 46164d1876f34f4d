//! The boards of a measurement, and their text as the input of each program.

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::shell;

const KORF: &str = "crates/tilebase/data/korf100_15puzzle.txt";
const KORF_CELLS: usize = 16;

/// Boards of one size for one goal.
#[derive(Clone)]
pub(super) struct BenchBoards {
    pub(super) tiles: Vec<Vec<usize>>,
    goal: BlankHome,
    /// Lengths of shortest solutions, if they are known.
    pub(super) lengths: Option<Vec<u64>>,
}

/// Place of the blank on the solved board. The tiles are in order, row by row.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(super) enum BlankHome {
    BlankFirst,
    BlankLast,
}

/// The boards on the standard input of a program, one per line.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct InputFormat {
    goal: BlankHome,
    numbers: Numbers,
    separator: String,
    /// A line, with `{board}` for the board and `{number}` for its number, from 1.
    pub(super) line: String,
    /// A line before the boards, with `{count}` for their number.
    first_line: Option<String>,
}

impl Default for InputFormat {
    fn default() -> Self {
        Self {
            goal: BlankHome::BlankLast,
            numbers: Numbers::Tiles,
            separator: " ".to_owned(),
            line: "{board}".to_owned(),
            first_line: None,
        }
    }
}

/// Meaning of the numbers of a board.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Numbers {
    /// The tile of each cell.
    Tiles,
    /// The cell of each tile, from 0, the blank's first.
    Cells,
}

impl BenchBoards {
    /// Returns Korf's hundred, random ones, or those of a file.
    pub(super) fn of(which: &str, goal: BlankHome) -> Result<Self> {
        if which == "korf" {
            return Self::korf();
        }
        if let Some((count, seed)) = which.strip_prefix("random:").and_then(|w| w.split_once(':')) {
            let mut scramble = shell::tilebase()?;
            scramble.args(["scramble", "--quiet", "--size=4x4", "--count", count, "--seed", seed]);
            return Self::parse(&shell::output(&mut scramble)?, BlankHome::BlankLast);
        }
        // Files of a table are named from the repository's root.
        let text = std::fs::read_to_string(which)
            .or_else(|_| std::fs::read_to_string(shell::root().join(which)))
            .with_context(|| format!("cannot read the boards in {which}"))?;
        Self::parse(&text, goal).with_context(|| format!("cannot use {which}"))
    }

    /// Reads the columns id, cells and length; the other columns are ignored.
    fn korf() -> Result<Self> {
        let file = std::fs::read_to_string(shell::root().join(KORF))
            .with_context(|| format!("cannot read {KORF}"))?;
        let (mut text, mut lengths) = (String::new(), Vec::new());
        for line in file.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&str> = line.split_whitespace().collect();
            let length = columns.get(KORF_CELLS + 1).and_then(|length| length.parse().ok());
            lengths.push(length.with_context(|| format!("{KORF}: no board in {line:?}"))?);
            text += &columns[1..=KORF_CELLS].join(" ");
            text.push('\n');
        }
        Ok(Self { lengths: Some(lengths), ..Self::parse(&text, BlankHome::BlankFirst)? })
    }

    /// Reads the boards of a text. A semicolon ends a board.
    fn parse(text: &str, goal: BlankHome) -> Result<Self> {
        let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
        let lines = lines.map(|line| line.split(';').next().unwrap_or_default());
        let boards: Vec<_> =
            lines.map(|line| tiles(line).map(|tiles| (line, tiles))).collect::<Result<_>>()?;
        let (line, first) = boards.first().context("expected a board per line, found none")?;
        // Rows without separators make up a square.
        let rows = line.split('/').count();
        let cols = if rows > 1 { first.len() / rows } else { first.len().isqrt() }.max(1);
        let rows = first.len() / cols;
        for (line, tiles) in &boards {
            ensure!(
                tiles.len() == rows * cols && tiles.len() == first.len(),
                "{line:?} is not a board of {rows}x{cols} cells; expected boards of one size, a \
                 square or with / between rows"
            );
        }
        let tiles = boards.into_iter().map(|(_, tiles)| tiles).collect();
        Ok(Self { tiles, goal, lengths: None })
    }

    /// Returns the first boards, several times over.
    pub(super) fn taken(&self, count: Option<usize>, times: usize) -> Self {
        let count = count.unwrap_or(usize::MAX).min(self.tiles.len());
        let lengths = self.lengths.as_ref().map(|lengths| lengths[..count].repeat(times));
        Self { tiles: vec![&self.tiles[..count]; times].concat(), lengths, ..*self }
    }

    /// Returns a board for another goal, with the same solutions: turned by half a turn, with the
    /// tiles renamed.
    fn for_goal(&self, board: &[usize], goal: BlankHome) -> Vec<usize> {
        if goal == self.goal {
            return board.to_vec();
        }
        let renamed = |&tile: &usize| if tile == 0 { 0 } else { board.len() - tile };
        board.iter().rev().map(renamed).collect()
    }
}

/// Reads the tiles of a board, which are numbers between spaces, commas or slashes.
fn tiles(line: &str) -> Result<Vec<usize>> {
    let words = line.split([' ', '\t', ',', '/']).filter(|word| !word.is_empty());
    let tiles: Option<Vec<usize>> = words.map(|word| word.parse().ok()).collect();
    let tiles = tiles.with_context(|| format!("{line:?} is not a board; expected numbers"))?;
    let mut sorted = tiles.clone();
    sorted.sort_unstable();
    ensure!(
        tiles.len() > 3 && sorted.into_iter().eq(0..tiles.len()),
        "{line:?} is not a board; expected each number from 0 once"
    );
    Ok(tiles)
}

impl InputFormat {
    /// Returns the text of boards.
    pub(super) fn of(&self, boards: &BenchBoards) -> String {
        let count = boards.tiles.len().to_string();
        let lines = boards.tiles.iter().zip(1..).map(|(board, number): (_, usize)| {
            let board = self.numbers(boards.for_goal(board, self.goal));
            let board: Vec<_> = board.iter().map(usize::to_string).collect();
            let line = self.line.replace("{number}", &number.to_string());
            line.replace("{board}", &board.join(&self.separator))
        });
        let first_line = self.first_line.iter().map(|line| line.replace("{count}", &count));
        first_line.chain(lines).map(|line| line + "\n").collect()
    }

    fn numbers(&self, tiles: Vec<usize>) -> Vec<usize> {
        match self.numbers {
            Numbers::Tiles => tiles,
            Numbers::Cells => {
                let mut cells = vec![0; tiles.len()];
                for (cell, tile) in tiles.into_iter().enumerate() {
                    cells[tile] = cell;
                }
                cells
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_written_as_the_program_reads_them() {
        let boards = BenchBoards::parse("1 2 3/4 0 5\n1 2 0 3 4 5/6 7\n", BlankHome::BlankLast);
        assert!(boards.is_err());
        let boards = BenchBoards::parse("1 2 3/4 0 5 ; 1\n", BlankHome::BlankLast).unwrap();
        let board = |input: &str| toml::from_str::<InputFormat>(input).unwrap().of(&boards);
        for (input, text) in [
            ("", "1 2 3 4 0 5\n"),
            ("goal = 'blank-first'\nseparator = ','", "1,0,2,3,4,5\n"),
            ("numbers = 'cells'", "4 0 1 2 3 5\n"),
            ("line = '{number}: {board}'\nfirst_line = 'n {count}'", "n 1\n1: 1 2 3 4 0 5\n"),
        ] {
            assert_eq!(board(input), text, "{input}");
        }
    }

    #[test]
    fn korfs_boards_are_read_and_repeated_with_their_lengths() {
        let boards = BenchBoards::of("korf", BlankHome::BlankLast).unwrap();
        assert_eq!(boards.tiles[0], [14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3]);
        assert_eq!(boards.lengths.as_ref().unwrap().iter().sum::<u64>(), 5305);
        let taken = boards.taken(Some(2), 3);
        assert_eq!((taken.tiles.len(), &taken.tiles[5]), (6, &boards.tiles[1]));
        assert_eq!(taken.lengths.unwrap(), [57, 55, 57, 55, 57, 55]);
    }
}
