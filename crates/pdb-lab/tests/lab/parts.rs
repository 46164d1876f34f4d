//! The parts of each heuristic's estimate: their sum is the estimate, and each part is correct.

use pdb_core::{BLANK, Board, Cell, Goal};
use pdb_lab::heuristics::{
    CornerTiles, Gaschnig, Inversion, InversionAxis, LastMoves, LinearConflict, Misplaced, Pairwise,
};
use pdb_lab::parts::{Explain, Part, Value};
use pdb_oracle::are_long;
use pdb_search::Manhattan;

use crate::common::{goals, sample, shape};

/// All heuristics of a goal.
struct All {
    goal: Goal,
    misplaced: Misplaced,
    gaschnig: Gaschnig,
    manhattan: Manhattan,
    conflict: LinearConflict,
    corners: CornerTiles,
    last: LastMoves,
    inversion: Inversion,
    axes: [InversionAxis; 2],
    pairwise: Pairwise,
}

/// Returns the numbers in a field: one, or a list.
fn numbers(part: &Part, key: &str) -> Vec<u8> {
    let number = |value: &Value| match value {
        Value::Number(number) => u8::try_from(*number).unwrap(),
        other => panic!("{key} is no list of numbers: {other:?}"),
    };
    match part.get(key).unwrap() {
        Value::List(values) => values.iter().map(number).collect(),
        value => vec![number(value)],
    }
}

/// Returns the number in a field.
fn number(part: &Part, key: &str) -> u8 {
    numbers(part, key)[0]
}

/// Returns the moves of a number of tiles that move away and back.
fn there_and_back(tiles: &[u8]) -> u32 {
    2 * tiles.len() as u32
}

impl All {
    fn new(goal: &Goal) -> Self {
        Self {
            goal: *goal,
            misplaced: Misplaced::new(goal),
            gaschnig: Gaschnig::new(goal),
            manhattan: Manhattan::new(goal),
            conflict: LinearConflict::new(goal),
            corners: CornerTiles::new(goal),
            last: LastMoves::new(goal),
            inversion: Inversion::new(goal),
            axes: InversionAxis::both(goal),
            pairwise: Pairwise::new(goal).unwrap(),
        }
    }

    /// Returns the parts of a heuristic, which add up to its estimate.
    fn parts(&self, heuristic: &dyn Explain, board: &Board) -> Part {
        let whole = heuristic.parts(&self.goal, board).unwrap();
        assert_eq!(whole.moves(), heuristic.root(board).unwrap().estimate, "{board}: {whole:?}");
        whole
    }

    fn check(&self, board: &Board) {
        self.check_manhattan(board);
        self.check_misplaced(board);
        self.check_conflicts(board);
        let inversion = self.parts(&self.inversion, board);
        for (axis, key) in self.axes.iter().zip(["vertical", "horizontal"]) {
            self.check_inversions(board, axis, inversion.list(key)[0], key);
        }
        self.check_pairs(board);
    }

    fn check_manhattan(&self, board: &Board) {
        let whole = self.parts(&self.manhattan, board);
        let parts = whole.list("tiles");
        let tiles: Vec<u8> = parts.iter().map(|part| number(part, "tile")).collect();
        assert_eq!(tiles, self.away(board), "{board}");
        for (part, tile) in parts.into_iter().zip(tiles) {
            let cell = board.cells_by_tile()[usize::from(tile)];
            let distance = board.shape().distance(cell, self.goal.home(tile));
            let axes = number(part, "vertical") + number(part, "horizontal");
            assert_eq!((part.moves(), u32::from(axes)), (distance, distance), "{board}");
        }
    }

    /// Returns the tiles that are not at home, in order.
    fn away(&self, board: &Board) -> Vec<u8> {
        (1..board.tiles().len() as u8).filter(|&tile| !self.is_home(board, tile)).collect()
    }

    fn is_home(&self, board: &Board, tile: u8) -> bool {
        board.tile(self.goal.home(tile)) == tile
    }

    fn check_misplaced(&self, board: &Board) {
        let whole = self.parts(&self.misplaced, board);
        let mut tiles = numbers(&whole, "tiles");
        assert_eq!(tiles.len() as u32, whole.moves(), "{board}");
        tiles.sort_unstable();
        assert_eq!(tiles, self.away(board));

        let whole = self.parts(&self.gaschnig, board);
        // The jumps suffice: in the order of the cycle, they lead to the goal.
        let mut board = *board;
        for cycle in whole.list("cycles") {
            let tiles = numbers(cycle, "tiles");
            let mut count = 0;
            let mut jump = |tile: u8, board: &mut Board| {
                let from = board.cells_by_tile()[usize::from(tile)];
                board.slide(from, board.blank());
                count += 1;
            };
            if tiles[0] != BLANK {
                jump(tiles[0], &mut board);
            }
            while !tiles.iter().all(|&tile| self.is_home(&board, tile)) {
                let tile = self.goal.board().tile(board.blank());
                jump(tile, &mut board);
            }
            assert_eq!(count, number(cycle, "jumps"), "{board}");
        }
        assert_eq!(board, *self.goal.board());
    }

