//! The search of packets on lanes and threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pdb_core::{Board, Direction, Dual, lock};

use super::frontier::{Frontier, FrontierNode, Route};
use super::improver_thread::ImproverThread;
use super::{Counts, Done, Entry, Ledger, LedgerError, Round, Stage, Subject};
use crate::checks::directions_of;
use crate::improver::Improver;
use crate::lane::{Leaves, Position, Subtree};
use crate::pool::{Account, Guest, Job, JobEnd, JobProgress, JobSource, JobStart};
use crate::tree::{RouteId, Tree};
use crate::{BoundCount, LimitKind, Outcome, SearchError, Sharing, Solver, Status, Work};

/// The packets of a bound that one of several searches takes: those whose number modulo `count` is
/// `index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    index: usize,
    count: usize,
}

impl Share {
    /// All packets.
    pub const ALL: Self = Self { index: 0, count: 1 };

    /// Makes the share of search number `index` of `count`, counted from 1. Returns `None` for
    /// numbers out of range.
    pub fn new(index: usize, count: usize) -> Option<Self> {
        (1..=count).contains(&index).then(|| Self { index: index % count, count })
    }

    /// Returns whether a packet belongs to the share.
    pub fn holds(&self, packet: usize) -> bool {
        packet % self.count == self.index
    }
}

/// An event of [`PacketSearch::advance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacketEvent {
    /// A bound begins or continues.
    Begin,
    /// Another packet is finished; reported by the thread that searched it.
    Packet,
    /// All packets of a bound are finished.
    BoundDone,
    /// The ledger has a [better solution](Ledger::best); reported by the improver's thread.
    Solution,
}

/// The result of [`Dealer::next`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deal {
    /// A packet to search.
    Packet {
        /// The number with which its finding is reported.
        number: usize,
        /// The largest number of moves that a path may have.
        bound: u32,
        /// The moves from the board to the packet's root.
        moves: Vec<Direction>,
    },
    /// No packet is available now: ask again later.
    Later,
    /// There are no more packets.
    End,
}

/// The result of a packet's search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The packet was searched in full, and contains no solution.
    Done(Done),
    /// The packet contains a solution: the moves from the board to the goal, and the nodes until
    /// then.
    Goal(Vec<Direction>, Counts),
    /// The packet was left after these nodes, because of a limit or because the search ended
    /// elsewhere.
    Left(Option<LimitKind>, Counts),
}

/// Source of packets, and receiver of their findings. Threads call it concurrently.
pub trait Dealer: Sync {
    /// Returns the next packet, without waiting for one.
    fn next(&self) -> Deal;

    /// Receives the finding of the packet with this number.
    fn report(&self, number: usize, finding: Finding);
}

/// The packets of one bound, some of which may be searched on other machines.
pub trait Deals: Dealer {
    /// Counts nodes that were generated on other machines, and checks the limits.
    fn count(&self, generated: u64);

    /// Returns whether the search is over, so that open packets no longer count.
    fn is_over(&self) -> bool;

    /// Returns the number of all packets to search.
    fn packet_count(&self) -> usize;

    /// Returns the number of packets that were not dealt.
    fn rest(&self) -> usize;

    /// Cuts a packet that is expected to be larger than others. Returns the moves to its parts,
    /// which may be dealt instead, and the result of the nodes above them.
    fn parts(&self, number: usize) -> Option<(Done, Vec<Vec<Direction>>)>;
}

/// Function that receives the packets of a bound and a function that searches packets on this
/// machine. It arranges that all are searched, here or on other machines.
pub type Crew<'a> = dyn Fn(&dyn Deals, &(dyn Fn(&dyn Dealer) + Sync)) + 'a;

/// Result of [`PacketSearch::advance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advance {
    /// The ledger has the solution.
    Solved,
    /// The share's packets of the current bound are finished.
    ShareDone,
    /// A limit ended the search. Unfinished packets stay open, and start again.
    Limit {
        /// The limit.
        kind: LimitKind,
        /// Nodes of interrupted packets, and of an interrupted cut.
        dropped: Counts,
    },
}

