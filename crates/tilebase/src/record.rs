//! Results as objects for programs, as `--format ndjson` prints them. Each implementation of
//! [`Serialize`] below is the list of an object's keys, in their order. Also lines of CSV.

use std::borrow::Cow;
use std::fmt::Display;
use std::time::Duration;

use pdb_core::{Board, Direction};
use pdb_search::{LimitKind, Status};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::answer::Answer;
use crate::error::Error;
use crate::moves::{LengthCount, MoveCheck, MoveValue, MoveValues, SolutionSet};
use crate::names::goals_of;
use crate::text::{MoveStyle, format_moves};

/// The object of a result, with its moves written in a style.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a, T> {
    result: &'a T,
    style: MoveStyle,
}

impl<'a, T> Record<'a, T> {
    /// Creates the object of a result.
    pub fn new(result: &'a T, style: MoveStyle) -> Self {
        Self { result, style }
    }
}

impl Record<'_, Answer> {
    /// Returns the object as one line of JSON, without a line end.
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("texts and numbers are JSON")
    }
}

/// One of the solutions of a board.
#[derive(Clone, Copy, Debug)]
pub struct Solution<'a> {
    /// The answer to the board itself.
    pub answer: &'a Answer,
    /// The number of the solution, from 1.
    pub number: u64,
    /// The moves.
    pub moves: &'a [Direction],
}

/// Status of a board without an [`Answer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The text is not a board.
    Invalid,
    /// Nothing can search the board.
    Failed,
}

impl FailureKind {
    /// Returns the status of a board by its error.
    pub fn of(error: &Error) -> Self {
        if matches!(error, Error::NoEngine { .. }) { Self::Failed } else { Self::Invalid }
    }

    /// Returns the name in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::Failed => "failed",
        }
    }
}

/// The object of a board without an [`Answer`]. It has the keys of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The board, or the text that is not a board.
    pub board: String,
    /// The status.
    pub kind: FailureKind,
    /// The problem.
    pub error: String,
}

/// Total cost of a stream's searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Totals {
    /// Number of answered boards that were searched.
    pub boards: u64,
    /// Nodes generated.
    pub generated: u64,
    /// Look-ups into tables, without those of the roots.
    pub lookups: u64,
    /// Elapsed time from the first board to the last answer of each run, in seconds.
    pub seconds: f64,
}

impl Totals {
    /// Returns the cost of a single search.
    pub fn of(answer: &Answer) -> Self {
        let Answer { generated, lookups, elapsed, .. } = *answer;
        // Parity answers a board without a search.
        let boards = u64::from(answer.spec.is_some());
        Self { boards, generated, lookups, seconds: elapsed.as_secs_f64() }
    }

    pub(crate) fn add(&mut self, answer: &Answer) {
        self.boards += 1;
        self.generated += answer.generated;
        self.lookups += answer.lookups;
    }
}

/// An object that is being written.
struct Object<M>(M);

impl<M: SerializeMap> Object<M> {
    fn begin<S: Serializer<SerializeMap = M, Ok = M::Ok, Error = M::Error>>(
        serializer: S,
    ) -> Result<Self, M::Error> {
        serializer.serialize_map(None).map(Self)
    }

    fn set(&mut self, key: &str, value: impl Serialize) -> Result<(), M::Error> {
        self.0.serialize_entry(key, &value)
    }

    fn set_text(&mut self, key: &str, value: impl Display) -> Result<(), M::Error> {
        self.set(key, value.to_string())
    }

    /// Leaves the key out if there is no value.
    fn set_some(&mut self, key: &str, value: Option<impl Serialize>) -> Result<(), M::Error> {
        value.map_or(Ok(()), |value| self.set(key, value))
    }

    /// Sets a time in seconds, rounded to microseconds.
    fn set_seconds(&mut self, time: Duration) -> Result<(), M::Error> {
        self.set("seconds", (time.as_secs_f64() * 1e6).round() / 1e6)
    }

