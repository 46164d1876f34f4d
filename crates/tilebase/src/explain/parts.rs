//! The parts of estimates, as objects for programs.

use serde::Serialize;

use super::HeuristicParts;

/// The parts of an estimate. The `kind` of the JSON object is the name of the variant.
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
    /// The estimate is the sum of Manhattan distance and of the lines' moves.
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
        /// The corners that add something.
        corners: Vec<CornerPart>,
    },
    /// The estimate is the sum of Manhattan distance, of the moves of lines and corners, and of the
    /// cheapest ending.
    LastMoves {
        /// Manhattan distance.
        manhattan: u32,
        /// The lines that have conflicts, rows first.
        lines: Vec<LinePart>,
        /// The corners that add something.
        corners: Vec<CornerPart>,
        /// The ways in which a solution may end, the cheapest first; at the goal there is none.
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
        /// The pairs of the best choice; no tile is in two of them.
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
    /// The estimate of a heuristic that the program brings along has no parts.
    Own {},
    /// The estimate is the largest one.
    Max {
        /// The heuristics.
        heuristics: Vec<HeuristicParts>,
    },
}

/// Pieces of which each stands on the home of the one before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CyclePart {
    /// The pieces, 0 for the blank.
    pub tiles: Vec<u8>,
    /// The jumps into the blank that bring them home.
    pub jumps: u32,
}

/// A tile's way home on the empty board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TilePart {
    /// The tile.
    pub tile: u8,
    /// The rows that it is away from home.
    pub vertical: u32,
    /// The columns that it is away from home.
    pub horizontal: u32,
    /// Both together.
    pub moves: u32,
}

/// A row or a column, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LineName {
    /// A row, from the top.
    Row(usize),
    /// A column, from the left.
    Column(usize),
}

/// A line in which tiles stand in the wrong order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LinePart {
    /// The line: `{"row":1}` or `{"column":1}`.
    pub line: LineName,
    /// The tiles in it that have their homes in it, in the order in which they stand.
    pub tiles: Vec<u8>,
    /// The pairs of them that stand in the wrong order, as they stand.
    pub pairs: Vec<[u8; 2]>,
    /// The tiles that leave the line for the others to pass; another choice may do as well.
    pub leaving: Vec<u8>,
    /// Moves that it adds: two for each.
    pub moves: u32,
}

/// A corner with a wrong tile, which tiles at home beside it have to let out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CornerPart {
    /// The corner's row, from 1.
    pub row: usize,
    /// The corner's column, from 1.
    pub column: usize,
    /// The wrong tile.
    pub tile: u8,
    /// The tiles that have to move away and come back.
    pub beside: Vec<u8>,
    /// Moves that it adds: two for each.
    pub moves: u32,
}

/// A way in which a solution may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct EndingPart {
    /// The tile of the last move, which has to visit the blank's home before.
    pub last: DetourPart,
    /// The tile of the move before, which has to visit the last one's home: of several the one with
    /// the least detour. Nothing where a single move may be left.
    pub before: Option<DetourPart>,
    /// Moves that both detours add.
    pub moves: u32,
}

/// A tile that has to visit a cell on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DetourPart {
    /// The tile.
    pub tile: u8,
    /// Moves that it adds: 0 where the cell is on its way, or where a conflict or a corner counts
    /// it already.
    pub moves: u32,
}

/// The inversions of the tiles read line by line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AxisInversions {
    /// The tiles of each line in the order of reading, the blank left out.
    pub lines: Vec<Vec<TileInversions>>,
    /// The pairs in the wrong order: the sum of those of the tiles.
    pub inversions: u32,
    /// How many tiles a move from line to line passes, and so by how much it changes the inversions
    /// at most.
    pub passed: u32,
    /// The moves that so many inversions take at least.
    pub moves: u32,
}

/// A tile as it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TileInversions {
    /// The tile.
    pub tile: u8,
    /// How many of the tiles that are read after it come before it at the goal.
    pub inversions: u32,
}

/// Two tiles that are in each other's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PairPart {
    /// The tiles, the smaller one first.
    pub tiles: [u8; 2],
    /// Moves of both together beyond their Manhattan distance.
    pub moves: u32,
}

/// The state of an axis of Walking Distance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AxisWalking {
    /// K. Takahashi's table: for each line how many of its tiles have their home in line 1, in line
    /// 2 and so on.
    pub lines: Vec<Vec<u8>>,
    /// The line that the blank is in, from 1.
    pub blank: usize,
    /// The line that the blank has its home in, from 1.
    pub blank_home: usize,
    /// The moves from line to line that the state takes at least.
    pub moves: u32,
}

/// Both bounds of an axis, of which the larger one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LargerAxis {
    /// Walking Distance along this axis.
    pub walking: u32,
    /// Inversion distance along this axis.
    pub inversion: u32,
    /// The larger one.
    pub moves: u32,
}

/// A partition, or the mirror image of one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PartitionPart {
    /// The patterns, which hold each tile once; those of a mirror image are in the order of what
    /// they mirror.
    pub patterns: Vec<PatternPart>,
    /// The sum of their values.
    pub moves: u32,
    /// The number of the partition that it is the mirror image of, from 1; nothing where it is
    /// none.
    pub mirror_of: Option<usize>,
    /// Whether it is the one that counts: the first of the largest.
    pub counts: bool,
}

/// A pattern, and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PatternPart {
    /// The tiles, in ascending order.
    pub tiles: Vec<u8>,
    /// The value that the table has, in moves. In a partition, moves of the pattern's tiles; in a
    /// plain pattern, of all.
    pub moves: u32,
    /// Manhattan distance of its tiles: what is known without a table.
    pub manhattan: u32,
    /// The number of the plain pattern that it is the mirror image of, from 1; left out in a
    /// partition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mirror_of: Option<usize>,
    /// Whether it is the plain pattern that counts, the first of the largest; left out in a
    /// partition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<bool>,
}
