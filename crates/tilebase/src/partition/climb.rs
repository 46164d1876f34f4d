//! A local search: a partition is exchanged for a better neighbour until there is none.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::bench::{Bench, Difference};
use super::sketch::Sketch;
use super::{SEARCH_BOARDS, Tables};
use crate::rate::Ending;
use crate::sets::Dice;
use crate::{Error, Event, Watch};

/// Boards that neighbours are compared on, until the difference is certain.
const ROUNDS: [usize; 3] = [50, 200, SEARCH_BOARDS];

pub(super) struct Climb<'a> {
    bench: &'a Bench,
    tables: &'a mut Tables,
    ending: &'a Ending,
    watch: &'a Watch,
    /// Partitions that were compared, each for all its mirror images.
    tried: BTreeSet<Sketch>,
    /// Partitions without a better neighbour, and where the time was over.
    optima: Vec<Sketch>,
    compared: u64,
    start: (usize, usize),
    best: f64,
}

/// What a comparison came to.
enum Race {
    Better,
    NotBetter,
    TimeOver,
}

impl<'a> Climb<'a> {
    pub(super) fn new(
        bench: &'a Bench,
        tables: &'a mut Tables,
        ending: &'a Ending,
        watch: &'a Watch,
    ) -> Self {
        Self {
            bench,
            tables,
            ending,
            watch,
            tried: BTreeSet::new(),
            optima: Vec::new(),
            compared: 0,
            start: (0, 1),
            best: 0.0,
        }
    }

    pub(super) fn begin(&mut self, start: usize, starts: usize) {
        self.start = (start + 1, starts);
        self.tell();
    }

    fn tell(&self) {
        let (start, starts) = self.start;
        self.watch.tell(&Event::Partitions {
            start: start as u64,
            starts: starts as u64,
            compared: self.compared,
            best: self.best,
        });
    }

    /// One of a partition's mirror images, which are as good.
    fn canonical(&self, sketch: &Sketch) -> Sketch {
        let images = self.bench.mirrors.iter().map(|mirror| sketch.image(mirror));
        images.min().expect("the identity is among them")
    }

    /// Climbs from a partition as far as it goes.
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

    /// The partitions that may take the place of one. Where tables have to be shared, one exchange alone leads
    /// to few that share them, so that two are made.
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
            if self.ending.is_over() {
                break;
            }
            if self.fits(&next)? || !is_fit {
                fitting.push(next);
            }
        }
        Ok(fitting)
    }

    pub(super) fn fits(&mut self, sketch: &Sketch) -> Result<bool, Error> {
        self.tables.fits(sketch)
    }

    /// Whether the tables of one partition take less than those of another.
    pub(super) fn is_smaller(&mut self, one: &Sketch, other: &Sketch) -> Result<bool, Error> {
        Ok(self.tables.of(one)?.1 < self.tables.of(other)?.1)
    }

    /// Compares a partition with the present one on more and more boards.
    fn race(&mut self, next: &Sketch, current: &Sketch) -> Result<Race, Error> {
        self.compared += 1;
        let fits = [self.tables.fits(next)?, self.tables.fits(current)?];
        match fits {
            [true, false] => return Ok(Race::Better),
            [false, true] => return Ok(Race::NotBetter),
            [false, false] => {
                let (next, current) = (self.tables.of(next)?.1, self.tables.of(current)?.1);
                if next != current {
                    return Ok(if next < current { Race::Better } else { Race::NotBetter });
                }
            }
            [true, true] => (),
        }
        for count in ROUNDS {
            let scores = |sketch| self.bench.scores(sketch, count, self.ending, self.watch);
            let (Some(of_next), Some(of_current)) = (scores(next)?, scores(current)?) else {
                return Ok(Race::TimeOver);
            };
            let difference = Difference::of(&of_next, &of_current);
            let is_last = count == SEARCH_BOARDS;
            if difference.is_surely_positive() || is_last && difference.mean > 0.0 {
                self.best = self.best.max(self.bench.mean(&of_next));
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

    /// How many partitions were compared, and those that no neighbour is better than, the best first.
    pub(super) fn finish(self) -> Result<(u64, Vec<Sketch>), Error> {
        let mut scored = Vec::new();
        for sketch in self.optima {
            // Where the time is over, on as few boards as there have to be.
            let is_over = self.ending.is_over();
            let count = if is_over { ROUNDS[0] } else { SEARCH_BOARDS };
            let whole = self.ending.untimed();
            let scores = self.bench.scores(&sketch, count, &whole, self.watch)?;
            let mean = scores.map_or(0.0, |scores| self.bench.mean(&scores));
            // Means as whole numbers have an order.
            scored.push((Reverse((self.tables.fits(&sketch)?, (mean * 1e6) as u64)), sketch));
        }
        self.watch.tell(&Event::PartitionsEnd);
        scored.sort_unstable();
        Ok((self.compared, scored.into_iter().map(|(_, sketch)| sketch).collect()))
    }
}
