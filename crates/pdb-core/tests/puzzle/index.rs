//! Ranking of pattern states.

use std::sync::LazyLock;

use pdb_core::index::{CellSetRank, cell_sets};
use pdb_core::{
    BlankMode, Board, CELLS_MAX, CellSet, IndexError, PATTERN_TILES_MAX, PatternIndex,
    PatternState, Shape, binomial, factorial,
};
use pdb_oracle::Random;

use crate::plain::{any_board, permutations, regions, shape};

const MODES: [BlankMode; 3] = [BlankMode::Aware, BlankMode::Collapsed, BlankMode::Plain];

fn index(shape: Shape, tile_count: usize, mode: BlankMode) -> PatternIndex {
    PatternIndex::new(shape, tile_count, mode).expect("the pattern can be indexed")
}

/// Returns the state with these labels on its cells, smallest cell first.
fn state(index: &PatternIndex, cells: CellSet, labels: &[u8]) -> PatternState {
    let place = |(position, &label)| u64::from(label) << (position as u32 * index.label_bits());
    let labels = labels.iter().enumerate().map(place).sum();
    PatternState { cells, labels }
}

/// Visits all states in the documented order and expects the entries 0, 1, 2 and so on.
fn check_all(index: &PatternIndex) {
    let (shape, tile_count) = (index.shape(), index.tile_count());
    let labels: Vec<u8> = (0..tile_count as u8).collect();
    let sets = (0..1 << shape.cell_count()).map(CellSet).filter(|set| set.len() == tile_count);
    let blocks: Vec<_> = sets
        .flat_map(|cells| {
            let free = shape.all_cells().without(cells);
            let blanks = match index.mode() {
                BlankMode::Aware => regions(shape, free),
                BlankMode::Collapsed => vec![free.iter().collect()],
                BlankMode::Plain => free.iter().map(|cell| vec![cell]).collect(),
            };
            blanks.into_iter().map(move |blanks| (cells, blanks))
        })
        .collect();
    assert_eq!(index.block_count(), blocks.len());
    let mut entry = 0;
    for labels in permutations(&labels) {
        for (block, (cells, blanks)) in blocks.iter().enumerate() {
            let state = state(index, *cells, &labels);
            assert_eq!(index.unrank(entry), (state, blanks[0]));
            for &blank in blanks {
                assert_eq!(index.block(*cells, blank), block);
                assert_eq!(index.entry(state, blank), entry);
            }
            entry += 1;
        }
    }
    assert_eq!(index.entry_count(), entry);
}

#[test]
fn every_entry_of_every_pattern_size_on_small_boards_is_one_state_in_the_documented_order() {
    for shape in [shape(2, 2), shape(2, 3), shape(3, 2), shape(3, 3)] {
        // Patterns of up to six tiles of 3x3; all in long tests.
        let end = if pdb_oracle::are_long() { 9 } else { 7 };
        for tile_count in 1..shape.cell_count().min(end) {
            for mode in MODES {
                check_all(&index(shape, tile_count, mode));
            }
        }
    }
}

#[test]
fn entry_counts_have_their_known_values() {
    for (side, tile_count, aware, collapsed) in [
        (4, 5, 874_080, 524_160),
        (4, 7, 139_849_920, 57_657_600),
        (4, 8, 1_425_191_040, 518_918_400),
        (5, 6, 181_008_000, 127_512_000),
        (5, 7, 4_066_655_040, 2_422_728_000),
    ] {
        let shape = shape(side, side);
        let count = |mode| index(shape, tile_count, mode).entry_count();
        assert_eq!(count(BlankMode::Aware), aware, "{tile_count} tiles on {shape}");
        assert_eq!(count(BlankMode::Collapsed), collapsed, "{tile_count} tiles on {shape}");
        let free_count = (side * side - tile_count) as u64;
        let plain = collapsed * free_count;
        assert_eq!(count(BlankMode::Plain), plain, "{tile_count} tiles on {shape}");
    }
}

#[test]
fn a_pattern_has_at_least_one_tile_and_at_most_15_and_leaves_a_cell_free() {
    for (rows, cols, found) in [(2, 2, 0), (2, 2, 4), (3, 3, 9), (4, 4, 16), (5, 5, 16), (6, 6, 99)]
    {
        let shape = shape(rows, cols);
        for mode in MODES {
            let error = PatternIndex::new(shape, found, mode).unwrap_err();
            assert_eq!(error, IndexError::TileCount { shape, found });
        }
    }
    let error = PatternIndex::new(shape(5, 5), 0, BlankMode::Aware).unwrap_err();
    assert_eq!(error.to_string(), "a pattern on a 5x5 board has 1 to 15 tiles, but this one has 0");
    assert_eq!(PATTERN_TILES_MAX, 15);
}

#[test]
fn a_pattern_with_too_many_entries_is_refused() {
    let shape = shape(6, 6);
    for tile_count in 10..=PATTERN_TILES_MAX {
        let text = format!(
            "a pattern of {tile_count} tiles on a 6x6 board has too many entries to index: use fewer \
             tiles a pattern"
        );
        for mode in MODES {
            let error = PatternIndex::new(shape, tile_count, mode).unwrap_err();
            assert_eq!(error, IndexError::TooLarge { shape, tile_count });
            assert_eq!(error.to_string(), text);
        }
    }
}

