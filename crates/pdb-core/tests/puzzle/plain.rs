//! Shapes, and simple definitions for comparison.

use pdb_core::{Board, CellSet, Shape};
use pdb_oracle::Random;

/// Small, odd, long and the largest shapes.
pub(crate) const SHAPES: [(usize, usize); 17] = [
    (2, 2),
    (2, 3),
    (3, 2),
    (3, 3),
    (2, 5),
    (3, 4),
    (4, 3),
    (4, 4),
    (5, 5),
    (2, 18),
    (18, 2),
    (6, 6),
    (7, 7),
    (3, 21),
    (4, 16),
    (2, 32),
    (8, 8),
];

pub(crate) fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).expect("the tests use good shapes")
}

pub(crate) fn shapes() -> impl Iterator<Item = Shape> {
    SHAPES.into_iter().map(|(rows, cols)| shape(rows, cols))
}

/// Returns a random board of a shape, solvable or not.
pub(crate) fn any_board(shape: Shape, random: &mut Random) -> Board {
    let mut tiles: Vec<u8> = (0..shape.cell_count() as u8).collect();
    for last in (1..tiles.len()).rev() {
        tiles.swap(last, random.below(last + 1));
    }
    Board::new(shape, &tiles).expect("a permutation is a board")
}

/// Returns some random boards of each shape, with the numbers for more.
pub(crate) fn any_boards() -> impl Iterator<Item = (Board, Random)> {
    let mut random = Random::default();
    let all = (0..15).flat_map(|_| shapes());
    all.map(move |shape| (any_board(shape, &mut random), random.clone()))
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
