//! Errors of specs and goldens.

use pdb_core::{BoardError, PlanError, Shape};

/// Error of a spec, a golden or a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// The text of a spec or golden has a fault. The message shows the line and marks the cell.
    #[error("{fault}\n{place}")]
    Text {
        /// The fault.
        fault: Fault,
        /// Its place: the name of the text, and the line with the cell underlined.
        place: String,
    },
    /// No shipped spec has this name.
    #[error(
        "no spec is named \"{name}\"{}: expected a .toml file or a shipped spec",
        nearest.map(|n| format!(" (did you mean {n}?)")).unwrap_or_default(),
    )]
    UnknownName {
        /// The name.
        name: String,
        /// The nearest name.
        nearest: Option<&'static str>,
    },
    /// No shipped spec for boards of a shape has this name.
    #[error("no spec for {shape} boards is named \"{name}\": {}", near_names(near))]
    UnknownNameFor {
        /// The name.
        name: String,
        /// The shape.
        shape: Shape,
        /// Near names: of specs for this shape, of the same name for others, and with few edits.
        near: Vec<&'static str>,
    },
    /// No tables are made for the goal.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A generated spec is for other boards.
    #[error("spec {name} is not for {shape} boards: name one for these, or leave the choice open")]
    OtherShape {
        /// The spec's name.
        name: String,
        /// The boards' shape.
        shape: Shape,
    },
    /// The sizes of patterns do not make a partition.
    #[error(
        "patterns of {sizes} tiles have {found} tiles in all, but a {shape} board has {0}: give at most \
         26 sizes of at least 1 with the sum {0}",
        shape.cell_count() - 1
    )]
    Sizes {
        /// The board's shape.
        shape: Shape,
        /// The sizes, with - between them.
        sizes: String,
        /// Their sum.
        found: usize,
    },
    /// No symmetry of the board leads from the spec's home of the blank to that of another goal.
    #[error(
        "spec {name} is for a {}, found a {}, and no symmetry of the board maps one blank to the \
         other: draw a spec for this goal",
        blank_home(*expected),
        blank_home(*found)
    )]
    OtherBlank {
        /// The spec's name.
        name: String,
        /// Shape of the spec's goal, and row and column of its blank, counted from 0.
        expected: (Shape, (usize, usize)),
        /// The same of the other goal.
        found: (Shape, (usize, usize)),
    },
}

fn near_names(near: &[&str]) -> String {
    match near {
        [] => "none is shipped for these boards, and no other name is near".to_owned(),
        names => format!("near names are {}", names.join(", ")),
    }
}

fn all_keys(keys: &[&str]) -> String {
    [&["title", "goal", "kind"], keys]
        .concat()
        .iter()
        .map(|key| format!("`{key}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

fn blank_home((shape, (row, col)): (Shape, (usize, usize))) -> String {
    format!("{shape} goal with the blank in row {}, column {}", row + 1, col + 1)
}

/// Fault in the text of a spec or golden.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The text is not TOML, or a key or value is unknown: the message of the TOML reader.
    #[error("{0}")]
    Toml(String),
    /// The spec has a key of another kind.
    #[error("a spec of the kind {kind} has no key `{found}`, expected one of {}", all_keys(keys))]
    OtherKind {
        /// The kind.
        kind: &'static str,
        /// Its keys, beside those that every spec has.
        keys: &'static [&'static str],
        /// The key.
        found: &'static str,
    },
    /// The title has a control character.
    #[error("a title is one line without control characters, found {found:?}")]
    Control {
        /// The first such character.
        found: char,
    },
    /// The drawing is not a board.
    #[error("{0}")]
    Board(#[from] BoardError),
    /// The drawing is empty.
    #[error("nothing is drawn here: write the board's cells row by row")]
    Empty,
    /// A spec has no partition, pattern or colouring, as this key draws it.
    #[error("no {0} is drawn: add the key `{0}`, with a letter for each of its tiles")]
    NotDrawn(&'static str),
    /// A cell of a partition names no pattern.
    #[error("a pattern is named by one letter from A to Z, found \"{found}\"")]
    Letter {
        /// The text of the cell.
        found: String,
    },
    /// The drawing has no letter.
    #[error("no tile has a letter here: draw at least one tile of the pattern as A")]
    NoLetter,
    /// A cell of a plain pattern is neither a letter nor `-`.
    #[error(
        "a pattern is named by one letter from A to Z, and - is a tile in none, found \"{found}\""
    )]
    LetterOrDash {
        /// The text of the cell.
        found: String,
    },
    /// The letters have a gap.
    #[error(
        "pattern {found} is drawn, but pattern {missing} is not: name the patterns from A on, \
         without a gap"
    )]
    LetterGap {
        /// The first pattern after the gap.
        found: char,
        /// The missing letter.
        missing: char,
    },
    /// The drawing has a blank where the goal has a tile.
    #[error("expected the letter of a pattern, found a blank: the goal has tile {tile} here")]
    NoPattern {
        /// The goal's tile.
        tile: u8,
    },
    /// The drawing has a letter where the goal has its blank.
    #[error("expected a blank, found \"{found}\": the goal has its blank here, so draw it as .")]
    NoBlank {
        /// The text of the cell.
        found: String,
    },
    /// The patterns make no plan.
    #[error("{0}")]
    Plan(#[from] PlanError),
}
