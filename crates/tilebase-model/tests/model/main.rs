//! Models, their files, and solvers.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod files;
mod forms;
mod pddl;
mod points;
mod readers;
mod solution_file;
mod solvers;
