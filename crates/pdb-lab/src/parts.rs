//! The parts of an estimate: one tree of every heuristic, for people and for programs.

use std::fmt::Display;

use pdb_core::{BLANK, Board, Estimator, Goal, RootError};
use serde::{Serialize, Serializer};

/// A heuristic that takes its estimates apart.
pub trait Explain: Estimator {
    /// Returns the parts of the estimate of a board. `goal` is the goal of the heuristic. The
    /// [moves](Part::moves) of the part are the estimate.
    ///
    /// # Errors
    /// [`RootError`] when the heuristic's table is damaged.
    fn parts(&self, goal: &Goal, board: &Board) -> Result<Part, RootError>;
}

/// A heuristic with its estimate of a board and the parts of the estimate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct HeuristicParts {
    /// The heuristic's name, or its spec's.
    pub name: String,
    /// The estimate, in moves. No solution has fewer moves.
    pub estimate: u32,
    /// The parts of the estimate.
    pub parts: Part,
    /// `Some(false)` if the tables are trusted, so that they may be damaged; otherwise left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables_checked: Option<bool>,
}

impl HeuristicParts {
    pub(crate) fn new(name: &str, parts: Part, is_trusted: bool) -> Self {
        let tables_checked = is_trusted.then_some(false);
        Self { name: name.to_owned(), estimate: parts.moves(), parts, tables_checked }
    }
}

/// A part of an estimate, with the parts that it consists of.
///
/// For programs it is a JSON object: its fields. For people it is its text, and below that the text
/// of the parts among its fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// A sentence, and lines that belong below it, such as those of a table. A part without text is
    /// told by the part that contains it.
    pub text: Vec<String>,
    /// The values, by the keys of the object, in order. The whole of an estimate begins with its
    /// `kind`.
    pub fields: Vec<(&'static str, Value)>,
    /// The numbers that add up to the moves of this part.
    pub summands: Vec<u32>,
}

/// A value of a [`Part`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// No value.
    Null,
    /// A truth value.
    Flag(bool),
    /// A number: of moves, or of a tile, with 0 for the blank.
    Number(u32),
    /// A name.
    Name(&'static str),
    /// A list.
    List(Vec<Self>),
    /// A part.
    Part(Part),
    /// Another heuristic.
    Heuristic(HeuristicParts),
}

impl Part {
    /// Creates the whole of an estimate. Its kind tells programs which fields it has.
    pub(crate) fn of(kind: &'static str) -> Self {
        Self::default().field("kind", kind)
    }

    /// Adds a line of text.
    pub(crate) fn text(mut self, text: impl Into<String>) -> Self {
        self.text.push(text.into());
        self
    }

    /// Adds a field.
    pub(crate) fn field(mut self, key: &'static str, value: impl Into<Value>) -> Self {
        self.fields.push((key, value.into()));
        self
    }

    /// Adds a field whose number is a summand, or the moves of whose parts are.
    pub(crate) fn plus(mut self, key: &'static str, value: impl Into<Value>) -> Self {
        let value = value.into();
        value.add_to(&mut self.summands);
        self.field(key, value)
    }

    /// Adds a summand.
    pub(crate) fn plus_moves(mut self, moves: u32) -> Self {
        self.summands.push(moves);
        self
    }

    /// Adds the field `moves`: the sum so far.
    pub(crate) fn with_moves(self) -> Self {
        let moves = self.moves();
        self.field("moves", moves)
    }

    /// Makes one summand of all.
    pub(crate) fn summed(mut self) -> Self {
        self.summands = vec![self.moves()];
        self
    }

    /// Makes the beginning of another heuristic, which adds to this one: the same fields and moves,
    /// without their text.
    pub(crate) fn extended(self, kind: &'static str) -> Self {
        let mut part = self.silent().summed();
        part.fields[0].1 = kind.into();
        part
    }

    fn silent(self) -> Self {
        let fields = self.fields.into_iter().map(|(key, value)| (key, value.silent()));
        Self { text: Vec::new(), fields: fields.collect(), ..self }
    }

    /// Returns the moves that this part contributes; those of a whole are the estimate.
    pub fn moves(&self) -> u32 {
        self.summands.iter().sum()
    }

    /// Returns the moves for people, with the summands if there are several: "5 = 3 + 2".
    pub fn sum(&self) -> String {
        match &self.summands[..] {
            [] | [_] => self.moves().to_string(),
            several => format!("{} = {}", self.moves(), joined(several, " + ")),
        }
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.fields.iter().find(|(known, _)| *known == key).map(|(_, value)| value)
    }

    /// Returns the parts in the field of a key: a part, or a list of parts.
    pub fn list(&self, key: &str) -> Vec<&Self> {
        let values = match self.get(key) {
            Some(Value::List(values)) => &values[..],
            Some(value) => std::slice::from_ref(value),
            None => &[],
        };
        values.iter().filter_map(Value::part).collect()
    }
}

impl Value {
    fn part(&self) -> Option<&Part> {
        if let Self::Part(part) = self { Some(part) } else { None }
    }

    fn add_to(&self, summands: &mut Vec<u32>) {
        match self {
            Self::Number(number) => summands.push(*number),
            Self::Part(part) => summands.push(part.moves()),
            Self::List(values) => values.iter().for_each(|value| value.add_to(summands)),
            Self::Null | Self::Flag(_) | Self::Name(_) | Self::Heuristic(_) => (),
        }
    }

    fn silent(self) -> Self {
        match self {
            Self::Part(part) => Self::Part(part.silent()),
            Self::List(values) => values.into_iter().map(Self::silent).collect::<Vec<_>>().into(),
            other => other,
        }
    }
}

impl Serialize for Part {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.fields.iter().map(|(key, value)| (key, value)))
    }
}

/// Makes values from types.
macro_rules! values {
    ($($from:ty: |$value:ident| $make:expr;)+) => {
        $(impl From<$from> for Value {
            fn from($value: $from) -> Self {
                $make
            }
        })+
    };
}

values! {
    bool: |flag| Self::Flag(flag);
    u8: |number| Self::Number(number.into());
    u32: |number| Self::Number(number);
    usize: |number| Self::Number(number as u32);
    &'static str: |name| Self::Name(name);
    Part: |part| Self::Part(part);
    HeuristicParts: |heuristic| Self::Heuristic(heuristic);
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Value {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Self>, const N: usize> From<[T; N]> for Value {
    fn from(values: [T; N]) -> Self {
        Vec::from(values).into()
    }
}

/// Text of a whole whose board has nothing to tell.
pub(crate) const NOTHING: &str = "Each tile is at home.";

/// Mark of the part that determines the estimate.
pub(crate) fn mark(counts: bool) -> &'static str {
    if counts { " <- counts" } else { "" }
}

/// Returns a count with its noun: "1 move", "2 moves".
pub(crate) fn counted(count: u32, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Returns items with a text between them.
pub(crate) fn joined(items: impl IntoIterator<Item: Display>, between: &str) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(between)
}

/// Returns a list such as "1", "1 and 2" or "1, 2 and 3".
pub(crate) fn listed(items: &[impl Display]) -> String {
    match items {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", joined(first, ", ")),
        few => joined(few, ""),
    }
}

/// Returns a cycle of pieces as text, the blank as a dot: ". -> 4 -> .".
pub fn cycle(pieces: &[u8]) -> String {
    let piece = |&piece: &u8| if piece == BLANK { ".".to_owned() } else { piece.to_string() };
    joined(pieces.iter().chain(pieces.first()).map(piece), " -> ")
}
