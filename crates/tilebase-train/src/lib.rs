//! Trains networks that estimate distances of sliding-tile puzzles.
//!
//! Labels come from tables: every board on the way of a board that is solved is as far from the
//! goal as moves are left, and thousands of boards are solved a second ([`label`]). With the
//! feature `candle` a network is trained on them (`train`), or on solutions of its own (`learn`);
//! without it, labels and measures of any network are there ([`judge`]). Networks are used through
//! `pdb-lab`, which needs nothing of this.
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
//! Read next: [`label`], then `Recipe` and `train`; `docs/neural.md` has what came of it.
#![forbid(unsafe_code)]

#[cfg(feature = "candle")]
mod columns;
#[cfg(feature = "candle")]
mod curriculum;
mod dice;
mod error;
mod labels;
mod measure;
#[cfg(feature = "candle")]
mod session;
#[cfg(feature = "candle")]
mod train;

#[cfg(feature = "candle")]
pub use curriculum::{Curriculum, Stage, learn};
pub use error::TrainError;
pub use labels::{Labels, Sampling, Split, label};
pub use measure::{Band, MEASURED_ON, bands, fit_shift, judge, overall, table};
#[cfg(feature = "candle")]
pub use session::{Progress, Session, TrainingEnd, train};
#[cfg(feature = "candle")]
pub use train::{Loss, Recipe, Trainer};
