//! Manhattan distance with linear conflicts.

use pdb_core::{BLANK, Board, CELLS_MAX, Cell, Estimator, Goal, Memo, RootError, Shape, Slide};
use pdb_search::Manhattan;

/// Largest number of cells of a row or column: boards have at least two of each.
const LINE_MAX: usize = CELLS_MAX / 2;

/// Manhattan distance, plus two moves for each tile that has to leave its line to let another pass.
///
/// Two tiles that are in their home line, but in the wrong order, cannot both stay in it. Each line
/// keeps at most the longest ascending sequence of homes among its tiles; all others must leave. A
/// tile leaves a row and returns by two vertical moves that Manhattan distance does not count; rows
/// and columns do not count the same moves. The heuristic is admissible and consistent, and its
/// estimates have the parity of the distance. Source: O. Hansson, A. Mayer and M. Yung,
/// "Criticizing solutions to relaxed models yields powerful admissible heuristics", Information
/// Sciences 63, 1992; R. E. Korf and L. A. Taylor, "Finding optimal solutions to the twenty-four
/// puzzle", AAAI 1996.
///
/// A tile passes no other tile along its own line. So a move changes the conflicts of at most one
/// line: the tile's home line, if the tile leaves or enters it.
#[derive(Clone, Debug)]
pub struct LinearConflict {
    manhattan: Manhattan,
    /// Rows and columns.
    axes: [Axis; 2],
}

/// A line of the board and a place in it.
#[derive(Clone, Copy, Debug)]
struct LinePosition {
    line: u8,
    place: u8,
}

/// The rows of a board, or its columns.
#[derive(Clone, Debug)]
struct Axis {
    /// The cells of each line, in order.
    cells: Vec<Vec<Cell>>,
    /// The place of each cell.
    at: [LinePosition; CELLS_MAX],
    /// The place of each tile's home; no line for the blank.
    home: [LinePosition; CELLS_MAX],
}

impl Axis {
    fn new(goal: &Goal, cells: Vec<Vec<Cell>>) -> Self {
        let nowhere = LinePosition { line: u8::MAX, place: 0 };
        let (mut at, mut home) = ([nowhere; CELLS_MAX], [nowhere; CELLS_MAX]);
        for (line, cells) in (0..).zip(&cells) {
            for (place, &cell) in (0..).zip(cells) {
                at[usize::from(cell)] = LinePosition { line, place };
                if goal.board().tile(cell) != BLANK {
                    home[usize::from(goal.board().tile(cell))] = LinePosition { line, place };
                }
            }
        }
        Self { cells, at, home }
    }

    /// Returns the tiles of a line that belong to it, in their current order, each with its home's
    /// position in the line.
    #[inline]
    fn tiles(&self, board: &Board, line: u8) -> impl Iterator<Item = (u8, u8)> {
        let tiles = self.cells[usize::from(line)].iter().map(|&cell| board.tile(cell));
        let with_homes = tiles.map(|tile| (tile, self.home[usize::from(tile)]));
        with_homes.filter(move |(_, home)| home.line == line).map(|(tile, home)| (tile, home.place))
    }

    /// Returns the number of tiles that must leave a line.
    #[inline]
    fn leaving(&self, board: &Board, line: u8) -> u32 {
        // The smallest end of the ascending sequences of each length.
        let (mut ends, mut longest, mut count) = ([0; LINE_MAX], 0, 0);
        for (_, home) in self.tiles(board, line) {
            let shorter = ends[..longest].iter().filter(|&&end| end < home).count();
            ends[shorter] = home;
            longest = longest.max(shorter + 1);
            count += 1;
        }
        count - longest as u32
    }

    /// Returns the change of that number by a move across the lines, which led to `board`.
    #[inline]
    fn change(&self, board: &Board, slide: Slide) -> i32 {
        let [left, entered] = [slide.from, slide.to].map(|cell| self.at[usize::from(cell)].line);
        let line = self.home[usize::from(slide.tile)].line;
        if left != line && entered != line {
            return 0;
        }
        let mut before = *board;
        before.slide(slide.to, slide.from);
        self.leaving(board, line) as i32 - self.leaving(&before, line) as i32
    }

