//! Expected and measured nodes of IDA\* within bounds.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pdb_core::{BLANK, Cell, Goal};
use pdb_lab::SearchName;
use pdb_search::{BoundCount, Limits, Progress, Weight};
use serde::Serialize;

use super::RatingOptions;
use super::estimates::{Estimates, Family};
use super::parallel::{Deadline, each};
use super::sample::{Sample, growth};
use super::statistics::Interval;
use super::tree::{Contributions, ExpectedNodes, Prediction, Transitions};
use crate::error::Error;
use crate::handle::Tilebase;
use crate::shelf::confirmed;

/// Smallest growth factor of a tree that counts as growing.
const GROWTH_MIN: f64 = 1.0 + 1e-6;
/// Smallest share of the boards that may be a divisor.
const SHARE_MIN: f64 = 1e-12;

/// Expected nodes of IDA\*.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct NodePrediction {
    /// Factor by which the tree of moves grows from level to level in the limit.
    pub growth: f64,
    /// Constant estimate with which IDA\* would expect as many nodes within large bounds as with
    /// this heuristic: -log(mean of growth^-h) to the base `growth`. Of two heuristics, the one
    /// with the larger value expects fewer nodes, whatever their mean estimates are. `None` on 2x2
    /// cells, where the tree does not grow.
    pub effective: Option<Interval>,
    /// Nodes within each bound.
    pub within: Vec<BoundPrediction>,
}

/// Nodes within a bound, as means over boards.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BoundPrediction {
    /// The bound, in moves.
    pub bound: u32,
    /// Number of boards over which the means are taken. A given board counts if its search reaches
    /// this bound and, where nodes were measured, finishes the bound without a solution. Without
    /// given boards, predictions are for all boards of the bound's parity, and this is the number
    /// of random boards whose nodes were measured.
    pub boards: Option<usize>,
    /// Prediction by the equilibrium distribution (Korf, Reid and Edelkamp 2001).
    pub equilibrium: PredictedNodes,
    /// Prediction by the conditional distribution of children's estimates (Zahavi, Felner, Burch
    /// and Holte 2010).
    pub conditional: PredictedNodes,
    /// Counted nodes of the searches.
    pub measured: Option<MeasuredNodes>,
}

/// Expected nodes of a search within a bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PredictedNodes {
    /// Generated nodes, without the root.
    pub generated: f64,
    /// 95 % confidence interval of `generated`, as far as it is known.
    pub interval: Option<[f64; 2]>,
    /// Expanded nodes.
    pub expanded: f64,
}

/// Mean counted nodes of searches within a bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MeasuredNodes {
    /// Generated nodes, without the root.
    pub generated: f64,
    /// Expanded nodes.
    pub expanded: f64,
}

/// Roots of the searches.
pub(super) struct Roots<'a> {
    /// The given boards; `None` for all boards.
    pub(super) given: Option<&'a [Family]>,
    /// Counted nodes: within the bounds without a solution of the given boards, or within whole
    /// bounds of the first evenly drawn boards.
    pub(super) measured: Option<&'a [Vec<BoundCount>]>,
}

/// Predicts nodes from a sample of all boards with its weights.
pub(super) fn expected(
    goal: &Goal,
    sample: &[Family],
    weights: &[f64],
    roots: &Roots<'_>,
    bounds: RangeInclusive<u32>,
) -> NodePrediction {
    let shape = goal.shape();
    let growth = growth(shape);
    let mut transitions = Transitions::new(shape);
    for (family, &weight) in sample.iter().zip(weights) {
        for &(cell, child) in family.children.iter().flatten() {
            transitions.add(family.blank, cell, family.estimate, child, weight);
        }
    }
    let terms = sample.iter().zip(weights);
    let terms = terms.map(|(family, weight)| weight * growth.powf(-f64::from(family.estimate)));
    let effective = effective(growth, terms);
    let spread = Spread { goal, sample, weights, prediction: transitions.prediction() };
    let within = bounds.filter_map(|bound| spread.within(bound, roots)).collect();
    NodePrediction { growth, effective, within }
}

/// Returns the [effective](NodePrediction::effective) estimate, from terms whose sum is the mean of
/// growth^-h.
pub(crate) fn effective(growth: f64, terms: impl Iterator<Item = f64> + Clone) -> Option<Interval> {
    let mean = Interval::of_terms(terms, 1.0);
    let log = |mean: f64| -mean.ln() / growth.ln();
    let interval = Interval { mean: log(mean.mean), low: log(mean.high), high: log(mean.low) };
    (growth > GROWTH_MIN).then_some(interval)
}

/// Distribution of estimates over all boards, from a sample.
struct Spread<'a> {
    goal: &'a Goal,
    sample: &'a [Family],
    weights: &'a [f64],
    prediction: Prediction,
}

