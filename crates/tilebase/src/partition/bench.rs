//! A sample of boards, and the quality of patterns and partitions on it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use pdb_core::{Board, Cell, CellSet, Goal, Symmetry};
use pdb_lab::pattern_cost::{ExcessTables, PatternCost, SearchMemory};

use super::sketch::Sketch;
use super::{key_of, mirrors};
use crate::error::Error;
use crate::event::Watch;
use crate::rate::{Deadline, Interval, each, sampled};
use crate::sets::{BoardSet, mean_manhattan};
use crate::sync::lock;

/// Number of boards of a pattern that a thread evaluates at once.
const CHUNK: usize = 10;

/// A sample of boards.
pub(super) struct Bench {
    pub(super) goal: Goal,
    boards: Vec<Board>,
    /// The mean Manhattan distance of all boards.
    manhattan: f64,
    /// The identity first, then the symmetries that keep the blank's home, if mirror images are
    /// looked up.
    pub(super) mirrors: Vec<Symmetry>,
    parts: ExcessTables,
    /// Excess of the first boards, by home cells.
    known: Mutex<BTreeMap<CellSet, Vec<u8>>>,
    thread_count: usize,
}

impl Bench {
    pub(super) fn new(
        goal: &Goal,
        count: usize,
        seed: u64,
        reflect: bool,
        thread_count: usize,
    ) -> Self {
        Self {
            goal: *goal,
            boards: BoardSet::random(goal, count, seed).boards,
            manhattan: mean_manhattan(goal),
            mirrors: mirrors(goal, reflect).collect(),
            parts: ExcessTables::default(),
            known: Mutex::default(),
            thread_count,
        }
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<CellSet, Vec<u8>>> {
        lock(&self.known)
    }

    /// Returns the number of rated patterns.
    pub(super) fn pattern_count(&self) -> u64 {
        self.known().len() as u64
    }

    /// Evaluates missing patterns on the first boards. Returns whether all are complete.
    fn fill(
        &self,
        patterns: &[CellSet],
        count: usize,
        deadline: &Deadline,
        watch: &Watch,
    ) -> Result<bool, Error> {
        let mut wanted = Vec::new();
        for &homes in patterns {
            let there = self.known().get(&homes).map_or(0, Vec::len);
            if there < count && wanted.iter().all(|(known, ..): &(CellSet, _, _)| *known != homes) {
                let key = key_of(&self.goal, homes)?;
                wanted.push((homes, there, sampled(&key, &self.parts)));
            }
            if deadline.is_cancelled() {
                return Err(Error::Interrupted);
            }
        }
        let mut jobs = Vec::new();
        for (place, (_, there, _)) in wanted.iter().enumerate() {
            let firsts = (*there..count).step_by(CHUNK);
            jobs.extend(firsts.map(|first| (place, first, count.min(first + CHUNK))));
        }
        let work = |job: usize, scratch: &mut SearchMemory, stop: &dyn Fn() -> bool| {
            let (place, first, end) = jobs[job];
            let pattern = &wanted[place].2;
            let boards = self.boards[first..end].iter();
            Ok(boards.map(|board| self.excess(pattern, board, scratch, stop)).collect())
        };
        let found: Vec<Vec<u8>> = each(jobs.len(), self.thread_count, deadline, watch, "", &work)?;
        let is_whole = found.len() == jobs.len();
        let mut known = self.known();
        for ((place, first, _), excess) in jobs.iter().zip(found) {
            let row = known.entry(wanted[*place].0).or_default();
            // Values after a gap would belong to another board.
            if row.len() == *first {
                row.extend(excess);
            }
        }
        Ok(is_whole)
    }

    fn excess(
        &self,
        pattern: &PatternCost,
        board: &Board,
        scratch: &mut SearchMemory,
        stop: &dyn Fn() -> bool,
    ) -> Option<u8> {
        let by_tile = board.cells_by_tile();
        let cell = |&home: &Cell| by_tile[usize::from(self.goal.board().tile(home))];
        let cells: Vec<Cell> = pattern.homes().iter().map(cell).collect();
        let value = pattern.value(&cells, board.blank(), scratch, stop)?;
        let shape = self.goal.shape();
        let distances = cells.iter().zip(pattern.homes()).map(|(&a, &b)| shape.distance(a, b));
        Some(((value - distances.sum::<u32>()) / 2) as u8)
    }

    /// Returns the largest excess of partitions and their mirror images on the first boards, and
    /// that of the partitions as they are drawn; `None` if the time is over.
    fn largest(
        &self,
        collection: &[Sketch],
        count: usize,
        deadline: &Deadline,
        watch: &Watch,
    ) -> Result<Option<[Vec<u32>; 2]>, Error> {
        let image_of = |mirror| collection.iter().map(move |sketch: &Sketch| sketch.image(mirror));
        let images: Vec<Sketch> = self.mirrors.iter().flat_map(image_of).collect();
        let patterns: Vec<CellSet> = images.iter().flat_map(|i| i.patterns.clone()).collect();
        if !self.fill(&patterns, count, deadline, watch)? {
            return Ok(None);
        }
        let known = self.known();
        let largest = |images: &[Sketch]| {
            let mut largest = vec![0; count];
            for image in images {
                let rows: Vec<&Vec<u8>> =
                    image.patterns.iter().map(|homes| &known[homes]).collect();
                for (at, largest) in largest.iter_mut().enumerate() {
                    let sum: u32 = rows.iter().map(|row| u32::from(row[at])).sum();
                    *largest = sum.max(*largest);
                }
            }
            largest
        };
        // The identity's images come first.
        Ok(Some([largest(&images), largest(&images[..collection.len()])]))
    }

    /// Returns the moves beyond the Manhattan distance of partitions that are looked up together,
    /// for each of the first boards.
    pub(super) fn scores(
        &self,
        collection: &[Sketch],
        count: usize,
        deadline: &Deadline,
        watch: &Watch,
    ) -> Result<Option<Vec<f64>>, Error> {
        let count = count.min(self.boards.len());
        let found = self.largest(collection, count, deadline, watch)?;
        Ok(found.map(|[largest, _]| moves(&largest).collect()))
    }

    /// Returns the mean estimate of partitions that are looked up together on the first boards of
    /// the sample, and the same without mirror images.
    pub(super) fn means(
        &self,
        collection: &[Sketch],
        count: usize,
        deadline: &Deadline,
        watch: &Watch,
    ) -> Result<Option<[Interval; 2]>, Error> {
        let found = self.largest(collection, count, deadline, watch)?;
        let mean = |excess: Vec<u32>| Interval::of_mean(moves(&excess)).plus(self.manhattan);
        Ok(found.map(|excess| excess.map(mean)))
    }

    /// Returns the mean estimate that scores stand for.
    pub(super) fn estimate(&self, scores: &[f64]) -> f64 {
        self.manhattan + scores.iter().sum::<f64>() / scores.len().max(1) as f64
    }
}

/// Returns the moves of estimates beyond the Manhattan distance. Sums of whole numbers are exact.
fn moves(excess: &[u32]) -> impl Iterator<Item = f64> + Clone {
    excess.iter().map(|&excess| 2.0 * f64::from(excess))
}

/// Advantage of one partition over another on the same boards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference {
    pub(super) mean: f64,
    /// The standard error of the mean.
    error: f64,
}

impl Difference {
    pub(super) fn of(one: &[f64], other: &[f64]) -> Self {
        let differences = || one.iter().zip(other).map(|(&a, &b)| a - b);
        let count = one.len().min(other.len()) as f64;
        let mean = differences().sum::<f64>() / count;
        let squares = differences().map(|d| (d - mean).powi(2)).sum::<f64>();
        Self { mean, error: (squares / (count - 1.0) / count).sqrt() }
    }

    pub(super) fn is_surely_positive(&self) -> bool {
        self.mean > 2.0 * self.error
    }

    pub(super) fn is_surely_negative(&self) -> bool {
        self.mean < -2.0 * self.error
    }
}
