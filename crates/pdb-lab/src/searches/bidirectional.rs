//! Bidirectional heuristic search.

use pdb_core::{Board, Direction, Estimator, Goal, Memo};

use pdb_search::checks::{begin, check_admissible, first_bound, round_up};
use pdb_search::{LimitKind, Options, Outcome, SearchError};

use super::store::{Arrival, Key, OpenList, Packed, Side, Store, StoreAccount, packed};

/// Finds a shortest sequence of moves from `board` to `goal` by searching from both ends: NBS (J.
/// Chen, R. C. Holte, S. Zilles and N. R. Sturtevant, "Front-to-end bidirectional heuristic search
/// with near-optimal node expansions", IJCAI 2017).
///
/// `forward` estimates the distance to `goal`, and `backward` the distance to `board`: it must have
/// been made for `Goal::new(*board)`. Their estimates may be inconsistent; a board that is reached
/// again in fewer moves returns to its open list.
///
/// A solution that is not found yet leads through a pair of open boards, u from the front and v
/// from the back. Each is reached in as few moves as possible, so the solution has at least
/// max(g(u) + h(u), g(v) + h(v), g(u) + g(v) + 1) moves. The search expands both boards of a pair
/// for which this is smallest, and ends when the shortest solution found is no longer than that.
/// All solutions have one parity, so the smallest value is rounded up to it: then no remaining pair
/// can be on a shorter solution.
///
/// Each direction has two open lists, as in the paper. Waiting boards are in the order of g + h,
/// and ready boards, whose g + h does not exceed the current bound, in the order of g.
///
/// Nodes are counted as by [`best_first`](super::best_first()), in both directions together, so the
/// board and the goal are a root each. A limit gives
/// [`Status::Limit`](pdb_search::Status::Limit) even if a solution was found that is not proved to
/// be a shortest one. The initial estimate is that of `forward`.
///
/// # Errors
/// As [`Solver::ida_star`](pdb_search::Solver::ida_star).
pub fn bidirectional(
    forward: &dyn Estimator,
    backward: &dyn Estimator,
    goal: &Goal,
    board: &Board,
    options: &Options,
) -> Result<Outcome, SearchError> {
    check_admissible(forward.is_admissible(), "bidirectional search")?;
    check_admissible(backward.is_admissible(), "bidirectional search")?;
    begin(goal, board, options, |meter| {
        let roots = [forward.root(board)?, backward.root(goal.board())?];
        let [initial_estimate, at_goal] = roots.map(|root| root.estimate);
        let account = StoreAccount::new(goal, board, meter, options);
        let parity = account.parity();
        let bound = first_bound(goal, board, initial_estimate.max(at_goal));
        packed!(goal.shape(), P => {
            let mut search = BidirectionalSearch::<P> {
                forward: Front::new(Side::new(forward, goal.shape(), options.order)),
                backward: Front::new(Side::new(backward, goal.shape(), options.order)),
                shared: CommonState { account, parity, bound, found: None },
            };
            let found = search.reach(&roots);
            let BidirectionalSearch { forward, backward, shared } = search;
            let sides = [&forward.side, &backward.side];
            shared.account.outcome(found, shared.bound, Some(initial_estimate), &sides)
        })
    })
}

/// One direction of the search: the boards that it met, and its open boards.
struct Front<'a, P> {
    side: Side<'a, P>,
    /// Waiting boards, by g + h, then g.
    waiting: OpenList,
    /// Ready boards, by g.
    ready: OpenList,
}

/// State of the search that both directions share.
struct CommonState<'a, P> {
    account: StoreAccount<'a>,
    /// The parity of all solutions' lengths.
    parity: u32,
    /// Lower bound on the moves of every solution.
    bound: u32,
    /// The length of the shortest solution so far, and the board where both directions met.
    found: Option<(u32, P)>,
}

impl<P> CommonState<'_, P> {
    /// Returns whether the best solution is as long as the lower bound.
    fn is_done(&self) -> bool {
        self.found.as_ref().is_some_and(|&(length, _)| length <= self.bound)
    }
}

impl<'a, P: Packed> Front<'a, P> {
    fn new(side: Side<'a, P>) -> Self {
        Self { side, waiting: OpenList::new(), ready: OpenList::new() }
    }

    fn start(
        &mut self,
        shared: &mut CommonState<P>,
        board: &Board,
        root: &Memo,
    ) -> Result<(), LimitKind> {
        shared.account.meter.count()?;
        self.side.start(&mut shared.account, board, root)?;
        let total = round_up(root.estimate, shared.parity);
        self.waiting.push(&mut shared.account, (u64::from(total), 0), 0)
    }

    /// Returns the smallest g + h of the waiting boards.
    fn waiting_total(&mut self, shared: &mut CommonState<P>) -> Result<Option<u32>, LimitKind> {
        let front = front(&mut self.waiting, &self.side, shared)?;
        Ok(front.map(|((total, _), _)| total as u32))
    }

    /// Returns the smallest g of the ready boards.
    fn ready_moves(&mut self, shared: &mut CommonState<P>) -> Result<Option<u32>, LimitKind> {
        let front = front(&mut self.ready, &self.side, shared)?;
        Ok(front.map(|((_, moves), _)| moves))
    }

