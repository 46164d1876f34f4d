//! Boards from texts, files and sets.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::mem;
use std::ops::RangeInclusive;
use std::path::Path;

use pdb_core::excerpt::{WORD_CHARS_MAX, excerpt};
use pdb_core::{Board, Goal, Shape};
use serde::Deserialize;

use crate::error::Error;
use crate::handle::Tilebase;
use crate::names::{GoalChoice, goal_name, load_spec};
use crate::sets::SetName;
use crate::text::{
    BlankSign, BoardFormat, BoardReader, BoardTextError, Columns, FoundBoard, TEXT_BYTES_MAX,
    is_remark, read_board,
};

/// Longest part of a line that is kept, in bytes: one more than a board may have, so that a longer
/// line is recognised.
const LINE_BYTES_MAX: u64 = TEXT_BYTES_MAX as u64 + 1;
/// Longest line of a file of boards, including its end, in bytes. A longer one may come from a
/// device that never ends a line.
const LINE_END_BYTES_MAX: u64 = 1 << 20;

/// Longest board of a record in an error, in characters.
const RECORD_CHARS_MAX: usize = 200;

/// A board with its line in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputBoard {
    /// The board.
    pub board: Board,
    /// The board's first line, counted from 1, if it comes from a file.
    pub line: Option<u64>,
}

impl From<Board> for InputBoard {
    fn from(board: Board) -> Self {
        Self { board, line: None }
    }
}

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
    /// The board, if it is the only one.
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
        Ok(NamedBoards { boards: Box::new(boards), count, goal, single: None })
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
        let usual = Shape::new(4, 4).expect("4x4 is a shape");
        let drawn = self.goal.as_ref().and_then(GoalChoice::shape);
        let shape = self.shape.or(drawn).or(tables.shape()).unwrap_or(usual);
        let goal = match (&self.goal, name.goal()) {
            (_, Some(own)) => own,
            (Some(choice), None) => choice.goal(shape)?,
            (None, None) => tables.goal(shape)?,
        };
        let mut made = name.make(&goal, &tables)?;
        if made.board_count() == 1 {
            let boards = made.by_ref().map(|made| made.map(|made| made.board));
            let boards = boards.collect::<Result<Vec<_>, _>>()?;
            return Ok(NamedBoards { goal: name.goal(), ..NamedBoards::of_boards(boards) });
        }
        let count = Some(made.board_count() as u64);
        let boards = made.map(|made| made.map(|made| InputBoard::from(made.board)));
        Ok(NamedBoards { boards: Box::new(boards), count, goal: name.goal(), single: None })
    }

    /// Opens the boards of a file, or of standard input for `-`: in any notation, on one line each
    /// or on several, or in the columns of a table. Lines that start with `#` are remarks. A line
    /// may be a record: a JSON object with the keys `board` and `goal`. A table may have a column
    /// of goals. All boards with a goal must have that of the options, or else that of the first
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
        let found = match self.columns {
            Some(columns) => BoardReader::of_table(columns, self.format())?,
            None => BoardReader::new(self.format()),
        };
        let mut lines = Lines::new(name, reader, found, self.format());
        let recorded = lines.begin(self.goal);
        // Boards of any shape may have the usual goal.
        let goal = recorded.filter(|goal| *goal != Goal::blank_last(goal.shape()));
        Ok(NamedBoards { boards: Box::new(lines), count: None, goal, single: None })
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
        let single = match boards[..] {
            [board] => Some(board),
            _ => None,
        };
        let count = Some(boards.len() as u64);
        let boards = Box::new(boards.into_iter().map(|board| Ok(InputBoard::from(board))));
        Self { boards, count, goal: None, single }
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
    let word = |place: usize| excerpt(&words[place], RECORD_CHARS_MAX);
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

/// A line that a program wrote for programs.
#[derive(Debug, Deserialize)]
struct InputRecord {
    board: String,
    goal: Option<String>,
}

impl InputRecord {
    /// Reads a line; `None` if it is no record.
    fn read(line: &str) -> Option<Self> {
        // An array of records has a comma after each.
        let line = line.trim().trim_end_matches(',');
        line.starts_with('{').then(|| serde_json::from_str(line).ok())?
    }
}

