//! Trains networks that estimate distances of sliding-tile puzzles, or order the boards of a beam.
//!
//! Labels come from tables: [`label`] solves boards, thousands per second, and labels every board
//! on a solution with the number of moves that remain. [`train()`] trains a network on these
//! labels, and [`learn`] on solutions that it finds itself. [`judge`] measures any network.
//! `pdb-lab` uses trained networks and does not depend on this crate. [`train_order`] trains the
//! network that orders the boards of a beam, without tables.
//!
//! ```
//! use tilebase::{Goal, Shape, Tilebase};
//! use tilebase_train::{Sampling, label};
//!
//! # let folder = tempfile::tempdir()?;
//! let tables = Tilebase::builder().spec("8/whole").folder(folder.path()).ensure()?;
//! let goal = Goal::blank_last(Shape::new(3, 3)?);
//! let sampling = Sampling { roots: 400, walk: 40, has_random: true, seed: 1 };
//! let split = label(&tables, &goal, &sampling, &|_| true)?;
//! assert!(split.training.len() > 5000 && split.held_out.len() > 200);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Read next: [`label`], then [`Recipe`] and [`train()`]; `docs/neural.md` has the results.

mod chain;
mod curriculum;
mod dice;
mod error;
mod labels;
mod measure;
mod mirror;
mod order;
mod session;
mod train;

pub use curriculum::{Curriculum, StageReport, learn};
pub use error::TrainError;
pub use labels::{Labels, Sampling, Split, label};
pub use measure::{Band, MEASURED_ON, bands, fit_shift, judge, overall, table};
pub use order::{OrderProgress, OrderRecipe, train_order};
pub use session::{Session, TrainingEnd, TrainingProgress, train};
pub use train::{Loss, Recipe, Trainer};
