//! The server's implementation of the trait [`Place`]: a folder of tables.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use pdb_core::{Goal, TableKey};
use pdb_format::Header;
use pdb_gen::{GenError, TableFile};
use pdb_spec::Spec;
use tilebase::pdb_search::LimitKind;
use tilebase::shelf::{BuildPlan, BuildPolicy, MissingTables, header_of};
use tilebase::{Builder, Error, Search, Tilebase};
use tilebase_api::{BuildCost, Limits, Place, message};

use crate::settings::Settings;

/// Longest time for which a listing of the folder is used. Some file systems do not change the time
/// of a folder.
const LISTING_AGE_MAX: Duration = Duration::from_secs(1);
/// Longest tick of a file system's clock. Two changes within a tick leave a folder the same time.
const CLOCK_TICK: Duration = Duration::from_secs(2);

/// The server's folder.
#[derive(Debug)]
pub(crate) struct ServerPlace {
    settings: Arc<Settings>,
    listing: Mutex<Listing>,
}

/// The tables of a folder when the server last looked.
#[derive(Debug, Default)]
struct Listing {
    listed: Option<SystemTime>,
    /// Time of the folder's last change.
    changed: Option<SystemTime>,
    /// Path, length and time of each table.
    tables: Vec<(PathBuf, u64, Option<SystemTime>)>,
    epoch: u64,
}

impl Listing {
    /// Lists the tables again, unless the folder shows that they are the same.
    fn update(&mut self, folder: &Path) {
        let now = SystemTime::now();
        let changed = folder.metadata().and_then(|metadata| metadata.modified()).ok();
        let is_within = |since: Option<SystemTime>, limit| {
            let elapsed = since.and_then(|since| now.duration_since(since).ok());
            elapsed.is_some_and(|elapsed| elapsed < limit)
        };
        let is_settled = changed == self.changed && !is_within(changed, CLOCK_TICK);
        if is_settled && is_within(self.listed, LISTING_AGE_MAX) {
            return;
        }
        let of_table = |path: PathBuf| {
            let metadata = path.metadata().ok()?;
            Some((path, metadata.len(), metadata.modified().ok()))
        };
        let tables: Vec<_> = table_paths(folder).into_iter().filter_map(of_table).collect();
        self.epoch += u64::from(tables != self.tables);
        (self.listed, self.changed, self.tables) = (Some(now), changed, tables);
    }
}

/// Returns the paths of all tables in a folder, in the order of their names.
fn table_paths(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "pdb")).collect();
    paths.sort_unstable();
    paths
}

impl ServerPlace {
    pub(crate) fn new(settings: Arc<Settings>) -> Self {
        Self { settings, listing: Mutex::default() }
    }
}

impl Place for ServerPlace {
    fn builder(&self) -> Builder {
        let Settings { folder, memory, thread_count, trusts_tables, .. } = &*self.settings;
        let search = Search { thread_count: *thread_count, ..Search::default() };
        let builder = Tilebase::builder().folder(folder).memory(*memory).search(search);
        if *trusts_tables { builder.trust_tables() } else { builder }
    }

    fn header(&self, key: &TableKey) -> Option<Header> {
        header_of(key, &self.settings.folder).ok().flatten()
    }

    /// Skips unreadable files.
    fn headers(&self) -> Vec<Header> {
        let paths = table_paths(&self.settings.folder);
        let open = |path: &PathBuf| TableFile::open_unindexed(path).ok();
        paths.iter().filter_map(open).map(|table| table.header().clone()).collect()
    }

    fn build_cost(&self, spec: &Spec) -> Result<BuildCost, GenError> {
        let builds = plan_builds(&self.settings, spec)?;
        let shortage = builds.check(&[&spec.name]).err();
        Ok(BuildCost {
            missing_count: builds.missing.len(),
            disk_bytes: builds.disk_bytes,
            memory_bytes: builds.memory_bytes,
            refusal: shortage.map(|shortage| message(&shortage.into())),
        })
    }

    fn to_build(&self, tables: &Tilebase, goal: &Goal) -> Result<Option<MissingTables>, Error> {
        tables.to_build(goal)
    }

    fn epoch(&self) -> u64 {
        let mut listing = self.listing.lock();
        listing.update(&self.settings.folder);
        listing.epoch
    }

    fn seed(&self) -> u64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        now.subsec_nanos().into()
    }

    fn limit_text(&self, kind: LimitKind, limits: &Limits) -> String {
        match kind {
            LimitKind::Nodes => format!(
                "the server's limit: start it with a larger limit, as in tilebase serve --node-limit {}",
                limits.nodes.saturating_mul(10)
            ),
            _ => "the server's limit: start it with a longer limit, as in tilebase serve --time-limit 10min"
                .to_owned(),
        }
    }
}

/// Plans the builds of a spec's tables in the server's folder.
pub(crate) fn plan_builds(settings: &Settings, spec: &Spec) -> Result<BuildPlan, GenError> {
    let replace = false;
    let policy = BuildPolicy::new(settings.memory, replace);
    BuildPlan::of([&spec.plan], &settings.folder, policy)
}
