//! Rules that the entries of every right table obey, checked without the builder.
//!
//! The value of an entry is the smallest number of moves of pattern tiles that lead to the goal. A
//! tile move leads from an entry to its neighbours, and back. So in a blank-aware table, the
//! entries that boards reach obey these rules:
//!
//! 1. The goal has value 0.
//! 2. A tile move changes the value by exactly 1: by at most 1 because it can be undone, and not by
//!    0 because the value has the parity of the Manhattan distance, which changes.
//! 3. Every entry but the goal has a neighbour with a lower value: the next one on a shortest path.
//! 4. So every downhill path ends at the goal after as many moves as the value. This number is at
//!    most the largest value of the histogram, and the histogram counts it.
//! 5. Every entry has a value, unless at most one tile is outside the pattern: then exactly the
//!    entries have one whose boards have the right parity.
//!
//! A table of up to [`ENTRIES_WHOLE_MAX`] entries is checked as a whole: a breadth-first search
//! along the moves finds every value, which proves the table. Of a larger one, [`SAMPLE_COUNT`]
//! entries are checked. A packing of one bit contains the value modulo 4, and thereby shows which
//! of two neighbours is lower.
//!
//! In a plain table every move counts, also that of a tile outside the pattern, and every move
//! changes the parity of the blank's distance from home, which is the value's. Otherwise the same
//! rules hold.
//!
//! In a blank-collapsed table an entry has the minimum over the regions of its cell set. Rules 1, 3
//! and 5 still hold, with the moves of all regions: the region with the minimum has a lower
//! neighbour, whose own minimum cannot be higher. Rule 2 becomes:
//!
//! 6. If the free cells are one region, no move leads to a value more than 1 higher: that region's
//!    value is the minimum, and its neighbour bounds the neighbour's minimum.
//!
//! That does not prove a blank-collapsed table, so it is also compared with a fresh build.
//!
//! In a Walking Distance table, state 0 is the goal; keys contain only counts and the blank's line;
//! states are sorted by value and then key; each link leads to the state with the key after the
//! move; there is a link for every move; and the reverse link leads back. Rules 2 and 3 hold (the
//! blank's line changes at each move, which gives the parity). All states are checked, which proves
//! the table.
//!
//! In a coloured table, a distance whose difference from the other one is cut may be too small.
//! Every other distance is one more than the smallest of those that a slide along its axis leads
//! to, so rule 3 holds for it, and the distance of such a state exceeds none after a slide by more
//! than 1, if that one is not cut. The larger tables are sampled.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use pdb_core::region::{region_of, regions};
use pdb_core::{
    BLANK, BlankMode, Board, Cell, CellSet, Goal, PatternIndex, PatternKey, PatternState, TableKey,
    WalkingKey,
};
use pdb_format::walking::{self, Layout, NO_LINK, Step};
use pdb_format::{Header, Packing};

use crate::GenError;
use crate::monitor::Monitor;
use crate::threads::{Workers, map_in_threads};

/// Largest number of entries of a pattern table that is checked as a whole.
pub const ENTRIES_WHOLE_MAX: u64 = 200_000;
/// Number of entries of larger tables that are checked, always the same ones.
pub const SAMPLE_COUNT: u64 = 20_000;
/// Number of entries that a thread checks at a time.
const BATCH: u64 = 512;

/// A rule that every right table obeys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// The goal, and no other entry, has value 0.
    Goal,
    /// Exactly the entries that a board reaches have a value.
    Reached,
    /// A move changes the value by exactly 1.
    Step,
    /// Every entry but the goal has a neighbour with a lower value.
    Lower,
    /// Every downhill path takes as many moves to the goal as the value.
    Downhill,
    /// The header counts the entries of each value.
    Histogram,
    /// If the free cells are one region, no move leads to a value more than 1 higher.
    OneRegion,
    /// Keys of a Walking Distance table contain only counts and the blank's line.
    Key,
    /// States of a Walking Distance table are sorted by value, then key.
    Order,
    /// Links of a Walking Distance table lead to the state after the move, and back.
    Link,
    /// A slide leads at most 1 nearer.
    Slide,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Goal => "the goal and nothing else has value 0",
            Self::Reached => "those entries have a value that a board reaches",
            Self::Step => "a move changes the value by exactly 1",
            Self::Lower => "every entry but the goal has a lower neighbour",
            Self::Downhill => {
                "every way downhill ends at the goal after as many moves as the value"
            }
            Self::Histogram => "the histogram counts the entries of each value",
            Self::OneRegion => "where the free cells are one region, no move adds more than 1",
            Self::Key => "a key holds counts and the blank's line, and nothing besides",
            Self::Order => "states are sorted by value, then key",
            Self::Link => "a link leads to the state after the move, and back",
            Self::Slide => "a slide leads at most 1 nearer",
        })
    }
}