    fn check_conflicts(&self, board: &Board) {
        let manhattan = self.manhattan.of(board);
        let of_lines = self.parts(&self.conflict, board);
        let conflicts = of_lines.list("lines");
        assert_eq!(of_lines.get("manhattan"), Some(&manhattan.into()));
        let leaving: u32 =
            conflicts.iter().map(|part| there_and_back(&numbers(part, "leaving"))).sum();
        assert_eq!(manhattan + leaving, of_lines.moves(), "{board}");
        let shape = board.shape();
        let pairs_of = |part: &Part| match part.get("pairs") {
            Some(Value::List(pairs)) => pairs.clone(),
            other => panic!("{other:?}"),
        };
        let mut conflicted = Vec::new();
        for part in &conflicts {
            let line = part.list("line")[0];
            let place = usize::from(number(line, line.fields[0].0)) - 1;
            let cells: Vec<Cell> = match line.fields[0].0 {
                "row" => (0..shape.cols()).map(|col| shape.cell(place, col)).collect(),
                _ => (0..shape.rows()).map(|row| shape.cell(row, place)).collect(),
            };
            let (tiles, leaving) = (numbers(part, "tiles"), numbers(part, "leaving"));
            assert_eq!(part.get("moves"), Some(&there_and_back(&leaving).into()));
            let at_home = |tile: &u8| *tile != BLANK && cells.contains(&self.goal.home(*tile));
            let expected: Vec<u8> =
                cells.iter().map(|&cell| board.tile(cell)).filter(at_home).collect();
            assert_eq!(tiles, expected, "{board}");
            // Cells of a line ascend, so homes of tiles in order do.
            let mut wrong = Vec::new();
            for (i, &first) in tiles.iter().enumerate() {
                for &second in &tiles[i + 1..] {
                    if self.goal.home(first) > self.goal.home(second) {
                        wrong.push([first, second]);
                    }
                }
            }
            assert_eq!(
                pairs_of(part),
                wrong.iter().map(|&pair| pair.into()).collect::<Vec<Value>>()
            );
            assert!(!leaving.is_empty() && leaving.iter().all(|tile| tiles.contains(tile)));
            let has_left = |pair: &[u8; 2]| pair.iter().any(|tile| leaving.contains(tile));
            assert!(wrong.iter().all(has_left), "{board}: {wrong:?} {leaving:?}");
            conflicted.extend(wrong.into_iter().flatten());
        }

        let of_corners = self.parts(&self.corners, board);
        let corners = of_corners.list("corners");
        let named: Vec<u8> = corners.iter().flat_map(|corner| numbers(corner, "beside")).collect();
        assert_eq!(of_lines.moves() + there_and_back(&named), of_corners.moves(), "{board}");
        for (i, tile) in named.iter().enumerate() {
            let in_conflict = conflicted.contains(tile);
            assert!(self.is_home(board, *tile) && !in_conflict && !named[..i].contains(tile));
        }
        for corner in corners {
            let [row, column] = ["row", "column"].map(|key| usize::from(number(corner, key)) - 1);
            let (cell, tile) = (shape.cell(row, column), number(corner, "tile"));
            let beside = numbers(corner, "beside");
            assert_eq!(corner.get("moves"), Some(&there_and_back(&beside).into()));
            assert_eq!(shape.neighbours(cell).len(), 2);
            assert!(board.tile(cell) == tile && tile != BLANK && !self.is_home(board, tile));
            let near = |tile: &u8| shape.distance(self.goal.home(*tile), cell) == 1;
            assert!(!beside.is_empty() && beside.iter().all(near), "{board}");
        }

        let of_endings = self.parts(&self.last, board);
        // Each heuristic has the parts of the one before it, without their text.
        for whole in [&of_corners, &of_endings] {
            assert_eq!(whole.get("manhattan"), of_lines.get("manhattan"));
            let lines = whole.list("lines");
            assert!(lines.iter().all(|line| line.text.is_empty()));
            let fields = lines.iter().map(|line| &line.fields);
            assert!(fields.eq(conflicts.iter().map(|line| &line.fields)), "{board}");
        }
        let endings = of_endings.list("endings");
        let least = endings.iter().map(|ending| ending.moves()).min();
        assert!(endings.is_sorted_by_key(|ending| ending.moves()));
        assert_eq!(least.is_none(), board == self.goal.board());
        assert_eq!(of_corners.moves() + least.unwrap_or(0), of_endings.moves(), "{board}");
        let blank_home = self.goal.home(BLANK);
        for ending in endings {
            let last = ending.list("last")[0];
            let home = self.goal.home(number(last, "tile"));
            let detour = |part: &Part, home: Cell| {
                let of_tile = self.goal.home(number(part, "tile"));
                assert_eq!(shape.distance(of_tile, home), 1, "{board}");
                assert!(part.moves() == 0 || part.moves() == 2);
            };
            detour(last, blank_home);
            match ending.list("before")[..] {
                [before] => detour(before, home),
                _ => assert_eq!(of_corners.moves(), 1),
            }
        }
    }

