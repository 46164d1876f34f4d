//! The solver of a page, with a host in this process.
#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use pdb_spec::{builtin, builtin_golden_table};
use serde_json::{Value, json};
use tilebase_web::{Host, PageSolver};

/// Stored table files by name.
type Files = BTreeMap<String, Vec<u8>>;

/// A page that keeps tables in memory, and the last response.
#[derive(Debug, Default)]
struct Page {
    response: Mutex<(u16, String, String)>,
    files: Mutex<Files>,
    /// A digest that every built table must have, in the place of the goldens'.
    other_digest: Mutex<Option<String>>,
}

impl Host for Page {
    fn start(&self, status: u16, content_type: &str) {
        *self.response.lock().unwrap() = (status, content_type.to_owned(), String::new());
    }

    fn send(&self, part: &[u8]) {
        self.response.lock().unwrap().2.push_str(str::from_utf8(part).unwrap());
    }

    fn store(&self, name: &str, file: &[u8]) {
        self.files.lock().unwrap().insert(name.to_owned(), file.to_vec());
    }

    fn read(&self, name: &str, len: usize) -> Option<Vec<u8>> {
        Some(self.files.lock().unwrap().get(name)?.get(..len)?.to_vec())
    }

    fn known_digest(&self, name: &str) -> Option<String> {
        let other = self.other_digest.lock().unwrap().clone();
        other.or_else(|| Some(builtin_golden_table(name)?.digest))
    }

    fn random(&self) -> u64 {
        u64::MAX
    }
}

/// A page with its solver.
struct Tab {
    page: Arc<Page>,
    solver: PageSolver,
}

impl Tab {
    fn new() -> Self {
        let page = Arc::new(Page::default());
        let solver = PageSolver::new(page.clone());
        Self { page, solver }
    }

    fn ask(&self, method: &str, url: &str, accept: &str, body: &str) -> (u16, String, String) {
        let request = json!({ "method": method, "url": url, "accept": accept, "body": body });
        self.solver.answer(&request.to_string());
        self.page.response.lock().unwrap().clone()
    }

    /// Asks for a record, and returns it with its status.
    fn get(&self, url: &str) -> (u16, Value) {
        let (status, _, text) = self.ask("GET", url, "application/json", "");
        (status, serde_json::from_str(&text).unwrap())
    }

    /// Requests a build, runs it, and returns its events.
    fn build(&self, spec: &str) -> Vec<Value> {
        let body = json!({ "spec": spec }).to_string();
        let (status, _, text) = self.ask("POST", "/v1/builds", "application/json", &body);
        assert_eq!(status, 202, "{text}");
        let state: Value = serde_json::from_str(&text).unwrap();
        self.solver.build(state["id"].as_u64().unwrap());
        let (status, kind, text) = self.page.response.lock().unwrap().clone();
        assert_eq!((status, &*kind), (200, "text/event-stream"));
        let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
        data.map(|data| serde_json::from_str(data).unwrap()).collect()
    }

    /// Offers all stored files, as a new page does.
    fn offer_all(&self) {
        // Each offer reads the file's header.
        let files = self.page.files.lock().unwrap().clone();
        for (name, file) in files {
            self.solver.offer(&name, file.len() as u64);
        }
    }
}

const BOARD: &str = "board=8,6,7/2,5,4/3,0,1";

#[test]
fn weights_are_read_from_the_page_when_a_search_needs_them() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../pdb-lab/nets/5x5.order");
    let weights = std::fs::read(path).unwrap();
    let board = "board=14,5,9,2,18/8,23,19,12,17/15,0,10,20,4/6,11,21,1,7/24,3,16,22,13";
    for (damage, expected) in [(0, 200), (1, 400)] {
        let tab = Tab::new();
        // The heuristic is open before the page has the weights.
        let (before, _) = tab.get(&format!("/v1/explain?{board}&spec=manhattan"));
        let mut file = weights.clone();
        file[100] ^= damage;
        tab.page.files.lock().unwrap().insert("5x5.order".to_owned(), file);
        let url = format!("/v1/solve?{board}&spec=manhattan&search=beam:100:net");
        let (status, record) = tab.get(&url);
        assert_eq!((before, status), (200, expected), "{record}");
    }
}

#[test]
fn built_tables_are_stored_byte_for_byte_and_answer_after_they_are_offered() {
    let tab = Tab::new();
    let (_, before) = tab.get(&format!("/v1/moves?{BOARD}"));
    assert_eq!((&before["spec"], &before["distance"]), (&json!("manhattan"), &json!(31)));

    let events = tab.build("8/whole");
    let last = events.last().unwrap();
    assert_eq!((&last["status"], &last["share"]), (&json!("done"), &json!(1.0)));
    assert_eq!(events[0]["status"], "queued");
    // Each stage is sent at once, however short it is.
    let has = |stage| events.iter().any(|state| state["tables"][0]["stage"] == stage);
    assert!(has("search") && has("pack"), "{events:?}");

    let key = builtin("8/whole").unwrap().plan.tables()[0];
    let expected = pdb_gen::Table::build(&key, 2, &pdb_gen::Monitor::silent()).unwrap().to_bytes();
    assert_eq!(tab.page.files.lock().unwrap().get(&key.file_name()), Some(&expected));

    tab.offer_all();
    let (status, after) = tab.get(&format!("/v1/moves?{BOARD}"));
    assert_eq!((status, &after["spec"]), (200, &json!("8/whole")));
    assert_eq!((&after["distance"], &after["moves"]), (&before["distance"], &before["moves"]));
    let (_, tables) = tab.get("/v1/tables");
    assert_eq!(tables["tables"][0]["file"], key.file_name());
    // Everything is there, so nothing is built again.
    tab.page.files.lock().unwrap().clear();
    assert_eq!(tab.build("8/whole").last().unwrap()["tables"][0]["status"], "there");
    assert!(tab.page.files.lock().unwrap().is_empty());
}

