//! Many searches at once, on one core and on all of them.
//!
//! A [`Solver`] searches boards by iterative deepening, as [`ida_star`](crate::ida_star) does, with
//! the same lengths and the same bounds. It differs in the order of its work:
//!
//! 1. A thread has several lanes. Each searches a subtree on its own stack and stops where it waits
//!    for memory; the thread goes around, so that one's loads hide behind the others' work.
//! 2. An idle lane takes a subtree that was given away, else the next board, else it splits a lane
//!    of its own thread. So many boards run side by side, and the last ones, or a single one, are
//!    split up.
//! 3. A thread without work says so, and the others give subtrees away.
//! 4. A board's bound is done when all its subtrees are. The lane that finishes the last one begins
//!    the next bound. The first lane that reaches the goal ends the search of its board: a solution
//!    within the bound is a shortest one, whoever finds it.
//!
//! Sequences of moves that others replace are not followed (see the module `moves`), and of a board
//! that is its own mirror image only one of two mirrored first moves.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pdb_core::{BLANK, Board, Direction, Goal, Heuristic, Slide, Symmetry};

use crate::ida::{check, check_order, check_shape, first_bound, lookups, solution};
use crate::lane::{Event, Lane, Packet, Shared, Target, tiles_of};
use crate::limits::CHECK_INTERVAL;
use crate::moves::Moves;
use crate::{BoundCount, LimitKind, Options, Outcome, SearchError, Status, ida_star};

/// How many nodes the search within a bound generates at least before it is split: below, that takes
/// longer than it spares, and the search of a board is the same however many threads there are.
const WHOLE: u64 = 1024;
/// How many times a thread goes around its lanes before it looks at anything else.
const ROUNDS: usize = 64;
/// How many subtrees a thread gives away at once when another one has no work.
const GIFTS: usize = 4;
/// The pause of a thread that found nothing to do for a while.
const PAUSE: Duration = Duration::from_micros(50);

/// How a [`Solver`] shares out its work.
#[derive(Clone, Copy, Debug)]
pub struct Sharing {
    /// Subtrees that each thread searches side by side. Default: 8. A heuristic that does not wait
    /// for memory has a single one.
    pub lanes: usize,
    /// Boards that are searched at a time. Default: as many as there are lanes on all threads, for
    /// the most boards a second; 1 finishes each board as soon as possible.
    pub boards_at_once: Option<usize>,
}

impl Default for Sharing {
    fn default() -> Self {
        Self { lanes: 8, boards_at_once: None }
    }
}

/// What [`Boards::next`] gives.
#[derive(Debug)]
pub enum Next<T> {
    /// A board, and what its answer is to be given back with.
    Board(Board, T),
    /// There is none yet: ask again in a while.
    Later,
    /// There will be none any more.
    End,
}

/// Where boards come from, and where their answers go. Threads call it side by side.
pub trait Boards: Sync {
    /// What tells one board's answer from another's.
    type Ticket: Send;

    /// The next board; does not wait.
    fn next(&self) -> Next<Self::Ticket>;

    /// Takes an answer.
    fn answer(&self, ticket: Self::Ticket, answer: Result<Outcome, SearchError>);
}

/// Finds shortest sequences of moves to one goal, on any number of threads.
///
/// ```
/// use pdb_core::{Board, Goal};
/// use pdb_search::{Manhattan, Options, Sharing, Solver, Status};
///
/// let board: Board = "8 6 7/2 5 4/3 0 1".parse()?;
/// let goal = Goal::blank_last(board.shape());
/// let heuristic = Manhattan::new(&goal);
/// let solver = Solver::new(&heuristic, &goal, Options::default(), Sharing::default())?;
/// let outcome = solver.solve(&board)?;
/// assert!(matches!(outcome.status, Status::Optimal { moves } if moves.len() == 31));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver<'a, H> {
    heuristic: &'a H,
    goal: Goal,
    target: Target,
    moves: Moves,
    options: Options<'a>,
    sharing: Sharing,
}

