//! The library of Tilebase, which solves sliding-tile puzzles optimally.
//!
//! [`Tilebase`] is a handle that any number of threads may use. It finds the tables of a
//! [spec](names::Spec), builds those that are missing, maps them into memory, and solves boards,
//! one at a time or a stream of them. A spec is a drawing of a goal and of the patterns of tiles
//! that have tables; in `8/whole`, one pattern has all tiles of the 8-puzzle.
//!
//! ```
//! use tilebase::{Status, Tilebase};
//!
//! # let folder = tempfile::tempdir()?;
//! let tables = Tilebase::builder().spec("8/whole").folder(folder.path()).ensure()?;
//! let answer = tables.solve("8 6 7/2 5 4/3 0 1")?;
//! assert!(matches!(answer.status, Status::Optimal { moves } if moves.len() == 31));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | Task | Look at |
//! |---|---|
//! | solve one board | [`Tilebase::solve`], [`Answer`], [`Status`] |
//! | choose specs, folder, memory and threads | [`Builder`] |
//! | solve many boards, in order, on all cores | [`Tilebase::solve_all`], [`Answers`] |
//! | solve a board that takes hours | [`Tilebase::solve_hard`], [`hard`] |
//! | find the distance after each move, check moves, find all solutions | [`moves`] |
//! | estimate without a search | [`Tilebase::estimate`], [`Tilebase::estimate_all`] |
//! | explain a board's parity and estimates | [`Tilebase::explain`], [`explain`] |
//! | rate heuristics without a search | [`Tilebase::rate`], [`rate`] |
//! | use your own heuristic | [`HeuristicName::own`](pdb_lab::HeuristicName::own) |
//! | find good partitions before any table is built | [`partition`] |
//! | set limits, mode and threads | [`Search`], [`Mode`] |
//! | follow the progress, and stop it | [`event`], [`Cancel`] |
//! | read and write boards and moves | [`text`] |
//! | read files of boards, make sets of boards, list all distances | [`sets`] |
//! | name specs, heuristics and goals | [`names`] |
//! | list, build and check tables, in a folder or in memory | [`shelf`] |
//! | write answers as JSON | [`record`] |
//! | let a person play | [`Game`] |
//! | share the work with other machines | [`crew`] |
//!
//! The features `build`, `net` and `rate` are on by default. Without `build`, no table is built and
//! no checkpoint is written: the tables must already be in the folder. Without `net`, there are no
//! networks: a name such as `net:15` is an error. Without `rate`, the modules `rate` and
//! `partition` do not exist. Each feature takes dependencies, or time to compile. For even fewer,
//! use `pdb-rt`, which only maps tables and looks boards up.
//!
//! The lower layers are public: [`pdb_core`] (boards, moves, patterns, the traits of heuristics),
//! [`pdb_search`] (the searches), [`pdb_lab`] (every heuristic and search by name) and `pdb_gen`
//! (building and checking tables).

mod answer;
mod best;
mod builder;
mod bytes;
mod cancel;
pub mod crew;
mod error;
mod estimate;
pub mod event;
pub mod explain;
mod game;
mod handle;
#[cfg(feature = "build")]
pub mod hard;
mod into_board;
mod kept;
mod known_length;
mod ladder;
mod missing;
pub mod moves;
pub mod names;
mod optimum;
#[cfg(all(feature = "build", feature = "rate"))]
pub mod partition;
mod per_goal;
#[cfg(feature = "rate")]
pub mod rate;
pub mod record;
mod remedy;
mod search;
pub mod sets;
pub mod shelf;
#[cfg(feature = "build")]
mod shortage;
mod solve;
mod stream;
mod sync;
pub mod text;
mod trial;

#[cfg(feature = "build")]
pub use pdb_gen;
pub use {pdb_core, pdb_lab, pdb_search};

pub use answer::Answer;
pub use builder::Builder;
pub use cancel::Cancel;
pub use error::{Error, ErrorKind, FirstError};
pub use game::Game;
pub use handle::Tilebase;
pub use into_board::IntoBoard;
pub use kept::Kept;
pub use known_length::{KnownLength, counted};
pub use pdb_core::{Board, Direction, Estimator, Goal, Memo, Metric, RootError, Shape, Slide};
pub use pdb_search::Status;
pub use remedy::{Remedy, advised};
pub use search::{Mode, Search};
pub use stream::Answers;
pub use trial::Trial;
