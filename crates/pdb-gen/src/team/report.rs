//! The report of a build by a team.

use serde::{Deserialize, Serialize};

use crate::building::BuildReport;

/// Time and memory of a build by a team.
#[derive(Clone, Debug)]
pub struct TeamReport {
    /// The table, which is in the folder of rank 0; times and memory are this rank's.
    pub build: BuildReport,
    /// The levels that this call searched, the same on all ranks.
    pub levels: Vec<TeamLevel>,
}

/// A level of a build by a team.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TeamLevel {
    /// The level.
    pub level: u32,
    /// Number of states that the level reached.
    pub states: u64,
    /// The work of each rank for the level.
    pub ranks: Vec<RankLevel>,
}

/// Work of a rank for a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RankLevel {
    /// Number of states that the rank reached in the level.
    pub states: u64,
    /// Time from the start of the level to the end of the rank's share, in seconds.
    pub seconds: f64,
    /// Part of that time in which the rank waited for blocks of others, in seconds.
    pub fetch_seconds: f64,
    /// Time in which the rank then waited for slower ranks, in seconds.
    pub idle_seconds: f64,
    /// Size of the received blocks, in bytes.
    pub fetched_bytes: u64,
}
