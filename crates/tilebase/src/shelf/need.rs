//! What tables need of memory and disk, and whether it is there.

use std::path::{Path, PathBuf};

use pdb_core::{Plan, Shape, TableKey};
use pdb_format::Header;
use pdb_gen::{GenError, TableFile, estimate, has_checkpoint, work_folder};
use thiserror::Error;

use super::builds::files_bytes;
use super::memory::{Bytes, disk_bytes};

/// Tables for which there is no room.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.message("--memory", "--db"))]
#[non_exhaustive]
pub struct NoRoom {
    /// The spec or heuristic.
    pub name: String,
    /// What is too small.
    pub room: Room,
    /// Bytes that are needed.
    pub needed_bytes: u64,
    /// Bytes that there are.
    pub there_bytes: u64,
    /// What they are needed for, where that is worth saying.
    pub purpose: String,
    /// The bytes of memory and of disk that the build needs where it does not stream, if that fits the disk and
    /// streaming does not.
    pub in_memory_bytes: Option<(u64, u64)>,
    /// What would fit instead.
    pub fitting: String,
}

/// What may be too small.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Room {
    /// The memory that may be used.
    Memory,
    /// The disk that a folder is on.
    Disk(PathBuf),
}

impl NoRoom {
    /// The message for users of a program in which more memory is given with `memory`, and another folder
    /// with `folder`; [`Display`](std::fmt::Display) names the options of the command line.
    pub fn message(&self, memory: &str, folder: &str) -> String {
        let Self { name, purpose, fitting, .. } = self;
        let (needed, there) = (Bytes(self.needed_bytes), Bytes(self.there_bytes));
        let lack = match &self.room {
            Room::Memory => {
                format!("memory{purpose}, but may use {there}: give more with {memory}")
            }
            Room::Disk(path) => format!(
                "disk{purpose}, but {} has {there} free: choose another folder with {folder}",
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

/// What a plan needs before boards can be looked up.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Need {
    /// Tables that must be built.
    pub missing: Vec<TableKey>,
    /// The larger of what the hungriest build and what all tables take together.
    pub memory_bytes: u64,
    /// Room for the missing tables on disk.
    pub disk_bytes: u64,
    /// Room on disk beyond the tables while streamed builds that were stopped are resumed.
    work_bytes: u64,
}

impl Need {
    /// The needs when the tables in `folder` are used as they are, or `replace`d. A build that has a
    /// checkpoint there is resumed, and takes the memory of a streamed one.
    ///
    /// # Errors
    /// A [`GenError`] when a table cannot be built at all.
    pub fn of(plan: &Plan, folder: &Path, replace: bool) -> Result<Self, GenError> {
        let mut need = Self { missing: Vec::new(), memory_bytes: 0, disk_bytes: 0, work_bytes: 0 };
        let mut mapped_bytes = 0;
        for key in plan.tables() {
            let there = if replace { None } else { header_of(key, folder)? };
            if let Some(header) = there {
                mapped_bytes += header.file_bytes();
                continue;
            }
            let estimate = estimate(key)?;
            mapped_bytes += estimate.file_bytes;
            need.missing.push(*key);
            need.disk_bytes += estimate.file_bytes;
            let build_bytes = match estimate.streamed {
                Some(streamed) if has_checkpoint(folder, key) => {
                    let there = files_bytes(&work_folder(folder, key));
                    let more = streamed.disk_bytes.saturating_sub(estimate.file_bytes + there);
                    need.work_bytes = need.work_bytes.max(more);
                    streamed.least_memory_bytes
                }
                _ => estimate.peak_memory_bytes,
            };
            need.memory_bytes = need.memory_bytes.max(build_bytes);
        }
        need.memory_bytes = need.memory_bytes.max(mapped_bytes);
        Ok(need)
    }
}

/// Tables that are missing, and what it takes to build them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToBuild {
    /// The spec that they belong to.
    pub name: String,
    /// How many they are.
    pub table_count: usize,
    /// What they will take on disk, in bytes.
    pub disk_bytes: u64,
    /// How many seconds their builds take with two threads that have the processor to themselves.
    pub seconds: f64,
}

impl ToBuild {
    /// Those of the plan of a spec that are not in the folder; nothing where all are.
    pub(crate) fn of(name: &str, plan: &Plan, folder: &Path) -> Result<Option<Self>, GenError> {
        let need = Need::of(plan, folder, false)?;
        let mut seconds = 0.0;
        for key in &need.missing {
            seconds += estimate(key)?.seconds;
        }
        let (name, table_count) = (name.to_owned(), need.missing.len());
        let disk_bytes = need.disk_bytes;
        Ok((table_count > 0).then_some(Self { name, table_count, disk_bytes, seconds }))
    }
}

impl Need {
    /// Refuses what does not fit the memory or the disk, and says what would. The tables are those of
    /// `name`, for boards of `shape`.
    ///
    /// # Errors
    /// [`NoRoom`] says what is too small.
    pub fn check(
        &self,
        name: &str,
        shape: Shape,
        folder: &Path,
        memory_bytes: u64,
    ) -> Result<(), Box<NoRoom>> {
        let no_room = |room, needed_bytes, there_bytes| {
            let fitting = what_fits(shape, |plan| {
                Self::of(plan, folder, false).is_ok_and(|other| match &room {
                    Room::Memory => other.memory_bytes <= memory_bytes,
                    Room::Disk(_) => {
                        other.memory_bytes <= memory_bytes && other.peak_disk_bytes() <= there_bytes
                    }
                })
            });
            let (name, purpose) = (name.to_owned(), String::new());
            Err(Box::new(NoRoom {
                name,
                room,
                needed_bytes,
                there_bytes,
                purpose,
                in_memory_bytes: None,
                fitting,
            }))
        };
        if self.memory_bytes > memory_bytes {
            return no_room(Room::Memory, self.memory_bytes, memory_bytes);
        }
        // Where the system does not tell how much is free, the build will.
        match disk_bytes(folder) {
            Some(free_bytes) if self.peak_disk_bytes() > free_bytes => {
                no_room(Room::Disk(folder.to_owned()), self.peak_disk_bytes(), free_bytes)
            }
            _ => Ok(()),
        }
    }

    /// Bytes of disk at the peak of the builds.
    fn peak_disk_bytes(&self) -> u64 {
        self.disk_bytes + self.work_bytes
    }
}

/// The header of a table, if it is in the folder and whole as far as header and length tell.
///
/// # Errors
/// [`GenError::Io`] names a table that is there and cannot be read.
pub(super) fn header_of(key: &TableKey, folder: &Path) -> Result<Option<Header>, GenError> {
    let table = TableFile::find(&folder.join(key.file_name()))?;
    Ok(table.map(|table| table.header().clone()).filter(|header| header.key == *key))
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
    use crate::Error;

    #[test]
    fn what_there_is_no_room_for_is_said_with_the_words_of_the_program() {
        let refusal = |room, in_memory_bytes| NoRoom {
            name: "--memory --db".into(),
            room,
            needed_bytes: 3_000_000,
            there_bytes: 1000,
            purpose: " to build".into(),
            in_memory_bytes,
            fitting: "nothing fits".into(),
        };
        let memory = refusal(Room::Memory, None);
        let disk = refusal(Room::Disk("/a --db".into()), Some((5_000_000, 500)));
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