    /// Sets the first keys of most objects: the board and the status of its search.
    fn set_head(&mut self, answer: &Answer) -> Result<(), M::Error> {
        self.set_text("board", answer.board)?;
        self.set_goal(answer)?;
        self.set("spec", &answer.spec)?;
        self.set("status", answer.status.kind().name())?;
        self.set_some("tables_checked", (!answer.is_checked).then_some(false))
    }

    /// Sets the goal, and the metric if it is not the usual one.
    fn set_goal(&mut self, answer: &Answer) -> Result<(), M::Error> {
        self.set_text("goal", answer.goal.board())?;
        self.set_some("metric", answer.metric.unusual_name())
    }

    /// Sets the keys of an [`Answer`] up to those that say why there is no optimum, with the nodes
    /// and the time of the answer, or of the answer together with related searches.
    fn set_answer(
        &mut self,
        answer: &Answer,
        [generated, expanded]: [u64; 2],
        elapsed: Duration,
        style: MoveStyle,
    ) -> Result<(), M::Error> {
        self.set_head(answer)?;
        let style = style.in_metric(answer.metric);
        self.set("length", answer.length())?;
        self.set("moves", answer.moves().map(|moves| format_moves(&answer.board, moves, style)))?;
        self.set("initial_estimate", answer.initial_estimate)?;
        self.set("generated", generated)?;
        self.set("expanded", expanded)?;
        self.set_seconds(elapsed)?;
        self.set_lower_bound(answer)?;
        self.set_some("optimum", answer.optimum)
    }

    /// Sets the lower bound, unless the answer's length is the bound.
    fn set_lower_bound(&mut self, answer: &Answer) -> Result<(), M::Error> {
        let is_met = matches!(answer.status, Status::Optimal { .. });
        self.set_some("lower_bound", answer.lower_bound().filter(|_| !is_met))
    }

    /// Sets the last keys: why there is no optimum, and the named goals that can be reached if this
    /// one cannot.
    fn set_tail(&mut self, answer: &Answer, limit: Option<LimitKind>) -> Result<(), M::Error> {
        self.set_some("limit", limit.map(LimitKind::name))?;
        if let Status::Unsolvable(reason) = &answer.status {
            self.set_text("reason", reason)?;
            self.set("solvable_with", goals_of(&answer.board))?;
        }
        Ok(())
    }
}

/// The answer to a board.
impl Serialize for Record<'_, Answer> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::begin(serializer)?;
        let Answer { generated, expanded, elapsed, .. } = *self.result;
        object.set_answer(self.result, [generated, expanded], elapsed, self.style)?;
        object.set_tail(self.result, self.result.limit())?;
        object.0.end()
    }
}

impl Serialize for Failure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::begin(serializer)?;
        object.set("board", &self.board)?;
        object.set("goal", ())?;
        object.set("spec", ())?;
        object.set("status", self.kind.name())?;
        for key in ["length", "moves", "initial_estimate", "generated", "expanded", "seconds"] {
            object.set(key, ())?;
        }
        object.set("error", &self.error)?;
        object.0.end()
    }
}

/// The value of each move of a board.
impl Serialize for Record<'_, MoveValues> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let MoveValues { answer, moves, limit, generated, elapsed, .. } = self.result;
        let moves: Vec<_> =
            moves.iter().map(|value| OfBoard { answer, value, style: self.style }).collect();
        let mut object = Object::begin(serializer)?;
        object.set_head(answer)?;
        let is_proved = matches!(answer.status, Status::Optimal { .. });
        object.set("distance", answer.length().filter(|_| is_proved))?;
        object.set_some("length", answer.length().filter(|_| !is_proved))?;
        object.set("moves", moves)?;
        object.set("generated", generated)?;
        object.set_seconds(*elapsed)?;
        object.set_lower_bound(answer)?;
        object.set_tail(answer, *limit)?;
        object.0.end()
    }
}

/// A move of a board.
struct OfBoard<'a> {
    answer: &'a Answer,
    value: &'a MoveValue,
    style: MoveStyle,
}

impl Serialize for OfBoard<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let MoveValue { tile, distance, is_optimal, .. } = self.value;
        let (moves, style) = (self.value.directions(), self.style.in_metric(self.answer.metric));
        let mut object = Object::begin(serializer)?;
        object.set("move", format_moves(&self.answer.board, &moves, style))?;
        object.set("tile", tile)?;
        object.set("distance", distance)?;
        object.set("optimal", is_optimal)?;
        object.0.end()
    }
}

