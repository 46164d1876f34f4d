//! The parts of an estimate agree with the oracle for each pattern and each axis, and their sum is
//! the estimate.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use pdb_core::{BLANK, BlankMode, Board, Goal, Plan, Shape};
use pdb_oracle::{PatternDistances, additive_pattern_distances, plain_pattern_distances};
use pdb_rt::PatternValue;

use crate::{estimate, from_memory};

/// Goals with all their boards; with a sample of the boards of larger shapes.
static GOALS: LazyLock<[(Goal, Vec<Board>); 4]> = LazyLock::new(|| {
    let shape = |rows, cols| Shape::new(rows, cols).unwrap();
    [
        Goal::blank_last(shape(2, 3)),
        Goal::blank_first(shape(3, 2)),
        Goal::snail(shape(2, 4)),
        Goal::snail(shape(3, 3)),
    ]
    .map(|goal| (goal, boards(&goal)))
});

fn boards(goal: &Goal) -> Vec<Board> {
    let shape = goal.shape();
    let all = pdb_oracle::distances(shape.rows(), shape.cols(), goal.board().tiles());
    let step = if all.len() > 1000 { 41 } else { 1 };
    all.keys().step_by(step).map(|tiles| Board::new(shape, tiles).unwrap()).collect()
}

/// Values of patterns by the oracle, each computed once.
struct Oracle {
    goal: Goal,
    mode: BlankMode,
    known: BTreeMap<Vec<u8>, (Vec<usize>, PatternDistances)>,
}

impl Oracle {
    fn new(goal: &Goal, mode: BlankMode) -> Self {
        Self { goal: *goal, mode, known: BTreeMap::new() }
    }

    fn check(&mut self, board: &Board, PatternValue { tiles, value }: &PatternValue) {
        let Self { goal, mode, .. } = *self;
        let (homes, costs) = self.known.entry(tiles.clone()).or_insert_with(|| {
            let homes = goal.homes(tiles.iter().copied());
            let homes: Vec<usize> = homes.iter().map(usize::from).collect();
            let (rows, cols) = (goal.shape().rows(), goal.shape().cols());
            let blank = usize::from(goal.home(BLANK));
            let costs = match mode {
                BlankMode::Plain => plain_pattern_distances(rows, cols, &homes, blank),
                _ => additive_pattern_distances(rows, cols, &homes, blank),
            };
            (homes, costs)
        });
        let cells = board.cells_by_tile();
        let cell = |home: &usize| cells[usize::from(goal.board().tiles()[*home])];
        let cells: Vec<u8> = homes.iter().map(cell).collect();
        let least = |blank: u8| costs.get(&(cells.clone(), blank)).copied();
        let expected = match mode {
            BlankMode::Collapsed => (0..board.tiles().len() as u8).filter_map(least).min(),
            _ => least(board.blank()),
        };
        assert_eq!(Some(*value), expected, "{tiles:?} of {board} to {}", goal.board());
    }
}

#[test]
fn the_patterns_of_a_partition_have_all_tiles_and_the_oracles_values() {
    for (goal, boards) in &*GOALS {
        let tile_count = goal.shape().cell_count() as u8 - 1;
        let first = tile_count / 2;
        let halves = vec![(1..=first).collect(), (first + 1..=tile_count).collect()];
        let thirds = (1..=3).map(|k| (k..=tile_count).step_by(3).collect()).collect();
        // A blank in the middle has up to eight images of a partition; more are not looked up.
        let is_amid = goal.shape().neighbours(goal.home(BLANK)).len() == 4;
        let partitions = if is_amid { vec![halves] } else { vec![halves, thirds] };
        let mut oracle = Oracle::new(goal, BlankMode::Aware);
        for (mode, reflect) in
            [(BlankMode::Aware, true), (BlankMode::Aware, false), (BlankMode::Collapsed, true)]
        {
            let Ok(plan) = Plan::additive(goal, &partitions, mode, reflect) else {
                assert!(reflect, "without mirror images there is always a plan");
                continue;
            };
            let database = from_memory(&plan);
            let sum = database.additive().unwrap();
            oracle.mode = mode;
            for board in boards {
                let parts = sum.parts(board).unwrap();
                assert!(parts.len() >= partitions.len());
                let sums = parts.iter().map(|part| part.iter().map(|p| p.value).sum::<u32>());
                assert_eq!(sums.max(), estimate(&database, board).ok(), "{board}");
                for partition in &parts {
                    let mut tiles: Vec<u8> =
                        partition.iter().flat_map(|part| part.tiles.iter().copied()).collect();
                    tiles.sort_unstable();
                    assert_eq!(tiles, (1..=tile_count).collect::<Vec<_>>());
                    for pattern in partition {
                        oracle.check(board, pattern);
                    }
                }
            }
        }
    }
}

#[test]
fn plain_patterns_have_the_oracles_values() {
    let lists = [vec![vec![1, 2, 5], vec![2, 4]], vec![vec![1, 2, 3, 4], vec![4, 5], vec![2]]];
    for ((goal, boards), patterns) in GOALS.iter().flat_map(|of| lists.iter().map(move |p| (of, p)))
    {
        let mut oracle = Oracle::new(goal, BlankMode::Plain);
        for reflect in [true, false] {
            let Ok(plan) = Plan::plain(goal, patterns, reflect) else {
                assert!(reflect, "without mirror images there is always a plan");
                continue;
            };
            let database = from_memory(&plan);
            let plain = database.plain().unwrap();
            for board in boards {
                let parts = plain.parts(board).unwrap();
                let values = parts.iter().map(|part| part.value);
                assert_eq!(values.max(), estimate(&database, board).ok(), "{board}");
                assert_eq!(parts[0].tiles, patterns[0]);
                for pattern in &parts {
                    oracle.check(board, pattern);
                }
            }
        }
    }
}

#[test]
fn the_lines_of_walking_distance_are_those_of_the_board_and_have_the_oracles_value() {
    for (goal, boards) in &*GOALS {
        let database = from_memory(&Plan::walking(goal));
        let axes = database.walking().unwrap();
        let shape = goal.shape();
        for (axis, is_vertical) in axes.into_iter().zip([true, false]) {
            let line = |cell| {
                let (row, col) = shape.row_col(cell);
                if is_vertical { row } else { col }
            };
            let sides = if is_vertical { shape } else { shape.transposed() };
            let (lines, line_len) = (sides.rows(), sides.cols());
            let blank_home = line(goal.home(BLANK));
            let values = pdb_oracle::walking_distances(lines, line_len, blank_home);
            for board in boards {
                let found = axis.parts(board).unwrap();
                let mut counts = vec![vec![0; lines]; lines];
                for cell in shape.all_cells().iter().filter(|&cell| board.tile(cell) != BLANK) {
                    counts[line(cell)][line(goal.home(board.tile(cell)))] += 1;
                }
                assert_eq!(found.lines, counts, "{board} to {}", goal.board());
                assert_eq!((found.blank_line, found.blank_home), (line(board.blank()), blank_home));
                assert_eq!(found.value, values[&(counts, found.blank_line)], "{board}");
                assert_eq!(found.value, axis.value(axis.state(board).unwrap()));
            }
        }
    }
}
