//! Walking Distance: breadth-first search over the states of one axis, with the links that a search
//! follows.
//!
//! A state counts, for each line, the tiles of each home line that stand in it. The blank's line
//! exchanges the blank with any tile of a neighbouring line; which of several tiles of one home line
//! it is makes no difference.

use std::collections::HashMap;

use pdb_core::WalkingKey;
use pdb_format::walking::{self, NO_LINK, Step};

use crate::GenError;
use crate::monitor::{Event, Monitor};

/// The largest Walking Distance table that is built: its states are kept in memory, with a map.
pub const WALKING_STATES_MAX: usize = 20_000_000;

/// The payload of a Walking Distance table.
#[derive(Debug)]
pub(crate) struct WalkingTable {
    pub(crate) payload: Vec<u8>,
    /// States of each value.
    pub(crate) histogram: Vec<u64>,
}

/// The state after the blank of `state` moved into `to_line`, in exchange with a tile of
/// `home_line` there; nothing where there is no such tile.
fn moved(lines: usize, state: u128, to_line: usize, home_line: usize) -> Option<u128> {
    let blank_line = walking::blank_line(state);
    if walking::count(state, lines, to_line, home_line) == 0 {
        return None;
    }
    let count = |line: usize, home: usize| {
        let now = walking::count(state, lines, line, home);
        match (line, home) {
            (l, h) if h == home_line && l == to_line => now - 1,
            (l, h) if h == home_line && l == blank_line => now + 1,
            _ => now,
        }
    };
    Some(walking::pack_key(lines, count, to_line))
}

fn target_line(lines: usize, state: u128, step: Step) -> Option<usize> {
    let line = walking::blank_line(state);
    match step {
        Step::Up => line.checked_sub(1),
        Step::Down => (line + 1 < lines).then_some(line + 1),
    }
}

/// Builds the table of one axis.
///
/// # Errors
/// [`GenError::TooManyStates`] beyond `states_max`, [`GenError::Interrupted`] when cancelled.
pub(crate) fn walking_table(
    key: &WalkingKey,
    states_max: usize,
    monitor: &Monitor<'_>,
) -> Result<WalkingTable, GenError> {
    let too_many = GenError::TooManyStates { lines: key.lines, line_len: key.line_len, states_max };
    if walking::fits(key).is_err() {
        return Err(too_many);
    }
    let lines = key.lines;
    let goal = walking::goal_key(key);
    // A state's number is its place in the order of value and key: levels in turn, each sorted.
    let mut states = vec![goal];
    let mut level_start = 0;
    let mut known = HashMap::from([(goal, 0u32)]);
    let mut histogram = Vec::new();
    while level_start < states.len() {
        let level = level_start..states.len();
        histogram.push(level.len() as u64);
        level_start = level.end;
        let mut next: Vec<u128> = states[level]
            .iter()
            .flat_map(|&state| neighbours(lines, state))
            .filter(|state| !known.contains_key(state))
            .collect();
        next.sort_unstable();
        next.dedup();
        if states.len() + next.len() > states_max {
            return Err(too_many);
        }
        for state in next {
            known.insert(state, states.len() as u32);
            states.push(state);
        }
        if monitor.is_cancelled() {
            return Err(GenError::Interrupted);
        }
        let done = states.len() as u64;
        monitor.event(Event::Level { level: histogram.len() as u32, done, total: done });
    }

    let layout = walking::Layout::new(states.len() as u64, lines);
    let mut payload = Vec::with_capacity(layout.payload_bytes() as usize);
    for state in &states {
        payload.extend_from_slice(&state.to_le_bytes());
    }
    for &state in &states {
        for step in Step::ALL {
            for home_line in 0..lines {
                let link = target_line(lines, state, step)
                    .and_then(|line| moved(lines, state, line, home_line))
                    .map_or(NO_LINK, |next| known[&next]);
                payload.extend_from_slice(&link.to_le_bytes());
            }
        }
    }
    for (value, &count) in histogram.iter().enumerate() {
        payload.extend(std::iter::repeat_n(value as u8, count as usize));
    }
    Ok(WalkingTable { payload, histogram })
}

fn neighbours(lines: usize, state: u128) -> impl Iterator<Item = u128> {
    Step::ALL
        .into_iter()
        .filter_map(move |step| target_line(lines, state, step))
        .flat_map(move |line| (0..lines).filter_map(move |home| moved(lines, state, line, home)))
}
