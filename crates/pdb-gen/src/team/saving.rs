//! Checkpoints of a team: writing, and resuming from them.
//!
//! The checkpoint is that of a streamed build, but its files may be on several disks: every rank
//! writes the segments of its share to its work folder, and rank 0 also the counts. When all files
//! are durable, every rank replaces its checkpoint; when all have, each removes the files of the
//! previous one. So all files of one checkpoint exist at any time.
//!
//! The ranks that resume a build may differ from those that wrote the checkpoint. So the first rank
//! that has a file reads it and sends it to the rank whose share contains it.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use crossbeam::queue::SegQueue;
use pdb_clock::Instant;
use serde::{Deserialize, Serialize};

use super::messages::{self, Aligned};
use super::rounds::{SentRound, exchange, together, unexpected};
use super::shares::TeamContext;
use crate::search::{RecordBlocks, SearchState, needs_visited, plane_count};
use crate::streaming::checkpoint::{
    CHECKPOINT, Checkpoint, Saved, SegmentKind, SegmentName, WorkFile, block_runs, check_counts,
    check_levels, counts_path, live_segments, present_bits, remove_unnamed,
};
use crate::streaming::segments::Segments;
use crate::streaming::space::WRITERS;
use crate::threads::each_in_threads;
use crate::{GenError, WorkError};

/// Divisor of the time that limits checkpoints: they take at most a tenth.
const SAVING_SHARE: u32 = 10;
/// Number of files that are sent from rank to rank at once.
const FILES_AT_ONCE: usize = 16;

/// A checkpoint whose files are complete.
pub(super) struct TeamCheckpoint {
    pub(super) saved: Saved,
    /// The rank that reads each file: the counts, if any, then the segments in their order.
    pub(super) readers: Vec<usize>,
}

/// Returns the files of a checkpoint: the counts, if any, then the segments in their order.
pub(super) fn files_of(saved: &Saved) -> impl Iterator<Item = &WorkFile> {
    saved.checkpoint.counts.iter().chain(saved.files.values())
}

/// The files that a rank wrote for a checkpoint.
#[derive(Debug, Serialize, Deserialize)]
struct WrittenFiles {
    counts: Option<WorkFile>,
    segments: Vec<WorkFile>,
}

/// The checkpoints of a rank.
pub(super) struct Saver<'a> {
    work: &'a Path,
    /// The level of the last checkpoint, if any.
    pub(super) saved_level: Option<u32>,
    /// Shortest time between checkpoints.
    saved_after: Duration,
    last: Instant,
    /// Time that the last checkpoint took.
    took: Duration,
    /// Peak size of this rank's files, in bytes.
    pub(super) work_bytes: u64,
}

impl<'a> Saver<'a> {
    pub(super) fn new(work: &'a Path, saved_after: Duration, saved_level: Option<u32>) -> Self {
        let (last, took) = (Instant::now(), Duration::ZERO);
        Self { work, saved_level, saved_after, last, took, work_bytes: 0 }
    }

    /// Returns whether it is time for the next checkpoint.
    pub(super) fn is_due(&self) -> bool {
        let share = if self.saved_after.is_zero() { 0 } else { SAVING_SHARE };
        self.last.elapsed() >= self.saved_after.max(self.took * share)
    }

    /// Writes a checkpoint. All ranks do so after the same level. Border messages that arrive
    /// meanwhile go to `early`.
    pub(super) fn save(
        &mut self,
        context: &TeamContext<'_>,
        state: &SearchState,
        progress: &mut Checkpoint,
        early: &mut Vec<(usize, Vec<u8>)>,
    ) -> Result<(), GenError> {
        let begun = Instant::now();
        let team = context.team;
        let counts =
            if progress.searched { Ok(None) } else { gather_counts(context, state, early) };
        let written = counts
            .and_then(|counts| write_files(self.work, context, state, progress, counts.as_ref()));
        let mut written = exchange(team, written)?;
        let own = written[team.rank()].segments.iter().map(|file| file.bytes).sum();
        self.work_bytes = self.work_bytes.max(own);
        progress.counts = written[0].counts.take();
        let mut files = BTreeMap::new();
        for (rank, written) in written.into_iter().enumerate() {
            for file in written.segments {
                let name = SegmentName::parse(file.name()).ok_or_else(|| unexpected(team, rank))?;
                files.insert(name.0, file);
            }
        }
        together(team, progress.save(self.work, &files))?;
        together(team, remove_unnamed(self.work, progress.counts.as_ref(), &files))?;
        self.saved_level = Some(progress.level);
        (self.last, self.took) = (Instant::now(), begun.elapsed());
        Ok(())
    }