impl Serialize for Record<'_, Solution<'_>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Solution { answer, number, moves } = self.result;
        let mut object = Object::begin(serializer)?;
        object.set_text("board", answer.board)?;
        object.set_goal(answer)?;
        object.set("length", answer.metric.count(moves))?;
        object.set("number", number)?;
        let style = self.style.in_metric(answer.metric);
        object.set("moves", format_moves(&answer.board, moves, style))?;
        object.0.end()
    }
}

/// The number of solutions of a board. Numbers that may be large are strings.
impl Serialize for Record<'_, SolutionSet> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let set = self.result;
        let SolutionSet { generated, expanded, elapsed, .. } = *set;
        let mut object = Object::begin(serializer)?;
        object.set_answer(&set.answer, [generated, expanded], elapsed, self.style)?;
        object.set_tail(&set.answer, set.limit)?;
        object.set_text("solution_count", set.count())?;
        object.set("lengths", &set.lengths)?;
        object.set("listed", set.listed)?;
        object.set("complete", set.is_complete)?;
        object.set("merged", set.merged)?;
        object.set("memory_bytes", set.memory_bytes)?;
        object.0.end()
    }
}

/// The number of solutions of one length.
impl Serialize for LengthCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::begin(serializer)?;
        object.set("length", self.length)?;
        object.set_text("count", self.count)?;
        object.set("complete", self.is_complete)?;
        object.0.end()
    }
}

/// The check of given moves.
impl Serialize for Record<'_, MoveCheck> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let checked = self.result;
        let answer = &checked.answer;
        let mut object = Object::begin(serializer)?;
        object.set_head(answer)?;
        let style = self.style.in_metric(answer.metric);
        object.set("moves", format_moves(&answer.board, &checked.moves, style))?;
        object.set("legal", checked.illegal.is_none())?;
        object.set("solves", checked.solves)?;
        object.set("length", checked.length())?;
        object.set("optimum", checked.optimum())?;
        object.set("optimal", checked.is_optimal())?;
        object.set("leaves_optimum_at", checked.leaves_optimum_at)?;
        object.set_text("end", checked.end)?;
        object.set_some("illegal", checked.illegal.as_ref().map(ToString::to_string))?;
        object.set_some("legal_reversed", checked.legal_reversed.then_some(true))?;
        object.set_some("solves_reversed", checked.solves_reversed.then_some(true))?;
        object.set_lower_bound(answer)?;
        object.set_tail(answer, checked.limit)?;
        object.0.end()
    }
}

impl Failure {
    /// Creates the object of a board that nothing can search.
    pub fn of_board(board: &Board, error: String) -> Self {
        Self { board: board.to_string(), kind: FailureKind::Failed, error }
    }

    /// Creates the object of an error of a board among many, with its message.
    pub fn of_error(error: Error, message: String) -> Self {
        let kind = FailureKind::of(&error);
        let board = match error {
            Error::NoEngine { board, .. } => board.to_string(),
            Error::Invalid { text, .. } => text,
            _ => String::new(),
        };
        Self { board, kind, error: message }
    }
}

/// Returns a cell that no spreadsheet takes for a formula: a text that begins like one gets an
/// apostrophe. A number stays.
fn harmless(text: &str) -> Cow<'_, str> {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula && text.parse::<f64>().is_err() { format!("'{text}").into() } else { text.into() }
}

/// Returns a line of CSV, with its end. No spreadsheet takes a cell for a formula.
pub fn csv_line<T: AsRef<str>>(cells: impl IntoIterator<Item = T>) -> Vec<u8> {
    let cell = |cell: T| match harmless(cell.as_ref()) {
        text if text.contains([',', '"', '\r', '\n']) => {
            format!("\"{}\"", text.replace('"', "\"\""))
        }
        text => text.into_owned(),
    };
    let cells: Vec<String> = cells.into_iter().map(cell).collect();
    (cells.join(",") + "\n").into_bytes()
}
