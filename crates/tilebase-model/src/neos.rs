//! The model of the NEOS guide's case study, corrected.

use pdb_core::{BLANK, Board, Direction, Goal, Shape};

use crate::builder::{Builder, Meaning};
use crate::{BoardModel, Form, ModelError, Sense, Term, horizon};

/// Returns the model of the case study "The 15 Puzzle" in the NEOS guide (W. K. Ong and Y. Dong,
/// 2012), for boards of any size and any goal, corrected.
///
/// The model has room for `horizon` moves, so it has `horizon + 1` periods, counted from 1. A
/// solution may have fewer moves and rests between them. The number of moves is minimised, so an
/// optimal solution of the model is a shortest solution of the board, if there is one of at most
/// `horizon` moves.
///
/// The variables have the names of the source, with `_` for parentheses and commas: `p_i7_3` is the
/// position of tile 7 in period 3, where cells are counted from 1. No move follows the last period,
/// so `z`, `u`, `d`, `l` and `r` end one period earlier. `u` means that the *blank* goes up, so a
/// tile moves down.
///
/// # Errors
/// [`ModelError::OtherShape`]; [`ModelError::Unsolvable`] for a board without a solution;
/// [`ModelError::TooLarge`] for a horizon that makes a model of more variables than
/// [`VARIABLE_COUNT_MAX`](crate::VARIABLE_COUNT_MAX).
pub fn neos(board: &Board, goal: &Goal, horizon: u32) -> Result<BoardModel, ModelError> {
    horizon::check(Form::Neos, board, goal, horizon)?;
    let shape = board.shape();
    let comments = vec![
        format!("The sliding-tile puzzle {board} with the goal {}.", goal.board()),
        format!(
            "The number of moves is at most {horizon}, in the periods 1 to {}; it is minimised.",
            horizon + 1
        ),
        "The model of the NEOS guide's case study (Ong and Dong 2012), corrected.".to_owned(),
        "p_i_t: cell of piece i in period t, from 1; i0 is the blank; z_i_t: it moves then."
            .to_owned(),
        "x_t, y_t: column of the blank from 1, its row from 0.".to_owned(),
        "u_t, d_t, l_t, r_t: the blank goes up, down, left or right.".to_owned(),
    ];
    let mut b = Builder::new(format!("neos_{shape}_{horizon}"), comments);
    let variables = Variables::new(&mut b, shape, horizon);
    // The families have the numbers of the source.
    add_directions(&mut b, &variables);
    add_tiles_that_move(&mut b, &variables);
    add_edges(&mut b, &variables);
    add_exchange(&mut b, &variables);
    add_pieces_that_stay(&mut b, &variables);
    add_ends(&mut b, &variables, board, goal);
    let term = |z: &Vec<usize>| Term { factor: 1, variable: z[BLANK_PIECE] };
    b.model.objective = variables.z.iter().map(term).collect();
    Ok(BoardModel::new(b, Form::Neos, board, goal, horizon))
}

/// The blank as a piece, `i0`.
const BLANK_PIECE: usize = BLANK as usize;

/// Indices of the variables, by period - 1, and by piece.
struct Variables {
    shape: Shape,
    horizon: usize,
    /// Positions.
    p: Vec<Vec<usize>>,
    /// Columns of the blank.
    x: Vec<usize>,
    /// Rows of the blank.
    y: Vec<usize>,
    /// Moving pieces.
    z: Vec<Vec<usize>>,
    /// Direction of the blank: up, down, left, right.
    directions: Vec<[usize; 4]>,
}

impl Variables {
    /// Adds all variables, period by period. Period `t` shows the board after `t - 1` moves.
    fn new(b: &mut Builder, shape: Shape, horizon: u32) -> Self {
        let (cells, cols) = (shape.cell_count() as i64, shape.cols() as i64);
        let bottom = shape.rows() as i64 - 1;
        let pieces = || 0..shape.cell_count() as u8;
        let [mut p, mut z] = [Vec::new(), Vec::new()];
        let [mut x, mut y] = [Vec::new(), Vec::new()];
        let mut directions = Vec::new();
        for time in 0..=horizon {
            let t = time + 1;
            let position = |tile| {
                let meaning = Meaning::Position { tile, time };
                b.variable(format_args!("p_i{tile}_{t}"), (1, cells), meaning)
            };
            p.push(pieces().map(position).collect());
            x.push(b.variable(format_args!("x_{t}"), (1, cols), Meaning::Column { time }));
            y.push(b.variable(format_args!("y_{t}"), (0, bottom), Meaning::Row { time }));
            if time == horizon {
                break;
            }
            let moves = |tile| {
                let meaning = Meaning::Moves { tile, number: t };
                b.variable(format_args!("z_i{tile}_{t}"), (0, 1), meaning)
            };
            z.push(pieces().map(moves).collect());
            // Directions are those of the tile, opposite to the blank's.
            let mut add = |name, direction| {
                let meaning = Meaning::Goes { direction, number: t };
                b.variable(format_args!("{name}_{t}"), (0, 1), meaning)
            };
            directions.push([
                add("u", Direction::Down),
                add("d", Direction::Up),
                add("l", Direction::Right),
                add("r", Direction::Left),
            ]);
        }
        Self { shape, horizon: horizon as usize, p, x, y, z, directions }
    }

    /// Returns the number of cells, and of columns.
    fn size(&self) -> (i64, i64) {
        (self.shape.cell_count() as i64, self.shape.cols() as i64)
    }

    /// Returns index and number of each period that a move follows. The number is the next period's
    /// index.
    fn moves(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        (0..self.horizon).map(|place| (place, place + 1))
    }

