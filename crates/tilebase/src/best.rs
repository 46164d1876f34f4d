//! Selection of the best tables for boards without a spec.

use pdb_core::{Goal, Metric, TableKey};
use pdb_lab::{Basic, Engine, HeuristicName};

use pdb_spec::Spec;

use crate::error::Error;
use crate::event::Event;
use crate::handle::Tilebase;
#[cfg(feature = "build")]
use crate::names::SpecChoice;
use crate::search::Search;
#[cfg(feature = "build")]
use crate::shelf::{BuildPlan, BuildPolicy, MissingTables};
use crate::shelf::{Bytes, Readiness, Shelf};

/// Spec to search boards of a goal with.
#[derive(Debug)]
pub(crate) enum BestSpec {
    /// The best spec whose tables exist.
    Ready(Spec),
    /// The best spec that there is room to build: no tables exist, or those of an interrupted
    /// build.
    Buildable(Spec),
    /// No tables exist, and none may be built. The readiness is that of the last spec; `None`
    /// without any spec.
    Unavailable(Option<Readiness>),
}

impl Shelf {
    /// Chooses the spec to search boards of a goal with, in a metric.
    pub(crate) fn best_spec(&self, goal: &Goal, metric: Metric) -> Result<BestSpec, Error> {
        if self.source.as_ref().is_some_and(|source| source.is_empty()) {
            return Ok(BestSpec::Unavailable(Some(Readiness::Missing)));
        }
        for spec in pdb_spec::larger_specs_for(goal, metric) {
            if self.readiness(&spec.name, &spec.for_goal(goal)?) == Readiness::Ready {
                return Ok(BestSpec::Ready(spec));
            }
        }
        let (mut fitting, mut last) = (None, None);
        for spec in pdb_spec::specs_for(goal, metric) {
            match self.readiness(&spec.name, &spec.for_goal(goal)?) {
                Readiness::Ready => {
                    let begun = fitting.filter(|fitting| self.is_begun(fitting, goal));
                    return Ok(begun.map_or(BestSpec::Ready(spec), BestSpec::Buildable));
                }
                Readiness::Buildable => fitting = fitting.or(Some(spec)),
                lacking => last = Some(lacking),
            }
        }
        Ok(fitting.map_or(BestSpec::Unavailable(last), BestSpec::Buildable))
    }

    /// Returns the best spec whose tables all exist.
    pub(crate) fn ready_spec(&self, goal: &Goal, metric: Metric) -> Result<Option<Spec>, Error> {
        let existing = Self { may_build: false, ..self.clone() };
        Ok(match existing.best_spec(goal, metric)? {
            BestSpec::Ready(spec) => Some(spec),
            BestSpec::Buildable(_) | BestSpec::Unavailable(_) => None,
        })
    }

    /// Returns whether the build of a spec's tables was interrupted: some exist, and not only as
    /// those of shipped specs that are complete.
    fn is_begun(&self, spec: &Spec, goal: &Goal) -> bool {
        let has = |key: &TableKey| self.folder.join(key.file_name()).exists();
        let Ok(plan) = spec.for_goal(goal) else { return false };
        let mut existing: Vec<_> = plan.tables().iter().filter(|key| has(key)).collect();
        if !existing.is_empty() {
            let names = pdb_spec::builtin_names_for(goal.shape());
            let plans = names.into_iter().filter_map(|name| {
                pdb_spec::builtin(name).and_then(|spec| spec.for_goal(goal)).ok()
            });
            for complete in plans.filter(|plan| plan.tables().iter().all(has)) {
                existing.retain(|key| !complete.tables().contains(key));
            }
        }
        !existing.is_empty()
    }

    /// Returns the tables of a spec that the folder lacks.
    #[cfg(feature = "build")]
    fn missing_tables(&self, spec: &Spec, goal: &Goal) -> Result<Option<MissingTables>, Error> {
        let policy = BuildPolicy::new(self.memory, false);
        let builds = BuildPlan::of([&spec.for_goal(goal)?], &self.folder, policy)?;
        Ok(builds.missing_tables(&spec.name))
    }
}

