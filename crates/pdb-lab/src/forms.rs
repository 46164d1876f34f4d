//! Searches behind `dyn`: each is compiled here, once for each type of heuristic, and nowhere else.
//!
//! There are two lists of types, because each type costs seconds of compiling for each search. IDA*
//! has tables in the forms that are fastest to look up. The other searches wait for their own memory
//! or are not raced: for them all tables share one form.

use std::fmt;
use std::num::NonZeroU32;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use pdb_core::{Board, Goal, Heuristic, RootError};
use pdb_rt::Visitor;
use pdb_search::packets::{
    Advance, Crew, Dealer, Ledger, LedgerError, PacketEvent, PacketSearch, Share, Subject,
};
use pdb_search::{
    Boards, Claim, Enumeration, Limits, Manhattan, Options, Outcome, Ranking, SearchError, Solver,
    Tell, Verdict, Wanted, Weight, Work, batch_best_first, bidirectional, ida_star, solutions,
    solve_each, weighted_ida_star,
};

use crate::Basic;
use crate::kind::{Kind, small};
use crate::order::order;

/// The fast searches with one heuristic: IDA*, plain, in lanes and in packets.
pub(crate) trait Fast: Send + Sync {
    fn estimate(&self, board: &Board) -> Result<u32, RootError>;

    fn solve(&self, board: &Board, work: &Work<'_>) -> Result<Outcome, SearchError>;

    fn solve_all(&self, boards: &dyn Boards, work: &Work<'_>);

    fn ida_star(&self, board: &Board, options: &Options<'_>) -> Result<Outcome, SearchError>;

    fn try_claims(
        &self,
        claims: &[Claim],
        work: &Work<'_>,
    ) -> Result<(Vec<Verdict>, u64), SearchError>;

    fn packets<'a>(
        &'a self,
        board: &Board,
        work: Work<'a>,
    ) -> Result<Box<dyn Packets + 'a>, SearchError>;
}

impl<H: Heuristic + Send> Fast for Solver<H> {
    fn estimate(&self, board: &Board) -> Result<u32, RootError> {
        let (_, node) = self.heuristic().root(board)?;
        Ok(self.heuristic().estimate(&node))
    }

    fn solve(&self, board: &Board, work: &Work<'_>) -> Result<Outcome, SearchError> {
        self.solve(board, work)
    }

    fn solve_all(&self, boards: &dyn Boards, work: &Work<'_>) {
        self.solve_all(boards, work);
    }

    fn ida_star(&self, board: &Board, options: &Options<'_>) -> Result<Outcome, SearchError> {
        let search = || ida_star(self.heuristic(), self.goal(), board, options);
        self.heuristic().run(search)
    }

    fn try_claims(
        &self,
        claims: &[Claim],
        work: &Work<'_>,
    ) -> Result<(Vec<Verdict>, u64), SearchError> {
        self.try_claims(claims, work)
    }

    fn packets<'a>(
        &'a self,
        board: &Board,
        work: Work<'a>,
    ) -> Result<Box<dyn Packets + 'a>, SearchError> {
        Ok(Box::new(PacketSearch::new(self, board, work)?))
    }
}

/// A [`PacketSearch`] with any heuristic.
pub trait Packets: Sync {
    /// As [`PacketSearch::subject`].
    fn subject(
        &self,
        heuristic: &str,
        tables: Vec<(String, String)>,
        packet_count: usize,
    ) -> Subject;

    /// As [`PacketSearch::begin`].
    fn begin(&self, subject: Subject) -> Ledger;

    /// As [`PacketSearch::check`].
    ///
    /// # Errors
    /// A [`LedgerError`] that says what is not as it should be.
    fn check(&self, ledger: &Ledger, subject: &Subject) -> Result<(), LedgerError>;

    /// As [`PacketSearch::advance`].
    ///
    /// # Errors
    /// A [`SearchError`] when the heuristic or the search turns out to be damaged.
    fn advance(
        &self,
        ledger: &Mutex<Ledger>,
        share: Share,
        watch: &(dyn Fn(PacketEvent) + Sync),
    ) -> Result<Advance, SearchError>;

    /// As [`PacketSearch::advance_with`].
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    fn advance_with(
        &self,
        ledger: &Mutex<Ledger>,
        share: Share,
        watch: &(dyn Fn(PacketEvent) + Sync),
        crew: &Crew<'_>,
    ) -> Result<Advance, SearchError>;

    /// As [`PacketSearch::search`].
    fn search(&self, dealer: &dyn Dealer);

    /// As [`PacketSearch::initial_estimate`].
    fn initial_estimate(&self) -> u32;

    /// As [`PacketSearch::generated`].
    fn generated(&self) -> u64;

    /// As [`PacketSearch::elapsed`].
    fn elapsed(&self) -> Duration;
}

