//! Checkpoints of a team: writing, and resuming from them.
//!
//! The checkpoint is that of a streamed build, but its files may be on several disks. Every rank
//! writes the segments of its share to its work folder, and rank 0 also the counts. When all files
//! are durable, every rank replaces its checkpoint; when all have, each removes the files of the
//! previous one. So all files of one checkpoint exist at any time.
//!
//! The ranks that resume a build may differ from those that wrote the checkpoint. So the first rank
//! that has a file reads it and sends it to the rank whose share contains it.

use std::collections::BTreeMap;
use std::mem;
use std::ops::Range;

use pdb_clock::Instant;
use serde::{Deserialize, Serialize};

use super::messages;
use super::rank::Rank;
use super::rounds::{SentRound, exchange, together, unexpected};
use super::shares::TeamContext;
use crate::search::{ClassBits, SearchState, needs_visited, plane_count};
use crate::streaming::checkpoint::{Checkpoint, StateCounts};
use crate::streaming::segments::Segments;
use crate::streaming::store::WRITERS;
use crate::streaming::work_files::{
    SegmentKind, SegmentName, WorkFile, block_runs, counts_path, nonzero_bits, present_bits,
    remove_others,
};
use crate::threads::map_in_threads;
use crate::{GenError, WorkError};

/// Number of files that are sent from rank to rank at once.
const FILES_AT_ONCE: usize = 16;

/// A checkpoint whose files are complete.
pub(super) struct TeamCheckpoint {
    pub(super) checkpoint: Checkpoint,
    /// The rank that reads each of its [files](Checkpoint::files).
    pub(super) readers: Vec<usize>,
}

/// The files that a rank wrote for a checkpoint.
#[derive(Debug, Serialize, Deserialize)]
struct WrittenFiles {
    counts: Option<WorkFile>,
    segments: Vec<WorkFile>,
}

