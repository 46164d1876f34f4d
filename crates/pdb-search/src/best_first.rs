//! A* and its weighted and greedy relatives.

use std::num::NonZeroU32;

use pdb_core::{Board, Direction, Estimator, Expansion, Goal, Memo};

use crate::limits::Meter;
use crate::opening::{begin, first_bound, proved, round_up};
use crate::solution::answer;
use crate::store::{Child, Key, Ledger, Move, Open, Packed, Seen, Side, Task, Way};
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
/// Where the heuristic is not [admissible](Estimator::is_admissible), nothing is proved but
/// Manhattan distance, and no solution is called optimal.
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
pub fn best_first(
    heuristic: &dyn Estimator,
    goal: &Goal,
    board: &Board,
    ranking: Ranking,
    options: &Options,
) -> Result<Outcome, SearchError> {
    batch_best_first(heuristic, goal, board, ranking, NonZeroU32::MIN, options)
}

/// Searches as [`best_first`] does, but takes the best `batch` boards out of the open list at once,
/// expands them all, and has the estimates of all children that are new worked out together
/// ([`Estimator::children`]): batch weighted A* (F. Agostinelli and others,
/// "Solving the Rubik's cube with deep reinforcement learning and search", 2019). Their weight λ stands
/// before the moves made; it is 1 / W. A batch of 1 is `best_first`, node for node.
///
/// Only the first board of a batch is the best one. So what `best_first` proves by expanding nothing but
/// the best board holds between batches alone, and the search ends later than theirs, which ends with
/// the first batch that has the goal in it and proves no length:
///
/// - Let F be the largest of what the smallest g + h of all open boards was before each batch. Before a
///   batch, some open board lies on a shortest solution and was reached in as few moves as possible,
///   unless a solution that is known is no longer than that. So no solution is shorter than F and
///   shorter than the one that is known.
/// - A* ends when it knows a solution of at most F moves: a shortest one.
/// - Weighted A* ends when it knows a solution of at most W F moves: within W times the shortest. A batch
///   of 1 has such a solution as soon as it generates the goal. A larger one may generate the goal from
///   a board that is not the best one, and goes on until F has grown or a shorter solution was found.
/// - Boards whose g + h is no less than the length of the solution that is known are left out.
/// - Greedy search ends after the batch that generates the goal, with the shortest way to it in there.
///
/// Where the heuristic is not admissible nothing is proved, as by `best_first`; the search ends by the
/// same rule.
///
/// # Errors
/// As [`ida_star`](crate::ida_star).
pub fn batch_best_first(
    heuristic: &dyn Estimator,
    goal: &Goal,
    board: &Board,
    ranking: Ranking,
    batch: NonZeroU32,
    options: &Options,
) -> Result<Outcome, SearchError> {
    begin(goal, board, options, |meter| {
        let root = heuristic.root(board)?;
        let task = Task { goal, board, options };
        let how = (ranking, batch.get());
        match goal.shape().cell_count() {
            ..=16 => Search::<u64>::new(heuristic, &task, how, meter).run(&task, &root),
            17..=25 => Search::<u128>::new(heuristic, &task, how, meter).run(&task, &root),
            _ => Search::<[u64; 4]>::new(heuristic, &task, how, meter).run(&task, &root),
        }
    })
}

/// A way to the goal: the last board before it, and the last move.
#[derive(Clone, Copy)]
struct Found {
    length: u32,
    before: u32,
    last: Direction,
}

struct Search<'a, P> {
    side: Side<'a, P>,
    open: Open,
    meter: Meter<'a>,
    ledger: Ledger,
    ranking: Ranking,
    /// How many boards are expanded at once.
    batch: u32,
    /// Whether they are expanded as batches are, which makes no difference to one board.
    is_batched: bool,
    goal: P,
    /// The parity of all solutions' lengths.
    parity: u32,
    /// Every solution has at least this many moves.
    bound: u32,
    /// The largest g + h that was in front so far; as far as estimates are not too large, the bound.
    front: u32,
    is_admissible: bool,
    /// How many open boards there are of each g + h; only weighted A* needs to be told, since A*
    /// finds the smallest in front.
    totals: Totals,
    found: Option<Found>,
}

