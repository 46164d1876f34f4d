//! Manhattan distance with linear conflicts.

use pdb_core::{BLANK, Board, CELLS_MAX, Cell, Estimator, Goal, Memo, RootError, Shape, Slide};

use super::Manhattan;

/// The most cells that one row or column has: boards have at least two of each.
const LINE_MAX: usize = CELLS_MAX / 2;

/// Manhattan distance, and two moves more for each tile that has to leave its line to let another
/// pass.
///
/// Two tiles that are in their home line, but in the wrong order, cannot both stay in it. In each line
/// as many tiles must leave as it takes for the others to stand in the right order: its tiles, less
/// the longest ascending sequence of homes among them. A tile that leaves a row does so by two
/// vertical moves, none of which Manhattan distance knows of; rows and columns do not count the same
/// moves. It is admissible and consistent, and its estimates have the parity of the distance. Source:
/// O. Hansson, A. Mayer and M. Yung, "Criticizing solutions to relaxed models yields powerful
/// admissible heuristics", Information Sciences 63, 1992; with a table by R. E. Korf and L. A. Taylor,
/// "Finding optimal solutions to the twenty-four puzzle", AAAI 1996.
///
/// The tiles of a line that are in their home line make a code; a table of all codes, of a few
/// kilobytes, knows the rest. Along its own line a tile passes no other, so a move changes the code
/// of at most one line: that of the tile's home, where the tile leaves or enters it.
#[derive(Clone, Debug)]
pub struct LinearConflict {
    shape: Shape,
    goal: Goal,
    manhattan: Manhattan,
    /// Rows and columns.
    axes: [Axis; 2],
}

/// The rows of a board, or its columns.
#[derive(Clone, Debug)]
struct Axis {
    conflicts: Conflicts,
    /// The cells of each line, in order.
    cells: Vec<Vec<Cell>>,
    /// The line of each cell, and the cell's place in it.
    at: [(u8, u8); CELLS_MAX],
    /// The same for the home of each tile; no line for the blank.
    home: [(u8, u8); CELLS_MAX],
}

impl Axis {
    fn new(
        goal: &Goal,
        line_count: usize,
        line_len: usize,
        cell: impl Fn(usize, usize) -> Cell,
    ) -> Self {
        let line = |line| (0..line_len).map(|place| cell(line, place)).collect();
        let cells: Vec<Vec<Cell>> = (0..line_count).map(line).collect();
        let (mut at, mut home) = ([(0, 0); CELLS_MAX], [(u8::MAX, 0); CELLS_MAX]);
        for (line, cells) in cells.iter().enumerate() {
            for (place, &cell) in cells.iter().enumerate() {
                at[usize::from(cell)] = (line as u8, place as u8);
            }
        }
        for tile in 1..goal.shape().cell_count() as u8 {
            home[usize::from(tile)] = at[usize::from(goal.home(tile))];
        }
        Self { conflicts: Conflicts::new(line_len), cells, at, home }
    }

    /// The code of a line.
    #[inline]
    fn code(&self, board: &Board, line: u8) -> Code {
        let mut code = 0;
        for (place, &cell) in self.cells[usize::from(line)].iter().enumerate() {
            let (home_line, home_place) = self.home[usize::from(board.tile(cell))];
            if home_line == line {
                code |= self.conflicts.digit(usize::from(home_place), place);
            }
        }
        code
    }

    /// The tiles that must leave their lines.
    fn leaving(&self, board: &Board) -> u32 {
        let lines = 0..self.cells.len() as u8;
        lines.map(|line| u32::from(self.conflicts.of(self.code(board, line)).leaving)).sum()
    }

    /// How a move across the lines, which led to `board`, changed their number.
    #[inline]
    fn change(&self, board: &Board, slide: Slide) -> i32 {
        let (left, place) = self.at[usize::from(slide.from)];
        let (entered, _) = self.at[usize::from(slide.to)];
        let (line, home_place) = self.home[usize::from(slide.tile)];
        if left != line && entered != line {
            return 0;
        }
        let after = self.code(board, line);
        let before = after ^ self.conflicts.digit(usize::from(home_place), usize::from(place));
        i32::from(self.conflicts.of(after).leaving) - i32::from(self.conflicts.of(before).leaving)
    }

