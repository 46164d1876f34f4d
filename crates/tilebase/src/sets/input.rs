//! Boards from texts, files and sets.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use pdb_core::excerpt::excerpt;
use pdb_core::{Board, Goal, Shape};

use super::file::{BoardFile, InputBoard};
use crate::error::Error;
use crate::handle::Tilebase;
use crate::names::{GoalChoice, goal_name, load_spec};
use crate::sets::SetName;
use crate::text::{BlankSign, BoardFormat, BoardReader, Columns, read_board};

/// Longest word in an error, in characters.
const WORD_CHARS_MAX: usize = 200;

/// Boards in their order, or errors of texts. An error that is not [of one
/// board](Error::is_of_board) is the last item.
pub type InputBoards = Box<dyn Iterator<Item = Result<InputBoard, Error>> + Send>;

/// Boards that a user named, and what is known of them before they are read.
pub struct NamedBoards {
    /// The boards.
    pub boards: InputBoards,
    /// The number of boards, if it is known.
    pub count: Option<u64>,
    /// The goal of the boards, if they are sets or records with a goal of their own.
    pub goal: Option<Goal>,
}

impl std::fmt::Debug for NamedBoards {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { count, goal, .. } = self;
        f.debug_struct("NamedBoards")
            .field("count", count)
            .field("goal", goal)
            .finish_non_exhaustive()
    }
}

/// Options for boards that a user names.
#[derive(Clone, Debug, Default)]
pub struct InputOptions {
    /// The shape of boards that do not show it, and of sets. Default: a square, and 4x4 for sets.
    pub shape: Option<Shape>,
    /// The sign of the blank. Default: one of the usual signs.
    pub blank: Option<BlankSign>,
    /// The columns that hold the cells, for files that are tables. Default: a table is recognised
    /// if that is certain.
    pub columns: Option<Columns>,
    /// Whether the boards of a file come in twos, a board and its goal.
    pub pairs: bool,
    /// The goal of sets without a goal of their own. Default: that of the tables.
    pub goal: Option<GoalChoice>,
    /// The handle that solves boards while sets of a given length are made. Default: the best
    /// tables in the default folder.
    pub tables: Option<Tilebase>,
}

impl InputOptions {
    fn format(&self) -> BoardFormat {
        BoardFormat { shape: self.shape, blank: self.blank }
    }

    /// Reads the boards that words name. Each word is a board in any notation, a set of boards
    /// ([`SetName`]) such as `korf100` or `random:100:1`, a file, or `-` for standard input. If no
    /// word is a board, all words together are one board, because a shell splits an unquoted board
    /// at its spaces.
    ///
    /// # Errors
    /// [`Error::Text`] when a word is none of these; [`Error::Unreadable`] when a file cannot be
    /// read; [`Error::SeveralGoals`] when the words have different goals and the options have none;
    /// those of [`SetName::make`].
    pub fn words(&self, words: &[String]) -> Result<NamedBoards, Error> {
        let format = self.format();
        if self.pairs && !words.iter().any(|word| word == "-" || Path::new(word).is_file()) {
            let text = io::Cursor::new(words.join("\n\n"));
            return self.read("the arguments".to_owned(), Box::new(text));
        }
        if words.len() > 1 && !words.iter().any(|word| is_source(word, format)) {
            match read_board(&words.join(" "), format) {
                Ok(board) => return Ok(NamedBoards::of_boards(vec![board])),
                Err(problem) if words.iter().any(|word| is_cell(word)) => {
                    return Err(problem.into());
                }
                Err(_) => (),
            }
        }
        let named = words.iter().map(|word| self.word(word));
        let mut named = named.collect::<Result<Vec<_>, _>>()?;
        if named.len() == 1 {
            return Ok(named.remove(0));
        }
        let goal = match self.goal {
            Some(_) => None,
            None => common_goal(words, &named)?,
        };
        let count = named.iter().map(|named| named.count).sum();
        let boards = named.into_iter().flat_map(|named| named.boards);
        Ok(NamedBoards { boards: Box::new(boards), count, goal })
    }

