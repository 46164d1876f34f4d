//! Open heuristics: their constructor, and their tables.

use std::num::NonZeroU32;
use std::sync::Arc;

use pdb_core::{
    AsHeuristic, BLANK, Board, Direction, Estimator, Goal, Metric, Plan, RootError, SlideHeuristic,
};
use pdb_rt::{Database, SlideVisitor, Table};
use pdb_search::{
    KORF_BLANK_FIRST, KORF_BLANK_LAST, Limits, Options, SlideManhattan, Solver, beam_search,
};

use crate::heuristics::{
    LinearConflict, Max, MaxSlides, WalkingInversion, manhattan_slides, parts_of_tables,
};
use crate::parts::{Explain, HeuristicParts, Part};
use crate::{Basic, EngineError, HeuristicName, OwnHeuristic};

/// Function that opens the tables of a plan, which belongs to the heuristic of this name.
pub type Open<'a, E> = dyn FnMut(&str, &Plan) -> Result<Database, E> + 'a;

/// A heuristic with its tables.
#[derive(Debug)]
pub(crate) enum OpenHeuristic {
    Basic(Basic, Arc<dyn Explain>),
    WalkingInversion(Arc<Database>),
    Tables(Arc<Database>),
    #[cfg(feature = "net")]
    Net(Arc<crate::networks::Learned>),
    Own(OwnHeuristic, Arc<dyn Estimator>),
    /// Each with its name.
    Max(Vec<(String, Self)>),
}

impl OpenHeuristic {
    pub(crate) fn open<E: From<EngineError>>(
        name: &HeuristicName,
        goal: &Goal,
        open: &mut Open<'_, E>,
    ) -> Result<Self, E> {
        let label = name.to_string();
        Ok(match name {
            HeuristicName::Basic(basic) => {
                let estimator = basic.estimator(goal);
                let estimator =
                    estimator.map_err(|source| EngineError::Line { name: label, source })?;
                Self::Basic(*basic, estimator)
            }
            HeuristicName::Walking => Self::tables_of(open(&label, &Plan::walking(goal))?),
            HeuristicName::WalkingInversion => {
                Self::WalkingInversion(open(&label, &Plan::walking(goal))?.into())
            }
            HeuristicName::Tables { spec, is_unmirrored, .. } => {
                let plan = if *is_unmirrored {
                    spec.for_goal_unmirrored(goal)
                } else {
                    spec.for_goal(goal)
                };
                Self::tables_of(open(&label, &plan.map_err(EngineError::from)?)?)
            }
            #[cfg(feature = "net")]
            HeuristicName::Net { weights, share, .. } => {
                use crate::networks::{Learned, Network};

                let found = *weights.goal.board();
                let weights = weights.for_goal(goal).ok_or_else(|| EngineError::NetGoal {
                    name: label.clone(),
                    found,
                    goal: *goal.board(),
                })?;
                let network = Network::new(&weights);
                Self::Net(Arc::new(match share {
                    Some(share) => Learned::with_share(network, share)
                        .expect("the share was checked when the name was read"),
                    None => Learned::new(network),
                }))
            }
            HeuristicName::Own(own) => Self::Own(own.clone(), own.estimator(goal)),
            HeuristicName::Max(parts) => {
                let parts =
                    parts.iter().map(|part| Ok((part.to_string(), Self::open(part, goal, open)?)));
                Self::Max(parts.collect::<Result<_, E>>()?)
            }
        })
    }

    pub(crate) fn tables_of(database: Database) -> Self {
        Self::Tables(Arc::new(database))
    }

