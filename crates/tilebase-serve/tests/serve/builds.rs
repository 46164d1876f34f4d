//! Builds of tables.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tilebase::Tilebase;
use tilebase::shelf::Memory;
use tilebase_serve::BuildAccess;

use crate::support::{Fixture, Reply, path};

/// A spec whose build takes long with little memory, because its search is streamed.
const LONG: &str = "15/7-8";
const JSON: [(&str, &str); 1] = [("content-type", "application/json")];

/// Starts a server with little memory.
fn slow(specs: &[&str]) -> Fixture {
    Fixture::of(specs, |settings| settings.memory = Memory::of(48 << 20))
}

fn begin(fixture: &Fixture, spec: &str) -> Reply {
    fixture.send("POST", "/v1/builds", &JSON, json!({ "spec": spec }).to_string().as_bytes())
}

fn begun(fixture: &Fixture, spec: &str) -> Value {
    let reply = begin(fixture, spec);
    assert_eq!(reply.status, 202, "{reply:?}");
    reply.json()
}

fn address(build: &Value) -> String {
    format!("/v1/builds/{}", build["id"])
}

/// Returns the files of tables, in order.
fn tables(fixture: &Fixture) -> Vec<String> {
    let paths = fixture.folder().read_dir().unwrap().map(|entry| entry.unwrap().path());
    let paths = paths.filter(|path| path.extension() == Some("pdb".as_ref()));
    let mut names: Vec<String> =
        paths.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort_unstable();
    names
}

#[test]
fn built_tables_are_those_of_the_library_and_are_used() {
    let fixture = Fixture::of(&[], |_| ());
    let board = path("/v1/solve", &[("board", "8 6 7/2 5 4/3 0 1")]);
    let before = fixture.get(&board).json();
    assert_ne!(before["spec"], "8/whole");
    let build = fixture.build(&json!({"spec": "8/whole"}));
    assert_eq!((&build["id"], &build["status"]), (&json!(1), &json!("done")));
    assert!(build["tables"][0]["seconds"].as_f64() > Some(0.0));
    // The cache was cleared before the end was sent.
    let after = fixture.get(&board).json();
    assert_eq!((&after["spec"], &after["length"]), (&json!("8/whole"), &before["length"]));
    // The bytes equal those of the library's build.
    let other = tempfile::tempdir().unwrap();
    Tilebase::builder().spec("8/whole").folder(other.path()).ensure().unwrap();
    let file = build["tables"][0]["file"].as_str().unwrap();
    let bytes = |folder: &std::path::Path| std::fs::read(folder.join(file)).unwrap();
    assert!(bytes(fixture.folder()) == bytes(other.path()));
    // Existing tables are not built again.
    let ended = fixture.build(&json!({"spec": "8/whole"}));
    assert_eq!((&ended["id"], &ended["status"]), (&json!(2), &json!("done")));
    assert_eq!(ended["tables"][0]["status"], "there");
}

#[test]
fn joins_equal_builds_and_cancels_them() {
    let fixture = slow(&[]);
    let build = begun(&fixture, LONG);
    assert_eq!(begun(&fixture, LONG)["id"], build["id"]);
    let mut events = fixture.events(&address(&build));
    let running = events.find(|event| event.data["tables"][0]["status"] == "running").unwrap();
    assert_eq!(running.data["status"], "running");
    assert_eq!(running.data["tables"][0]["stage"], "search");
    // A queued build is cancelled before it starts.
    let waiting = begun(&fixture, "8/whole");
    assert_eq!(waiting["status"], "queued");
    let cancelled = fixture.send("DELETE", &address(&waiting), &[], b"");
    assert_eq!((cancelled.status, &cancelled.json()["status"]), (200, &json!("cancelled")));
    let begun_at = Instant::now();
    assert_eq!(fixture.send("DELETE", &address(&build), &[], b"").status, 200);
    // The same request now starts a new build, which is cancelled, too.
    let anew = begun(&fixture, LONG);
    assert_ne!(anew["id"], build["id"]);
    assert_eq!(fixture.send("DELETE", &address(&anew), &[], b"").status, 200);
    let last = events.last().unwrap().data;
    assert!(begun_at.elapsed() < Duration::from_secs(20), "{:?}", begun_at.elapsed());
    assert_eq!((&last["status"], &last["error"]), (&json!("cancelled"), &Value::Null));
    // Cancelling a finished build has no effect.
    let again = fixture.send("DELETE", &address(&build), &[], b"");
    assert_eq!((again.status, again.json()), (200, last));
    assert_eq!(tables(&fixture), [""; 0]);
    // The next build has its own number and succeeds.
    let next = fixture.build(&json!({"spec": "8/whole"}));
    assert_eq!((&next["id"], &next["status"]), (&json!(4), &json!("done")));
    assert_eq!(tables(&fixture), ["3x3-0ff-r8-aware.pdb"]);
}

