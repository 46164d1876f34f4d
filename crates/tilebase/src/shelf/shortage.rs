//! Error of tables that do not fit the memory or the disk.

use std::path::PathBuf;

use pdb_core::{Plan, Shape};
use thiserror::Error;

use super::memory::Bytes;

/// Lack of memory or disk space for tables.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.message("--memory", "--db"))]
#[non_exhaustive]
pub struct Shortage {
    /// The spec or heuristic.
    pub name: String,
    /// The resource that is too small.
    pub resource: Resource,
    /// Bytes that are needed.
    pub needed_bytes: u64,
    /// Bytes that are available.
    pub available_bytes: u64,
    /// Purpose of the needed bytes, as a part of the message; it may be empty.
    pub purpose: String,
    /// Memory and disk space of the builds without streaming, in bytes, if they fit the disk.
    pub in_memory_bytes: Option<(u64, u64)>,
    /// Advice: tables or limits that would fit.
    pub fitting: String,
}

/// Resource that may be too small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resource {
    /// The memory limit.
    Memory,
    /// The disk of a folder.
    Disk(PathBuf),
}

impl Shortage {
    /// Returns the message for users of a program in which `memory` raises the memory limit and
    /// `folder` sets the folder. [`Display`](std::fmt::Display) names the options of the command
    /// line.
    pub fn message(&self, memory: &str, folder: &str) -> String {
        let Self { name, purpose, fitting, .. } = self;
        let (needed, available) = (Bytes(self.needed_bytes), Bytes(self.available_bytes));
        let lack = match &self.resource {
            Resource::Memory => {
                format!("memory{purpose}, but may use {available}: give more with {memory}")
            }
            Resource::Disk(path) => format!(
                "disk{purpose}, but {} has {available} free: choose another folder with {folder}",
                path.display()
            ),
        };
        let instead = |(of_memory, of_disk)| {
            let (of_memory, of_disk) = (Bytes(of_memory), Bytes(of_disk));
            format!("in memory, with {of_memory} by {memory}, it needs {of_disk}; ")
        };
        let instead = self.in_memory_bytes.map(instead).unwrap_or_default();
        format!("{name} needs {needed} of {lack}; {instead}{fitting}")
    }
}

/// Names the shipped specs for boards of a shape that fit.
pub(super) fn what_fits(shape: Shape, fits: impl Fn(&Plan) -> bool) -> String {
    let does_fit = |name: &&str| {
        pdb_spec::builtin(name).is_ok_and(|spec| spec.goal.shape() == shape && fits(&spec.plan))
    };
    match &pdb_spec::builtin_names().into_iter().filter(does_fit).collect::<Vec<_>>()[..] {
        [] => format!("no shipped spec for {shape} boards would fit"),
        names => format!("what would fit is {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[test]
    fn shortage_names_the_options_of_the_program() {
        let refusal = |resource, in_memory_bytes| Shortage {
            name: "--memory --db".into(),
            resource,
            needed_bytes: 3_000_000,
            available_bytes: 1000,
            purpose: " to build".into(),
            in_memory_bytes,
            fitting: "nothing fits".into(),
        };
        let memory = refusal(Resource::Memory, None);
        let disk = refusal(Resource::Disk("/a --db".into()), Some((5_000_000, 500)));
        assert_eq!(
            memory.to_string(),
            "--memory --db needs 3.00 MB of memory to build, but may use 1.00 kB: give more with \
             --memory; nothing fits"
        );
        assert_eq!(
            disk.to_string(),
            "--memory --db needs 3.00 MB of disk to build, but /a --db has 1.00 kB free: choose another \
             folder with --db; in memory, with 5.00 MB by --memory, it needs 500 B; nothing fits"
        );
        let of_many = Error::OfMany { place: 3, problem: Box::new(Error::NoRoom(Box::new(disk))) };
        assert_eq!(
            of_many.message("a menu", "a button"),
            "board 3: --memory --db needs 3.00 MB of disk to build, but /a --db has 1.00 kB free: choose \
             another folder with a button; in memory, with 5.00 MB by a menu, it needs 500 B; nothing fits"
        );
    }
}
