//! Ratings of heuristics without a search: mean estimates and their distribution.

mod estimates;
mod parallel;
mod statistics;

use std::sync::Arc;
use std::time::Duration;

use pdb_clock::Instant;
use pdb_core::{Board, Goal, Metric};
use pdb_lab::HeuristicName;
use pdb_lab::pattern_cost::{ExcessTables, SearchMemory};
use serde::Serialize;

use self::estimates::Estimates;
#[cfg(all(feature = "build", feature = "rate"))]
pub(crate) use self::estimates::sampled;
pub(crate) use self::parallel::{Deadline, each};
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
/// Name of the rating of all heuristics together.
const TOGETHER: &str = "together";

/// Options of a rating: see [`Tilebase::rate`].
#[derive(Clone, Debug)]
pub struct RatingOptions {
    /// Given boards. Default: none; random boards are drawn evenly from all solvable boards.
    pub boards: Option<BoardSet>,
    /// Number of random boards. Default: 10,000.
    pub count: usize,
    /// The seed of these boards. Default: 1.
    pub seed: u64,
    /// Whether the values of patterns are searched one by one, so that no table is needed. Default:
    /// `false`; they are looked up in tables.
    pub without_tables: bool,
    /// Whether the largest estimate of all heuristics is rated, too. Default: `false`.
    pub together: bool,
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
            without_tables: false,
            together: false,
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
    /// Metric of estimates; absent where each tile does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<&'static str>,
    /// The rated boards: a set's name.
    pub boards: String,
    /// Number of these boards.
    pub board_count: usize,
    /// Whether the values of patterns were searched, so that no table was needed.
    pub without_tables: bool,
    /// Size of the tables in bytes, each counted once; `None` without tables.
    pub table_bytes: Option<u64>,
    /// Mean estimate of the boards.
    pub estimate: Interval,
    /// Mean estimate of all boards, from the same sample with the Manhattan distance as a control
    /// variate. The mean of the Manhattan distance over all boards is known exactly, so only the
    /// mean of the difference is uncertain. `None` for given boards, and where slides of several
    /// tiles count: their estimates vary less than the Manhattan distance.
    pub controlled: Option<Interval>,
    /// Mean of the estimate minus that of the first heuristic, board by board: its interval is
    /// smaller than those of both means. `None` for the first heuristic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Interval>,
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
    /// Each estimate, with the share of the boards that have it.
    pub distribution: Vec<EstimateCount>,
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
    /// Number of boards with the estimate.
    pub boards: u64,
    /// Share of the boards that have the estimate.
    pub share: f64,
    /// Share of the boards that have the estimate or a smaller one.
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
    /// [`Error::Rate`] for options that are not possible and heuristics that need their tables,
    /// [`Error::Interrupted`] when the rating is cancelled, and those of
    /// [`engine`](Self::engine).
    pub fn rate(
        &self,
        goal: &Goal,
        heuristics: &[HeuristicName],
        rate: &RatingOptions,
    ) -> Result<Vec<Rating>, Error> {
        rate.check(goal)?;
        let metric = self.metric();
        heuristics.iter().try_for_each(|name| name.expect_metric(metric, goal))?;
        let boards = match &rate.boards {
            Some(set) => set.boards.clone(),
            None => BoardSet::random(goal, rate.count, rate.seed).boards,
        };
        let parts = Arc::new(ExcessTables::default());
        let watch = self.search().watch.clone().unwrap_or_default();
        let mut all: Vec<HeuristicSamples> = Vec::new();
        for name in heuristics {
            let estimates = Estimates::open(self, goal, name, rate.without_tables, &parts)?;
            let begun = Instant::now();
            let deadline = Deadline::new(rate.cancel.clone(), rate.time);
            let label = name.to_string();
            let doing = format!("rating {label}");
            let work = |place: usize, scratch: &mut SearchMemory, stop: &dyn Fn() -> bool| {
                estimates.estimate(&boards[place], scratch, stop)
            };
            let sampled = each(boards.len(), rate.thread_count, &deadline, &watch, &doing, &work)?;
            estimates.confirm()?;
            let (table_bytes, without_tables) = match &estimates {
                Estimates::Tables(engine) => (Some(engine.table_bytes()).filter(|b| *b > 0), false),
                Estimates::Sums(_) => (None, true),
            };
            all.push(HeuristicSamples {
                name: label,
                sampled,
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
        let mut ratings: Vec<_> =
            all.iter().map(|rated| rated.rating(goal, metric, &boards, rate)).collect();
        for (rating, rated) in ratings.iter_mut().zip(&all).skip(1) {
            let pairs = rated.sampled.iter().zip(&all[0].sampled);
            let differences = pairs.map(|(&own, &first)| f64::from(own) - f64::from(first));
            rating.difference = Some(Interval::of_mean(differences));
        }
        Ok(ratings)
    }
}

impl RatingOptions {
    fn check(&self, goal: &Goal) -> Result<(), Error> {
        let refused = |problem: &str| Err(Error::Rate { problem: problem.to_owned() });
        if !(2..=SAMPLE_MAX).contains(&self.count) {
            let problem = format!("a sample has 2 to {SAMPLE_MAX} boards, found {}", self.count);
            return refused(&problem);
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
                    format!("{board} cannot be solved: leave it out, or name another goal");
                return refused(&problem);
            }
        }
        Ok(())
    }
}

/// Estimates of a heuristic on the first boards.
struct HeuristicSamples {
    name: String,
    sampled: Vec<u32>,
    table_bytes: Option<u64>,
    without_tables: bool,
    seconds: f64,
}

impl HeuristicSamples {
    /// Returns the largest estimates of all heuristics, on the boards that all have estimated.
    fn together(all: &[Self]) -> Option<Self> {
        let (first, others) = all.split_first().filter(|(_, others)| !others.is_empty())?;
        let mut sampled = first.sampled.clone();
        for other in others {
            sampled.truncate(other.sampled.len());
            for (largest, &estimate) in sampled.iter_mut().zip(&other.sampled) {
                *largest = estimate.max(*largest);
            }
        }
        Some(Self {
            name: TOGETHER.to_owned(),
            sampled,
            table_bytes: None,
            without_tables: all.iter().any(|rated| rated.without_tables),
            seconds: all.iter().map(|rated| rated.seconds).sum(),
        })
    }

    fn rating(
        &self,
        goal: &Goal,
        metric: Metric,
        boards: &[Board],
        rate: &RatingOptions,
    ) -> Rating {
        let sampled = &self.sampled;
        let estimates = || sampled.iter().map(|&estimate| f64::from(estimate));
        let estimate = Interval::of_mean(estimates());
        let manhattan = mean_manhattan(goal);
        let is_controlled = rate.boards.is_none() && metric == Metric::SingleTile;
        let controlled = is_controlled.then(|| {
            let distances = boards.iter().map(|board| f64::from(goal.manhattan_distance(board)));
            let rest = estimates().zip(distances).map(|(estimate, distance)| estimate - distance);
            Interval::of_mean(rest).plus(manhattan)
        });
        let variance = estimates().map(|value| (value - estimate.mean).powi(2)).sum::<f64>();
        let distribution = distribution(sampled);
        let quantile = |share: f64| {
            let found = distribution.iter().find(|count| count.at_most >= share - 1e-12);
            let found = found.or(distribution.last()).map_or(0, |count| count.estimate);
            Quantile { share, estimate: found }
        };
        Rating {
            name: self.name.clone(),
            goal: goal_name(goal),
            metric: metric.unusual_name(),
            boards: match &rate.boards {
                Some(set) => set.name.clone(),
                None => format!("random:{}:{}", sampled.len(), rate.seed),
            },
            board_count: sampled.len(),
            without_tables: self.without_tables,
            table_bytes: self.table_bytes,
            estimate,
            controlled,
            difference: None,
            manhattan,
            deviation: (variance / (sampled.len() as f64 - 1.0).max(1.0)).sqrt(),
            least: sampled.iter().copied().min().unwrap_or(0),
            greatest: sampled.iter().copied().max().unwrap_or(0),
            quantiles: QUANTILES.into_iter().map(quantile).collect(),
            distribution,
            seconds: self.seconds,
        }
    }
}

/// Returns the shares of the estimates.
fn distribution(estimates: &[u32]) -> Vec<EstimateCount> {
    let mut sorted = estimates.to_vec();
    sorted.sort_unstable();
    let share = |count: usize| count as f64 / estimates.len() as f64;
    let mut seen = 0;
    let counts = sorted.chunk_by(|a, b| a == b).map(|same| {
        seen += same.len();
        let (boards, at_most) = (same.len() as u64, share(seen));
        EstimateCount { estimate: same[0], boards, share: share(same.len()), at_most }
    });
    counts.collect()
}
