//! Walking Distance: breadth-first search over the states of one axis, with the links that a search
//! for solutions follows.
//!
//! A state counts, for each line, its tiles of each home line. The blank's line exchanges the blank
//! with any tile of a neighbouring line; tiles of one home line are equivalent.
//!
//! A move changes the value by one. So a new level consists of the neighbours of the last one,
//! without the states of the one before it. No map of known states is needed: each level is sorted,
//! and a binary search finds a state in it.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::mem;
use std::sync::Mutex;

use pdb_core::WalkingKey;
use pdb_format::walking::{self, NO_LINK, Step};

use crate::GenError;
use crate::monitor::Event;
use crate::threads::{Workers, lock, map_in_threads};
use crate::words::Words;

/// Largest number of states of a Walking Distance table: a link cannot number more.
pub const WALKING_STATES_MAX: u64 = NO_LINK as u64;

/// Number of states that a thread takes at a time.
const BATCH: usize = 1 << 14;

/// Returns the number of states of a Walking Distance table.
///
/// A state is a square of counts. Each line has as many tiles as cells, and so has each home line,
/// except that of the blank; every such square can be reached. The squares are counted line by
/// line: of the lines before, only the numbers of remaining tiles of each home line matter, in any
/// order.
///
/// # Errors
/// [`GenError::TooManyStates`] when they are too many to be numbered, or do not fit their keys.
pub(crate) fn walking_state_count(key: &WalkingKey) -> Result<u64, GenError> {
    let WalkingKey { lines, line_len, .. } = *key;
    let states_max = WALKING_STATES_MAX;
    let too_many = GenError::TooManyStates { lines, line_len, states_max };
    if walking::fits(key).is_err() {
        return Err(too_many);
    }
    // The number does not depend on the blank's home line.
    let mut homes = vec![line_len as u8; lines];
    homes[0] -= 1;
    homes.sort_unstable();
    let mut count = 0;
    for blank_line in 0..lines {
        let mut ways = BTreeMap::from([(homes.clone(), 1u64)]);
        for line in 0..lines {
            let tiles = line_len as u8 - u8::from(line == blank_line);
            let mut next = BTreeMap::new();
            for (left, count) in ways {
                each_line(&left, tiles, &mut |mut left: Vec<u8>| {
                    left.sort_unstable();
                    *next.entry(left).or_default() += count;
                });
            }
            ways = next;
        }
        count += ways.into_values().sum::<u64>();
    }
    if count < states_max { Ok(count) } else { Err(too_many) }
}

/// Calls `each` with the remaining tiles of the home lines after a line took some tiles, for every
/// choice.
fn each_line(left: &[u8], tiles: u8, each: &mut dyn FnMut(Vec<u8>)) {
    fn go(left: &mut Vec<u8>, at: usize, tiles: u8, each: &mut dyn FnMut(Vec<u8>)) {
        let all = left[at];
        if at + 1 == left.len() {
            if tiles <= all {
                left[at] -= tiles;
                each(left.clone());
                left[at] = all;
            }
            return;
        }
        for taken in 0..=tiles.min(all) {
            left[at] = all - taken;
            go(left, at + 1, tiles - taken, each);
        }
        left[at] = all;
    }
    go(&mut left.to_vec(), 0, tiles, each);
}

/// Returns the state after a step, in exchange with a tile of a home line, if there is one.
///
/// The step keeps the order of states: a key begins with the blank's line, and for one line the
/// step adds a constant to it.
fn moved(lines: usize, state: u128, step: Step, home_line: usize) -> Option<u128> {
    let line = step.target(walking::blank_line(state), lines)?;
    walking::moved(state, lines, line, home_line)
}

/// Returns all kinds of moves: a step, and the home line of the tile that makes it.
fn moves(lines: usize) -> impl Iterator<Item = (Step, usize)> {
    Step::ALL.into_iter().flat_map(move |step| (0..lines).map(move |home| (step, home)))
}

/// Searches a sorted list for states that come in ascending order.
struct Finder<'a> {
    list: &'a [u128],
    /// Place of the first state that was not passed; none before the first search.
    place: Option<usize>,
}

impl<'a> Finder<'a> {
    fn new(list: &'a [u128]) -> Self {
        Self { list, place: None }
    }

    fn find(&mut self, state: u128) -> Option<usize> {
        let begin = || self.list.partition_point(|&other| other < state);
        let place = self.place.get_or_insert_with(begin);
        while self.list.get(*place).is_some_and(|&other| other < state) {
            *place += 1;
        }
        (self.list.get(*place) == Some(&state)).then_some(*place)
    }
}

