//! Local search: replaces a partition by a better neighbour until there is none. Other partitions
//! may be looked up together with it; these stay unchanged.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::bench::{Bench, Difference};
use super::sketch::Sketch;
use super::{SEARCH_BOARDS, TableBudget};
use crate::error::Error;
use crate::event::{Event, Step, Task, Watch};
use crate::rate::Deadline;
use crate::sets::Dice;

/// Numbers of boards on which neighbours are compared, until the difference is certain.
const ROUNDS: [usize; 3] = [50, 200, SEARCH_BOARDS];

pub(super) struct Climb<'a> {
    bench: &'a Bench,
    tables: TableBudget,
    deadline: Deadline,
    watch: &'a Watch,
    /// The partitions that are looked up together with the searched one.
    others: Vec<Sketch>,
    /// Compared partitions, one for all its mirror images.
    tried: BTreeSet<Sketch>,
    /// Partitions without a better neighbour, and partitions at which the time was over.
    optima: Vec<Sketch>,
    compared: u64,
    start: (usize, usize),
    best: f64,
    /// Whether some climb ended because the time was over.
    pub(super) was_cut: bool,
}

/// Result of a comparison.
enum Race {
    Better,
    NotBetter,
    TimeOver,
}

impl<'a> Climb<'a> {
    pub(super) fn new(
        bench: &'a Bench,
        tables: TableBudget,
        watch: &'a Watch,
        deadline: Deadline,
    ) -> Self {
        Self {
            bench,
            tables,
            deadline,
            watch,
            others: Vec::new(),
            tried: BTreeSet::new(),
            optima: Vec::new(),
            compared: 0,
            start: (0, 1),
            best: 0.0,
            was_cut: false,
        }
    }

    /// Starts a new search beside other partitions, with another time limit.
    pub(super) fn beside(&mut self, others: &[Sketch], deadline: Deadline) {
        self.others = others.to_vec();
        self.deadline = deadline;
        self.tried.clear();
        self.optima.clear();
        self.best = 0.0;
    }

    /// Sets the memory limit for tables.
    pub(super) fn limit(&mut self, memory_bytes: Option<u64>) {
        self.tables.limit = memory_bytes;
    }

    pub(super) fn begin(&mut self, start: usize, starts: usize) {
        self.start = (start + 1, starts);
        self.tell();
    }

    /// Returns the others and a partition, which comes last.
    fn with(&self, sketch: &Sketch) -> Vec<Sketch> {
        self.others.iter().chain([sketch]).cloned().collect()
    }

    fn tell(&self) {
        let (start, starts) = self.start;
        let step = Step::Partitions {
            start: start as u64,
            starts: starts as u64,
            compared: self.compared,
            best: self.best,
        };
        self.watch.tell(&Event::Task(Task::Partitions, step));
    }

    /// Returns the representative of a partition and its mirror images, which are equally good.
    fn canonical(&self, sketch: &Sketch) -> Sketch {
        let images = self.bench.mirrors.iter().map(|mirror| sketch.image(mirror));
        images.min().expect("the identity is among them")
    }

