//! Requests about a board.

use std::time::Duration;

use pdb_oracle::{are_long, distances, solutions_of_length};
use pdb_spec::Spec;
use serde_json::{Value, json};
use tilebase::names::{GoalChoice, SpecChoice};
use tilebase::record::{CheckRecord, MovesRecord, Record};
use tilebase::sets::SetName;
use tilebase::text::{MoveStyle, WrittenMoves, letters, read_board};
use tilebase::{Board, Goal, Shape, Tilebase};

use crate::support::{Client, Fixture, Reply, path};

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

/// Formats a board as the API does.
fn written(cols: usize, tiles: &[u8]) -> String {
    let row = |row: &[u8]| row.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
    tiles.chunks(cols).map(row).collect::<Vec<_>>().join("/")
}

fn ask(client: &mut Client, route: &str, board: &str, more: &[(&str, &str)]) -> Reply {
    let reply = client.get(&path(route, &[&[("board", board)], more].concat()));
    assert_eq!(reply.status, 200, "{board}: {reply:?}");
    reply
}

#[test]
fn moves_of_all_2x3_boards_agree_with_library_and_oracle() {
    let fixture = Fixture::new();
    let tables = handle(&fixture, None);
    let all = distances(2, 3, &[1, 2, 3, 4, 5, 0]);
    assert_eq!(all.len(), 360);
    let mut client = fixture.client();
    for (tiles, distance) in &all {
        let board = written(3, tiles);
        let found = ask(&mut client, "/v1/moves", &board, &[]).json();
        assert_eq!((&found["status"], &found["distance"]), (&json!("optimal"), &json!(distance)));
        assert_eq!(found["spec"], "5/whole");
        let record = MovesRecord::new(&tables.moves(board.as_str()).unwrap(), MoveStyle::default());
        assert_eq!(timeless(found), timeless(record));
        // Swapping two tiles gives the unsolvable boards.
        let swap = |tile: &u8| [0, 2, 1, 3, 4, 5][usize::from(*tile)];
        let board = written(3, &tiles.iter().map(swap).collect::<Vec<_>>());
        let found = ask(&mut client, "/v1/moves", &board, &[]).json();
        assert_eq!((&found["status"], &found["distance"]), (&json!("unsolvable"), &Value::Null));
        let record = MovesRecord::new(&tables.moves(board.as_str()).unwrap(), MoveStyle::default());
        assert_eq!(timeless(found), timeless(record));
    }
}

/// Ends of random walks, which are solved without tables.
#[test]
fn moves_of_4x4_boards_agree_with_the_library() {
    let fixture = Fixture::of(&[], |_| ());
    let tables = handle(&fixture, Some("last-moves"));
    let goal = Goal::blank_last(Shape::new(4, 4).unwrap());
    let (count, steps) = if are_long() { (1000, 60) } else { (30, 30) };
    let boards = SetName::Walk { steps, count, seed: 8 }.make(&goal, &tables).unwrap();
    let mut client = fixture.client();
    for made in boards {
        let board = made.unwrap().board;
        let more = [("spec", "last-moves")];
        let found = ask(&mut client, "/v1/moves", &board.to_string(), &more).json();
        let record = MovesRecord::new(&tables.moves(board).unwrap(), MoveStyle::default());
        assert_eq!(record.head.status, "optimal");
        assert_eq!(timeless(found), timeless(record));
    }
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
    let record = Tilebase::builder()
        .goal(GoalChoice::Preset(Goal::snail))
        .spec("manhattan")
        .lazy_open()
        .and_then(|tables| tables.solve(HARDEST))
        .unwrap();
    assert_eq!(found["length"], json!(record.length()));
    assert_eq!(found["status"], Record::new(&record, MoveStyle::default()).head.status);
}

