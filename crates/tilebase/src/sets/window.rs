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
    /// Walks from the goal, or from the hardest boards, to a length in `targets`. All starts have
    /// the same length, so each can reach each target.
    Walks { starts: Vec<Board>, length: u32, targets: Window },
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
        let whole = known.as_ref().filter(|known| known.is_whole);
        let (shortest, board) = (window.first(), *goal.board());
        let beyond = |greatest| Error::Window { metric, shortest, goal: board, greatest };
        let greatest = whole.map(|known| known.counts.len() as u32 - 1);
        if let Some(greatest) = greatest.filter(|&greatest| shortest > greatest) {
            return Err(beyond(greatest));
        }
        let middle = match (whole, metric) {
            (Some(known), _) => known.mean(),
            (None, Metric::SingleTile) => LOW * mean_manhattan(goal),
            (None, Metric::MultiTile) => LOW_SLIDES * mean_manhattan(goal),
        };
        let is_low = f64::from(window.last()) < middle;
        // Without the counts, hard boards are unknown, too.
        let is_common = whole.map_or(!is_low, |known| share(known, window) >= SHARE_MIN);
        let listed = listed(goal, metric, window, known.as_ref()).map_err(beyond)?;
        let method = if let Some(boards) = listed {
            DrawMethod::List(boards)
        } else if is_common {
            DrawMethod::All
        } else if is_low {
            DrawMethod::Walks { starts: vec![board], length: 0, targets: window }
        } else {
            match starts_above(goal, metric, window, &mut solve)? {
                Some(method) => method,
                None => return Ok(None),
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
            &DrawMethod::Walks { ref starts, length, targets } => {
                let start = starts[self.dice.below(starts.len())];
                let lengths = targets.last() - targets.first() + 1;
                let target = targets.first() + self.dice.below(lengths as usize) as u32;
                self.next_of_walk(start, length, target)
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

    /// Walks from a board of a known length until it is exactly `target`. Between two searches, the
    /// walk makes as many moves as are certainly missing.
    fn next_of_walk(
        &mut self,
        start: Board,
        mut length: u32,
        target: u32,
    ) -> Result<Option<SetBoard>, Error> {
        let mut board = start;
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
            "a random walk from {start} was solved {SOLVES_MAX} times on its way to {target} {}s",
            self.metric.noun()
        )))
    }

    fn not_found(&self, tried: String) -> Error {
        let (lengths, goal) = (self.window.to_string(), *self.goal.board());
        Error::NotFound { lengths, metric: self.metric, goal, tried }
    }
}

/// Returns the share of all boards that is in a window.
fn share(known: &Distribution, window: Window) -> f64 {
    let counts = (0..).zip(&known.counts).filter(|&(length, _)| window.contains(length));
    counts.map(|(_, &count)| count).sum::<u64>() as f64 / known.total() as f64
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
    let listed = known::listed(goal).filter(|_| metric == Metric::SingleTile);
    let (mut length, mut starts) = listed.unwrap_or_default();
    if starts.is_empty() {
        for board in known::far(goal) {
            let Length::Optimal(found) = solve(&board, u32::MAX)? else { return Ok(None) };
            if found > length {
                starts.clear();
            }
            length = length.max(found);
            if found == length {
                starts.push(board);
            }
        }
    }
    let Some(targets) = Window::new(window.first(), window.last().min(length)) else {
        let tried = match length {
            0 => "so hard boards are very rare, and none is known to begin at".to_owned(),
            _ => format!("the hardest known board has {length}"),
        };
        let (lengths, goal) = (window.to_string(), *goal.board());
        return Err(Error::NotFound { lengths, metric, goal, tried });
    };
    Ok(Some(DrawMethod::Walks { starts, length, targets }))
}

/// Returns whether all boards of a goal's shape are listed if necessary.
fn has_few_boards(goal: &Goal) -> bool {
    goal.shape().cell_count() <= LISTED_CELLS_MAX || goal.shape().is_line()
}

/// Lists the boards of a window, if they and those nearer to the goal are not too many. The error
/// is the greatest distance of all boards, if the window is empty.
fn listed(
    goal: &Goal,
    metric: Metric,
    window: Window,
    known: Option<&Distribution>,
) -> Result<Option<Vec<SetBoard>>, u32> {
    let is_small = has_few_boards(goal);
    if let Some(known) = known.filter(|_| !is_small) {
        let is_counted = known.is_whole || (window.last() as usize) < known.counts.len();
        let count: u64 = known.counts.iter().take(window.last() as usize + 1).sum();
        if !is_counted || count > LISTED_MAX as u64 {
            return Ok(None);
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
            return Ok(None);
        }
        if missing == 0 || !levels.advance() {
            break;
        }
    }
    if found.is_empty() { Err(levels.distance) } else { Ok(Some(found)) }
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
