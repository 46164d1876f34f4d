//! A rank's search from level to level, with its share in memory.
//!
//! 1. A level begins with the [`border`](super::border), as soon as the last level of the
//!    neighbours' borders has arrived. New border blocks are sent to the ranks that need them while
//!    the rest of the level is advanced.
//! 2. After a level, a rank sends its counts, and receives those of the level before. So it waits
//!    only for the blocks that it needs. A level without states is followed by another one.
//! 3. When much work could be lost, or a rank is cancelled, all ranks write a checkpoint
//!    ([`saving`](super::saving)).
//!
//! A failing rank sends its error instead of its counts. Every rank reaches that round, because all
//! earlier messages have already been sent.

use pdb_clock::Instant;
use serde::{Deserialize, Serialize};

use super::border::{Border, BorderSender, MESSAGE_BYTES, NeighbourBlocks, SpareBuffers};
use super::messages;
use super::report::{RankLevel, TeamLevel};
use super::rounds::{SentRound, parse, unexpected};
use super::schedule::CheckpointSchedule;
use super::shares::TeamContext;
use crate::GenError;
use crate::monitor::{Event, Monitor};
use crate::search::{BorderObserver, COST_LIMIT, LevelCount, LevelRecord, SearchState};
use crate::streaming::checkpoint::Checkpoint;

/// Part of a rank in the round after a level.
#[derive(Debug, Serialize, Deserialize)]
struct LevelPart {
    entries: u64,
    work: RankLevel,
    /// Whether this rank is cancelled.
    stops: bool,
    /// Whether it is time for a checkpoint, by the clock of rank 0.
    saves: bool,
}

/// Decision from the counts of all ranks, the same on all ranks.
#[derive(Clone, Copy, Debug, Default)]
struct Decision {
    /// Whether there are no more states.
    is_over: bool,
    stops: bool,
    saves: bool,
}

/// A rank's search.
pub(super) struct Rank<'a> {
    pub(super) context: TeamContext<'a>,
    pub(super) state: SearchState,
    border: Border,
    received: NeighbourBlocks,
    spare: SpareBuffers,
    /// Border messages of the next level.
    early: Vec<(usize, Vec<u8>)>,
    /// The last level and its round, until the counts are received.
    pending: Option<(u32, SentRound)>,
    decision: Decision,
    pub(super) progress: Checkpoint,
    pub(super) schedule: CheckpointSchedule<'a>,
    pub(super) levels: Vec<TeamLevel>,
}

impl<'a> Rank<'a> {
    /// Creates a rank at the start of the search, or before its share is loaded.
    pub(super) fn new(
        context: TeamContext<'a>,
        progress: Checkpoint,
        schedule: CheckpointSchedule<'a>,
    ) -> Result<Self, GenError> {
        let space = context.space;
        let mut state = SearchState::new(space, context.share().sets.clone())?;
        if schedule.saved_level.is_none() {
            state.begin(space);
        }
        Ok(Self {
            context,
            state,
            border: Border::new(&context),
            received: NeighbourBlocks::new(space),
            spare: SpareBuffers::new(),
            early: Vec::new(),
            pending: None,
            decision: Decision::default(),
            progress,
            schedule,
            levels: Vec::new(),
        })
    }

    /// Returns the data that packing needs, and frees the blocks.
    pub(super) fn into_parts(
        self,
    ) -> (LevelRecord, Checkpoint, CheckpointSchedule<'a>, Vec<TeamLevel>) {
        (self.state.record, self.progress, self.schedule, self.levels)
    }

    /// Searches all levels.
    pub(super) fn search(&mut self) -> Result<(), GenError> {
        if self.progress.searched {
            return Ok(());
        }
        let mut level = self.progress.level;
        self.send_border(level);
        while !self.decision.is_over {
            level += 1;
            let part = self.advance(level);
            let has_failed = part.is_err();
            if has_failed {
                // If another rank failed earlier, its error ends this rank first.
                self.take_counts()?;
            }
            let round = SentRound::begin(self.context.team, part);
            self.take_counts()?;
            self.pending = Some((level, round));
            let Decision { is_over, stops, saves } = self.decision;
            if has_failed || is_over || stops || saves {
                self.take_counts()?;
            }
            if self.decision.is_over {
                self.progress.end_search();
            }
            // The files of a level are written once.
            let is_saved = self.schedule.saved_level == Some(self.progress.level);
            if (self.decision.saves || self.decision.stops) && !is_saved {
                self.save()?;
            }
            self.decision.saves = false;
            if self.decision.stops {
                return Err(GenError::Interrupted);
            }
        }
        Ok(())
    }

