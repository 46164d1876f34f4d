//! Circles: modules of one folder that import each other.
//!
//! The modules of a folder are its files and folders; `lib.rs`, `main.rs`, `mod.rs` and the file
//! beside a folder belong to the folder as a whole. Imports are read from the text: paths that
//! begin with `crate::` or `super::`. A re-exported name counts as the module that it comes from.
//! Tests may import anything.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::slice;

use proc_macro2::{Delimiter, TokenTree};

use super::tokens::{after_colons, is_group, is_sign, is_word, tokens};
use super::{Package, Problems, SourceFile, text_of};

/// The root files of crates with modules.
const ROOTS: [&str; 2] = ["lib.rs", "main.rs"];

/// The names from the crate's root to a module or an item.
type Path = Vec<String>;
/// The imports of each module of one folder.
type Graph = BTreeMap<String, BTreeSet<String>>;

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
fn graphs(src: &str, root: &str, sources: &[SourceFile]) -> BTreeMap<Path, Graph> {
    let mut files = vec![(Path::new(), tokens(text_of(sources, root)))];
    for source in sources {
        let path = source.path.strip_prefix(src).and_then(|path| path.strip_suffix(".rs"));
        let (Some(path), Some(text)) = (path, &source.text) else { continue };
        let path: Path = path.trim_end_matches("/mod").split('/').map(str::to_owned).collect();
        if !["lib", "main"].contains(&&*path[0]) && !path.iter().any(|name| name == "tests") {
            files.push((path, tokens(text)));
        }
    }
    let re_exports: BTreeMap<&[String], _> =
        files.iter().map(|(path, tokens)| (&path[..], re_exports(tokens, path))).collect();
    let mut graphs: BTreeMap<Path, Graph> = BTreeMap::new();
    for (path, tokens) in &files {
        for mut import in imports(tokens, path) {
            import.truncate(import.iter().position(|name| name == "as").unwrap_or(import.len()));
            // A name that the root of its module re-exports stands for its source.
            for _ in 0..import.len() + 4 {
                let module =
                    (0..import.len()).rev().find(|&len| re_exports.contains_key(&import[..len]));
                let Some(len) = module.filter(|_| !re_exports.contains_key(&import[..])) else {
                    break;
                };
                let Some(from) = re_exports[&import[..len]].get(&import[len]) else { break };
                import = [&from[..], &import[len + 1..]].concat();
            }
            let common = path.iter().zip(&import).take_while(|(a, b)| a == b).count();
            if let (Some(from), Some(to)) = (path.get(common), import.get(common))
                && re_exports.contains_key(&import[..=common])
            {
                let graph = graphs.entry(path[..common].to_vec()).or_default();
                graph.entry(from.clone()).or_default().insert(to.clone());
            }
        }
    }
    graphs
}

/// Returns the shortest circles. A module is in at most one of them.
fn circles_of(graph: &Graph) -> Vec<Vec<&str>> {
    let mut circles = Vec::new();
    let mut seen = BTreeSet::new();
    for start in graph.keys() {
        if !seen.contains(&**start)
            && let Some(circle) = way_back(graph, start)
        {
            seen.extend(circle.iter().copied());
            circles.push(circle);
        }
    }
    circles
}

/// Returns the shortest path from a module to itself, with both ends.
fn way_back<'a>(graph: &'a Graph, start: &'a str) -> Option<Vec<&'a str>> {
    let mut paths = VecDeque::from([vec![start]]);
    let mut seen = BTreeSet::new();
    while let Some(path) = paths.pop_front() {
        for next in graph.get(*path.last()?).into_iter().flatten().map(String::as_str) {
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

/// Returns the paths that tokens import. `module` is the path of their module.
fn imports(tokens: &[TokenTree], module: &[String]) -> Vec<Path> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let is_inside = at > 1 && after_colons(&tokens[at - 2..]).is_some();
        if let TokenTree::Group(group) = token {
            // The braces of an inline module.
            let name = match &tokens[..at] {
                [.., word, TokenTree::Ident(name)] if is_word(word, "mod") => {
                    Some(name.to_string())
                }
                _ => None,
            };
            let module = [module, name.as_slice()].concat();
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            found.extend(imports(&inner, &module));
        } else if ["crate", "super"].iter().any(|word| is_word(token, word))
            && !is_inside
            && after_colons(&tokens[at + 1..]).is_some()
        {
            found.extend(paths(&tokens[at..], module));
        }
    }
    found
}

/// Returns the absolute paths of a tree of imports: `a` and `b::c` of `{a, b::{c}}`.
fn paths(mut tokens: &[TokenTree], module: &[String]) -> Vec<Path> {
    let mut path = module.to_vec();
    loop {
        match tokens {
            [TokenTree::Ident(name), after @ ..] => {
                match &*name.to_string() {
                    "super" => _ = path.pop(),
                    "crate" => path.clear(),
                    "self" => {}
                    name => path.push(name.to_owned()),
                }
                tokens = after;
            }
            [TokenTree::Group(group), ..] if is_group(&tokens[0], Delimiter::Brace) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let parts =
                    inner.split(|token| is_sign(token, ',')).filter(|part| !part.is_empty());
                return parts.flat_map(|part| paths(part, &path)).collect();
            }
            _ => {}
        }
        let Some(after) = after_colons(tokens) else { break };
        tokens = after;
    }
    // A renamed import keeps its new name after `as`.
    if let [word, name, ..] = tokens
        && is_word(word, "as")
    {
        path.extend(["as".to_owned(), name.to_string()]);
    }
    vec![path]
}

/// Returns the absolute paths of the names that a file re-exports or imports at its top.
fn re_exports(tokens: &[TokenTree], module: &[String]) -> BTreeMap<String, Path> {
    let mut names = BTreeMap::new();
    for (at, _) in tokens.iter().enumerate().filter(|(_, token)| is_word(token, "use")) {
        for mut path in paths(&tokens[at + 1..], module) {
            let Some(name) = path.last().cloned() else { continue };
            path.truncate(path.iter().position(|name| name == "as").unwrap_or(path.len()));
            if path != [module, slice::from_ref(&name)].concat() {
                names.insert(name, path);
            }
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
                ("lib.rs", "mod b;\nmod c;\nmod d;\nmod e;\npub use b::B;\n"),
                ("b.rs", "use crate::{c, d::{self, D}};\n"),
                ("c/mod.rs", "mod deep;\n"),
                ("c/deep.rs", "use super::super::d;\nuse super::other;\n"),
                ("d.rs", "mod inner { use super::super::e; }"),
                ("e.rs", "fn f(_: crate::c::C) {}\n"),
            ],
            &[": c -> d -> e -> c"],
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
    fn reads_code_after_a_test() {
        expect_circles(
            &[
                ("lib.rs", ""),
                ("b.rs", "#[cfg(test)]\nmod tests;\nuse crate::c;"),
                ("c.rs", "#[cfg(test)]\nfn f() { g() }\n#[cfg(not(test))]\nuse crate::b;"),
            ],
            &[": b -> c -> b"],
        );
        expect_circles(
            &[
                ("lib.rs", ""),
                ("b.rs", "#[cfg(test)]\nfn f() {\n    g();\n}\nuse crate::c;"),
                ("c.rs", "use crate::b;"),
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