    /// Returns index and number of each period.
    fn periods(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        (0..=self.horizon).map(|place| (place, place + 1))
    }

    /// Returns all pieces except the blank.
    fn tiles(&self) -> impl Iterator<Item = usize> + use<> {
        1..self.shape.cell_count()
    }
}

/// Adds rows 1, 2 and 4: the blank's direction.
fn add_directions(b: &mut Builder, variables: &Variables) {
    let Variables { p, x, y, z, directions, .. } = variables;
    let (_, cols) = variables.size();
    b.family("r1", "the blank goes one way if it moves");
    for (now, t) in variables.moves() {
        let directions = directions[now].iter().map(|&direction| (1, direction));
        b.row(t, directions.chain([(-1, z[now][BLANK_PIECE])]), Sense::Equal, 0);
    }
    b.family("r2", "the blank's position follows its way");
    for (now, t) in variables.moves() {
        let [u, d, l, r] = directions[now];
        let way = [(cols, u), (-cols, d), (1, l), (-1, r)];
        let positions = [(1, p[t][BLANK_PIECE]), (-1, p[now][BLANK_PIECE])];
        b.row(t, positions.into_iter().chain(way), Sense::Equal, 0);
    }
    b.family("r4", "column and row of the blank are those of its position");
    for (now, t) in variables.periods() {
        b.row(t, [(1, p[now][BLANK_PIECE]), (-1, x[now]), (-cols, y[now])], Sense::Equal, 0);
    }
}

/// Adds row 3, for tiles only: for the blank, it would forbid every move.
fn add_tiles_that_move(b: &mut Builder, variables: &Variables) {
    let Variables { p, z, .. } = variables;
    let (n, _) = variables.size();
    for (family, distance, sense, n) in
        [("r3a", "no further on", Sense::AtMost, n), ("r3b", "no less far", Sense::AtLeast, -n)]
    {
        let place = "a tile that moves goes to where the blank was";
        b.family(family, &format!("{place}: {distance}; not for the blank"));
        for (now, t) in variables.moves() {
            for i in variables.tiles() {
                let terms = [(1, p[t][i]), (-1, p[now][BLANK_PIECE]), (n, z[now][i])];
                b.row(format_args!("i{i}_{t}"), terms, sense, n);
            }
        }
    }
}

/// Adds row 5: the blank stays on the board.
fn add_edges(b: &mut Builder, variables: &Variables) {
    let Variables { p, x, directions, .. } = variables;
    let (n, cols) = variables.size();
    b.family("r5u", "the blank goes up from no cell of the first row");
    for (now, t) in variables.moves() {
        b.row(t, [(cols + 1, directions[now][0]), (-1, p[now][BLANK_PIECE])], Sense::AtMost, 0);
    }
    b.family("r5d", "the blank goes down from no cell of the last row");
    for (now, t) in variables.moves() {
        b.row(t, [(cols, directions[now][1]), (1, p[now][BLANK_PIECE])], Sense::AtMost, n);
    }
    b.family("r5l", "the blank goes left from no cell of the first column");
    for (now, t) in variables.moves() {
        b.row(t, [(1, directions[now][2]), (-1, x[now])], Sense::AtMost, -1);
    }
    b.family("r5r", "the blank goes right from no cell of the last column");
    for (now, t) in variables.moves() {
        b.row(t, [(1, directions[now][3]), (1, x[now])], Sense::AtMost, cols);
    }
}

/// Adds rows 6 and 7: one tile and the blank change places.
fn add_exchange(b: &mut Builder, variables: &Variables) {
    let Variables { p, z, .. } = variables;
    let (n, _) = variables.size();
    b.family("r6", "the positions add up to the same, so that tile and blank change places");
    for (now, t) in variables.periods() {
        b.row(t, p[now].iter().map(|&p| (1, p)), Sense::Equal, n * (n + 1) / 2);
    }
    b.family("r7", "one tile moves if the blank does");
    for (now, t) in variables.moves() {
        let tiles = variables.tiles().map(|i| (-1, z[now][i]));
        b.row(t, tiles.chain([(1, z[now][BLANK_PIECE])]), Sense::Equal, 0);
    }
}

/// Adds row 8: all other pieces stay.
fn add_pieces_that_stay(b: &mut Builder, variables: &Variables) {
    let Variables { p, z, .. } = variables;
    let (_, cols) = variables.size();
    for (family, way, sign) in [("r8a", "no further on", 1), ("r8b", "no way back", -1)] {
        b.family(family, &format!("what does not move stays where it is: it goes {way}"));
        for (now, t) in variables.moves() {
            for (i, &z) in z[now].iter().enumerate() {
                let terms = [(sign, p[t][i]), (-sign, p[now][i]), (-cols, z)];
                b.row(format_args!("i{i}_{t}"), terms, Sense::AtMost, 0);
            }
        }
    }
}

/// Adds row 9: the first and the last period.
fn add_ends(b: &mut Builder, variables: &Variables, board: &Board, goal: &Goal) {
    let Variables { p, .. } = variables;
    let (start, home) = (board.cells_by_tile(), goal.board().cells_by_tile());
    for (family, meaning, place, cells) in [
        ("r9a", "the first period shows the board", 0, start),
        ("r9b", "the last period shows the goal", variables.horizon, home),
    ] {
        b.family(family, meaning);
        for (i, &position) in p[place].iter().enumerate() {
            b.row(format_args!("i{i}"), [(1, position)], Sense::Equal, i64::from(cells[i]) + 1);
        }
    }
}
