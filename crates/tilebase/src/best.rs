//! Selection of the best tables for boards without a spec.

use pdb_core::Goal;
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
    /// No tables exist: the best spec that there is room to build.
    Buildable(Spec),
    /// No tables exist, and none may be built. The readiness is that of the last spec; `None`
    /// without any spec.
    Unavailable(Option<Readiness>),
}

impl Shelf {
    /// Chooses the spec to search boards of a goal with.
    pub(crate) fn best_spec(&self, goal: &Goal) -> Result<BestSpec, Error> {
        if self.source.as_ref().is_some_and(|source| source.is_empty()) {
            return Ok(BestSpec::Unavailable(Some(Readiness::Missing)));
        }
        let (mut fitting, mut last) = (None, None);
        for spec in pdb_spec::specs_for(goal) {
            match self.readiness(&spec.name, &spec.for_goal(goal)?) {
                Readiness::Ready => return Ok(BestSpec::Ready(spec)),
                Readiness::Buildable => fitting = fitting.or(Some(spec)),
                lacking => last = Some(lacking),
            }
        }
        Ok(fitting.map_or(BestSpec::Unavailable(last), BestSpec::Buildable))
    }
}

impl Tilebase {
    /// Returns the best spec for a goal whose tables all exist.
    ///
    /// # Errors
    /// [`Error::Spec`] when a spec of the goal is wrong.
    pub fn best_built(&self, goal: &Goal) -> Result<Option<String>, Error> {
        Ok(match self.shelf().best_spec(goal)? {
            BestSpec::Ready(spec) => Some(spec.name),
            BestSpec::Buildable(_) | BestSpec::Unavailable(_) => None,
        })
    }

    /// Opens the best existing tables, or else builds the best ones that there is room for. Without
    /// either, opens a heuristic that needs no table.
    pub(crate) fn best(&self, goal: &Goal, search: &Search) -> Result<Engine, Error> {
        let shelf = self.shelf();
        let shape = goal.shape();
        let make = |name: &HeuristicName| self.make_engine(goal, name, search);
        let reason = match shelf.best_spec(goal)? {
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
        let (fallback, heuristic) = if shelf.lack_of_walking(goal).is_none() {
            (HeuristicName::Walking, "Walking Distance")
        } else {
            (HeuristicName::Basic(Basic::Manhattan), "Manhattan distance")
        };
        self.watched(search).tell(&Event::Fallback { reason: &reason, heuristic });
        make(&fallback)
    }
}

#[cfg(feature = "build")]
impl Tilebase {
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
                match shelf.best_spec(goal)? {
                    BestSpec::Buildable(spec) => spec,
                    BestSpec::Ready(_) | BestSpec::Unavailable(_) => return Ok(None),
                }
            }
            SpecChoice::Spec(spec) => (**spec).clone(),
            SpecChoice::OfBoards(name) => pdb_spec::spec_for(name, goal)?,
            SpecChoice::Heuristic(_) | SpecChoice::Named(_) => return Ok(None),
        };
        let shelf = self.shelf();
        let policy = BuildPolicy::new(shelf.memory, false);
        let builds = BuildPlan::of([&spec.for_goal(goal)?], &shelf.folder, policy)?;
        Ok(builds.missing_tables(&spec.name))
    }
}

#[cfg(all(test, feature = "build"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

    use pdb_core::{Goal, Shape};

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
    fn heuristic_without_tables_has_nothing_to_build() {
        let folder = tempfile::tempdir().unwrap();
        let tables = Tilebase::builder().spec("manhattan").folder(folder.path()).lazy_open();
        let goal = Goal::blank_last(Shape::new(4, 4).unwrap());
        assert_eq!(tables.unwrap().to_build(&goal).unwrap(), None);
    }
}
