//! The folder of the tables: existing tables, missing tables, and the room for them.

#[cfg(feature = "build")]
mod build_plan;
#[cfg(unix)]
mod checked;
#[cfg(not(unix))]
#[path = "never_checked.rs"]
mod checked;
mod listing;
mod memory;
mod named;
mod source;

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;
#[cfg(feature = "build")]
use std::sync::Once;
use std::time::SystemTime;

use etcetera::BaseStrategy;
use pdb_core::{Goal, Metric, Plan, TableKey};
use pdb_format::Digest;
use pdb_lab::{Engine, HeuristicName};
pub use pdb_rt::{Database, OpenError, Residence, Table, outlive_cut_files};
use pdb_search::SearchError;

#[cfg(feature = "build")]
pub use build_plan::{BuildPlan, BuildPolicy, BuildStrategy, TableBuild, header_of};
pub use listing::{BuildState, PatternDrawing, SpecListing, TableListing};
pub use memory::{Memory, peak_memory_bytes};
pub use named::{NamedTable, tables_named};
#[cfg(feature = "build")]
use pdb_gen::{GenError, Workspace, work_folder};

pub use source::TableSource;

pub use crate::bytes::Bytes;
pub use crate::missing::MissingTables;
pub use crate::search::core_count;
#[cfg(feature = "build")]
pub use crate::shortage::Shortage;

use crate::error::Error;
#[cfg(feature = "build")]
use crate::event::{Event, Step, Task};
use crate::search::Search;

/// A folder of tables, with the limits of opening and building them.
///
/// The threads that check and build tables, the flag that stops them and the receiver of their
/// events are those of a [`Search`].
#[derive(Clone, Debug)]
pub struct Shelf {
    /// The folder, which need not exist yet.
    pub folder: PathBuf,
    /// A source that replaces the folder: nothing is read from the folder, and no table is built.
    pub source: Option<Arc<dyn TableSource>>,
    /// Memory limit for tables and builds.
    pub memory: Memory,
    /// Residence of the tables in memory.
    pub residence: Residence,
    /// Whether missing tables are built.
    pub may_build: bool,
    /// Whether tables are trusted, so that their digests are not checked.
    pub trusts_tables: bool,
}

impl Shelf {
    /// Returns the folder that every program uses by default: `TILEBASE_DB`, or `tilebase` in the
    /// data directory of the user.
    ///
    /// # Errors
    /// [`Error::NoFolder`] when the user has no home directory.
    pub fn usual_folder() -> Result<PathBuf, Error> {
        if let Some(path) = env::var_os("TILEBASE_DB").filter(|path| !path.is_empty()) {
            return Ok(path.into());
        }
        let strategy = etcetera::choose_base_strategy()
            .map_err(|error| Error::NoFolder { problem: error.to_string() })?;
        let folder = strategy.data_dir().join("tilebase");
        if folder.is_relative() {
            let problem = "the home directory is a relative path".to_owned();
            return Err(Error::NoFolder { problem });
        }
        Ok(folder)
    }

