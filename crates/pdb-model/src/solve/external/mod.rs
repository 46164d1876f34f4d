//! Solvers that are programs of this machine.
//!
//! A program gets the model as a file in a temporary folder and writes its solution into another one. Its
//! log is a file too: nothing waits for a pipe, and what a program leaves running cannot hold us up. It is
//! in a process group of its own, which is ended as a whole.

mod cbc;
mod glpsol;
mod gurobi;
mod highs;
mod program;
mod run;
mod scip;
mod values;

use std::path::{Path, PathBuf};

use super::{Limits, Run, SolveError, Solver, Watch};
use crate::Model;

use program::Program;
#[cfg(feature = "highs")]
pub(super) use run::HighsLog;
pub(super) use values::whole;

const PROGRAMS: [&Program; 5] =
    [&cbc::PROGRAM, &glpsol::PROGRAM, &highs::PROGRAM, &scip::PROGRAM, &gurobi::PROGRAM];

/// A solver that is a program of this machine.
#[derive(Clone, Debug)]
pub struct External {
    kind: &'static Program,
    program: PathBuf,
    options: Vec<String>,
}

impl External {
    /// The names of the programs that are known.
    pub const NAMES: [&'static str; 5] = ["cbc", "glpsol", "highs", "scip", "gurobi_cl"];

    /// The program of a name, of `NAME=PATH`, or of a path whose file has such a name.
    pub fn named(name: &str) -> Option<Self> {
        let (name, program) = match name.split_once('=') {
            Some((_, "")) => return None,
            Some((name, program)) => (name, Path::new(program)),
            None if name.ends_with('/') => return None,
            None => (Path::new(name).file_name()?.to_str()?, Path::new(name)),
        };
        let kind = PROGRAMS.into_iter().find(|program| program.name == name)?;
        Some(Self { kind, program: program.to_owned(), options: Vec::new() })
    }

    /// Adds words to the command line, such as `--cuts` of glpsol; of scip, a command of its shell each.
    #[must_use]
    pub fn with_options(mut self, options: impl IntoIterator<Item = String>) -> Self {
        self.options.extend(options);
        self
    }
}

impl Solver for External {
    fn name(&self) -> &str {
        self.kind.name
    }

    fn solve(
        &self,
        model: &Model,
        limits: Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Run, SolveError> {
        run::run(self.kind, &self.program, &self.options, model, limits, watch)
    }
}

#[cfg(test)]
mod tests;
