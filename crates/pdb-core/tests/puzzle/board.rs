//! Boards, moves, goals and parity.

use pdb_core::notation::{letters, parse_letters};
use pdb_core::{
    Attempt, BLANK, Board, BoardError, Direction, Goal, IllegalMove, Shape, Unsolvable,
};
use pdb_oracle::Random;

use crate::plain::{any_board, permutations, shape, shapes};

fn board(shape: Shape, tiles: &[u8]) -> Board {
    Board::new(shape, tiles).expect("the tiles make a board")
}

#[test]
fn a_board_has_the_cell_of_each_tile_and_the_tile_of_each_cell() {
    let shape = shape(2, 3);
    let board = board(shape, &[4, 1, 0, 3, 5, 2]);
    assert_eq!(board.shape(), shape);
    assert_eq!(board.tiles(), [4, 1, 0, 3, 5, 2]);
    assert_eq!((board.tile(3), board.blank()), (3, 2));
    assert_eq!(board.cells_by_tile()[..6], [2, 1, 5, 3, 0, 4]);
    assert_eq!(format!("{board:?}"), "Board(4 1 0/3 5 2)");
}

#[test]
fn a_board_has_each_tile_once() {
    let shape = shape(2, 2);
    let error = |tiles: &[u8]| Board::new(shape, tiles).unwrap_err();
    assert_eq!(error(&[]), BoardError::CellCount { shape, found: 0 });
    assert_eq!(error(&[1, 2, 3, 0, 4]), BoardError::CellCount { shape, found: 5 });
    assert_eq!(error(&[1, 2, 4, 0]), BoardError::OutOfRange { tile: 4, shape, cell: 2 });
    assert_eq!(
        error(&[3, 2, 3, 0]),
        BoardError::Repeated { tile: 3, first: 0, second: 2, missing: 1, shape }
    );
    assert_eq!(
        error(&[0, 2, 3, 0]),
        BoardError::Repeated { tile: 0, first: 0, second: 3, missing: 1, shape }
    );
    assert_eq!(
        error(&[1, 1, 3, 3]),
        BoardError::Repeated { tile: 1, first: 0, second: 1, missing: 0, shape }
    );
}

#[test]
fn directions_have_letters_and_opposites() {
    assert_eq!(letters(&Direction::ALL), "URDL");
    for direction in Direction::ALL {
        let letter = direction.letter();
        assert_eq!(Direction::from_letter(letter), Some(direction));
        assert_eq!(Direction::from_letter(letter.to_ascii_lowercase()), Some(direction));
        assert_eq!(direction.opposite().opposite(), direction);
    }
    assert_eq!(Direction::Up.opposite(), Direction::Down);
    assert_eq!(Direction::Left.opposite(), Direction::Right);
    for letter in ['x', ' ', '2', 'Ü', 'ｕ'] {
        assert_eq!(Direction::from_letter(letter), None);
    }
    for text in ["URDL", "urdl"] {
        assert_eq!(parse_letters(text), Some(Direction::ALL.to_vec()));
    }
    assert_eq!(parse_letters("U R"), None);
}

#[test]
fn moves_agree_with_the_oracle_for_every_cell_of_the_blank() {
    for shape in shapes() {
        let (rows, cols) = (shape.rows(), shape.cols());
        let mut tiles: Vec<u8> = (1..shape.cell_count() as u8).chain([0]).collect();
        for blank in 0..shape.cell_count() {
            tiles.rotate_right(1);
            let board = board(shape, &tiles);
            assert_eq!(usize::from(board.blank()), blank);
            for direction in Direction::ALL {
                let expected =
                    pdb_oracle::replay(rows, cols, &tiles, &direction.letter().to_string());
                let moved = board.moved(direction);
                assert_eq!(moved.map(|board| board.tiles().to_vec()), expected);
                let cell = direction.tile_cell(shape, board.blank());
                assert_eq!(cell, moved.map(|board| board.blank()));
                if let Some(moved) = moved {
                    assert_eq!(moved.moved(direction.opposite()), Some(board));
                }
            }
        }
    }
}

#[test]
fn error_has_the_position_of_the_impossible_move() {
    let goal = *Goal::blank_last(shape(3, 3)).board();
    let moves = [Direction::Down, Direction::Down, Direction::Down];
    let error = goal.after(&moves).unwrap_err();
    let board = goal.after(&moves[..2]).unwrap();
    let attempt = Attempt::Direction(Direction::Down);
    assert_eq!(error, IllegalMove { number: 3, attempt, board });
    assert_eq!(
        error.to_string(),
        "move 3 is impossible: there is no tile above the blank on 1 2 0/4 5 3/7 8 6, the board before \
         it; the tiles that can move are 2 and 3"
    );
    let end: Board = "3x1: 0/1/2".parse().unwrap();
    assert_eq!(
        end.after(&moves).unwrap_err().to_string(),
        "move 1 is impossible: there is no tile above the blank on 3x1: 0/1/2, the board before \
         it; the tile that can move is 1"
    );
}

