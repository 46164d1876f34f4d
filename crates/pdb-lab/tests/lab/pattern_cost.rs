//! Values of pattern states by search, compared with true distances.

use std::collections::BTreeMap;

use pdb_core::plan::PatternKey;
use pdb_core::{BlankMode, Cell, CellSet, Shape};
use pdb_lab::pattern_cost::{ExcessTables, PatternCost, SearchMemory};
use pdb_oracle::{additive_pattern_distances, are_long};

/// Returns a generator of numbers below its argument.
fn below(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |end| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % end
    }
}

fn held_against_oracle(rows: usize, cols: usize, homes: &[usize], blank: usize, step: usize) {
    let shape = Shape::new(rows, cols).unwrap();
    let set: CellSet = homes.iter().map(|&home| home as Cell).collect();
    let key = PatternKey::new(shape, set, blank as Cell, BlankMode::Aware).unwrap();
    let pattern = PatternCost::new(&key, &ExcessTables::default(), &mut below(1));
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
    let shape = Shape::new(3, 3).unwrap();
    let homes = [1, 3, 4];
    let set: CellSet = homes.iter().map(|&home| home as Cell).collect();
    let key = PatternKey::new(shape, set, 8, BlankMode::Collapsed).unwrap();
    let pattern = PatternCost::new(&key, &ExcessTables::default(), &mut below(1));
    let all = additive_pattern_distances(3, 3, &homes, 8);
    let mut least: BTreeMap<&Vec<u8>, u32> = BTreeMap::new();
    for ((cells, _), &cost) in &all {
        let least = least.entry(cells).or_insert(cost);
        *least = cost.min(*least);
    }
    assert!(all.iter().any(|((cells, _), cost)| least[cells] < *cost));
    for (cells, blank) in all.keys() {
        let found = pattern.value(cells, *blank, &mut SearchMemory::default(), &|| false);
        assert_eq!(found, Some(least[cells]), "{cells:?}");
    }
}

#[test]
fn stopped_search_returns_no_value() {
    let shape = Shape::new(5, 5).unwrap();
    let homes = CellSet(0b1111_1111);
    let key = PatternKey::new(shape, homes, 24, BlankMode::Aware).unwrap();
    let pattern = PatternCost::new(&key, &ExcessTables::default(), &mut below(1));
    let mut scratch = SearchMemory::default();
    let mut below = below(5);
    // At least one state takes more than a moment.
    let stopped = (0..200).any(|_| {
        let mut cells: Vec<Cell> = shape.all_cells().iter().collect();
        for place in 0..9 {
            cells.swap(place, place + below(25 - place));
        }
        pattern.value(&cells[..8], cells[8], &mut scratch, &|| true).is_none()
    });
    assert!(stopped);
}
