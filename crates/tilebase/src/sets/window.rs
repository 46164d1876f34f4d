//! Boards whose optimal length lies in a window.
//!
//! The method depends only on the goal and the window, and each step only on random numbers and
//! optimal lengths. Neither depends on the heuristic, so a seed gives the same boards on every
//! machine.
//!
//! 1. If there are few enough boards up to the window, a breadth-first search from the goal lists
//!    them, and boards are drawn evenly from the list. This is the method for all boards of up to
//!    ten cells, and of one line.
//! 2. If a large enough share of all boards is in the window, boards are drawn evenly from all
//!    boards until one is in the window. This is even too.
//! 3. Below that, a length is drawn from the window, and a random walk from the goal continues
//!    until the board has exactly that distance. A walk cannot skip a length, because a move of a
//!    tile changes it by one at most.
//! 4. Above that, a walk continues in the same way from one of the known hardest boards.
//!
//! Methods 3 and 4 do not draw evenly. Each length is equally likely, although one length may have
//! twice as many boards as another; and within a length, boards that more walks reach are more
//! likely.

use pdb_core::{BLANK, Board, Goal, Metric};

use super::dice::Dice;
use super::distances::neighbours;
use super::known::{self, Distribution};
use super::name::Window;
use super::{SetBoard, random_board};
use crate::error::Error;

/// Largest number of boards that are listed.
const LISTED_MAX: usize = 2_000_000;
/// Largest number of cells of a shape whose boards are all listed if necessary: half of 10!.
const LISTED_CELLS_MAX: usize = 10;
/// Smallest share of all boards in the window for which boards are drawn from all.
const SHARE_MIN: f64 = 0.01;
/// Number of boards that are drawn in a row before the search gives up.
const DRAWS_MAX: usize = 10_000;
/// Number of boards of a walk that are solved before the search gives up.
const SOLVES_MAX: usize = 1_000;
/// Smallest ratio of a window's last length to the mean Manhattan distance for which boards are
/// drawn from all, on shapes without known counts. The ratio of the mean length is 1.58 on 3x3,
/// 1.43 on 4x4 and 1.31 on 5x5.
const LOW: f64 = 1.2;
/// The same for slides, of which a board needs fewer: the ratio of the mean length is 1.19 on 3x3,
/// and 0.87 on 4x4.
const LOW_SLIDES: f64 = 0.6;

/// Result of the search of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// The optimal length.
    Optimal(u32),
    /// The length is greater than the limit.
    Greater,
    /// The search was stopped.
    Stopped,
}

/// Function that finds the optimal length of a board, if it is at most the given limit.
pub(super) type Solve = Box<dyn FnMut(&Board, u32) -> Result<Length, Error> + Send>;

/// Method of finding the boards of a window.
#[derive(Debug)]
enum DrawMethod {
    /// Draws from a list of all boards of the window.
    List(Vec<SetBoard>),
    /// Draws from all boards.
    All,
    /// Walks from the goal, or from the hardest boards, to a length in `targets`.
    Walks { starts: Vec<Start>, targets: Window },
}

/// Start of a walk.
#[derive(Clone, Copy, Debug)]
struct Start {
    board: Board,
    length: u32,
}

/// Source of boards of a window.
pub(super) struct WindowBoards {
    goal: Goal,
    metric: Metric,
    window: Window,
    method: DrawMethod,
    dice: Dice,
    solve: Solve,
}

impl WindowBoards {
    /// Chooses the method for a window.
    ///
    /// # Errors
    /// [`Error::Window`] when the window is known to be empty; those of `solve`.
    pub(super) fn new(
        goal: &Goal,
        metric: Metric,
        window: Window,
        seed: u64,
        mut solve: Solve,
    ) -> Result<Option<Self>, Error> {
        let known = Distribution::of(goal, metric);
        let greatest = known.as_ref().filter(|known| known.is_whole);
        let greatest = greatest.map(|known| known.counts.len() as u32 - 1);
        let beyond = |greatest| Error::Window {
            metric,
            shortest: window.first(),
            goal: *goal.board(),
            greatest,
        };
        if let Some(greatest) = greatest
            && window.first() > greatest
        {
            return Err(beyond(greatest));
        }
        let method = match listed(goal, metric, window, known.as_ref()) {
            WindowListing::Window(boards) if boards.is_empty() => {
                unreachable!("a board at each distance leads to those beyond")
            }
            WindowListing::Window(boards) => DrawMethod::List(boards),
            WindowListing::Greatest(greatest) => return Err(beyond(greatest)),
            WindowListing::TooMany => {
                let is_whole = known.as_ref().filter(|known| known.is_whole);
                match is_whole
                    .map_or_else(|| unknown_part(goal, metric, window), |k| part(k, window))
                {
                    LengthRange::Bulk => DrawMethod::All,
                    LengthRange::Low => {
                        let starts = vec![Start { board: *goal.board(), length: 0 }];
                        DrawMethod::Walks { starts, targets: window }
                    }
                    LengthRange::High => match starts_above(goal, metric, window, &mut solve)? {
                        Some(method) => method,
                        None => return Ok(None),
                    },
                }
            }
        };
        Ok(Some(Self { goal: *goal, metric, window, method, dice: Dice::new(seed), solve }))
    }

