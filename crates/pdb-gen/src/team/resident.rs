//! A rank whose share is in memory: from level to level, without files but at checkpoints.
//!
//! 1. A rank holds the blocks of its segments. Those that a move joins to a block of another rank are the
//!    *border*. Moves go both ways, so the border is what the rank needs others for, and what they need it for.
//! 2. A level begins with the border, once the last level of the others' borders is there. What is new in
//!    it is sent to those who need it, and is under way while the rest of the level is advanced.
//! 3. After a level, a rank gives its tally, and takes those of the level before: so it waits for the blocks
//!    that it needs and for nothing else. A level without states is followed by another one.
//! 4. When much work would be lost, or somebody cancels, all write a checkpoint. Its files are those of a
//!    streamed build, so either can go on where the other one was stopped.
//! 5. When all is searched, [`columns`] packs the record.
//!
//! Who cannot go on says so in the place of its tally. All ranks come to that round: what they wait for
//! before it was sent before it.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam::queue::SegQueue;
use pdb_core::PatternKey;
use serde::{Deserialize, Serialize};

use super::checkpoint::Counts;
use super::exchange::{Offered, exchange_records, offer, record, together};
use super::rank::{Rank, RankLevel};
use super::shares::Shares;
use super::{columns, letters};
use crate::GenError;
use crate::disk::sync_folder;
use crate::monitor::Monitor;
use crate::ranks::Team;
use crate::search::{
    BATCHES, Batch, BlockGraph, BlockLayout, COST_LIMIT, Ground, Holding, Lot, Record, Recorded,
    Sources, Tally, Wanting, needs_visited, parts, plane_count,
};
use crate::streaming::checkpoint::{Kind, Name, WorkFile, counts_path};
use crate::streaming::search::{Frame, Search};
use crate::streaming::segments::Segments;
use crate::streaming::store::{WRITERS, present};
use crate::threads::in_threads;

/// Blocks are sent in letters of about so many bytes.
const LETTER_BYTES: usize = 1 << 19;
/// Checkpoints may take one part in so many of the time.
const SAVING_SHARE: u32 = 10;

/// Which ranks need each block of a share, and the other way round.
#[derive(Debug)]
struct Border {
    /// The ranks that this one exchanges blocks with.
    neighbours: Vec<usize>,
    /// Where the readers of each slot of the share begin.
    first: [Vec<u32>; 2],
    /// Readers, as places in `neighbours`.
    readers: [Vec<u16>; 2],
    /// Sets of the share, in their order.
    lots: [Vec<Lot>; 2],
    /// Blocks of others that are needed, of each class.
    needed: [usize; 2],
}

impl Border {
    fn new(graph: &BlockGraph, segments: &Segments, shares: &Shares, team: &dyn Team) -> Self {
        let me = team.rank();
        let mut owners = graph.classes.each_ref().map(|class| vec![0u16; class.slot_count]);
        for rank in 0..team.count() {
            for (owners, slots) in owners.iter_mut().zip(shares.slots(segments, rank)) {
                owners[slots].fill(rank as u16);
            }
        }
        let mut this = Self {
            neighbours: Vec::new(),
            first: [vec![0], vec![0]],
            readers: Default::default(),
            lots: Default::default(),
            needed: [0, 0],
        };
        let sets = shares.sets(segments, me);
        let mut needed = graph.classes.each_ref().map(|class| vec![false; class.slot_count]);
        for (number, sets) in sets.iter().enumerate() {
            let class = &graph.classes[number];
            let mut flags = Vec::new();
            for set in &class.sets[sets.clone()] {
                let before = this.readers[number].len();
                for slot in set.first_slot..set.first_slot + set.block_count {
                    let mut ranks: Vec<u16> = Vec::new();
                    for pull in class.pulls(slot) {
                        let source = pull.source as usize;
                        let owner = owners[1 - number][source];
                        if usize::from(owner) != me {
                            needed[1 - number][source] = true;
                            ranks.push(owner);
                        }
                    }
                    ranks.sort_unstable();
                    ranks.dedup();
                    this.readers[number].extend(ranks);
                    this.first[number].push(this.readers[number].len() as u32);
                }
                flags.push(this.readers[number].len() > before);
            }
            let most = sets.len().div_ceil(BATCHES);
            let mut start = sets.start;
            for run in flags.chunk_by(|a, b| a == b) {
                let run_sets = start..start + run.len();
                start = run_sets.end;
                let of_run = parts(run_sets, most).map(|sets| Lot { sets, is_wanted: run[0] });
                this.lots[number].extend(of_run);
            }
        }
        let mut ranks: Vec<u16> = this.readers.iter().flatten().copied().collect();
        ranks.sort_unstable();
        ranks.dedup();
        for reader in this.readers.iter_mut().flatten() {
            *reader = ranks.binary_search(reader).expect("all are there") as u16;
        }
        this.neighbours = ranks.into_iter().map(usize::from).collect();
        this.needed = needed.map(|needed| needed.iter().filter(|&&needed| needed).count());
        this
    }
}

