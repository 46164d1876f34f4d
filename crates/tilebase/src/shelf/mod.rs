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
use std::sync::Arc;
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
use pdb_gen::{GenError, has_checkpoint, work_folder};

#[cfg(feature = "build")]
pub use need::{Need, NoRoom, Room, ToBuild};

#[cfg(feature = "build")]
use crate::Event;
use crate::{Cancel, Crew, Error, Watch};

/// A folder of tables, and what may be used to open and to build them.
#[derive(Clone, Debug)]
pub struct Shelf {
    /// The folder, which need not exist yet.
    pub folder: PathBuf,
    /// Tables that take the place of the folder: nothing is read from there, and none are built.
    pub tables: Option<Arc<[Table]>>,
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
    /// Others who build too. Default: nobody.
    pub crew: Option<Arc<dyn Crew>>,
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
            tables: None,
            memory: Memory::ALL,
            thread_count: crate::core_count(),
            residence: Residence::Auto,
            may_build: false,
            trusts_tables: false,
            watch: Watch::default(),
            cancel: Cancel::new(),
            crew: None,
        }
    }

    /// The tables of a plan, which are those of `name`. Tables that are missing are built first, if
    /// that is allowed and there is room for them.
    ///
    /// Payloads that were not checked before are checked on other threads meanwhile; what is found with
    /// the tables has to be [confirmed](Database::confirm).
    ///
    /// # Errors
    /// [`Error::Open`] when a table is missing or damaged; [`Error::NotGiven`] when it is not among those that
    /// take the folder's place; [`Error::NoRoom`] and [`Error::Build`] when it cannot be built.
    pub fn database(&self, name: &str, plan: &Plan) -> Result<Database, Error> {
        Database::check_plan(plan)?;
        if let Some(tables) = &self.tables {
            return self.given(name, plan, tables);
        }
        #[cfg(feature = "build")]
        if self.may_build {
            self.build_missing(name, plan)?;
        }
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

    /// The tables of a plan among those that were given.
    fn given(&self, name: &str, plan: &Plan, given: &[Table]) -> Result<Database, Error> {
        let find = |key: &TableKey| {
            let table = given.iter().find(|table| table.header().key == *key);
            let missing = || Error::NotGiven { name: name.to_owned(), table: key.file_name() };
            table.cloned().ok_or_else(missing)
        };
        let tables = plan.tables().iter().map(find).collect::<Result<_, _>>()?;
        let tables = Database::of_tables(plan, tables)?;
        Ok(if self.trusts_tables { tables.trust() } else { tables.check(self.thread_count)? })
    }

    /// Whether all tables of a plan are among those that were given; nothing where there is a folder instead.
    fn readiness_given(&self, plan: &Plan) -> Option<Readiness> {
        let given = self.tables.as_ref()?;
        let is_given = |key: &TableKey| given.iter().any(|table| table.header().key == *key);
        let is_there = plan.tables().iter().all(is_given);
        Some(if is_there { Readiness::There } else { Readiness::Missing })
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
            // Those who were cancelled come for one board after another.
            if self.cancel.is_cancelled() {
                return Err(GenError::Interrupted.into());
            }
            let streamed = Way::Streamed(self.memory.for_streaming());
            let way = if has_checkpoint(&self.folder, key) { streamed } else { Way::InMemory };
            let report = self.build(key, way, false)?;
            self.watch.tell(&Event::Built(&report));
            // A build that was stopped before its first checkpoint left nothing to resume. The streamed
            // build finds the table complete and removes the folder; if it cannot, the table serves all
            // the same.
            if work_folder(&self.folder, key).exists() {
                let _ = self.build(key, streamed, false);
            }
        }
        Ok(())
    }

    /// Builds the tables of a plan, which are those of `name`, and tells how far that is. Those that are
    /// there are left as they are, unless they are to be replaced.
    ///
    /// # Errors
    /// [`Error::NoRoom`] before anything is built where there is no room; [`Error::Open`] for a plan that
    /// no heuristic looks up; [`Error::Build`] when a table cannot be built.
    pub fn build_all(
        &self,
        name: &str,
        plan: &Plan,
        replace: bool,
    ) -> Result<Vec<pdb_gen::BuildReport>, Error> {
        Database::check_plan(plan)?;
        let builds = Builds::of(plan, &self.folder, replace, self.memory)?;
        builds.check(name, plan.goal().shape(), &self.folder, self.memory)?;
        let mut reports = Vec::new();
        for (key, way) in &builds.tables {
            reports.push(self.build(key, *way, replace)?);
        }
        Ok(reports)
    }

    /// Builds a table and tells how far it is. One that is there is left as it is, unless it is to be
    /// replaced.
    ///
    /// # Errors
    /// A [`GenError`] when it cannot be built.
    pub fn build(
        &self,
        key: &TableKey,
        way: Way,
        replace: bool,
    ) -> Result<pdb_gen::BuildReport, GenError> {
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
        let together = match (&self.crew, key) {
            (Some(crew), TableKey::Pattern(key)) => {
                let (memory, threads) = (self.memory.said(), self.thread_count);
                crew.build_table(key, &self.folder, memory, threads, replace, &monitor)
            }
            _ => None,
        };
        let alone = || match (key, way) {
            (TableKey::Pattern(key), Way::Streamed(memory_bytes)) => {
                let budget = pdb_gen::Budget { memory_bytes, segment_bytes: None };
                pdb_gen::build_streamed(key, folder, &budget, threads, replace, &monitor)
            }
            _ => pdb_gen::build(key, folder, threads, replace, &monitor),
        };
        let built = together.unwrap_or_else(alone);
        self.watch.tell(&Event::TableEnds { table });
        let built = built?;
        let found = pdb_gen::digest_of(&built.header);
        match known_digest(key).filter(|expected| *expected != found) {
            Some(expected) => {
                if !built.already_there {
                    // Nobody shall find it; what cannot be removed is named all the same.
                    let _ = std::fs::remove_file(&built.path);
                }
                Err(GenError::OtherTable { path: built.path, expected, found })
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
        if let Some(readiness) = self.readiness_given(plan) {
            return readiness;
        }
        let need = match Need::of(plan, &self.folder, false) {
            Ok(need) => need,
            // Whoever opens it says what is wrong.
            Err(GenError::Io { .. }) => return Readiness::There,
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
        if let Some(readiness) = self.readiness_given(plan) {
            return readiness;
        }
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

#[cfg(all(test, feature = "build"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

    use pdb_core::{Goal, Shape};
    use pdb_rt::Table;

    use crate::{Error, Tilebase};

    /// The tables of a spec for 3x3 boards, in memory.
    fn tables(spec: &str) -> Vec<Table> {
        let folder = tempfile::tempdir().unwrap();
        let built = Tilebase::builder().spec(spec).folder(folder.path()).ensure().unwrap();
        let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
        let engine = built.engine(&goal).unwrap();
        let bytes = |table: &&Table| std::fs::read(table.name()).unwrap();
        let bytes: Vec<Vec<u8>> = engine.tables().iter().map(bytes).collect();
        bytes.into_iter().map(|bytes| Table::from_bytes("memory", bytes).unwrap()).collect()
    }

    #[test]
    fn tables_that_are_given_take_the_place_of_the_folder() {
        let board = "8 6 7/2 5 4/3 0 1";
        let mut given = tables("8/4-4");
        given.reverse();
        given.extend(tables("8/whole"));
        let builder = || Tilebase::builder().tables(given.clone());
        for spec in ["8/4-4", "8/whole"] {
            let handle = builder().spec(spec).open().unwrap();
            assert_eq!(handle.solve(board).unwrap().length(), Some(31), "{spec}");
            assert_eq!(handle.explain(board).unwrap().board, board.parse().unwrap());
        }
        let best = builder().lazy().unwrap();
        assert_eq!(best.solve(board).unwrap().spec.as_deref(), Some("8/whole"));
        assert_eq!(best.to_build(&Goal::blank_last(Shape::new(4, 4).unwrap())).unwrap(), None);
    }

    #[test]
    fn a_table_that_was_not_given_is_named_and_none_is_built() {
        let mut given = tables("8/4-4");
        given.pop();
        let folder = tempfile::tempdir().unwrap();
        let builder = Tilebase::builder().spec("8/4-4").folder(folder.path()).tables(given);
        for opened in [builder.clone().open(), builder.ensure()] {
            let error = opened.unwrap_err();
            assert!(matches!(error, Error::NotGiven { .. }), "{error}");
            assert!(error.to_string().starts_with("8/4-4 needs the table 3x3-"), "{error}");
        }
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    }
}
