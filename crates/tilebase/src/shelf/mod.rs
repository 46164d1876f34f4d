//! The folder of the tables: what is there, what is missing, what there is room for.

#[cfg(feature = "build")]
mod build_plan;
mod checked;
#[cfg(feature = "build")]
mod listing;
mod memory;
mod named;
#[cfg(feature = "build")]
mod shortage;

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;
#[cfg(feature = "build")]
use std::sync::Once;
use std::time::SystemTime;

use etcetera::BaseStrategy;
use pdb_core::{Goal, Plan, TableKey};
use pdb_format::Digest;
use pdb_lab::{Engine, HeuristicName};
pub use pdb_rt::{Database, OpenError, Residence, Table, outlive_cut_files};

#[cfg(feature = "build")]
pub use build_plan::{BuildPlan, BuildPolicy, BuildStrategy, MissingTables};
#[cfg(feature = "build")]
pub use listing::{BuildState, PatternDrawing, SpecListing, TableListing};
pub use memory::{Bytes, Memory, core_count, peak_memory_bytes};
pub use named::{NamedTable, tables_named};
#[cfg(feature = "build")]
use pdb_gen::{GenError, work_folder};

#[cfg(feature = "build")]
pub use shortage::{Resource, Shortage};

use crate::cancel::Cancel;
use crate::crew::Crew;
use crate::error::Error;
#[cfg(feature = "build")]
use crate::event::Event;
use crate::event::Watch;

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
    /// Receiver of build events.
    pub watch: Watch,
    /// Stops the builds.
    pub cancel: Cancel,
    /// Other machines that build too. Default: none.
    pub crew: Option<Arc<dyn Crew>>,
}

impl Shelf {
    /// Returns the folder that every program uses by default: `TILEBASE_DB`, or `tilebase` in the
    /// data directory of the user.
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
            thread_count: core_count(),
            residence: Residence::Auto,
            may_build: false,
            trusts_tables: false,
            watch: Watch::default(),
            cancel: Cancel::new(),
            crew: None,
        }
    }

    /// Opens the engine of a heuristic.
    pub(crate) fn engine(&self, goal: &Goal, name: &HeuristicName) -> Result<Engine, Error> {
        Engine::open(name, goal, &mut |name: &str, plan: &Plan| self.database(name, plan))
    }

    /// The tables of a plan, which are those of `name`. Tables that are missing are built first, if
    /// that is allowed and there is room for them.
    ///
    /// Payloads that were not checked before are checked on other threads meanwhile; what is found
    /// with the tables has to be [confirmed](Database::confirm).
    ///
    /// # Errors
    /// [`Error::Open`] when a table is missing or damaged; [`Error::NotGiven`] when it is not among
    /// those that take the folder's place; [`Error::NoRoom`] and [`Error::Build`] when it cannot be
    /// built.
    pub fn database(&self, name: &str, plan: &Plan) -> Result<Database, Error> {
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

    /// Whether all tables of a plan are among those that were given; nothing where there is a
    /// folder instead.
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
        let policy = BuildPolicy::for_search(self.memory);
        let builds = BuildPlan::of([plan], &self.folder, policy)?;
        builds.check(&[name])?;
        if builds.missing.is_empty() {
            return Ok(());
        }
        let (folder, disk_bytes) = (&*self.folder, builds.file_bytes);
        self.watch.tell(&Event::Missing { name, folder, disk_bytes });
        for (key, strategy) in &builds.missing {
            // A cancelled stream comes here for one board after another.
            if self.cancel.is_cancelled() {
                return Err(GenError::Interrupted.into());
            }
            let report = self.build(key, *strategy, false)?;
            self.watch.tell(&Event::Built(&report));
            // An earlier build may have left a work folder without a checkpoint. A streamed build
            // finds the table complete and removes the folder. If that fails, the table serves all
            // the same.
            if work_folder(&self.folder, key).exists() {
                let streamed = BuildStrategy::Streamed(self.memory.for_streaming());
                let _ = self.build(key, streamed, false);
            }
        }
        Ok(())
    }

    /// Builds the tables of a plan, which are those of `name`, and tells how far that is. Those
    /// that are there are left as they are, unless they are to be replaced.
    ///
    /// # Errors
    /// [`Error::NoRoom`] before anything is built where there is no room; [`Error::Build`] when a
    /// table cannot be built.
    pub fn build_all(
        &self,
        name: &str,
        plan: &Plan,
        replace: bool,
    ) -> Result<Vec<pdb_gen::BuildReport>, Error> {
        let builds = BuildPlan::of([plan], &self.folder, BuildPolicy::new(self.memory, replace))?;
        builds.check(&[name])?;
        let mut reports = Vec::new();
        for (key, way) in &builds.tables {
            reports.push(self.build(key, *way, replace)?);
        }
        Ok(reports)
    }

    /// Builds a table and tells how far it is. One that is there is left as it is, unless it is to
    /// be replaced.
    ///
    /// # Errors
    /// A [`GenError`] when it cannot be built.
    pub fn build(
        &self,
        key: &TableKey,
        way: BuildStrategy,
        replace: bool,
    ) -> Result<pdb_gen::BuildReport, GenError> {
        let table = &key.file_name();
        let begins = Once::new();
        let begin = || {
            let streamed_bytes = match way {
                BuildStrategy::InMemory => None,
                BuildStrategy::Streamed(memory_bytes) => Some(memory_bytes),
            };
            let description = &key.describe();
            let begin = Event::TableBegins { table, description, streamed_bytes };
            begins.call_once(|| self.watch.tell(&begin));
        };
        if replace || build_plan::header_of(key, &self.folder)?.is_none() {
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
        let build = pdb_gen::Build {
            folder: &self.folder,
            thread_count: self.thread_count,
            replace,
            monitor: &monitor,
        };
        let together = match (&self.crew, key) {
            (Some(crew), TableKey::Pattern(key)) => {
                crew.build_table(key, &build, self.memory.said())
            }
            _ => None,
        };
        let alone = || match (key, way) {
            (TableKey::Pattern(key), BuildStrategy::Streamed(memory_bytes)) => {
                let budget = pdb_gen::Budget { memory_bytes, segment_bytes: None };
                build.streamed(key, &budget)
            }
            _ => build.in_memory(key),
        };
        let built = together.unwrap_or_else(alone);
        self.watch.tell(&Event::TableEnds { table });
        let built = built?;
        let found = pdb_gen::digest_of(&built.header);
        match known_digest(key).filter(|expected| *expected != found) {
            Some(expected) => {
                if !built.already_there {
                    // Removes the file so that it is never used; if that fails, the error still
                    // names it.
                    let _ = std::fs::remove_file(&built.path);
                }
                Err(GenError::OtherTable { path: built.path, expected, found })
            }
            None => Ok(built),
        }
    }
}

