//! Comparison of heuristics and searches on the same boards.
//!
//! [`run`](run::run) runs an engine with a search on a set of boards, which gives a [`Row`]. A
//! [`Comparison`] computes statistics of rows: distributions, ratios to a baseline, and errors of
//! estimates. [`report`] writes them as tables, CSV, JSON and HTML, and [`chart`] draws them. This
//! crate opens no file. Engines may have heuristics of the calling program
//! ([`Tilebase::engine_of`](tilebase::Tilebase::engine_of)).
//!
//! ```
//! use tilebase_compare::{Comparison, Settings, report, run};
//! use tilebase::{Goal, Shape, Tilebase};
//! use tilebase::sets::BoardSet;
//!
//! let goal = Goal::blank_last(Shape::new(3, 3)?);
//! let boards = BoardSet::random(&goal, 10, 1);
//! # let folder = tempfile::tempdir()?;
//! let tables = Tilebase::builder().spec("max(linear-conflict, inversion)");
//! # let tables = tables.folder(folder.path());
//! let engine = tables.open()?.engine(&goal)?;
//! let row = run(&engine, "astar".parse()?, &boards, &Settings::default(), &|| ())?;
//! let comparison = Comparison::new(boards, &[row], None);
//! assert_eq!(comparison.pairs[0].summary.proven, 10);
//! println!("{}", report::distributions(&[comparison]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Read next: [`run`](run::run), then [`Row`] and [`Comparison`].

pub mod chart;
mod comparison;
mod error;
mod numbers;
mod ratio;
pub mod report;
mod row;
mod run;
pub mod statistics;
mod summary;

pub use comparison::{Comparison, Pair};
pub use error::CompareError;
pub use ratio::{Ratio, Ratios};
pub use row::{PairName, Row, Sample, effective_branching_factor};
pub use run::{Settings, run};
pub use summary::{Optima, Spreads, Summary, relative_error};
