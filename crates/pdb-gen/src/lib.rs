//! Builds every kind of table, verifies them, commits them, ships and installs archives.
//!
//! This crate maps no file and does not search for solutions; the command line and the
//! runtime do.
//!
//! ```
//! use pdb_core::{BlankMode, Goal, Plan, Shape};
//! use pdb_gen::{Monitor, build_in_memory};
//!
//! // The whole 5-puzzle in one pattern: the exact distance of every state.
//! let goal = Goal::blank_last(Shape::new(2, 3)?);
//! let plan = Plan::additive(&goal, &[vec![vec![1, 2, 3, 4, 5]]], BlankMode::Aware, false)?;
//! let table = build_in_memory(&plan.tables()[0], 2, &Monitor::silent())?;
//! assert_eq!(table.header.histogram.iter().sum::<u64>(), 360);
//! assert_eq!(table.header.level_max(), 21);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The data goes one way, and so do the imports; each folder says what it may use:
//!
//! ```text
//!                    team                               the same by several ranks: feature `team`
//!                      |
//!  archives        streaming        verification       each of the four uses disk too
//!     |                |                 |
//!     |                +--> building <---+             a build in memory; how a table is written
//!     |                     |      |
//!     |                     |      +--> packing --> search
//!     +-------> disk <------+
//!
//!  error, monitor, names, ranks, threads, wide, words: below them all
//! ```
//!
//! Read next: `search`, which finds the level of every state; `packing`, what is kept of it and in which
//! order; then `building`, or `streaming` for what does not fit the memory.
#![cfg_attr(
    not(feature = "team"),
    allow(dead_code, unused_imports, reason = "what serves teams alone is checked with them")
)]

mod archives;
mod building;
mod disk;
mod error;
mod monitor;
mod names;
mod packing;
mod ranks;
mod search;
mod streaming;
#[cfg(feature = "team")]
mod team;
mod threads;
mod verification;
mod wide;
mod words;

pub use archives::{
    InstallReport, Installed, Known, PublicKey, ShipReport, Shipped, SignedManifest, install, ship,
};
pub use building::{
    BuildReport, BuildTimes, DISK_BYTES_PER_SECOND, Estimate, MOVE_WORDS_PER_SECOND, Streamed,
    StreamedEstimate, Table, build, build_in_memory, estimate,
};
pub use disk::{OwnedFile, TableFile, digest_of, faults, write_file, write_output};
pub use error::{ArchiveError, GenError, PublicKeyError, SignatureError, Uncovered, WorkError};
pub use monitor::{Event, Monitor};
pub use names::PublicKeyId;
pub use ranks::{Team, TeamError};
pub use search::{COST_LIMIT, WALKING_STATES_MAX};
pub use streaming::{Budget, Parts, TeamBudget, build_streamed, has_checkpoint, work_folder};
#[cfg(feature = "team")]
pub use team::{
    RankLevel, ShareEstimate, SharedLevel, SharedReport, build_shared, estimate_shares,
};
pub use verification::{
    Broken, ENTRIES_WHOLE_MAX, Finding, Level, Rule, SAMPLE_COUNT, VerifyReport, WrongEntries,
    verify,
};