    /// Creates a shelf for a folder: all memory, mapped tables, no builds.
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            source: None,
            memory: Memory::ALL,
            residence: Residence::Mapped,
            may_build: false,
            trusts_tables: false,
        }
    }

    /// Opens the engine of a heuristic for a metric.
    pub(crate) fn engine(
        &self,
        goal: &Goal,
        metric: Metric,
        name: &HeuristicName,
        search: &Search,
    ) -> Result<Engine, Error> {
        name.expect_metric(metric, goal)?;
        let open = &mut |name: &str, plan: &Plan| self.database(name, plan, search);
        let mut engine = Engine::open(name, goal, open)?;
        if let Some(source) = self.source.clone() {
            engine = engine.with_weights(move |shape| source.weights(shape));
        }
        Ok(engine.in_metric(metric)?)
    }

    /// Opens the tables of a plan, whose spec is `name`. Missing tables are built first, if that is
    /// allowed and there is room for them. Tables that exceed a memory limit are refused.
    ///
    /// Other threads check the payloads that have no valid record. Results of look-ups must be
    /// [confirmed](Database::confirm).
    ///
    /// # Errors
    /// [`Error::Open`] when a table is missing or damaged; [`Error::NotGiven`] when it is not among
    /// the tables that replace the folder; [`Error::NoRoom`] when it exceeds the memory limit;
    /// [`Error::NoRoom`] and [`Error::Build`] when it cannot be built.
    pub fn database(&self, name: &str, plan: &Plan, search: &Search) -> Result<Database, Error> {
        if let Some(source) = &self.source {
            return self.database_in_source(name, plan, &**source, search.threads());
        }
        #[cfg(feature = "build")]
        self.build_missing(name, plan, search)?;
        let begun = SystemTime::now();
        let tables = Database::open_as(plan, &self.folder, self.residence)?;
        if self.trusts_tables {
            return Ok(tables.trust());
        }
        let found = move |table: &Table| checked::record(table, begun);
        // A record is valid for the mapped file; a copy of it in memory is checked each time.
        let is_known =
            |table: &Table| self.residence != Residence::Copied && checked::is_known(table);
        Ok(tables.except(is_known).check_beside(search.threads(), found))
    }

    /// Opens the tables of a plan from a source.
    fn database_in_source(
        &self,
        name: &str,
        plan: &Plan,
        source: &dyn TableSource,
        thread_count: usize,
    ) -> Result<Database, Error> {
        let open = |key: &TableKey| {
            let missing = || Error::NotGiven { name: name.to_owned(), table: key.file_name() };
            source.open(key)?.ok_or_else(missing)
        };
        let tables = plan.tables().iter().map(open).collect::<Result<_, _>>()?;
        let tables = Database::of_tables(plan, tables)?;
        if self.trusts_tables {
            return Ok(tables.trust());
        }
        Ok(tables.except(|table| source.is_checked(table)).check(thread_count)?)
    }

    /// Returns the readiness of a plan's tables in the source; `None` if the shelf uses a folder.
    fn readiness_in_source(&self, plan: &Plan) -> Option<Readiness> {
        let source = self.source.as_ref()?;
        let is_there = plan.tables().iter().all(|key| source.has(key));
        Some(if is_there { Readiness::Ready } else { Readiness::Missing })
    }
}

#[cfg(feature = "build")]
impl Shelf {
    /// Checks that there is room for the tables of a plan, and builds missing ones if that is
    /// allowed.
    fn build_missing(&self, name: &str, plan: &Plan, search: &Search) -> Result<(), Error> {
        // Tables that are mapped may exceed the machine's memory.
        if !self.may_build && self.memory.limit_bytes().is_none() {
            return Ok(());
        }
        let policy = BuildPolicy::for_search(self.memory);
        let builds = BuildPlan::of([plan], &self.folder, policy)?;
        let missing = builds.missing_tables(name);
        if self.may_build || missing.is_none() {
            builds.check(&[name])?;
        }
        let Some(missing) = missing.filter(|_| self.may_build) else { return Ok(()) };
        search.tell(&Event::Missing { missing: &missing, folder: &self.folder });
        let mut workspace = Workspace::default();
        let table_count = builds.tables.len();
        for (built_count, table) in (table_count - missing.table_count..).zip(&builds.missing) {
            let place = (built_count + 1, table_count);
            let built = self.build(table, false, place, &mut workspace, search);
            let report = built.map_err(Error::from).inspect_err(|error| {
                if error.is_interrupted() {
                    search.tell(&Event::Stopped { name, built_count, table_count });
                }
            })?;
            search.tell(&Event::Built(&report));
            // An earlier build may have left a work folder without a checkpoint. A streamed build
            // finds the table complete and removes the folder. If that fails, the table can be used
            // nevertheless.
            if work_folder(&self.folder, &table.key).exists() {
                let mut built = table.clone();
                built.strategy = BuildStrategy::Streamed(self.memory.for_streaming());
                built.exists = true;
                let _ = self.build(&built, false, place, &mut workspace, search);
            }
        }
        Ok(())
    }

    /// Builds the tables of a plan, whose spec is `name`, and reports progress. Existing tables are
    /// kept, unless they are to be replaced.
    ///
    /// # Errors
    /// [`Error::NoRoom`] before any build when there is no room; [`Error::Build`] when a table
    /// cannot be built.
    pub fn build_all(
        &self,
        name: &str,
        plan: &Plan,
        replace: bool,
        search: &Search,
    ) -> Result<Vec<pdb_gen::BuildReport>, Error> {
        let builds = BuildPlan::of([plan], &self.folder, BuildPolicy::new(self.memory, replace))?;
        builds.check(&[name])?;
        Ok(self.build_each(&builds.tables, replace, search).collect::<Result<_, _>>()?)
    }

