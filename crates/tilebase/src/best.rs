//! Selection of the best tables for boards without a spec.

use std::sync::Arc;
use std::time::Duration;

use pdb_core::{Goal, Metric};
use pdb_lab::{Basic, Engine, HeuristicName};

use pdb_spec::Spec;

use crate::error::Error;
use crate::event::Event;
use crate::handle::Tilebase;
use crate::names::SpecChoice;
use crate::search::Search;
#[cfg(feature = "build")]
use crate::shelf::{BuildPlan, BuildPolicy};
use crate::shelf::{Bytes, MissingTables, Readiness, Shelf};

/// Spec to search boards of a goal with.
#[derive(Debug)]
pub(crate) enum BestSpec {
    /// The best spec whose tables exist.
    Ready(Spec),
    /// The best spec that there is room and time to build, with its missing tables: no better one
    /// has all its tables.
    #[cfg_attr(not(feature = "build"), allow(dead_code, reason = "nothing is built"))]
    Buildable(Spec, MissingTables),
    /// No tables exist, and none may be built. The readiness is that of the last spec; `None`
    /// without any spec.
    Unavailable(Option<Readiness>),
}

impl Shelf {
    /// Chooses the spec to search boards of a goal with, in a metric: the best one whose tables
    /// exist, or can be built within `time_max` on two threads.
    pub(crate) fn best_spec(
        &self,
        goal: &Goal,
        metric: Metric,
        time_max: Duration,
    ) -> Result<BestSpec, Error> {
        if self.source.as_ref().is_some_and(|source| source.is_empty()) {
            return Ok(BestSpec::Unavailable(Some(Readiness::Missing)));
        }
        for spec in pdb_spec::larger_specs_for(goal, metric) {
            if self.readiness(&spec.name, &spec.for_goal(goal)?) == Readiness::Ready {
                return Ok(BestSpec::Ready(spec));
            }
        }
        let mut last = None;
        for spec in pdb_spec::specs_for(goal, metric) {
            match self.readiness(&spec.name, &spec.for_goal(goal)?) {
                Readiness::Ready => return Ok(BestSpec::Ready(spec)),
                Readiness::Buildable(missing) if missing.build_time() <= time_max => {
                    return Ok(BestSpec::Buildable(spec, missing));
                }
                lacking => last = Some(lacking),
            }
        }
        Ok(BestSpec::Unavailable(last))
    }

    /// Returns the best spec whose tables all exist.
    pub(crate) fn ready_spec(&self, goal: &Goal, metric: Metric) -> Result<Option<Spec>, Error> {
        let existing = Self { may_build: false, ..self.clone() };
        Ok(match existing.best_spec(goal, metric, Duration::ZERO)? {
            BestSpec::Ready(spec) => Some(spec),
            BestSpec::Buildable(..) | BestSpec::Unavailable(_) => None,
        })
    }
}

impl Tilebase {
    /// Opens the best existing tables, or else builds the best ones that there is room for, within
    /// half of the time limit of a search if it has one. Without either, or on a board of one line,
    /// opens a heuristic that needs no table.
    pub(crate) fn best(&self, goal: &Goal, search: &Search) -> Result<Engine, Error> {
        if goal.shape().is_line() {
            // Tables would tell no more.
            return self.tableless(goal, search);
        }
        match self.shelf().best_spec(goal, self.metric(), self.build_time_max(search))? {
            BestSpec::Ready(spec) | BestSpec::Buildable(spec, _) => {
                let engine = self.engine_of(goal, &HeuristicName::from(&spec), search)?;
                #[cfg(feature = "build")]
                if search.limits().time.is_some() {
                    self.note_better(&engine, search)?;
                }
                Ok(engine)
            }
            #[cfg(feature = "build")]
            BestSpec::Unavailable(Some(Readiness::Buildable(_))) => {
                let engine = self.tableless(goal, search)?;
                self.note_better(&engine, search)?;
                Ok(engine)
            }
            BestSpec::Unavailable(lack) => self.without_tables(goal, lack.as_ref(), search),
        }
    }

    /// Opens the heuristic that needs no table, and says why there are no tables: the readiness of
    /// the last spec, if there is a spec.
    pub(crate) fn without_tables(
        &self,
        goal: &Goal,
        lack: Option<&Readiness>,
        search: &Search,
    ) -> Result<Engine, Error> {
        let (shelf, shape) = (self.shelf(), goal.shape());
        let reason = match lack {
            None => format!("there are no tables for {shape} boards"),
            Some(Readiness::TooLarge) => format!("no tables for {shape} boards fit the memory"),
            Some(Readiness::DiskFull(free_bytes)) => format!(
                "no tables for {shape} boards fit the disk of {}, which has {} free",
                shelf.folder.display(),
                Bytes(*free_bytes)
            ),
            Some(_) => format!("no tables for {shape} boards are built"),
        };
        let (_, heuristic) = tableless(goal, self.metric());
        self.watched(search).tell(&Event::Fallback { reason: &reason, heuristic, better: None });
        self.tableless(goal, search)
    }

    /// Returns the open engine of a goal, unless [`best`](Self::best) would choose another one.
    pub(crate) fn open_best(
        &self,
        goal: &Goal,
        search: &Search,
    ) -> Result<Option<Arc<Engine>>, Error> {
        let Some(open) = self.open_engine(goal) else { return Ok(None) };
        let is_chosen_here = matches!(self.choice(), SpecChoice::Best) && !goal.shape().is_line();
        let is_best = !is_chosen_here || {
            match self.shelf().best_spec(goal, self.metric(), self.build_time_max(search))? {
                BestSpec::Ready(spec) | BestSpec::Buildable(spec, _) => spec.name == open.name(),
                BestSpec::Unavailable(_) => true,
            }
        };
        Ok(is_best.then_some(open))
    }

