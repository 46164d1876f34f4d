//! The parts of estimates, as objects for programs.

use serde::Serialize;

use super::HeuristicParts;

/// Parts of an estimate. The `kind` of the JSON object is the name of the variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Parts {
    /// The estimate is the number of tiles.
    Misplaced {
        /// The tiles that are not at home, in the order of their cells.
        tiles: Vec<u8>,
    },
    /// The estimate is the sum of the jumps.
    Gaschnig {
        /// The cycles, the blank's first.
        cycles: Vec<CyclePart>,
    },
    /// The estimate is the sum of the moves.
    Manhattan {
        /// The tiles that are not at home, in ascending order.
        tiles: Vec<TilePart>,
    },
    /// The estimate is the sum of Manhattan distance and the moves of the lines.
    LinearConflict {
        /// Manhattan distance.
        manhattan: u32,
        /// The lines that have conflicts, rows first.
        lines: Vec<LinePart>,
    },
    /// The estimate is the sum of Manhattan distance and of the moves of lines and corners.
    CornerTiles {
        /// Manhattan distance.
        manhattan: u32,
        /// The lines that have conflicts, rows first.
        lines: Vec<LinePart>,
        /// The corners that add moves.
        corners: Vec<CornerPart>,
    },
    /// The estimate is the sum of Manhattan distance, of the moves of lines and corners, and of the
    /// cheapest ending.
    LastMoves {
        /// Manhattan distance.
        manhattan: u32,
        /// The lines that have conflicts, rows first.
        lines: Vec<LinePart>,
        /// The corners that add moves.
        corners: Vec<CornerPart>,
        /// The possible last moves of a solution, the cheapest first; empty at the goal.
        endings: Vec<EndingPart>,
    },
    /// The estimate is the sum of both axes.
    Inversion {
        /// Moves from row to row.
        vertical: AxisInversions,
        /// Moves from column to column.
        horizontal: AxisInversions,
    },
    /// The estimate is the sum of Manhattan distance and of the pairs' moves.
    Pairwise {
        /// Manhattan distance.
        manhattan: u32,
        /// The pairs of the best choice. No tile is in two pairs.
        pairs: Vec<PairPart>,
    },
    /// The estimate is the sum of both axes.
    Walking {
        /// Moves from row to row.
        vertical: AxisWalking,
        /// Moves from column to column.
        horizontal: AxisWalking,
    },
    /// The estimate is the sum of both axes.
    WalkingInversion {
        /// Moves from row to row.
        vertical: LargerAxis,
        /// Moves from column to column.
        horizontal: LargerAxis,
    },
    /// The estimate is the sum of the partition that counts.
    Additive {
        /// The partitions, mirror images included.
        partitions: Vec<PartitionPart>,
    },
    /// The estimate is the value of the pattern that counts.
    Plain {
        /// The patterns, mirror images included.
        patterns: Vec<PatternPart>,
    },
    /// The estimate of a heuristic of the calling program has no parts.
    Own {},
    /// The estimate is the largest estimate of several heuristics.
    Max {
        /// The heuristics.
        heuristics: Vec<HeuristicParts>,
    },
}

/// A cycle of pieces. Each piece occupies the home of the piece before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CyclePart {
    /// The pieces, 0 for the blank.
    pub tiles: Vec<u8>,
    /// Number of jumps into the blank that bring the pieces home.
    pub jumps: u32,
}

/// Distance of a tile from home on the empty board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TilePart {
    /// The tile.
    pub tile: u8,
    /// Number of rows between the tile and its home.
    pub vertical: u32,
    /// Number of columns between the tile and its home.
    pub horizontal: u32,
    /// Sum of both.
    pub moves: u32,
}

/// Row or column, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LineName {
    /// A row, from the top.
    Row(usize),
    /// A column, from the left.
    Column(usize),
}

