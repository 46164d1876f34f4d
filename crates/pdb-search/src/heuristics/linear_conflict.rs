//! Manhattan distance with linear conflicts.

use pdb_core::{BLANK, Board, CELLS_MAX, Cell, Goal, Heuristic, RootError, Shape, Slide};

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
/// The tiles of a line that are in their home line make a code, which a move changes by one or two
/// digits; a table of all codes knows the rest. Along its own line a tile passes nobody, so a move
/// costs two look-ups at most, into a table of a few kilobytes.
#[derive(Clone, Debug)]
pub struct LinearConflict {
    shape: Shape,
    goal: Goal,
    manhattan: Manhattan,
    rows: Conflicts,
    cols: Conflicts,
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

/// The code of each row and of each column.
#[derive(Clone, Debug)]
pub struct LineCodes {
    rows: [Code; LINE_MAX],
    cols: [Code; LINE_MAX],
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

/// An estimate in its two parts.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConflictNode {
    manhattan: u16,
    leaving: u16,
}

impl LinearConflict {
    /// Linear conflicts against a goal of any shape.
    pub fn new(goal: &Goal) -> Self {
        let shape = goal.shape();
        Self {
            shape,
            goal: *goal,
            manhattan: Manhattan::new(goal),
            rows: Conflicts::new(shape.cols()),
            cols: Conflicts::new(shape.rows()),
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

    /// The goal that it was made for.
    pub(super) fn goal(&self) -> &Goal {
        &self.goal
    }

    /// Takes a tile out of the codes of its cell's lines, or puts it in.
    #[inline]
    fn toggle(&self, codes: &mut LineCodes, tile: u8, cell: Cell) {
        let ((row, col), (home_row, home_col)) =
            (self.shape.row_col(cell), self.shape.row_col(self.goal.home(tile)));
        if row == home_row {
            codes.rows[row] ^= self.rows.digit(home_col, col);
        }
        if col == home_col {
            codes.cols[col] ^= self.cols.digit(home_row, row);
        }
    }

    /// The tiles that stand in the wrong order with another one of their line, by their cells.
    pub(super) fn conflicted(&self, codes: &LineCodes, cell: Cell) -> bool {
        let (row, col) = self.shape.row_col(cell);
        self.rows.of(codes.rows[row]).places >> col & 1 == 1
            || self.cols.of(codes.cols[col]).places >> row & 1 == 1
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

impl Heuristic for LinearConflict {
    type State = LineCodes;
    type Node = ConflictNode;
    /// The child.
    type Probe = ConflictNode;

    const SETTLES: bool = false;
    const WAITS: bool = false;

    fn state(&self, board: &Board) -> LineCodes {
        let mut codes = LineCodes { rows: [0; LINE_MAX], cols: [0; LINE_MAX] };
        for (cell, &tile) in (0..).zip(board.tiles()).filter(|(_, tile)| **tile != BLANK) {
            self.toggle(&mut codes, tile, cell);
        }
        codes
    }

    fn root(&self, board: &Board) -> Result<(LineCodes, ConflictNode), RootError> {
        let codes = self.state(board);
        let leaving = |conflicts: &Conflicts, codes: &[Code]| -> u16 {
            codes.iter().map(|&code| u16::from(conflicts.of(code).leaving)).sum()
        };
        let node = ConflictNode {
            manhattan: self.goal.manhattan_distance(board) as u16,
            leaving: leaving(&self.rows, &codes.rows[..self.shape.rows()])
                + leaving(&self.cols, &codes.cols[..self.shape.cols()]),
        };
        Ok((codes, node))
    }

    #[inline]
    fn estimate(&self, node: &ConflictNode) -> u32 {
        u32::from(node.manhattan) + 2 * u32::from(node.leaving)
    }

    #[inline]
    fn locate(&self, codes: &LineCodes, parent: &ConflictNode, slide: Slide) -> ConflictNode {
        let (from, to) = (self.shape.row_col(slide.from), self.shape.row_col(slide.to));
        let home = self.shape.row_col(self.goal.home(slide.tile));
        // A move along a column goes from row to row; its column keeps its order.
        let (conflicts, lines, [left, entered], place, [home_line, home_place]) = if from.1 == to.1
        {
            (&self.rows, &codes.rows, [from.0, to.0], from.1, [home.0, home.1])
        } else {
            (&self.cols, &codes.cols, [from.1, to.1], from.0, [home.1, home.0])
        };
        let mut leaving = parent.leaving;
        if left == home_line || entered == home_line {
            let code = lines[home_line];
            let changed = code ^ conflicts.digit(home_place, place);
            leaving += u16::from(conflicts.of(changed).leaving);
            leaving -= u16::from(conflicts.of(code).leaving);
        }
        let manhattan = self.manhattan.change(slide);
        ConflictNode { manhattan: parent.manhattan.wrapping_add_signed(manhattan), leaving }
    }

    #[inline]
    fn read(&self, _: &ConflictNode, _: Slide, probe: &mut ConflictNode) -> u32 {
        self.estimate(probe)
    }

    #[inline]
    fn enter(
        &self,
        codes: &mut LineCodes,
        _: &ConflictNode,
        slide: Slide,
        probe: &ConflictNode,
    ) -> ConflictNode {
        self.toggle(codes, slide.tile, slide.from);
        self.toggle(codes, slide.tile, slide.to);
        *probe
    }

    #[inline]
    fn settle(&self, node: &mut ConflictNode) -> u32 {
        self.estimate(node)
    }

    fn lookups(&self) -> [u32; 2] {
        [1, 0]
    }

    #[inline]
    fn leave(&self, codes: &mut LineCodes, _: &ConflictNode, slide: Slide) {
        self.toggle(codes, slide.tile, slide.to);
        self.toggle(codes, slide.tile, slide.from);
    }
}
