//! What can be asked of a board.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Serialize;
use tilebase::{
    Board, BoundCount, Cancel, CheckRecord, Error, Event, Explanation, LimitKind, MoveNaming,
    MoveStyle, MovesRecord, Record, STEPS_MAX, Search, SetName, Solutions, SolutionsRecord,
    Tilebase, Watch, WrittenMoves, format_moves,
};
use tokio::sync::mpsc;

use super::stream::{channel, event};
use super::takes;
use crate::desk::Limited;
use crate::params::Params;
use crate::problem::Problem;
use crate::settings::IsLocal;
use crate::settings::Limits;
use crate::state::{Asked, Shared, State};

/// What all of these take.
const COMMON: [&str; 6] = ["board", "goal", "spec", "moves", "time_limit", "node_limit"];
/// How often a search tells how far it is.
const TICK: Duration = Duration::from_millis(100);
/// How many times longer a search is to be that goes on after its limit: what it repeats is a tenth.
const LONGER: u32 = 10;
/// The most solutions that are listed.
const LISTED_MAX: u64 = 1000;

/// A board, and how it is to be searched.
struct Question {
    board: Board,
    goal: Option<String>,
    spec: Option<String>,
    style: MoveStyle,
    search: Search,
    /// The longest time that the client may ask for.
    time_max: Duration,
    tables: Tilebase,
    /// When it was asked, among the builds that change the answer.
    era: u64,
}

impl Question {
    fn read(shared: &Shared, params: &Params, is_local: IsLocal) -> Result<Self, Problem> {
        let (board, style) = (params.board()?, params.style()?);
        let limits = &shared.settings.limits;
        let time_max = limits.time_max(is_local);
        let time = params.time()?.unwrap_or(limits.time).min(time_max);
        let nodes_max = limits.nodes_within(time);
        let nodes = params.number("node_limit", nodes_max, 1..=u64::MAX)?.min(nodes_max);
        let search = Search { time: Some(time), nodes: Some(nodes), ..Search::default() };
        let of = |name| params.text(name).map(str::to_owned);
        let (goal, spec) = (of("goal"), of("spec"));
        let era = shared.answers.era();
        let tables = shared.tables.handle(spec.as_deref(), goal.as_deref())?;
        Ok(Self { board, goal, spec, style, search, time_max, tables, era })
    }

    /// A record with what to do about the limit that ended its search.
    fn advised<R>(&self, limits: &Limits, record: R, limit: Option<LimitKind>) -> Advised<R> {
        let Search { time, nodes, .. } = self.search;
        let time = time.unwrap_or(limits.time);
        // Fewer nodes than the time allows are the client's own wish, which more time does not change.
        let is_own = nodes.is_some_and(|nodes| nodes < limits.nodes_within(time));
        let is_advised = match limit {
            Some(LimitKind::Time) => true,
            Some(LimitKind::Nodes) => !is_own,
            _ => false,
        };
        let longer = time.max(Duration::from_millis(1)).saturating_mul(LONGER).min(self.time_max);
        let next_time_limit = (longer > time).then(|| format!("{}s", longer.as_secs_f64()));
        let seconds = time.as_secs_f64();
        let advice = match &next_time_limit {
            Some(next) => format!("{seconds} s were not enough: ask again with time_limit={next}"),
            None if limit == Some(LimitKind::Nodes) => format!(
                "{} nodes were not enough, and this server gives a request no more: start it with a larger \
                 --node-limit, as in tilebase serve --node-limit {}",
                limits.nodes,
                limits.nodes.saturating_mul(10)
            ),
            None => format!(
                "{seconds} s were not enough, and this server gives a request no more: start it with a \
                 longer --time-limit, as in tilebase serve --time-limit 10min"
            ),
        };
        let advice = is_advised.then_some(advice);
        Advised { record, next_time_limit: next_time_limit.filter(|_| is_advised), advice }
    }

    fn asked(&self, route: &'static str) -> Asked {
        let Self { board, goal, spec, style, .. } = self;
        let (goal, spec) = (goal.clone(), spec.clone());
        Asked { route, board: *board, goal, spec, naming: style.naming }
    }
}

