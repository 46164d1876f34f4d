//! Requests without HTTP, in a place that has its tables in memory.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pdb_core::{Goal, Metric, TableKey};
use pdb_format::Header;
use pdb_gen::{GenError, Monitor};
use pdb_spec::Spec;
use serde_json::Value;
use tilebase::pdb_search::LimitKind;
use tilebase::shelf::{MissingTables, Table};
use tilebase::text::{WrittenMoves, read_board};
use tilebase::{Builder, Error, Tilebase};
use tilebase_api::{
    Build, BuildCost, Call, Client, EVENT_STREAM, Limits, Method, Place, Prepared, Problem, ROUTES,
    Reply, Route, Service,
};

/// A place with tables in memory.
#[derive(Debug, Default)]
struct MemoryPlace(Mutex<Vec<Table>>);

impl Place for MemoryPlace {
    fn name(&self) -> &'static str {
        "test"
    }

    fn builder(&self) -> Builder {
        Tilebase::builder().tables(self.0.lock().unwrap().clone())
    }

    fn header(&self, key: &TableKey) -> Option<Header> {
        self.headers().into_iter().find(|header| header.key == *key)
    }

    fn headers(&self) -> Vec<Header> {
        self.0.lock().unwrap().iter().map(|table| table.header().clone()).collect()
    }

    fn build_cost(&self, spec: &Spec) -> Result<BuildCost, GenError> {
        let missing = spec.plan.tables().iter().filter(|key| self.header(key).is_none());
        let refusal = (spec.name == "15/7-8").then(|| "15/7-8 is too large for a test".to_owned());
        Ok(BuildCost { missing_count: missing.count(), disk_bytes: 0, memory_bytes: 0, refusal })
    }

    fn to_build(&self, _: &Tilebase, goal: &Goal) -> Result<Option<MissingTables>, Error> {
        let best = pdb_spec::specs_for(goal, Metric::SingleTile).next();
        let is_built = self.header(&best.as_ref().unwrap().plan.tables()[0]).is_some();
        Ok(best.filter(|_| !is_built).map(|spec| MissingTables {
            name: spec.name,
            table_count: spec.plan.tables().len(),
            disk_bytes: 0,
            seconds: 0.0,
        }))
    }

    fn epoch(&self) -> u64 {
        self.0.lock().unwrap().len() as u64
    }

    fn seed(&self) -> u64 {
        7
    }

    fn limit_text(&self, kind: LimitKind, _: &Limits) -> String {
        format!("all that this test has of {kind:?}")
    }

    fn build_refusal(&self) -> String {
        "this test builds nothing for you".to_owned()
    }
}

/// A response. `patience` is the number of parts after which the client leaves.
#[derive(Debug)]
struct Response {
    patience: usize,
    state: Mutex<ResponseState>,
}

#[derive(Clone, Debug, Default)]
struct ResponseState {
    status: u16,
    content_type: String,
    parts: Vec<String>,
    has_ended: bool,
}

impl Response {
    fn respond(&self, reply: Reply) {
        let Reply { status, content_type, body, .. } = reply;
        self.start(status, content_type);
        self.send(String::from_utf8(body).unwrap(), true);
    }

    fn send(&self, event: String, is_last: bool) -> bool {
        let mut state = self.state.lock().unwrap();
        assert!(state.status != 0 && !state.has_ended, "{state:?}");
        state.parts.push(event);
        state.has_ended = is_last;
        state.parts.len() < self.patience
    }
}

impl ResponseState {
    fn json(&self) -> Value {
        assert!(self.content_type.ends_with("json") && self.has_ended, "{self:?}");
        serde_json::from_str(&self.parts.concat()).unwrap()
    }

    /// Returns the events with their data.
    fn events(&self) -> Vec<(String, Value)> {
        assert_eq!(self.content_type, "text/event-stream");
        let event = |part: &String| {
            let rest = part.strip_prefix("event: ").and_then(|part| part.strip_suffix("\n\n"));
            let (name, data) = rest.and_then(|rest| rest.split_once("\ndata: ")).unwrap();
            (name.to_owned(), serde_json::from_str(data).unwrap())
        };
        self.parts.iter().map(event).collect()
    }
}

