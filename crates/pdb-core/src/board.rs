//! Boards, moves and goals.

use core::fmt;
use std::error::Error;

use crate::{BoardError, CELLS_MAX, Cell, CellSet, Shape, Symmetry};

/// The tile that stands for the blank.
pub const BLANK: u8 = 0;

/// The direction in which a tile moves into the blank; the blank moves the other way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The tile below the blank moves up.
    Up,
    /// The tile to the left of the blank moves right.
    Right,
    /// The tile above the blank moves down.
    Down,
    /// The tile to the right of the blank moves left.
    Left,
}

impl Direction {
    /// All four, in the order `URDL`.
    pub const ALL: [Self; 4] = [Self::Up, Self::Right, Self::Down, Self::Left];

    /// Returns the direction that undoes this one.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Right => Self::Left,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
        }
    }

    /// Returns `U`, `R`, `D` or `L`.
    pub fn letter(self) -> char {
        match self {
            Self::Up => 'U',
            Self::Right => 'R',
            Self::Down => 'D',
            Self::Left => 'L',
        }
    }

    /// Returns `up`, `right`, `down` or `left`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Right => "right",
            Self::Down => "down",
            Self::Left => "left",
        }
    }

    /// Returns the direction that a letter names, in either case.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|d| d.letter() == letter.to_ascii_uppercase())
    }

    /// Returns the cell of the tile that moves this way into the blank, if any.
    pub fn tile_cell(self, shape: Shape, blank: Cell) -> Option<Cell> {
        let (row, col) = shape.row_col(blank);
        match self {
            Self::Up => (row + 1 < shape.rows()).then(|| shape.cell(row + 1, col)),
            Self::Right => (col > 0).then(|| shape.cell(row, col - 1)),
            Self::Down => (row > 0).then(|| shape.cell(row - 1, col)),
            Self::Left => (col + 1 < shape.cols()).then(|| shape.cell(row, col + 1)),
        }
    }

    /// Returns the cell of the tile that moves in each direction, by the blank's cell.
    pub fn tile_cells(shape: Shape) -> [[Option<Cell>; 4]; CELLS_MAX] {
        let mut cells = [[None; 4]; CELLS_MAX];
        for blank in shape.all_cells().iter() {
            cells[usize::from(blank)] =
                Self::ALL.map(|direction| direction.tile_cell(shape, blank));
        }
        cells
    }
}

/// A tile at each cell, 0 for the blank; every tile `0..cell_count` exactly once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    shape: Shape,
    tiles: [u8; CELLS_MAX],
}

impl Board {
    /// Creates a board from its tiles in row order, 0 for the blank.
    ///
    /// # Errors
    /// A [`BoardError`] when there are too many or too few tiles, or a tile is out of range or
    /// repeated.
    pub fn new(shape: Shape, tiles: &[u8]) -> Result<Self, BoardError> {
        let n = shape.cell_count();
        if tiles.len() != n {
            return Err(BoardError::CellCount { shape, found: tiles.len() });
        }
        let mut cell_of = [None; CELLS_MAX];
        let mut repeated = None;
        for (cell, &tile) in tiles.iter().enumerate() {
            if usize::from(tile) >= n {
                return Err(BoardError::OutOfRange { tile: u64::from(tile), shape, cell });
            }
            match cell_of[usize::from(tile)] {
                None => cell_of[usize::from(tile)] = Some(cell),
                Some(first) => repeated = repeated.or(Some((tile, first, cell))),
            }
        }
        if let Some((tile, first, second)) = repeated {
            let missing = (0..n).find(|&t| cell_of[t].is_none()).unwrap_or(0) as u8;
            return Err(BoardError::Repeated { tile, first, second, missing, shape });
        }
        let mut padded = [BLANK; CELLS_MAX];
        padded[..n].copy_from_slice(tiles);
        Ok(Self { shape, tiles: padded })
    }

    /// Returns the board's shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the tiles in row order, 0 for the blank.
    pub fn tiles(&self) -> &[u8] {
        &self.tiles[..self.shape.cell_count()]
    }

    /// Returns the tile at a cell.
    #[inline]
    pub fn tile(&self, cell: Cell) -> u8 {
        self.tiles[usize::from(cell)]
    }

