//! Parts of an estimate, for people to read.

/// Pattern of a plan, and its value on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternValue {
    /// The tiles of the pattern in ascending order; for a mirror image, those of the image.
    pub tiles: Vec<u8>,
    /// The value, in moves.
    pub value: u32,
}

/// State of one axis of the Walking Distance, in lines of the board: rows for vertical moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkingCounts {
    /// For each line, the numbers of its tiles by home line.
    pub lines: Vec<Vec<u8>>,
    /// The blank's line, from 0.
    pub blank_line: usize,
    /// The blank's home line, from 0.
    pub blank_home: usize,
    /// Lower bound on the moves from line to line.
    pub value: u32,
}
