//! IDA* for one board or many, tuned for speed.
//!
//! The lanes prune nodes by the bound, and [duplicate moves](crate::moves) are pruned. This module
//! omits first moves that mirror images make superfluous ([`mirrored_moves`]), and chooses the
//! smaller of a board's tree and its dual's.

use std::fmt;
use std::slice;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use pdb_core::{
    Axis, Board, Cell, Direction, Dual, Goal, Heuristic, Metric, RootError, SlideHeuristic,
    Symmetry,
};

use crate::checks::{answer, check_admissible, check_order, directions_of};
use crate::counts::Counts;
use crate::improver::{AnySolution, Improvement, ImproverSettings};
use crate::improving::BoardGuest;
use crate::lane::{AnyHeuristics, GoalTarget, Heuristics, Leaves, Position, Subtree};
use crate::moves::Moves;
use crate::order::LazyOrder;
use crate::outcome::lookups;
use crate::pool::{
    Account, BoardList, Boards, Guest, Job, JobBegin, JobEnd, JobProgress, JobSource, JobStart,
    Next, PAUSE, Pool, Rival, on_threads,
};
use crate::rules::Rules;
use crate::slide_lane::SlideHeuristics;
use crate::tree::{RouteId, Tree};
use crate::{BoundCount, Limits, Options, Outcome, Progress, SearchError, SlideManhattan, Status};

/// The distribution of a [`Solver`]'s work.
#[derive(Clone, Copy, Debug)]
pub struct Sharing {
    /// Number of subtrees that each thread searches concurrently. Default: 8, or 4 if a heuristic
    /// makes several look-ups of a child at once. A heuristic that does not wait for memory has a
    /// single one.
    pub lanes: Option<usize>,
    /// Number of boards that are searched at once. Default: the number of lanes of all threads, for
    /// the most boards per second; 1 finishes each board as soon as possible.
    pub boards_at_once: Option<usize>,
    /// Approximate limit on the number of subtrees into which the tree of one board is cut. Each
    /// bound searches them in an order that follows from the estimates which the previous bound met
    /// in them. Default: 2000, because more hardly improve the order; 1 keeps the order of moves.
    /// There may be several times as many, because their sizes are estimated. A search in
    /// [packets](crate::packets) has packets instead.
    pub subtrees: u32,
}

impl Sharing {
    /// One lane, and the order of moves.
    pub const PLAIN: Self = Self { lanes: Some(1), boards_at_once: Some(1), subtrees: 1 };
}

impl Default for Sharing {
    fn default() -> Self {
        Self { lanes: None, boards_at_once: None, subtrees: 2000 }
    }
}

/// The settings of one call of a [`Solver`].
#[derive(Clone, Copy, Debug)]
pub struct Work<'a> {
    /// The limits of the search of each board. Default: none.
    pub limits: Limits<'a>,
    /// The distribution of the work among lanes.
    pub sharing: Sharing,
    /// Number of threads, including the calling one. Default: 1. If the system cannot start all
    /// threads, fewer run.
    pub thread_count: usize,
    /// Improvement of a solution beside the proof, if [`Sharing::boards_at_once`] is 1. Default:
    /// none.
    pub improvement: Option<Improvement>,
    /// The known solution and bound of a single board. The search begins with them and improves
    /// them; its limits are those of all searches that share them. Default: nothing is known.
    pub account: Option<&'a Arc<Account>>,
}

impl Default for Work<'_> {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            sharing: Sharing::default(),
            thread_count: 1,
            improvement: None,
            account: None,
        }
    }
}

/// Finds shortest sequences of moves to one goal, on any number of threads.
///
/// It searches boards by iterative deepening, as [`ida_star`](Self::ida_star) does, with the same
/// lengths and, unless it has [duals](Self::with_duals), the same bounds. Its order differs: many
/// subtrees are searched concurrently, on each thread and on all of them. Sequences of moves that
/// lead to the same board as another one that is not longer are pruned, and so is one of two
/// mirrored first moves of a board that is its own mirror image.
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
pub struct Solver<'h> {
    pub(crate) heuristics: Box<dyn AnyHeuristics + 'h>,
    /// The goal first, then the goals of [duals](Dual); and each goal as lanes compare it.
    pub(crate) goals: Vec<Goal>,
    pub(crate) targets: Vec<GoalTarget>,
    pub(crate) rules: Rules,
    /// The order of boards by which an improvement chooses.
    order_of_boards: Option<Arc<LazyOrder>>,
    /// Finds the solution that an improvement begins with.
    any_solution: Option<AnySolution<'h>>,
    /// Made by the first search, within some milliseconds.
    moves: OnceLock<Moves>,
    order: [Direction; 4],
}

