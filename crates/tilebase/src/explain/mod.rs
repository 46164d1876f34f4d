//! Explanation of a board without a search: its parity, its estimates part by part, and its space.

mod heuristics;
mod parity;

use std::fmt::Display;

use pdb_core::{Board, Goal, Metric};
use serde::{Serialize, Serializer};

pub(crate) use heuristics::Explainer;
pub use parity::{Exchange, Solvability};
pub use pdb_lab::parts::{HeuristicParts, Part, Value};

/// Explanation of a board without a search, made by
/// [`Tilebase::explain`](crate::Tilebase::explain).
///
/// It is serialized as a JSON object with its keys in the order of the fields. Tiles are numbers,
/// the blank is 0; rows and columns count from 1.
///
/// ```
/// use tilebase::Tilebase;
///
/// # let folder = tempfile::tempdir()?;
/// let tables = Tilebase::builder().folder(folder.path()).lazy()?;
/// let explanation = tables.explain("1 2 3 0/5 6 7 8/9 10 11 12/13 14 15 4")?;
/// assert_eq!(explanation.space.boards, "10461394944000");
/// let walking = explanation.heuristics.iter().find(|h| h.name == "walking-distance").unwrap();
/// assert_eq!(walking.parts.sum(), "11 = 11 + 0");
/// let parts = serde_json::to_value(&walking.parts)?;
/// // Row 4 holds one tile whose home is in row 1, and three whose homes are in row 4.
/// assert_eq!(parts["vertical"]["lines"][3], serde_json::json!([1, 0, 0, 3]));
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
    /// Metric of estimates and of the lower bound.
    #[serde(serialize_with = "as_text", skip_serializing_if = "is_usual")]
    pub metric: Metric,
    /// Whether the goal can be reached from the board, and why.
    pub solvable: Solvability,
    /// The heuristics in ascending order of their estimates. For an unsolvable board, they are
    /// those that need no tables.
    pub heuristics: Vec<HeuristicParts>,
    /// The heuristics that could not be explained, and why.
    pub left_out: Vec<OmittedHeuristic>,
    /// Lower bound for the length of a solution: the largest estimate, or one more if all solutions
    /// have the other parity, which slides do not have; `None` for an unsolvable board.
    pub lower_bound: Option<u32>,
    /// Size of the space of boards.
    pub space: Space,
    /// Number of moves per board, and growth of the tree of moves.
    pub branching: Branching,
}

/// A heuristic that is not explained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct OmittedHeuristic {
    /// Whether tables can be built that were not, because that takes long.
    #[serde(skip)]
    pub is_buildable: bool,
    /// Its name.
    pub name: String,
    /// Reason, and what to do about it.
    pub reason: String,
}

/// Size of the space of boards of one shape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Space {
    /// Number of cells, including the blank's.
    pub cells: usize,
    /// Number of ways to place the tiles and the blank on the cells, as a decimal number: the
    /// factorial of `cells`.
    pub arrangements: String,
    /// Number of boards from which the goal can be reached, as a decimal number: half of the
    /// arrangements, or `cells` on a board of one line.
    pub boards: String,
}

/// Number of moves per board, and growth of the tree of moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Branching {
    /// Number of legal moves of this board, or of its slides in the multi-tile metric.
    pub moves: usize,
    /// Mean number of moves over all boards of the space.
    pub mean: f64,
    /// Factor by which the tree of moves grows from level to level in the limit, if no move takes
    /// back the one before: the geometric mean of [`tree_levels`](Self::tree_levels) (S. Edelkamp
    /// and R. E. Korf, "The branching factor of regular search spaces", AAAI 1998). In the
    /// multi-tile metric, the slides of a path are along rows and along columns in turn, so the
    /// factors are exact on all levels below the first one.
    pub tree: f64,
    /// Growth from the levels with the blank on a cell of its current chessboard colour, and growth
    /// from the levels with the blank on the other colour. In the multi-tile metric, growth by
    /// slides along rows, and by slides along columns.
    pub tree_levels: [f64; 2],
}

fn as_text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_usual(metric: &Metric) -> bool {
    *metric == Metric::default()
}

/// Rounds to six decimals, because the last digits of an iteration vary.
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
    fn of(board: &Board, metric: Metric) -> Self {
        let shape = board.shape();
        if metric == Metric::MultiTile {
            let (along_rows, along_columns) = (shape.cols() - 1, shape.rows() - 1);
            let moves = along_rows + along_columns;
            let tree_levels = [along_rows, along_columns].map(|slides| slides as f64);
            let tree = rounded((tree_levels[0] * tree_levels[1]).sqrt());
            return Self { moves, mean: moves as f64, tree, tree_levels };
        }
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
    pub(crate) fn new(
        board: &Board,
        goal: &Goal,
        metric: Metric,
        heuristics: Vec<HeuristicParts>,
        left_out: Vec<OmittedHeuristic>,
    ) -> Self {
        let solvable = Solvability::of(board, goal);
        let largest = heuristics.iter().map(|heuristic| heuristic.estimate).max();
        Self {
            board: *board,
            goal: *goal.board(),
            metric,
            lower_bound: largest.filter(|_| solvable.is_solvable).map(|estimate| match metric {
                // All solutions have the parity of the blank's distance from home.
                Metric::SingleTile => estimate + (estimate + solvable.blank_distance) % 2,
                Metric::MultiTile => estimate,
            }),
            solvable,
            heuristics,
            left_out,
            space: Space::of(board),
            branching: Branching::of(board, metric),
        }
    }
}