/// Search of one board in packets.
///
/// The limits count from [`new`](Self::new) on, for all calls together. Nodes that a ledger already
/// contained do not count.
///
/// ```
/// use std::sync::Mutex;
///
/// use pdb_core::{Board, Goal};
/// use pdb_search::packets::{Advance, PacketSearch, Share, Stage};
/// use pdb_search::{KORF_BLANK_LAST, Manhattan, Solver, Work};
///
/// let board: Board = "8 6 7/2 5 4/3 0 1".parse()?;
/// let goal = Goal::blank_last(board.shape());
/// let solver = Solver::new(Manhattan::new(&goal), &goal, KORF_BLANK_LAST)?;
/// let work = Work { thread_count: 2, ..Work::default() };
/// let search = PacketSearch::new(&solver, &board, work)?;
/// let subject = search.subject("manhattan", Vec::new(), 100);
/// let ledger = Mutex::new(search.begin(subject));
/// let end = search.advance(&ledger, Share::ALL, &|_| ())?;
/// assert_eq!(end, Advance::Solved);
/// let ledger = ledger.into_inner()?;
/// assert!(matches!(ledger.stage, Stage::Solved { moves, .. } if moves.len() == 31));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PacketSearch<'a> {
    solver: &'a Solver<'a>,
    work: Work<'a>,
    board: Board,
    /// The route of the board, or of its dual.
    route: RouteId,
    start: Position,
    root: (u32, Leaves),
    /// The larger of both estimates, if the board has a dual.
    initial_estimate: u32,
    excluded: u8,
    account: Arc<Account>,
}

impl<'a> PacketSearch<'a> {
    /// Prepares the search for a shortest solution of `board`, or of its [dual](pdb_core::Dual) if
    /// the solver [has one](Solver::with_duals) with a smaller tree. For that, 20,000 nodes of each
    /// tree are searched, and a million if their sizes are similar; the decision is the same on
    /// every machine. These nodes are outside all limits and counts. Each lane takes a packet, so
    /// [`Sharing::boards_at_once`] has no effect.
    ///
    /// # Errors
    /// As [`Solver::ida_star`](crate::Solver::ida_star), and [`SearchError::Root`] for a board that
    /// is unsolvable, because its packets would never end.
    pub fn new(solver: &'a Solver<'a>, board: &Board, work: Work<'a>) -> Result<Self, SearchError> {
        let measure = |route, dual: &Dual| solver.is_dual_smaller(board, route, dual);
        Self::choosing(solver, board, work, &measure)
    }

