//! A search for good partitions: connected patterns of given sizes whose mean estimate is large.
//!
//! No table is built for it. A partition is rated by a sample of boards, the value of each pattern
//! of which is searched for (`rate/pattern_cost.rs`); what is worked out for a pattern serves every
//! partition that has it, and so does what is worked out for its mirror image. Partitions are
//! compared on the same boards, so that a few boards show their difference: 50 rule most exchanges
//! out, and only similar partitions are compared on more. The partitions that were found are rated
//! once more, on boards that had no part in finding them.
//!
//! Of several partitions that are looked up together the first one is searched for as if it were
//! alone, each further one by what it adds to those before it. Then each in turn is searched for
//! again beside all others, until none gets better.

mod bench;
mod climb;
mod sketch;
mod tables;

use std::time::Duration;

use pdb_clock::Instant;
use pdb_core::plan::{LOOKUPS_MAX, PARTITION_PATTERNS_MAX, PARTITIONS_MAX};
use pdb_core::{CellSet, Goal, IndexError, Shape, Symmetry};
use pdb_spec::Spec;
use serde::Serialize;

use self::bench::{Bench, Difference, Worth};
use self::climb::Climb;
use self::sketch::{Sketch, spec_of};
use self::tables::Tables;
use crate::cancel::Cancel;
use crate::error::Error;
use crate::event::Watch;
use crate::names::goal_name;
use crate::rate::{Ending, Interval, pattern_cost};
use crate::sets::Dice;

/// Boards of the sample that partitions are searched with; the largest sample of a comparison.
const SEARCH_BOARDS: usize = 800;
/// Partitions that are rated at the end, at most.
const FINALISTS: usize = 6;
/// Boards of the first round of that.
const FIRST_ROUND: usize = 250;
/// Of a seed, so that the last rating has boards of its own.
const LAST_RATING: u64 = 0x7261_7465;
/// Partitions that are drawn to find one whose tables fit.
const DRAWS: usize = 5000;

/// Objective of a search for partitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PartitionAim {
    /// The mean estimate of all boards.
    #[default]
    Mean,
    /// The estimate that tells the nodes which IDA\* expects: see
    /// [`NodePrediction::effective`](crate::rate::NodePrediction::effective). Small estimates count
    /// most.
    Nodes,
}

/// How partitions are searched for.
///
/// ```
/// use tilebase::{Goal, Shape};
/// use tilebase::partition::PartitionSearch;
///
/// let goal = Goal::blank_last(Shape::new(3, 3)?);
/// let search = PartitionSearch { sizes: vec![4, 4], boards: 500, ..PartitionSearch::default() };
/// let found = search.run(&goal)?;
/// assert!(found.best[0].estimate.mean > 19.0);
/// assert!(found.best[0].toml.contains("partition"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PartitionSearch {
    /// Tiles of each pattern.
    pub sizes: Vec<usize>,
    /// How many partitions are looked up together: the largest of their sums is the estimate. Fewer
    /// are found where no other one adds anything. Default: 1.
    pub partitions: usize,
    /// The objective. Default: the mean estimate.
    pub aim: PartitionAim,
    /// Bytes that the tables may take, each counted once. Partitions that take no more are
    /// preferred.
    pub memory_bytes: Option<u64>,
    /// Whether mirror images are looked up too, where the board has them: the mean of the largest
    /// sum is then what is searched for. Default: they are.
    pub reflect: bool,
    /// Boards that the best partition is rated on at the end. Where the nodes are the aim, as many
    /// are drawn by their distance besides. Default: 4000.
    pub boards: usize,
    /// The seed of boards and starting partitions. Default: 1.
    pub seed: u64,
    /// From how many partitions the search for each one begins: one by rule, the others at random.
    /// Default: 6.
    pub starts: usize,
    /// Number of results; each has `partitions` partitions. Default: 1.
    pub count: usize,
    /// The time that the search has; what was found by then is rated. Default: any time.
    pub time: Option<Duration>,
    /// How many threads work. Default: one for each core.
    pub thread_count: usize,
    /// Receiver of progress.
    pub watch: Watch,
    /// Stops the work.
    pub cancel: Cancel,
}

