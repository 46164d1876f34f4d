//! Heuristics and searches side by side on the same boards.
//!
//! A comparison takes engines and the names of searches, and runs each pair on a set of boards
//! ([`run`](run::run)), which gives rows ([`Row`]). A [`Comparison`] puts the rows into numbers: how
//! they are spread, what they come to beside a baseline, how far estimates were off. That is written as
//! tables, CSV, JSON and a page ([`report`]) and drawn ([`chart`]). It opens no file.
//!
//! ```
//! use pdb_compare::{Comparison, Settings, report, run};
//! use tilebase::{BoardSet, Goal, Shape, Tilebase};
//!
//! let goal = Goal::blank_last(Shape::new(3, 3)?);
//! let boards = BoardSet::random(&goal, 10, 1);
//! # let folder = tempfile::tempdir()?;
//! let tables = Tilebase::builder().spec("max(linear-conflict, inversion)");
//! # let tables = tables.folder(folder.path());
//! let engine = tables.open()?.engine(&goal)?;
//! let row = run(&engine, "astar".parse()?, &boards, &Settings::default(), &|| ())?;
//! let comparison = Comparison::new(boards, vec![row], None);
//! assert_eq!(comparison.pairs[0].summary.proven, 10);
//! println!("{}", report::distributions(&[comparison]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Read next: [`run`](run::run), then [`Row`] and [`Comparison`].
#![forbid(unsafe_code)]

pub mod chart;
mod comparison;
mod error;
mod ratio;
pub mod report;
mod row;
mod run;
pub mod statistics;
mod summary;

pub use comparison::{Comparison, Pair};
pub use error::CompareError;
pub use ratio::{Ratio, Ratios};
pub use row::{End, PairName, Row, Sample, effective_branching_factor};
pub use run::{Settings, run};
pub use summary::{Optima, Spreads, Summary, relative_error};