impl fmt::Debug for Solver<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { goals, order, .. } = self;
        f.debug_struct("Solver").field("goals", goals).field("order", order).finish_non_exhaustive()
    }
}

impl<'h> Solver<'h> {
    /// Makes a solver for boards of the goal's shape, which tries moves in this
    /// [order](crate::Options::order). `heuristic` must have been made for `goal`.
    ///
    /// Keep it: the first search makes tables that all further ones use, which takes up to some ten
    /// milliseconds. Any number of threads may search, one board or many at a time.
    ///
    /// # Errors
    /// [`SearchError::Order`] when the order is not a permutation, [`SearchError::Inadmissible`]
    /// for a learned heuristic.
    pub fn new<H: Heuristic + Send + 'h>(
        heuristic: H,
        goal: &Goal,
        order: [Direction; 4],
    ) -> Result<Self, SearchError> {
        Self::with_duals(vec![heuristic], vec![*goal], order)
    }

    /// Makes a solver with heuristics for several goals of the same shape, so that a board's
    /// [dual](Dual) may be searched instead. The first goal is that of the boards, the others are
    /// those of duals. The first bounds are searched in both trees, until one tree has 20 nodes
    /// within a bound; from there on only the smaller tree is searched. If the larger tree is less
    /// than four times as large, both are compared once more, within the first bound of 100,000
    /// nodes. The bounds begin at the smaller of both estimates.
    ///
    /// [`solve`](Self::solve), [`solve_all`](Self::solve_all) and searches in
    /// [packets](crate::packets) use duals.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    ///
    /// # Panics
    /// Without a goal, when a goal has another shape, and when there are not as many heuristics.
    pub fn with_duals<H: Heuristic + Send + 'h>(
        heuristics: Vec<H>,
        goals: Vec<Goal>,
        order: [Direction; 4],
    ) -> Result<Self, SearchError> {
        assert_eq!(heuristics.len(), goals.len(), "each goal has a heuristic");
        for heuristic in &heuristics {
            check_admissible(heuristic.is_admissible(), "IDA* in lanes")?;
        }
        Self::of_any(Box::new(Heuristics(heuristics)), goals, order, Metric::SingleTile)
    }

    /// Makes a solver that counts slides of one or more tiles as one move each
    /// ([`Metric::MultiTile`]), for boards of the goal's shape. Lengths, bounds and estimates are
    /// numbers of slides then; solutions are moves of single tiles. `heuristic` must have been made
    /// for `goal`. An improvement begins with the solution that `any_solution` finds, as moves of
    /// single tiles.
    ///
    /// # Errors
    /// [`SearchError::Order`] when the order is not a permutation.
    pub fn of_slides<H: SlideHeuristic + 'h>(
        heuristic: H,
        goal: &Goal,
        order: [Direction; 4],
        any_solution: Option<AnySolution<'h>>,
    ) -> Result<Self, SearchError> {
        let heuristics = Box::new(SlideHeuristics { heuristic, shape: goal.shape() });
        let solver = Self::of_any(heuristics, vec![*goal], order, Metric::MultiTile)?;
        Ok(Self { any_solution, ..solver })
    }

    fn of_any(
        heuristics: Box<dyn AnyHeuristics + 'h>,
        goals: Vec<Goal>,
        order: [Direction; 4],
        metric: Metric,
    ) -> Result<Self, SearchError> {
        check_order(order)?;
        let is_same = |goal: &Goal| goal.shape() == goals[0].shape();
        assert!(goals.iter().all(is_same), "duals have the shape of the boards");
        let targets = goals.iter().map(GoalTarget::new).collect();
        let (order_of_boards, any_solution) = (None, None);
        let (rules, moves) = (Rules::of(metric), OnceLock::new());
        Ok(Self { heuristics, goals, targets, rules, order_of_boards, any_solution, moves, order })
    }

    /// Returns the solver with a learned order for its goal, by which an [`Improvement`] chooses
    /// boards instead of by estimates.
    ///
    /// # Panics
    /// When slides count; later, when the order is made and is for another goal.
    #[must_use]
    pub fn with_order(self, order: Arc<LazyOrder>) -> Self {
        assert_eq!(self.rules.metric, Metric::SingleTile);
        Self { order_of_boards: Some(order), ..self }
    }

    /// Returns the estimate of a board.
    ///
    /// # Errors
    /// [`RootError`] when the board has another shape than the goal or no solution, or the
    /// heuristic's table is damaged.
    pub fn estimate(&self, board: &Board) -> Result<u32, RootError> {
        let [horizontal, vertical] = self.estimates(board)?;
        Ok(horizontal.min(vertical))
    }

    /// Returns the estimates of a board by the axis of the first move, in the order of
    /// [`Axis::BOTH`]. They differ only where slides count.
    ///
    /// # Errors
    /// As [`estimate`](Self::estimate).
    pub fn estimates(&self, board: &Board) -> Result<[u32; 2], RootError> {
        self.goal().check(board)?;
        self.heuristics.estimates(board)
    }

    /// Returns the goal of the solver.
    pub fn goal(&self) -> &Goal {
        &self.goals[0]
    }

    /// Returns the order in which it tries moves.
    pub fn order(&self) -> [Direction; 4] {
        self.order
    }

    /// Solves one board.
    ///
    /// Nodes are counted as soon as their estimate is computed, children of one node together,
    /// whether they are pruned, searched or left because the goal was found elsewhere. On several
    /// threads the nodes of the last bound, and the choice among several shortest solutions, may
    /// differ from one time to the next.
    ///
    /// # Errors
    /// As [`ida_star`](Self::ida_star), and [`SearchError::Account`].
    pub fn solve(&self, board: &Board, work: &Work<'_>) -> Result<Outcome, SearchError> {
        let list = BoardList::new(slice::from_ref(board));
        let sharing = Sharing { boards_at_once: Some(1), ..work.sharing };
        self.solve_all(&list, &Work { sharing, ..*work });
        list.into_answers().remove(0)
    }

    /// Solves all boards, such as those of a [`BoardList`]; each is answered as soon as it is
    /// solved. The limits are those of each board.
    ///
    /// [`Outcome::elapsed`] is the time from the start of a board's search to its answer, during
    /// which its thread also searches other boards.
    pub fn solve_all(&self, boards: &dyn Boards, work: &Work<'_>) {
        let is_single = work.sharing.boards_at_once == Some(1);
        let improvement = work.improvement.filter(|_| is_single);
        let settings = improvement.map(|improvement| self.improver_settings(improvement, work));
        let guest = settings.map(|settings| BoardGuest::new(settings, boards));
        let source = Deepening { solver: self, boards, work, guest };
        let guest = source.guest.as_ref().map(|guest| guest as &dyn Guest);
        self.search_all((&source, guest), work);
    }

    /// Searches until the source ends.
    pub(crate) fn search_all(
        &self,
        (source, guest): (&dyn JobSource, Option<&dyn Guest>),
        work: &Work<'_>,
    ) {
        let Sharing { lanes, boards_at_once, .. } = work.sharing;
        let at_once = boards_at_once.unwrap_or(usize::MAX);
        let lane_count = self.heuristics.lane_count();
        let lane_count = lane_count.map_or(1, |count| lanes.unwrap_or(count));
        // Made by the first job that is searched, as a part of that search.
        let lanes = || self.heuristics.lanes(self.moves(), &self.targets);
        Pool::run(&lanes, &work.limits, (source, guest), lane_count, at_once, work.thread_count);
    }

    pub(crate) fn moves(&self) -> &Moves {
        self.moves.get_or_init(|| match self.rules.metric {
            Metric::SingleTile => Moves::without_duplicates(self.goal().shape(), self.order),
            Metric::MultiTile => Moves::none(),
        })
    }

    /// Returns the estimate and the leaves of a solvable board.
    pub(crate) fn root(&self, board: &Board) -> Result<(u32, Leaves), SearchError> {
        self.goal().check(board)?;
        Ok(self.heuristics.root(0, board)?)
    }

    /// Returns the dual of a solvable board, and its route, if one of the routes is for it.
    pub(crate) fn dual(&self, board: &Board) -> Option<(RouteId, Dual)> {
        // A solver without other goals searches boards themselves.
        let goals = if self.goals.len() > 1 { &*self.goals } else { &[] };
        let dual = |(index, goal): (usize, &Goal)| {
            let id = RouteId { index, is_dual: true };
            Some((id, Dual::new(self.goal(), board, goal)?))
        };
        goals.iter().enumerate().find_map(dual)
    }

    /// Returns the settings of an improver beside a search.
    pub(crate) fn improver_settings<'a>(
        &'a self,
        improvement: Improvement,
        work: &Work<'a>,
    ) -> ImproverSettings<'a> {
        ImproverSettings {
            goals: &self.goals,
            heuristics: &*self.heuristics,
            order: self.order_of_boards.as_deref(),
            any_solution: self.any_solution.as_ref(),
            shortest,
            rules: self.rules,
            improvement,
            limits: work.limits,
            thread_count: work.thread_count,
        }
    }

    /// Returns the goal of a route.
    pub(crate) fn goal_of(&self, route: RouteId) -> &Goal {
        &self.goals[route.index]
    }

    /// Returns whether the tree of a board's dual is smaller than the board's own, judged by the
    /// last bound that [`MEASURED`] nodes of both complete.
    pub(crate) fn is_dual_smaller(
        &self,
        board: &Board,
        route: RouteId,
        dual: &Dual,
    ) -> Result<bool, SearchError> {
        let mut sizes = [0; 2];
        for nodes in MEASURED {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let options = Options { order: self.order, limits };
            let measured =
                |route: RouteId, board: &Board| self.ida_star_on(route.index, board, &options);
            let trees = [measured(RouteId::STRAIGHT, board)?, measured(route, dual.board())?];
            sizes = sizes_within_last_bound(&trees);
            if is_certain(sizes) {
                break;
            }
        }
        Ok(sizes[1] < sizes[0])
    }

    /// Makes the tree of a board, or of its dual.
    fn tree(&self, route: RouteId, board: &Board, root: (u32, Leaves)) -> Tree {
        Tree::new(route, Position::root(board), root, &[], self.excluded(route, board))
    }

    /// Returns the omitted first moves of a board or of its dual, a bit each; of slides, a bit for
    /// each axis.
    pub(crate) fn excluded(&self, route: RouteId, board: &Board) -> u8 {
        match self.rules.metric {
            Metric::SingleTile => mirrored_moves(self.order, self.goal_of(route), board),
            Metric::MultiTile => 0,
        }
    }

    /// Returns the first move of a board that takes back the move `after`, or the axis of the slide
    /// `after`, as a bit among the omitted moves.
    pub(crate) fn undoing(&self, board: &Board, after: Direction) -> u8 {
        if self.rules.metric == Metric::MultiTile {
            return 1 << Axis::of(after) as u8;
        }
        let from = after.opposite().tile_cell(board.shape(), board.blank());
        let moves = first_moves(self.order, board).enumerate();
        moves.filter(|&(_, cell)| Some(cell) == from).fold(0, |set, (i, _)| set | 1 << i)
    }

    /// Makes the job of a board, or its answer if no search is needed.
    fn job(
        &self,
        board: &Board,
        ticket: u64,
        Work { limits, account, .. }: &Work<'_>,
    ) -> Result<JobBegin<Outcome>, SearchError> {
        let account = account.map_or_else(|| Arc::new(Account::new()), Arc::clone);
        account.begin(board, self.goal(), self.rules.metric)?;
        let root = match self.root(board) {
            Err(SearchError::Root(RootError::Unsolvable(reason))) => {
                let status = Status::Unsolvable(reason);
                return Ok(JobBegin::Answered(Outcome::of(status, account.elapsed())));
            }
            root => root?,
        };
        let tree = self.tree(RouteId::STRAIGHT, board, root);
        let mut bound = self.rules.first_bound(self.goal(), board, tree.root_estimate);
        let rival = match self.dual(board) {
            Some((route, dual)) => {
                let root = self.heuristics.root(route.index, dual.board())?;
                let tree = self.tree(route, dual.board(), root);
                // Each move changes parity, so both estimates have the same parity.
                bound = bound.min(self.rules.first_bound(self.goal(), board, tree.root_estimate));
                Some(tree)
            }
            None => None,
        };
        // Two bounds before the first new one show its size, and which of two trees is smaller.
        let proved = account.lower_bound().saturating_sub(2 * self.rules.step);
        bound = self.rules.first_bound(self.goal(), board, bound.max(proved));
        account.raise(bound);
        let job = Job::new(*board, ticket, tree, rival, bound, account);
        // The root is a node too, and may be the goal.
        let end = if let Err(kind) = job.account.grant_all(limits, 1) {
            Some(JobEnd::Limit(kind))
        } else {
            job.progress().counts.generated = 1;
            match job.account.look(limits) {
                _ if board == self.goal().board() => Some(JobEnd::Goal(Vec::new())),
                _ if job.account.is_met() => Some(JobEnd::Met),
                looked => looked.err().map(JobEnd::Limit),
            }
        };
        if end.is_none() {
            return Ok(JobBegin::Search(Arc::new(job)));
        }
        let mut progress = job.progress();
        progress.end = end;
        self.outcome(&job, &mut progress).map(JobBegin::Answered)
    }

    /// Makes the answer of a job that has ended.
    fn outcome(&self, job: &Job, progress: &mut JobProgress) -> Result<Outcome, SearchError> {
        let (goal, rules, mut proved) = (self.goal(), self.rules, progress.bound);
        let account = &job.account;
        if let Rival::Done(others) = progress.rival {
            progress.counts = progress.counts.plus(others);
            // The other tree holds no solution within the bound.
            proved += self.rules.step;
        }
        progress.count_bound();
        let status = match progress.end.take().expect("a search that ended knows why") {
            JobEnd::Goal(path) => {
                let path = directions_of(goal.shape(), &path);
                let moves = self.moves_of(job.trees().present.route, &job.board, path)?;
                Status::Optimal { moves: rules.within_bound(goal, &job.board, moves, proved)? }
            }
            end => {
                let first = rules.first_bound(goal, &job.board, job.initial_estimate);
                let lower_bound = proved.max(first).max(account.lower_bound());
                match (account.moves(), end) {
                    (Some(moves), end) => {
                        let (metric, board) = (rules.metric, &job.board);
                        let mut status = answer(metric, goal, board, moves, lower_bound, true)?;
                        if let (Status::Solved { limit, .. }, JobEnd::Limit(kind)) =
                            (&mut status, end)
                        {
                            *limit = Some(kind);
                        }
                        status
                    }
                    (None, JobEnd::Limit(kind)) => Status::Limit { kind, lower_bound },
                    (None, _) => unreachable!("bounds meet where there is a solution"),
                }
            }
        };
        let bounds = std::mem::take(&mut progress.bounds);
        let counts = bounds.iter().copied().map(Counts::from);
        let Counts { generated, expanded } = counts.fold(Counts::default(), Counts::plus);
        Ok(Outcome {
            initial_estimate: Some(job.initial_estimate),
            generated: generated + account.improved(),
            expanded,
            lookups: lookups(
                self.heuristics.lookups(),
                generated.saturating_sub(1),
                progress.entered,
            ),
            bounds,
            ..Outcome::of(status, job.account.elapsed())
        })
    }

    /// Returns the solution of a board from the moves of a route.
    pub(crate) fn moves_of(
        &self,
        route: RouteId,
        board: &Board,
        moves: Vec<Direction>,
    ) -> Result<Vec<Direction>, SearchError> {
        if !route.is_dual {
            return Ok(moves);
        }
        let length = moves.len();
        let dual = Dual::new(self.goal(), board, self.goal_of(route));
        dual.and_then(|dual| dual.solution(&moves)).ok_or(SearchError::Replay { length })
    }
}

