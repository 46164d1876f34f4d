//! IDA* for one board or many: the fast form.

use std::sync::{Arc, OnceLock};

use pdb_core::{BLANK, Board, Cell, Direction, Dual, Goal, Heuristic, Symmetry};

use crate::ida::ida_star;
use crate::lane::{Leaf, Packet, Root, Shared, Target};
use crate::moves::Moves;
use crate::opening::{check_admissible, check_order, check_shape, first_bound};
use crate::outcome::lookups;
use crate::pool::{
    Account, Begun, Boards, End, Job, JobRef, Next, PAUSE, Pool, Progress, Rival, Single, Source,
    on_threads,
};
use crate::solution::{direction_of, within_bound};
use crate::tree::{Tree, Way};
use crate::{Limits, Options, Outcome, SearchError, Status};

/// How a [`Solver`] shares out its work.
#[derive(Clone, Copy, Debug)]
pub struct Sharing {
    /// Subtrees that each thread searches side by side. Default: 8; 4 where a heuristic asks for all look-ups of
    /// a child at once, and these are several. A heuristic that does not wait for memory has a single one.
    pub lanes: Option<usize>,
    /// Boards that are searched at a time. Default: as many as there are lanes on all threads, for
    /// the most boards a second; 1 finishes each board as soon as possible.
    pub boards_at_once: Option<usize>,
    /// Into how many subtrees the tree of a board is cut about at most, which a bound searches in the order
    /// of what the bound before met in them. Default: 2000, as more order the search hardly better; 1
    /// leaves it in the order of moves. There may be several times as many, as their sizes are guessed.
    /// A search in [packets](crate::packets) has these instead.
    pub subtrees: u32,
}

impl Default for Sharing {
    fn default() -> Self {
        Self { lanes: None, boards_at_once: None, subtrees: 2000 }
    }
}

/// How boards are searched: all that may differ from one call of a [`Solver`] to the next.
#[derive(Clone, Copy, Debug)]
pub struct Work<'a> {
    /// When the search of a board gives up. Default: never.
    pub limits: Limits<'a>,
    /// How the work is shared out among lanes.
    pub sharing: Sharing,
    /// How many threads work, the calling one among them. Default: 1. Where the system starts no
    /// further thread there are fewer.
    pub thread_count: usize,
}

impl Default for Work<'_> {
    fn default() -> Self {
        Self { limits: Limits::default(), sharing: Sharing::default(), thread_count: 1 }
    }
}

/// Finds shortest sequences of moves to one goal, on any number of threads.
///
/// It searches boards by iterative deepening, as [`ida_star`](crate::ida_star) does, with the same lengths and,
/// unless it has [duals](Self::with_duals), the same bounds; what differs is the order of its work. Many subtrees are searched side by side, on
/// each thread and on all of them; sequences of moves that others replace are not followed; and of a
/// board that is its own mirror image only one of two mirrored first moves is.
///
/// ```
/// use pdb_core::{Board, Goal};
/// use pdb_search::{KORF_BLANK_LAST, Manhattan, Solver, Status, Work};
///
/// let board: Board = "8 6 7/2 5 4/3 0 1".parse()?;
/// let goal = Goal::blank_last(board.shape());
/// let solver = Solver::new(Manhattan::new(&goal), &goal, KORF_BLANK_LAST)?;
/// let outcome = solver.solve(&board, &Work::default())?;
/// assert!(matches!(outcome.status, Status::Optimal { moves } if moves.len() == 31));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver<H> {
    /// The goal first, those of [duals](Dual) behind it.
    ends: Vec<Goalpost<H>>,
    /// Made by the first search, which takes some milliseconds.
    moves: OnceLock<Moves>,
    order: [Direction; 4],
}

/// A goal with what leads there.
#[derive(Debug)]
struct Goalpost<H> {
    heuristic: H,
    goal: Goal,
    target: Target,
}

impl<H> Goalpost<H> {
    fn new(heuristic: H, goal: &Goal) -> Self {
        Self { heuristic, goal: *goal, target: Target::new(goal) }
    }
}