/// Reads the goal of a board of this shape: a board, or the name of a goal. `None` where a name has
/// no shape.
fn read_goal(text: &str, shape: Option<Shape>) -> Option<Result<Goal, BoardTextError>> {
    match GoalChoice::preset(text.trim()) {
        Some(preset) => shape.and_then(|shape| preset.goal(shape).ok()).map(Ok),
        None => Some(read_board(text, None).map(Goal::new)),
    }
}

/// Column of a table with goals.
struct GoalColumn {
    column: Columns,
    name: String,
    /// The line of its name.
    line: u64,
}

/// Boards among the lines of a text, which is read as needed.
struct Lines {
    name: String,
    text: BufReader<Box<dyn Read + Send>>,
    boards: BoardReader,
    format: BoardFormat,
    found: VecDeque<FoundBoard>,
    /// The error of a line below those that are found.
    refused: Option<Error>,
    /// The goal that records must have.
    goal: Option<GoalChoice>,
    /// Whether it is that of the first board, so that boards without a goal need not have it.
    is_goal_recorded: bool,
    /// The lines with a goal whose boards may still be returned, and their goals.
    with_goal: VecDeque<(u64, String)>,
    /// The column of a table with goals.
    goals: Option<GoalColumn>,
    line_count: u64,
    has_ended: bool,
}

impl Lines {
    fn new(
        name: String,
        reader: Box<dyn Read + Send>,
        boards: BoardReader,
        format: BoardFormat,
    ) -> Self {
        Self {
            name,
            text: BufReader::new(reader),
            boards,
            format,
            found: VecDeque::new(),
            refused: None,
            goal: None,
            is_goal_recorded: false,
            with_goal: VecDeque::new(),
            goals: None,
            line_count: 0,
            has_ended: false,
        }
    }

    /// Sets the goal of the search: the chosen one, or else that of the first board. Returns the
    /// latter.
    fn begin(&mut self, chosen: Option<GoalChoice>) -> Option<Goal> {
        let recorded = self.first_goal();
        let named = |goal: Goal| GoalChoice::read(&goal_name(&goal), None).ok();
        self.goal = chosen.or_else(|| recorded.and_then(named));
        self.is_goal_recorded = chosen.is_none() && recorded.is_some();
        recorded
    }

    /// Returns the goal of the first board, if that is a record or below names of columns with
    /// goals. A line without a board does not count. Its lines remain to be read.
    fn first_goal(&mut self) -> Option<Goal> {
        let mut start = Vec::new();
        let goal = self.goal_at_start(&mut start);
        let rest = mem::replace(&mut self.text, BufReader::new(Box::new(io::empty())));
        self.text = BufReader::new(Box::new(Cursor::new(start).chain(rest)));
        goal
    }

    /// Reads lines up to the first board, and adds them to `start`.
    fn goal_at_start(&mut self, start: &mut Vec<u8>) -> Option<Goal> {
        let format = self.format;
        let mut boards: Option<Columns> = None;
        let mut line_count = 0;
        while start.len() <= TEXT_BYTES_MAX {
            let begin = start.len();
            let read = self.text.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', start);
            read.ok().filter(|len| *len > 0)?;
            line_count += 1;
            let line = String::from_utf8_lossy(&start[begin..]);
            let line = line.trim_start_matches('\u{feff}');
            // The shape is unknown where no column is called a board.
            let (shape, goal) = if let Some(record) = InputRecord::read(line) {
                (
                    read_board(&record.board, format).ok().map(|board| Some(board.shape())),
                    record.goal,
                )
            } else if is_remark(line) {
                continue;
            } else if let Some(goals) = &self.goals {
                let shape = match boards {
                    Some(boards) => boards.read(line, format).ok().map(|board| Some(board.shape())),
                    None => Some(format.shape),
                };
                (shape, goals.column.text(line))
            } else {
                let column = Columns::of_goals(line)?;
                let name = column.text(line).unwrap_or_default();
                self.goals = Some(GoalColumn { column, name, line: line_count });
                self.boards.set_goals(column);
                boards = Columns::named(line);
                continue;
            };
            if let Some(shape) = shape {
                return read_goal(&goal?, shape)?.ok();
            }
        }
        None
    }

