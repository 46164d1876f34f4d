//! Circles: modules of one folder that import each other.
//!
//! The modules of a folder are its files and folders; `lib.rs`, `main.rs`, `mod.rs` and the file
//! beside a folder belong to the folder as a whole. Imports are read from the text: paths that
//! begin with `crate::` or `super::`. A re-exported name counts as the module that it comes from.
//! Tests may import anything.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::tokens::{test_end, tokens};
use super::{Package, Problems, SourceFile, text_of};

/// The root files of crates with modules.
const ROOTS: [&str; 2] = ["lib.rs", "main.rs"];

/// The names from the crate's root to a module or an item.
type Path<'a> = Vec<&'a str>;
/// The imports of each module of one folder.
type Graph<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

pub(super) fn circles(packages: &[Package], sources: &[SourceFile], problems: &mut Problems) {
    for root in packages.iter().flat_map(Package::roots) {
        let Some(src) = ROOTS.iter().find_map(|name| root.strip_suffix(name)) else {
            continue;
        };
        for (folder, graph) in graphs(src, root, sources) {
            for circle in circles_of(&graph) {
                let found = format!("a circle of imports, {}", circle.join(" -> "));
                let file = format!("{src}{}", folder.join("/"));
                problems.add(file, found, "give the shared code a file of its own");
            }
        }
    }
}

/// Returns the graph of each folder of the crate with the file `root` in the folder `src`.
fn graphs<'a>(src: &str, root: &str, sources: &'a [SourceFile]) -> BTreeMap<Path<'a>, Graph<'a>> {
    let mut files: Vec<(Path<'a>, Vec<&'a str>)> =
        vec![(Vec::new(), tokens(text_of(sources, root)))];
    for source in sources {
        let path = source.path.strip_prefix(src).and_then(|path| path.strip_suffix(".rs"));
        let (Some(path), Some(text)) = (path, &source.text) else { continue };
        let path: Path<'a> = path.trim_end_matches("/mod").split('/').collect();
        if !["lib", "main"].contains(&path[0]) && !path.contains(&"tests") {
            files.push((path, tokens(text)));
        }
    }
    let re_exports: BTreeMap<&[&str], _> =
        files.iter().map(|(path, tokens)| (&path[..], re_exports(tokens, path))).collect();
    let mut graphs: BTreeMap<Path<'a>, Graph<'a>> = BTreeMap::new();
    for (path, tokens) in &files {
        for mut import in imports(tokens, path) {
            import.truncate(import.iter().position(|&name| name == "as").unwrap_or(import.len()));
            // A name that the root of its module re-exports stands for its source.
            for _ in 0..import.len() + 4 {
                let module =
                    (0..import.len()).rev().find(|&len| re_exports.contains_key(&import[..len]));
                let Some(len) = module.filter(|_| !re_exports.contains_key(&import[..])) else {
                    break;
                };
                let Some(from) = re_exports[&import[..len]].get(import[len]) else { break };
                import = [&from[..], &import[len + 1..]].concat();
            }
            let common = path.iter().zip(&import).take_while(|(a, b)| a == b).count();
            if let (Some(&from), Some(&to)) = (path.get(common), import.get(common))
                && re_exports.contains_key(&import[..=common])
            {
                let graph = graphs.entry(path[..common].to_vec()).or_default();
                graph.entry(from).or_default().insert(to);
            }
        }
    }
    graphs
}

/// Returns the shortest circles. A module is in at most one of them.
fn circles_of<'a>(graph: &Graph<'a>) -> Vec<Vec<&'a str>> {
    let mut circles = Vec::new();
    let mut seen = BTreeSet::new();
    for &start in graph.keys() {
        if !seen.contains(start)
            && let Some(circle) = way_back(graph, start)
        {
            seen.extend(circle.iter().copied());
            circles.push(circle);
        }
    }
    circles
}

/// Returns the shortest path from a module to itself, with both ends.
fn way_back<'a>(graph: &Graph<'a>, start: &'a str) -> Option<Vec<&'a str>> {
    let mut paths = VecDeque::from([vec![start]]);
    let mut seen = BTreeSet::new();
    while let Some(path) = paths.pop_front() {
        for &next in graph.get(path.last()?).into_iter().flatten() {
            let longer = [&path[..], &[next]].concat();
            if next == start {
                return Some(longer);
            }
            if seen.insert(next) {
                paths.push_back(longer);
            }
        }
    }
    None
}

/// Returns the paths that a file imports, tests excluded. `module` is the path of the file.
fn imports<'a>(tokens: &[&'a str], module: &[&'a str]) -> Vec<Path<'a>> {
    let mut imports = Vec::new();
    // The open braces; those of an inline module have its name.
    let mut braces: Vec<Option<&str>> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if let Some(end) = test_end(tokens, at) {
            at = end;
            continue;
        }
        let is_start = at == 0 || tokens[at - 1] != "::";
        match tokens[at] {
            "{" => braces.push((at >= 2 && tokens[at - 2] == "mod").then(|| tokens[at - 1])),
            "}" => _ = braces.pop(),
            "crate" | "super" if is_start && tokens.get(at + 1) == Some(&"::") => {
                let module =
                    [module, &braces.iter().copied().flatten().collect::<Vec<_>>()].concat();
                imports.extend(paths(&tokens[at..], &module));
            }
            _ => {}
        }
        at += 1;
    }
    imports
}

