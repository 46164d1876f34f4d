//! A search for good partitions: connected patterns of given sizes whose mean estimate is large.
//!
//! No table is built for it. A partition is rated by a sample of boards, the value of each pattern of which is
//! searched for (`rate/pattern_cost.rs`); what is worked out for a pattern serves every partition that has it,
//! and so does what is worked out for its mirror image. Partitions are compared on the same boards, so that
//! their difference is told by few: 50 boards rule most exchanges out, and only what is about as good is compared
//! on more. The partitions that were found are rated once more, on boards that had no part in finding them.

mod bench;
mod climb;
mod sketch;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use pdb_core::{BLANK, BlankMode, CellSet, Goal, IndexError, PatternKey, Shape, TableKey};
use pdb_spec::Spec;
use serde::Serialize;

use self::bench::{Bench, Difference};
use self::climb::Climb;
use self::sketch::Sketch;
use crate::rate::{Ending, pattern_cost};
use crate::sets::Dice;
use crate::{Cancel, Error, Interval, Watch, goal_name};

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
/// Patterns have letters.
const PATTERNS_MAX: usize = 26;

/// How partitions are searched for.
///
/// ```
/// use tilebase::{Goal, PartitionSearch, Shape};
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
    /// Bytes that the tables may take, each counted once. Partitions that take no more are preferred.
    pub memory_bytes: Option<u64>,
    /// Whether mirror images are looked up too, where the board has them: the mean of the largest sum is then
    /// what is searched for. Default: they are.
    pub reflect: bool,
    /// Boards that the best partition is rated on at the end. Default: 4000.
    pub boards: usize,
    /// What boards and first partitions are drawn with. Default: 1.
    pub seed: u64,
    /// From how many partitions the search begins: one by rule, the others at random. Default: 6.
    pub starts: usize,
    /// How many partitions are wanted. Default: 1.
    pub count: usize,
    /// The time that the search has; what was found by then is rated. Default: any time.
    pub time: Option<Duration>,
    /// How many threads work. Default: one for each core.
    pub thread_count: usize,
    /// Who is told how far it is.
    pub watch: Watch,
    /// What stops the work.
    pub cancel: Cancel,
}

impl Default for PartitionSearch {
    fn default() -> Self {
        Self {
            sizes: Vec::new(),
            memory_bytes: None,
            reflect: true,
            boards: 4000,
            seed: 1,
            starts: 6,
            count: 1,
            time: None,
            thread_count: crate::core_count(),
            watch: Watch::default(),
            cancel: Cancel::new(),
        }
    }
}

/// What a [`PartitionSearch`] found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FoundPartitions {
    /// The partitions, the best first.
    pub best: Vec<FoundPartition>,
    /// How many partitions were compared.
    pub compared: u64,
    /// How many patterns were rated.
    pub patterns: u64,
    /// Whether the search was over before its time was.
    pub is_complete: bool,
    /// How long it took.
    pub elapsed: Duration,
}

