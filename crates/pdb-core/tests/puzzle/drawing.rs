//! Drawn patterns.

use pdb_core::{DrawingError, Goal, Shape};

#[test]
fn a_drawing_gives_the_tiles_of_each_pattern() {
    let goal = Goal::blank_first(Shape::new(2, 3).unwrap());
    for drawing in [". A A/B B A", "0,A,A\n\nB,B,A\n", "_ A A; D D A"] {
        assert_eq!(goal.read_patterns(drawing), Ok(vec![vec![1, 2, 5], vec![3, 4]]), "{drawing}");
    }
}

#[test]
fn a_wrong_drawing_is_refused_with_its_cell() {
    let goal = Goal::blank_last(Shape::new(2, 3).unwrap());
    for (drawing, expected) in [
        (
            "A A A/B B -",
            "row 2, column 3 holds \"-\": expected 0, . or _ for the home of the blank",
        ),
        (
            "A A ./B B .",
            "row 1, column 3 holds \".\": expected the letter A to Z of the pattern with tile 3",
        ),
        (
            "A A a/B B .",
            "row 1, column 3 holds \"a\": expected the letter A to Z of the pattern with tile 3",
        ),
    ] {
        assert_eq!(goal.read_patterns(drawing).unwrap_err().to_string(), expected);
    }
    for drawing in ["", "A A A", "A A/B B/B .", "A A A/B .", "A A A/B B ./B B B"] {
        let error = goal.read_patterns(drawing);
        assert!(matches!(error, Err(DrawingError::Shape(_))), "{drawing}: {error:?}");
    }
}
