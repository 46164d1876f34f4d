//! Build of one table by several ranks.
//!
//! 1. Rank 0 locks the table for writing. The build is resumed at the newest checkpoint whose files
//!    the ranks have together.
//! 2. Every rank [searches](super::rank) its share.
//! 3. All ranks [pack](super::columns) the table, which rank 0 writes.
//!
//! Each step ends with a round, which also carries errors.

use std::cmp::Reverse;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use pdb_clock::Instant;
use pdb_core::{PatternKey, TableKey};
use pdb_format::Header;
use serde::{Deserialize, Serialize};

use super::columns::TablePacker;
use super::memory;
use super::rank::Rank;
use super::ranks::Team;
use super::report::TeamReport;
use super::rounds::{exchange, together};
use super::saving::TeamCheckpoint;
use super::schedule::CheckpointSchedule;
use super::shares::{Shares, TeamContext};
use crate::building::{Build, BuildReport, BuildTimes, Start, StreamReport};
use crate::disk::{OwnedFile, WriteLock, remove_folder, write_file};
use crate::monitor::Event;
use crate::search::SearchSpace;
use crate::streaming::checkpoint::{Checkpoint, read_if_there};
use crate::streaming::segments::Segments;
use crate::streaming::work_files::{CHECKPOINT, WorkFile, remove_all, remove_others};
use crate::streaming::work_folder;
use crate::{GenError, WorkError};

/// Limits of each rank of a team.
#[derive(Clone, Copy, Debug)]
pub struct TeamBudget {
    /// Memory limit of the rank's process, in bytes.
    pub memory_bytes: u64,
    /// Size of a segment with one bit per state, rounded up to whole blocks, in bytes, the same on
    /// all ranks. Default: a size that suits the number of ranks.
    pub segment_bytes: Option<u64>,
    /// Time after which a level is followed by a checkpoint; checkpoints take at most a tenth of
    /// the time. With zero, every level is followed by one.
    pub saved_after: Duration,
}

impl TeamBudget {
    /// Creates limits with this memory, and a checkpoint after each minute.
    pub fn new(memory_bytes: u64) -> Self {
        Self { memory_bytes, segment_bytes: None, saved_after: Duration::from_mins(1) }
    }
}

impl Build<'_> {
    /// Builds the same table as [`Build::in_memory`] by all ranks of a team, each with its share in
    /// memory.
    ///
    /// Every rank calls it, with the same table and `replace`; the table is written to the folder
    /// of rank 0. The next call resumes a stopped build at its checkpoint, with any number of
    /// ranks, if they have all its files together. It also resumes at a checkpoint of
    /// [`Build::streamed`]. After success the files are removed.
    ///
    /// # Errors
    /// [`GenError::TeamBudget`] when a share does not fit the memory of its rank,
    /// [`GenError::RankFailed`], [`GenError::RankLost`] and others for failures of another rank, or
    /// those of [`Build::streamed`].
    pub fn by_team(
        &self,
        key: &PatternKey,
        budget: &TeamBudget,
        team: &dyn Team,
    ) -> Result<TeamReport, GenError> {
        let table_key = TableKey::Pattern(*key);
        let path = self.folder.join(table_key.file_name());
        let work = work_folder(self.folder, &table_key);
        TeamBuild { build: *self, key, budget, team, table_key, path, work }.run()
    }
}

/// The first part of a rank.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Hello {
    /// Table, version and whether the table is replaced, as text.
    job: String,
    /// Header and length of the table, if rank 0 already has it.
    table: Option<(Vec<u8>, u64)>,
}

struct TeamBuild<'a> {
    build: Build<'a>,
    key: &'a PatternKey,
    budget: &'a TeamBudget,
    team: &'a dyn Team,
    table_key: TableKey,
    path: PathBuf,
    work: PathBuf,
}

