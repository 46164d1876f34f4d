//! Specs, costs of their tables, and their estimates.

use serde_json::{Value, json};
use tilebase::names::load_spec;
use tilebase::sets::BoardSet;
use tilebase::shelf::SpecListing;
use tilebase::{Goal, Shape, Tilebase};

use crate::support::{Fixture, path};

const DRAWN: &str = r#"
title = "two halves"
goal = "1 2 3/4 5 6/7 8 ."
partitions = ["A A A/A B B/B B ."]
"#;

fn listing(fixture: &Fixture, name: &str) -> Value {
    let spec = load_spec(name).unwrap();
    serde_json::to_value(SpecListing::of(&spec, fixture.folder()).unwrap()).unwrap()
}

#[test]
fn lists_the_specs_of_a_shape() {
    let fixture = Fixture::new();
    let found = fixture.get("/v1/specs?shape=3x3").json();
    let specs = found["specs"].as_array().unwrap();
    let names: Vec<&str> = specs.iter().map(|spec| spec["name"].as_str().unwrap()).collect();
    assert_eq!(names[..3], ["8/4-4", "8/fringe", "8/whole"]);
    for spec in specs.iter().filter(|spec| spec["name"].as_str().unwrap().starts_with("8/")) {
        assert_eq!(*spec, listing(&fixture, spec["name"].as_str().unwrap()));
    }
    let built: Vec<&Value> = specs.iter().map(|spec| &spec["built"]).collect();
    assert_eq!(built[..3], ["no", "no", "there"]);
    let heuristics = found["heuristics"].as_array().unwrap();
    for name in ["manhattan", "pairwise", "walking-distance", "walking-inversion"] {
        assert!(heuristics.contains(&json!(name)), "{name}");
    }
    let usual = json!({"spec": "8/whole", "is_fallback": false, "to_build": null});
    assert_eq!(found["default"], usual);
}

#[test]
fn errors_of_names_offer_only_what_a_request_can_name() {
    let fixture = Fixture::new();
    let mut client = fixture.client();
    let board = ("board", "8 6 7/2 5 4/3 0 1");
    for name in ["nosuch", "15/7-9", "max(8/whole,nosuch)", "manhattan:foo"] {
        let spec = ("spec", name);
        let mut replies: Vec<_> = ["solve", "moves", "solutions", "check", "explain", "animation"]
            .map(|route| client.get(&path(&format!("/v1/{route}"), &[board, spec])))
            .into();
        replies.push(client.get(&path("/v1/estimate", &[spec])));
        let body = json!({ "spec": name }).to_string();
        replies.push(fixture.post("/v1/builds", "application/json", body.as_bytes()));
        if !name.contains(',') {
            replies.push(client.get(&path("/v1/rate", &[("specs", name)])));
        }
        for reply in replies {
            let detail = reply.json()["detail"].as_str().unwrap().to_owned();
            assert!(reply.status == 400 && detail.contains("GET /v1/specs"), "{detail}");
            for word in [".toml", "spec file", "FILE", "--", "`tilebase"] {
                assert!(!detail.contains(word), "{name}: {detail}");
            }
        }
    }
}

#[test]
fn offers_missing_tables() {
    let fixture = Fixture::of(&[], |_| ());
    let found = fixture.get("/v1/specs?shape=3x3").json();
    assert_eq!(found["default"]["to_build"]["table_count"], 1);
    // The default shape is 4x4.
    let specs = fixture.get("/v1/specs").json();
    assert_eq!(specs, fixture.get("/v1/specs?shape=4x4").json());
    assert!(specs["specs"].as_array().unwrap().iter().any(|spec| spec["name"] == "15/7-8"));
    // A board as goal has a shape.
    let of_goal = fixture.get(&path("/v1/specs", &[("goal", "1 2 3/4 5 6/7 8 0")])).json();
    assert_eq!(of_goal["default"]["to_build"]["name"], "8/whole");
}