impl Rank<'_> {
    /// Writes a checkpoint. All ranks do so after the same level. Border messages that arrive
    /// meanwhile are kept for the next level.
    pub(super) fn save(&mut self) -> Result<(), GenError> {
        let begun = Instant::now();
        let (team, work) = (self.context.team, self.schedule.work);
        let counts = if self.progress.searched { Ok(None) } else { self.gather_counts() };
        let written = counts.and_then(|counts| self.write_files(counts.as_ref()));
        let mut written = exchange(team, written)?;
        let own = written[team.rank()].segments.iter().map(|file| file.bytes).sum();
        self.schedule.work_bytes = self.schedule.work_bytes.max(own);
        self.progress.counts = written[0].counts.take();
        let mut files = BTreeMap::new();
        for (rank, written) in written.into_iter().enumerate() {
            for file in written.segments {
                let name = SegmentName::parse(&file.name).ok_or_else(|| unexpected(team, rank))?;
                files.insert(name.0, file);
            }
        }
        self.progress.segments = files.into_values().collect();
        together(team, self.progress.save(work))?;
        together(team, remove_others(work, self.progress.files()))?;
        self.schedule.note_saved(self.progress.level, begun);
        Ok(())
    }

    /// Loads this rank's share at a checkpoint.
    pub(super) fn load(&mut self, from: &TeamCheckpoint) -> Result<(), GenError> {
        let TeamCheckpoint { checkpoint, readers } = from;
        let TeamContext { space, segments, shares, .. } = self.context;
        // The counts have no such name.
        let name = |file: &WorkFile| SegmentName::parse(&file.name).map(|(name, _)| name);
        let transfer = |(file, &from)| {
            let name = name(file);
            let to = name.and_then(|name| shares.owner(name.class, name.segment));
            Transfer { name, file, from, to }
        };
        let transfers: Vec<Transfer<'_>> = checkpoint.files().zip(readers).map(transfer).collect();
        let mut counts = StateCounts::zeros(space);
        self.transfer(&transfers, |state, name, words| {
            match name {
                Some(name) => take_segment(state, segments, name, words)?,
                None => counts = StateCounts::read(space, words)?,
            }
            Some(())
        })?;
        if checkpoint.searched {
            return Ok(());
        }
        for (class, reached) in counts.reached.iter().enumerate() {
            let slots = self.state.slots[class].clone();
            self.state.reached[class].copy_from_slice(&reached[slots]);
        }
        self.state.ones = counts.ones;
        Ok(())
    }

    /// Sends files to the ranks that need them. `take` is called with each file that this rank
    /// needs, and returns `None` if the words are not such a file.
    fn transfer(
        &mut self,
        transfers: &[Transfer<'_>],
        mut take: impl FnMut(&mut SearchState, Option<SegmentName>, &[u64]) -> Option<()>,
    ) -> Result<(), GenError> {
        let (team, work) = (self.context.team, self.schedule.work);
        let me = team.rank();
        let is_needed = |file: &Transfer<'_>| file.to.is_none_or(|to| to == me);
        let mut take = |transfer: &Transfer<'_>, words: &[u64]| {
            let damaged = || WorkError::Damaged.at(&transfer.file.path(work));
            take(&mut self.state, transfer.name, words).ok_or_else(damaged)
        };
        let mut result = Ok(());
        for (nth_batch, batch) in transfers.chunks(FILES_AT_ONCE).enumerate() {
            let mut send = || -> Result<Vec<u8>, GenError> {
                for (nth, transfer) in batch.iter().enumerate().filter(|(_, t)| t.from == me) {
                    let words = transfer.file.read_words(work)?;
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
            let part = mem::replace(&mut result, Ok(())).and_then(|()| send());
            let missing = batch.iter().filter(|file| file.from != me && is_needed(file)).count();
            let mut receive = |from, message: Vec<u8>| {
                let Some((messages::FILE, _, nth)) = messages::read(&message) else {
                    return Err(unexpected(team, from));
                };
                let words = words_of_message(&message).ok_or_else(|| unexpected(team, from))?;
                let transfer = transfers.get(nth as usize).ok_or_else(|| unexpected(team, from))?;
                // The next round ends with the error.
                let taken = take(transfer, &words);
                result = mem::replace(&mut result, Ok(())).and(taken);
                Ok(1)
            };
            SentRound::begin(team, part).end_after(team, missing, &|_| true, &mut receive)?;
        }
        together(team, result)
    }

    /// Sends the counts of this rank's slots to rank 0, which returns those of all ranks.
    fn gather_counts(&mut self) -> Result<Option<StateCounts>, GenError> {
        let TeamContext { team, space, shares, .. } = self.context;
        let SearchState { ones, reached, slots, .. } = &self.state;
        let [even, odd] = [0, 1].map(|class| &ones[class][slots[class].clone()]);
        let own = [even, odd, &reached[0], &reached[1]].concat();
        if team.rank() > 0 {
            let head = messages::head(messages::COUNTS, false, 0);
            team.send(0, [&head[..], bytemuck::cast_slice(&own)].concat());
            return Ok(None);
        }
        let mut all = StateCounts::zeros(space);
        let mut put = |rank: usize, mut counts: &[u32]| -> Option<()> {
            for (all, slots) in all.arrays_mut().zip(shares.of(rank).slots.iter().cycle()) {
                all[slots.clone()].copy_from_slice(counts.split_off(..slots.len())?);
            }
            counts.is_empty().then_some(())
        };
        put(0, &own).expect("the counts are those of the share");
        let mut missing = team.count() - 1;
        while missing > 0 {
            let message = team.receive(None).map_err(|error| error.named(team))?;
            let Some((from, message)) = message else { continue };
            match messages::read(&message) {
                Some((messages::BLOCKS, ..)) => self.early.push((from, message)),
                Some((messages::COUNTS, ..)) => {
                    words_of_message(&message)
                        .and_then(|words| put(from, bytemuck::cast_slice(&words)))
                        .ok_or_else(|| unexpected(team, from))?;
                    missing -= 1;
                }
                _ => return Err(unexpected(team, from)),
            }
        }
        Ok(Some(all))
    }

    /// Writes everything that this rank has, and on rank 0 also the counts of all ranks.
    fn write_files(&self, counts: Option<&StateCounts>) -> Result<WrittenFiles, GenError> {
        let key = &self.context.space.key;
        let Checkpoint { level, searched, .. } = self.progress;
        let planes = (0..plane_count(key.mode)).map(|nth| SegmentKind::Plane(nth as u8));
        let visited = needs_visited(key).then_some(SegmentKind::Visited);
        let of_level = (!searched).then_some(SegmentKind::Level);
        let kinds: Vec<_> = planes.chain(visited).chain(of_level).collect();
        let own = self.context.share().segments.iter().cloned().enumerate();
        let own = own.flat_map(|(class, own)| own.map(move |segment| (class, segment)));
        let names = own.flat_map(|(class, segment)| {
            kinds.iter().map(move |&kind| SegmentName { kind, class, segment })
        });
        let written = map_in_threads(WRITERS, names, |name| self.write_segment(name, level))?;
        let path = counts_path(self.schedule.work, level);
        let counts = counts.map(|counts| counts.write(&path)).transpose()?;
        Ok(WrittenFiles { counts, segments: written.into_iter().flatten().collect() })
    }

    /// Writes a segment after a level, if it has any state.
    fn write_segment(&self, name: SegmentName, level: u32) -> Result<Option<WorkFile>, GenError> {
        let (segments, state) = (self.context.segments, &self.state);
        let bits = match name.kind {
            SegmentKind::Level => Some(&state.bits),
            SegmentKind::Visited => state.record.visited.as_ref(),
            SegmentKind::Plane(plane) => state.record.planes.get(usize::from(plane)),
        };
        let (class, block_words) = (name.class, self.context.space.words());
        let bits = &bits.expect(HAS_BITS)[class];
        let blocks = &bits[words_of(state, segments, name)];
        let present = if name.kind == SegmentKind::Level {
            let slots = segments.classes[class].slots[name.segment].clone();
            present_bits(state.ones[class][slots].iter().map(|&ones| ones > 0))
        } else {
            nonzero_bits(blocks, block_words)
        };
        if present.iter().all(|&word| word == 0) {
            return Ok(None);
        }
        let work = self.schedule.work;
        WorkFile::write_segment(work, name, level, &present, blocks, block_words).map(Some)
    }
}

const HAS_BITS: &str = "a record has what its table needs";

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

/// Returns the words of a message after its head.
fn words_of_message(message: &[u8]) -> Option<Vec<u64>> {
    let words = messages::words(message)?;
    Some(words.iter().copied().map(bytemuck::cast).collect())
}

/// Returns the place of a segment in a bitset of the class, in words.
fn words_of(state: &SearchState, segments: &Segments, name: SegmentName) -> Range<usize> {
    let SegmentName { kind, class, segment } = name;
    let first = match kind {
        SegmentKind::Level => {
            segments.classes[class].slots[segment].start - state.slots[class].start
        }
        SegmentKind::Visited | SegmentKind::Plane(_) => {
            segments.recorded(class, segment).start - state.record.first[class]
        }
    };
    let words = state.record.words;
    first * words..(first + name.blocks(segments)) * words
}

/// Reads the blocks of a segment.
fn take_segment(
    state: &mut SearchState,
    segments: &Segments,
    name: SegmentName,
    words: &[u64],
) -> Option<()> {
    let (present, mut content) = words.split_at_checked(name.blocks(segments).div_ceil(64))?;
    let (block_words, place) = (state.record.words, words_of(state, segments, name));
    let bits: Option<&mut ClassBits> = match name.kind {
        SegmentKind::Level => Some(&mut state.bits),
        SegmentKind::Visited => state.record.visited.as_mut(),
        SegmentKind::Plane(plane) => state.record.planes.get_mut(usize::from(plane)),
    };
    let target = &mut bits.expect(HAS_BITS)[name.class][place];
    for run in block_runs(present, block_words) {
        let target = target.get_mut(run)?;
        target.copy_from_slice(content.split_off(..target.len())?);
    }
    content.is_empty().then_some(())
}
