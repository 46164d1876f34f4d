//! Search in packets, with or without a checkpoint.
//!
//! 1. The run locks the checkpoint, reads it and compares it with the search. If it does not exist,
//!    the run writes the first one.
//! 2. The search runs on all threads and updates the ledger. Another thread reports progress and
//!    writes the checkpoint every few seconds, and soon after each better solution; the search also
//!    writes it after each bound.
//! 3. At the end, for any reason, the run writes the checkpoint again.
//!
//! A killed run loses only the work since the last checkpoint.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crossbeam::channel::{Receiver, RecvTimeoutError, bounded};
use pdb_clock::Instant;
use pdb_core::{Board, Goal};
use pdb_gen::OwnedFile;
use pdb_lab::Engine;
use pdb_search::packets::{
    Advance, Counts, Dealer, Deals, Ledger, PacketEvent, PacketSearch, Share, Subject,
};
use pdb_search::{Account, BoundCount, SearchError};

use super::checkpoint;
use super::forecast::Tally;
use crate::answer::{Answer, GivenBoard};
use crate::crew::Crew;
use crate::error::Error;
use crate::event::{Event, PacketState, SolutionState, Step, Task};
use crate::handle::Tilebase;
use crate::into_board::IntoBoard;
use crate::ladder::{Ladder, Opened};
use crate::names::SpecChoice;
use crate::search::Search;
use crate::shelf::{confirm, confirmed};
use crate::sync::{into_inner, lock};
use crate::trial::Trial;

/// Time between two checkpoints within a bound.
const SAVE_INTERVAL: Duration = Duration::from_secs(10);
/// The same if there is a better solution.
const SOLUTION_INTERVAL: Duration = Duration::from_secs(1);
/// Time between two progress reports, and between two checks of the flags.
const TICK: Duration = Duration::from_millis(100);
/// Default number of packets per bound.
const PACKET_COUNT: usize = 8192;

/// Part of the packets of a bound: 1/4 to 4/4.
#[derive(Clone, Copy, Debug)]
pub struct Shard {
    pub(super) share: Share,
    index: usize,
    count: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers =
            text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        numbers
            .and_then(|(index, count)| {
                Some(Self { share: Share::new(index, count)?, index, count })
            })
            .ok_or_else(|| "expected a shard and their number, such as 1/4 to 4/4".to_owned())
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// Options of the search of a hard board.
#[derive(Clone, Debug, Default)]
pub struct HardSearch {
    /// The checkpoint file. Default: none.
    pub checkpoint: Option<PathBuf>,
    /// The part of each bound that this run searches. Default: all of it.
    pub shard: Option<Shard>,
    /// Number of packets per bound in a new checkpoint. Default: 8192.
    pub packet_count: Option<usize>,
    /// Limits, threads and cancellation of the search.
    pub search: Search,
}

/// Result of the search of a hard board.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HardAnswer {
    /// The answer, according to the checkpoint.
    pub answer: Answer,
    /// The rest of the current bound, unless the board is solved.
    pub rest: Option<RemainingPackets>,
}

/// Rest of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RemainingPackets {
    /// The bound, in moves.
    pub bound: u32,
    /// Finished packets of all shards that the checkpoint contains.
    pub done: usize,
    /// Number of packets.
    pub total: usize,
    /// Nodes of packets that were interrupted, and will be searched again.
    pub dropped: u64,
}