    /// Makes the first waiting board ready, if its g + h is low enough. Returns whether there was
    /// one.
    fn make_ready(
        &mut self,
        shared: &mut CommonState<P>,
        is_low_enough: impl Fn(u32) -> bool,
    ) -> Result<bool, LimitKind> {
        let Some(((total, moves), index)) = front(&mut self.waiting, &self.side, shared)? else {
            return Ok(false);
        };
        if !is_low_enough(total as u32) {
            return Ok(false);
        }
        // Millions may become ready at once.
        shared.account.meter.work()?;
        self.waiting.pop(&mut shared.account);
        self.ready.push(&mut shared.account, (0, moves), index)?;
        Ok(true)
    }

    /// Expands the ready board with the fewest moves.
    fn expand(&mut self, other: &Store<P>, shared: &mut CommonState<P>) -> Result<(), LimitKind> {
        let Some((key, index)) = front(&mut self.ready, &self.side, shared)? else {
            return Ok(());
        };
        self.ready.pop(&mut shared.account);
        let moves = key.1 + 1;
        let children = self.side.expand(&mut shared.account.meter, index)?;
        for child in children.into_iter().flatten() {
            let (next, memo) = child;
            let store = &mut self.side.store;
            let estimate = match next.entry {
                Some(index) if store.arrival(index).moves() <= moves => continue,
                Some(index) => store.estimate(index),
                None => memo.estimate,
            };
            let met = other.find(next.board, next.hash).map(|index| other.arrival(index).moves());
            let length = met.map(|others| moves + others);
            let is_better = length
                .is_some_and(|length| shared.found.is_none_or(|(shortest, _)| length < shortest));
            let total = round_up(moves + estimate, shared.parity);
            let is_too_long = shared.found.is_some_and(|(shortest, _)| total >= shortest);
            if is_too_long && !is_better && next.entry.is_none() {
                continue;
            }
            let arrival = Arrival::new(moves, next.direction);
            let index = if let Some(index) = next.entry {
                store.set_arrival(index, arrival);
                index
            } else {
                store.insert(&mut shared.account, (next.board, next.hash), arrival, &memo)?
            };
            if let Some(length) = length.filter(|_| is_better) {
                shared.found = Some((length, next.board));
                if shared.is_done() {
                    return Ok(());
                }
            }
            self.waiting.push(&mut shared.account, (u64::from(total), moves), index)?;
        }
        Ok(())
    }
}

/// Removes stale numbers from the front of an open list, and returns the front.
fn front<P: Packed>(
    open: &mut OpenList,
    side: &Side<P>,
    shared: &mut CommonState<P>,
) -> Result<Option<(Key, u32)>, LimitKind> {
    while let Some((key, index)) = open.peek() {
        if side.is_current(index, key.1) {
            return Ok(Some((key, index)));
        }
        shared.account.meter.work()?;
        open.pop(&mut shared.account);
    }
    Ok(None)
}

struct BidirectionalSearch<'a, P> {
    forward: Front<'a, P>,
    backward: Front<'a, P>,
    shared: CommonState<'a, P>,
}

impl<P: Packed> BidirectionalSearch<'_, P> {
    /// Returns the moves to the goal; `self.shared.bound` is the proved bound.
    fn reach(&mut self, roots: &[Memo; 2]) -> Result<Vec<Direction>, LimitKind> {
        let StoreAccount { goal, board, .. } = self.shared.account;
        if board == goal.board() {
            self.shared.account.meter.count()?;
            return Ok(Vec::new());
        }
        self.forward.start(&mut self.shared, board, &roots[0])?;
        self.backward.start(&mut self.shared, goal.board(), &roots[1])?;
        while self.choose()? {
            self.forward.expand(&self.backward.side.store, &mut self.shared)?;
            if self.shared.is_done() {
                break;
            }
            self.backward.expand(&self.forward.side.store, &mut self.shared)?;
            if self.shared.is_done() {
                break;
            }
        }
        let (length, board) = self.shared.found.expect("a solvable board's goal is reached");
        // Either it is no longer than the bound, or no remaining pair can be on a shorter solution.
        self.shared.bound = self.shared.bound.max(length);
        Ok(self.path(board))
    }

    /// Raises the bound until a pair of boards is ready for it. Returns whether there is a pair
    /// that may be on a shorter solution than the known one.
    fn choose(&mut self) -> Result<bool, LimitKind> {
        let Self { forward, backward, shared } = self;
        let bound = shared.bound;
        while forward.make_ready(shared, |total| total < bound)? {}
        while backward.make_ready(shared, |total| total < bound)? {}
        loop {
            let bound = shared.bound;
            let waiting = [forward.waiting_total(shared)?, backward.waiting_total(shared)?];
            let ready = [forward.ready_moves(shared)?, backward.ready_moves(shared)?];
            if (0..2).any(|i| waiting[i].is_none() && ready[i].is_none()) {
                return Ok(false);
            }
            let pair = ready[0].zip(ready[1]).map(|(u, v)| u + v + 1);
            if pair.is_some_and(|pair| pair <= bound) {
                return Ok(true);
            }
            if forward.make_ready(shared, |total| total <= bound)?
                || backward.make_ready(shared, |total| total <= bound)?
            {
                continue;
            }
            let least = waiting.into_iter().flatten().chain(pair).min();
            let least = least.expect("a direction without ready boards has some that wait");
            shared.bound = round_up(least, shared.parity);
            if shared.is_done() {
                return Ok(false);
            }
        }
    }

    /// Returns the moves through a board that both directions met.
    fn path(&self, board: P) -> Vec<Direction> {
        let (forward, backward) = (&self.forward.side, &self.backward.side);
        let mut path = forward.moves_to(board);
        let back = backward.moves_to(board);
        path.extend(back.into_iter().rev().map(Direction::opposite));
        path
    }
}