/// A rule that some entries break.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected that {rule}, found {count} exceptions, the first at {first}")]
pub struct BrokenRule {
    /// The rule.
    pub rule: Rule,
    /// Number of checked entries (or values, or states) that break it.
    pub count: u64,
    /// The first of these: the number of an entry or a state, or a value.
    pub first: u64,
}

/// Counts of broken rules.
#[derive(Debug, Default)]
struct Exceptions(Vec<RuleExceptions>);

#[derive(Debug)]
struct RuleExceptions {
    broken: BrokenRule,
    /// The entry, state or value that broke the rule last.
    last: u64,
}

impl Exceptions {
    /// Notes that an entry, state or value breaks a rule. It counts once per rule.
    fn breaks(&mut self, rule: Rule, which: u64) {
        if let Some(known) = self.0.iter_mut().find(|known| known.broken.rule == rule) {
            known.broken.count += u64::from(known.last != which);
            known.last = which;
        } else {
            let broken = BrokenRule { rule, count: 1, first: which };
            self.0.push(RuleExceptions { broken, last: which });
        }
    }

    /// Adds the exceptions among later entries.
    fn append(&mut self, later: Self) {
        for RuleExceptions { broken, last } in later.0 {
            match self.0.iter_mut().find(|known| known.broken.rule == broken.rule) {
                Some(known) => {
                    known.broken.count += broken.count;
                    known.last = last;
                }
                None => self.0.push(RuleExceptions { broken, last }),
            }
        }
    }

    fn check_histogram(&mut self, header: &Header, counts: &[u64]) {
        let end = header.histogram.len().max(counts.len());
        let at = |counts: &[u64], value| counts.get(value).copied().unwrap_or(0);
        for value in 0..end {
            if at(counts, value) != at(&header.histogram, value) {
                self.breaks(Rule::Histogram, value as u64);
            }
        }
    }
}

/// Checks the rules that apply to a table, whose header and payload length are right.
pub(super) fn check(
    header: &Header,
    payload: &[u8],
    workers: Workers<'_>,
) -> Result<Vec<BrokenRule>, GenError> {
    let exceptions = match &header.key {
        TableKey::Pattern(key) => {
            let table = PatternTable::new(header, key, payload)?;
            match (key.mode, header.entry_count <= ENTRIES_WHOLE_MAX) {
                (BlankMode::Collapsed, whole) => table.check_collapsed(whole, workers)?,
                (_, true) => table.check_whole(workers.monitor)?,
                (_, false) => table.check_sample(workers)?,
            }
        }
        TableKey::Walking(key) => check_walking(header, key, payload),
        TableKey::Coloured(key) => coloured::check(header, key, payload, workers)?,
    };
    Ok(exceptions.0.into_iter().map(|exceptions| exceptions.broken).collect())
}

/// Returns the nth of the entries to check: of all entries, or of a sample that low-discrepancy
/// steps distribute over the table.
fn nth_entry(header: &Header, nth: u64, whole: bool) -> u64 {
    const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;
    if whole {
        return nth;
    }
    let point = nth.wrapping_mul(GOLDEN_RATIO);
    ((u128::from(point) * u128::from(header.entry_count)) >> 64) as u64
}

/// Runs `check` on several threads for all entries, or the goal's and a sample. It returns the
/// value of an entry, if the histogram counts it. The result does not depend on the number of
/// threads.
fn check_each(
    header: &Header,
    goal: u64,
    whole: bool,
    workers: Workers<'_>,
    check: &(dyn Fn(u64, &mut Exceptions) -> Option<usize> + Sync),
) -> Result<Exceptions, GenError> {
    let counts: Vec<AtomicU64> = header.histogram.iter().map(|_| AtomicU64::new(0)).collect();
    let mut all = Exceptions::default();
    if !whole {
        check(goal, &mut all);
    }
    let count = if whole { header.entry_count } else { SAMPLE_COUNT };
    let starts = (0..count).step_by(BATCH as usize);
    let parts = map_in_threads(workers.thread_count, starts, |start| {
        workers.monitor.check_cancelled()?;
        let mut exceptions = Exceptions::default();
        for nth in start..(start + BATCH).min(count) {
            let entry = nth_entry(header, nth, whole);
            match check(entry, &mut exceptions).map(|value| counts.get(value)) {
                Some(Some(count)) => drop(count.fetch_add(1, Ordering::Relaxed)),
                Some(None) => exceptions.breaks(Rule::Histogram, entry),
                None => {}
            }
        }
        Ok::<_, GenError>(exceptions)
    })?;
    for part in parts {
        all.append(part);
    }
    if whole {
        let counts: Vec<u64> = counts.into_iter().map(AtomicU64::into_inner).collect();
        all.check_histogram(header, &counts);
    }
    Ok(all)
}