impl<H: Heuristic> Solver<H> {
    /// A solver for boards of the goal's shape, which tries moves in this
    /// [order](crate::Options::order). `heuristic`, or what it refers to, must have been made for `goal`.
    ///
    /// Keep it: the first search makes what all further ones use, which takes up to some ten milliseconds, and
    /// any number of threads may search, one board or many at a time.
    ///
    /// # Errors
    /// [`SearchError::Order`] when the order is not a permutation, [`SearchError::Inadmissible`] for a
    /// learned heuristic.
    pub fn new(heuristic: H, goal: &Goal, order: [Direction; 4]) -> Result<Self, SearchError> {
        check_order(order)?;
        check_admissible(heuristic.is_admissible(), "IDA* in lanes")?;
        Ok(Self { ends: vec![Goalpost::new(heuristic, goal)], moves: OnceLock::new(), order })
    }

    /// The same, which may search a board's [dual](Dual) instead: with heuristics for other goals of the
    /// same shape, which duals lead to. The first bounds are searched in the trees of both, until one tree has 20 nodes
    /// within a bound; from there on the one of the two that has fewer. The bounds begin at the smaller of both estimates.
    ///
    /// [`solve`](Self::solve) and [`solve_all`](Self::solve_all) do so, and searches in
    /// [packets](crate::packets).
    ///
    /// # Errors
    /// [`SearchError::Inadmissible`] for a learned heuristic.
    ///
    /// # Panics
    /// When a goal has another shape.
    pub fn with_duals(
        mut self,
        duals: impl IntoIterator<Item = (H, Goal)>,
    ) -> Result<Self, SearchError> {
        for (heuristic, goal) in duals {
            assert_eq!(goal.shape(), self.goal().shape(), "duals have the shape of the boards");
            check_admissible(heuristic.is_admissible(), "IDA* in lanes")?;
            self.ends.push(Goalpost::new(heuristic, &goal));
        }
        Ok(self)
    }

    /// The heuristic that it was made with.
    pub fn heuristic(&self) -> &H {
        &self.ends[0].heuristic
    }

    /// The goal that it was made for.
    pub fn goal(&self) -> &Goal {
        &self.ends[0].goal
    }

    /// The order in which it tries moves.
    pub fn order(&self) -> [Direction; 4] {
        self.order
    }

    /// Solves one board.
    ///
    /// Nodes are counted as soon as their estimate is computed, children of one node together,
    /// whether they are pruned, searched or left because the goal was found elsewhere. On several
    /// threads it may differ from one time to the next how many nodes are generated within the last
    /// bound, and which of several shortest solutions is found.
    ///
    /// # Errors
    /// As [`ida_star`](crate::ida_star).
    pub fn solve(&self, board: &Board, work: &Work<'_>) -> Result<Outcome, SearchError> {
        let boards = Single::new(board);
        self.solve_all(&boards, work);
        boards.into_answer()
    }

    /// Solves all boards; each is answered as soon as it is solved. The limits are those of each
    /// board.
    ///
    /// [`Outcome::elapsed`] goes from the beginning of a board's search to its answer, while its
    /// thread searches other boards too.
    pub fn solve_all(&self, boards: &dyn Boards, work: &Work<'_>) {
        let source = Deepening { solver: self, boards, work };
        self.search_all(&source, work);
    }

    /// Searches until the source ends.
    pub(crate) fn search_all(&self, source: &dyn Source<H>, work: &Work<'_>) {
        let Sharing { lanes, boards_at_once, .. } = work.sharing;
        let at_once = boards_at_once.unwrap_or(usize::MAX);
        let lanes = lanes.unwrap_or_else(|| lanes_for(self.heuristic()));
        let lanes = if self.heuristic().waits() { lanes } else { 1 };
        // Made by the first job that is searched: its time is a part of that search.
        let ends = Box::new(|| (0..self.ends.len()).map(|end| self.shared(end)).collect());
        Pool::new(ends, &work.limits, source, lanes, at_once).run(work.thread_count);
    }

