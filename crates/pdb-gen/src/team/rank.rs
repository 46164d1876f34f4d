//! A rank at work: from level to level, together with all others.
//!
//! The steps are those of [`shared`](super::shared).

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use pdb_format::{DIGEST_BYTES, Digest};
use serde::{Deserialize, Serialize};

use super::checkpoint::{Counts, PlaceName, TeamCheckpoint, counts_bytes};
use super::exchange::{exchange, record, together};
use super::places::{self, checkpoint_name};
use super::shares::Shares;
use crate::GenError;
use crate::disk::{sync_folder, write_file};
use crate::monitor::Event;
use crate::ranks::Team;
use crate::search::Tally;
use crate::streaming::checkpoint::{
    CHECKPOINT, Checkpoint, Kind, Name, WorkFile, counts_path, seal,
};
use crate::streaming::search::{Effort, Search};
use crate::streaming::slices::Wanted;

/// What a level took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SharedLevel {
    /// The level.
    pub level: u32,
    /// States that it reached first.
    pub states: u64,
    /// What each rank did.
    pub ranks: Vec<RankLevel>,
}

/// What a rank did for a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RankLevel {
    /// States that it reached first.
    pub states: u64,
    /// Seconds from the start of the level until what it wrote was durable.
    pub seconds: f64,
    /// Seconds of these in which its threads waited for segments.
    pub fetch_seconds: f64,
    /// Seconds in which it waited for slower ranks afterwards.
    pub idle_seconds: f64,
    /// Bytes of segments that it fetched from others.
    pub fetched_bytes: u64,
    /// Files that these were.
    pub fetched_files: u64,
    /// Bytes of segments that it read from a disk.
    pub read_bytes: u64,
    /// Bytes that it gave to each other rank at the exchange after the level.
    pub exchanged_bytes: u64,
    /// Segments that moves came from, once for each segment that they led to.
    pub sources: u64,
    /// Those of them that are its own.
    pub own_sources: u64,
}

/// The names of the files that a checkpoint has in a place.
pub(super) fn names_of<'a>(
    place: usize,
    files: impl Iterator<Item = &'a (usize, WorkFile)>,
    counts: &[Counts],
) -> BTreeSet<String> {
    let files = files.filter(|(number, _)| *number == place).map(|(_, file)| file);
    let counts = counts.iter().filter(|part| part.place == place).map(|part| &part.file);
    files.chain(counts).map(|file| file.name().to_owned()).collect()
}

/// What a rank tells of a level. Behind it are the counts of the slots of its segments that have states, and
/// the digests of the slices of these.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct LevelPart {
    states: u64,
    entries: u64,
    /// The counts of all its slots.
    counts: WorkFile,
    /// The segments that it wrote.
    files: Vec<WorkFile>,
    effort: RankLevel,
}

/// How long ranks waited for the slowest.
fn find_idle(ranks: &mut [RankLevel]) {
    let slowest = ranks.iter().map(|rank| rank.seconds).fold(0.0, f64::max);
    for rank in ranks {
        rank.idle_seconds = slowest - rank.seconds;
    }
}

/// A rank at work.
pub(super) struct Rank<'a> {
    pub(super) team: &'a dyn Team,
    pub(super) search: Search<'a>,
    pub(super) shares: &'a Shares,
    /// Slots of each class that moves into this rank's blocks come from.
    needed: [Vec<bool>; 2],
    counts: Vec<Counts>,
    pub(super) levels: Vec<SharedLevel>,
    /// What went wrong after an exchange: the next one tells of it.
    problem: Option<GenError>,
}

impl<'a> Rank<'a> {
    pub(super) fn new(
        team: &'a dyn Team,
        search: Search<'a>,
        shares: &'a Shares,
        counts: Vec<Counts>,
    ) -> Self {
        let mut needed = search.graph.classes.each_ref().map(|class| vec![false; class.slot_count]);
        for (class, slots) in shares.slots(search.segments, team.rank()).into_iter().enumerate() {
            let pulls = slots.flat_map(|slot| search.graph.classes[class].pulls(slot));
            pulls.for_each(|pull| needed[1 - class][pull.source as usize] = true);
        }
        Self { team, search, shares, needed, counts, levels: Vec::new(), problem: None }
    }

