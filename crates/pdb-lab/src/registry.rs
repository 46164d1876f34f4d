//! All searches, a row each: the only list of them.
//!
//! Command line, server, Python, comparisons, tests and the check of the page of searches read
//! these rows.

use std::num::NonZeroU32;
use std::sync::Arc;

use pdb_clock::Instant;
use pdb_core::{AsHeuristic, Board, Goal};
use pdb_search::{
    Limits, Manhattan, Options, Outcome, SearchError, Sharing, Weight, Work, beam_by_order,
    beam_search, weighted_ida_star,
};

use crate::Basic;
use crate::forms::HeuristicForms;
use crate::open_heuristic::OpenHeuristic;
use crate::searches::{Ranking, best_first, bidirectional, breadth_first};

/// A search: its name, its properties and its function.
///
/// Every search obeys the limits on nodes and time and the stop flag, and one that keeps boards
/// also the memory limit. If a limit ends it, it returns the lower bound that it proved.
#[derive(Debug)]
pub struct SearchRow {
    /// The name on a command line, without parameters.
    pub name: &'static str,
    /// Description in one line.
    pub help: &'static str,
    /// Parameters after the name, in this order, with a colon before each. They may be omitted
    /// from the end.
    pub params: &'static [Param],
    /// Whether it keeps the boards that it meets, so that it obeys a memory limit.
    pub keeps_boards: bool,
    /// Proof of its solutions, if estimates are admissible.
    pub proof: Proof,
    /// The estimates that it takes.
    pub estimates: Estimates,
    pub(crate) search: SearchFunction,
    /// Its form that finds the fewest slides of several tiles
    /// ([`Metric::MultiTile`](pdb_core::Metric::MultiTile)), with heuristics that bound them.
    pub(crate) slides: Option<SearchFunction>,
}

/// Searches one board on the calling thread.
pub(crate) type SearchFunction =
    fn(&HeuristicForms<'_>, &Board, Params, &Options<'_>) -> Result<Outcome, SearchError>;

/// A parameter of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Param {
    /// A whole number, at least 1. It comes before a weight.
    Size {
        /// Description, as in "expected WHAT, 1 to N".
        what: &'static str,
        /// Its default.
        default: NonZeroU32,
        /// Its largest value.
        max: u32,
    },
    /// A weight of estimates. The caller has a default.
    Weight,
    /// `net`: boards are kept by a learned order instead of by their estimates.
    Order,
}

/// Values of the parameters. A search reads those that its row declares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Params {
    pub(crate) size: NonZeroU32,
    pub(crate) weight: Weight,
    /// Whether a learned order keeps boards.
    pub(crate) by_order: bool,
}

/// Proof about the length of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// No solution is shorter.
    Shortest,
    /// It has at most weight times as many moves as a shortest one.
    WithinWeight,
    /// None: it may have any length.
    Nothing,
}

/// Estimates that a search takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimates {
    /// None: it uses no heuristic.
    Unused,
    /// Also learned ones, which may be too large. Then solutions are not proved.
    Any,
    /// Only those that are never too large: see
    /// [`Engine::is_admissible`](crate::Engine::is_admissible).
    Admissible,
}

/// A*, of which the rows of other searches that keep boards name the differences.
pub(crate) const A_STAR: SearchRow = SearchRow {
    name: "astar",
    help: "A*: the smallest g + h first",
    params: &[],
    keeps_boards: true,
    proof: Proof::Shortest,
    estimates: Estimates::Any,
    slides: None,
    search: |forms, board, params, options| ranked(Ranking::AStar, forms, board, params, options),
};

/// IDA*, in the same way.
pub(crate) const IDA: SearchRow = SearchRow {
    name: "ida",
    help: "IDA* as Korf described it",
    keeps_boards: false,
    estimates: Estimates::Admissible,
    slides: Some(|forms, board, _, options| in_lanes(forms, board, options, Sharing::PLAIN)),
    search: |forms, board, _, options| forms.solver("IDA*")?.ida_star(board, options),
    ..A_STAR
};

/// Weighted A*.
pub(crate) const WEIGHTED_A_STAR: SearchRow = SearchRow {
    name: "weighted-astar",
    help: "weighted A*: the smallest g + W h first; within W",
    params: &[Param::Weight],
    proof: Proof::WithinWeight,
    search: weighted_a_star,
    ..A_STAR
};

/// Weighted IDA*.
pub(crate) const WEIGHTED_IDA: SearchRow = SearchRow {
    name: "weighted-ida",
    help: "IDA* with bounds on g + W h; within W",
    params: &[Param::Weight],
    proof: Proof::WithinWeight,
    estimates: Estimates::Any,
    slides: None,
    search: |forms, board, Params { weight, .. }, options| {
        let goal = &forms.goal;
        // Paths may be thousands of moves long; the stack holds the most of the smallest nodes.
        if let OpenHeuristic::Basic(Basic::Manhattan, _) = forms.opened {
            return weighted_ida_star(&Manhattan::new(goal), goal, board, weight, options);
        }
        let heuristic = AsHeuristic::new(Arc::clone(&forms.estimator));
        weighted_ida_star(&heuristic, goal, board, weight, options)
    },
    ..IDA
};

