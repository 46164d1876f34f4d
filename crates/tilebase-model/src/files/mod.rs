//! Models as files, in formats of solvers and modelling languages.
//!
//! All formats have the same content in the order of the model. The same model gives the same
//! bytes. Names have letters, digits and `_`, begin with a letter, and have at most 63 characters,
//! as GAMS requires.

mod gams;
mod json;
mod lp;
mod mps;
mod text;

pub use gams::write_gams;
pub use json::write_json;
pub use lp::write_lp;
pub use mps::write_mps;