/// A record, with what to do about the limit that ended its search.
#[derive(Debug, Serialize)]
struct Advised<R> {
    #[serde(flatten)]
    record: R,
    /// A longer `time_limit` that the client may ask for.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_time_limit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

impl Shared {
    /// Searches for the answer to a question; what became of its tables is not kept if they fail.
    async fn answer<T: Limited + Send + 'static>(
        &self,
        question: &Question,
        work: impl Fn(&Tilebase, &Search) -> Result<T, Error> + Send + Sync + 'static,
    ) -> Result<T, Problem> {
        let Question { goal, spec, search, tables, .. } = question;
        let handle = tables.clone();
        let known = Arc::clone(&self.tables);
        let named = (spec.clone(), goal.clone());
        let work = move |search: &Search| {
            work(&handle, search)
                .map_err(|error| known.problem(named.0.as_deref(), named.1.as_deref(), error))
        };
        self.desk.search(search.clone(), work).await
    }

    fn count(&self, generated: u64) {
        self.metrics.generated.fetch_add(generated, Ordering::Relaxed);
    }

    /// An answer that was given before.
    fn known(&self, asked: &Asked) -> Option<Response> {
        let found = self.answers.get(asked)?;
        self.metrics.remembered.fetch_add(1, Ordering::Relaxed);
        let mut response = json(found);
        let name = HeaderName::from_static("cache-status");
        response.headers_mut().insert(name, HeaderValue::from_static("tilebase; hit"));
        Some(response)
    }

