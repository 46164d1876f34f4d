//! Description of missing tables.

use std::time::Duration;

use serde::Serialize;

/// Missing tables, and the cost of building them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MissingTables {
    /// The spec that they belong to.
    pub name: String,
    /// Number of missing tables.
    pub table_count: usize,
    /// Size of these tables on disk, in bytes.
    pub disk_bytes: u64,
    /// Time of the builds on two threads with a core each, in seconds.
    pub seconds: f64,
}

impl MissingTables {
    /// Returns the time of the builds on two threads with a core each.
    pub(crate) fn build_time(&self) -> Duration {
        Duration::from_secs_f64(self.seconds)
    }
}
