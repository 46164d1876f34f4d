//! Boards from the command line and from lines of a file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use pdb_core::{Board, BoardError, Shape};

use crate::failure::usage;

/// A longer line is no board.
const LINE_BYTES_MAX: u64 = 64 << 10;
/// A file with a longer line, its end included, is no file of boards: it may be a device that never
/// ends a line.
const LINE_END_BYTES_MAX: u64 = 1 << 20;
/// So much of a bad line is shown.
const SHOWN_CHARS_MAX: usize = 80;

/// A board to solve, or a line that is none.
#[derive(Clone, Debug)]
pub(crate) enum Job {
    /// A board, and the line that it stood on.
    Board(Board, Option<u64>),
    /// A bad line, or as much of it as is worth showing, and what is wrong with it.
    Invalid { line: String, problem: String },
}

impl Job {
    /// The record of a board that cannot be solved by what was asked for.
    pub(crate) fn refused(board: &Board, line: Option<u64>, problem: &BoardError) -> Self {
        Self::Invalid { line: board.to_string(), problem: at_line(line, problem) }
    }
}

fn at_line(line: Option<u64>, problem: &dyn std::fmt::Display) -> String {
    match line {
        Some(number) => format!("line {number}: {problem}"),
        None => problem.to_string(),
    }
}

/// Boards in their order. An error ends them.
pub(crate) type Jobs = Box<dyn Iterator<Item = io::Result<Job>> + Send>;

/// Reads the boards among the arguments.
///
/// A board has more than one cell, so an argument that is a single cell belongs to one board of
/// which every argument is a part.
pub(crate) fn from_arguments(
    arguments: &[String],
    shape: Option<Shape>,
) -> anyhow::Result<Vec<Board>> {
    let is_cell =
        |text: &String| !text.trim().contains(|c: char| c.is_whitespace() || ",;/".contains(c));
    if arguments.iter().any(is_cell) {
        let board = Board::parse(&arguments.join(" "), shape).map_err(usage)?;
        return Ok(vec![board]);
    }
    let board = |(index, text): (usize, &String)| {
        Board::parse(text, shape).map_err(|error| match arguments.len() {
            1 => usage(error),
            _ => usage(format!("board {}: {error}", index + 1)),
        })
    };
    arguments.iter().enumerate().map(board).collect()
}

/// Reads boards from a file, or from standard input for `-`: one a line, blank lines and lines that
/// start with `#` left out.
pub(crate) fn from_file(path: &Path, shape: Option<Shape>) -> anyhow::Result<Jobs> {
    let reader: Box<dyn Read + Send> = if path.as_os_str() == "-" {
        Box::new(io::stdin())
    } else {
        let problem =
            |error| usage(format!("cannot read {}: {error}; check the path", path.display()));
        let file = File::open(path).map_err(problem)?;
        if file.metadata().map_err(problem)?.is_dir() {
            return Err(usage(format!("{} is a folder: name a file of boards", path.display())));
        }
        Box::new(file)
    };
    let lines = Lines { reader: BufReader::new(reader), number: 0 };
    let name = path.display().to_string();
    Ok(Box::new(lines.filter_map(move |line| match line {
        Ok((number, line)) => line.job(number, shape).map(Ok),
        Err(error) => {
            Some(Err(io::Error::new(error.kind(), format!("cannot read {name}: {error}"))))
        }
    })))
}

/// Lines with their numbers, counted from 1. No more than a line is in memory.
struct Lines<R> {
    reader: BufReader<R>,
    number: u64,
}

/// A line without its end, or the start of one that is too long.
struct Line {
    text: String,
    is_too_long: bool,
}

impl<R: Read> Lines<R> {
    fn read(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        let limit = LINE_BYTES_MAX + 1;
        if self.reader.by_ref().take(limit).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        let is_too_long = bytes.len() as u64 == limit && bytes.last() != Some(&b'\n');
        if is_too_long {
            let rest_max = LINE_END_BYTES_MAX - limit;
            let skipped = self.reader.by_ref().take(rest_max + 1).skip_until(b'\n')?;
            if skipped as u64 > rest_max {
                let problem = format!(
                    "line {} has more than {LINE_END_BYTES_MAX} bytes: write one board a line",
                    self.number + 1
                );
                return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
            }
        }
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        if self.number == 0
            && let Some(rest) = text.strip_prefix('\u{feff}')
        {
            text = rest.to_owned();
        }
        Ok(Some(Line { text, is_too_long }))
    }
}

impl<R: Read> Iterator for Lines<R> {
    type Item = io::Result<(u64, Line)>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.read().transpose()?;
        self.number += 1;
        Some(line.map(|line| (self.number, line)))
    }
}

impl Line {
    /// The job that the line is, unless it is blank or a remark.
    fn job(&self, number: u64, shape: Option<Shape>) -> Option<Job> {
        let text = self.text.trim();
        if text.starts_with('#') || text.is_empty() && !self.is_too_long {
            return None;
        }
        let result = if self.is_too_long {
            Err(format!("the line has more than {LINE_BYTES_MAX} bytes: write one board a line"))
        } else {
            Board::parse(text, shape).map_err(|error| error.to_string())
        };
        Some(match result {
            Ok(board) => Job::Board(board, Some(number)),
            Err(problem) => {
                let problem = printable(&at_line(Some(number), &problem));
                Job::Invalid { line: shortened(text), problem }
            }
        })
    }
}

/// Text without the characters that could do something to a terminal.
fn printable(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS_MAX) {
        Some((end, _)) => printable(&text[..end]) + "...",
        None => printable(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_file_of_boards_is_read_or_refused() {
        let seeds =
            ["1 2 3/4 5 6/7 8 0\n# a remark\n\n1 2/3 0\r\n", "\u{feff}1 2 3 0\n", "x\n\0\n"]
                .map(|text| text.as_bytes().to_vec());
        let words = ["\n", "#", "\r\n", "\u{feff}", "1 2/3 0", "\u{1b}[2J"];
        pdb_tests::fuzz::run("boards", 20_000, &seeds, &words, |bytes| {
            let mut answer = 0;
            let lines = Lines { reader: BufReader::with_capacity(64, bytes), number: 0 };
            let mut count = 0;
            for line in lines {
                count += 1;
                let (number, line) = line.expect("no line is longer than the input");
                assert_eq!(number, count);
                match line.job(number, None) {
                    Some(Job::Invalid { line, problem }) => {
                        // Nothing does anything to a terminal.
                        assert!(!line.contains(char::is_control), "{line:?}");
                        assert!(!problem.contains(char::is_control), "{problem:?}");
                        answer = pdb_tests::fuzz::class(&problem);
                    }
                    Some(Job::Board(..)) => answer += 1,
                    None => {}
                }
            }
            let expected = bytes.split_inclusive(|&byte| byte == b'\n').count();
            assert_eq!(count, expected as u64);
            answer
        });
    }
}
