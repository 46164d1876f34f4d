//! A* and its weighted and greedy relatives.

use pdb_core::{Board, Direction, Goal, Heuristic};

use crate::limits::Meter;
use crate::opening::{begin, first_bound, round_up};
use crate::solution::answer;
use crate::store::{Child, Key, Ledger, Open, Packed, Seen, Side, Task, Way};
use crate::{LimitKind, Options, Outcome, SearchError, Status, Weight};

/// Which board [`best_first`] expands next. In the papers' words g is the number of moves made, and
/// h the estimate, here rounded up to the parity of the distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ranking {
    /// The smallest g + h, of those the largest g, of those the last one: A* (P. E. Hart, N. J.
    /// Nilsson and B. Raphael, "A formal basis for the heuristic determination of minimum cost
    /// paths", 1968). The solution is a shortest one.
    AStar,
    /// The smallest g + W h, ties as for A*: weighted A* (I. Pohl, "Heuristic search viewed as path
    /// finding in a graph", 1970). The solution has at most W times as many moves as a shortest one.
    Weighted(Weight),
    /// The smallest h, of those the smallest g: greedy best-first search. The solution may have any
    /// length.
    Greedy,
}

/// Finds a sequence of moves from `board` to `goal`, and keeps every board that it meets.
///
/// `heuristic` must have been made for `goal`. Its estimates may be inconsistent: by A* and weighted
/// A* a board that is reached again in fewer moves is put into the open list again, expanded or not.
/// So at any time some open board lies on a shortest solution and was reached in as few moves as
/// possible, and the smallest g + h of all open boards is a lower bound of every solution. The
/// largest of these bounds so far is what is proved when the search ends; greedy search, which puts
/// nothing back, proves the initial estimate only.
///
/// When the search ends:
///
/// - A* goes on after the goal was generated until no open board promises a shorter solution. It
///   does not wait until the goal is taken out of the open list: a solution as long as the lower
///   bound is a shortest one as soon as it is generated, which spares most boards of the last g + h.
/// - Weighted A* ends when the goal is first generated. The length is within W times the shortest
///   even so: with W = a/b, the board that leads there has b g + a h of at most a times the shortest
///   length, as that is true of some open board; its h is at least 1, so the b of the last move is
///   paid for.
/// - Greedy search ends when the goal is first generated.
///
/// An expansion generates all children before it looks at the first one, and counts each, boards that
/// were met before among them; the child that undoes the last move is not generated. The root counts
/// once. A board that is expanded again counts as expanded again.
///
/// A limit gives [`Status::Limit`] even where A* knows a solution that it has not proved to be a
/// shortest one.
///
/// # Errors
/// As [`ida_star`](crate::ida_star).
pub fn best_first<H: Heuristic>(
    heuristic: &H,
    goal: &Goal,
    board: &Board,
    ranking: Ranking,
    options: &Options,
) -> Result<Outcome, SearchError> {
    begin(goal, board, options, |meter| {
        let (_, root) = heuristic.root(board)?;
        let task = Task { goal, board, options };
        heuristic.run(|| match goal.shape().cell_count() {
            ..=16 => Search::<u64, H>::new(heuristic, &task, ranking, meter).run(&task, root),
            17..=25 => Search::<u128, H>::new(heuristic, &task, ranking, meter).run(&task, root),
            _ => Search::<[u64; 4], H>::new(heuristic, &task, ranking, meter).run(&task, root),
        })
    })
}

/// A way to the goal: the last board before it, and the last move.
#[derive(Clone, Copy)]
struct Found {
    length: u32,
    before: u32,
    last: Direction,
}

struct Search<'a, P, H: Heuristic> {
    side: Side<'a, P, H>,
    open: Open,
    meter: Meter<'a>,
    ledger: Ledger,
    ranking: Ranking,
    goal: P,
    /// The parity of all solutions' lengths.
    parity: u32,
    /// Every solution has at least this many moves.
    bound: u32,
    /// How many open boards there are of each g + h; only weighted A* needs to be told, since A*
    /// finds the smallest in front.
    totals: Totals,
    found: Option<Found>,
}

impl<'a, P: Packed, H: Heuristic> Search<'a, P, H> {
    fn new(heuristic: &'a H, task: &Task<'a>, ranking: Ranking, meter: Meter<'a>) -> Self {
        let &Task { goal, board, options } = task;
        Self {
            side: Side::new(heuristic, goal.shape(), options.order),
            open: Open::new(),
            meter,
            ledger: Ledger::new(options.limits.memory),
            ranking,
            goal: P::pack(goal.board()),
            parity: goal.manhattan_distance(board) % 2,
            bound: 0,
            totals: Totals::default(),
            found: None,
        }
    }

    #[inline(always)]
    fn run(mut self, task: &Task, root: H::Node) -> Result<Outcome, SearchError> {
        let &Task { goal, board, .. } = task;
        let initial_estimate = self.side.heuristic.estimate(&root);
        self.bound = first_bound(goal, board, initial_estimate);
        let status = match self.reach(task, root) {
            Ok(moves) => answer(goal, board, moves, self.bound)?,
            Err(kind) => Status::Limit { kind, lower_bound: self.bound },
        };
        Ok(Outcome {
            status,
            initial_estimate: Some(initial_estimate),
            generated: self.meter.generated(),
            expanded: self.side.expanded,
            lookups: self.side.lookups(),
            bounds: Vec::new(),
            memory_bytes: self.ledger.peak(),
            elapsed: self.meter.elapsed(),
        })
    }

