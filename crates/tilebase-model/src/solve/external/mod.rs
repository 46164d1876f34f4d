//! Solvers that are installed programs.
//!
//! A program reads the model from a temporary folder and writes its solution there. Its log is a
//! file too, so no process that it leaves running can block the caller. It runs in a process group
//! of its own, which is killed as a whole.

mod cbc;
mod glpsol;
mod group;
mod gurobi;
pub(super) mod highs;
pub(super) mod log;
mod process;
mod program;
mod run;
mod scip;
mod solution;

use std::path::{Path, PathBuf};

use super::{Run, SolveError, Solver, SolverLimits, Watch};
use crate::Model;

use program::SolverProgram;

const PROGRAMS: [&SolverProgram; 5] =
    [&cbc::PROGRAM, &glpsol::PROGRAM, &highs::PROGRAM, &scip::PROGRAM, &gurobi::PROGRAM];

/// A solver that is an installed program.
#[derive(Clone, Debug)]
pub struct External {
    kind: &'static SolverProgram,
    program: PathBuf,
    options: Vec<String>,
}

impl External {
    /// Returns the names of the supported programs.
    pub fn names() -> impl Iterator<Item = &'static str> {
        PROGRAMS.into_iter().map(|program| program.name)
    }

    /// Returns the program of a name, of `NAME=PATH`, or of a path whose file has a supported name.
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

    /// Adds arguments to the command line, such as `--cuts` of glpsol. For SCIP, each is a command
    /// of its shell.
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
        limits: SolverLimits,
        watch: &mut Watch<'_>,
    ) -> Result<Run, SolveError> {
        run::run(self.kind, &self.program, &self.options, model, limits, watch)
    }
}

#[cfg(test)]
mod tests;
