//! Heuristics and searches side by side on the same boards.
//!
//! A comparison takes engines and the names of searches, runs each pair on a set of boards
//! ([`run`](run::run)), and makes rows of it ([`Row`]), which can be written as a table, as CSV and as
//! JSON ([`report`]) and drawn ([`chart`]). It opens no file.
//!
//! ```
//! use pdb_compare::{Settings, run};
//! use tilebase::{BoardSet, Goal, Shape, Tilebase};
//!
//! let goal = Goal::blank_last(Shape::new(3, 3)?);
//! let boards = BoardSet::random(&goal, 10, 1);
//! # let folder = tempfile::tempdir()?;
//! let tables = Tilebase::builder().spec("max(linear-conflict, inversion)");
//! # let tables = tables.folder(folder.path());
//! let engine = tables.open()?.engine(&goal)?;
//! let row = run(&engine, "astar".parse()?, &boards, &Settings::default(), &|| ())?;
//! assert_eq!(row.summary().proven, 10);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Read next: [`run`](run::run), then [`Row`].
#![forbid(unsafe_code)]

pub mod chart;
mod error;
pub mod report;
mod row;
mod run;

pub use error::CompareError;
pub use row::{End, Row, Sample, Summary, effective_branching_factor};
pub use run::{Settings, run};