    /// Returns the board of a line that is a record, or else the line.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a record without a board, with another goal or one that is no board,
    /// or for any record if a blank is named.
    fn board_text(&mut self, line: String) -> Result<String, Error> {
        let Some(record) = InputRecord::read(&line) else {
            let goals = self.goals.as_ref().filter(|goals| self.line_count > goals.line);
            let goal =
                goals.filter(|_| !is_remark(&line)).and_then(|goals| goals.column.text(&line));
            self.with_goal.extend(goal.map(|goal| (self.line_count, goal)));
            return Ok(line);
        };
        let invalid = |(problem, remedy)| {
            let text = excerpt(&record.board, RECORD_CHARS_MAX);
            Error::Invalid { text, line: Some(self.line_count), problem, remedy }
        };
        if self.format.blank.is_some() {
            let problem = "the blank of records is 0: read them without naming a blank";
            return Err(invalid((problem.to_owned(), None)));
        }
        let board = read_board(&record.board, self.format).map_err(|error| {
            let error = Error::Text(error);
            invalid((error.to_string(), error.remedy()))
        })?;
        if let Some(goal) = record.goal.clone() {
            let checked = self.check_goal(&goal, board.shape());
            checked.map_err(|problem| invalid((problem, None)))?;
            self.with_goal.push_back((self.line_count, goal));
        }
        // The rows around it are no part of it.
        Ok(board.to_string())
    }

    /// Checks the goal of a board from these lines, or that it may do without one.
    fn check(&mut self, board: &Board, lines: RangeInclusive<u64>) -> Result<(), String> {
        while self.with_goal.front().is_some_and(|(line, _)| line < lines.start()) {
            self.with_goal.pop_front();
        }
        let mut goals =
            self.with_goal.iter().take_while(|(line, _)| lines.contains(line)).peekable();
        if goals.peek().is_none() {
            return self.check_without_goal(board);
        }
        goals.try_for_each(|(_, goal)| self.check_goal(goal, board.shape()))
    }

    /// Checks that a board without a goal may have that of the search.
    fn check_without_goal(&self, board: &Board) -> Result<(), String> {
        let usual = Goal::blank_last(board.shape());
        let expected = self.goal.filter(|_| self.is_goal_recorded);
        match expected.and_then(|choice| choice.goal(board.shape()).ok()) {
            Some(expected) if expected != usual => Err(format!(
                "it has no goal, so it has the usual one, {}, but the goal of the search is {}: \
                 solve boards with another goal apart",
                goal_name(&usual),
                goal_name(&expected)
            )),
            _ => Ok(()),
        }
    }

    /// Checks that the goal of a board of this shape is that of the search.
    fn check_goal(&self, text: &str, shape: Shape) -> Result<(), String> {
        let found = read_goal(text, Some(shape)).expect("the shape is known");
        let found = found.map_err(|problem| {
            let of_column = |goals: &GoalColumn| {
                let name = excerpt(&goals.name, WORD_CHARS_MAX);
                format!("; the column {name} is for goals: rename it if it holds something else")
            };
            let advice = self.goals.as_ref().map(of_column).unwrap_or_default();
            format!("its goal is no board: {problem}{advice}")
        })?;
        if found.shape() != shape {
            return Err(format!(
                "its goal {} is {}, but the board is {shape}: write the goal of a {shape} board",
                found.board(),
                found.shape()
            ));
        }
        let usual = Goal::blank_last(found.shape());
        let expected = match &self.goal {
            Some(choice) => choice.goal(found.shape()).unwrap_or(usual),
            None => usual,
        };
        if found == expected {
            return Ok(());
        }
        Err(format!(
            "its goal is {}, but the goal of the search is {}: solve boards with another goal apart",
            goal_name(&found),
            goal_name(&expected)
        ))
    }