/// Returns the neighbours of a level that are not in the level before it.
fn next_level(lines: usize, last: &[u128], before: &[u128], thread_count: usize) -> Vec<u128> {
    let found = Mutex::new(Vec::new());
    let Ok(_) = map_in_threads(thread_count, last.chunks(BATCH), |batch| {
        let mut new: Vec<u128> = Vec::new();
        for (step, home) in moves(lines) {
            new.extend(batch.iter().filter_map(|&state| moved(lines, state, step, home)));
        }
        merge(&mut new);
        let mut before = Finder::new(before);
        new.retain(|&state| before.find(state).is_none());
        lock(&found).append(&mut new);
        Ok::<_, Infallible>(())
    });
    let mut found = mem::take(&mut *lock(&found));
    merge(&mut found);
    found
}

/// Sorts states that consist of sorted parts, and removes all but one of equal ones.
fn merge(states: &mut Vec<u128>) {
    #[expect(clippy::stable_sort_primitive, reason = "it merges what is sorted")]
    states.sort();
    states.dedup();
}

/// Builds the table of one axis. Returns the payload, perhaps followed by other bytes, and the
/// number of states of each value.
///
/// # Errors
/// As [`walking_state_count`]; [`GenError::Memory`]; [`GenError::Interrupted`] when cancelled.
pub(crate) fn walking_table(
    key: &WalkingKey,
    workers: Workers<'_>,
) -> Result<(Words, Vec<u64>), GenError> {
    let total = walking_state_count(key)?;
    let lines = key.lines;
    // A state's number is its position in the order of value and key: levels in turn, each sorted.
    let mut levels = vec![vec![walking::goal_key(key)]];
    let mut starts = vec![0];
    let mut done = 1;
    loop {
        let before = levels.len().checked_sub(2).map_or(&[][..], |place| &levels[place]);
        let last = levels.last().expect("there is the goal");
        workers.monitor.event(Event::Level { level: levels.len() as u32 - 1, done, total });
        workers.monitor.check_cancelled()?;
        let mut next = next_level(lines, last, before, workers.thread_count);
        if next.is_empty() {
            break;
        }
        next.shrink_to_fit();
        starts.push(done as u32);
        done += next.len() as u64;
        levels.push(next);
    }
    assert_eq!(done, total, "every state is reached");

    workers.monitor.event(Event::Pack);
    let layout = walking::Layout::new(total, lines);
    let bytes = layout.payload_bytes() as usize;
    let mut words = Words::zeroed(bytes.div_ceil(size_of::<u64>()))?;
    let payload: &mut [u8] = &mut bytemuck::cast_slice_mut(&mut words)[..bytes];
    let (mut keys, rest) = payload.split_at_mut(layout.links_offset() as usize);
    let (mut links, mut values) = rest.split_at_mut((layout.link_count() * 4) as usize);
    let mut parts = Vec::new();
    for (level, states) in levels.iter().enumerate() {
        values.split_off_mut(..states.len()).expect("a byte a state").fill(level as u8);
        for states in states.chunks(BATCH) {
            let links_len = states.len() * 2 * lines * size_of::<u32>();
            let keys = keys.split_off_mut(..size_of_val(states)).expect("a key a state");
            let links = links.split_off_mut(..links_len).expect("room for all links");
            parts.push((level, states, keys, links));
        }
    }
    map_in_threads(workers.thread_count, parts, |(level, states, keys, links)| {
        workers.monitor.check_cancelled()?;
        for (state, key) in states.iter().zip(keys.chunks_exact_mut(size_of::<u128>())) {
            key.copy_from_slice(&state.to_le_bytes());
        }
        for (nth, (step, home)) in moves(lines).enumerate() {
            // A neighbour is in the level before or after.
            let mut around = [level.checked_sub(1), Some(level + 1)].map(|level| {
                let states = level.and_then(|level| levels.get(level));
                let start = level.map_or(0, |level| starts.get(level).copied().unwrap_or(0));
                (start, Finder::new(states.map_or(&[], |states| states)))
            });
            let mut number = |state| {
                let mut found = around
                    .iter_mut()
                    .map(|(start, finder)| finder.find(state).map(|place| *start + place as u32));
                found.find_map(|number| number).expect("a move changes the value by one")
            };
            let links = links.chunks_exact_mut(size_of::<u32>()).skip(nth).step_by(2 * lines);
            for (&state, link) in states.iter().zip(links) {
                let next = moved(lines, state, step, home);
                link.copy_from_slice(&next.map_or(NO_LINK, &mut number).to_le_bytes());
            }
        }
        Ok::<_, GenError>(())
    })?;
    workers.monitor.check_cancelled()?;
    let histogram = levels.iter().map(|level| level.len() as u64).collect();
    Ok((words, histogram))
}