    /// Whether the tile on a cell stands in the wrong order with another one of its line.
    fn conflicted(&self, board: &Board, cell: Cell) -> bool {
        let (line, place) = self.at[usize::from(cell)];
        self.conflicts.of(self.code(board, line)).places >> place & 1 == 1
    }
}

/// The conflicts of a line by its code: of each cell the home of its tile in this line, from 1, and
/// 0 where the tile belongs elsewhere.
#[derive(Clone, Debug)]
struct Conflicts {
    digit_bits: u32,
    len: usize,
    /// Empty for lines that are too long for a table of all codes.
    table: Vec<Conflict>,
}

/// What conflicts there are in a line.
#[derive(Clone, Copy, Debug, Default)]
struct Conflict {
    /// How many tiles must leave the line.
    leaving: u8,
    /// The places of the line whose tiles stand in the wrong order with another one.
    places: u32,
}

/// A line's code, as wide as the longest line needs.
type Code = u128;

/// Lines up to here have a table; that of six cells has 2^18 codes.
const TABLE_LEN_MAX: usize = 6;

impl Conflicts {
    fn new(len: usize) -> Self {
        let digit_bits = if len <= TABLE_LEN_MAX { 3 } else { 5 };
        let mut this = Self { digit_bits, len, table: Vec::new() };
        if len <= TABLE_LEN_MAX {
            this.table = (0..1 << (3 * len)).map(|code| this.find(code)).collect();
        }
        this
    }

    #[inline]
    fn digit(&self, home: usize, place: usize) -> Code {
        (home as Code + 1) << (self.digit_bits * place as u32)
    }

    #[inline]
    fn of(&self, code: Code) -> Conflict {
        if self.table.is_empty() { self.find(code) } else { self.table[code as usize] }
    }

    fn find(&self, code: Code) -> Conflict {
        let digit = |place: usize| {
            (code >> (self.digit_bits * place as u32)) as u32 & ((1 << self.digit_bits) - 1)
        };
        let at_line: Vec<usize> = (0..self.len).filter(|&place| digit(place) != 0).collect();
        // The longest ascending sequence that ends at each tile.
        let mut longest = [0; LINE_MAX];
        let mut places = 0;
        for (i, &place) in at_line.iter().enumerate() {
            longest[i] = 1;
            for (j, &earlier) in at_line[..i].iter().enumerate() {
                if digit(earlier) < digit(place) {
                    longest[i] = longest[i].max(longest[j] + 1);
                } else {
                    places |= 1 << earlier | 1 << place;
                }
            }
        }
        let stay = longest.into_iter().max().unwrap_or(0);
        Conflict { leaving: at_line.len() as u8 - stay, places }
    }
}

/// A row or a column, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// A row.
    Row(usize),
    /// A column.
    Column(usize),
}

/// A line in which tiles stand in the wrong order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineConflict {
    /// The line.
    pub line: Line,
    /// The tiles that stand in this line and have their homes in it, from left to right or from the top
    /// down.
    pub tiles: Vec<u8>,
    /// The pairs of them that stand in the wrong order, as they stand.
    pub pairs: Vec<[u8; 2]>,
    /// Tiles that leave the line, so that the others stand in the right order; no choice has fewer, but
    /// another may have as many. Each takes two moves more than its Manhattan distance.
    pub leaving: Vec<u8>,
}

impl LinearConflict {
    /// Linear conflicts against a goal of any shape.
    pub fn new(goal: &Goal) -> Self {
        let shape = goal.shape();
        Self {
            shape,
            goal: *goal,
            manhattan: Manhattan::new(goal),
            axes: [
                Axis::new(goal, shape.rows(), shape.cols(), |row, col| shape.cell(row, col)),
                Axis::new(goal, shape.cols(), shape.rows(), |col, row| shape.cell(row, col)),
            ],
        }
    }

