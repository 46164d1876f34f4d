//! Beams on boards that no search solves to the proof.

use std::num::NonZeroU32;

use pdb_core::Goal;
use pdb_oracle::Random;
use pdb_search::{Limits, Manhattan, Options, Status, beam_search};

use crate::common::{random_board, shape};

#[test]
fn narrow_beams_solve_large_boards_and_do_not_go_around_in_circles() {
    let (mut random, shape) = (Random::default(), shape(7, 7));
    for goal in [Goal::blank_first(shape), Goal::blank_last(shape), Goal::snail(shape)] {
        let board = random_board(shape, &goal, &mut random);
        let limits = Limits { nodes: Some(10_000_000), ..Limits::default() };
        let options = Options { limits, ..Options::default() };
        let width = NonZeroU32::new(50).unwrap();
        let found = beam_search(Manhattan::new(&goal), &goal, &board, width, &options).unwrap();
        let Status::Solved { moves, .. } = found.status else {
            panic!("{board} is not solved after {} nodes", found.generated)
        };
        assert_eq!(board.after(&moves), Ok(*goal.board()));
        assert!(moves.len() < 1_000, "{} moves for {board}", moves.len());
    }
}