    /// The moves to the goal; `self.bound` is what is proved by then.
    #[inline(always)]
    fn reach(&mut self, task: &Task, root: H::Node) -> Result<Vec<Direction>, LimitKind> {
        self.meter.count()?;
        if task.board == task.goal.board() {
            return Ok(Vec::new());
        }
        self.side.start(&mut self.ledger, &mut self.meter, task.board, root)?;
        self.put(0, 0, self.bound)?;
        while let Some((key, index)) = self.open.pop(&mut self.ledger) {
            let moves = self.moves_of(key);
            if !self.side.is_current(index, moves) {
                self.meter.work()?;
                continue;
            }
            self.prove(key, index, moves);
            // The bound may have grown to a solution's length.
            if self.found.is_some_and(|found| self.is_enough(found)) {
                break;
            }
            let children = self.side.expand(&mut self.meter, index)?;
            for child in children.into_iter().flatten() {
                if child.board != self.goal {
                    self.meet(&child, moves + 1)?;
                } else if self.found.is_none_or(|found| moves + 1 < found.length) {
                    let last = child.direction;
                    self.found = Some(Found { length: moves + 1, before: index, last });
                }
            }
            if self.found.is_some_and(|found| self.is_enough(found)) {
                break;
            }
        }
        let found = self.found.expect("a solvable board's goal is reached");
        if self.ranking == Ranking::AStar {
            // Either it is no longer than the bound, or nothing shorter was left.
            self.bound = self.bound.max(found.length);
        }
        let mut path = self.side.store.moves_to(found.before, &self.side.steps);
        path.push(found.last);
        Ok(path)
    }

    /// Whether the search may end with a solution.
    fn is_enough(&self, found: Found) -> bool {
        self.ranking != Ranking::AStar || found.length <= self.bound
    }

    /// The front of the open list, which is about to be expanded, says what is proved.
    fn prove(&mut self, key: Key, index: u32, moves: u32) {
        match self.ranking {
            Ranking::AStar => self.bound = self.bound.max(key.0 as u32),
            Ranking::Weighted(_) => {
                self.bound = self.bound.max(self.totals.smallest());
                let total = self.total(moves, &self.side.store.node(index));
                self.totals.take(total);
            }
            Ranking::Greedy => {}
        }
    }

    /// Keeps a child that is not the goal, or a shorter way to it.
    #[inline(always)]
    fn meet(&mut self, child: &Child<P, H::Node>, moves: u32) -> Result<(), LimitKind> {
        let way = Way::new(moves, child.direction);
        match child.seen {
            Seen::Never(node) => {
                let total = self.total(moves, &node);
                if self.is_too_long(total) {
                    return Ok(());
                }
                let (board, hash) = (child.board, child.hash);
                let Self { side, ledger, meter, .. } = self;
                let index = side.store.insert(ledger, meter, board, hash, way, node)?;
                self.put(index, moves, total)
            }
            Seen::Before(index) => {
                let before = self.side.store.way(index);
                if self.ranking == Ranking::Greedy || before.moves() <= moves {
                    return Ok(());
                }
                let node = self.side.store.node(index);
                if before.is_open() && matches!(self.ranking, Ranking::Weighted(_)) {
                    let total = self.total(before.moves(), &node);
                    self.totals.take(total);
                }
                self.side.store.set_way(index, way);
                let total = self.total(moves, &node);
                if self.is_too_long(total) {
                    self.side.store.close(index);
                    return Ok(());
                }
                self.put(index, moves, total)
            }
        }
    }

    /// Whether A* knows a solution that is no longer than what a board promises.
    fn is_too_long(&self, total: u32) -> bool {
        self.found.is_some_and(|found| self.ranking == Ranking::AStar && total >= found.length)
    }

    /// g + h of a board.
    #[inline(always)]
    fn total(&self, moves: u32, node: &H::Node) -> u32 {
        round_up(moves + self.side.heuristic.estimate(node), self.parity)
    }

    fn put(&mut self, index: u32, moves: u32, total: u32) -> Result<(), LimitKind> {
        let left = total - moves;
        let key = match self.ranking {
            Ranking::AStar => (u64::from(total), !moves),
            Ranking::Weighted(weight) => {
                self.totals.put(total);
                (weight.weigh(moves, left), !moves)
            }
            Ranking::Greedy => (u64::from(left), moves),
        };
        self.open.push(&mut self.ledger, key, index)
    }

    /// The moves made of the boards with a key.
    fn moves_of(&self, key: Key) -> u32 {
        if self.ranking == Ranking::Greedy { key.1 } else { !key.1 }
    }
}

/// How many open boards there are of each g + h.
#[derive(Default)]
struct Totals {
    counts: Vec<u64>,
    /// There is none below.
    low: usize,
}

impl Totals {
    fn put(&mut self, total: u32) {
        let total = total as usize;
        if self.counts.len() <= total {
            self.counts.resize(total + 1, 0);
        }
        self.counts[total] += 1;
        self.low = self.low.min(total);
    }

    fn take(&mut self, total: u32) {
        self.counts[total as usize] -= 1;
    }

    /// The smallest one; there must be an open board.
    fn smallest(&mut self) -> u32 {
        while self.counts[self.low] == 0 {
            self.low += 1;
        }
        self.low as u32
    }
}
