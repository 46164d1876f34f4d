//! All searches, with one type for names, one for the input and one for answers.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use pdb_core::{Board, Estimator, Goal, Heuristic, Memo, Plan, RootError, Slide};
use pdb_lab::{Engine, EngineError, HeuristicName, SearchName};
use pdb_search::packets::{PacketSearch, Share};
use pdb_search::{
    Limits, Manhattan, Options, Outcome, Sharing, Solver, Status, Weight, Work, weighted_ida_star,
};

/// Number of packets of a bound that is large enough.
const PACKET_COUNT: usize = 500;
/// Number of subtrees that each thread searches at the same time.
const LANES: u64 = 8;

/// A board to search, with Manhattan distance.
#[derive(Debug)]
pub struct Case {
    goal: Goal,
    board: Board,
    /// The heuristic of the forward search.
    pub forward: Watched,
    engine: Engine,
}

impl Case {
    /// Creates a case. The estimate of number `last` sets the flag of its heuristic.
    ///
    /// # Panics
    /// Never: the heuristic needs no table.
    pub fn new(goal: &Goal, board: &Board, waits: bool, last: u64) -> Self {
        Self::with(Watched::new(goal, waits, last), goal, board)
    }

    /// Creates a case with this heuristic.
    ///
    /// # Panics
    /// Never: the heuristic needs no table.
    pub fn with(forward: Watched, goal: &Goal, board: &Board) -> Self {
        let backward = Arc::new(Manhattan::new(&Goal::new(*board)));
        let (watched, front) = (Arc::new(forward.clone()), *goal);
        let name = HeuristicName::own("watched", move |goal| {
            if *goal == front { watched.clone() } else { backward.clone() }
        });
        let open = &mut |_: &str, _: &Plan| -> Result<_, EngineError> { unreachable!("no tables") };
        let engine = Engine::open(&name, goal, open).expect("it needs no table");
        Self { goal: *goal, board: *board, forward, engine }
    }
}

/// A search and its number of threads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Search {
    /// A search that has a name.
    Named(SearchName),
    /// A [`Solver`] with this number of threads.
    Lanes(usize),
    /// A [`PacketSearch`] with this number of threads.
    Packets(usize),
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchReport {
    /// An answer or a limit.
    pub status: Status,
    /// Number of all generated nodes.
    pub generated: u64,
    /// Number of nodes generated in the bounds that were searched completely.
    pub generated_before: u64,
    /// See [`Outcome`].
    pub memory_bytes: u64,
}

impl Search {
    /// Returns all named searches, and lanes and packets on several threads.
    pub fn all() -> Vec<Self> {
        let named = SearchName::all().filter(|&search| search != SearchName::LANES);
        let named = named.map(Self::Named);
        let threads = [Self::Lanes(1), Self::Lanes(2), Self::Lanes(4)];
        named.chain(threads).chain([Self::Packets(1), Self::Packets(3)]).collect()
    }

    /// Returns whether the search keeps boards in hash tables or open lists, which have a memory
    /// limit.
    pub fn keeps_boards(self) -> bool {
        matches!(self, Self::Named(search) if search.keeps_boards())
    }

    /// Returns whether the search generates the same nodes each time.
    pub fn is_alone(self) -> bool {
        matches!(self, Self::Named(_) | Self::Lanes(1) | Self::Packets(1))
    }

    /// Returns whether it is plain IDA*, which runs in one lane.
    pub fn is_ida(self) -> bool {
        matches!(self, Self::Named(name) if name == SearchName::IDA)
    }

    /// Returns the number of subtrees that may be searched at the same time.
    pub fn lanes(self, heuristic: &Watched) -> u64 {
        match self {
            Self::Named(_) => 1,
            Self::Lanes(threads) | Self::Packets(threads) if heuristic.waits => {
                threads as u64 * LANES
            }
            Self::Lanes(threads) | Self::Packets(threads) => threads as u64,
        }
    }

    /// Searches the board of a case, which has a solution.
    ///
    /// # Panics
    /// When the search fails.
    pub fn run(self, case: &Case, limits: Limits<'_>) -> SearchReport {
        let Case { goal, board, forward, engine } = case;
        let two = Weight::new(2, 1).expect("2 is a weight");
        let options = Options { limits, ..Options::default() };
        let outcome = match self {
            Self::Packets(threads) => return in_packets(forward, goal, board, limits, threads),
            Self::Lanes(threads) => Solver::new(forward.clone(), goal, options.order)
                .and_then(|solver| solver.solve(board, &on(threads, limits))),
            // By the heuristic itself, whose estimates are counted one by one.
            _ if self.is_ida() => Solver::new(forward.clone(), goal, options.order)
                .and_then(|solver| solver.ida_star(board, &options)),
            Self::Named(name) if name.row().name == "weighted-ida" => {
                weighted_ida_star(forward, goal, board, two, &options)
            }
            Self::Named(name) => engine.search(name, board, two, limits),
        };
        let Outcome { status, generated, bounds, memory_bytes, .. } =
            outcome.expect("the search succeeds");
        let last = bounds.last().map_or(0, |last| last.generated);
        let generated_before = if bounds.is_empty() { 0 } else { generated - last };
        SearchReport { status, generated, generated_before, memory_bytes }
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => name.fmt(f),
            Self::Lanes(threads) => write!(f, "lanes on {threads} threads"),
            Self::Packets(threads) => write!(f, "packets on {threads} threads"),
        }
    }
}

