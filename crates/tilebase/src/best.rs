//! The best tables for boards that nobody named tables for.

use pdb_core::Goal;
use pdb_engine::{Basic, Engine, HeuristicName};

use crate::shelf::Readiness;
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
