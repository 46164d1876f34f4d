//! Boards from texts, files and sets.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use pdb_core::notation::{BoardReader, FoundBoard, TEXT_BYTES_MAX, read_board};
use pdb_core::{Board, Goal, Shape};

use crate::{BoardSet, Error};

/// So much of a line is kept: one byte more than a board may have, so that it is seen to be too long.
const LINE_BYTES_MAX: u64 = TEXT_BYTES_MAX as u64 + 1;
/// A file with a longer line, its end included, is no file of boards: it may be a device that never
/// ends a line.
const LINE_END_BYTES_MAX: u64 = 1 << 20;

/// A board, and where it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Given {
    /// The board.
    pub board: Board,
    /// The first line that it stood on, from 1, where it comes from a file.
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
    /// [`Error::Text`] when the text is no board.
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
        Ok(read_board(self, shape)?)
    }
}

impl IntoBoard for String {
    fn into_board(self, shape: Option<Shape>) -> Result<Board, Error> {
        self.as_str().into_board(shape)
    }
}

impl IntoBoard for &String {
    fn into_board(self, shape: Option<Shape>) -> Result<Board, Error> {
        self.as_str().into_board(shape)
    }
}

/// Boards in their order, or what is wrong with a text. An error that is not
/// [of one board](Error::is_of_board) ends them.
pub type BoardsGiven = Box<dyn Iterator<Item = Result<Given, Error>> + Send>;

/// Boards that a person named, and what is known of them before they are read.
pub struct NamedBoards {
    /// The boards.
    pub boards: BoardsGiven,
    /// How many there are, where that is known.
    pub count: Option<u64>,
    /// The goal that belongs to them, if they are a set that has one of its own.
    pub goal: Option<Goal>,
    /// The board, if there is no other.
    pub single: Option<Board>,
}

impl std::fmt::Debug for NamedBoards {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { count, goal, single, .. } = self;
        f.debug_struct("NamedBoards")
            .field("count", count)
            .field("goal", goal)
            .field("single", single)
            .finish_non_exhaustive()
    }
}

impl NamedBoards {
    /// The boards that words name: each word is a board in any notation, a set of boards such as
    /// `korf100` or `random:100:1`, a file, or `-` for standard input. Words of which none is a board
    /// make up one board together: so a shell gives one that nobody quoted. Boards that do not show their shape have `shape`.
    ///
    /// # Errors
    /// [`Error::Text`] when a word is none of these; [`Error::Unreadable`] when a file cannot be read.
    pub fn of_words(words: &[String], shape: Option<Shape>) -> Result<Self, Error> {
        if words.len() > 1 && !words.iter().any(|word| is_source(word, shape)) {
            match words.join(" ").into_board(shape) {
                Ok(board) => return Ok(Self::of_boards(vec![board])),
                Err(problem) if words.iter().any(|word| is_cell(word)) => return Err(problem),
                Err(_) => (),
            }
        }
        let named = words.iter().map(|word| Self::of_word(word, shape));
        let mut named = named.collect::<Result<Vec<_>, _>>()?;
        if named.len() == 1 {
            return Ok(named.remove(0));
        }
        let count = named.iter().map(|named| named.count).sum();
        let boards = named.into_iter().flat_map(|named| named.boards);
        Ok(Self { boards: Box::new(boards), count, goal: None, single: None })
    }

    /// The boards that one word names.
    fn of_word(word: &str, shape: Option<Shape>) -> Result<Self, Error> {
        if BoardSet::is_name(word) {
            let usual = || Shape::new(4, 4).expect("4x4 is a shape");
            let goal = Goal::blank_last(shape.unwrap_or_else(usual));
            let set = BoardSet::named(word, &goal)?;
            let own = (set.goal != goal).then_some(set.goal);
            return Ok(Self { goal: own, ..Self::of_boards(set.boards) });
        }
        let problem = match read_board(word, shape) {
            Ok(board) => return Ok(Self::of_boards(vec![board])),
            Err(problem) => problem,
        };
        if word == "-" || looks_like_file(word) {
            return Self::of_file(Path::new(word), shape);
        }
        // What has no separators may have been meant as a name.
        let is_name =
            !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || ",;/|[".contains(c));
        Err(if is_name { Error::NoBoards(problem) } else { Error::Text(problem) })
    }

    /// Boards that are there already.
    pub fn of_boards(boards: Vec<Board>) -> Self {
        let single = match boards[..] {
            [board] => Some(board),
            _ => None,
        };
        let count = Some(boards.len() as u64);
        let boards = Box::new(boards.into_iter().map(|board| Ok(Given::from(board))));
        Self { boards, count, goal: None, single }
    }

    /// Boards from a file, or from standard input for `-`, in any notation, on one line each or on
    /// several. Lines that start with `#` are remarks.
    ///
    /// # Errors
    /// [`Error::Unreadable`] when the file cannot be read, [`Error::File`] when it is a folder.
    pub fn of_file(path: &Path, shape: Option<Shape>) -> Result<Self, Error> {
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
        let boards = Box::new(Lines::new(name, reader, shape));
        Ok(Self { boards, count: None, goal: None, single: None })
    }
}