/// Solves all boards by another search, one board per thread. `solve` gets each board with the
/// limits of its search.
pub fn solve_each(
    boards: &dyn Boards,
    work: &Work<'_>,
    solve: &(dyn Fn(&Board, Limits<'_>) -> Result<Outcome, SearchError> + Sync),
) {
    on_threads(work.thread_count, &|| {
        loop {
            match boards.next() {
                Next::Board(board, ticket) => {
                    let progress = BoardProgress { boards, ticket, of_nodes: work.limits.progress };
                    let limits = Limits { progress: Some(&progress), ..work.limits };
                    boards.answer(ticket, solve(&board, limits));
                }
                Next::Later => std::thread::sleep(PAUSE),
                Next::End => break,
            }
        }
    });
}

/// Receiver of the progress of one of several boards.
struct BoardProgress<'a> {
    boards: &'a dyn Boards,
    ticket: u64,
    of_nodes: Option<&'a dyn Progress>,
}

impl fmt::Debug for BoardProgress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoardProgress").field("ticket", &self.ticket).finish_non_exhaustive()
    }
}

impl Progress for BoardProgress<'_> {
    fn generated(&self, count: u64) {
        if let Some(of_nodes) = self.of_nodes {
            of_nodes.generated(count);
        }
    }

    fn bound_done(&self, bounds: &[BoundCount], elapsed: Duration) {
        self.boards.bound_done(self.ticket, bounds, elapsed);
    }
}

