//! Requests about a board.

use std::time::Duration;

use serde_json::{Value, json};
use tilebase::pdb_lab::SearchName;
use tilebase::record::Record;
use tilebase::sets::SetName;
use tilebase::text::{MoveStyle, WrittenMoves, read_board};
use tilebase::{Board, Goal, Metric, Shape, Tilebase};

use crate::support::{Client, Event, Fixture, Reply, path};

const HARDEST: &str = "8 6 7/2 5 4/3 0 1";
const NEAR: &str = "1 2 3/4 5 6/0 7 8";
const UNSOLVABLE: &str = "1 2 3/4 5 6/8 7 0";
/// A board of 80 moves, too many for Manhattan distance.
const FAR: &str = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";

/// Sets the fields of a record to 0 that differ from run to run.
fn timeless(value: impl serde::Serialize) -> Value {
    let mut value = serde_json::to_value(value).unwrap();
    for name in ["seconds", "generated", "expanded"] {
        if let Some(number) = value.get_mut(name) {
            assert!(number.as_f64().is_some_and(|number| number >= 0.0), "{name}: {number}");
            *number = json!(0);
        }
    }
    value
}

fn handle(fixture: &Fixture, spec: Option<&str>) -> Tilebase {
    let builder = Tilebase::builder().folder(fixture.folder());
    let builder = match spec {
        Some(spec) => builder.spec(spec),
        None => builder,
    };
    builder.lazy_open().unwrap()
}

fn ask(client: &mut Client, route: &str, board: &str, more: &[(&str, &str)]) -> Reply {
    let reply = client.get(&path(route, &[&[("board", board)], more].concat()));
    assert_eq!(reply.status, 200, "{board}: {reply:?}");
    reply
}

#[test]
fn records_agree_with_the_library() {
    let fixture = Fixture::of(&["8/whole", "8/fringe", "15/walking-distance"], |_| ());
    let mut client = fixture.client();
    let tables = handle(&fixture, None);
    let style = MoveStyle::default();
    for board in [HARDEST, NEAR, UNSOLVABLE, "1 2 3/4 5 6/7 8 0", "1 2 3/4 5 0", "1x4: 1 0 2 3"] {
        let solved = tables.solve(board).unwrap();
        let found = ask(&mut client, "/v1/solve", board, &[]).json();
        assert_eq!(timeless(found), timeless(Record::new(&solved, style)), "{board}");
        let moves = tables.moves(board).unwrap();
        let found = ask(&mut client, "/v1/moves", board, &[]).json();
        assert_eq!(timeless(found), timeless(Record::new(&moves, style)), "{board}");
        let found = ask(&mut client, "/v1/explain", board, &[]).json();
        assert_eq!(found, json!(tables.explain(board).unwrap()), "{board}");
    }
    for spec in ["8/fringe", "max(8/whole,manhattan)", "pairwise"] {
        let found = ask(&mut client, "/v1/explain", HARDEST, &[("spec", spec)]).json();
        let explained = handle(&fixture, Some(spec)).explain(HARDEST).unwrap();
        assert_eq!(found, json!(explained), "{spec}");
    }
    for (board, sequence) in
        [(NEAR, "L2"), (NEAR, "LLRL"), (NEAR, "DU"), (NEAR, "LLL"), (NEAR, ""), (UNSOLVABLE, "R")]
    {
        let found = ask(&mut client, "/v1/check", board, &[("sequence", sequence)]).json();
        let checked = tables.check(board, &WrittenMoves::parse(sequence, false).unwrap()).unwrap();
        let record = Record::new(&checked, style);
        assert_eq!(timeless(&found), timeless(record), "{board} {sequence}");
    }
    let wrong = [("board", NEAR), ("sequence", "LX")];
    assert_eq!(client.get(&path("/v1/check", &wrong)).status, 400);
    // Without search, the answer is the only event.
    for (board, status) in [(NEAR, "optimal"), (UNSOLVABLE, "unsolvable")] {
        let events: Vec<_> = fixture.events(&path("/v1/solve", &[("board", board)])).collect();
        assert_eq!(events.len(), 1, "{events:?}");
        assert_eq!((&*events[0].name, &events[0].data["status"]), ("answer", &json!(status)));
    }
}