    /// Loads this rank's share at a checkpoint.
    pub(super) fn load(
        &self,
        context: &TeamContext<'_>,
        state: &mut SearchState,
        TeamCheckpoint { saved, readers }: &TeamCheckpoint,
    ) -> Result<(), GenError> {
        let TeamContext { team, space, segments, shares, .. } = *context;
        let Saved { checkpoint, files } = saved;
        let counts = checkpoint.counts.iter().map(|file| (None, file));
        let all = counts.chain(files.iter().map(|(&name, file)| (Some(name), file)));
        let transfers: Vec<Transfer<'_>> = all
            .zip(readers)
            .map(|((name, file), &from)| {
                let to = name.and_then(|name| shares.owner(name.class, name.segment));
                Transfer { name, file, from, to }
            })
            .collect();
        let (mut ones, mut reached) = (space.zero_counts(), space.zero_counts());
        self.transfer(context, &transfers, |name, words| match name {
            Some(name) => take_segment(state, segments, name, words),
            None => take_counts(ones.iter_mut().chain(&mut reached), words),
        })?;
        if checkpoint.searched {
            return Ok(());
        }
        let checked = check_counts(checkpoint, space.graph.index.block_len(), &ones, &reached)
            .and_then(|()| {
                check_levels(&live_segments(segments, &ones), |name| files.contains_key(&name))
            });
        together(team, checked.map_err(|error| error.at(&self.work.join(CHECKPOINT))))?;
        for (class, reached) in reached.iter().enumerate() {
            let slots = state.slots[class].clone();
            state.reached[class].copy_from_slice(&reached[slots]);
        }
        state.ones = ones;
        Ok(())
    }

    /// Sends files to the ranks that need them. `take` is called with each file that this rank
    /// needs, and returns `None` if the words are not such a file.
    fn transfer(
        &self,
        context: &TeamContext<'_>,
        transfers: &[Transfer<'_>],
        mut take: impl FnMut(Option<SegmentName>, &[u64]) -> Option<()>,
    ) -> Result<(), GenError> {
        let team = context.team;
        let me = team.rank();
        let is_needed = |file: &Transfer<'_>| file.to.is_none_or(|to| to == me);
        let mut take = |transfer: &Transfer<'_>, words: &[u64]| {
            let damaged = || WorkError::Damaged.at(&transfer.file.path(self.work));
            take(transfer.name, words).ok_or_else(damaged)
        };
        let mut result = Ok(());
        for (nth_batch, batch) in transfers.chunks(FILES_AT_ONCE).enumerate() {
            let mut send = || -> Result<Vec<u8>, GenError> {
                for (nth, transfer) in batch.iter().enumerate().filter(|(_, t)| t.from == me) {
                    let words = transfer.file.read_words(self.work)?;
                    let readers = transfer.to.map_or(0..team.count(), |to| to..to + 1);
                    for to in readers.filter(|&to| to != me) {
                        let number = (nth_batch * FILES_AT_ONCE + nth) as u32;
                        let head = messages::head(messages::FILE, false, number);
                        team.send(to, [&head[..], bytemuck::cast_slice(&words)].concat());
                    }
                    if is_needed(transfer) {
                        take(transfer, &words)?;
                    }
                }
                Ok(Vec::new())
            };
            let part = std::mem::replace(&mut result, Ok(())).and_then(|()| send());
            let missing = batch.iter().filter(|file| file.from != me && is_needed(file)).count();
            let mut receive = |from, message: Vec<u8>| {
                let Some((messages::FILE, _, nth)) = messages::read(&message) else {
                    return Err(unexpected(team, from));
                };
                let message = Aligned::new(message).ok_or_else(|| unexpected(team, from))?;
                let transfer = transfers.get(nth as usize).ok_or_else(|| unexpected(team, from))?;
                // The next round ends with the error.
                let taken = take(transfer, &message.words()[1..]);
                result = std::mem::replace(&mut result, Ok(())).and(taken);
                Ok(1)
            };
            SentRound::begin(team, part).end_after(team, missing, &|_| true, &mut receive)?;
        }
        together(team, result)
    }
}