/// Builds a table whose golden has this digest, and checks that it is not stored. Returns the error
/// of the build.
fn error_of_build_with_digest(digest: &str) -> String {
    let tab = Tab::new();
    *tab.page.other_digest.lock().unwrap() = Some(digest.to_owned());
    let events = tab.build("8/whole");
    let last = events.last().unwrap();
    assert_eq!(last["status"], "failed");
    assert!(tab.page.files.lock().unwrap().is_empty());
    last["error"].as_str().unwrap().to_owned()
}

#[test]
fn built_table_with_another_digest_than_its_golden_is_not_stored() {
    let error = error_of_build_with_digest(&"0".repeat(64));
    assert!(error.contains(&"0".repeat(64)), "{error}");
}

#[test]
fn damaged_list_of_digests_ends_a_build_with_an_error() {
    let error = error_of_build_with_digest("no digest");
    assert!(error.contains("\"no digest\": load the page again"), "{error}");
}

#[test]
fn damaged_removed_and_foreign_files_are_refused() {
    let tab = Tab::new();
    tab.build("8/whole");
    let built = tab.page.files.lock().unwrap().clone();
    let (name, file) = built.first_key_value().unwrap();
    let asked = format!("/v1/solve?{BOARD}&spec=8/whole");
    let change_and_ask = |change: &dyn Fn(&mut Files)| {
        let tab = Tab::new();
        *tab.page.files.lock().unwrap() = built.clone();
        tab.offer_all();
        change(&mut tab.page.files.lock().unwrap());
        tab.get(&asked)
    };
    assert_eq!(change_and_ask(&|_| ()).0, 200);
    let flip =
        |place: usize| change_and_ask(&move |files| files.get_mut(name).unwrap()[place] ^= 1);
    for place in [0, 40, 4100, file.len() - 1] {
        let (status, problem) = flip(place);
        assert_eq!(status, 409, "{place}: {problem}");
        assert!(problem["detail"].as_str().unwrap().contains("are not built, or cannot be opened"));
    }
    assert_eq!(change_and_ask(&|files| files.clear()).0, 409);
    assert_eq!(change_and_ask(&|files| files.get_mut(name).unwrap().truncate(5000)).0, 409);

    // A file under the name of another table is not listed.
    let tab = Tab::new();
    tab.page.files.lock().unwrap().insert("3x3-0f-r8-aware.pdb".to_owned(), file.clone());
    tab.offer_all();
    assert_eq!(tab.get("/v1/tables"), (200, json!({ "tables": [] })));
}

#[test]
fn build_is_refused_where_there_is_no_room() {
    let tab = Tab::new();
    tab.solver.set_room(1000);
    let (_, estimate) = tab.get("/v1/estimate?spec=8/whole");
    assert_eq!(estimate["fits"], false);
    let refusal = estimate["refusal"].as_str().unwrap();
    assert!(refusal.starts_with("this browser has no room: the tables need "), "{refusal}");
    let body = json!({ "spec": "8/whole" }).to_string();
    let (status, kind, text) = tab.ask("POST", "/v1/builds", "application/json", &body);
    assert_eq!((status, &*kind), (409, "application/problem+json"));
    assert!(text.contains("this browser has no room"), "{text}");
    // A build that no page has the memory for: 4 bits for each of 87 billion entries.
    tab.solver.set_room(u64::MAX);
    let spec = r#"
title = "three patterns of eight tiles"
goal = """
 1  2  3  4  5
 6  7  8  9 10
11 12 13 14 15
16 17 18 19 20
21 22 23 24  .
"""
partition = """
A A A A A
A A A B B
B B B B B
B C C C C
C C C C .
"""
blank = "aware"
"#;
    let (status, _, text) = tab.ask("POST", "/v1/specs", "application/json", spec);
    let drawn: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((status, &drawn["fits"]), (200, &json!(false)));
    assert!(drawn["refusal"].as_str().unwrap().contains("the build needs "), "{drawn}");
}

#[test]
fn requests_that_no_server_would_answer_are_problems() {
    let tab = Tab::new();
    tab.solver.answer("no JSON");
    assert_eq!(tab.page.response.lock().unwrap().0, 400);
    assert_eq!(tab.ask("PUT", "/v1/moves", "", "").0, 405);
    assert_eq!(tab.ask("GET", "/v1/nothing", "", "").0, 404);
    assert_eq!(tab.ask("GET", "/v1/solve?board=1,2,3", "application/json", "").0, 400);
    // A build that was not requested.
    tab.solver.build(7);
    assert_eq!(tab.page.response.lock().unwrap().0, 404);
}

#[test]
fn search_sends_its_bounds_as_events() {
    let tab = Tab::new();
    let (status, kind, text) =
        tab.ask("GET", &format!("/v1/solve?{BOARD}"), "text/event-stream", "");
    assert_eq!((status, &*kind), (200, "text/event-stream"));
    assert!(text.starts_with("event: bound\n"), "{text}");
    let last = text.trim_end().rsplit("\n\n").next().unwrap();
    let answer: Value =
        serde_json::from_str(last.strip_prefix("event: answer\ndata: ").unwrap()).unwrap();
    assert_eq!((&answer["status"], &answer["length"]), (&json!("optimal"), &json!(31)));
}
