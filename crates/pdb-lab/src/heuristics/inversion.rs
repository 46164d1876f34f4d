//! Inversion distance.

use pdb_core::{BLANK, Board, CELLS_MAX, Cell, Estimator, Goal, Memo, RootError, Slide};

use super::DIRECTIONS;
use crate::parts::{Explain, Part, counted, joined};

/// The sum of the vertical and the horizontal [`InversionAxis`].
///
/// ```
/// use pdb_core::{Board, Estimator, Goal};
/// use pdb_lab::heuristics::Inversion;
///
/// let board: Board = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1".parse()?;
/// let heuristic = Inversion::new(&Goal::blank_last(board.shape()));
/// assert_eq!(heuristic.root(&board)?.estimate, 70);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Inversion {
    axes: [InversionAxis; 2],
}

impl Inversion {
    /// Makes the heuristic for a goal of any shape.
    pub fn new(goal: &Goal) -> Self {
        Self { axes: InversionAxis::both(goal) }
    }

    fn memo(&self, inversions: [i16; 2]) -> Memo {
        let bounds = self.axes.iter().zip(inversions).map(|(axis, count)| axis.bound(count));
        Memo::new(bounds.sum(), &inversions)
    }
}

impl Estimator for Inversion {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        Ok(self.memo(self.axes.each_ref().map(|axis| axis.inversions(board))))
    }

    fn child(&self, board: &Board, parent: &Memo, slide: Slide) -> Memo {
        let [rows, cols] = &self.axes;
        self.memo([
            rows.after(board, parent.notes[0], slide),
            cols.after(board, parent.notes[1], slide),
        ])
    }

    fn note_count(&self) -> usize {
        2
    }
}

/// The estimate is the sum of both axes.
impl Explain for Inversion {
    fn parts(&self, _: &Goal, board: &Board) -> Result<Part, RootError> {
        let [vertical, horizontal] = &self.axes;
        let whole = Part::of("inversion").plus("vertical", vertical.part(board, DIRECTIONS[0]));
        Ok(whole.plus("horizontal", horizontal.part(board, DIRECTIONS[1])))
    }
}

/// A lower bound of the moves along one axis, computed only from the order of the tiles.
///
/// Read the tiles line by line, without the blank. A move within a line changes nothing. A move
/// from line to line takes a tile past the `d` tiles between, where `d` is a line's number of cells
/// minus one. Two tiles in the wrong order are an inversion. So such a move changes the number of
/// inversions by at most `d`, and by an odd number exactly if `d` is odd. So `v` inversions take at
/// least `v / d` moves, rounded up, and if `d` is odd their number has the parity of `v`. On lines
/// of four that is `v / 3 + v % 3`, the usual formula. On lines of six (`d = 5`) three inversions
/// may vanish in one move, and the same formula with 5 would be wrong.
///
/// Vertical moves count in one axis and horizontal ones in the other, so the two may be summed. A
/// move changes the bound by at most 1, so it is consistent. Source: K. Takahashi, "15-puzzle: the
/// optimal solver" (in Japanese), 2001, with the divisor 3.
///
/// Only the tiles that a move passes are compared.
#[derive(Clone, Debug)]
pub struct InversionAxis {
    line_len: u8,
    /// The position of each cell in reading order, and the cell of each position.
    place: [u8; CELLS_MAX],
    cells: [Cell; CELLS_MAX],
    /// The position of each tile in reading order at the goal, from 1; 0 for the blank.
    rank: [u8; CELLS_MAX],
    /// Smallest number of moves, by the number of inversions.
    bounds: Vec<u16>,
}

impl InversionAxis {
    /// Makes the bound of vertical moves, for which the board is read row by row, and that of
    /// horizontal ones, for which it is read column by column.
    pub fn both(goal: &Goal) -> [Self; 2] {
        let shape = goal.shape();
        let by_column = |cell: Cell| {
            let (row, col) = shape.row_col(cell);
            col * shape.rows() + row
        };
        [Self::new(goal, shape.cols(), usize::from), Self::new(goal, shape.rows(), by_column)]
    }

