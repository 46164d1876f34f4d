//! Impatient, slow, greedy and malicious clients. The server refuses them and serves the others.

use std::io::{BufReader, Read, Write};
use std::time::{Duration, Instant};

use pdb_oracle::Random;

use crate::support::{Event, Fixture, Reply, path, read_reply};

/// A board of 80 moves, which take hours with Manhattan distance.
const HARD: &str = "0,12,9,13/15,11,10,14/3,7,2,5/4,8,6,1";
const EASY: &str = "/v1/moves?board=1,2,3/4,5,6/0,7,8";
/// Longest time of an event in these tests, also on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

fn hard_path() -> String {
    path("/v1/solve", &[("board", HARD), ("spec", "manhattan")])
}

fn pick<'a, T: AsRef<str>>(random: &mut Random, words: &'a [T]) -> &'a str {
    words[random.below(words.len())].as_ref()
}

/// Returns a value of the metrics.
fn metric(fixture: &Fixture, name: &str) -> f64 {
    fixture.get("/metrics").metric(name)
}

/// Waits for a condition.
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what} takes too long");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn searches(fixture: &Fixture) -> f64 {
    let of = |state: &str, lane: &str| {
        metric(fixture, &format!("tilebase_searches_{state}{{lane=\"{lane}\"}}"))
    };
    let of_lanes = |state| ["quick", "long", "report"].map(|lane| of(state, lane)).iter().sum();
    ["running", "waiting"].map(of_lanes).iter().sum::<f64>()
}

fn assert_problem(reply: &Reply, status: u16, what: &str) {
    assert_eq!(reply.status, status, "{what}: {}", reply.text());
    assert_eq!(reply.header("content-type"), Some("application/problem+json"), "{what}");
    let problem = reply.json();
    assert_eq!(problem["status"], status, "{what}");
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.len() > 10), "{what}");
}

#[test]
fn refuses_random_parameters() {
    let fixture = Fixture::new();
    let mut client = fixture.client();
    let mut random = Random::default();
    let routes = "moves solve solutions check explain scramble estimate rate animation specs";
    let routes: Vec<String> = routes.split(' ').map(|name| format!("/v1/{name}")).collect();
    let names = "board goal spec moves time_limit node_limit sequence shape set seed specs boards \
        slack list colours cell speed caption estimates format";
    let names: Vec<&str> = names.split(' ').collect();
    // Separated by bars; the first value is empty.
    let values = "|0|-1|99999999999999999999999999|1e999|NaN|\u{0}|\u{202e}x|ü|%|1,2,3/4,5,6/7,8,0|\
        1,2,3/4,5,6/7,8,8|1 2 3 4|0,1/2,3|[[[[[[[[[[[[[[[[[[[[|{\"a\":{\"a\":{\"a\":1}}}|\
        max(max(max(manhattan)))|max(|manhattan|8/whole|drawn/0|../../etc/passwd|\
        /etc/passwd|x.toml|generated/9x9/9|4x4|99x99|0x0|walk:-1|walk:99999999999|\
        optimum:9..1|optimum:9999|hardest|UDLR|U99999|blank-last|snail|10s|-5ms|1h|tiles|\
        svg|bmp";
    let values: Vec<&str> = values.split('|').collect();
    let long = "9,".repeat(2000);
    let mut refused = 0;
    for nth in 0..500 {
        let mut params = Vec::new();
        for _ in 0..random.below(4) {
            let value = if random.below(20) == 0 { &long } else { pick(&mut random, &values) };
            params.push((pick(&mut random, &names), value));
        }
        let asked = path(pick(&mut random, &routes), &params);
        let reply = client.get(&format!("{asked}&time_limit=1s"));
        let is_fine = reply.status == 200 || (400..500).contains(&reply.status);
        assert!(is_fine, "{nth}: {asked:.200}: {} {:.200}", reply.status, reply.text());
        refused += usize::from(reply.status >= 400);
        if reply.header("connection") == Some("close") {
            client = fixture.client();
        }
    }
    assert!((250..500).contains(&refused), "{refused} were refused");
    assert_eq!(fixture.get(EASY).json()["distance"], 2);
}