    /// What all lanes read that search for one of the ends.
    pub(crate) fn shared(&self, end: usize) -> Shared<'_, H> {
        let Goalpost { heuristic, target, .. } = &self.ends[end];
        Shared { heuristic, moves: self.moves(), target }
    }

    fn moves(&self) -> &Moves {
        self.moves.get_or_init(|| Moves::without_duplicates(self.goal().shape(), self.order))
    }

    /// What the heuristic keeps for a board that can be solved.
    pub(crate) fn root(&self, board: &Board) -> Result<Root<H>, SearchError> {
        check_shape(self.goal(), board)?;
        self.goal().check_solvable(board).map_err(SearchError::Unsolvable)?;
        Ok(self.heuristic().root(board)?)
    }

    /// The dual of a board that can be solved, and the way from there, if one of the ends is for it.
    fn dual(&self, board: &Board) -> Option<(Way, Dual)> {
        // The goal itself is one of them, but a solver that was given no other is to search boards as they are.
        let ends = if self.ends.len() > 1 { &*self.ends } else { &[] };
        let dual = |(end, post): (usize, &Goalpost<H>)| {
            let way = Way { end, is_dual: true };
            Some((way, Dual::new(self.goal(), board, &post.goal)?))
        };
        ends.iter().enumerate().find_map(dual)
    }

    /// The goal at the end of a way.
    pub(crate) fn goal_of(&self, way: Way) -> &Goal {
        &self.ends[way.end].goal
    }

    /// The dual of a board that can be solved, the way from there, and whether its tree is the smaller one: by the last bound
    /// that so many nodes of both suffice for.
    pub(crate) fn measured_dual(
        &self,
        board: &Board,
    ) -> Result<Option<(Way, Dual, bool)>, SearchError> {
        let Some((way, dual)) = self.dual(board) else { return Ok(None) };
        let limits = Limits { nodes: Some(MEASURED), ..Limits::default() };
        let options = Options { order: self.order, limits };
        let measured = |way: Way, board: &Board| {
            let (heuristic, goal) = (self.heuristic_of(way), self.goal_of(way));
            heuristic.run(|| ida_star(heuristic, goal, board, &options))
        };
        let (straight, other) = (measured(Way::STRAIGHT, board)?, measured(way, dual.board())?);
        // The last bound of each is not whole. One that begins later has no nodes within the bounds before.
        let last = |outcome: &Outcome| {
            outcome.bounds.last().map_or(0, |count| count.bound.saturating_sub(2))
        };
        let bound = last(&straight).min(last(&other));
        let nodes = |outcome: &Outcome| {
            let count = outcome.bounds.iter().find(|count| count.bound == bound);
            count.map_or(0, |count| count.generated)
        };
        let is_smaller = nodes(&other) < nodes(&straight);
        Ok(Some((way, dual, is_smaller)))
    }

    /// The tree of a board, or of its dual, that is searched on its own.
    fn tree(&self, way: Way, board: &Board, root: Root<H>) -> Tree<H> {
        let excluded = self.excluded(way, board);
        Tree::new(way, Leaf::root(board, root), &[], excluded, self.heuristic_of(way))
    }

    /// The heuristic that leads to the end of a way.
    pub(crate) fn heuristic_of(&self, way: Way) -> &H {
        &self.ends[way.end].heuristic
    }

    /// The first moves of a board, or of its dual, that are left out, a bit each.
    pub(crate) fn excluded(&self, way: Way, board: &Board) -> u8 {
        mirrored_moves(self.order, self.goal_of(way), board)
    }

    /// The first move of a board that takes back the one after which it came, as a bit among the
    /// moves that are left out.
    pub(crate) fn undoing(&self, board: &Board, after: Direction) -> u8 {
        let from = after.opposite().tile_cell(board.shape(), board.blank());
        let moves = first_moves(self.order, board).enumerate();
        moves.filter(|&(_, cell)| Some(cell) == from).fold(0, |set, (i, _)| set | 1 << i)
    }

    /// A board's search before it begins, or its answer.
    fn job(
        &self,
        board: &Board,
        ticket: u64,
        limits: &Limits<'_>,
    ) -> Result<JobRef<H>, Result<Outcome, SearchError>> {
        let account = Account::new();
        let root = match self.root(board) {
            Ok(root) => root,
            Err(SearchError::Unsolvable(reason)) => {
                return Err(Ok(Outcome::unsolvable(reason, account.elapsed())));
            }
            Err(error) => return Err(Err(error)),
        };
        let tree = self.tree(Way::STRAIGHT, board, root);
        let mut bound = first_bound(self.goal(), board, tree.root_estimate());
        let rival = match self.dual(board) {
            Some((way, dual)) => {
                let root = self.heuristic_of(way).root(dual.board());
                let root = root.map_err(|error| Err(error.into()))?;
                let tree = self.tree(way, dual.board(), root);
                // Each move changes parity, so that of both is the same.
                bound = bound.min(first_bound(self.goal(), board, tree.root_estimate()));
                Some(tree)
            }
            None => None,
        };
        let job = Job::new(*board, ticket, tree, bound, Arc::new(account));
        let job = match rival {
            Some(rival) => job.with_rival(rival),
            None => job,
        };
        // The root is a node too, and may be all that there is to it.
        let end = if let Err(kind) = job.account.grant_all(limits, 1) {
            Some(End::Limit(kind))
        } else {
            job.progress().generated = 1;
            match job.account.look(limits) {
                _ if board == self.goal().board() => Some(End::Goal(Vec::new())),
                looked => looked.err().map(End::Limit),
            }
        };
        match end {
            None => Ok(Arc::new(job)),
            Some(end) => {
                let mut progress = job.progress();
                progress.end = Some(end);
                Err(self.outcome(&job, &mut progress))
            }
        }
    }

    /// The answer of a job that has ended.
    fn outcome(&self, job: &Job<H>, progress: &mut Progress) -> Result<Outcome, SearchError> {
        let (goal, mut proved) = (self.goal(), progress.bound);
        if let Rival::Done(generated, expanded) = progress.rival {
            progress.generated += generated;
            progress.expanded += expanded;
            // The other tree holds no solution within the bound.
            proved += 2;
        }
        progress.count_bound();
        let status = match progress.end.take().expect("a search that ended knows why") {
            End::Goal(path) => {
                let direction = |&slide| direction_of(goal.shape(), slide);
                let path: Vec<Direction> = path.iter().map(direction).collect();
                let moves = self.moves_of(job.way(), &job.board, path)?;
                within_bound(goal, &job.board, moves, proved)?
            }
            End::Limit(kind) => {
                let first = first_bound(goal, &job.board, job.initial_estimate);
                Status::Limit { kind, lower_bound: proved.max(first) }
            }
        };
        let bounds = std::mem::take(&mut progress.bounds);
        let generated: u64 = bounds.iter().map(|count| count.generated).sum();
        Ok(Outcome {
            status,
            initial_estimate: Some(job.initial_estimate),
            generated,
            expanded: bounds.iter().map(|count| count.expanded).sum(),
            lookups: lookups(
                self.heuristic().lookups(),
                generated.saturating_sub(1),
                progress.entered,
            ),
            bounds,
            memory_bytes: 0,
            elapsed: job.account.elapsed(),
        })
    }

    /// The solution of a board that the moves are on some way.
    pub(crate) fn moves_of(
        &self,
        way: Way,
        board: &Board,
        moves: Vec<Direction>,
    ) -> Result<Vec<Direction>, SearchError> {
        if !way.is_dual {
            return Ok(moves);
        }
        let length = moves.len();
        let dual = Dual::new(self.goal(), board, self.goal_of(way));
        dual.and_then(|dual| dual.solution(&moves)).ok_or(SearchError::Replay { length })
    }
}

