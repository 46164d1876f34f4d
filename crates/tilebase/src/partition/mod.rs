//! Search for good partitions: connected patterns of given sizes with a large mean estimate.
//!
//! The search builds no table. It rates a partition on a sample of boards, for which it searches
//! the value of each pattern ([`pattern_cost`]). The values of a pattern serve every
//! partition that contains the pattern or its mirror image. Partitions are compared on the same
//! boards, so that few boards show their difference: 50 boards rule out most exchanges, and only
//! similar partitions are compared on more. At the end, the best partitions are rated again, on
//! boards that had no part in the search.
//!
//! With several partitions that are looked up together, the first is searched alone, and each
//! further one by what it adds to those before it. Then each in turn is searched again beside all
//! others, until none improves.

mod bench;
mod climb;
mod sketch;
mod tables;

use std::time::Duration;

use pdb_clock::Instant;
use pdb_core::plan::{LOOKUPS_MAX, PARTITION_PATTERNS_MAX, PARTITIONS_MAX};
use pdb_core::region::region_of;
use pdb_core::{BLANK, BlankMode, CellSet, Goal, PatternKey, Shape, Symmetry};
use pdb_lab::pattern_cost;
use pdb_spec::Spec;
use serde::Serialize;

use self::bench::{Bench, Difference};
use self::climb::Climb;
use self::sketch::{Sketch, spec_of};
use self::tables::TableBudget;
use crate::cancel::Cancel;
use crate::error::Error;
use crate::event::Watch;
use crate::names::goal_name;
use crate::rate::{Deadline, Interval};
use crate::sets::Dice;

/// Number of boards of the sample for the search, which is the largest sample of a comparison.
const SEARCH_BOARDS: usize = 800;
/// Largest number of partitions that are rated at the end.
const FINALISTS: usize = 6;
/// Number of boards of the first round of this rating.
const FIRST_ROUND: usize = 250;
/// Changes the seed, so that the last rating has boards of its own.
const LAST_RATING: u64 = 0x7261_7465;
/// Number of partitions that are drawn to find one whose tables fit.
const DRAWS: usize = 5000;

/// Options of a search for partitions.
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
    /// Number of tiles of each pattern.
    pub sizes: Vec<usize>,
    /// Number of partitions that are looked up together: the largest of their sums is the estimate.
    /// The search finds fewer if no other one adds anything. Default: 1.
    pub partitions: usize,
    /// Memory limit for the tables, in bytes, each counted once. Partitions within it are
    /// preferred.
    pub memory_bytes: Option<u64>,
    /// Whether mirror images are looked up too, if the board has them: the search then maximizes
    /// the mean of the larger sum. Default: `true`.
    pub reflect: bool,
    /// Number of boards on which the best partition is rated at the end. Default: 4000.
    pub boards: usize,
    /// The seed of boards and starting partitions. Default: 1.
    pub seed: u64,
    /// Number of starting partitions of the search for each partition: one is made by a rule, the
    /// others are random. Default: 6.
    pub starts: usize,
    /// Number of results; each has `partitions` partitions. Default: 1.
    pub count: usize,
    /// Time limit. The search takes two thirds of it; in the rest, the partitions found by then are
    /// rated, if necessary on fewer boards. Default: none.
    pub time: Option<Duration>,
    /// Number of threads. Default: one for each core.
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
    /// Number of compared partitions.
    pub compared: u64,
    /// Number of rated patterns.
    pub patterns: u64,
    /// Whether the search ended before its time limit.
    pub is_complete: bool,
    /// Total time.
    pub elapsed: Duration,
}

/// A partition, or several that are looked up together, with their quality. It can be serialized
/// for programs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RatedPartition {
    /// The goal's name, or the goal as a board.
    pub goal: String,
    /// Number of tiles of each pattern.
    pub sizes: Vec<usize>,
    /// The spec, as the text of a file.
    pub toml: String,
    /// The mean estimate of all boards, including mirror images if they are looked up, on a sample
    /// that had no part in the search: see [`Rating::controlled`](crate::rate::Rating::controlled).
    pub estimate: Interval,
    /// The same without mirror images.
    pub single: Interval,
    /// The same for each partition alone, including mirror images, in the order of the spec.
    pub alone: Vec<Interval>,
    /// Number of boards of that sample.
    pub board_count: usize,
    /// Number of different tables; patterns that a symmetry maps onto each other share one.
    pub table_count: usize,
    /// Size of these tables on disk and in memory, in bytes.
    pub table_bytes: u64,
    /// Whether the tables are within the memory limit.
    pub fits: bool,
}