impl<H: Heuristic> Packets for PacketSearch<'_, H>
where
    Self: Sync,
{
    fn subject(
        &self,
        heuristic: &str,
        tables: Vec<(String, String)>,
        packet_count: usize,
    ) -> Subject {
        self.subject(heuristic, tables, packet_count)
    }

    fn begin(&self, subject: Subject) -> Ledger {
        self.begin(subject)
    }

    fn check(&self, ledger: &Ledger, subject: &Subject) -> Result<(), LedgerError> {
        self.check(ledger, subject)
    }

    fn advance(
        &self,
        ledger: &Mutex<Ledger>,
        share: Share,
        watch: &(dyn Fn(PacketEvent) + Sync),
    ) -> Result<Advance, SearchError> {
        self.advance(ledger, share, watch)
    }

    fn advance_with(
        &self,
        ledger: &Mutex<Ledger>,
        share: Share,
        watch: &(dyn Fn(PacketEvent) + Sync),
        crew: &Crew<'_>,
    ) -> Result<Advance, SearchError> {
        self.advance_with(ledger, share, watch, crew)
    }

    fn search(&self, dealer: &dyn Dealer) {
        self.search(dealer);
    }

    fn initial_estimate(&self) -> u32 {
        self.initial_estimate()
    }

    fn generated(&self) -> u64 {
        self.generated()
    }

    fn elapsed(&self) -> Duration {
        self.elapsed()
    }
}

/// The other searches with one heuristic: those that keep boards, and those that are not raced.
pub(crate) trait General: Send + Sync {
    fn weighted_ida_star(
        &self,
        goal: &Goal,
        board: &Board,
        weight: Weight,
        options: &Options<'_>,
    ) -> Result<Outcome, SearchError>;

    fn best_first(
        &self,
        goal: &Goal,
        board: &Board,
        ranking: Ranking,
        batch: NonZeroU32,
        options: &Options<'_>,
    ) -> Result<Outcome, SearchError>;

    fn bidirectional(
        &self,
        goal: &Goal,
        board: &Board,
        options: &Options<'_>,
    ) -> Result<Outcome, SearchError>;

    fn solutions(
        &self,
        goal: &Goal,
        board: &Board,
        wanted: Wanted,
        options: &Options<'_>,
        tell: Option<&mut Tell<'_>>,
    ) -> Result<Enumeration, SearchError>;
}

/// A heuristic, and what makes one for the way back: it estimates the distance to any other board.
struct BothWays<H, F> {
    heuristic: H,
    backward: F,
}

impl<H, B, F> General for BothWays<H, F>
where
    H: Heuristic + Send,
    B: Heuristic,
    F: Fn(&Goal) -> B + Send + Sync,
{
    fn weighted_ida_star(
        &self,
        goal: &Goal,
        board: &Board,
        weight: Weight,
        options: &Options<'_>,
    ) -> Result<Outcome, SearchError> {
        weighted_ida_star(&self.heuristic, goal, board, weight, options)
    }

    fn best_first(
        &self,
        goal: &Goal,
        board: &Board,
        ranking: Ranking,
        batch: NonZeroU32,
        options: &Options<'_>,
    ) -> Result<Outcome, SearchError> {
        batch_best_first(&self.heuristic, goal, board, ranking, batch, options)
    }

    fn bidirectional(
        &self,
        goal: &Goal,
        board: &Board,
        options: &Options<'_>,
    ) -> Result<Outcome, SearchError> {
        let started = Instant::now();
        let backward = (self.backward)(&Goal::new(*board));
        // Making it is a part of the search of this board.
        let time = options.limits.time.map(|time| time.saturating_sub(started.elapsed()));
        let options = Options { limits: Limits { time, ..options.limits }, ..*options };
        let outcome = bidirectional(&self.heuristic, &backward, goal, board, &options)?;
        Ok(Outcome { elapsed: started.elapsed(), ..outcome })
    }

    fn solutions(
        &self,
        goal: &Goal,
        board: &Board,
        wanted: Wanted,
        options: &Options<'_>,
        tell: Option<&mut Tell<'_>>,
    ) -> Result<Enumeration, SearchError> {
        solutions(&self.heuristic, goal, board, wanted, options, tell)
    }
}

/// All searches of one heuristic.
pub(crate) struct Searches<'a> {
    pub(crate) fast: Box<dyn Fast + 'a>,
    pub(crate) general: Box<dyn General + 'a>,
}

impl fmt::Debug for Searches<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searches").finish_non_exhaustive()
    }
}

impl<'a> Searches<'a> {
    /// The searches of a heuristic that leads to `goal`.
    pub(crate) fn new(kind: &'a Kind, goal: &Goal) -> Self {
        #[cfg(feature = "net")]
        if let Kind::Net(learned) = kind {
            return Self::guided(|| learned, goal);
        }
        if !kind.is_admissible() {
            return Self::guided(|| kind.largest(goal), goal);
        }
        Self { fast: fast(kind, goal), general: general(kind, goal) }
    }

    fn guided<H: Heuristic + Send + 'a>(make: impl Fn() -> H, goal: &Goal) -> Self {
        let guided = || Box::new(Guided { heuristic: make(), goal: *goal });
        Self { fast: guided(), general: guided() }
    }
}

/// Makes a solver of a heuristic of any type.
struct MakeSolver<'g>(&'g Goal);

