//! The message loop: the one thread of a rank that sends and receives.
//!
//! 1. Other threads put messages into the [`Mailbox`], and the loop sends them.
//! 2. Commands and replies that arrive go into the inbox; messages of a build go to the build that
//!    waits for them ([`team`](crate::team)).
//! 3. Every rank sends beats. A rank that has been silent for too long is lost: the inbox receives
//!    one notice, and later messages of the rank are ignored.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, unbounded};

use crate::Peers;
use crate::mailbox::{Mailbox, kind};

/// Time that the loop waits for messages to send before it checks for arrivals again. Each check
/// takes some ten microseconds from the searches.
const PAUSE: Duration = Duration::from_micros(400);
/// Number of checks in vain after which the loop checks less often.
const LOOKS: u32 = 12;
const LONG_PAUSE: Duration = Duration::from_millis(1);
/// Largest number of messages that are received before any is sent.
const MESSAGES_MAX: usize = 1000;
/// Longest wait at the end of a job for ranks that do not receive their messages.
const FAREWELL: Duration = Duration::from_secs(5);

/// An entry of the inbox.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// A command or a reply, with its sender.
    Words(usize, Vec<u8>),
    /// A rank is lost.
    Lost(usize),
}

/// Sends and receives.
pub(crate) struct MessageLoop<P: Peers> {
    peers: P,
    mailbox: Arc<Mailbox>,
    outbox: Receiver<(usize, Vec<u8>)>,
    inbox: Sender<Incoming>,
    lost_after: Duration,
}

impl<P: Peers> MessageLoop<P> {
    /// Creates the loop, the mailbox and the inbox of a rank.
    pub(crate) fn new(peers: P, lost_after: Duration) -> (Self, Arc<Mailbox>, Receiver<Incoming>) {
        let (outbox_in, outbox) = unbounded();
        let (inbox, inbox_out) = unbounded();
        let mailbox = Mailbox::new(peers.rank(), peers.count(), outbox_in);
        mailbox.name_host(mailbox.rank, &peers.host());
        let mailbox = Arc::new(mailbox);
        (
            Self { peers, mailbox: Arc::clone(&mailbox), outbox, inbox, lost_after },
            mailbox,
            inbox_out,
        )
    }

    /// Sends and receives until the mailbox has ended.
    pub(crate) fn run(mut self) -> P {
        let beat = (self.lost_after / 10).clamp(Duration::from_millis(20), Duration::from_secs(1));
        let mut last_beat: Option<Instant> = None;
        let mut over: Option<Instant> = None;
        let mut vain = 0u32;
        let mut last_look = Instant::now();
        loop {
            let mut is_idle = true;
            if last_look.elapsed() > self.lost_after / 4 {
                // This process was stopped for a while, and has unread messages from that time.
                self.mailbox.hear_all();
            }
            last_look = Instant::now();
            // A limited number at once, so that beats are sent in time.
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
                let others: Vec<_> = self.mailbox.reachable_peers().collect();
                for to in others {
                    self.send(to, vec![kind::BEAT]);
                }
                self.find_lost();
            }
            if self.mailbox.is_over.load(Ordering::SeqCst) && self.outbox.is_empty() {
                let since = over.get_or_insert_with(Instant::now);
                let mailbox = &self.mailbox;
                if self.peers.unsent(&|rank| mailbox.is_unreachable(rank)) == 0
                    || since.elapsed() >= FAREWELL
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
        if self.mailbox.is_unreachable(to) {
            return;
        }
        let mut traffic = self.mailbox.connections[to].traffic.lock();
        traffic.sent += 1;
        traffic.sent_bytes += message.len() as u64;
        drop(traffic);
        self.peers.send(to, message);
    }

    fn take(&self, from: usize, mut message: Vec<u8>) {
        let Self { mailbox, inbox, .. } = self;
        let connection = &mailbox.connections[from];
        let mut traffic = connection.traffic.lock();
        traffic.received += 1;
        traffic.received_bytes += message.len() as u64;
        drop(traffic);
        if mailbox.is_excluded(from) {
            connection.is_back.store(true, Ordering::Relaxed);
            return;
        }
        connection.heard.store(mailbox.now(), Ordering::Relaxed);
        match message.pop() {
            Some(kind::WORDS) => {
                // A rank that has ended reads no more.
                let _ = inbox.send(Incoming::Words(from, message));
            }
            Some(kind::BEAT) | None => (),
            Some(kind) => mailbox.take_build_message(from, kind, message),
        }
    }

    /// Detects lost ranks (step 3). Rank 0 checks all ranks, and all check rank 0.
    fn find_lost(&self) {
        let mailbox = &self.mailbox;
        let limit = u64::try_from(self.lost_after.as_millis()).unwrap_or(u64::MAX);
        for rank in mailbox.active_peers().filter(|&rank| mailbox.rank == 0 || rank == 0) {
            let heard = mailbox.connections[rank].heard.load(Ordering::Relaxed);
            if mailbox.now().saturating_sub(heard) > limit && mailbox.exclude(rank) {
                let _ = self.inbox.send(Incoming::Lost(rank));
            }
        }
    }
}