    /// Returns whether the tile on a cell is in the wrong order with another tile of its line.
    fn is_conflicted(&self, board: &Board, cell: Cell) -> bool {
        let (at, home) = (self.at[usize::from(cell)], self.home[usize::from(board.tile(cell))]);
        let is_wrong = |(place, &other): (u8, &Cell)| {
            let other = self.home[usize::from(board.tile(other))];
            other.line == at.line && (other.place < home.place) != (place < at.place)
        };
        home.line == at.line && (0..).zip(&self.cells[usize::from(at.line)]).any(is_wrong)
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

/// A line with tiles in the wrong order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineConflict {
    /// The line.
    pub line: Line,
    /// The tiles that are in this line and have their homes in it, from left to right or from top
    /// to bottom.
    pub tiles: Vec<u8>,
    /// The pairs of these tiles that are in the wrong order, in their current order.
    pub pairs: Vec<[u8; 2]>,
    /// The tiles that leave the line, so that the others are in the right order. No choice has
    /// fewer tiles, but another may have as many. Each tile takes two moves more than its Manhattan
    /// distance.
    pub leaving: Vec<u8>,
}

impl LinearConflict {
    /// Makes the heuristic for a goal of any shape.
    pub fn new(goal: &Goal) -> Self {
        let shape = goal.shape();
        let lines = |shape: Shape, cell: &dyn Fn(usize, usize) -> Cell| -> Vec<Vec<Cell>> {
            let line = |line| (0..shape.cols()).map(|place| cell(line, place)).collect();
            (0..shape.rows()).map(line).collect()
        };
        let rows = lines(shape, &|row, col| shape.cell(row, col));
        let columns = lines(shape.transposed(), &|col, row| shape.cell(row, col));
        let axes = [rows, columns].map(|cells| Axis::new(goal, cells));
        Self { manhattan: Manhattan::new(goal), axes }
    }

    /// Returns the lines of a board that have conflicts, rows first. The estimate is the Manhattan
    /// distance plus two moves for each tile that leaves.
    pub fn conflicts(&self, board: &Board) -> Vec<LineConflict> {
        let conflict = |axis: &Axis, number: usize, line: Line| {
            let tiles: Vec<_> = axis.tiles(board, number as u8).collect();
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
        let [rows, columns] = &self.axes;
        let in_rows = (0..rows.cells.len()).map(|row| conflict(rows, row, Line::Row(row)));
        let columns = (0..columns.cells.len()).map(|col| conflict(columns, col, Line::Column(col)));
        in_rows.chain(columns).filter(|conflict| !conflict.pairs.is_empty()).collect()
    }

    /// Returns the estimate of `board`, to which `slide` led from a board with the estimate
    /// `before`.
    #[inline]
    pub(super) fn after(&self, board: &Board, before: u32, slide: Slide) -> u32 {
        let [rows, columns] = &self.axes;
        let [from, to] = [slide.from, slide.to].map(|cell| rows.at[usize::from(cell)].line);
        // A move along a row goes from column to column, and the row keeps its order.
        let leaving = if from == to { columns } else { rows }.change(board, slide);
        self.manhattan.after(before, slide).wrapping_add_signed(2 * leaving)
    }

    /// Returns whether the tile on a cell is in the wrong order with another tile of its lines.
    pub(super) fn is_conflicted(&self, board: &Board, cell: Cell) -> bool {
        self.axes.iter().any(|axis| axis.is_conflicted(board, cell))
    }

    pub(super) fn of(&self, board: &Board) -> u32 {
        let leaving = self
            .axes
            .iter()
            .flat_map(|axis| (0..axis.cells.len() as u8).map(|line| axis.leaving(board, line)));
        self.manhattan.of(board) + 2 * leaving.sum::<u32>()
    }
}

/// Returns the longest sequence of tiles with ascending homes; the first one of several.
fn longest_ascending(tiles: &[(u8, u8)]) -> Vec<u8> {
    // The longest sequence that ends at each tile.
    let mut longest: Vec<Vec<u8>> = Vec::new();
    for &(tile, home) in tiles {
        let before = (longest.iter().zip(tiles)).filter(|(_, (_, other))| *other < home);
        let best = before.map(|(sequence, _)| sequence).rev().max_by_key(|sequence| sequence.len());
        longest.push(best.into_iter().flatten().copied().chain([tile]).collect());
    }
    longest.into_iter().rev().max_by_key(Vec::len).unwrap_or_default()
}

impl Estimator for LinearConflict {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        Ok(Memo::new(self.of(board), &[]))
    }

    fn child(&self, board: &Board, parent: &Memo, slide: Slide) -> Memo {
        Memo::new(self.after(board, parent.estimate, slide), &[])
    }
}