/// Bytes that a rank's share takes in memory.
pub(super) fn need(
    key: &PatternKey,
    frame: &Frame,
    segments: &Segments,
    shares: &Shares,
    team: &dyn Team,
) -> u64 {
    let Frame { graph, fixed, .. } = frame;
    let border = Border::new(graph, segments, shares, team);
    let blocks: usize = shares.slots(segments, team.rank()).iter().map(Range::len).sum();
    let own = shares.of(team.rank()).iter().enumerate();
    let recorded: usize = own
        .flat_map(|(class, own)| own.clone().map(move |own| segments.record_blocks(class, own)))
        .sum();
    let planes = plane_count(key.mode) + usize::from(needs_visited(key));
    let held = recorded * planes * fixed.block_bytes;
    // The border as it is sent and as it has come, and that of the next level; about as many blocks each.
    let needed = border.needed.into_iter().max().unwrap_or(0);
    let letters = 3 * needed * (fixed.block_bytes + size_of::<u64>());
    let packing = columns::most_bytes(key, graph, team.count(), recorded);
    let places = graph.classes.iter().map(|class| class.slot_count).sum::<usize>() * 32;
    let search = blocks * fixed.block_bytes + letters;
    (fixed.resident(segments) + places + held + search.max(packing)) as u64
}

/// What a rank tells of a level.
#[derive(Debug, Serialize, Deserialize)]
struct LevelPart {
    states: u64,
    entries: u64,
    effort: RankLevel,
    /// Somebody has cancelled.
    stops: bool,
    /// It is time for a checkpoint; rank 0 decides.
    saves: bool,
}

/// Blocks that others need, on their way out.
struct Outbox<'a> {
    team: &'a dyn Team,
    border: &'a Border,
    class: usize,
    level: u32,
    /// The first slot of the share.
    start: usize,
    letters: Vec<Mutex<Vec<u8>>>,
    spare: &'a Spare,
}

/// Letters that were read, for others to be written in their memory: new memory costs as much as a copy.
type Spare = SegQueue<Vec<u8>>;

impl<'a> Outbox<'a> {
    fn new(
        team: &'a dyn Team,
        border: &'a Border,
        spare: &'a Spare,
        holding: &Holding,
        level: u32,
    ) -> Self {
        let class = (level % 2) as usize;
        let (start, empty) = (holding.slots[class].start, || Mutex::new(Vec::new()));
        let letters = border.neighbours.iter().map(|_| empty()).collect();
        Self { team, border, class, level, start, letters, spare }
    }

    fn add(&self, slot: usize, ones: u32, block: &[u64]) {
        let first = &self.border.first[self.class][slot - self.start..];
        let readers = &self.border.readers[self.class][first[0] as usize..first[1] as usize];
        for &reader in readers {
            let mutex = &self.letters[usize::from(reader)];
            let mut letter = mutex.lock().unwrap_or_else(PoisonError::into_inner);
            if letter.is_empty() {
                *letter = self.spare.pop().unwrap_or_default();
                letter.clear();
                letter.reserve(LETTER_BYTES + size_of_val(block) + 64);
                letter.extend(letters::head(letters::BLOCKS, false, self.level));
            }
            letter.extend((slot as u32).to_le_bytes());
            letter.extend(ones.to_le_bytes());
            letter.extend_from_slice(bytemuck::cast_slice(block));
            if letter.len() >= LETTER_BYTES {
                let letter = std::mem::take(&mut *letter);
                self.team.send(self.border.neighbours[usize::from(reader)], letter);
            }
        }
    }
}

