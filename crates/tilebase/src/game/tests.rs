#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

use super::*;
use crate::sets::BoardSet;
use crate::text::letters;
use pdb_core::Shape;
use pdb_oracle::Random;

fn shapes() -> impl Iterator<Item = Shape> {
    (2..=6).flat_map(|rows| (2..=6).map(move |cols| Shape::new(rows, cols).unwrap()))
}

/// Returns the tiles after moves, by code that the game does not share.
fn replayed(board: &Board, moves: &[Direction]) -> Vec<u8> {
    let shape = board.shape();
    let replayed = pdb_oracle::replay(shape.rows(), shape.cols(), board.tiles(), &letters(moves));
    replayed.unwrap()
}

fn game(shape: Shape, seed: u64) -> Game {
    let goal = Goal::blank_last(shape);
    Game::new(BoardSet::random(&goal, 1, seed).boards[0], goal).unwrap()
}

#[test]
fn random_play_agrees_with_its_replayed_moves() {
    for (seed, shape) in (0..).zip(shapes()) {
        let mut game = game(shape, seed);
        let mut random = Random::new(seed);
        let mut number = |end| random.below(end);
        // Moves that the game should have made, and moves that it should be able to redo.
        let (mut made, mut undone): (Vec<Direction>, Vec<Direction>) = (vec![], vec![]);
        for _ in 0..500 {
            match number(10) {
                0 | 1 => {
                    assert_eq!(game.undo(), made.last().copied());
                    undone.extend(made.pop());
                }
                2 => {
                    assert_eq!(game.redo(), undone.last().copied());
                    made.extend(undone.pop());
                }
                3 => {
                    let blank = shape.row_col(game.board().blank());
                    let cell = number(shape.cell_count()) as u8;
                    let expected = game.slides(cell);
                    let (row, col) = shape.row_col(cell);
                    let is_in_line = (row == blank.0) != (col == blank.1);
                    assert_eq!(!expected.is_empty(), is_in_line);
                    assert_eq!(game.slide(cell), expected.len());
                    for direction in expected {
                        if undone.pop() != Some(direction) {
                            undone.clear();
                        }
                        made.push(direction);
                    }
                    assert!(!is_in_line || game.board().blank() == cell);
                }
                _ => {
                    let direction = Direction::ALL[number(4)];
                    let is_legal = direction.tile_cell(shape, game.board().blank()).is_some();
                    assert_eq!(game.make(direction), is_legal);
                    if is_legal {
                        if undone.pop() != Some(direction) {
                            undone.clear();
                        }
                        made.push(direction);
                    }
                }
            }
            assert_eq!(game.moves(), made);
            assert_eq!(game.board().tiles(), replayed(game.start(), &made));
            assert_eq!(game.is_solved(), game.board() == game.goal().board());
        }
        let end = *game.board();
        let moves = game.moves().len();
        game.restart();
        assert_eq!((game.board(), game.moves().len()), (game.start(), 0));
        for _ in 0..moves {
            game.redo().unwrap();
        }
        assert_eq!(*game.board(), end);
    }
}

#[test]
fn slide_moves_the_tiles_between_cell_and_blank() {
    let shape = Shape::new(3, 4).unwrap();
    let board = Board::new(shape, &[1, 2, 3, 4, 5, 0, 6, 7, 8, 9, 10, 11]).unwrap();
    let after = |tile: u8| {
        let mut game = Game::new(board, Goal::blank_last(shape)).unwrap();
        let count = game.slide(board.cells_by_tile()[usize::from(tile)]);
        (count, letters(game.moves()), game.board().to_string())
    };
    let expected = |count, moves: &str, board: &str| (count, moves.to_owned(), board.to_owned());
    assert_eq!(after(7), expected(2, "LL", "1 2 3 4/5 6 7 0/8 9 10 11"));
    assert_eq!(after(5), expected(1, "R", "1 2 3 4/0 5 6 7/8 9 10 11"));
    assert_eq!(after(2), expected(1, "D", "1 0 3 4/5 2 6 7/8 9 10 11"));
    assert_eq!(after(9), expected(1, "U", "1 2 3 4/5 9 6 7/8 0 10 11"));
    // The blank itself, and tiles in neither of its lines.
    for tile in [0, 1, 3, 11] {
        assert_eq!(after(tile), expected(0, "", &board.to_string()), "{tile}");
    }
    let game = Game::new(board, Goal::blank_last(shape)).unwrap();
    assert!(game.slides(12).is_empty() && game.slides(255).is_empty());
}

#[test]
fn goal_of_another_shape_is_refused() {
    let shape = |rows, cols| Shape::new(rows, cols).unwrap();
    let board = *Goal::blank_last(shape(2, 3)).board();
    let found = Game::new(board, Goal::blank_last(shape(3, 2)));
    assert_eq!(found, Err(BoardError::OtherShape { expected: shape(3, 2), found: shape(2, 3) }));
    assert!(Game::new(board, Goal::new(board)).unwrap().is_solved());
}