#[test]
fn counts_and_lists_solutions() {
    let fixture = Fixture::new();
    let mut client = fixture.client();
    let mut ask = |board, more: &[_]| ask(&mut client, "/v1/solutions", board, more).json();
    let found = ask(HARDEST, &[("list", "3")]);
    assert_eq!((&found["solution_count"], &found["length"]), (&json!("40"), &json!(31)));
    assert_eq!((&found["listed"], &found["complete"]), (&json!(3), &json!(true)));
    let found = ask(NEAR, &[("slack", "10")]);
    let lengths = found["lengths"].as_array().unwrap();
    assert_eq!((&lengths[0]["length"], &lengths[0]["count"]), (&json!(2), &json!("1")));
    assert!(lengths.len() >= 2 && found["listed"] == 0, "{found}");
    let found = ask(UNSOLVABLE, &[]);
    assert_eq!((&found["solution_count"], &found["status"]), (&json!("0"), &json!("unsolvable")));
}

#[test]
fn reads_goals_and_writes_moves_as_requested() {
    let fixture = Fixture::new();
    let mut client = fixture.client();
    let goals = [
        ("blank-last", "1 2 3/4 5 6/7 8 0"),
        ("blank-first", "0 1 2/3 4 5/6 7 8"),
        ("1 2 3/4 5 6/0 7 8", "1 2 3/4 5 6/0 7 8"),
        ("1,2,3/4,5,6/0,7,8", "1 2 3/4 5 6/0 7 8"),
    ];
    for (name, goal) in goals {
        let found = ask(&mut client, "/v1/solve", HARDEST, &[("goal", name)]).json();
        assert_eq!((&found["goal"], &found["status"]), (&json!(goal), &json!("optimal")), "{name}");
        let moves = WrittenMoves::parse(found["moves"].as_str().unwrap(), false).unwrap();
        let board: Board = read_board(HARDEST, None).unwrap();
        assert_eq!(moves.replay(&board).board.to_string(), goal);
    }
    for (naming, written) in [("tile", "L"), ("blank", "R"), ("tiles", "7")] {
        let found = ask(&mut client, "/v1/moves", NEAR, &[("moves", naming)]).json();
        assert_eq!(found["moves"][0]["move"], written);
    }
    // This goal has the other parity.
    let found = ask(&mut client, "/v1/solve", HARDEST, &[("goal", "snail")]).json();
    assert_eq!(
        (&found["goal"], &found["status"]),
        (&json!("1 2 3/8 0 4/7 6 5"), &json!("unsolvable"))
    );
}

#[test]
fn caches_complete_answers() {
    let fixture = Fixture::new();
    let mut client = fixture.client();
    for route in ["/v1/moves", "/v1/solve"] {
        let first = ask(&mut client, route, HARDEST, &[]);
        let again = ask(&mut client, route, HARDEST, &[]);
        assert_eq!(first.header("cache-status"), None);
        assert_eq!(again.header("cache-status"), Some("tilebase; hit"));
        assert_eq!(first.body, again.body);
        // The same board in another notation; other requests.
        let same = ask(&mut client, route, "867254301", &[]);
        assert_eq!(same.header("cache-status"), Some("tilebase; hit"));
        for more in [("moves", "blank"), ("spec", "manhattan"), ("goal", "blank-first")] {
            let other = ask(&mut client, route, HARDEST, &[more]);
            assert_eq!(other.header("cache-status"), None, "{route} {more:?}");
            assert_ne!(other.body, first.body, "{route} {more:?}");
        }
    }
    // A weighted search may return a longer solution.
    for search in ["idastar", "weighted-astar:5", "weighted-astar:5"] {
        let search = [("search", search), ("spec", "manhattan")];
        assert_eq!(ask(&mut client, "/v1/solve", HARDEST, &search).header("cache-status"), None);
    }
    let found = ask(&mut client, "/v1/solve", HARDEST, &[("spec", "manhattan")]).json();
    assert_eq!((&found["status"], &found["length"]), (&json!("optimal"), &json!(31)));
}

