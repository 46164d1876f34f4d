//! Names of solvers.

use super::{SolveError, Solver};

/// Name of the default solver, which is written in Rust.
pub const DEFAULT: &str = "microlp";

/// Returns the names of the solvers that are compiled in.
pub fn names() -> Vec<&'static str> {
    let all = [("microlp", cfg!(feature = "microlp")), ("highs", cfg!(feature = "highs"))];
    all.into_iter().filter_map(|(name, is_built)| is_built.then_some(name)).collect()
}

/// Returns the solver of a name.
///
/// # Errors
/// [`SolveError::Unknown`].
pub fn solver(name: &str) -> Result<Box<dyn Solver>, SolveError> {
    match name {
        #[cfg(feature = "microlp")]
        "microlp" => Ok(Box::new(super::MicroLp)),
        #[cfg(feature = "highs")]
        "highs" => Ok(Box::new(super::Highs)),
        _ => Err(SolveError::Unknown { name: name.to_owned(), known: names().join(", ") }),
    }
}
