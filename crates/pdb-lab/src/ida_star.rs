//! The searches of a heuristic.
//!
//! IDA* is raced, so it is compiled for each form of tables, here and nowhere else; `dyn` hides the
//! form. All else takes an [`Estimator`] and is compiled once.

use std::fmt;
use std::sync::Arc;

use pdb_core::{AsHeuristic, BLANK, Board, Direction, Estimator, Goal, Heuristic, RootError};
use pdb_rt::Visitor;
use pdb_search::packets::{PacketSearch, Packets};
use pdb_search::{
    Boards, Claim, KORF_BLANK_FIRST, KORF_BLANK_LAST, Manhattan, Options, Outcome, SearchError,
    Solver, Verdict, Work, ida_star,
};

use crate::Basic;
use crate::kind::Kind;

/// IDA* with one heuristic: plain, in lanes and in packets.
pub(crate) trait IdaStar: Send + Sync {
    fn estimate(&self, board: &Board) -> Result<u32, RootError>;

    fn solve(&self, board: &Board, work: &Work<'_>) -> Result<Outcome, SearchError>;

    fn solve_all(&self, boards: &dyn Boards, work: &Work<'_>);

    fn ida_star(&self, board: &Board, options: &Options<'_>) -> Result<Outcome, SearchError>;

    fn try_claims(
        &self,
        claims: &[Claim],
        work: &Work<'_>,
    ) -> Result<(Vec<Verdict>, u64), SearchError>;

    fn packets<'a>(
        &'a self,
        board: &Board,
        work: Work<'a>,
    ) -> Result<Box<dyn Packets + 'a>, SearchError>;
}

impl<H: Heuristic + Send> IdaStar for Solver<H> {
    fn estimate(&self, board: &Board) -> Result<u32, RootError> {
        let (_, node) = self.heuristic().root(board)?;
        Ok(self.heuristic().estimate(&node))
    }

    fn solve(&self, board: &Board, work: &Work<'_>) -> Result<Outcome, SearchError> {
        self.solve(board, work)
    }

    fn solve_all(&self, boards: &dyn Boards, work: &Work<'_>) {
        self.solve_all(boards, work);
    }

    fn ida_star(&self, board: &Board, options: &Options<'_>) -> Result<Outcome, SearchError> {
        let search = || ida_star(self.heuristic(), self.goal(), board, options);
        self.heuristic().run(search)
    }

    fn try_claims(
        &self,
        claims: &[Claim],
        work: &Work<'_>,
    ) -> Result<(Vec<Verdict>, u64), SearchError> {
        self.try_claims(claims, work)
    }

    fn packets<'a>(
        &'a self,
        board: &Board,
        work: Work<'a>,
    ) -> Result<Box<dyn Packets + 'a>, SearchError> {
        Ok(Box::new(PacketSearch::new(self, board, work)?))
    }
}

/// A heuristic in the forms that searches take.
pub(crate) struct Searches<'a> {
    pub(crate) estimator: Arc<dyn Estimator + 'a>,
    /// IDA*, unless estimates may be too large.
    pub(crate) ida_star: Option<Box<dyn IdaStar + 'a>>,
}

impl fmt::Debug for Searches<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searches").finish_non_exhaustive()
    }
}

impl<'a> Searches<'a> {
    pub(crate) fn new(kind: &'a Kind, goal: &Goal) -> Self {
        let (estimator, make) = (kind.estimator(goal), MakeSolver(goal));
        let ida_star = estimator.is_admissible().then(|| match kind {
            // The only heuristic without tables that is raced.
            Kind::Basic(Basic::Manhattan, _) => make.visit(Manhattan::new(goal)),
            Kind::Tables(database) => database.visit(make),
            _ => make.visit(AsHeuristic::new(Arc::clone(&estimator))),
        });
        Self { estimator, ida_star }
    }
}

/// Makes a solver of a heuristic of any type.
struct MakeSolver<'g>(&'g Goal);

impl<'a> Visitor<'a> for MakeSolver<'_> {
    type Output = Box<dyn IdaStar + 'a>;

    fn visit<H: Heuristic + Send + 'a>(self, heuristic: H) -> Self::Output {
        self.visit_with_duals(heuristic, Vec::new())
    }

    fn visit_with_duals<H: Heuristic + Send + 'a>(
        self,
        heuristic: H,
        duals: Vec<(H, Goal)>,
    ) -> Self::Output {
        let solver = Solver::new(heuristic, self.0, move_order(self.0));
        let solver = solver.and_then(|solver| solver.with_duals(duals));
        Box::new(solver.expect("the order is a permutation, and tables are admissible"))
    }
}

/// Returns the order in which the moves to a goal are tried: Korf's.
pub(crate) fn move_order(goal: &Goal) -> [Direction; 4] {
    // Either order is the other one on the board turned by half.
    if goal.home(BLANK) == 0 { KORF_BLANK_FIRST } else { KORF_BLANK_LAST }
}