/// A file of a checkpoint in transit to the rank that needs it, or to all.
struct Transfer<'a> {
    /// The segment; `None` for the counts.
    name: Option<SegmentName>,
    file: &'a WorkFile,
    /// The rank that reads it.
    from: usize,
    /// The rank that needs it; `None` for all ranks.
    to: Option<usize>,
}

/// Sends the counts of this rank's slots to rank 0, which returns those of all ranks: states of the
/// last levels of both classes, then states of all levels.
fn gather_counts(
    context: &TeamContext<'_>,
    state: &SearchState,
    early: &mut Vec<(usize, Vec<u8>)>,
) -> Result<Option<[Vec<u32>; 4]>, GenError> {
    let TeamContext { team, space, segments, shares, .. } = *context;
    let [even, odd] = [0, 1].map(|class| &state.ones[class][state.slots[class].clone()]);
    let own: [&[u32]; 4] = [even, odd, &state.reached[0], &state.reached[1]];
    if team.rank() > 0 {
        let head = messages::head(messages::COUNTS, false, 0);
        let counts = own.concat();
        team.send(0, [&head[..], bytemuck::cast_slice(&counts)].concat());
        return Ok(None);
    }
    let [even, odd] = space.zero_counts();
    let mut all = [even.clone(), odd.clone(), even, odd];
    let mut put = |rank: usize, mut counts: &[u32]| -> Option<()> {
        for (all, slots) in all.iter_mut().zip(shares.slots(segments, rank).iter().cycle()) {
            all[slots.clone()].copy_from_slice(counts.split_off(..slots.len())?);
        }
        counts.is_empty().then_some(())
    };
    put(0, &own.concat()).expect("the counts are those of the share");
    let mut missing = team.count() - 1;
    while missing > 0 {
        let message = team.receive(None).map_err(|error| error.named(team))?;
        let Some((from, message)) = message else { continue };
        match messages::read(&message) {
            Some((messages::BLOCKS, ..)) => early.push((from, message)),
            Some((messages::COUNTS, ..)) => {
                let message = Aligned::new(message).ok_or_else(|| unexpected(team, from))?;
                put(from, bytemuck::cast_slice(&message.words()[1..]))
                    .ok_or_else(|| unexpected(team, from))?;
                missing -= 1;
            }
            _ => return Err(unexpected(team, from)),
        }
    }
    Ok(Some(all))
}

/// Writes everything that this rank has, and on rank 0 also the counts of all ranks.
fn write_files(
    folder: &Path,
    context: &TeamContext<'_>,
    state: &SearchState,
    progress: &Checkpoint,
    counts: Option<&[Vec<u32>; 4]>,
) -> Result<WrittenFiles, GenError> {
    let TeamContext { team, space, segments, shares, .. } = *context;
    let Checkpoint { level, searched, .. } = *progress;
    let planes = (0..plane_count(space.key.mode)).map(|nth| SegmentKind::Plane(nth as u8));
    let visited = needs_visited(&space.key).then_some(SegmentKind::Visited);
    let of_level = (!searched).then_some(SegmentKind::Level);
    let kinds: Vec<_> = planes.chain(visited).chain(of_level).collect();
    let own = shares.of(team.rank()).iter().cloned().enumerate();
    let own = own.flat_map(|(class, own)| own.map(move |segment| (class, segment)));
    let names = own.flat_map(|(class, segment)| {
        kinds.iter().map(move |&kind| SegmentName { kind, class, segment })
    });
    let written = SegQueue::new();
    each_in_threads(WRITERS, names, |name| -> Result<(), GenError> {
        if let Some(file) = write_segment(folder, state, segments, name, level)? {
            written.push(file);
        }
        Ok(())
    })?;
    let pieces = counts.map(|counts| counts.each_ref().map(|c| bytemuck::cast_slice(c)));
    let write =
        |pieces: [&[u8]; 4]| WorkFile::write(&counts_path(folder, level), &mut pieces.into_iter());
    let counts = pieces.map(write).transpose()?;
    Ok(WrittenFiles { counts, segments: written.into_iter().collect() })
}