/// A service with its place and the queue of its builds.
struct Fixture {
    service: Service,
    place: Arc<MemoryPlace>,
    queue: Arc<Mutex<Vec<Arc<Build>>>>,
    client: Client,
}

impl Fixture {
    fn new() -> Self {
        let place = Arc::new(MemoryPlace::default());
        let queue = Arc::new(Mutex::new(Vec::new()));
        let queued = Arc::clone(&queue);
        let enqueue = move |build| {
            queued.lock().unwrap().push(build);
            Ok(())
        };
        let (time, time_max) = (Duration::from_mins(1), Duration::from_mins(2));
        let limits = Limits { time, time_max, nodes: 1 << 40, memory_bytes: 1 << 20 };
        let client = Client { limits, may_build: true };
        let service = Service::new(Arc::clone(&place) as Arc<dyn Place>, enqueue);
        Self { service, place, queue, client }
    }

    fn with(spec: &str) -> Self {
        let fixture = Self::new();
        for key in pdb_spec::builtin(spec).unwrap().plan.tables() {
            fixture.place.build(key);
        }
        fixture
    }

    /// Sends a request, and returns the response so far.
    fn send(&self, method: Method, address: &str, accept: &str, body: &str) -> Arc<Response> {
        let response = Arc::new(Response { patience: usize::MAX, state: Mutex::default() });
        self.send_to(&response, (method, address), accept, body);
        response
    }

    fn send_to(
        &self,
        response: &Arc<Response>,
        (method, address): (Method, &str),
        accept: &str,
        body: &str,
    ) {
        let (client, body) = (self.client, Ok(body.as_bytes()));
        let route = match Route::find(method, address) {
            Ok(route) => route,
            Err(problem) => return response.respond(problem.into()),
        };
        let of_events = Arc::clone(response);
        match route.prepare(&self.service, &Call { client, address, accept, body }) {
            Prepared::Done(reply) => response.respond(reply),
            Prepared::Job(mut job) if job.has_events() => {
                response.start(200, EVENT_STREAM);
                job.send_events(move |event, is_last| of_events.send(event, is_last));
                response.send(job.run(&job.search).last_event(), true);
            }
            Prepared::Job(job) => response.respond(job.run(&job.search)),
            Prepared::Build(build) => {
                response.start(200, EVENT_STREAM);
                build.send_events(move |event, is_last| of_events.send(event, is_last));
            }
        }
    }

    fn get(&self, address: &str) -> ResponseState {
        self.send(Method::Get, address, "application/json", "").state()
    }

    fn get_events(&self, address: &str) -> Arc<Response> {
        self.send(Method::Get, address, "text/event-stream", "")
    }

    fn post(&self, address: &str, body: &str) -> ResponseState {
        self.send(Method::Post, address, "", body).state()
    }
}

impl MemoryPlace {
    /// Builds a table, with `report` as the receiver of events.
    fn build_with(&self, key: &TableKey, report: &(dyn Fn(pdb_gen::Event) + Sync)) {
        let cancel = false.into();
        let built = pdb_gen::Table::build(key, 1, &Monitor::new(report, &cancel)).unwrap();
        let table = Table::from_bytes(&key.file_name(), built.to_bytes()).unwrap();
        self.0.lock().unwrap().push(table);
    }

    fn build(&self, key: &TableKey) {
        self.build_with(key, &|_| ());
    }
}

impl Response {
    fn start(&self, status: u16, content_type: &str) {
        let mut state = self.state.lock().unwrap();
        assert_eq!(state.status, 0, "{state:?}");
        (state.status, state.content_type) = (status, content_type.to_owned());
    }

    fn state(&self) -> ResponseState {
        self.state.lock().unwrap().clone()
    }
}

const HARD_8: &str = "8,6,7/2,5,4/3,0,1";
const HARD_15: &str = "0,12,9,13/15,11,10,14/3,7,2,5/4,8,6,1";