    /// Builds a table with each step of the iterator, and reports progress. An existing table is
    /// kept, unless it is to be replaced. An item is a [`GenError`] when a table cannot be built.
    pub fn build_each(
        &self,
        tables: &[TableBuild],
        replace: bool,
        search: &Search,
    ) -> impl Iterator<Item = Result<pdb_gen::BuildReport, GenError>> {
        let mut workspace = Workspace::default();
        (1..).zip(tables).map(move |(place, table)| {
            self.build(table, replace, (place, tables.len()), &mut workspace, search)
        })
    }

    /// Builds a table, with its place among all tables. Tables of the same size that are built in
    /// memory one after another share a workspace; any other build frees it.
    fn build(
        &self,
        &TableBuild { ref key, strategy, exists, .. }: &TableBuild,
        replace: bool,
        (place, table_count): (usize, usize),
        workspace: &mut Workspace,
        search: &Search,
    ) -> Result<pdb_gen::BuildReport, GenError> {
        let table = &key.file_name();
        let path = &self.folder.join(table);
        let begins = Once::new();
        let begin = || {
            let streamed_bytes = match strategy {
                BuildStrategy::InMemory => None,
                BuildStrategy::Streamed(memory_bytes) => Some(memory_bytes),
            };
            let description = &key.describe();
            begins.call_once(|| {
                if !replace && path.exists() {
                    search.tell(&Event::Damaged { path });
                }
                let step = Step::Begin { description, place, table_count, streamed_bytes };
                search.tell(&Event::Task(Task::Table(table), step));
            });
        };
        if replace || !exists {
            begin();
        }
        let report = |event| {
            // An existing table is checked first. If it is damaged, it is built again.
            if !matches!(event, pdb_gen::Event::Check { .. }) {
                begin();
            }
            search.tell(&Event::Task(Task::Table(table), Step::Table(event)));
        };
        let monitor = pdb_gen::Monitor::new(&report, search.cancel.flag());
        let build = pdb_gen::Build {
            folder: &self.folder,
            thread_count: search.threads(),
            replace,
            monitor: &monitor,
        };
        if search.crew.is_some() || matches!(strategy, BuildStrategy::Streamed(_)) {
            // The memory limit of such a build does not include it.
            *workspace = Workspace::default();
        }
        let together = match (&search.crew, key) {
            (Some(crew), TableKey::Pattern(key)) => {
                crew.build_table(key, &build, self.memory.limit_bytes())
            }
            _ => None,
        };
        let alone = || match (key, strategy) {
            (TableKey::Pattern(key), BuildStrategy::Streamed(memory_bytes)) => {
                let budget = pdb_gen::Budget { memory_bytes, segment_bytes: None };
                build.streamed(key, &budget)
            }
            _ => build.in_memory_with(key, workspace),
        };
        let built = together.unwrap_or_else(alone);
        search.tell(&Event::Task(Task::Table(table), Step::End));
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

/// Checks the tables of an engine. Call it after a search and before its result is used.
///
/// # Errors
/// [`Error::Damaged`] when a table is damaged, or was truncated or modified.
pub fn confirm(engine: &Engine) -> Result<(), Error> {
    engine.confirm().map_err(Error::Damaged)
}

/// Returns the outcome of a search with some engines. A damaged table would explain any outcome, so
/// it is reported first.
pub(crate) fn confirmed<'a, T, E>(
    engines: impl IntoIterator<Item = &'a Engine>,
    outcome: Result<T, E>,
) -> Result<T, Error>
where
    SearchError: From<E>,
{
    engines.into_iter().try_for_each(confirm)?;
    outcome.map_err(|error| SearchError::from(error).into())
}

/// Returns the expected digest of a table, if a shipped spec contains it.
pub fn known_digest(key: &TableKey) -> Option<Digest> {
    let golden = pdb_spec::builtin_golden_table(&key.file_name())?;
    Some(golden.digest.parse().expect("a shipped golden has digests"))
}

/// State of the tables of a plan.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Readiness {
    /// All tables exist.
    Ready,
    /// These tables are missing, and there is room to build them.
    #[cfg_attr(not(feature = "build"), allow(dead_code, reason = "nothing is built"))]
    Buildable(MissingTables),
    /// Some tables are missing, and may not be built.
    Missing,
    /// The missing tables do not fit the memory, or can never be built.
    #[cfg_attr(not(feature = "build"), allow(dead_code, reason = "nothing is built"))]
    TooLarge,
    /// The missing tables do not fit the free space of the folder, in bytes.
    #[cfg_attr(not(feature = "build"), allow(dead_code, reason = "nothing is built"))]
    DiskFull(u64),
}

