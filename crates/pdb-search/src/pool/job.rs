//! What a pool searches: boards, and packets of one.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pdb_core::{Board, Heuristic, Slide};

use super::Account;
use super::account::WHOLE;
use crate::lane::{Lane, Packet};
use crate::tree::{Tree, Way};
use crate::{BoundCount, LimitKind, Limits};

/// Why the search of a board ends.
#[derive(Clone, Debug)]
pub(crate) enum End {
    Goal(Vec<Slide>),
    Limit(LimitKind),
}

/// A board that is being searched, or a packet of one.
#[derive(Debug)]
pub(crate) struct Job<H: Heuristic> {
    pub(crate) board: Board,
    /// What its answer is given back with.
    pub(crate) ticket: u64,
    pub(crate) initial_estimate: u32,
    trees: Mutex<Trees<H>>,
    /// Subtrees of the present bound that no lane has taken.
    waiting: AtomicUsize,
    pub(crate) account: Arc<Account>,
    /// Lanes that search within the present bound.
    left: AtomicUsize,
    /// It may be split.
    is_long: AtomicBool,
    progress: Mutex<Progress>,
}

/// A job, as the lanes hold it.
pub(crate) type JobRef<H> = Arc<Job<H>>;

/// The trees of a job.
#[derive(Debug)]
struct Trees<H: Heuristic> {
    /// The one that is searched.
    present: Tree<H>,
    /// That of the dual, or of the board where the present one is the dual's, until it turns out which one is smaller.
    rival: Option<Tree<H>>,
}

/// What became of the rival within the present bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rival {
    /// There is none.
    None,
    /// It was not searched yet.
    Open,
    /// It was, and has so many nodes, generated and expanded.
    Done(u64, u64),
}

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
    /// Nodes that the present tree had within the last bound but one, and within the last.
    pub(crate) sizes: [u64; 2],
    pub(crate) rival: Rival,
    pub(crate) end: Option<End>,
}

impl<H: Heuristic> Job<H> {
    /// A job that begins with a bound.
    pub(crate) fn new(
        board: Board,
        ticket: u64,
        tree: Tree<H>,
        bound: u32,
        account: Arc<Account>,
    ) -> Self {
        let progress = Progress {
            bound,
            generated: 0,
            expanded: 0,
            entered: 0,
            bounds: Vec::new(),
            sizes: [0; 2],
            rival: Rival::None,
            end: None,
        };
        Self {
            board,
            ticket,
            initial_estimate: tree.root_estimate(),
            trees: Mutex::new(Trees { present: tree, rival: None }),
            waiting: AtomicUsize::new(0),
            account,
            left: AtomicUsize::new(0),
            is_long: AtomicBool::new(false),
            progress: Mutex::new(progress),
        }
    }

    /// The same, with another tree for the same board.
    pub(crate) fn with_rival(mut self, rival: Tree<H>) -> Self {
        self.initial_estimate = self.initial_estimate.max(rival.root_estimate());
        self.progress().rival = Rival::Open;
        self.trees().rival = Some(rival);
        self
    }

    /// Searches the other tree from here on.
    pub(crate) fn exchange(&self) {
        let Trees { present, rival } = &mut *self.trees();
        std::mem::swap(present, rival.as_mut().expect("there is another tree"));
    }

    /// Stays with the present tree.
    pub(crate) fn drop_rival(&self) {
        self.trees().rival = None;
    }

    /// Where the present tree begins, and where it leads.
    pub(crate) fn way(&self) -> Way {
        self.trees().present.way()
    }

    /// The estimate of the present tree's root.
    pub(crate) fn root_estimate(&self) -> u32 {
        self.trees().present.root_estimate()
    }

    /// Begins the present bound, its tree cut to no more slack than `slack_max`, and gives the first
    /// subtree for a lane, which counts as searching from here on; nothing where there is none.
    pub(crate) fn begin_bound(
        &self,
        progress: &Progress,
        slack_max: u32,
        wish: u32,
    ) -> Option<Packet<H>> {
        let tree = &mut self.trees().present;
        tree.begin(progress.bound, slack_max, wish);
        let packet = self.take(tree);
        if packet.is_some() {
            self.open_lane();
        }
        packet
    }

    /// The whole tree within the first bound, which must not be less than the estimate.
    pub(crate) fn whole(&self) -> Packet<H> {
        let packet = self.begin_bound(&self.progress(), u32::MAX, 1);
        packet.expect("a root within the bound is a subtree")
    }

    /// The next subtree of the present bound, if there is one.
    pub(super) fn next_subtree(&self) -> Option<Packet<H>> {
        if self.waiting.load(Ordering::Relaxed) == 0 {
            return None;
        }
        self.take(&mut self.trees().present)
    }

    /// Keeps what a lane found out that is done, and gives the next subtree, if there is one.
    pub(super) fn finish_subtree(&self, lane: &mut Lane<H>, heuristic: &H) -> Option<Packet<H>> {
        let tree = &mut self.trees().present;
        tree.keep(lane, heuristic);
        self.take(tree)
    }

    /// The smallest estimate that was met in the whole tree, if it was searched and not cut.
    pub(crate) fn nearest(&self) -> u32 {
        self.trees().present.nearest()
    }

    fn take(&self, tree: &mut Tree<H>) -> Option<Packet<H>> {
        let packet = tree.next();
        self.waiting.store(tree.waiting(), Ordering::Relaxed);
        packet
    }

    /// The moves from the root of the present tree to where a lane stands.
    pub(super) fn path(&self, lane: &Lane<H>) -> Vec<Slide> {
        let mut path = self.trees().present.path_to(lane.leaf);
        path.extend(lane.path());
        path
    }

    fn trees(&self) -> MutexGuard<'_, Trees<H>> {
        self.trees.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn progress(&self) -> MutexGuard<'_, Progress> {
        // What one thread left is as good for the others, even if it panicked: they end, too.
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it has a lane worth splitting.
    pub(super) fn may_be_split(&self) -> bool {
        self.is_long.load(Ordering::Relaxed) && !self.account.is_over()
    }

    /// One more lane searches.
    pub(super) fn open_lane(&self) {
        self.left.fetch_add(1, Ordering::SeqCst);
        self.account.open_lane();
    }

    /// A lane is done, as all subtrees are taken, and has not used so many nodes that it might have; says
    /// whether it was the last one.
    pub(super) fn close_lane(&self, unused: u64) -> bool {
        self.account.close_lane(unused);
        self.left.fetch_sub(1, Ordering::SeqCst) == 1
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
