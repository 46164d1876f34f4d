//! Building: from a table's key to its committed file, with everything in memory.
//!
//! Other builds share the start of a build, the writer of a table, the report and the estimate.
//!
//! This folder uses [`search`](crate::search), [`packing`](crate::packing) and
//! [`disk`](crate::disk). It does not depend on work folders, archives or verification.

mod build;
mod estimate;
mod report;
mod writer;

pub(crate) use self::build::Start;
pub use self::build::{Build, Table};
pub use self::estimate::{
    DISK_BYTES_PER_SECOND, Estimate, MOVE_WORDS_PER_SECOND, StreamedEstimate, estimate,
};
pub use self::report::{BuildReport, BuildTimes, StreamReport};
pub(crate) use self::writer::TableWriter;