#[test]
fn solve_agrees_with_the_library() {
    let fixture = Fixture::new();
    let mut client = fixture.client();
    let tables = handle(&fixture, None);
    for board in [HARDEST, NEAR, UNSOLVABLE, "1 2 3/4 5 6/7 8 0"] {
        let reply = ask(&mut client, "/v1/solve", board, &[]);
        let record = Record::new(&tables.solve(board).unwrap(), MoveStyle::default());
        assert_eq!(timeless(reply.json()), timeless(record), "{board}");
    }
    let found = ask(&mut client, "/v1/solve", HARDEST, &[]).json();
    assert_eq!((&found["length"], &found["spec"]), (&json!(31), &json!("8/whole")));
    let found = ask(&mut client, "/v1/solve", UNSOLVABLE, &[]).json();
    assert_eq!(found["status"], "unsolvable");
    assert!(found["reason"].is_string());
    // Without search, the answer is the only event.
    for (board, status) in [(NEAR, "optimal"), (UNSOLVABLE, "unsolvable")] {
        let events: Vec<_> = fixture.events(&path("/v1/solve", &[("board", board)])).collect();
        assert_eq!(events.len(), 1, "{events:?}");
        assert_eq!((&*events[0].name, &events[0].data["status"]), ("answer", &json!(status)));
    }
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
    let search = [("search", "idastar"), ("spec", "manhattan")];
    assert_eq!(ask(&mut client, "/v1/solve", HARDEST, &search).header("cache-status"), None);
}

