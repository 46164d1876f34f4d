//! Requests about a board.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tilebase::moves::{SolutionOptions, SolutionSet};
use tilebase::pdb_lab::{EngineError, SearchName};
use tilebase::pdb_search::LimitKind;
use tilebase::record::Record;
use tilebase::text::{MoveStyle, format_moves};
use tilebase::{Board, Error, Mode, Search, Tilebase};

use crate::call::{Call, Prepared};
use crate::catalogue::{Catalogue, HandleKey};
use crate::job::{Job, Lane, Reply};
use crate::limits::Limits;
use crate::params::Params;
use crate::problem::Problem;
use crate::service::Service;

/// Parameters of most requests.
const COMMON: [&str; 8] =
    ["board", "goal", "blank", "spec", "metric", "moves", "time_limit", "node_limit"];
/// Factor of the next time limit. The repeated part is a tenth of the next search.
const NEXT_TIME_FACTOR: u32 = 10;
/// Largest number of listed solutions.
const LISTED_MAX: u64 = 1000;

/// A board with the parameters of its search.
#[derive(Debug)]
struct BoardQuery {
    catalogue: Arc<Catalogue>,
    board: Board,
    key: HandleKey,
    style: MoveStyle,
    search: Search,
    limits: Limits,
    tables: Tilebase,
}

impl BoardQuery {
    fn read(catalogue: &Arc<Catalogue>, params: &Params, limits: Limits) -> Result<Self, Problem> {
        let (board, style) = (params.board()?, params.style()?);
        let search = limits.search_of(params)?;
        let (goal, spec) = (params.goal()?, params.text("spec").map(str::to_owned));
        let key = HandleKey { goal, spec, metric: params.metric()? };
        let tables = catalogue.handle(&key)?;
        let style = style.in_metric(key.metric);
        let catalogue = Arc::clone(catalogue);
        Ok(Self { catalogue, board, key, style, search, limits, tables })
    }

    /// Reads the [common](COMMON) parameters, and returns them with the others, which have these
    /// names.
    fn common(
        service: &Service,
        call: &Call<'_>,
        others: &[&str],
    ) -> Result<(Self, Params), Problem> {
        let params = call.params(&[&COMMON, others].concat())?;
        let query = Self::read(&service.catalogue, &params, call.client.limits)?;
        Ok((query, params))
    }

    /// Creates the job of a search.
    fn job(
        self,
        work: impl Fn(&Self, &Search) -> Result<Reply, Problem> + Send + Sync + 'static,
    ) -> Job {
        Job::new(Lane::Search, self.search.clone(), move |search| work(&self, search))
    }

    /// Calls the handle, and converts its error.
    fn call<T>(&self, work: impl FnOnce(&Tilebase) -> Result<T, Error>) -> Result<T, Problem> {
        let Self { catalogue, key, tables, .. } = self;
        work(tables).map_err(|error| catalogue.problem(key, error))
    }

    /// Returns the reply of a search, with advice about the limit that ended it.
    fn reply(&self, record: impl Serialize, limit: Option<LimitKind>, generated: u64) -> Reply {
        Reply { limit, generated, ..Reply::of(&self.advised(record, limit)) }
    }

    fn advised<R>(&self, record: R, limit: Option<LimitKind>) -> Advised<R> {
        let Self { search: Search { time, within, nodes, .. }, limits, .. } = self;
        let time = time.unwrap_or(limits.time);
        // More time does not help against a node limit of the client's own.
        let is_own = nodes.is_some_and(|nodes| nodes < limits.nodes_within(time));
        let limit = match limit {
            Some(LimitKind::Nodes) if is_own => None,
            Some(LimitKind::Time) if within.is_some_and(|within| within <= time) => None,
            limit => limit.filter(|kind| [LimitKind::Time, LimitKind::Nodes].contains(kind)),
        };
        let Some(limit) = limit else {
            return Advised { record, next_time_limit: None, advice: None };
        };
        let longer = time.max(Duration::from_millis(1)).saturating_mul(NEXT_TIME_FACTOR);
        let longer = longer.min(limits.time_max);
        let next_time_limit = (longer > time).then(|| format!("{}s", longer.as_secs_f64()));
        let seconds = time.as_secs_f64();
        let largest = || self.catalogue.place().limit_text(limit, limits);
        let advice = match &next_time_limit {
            Some(next) => {
                format!("{seconds} s were not enough: repeat the request with time_limit={next}")
            }
            None if limit == LimitKind::Nodes => {
                format!("{} nodes were not enough, which is {}", limits.nodes, largest())
            }
            None => format!("{seconds} s were not enough, which is {}", largest()),
        };
        Advised { record, next_time_limit, advice: Some(advice) }
    }

    /// Returns the key of the complete record of a kind.
    fn key(&self, kind: &str) -> String {
        format!("{kind} {} {:?} {:?}", self.board, self.key, self.style.naming)
    }
}

