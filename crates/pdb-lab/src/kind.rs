//! What a heuristic is made of before it is searched with: names, and tables that are open.

use std::slice;

use pdb_core::{Goal, Plan};
use pdb_rt::{Database, Table};
use pdb_search::heuristics::{
    CornerTiles, Gaschnig, InversionAxis, LastMoves, LinearConflict, Manhattan, Misplaced,
    Pairwise, inversion_distance,
};

use crate::any::{Any, Largest, Small, Walking, WalkingInversion};
use crate::{Basic, EngineError, HeuristicName};

/// Opens the tables of a plan, which belongs to the heuristic of this name.
pub type Open<'a, E> = dyn FnMut(&str, &Plan) -> Result<Database, E> + 'a;

/// A heuristic with its tables.
#[derive(Debug)]
pub(crate) enum Kind {
    Basic(Basic),
    Walking(Database),
    WalkingInversion(Database),
    Tables(Database),
    #[cfg(feature = "net")]
    Net(pdb_net::Learned),
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
            HeuristicName::Walking => Self::Walking(open(&label, &Plan::walking(goal))?),
            HeuristicName::WalkingInversion => {
                Self::WalkingInversion(open(&label, &Plan::walking(goal))?)
            }
            HeuristicName::Tables { spec, is_unmirrored, .. } => {
                let plan = if *is_unmirrored {
                    spec.for_goal_unmirrored(goal)
                } else {
                    spec.for_goal(goal)
                };
                Self::of_tables(open(&label, &plan.map_err(EngineError::from)?)?)
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
                Self::Net(match share {
                    Some(share) => Learned::with_share(network, share)
                        .expect("the share was looked for when the name was read"),
                    None => Learned::new(network),
                })
            }
            HeuristicName::Max(parts) => {
                let parts = parts.iter().map(|part| Self::open(part, goal, open));
                Self::Max(parts.collect::<Result<_, E>>()?)
            }
        })
    }

    pub(crate) fn of_tables(database: Database) -> Self {
        match database.walking() {
            Some(_) => Self::Walking(database),
            None => Self::Tables(database),
        }
    }

    /// The heuristic, where it has no table or one that is near at hand.
    pub(crate) fn small(&self, goal: &Goal) -> Option<Small<'_>> {
        Some(match self {
            Self::Basic(basic) => small(*basic, goal),
            Self::Walking(database) => Small::Walking(walking(database)),
            Self::WalkingInversion(database) => {
                Small::WalkingInversion(walking_inversion(database, goal))
            }
            _ => return None,
        })
    }

    /// The largest of the parts; of a single one, itself.
    pub(crate) fn largest(&self, goal: &Goal) -> Largest<'_> {
        Largest::new(match self {
            Self::Max(parts) => parts.iter().map(|part| part.any(goal)).collect(),
            single => vec![single.any(goal)],
        })
    }

    fn any(&self, goal: &Goal) -> Any<'_> {
        if let Some(small) = self.small(goal) {
            return Any::Small(small);
        }
        match self {
            #[cfg(feature = "net")]
            Self::Net(learned) => Any::Learned(learned),
            Self::Tables(database) => match (database.additive(), database.plain()) {
                (Some(sum), _) => Any::Additive(sum),
                (_, Some(plain)) => Any::Plain(plain),
                _ => unreachable!("Walking Distance is small"),
            },
            _ => unreachable!("a maximum of maxima is one maximum"),
        }
    }

    /// Whether its estimates are never larger than distances.
    pub(crate) fn is_admissible(&self) -> bool {
        match self {
            #[cfg(feature = "net")]
            Self::Net(_) => false,
            Self::Max(parts) => parts.iter().all(Self::is_admissible),
            _ => true,
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
            Self::Walking(database) | Self::WalkingInversion(database) | Self::Tables(database) => {
                Some(database)
            }
            _ => None,
        })
    }
}

/// A heuristic that needs no table.
pub(crate) fn small<'a>(basic: Basic, goal: &Goal) -> Small<'a> {
    match basic {
        Basic::Misplaced => Small::Misplaced(Misplaced::new(goal)),
        Basic::Gaschnig => Small::Gaschnig(Gaschnig::new(goal)),
        Basic::Manhattan => Small::Manhattan(Manhattan::new(goal)),
        Basic::LinearConflict => Small::LinearConflict(LinearConflict::new(goal)),
        Basic::CornerTiles => Small::CornerTiles(CornerTiles::new(goal)),
        Basic::LastMoves => Small::LastMoves(LastMoves::new(goal)),
        Basic::Inversion => Small::Inversion(inversion_distance(goal)),
        Basic::Pairwise => Small::Pairwise(
            Pairwise::new(goal).expect("the shape was tried when the heuristic was opened"),
        ),
    }
}

/// Walking Distance from its tables.
fn walking(database: &Database) -> Walking<'_> {
    let [vertical, horizontal] = database.walking().expect("the plan is that of both axes");
    Walking::new(vertical, horizontal)
}

/// K. Takahashi's combination.
fn walking_inversion<'a>(database: &'a Database, goal: &Goal) -> WalkingInversion<'a> {
    let [vertical, horizontal] = database.walking().expect("the plan is that of both axes");
    WalkingInversion::new(
        pdb_core::Max::new(vertical, InversionAxis::vertical(goal)),
        pdb_core::Max::new(horizontal, InversionAxis::horizontal(goal)),
    )
}