/// Source of boards that are searched bound by bound.
struct Deepening<'a> {
    solver: &'a Solver<'a>,
    boards: &'a dyn Boards,
    work: &'a Work<'a>,
    guest: Option<BoardGuest<'a>>,
}

impl Deepening<'_> {
    /// Begins the next bound and tree of a job with a subtree to search, starting with the current
    /// ones. Answers a finished search.
    fn begin_bound(&self, job: &Job, progress: &mut JobProgress) -> Option<Subtree> {
        loop {
            if progress.end.is_some() {
                job.account.end();
                if let Some(guest) = &self.guest {
                    guest.end();
                }
                self.boards.answer(job.ticket, self.solver.outcome(job, progress));
                return None;
            }
            let root_slack = progress.bound.saturating_sub(job.trees().present.root_estimate);
            let wish = self.work.sharing.subtrees;
            let slack_max = slack_max(progress.sizes, root_slack, wish, self.solver.rules.step);
            if let Some(subtree) = job.begin_bound(progress, slack_max, wish) {
                return Some(subtree);
            }
            self.finish_tree(job, progress);
            // Estimates that are far too large may leave any number of bounds empty.
            if progress.end.is_none() {
                progress.end = job.account.look_for_end(&self.work.limits).err();
            }
        }
    }

    /// Continues with the rival tree or the next bound, after the current tree contained no
    /// solution within the bound.
    fn finish_tree(&self, job: &Job, progress: &mut JobProgress) {
        let own = progress.counts.generated;
        match progress.rival {
            Rival::None => progress.sizes = [progress.sizes[1], own],
            Rival::Later if own < DECISIVE_AGAIN => progress.sizes = [progress.sizes[1], own],
            Rival::Open | Rival::Later => {
                progress.rival = Rival::Done(std::mem::take(&mut progress.counts));
                job.trees().exchange();
                if progress.bounds.is_empty() {
                    // The rival's root is a node, too.
                    match job.account.grant_all(&self.work.limits, 1) {
                        Ok(()) => progress.counts.generated = 1,
                        Err(kind) => progress.end = Some(JobEnd::Limit(kind)),
                    }
                }
                return;
            }
            Rival::Done(counts) => {
                let others = counts.generated;
                if others <= own {
                    job.trees().exchange();
                }
                progress.rival = next_comparison([own, others]);
                if progress.rival == Rival::None {
                    job.trees().rival = None;
                }
                progress.sizes = [progress.sizes[1], own.min(others)];
                progress.counts = progress.counts.plus(counts);
            }
        }
        progress.count_bound();
        job.account.bound_done(&progress.bounds);
        self.boards.bound_done(job.ticket, &progress.bounds, job.account.elapsed());
        progress.bound += self.solver.rules.step;
        job.account.raise(progress.bound);
    }
}

