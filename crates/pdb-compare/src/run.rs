//! Running one heuristic and one search on all boards.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use pdb_core::{BLANK, Board, Goal, Heuristic};
use pdb_search::{
    KORF_BLANK_FIRST, KORF_BLANK_LAST, LimitKind, Limits, Options, Outcome, Ranking, SearchError,
    Sharing, Solver, Status, Weight, best_first, bidirectional, breadth_first, ida_star,
    weighted_ida_star,
};

use crate::prepared::BothWays;
use crate::row::{End, Sample};
use crate::{Boards, CompareError, Prepared, Row, SearchName};

/// How boards are searched.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// When the search of one board gives up. Memory is that of one search.
    pub limits: Limits<'a>,
    /// After this time no further board is begun.
    pub row_time: Option<Duration>,
    /// Boards that are searched at once, each on a thread of its own.
    pub thread_count: usize,
    /// The weight of searches that have none of their own.
    pub weight: Weight,
}

impl Default for Settings<'_> {
    /// One board after another without a limit; twice the estimate where a search is weighted.
    fn default() -> Self {
        let weight = Weight::new(2, 1).expect("2 is a weight");
        Self { limits: Limits::default(), row_time: None, thread_count: 1, weight }
    }
}

/// Searches every board, and calls `done` after each.
///
/// `heuristic` must have been made for the boards' goal. Without one only a search that is not
/// [informed](SearchName::is_informed) can be run; such a search ignores it.
///
/// # Errors
/// [`CompareError::Search`] when a search has no answer, for instance because a table is damaged.
///
/// # Panics
/// When an informed search has no heuristic.
pub fn run(
    heuristic: Option<&Prepared>,
    search: SearchName,
    boards: &Boards,
    settings: &Settings<'_>,
    done: &(dyn Fn() + Sync),
) -> Result<Row, CompareError> {
    let search = search.with_weight(settings.weight);
    let heuristic = heuristic.filter(|_| search.is_informed());
    let goal = &boards.goal;
    // Either order is the other one on the board turned by half.
    let order = if goal.home(BLANK) == 0 { KORF_BLANK_FIRST } else { KORF_BLANK_LAST };
    let options = Options { order, limits: settings.limits };
    let work = Work { search, goal, options, boards: &boards.boards, settings, done };
    let samples = match heuristic {
        None => {
            assert!(!search.is_informed(), "{search} needs a heuristic");
            work.on_each(&|board| breadth_first(goal, board, &options))
        }
        Some(heuristic) => match search {
            SearchName::Ida | SearchName::WeightedIda(_) | SearchName::Lanes => {
                heuristic.visit(work)
            }
            _ => heuristic.visit_both_ways(work),
        },
    }?;
    Ok(Row {
        heuristic: heuristic.map(|heuristic| heuristic.name().to_owned()),
        search: search.to_string(),
        table_bytes: heuristic.map_or(0, Prepared::table_bytes),
        samples,
    })
}

/// What is to be done with a heuristic.
#[derive(Clone, Copy)]
struct Work<'a> {
    search: SearchName,
    goal: &'a Goal,
    options: Options<'a>,
    boards: &'a [Board],
    settings: &'a Settings<'a>,
    done: &'a (dyn Fn() + Sync),
}

type Samples = Result<Vec<Sample>, CompareError>;

