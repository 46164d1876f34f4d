//! Ranks of boards.

use pdb_core::{Board, Shape};

#[test]
fn ranks_are_the_lexicographic_order_of_all_boards() {
    for (rows, cols) in [(2, 2), (2, 3), (3, 3)] {
        let shape = Shape::new(rows, cols).expect("a shape");
        let count = shape.rank_count().expect("a small shape");
        let mut last: Option<Board> = None;
        for rank in 0..count {
            let board = Board::of_rank(shape, rank).expect("a rank below the count");
            assert_eq!(board.rank(), Some(rank));
            assert!(last.is_none_or(|last| last.tiles() < board.tiles()));
            last = Some(board);
        }
        assert_eq!(Board::of_rank(shape, count), None);
    }
}

#[test]
fn the_last_board_has_the_last_rank() {
    for (rows, cols) in [(4, 4), (4, 5), (2, 10)] {
        let shape = Shape::new(rows, cols).expect("a shape");
        let tiles: Vec<u8> = (0..shape.cell_count() as u8).rev().collect();
        let board = Board::new(shape, &tiles).expect("a board");
        let last = shape.rank_count().expect("few cells") - 1;
        assert_eq!(board.rank(), Some(last));
        assert_eq!(Board::of_rank(shape, last), Some(board));
    }
    let shape = Shape::new(3, 7).expect("a shape");
    assert_eq!((shape.rank_count(), Board::of_rank(shape, 0)), (None, None));
}
