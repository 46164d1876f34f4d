//! A* and its weighted and greedy relatives.

use std::num::NonZeroU32;

use pdb_core::{Board, Direction, Estimator, Expansion, Goal, Memo};
use pdb_search::checks::{begin, first_bound, proved, round_up};
use pdb_search::limits::Pace;
use pdb_search::{LimitKind, Options, Outcome, SearchError, Weight};

use super::store::{Arrival, Key, Move, OpenList, Packed, Side, StoreAccount, packed};

/// Order in which [`best_first`] expands boards. As in the papers, g is the number of moves made,
/// and h the estimate, here rounded up to the parity of the distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranking {
    /// The smallest g + h, of those the largest g, of those the last one: A* (P. E. Hart, N. J.
    /// Nilsson and B. Raphael, "A formal basis for the heuristic determination of minimum cost
    /// paths", 1968). The solution is a shortest one.
    AStar,
    /// The smallest g + W h, ties as for A*: weighted A* (I. Pohl, "Heuristic search viewed as path
    /// finding in a graph", 1970). The solution has at most W times as many moves as a shortest
    /// one.
    Weighted(Weight),
    /// The smallest h, of those the smallest g: greedy best-first search. The solution may have any
    /// length.
    Greedy,
}

/// Finds a sequence of moves from `board` to `goal`, and keeps every board that it meets.
///
/// It takes the best `batch` boards out of the open list at once, expands them all, and has the
/// estimates of all new children computed together ([`Estimator::children`]). This is batch
/// weighted A* (F. Agostinelli and others, "Solving the Rubik's cube with deep reinforcement
/// learning and search", 2019; their weight λ multiplies the moves made, and is 1 / W). A batch of
/// 1 is the search of the textbooks.
///
/// `heuristic` must have been made for `goal`. Its estimates may be inconsistent: in A* and
/// weighted A*, a board that is reached again in fewer moves returns to the open list, expanded or
/// not. So before each batch, some open board is on a shortest solution and was reached in as few
/// moves as possible, unless a known solution is no longer than that. Let F be the largest, over
/// all batches so far, of the smallest g + h of all open boards. No solution is shorter than both F
/// and the known solution. F is proved when the search ends. Greedy search returns no board to the
/// open list, so it proves only the initial estimate.
///
/// - A* ends when it knows a solution of at most F moves, which is a shortest one. It does not wait
///   until the goal is taken out of the open list, which avoids most boards with the last g + h.
/// - Weighted A* ends when it knows a solution of at most W F moves: within W times the shortest. A
///   batch of 1 has such a solution as soon as it generates the goal. With W = a/b, the board
///   before the goal has b g + a h of at most a F, because some open board has. Its h is at least
///   1, so its share pays for the b of the last move. A larger batch may generate the goal from a
///   board that is not the best one, and continues until F has grown or a shorter solution is
///   found.
/// - Greedy search ends after the batch that generates the goal, with the shortest path to it in
///   that batch.
///
/// Boards whose g + h is at least the length of the known solution are pruned. If the heuristic is
/// not [admissible](Estimator::is_admissible), only Manhattan distance is proved, and no solution
/// is called optimal; the search ends by the same rules.
///
/// Nodes are counted as by [`Solver::ida_star`](pdb_search::Solver::ida_star), including boards
/// that were met before. An expansion generates all children before it checks the first one. A
/// board that is expanded again counts again.
///
/// A limit gives [`Status::Limit`](pdb_search::Status::Limit) even if A* knows a solution that is
/// not proved to be a shortest one.
///
/// # Errors
/// As [`Solver::ida_star`](pdb_search::Solver::ida_star).
pub fn best_first(
    heuristic: &dyn Estimator,
    goal: &Goal,
    board: &Board,
    ranking: Ranking,
    batch: NonZeroU32,
    options: &Options,
) -> Result<Outcome, SearchError> {
    begin(goal, board, options, |meter| {
        let root = heuristic.root(board)?;
        let (account, is_admissible) =
            (StoreAccount::new(goal, board, meter, options), heuristic.is_admissible());
        let front = first_bound(goal, board, root.estimate);
        packed!(goal.shape(), P => {
            let mut search = BestFirstSearch::<P> {
                side: Side::new(heuristic, goal.shape(), options.order),
                open: OpenList::new(),
                parity: account.parity(),
                account,
                ranking,
                batch: batch.get() as usize,
                goal: P::pack(goal.board()),
                bound: proved(is_admissible, goal, board, front),
                front,
                is_admissible,
                totals: Totals::default(),
                solution: None,
            };
            let found = search.run(&root);
            let BestFirstSearch { account, bound, side, .. } = search;
            account.outcome(found, bound, Some(root.estimate), &[&side])
        })
    })
}

