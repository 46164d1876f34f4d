//! Other machines that share the work.

use std::fmt::Debug;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(feature = "build")]
use pdb_core::PatternKey;
#[cfg(feature = "build")]
use pdb_gen::{Build, BuildReport, GenError};
use pdb_lab::{Engine, SearchName};
use pdb_rt::Residence;
#[cfg(feature = "build")]
use pdb_search::packets::{Dealer, Deals, Subject};
use pdb_search::{Boards, Limits, Sharing};

use crate::error::Error;
use crate::names::SpecChoice;

/// Description of a search for a crew. [`Tilebase::task`](crate::Tilebase::task) creates it.
#[derive(Clone, Copy, Debug)]
pub struct CrewTask<'a> {
    /// The engine of this machine. The others must have tables with the same digests.
    pub engine: &'a Engine,
    /// The spec that the caller chose.
    pub choice: &'a SpecChoice,
    /// The folder of the tables.
    pub folder: &'a Path,
    /// Residence of the tables in memory.
    pub residence: Residence,
    /// Whether tables are trusted, so that their digests are not checked.
    pub trusts_tables: bool,
    /// A search that takes one board per thread; `None` for the search in lanes.
    pub search: Option<SearchName>,
    /// How boards share the lanes.
    pub sharing: Sharing,
    /// Limits of the search of one board.
    pub limits: Limits<'a>,
    /// Flag that ends the searches.
    pub stop: &'a AtomicBool,
    /// Set before `stop` when the crew fails. The result of a search that was stopped then is not
    /// an answer.
    pub has_failed: &'a AtomicBool,
}

impl CrewTask<'_> {
    /// Ends the searches because the crew failed.
    pub fn fail(&self) {
        self.has_failed.store(true, Ordering::SeqCst);
        self.stop.store(true, Ordering::SeqCst);
    }
}

/// State of a crew, for progress reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrewState {
    /// Number of ranks, this one included.
    pub ranks: usize,
    /// Number of lost ranks.
    pub lost: usize,
    /// Bytes sent and received by this rank.
    pub bytes: u64,
}

/// Other machines that search boards and packets.
///
/// A crew replaces the search on this machine, which it receives as an argument. When it returns,
/// every board was searched, here or elsewhere, or the result is an error.
pub trait Crew: Debug + Send + Sync {
    /// Returns the current state.
    fn state(&self) -> CrewState;

    /// Returns the largest number of boards that other machines search or queue at once.
    fn boards_at_once(&self) -> usize;

    /// Answers all boards; `search` searches on this machine.
    ///
    /// # Errors
    /// [`Error::Crew`] says why the other machines cannot take part.
    fn solve_boards(
        &self,
        task: &CrewTask<'_>,
        boards: &dyn Boards,
        search: &(dyn Fn(&dyn Boards) + Sync),
    ) -> Result<(), Error>;

    /// Searches the packets of a bound of one board; `search` searches on this machine. The others
    /// search the board, or its dual if `subject` names one.
    ///
    /// # Errors
    /// As [`solve_boards`](Self::solve_boards).
    #[cfg(feature = "build")]
    fn solve_packets(
        &self,
        task: &CrewTask<'_>,
        subject: &Subject,
        deals: &dyn Deals,
        search: &(dyn Fn(&dyn Dealer) + Sync),
    ) -> Result<(), Error>;

    /// Builds a table together with the other machines; returns `None` if sharing the build is not
    /// worthwhile. `memory_bytes` limits the memory of each machine, if the user set a limit.
    ///
    /// # Errors
    /// A [`GenError`] when it cannot be built, here or elsewhere.
    #[cfg(feature = "build")]
    fn build_table(
        &self,
        key: &PatternKey,
        build: &Build<'_>,
        memory_bytes: Option<u64>,
    ) -> Option<Result<BuildReport, GenError>>;
}
