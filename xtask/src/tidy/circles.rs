//! Circles: modules of one crate that import each other.
//!
//! The modules are the files and folders directly under `src/`, of libraries and of programs. Their
//! imports are read from the text: paths that begin with `crate::`, or with as many `super::` as lead to
//! the crate's top. A name that the crate's root re-exports counts as the module that it comes from.
//! Tests may import whatever they test.
//!
//! `error` may import what imports it: an error shows values of the types that return it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{Package, Problem, Source, text_of};

const ERRORS: &str = "error";
/// The files that a crate with modules begins with.
const ROOTS: [&str; 2] = ["lib.rs", "main.rs"];

/// What each module imports.
type Graph = BTreeMap<String, BTreeSet<String>>;

pub(super) fn circles(packages: &[Package], sources: &[Source]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for root in packages.iter().flat_map(Package::roots) {
        let Some(src) = ROOTS.iter().find_map(|name| root.strip_suffix(name)) else {
            continue;
        };
        problems.extend(circles_of(&graph(src, root, sources)).iter().map(|circle| {
            let found = format!("a circle of imports, {}", circle.join(" -> "));
            Problem::new(src, found, "give what both need a file of its own")
        }));
    }
    problems
}

/// The modules of the crate with the file `root` in the folder `src`.
fn graph(src: &str, root: &str, sources: &[Source]) -> Graph {
    let re_exports = re_exports(&tokens(text_of(sources, root)));
    let files: Vec<(Vec<&str>, Vec<&str>)> = sources
        .iter()
        .filter_map(|source| {
            let path = source.path.strip_prefix(src)?.strip_suffix(".rs")?;
            let path: Vec<&str> = path.trim_end_matches("/mod").split('/').collect();
            Some((path, tokens(source.text.as_deref()?)))
        })
        .collect();
    let modules: BTreeSet<&str> = files.iter().map(|(path, _)| path[0]).collect();
    let mut graph = Graph::new();
    for (path, tokens) in files.iter().filter(|(path, _)| !["lib", "main"].contains(&path[0])) {
        if path.last() == Some(&"tests") {
            continue;
        }
        let of_module = graph.entry(path[0].to_owned()).or_default();
        if path[0] == ERRORS {
            continue;
        }
        for name in imports(tokens, path.len()) {
            let from = re_exports.get(name).copied().unwrap_or(name);
            if from != path[0] && modules.contains(from) {
                of_module.insert(from.to_owned());
            }
        }
    }
    graph
}

/// The shortest circles, each module in one of them at most.
fn circles_of(graph: &Graph) -> Vec<Vec<&str>> {
    let mut circles = Vec::new();
    let mut seen = BTreeSet::new();
    for start in graph.keys().map(String::as_str) {
        if seen.contains(start) {
            continue;
        }
        if let Some(circle) = way_back(graph, start) {
            seen.extend(circle.iter().copied());
            circles.push(circle);
        }
    }
    circles
}

/// The shortest way from a module to itself, both ends included.
fn way_back<'a>(graph: &'a Graph, start: &'a str) -> Option<Vec<&'a str>> {
    let mut ways = VecDeque::from([vec![start]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        for next in graph.get(*way.last()?).into_iter().flatten().map(String::as_str) {
            let longer = [&way[..], &[next]].concat();
            if next == start {
                return Some(longer);
            }
            if seen.insert(next) {
                ways.push_back(longer);
            }
        }
    }
    None
}

/// Words, `::` and all other signs of a text one by one, without comments and what is in quotes.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(end) = raw_text(rest) {
            end
        } else if first == '"' {
            1 + text_end(&rest[1..], '"')
        } else if first == '\'' {
            // A lifetime has no quote behind its first character.
            let mut after = rest[1..].chars();
            match (after.next(), after.next()) {
                (Some('\\'), _) | (Some(_), Some('\'')) => 1 + text_end(&rest[1..], '\''),
                _ => 1,
            }
        } else {
            let len = if is_word(first) {
                rest.find(|c| !is_word(c)).unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            if !first.is_whitespace() {
                tokens.push(&rest[..len]);
            }
            len
        };
        rest = &rest[len..];
    }
    tokens
}