/// A solution: its length, the last board before the goal, and the last move.
#[derive(Clone, Copy)]
struct Solution {
    length: u32,
    before: u32,
    last: Direction,
}

struct BestFirstSearch<'a, P> {
    side: Side<'a, P>,
    open: OpenList,
    account: StoreAccount<'a>,
    ranking: Ranking,
    /// Number of boards that are expanded at once.
    batch: usize,
    goal: P,
    /// Parity of the lengths of all solutions.
    parity: u32,
    /// Lower bound on the moves of every solution.
    bound: u32,
    /// The largest of the smallest g + h before each batch, which is the bound if estimates are
    /// admissible.
    front: u32,
    is_admissible: bool,
    /// Number of open boards by g + h, only for weighted A*: A* finds the smallest g + h at the
    /// front of the open list.
    totals: Totals,
    solution: Option<Solution>,
}

/// Number of boards of a batch that are expanded between two checks of the clock, and whose
/// children are estimated together.
const PORTION: usize = 64;

/// A board that was taken out of the open list, with the way it had been reached by then.
type SelectedBoard = (u32, Arrival);

/// A board that is to be put into the open list.
#[derive(Clone, Copy)]
struct PendingChild {
    index: u32,
    moves: u32,
    /// Whether its estimate is still unknown.
    is_new: bool,
}

/// Memory for the work of a batch.
struct Batch {
    selected: Vec<SelectedBoard>,
    parents: Vec<Expansion>,
    pending: Vec<PendingChild>,
    memos: Vec<Memo>,
    /// The pace of the estimates of a board's children.
    pace: Pace,
}

impl Batch {
    /// Allocates all memory that a batch of this size needs.
    fn new(account: &mut StoreAccount<'_>, size: usize) -> Result<Self, LimitKind> {
        let parents = PORTION.min(size);
        if size > 1 {
            let of_parent =
                size_of::<Expansion>() + 4 * (size_of::<PendingChild>() + size_of::<Memo>());
            account.take((size * size_of::<SelectedBoard>() + parents * of_parent) as u64)?;
        }
        Ok(Self {
            selected: Vec::with_capacity(size),
            parents: Vec::with_capacity(parents),
            pending: Vec::with_capacity(4 * parents),
            memos: Vec::with_capacity(4 * parents),
            pace: Pace::default(),
        })
    }
}

