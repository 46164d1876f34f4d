//! Requests about a board.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Serialize;
use tilebase::event::{Event, Watch};
use tilebase::explain::Explanation;
use tilebase::moves::SolutionOptions;
use tilebase::pdb_lab::SearchName;
use tilebase::pdb_search::{BoundCount, LimitKind, Weight};
use tilebase::record::{CheckRecord, MovesRecord, Record, SolutionsRecord};
use tilebase::sets::{STEPS_MAX, SetName};
use tilebase::text::{MoveNaming, MoveStyle, WrittenMoves, format_moves};
use tilebase::{Answer, Board, Cancel, Error, Mode, Search, Status, Tilebase};
use tokio::sync::mpsc;

use super::accepts;
use super::stream::{channel, event};
use crate::params::Params;
use crate::problem::Problem;
use crate::settings::{IsLocal, Limits};
use crate::state::{ResponseKey, Shared, State};

/// Parameters of most requests.
const COMMON: [&str; 6] = ["board", "goal", "spec", "moves", "time_limit", "node_limit"];
/// Interval of progress events.
const TICK: Duration = Duration::from_millis(100);
/// Factor of the next time limit. The repeated part is a tenth of the next search.
const NEXT_TIME_FACTOR: u32 = 10;
/// Name of the search that takes a weight.
const WEIGHTED: &str = "weighted-astar";
/// Largest number of listed solutions.
const LISTED_MAX: u64 = 1000;

/// A board with the parameters of its search.
struct BoardQuery {
    board: Board,
    goal: Option<String>,
    spec: Option<String>,
    style: MoveStyle,
    search: Search,
    /// Largest time limit for the client.
    time_max: Duration,
    tables: Tilebase,
    /// Epoch of the cache in which the query started.
    epoch: u64,
}

impl BoardQuery {
    fn read(shared: &Shared, params: &Params, is_local: IsLocal) -> Result<Self, Problem> {
        let (board, style) = (params.board()?, params.style()?);
        let limits = &shared.settings.limits;
        let time_max = limits.time_max(is_local);
        let time = params.time()?.unwrap_or(limits.time).min(time_max);
        let nodes_max = limits.nodes_within(time);
        let nodes = params.number("node_limit", nodes_max, 1..=u64::MAX)?.min(nodes_max);
        let search = Search { time: Some(time), nodes: Some(nodes), ..Search::default() };
        let text = |name| params.text(name).map(str::to_owned);
        let (goal, spec) = (text("goal"), text("spec"));
        let epoch = shared.responses.epoch();
        let tables = shared.tables.handle(spec.as_deref(), goal.as_deref())?;
        Ok(Self { board, goal, spec, style, search, time_max, tables, epoch })
    }

    /// Adds advice about the limit that ended the search to a record.
    fn advised<R>(&self, limits: &Limits, record: R, limit: Option<LimitKind>) -> Advised<R> {
        let Search { time, nodes, .. } = self.search;
        let time = time.unwrap_or(limits.time);
        // More time does not help against a node limit of the client's own.
        let is_own = nodes.is_some_and(|nodes| nodes < limits.nodes_within(time));
        let is_advised = match limit {
            Some(LimitKind::Time) => true,
            Some(LimitKind::Nodes) => !is_own,
            _ => false,
        };
        let longer =
            time.max(Duration::from_millis(1)).saturating_mul(NEXT_TIME_FACTOR).min(self.time_max);
        let next_time_limit = (longer > time).then(|| format!("{}s", longer.as_secs_f64()));
        let seconds = time.as_secs_f64();
        let advice = match &next_time_limit {
            Some(next) => {
                format!("{seconds} s were not enough: repeat the request with time_limit={next}")
            }
            None if limit == Some(LimitKind::Nodes) => format!(
                "{} nodes were not enough, which is the server's limit: start it with a larger limit, as in tilebase \
                 serve --node-limit {}",
                limits.nodes,
                limits.nodes.saturating_mul(10)
            ),
            None => format!(
                "{seconds} s were not enough, which is the server's limit: start it with a longer limit, as in \
                 tilebase serve --time-limit 10min"
            ),
        };
        let advice = is_advised.then_some(advice);
        Advised { record, next_time_limit: next_time_limit.filter(|_| is_advised), advice }
    }

