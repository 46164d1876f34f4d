//! Health, metrics, the description, and unknown addresses and methods.

use serde_json::{Value, json};

use crate::description::{description, resolved, text};
use crate::support::{Fixture, path};

const NEAR: &str = "1 2 3/4 5 6/0 7 8";

#[test]
fn serves_the_description_of_this_version() {
    let fixture = Fixture::new();
    let health = fixture.get("/healthz");
    let expected = json!({"status": "ok", "version": env!("CARGO_PKG_VERSION")});
    assert_eq!((health.status, health.json()), (200, expected));
    let reply = fixture.get("/openapi.json");
    assert_eq!((reply.status, reply.text()), (200, text()));
    assert_eq!(description()["info"]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(description()["openapi"], "3.1.0");
}

#[test]
fn accepts_exactly_the_described_methods() {
    let fixture = Fixture::new();
    for (template, item) in description()["paths"].as_object().unwrap() {
        let path = template.replace("{id}", "1").replace("{file}", "index.html");
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            let reply = fixture.send(method, &path, &[], b"");
            let is_described = item.get(method.to_ascii_lowercase()).is_some();
            assert_eq!(reply.status != 405, is_described, "{method} {path}");
            if !is_described {
                let allowed = reply.header("allow").expect("405 says what is allowed");
                let is_allowed = allowed.split(',').any(|known| known.trim() == method);
                assert!(!is_allowed, "{method} {path}: {allowed}");
            }
        }
    }
}

#[test]
fn head_has_the_headers_of_get() {
    let fixture = Fixture::new();
    let board = [("board", NEAR)];
    let paths = [
        "/healthz".to_owned(),
        "/openapi.json".to_owned(),
        "/v1/tables".to_owned(),
        "/v1/builds".to_owned(),
        "/v1/builds/7".to_owned(),
        "/nothing".to_owned(),
        path("/v1/moves", &board),
        path("/v1/animation", &board),
        path("/v1/moves", &[("board", "1")]),
    ];
    let mut client = fixture.client();
    for path in paths {
        let get = client.get(&path);
        // On one connection, a body would be read as the next response.
        let head = client.send("HEAD", &path, &[("accept", "application/json")], b"");
        assert_eq!(head.status, get.status, "{path}");
        for name in ["content-type", "content-security-policy", "cache-control"] {
            assert_eq!(head.header(name), get.header(name), "{path}");
        }
    }
}

#[test]
fn unknown_addresses_are_problems() {
    let fixture = Fixture::new();
    for path in ["/nothing", "/v1", "/v1/", "/v1/moves/", "/v2/moves", "/V1/moves", "//v1/moves"] {
        let reply = fixture.get(path);
        assert_eq!(reply.status, 404, "{path}");
    }
    assert_eq!(fixture.get("/v1/builds/1").status, 404);
    for path in ["/v1/builds/x", "/v1/builds/-1", "/v1/builds/99999999999999999999", "/%ff"] {
        assert_eq!(fixture.get(path).status, 400, "{path}");
    }
}

#[test]
fn problems_say_what_is_wrong() {
    let fixture = Fixture::of(&[], |_| ());
    for (path, status, start) in [
        ("/v2/solve", 404, "there is nothing at this address"),
        ("/v1/solve", 400, "the parameter board is missing"),
        ("/v1/solve?bord=1", 400, "there is no parameter \"bord\" here: expected board, "),
        ("/v1/solve?board=123456780&within=1hd", 400, "within is \"1hd\": "),
        ("/v1/solve?board=123456780&within=0", 400, "within is \"0\": "),
        ("/v1/solve?board=123456780&time_limit=0", 400, "time_limit is \"0\": "),
        (
            "/v1/solve?board=123456780&search=dijkstra",
            400,
            "search is \"dijkstra\": expected all-threads, idastar or one of breadth-first, greedy, astar",
        ),
        (
            "/v1/solve?board=123456780&search=astar:2",
            400,
            "search is \"astar:2\": astar takes no weight",
        ),
        ("/v1/specs?shape=9x8", 400, "shape is \"9x8\": "),
        ("/v1/specs?shape=4", 400, "shape is \"4\": "),
        ("/v1/moves?board=123456780&board=1", 400, "board is given twice"),
        ("/v1/moves?board=123456780&spec=net:15", 400, "networks are not served"),
        ("/v1/moves?board=876543210&spec=8/whole", 409, "the tables of this request are not built"),
        ("/v1/rate?specs=8/whole", 409, "the tables of 8/whole are not built"),
        ("/v1/builds/1/2", 404, "there is nothing"),
        ("/v1/builds/x", 400, "Invalid URL: Cannot parse `x` to a `u64`"),
        ("/v1/builds/1", 404, "there is no build 1: see GET /v1/builds"),
    ] {
        let reply = fixture.get(path);
        let detail = reply.json()["detail"].as_str().unwrap().to_owned();
        assert!(reply.status == status && detail.starts_with(start), "{path}: {reply:?}");
    }
}