/// How many lanes are enough: a core waits for some sixteen look-ups at a time, and a node has two children.
fn lanes_for<H: Heuristic>(heuristic: &H) -> usize {
    if !H::SETTLES && heuristic.lookups()[0] > 1 { 4 } else { 8 }
}

/// Has all boards solved by some other search, a board a thread.
pub fn solve_each(
    boards: &dyn Boards,
    thread_count: usize,
    solve: &(dyn Fn(&Board) -> Result<Outcome, SearchError> + Sync),
) {
    on_threads(thread_count, &|| {
        loop {
            match boards.next() {
                Next::Board(board, ticket) => boards.answer(ticket, solve(&board)),
                Next::Later => std::thread::sleep(PAUSE),
                Next::End => break,
            }
        }
    });
}

/// Boards, each of which is searched bound by bound.
struct Deepening<'a, H> {
    solver: &'a Solver<H>,
    boards: &'a dyn Boards,
    work: &'a Work<'a>,
}

impl<H: Heuristic> Deepening<'_, H> {
    /// Begins the first bound of a job from the present one on, and the first tree in it, that has anything to be
    /// searched; answers a search that has ended, or that a limit ends first.
    fn begin_bound(&self, job: &Job<H>, progress: &mut Progress) -> Option<Packet<H>> {
        loop {
            if progress.end.is_some() {
                self.boards.answer(job.ticket, self.solver.outcome(job, progress));
                return None;
            }
            let root_slack = progress.bound.saturating_sub(job.root_estimate());
            let wish = self.work.sharing.subtrees;
            let slack_max = slack_max(progress.sizes, root_slack, wish);
            if let Some(packet) = job.begin_bound(progress, slack_max, wish) {
                return Some(packet);
            }
            self.finish_tree(job, progress);
            // Estimates that are far too large may leave any number of bounds empty.
            if progress.end.is_none() {
                let granted = job.account.grant_outside(&self.work.limits, 0);
                progress.end = granted.err().map(End::Limit);
            }
        }
    }

    /// The present tree holds no solution within the bound: it is the rival's turn, if it has not had it, else the
    /// next bound's.
    fn finish_tree(&self, job: &Job<H>, progress: &mut Progress) {
        let own = progress.generated;
        match progress.rival {
            Rival::None => progress.sizes = [progress.sizes[1], own],
            Rival::Open => {
                progress.rival = Rival::Done(own, progress.expanded);
                (progress.generated, progress.expanded) = (0, 0);
                job.exchange();
                if progress.bounds.is_empty() {
                    // Its root is a node, too.
                    match job.account.grant_all(&self.work.limits, 1) {
                        Ok(()) => progress.generated = 1,
                        Err(kind) => progress.end = Some(End::Limit(kind)),
                    }
                }
                return;
            }
            Rival::Done(others, expanded) => {
                if others <= own {
                    job.exchange();
                }
                progress.rival = Rival::Open;
                if own.max(others) >= TELLING {
                    job.drop_rival();
                    progress.rival = Rival::None;
                }
                progress.sizes = [progress.sizes[1], own.min(others)];
                progress.generated += others;
                progress.expanded += expanded;
            }
        }
        progress.count_bound();
        self.boards.bound_done(job.ticket, &progress.bounds, job.account.elapsed());
        progress.bound += 2;
    }
}