/// A state with a cell of the blank's region (in a plain table, the blank's cell), and its entry.
#[derive(Clone, Copy)]
struct Node {
    state: PatternState,
    blank: Cell,
    entry: u64,
}

struct PatternTable<'a> {
    header: &'a Header,
    key: &'a PatternKey,
    payload: &'a [u8],
    index: PatternIndex,
    /// Home cells, by label.
    homes: Vec<Cell>,
    goal: Node,
}

impl<'a> PatternTable<'a> {
    fn new(header: &'a Header, key: &'a PatternKey, payload: &'a [u8]) -> Result<Self, GenError> {
        let index = PatternIndex::new(key.shape, key.tile_count(), key.mode)?;
        let state = index.state(key.homes, |home| home);
        let blank = key.goal_region;
        let goal = Node { state, blank, entry: index.entry(state, blank) };
        Ok(Self { header, key, payload, index, homes: key.homes.iter().collect(), goal })
    }

    fn node(&self, entry: u64) -> Node {
        let (state, blank) = self.index.unrank(entry);
        Node { state, blank, entry }
    }

    fn free(&self, state: PatternState) -> CellSet {
        self.key.shape.all_cells().without(state.cells)
    }

    /// Returns the value, modulo 4 in a packing of one bit; `None` if the entry is marked
    /// unreached.
    fn value(&self, node: Node) -> Option<u32> {
        let packing = self.header.packing;
        let held = packing.read(self.payload, node.entry).expect("the payload has every entry");
        if packing.unreached() == Some(held) {
            return None;
        }
        let value = self.base(node) + 2 * u32::from(held);
        Some(if packing == Packing::Bit { value % 4 } else { value })
    }

    /// Returns the value without its excess.
    fn base(&self, node: Node) -> u32 {
        let shape = self.key.shape;
        if self.key.mode == BlankMode::Plain {
            return shape.distance(node.blank, self.goal.blank) % 2;
        }
        let home = |cell| self.homes[self.index.label_at(node.state, cell)];
        node.state.cells.iter().map(|cell| shape.distance(cell, home(cell))).sum()
    }

    /// Returns the change of the value by a move.
    fn added(&self, from: u32, to: u32) -> i64 {
        if self.header.packing == Packing::Bit {
            // The base changes by 1, so the difference is odd.
            if (to + 4 - from) % 4 == 1 { 1 } else { -1 }
        } else {
            i64::from(to) - i64::from(from)
        }
    }

    /// Returns the entries one move away: of a pattern tile, or in a plain table of any tile; in a
    /// blank-collapsed table, from any region.
    fn neighbours(&self, node: Node) -> impl DoubleEndedIterator<Item = Node> {
        let shape = self.key.shape;
        let free = self.free(node.state);
        let region = match self.key.mode {
            BlankMode::Aware => region_of(shape, free, node.blank),
            BlankMode::Collapsed => free,
            BlankMode::Plain => CellSet::single(node.blank),
        };
        let tile_moves = node.state.cells.iter().flat_map(move |from| {
            CellSet(shape.neighbours(from).0 & region.0).iter().map(move |to| {
                let state = node.state.moved(from, to, self.index.label_bits());
                Node { state, blank: from, entry: self.index.entry(state, from) }
            })
        });
        let others = match self.key.mode {
            BlankMode::Aware | BlankMode::Collapsed => CellSet::EMPTY,
            BlankMode::Plain => CellSet(shape.neighbours(node.blank).0 & free.0),
        };
        let other_moves = others.iter().map(move |blank| {
            let entry = self.index.entry(node.state, blank);
            Node { blank, entry, ..node }
        });
        tile_moves.chain(other_moves)
    }

    /// Returns whether a board of this entry can be brought to the goal.
    fn is_reachable(&self, node: Node) -> bool {
        if !self.key.is_half_reachable() {
            return true;
        }
        let blanks = match self.key.mode {
            BlankMode::Aware | BlankMode::Plain => CellSet::single(node.blank),
            BlankMode::Collapsed => self.free(node.state),
        };
        let goal = Goal::new(self.board(self.goal.state, self.goal.blank));
        blanks.iter().any(|blank| goal.check_solvable(&self.board(node.state, blank)).is_ok())
    }