#[test]
fn every_listed_spec_has_an_estimate() {
    let fixture = Fixture::new();
    let mut client = fixture.client();
    let cases = [
        ("2x2", "blank-last"),
        ("2x3", "snail"),
        ("3x3", "blank-last"),
        ("3x3", "1 2 3/8 0 4/7 6 5"),
        ("3x4", "blank-first"),
        ("4x4", "snail"),
        ("5x5", "blank-last"),
        ("2x7", "blank-last"),
    ];
    for (shape, goal) in cases {
        let found = client.get(&path("/v1/specs", &[("shape", shape), ("goal", goal)]));
        assert_eq!(found.status, 200, "{shape}");
        for spec in found.json()["specs"].as_array().unwrap() {
            let name = spec["name"].as_str().unwrap();
            let estimate = client.get(&path("/v1/estimate", &[("spec", name)]));
            assert_eq!(estimate.status, 200, "{shape} {name}: {estimate:?}");
            if name.starts_with("generated/") {
                let asked = [("spec", name), ("goal", goal)];
                let estimate = client.get(&path("/v1/estimate", &asked));
                assert_eq!(estimate.json()["listing"], *spec, "{shape} {goal}");
            }
        }
    }
    let other = [("spec", "15/7-8"), ("goal", "1 2 3 4/5 6 7 8/9 0 11 12/13 14 15 10")];
    assert_eq!(client.get(&path("/v1/estimate", &other)).status, 400);
    let shape = [("spec", "generated/2x4/4-3"), ("goal", "1 2 3/4 5 0")];
    assert_eq!(client.get(&path("/v1/estimate", &shape)).status, 400);
}

#[test]
fn builds_a_generated_spec_for_a_goal() {
    let fixture = Fixture::of(&[], |_| ());
    let goal = "1 2 3/8 0 4/7 6 5";
    let asked = path("/v1/specs", &[("goal", goal)]);
    let usual = fixture.get(&asked).json()["default"].clone();
    let name = usual["to_build"]["name"].as_str().unwrap();
    assert!(name.starts_with("generated/3x3/"), "{name}");
    let build = fixture.build(&json!({"spec": name, "goal": goal}));
    assert_eq!(build["status"], "done", "{build}");
    let after = fixture.get(&asked).json()["default"].clone();
    assert_eq!(after, json!({"spec": name, "is_fallback": false, "to_build": null}));
}

#[test]
fn estimates_missing_tables() {
    let fixture = Fixture::new();
    let found = fixture.get("/v1/estimate?spec=8/4-4").json();
    assert_eq!((&found["spec"], &found["listing"]), (&json!("8/4-4"), &listing(&fixture, "8/4-4")));
    assert_eq!((&found["fits"], &found["refusal"]), (&json!(true), &Value::Null));
    let tables = found["tables"].as_array().unwrap();
    assert_eq!(found["missing_count"], tables.len());
    let sum = |name: &str| tables.iter().map(|table| table[name].as_u64().unwrap()).sum::<u64>();
    assert_eq!(found["disk_bytes"], sum("file_bytes"));
    assert!(found["toml"].as_str().unwrap().contains("A A A\nA B B\nB B .\n"), "{found}");
    let whole = fixture.get("/v1/estimate?spec=8/whole").json();
    assert_eq!((&whole["missing_count"], &whole["disk_bytes"]), (&json!(0), &json!(0)));
    assert_eq!((&whole["tables"][0]["is_there"], &whole["seconds"]), (&json!(true), &json!(0.0)));
    assert!(whole["seconds"].as_f64().unwrap().is_sign_positive(), "{whole}");
    assert_eq!(whole["tables"][0]["entry_count"], 362_880);
    assert_eq!(fixture.get("/v1/estimate").status, 400);
    assert_eq!(fixture.get("/v1/estimate?spec=8/none").status, 400);
}

#[test]
fn explains_why_tables_do_not_fit() {
    let memory = tilebase::shelf::Memory::of(1 << 20);
    let fixture = Fixture::of(&[], |settings| settings.memory = memory);
    let found = fixture.get("/v1/estimate?spec=15/7-8").json();
    assert_eq!(found["fits"], false);
    assert!(found["refusal"].as_str().is_some_and(|text| text.contains("15/7-8")), "{found}");
    let refused = fixture.post("/v1/builds", "application/json", br#"{"spec": "15/7-8"}"#);
    assert_eq!(refused.status, 409);
}

#[test]
fn names_a_drawn_spec_for_other_requests() {
    let fixture = Fixture::new();
    let toml = "application/toml; charset=utf-8";
    let draw = |text: &str| fixture.post("/v1/specs", toml, text.as_bytes());
    let drawn = draw(DRAWN);
    let found = drawn.json();
    let name = found["spec"].as_str().unwrap();
    assert_eq!((&found["listing"]["title"], &found["toml"]), (&json!("two halves"), &json!(DRAWN)));
    // The name depends on the text only.
    assert_eq!(draw(DRAWN).body, drawn.body);
    assert_ne!(draw(&DRAWN.replace("halves", "parts")).json()["spec"], name);
    assert_eq!(fixture.get(&path("/v1/estimate", &[("spec", name)])).body, drawn.body);
    let question = [("board", "8 6 7/2 5 4/3 0 1"), ("spec", name)];
    assert_eq!(fixture.get(&path("/v1/solve", &question)).status, 409);
    // Its tables can be built and used.
    let build = fixture.build(&json!({"spec": name}));
    assert_eq!(build["status"], "done", "{build}");
    let solved = fixture.get(&path("/v1/solve", &question)).json();
    assert_eq!((&solved["length"], &solved["spec"]), (&json!(31), &json!(name)));
    let rated = fixture.get(&path("/v1/rate", &[("specs", name), ("boards", "10")]));
    assert_eq!(rated.status, 200);
}

#[test]
fn refuses_wrong_specs_with_the_place() {
    let fixture = Fixture::new();
    let texts =
        ["", "x", "title = 1", &DRAWN.replace("8 .", "8 8"), &DRAWN.replace("A A A/A", "A")];
    for text in texts {
        let reply = fixture.post("/v1/specs", "application/toml", text.as_bytes());
        assert_eq!(reply.status, 400, "{text} {reply:?}");
        let detail = reply.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains("drawn/"), "{detail}");
    }
    let unknown = fixture.get("/v1/estimate?spec=drawn/0123456789abcdef");
    assert_eq!(unknown.status, 404);
}