#[test]
fn answers_searches_during_a_build() {
    let fixture = slow(&["8/whole"]);
    let build = begun(&fixture, LONG);
    let mut events = fixture.events(&address(&build));
    assert!(events.any(|event| event.data["status"] == "running"));
    let solved = fixture.get(&path("/v1/solve", &[("board", "8 6 7/2 5 4/3 0 1")])).json();
    assert_eq!((&solved["length"], &solved["spec"]), (&json!(31), &json!("8/whole")));
    assert_eq!(fixture.get(&address(&build)).json()["status"], "running");
}

#[test]
fn stops_builds_with_the_server() {
    let mut fixture = slow(&[]);
    let build = begun(&fixture, LONG);
    let mut events = fixture.events(&address(&build));
    assert!(events.any(|event| event.data["status"] == "running"));
    let begun = Instant::now();
    fixture.end();
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    assert_eq!(tables(&fixture), [""; 0]);
}

#[test]
fn refuses_builds_that_are_not_allowed() {
    let fixture = Fixture::with(|settings| settings.builds = BuildAccess::Nobody);
    let refused = begin(&fixture, "8/4-4");
    assert_eq!(refused.status, 403);
    assert!(refused.json()["detail"].as_str().unwrap().contains("--builds yes"), "{refused:?}");
    // The body is not judged.
    assert_eq!(fixture.send("POST", "/v1/builds", &[], b"").status, 403);
    assert_eq!(fixture.send("DELETE", "/v1/builds/1", &[], b"").status, 403);
    assert_eq!(fixture.get("/v1/builds").json(), json!({"allowed": false, "builds": []}));
    assert_eq!(tables(&fixture).len(), 2);
}

#[test]
fn refuses_builds_of_clients_behind_a_proxy() {
    let names = || vec!["tiles.example".to_owned()];
    let ask = |fixture: &Fixture, header: (&str, &str)| {
        let headers = [JSON[0], header];
        let begun = fixture.send("POST", "/v1/builds", &headers, br#"{"spec":"8/whole"}"#).status;
        let cancelled = fixture.send("DELETE", "/v1/builds/99", &headers, b"").status;
        let listed = fixture.send("GET", "/v1/builds", &[header], b"").json();
        (begun, cancelled, listed["allowed"].as_bool().unwrap())
    };
    let proxied = [
        ("host", "tiles.example"),
        ("host", "10.1.2.3:8015"),
        ("forwarded", "for=10.1.2.3"),
        ("x-forwarded-for", "10.1.2.3"),
        ("x-forwarded-proto", "https"),
        ("x-forwarded-host", "localhost"),
        ("x-real-ip", "10.1.2.3"),
        ("via", "1.1 proxy"),
    ];
    let direct = [("host", "localhost:1"), ("host", "127.0.0.2"), ("host", "[::1]:80")];
    let fixture = Fixture::with(|settings| settings.names = names());
    for header in proxied {
        assert_eq!(ask(&fixture, header), (403, 403, false), "{header:?}");
    }
    for header in direct {
        assert_eq!(ask(&fixture, header), (202, 404, true), "{header:?}");
    }
    let fixture = Fixture::with(|settings| {
        settings.names = names();
        settings.builds = BuildAccess::Anyone;
    });
    for header in proxied.into_iter().chain(direct) {
        assert_eq!(ask(&fixture, header), (202, 404, true), "{header:?}");
    }
}