    /// Reads a line, and keeps at most the length of the longest board; `None` at the end.
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
    type Item = Result<InputBoard, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(found) = self.found.pop_front() {
                let FoundBoard { first_line, last_line, board, text } = found;
                let line = Some(first_line);
                let board = board.map_err(|error| {
                    let error = Error::Text(error);
                    (error.to_string(), error.remedy())
                });
                let board = board.and_then(|board| {
                    let checked = self.check(&board, first_line..=last_line);
                    checked.map_or_else(|problem| Err((problem, None)), |()| Ok(board))
                });
                return Some(match board {
                    Ok(board) => Ok(InputBoard { board, line }),
                    Err((problem, remedy)) => Err(Error::Invalid { text, line, problem, remedy }),
                });
            }
            if let Some(problem) = self.refused.take() {
                return Some(Err(problem));
            }
            if self.has_ended {
                return None;
            }
            match self.line() {
                Ok(Some(line)) => match self.board_text(line) {
                    Ok(text) => self.found.extend(self.boards.push(&text)),
                    Err(problem) => {
                        self.found.extend(self.boards.push_refused());
                        self.refused = Some(problem);
                    }
                },
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
    fn random_board_files_are_read_or_refused() {
        let seeds =
            ["1 2 3/4 5 6/7 8 0\n# a remark\n\n1 2/3 0\r\n", "\u{feff}1 2 3 0\n", "x\n\0\n"];
        let words = ["\n", "#", "\r\n", "\u{feff}", "1 2/3 0", "\u{1b}[2J", "[[", "|"];
        read_anything("boards", &seeds, &words, &|| BoardReader::new(None));
    }

    #[test]
    fn random_column_files_are_read_or_refused() {
        let seeds = [
            "id,a1,b1,c1,a2,b2,c2,a3,b3,c3,length\n1,8,6,7,2,5,4,3,0,1,31\n2,1,2,3,4,5,6,7,0,8,1\n",
            "# Korf\n1 14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3 57 41 276361933\n\
             2 13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6 55 43 15300442\n",
            "1 8 6 7 2 5 4 3 0 1\n2 8 6 7 2 5 4 3 0 1\n3 1 2 3 4 5 6 7 0 8\n",
            "1\t8 6 7/2 5 4/3 0 1\t31\n2;\"867254301\";31\n",
        ];
        let words =
            ["\n", "#", "\t", ";", ",", "\"", "0", " 0 1 2 3 4 5 6 7 8 57 99", "x", "\u{1b}[2J"];
        let with_goals = [
            "board,goal\n1 2/3 0,1 2/3 0\n1 2/0 3,0 1/2 3\n0 1/2 3,snail\n",
            "goal,length\n820461375,24\n123456708,1\n",
            "1 2 3\n4 5 0\n{\"board\":\"1 2/3 0\",\"goal\":\"0 1/2 3\"}\n7 8 6\n",
            "1 8 6 7 2 5 4 3 0 1\n{\"board\":\"1 2/3 0\",\"goal\":\"x\"}\n2 8 6 7 2 5 4 3 0 1\n",
        ];
        let signs =
            ["\n", ",", "0 1/2 3", "snail", "{\"board\":\"1 2/0 3\",\"goal\":\"x\"}", "1 2 3"];
        read_anything("goals", &with_goals, &signs, &|| BoardReader::new(None));
        let of = |columns: &str| {
            let columns = columns.parse().expect("columns");
            BoardReader::of_table(columns, None).expect("columns of a board")
        };
        read_anything("tables", &seeds, &words, &|| BoardReader::new(None));
        read_anything("tables of 3x3", &seeds, &words, &|| BoardReader::new(Shape::new(3, 3).ok()));
        read_anything("columns", &seeds, &words, &|| of("2..10"));
        read_anything("a column", &seeds, &words, &|| of("2"));
    }

    /// Checks that a reader answers any input, in the order of the lines.
    fn read_anything(name: &str, seeds: &[&str], words: &[&str], boards: &dyn Fn() -> BoardReader) {
        let seeds: Vec<Vec<u8>> = seeds.iter().map(|text| text.as_bytes().to_vec()).collect();
        pdb_tests::fuzz::run(name, 2_000, &seeds, words, |bytes| {
            let mut answer = 0;
            let reader = Box::new(Cursor::new(bytes.to_vec()));
            let mut lines =
                Lines::new("boards".to_owned(), reader, boards(), BoardFormat::default());
            lines.begin(None);
            let mut last = 0;
            for given in lines.by_ref() {
                let line = match given {
                    Err(Error::Invalid { text, problem, line, .. }) => {
                        // The text has no control characters, so it cannot affect a terminal.
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

    #[cfg(feature = "build")]
    #[test]
    fn records_are_read_with_their_goal() {
        let read = |text: &str, goal: Option<GoalChoice>| {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("records.ndjson");
            pdb_gen::write_file(&path, text.as_bytes()).expect("a file");
            let named = InputOptions { goal, ..InputOptions::default() }.file(&path);
            let named = named.expect("an open file");
            (named.goal, named.boards.collect::<Vec<_>>())
        };
        let record = |goal: &str| format!(r#"{{"board":"1 2 3/4 5 6/7 0 8","goal":{goal},"n":1}}"#);
        let last = record(r#""1 2 3/4 5 6/7 8 0""#);
        let first = record(r#""0 1 2/3 4 5/6 7 8""#);
        let (goal, boards) =
            read(&format!("{last}\n1 2 3/4 0 6/7 5 8\n{}\n", record("null")), None);
        assert_eq!((goal, boards.len()), (None, 3));
        assert!(boards.iter().all(Result::is_ok), "{boards:?}");
        let (goal, boards) = read(&format!("{first}\n{first}"), None);
        assert_eq!((goal.map(|goal| goal.home(0)), boards.len()), (Some(0), 2));
        assert!(boards.iter().all(Result::is_ok), "{boards:?}");
        for (text, chosen) in [
            (format!("{first}\n{last}\n{first}"), None),
            (format!("{first}\n{last}\n{first}"), Some(GoalChoice::Preset(Goal::blank_first))),
        ] {
            let (_, boards) = read(&text, chosen);
            let wrong: Vec<_> = boards.iter().filter_map(|board| board.as_ref().err()).collect();
            let [Error::Invalid { line: Some(2), problem, .. }] = &wrong[..] else {
                panic!("{boards:?}");
            };
            assert!(problem.contains("is blank-last, but the goal of the search is blank-first"));
        }
    }

    #[cfg(feature = "build")]
    #[test]
    fn goals_are_never_ignored() {
        let read = |text: &str| {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("boards.csv");
            pdb_gen::write_file(&path, text.as_bytes()).expect("a file");
            let named = InputOptions::default().file(&path).expect("an open file");
            let is_good = named.boards.map(|board| board.is_ok()).collect::<Vec<_>>();
            (named.goal.map(|goal| goal.home(0)), is_good)
        };
        let table = "board,goal\n1 2 3/4 5 6/7 0 8,0 1 2/3 4 5/6 7 8\n8 7 6/5 4 3/2 1 0,";
        // A board without a goal has the usual one.
        let first = (Some(0), vec![true, false]);
        assert_eq!(read(table), first);
        let other = (Some(0), vec![true, false, false, false]);
        assert_eq!(
            read(&format!("{table}\n1 2 3/4 5 6/7 0 8,1 2 3/4 5 6/7 8 0\n1 0/2 3,x")),
            other
        );
        for names in [
            "\u{feff}board,goal",
            "# remark\n\nstart,target",
            "start,end",
            "initial,final",
            "Start_State,Goal-State",
            "start，finish",
            "board,Ziel",
        ] {
            let table = table.replace("board,goal", names);
            assert_eq!(read(&format!("{table}\n# a, b")), first, "{names}");
        }
        // A column of boards that is not known to hold goals.
        for names in ["puzzle,solution", "scramble,goal", "a,b"] {
            let (_, are_good) = read(&table.replace("board,goal", names));
            assert!(!are_good[0], "{names}");
        }
        // The goal of a line without a board does not count.
        let invalid = table.replacen("1 2 3/4 5 6/7 0 8,0", "1 2 3/4 5 6/7 0 7,2", 1);
        assert_eq!(read(&invalid), (None, vec![false, true]));
        let record = |goal: &str| format!(r#"{{"board":"1 2 3/4 0 5","goal":"{goal}"}}"#);
        let wrong = r#"{"board":"1 1 3/4 0 5","goal":"1 0 2/3 4 5"}"#;
        let good = record("0 1 2/3 4 5");
        assert_eq!(read(&format!("{wrong}\n{good}")), (Some(0), vec![false, true]));
        let plain = "1 2 3/4 0 5";
        assert_eq!(read(&format!("{good}\n{plain}\n{good}")), (Some(0), vec![true, false, true]));
        assert_eq!(read(&format!("{plain}\n{good}")), (None, vec![true, false]));
        for goal in ["junk", "1 2 3/4 5 5"] {
            assert_eq!(read(&record(goal)), (None, vec![false]));
            let text = format!("{}\n{}", record("0 1 2/3 4 5"), record(goal));
            assert_eq!(read(&text), (Some(0), vec![true, false]));
        }
    }

    #[cfg(feature = "build")]
    #[test]
    fn refused_lines_end_rows_wrongly_and_keep_their_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("boards");
        let read = |text: &str| {
            pdb_gen::write_file(&path, text.as_bytes()).expect("a file");
            let named = InputOptions::default().file(&path).expect("an open file");
            let boards = named.boards.map(|given| match given {
                Ok(given) => (given.line, Ok(given.board.to_string())),
                Err(Error::Invalid { line, problem, .. }) => (line, Err(problem)),
                Err(other) => panic!("{other}"),
            });
            boards.collect::<Vec<_>>()
        };
        let other = r#"{"board":"1 2/3 0","goal":"0 1/2 3"}"#;
        for record in [other, r#"{"board":"1 2/3 3"}"#, r#"{"board":"7 8 6"}"#] {
            let given = read(&format!("1 2 3\n4 5 0\n{record}\n7 8 6\n"));
            assert!(given.iter().all(|(_, board)| board.is_err()), "{record}: {given:?}");
            assert_eq!(
                given[..2].iter().map(|(line, _)| *line).collect::<Vec<_>>(),
                [Some(1), Some(3)]
            );
        }
        // The row of a record is no row of the board around it.
        let given = read("{\"board\":\"1 2 3 0\"}\n1 2/0 3\n");
        assert_eq!(given[0], (Some(1), Ok("1 2/3 0".to_owned())));
        for text in [
            "goal,length\n820461375,24\n123456708,1\n",
            "1 8 6 7 2 5 4 3 0 1\n{\"board\":\"1 2/3 0\",\"goal\":\"0 1/2 3\"}\n",
        ] {
            let lines: Vec<_> = read(text).into_iter().filter_map(|(line, _)| line).collect();
            assert!(lines.len() > 1 && lines.is_sorted(), "{text}: {lines:?}");
        }
    }

    #[cfg(feature = "build")]
    #[test]
    fn columns_of_goals_have_names_of_goals_or_say_that_they_hold_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("boards.csv");
        let read = |text: &str| {
            pdb_gen::write_file(&path, text.as_bytes()).expect("a file");
            let named = InputOptions::default().file(&path).expect("an open file");
            (named.goal, named.boards.collect::<Vec<_>>())
        };
        let shape = Shape::new(3, 3).expect("a shape");
        let (goal, boards) = read("board,goal\n820461375,snail\n123456708,blank-last\n");
        assert_eq!(goal, Some(Goal::snail(shape)));
        assert!(boards[0].is_ok() && boards[1].is_err(), "{boards:?}");
        let (goal, boards) = read("{\"board\":\"820461375\",\"goal\":\"blank-last\"}\n");
        assert!(goal.is_none() && boards[0].is_ok(), "{boards:?}");
        for name in ["end", "finish", "final"] {
            for (_, boards) in
                ["24", "true"].map(|cell| read(&format!("board,{name}\n820461375,{cell}\n")))
            {
                let Err(Error::Invalid { problem, .. }) = &boards[0] else { panic!("{boards:?}") };
                assert!(
                    problem.contains(&format!("the column {name} is for goals: rename it")),
                    "{problem}"
                );
            }
        }
    }

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
        assert_eq!(named.single, Some(*drawn.board()));
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
        let set = named(&["korf50"]).expect("a set");
        assert_eq!((set.count, set.goal.map(|goal| goal.shape().rows())), (Some(50), Some(5)));
        let hardest = named(&["hardest"]).expect("a set");
        assert_eq!((hardest.count, hardest.goal, hardest.boards.count()), (Some(17), None, 17));
        let one = named(&["walk:7:1:1"]).expect("a set of one board");
        assert!(one.single.is_some());
        assert!(matches!(named(&["optimum:90..99:5:1"]), Err(Error::Window { .. })));
        let mixed = named(&["random:5:1", "1 2 3/4 5 6/7 0 8"]).expect("a set and a board");
        assert_eq!(mixed.boards.count(), 6);
        assert!(matches!(named(&["nowhere.txt"]), Err(Error::Unreadable { .. })));
        assert!(matches!(named(&["1 2 3/4 5 6/7 8 8"]), Err(Error::Text(_))));
        assert!(matches!(named(&["random:5"]), Err(Error::Set { .. })));
    }
}
