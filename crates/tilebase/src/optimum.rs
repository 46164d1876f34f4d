//! Proof of the optimum after a learned heuristic found a solution.

use std::time::Duration;

use pdb_clock::Instant;
use pdb_core::{Goal, Metric};
use pdb_lab::{Engine, HeuristicName};
use pdb_search::{Limits, Status, Work};

use crate::answer::Answer;
use crate::error::Error;
use crate::handle::Tilebase;
use crate::search::Search;

/// Time limit for proving the optimum after a learned heuristic found a solution.
const PROOF_TIME_MAX: Duration = Duration::from_secs(10);

impl Tilebase {
    /// Adds the optimum to the answer of a learned heuristic, if existing tables prove it within
    /// the rest of the search's limits.
    pub(crate) fn with_optimum(&self, answer: Answer, engine: &Engine, search: &Search) -> Answer {
        let started = Instant::now();
        let rest = || {
            let limits = search.limits();
            let of_limit = |time: Duration| time.saturating_sub(answer.elapsed + started.elapsed());
            let time = limits.time.map_or(PROOF_TIME_MAX, of_limit).min(PROOF_TIME_MAX);
            let nodes = limits.nodes.map(|nodes| nodes.saturating_sub(answer.generated));
            let is_left = !time.is_zero() && nodes != Some(0);
            let limits = Limits { time: Some(time), nodes, stop: limits.stop, ..Limits::default() };
            is_left.then_some(limits)
        };
        let is_unproved = !engine.is_admissible() && matches!(answer.status, Status::Solved { .. });
        if !is_unproved || rest().is_none() {
            return answer;
        }
        let make = || self.prover(&answer.goal, search);
        let prover = self.provers().get_or_make(&answer.goal, &search.cancel, make).ok();
        let Some(Some(prover)) = prover.as_deref() else { return answer };
        // Opening the tables took time as well.
        let Some(limits) = rest() else { return answer };
        let outcome = prover.solve(&answer.board, &Work { limits, ..Work::default() });
        // Damaged tables are no error here: the proof is optional.
        let (Ok(()), Ok(outcome)) = (prover.confirm(), outcome) else { return answer };
        let (optimum, proved) = match outcome.status {
            Status::Optimal { moves } => (Some(moves.len() as u32), moves.len() as u32),
            Status::Limit { lower_bound, .. } => (None, lower_bound),
            _ => return answer,
        };
        let status = match answer.status {
            Status::Solved { moves, lower_bound, limit } => {
                Status::Solved { moves, lower_bound: lower_bound.max(proved), limit }
            }
            other => other,
        };
        Answer { status, optimum, ..answer }
    }

    /// Opens the best existing tables for a goal.
    fn prover(&self, goal: &Goal, search: &Search) -> Result<Option<Engine>, Error> {
        let spec = self.shelf().ready_spec(goal, Metric::SingleTile)?;
        spec.map(|spec| self.engine_of(goal, &HeuristicName::from(&spec), search)).transpose()
    }
}

#[cfg(all(test, feature = "build", feature = "net"))]
#[allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]
mod tests {
    use std::time::Duration;

    use pdb_core::{Board, Goal};

    use pdb_search::Status;

    use crate::answer::Answer;
    use crate::handle::Tilebase;
    use crate::search::Search;

    #[test]
    fn tables_prove_the_optimum_within_the_rest_of_the_limits() {
        let folder = tempfile::tempdir().unwrap();
        let builder = || Tilebase::builder().folder(folder.path());
        builder().spec("8/whole").ensure().unwrap();
        let tables = builder().spec("net:8").lazy().unwrap();
        let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
        let goal = Goal::blank_last(board.shape());
        let engine = tables.engine(&goal).unwrap();
        let found = tables.solve(board).unwrap();
        assert_eq!(found.optimum, Some(31));
        let unproved = Answer {
            optimum: None,
            status: Status::Solved {
                moves: found.moves().unwrap().to_vec(),
                lower_bound: 21,
                limit: None,
            },
            elapsed: Duration::from_secs(5),
            ..found.clone()
        };
        let proved = |time, nodes| {
            let search = Search { time, nodes, ..Search::default() };
            tables.with_optimum(unproved.clone(), &engine, &search)
        };
        let proved_in = |seconds| proved(Some(Duration::from_secs(seconds)), None);
        for seconds in [0, 1, 5] {
            assert_eq!(proved_in(seconds), unproved, "{seconds} s");
        }
        let elapsed = Duration::from_secs(5);
        let known = Answer { elapsed, ..found.clone() };
        assert_eq!(proved_in(65), known);
        assert_eq!(proved(None, Some(found.generated)), unproved);
        assert_eq!(proved(None, Some(found.generated + 1_000_000)), known);
        // The root alone proves its estimate, which is already 31.
        let of_root = proved(None, Some(found.generated + 1));
        assert_eq!((of_root.optimum, of_root.lower_bound()), (None, Some(31)));
        let search = Search::default();
        search.cancel.cancel();
        assert_eq!(tables.with_optimum(unproved.clone(), &engine, &search).optimum, None);
    }
}