#[test]
fn the_usual_goals_have_the_blank_last_or_first() {
    for shape in shapes() {
        let n = shape.cell_count() as u8;
        let last = Goal::blank_last(shape);
        let first = Goal::blank_first(shape);
        assert!(last.board().tiles().iter().copied().eq((1..n).chain([0])));
        assert!(first.board().tiles().iter().copied().eq(0..n));
        assert_eq!((last.home(BLANK), first.home(BLANK)), (n - 1, 0));
        assert_eq!((last.home(1), first.home(1)), (0, 1));
        assert_eq!(last.shape(), shape);
        assert!(last.homes([1, 3]).iter().eq([0, 2]));
    }
}

#[test]
fn a_snail_winds_clockwise_inwards() {
    for (rows, cols, drawn) in [
        (3, 3, "1 2 3/8 0 4/7 6 5"),
        (3, 4, "1 2 3 4/10 11 0 5/9 8 7 6"),
        (4, 3, "1 2 3/10 11 4/9 0 5/8 7 6"),
        (4, 4, "1 2 3 4/12 13 14 5/11 0 15 6/10 9 8 7"),
        (5, 2, "1 2/0 3/9 4/8 5/7 6"),
        (1, 4, "1x4: 1 2 3 0"),
        (3, 1, "3x1: 1/2/0"),
    ] {
        let goal = Goal::snail(shape(rows, cols));
        assert_eq!(goal.board().to_string(), drawn);
    }
}

fn check_solvable(goal: &Goal, board: &Board) {
    let cols = board.shape().cols();
    let expected = pdb_oracle::is_solvable(cols, board.tiles(), goal.board().tiles());
    let found = goal.check_solvable(board);
    assert_eq!(found.is_ok(), expected, "{board} to {}", goal.board());
    if let Err(reason) = found {
        let home = goal.home(BLANK);
        let Unsolvable::Parity { permutation_is_odd, blank_distance } = reason else {
            panic!("{board} is no line")
        };
        assert_eq!(blank_distance, board.shape().distance(board.blank(), home));
        assert_ne!(permutation_is_odd, blank_distance % 2 == 1);
    }
}

#[test]
fn solvability_of_every_small_board_agrees_with_the_oracle() {
    for shape in [shape(2, 2), shape(2, 3), shape(3, 2)] {
        let order: Vec<u8> = (0..shape.cell_count() as u8).collect();
        let all: Vec<Board> =
            permutations(&order).iter().map(|tiles| board(shape, tiles)).collect();
        let goals = all.iter().step_by(1 + all.len() / 24).map(|&goal| Goal::new(goal));
        for goal in goals.chain([Goal::blank_last(shape), Goal::snail(shape)]) {
            let (rows, cols) = (shape.rows(), shape.cols());
            let reached = pdb_oracle::distances(rows, cols, goal.board().tiles());
            for board in &all {
                let found = goal.check_solvable(board).is_ok();
                assert_eq!(found, reached.contains_key(board.tiles()), "{board}");
                check_solvable(&goal, board);
            }
        }
    }
}

#[test]
fn boards_of_a_line_are_solvable_if_their_tiles_are_in_the_order_of_the_goal() {
    let lines = (2..=6).map(|cols| shape(1, cols)).chain([shape(2, 1), shape(6, 1)]);
    for shape in lines {
        let order: Vec<u8> = (0..shape.cell_count() as u8).collect();
        let all: Vec<Board> =
            permutations(&order).iter().map(|tiles| board(shape, tiles)).collect();
        for goal in all.iter().step_by(1 + all.len() / 7).map(|&goal| Goal::new(goal)) {
            let (rows, cols) = (shape.rows(), shape.cols());
            let reached = pdb_oracle::distances(rows, cols, goal.board().tiles());
            assert_eq!(shape.board_count(), reached.len().to_string());
            for board in &all {
                match (goal.check_solvable(board), reached.get(board.tiles())) {
                    (Ok(()), Some(&distance)) => {
                        assert_eq!(goal.manhattan_distance(board), distance);
                    }
                    (Err(Unsolvable::Order { place, expected, found }), None) => {
                        let [here, there] = [board, goal.board()]
                            .map(|board| board.tiles_in_order().collect::<Vec<_>>());
                        assert_eq!(here[..place - 1], there[..place - 1]);
                        assert_eq!((here[place - 1], there[place - 1]), (found, expected));
                        assert_ne!(found, expected);
                    }
                    other => panic!("{board} to {}: {other:?}", goal.board()),
                }
            }
        }
    }
}