/// Returns the absolute paths of a tree of imports: `a` and `b::c` of `{a, b::{c}}`.
fn paths<'a>(tokens: &[&'a str], module: &[&'a str]) -> Vec<Path<'a>> {
    fn expand<'a>(
        tokens: &[&'a str],
        at: &mut usize,
        mut path: Path<'a>,
        paths: &mut Vec<Path<'a>>,
    ) {
        while let Some(&token) = tokens.get(*at) {
            *at += 1;
            match token {
                "super" => _ = path.pop(),
                "crate" => path.clear(),
                "self" => {}
                "{" => {
                    while tokens.get(*at).is_some_and(|&token| token != "}") {
                        expand(tokens, at, path.clone(), paths);
                        while tokens.get(*at).is_some_and(|token| ![",", "}"].contains(token)) {
                            *at += 1;
                        }
                        *at += usize::from(tokens.get(*at) == Some(&","));
                    }
                    *at += 1;
                    return;
                }
                name => path.push(name),
            }
            if tokens.get(*at) != Some(&"::") {
                break;
            }
            *at += 1;
        }
        // A renamed import keeps its new name after `as`.
        if let Some(["as", name, ..]) = tokens.get(*at..) {
            path.extend(["as", name]);
        }
        paths.push(path);
    }
    let mut found = Vec::new();
    expand(tokens, &mut 0, module.to_vec(), &mut found);
    found
}

/// Returns the absolute paths of the names that a file re-exports or imports at its top.
fn re_exports<'a>(tokens: &[&'a str], module: &[&'a str]) -> BTreeMap<&'a str, Path<'a>> {
    let mut names = BTreeMap::new();
    let mut depth = 0;
    for (at, &token) in tokens.iter().enumerate() {
        match token {
            "{" => depth += 1,
            "}" => depth -= 1,
            "use" if depth == 0 => {
                for mut path in paths(&tokens[at + 1..], module) {
                    let Some(&name) = path.last() else { continue };
                    path.truncate(path.iter().position(|&name| name == "as").unwrap_or(path.len()));
                    if path != [module, &[name]].concat() {
                        names.insert(name, path);
                    }
                }
            }
            _ => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::super::tests::{package, source};
    use super::*;

    #[track_caller]
    fn expect_circles(files: &[(&str, &str)], expected: &[&str]) {
        let sources: Vec<_> =
            files.iter().map(|(path, text)| source(&format!("a/src/{path}"), text)).collect();
        let mut problems = Problems::default();
        circles(&[package("a", &[], &[])], &sources, &mut problems);
        let found: Vec<_> = problems
            .0
            .iter()
            .map(|[file, found, _]| format!("{file}: {}", found.rsplit(", ").next().unwrap()))
            .collect();
        let expected: Vec<_> = expected.iter().map(|circle| format!("a/src/{circle}")).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn finds_modules_that_import_each_other() {
        expect_circles(
            &[
                ("lib.rs", "mod b;\nmod c;\nmod d;\npub use b::B;\n"),
                ("b.rs", "use crate::{c, d::{self, D}};\n"),
                ("c/mod.rs", "mod deep;\n"),
                ("c/deep.rs", "use super::super::d;\nuse super::other;\n"),
                ("d.rs", "fn f(_: crate::c::C) {}\n"),
            ],
            &[": c -> d -> c"],
        );
    }

    #[test]
    fn follows_names_that_the_root_re_exports() {
        let files = |lib| [("lib.rs", lib), ("b.rs", "use crate::C;"), ("c.rs", "use crate::b;")];
        expect_circles(&files("pub use self::c::{B, deep::C};"), &[": b -> c -> b"]);
        expect_circles(&files("pub use c::B as C;"), &[": b -> c -> b"]);
        expect_circles(&files("pub use c::B;\npub struct C;"), &[]);
    }

    #[test]
    fn finds_a_longer_circle_once() {
        expect_circles(
            &[
                ("lib.rs", ""),
                ("b.rs", "use super::c::C;"),
                ("c.rs", "mod inner { use super::super::d; use super::b; }"),
                ("d.rs", "use crate::b::{self};"),
                ("e.rs", "use crate::b;"),
            ],
            &[": b -> c -> d -> b"],
        );
    }

    #[test]
    fn ignores_tests_comments_and_literals() {
        expect_circles(
            &[
                ("lib.rs", ""),
                ("b.rs", "use crate::c;"),
                (
                    "c.rs",
                    "//! crate::b\n/* crate::b */\nfn f<'a>(c: char) -> &'a str { match c { '\\'' => \
                     \"\\\"crate::b\", '\"' => r#\"\" crate::b\"#, _ => \"\" } }\n\
                     #[cfg(test)]\nuse crate::b::{self, B};\n#[cfg(test)]\nmod tests {\n\
                     use crate::b; fn g() {}\n}\npub(crate) fn b() {}\n",
                ),
                ("c/tests.rs", "use crate::b;"),
            ],
            &[],
        );
    }

    #[test]
    fn has_no_exception_for_errors() {
        expect_circles(
            &[
                ("lib.rs", "pub use error::E;"),
                ("b.rs", "use crate::E;"),
                ("error.rs", "use crate::b;"),
            ],
            &[": b -> error -> b"],
        );
    }

    #[test]
    fn reads_code_after_a_test() {
        expect_circles(
            &[
                ("lib.rs", ""),
                ("b.rs", "#[cfg(test)]\nmod tests;\nuse crate::c;"),
                ("c.rs", "#[cfg(test)]\nfn f() { g() }\n#[cfg(not(test))]\nuse crate::b;"),
            ],
            &[": b -> c -> b"],
        );
    }

    #[test]
    fn finds_circles_inside_a_folder() {
        expect_circles(
            &[
                ("lib.rs", "mod a;"),
                ("a/mod.rs", "mod b;\nmod c;\npub(crate) use c::C;\nuse b::B;\nstruct D;"),
                ("a/b.rs", "use super::{C, D};"),
                ("a/c.rs", "use crate::a::b;"),
                ("a/e.rs", "use super::{D, b};"),
            ],
            &["a: b -> c -> b"],
        );
    }
}
