//! Names of solvers.

use super::{External, SolveError, Solver};

/// Name of the default solver, a library that needs no installed program.
pub const DEFAULT: &str = "microlp";

/// Returns the names of the solvers that are compiled in.
pub fn built_in() -> Vec<&'static str> {
    let all = [("microlp", cfg!(feature = "microlp")), ("highs", cfg!(feature = "highs"))];
    all.into_iter().filter_map(|(name, is_built)| is_built.then_some(name)).collect()
}

/// Returns the names of all solvers, whether or not they are compiled in or installed.
pub fn names() -> Vec<&'static str> {
    [DEFAULT].into_iter().chain(External::names()).collect()
}

/// Returns the solver of a name:
/// - `microlp`, which is compiled in;
/// - the name of a program in the system's search path, such as `cbc`;
/// - `NAME=PATH`, for a program in another place;
/// - a path whose last part is the name of a program, such as `/opt/scip/bin/scip`.
///
/// With the feature `highs`, the name `highs` means the solver that is compiled in; `highs=PATH`
/// still means a program.
///
/// # Errors
/// [`SolveError::Unknown`], [`SolveError::NotBuilt`]. A missing program is an error of
/// [`Solver::solve`].
pub fn solver(name: &str) -> Result<Box<dyn Solver>, SolveError> {
    match name {
        #[cfg(feature = "microlp")]
        "microlp" => return Ok(Box::new(super::MicroLp)),
        #[cfg(not(feature = "microlp"))]
        "microlp" => {
            return Err(SolveError::NotBuilt { name: "microlp", feature: "microlp" });
        }
        #[cfg(feature = "highs")]
        "highs" => return Ok(Box::new(super::Highs)),
        _ => (),
    }
    match External::named(name) {
        Some(external) => Ok(Box::new(external)),
        None => Err(SolveError::Unknown { name: name.to_owned(), known: names().join(", ") }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_solvers_by_name_and_path() {
        for (name, expected) in [
            ("cbc", "cbc"),
            ("glpsol=/opt/glpk/bin/other", "glpsol"),
            ("/opt/scip-9.2/bin/scip", "scip"),
            ("./highs", "highs"),
            ("gurobi_cl", "gurobi_cl"),
        ] {
            assert_eq!(solver(name).expect(name).name(), expected, "{name}");
        }
    }

    #[test]
    fn rejects_other_names_and_lists_the_known_ones() {
        for name in ["", "cplex", "cbc=", "=cbc", "cplex=/usr/bin/cbc", "/usr/bin/ls", "a/b/"] {
            let error = solver(name).expect_err(name).to_string();
            assert!(error.contains("microlp, cbc, glpsol, highs, scip, gurobi_cl"), "{error}");
        }
    }
}
