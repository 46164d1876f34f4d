//! Ratings of heuristics without a search: mean estimates, their distribution, and the expected
//! nodes of IDA\*.

mod estimates;
mod nodes;
mod parallel;
pub(crate) mod pattern_cost;
mod sample;
mod statistics;
mod tilted;
mod tree;

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use pdb_clock::Instant;
use pdb_core::{Board, Goal};
use pdb_lab::HeuristicName;
use serde::Serialize;

use self::estimates::{Estimates, Family};
#[cfg(feature = "build")]
pub(crate) use self::nodes::effective;
pub use self::nodes::{BoundPrediction, MeasuredNodes, NodePrediction, PredictedNodes};
use self::nodes::{Roots, expected};
pub(crate) use self::parallel::{Deadline, each};
use self::pattern_cost::{ExcessTables, Scratch};
pub(crate) use self::sample::Sample;
#[cfg(feature = "build")]
pub(crate) use self::sample::growth;
pub use self::statistics::Interval;
use crate::cancel::Cancel;
use crate::error::Error;
use crate::handle::Tilebase;
use crate::names::goal_name;
use crate::sets::{BoardSet, mean_manhattan};

/// The largest sample, in boards.
const SAMPLE_MAX: usize = 10_000_000;
/// The reported quantiles.
const QUANTILES: [f64; 7] = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];
/// Number of predicted bounds if the caller names none, from the mean estimate on.
const BOUND_COUNT: u32 = 20;
/// Largest predicted bound: no board of any shape needs nearly as many moves.
const BOUND_MAX: u32 = 1000;
/// Name of the rating of all heuristics together.
const TOGETHER: &str = "together";

/// Options of a rating: see [`Tilebase::rate`].
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each says yes or no to a wish of its own")]
pub struct RatingOptions {
    /// Given boards: the means are theirs, and nodes are predicted for them. The distribution of
    /// estimates over all boards, which the prediction needs, still comes from random boards.
    /// Default: none; random boards are drawn evenly from all solvable boards.
    pub boards: Option<BoardSet>,
    /// Number of random boards. Default: 10,000.
    pub count: usize,
    /// The seed of these boards. Default: 1.
    pub seed: u64,
    /// Whether the nodes within bounds are predicted. Default: `true`.
    pub predicts_nodes: bool,
    /// The predicted bounds. Default: twenty, from the mean estimate on.
    pub bounds: Option<RangeInclusive<u32>>,
    /// Whether the values of patterns are searched one by one, so that no table is needed. Default:
    /// `false`; they are looked up in tables.
    pub without_tables: bool,
    /// Whether the largest estimate of all heuristics is rated, too. Default: `false`.
    pub together: bool,
    /// Whether nodes are counted, too. Given boards are searched in plain mode, up to the last of
    /// the bounds. For random boards, the whole tree within each of the [`bounds`](Self::bounds) is
    /// searched, even after a solution, because the formulas predict the whole tree. Default:
    /// `false`.
    pub measures: bool,
    /// Time limit per heuristic: boards that are not rated by then are left out. Default: none.
    pub time: Option<Duration>,
    /// Number of threads. Default: one for each core.
    pub thread_count: usize,
    /// Stops the work.
    pub cancel: Cancel,
}

impl Default for RatingOptions {
    fn default() -> Self {
        Self {
            boards: None,
            count: 10_000,
            seed: 1,
            predicts_nodes: true,
            bounds: None,
            without_tables: false,
            together: false,
            measures: false,
            time: None,
            thread_count: crate::shelf::core_count(),
            cancel: Cancel::new(),
        }
    }
}