/// A partition, and how good it is. It is an object for programs, too.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FoundPartition {
    /// The goal: its name, or the board.
    pub goal: String,
    /// Tiles of each pattern.
    pub sizes: Vec<usize>,
    /// The spec, as a file of it would be.
    pub toml: String,
    /// The mean estimate of all boards, mirror images included where they are looked up, on a sample that had
    /// no part in the search: see [`Rating::controlled`](crate::Rating::controlled).
    pub estimate: Interval,
    /// The same without mirror images.
    pub single: Interval,
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
    /// [`Error::Spec`] and [`Error::Rate`] when there is no such partition, [`Error::Interrupted`] when it is
    /// cancelled.
    pub fn run(&self, goal: &Goal) -> Result<FoundPartitions, Error> {
        let begun = Instant::now();
        let rule = self.check(goal)?;
        let ending = Ending::new(self.cancel.clone(), self.time);
        let mut tables = Tables::new(goal, self.memory_bytes);
        let bench = Bench::new(goal, SEARCH_BOARDS, self.seed, self.reflect, self.thread_count);
        let mut climb = Climb::new(&bench, &mut tables, &ending, &self.watch);
        let mut dice = Dice::new(self.seed);
        for start in 0..self.starts.max(1) {
            climb.begin(start, self.starts.max(1));
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
        let (compared, optima) = climb.finish()?;
        if ending.is_cancelled() {
            return Err(Error::Interrupted);
        }
        let is_complete = !ending.is_over();
        let wanted = self.count.max(1);
        let finalists = optima.into_iter().take(FINALISTS.max(wanted)).collect();
        // The last rating takes its time: a partition without a number is worth little.
        let last = Ending::new(self.cancel.clone(), None);
        let best = self.rate(goal, finalists, wanted, &mut tables, &last)?;
        Ok(FoundPartitions {
            best,
            compared,
            patterns: bench.pattern_count(),
            is_complete,
            elapsed: begun.elapsed(),
        })
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
        debug_assert!(self.sizes.len() <= PATTERNS_MAX, "the spec has letters for them");
        Ok(Sketch::of_spec(&rule))
    }

    /// Rates partitions on boards of their own, those that fall behind on fewer.
    fn rate(
        &self,
        goal: &Goal,
        mut left: Vec<Sketch>,
        wanted: usize,
        tables: &mut Tables,
        ending: &Ending,
    ) -> Result<Vec<FoundPartition>, Error> {
        let seed = self.seed ^ LAST_RATING;
        let bench = Bench::new(goal, self.boards, seed, self.reflect, self.thread_count);
        let mut count = FIRST_ROUND;
        loop {
            let mut scored = Vec::new();
            for sketch in left {
                let Some(scores) = bench.scores(&sketch, count, ending, &self.watch)? else {
                    return Err(Error::Interrupted);
                };
                let fits = tables.fits(&sketch)?;
                scored.push((sketch, scores, fits));
            }
            let order =
                |(_, scores, fits): &(Sketch, Vec<u32>, bool)| (*fits, scores.iter().sum::<u32>());
            scored.sort_unstable_by_key(|one| std::cmp::Reverse(order(one)));
            if count >= self.boards {
                let sketches = scored.into_iter().take(wanted).map(|(sketch, ..)| sketch);
                return sketches
                    .map(|sketch| self.found(goal, &sketch, &bench, tables, ending))
                    .collect();
            }
            // What is worse than the last one that is wanted, beyond doubt, is not rated any further.
            let last = scored.get(wanted - 1).map(|(_, scores, fits)| (scores.clone(), *fits));
            scored.retain(|(_, scores, fits)| {
                let Some((last, last_fits)) = &last else { return true };
                fits >= last_fits && !Difference::of(scores, last).is_surely_negative()
            });
            left = scored.into_iter().map(|(sketch, ..)| sketch).collect();
            count = (2 * count).min(self.boards);
        }
    }

    fn found(
        &self,
        goal: &Goal,
        sketch: &Sketch,
        bench: &Bench,
        tables: &mut Tables,
        ending: &Ending,
    ) -> Result<FoundPartition, Error> {
        let intervals = bench.intervals(sketch, self.boards, ending, &self.watch)?;
        let [estimate, single] = intervals.ok_or(Error::Interrupted)?;
        let spec = sketch.spec(goal, self.reflect)?;
        let (table_count, table_bytes) = tables.of(sketch)?;
        Ok(FoundPartition {
            goal: goal_name(goal),
            sizes: sketch.patterns.iter().map(|homes| homes.len()).collect(),
            toml: toml(&spec, self.reflect),
            estimate,
            single,
            board_count: self.boards,
            table_count,
            table_bytes,
            fits: tables.fits(sketch)?,
        })
    }
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

/// Which tables partitions need, and how large these are.
struct Tables {
    goal: Goal,
    limit: Option<u64>,
    /// Bytes by the number of tiles.
    bytes: BTreeMap<usize, u64>,
}

impl Tables {
    fn new(goal: &Goal, limit: Option<u64>) -> Self {
        Self { goal: *goal, limit, bytes: BTreeMap::new() }
    }

    /// The number of different tables, and their bytes.
    fn of(&mut self, sketch: &Sketch) -> Result<(usize, u64), Error> {
        let mut keys: Vec<TableKey> = Vec::new();
        let mut sum = 0;
        for &homes in &sketch.patterns {
            let blank = self.goal.home(BLANK);
            let key = PatternKey::new(self.goal.shape(), homes, blank, BlankMode::Aware);
            let (key, _) = key.map_err(|error| not_indexed(&error))?.canonical();
            let key = TableKey::Pattern(key);
            if keys.contains(&key) {
                continue;
            }
            keys.push(key);
            let known = self.bytes.get(&homes.len()).copied();
            let bytes =
                known.map_or_else(|| Ok(pdb_gen::estimate(&key)?.file_bytes), Ok::<_, Error>)?;
            self.bytes.insert(homes.len(), bytes);
            sum += bytes;
        }
        Ok((keys.len(), sum))
    }

    fn fits(&mut self, sketch: &Sketch) -> Result<bool, Error> {
        let Some(limit) = self.limit else { return Ok(true) };
        Ok(self.of(sketch)?.1 <= limit)
    }
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