impl<'a, H: Heuristic> Solver<'a, H> {
    /// A solver for boards of the goal's shape. `heuristic` must have been made for `goal`; the
    /// limits are those of each board.
    ///
    /// Making one takes some milliseconds, which pay from the second board on.
    ///
    /// # Errors
    /// [`SearchError::Order`] when [`Options::order`] is not a permutation.
    pub fn new(
        heuristic: &'a H,
        goal: &Goal,
        options: Options<'a>,
        sharing: Sharing,
    ) -> Result<Self, SearchError> {
        check_order(options.order)?;
        Ok(Self {
            heuristic,
            goal: *goal,
            target: Target::new(goal),
            moves: Moves::without_duplicates(goal.shape(), options.order),
            options,
            sharing,
        })
    }

    /// Solves one board on the calling thread.
    ///
    /// Nodes are counted as soon as their estimate is computed, children of one node together,
    /// whether they are pruned, searched or left because the goal was found elsewhere.
    ///
    /// # Errors
    /// As [`ida_star`](crate::ida_star).
    pub fn solve(&self, board: &Board) -> Result<Outcome, SearchError> {
        self.solve_on(board, 1)
    }

    /// Solves one board on so many threads. How many nodes are generated within the last bound, and
    /// which of several shortest solutions is found, may then differ from one time to the next.
    ///
    /// # Errors
    /// As [`ida_star`](crate::ida_star).
    pub fn solve_on(&self, board: &Board, thread_count: usize) -> Result<Outcome, SearchError> {
        let boards = Single { board: Mutex::new(Some(*board)), answer: Mutex::new(None) };
        self.solve_all(&boards, thread_count);
        let answer = boards.answer.into_inner().unwrap_or_else(PoisonError::into_inner);
        answer.expect("every board is answered")
    }

    /// Solves all boards on so many threads; each is answered as soon as it is solved.
    ///
    /// [`Outcome::elapsed`] goes from the beginning of a board's search to its answer, while its
    /// thread searches other boards too.
    pub fn solve_all<B: Boards>(&self, boards: &B, thread_count: usize) {
        self.search_all(&Deepening(boards), thread_count);
    }

    pub(crate) fn shared(&self) -> Shared<'_, H> {
        Shared { heuristic: self.heuristic, moves: &self.moves, target: &self.target }
    }

    pub(crate) fn goal(&self) -> &Goal {
        &self.goal
    }

    pub(crate) fn order(&self) -> [Direction; 4] {
        self.options.order
    }

    /// The root of a board that is searched on its own, and the first moves that are left out.
    pub(crate) fn root(&self, board: &Board) -> Result<(Root<H>, u8), SearchError> {
        check_shape(&self.goal, board)?;
        self.goal.check_solvable(board).map_err(SearchError::Unsolvable)?;
        let root = self.heuristic.root(board)?;
        Ok((root, mirrored_moves(&self.moves, &self.goal, board)))
    }

    /// Replays a solution, and holds its length against the bound that it was found within.
    pub(crate) fn check(
        &self,
        board: &Board,
        moves: &[Direction],
        bound: u32,
    ) -> Result<(), SearchError> {
        check(&self.goal, board, moves, bound)
    }

    /// Searches until the source ends.
    pub(crate) fn search_all<S: Source<H>>(&self, source: &S, thread_count: usize) {
        let lanes = if H::WAITS { self.sharing.lanes.max(1) } else { 1 };
        let pool = Pool {
            solver: self,
            shared: self.shared(),
            lanes,
            source,
            boards_at_once: self.sharing.boards_at_once.unwrap_or(usize::MAX).max(1),
            active: AtomicUsize::new(0),
            idle: AtomicUsize::new(0),
            has_ended: AtomicBool::new(false),
            has_panicked: AtomicBool::new(false),
            gifts: Mutex::new(VecDeque::new()),
            gift_count: AtomicUsize::new(0),
        };
        std::thread::scope(|scope| {
            // A thread that cannot be started must not leave the others waiting either.
            let _guard = PanicGuard(&pool.has_panicked);
            for _ in 1..thread_count {
                scope.spawn(|| pool.work());
            }
            pool.work();
        });
    }
}

