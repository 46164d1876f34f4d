//! What an estimate consists of, for people to read.

/// A pattern of a plan, and what its table says of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternValue {
    /// The tiles that are looked up in ascending order; of a mirror image those that stand for the
    /// table's.
    pub tiles: Vec<u8>,
    /// The value, in moves.
    pub value: u32,
}

/// The state of one axis of the Walking Distance, in lines of the board: rows for vertical moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkingCounts {
    /// For each line the tiles in it, counted by their home line.
    pub lines: Vec<Vec<u8>>,
    /// The line that the blank is in, from 0.
    pub blank_line: usize,
    /// The line that the blank has its home in, from 0.
    pub blank_home: usize,
    /// The moves from line to line that the state takes at least.
    pub value: u32,
}