#[test]
fn refuses_wrong_bodies() {
    let fixture = Fixture::new();
    let send = |path: &str, kind: &str, body: &[u8]| fixture.post(path, kind, body);
    let (json, toml) = ("application/json", "application/toml");
    let builds = r#"{
        {}
        []
        {"spec":null}
        {"spec":"manhattan"}
        {"spec":"8/whole","spec":"8/4-4"}
        {"spec":1}
        {"spec":"\ud800"}
        {"spek":"8/whole"}
        {"spec":"8/whole","more":1}
        {"spec":"/tmp/x.toml"}
        {"spec":99999999999999999999999999999999999999}"#;
    let drawn = [
        "=",
        "partition = 1",
        "title = 'x'",
        "partition = \"\"\"\nA A\nA .\n\"\"\"\nblank = 'other'",
        "partition = \"\"\"\nA A A A A A A\nA A A A A A A\n\"\"\"",
    ];
    let deep = "[".repeat(30_000);
    let any = [&b""[..], b"\xff\xfe", deep.as_bytes()];
    let builds = builds.lines().map(|body| ("/v1/builds", json, body.trim().as_bytes()));
    let drawn = drawn.iter().map(|body| ("/v1/specs", toml, body.as_bytes()));
    let any = any.iter().flat_map(|body| [("/v1/builds", json, *body), ("/v1/specs", toml, *body)]);
    for (path, kind, body) in builds.chain(drawn).chain(any) {
        let what = String::from_utf8_lossy(&body[..body.len().min(60)]).into_owned();
        assert_problem(&send(path, kind, body), 400, &what);
    }
    assert_problem(
        &send("/v1/builds", json, b"{\"spec\":\"drawn/0123456789abcdef\"}"),
        404,
        "drawn",
    );
    assert_eq!(fixture.get("/v1/builds").json()["builds"], serde_json::json!([]));
    // A pattern that is too large for any table.
    let wide = "A A A A A A\n".repeat(5) + "A A A A A .";
    let drawn = format!("title = \"all\"\npartition = \"\"\"\n{wide}\n\"\"\"\n");
    assert_problem(&send("/v1/specs", toml, drawn.as_bytes()), 400, "all tiles of 6x6");
    let large = vec![b' '; (64 << 10) + 1];
    assert_problem(&send("/v1/builds", json, &large), 413, "a large body");
    for kind in ["text/plain", "application/x-www-form-urlencoded", "", "multipart/form-data"] {
        assert_problem(&send("/v1/builds", kind, b"{\"spec\":\"8/whole\"}"), 415, kind);
    }
}

#[test]
fn refuses_other_hosts_and_other_origins() {
    let fixture = Fixture::with(|settings| settings.names = vec!["tiles.example".to_owned()]);
    let status = |line: &str, headers: &[&str]| {
        let headers = headers.join("\r\n");
        let request = format!("{line} HTTP/1.1\r\n{headers}\r\nconnection: close\r\n\r\n");
        fixture.raw(request).split(' ').nth(1).map(str::to_owned)
    };
    let get = "GET /healthz";
    for host in ["localhost", "LOCALHOST:8015", "127.0.0.1:1", "[::1]:8015", "Tiles.example:80"] {
        assert_eq!(status(get, &[&format!("host: {host}")]).as_deref(), Some("200"), "{host}");
    }
    for host in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", ":"] {
        assert_eq!(status(get, &[&format!("host: {host}")]).as_deref(), Some("421"), "{host}");
    }
    let host = "host: 10.1.2.3:8015";
    let (own, other) = ("origin: http://10.1.2.3:8015", "origin: http://evil.example");
    let [cross, link] = ["sec-fetch-site: cross-site", "sec-fetch-mode: navigate"];
    for (line, headers, expected) in [
        (get, &["accept: */*"][..], "400"),
        (get, &[host, host], "400"),
        (get, &[host, "host: evil.example"], "400"),
        ("GET http://10.1.2.3:8015/healthz", &[host], "200"),
        ("GET http://evil.example/healthz", &[host], "421"),
        ("GET http://evil@10.1.2.3:8015/healthz", &[host], "421"),
        (get, &[host, own], "200"),
        (get, &[host, other], "403"),
        (get, &[host, cross], "403"),
        (get, &[host, "sec-fetch-site: same-site"], "403"),
        (get, &[host, cross, link], "200"),
        ("GET /?board=1,2,3/4,5,6/0,7,8&embed=1", &[host, cross, link], "200"),
        ("GET /v1/animation?board=1,2,3/4,5,6/0,7,8", &[host, cross, link], "403"),
        ("GET /v1/specs", &[host, "sec-fetch-site: none", link], "200"),
        ("POST /healthz", &[host], "405"),
        ("POST /healthz", &[host, own], "405"),
        ("POST /healthz", &[host, other], "403"),
        ("POST /healthz", &[host, cross, link], "403"),
        ("POST /v1/builds", &[host, "origin: http://10.1.2.3:9999"], "403"),
        ("DELETE /v1/builds/1", &[host, "origin: null"], "403"),
    ] {
        assert_eq!(status(line, headers).as_deref(), Some(expected), "{line} {headers:?}");
    }
}