/// Whether a word may be a single cell among others.
fn is_cell(word: &str) -> bool {
    let word = word.trim();
    word.chars().count() <= 2 && !word.contains(|c: char| c.is_whitespace() || ",;/|".contains(c))
}

/// Whether a word names boards by itself.
fn is_source(word: &str, shape: Option<Shape>) -> bool {
    BoardSet::is_name(word) || word.into_board(shape).is_ok() || Path::new(word).is_file()
}

/// Whether a word that is no board is the name of a file, there or not.
fn looks_like_file(word: &str) -> bool {
    let path = Path::new(word);
    path.exists() || !word.contains(char::is_whitespace) && path.extension().is_some()
}

/// The boards among the lines of a text that is read as it is needed.
struct Lines {
    name: String,
    text: BufReader<Box<dyn Read + Send>>,
    boards: BoardReader,
    found: VecDeque<FoundBoard>,
    line_count: u64,
    has_ended: bool,
}

impl Lines {
    fn new(name: String, reader: Box<dyn Read + Send>, shape: Option<Shape>) -> Self {
        Self {
            name,
            text: BufReader::new(reader),
            boards: BoardReader::new(shape),
            found: VecDeque::new(),
            line_count: 0,
            has_ended: false,
        }
    }

    /// Reads a line, of which no more is in memory than a board may have; nothing at the end.
    fn line(&mut self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        if self.text.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        self.line_count += 1;
        if bytes.len() as u64 == LINE_BYTES_MAX && bytes.last() != Some(&b'\n') {
            let rest_max = LINE_END_BYTES_MAX - LINE_BYTES_MAX;
            let skipped = self.text.by_ref().take(rest_max + 1).skip_until(b'\n')?;
            if skipped as u64 > rest_max {
                let problem = format!(
                    "line {} has more than {LINE_END_BYTES_MAX} bytes: write one board a line",
                    self.line_count
                );
                return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
            }
        }
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        // A remark may have any length.
        if bytes.first() == Some(&b'#') {
            bytes.truncate(1);
        }
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }
}

impl Iterator for Lines {
    type Item = Result<Given, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(FoundBoard { first_line, board, text, .. }) = self.found.pop_front() {
                let line = Some(first_line);
                return Some(match board {
                    Ok(board) => Ok(Given { board, line }),
                    Err(problem) => {
                        Err(Error::Invalid { text, line, problem: problem.to_string() })
                    }
                });
            }
            if self.has_ended {
                return None;
            }
            match self.line() {
                Ok(Some(line)) => self.found.extend(self.boards.push(&line)),
                Ok(None) => {
                    self.has_ended = true;
                    self.found.extend(self.boards.end());
                }
                Err(source) => {
                    self.has_ended = true;
                    return Some(Err(Error::Input { name: self.name.clone(), source }));
                }
            }
        }
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
        let words = ["\n", "#", "\r\n", "\u{feff}", "1 2/3 0", "\u{1b}[2J", "[[", "|"];
        pdb_tests::fuzz::run("boards", 20_000, &seeds, &words, |bytes| {
            let mut answer = 0;
            let reader = Box::new(io::Cursor::new(bytes.to_vec()));
            let mut lines = Lines::new("boards".to_owned(), reader, None);
            let mut last = 0;
            for given in lines.by_ref() {
                let line = match given {
                    Err(Error::Invalid { text, problem, line }) => {
                        // Nothing does anything to a terminal.
                        assert!(!text.contains(char::is_control), "{text:?}");
                        assert!(!problem.contains(char::is_control), "{problem:?}");
                        answer = pdb_tests::fuzz::class(&problem);
                        line
                    }
                    Ok(given) => {
                        answer += 1;
                        given.line
                    }
                    Err(other) => panic!("{other}"),
                };
                assert!(line >= Some(last), "boards come in the order of their lines");
                last = line.unwrap_or(last);
            }
            let expected = bytes.split_inclusive(|&byte| byte == b'\n').count();
            assert_eq!(lines.line_count, expected as u64);
            answer
        });
    }

    #[test]
    fn words_are_boards_sets_files_or_the_cells_of_one_board() {
        let named = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            NamedBoards::of_words(&words, None)
        };
        let one = named(&["1", "2", "3", "4", "5", "6", "0", "7", "8"]).expect("cells");
        assert_eq!(one.single.map(|board| board.to_string()).as_deref(), Some("1 2 3/4 5 6/0 7 8"));
        let two = named(&["123456078", "1 2 3/4 5 6/7 0 8"]).expect("two boards");
        assert_eq!((two.count, two.single), (Some(2), None));
        let set = named(&["korf100"]).expect("a set");
        assert_eq!((set.count, set.goal.map(|goal| goal.home(0))), (Some(100), Some(0)));
        let mixed = named(&["random:5:1", "1 2 3/4 5 6/7 0 8"]).expect("a set and a board");
        assert_eq!(mixed.boards.count(), 6);
        assert!(matches!(named(&["nowhere.txt"]), Err(Error::Unreadable { .. })));
        assert!(matches!(named(&["1 2 3/4 5 6/7 8 8"]), Err(Error::Text(_))));
        assert!(matches!(named(&["random:5"]), Err(Error::Set { .. })));
    }
}