#[test]
fn blank_may_have_another_sign() {
    let fixture = Fixture::new();
    let usual = "board=1,2,3/4,5,6/0,7,8&spec=manhattan";
    let from_zero = "board=0,1,2/3,4,5/~,6,7&blank=~&spec=manhattan";
    let of_goal = "goal=0,1,2/3,4,5/6,7,~";
    for path in ["moves", "solve", "solutions", "check", "explain", "animation"] {
        let timeless = |query: &str| {
            let got = fixture.get(&format!("/v1/{path}?{query}"));
            assert_eq!(got.status, 200, "{path}: {got:?}");
            let text = got.parts.concat();
            let Ok(mut record) = serde_json::from_str::<Value>(&text) else { return text.into() };
            record.as_object_mut().unwrap().remove("seconds");
            record
        };
        let expected = timeless(usual);
        assert_eq!(timeless(from_zero), expected, "{path}");
        assert_eq!(timeless(&format!("{from_zero}&{of_goal}")), expected, "{path}");
        assert_eq!(timeless(&format!("{from_zero}&goal=blank-last")), expected, "{path}");
    }
    let detail = |query: &str| {
        let refused = fixture.get(&format!("/v1/moves?{query}"));
        assert_eq!(refused.status, 400, "{refused:?}");
        refused.json()["detail"].as_str().unwrap().to_owned()
    };
    let other = detail(&format!("{usual}&blank=9"));
    assert!(other.contains("no cell is 9, which was named as the blank"), "{other}");
    let other = detail(&format!("{usual}&blank=xy"));
    assert!(other.starts_with("the parameter blank: "), "{other}");
    let advised = detail("board=0,1,2/3,4,5/-1,6,7");
    assert!(advised.ends_with("or name the blank with blank=-1"), "{advised}");
}

#[test]
fn solve_streams_its_bounds_and_then_the_record() {
    let fixture = Fixture::new();
    for search in ["all-threads", "idastar"] {
        let address = format!("/v1/solve?board={HARD_8}&spec=manhattan&search={search}");
        let state = fixture.get_events(&address).state();
        assert!(state.has_ended && state.status == 200, "{state:?}");
        let events = state.events();
        let ((last, record), bounds) = events.split_last().unwrap();
        let bounds: Vec<u64> = bounds
            .iter()
            .filter(|(name, _)| name == "bound")
            .map(|(_, data)| data["bound"].as_u64().unwrap())
            .collect();
        assert_eq!((bounds[0], bounds[bounds.len() - 1]), (21, 29), "{bounds:?}");
        assert!(bounds.is_sorted_by(|one, next| one + 2 == *next), "{bounds:?}");
        assert_eq!((last.as_str(), &record["length"]), ("answer", &31.into()));
        let mut alone = fixture.get(&address).json();
        let mut record = record.clone();
        for record in [&mut alone, &mut record] {
            record["seconds"].take();
            // Lanes may find another solution of the same length.
            record["moves"].take();
            record["generated"].take();
            record["expanded"].take();
        }
        assert_eq!(record, alone);
    }
}

#[test]
fn hard_search_reports_progress_and_advises_more_time() {
    let mut fixture = Fixture::new();
    let address = format!("/v1/solve?board={HARD_15}&spec=manhattan&time_limit=500ms");
    let events = fixture.get_events(&address).state().events();
    let progress = events.iter().filter(|(name, _)| name == "progress");
    let generated: Vec<u64> =
        progress.map(|(_, data)| data["generated"].as_u64().unwrap()).collect();
    // One each tenth of a second, with room for a search that ends late.
    assert!((1..=11).contains(&generated.len()) && generated.is_sorted(), "{events:?}");
    let (name, record) = events.last().unwrap();
    assert_eq!((name.as_str(), &record["limit"]), ("answer", &"time".into()));
    assert_eq!(record["next_time_limit"], "5s");
    assert_eq!(record["advice"], "0.5 s were not enough: repeat the request with time_limit=5s");
    fixture.client.limits.time_max = Duration::from_millis(200);
    let record = fixture.get(&address).json();
    assert_eq!(record.get("next_time_limit"), None);
    assert_eq!(record["advice"], "0.2 s were not enough, which is all that this test has of Time");
    fixture.client.limits.nodes = 1000;
    let record = fixture.get(&address).json();
    assert_eq!(
        record["advice"],
        "1000 nodes were not enough, which is all that this test has of Nodes"
    );
}

