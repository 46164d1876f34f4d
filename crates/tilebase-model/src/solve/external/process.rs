//! The process of an external solver.

use std::env;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf, absolute};
use std::process::{Child, Command, ExitStatus, Stdio};

use super::super::SolveError;
use super::group::{Group, is_executable, spawn};
use super::program::{ProgramInput, SolverProgram};

/// Folders that are searched for programs if the environment names none.
const DEFAULT_PATH: &str = if cfg!(windows) { "" } else { "/bin:/usr/bin" };

/// A running program. All processes that it started end with it.
pub(super) struct Process {
    child: Child,
    group: Group,
    /// The exit status. Once it is known, the system may give the process id to another process.
    status: Option<ExitStatus>,
}

impl Process {
    pub(super) fn start(
        kind: &'static SolverProgram,
        program: &Path,
        folder: &Path,
        job: &ProgramInput<'_>,
        log: File,
    ) -> Result<Self, SolveError> {
        let solver = kind.name;
        let missing =
            || SolveError::Missing { solver, program: program.to_owned(), install: kind.install };
        let path = path_of(program).ok_or_else(missing)?;
        let errors = log.try_clone().map_err(SolveError::folder(solver, "writing the log"))?;
        let mut command = Command::new(&path);
        (kind.add_arguments)(&mut command, job);
        command.current_dir(folder).stdin(Stdio::null()).stdout(log).stderr(errors);
        let (child, group) = spawn(&mut command).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound if !path.exists() => missing(),
            _ => SolveError::NotRun { solver, program: path, source },
        })?;
        Ok(Self { child, group, status: None })
    }

    /// Returns whether the program has ended. Its process id and process group stay reserved.
    pub(super) fn has_ended(&mut self) -> io::Result<bool> {
        self.group.has_ended(&mut self.child)
    }

    /// Kills the process group and returns the exit status of the program.
    pub(super) fn end(&mut self) -> io::Result<ExitStatus> {
        if let Some(status) = self.status {
            return Ok(status);
        }
        let _ = self.group.kill(&self.child);
        let _ = self.child.kill();
        let status = self.child.wait()?;
        self.status = Some(status);
        Ok(status)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

/// Returns the absolute path of a program, which runs in another folder than the caller.
fn path_of(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return absolute(program).ok();
    }
    let folders = env::var_os("PATH").unwrap_or_else(|| DEFAULT_PATH.into());
    env::split_paths(&folders)
        .filter_map(|folder| absolute(folder.join(program)).ok())
        .map(|path| {
            if path.is_file() {
                path
            } else {
                path.with_added_extension(env::consts::EXE_EXTENSION)
            }
        })
        .find(|path| path.is_file() && is_executable(path))
}
