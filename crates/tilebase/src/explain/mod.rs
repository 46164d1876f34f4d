//! The explanation of a board without a search: its parity, its estimates part by part, its space.

mod heuristics;
mod parity;
mod parts;

use pdb_core::{Board, Goal};
use serde::{Serialize, Serializer};

pub(crate) use heuristics::Explainer;
pub use parity::{Exchange, Solvability};
pub use parts::{
    AxisInversions, AxisWalking, CornerPart, CyclePart, DetourPart, EndingPart, LargerAxis,
    LineName, LinePart, PairPart, PartitionPart, Parts, PatternPart, TileInversions, TilePart,
};

/// The explanation of a board without a search: see
/// [`Tilebase::explain`](crate::Tilebase::explain).
///
/// It is an object for programs, too; the order of the fields is that of the JSON keys. Tiles are
/// named by their numbers, the blank by 0; rows and columns count from 1.
///
/// ```
/// use tilebase::Tilebase;
/// use tilebase::explain::Parts;
///
/// # let folder = tempfile::tempdir()?;
/// let tables = Tilebase::builder().folder(folder.path()).lazy()?;
/// let explanation = tables.explain("1 2 3 0/5 6 7 8/9 10 11 12/13 14 15 4")?;
/// assert_eq!(explanation.space.boards, "10461394944000");
/// let walking = explanation.heuristics.iter().find(|h| h.name == "walking-distance").unwrap();
/// let Parts::Walking { vertical, horizontal } = &walking.parts else { panic!() };
/// assert_eq!((vertical.moves, horizontal.moves, walking.estimate), (11, 0, 11));
/// // Of row 4, a tile of row 1 and three of its own.
/// assert_eq!(vertical.lines[3], [1, 0, 0, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The board.
    #[serde(serialize_with = "as_text")]
    pub board: Board,
    /// The goal, as a board.
    #[serde(serialize_with = "as_text")]
    pub goal: Board,
    /// Whether moves lead from the one to the other, and why.
    pub solvable: Solvability,
    /// The heuristics, the smallest estimate first; none for a board that cannot be solved.
    pub heuristics: Vec<HeuristicParts>,
    /// The heuristics that are left out, and why.
    pub left_out: Vec<OmittedHeuristic>,
    /// No solution has fewer moves: the largest estimate, or one more where the parity of all
    /// solutions is another; nothing for a board that cannot be solved.
    pub lower_bound: Option<u32>,
    /// How many boards there are.
    pub space: Space,
    /// How many moves boards have, and how fast the tree of moves grows.
    pub branching: Branching,
}

/// A heuristic, its estimate of a board, and what the estimate consists of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct HeuristicParts {
    /// The heuristic's name, or its spec's.
    pub name: String,
    /// The estimate, in moves: no solution has fewer.
    pub estimate: u32,
    /// The parts of the estimate.
    pub parts: Parts,
    /// `false` where the tables were taken as they are, so that they may be damaged; else it is
    /// left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables_checked: Option<bool>,
}

/// A heuristic that is not explained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct OmittedHeuristic {
    /// Its name.
    pub name: String,
    /// Why not, and what to do about it.
    pub reason: String,
}

/// How many boards a shape has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Space {
    /// Cells of the board, the blank's included.
    pub cells: usize,
    /// The ways to put tiles and blank on the cells, as a decimal number: the factorial of the
    /// cells.
    pub arrangements: String,
    /// The boards from which the goal can be reached, as a decimal number: half of them.
    pub boards: String,
}

/// How many moves boards have, and how fast the tree of moves grows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Branching {
    /// The moves that this board has.
    pub moves: usize,
    /// The mean number of moves over all boards of the space.
    pub mean: f64,
    /// The factor by which the tree of moves grows from level to level in the limit, where no move
    /// takes the last one back: the geometric mean of [`tree_levels`](Self::tree_levels) (S.
    /// Edelkamp and R. E. Korf, "The branching factor of regular search spaces", AAAI 1998).
    pub tree: f64,
    /// The factor from levels with the blank on a cell of the colour that it is on now, as a
    /// chessboard has colours, and the factor from levels with it on the other colour.
    pub tree_levels: [f64; 2],
}

fn as_text<S: Serializer>(board: &Board, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(board)
}

/// To six decimals, so that the last digits of an iteration are not shown.
fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

impl Space {
    fn of(board: &Board) -> Self {
        let shape = board.shape();
        Self {
            cells: shape.cell_count(),
            arrangements: shape.arrangement_count(),
            boards: shape.board_count(),
        }
    }
}

impl Branching {
    fn of(board: &Board) -> Self {
        let shape = board.shape();
        let [mut this, mut other] = shape.tree_growth();
        let tree = (this * other).sqrt();
        let (row, col) = shape.row_col(board.blank());
        if (row + col) % 2 == 1 {
            std::mem::swap(&mut this, &mut other);
        }
        Self {
            moves: shape.neighbours(board.blank()).len(),
            mean: rounded(shape.mean_moves()),
            tree: rounded(tree),
            tree_levels: [this, other].map(rounded),
        }
    }
}

impl Explanation {
    /// Of a board without a solution there is no estimate.
    pub(crate) fn unsolvable(board: &Board, goal: &Goal) -> Self {
        Self::new(board, goal, Vec::new(), Vec::new())
    }

    fn new(
        board: &Board,
        goal: &Goal,
        heuristics: Vec<HeuristicParts>,
        left_out: Vec<OmittedHeuristic>,
    ) -> Self {
        let solvable = Solvability::of(board, goal);
        let largest = heuristics.iter().map(|heuristic| heuristic.estimate).max();
        Self {
            board: *board,
            goal: *goal.board(),
            // All solutions have the parity of the way that the blank has to go.
            lower_bound: largest
                .map(|estimate| estimate + (estimate + solvable.blank_distance) % 2),
            solvable,
            heuristics,
            left_out,
            space: Space::of(board),
            branching: Branching::of(board),
        }
    }
}