    /// Returns the heuristic, for boards that lead to `goal`.
    pub(crate) fn estimator(&self, goal: &Goal) -> Arc<dyn Estimator + '_> {
        match self {
            Self::Basic(_, estimator) => Arc::clone(estimator) as Arc<dyn Estimator>,
            Self::WalkingInversion(database) => Arc::new(walking_inversion(database, goal)),
            Self::Tables(database) => database.estimator().into(),
            #[cfg(feature = "net")]
            Self::Net(learned) => Arc::clone(learned) as Arc<dyn Estimator>,
            Self::Own(_, estimator) => Arc::clone(estimator),
            Self::Max(parts) => {
                Arc::new(Max::new(parts.iter().map(|(_, part)| part.estimator(goal)).collect()))
            }
        }
    }

    /// Returns IDA* in the multi-tile metric, if it bounds slides.
    pub(crate) fn slide_solver(&self, goal: &Goal) -> Option<Solver<'_>> {
        let make = MakeSlides(goal);
        match self {
            Self::Tables(database) => database.visit_slides(make).ok(),
            Self::Basic(Basic::Manhattan, _) => Some(make.visit(SlideManhattan::new(goal))),
            Self::Max(parts) => {
                let parts = parts.iter().map(|(_, part)| part.slide_solver(goal));
                Some(make.visit(MaxSlides::new(goal, parts.collect::<Option<_>>()?)))
            }
            _ => None,
        }
    }

    /// Takes its estimate of a board in a metric apart.
    pub(crate) fn parts(
        &self,
        goal: &Goal,
        metric: Metric,
        board: &Board,
    ) -> Result<Part, RootError> {
        match self {
            Self::Basic(Basic::Manhattan, _) if metric == Metric::MultiTile => {
                Ok(manhattan_slides(goal, board))
            }
            Self::Basic(_, heuristic) => heuristic.parts(goal, board),
            Self::WalkingInversion(database) => {
                walking_inversion(database, goal).parts(goal, board)
            }
            Self::Tables(database) => parts_of_tables(database, goal, board),
            Self::Max(heuristics) => {
                let parts = heuristics.iter().map(|(name, kind)| {
                    let is_trusted = kind.databases().any(Database::is_trusted);
                    Ok(HeuristicParts::new(name, kind.parts(goal, metric, board)?, is_trusted))
                });
                let parts = parts.collect::<Result<Vec<_>, RootError>>()?;
                let largest = parts.iter().map(|heuristic| heuristic.estimate).max().unwrap_or(0);
                // Of slides, the larger bounds may be those of different axes.
                let slides = self.slide_solver(goal).filter(|_| metric == Metric::MultiTile);
                let (text, estimate) = match slides {
                    Some(slides) => (
                        "The largest for each axis of the first slide, of:",
                        slides.estimate(board)?,
                    ),
                    None => ("The largest of:", largest),
                };
                let whole = Part::of("max").text(text).plus_moves(estimate);
                Ok(whole.field("heuristics", parts))
            }
            #[cfg(feature = "net")]
            Self::Net(learned) => whole(&**learned, board),
            Self::Own(_, estimator) => whole(&**estimator, board),
        }
    }

    /// Makes a heuristic for another goal of the same shape, for the backward search. Tables and
    /// networks are for one goal, so Manhattan distance replaces them there.
    pub(crate) fn backward(&self, goal: &Goal) -> Arc<dyn Estimator> {
        let basic = match self {
            Self::Basic(basic, _) => *basic,
            Self::Own(own, _) => return own.estimator(goal),
            _ => Basic::Manhattan,
        };
        basic.estimator(goal).expect("the shape fits, as that of the first goal did")
    }

    /// Returns its tables, each once.
    pub(crate) fn tables(&self) -> Vec<&Table> {
        let mut tables: Vec<&Table> = Vec::new();
        for table in self.databases().flat_map(Database::tables) {
            if !tables.iter().any(|known| known.header() == table.header()) {
                tables.push(table);
            }
        }
        tables
    }

    /// Returns the databases that hold its tables. The parts of a maximum are never maxima.
    pub(crate) fn databases(&self) -> impl Iterator<Item = &Database> {
        let (parts, single) = match self {
            Self::Max(parts) => (&parts[..], None),
            single => (&[][..], Some(single)),
        };
        parts.iter().map(|(_, part)| part).chain(single).filter_map(|part| match part {
            Self::WalkingInversion(database) | Self::Tables(database) => Some(&**database),
            _ => None,
        })
    }
}

/// Makes a solver of bounds on slides.
struct MakeSlides<'g>(&'g Goal);

impl<'a> SlideVisitor<'a> for MakeSlides<'_> {
    type Output = Solver<'a>;

    fn visit<H: SlideHeuristic + 'a>(self, heuristic: H) -> Self::Output {
        let goal = *self.0;
        let any = move |board: &Board, limits: Limits<'_>| any_solution(&goal, board, limits);
        let solver = Solver::of_slides(heuristic, &goal, move_order(&goal), Some(Box::new(any)));
        solver.expect("the order is a permutation")
    }
}

/// The width of the beam that finds a first solution by slides.
const ANY_WIDTH: NonZeroU32 = NonZeroU32::new(100).expect("it is not 0");

/// Finds a solution, as moves of single tiles, by a narrow beam. Linear conflicts lead it to the
/// goal on boards of every size.
fn any_solution(goal: &Goal, board: &Board, limits: Limits<'_>) -> Option<Vec<Direction>> {
    let conflicts: Arc<dyn Estimator> = Arc::new(LinearConflict::new(goal));
    let options = Options { order: move_order(goal), limits };
    let found = beam_search(AsHeuristic::new(conflicts), goal, board, ANY_WIDTH, &options).ok()?;
    found.status.moves().map(<[_]>::to_vec)
}

fn walking_inversion<'a>(database: &'a Database, goal: &Goal) -> WalkingInversion<'a> {
    let axes = database.walking().expect("the plan is that of both axes");
    WalkingInversion::new(axes, goal)
}

/// Returns an estimate without parts.
fn whole(estimator: &dyn Estimator, board: &Board) -> Result<Part, RootError> {
    Ok(Part::of("own").plus_moves(estimator.root(board)?.estimate))
}

/// Returns the order in which the moves to a goal are tried: Korf's.
pub(crate) fn move_order(goal: &Goal) -> [Direction; 4] {
    // Each order is the other one on the board turned by 180 degrees.
    if goal.home(BLANK) == 0 { KORF_BLANK_FIRST } else { KORF_BLANK_LAST }
}