/// Returns the number of moves of a solution, after a replay.
fn replayed(board: &str, record: &Value) -> u64 {
    let board = read_board(board, None).unwrap();
    let moves = WrittenMoves::parse(record["moves"].as_str().unwrap(), false).unwrap();
    let replay = moves.replay(&board);
    assert_eq!(replay.board, *Goal::blank_last(board.shape()).board(), "{record}");
    assert_eq!(record["length"], moves.replay(&board).moves.len());
    record["length"].as_u64().unwrap()
}

#[test]
fn better_solutions_are_sent_and_the_best_one_is_the_answer_in_time() {
    let fixture = Fixture::new();
    let board = format!("/v1/solve?board={HARD_15}&spec=manhattan");
    for (limit, is_limited) in [("within=400ms", false), ("time_limit=400ms", true)] {
        let events = fixture.get_events(&format!("{board}&{limit}")).state().events();
        let solutions: Vec<&Value> =
            events.iter().filter(|(name, _)| name == "solution").map(|(_, data)| data).collect();
        let lengths: Vec<u64> = solutions.iter().map(|data| replayed(HARD_15, data)).collect();
        assert!(lengths.is_sorted_by(|one, next| one > next), "{lengths:?}");
        let (name, record) = events.last().unwrap();
        assert_eq!((name.as_str(), &record["status"]), ("answer", &"solved".into()));
        assert_eq!(replayed(HARD_15, record), *lengths.last().unwrap());
        assert_eq!(record.get("limit").is_some(), is_limited, "{record}");
        assert_eq!(record.get("next_time_limit").is_some(), is_limited, "{record}");
        for data in solutions {
            let bound = data["lower_bound"].as_u64().unwrap();
            assert!((1..=80).contains(&bound) && bound <= data["length"].as_u64().unwrap());
            assert!(bound <= record["lower_bound"].as_u64().unwrap(), "{data} {record}");
            assert!(data["seconds"].as_f64().unwrap() < 60.0, "{data}");
        }
    }
}

#[test]
fn only_proved_distances_are_told() {
    let fixture = Fixture::new();
    let ask = |route: &str, more: &str| {
        let board = format!("board={HARD_15}&spec=manhattan&time_limit=200ms");
        let record = fixture.get(&format!("/v1/{route}?{board}{more}")).json();
        assert_eq!(record["limit"], "time", "{record}");
        record
    };
    let moves = ask("moves", "");
    assert_eq!(moves["distance"], Value::Null);
    // A slow machine knows no solution yet.
    let is_open = |record: &Value| {
        record["status"] == "limit" || record["lower_bound"].as_u64() < record["length"].as_u64()
    };
    assert!(is_open(&moves), "{moves}");
    let check = ask("check", "&sequence=LR");
    assert_eq!(check["optimum"], Value::Null);
    let solutions = ask("solutions", "");
    assert!(is_open(&solutions) && solutions["solution_count"] == "0", "{solutions}");
}

#[test]
fn time_of_the_best_solution_obeys_the_limits() {
    let mut fixture = Fixture::new();
    let address = format!("/v1/solve?board={HARD_15}&spec=manhattan&within=1h");
    fixture.client.limits.time = Duration::from_millis(250);
    fixture.client.limits.time_max = Duration::from_millis(500);
    let started = Instant::now();
    let record = fixture.get(&address).json();
    let taken = started.elapsed();
    assert!(taken > Duration::from_millis(450) && taken < Duration::from_secs(20), "{taken:?}");
    assert_eq!((&record["status"], record.get("limit")), (&"solved".into(), None));
    // A time limit that ends before is one.
    let record = fixture.get(&format!("{address}&time_limit=400ms")).json();
    assert_eq!(record["limit"], "time");
    let wrong = fixture.get(&format!("{address}d")).json();
    assert!(wrong["detail"].as_str().unwrap().starts_with("within is \"1hd\": "), "{wrong}");
    // Another request has no such parameter.
    assert_eq!(fixture.get(&format!("/v1/moves?board={HARD_8}&within=1s")).status, 400);
}

