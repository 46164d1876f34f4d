//! Boards of a file, with the goals that it has beside them.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};

use pdb_core::excerpt::excerpt;
use pdb_core::{Board, Goal, Shape};
use serde_json::{Map, Value};

use crate::error::Error;
use crate::names::{GoalChoice, goal_name};
use crate::remedy::Remedy;
use crate::text::{
    BoardFormat, BoardReader, BoardTextError, FoundBoard, TEXT_BYTES_MAX, TextErrorKind, read_board,
};

/// Longest part of a line that is kept, in bytes: one more than a board may have, so that a longer
/// line is recognised.
const LINE_BYTES_MAX: u64 = TEXT_BYTES_MAX as u64 + 1;
/// Longest line of a file of boards, including its end, in bytes. A longer one may come from a
/// device that never ends a line.
const LINE_END_BYTES_MAX: u64 = 1 << 20;
/// Longest board of a record in an error, in characters.
const RECORD_CHARS_MAX: usize = 200;
/// Number of boards or errors that are read before the search for the first goal ends.
const FIRST_MAX: usize = 64;

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

/// A board of a file with its goal, or why it is none.
struct Item {
    line: u64,
    text: String,
    goal: Option<String>,
    board: Result<Board, (String, Option<Remedy>)>,
}

/// Boards among the lines of a text, which is read as needed.
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of the file")]
pub(super) struct BoardFile {
    name: String,
    text: BufReader<Box<dyn Read + Send>>,
    boards: BoardReader,
    format: BoardFormat,
    /// Whether boards come in twos, a board and its goal.
    has_pairs: bool,
    /// Whether the file is records. The first line with content decides.
    has_records: Option<bool>,
    found: VecDeque<Item>,
    /// Items that were read to know the first goal.
    ready: VecDeque<Item>,
    /// The goal that all boards must have.
    goal: Option<GoalChoice>,
    /// Whether it is that of the first board, so that boards without a goal need not have it.
    is_goal_recorded: bool,
    /// Whether a pair was wrong, so that what follows may be a board or a goal.
    is_lost: bool,
    line_count: u64,
    has_ended: bool,
    /// The error that ended the text.
    error: Option<io::Error>,
}

impl BoardFile {
    pub(super) fn new(
        name: String,
        reader: Box<dyn Read + Send>,
        mut boards: BoardReader,
        format: BoardFormat,
        has_pairs: bool,
    ) -> Self {
        if has_pairs {
            boards.allow_goals();
        }
        Self {
            name,
            text: BufReader::new(reader),
            boards,
            format,
            has_pairs,
            has_records: None,
            found: VecDeque::new(),
            ready: VecDeque::new(),
            goal: None,
            is_goal_recorded: false,
            is_lost: false,
            line_count: 0,
            has_ended: false,
            error: None,
        }
    }

    /// Sets the goal of the search: the chosen one, or else that of the first board, which is
    /// returned.
    pub(super) fn begin(&mut self, chosen: Option<GoalChoice>) -> Option<Goal> {
        let recorded = self.first_goal();
        let named = |goal: Goal| GoalChoice::read(&goal_name(&goal), None).ok();
        self.goal = chosen.or_else(|| recorded.and_then(named));
        self.is_goal_recorded = chosen.is_none() && recorded.is_some();
        recorded
    }

    /// Returns the goal of the first board, if boards have goals. A wrong board does not count.
    fn first_goal(&mut self) -> Option<Goal> {
        while !self.has_ended && (self.has_records.is_none() || self.boards.may_have_goals()) {
            self.read_line();
        }
        let has_goals = self.has_pairs || self.has_records == Some(true) || self.boards.has_goals();
        while has_goals && self.ready.len() < FIRST_MAX {
            let item = self.item()?;
            let first = item.board.as_ref().ok().map(Board::shape);
            let goal = item.goal.clone();
            self.ready.push_back(item);
            if let Some(shape) = first {
                return read_goal(&goal?, shape).ok();
            }
        }
        None
    }

