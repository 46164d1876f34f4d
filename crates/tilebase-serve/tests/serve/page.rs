//! Files of the page. `tests/browser/run` tests the page in a browser.

use std::collections::BTreeSet;
use std::io::{BufReader, Read, Write};
use std::path::Path;

use tilebase_serve::{LESSON_SPECS, missing_lesson_specs};

use crate::support::{Fixture, Reply, path, read_reply};

/// Largest size of the first view, in bytes.
const FIRST_VIEW_MAX: usize = 200_000;

/// Returns the addresses of the files that a module imports: statically, or dynamically if `later`.
fn imports(module: &str, text: &str, later: bool) -> Vec<String> {
    let folder = module.rsplit_once('/').map_or("", |(folder, _)| folder);
    let begin = if later { "import(" } else { "from " };
    let quoted = |rest: &str| {
        let quote = rest.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
        Some(rest[1..].split_once(quote)?.0.to_owned())
    };
    let lines: Vec<&str> = text.lines().filter(|line| !is_comment(line)).collect();
    let code = lines.join("\n");
    let found = code.match_indices(begin).filter_map(|(at, _)| quoted(&code[at + begin.len()..]));
    let resolved = |path: String| match path.strip_prefix("./") {
        Some(beside) => format!("{folder}/{beside}"),
        None => path.replacen("..", "", 1),
    };
    found.filter(|path| path.starts_with('.')).map(resolved).collect()
}

/// Returns the extension of a file.
fn ending(link: &str) -> &str {
    link.rsplit_once('.').map_or("", |(_, ending)| ending)
}

fn is_comment(line: &str) -> bool {
    ["//", "*", "/*"].iter().any(|begin| line.trim_start().starts_with(begin))
}

fn attributes<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
    let begin = format!(" {name}=\"");
    html.split(&begin)
        .skip(1)
        .filter_map(|rest| rest.split_once('"'))
        .map(|(value, _)| value)
        .collect()
}

fn get(fixture: &Fixture, path: &str, kind: &str) -> Reply {
    let reply = fixture.get(path);
    assert_eq!(reply.status, 200, "{path}");
    assert_eq!(reply.header("content-type"), Some(kind), "{path}");
    let policy = reply.header("content-security-policy").expect("there is a policy");
    assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{path}: {policy}");
    reply
}

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

#[test]
fn lesson_specs_are_those_of_the_page() {
    let fixture = Fixture::of(&[], |_| ());
    let lessons = fixture.get("/views/lessons.js");
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
    let heuristics = named("heuristic:");
    assert!(heuristics.len() >= 5, "{heuristics:?}");
    let mut needed: Vec<String> = heuristics
        .iter()
        .filter(|name| !there.contains(&name.as_str()))
        .map(|name| format!("15/{name}"))
        .collect();
    // Lessons about databases use the page's default tables.
    assert!(named("drawn:").contains(&"databases".to_owned()));
    let learn = fixture.get("/views/learn.js");
    let usual = "15/7-8";
    assert!(learn.text().contains(&format!("name === '{usual}'")));
    needed.push(usual.to_owned());
    assert_eq!(needed, LESSON_SPECS);
    let missing = missing_lesson_specs(fixture.folder()).unwrap();
    let missing: Vec<&str> = missing.iter().map(|spec| &*spec.name).collect();
    assert_eq!(missing, LESSON_SPECS);
}

#[test]
fn serves_every_module_and_a_small_first_view() {
    let fixture = Fixture::of(&[], |_| ());
    let index = get(&fixture, "/", "text/html; charset=utf-8");
    let html = index.text();
    // The content security policy forbids them.
    for forbidden in ["<style", " style=\"", " onclick=", "http://", "https://"] {
        assert!(!html.contains(forbidden), "{forbidden} in index.html");
    }
    let mut first_view = index.body.len();
    let links = attributes(html, "href").into_iter().chain(attributes(html, "src"));
    let links: BTreeSet<String> =
        links.filter(|link| !link.starts_with('#')).map(absolute).collect();
    let (scripts, others): (Vec<_>, Vec<_>) =
        links.into_iter().partition(|link| ending(link) == "js");
    for link in others {
        let kind = if ending(&link) == "svg" { "image/svg+xml" } else { STYLE };
        first_view += get(&fixture, &link, kind).body.len();
    }
    let mut modules: Vec<(String, bool)> =
        scripts.into_iter().map(|script| (script, true)).collect();
    let mut seen = BTreeSet::new();
    let mut count = 0;
    // Modules of the first view come first.
    while let Some(nth) =
        modules.iter().position(|(_, is_first)| *is_first).or(modules.len().checked_sub(1))
    {
        let (module, is_first) = modules.swap_remove(nth);
        if !seen.insert(module.clone()) {
            continue;
        }
        let reply = get(&fixture, &module, SCRIPT);
        count += 1;
        if is_first {
            first_view += reply.body.len();
        }
        let text = reply.text();
        assert!(!text.contains("innerHTML"), "{module} writes HTML");
        modules.extend(imports(&module, text, false).into_iter().map(|path| (path, is_first)));
        modules.extend(imports(&module, text, true).into_iter().map(|path| (path, false)));
    }
    assert!(count > 20, "only {count} modules were found");
    assert!(first_view < FIRST_VIEW_MAX, "the first view has {first_view} bytes");
}

fn absolute(link: &str) -> String {
    format!("/{}", link.trim_start_matches("./").trim_start_matches('/'))
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
    for path in ["/", "/main.js", "/style.css", "/icon.svg", "/views/learn.js"] {
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
        assert_eq!(ask(path, &[("if-none-match", of_plain)]).status, 304, "{path}");
    }
}

#[test]
fn sends_files_only_if_they_have_changed() {
    let fixture = Fixture::of(&[], |_| ());
    let first = fixture.get("/main.js");
    let tag = first.header("etag").expect("it has a tag").to_owned();
    let again = fixture.send("GET", "/main.js", &[("if-none-match", &tag)], b"");
    assert_eq!((again.status, again.body.len()), (304, 0));
    // Compressing proxies make the tag weak; others store several versions.
    for known in [format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
        let again = fixture.send("GET", "/main.js", &[("if-none-match", &known)], b"");
        assert_eq!(again.status, 304, "{known}");
    }
    let other = fixture.send("GET", "/main.js", &[("if-none-match", "\"other\"")], b"");
    assert_eq!((other.status, other.body), (200, first.body));
    assert_eq!(fixture.get("/tsconfig.json").status, 404);
}
