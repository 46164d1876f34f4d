//! Tables that another program builds, replaces or removes while the server runs.

use std::fs;
use std::path::Path;

use pdb_core::Plan;
use serde_json::{Value, json};
use tilebase::shelf::Shelf;
use tilebase::{Goal, Search, Shape, Tilebase};

use crate::support::{Fixture, path};

/// Returns requests whose records depend on tables of 3x3 boards: all with a board, a spec, or a
/// default spec.
fn requests() -> Vec<String> {
    let board = ("board", "8 6 7/2 5 4/3 0 1");
    let spec = ("spec", "8/whole");
    let coloured = ("colours", "partition");
    vec![
        path("/v1/solve", &[board]),
        path("/v1/solve", &[board, spec]),
        path("/v1/solve", &[board, ("search", "astar")]),
        path("/v1/moves", &[board]),
        path("/v1/moves", &[board, spec]),
        path("/v1/check", &[board, ("sequence", "LRL")]),
        path("/v1/solutions", &[board]),
        path("/v1/explain", &[board]),
        path("/v1/explain", &[board, spec]),
        path("/v1/animation", &[board, ("estimates", "yes")]),
        path("/v1/animation", &[board, spec, coloured]),
        path("/v1/specs", &[("shape", "3x3")]),
        path("/v1/estimate", &[spec]),
        path("/v1/rate", &[("specs", "8/whole,manhattan"), ("boards", "20")]),
        path("/v1/tables", &[]),
    ]
}

/// Sends a request. Returns the status and the body of its response, without the time it took.
fn ask(fixture: &Fixture, address: &str) -> (u16, Value) {
    let reply = fixture.get(address);
    let text = || Value::from(String::from_utf8_lossy(&reply.body));
    let mut body: Value = serde_json::from_slice(&reply.body).unwrap_or_else(|_| text());
    if let Some(record) = body.as_object_mut() {
        record.remove("seconds");
    }
    (reply.status, body)
}

/// Builds tables as another program does.
fn build(folder: &Path) {
    Tilebase::builder().spec("8/whole").folder(folder).ensure().unwrap();
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let plan = Plan::walking(&goal);
    Shelf::new(folder).build_all("walking-distance", &plan, false, &Search::default()).unwrap();
}

/// Replaces each table by a copy, as a program does that builds it again.
fn replace(folder: &Path) {
    for entry in folder.read_dir().unwrap() {
        let file = entry.unwrap().path();
        pdb_gen::write_file(&file, &fs::read(&file).unwrap()).unwrap();
    }
}

fn remove(folder: &Path) {
    for entry in folder.read_dir().unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
}

/// Each request is the first one after a change, so that no other one makes the server look.
#[test]
fn every_address_sees_the_tables_of_other_programs() {
    let requests = requests();
    let all = |fixture: &Fixture| -> Vec<_> {
        requests.iter().map(|address| ask(fixture, address)).collect()
    };
    let without = all(&Fixture::of(&[], |_| ()));
    let with = {
        let fixture = Fixture::of(&[], |_| ());
        build(fixture.folder());
        all(&fixture)
    };
    let seen = with.iter().zip(&without).filter(|(with, without)| with != without);
    assert_eq!(seen.count(), requests.len(), "each request depends on the tables");
    for (address, (with, without)) in requests.iter().zip(with.iter().zip(&without)) {
        let fixture = Fixture::of(&[], |_| ());
        assert_eq!(all(&fixture).len(), requests.len());
        build(fixture.folder());
        assert_eq!(ask(&fixture, address), *with, "{address} after a build");
        all(&fixture);
        replace(fixture.folder());
        assert_eq!(ask(&fixture, address), *with, "{address} after a replacement");
        all(&fixture);
        remove(fixture.folder());
        assert_eq!(ask(&fixture, address), *without, "{address} after a removal");
    }
}

#[test]
fn tables_that_stay_are_opened_once() {
    let fixture = Fixture::new();
    let address = path("/v1/moves", &[("board", "8 6 7/2 5 4/3 0 1")]);
    assert_eq!(fixture.get(&address).header("cache-status"), None);
    // A file that is no table changes nothing.
    pdb_gen::write_file(&fixture.folder().join("notes.txt"), b"mine").unwrap();
    assert_eq!(fixture.get(&address).header("cache-status"), Some("tilebase; hit"));
    assert_eq!(fixture.get("/v1/builds").json(), json!({ "allowed": true, "builds": [] }));
}
