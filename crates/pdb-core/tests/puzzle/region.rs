//! Regions of the blank.

use pdb_core::index::cell_sets;
use pdb_core::region::{region_count, region_of, regions};
use pdb_core::{CellSet, Shape};
use pdb_oracle::Random;

use crate::plain::{self, shape, shapes};

fn check(shape: Shape, free: CellSet) {
    let expected = plain::regions(shape, free);
    let found: Vec<Vec<u8>> = regions(shape, free).map(|region| region.iter().collect()).collect();
    assert_eq!(found, expected, "{shape} {free:?}");
    for region in expected {
        let whole = region.iter().copied().collect();
        for cell in region {
            assert_eq!(region_of(shape, free, cell), whole, "{shape} {free:?} {cell}");
        }
    }
}

#[test]
fn regions_are_numbered_by_their_smallest_cells() {
    for shape in [shape(2, 3), shape(3, 2), shape(3, 3), shape(3, 4)] {
        for free in 0..1 << shape.cell_count() {
            check(shape, CellSet(free));
        }
    }
    let mut random = Random::default();
    for shape in (0..20).flat_map(|_| shapes()) {
        check(shape, CellSet(random.number() & shape.all_cells().0));
    }
}

#[test]
fn region_count_agrees_with_counting_set_by_set() {
    let counted = |shape: Shape, len: usize| {
        let free = |set| shape.all_cells().without(set);
        cell_sets(shape, len).map(|set| regions(shape, free(set)).count() as u64).sum::<u64>()
    };
    let small = [(2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (2, 8), (8, 2), (4, 4)];
    let small = small
        .into_iter()
        .flat_map(|(rows, cols)| (1..rows * cols).map(move |len| (rows, cols, len)));
    let large = [(5, 5, 6), (3, 12, 4), (12, 3, 4), (6, 6, 5)];
    for (rows, cols, len) in small.chain(large) {
        let shape = shape(rows, cols);
        assert_eq!(region_count(shape, len), counted(shape, len), "{shape} {len}");
    }
}
