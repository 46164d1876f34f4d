//! Requests cannot open files.

use std::fs;
use std::path::Path;

use crate::support::{Fixture, Reply, path};

const SPEC: &str = "title = \"whole\"\ngoal = \"1 2 3/4 5 6/7 8 .\"\n\
    partitions = [\"A A A/A A A/A A .\"]\n";

/// Detects whether a file of a folder was opened.
struct FolderWatch(std::os::fd::OwnedFd);

impl FolderWatch {
    fn new(folder: &Path) -> Self {
        use rustix::fs::inotify::{CreateFlags, WatchFlags, add_watch, init};
        let watched = init(CreateFlags::NONBLOCK).unwrap();
        let flags = WatchFlags::OPEN | WatchFlags::ACCESS | WatchFlags::CREATE;
        add_watch(&watched, folder, flags).unwrap();
        Self(watched)
    }

    fn was_touched(&self) -> bool {
        let mut events = [0; 4096];
        rustix::io::read(&self.0, &mut events).is_ok_and(|count| count > 0)
    }
}

/// Returns status and detail of a problem, without the name of the file.
fn status_and_detail(reply: &Reply, name: &str) -> (u16, String) {
    let detail = reply.json()["detail"].as_str().unwrap().to_owned();
    (reply.status, detail.replace(name, "NAME"))
}

#[test]
fn names_in_requests_open_no_file() {
    let bait = tempfile::tempdir().unwrap();
    let fixture = Fixture::new();
    let mut client = fixture.client();
    let there = |name: &str| bait.path().join(name).to_str().unwrap().to_owned();
    let names = ["there.toml", "there.TOML", "there", "there.txt", "max.toml,x"];
    for name in names {
        pdb_gen::write_file(&bait.path().join(name), SPEC.as_bytes()).unwrap();
    }
    let watched = FolderWatch::new(bait.path());
    // The watch works.
    fs::read(bait.path().join("there")).unwrap();
    assert!(watched.was_touched() && !watched.was_touched());
    let board = ("board", "8 6 7/2 5 4/3 0 1");
    for name in names {
        // Responses do not reveal whether a file exists.
        let (file, other) = (there(name), there(&name.replace("there", "other")));
        let wrapped = |file: &str| {
            let nested = format!("max(manhattan,{file})");
            let unmirrored = format!("{file}:unmirrored");
            let dotted = format!("8/../../../../../../../../../..{file}");
            [
                file.to_owned(),
                nested,
                unmirrored,
                dotted,
                format!("8/{file}"),
                format!("drawn/{file}"),
            ]
        };
        for (spec, other_spec) in wrapped(&file).iter().zip(&wrapped(&other)) {
            let asked = [
                ("/v1/solve", vec![board], "spec"),
                ("/v1/explain", vec![board], "spec"),
                ("/v1/moves", vec![board, ("goal", "snail")], "spec"),
                ("/v1/animation", vec![board], "spec"),
                ("/v1/estimate", vec![], "spec"),
                ("/v1/rate", vec![], "specs"),
                ("/v1/solve", vec![board], "goal"),
                ("/v1/solve", vec![], "board"),
                ("/v1/check", vec![board], "sequence"),
                ("/v1/scramble", vec![], "set"),
                ("/v1/scramble", vec![], "goal"),
                ("/v1/specs", vec![], "goal"),
                ("/v1/specs", vec![], "shape"),
            ];
            for (route, mut params, of) in asked {
                params.push((of, spec));
                let found = client.get(&path(route, &params));
                assert!([400, 404].contains(&found.status), "{route} {params:?}: {found:?}");
                *params.last_mut().unwrap() = (of, other_spec);
                let not_there = client.get(&path(route, &params));
                assert_eq!(
                    status_and_detail(&found, &file),
                    status_and_detail(&not_there, &other),
                    "{route} {params:?}"
                );
            }
            let body = serde_json::json!({ "spec": spec }).to_string();
            let json = [("content-type", "application/json")];
            let reply = client.send("POST", "/v1/builds", &json, body.as_bytes());
            assert!([400, 404].contains(&reply.status), "{spec}: {reply:?}");
        }
    }
    assert!(!watched.was_touched(), "a file was opened");
    for goal in ["/etc/passwd", "/dev/stdin", "-", "@/etc/passwd", "file:///etc/passwd"] {
        let reply = client.get(&path("/v1/solve", &[board, ("goal", goal)]));
        assert_eq!(reply.status, 400, "{goal}");
        assert!(!reply.text().contains("root:"), "{goal}");
    }
}

#[test]
fn addresses_open_no_file_outside_the_page() {
    let fixture = Fixture::new();
    let watched = FolderWatch::new(fixture.folder());
    let mut client = fixture.client();
    let up = "../".repeat(12);
    let table = fixture.folder().join("3x3-0ff-r8-aware.pdb").to_str().unwrap().to_owned();
    let addresses = [
        format!("/{up}etc/passwd"),
        format!("/{}etc/passwd", up.replace("..", "%2e%2e")),
        format!("/{}etc%2fpasswd", up.replace("../", "..%2f")),
        format!("/{}etc%5cpasswd", up.replace("../", "..%5c")),
        format!("/{}etc/passwd", up.replace("../", "%252e%252e%252f")),
        format!("/views/{up}etc/passwd"),
        "//etc/passwd".to_owned(),
        "/%2fetc%2fpasswd".to_owned(),
        "/./Cargo.toml".to_owned(),
        "/../Cargo.toml".to_owned(),
        "/..%2fCargo.toml".to_owned(),
        "/..%2fsrc%2flib.rs".to_owned(),
        "/3x3-0ff-r8-aware.pdb".to_owned(),
        "/index.html%00.js".to_owned(),
        "/index.html/".to_owned(),
        "/views".to_owned(),
        format!("/{}", table.trim_start_matches('/')),
        format!("/%2f{}", table.trim_start_matches('/').replace('/', "%2f")),
    ];
    for address in addresses {
        let reply = client.get(&address);
        assert_eq!(reply.status, 404, "{address}: {reply:?}");
    }
    assert!(!watched.was_touched(), "a table was opened");
}

#[test]
fn responses_do_not_contain_the_folder() {
    let fixture = Fixture::new();
    let folder = fixture.folder().to_str().unwrap();
    let board = ("board", "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1");
    for address in [
        path("/v1/solve", &[board, ("spec", "15/7-8")]),
        path("/v1/explain", &[board, ("spec", "15/7-8")]),
        path("/v1/estimate", &[("spec", "15/7-8")]),
        path("/v1/specs", &[]),
        path("/v1/tables", &[]),
        path("/v1/rate", &[("specs", "15/7-8")]),
    ] {
        let reply = fixture.get(&address);
        assert!(!reply.text().contains(folder), "{address}: {}", reply.text());
    }
}