/// Rating of a heuristic, made by [`Tilebase::rate`]. It can be serialized for programs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Rating {
    /// The heuristic's name, or its spec's.
    pub name: String,
    /// The goal's name, or the goal as a board.
    pub goal: String,
    /// The rated boards: a set's name.
    pub boards: String,
    /// Number of these boards.
    pub board_count: usize,
    /// Number of random boards drawn by their distance, which show the estimates near the goal.
    pub tail_count: usize,
    /// Whether the values of patterns were searched, so that no table was needed.
    pub without_tables: bool,
    /// Size of the tables in bytes, each counted once; `None` without tables.
    pub table_bytes: Option<u64>,
    /// Mean estimate of the boards.
    pub estimate: Interval,
    /// Mean estimate of all boards, from the same sample with the Manhattan distance as a control
    /// variate. The mean of the Manhattan distance over all boards is known exactly, so only the
    /// mean of the difference is uncertain. `None` for given boards.
    pub controlled: Option<Interval>,
    /// Mean Manhattan distance of all boards.
    pub manhattan: f64,
    /// Standard deviation of the estimates.
    pub deviation: f64,
    /// Smallest estimate of the boards.
    pub least: u32,
    /// Largest estimate of the boards.
    pub greatest: u32,
    /// Quantiles of the estimates.
    pub quantiles: Vec<Quantile>,
    /// Each estimate, with the share of all boards that have it, or of the given boards.
    pub distribution: Vec<EstimateCount>,
    /// Expected nodes of IDA\*.
    pub nodes: Option<NodePrediction>,
    /// Time of the rating without builds, in seconds.
    pub seconds: f64,
}

/// Estimate that a share of the boards does not exceed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Quantile {
    /// The share.
    pub share: f64,
    /// The estimate.
    pub estimate: u32,
}

/// Number of boards with one estimate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EstimateCount {
    /// The estimate.
    pub estimate: u32,
    /// Number of boards with the estimate, among those that were given or drawn evenly.
    pub boards: u64,
    /// Share of all boards that have the estimate.
    pub share: f64,
    /// Share of all boards that have the estimate or a smaller one.
    pub at_most: f64,
}

impl Tilebase {
    /// Rates heuristics for boards with a goal, without a search. Returns one rating for each, in
    /// their order, and one for all together if requested. All are rated on the same boards.
    ///
    /// Missing tables are built, if the handle may; with [`RatingOptions::without_tables`] none are
    /// needed.
    ///
    /// ```
    /// use tilebase::{Goal, Shape, Tilebase};
    /// use tilebase::names::heuristics;
    /// use tilebase::rate::RatingOptions;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// let tables = Tilebase::builder().folder(folder.path()).lazy()?;
    /// let goal = Goal::blank_last(Shape::new(3, 3)?);
    /// let rate = RatingOptions { count: 1000, without_tables: true, ..RatingOptions::default() };
    /// let ratings = tables.rate(&goal, &heuristics("manhattan,4-4", &goal)?, &rate)?;
    /// assert!(ratings[1].estimate.mean > ratings[0].estimate.mean);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Rate`] for options that are not possible, [`Error::NoSample`] for heuristics that
    /// need their tables, [`Error::Interrupted`] when the rating is cancelled, and those of
    /// [`engine`](Self::engine).
    pub fn rate(
        &self,
        goal: &Goal,
        heuristics: &[HeuristicName],
        rate: &RatingOptions,
    ) -> Result<Vec<Rating>, Error> {
        rate.check(goal)?;
        let sample = Arc::new(Sample::new(goal, rate.count, rate.seed, rate.predicts_nodes));
        let given = rate.boards.as_ref().map(|set| Sample::given(goal, set.boards.clone()));
        let parts = Arc::new(ExcessTables::default());
        let mut all: Vec<HeuristicSamples> = Vec::new();
        for name in heuristics {
            let estimates = Estimates::open(self, goal, name, rate.without_tables, &parts)?;
            let begun = Instant::now();
            let deadline = Deadline::new(rate.cancel.clone(), rate.time);
            let label = name.to_string();
            let families = |sample: &Sample, with_children: bool| {
                let work = |place: usize, scratch: &mut Scratch, stop: &dyn Fn() -> bool| {
                    estimates.family(&sample.boards[place], with_children, scratch, stop)
                };
                let doing = format!("rating {label}");
                each(
                    sample.boards.len(),
                    rate.thread_count,
                    &deadline,
                    &self.search().watch.clone().unwrap_or_default(),
                    &doing,
                    &work,
                )
            };
            let given = given.as_ref().map(|given| families(given, false)).transpose()?;
            let sampled = if given.is_none() || rate.predicts_nodes {
                families(&sample, rate.predicts_nodes)?
            } else {
                Vec::new()
            };
            let measured = match (&given, rate.measures) {
                (_, false) => None,
                (Some(_), true) => Some(self.measure(&estimates, rate, &deadline)?),
                (None, true) => {
                    Some(self.measure_whole(&estimates, &sample, &sampled, rate, &deadline)?)
                }
            };
            estimates.confirm()?;
            let (table_bytes, without_tables) = match &estimates {
                Estimates::Tables(engine) => (Some(engine.table_bytes()).filter(|b| *b > 0), false),
                Estimates::Sums(_) => (None, true),
            };
            all.push(HeuristicSamples {
                name: label,
                sampled,
                given,
                measured,
                table_bytes,
                without_tables,
                seconds: begun.elapsed().as_secs_f64(),
            });
        }
        if rate.together
            && let Some(together) = HeuristicSamples::together(&all)
        {
            all.push(together);
        }
        let rating = |rated: &HeuristicSamples| rated.rating(&sample, given.as_ref(), rate);
        Ok(all.iter().map(rating).collect())
    }
}