impl TeamBuild<'_> {
    fn run(&self) -> Result<TeamReport, GenError> {
        let mut times = BuildTimes::default();
        let begun = Instant::now();
        let (lock, report) = self.say_hello()?;
        if let Some(build) = report {
            self.remove_files(None)?;
            return Ok(TeamReport { build, levels: Vec::new() });
        }

        let team = self.team;
        let own_lock = together(team, self.lock())?;
        let space = together(team, SearchSpace::new(self.key, self.build.thread_count))?;
        let checkpoint = self.checkpoint()?;
        let slots_max = match &checkpoint {
            Some(TeamCheckpoint { checkpoint, .. }) => Some(checkpoint.segment_slots),
            None => self.budget.segment_bytes.map(|bytes| bytes as usize / space.block_bytes()),
        };
        let segments = memory::cut(&space, team.count(), slots_max);
        let shares = Shares::new(&segments, team.count());
        let memory_bytes = self.check_memory(&space, &segments, &shares)?;

        let monitor = self.build.monitor;
        let shares = &shares;
        let context = TeamContext { team, space: &space, segments: &segments, shares, monitor };
        let progress = match &checkpoint {
            Some(TeamCheckpoint { checkpoint, .. }) => checkpoint.clone(),
            None => Checkpoint::new(self.table_key.file_name(), segments.slots_max),
        };
        let resumed_level = checkpoint.is_some().then_some(progress.level);
        let saved_after = self.budget.saved_after;
        let schedule = CheckpointSchedule::new(&self.work, saved_after, resumed_level);
        let mut rank = together(team, Rank::new(context, progress, schedule))?;
        if let Some(checkpoint) = checkpoint {
            let Checkpoint { level, state_count: done, .. } = rank.progress;
            monitor.event(Event::Resume { level, done, total: space.state_count });
            rank.load(&checkpoint)?;
        }
        let searched = rank.search();
        times.search = begun.elapsed();
        let (record, progress, schedule, levels) = rank.into_parts();
        let packer = TablePacker { context, progress: &progress };
        let packed = searched.and_then(|()| packer.pack(record, lock.as_ref(), &mut times));
        let header = packed.map_err(|error| match (error, schedule.saved_level) {
            (GenError::Interrupted, Some(level)) => {
                GenError::Paused { folder: self.work.clone(), level }
            }
            (error, _) => error,
        })?;
        let work_bytes = schedule.work_bytes;
        let streamed = Some(StreamReport { resumed_level, memory_bytes, work_bytes });
        self.remove_files(Some(own_lock))?;
        let (path, state_count) = (self.path.clone(), space.state_count);
        let build =
            BuildReport { path, already_there: false, header, state_count, times, streamed };
        Ok(TeamReport { build, levels })
    }

    /// Rank 0 looks for the table and locks it for writing; all ranks compare their jobs.
    fn say_hello(&self) -> Result<(Option<WriteLock>, Option<BuildReport>), GenError> {
        let team = self.team;
        let (mut lock, mut report) = (None, None);
        let mut hello = || -> Result<Hello, GenError> {
            if team.rank() == 0 {
                match self.build.start(&self.table_key, Some(&self.work))? {
                    Start::AlreadyThere(there, held) => (report, lock) = (Some(*there), held),
                    Start::Locked(held) => lock = Some(held),
                }
            }
            let how = if self.build.replace { ", to be replaced" } else { "" };
            let (name, version) = (self.table_key.file_name(), env!("CARGO_PKG_VERSION"));
            let table = report.as_ref().map(|report: &BuildReport| {
                (report.header.to_bytes().to_vec(), report.header.file_bytes())
            });
            Ok(Hello { job: format!("{name}{how}, by version {version}"), table })
        };
        let hellos = exchange(team, hello())?;
        let expected = &hellos[0].job;
        if let Some(rank) = hellos.iter().position(|hello| hello.job != *expected) {
            let found = &hellos[rank].job;
            let problem =
                format!("expected {expected} as on rank 0, found {found}; start all ranks alike");
            return Err(GenError::RankFailed { rank: team.name_of(rank), problem });
        }
        if let (None, Some((header, file_bytes))) = (&report, &hellos[0].table) {
            let header =
                Header::parse(header, *file_bytes).map_err(GenError::format(&self.path))?;
            report = Some(BuildReport::already_there(&self.path, header));
        }
        Ok((lock, report))
    }

    /// Returns the memory that this rank needs in bytes, if the shares of all ranks fit.
    fn check_memory(
        &self,
        space: &SearchSpace,
        segments: &Segments,
        shares: &Shares,
    ) -> Result<u64, GenError> {
        let ranks = self.team.count();
        let needed = memory::memory_bytes(space, segments, shares)[self.team.rank()];
        let of_ranks = exchange(self.team, Ok((needed, self.budget.memory_bytes)))?;
        let worst = of_ranks.into_iter().filter(|(needed, budget)| needed > budget).max();
        let Some((needed_bytes, memory_bytes)) = worst else { return Ok(needed) };
        let table = self.table_key.file_name();
        let ranks_enough = memory::ranks_enough(space, ranks, memory_bytes);
        Err(GenError::TeamBudget { table, ranks, memory_bytes, needed_bytes, ranks_enough })
    }

    /// Returns the newest checkpoint whose files are complete, if any, and removes all other files
    /// of builds.
    fn checkpoint(&self) -> Result<Option<TeamCheckpoint>, GenError> {
        let (team, path) = (self.team, self.work.join(CHECKPOINT));
        let own = read_if_there(&path);
        let digest = own.map(|text| (text.as_deref().map(pdb_format::digest), text));
        let (digest, own) = together(team, digest)?;
        let digests = exchange(team, Ok(digest))?;
        // The first rank with a checkpoint sends its text.
        let is_first = digests.iter().position(|other| *other == digest) == Some(team.rank());
        let text = own.filter(|_| is_first).map(|text| String::from_utf8_lossy(&text).into_owned());
        let mut problem = None;
        let mut all = Vec::new();
        for text in exchange(team, Ok(text))?.into_iter().flatten() {
            match Checkpoint::parse(text.clone().into_bytes(), &self.table_key.file_name()) {
                Ok(checkpoint) => all.push((checkpoint, text)),
                Err(error @ WorkError::Damaged) => {
                    problem.get_or_insert(error.at(&path));
                }
                Err(error) => return Err(error.at(&path)),
            }
        }
        all.sort_by_key(|(checkpoint, _)| Reverse((checkpoint.searched, checkpoint.level)));
        for (checkpoint, text) in all {
            let has = |file: &WorkFile| match file.open(&self.work) {
                Ok(_) => Ok(true),
                Err(GenError::Work { .. }) => Ok(false),
                Err(error) => Err(error),
            };
            let own = checkpoint.files.iter().map(has).collect::<Result<Vec<bool>, GenError>>();
            let of_ranks = exchange(team, own)?;
            let reader = |nth: usize| of_ranks.iter().position(|rank| rank.get(nth) == Some(&true));
            let readers: Vec<_> = (0..checkpoint.files.len()).map(reader).collect();
            if let Some(missing) = readers.iter().position(Option::is_none) {
                let asked: Vec<_> = (0..team.count()).map(|rank| team.name_of(rank)).collect();
                problem.get_or_insert(GenError::MissingFile {
                    level: checkpoint.level,
                    file: checkpoint.files[missing].name.clone(),
                    folder: self.work.clone(),
                    asked: asked.join(", "),
                });
                continue;
            }
            let is_other = digest.is_some_and(|own| own != pdb_format::digest(text.as_bytes()));
            let kept = if is_other { write_file(&path, text.as_bytes()) } else { Ok(()) };
            together(team, kept)?;
            together(team, remove_others(&self.work, &checkpoint.files))?;
            let readers = readers.into_iter().flatten().collect();
            return Ok(Some(TeamCheckpoint { checkpoint, readers }));
        }
        if let Some(problem) = problem {
            return Err(problem);
        }
        together(team, remove_others(&self.work, []))?;
        Ok(None)
    }

    /// Locks this rank's files, so that no other job uses them.
    fn lock(&self) -> Result<WriteLock, GenError> {
        WriteLock::acquire(&self.work.join(self.team.rank().to_string()), self.build.monitor)
    }

    /// Removes all files of the build, and the work folder unless it holds other files.
    fn remove_files(&self, lock: Option<WriteLock>) -> Result<(), GenError> {
        let remove = || -> Result<(), GenError> {
            if self.work.exists() {
                let _lock = lock.map_or_else(|| self.lock(), Ok)?;
                remove_all(&self.work)?;
            }
            Ok(())
        };
        together(self.team, remove())?;
        let names = fs::read_dir(&self.work).into_iter().flatten().flatten();
        for name in names.filter_map(|entry| entry.file_name().into_string().ok()) {
            // A killed rank has left its lock file, which is removed with the next lock.
            if let Some(rank) = name.strip_prefix('.').and_then(|name| name.strip_suffix(".lock")) {
                drop(OwnedFile::try_acquire(&self.work.join(rank)));
            }
        }
        if self.work.exists() {
            let _ = remove_folder(&self.work);
        }
        together(self.team, Ok(()))
    }
}
