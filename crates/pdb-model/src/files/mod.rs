//! Models as files: the formats that solvers and modelling languages read.
//!
//! All formats say the same, in the order of the model, and the same model gives the same bytes. Names are
//! written as they are: letters, digits and `_`, beginning with a letter, at most 63 of them, which is what
//! GAMS allows.

mod gams;
mod json;
mod lp;
mod mps;
mod text;

pub use gams::write_gams;
pub use json::write_json;
pub use lp::write_lp;
pub use mps::write_mps;
