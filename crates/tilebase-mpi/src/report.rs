//! The report of a job, rank by rank and phase by phase.

use std::collections::BTreeMap;

use serde::Serialize;
use tilebase::pdb_gen::TeamLevel;

use crate::VERSION;
use crate::mailbox::{Mailbox, Traffic};
use crate::message::Effort;

/// Time, traffic and work of a job. The order of the fields is that of the JSON keys; times are in
/// seconds.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    version: &'static str,
    ranks: Vec<Rank>,
    phases: Vec<Phase>,
    /// Time from the first message to the last.
    seconds: f64,
    /// Exit code of rank 0; the program that starts ranks may return another one if a rank was
    /// lost.
    exit_code: u8,
    #[serde(skip)]
    begun: std::time::Instant,
}

/// A rank with its messages, including beats.
#[derive(Clone, Debug, Serialize)]
struct Rank {
    #[serde(rename = "rank")]
    number: usize,
    host: String,
    threads: usize,
    is_lost: bool,
    /// Messages from and to rank 0, as rank 0 counts them; for rank 0, its messages with all ranks.
    traffic: Traffic,
}

/// A batch, a bound of a board, or the build of a table.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Phase {
    pub(crate) name: String,
    pub(crate) seconds: f64,
    pub(crate) ranks: Vec<PhaseOfRank>,
    /// Work of each rank in each level, for the build of a table.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) levels: Vec<TeamLevel>,
    /// Whether the phase is a batch of boards, which may continue.
    #[serde(skip)]
    pub(crate) is_batch: bool,
}

impl Phase {
    /// Returns whether another phase continues the same work, by the same ranks.
    fn continues_with(&self, next: &Self) -> bool {
        let ranks = |phase: &Self| phase.ranks.iter().map(|rank| rank.rank).collect::<Vec<_>>();
        self.is_batch && next.is_batch && self.name == next.name && ranks(self) == ranks(next)
    }

    fn merge(&mut self, next: Self) {
        self.seconds += next.seconds;
        for (rank, next) in self.ranks.iter_mut().zip(next.ranks) {
            rank.items += next.items;
            rank.generated += next.generated;
            rank.waited_seconds += next.waited_seconds;
            rank.traffic = rank.traffic.plus(next.traffic);
        }
    }
}

/// Work of another rank in a phase.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PhaseOfRank {
    rank: usize,
    /// Number of searched boards or packets.
    items: u64,
    generated: u64,
    /// Time without anything to search, in seconds.
    waited_seconds: f64,
    /// Messages from and to rank 0.
    traffic: Traffic,
}

impl PhaseOfRank {
    pub(crate) fn new(rank: usize, effort: Effort, traffic: Traffic) -> Self {
        let Effort { generated, items, waited_seconds } = effort;
        // Messages that rank 0 sends are received by the rank.
        Self { rank, items, generated, waited_seconds, traffic: traffic.turned() }
    }
}

impl Traffic {
    /// Returns the traffic as the other rank sees it.
    fn turned(self) -> Self {
        let Self { sent, sent_bytes, received, received_bytes } = self;
        Self {
            sent: received,
            sent_bytes: received_bytes,
            received: sent,
            received_bytes: sent_bytes,
        }
    }
}

impl Report {
    pub(crate) fn new(
        mailbox: &Mailbox,
        threads: &BTreeMap<usize, usize>,
        threads_here: usize,
    ) -> Self {
        let rank = |number| Rank {
            number,
            host: mailbox.host(number).to_owned(),
            threads: threads.get(&number).copied().unwrap_or(threads_here),
            is_lost: false,
            traffic: Traffic::default(),
        };
        let ranks = (0..mailbox.count()).map(rank).collect();
        let begun = std::time::Instant::now();
        Self { version: VERSION, ranks, phases: Vec::new(), seconds: 0.0, exit_code: 0, begun }
    }

    /// Adds a phase. A batch consists of several consecutive tasks, which are one phase here.
    pub(crate) fn add(&mut self, phase: Phase) {
        match self.phases.last_mut() {
            Some(last) if last.continues_with(&phase) => last.merge(phase),
            _ => self.phases.push(phase),
        }
    }

    /// Completes the report at the end of the job.
    pub(crate) fn end(&mut self, mailbox: &Mailbox, exit_code: u8) {
        self.exit_code = exit_code;
        self.seconds = self.begun.elapsed().as_secs_f64();
        for rank in &mut self.ranks {
            rank.is_lost = mailbox.is_excluded(rank.number);
            rank.traffic = if rank.number == mailbox.rank {
                mailbox.traffic()
            } else {
                mailbox.traffic_with(rank.number).turned()
            };
        }
    }
}