    /// Returns the board of a state with at most one tile outside the pattern.
    fn board(&self, state: PatternState, blank: Cell) -> Board {
        let tiles: Vec<u8> = (0..self.key.shape.cell_count() as Cell)
            .map(|cell| {
                if state.cells.contains(cell) {
                    self.index.label_at(state, cell) as u8 + 1
                } else if cell == blank {
                    BLANK
                } else {
                    self.key.tile_count() as u8 + 1
                }
            })
            .collect();
        Board::new(self.key.shape, &tiles).expect("one tile at most is outside the pattern")
    }

    /// Checks rule 1 for one entry, and rule 5. Returns the value of an entry that has one.
    fn check_one(&self, node: Node, exceptions: &mut Exceptions) -> Option<u32> {
        let reachable = self.is_reachable(node);
        let value = self.value(node);
        if self.header.packing.unreached().is_some() && value.is_some() != reachable {
            exceptions.breaks(Rule::Reached, node.entry);
            return None;
        }
        let value = value.filter(|_| reachable)?;
        let is_goal = node.entry == self.goal.entry;
        if is_goal && value != 0 || !is_goal && value == 0 && self.header.packing != Packing::Bit {
            exceptions.breaks(Rule::Goal, node.entry);
        }
        Some(value)
    }

    /// Checks rules 2 and 3 for one entry of a blank-aware or plain table.
    fn check_moves(&self, node: Node, value: u32, exceptions: &mut Exceptions) {
        let mut lower = node.entry == self.goal.entry;
        for next in self.neighbours(node) {
            let added = self.value(next).map(|to| self.added(value, to));
            lower |= added == Some(-1);
            if !matches!(added, Some(1 | -1)) {
                exceptions.breaks(Rule::Step, node.entry);
            }
        }
        if !lower {
            exceptions.breaks(Rule::Lower, node.entry);
        }
    }

    /// Checks rules 1 to 5 for all entries, whose values a breadth-first search finds.
    fn check_whole(&self, monitor: &Monitor<'_>) -> Result<Exceptions, GenError> {
        let mut distances: Vec<Option<u32>> = vec![None; self.header.entry_count as usize];
        distances[self.goal.entry as usize] = Some(0);
        let mut level = vec![self.goal];
        let mut counts = Vec::new();
        while !level.is_empty() {
            counts.push(level.len() as u64);
            let mut above = Vec::new();
            for next in level.iter().flat_map(|&node| self.neighbours(node)) {
                let known = &mut distances[next.entry as usize];
                if known.is_none() {
                    *known = Some(counts.len() as u32);
                    above.push(next);
                }
            }
            level = above;
            monitor.check_cancelled()?;
        }
        let mut exceptions = Exceptions::default();
        exceptions.check_histogram(self.header, &counts);
        let is_bit = self.header.packing == Packing::Bit;
        for (entry, distance) in (0..).zip(distances) {
            let node = self.node(entry);
            let Some(value) = self.check_one(node, &mut exceptions) else {
                continue;
            };
            self.check_moves(node, value, &mut exceptions);
            if distance.map(|distance| if is_bit { distance % 4 } else { distance }) != Some(value)
            {
                exceptions.breaks(Rule::Downhill, node.entry);
            }
        }
        Ok(exceptions)
    }

    /// Checks rules 1 to 5 for a sample.
    fn check_sample(&self, workers: Workers<'_>) -> Result<Exceptions, GenError> {
        check_each(self.header, self.goal.entry, false, workers, &|entry, exceptions| {
            let node = self.node(entry);
            let value = self.check_one(node, exceptions)?;
            self.check_moves(node, value, exceptions);
            // Follows two paths that diverge as early as possible.
            let first = self.downhill(node, value, |lower| lower.next());
            let last = self.downhill(node, value, |lower| lower.next_back());
            let counted =
                first.is_some_and(|len| self.header.histogram.get(len).is_some_and(|&n| n > 0));
            let held = self.header.packing == Packing::Bit || first == Some(value as usize);
            if first != last || !counted || !held {
                exceptions.breaks(Rule::Downhill, node.entry);
            }
            first
        })
    }