/// Roots of the searches within one bound, with their estimates.
struct Starts {
    /// Cell of the blank, estimate, and share of the roots with both.
    boards: Vec<(Cell, u32, f64)>,
    /// Cell of the blank, with its share.
    cells: Vec<(Cell, f64)>,
    count: Option<usize>,
    measured: Option<MeasuredNodes>,
}

impl Spread<'_> {
    fn within(&self, bound: u32, roots: &Roots<'_>) -> Option<BoundPrediction> {
        let starts = match roots.given {
            None => self.all(bound, roots.measured),
            Some(boards) => self.given(bound, boards, roots.measured)?,
        };
        let shape = self.goal.shape();
        let contributions = Contributions::new(shape, &starts.cells, bound);
        let scale = shape.cell_count() as f64;
        let terms = || {
            let of = |family: &Family| contributions.of(family.blank, family.estimate);
            self.sample.iter().zip(self.weights).map(move |(f, weight)| (of(f), weight))
        };
        let generated = terms().map(|(nodes, weight)| weight * nodes.generated);
        let generated = Interval::of_terms(generated.collect::<Vec<_>>().into_iter(), scale);
        let expanded = terms().map(|(nodes, weight)| weight * nodes.expanded).sum::<f64>() * scale;
        let conditional = self.prediction.nodes(&starts.boards, bound);
        Some(BoundPrediction {
            bound,
            boards: starts.count,
            equilibrium: PredictedNodes {
                generated: generated.mean,
                interval: Some([generated.low, generated.high]),
                expanded,
            },
            conditional: PredictedNodes {
                generated: conditional.generated,
                interval: None,
                expanded: conditional.expanded,
            },
            measured: starts.measured,
        })
    }

    /// Returns whether boards with the blank on a cell have distances of the bound's parity.
    fn has_parity(&self, cell: Cell, bound: u32) -> bool {
        self.goal.shape().distance(cell, self.goal.home(BLANK)) % 2 == bound % 2
    }

    /// Returns the share of the boards with the blank on a cell whose estimate is at most `bound`.
    fn share_within(&self, cell: Cell, bound: u32) -> f64 {
        let all = || self.sample.iter().zip(self.weights).filter(|(f, _)| f.blank == cell);
        let sum: f64 = all().map(|(_, weight)| weight).sum();
        let within = all().filter(|(family, _)| family.estimate <= bound);
        within.map(|(_, weight)| weight).sum::<f64>() / sum
    }

    fn all(&self, bound: u32, measured: Option<&[Vec<BoundCount>]>) -> Starts {
        let cells = self.goal.shape().all_cells();
        let cells: Vec<Cell> = cells.iter().filter(|&cell| self.has_parity(cell, bound)).collect();
        let share = 1.0 / cells.len() as f64;
        let boards = || {
            let all = self.sample.iter().zip(self.weights);
            all.filter(|(family, _)| self.has_parity(family.blank, bound))
        };
        let sum: f64 = boards().map(|(_, weight)| weight).sum();
        let of_bound = |counts: &Vec<BoundCount>| counts.iter().find(|c| c.bound == bound).copied();
        let counts: Vec<BoundCount> =
            measured.unwrap_or_default().iter().filter_map(of_bound).collect();
        Starts {
            boards: boards().map(|(f, weight)| (f.blank, f.estimate, weight / sum)).collect(),
            cells: cells.into_iter().map(|cell| (cell, share)).collect(),
            count: (!counts.is_empty()).then_some(counts.len()),
            measured: MeasuredNodes::of(&counts),
        }
    }

    fn given(
        &self,
        bound: u32,
        boards: &[Family],
        measured: Option<&[Vec<BoundCount>]>,
    ) -> Option<Starts> {
        let count_of = |place: usize| {
            let counts = measured.and_then(|measured| measured.get(place))?;
            counts.iter().find(|count| count.bound == bound).copied()
        };
        let is_there = |&place: &usize| {
            let family = &boards[place];
            let is_reached = family.estimate <= bound && self.has_parity(family.blank, bound);
            is_reached && (measured.is_none() || count_of(place).is_some())
        };
        let there: Vec<usize> = (0..boards.len()).filter(is_there).collect();
        let share = 1.0 / there.len() as f64;
        // Divides by the share of boards that reach this bound: such a board has more nodes than
        // the mean.
        let of_cell = |cell: Cell| (cell, share / self.share_within(cell, bound).max(SHARE_MIN));
        let counts: Vec<BoundCount> = there.iter().filter_map(|&place| count_of(place)).collect();
        (!there.is_empty()).then(|| Starts {
            boards: there.iter().map(|&p| (boards[p].blank, boards[p].estimate, share)).collect(),
            cells: merged(there.iter().map(|&place| of_cell(boards[place].blank)).collect()),
            count: Some(there.len()),
            measured: MeasuredNodes::of(&counts),
        })
    }
}

