//! Manhattan distance with linear conflicts.

use pdb_core::{BLANK, Board, CELLS_MAX, Cell, Estimator, Goal, Memo, RootError, Shape, Slide};
use pdb_search::Manhattan;

use crate::parts::{Explain, Part, counted, joined, listed};

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

    /// Returns the number of tiles that must leave a line. `tell` receives its tiles in their
    /// current order, each with its home's position and the length of the longest sequence of
    /// ascending homes that ends with it.
    #[inline]
    fn sequences(&self, board: &Board, line: u8, mut tell: impl FnMut(u8, u8, usize)) -> u32 {
        // The smallest end of the ascending sequences of each length.
        let (mut ends, mut longest, mut leaving) = ([0; CELLS_MAX], 0, 0);
        for (tile, home) in self.tiles(board, line) {
            let shorter = ends[..longest].iter().filter(|&&end| end < home).count();
            ends[shorter] = home;
            tell(tile, home, shorter + 1);
            if shorter == longest {
                longest += 1;
            } else {
                leaving += 1;
            }
        }
        leaving
    }

    /// Returns the number of tiles that must leave a line.
    #[inline]
    fn leaving(&self, board: &Board, line: u8) -> u32 {
        self.sequences(board, line, |_, _, _| ())
    }

    /// Returns a line with tiles in the wrong order, and the tiles that leave it.
    fn conflict(&self, board: &Board, line: u8, axis: &'static str) -> Option<Part> {
        let mut all = Vec::new();
        let tell = |tile, home, length| all.push((tile, home, length));
        if self.sequences(board, line, tell) == 0 {
            return None;
        }
        let mut pairs = Vec::new();
        for (i, (first, home, _)) in all.iter().enumerate() {
            let later = all[i + 1..].iter().filter(|(_, other, _)| other < home);
            pairs.extend(later.map(|(second, ..)| [*first, *second]));
        }
        // Of several longest sequences, the tiles of the first one stay.
        let longest = all.iter().map(|&(.., length)| length).max().unwrap_or(0);
        let (mut stay, mut before, mut next) = (Vec::new(), &all[..], u8::MAX);
        for length in (1..=longest).rev() {
            let fits = |&(_, home, of_tile): &(u8, u8, usize)| of_tile == length && home < next;
            let place = before.iter().position(fits).expect("a longer sequence follows this one");
            stay.push(before[place].0);
            (next, before) = (before[place].1, &before[..place]);
        }
        let tiles: Vec<u8> = all.iter().map(|&(tile, ..)| tile).collect();
        let leaving: Vec<u8> = tiles.iter().copied().filter(|tile| !stay.contains(tile)).collect();
        let (number, moves) = (u32::from(line) + 1, 2 * leaving.len() as u32);
        let is_one = leaving.len() == 1;
        let text = format!(
            "{axis} {number}: {} are not in order: {} {}: {}",
            joined(&tiles, " "),
            listed(&leaving),
            if is_one { "leaves the line and comes back" } else { "leave the line and come back" },
            counted(moves, "move")
        );
        let part = Part::default().text(text).field("line", Part::default().field(axis, number));
        let part = part.field("tiles", tiles).field("pairs", pairs).field("leaving", leaving);
        Some(part.plus("moves", moves))
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

impl Estimator for LinearConflict {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        Ok(Memo::new(self.of(board), &[]))
    }

    fn child(&self, board: &Board, parent: &Memo, slide: Slide) -> Memo {
        Memo::new(self.after(board, parent.estimate, slide), &[])
    }
}

/// The estimate is the sum of Manhattan distance and of the moves of `lines`: those with conflicts,
/// rows first.
impl Explain for LinearConflict {
    fn parts(&self, _: &Goal, board: &Board) -> Result<Part, RootError> {
        let axes = self.axes.iter().zip(["row", "column"]);
        let lines = axes.flat_map(|(axis, word)| {
            let lines = 0..axis.cells.len() as u8;
            lines.filter_map(move |line| axis.conflict(board, line, word))
        });
        let lines: Vec<Part> = lines.collect();
        let text = match &lines[..] {
            [] => "In no line are tiles of that line in the wrong order.",
            _ => "Manhattan distance, and for tiles that have to let others pass:",
        };
        let whole = Part::of("linear-conflict").text(text);
        Ok(whole.plus("manhattan", self.manhattan.of(board)).plus("lines", lines))
    }
}