impl Shelf {
    /// Returns the state of the tables of a plan, whose spec is `name`.
    #[cfg(feature = "build")]
    pub(crate) fn readiness(&self, name: &str, plan: &Plan) -> Readiness {
        if let Some(readiness) = self.readiness_in_source(plan) {
            return readiness;
        }
        let policy = BuildPolicy::for_search(self.memory);
        match BuildPlan::of([plan], &self.folder, policy) {
            // The error is reported when the table is opened.
            Err(GenError::Io { .. }) => Readiness::Ready,
            Err(_) => Readiness::TooLarge,
            Ok(builds) => match builds.check(&[name]) {
                Err(Shortage::Memory(_)) => Readiness::TooLarge,
                Err(Shortage::Disk { free_bytes, .. }) => Readiness::DiskFull(free_bytes),
                Ok(()) => match builds.missing_tables(name) {
                    None => Readiness::Ready,
                    Some(missing) if self.may_build => Readiness::Buildable(missing),
                    Some(_) => Readiness::Missing,
                },
            },
        }
    }

    /// Returns the state of the tables of a plan.
    #[cfg(not(feature = "build"))]
    pub(crate) fn readiness(&self, _: &str, plan: &Plan) -> Readiness {
        if let Some(readiness) = self.readiness_in_source(plan) {
            return readiness;
        }
        let is_there = |key: &TableKey| self.folder.join(key.file_name()).exists();
        if plan.tables().iter().all(is_there) { Readiness::Ready } else { Readiness::Missing }
    }
}

#[cfg(all(test, feature = "build"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use pdb_core::{Goal, Shape, TableKey};

    use super::{OpenError, Table, TableSource};
    use crate::error::Error;
    use crate::handle::Tilebase;

    /// Builds the tables of a spec for 3x3 boards, and returns them in memory.
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

    /// A source that reads a table when it is needed, and may have checked it.
    #[derive(Debug)]
    struct LazyFile {
        key: TableKey,
        file: Vec<u8>,
        is_checked: bool,
        read_count: AtomicUsize,
    }

    impl TableSource for LazyFile {
        fn has(&self, key: &TableKey) -> bool {
            self.key == *key
        }

        fn open(&self, key: &TableKey) -> Result<Option<Table>, OpenError> {
            if !self.has(key) {
                return Ok(None);
            }
            self.read_count.fetch_add(1, Ordering::Relaxed);
            Table::from_bytes("source", self.file.clone()).map(Some)
        }

        fn is_checked(&self, _: &Table) -> bool {
            self.is_checked
        }
    }

    #[test]
    fn source_is_read_once_at_the_first_board_and_its_payload_checked_unless_it_did_so() {
        let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
        let key = pdb_spec::builtin("8/whole").unwrap().plan.tables()[0];
        let built = pdb_gen::Table::build(&key, 1, &pdb_gen::Monitor::silent()).unwrap().to_bytes();
        for (damage, is_checked, opens) in
            [(0, false, true), (0, true, true), (1, false, false), (1, true, true)]
        {
            let mut file = built.clone();
            *file.last_mut().unwrap() ^= damage;
            let read_count = AtomicUsize::new(0);
            let source = Arc::new(LazyFile { key, file, is_checked, read_count });
            let handle = Tilebase::builder().source(source.clone()).lazy_open().unwrap();
            assert_eq!(source.read_count.load(Ordering::Relaxed), 0);
            assert_eq!(handle.engine(&goal).is_ok(), opens, "{damage} {is_checked}");
            assert_eq!(handle.engine(&goal).is_ok(), opens, "{damage} {is_checked}");
            assert_eq!(source.read_count.load(Ordering::Relaxed), 1);
        }
    }
}