    /// Prepares the same search with a choice that was made before, which is
    /// [written](Subject::dual) in its ledger: no tree is measured. `dual` is the goal of the dual
    /// to search, if not the board itself is searched. If the board has no dual with this goal,
    /// [`dual`](Self::dual) differs from it.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_dual(
        solver: &'a Solver<'a>,
        board: &Board,
        dual: Option<&Board>,
        work: Work<'a>,
    ) -> Result<Self, SearchError> {
        let is_chosen = |route, _: &Dual| Ok(dual == Some(solver.goal_of(route).board()));
        Self::choosing(solver, board, work, &is_chosen)
    }

    /// Prepares the search of a board, or of its dual if that is chosen.
    fn choosing(
        solver: &'a Solver<'a>,
        board: &Board,
        work: Work<'a>,
        is_chosen: &dyn Fn(RouteId, &Dual) -> Result<bool, SearchError>,
    ) -> Result<Self, SearchError> {
        let sharing = Sharing { boards_at_once: None, ..work.sharing };
        let (mut route, mut start, mut root) = (RouteId::STRAIGHT, *board, solver.root(board)?);
        let mut initial_estimate = root.0;
        let account = Arc::new(Account::new());
        if let Some((dual_route, dual)) = solver.dual(board) {
            let dual_root = solver.heuristics.root(dual_route.index, dual.board())?;
            initial_estimate = initial_estimate.max(dual_root.0);
            if is_chosen(dual_route, &dual)? {
                (route, start, root) = (dual_route, *dual.board(), dual_root);
            }
        }
        let excluded = solver.excluded(route, &start);
        let (start, work) = (Position::root(&start), Work { sharing, ..work });
        let board = *board;
        Ok(Self { solver, work, board, route, start, root, initial_estimate, excluded, account })
    }

    /// Returns the subject of this search. The caller names the heuristic and its tables, because
    /// the search does not know their names.
    pub fn subject(
        &self,
        heuristic: &str,
        tables: Vec<(String, String)>,
        packet_count: usize,
    ) -> Subject {
        Subject {
            board: self.board,
            goal: *self.solver.goal().board(),
            heuristic: heuristic.to_owned(),
            tables,
            metric: self.solver.rules.metric,
            order: self.solver.order(),
            packet_count,
            dual: self.dual(),
        }
    }

    /// Returns the goal of the board's dual, if the dual is searched.
    pub fn dual(&self) -> Option<Board> {
        self.route.is_dual.then(|| *self.solver.goal_of(self.route).board())
    }

    /// Makes a ledger with the packets of the first bound.
    pub fn begin(&self, subject: Subject) -> Ledger {
        let bound = self.first_bound();
        let stage = self.stage(bound, &subject, &[], None, &|_| Ok(())).expect(UNLIMITED);
        // A ledger always has the root, even against the node limit.
        let _ = self.account.grant_all(&self.work.limits, 1);
        Ledger { subject, bounds: Vec::new(), stage, known: None }
    }

    fn first_bound(&self) -> u32 {
        let Self { solver, board, initial_estimate, .. } = self;
        solver.rules.first_bound(solver.goal(), board, *initial_estimate)
    }

    /// Checks that a ledger belongs to this search, so that it can be continued: its subject, the
    /// bounds, the known solution, and the packets, which are computed again.
    ///
    /// # Errors
    /// A [`LedgerError`] with the first difference.
    pub fn check(&self, ledger: &Ledger, subject: &Subject) -> Result<(), LedgerError> {
        subject.check_same(&ledger.subject)?;
        let mut expected = self.first_bound();
        let bounds = ledger.bounds.iter().map(|count| count.bound);
        for found in bounds.chain([ledger.bound()]) {
            if found != expected {
                return Err(LedgerError::Bound { expected, found });
            }
            expected += self.solver.rules.step;
        }
        let check_solution = |moves: &Vec<Direction>| {
            let is_solved = self.board.after(moves).as_ref() == Ok(self.solver.goal().board());
            let length = moves.len();
            if is_solved { Ok(()) } else { Err(LedgerError::Solution { length }) }
        };
        ledger.known.as_ref().map_or(Ok(()), check_solution)?;
        match &ledger.stage {
            Stage::Solved { moves, .. } => check_solution(moves),
            Stage::Searching(round) => {
                let wish = Ledger::packet_count(subject, &ledger.bounds);
                let frontier = self.cut(round.bound, wish, ledger.bounds.is_empty(), &|_| Ok(()));
                let frontier = frontier.expect(UNLIMITED);
                Round::new(round.bound, &frontier, None, self.solver.rules).check_same(round)
            }
        }
    }

    /// Continues a ledger, which must have passed [`check`](Self::check) or come from
    /// [`begin`](Self::begin), until it has a shortest solution, until a share of a bound is
    /// finished, or until a limit. The ledger is locked only briefly, so that it can be read and
    /// saved meanwhile.
    ///
    /// The share of all packets continues from bound to bound. Another share begins the next bound
    /// only if all packets of the current one are finished before any is searched; bounds that take
    /// little time ([`Ledger::is_small`]) are searched whole.
    ///
    /// Two concurrent calls would end each other.
    ///
    /// # Errors
    /// [`SearchError::NotLowerBound`] and [`SearchError::Replay`] when the heuristic or the search
    /// turns out to be damaged.
    pub fn advance(
        &self,
        ledger: &Mutex<Ledger>,
        share: Share,
        watch: &(dyn Fn(PacketEvent) + Sync),
    ) -> Result<Advance, SearchError> {
        self.advance_with(ledger, share, watch, &|deals, search| search(deals))
    }

    /// Does the same as [`advance`](Self::advance); `crew` arranges that the packets of each bound
    /// are searched.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn advance_with(
        &self,
        ledger: &Mutex<Ledger>,
        share: Share,
        watch: &(dyn Fn(PacketEvent) + Sync),
        crew: &Crew<'_>,
    ) -> Result<Advance, SearchError> {
        let Self { solver, work, board, account, .. } = self;
        account.reopen();
        lock(ledger).known.iter().for_each(|moves| account.offer(moves, solver.rules.count(moves)));
        let end = match work.improvement {
            None => self.search_bounds(ledger, share, watch, crew, None),
            Some(improvement) => {
                let settings = solver.improver_settings(improvement, work);
                let improver = || Improver::new(settings, board, account);
                let tell = |moves: &[Direction], _, _| {
                    if lock(ledger).keep_known(moves) {
                        watch(PacketEvent::Solution);
                    }
                    // Packets on other machines end, too.
                    if account.is_met() {
                        account.end();
                    }
                };
                let after = improvement.after;
                ImproverThread::beside(account, after, improver, &tell, |guest| {
                    self.search_bounds(ledger, share, watch, crew, Some(guest))
                })
            }
        };
        // The improver's last solution may have come after the end.
        let dropped = match &end {
            Ok(Advance::Limit { dropped, .. }) => *dropped,
            _ => Counts::default(),
        };
        if end.is_ok() && self.settle(&mut lock(ledger), dropped)? {
            Ok(Advance::Solved)
        } else {
            end
        }
    }

    /// Searches bound after bound, with a guest on the threads of this machine.
    fn search_bounds(
        &self,
        ledger: &Mutex<Ledger>,
        share: Share,
        watch: &(dyn Fn(PacketEvent) + Sync),
        crew: &Crew<'_>,
        guest: Option<&dyn Guest>,
    ) -> Result<Advance, SearchError> {
        loop {
            if self.settle(&mut lock(ledger), Counts::default())? {
                return Ok(Advance::Solved);
            }
            if let Err((kind, dropped)) = self.begin_bound(ledger) {
                return Ok(Advance::Limit { kind, dropped });
            }
            let (round, is_whole) = {
                let ledger = lock(ledger);
                let Stage::Searching(round) = &ledger.stage else { return Ok(Advance::Solved) };
                self.account.raise(round.bound);
                (round.clone(), share == Share::ALL || ledger.is_small())
            };
            watch(PacketEvent::Begin);
            let is_open =
                |&i: &usize| round.packets[i].done.is_none() && (is_whole || share.holds(i));
            let mut packets: Vec<_> = (0..round.packets.len()).filter(is_open).collect();
            packets.sort_unstable_by_key(|&i| (round.packets[i].turn, i));
            let dealer = RoundDealer {
                search: self,
                weight: round.packets.iter().map(|packet| packet.weight).sum(),
                round: &round,
                packets: &packets,
                next: AtomicUsize::new(0),
                ledger,
                watch,
                dropped: Mutex::default(),
                end: Mutex::default(),
            };
            // Called even without packets, so that the stop flag is checked.
            crew(&dealer, &|dealer| self.search_beside(guest, dealer));
            let dropped = *lock(&dealer.dropped);
            match lock(&dealer.end).take() {
                Some(Ok(moves)) => {
                    self.finish(&mut lock(ledger), moves, dropped)?;
                    return Ok(Advance::Solved);
                }
                Some(Err(kind)) => return Ok(Advance::Limit { kind, dropped }),
                None => (),
            }
            if self.account.is_met() && self.settle(&mut lock(ledger), dropped)? {
                return Ok(Advance::Solved);
            }
            if lock(ledger).round().is_some_and(Round::is_done) {
                watch(PacketEvent::BoundDone);
            }
            if !is_whole {
                return Ok(Advance::ShareDone);
            }
        }
    }

    /// Searches packets of this board from a dealer, until there are no more.
    pub fn search(&self, dealer: &dyn Dealer) {
        self.search_beside(None, dealer);
    }

    fn search_beside(&self, guest: Option<&dyn Guest>, dealer: &dyn Dealer) {
        self.solver.search_all((&DealtPackets { search: self, dealer }, guest), &self.work);
    }

    /// Returns the heuristic's estimate for the board, or for its dual if that is larger.
    pub fn initial_estimate(&self) -> u32 {
        self.initial_estimate
    }

    /// Returns the approximate number of nodes generated so far, including those of unfinished
    /// packets; the error is a few thousand per lane. Any thread may call it.
    pub fn generated(&self) -> u64 {
        self.account.granted()
    }

    /// Returns the time since the search was created.
    pub fn elapsed(&self) -> Duration {
        self.account.elapsed()
    }

    /// Returns the outcome of the board according to a ledger, when [`advance`](Self::advance) has
    /// ended. Nodes of interrupted packets count, too; those of an improvement do not, because no
    /// ledger has them.
    pub fn outcome(&self, ledger: &Ledger, end: Advance) -> Outcome {
        let lower_bound = ledger.lower_bound();
        let (stopped_by, dropped) = match end {
            Advance::Limit { kind, dropped } => (Some(kind), dropped),
            Advance::Solved | Advance::ShareDone => (None, Counts::default()),
        };
        let status = match (&ledger.stage, stopped_by, &ledger.known) {
            (Stage::Solved { moves, .. }, ..) => Status::Optimal { moves: moves.clone() },
            (_, Some(kind), Some(moves)) => {
                Status::Solved { moves: moves.clone(), lower_bound, limit: Some(kind) }
            }
            (_, Some(kind), None) => Status::Limit { kind, lower_bound },
            (_, None, _) => Status::ShardDone { lower_bound },
        };
        let Counts { generated, expanded } = ledger.counts().plus(dropped);
        Outcome {
            initial_estimate: Some(self.initial_estimate),
            generated,
            expanded,
            bounds: ledger.bounds.clone(),
            ..Outcome::of(status, self.elapsed())
        }
    }

    /// Cuts the tree of a bound into at least `wish` packets, if it has that many branches. The
    /// root is counted if the bound `is_first`.
    fn cut(
        &self,
        bound: u32,
        wish: usize,
        is_first: bool,
        allow: &dyn Fn(u64) -> Result<(), LimitKind>,
    ) -> Result<Frontier, (LimitKind, Counts)> {
        let root = self.node(bound);
        let mut frontier = Frontier::new(root, self.excluded, wish, self.route(), allow)?;
        frontier.trunk.generated += u64::from(is_first);
        Ok(frontier)
    }

    /// Closes the current bound if all its packets are finished, and begins the next one.
    fn begin_bound(&self, ledger: &Mutex<Ledger>) -> Result<(), (LimitKind, Counts)> {
        loop {
            let Ledger { subject, mut bounds, stage, .. } = match &*lock(ledger) {
                now if now.round().is_some_and(Round::is_done) => now.clone(),
                _ => return Ok(()),
            };
            let Stage::Searching(round) = stage else { return Ok(()) };
            bounds.push(round.counts().within(round.bound));
            self.account.bound_done(&bounds);
            let allow = |count| self.account.grant_outside(&self.work.limits, count);
            let bound = round.bound + self.solver.rules.step;
            let stage = self.stage(bound, &subject, &bounds, Some(&round), &allow)?;
            // A better solution may have come meanwhile, which stays.
            let mut ledger = lock(ledger);
            (ledger.bounds, ledger.stage) = (bounds, stage);
        }
    }

    /// Cuts the tree of a bound, whose trunk may already contain the goal.
    fn stage(
        &self,
        bound: u32,
        subject: &Subject,
        bounds: &[BoundCount],
        before: Option<&Round>,
        allow: &dyn Fn(u64) -> Result<(), LimitKind>,
    ) -> Result<Stage, (LimitKind, Counts)> {
        let wish = Ledger::packet_count(subject, bounds);
        let frontier = self.cut(bound, wish, bounds.is_empty(), allow)?;
        Ok(match frontier.goal {
            Some(moves) => {
                let moves = self.solver.moves_of(self.route, &self.board, moves);
                let moves = moves.expect("the moves to a node can be made");
                Stage::Solved { moves, last: frontier.trunk, is_proved_by_bounds: false }
            }
            None => Stage::Searching(Round::new(bound, &frontier, before, self.solver.rules)),
        })
    }

    /// Writes a solution into the ledger; `dropped` are the nodes of packets that were interrupted
    /// by it.
    fn finish(
        &self,
        ledger: &mut Ledger,
        moves: Vec<Direction>,
        dropped: Counts,
    ) -> Result<(), SearchError> {
        let Stage::Searching(round) = &ledger.stage else { return Ok(()) };
        let goal = self.solver.goal();
        let moves = self.solver.moves_of(self.route, &self.board, moves)?;
        let moves = self.solver.rules.within_bound(goal, &self.board, moves, round.bound)?;
        let last = round.counts().plus(dropped);
        ledger.stage = Stage::Solved { moves, last, is_proved_by_bounds: false };
        ledger.known = None;
        Ok(())
    }

    /// Writes the known solution into the ledger as a shortest one if the bounds meet; `dropped`
    /// are the nodes of interrupted packets. Returns whether the board is solved.
    fn settle(&self, ledger: &mut Ledger, dropped: Counts) -> Result<bool, SearchError> {
        let Stage::Searching(round) = &ledger.stage else { return Ok(true) };
        let lower_bound = ledger.lower_bound();
        self.account.raise(lower_bound);
        if !self.account.is_met() {
            return Ok(false);
        }
        let moves = self.account.moves().unwrap_or_default();
        let Solver { rules, .. } = self.solver;
        let moves = rules.within_bound(self.solver.goal(), &self.board, moves, lower_bound)?;
        let last = if round.is_done() {
            ledger.bounds.push(round.counts().within(round.bound));
            dropped
        } else {
            round.counts().plus(dropped)
        };
        ledger.stage = Stage::Solved { moves, last, is_proved_by_bounds: true };
        ledger.known = None;
        Ok(true)
    }

    fn route(&self) -> Route<'_> {
        Route { solver: self.solver, index: self.route.index }
    }

    fn node(&self, bound: u32) -> FrontierNode {
        let (estimate, leaves) = self.root.clone();
        FrontierNode { position: self.start, estimate, leaves, left: bound, path: Vec::new() }
    }

    /// Returns the node that moves lead to, unless it is beyond the bound.
    fn at(&self, moves: &[Direction], bound: u32) -> Option<FrontierNode> {
        let route = self.route();
        let step = |node: FrontierNode, directions: &[Direction]| node.step(directions, route);
        let node = self.solver.rules.metric.moves(moves).try_fold(self.node(bound), step);
        node.filter(|node| node.estimate <= node.left)
    }
}