#[test]
fn serves_pages_of_an_allowed_origin() {
    const APP: &str = "https://app.example";
    let fixture = Fixture::with(|settings| settings.origins = vec![APP.to_owned()]);
    let cross = ("sec-fetch-site", "cross-site");
    let reply =
        |path: &str, origin: &str| fixture.send("GET", path, &[("origin", origin), cross], b"");
    for (path, status) in [(EASY, 200), ("/v1/moves?board=1", 400), ("/none", 404), ("/", 200)] {
        let reply = reply(path, APP);
        assert_eq!(reply.status, status, "{path}");
        assert_eq!(reply.header("access-control-allow-origin"), Some(APP), "{path}");
        let varies = reply.headers.iter().filter(|(name, _)| name == "vary");
        assert!(varies.into_iter().any(|(_, value)| value == "Origin"), "{path}");
    }
    let json = ("content-type", "application/json");
    let built =
        fixture.send("POST", "/v1/builds", &[json, ("origin", APP)], b"{\"spec\":\"8/whole\"}");
    assert_eq!(built.status, 202, "{built:?}");
    for other in ["https://evil.example", "http://app.example", "null", "https://app.example:1"] {
        let reply = reply("/healthz", other);
        assert_eq!(reply.status, 403, "{other}");
        assert_eq!(reply.header("access-control-allow-origin"), None, "{other}");
        assert_eq!(reply.header("vary"), Some("Origin"), "{other}");
    }
    // Browsers send a preflight request first.
    let preflight = |fixture: &Fixture, origin: &str| {
        let mut stream = BufReader::new(fixture.connect());
        let head =
            format!("OPTIONS /v1/builds HTTP/1.1\r\nhost: localhost\r\norigin: {origin}\r\n");
        let asked = "access-control-request-method: POST\r\n\r\n";
        stream.get_mut().write_all(format!("{head}{asked}").as_bytes()).unwrap();
        read_reply(&mut stream, "OPTIONS").unwrap()
    };
    let allowed = preflight(&fixture, APP);
    assert_eq!((allowed.status, allowed.body.len()), (204, 0));
    assert_eq!(allowed.header("access-control-allow-origin"), Some(APP));
    assert!(allowed.header("access-control-allow-methods").unwrap().contains("DELETE"));
    assert!(allowed.header("access-control-allow-headers").unwrap().contains("Content-Type"));
    assert_eq!(preflight(&fixture, "https://evil.example").status, 403);
    // Without allowed origins, responses do not depend on the origin.
    let usual = Fixture::new();
    assert_eq!(preflight(&usual, APP).status, 403);
    assert_eq!(usual.get("/healthz").header("vary"), None);
}

#[test]
fn answers_an_easy_board_during_hard_searches() {
    let fixture = Fixture::new();
    let hard: Vec<_> = (0..6).map(|_| fixture.events(&hard_path())).collect();
    let long = "tilebase_searches_running{lane=\"long\"}";
    wait_until("the hard boards", || metric(&fixture, long) >= 2.0);
    for _ in 0..20 {
        assert_eq!(fixture.get(EASY).json()["distance"], 2);
    }
    // The hard searches are still running.
    assert!(metric(&fixture, long) >= 2.0);
    drop(hard);
    wait_until("the end of the searches", || searches(&fixture) == 0.0);
}