/// A record with advice about the limit that ended its search.
#[derive(Debug, Serialize)]
struct Advised<R> {
    #[serde(flatten)]
    record: R,
    /// A longer `time_limit` that is accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_time_limit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

pub(crate) fn moves(service: &Service, call: &Call<'_>) -> Result<Prepared, Problem> {
    let (query, _) = BoardQuery::common(service, call, &[])?;
    let key = Some(query.key("moves"));
    let mut job = query.job(|query, search| {
        let values = query.call(|tables| tables.moves_with(query.board, search))?;
        let record = Record::new(&values, query.style);
        Ok(query.reply(record, values.limit, values.generated))
    });
    job.key = key;
    Ok(Prepared::Job(job))
}

pub(crate) fn check(service: &Service, call: &Call<'_>) -> Result<Prepared, Problem> {
    let (query, params) = BoardQuery::common(service, call, &["sequence"])?;
    let sequence = params.sequence()?;
    Ok(Prepared::Job(query.job(move |query, search| {
        let checked = query.call(|tables| tables.check_with(query.board, &sequence, search))?;
        let record = Record::new(&checked, query.style);
        Ok(query.reply(record, checked.limit, checked.answer.generated))
    })))
}

/// Number of solutions, and some of them.
#[derive(Debug, Serialize)]
struct SolutionListing<'a> {
    #[serde(flatten)]
    numbers: Record<'a, SolutionSet>,
    solutions: Vec<String>,
}

pub(crate) fn solutions(service: &Service, call: &Call<'_>) -> Result<Prepared, Problem> {
    let (query, params) = BoardQuery::common(service, call, &["slack", "list"])?;
    let slack = params.number("slack", 0, 0..=100)?;
    let list_max = params.number("list", 0, 0..=LISTED_MAX)?;
    let slack = Some(slack);
    let options = SolutionOptions { slack, list_max, ..SolutionOptions::count() };
    Ok(Prepared::Job(query.job(move |query, search| {
        let (memory_bytes, search) = (search.memory_bytes, Some(search.clone()));
        let options = SolutionOptions { memory_bytes, search, ..options.clone() };
        let mut solutions = Vec::new();
        let mut set = query.call(|tables| {
            tables.solutions(query.board, &options, &mut |answer, moves| {
                solutions.push(format_moves(&answer.board, moves, query.style));
                true
            })
        })?;
        // The list is complete if it has the requested length.
        set.is_complete |= set.limit.is_none();
        let record = SolutionListing { numbers: Record::new(&set, query.style), solutions };
        Ok(query.reply(record, set.limit, set.generated))
    })))
}

pub(crate) fn explain(service: &Service, call: &Call<'_>) -> Result<Prepared, Problem> {
    let params = call.params(&["board", "goal", "blank", "spec", "metric"])?;
    let query = BoardQuery::read(&service.catalogue, &params, call.client.limits)?;
    Ok(Prepared::Job(Job::report(move |search| {
        let explained = query.call(|tables| tables.explain_with(query.board, search))?;
        Ok(Reply::of(&explained))
    })))
}

/// Reads the parameter `search`: any registered search, because all obey the limits of a request.
fn read_mode(params: &Params) -> Result<Mode, Problem> {
    let text = match params.text("search") {
        None | Some("all-threads") => return Ok(Mode::Auto),
        Some("idastar") => return Ok(Mode::By(SearchName::IDA)),
        Some(text) => text,
    };
    text.parse::<SearchName>().map(Mode::from).map_err(|error| {
        let problem = match error {
            EngineError::UnknownSearch { known, .. } => {
                format!("expected all-threads, idastar or one of {known}")
            }
            error => error.to_string(),
        };
        Problem::bad(format!("search is {text:.40?}: {problem}"))
    })
}

pub(crate) fn solve(service: &Service, call: &Call<'_>) -> Result<Prepared, Problem> {
    let (mut query, params) = BoardQuery::common(service, call, &["search", "within"])?;
    query.search.mode = read_mode(&params)?;
    let has_events = call.wants_events();
    if has_events {
        // Errors of goal and spec have a status, because nothing is sent so far.
        query.tables.goal(query.board.shape()).map_err(Error::from)?;
    }
    let key = match query.search.mode {
        // Solutions that may be longer than a shortest one are not cached.
        _ if query.search.within.is_some() => None,
        mode if mode == Mode::By(SearchName::IDA) => Some(query.key("solve-plain")),
        // The key has no search.
        Mode::By(_) => None,
        Mode::Auto | Mode::Latency => Some(query.key("solve")),
    };
    let events = has_events.then_some(query.style);
    let mut job = query.job(|query, search| {
        let answer = query.call(|tables| tables.solve_with(query.board, search))?;
        Ok(query.reply(Record::new(&answer, query.style), answer.limit(), answer.generated))
    });
    (job.key, job.events) = (key, events);
    Ok(Prepared::Job(job))
}