impl Tilebase {
    /// Solves a board that may take minutes to days. The search can be stopped, resumed by the same
    /// call with the same checkpoint, and shared between several machines.
    ///
    /// # Errors
    /// As [`solve`](Self::solve); [`Error::Checkpoint`], [`Error::OtherSearch`] and
    /// [`Error::InUse`] when the checkpoint's file cannot be used; [`Error::Build`] when the
    /// checkpoint cannot be written.
    pub fn solve_hard(
        &self,
        board: impl IntoBoard,
        hard: &HardSearch,
    ) -> Result<HardAnswer, Error> {
        let (board, goal) = match self.read(board)? {
            GivenBoard::Unsolvable(answer) => return Ok(HardAnswer { answer, rest: None }),
            GivenBoard::Open(board, goal) => (board, goal),
        };
        let trial = Trial::begin(hard.search.clone());
        // Step 1.
        let file = hard.checkpoint.as_deref().map(acquire).transpose()?;
        let path = hard.checkpoint.as_deref().filter(|path| path.exists());
        let saved = path.map(checkpoint::read).transpose()?;
        let ladder = Ladder::new(self, board, goal, &hard.search);
        let goes_on =
            saved.as_ref().filter(|of| self.begin_with(of, &board, &goal, &ladder.account));
        // The tables of a search that goes on are those of the checkpoint.
        let begun = goes_on.filter(|_| matches!(self.choice(), SpecChoice::Best));
        let begun = begun.and_then(|of| pdb_spec::spec_for(&of.subject.heuristic, &goal).ok());
        let open = |search: &Search| match &begun {
            Some(spec) => self.engine_of(&goal, &spec.into(), search).map(Arc::new),
            None => self.renewed_engine(&goal, search),
        };
        let best = if begun.is_none() { self.open_best(&goal, &hard.search)? } else { None };
        let engine = match ladder.await_engine(best, open)? {
            Opened::Engine(engine) => engine,
            Opened::Answer(answer) => {
                let rest = goes_on.and_then(|ledger| RemainingPackets::of(ledger, 0));
                return Ok(HardAnswer { answer: answer.0, rest });
            }
        };
        let hard = &HardSearch { search: trial.rest(), ..hard.clone() };
        if let Some(path) = hard.checkpoint.clone().filter(|_| engine.is_trusted()) {
            let problem = "cannot be a checkpoint of a search with trusted tables, because it would \
                           keep their errors: let the tables be checked";
            return Err(Error::File { path, problem: problem.to_owned() });
        }
        let stop = AtomicBool::new(false);
        let work = self.work_until(&hard.search, &stop);
        let packets = match &saved {
            Some(ledger) => engine.packets_with_dual(&board, ledger.subject.dual.as_ref(), work),
            None => engine.packets(&board, work),
        };
        let packets = packets.or_else(|error| confirmed([&*engine], Err(error)))?;
        let (name, tables) = engine.identity();
        let subject = |packet_count| packets.subject(&name, tables.clone(), packet_count);
        let run =
            HardRun { tables: self, engine: &engine, board, hard, search: &packets, stop: &stop };
        let (ledger, end) = run.run(file, saved, &subject)?;
        let dropped = match &end {
            Ok(Advance::Limit { dropped, .. }) => dropped.generated,
            _ => 0,
        };
        let rest = RemainingPackets::of(&ledger, dropped);
        let outcome = end.map(|end| packets.outcome(&ledger, end));
        let answer = self.answer(&board, &engine, outcome, &hard.search)?;
        Ok(HardAnswer { answer, rest })
    }

    /// Begins the search of a board with what a checkpoint knows. Returns whether it is of that
    /// board.
    fn begin_with(&self, ledger: &Ledger, board: &Board, goal: &Goal, account: &Account) -> bool {
        let Subject { board: of_ledger, goal: home, metric, .. } = &ledger.subject;
        if (of_ledger, home, *metric) != (board, goal.board(), self.metric()) {
            return false;
        }
        account.raise(ledger.lower_bound());
        if let Some(moves) = ledger.best()
            && board.after(moves).as_ref() == Ok(home)
        {
            account.offer(moves, metric.count(moves) as u32);
        }
        true
    }
}

impl RemainingPackets {
    fn of(ledger: &Ledger, dropped: u64) -> Option<Self> {
        let round = ledger.round()?;
        let (done, total) = (round.done_count(), round.packets.len());
        Some(Self { bound: round.bound, done, total, dropped })
    }
}

struct HardRun<'a> {
    tables: &'a Tilebase,
    engine: &'a Engine,
    board: Board,
    hard: &'a HardSearch,
    search: &'a PacketSearch<'a>,
    stop: &'a AtomicBool,
}

