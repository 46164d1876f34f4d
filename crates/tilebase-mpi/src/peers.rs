//! The connection between ranks: over MPI, or between threads of one process.

use crossbeam::channel::{Receiver, Sender, unbounded};

/// The ranks of a job, as seen by one of them: numbered from 0, with messages between all pairs.
///
/// One thread owns it. No call blocks, so that a lost rank delays no other.
pub trait Peers {
    /// Returns the number of this rank.
    fn rank(&self) -> usize;

    /// Returns the number of ranks.
    fn count(&self) -> usize;

    /// Returns the name of the machine on which this rank runs.
    fn host(&self) -> String;

    /// Sends a message. Messages from one rank to another arrive in the order in which they are
    /// sent.
    fn send(&mut self, to: usize, message: Vec<u8>);

    /// Returns the next message that has arrived, with its sender.
    fn receive(&mut self) -> Option<(usize, Vec<u8>)>;

    /// Returns the number of messages that this rank has not handed over yet, except to lost ranks.
    fn unsent(&mut self, is_lost: &dyn Fn(usize) -> bool) -> usize;
}

/// A rank that is a thread of this process, for tests and demonstrations.
#[derive(Debug)]
pub struct ThreadPeers {
    rank: usize,
    others: Vec<Sender<(usize, Vec<u8>)>>,
    arrived: Receiver<(usize, Vec<u8>)>,
}

impl ThreadPeers {
    /// Creates ranks that are connected with each other.
    pub fn connected(count: usize) -> Vec<Self> {
        let (senders, receivers): (Vec<_>, Vec<_>) = (0..count).map(|_| unbounded()).unzip();
        let of = |(rank, arrived)| Self { rank, others: senders.clone(), arrived };
        receivers.into_iter().enumerate().map(of).collect()
    }
}

impl Peers for ThreadPeers {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.others.len()
    }

    fn host(&self) -> String {
        format!("thread {}", self.rank)
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        // A rank that has ended reads no more.
        let _ = self.others[to].send((self.rank, message));
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        self.arrived.try_recv().ok()
    }

    fn unsent(&mut self, _: &dyn Fn(usize) -> bool) -> usize {
        0
    }
}