/// Checks the tables behind an engine. Call it after something was found with them, and before it
/// is believed.
///
/// # Errors
/// [`Error::Damaged`] when a table is damaged, or was cut short or written to.
pub fn confirm(engine: &Engine) -> Result<(), Error> {
    engine.confirm().map_err(Error::Damaged)
}

/// The digest that a table must have, where a shipped spec has it.
pub fn known_digest(key: &TableKey) -> Option<Digest> {
    let golden = pdb_spec::builtin_golden_table(&key.file_name())?;
    Some(golden.digest.parse().expect("a shipped golden has digests"))
}

/// Longest build of Walking Distance, in seconds, for boards whose tables the caller did not
/// choose.
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
        let policy = BuildPolicy::for_search(self.memory);
        match BuildPlan::of([plan], &self.folder, policy) {
            // The error comes when the table is opened.
            Err(GenError::Io { .. }) => Readiness::There,
            Err(_) => Readiness::TooLarge,
            Ok(builds) if builds.check(&[name]).is_err() => Readiness::TooLarge,
            Ok(builds) if builds.missing.is_empty() => Readiness::There,
            Ok(_) if self.may_build => Readiness::Fits,
            Ok(_) => Readiness::Missing,
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

    /// Returns why Walking Distance does not serve boards without a spec; `None` where it does:
    /// where its tables are there, or small and may be built.
    pub(crate) fn lack_of_walking(&self, goal: &Goal) -> Option<&'static str> {
        let plan = Plan::walking(goal);
        match self.readiness("walking-distance", &plan) {
            Readiness::There => None,
            Readiness::Missing => Some("its tables are not built"),
            Readiness::TooLarge => Some("its tables do not fit the memory or the disk"),
            #[cfg(not(feature = "build"))]
            Readiness::Fits => None,
            #[cfg(feature = "build")]
            Readiness::Fits => {
                // A quick build.
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

    use super::Table;
    use crate::error::Error;
    use crate::handle::Tilebase;

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
    fn given_tables_replace_the_folder() {
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
    fn missing_given_table_is_named_and_not_built() {
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