impl PartitionSearch {
    /// Searches for partitions of the tiles of a goal.
    ///
    /// # Errors
    /// [`Error::Spec`] and [`Error::Rate`] when such a partition is impossible,
    /// [`Error::Interrupted`] when the search is cancelled.
    pub fn run(&self, goal: &Goal) -> Result<PartitionResults, Error> {
        let begun = Instant::now();
        let rule = self.check(goal)?;
        let last = Deadline::new(self.cancel.clone(), self.time);
        let deadline = Deadline::new(self.cancel.clone(), self.time.map(|time| time * 2 / 3));
        let tables = TableBudget::new(goal, self.memory_bytes);
        let bench = self.bench(goal, SEARCH_BOARDS, self.seed);
        let mut climb = Climb::new(&bench, tables, &self.watch, deadline.clone());
        let mut found = self.collect(goal, &rule, &mut climb, &deadline)?;
        let is_complete = !deadline.is_over() && !climb.was_cut;
        climb.beside(&[], deadline.clone());
        found = climb.ranked(found)?;
        let (compared, mut tables) = climb.finish();
        if deadline.is_cancelled() {
            return Err(Error::Interrupted);
        }
        let wanted = self.count.max(1);
        found.truncate(FINALISTS.max(wanted));
        let best = self.rate(goal, found, wanted, &mut tables, &last)?;
        Ok(PartitionResults {
            best,
            compared,
            patterns: bench.pattern_count(),
            is_complete,
            elapsed: begun.elapsed(),
        })
    }

    /// Finds partitions that are looked up together: each element of the result consists of
    /// `partitions` of them.
    fn collect(
        &self,
        goal: &Goal,
        rule: &Sketch,
        climb: &mut Climb<'_>,
        deadline: &Deadline,
    ) -> Result<Vec<Vec<Sketch>>, Error> {
        let mut dice = Dice::new(self.seed);
        let wanted = self.partitions.max(1);
        let starts = self.starts.max(1);
        let mut collection: Vec<Sketch> = Vec::new();
        let mut found: Vec<Vec<Sketch>> = Vec::new();
        // 1. Adds one after another. Each has its share of the memory and of the time; one share of
        //    the time is left for step 2.
        for place in 0..wanted {
            let share = |bytes: u64| bytes / wanted as u64 * (place as u64 + 1);
            climb.limit(self.memory_bytes.map(share));
            let shares = wanted - place + usize::from(wanted > 1);
            let deadline = deadline.share(shares as u32);
            climb.beside(&collection, deadline.clone());
            for start in 0..starts {
                climb.begin(place * starts + start, wanted * starts);
                let random = |dice: &mut Dice| {
                    Sketch::random(goal, &self.sizes, dice, &|| deadline.is_over())
                };
                let first = if start == 0 { Some(rule.clone()) } else { random(&mut dice) };
                let Some(mut first) = first else { break };
                // Partitions that share tables are rare, and drawing one is cheap.
                for _ in 0..DRAWS {
                    if climb.fits(&first)? || deadline.is_over() {
                        break;
                    }
                    match random(&mut dice) {
                        Some(other) if climb.is_smaller(&other, &first)? => first = other,
                        Some(_) => (),
                        None => break,
                    }
                }
                climb.up(first, &mut dice)?;
                if deadline.is_over() {
                    break;
                }
            }
            climb.limit(self.memory_bytes);
            let optima = climb.optima()?;
            let Some(best) = optima.first() else { break };
            if !collection.is_empty() && !climb.is_better(best, &collection)? {
                break;
            }
            collection.clone_from(best);
            found = optima;
        }
        // 2. Replaces each in turn by a better one beside all others, until none is found. If no
        //    two partitions have tables that fit, the single one now has all of the memory.
        let mut same = 0;
        while wanted > 1 && same < collection.len() && !deadline.is_over() {
            let mut others = collection.clone();
            let first = others.remove(0);
            climb.beside(&others, deadline.clone());
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
        Bench::new(goal, count, seed, self.reflect, self.thread_count)
    }

    /// Checks the options, and returns the partition that the rule makes.
    fn check(&self, goal: &Goal) -> Result<Sketch, Error> {
        // The spec's own errors say what the sum of the sizes has to be.
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
                "expected at least {FIRST_ROUND} boards to compare partitions, found {}: name more",
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
        debug_assert!(self.sizes.len() <= PARTITION_PATTERNS_MAX, "the spec has letters for them");
        Ok(Sketch::of_spec(&rule))
    }

    /// Rates partitions on boards of their own; inferior ones on fewer boards, and all of them if
    /// the time is over. The first round is not limited in time: a partition without an estimate is
    /// worth little.
    fn rate(
        &self,
        goal: &Goal,
        mut left: Vec<Vec<Sketch>>,
        wanted: usize,
        tables: &mut TableBudget,
        deadline: &Deadline,
    ) -> Result<Vec<RatedPartition>, Error> {
        let bench = self.bench(goal, self.boards, self.seed ^ LAST_RATING);
        let (mut rated_count, mut count) = (0, FIRST_ROUND);
        let untimed = deadline.untimed();
        'rounds: while rated_count < self.boards {
            let mut scored = Vec::new();
            for collection in &left {
                let deadline = if rated_count == 0 { &untimed } else { deadline };
                match bench.scores(collection, count, deadline, &self.watch)? {
                    Some(scores) => {
                        scored.push((collection.clone(), scores, tables.fits(collection)?));
                    }
                    None if deadline.is_cancelled() => return Err(Error::Interrupted),
                    None => break 'rounds,
                }
            }
            let sum = |scores: &[f64]| scores.iter().sum::<f64>();
            scored.sort_by(|(_, one, one_fits), (_, other, other_fits)| {
                other_fits.cmp(one_fits).then(sum(other).total_cmp(&sum(one)))
            });
            // Drops partitions that are certainly worse than the last result.
            let last = scored.get(wanted - 1).map(|(_, scores, fits)| (scores.clone(), *fits));
            scored.retain(|(_, scores, fits)| {
                let Some((last, last_fits)) = &last else { return true };
                fits >= last_fits && !Difference::of(scores, last).is_surely_negative()
            });
            left = scored.into_iter().map(|(collection, ..)| collection).collect();
            rated_count = count;
            count = (2 * count).min(self.boards);
        }
        let best = left.into_iter().take(wanted);
        let rate = |collection| self.rated(goal, collection, &bench, rated_count, tables, &untimed);
        best.map(rate).collect()
    }