    /// Returns whether all boards of the window are equally likely.
    pub(super) fn is_even(&self) -> bool {
        !matches!(self.method, DrawMethod::Walks { .. })
    }

    /// Returns the next board; `None` if the search was stopped.
    ///
    /// # Errors
    /// [`Error::NotFound`] when many tries found no board; those of the search.
    pub(super) fn next(&mut self) -> Result<Option<SetBoard>, Error> {
        match &self.method {
            DrawMethod::List(boards) => Ok(Some(boards[self.dice.below(boards.len())])),
            DrawMethod::All => self.next_of_all(),
            DrawMethod::Walks { starts, targets } => {
                let start = starts[self.dice.below(starts.len())];
                let lengths = targets.last() - targets.first() + 1;
                let target = targets.first() + self.dice.below(lengths as usize) as u32;
                self.next_of_walk(start, target)
            }
        }
    }

    fn next_of_all(&mut self) -> Result<Option<SetBoard>, Error> {
        for _ in 0..DRAWS_MAX {
            let board = random_board(&self.goal, &mut self.dice);
            match (self.solve)(&board, self.window.last())? {
                Length::Optimal(length) if self.window.contains(length) => {
                    return Ok(Some(SetBoard { board, optimum: Some(length) }));
                }
                Length::Stopped => return Ok(None),
                _ => (),
            }
        }
        Err(self.not_found(format!("{DRAWS_MAX} boards were drawn at random and solved")))
    }

    /// Walks until the board has exactly the target distance. Between two searches, the walk makes
    /// as many moves as are certainly missing.
    fn next_of_walk(&mut self, start: Start, target: u32) -> Result<Option<SetBoard>, Error> {
        let mut board = start.board;
        let mut length = start.length;
        let mut last = None;
        for _ in 0..SOLVES_MAX {
            if length == target {
                return Ok(Some(SetBoard { board, optimum: Some(length) }));
            }
            for _ in 0..length.abs_diff(target) {
                last = Some(self.dice.step(&mut board, last));
            }
            // A walk from the goal is at most as far as its number of moves, but a walk from a hard
            // board may be at any distance above the target.
            match (self.solve)(&board, u32::MAX)? {
                Length::Optimal(found) => length = found,
                Length::Greater => unreachable!("nothing is greater"),
                Length::Stopped => return Ok(None),
            }
        }
        Err(self.not_found(format!(
            "a random walk from {} was solved {SOLVES_MAX} times on its way to {target} {}s",
            start.board,
            self.metric.noun()
        )))
    }

    fn not_found(&self, tried: String) -> Error {
        let (lengths, goal) = (self.window.to_string(), *self.goal.board());
        Error::NotFound { lengths, metric: self.metric, goal, tried }
    }
}

/// Position of a window in the range of all lengths.
enum LengthRange {
    Low,
    Bulk,
    High,
}

/// Returns the position of a window if the counts of all lengths are known.
fn part(known: &Distribution, window: Window) -> LengthRange {
    let counts = (0..).zip(&known.counts).filter(|&(length, _)| window.contains(length));
    let share = counts.map(|(_, &count)| count).sum::<u64>() as f64 / known.total() as f64;
    if share >= SHARE_MIN {
        LengthRange::Bulk
    } else if f64::from(window.last()) < known.mean() {
        LengthRange::Low
    } else {
        LengthRange::High
    }
}

/// Returns the position of a window if the counts are unknown. Hard boards are unknown then.
fn unknown_part(goal: &Goal, metric: Metric, window: Window) -> LengthRange {
    let low = match metric {
        Metric::SingleTile => LOW,
        Metric::MultiTile => LOW_SLIDES,
    };
    if f64::from(window.last()) < low * mean_manhattan(goal) {
        LengthRange::Low
    } else {
        LengthRange::Bulk
    }
}

/// Returns the mean Manhattan distance of all boards: each tile is on each cell equally often. On a
/// line, only the blank is, and the tiles between it and its home are one cell away from theirs.
pub(crate) fn mean_manhattan(goal: &Goal) -> f64 {
    let shape = goal.shape();
    let cells = || shape.all_cells().iter();
    let homes = cells().filter(|&home| (home == goal.home(BLANK)) == shape.is_line());
    let sum: u32 =
        homes.map(|home| cells().map(|cell| shape.distance(cell, home)).sum::<u32>()).sum();
    f64::from(sum) / shape.cell_count() as f64
}