impl RatingOptions {
    fn check(&self, goal: &Goal) -> Result<(), Error> {
        let refused = |problem: &str| Err(Error::Rate { problem: problem.to_owned() });
        if !(2..=SAMPLE_MAX).contains(&self.count) {
            let problem = format!("a sample has 2 to {SAMPLE_MAX} boards, found {}", self.count);
            return refused(&problem);
        }
        if let Some(bounds) = &self.bounds
            && (*bounds.end() > BOUND_MAX || bounds.is_empty())
        {
            return refused(&format!(
                "bounds are at most {BOUND_MAX}, the first one first, found {} to {}: name smaller ones",
                bounds.start(),
                bounds.end()
            ));
        }
        if self.measures && (self.without_tables || !self.predicts_nodes) {
            return refused(
                "nodes are measured with tables, beside predictions: leave --sample out",
            );
        }
        if self.measures && self.boards.is_none() && self.bounds.is_none() {
            return refused(
                "from random boards the whole tree within a bound is measured: name the bounds with \
                 --bounds, or a set of boards such as korf100 with --boards",
            );
        }
        if let Some(set) = &self.boards {
            let is_unsolvable = |board: &&Board| goal.check_solvable(board).is_err();
            if set.boards.len() < 2 {
                return refused(
                    "a mean needs two boards at least: give more, or let random ones be drawn",
                );
            }
            if let Some(board) = set.boards.iter().find(is_unsolvable) {
                let problem =
                    format!("{board} cannot be solved: leave it out, or name another --goal");
                return refused(&problem);
            }
        }
        Ok(())
    }
}

/// Estimates of a heuristic on the samples.
struct HeuristicSamples {
    name: String,
    /// Estimates of the first boards of the sample.
    sampled: Vec<Family>,
    /// Estimates of the first given boards.
    given: Option<Vec<Family>>,
    measured: Option<Vec<Vec<pdb_search::BoundCount>>>,
    table_bytes: Option<u64>,
    without_tables: bool,
    seconds: f64,
}

impl HeuristicSamples {
    /// Returns the largest estimates of all heuristics, on the boards that all have estimated.
    fn together(all: &[Self]) -> Option<Self> {
        let largest = |of: &dyn Fn(&Self) -> Option<&Vec<Family>>| -> Option<Vec<Family>> {
            let (first, others) = all.split_first()?;
            let mut families = of(first)?.clone();
            for other in others {
                let other = of(other)?;
                families.truncate(other.len());
                for (family, other) in families.iter_mut().zip(other) {
                    *family = family.max(other);
                }
            }
            Some(families)
        };
        (all.len() > 1).then_some(())?;
        Some(Self {
            name: TOGETHER.to_owned(),
            sampled: largest(&|rated| Some(&rated.sampled))?,
            given: largest(&|rated| rated.given.as_ref()),
            measured: None,
            table_bytes: None,
            without_tables: all.iter().any(|rated| rated.without_tables),
            seconds: all.iter().map(|rated| rated.seconds).sum(),
        })
    }

