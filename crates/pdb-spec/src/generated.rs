//! Specs for boards and goals that none is shipped for: partitions made by a rule.
//!
//! The rule was measured, see `docs/specs.md`. Two numbers of a partition explain most of its mean
//! estimate: the number of pairs of neighbours in one pattern, and whether one pattern has all
//! tiles beside the blank's home. The last move of every solution is one of theirs, and only a
//! table with all of them knows that.

use core::cmp::Reverse;

use pdb_core::plan::{LOOKUPS_MAX, PARTITION_PATTERNS_MAX, expect_tables};
use pdb_core::region::{RegionFinder, region_count};
use pdb_core::{
    BLANK, CELLS_MAX, CellSet, Goal, PATTERN_TILES_MAX, Shape, TableKey, binomial, factorial,
};

use crate::spec::{draw_all, draw_goal};
use crate::{Spec, SpecError};

/// Prefix of the names of generated specs.
pub(crate) const PREFIX: &str = "generated/";
/// Weight of a connected part, in pairs of neighbours: more than any board has.
const PART: i64 = 1 << 20;
/// Weight of a pair of neighbours, in moves of distance: more than those of any pattern.
const PAIR: i64 = 1 << 20;
/// Worth of a pattern with all tiles beside the blank's home, in pairs of neighbours.
const LAST_MOVE_PAIRS: i64 = 10;

/// Returns the generated spec of the largest patterns whose tables together have at most
/// `entry_count_max` entries, or of the smallest patterns: two tiles on boards of up to 36 cells,
/// three on larger ones.
///
/// All patterns but the last have the same number of tiles. An entry takes one bit, so `8 n`
/// entries take `n` bytes, and a build several times that.
///
/// ```
/// use pdb_core::{Goal, Shape};
///
/// let goal = Goal::blank_last(Shape::new(4, 7)?);
/// assert_eq!(pdb_spec::generated_within(&goal, 8 << 28).name, "generated/4x7/6-6-6-6-3");
/// # Ok::<(), pdb_core::BoardError>(())
/// ```
///
/// # Panics
/// For a board of one line, which has no tables.
pub fn generated_within(goal: &Goal, entry_count_max: u64) -> Spec {
    let shape = goal.shape();
    let tile_count = shape.cell_count() - 1;
    let mut size = tile_count.min(PATTERN_TILES_MAX);
    // More than 26 patterns of two tiles would have no letters. Three tiles take 1 MB.
    let least = if shape.cell_count() > 36 { 3 } else { 2 };
    loop {
        let is_least = size <= least;
        if is_least || entry_count_min(shape, size) <= entry_count_max {
            let rest = tile_count % size;
            let sizes = [vec![size; tile_count / size], vec![rest; usize::from(rest > 0)]].concat();
            let spec = generated(goal, &sizes).expect("the sizes come to the number of tiles");
            if is_least || spec_entry_count(&spec) <= entry_count_max {
                return spec;
            }
        }
        size -= 1;
    }
}

/// Returns the number of entries of all tables of a generated spec.
fn spec_entry_count(spec: &Spec) -> u64 {
    let entries = |table: &TableKey| match table {
        TableKey::Pattern(key) => {
            let tile_count = key.tile_count();
            region_count(key.shape, tile_count).saturating_mul(factorial(tile_count))
        }
        TableKey::Walking(_) | TableKey::Coloured(_) => 0,
    };
    spec.plan.tables().iter().map(entries).fold(0, u64::saturating_add)
}

/// Returns the least number of entries of a blank-aware table: one region for each cell set.
fn entry_count_min(shape: Shape, tile_count: usize) -> u64 {
    binomial(shape.cell_count(), tile_count).saturating_mul(factorial(tile_count))
}

