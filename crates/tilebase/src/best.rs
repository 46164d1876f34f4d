//! The best tables for boards without a spec.

use pdb_core::Goal;
use pdb_lab::{Basic, Engine, HeuristicName};

use crate::cancel::Cancel;
use crate::error::Error;
use crate::event::Event;
use crate::handle::Tilebase;
#[cfg(feature = "build")]
use crate::names::SpecChoice;
use crate::shelf::Readiness;
#[cfg(feature = "build")]
use crate::shelf::{BuildPlan, BuildPolicy, MissingTables};

impl Tilebase {
    /// The best tables that are there already, or the best ones that there is room for; without
    /// any, a heuristic that every board has.
    pub(crate) fn best(&self, goal: &Goal, cancel: &Cancel) -> Result<Engine, Error> {
        let shelf = self.shelf();
        let shape = goal.shape();
        let make = |name: &HeuristicName| self.make_engine(goal, name, cancel);
        let mut fitting = None;
        let mut reason = format!("there are no tables for {shape} boards");
        for spec in pdb_spec::specs_for(goal) {
            match shelf.readiness(&spec.name, &spec.for_goal(goal)?) {
                Readiness::There => return make(&HeuristicName::from(&spec)),
                Readiness::Fits => fitting = fitting.or(Some(spec)),
                Readiness::Missing => reason = format!("no tables for {shape} boards are built"),
                Readiness::TooLarge => {
                    reason = format!("no tables for {shape} boards fit the memory or the disk");
                }
            }
        }
        if let Some(spec) = fitting {
            return make(&HeuristicName::from(&spec));
        }
        let fallback = if shelf.has_room_for_walking(goal) {
            HeuristicName::Walking
        } else {
            HeuristicName::Basic(Basic::Manhattan)
        };
        let heuristic = match &fallback {
            HeuristicName::Walking => "Walking Distance",
            _ => "Manhattan distance",
        };
        shelf.watch.tell(&Event::Fallback { reason: &reason, heuristic });
        make(&fallback)
    }
}

#[cfg(feature = "build")]
impl Tilebase {
    /// The tables that would be built for boards of a goal before the first of them is searched, if
    /// this handle may build or not; nothing where all are there, where none fit, where tables were
    /// given instead of a folder, and for heuristics that are no spec. Who wants to ask before
    /// anything is built asks this first.
    ///
    /// # Errors
    /// [`Error::Spec`] when the spec cannot lead to the goal; [`Error::Build`] when a table is
    /// there and cannot be read, or can never be built.
    pub fn to_build(&self, goal: &Goal) -> Result<Option<MissingTables>, Error> {
        if self.shelf().tables.is_some() {
            return Ok(None);
        }
        let specs: Vec<pdb_spec::Spec> = match self.choice() {
            SpecChoice::Best => {
                let shelf = crate::shelf::Shelf { may_build: true, ..self.shelf().clone() };
                let mut fitting = None;
                for spec in pdb_spec::specs_for(goal) {
                    match shelf.readiness(&spec.name, &spec.for_goal(goal)?) {
                        Readiness::There => return Ok(None),
                        Readiness::Fits => fitting = fitting.or(Some(spec)),
                        Readiness::Missing | Readiness::TooLarge => (),
                    }
                }
                fitting.into_iter().collect()
            }
            SpecChoice::Spec(spec) => vec![(**spec).clone()],
            SpecChoice::OfBoards(name) => vec![pdb_spec::spec_for(name, goal)?],
            SpecChoice::Heuristic(_) | SpecChoice::Named(_) => Vec::new(),
        };
        let Some(spec) = specs.first() else { return Ok(None) };
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
    fn what_is_to_be_built_is_what_a_build_then_writes() {
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
    fn nothing_is_to_be_built_for_what_has_no_tables() {
        let folder = tempfile::tempdir().unwrap();
        let tables = Tilebase::builder().spec("manhattan").folder(folder.path()).lazy_open();
        let goal = Goal::blank_last(Shape::new(4, 4).unwrap());
        assert_eq!(tables.unwrap().to_build(&goal).unwrap(), None);
    }
}
