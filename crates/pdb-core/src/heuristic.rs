//! The contract between a search and a heuristic.

use core::fmt;
use std::error::Error;

use crate::{Board, Cell};

/// A tile that moves into the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slide {
    /// The tile.
    pub tile: u8,
    /// The cell it leaves, where the blank is afterwards.
    pub from: Cell,
    /// The cell it enters, where the blank was before.
    pub to: Cell,
}

/// Why a heuristic cannot say anything about a board.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RootError {
    /// A table contradicts itself: following its values downhill did not end at the goal.
    Damaged {
        /// The table's file, or what is known of it.
        table: String,
    },
}

impl fmt::Display for RootError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged { table } => write!(
                f,
                "{table} contradicts itself: its values do not lead downhill to the goal; \
                 run `tilebase verify --level digest` on it, and build it again with --replace or \
                 install it again"
            ),
        }
    }
}

impl Error for RootError {}

/// A lower bound on the number of moves to the goal, kept up to date along a search.
///
/// A look-up has phases, so that a search can do something else while memory answers:
/// [`locate`](Self::locate) works out what a move would touch, [`read`](Self::read) gives the
/// child's estimate, and [`child`](Self::child) makes the child's node where the search goes on.
///
/// Estimates are admissible; along a move they change by an odd number, so that a bound can grow in
/// steps of 2.
pub trait Heuristic: Sync {
    /// What the heuristic carries along with each board.
    type Node: Clone + fmt::Debug + Send;
    /// What a move touches: addresses, or nothing at all.
    type Probe: Copy;

    /// The node of a board that a search starts from.
    ///
    /// # Errors
    /// [`RootError`] when the heuristic's table is damaged.
    fn root(&self, board: &Board) -> Result<Self::Node, RootError>;

    /// The lower bound of a node's board.
    fn estimate(&self, node: &Self::Node) -> u32;

    /// Works out what `slide` touches, and may ask memory for it.
    fn locate(&self, parent: &Self::Node, slide: Slide) -> Self::Probe;

    /// The child's lower bound.
    fn read(&self, parent: &Self::Node, slide: Slide, probe: &mut Self::Probe) -> u32;

    /// The child's node; `probe` is as [`read`](Self::read) left it.
    fn child(&self, parent: &Self::Node, slide: Slide, probe: Self::Probe) -> Self::Node;
}