    pub(super) fn take_problem(&mut self) -> Result<(), GenError> {
        self.problem.take().map_or(Ok(()), Err)
    }

    /// Level 0: the goal.
    pub(super) fn begin(&mut self) -> Result<(), GenError> {
        let begun = Instant::now();
        let part = self.search.put_goal().and_then(|()| {
            let goal = self.search.segments.classes[0].of_slot(self.search.graph.goal_slot);
            let states = u64::from(self.search.own[0].contains(&goal));
            self.part(0, Tally { states, entries: states }, begun)
        });
        self.exchange_level(0, part)
    }

    /// Steps 2 to 4 for one level.
    pub(super) fn advance(&mut self, level: u32) -> Result<(), GenError> {
        let begun = Instant::now();
        let part = self.take_problem().and_then(|()| {
            let tally = self.search.sweep(level)?;
            self.part(level, tally, begun)
        });
        self.exchange_level(level, part)
    }

    /// What this rank tells of a level; its files are durable then.
    fn part(&mut self, level: u32, tally: Tally, begun: Instant) -> Result<Vec<u8>, GenError> {
        let search = &mut self.search;
        search.store.flush()?;
        search.work_bytes = search.work_bytes.max(search.store.file_bytes());
        let slots = self.shares.slots(search.segments, self.team.rank());
        let of_slots = search.ones.iter().chain(&search.reached).zip(slots.iter().cycle());
        let pieces = of_slots.map(|(counts, slots)| bytemuck::cast_slice(&counts[slots.clone()]));
        let (counts, _) = WorkFile::write(&counts_path(search.folder, level), pieces, None)?;
        sync_folder(search.folder)?;
        let class = (level % 2) as usize;
        let mut ones = Vec::new();
        for segment in search.own[class].clone() {
            let slots = search.segments.classes[class].slots[segment].clone();
            let is_live = search.ones[class][slots.clone()].iter().any(|&ones| ones > 0);
            search.live[class][segment] = is_live;
            if is_live {
                ones.extend(search.ones[class][slots].iter().flat_map(|ones| ones.to_le_bytes()));
            }
        }
        let mut slices = Vec::new();
        let mut files = Vec::new();
        for (name, file) in search.store.files() {
            if Name::parse(file.name()).is_some_and(|(_, of)| of == level) {
                files.push(file.clone());
                let digests = search.store.slices.get(name).into_iter().flatten();
                slices.extend(digests.flat_map(|digest| digest.0));
            }
        }
        let [fetched_bytes, fetched_files, read_bytes] = search.store.elsewhere.take_traffic();
        let Effort { sources, own_sources, waiting } = std::mem::take(&mut search.effort);
        let effort = RankLevel {
            states: tally.states,
            seconds: begun.elapsed().as_secs_f64(),
            fetch_seconds: waiting.as_secs_f64(),
            idle_seconds: 0.0,
            fetched_bytes,
            fetched_files,
            read_bytes,
            exchanged_bytes: 0,
            sources,
            own_sources,
        };
        let part =
            LevelPart { states: tally.states, entries: tally.entries, counts, files, effort };
        let text = serde_json::to_vec(&part).expect("numbers and strings are JSON");
        Ok([&(text.len() as u64).to_le_bytes()[..], &text, &ones, &slices].concat())
    }

    /// Steps 3 and 4.
    fn exchange_level(
        &mut self,
        level: u32,
        part: Result<Vec<u8>, GenError>,
    ) -> Result<(), GenError> {
        let parts = exchange(self.team, part)?;
        let taken = self.take_level(level, &parts);
        let saved = taken.and_then(|taken| self.save().map(|()| taken));
        let (tally, ranks) = together(self.team, saved)?;
        // The next exchange tells of what went wrong.
        self.problem = self.clean().err();
        if tally.states > 0 {
            self.tell(level, tally, ranks);
        }
        Ok(())
    }