/// Line with tiles in the wrong order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LinePart {
    /// The line: `{"row":1}` or `{"column":1}`.
    pub line: LineName,
    /// The tiles that are in the line and have their homes in it, in their current order.
    pub tiles: Vec<u8>,
    /// The pairs of these tiles that are in the wrong order, in their current order.
    pub pairs: Vec<[u8; 2]>,
    /// The tiles that leave the line so that the others can pass. Other choices may be as good.
    pub leaving: Vec<u8>,
    /// Moves that the line adds: two for each leaving tile.
    pub moves: u32,
}

/// Corner with a wrong tile, which can only leave if tiles that are at home move away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CornerPart {
    /// The corner's row, from 1.
    pub row: usize,
    /// The corner's column, from 1.
    pub column: usize,
    /// The wrong tile.
    pub tile: u8,
    /// The tiles at home that have to move away and come back.
    pub beside: Vec<u8>,
    /// Moves that the corner adds: two for each of these tiles.
    pub moves: u32,
}

/// Possible last moves of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct EndingPart {
    /// The tile of the last move, which has to visit the blank's home before that move.
    pub last: DetourPart,
    /// The tile of the second last move, which has to visit the home of the last tile. If several
    /// tiles are possible, the one with the smallest detour. `None` if a single move may remain.
    pub before: Option<DetourPart>,
    /// Moves that both detours add.
    pub moves: u32,
}

/// Detour of a tile that has to visit a cell on its way home.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DetourPart {
    /// The tile.
    pub tile: u8,
    /// Moves that the detour adds: 0 if the cell is on the way, or if a conflict or a corner
    /// already counts the moves.
    pub moves: u32,
}

/// Inversions of the tiles in reading order, line by line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AxisInversions {
    /// The tiles of each line in reading order, without the blank.
    pub lines: Vec<Vec<TileInversions>>,
    /// Number of pairs in the wrong order: the sum over the tiles.
    pub inversions: u32,
    /// Number of tiles that a move from line to line passes: the largest change of the inversions
    /// by one move.
    pub passed: u32,
    /// Smallest number of moves that remove these inversions.
    pub moves: u32,
}

/// A tile in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TileInversions {
    /// The tile.
    pub tile: u8,
    /// Number of later tiles that come before this tile at the goal.
    pub inversions: u32,
}

/// Two tiles that block each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PairPart {
    /// The tiles, the smaller one first.
    pub tiles: [u8; 2],
    /// Moves of both tiles beyond their Manhattan distance.
    pub moves: u32,
}

/// State of one axis of Walking Distance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AxisWalking {
    /// K. Takahashi's table: for each line, the number of its tiles that have their home in line 1,
    /// in line 2, and so on.
    pub lines: Vec<Vec<u8>>,
    /// The line of the blank, counted from 1.
    pub blank: usize,
    /// The line of the blank's home, counted from 1.
    pub blank_home: usize,
    /// Smallest number of moves from line to line that solves the state.
    pub moves: u32,
}

/// Both bounds of an axis. The larger one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LargerAxis {
    /// Walking Distance along this axis.
    pub walking: u32,
    /// Inversion distance along this axis.
    pub inversion: u32,
    /// The larger bound.
    pub moves: u32,
}

/// A partition or the mirror image of one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PartitionPart {
    /// The patterns, which contain each tile once. The patterns of a mirror image are in the order
    /// of the mirrored partition.
    pub patterns: Vec<PatternPart>,
    /// Sum of the values of the patterns.
    pub moves: u32,
    /// The number (from 1) of the partition of which this is the mirror image; `None` for a drawn
    /// partition.
    pub mirror_of: Option<usize>,
    /// Whether this partition gives the estimate: the first of those with the largest sum.
    pub counts: bool,
}

/// A pattern with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PatternPart {
    /// The tiles, in ascending order.
    pub tiles: Vec<u8>,
    /// The value from the table, in moves. In a partition only moves of the pattern's tiles count;
    /// for a plain pattern, all moves.
    pub moves: u32,
    /// Manhattan distance of the pattern's tiles, which needs no table.
    pub manhattan: u32,
    /// The number (from 1) of the plain pattern of which this is the mirror image; left out in a
    /// partition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mirror_of: Option<usize>,
    /// Whether this plain pattern gives the estimate: the first of those with the largest value;
    /// left out in a partition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<bool>,
}
