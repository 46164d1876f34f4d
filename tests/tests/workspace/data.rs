//! The data of the literature agree with the oracle.

use pdb_oracle::{is_solvable, manhattan};
use pdb_tests::{korf50_24, korf100};

#[test]
fn boards_of_korf_can_be_solved_and_have_their_manhattan_distances() {
    for (boards, side, count) in [(korf100(), 4, 100), (korf50_24(), 5, 50)] {
        assert_eq!(boards.len(), count);
        let goal: Vec<u8> = (0..side as u8 * side as u8).collect();
        for (board, id) in boards.iter().zip(1..) {
            assert_eq!(board.id, id);
            assert!(is_solvable(side, &board.tiles, &goal), "board {id}");
            assert_eq!(board.manhattan, manhattan(side, &board.tiles, &goal), "board {id}");
        }
    }
}