impl MeasuredNodes {
    /// Returns the means of the counts; `None` without counts.
    fn of(counts: &[BoundCount]) -> Option<Self> {
        let share = 1.0 / counts.len() as f64;
        let mean = |of: fn(&BoundCount) -> u64| {
            share * counts.iter().map(|count| of(count) as f64).sum::<f64>()
        };
        let (generated, expanded) = (mean(|count| count.generated), mean(|count| count.expanded));
        (!counts.is_empty()).then_some(Self { generated, expanded })
    }
}

/// Adds the shares of equal cells.
fn merged(mut cells: Vec<(Cell, f64)>) -> Vec<(Cell, f64)> {
    cells.sort_unstable_by_key(|&(cell, _)| cell);
    let sums = cells.chunk_by(|a, b| a.0 == b.0);
    sums.map(|same| (same[0].0, same.iter().map(|(_, share)| share).sum())).collect()
}

/// Ends a search after the last requested bound, and when it is cancelled.
#[derive(Debug)]
struct UpTo<'a> {
    last: u32,
    deadline: &'a Deadline,
    stop: AtomicBool,
}

impl Progress for UpTo<'_> {
    fn generated(&self, _: u64) {
        if self.deadline.is_cancelled() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn bound_done(&self, bounds: &[BoundCount], _: Duration) {
        if bounds.last().is_some_and(|done| done.bound + 2 > self.last) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Tilebase {
    /// Counts the nodes within each whole bound for the evenly drawn random boards, until the time
    /// is over.
    pub(super) fn measure_whole(
        &self,
        estimates: &Estimates,
        sample: &Sample,
        sampled: &[Family],
        rate: &RatingOptions,
        deadline: &Deadline,
    ) -> Result<Vec<Vec<BoundCount>>, Error> {
        let bounds = rate.bounds.clone().unwrap_or(0..=0);
        let places: Vec<usize> =
            (0..sampled.len()).filter(|&place| sample.is_even(place)).collect();
        let home = sample.goal.home(BLANK);
        let shape = sample.goal.shape();
        let work = |nth: usize, _: &mut _, stop: &dyn Fn() -> bool| {
            let (board, family) = (&sample.boards[places[nth]], &sampled[places[nth]]);
            let is_of_parity = |bound: &u32| shape.distance(family.blank, home) % 2 == bound % 2;
            let mut counts = Vec::new();
            for bound in bounds.clone().filter(is_of_parity) {
                let mut found = ExpectedNodes::default();
                if family.estimate <= bound {
                    let counted = estimates.count_within(board, None, bound, &mut found, stop)?;
                    if counted.is_none() {
                        return Ok(None);
                    }
                }
                let (generated, expanded) = (found.generated as u64, found.expanded as u64);
                counts.push(BoundCount { bound, generated, expanded });
            }
            Ok(Some(counts))
        };
        let doing = "counting nodes";
        each(
            places.len(),
            rate.thread_count,
            deadline,
            &self.search().watch.clone().unwrap_or_default(),
            doing,
            &work,
        )
    }

    /// Returns the bounds that each board's search in plain mode finished without a solution.
    pub(super) fn measure(
        &self,
        estimates: &Estimates,
        rate: &RatingOptions,
        deadline: &Deadline,
    ) -> Result<Vec<Vec<BoundCount>>, Error> {
        let (Estimates::Tables(engine), Some(set)) = (estimates, &rate.boards) else {
            return Ok(Vec::new());
        };
        let last = rate.bounds.as_ref().map_or(u32::MAX, |bounds| *bounds.end());
        let work = |place: usize, _: &mut _, _: &dyn Fn() -> bool| {
            let up_to = UpTo { last, deadline, stop: AtomicBool::new(false) };
            let limits = Limits {
                time: deadline.left(),
                stop: Some(&up_to.stop),
                progress: Some(&up_to),
                ..Limits::default()
            };
            let outcome = engine.search(SearchName::Ida, &set.boards[place], Weight::ONE, limits);
            let outcome = outcome.or_else(|error| confirmed([&**engine], Err(error)));
            let mut bounds = outcome?.bounds;
            // The last bound has the solution, or was interrupted.
            bounds.pop();
            if let Some(first) = bounds.first_mut() {
                // The root is counted with the first bound.
                first.generated -= 1;
            }
            Ok(Some(bounds))
        };
        let doing = format!("searching with {}", engine.name());
        each(
            set.boards.len(),
            rate.thread_count,
            deadline,
            &self.search().watch.clone().unwrap_or_default(),
            &doing,
            &work,
        )
    }
}