/// Solves all boards by [`ida_star`](crate::ida_star), a board a thread: slower than a [`Solver`],
/// with the node counts of the literature.
pub fn ida_star_all<H: Heuristic, B: Boards>(
    heuristic: &H,
    goal: &Goal,
    options: &Options<'_>,
    boards: &B,
    thread_count: usize,
) {
    let work = || {
        loop {
            match boards.next() {
                Next::Board(board, ticket) => {
                    let answer = heuristic.run(|| ida_star(heuristic, goal, &board, options));
                    boards.answer(ticket, answer);
                }
                Next::Later => std::thread::sleep(PAUSE),
                Next::End => break,
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..thread_count {
            scope.spawn(work);
        }
        work();
    });
}

/// A single board, and its answer.
struct Single {
    board: Mutex<Option<Board>>,
    answer: Mutex<Option<Result<Outcome, SearchError>>>,
}

impl Boards for Single {
    type Ticket = ();

    fn next(&self) -> Next<()> {
        lock(&self.board).take().map_or(Next::End, |board| Next::Board(board, ()))
    }

    fn answer(&self, (): (), answer: Result<Outcome, SearchError>) {
        *lock(&self.answer) = Some(answer);
    }
}

/// What one thread left is as good for the others, even if it panicked: they end, too.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Why the search of a board ends.
#[derive(Clone, Debug)]
pub(crate) enum End {
    Goal(Vec<Slide>),
    Limit(LimitKind),
}

/// The root of a board's tree, as a heuristic keeps it.
pub(crate) type Root<H> = (<H as Heuristic>::State, <H as Heuristic>::Node);

/// A board that is being searched, or a packet of one.
pub(crate) struct Job<H: Heuristic, T> {
    board: Board,
    root: Root<H>,
    initial_estimate: u32,
    /// First moves that are left out, a bit each.
    excluded: u8,
    account: Arc<Account>,
    /// Subtrees within the present bound that are not done.
    left: AtomicUsize,
    /// It may be split.
    is_long: AtomicBool,
    progress: Mutex<Progress<T>>,
}

/// What the limits and the end of a board's search are: of all its jobs, if they are its packets.
#[derive(Debug)]
pub(crate) struct Account {
    started: Instant,
    /// Subtrees that are not done.
    subtrees: AtomicUsize,
    /// Nodes that lanes were allowed to generate.
    granted: AtomicU64,
    is_over: AtomicBool,
}

impl Account {
    pub(crate) fn new() -> Self {
        Self {
            started: Instant::now(),
            subtrees: AtomicUsize::new(0),
            granted: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
        }
    }

    /// Nodes that lanes were allowed to generate: hardly more than they did.
    pub(crate) fn granted(&self) -> u64 {
        self.granted.load(Ordering::Relaxed)
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Forgets the end of an earlier search; the limits go on.
    pub(crate) fn reopen(&self) {
        self.is_over.store(false, Ordering::Relaxed);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

pub(crate) struct Progress<T> {
    /// Taken when the board is answered.
    pub(crate) ticket: Option<T>,
    bound: u32,
    /// Nodes within the present bound.
    pub(crate) generated: u64,
    pub(crate) expanded: u64,
    /// Nodes entered so far, within all bounds.
    entered: u64,
    bounds: Vec<BoundCount>,
    pub(crate) end: Option<End>,
}

pub(crate) type JobRef<H, T> = Arc<Job<H, T>>;

/// Where the searches of a pool come from, and what becomes of them.
pub(crate) trait Source<H: Heuristic>: Sync {
    /// What tells one search from another.
    type Ticket: Send;

    /// The next search; does not wait.
    fn begin(&self, solver: &Solver<'_, H>) -> Begun<H, Self::Ticket>;

    /// Takes a search of which no subtree is left: gives the next one, or keeps the answer.
    fn go_on(
        &self,
        solver: &Solver<'_, H>,
        job: &Job<H, Self::Ticket>,
        progress: &mut Progress<Self::Ticket>,
    ) -> Option<Packet<H>>;
}

/// What [`Source::begin`] gives.
pub(crate) enum Begun<H: Heuristic, T> {
    /// A search, and its first subtree.
    Search(JobRef<H, T>, Packet<H>),
    /// One that is answered already.
    Answered,
    /// There is none yet: ask again in a while.
    Later,
    /// There will be none any more.
    End,
}

/// Boards, each of which is searched bound by bound.
struct Deepening<'a, B>(&'a B);

impl<H: Heuristic, B: Boards> Source<H> for Deepening<'_, B> {
    type Ticket = B::Ticket;

    fn begin(&self, solver: &Solver<'_, H>) -> Begun<H, B::Ticket> {
        match self.0.next() {
            Next::Board(board, ticket) => match solver.job(&board, ticket) {
                Ok(job) => {
                    let bound = lock(&job.progress).bound;
                    let packet = job.whole(bound);
                    Begun::Search(job, packet)
                }
                Err((ticket, answer)) => {
                    self.0.answer(ticket, answer);
                    Begun::Answered
                }
            },
            Next::Later => Begun::Later,
            Next::End => Begun::End,
        }
    }

    fn go_on(
        &self,
        solver: &Solver<'_, H>,
        job: &Job<H, B::Ticket>,
        progress: &mut Progress<B::Ticket>,
    ) -> Option<Packet<H>> {
        if progress.end.is_none() {
            progress.count_bound();
            progress.bound += 2;
            return Some(job.whole(progress.bound));
        }
        let ticket = progress.ticket.take().expect("a board is answered once");
        let answer = solver.outcome(job, progress);
        self.0.answer(ticket, answer);
        None
    }
}

/// A lane at work.
struct Busy<H: Heuristic, T> {
    job: JobRef<H, T>,
    lane: Lane<H>,
    event: Event,
}

/// What the threads share.
struct Pool<'a, H: Heuristic, S: Source<H>> {
    solver: &'a Solver<'a, H>,
    shared: Shared<'a, H>,
    lanes: usize,
    source: &'a S,
    boards_at_once: usize,
    /// Boards that were begun and not answered.
    active: AtomicUsize,
    /// Threads without work.
    idle: AtomicUsize,
    /// No further board will come.
    has_ended: AtomicBool,
    has_panicked: AtomicBool,
    /// Subtrees that were given away.
    gifts: Mutex<VecDeque<Gift<H, S>>>,
    gift_count: AtomicUsize,
}

type Gift<H, S> = (JobRef<H, <S as Source<H>>::Ticket>, Packet<H>);
type Lanes<H, S> = Vec<Busy<H, <S as Source<H>>::Ticket>>;

/// Tells the other threads when this one panics, as they would wait for its answers.
struct PanicGuard<'a>(&'a AtomicBool);

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

impl<H: Heuristic, S: Source<H>> Pool<'_, H, S> {
    /// Searches until there is nothing left to do.
    fn work(&self) {
        let _guard = PanicGuard(&self.has_panicked);
        let mut lanes: Lanes<H, S> = Vec::with_capacity(self.lanes);
        let mut vain = 0u32;
        let mut is_idle = false;
        while !self.has_panicked.load(Ordering::Relaxed) {
            self.fill(&mut lanes);
            if lanes.is_empty() {
                if self.is_finished() {
                    break;
                }
                if !is_idle {
                    self.idle.fetch_add(1, Ordering::Relaxed);
                    is_idle = true;
                }
                vain = vain.saturating_add(1);
                // A search that ends soon is waited for on the spot.
                if vain < 200 {
                    std::hint::spin_loop();
                } else {
                    std::thread::sleep(PAUSE);
                }
                continue;
            }
            if is_idle {
                self.idle.fetch_sub(1, Ordering::Relaxed);
                is_idle = false;
            }
            vain = 0;
            self.shared.heuristic.run(
                #[inline(always)]
                || go_around(&mut lanes, &self.shared),
            );
            self.look_after(&mut lanes);
            self.give_away(&mut lanes);
        }
        if is_idle {
            self.idle.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn is_finished(&self) -> bool {
        self.has_ended.load(Ordering::SeqCst) && self.active.load(Ordering::SeqCst) == 0
    }

    /// Finds work for idle lanes.
    fn fill(&self, lanes: &mut Lanes<H, S>) {
        while lanes.len() < self.lanes {
            let busy =
                self.take_gift().or_else(|| self.begin_board()).or_else(|| self.split(lanes));
            match busy {
                Some((job, packet)) => lanes.push(Busy::new(job, packet)),
                None => break,
            }
        }
    }

    fn take_gift(&self) -> Option<Gift<H, S>> {
        if self.gift_count.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let gift = lock(&self.gifts).pop_front()?;
        self.gift_count.fetch_sub(1, Ordering::Relaxed);
        Some(gift)
    }

    /// Splits the lane that has the most moves left.
    fn split(&self, lanes: &mut Lanes<H, S>) -> Option<Gift<H, S>> {
        let live = lanes.iter_mut().filter(|Busy { job, .. }| {
            job.is_long.load(Ordering::Relaxed) && !job.account.is_over()
        });
        let (_, busy) =
            live.filter_map(|busy| Some((busy.lane.splittable()?, busy))).max_by_key(|x| x.0)?;
        let packet = busy.lane.split(&self.shared)?;
        busy.job.left.fetch_add(1, Ordering::SeqCst);
        busy.job.account.subtrees.fetch_add(1, Ordering::Relaxed);
        Some((Arc::clone(&busy.job), packet))
    }

    /// Gives subtrees to threads that have none.
    fn give_away(&self, lanes: &mut Lanes<H, S>) {
        if self.idle.load(Ordering::Relaxed) == 0 || self.gift_count.load(Ordering::Relaxed) > 0 {
            return;
        }
        for _ in 0..GIFTS {
            let Some(gift) = self.split(lanes) else { break };
            lock(&self.gifts).push_back(gift);
            self.gift_count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Begins the next board; boards that need no search are answered on the way.
    fn begin_board(&self) -> Option<Gift<H, S>> {
        while !self.has_ended.load(Ordering::SeqCst) {
            // Counted first, so that nobody takes the pool for finished in between.
            if self.active.fetch_add(1, Ordering::SeqCst) >= self.boards_at_once {
                self.active.fetch_sub(1, Ordering::SeqCst);
                return None;
            }
            let is_later = match self.source.begin(self.solver) {
                Begun::Search(job, packet) => return Some((job, packet)),
                Begun::Answered => false,
                Begun::Later => true,
                Begun::End => {
                    self.has_ended.store(true, Ordering::SeqCst);
                    false
                }
            };
            self.active.fetch_sub(1, Ordering::SeqCst);
            if is_later {
                return None;
            }
        }
        None
    }

    /// Deals with what ended the last round of each lane.
    fn look_after(&self, lanes: &mut Lanes<H, S>) {
        let mut i = 0;
        while i < lanes.len() {
            let Busy { job, lane, event } = &mut lanes[i];
            let mut is_done = job.account.is_over();
            match *event {
                // Before anything else: a solution is worth more than a limit.
                Event::Goal => {
                    job.end(End::Goal(lane.path().collect()));
                    is_done = true;
                }
                _ if is_done => (),
                Event::Wait => (),
                Event::NoGrant => match self.solver.grant(job) {
                    Ok(nodes) => {
                        lane.granted += nodes;
                        if lane.generated >= WHOLE {
                            job.is_long.store(true, Ordering::Relaxed);
                        }
                    }
                    Err(kind) => {
                        job.end(End::Limit(kind));
                        is_done = true;
                    }
                },
                Event::Exhausted => is_done = true,
            }
            *event = Event::Wait;
            if !is_done {
                i += 1;
                continue;
            }
            let done = lanes.swap_remove(i);
            if let Some(packet) = self.finish(&done) {
                lanes.push(Busy::new(done.job, packet));
            }
        }
    }

    /// Adds up a lane that is done. When it was the last one within its bound, the board is
    /// answered, or the next bound's packet is given back.
    fn finish(&self, done: &Busy<H, S::Ticket>) -> Option<Packet<H>> {
        let Busy { job, lane, .. } = done;
        let mut progress = lock(&job.progress);
        progress.generated += lane.generated;
        progress.expanded += lane.expanded;
        progress.entered += lane.entered;
        // What this lane may not use any more, another one may.
        job.account.granted.fetch_sub(lane.granted, Ordering::Relaxed);
        job.account.subtrees.fetch_sub(1, Ordering::Relaxed);
        if job.left.fetch_sub(1, Ordering::SeqCst) > 1 {
            return None;
        }
        let next = self.source.go_on(self.solver, job, &mut progress);
        drop(progress);
        if next.is_some() {
            job.left.store(1, Ordering::SeqCst);
            job.account.subtrees.fetch_add(1, Ordering::Relaxed);
        } else {
            self.active.fetch_sub(1, Ordering::SeqCst);
        }
        next
    }
}

impl<H: Heuristic> Solver<'_, H> {
    /// A board's search before it begins, or its answer.
    #[allow(
        clippy::type_complexity,
        reason = "it is a job, or what becomes of a board without one"
    )]
    fn job<T>(
        &self,
        board: &Board,
        ticket: T,
    ) -> Result<JobRef<H, T>, (T, Result<Outcome, SearchError>)> {
        let started = Instant::now();
        let goal = &self.goal;
        if let Err(error) = check_shape(goal, board) {
            return Err((ticket, Err(error)));
        }
        if let Err(reason) = goal.check_solvable(board) {
            return Err((ticket, Ok(Outcome::unsolvable(reason, started.elapsed()))));
        }
        let root = match self.heuristic.root(board) {
            Ok(root) => root,
            Err(error) => return Err((ticket, Err(error.into()))),
        };
        let initial_estimate = self.heuristic.estimate(&root.1);
        let progress = Progress {
            ticket: Some(ticket),
            bound: first_bound(goal, board, initial_estimate),
            generated: 0,
            expanded: 0,
            entered: 0,
            bounds: Vec::new(),
            end: None,
        };
        let account = Account { started, subtrees: AtomicUsize::new(1), ..Account::new() };
        let job = Job {
            board: *board,
            root,
            initial_estimate,
            excluded: mirrored_moves(&self.moves, goal, board),
            account: Arc::new(account),
            left: AtomicUsize::new(1),
            is_long: AtomicBool::new(false),
            progress: Mutex::new(progress),
        };
        // The root is a node too, and may be all that there is to it.
        let end = if let Err(kind) = self.grant_up_to(&job.account, 1) {
            Some(End::Limit(kind))
        } else {
            lock(&job.progress).generated = 1;
            (board == goal.board()).then(|| End::Goal(Vec::new()))
        };
        match end {
            None => Ok(Arc::new(job)),
            Some(end) => {
                let mut progress = lock(&job.progress);
                progress.end = Some(end);
                let ticket = progress.ticket.take().expect("it was given just now");
                let answer = self.outcome(&job, &mut progress);
                Err((ticket, answer))
            }
        }
    }

    /// Allows a lane to generate nodes: as many as it needs next at least.
    fn grant<T>(&self, job: &Job<H, T>) -> Result<u64, LimitKind> {
        self.options.limits.look(job.account.started)?;
        let is_long = job.is_long.load(Ordering::Relaxed);
        self.grant_up_to(&job.account, if is_long { CHECK_INTERVAL } else { WHOLE })
    }

    /// Counts nodes outside all lanes, unless a limit forbids to generate them.
    pub(crate) fn grant_outside(&self, account: &Account, count: u64) -> Result<(), LimitKind> {
        self.options.limits.look(account.started)?;
        self.grant_all(account, count)
    }

    /// Counts nodes, unless there may not be so many.
    pub(crate) fn grant_all(&self, account: &Account, count: u64) -> Result<(), LimitKind> {
        let limit = self.options.limits.nodes.unwrap_or(u64::MAX);
        let next = |granted: u64| granted.checked_add(count).filter(|&sum| sum <= limit);
        match account.granted.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next) {
            Ok(_) => Ok(()),
            Err(_) => Err(LimitKind::Nodes),
        }
    }

    fn grant_up_to(&self, account: &Account, wish: u64) -> Result<u64, LimitKind> {
        let Some(limit) = self.options.limits.nodes else {
            account.granted.fetch_add(wish, Ordering::Relaxed);
            return Ok(wish);
        };
        // Small grants near the limit, so that little is left unused in other lanes.
        let share = 16 * account.subtrees.load(Ordering::Relaxed).max(1) as u64;
        let next = |granted: u64| {
            let rest = limit - granted;
            wish.min((rest / share).max(4)).min(rest)
        };
        let taken = account.granted.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |granted| {
            (next(granted) > 0).then(|| granted + next(granted))
        });
        taken.map(next).map_err(|_| LimitKind::Nodes)
    }

    fn outcome<T>(
        &self,
        job: &Job<H, T>,
        progress: &mut Progress<T>,
    ) -> Result<Outcome, SearchError> {
        progress.count_bound();
        let status = match progress.end.take().expect("a search that ended knows why") {
            End::Goal(path) => solution(&self.goal, &job.board, path.iter(), progress.bound)?,
            End::Limit(kind) => Status::Limit { kind, lower_bound: progress.bound },
        };
        let bounds = std::mem::take(&mut progress.bounds);
        let generated: u64 = bounds.iter().map(|count| count.generated).sum();
        Ok(Outcome {
            status,
            initial_estimate: Some(job.initial_estimate),
            generated,
            expanded: bounds.iter().map(|count| count.expanded).sum(),
            lookups: lookups(self.heuristic, generated.saturating_sub(1), progress.entered),
            bounds,
            memory_bytes: 0,
            elapsed: job.account.started.elapsed(),
        })
    }
}