/// Number of nodes of the previous bound from which a bound is cut: smaller bounds are searched as
/// fast whole.
const CUT_FROM: u64 = 300;
/// Smallest intended size of a subtree, in nodes: smaller ones take longer to begin than to search.
const SUBTREE_NODES: f64 = 300.0;
/// Assumed growth of the nodes from one bound to the next, before two bounds are known.
const GROWTH: f64 = 5.0;

/// Number of nodes of the larger tree within the first bound that decides which of two trees is
/// smaller. Later bounds would decide better, but their search is wasted for one of the two.
const DECISIVE: u64 = 20;
/// Ratio of two trees from which the smaller one is certain.
const CERTAIN: u64 = 4;
/// Number of nodes of a tree within a bound from which two similar trees are compared again. The
/// bounds of 15-puzzles seldom have as many.
const DECISIVE_AGAIN: u64 = 100_000;

/// Numbers of nodes of each tree that are searched to measure which one is smaller, for a search in
/// packets: the second one where the first leaves similar trees.
const MEASURED: [u64; 2] = [20_000, 1_000_000];

/// Returns whether and when two trees of these sizes within a bound are compared again.
fn next_comparison([own, other]: [u64; 2]) -> Rival {
    if own.max(other) < DECISIVE {
        Rival::Open
    } else if is_certain([own, other]) || own.min(other) >= DECISIVE_AGAIN {
        Rival::None
    } else {
        Rival::Later
    }
}