#[test]
fn searches_that_keep_boards_obey_the_memory_limit() {
    let of_request = Fixture::of(&[], |settings| settings.limits.memory_bytes = 1 << 14);
    let of_server = Fixture::of(&[], |settings| settings.limits.searches_memory_bytes = 1 << 15);
    for fixture in [of_request, of_server] {
        let mut client = fixture.client();
        for search in SearchName::all().filter(|search| search.keeps_boards()) {
            let more = [("spec", "manhattan"), ("search", search.name())];
            let found = ask(&mut client, "/v1/solve", FAR, &more).json();
            let expected = (&json!("limit"), &json!("memory"));
            assert_eq!((&found["status"], &found["limit"]), expected, "{search}");
        }
    }
}

#[test]
fn does_not_cache_limited_answers() {
    let fixture = Fixture::new();
    let mut client = fixture.client();
    let limited = [("spec", "manhattan"), ("node_limit", "1000")];
    for _ in 0..2 {
        let reply = ask(&mut client, "/v1/solve", FAR, &limited);
        assert_eq!(reply.header("cache-status"), None);
        let found = reply.json();
        assert_eq!((&found["status"], &found["limit"]), (&json!("limit"), &json!("nodes")));
        assert!(found["lower_bound"].as_u64() >= found["initial_estimate"].as_u64());
        assert_eq!((&found["length"], &found["moves"]), (&Value::Null, &Value::Null));
    }
    // A solution by lines takes no time.
    let limited = [("spec", "manhattan"), ("time_limit", "150ms")];
    let begun = std::time::Instant::now();
    let found = ask(&mut client, "/v1/solve", FAR, &limited).json();
    assert_eq!((&found["status"], &found["limit"]), (&json!("solved"), &json!("time")));
    let taken = begun.elapsed();
    assert!(taken >= Duration::from_millis(150) && taken < Duration::from_secs(20), "{taken:?}");
    // Only proved distances are told.
    let found = ask(&mut client, "/v1/moves", FAR, &limited).json();
    assert_eq!((&found["status"], &found["distance"]), (&json!("solved"), &Value::Null));
    assert!(found["moves"].as_array().unwrap().iter().all(|value| value["distance"].is_null()));
    let sequence = ("sequence", "LR");
    let found = ask(&mut client, "/v1/check", FAR, &[limited[0], limited[1], sequence]).json();
    assert_eq!((&found["limit"], &found["optimum"]), (&json!("time"), &Value::Null));
    let found = ask(&mut client, "/v1/solutions", FAR, &limited).json();
    assert_eq!((&found["limit"], &found["solution_count"]), (&json!("time"), &json!("0")));
}

#[test]
fn time_of_the_best_solution_obeys_the_limits() {
    let fixture = Fixture::of(&[], |settings| {
        settings.limits.time = Duration::from_millis(250);
        settings.limits.local_time_max = Some(Duration::from_millis(500));
    });
    let mut client = fixture.client();
    let long = [("spec", "manhattan"), ("within", "1h")];
    let begun = std::time::Instant::now();
    let found = ask(&mut client, "/v1/solve", FAR, &long).json();
    let taken = begun.elapsed();
    assert!(taken > Duration::from_millis(450) && taken < Duration::from_secs(20), "{taken:?}");
    assert_eq!((&found["status"], found.get("limit")), (&json!("solved"), None));
    // A time limit that ends before is one.
    let limited = [long[0], long[1], ("time_limit", "400ms")];
    assert_eq!(ask(&mut client, "/v1/solve", FAR, &limited).json()["limit"], "time");
}

#[test]
fn blank_may_have_another_sign() {
    let fixture = Fixture::new();
    let sequence = [("sequence", "LL")];
    for (route, more) in [
        ("moves", &[][..]),
        ("solve", &[]),
        ("solutions", &[]),
        ("explain", &[]),
        ("check", &sequence),
        ("animation", &sequence),
    ] {
        let ask = |params: &[(&str, &str)]| {
            let reply = fixture.get(&path(&format!("/v1/{route}"), &[params, more].concat()));
            assert_eq!(reply.status, 200, "{route}: {reply:?}");
            let record = serde_json::from_slice::<Value>(&reply.body);
            record.map_or_else(|_| json!(reply.text()), timeless)
        };
        let usual = ask(&[("board", NEAR)]);
        let from_zero = [("board", "0,1,2/3,4,5/~,6,7"), ("blank", "~")];
        for goal in [&[][..], &[("goal", "0,1,2/3,4,5/6,7,~")], &[("goal", "blank-last")]] {
            assert_eq!(ask(&[&from_zero[..], goal].concat()), usual, "{route}");
        }
    }
    for (params, expected) in [
        (&[("board", NEAR), ("blank", "9")][..], "no cell is 9, which was named as the blank"),
        (&[("board", NEAR), ("blank", "xy")], "the parameter blank: "),
        (&[("board", "0,1,2/3,4,5/-1,6,7")], "or name the blank with blank=-1"),
    ] {
        let reply = fixture.get(&path("/v1/moves", params));
        assert!(reply.status == 400 && reply.text().contains(expected), "{reply:?}");
    }
}

