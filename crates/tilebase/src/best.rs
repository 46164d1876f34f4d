//! The best tables for boards that nobody named tables for.

use pdb_core::Goal;
use pdb_engine::{Basic, Engine, HeuristicName};

#[cfg(feature = "build")]
use crate::SpecChoice;
use crate::shelf::Readiness;
#[cfg(feature = "build")]
use crate::shelf::ToBuild;
use crate::{Error, Event, Tilebase};

impl Tilebase {
    /// The best tables that are there already, or the best ones that there is room for; without any,
    /// a heuristic that every board has.
    pub(crate) fn best(&self, goal: &Goal) -> Result<Engine, Error> {
        let shelf = self.shelf();
        let shape = goal.shape();
        let mut fitting = None;
        let mut reason = format!("there are no tables for {shape} boards");
        for spec in pdb_spec::specs_for(goal) {
            match shelf.readiness(&spec.name, &spec.for_goal(goal)?) {
                Readiness::There => return self.engine_of(goal, &HeuristicName::from(&spec)),
                Readiness::Fits => fitting = fitting.or(Some(spec)),
                Readiness::Missing => reason = format!("no tables for {shape} boards are built"),
                Readiness::TooLarge => {
                    reason = format!("no tables for {shape} boards fit the memory or the disk");
                }
            }
        }
        if let Some(spec) = fitting {
            return self.engine_of(goal, &HeuristicName::from(&spec));
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
        self.engine_of(goal, &fallback)
    }
}

#[cfg(feature = "build")]
impl Tilebase {
    /// The tables that would be built for boards of a goal before the first of them is searched, if this
    /// handle may build or not; nothing where all are there, where none fit, and for heuristics that are
    /// no spec. Who wants to ask before anything is built asks this first.
    ///
    /// # Errors
    /// [`Error::Spec`] when the spec cannot lead to the goal; [`Error::Build`] when a table is there
    /// and cannot be read, or can never be built.
    pub fn to_build(&self, goal: &Goal) -> Result<Option<ToBuild>, Error> {
        let specs: Vec<pdb_spec::Spec> = match self.choice() {
            SpecChoice::Best => {
                let shelf = crate::Shelf { may_build: true, ..self.shelf().clone() };
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
            SpecChoice::Heuristic(_) => Vec::new(),
        };
        let Some(spec) = specs.first() else { return Ok(None) };
        Ok(ToBuild::of(&spec.name, &spec.for_goal(goal)?, &self.shelf().folder)?)
    }
}