/// Returns the nodes of two searches within the last bound that both have completed.
fn sizes_within_last_bound(trees: &[Outcome; 2]) -> [u64; 2] {
    // The last bound of each is incomplete. A tree that begins later has no nodes within earlier
    // bounds.
    let last = |tree: &Outcome| tree.bounds.last().map_or(0, |count| count.bound.saturating_sub(2));
    let bound = last(&trees[0]).min(last(&trees[1]));
    trees.each_ref().map(|tree| {
        let count = tree.bounds.iter().find(|count| count.bound == bound);
        count.map_or(0, |count| count.generated)
    })
}

/// Returns whether two trees differ so much that further bounds will not reverse their order.
fn is_certain([own, other]: [u64; 2]) -> bool {
    own.max(other) > CERTAIN * own.min(other)
}

/// Returns the largest slack of the subtrees of a bound, after two bounds of these sizes that are
/// `step` moves apart; `root_slack` is the board's. The number of nodes of a subtree grows with its
/// slack as the number of nodes of the board grows from bound to bound.
fn slack_max([before, last]: [u64; 2], root_slack: u32, subtrees: u32, step: u32) -> u32 {
    if last < CUT_FROM || subtrees <= 1 {
        return u32::MAX;
    }
    let nodes = last as f64;
    let growth = if before > 0 { nodes / before as f64 } else { GROWTH };
    // The growth of small bounds varies widely.
    let growth = growth.clamp(3.0, 12.0);
    let next = nodes * growth;
    let subtree = SUBTREE_NODES.max(next / f64::from(subtrees));
    let above = f64::from(step) * (next / subtree).ln() / growth.ln();
    (f64::from(root_slack) - above).max(0.0) as u32
}