impl Wanting for Outbox<'_> {
    fn advanced(&self, batch: &Batch<'_>, first_slot: usize) {
        let words = batch.bits.len() / batch.ones.len();
        let blocks = batch.bits.chunks_exact(words).zip(&*batch.ones);
        for (nth, (block, &ones)) in blocks.enumerate().filter(|(_, (_, ones))| **ones > 0) {
            self.add(first_slot + nth, ones, block);
        }
    }

    fn all_advanced(&self) {
        for (mutex, &to) in self.letters.iter().zip(&self.border.neighbours) {
            let mut letter = mutex.lock().unwrap_or_else(PoisonError::into_inner);
            let mut letter = std::mem::take(&mut *letter);
            let head = letters::head(letters::BLOCKS, true, self.level);
            if letter.is_empty() {
                letter.reserve(64);
                letter.extend(head);
            } else {
                letter[..head.len()].copy_from_slice(&head);
            }
            self.team.send(to, letter);
        }
    }
}

/// The last level of the others' borders, in the letters that it came in.
#[derive(Debug)]
struct Arrived {
    words: usize,
    letters: Vec<letters::Aligned>,
    /// By slot, for those with states: a letter and a word in it.
    places: Vec<(u32, u32)>,
}

impl Sources for Arrived {
    fn block(&self, slot: usize) -> &[u64] {
        let (letter, at) = self.places[slot];
        &self.letters[letter as usize].words()[at as usize..][..self.words]
    }
}

impl Arrived {
    /// Takes a letter, and gives the slots in it with their counts; nothing where it is none.
    fn take(&mut self, letter: Vec<u8>, mut note: impl FnMut(usize, u32) -> bool) -> Option<()> {
        let letter = letters::Aligned::new(letter)?;
        let number = self.letters.len() as u32;
        let words = letter.words();
        let mut at = 1;
        while at < words.len() {
            let head = words[at].to_le();
            let (slot, ones) = ((head as u32) as usize, (head >> 32) as u32);
            let is_whole = words.len() - at > self.words;
            if !is_whole || slot >= self.places.len() || ones == 0 || !note(slot, ones) {
                return None;
            }
            self.places[slot] = (number, at as u32 + 1);
            at += 1 + self.words;
        }
        self.letters.push(letter);
        Some(())
    }
}

/// What follows from the tallies that were taken, for all ranks alike.
#[derive(Clone, Copy, Debug, Default)]
struct Agreed {
    /// There are no more states.
    is_over: bool,
    /// Somebody has cancelled.
    stops: bool,
    /// It is time for a checkpoint.
    saves: bool,
}

/// A rank at work, with its share in memory.
pub(super) struct Resident<'r, 'a> {
    rank: &'r mut Rank<'a>,
    holding: Holding,
    border: Border,
    arrived: Arrived,
    spare: Spare,
    /// Letters of the next level.
    early: Vec<(usize, Vec<u8>)>,
    /// The level whose tallies were not taken yet.
    offered: Option<(u32, Offered)>,
    agreed: Agreed,
    saved_after: Duration,
    saved: Instant,
    saving: Duration,
    /// Whether there is a checkpoint.
    is_saved: bool,
}

impl<'r, 'a> Resident<'r, 'a> {
    /// Takes up a rank's share, as it is at the checkpoint or the beginning.
    pub(super) fn new(
        rank: &'r mut Rank<'a>,
        layout: &BlockLayout,
        saved_after: Duration,
        is_resumed: bool,
    ) -> Result<Self, GenError> {
        let search = &mut rank.search;
        let (segments, team) = (search.segments, rank.team);
        let border = Border::new(&search.graph, segments, rank.shares, team);
        let sets = rank.shares.sets(segments, team.rank());
        let mut holding = Holding::new(search.key, &search.graph, layout, sets)?;
        if is_resumed {
            load(&mut holding, search)?;
        } else {
            holding.begin(search.key, &search.graph);
        }
        let slots = search.graph.classes.iter().map(|class| class.slot_count).max().unwrap_or(0);
        let places = vec![(0, 0); slots];
        let arrived = Arrived { words: layout.word_count, letters: Vec::new(), places };
        Ok(Self {
            rank,
            holding,
            border,
            arrived,
            spare: SegQueue::new(),
            early: Vec::new(),
            offered: None,
            agreed: Agreed::default(),
            saved_after,
            saved: Instant::now(),
            saving: Duration::ZERO,
            is_saved: is_resumed,
        })
    }

