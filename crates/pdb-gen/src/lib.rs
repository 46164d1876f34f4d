//! Builds and verifies tables of every kind, commits them (writes a file, makes it durable and
//! gives it its name), and ships and installs archives.
//!
//! This crate does not map files or search for solutions; the runtime and the search crates do.
//!
//! ```
//! use pdb_core::{BlankMode, Goal, Plan, Shape};
//! use pdb_gen::{Monitor, Table};
//!
//! // The whole 5-puzzle in one pattern: the exact distance of every state.
//! let goal = Goal::blank_last(Shape::new(2, 3)?);
//! let plan = Plan::additive(&goal, &[vec![vec![1, 2, 3, 4, 5]]], BlankMode::Aware, false)?;
//! let table = Table::build(&plan.tables()[0], 2, &Monitor::silent())?;
//! assert_eq!(table.header.histogram.iter().sum::<u64>(), 360);
//! assert_eq!(table.header.level_max(), 21);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The data flows in one direction, and so do the imports. The documentation of each folder says
//! what it may use:
//!
//! ```text
//!                    team                               a build by several ranks: feature `team`
//!                      |
//!  archives        streaming        verification       these three and team use disk
//!     |                |                 |
//!     |                +--> building <---+             a build in memory; how a table is written
//!     |                     |      |
//!     |                     |      +--> packing --> search
//!     +-------> disk <------+
//!
//!  error, monitor, names, threads, words: below them all
//! ```
//!
//! Read next: `search`, which finds the level of every state; `packing`, which puts the entries
//! into their order; then `building`, or `streaming` for tables that do not fit into memory.
//!
//! Without the feature `disk`, which is on by default, nothing reads or writes a file: tables are
//! estimated, and built in memory.
#![cfg_attr(
    not(feature = "disk"),
    allow(
        dead_code,
        unused_imports,
        reason = "streamed builds use parts of the search that others do not"
    )
)]

#[cfg(feature = "disk")]
mod archives;
mod building;
#[cfg(feature = "disk")]
mod disk;
mod error;
mod monitor;
mod names;
mod packing;
mod search;
#[cfg(feature = "disk")]
mod streaming;
#[cfg(feature = "team")]
mod team;
mod threads;
#[cfg(feature = "disk")]
mod verification;
mod words;

#[cfg(feature = "disk")]
pub use archives::{
    InstallReport, InstalledTable, KnownDigests, PublicKey, ShipReport, ShippedTable,
    SignedManifest, install, ship,
};
#[cfg(feature = "disk")]
pub use building::{Build, BuildReport, StreamReport};
pub use building::{
    BuildTimes, DISK_BYTES_PER_SECOND, Estimate, MOVE_WORDS_PER_SECOND, StreamedEstimate, Table,
    Workspace, estimate,
};
#[cfg(feature = "disk")]
pub use disk::{OwnedFile, TableFile, check_output, digest_of, faults, write_file, write_output};
pub use error::{ArchiveError, GenError, PublicKeyError, SignatureError, WorkError};
pub use monitor::{Event, Monitor};
pub use names::PublicKeyId;
pub use search::{COST_LIMIT, WALKING_STATES_MAX};
#[cfg(feature = "disk")]
pub use streaming::{Budget, has_checkpoint, work_folder};
#[cfg(feature = "team")]
pub use team::{RankLevel, Team, TeamBudget, TeamLevel, TeamReport};
#[cfg(feature = "disk")]
pub use verification::{
    BrokenRule, ENTRIES_WHOLE_MAX, Finding, Level, Rule, SAMPLE_COUNT, VerifyReport, WrongEntries,
    verify,
};