impl<H: Heuristic, T> Busy<H, T> {
    fn new(job: JobRef<H, T>, packet: Packet<H>) -> Self {
        Self { job, lane: Lane::new(packet), event: Event::Wait }
    }
}

impl<H: Heuristic, T> Job<H, T> {
    /// A part of a board's tree within a bound.
    pub(crate) fn of_packet(
        board: Board,
        root: &Root<H>,
        ticket: T,
        bound: u32,
        account: Arc<Account>,
    ) -> Self {
        account.subtrees.fetch_add(1, Ordering::Relaxed);
        let progress = Progress {
            ticket: Some(ticket),
            bound,
            generated: 0,
            expanded: 0,
            entered: 0,
            bounds: Vec::new(),
            end: None,
        };
        Self {
            board,
            root: root.clone(),
            initial_estimate: 0,
            excluded: 0,
            account,
            left: AtomicUsize::new(1),
            is_long: AtomicBool::new(false),
            progress: Mutex::new(progress),
        }
    }

    /// The whole tree within a bound.
    fn whole(&self, bound: u32) -> Packet<H> {
        let blank = self.board.blank();
        let (state, node) = self.root.clone();
        let place = Moves::start(blank);
        Packet::whole(tiles_of(&self.board), state, node, blank, place, self.excluded, bound)
    }