impl<'a, P: Packed> Search<'a, P> {
    fn new(
        heuristic: &'a dyn Estimator,
        task: &Task<'a>,
        (ranking, batch): (Ranking, u32),
        meter: Meter<'a>,
    ) -> Self {
        let &Task { goal, board, options } = task;
        Self {
            side: Side::new(heuristic, goal.shape(), options.order),
            open: Open::new(),
            meter,
            ledger: Ledger::new(options.limits.memory),
            ranking,
            batch,
            is_batched: batch > 1,
            goal: P::pack(goal.board()),
            parity: goal.manhattan_distance(board) % 2,
            bound: 0,
            front: 0,
            is_admissible: heuristic.is_admissible(),
            totals: Totals::default(),
            found: None,
        }
    }

    fn run(mut self, task: &Task, root: &Memo) -> Result<Outcome, SearchError> {
        let &Task { goal, board, .. } = task;
        let initial_estimate = root.estimate;
        self.front = first_bound(goal, board, initial_estimate);
        self.bound = proved(self.is_admissible, goal, board, self.front);
        let status = match self.reach(task, root) {
            Ok(moves) => answer(goal, board, moves, self.bound, self.is_admissible)?,
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
    fn reach(&mut self, task: &Task, root: &Memo) -> Result<Vec<Direction>, LimitKind> {
        self.meter.count()?;
        if task.board == task.goal.board() {
            return Ok(Vec::new());
        }
        self.side.start(&mut self.ledger, &mut self.meter, task.board, root)?;
        self.put(0, 0, self.front)?;
        if self.is_batched {
            self.in_batches()?;
        } else {
            self.one_by_one()?;
        }
        let found = self.found.expect("a solvable board's goal is reached");
        if self.ranking == Ranking::AStar && self.is_admissible {
            // Either it is no longer than the bound, or nothing shorter was left.
            self.bound = self.bound.max(found.length);
        }
        let mut path = self.side.store.moves_to(found.before, &self.side.steps);
        path.push(found.last);
        Ok(path)
    }

    /// Expands the best board, until a solution is good enough.
    fn one_by_one(&mut self) -> Result<(), LimitKind> {
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
        Ok(())
    }

    /// Whether the search may end with a solution.
    fn is_enough(&self, found: Found) -> bool {
        self.ranking != Ranking::AStar || found.length <= self.front
    }

    /// The front of the open list, which is about to be expanded, says what is proved.
    fn prove(&mut self, key: Key, index: u32, moves: u32) {
        match self.ranking {
            Ranking::AStar => self.front = self.front.max(key.0 as u32),
            Ranking::Weighted(_) => {
                self.front = self.front.max(self.totals.smallest());
                let total = self.total(moves, self.side.store.estimate(index));
                self.totals.take(total);
            }
            Ranking::Greedy => {}
        }
        if self.is_admissible {
            self.bound = self.bound.max(self.front);
        }
    }

    /// Keeps a child that is not the goal, or a shorter way to it.
    fn meet(&mut self, child: &Child<P>, moves: u32) -> Result<(), LimitKind> {
        let way = Way::new(moves, child.direction);
        match child.seen {
            Seen::Never(memo) => {
                let total = self.total(moves, memo.estimate);
                if self.is_too_long(total) {
                    return Ok(());
                }
                let (board, hash) = (child.board, child.hash);
                let Self { side, ledger, meter, .. } = self;
                let index = side.store.insert(ledger, meter, board, hash, way, &memo)?;
                self.put(index, moves, total)
            }
            Seen::Before(index) => {
                let before = self.side.store.way(index);
                if self.ranking == Ranking::Greedy || before.moves() <= moves {
                    return Ok(());
                }
                let estimate = self.side.store.estimate(index);
                if before.is_open() {
                    self.uncount(self.total(before.moves(), estimate));
                }
                self.side.store.set_way(index, way);
                let total = self.total(moves, estimate);
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
    fn total(&self, moves: u32, estimate: u32) -> u32 {
        round_up(moves + estimate, self.parity)
    }

    fn put(&mut self, index: u32, moves: u32, total: u32) -> Result<(), LimitKind> {
        self.count(total);
        self.push(index, moves, total)
    }

    /// Counts an open board's g + h, where it must be known.
    #[inline(always)]
    fn count(&mut self, total: u32) {
        if let Ranking::Weighted(_) = self.ranking {
            self.totals.put(total);
        }
    }

    #[inline(always)]
    fn uncount(&mut self, total: u32) {
        if let Ranking::Weighted(_) = self.ranking {
            self.totals.take(total);
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
        self.open.push(&mut self.ledger, key, index)
    }

    /// The moves made of the boards with a key.
    fn moves_of(&self, key: Key) -> u32 {
        if self.ranking == Ranking::Greedy { key.1 } else { !key.1 }
    }
}

/// So many boards of a batch are expanded before the clock is looked at and estimates are asked for.
const PORTION: usize = 64;

/// A board that was taken out of the open list.
#[derive(Clone, Copy)]
struct Taken {
    index: u32,
    /// How it was reached by then.
    way: Way,
}

/// A board that is to be put into the open list.
#[derive(Clone, Copy)]
struct Waiting {
    index: u32,
    moves: u32,
    /// Whether its estimate is not known yet.
    is_new: bool,
}

/// Room for the work of a batch.
struct Batch {
    taken: Vec<Taken>,
    parents: Vec<Expansion>,
    waiting: Vec<Waiting>,
    memos: Vec<Memo>,
}

impl Batch {
    /// All that a batch of so many boards will ever need.
    fn new(ledger: &mut Ledger, size: u32) -> Result<Self, LimitKind> {
        let (size, parents) = (size as usize, PORTION.min(size as usize));
        let of_parent = size_of::<Expansion>() + 4 * (size_of::<Waiting>() + size_of::<Memo>());
        ledger.take((size * size_of::<Taken>() + parents * of_parent) as u64)?;
        Ok(Self {
            taken: Vec::with_capacity(size),
            parents: Vec::with_capacity(parents),
            waiting: Vec::with_capacity(4 * parents),
            memos: Vec::with_capacity(4 * parents),
        })
    }
}

impl<P: Packed> Search<'_, P> {
    /// Expands the best boards together, until a solution is good enough.
    fn in_batches(&mut self) -> Result<(), LimitKind> {
        let mut batch = Batch::new(&mut self.ledger, self.batch)?;
        loop {
            self.take_batch(&mut batch.taken)?;
            if batch.taken.is_empty() {
                // Nothing shorter was left, unless greedy search closed it.
                if let (true, Some(found)) = (self.is_admissible, self.found)
                    && self.ranking != Ranking::Greedy
                {
                    self.bound = self.bound.max(found.length);
                }
                return Ok(());
            }
            if self.is_done() {
                return Ok(());
            }
            for from in (0..batch.taken.len()).step_by(PORTION) {
                self.expand_portion(from, &mut batch)?;
            }
            if self.is_done() {
                return Ok(());
            }
        }
    }

    /// Whether the solution that is known is good enough by what is proved between batches.
    fn is_done(&self) -> bool {
        let Some(found) = self.found else { return false };
        match self.ranking {
            Ranking::AStar => found.length <= self.front,
            Ranking::Weighted(weight) => {
                weight.weigh(found.length, 0) <= weight.weigh(0, self.front)
            }
            Ranking::Greedy => true,
        }
    }

    /// Takes the best boards out of the open list, and closes them. What is in front says what is proved.
    fn take_batch(&mut self, taken: &mut Vec<Taken>) -> Result<(), LimitKind> {
        taken.clear();
        let mut is_first = true;
        while taken.len() < self.batch as usize
            && let Some((key, index)) = self.open.pop(&mut self.ledger)
        {
            let moves = self.moves_of(key);
            if !self.side.is_current(index, moves) {
                self.meter.work()?;
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
                    // What promised no shorter solution than the one that is known was left out.
                    let most = self.found.map_or(u32::MAX, |found| found.length);
                    self.bound = self.bound.max(self.front.min(most));
                }
            }
            self.uncount(total);
            let way = self.side.store.way(index);
            self.side.store.close(index);
            if !self.is_hopeless(total) {
                taken.push(Taken { index, way });
            }
        }
        Ok(())
    }

    /// Whether a solution is known that is no longer than what a board promises.
    fn is_hopeless(&self, total: u32) -> bool {
        self.ranking != Ranking::Greedy && self.found.is_some_and(|found| total >= found.length)
    }

    /// Expands some boards of a batch: generates the children, has the new ones estimated, and puts what
    /// is to be expanded into the open list, in the order in which it was generated.
    fn expand_portion(&mut self, from: usize, batch: &mut Batch) -> Result<(), LimitKind> {
        let Batch { taken, parents, waiting, memos } = batch;
        self.meter.look()?;
        parents.clear();
        waiting.clear();
        // The boards that are kept from here on are new, and have no estimate yet.
        let first_new = self.side.store.len() as u32;
        for &Taken { index, way } in taken[from..].iter().take(PORTION) {
            self.side.expanded += 1;
            let (board, mut parent) = self.side.expansion(index);
            let blank = parent.board.blank();
            for n in 0..4 {
                let Some(next) = self.side.nth_move(n, board, blank, way) else { continue };
                self.meter.count()?;
                if let Some(new) = self.reach_by(&next, (index, way), &parent, first_new)? {
                    waiting.push(new);
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
        self.side.children(parents, memos);
        let mut memos = memos.iter();
        for &Waiting { index, moves, is_new } in &*waiting {
            if is_new {
                let memo = memos.next().expect("each new child has its memo");
                self.side.store.set_memo(&mut self.ledger, index, memo)?;
            }
            // What was reached on a shorter way since comes later in the list.
            if self.side.store.way(index).moves() != moves {
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

    /// Keeps the board that a move leads to, if it is new or was reached on a shorter way; or the goal.
    fn reach_by(
        &mut self,
        next: &Move<P>,
        (parent, before): (u32, Way),
        expansion: &Expansion,
        first_new: u32,
    ) -> Result<Option<Waiting>, LimitKind> {
        let moves = before.moves() + 1;
        let way = Way::new(moves, next.direction);
        if next.board == self.goal {
            if self.found.is_none_or(|found| moves < found.length) {
                self.found = Some(Found { length: moves, before: parent, last: next.direction });
            }
            return Ok(None);
        }
        let Some(index) = next.seen else {
            let Self { side, ledger, meter, .. } = self;
            // The parent's memo stands there until the child's is known.
            let (board, hash, memo) = (next.board, next.hash, &expansion.memo);
            let index = side.store.insert(ledger, meter, board, hash, way, memo)?;
            return Ok(Some(Waiting { index, moves, is_new: true }));
        };
        let known = self.side.store.way(index);
        if self.ranking == Ranking::Greedy || known.moves() <= moves {
            return Ok(None);
        }
        // Boards that are new are counted once their estimates are known.
        if index < first_new {
            let estimate = self.side.store.estimate(index);
            if known.is_open() {
                self.uncount(self.total(known.moves(), estimate));
            }
            self.count(self.total(moves, estimate));
        }
        self.side.store.set_way(index, way);
        Ok(Some(Waiting { index, moves, is_new: false }))
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

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]
mod tests {
    use super::*;
    use crate::Manhattan;

    /// What the search in batches does with one board at a time.
    fn in_batches_of_one(goal: &Goal, board: &Board, ranking: Ranking) -> Outcome {
        let manhattan = Manhattan::new(goal);
        let options = Options::default();
        let root = Estimator::root(&manhattan, board).unwrap();
        let task = Task { goal, board, options: &options };
        let meter = Meter::start(options.limits);
        let mut search = Search::<u64>::new(&manhattan, &task, (ranking, 1), meter);
        search.is_batched = true;
        search.run(&task, &root).unwrap()
    }

    #[test]
    fn batches_of_one_are_the_plain_search_node_for_node() {
        let weights = ["1", "81/19", "1.5", "7"].map(|text| text.parse().unwrap());
        let rankings = weights.map(Ranking::Weighted).into_iter();
        let rankings: Vec<_> = rankings.chain([Ranking::AStar, Ranking::Greedy]).collect();
        for text in
            ["8 6 7/2 5 4/3 0 1", "6 4 7/8 5 0/3 2 1", "1 2 3/4 5 6/7 0 8", "0 1 3/4 2 5/7 8 6"]
        {
            let board: Board = text.parse().unwrap();
            let goal = Goal::blank_last(board.shape());
            let manhattan = Manhattan::new(&goal);
            goal.check_solvable(&board).unwrap();
            for &ranking in &rankings {
                let plain =
                    best_first(&manhattan, &goal, &board, ranking, &Options::default()).unwrap();
                let batched = in_batches_of_one(&goal, &board, ranking);
                assert_eq!(batched.status, plain.status, "{ranking:?}: {text}");
                assert_eq!(
                    (batched.generated, batched.expanded, batched.lookups),
                    (plain.generated, plain.expanded, plain.lookups),
                    "{ranking:?}: {text}"
                );
            }
        }
    }
}