#[test]
fn each_of_eleven_regions_has_a_block() {
    // Every other cell, so that each free cell is a region of its own.
    let shape = shape(3, 7);
    let set: CellSet = (0..21).filter(|cell| cell % 2 == 1).collect();
    let index = index(shape, set.len(), BlankMode::Aware);
    let free = shape.all_cells().without(set);
    let first = index.block(set, 0);
    let blocks = free.iter().map(|cell| index.block(set, cell));
    assert!(blocks.eq(first..first + 11));
    for (region, cell) in free.iter().enumerate() {
        let (state, blank) = index.unrank((first + region) as u64);
        assert_eq!((state.cells, blank), (set, cell));
    }
}

#[test]
fn unranking_beyond_the_last_entry_panics_instead_of_answering() {
    let index = index(shape(2, 3), 2, BlankMode::Aware);
    let beyond = index.entry_count();
    assert!(std::panic::catch_unwind(move || index.unrank(beyond)).is_err());
}

#[test]
fn factorials_and_binomials_follow_their_recurrences() {
    assert_eq!((factorial(0), binomial(0, 0)), (1, 1));
    for n in 1..=20 {
        assert_eq!(factorial(n), n as u64 * factorial(n - 1));
    }
    for n in 1..=CELLS_MAX {
        assert_eq!((binomial(n, 0), binomial(n, n), binomial(n, n + 1)), (1, 1, 0));
        for k in 1..=n {
            assert_eq!(binomial(n, k), binomial(n - 1, k - 1) + binomial(n - 1, k));
        }
    }
}

#[test]
fn cell_sets_come_in_the_order_of_their_masks_and_of_their_ranks() {
    for (shape, set_len) in [
        (shape(2, 3), 1),
        (shape(3, 3), 4),
        (shape(4, 4), 8),
        (shape(8, 8), 3),
        (shape(2, 32), 62),
        (shape(8, 8), 63),
    ] {
        let ranks = CellSetRank::new(shape.cell_count(), set_len);
        let mut last = None;
        let mut count = 0;
        for set in cell_sets(shape, set_len) {
            assert_eq!(set.len(), set_len);
            assert_eq!(set.without(shape.all_cells()), CellSet::EMPTY);
            assert!(last < Some(set));
            assert_eq!((ranks.rank(set), ranks.unrank(count)), (count, set));
            last = Some(set);
            count += 1;
        }
        assert_eq!(count as u64, binomial(shape.cell_count(), set_len));
        assert_eq!(ranks.count(), count);
    }
}

/// Indexes of boards with too many entries to test each.
static LARGE: LazyLock<Vec<PatternIndex>> = LazyLock::new(|| {
    let mut patterns: Vec<_> = (1..=15).map(|tile_count| (shape(4, 4), tile_count)).collect();
    patterns.extend([(shape(3, 4), 11), (shape(2, 8), 10), (shape(5, 5), 6), (shape(6, 6), 5)]);
    let in_all_modes = |(shape, tile_count)| MODES.map(|mode| index(shape, tile_count, mode));
    patterns.into_iter().flat_map(in_all_modes).collect()
});

/// Returns random states of large patterns: the index, the homes of the tiles, and a board. The
/// goal has the blank first, so the homes are the tiles' numbers, too.
fn placed() -> impl Iterator<Item = (&'static PatternIndex, CellSet, Board, Random)> {
    let mut random = Random::default();
    let all = (0..32).flat_map(|_| LARGE.iter());
    all.map(move |index| {
        // The first tiles of a random order.
        let order = any_board(index.shape(), &mut random);
        let homes = order.tiles_in_order().take(index.tile_count()).collect();
        (index, homes, any_board(index.shape(), &mut random), random.clone())
    })
}

/// Returns the cells of the blank that have one entry together with `blank`.
fn together(index: &PatternIndex, cells: CellSet, blank: u8) -> Vec<u8> {
    let free = index.shape().all_cells().without(cells);
    match index.mode() {
        BlankMode::Aware => regions(index.shape(), free)
            .into_iter()
            .find(|region| region.contains(&blank))
            .expect("the blank is free"),
        BlankMode::Collapsed => free.iter().collect(),
        BlankMode::Plain => vec![blank],
    }
}

#[test]
fn a_state_of_a_large_pattern_comes_back_from_its_entry() {
    for (index, homes, board, mut random) in placed() {
        let cell_of = board.cells_by_tile();
        let state = index.state(homes, |home| cell_of[usize::from(home)]);
        let tiles: CellSet = board.cells_by_tile()[..index.shape().cell_count()]
            .iter()
            .enumerate()
            .filter(|&(tile, _)| homes.contains(tile as u8))
            .map(|(_, &cell)| cell)
            .collect();
        assert_eq!(state.cells, tiles);
        for cell in tiles.iter() {
            let label = homes.position(board.tile(cell));
            assert_eq!(index.label_at(state, cell), label);
        }

        for (_, next) in board.legal_moves() {
            let (from, to) = (next.blank(), board.blank());
            let cell_of = next.cells_by_tile();
            let after = index.state(homes, |home| cell_of[usize::from(home)]);
            let is_moved = homes.contains(board.tile(from));
            let moved = if is_moved { state.moved(from, to, index.label_bits()) } else { state };
            assert_eq!(moved, after, "{board} to {next}");
        }

        let free: Vec<u8> = index.shape().all_cells().without(tiles).iter().collect();
        let blank = free[random.below(free.len())];
        let entry = index.entry(state, blank);
        assert!(entry < index.entry_count());
        let (back, first) = index.unrank(entry);
        assert_eq!(back, state);
        assert_eq!(first, together(index, tiles, blank)[0]);
        assert_eq!(index.entry(back, first), entry);
        let block_count = index.block_count() as u64;
        assert_eq!(index.block(state.cells, blank) as u64, entry % block_count);
        assert_eq!(index.set_rank(state.cells), index.set_rank(back.cells));
    }
}
