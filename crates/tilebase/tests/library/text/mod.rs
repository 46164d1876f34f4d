//! Boards and moves as text.

mod boards;
mod errors;
mod hostile;
mod moves;
mod page;
mod reader;
mod table;

use pdb_core::{Board, Shape};
use proptest::prelude::{Just, Strategy};
use tilebase::text::{TextErrorKind, read_board};

fn parse(text: &str) -> Result<Board, TextErrorKind> {
    parse_as(text, None)
}

fn parse_as(text: &str, shape: Option<Shape>) -> Result<Board, TextErrorKind> {
    read_board(text, shape).map_err(|error| error.kind().clone())
}

/// Returns the board that a text in the plainest notation is.
#[track_caller]
fn board(text: &str) -> Board {
    text.parse().expect("the tests draw good boards")
}

fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).expect("the tests use good shapes")
}

/// Small, odd, long and the largest shapes.
fn any_shape() -> impl Strategy<Value = Shape> {
    let sides =
        [(2, 2), (2, 3), (3, 2), (3, 3), (2, 5), (4, 3), (4, 4), (5, 5), (2, 18), (18, 2), (6, 6)];
    (0..sides.len()).prop_map(move |index| shape(sides[index].0, sides[index].1))
}

/// Any board of a shape, solvable or not.
fn any_board(shape: Shape) -> impl Strategy<Value = Board> {
    let tiles: Vec<u8> = (0..shape.cell_count() as u8).collect();
    Just(tiles)
        .prop_shuffle()
        .prop_map(move |tiles| Board::new(shape, &tiles).expect("a permutation is a board"))
}
