//! What can be wrong with a spec.

use pdb_core::{BoardError, PlanError, Shape};

use crate::Place;

/// Why there is no spec, golden or plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// The text of a spec or golden has a fault. The message shows the line and marks the cell.
    #[error("{fault}\n{place}")]
    Text {
        /// What is wrong.
        fault: Fault,
        /// Where in the text.
        place: Box<Place>,
    },
    /// No shipped spec has this name.
    #[error(
        "no spec is named \"{name}\"{}: expected a .toml file or a shipped spec, which `tilebase specs` \
         lists",
        nearest.map(|n| format!(" (did you mean {n}?)")).unwrap_or_default(),
    )]
    UnknownName {
        /// The name that was asked for.
        name: String,
        /// The name that was probably meant.
        nearest: Option<&'static str>,
    },
    /// No shipped spec for boards of a shape has this name.
    #[error("no spec for {shape} boards is named \"{name}\": {}", near_names(near))]
    UnknownNameFor {
        /// The name that was asked for.
        name: String,
        /// The shape that it was asked for.
        shape: Shape,
        /// Names that were perhaps meant: of specs for this shape, of the same name for others, and
        /// those with few letters changed.
        near: Vec<&'static str>,
    },
    /// A generated spec is asked for boards that it is not for.
    #[error("spec {name} is not for {shape} boards: name one for these, or leave the choice open")]
    OtherShape {
        /// The spec's name.
        name: String,
        /// The boards' shape.
        shape: Shape,
    },
    /// The sizes of patterns do not make a partition.
    #[error(
        "patterns of {sizes} tiles come to {found}, but a {shape} board has {}: give sizes from 1 on, \
         at most 26 of them, that come to that",
        shape.cell_count() - 1
    )]
    Sizes {
        /// The board's shape.
        shape: Shape,
        /// The sizes, with - between them.
        sizes: String,
        /// What they come to.
        found: usize,
    },
    /// No symmetry of the board leads from the blank's home of the spec to that of another goal.
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

fn blank_home((shape, (row, col)): (Shape, (usize, usize))) -> String {
    format!("{shape} goal with the blank in row {}, column {}", row + 1, col + 1)
}

/// What is wrong with the text of a spec or golden.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The text is no TOML, or a key or value is not one that the spec knows; in the words of the
    /// TOML reader.
    #[error("{0}")]
    Toml(String),
    /// A title that a terminal could not show as one line.
    #[error("a title is one line without control characters, found {found:?}")]
    Control {
        /// The first such character.
        found: char,
    },
    /// What is drawn is no board.
    #[error("{0}")]
    Board(#[from] BoardError),
    /// Nothing is drawn at all.
    #[error("nothing is drawn here: write the board's cells row by row")]
    Empty,
    /// An additive spec without a partition.
    #[error("no partition is drawn: add the key `partition`, with a letter for each tile")]
    NoPartition,
    /// A cell of a partition that names no pattern.
    #[error("a pattern is named by one letter from A to Z, found \"{found}\"")]
    Letter {
        /// What is drawn there.
        found: String,
    },
    /// A plain spec without a pattern.
    #[error(
        "no pattern is drawn: add the key `pattern`, with a letter for each tile of a pattern and - \
         for all others"
    )]
    NoPlainPattern,
    /// A drawing in which every tile is left out.
    #[error("no tile has a letter here: draw at least one tile of the pattern as A")]
    NoLetter,
    /// A cell of a plain pattern that is neither in one nor outside.
    #[error(
        "a pattern is named by one letter from A to Z, and - is a tile in none, found \"{found}\""
    )]
    LetterOrDash {
        /// What is drawn there.
        found: String,
    },
    /// The letters leave one out.
    #[error(
        "pattern {found} is drawn, but pattern {missing} is not: name the patterns from A on, \
         without a gap"
    )]
    LetterGap {
        /// The first pattern after the gap.
        found: char,
        /// The letter that is nowhere drawn.
        missing: char,
    },
    /// The partition draws a blank where the goal has a tile.
    #[error("expected the letter of a pattern, found a blank: the goal has tile {tile} here")]
    NoPattern {
        /// The tile that is in no pattern.
        tile: u8,
    },
    /// The partition draws something else where the goal has its blank.
    #[error("expected a blank, found \"{found}\": the goal has its blank here, so draw it as .")]
    NoBlank {
        /// What is drawn there.
        found: String,
    },
    /// The patterns make no plan.
    #[error("{0}")]
    Plan(#[from] PlanError),
}