    /// Goes through all levels, and gives what was recorded.
    pub(super) fn run(mut self) -> (Result<Record, GenError>, bool) {
        let searched = self.search_all();
        (searched.map(|()| self.holding.record), self.is_saved)
    }

    fn search_all(&mut self) -> Result<(), GenError> {
        if self.rank.search.checkpoint.searched {
            return Ok(());
        }
        let mut level = self.rank.search.checkpoint.level;
        self.announce(level);
        while !self.agreed.is_over {
            level += 1;
            let part = self.advance(level);
            let has_failed = part.is_err();
            if has_failed {
                // What went wrong elsewhere before this ends all ranks there.
                self.collect()?;
            }
            let offered = offer(self.rank.team, part);
            self.collect()?;
            self.offered = Some((level, offered));
            if has_failed || self.agreed.is_over || self.agreed.saves || self.agreed.stops {
                self.collect()?;
            }
            if self.agreed.is_over {
                self.rank.search.end();
            }
            if self.agreed.saves || self.agreed.stops {
                self.save()?;
            }
            if self.agreed.stops {
                return Err(GenError::Interrupted);
            }
        }
        Ok(())
    }

    /// Sends the border as it is after a level.
    fn announce(&self, level: u32) {
        let class = (level % 2) as usize;
        let outbox = Outbox::new(self.rank.team, &self.border, &self.spare, &self.holding, level);
        let slots = self.holding.slots[class].clone();
        let blocks = self.holding.bits[class].chunks_exact(self.arrived.words);
        for (slot, block) in slots.zip(blocks) {
            let ones = self.holding.ones[class][slot];
            if ones > 0 {
                outbox.add(slot, ones, block);
            }
        }
        outbox.all_advanced();
    }

    /// Step 2; gives what is told of it.
    fn advance(&mut self, level: u32) -> Result<Vec<u8>, GenError> {
        if level >= COST_LIMIT {
            return Err(GenError::TooManyLevels { levels_max: COST_LIMIT });
        }
        let begun = Instant::now();
        let (fetched_bytes, fetched_files) = self.await_border(level - 1)?;
        let fetch_seconds = begun.elapsed().as_secs_f64();
        let search = &self.rank.search;
        // Whoever cancels ends all ranks after the level.
        let never = AtomicBool::new(false);
        let monitor = Monitor::new(&|_| (), &never);
        let ground = Ground {
            graph: &search.graph,
            rotations: &search.rotations,
            mode: search.key.mode,
            thread_count: search.thread_count,
            monitor: &monitor,
        };
        let (border, spare) = (&self.border, &self.spare);
        let outbox = Outbox::new(self.rank.team, border, spare, &self.holding, level);
        let lots = &self.border.lots[(level % 2) as usize];
        let tally = self.holding.advance(&ground, level, lots, &self.arrived, &outbox);
        let effort = RankLevel {
            states: tally.states,
            seconds: begun.elapsed().as_secs_f64(),
            fetch_seconds,
            fetched_bytes,
            fetched_files,
            ..RankLevel::default()
        };
        let share = if self.saved_after.is_zero() { 0 } else { SAVING_SHARE };
        let is_due = self.saved.elapsed() >= self.saved_after.max(self.saving * share);
        let part = LevelPart {
            states: tally.states,
            entries: tally.entries,
            effort,
            stops: search.monitor.is_cancelled(),
            saves: is_due && self.rank.team.rank() == 0,
        };
        Ok(serde_json::to_vec(&part).expect("numbers are JSON"))
    }

