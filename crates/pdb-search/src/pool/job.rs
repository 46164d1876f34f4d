//! Jobs of a pool: boards, and packets of one board.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use pdb_core::{Board, Slide, lock};

use super::account::WHOLE;
use super::{Account, JobEnd};
use crate::counts::Counts;
use crate::lane::{AnyLanes, Subtree};
use crate::tree::Tree;
use crate::{BoundCount, Limits};

/// A board that is being searched, or a subtree of one.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) board: Board,
    /// The number with which its answer is returned.
    pub(crate) ticket: u64,
    pub(crate) initial_estimate: u32,
    trees: Mutex<Trees>,
    /// Subtrees of the current bound that no lane has taken.
    waiting: AtomicUsize,
    pub(crate) account: Arc<Account>,
    /// Lanes that search within the current bound.
    left: AtomicUsize,
    /// Whether the bound is long enough to be split.
    is_long: AtomicBool,
    progress: Mutex<JobProgress>,
}

/// Reference to a job, as lanes keep it.
pub(crate) type JobRef = Arc<Job>;

/// The trees of a job.
#[derive(Debug)]
pub(crate) struct Trees {
    /// The tree that is searched.
    pub(crate) present: Tree,
    /// The dual's tree, or the board's while the dual's is searched, until the smaller one is
    /// certain.
    pub(crate) rival: Option<Tree>,
}

impl Trees {
    /// Exchanges the current tree and its rival.
    pub(crate) fn exchange(&mut self) {
        std::mem::swap(&mut self.present, self.rival.as_mut().expect("there is another tree"));
    }
}

/// The state of the rival tree within the present bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Rival {
    /// There is no rival.
    #[default]
    None,
    /// The rival has not been searched.
    Open,
    /// The rival was searched, with these nodes.
    Done(Counts),
    /// The rival is searched again in the first large bound of the current tree.
    Later,
}

/// The progress of a job.
#[derive(Debug, Default)]
pub(crate) struct JobProgress {
    pub(crate) bound: u32,
    /// Nodes within the current bound.
    pub(crate) counts: Counts,
    /// Nodes entered so far, within all bounds.
    pub(crate) entered: u64,
    pub(crate) bounds: Vec<BoundCount>,
    /// Nodes of the current tree within the second last bound and within the last one.
    pub(crate) sizes: [u64; 2],
    pub(crate) rival: Rival,
    pub(crate) end: Option<JobEnd>,
}

impl Job {
    /// Makes a job that starts with a bound.
    pub(crate) fn new(
        board: Board,
        ticket: u64,
        present: Tree,
        rival: Option<Tree>,
        bound: u32,
        account: Arc<Account>,
    ) -> Self {
        let rival_estimate = rival.as_ref().map_or(0, |rival| rival.root_estimate);
        let of_rival = if rival.is_some() { Rival::Open } else { Rival::None };
        let progress = JobProgress { bound, rival: of_rival, ..JobProgress::default() };
        Self {
            board,
            ticket,
            initial_estimate: present.root_estimate.max(rival_estimate),
            trees: Mutex::new(Trees { present, rival }),
            waiting: AtomicUsize::new(0),
            account,
            left: AtomicUsize::new(0),
            is_long: AtomicBool::new(false),
            progress: Mutex::new(progress),
        }
    }

    /// Begins the current bound with its tree cut so that no subtree has more slack than
    /// `slack_max`, and returns the first subtree, if any. Its lane counts as searching from here
    /// on.
    pub(crate) fn begin_bound(
        &self,
        progress: &JobProgress,
        slack_max: u32,
        wish: u32,
    ) -> Option<Subtree> {
        let tree = &mut self.trees().present;
        tree.begin(progress.bound, slack_max, wish);
        let subtree = self.take(tree);
        if subtree.is_some() {
            self.open_lane();
        }
        subtree
    }

    /// Begins the first bound and returns the whole tree. The bound must not be less than the
    /// estimate.
    pub(crate) fn whole(&self) -> Subtree {
        let subtree = self.begin_bound(&self.progress(), u32::MAX, 1);
        subtree.expect("a root within the bound is a subtree")
    }