#[test]
fn rate_agrees_with_the_library() {
    let fixture = Fixture::new();
    let params = [("specs", "8/whole, manhattan"), ("boards", "300"), ("seed", "9")];
    let found = fixture.get(&path("/v1/rate", &params)).json();
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let boards = BoardSet::random(&goal, 300, 9).boards;
    assert_eq!((&found["boards"], &found["seed"]), (&json!(300), &json!(9)));
    for (spec, rated) in ["8/whole", "manhattan"].iter().zip(found["specs"].as_array().unwrap()) {
        assert_eq!(rated["spec"], *spec);
        let tables = Tilebase::builder().spec(spec).folder(fixture.folder()).open().unwrap();
        let estimate = |board: &tilebase::Board| tables.estimate(*board).unwrap();
        let mut estimates: Vec<u32> = boards.iter().map(estimate).collect();
        estimates.sort_unstable();
        let mean = f64::from(estimates.iter().sum::<u32>()) / 300.0;
        assert!((rated["mean"].as_f64().unwrap() - mean).abs() <= 0.001, "{mean} {rated}");
        assert_eq!(
            (&rated["least"], &rated["greatest"]),
            (&json!(estimates[0]), &json!(estimates[299]))
        );
        let squares = estimates.iter().map(|&estimate| (f64::from(estimate) - mean).powi(2));
        let half = 1.96 * (squares.sum::<f64>() / 299.0 / 300.0).sqrt();
        let [low, high] = ["low", "high"].map(|name| rated[name].as_f64().unwrap());
        let is_near = |found: f64, expected: f64| (found - expected).abs() <= 0.001;
        assert!(is_near(low, mean - half) && is_near(high, mean + half), "{half} {rated}");
        let counts: Vec<_> =
            estimates.chunk_by(|a, b| a == b).map(|run| json!([run[0], run.len()])).collect();
        assert_eq!(rated["histogram"], json!(counts));
    }
    // Distances exceed the Manhattan distance.
    assert!(found["specs"][0]["mean"].as_f64() > found["specs"][1]["mean"].as_f64());
    let one = &fixture.get("/v1/rate?specs=manhattan&boards=1").json()["specs"][0];
    assert!(one["low"].is_f64() && one["low"] == one["high"], "{one}");
    assert_eq!(fixture.get("/v1/rate?specs=8/4-4&boards=10").status, 409);
    for query in ["", "?specs=", "?specs=a,,b", "?specs=none", "?specs=manhattan&boards=0"] {
        assert_eq!(fixture.get(&format!("/v1/rate{query}")).status, 400, "{query}");
    }
}

#[test]
fn lists_tables_with_histograms() {
    let fixture = Fixture::new();
    // Other files are skipped.
    let junk = fixture.folder().join("junk.pdb");
    pdb_gen::write_file(&junk, b"").unwrap();
    let found = fixture.get("/v1/tables").json();
    let tables = found["tables"].as_array().unwrap();
    let files: Vec<&str> = tables.iter().map(|table| table["file"].as_str().unwrap()).collect();
    assert_eq!(files, ["2x3-1f-r5-aware.pdb", "3x3-0ff-r8-aware.pdb"]);
    let all = pdb_oracle::distances(2, 3, &[1, 2, 3, 4, 5, 0]);
    let mut histogram = vec![0_u64; 22];
    for distance in all.values() {
        histogram[*distance as usize] += 1;
    }
    // A state of the table is a region of the blank; with all tiles in the pattern it is its cell.
    assert_eq!(tables[0]["histogram"], json!(histogram));
    let size = fixture.folder().join(files[1]).metadata().unwrap().len();
    assert_eq!(tables[1]["file_bytes"], size);
}
