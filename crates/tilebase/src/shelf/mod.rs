//! The folder of the tables: what is there, what is missing, what there is room for.

#[cfg(feature = "build")]
mod builds;
mod checked;
#[cfg(feature = "build")]
mod listing;
mod memory;
mod named;
#[cfg(feature = "build")]
mod need;

use std::env;
use std::path::{Path, PathBuf};
#[cfg(feature = "build")]
use std::sync::Once;
use std::time::SystemTime;

use etcetera::BaseStrategy;
use pdb_core::{Plan, TableKey};
use pdb_format::Digest;
use pdb_rt::{Database, Residence, Table};

#[cfg(feature = "build")]
pub use builds::{Builds, Way};
#[cfg(feature = "build")]
pub use listing::{Built, Drawing, SpecListing, TableListing};
pub use memory::{Bytes, Memory, peak_memory_bytes};
pub use named::{NamedTable, tables_named};
#[cfg(feature = "build")]
pub use need::{Need, NoRoom, Room, ToBuild};

#[cfg(feature = "build")]
use crate::Event;
use crate::{Cancel, Error, Watch};

/// A folder of tables, and what may be used to open and to build them.
#[derive(Clone, Debug)]
pub struct Shelf {
    /// The folder, which need not exist yet.
    pub folder: PathBuf,
    /// The memory that tables and builds may use.
    pub memory: Memory,
    /// How many threads build a table.
    pub thread_count: usize,
    /// How tables are brought into memory.
    pub residence: Residence,
    /// Whether tables that are missing are built.
    pub may_build: bool,
    /// Whether tables are taken as they are, and no payload is held against its digests.
    pub trusts_tables: bool,
    /// Who is told of builds.
    pub watch: Watch,
    /// What stops them.
    pub cancel: Cancel,
}

impl Shelf {
    /// The folder that every program uses if nobody says otherwise: `TILEBASE_DB`, or `tilebase` in
    /// the data directory of the user.
    ///
    /// # Errors
    /// [`Error::NoFolder`] where the user has no home.
    pub fn usual_folder() -> Result<PathBuf, Error> {
        if let Some(path) = env::var_os("TILEBASE_DB").filter(|path| !path.is_empty()) {
            return Ok(path.into());
        }
        let strategy = etcetera::choose_base_strategy()
            .map_err(|error| Error::NoFolder { problem: error.to_string() })?;
        Ok(strategy.data_dir().join("tilebase"))
    }

    /// A shelf in a folder: all memory, all cores, mapped tables, none built.
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            memory: Memory::ALL,
            thread_count: crate::core_count(),
            residence: Residence::Mapped,
            may_build: false,
            trusts_tables: false,
            watch: Watch::default(),
            cancel: Cancel::new(),
        }
    }

    /// The tables of a plan, which are those of `name`. Tables that are missing are built first, if
    /// that is allowed and there is room for them.
    ///
    /// Payloads that were not checked before are checked on other threads meanwhile; what is found with
    /// the tables has to be [confirmed](Database::confirm).
    ///
    /// # Errors
    /// [`Error::Open`] when a table is missing or damaged; [`Error::NoRoom`] and [`Error::Build`] when
    /// it cannot be built.
    pub fn database(&self, name: &str, plan: &Plan) -> Result<Database, Error> {
        Database::check_plan(plan)?;
        #[cfg(feature = "build")]
        if self.may_build {
            self.build_missing(name, plan)?;
        }
        let _ = name;
        let begun = SystemTime::now();
        let tables = Database::open_as(plan, &self.folder, self.residence)?;
        if self.trusts_tables {
            return Ok(tables.trust());
        }
        let found = move |table: &Table| checked::record(table, begun);
        // A record is of the file; what was read of it for a copy is checked each time.
        let is_known =
            |table: &Table| self.residence != Residence::Copied && checked::is_known(table);
        Ok(tables.except(is_known).check_beside(self.thread_count, found))
    }
}

#[cfg(feature = "build")]
impl Shelf {
    /// Builds the tables of a plan that are missing, if there is room for them.
    fn build_missing(&self, name: &str, plan: &Plan) -> Result<(), Error> {
        let need = Need::of(plan, &self.folder, false)?;
        need.check(name, plan.goal().shape(), &self.folder, self.memory.bytes())?;
        if need.missing.is_empty() {
            return Ok(());
        }
        self.watch.tell(&Event::Missing {
            name,
            folder: &self.folder,
            disk_bytes: need.disk_bytes,
        });
        for key in &need.missing {
            let report = self.build(key, Way::InMemory, false)?;
            self.watch.tell(&Event::Built(&report));
        }
        Ok(())
    }

