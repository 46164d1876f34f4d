//! The forms of a heuristic that searches take.
//!
//! IDA* is tuned for speed, so its innermost part is compiled for each form of tables: here, and
//! for slides with the [open heuristic](OpenHeuristic::slide_solver). Everything else takes an
//! [`Estimator`] and is compiled once.

use std::sync::Arc;

use pdb_core::{AsHeuristic, Estimator, Goal, Heuristic, Metric};
use pdb_rt::Visitor;
use pdb_search::{LazyOrder, Manhattan, SearchError, Solver};

use crate::Basic;
use crate::open_heuristic::{OpenHeuristic, move_order};

/// A heuristic for boards that lead to a goal, in the forms that searches take.
pub(crate) struct HeuristicForms<'a> {
    pub(crate) goal: Goal,
    pub(crate) opened: &'a OpenHeuristic,
    pub(crate) estimator: Arc<dyn Estimator + 'a>,
    /// IDA* in the metric, unless estimates may be too large.
    pub(crate) solver: Option<Solver<'a>>,
    /// The learned order for the goal, which counts single tiles.
    pub(crate) order: Arc<LazyOrder>,
}

impl<'a> HeuristicForms<'a> {
    /// Makes the forms for a metric. In that of slides there is no solver if the heuristic does not
    /// bound slides.
    pub(crate) fn new(
        opened: &'a OpenHeuristic,
        goal: &Goal,
        metric: Metric,
        order: &Arc<LazyOrder>,
    ) -> Self {
        let (estimator, make) = (opened.estimator(goal), MakeSolver(vec![*goal]));
        let single = || match opened {
            // The only heuristic without tables that is tuned for speed.
            OpenHeuristic::Basic(Basic::Manhattan, _) => make.visit(vec![Manhattan::new(goal)]),
            OpenHeuristic::Tables(database) => database.visit(MakeSolver(database.goals())),
            _ => make.visit(vec![AsHeuristic::new(Arc::clone(&estimator))]),
        };
        let solver = match metric {
            Metric::SingleTile => {
                estimator.is_admissible().then(|| single().with_order(Arc::clone(order)))
            }
            Metric::MultiTile => opened.slide_solver(goal),
        };
        Self { goal: *goal, opened, estimator, solver, order: Arc::clone(order) }
    }

    /// Returns IDA*, unless estimates may be too large for a search that proves solutions by them.
    pub(crate) fn solver(&self, search: &'static str) -> Result<&Solver<'a>, SearchError> {
        self.solver.as_ref().ok_or(SearchError::Inadmissible { search })
    }
}

/// Makes a solver of heuristics of any type, one for each of the goals.
struct MakeSolver(Vec<Goal>);

impl<'a> Visitor<'a> for MakeSolver {
    type Output = Solver<'a>;

    fn visit<H: Heuristic + Send + 'a>(self, heuristics: Vec<H>) -> Self::Output {
        let order = move_order(&self.0[0]);
        let solver = Solver::with_duals(heuristics, self.0, order);
        solver.expect("the order is a permutation, and tables are admissible")
    }
}
