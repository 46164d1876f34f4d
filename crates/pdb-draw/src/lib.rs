//! Pictures and films of sliding-tile puzzles.
//!
//! [`pictures`] draws boards, partitions, search trees and what heuristics count; a [`Film`] shows moves
//! one after another. All of it is arithmetic on what the caller hands over: nothing is searched or
//! looked up here, and no file is opened. Letters are drawn with strokes of their own, so that a picture
//! needs no font, no other file and no network; the same call gives the same bytes on every machine.
//!
//! ```
//! use pdb_core::{Goal, Shape};
//! use pdb_draw::{Colouring, Theme, pictures};
//!
//! let goal = Goal::blank_last(Shape::new(4, 4)?);
//! let sheet = pictures::board(goal.board(), &goal, &Colouring::Rows, false, None);
//! assert!(sheet.to_svg(Theme::Auto).starts_with("<svg "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The feature `raster` adds `png`, `gif` and `apng`, which draw the same shapes as dots.
//!
//! Read next: [`Sheet`], which all pictures are; [`pictures`]; [`Film`].
#![forbid(unsafe_code)]

mod colour;
mod escape;
mod film;
mod glyphs;
mod grouped;
pub mod pictures;
#[cfg(feature = "raster")]
mod raster;
mod shape;
mod sheet;
pub mod svg;
mod tiles;

pub use colour::{COLOURS, Colour, Theme};
pub use escape::xml;
pub use film::{Count, Film, Panel, Timing};
pub use grouped::grouped;
#[cfg(feature = "raster")]
pub use raster::{RasterError, apng, gif, png};
pub use shape::{Pen, Segment, Shape};
pub use sheet::{Sheet, text_width};
pub use tiles::Colouring;