/// A bound is cut when the one before has generated so many nodes: what less takes is found as quickly
/// without.
const CUT_FROM: u64 = 300;
/// How many nodes the subtrees of a bound have about: fewer, and each takes longer to begin than to search.
const SUBTREE_NODES: f64 = 300.0;
/// How the nodes grow from one bound to the next, where there are not two bounds to tell.
const GROWTH: f64 = 5.0;

/// How many nodes one of two trees has at least within the bound that tells which of them is smaller. Later bounds
/// would tell more, but are searched in vain for one of the two.
const TELLING: u64 = 20;

/// So many nodes of each tree are searched to tell which one is smaller, where a board is searched for long.
const MEASURED: u64 = 20_000;

/// The most slack of the subtrees that a bound is cut into, after two bounds of these sizes; `root_slack` is that of the
/// board. The nodes of a subtree grow with its slack as those of the board grow from bound to bound.
fn slack_max([before, last]: [u64; 2], root_slack: u32, subtrees: u32) -> u32 {
    if last < CUT_FROM || subtrees <= 1 {
        return u32::MAX;
    }
    let nodes = last as f64;
    let growth = if before > 0 { nodes / before as f64 } else { GROWTH };
    // Small bounds grow by anything.
    let growth = growth.clamp(3.0, 12.0);
    let next = nodes * growth;
    let subtree = SUBTREE_NODES.max(next / f64::from(subtrees));
    let above = 2.0 * (next / subtree).ln() / growth.ln();
    (f64::from(root_slack) - above).max(0.0) as u32
}

