//! Tables that are promoted to huge pages while they are searched.
//!
//! A search looks tables up at random, and each look-up of a large table in pages of 4 KB waits for the translation
//! of an address too. To promote a table costs time, so it is done where a search turns out long: after as much
//! searching as is likely to have lost by small pages what that takes. So no search takes much longer than by
//! the better choice, whichever that was.
//!
//! 1. Whoever searches says so ([`Promoter::begin`]). The first one starts a thread, which waits until there was
//!    enough searching, and uses no time until then.
//! 2. After a part of that time, what is not in memory so far is brought in.
//! 3. The payloads' check has to be over: what is promoted is what was checked. If the map is in huge pages, all is
//!    done: the builder writes tables so that it is on many file systems, and then all processes share them.
//! 4. Else the system is asked to make huge pages of the file's. They too are shared.
//! 5. Else the table is copied into huge pages of this process, held against its digests anew, and put in the
//!    place of the map, at the same addresses: no look-up notices.
//!
//! A step that is refused leaves the table as it was.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::Table;
use crate::check::Check;
use crate::pages::{Promotion, RETRY};

/// Smaller tables stay where they are: the processor keeps the addresses of as many pages.
const TABLE_BYTES_MIN: u64 = 8 << 20;

/// Bytes that are promoted after a second of searching. To find room for a gigabyte, to copy and to check it takes one
/// to three seconds of a processor, most where the machine itself is virtual, and a sixth of the searching is spared:
/// after so long, a search has lost by small pages what the copy costs.
const BYTES_PER_SECOND: f64 = 5e7;

/// What is not in memory is brought in after so small a part of the time until tables are promoted.
const BRING_IN: u32 = 10;

/// The tables of a database that may be promoted.
pub(crate) struct Promoter {
    tables: Arc<[Table]>,
    check: Option<Arc<Check>>,
    promotion: Promotion,
    after: Duration,
    /// The tables are promoted, or stay for ever.
    is_settled: AtomicBool,
    /// They are not used any more.
    is_abandoned: AtomicBool,
    state: Mutex<State>,
    has_changed: Condvar,
}

#[derive(Default)]
struct State {
    has_thread: bool,
    /// Searches that go on, and since when there are any.
    searches: usize,
    since: Option<Instant>,
    /// How long there were searches before.
    before: Duration,
}

impl State {
    fn searched(&self) -> Duration {
        self.before + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

impl fmt::Debug for Promoter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Promoter").field("promotion", &self.promotion).finish_non_exhaustive()
    }
}

/// A search that goes on, until this is dropped.
#[derive(Debug)]
#[must_use = "the search ends when this is dropped"]
pub struct Searching<'a>(Option<&'a Promoter>);

impl Searching<'_> {
    /// A search whose tables stay where they are.
    pub(crate) const NONE: Self = Self(None);
}

impl Drop for Searching<'_> {
    fn drop(&mut self) {
        let Some(promoter) = self.0 else { return };
        let mut state = promoter.lock();
        state.searches -= 1;
        if state.searches == 0 {
            state.before = state.searched();
            state.since = None;
        }
    }
}

impl Promoter {
    /// Of tables that were checked or are, if there is anything to promote.
    pub(crate) fn new(
        tables: &Arc<[Table]>,
        check: Option<&Arc<Check>>,
        promotion: Promotion,
    ) -> Option<Self> {
        let total: u64 =
            tables.iter().filter(|table| is_worthwhile(&promotion, table)).map(bytes_of).sum();
        let usual = || Duration::from_secs_f64(total as f64 / BYTES_PER_SECOND);
        (cfg!(target_os = "linux") && total > 0).then(|| Self {
            tables: Arc::clone(tables),
            check: check.cloned(),
            after: promotion.after.unwrap_or_else(usual),
            promotion,
            is_settled: AtomicBool::new(false),
            is_abandoned: AtomicBool::new(false),
            state: Mutex::default(),
            has_changed: Condvar::new(),
        })
    }

    /// A search begins.
    pub(crate) fn begin(this: &Arc<Self>) -> Searching<'_> {
        if this.is_settled.load(Ordering::Relaxed) {
            return Searching::NONE;
        }
        let mut state = this.lock();
        state.searches += 1;
        if state.searches == 1 {
            state.since = Some(Instant::now());
            this.has_changed.notify_all();
        }
        if !state.has_thread {
            let promoter = Arc::clone(this);
            let thread = thread::Builder::new().name("pages".into());
            state.has_thread = true;
            if thread.spawn(move || promoter.run()).is_err() {
                this.is_settled.store(true, Ordering::Relaxed);
            }
        }
        drop(state);
        Searching(Some(this))
    }

    /// The tables are not used any more.
    pub(crate) fn abandon(&self) {
        self.is_abandoned.store(true, Ordering::Relaxed);
        // Who looked at the flag before has come to wait by now.
        drop(self.lock());
        self.has_changed.notify_all();
    }

    fn is_abandoned(&self) -> bool {
        self.is_abandoned.load(Ordering::Relaxed)
    }

    fn run(&self) {
        self.wait(self.after / BRING_IN);
        let mut tables: Vec<&Table> = self.tables.iter().collect();
        // The largest gains most; there may not be room for all.
        tables.sort_unstable_by_key(|table| std::cmp::Reverse(bytes_of(table)));
        tables.retain(|table| is_worthwhile(&self.promotion, table));
        for table in &tables {
            if !self.is_abandoned() {
                table.bring_in();
            }
        }
        self.wait(self.after);
        let is_good = self.wait_for_check();
        for table in tables {
            if is_good && !self.is_abandoned() {
                table.promote(&self.promotion, &|| self.is_abandoned());
            }
        }
        self.is_settled.store(true, Ordering::Relaxed);
    }

    /// Waits until there was so much searching.
    fn wait(&self, searching: Duration) {
        let mut state = self.lock();
        while !self.is_abandoned() {
            let left = searching.saturating_sub(state.searched());
            if left.is_zero() {
                return;
            }
            // Nothing has to be looked at as long as nobody searches.
            let left = if state.searches == 0 { Duration::MAX } else { left };
            let woken = self.has_changed.wait_timeout(state, left);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits until the payloads are checked, and says whether they are right.
    fn wait_for_check(&self) -> bool {
        let Some(check) = &self.check else { return true };
        while !self.is_abandoned() {
            if let Some(is_good) = check.ended() {
                return is_good;
            }
            let state = self.lock();
            drop(self.has_changed.wait_timeout(state, RETRY));
        }
        false
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_worthwhile(promotion: &Promotion, table: &Table) -> bool {
    table.can_be_promoted() && (promotion.after.is_some() || bytes_of(table) >= TABLE_BYTES_MIN)
}

fn bytes_of(table: &Table) -> u64 {
    table.header().file_bytes()
}
