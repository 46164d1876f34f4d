//! One table by several ranks: each advances its share of the segments, and all go from level to level
//! together.
//!
//! 1. Rank 0 takes the right to write the table. Every rank makes its folder and tells which others it
//!    sees; the newest checkpoint of which nothing is missing is gone on with.
//! 2. A rank advances its own segments. What they need of others is fetched, for the next one while the
//!    present one is advanced.
//! 3. When its files are durable, a rank tells the others which there are, and the counts of its blocks. So
//!    all know the same, and decide the same.
//! 4. Every rank writes the checkpoint; when all have, each removes the last one and its files.
//! 5. When all is searched, rank 0 packs the record, which it fetches like any segment.
//!
//! Each step ends with an exchange, which an error takes part in too.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pdb_core::{PatternKey, TableKey};
use pdb_format::Header;
use serde::{Deserialize, Serialize};

use super::checkpoint::{Counts, TeamCheckpoint};
use super::columns::Columns;
use super::exchange::{self, exchange_records, together};
use super::places::{self, Found, Seen};
use super::rank::{Rank, SharedLevel, names_of};
use super::resident::{self, Resident};
use super::shares::Shares;
use crate::building::{BuildReport, BuildTimes, Streamed};
use crate::disk::WriteLock;
use crate::monitor::{Event, Monitor};
use crate::ranks::Team;
use crate::search::Record;
use crate::streaming::begin::{Begun, table_or_lock, work_folder};
use crate::streaming::budget::{Budget, Need, Parts, Sharing, TeamBudget, cut};
use crate::streaming::checkpoint::{Checkpoint, Name, Whole, WorkFile};
use crate::streaming::elsewhere::{Elsewhere, FETCHES, Place};
use crate::streaming::search::{Frame, Search};
use crate::streaming::segments::Segments;
use crate::streaming::store::Store;
use crate::{GenError, WorkError};

/// What a build by a team took.
#[derive(Clone, Debug)]
pub struct SharedReport {
    /// The table, which is in the folder of rank 0; times and memory are this rank's.
    pub build: BuildReport,
    /// The levels that were searched this time, the same on all ranks.
    pub levels: Vec<SharedLevel>,
}

/// Builds a table like [`build`](crate::build()), the same bytes, by all ranks of a team.
///
/// Every rank calls it, with the same table and `replace`; the table ends in the folder of rank 0. Each
/// keeps its part in a folder of its own below [`work_folder`]. A build that is stopped goes on at the next
/// call, with any number of ranks, if they see all those folders together; a checkpoint of
/// [`build_streamed`](crate::build_streamed) is gone on with too. After success the folders are removed.
///
/// # Errors
/// Those of [`build_streamed`](crate::build_streamed), and [`GenError::RankFailed`],
/// [`GenError::RankLost`] and others for what another rank did.
pub fn build_shared(
    key: &PatternKey,
    folder: &Path,
    TeamBudget { budget, parts }: &TeamBudget,
    thread_count: usize,
    replace: bool,
    monitor: &Monitor<'_>,
    team: &dyn Team,
) -> Result<SharedReport, GenError> {
    let table_key = TableKey::Pattern(*key);
    let job = Job {
        key,
        path: folder.join(table_key.file_name()),
        work: work_folder(folder, &table_key),
        table_key,
        budget,
        parts: *parts,
        thread_count,
        replace,
        monitor,
        team,
    };
    let result = job.run();
    team.serve(None);
    result
}

/// What a rank says at the start.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Hello {
    table: String,
    version: String,
    replace: bool,
    /// The table, if rank 0 has it already.
    table_there: Option<TableThere>,
}

/// A table that rank 0 has.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct TableThere {
    header: Vec<u8>,
    file_bytes: u64,
}

impl TableThere {
    fn new(header: &Header) -> Self {
        Self { header: header.to_bytes().to_vec(), file_bytes: header.file_bytes() }
    }

