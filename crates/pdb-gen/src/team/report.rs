//! The report of a build by a team.

use serde::{Deserialize, Serialize};

use crate::building::BuildReport;

/// Time and memory of a build by a team.
#[derive(Clone, Debug)]
pub struct TeamReport {
    /// The table, which is in the folder of rank 0; times and memory are this rank's.
    pub build: BuildReport,
    /// The levels that were searched this time, the same on all ranks.
    pub levels: Vec<TeamLevel>,
}

/// A level of a build by a team.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TeamLevel {
    /// The level.
    pub level: u32,
    /// States that it reached first.
    pub states: u64,
    /// The work of each rank.
    pub ranks: Vec<RankLevel>,
}

/// The work of a rank for a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RankLevel {
    /// States that it reached first.
    pub states: u64,
    /// Seconds from the start of the level to the end of its share.
    pub seconds: f64,
    /// Seconds of these in which it waited for blocks of others.
    pub fetch_seconds: f64,
    /// Seconds in which it waited for slower ranks afterwards.
    pub idle_seconds: f64,
    /// Bytes of blocks that it received from others.
    pub fetched_bytes: u64,
    /// Messages with these blocks.
    pub fetched_files: u64,
    /// Bytes that it gave to each other rank at the round after the level.
    pub exchanged_bytes: u64,
}