#[test]
fn cancels_searches_of_closed_connections() {
    let fixture = Fixture::new();
    let accept = "accept: text/event-stream";
    let request = format!("GET {} HTTP/1.1\r\nhost: localhost\r\n{accept}\r\n\r\n", hard_path());
    let moves = path("/v1/moves", &[("board", HARD), ("spec", "manhattan")]);
    let other = format!("GET {moves} HTTP/1.1\r\nhost: localhost\r\n\r\n");
    for nth in 0..300 {
        let mut stream = fixture.connect();
        stream.write_all(if nth % 2 == 0 { &request } else { &other }.as_bytes()).unwrap();
        if nth % 6 == 0 {
            // Some wait for the first byte.
            let _ = stream.read(&mut [0; 1]);
        }
    }
    wait_until("the end of the searches", || searches(&fixture) == 0.0);
    wait_until("the end of the connections", || metric(&fixture, "tilebase_connections") <= 1.0);
    let before = metric(&fixture, "tilebase_nodes_total");
    assert_eq!(fixture.get(EASY).json()["distance"], 2);
    assert!(metric(&fixture, "tilebase_nodes_total") < before + 10_000.0);
}

/// Returns a request for a film in pixels that takes long.
#[cfg(feature = "raster")]
fn long_film() -> String {
    let tiles: Vec<String> = (1..36).chain([0]).map(|tile| tile.to_string()).collect();
    let board: Vec<String> = tiles.chunks(6).map(|row| row.join(",")).collect();
    let (board, sequence) = (board.join("/"), "RDLU".repeat(190));
    let params = [("board", &*board), ("sequence", &sequence), ("format", "gif")];
    path("/v1/animation", &[&params[..], &[("cell", "128"), ("speed", "20")]].concat())
}

#[cfg(feature = "raster")]
#[test]
fn films_in_pixels_stop_with_their_request_and_delay_no_other_film() {
    let fixture = Fixture::with(|settings| settings.thread_count = 1);
    let running = || metric(&fixture, "tilebase_searches_running{lane=\"long\"}");
    let easy = path("/v1/animation", &[("board", "1 2 3/4 5 6/0 7 8")]);
    let ask = || {
        let mut stream = fixture.connect();
        let request = format!("GET {} HTTP/1.1\r\nhost: localhost\r\n\r\n", long_film());
        stream.write_all(request.as_bytes()).unwrap();
        stream
    };
    let open: Vec<_> = [(); 4].map(|()| ask()).into();
    wait_until("the first film", || running() >= 1.0);
    assert_eq!(fixture.get(&easy).status, 200);
    assert!(running() >= 1.0, "the film is too short for this test");
    drop(open);
    wait_until("the end of the films", || searches(&fixture) == 0.0);
    let limited = format!("{}&time_limit=300ms", long_film());
    assert_problem(&fixture.get(&limited), 409, "a film that takes longer");
    wait_until("the end of the film", || searches(&fixture) == 0.0);
}

#[test]
fn refuses_requests_while_the_queue_is_full() {
    let fixture = Fixture::with(|settings| {
        settings.thread_count = 1;
        settings.limits.queue = 2;
    });
    // One search runs and two wait; the queue has no room for a fourth.
    let mut hard = Vec::new();
    let refused = (0..20).find_map(|_| {
        let mut events = fixture.events(&hard_path());
        // Progress events come also while a search waits.
        let is_later =
            |event: &Event| event.data["seconds"].as_f64().is_some_and(|time| time > 0.5);
        let last = events.by_ref().find(|event| event.name == "problem" || is_later(event));
        let refusal = last.filter(|event| event.name == "problem");
        hard.push(events);
        refusal
    });
    assert_eq!(refused.expect("one request is refused").data["status"], 503);
    let asked = path("/v1/moves", &[("board", HARD), ("spec", "manhattan")]);
    let reply = fixture.get(&asked);
    assert_problem(&reply, 503, "a place");
    assert_eq!(reply.header("retry-after"), Some("1"));
    // Closed connections make room.
    drop(hard);
    wait_until("the end of the searches", || searches(&fixture) == 0.0);
    assert_eq!(fixture.get(EASY).json()["distance"], 2);
}