#[test]
fn streams_better_solutions_in_the_requested_moves() {
    let fixture = Fixture::of(&[], |_| ());
    let more = [("spec", "manhattan"), ("moves", "blank"), ("within", "500ms")];
    let asked = path("/v1/solve", &[&[("board", FAR)], &more[..]].concat());
    let events: Vec<_> = fixture.events(&asked).collect();
    let is_told = |event: &&Event| ["solution", "answer"].contains(&&*event.name);
    let told: Vec<_> = events.iter().filter(is_told).collect();
    assert!(told.len() >= 2 && events.last().unwrap().name == "answer", "{events:?}");
    let number = |event: &Event, name: &str| event.data[name].as_u64().unwrap();
    for event in &told {
        let moves = WrittenMoves::parse(event.data["moves"].as_str().unwrap(), true).unwrap();
        let board: Board = read_board(FAR, None).unwrap();
        assert_eq!(moves.replay(&board).board, *Goal::blank_last(board.shape()).board());
        assert_eq!(number(event, "length"), moves.len() as u64);
        assert!(number(event, "lower_bound") <= 80, "{event:?}");
    }
    // The answer repeats the best one.
    let lengths: Vec<u64> = told.iter().map(|event| number(event, "length")).collect();
    let (answer, solutions) = lengths.split_last().unwrap();
    assert!(solutions.is_sorted_by(|one, next| one > next), "{lengths:?}");
    assert_eq!(Some(answer), solutions.last());
    assert!(told.is_sorted_by_key(|event| number(event, "lower_bound")), "{told:?}");
    let progress = events.iter().filter(|event| event.name == "progress");
    let generated: Vec<u64> = progress.map(|event| number(event, "generated")).collect();
    assert!((1..=6).contains(&generated.len()) && generated.is_sorted(), "{events:?}");
    // It may be longer than a shortest one, and is not cached.
    let mut client = fixture.client();
    let reply = ask(&mut client, "/v1/solve", FAR, &more);
    assert_eq!(reply.header("cache-status"), None);
    assert_eq!(reply.json()["status"], "solved");
    // The proof ends before.
    let found = ask(&mut client, "/v1/solve", HARDEST, &[more[0], ("within", "1min")]).json();
    assert_eq!(found["status"], "optimal");
}

#[test]
fn streams_a_problem_as_the_last_event() {
    let fixture = Fixture::new();
    let params = [("board", FAR), ("spec", "15/7-8")];
    let events: Vec<_> = fixture.events(&path("/v1/solve", &params)).collect();
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!((&*events[0].name, &events[0].data["status"]), ("problem", &json!(409)));
    for route in ["/v1/solve", "/v1/moves", "/v1/explain"] {
        assert_eq!(fixture.get(&path(route, &params)).status, 409, "{route}");
    }
}

#[test]
fn scramble_is_reproducible_by_its_seed() {
    let fixture = Fixture::new();
    let mut client = fixture.client();
    let mut make = |set: &str, seed: &str| {
        let params = [("shape", "3x3"), ("set", set), ("seed", seed)];
        let reply = client.get(&path("/v1/scramble", &params));
        assert_eq!(reply.status, 200, "{set} {reply:?}");
        reply.json()
    };
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    for (set, name) in [
        ("random", SetName::Random { count: 1, seed: 7 }),
        ("walk:50", SetName::Walk { steps: 50, count: 1, seed: 7 }),
    ] {
        let made = make(set, "7");
        let tables = handle(&fixture, None);
        let mut boards = name.make(&goal, &tables, tables.search()).unwrap();
        assert_eq!(made["board"], boards.next().unwrap().unwrap().board.to_string());
        assert_eq!((&made["set"], &made["seed"]), (&json!(set), &json!(7)));
    }
    // Without seed, the response has the seed.
    for set in ["random", "optimum:20..25"] {
        let drawn = make(set, "");
        assert_eq!(make(set, &drawn["seed"].to_string())["board"], drawn["board"]);
    }
    for set in ["optimum:40..50", "walk:x", "korf100", "random:2:3", "x"] {
        let reply = client.get(&path("/v1/scramble", &[("shape", "3x3"), ("set", set)]));
        assert!([400, 409].contains(&reply.status), "{set} {reply:?}");
    }
}

