//! The one thread of a rank that sends and receives, and what the other threads leave with it.
//!
//! 1. Whatever a thread wants to say goes into the outbox; the post sends it.
//! 2. What arrives is an order, news, or a part of a build. Orders and news go into the inbox; parts of a
//!    build go where somebody waits for them ([`team`](crate::team)).
//! 3. Every rank says now and then that it is there. Who has not been heard for long is lost: the inbox is
//!    told once, and nothing that comes later counts.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, unbounded};

use crate::Peers;
use crate::desk::{Desk, kind};

/// So long the post waits for something to send before it looks again for something that has arrived.
const PAUSE: Duration = Duration::from_micros(100);
/// After so many looks in vain it looks more rarely: each takes time from those who search.
const LOOKS: u32 = 50;
const LONG_PAUSE: Duration = Duration::from_millis(1);
/// So many messages are taken before anything is sent.
const MESSAGES_MAX: usize = 1000;
/// So long messages to ranks that do not take them hold the end of a job up.
const FAREWELL: Duration = Duration::from_secs(5);

/// What the inbox holds.
#[derive(Debug)]
pub(crate) enum Letter {
    /// An order or news, from a rank.
    Words(usize, Vec<u8>),
    /// A rank is lost.
    Lost(usize),
}

/// Sends and receives.
pub(crate) struct Post<P: Peers> {
    peers: P,
    desk: Arc<Desk>,
    outbox: Receiver<(usize, Vec<u8>)>,
    inbox: Sender<Letter>,
    lost_after: Duration,
}

impl<P: Peers> Post<P> {
    /// A post, the desk that threads leave their letters at, and the inbox.
    pub(crate) fn new(peers: P, lost_after: Duration) -> (Self, Arc<Desk>, Receiver<Letter>) {
        let (outbox_in, outbox) = unbounded();
        let (inbox, inbox_out) = unbounded();
        let desk = Desk::new(peers.rank(), peers.count(), outbox_in);
        desk.name_host(desk.rank, &peers.host());
        let desk = Arc::new(desk);
        (Self { peers, desk: Arc::clone(&desk), outbox, inbox, lost_after }, desk, inbox_out)
    }

    /// Sends and receives until the desk says that the job is over.
    pub(crate) fn run(mut self) -> P {
        let beat = (self.lost_after / 10).clamp(Duration::from_millis(20), Duration::from_secs(1));
        let mut last_beat: Option<Instant> = None;
        let mut over: Option<Instant> = None;
        let mut vain = 0u32;
        let mut last_look = Instant::now();
        loop {
            let mut is_idle = true;
            if last_look.elapsed() > self.lost_after / 4 {
                // This rank was stopped for a while. What others said meanwhile is still to be read.
                self.desk.hear_all();
            }
            last_look = Instant::now();
            // Not all at once: others must hear of this rank meanwhile.
            for _ in 0..MESSAGES_MAX {
                let Some((from, message)) = self.peers.receive() else { break };
                is_idle = false;
                self.take(from, message);
            }
            while let Ok((to, message)) = self.outbox.try_recv() {
                is_idle = false;
                self.send(to, message);
            }
            if last_beat.is_none_or(|last| last.elapsed() >= beat) {
                last_beat = Some(Instant::now());
                let others: Vec<_> = self.desk.there().collect();
                for to in others {
                    self.send(to, vec![kind::BEAT]);
                }
                self.find_lost();
            }
            if self.desk.is_over.load(Ordering::SeqCst) && self.outbox.is_empty() {
                let since = over.get_or_insert_with(Instant::now);
                let desk = &self.desk;
                if self.peers.unsent(&|rank| desk.is_gone(rank)) == 0 || since.elapsed() >= FAREWELL
                {
                    return self.peers;
                }
            }
            vain = if is_idle { vain.saturating_add(1) } else { 0 };
            if is_idle {
                let pause = if vain < LOOKS { PAUSE } else { LONG_PAUSE };
                if let Ok((to, message)) = self.outbox.recv_timeout(pause) {
                    self.send(to, message);
                }
            }
        }
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        if self.desk.is_gone(to) {
            return;
        }
        let line = &self.desk.lines[to];
        line.sent.fetch_add(1, Ordering::Relaxed);
        line.sent_bytes.fetch_add(message.len() as u64, Ordering::Relaxed);
        self.peers.send(to, message);
    }

    fn take(&self, from: usize, mut message: Vec<u8>) {
        let Self { desk, inbox, .. } = self;
        let line = &desk.lines[from];
        line.received.fetch_add(1, Ordering::Relaxed);
        line.received_bytes.fetch_add(message.len() as u64, Ordering::Relaxed);
        if desk.is_lost(from) {
            line.is_back.store(true, Ordering::Relaxed);
            return;
        }
        line.heard.store(desk.now(), Ordering::Relaxed);
        match message.pop() {
            Some(kind::WORDS) => {
                // Who leaves the inbox reads no more.
                let _ = inbox.send(Letter::Words(from, message));
            }
            Some(kind::BEAT) | None => (),
            Some(kind) => desk.take_part(from, kind, message),
        }
    }

    /// Step 3. Rank 0 must hear all, and all must hear rank 0.
    fn find_lost(&self) {
        let desk = &self.desk;
        let limit = u64::try_from(self.lost_after.as_millis()).unwrap_or(u64::MAX);
        for rank in desk.others().filter(|&rank| desk.rank == 0 || rank == 0) {
            let heard = desk.lines[rank].heard.load(Ordering::Relaxed);
            if desk.now().saturating_sub(heard) > limit && desk.lose(rank) {
                let _ = self.inbox.send(Letter::Lost(rank));
            }
        }
    }
}