/// Returns work with `LANES` lanes per thread.
fn on(thread_count: usize, limits: Limits<'_>) -> Work<'_> {
    let sharing = Sharing { lanes: Some(LANES as usize), boards_at_once: None, subtrees: 2000 };
    Work { limits, sharing, thread_count, ..Work::default() }
}

fn in_packets(
    heuristic: &Watched,
    goal: &Goal,
    board: &Board,
    limits: Limits<'_>,
    threads: usize,
) -> SearchReport {
    let solver = Solver::new(heuristic.clone(), goal, Options::default().order);
    let solver = solver.expect("it is an order");
    let search =
        PacketSearch::new(&solver, board, on(threads, limits)).expect("the board has a solution");
    let subject = search.subject("any", Vec::new(), PACKET_COUNT);
    let ledger = Mutex::new(search.begin(subject));
    let end = search.advance(&ledger, Share::ALL, &|_| ()).expect("the search succeeds");
    let ledger = ledger.into_inner().expect("no thread panicked");
    let Outcome { status, generated, .. } = search.outcome(&ledger, end);
    assert!(!matches!(status, Status::ShardDone { .. }), "expected a solution or a limit");
    let generated_before = ledger.bounds.iter().map(|bound| bound.generated).sum();
    SearchReport { status, generated, generated_before, memory_bytes: 0 }
}

/// Manhattan distance that counts its estimates and sets a flag after some number of them. Clones
/// share the number and the flag.
#[derive(Clone, Debug)]
pub struct Watched {
    distance: Manhattan,
    /// Whether it claims to wait for memory.
    waits: bool,
    /// Number of estimates so far, without those of roots.
    pub reads: Arc<AtomicU64>,
    /// The number of the estimate that sets the flag.
    pub last: u64,
    /// The flag.
    pub flag: Arc<AtomicBool>,
    /// Time that each estimate takes from the 64th before the last one on, if it is slow.
    pub delay: Option<Duration>,
}

impl Watched {
    /// Creates the heuristic for a goal. Its `last` estimate sets the flag.
    pub fn new(goal: &Goal, waits: bool, last: u64) -> Self {
        Self {
            distance: Manhattan::new(goal),
            waits,
            reads: Arc::default(),
            last,
            flag: Arc::default(),
            delay: None,
        }
    }

    fn count(&self) {
        if let Some(delay) = self.delay.filter(|_| self.reads() + 64 >= self.last) {
            thread::sleep(delay);
        }
        if self.reads.fetch_add(1, Ordering::SeqCst) + 1 == self.last {
            self.flag.store(true, Ordering::SeqCst);
        }
    }

    /// Returns the number of estimates so far.
    pub fn reads(&self) -> u64 {
        self.reads.load(Ordering::SeqCst)
    }
}

impl Estimator for Watched {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        Estimator::root(&self.distance, board)
    }

    fn child(&self, board: &Board, parent: &Memo, slide: Slide) -> Memo {
        self.count();
        self.distance.child(board, parent, slide)
    }
}

impl Heuristic for Watched {
    type State = <Manhattan as Heuristic>::State;
    type Node = <Manhattan as Heuristic>::Node;
    type Probe = <Manhattan as Heuristic>::Probe;

    const SETTLES: bool = Manhattan::SETTLES;

    #[inline(always)]
    fn waits(&self) -> bool {
        self.waits
    }

    fn root(&self, board: &Board) -> Result<(Self::State, Self::Node), RootError> {
        Heuristic::root(&self.distance, board)
    }

    fn estimate(&self, node: &Self::Node) -> u32 {
        Heuristic::estimate(&self.distance, node)
    }

    fn locate(&self, state: &Self::State, parent: &Self::Node, slide: Slide) -> Self::Probe {
        self.distance.locate(state, parent, slide)
    }

    fn read(&self, parent: &Self::Node, slide: Slide, probe: &mut Self::Probe) -> u32 {
        self.count();
        self.distance.read(parent, slide, probe)
    }

    fn enter(
        &self,
        state: &mut Self::State,
        parent: &Self::Node,
        slide: Slide,
        probe: &Self::Probe,
        child: &mut Self::Node,
    ) {
        self.distance.enter(state, parent, slide, probe, child);
    }

    fn settle(&self, node: &mut Self::Node) -> u32 {
        self.distance.settle(node)
    }

    fn leave(&self, state: &mut Self::State, node: &Self::Node, slide: Slide) {
        self.distance.leave(state, node, slide);
    }

    fn lookups(&self) -> [u32; 2] {
        Heuristic::lookups(&self.distance)
    }
}
