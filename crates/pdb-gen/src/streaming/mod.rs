//! Builds of tables that are larger than memory: the search streams segments from disk.
//!
//! This folder uses the writer and the report of [`building`](crate::building), and the folders
//! that `building` uses. It has no search of its own: it applies the step from level to level of
//! [`search`](crate::search) to one segment after another.
//!
//! 1. A segment's blocks are advanced with the segments in memory from which moves lead to them.
//!    The [`store`] reads missing segments, and keeps those that the [`budget`] allows.
//! 2. Changed segments are written to new files, and made durable while the search continues. Empty
//!    segments have no file, and empty blocks are omitted.
//! 3. After a level the [`checkpoint`] is replaced, and the [`work_files`] that it no longer names
//!    are removed. A killed build is resumed at its checkpoint.
//! 4. Odd levels visit the segments in reverse order, because the last segments of a level are
//!    still in memory.
//! 5. At the end of the search, [`slabs`] packs the record.

pub(crate) mod budget;
pub(crate) mod checkpoint;
mod levels;
pub(crate) mod segments;
mod slabs;
pub(crate) mod store;
pub(crate) mod work_files;

use std::path::{Path, PathBuf};

use pdb_clock::Instant;
use pdb_core::{PatternKey, TableKey};

pub use self::budget::Budget;
use self::budget::{cut, packing_bytes};
use self::checkpoint::Checkpoint;
use self::levels::StreamedSearch;
use self::store::Store;
use self::work_files::{CHECKPOINT, remove_all, remove_others};
use crate::GenError;
use crate::building::{Build, BuildReport, BuildTimes, Start, StreamReport};
use crate::disk::create_folder;
use crate::monitor::Event;
use crate::search::SearchSpace;

/// Returns the folder beside a table in which a streamed build keeps its files.
pub fn work_folder(folder: &Path, key: &TableKey) -> PathBuf {
    folder.join(format!("{}.work", key.file_name()))
}

/// Returns whether a build of a table can be resumed at a checkpoint.
pub fn has_checkpoint(folder: &Path, key: &TableKey) -> bool {
    work_folder(folder, key).join(CHECKPOINT).exists()
}

impl Build<'_> {
    /// Builds the same table as [`Build::in_memory`] within a memory budget.
    ///
    /// Segments of the search are kept in [`work_folder`]. A stopped build is resumed there by the
    /// next call, with any budget and any number of threads; after success the folder is removed.
    ///
    /// # Errors
    /// [`GenError::Budget`] when the memory is too small, [`GenError::Work`] when the work folder
    /// cannot be used, [`GenError::Paused`] when cancelled, or another [`GenError`].
    pub fn streamed(&self, key: &PatternKey, budget: &Budget) -> Result<BuildReport, GenError> {
        let Self { folder, thread_count, monitor, .. } = *self;
        let table_key = TableKey::Pattern(*key);
        let path = folder.join(table_key.file_name());
        let work = work_folder(folder, &table_key);
        let lock = match self.start(&table_key, Some(&work))? {
            Start::AlreadyThere(report, lock) => {
                if lock.is_some() && work.exists() {
                    remove_all(&work)?;
                }
                return Ok(*report);
            }
            Start::Locked(lock) => lock,
        };
        create_folder(&work).map_err(GenError::io("create the folder", &work))?;
        let mut times = BuildTimes::default();
        let begun = Instant::now();

        let checkpoint = Checkpoint::load(&work, &table_key.file_name())?;
        let space = SearchSpace::new(key, thread_count)?;
        let mut budget = *budget;
        if let Some(checkpoint) = &checkpoint {
            let bytes = checkpoint.segment_slots.saturating_mul(space.block_bytes());
            budget.segment_bytes = Some(bytes as u64);
        }
        let (segments, need) = cut(&space, &budget)?;
        let files = checkpoint.as_ref().map(Checkpoint::segment_files).unwrap_or_default();
        remove_others(&work, checkpoint.iter().flat_map(|checkpoint| &checkpoint.files))?;
        let resumed_level = checkpoint.as_ref().map(|checkpoint| checkpoint.level);
        let checkpoint = checkpoint
            .unwrap_or_else(|| Checkpoint::new(table_key.file_name(), segments.slots_max));
        let buffers_max = need.buffers_within(budget.memory_bytes);
        let store = Store::new(&work, &segments, space.words(), buffers_max, files, thread_count)?;
        let mut search = StreamedSearch::new(space, &segments, store, checkpoint, monitor);
        if let Some(level) = resumed_level {
            let (done, total) = (search.checkpoint.state_count, search.space.state_count);
            monitor.event(Event::Resume { level, done, total });
            search.load_counts()?;
        } else {
            search.begin()?;
        }
        let paused = |error, level| match error {
            GenError::Interrupted => GenError::Paused { folder: work.clone(), level },
            error => error,
        };
        while !search.checkpoint.searched {
            let level = search.checkpoint.level;
            search.advance(level + 1).map_err(|error| paused(error, level))?;
        }
        times.search = begun.elapsed();

        let level = search.checkpoint.level;
        let searching_bytes = need.fixed_bytes + search.store.peak_bytes();
        let packing_bytes = packing_bytes(&search.space, &segments);
        let left = (budget.memory_bytes as usize).saturating_sub(packing_bytes);
        let (header, rows_bytes) =
            search.pack(&lock, left, &mut times).map_err(|error| paused(error, level))?;
        let memory_bytes = searching_bytes.max(packing_bytes + rows_bytes) as u64;
        let (state_count, work_bytes) = (search.space.state_count, search.work_bytes);
        let streamed = Some(StreamReport { resumed_level, memory_bytes, work_bytes });
        drop(search);
        remove_all(&work)?;
        Ok(BuildReport { path, already_there: false, header, state_count, times, streamed })
    }
}
