//! Advice in the libraries: errors and notes that name a command or an option.
//!
//! A library does not know which program shows its messages. They state facts, and each program
//! adds advice in its own words: see `Remedy` of `tilebase`. People who read the page need not be
//! those who run its server, so it names no command either.

use proc_macro2::TokenTree;

use super::tokens::{is_word, tokens, without_tests};
use super::{Problems, SourceFile};

/// The crates whose messages name no command: libraries, and programs without a command line.
const LIBRARIES: [&str; 6] = [
    "crates/pdb-",
    "crates/tilebase/",
    "crates/tilebase-api/",
    "crates/tilebase-web/",
    "crates/tilebase-c/",
    "crates/tilebase-py/",
];

/// The files of the page in the browser.
pub(super) const PAGE: &str = "crates/tilebase-serve/page/";

/// Starts of lines that are comments in the page's files.
const PAGE_COMMENTS: [&str; 4] = ["//", "/*", "*", "<!--"];

pub(super) fn advice(sources: &[SourceFile], problems: &mut Problems) {
    libraries(sources, problems);
    page(sources, problems);
}

fn libraries(sources: &[SourceFile], problems: &mut Problems) {
    let is_library = |source: &&SourceFile| {
        let is_test = source.path.contains("/tests/") || source.path.ends_with("/tests.rs");
        LIBRARIES.iter().any(|start| source.path.starts_with(start))
            && source.path.contains("/src/")
            && source.has_extension("rs")
            && !is_test
    };
    for source in sources.iter().filter(is_library) {
        let mut found = Vec::new();
        literals(&tokens(source.text.as_deref().unwrap_or_default()), &mut found);
        for (number, literal) in found {
            let message = joined(&literal);
            let Some(found) = option_in(&message).or_else(|| command_in(&message)) else {
                continue;
            };
            let to_do = "state the facts only, and add a `Remedy` for the programs to word";
            let file = format!("{}:{number}", source.path);
            problems.add(file, format!("a message names {found}"), to_do);
        }
    }
}

/// Checks the page's lines, except comments. Only commands are found: `--` also starts names of
/// styles.
fn page(sources: &[SourceFile], problems: &mut Problems) {
    for source in sources.iter().filter(|source| source.path.starts_with(PAGE)) {
        let is_comment = |line: &str| PAGE_COMMENTS.iter().any(|mark| line.starts_with(mark));
        for (number, line) in source.lines().filter(|(_, line)| !is_comment(line.trim_start())) {
            let Some(found) = command_in(line) else { continue };
            let to_do = "say what the page can do, or whom to ask";
            problems.add(
                format!("{}:{number}", source.path),
                format!("the page names {found}"),
                to_do,
            );
        }
    }
}

/// Adds the string literals among tokens, each with its line, without those of documentation.
fn literals(tokens: &[TokenTree], found: &mut Vec<(usize, String)>) {
    for token in tokens {
        match token {
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                if text.ends_with(['"', '#']) {
                    found.push((literal.span().start().line, text));
                }
            }
            TokenTree::Group(group) => {
                let inner = without_tests(group.stream());
                if !inner.first().is_some_and(|first| is_word(first, "doc")) {
                    literals(&inner, found);
                }
            }
            _ => {}
        }
    }
}

/// Joins the lines of a literal.
fn joined(literal: &str) -> String {
    let mut lines = literal.split("\\\n");
    let first = lines.next().unwrap_or_default().to_owned();
    lines.fold(first, |text, line| text + line.trim_start())
}

/// Returns an option in a text, such as `--db`.
fn option_in(text: &str) -> Option<String> {
    text.match_indices("--").find_map(|(at, dashes)| {
        let is_start = !text[..at].ends_with(|c: char| c == '-' || c.is_alphanumeric());
        let word = word_in(&text[at + dashes.len()..]);
        (is_start && !word.trim_matches('-').is_empty()).then(|| format!("--{word}"))
    })
}

/// Returns a command in a text, such as `tilebase build`.
fn command_in(text: &str) -> Option<String> {
    text.match_indices("tilebase ").find_map(|(at, name)| {
        let word = word_in(&text[at + name.len()..]);
        (!word.is_empty()).then(|| format!("{name}{word}"))
    })
}

/// Returns the word at the start of a text.
fn word_in(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_lowercase() && c != '-');
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::super::tests::{expect, source};
    use super::*;

    #[test]
    fn finds_commands_and_options_in_messages() {
        let text = "//! `tilebase build`\nfn f() { g(\"run `tilebase \\\n    build`\"); }\n\
            const A: &str = r#\"give --db\"#;\nconst B: &str = \"a -- b, ---, tilebase\";\n\
            #[cfg(test)]\nmod tests { const C: &str = \"--db\"; }\n";
        for path in ["crates/pdb-a/src/b.rs", "crates/tilebase/src/c/d.rs"] {
            let (first, second) = (format!("{path}:2"), format!("{path}:4"));
            expect(
                |problems| advice(&[source(path, text)], problems),
                &[(&first, "a message names tilebase build"), (&second, "a message names --db")],
            );
        }
        for path in ["crates/tilebase-cli/src/b.rs", "crates/pdb-a/tests/b.rs"] {
            expect(|problems| advice(&[source(path, text)], problems), &[]);
        }
    }

    #[test]
    fn finds_commands_in_texts_of_the_page() {
        let text = "// tilebase serve\nel('code', {}, 'tilebase serve --class');\n\
            style.width = 'var(--size)';\nkeep('tilebase');\n";
        let path = "crates/tilebase-serve/page/views/a.js";
        let expected = format!("{path}:2");
        expect(
            |problems| advice(&[source(path, text)], problems),
            &[(&expected, "the page names tilebase serve")],
        );
        expect(|problems| advice(&[source("tests/browser/a.js", text)], problems), &[]);
    }
}
