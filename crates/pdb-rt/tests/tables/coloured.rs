//! Bounds on slides: states that follow slides, in every form, against fresh ones.

use std::collections::BTreeMap;

use pdb_core::{Axis, Board, Direction, Goal, Plan, Shape, SlideHeuristic};
use pdb_oracle::Random;
use pdb_rt::SlideVisitor;

use crate::from_memory;

/// Goals with their colourings. Their forms are those of narrow boards with one and with two
/// colourings, and that of any board. Some colourings have no mirror image, or are their own.
const PLANS: [(usize, usize, &[&str]); 6] = [
    (3, 3, &["A A B/B C C/C D ."]),
    (3, 3, &["A A B/A B B/B B ."]),
    (3, 3, &["A A B/B C C/C D .", "A A A/B B B/C C ."]),
    (3, 3, &["A B C/D E F/G G ."]),
    (2, 4, &["A A B B/C C D ."]),
    (2, 9, &["A A A B B B B B B/B B B B B B B B ."]),
];

/// Compares the states after slides on a random walk.
struct Compare<'g>(&'g Goal);

impl<'a> SlideVisitor<'a> for Compare<'_> {
    type Output = ();

    fn visit<H: SlideHeuristic + 'a>(self, heuristic: H) {
        let (goal, mut random) = (self.0, Random::new(5));
        let (mut board, mut axis) = (*goal.board(), Axis::Horizontal);
        let mut state = heuristic.root(&board).unwrap();
        assert_eq!(heuristic.bounds(&state), [0, 0]);
        for _ in 0..200 {
            let children = heuristic.run(|| children(&heuristic, &board, &state, axis));
            for (child, state) in &children {
                assert_eq!(heuristic.blank(state), child.blank());
                let fresh = heuristic.root(child).unwrap();
                assert_eq!(heuristic.bounds(state), heuristic.bounds(&fresh), "{child}");
            }
            let bound = |state| heuristic.bounds(state)[axis.other() as usize];
            let least = children.iter().map(|(_, state)| bound(state)).min().unwrap();
            let passing = children.iter().filter(|(_, state)| bound(state) <= least).count();
            // The first stage prunes no child that all of them let pass.
            let mut kept = Vec::new();
            for direction in axis.directions() {
                heuristic.slide(&state, &run(&board, direction), axis, least, &mut kept);
            }
            assert!((passing..=children.len()).contains(&kept.len()), "{board}");
            (board, state) = children[random.below(children.len())];
            axis = axis.other();
        }
    }
}

/// Returns the cells of the tiles that slide into the blank one after another.
fn run(board: &Board, direction: Direction) -> Vec<u8> {
    let next = |&cell: &u8| direction.tile_cell(board.shape(), cell);
    std::iter::successors(next(&board.blank()), next).collect()
}

/// Returns the boards after the slides along an axis, with their complete states.
fn children<H: SlideHeuristic>(
    heuristic: &H,
    board: &Board,
    state: &H::State,
    axis: Axis,
) -> Vec<(Board, H::State)> {
    let (mut boards, mut states) = (Vec::new(), Vec::new());
    for direction in axis.directions() {
        let run = run(board, direction);
        heuristic.slide(state, &run, axis, u32::MAX, &mut states);
        let mut child = *board;
        for from in run {
            child.slide(from, child.blank());
            boards.push(child);
        }
    }
    for state in &mut states {
        for stage in 0..heuristic.stage_count(axis) {
            heuristic.locate(stage, state, axis);
        }
    }
    assert_eq!(boards.len(), states.len());
    boards.into_iter().zip(states).collect()
}

/// Returns the tiles of each letter, for a goal with the blank last.
fn classes(letters: &str) -> Vec<Vec<u8>> {
    let mut classes = BTreeMap::<_, Vec<u8>>::new();
    for (tile, letter) in (1..).zip(letters.chars().filter(char::is_ascii_uppercase)) {
        classes.entry(letter).or_default().push(tile);
    }
    classes.into_values().collect()
}

#[test]
fn states_that_follow_slides_agree_with_fresh_ones_in_every_form() {
    for (rows, cols, drawn) in PLANS {
        let goal = Goal::blank_last(Shape::new(rows, cols).unwrap());
        let colourings: Vec<_> = drawn.iter().map(|letters| classes(letters)).collect();
        let plan = Plan::coloured(&goal, &colourings, rows == cols).unwrap();
        let database = from_memory(&plan);
        database.visit_slides(Compare(&goal)).ok().expect("the plan is coloured");
        Compare(&goal).visit(database.coloured().expect("the plan is coloured"));
    }
}
