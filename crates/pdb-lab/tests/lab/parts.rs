//! The parts of each heuristic's estimate: their sum is the estimate, and each part is correct.

use pdb_core::{BLANK, Board, Cell, Estimator, Goal};
use pdb_lab::heuristics::{
    Ending, Gaschnig, InversionAxis, LastMoves, Line, LineConflict, Misplaced, Pairwise,
    WrongCorner,
};
use pdb_oracle::{Random, are_long};
use pdb_search::Manhattan;

use crate::common::{distances, goals, sample, shape};

/// All heuristics of a goal.
struct All {
    goal: Goal,
    misplaced: Misplaced,
    gaschnig: Gaschnig,
    manhattan: Manhattan,
    /// With corner tiles and linear conflicts.
    last: LastMoves,
    axes: [InversionAxis; 2],
    pairwise: Pairwise,
}

fn estimate(heuristic: &dyn Estimator, board: &Board) -> u32 {
    heuristic.root(board).unwrap().estimate
}

impl All {
    fn new(goal: &Goal) -> Self {
        Self {
            goal: *goal,
            misplaced: Misplaced::new(goal),
            gaschnig: Gaschnig::new(goal),
            manhattan: Manhattan::new(goal),
            last: LastMoves::new(goal),
            axes: [InversionAxis::vertical(goal), InversionAxis::horizontal(goal)],
            pairwise: Pairwise::new(goal).unwrap(),
        }
    }

    fn check(&self, board: &Board) {
        self.check_misplaced(board);
        self.check_conflicts(board);
        for (axis, is_vertical) in self.axes.iter().zip([true, false]) {
            self.check_inversions(board, axis, is_vertical);
        }
        self.check_pairs(board);
    }

    fn is_home(&self, board: &Board, tile: u8) -> bool {
        board.tile(self.goal.home(tile)) == tile
    }

    fn check_misplaced(&self, board: &Board) {
        let tiles = self.misplaced.tiles(board);
        assert_eq!(tiles.len() as u32, estimate(&self.misplaced, board), "{board}");
        let is_listed = |tile: u8| tiles.contains(&tile);
        let all = 1..board.tiles().len() as u8;
        assert!(
            all.into_iter().all(|tile| is_listed(tile) != self.is_home(board, tile)),
            "{board}"
        );

        let cycles = self.gaschnig.cycles(board);
        let jumps: u32 = cycles.iter().map(|cycle| cycle.jumps).sum();
        assert_eq!(jumps, estimate(&self.gaschnig, board), "{board}");
        // The jumps suffice: in the order of the cycle, they lead to the goal.
        let mut board = *board;
        for cycle in cycles {
            let mut count = 0;
            let mut jump = |tile: u8, board: &mut Board| {
                let from = board.cells_by_tile()[usize::from(tile)];
                board.slide(from, board.blank());
                count += 1;
            };
            if cycle.tiles[0] != BLANK {
                jump(cycle.tiles[0], &mut board);
            }
            while !cycle.tiles.iter().all(|&tile| self.is_home(&board, tile)) {
                let tile = self.goal.board().tile(board.blank());
                jump(tile, &mut board);
            }
            assert_eq!(count, cycle.jumps, "{board}");
        }
        assert_eq!(board, *self.goal.board());
    }

    fn check_conflicts(&self, board: &Board) {
        let manhattan = estimate(&self.manhattan, board);
        let conflicts = self.last.corners.conflict.conflicts(board);
        let leaving: usize = conflicts.iter().map(|conflict| conflict.leaving.len()).sum();
        let of_lines = manhattan + 2 * leaving as u32;
        assert_eq!(of_lines, estimate(&self.last.corners.conflict, board), "{board}");
        let shape = board.shape();
        for LineConflict { line, tiles, pairs, leaving } in &conflicts {
            let cells: Vec<Cell> = match line {
                Line::Row(row) => (0..shape.cols()).map(|col| shape.cell(*row, col)).collect(),
                Line::Column(col) => (0..shape.rows()).map(|row| shape.cell(row, *col)).collect(),
            };
            let at_home = |tile: &u8| *tile != BLANK && cells.contains(&self.goal.home(*tile));
            let expected: Vec<u8> =
                cells.iter().map(|&cell| board.tile(cell)).filter(at_home).collect();
            assert_eq!(*tiles, expected, "{board}");
            // Cells of a line ascend, so homes of tiles in order do.
            let mut wrong = Vec::new();
            for (i, &first) in tiles.iter().enumerate() {
                for &second in &tiles[i + 1..] {
                    if self.goal.home(first) > self.goal.home(second) {
                        wrong.push([first, second]);
                    }
                }
            }
            assert_eq!(*pairs, wrong, "{board}");
            assert!(!leaving.is_empty() && leaving.iter().all(|tile| tiles.contains(tile)));
            let has_left = |pair: &[u8; 2]| pair.iter().any(|tile| leaving.contains(tile));
            assert!(pairs.iter().all(has_left), "{board}: {pairs:?} {leaving:?}");
        }

        let corners = self.last.corners.corners(board);
        let beside = |corners: &[WrongCorner]| -> Vec<u8> {
            corners.iter().flat_map(|corner| corner.beside.iter().copied()).collect()
        };
        let named = beside(&corners);
        let with_corners = of_lines + 2 * named.len() as u32;
        assert_eq!(with_corners, estimate(&self.last.corners, board), "{board}");
        for (i, tile) in named.iter().enumerate() {
            let in_conflict = conflicts
                .iter()
                .any(|conflict| conflict.pairs.iter().flatten().any(|other| other == tile));
            assert!(self.is_home(board, *tile) && !in_conflict && !named[..i].contains(tile));
        }
        for WrongCorner { cell, tile, beside } in &corners {
            assert_eq!(shape.neighbours(*cell).len(), 2);
            assert!(board.tile(*cell) == *tile && *tile != BLANK && !self.is_home(board, *tile));
            let near = |tile: &u8| shape.distance(self.goal.home(*tile), *cell) == 1;
            assert!(!beside.is_empty() && beside.iter().all(near), "{board}");
        }

        let endings = self.last.endings(board);
        let least = endings.iter().map(Ending::moves).min();
        assert_eq!(least.is_none(), board == self.goal.board());
        let with_endings = with_corners + least.unwrap_or(0);
        assert_eq!(with_endings, estimate(&self.last, board), "{board}");
        let blank_home = self.goal.home(BLANK);
        for ending in endings {
            let home = self.goal.home(ending.last.0);
            assert_eq!(shape.distance(home, blank_home), 1);
            let detour = |(tile, moves): (u8, u32), home: Cell| {
                assert_eq!(shape.distance(self.goal.home(tile), home), 1, "{board}");
                assert!(moves == 0 || moves == 2);
            };
            detour(ending.last, blank_home);
            match ending.before {
                Some(before) => detour(before, home),
                None => assert_eq!(with_corners, 1),
            }
        }
    }

