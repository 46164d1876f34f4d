//! Solvers by their names.

use super::{External, SolveError, Solver};

/// The solver that needs nothing but this library.
pub const DEFAULT: &str = "microlp";

/// The solvers that are compiled in.
pub fn built_in() -> Vec<&'static str> {
    let all = [("microlp", cfg!(feature = "microlp")), ("highs", cfg!(feature = "highs"))];
    all.into_iter().filter_map(|(name, is_built)| is_built.then_some(name)).collect()
}

/// All names, whether the programs are installed or not.
pub fn names() -> Vec<&'static str> {
    let mut names = vec![DEFAULT];
    names.extend(External::NAMES);
    names
}

/// The solver of a name: `microlp`, or a program, which is looked for where the system looks for programs.
/// `NAME=PATH` names a program that is elsewhere; a path alone does where its file has a solver's name.
///
/// With the feature `highs`, the name `highs` means the one that is compiled in, and `highs=PATH` still
/// means a program.
///
/// # Errors
/// [`SolveError::Unknown`], [`SolveError::NotBuilt`]. Whether a program is there turns out when it is run.
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
    fn names_and_paths_lead_to_solvers() {
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
    fn other_names_are_refused_with_those_that_there_are() {
        for name in ["", "cplex", "cbc=", "=cbc", "cplex=/usr/bin/cbc", "/usr/bin/ls", "a/b/"] {
            let error = solver(name).expect_err(name).to_string();
            assert!(error.contains("microlp, cbc, glpsol, highs, scip, gurobi_cl"), "{error}");
        }
    }
}
