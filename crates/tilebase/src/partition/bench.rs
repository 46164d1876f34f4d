//! A sample of boards, and what patterns and partitions are worth on it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pdb_core::{BLANK, BlankMode, Board, Cell, CellSet, Goal, PatternKey, Symmetry};

use super::sketch::Sketch;
use crate::rate::pattern_cost::{Parts, PatternCost, Scratch};
use crate::rate::{Ending, each, mean_manhattan};
use crate::sets::{Dice, random_board};
use crate::{Error, Interval, Watch};

/// Boards that a thread works out for a pattern at once.
const CHUNK: usize = 10;

/// A sample of boards.
pub(super) struct Bench {
    pub(super) goal: Goal,
    boards: Vec<Board>,
    /// The identity first, then what leaves the blank's home in place, if mirror images are looked up.
    pub(super) mirrors: Vec<Symmetry>,
    parts: Parts,
    /// By home cells: the excess of the first boards.
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
        let mut dice = Dice::new(seed);
        let (shape, blank) = (goal.shape(), goal.home(BLANK));
        let identity = Symmetry::identity(shape);
        let stays =
            |s: &Symmetry| s.to_shape() == shape && s.cell(blank) == blank && *s != identity;
        let others = Symmetry::all(shape).filter(|s| reflect && stays(s));
        Self {
            goal: *goal,
            boards: (0..count).map(|_| random_board(goal, &mut dice)).collect(),
            mirrors: [identity].into_iter().chain(others).collect(),
            parts: Parts::default(),
            known: Mutex::default(),
            thread_count,
        }
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<CellSet, Vec<u8>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many patterns were rated.
    pub(super) fn pattern_count(&self) -> u64 {
        self.known().len() as u64
    }

    /// Works out what is missing of patterns on the first boards; says whether nothing is.
    fn fill(
        &self,
        patterns: &[CellSet],
        count: usize,
        ending: &Ending,
        watch: &Watch,
    ) -> Result<bool, Error> {
        let mut wanted = Vec::new();
        for &homes in patterns {
            let there = self.known().get(&homes).map_or(0, Vec::len);
            if there < count && wanted.iter().all(|(known, ..): &(CellSet, _, _)| *known != homes) {
                let blank = self.goal.home(BLANK);
                let key = PatternKey::new(self.goal.shape(), homes, blank, BlankMode::Aware)
                    .map_err(|error| super::not_indexed(&error))?;
                wanted.push((homes, there, PatternCost::new(&key, &self.parts)));
            }
            if ending.is_cancelled() {
                return Err(Error::Interrupted);
            }
        }
        let mut jobs = Vec::new();
        for (place, (_, there, _)) in wanted.iter().enumerate() {
            let firsts = (*there..count).step_by(CHUNK);
            jobs.extend(firsts.map(|first| (place, first, count.min(first + CHUNK))));
        }
        let work = |job: usize, scratch: &mut Scratch, stop: &dyn Fn() -> bool| {
            let (place, first, end) = jobs[job];
            let pattern = &wanted[place].2;
            let boards = self.boards[first..end].iter();
            Ok(boards.map(|board| self.excess(pattern, board, scratch, stop)).collect())
        };
        let found: Vec<Vec<u8>> = each(jobs.len(), self.thread_count, ending, watch, "", &work)?;
        let is_whole = found.len() == jobs.len();
        let mut known = self.known();
        for ((place, first, _), excess) in jobs.iter().zip(found) {
            let row = known.entry(wanted[*place].0).or_default();
            // What was worked out beyond a gap would stand in another board's place.
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
        scratch: &mut Scratch,
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

    /// The excess of a partition and its mirror images on the first boards, and that of the partition as it is
    /// drawn; nothing where the time was over.
    fn sums(
        &self,
        sketch: &Sketch,
        count: usize,
        ending: &Ending,
        watch: &Watch,
    ) -> Result<Option<[Vec<u32>; 2]>, Error> {
        let images: Vec<Sketch> = self.mirrors.iter().map(|mirror| sketch.image(mirror)).collect();
        let patterns: Vec<CellSet> = images.iter().flat_map(|i| i.patterns.clone()).collect();
        if !self.fill(&patterns, count, ending, watch)? {
            return Ok(None);
        }
        let known = self.known();
        let sums = |image: &Sketch| -> Vec<u32> {
            let rows: Vec<&Vec<u8>> = image.patterns.iter().map(|homes| &known[homes]).collect();
            (0..count).map(|at| rows.iter().map(|row| u32::from(row[at])).sum()).collect()
        };
        let single = sums(&images[0]);
        let mut largest = single.clone();
        for image in &images[1..] {
            for (largest, sum) in largest.iter_mut().zip(sums(image)) {
                *largest = sum.max(*largest);
            }
        }
        Ok(Some([largest, single]))
    }

    /// The excess of a partition on each of the first boards.
    pub(super) fn scores(
        &self,
        sketch: &Sketch,
        count: usize,
        ending: &Ending,
        watch: &Watch,
    ) -> Result<Option<Vec<u32>>, Error> {
        let sums = self.sums(sketch, count.min(self.boards.len()), ending, watch)?;
        Ok(sums.map(|[largest, _]| largest))
    }

    /// The mean estimate with mirror images, and without.
    pub(super) fn intervals(
        &self,
        sketch: &Sketch,
        count: usize,
        ending: &Ending,
        watch: &Watch,
    ) -> Result<Option<[Interval; 2]>, Error> {
        let sums = self.sums(sketch, count, ending, watch)?;
        let mean = |sums: Vec<u32>| {
            let moves = sums.iter().map(|&excess| 2.0 * f64::from(excess));
            Interval::of_mean(moves).plus(mean_manhattan(&self.goal))
        };
        Ok(sums.map(|sums| sums.map(mean)))
    }

    /// The mean estimate that scores come to.
    pub(super) fn mean(&self, scores: &[u32]) -> f64 {
        let sum: u32 = scores.iter().sum();
        mean_manhattan(&self.goal) + 2.0 * f64::from(sum) / scores.len().max(1) as f64
    }
}

/// By how much one partition is better than another, on the same boards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference {
    pub(super) mean: f64,
    /// The standard error of the mean.
    error: f64,
}

impl Difference {
    pub(super) fn of(one: &[u32], other: &[u32]) -> Self {
        let differences = || one.iter().zip(other).map(|(&a, &b)| f64::from(a) - f64::from(b));
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