/// Dealer of the packets of one bound.
struct RoundDealer<'a> {
    search: &'a PacketSearch<'a>,
    round: &'a Round,
    /// The sum of all packets' weights.
    weight: u64,
    /// The numbers of the packets to search.
    packets: &'a [usize],
    next: AtomicUsize,
    ledger: &'a Mutex<Ledger>,
    watch: &'a (dyn Fn(PacketEvent) + Sync),
    /// Nodes of interrupted packets.
    dropped: Mutex<Counts>,
    /// The solution or the limit by which the bound ends before all its packets are finished.
    end: Mutex<Option<Result<Vec<Direction>, LimitKind>>>,
}

impl RoundDealer<'_> {
    fn end(&self, new: Result<Vec<Direction>, LimitKind>) {
        let mut end = lock(&self.end);
        // A solution is worth more than a limit.
        if end.is_none() || new.is_ok() {
            *end = Some(new);
        }
        self.search.account.end();
    }
}

impl Dealer for RoundDealer<'_> {
    fn next(&self) -> Deal {
        match self.packets.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            Some(&number) => {
                let moves = self.round.packets[number].moves.clone();
                Deal::Packet { number, bound: self.round.bound, moves }
            }
            None => Deal::End,
        }
    }

    fn report(&self, number: usize, finding: Finding) {
        let counts = match finding {
            Finding::Done(done) => {
                if let Stage::Searching(round) = &mut lock(self.ledger).stage {
                    round.packets[number].done = Some(done);
                }
                (self.watch)(PacketEvent::Packet);
                return;
            }
            Finding::Goal(moves, counts) => {
                self.end(Ok(moves));
                counts
            }
            Finding::Left(kind, counts) => {
                if let Some(kind) = kind {
                    self.end(Err(kind));
                }
                counts
            }
        };
        let mut dropped = lock(&self.dropped);
        *dropped = dropped.plus(counts);
    }
}

