//! Shapes, and simple definitions for comparison.

use pdb_core::{Board, CellSet, Shape};
use pdb_oracle::Random;

/// Small, odd, long and the largest shapes.
const SHAPES: [&str; 17] = [
    "2x2", "2x3", "3x2", "3x3", "2x5", "3x4", "4x3", "4x4", "5x5", "2x18", "18x2", "6x6", "7x7",
    "3x21", "4x16", "2x32", "8x8",
];

pub(crate) fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).expect("the tests use good shapes")
}

pub(crate) fn shapes() -> impl Iterator<Item = Shape> {
    SHAPES.into_iter().map(|size| size.parse().expect("the tests use good shapes"))
}

/// Returns a random board of a shape, solvable or not.
pub(crate) fn any_board(shape: Shape, random: &mut Random) -> Board {
    let mut tiles: Vec<u8> = (0..shape.cell_count() as u8).collect();
    for last in (1..tiles.len()).rev() {
        tiles.swap(last, random.below(last + 1));
    }
    Board::new(shape, &tiles).expect("a permutation is a board")
}

/// Returns all permutations in lexicographic order, if `items` are in ascending order.
pub(crate) fn permutations(items: &[u8]) -> Vec<Vec<u8>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (place, &first) in items.iter().enumerate() {
        let mut others = items.to_vec();
        others.remove(place);
        for rest in permutations(&others) {
            all.push([&[first], rest.as_slice()].concat());
        }
    }
    all
}

/// Returns whether two cells share a side.
pub(crate) fn touch(shape: Shape, a: u8, b: u8) -> bool {
    let ((ar, ac), (br, bc)) = (shape.row_col(a), shape.row_col(b));
    ar.abs_diff(br) + ac.abs_diff(bc) == 1
}

/// Returns the region of each free cell as its smallest cell, by a walk over adjacent cells.
pub(crate) fn regions(shape: Shape, free: CellSet) -> Vec<Vec<u8>> {
    let mut left: Vec<u8> = free.iter().collect();
    let mut all = Vec::new();
    while !left.is_empty() {
        let mut region = vec![left.remove(0)];
        let mut next = 0;
        while next < region.len() {
            let (near, far) = left.iter().partition(|&&cell| touch(shape, cell, region[next]));
            region.extend::<Vec<u8>>(near);
            left = far;
            next += 1;
        }
        region.sort_unstable();
        all.push(region);
    }
    all
}
