//! Maps tables into memory and looks boards up in them: the small crate that other programs embed.
//!
//! It builds nothing, decompresses nothing, reads no specs and prints nothing. Its external
//! dependencies are memmap2, blake3 and arrayvec, and on Linux and macOS libc and rustix.
//!
//! ```
//! use pdb_rt::pdb_core::{Estimator, Goal, Plan, Shape};
//! use pdb_rt::{Database, Table};
//!
//! let goal = Goal::blank_last(Shape::new(3, 3)?);
//! let plan = Plan::walking(&goal);
//! # let table = pdb_gen::Table::build(&plan.tables()[0], 1, &pdb_gen::Monitor::silent())?;
//! # let bytes = table.to_bytes();
//! // Tables come from a folder (`Database::open`) or, as here, from bytes in memory. Each byte is
//! // verified by the table's digests before it is used, here on one thread.
//! let database = Database::of_tables(&plan, vec![Table::from_bytes("wd", bytes)?])?.check(1)?;
//! assert_eq!(database.estimator().estimate(&"8 6 7/2 5 4/3 0 1".parse()?)?, 25);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`pdb_core`] has the boards, goals and plans that its calls take, and [`pdb_format`] the headers
//! of tables, so that a program needs no other crate.
//!
//! Read next: [`Database`], then [`Table`].

#![cfg_attr(
    not(all(any(unix, windows), target_arch = "x86_64")),
    allow(
        dead_code,
        unused_imports,
        reason = "memory maps and some instructions are not available everywhere"
    )
)]

mod additive;
mod arithmetic;
mod bits;
mod check;
mod coloured;
mod database;
mod error;
#[cfg(any(unix, windows))]
mod map;
#[cfg(not(any(unix, windows)))]
#[path = "unmapped.rs"]
mod map;
mod parts;
mod placement;
mod plain;
#[cfg(any(unix, windows))]
mod platform;
mod residence;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod shuffled;
mod table;
mod walking;

pub use {pdb_core, pdb_format};

pub use coloured::SlideMax;
pub use database::{AnyColoured, AnyPlain, AnySum, Database, SlideVisitor, Unchecked, Visitor};
pub use error::OpenError;
pub use map::outlive_cut_files;
pub use parts::{PatternValue, WalkingCounts};
pub use residence::{Residence, Stamp};
pub use table::Table;
pub use walking::{WalkingAxis, WalkingDistance, WalkingNode};