    /// Builds a table and tells how far it is. One that is there is left as it is, unless it is to be
    /// replaced.
    ///
    /// # Errors
    /// A [`GenError`](pdb_gen::GenError) when it cannot be built.
    pub fn build(
        &self,
        key: &TableKey,
        way: Way,
        replace: bool,
    ) -> Result<pdb_gen::BuildReport, pdb_gen::GenError> {
        let table = &key.file_name();
        let begins = Once::new();
        let begin = || {
            let streamed_bytes = match way {
                Way::InMemory => None,
                Way::Streamed(memory_bytes) => Some(memory_bytes),
            };
            let description = &key.describe();
            let begin = Event::TableBegins { table, description, streamed_bytes };
            begins.call_once(|| self.watch.tell(&begin));
        };
        if replace || need::header_of(key, &self.folder)?.is_none() {
            begin();
        }
        let report = |event| {
            // One that is there is checked first. If it is damaged, it is built.
            if !matches!(event, pdb_gen::Event::Check { .. }) {
                begin();
            }
            self.watch.tell(&Event::Table { table, event });
        };
        let monitor = pdb_gen::Monitor::new(&report, self.cancel.flag());
        let (folder, threads) = (&self.folder, self.thread_count);
        let built = match (key, way) {
            (TableKey::Pattern(key), Way::Streamed(memory_bytes)) => {
                let budget = pdb_gen::Budget { memory_bytes, segment_bytes: None };
                pdb_gen::build_streamed(key, folder, &budget, threads, replace, &monitor)
            }
            _ => pdb_gen::build(key, folder, threads, replace, &monitor),
        };
        self.watch.tell(&Event::TableEnds { table });
        let built = built?;
        let found = pdb_gen::digest_of(&built.header);
        match known_digest(key).filter(|expected| *expected != found) {
            Some(expected) => {
                if !built.already_there {
                    // Nobody shall find it; what cannot be removed is named all the same.
                    let _ = std::fs::remove_file(&built.path);
                }
                Err(pdb_gen::GenError::OtherTable { path: built.path, expected, found })
            }
            None => Ok(built),
        }
    }
}

/// The digest that a table must have, where a shipped spec has it.
pub fn known_digest(key: &TableKey) -> Option<Digest> {
    let golden = pdb_spec::builtin_golden_table(&key.file_name())?;
    Some(golden.digest.parse().expect("a shipped golden has digests"))
}

/// Walking Distance serves boards that nobody asked tables for, if its tables are built in this time.
#[cfg(feature = "build")]
const SMALL_SECONDS: f64 = 1.0;

/// How far the tables of a plan are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readiness {
    /// All are there.
    There,
    /// Some are missing, and there is room to build them.
    #[cfg_attr(not(feature = "build"), allow(dead_code, reason = "nothing is built"))]
    Fits,
    /// Some are missing, and may not be built.
    Missing,
    /// There is no room for them.
    #[cfg_attr(not(feature = "build"), allow(dead_code, reason = "nothing is built"))]
    TooLarge,
}

impl Shelf {
    /// How far the tables of a plan are, which are those of `name`.
    #[cfg(feature = "build")]
    pub(crate) fn readiness(&self, name: &str, plan: &Plan) -> Readiness {
        let need = match Need::of(plan, &self.folder, false) {
            Ok(need) => need,
            // Whoever opens it says what is wrong.
            Err(pdb_gen::GenError::Io { .. }) => return Readiness::There,
            Err(_) => return Readiness::TooLarge,
        };
        let shape = plan.goal().shape();
        if need.check(name, shape, &self.folder, self.memory.bytes()).is_err() {
            return Readiness::TooLarge;
        }
        match need.missing[..] {
            [] => Readiness::There,
            _ if self.may_build => Readiness::Fits,
            _ => Readiness::Missing,
        }
    }

    /// How far the tables of a plan are.
    #[cfg(not(feature = "build"))]
    pub(crate) fn readiness(&self, _: &str, plan: &Plan) -> Readiness {
        let is_there = |key: &TableKey| self.folder.join(key.file_name()).exists();
        if plan.tables().iter().all(is_there) { Readiness::There } else { Readiness::Missing }
    }

    /// Whether the tables of Walking Distance are there, or small and may be built.
    pub(crate) fn has_room_for_walking(&self, goal: &pdb_core::Goal) -> bool {
        self.lack_of_walking(goal).is_none()
    }

    /// Why Walking Distance does not serve boards that nobody asked tables for; nothing where it does.
    pub(crate) fn lack_of_walking(&self, goal: &pdb_core::Goal) -> Option<&'static str> {
        let plan = Plan::walking(goal);
        match self.readiness("walking-distance", &plan) {
            Readiness::There => None,
            Readiness::Missing => Some("its tables are not built"),
            Readiness::TooLarge => Some("its tables do not fit the memory or the disk"),
            #[cfg(not(feature = "build"))]
            Readiness::Fits => None,
            #[cfg(feature = "build")]
            Readiness::Fits => {
                // What is built in no time.
                let is_small = |key| {
                    pdb_gen::estimate(key).is_ok_and(|estimate| estimate.seconds < SMALL_SECONDS)
                };
                let is_small = plan.tables().iter().all(is_small);
                (!is_small).then_some("its tables are not built, and to build them takes a while")
            }
        }
    }
}