    /// Climbs from a partition to a local optimum.
    pub(super) fn up(&mut self, first: Sketch, dice: &mut Dice) -> Result<(), Error> {
        let mut current = first;
        if !self.tried.insert(self.canonical(&current)) {
            return Ok(());
        }
        'climb: loop {
            let mut neighbours = self.neighbours(&current)?;
            for place in (1..neighbours.len()).rev() {
                neighbours.swap(place, dice.below(place + 1));
            }
            for next in neighbours {
                if !self.tried.insert(self.canonical(&next)) {
                    continue;
                }
                match self.race(&next, &current)? {
                    Race::Better => {
                        current = next;
                        continue 'climb;
                    }
                    Race::NotBetter => (),
                    Race::TimeOver => break 'climb,
                }
            }
            break;
        }
        self.optima.push(current);
        Ok(())
    }

    /// Returns the partitions that may replace one. If tables have to be shared, few single
    /// exchanges lead to a partition that shares them, so pairs of exchanges are tried.
    fn neighbours(&mut self, current: &Sketch) -> Result<Vec<Sketch>, Error> {
        let shape = self.bench.goal.shape();
        let mut found = current.neighbours(shape);
        if self.tables.limit.is_none() {
            return Ok(found);
        }
        let twice: Vec<Sketch> = found.iter().flat_map(|next| next.neighbours(shape)).collect();
        found.extend(twice);
        found.sort_unstable();
        found.dedup();
        let is_fit = self.fits(current)?;
        let mut fitting = Vec::new();
        for next in found {
            if self.deadline.is_over() {
                break;
            }
            if self.fits(&next)? || !is_fit {
                fitting.push(next);
            }
        }
        Ok(fitting)
    }

    pub(super) fn fits(&mut self, sketch: &Sketch) -> Result<bool, Error> {
        let collection = self.with(sketch);
        self.tables.fits(&collection)
    }

    fn bytes(&mut self, sketch: &Sketch) -> Result<u64, Error> {
        let collection = self.with(sketch);
        Ok(self.tables.of(&collection)?.1)
    }

    /// Returns whether the tables of one partition are smaller than those of another.
    pub(super) fn is_smaller(&mut self, one: &Sketch, other: &Sketch) -> Result<bool, Error> {
        Ok(self.bytes(one)? < self.bytes(other)?)
    }

    /// Compares a partition with the current one on more and more boards.
    fn race(&mut self, next: &Sketch, current: &Sketch) -> Result<Race, Error> {
        self.compared += 1;
        let fits = [self.fits(next)?, self.fits(current)?];
        match fits {
            [true, false] => return Ok(Race::Better),
            [false, true] => return Ok(Race::NotBetter),
            [false, false] => {
                let (next, current) = (self.bytes(next)?, self.bytes(current)?);
                if next != current {
                    return Ok(if next < current { Race::Better } else { Race::NotBetter });
                }
            }
            [true, true] => (),
        }
        let [next, current] = [self.with(next), self.with(current)];
        for count in ROUNDS {
            let scores = |all: &[Sketch]| self.bench.scores(all, count, &self.deadline, self.watch);
            let (Some(of_next), Some(of_current)) = (scores(&next)?, scores(&current)?) else {
                return Ok(Race::TimeOver);
            };
            let difference = Difference::of(&of_next, &of_current);
            let is_last = count == SEARCH_BOARDS;
            if difference.is_surely_positive() || is_last && difference.mean > 0.0 {
                self.best = self.best.max(self.bench.estimate(&of_next));
                self.tell();
                return Ok(Race::Better);
            }
            if difference.is_surely_negative() {
                break;
            }
        }
        self.tell();
        Ok(Race::NotBetter)
    }

    /// Returns the partitions without a better neighbour, each together with the others, the best
    /// first.
    pub(super) fn optima(&mut self) -> Result<Vec<Vec<Sketch>>, Error> {
        self.was_cut |= self.deadline.is_over();
        let optima = self.optima.iter().map(|sketch| self.with(sketch)).collect();
        self.ranked(optima)
    }

    /// Sorts partitions that are looked up together, the best first, without duplicates.
    pub(super) fn ranked(
        &mut self,
        collections: Vec<Vec<Sketch>>,
    ) -> Result<Vec<Vec<Sketch>>, Error> {
        let count = self.count();
        let mut known = BTreeSet::new();
        let mut scored = Vec::new();
        for collection in collections {
            let mut images: Vec<Sketch> = collection.iter().map(|s| self.canonical(s)).collect();
            images.sort_unstable();
            if known.insert(images) {
                scored.push((Reverse(self.key(&collection, count)?), collection));
            }
        }
        scored.sort_unstable();
        Ok(scored.into_iter().map(|(_, collection)| collection).collect())
    }

    /// Returns whether partitions are better together than others, and their tables are within the
    /// limit.
    pub(super) fn is_better(&mut self, new: &[Sketch], old: &[Sketch]) -> Result<bool, Error> {
        let count = self.count();
        let fits = self.tables.fits(new)?;
        Ok(fits && self.key(new, count)? > self.key(old, count)?)
    }

    /// Returns the number of boards for comparisons: the smallest one if the time is over.
    fn count(&self) -> usize {
        if self.deadline.is_over() { ROUNDS[0] } else { SEARCH_BOARDS }
    }

    /// Returns the sort key of partitions that are looked up together: whether their tables fit,
    /// and their quality.
    fn key(&mut self, collection: &[Sketch], count: usize) -> Result<(bool, u64), Error> {
        let scores = self.bench.scores(collection, count, &self.deadline.untimed(), self.watch)?;
        let estimate = scores.map_or(0.0, |scores| self.bench.estimate(&scores));
        // Estimates as whole numbers can be ordered.
        Ok((self.tables.fits(collection)?, (estimate * 1e6) as u64))
    }

    /// Returns the number of compared partitions, and the known sizes of tables.
    pub(super) fn finish(self) -> (u64, TableBudget) {
        self.watch.tell(&Event::Task(Task::Partitions, Step::End));
        (self.compared, self.tables)
    }
}