    /// Ends the search; a solution is worth more than a limit.
    fn end(&self, end: End) {
        let mut progress = lock(&self.progress);
        if progress.end.is_none() || matches!(end, End::Goal(_)) {
            progress.end = Some(end);
        }
        self.account.is_over.store(true, Ordering::Relaxed);
    }
}

impl<T> Progress<T> {
    /// Writes down what the present bound cost.
    fn count_bound(&mut self) {
        let (generated, expanded) = (self.generated, self.expanded);
        self.bounds.push(BoundCount { bound: self.bound, generated, expanded });
        (self.generated, self.expanded) = (0, 0);
    }
}

/// Goes around the lanes until one of them needs something else than memory.
#[inline(always)]
fn go_around<H: Heuristic, T>(lanes: &mut [Busy<H, T>], shared: &Shared<'_, H>) {
    for _ in 0..ROUNDS {
        let mut must_stop = false;
        for busy in lanes.iter_mut() {
            busy.event = busy.lane.advance(shared);
            must_stop |= busy.event != Event::Wait;
        }
        if must_stop {
            break;
        }
    }
}

/// The first moves of a board that a mirror image of the board makes superfluous: of two moves that
/// are each other's image, the later one in the order of moves.
fn mirrored_moves(moves: &Moves, goal: &Goal, board: &Board) -> u8 {
    let shape = board.shape();
    let is_mirror = |symmetry: &Symmetry| {
        // The blank's home stays, and every tile's home goes where the tile goes.
        let home = goal.home(BLANK);
        symmetry.to_shape() == shape
            && symmetry.cell(home) == home
            && shape.all_cells().iter().all(|cell| {
                let tile = board.tile(symmetry.cell(cell));
                symmetry.cell(goal.home(board.tile(cell))) == goal.home(tile)
            })
    };
    let place = moves.at(Moves::start(board.blank()));
    let mut excluded = 0;
    for symmetry in Symmetry::all(shape).filter(is_mirror) {
        for later in 0..place.count() {
            let image = symmetry.cell(place.step(later).0);
            if (0..later).any(|earlier| place.step(earlier).0 == image) {
                excluded |= 1 << later;
            }
        }
    }
    excluded
}