    /// Reads the boards that one word names.
    fn word(&self, word: &str) -> Result<NamedBoards, Error> {
        if SetName::is_name(word) {
            return self.set(word.parse()?);
        }
        let problem = match read_board(word, self.format()) {
            Ok(board) => return Ok(NamedBoards::of_boards(vec![board])),
            Err(problem) => problem,
        };
        if word == "-" || looks_like_file(word) {
            return self.file(Path::new(word));
        }
        if load_spec(word).is_ok() {
            return Err(names_tables(Path::new(word)));
        }
        // A text without separators may be meant as a name.
        let is_name = word.contains(char::is_alphabetic)
            && !word.contains(|c: char| c.is_whitespace() || ",;/|[".contains(c))
            && read_board(word, None).is_err();
        Err(if is_name { Error::NoBoards(problem) } else { Error::Text(problem) })
    }

    /// Opens the boards of a set, which are made as they are needed.
    fn set(&self, name: SetName) -> Result<NamedBoards, Error> {
        let tables = match &self.tables {
            Some(tables) => tables.clone(),
            None => Tilebase::builder().open()?,
        };
        let goal = name.goal_for(self.shape, self.goal, &tables)?;
        let mut made = name.make(&goal, &tables, tables.search())?;
        if made.board_count() == 1 {
            let boards = made.by_ref().map(|made| made.map(|made| made.board));
            let boards = boards.collect::<Result<Vec<_>, _>>()?;
            return Ok(NamedBoards { goal: name.goal(), ..NamedBoards::of_boards(boards) });
        }
        let count = Some(made.board_count() as u64);
        let boards = made.map(|made| made.map(|made| InputBoard::from(made.board)));
        Ok(NamedBoards { boards: Box::new(boards), count, goal: name.goal() })
    }

    /// Opens the boards of a file, or of standard input for `-`: in any notation, on one line each
    /// or on several, or in the columns of a table. Lines that start with `#` are remarks. All
    /// lines may be records: JSON objects with the keys `board` and `goal`. A table may have a
    /// column of goals, and with [`pairs`](Self::pairs) every second board is the goal of the one
    /// before. All boards with a goal must have that of the options, or else that of the first
    /// board, if that has one. Boards without one have that of the options, or else the usual one.
    ///
    /// # Errors
    /// [`Error::Unreadable`] when the file cannot be read, [`Error::File`] when it is a folder,
    /// [`Error::Board`] when the named columns cannot hold a board.
    pub fn file(&self, path: &Path) -> Result<NamedBoards, Error> {
        let name = path.display().to_string();
        let problem = |source| Error::Unreadable { path: path.to_owned(), source };
        let reader: Box<dyn Read + Send> = if path.as_os_str() == "-" {
            Box::new(io::stdin())
        } else {
            if path.extension() == Some(OsStr::new("toml")) {
                return Err(names_tables(path));
            }
            // Windows opens no folder.
            if path.is_dir() {
                let problem = "is a folder: name a file of boards".to_owned();
                return Err(Error::File { path: path.to_owned(), problem });
            }
            Box::new(File::open(path).map_err(problem)?)
        };
        self.read(name, reader)
    }

    /// Reads the boards of a text.
    pub(super) fn read(
        &self,
        name: String,
        reader: Box<dyn Read + Send>,
    ) -> Result<NamedBoards, Error> {
        let found = match self.columns {
            Some(columns) => BoardReader::of_table(columns, self.format())?,
            None => BoardReader::new(self.format()),
        };
        let mut boards = BoardFile::new(name, reader, found, self.format(), self.pairs);
        let recorded = boards.begin(self.goal);
        // Boards of any shape may have the usual goal.
        let goal = recorded.filter(|goal| *goal != Goal::blank_last(goal.shape()));
        Ok(NamedBoards { boards: Box::new(boards), count: None, goal })
    }
}

impl NamedBoards {
    /// Reads the boards that words name, as [`InputOptions::words`]. They have the format,
    /// which may be a shape alone.
    ///
    /// # Errors
    /// As [`InputOptions::words`].
    pub fn of_words(words: &[String], format: impl Into<BoardFormat>) -> Result<Self, Error> {
        let BoardFormat { shape, blank } = format.into();
        InputOptions { shape, blank, ..InputOptions::default() }.words(words)
    }

    /// Wraps boards that are already in memory.
    pub fn of_boards(boards: Vec<Board>) -> Self {
        let count = Some(boards.len() as u64);
        let boards = Box::new(boards.into_iter().map(|board| Ok(InputBoard::from(board))));
        Self { boards, count, goal: None }
    }

    /// Returns whether it is known that there is a single board.
    pub fn is_single(&self) -> bool {
        self.count == Some(1)
    }
}

/// Returns the error of a spec in the place of a board.
fn names_tables(spec: &Path) -> Error {
    let problem = "names tables, not boards: give it as the spec, and name a board".to_owned();
    Error::File { path: spec.to_owned(), problem }
}