impl<P: Packed> BestFirstSearch<'_, P> {
    /// Returns the moves to the goal; `self.bound` is the proved bound.
    fn run(&mut self, root: &Memo) -> Result<Vec<Direction>, LimitKind> {
        self.account.meter.count()?;
        let board = self.account.board;
        if board == self.account.goal.board() {
            return Ok(Vec::new());
        }
        self.side.start(&mut self.account, board, root)?;
        self.count(self.front);
        self.push(0, 0, self.front)?;
        let mut batch = Batch::new(&mut self.account, self.batch)?;
        while !self.is_done() {
            self.select(&mut batch.selected)?;
            if self.is_done() {
                break;
            }
            if batch.selected.is_empty() {
                // No shorter solution is left, unless greedy search closed it.
                if let (true, Some(solution)) = (self.is_admissible, self.solution)
                    && self.ranking != Ranking::Greedy
                {
                    self.bound = self.bound.max(solution.length);
                }
                break;
            }
            for from in (0..batch.selected.len()).step_by(PORTION) {
                self.expand_portion(from, &mut batch)?;
            }
        }
        let solution = self.solution.expect("a solvable board's goal is reached");
        let mut path = self.side.store.moves_to(solution.before, &self.side.steps);
        path.push(solution.last);
        Ok(path)
    }

    /// Returns whether the known solution is good enough for the bound that is proved between
    /// batches.
    fn is_done(&self) -> bool {
        let Some(solution) = self.solution else { return false };
        match self.ranking {
            Ranking::AStar => solution.length <= self.front,
            Ranking::Weighted(weight) => {
                weight.weigh(solution.length, 0) <= weight.weigh(0, self.front)
            }
            Ranking::Greedy => true,
        }
    }

    /// Takes the best boards out of the open list, and closes them. The first one proves a bound.
    fn select(&mut self, selected: &mut Vec<SelectedBoard>) -> Result<(), LimitKind> {
        selected.clear();
        let mut is_first = true;
        while selected.len() < self.batch
            && let Some((key, index)) = self.open.pop(&mut self.account)
        {
            let moves = self.moves_of(key);
            if !self.side.is_current(index, moves) {
                self.account.meter.work()?;
                continue;
            }
            let total = self.total(moves, self.side.store.estimate(index));
            if std::mem::take(&mut is_first) {
                match self.ranking {
                    Ranking::AStar => self.front = self.front.max(total),
                    Ranking::Weighted(_) => self.front = self.front.max(self.totals.smallest()),
                    Ranking::Greedy => {}
                }
                if self.is_admissible {
                    // Boards that promised no shorter solution than the known one were pruned.
                    let length = self.solution.map_or(u32::MAX, |solution| solution.length);
                    self.bound = self.bound.max(self.front.min(length));
                }
                if self.is_done() {
                    break;
                }
            }
            self.uncount(total);
            let arrival = self.side.store.arrival(index);
            self.side.store.close(index);
            if !self.is_hopeless(total) {
                selected.push((index, arrival));
            }
        }
        Ok(())
    }

    /// Returns whether the known solution is at most as long as a board promises.
    fn is_hopeless(&self, total: u32) -> bool {
        self.ranking != Ranking::Greedy
            && self.solution.is_some_and(|solution| total >= solution.length)
    }

    /// Expands some boards of a batch: generates the children, has the new ones estimated, and puts
    /// them into the open list in the order in which they were generated.
    fn expand_portion(&mut self, from: usize, batch: &mut Batch) -> Result<(), LimitKind> {
        let Batch { selected, parents, pending, memos, pace } = batch;
        if selected.len() > 1 {
            self.account.meter.look()?;
        }
        parents.clear();
        pending.clear();
        // Boards that are stored from here on are new, and have no estimate yet.
        let first_new = self.side.store.len() as u32;
        for &(index, arrival) in selected[from..].iter().take(PORTION) {
            self.side.expanded += 1;
            let (board, mut parent) = self.side.expansion(index);
            let blank = parent.board.blank();
            for n in 0..4 {
                let Some(next) = self.side.nth_move(n, board, blank, arrival) else { continue };
                self.account.meter.count()?;
                let reached = self.reach(&next, (index, arrival), &parent, first_new)?;
                if let Some(new) = reached {
                    pending.push(new);
                    if new.is_new {
                        parent.ask(next.slide);
                    }
                }
            }
            parents.push(parent);
        }
        memos.clear();
        let new_count = parents.iter().map(|parent| parent.slides().len()).sum();
        memos.resize(new_count, Memo::new(0, &[]));
        // Only a heuristic that gains by many boards at once keeps the clock waiting for them.
        let at_once = if self.side.heuristic.is_batched() { PORTION } else { 1 };
        let mut rest = memos.as_mut_slice();
        for parents in parents.chunks(at_once) {
            if pace.is_due() {
                self.account.meter.look()?;
            }
            let child_count = parents.iter().map(|parent| parent.slides().len()).sum();
            self.side.children(parents, rest.split_off_mut(..child_count).expect("all have room"));
        }
        let mut memos = memos.iter();
        for &PendingChild { index, moves, is_new } in &*pending {
            if is_new {
                let memo = memos.next().expect("each new child has its memo");
                self.side.store.set_memo(&mut self.account, index, memo)?;
            }
            // A board that was reached by a shorter path since then comes again later in the list.
            if self.side.store.arrival(index).moves() != moves {
                continue;
            }
            let total = self.total(moves, self.side.store.estimate(index));
            if index >= first_new {
                self.count(total);
            }
            if self.is_hopeless(total) {
                self.uncount(total);
                self.side.store.close(index);
                continue;
            }
            self.push(index, moves, total)?;
        }
        Ok(())
    }

    /// Stores the board after a move, if it is new or was reached by a shorter path; or the goal.
    fn reach(
        &mut self,
        next: &Move<P>,
        (parent, before): SelectedBoard,
        expansion: &Expansion,
        first_new: u32,
    ) -> Result<Option<PendingChild>, LimitKind> {
        let moves = before.moves() + 1;
        let arrival = Arrival::new(moves, next.direction);
        if next.board == self.goal {
            if self.solution.is_none_or(|solution| moves < solution.length) {
                let last = next.direction;
                self.solution = Some(Solution { length: moves, before: parent, last });
            }
            return Ok(None);
        }
        let Some(index) = next.entry else {
            let Self { side, account, .. } = self;
            // The parent's memo is stored until the child's is known.
            let index =
                side.store.insert(account, (next.board, next.hash), arrival, &expansion.memo)?;
            return Ok(Some(PendingChild { index, moves, is_new: true }));
        };
        let known = self.side.store.arrival(index);
        if self.ranking == Ranking::Greedy || known.moves() <= moves {
            return Ok(None);
        }
        // New boards are counted once their estimates are known.
        if index < first_new {
            let estimate = self.side.store.estimate(index);
            if known.is_open() {
                self.uncount(self.total(known.moves(), estimate));
            }
            self.count(self.total(moves, estimate));
        }
        self.side.store.set_arrival(index, arrival);
        Ok(Some(PendingChild { index, moves, is_new: false }))
    }

    /// Returns g + h of a board.
    fn total(&self, moves: u32, estimate: u32) -> u32 {
        round_up(moves + estimate, self.parity)
    }

    #[inline(always)]
    fn count(&mut self, total: u32) {
        if let Ranking::Weighted(_) = self.ranking {
            self.totals.add(total);
        }
    }

    #[inline(always)]
    fn uncount(&mut self, total: u32) {
        if let Ranking::Weighted(_) = self.ranking {
            self.totals.counts[total as usize] -= 1;
        }
    }

    #[inline(always)]
    fn push(&mut self, index: u32, moves: u32, total: u32) -> Result<(), LimitKind> {
        let left = total - moves;
        let key = match self.ranking {
            Ranking::AStar => (u64::from(total), !moves),
            Ranking::Weighted(weight) => (weight.weigh(moves, left), !moves),
            Ranking::Greedy => (u64::from(left), moves),
        };
        self.open.push(&mut self.account, key, index)
    }

    /// Returns the number of moves made of the boards with a key.
    fn moves_of(&self, key: Key) -> u32 {
        if self.ranking == Ranking::Greedy { key.1 } else { !key.1 }
    }
}

/// Number of open boards by g + h.
#[derive(Default)]
struct Totals {
    counts: Vec<u64>,
    /// Smallest g + h that an open board may have.
    low: usize,
}

impl Totals {
    fn add(&mut self, total: u32) {
        let total = total as usize;
        if self.counts.len() <= total {
            self.counts.resize(total + 1, 0);
        }
        self.counts[total] += 1;
        self.low = self.low.min(total);
    }

    /// Returns the smallest g + h; there must be an open board.
    fn smallest(&mut self) -> u32 {
        while self.counts[self.low] == 0 {
            self.low += 1;
        }
        self.low as u32
    }
}
