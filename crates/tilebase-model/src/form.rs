//! Forms of the model, and their sizes.

use std::fmt;
use std::str::FromStr;

use pdb_core::Shape;

/// Largest number of variables of a model. No solver has finished a model of this size here.
pub const VARIABLE_COUNT_MAX: u64 = 2_000_000;

/// Formulation of the puzzle as an integer program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// The model of the case study in the NEOS guide (Ong & Dong 2012), corrected: positions are
    /// numbers.
    Neos,
    /// The strict form: a binary for each tile on each cell at each time, and the blank as a flow.
    Flow,
}

impl Form {
    /// All forms.
    pub const ALL: [Self; 2] = [Self::Neos, Self::Flow];

    /// Returns the form's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Neos => "neos",
            Self::Flow => "flow",
        }
    }

    /// Returns an upper bound of the number of variables.
    pub fn variable_count_max(self, shape: Shape, horizon: u32) -> u64 {
        let cells = shape.cell_count() as u64;
        let moves = u64::from(horizon);
        match self {
            // Positions of all pieces, row and column of the blank; moving pieces, and the
            // direction.
            Self::Neos => (moves + 1) * (cells + 2) + moves * (cells + 4),
            // Tiles on cells; the blank's arcs, and each tile along each of them.
            Self::Flow => {
                let arcs = 2 * (2 * cells - shape.rows() as u64 - shape.cols() as u64);
                (moves + 1) * (cells - 1) * cells + moves * arcs * cells
            }
        }
    }

    /// Returns the largest horizon within [`VARIABLE_COUNT_MAX`].
    pub fn horizon_max(self, shape: Shape) -> u32 {
        let first = self.variable_count_max(shape, 0);
        let each = self.variable_count_max(shape, 1) - first;
        ((VARIABLE_COUNT_MAX - first) / each) as u32
    }
}

/// The name of the form.
impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Reads the name of a form.
impl FromStr for Form {
    type Err = UnknownForm;

    fn from_str(name: &str) -> Result<Self, UnknownForm> {
        let found = Self::ALL.into_iter().find(|form| form.name() == name);
        found.ok_or_else(|| UnknownForm { name: name.to_owned() })
    }
}

/// A name of no form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no form `{name}` of the model: expected neos or flow")]
pub struct UnknownForm {
    /// The name as given.
    pub name: String,
}