#[test]
fn weighted_searches_prove_their_bounds_and_are_not_cached() {
    let fixture = Fixture::new();
    let mut client = fixture.client();
    let mut lengths = Vec::new();
    for weight in ["1", "3/2", "5", "100"] {
        let search = format!("weighted-astar:{weight}");
        let more = [("spec", "manhattan"), ("search", &*search)];
        for _ in 0..2 {
            let reply = ask(&mut client, "/v1/solve", HARDEST, &more);
            assert_eq!(reply.header("cache-status"), None);
            let found = reply.json();
            let moves = WrittenMoves::parse(found["moves"].as_str().unwrap(), false).unwrap();
            let board: Board = read_board(HARDEST, None).unwrap();
            assert_eq!(moves.replay(&board).board.to_string(), "1 2 3/4 5 6/7 8 0");
            let length = found["length"].as_u64().unwrap();
            if weight == "1" {
                assert_eq!((&found["status"], length), (&json!("optimal"), 31));
            } else if found["status"] == "solved" {
                let bound = found["lower_bound"].as_u64().unwrap();
                assert!(bound <= 31 && 31 <= length, "{weight}: {found}");
            }
            lengths.push(length);
        }
    }
    assert!(lengths.iter().max() > Some(&31), "no weight made a difference: {lengths:?}");
    // The answers of the other searches are still the shortest.
    let found = ask(&mut client, "/v1/solve", HARDEST, &[("spec", "manhattan")]).json();
    assert_eq!((&found["status"], &found["length"]), (&json!("optimal"), &json!(31)));
    for wrong in
        ["weighted-astar", "weighted-astar:0", "weighted-astar:x", "weighted-ida:2", "astar"]
    {
        let params = [("board", HARDEST), ("search", wrong)];
        let reply = client.get(&path("/v1/solve", &params));
        assert_eq!(reply.status, 400, "{wrong}");
        assert!(reply.text().contains("search is"), "{wrong}: {}", reply.text());
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
    let limited = [("spec", "manhattan"), ("time_limit", "300ms")];
    let begun = std::time::Instant::now();
    let found = ask(&mut client, "/v1/solve", FAR, &limited).json();
    assert_eq!((&found["status"], &found["limit"]), (&json!("limit"), &json!("time")));
    let taken = begun.elapsed();
    assert!(taken >= Duration::from_millis(300) && taken < Duration::from_secs(20), "{taken:?}");
    let found = ask(&mut client, "/v1/moves", FAR, &limited).json();
    assert_eq!((&found["status"], &found["distance"]), (&json!("limit"), &Value::Null));
    assert!(found["moves"].as_array().unwrap().iter().all(|value| value["distance"].is_null()));
}

/// Returns a board with at least five bounds, and its optimum.
fn some_bounds() -> (String, u64) {
    let tables = Tilebase::builder().spec("manhattan").lazy_open().unwrap();
    let goal = Goal::blank_last(Shape::new(4, 4).unwrap());
    let boards = SetName::Walk { steps: 120, count: 200, seed: 3 }.make(&goal, &tables).unwrap();
    let mut boards = boards.map(|made| tables.solve(made.unwrap().board).unwrap());
    let answer = boards.find(|answer| answer.bounds.len() >= 5).expect("one has five bounds");
    (answer.board.to_string(), answer.length().unwrap() as u64)
}

#[test]
fn streams_bounds_in_order_before_the_answer() {
    let fixture = Fixture::of(&[], |_| ());
    let (board, length) = some_bounds();
    for search in ["idastar", "all-threads"] {
        let params = [("board", &*board), ("spec", "manhattan"), ("search", search)];
        let events: Vec<_> = fixture.events(&path("/v1/solve", &params)).collect();
        let (last, before) = events.split_last().unwrap();
        assert_eq!(last.name, "answer");
        assert_eq!(
            (&last.data["status"], &last.data["length"]),
            (&json!("optimal"), &json!(length))
        );
        assert!(before.iter().all(|event| ["bound", "progress"].contains(&&*event.name)));
        let bounds: Vec<_> = before.iter().filter(|event| event.name == "bound").collect();
        let sent: Vec<u64> =
            bounds.iter().map(|event| event.data["bound"].as_u64().unwrap()).collect();
        // Parity rules out the numbers between; the last bound has the solution and no event.
        let first = last.data["initial_estimate"].as_u64().unwrap();
        assert!(first < length, "{board}");
        assert_eq!(sent, (first..length).step_by(2).collect::<Vec<_>>(), "{search}");
        assert_eq!(bounds[0].data["growth"], Value::Null);
        for pair in bounds.windows(2) {
            let generated = |i: usize| pair[i].data["generated"].as_f64().unwrap();
            let growth = pair[1].data["growth"].as_f64().unwrap();
            assert!((growth - generated(1) / generated(0)).abs() < 1e-9, "{growth}");
        }
        // The record equals that of a request for JSON.
        let mut client = fixture.client();
        let more = [("spec", "manhattan"), ("search", search)];
        let record = ask(&mut client, "/v1/solve", &board, &more).json();
        assert_eq!(timeless(&last.data), timeless(&record));
        if search == "idastar" {
            assert_eq!(last.data["generated"], record["generated"]);
        }
    }
}

#[test]
fn streams_progress_until_a_limit() {
    let fixture = Fixture::of(&[], |_| ());
    let params = [("board", FAR), ("spec", "manhattan"), ("time_limit", "500ms")];
    let events: Vec<_> = fixture.events(&path("/v1/solve", &params)).collect();
    let (last, before) = events.split_last().unwrap();
    assert_eq!((&*last.name, &last.data["status"]), ("answer", &json!("limit")));
    let progress: Vec<_> = before.iter().filter(|event| event.name == "progress").collect();
    assert!(!progress.is_empty() && progress.len() <= 11, "{}", progress.len());
    let of = |name: &str| -> Vec<f64> {
        progress.iter().map(|event| event.data[name].as_f64().unwrap()).collect()
    };
    assert!(of("generated").is_sorted() && of("seconds").is_sorted(), "{progress:?}");
    assert!(of("nodes_per_second").iter().all(|number| *number > 0.0), "{progress:?}");
    for pair in before.windows(2) {
        let bound = |i: usize| pair[i].data["bound"].as_u64();
        if pair[0].name == "bound" && pair[1].name == "progress" {
            assert_eq!(bound(1), bound(0).map(|bound| bound + 2));
        }
    }
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
fn check_agrees_with_the_library() {
    let fixture = Fixture::new();
    let mut client = fixture.client();
    let tables = handle(&fixture, None);
    let solution = tables.solve(HARDEST).unwrap();
    let solution = letters(solution.moves().unwrap());
    let cases = [
        (NEAR, "LL"),
        (NEAR, "L2"),
        (NEAR, "LLRL"),
        (NEAR, "DU"),
        (NEAR, "LLL"),
        (NEAR, ""),
        (HARDEST, &*solution),
        (UNSOLVABLE, "R"),
    ];
    for (board, sequence) in cases {
        let found = ask(&mut client, "/v1/check", board, &[("sequence", sequence)]).json();
        let written = WrittenMoves::parse(sequence, false).unwrap();
        let checked = tables.check(board, &written).unwrap();
        let record = CheckRecord::new(&checked, MoveStyle::default());
        assert_eq!(timeless(&found), timeless(record), "{board} {sequence}");
        let is_optimal =
            (board, sequence) == (HARDEST, &solution) || sequence == "LL" || sequence == "L2";
        if board != UNSOLVABLE {
            assert_eq!(found["optimal"], is_optimal, "{board} {sequence}");
        }
    }
    let found = ask(&mut client, "/v1/check", NEAR, &[("sequence", "LLRL")]).json();
    assert_eq!(found["leaves_optimum_at"], 3);
    let wrong = [("board", NEAR), ("sequence", "LX")];
    assert_eq!(client.get(&path("/v1/check", &wrong)).status, 400);
}

#[test]
fn counts_and_lists_solutions() {
    let fixture = Fixture::new();
    let mut client = fixture.client();
    let found = ask(&mut client, "/v1/solutions", HARDEST, &[("list", "1000")]).json();
    assert_eq!((&found["solution_count"], &found["length"]), (&json!("40"), &json!(31)));
    assert_eq!(found["lengths"], json!([{"length": 31, "count": "40", "complete": true}]));
    assert_eq!((&found["listed"], &found["complete"]), (&json!(40), &json!(true)));
    let listed = found["solutions"].as_array().unwrap();
    let mut different: Vec<&str> = listed.iter().map(|moves| moves.as_str().unwrap()).collect();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), 40);
    let board = read_board(HARDEST, None).unwrap();
    for moves in different {
        let replay = WrittenMoves::parse(moves, false).unwrap().replay(&board);
        assert_eq!(
            (replay.moves.len(), replay.board.to_string()),
            (31, "1 2 3/4 5 6/7 8 0".into())
        );
    }
    // The list is shorter, but the count is complete.
    let found = ask(&mut client, "/v1/solutions", HARDEST, &[("list", "3")]).json();
    assert_eq!((&found["solution_count"], &found["listed"]), (&json!("40"), &json!(3)));
    assert_eq!(found["complete"], true);
    let found = ask(&mut client, "/v1/solutions", NEAR, &[("slack", "10")]).json();
    let lengths = found["lengths"].as_array().unwrap();
    let (near, goal) = ([1, 2, 3, 4, 5, 6, 0, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8, 0]);
    assert!(lengths.len() >= 2, "{lengths:?}");
    for of_length in lengths {
        let length = of_length["length"].as_u64().unwrap() as u32;
        let all = solutions_of_length(3, 3, &near, &goal, length, "URDL");
        assert_eq!(of_length["count"], all.len().to_string(), "{length}");
    }
    assert_eq!(found["listed"], 0);
    let found = ask(&mut client, "/v1/solutions", UNSOLVABLE, &[]).json();
    assert_eq!((&found["solution_count"], &found["status"]), (&json!("0"), &json!("unsolvable")));
}