    /// Sends an answer, and remembers it if it is whole.
    fn tell(&self, era: u64, asked: Asked, record: &impl Serialize, is_whole: bool) -> Response {
        let text = Bytes::from(serde_json::to_vec(record).expect("a record has a JSON form"));
        if is_whole {
            self.answers.put(era, asked, text.clone());
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
    let question = Question::read(&state, &params.only(&COMMON)?, *is_local)?;
    let asked = question.asked("moves");
    if let Some(known) = state.known(&asked) {
        return Ok(known);
    }
    let (board, style) = (question.board, question.style);
    let work = move |tables: &Tilebase, search: &Search| tables.moves_with(board, search);
    let values = state.answer(&question, work).await?;
    state.count(values.generated);
    let record = MovesRecord::new(&values, style);
    let record = question.advised(&state.settings.limits, record, values.limit);
    Ok(state.tell(question.era, asked, &record, values.limit.is_none()))
}

pub(super) async fn check(
    state: State,
    is_local: Extension<IsLocal>,
    params: Params,
) -> Result<Response, Problem> {
    let params = params.only(&[COMMON.as_slice(), &["sequence"]].concat())?;
    let question = Question::read(&state, &params, *is_local)?;
    let (board, style) = (question.board, question.style);
    // Moves of nothing are moves, too.
    let text = params.text("sequence").unwrap_or_default();
    let of_blank = style.naming == MoveNaming::Blank;
    let sequence = WrittenMoves::parse(text, of_blank)
        .map_err(|error| Problem::bad(format!("the parameter sequence: {error}")))?;
    let work =
        move |tables: &Tilebase, search: &Search| tables.check_with(board, &sequence, search);
    let checked = state.answer(&question, work).await?;
    state.count(checked.answer.generated);
    let record = CheckRecord::new(&checked, style);
    Ok(Json(question.advised(&state.settings.limits, record, checked.limit)).into_response())
}

/// The solutions of a board in numbers, and some of them.
#[derive(Debug, Serialize)]
struct Listed {
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
    let question = Question::read(&state, &params, *is_local)?;
    let slack = params.number("slack", 0, 0..=100)?;
    let list_max = params.number("list", 0, 0..=LISTED_MAX)?;
    let (board, style) = (question.board, question.style);
    let memory_bytes = Some(state.settings.limits.memory_bytes);
    let work = move |tables: &Tilebase, search: &Search| {
        let search = Some(search.clone());
        let wanted = Solutions { search, memory_bytes, list_max, ..Solutions::count() };
        let mut listed = Vec::new();
        let set = tables.solutions(board, &wanted.slack(slack), &mut |answer, moves| {
            listed.push(format_moves(&answer.board, moves, style));
            true
        })?;
        Ok((set, listed))
    };
    let (set, solutions) = state.answer(&question, work).await?;
    state.count(set.generated);
    let mut numbers = SolutionsRecord::new(&set, style);
    // The list is as long as it was to be.
    numbers.complete |= set.limit.is_none();
    let record = Listed { numbers, solutions };
    Ok(Json(question.advised(&state.settings.limits, record, set.limit)).into_response())
}

pub(super) async fn explain(
    state: State,
    is_local: Extension<IsLocal>,
    params: Params,
) -> Result<Json<Explanation>, Problem> {
    let question = Question::read(&state, &params.only(&["board", "goal", "spec"])?, *is_local)?;
    let shared = Arc::clone(&state);
    let explain = move |cancel: &Cancel| {
        let Question { board, goal, spec, tables, .. } = question;
        tables
            .explain_with(board, cancel)
            .map_err(|error| shared.tables.problem(spec.as_deref(), goal.as_deref(), error))
    };
    Ok(Json(state.desk.report(explain).await?))
}

/// A board that was made.
#[derive(Debug, Serialize)]
struct Scrambled {
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
    // Seeds are shown and typed, in programs whose numbers may have 53 bits.
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
                    "walk:{steps:.40} is no walk: expected its number \
                 of moves, up to {STEPS_MAX}"
                )));
            }
        },
        Some(("optimum", window)) => {
            SetName::Optimum { window: window.parse::<tilebase::Window>()?, count: 1, seed }
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
    let shape = shape.or(tables.shape()).unwrap_or_else(super::specs::usual_shape);
    let goal = tables.goal(shape).map_err(Error::from)?;
    let limits = &state.settings.limits;
    let time = Some(params.time()?.unwrap_or(limits.time).min(limits.time_max(*is_local)));
    let shared = Arc::clone(&state);
    let make = move |search: Search| {
        let problem = |error| shared.tables.problem(None, goal_text.as_deref(), error);
        let mut made = name.make_with_search(&goal, &tables, &search).map_err(problem)?;
        // Of several hardest boards the seed chooses one.
        let nth =
            if name == SetName::Hardest { seed % made.count_of_all().max(1) as u64 } else { 0 };
        let board =
            made.nth(nth as usize).ok_or_else(|| Problem::bad("no such board was found"))?;
        let board = board.map_err(problem)?;
        Ok(Scrambled {
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
        state.desk.report(make).await?
    } else {
        state.desk.at_leisure(Search { time, ..Search::default() }, make).await?
    };
    Ok(Json(scrambled).into_response())
}

/// A set's name without its count and its seed.
fn text_of(name: SetName) -> String {
    match name {
        SetName::Walk { steps, .. } => format!("walk:{steps}"),
        SetName::Optimum { window, .. } => format!("optimum:{window}"),
        SetName::Random { .. } => "random".to_owned(),
        other => other.to_string(),
    }
}

/// A bound of a search that holds no solution.
#[derive(Debug, Serialize)]
struct BoundTold {
    bound: u32,
    generated: u64,
    growth: Option<f64>,
    seconds: f64,
}

/// How far a search is.
#[derive(Debug, Serialize)]
struct ProgressTold {
    bound: Option<u32>,
    generated: u64,
    nodes_per_second: f64,
    seconds: f64,
}

pub(super) async fn solve(
    state: State,
    is_local: Extension<IsLocal>,
    headers: HeaderMap,
    params: Params,
) -> Result<Response, Problem> {
    let params = params.only(&[COMMON.as_slice(), &["search"]].concat())?;
    let mut question = Question::read(&state, &params, *is_local)?;
    let (board, style) = (question.board, question.style);
    let modes = [("all-threads", tilebase::Mode::Auto), ("idastar", tilebase::Mode::Plain)];
    question.search.mode = params.word("search", &modes)?;
    let work = move |tables: &Tilebase, search: &Search| tables.solve_with(board, search);
    if takes(&headers, "application/json") {
        let is_plain = question.search.mode == tilebase::Mode::Plain;
        let asked = question.asked(if is_plain { "solve-plain" } else { "solve" });
        if let Some(known) = state.known(&asked) {
            return Ok(known);
        }
        let answer = state.answer(&question, work).await?;
        state.count(answer.generated);
        let record = Record::new(&answer, style);
        let record = question.advised(&state.settings.limits, record, answer.limit());
        return Ok(state.tell(question.era, asked, &record, answer.limit().is_none()));
    }
    // What is wrong with goal and spec is told by the status, as nothing was sent yet.
    question.tables.goal(board.shape()).map_err(Error::from)?;
    let (bounds, told) = mpsc::unbounded_channel();
    let watch = Watch::new(move |event: &Event<'_>| {
        if let Event::Bound(bound) = event {
            // Nobody may listen any more.
            let _ = bounds.send(*bound);
        }
    });
    let generated = Arc::new(AtomicU64::new(0));
    question.search.watch = Some(watch);
    question.search.generated = Some(Arc::clone(&generated));
    let (events, response) = channel();
    let following = Following {
        events,
        told,
        generated,
        told_generated: 0,
        bound: None,
        begun: Instant::now(),
    };
    tokio::spawn(async move {
        let answer = state.answer(&question, work);
        following
            .follow(answer, |answer| {
                state.count(answer.generated);
                let record = Record::new(answer, style);
                question.advised(&state.settings.limits, record, answer.limit())
            })
            .await;
    });
    Ok(response)
}

/// A search that somebody watches.
struct Following {
    events: mpsc::Sender<Bytes>,
    told: mpsc::UnboundedReceiver<tilebase::BoundState>,
    generated: Arc<AtomicU64>,
    /// The most nodes that were told.
    told_generated: u64,
    /// The last bound that was told.
    bound: Option<u32>,
    begun: Instant,
}

impl Following {
    /// Tells of the search until it is done, or until nobody listens, which ends it.
    async fn follow(
        mut self,
        answer: impl Future<Output = Result<tilebase::Answer, Problem>>,
        record: impl FnOnce(&tilebase::Answer) -> Advised<Record>,
    ) {
        let mut answer = std::pin::pin!(answer);
        let mut ticks = tokio::time::interval_at((self.begun + TICK).into(), TICK);
        let last = loop {
            tokio::select! {
                biased;
                Some(state) = self.told.recv() => self.tell_bound(&state.bound, state.growth),
                found = &mut answer => break found,
                () = self.events.closed() => return,
                _ = ticks.tick() => self.tell_progress(),
            }
        };
        while let Ok(state) = self.told.try_recv() {
            self.tell_bound(&state.bound, state.growth);
        }
        let last = match last {
            Ok(answer) => event("answer", &record(&answer)),
            Err(problem) => event("problem", &problem.told()),
        };
        // A slow reader is waited for; one that has gone is not.
        let _ = self.events.send(last).await;
    }

    fn tell_bound(&mut self, count: &BoundCount, growth: Option<f64>) {
        let BoundCount { bound, generated, .. } = *count;
        // A search that goes on among the long ones begins again.
        if self.bound.is_some_and(|last| last >= bound) {
            return;
        }
        self.bound = Some(bound);
        let seconds = self.begun.elapsed().as_secs_f64();
        let told = BoundTold { bound, generated, growth, seconds };
        // A reader who is behind misses some.
        let _ = self.events.try_send(event("bound", &told));
    }

    fn tell_progress(&mut self) {
        // A search that begins again among the long ones is as far as it was when it has caught up.
        self.told_generated = self.generated.load(Ordering::Relaxed).max(self.told_generated);
        let generated = self.told_generated;
        let seconds = self.begun.elapsed().as_secs_f64();
        let nodes_per_second = generated as f64 / seconds;
        let bound = self.bound.map(|last| last + 2);
        let told = ProgressTold { bound, generated, nodes_per_second, seconds };
        let _ = self.events.try_send(event("progress", &told));
    }
}