    /// Returns the next board with its goal, or the next error of a text.
    fn item(&mut self) -> Option<Item> {
        let first = self.next_found()?;
        if !self.has_pairs || first.goal.is_some() {
            return Some(first);
        }
        let wrong = |item: &Item, problem: &str| Item {
            line: item.line,
            text: item.text.clone(),
            goal: None,
            board: Err((problem.to_owned(), None)),
        };
        if self.is_lost {
            let problem = "it follows a pair that is wrong, so whether it is a board or a goal is \
                           unsure: correct that first";
            return Some(wrong(&first, problem));
        }
        self.is_lost = true;
        if first.board.is_err() {
            return Some(first);
        }
        let Some(second) = self.next_found() else {
            return Some(wrong(&first, "it has no goal: expected a board and its goal in turn"));
        };
        match second.board {
            Err(_) => Some(second),
            Ok(goal) => {
                self.is_lost = false;
                Some(Item { goal: Some(goal.to_string()), ..first })
            }
        }
    }

    fn next_found(&mut self) -> Option<Item> {
        while self.found.is_empty() && !self.has_ended {
            self.read_line();
        }
        self.found.pop_front()
    }

    /// Reads a line.
    fn read_line(&mut self) {
        let line = match self.line() {
            Ok(Some(line)) => line,
            Ok(None) => {
                let rest = self.boards.end();
                return self.finish(rest, None);
            }
            Err(error) => return self.finish(Vec::new(), Some(error)),
        };
        let text = line.trim_start_matches('\u{feff}').trim();
        if self.has_records.is_none() {
            let record = text.starts_with('{').then(|| read_object(text));
            if record.flatten().is_some_and(|record| record.contains_key("board")) {
                self.has_records = Some(true);
            }
        }
        if self.has_records != Some(true) {
            let found = self.boards.push(&line);
            self.found.extend(found.into_iter().map(|found| item_of(found, self.has_pairs)));
            if self.boards.has_content() {
                self.has_records = Some(false);
            }
        } else if !text.is_empty() && !text.starts_with('#') {
            let record = self.record(text);
            self.found.push_back(record);
        }
    }

    fn finish(&mut self, rest: Vec<FoundBoard>, error: Option<io::Error>) {
        self.found.extend(rest.into_iter().map(|found| item_of(found, self.has_pairs)));
        self.has_ended = true;
        self.error = error;
    }

    /// Reads a record: a JSON object with the keys `board` and, if it has one, `goal`.
    fn record(&self, line: &str) -> Item {
        let text_of = |value: &Value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let record = read_object(line);
        let field = |key| record.as_ref()?.get(key).filter(|value| !value.is_null());
        let written = field("board").map(text_of);
        let board = match &written {
            None => Err((
                "this is no record: expected an object with a board, as on the lines above"
                    .to_owned(),
                None,
            )),
            Some(_) if self.format.blank.is_some() => Err((
                "the blank of records is 0: read them without naming a blank".to_owned(),
                None,
            )),
            Some(text) => read_board(text, self.format).map_err(problem_of),
        };
        Item {
            line: self.line_count,
            text: excerpt(written.as_deref().unwrap_or(line), RECORD_CHARS_MAX),
            goal: field("goal").map(text_of),
            board,
        }
    }