    /// Returns the blank's cell.
    pub fn blank(&self) -> Cell {
        self.tiles().iter().position(|&t| t == BLANK).expect("a board has a blank") as Cell
    }

    /// Returns the tiles in row order without the blank.
    pub fn tiles_in_order(&self) -> impl Iterator<Item = u8> {
        self.tiles().iter().copied().filter(|&tile| tile != BLANK)
    }

    /// Returns the cell of each tile: entry `t` for tile `t`, entry 0 for the blank.
    pub fn cells_by_tile(&self) -> [Cell; CELLS_MAX] {
        let mut cells = [0; CELLS_MAX];
        for (cell, &tile) in self.tiles().iter().enumerate() {
            cells[usize::from(tile)] = cell as Cell;
        }
        cells
    }

    /// Returns the symmetries onto the shape of another board that take the blank's cell to that of
    /// the other blank.
    pub fn symmetries_to(&self, other: &Self) -> impl Iterator<Item = Symmetry> + use<> {
        let (blank, shape, there) = (self.blank(), other.shape, other.blank());
        Symmetry::all(self.shape).filter(move |s| s.to_shape() == shape && s.cell(blank) == there)
    }

    /// Moves the tile at `from` into the blank at `to`.
    ///
    /// The caller guarantees that `to` is the blank's cell and `from` a neighbour of it.
    #[inline]
    pub fn slide(&mut self, from: Cell, to: Cell) {
        debug_assert_eq!(self.tile(to), BLANK);
        self.tiles[usize::from(to)] = self.tiles[usize::from(from)];
        self.tiles[usize::from(from)] = BLANK;
    }

    /// Returns the board after one move, or `None` where no tile can move that way.
    #[must_use]
    pub fn moved(&self, direction: Direction) -> Option<Self> {
        let blank = self.blank();
        let from = direction.tile_cell(self.shape, blank)?;
        let mut next = *self;
        next.slide(from, blank);
        Some(next)
    }

    /// Returns the legal moves in the order `URDL`, each with the board after it.
    ///
    /// ```
    /// use pdb_core::{Board, Direction};
    ///
    /// let board: Board = "1 2 3/4 5 6/7 0 8".parse()?;
    /// let directions = board.legal_moves().map(|(direction, _)| direction);
    /// assert!(directions.eq([Direction::Right, Direction::Down, Direction::Left]));
    /// let (_, last) = board.legal_moves().last().expect("every board has a move");
    /// assert_eq!(last.to_string(), "1 2 3/4 5 6/7 8 0");
    /// # Ok::<(), pdb_core::BoardError>(())
    /// ```
    pub fn legal_moves(&self) -> impl Iterator<Item = (Direction, Self)> {
        Direction::ALL.into_iter().filter_map(|direction| Some((direction, self.moved(direction)?)))
    }

    /// Returns the board after a sequence of moves.
    ///
    /// # Errors
    /// [`IllegalMove`] names the first move that is impossible.
    pub fn after(&self, moves: &[Direction]) -> Result<Self, IllegalMove> {
        let mut board = *self;
        for (number, &direction) in (1..).zip(moves) {
            let attempt = Attempt::Direction(direction);
            board = board.moved(direction).ok_or(IllegalMove { number, attempt, board })?;
        }
        Ok(board)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}

/// Arrangement that solutions lead to: the home of every tile and of the blank.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Goal {
    board: Board,
    home: [Cell; CELLS_MAX],
}

impl fmt::Debug for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Goal({})", self.board)
    }
}

impl Goal {
    /// Creates the goal that looks like `board`.
    pub fn new(board: Board) -> Self {
        Self { board, home: board.cells_by_tile() }
    }

    /// Creates the goal `1 2 3 ..`, row by row, with the blank last.
    pub fn blank_last(shape: Shape) -> Self {
        Self::in_order(shape, shape.cell_count() as Cell - 1)
    }

    /// Creates the goal `0 1 2 ..`, row by row, with the blank first.
    pub fn blank_first(shape: Shape) -> Self {
        Self::in_order(shape, 0)
    }