    fn new(goal: &Goal, line_len: usize, read: impl Fn(Cell) -> usize) -> Self {
        let cell_count = goal.shape().cell_count();
        let (mut place, mut cells) = ([0; CELLS_MAX], [0; CELLS_MAX]);
        for cell in 0..cell_count as Cell {
            place[usize::from(cell)] = read(cell) as u8;
            cells[read(cell)] = cell;
        }
        let mut rank = [0; CELLS_MAX];
        let blank_place = place[usize::from(goal.home(BLANK))];
        for tile in 1..cell_count as u8 {
            let at_home = place[usize::from(goal.home(tile))];
            rank[usize::from(tile)] = at_home + u8::from(at_home < blank_place);
        }
        let inversions_max = cell_count * (cell_count - 1) / 2;
        let bounds = (0..=inversions_max).map(|inversions| moves(inversions, line_len - 1) as u16);
        Self { line_len: line_len as u8, place, cells, rank, bounds: bounds.collect() }
    }

    #[inline]
    fn place(&self, cell: Cell) -> usize {
        usize::from(self.place[usize::from(cell)])
    }

    /// Returns the bound of a number of inversions.
    #[inline]
    pub fn bound(&self, inversions: i16) -> u32 {
        u32::from(self.bounds[inversions as usize])
    }

    /// Returns the inversions of `board`, to which `slide` led from a board with `before`
    /// inversions.
    #[inline]
    pub fn after(&self, board: &Board, before: i16, slide: Slide) -> i16 {
        let (from, to) = (self.place(slide.from), self.place(slide.to));
        let (low, high) = if from < to { (from, to) } else { (to, from) };
        if high - low < usize::from(self.line_len) {
            return before;
        }
        let rank = |tile: u8| self.rank[usize::from(tile)];
        let passed = self.cells[low + 1..high].iter().map(|&cell| rank(board.tile(cell)));
        let larger = passed.map(|other| i16::from(other > rank(slide.tile))).sum::<i16>();
        let smaller = (high - low - 1) as i16 - larger;
        // A tile that moves to a later position is then behind the tiles that it passed.
        if from < to { before + larger - smaller } else { before + smaller - larger }
    }

    /// Returns the tiles of a board line by line in reading order, each with the number of later
    /// tiles that come before it at the goal.
    fn read(&self, board: &Board) -> Vec<Vec<(u8, u32)>> {
        let mut tiles = vec![BLANK; board.tiles().len()];
        for (cell, &tile) in (0..).zip(board.tiles()) {
            tiles[self.place(cell)] = tile;
        }
        let rank = |tile: u8| self.rank[usize::from(tile)];
        let later = |place: usize| {
            let after = tiles[place + 1..].iter().filter(|&&tile| tile != BLANK);
            after.filter(|&&tile| rank(tile) < rank(tiles[place])).count() as u32
        };
        let line_len = usize::from(self.line_len);
        let line = |first: usize| -> Vec<(u8, u32)> {
            let places = (first..first + line_len).filter(|&place| tiles[place] != BLANK);
            places.map(|place| (tiles[place], later(place))).collect()
        };
        (0..tiles.len()).step_by(line_len).map(line).collect()
    }

    /// Returns the number of inversions of a board.
    pub fn inversions(&self, board: &Board) -> i16 {
        self.read(board).iter().flatten().map(|&(_, later)| later as i16).sum()
    }

    /// Returns the tiles with their inversions, and the moves that remove these.
    fn part(&self, board: &Board, direction: &str) -> Part {
        let lines = self.read(board);
        let inversions: u32 = lines.iter().flatten().map(|(_, later)| later).sum();
        let (passed, moves) = (self.line_len - 1, self.bound(inversions as i16));
        let tiles = |line: &Vec<(u8, u32)>| joined(line.iter().map(|(tile, _)| tile), " ");
        let text = format!("{direction}: read {}", joined(lines.iter().map(tiles), " | "));
        let below = format!(
            "{}, {passed} of which a move undoes at most: {}",
            counted(inversions, "inversion"),
            counted(moves, "move")
        );
        let tile = |(tile, later): (u8, u32)| {
            Part::default().field("tile", tile).field("inversions", later)
        };
        let line = |line: Vec<(u8, u32)>| line.into_iter().map(tile).collect::<Vec<_>>();
        let lines: Vec<_> = lines.into_iter().map(line).collect();
        let part = Part::default().text(text).text(below).field("lines", lines);
        part.field("inversions", inversions).field("passed", passed).plus("moves", moves)
    }
}

/// Returns the smallest number of moves that remove inversions if each move passes `passed` tiles.
fn moves(inversions: usize, passed: usize) -> usize {
    let moves = inversions.div_ceil(passed);
    if passed % 2 == 1 { moves + (moves ^ inversions) % 2 } else { moves }
}