    fn header(&self, path: &Path) -> Result<Header, GenError> {
        Header::parse(&self.header, self.file_bytes).map_err(GenError::format(path))
    }
}

/// Which folders a rank has and sees.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Look {
    token: String,
    path: PathBuf,
    seen: Vec<Seen>,
}

struct Job<'a> {
    key: &'a PatternKey,
    path: PathBuf,
    work: PathBuf,
    table_key: TableKey,
    budget: &'a Budget,
    parts: Parts,
    thread_count: usize,
    replace: bool,
    monitor: &'a Monitor<'a>,
    team: &'a dyn Team,
}

/// Where a build goes on.
struct Start {
    segments: Segments,
    need: Need,
    progress: Checkpoint,
    /// By the numbers of the places.
    files: BTreeMap<Name, (usize, WorkFile)>,
    counts: Vec<Counts>,
    /// The checkpoint's digest; nothing at the beginning.
    digest: Option<String>,
}

impl Job<'_> {
    fn run(&self) -> Result<SharedReport, GenError> {
        let mut times = BuildTimes::default();
        let begun = Instant::now();
        let (lock, there) = self.say_hello()?;
        if let Some(report) = there {
            self.remove_leftovers()?;
            return Ok(SharedReport { build: report, levels: Vec::new() });
        }

        // Step 1.
        let mut own_lock = None;
        let look = self.look(&mut own_lock);
        let looks = exchange_records(self.team, look)?;
        let places = self.places(&looks);
        self.team.serve(Some(&self.work));
        let frame = Frame::new(self.key, self.thread_count);
        let frame = together(self.team, frame)?;
        let start = self.start(&frame, &looks, &places)?;
        let Start { segments, need, progress, files, counts, digest } = start;

        let own_path = places[self.team.rank()].path.clone();
        let shares = Shares::new(&segments, self.team.count());
        let resident_bytes = resident::need(self.key, &frame, &segments, &shares, self.team);
        let saved_after = self.saved_after(resident_bytes)?;
        let memory_bytes = if saved_after.is_some() { 0 } else { self.budget.memory_bytes };
        let buffers_max = need.buffers_within(memory_bytes);
        let resumed_level = digest.as_ref().map(|_| progress.level);
        let store = self
            .clean(&places, &looks, &files, &counts, digest.as_deref())
            .and_then(|()| {
                let (words, files) = (frame.layout.word_count, BTreeMap::new());
                Store::new(&own_path, &segments, words, buffers_max, files, self.thread_count)
            })
            .map(|mut store| {
                store.elsewhere = Elsewhere::new(self.team, places.clone());
                store.place_files(self.team.rank(), files);
                store
            });
        let store = together(self.team, store)?;
        let total = frame.total;
        let layout = frame.layout;
        let (threads, monitor) = (self.thread_count, self.monitor);
        let mut search = Search::new(self.key, frame, &segments, store, progress, threads, monitor);
        search.own.clone_from(shares.of(self.team.rank()));
        let mut rank = Rank::new(self.team, search, &shares, counts);
        if let Some(level) = resumed_level {
            let done = rank.search.checkpoint.state_count;
            self.monitor.event(Event::Resume { level, done, total });
            let loaded = rank.load_counts();
            together(self.team, loaded)?;
        }
        let (header, memory_bytes) = if let Some(saved_after) = saved_after {
            let resident = Resident::new(&mut rank, &layout, saved_after, resumed_level.is_some());
            let (record, is_saved) = together(self.team, resident)?.run();
            times.search = begun.elapsed();
            let header = record
                .and_then(|record| self.pack_together(&rank, record, lock.as_ref(), &mut times));
            let level = rank.search.checkpoint.level;
            let header = header.map_err(|error| self.paused(error, is_saved.then_some(level)))?;
            (header, resident_bytes)
        } else {
            if resumed_level.is_none() {
                rank.begin()?;
            }
            while !rank.search.checkpoint.searched {
                let level = rank.search.checkpoint.level;
                rank.advance(level + 1).map_err(|error| self.paused(error, Some(level)))?;
            }
            times.search = begun.elapsed();
            self.pack_alone(&mut rank, lock.as_ref(), &need, &mut times)?
        };
        let Rank { search, levels, .. } = rank;
        let streamed = Streamed { resumed_level, memory_bytes, work_bytes: search.work_bytes };
        drop(search);
        self.remove_places(&places, own_lock)?;
        let build = BuildReport::streamed(self.path.clone(), header, total, times, streamed);
        Ok(SharedReport { build, levels })
    }

    /// The error of a build that was stopped, and of which there is a checkpoint of a level.
    fn paused(&self, error: GenError, level: Option<u32>) -> GenError {
        match (error, level) {
            (GenError::Interrupted, Some(level)) => {
                GenError::Paused { folder: self.work.clone(), level }
            }
            (error, _) => error,
        }
    }

    /// Step 5, by rank 0 alone. Gives the header and the bytes of memory that this rank took.
    fn pack_alone(
        &self,
        rank: &mut Rank<'_>,
        lock: Option<&WriteLock>,
        need: &Need,
        times: &mut BuildTimes,
    ) -> Result<(Header, u64), GenError> {
        let level = rank.search.checkpoint.level;
        let searching_bytes = need.fixed + rank.search.store.peak_bytes();
        let packing_bytes = rank.search.packing_bytes();
        let left = (self.budget.memory_bytes as usize).saturating_sub(packing_bytes);
        let mut rows_bytes = 0;
        let packed = rank.take_problem().and_then(|()| {
            let Some(lock) = lock else {
                rank.search.store.release();
                return Ok(None);
            };
            let (header, bytes) = rank.search.pack(lock, left, times)?;
            rows_bytes = bytes;
            Ok(Some(TableThere::new(&header)))
        });
        let packed =
            exchange_records(self.team, packed).map_err(|error| self.paused(error, Some(level)))?;
        let header = packed[0].as_ref().expect("rank 0 packs").header(&self.path)?;
        Ok((header, searching_bytes.max(packing_bytes + rows_bytes) as u64))
    }

    /// After how long a checkpoint is written, if shares are in memory: if all ranks have room for theirs.
    fn saved_after(&self, bytes: u64) -> Result<Option<Duration>, GenError> {
        let fits =
            matches!(self.parts, Parts::InMemory { .. }) && bytes <= self.budget.memory_bytes;
        let fits = exchange_records(self.team, Ok(fits))?;
        Ok(match self.parts {
            Parts::InMemory { saved_after } if !fits.contains(&false) => Some(saved_after),
            _ => None,
        })
    }

    /// Step 5, by all ranks whose shares are in memory.
    fn pack_together(
        &self,
        rank: &Rank<'_>,
        record: Record,
        lock: Option<&WriteLock>,
        times: &mut BuildTimes,
    ) -> Result<Header, GenError> {
        self.monitor.event(Event::Pack);
        let search = &rank.search;
        let columns = Columns {
            team: self.team,
            key: self.key,
            graph: &search.graph,
            segments: search.segments,
            shares: rank.shares,
            level_max: search.checkpoint.level as usize,
            thread_count: self.thread_count,
            monitor: self.monitor,
        };
        let tell = |header: &Header| {
            serde_json::to_vec(&TableThere::new(header)).expect("numbers are JSON")
        };
        let outline = |packing| search.outline(packing);
        let told = columns.pack(record, lock, &outline, &tell, times)?;
        exchange::record::<TableThere>(self.team, 0, &told)?.header(&self.path)
    }

    /// Rank 0 looks for the table and takes the right to write it; all say what they build.
    fn say_hello(&self) -> Result<(Option<WriteLock>, Option<BuildReport>), GenError> {
        let Self { table_key, ref path, ref work, thread_count, replace, monitor, team, .. } =
            *self;
        let (mut lock, mut there) = (None, None);
        let mut hello = || -> Result<Hello, GenError> {
            if team.rank() == 0 {
                match table_or_lock(&table_key, path, work, thread_count, replace, monitor)? {
                    Begun::Table(report, held) => (there, lock) = (Some(*report), held),
                    Begun::Lock(held) => lock = Some(held),
                }
            }
            Ok(Hello {
                table: table_key.file_name(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                replace,
                table_there: there.as_ref().map(|report| TableThere::new(&report.header)),
            })
        };
        let hello = hello();
        let hellos = exchange_records(team, hello)?;
        let said = |hello: &Hello| {
            let how = if hello.replace { ", to be replaced" } else { "" };
            format!("{}{how}, by version {}", hello.table, hello.version)
        };
        if let Some(rank) = (1..team.count()).find(|&rank| said(&hellos[rank]) != said(&hellos[0]))
        {
            let (expected, found) = (said(&hellos[0]), said(&hellos[rank]));
            return Err(GenError::RanksDiffer { rank: team.name_of(rank), expected, found });
        }
        if let (None, Some(table)) = (&there, &hellos[0].table_there) {
            there = Some(BuildReport {
                path: path.clone(),
                already_there: true,
                header: table.header(path)?,
                state_count: 0,
                times: BuildTimes::default(),
                streamed: None,
            });
        }
        Ok((lock, there))
    }

    /// Makes this rank's folder, which nobody else uses while the lock is held, and looks around.
    fn look(&self, lock: &mut Option<WriteLock>) -> Result<Look, GenError> {
        let path = self.work.join(self.team.rank().to_string());
        *lock = Some(WriteLock::acquire(&path, self.monitor)?);
        let token = places::make(&path)?;
        Ok(Look { token, path, seen: places::look(&self.work)? })
    }

    /// All places: those of the ranks, and those that ranks left earlier.
    fn places(&self, looks: &[Look]) -> Vec<Place> {
        let mut places: Vec<Place> = Vec::new();
        for (rank, look) in looks.iter().enumerate() {
            places.push(Place {
                name: rank.to_string(),
                token: look.token.clone(),
                keeper: rank,
                path: look.path.clone(),
                here: None,
            });
        }
        for (rank, seen) in looks
            .iter()
            .enumerate()
            .flat_map(|(rank, look)| look.seen.iter().map(move |seen| (rank, seen)))
        {
            let number = places.iter().position(|place| place.token == seen.token);
            let number = number.unwrap_or_else(|| {
                let (name, token) = (seen.name.clone(), seen.token.clone());
                let path = seen.path.clone();
                places.push(Place { name, token, keeper: rank, path, here: None });
                places.len() - 1
            });
            if number >= looks.len() && rank == self.team.rank() {
                places[number].here = Some(seen.path.clone());
            }
        }
        places
    }

    /// Cuts the classes, all ranks alike.
    fn cut(&self, frame: &Frame, slots_max: Option<usize>) -> Result<(Segments, Need), GenError> {
        let mut budget = *self.budget;
        if let Some(slots) = slots_max {
            budget.segment_bytes = Some(slots.saturating_mul(frame.fixed.block_bytes) as u64);
        }
        let sharing = Sharing { ranks: self.team.count(), fetches: FETCHES };
        cut(self.key, &frame.graph, &frame.fixed, &budget, sharing)
    }

    /// The checkpoint to go on with, or the beginning.
    fn start(&self, frame: &Frame, looks: &[Look], places: &[Place]) -> Result<Start, GenError> {
        let mut problem = None;
        for (digest, checkpoint) in self.checkpoints(looks, &mut problem)? {
            let level = checkpoint.progress.level;
            let (start, missing) = match self.try_checkpoint(frame, places, checkpoint) {
                Ok((start, missing)) => (Some(start), Ok(missing)),
                Err(error) => (None, Err(error)),
            };
            let missing: Vec<Option<Missing>> = exchange_records(self.team, missing)?;
            let start = start.expect("an error ends the exchange");
            let Some(Missing { place, file }) = missing.into_iter().flatten().next() else {
                return Ok(Start { digest: Some(digest), ..start });
            };
            let asked: Vec<_> =
                (0..self.team.count()).map(|rank| self.team.name_of(rank)).collect();
            let (folder, asked) = (self.work.clone(), asked.join(", "));
            problem.get_or_insert(GenError::NoSuchPart { level, file, place, folder, asked });
        }
        if let Some(problem) = problem {
            return Err(problem);
        }
        let slots = |cut: &(Segments, Need)| cut.0.slots_max;
        let agreed = exchange_records(self.team, self.cut(frame, None).map(|cut| slots(&cut)))?;
        let slots_max = agreed.into_iter().min().expect("there is a rank");
        let (segments, need) = together(self.team, self.cut(frame, Some(slots_max)))?;
        let progress = Checkpoint::new(self.table_key.file_name(), segments.slots_max);
        let (files, counts) = (BTreeMap::new(), Vec::new());
        Ok(Start { segments, need, progress, files, counts, digest: None })
    }

    /// All checkpoints that any rank sees, the newest first, and what is wrong with others.
    fn checkpoints(
        &self,
        looks: &[Look],
        problem: &mut Option<GenError>,
    ) -> Result<Vec<(String, TeamCheckpoint)>, GenError> {
        // The first rank that sees one tells all of it.
        let mut found: BTreeMap<String, (usize, &Seen, &Found)> = BTreeMap::new();
        for (rank, look) in looks.iter().enumerate() {
            for seen in &look.seen {
                for checkpoint in &seen.checkpoints {
                    let digest = checkpoint.digest.to_string();
                    found.entry(digest).or_insert((rank, seen, checkpoint));
                }
            }
        }
        let path = |seen: &Seen, checkpoint: &Found| seen.path.join(&checkpoint.file_name);
        let own = found.iter().filter(|(_, (rank, ..))| *rank == self.team.rank());
        let texts = own.map(|(digest, (_, seen, checkpoint))| {
            let text = places::checkpoint_text(&path(seen, checkpoint))?.unwrap_or_default();
            Ok((digest.clone(), String::from_utf8_lossy(&text).into_owned()))
        });
        let texts: Result<Vec<(String, String)>, GenError> = texts.collect();
        let texts = exchange_records(self.team, texts)?;
        let mut texts: BTreeMap<String, String> = texts.into_iter().flatten().collect();
        let mut checkpoints = Vec::new();
        for (digest, (_, seen, checkpoint)) in found {
            let text = texts.remove(&digest).unwrap_or_default().into_bytes();
            let table = self.table_key.file_name();
            let parsed = if seen.name.is_empty() {
                TeamCheckpoint::parse_alone(text, &table, &seen.token)
            } else {
                TeamCheckpoint::parse(text, &table)
            };
            match parsed {
                Ok(parsed) => checkpoints.push((digest, parsed)),
                Err(error @ WorkError::Damaged) => {
                    problem.get_or_insert(error.at(&path(seen, checkpoint)));
                }
                Err(error) => return Err(error.at(&path(seen, checkpoint))),
            }
        }
        let newest = |(digest, checkpoint): &(String, TeamCheckpoint)| {
            let Checkpoint { searched, level, .. } = checkpoint.progress;
            std::cmp::Reverse((searched, level, digest.clone()))
        };
        checkpoints.sort_by_cached_key(newest);
        Ok(checkpoints)
    }

    /// Where a build goes on with a checkpoint, and the first file that this rank should have and has not.
    fn try_checkpoint(
        &self,
        frame: &Frame,
        places: &[Place],
        mut checkpoint: TeamCheckpoint,
    ) -> Result<(Start, Option<Missing>), GenError> {
        let (segments, need) = self.cut(frame, Some(checkpoint.progress.segment_slots))?;
        let whole = Whole { key: self.key, segments: &segments, total: frame.total };
        let named = checkpoint.check(&whole).map_err(|error| error.at(&self.work.join("0")))?;
        let TeamCheckpoint { progress, places: names, counts, .. } = checkpoint;
        let numbers: Vec<Option<usize>> = names
            .iter()
            .map(|name| places.iter().position(|place| place.token == name.token))
            .collect();
        let mut missing = None;
        let mut find = |number: usize, file: &WorkFile, what: &dyn Fn() -> String| {
            let is_there = match numbers[number].map(|number| &places[number]) {
                None => false,
                Some(place) if place.keeper != self.team.rank() => true,
                Some(place) => match file.check(&place.path) {
                    Ok(()) => true,
                    Err(GenError::Work { .. }) => false,
                    Err(error) => return Err(error),
                },
            };
            if !is_there && missing.is_none() {
                missing = Some(Missing { place: names[number].name.clone(), file: what() });
            }
            Ok(numbers[number].unwrap_or(0))
        };
        let mut files = BTreeMap::new();
        for (name, (number, file)) in named {
            let what =
                || format!("segment {} of class {} ({})", name.segment, name.class, file.name());
            files.insert(name, (find(number, &file, &what)?, file.clone()));
        }
        let mut found_counts = Vec::new();
        for part in counts {
            let what = || format!("counts ({})", part.file.name());
            found_counts
                .push(Counts { place: find(part.place, &part.file, &what)?, ..part.clone() });
        }
        let counts = found_counts;
        Ok((Start { segments, need, progress, files, counts, digest: None }, missing))
    }

    /// Removes what no checkpoint names from the places that this rank keeps.
    fn clean(
        &self,
        places: &[Place],
        looks: &[Look],
        files: &BTreeMap<Name, (usize, WorkFile)>,
        counts: &[Counts],
        digest: Option<&str>,
    ) -> Result<(), GenError> {
        for (number, place) in places.iter().enumerate() {
            if place.keeper != self.team.rank() {
                continue;
            }
            let mut named: BTreeSet<String> = names_of(number, files.values(), counts);
            let seen = looks[place.keeper].seen.iter().filter(|seen| seen.token == place.token);
            for checkpoint in seen.flat_map(|seen| &seen.checkpoints) {
                if Some(&checkpoint.digest.to_string()[..]) == digest {
                    named.insert(checkpoint.file_name.clone());
                }
            }
            places::clean(&place.path, &named)?;
        }
        if places.iter().all(|place| !place.name.is_empty()) {
            // Of a build on one machine that came to no checkpoint.
            places::clean(&self.work, &BTreeSet::new())?;
        }
        Ok(())
    }

    /// Removes what a build left that was killed at the very end.
    fn remove_leftovers(&self) -> Result<(), GenError> {
        let seen: Vec<Vec<Seen>> = exchange_records(self.team, places::look(&self.work))?;
        let mut tokens = BTreeSet::new();
        let mut kept = Vec::new();
        for (rank, seen) in seen.into_iter().enumerate() {
            for Seen { name, token, path, .. } in seen {
                if tokens.insert(token.clone()) {
                    kept.push(Place { name, token, keeper: rank, path, here: None });
                }
            }
        }
        self.remove_places(&kept, None)
    }

    /// Removes the places, and the work folder where nothing else is in it.
    fn remove_places(&self, places: &[Place], lock: Option<WriteLock>) -> Result<(), GenError> {
        let kept = places.iter().filter(|place| place.keeper == self.team.rank());
        let mut places = kept.map(|place| places::remove_place(&place.path, place.name.is_empty()));
        let removed = places.try_for_each(|removed| removed);
        drop(lock);
        together(self.team, removed)?;
        together(self.team, places::remove_work_folder(&self.work))
    }
}

/// A file of a checkpoint that is not where it was.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Missing {
    place: String,
    file: String,
}