impl Deals for RoundDealer<'_> {
    fn count(&self, generated: u64) {
        let PacketSearch { account, work, .. } = self.search;
        if let Err(kind) = account.grant_outside(&work.limits, generated) {
            self.end(Err(kind));
        }
    }

    fn is_over(&self) -> bool {
        self.search.account.is_over()
    }

    fn packet_count(&self) -> usize {
        self.packets.len()
    }

    fn rest(&self) -> usize {
        self.packets.len().saturating_sub(self.next.load(Ordering::Relaxed))
    }

    fn parts(&self, number: usize) -> Option<(Done, Vec<Vec<Direction>>)> {
        let Round { bound, packets, .. } = self.round;
        let Entry { moves, weight, .. } = &packets[number];
        let wish = (u128::from(*weight) * packets.len() as u128 / u128::from(self.weight)) as usize;
        if wish < 2 || moves.is_empty() {
            return None;
        }
        let PacketSearch { account, work, .. } = self.search;
        let root = self.search.at(moves, *bound)?;
        let allow = |count| account.grant_outside(&work.limits, count);
        let cut = Frontier::new(root, 0, wish, self.search.route(), &allow).ok()?;
        let Frontier { trunk: counts, nearest, packets: parts, goal: None } = cut else {
            return None;
        };
        let done = Done { counts, nearest };
        (!parts.is_empty()).then(|| (done, parts.into_iter().map(|part| part.moves).collect()))
    }
}

