//! Published facts about whole shapes: the number of boards at each distance, and the hardest
//! boards.

use pdb_core::{BLANK, Board, Cell, Direction, Goal, Metric, Shape, Symmetry};

use crate::text::read_board;

/// Number of boards at each distance; the file names its source.
const DISTRIBUTIONS: &str = include_str!("../../data/distance_distributions.txt");
/// The boards at the greatest distance; the file names its source.
const HARDEST: &str = include_str!("../../data/hardest_boards.txt");

/// Number of boards at each distance from a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Distribution {
    /// Counts from distance 0 on.
    pub(super) counts: Vec<u64>,
    /// Whether the counts reach the greatest distance.
    pub(super) is_whole: bool,
}

impl Distribution {
    /// Returns the published counts for a goal, if any. They do not depend on the names of tiles,
    /// nor on symmetries.
    pub(super) fn of(goal: &Goal, metric: Metric) -> Option<Self> {
        let shape = goal.shape();
        let home = home_name(shape, goal.home(BLANK))?;
        // The file writes columns before rows. A shape and its transpose have the same counts.
        let (long, short) = (shape.rows().max(shape.cols()), shape.rows().min(shape.cols()));
        let metric = metric.name().to_uppercase();
        let start = format!("{long}x{short} {metric} blank={home} ");
        let line = DISTRIBUTIONS.lines().find(|line| line.starts_with(&start))?;
        let (head, counts) = line.split_once(" : ")?;
        let counts = counts.split_whitespace().filter_map(|count| count.parse().ok()).collect();
        Some(Self { counts, is_whole: !head.contains("PARTIAL") })
    }

    /// Returns the number of all boards.
    pub(super) fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the mean distance.
    pub(super) fn mean(&self) -> f64 {
        let sum: u128 = (0..).zip(&self.counts).map(|(at, &count)| at * u128::from(count)).sum();
        sum as f64 / self.total() as f64
    }
}

/// Returns the file's name for a home of the blank and its symmetric images.
fn home_name(shape: Shape, home: Cell) -> Option<&'static str> {
    let (row, col) = shape.row_col(home);
    let is_row_outer = row == 0 || row + 1 == shape.rows();
    let is_col_outer = col == 0 || col + 1 == shape.cols();
    match (is_row_outer && is_col_outer, is_row_outer || is_col_outer, shape.cell_count()) {
        (true, _, _) => Some("corner"),
        (false, true, 9) if shape.rows() == 3 => Some("edge"),
        (false, false, 9) => Some("centre"),
        (false, true, 16) if shape.rows() == 4 => Some("edge8"),
        (false, false, 16) if shape.rows() == 4 => Some("centre4"),
        _ => None,
    }
}

/// Returns the greatest distance of any board from a goal, in moves of single tiles, if it is known
/// without a search. It is known for all goals of the 8- and the 15-puzzle. In most shapes of up to
/// 16 cells, it is known for the blank in a corner (OEIS A151944).
pub fn greatest_distance(goal: &Goal) -> Option<u32> {
    let distribution = Distribution::of(goal, Metric::SingleTile)?;
    distribution.is_whole.then(|| distribution.counts.len() as u32 - 1)
}

/// Returns the shapes whose hardest boards are listed, each with at most as many rows as columns.
pub(super) fn listed_shapes() -> Vec<Shape> {
    let mut shapes: Vec<Shape> = lines().map(|(shape, _, _)| shape).collect();
    shapes.dedup();
    shapes
}

/// Returns the shape, the distance and the board of each line of the list.
fn lines() -> impl Iterator<Item = (Shape, u32, Board)> {
    HARDEST.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (head, cells) = line.split_once(" : ").expect("a head before the cells");
        let (shape, distance) = head.split_once(' ').expect("a shape and a distance");
        let shape: Shape = shape.parse().expect("the file names shapes");
        let board = read_board(cells, Some(shape)).expect("the file holds boards");
        (shape, distance.parse().expect("the file has distances"), board)
    })
}

/// Returns the hardest boards of the list and their distance, for a goal with the blank in a
/// corner.
pub(super) fn listed(goal: &Goal) -> Option<(u32, Vec<Board>)> {
    let found = lines().filter_map(|(shape, distance, board)| {
        let usual = Goal::blank_last(shape);
        Some((distance, image(&board, &usual, goal)?))
    });
    let (distances, boards): (Vec<u32>, Vec<Board>) = found.unzip();
    Some((*distances.first()?, boards))
}

/// Returns the board that corresponds for `to` to `board` for `from`. A symmetry maps one home of
/// the blank to the other, and the tiles are renamed by their homes.
fn image(board: &Board, from: &Goal, to: &Goal) -> Option<Board> {
    let symmetry = Symmetry::all(from.shape()).find(|symmetry| {
        symmetry.to_shape() == to.shape() && symmetry.cell(from.home(BLANK)) == to.home(BLANK)
    })?;
    let mut tiles = vec![BLANK; board.tiles().len()];
    for (cell, &tile) in (0..).zip(board.tiles()) {
        let name = to.board().tile(symmetry.cell(from.home(tile)));
        tiles[usize::from(symmetry.cell(cell))] = name;
    }
    Board::new(to.shape(), &tiles).ok()
}

/// Returns boards far from a goal: the hardest boards of a near goal with the blank in a corner.
/// Each is at least as far as that goal's greatest distance minus the moves between the goals.
pub(super) fn far(goal: &Goal) -> Vec<Board> {
    let shape = goal.shape();
    let mut near = *goal.board();
    // Moves the blank to the nearest corner.
    loop {
        let (row, col) = shape.row_col(near.blank());
        let (below, right) = (shape.rows() - 1 - row, shape.cols() - 1 - col);
        let direction = if row > 0 && below > 0 {
            if row < below { Direction::Down } else { Direction::Up }
        } else if col > 0 && right > 0 {
            if col < right { Direction::Right } else { Direction::Left }
        } else {
            break;
        };
        near = near.moved(direction).expect("a tile is between the blank and the edge");
    }
    listed(&Goal::new(near)).map(|(_, boards)| boards).unwrap_or_default()
}
