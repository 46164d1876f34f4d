//! Boards of known distance, and test heuristics.
#![allow(dead_code, reason = "the tests of pdb-lab share this file, and each has its part of it")]

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use pdb_core::{Board, Direction, Estimator, Goal, Heuristic, Memo, RootError, Shape, Slide};
use pdb_oracle::Random;
use pdb_search::{Manhattan, Outcome, Status};

/// Korf's board 88, turned so that the blank's home is the last cell: 65 moves and
/// 6,009,130,748 nodes.
pub(crate) const HARDEST: &str = "12 10 6 0/9 8 13 15/11 7 3 2/5 4 14 1";

/// Distances of boards by their tiles.
pub(crate) type Distances = BTreeMap<Vec<u8>, usize>;

pub(crate) fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).expect("the tests ask for small shapes")
}

pub(crate) fn goals(shape: Shape) -> [Goal; 3] {
    [Goal::blank_last(shape), Goal::blank_first(shape), Goal::snail(shape)]
}

/// Returns the distance of every solvable board, by breadth-first search from the goal. The
/// distances of a goal are computed once and kept, because many tests have the same goals.
pub(crate) fn distances(goal: &Goal) -> &'static Distances {
    static KNOWN: Mutex<Vec<(Goal, &'static OnceLock<Distances>)>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().expect("no panic while goals are listed");
    let found = known.iter().find(|(other, _)| other == goal).map(|&(_, found)| found);
    let found = found.unwrap_or_else(|| {
        known.push((*goal, Box::leak(Box::default())));
        known[known.len() - 1].1
    });
    drop(known);
    found.get_or_init(|| {
        let (shape, tiles) = (goal.shape(), goal.board().tiles());
        let found = pdb_oracle::distances(shape.rows(), shape.cols(), tiles);
        found.into_iter().map(|(tiles, distance)| (tiles, distance as usize)).collect()
    })
}

/// Returns a random board that can be solved.
pub(crate) fn random_board(shape: Shape, goal: &Goal, random: &mut Random) -> Board {
    let mut tiles: Vec<u8> = (0..shape.cell_count() as u8).collect();
    for last in (1..tiles.len()).rev() {
        tiles.swap(last, random.below(last + 1));
    }
    let board = Board::new(shape, &tiles).unwrap();
    if goal.check_solvable(&board).is_ok() {
        return board;
    }
    if shape.is_line() {
        let mut tiles: Vec<u8> = goal.board().tiles_in_order().collect();
        tiles.insert(board.blank().into(), 0);
        return Board::new(shape, &tiles).unwrap();
    }
    let [one, two] = [1, 2].map(|tile| tiles.iter().position(|&other| other == tile).unwrap());
    tiles.swap(one, two);
    Board::new(shape, &tiles).unwrap()
}

/// Returns every `stride`th solvable board with its distance.
pub(crate) fn sample(goal: &Goal, stride: usize) -> Vec<(Board, usize)> {
    let board = |tiles: &Vec<u8>| Board::new(goal.shape(), tiles).unwrap();
    let all = distances(goal).iter().step_by(stride);
    all.map(|(tiles, &distance)| (board(tiles), distance)).collect()
}

/// Returns all boards of a small shape, solvable or not.
pub(crate) fn all_boards(shape: Shape) -> impl Iterator<Item = Board> {
    let count = shape.rank_count().expect("a small shape");
    (0..count).map(move |rank| Board::of_rank(shape, rank).unwrap())
}

pub(crate) fn moves(outcome: &Outcome) -> &[Direction] {
    match &outcome.status {
        Status::Optimal { moves } => moves,
        other => panic!("expected a solution, found {other:?}"),
    }
}

/// Checks everything that an outcome says about a board of known distance.
pub(crate) fn check_optimal(
    goal: &Goal,
    board: &Board,
    estimate: u32,
    outcome: &Outcome,
    distance: usize,
) {
    let moves = moves(outcome);
    assert_eq!(moves.len(), distance, "{board:?} to {goal:?}");
    assert_eq!(board.after(moves).as_ref(), Ok(goal.board()));
    assert_eq!(outcome.initial_estimate, Some(estimate));
    let bounds: Vec<u32> = outcome.bounds.iter().map(|count| count.bound).collect();
    let expected: Vec<u32> = (estimate..=distance as u32).step_by(2).collect();
    assert_eq!(bounds, expected);
    let generated: u64 = outcome.bounds.iter().map(|count| count.generated).sum();
    let expanded: u64 = outcome.bounds.iter().map(|count| count.expanded).sum();
    assert_eq!((generated, expanded), (outcome.generated, outcome.expanded));
}