    /// The lines of a board that have conflicts, rows first: the estimate is the Manhattan distance, and
    /// two moves for each tile that leaves.
    pub fn conflicts(&self, board: &Board) -> Vec<LineConflict> {
        let (rows, cols) = (self.shape.rows(), self.shape.cols());
        let lines = (0..rows).map(Line::Row).chain((0..cols).map(Line::Column));
        let conflict = |line| {
            // The cells of the line with the tiles that belong to it, and their homes along it.
            let home = |tile| self.shape.row_col(self.goal.home(tile));
            let tiles: Vec<(u8, usize)> = match line {
                Line::Row(row) => (0..cols)
                    .map(|col| board.tile(self.shape.cell(row, col)))
                    .filter(|&tile| tile != BLANK && home(tile).0 == row)
                    .map(|tile| (tile, home(tile).1))
                    .collect(),
                Line::Column(col) => (0..rows)
                    .map(|row| board.tile(self.shape.cell(row, col)))
                    .filter(|&tile| tile != BLANK && home(tile).1 == col)
                    .map(|tile| (tile, home(tile).0))
                    .collect(),
            };
            let mut pairs = Vec::new();
            for (i, (first, home)) in tiles.iter().enumerate() {
                let later = tiles[i + 1..].iter().filter(|(_, other)| other < home);
                pairs.extend(later.map(|(second, _)| [*first, *second]));
            }
            let stay = longest_ascending(&tiles);
            let tiles: Vec<u8> = tiles.into_iter().map(|(tile, _)| tile).collect();
            let leaving = tiles.iter().copied().filter(|tile| !stay.contains(tile)).collect();
            LineConflict { line, tiles, pairs, leaving }
        };
        lines.map(conflict).filter(|conflict| !conflict.pairs.is_empty()).collect()
    }

    /// The estimate of `board`, to which `slide` led from a board with the estimate `before`.
    #[inline]
    pub(super) fn after(&self, board: &Board, before: u32, slide: Slide) -> u32 {
        let [rows, cols] = &self.axes;
        let is_along_row = rows.at[usize::from(slide.from)].0 == rows.at[usize::from(slide.to)].0;
        // A move along a row goes from column to column, and the row keeps its order.
        let leaving = if is_along_row { cols } else { rows }.change(board, slide);
        self.manhattan.after(before, slide).wrapping_add_signed(2 * leaving)
    }

    /// Whether the tile on a cell stands in the wrong order with another one of its lines.
    pub(super) fn conflicted(&self, board: &Board, cell: Cell) -> bool {
        self.axes.iter().any(|axis| axis.conflicted(board, cell))
    }
}

/// The longest sequence of tiles whose homes ascend; the first one of several.
fn longest_ascending(tiles: &[(u8, usize)]) -> Vec<u8> {
    // The longest sequence that ends at each tile.
    let mut longest: Vec<Vec<u8>> = Vec::new();
    for (i, &(tile, home)) in tiles.iter().enumerate() {
        let before = (longest.iter().zip(tiles)).filter(|(_, (_, other))| *other < home);
        let best = before.map(|(sequence, _)| sequence).rev().max_by_key(|sequence| sequence.len());
        debug_assert_eq!(longest.len(), i);
        longest.push(best.into_iter().flatten().copied().chain([tile]).collect());
    }
    longest.into_iter().rev().max_by_key(Vec::len).unwrap_or_default()
}

impl Estimator for LinearConflict {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        let leaving = self.axes.iter().map(|axis| axis.leaving(board)).sum::<u32>();
        Ok(Memo::new(self.manhattan.of(board) + 2 * leaving, &[]))
    }

    fn child(&self, board: &Board, parent: &Memo, slide: Slide) -> Memo {
        Memo::new(self.after(board, parent.estimate, slide), &[])
    }

    fn lookups(&self) -> [u32; 2] {
        [1, 0]
    }
}