    /// Creates the goal `1 2 3 ..`, row by row, with the blank on a given cell.
    ///
    /// # Panics
    /// When the shape has no such cell.
    pub fn in_order(shape: Shape, blank: Cell) -> Self {
        let n = shape.cell_count() as u8;
        Self::from_order(shape, (1..=blank).chain([BLANK]).chain(blank + 1..n))
    }

    /// Creates the goal `1 2 3 ..` along a clockwise spiral from the top left inwards, with the
    /// blank at its end.
    pub fn snail(shape: Shape) -> Self {
        let mut tiles = vec![BLANK; shape.cell_count()];
        let (mut cell, mut turn) = (0, Direction::Left as usize);
        for tile in 1..tiles.len() as u8 {
            tiles[usize::from(cell)] = tile;
            let next = |turn: usize| {
                let next = Direction::ALL[turn % 4].tile_cell(shape, cell);
                next.filter(|&next| tiles[usize::from(next)] == BLANK)
            };
            // The spiral turns at a side of the board, or before a tile.
            turn += usize::from(next(turn).is_none());
            cell = next(turn).expect("a free cell is left");
        }
        Self::from_order(shape, tiles)
    }

    fn from_order(shape: Shape, tiles: impl IntoIterator<Item = u8>) -> Self {
        let tiles: Vec<u8> = tiles.into_iter().collect();
        Self::new(Board::new(shape, &tiles).expect("an enumeration of all tiles is a board"))
    }

    /// Returns the goal as a board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the goal's shape.
    pub fn shape(&self) -> Shape {
        self.board.shape()
    }

    /// Returns the home cell of a tile, or of the blank for 0.
    #[inline]
    pub fn home(&self, tile: u8) -> Cell {
        self.home[usize::from(tile)]
    }

    /// Returns the home cells of a set of tiles.
    pub fn homes(&self, tiles: impl IntoIterator<Item = u8>) -> CellSet {
        tiles.into_iter().map(|tile| self.home(tile)).collect()
    }

    /// Returns the symmetries onto the same shape that leave the blank's home in place, the
    /// identity first: an image under one of them has the same goal, but for the names of the
    /// tiles.
    pub fn mirrors(&self) -> impl Iterator<Item = Symmetry> {
        self.board.symmetries_to(&self.board)
    }

    /// Returns the Manhattan distance: the sum of every tile's distance from its home, without the
    /// blank.
    pub fn manhattan_distance(&self, board: &Board) -> u32 {
        let shape = self.shape();
        (0..shape.cell_count() as Cell)
            .filter(|&cell| board.tile(cell) != BLANK)
            .map(|cell| shape.distance(cell, self.home(board.tile(cell))))
            .sum()
    }

    /// Returns the cycles of the permutation from a board of the goal's shape to the goal, without
    /// those of a single cell. Each tile, 0 for the blank, is followed by the tile on its home, the
    /// last one by the first.
    ///
    /// A cycle begins with its smallest tile, and the blank's cycle comes first. A cycle of `n`
    /// takes `n - 1` exchanges, so the sum of these numbers has the parity of the permutation.
    pub fn cycles(&self, board: &Board) -> Vec<Vec<u8>> {
        debug_assert_eq!(self.shape(), board.shape());
        let mut seen = CellSet::EMPTY;
        let mut cycles = Vec::new();
        for first in 0..self.shape().cell_count() as u8 {
            let mut cycle = Vec::new();
            let mut tile = first;
            while !seen.contains(tile) {
                seen.0 |= 1 << tile;
                cycle.push(tile);
                tile = board.tile(self.home(tile));
            }
            if cycle.len() > 1 {
                cycles.push(cycle);
            }
        }
        cycles
    }

    /// Checks that `board` has the goal's shape.
    ///
    /// # Errors
    /// [`BoardError::OtherShape`] with both shapes.
    pub fn check_shape(&self, board: &Board) -> Result<(), BoardError> {
        let (expected, found) = (self.shape(), board.shape());
        if found == expected { Ok(()) } else { Err(BoardError::OtherShape { expected, found }) }
    }