    fn rating(&self, sample: &Sample, given: Option<&Sample>, rate: &RatingOptions) -> Rating {
        let goal = &sample.goal;
        let weights = sample.weights(self.sampled.len());
        // The distribution comes from the given boards, or from the weighted sample.
        let spread: Vec<(u32, f64, bool)> = if let Some(given) = &self.given {
            given.iter().map(|f| (f.estimate, 1.0 / given.len() as f64, true)).collect()
        } else {
            let of = |(place, family): (usize, &Family)| {
                (family.estimate, weights[place], sample.is_even(place))
            };
            self.sampled.iter().enumerate().map(of).collect()
        };
        let even = spread.iter().filter(|(_, _, is_even)| *is_even);
        let even: Vec<u32> = even.map(|(estimate, _, _)| *estimate).collect();
        let estimates = || even.iter().map(|&estimate| f64::from(estimate));
        let estimate = Interval::of_mean(estimates());
        let manhattan = mean_manhattan(goal);
        let controlled = self.given.is_none().then(|| {
            let places = (0..self.sampled.len()).filter(|&place| sample.is_even(place));
            let distance = |place: usize| f64::from(goal.manhattan_distance(&sample.boards[place]));
            let rest = |place: usize| f64::from(self.sampled[place].estimate) - distance(place);
            Interval::of_mean(places.map(rest)).plus(manhattan)
        });
        let variance = estimates().map(|value| (value - estimate.mean).powi(2)).sum::<f64>();
        let distribution = distribution(&spread);
        let quantile = |share: f64| {
            let found = distribution.iter().find(|count| count.at_most >= share - 1e-12);
            let found = found.or(distribution.last()).map_or(0, |count| count.estimate);
            Quantile { share, estimate: found }
        };
        let nodes = rate.predicts_nodes.then(|| {
            let first = estimate.mean.floor() as u32;
            let usual = first..=first + BOUND_COUNT - 1;
            let bounds = rate.bounds.clone().unwrap_or(usual);
            let (given, measured) = (self.given.as_deref(), self.measured.as_deref());
            let roots = Roots { given, measured };
            expected(goal, &self.sampled, &weights, &roots, bounds)
        });
        let is_even = |place: &usize| sample.is_even(*place);
        Rating {
            name: self.name.clone(),
            goal: goal_name(goal),
            boards: match &rate.boards {
                Some(set) => set.name.clone(),
                None => format!("random:{}:{}", even.len(), rate.seed),
            },
            board_count: even.len(),
            tail_count: (0..self.sampled.len()).filter(|place| !is_even(place)).count(),
            without_tables: self.without_tables,
            table_bytes: self.table_bytes,
            estimate,
            controlled,
            manhattan,
            deviation: (variance / (even.len() as f64 - 1.0).max(1.0)).sqrt(),
            least: even.iter().copied().min().unwrap_or(0),
            greatest: even.iter().copied().max().unwrap_or(0),
            quantiles: QUANTILES.into_iter().map(quantile).collect(),
            distribution,
            nodes: nodes.filter(|_| given.is_none() || !self.sampled.is_empty()),
            seconds: self.seconds,
        }
    }
}

/// Returns the shares of the estimates. A part of the boards is counted, too.
fn distribution(spread: &[(u32, f64, bool)]) -> Vec<EstimateCount> {
    let sum: f64 = spread.iter().map(|(_, weight, _)| weight).sum();
    let mut sorted = spread.to_vec();
    sorted.sort_unstable_by_key(|&(estimate, _, _)| estimate);
    let mut at_most = 0.0;
    let counts = sorted.chunk_by(|a, b| a.0 == b.0).map(|same| {
        let share = same.iter().map(|(_, weight, _)| weight).sum::<f64>() / sum;
        at_most += share;
        let boards = same.iter().filter(|(_, _, is_counted)| *is_counted).count() as u64;
        EstimateCount { estimate: same[0].0, boards, share, at_most }
    });
    counts.collect()
}
