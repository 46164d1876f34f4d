//! Checkpoints of a team: writing, and resuming from them.
//!
//! The checkpoint is that of a streamed build, but its files may be on several disks. Every rank
//! writes the segments of its share to its work folder. When all files are durable, every rank
//! replaces its checkpoint; when all have, each removes the files of the previous one. So all files
//! of one checkpoint exist at any time.
//!
//! The ranks that resume a build may differ from those that wrote the checkpoint. So the first rank
//! that has a file reads it and sends it to the rank whose share contains it.

use std::collections::BTreeMap;
use std::mem;
use std::ops::Range;

use pdb_clock::Instant;

use super::messages;
use super::rank::Rank;
use super::rounds::{SentRound, exchange, together, unexpected};
use super::shares::TeamContext;
use crate::search::{ClassBits, SearchState, needs_visited, plane_count};
use crate::streaming::checkpoint::Checkpoint;
use crate::streaming::segments::Segments;
use crate::streaming::store::WRITERS;
use crate::streaming::work_files::{
    BlockCounts, SegmentKind, SegmentName, WorkFile, block_runs, level_head, record_head,
    remove_others,
};
use crate::threads::map_in_threads;
use crate::{GenError, WorkError};

/// Number of files that are sent from rank to rank at once.
const FILES_AT_ONCE: usize = 16;

/// A checkpoint whose files are complete.
pub(super) struct TeamCheckpoint {
    pub(super) checkpoint: Checkpoint,
    /// The rank that reads each of its files.
    pub(super) readers: Vec<usize>,
}

impl Rank<'_> {
    /// Writes a checkpoint. All ranks do so after the same level. Border messages that arrive
    /// meanwhile wait for the next level.
    pub(super) fn save(&mut self) -> Result<(), GenError> {
        let begun = Instant::now();
        let (team, work) = (self.context.team, self.schedule.work);
        let written = exchange(team, self.write_files())?;
        let own = written[team.rank()].iter().map(|file| file.bytes).sum();
        self.schedule.work_bytes = self.schedule.work_bytes.max(own);
        let mut files = BTreeMap::new();
        for (rank, written) in written.into_iter().enumerate() {
            for file in written {
                let name = SegmentName::parse(&file.name).ok_or_else(|| unexpected(team, rank))?;
                files.insert(name, file);
            }
        }
        self.progress.files = files.into_values().collect();
        together(team, self.progress.save(work))?;
        together(team, remove_others(work, &self.progress.files))?;
        self.schedule.note_saved(self.progress.level, begun);
        Ok(())
    }

    /// Loads this rank's share at a checkpoint. Each file is sent to the rank that needs it.
    pub(super) fn load(&mut self, from: &TeamCheckpoint) -> Result<(), GenError> {
        let TeamContext { team, segments, shares, .. } = self.context;
        let (me, work) = (team.rank(), self.schedule.work);
        let files = from.checkpoint.files.iter().zip(&from.readers);
        let transfers = files.filter_map(|(file, &from)| {
            let name = SegmentName::parse(&file.name)?;
            Some(Transfer { name, file, from, to: shares.owner(name.class, name.segment)? })
        });
        let transfers: Vec<Transfer<'_>> = transfers.collect();
        let mut take = |transfer: &Transfer<'_>, words: &[u64]| {
            let damaged = || WorkError::Damaged.at(&transfer.file.path(work));
            take_segment(&mut self.state, segments, transfer.name, words).ok_or_else(damaged)
        };
        let mut result = Ok(());
        for (nth_batch, batch) in transfers.chunks(FILES_AT_ONCE).enumerate() {
            let mut send = || -> Result<Vec<u8>, GenError> {
                for (nth, transfer) in batch.iter().enumerate().filter(|(_, t)| t.from == me) {
                    let words = transfer.file.read_words(work)?;
                    if transfer.to == me {
                        take(transfer, &words)?;
                    } else {
                        let number = (nth_batch * FILES_AT_ONCE + nth) as u32;
                        let head = messages::head(messages::FILE, false, number);
                        team.send(transfer.to, [&head[..], bytemuck::cast_slice(&words)].concat());
                    }
                }
                Ok(Vec::new())
            };
            let part = mem::replace(&mut result, Ok(())).and_then(|()| send());
            let missing = batch.iter().filter(|file| file.from != me && file.to == me).count();
            let mut receive = |from, message: Vec<u8>| {
                let Some((messages::FILE, _, nth)) = messages::read(&message) else {
                    return Err(unexpected(team, from));
                };
                let words = messages::words(&message).ok_or_else(|| unexpected(team, from))?;
                let words: Vec<u64> = words.iter().copied().map(bytemuck::cast).collect();
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

    /// Writes everything that this rank has.
    fn write_files(&self) -> Result<Vec<WorkFile>, GenError> {
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
        Ok(written.into_iter().flatten().collect())
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
        let head = if name.kind == SegmentKind::Level {
            let slots = segments.classes[class].slots[name.segment].clone();
            let reached = &state.reached[class][slots.start - state.slots[class].start..];
            level_head(&state.ones[class][slots], reached)
        } else {
            record_head(blocks, block_words)
        };
        if head.iter().all(|[ones, _]| *ones == 0) {
            return Ok(None);
        }
        let work = self.schedule.work;
        WorkFile::write_segment(work, name, level, &head, blocks, block_words).map(Some)
    }
}

const HAS_BITS: &str = "a record has what its table needs";

/// A file of a checkpoint in transit to the rank that needs it.
struct Transfer<'a> {
    name: SegmentName,
    file: &'a WorkFile,
    /// The rank that reads it.
    from: usize,
    /// The rank that needs it.
    to: usize,
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

/// Reads the words of a segment's file.
fn take_segment(
    state: &mut SearchState,
    segments: &Segments,
    name: SegmentName,
    words: &[u64],
) -> Option<()> {
    let (head, mut content) = words.split_at_checked(name.blocks(segments))?;
    let head: &[BlockCounts] = bytemuck::cast_slice(head);
    if name.kind == SegmentKind::Level {
        let first = segments.classes[name.class].slots[name.segment].start;
        let own = first - state.slots[name.class].start;
        for (nth, &[ones, reached]) in head.iter().enumerate() {
            state.ones[name.class][first + nth] = ones;
            state.reached[name.class][own + nth] = reached;
        }
    }
    let (block_words, place) = (state.record.words, words_of(state, segments, name));
    let bits: Option<&mut ClassBits> = match name.kind {
        SegmentKind::Level => Some(&mut state.bits),
        SegmentKind::Visited => state.record.visited.as_mut(),
        SegmentKind::Plane(plane) => state.record.planes.get_mut(usize::from(plane)),
    };
    let target = &mut bits.expect(HAS_BITS)[name.class][place];
    for run in block_runs(head, block_words) {
        let target = target.get_mut(run)?;
        target.copy_from_slice(content.split_off(..target.len())?);
    }
    content.is_empty().then_some(())
}