/// Returns Manhattan distance, except for one board whose estimate is too large.
pub(crate) fn too_much_for(goal: &Goal, board: Board) -> ByBoard<'static> {
    let manhattan = Manhattan::new(goal);
    ByBoard::new(move |other: &Board| {
        let estimate = Estimator::root(&manhattan, other)?.estimate;
        Ok(estimate + 2 * u32::from(*other == board))
    })
}

/// Returns the number of tiles that are not at home: an estimate of the wrong parity.
pub(crate) fn misplaced(goal: &Goal) -> ByBoard<'static> {
    let goal = *goal;
    ByBoard::new(move |board: &Board| {
        let pairs = board.tiles().iter().zip(goal.board().tiles());
        Ok(pairs.filter(|(tile, home)| tile != home && **tile != 0).count() as u32)
    })
}

/// Returns Manhattan distance, minus two moves for one board in four.
pub(crate) fn inconsistent(goal: &Goal) -> ByBoard<'static> {
    let goal = *goal;
    ByBoard::new(move |board: &Board| Ok(first_look(&goal, board)))
}

fn first_look(goal: &Goal, board: &Board) -> u32 {
    let full = goal.manhattan_distance(board);
    full - (2 * u32::from(noise(board).is_multiple_of(4))).min(full / 2 * 2)
}

/// Returns a number that does not depend on the distance and is the same each time.
fn noise(board: &Board) -> u32 {
    let hash = |sum: u32, &tile: &u8| (sum ^ u32::from(tile)).wrapping_mul(0x0100_0193);
    board.tiles().iter().fold(0x811c_9dc5, hash) >> 16
}

type Compute<'f> = dyn Fn(&Board) -> Result<u32, RootError> + Send + Sync + 'f;

/// A heuristic that a closure computes from the whole board. It is one type for all closures, so
/// that searches with it are compiled once.
#[derive(Clone)]
pub(crate) struct ByBoard<'f> {
    compute: Arc<Compute<'f>>,
    waits: bool,
}

impl<'f> ByBoard<'f> {
    pub(crate) fn new(
        compute: impl Fn(&Board) -> Result<u32, RootError> + Send + Sync + 'f,
    ) -> Self {
        Self { compute: Arc::new(compute), waits: true }
    }

    /// Returns the heuristic that does not claim to wait for memory, so that threads have one lane.
    pub(crate) fn without_waits(self) -> Self {
        Self { waits: false, ..self }
    }
}

impl fmt::Debug for ByBoard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ByBoard")
    }
}

impl Estimator for ByBoard<'_> {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        Ok(Memo::new((self.compute)(board)?, &[]))
    }

    fn child(&self, board: &Board, _: &Memo, _: Slide) -> Memo {
        Estimator::root(self, board).expect("the root had an estimate")
    }

    fn lookups(&self) -> [u32; 2] {
        [1, 0]
    }
}

impl Heuristic for ByBoard<'_> {
    type State = Board;
    type Node = u32;
    type Probe = u32;

    const SETTLES: bool = false;

    #[inline(always)]
    fn waits(&self) -> bool {
        self.waits
    }

    fn root(&self, board: &Board) -> Result<(Board, u32), RootError> {
        Ok((*board, (self.compute)(board)?))
    }

    fn estimate(&self, node: &u32) -> u32 {
        *node
    }

    fn locate(&self, board: &Board, _: &u32, slide: Slide) -> u32 {
        let mut board = *board;
        board.slide(slide.from, slide.to);
        (self.compute)(&board).expect("the root had an estimate")
    }

    fn read(&self, _: &u32, _: Slide, probe: &mut u32) -> u32 {
        *probe
    }

    fn enter(&self, board: &mut Board, _: &u32, slide: Slide, probe: &u32, child: &mut u32) {
        board.slide(slide.from, slide.to);
        *child = *probe;
    }

    fn settle(&self, node: &mut u32) -> u32 {
        *node
    }

    fn lookups(&self) -> [u32; 2] {
        [1, 0]
    }

    fn leave(&self, board: &mut Board, _: &u32, slide: Slide) {
        board.slide(slide.to, slide.from);
    }
}

