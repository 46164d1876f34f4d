//! What a pool searches: boards, and packets of one.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pdb_core::{Board, Heuristic, Slide};

use super::Account;
use super::account::WHOLE;
use crate::lane::{Packet, tiles_of};
use crate::moves::Moves;
use crate::{BoundCount, LimitKind, Limits};

/// Why the search of a board ends.
#[derive(Clone, Debug)]
pub(crate) enum End {
    Goal(Vec<Slide>),
    Limit(LimitKind),
}

/// The root of a board's tree, as a heuristic keeps it.
pub(crate) type Root<H> = (<H as Heuristic>::State, <H as Heuristic>::Node);

/// A board that is being searched, or a packet of one.
#[derive(Debug)]
pub(crate) struct Job<H: Heuristic> {
    pub(crate) board: Board,
    /// What its answer is given back with.
    pub(crate) ticket: u64,
    root: Root<H>,
    /// First moves that are left out, a bit each.
    excluded: u8,
    pub(crate) account: Arc<Account>,
    /// Subtrees within the present bound that are not done.
    left: AtomicUsize,
    /// It may be split.
    is_long: AtomicBool,
    progress: Mutex<Progress>,
}

/// A job, as the lanes hold it.
pub(crate) type JobRef<H> = Arc<Job<H>>;

/// How far a job is.
#[derive(Debug)]
pub(crate) struct Progress {
    pub(crate) bound: u32,
    /// Nodes within the present bound.
    pub(crate) generated: u64,
    pub(crate) expanded: u64,
    /// Nodes entered so far, within all bounds.
    pub(crate) entered: u64,
    pub(crate) bounds: Vec<BoundCount>,
    pub(crate) end: Option<End>,
}

impl<H: Heuristic> Job<H> {
    /// A job with one subtree to search within a bound.
    pub(crate) fn new(
        board: Board,
        ticket: u64,
        root: Root<H>,
        excluded: u8,
        bound: u32,
        account: Arc<Account>,
    ) -> Self {
        account.open_subtree();
        let progress = Progress {
            bound,
            generated: 0,
            expanded: 0,
            entered: 0,
            bounds: Vec::new(),
            end: None,
        };
        Self {
            board,
            ticket,
            root,
            excluded,
            account,
            left: AtomicUsize::new(1),
            is_long: AtomicBool::new(false),
            progress: Mutex::new(progress),
        }
    }

    /// The heuristic's estimate for the root.
    pub(crate) fn estimate(&self, heuristic: &H) -> u32 {
        heuristic.estimate(&self.root.1)
    }

    /// The whole tree within a bound.
    pub(crate) fn whole(&self, bound: u32) -> Packet<H> {
        let blank = self.board.blank();
        let (state, node) = self.root.clone();
        let place = Moves::start(blank);
        Packet::whole(tiles_of(&self.board), state, node, blank, place, self.excluded, bound)
    }

    pub(crate) fn progress(&self) -> MutexGuard<'_, Progress> {
        // What one thread left is as good for the others, even if it panicked: they end, too.
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it has a lane worth splitting.
    pub(super) fn may_be_split(&self) -> bool {
        self.is_long.load(Ordering::Relaxed) && !self.account.is_over()
    }

    /// A lane was split: there is one more subtree.
    pub(super) fn open_subtree(&self) {
        self.left.fetch_add(1, Ordering::SeqCst);
        self.account.open_subtree();
    }

    /// A subtree is done, and has not used so many nodes that it might have; says whether it was the
    /// last one.
    pub(super) fn close_subtree(&self, unused: u64) -> bool {
        self.account.close_subtree(unused);
        self.left.fetch_sub(1, Ordering::SeqCst) == 1
    }

    /// The next bound begins with one subtree.
    pub(super) fn begin_bound(&self) {
        self.left.store(1, Ordering::SeqCst);
        self.account.open_subtree();
    }

    /// Allows a lane that has generated so many nodes to generate more.
    pub(super) fn grant(&self, limits: &Limits<'_>, generated: u64) -> Result<u64, LimitKind> {
        let nodes = self.account.grant(limits, self.is_long.load(Ordering::Relaxed))?;
        if generated >= WHOLE {
            self.is_long.store(true, Ordering::Relaxed);
        }
        Ok(nodes)
    }

    /// Ends the search; a solution is worth more than a limit.
    pub(super) fn end(&self, end: End) {
        let mut progress = self.progress();
        if progress.end.is_none() || matches!(end, End::Goal(_)) {
            progress.end = Some(end);
        }
        self.account.end();
    }
}

impl Progress {
    /// Writes down what the present bound cost.
    pub(crate) fn count_bound(&mut self) {
        let (generated, expanded) = (self.generated, self.expanded);
        self.bounds.push(BoundCount { bound: self.bound, generated, expanded });
        (self.generated, self.expanded) = (0, 0);
    }
}