#[test]
fn explains_why_a_board_is_unsolvable() {
    let line: Board = "1x5: 1 3 0 2 4".parse().unwrap();
    assert_eq!(
        Goal::blank_last(line.shape()).check_solvable(&line).unwrap_err().to_string(),
        "no sequence of moves leads to the goal: tiles cannot pass each other on a board of one line, \
         so their order stays; without the blank, number 2 in line is tile 3, and at the goal tile 2"
    );
    let goal = Goal::blank_last(shape(4, 4));
    let swapped: Board = "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0".parse().unwrap();
    assert_eq!(
        goal.check_solvable(&swapped).unwrap_err().to_string(),
        "no sequence of moves leads to the goal: the permutation of tiles and blank is odd, but \
         the blank is 0 moves from its home, which is even; every move changes both parities, so \
         they must agree"
    );
    let away: Board = "1 2 3 4/5 6 7 8/9 10 11 12/13 15 0 14".parse().unwrap();
    assert_eq!(
        goal.check_solvable(&away).unwrap_err().to_string(),
        "no sequence of moves leads to the goal: the permutation of tiles and blank is even, but \
         the blank is 1 move from its home, which is odd; every move changes both parities, so \
         they must agree"
    );
}

#[test]
fn random_boards_agree_with_the_oracle() {
    let mut random = Random::default();
    for shape in (0..15).flat_map(|_| shapes()) {
        let goal = any_board(shape, &mut random);
        assert_eq!(goal.to_string().parse(), Ok(goal));
        let board = any_board(shape, &mut random);
        let distance = pdb_oracle::manhattan(shape.cols(), board.tiles(), goal.tiles());
        let goal = Goal::new(goal);
        assert_eq!(goal.manhattan_distance(&board), distance);
        check_solvable(&goal, &board);
        for cell in shape.all_cells().iter() {
            assert_eq!(goal.home(goal.board().tile(cell)), cell);
        }
    }
}

#[test]
fn reads_rows_of_numbers() {
    let expected = board(shape(2, 3), &[1, 2, 3, 4, 5, 0]);
    for text in ["1 2 3/4 5 0", "1,2,3; 4,5,.", " 1  2 3\n4 5 _\n", "/01 2 3//4 5 00/"] {
        assert_eq!(text.parse(), Ok(expected), "{text:?}");
    }
    assert_eq!("1 2 3 0".parse(), Ok(board(shape(2, 2), &[1, 2, 3, 0])));
    for (text, (rows, cols)) in [("1x4: 1 2 3 0", (1, 4)), ("4x1: 1/2/3/0", (4, 1))] {
        let line = board(shape(rows, cols), &[1, 2, 3, 0]);
        assert_eq!((text.parse(), line.to_string().as_str()), (Ok(line), text));
    }
}

#[test]
fn rejects_texts_that_are_not_rows_of_numbers() {
    let square = shape(2, 2);
    let word = |word: &str| BoardError::Word { word: word.to_owned(), row: 2, col: 1, place: 3 };
    for (text, expected) in [
        ("", BoardError::Shape { rows: 0, cols: 0 }),
        ("1 2 3 4 5 0", BoardError::OneLine { shape: shape(1, 6) }),
        ("1/2/0", BoardError::OneLine { shape: shape(3, 1) }),
        ("1x3: 1/2/0", BoardError::OtherShape { expected: shape(1, 3), found: shape(3, 1) }),
        ("1x4: 1 2 0", BoardError::CellCount { shape: shape(1, 4), found: 3 }),
        ("1 2/0", BoardError::Ragged { row: 2, expected: 2, found: 1 }),
        ("1 2/q 0", word("q")),
        ("1 2/\u{1b} 0", word("\u{fffd}")),
        ("1 2/4 0", BoardError::OutOfRange { tile: 4, shape: square, cell: 2 }),
        ("1 2/256 0", BoardError::OutOfRange { tile: 256, shape: square, cell: 2 }),
        (
            "1 2/99999999999999999999 0",
            BoardError::OutOfRange { tile: u64::MAX, shape: square, cell: 2 },
        ),
    ] {
        assert_eq!(text.parse::<Board>(), Err(expected), "{text:?}");
    }
}