impl Work<'_> {
    /// Calls `solve` for the boards in their order, on several threads.
    fn on_each(&self, solve: &(impl Fn(&Board) -> Result<Outcome, SearchError> + Sync)) -> Samples {
        let started = Instant::now();
        let next = AtomicUsize::new(0);
        let samples: Mutex<Vec<Sample>> = Mutex::default();
        let error: Mutex<Option<SearchError>> = Mutex::default();
        let is_over = || {
            let late = self.settings.row_time.is_some_and(|time| started.elapsed() >= time);
            let stop = self.options.limits.stop;
            late || stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
        };
        let work = || {
            while !is_over() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(board) = self.boards.get(number) else { break };
                match solve(board) {
                    // What was cut short from outside says nothing of heuristic or search.
                    Ok(Outcome {
                        status: Status::Limit { kind: LimitKind::Interrupted, .. },
                        ..
                    }) => {}
                    Ok(outcome) => {
                        let mut samples = samples.lock().unwrap_or_else(PoisonError::into_inner);
                        samples.push(sample(number, &outcome));
                    }
                    Err(problem) => {
                        *error.lock().unwrap_or_else(PoisonError::into_inner) = Some(problem);
                        next.store(self.boards.len(), Ordering::Relaxed);
                    }
                }
                (self.done)();
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.settings.thread_count {
                scope.spawn(work);
            }
            work();
        });
        if let Some(error) = error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error.into());
        }
        let mut samples = samples.into_inner().unwrap_or_else(PoisonError::into_inner);
        samples.sort_unstable_by_key(|sample| sample.board);
        Ok(samples)
    }
}

impl pdb_rt::Visitor for Work<'_> {
    type Output = Samples;

    fn visit<H: Heuristic>(self, heuristic: &H) -> Samples {
        let Self { goal, options, .. } = self;
        match self.search {
            SearchName::Ida => {
                self.on_each(&|board| heuristic.run(|| ida_star(heuristic, goal, board, &options)))
            }
            SearchName::WeightedIda(weight) => {
                let weight = weight.unwrap_or(self.settings.weight);
                self.on_each(&|board| {
                    heuristic.run(|| weighted_ida_star(heuristic, goal, board, weight, &options))
                })
            }
            SearchName::Lanes => {
                let solver = Solver::new(heuristic, goal, options, Sharing::default())?;
                self.on_each(&|board| solver.solve(board))
            }
            _ => unreachable!("the other searches are no depth-first ones"),
        }
    }
}

impl BothWays for Work<'_> {
    type Output = Samples;

    fn visit<H: Heuristic, B: Heuristic>(
        self,
        heuristic: &H,
        backward: impl Fn(&Goal) -> B + Sync,
    ) -> Samples {
        let Self { goal, options, .. } = self;
        let ranking = match self.search {
            SearchName::Greedy => Ranking::Greedy,
            SearchName::AStar => Ranking::AStar,
            SearchName::WeightedAStar(weight) => {
                Ranking::Weighted(weight.unwrap_or(self.settings.weight))
            }
            SearchName::Bidirectional => {
                return self.on_each(&|board| {
                    let started = Instant::now();
                    let backward = backward(&Goal::new(*board));
                    // Making it is a part of the search of this board.
                    let time =
                        options.limits.time.map(|time| time.saturating_sub(started.elapsed()));
                    let options = Options { limits: Limits { time, ..options.limits }, ..options };
                    let outcome = bidirectional(heuristic, &backward, goal, board, &options)?;
                    Ok(Outcome { elapsed: started.elapsed(), ..outcome })
                });
            }
            _ => unreachable!("the other searches keep no boards"),
        };
        self.on_each(&|board| best_first(heuristic, goal, board, ranking, &options))
    }
}

fn sample(board: usize, outcome: &Outcome) -> Sample {
    let (end, length, lower_bound) = match &outcome.status {
        Status::Optimal { moves } => (End::Optimal, Some(moves.len() as u32), moves.len() as u32),
        Status::Solved { moves, lower_bound } => {
            (End::Solved, Some(moves.len() as u32), *lower_bound)
        }
        Status::Unsolvable(_) => (End::Unsolvable, None, 0),
        Status::Limit { lower_bound, .. } => (End::Limit, None, *lower_bound),
        _ => unreachable!("a search ends in one of four ways"),
    };
    Sample {
        board,
        end,
        estimate: outcome.initial_estimate,
        length,
        lower_bound,
        generated: outcome.generated,
        expanded: outcome.expanded,
        seconds: outcome.elapsed.as_secs_f64(),
        memory_bytes: outcome.memory_bytes,
    }
}
