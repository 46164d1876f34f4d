//! What all threads of a rank share: who there is, what was said, and where to leave a letter for the post.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use crossbeam::channel::Sender;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::counter::Counter;
use crate::peers::Name;

/// What a message ends with: who sends or receives one need not move what is before.
pub(crate) mod kind {
    /// The sender is there.
    pub(crate) const BEAT: u8 = b'b';
    /// An order or news.
    pub(crate) const WORDS: u8 = b'w';
    /// A part for all ranks, and the parts of all ranks.
    pub(crate) const PART: u8 = b'p';
    pub(crate) const PARTS: u8 = b'P';
    /// A letter of a build.
    pub(crate) const LETTER: u8 = b'l';
    /// The sender of this cannot go on with a build.
    pub(crate) const STOP: u8 = b'x';
    /// A file that is asked for, a slice of it, and why there is none.
    pub(crate) const ASK: u8 = b'a';
    pub(crate) const SLICE: u8 = b's';
    pub(crate) const NONE: u8 = b'n';
    /// A rank is lost, which rank 0 says.
    pub(crate) const GONE: u8 = b'g';
}

/// What a rank and another one have said to each other.
#[derive(Debug, Default)]
pub(crate) struct Line {
    pub(crate) sent: AtomicU64,
    pub(crate) sent_bytes: AtomicU64,
    pub(crate) received: AtomicU64,
    pub(crate) received_bytes: AtomicU64,
    /// Milliseconds from the beginning to the last message.
    pub(crate) heard: AtomicU64,
    is_lost: AtomicBool,
    /// It was lost, and has said something since. What it says does not count, but it is there.
    pub(crate) is_back: AtomicBool,
    host: OnceLock<String>,
}

/// Messages of a rank, with how many bytes they had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Traffic {
    /// Messages sent.
    pub sent: u64,
    /// Their bytes.
    pub sent_bytes: u64,
    /// Messages received.
    pub received: u64,
    /// Their bytes.
    pub received_bytes: u64,
}

/// What all threads of a rank share.
#[derive(Debug)]
pub(crate) struct Desk {
    pub(crate) rank: usize,
    pub(crate) lines: Vec<Line>,
    outbox: Sender<(usize, Vec<u8>)>,
    begun: Instant,
    pub(crate) is_over: AtomicBool,
    /// Where parts of builds wait.
    pub(crate) counter: Counter,
}

impl Desk {
    /// The desk of a rank, with the box for what is to be sent.
    pub(crate) fn new(rank: usize, count: usize, outbox: Sender<(usize, Vec<u8>)>) -> Self {
        Self {
            rank,
            lines: (0..count).map(|_| Line::default()).collect(),
            outbox,
            begun: Instant::now(),
            is_over: AtomicBool::new(false),
            counter: Counter::new(count),
        }
    }

    /// How many ranks there are.
    pub(crate) fn count(&self) -> usize {
        self.lines.len()
    }

    /// The ranks but this one that are not lost.
    pub(crate) fn others(&self) -> impl Iterator<Item = usize> {
        (0..self.count()).filter(|&rank| rank != self.rank && !self.is_lost(rank))
    }

    /// The ranks but this one that hear what is said, those among them that were lost and came back.
    pub(crate) fn there(&self) -> impl Iterator<Item = usize> {
        (0..self.count()).filter(|&rank| rank != self.rank && !self.is_gone(rank))
    }

    pub(crate) fn is_lost(&self, rank: usize) -> bool {
        self.lines[rank].is_lost.load(Ordering::Relaxed)
    }

    /// Whether there is a rank that nobody can wait for.
    pub(crate) fn has_lost(&self) -> bool {
        (0..self.count()).any(|rank| self.is_gone(rank))
    }

    /// Whether a rank is lost, and has not come back.
    pub(crate) fn is_gone(&self, rank: usize) -> bool {
        self.is_lost(rank) && !self.lines[rank].is_back.load(Ordering::Relaxed)
    }

    /// From now on nothing that a rank says counts; says whether it did. Rank 0 tells the others, so that
    /// nobody waits for it.
    pub(crate) fn lose(&self, rank: usize) -> bool {
        let is_new = !self.lines[rank].is_lost.swap(true, Ordering::Relaxed);
        if is_new {
            self.counter.lose(rank);
            let others = self.others().filter(|_| self.rank == 0);
            others.for_each(|to| self.send(to, kind::GONE, (rank as u64).to_le_bytes()));
        }
        is_new
    }

    /// Says where a rank runs.
    pub(crate) fn name_host(&self, rank: usize, host: &str) {
        let _ = self.lines[rank].host.set(host.to_owned());
    }

    pub(crate) fn host(&self, rank: usize) -> &str {
        self.lines[rank].host.get().map_or("a machine that has not said its name", |host| host)
    }

    pub(crate) fn name(&self, rank: usize) -> Name<'_> {
        Name(rank, self.host(rank))
    }

    /// Sends bytes of a kind.
    pub(crate) fn send(&self, to: usize, kind: u8, bytes: impl Into<Vec<u8>>) {
        let mut message = bytes.into();
        message.push(kind);
        // The post outlives whoever writes letters, but for the moment in which a job ends.
        let _ = self.outbox.send((to, message));
    }

    /// Sends an order or news.
    pub(crate) fn say(&self, to: usize, words: &impl Serialize) {
        let words = serde_json::to_vec(words).expect("orders and news are JSON");
        self.send(to, kind::WORDS, words);
    }

    /// Messages to and from one other rank.
    pub(crate) fn traffic_with(&self, rank: usize) -> Traffic {
        let Line { sent, sent_bytes, received, received_bytes, .. } = &self.lines[rank];
        let [sent, sent_bytes, received, received_bytes] =
            [sent, sent_bytes, received, received_bytes].map(|count| count.load(Ordering::Relaxed));
        Traffic { sent, sent_bytes, received, received_bytes }
    }

    /// Messages to and from all other ranks.
    pub(crate) fn traffic(&self) -> Traffic {
        (0..self.count())
            .map(|rank| self.traffic_with(rank))
            .fold(Traffic::default(), Traffic::plus)
    }

    /// There will be no more to say.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }

    /// Nobody is lost for what they did not say until now.
    pub(crate) fn hear_all(&self) {
        self.lines.iter().for_each(|line| line.heard.store(self.now(), Ordering::Relaxed));
    }

    /// Milliseconds since the beginning.
    pub(crate) fn now(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl Traffic {
    /// The sums.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            sent: self.sent + other.sent,
            sent_bytes: self.sent_bytes + other.sent_bytes,
            received: self.received + other.received,
            received_bytes: self.received_bytes + other.received_bytes,
        }
    }

    /// What came to it since then.
    #[must_use]
    pub fn since(self, then: Self) -> Self {
        Self {
            sent: self.sent - then.sent,
            sent_bytes: self.sent_bytes - then.sent_bytes,
            received: self.received - then.received,
            received_bytes: self.received_bytes - then.received_bytes,
        }
    }
}

/// Reads what a rank said; nothing where it is not what is expected.
pub(crate) fn read<T: DeserializeOwned>(words: &[u8]) -> Option<T> {
    serde_json::from_slice(words).ok()
}
