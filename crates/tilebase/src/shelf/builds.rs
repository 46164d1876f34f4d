//! How the tables of a spec are built: in memory, or streamed from disk.

use std::fs;
use std::path::Path;

use pdb_core::{Plan, Shape, TableKey};
use pdb_gen::{GenError, estimate, has_checkpoint, work_folder};

use super::memory::{Bytes, Memory, disk_bytes};
use super::need::{NoRoom, Room, header_of, what_fits};

/// How a table is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Without files until the table is complete.
    InMemory,
    /// From disk, in so many bytes of memory.
    Streamed(u64),
}

/// How the tables of a plan are built, and what that takes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Builds {
    /// Every table, those that are there included.
    pub tables: Vec<(TableKey, Way)>,
    /// Bytes of memory that are enough for the hungriest build.
    pub memory_bytes: u64,
    /// Bytes of disk at the peak, the new tables included.
    pub disk_bytes: u64,
    /// Whether a table is missing.
    pub is_missing: bool,
    /// How many tables are missing.
    pub missing_count: usize,
    /// Whether a table is built from disk.
    pub is_streamed: bool,
    /// What building all in memory would take: bytes of memory, and of disk.
    in_memory: (u64, u64),
}

impl Builds {
    /// Tables in `folder` are used as they are, or `replace`d. A build goes on where one was stopped,
    /// else it is done in memory where it fits.
    ///
    /// # Errors
    /// A [`GenError`] when a table cannot be built at all.
    pub fn of(plan: &Plan, folder: &Path, replace: bool, memory: Memory) -> Result<Self, GenError> {
        Self::of_all([plan], folder, replace, memory)
    }

    /// The same for several plans, one after another. A table that they share is built once.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn of_all<'a>(
        plans: impl IntoIterator<Item = &'a Plan>,
        folder: &Path,
        replace: bool,
        memory: Memory,
    ) -> Result<Self, GenError> {
        let mut keys: Vec<&TableKey> = Vec::new();
        for key in plans.into_iter().flat_map(Plan::tables) {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        let mut this = Self {
            tables: Vec::new(),
            memory_bytes: 0,
            disk_bytes: 0,
            is_missing: false,
            missing_count: 0,
            is_streamed: false,
            in_memory: (0, 0),
        };
        // What comes on top of the tables, one after another.
        let mut work_bytes = 0;
        for key in keys {
            let can_go_on = has_checkpoint(folder, key);
            if !replace && header_of(key, folder)?.is_some() {
                // A work folder that is still there is removed.
                let is_left = work_folder(folder, key).exists();
                let streamed = Way::Streamed(memory.for_streaming());
                this.tables.push((*key, if is_left { streamed } else { Way::InMemory }));
                continue;
            }
            this.missing_count += 1;
            this.is_missing = true;
            let estimate = estimate(key)?;
            this.disk_bytes += estimate.file_bytes;
            this.in_memory.0 = this.in_memory.0.max(estimate.peak_memory_bytes);
            let way = match estimate.streamed {
                Some(streamed)
                    if can_go_on
                        || estimate.peak_memory_bytes
                            > memory.for_building().max(streamed.least_memory_bytes) =>
                {
                    Way::Streamed(memory.for_streaming())
                }
                _ => Way::InMemory,
            };
            let memory_bytes = match (way, estimate.streamed) {
                (Way::Streamed(_), Some(streamed)) => {
                    this.is_streamed = true;
                    let there = files_bytes(&work_folder(folder, key));
                    let more = streamed.disk_bytes.saturating_sub(estimate.file_bytes + there);
                    work_bytes = more.max(work_bytes);
                    streamed.least_memory_bytes
                }
                _ => estimate.peak_memory_bytes,
            };
            this.memory_bytes = this.memory_bytes.max(memory_bytes);
            this.tables.push((*key, way));
        }
        this.in_memory.1 = this.disk_bytes;
        this.disk_bytes += work_bytes;
        Ok(this)
    }

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
        memory: Memory,
    ) -> Result<(), Box<NoRoom>> {
        let limit = self.memory_limit(memory);
        self.refuse(name, folder, limit, |free: u64| {
            what_fits(shape, |plan| {
                Self::of(plan, folder, false, memory)
                    .is_ok_and(|other| other.memory_bytes <= limit && other.disk_bytes <= free)
            })
        })
    }

    /// The same for several specs, which are those of `names`.
    ///
    /// # Errors
    /// [`NoRoom`] says what is too small.
    pub fn check_all(
        &self,
        names: &[&str],
        folder: &Path,
        memory: Memory,
    ) -> Result<(), Box<NoRoom>> {
        let name = match names {
            [others @ .., last] if !others.is_empty() => {
                format!("the sum of {} and {last}", others.join(", "))
            }
            names => names.concat(),
        };
        let limit = self.memory_limit(memory);
        self.refuse(&name, folder, limit, |_| "or name fewer specs".to_owned())
    }

    fn memory_limit(&self, memory: Memory) -> u64 {
        if self.is_streamed { memory.for_streaming() } else { memory.for_building() }
    }

    /// Refuses more than `limit` bytes of memory, or more than the disk has; `fits` says what fits into
    /// so many bytes of disk.
    fn refuse(
        &self,
        name: &str,
        folder: &Path,
        limit: u64,
        fits: impl Fn(u64) -> String,
    ) -> Result<(), Box<NoRoom>> {
        let name = name.to_owned();
        if self.memory_bytes > limit {
            let purpose = if self.is_streamed {
                format!(" even streamed with {} of disk", Bytes(self.disk_bytes))
            } else {
                " to build".to_owned()
            };
            return Err(Box::new(NoRoom {
                name,
                room: Room::Memory,
                needed_bytes: self.memory_bytes,
                there_bytes: limit,
                purpose,
                in_memory_bytes: None,
                fitting: fits(u64::MAX),
            }));
        }
        // Where the system does not tell how much is free, the build will.
        let Some(free_bytes) = disk_bytes(folder) else {
            return Ok(());
        };
        if self.disk_bytes > free_bytes {
            let (in_memory_bytes, file_bytes) = self.in_memory;
            let fits_in_memory = self.is_streamed && file_bytes <= free_bytes;
            let purpose = if self.is_streamed { " to stream from" } else { "" };
            return Err(Box::new(NoRoom {
                name,
                room: Room::Disk(folder.to_owned()),
                needed_bytes: self.disk_bytes,
                there_bytes: free_bytes,
                purpose: purpose.to_owned(),
                in_memory_bytes: fits_in_memory.then_some((in_memory_bytes, file_bytes)),
                fitting: fits(free_bytes),
            }));
        }
        Ok(())
    }
}

/// Bytes of the files in a folder; none where there is no folder.
pub(super) fn files_bytes(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries.flatten().filter_map(|entry| entry.metadata().ok()).map(|file| file.len()).sum()
}
