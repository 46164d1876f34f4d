//! Parameters of a request: boards, limits and numbers.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use tilebase::names::GoalChoice;
use tilebase::text::{
    BlankSign, BoardFormat, BoardTextError, MoveNaming, MoveStyle, WrittenMoves, read_board,
    read_time,
};
use tilebase::{Board, Error, Metric, Shape};

use crate::problem::Problem;

/// Longest text of a goal, in bytes. It is part of the cache's key.
const GOAL_BYTES_MAX: usize = 1000;

/// Query parameters of a request. Each name occurs once.
#[derive(Clone, Debug)]
pub struct Params(Vec<(String, String)>);

/// Name of the parameter that says what counts as one move.
const METRIC: &str = "metric";

impl Params {
    /// Reads a query string. Empty values count as missing, except that of the metric.
    ///
    /// # Errors
    /// A [`Problem`] if a name occurs twice.
    pub fn read(query: &str) -> Result<Self, Problem> {
        let mut named: Vec<(String, String)> = Vec::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if named.iter().any(|(known, _)| *known == name) {
                return Err(Problem::bad(format!("{name:.40} is given twice: expected it once")));
            }
            // Forms send empty fields. A metric that is left out changes the meaning of lengths.
            if !value.trim().is_empty() || name == METRIC {
                named.push((name.into_owned(), value.into_owned()));
            }
        }
        Ok(Self(named))
    }

    /// Rejects parameters with other names.
    ///
    /// # Errors
    /// A [`Problem`] that lists the known names.
    pub fn only(self, known: &[&str]) -> Result<Self, Problem> {
        match self.0.iter().find(|(name, _)| !known.contains(&name.as_str())) {
            Some((name, _)) if known.is_empty() => {
                Err(Problem::bad(format!("there is a parameter {name:.40?}: expected none")))
            }
            Some((name, _)) => Err(Problem::bad(format!(
                "there is no parameter {name:.40?} here: expected {}",
                known.join(", ")
            ))),
            None => Ok(self),
        }
    }

    /// Returns a parameter as text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Reads one of some words. The first one is the default.
    ///
    /// # Errors
    /// A [`Problem`] that lists the words.
    pub fn word<T: Clone>(&self, name: &str, words: &[(&str, T)]) -> Result<T, Problem> {
        let Some(text) = self.text(name) else { return Ok(words[0].1.clone()) };
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| value.clone());
        found.ok_or_else(|| {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            Problem::bad(format!("{name} is {text:.40?}: expected {}", known.join(", ")))
        })
    }

    /// Reads a number of a range, with a default.
    ///
    /// # Errors
    /// A [`Problem`] with the range.
    pub fn number<T>(&self, name: &str, default: T, range: RangeInclusive<T>) -> Result<T, Problem>
    where
        T: FromStr + PartialOrd + Display,
    {
        let Some(text) = self.text(name) else { return Ok(default) };
        match text.trim().parse() {
            Ok(number) if range.contains(&number) => Ok(number),
            _ => Err(Problem::bad(format!(
                "{name} is {text:.40?}: expected a number from {} to {}",
                range.start(),
                range.end()
            ))),
        }
    }

    /// Reads the board, which is required.
    ///
    /// # Errors
    /// A [`Problem`] if there is none, or its text is no board.
    pub fn board(&self) -> Result<Board, Problem> {
        let text = self.text("board").ok_or_else(|| {
            Problem::bad("the parameter board is missing: expected one such as 1,2,3/4,5,6/0,7,8")
        })?;
        Ok(read_board(text, self.format()?).map_err(Error::from)?)
    }

    /// Reads the goal: a name, or a board with 0 for the blank.
    ///
    /// # Errors
    /// A [`Problem`] if `blank` names the blank, and the goal is neither a name nor a board.
    pub fn goal(&self) -> Result<Option<String>, Problem> {
        let (Some(text), format) = (self.text("goal"), self.format()?) else { return Ok(None) };
        if format.blank.is_none() || GoalChoice::preset(text).is_some() {
            return Ok(Some(text.to_owned()));
        }
        Ok(Some(read_goal(text, format)?.to_string()))
    }

    /// Reads what counts as one move.
    ///
    /// # Errors
    /// A [`Problem`] that lists the metrics.
    pub fn metric(&self) -> Result<Metric, Problem> {
        let Some(text) = self.text(METRIC) else { return Ok(Metric::default()) };
        text.parse().map_err(|problem| Problem::bad(format!("the parameter metric: {problem}")))
    }

    /// Reads the sign of the blank of boards and goals.
    fn format(&self) -> Result<BoardFormat, Problem> {
        let Some(text) = self.text("blank") else { return Ok(BoardFormat::default()) };
        let problem = |error: BoardTextError| Problem::bad(format!("the parameter blank: {error}"));
        let blank: BlankSign = text.parse().map_err(problem)?;
        Ok(BoardFormat { shape: None, blank: Some(blank) })
    }

    /// Reads a shape such as 4x4.
    ///
    /// # Errors
    /// A [`Problem`] if the text is no shape.
    pub fn shape(&self) -> Result<Option<Shape>, Problem> {
        let Some(text) = self.text("shape") else { return Ok(None) };
        let shape = text.parse::<Shape>().ok();
        let problem = || {
            Problem::bad(format!(
                "shape is {text:.40?}: expected rows and columns such as 4x4, with 2 to 64 cells"
            ))
        };
        shape.map(Some).ok_or_else(problem)
    }

    /// Reads the notation of moves.
    ///
    /// # Errors
    /// A [`Problem`] that lists the notations.
    pub fn style(&self) -> Result<MoveStyle, Problem> {
        let words = [
            ("tile", MoveNaming::Tile),
            ("blank", MoveNaming::Blank),
            ("tiles", MoveNaming::Tiles),
        ];
        Ok(MoveStyle { naming: self.word("moves", &words)?, counted: false })
    }

    /// Reads the moves of the parameter `sequence`; there are none if it is missing.
    ///
    /// # Errors
    /// A [`Problem`] if the text is no list of moves, or that of the [style](Self::style).
    pub fn sequence(&self) -> Result<WrittenMoves, Problem> {
        let text = self.text("sequence").unwrap_or_default();
        let problem = |error| Problem::bad(format!("the parameter sequence: {error}"));
        let names_blank = self.style()?.naming == MoveNaming::Blank;
        WrittenMoves::parse(text, names_blank).map_err(problem)
    }

    /// Reads a time, such as `500ms` or `10s`.
    ///
    /// # Errors
    /// A [`Problem`] if the text is no time.
    pub fn time(&self, name: &str) -> Result<Option<Duration>, Problem> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let problem = |error| Problem::bad(format!("{name} is {text:.40?}: {error}"));
        read_time(text).map(Some).map_err(problem)
    }
}

/// Reads a goal that is a board.
pub(crate) fn read_goal(text: &str, format: BoardFormat) -> Result<Board, Problem> {
    if text.len() > GOAL_BYTES_MAX {
        return Err(Problem::bad(format!(
            "the goal has {} bytes: expected at most {GOAL_BYTES_MAX}",
            text.len()
        )));
    }
    read_board(text, format).map_err(|problem| {
        Problem::bad(format!(
            "the goal: {problem}; expected blank-last, blank-first, snail, or a board"
        ))
    })
}