/// Dealt packets as the jobs of a pool.
struct DealtPackets<'a> {
    search: &'a PacketSearch<'a>,
    dealer: &'a dyn Dealer,
}

impl JobSource for DealtPackets<'_> {
    fn begin(&self) -> JobStart {
        let account = &self.search.account;
        if account.is_over() {
            return JobStart::End;
        }
        let (number, bound, moves) = match self.dealer.next() {
            Deal::Packet { number, bound, moves } => (number, bound, moves),
            Deal::Later => return JobStart::Later,
            Deal::End => return JobStart::End,
        };
        let search = self.search;
        let Some(node) = search.at(&moves, bound) else {
            let done = Done { counts: Counts::default(), nearest: u32::MAX };
            self.dealer.report(number, Finding::Done(done));
            return JobStart::Answered;
        };
        let excluded = if moves.is_empty() { search.excluded } else { 0 };
        let FrontierNode { position, estimate, leaves, path, .. } = node;
        let tree = Tree::new(search.route, position, (estimate, leaves), &path, excluded);
        let job = Job::new(search.board, number as u64, tree, None, bound, Arc::clone(account));
        let subtree = job.whole();
        JobStart::Search(Arc::new(job), subtree)
    }

    fn go_on(&self, job: &Job, progress: &mut JobProgress) -> Option<Subtree> {
        let counts = progress.counts;
        let finding = match progress.end.take() {
            // If another packet ended this one, it may not have been searched in full.
            None if self.search.account.is_over() => Finding::Left(None, counts),
            None => Finding::Done(Done { counts, nearest: job.trees().present.nearest() }),
            Some(JobEnd::Goal(slides)) => {
                let moves = directions_of(self.search.board.shape(), &slides);
                Finding::Goal(moves, counts)
            }
            Some(JobEnd::Limit(kind)) => Finding::Left(Some(kind), counts),
            Some(JobEnd::Met) => Finding::Left(None, counts),
        };
        self.dealer.report(job.ticket as usize, finding);
        None
    }
}

/// Reason why a cut without limits is complete.
const UNLIMITED: &str = "a cut ends early at a limit alone";