    fn check_inversions(&self, board: &Board, axis: &InversionAxis, part: &Part, key: &str) {
        let inversions = axis.inversions(board);
        assert_eq!(part.get("moves"), Some(&axis.bound(inversions).into()), "{board}");
        assert_eq!(part.get("inversions"), Some(&(inversions as u32).into()), "{board}");
        let (rows, cols) = (board.shape().rows(), board.shape().cols());
        let axis_lines = if key == "vertical" { rows } else { cols };
        let read = |board: &Board| -> Vec<Vec<u8>> {
            let mut lines = vec![Vec::new(); axis_lines];
            for cell in board.shape().all_cells().iter().filter(|&cell| cell != board.blank()) {
                let (row, col) = board.shape().row_col(cell);
                lines[if key == "vertical" { row } else { col }].push(board.tile(cell));
            }
            lines
        };
        let lines = read(board);
        assert_eq!(usize::from(number(part, "passed")) + 1, board.tiles().len() / lines.len());
        let order = read(self.goal.board()).concat();
        let rank = |tile| order.iter().position(|&other| other == tile).unwrap();
        let ranks: Vec<usize> = lines.concat().into_iter().map(rank).collect();
        let counts = (0..ranks.len())
            .map(|i| ranks[i + 1..].iter().filter(|&&later| later < ranks[i]).count() as u32);
        let expected: Vec<(u8, u32)> = lines.concat().into_iter().zip(counts).collect();
        assert_eq!(inversions as u32, expected.iter().map(|(_, count)| count).sum::<u32>());
        let mut expected = expected.into_iter();
        let Some(Value::List(found)) = part.get("lines") else { panic!("{part:?}") };
        assert_eq!(found.len(), lines.len());
        for (found, line) in found.iter().zip(&lines) {
            let Value::List(found) = found else { panic!("{found:?}") };
            assert_eq!(found.len(), line.len());
            for found in found {
                let Value::Part(found) = found else { panic!("{found:?}") };
                let (tile, count) = expected.next().unwrap();
                assert_eq!(found.fields, [("tile", tile.into()), ("inversions", count.into())]);
            }
        }
    }

    fn check_pairs(&self, board: &Board) {
        let whole = self.parts(&self.pairwise, board);
        let pairs = whole.list("pairs");
        let manhattan = self.manhattan.of(board);
        assert_eq!(whole.get("manhattan"), Some(&manhattan.into()));
        let gain: u32 = pairs.iter().map(|pair| pair.moves()).sum();
        assert_eq!(manhattan + gain, whole.moves(), "{board}");
        let tiles: Vec<u8> = pairs.iter().flat_map(|pair| numbers(pair, "tiles")).collect();
        for (i, tile) in tiles.iter().enumerate() {
            assert!(*tile != BLANK && !tiles[..i].contains(tile), "{board}: {pairs:?}");
        }
        let weights = self.pairwise.pairs(board);
        for pair in pairs {
            let [a, b] = numbers(pair, "tiles")[..] else { panic!("{pair:?}") };
            let [a, b] = [a, b].map(usize::from);
            assert!(a < b && pair.moves() == 2 * u32::from(weights.weights()[a][b]));
            assert!(pair.moves() > 0, "{board}");
        }
    }
}

#[test]
fn the_parts_of_all_small_boards_add_up() {
    for (rows, cols, stride) in [(2, 2, 1), (2, 3, 1), (3, 2, 1), (2, 4, 7), (3, 3, 1)] {
        for goal in goals(shape(rows, cols)) {
            let all = All::new(&goal);
            // One board of 3x3 in 61, or all in long tests.
            let few = if are_long() || rows * cols < 9 { 1 } else { 61 };
            for (board, _) in sample(&goal, few * stride) {
                all.check(&board);
            }
        }
    }
}