impl HardRun<'_> {
    fn share(&self) -> Share {
        self.hard.shard.map_or(Share::ALL, |shard| shard.share)
    }

    fn run(
        &self,
        file: Option<OwnedFile>,
        saved: Option<Ledger>,
        subject: &dyn Fn(usize) -> Subject,
    ) -> Result<(Ledger, Result<Advance, SearchError>), Error> {
        let Self { hard, search, stop, .. } = *self;
        let ledger = match (&hard.checkpoint, saved) {
            (Some(path), Some(ledger)) => {
                let packet_count = hard.packet_count.unwrap_or(ledger.subject.packet_count);
                search
                    .check(&ledger, &subject(packet_count))
                    .map_err(|source| Error::OtherSearch { path: path.clone(), source })?;
                ledger
            }
            _ => search.begin(subject(hard.packet_count.unwrap_or(PACKET_COUNT))),
        };
        let ledger = Mutex::new(ledger);
        let saver = Saver {
            engine: self.engine,
            file,
            ledger: &ledger,
            stop,
            state: Mutex::new(SaveState { last: Instant::now(), error: None }),
            has_better: AtomicBool::new(false),
        };
        saver.save();
        let is_known = lock(&ledger).known.is_some();
        if is_known {
            self.report_solution(&ledger);
        }
        // Step 2.
        let (ended_in, ended) = bounded::<()>(0);
        let begun = Mutex::new(BoundStart { at: Instant::now(), generated: 0, done: 0 });
        let watch = |event| match event {
            PacketEvent::Begin => {
                let done = self.tally(&lock(&ledger)).map_or(0, |tally| tally.generated);
                *lock(&begun) =
                    BoundStart { at: Instant::now(), generated: search.generated(), done };
            }
            PacketEvent::BoundDone => {
                let bounds = {
                    let ledger = lock(&ledger);
                    let done = ledger.round().map(|round| {
                        let Counts { generated, expanded } = round.counts();
                        BoundCount { bound: round.bound, generated, expanded }
                    });
                    [ledger.bounds.as_slice(), done.as_slice()].concat()
                };
                let by = (self.engine, &hard.search);
                self.tables.report_bound(by, &self.board, &bounds, search.elapsed());
                saver.save();
            }
            PacketEvent::Packet => (),
            PacketEvent::Solution => {
                saver.has_better.store(true, Ordering::Relaxed);
                self.report_solution(&ledger);
            }
        };
        let end = std::thread::scope(|scope| {
            let attend = || self.attend(&saver, &begun, &ended);
            pdb_core::thread_builder()
                .spawn_scoped(scope, attend)
                .map_err(|source| Error::Threads { source })?;
            let end = match &hard.search.crew {
                None => Ok(search.advance(&ledger, self.share(), &watch)),
                Some(crew) => self.advance_with(&**crew, &ledger, &watch),
            };
            drop(ended_in);
            end
        });
        self.tables.watched(&hard.search).tell(&Event::Task(Task::Packets, Step::End));
        // Step 3.
        saver.save();
        into_inner(saver.state).error.map_or(Ok(()), Err)?;
        // A damaged table would explain the failure of a crew.
        let end = end.map_err(|error| confirm(self.engine).err().unwrap_or(error))?;
        Ok((into_inner(ledger), end))
    }

    /// Searches packets together with a crew.
    fn advance_with(
        &self,
        crew: &dyn Crew,
        ledger: &Mutex<Ledger>,
        watch: &(dyn Fn(PacketEvent) + Sync),
    ) -> Result<Result<Advance, SearchError>, Error> {
        let Self { tables, engine, hard, search, stop, .. } = *self;
        let has_failed = AtomicBool::new(false);
        let task = tables.task(engine, &hard.search, stop, &has_failed);
        let failure = Mutex::new(None);
        let subject = lock(ledger).subject.clone();
        let help = |deals: &dyn Deals, search: &(dyn Fn(&dyn Dealer) + Sync)| {
            if let Err(error) = crew.solve_packets(&task, &subject, deals, search) {
                lock(&failure).get_or_insert(error);
                stop.store(true, Ordering::Relaxed);
                deals.count(0);
            }
        };
        let end = search.advance_with(ledger, self.share(), watch, &help);
        into_inner(failure).map_or(Ok(end), Err)
    }

    /// Reports the best known solution of a ledger, if there is one.
    fn report_solution(&self, ledger: &Mutex<Ledger>) {
        let (best, lower_bound) = {
            let ledger = lock(ledger);
            (ledger.best().map(<[_]>::to_vec), ledger.lower_bound())
        };
        if let Some(moves) = &best {
            let (board, elapsed) = (self.board, self.search.elapsed());
            let metric = self.tables.metric();
            let state = SolutionState { board, moves, metric, lower_bound, elapsed };
            self.tables.report_solution(&self.hard.search, state);
        }
    }

    /// Counts the packets of this run.
    fn tally(&self, ledger: &Ledger) -> Option<Tally> {
        let (share, is_small) = (self.share(), ledger.is_small());
        Tally::of(ledger, |packet| is_small || share.holds(packet))
    }

    /// Reports progress and writes the checkpoint periodically, until the search ends.
    fn attend(&self, saver: &Saver<'_>, begun: &Mutex<BoundStart>, ended: &Receiver<()>) {
        let watch = self.tables.watched(&self.hard.search);
        while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            if self.hard.search.cancel.is_cancelled() {
                let was_set = saver.stop.swap(true, Ordering::Relaxed);
                // The caller may exit before the crew does, so the checkpoint is written now.
                if !was_set {
                    saver.save();
                }
            }
            let has_better = saver.has_better.load(Ordering::Relaxed);
            let interval = if has_better { SOLUTION_INTERVAL } else { SAVE_INTERVAL };
            if lock(&saver.state).last.elapsed() >= interval {
                saver.save();
            }
            let ledger = lock(saver.ledger);
            let Some(tally) = self.tally(&ledger) else { continue };
            let BoundStart { at, generated, done } = *lock(begun);
            let new = self.search.generated().saturating_sub(generated) as f64;
            let rate = new / at.elapsed().as_secs_f64().max(1e-9);
            let left = tally.left(&ledger, done as f64 + new, rate);
            drop(ledger);
            let Tally { bound, total, done, .. } = tally;
            let state = PacketState { bound, done, total, rate, left };
            watch.tell(&Event::Task(Task::Packets, Step::Packets(state)));
        }
    }
}