#[test]
fn client_that_leaves_cancels_its_search() {
    let fixture = Fixture::new();
    let address = &format!("/v1/solve?board={HARD_15}&spec=manhattan&time_limit=1min");
    let started = Instant::now();
    let response = Arc::new(Response { patience: 3, state: Mutex::default() });
    fixture.send_to(&response, (Method::Get, address), EVENT_STREAM, "");
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    let state = response.state();
    let (name, record) = state.events().pop().unwrap();
    assert_eq!((name.as_str(), &record["limit"]), ("answer", &"interrupt".into()));
}

#[test]
fn errors_have_the_statuses_of_the_server() {
    let mut fixture = Fixture::new();
    let detail = |state: &ResponseState| {
        assert_eq!(state.content_type, Problem::CONTENT_TYPE);
        let problem = state.json();
        assert_eq!(problem["status"], state.status);
        (state.status, problem["title"].clone(), problem["detail"].as_str().unwrap().to_owned())
    };
    let of_get = |address: &str| detail(&fixture.get(address));
    let (status, title, text) = of_get("/v2/solve");
    assert_eq!((status, title), (404, "Not Found".into()));
    assert!(text.starts_with("there is nothing at this address"), "{text}");
    for (address, status, start) in [
        ("/v1/solve", 400, "the parameter board is missing"),
        ("/v1/solve?bord=1", 400, "there is no parameter \"bord\" here: expected board, "),
        ("/v1/moves?board=123456780&board=1", 400, "board is given twice"),
        ("/v1/moves?board=123456780&spec=net:15", 400, "networks are not served"),
        ("/v1/moves?board=876543210&spec=8/whole", 409, "the tables of this request are not built"),
        ("/v1/rate?specs=8/whole", 409, "the tables of 8/whole are not built"),
        ("/v1/builds/", 404, "there is nothing"),
        ("/v1/builds/1/2", 404, "there is nothing"),
        ("/v1/builds/x", 400, "Invalid URL: Cannot parse `x` to a `u64`"),
        ("/v1/builds/1", 404, "there is no build 1: see GET /v1/builds"),
    ] {
        let (found, _, text) = of_get(address);
        assert!(found == status && text.starts_with(start), "{address}: {found} {text}");
    }
    let wrong = fixture.send(Method::Delete, "/v1/solve", "", "");
    assert_eq!(detail(&wrong.state()).0, 405);
    let refused = detail(&fixture.post("/v1/builds", r#"{"spec":"15/7-8"}"#));
    assert_eq!((refused.0, &*refused.2), (409, "15/7-8 is too large for a test"));
    let refused = detail(&fixture.post("/v1/builds", "{}"));
    assert!(refused.0 == 400 && refused.2.starts_with("the body is no build request"));
    fixture.client.may_build = false;
    let refused = detail(&fixture.post("/v1/builds", "{}"));
    assert_eq!((refused.0, &*refused.2), (403, "this test builds nothing for you"));
    assert_eq!(fixture.get("/v1/builds").json()["allowed"], false);
    assert!(fixture.queue.lock().unwrap().is_empty());
}

#[test]
fn build_is_followed_to_its_end_and_its_tables_are_used() {
    let fixture = Fixture::new();
    let offer = |fixture: &Fixture| fixture.get("/v1/specs?shape=3x3").json();
    assert_eq!(offer(&fixture)["default"]["is_fallback"], true);
    assert!(offer(&fixture)["default"]["to_build"]["name"].is_string());
    let begun = fixture.post("/v1/builds", r#"{"spec":"8/whole"}"#);
    assert_eq!((begun.status, &begun.json()["status"]), (202, &"queued".into()));
    // The same request joins the build.
    assert_eq!(fixture.post("/v1/builds", r#"{"spec":"8/whole"}"#).json(), begun.json());
    let other = fixture.post("/v1/builds", r#"{"spec":"8/4-4"}"#).json();
    assert_eq!(other["id"], 2);
    let followed = fixture.get_events("/v1/builds/1");
    assert_eq!(followed.state().events().len(), 1);
    let cancelled = fixture.send(Method::Delete, "/v1/builds/2", "", "").state();
    assert_eq!((cancelled.status, &cancelled.json()["status"]), (200, &"cancelled".into()));
    for build in fixture.queue.lock().unwrap().iter() {
        let work = || {
            for key in build.spec().plan.tables() {
                let file = key.file_name();
                fixture.place.build_with(key, &|event| build.report(&file, event));
                build.report_end(&file, false, Duration::from_secs(2));
            }
            Ok(())
        };
        build.run(work);
    }
    // The cancelled build has not run.
    assert_eq!(fixture.place.headers().len(), 1);
    let state = followed.state();
    assert!(state.has_ended, "{state:?}");
    let events = state.events();
    assert!(events.iter().all(|(name, _)| name == "build"));
    assert!(events.is_sorted_by_key(|(_, data)| data["share"].as_f64().unwrap()), "{events:?}");
    // Each stage is sent at once, however short it is.
    let has = |stage| events.iter().any(|(_, data)| data["tables"][0]["stage"] == stage);
    assert!(has("search") && has("pack"), "{events:?}");
    let last = &events.last().unwrap().1;
    assert_eq!((&last["status"], &last["share"]), (&"done".into(), &1.0.into()));
    assert_eq!(
        (&last["tables"][0]["status"], &last["tables"][0]["seconds"]),
        (&"done".into(), &2.0.into())
    );
    assert_eq!(fixture.get("/v1/builds/1").json(), *last);
    assert_eq!(
        fixture.get_events("/v1/builds/1").state().events(),
        [events.last().unwrap().clone()]
    );
    assert_eq!(fixture.get("/v1/builds").json()["builds"][1], cancelled.json());
    let default = &offer(&fixture)["default"];
    assert_eq!((&default["spec"], &default["to_build"]), (&"8/whole".into(), &Value::Null));
    let solved = fixture.get(&format!("/v1/solve?board={HARD_8}")).json();
    assert_eq!((&solved["spec"], &solved["length"]), (&"8/whole".into(), &31.into()));
    let tables = fixture.get("/v1/tables").json();
    assert_eq!(tables["tables"][0]["file"], last["tables"][0]["file"]);
}

#[test]
fn every_address_answers() {
    let fixture = Fixture::with("8/whole");
    let toml = pdb_spec::builtin("8/whole").unwrap().toml;
    let board = format!("board={HARD_8}");
    let mut count = 0;
    for (address, field) in [
        (format!("/v1/moves?{board}"), "moves"),
        (format!("/v1/solve?{board}"), "length"),
        (format!("/v1/solutions?{board}&list=2"), "solutions"),
        (format!("/v1/check?{board}&sequence=RDLU"), "solves"),
        (format!("/v1/explain?{board}"), "board"),
        ("/v1/scramble?shape=3x3&set=optimum:20..22".into(), "length"),
        ("/v1/specs?shape=3x3".into(), "specs"),
        ("/v1/estimate?spec=8/whole".into(), "toml"),
        ("/v1/rate?specs=8/whole,manhattan&boards=50".into(), "specs"),
        ("/v1/tables".into(), "tables"),
        ("/v1/builds".into(), "builds"),
        ("/healthz".into(), "version"),
    ] {
        let state = fixture.get(&address);
        assert_eq!(state.status, 200, "{address}: {state:?}");
        assert!(!state.json()[field].is_null(), "{address}: {state:?}");
        count += 1;
    }
    let drawn = fixture.post("/v1/specs", &toml).json();
    let name = drawn["spec"].as_str().unwrap();
    assert!(name.starts_with("drawn/") && drawn["tables"][0]["is_there"] == true, "{drawn}");
    let solved = fixture.get(&format!("/v1/solve?{board}&spec={name}")).json();
    assert_eq!((&solved["spec"], &solved["length"]), (&name.into(), &31.into()));
    let film = fixture.get(&format!("/v1/animation?{board}"));
    assert_eq!((film.status, &*film.content_type), (200, "image/svg+xml"));
    assert!(film.parts[0].starts_with("<svg "), "{film:?}");
    if cfg!(not(feature = "raster")) {
        let film = fixture.get(&format!("/v1/animation?{board}&format=gif"));
        assert_eq!(film.status, 400);
        let detail = film.json()["detail"].clone();
        assert_eq!(detail, "this test draws only SVG: omit format, or use svg");
    }
    // The others are of builds, which have a test of their own.
    assert_eq!(count + 2 + 3, ROUTES.len());
}
