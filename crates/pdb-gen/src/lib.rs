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
//! Read next: `sweep`, the search; `rotation`, its inner loop; `pack`, what is kept of it; `transpose`,
//! the order in which it is kept.
#![forbid(unsafe_code)]

mod build;
mod commit;
mod disk;
mod draw;
mod error;
mod estimate;
pub mod faults;
mod file;
mod graph;
mod install;
mod monitor;
mod pack;
mod payload;
mod rotation;
mod rules;
mod ship;
mod signature;
mod stream;
mod sweep;
mod transpose;
mod verify;
mod walking;
mod words;

pub use build::{
    BuildReport, BuildTimes, Table, WALKING_STATES_MAX, build, build_in_memory, digest_of,
};
pub use commit::{OwnedFile, write_file};
pub use error::{ArchiveError, GenError, PublicKeyError, SignatureError, Uncovered};
pub use estimate::{
    DISK_BYTES_PER_SECOND, Estimate, MOVE_WORDS_PER_SECOND, StreamedEstimate, estimate,
};
pub use file::TableFile;
pub use install::{InstallReport, Installed, SignedManifest, install};
pub use monitor::{Event, Monitor};
pub use rules::{Broken, ENTRIES_WHOLE_MAX, Rule, SAMPLE_COUNT};
pub use ship::{ShipReport, Shipped, ship};
pub use signature::{PublicKey, PublicKeyId};
pub use stream::{Budget, Streamed, WorkError, build_streamed, has_checkpoint, work_folder};
pub use verify::{Finding, Level, VerifyReport, WrongEntries, verify};

/// The builder records costs below this; no pattern that fits any memory comes near it.
pub const COST_LIMIT: u32 = 256;