    /// Returns what to do about a goal that is none.
    fn advice(&self) -> &'static str {
        let is_column = self.has_records != Some(true) && !self.has_pairs;
        if is_column { "; rename its column if it holds something else" } else { "" }
    }

    /// Checks that the goal of a board is that of the search.
    fn check(&self, board: &Board, goal: Option<&str>) -> Result<(), String> {
        let usual = Goal::blank_last(board.shape());
        let expected = match &self.goal {
            Some(choice) => choice.goal(board.shape()).unwrap_or(usual),
            None => usual,
        };
        let found = match goal {
            Some(text) => read_goal(text, board.shape())
                .map_err(|problem| format!("its goal is no board: {problem}{}", self.advice()))?,
            None if self.is_goal_recorded => usual,
            None => return Ok(()),
        };
        if found.shape() != board.shape() {
            return Err(format!(
                "its goal {} is {}, but the board is {shape}: write the goal of a {shape} board",
                found.board(),
                found.shape(),
                shape = board.shape()
            ));
        }
        if found == expected {
            return Ok(());
        }
        let has = match goal {
            Some(_) => "its goal is",
            None => "it has no goal, so it has the usual one,",
        };
        Err(format!(
            "{has} {}, but the goal of the search is {}: solve boards with another goal apart",
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
        // A remark may have any length.
        if bytes.first() == Some(&b'#') {
            bytes.truncate(RECORD_CHARS_MAX);
        }
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }
}

impl Iterator for BoardFile {
    type Item = Result<InputBoard, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let Some(item) = self.ready.pop_front().or_else(|| self.item()) else {
            let source = self.error.take()?;
            return Some(Err(Error::Input { name: self.name.clone(), source }));
        };
        let Item { line, text, goal, board } = item;
        let checked = board.and_then(|board| match self.check(&board, goal.as_deref()) {
            Ok(()) => Ok(board),
            Err(problem) => Err((problem, None)),
        });
        let line = Some(line);
        Some(match checked {
            Ok(board) => Ok(InputBoard { board, line }),
            Err((problem, remedy)) => Err(Error::Invalid { text, line, problem, remedy }),
        })
    }
}

/// Returns the message and the remedy of a text that is no board.
fn problem_of(error: BoardTextError) -> (String, Option<Remedy>) {
    let error = Error::Text(error);
    (error.to_string(), error.remedy())
}

/// Returns a board or an error of the reader. Among pairs, two columns are a board and its goal.
fn item_of(found: FoundBoard, has_pairs: bool) -> Item {
    let FoundBoard { first_line, text, goal, board, .. } = found;
    let two = board.as_ref().err().map(BoardTextError::kind).filter(|_| has_pairs);
    if let Some(TextErrorKind::MayBeTable { first: (columns, start), second: Some((_, end)) }) = two
        && !columns.contains("..")
    {
        return Item { line: first_line, text, goal: Some(end.to_string()), board: Ok(**start) };
    }
    Item { line: first_line, text, goal, board: board.map_err(problem_of) }
}

/// Reads an object. An array of objects has a comma after each.
fn read_object(line: &str) -> Option<Map<String, Value>> {
    serde_json::from_str(line.trim_end_matches(',')).ok()
}

