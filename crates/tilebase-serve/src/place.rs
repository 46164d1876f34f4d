//! The server's implementation of the trait [`Place`]: a folder of tables, and the cache of
//! answers.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use pdb_core::{Goal, TableKey};
use pdb_format::Header;
use pdb_gen::{GenError, TableFile};
use pdb_spec::Spec;
use tilebase::pdb_search::LimitKind;
use tilebase::shelf::{BuildPlan, BuildPolicy, MissingTables, header_of};
use tilebase::{Builder, Error, Search, Tilebase};
use tilebase_api::{BuildCost, Cache, Limits, Outcome, Place, RequestKey, message};

use crate::settings::Settings;

/// Cached outcomes of requests.
pub(crate) type Records = Cache<RequestKey, Outcome>;

/// The server's folder and its cache.
#[derive(Debug)]
pub(crate) struct ServerPlace {
    pub(crate) settings: Arc<Settings>,
    pub(crate) records: Arc<Records>,
}

impl Place for ServerPlace {
    fn name(&self) -> &'static str {
        "server"
    }

    fn builder(&self) -> Builder {
        let Settings { folder, memory, thread_count, trusts_tables, .. } = &*self.settings;
        let search = Search { thread_count: *thread_count, ..Search::default() };
        let builder = Tilebase::builder().folder(folder).memory(*memory).search(search);
        if *trusts_tables { builder.trust_tables() } else { builder }
    }

    fn header(&self, key: &TableKey) -> Option<Header> {
        header_of(key, &self.settings.folder).ok().flatten()
    }

    fn has_table(&self, key: &TableKey) -> bool {
        self.settings.folder.join(key.file_name()).exists()
    }

    /// Skips unreadable files.
    fn headers(&self) -> Vec<Header> {
        let Ok(entries) = std::fs::read_dir(&self.settings.folder) else { return Vec::new() };
        let paths = entries.flatten().map(|entry| entry.path());
        let mut paths: Vec<PathBuf> =
            paths.filter(|path| path.extension().is_some_and(|ending| ending == "pdb")).collect();
        paths.sort_unstable();
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

    fn refresh(&self) {
        self.records.clear();
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

    fn build_refusal(&self) -> String {
        "this server builds tables only for clients on its machine, without reverse proxy: use the page \
         there, or name another spec; or start it with --builds yes"
            .to_owned()
    }
}

/// Plans the builds of a spec's tables in the server's folder.
pub(crate) fn plan_builds(settings: &Settings, spec: &Spec) -> Result<BuildPlan, GenError> {
    let replace = false;
    let policy = BuildPolicy::new(settings.memory, replace);
    BuildPlan::of([&spec.plan], &settings.folder, policy)
}
