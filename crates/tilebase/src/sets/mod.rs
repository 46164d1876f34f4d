//! Sets of boards, by name: words, files, Korf's boards, random boards, walks, boards of a length,
//! and the hardest boards.

mod dice;
mod distances;
mod file;
mod input;
mod known;
mod name;
mod window;

use std::fmt;
use std::iter;

use pdb_core::{BLANK, Board, Direction, Goal, Metric};
use pdb_search::{Limits, Status, Work};
use serde::Serialize;

use crate::cancel::Cancel;
use crate::error::Error;
use crate::handle::Tilebase;
use crate::search::Search;
use crate::shelf::{confirm, confirmed};
pub use dice::Dice;
pub use distances::{NO_DISTANCE, distances};
pub use file::InputBoard;
pub use input::{InputBoards, InputOptions, NamedBoards};
pub use known::greatest_distance;
pub use name::{BOARDS_MAX, STEPS_MAX, SetName, Window};
#[cfg(feature = "rate")]
pub(crate) use window::mean_manhattan;
use window::{Length, Solve, WindowBoards};

/// R. E. Korf's boards, from "Depth-first iterative-deepening", 1985; the file has details.
const KORF100: &str = include_str!("../../data/korf100_15puzzle.txt");
/// R. E. Korf's boards of the 24-puzzle; the file has details.
const KORF50: &str = include_str!("../../data/korf50_24puzzle.txt");

/// Boards with one goal.
#[derive(Clone, Debug)]
pub struct BoardSet {
    /// The name of the set.
    pub name: String,
    /// The goal of all boards.
    pub goal: Goal,
    /// The boards, all of the goal's shape.
    pub boards: Vec<Board>,
}

impl BoardSet {
    /// Makes the set of a [name](SetName), with the goal `goal` unless the set has a goal of its
    /// own. Boards of a given length are solved with `tables`.
    ///
    /// # Errors
    /// Those of [`SetName`], of [`SetName::make`] and of [`SetBoards`].
    pub fn named(name: &str, goal: &Goal, tables: &Tilebase) -> Result<Self, Error> {
        let name: SetName = name.parse()?;
        let made = name.make(goal, tables, tables.search())?;
        let goal = *made.goal();
        let boards = made.map(|made| made.map(|made| made.board)).collect::<Result<_, _>>()?;
        Ok(Self { name: name.to_string(), goal, boards })
    }

    /// Draws `count` boards evenly and independently from all solvable boards. The same seed gives
    /// the same boards on every machine.
    pub fn random(goal: &Goal, count: usize, seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        Self {
            name: SetName::Random { count, seed }.to_string(),
            goal: *goal,
            boards: (0..count).map(|_| random_board(goal, &mut dice)).collect(),
        }
    }

    /// Makes `count` boards, each at the end of a random walk of `steps` moves from the goal. No
    /// move takes back the one before. The same seed gives the same boards on every machine.
    pub fn walks(goal: &Goal, steps: usize, count: usize, seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        Self {
            name: SetName::Walk { steps, count, seed }.to_string(),
            goal: *goal,
            boards: (0..count).map(|_| dice.walk(goal, steps).1).collect(),
        }
    }

    /// Returns the moves of such walks, one walk after another without end: those of
    /// [`walks`](Self::walks) with the same goal, steps and seed.
    pub fn walk_moves(
        goal: &Goal,
        steps: usize,
        seed: u64,
    ) -> impl Iterator<Item = Vec<Direction>> {
        let (goal, mut dice) = (*goal, Dice::new(seed));
        iter::repeat_with(move || dice.walk(&goal, steps).0)
    }

    /// Returns all boards at the greatest distance from a goal in a metric, and that distance, if
    /// they are known. They are found by a search on boards of up to ten cells. For some larger
    /// boards with the blank in a corner at the goal, they are listed if each tile that moves
    /// counts.
    ///
    /// # Errors
    /// [`Error::NoHardest`] when they are not known.
    pub fn hardest(goal: &Goal, metric: Metric) -> Result<(u32, Self), Error> {
        let is_listed = metric == Metric::SingleTile;
        let listed = known::listed(goal).filter(|_| is_listed);
        let found = listed.or_else(|| window::hardest_by_search(goal, metric));
        let (distance, boards) = found.ok_or_else(|| Error::NoHardest {
            goal: *goal.board(),
            known: if is_listed { known::listed_shapes() } else { Vec::new() },
        })?;
        Ok((distance, Self { name: SetName::Hardest.to_string(), goal: *goal, boards }))
    }
}

