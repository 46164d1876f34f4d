//! Boards from arguments, and from lines of a file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use pdb_core::{Board, Shape};

use crate::Error;

/// A longer line is no board.
const LINE_BYTES_MAX: u64 = 64 << 10;
/// A file with a longer line, its end included, is no file of boards: it may be a device that never
/// ends a line.
const LINE_END_BYTES_MAX: u64 = 1 << 20;
/// So much of a bad line is shown.
const SHOWN_CHARS_MAX: usize = 80;

/// A board, and where it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Given {
    /// The board.
    pub board: Board,
    /// The line that it stood on, from 1, where it comes from a file.
    pub line: Option<u64>,
}

impl From<Board> for Given {
    fn from(board: Board) -> Self {
        Self { board, line: None }
    }
}

/// A board, or a text that is one.
pub trait IntoBoard {
    /// The board. A text without row separators has `shape`, or is square.
    ///
    /// # Errors
    /// [`Error::Board`] when the text is no board.
    fn into_board(self, shape: Option<Shape>) -> Result<Board, Error>;
}

impl IntoBoard for Board {
    fn into_board(self, _: Option<Shape>) -> Result<Board, Error> {
        Ok(self)
    }
}

impl IntoBoard for &Board {
    fn into_board(self, _: Option<Shape>) -> Result<Board, Error> {
        Ok(*self)
    }
}

impl IntoBoard for &str {
    fn into_board(self, shape: Option<Shape>) -> Result<Board, Error> {
        Ok(Board::parse(self, shape)?)
    }
}

impl IntoBoard for String {
    fn into_board(self, shape: Option<Shape>) -> Result<Board, Error> {
        Ok(Board::parse(&self, shape)?)
    }
}

impl IntoBoard for &String {
    fn into_board(self, shape: Option<Shape>) -> Result<Board, Error> {
        Ok(Board::parse(self, shape)?)
    }
}

/// Boards in their order, or what is wrong with a text. An error that is not
/// [of one board](Error::is_of_board) ends them.
pub type BoardsGiven = Box<dyn Iterator<Item = Result<Given, Error>> + Send>;

/// Reads boards from a file, or from standard input for `-`.
///
/// # Errors
/// [`Error::Input`] when the file cannot be read, [`Error::File`] when it is a folder.
pub fn boards_from_file(path: &Path, shape: Option<Shape>) -> Result<BoardsGiven, Error> {
    let name = path.display().to_string();
    let problem = |source| Error::Unreadable { path: path.to_owned(), source };
    let reader: Box<dyn Read + Send> = if path.as_os_str() == "-" {
        Box::new(io::stdin())
    } else {
        let file = File::open(path).map_err(problem)?;
        if file.metadata().map_err(problem)?.is_dir() {
            let problem = "is a folder: name a file of boards".to_owned();
            return Err(Error::File { path: path.to_owned(), problem });
        }
        Box::new(file)
    };
    let lines = Lines { reader: BufReader::new(reader), number: 0 };
    Ok(Box::new(lines.filter_map(move |line| match line {
        Ok((number, line)) => line.given(number, shape),
        Err(source) => Some(Err(Error::Input { name: name.clone(), source })),
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
    /// The board that the line is, unless it is blank or a remark.
    fn given(&self, number: u64, shape: Option<Shape>) -> Option<Result<Given, Error>> {
        let text = self.text.trim();
        if text.starts_with('#') || text.is_empty() && !self.is_too_long {
            return None;
        }
        let result = if self.is_too_long {
            Err(format!("the line has more than {LINE_BYTES_MAX} bytes: write one board a line"))
        } else {
            Board::parse(text, shape).map_err(|error| error.to_string())
        };
        let line = Some(number);
        Some(match result {
            Ok(board) => Ok(Given { board, line }),
            Err(problem) => {
                let problem = printable(&problem);
                Err(Error::Invalid { text: shortened(text), line, problem })
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
                match line.given(number, None) {
                    Some(Err(Error::Invalid { text, problem, .. })) => {
                        // Nothing does anything to a terminal.
                        assert!(!text.contains(char::is_control), "{text:?}");
                        assert!(!problem.contains(char::is_control), "{problem:?}");
                        answer = pdb_tests::fuzz::class(&problem);
                    }
                    Some(Ok(_)) => answer += 1,
                    Some(Err(other)) => panic!("{other}"),
                    None => {}
                }
            }
            let expected = bytes.split_inclusive(|&byte| byte == b'\n').count();
            assert_eq!(count, expected as u64);
            answer
        });
    }
}
