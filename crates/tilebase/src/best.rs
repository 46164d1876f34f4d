//! The best tables for boards that nobody named tables for.

use pdb_core::Goal;
use pdb_engine::{Basic, Engine, HeuristicName};

use crate::shelf::Readiness;
use crate::{Error, Event, Tilebase};

impl Tilebase {
    /// The first default that is there already, or the first one that there is room for; without
    /// one, a heuristic that every board has.
    pub(crate) fn best(&self, goal: &Goal) -> Result<Engine, Error> {
        let shelf = self.shelf();
        let shape = goal.shape();
        let mut fitting = Vec::new();
        let mut reason = format!("there is no shipped spec for {shape} boards");
        for name in pdb_spec::defaults_for(shape) {
            let spec = pdb_spec::builtin(name)?;
            let Ok(plan) = spec.for_goal(goal) else {
                reason = "no shipped spec has the blank where this goal has it".into();
                continue;
            };
            match shelf.readiness(name, &plan) {
                Readiness::There => return self.engine_of(goal, &HeuristicName::from(&spec)),
                Readiness::Fits => fitting.push(spec),
                Readiness::Missing => reason = "no tables for it are built".into(),
                Readiness::TooLarge => {
                    reason =
                        format!("no shipped spec for {shape} boards fits the memory or the disk");
                }
            }
        }
        if let Some(spec) = fitting.first() {
            return self.engine_of(goal, &HeuristicName::from(spec));
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