#[test]
fn all_responses_have_security_headers() {
    let fixture = Fixture::new();
    for path in ["/healthz", "/nothing", "/v1/moves", "/"] {
        let reply = fixture.get(path);
        let policy = reply.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{path}: {policy}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(reply.header("cross-origin-resource-policy"), Some("same-origin"), "{path}");
        assert_eq!(reply.header("access-control-allow-origin"), None, "{path}");
    }
}

#[test]
fn metrics_count_requests() {
    let fixture = Fixture::new();
    let mut client = fixture.client();
    for _ in 0..3 {
        assert_eq!(client.get(&path("/v1/moves", &[("board", NEAR)])).status, 200);
    }
    assert_eq!(client.get("/v1/moves?board=1").status, 400);
    assert_eq!(client.get("/nothing\"{}\\").status, 404);
    let reply = client.get("/metrics");
    assert_eq!(reply.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    let mut family = "";
    for line in reply.text().lines().filter(|line| !line.starts_with("# HELP ")) {
        if let Some(kind) = line.strip_prefix("# TYPE ") {
            let kind = kind.split_once(' ').unwrap();
            assert!(["counter", "gauge", "histogram"].contains(&kind.1), "{line}");
            family = kind.0;
        } else {
            let (name, value) = line.rsplit_once(' ').unwrap();
            assert!(name.starts_with(family), "{line:?}");
            assert!(value.parse::<f64>().is_ok_and(|value| value >= 0.0), "{line:?}");
        }
    }
    for (name, expected) in [
        (r#"tilebase_requests_total{route="/v1/moves",status="200"}"#, 3),
        (r#"tilebase_requests_total{route="/v1/moves",status="400"}"#, 1),
        (r#"tilebase_requests_total{route="/{*file}",status="404"}"#, 1),
        // The request of the metrics.
        ("tilebase_requests_open", 1),
        ("tilebase_connections", 1),
        ("tilebase_remembered_total", 2),
        (r#"tilebase_searches_waiting{lane="quick"}"#, 0),
        (r#"tilebase_searches_waiting{lane="long"}"#, 0),
        (r#"tilebase_request_seconds_count{route="/v1/moves"}"#, 4),
    ] {
        assert_eq!(reply.metric(name) as u64, expected, "{name}");
    }
    assert!(reply.metric("tilebase_nodes_total") >= 1.0);
    assert!(reply.metric(r#"tilebase_request_seconds_sum{route="/v1/moves"}"#) > 0.0);
    let bucket = r#"tilebase_request_seconds_bucket{route="/v1/moves",le="#;
    let buckets =
        reply.text().lines().filter_map(|line| line.strip_prefix(bucket)?.split_once(' '));
    let (ends, counts): (Vec<_>, Vec<u64>) =
        buckets.map(|(end, count)| (end, count.parse::<u64>().unwrap())).unzip();
    assert!(counts.is_sorted(), "{counts:?}");
    assert_eq!((ends.last(), counts.last()), (Some(&"\"+Inf\"}"), Some(&4)));
}

#[test]
fn accepts_exactly_the_described_parameters() {
    let fixture = Fixture::new();
    let mut count = 0;
    for (path, item) in description()["paths"].as_object().unwrap() {
        if !path.starts_with("/v1/") || path.starts_with("/v1/builds") {
            continue;
        }
        let reply = fixture.get(&format!("{path}?colour=green"));
        assert_eq!(reply.status, 400, "{path}");
        let detail = reply.json()["detail"].as_str().unwrap().to_owned();
        let (_, known) = detail.split_once("expected ").unwrap();
        let mut known: Vec<&str> = known.split(", ").filter(|name| *name != "none").collect();
        let parameters = item["get"].get("parameters").and_then(Value::as_array);
        let name = |parameter| resolved(parameter)["name"].as_str().unwrap();
        let mut described: Vec<&str> = parameters.into_iter().flatten().map(name).collect();
        known.sort_unstable();
        described.sort_unstable();
        assert_eq!(described, known, "{path}");
        count += 1;
    }
    assert_eq!(count, 11);
}