    fn key(&self, route: &'static str) -> ResponseKey {
        let Self { board, goal, spec, style, .. } = self;
        let (goal, spec) = (goal.clone(), spec.clone());
        ResponseKey { route, board: *board, goal, spec, naming: style.naming }
    }
}

/// A record with advice about the limit that ended its search.
#[derive(Debug, Serialize)]
struct Advised<R> {
    #[serde(flatten)]
    record: R,
    /// A longer `time_limit` that the server accepts.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_time_limit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

impl Shared {
    /// Runs the search of a query. `limit_of` returns the limit that ended it.
    async fn search<T: Send + 'static>(
        &self,
        query: &BoardQuery,
        limit_of: fn(&T) -> Option<LimitKind>,
        work: impl Fn(&Tilebase, &Search) -> Result<T, Error> + Send + Sync + 'static,
    ) -> Result<T, Problem> {
        let BoardQuery { goal, spec, search, tables, .. } = query;
        let handle = tables.clone();
        let all_tables = Arc::clone(&self.tables);
        let key = (spec.clone(), goal.clone());
        let work = move |search: &Search| {
            work(&handle, search)
                .map_err(|error| all_tables.problem(key.0.as_deref(), key.1.as_deref(), error))
        };
        self.workers.search(search.clone(), limit_of, work).await
    }

    fn count(&self, generated: u64) {
        self.metrics.generated.fetch_add(generated, Ordering::Relaxed);
    }

    /// Returns a cached response.
    fn cached(&self, key: &ResponseKey) -> Option<Response> {
        let found = self.responses.get(key)?;
        self.metrics.cache_hits.fetch_add(1, Ordering::Relaxed);
        let mut response = json(found);
        let name = HeaderName::from_static("cache-status");
        response.headers_mut().insert(name, HeaderValue::from_static("tilebase; hit"));
        Some(response)
    }

    /// Creates a response, and caches it if the search was complete.
    fn respond(
        &self,
        epoch: u64,
        key: ResponseKey,
        record: &impl Serialize,
        is_complete: bool,
    ) -> Response {
        let text = Bytes::from(serde_json::to_vec(record).expect("a record has a JSON form"));
        if is_complete {
            self.responses.insert(epoch, key, text.clone());
        }
        json(text)
    }
}