/// Reads the goal of a board of this shape: a board, or the name of a goal.
fn read_goal(text: &str, shape: Shape) -> Result<Goal, BoardTextError> {
    match GoalChoice::preset(text.trim()) {
        Some(preset) => preset.goal(shape).map_err(|_| TextErrorKind::Empty.into()),
        None => read_board(text, None).map(Goal::new),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::super::input::InputOptions;
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
            let format = BoardFormat::default();
            let mut lines = BoardFile::new("boards".to_owned(), reader, boards(), format, false);
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

    /// Reads a text as a file: its goal, unless it is the usual one, and its boards.
    fn read(text: &str, options: &InputOptions) -> (Option<Goal>, Vec<Result<InputBoard, Error>>) {
        let reader = Box::new(Cursor::new(text.as_bytes().to_vec()));
        let named = options.read("boards".to_owned(), reader).expect("no columns are named");
        (named.goal, named.boards.collect())
    }

    /// Returns the cell of the blank at the goal, and whether each board is good.
    fn are_good(text: &str, options: &InputOptions) -> (Option<usize>, Vec<bool>) {
        let (goal, boards) = read(text, options);
        (goal.map(|goal| goal.home(0).into()), boards.iter().map(Result::is_ok).collect())
    }

    #[test]
    fn records_are_read_with_their_goal() {
        let read = |text: &str, goal: Option<GoalChoice>| {
            read(text, &InputOptions { goal, ..InputOptions::default() })
        };
        let record = |goal: &str| format!(r#"{{"board":"1 2 3/4 5 6/7 0 8","goal":{goal},"n":1}}"#);
        let last = record(r#""1 2 3/4 5 6/7 8 0""#);
        let first = record(r#""0 1 2/3 4 5/6 7 8""#);
        let (goal, boards) =
            read(&format!("{last}\n1 2 3/4 0 6/7 5 8\n{}\n", record("null")), None);
        assert_eq!((goal, boards.len()), (None, 3));
        let are_good: Vec<bool> = boards.iter().map(Result::is_ok).collect();
        assert_eq!(are_good, [true, false, true], "a board amid records: {boards:?}");
        let arrays = r#"{"board":[[1,2,3],[4,5,6],[7,0,8]],"goal":[1,2,3,4,5,6,7,8,0]}"#;
        let (goal, boards) = read(&format!("{arrays}\n{last}"), None);
        assert!(goal.is_none() && boards.iter().all(Result::is_ok), "{boards:?}");
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

    #[test]
    fn goals_are_never_ignored() {
        let read = |text: &str| are_good(text, &InputOptions::default());
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

    #[test]
    fn refused_lines_end_rows_wrongly_and_keep_their_place() {
        let read = |text: &str| {
            let (_, boards) = read(text, &InputOptions::default());
            let boards = boards.into_iter().map(|given| match given {
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

    #[test]
    fn columns_of_goals_have_names_of_goals_or_say_that_they_hold_none() {
        let read = |text: &str| read(text, &InputOptions::default());
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
                assert!(problem.contains("rename its column"), "{problem}");
            }
        }
    }

    #[test]
    fn pairs_are_boards_and_their_goals() {
        let options = InputOptions { pairs: true, ..InputOptions::default() };
        let read = |text: &str| are_good(text, &options);
        let (start, goal) = ("1 2 3/4 5 6/7 0 8", "0 1 2/3 4 5/6 7 8");
        let [rows, goal_rows] = [start, goal].map(|board| board.replace('/', "\n"));
        for text in [
            format!("{start}\n{goal}\n{start}\n{goal}"),
            format!("{start},{goal}\n{start},{goal}"),
            format!("{rows}\n\n{goal_rows}\n\n{rows}\n\n{goal_rows}"),
            format!("Start:\n{rows}\nGoal:\n{goal_rows}\nStart:\n{rows}\nGoal:\n{goal_rows}"),
            format!("{rows}\n-----\n{goal_rows}\n\n{rows}\n-----\n{goal_rows}"),
            format!("start = \"{start}\"\ngoal = \"{goal}\"\n{start}\n{goal}"),
        ] {
            assert_eq!(read(&text), (Some(0), vec![true, true]), "{text}");
        }
        // A goal of another board, a board without a goal, and what follows a wrong pair.
        let other = "1 2 3/4 5 6/7 8 0";
        assert_eq!(
            read(&format!("{start}\n{goal}\n{start}\n{other}")),
            (Some(0), vec![true, false])
        );
        assert_eq!(read(&format!("{start}\n{goal}\n{start}")), (Some(0), vec![true, false]));
        let wrong = format!("{start}\n1 2 3/4 5 6/7 7 0\n{start}\n{goal}");
        assert_eq!(read(&wrong), (None, vec![false, false, false]));
    }

    #[test]
    fn instances_of_other_programs_have_their_goal() {
        let cells = |cells: [u8; 9]| cells.map(|cell| format!("{cell}\n")).concat();
        let text = format!(
            "3 3\nstarting positions for each tile:\n{}goal positions:\n{}",
            cells([1, 0, 2, 3, 4, 5, 6, 7, 8]),
            cells([0, 1, 2, 3, 4, 5, 6, 7, 8])
        );
        let read = |text: &str| read(text, &InputOptions::default());
        let (goal, boards) = read(&text);
        assert_eq!(goal.map(|goal| goal.home(0)), Some(0));
        let board = boards[0].as_ref().expect("a board").board;
        assert_eq!(board.to_string(), "1 0 2/3 4 5/6 7 8");
        for wrong in [
            text.replace("3 3", "3 4"),
            text.replace("goal positions:\n0", "goal positions:\n1"),
            text.replace("goal positions:\n", ""),
            text.replacen("7\n", "", 1),
        ] {
            let (_, boards) = read(&wrong);
            assert!(boards.len() == 1 && boards[0].is_err(), "{wrong}: {boards:?}");
        }
    }
}
