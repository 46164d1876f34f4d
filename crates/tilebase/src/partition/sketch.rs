//! A partition by the home cells of its patterns, and the exchanges that lead to others.

use std::cmp::Reverse;

use pdb_core::{BLANK, CellSet, Goal, Shape, Symmetry};
use pdb_spec::Spec;

use super::is_connected;
use crate::error::Error;
use crate::sets::Dice;

/// Number of attempts to draw a random partition.
const TRIES: u32 = 200_000;

/// Home cells of each pattern, in ascending order of these sets' numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sketch {
    pub(super) patterns: Vec<CellSet>,
}

impl Sketch {
    pub(super) fn new(mut patterns: Vec<CellSet>) -> Self {
        patterns.sort_unstable();
        Self { patterns }
    }

    /// Creates the sketch of the first partition of an additive spec.
    pub(super) fn of_spec(spec: &Spec) -> Self {
        let partitions = spec.plan.drawn_patterns();
        Self::new(partitions.into_iter().next().expect("a generated spec is additive"))
    }

    /// Draws a partition into connected patterns: each grows from a cell with few free neighbours,
    /// by one neighbour at a time. Returns `None` if no attempt succeeds.
    pub(super) fn random(
        goal: &Goal,
        sizes: &[usize],
        dice: &mut Dice,
        stop: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let shape = goal.shape();
        let all = shape.all_cells().without(CellSet::single(goal.home(BLANK)));
        for turn in 0..TRIES {
            if turn % 1024 == 1023 && stop() {
                return None;
            }
            let mut rest = all;
            let mut sizes = sizes.to_vec();
            let mut patterns = Vec::new();
            while !sizes.is_empty() {
                let size = sizes.swap_remove(dice.below(sizes.len()));
                // Starts at a corner of the free cells, so that these stay connected.
                let free = |cell| (shape.neighbours(cell).0 & rest.0).count_ones();
                let least = rest.iter().map(free).min().unwrap_or(0);
                let corners: Vec<_> = rest.iter().filter(|&cell| free(cell) == least).collect();
                let Some(&first) = corners.get(dice.below(corners.len().max(1))) else { break };
                let mut pattern = CellSet::single(first);
                while pattern.len() < size {
                    let beside = CellSet(shape.grown(pattern).0 & rest.0).without(pattern);
                    let cells: Vec<_> = beside.iter().collect();
                    let Some(&next) = cells.get(dice.below(cells.len().max(1))) else { break };
                    pattern.0 |= 1 << next;
                }
                if pattern.len() < size {
                    break;
                }
                rest = rest.without(pattern);
                patterns.push(pattern);
            }
            if sizes.is_empty() && rest.is_empty() {
                return Some(Self::new(patterns));
            }
        }
        None
    }

    /// Returns all partitions that an exchange of two cells leads to. A pattern that was connected
    /// before stays connected.
    pub(super) fn neighbours(&self, shape: Shape) -> Vec<Self> {
        let mut found = Vec::new();
        for (p, &one) in self.patterns.iter().enumerate() {
            for (q, &other) in self.patterns.iter().enumerate().skip(p + 1) {
                for a in one.iter() {
                    for b in other.iter() {
                        let (a, b) = (CellSet::single(a), CellSet::single(b));
                        let new_one = CellSet(one.without(a).0 | b.0);
                        let new_other = CellSet(other.without(b).0 | a.0);
                        let hangs =
                            |new, old| is_connected(shape, new) || !is_connected(shape, old);
                        if hangs(new_one, one) && hangs(new_other, other) {
                            let mut patterns = self.patterns.clone();
                            (patterns[p], patterns[q]) = (new_one, new_other);
                            found.push(Self::new(patterns));
                        }
                    }
                }
            }
        }
        found
    }

    /// Returns the image under a symmetry.
    pub(super) fn image(&self, symmetry: &Symmetry) -> Self {
        Self::new(self.patterns.iter().map(|&homes| symmetry.set(homes)).collect())
    }
}

/// Returns the spec of partitions that are looked up together.
pub(super) fn spec_of(collection: &[Sketch], goal: &Goal, reflect: bool) -> Result<Spec, Error> {
    let drawn = |sketch: &Sketch| {
        let mut patterns = sketch.patterns.clone();
        patterns.sort_unstable_by_key(|homes| homes.first());
        patterns
    };
    let partitions: Vec<Vec<CellSet>> = collection.iter().map(drawn).collect();
    let mut sizes: Vec<usize> = partitions[0].iter().map(|homes| homes.len()).collect();
    if partitions.len() > 1 {
        // Each partition has an order of its own, so the title sorts its sizes.
        sizes.sort_unstable_by_key(|&size| Reverse(size));
    }
    let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
    let tile_count = goal.shape().cell_count() - 1;
    let what = match partitions.len() {
        1 => format!("{} partition", sizes.join("-")),
        count => format!("the maximum of {count} {} partitions", sizes.join("-")),
    };
    let how = if reflect { "" } else { ", without mirror images" };
    let title = format!(
        "{tile_count}-puzzle of {}, {what}, found by comparing partitions{how}",
        goal.shape()
    );
    Ok(pdb_spec::drawn("found", &title, goal, &partitions)?)
}