    /// Returns the number of downhill moves to the goal, if it is at most the largest value.
    fn downhill(
        &self,
        mut node: Node,
        mut value: u32,
        choose: impl Fn(&mut dyn DoubleEndedIterator<Item = (Node, u32)>) -> Option<(Node, u32)>,
    ) -> Option<usize> {
        for len in 0..self.header.histogram.len() {
            if node.entry == self.goal.entry {
                return Some(len);
            }
            let valued = self.neighbours(node).map(|next| (next, self.value(next)));
            let mut lower = valued
                .filter_map(|(next, to)| Some((next, to?)))
                .filter(|&(_, to)| self.added(value, to) == -1);
            (node, value) = choose(&mut lower)?;
        }
        None
    }

    /// Checks rules 1, 3, 5 and 6.
    fn check_collapsed(&self, whole: bool, workers: Workers<'_>) -> Result<Exceptions, GenError> {
        check_each(self.header, self.goal.entry, whole, workers, &|entry, exceptions| {
            let node = self.node(entry);
            let value = self.check_one(node, exceptions)?;
            let free = self.free(node.state);
            let one_region = regions(self.key.shape, free).count() == 1;
            let mut lower = node.entry == self.goal.entry;
            for to in self.neighbours(node).filter_map(|next| self.value(next)) {
                lower |= to < value;
                if one_region && to > value + 1 {
                    exceptions.breaks(Rule::OneRegion, node.entry);
                }
            }
            if !lower {
                exceptions.breaks(Rule::Lower, node.entry);
            }
            Some(value as usize)
        })
    }
}

/// Returns whether `to` is `from` after the blank moved into `line` in exchange with a tile of
/// `home_line`.
fn is_move(key: &WalkingKey, from: u128, to: u128, line: usize, home_line: usize) -> bool {
    let blank_line = walking::blank_line(from);
    let count = |state, line, home| i16::from(walking::count(state, key.lines, line, home));
    let as_it_should = |(l, home): (usize, usize)| {
        let added = match (home == home_line, l) {
            (true, l) if l == line => -1,
            (true, l) if l == blank_line => 1,
            _ => 0,
        };
        count(to, l, home) == count(from, l, home) + added
    };
    let mut counts = (0..key.lines).flat_map(|l| (0..key.lines).map(move |home| (l, home)));
    walking::blank_line(to) == line && counts.all(as_it_should)
}

fn check_walking(header: &Header, key: &WalkingKey, payload: &[u8]) -> Exceptions {
    let mut exceptions = Exceptions::default();
    let layout = Layout::new(header.entry_count, key.lines);
    let key_of = |state| layout.key(payload, state).expect("the payload has every key");
    let value_of = |state| layout.value(payload, state).expect("the payload has every value");
    let mut counts = vec![0; 256];
    for state in 0..header.entry_count as u32 {
        let (own_key, value) = (key_of(state), value_of(state));
        counts[usize::from(value)] += 1;
        if (state == 0) != (value == 0) || state == 0 && own_key != walking::goal_key(key) {
            exceptions.breaks(Rule::Goal, state.into());
        }
        let count = |line, home| walking::count(own_key, key.lines, line, home);
        if walking::pack_key(key.lines, count, walking::blank_line(own_key)) != own_key {
            exceptions.breaks(Rule::Key, state.into());
        }
        if state > 0 && (value_of(state - 1), key_of(state - 1)) >= (value, own_key) {
            exceptions.breaks(Rule::Order, state.into());
        }
        let mut lower = state == 0;
        for (step, back) in [(Step::Up, Step::Down), (Step::Down, Step::Up)] {
            for home_line in 0..key.lines {
                let line = step.target(walking::blank_line(own_key), key.lines);
                let line = line.filter(|&line| count(line, home_line) > 0);
                let link = layout.link(payload, state, step, home_line);
                let link = link.filter(|&link| link != NO_LINK);
                let right = match (line, link) {
                    (None, None) => true,
                    (Some(line), Some(link)) => {
                        layout
                            .key(payload, link)
                            .is_some_and(|to| is_move(key, own_key, to, line, home_line))
                            && layout.link(payload, link, back, home_line) == Some(state)
                    }
                    _ => false,
                };
                if !right {
                    exceptions.breaks(Rule::Link, state.into());
                    continue;
                }
                let Some(to) = link.map(value_of) else {
                    continue;
                };
                lower |= to < value;
                if to.abs_diff(value) != 1 {
                    exceptions.breaks(Rule::Step, state.into());
                }
            }
        }
        if !lower {
            exceptions.breaks(Rule::Lower, state.into());
        }
    }
    while counts.last() == Some(&0) {
        counts.pop();
    }
    exceptions.check_histogram(header, &counts);
    exceptions
}

mod coloured;
#[cfg(test)]
mod tests;