fn json(text: Bytes) -> Response {
    let kind = HeaderValue::from_static("application/json");
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

pub(super) async fn moves(
    state: State,
    is_local: Extension<IsLocal>,
    params: Params,
) -> Result<Response, Problem> {
    let query = BoardQuery::read(&state, &params.only(&COMMON)?, *is_local)?;
    let key = query.key("moves");
    if let Some(cached) = state.cached(&key) {
        return Ok(cached);
    }
    let (board, style) = (query.board, query.style);
    let work = move |tables: &Tilebase, search: &Search| tables.moves_with(board, search);
    let values = state.search(&query, |values| values.limit, work).await?;
    state.count(values.generated);
    let record = MovesRecord::new(&values, style);
    let record = query.advised(&state.settings.limits, record, values.limit);
    Ok(state.respond(query.epoch, key, &record, values.limit.is_none()))
}

pub(super) async fn check(
    state: State,
    is_local: Extension<IsLocal>,
    params: Params,
) -> Result<Response, Problem> {
    let params = params.only(&[COMMON.as_slice(), &["sequence"]].concat())?;
    let query = BoardQuery::read(&state, &params, *is_local)?;
    let (board, style) = (query.board, query.style);
    // An empty sequence is valid.
    let text = params.text("sequence").unwrap_or_default();
    let names_blank = style.naming == MoveNaming::Blank;
    let sequence = WrittenMoves::parse(text, names_blank)
        .map_err(|error| Problem::bad(format!("the parameter sequence: {error}")))?;
    let work =
        move |tables: &Tilebase, search: &Search| tables.check_with(board, &sequence, search);
    let checked = state.search(&query, |checked| checked.limit, work).await?;
    state.count(checked.answer.generated);
    let record = CheckRecord::new(&checked, style);
    Ok(Json(query.advised(&state.settings.limits, record, checked.limit)).into_response())
}

/// Number of solutions, and some of them.
#[derive(Debug, Serialize)]
struct SolutionListing {
    #[serde(flatten)]
    numbers: SolutionsRecord,
    solutions: Vec<String>,
}

pub(super) async fn solutions(
    state: State,
    is_local: Extension<IsLocal>,
    params: Params,
) -> Result<Response, Problem> {
    let params = params.only(&[COMMON.as_slice(), &["slack", "list"]].concat())?;
    let query = BoardQuery::read(&state, &params, *is_local)?;
    let slack = params.number("slack", 0, 0..=100)?;
    let list_max = params.number("list", 0, 0..=LISTED_MAX)?;
    let (board, style) = (query.board, query.style);
    let memory_bytes = Some(state.settings.limits.memory_bytes);
    let work = move |tables: &Tilebase, search: &Search| {
        let search = Some(search.clone());
        let solutions =
            SolutionOptions { search, memory_bytes, list_max, ..SolutionOptions::count() };
        let mut listed = Vec::new();
        let set = tables.solutions(board, &solutions.slack(slack), &mut |answer, moves| {
            listed.push(format_moves(&answer.board, moves, style));
            true
        })?;
        Ok((set, listed))
    };
    let (set, solutions) = state.search(&query, |(set, _)| set.limit, work).await?;
    state.count(set.generated);
    let mut numbers = SolutionsRecord::new(&set, style);
    // The list is complete if it has the requested length.
    numbers.complete |= set.limit.is_none();
    let record = SolutionListing { numbers, solutions };
    Ok(Json(query.advised(&state.settings.limits, record, set.limit)).into_response())
}

pub(super) async fn explain(
    state: State,
    is_local: Extension<IsLocal>,
    params: Params,
) -> Result<Json<Explanation>, Problem> {
    let query = BoardQuery::read(&state, &params.only(&["board", "goal", "spec"])?, *is_local)?;
    let shared = Arc::clone(&state);
    let explain = move |cancel: &Cancel| {
        let BoardQuery { board, goal, spec, tables, .. } = query;
        tables
            .explain_with(board, cancel)
            .map_err(|error| shared.tables.problem(spec.as_deref(), goal.as_deref(), error))
    };
    Ok(Json(state.workers.report(explain).await?))
}

/// A generated board.
#[derive(Debug, Serialize)]
struct ScrambledBoard {
    board: String,
    goal: String,
    set: String,
    seed: u64,
    length: Option<u32>,
}

pub(super) async fn scramble(
    state: State,
    is_local: Extension<IsLocal>,
    params: Params,
) -> Result<Response, Problem> {
    let params = params.only(&["shape", "goal", "set", "seed", "time_limit"])?;
    // JavaScript shows and reads the seed, with 53 bits.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seed = params.number("seed", now.subsec_nanos().into(), 0..=1 << 53)?;
    let text = params.text("set").unwrap_or("random");
    let name = match text.split_once(':') {
        None if text == "random" => SetName::Random { count: 1, seed },
        None if text == "hardest" => SetName::Hardest,
        Some(("walk", steps)) => match steps.parse() {
            Ok(steps) if steps <= STEPS_MAX => SetName::Walk { steps, count: 1, seed },
            _ => {
                return Err(Problem::bad(format!(
                    "walk:{steps:.40} is no walk: expected a number of moves up to {STEPS_MAX}"
                )));
            }
        },
        Some(("optimum", window)) => {
            SetName::Optimum { window: window.parse::<tilebase::sets::Window>()?, count: 1, seed }
        }
        _ => {
            return Err(Problem::bad(format!(
                "set is {text:.40?}: expected random, walk:50, optimum:20..25 or hardest"
            )));
        }
    };
    let shape = params.shape()?;
    let goal_text = params.text("goal").map(str::to_owned);
    let tables = state.tables.handle(None, goal_text.as_deref())?;
    let shape = shape.or(tables.shape()).unwrap_or_else(super::specs::default_shape);
    let goal = tables.goal(shape).map_err(Error::from)?;
    let limits = &state.settings.limits;
    let time = Some(params.time()?.unwrap_or(limits.time).min(limits.time_max(*is_local)));
    let shared = Arc::clone(&state);
    let make = move |search: Search| {
        let problem = |error| shared.tables.problem(None, goal_text.as_deref(), error);
        let mut made = name.make_with_search(&goal, &tables, &search).map_err(problem)?;
        // The seed chooses one of the hardest boards.
        let nth =
            if name == SetName::Hardest { seed % made.count_of_all().max(1) as u64 } else { 0 };
        let board = made.nth(nth as usize).ok_or_else(|| Problem::bad("there is no such board"))?;
        let board = board.map_err(problem)?;
        Ok(ScrambledBoard {
            board: board.board.to_string(),
            goal: goal.board().to_string(),
            set: text_of(name),
            seed,
            length: board.optimum,
        })
    };
    let is_quick = matches!(name, SetName::Random { .. } | SetName::Walk { .. });
    let scrambled = if is_quick {
        let make =
            move |cancel: &Cancel| make(Search { cancel: cancel.clone(), ..Search::default() });
        state.workers.report(make).await?
    } else {
        state.workers.long(Search { time, ..Search::default() }, make).await?
    };
    Ok(Json(scrambled).into_response())
}

/// Returns a set's name without count and seed.
fn text_of(name: SetName) -> String {
    match name {
        SetName::Walk { steps, .. } => format!("walk:{steps}"),
        SetName::Optimum { window, .. } => format!("optimum:{window}"),
        SetName::Random { .. } => "random".to_owned(),
        other => other.to_string(),
    }
}

/// Returns the limit that ended a search.
fn limit_of(answer: &Answer) -> Option<LimitKind> {
    match answer.status {
        Status::Limit { kind, .. } => Some(kind),
        _ => None,
    }
}

/// Event: a bound without solution is finished.
#[derive(Debug, Serialize)]
struct BoundEvent {
    bound: u32,
    generated: u64,
    growth: Option<f64>,
    seconds: f64,
}

/// Event: progress of a search.
#[derive(Debug, Serialize)]
struct ProgressEvent {
    bound: Option<u32>,
    generated: u64,
    nodes_per_second: f64,
    seconds: f64,
}

/// Reads the parameter `search`.
fn read_mode(params: &Params) -> Result<Mode, Problem> {
    let weighted = params.text("search").filter(|text| text.starts_with(WEIGHTED));
    let Some(text) = weighted else {
        let example = SearchName::WeightedAStar(Some(Weight::ONE));
        let modes = [
            ("all-threads", Mode::Auto),
            ("idastar", Mode::Plain),
            ("weighted-astar:1", Mode::By(example)),
        ];
        return params.word("search", &modes);
    };
    match text.parse::<SearchName>() {
        Ok(name @ SearchName::WeightedAStar(Some(_))) => Ok(Mode::By(name)),
        Ok(_) => Err(Problem::bad(format!(
            "search is {text:.40?}: expected a weight after the name, as in weighted-astar:2"
        ))),
        Err(error) => Err(Problem::bad(format!("search is {text:.40?}: {error}"))),
    }
}

pub(super) async fn solve(
    state: State,
    is_local: Extension<IsLocal>,
    headers: HeaderMap,
    params: Params,
) -> Result<Response, Problem> {
    let params = params.only(&[COMMON.as_slice(), &["search"]].concat())?;
    let mut query = BoardQuery::read(&state, &params, *is_local)?;
    let (board, style) = (query.board, query.style);
    query.search.mode = read_mode(&params)?;
    // Weighted A* keeps all boards that it meets.
    query.search.memory_bytes = Some(state.settings.limits.memory_bytes);
    let work = move |tables: &Tilebase, search: &Search| tables.solve_with(board, search);
    if accepts(&headers, "application/json") {
        // The key has no weight, so that solutions that may be longer are not cached.
        let is_cached = !matches!(query.search.mode, Mode::By(_));
        let is_plain = query.search.mode == Mode::Plain;
        let key = query.key(if is_plain { "solve-plain" } else { "solve" });
        if is_cached && let Some(cached) = state.cached(&key) {
            return Ok(cached);
        }
        let answer = state.search(&query, limit_of, work).await?;
        state.count(answer.generated);
        let record = Record::new(&answer, style);
        let record = query.advised(&state.settings.limits, record, limit_of(&answer));
        let is_complete = limit_of(&answer).is_none();
        return Ok(state.respond(query.epoch, key, &record, is_cached && is_complete));
    }
    // Errors of goal and spec are sent as status, because nothing was sent so far.
    query.tables.goal(board.shape()).map_err(Error::from)?;
    let (bounds, receiver) = mpsc::unbounded_channel();
    let watch = Watch::new(move |event: &Event<'_>| {
        if let Event::Bound(bound) = event {
            // The client may have disconnected.
            let _ = bounds.send(*bound);
        }
    });
    let generated = Arc::new(AtomicU64::new(0));
    query.search.watch = Some(watch);
    query.search.generated = Some(Arc::clone(&generated));
    let (events, response) = channel();
    let stream = SolveStream {
        events,
        bounds: receiver,
        generated,
        generated_max: 0,
        bound: None,
        started: Instant::now(),
    };
    tokio::spawn(async move {
        let answer = state.search(&query, limit_of, work);
        stream
            .run(answer, |answer| {
                state.count(answer.generated);
                let record = Record::new(answer, style);
                query.advised(&state.settings.limits, record, limit_of(answer))
            })
            .await;
    });
    Ok(response)
}