/// Returns the starts of walks above the window; `None` if the search was stopped.
fn starts_above(
    goal: &Goal,
    metric: Metric,
    window: Window,
    solve: &mut Solve,
) -> Result<Option<DrawMethod>, Error> {
    let mut starts = Vec::new();
    let listed = known::listed(goal).filter(|_| metric == Metric::SingleTile);
    if let Some((length, boards)) = listed {
        starts.extend(boards.into_iter().map(|board| Start { board, length }));
    } else {
        for board in known::far(goal) {
            match solve(&board, u32::MAX)? {
                Length::Optimal(length) => starts.push(Start { board, length }),
                _ => return Ok(None),
            }
        }
    }
    // Only the farthest boards are starts, so that each start can reach each length of the window.
    let farthest = starts.iter().map(|start| start.length).max().unwrap_or(0);
    starts.retain(|start| start.length == farthest);
    let Some(targets) = Window::new(window.first(), window.last().min(farthest)) else {
        let tried = match farthest {
            0 => "so hard boards are very rare, and none is known to begin at".to_owned(),
            _ => format!("the hardest known board has {farthest}"),
        };
        let (lengths, goal) = (window.to_string(), *goal.board());
        return Err(Error::NotFound { lengths, metric, goal, tried });
    };
    Ok(Some(DrawMethod::Walks { starts, targets }))
}

/// Result of a breadth-first search.
enum WindowListing {
    /// All boards of the window.
    Window(Vec<SetBoard>),
    /// The window is empty; this is the greatest distance of all boards.
    Greatest(u32),
    /// There are too many boards to list.
    TooMany,
}

/// Returns whether all boards of a goal's shape are listed if necessary.
fn has_few_boards(goal: &Goal) -> bool {
    goal.shape().cell_count() <= LISTED_CELLS_MAX || goal.shape().is_line()
}

/// Lists the boards of a window, if they and those nearer to the goal are not too many.
fn listed(
    goal: &Goal,
    metric: Metric,
    window: Window,
    known: Option<&Distribution>,
) -> WindowListing {
    let is_small = has_few_boards(goal);
    if let Some(known) = known.filter(|_| !is_small) {
        let is_counted = known.is_whole || (window.last() as usize) < known.counts.len();
        let count: u64 = known.counts.iter().take(window.last() as usize + 1).sum();
        if !is_counted || count > LISTED_MAX as u64 {
            return WindowListing::TooMany;
        }
    }
    let mut levels = Levels::new(goal, metric);
    let mut found = Vec::new();
    let mut count = 0;
    loop {
        count += levels.boards.len();
        if window.contains(levels.distance) {
            let made = |board: &Board| SetBoard { board: *board, optimum: Some(levels.distance) };
            found.extend(levels.boards.iter().map(made));
        }
        // On larger boards, the number of boards at least doubles with every second move while it
        // is small.
        let missing = window.last() - levels.distance.min(window.last());
        let expected = (levels.boards.len() as u64).checked_shl(missing / 2);
        if !is_small && (count > LISTED_MAX || expected.is_none_or(|n| n > LISTED_MAX as u64)) {
            return WindowListing::TooMany;
        }
        if missing == 0 || !levels.advance() {
            break;
        }
    }
    if window.first() > levels.distance {
        return WindowListing::Greatest(levels.distance);
    }
    WindowListing::Window(found)
}

/// Returns the boards at the greatest distance from a goal of few cells, and that distance.
pub(super) fn hardest_by_search(goal: &Goal, metric: Metric) -> Option<(u32, Vec<Board>)> {
    has_few_boards(goal).then(|| {
        let mut levels = Levels::new(goal, metric);
        while levels.advance() {}
        (levels.distance, levels.boards)
    })
}

/// Breadth-first search from a goal: for one distance after another all boards, in the order of
/// their tiles.
struct Levels {
    metric: Metric,
    distance: u32,
    boards: Vec<Board>,
    before: Vec<Board>,
}

impl Levels {
    fn new(goal: &Goal, metric: Metric) -> Self {
        Self { metric, distance: 0, boards: vec![*goal.board()], before: Vec::new() }
    }

    /// Advances to the next distance, and returns whether there is one.
    fn advance(&mut self) -> bool {
        let by_tiles = |a: &Board, b: &Board| a.tiles().cmp(b.tiles());
        let metric = self.metric;
        let moved = |board| neighbours(board, metric);
        // A move changes the distance by one at most, so only boards of the last two levels have to
        // be excluded.
        let mut next: Vec<Board> = self.boards.iter().flat_map(moved).collect();
        next.sort_unstable_by(by_tiles);
        next.dedup();
        let is_known = |level: &[Board], board: &Board| {
            level.binary_search_by(|other| by_tiles(other, board)).is_ok()
        };
        next.retain(|board| !is_known(&self.before, board) && !is_known(&self.boards, board));
        if next.is_empty() {
            return false;
        }
        self.before = std::mem::replace(&mut self.boards, next);
        self.distance += 1;
        true
    }
}

#[cfg(test)]
mod tests;