/// Length of a raw string at the start of a text.
fn raw_text(text: &str) -> Option<usize> {
    let quoted = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let hashes = quoted.len() - quoted.trim_start_matches('#').len();
    let inner = quoted[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", &quoted[..hashes]);
    Some(text.len() - inner.len() + inner.find(&end)? + end.len())
}

/// Where a text in quotes ends, which begins behind its first quote; the last quote included.
fn text_end(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        if c == quote && !is_escaped {
            return at + 1;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    text.len()
}

/// The names at the crate's top that a file imports, tests aside. `depth` is 1 for a module directly
/// below the top.
fn imports<'a>(tokens: &[&'a str], depth: usize) -> BTreeSet<&'a str> {
    let mut names = BTreeSet::new();
    // Which of the braces that are open are modules.
    let mut braces = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if let Some(end) = test_end(tokens, at) {
            at = end;
            continue;
        }
        let is_path_start = at == 0 || tokens[at - 1] != "::";
        match tokens[at] {
            "{" => braces.push(at >= 2 && tokens[at - 2] == "mod"),
            "}" => _ = braces.pop(),
            "crate" if tokens.get(at + 1) == Some(&"::") => {
                names.extend(heads(&tokens[at + 2..]));
            }
            "super" if is_path_start => {
                let count =
                    tokens[at..].chunks(2).take_while(|part| *part == ["super", "::"]).count();
                if count == depth + braces.iter().filter(|&&is_module| is_module).count() {
                    names.extend(heads(&tokens[at + 2 * count..]));
                }
            }
            _ => {}
        }
        at += 1;
    }
    names
}

/// Where an item ends that is compiled for tests alone and begins at `at`.
fn test_end(tokens: &[&str], at: usize) -> Option<usize> {
    let attribute = tokens.get(at..)?.strip_prefix(&["#", "[", "cfg", "("])?;
    let attribute = &attribute[..attribute.iter().position(|&token| token == "]")?];
    if !attribute.contains(&"test") || attribute.contains(&"not") {
        return None;
    }
    let item = at + 5 + attribute.len();
    let is_import =
        tokens[item..].iter().find(|token| ["use", "{"].contains(token)) == Some(&"use");
    let mut open = 0;
    for (end, &token) in tokens.iter().enumerate().skip(item) {
        match token {
            "{" => open += 1,
            "}" => open -= 1,
            _ => {}
        }
        if open == 0 && (token == ";" || token == "}" && !is_import) {
            return Some(end + 1);
        }
    }
    Some(tokens.len())
}

/// The first names of a tree of imports: `a` and `b` in `{a, b::{c, d}}`.
fn heads<'a>(tree: &[&'a str]) -> Vec<&'a str> {
    let Some((&"{", inner)) = tree.split_first() else {
        return tree.first().copied().into_iter().collect();
    };
    let mut heads = Vec::new();
    let mut open = 0;
    let mut is_first = true;
    for &token in inner {
        match token {
            "{" => open += 1,
            "}" if open == 0 => break,
            "}" => open -= 1,
            "," if open == 0 => is_first = true,
            name if is_first => {
                heads.push(name);
                is_first = false;
            }
            _ => {}
        }
    }
    heads
}

/// The module that each name comes from which the crate's root re-exports.
fn re_exports<'a>(tokens: &[&'a str]) -> BTreeMap<&'a str, &'a str> {
    let mut modules = BTreeMap::new();
    for (at, _) in tokens.iter().enumerate().filter(|(_, token)| **token == "use") {
        let tree = &tokens[at + 1..];
        let tree = &tree[..tree.iter().position(|&token| token == ";").unwrap_or(tree.len())];
        let tree = tree.strip_prefix(&["self", "::"]).unwrap_or(tree);
        let tree = tree.strip_prefix(&["crate", "::"]).unwrap_or(tree);
        let Some((&module, names)) = tree.split_first() else {
            continue;
        };
        // A name ends its path: no `::` is behind it.
        for (at, &name) in names.iter().enumerate() {
            let next = names.get(at + 1);
            if name.starts_with(char::is_alphabetic) && next.is_none_or(|next| *next != "::") {
                modules.insert(name, module);
            }
        }
    }
    modules
}