    /// Waits for the others' borders after a level. Gives bytes and letters.
    fn await_border(&mut self, level: u32) -> Result<(u64, u64), GenError> {
        let class = (level % 2) as usize;
        let (own, ones) = (self.holding.slots[class].clone(), &mut self.holding.ones[class]);
        ones[..own.start].fill(0);
        ones[own.end..].fill(0);
        for letter in self.arrived.letters.drain(..) {
            let bytes = letter.into_bytes();
            if bytes.len() >= LETTER_BYTES {
                self.spare.push(bytes);
            }
        }
        let mut letters_there = std::mem::take(&mut self.early).into_iter();
        let (mut missing, mut bytes, mut count) = (self.border.neighbours.len(), 0, 0);
        while missing > 0 {
            let (from, letter) = match letters_there.next() {
                Some(there) => there,
                None => self.receive()?,
            };
            let team = self.rank.team;
            let (is_last, of) = letters::expect(team, from, &letter, letters::BLOCKS)?;
            if of != level {
                self.early.push((from, letter));
                continue;
            }
            bytes += letter.len() as u64;
            count += 1;
            missing -= usize::from(is_last);
            let ones = &mut self.holding.ones[class];
            let note = |slot: usize, count| {
                let is_theirs = slot < ones.len() && !own.contains(&slot);
                if is_theirs {
                    ones[slot] = count;
                }
                is_theirs
            };
            if self.arrived.take(letter, note).is_none() {
                return Err(letters::unexpected(team, from));
            }
        }
        self.early.extend(letters_there);
        Ok((bytes, count))
    }

    fn receive(&mut self) -> Result<(usize, Vec<u8>), GenError> {
        loop {
            let team = self.rank.team;
            let round = self.offered.as_ref().and_then(|(_, offered)| offered.round());
            let letter = team.receive(round).map_err(|error| error.named(team))?;
            match letter {
                Some(letter) => return Ok(letter),
                // Somebody may have given an error there.
                None => self.collect()?,
            }
        }
    }

    /// Takes the tallies of the level that was offered last, if they were not taken.
    fn collect(&mut self) -> Result<(), GenError> {
        let Some((level, offered)) = self.offered.take() else { return Ok(()) };
        let team = self.rank.team;
        let messages = offered.collect(team)?;
        let mut tally = Tally::default();
        let mut ranks = Vec::new();
        for (rank, message) in messages.iter().enumerate() {
            let part: LevelPart = record(team, rank, message)?;
            tally.add(Tally { states: part.states, entries: part.entries });
            self.agreed.stops |= part.stops;
            self.agreed.saves |= part.saves;
            ranks.push(RankLevel { exchanged_bytes: message.len() as u64, ..part.effort });
        }
        if tally.states == 0 {
            self.agreed.is_over = true;
            return Ok(());
        }
        self.rank.end_level(level, tally, ranks);
        Ok(())
    }

    /// Step 4; all ranks have come to the same level.
    fn save(&mut self) -> Result<(), GenError> {
        let begun = Instant::now();
        let (team, saved) = (self.rank.team, self.write_files());
        let saved: Vec<SavedPart> = exchange_records(team, saved)?;
        let mut counts = Vec::new();
        let mut files = Vec::new();
        for (place, part) in saved.into_iter().enumerate() {
            let slots = self.rank.shares.slots(self.rank.search.segments, place);
            counts.extend(part.counts.map(|file| Counts { place, slots, file }));
            for file in part.files {
                let (name, _) =
                    Name::parse(file.name()).ok_or_else(|| letters::unexpected(team, place))?;
                files.push((name, (place, file)));
            }
        }
        self.rank.replace_files(files.into_iter().collect(), counts);
        together(team, self.rank.save())?;
        together(team, self.rank.clean())?;
        self.is_saved = true;
        self.agreed.saves = false;
        (self.saved, self.saving) = (Instant::now(), begun.elapsed());
        Ok(())
    }

    /// Writes all that this rank holds.
    fn write_files(&self) -> Result<SavedPart, GenError> {
        let Self { holding, rank, .. } = self;
        let search = &rank.search;
        let (level, is_over) = (search.checkpoint.level, search.checkpoint.searched);
        let queue = SegQueue::new();
        for (class, own) in search.own.iter().enumerate() {
            for segment in own.clone() {
                let planes = (0..plane_count(search.key.mode)).map(|nth| Kind::Plane(nth as u8));
                let visited = needs_visited(search.key).then_some(Kind::Visited);
                let of_level = (!is_over).then_some(Kind::Level);
                for kind in planes.chain(visited).chain(of_level) {
                    queue.push(Name { kind, class, segment });
                }
            }
        }
        let written = SegQueue::new();
        in_threads(WRITERS.min(queue.len()).max(1), || -> Result<(), GenError> {
            while let Some(name) = queue.pop() {
                if let Some(file) = write_segment(holding, search, name, level)? {
                    written.push(file);
                }
            }
            Ok(())
        })?;
        let counts =
            if is_over { None } else { Some(write_counts(holding, search.folder, level)?) };
        sync_folder(search.folder)?;
        Ok(SavedPart { counts, files: written.into_iter().collect() })
    }
}