#[test]
fn explain_agrees_with_the_library() {
    let fixture = Fixture::of(&["8/whole", "8/fringe", "15/walking-distance"], |_| ());
    let mut client = fixture.client();
    let tables = handle(&fixture, None);
    for board in [HARDEST, NEAR, UNSOLVABLE, "1 2 3/4 5 6/7 8 0", FAR, "1 2 3 4 5/6 7 8 9 0"] {
        let found = ask(&mut client, "/v1/explain", board, &[]).json();
        let explained = serde_json::to_value(tables.explain(board).unwrap()).unwrap();
        assert_eq!(found, explained, "{board}");
    }
    for spec in ["8/fringe", "max(8/whole,manhattan)", "pairwise"] {
        let found = ask(&mut client, "/v1/explain", HARDEST, &[("spec", spec)]).json();
        let explained = handle(&fixture, Some(spec)).explain(HARDEST).unwrap();
        assert_eq!(found, serde_json::to_value(explained).unwrap(), "{spec}");
    }
}

#[test]
fn scramble_is_reproducible_by_its_seed() {
    let fixture = Fixture::new();
    let mut client = fixture.client();
    let mut make = |shape: &str, set: &str, seed: &str| {
        let params = [("shape", shape), ("set", set), ("seed", seed)];
        let reply = client.get(&path("/v1/scramble", &params));
        assert_eq!(reply.status, 200, "{shape} {set} {reply:?}");
        reply.json()
    };
    let tables = handle(&fixture, None);
    for (shape, rows, cols) in [("3x3", 3, 3), ("4x4", 4, 4), ("2x3", 2, 3)] {
        let goal = Goal::blank_last(Shape::new(rows, cols).unwrap());
        for set in ["random", "walk:50"] {
            let made = make(shape, set, "7");
            assert_eq!(made, make(shape, set, "7"));
            assert_ne!(made["board"], make(shape, set, "8")["board"]);
            assert_eq!((&made["set"], &made["seed"]), (&json!(set), &json!(7)));
            let name = match set {
                "random" => SetName::Random { count: 1, seed: 7 },
                _ => SetName::Walk { steps: 50, count: 1, seed: 7 },
            };
            let mut boards = name.make(&goal, &tables).unwrap();
            assert_eq!(made["board"], boards.next().unwrap().unwrap().board.to_string());
        }
    }
    // Without seed, the response has the seed.
    let drawn = make("3x3", "random", "");
    let seed = drawn["seed"].as_u64().unwrap().to_string();
    assert_eq!(make("3x3", "random", &seed)["board"], drawn["board"]);
}