/// Generates a blank-aware spec for any goal: a partition of its tiles into connected patterns of
/// these sizes.
///
/// Its name has shape and sizes, such as `generated/4x7/6-6-6-6-3`. The same goal and sizes give
/// the same spec everywhere. Mirror images are looked up too, where the board has them, up to the
/// limit of patterns.
///
/// ```
/// use pdb_core::{Goal, Shape};
///
/// let goal = Goal::blank_last(Shape::new(2, 4)?);
/// let spec = pdb_spec::generated(&goal, &[4, 3])?;
/// assert_eq!(spec.name, "generated/2x4/4-3");
/// assert!(spec.toml.contains("A A B B\nA A B ."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SpecError::Plan`] for a board of one line. [`SpecError::Sizes`] when the sum of the sizes is
/// not the number of tiles; those of [`Spec::parse`] when a pattern is too large.
pub fn generated(goal: &Goal, sizes: &[usize]) -> Result<Spec, SpecError> {
    let shape = goal.shape();
    let tile_count = check_sizes(shape, sizes, PARTITION_PATTERNS_MAX)?;
    let mut sizes = sizes.to_vec();
    sizes.sort_unstable_by_key(|&size| Reverse(size));
    let patterns = Sketch::best(shape, goal.home(BLANK).into(), &sizes);
    let list = list(&sizes);
    let name = format!("{PREFIX}{shape}/{list}");
    let title = format!("{tile_count}-puzzle of {shape}, {list} partition, generated");
    drawn(&name, &title, goal, &[patterns])
}

/// Makes the blank-aware spec of a partition, or of the maximum of several, from the home cells of
/// each pattern. Mirror images are looked up too, where the board has them, up to the limit of
/// patterns.
///
/// ```
/// use pdb_core::{CellSet, Goal, Shape};
///
/// let goal = Goal::blank_last(Shape::new(2, 3)?);
/// let partition = vec![CellSet(0b011), CellSet(0b11100)];
/// let spec = pdb_spec::drawn("mine", "5-puzzle, 2-3 partition", &goal, &[partition])?;
/// assert!(spec.toml.contains("A A B\nB B ."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`Spec::parse`], when the patterns are not a partition of the tiles or one is too
/// large.
pub fn drawn(
    name: &str,
    title: &str,
    goal: &Goal,
    partitions: &[Vec<CellSet>],
) -> Result<Spec, SpecError> {
    let mut text = format!(
        "title = {}\ngoal = \"\"\"\n{}\"\"\"\n{}\nblank = \"aware\"\n",
        toml::Value::from(title),
        draw_goal(goal),
        draw_all(goal, "partition", partitions)
    );
    let pattern_count: usize = partitions.iter().map(Vec::len).sum();
    let mirror_count = goal.mirrors().count();
    if mirror_count > 1 && mirror_count * pattern_count > LOOKUPS_MAX {
        text.push_str("reflect = false\n");
    }
    Spec::parse(name, &text)
}

/// Generates the spec of a name such as `generated/4x7/6-6-6-6-3`; `None` for other names.
///
/// # Errors
/// Those of [`generated`], and [`SpecError::OtherShape`] when the name is of other boards.
pub(crate) fn generated_by_name(name: &str, goal: &Goal) -> Option<Result<Spec, SpecError>> {
    let sizes = sizes_of(name, "", goal.shape())?;
    Some(sizes.and_then(|sizes| generated(goal, &sizes)))
}

/// Reads the sizes in a generated spec's name, after the mark of its kind; `None` for other names.
pub(crate) fn sizes_of(
    name: &str,
    kind: &str,
    shape: Shape,
) -> Option<Result<Vec<usize>, SpecError>> {
    let (named, sizes) = name.strip_prefix(PREFIX)?.split_once('/')?;
    let sizes = sizes.strip_prefix(kind)?.split('-');
    let sizes: Vec<usize> = sizes.map(str::parse).collect::<Result<_, _>>().ok()?;
    if named != shape.to_string() {
        return Some(Err(SpecError::OtherShape { name: name.to_owned(), shape }));
    }
    Some(Ok(sizes))
}

/// Checks that a board has tables, and the sizes of at most `most` patterns. Returns the number of
/// tiles, which is their sum.
pub(crate) fn check_sizes(shape: Shape, sizes: &[usize], most: usize) -> Result<usize, SpecError> {
    expect_tables(shape)?;
    let found = sizes.iter().fold(0, |sum: usize, &size| sum.saturating_add(size));
    if found != shape.cell_count() - 1 || sizes.contains(&0) || sizes.len() > most {
        return Err(SpecError::Sizes { shape, sizes: list(sizes), found });
    }
    Ok(found)
}

pub(crate) fn list(sizes: &[usize]) -> String {
    sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join("-")
}

/// Partition under construction: the home cells of each pattern.
#[derive(Clone, Debug)]
struct Sketch {
    shape: Shape,
    finder: RegionFinder,
    /// The cells beside the blank's home.
    beside_blank: CellSet,
    patterns: Vec<CellSet>,
}