/// IDA* in lanes.
pub(crate) const LANES: SearchRow = SearchRow {
    name: "lanes",
    help: "IDA* side by side in lanes, without duplicate moves, as solve does",
    slides: Some(|forms, board, _, options| in_lanes(forms, board, options, Sharing::default())),
    search: |forms, board, _, options| in_lanes(forms, board, options, Sharing::default()),
    ..IDA
};

pub(crate) static SEARCHES: [SearchRow; 10] = [
    SearchRow {
        name: "breadth-first",
        help: "breadth-first search, without a heuristic",
        estimates: Estimates::Unused,
        search: |forms, board, _, options| breadth_first(&forms.goal, board, options),
        ..A_STAR
    },
    SearchRow {
        name: "greedy",
        help: "greedy best-first search: the smallest estimate first; not optimal",
        proof: Proof::Nothing,
        search: |forms, board, params, options| {
            ranked(Ranking::Greedy, forms, board, params, options)
        },
        ..A_STAR
    },
    A_STAR,
    WEIGHTED_A_STAR,
    SearchRow {
        name: "batch-astar",
        help: "weighted A*, 100 boards at once, for heuristics of batches; batch-astar:N takes N; \
               within W",
        params: &[
            Param::Size {
                what: "the number of boards that batch-astar expands at once",
                default: NonZeroU32::new(100).expect("it is not 0"),
                // It takes some megabytes while its boards are expanded.
                max: 1_000_000,
            },
            Param::Weight,
        ],
        proof: Proof::WithinWeight,
        search: weighted_a_star,
        ..A_STAR
    },
    SearchRow {
        name: "beam",
        help: "beam search: of each depth, the 1000 best boards; beam:N keeps N, beam:N:net by a \
               learned order; not optimal",
        params: &[
            Param::Size {
                what: "the number of boards that beam keeps of each depth",
                default: NonZeroU32::new(1000).expect("it is not 0"),
                max: 100_000_000,
            },
            Param::Order,
        ],
        proof: Proof::Nothing,
        search: |forms, board, Params { size, by_order, .. }, options| {
            if by_order {
                let (shape, goal) = (forms.goal.shape(), *forms.goal.board());
                let order = (**forms.order).as_ref();
                let order = order.ok_or(SearchError::NoOrder { shape, goal })?;
                return beam_by_order(order, board, size, options, None);
            }
            if let Some(solver) = &forms.solver {
                return solver.beam(board, size, options);
            }
            let heuristic = AsHeuristic::new(Arc::clone(&forms.estimator));
            beam_search(heuristic, &forms.goal, board, size, options)
        },
        ..A_STAR
    },
    IDA,
    WEIGHTED_IDA,
    SearchRow {
        name: "bidirectional",
        help: "NBS: from both ends, each with its heuristic",
        estimates: Estimates::Admissible,
        search: from_both_ends,
        ..A_STAR
    },
    LANES,
];

fn in_lanes(
    forms: &HeuristicForms<'_>,
    board: &Board,
    options: &Options<'_>,
    sharing: Sharing,
) -> Result<Outcome, SearchError> {
    let work = Work { limits: options.limits, sharing, ..Work::default() };
    forms.solver("IDA* in lanes")?.solve(board, &work)
}

fn ranked(
    ranking: Ranking,
    forms: &HeuristicForms<'_>,
    board: &Board,
    params: Params,
    options: &Options<'_>,
) -> Result<Outcome, SearchError> {
    best_first(&*forms.estimator, &forms.goal, board, ranking, params.size, options)
}

fn weighted_a_star(
    forms: &HeuristicForms<'_>,
    board: &Board,
    params: Params,
    options: &Options<'_>,
) -> Result<Outcome, SearchError> {
    ranked(Ranking::Weighted(params.weight), forms, board, params, options)
}

/// Searches from both ends. The backward search has a heuristic of its own, which estimates the
/// distance to the board.
fn from_both_ends(
    forms: &HeuristicForms<'_>,
    board: &Board,
    _: Params,
    options: &Options<'_>,
) -> Result<Outcome, SearchError> {
    let started = Instant::now();
    let backward = forms.opened.backward(&Goal::new(*board));
    // Making that heuristic is a part of the search of this board.
    let time = options.limits.time.map(|time| time.saturating_sub(started.elapsed()));
    let options = Options { limits: Limits { time, ..options.limits }, ..*options };
    let outcome = bidirectional(&*forms.estimator, &*backward, &forms.goal, board, &options)?;
    Ok(Outcome { elapsed: started.elapsed(), ..outcome })
}