/// Stream of a search's events.
struct SolveStream {
    events: mpsc::Sender<Bytes>,
    bounds: mpsc::UnboundedReceiver<tilebase::event::BoundState>,
    generated: Arc<AtomicU64>,
    /// Largest number of nodes sent so far.
    generated_max: u64,
    /// Last bound sent.
    bound: Option<u32>,
    started: Instant,
}

impl SolveStream {
    /// Sends events until the search ends, or until the client disconnects, which cancels the
    /// search.
    async fn run(
        mut self,
        answer: impl Future<Output = Result<Answer, Problem>>,
        record: impl FnOnce(&Answer) -> Advised<Record>,
    ) {
        let mut answer = std::pin::pin!(answer);
        let mut ticks = tokio::time::interval_at((self.started + TICK).into(), TICK);
        let last = loop {
            tokio::select! {
                biased;
                Some(state) = self.bounds.recv() => self.send_bound(&state.bound, state.growth),
                found = &mut answer => break found,
                () = self.events.closed() => return,
                _ = ticks.tick() => self.send_progress(),
            }
        };
        while let Ok(state) = self.bounds.try_recv() {
            self.send_bound(&state.bound, state.growth);
        }
        let last = match last {
            Ok(answer) => event("answer", &record(&answer)),
            Err(problem) => event("problem", &problem.body()),
        };
        // Waits for a slow reader, but not for a client that has disconnected.
        let _ = self.events.send(last).await;
    }

    fn send_bound(&mut self, count: &BoundCount, growth: Option<f64>) {
        let BoundCount { bound, generated, .. } = *count;
        // A long search repeats the bounds of the quick one.
        if self.bound.is_some_and(|last| last >= bound) {
            return;
        }
        self.bound = Some(bound);
        let seconds = self.started.elapsed().as_secs_f64();
        let data = BoundEvent { bound, generated, growth, seconds };
        // Slow readers miss some events.
        let _ = self.events.try_send(event("bound", &data));
    }

    fn send_progress(&mut self) {
        // A long search starts at 0 again: shows the largest number until it has caught up.
        self.generated_max = self.generated.load(Ordering::Relaxed).max(self.generated_max);
        let generated = self.generated_max;
        let seconds = self.started.elapsed().as_secs_f64();
        let nodes_per_second = generated as f64 / seconds;
        let bound = self.bound.map(|last| last + 2);
        let data = ProgressEvent { bound, generated, nodes_per_second, seconds };
        let _ = self.events.try_send(event("progress", &data));
    }
}
