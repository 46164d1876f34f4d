//! What a heuristic is made of before it is searched with: names, and tables that are open.

use std::slice;
use std::sync::Arc;

use pdb_core::{Estimator, Goal, Plan};
use pdb_rt::{Database, Table};
use pdb_search::heuristics::{
    CornerTiles, Gaschnig, InversionDistance, LastMoves, LinearConflict, Manhattan, Misplaced,
    Pairwise,
};

use crate::max::Largest;
use crate::walking_inversion::WalkingInversion;
use crate::{Basic, EngineError, HeuristicName};

/// Opens the tables of a plan, which belongs to the heuristic of this name.
pub type Open<'a, E> = dyn FnMut(&str, &Plan) -> Result<Database, E> + 'a;

/// A heuristic with its tables.
#[derive(Debug)]
pub(crate) enum Kind {
    Basic(Basic),
    WalkingInversion(Database),
    Tables(Database),
    #[cfg(feature = "net")]
    Net(Arc<pdb_net::Learned>),
    Max(Vec<Self>),
}

impl Kind {
    pub(crate) fn open<E: From<EngineError>>(
        name: &HeuristicName,
        goal: &Goal,
        open: &mut Open<'_, E>,
    ) -> Result<Self, E> {
        let label = name.to_string();
        Ok(match name {
            HeuristicName::Basic(basic) => {
                if *basic == Basic::Pairwise {
                    Pairwise::check(goal.shape())
                        .map_err(|source| EngineError::Line { name: label, source })?;
                }
                Self::Basic(*basic)
            }
            HeuristicName::Walking => Self::Tables(open(&label, &Plan::walking(goal))?),
            HeuristicName::WalkingInversion => {
                Self::WalkingInversion(open(&label, &Plan::walking(goal))?)
            }
            HeuristicName::Tables { spec, is_unmirrored, .. } => {
                let plan = if *is_unmirrored {
                    spec.for_goal_unmirrored(goal)
                } else {
                    spec.for_goal(goal)
                };
                Self::Tables(open(&label, &plan.map_err(EngineError::from)?)?)
            }
            #[cfg(feature = "net")]
            HeuristicName::Net { weights, share, .. } => {
                use pdb_net::{Learned, Network};

                let found = *weights.goal.board();
                let weights = weights.for_goal(goal).ok_or_else(|| EngineError::NetGoal {
                    name: label.clone(),
                    found,
                    goal: *goal.board(),
                })?;
                let network = Network::new(&weights);
                Self::Net(Arc::new(match share {
                    Some(share) => Learned::with_share(network, share)
                        .expect("the share was looked for when the name was read"),
                    None => Learned::new(network),
                }))
            }
            HeuristicName::Max(parts) => {
                let parts = parts.iter().map(|part| Self::open(part, goal, open));
                Self::Max(parts.collect::<Result<_, E>>()?)
            }
        })
    }

    /// The heuristic, for boards that lead to `goal`.
    pub(crate) fn estimator(&self, goal: &Goal) -> Arc<dyn Estimator + '_> {
        match self {
            Self::Basic(basic) => basic.estimator(goal),
            Self::WalkingInversion(database) => {
                let axes = database.walking().expect("the plan is that of both axes");
                Arc::new(WalkingInversion::new(axes, goal))
            }
            Self::Tables(database) => database.estimator().into(),
            #[cfg(feature = "net")]
            Self::Net(learned) => Arc::clone(learned) as Arc<dyn Estimator>,
            Self::Max(parts) => {
                Arc::new(Largest::new(parts.iter().map(|part| part.estimator(goal)).collect()))
            }
        }
    }

    /// The heuristic that leads to another goal, for the way back. Tables and networks lead to one
    /// goal, so Manhattan distance serves there.
    pub(crate) fn backward(&self, goal: &Goal) -> Arc<dyn Estimator> {
        match self {
            Self::Basic(basic) => basic.estimator(goal),
            _ => Basic::Manhattan.estimator(goal),
        }
    }

    /// Its tables, each once.
    pub(crate) fn tables(&self) -> Vec<&Table> {
        let mut tables: Vec<&Table> = Vec::new();
        for table in self.databases().flat_map(Database::tables) {
            if !tables.iter().any(|known| known.header() == table.header()) {
                tables.push(table);
            }
        }
        tables
    }

    /// What its tables are in. A maximum of maxima is one maximum.
    pub(crate) fn databases(&self) -> impl Iterator<Item = &Database> {
        let parts = match self {
            Self::Max(parts) => parts,
            single => slice::from_ref(single),
        };
        parts.iter().filter_map(|part| match part {
            Self::WalkingInversion(database) | Self::Tables(database) => Some(database),
            _ => None,
        })
    }
}

impl Basic {
    /// The heuristic, for boards that lead to `goal`.
    fn estimator(self, goal: &Goal) -> Arc<dyn Estimator> {
        match self {
            Self::Misplaced => Arc::new(Misplaced::new(goal)),
            Self::Gaschnig => Arc::new(Gaschnig::new(goal)),
            Self::Manhattan => Arc::new(Manhattan::new(goal)),
            Self::LinearConflict => Arc::new(LinearConflict::new(goal)),
            Self::CornerTiles => Arc::new(CornerTiles::new(goal)),
            Self::LastMoves => Arc::new(LastMoves::new(goal)),
            Self::Inversion => Arc::new(InversionDistance::new(goal)),
            Self::Pairwise => Arc::new(
                Pairwise::new(goal).expect("the shape was tried when the heuristic was opened"),
            ),
        }
    }
}
