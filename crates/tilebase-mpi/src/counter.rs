//! Where a rank waits for what a build needs of others, and where the post puts it.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Parts and files that are waited for. The post puts them here.
#[derive(Debug)]
pub(crate) struct Counter {
    state: Mutex<State>,
    /// Something has changed.
    pub(crate) news: Condvar,
    /// A rank cannot go on with the present build: nobody need.
    pub(crate) is_stopped: AtomicBool,
}

/// What the counter has.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) rank_count: usize,
    /// The number of the present build.
    pub(crate) build: u64,
    /// The next round that this rank gives a part of.
    pub(crate) round: u64,
    /// Parts that rank 0 has of rounds that are not whole.
    pub(crate) parts: BTreeMap<u64, Vec<Option<Vec<u8>>>>,
    /// All parts of a round.
    pub(crate) whole: BTreeMap<u64, Vec<Vec<u8>>>,
    /// Letters of the present build that nobody has read, and who sent them.
    pub(crate) letters: VecDeque<(usize, Vec<u8>)>,
    pub(crate) files: BTreeMap<u64, Wanted>,
    pub(crate) file_count: u64,
    /// The folder whose files others may ask for.
    pub(crate) served: Option<PathBuf>,
    pub(crate) lost: Option<usize>,
}

/// A file that another rank was asked for.
#[derive(Debug)]
pub(crate) struct Wanted {
    pub(crate) bytes: Vec<u8>,
    pub(crate) total: Option<u64>,
    pub(crate) problem: Option<String>,
}

impl Counter {
    pub(crate) fn new(rank_count: usize) -> Self {
        let state = State {
            rank_count,
            build: 0,
            round: 0,
            parts: BTreeMap::new(),
            whole: BTreeMap::new(),
            letters: VecDeque::new(),
            files: BTreeMap::new(),
            file_count: 0,
            served: None,
            lost: None,
        };
        let (news, is_stopped) = (Condvar::new(), AtomicBool::new(false));
        Self { state: Mutex::new(state), news, is_stopped }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A build begins, which is the same for all ranks.
    pub(crate) fn begin(&self, number: u64) {
        let mut state = self.state();
        state.build = number;
        self.is_stopped.store(false, Ordering::Relaxed);
        state.round = number << 32;
        // Whoever sends one for this build has heard from all ranks that they have begun.
        state.letters.clear();
        // What an earlier build has left is nobody's any more; what came early for this one is not.
        let round = state.round;
        state.parts.retain(|&other, _| other >= round);
        state.whole.retain(|&other, _| other >= round);
    }

    /// Files of this folder may be asked for from now on.
    pub(crate) fn serve(&self, folder: Option<&Path>) {
        self.state().served = folder.map(Path::to_owned);
    }

    /// A rank is lost: nobody waits for it, nor for anything that takes all.
    pub(crate) fn lose(&self, rank: usize) {
        self.state().lost.get_or_insert(rank);
        self.news.notify_all();
    }
}