    /// Sends the border blocks of a finished level.
    fn send_border(&self, level: u32) {
        let (class, state) = ((level % 2) as usize, &self.state);
        let sender = BorderSender::new(self.context.team, &self.border, &self.spare, state, level);
        let blocks = state.bits[class].chunks_exact(self.context.space.words());
        for (slot, block) in state.slots[class].clone().zip(blocks) {
            let ones = state.ones[class][slot];
            if ones > 0 {
                sender.add(slot, ones, block);
            }
        }
        sender.border_done();
    }

    /// Advances a level (step 1), and returns the part for the round after it.
    fn advance(&mut self, level: u32) -> Result<Vec<u8>, GenError> {
        if level >= COST_LIMIT {
            return Err(GenError::TooManyLevels { levels_max: COST_LIMIT });
        }
        let begun = Instant::now();
        let fetched_bytes = self.await_border(level - 1)?;
        let fetch_seconds = begun.elapsed().as_secs_f64();
        let TeamContext { team, space, monitor, .. } = self.context;
        // A cancelled rank ends all ranks after the level, not within it.
        let level_monitor = &Monitor::silent();
        let sender = BorderSender::new(team, &self.border, &self.spare, &self.state, level);
        let ranges = &self.border.ranges[(level % 2) as usize];
        let count =
            self.state.advance(space, level, ranges, &self.received, level_monitor, &sender)?;
        let work = RankLevel {
            states: count.states,
            seconds: begun.elapsed().as_secs_f64(),
            fetch_seconds,
            fetched_bytes,
            ..RankLevel::default()
        };
        let part = LevelPart {
            entries: count.entries,
            work,
            stops: monitor.is_cancelled(),
            saves: team.rank() == 0 && self.schedule.is_due(),
        };
        Ok(serde_json::to_vec(&part).expect("numbers are JSON"))
    }

    /// Waits for the neighbours' borders after a level. Returns the number of bytes.
    fn await_border(&mut self, level: u32) -> Result<u64, GenError> {
        let team = self.context.team;
        let class = (level % 2) as usize;
        let (own, ones) = (self.state.slots[class].clone(), &mut self.state.ones[class]);
        ones[..own.start].fill(0);
        ones[own.end..].fill(0);
        self.received.clear();
        let mut early = std::mem::take(&mut self.early).into_iter();
        let (mut missing, mut bytes) = (self.border.neighbours.len(), 0);
        while missing > 0 {
            let (from, message) = match early.next() {
                Some(message) => message,
                None => self.receive()?,
            };
            let Some((messages::BLOCKS, is_last, of)) = messages::read(&message) else {
                return Err(unexpected(team, from));
            };
            if of != level {
                self.early.push((from, message));
                continue;
            }
            bytes += message.len() as u64;
            missing -= usize::from(is_last);
            let ones = &mut self.state.ones[class];
            let note = |slot: usize, count| {
                let is_theirs = slot < ones.len() && !own.contains(&slot);
                if is_theirs {
                    ones[slot] = count;
                }
                is_theirs
            };
            if self.received.take(&message, note).is_none() {
                return Err(unexpected(team, from));
            }
            if message.len() >= MESSAGE_BYTES {
                self.spare.push(message);
            }
        }
        self.early.extend(early);
        Ok(bytes)
    }

    fn receive(&mut self) -> Result<(usize, Vec<u8>), GenError> {
        let team = self.context.team;
        loop {
            let round = self.pending.as_ref().and_then(|(_, round)| round.number());
            match team.receive(round)? {
                Some(message) => return Ok(message),
                // The round may carry an error, after which no message follows.
                None => self.take_counts()?,
            }
        }
    }

    /// Receives the counts of all ranks for the last level, unless that was done.
    fn take_counts(&mut self) -> Result<(), GenError> {
        let Some((level, round)) = self.pending.take() else { return Ok(()) };
        let TeamContext { team, space, monitor, .. } = self.context;
        let mut count = LevelCount::default();
        let mut ranks = Vec::new();
        for (rank, text) in round.end(team)?.iter().enumerate() {
            let part: LevelPart = parse(team, rank, text)?;
            count = count.plus(LevelCount { states: part.work.states, entries: part.entries });
            self.decision.stops |= part.stops;
            self.decision.saves |= part.saves;
            ranks.push(part.work);
        }
        if count.states == 0 {
            self.decision.is_over = true;
            return Ok(());
        }
        let slowest = ranks.iter().map(|rank| rank.seconds).fold(0.0, f64::max);
        for rank in &mut ranks {
            rank.idle_seconds = slowest - rank.seconds;
        }
        self.progress.add_level(level, count);
        let (done, total) = (self.progress.state_count, space.state_count);
        monitor.event(Event::Level { level, done, total });
        self.levels.push(TeamLevel { level, states: count.states, ranks });
        Ok(())
    }
}
