//! Boards with their distances, for training and for measuring.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use pdb_core::{Board, Direction, Goal, Shape};
use tilebase::Tilebase;
use tilebase::pdb_lab::Engine;
use tilebase::pdb_search::{Status, Work, on_threads};
use tilebase::sets::Dice;
use tilebase::shelf::confirm;

use crate::TrainError;
use crate::dice::Purpose;

/// One root in `HELD_OUT` is held out, with all boards of its solution.
const HELD_OUT: usize = 20;

/// Boards of one shape with their exact distances from a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    goal: Goal,
    /// Tiles of all boards, `cell_count` per board.
    tiles: Vec<u8>,
    distances: Vec<u16>,
}

impl Labels {
    /// Creates an empty list.
    pub fn new(goal: &Goal) -> Self {
        Self { goal: *goal, tiles: Vec::new(), distances: Vec::new() }
    }

    /// Adds a board of the goal's shape.
    pub fn push(&mut self, board: &Board, distance: u16) {
        debug_assert_eq!(board.shape(), self.goal.shape());
        self.tiles.extend_from_slice(board.tiles());
        self.distances.push(distance);
    }

    /// Adds a board and those on its solution, which has these moves.
    pub(crate) fn push_all(&mut self, mut board: Board, moves: &[Direction]) {
        for (left, &direction) in (1..=moves.len() as u16).rev().zip(moves) {
            self.push(&board, left);
            board = board.moved(direction).expect("the solution is legal");
        }
    }

    /// Adds the boards of `others`, which must have the same goal.
    pub fn append(&mut self, others: &Self) {
        debug_assert_eq!(others.goal, self.goal);
        self.tiles.extend_from_slice(&others.tiles);
        self.distances.extend_from_slice(&others.distances);
    }

    /// Returns the goal.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// Returns the boards' shape.
    pub fn shape(&self) -> Shape {
        self.goal.shape()
    }

    /// Returns the number of boards.
    pub fn len(&self) -> usize {
        self.distances.len()
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.distances.is_empty()
    }

    /// Returns the tiles of a board, cell by cell.
    pub fn tiles(&self, number: usize) -> &[u8] {
        let cells = self.shape().cell_count();
        &self.tiles[number * cells..][..cells]
    }

    /// Returns a board.
    pub fn board(&self, number: usize) -> Board {
        Board::new(self.shape(), self.tiles(number)).expect("boards were pushed")
    }

    /// Returns the distance of a board from the goal, in moves.
    pub fn distance(&self, number: usize) -> u16 {
        self.distances[number]
    }

    /// Returns the greatest distance, or 0 if the list is empty.
    pub fn greatest(&self) -> u16 {
        self.distances.iter().copied().max().unwrap_or(0)
    }

    /// Returns `count` boards spread evenly over all, or all boards if there are fewer.
    #[must_use]
    pub fn some(&self, count: usize) -> Self {
        let mut some = Self::new(&self.goal);
        let count = count.min(self.len());
        for number in 0..count {
            let number = number * self.len() / count;
            some.tiles.extend_from_slice(self.tiles(number));
            some.distances.push(self.distances[number]);
        }
        some
    }

    /// Returns the BLAKE3 digest of the goal, and of the boards and distances in order, in
    /// hexadecimal digits.
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.goal.board().to_string().as_bytes());
        hasher.update(&self.tiles);
        for distances in self.distances.chunks(1 << 15) {
            let bytes: Vec<u8> = distances.iter().flat_map(|d| d.to_le_bytes()).collect();
            hasher.update(&bytes);
        }
        hasher.finalize().to_hex().to_string()
    }
}

/// The choice of boards that are solved for labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// Number of boards to solve. Every board on a solution becomes a label.
    pub roots: usize,
    /// Length of the longest random walk, in moves. Walks have 1 to `walk` moves.
    pub walk: usize,
    /// Whether half of the boards are random instead of walks. Random boards need a small shape.
    pub has_random: bool,
    /// Seed of the random numbers.
    pub seed: u64,
}