impl JobSource for Deepening<'_> {
    fn begin(&self) -> JobStart {
        match self.boards.next() {
            Next::Board(board, ticket) => {
                let answer = match self.solver.job(&board, ticket, self.work) {
                    Ok(JobBegin::Search(job)) => {
                        if let Some(guest) = &self.guest {
                            guest.begin(&job);
                        }
                        let subtree = self.begin_bound(&job, &mut job.progress());
                        return subtree
                            .map_or(JobStart::Answered, |subtree| JobStart::Search(job, subtree));
                    }
                    Ok(JobBegin::Answered(outcome)) => Ok(outcome),
                    Err(error) => Err(error),
                };
                self.boards.answer(ticket, answer);
                JobStart::Answered
            }
            Next::Later => JobStart::Later,
            Next::End => JobStart::End,
        }
    }

    fn go_on(&self, job: &Job, progress: &mut JobProgress) -> Option<Subtree> {
        if progress.end.is_none() {
            self.finish_tree(job, progress);
        }
        self.begin_bound(job, progress)
    }
}

/// Nodes that a stretch of a solution by slides may take.
const STRETCH_NODES: u64 = 50_000;

/// Returns a shortest solution by slides for any goal, if few nodes find it.
fn shortest(goal: &Goal, board: &Board) -> Option<Vec<Direction>> {
    let limits = Limits { nodes: Some(STRETCH_NODES), ..Limits::default() };
    let order = Options::default().order;
    let solver = Solver::of_slides(SlideManhattan::new(goal), goal, order, None).ok()?;
    let outcome = solver.solve(board, &Work { limits, ..Work::default() }).ok()?;
    outcome.status.moves().map(<[_]>::to_vec)
}

/// Returns the cells of the tiles that the moves of a board move, in the order of moves, which is
/// that of the roots' places.
fn first_moves(order: [Direction; 4], board: &Board) -> impl Iterator<Item = Cell> {
    let (shape, blank) = (board.shape(), board.blank());
    order.into_iter().filter_map(move |direction| direction.tile_cell(shape, blank))
}

/// Returns the first moves that are pruned because a mirror image keeps the board: of two moves
/// that are each other's image, the later one in the order of moves.
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
    for symmetry in goal.mirrors().filter(is_mirror) {
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
    use crate::Manhattan;
    use crate::{KORF_BLANK_LAST, LimitKind, Limits, Status};

    #[test]
    fn cancelled_search_prepares_nothing() {
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
