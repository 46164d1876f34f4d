//! Running one heuristic and one search on all boards.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use pdb_engine::{Engine, SearchName};
use pdb_search::{LimitKind, Limits, Outcome, SearchError, Status, Weight, on_threads};
use tilebase::BoardSet;

use crate::row::{End, PairName, Sample};
use crate::{CompareError, Row};

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
/// `engine` must have been made for the boards' goal. A search that is not
/// [informed](SearchName::is_informed) ignores its heuristic.
///
/// # Errors
/// [`CompareError::Search`] when a search has no answer, for instance because a table is damaged.
pub fn run(
    engine: &Engine,
    search: SearchName,
    boards: &BoardSet,
    settings: &Settings<'_>,
    done: &(dyn Fn() + Sync),
) -> Result<Row, CompareError> {
    let search = search.with_weight(settings.weight);
    let started = Instant::now();
    let next = AtomicUsize::new(0);
    let samples: Mutex<Vec<Sample>> = Mutex::default();
    let error: Mutex<Option<SearchError>> = Mutex::default();
    let is_over = || {
        let late = settings.row_time.is_some_and(|time| started.elapsed() >= time);
        let stop = settings.limits.stop;
        late || stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    };
    let work = || {
        while !is_over() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(board) = boards.boards.get(number) else { break };
            match engine.search(search, board, settings.weight, settings.limits) {
                // What was cut short from outside says nothing of heuristic or search.
                Ok(Outcome {
                    status: Status::Limit { kind: LimitKind::Interrupted, .. }, ..
                }) => {}
                Ok(outcome) => {
                    let mut samples = samples.lock().unwrap_or_else(PoisonError::into_inner);
                    samples.push(sample(number, &outcome));
                }
                Err(problem) => {
                    *error.lock().unwrap_or_else(PoisonError::into_inner) = Some(problem);
                    next.store(boards.boards.len(), Ordering::Relaxed);
                }
            }
            done();
        }
    };
    on_threads(settings.thread_count, &work);
    if let Some(error) = error.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error.into());
    }
    let mut samples = samples.into_inner().unwrap_or_else(PoisonError::into_inner);
    samples.sort_unstable_by_key(|sample| sample.board);
    let PairName { heuristic, search: name } = PairName::new(engine.name(), search);
    Ok(Row {
        table_bytes: if heuristic.is_some() { engine.table_bytes() } else { 0 },
        heuristic,
        search: name,
        samples,
    })
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