/// Writes a segment, if it has any state.
fn write_segment(
    folder: &Path,
    state: &SearchState,
    segments: &Segments,
    name: SegmentName,
    level: u32,
) -> Result<Option<WorkFile>, GenError> {
    let SegmentName { kind, class, segment } = name;
    let words = state.record.words();
    let slots = segments.classes[class].slots[segment].clone();
    let block = |nth: usize| -> &[u64] {
        let recorded = segments.first_record(class, segment) + nth;
        match kind {
            SegmentKind::Level => {
                let at = (slots.start - state.slots[class].start + nth) * words;
                &state.bits[class][at..at + words]
            }
            SegmentKind::Visited => {
                state.record.visited(class, recorded).expect("the record of this table has it")
            }
            SegmentKind::Plane(plane) => state.record.plane(usize::from(plane), class, recorded),
        }
    };
    let holds_any = |nth: usize| match kind {
        SegmentKind::Level => state.ones[class][slots.start + nth] > 0,
        SegmentKind::Visited | SegmentKind::Plane(_) => block(nth).iter().any(|&word| word != 0),
    };
    let present: Vec<bool> = (0..name.blocks(segments)).map(holds_any).collect();
    if !present.contains(&true) {
        return Ok(None);
    }
    let head = present_bits(&present);
    let blocks = (0..present.len()).filter(|&nth| present[nth]);
    let blocks = blocks.map(|nth| bytemuck::cast_slice(block(nth)));
    let mut pieces = std::iter::once(bytemuck::cast_slice(&head)).chain(blocks);
    Ok(Some(WorkFile::write(&WorkFile::path_of(folder, name, level), &mut pieces)?))
}

/// Reads the counts of all slots.
fn take_counts<'a>(mut all: impl Iterator<Item = &'a mut Vec<u32>>, words: &[u64]) -> Option<()> {
    let mut counts: &[u32] = bytemuck::cast_slice(words);
    all.try_for_each(|target| {
        let len = target.len();
        target.copy_from_slice(counts.split_off(..len)?);
        Some(())
    })?;
    counts.is_empty().then_some(())
}

/// Reads the blocks of a segment.
fn take_segment(
    state: &mut SearchState,
    segments: &Segments,
    name: SegmentName,
    words: &[u64],
) -> Option<()> {
    let SegmentName { kind, class, segment } = name;
    let (block_words, blocks) = (state.record.words(), name.blocks(segments));
    let (present, mut content) = words.split_at_checked(blocks.div_ceil(64))?;
    let target = match kind {
        SegmentKind::Level => {
            let first = segments.classes[class].slots[segment].start - state.slots[class].start;
            &mut state.bits[class][first * block_words..][..blocks * block_words]
        }
        SegmentKind::Visited | SegmentKind::Plane(_) => {
            let plane = match kind {
                SegmentKind::Plane(plane) => Some(usize::from(plane)),
                _ => None,
            };
            let first = segments.first_record(class, segment);
            state.record.blocks_mut(plane, class, first, blocks)
        }
    };
    for run in block_runs(present, block_words) {
        let target = target.get_mut(run)?;
        let len = target.len();
        target.copy_from_slice(content.split_off(..len)?);
    }
    content.is_empty().then_some(())
}