    /// Takes what all ranks tell of a level.
    fn take_level(
        &mut self,
        level: u32,
        parts: &[Vec<u8>],
    ) -> Result<(Tally, Vec<RankLevel>), GenError> {
        let class = (level % 2) as usize;
        let own = self.search.own.clone();
        let is_own = |name: Name| own[name.class].contains(&name.segment);
        self.search.store.end_level(class, level, is_own);
        let mut tally = Tally::default();
        let (mut counts, mut ranks) = (Vec::new(), Vec::new());
        for (rank, message) in parts.iter().enumerate() {
            let part = self.take_part(level, rank, message)?;
            tally.states += part.states;
            tally.entries += part.entries;
            let slots = self.shares.slots(self.search.segments, rank);
            counts.push(Counts { place: rank, slots, file: part.counts });
            ranks.push(RankLevel { exchanged_bytes: message.len() as u64, ..part.effort });
        }
        find_idle(&mut ranks);
        if tally.states == 0 {
            self.search.end();
            counts.clear();
        } else if level > 0 {
            self.search.checkpoint.add_level(level, tally);
        }
        self.counts = counts;
        Ok((tally, ranks))
    }

    /// Ends a level that was searched in memory.
    pub(super) fn end_level(&mut self, level: u32, tally: Tally, mut ranks: Vec<RankLevel>) {
        find_idle(&mut ranks);
        self.search.checkpoint.add_level(level, tally);
        self.tell(level, tally, ranks);
    }

    /// Takes what a rank tells of a level, this one included.
    fn take_part(
        &mut self,
        level: u32,
        rank: usize,
        message: &[u8],
    ) -> Result<LevelPart, GenError> {
        let class = (level % 2) as usize;
        let problem = |problem: &str| GenError::RankFailed {
            rank: self.team.name_of(rank),
            problem: format!("expected {problem} after level {level}, found something else"),
        };
        let (len, rest) = message.split_first_chunk().ok_or_else(|| problem("a message"))?;
        let (text, rest) = usize::try_from(u64::from_le_bytes(*len))
            .ok()
            .and_then(|len| rest.split_at_checked(len))
            .ok_or_else(|| problem("a message"))?;
        let part: LevelPart = record(self.team, rank, text)?;
        if rank == self.team.rank() {
            return Ok(part);
        }
        let search = &mut self.search;
        let range = self.shares.of(rank)[class].clone();
        for segment in range.clone() {
            search.live[class][segment] = false;
            search.ones[class][search.segments.classes[class].slots[segment].clone()].fill(0);
        }
        let mut names = Vec::new();
        for file in &part.files {
            let name = match Name::parse(file.name()) {
                Some((name, of))
                    if of == level && name.class == class && range.contains(&name.segment) =>
                {
                    name
                }
                _ => return Err(problem("files of its own segments")),
            };
            names.push((name, file));
            if name.kind == Kind::Level {
                search.live[class][name.segment] = true;
            }
        }
        let mut rest = rest;
        for segment in range.filter(|&segment| search.live[class][segment]) {
            for slot in search.segments.classes[class].slots[segment].clone() {
                let (count, behind) =
                    rest.split_first_chunk().ok_or_else(|| problem("counts of its blocks"))?;
                let count = u32::from_le_bytes(*count);
                rest = behind;
                search.ones[class][slot] = count;
                search.reached[class][slot] += count;
            }
        }
        for (name, file) in names {
            let mut wanted = None;
            if name.kind == Kind::Level {
                let slots = search.segments.classes[class].slots[name.segment].clone();
                let ones = &search.ones[class][slots.clone()];
                let mut new = Wanted::new(
                    search.words,
                    ones.iter().map(|&ones| ones > 0).zip(&self.needed[class][slots]),
                );
                let count = new.slice_count(file.bytes);
                let (digests, behind) = rest
                    .split_at_checked(count * DIGEST_BYTES)
                    .ok_or_else(|| problem("digests of slices"))?;
                new.digests = digests.as_chunks().0.iter().copied().map(Digest).collect();
                rest = behind;
                wanted = Some(new);
            }
            search.store.put_elsewhere(name, rank, file.clone(), wanted);
        }
        if !rest.is_empty() {
            return Err(problem("the end of the message"));
        }
        if level == 0 {
            search.reached[class].clone_from(&search.ones[class]);
        }
        Ok(part)
    }