/// Labels for training, and labels that are held out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Labels for training.
    pub training: Labels,
    /// Labels from other roots, for measuring.
    pub held_out: Labels,
}

/// Solves boards with tables, and labels every board on a solution with its distance, which is the
/// number of moves that remain.
///
/// The labels are the same for any number of threads: each board is searched by one thread.
///
/// `tell` is called with the number of finished roots; it returns `false` to stop the work.
///
/// # Errors
/// [`TrainError::OneLine`] for a goal of one line, [`TrainError::Tables`] when tables are missing
/// or damaged, [`TrainError::Stopped`].
pub fn label(
    tables: &Tilebase,
    goal: &Goal,
    sampling: &Sampling,
    tell: &(dyn Fn(usize) -> bool + Sync),
) -> Result<Split, TrainError> {
    const PORTION: usize = 256;
    let shape = goal.shape();
    if shape.is_line() {
        return Err(TrainError::OneLine { shape });
    }
    let engine = tables.engine(goal)?;
    let portions: Vec<_> = (0..sampling.roots).step_by(PORTION).collect();
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        let mut made = Vec::new();
        while let Some(&first) = portions.get(next.fetch_add(1, Ordering::Relaxed)) {
            let roots = first..(first + PORTION).min(sampling.roots);
            let count = roots.len();
            let mut split = Split::new(goal);
            let mut roots = roots.into_iter();
            let split =
                roots.try_for_each(|root| split.add(&engine, sampling, root)).map(|()| split);
            let is_over = split.is_err();
            made.push((first, split));
            let done = done.fetch_add(count, Ordering::Relaxed) + count;
            if is_over || !tell(done) {
                next.store(portions.len(), Ordering::Relaxed);
            }
        }
        made
    };
    let made = on_threads(tables.search().thread_count, &work);
    confirm(&engine)?;
    let made: BTreeMap<usize, _> = made.into_iter().flatten().collect();
    let is_stopped = made.len() < portions.len();
    let mut all = Split::new(goal);
    for split in made.into_values() {
        let split = split?;
        all.training.append(&split.training);
        all.held_out.append(&split.held_out);
    }
    if is_stopped { Err(TrainError::Stopped) } else { Ok(all) }
}

impl Split {
    fn new(goal: &Goal) -> Self {
        Self { training: Labels::new(goal), held_out: Labels::new(goal) }
    }

    fn add(&mut self, engine: &Engine, sampling: &Sampling, root: usize) -> Result<(), TrainError> {
        let goal = engine.goal();
        let mut dice = Purpose::Root.dice(sampling.seed, root as u64);
        let is_random = sampling.has_random && root.is_multiple_of(2);
        let board = if is_random {
            random_board(goal, &mut dice)
        } else {
            let steps = 1 + dice.below(sampling.walk.max(1));
            dice.walk(goal, steps).1
        };
        let outcome = engine.solve(&board, &Work::default()).map_err(tilebase::Error::from)?;
        let Status::Optimal { moves } = outcome.status else {
            return Err(TrainError::NotOptimal { board });
        };
        let is_held_out = (root / 2).is_multiple_of(HELD_OUT);
        let labels = if is_held_out { &mut self.held_out } else { &mut self.training };
        labels.push_all(board, &moves);
        Ok(())
    }
}

/// Draws a solvable board, each as likely.
pub(crate) fn random_board(goal: &Goal, dice: &mut Dice) -> Board {
    let shape = goal.shape();
    let mut tiles: Vec<u8> = (0..shape.cell_count() as u8).collect();
    loop {
        dice.shuffle(&mut tiles);
        let board = Board::new(shape, &tiles).expect("each tile is there once");
        if goal.check_solvable(&board).is_ok() {
            return board;
        }
    }
}