impl Default for PartitionSearch {
    fn default() -> Self {
        Self {
            sizes: Vec::new(),
            partitions: 1,
            aim: PartitionAim::default(),
            memory_bytes: None,
            reflect: true,
            boards: 4000,
            seed: 1,
            starts: 6,
            count: 1,
            time: None,
            thread_count: crate::shelf::core_count(),
            watch: Watch::default(),
            cancel: Cancel::new(),
        }
    }
}

/// Results of a [`PartitionSearch`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PartitionResults {
    /// The partitions, the best first.
    pub best: Vec<RatedPartition>,
    /// How many partitions were compared.
    pub compared: u64,
    /// How many patterns were rated.
    pub patterns: u64,
    /// Whether the search was over before its time was.
    pub is_complete: bool,
    /// How long it took.
    pub elapsed: Duration,
}

/// A partition, or several that are looked up together, and how good that is. It is an object for
/// programs, too.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RatedPartition {
    /// The goal: its name, or the board.
    pub goal: String,
    /// Tiles of each pattern.
    pub sizes: Vec<usize>,
    /// The spec, as a file of it would be.
    pub toml: String,
    /// The mean estimate of all boards, mirror images included where they are looked up, on a
    /// sample that had no part in the search: see
    /// [`Rating::controlled`](crate::rate::Rating::controlled).
    pub estimate: Interval,
    /// The same without mirror images.
    pub single: Interval,
    /// The same of each partition by itself, mirror images included, in the order of the spec.
    pub alone: Vec<Interval>,
    /// The estimate that tells the nodes which IDA\* expects, where that was the aim: see
    /// [`NodePrediction::effective`](crate::rate::NodePrediction::effective).
    pub effective: Option<Interval>,
    /// Boards of that sample.
    pub board_count: usize,
    /// Different tables; patterns that a symmetry maps onto each other share one.
    pub table_count: usize,
    /// Bytes of these on disk and in memory.
    pub table_bytes: u64,
    /// Whether they take no more than was allowed.
    pub fits: bool,
}

impl PartitionSearch {
    /// Searches for partitions of the tiles of a goal.
    ///
    /// # Errors
    /// [`Error::Spec`] and [`Error::Rate`] when there is no such partition, [`Error::Interrupted`]
    /// when it is cancelled.
    pub fn run(&self, goal: &Goal) -> Result<PartitionResults, Error> {
        let begun = Instant::now();
        let rule = self.check(goal)?;
        let ending = Ending::new(self.cancel.clone(), self.time);
        let tables = Tables::new(goal, self.memory_bytes);
        let bench = self.bench(goal, SEARCH_BOARDS, self.seed);
        let mut climb = Climb::new(&bench, tables, &self.watch, ending.clone());
        let mut found = self.collect(goal, &rule, &mut climb, &ending)?;
        let is_complete = !ending.is_over() && !climb.was_cut;
        climb.beside(&[], ending.clone());
        found = climb.ranked(found)?;
        let (compared, mut tables) = climb.finish();
        if ending.is_cancelled() {
            return Err(Error::Interrupted);
        }
        let wanted = self.count.max(1);
        found.truncate(FINALISTS.max(wanted));
        // The last rating takes its time: a partition without a number is worth little.
        let last = Ending::new(self.cancel.clone(), None);
        let best = self.rate(goal, found, wanted, &mut tables, &last)?;
        Ok(PartitionResults {
            best,
            compared,
            patterns: bench.pattern_count(),
            is_complete,
            elapsed: begun.elapsed(),
        })
    }

