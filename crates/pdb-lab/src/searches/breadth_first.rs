//! Breadth-first search.

use pdb_core::{Board, Direction, Estimator, Goal, Memo, RootError, Slide};

use pdb_search::checks::{begin, round_up};
use pdb_search::{LimitKind, Options, Outcome, SearchError};

use super::store::{Arrival, Packed, Side, StoreAccount, packed};

/// Finds a shortest sequence of moves from `board` to `goal` without a heuristic: all boards at one
/// move, all boards at two, and so on (E. F. Moore, "The shortest path through a maze", 1959).
///
/// Every board is kept, so this is for small shapes and for boards near the goal. The search ends
/// when the goal is generated: boards come in the order of their distance, so the first path to the
/// goal is a shortest one. An expansion counts all its children as generated, including boards that
/// were seen before; the child that undoes the last move is not generated.
///
/// # Errors
/// [`RootError::Board`] when board and goal differ in shape, and [`SearchError::Order`] when
/// [`Options::order`] is not a permutation.
pub fn breadth_first(
    goal: &Goal,
    board: &Board,
    options: &Options,
) -> Result<Outcome, SearchError> {
    begin(goal, board, options, |meter| {
        let mut account = StoreAccount::new(goal, board, meter, options);
        let mut bound = account.parity();
        packed!(goal.shape(), P => {
            let mut side: Side<P> = Side::new(&Blind, goal.shape(), options.order);
            let found = reach(&mut side, &mut account, &mut bound);
            account.outcome(found, bound, None, &[&side])
        })
    })
}

/// Returns the moves to the goal. `bound` is a lower bound of their number at any time.
///
/// Entries are numbered in the order in which they were added, which is that of their distance, so
/// the store is the queue.
fn reach<P: Packed>(
    side: &mut Side<P>,
    account: &mut StoreAccount<'_>,
    bound: &mut u32,
) -> Result<Vec<Direction>, LimitKind> {
    let (board, goal, parity) = (account.board, P::pack(account.goal.board()), *bound);
    account.meter.count()?;
    if board == account.goal.board() {
        return Ok(Vec::new());
    }
    side.start(account, board, &Memo::new(0, &[]))?;
    for index in 0.. {
        debug_assert!((index as usize) < side.store.len(), "a solvable board's goal is reached");
        // All boards at this distance are stored, and none of them is the goal.
        let moves = side.store.arrival(index).moves() + 1;
        *bound = round_up(moves, parity);
        for (next, memo) in side.expand(&mut account.meter, index)?.into_iter().flatten() {
            if next.board == goal {
                let mut path = side.store.moves_to(index, &side.steps);
                path.push(next.direction);
                return Ok(path);
            }
            if next.entry.is_none() {
                let arrival = Arrival::new(moves, next.direction);
                side.store.insert(account, (next.board, next.hash), arrival, &memo)?;
            }
        }
    }
    unreachable!("entries have numbers of 32 bits, and running out of them is an error")
}

/// A heuristic whose estimates are all 0.
#[derive(Debug)]
struct Blind;

impl Estimator for Blind {
    fn root(&self, _: &Board) -> Result<Memo, RootError> {
        Ok(Memo::new(0, &[]))
    }

    fn child(&self, _: &Board, parent: &Memo, _: Slide) -> Memo {
        *parent
    }
}