    /// From now on, these are the files that count.
    pub(super) fn replace_files(
        &mut self,
        files: BTreeMap<Name, (usize, WorkFile)>,
        counts: Vec<Counts>,
    ) {
        let search = &mut self.search;
        search.store.replace_files(self.team.rank(), files);
        search.work_bytes = search.work_bytes.max(search.store.file_bytes());
        self.counts = counts;
    }

    /// Writes the checkpoint beside the last one.
    pub(super) fn save(&self) -> Result<(), GenError> {
        let search = &self.search;
        let me = self.team.rank();
        let mut files = search.store.elsewhere.files.clone();
        files.extend(search.store.files().iter().map(|(&name, file)| (name, (me, file.clone()))));
        let places = search
            .store
            .elsewhere
            .places
            .iter()
            .map(|place| PlaceName { name: place.name.clone(), token: place.token.clone() });
        let checkpoint = TeamCheckpoint::new(
            &search.checkpoint,
            places.collect(),
            self.counts.clone(),
            files.into_values().collect(),
        );
        write_file(&search.folder.join(self.checkpoint_name()), seal(&checkpoint).as_bytes())
    }

    fn checkpoint_name(&self) -> String {
        let Checkpoint { level, searched, .. } = self.search.checkpoint;
        checkpoint_name(level, searched)
    }

    /// Removes the last checkpoint and its files from the places that this rank keeps.
    pub(super) fn clean(&mut self) -> Result<(), GenError> {
        self.search.store.forget_stale();
        let (me, elsewhere) = (self.team.rank(), &self.search.store.elsewhere);
        for (number, place) in elsewhere.places.iter().enumerate() {
            if place.keeper != me {
                continue;
            }
            let mut named = names_of(number, elsewhere.files.values(), &self.counts);
            if number == me {
                named.extend(self.search.store.files().values().map(|file| file.name().to_owned()));
                named.insert(self.checkpoint_name());
            }
            places::clean(&place.path, &named)?;
        }
        Ok(())
    }

    /// Reads the counts of a checkpoint.
    pub(super) fn load_counts(&mut self) -> Result<(), GenError> {
        if self.counts.is_empty() {
            return Ok(());
        }
        let search = &mut self.search;
        search.ones = search.zero_counts();
        search.reached = search.zero_counts();
        for Counts { place, slots, file } in &self.counts {
            let mut reader = search.store.elsewhere.open_at(*place, file)?;
            if file.bytes != counts_bytes(slots) {
                return Err(reader.damaged());
            }
            let all = search.ones.iter_mut().chain(&mut search.reached);
            for (counts, slots) in all.zip(slots.iter().cycle()) {
                reader.read(bytemuck::cast_slice_mut(&mut counts[slots.clone()]))?;
            }
            reader.finish()?;
        }
        search.find_live();
        search.check_counts().map_err(|error| error.at(&search.folder.join(CHECKPOINT)))
    }

    /// Tells of a level that is done.
    fn tell(&mut self, level: u32, tally: Tally, ranks: Vec<RankLevel>) {
        let search = &self.search;
        let (done, total) = (search.checkpoint.state_count, search.total);
        search.monitor.event(Event::Level { level, done, total });
        let sum = |part: fn(&RankLevel) -> u64| ranks.iter().map(part).sum();
        let waiting: f64 = ranks.iter().map(|rank| rank.fetch_seconds + rank.idle_seconds).sum();
        search.monitor.event(Event::Traffic {
            level,
            fetched_bytes: sum(|rank| rank.fetched_bytes),
            read_bytes: sum(|rank| rank.read_bytes),
            waiting_ms: (waiting * 1e3) as u64,
        });
        self.levels.push(SharedLevel { level, states: tally.states, ranks });
    }
}
