//! A search in packets, with a checkpoint or without.
//!
//! 1. The right to write the checkpoint is taken, and the checkpoint read and held against the search;
//!    without one, the first is written.
//! 2. The search runs on all threads and writes into the ledger. Beside it another thread shows how far
//!    it is, and writes the checkpoint every few seconds; so does the search after each bound.
//! 3. At the end, whatever it is, the checkpoint is written once more.
//!
//! A run that is killed has lost what it did since the last checkpoint, and nothing else.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use crossbeam::channel::{Receiver, RecvTimeoutError, bounded};
use pdb_core::notation::MoveStyle;
use pdb_core::{Board, Goal, Heuristic};
use pdb_gen::OwnedFile;
use pdb_rt::Visitor;
use pdb_search::packets::{Advance, Ledger, PacketEvent, PacketSearch, Round, Share, Subject};
use pdb_search::{Limits, SearchError, Sharing};

use super::checkpoint;
use super::forecast::Tally;
use crate::cut;
use crate::failure::usage;
use crate::interrupt;
use crate::output::count;
use crate::progress::{PacketState, Progress};
use crate::solving::{Engine, Record};

/// How often a checkpoint is written while a bound is searched.
const SAVE_INTERVAL: Duration = Duration::from_secs(10);
/// How often progress is shown, and flags are looked at.
const TICK: Duration = Duration::from_millis(100);
/// So many packets a bound has, if nobody says otherwise.
const PACKET_COUNT: usize = 8192;

/// A part of the packets, as the command line names it: 1/4 to 4/4.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shard {
    pub(crate) share: Share,
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

/// How a hard board is searched.
#[derive(Debug)]
pub(crate) struct Hard<'a> {
    /// The checkpoint, if there is to be one.
    pub(crate) path: Option<&'a Path>,
    pub(crate) shard: Option<Shard>,
    pub(crate) packet_count: Option<usize>,
    pub(crate) limits: Limits<'a>,
    pub(crate) thread_count: usize,
    pub(crate) progress: Progress,
    pub(crate) moves: MoveStyle,
}

impl Hard<'_> {
    /// Searches a board that has a solution.
    pub(crate) fn solve(
        &self,
        board: &Board,
        goal: &Goal,
        engine: &Engine,
    ) -> anyhow::Result<Record> {
        let stop = AtomicBool::new(false);
        engine.visit(Run { hard: self, board, goal, engine, stop: &stop })
    }

    fn share(&self) -> Share {
        self.shard.map_or(Share::ALL, |shard| shard.share)
    }
}

struct Run<'a> {
    hard: &'a Hard<'a>,
    board: &'a Board,
    goal: &'a Goal,
    engine: &'a Engine,
    stop: &'a AtomicBool,
}

impl Visitor for Run<'_> {
    type Output = anyhow::Result<Record>;

    fn visit<H: Heuristic>(self, heuristic: &H) -> Self::Output {
        let Self { hard, board, goal, engine, stop } = self;
        let options = engine.options(Limits { stop: Some(stop), ..hard.limits });
        let search = PacketSearch::new(heuristic, goal, board, options, Sharing::default())?;
        let (name, tables) = engine.identity();
        let subject = |packet_count| search.subject(&name, tables.clone(), packet_count);
        hard.run(&search, &subject, stop)
    }
}

/// A [`PacketSearch`] with any heuristic.
trait Searching: Sync {
    fn begin(&self, subject: Subject) -> Ledger;
    fn check(&self, ledger: &Ledger, subject: &Subject) -> anyhow::Result<()>;
    fn advance(
        &self,
        ledger: &Mutex<Ledger>,
        hard: &Hard<'_>,
        watch: &(dyn Fn(PacketEvent) + Sync),
    ) -> Result<Advance, SearchError>;
    fn initial_estimate(&self) -> u32;
    fn generated(&self) -> u64;
    fn elapsed(&self) -> Duration;
}

impl<H: Heuristic> Searching for PacketSearch<'_, H> {
    fn begin(&self, subject: Subject) -> Ledger {
        self.begin(subject)
    }

    fn check(&self, ledger: &Ledger, subject: &Subject) -> anyhow::Result<()> {
        Ok(self.check(ledger, subject)?)
    }

    fn advance(
        &self,
        ledger: &Mutex<Ledger>,
        hard: &Hard<'_>,
        watch: &(dyn Fn(PacketEvent) + Sync),
    ) -> Result<Advance, SearchError> {
        self.advance(ledger, hard.share(), hard.thread_count, watch)
    }

    fn initial_estimate(&self) -> u32 {
        self.initial_estimate()
    }

    fn generated(&self) -> u64 {
        self.generated()
    }

    fn elapsed(&self) -> Duration {
        self.elapsed()
    }
}

