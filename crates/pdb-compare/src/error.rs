//! Why a comparison cannot be made.

use pdb_search::SearchError;
use thiserror::Error;

/// Why a comparison cannot be made.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum CompareError {
    /// A search without an answer.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A chart that could not be drawn.
    #[error("cannot draw the chart: {problem}")]
    Chart {
        /// What the drawing library said.
        problem: String,
    },
}
