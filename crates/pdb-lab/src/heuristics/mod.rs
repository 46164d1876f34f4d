//! The heuristics of the literature, one file each: [`Estimator`](pdb_core::Estimator)s.
//!
//! Each is admissible. Its documentation says whether it is consistent, what it costs and where it
//! comes from. Each also takes its estimates apart ([`Explain`]).

mod corner_tiles;
mod gaschnig;
mod inversion;
mod last_moves;
mod linear_conflict;
mod manhattan;
mod max;
mod max_slides;
mod misplaced;
mod pairwise;
mod tables;
mod walking_inversion;

use std::sync::Arc;

use pdb_core::{Goal, Metric};
use pdb_search::Manhattan;

pub use corner_tiles::CornerTiles;
pub use gaschnig::Gaschnig;
pub use inversion::{Inversion, InversionAxis};
pub use last_moves::LastMoves;
pub use linear_conflict::LinearConflict;
pub(crate) use manhattan::manhattan_slides;
pub use max::Max;
pub(crate) use max::PARTS_MAX;
pub(crate) use max_slides::MaxSlides;
pub use misplaced::Misplaced;
pub use pairwise::{LINE_LEN_MAX, LineTooLong, Pairs, Pairwise};
pub(crate) use tables::parts as parts_of_tables;
pub(crate) use walking_inversion::WalkingInversion;

use crate::parts::Explain;

/// Moves along the vertical and the horizontal axis.
const DIRECTIONS: [&str; 2] = ["from row to row", "from column to column"];

/// Makes [`Basic`] from a list: for each heuristic its type, its name on a command line, and its
/// constructor.
macro_rules! heuristics {
    ($goal:ident: $($heuristic:ident, $name:literal, $make:expr;)+) => {
        /// A heuristic that needs no table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Basic {
            $(#[doc = concat!("[`", stringify!($heuristic), "`]")] $heuristic,)+
        }

        impl Basic {
            /// All heuristics without tables, the weaker ones first.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$heuristic),+];

            /// Returns the name on a command line.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$heuristic => $name,)+
                }
            }

            /// Makes the heuristic for boards that lead to a goal.
            ///
            /// # Errors
            /// [`LineTooLong`] when it is not made for boards of that shape.
            pub fn estimator(self, $goal: &Goal) -> Result<Arc<dyn Explain>, LineTooLong> {
                Ok(match self {
                    $(Self::$heuristic => Arc::new($make),)+
                })
            }
        }
    };
}

impl Basic {
    /// Returns whether it bounds the moves of a metric.
    pub(crate) fn bounds(self, metric: Metric) -> bool {
        metric == Metric::SingleTile || self == Self::Manhattan
    }
}

heuristics! { goal:
    Misplaced, "misplaced", Misplaced::new(goal);
    Gaschnig, "gaschnig", Gaschnig::new(goal);
    Manhattan, "manhattan", Manhattan::new(goal);
    LinearConflict, "linear-conflict", LinearConflict::new(goal);
    CornerTiles, "corner-tiles", CornerTiles::new(goal);
    LastMoves, "last-moves", LastMoves::new(goal);
    Inversion, "inversion", Inversion::new(goal);
    Pairwise, "pairwise", Pairwise::new(goal)?;
}