/// Manhattan distance whose first look sees only a part of it. It counts calls and asserts their
/// order. Clones share the counts.
#[derive(Clone, Debug)]
pub(crate) struct InTwoSteps {
    goal: Goal,
    located: Arc<AtomicU64>,
    read: Arc<AtomicU64>,
    entered: Arc<AtomicU64>,
}

impl InTwoSteps {
    pub(crate) fn new(goal: &Goal) -> Self {
        let [located, read, entered] = [(); 3].map(|()| Arc::default());
        Self { goal: *goal, located, read, entered }
    }

    /// Returns the numbers of calls of `locate`, `read` and `enter`.
    pub(crate) fn counts(&self) -> [u64; 3] {
        [&self.located, &self.read, &self.entered].map(|count| count.load(Ordering::Relaxed))
    }
}

/// A node: its board, its estimate, and whether the estimate is settled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardNode {
    board: Board,
    estimate: u32,
    is_settled: bool,
}

impl Heuristic for InTwoSteps {
    type State = Board;
    type Node = BoardNode;
    type Probe = Option<(Board, Option<u32>)>;

    const SETTLES: bool = true;

    fn root(&self, board: &Board) -> Result<(Board, BoardNode), RootError> {
        let estimate = self.goal.manhattan_distance(board);
        Ok((*board, BoardNode { board: *board, estimate, is_settled: true }))
    }

    fn estimate(&self, node: &BoardNode) -> u32 {
        assert!(node.is_settled);
        node.estimate
    }

    fn locate(&self, board: &Board, parent: &BoardNode, slide: Slide) -> Self::Probe {
        assert!(parent.is_settled && parent.board == *board);
        self.located.fetch_add(1, Ordering::Relaxed);
        let mut child = *board;
        child.slide(slide.from, slide.to);
        Some((child, None))
    }

    fn read(&self, parent: &BoardNode, slide: Slide, probe: &mut Self::Probe) -> u32 {
        self.read.fetch_add(1, Ordering::Relaxed);
        let (child, first) = probe.as_mut().expect("what is read was located");
        assert_eq!(parent.board.tile(slide.from), slide.tile);
        *first.insert(first_look(&self.goal, child))
    }

    fn enter(
        &self,
        state: &mut Board,
        parent: &BoardNode,
        slide: Slide,
        probe: &Self::Probe,
        child: &mut BoardNode,
    ) {
        self.entered.fetch_add(1, Ordering::Relaxed);
        assert_eq!(parent.board, *state);
        let Some((board, Some(estimate))) = *probe else { panic!("what is entered was read") };
        state.slide(slide.from, slide.to);
        assert_eq!(*state, board);
        *child = BoardNode { board, estimate, is_settled: false };
    }

    fn settle(&self, node: &mut BoardNode) -> u32 {
        assert!(!node.is_settled);
        node.is_settled = true;
        node.estimate = self.goal.manhattan_distance(&node.board);
        node.estimate
    }

    fn leave(&self, state: &mut Board, node: &BoardNode, slide: Slide) {
        assert_eq!(node.board, *state);
        state.slide(slide.to, slide.from);
    }

    fn lookups(&self) -> [u32; 2] {
        [3, 5]
    }
}

impl Estimator for InTwoSteps {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        Ok(Memo::new(self.goal.manhattan_distance(board), &[]))
    }

    fn child(&self, board: &Board, _: &Memo, _: Slide) -> Memo {
        Memo::new(self.goal.manhattan_distance(board), &[])
    }

    fn glance(&self, board: &Board, _: &Memo, _: Slide) -> Option<u32> {
        Some(first_look(&self.goal, board))
    }

    fn lookups(&self) -> [u32; 2] {
        [3, 5]
    }
}