/// Returns the goal of one of Korf's sets, and its boards with their lengths.
fn korf(name: SetName) -> (Goal, Vec<SetBoard>) {
    let goal = name.goal().expect("Korf's sets have a goal of their own");
    let text = if name == SetName::Korf50 { KORF50 } else { KORF100 };
    let cell_count = goal.shape().cell_count();
    let made = |line: &str| {
        // Columns: number, cells, length, and other data.
        let columns: Vec<u64> =
            line.split_whitespace().filter_map(|column| column.parse().ok()).collect();
        let tiles: Vec<u8> = columns[1..=cell_count].iter().map(|&tile| tile as u8).collect();
        SetBoard {
            board: Board::new(goal.shape(), &tiles).expect("the file holds boards"),
            optimum: Some(columns[cell_count + 1] as u32),
        }
    };
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    (goal, lines.map(made).collect())
}

/// Draws a board evenly from all solvable boards.
pub(crate) fn random_board(goal: &Goal, dice: &mut Dice) -> Board {
    let shape = goal.shape();
    let mut tiles: Vec<u8> = (0..shape.cell_count() as u8).collect();
    dice.shuffle(&mut tiles);
    let board = Board::new(shape, &tiles).expect("a permutation is a board");
    if goal.check_solvable(&board).is_ok() {
        return board;
    }
    if shape.is_line() {
        // Each cell of the blank is as likely, and the goal has the order of the tiles.
        let mut tiles: Vec<u8> = goal.board().tiles_in_order().collect();
        tiles.insert(board.blank().into(), BLANK);
        return Board::new(shape, &tiles).expect("the goal's tiles in another place are a board");
    }
    // Exchanging two tiles changes the parity, and maps the unsolvable boards one-to-one to the
    // solvable ones.
    let mut cells = (0..tiles.len()).filter(|&cell| tiles[cell] != BLANK);
    let (a, b) = cells.next().zip(cells.next()).expect("a board has three tiles at least");
    tiles.swap(a, b);
    Board::new(shape, &tiles).expect("a permutation is a board")
}

/// A board of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SetBoard {
    /// The board.
    pub board: Board,
    /// The optimal length, if making the board determined it.
    pub optimum: Option<u32>,
}

/// A board of a set, as an object for programs. The JSON keys are in the order of the fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SetBoardRecord {
    /// The board.
    pub board: String,
    /// The goal, as a board.
    pub goal: String,
    /// Metric of `optimum`; absent where each tile does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<&'static str>,
    /// The name of the set.
    pub set: String,
    /// The optimal length, if making the board determined it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimum: Option<u32>,
}

/// Iterator that makes the boards of a set.
///
/// It ends early after [`Cancel::cancel`](crate::Cancel::cancel) and after an error:
/// [`Error::NotFound`] when many tries found no board of a window, or an error of solving a board.
pub struct SetBoards {
    name: SetName,
    goal: Goal,
    metric: Metric,
    maker: Maker,
    made: usize,
    count: usize,
    /// Flag that ends the iterator early.
    cancel: Cancel,
}

/// Method of making boards.
enum Maker {
    Listed(Vec<SetBoard>),
    Random(Dice),
    Walk(Dice, usize),
    WindowBoards(Box<WindowBoards>),
}

impl fmt::Debug for SetBoards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, goal, made, count, .. } = self;
        f.debug_struct("SetBoards")
            .field("name", name)
            .field("goal", goal)
            .field("made", made)
            .field("count", count)
            .finish_non_exhaustive()
    }
}

impl SetName {
    /// Makes the boards of this name, with the goal `goal` unless the set has a goal of its own.
    /// Boards of a given length are solved with `tables`, with the threads and the cancellation of
    /// `search`, and without its limits.
    ///
    /// # Errors
    /// [`Error::Set`] when the name's numbers are out of range. [`Error::Window`] when no board is
    /// as far from the goal. [`Error::NoHardest`] when the hardest boards are unknown. Those of
    /// solving a board.
    pub fn make(self, goal: &Goal, tables: &Tilebase, search: &Search) -> Result<SetBoards, Error> {
        let solve = solver(*goal, tables.clone(), search);
        let made = self.make_with(goal, tables.metric(), solve)?;
        Ok(SetBoards { cancel: search.cancel.clone(), ..made })
    }

