//! Values of pattern states by search, compared with true distances.

use pdb_core::plan::PatternKey;
use pdb_core::{BlankMode, Cell, CellSet, Shape};
use pdb_lab::pattern_cost::{ExcessTables, PatternCost, SearchMemory};
use pdb_oracle::{Random, additive_pattern_distances, are_long, collapsed};

/// Returns the search for the values of a pattern.
fn pattern_cost(shape: Shape, homes: &[usize], blank: Cell, mode: BlankMode) -> PatternCost {
    let homes: CellSet = homes.iter().map(|&home| home as Cell).collect();
    let key = PatternKey::new(shape, homes, blank, mode).unwrap();
    let mut random = Random::default();
    PatternCost::new(&key, &ExcessTables::default(), &mut |end| random.below(end))
}

fn held_against_oracle(rows: usize, cols: usize, homes: &[usize], blank: usize, step: usize) {
    let shape = Shape::new(rows, cols).unwrap();
    let pattern = pattern_cost(shape, homes, blank as Cell, BlankMode::Aware);
    let mut scratch = SearchMemory::default();
    let all = additive_pattern_distances(rows, cols, homes, blank);
    assert!(all.len() > 100, "{}", all.len());
    // A sample of the states of larger patterns; all of them in long tests.
    let step = if are_long() || all.len() < 1000 { step } else { 25 * step };
    for ((cells, blank), cost) in all.iter().step_by(step) {
        let found = pattern.value(cells, *blank, &mut scratch, &|| false);
        assert_eq!(found, Some(*cost), "{rows}x{cols} {homes:?}: {cells:?}, blank {blank}");
    }
}

#[test]
fn pattern_values_agree_with_the_oracle() {
    held_against_oracle(2, 3, &[0, 1, 3], 5, 1);
    held_against_oracle(3, 3, &[0, 1, 2, 3], 8, 1);
    held_against_oracle(3, 3, &[4, 5, 6, 7], 8, 1);
    held_against_oracle(3, 3, &[1, 2, 5, 6, 8], 4, 1);
    held_against_oracle(2, 4, &[0, 3, 4, 6], 7, 1);
    held_against_oracle(2, 5, &[0, 1, 2, 5, 6, 7], 9, 13);
    held_against_oracle(3, 4, &[7, 8, 9, 10], 11, 7);
}

#[test]
fn collapsed_pattern_takes_the_smallest_value() {
    let homes = [1, 3, 4];
    let pattern = pattern_cost(Shape::new(3, 3).unwrap(), &homes, 8, BlankMode::Collapsed);
    let all = additive_pattern_distances(3, 3, &homes, 8);
    let least = collapsed(&all);
    assert!(all.iter().any(|((cells, _), cost)| least[cells] < *cost));
    for (cells, blank) in all.keys() {
        let found = pattern.value(cells, *blank, &mut SearchMemory::default(), &|| false);
        assert_eq!(found, Some(least[cells]), "{cells:?}");
    }
}

#[test]
fn stopped_search_returns_no_value() {
    let shape = Shape::new(5, 5).unwrap();
    let pattern = pattern_cost(shape, &[0, 1, 2, 3, 4, 5, 6, 7], 24, BlankMode::Aware);
    let mut scratch = SearchMemory::default();
    let mut random = Random::new(5);
    // At least one state takes more than a moment.
    let stopped = (0..200).any(|_| {
        let mut cells: Vec<Cell> = shape.all_cells().iter().collect();
        for place in 0..9 {
            cells.swap(place, place + random.below(25 - place));
        }
        pattern.value(&cells[..8], cells[8], &mut scratch, &|| true).is_none()
    });
    assert!(stopped);
}
