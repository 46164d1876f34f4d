//! Others who search: machines of a cluster, as a rule.

use std::fmt::Debug;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(feature = "build")]
use pdb_core::{Board, PatternKey};
#[cfg(feature = "build")]
use pdb_gen::{BuildReport, GenError, Monitor};
use pdb_lab::{Engine, SearchName};
use pdb_rt::Residence;
#[cfg(feature = "build")]
use pdb_search::packets::{Dealer, Deals};
use pdb_search::{Boards, Limits, Sharing};

use crate::Error;
use crate::SpecChoice;

/// What a crew takes part in. [`Tilebase::task`](crate::Tilebase::task) makes one.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// What is searched with here. The others must have tables with the same digests.
    pub engine: &'a Engine,
    /// The spec that was asked for.
    pub choice: &'a SpecChoice,
    /// The folder of the tables.
    pub folder: &'a Path,
    /// How tables are brought into memory.
    pub residence: Residence,
    /// Whether tables are taken as they are.
    pub trusts_tables: bool,
    /// A search of which each thread does one board, if it is not the one in lanes.
    pub search: Option<SearchName>,
    /// How boards share the lanes.
    pub sharing: Sharing,
    /// When the search of a board gives up.
    pub limits: Limits<'a>,
    /// Set when the searches should end.
    pub stop: &'a AtomicBool,
    /// To be set, before `stop` is, when the crew cannot do what it should: what a search that is stopped
    /// then says is no answer.
    pub has_failed: &'a AtomicBool,
}

impl Task<'_> {
    /// Ends the searches, as the crew cannot do what it should.
    pub fn fail(&self) {
        self.has_failed.store(true, Ordering::SeqCst);
        self.stop.store(true, Ordering::SeqCst);
    }
}

/// How a crew is, for who watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrewState {
    /// How many ranks there are, this one among them.
    pub ranks: usize,
    /// Those of them that are lost.
    pub lost: usize,
    /// Bytes sent and received here.
    pub bytes: u64,
}

/// Others who search boards and packets, and do not know for whom.
///
/// A crew is asked in the place of the search on this machine, which it is given too: it has everything
/// searched, here, elsewhere, or both. When it returns, nothing is left, or it says why.
pub trait Crew: Debug + Send + Sync {
    /// How it is now.
    fn state(&self) -> CrewState;

    /// So many boards are searched elsewhere or wait there at most.
    fn boards_at_once(&self) -> usize;

    /// Has all boards answered; `search` searches here.
    ///
    /// # Errors
    /// [`Error::Crew`] says why the others cannot take part.
    fn solve_boards(
        &self,
        task: &Task<'_>,
        boards: &dyn Boards,
        search: &(dyn Fn(&dyn Boards) + Sync),
    ) -> Result<(), Error>;

    /// Has the packets of a bound of one board searched; `search` searches here.
    ///
    /// # Errors
    /// As [`solve_boards`](Self::solve_boards).
    #[cfg(feature = "build")]
    fn solve_packets(
        &self,
        task: &Task<'_>,
        board: &Board,
        deals: &dyn Deals,
        search: &(dyn Fn(&dyn Dealer) + Sync),
    ) -> Result<(), Error>;

    /// Builds a table in a folder together with the others; nothing where that is not worth their while.
    /// `memory_bytes` is what each may use, where that was said.
    ///
    /// # Errors
    /// A [`GenError`] when it cannot be built, here or elsewhere.
    #[cfg(feature = "build")]
    fn build_table(
        &self,
        key: &PatternKey,
        folder: &Path,
        memory_bytes: Option<u64>,
        thread_count: usize,
        replace: bool,
        monitor: &Monitor<'_>,
    ) -> Option<Result<BuildReport, GenError>>;
}