#[test]
fn scramble_respects_the_optimum() {
    let fixture = Fixture::new();
    let mut client = fixture.client();
    let goal = [1, 2, 3, 4, 5, 6, 7, 8, 0];
    let all = distances(3, 3, &goal);
    let tiles = |board: &str| -> Vec<u8> {
        board.split([' ', '/']).map(|tile| tile.parse().unwrap()).collect()
    };
    for (set, low, high, seeds) in [
        ("optimum:20..25", 20, 25, &["1", "2"][..]),
        ("optimum:5", 5, 5, &["1", "2"]),
        ("hardest", 31, 31, &["1"]),
    ] {
        for seed in seeds {
            let params = [("shape", "3x3"), ("set", set), ("seed", seed)];
            let made = client.get(&path("/v1/scramble", &params)).json();
            let length = made["length"].as_u64().unwrap();
            assert!((low..=high).contains(&length), "{made}");
            assert_eq!(u64::from(all[&tiles(made["board"].as_str().unwrap())]), length, "{made}");
        }
    }
    for set in ["optimum:40..50", "optimum:9..8", "walk", "walk:x", "korf100", "random:2:3", "x"] {
        let reply = client.get(&path("/v1/scramble", &[("shape", "3x3"), ("set", set)]));
        assert!([400, 409].contains(&reply.status), "{set} {reply:?}");
    }
}

/// Two plain patterns, each with a mirror image.
const PLAIN: &str = r#"
title = "two corners"
kind = "plain"
goal = "1 2 3/4 5 6/7 8 ."
patterns = ["A A A/- - -/- - .", "- - -/A A -/- - ."]
"#;

#[test]
fn explains_a_drawn_spec_with_mirror_images() {
    let fixture = Fixture::new();
    let drawn = fixture.post("/v1/specs", "application/toml", PLAIN.as_bytes()).json();
    let name = drawn["spec"].as_str().unwrap();
    let spec = Spec::parse(name, PLAIN).unwrap();
    let builder = Tilebase::builder().choice(SpecChoice::Spec(Box::new(spec)));
    let builder = builder.folder(fixture.folder());
    builder.clone().ensure().unwrap();
    // The handle explains with Walking Distance, too.
    let tables = builder.lazy_open().unwrap();
    let mut client = fixture.client();
    let found = ask(&mut client, "/v1/explain", HARDEST, &[("spec", name)]).json();
    assert_eq!(found, serde_json::to_value(tables.explain(HARDEST).unwrap()).unwrap());
    let heuristics = found["heuristics"].as_array().unwrap();
    let plain = heuristics.iter().find(|heuristic| heuristic["name"] == name).unwrap();
    let patterns = plain["parts"]["patterns"].as_array().unwrap();
    assert!(patterns.iter().any(|pattern| pattern["mirror_of"] == 1), "{plain}");
    assert!(patterns.iter().any(|pattern| pattern.get("mirror_of").is_none()), "{plain}");
}