#[cfg(test)]
mod tests {
    use super::super::tests::{expect, package, source};
    use super::*;

    #[track_caller]
    fn expect_circles(files: &[(&str, &str)], expected: &[&str]) {
        let sources: Vec<_> =
            files.iter().map(|(path, text)| source(&format!("a/src/{path}"), text)).collect();
        let found: Vec<_> =
            expected.iter().map(|circle| format!("a circle of imports, {circle}")).collect();
        let expected: Vec<_> = found.iter().map(|found| ("a/src/", found.as_str())).collect();
        expect(&circles(&[package("a", &[], &[])], &sources), &expected);
    }

    #[test]
    fn modules_that_import_each_other_are_found() {
        expect_circles(
            &[
                ("lib.rs", "mod b;\nmod c;\nmod d;\npub use b::B;\n"),
                ("b.rs", "use crate::{c, d::{self, D}};\n"),
                ("c/mod.rs", "mod deep;\n"),
                ("c/deep.rs", "use super::super::d;\nuse super::other;\n"),
                ("d.rs", "fn f(_: crate::c::C) {}\n"),
            ],
            &["c -> d -> c"],
        );
    }

    #[test]
    fn a_name_that_the_root_re_exports_is_of_its_module() {
        let files = |lib| [("lib.rs", lib), ("b.rs", "use crate::C;"), ("c.rs", "use crate::b;")];
        expect_circles(&files("pub use self::c::{B, deep::C};"), &["b -> c -> b"]);
        expect_circles(&files("pub use c::B as C;"), &["b -> c -> b"]);
        expect_circles(&files("pub use c::B;\npub struct C;"), &[]);
    }

    #[test]
    fn programs_are_looked_at_too() {
        let mut program = package("a", &[], &[]);
        program.targets[0].src_path = "a/src/main.rs".to_owned();
        let files = [("main.rs", "mod b;"), ("b.rs", "use crate::c;"), ("c.rs", "use crate::b;")];
        let sources = files.map(|(path, text)| source(&format!("a/src/{path}"), text));
        expect(&circles(&[program], &sources), &[("a/src/", "a circle of imports, b -> c -> b")]);
    }

    #[test]
    fn longer_circles_are_found_once() {
        expect_circles(
            &[
                ("lib.rs", ""),
                ("b.rs", "use super::c::C;"),
                ("c.rs", "mod inner { use super::super::d; use super::b; }"),
                ("d.rs", "use crate::b::{self};"),
                ("e.rs", "use crate::b;"),
            ],
            &["b -> c -> d -> b"],
        );
    }

    #[test]
    fn tests_comments_texts_and_errors_may_name_what_they_like() {
        expect_circles(
            &[
                ("lib.rs", "pub use error::E;"),
                ("b.rs", "use crate::c;\nuse crate::E;\nuse crate::error::F;\n"),
                (
                    "c.rs",
                    "//! crate::b\n/* crate::b */\nfn f<'a>(c: char) -> &'a str { match c { '\\'' => \
                     \"\\\"crate::b\", '\"' => r#\"\" crate::b\"#, _ => \"\" } }\n\
                     #[cfg(test)]\nuse crate::b::{self, B};\n#[cfg(test)]\nmod tests {\n\
                     use crate::b; fn g() {}\n}\npub(crate) fn b() {}\n",
                ),
                ("c/tests.rs", "use crate::b;"),
                ("error.rs", "use crate::b;"),
            ],
            &[],
        );
    }

    #[test]
    fn what_follows_a_test_is_read() {
        expect_circles(
            &[
                ("lib.rs", ""),
                ("b.rs", "#[cfg(test)]\nmod tests;\nuse crate::c;"),
                ("c.rs", "#[cfg(test)]\nfn f() { g() }\n#[cfg(not(test))]\nuse crate::b;"),
            ],
            &["b -> c -> b"],
        );
    }
}