    /// Returns the next subtree of the current bound, if any.
    pub(super) fn next_subtree(&self) -> Option<Subtree> {
        if self.waiting.load(Ordering::Relaxed) == 0 {
            return None;
        }
        self.take(&mut self.trees().present)
    }

    /// Keeps the result of a finished lane, which begins no other subtree.
    pub(super) fn keep_subtree(&self, lanes: &mut dyn AnyLanes, lane: usize) {
        let tree = &mut self.trees().present;
        let record = lanes.move_leaves(lane, &mut tree.leaves);
        tree.keep(record);
    }

    /// Returns whether more than `count` lanes search within the current bound, or will.
    pub(super) fn has_more_lanes(&self, count: usize) -> bool {
        self.left.load(Ordering::SeqCst) > count
    }

    /// Begins a subtree in a lane.
    pub(super) fn begin_subtree(&self, subtree: Subtree, lanes: &mut dyn AnyLanes, lane: usize) {
        lanes.begin(lane, subtree, &self.trees().present.leaves);
    }

    /// Keeps the result of a finished lane, and begins the next subtree in it. Returns whether
    /// there is one.
    pub(super) fn finish_subtree(&self, lanes: &mut dyn AnyLanes, lane: usize) -> bool {
        let tree = &mut self.trees().present;
        let record = lanes.move_leaves(lane, &mut tree.leaves);
        tree.keep(record);
        let Some(subtree) = self.take(tree) else { return false };
        lanes.begin(lane, subtree, &tree.leaves);
        true
    }

    fn take(&self, tree: &mut Tree) -> Option<Subtree> {
        let subtree = tree.next();
        self.waiting.store(tree.waiting(), Ordering::Relaxed);
        subtree
    }

    /// Returns the moves from the root of the current tree to the node of a lane.
    pub(super) fn path(&self, lanes: &mut dyn AnyLanes, lane: usize) -> Vec<Slide> {
        let mut path = self.trees().present.path_to(lanes.record(lane).leaf);
        path.append(&mut lanes.path(lane));
        path
    }

    pub(crate) fn trees(&self) -> MutexGuard<'_, Trees> {
        lock(&self.trees)
    }

    pub(crate) fn progress(&self) -> MutexGuard<'_, JobProgress> {
        lock(&self.progress)
    }

    /// Returns whether splitting its lanes is worthwhile.
    pub(super) fn may_be_split(&self) -> bool {
        self.is_long.load(Ordering::Relaxed) && !self.account.is_over()
    }

    /// Counts one more lane that searches.
    pub(super) fn open_lane(&self) {
        self.left.fetch_add(1, Ordering::SeqCst);
        self.account.open_lane();
    }

    /// Removes a finished lane, with the unused rest of its grant. Returns whether it was the last
    /// one.
    pub(super) fn close_lane(&self, unused: u64) -> bool {
        self.account.close_lane(unused);
        self.left.fetch_sub(1, Ordering::SeqCst) == 1
    }

    /// Grants more nodes, about `most`, to a lane that has generated `generated` nodes.
    pub(super) fn grant(
        &self,
        limits: &Limits<'_>,
        generated: u64,
        most: u64,
    ) -> Result<u64, JobEnd> {
        let nodes = self.account.grant(limits, self.is_long.load(Ordering::Relaxed), most)?;
        if generated >= WHOLE {
            self.is_long.store(true, Ordering::Relaxed);
        }
        Ok(nodes)
    }

    /// Ends the search; a solution is worth more than a limit.
    pub(super) fn end(&self, end: JobEnd) {
        let mut progress = self.progress();
        if progress.end.is_none() || matches!(end, JobEnd::Goal(_)) {
            progress.end = Some(end);
        }
        self.account.end();
    }
}

impl JobProgress {
    /// Records the nodes of the current bound.
    pub(crate) fn count_bound(&mut self) {
        let counts = std::mem::take(&mut self.counts);
        self.bounds.push(counts.within(self.bound));
    }
}