impl<'a> Visitor<'a> for MakeSolver<'_> {
    type Output = Box<dyn Fast + 'a>;

    fn visit<H: Heuristic + Send + 'a>(self, heuristic: H) -> Self::Output {
        self.visit_with_duals(heuristic, Vec::new())
    }

    fn visit_with_duals<H: Heuristic + Send + 'a>(
        self,
        heuristic: H,
        duals: Vec<(H, Goal)>,
    ) -> Self::Output {
        let solver = Solver::new(heuristic, self.0, order(self.0));
        let solver = solver.and_then(|solver| solver.with_duals(duals));
        Box::new(solver.expect("the order is a permutation, and tables are admissible"))
    }
}

/// A heuristic whose estimates may be too large, alone or in a maximum: best-first searches and weighted IDA*
/// go by it, all others refuse it. Boards are solved by A*, a board a thread, and no solution is optimal
/// but by chance.
struct Guided<H> {
    heuristic: H,
    goal: Goal,
}

/// The memory that A* may have for a board where nobody says otherwise, in bytes.
const GUIDED_BYTES_MAX: u64 = 1 << 30;

impl<H: Heuristic + Send> Guided<H> {
    fn refuse<T>(search: &'static str) -> Result<T, SearchError> {
        Err(SearchError::Inadmissible { search })
    }
}

impl<H: Heuristic + Send> Fast for Guided<H> {
    fn estimate(&self, board: &Board) -> Result<u32, RootError> {
        let (_, node) = self.heuristic.root(board)?;
        Ok(self.heuristic.estimate(&node))
    }

    fn solve(&self, board: &Board, work: &Work<'_>) -> Result<Outcome, SearchError> {
        let memory = work.limits.memory.or(Some(GUIDED_BYTES_MAX));
        let limits = Limits { memory, ..work.limits };
        let options = Options { order: order(&self.goal), limits };
        self.best_first(&self.goal, board, Ranking::AStar, NonZeroU32::MIN, &options)
    }

    fn solve_all(&self, boards: &dyn Boards, work: &Work<'_>) {
        solve_each(boards, work.thread_count, &|board| self.solve(board, work));
    }

    fn ida_star(&self, _: &Board, _: &Options<'_>) -> Result<Outcome, SearchError> {
        Self::refuse("IDA*")
    }

    fn try_claims(&self, _: &[Claim], _: &Work<'_>) -> Result<(Vec<Verdict>, u64), SearchError> {
        Self::refuse("the value of moves")
    }

    fn packets<'a>(&'a self, _: &Board, _: Work<'a>) -> Result<Box<dyn Packets + 'a>, SearchError> {
        Self::refuse("a search in packets")
    }
}

impl<H: Heuristic + Send> General for Guided<H> {
    fn weighted_ida_star(
        &self,
        goal: &Goal,
        board: &Board,
        weight: Weight,
        options: &Options<'_>,
    ) -> Result<Outcome, SearchError> {
        weighted_ida_star(&self.heuristic, goal, board, weight, options)
    }

    fn best_first(
        &self,
        goal: &Goal,
        board: &Board,
        ranking: Ranking,
        batch: NonZeroU32,
        options: &Options<'_>,
    ) -> Result<Outcome, SearchError> {
        batch_best_first(&self.heuristic, goal, board, ranking, batch, options)
    }

    fn bidirectional(&self, _: &Goal, _: &Board, _: &Options<'_>) -> Result<Outcome, SearchError> {
        Self::refuse("bidirectional search")
    }

    fn solutions(
        &self,
        _: &Goal,
        _: &Board,
        _: Wanted,
        _: &Options<'_>,
        _: Option<&mut Tell<'_>>,
    ) -> Result<Enumeration, SearchError> {
        Self::refuse("a search of all solutions")
    }
}

fn fast<'a>(kind: &'a Kind, goal: &Goal) -> Box<dyn Fast + 'a> {
    let make = MakeSolver(goal);
    match kind {
        // The only one of the heuristics without tables that is searched with in earnest.
        Kind::Basic(Basic::Manhattan) => make.visit(Manhattan::new(goal)),
        Kind::Tables(database) | Kind::Walking(database) => database.visit(make),
        _ => match kind.small(goal) {
            Some(small) => make.visit(small),
            None => make.visit(kind.largest(goal)),
        },
    }
}

/// On the way back a heuristic without tables is made anew for each board. Tables lead to one goal,
/// so with them Manhattan distance serves for the way back.
fn general<'a>(kind: &'a Kind, goal: &Goal) -> Box<dyn General + 'a> {
    if let Kind::Basic(Basic::Manhattan) = kind {
        return Box::new(BothWays { heuristic: Manhattan::new(goal), backward: Manhattan::new });
    }
    let basic = match kind {
        Kind::Basic(basic) => *basic,
        _ => Basic::Manhattan,
    };
    let backward = move |goal: &Goal| small(basic, goal);
    if let Some(heuristic) = kind.small(goal) {
        return Box::new(BothWays { heuristic, backward });
    }
    match kind {
        Kind::Tables(database) if let Some(heuristic) = database.additive() => {
            Box::new(BothWays { heuristic, backward })
        }
        _ => Box::new(BothWays { heuristic: kind.largest(goal), backward }),
    }
}
