//! Building tables that are larger than memory: the search streams segments from disk.
//!
//! This folder uses [`building`](crate::building), for the writing of a table and the report alone, and the
//! folders that `building` uses. It may not have a search of its own: the step from level to level is that
//! of [`search`](crate::search), on one segment after another.
//!
//! 1. A segment's blocks are advanced with the segments in memory that its moves come from. The
//!    [`store`] reads what it has not, and keeps what the budget allows.
//! 2. What changed is written to new files, and made durable while the search goes on. Empty segments
//!    have none, and empty blocks are left out.
//! 3. After a level the [`checkpoint`] is replaced, and the files that it no longer names are removed.
//!    A build that was killed goes on at its checkpoint.
//! 4. Odd levels go through the segments backwards: what the last level wrote last is still in memory.
//! 5. When all is searched, [`slabs`] packs the record.
//!
//! The ranks of a [`team`](crate::team) do the same together: what a rank needs of another one's segments are
//! [`slices`], which it fetches from [`elsewhere`].

pub(crate) mod begin;
pub(crate) mod budget;
pub(crate) mod checkpoint;
pub(crate) mod elsewhere;
pub(crate) mod search;
pub(crate) mod segments;
pub(crate) mod slabs;
pub(crate) mod slices;
pub(crate) mod store;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use pdb_core::{PatternKey, TableKey};

pub use self::begin::work_folder;
use self::begin::{Begun, table_or_lock};
pub use self::budget::{Budget, Parts, TeamBudget};
use self::budget::{Sharing, cut};
use self::checkpoint::{Checkpoint, Saved, Whole, remove_all, remove_unnamed};
use self::search::{Frame, Search};
use self::store::Store;
use crate::GenError;
use crate::building::{BuildReport, BuildTimes, Streamed};
use crate::disk::create_folder;
use crate::monitor::{Event, Monitor};

/// Whether a build of a table can go on at a checkpoint.
pub fn has_checkpoint(folder: &Path, key: &TableKey) -> bool {
    checkpoint::is_there(&work_folder(folder, key))
}

/// Builds a table like [`build`](crate::build()), the same bytes, in as little memory as is allowed.
///
/// Segments of the search are kept in [`work_folder`]. A build that is stopped goes on there the next
/// time, with any budget and any number of threads; after success the folder is removed.
///
/// # Errors
/// [`GenError::Budget`] where the memory is too little, [`GenError::Work`] where the work folder
/// cannot be used, [`GenError::Paused`] when cancelled, or another [`GenError`].
pub fn build_streamed(
    key: &PatternKey,
    folder: &Path,
    budget: &Budget,
    thread_count: usize,
    replace: bool,
    monitor: &Monitor<'_>,
) -> Result<BuildReport, GenError> {
    let table_key = TableKey::Pattern(*key);
    let path = folder.join(table_key.file_name());
    let work = work_folder(folder, &table_key);
    let lock = match table_or_lock(&table_key, &path, &work, thread_count, replace, monitor)? {
        Begun::Table(report, lock) => {
            if lock.is_some() && work.exists() {
                remove_all(&work)?;
            }
            return Ok(*report);
        }
        Begun::Lock(lock) => lock,
    };
    create_folder(&work).map_err(GenError::io("create the folder", &work))?;
    let mut times = BuildTimes::default();
    let begun = Instant::now();

    let saved = Checkpoint::load(&work, &table_key.file_name())?;
    let frame = Frame::new(key, thread_count)?;
    let mut budget = *budget;
    if let Some(Saved { checkpoint, .. }) = &saved {
        let bytes = checkpoint.segment_slots.saturating_mul(frame.fixed.block_bytes);
        budget.segment_bytes = Some(bytes as u64);
    }
    let (segments, need) = cut(key, &frame.graph, &frame.fixed, &budget, Sharing::NONE)?;
    let total = frame.total;
    if let Some(saved) = &saved {
        saved.check(&work, &Whole { key, segments: &segments, total })?;
    }
    let buffers_max = need.buffers_within(budget.memory_bytes);
    let resumed_level = saved.as_ref().map(|saved| saved.checkpoint.level);
    let Saved { checkpoint, files } = saved.unwrap_or_else(|| {
        let checkpoint = Checkpoint::new(table_key.file_name(), segments.slots_max);
        Saved { checkpoint, files: BTreeMap::new() }
    });
    remove_unnamed(&work, checkpoint.counts.as_ref(), &files)?;
    let words = frame.layout.word_count;
    let store = Store::new(&work, &segments, words, buffers_max, files, thread_count)?;
    let mut search = Search::new(key, frame, &segments, store, checkpoint, thread_count, monitor);
    match resumed_level {
        Some(level) => {
            let done = search.checkpoint.state_count;
            monitor.event(Event::Resume { level, done, total: search.total });
            search.load_counts()?;
        }
        None => search.begin()?,
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
    let searching_bytes = need.fixed + search.store.peak_bytes();
    let packing_bytes = search.packing_bytes();
    let left = (budget.memory_bytes as usize).saturating_sub(packing_bytes);
    let (header, rows_bytes) =
        search.pack(&lock, left, &mut times).map_err(|error| paused(error, level))?;
    let memory_bytes = searching_bytes.max(packing_bytes + rows_bytes) as u64;
    let streamed = Streamed { resumed_level, memory_bytes, work_bytes: search.work_bytes };
    drop(search);
    remove_all(&work)?;
    Ok(BuildReport::streamed(path, header, total, times, streamed))
}