/// Locks a checkpoint for writing.
pub(super) fn acquire(path: &Path) -> Result<OwnedFile, Error> {
    OwnedFile::try_acquire(path)?.ok_or_else(|| Error::InUse { path: path.to_owned() })
}

/// Time and counts at which a bound began or was resumed.
#[derive(Clone, Copy)]
struct BoundStart {
    at: Instant,
    /// Nodes that the run had generated by then.
    generated: u64,
    /// Nodes of the bound's packets that were finished by then.
    done: u64,
}

/// Writer of the ledger to its file, if it has one.
struct Saver<'a> {
    engine: &'a Engine,
    file: Option<OwnedFile>,
    ledger: &'a Mutex<Ledger>,
    /// Set when a checkpoint cannot be written: the search stops, because its work would be lost.
    stop: &'a AtomicBool,
    state: Mutex<SaveState>,
    /// Whether the ledger has a better solution than the file.
    has_better: AtomicBool,
}

struct SaveState {
    last: Instant,
    error: Option<Error>,
}

impl Saver<'_> {
    fn save(&self) {
        let Some(file) = &self.file else { return };
        // Writes one checkpoint at a time, so that an older state never replaces a newer one.
        let mut state = lock(&self.state);
        self.has_better.store(false, Ordering::Relaxed);
        let ledger = lock(self.ledger).clone();
        let text = checkpoint::text(&ledger);
        // Writes nothing that a damaged table may have corrupted.
        let confirmed = confirm(self.engine);
        let result = confirmed.and_then(|()| file.replace(text.as_bytes()).map_err(Error::from));
        state.last = Instant::now();
        if let Err(error) = result {
            state.error.get_or_insert(error);
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}