    /// Finds partitions that are looked up together: each element of the result has `partitions` of
    /// them.
    fn collect(
        &self,
        goal: &Goal,
        rule: &Sketch,
        climb: &mut Climb<'_>,
        ending: &Ending,
    ) -> Result<Vec<Vec<Sketch>>, Error> {
        let mut dice = Dice::new(self.seed);
        let wanted = self.partitions.max(1);
        let starts = self.starts.max(1);
        let mut collection: Vec<Sketch> = Vec::new();
        let mut found: Vec<Vec<Sketch>> = Vec::new();
        // 1. One after another is added. Each has its share of the memory and of the time; one
        //    share of the time is left for step 2.
        for place in 0..wanted {
            climb.limit(|bytes| bytes / wanted as u64 * (place as u64 + 1));
            let shares = wanted - place + usize::from(wanted > 1);
            let ending = ending.share(shares as u32);
            climb.beside(&collection, ending.clone());
            for start in 0..starts {
                climb.begin(place * starts + start, wanted * starts);
                let random =
                    |dice: &mut Dice| Sketch::random(goal, &self.sizes, dice, &|| ending.is_over());
                let first = if start == 0 { Some(rule.clone()) } else { random(&mut dice) };
                let Some(mut first) = first else { break };
                // Partitions that share tables are rare, and drawing one costs little.
                for _ in 0..DRAWS {
                    if climb.fits(&first)? || ending.is_over() {
                        break;
                    }
                    match random(&mut dice) {
                        Some(other) if climb.is_smaller(&other, &first)? => first = other,
                        Some(_) => (),
                        None => break,
                    }
                }
                climb.up(first, &mut dice)?;
                if ending.is_over() {
                    break;
                }
            }
            climb.limit(|bytes| bytes);
            let optima = climb.optima()?;
            let Some(best) = optima.first() else { break };
            if !collection.is_empty() && !climb.is_better(best, &collection)? {
                break;
            }
            collection.clone_from(best);
            found = optima;
        }
        // 2. Each in turn is exchanged for a better one beside all others, until none is found.
        //    Where only one has tables that fit, it has all of the memory now.
        let mut same = 0;
        while wanted > 1 && same < collection.len() && !ending.is_over() {
            let mut others = collection.clone();
            let first = others.remove(0);
            climb.beside(&others, ending.clone());
            climb.up(first.clone(), &mut dice)?;
            // The next one comes to the front.
            collection = [others, vec![first]].concat();
            same += 1;
            if let Some(best) = climb.optima()?.first()
                && climb.is_better(best, &collection)?
            {
                collection.clone_from(best);
                found.push(best.clone());
                same = 0;
            }
        }
        Ok(found)
    }

    fn bench(&self, goal: &Goal, count: usize, seed: u64) -> Bench {
        let worth = Worth::new(goal, self.aim);
        Bench::new(goal, worth, count, seed, self.reflect, self.thread_count)
    }

    /// Says what cannot be, and gives the partition that a rule makes.
    fn check(&self, goal: &Goal) -> Result<Sketch, Error> {
        // The spec's own errors say what the sizes have to come to.
        let rule = pdb_spec::generated(goal, &self.sizes)?;
        let refused = |problem: String| Err(Error::Rate { problem });
        if let Some(size) = self.sizes.iter().find(|size| **size > pattern_cost::TILE_COUNT_MAX) {
            return refused(format!(
                "a pattern of {size} tiles cannot be rated without its table: name sizes of at most {}",
                pattern_cost::TILE_COUNT_MAX
            ));
        }
        if self.boards < FIRST_ROUND {
            return refused(format!(
                "partitions are told apart by {FIRST_ROUND} boards at least, found {}: name more",
                self.boards
            ));
        }
        let images = self.partitions * mirrors(goal, self.reflect).count();
        let patterns = images * self.sizes.len();
        if self.partitions > 1 && (images > PARTITIONS_MAX || patterns > LOOKUPS_MAX) {
            return refused(format!(
                "{PARTITIONS_MAX} partitions of {LOOKUPS_MAX} patterns in all are the most that are looked up \
                 together, mirror images included, found {images} of {patterns}: name fewer"
            ));
        }
        if self.aim == PartitionAim::Nodes && goal.shape().cell_count() <= 4 {
            return refused(format!(
                "on {} cells the tree of moves does not grow: search by the mean estimate",
                goal.shape()
            ));
        }
        debug_assert!(self.sizes.len() <= PARTITION_PATTERNS_MAX, "the spec has letters for them");
        Ok(Sketch::of_spec(&rule))
    }