/// What a rank wrote for a checkpoint.
#[derive(Debug, Serialize, Deserialize)]
struct SavedPart {
    counts: Option<WorkFile>,
    files: Vec<WorkFile>,
}

fn write_counts(holding: &Holding, folder: &Path, level: u32) -> Result<WorkFile, GenError> {
    let ones = [0, 1].map(|class| &holding.ones[class][holding.slots[class].clone()]);
    let reached = holding.reached.each_ref().map(|counts| &counts[..]);
    let pieces = ones.into_iter().chain(reached).map(bytemuck::cast_slice);
    Ok(WorkFile::write(&counts_path(folder, level), pieces, None)?.0)
}

/// Writes a segment, if it holds anything.
fn write_segment(
    holding: &Holding,
    search: &Search<'_>,
    name: Name,
    level: u32,
) -> Result<Option<WorkFile>, GenError> {
    let Name { kind, class, segment } = name;
    let (segments, words) = (search.segments, search.words);
    let slots = segments.classes[class].slots[segment].clone();
    let block = |nth: usize| -> &[u64] {
        let recorded = segments.first_record(class, segment) + nth;
        match kind {
            Kind::Level => {
                let at = (slots.start - holding.slots[class].start + nth) * words;
                &holding.bits[class][at..at + words]
            }
            Kind::Visited => {
                holding.record.visited(class, recorded).expect("only what there is is written")
            }
            Kind::Plane(plane) => holding.record.plane(usize::from(plane), class, recorded),
        }
    };
    let holds = |nth: usize| match kind {
        Kind::Level => holding.ones[class][slots.start + nth] > 0,
        Kind::Visited | Kind::Plane(_) => block(nth).iter().any(|&word| word != 0),
    };
    let count = match kind {
        Kind::Level => slots.len(),
        Kind::Visited | Kind::Plane(_) => segments.record_blocks(class, segment),
    };
    let there: Vec<bool> = (0..count).map(holds).collect();
    if !there.contains(&true) {
        return Ok(None);
    }
    let head = present(there.iter().copied());
    let blocks = (0..count).filter(|&nth| there[nth]).map(|nth| bytemuck::cast_slice(block(nth)));
    let pieces = std::iter::once(bytemuck::cast_slice(&head)).chain(blocks);
    Ok(Some(WorkFile::write(&WorkFile::path_of(search.folder, name, level), pieces, None)?.0))
}

/// Reads the share of a checkpoint, of which the counts are read already.
fn load(holding: &mut Holding, search: &mut Search<'_>) -> Result<(), GenError> {
    let words = search.words;
    for class in 0..2 {
        if !search.checkpoint.searched {
            let slots = holding.slots[class].clone();
            holding.reached[class].copy_from_slice(&search.reached[class][slots]);
            holding.ones[class].copy_from_slice(&search.ones[class]);
        }
        for segment in search.own[class].clone() {
            let planes = (0..plane_count(search.key.mode)).map(|nth| Kind::Plane(nth as u8));
            let kinds = planes.chain([Kind::Visited, Kind::Level]);
            let names: Vec<Name> = kinds
                .map(|kind| Name { kind, class, segment })
                .filter(|&name| search.store.contains(name))
                .collect();
            let slots = search.segments.classes[class].slots[segment].clone();
            for (name, read) in names.iter().zip(search.store.fetch(&names)?) {
                match name.kind {
                    Kind::Level => {
                        let at = (slots.start - holding.slots[class].start) * words;
                        let len = slots.len() * words;
                        holding.bits[class][at..][..len].copy_from_slice(&read[..len]);
                    }
                    Kind::Visited | Kind::Plane(_) => {
                        let len = search.segments.record_blocks(class, segment) * words;
                        let first = search.segments.first_record(class, segment);
                        let plane = match name.kind {
                            Kind::Plane(plane) => Some(usize::from(plane)),
                            _ => None,
                        };
                        holding.record.put_blocks(plane, class, first, &read[..len]);
                    }
                }
            }
        }
    }
    search.store.release();
    Ok(())
}