    fn check_inversions(&self, board: &Board, axis: &InversionAxis, is_vertical: bool) {
        let found = axis.inversions(board);
        assert_eq!(found.moves, axis.bound(found.inversions as i16), "{board}");
        let read = |board: &Board| -> Vec<Vec<u8>> {
            let (rows, cols) = (board.shape().rows(), board.shape().cols());
            let tile = |row, col| board.tile(board.shape().cell(row, col));
            let lines: Vec<Vec<u8>> = if is_vertical {
                (0..rows).map(|row| (0..cols).map(|col| tile(row, col)).collect()).collect()
            } else {
                (0..cols).map(|col| (0..rows).map(|row| tile(row, col)).collect()).collect()
            };
            let is_tile = |tile: &u8| *tile != BLANK;
            lines.into_iter().map(|line| line.into_iter().filter(is_tile).collect()).collect()
        };
        let lines = read(board);
        assert_eq!(found.passed as usize + 1, board.tiles().len() / lines.len());
        let order = read(self.goal.board()).concat();
        let rank = |tile| order.iter().position(|&other| other == tile).unwrap();
        let ranks: Vec<usize> = lines.concat().into_iter().map(rank).collect();
        let counts = (0..ranks.len())
            .map(|i| ranks[i + 1..].iter().filter(|&&later| later < ranks[i]).count() as u32);
        let expected: Vec<(u8, u32)> = lines.concat().into_iter().zip(counts).collect();
        assert_eq!(found.lines.concat(), expected, "{board}");
        assert!(found.lines.iter().zip(&lines).all(|(found, line)| found.len() == line.len()));
        assert_eq!(found.inversions, expected.iter().map(|(_, count)| count).sum::<u32>());
    }

    fn check_pairs(&self, board: &Board) {
        let pairs = self.pairwise.matching(board);
        let gain: u32 = pairs.iter().map(|pair| pair.moves).sum();
        let manhattan = estimate(&self.manhattan, board);
        assert_eq!(manhattan + gain, estimate(&self.pairwise, board), "{board}");
        let tiles: Vec<u8> = pairs.iter().flat_map(|pair| pair.tiles).collect();
        for (i, tile) in tiles.iter().enumerate() {
            assert!(*tile != BLANK && !tiles[..i].contains(tile), "{board}: {pairs:?}");
        }
        let weights = self.pairwise.pairs(board);
        for pair in pairs {
            let [a, b] = pair.tiles.map(usize::from);
            assert!(a < b && pair.moves == 2 * u32::from(weights.weights()[a][b]));
            assert!(pair.moves > 0, "{board}");
        }
    }
}

#[test]
fn the_parts_of_all_small_boards_add_up() {
    for (rows, cols, stride) in [(2, 2, 1), (2, 3, 1), (3, 2, 1), (2, 4, 7), (3, 3, 1)] {
        for goal in goals(shape(rows, cols)) {
            let all = All::new(&goal);
            let known = distances(&goal);
            // The snail's goal is tested because its blank is in the middle of the board.
            let is_large = known.len() > 100_000 && goal == Goal::snail(goal.shape());
            let stride = if is_large { 11 } else { stride };
            // One in 29 of these boards of 3x3; all in long tests.
            let few = if are_long() || known.len() < 100_000 { 1 } else { 29 };
            for (tiles, _) in sample(known, few * stride) {
                all.check(&Board::new(goal.shape(), tiles).unwrap());
            }
        }
    }
}

#[test]
fn the_parts_of_larger_boards_add_up() {
    let mut random = Random::default();
    for (rows, cols, count) in
        [(3, 5, 100), (5, 3, 100), (4, 4, 150), (5, 5, 50), (6, 6, 20), (4, 6, 50)]
    {
        for goal in goals(shape(rows, cols)) {
            let all = All::new(&goal);
            for round in 0..count {
                let mut tiles = goal.board().tiles().to_vec();
                // Boards from a few exchanges to a random order.
                let exchanges = if round % 2 == 0 { tiles.len() } else { 1 + random.below(6) };
                for i in (1..tiles.len()).rev().take(exchanges) {
                    tiles.swap(i, random.below(i + 1));
                }
                let board = Board::new(goal.shape(), &tiles).unwrap();
                // The heuristic of last moves is not defined at the goal itself.
                if goal.check_solvable(&board).is_ok() {
                    all.check(&board);
                }
            }
        }
    }
}