#[test]
fn slides_of_several_tiles_count_as_one_move() {
    let fixture = Fixture::of(&["8/whole"], |_| ());
    let tables = Tilebase::builder().folder(fixture.folder()).metric(Metric::MultiTile);
    let tables = tables.lazy().unwrap();
    assert_eq!(tables.solve(HARDEST).unwrap().length(), Some(20));
    let mut client = fixture.client();
    let slides = [("metric", "mtm")];
    let found = ask(&mut client, "/v1/solve", HARDEST, &slides).json();
    assert_eq!((&found["metric"], &found["length"]), (&json!("mtm"), &json!(20)), "{found}");
    // The key of stored answers has the metric.
    let single = ask(&mut client, "/v1/solve", HARDEST, &[]).json();
    assert_eq!((&single["metric"], &single["length"]), (&Value::Null, &json!(31)), "{single}");
    let found = ask(&mut client, "/v1/moves", HARDEST, &slides).json();
    assert_eq!((&found["distance"], &found["moves"][0]["distance"]), (&json!(20), &json!(19)));
    let found = ask(&mut client, "/v1/check", HARDEST, &[slides[0], ("sequence", "R D L2")]).json();
    assert_eq!((&found["length"], &found["optimum"]), (&json!(3), &json!(20)), "{found}");
    let found = ask(&mut client, "/v1/solutions", NEAR, &[slides[0], ("list", "9")]).json();
    assert_eq!((&found["solutions"], &found["solution_count"]), (&json!(["L2"]), &json!("1")));
    let found = ask(&mut client, "/v1/explain", HARDEST, &slides).json();
    assert_eq!((&found["metric"], &found["lower_bound"]), (&json!("mtm"), &json!(20)), "{found}");
    let query = [("shape", "3x3"), ("set", "optimum:24"), ("metric", "mtm")];
    let found = client.get(&path("/v1/scramble", &query)).json();
    assert_eq!((&found["metric"], &found["length"]), (&json!("mtm"), &json!(24)), "{found}");
    let mut rate = |spec| {
        let query = [("specs", spec), ("shape", "3x3"), ("boards", "50"), slides[0]];
        client.get(&path("/v1/rate", &query))
    };
    // In moves of single tiles, the mean is near 14.
    let found = rate("manhattan").json();
    let mean = found["specs"][0]["mean"].as_f64().unwrap();
    assert!(found["metric"] == "mtm" && mean < 10.0, "{found}");
    assert_eq!(rate("pairwise").status, 400);
    let found = client.get(&path("/v1/specs", &[("shape", "3x3"), slides[0]])).json();
    assert_eq!(found["heuristics"], json!(["manhattan"]));
    assert_eq!(found["default"]["is_fallback"], false, "{found}");
    let specs = found["specs"].as_array().unwrap();
    assert!(specs.iter().all(|spec| spec["kind"] == "coloured"), "{found}");
    assert!(specs.iter().any(|spec| spec["name"] == found["default"]["spec"]), "{found}");
    let found = client.get(&path("/v1/specs", &[("shape", "4x4"), slides[0]])).json();
    assert_eq!(found["default"]["to_build"]["name"], "15/coloured", "{found}");
    // Without coloured tables, Manhattan distance bounds slides.
    let found = ask(&mut client, "/v1/solve", FAR, &[slides[0], ("within", "1s")]).json();
    assert_eq!((&found["spec"], &found["status"]), (&json!("manhattan"), &json!("solved")));
    for wrong in ["htm", ""] {
        let reply = client.get(&path("/v1/solve", &[("board", NEAR), ("metric", wrong)]));
        assert_eq!(reply.status, 400, "{reply:?}");
        assert!(reply.text().contains("expected stm or mtm"), "{reply:?}");
    }
}
