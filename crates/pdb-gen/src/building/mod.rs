//! Building: from a table's key to its committed file, with everything in memory.
//!
//! What a build that streams does alike is here too: how a table is written, what a build reports, and
//! what it will take.
//!
//! This folder uses [`search`](crate::search), [`packing`](crate::packing) and
//! [`disk`](crate::disk); it knows nothing of work folders, archives or verification.

mod estimate;
mod in_memory;
mod report;
mod writer;

pub use self::estimate::{
    DISK_BYTES_PER_SECOND, Estimate, MOVE_WORDS_PER_SECOND, StreamedEstimate, estimate,
};
pub use self::in_memory::{Table, build, build_in_memory};
pub(crate) use self::report::already_there;
pub use self::report::{BuildReport, BuildTimes, Streamed};
pub(crate) use self::writer::TableWriter;