impl Sketch {
    /// Returns the best of several partitions, each improved until no exchange of two tiles makes
    /// it better. Patterns are in the order of their first cells.
    fn best(shape: Shape, blank: usize, sizes: &[usize]) -> Vec<CellSet> {
        let beside_blank = shape.neighbours(blank as u8);
        let finder = RegionFinder::new(shape);
        let mut best: Option<(i64, Vec<CellSet>)> = None;
        for order in orders(shape, blank) {
            for first in 0..sizes.len() {
                if first > 0 && sizes[first] == sizes[first - 1] {
                    // This rotation of the sizes equals the one before.
                    continue;
                }
                let mut cells = order.iter().copied();
                let turned = sizes[first..].iter().chain(&sizes[..first]);
                let patterns = turned.map(|&size| cells.by_ref().take(size).collect()).collect();
                let mut sketch = Self { shape, finder, beside_blank, patterns };
                sketch.improve();
                let score = sketch.score();
                if best.as_ref().is_none_or(|(best, _)| score > *best) {
                    best = Some((score, sketch.patterns));
                }
            }
        }
        let (_, mut patterns) = best.expect("there is an order, and a size");
        patterns.sort_unstable_by_key(|homes| homes.first());
        patterns
    }

    fn score(&self) -> i64 {
        self.patterns.iter().map(|&homes| self.score_of(homes)).sum()
    }

    /// Returns the score of a pattern: fewer connected parts are better, then more pairs of
    /// neighbours, then smaller distances between all tiles.
    fn score_of(&self, homes: CellSet) -> i64 {
        let part_count = self.finder.regions(homes).count() as i64;
        let (mut pair_count, mut spread) = (0, 0);
        for a in homes.iter() {
            for b in homes.iter().take_while(|&b| b < a) {
                let distance = self.shape.distance(a, b);
                pair_count += i64::from(distance == 1);
                spread += i64::from(distance);
            }
        }
        if self.beside_blank.without(homes).is_empty() {
            pair_count += LAST_MOVE_PAIRS;
        }
        (pair_count - PART * part_count) * PAIR - spread
    }

    /// Exchanges tiles of two patterns while that increases the score.
    fn improve(&mut self) {
        let mut scores: Vec<i64> = self.patterns.iter().map(|&p| self.score_of(p)).collect();
        while self.exchange(&mut scores) {}
    }

    /// Makes every exchange that increases the score, once. Returns whether there was one.
    fn exchange(&mut self, scores: &mut [i64]) -> bool {
        let mut is_better = false;
        for p in 1..self.patterns.len() {
            for q in 0..p {
                for a in self.patterns[p].iter() {
                    for b in self.patterns[q].iter() {
                        let (one, two) = (CellSet::single(a), CellSet::single(b));
                        if !self.patterns[p].contains(a) || !self.patterns[q].contains(b) {
                            continue;
                        }
                        let new_p = CellSet(self.patterns[p].without(one).0 | two.0);
                        let new_q = CellSet(self.patterns[q].without(two).0 | one.0);
                        let (score_p, score_q) = (self.score_of(new_p), self.score_of(new_q));
                        if score_p + score_q > scores[p] + scores[q] {
                            (self.patterns[p], self.patterns[q]) = (new_p, new_q);
                            (scores[p], scores[q]) = (score_p, score_q);
                            is_better = true;
                        }
                    }
                }
            }
        }
        is_better
    }
}

/// Returns paths through all cells but the blank's home, in bands of one to three rows or columns,
/// to and fro.
fn orders(shape: Shape, blank: usize) -> Vec<Vec<u8>> {
    let order = |(band, is_turned): (usize, bool)| {
        let cells = shape.all_cells().iter().filter(|&cell| usize::from(cell) != blank);
        let mut cells: Vec<u8> = cells.collect();
        cells.sort_unstable_by_key(|&cell| {
            let (row, col) = shape.row_col(cell);
            let (line, place, line_len) =
                if is_turned { (col, row, shape.rows()) } else { (row, col, shape.cols()) };
            let turn = line / band;
            let step = if turn % 2 == 1 { line_len - 1 - place } else { place };
            (turn, step, if step % 2 == 1 { CELLS_MAX - line } else { line })
        });
        cells
    };
    (1..=3).flat_map(|band| [(band, false), (band, true)]).map(order).collect()
}
