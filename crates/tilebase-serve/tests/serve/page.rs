//! Files of the page. `tests/browser/run` tests the page in a browser.

use std::io::{BufReader, Read, Write};
use std::path::Path;

use tilebase_serve::{LESSON_SPECS, missing_lesson_specs};

use crate::support::{Fixture, path, read_reply};

#[test]
fn lesson_specs_are_those_of_the_page() {
    let fixture = Fixture::of(&[], |_| ());
    let lessons = fixture.get("/views/learn/lessons.js");
    let named = |word: &str| -> Vec<String> {
        let lines = lessons.text().lines().filter_map(|line| line.trim().strip_prefix(word));
        lines.filter_map(|line| Some(line.split('\'').nth(1)?.to_owned())).collect()
    };
    // Heuristics of lessons that are unavailable without tables need tables.
    let board = &named("const RUNNING =")[0];
    let explained = fixture.get(&path("/v1/explain", &[("board", board)])).json();
    let there: Vec<&str> = explained["heuristics"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    // A lesson draws the heuristic of its name, unless it says what else.
    let mut heuristics: Vec<String> = Vec::new();
    for line in lessons.text().lines().map(str::trim) {
        if let Some(id) = line.strip_prefix("id: '") {
            heuristics.extend(id.split('\'').next().map(str::to_owned));
        } else if line.starts_with("drawn:") {
            heuristics.pop();
        }
    }
    assert!(heuristics.len() >= 5, "{heuristics:?}");
    let mut needed: Vec<String> = heuristics
        .iter()
        .filter(|name| !there.contains(&name.as_str()))
        .map(|name| format!("15/{name}"))
        .collect();
    // Lessons about databases use the page's default tables.
    assert!(named("drawn:").contains(&"databases".to_owned()));
    let learn = fixture.get("/views/learn/learn.js");
    let usual = "15/7-8";
    assert!(learn.text().contains(&format!("name === '{usual}'")));
    needed.push(usual.to_owned());
    assert_eq!(needed, LESSON_SPECS);
    let missing = missing_lesson_specs(fixture.folder()).unwrap();
    let missing: Vec<&str> = missing.iter().map(|spec| &*spec.name).collect();
    assert_eq!(missing, LESSON_SPECS);
}

/// Returns the files below a folder of the page, as addresses.
fn files(folder: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
    let entries = root.join(folder).read_dir().unwrap().map(Result::unwrap);
    let paths = entries.map(|entry| format!("{folder}/{}", entry.file_name().to_str().unwrap()));
    let relative = paths.map(|path| path.trim_start_matches('/').to_owned());
    relative
        .flat_map(|path| if root.join(&path).is_dir() { files(&path) } else { vec![path] })
        .collect()
}

#[test]
fn serves_all_files_with_their_type_and_a_policy() {
    let fixture = Fixture::of(&[], |_| ());
    let mut client = fixture.client();
    let mut count = 0;
    for file in files("") {
        let reply = client.get(&format!("/{file}"));
        let kind = match Path::new(&file).extension().and_then(|ending| ending.to_str()) {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            other => {
                assert_eq!((reply.status, other), (404, Some("json")), "{file}");
                continue;
            }
        };
        assert_eq!((reply.status, reply.header("content-type")), (200, Some(kind)), "{file}");
        let policy = reply.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{file}: {policy}");
        assert!(!reply.text().contains("innerHTML"), "{file} writes HTML");
        if kind.starts_with("text/html") {
            // The policy forbids them.
            for forbidden in ["<style", " style=\"", " onclick=", "http://", "https://"] {
                assert!(!reply.text().contains(forbidden), "{forbidden} in {file}");
            }
        }
        count += 1;
    }
    assert!(count > 50, "only {count} files");
}

#[test]
fn only_the_embedded_page_may_be_framed() {
    let fixture = Fixture::of(&[], |_| ());
    let policy = |path: &str| {
        let reply = fixture.get(path);
        assert_eq!(reply.status, 200, "{path}");
        reply.header("content-security-policy").unwrap().to_owned()
    };
    let usual = policy("/");
    let embedded = policy("/?embed=1");
    assert_eq!(usual, format!("{embedded}; frame-ancestors 'none'"));
    for path in
        ["/?embed=0", "/?embed", "/main.js?embed=1", "/v1/tables?embed=1", "/index.html?embed=1"]
    {
        let reply = fixture.get(path);
        let found = reply.header("content-security-policy").unwrap();
        assert!(found.ends_with("frame-ancestors 'none'"), "{path}: {found}");
    }
}

#[test]
fn compresses_files_for_clients_that_accept_gzip() {
    let fixture = Fixture::of(&[], |_| ());
    let ask = |path: &str, headers: &[(&str, &str)]| {
        let mut stream = BufReader::new(fixture.connect());
        let headers: Vec<String> =
            headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let head = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n{}\r\n", headers.concat());
        stream.get_mut().write_all(head.as_bytes()).unwrap();
        read_reply(&mut stream, "GET").unwrap()
    };
    for path in ["/", "/main.js", "/style.css", "/icon.svg", "/views/learn/learn.js"] {
        let plain = ask(path, &[]);
        assert_eq!((plain.status, plain.header("content-encoding")), (200, None), "{path}");
        assert_eq!(plain.header("vary"), Some("Accept-Encoding"), "{path}");
        for refused in ["br", "gzip;q=0", "gzip; q=0.0", "identity, xgzip"] {
            let reply = ask(path, &[("accept-encoding", refused)]);
            assert_eq!(reply.header("content-encoding"), None, "{path} {refused}");
        }
        let packed = ask(path, &[("accept-encoding", "br;q=1.0, GZIP;q=0.5")]);
        assert_eq!(packed.header("content-encoding"), Some("gzip"), "{path}");
        assert_eq!(packed.header("vary"), Some("Accept-Encoding"), "{path}");
        assert_eq!(packed.header("content-type"), plain.header("content-type"), "{path}");
        let mut text = Vec::new();
        flate2::read::GzDecoder::new(&*packed.body).read_to_end(&mut text).unwrap();
        assert!(text == plain.body, "{path}");
        if Path::new(path).extension().is_some_and(|extension| extension == "js") {
            assert!(packed.body.len() * 2 < plain.body.len(), "{path}: {}", packed.body.len());
        }
        // Each form has its own tag.
        let [of_plain, of_packed] = [&plain, &packed].map(|reply| reply.header("etag").unwrap());
        assert_ne!(of_plain, of_packed, "{path}");
        let again = ask(path, &[("accept-encoding", "gzip"), ("if-none-match", of_packed)]);
        assert_eq!((again.status, again.header("etag")), (304, Some(of_packed)), "{path}");
        let other = ask(path, &[("accept-encoding", "gzip"), ("if-none-match", of_plain)]);
        assert_eq!(other.status, 200, "{path}");
        // Compressing proxies make the tag weak; others store several versions.
        let (weak, several) = (format!("W/{of_plain}"), format!("\"other\", {of_plain}"));
        for known in [of_plain, &weak, &several, "*"] {
            let again = ask(path, &[("if-none-match", known)]);
            assert_eq!((again.status, again.body.len()), (304, 0), "{path} {known}");
        }
    }
}