    /// Checks that `board` can be solved.
    ///
    /// # Errors
    /// [`Unsolvable`] when the parities disagree, or the orders of the tiles on a line. Both boards
    /// must have the same shape.
    pub fn check_solvable(&self, board: &Board) -> Result<(), Unsolvable> {
        debug_assert_eq!(self.shape(), board.shape());
        if self.shape().is_line() {
            let orders = board.tiles_in_order().zip(self.board.tiles_in_order());
            let other = (1..).zip(orders).find(|(_, (found, expected))| found != expected);
            return other.map_or(Ok(()), |(place, (found, expected))| {
                Err(Unsolvable::Order { place, expected, found })
            });
        }
        // A permutation is odd if it has an odd number of inversions (homes after a larger home).
        // The exclusive or of two words has the parity of their bit counts together, so one word
        // counts all inversions.
        let (mut homes, mut inversions) = (0u64, 0u64);
        for &tile in board.tiles() {
            let home = self.home(tile);
            inversions ^= homes >> home;
            homes |= 1 << home;
        }
        let odd = inversions.count_ones() % 2 == 1;
        let blank_distance = self.shape().distance(board.blank(), self.home(BLANK));
        if odd == (blank_distance % 2 == 1) {
            Ok(())
        } else {
            Err(Unsolvable::Parity { permutation_is_odd: odd, blank_distance })
        }
    }
}

/// A move that the board before it does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// The position of the move in its sequence, counted from 1.
    pub number: usize,
    /// The move.
    pub attempt: Attempt,
    /// The board before the move.
    pub board: Board,
}

/// A move as a sequence names it: it may be impossible on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// The tile beside the blank moves in this direction.
    Direction(Direction),
    /// The tile of this number moves into the blank.
    Tile(u16),
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, attempt, board } = self;
        write!(f, "move {number} is impossible: ")?;
        match attempt {
            Attempt::Direction(direction) => {
                let side = match direction {
                    Direction::Up => "below",
                    Direction::Right => "to the left of",
                    Direction::Down => "above",
                    Direction::Left => "to the right of",
                };
                write!(f, "there is no tile {side} the blank")?;
            }
            Attempt::Tile(tile) => write!(f, "tile {tile} is not beside the blank")?,
        }
        let neighbours = board.shape().neighbours(board.blank());
        let tiles: Vec<_> = neighbours.iter().map(|cell| board.tile(cell).to_string()).collect();
        write!(f, " on {board}, the board before it; ")?;
        match tiles.split_last().expect("each cell has neighbours") {
            (only, []) => write!(f, "the tile that can move is {only}"),
            (last, others) => {
                write!(f, "the tiles that can move are {} and {last}", others.join(", "))
            }
        }
    }
}

impl Error for IllegalMove {}

/// Reason why no sequence of moves brings a board to the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsolvable {
    /// The parities disagree.
    ///
    /// Each move exchanges the blank with a tile: it changes the parity of the permutation and the
    /// parity of the blank's distance together, so the two stay equal (Johnson & Story 1879).
    Parity {
        /// Whether the permutation from board to goal, the blank included, is odd.
        permutation_is_odd: bool,
        /// Distance of the blank from its home on the empty board, in moves.
        blank_distance: u32,
    },
    /// On a line, where no tile passes another, the tiles stand in another order than at the goal.
    Order {
        /// The first place with another tile, counted from 1 without the blank.
        place: usize,
        /// The tile of the goal at that place.
        expected: u8,
        /// The tile of the board at that place.
        found: u8,
    },
}

impl fmt::Display for Unsolvable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no sequence of moves leads to the goal: ")?;
        let name = |odd| if odd { "odd" } else { "even" };
        match *self {
            Self::Parity { permutation_is_odd, blank_distance } => write!(
                f,
                "the permutation of tiles and blank is {}, but the blank is {} from its home, which \
                 is {}; every move changes both parities, so they must agree",
                name(permutation_is_odd),
                match blank_distance {
                    1 => "1 move".to_owned(),
                    moves => format!("{moves} moves"),
                },
                name(blank_distance % 2 == 1)
            ),
            Self::Order { place, expected, found } => write!(
                f,
                "tiles cannot pass each other on a board of one line, so their order stays; without \
                 the blank, number {place} in line is tile {found}, and at the goal tile {expected}"
            ),
        }
    }
}

impl Error for Unsolvable {}