impl Tilebase {
    /// Opens the best existing tables, or else builds the best ones that there is room for. Without
    /// either, or on a board of one line, opens a heuristic that needs no table.
    pub(crate) fn best(&self, goal: &Goal, search: &Search) -> Result<Engine, Error> {
        let shelf = self.shelf();
        let shape = goal.shape();
        let make = |name: &HeuristicName| self.make_engine(goal, name, search);
        if shape.is_line() {
            // It is exact there, and tables would tell no more.
            return make(&HeuristicName::Basic(Basic::Manhattan));
        }
        let reason = match shelf.best_spec(goal, self.metric())? {
            BestSpec::Ready(spec) | BestSpec::Buildable(spec) => {
                return make(&HeuristicName::from(&spec));
            }
            BestSpec::Unavailable(None) => format!("there are no tables for {shape} boards"),
            BestSpec::Unavailable(Some(Readiness::TooLarge)) => {
                format!("no tables for {shape} boards fit the memory")
            }
            BestSpec::Unavailable(Some(Readiness::DiskFull(free_bytes))) => format!(
                "no tables for {shape} boards fit the disk of {}, which has {} free",
                shelf.folder.display(),
                Bytes(free_bytes)
            ),
            BestSpec::Unavailable(Some(_)) => format!("no tables for {shape} boards are built"),
        };
        let is_walking =
            self.metric() == Metric::SingleTile && shelf.lack_of_walking(goal).is_none();
        let (fallback, heuristic) = if is_walking {
            (HeuristicName::Walking, "Walking Distance")
        } else {
            without_tables(goal, self.metric())
        };
        self.watched(search).tell(&Event::Fallback { reason: &reason, heuristic });
        make(&fallback)
    }
}

/// Returns the heuristic without any table, and its name in a note. Manhattan distance is searched
/// several times as fast, but above 36 cells its beams go astray.
pub(crate) fn without_tables(goal: &Goal, metric: Metric) -> (HeuristicName, &'static str) {
    // Only Manhattan distance bounds slides.
    if goal.shape().cell_count() > 36 && metric == Metric::SingleTile {
        (HeuristicName::Basic(Basic::LinearConflict), "linear conflicts")
    } else {
        (HeuristicName::Basic(Basic::Manhattan), "Manhattan distance")
    }
}

/// The share of a search's time limit that the build of its tables may take.
#[cfg(feature = "build")]
const BUILD_SHARE: f64 = 0.25;

#[cfg(feature = "build")]
impl Tilebase {
    /// Opens existing tables, or else a heuristic without any, if the best tables would take too
    /// long to build for a search that has a time limit. Smaller tables are no way out, because
    /// they would be there for later searches, too.
    pub(crate) fn best_at_once(
        &self,
        goal: &Goal,
        search: &Search,
    ) -> Result<Option<Engine>, Error> {
        let (SpecChoice::Best, Some(time)) = (self.choice(), search.limits().time) else {
            return Ok(None);
        };
        let shelf = self.shelf();
        let BestSpec::Buildable(spec) = shelf.best_spec(goal, self.metric())? else {
            return Ok(None);
        };
        let is_slow = |missing: &MissingTables| missing.seconds > BUILD_SHARE * time.as_secs_f64();
        let Some(missing) = shelf.missing_tables(&spec, goal)?.filter(is_slow) else {
            return Ok(None);
        };
        if let Some(ready) = shelf.ready_spec(goal, self.metric())? {
            return self.make_engine(goal, &HeuristicName::from(&ready), search).map(Some);
        }
        let MissingTables { name, seconds, .. } = missing;
        let reason = format!("the tables of {name} take about {seconds:.0} s to build");
        let (fallback, heuristic) = without_tables(goal, self.metric());
        self.watched(search).tell(&Event::Fallback { reason: &reason, heuristic });
        self.make_engine(goal, &fallback, search).map(Some)
    }

    /// Returns the tables that would be built before the first board of a goal is searched, whether
    /// or not this handle may build. Returns `None` if all exist, if none fit, if the tables are in
    /// memory, or if the heuristic is not a spec. Call this to ask the user before building.
    ///
    /// # Errors
    /// [`Error::Spec`] when the spec cannot lead to the goal; [`Error::Build`] when a table exists
    /// and cannot be read, or can never be built.
    pub fn to_build(&self, goal: &Goal) -> Result<Option<MissingTables>, Error> {
        if self.shelf().source.is_some() {
            return Ok(None);
        }
        let spec = match self.choice() {
            SpecChoice::Best => {
                let shelf = Shelf { may_build: true, ..self.shelf().clone() };
                match shelf.best_spec(goal, self.metric())? {
                    BestSpec::Buildable(spec) => spec,
                    BestSpec::Ready(_) | BestSpec::Unavailable(_) => return Ok(None),
                }
            }
            SpecChoice::Spec(spec) => (**spec).clone(),
            SpecChoice::OfBoards(name) => pdb_spec::spec_for(name, goal)?,
            SpecChoice::Heuristic(_) | SpecChoice::Named(_) => return Ok(None),
        };
        self.shelf().missing_tables(&spec, goal)
    }
}

