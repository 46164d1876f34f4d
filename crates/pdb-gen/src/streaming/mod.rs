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

mod budget;
mod checkpoint;
mod search;
mod segments;
mod slabs;
mod store;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use pdb_core::{PatternKey, TableKey};

pub use self::budget::Budget;
use self::budget::{Fixed, cut};
use self::checkpoint::{Checkpoint, Saved, Whole, remove_all, remove_unnamed};
use self::search::Search;
use self::store::Store;
use crate::GenError;
use crate::building::{BuildReport, BuildTimes, Streamed, already_there};
use crate::disk::{WriteLock, create_folder, end_commit};
use crate::monitor::{Event, Monitor};
use crate::search::{BlockLayout, Rotations, graph_of, state_count};

/// The folder beside a table where its streamed build keeps its files.
pub fn work_folder(folder: &Path, key: &TableKey) -> PathBuf {
    folder.join(format!("{}.work", key.file_name()))
}

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
    if !replace
        && !work.exists()
        && let Some(report) = already_there(&table_key, &path, thread_count, monitor)?
    {
        end_commit(&path)?;
        return Ok(report);
    }
    let lock = WriteLock::acquire(&path, monitor)?;
    if !replace && let Some(report) = already_there(&table_key, &path, thread_count, monitor)? {
        // A build that was killed at the very end.
        lock.confirm()?;
        if work.exists() {
            remove_all(&work)?;
        }
        return Ok(report);
    }
    create_folder(&work).map_err(GenError::io("create the folder", &work))?;
    let mut times = BuildTimes::default();
    let begun = Instant::now();

    let saved = Checkpoint::load(&work, &table_key.file_name())?;
    let graph = graph_of(key)?;
    let layout = BlockLayout::new(key.tile_count());
    let rotations = Rotations::new(key.tile_count(), key.shape.cols() - 1);
    let fixed = Fixed::new(&graph, &layout, &rotations, thread_count);
    let mut budget = *budget;
    if let Some(Saved { checkpoint, .. }) = &saved {
        let bytes = checkpoint.segment_slots.saturating_mul(fixed.block_bytes);
        budget.segment_bytes = Some(bytes as u64);
    }
    let (segments, need) = cut(key, &graph, &fixed, &budget)?;
    let total = state_count(key, &graph);
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
    let words = layout.word_count;
    let mut search = Search {
        key,
        total,
        graph,
        segments: &segments,
        rotations,
        words,
        folder: &work,
        ones: Default::default(),
        reached: Default::default(),
        live: Default::default(),
        store: Store::new(&work, &segments, words, buffers_max, files, thread_count)?,
        checkpoint,
        work_bytes: 0,
        thread_count,
        monitor,
    };
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

    let state_count = search.total;
    let level = search.checkpoint.level;
    let searching_bytes = need.fixed + search.store.peak_bytes();
    let left = (budget.memory_bytes as usize)
        .saturating_sub(fixed.packing(&segments, search.file_count()));
    let (header, rows_bytes) =
        search.pack(&lock, left, &mut times).map_err(|error| paused(error, level))?;
    let memory_bytes =
        searching_bytes.max(fixed.packing(&segments, search.file_count()) + rows_bytes) as u64;
    let streamed = Some(Streamed { resumed_level, memory_bytes, work_bytes: search.work_bytes });
    drop(search);
    remove_all(&work)?;
    Ok(BuildReport { path, already_there: false, header, state_count, times, streamed })
}
