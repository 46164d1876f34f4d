//! The end of a job.

use pdb_core::Slide;

use crate::LimitKind;

/// Reason why the search of a board ends.
#[derive(Clone, Debug)]
pub(crate) enum JobEnd {
    Goal(Vec<Slide>),
    Limit(LimitKind),
    /// The known solution is proved to be a shortest one.
    Met,
}

impl From<LimitKind> for JobEnd {
    fn from(kind: LimitKind) -> Self {
        Self::Limit(kind)
    }
}