    fn rated(
        &self,
        goal: &Goal,
        collection: Vec<Sketch>,
        bench: &Bench,
        board_count: usize,
        tables: &mut TableBudget,
        deadline: &Deadline,
    ) -> Result<RatedPartition, Error> {
        let means = |collection: &[Sketch]| {
            let means = bench.means(collection, board_count, deadline, &self.watch)?;
            means.ok_or(Error::Interrupted)
        };
        let mut alone = Vec::new();
        for sketch in collection {
            let [estimate, _] = means(std::slice::from_ref(&sketch))?;
            alone.push((estimate, sketch));
        }
        // Sorts the best one first.
        alone.sort_by(|(one, _), (other, _)| other.mean.total_cmp(&one.mean));
        let (alone, collection): (Vec<Interval>, Vec<Sketch>) = alone.into_iter().unzip();
        let [estimate, single] = means(&collection)?;
        let spec = spec_of(&collection, goal, self.reflect)?;
        let (table_count, table_bytes) = tables.of(&collection)?;
        Ok(RatedPartition {
            goal: goal_name(goal),
            sizes: collection[0].patterns.iter().map(|homes| homes.len()).collect(),
            toml: toml(spec, self.reflect),
            estimate,
            single,
            alone,
            board_count,
            table_count,
            table_bytes,
            fits: tables.fits(&collection)?,
        })
    }
}

/// Returns the symmetries whose images are looked up: the identity first, then those that keep the
/// blank's home, if mirror images are looked up.
fn mirrors(goal: &Goal, reflect: bool) -> impl Iterator<Item = Symmetry> {
    let count = if reflect { usize::MAX } else { 1 };
    goal.mirrors().take(count)
}

/// Returns the spec as the text of a file, with or without mirror images.
fn toml(spec: Spec, reflect: bool) -> String {
    let has_mirror = spec.for_goal(&spec.goal) != spec.for_goal_unmirrored(&spec.goal);
    let mut text = spec.toml;
    if !reflect && has_mirror {
        text.push_str("reflect = false\n");
    }
    text
}

/// Returns the key of a pattern's table.
fn key_of(goal: &Goal, homes: CellSet) -> Result<PatternKey, Error> {
    let key = PatternKey::new(goal.shape(), homes, goal.home(BLANK), BlankMode::Aware);
    key.map_err(|error| Error::Rate { problem: error.to_string() })
}

/// Returns whether the cells are connected.
fn is_connected(shape: Shape, cells: CellSet) -> bool {
    cells.first().is_none_or(|first| region_of(shape, cells, first) == cells)
}
