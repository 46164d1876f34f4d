//! The states of a Walking Distance table: keys, links and values.
//!
//! A state of an axis is the number of tiles of each home line in each line, and the blank's line.
//! The idea is Ken'ichiro Takahashi's, who used it to bound the 15-puzzle.

use pdb_core::WalkingKey;

use crate::FormatError;
use crate::error::ensure;

/// Largest number of lines whose counts fit a key.
pub const LINES_MAX: usize = 6;
/// Longest line whose counts fit a key, in cells.
pub const LINE_LEN_MAX: usize = (1 << COUNT_BITS) - 1;
/// Link of an impossible move.
pub const NO_LINK: u32 = u32::MAX;

const COUNT_BITS: usize = 3;
const BLANK_SHIFT: usize = 120;
const KEY_BYTES: u64 = 16;
const LINK_BYTES: u64 = 4;

const _: () = {
    assert!(COUNT_BITS * LINES_MAX * LINES_MAX <= BLANK_SHIFT);
    assert!(LINES_MAX <= 1 << COUNT_BITS && BLANK_SHIFT + COUNT_BITS <= u128::BITS as usize);
};

/// Direction of the blank's move from one line to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the line before.
    Up,
    /// To the line after.
    Down,
}

impl Step {
    /// Both directions, in the order of their links.
    pub const ALL: [Self; 2] = [Self::Up, Self::Down];

    /// Returns the line to which the blank moves from `line`, if it is one of `lines`.
    #[inline]
    pub fn target(self, line: usize, lines: usize) -> Option<usize> {
        match self {
            Self::Up => line.checked_sub(1),
            Self::Down => Some(line + 1).filter(|&line| line < lines),
        }
    }
}

/// Checks that the states of a table fit their keys.
///
/// # Errors
/// [`FormatError::BadField`] for more than 6 lines, or lines of more than 7 cells.
pub fn fits(key: &WalkingKey) -> Result<(), FormatError> {
    let fits = key.lines <= LINES_MAX && key.line_len <= LINE_LEN_MAX;
    let expected = format_args!("at most {LINES_MAX} lines of at most {LINE_LEN_MAX} cells");
    let found = format_args!("{} lines of {}", key.lines, key.line_len);
    ensure(fits, "walking distance", expected, found)
}

/// Returns the key of a state with `count(line, home_line)` tiles of each home line in each line.
///
/// `lines` is at most [`LINES_MAX`] and each count at most [`LINE_LEN_MAX`], as [`fits`] checks.
pub fn pack_key(lines: usize, count: impl Fn(usize, usize) -> u8, blank_line: usize) -> u128 {
    let mut key = (blank_line as u128) << BLANK_SHIFT;
    for line in 0..lines {
        for home_line in 0..lines {
            let count = count(line, home_line);
            debug_assert!(usize::from(count) <= LINE_LEN_MAX);
            key |= u128::from(count) << count_shift(lines, line, home_line);
        }
    }
    key
}

/// Returns the key of the goal, which is state 0 of a table.
///
/// This key distinguishes tables of longer and shorter lines, which the header cannot.
pub fn goal_key(key: &WalkingKey) -> u128 {
    let count = |line, home_line| match (line == home_line, line == key.blank_line) {
        (true, has_blank) => key.line_len as u8 - u8::from(has_blank),
        (false, _) => 0,
    };
    pack_key(key.lines, count, key.blank_line)
}

/// Returns the number of tiles of `home_line` in `line`, both below `lines`.
#[inline]
pub fn count(key: u128, lines: usize, line: usize, home_line: usize) -> u8 {
    (key >> count_shift(lines, line, home_line)) as u8 & LINE_LEN_MAX as u8
}

/// Returns the blank's line.
#[inline]
pub fn blank_line(key: u128) -> usize {
    (key >> BLANK_SHIFT) as usize & LINE_LEN_MAX
}

/// Returns the key after the blank moved into `to_line`, in exchange with a tile of `home_line`
/// there, if there is such a tile.
#[inline]
pub fn moved(key: u128, lines: usize, to_line: usize, home_line: usize) -> Option<u128> {
    let from_line = blank_line(key);
    (count(key, lines, to_line, home_line) > 0).then(|| {
        let counts = key - (1 << count_shift(lines, to_line, home_line))
            + (1 << count_shift(lines, from_line, home_line));
        counts & !((LINE_LEN_MAX as u128) << BLANK_SHIFT) | (to_line as u128) << BLANK_SHIFT
    })
}

#[inline]
fn count_shift(lines: usize, line: usize, home_line: usize) -> usize {
    COUNT_BITS * (line * lines + home_line)
}

/// Layout of the keys, links and values of the states in the payload.
///
/// Keys start at its first byte. Offsets count from the start of the payload. Each part is aligned
/// to 8 bytes, because the payload is page-aligned and keys and links of a state take a multiple of
/// 8 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    state_count: u64,
    lines: u64,
}

impl Layout {
    /// Creates the layout of `state_count` states (below 2^32) with `lines` lines.
    pub fn new(state_count: u64, lines: usize) -> Self {
        Self { state_count, lines: lines as u64 }
    }

    /// Returns the offset of the links, in bytes.
    pub fn links_offset(&self) -> u64 {
        self.state_count * KEY_BYTES
    }

    /// Returns the offset of the values, in bytes.
    pub fn values_offset(&self) -> u64 {
        self.links_offset() + self.link_count() * LINK_BYTES
    }

    /// Returns the length of the payload, in bytes.
    pub fn payload_bytes(&self) -> u64 {
        self.values_offset() + self.state_count
    }

    /// Returns the number of links: one for each state, step and home line.
    pub fn link_count(&self) -> u64 {
        self.state_count * 2 * self.lines
    }

    /// Returns the position of the link from `state` by `step` in exchange with a tile of
    /// `home_line`.
    pub fn link_index(&self, state: u32, step: Step, home_line: usize) -> u64 {
        (u64::from(state) * 2 + step as u64) * self.lines + home_line as u64
    }

    /// Returns the key of a state, if the payload has it.
    pub fn key(&self, payload: &[u8], state: u32) -> Option<u128> {
        self.contains(state)?;
        read(payload, u64::from(state) * KEY_BYTES).map(u128::from_le_bytes)
    }

    /// Returns the link of a move, if the payload has it: [`NO_LINK`], or a state that the caller
    /// must check.
    pub fn link(&self, payload: &[u8], state: u32, step: Step, home_line: usize) -> Option<u32> {
        self.contains(state)?;
        if home_line as u64 >= self.lines {
            return None;
        }
        let link = self.link_index(state, step, home_line);
        read(payload, self.links_offset() + link * LINK_BYTES).map(u32::from_le_bytes)
    }

    /// Returns the value of a state, if the payload has it.
    pub fn value(&self, payload: &[u8], state: u32) -> Option<u8> {
        self.contains(state)?;
        read(payload, self.values_offset() + u64::from(state)).map(u8::from_le_bytes)
    }

    fn contains(&self, state: u32) -> Option<()> {
        (u64::from(state) < self.state_count).then_some(())
    }
}

fn read<const N: usize>(payload: &[u8], at: u64) -> Option<[u8; N]> {
    payload.get(usize::try_from(at).ok()?..)?.first_chunk().copied()
}