    fn make_with(self, goal: &Goal, metric: Metric, solve: Solve) -> Result<SetBoards, Error> {
        let (goal, maker) = match self.checked()? {
            Self::Korf100 | Self::Korf50 => {
                let (goal, boards) = korf(self);
                (goal, Maker::Listed(boards))
            }
            Self::Hardest => {
                let (distance, set) = BoardSet::hardest(goal, metric)?;
                let made = |board| SetBoard { board, optimum: Some(distance) };
                (*goal, Maker::Listed(set.boards.into_iter().map(made).collect()))
            }
            Self::Random { seed, .. } => (*goal, Maker::Random(Dice::new(seed))),
            Self::Walk { steps, seed, .. } => (*goal, Maker::Walk(Dice::new(seed), steps)),
            Self::Optimum { window, seed, .. } => {
                let windowed = WindowBoards::new(goal, metric, window, seed, solve)?;
                let maker = windowed.map(|made| Maker::WindowBoards(Box::new(made)));
                // There are no boards if the search of the first ones was stopped.
                (*goal, maker.unwrap_or(Maker::Listed(Vec::new())))
            }
        };
        let listed = if let Maker::Listed(boards) = &maker { boards.len() } else { 0 };
        let count = self.count().unwrap_or(listed);
        Ok(SetBoards { name: self, goal, metric, maker, made: 0, count, cancel: Cancel::new() })
    }
}

/// Returns a function that solves boards of a goal; the first call opens the tables.
fn solver(goal: Goal, tables: Tilebase, search: &Search) -> Solve {
    let search = Search { time: None, within: None, nodes: None, ..search.clone() };
    Box::new(move |board, greatest| {
        if search.cancel.is_cancelled() {
            return Ok(Length::Stopped);
        }
        let engine = tables.engine_with(&goal, &search)?;
        let estimate = engine.estimate(board).or_else(|error| confirmed([&*engine], Err(error)))?;
        if estimate > greatest {
            confirm(&engine)?;
            return Ok(Length::Greater);
        }
        let limits: Limits<'_> = search.limits();
        let work = Work { limits, thread_count: tables.threads(&search), ..Work::default() };
        Ok(match confirmed([&*engine], engine.solve(board, &work))?.status {
            Status::Optimal { moves } => match engine.metric().count(&moves) as u32 {
                length if length <= greatest => Length::Optimal(length),
                _ => Length::Greater,
            },
            _ => Length::Stopped,
        })
    })
}

impl SetBoards {
    /// Returns the name of the set.
    pub fn name(&self) -> SetName {
        self.name
    }

    /// Returns the goal of the boards.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// Returns the number of all boards of the set.
    pub fn board_count(&self) -> usize {
        self.count
    }

    /// Returns whether all possible boards were equally likely.
    pub fn is_even(&self) -> bool {
        match &self.maker {
            Maker::Walk(..) => false,
            Maker::WindowBoards(windowed) => windowed.is_even(),
            _ => true,
        }
    }

    /// Returns what counts as one move in the optima of its boards.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Returns a board of the set as an object for programs.
    pub fn record(&self, made: &SetBoard) -> SetBoardRecord {
        SetBoardRecord {
            board: made.board.to_string(),
            goal: self.goal.board().to_string(),
            metric: self.metric.unusual_name(),
            set: self.name.to_string(),
            optimum: made.optimum,
        }
    }
}

impl Iterator for SetBoards {
    type Item = Result<SetBoard, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.made == self.count || self.cancel.is_cancelled() {
            return None;
        }
        let plain = |board| Ok(Some(SetBoard { board, optimum: None }));
        let made = match &mut self.maker {
            Maker::Listed(boards) => Ok(boards.get(self.made).copied()),
            Maker::Random(dice) => plain(random_board(&self.goal, dice)),
            Maker::Walk(dice, steps) => plain(dice.walk(&self.goal, *steps).1),
            Maker::WindowBoards(windowed) => windowed.next(),
        };
        self.made += 1;
        if !matches!(made, Ok(Some(_))) {
            self.made = self.count;
        }
        made.transpose()
    }
}

#[cfg(test)]
mod tests;