#[test]
fn abandoned_reports_do_not_delay_searches() {
    let fixture = Fixture::with(|settings| settings.thread_count = 1);
    let tiles: Vec<String> = (1..36).chain([0]).map(|tile| tile.to_string()).collect();
    let large: Vec<String> = tiles.chunks(6).map(|row| row.join(",")).collect();
    let rows = "A A A A A A\nA A A B B B\nB B B B B B\nC C C C C C\nC C C D D D\nD D D D D .";
    let drawn = format!("title = \"large\"\npartition = \"\"\"\n{rows}\n\"\"\"\n");
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n");
    let toml = format!("content-type: application/toml\r\ncontent-length: {}", drawn.len());
    let requests = [
        get("/v1/estimate?spec=generated/6x6/9-9-9-8"),
        get("/v1/specs?shape=6x6"),
        get(&path("/v1/explain", &[("board", &large.join("/"))])),
        format!("POST /v1/specs HTTP/1.1\r\nhost: localhost\r\n{toml}\r\n\r\n{drawn}"),
    ];
    for request in requests.iter().chain(&requests) {
        fixture.connect().write_all(request.as_bytes()).unwrap();
    }
    assert_eq!(fixture.get(EASY).json()["distance"], 2);
    let count =
        |name: &str, lane: &str| metric(&fixture, &format!("{name}{{lane=\"{lane}\"}}")) as u64;
    let reports = || {
        count("tilebase_searches_total", "report")
            + count("tilebase_searches_abandoned_total", "report")
    };
    // The server may not have read a request before its connection was closed.
    wait_until("the end of the reports", || {
        metric(&fixture, "tilebase_connections") <= 1.0 && searches(&fixture) == 0.0
    });
    assert!(reports() <= 8, "{}", reports());
    // Searches have separate threads: only the easy board was searched.
    assert_eq!(count("tilebase_searches_total", "quick"), 1);
    assert_eq!(count("tilebase_searches_total", "long"), 0);
    // Without disconnecting, the reports are answered.
    let explained = fixture.get(&path("/v1/explain", &[("board", &large.join("/"))]));
    assert_eq!(explained.status, 200, "{explained:?}");
    let estimated = fixture.get("/v1/estimate?spec=generated/6x6/9-9-9-8").json();
    assert!(estimated["tables"][0]["exact"] == true, "{estimated}");
    assert_eq!(count("tilebase_searches_total", "quick"), 1);
}

#[test]
fn advises_how_to_continue_after_a_limit() {
    let ask = |fixture: &Fixture, limit: &[(&str, &str)], headers: &[(&str, &str)]| {
        let asked = [&[("board", HARD), ("spec", "manhattan")], limit].concat();
        let headers = [&[("accept", "application/json")], headers].concat();
        fixture.send("GET", &path("/v1/solve", &asked), &headers, b"").json()
    };
    let fixture = Fixture::with(|settings| {
        settings.limits.time = Duration::from_millis(70);
        settings.limits.local_time_max = Some(Duration::from_millis(750));
    });
    let first = ask(&fixture, &[], &[]);
    assert_eq!((&first["limit"], &first["next_time_limit"]), (&"time".into(), &"0.7s".into()));
    let advice = "0.07 s were not enough: repeat the request with time_limit=0.7s";
    assert_eq!(first["advice"], advice);
    let second = ask(&fixture, &[("time_limit", "0.7s")], &[]);
    assert!(second["seconds"].as_f64() > Some(0.5), "{second}");
    assert_eq!(second["next_time_limit"], "0.75s");
    // This is the server's limit.
    let third = ask(&fixture, &[("time_limit", "1min")], &[]);
    assert_eq!(third.get("next_time_limit"), None);
    assert!(third["advice"].as_str().unwrap().contains("tilebase serve --time-limit"), "{third}");
    // A client of a proxy does not count as local.
    let other = ask(&fixture, &[("time_limit", "0.7s")], &[("x-forwarded-for", "10.1.2.3")]);
    assert_eq!(other.get("next_time_limit"), None);
    assert!(other["seconds"].as_f64() < Some(0.5), "{other}");
    // More time does not help against the client's own node limit.
    let by_nodes = ask(&fixture, &[("node_limit", "1000")], &[]);
    assert_eq!((&by_nodes["limit"], by_nodes.get("advice")), (&"nodes".into(), None));

    // Against the server's node limit only a larger one helps.
    let fixture = Fixture::with(|settings| {
        settings.limits.nodes = 1000;
        settings.limits.local_time_max = None;
    });
    let record = ask(&fixture, &[], &[]);
    assert_eq!(record["limit"], "nodes");
    assert!(record["advice"].as_str().unwrap().contains("tilebase serve --node-limit"), "{record}");
}