#[cfg(all(test, feature = "build"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

    use pdb_core::{Direction, Goal, Shape};

    use crate::handle::Tilebase;
    use crate::names::GoalChoice;

    #[test]
    fn missing_tables_are_those_that_a_build_writes() {
        let goal = |rows, cols| Goal::blank_last(Shape::new(rows, cols).unwrap());
        let cases = [
            (None, goal(2, 3)),
            (None, goal(3, 3)),
            (Some("8/4-4"), goal(3, 3)),
            (Some("8/whole"), Goal::blank_first(Shape::new(3, 3).unwrap())),
        ];
        for (spec, goal) in cases {
            let folder = tempfile::tempdir().unwrap();
            let builder = || {
                let builder = Tilebase::builder().folder(folder.path());
                spec.map_or(builder.clone(), |spec| builder.spec(spec))
            };
            let sizes = || -> Vec<u64> {
                let files = folder.path().read_dir().unwrap().map(|file| file.unwrap());
                let tables = files.filter(|file| file.path().extension() == Some("pdb".as_ref()));
                tables.map(|file| file.metadata().unwrap().len()).collect()
            };
            let tables = builder().lazy_open().unwrap();
            let missing = tables.to_build(&goal).unwrap().unwrap();
            assert_eq!(spec.unwrap_or(&missing.name), missing.name);
            assert!(sizes().is_empty());
            builder().goal(GoalChoice::Drawn(goal)).ensure().unwrap();
            let sizes = sizes();
            assert_eq!(
                (sizes.len(), sizes.iter().sum()),
                (missing.table_count, missing.disk_bytes)
            );
            assert_eq!(tables.to_build(&goal).unwrap(), None);
        }
    }

    #[test]
    fn solution_within_a_time_does_not_wait_for_large_tables() {
        let folder = tempfile::tempdir().unwrap();
        let tables = Tilebase::builder().folder(folder.path()).lazy().unwrap();
        let solve = |within: u64, board: &str| {
            let within = Some(std::time::Duration::from_millis(within));
            let search = crate::Search { within, ..crate::Search::default() };
            tables.solve_with(board, &search).unwrap()
        };
        let board = "1 2 3 4 5/6 7 8 9 10/11 12 13 14 15/16 17 18 19 20/21 22 23 0 24";
        assert_eq!(solve(100, board).spec.as_deref(), Some("manhattan"));
        let large = Goal::blank_last(Shape::new(7, 7).unwrap()).board().moved(Direction::Down);
        let answer = solve(100, &large.unwrap().to_string());
        assert_eq!(answer.spec.as_deref(), Some("linear-conflict"));
        assert!(folder.path().read_dir().unwrap().next().is_none());
        // These take less time to build, and no time from then on.
        assert_eq!(solve(60_000, "8 6 7/2 5 4/3 0 1").spec.as_deref(), Some("8/whole"));
        assert_eq!(solve(1, "8 6 7/2 5 4/3 0 1").spec.as_deref(), Some("8/whole"));
        // Open tables are used without a look at the folder.
        for file in folder.path().read_dir().unwrap() {
            std::fs::remove_file(file.unwrap().path()).unwrap();
        }
        assert_eq!(solve(1, "8 6 7/2 5 4/3 0 1").spec.as_deref(), Some("8/whole"));
    }

    #[test]
    fn last_table_of_each_spec_is_in_no_later_spec() {
        // The build begins with it, so that an interrupted build is known by its tables.
        for (rows, cols) in (2..=6).flat_map(|rows| (rows..=8).map(move |cols| (rows, cols))) {
            let goal = Goal::blank_last(Shape::new(rows, cols).unwrap());
            let specs = pdb_spec::defaults_for(goal.shape()).iter();
            let plans: Vec<_> = specs.map(|name| pdb_spec::builtin(name).unwrap().plan).collect();
            for (i, plan) in plans.iter().enumerate() {
                let last = plan.tables().last().unwrap();
                assert!(
                    plans[i + 1..].iter().all(|later| !later.tables().contains(last)),
                    "{goal:?}"
                );
            }
        }
    }

    #[test]
    fn heuristic_without_tables_has_nothing_to_build() {
        let folder = tempfile::tempdir().unwrap();
        let tables = Tilebase::builder().spec("manhattan").folder(folder.path()).lazy_open();
        let goal = Goal::blank_last(Shape::new(4, 4).unwrap());
        assert_eq!(tables.unwrap().to_build(&goal).unwrap(), None);
    }
}
