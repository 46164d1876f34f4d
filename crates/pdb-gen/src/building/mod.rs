//! Building: from a table's key to its committed file, with everything in memory.
//!
//! Other builds share the start of a build, the writer of a table, the report and the estimate.
//!
//! This folder uses [`search`](crate::search), [`packing`](crate::packing) and
//! `disk`. It does not depend on work folders, archives or verification.

#[cfg(feature = "disk")]
mod build;
mod estimate;
#[cfg(feature = "disk")]
mod report;
mod table;
#[cfg(feature = "disk")]
mod writer;

#[cfg(feature = "disk")]
pub use self::build::Build;
#[cfg(feature = "disk")]
pub(crate) use self::build::Start;
pub use self::estimate::{
    DISK_BYTES_PER_SECOND, Estimate, MOVE_WORDS_PER_SECOND, StreamedEstimate, estimate,
};
#[cfg(feature = "disk")]
pub use self::report::{BuildReport, StreamReport};
pub(crate) use self::table::outline;
pub use self::table::{BuildTimes, Table, Workspace};
#[cfg(feature = "disk")]
pub(crate) use self::writer::TableWriter;
