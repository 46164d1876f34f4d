//! Running one heuristic and one search on all boards.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use pdb_lab::{Engine, SearchName};
use pdb_search::{Boards, LimitKind, Limits, Next, Outcome, SearchError, Status, Weight, Work};
use tilebase::{Board, BoardSet, Crew, Mode, Search, Tilebase};

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
    /// Others who search boards too, and the handle whose tables they have.
    pub crew: Option<(&'a dyn Crew, &'a Tilebase)>,
}

impl Default for Settings<'_> {
    /// One board after another without a limit; twice the estimate where a search is weighted.
    fn default() -> Self {
        let weight = Weight::new(2, 1).expect("2 is a weight");
        Self { limits: Limits::default(), row_time: None, thread_count: 1, weight, crew: None }
    }
}

/// Searches every board, and calls `done` after each.
///
/// `engine` must have been made for the boards' goal. A search that is not
/// [informed](SearchName::is_informed) ignores its heuristic.
///
/// # Errors
/// [`CompareError::Search`] when a search has no answer, for instance because a table is damaged;
/// [`CompareError::Crew`] when the others cannot take part.
pub fn run(
    engine: &Engine,
    search: SearchName,
    boards: &BoardSet,
    settings: &Settings<'_>,
    done: &(dyn Fn() + Sync),
) -> Result<Row, CompareError> {
    let search = search.with_weight(settings.weight);
    let Settings { limits, thread_count, weight, crew, .. } = *settings;
    let boards = Samples {
        boards: &boards.boards,
        settings,
        started: Instant::now(),
        next: AtomicUsize::new(0),
        found: Mutex::default(),
        error: Mutex::default(),
        done,
    };
    let work = Work { limits, thread_count, ..Work::default() };
    let solve = |boards: &dyn Boards| engine.solve_all_by(search, boards, weight, &work);
    match crew {
        None => solve(&boards),
        Some((crew, tables)) => {
            let Limits { time, nodes, memory: memory_bytes, .. } = limits;
            let mode = Mode::By(search);
            let search = Search { time, nodes, memory_bytes, mode, ..Search::default() };
            let never = AtomicBool::new(false);
            let stop = limits.stop.unwrap_or(&never);
            let has_failed = AtomicBool::new(false);
            let task = tables.task(engine, &search, stop, &has_failed);
            let shared = crew.solve_boards(&task, &boards, &solve);
            shared.map_err(|problem| CompareError::Crew(problem.to_string()))?;
        }
    }
    let Samples { found: samples, error, .. } = boards;
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

/// The boards, and what was found of each.
struct Samples<'a> {
    boards: &'a [Board],
    settings: &'a Settings<'a>,
    started: Instant,
    next: AtomicUsize,
    found: Mutex<Vec<Sample>>,
    error: Mutex<Option<SearchError>>,
    done: &'a (dyn Fn() + Sync),
}

impl Samples<'_> {
    fn is_over(&self) -> bool {
        let Settings { row_time, limits, .. } = self.settings;
        let late = row_time.is_some_and(|time| self.started.elapsed() >= time);
        late || limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

impl Boards for Samples<'_> {
    fn next(&self) -> Next {
        if self.is_over() {
            return Next::End;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.boards.get(number).map_or(Next::End, |&board| Next::Board(board, number as u64))
    }

    fn answer(&self, number: u64, answer: Result<Outcome, SearchError>) {
        match answer {
            // What was cut short from outside says nothing of heuristic or search.
            Ok(Outcome { status: Status::Limit { kind: LimitKind::Interrupted, .. }, .. }) => {}
            Ok(outcome) => {
                let mut samples = self.found.lock().unwrap_or_else(PoisonError::into_inner);
                samples.push(sample(number as usize, &outcome));
            }
            Err(problem) => {
                *self.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(problem);
                self.next.store(self.boards.len(), Ordering::Relaxed);
            }
        }
        (self.done)();
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
