//! Every heuristic and every search by its name, run side by side on the same boards.
//!
//! A comparison takes names to heuristics ([`HeuristicName`], [`Prepared`]) and searches
//! ([`SearchName`]), runs each pair on a set of boards ([`run`](run::run)), and makes rows of it
//! ([`Row`]), which can be written as a table, as CSV and as JSON ([`report`]) and drawn
//! ([`chart`]). It opens no file: tables come from whoever asks for a comparison.
//!
//! ```
//! use pdb_compare::{Boards, CompareError, HeuristicName, Prepared, SearchName, Settings, run};
//! use pdb_core::{Goal, Shape};
//!
//! let goal = Goal::blank_last(Shape::new(3, 3)?);
//! let boards = Boards::random(&goal, 10, 1);
//! let name = HeuristicName::parse("max(linear-conflict, inversion)", goal.shape(), &|_| None)?;
//! // There is no table to open.
//! let open = &mut |_: &str, _: &_| -> Result<_, CompareError> { unreachable!() };
//! let prepared = Prepared::new(&name, &goal, open)?;
//! let search: SearchName = "astar".parse()?;
//! let row = run(Some(&prepared), search, &boards, &Settings::default(), &|| ())?;
//! assert_eq!(row.summary().proven, 10);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Read next: [`HeuristicName`], [`SearchName`], then [`run`](run::run).
#![forbid(unsafe_code)]

mod any;
mod boards;
pub mod chart;
mod error;
mod heuristic;
mod prepared;
pub mod report;
mod row;
mod run;
mod search;

pub use boards::Boards;
pub use error::CompareError;
pub use heuristic::{Basic, FindSpec, HeuristicName};
pub use prepared::{Open, Prepared};
pub use row::{End, Row, Sample, Summary, effective_branching_factor};
pub use run::{Settings, run};
pub use search::SearchName;
