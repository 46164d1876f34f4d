//! Heuristics compared with true distances: estimates are admissible, consistent where claimed, and
//! equal whether they are updated or computed from scratch.

use pdb_core::{Board, Estimator, Expansion, Goal, Memo, Slide};
use pdb_lab::Basic;
use pdb_lab::heuristics::Pairwise;
use pdb_oracle::{Random, are_long, largest_matching};

use crate::common::{goals, random_board, sample, shape};

/// The claims of a heuristic, in addition to admissibility.
#[derive(Clone, Copy, Debug)]
struct Claims {
    name: &'static str,
    is_consistent: bool,
    /// Whether its estimates have the parity of the distance.
    has_parity: bool,
}

/// Calls a check with every heuristic for a goal.
fn with_each(goal: &Goal, check: &mut dyn FnMut(Claims, &dyn Estimator)) {
    for basic in Basic::ALL {
        let (is_consistent, has_parity) = match basic {
            Basic::Misplaced | Basic::Gaschnig | Basic::Inversion => (true, false),
            Basic::Manhattan | Basic::LinearConflict | Basic::Pairwise => (true, true),
            Basic::CornerTiles | Basic::LastMoves => (false, true),
        };
        let name = basic.name();
        match basic.estimator(goal) {
            Ok(heuristic) => check(Claims { name, is_consistent, has_parity }, &*heuristic),
            Err(error) => assert!(error.found > error.max && basic == Basic::Pairwise),
        }
    }
}

/// Returns the possible moves with the boards after them.
fn slides(board: &Board) -> impl Iterator<Item = (Slide, Board)> {
    let to = board.blank();
    let slide = move |next: Board| Slide { tile: next.tile(to), from: next.blank(), to };
    board.legal_moves().map(move |(_, next)| (slide(next), next))
}

/// Returns the memo of the child after a move. It equals that of the root, and of the other ways to
/// compute it.
fn entered(
    heuristic: &dyn Estimator,
    board: &Board,
    memo: &Memo,
    (slide, next): (Slide, Board),
) -> Memo {
    let child = heuristic.child(&next, memo, slide);
    assert!(heuristic.glance(&next, memo, slide) <= Some(child.estimate));
    let mut expansion = Expansion::new(*board, *memo);
    expansion.ask(slide);
    let mut together = [*memo];
    heuristic.children(&[expansion], &mut together);
    assert_eq!(kept(heuristic, &together[0]), kept(heuristic, &child));
    let root = heuristic.root(&next).unwrap();
    assert_eq!(kept(heuristic, &child), kept(heuristic, &root), "{heuristic:?} of {next}");
    child
}

/// Returns the estimate and the notes that have a meaning.
fn kept<'m>(heuristic: &dyn Estimator, memo: &'m Memo) -> (u32, &'m [i16]) {
    (memo.estimate, &memo.notes[..heuristic.note_count()])
}

/// Checks each board, and each move from it, with each heuristic.
fn check_boards(goal: &Goal, boards: &[(Board, usize)]) {
    with_each(goal, &mut |claims, heuristic| {
        let mut above_zero = 0;
        for &(board, distance) in boards {
            let memo = heuristic.root(&board).unwrap();
            let estimate = memo.estimate;
            let what = || format!("{} of {board} to {}", claims.name, goal.board());
            assert!(estimate as usize <= distance, "{}: {estimate} > {distance}", what());
            assert!(distance > 0 || estimate == 0);
            assert!(!claims.has_parity || estimate as usize % 2 == distance % 2, "{}", what());
            above_zero += usize::from(estimate > 0);
            for slide in slides(&board) {
                let child = entered(heuristic, &board, &memo, slide);
                let change = child.estimate.abs_diff(estimate);
                assert!(!claims.is_consistent || change <= 1, "{}: {change}", what());
            }
        }
        // Only boards that the heuristic cannot distinguish from the goal have the estimate 0.
        assert!(above_zero * 2 >= boards.len(), "{}", claims.name);
    });
}

#[test]
fn every_estimate_of_small_boards_is_a_lower_bound() {
    // One board in 11 of 2x4 and 4x2, and one in 41 of 3x3, with all its moves; all boards in long
    // tests.
    for (rows, cols, stride) in
        [(2, 2, 1), (2, 3, 1), (3, 2, 1), (2, 4, 11), (4, 2, 11), (3, 3, 41)]
    {
        let stride = if are_long() { 1 } else { stride };
        for goal in goals(shape(rows, cols)) {
            check_boards(&goal, &sample(&goal, stride));
        }
    }
}

/// Checks long walks that turn back from time to time.
fn check_walks(goal: &Goal) {
    let start = random_board(goal.shape(), goal, &mut Random::new(3));
    with_each(goal, &mut |_, heuristic| {
        let mut path = vec![(start, heuristic.root(&start).unwrap())];
        for step in 0..if are_long() { 1_000_usize } else { 400 } {
            let (board, memo) = path.last().unwrap();
            let all: Vec<_> = slides(board).collect();
            let slide = all[(step * step + step / 3) % all.len()];
            let child = entered(heuristic, board, memo, slide);
            path.push((slide.1, child));
            while step % 7 == 6 && path.len() > step / 2 + 1 {
                path.pop();
            }
        }
    });
}

#[test]
fn estimates_updated_along_walks_equal_those_of_the_boards() {
    let shapes = [(3, 3), (3, 4), (4, 4), (3, 5), (5, 5), (6, 6), (2, 18), (18, 2), (7, 5)];
    for (rows, cols) in shapes {
        for goal in goals(shape(rows, cols)) {
            check_walks(&goal);
        }
    }
}

#[test]
fn the_pairs_are_a_matching_of_largest_weight() {
    for shape in [shape(3, 3), shape(4, 4), shape(5, 5)] {
        let goal = Goal::blank_last(shape);
        let pairwise = Pairwise::new(&goal).unwrap();
        let mut random = Random::new(5);
        let mut boards: Vec<Board> =
            (0..100).map(|_| random_board(shape, &goal, &mut random)).collect();
        // A reversed row has the largest number of conflicts.
        let n = shape.cell_count() as u8;
        let reversed = |cell: u8| {
            let (row, col) = shape.row_col(cell);
            goal.board().tile(shape.cell(row, shape.cols() - 1 - col))
        };
        let tiles: Vec<u8> = (0..n).map(reversed).collect();
        boards.push(Board::new(shape, &tiles).unwrap());
        for board in boards {
            let pairs = pairwise.pairs(&board);
            let weights = pairs.weights();
            let edges = (1..usize::from(n)).flat_map(|i| (1..i).map(move |j| (i, j)));
            let edges = edges.map(|(i, j)| (i, j, u32::from(weights[i][j])));
            let edges: Vec<_> = edges.filter(|&(.., weight)| weight > 0).collect();
            let expected = goal.manhattan_distance(&board) + 2 * largest_matching(&edges);
            assert_eq!(pairwise.root(&board).unwrap().estimate, expected, "{board}");
        }
    }
}