    /// Rates partitions on boards of their own, those that fall behind on fewer.
    fn rate(
        &self,
        goal: &Goal,
        mut left: Vec<Vec<Sketch>>,
        wanted: usize,
        tables: &mut Tables,
        ending: &Ending,
    ) -> Result<Vec<RatedPartition>, Error> {
        let bench = self.bench(goal, self.boards, self.seed ^ LAST_RATING);
        let mut count = FIRST_ROUND;
        loop {
            let mut scored = Vec::new();
            for collection in left {
                let Some(scores) = bench.scores(&collection, count, ending, &self.watch)? else {
                    return Err(Error::Interrupted);
                };
                let fits = tables.fits(&collection)?;
                scored.push((collection, scores, fits));
            }
            let sum = |scores: &[f64]| scores.iter().sum::<f64>();
            scored.sort_by(|(_, one, one_fits), (_, other, other_fits)| {
                other_fits.cmp(one_fits).then(sum(other).total_cmp(&sum(one)))
            });
            if count >= self.boards {
                let best = scored.into_iter().take(wanted);
                return best
                    .map(|(collection, ..)| self.found(goal, collection, &bench, tables, ending))
                    .collect();
            }
            // Drops partitions that are certainly worse than the last result.
            let last = scored.get(wanted - 1).map(|(_, scores, fits)| (scores.clone(), *fits));
            scored.retain(|(_, scores, fits)| {
                let Some((last, last_fits)) = &last else { return true };
                fits >= last_fits && !Difference::of(scores, last).is_surely_negative()
            });
            left = scored.into_iter().map(|(collection, ..)| collection).collect();
            count = (2 * count).min(self.boards);
        }
    }

    fn found(
        &self,
        goal: &Goal,
        collection: Vec<Sketch>,
        bench: &Bench,
        tables: &mut Tables,
        ending: &Ending,
    ) -> Result<RatedPartition, Error> {
        let numbers = |collection: &[Sketch]| {
            bench.numbers(collection, ending, &self.watch)?.ok_or(Error::Interrupted)
        };
        let mut alone = Vec::new();
        for sketch in collection {
            alone.push((numbers(std::slice::from_ref(&sketch))?.estimate, sketch));
        }
        // The best one first.
        alone.sort_by(|(one, _), (other, _)| other.mean.total_cmp(&one.mean));
        let (alone, collection): (Vec<Interval>, Vec<Sketch>) = alone.into_iter().unzip();
        let numbers = numbers(&collection)?;
        let spec = spec_of(&collection, goal, self.reflect)?;
        let (table_count, table_bytes) = tables.of(&collection)?;
        Ok(RatedPartition {
            goal: goal_name(goal),
            sizes: collection[0].patterns.iter().map(|homes| homes.len()).collect(),
            toml: toml(&spec, self.reflect),
            estimate: numbers.estimate,
            single: numbers.single,
            alone,
            effective: numbers.effective,
            board_count: self.boards,
            table_count,
            table_bytes,
            fits: tables.fits(&collection)?,
        })
    }
}

/// The symmetries whose images are looked up: the identity first, then what leaves the blank's home
/// in place, if mirror images are.
fn mirrors(goal: &Goal, reflect: bool) -> impl Iterator<Item = Symmetry> {
    let count = if reflect { usize::MAX } else { 1 };
    goal.mirrors().take(count)
}

/// The spec as a file, with mirror images or without.
fn toml(spec: &Spec, reflect: bool) -> String {
    let mut text = spec.to_toml();
    let has_mirror = spec.for_goal(&spec.goal) != spec.for_goal_unmirrored(&spec.goal);
    if !reflect && has_mirror && !text.contains("reflect") {
        text.push_str("reflect = false\n");
    }
    text
}

fn not_indexed(problem: &IndexError) -> Error {
    Error::Rate { problem: problem.to_string() }
}

/// Whether all cells hang together.
fn is_connected(shape: Shape, cells: CellSet) -> bool {
    let Some(first) = cells.first() else { return true };
    let mut part = CellSet::single(first);
    loop {
        let grown = CellSet(shape.grown(part).0 & cells.0);
        if grown == part {
            return part == cells;
        }
        part = grown;
    }
}
