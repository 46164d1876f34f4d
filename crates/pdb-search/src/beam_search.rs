//! Beam search by its name: one beam, which is doubled until it finds a solution.

use std::num::NonZeroU32;

use pdb_core::{Board, Goal, Heuristic, Metric, RootError};

use crate::beam::{AnyNodes, Beam, BeamEnd, LayerTrace, OrderNodes, bytes};
use crate::checks::{answer, begin, first_bound, proved};
use crate::lane::{AnyHeuristics, Heuristics};
use crate::order::LearnedOrder;
use crate::outcome::lookups;
use crate::{LimitKind, Options, Outcome, SearchError, Solver, Status};

impl Solver<'_> {
    /// Finds a solution by [`beam_search`] with the solver's heuristic.
    ///
    /// # Errors
    /// As [`Solver::ida_star`](crate::Solver::ida_star).
    pub fn beam(
        &self,
        board: &Board,
        width: NonZeroU32,
        options: &Options<'_>,
    ) -> Result<Outcome, SearchError> {
        by_heuristics(&*self.heuristics, true, self.goal(), board, width, options)
    }
}

/// Finds a solution by a beam search: of all boards at the same depth that were not met before, it
/// keeps the `width` boards with the smallest estimates. If none is left, it begins again with
/// twice the width. It proves no more than the board's estimate.
///
/// # Errors
/// As [`Solver::ida_star`](crate::Solver::ida_star); any heuristic will do.
pub fn beam_search<H: Heuristic + Send>(
    heuristic: H,
    goal: &Goal,
    board: &Board,
    width: NonZeroU32,
    options: &Options<'_>,
) -> Result<Outcome, SearchError> {
    let is_admissible = heuristic.is_admissible();
    by_heuristics(&Heuristics(vec![heuristic]), is_admissible, goal, board, width, options)
}

/// Finds a solution as [`beam_search`] does, by a learned order for a goal. It proves no more than
/// the board's Manhattan distance.
///
/// Calls `trace` with the boards of each layer: those that are kept, and those that are left out. A
/// layer with the goal is not among them. If the beam begins again with a larger width, so do the
/// layers.
///
/// # Errors
/// As [`Solver::ida_star`](crate::Solver::ida_star).
pub fn beam_by_order(
    order: &LearnedOrder,
    board: &Board,
    width: NonZeroU32,
    options: &Options<'_>,
    trace: Option<LayerTrace<'_>>,
) -> Result<Outcome, SearchError> {
    let start = || {
        let (nodes, estimate) =
            (Box::new(OrderNodes::new(order)), order.distances.manhattan(board));
        Ok(Start { nodes, estimate, is_admissible: true, lookups: [0; 2], trace })
    };
    search(order.goal(), board, width, options, start)
}

fn by_heuristics(
    heuristics: &dyn AnyHeuristics,
    is_admissible: bool,
    goal: &Goal,
    board: &Board,
    width: NonZeroU32,
    options: &Options<'_>,
) -> Result<Outcome, SearchError> {
    let start = || {
        let [estimate, _] = heuristics.estimates(board)?;
        let (nodes, lookups) = (heuristics.nodes(0), heuristics.lookups());
        Ok(Start { nodes, estimate, is_admissible, lookups, trace: None })
    };
    search(goal, board, width, options, start)
}

/// The nodes of a beam, and the estimate of its first board.
struct Start<'a> {
    nodes: Box<dyn AnyNodes + 'a>,
    estimate: u32,
    is_admissible: bool,
    /// [`Heuristic::lookups`].
    lookups: [u32; 2],
    trace: Option<LayerTrace<'a>>,
}

fn search<'a>(
    goal: &Goal,
    board: &Board,
    mut width: NonZeroU32,
    options: &Options<'_>,
    start: impl FnOnce() -> Result<Start<'a>, RootError>,
) -> Result<Outcome, SearchError> {
    begin(goal, board, options, |mut meter| {
        let Start { nodes, estimate, is_admissible, lookups: lookups_each, mut trace } = start()?;
        let lower_bound = proved(is_admissible, goal, board, first_bound(goal, board, estimate));
        let memory = options.limits.memory.unwrap_or(u64::MAX);
        let node_bytes = nodes.node_bytes();
        let mut nodes = Some(nodes);
        let mut beam = None;
        let mut memory_bytes = 0;
        let end = loop {
            if let Err(kind) = meter.count() {
                break Err(kind);
            }
            if board == goal.board() {
                break Ok(Vec::new());
            }
            if bytes(node_bytes, board.shape(), width.get()) > memory {
                break Err(LimitKind::Memory);
            }
            memory_bytes = bytes(node_bytes, board.shape(), width.get());
            let make = || {
                let nodes = nodes.take().expect("one beam is made");
                let mut beam = Beam::new(goal, nodes, Metric::SingleTile);
                beam.trace = trace.take();
                beam
            };
            let beam = beam.get_or_insert_with(make);
            match beam.search(board, width, u32::MAX, &mut meter)? {
                Ok(BeamEnd::Empty { .. }) => width = width.saturating_add(width.get()),
                Ok(BeamEnd::Goal(moves)) => break Ok(moves),
                Err(kind) => break Err(kind),
            }
        };
        let status = match end {
            Ok(moves) => {
                answer(Metric::SingleTile, goal, board, moves, lower_bound, is_admissible)?
            }
            Err(kind) => Status::Limit { kind, lower_bound },
        };
        let [expanded, looked_up, entered] =
            beam.map_or([0; 3], |beam| [beam.expanded, beam.looked_up, beam.entered]);
        Ok(Outcome {
            initial_estimate: Some(estimate),
            generated: meter.generated(),
            expanded,
            lookups: lookups(lookups_each, looked_up, entered),
            memory_bytes,
            ..Outcome::of(status, meter.elapsed())
        })
    })
}