#[test]
fn returns_the_quick_result_if_the_time_ends_in_the_queue() {
    let fixture = Fixture::with(|settings| settings.thread_count = 1);
    let mut hard = fixture.events(&hard_path());
    // It occupies the only thread for long searches, for a minute.
    let is_long = |event: Event| event.data["seconds"].as_f64().is_some_and(|time| time > 0.3);
    assert!(hard.any(is_long));
    let begun = Instant::now();
    let params = [("board", HARD), ("spec", "manhattan"), ("time_limit", "150ms")];
    let answer = fixture.get(&path("/v1/solve", &params)).json();
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    assert_eq!((&answer["status"], &answer["limit"]), (&"solved".into(), &"time".into()));
    assert!(answer["lower_bound"].as_u64().unwrap() >= 38);
    drop(hard);
}

#[test]
fn refuses_a_goal_that_is_too_long() {
    let fixture = Fixture::new();
    let ask = |spaces: usize| {
        let goal = format!("1,2,3/4,5,6/7,8,0{}", " ".repeat(spaces));
        fixture.get(&path("/v1/moves", &[("board", "1,2,3/4,5,6/0,7,8"), ("goal", &goal)]))
    };
    assert_eq!(ask(100).json()["distance"], 2);
    assert_problem(&ask(2000), 400, "a goal of 2000 spaces");
}

#[test]
fn answers_addresses_without_a_path_with_404() {
    let fixture = Fixture::new();
    for line in ["OPTIONS * HTTP/1.1", "CONNECT 127.0.0.1:80 HTTP/1.1"] {
        let mut stream = fixture.connect();
        write!(stream, "{line}\r\nhost: 127.0.0.1:80\r\n\r\n").unwrap();
        let reply = read_reply(&mut BufReader::new(stream), "GET").unwrap();
        assert_problem(&reply, 404, line);
    }
}

#[test]
fn disconnects_slow_senders_and_slow_readers() {
    let fixture = Fixture::with(|settings| settings.limits.transfer = Duration::from_millis(500));
    let mut senders = Vec::new();
    for nth in 0..50 {
        let mut stream = fixture.connect();
        let half = format!("GET {EASY} HTTP/1.1\r\nhost: local");
        stream.write_all(&half.as_bytes()[..10 + nth % 20]).unwrap();
        senders.push(stream);
    }
    let mut bodies = Vec::new();
    for _ in 0..10 {
        let mut stream = fixture.connect();
        let head = "POST /v1/builds HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
                    content-length: 1000\r\n\r\n{";
        stream.write_all(head.as_bytes()).unwrap();
        bodies.push(stream);
    }
    let mut readers = Vec::new();
    for _ in 0..10 {
        // More responses than the system buffers.
        let mut stream = fixture.connect();
        stream.set_write_timeout(Some(Duration::from_millis(200))).unwrap();
        let request = "GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(200);
        for _ in 0..20 {
            if stream.write_all(request.as_bytes()).is_err() {
                break;
            }
        }
        readers.push(stream);
        assert_eq!(fixture.get(EASY).json()["distance"], 2);
    }
    for mut stream in senders {
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(!answer.starts_with(b"HTTP/1.1 2"), "half a request has no answer");
    }
    for stream in bodies {
        let reply = read_reply(&mut BufReader::new(stream), "POST").unwrap();
        assert_problem(&reply, 408, "half a body");
    }
    wait_until("the end of the connections", || metric(&fixture, "tilebase_connections") <= 1.0);
    drop(readers);
}

#[test]
fn refuses_connections_beyond_the_limit() {
    let fixture = Fixture::with(|settings| settings.limits.connections = 5);
    let mut held: Vec<_> = (0..5).map(|_| fixture.client()).collect();
    for client in &mut held {
        assert_eq!(client.get(EASY).status, 200);
    }
    let mut answer = String::new();
    let mut beyond = fixture.connect();
    beyond.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 503 ") && answer.contains("retry-after: 1"), "{answer}");
    drop(held);
    wait_until("room", || {
        let request =
            format!("GET {EASY} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        fixture.raw(request).starts_with("HTTP/1.1 200 ")
    });
}

#[test]
fn a_cancelled_server_ends_during_searches() {
    let mut fixture = Fixture::with(|settings| settings.limits.grace = Duration::from_millis(200));
    let hard: Vec<_> = (0..4).map(|_| fixture.events(&hard_path())).collect();
    let idle = fixture.connect();
    wait_until("a search", || searches(&fixture) > 0.0);
    fixture.end();
    drop((hard, idle));
}
