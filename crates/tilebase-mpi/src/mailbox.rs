//! Mailbox of a rank, which all its threads share: the other ranks, and the messages to them.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use crossbeam::channel::Sender;
use parking_lot::Mutex;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::rounds::Rounds;

/// Kind of a message: its last byte, so that the bytes before it need not move.
pub(crate) mod kind {
    /// The sender is alive.
    pub(crate) const BEAT: u8 = b'b';
    /// A command or a reply.
    pub(crate) const WORDS: u8 = b'w';
    /// A part of a round, and the parts of all ranks.
    pub(crate) const PART: u8 = b'p';
    pub(crate) const PARTS: u8 = b'P';
    /// A message of a build.
    pub(crate) const MESSAGE: u8 = b'l';
    /// The sender has failed in a build.
    pub(crate) const STOP: u8 = b'x';
    /// Rank 0 has lost a rank.
    pub(crate) const LOST: u8 = b'g';
}

/// The connection to another rank: message counts and signs of life.
#[derive(Debug, Default)]
pub(crate) struct Connection {
    pub(crate) traffic: Mutex<Traffic>,
    /// Time from the start to the last message, in milliseconds.
    pub(crate) heard: AtomicU64,
    /// Whether the rank was lost: from then on it takes no part in the work.
    is_excluded: AtomicBool,
    /// Whether an excluded rank has sent something since then, which is ignored.
    pub(crate) is_back: AtomicBool,
    host: OnceLock<String>,
}

/// Numbers of messages and bytes of a rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Traffic {
    pub(crate) sent: u64,
    pub(crate) sent_bytes: u64,
    pub(crate) received: u64,
    pub(crate) received_bytes: u64,
}

/// The other ranks, and the messages to them.
#[derive(Debug)]
pub(crate) struct Mailbox {
    pub(crate) rank: usize,
    pub(crate) connections: Vec<Connection>,
    outbox: Sender<(usize, Vec<u8>)>,
    begun: Instant,
    pub(crate) is_over: AtomicBool,
    /// Rounds and messages of builds.
    pub(crate) rounds: Rounds,
}

impl Mailbox {
    /// Creates the mailbox of a rank; messages to send go into `outbox`.
    pub(crate) fn new(rank: usize, count: usize, outbox: Sender<(usize, Vec<u8>)>) -> Self {
        Self {
            rank,
            connections: (0..count).map(|_| Connection::default()).collect(),
            outbox,
            begun: Instant::now(),
            is_over: AtomicBool::new(false),
            rounds: Rounds::default(),
        }
    }

    /// Returns the number of ranks.
    pub(crate) fn count(&self) -> usize {
        self.connections.len()
    }

    /// Returns the other ranks that take part in the work.
    pub(crate) fn active_peers(&self) -> impl Iterator<Item = usize> {
        (0..self.count()).filter(|&rank| rank != self.rank && !self.is_excluded(rank))
    }

    /// Returns the other ranks that receive messages: the active ones, and those that came back
    /// after they were excluded.
    pub(crate) fn reachable_peers(&self) -> impl Iterator<Item = usize> {
        (0..self.count()).filter(|&rank| rank != self.rank && !self.is_unreachable(rank))
    }

    /// Returns whether a rank was lost, and so takes no part in the work, even if it came back.
    pub(crate) fn is_excluded(&self, rank: usize) -> bool {
        self.connections[rank].is_excluded.load(Ordering::Relaxed)
    }

    /// Returns whether any rank is unreachable.
    pub(crate) fn has_unreachable(&self) -> bool {
        (0..self.count()).any(|rank| self.is_unreachable(rank))
    }

    /// Returns whether a rank is excluded and has not come back, so that messages to it wait.
    pub(crate) fn is_unreachable(&self, rank: usize) -> bool {
        self.is_excluded(rank) && !self.connections[rank].is_back.load(Ordering::Relaxed)
    }

    /// Excludes a lost rank. Returns whether it was not excluded before. Rank 0 informs the others,
    /// so that no rank waits for it.
    pub(crate) fn exclude(&self, rank: usize) -> bool {
        let is_new = !self.connections[rank].is_excluded.swap(true, Ordering::Relaxed);
        if is_new {
            self.rounds.end_waits(rank);
            let others = self.active_peers().filter(|_| self.rank == 0);
            others.for_each(|to| self.send(to, kind::LOST, (rank as u64).to_le_bytes()));
        }
        is_new
    }

    /// Stores the name of the machine on which a rank runs.
    pub(crate) fn name_host(&self, rank: usize, host: &str) {
        let _ = self.connections[rank].host.set(host.to_owned());
    }

    pub(crate) fn host(&self, rank: usize) -> &str {
        self.connections[rank]
            .host
            .get()
            .map_or("a machine that has not said its name", |host| host)
    }

    /// Returns number and machine of a rank, for messages to the user.
    pub(crate) fn name(&self, rank: usize) -> String {
        format!("rank {rank} on {}", self.host(rank))
    }

    /// Sends bytes of a kind.
    pub(crate) fn send(&self, to: usize, kind: u8, bytes: impl Into<Vec<u8>>) {
        let mut message = bytes.into();
        message.push(kind);
        // The message loop reads until the job ends.
        let _ = self.outbox.send((to, message));
    }

    /// Sends a command or a reply.
    pub(crate) fn say(&self, to: usize, words: &impl Serialize) {
        let words = serde_json::to_vec(words).expect("commands and replies are JSON");
        self.send(to, kind::WORDS, words);
    }

    /// Returns the traffic with one other rank.
    pub(crate) fn traffic_with(&self, rank: usize) -> Traffic {
        *self.connections[rank].traffic.lock()
    }

    /// Returns the traffic with all other ranks.
    pub(crate) fn traffic(&self) -> Traffic {
        let traffics = (0..self.count()).map(|rank| self.traffic_with(rank));
        traffics.fold(Traffic::default(), Traffic::plus)
    }

    /// Ends the job of this rank: no more messages follow.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }

    /// Counts every rank as heard from now, so that earlier silence does not count.
    pub(crate) fn hear_all(&self) {
        for connection in &self.connections {
            connection.heard.store(self.now(), Ordering::Relaxed);
        }
    }

    /// Returns the time since the start, in milliseconds.
    pub(crate) fn now(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl Traffic {
    /// Returns the sums.
    pub(crate) fn plus(self, other: Self) -> Self {
        self.combined(other, |own, other| own + other)
    }

    /// Returns the differences.
    pub(crate) fn since(self, then: Self) -> Self {
        self.combined(then, |now, then| now - then)
    }

    fn combined(self, other: Self, combine: fn(u64, u64) -> u64) -> Self {
        Self {
            sent: combine(self.sent, other.sent),
            sent_bytes: combine(self.sent_bytes, other.sent_bytes),
            received: combine(self.received, other.received),
            received_bytes: combine(self.received_bytes, other.received_bytes),
        }
    }
}

/// Reads a command or a reply; `None` if the bytes are neither.
pub(crate) fn read<T: DeserializeOwned>(words: &[u8]) -> Option<T> {
    serde_json::from_slice(words).ok()
}