impl Hard<'_> {
    fn run(
        &self,
        search: &dyn Searching,
        subject: &dyn Fn(usize) -> Subject,
        stop: &AtomicBool,
    ) -> anyhow::Result<Record> {
        // Step 1.
        let file = self.path.map(own).transpose()?;
        let ledger = match self.path {
            Some(path) if path.exists() => {
                let ledger = checkpoint::read(path)?;
                let packet_count = self.packet_count.unwrap_or(ledger.subject.packet_count);
                search.check(&ledger, &subject(packet_count)).with_context(|| {
                    format!(
                        "{} is a checkpoint of another search and was left as it is: name another \
                         --checkpoint, or search as it says",
                        path.display()
                    )
                })?;
                ledger
            }
            _ => search.begin(subject(self.packet_count.unwrap_or(PACKET_COUNT))),
        };
        let ledger = Mutex::new(ledger);
        let saver = Saver { file, ledger: &ledger, stop, state: Mutex::new(Saved::new()) };
        saver.save();
        // Step 2.
        let (ended_in, ended) = bounded::<()>(0);
        let begun = Mutex::new(Begun { at: Instant::now(), generated: 0, done: 0 });
        let watch = |event| match event {
            PacketEvent::Begin => {
                let done = self.tally(&lock(&ledger)).map_or(0, |tally| tally.generated);
                *lock(&begun) = Begun { at: Instant::now(), generated: search.generated(), done };
            }
            PacketEvent::BoundDone => saver.save(),
            PacketEvent::Packet => (),
        };
        let end = std::thread::scope(|scope| {
            scope.spawn(|| self.attend(search, &saver, &begun, &ended));
            let end = search.advance(&ledger, self, &watch);
            drop(ended_in);
            end
        });
        // Step 3.
        saver.save();
        saver.into_result()?;
        let end = end?;
        let ledger = ledger.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.note_end(&ledger, end);
        let elapsed = search.elapsed();
        Ok(Record::of_ledger(&ledger, search.initial_estimate(), end, elapsed, self.moves))
    }

    /// Counts the packets that this run takes.
    fn tally(&self, ledger: &Ledger) -> Option<Tally> {
        let (share, is_small) = (self.share(), ledger.is_small());
        Tally::of(ledger, |packet| is_small || share.holds(packet))
    }

    /// Shows how far the search is, and writes the checkpoint now and then, until the search ends.
    fn attend(
        &self,
        search: &dyn Searching,
        saver: &Saver<'_>,
        begun: &Mutex<Begun>,
        ended: &Receiver<()>,
    ) {
        let mut shown = self.progress.packets();
        while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            if interrupt::is_set() || cut::is_set() {
                saver.stop.store(true, Ordering::Relaxed);
            }
            if lock(&saver.state).last.elapsed() >= SAVE_INTERVAL {
                saver.save();
            }
            let ledger = lock(saver.ledger);
            let Some(tally) = self.tally(&ledger) else { continue };
            let Begun { at, generated, done } = *lock(begun);
            let new = search.generated().saturating_sub(generated) as f64;
            let rate = new / at.elapsed().as_secs_f64().max(1e-9);
            let left = tally.left(&ledger, done as f64 + new, rate);
            drop(ledger);
            let Tally { bound, total, done, .. } = tally;
            shown.show(&PacketState { bound, done, total, rate, left });
        }
    }

    /// Says what to do next with the checkpoint, if there is anything.
    fn note_end(&self, ledger: &Ledger, end: Advance) {
        let (Some(path), Some(round)) = (self.path, ledger.round()) else { return };
        let Round { bound, packets, .. } = round;
        let (shown, done, all) = (path.display(), round.done_count(), packets.len());
        match (end, self.shard) {
            (Advance::Limit { dropped, .. }, _) => self.progress.note(format_args!(
                "note: {shown} holds {done} of {all} packets of bound {bound}; {} nodes of packets \
                 that were not finished will be searched again by the same command",
                count(dropped.generated)
            )),
            (_, Some(shard)) => self.progress.note(format_args!(
                "note: shard {shard} of bound {bound} is done, {shown} holds {done} of {all} packets; \
                 merge it with the others by tilebase merge"
            )),
            _ => (),
        }
    }
}

/// The right to write a checkpoint.
fn own(path: &Path) -> anyhow::Result<OwnedFile> {
    OwnedFile::try_acquire(path)?.ok_or_else(|| {
        let shown = path.display();
        usage(format!(
            "{shown} is in use by another run: wait for it, or name another --checkpoint"
        ))
    })
}

/// When a bound was begun or gone on with, and what there was by then.
#[derive(Clone, Copy)]
struct Begun {
    at: Instant,
    /// Nodes that the run had generated.
    generated: u64,
    /// Nodes of packets that were done within the bound.
    done: u64,
}

/// Writes the ledger into its file, if it has one.
struct Saver<'a> {
    file: Option<OwnedFile>,
    ledger: &'a Mutex<Ledger>,
    /// Set when a checkpoint cannot be written: better to stop than to search for nothing.
    stop: &'a AtomicBool,
    state: Mutex<Saved>,
}

struct Saved {
    last: Instant,
    error: Option<anyhow::Error>,
}

impl Saved {
    fn new() -> Self {
        Self { last: Instant::now(), error: None }
    }
}

impl Saver<'_> {
    fn save(&self) {
        let Some(file) = &self.file else { return };
        // One after another, so that no older state follows a newer one.
        let mut state = lock(&self.state);
        let ledger = lock(self.ledger).clone();
        let result = checkpoint::text(&ledger).and_then(|text| {
            cut::check()?;
            Ok(file.replace(text.as_bytes())?)
        });
        state.last = Instant::now();
        if let Err(error) = result {
            state.error.get_or_insert(error);
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn into_result(self) -> anyhow::Result<()> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.error.map_or(Ok(()), Err)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