    /// Returns the time that a build may take before a search begins, on two threads.
    fn build_time_max(&self, search: &Search) -> Duration {
        let limit = search.limits().time;
        limit.map_or(Duration::MAX, |time| self.on_two_threads(time / 2, search))
    }

    /// Opens the heuristic that needs no table.
    pub(crate) fn tableless(&self, goal: &Goal, search: &Search) -> Result<Engine, Error> {
        let (basic, _) = tableless(goal, self.metric());
        self.engine_of(goal, &HeuristicName::Basic(basic), search)
    }

    /// Returns the time on two threads of a build that takes `time` on those of a search.
    pub(crate) fn on_two_threads(&self, time: Duration, search: &Search) -> Duration {
        time.saturating_mul(self.threads(search) as u32) / 2
    }
}

/// Returns the heuristic without any table, and its name in a note. Manhattan distance is searched
/// several times as fast, and exact on a line, but above 36 cells its beams go astray.
fn tableless(goal: &Goal, metric: Metric) -> (Basic, &'static str) {
    // Only Manhattan distance bounds slides.
    let shape = goal.shape();
    if shape.cell_count() > 36 && !shape.is_line() && metric == Metric::SingleTile {
        (Basic::LinearConflict, "linear conflicts")
    } else {
        (Basic::Manhattan, "Manhattan distance")
    }
}

#[cfg(feature = "build")]
impl Tilebase {
    /// Returns whether no tables are better than those of an engine.
    pub(crate) fn is_best(&self, engine: &Engine) -> bool {
        let (goal, name) = (engine.goal(), engine.name());
        goal.shape().is_line()
            || pdb_spec::defaults_for(goal.shape()).first() == Some(&name)
            || pdb_spec::larger_specs_for(goal, self.metric()).any(|larger| larger.name == name)
    }

    /// Returns the specs that may be better than an engine, best first.
    pub(crate) fn better_specs(&self, engine: &Engine) -> impl Iterator<Item = Spec> {
        let (goal, metric, name) = (*engine.goal(), self.metric(), engine.name().to_owned());
        let specs = (!self.is_best(engine))
            .then(|| pdb_spec::specs_for(&goal, metric).take_while(move |spec| spec.name != name));
        specs.into_iter().flatten()
    }

    /// Names the tables that there is room for and that are better than those of an engine.
    pub(crate) fn note_better(&self, engine: &Engine, search: &Search) -> Result<(), Error> {
        let shelf = self.shelf();
        for spec in self.better_specs(engine) {
            let plan = spec.for_goal(engine.goal())?;
            if let Readiness::Buildable(missing) = shelf.readiness(&spec.name, &plan) {
                self.tell_missing(engine, &missing, search);
                break;
            }
        }
        Ok(())
    }

    /// Names missing tables that are better than those of an engine.
    pub(crate) fn tell_missing(&self, engine: &Engine, missing: &MissingTables, search: &Search) {
        let MissingTables { name, disk_bytes, seconds, .. } = missing;
        let reason = format!(
            "the tables of {name} take {} and about {:.0} s to build",
            Bytes(*disk_bytes),
            seconds.ceil()
        );
        let (heuristic, better) = (engine.name(), Some(&**name));
        self.watched(search).tell(&Event::Fallback { reason: &reason, heuristic, better });
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
                return Ok(match shelf.best_spec(goal, self.metric(), Duration::MAX)? {
                    BestSpec::Buildable(_, missing) => Some(missing),
                    BestSpec::Ready(_) | BestSpec::Unavailable(_) => None,
                });
            }
            SpecChoice::Spec(spec) => (**spec).clone(),
            SpecChoice::OfBoards(name) => pdb_spec::spec_for(name, goal)?,
            SpecChoice::Heuristic(_) | SpecChoice::Named(_) => return Ok(None),
        };
        let policy = BuildPolicy::new(self.shelf().memory, false);
        let builds = BuildPlan::of([&spec.for_goal(goal)?], &self.shelf().folder, policy)?;
        Ok(builds.missing_tables(&spec.name))
    }
}

#[cfg(all(test, feature = "build"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

    use std::time::Duration;

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
            let within = Some(Duration::from_millis(within));
            let search = crate::Search { within, ..crate::Search::default() };
            tables.solve_with(board, &search).unwrap().spec.unwrap()
        };
        for (rows, cols) in [(5, 5), (7, 7)] {
            let goal = Goal::blank_last(Shape::new(rows, cols).unwrap());
            let near = goal.board().moved(Direction::Down).unwrap().to_string();
            let (spec, large) = (solve(200, &near), pdb_spec::defaults_for(goal.shape()));
            assert!(!large.contains(&&*spec), "{near}: {spec}");
        }
        assert_eq!(solve(60_000, "8 6 7/2 5 4/3 0 1"), "8/whole");
        // Open tables are used without a look at the folder.
        for file in folder.path().read_dir().unwrap() {
            std::fs::remove_file(file.unwrap().path()).unwrap();
        }
        assert_eq!(solve(1, "8 6 7/2 5 4/3 0 1"), "8/whole");
    }

    #[test]
    fn heuristic_without_tables_has_nothing_to_build() {
        let folder = tempfile::tempdir().unwrap();
        let tables = Tilebase::builder().spec("manhattan").folder(folder.path()).lazy_open();
        let goal = Goal::blank_last(Shape::new(4, 4).unwrap());
        assert_eq!(tables.unwrap().to_build(&goal).unwrap(), None);
    }
}
