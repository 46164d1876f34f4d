//! The forms of a heuristic that searches take.
//!
//! IDA* is tuned for speed, so its innermost part is compiled for each form of tables: here, and
//! for slides with the [open heuristic](OpenHeuristic::slide_solver). Everything else takes an
//! [`Estimator`] and is compiled once.

use std::fmt;
use std::sync::Arc;

use pdb_core::{AsHeuristic, BLANK, Direction, Estimator, Goal, Heuristic};
use pdb_rt::Visitor;
use pdb_search::{KORF_BLANK_FIRST, KORF_BLANK_LAST, Manhattan, SearchError, SlideSolver, Solver};

use crate::Basic;
use crate::open_heuristic::OpenHeuristic;

/// A heuristic for boards that lead to a goal, in the forms that searches take.
pub(crate) struct HeuristicForms<'a> {
    pub(crate) goal: Goal,
    pub(crate) opened: &'a OpenHeuristic,
    pub(crate) estimator: Arc<dyn Estimator + 'a>,
    /// IDA*, unless estimates may be too large.
    pub(crate) solver: Option<Solver<'a>>,
    /// IDA* in the multi-tile metric, if the heuristic bounds slides.
    pub(crate) slides: Option<SlideSolver<'a>>,
}

impl fmt::Debug for HeuristicForms<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeuristicForms").finish_non_exhaustive()
    }
}

impl<'a> HeuristicForms<'a> {
    pub(crate) fn new(opened: &'a OpenHeuristic, goal: &Goal) -> Self {
        let (estimator, make) = (opened.estimator(goal), MakeSolver(goal));
        let solver = estimator.is_admissible().then(|| match opened {
            // The only heuristic without tables that is tuned for speed.
            OpenHeuristic::Basic(Basic::Manhattan, _) => make.visit(Manhattan::new(goal)),
            OpenHeuristic::Tables(database) => database.visit(make),
            _ => make.visit(AsHeuristic::new(Arc::clone(&estimator))),
        });
        Self { goal: *goal, opened, estimator, solver, slides: opened.slide_solver(goal) }
    }

    /// Returns IDA*, unless estimates may be too large for a search that proves solutions by them.
    pub(crate) fn solver(&self, search: &'static str) -> Result<&Solver<'a>, SearchError> {
        self.solver.as_ref().ok_or(SearchError::Inadmissible { search })
    }
}

/// Makes a solver of a heuristic of any type.
struct MakeSolver<'g>(&'g Goal);

impl<'a> Visitor<'a> for MakeSolver<'_> {
    type Output = Solver<'a>;

    fn visit<H: Heuristic + Send + 'a>(self, heuristic: H) -> Self::Output {
        self.visit_with_duals(heuristic, Vec::new())
    }

    fn visit_with_duals<H: Heuristic + Send + 'a>(
        self,
        heuristic: H,
        duals: Vec<(H, Goal)>,
    ) -> Self::Output {
        let solver = Solver::with_duals(heuristic, self.0, move_order(self.0), duals);
        solver.expect("the order is a permutation, and tables are admissible")
    }
}

/// Returns the order in which the moves to a goal are tried: Korf's.
pub(crate) fn move_order(goal: &Goal) -> [Direction; 4] {
    // Each order is the other one on the board turned by 180 degrees.
    if goal.home(BLANK) == 0 { KORF_BLANK_FIRST } else { KORF_BLANK_LAST }
}
