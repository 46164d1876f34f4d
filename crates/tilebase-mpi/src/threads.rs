//! Ranks that are threads of one process: for tests, and for whoever wants to see what a job does.

use crossbeam::channel::{Receiver, Sender, unbounded};

use crate::Peers;

/// A rank of a process, for the thread that is to be this rank.
#[derive(Debug)]
pub struct Threads {
    rank: usize,
    others: Vec<Sender<(usize, Vec<u8>)>>,
    arrived: Receiver<(usize, Vec<u8>)>,
}

impl Threads {
    /// So many ranks that are connected with each other.
    pub fn connected(count: usize) -> Vec<Self> {
        let (senders, receivers): (Vec<_>, Vec<_>) = (0..count).map(|_| unbounded()).unzip();
        let of = |(rank, arrived)| Self { rank, others: senders.clone(), arrived };
        receivers.into_iter().enumerate().map(of).collect()
    }
}

impl Peers for Threads {
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