impl<H: Heuristic> Source<H> for Deepening<'_, H> {
    fn begin(&self) -> Begun<H> {
        match self.boards.next() {
            Next::Board(board, ticket) => {
                match self.solver.job(&board, ticket, &self.work.limits) {
                    Ok(job) => {
                        let packet = self.begin_bound(&job, &mut job.progress());
                        packet.map_or(Begun::Answered, |packet| Begun::Search(job, packet))
                    }
                    Err(answer) => {
                        self.boards.answer(ticket, answer);
                        Begun::Answered
                    }
                }
            }
            Next::Later => Begun::Later,
            Next::End => Begun::End,
        }
    }

    fn go_on(&self, job: &Job<H>, progress: &mut Progress) -> Option<Packet<H>> {
        if progress.end.is_none() {
            self.finish_tree(job, progress);
        }
        self.begin_bound(job, progress)
    }
}

/// The cells of the tiles that the moves of a board move, in the order of moves. The places of the
/// roots have the same ones.
fn first_moves(order: [Direction; 4], board: &Board) -> impl Iterator<Item = Cell> {
    let (shape, blank) = (board.shape(), board.blank());
    order.into_iter().filter_map(move |direction| direction.tile_cell(shape, blank))
}

/// The first moves of a board that a mirror image of the board makes superfluous: of two moves that
/// are each other's image, the later one in the order of moves.
fn mirrored_moves(order: [Direction; 4], goal: &Goal, board: &Board) -> u8 {
    let shape = board.shape();
    let is_mirror = |symmetry: &Symmetry| {
        // Every tile's home goes where the tile goes.
        shape.all_cells().iter().all(|cell| {
            let tile = board.tile(symmetry.cell(cell));
            symmetry.cell(goal.home(board.tile(cell))) == goal.home(tile)
        })
    };
    let mut excluded = 0;
    for symmetry in Symmetry::keeping(shape, goal.home(BLANK)).filter(is_mirror) {
        for (i, later) in first_moves(order, board).enumerate() {
            let image = symmetry.cell(later);
            if first_moves(order, board).take(i).any(|earlier| earlier == image) {
                excluded |= 1 << i;
            }
        }
    }
    excluded
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use pdb_core::Shape;

    use super::*;
    use crate::heuristics::Manhattan;
    use crate::{KORF_BLANK_LAST, LimitKind, Limits, Status};

    #[test]
    fn a_search_that_is_cancelled_before_it_begins_prepares_nothing() {
        let goal = Goal::blank_last(Shape::new(5, 5).unwrap());
        let solver = Solver::new(Manhattan::new(&goal), &goal, KORF_BLANK_LAST).unwrap();
        let mut board = *goal.board();
        board.slide(23, 24);
        let stop = AtomicBool::new(true);
        let work = |stop| Work { limits: Limits { stop, ..Limits::default() }, ..Work::default() };
        let outcome = solver.solve(&board, &work(Some(&stop))).unwrap();
        assert!(matches!(outcome.status, Status::Limit { kind: LimitKind::Interrupted, .. }));
        assert_eq!(outcome.generated, 1);
        assert!(solver.moves.get().is_none());

        solver.solve(&board, &work(None)).unwrap();
        assert!(solver.moves.get().is_some());
    }
}
