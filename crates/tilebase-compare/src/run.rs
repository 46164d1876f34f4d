//! Runs of one heuristic and one search on all boards.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use pdb_core::lock;
use pdb_lab::{Engine, SearchName};
use pdb_search::{Boards, LimitKind, Limits, Next, Outcome, SearchError, Weight, Work};
use tilebase::crew::Crew;
use tilebase::sets::BoardSet;
use tilebase::{Board, Metric, Mode, Search, Tilebase};

use crate::row::{PairName, Sample};
use crate::{CompareError, Row};

/// Settings of a run.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// Limits of the search of one board.
    pub limits: Limits<'a>,
    /// Time after which no further board is started.
    pub row_time: Option<Duration>,
    /// Number of boards that are searched at once, each on its own thread.
    pub thread_count: usize,
    /// Default weight of weighted searches.
    pub weight: Weight,
    /// Other ranks that search boards, too, and the handle with their tables.
    pub crew: Option<(&'a dyn Crew, &'a Tilebase)>,
}

impl Default for Settings<'_> {
    /// Returns options for one board at a time, without a time limit, with the weight 2.
    fn default() -> Self {
        let weight = Weight::new(2, 1).expect("2 is a weight");
        Self { limits: Limits::default(), row_time: None, thread_count: 1, weight, crew: None }
    }
}

/// Searches every board, and calls `done` after each.
///
/// `engine` must be made for the boards' goal. Its heuristic may be one of the calling program. A
/// search that is not [informed](SearchName::is_informed) ignores it.
///
/// # Errors
/// [`CompareError::Search`] if a search fails, for instance because a table is damaged;
/// [`CompareError::Crew`] if another rank fails.
pub fn run(
    engine: &Engine,
    search: SearchName,
    boards: &BoardSet,
    settings: &Settings<'_>,
    done: &(dyn Fn() + Sync),
) -> Result<Row, CompareError> {
    let search = search.with_weight(settings.weight);
    let Settings { limits, thread_count, weight, crew, .. } = *settings;
    let boards = SampleQueue {
        boards: &boards.boards,
        metric: engine.metric(),
        settings,
        started: Instant::now(),
        next: AtomicUsize::new(0),
        samples: Mutex::default(),
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
    let SampleQueue { samples, error, .. } = boards;
    if let Some(error) = error.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error.into());
    }
    let mut samples = samples.into_inner().unwrap_or_else(PoisonError::into_inner);
    samples.sort_unstable_by_key(|sample| sample.board);
    let name = PairName::new(engine.name(), search);
    let table_bytes = if name.heuristic.is_some() { engine.table_bytes() } else { 0 };
    Ok(Row { name, metric: engine.metric().unusual_name(), table_bytes, samples })
}

/// Queue of boards, with their results.
struct SampleQueue<'a> {
    boards: &'a [Board],
    metric: Metric,
    settings: &'a Settings<'a>,
    started: Instant,
    next: AtomicUsize,
    samples: Mutex<Vec<Sample>>,
    error: Mutex<Option<SearchError>>,
    done: &'a (dyn Fn() + Sync),
}

impl SampleQueue<'_> {
    fn is_over(&self) -> bool {
        let Settings { row_time, limits, .. } = self.settings;
        let late = row_time.is_some_and(|time| self.started.elapsed() >= time);
        late || limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

impl Boards for SampleQueue<'_> {
    fn next(&self) -> Next {
        if self.is_over() {
            return Next::End;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.boards.get(number).map_or(Next::End, |&board| Next::Board(board, number as u64))
    }

    fn answer(&self, number: u64, answer: Result<Outcome, SearchError>) {
        match answer {
            // A result that the caller interrupted does not count.
            Ok(outcome) if outcome.status.limit() == Some(LimitKind::Interrupted) => {}
            Ok(outcome) => {
                lock(&self.samples).push(sample(number as usize, self.metric, &outcome));
            }
            Err(problem) => {
                *lock(&self.error) = Some(problem);
                self.next.store(self.boards.len(), Ordering::Relaxed);
            }
        }
        (self.done)();
    }
}

fn sample(board: usize, metric: Metric, outcome: &Outcome) -> Sample {
    let status = &outcome.status;
    Sample {
        board,
        status: status.kind(),
        estimate: outcome.initial_estimate,
        length: status.moves().map(|moves| metric.count(moves) as u32),
        lower_bound: status.lower_bound_in(metric).unwrap_or(0),
        generated: outcome.generated,
        expanded: outcome.expanded,
        seconds: outcome.elapsed.as_secs_f64(),
        memory_bytes: outcome.memory_bytes,
    }
}