/// Returns the goal of all boards that words name; `None` is the usual one.
fn common_goal(words: &[String], named: &[NamedBoards]) -> Result<Option<Goal>, Error> {
    let first = named.first().and_then(|named| named.goal);
    let Some(place) = named.iter().position(|named| named.goal != first) else { return Ok(first) };
    let word = |place: usize| excerpt(&words[place], WORD_CHARS_MAX);
    let goal = |place: usize| match named[place].goal {
        Some(goal) => format!("the {} goal {}", goal.shape(), goal_name(&goal)),
        None => "the usual goal, blank-last".to_owned(),
    };
    Err(Error::SeveralGoals {
        first: word(0),
        first_goal: goal(0),
        other: word(place),
        other_goal: goal(place),
    })
}

/// Returns whether a word may be a single cell among others.
fn is_cell(word: &str) -> bool {
    let word = word.trim();
    word.chars().count() <= 2 && !word.contains(|c: char| c.is_whitespace() || ",;/|".contains(c))
}

/// Returns whether a word alone names boards.
fn is_source(word: &str, format: BoardFormat) -> bool {
    SetName::is_name(word) || read_board(word, format).is_ok() || Path::new(word).is_file()
}

/// Returns whether a word that is not a board is the name of a file, existing or not.
fn looks_like_file(word: &str) -> bool {
    let path = Path::new(word);
    let extension = path.extension().and_then(OsStr::to_str);
    // Code has brackets after a dot.
    let has_extension = extension.is_some_and(|text| text.chars().all(char::is_alphanumeric));
    path.exists() || !word.contains(char::is_whitespace) && has_extension
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_the_requested_goal() {
        let shape = Shape::new(3, 3).expect("a shape");
        for goal in [Goal::blank_first, Goal::snail] {
            let naming = InputOptions {
                goal: Some(GoalChoice::Preset(goal)),
                shape: Some(shape),
                ..InputOptions::default()
            };
            for set in ["random:30:1", "walk:31:30:1", "optimum:3..9:30:1", "hardest"] {
                let named = naming.words(&[set.to_owned()]).expect(set);
                for given in named.boards {
                    let board = given.expect("a board").board;
                    assert!(goal(shape).check_solvable(&board).is_ok(), "{set}: {board}");
                }
            }
        }
        let drawn = Goal::new("5 4 3/2 1 0".parse().expect("a board"));
        let naming =
            InputOptions { goal: Some(GoalChoice::Drawn(drawn)), ..InputOptions::default() };
        let named = naming.words(&["optimum:0:1:1".to_owned()]).expect("the goal itself");
        assert_eq!(named.boards.last().expect("one").expect("a board").board, *drawn.board());
    }

    #[test]
    fn words_are_boards_sets_files_or_the_cells_of_one_board() {
        let named = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            NamedBoards::of_words(&words, None)
        };
        let one = named(&["1", "2", "3", "4", "5", "6", "0", "7", "8"]).expect("cells");
        let one = one.boards.last().expect("one").expect("a board");
        assert_eq!(one.board.to_string(), "1 2 3/4 5 6/0 7 8");
        let two = named(&["123456078", "1 2 3/4 5 6/7 0 8"]).expect("two boards");
        assert_eq!(two.count, Some(2));
        let set = named(&["korf100"]).expect("a set");
        assert_eq!((set.count, set.goal.map(|goal| goal.home(0))), (Some(100), Some(0)));
        let set = named(&["korf50"]).expect("a set");
        assert_eq!((set.count, set.goal.map(|goal| goal.shape().rows())), (Some(50), Some(5)));
        let hardest = named(&["hardest"]).expect("a set");
        assert_eq!((hardest.count, hardest.goal, hardest.boards.count()), (Some(17), None, 17));
        assert!(named(&["walk:7:1:1"]).expect("a set of one board").is_single());
        assert!(matches!(named(&["optimum:90..99:5:1"]), Err(Error::Window { .. })));
        let mixed = named(&["random:5:1", "1 2 3/4 5 6/7 0 8"]).expect("a set and a board");
        assert_eq!(mixed.boards.count(), 6);
        assert!(matches!(named(&["nowhere.txt"]), Err(Error::Unreadable { .. })));
        assert!(matches!(named(&["1 2 3/4 5 6/7 8 8"]), Err(Error::Text(_))));
        assert!(matches!(named(&["random:5"]), Err(Error::Set { .. })));
    }
}
