//! Budgets: the most lines of code and of tests that each crate and the page may have.
//!
//! Blank lines and lines of comments do not count. Tests are the files below a folder `tests`, the
//! files `tests.rs`, and all that follows the first `#[cfg(test)]` of a file.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::{PAGE, Problems, SourceFile, text_of};
use crate::web::without_comments;

/// The file of the budgets.
const BUDGETS: &str = "xtask/budgets.toml";

/// Lines of code and of tests.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lines {
    code: usize,
    tests: usize,
}

/// Lines by the folder of a crate; those of the page are under `page`.
type LinesByPart = BTreeMap<String, Lines>;

/// Compares each crate and the page with its budget.
pub(super) fn budgets(sources: &[SourceFile], problems: &mut Problems) -> Result<()> {
    let budgets: LinesByPart = toml::from_str(text_of(sources, BUDGETS))
        .with_context(|| format!("cannot use {BUDGETS}"))?;
    let counted = count(sources);
    for part in budgets.keys().chain(counted.keys()).collect::<BTreeSet<_>>() {
        let (Some(budget), Some(lines)) = (budgets.get(part), counted.get(part)) else {
            let to_do = format!("correct {BUDGETS}; `cargo xtask tidy --budgets` prints it");
            problems.add(part, "only one of the crate and its budget exists", to_do);
            continue;
        };
        let pairs = [("code", lines.code, budget.code), ("tests", lines.tests, budget.tests)];
        for (kind, found, budget) in pairs {
            if found > budget {
                let found = format!("{found} lines of {kind}, more than its budget of {budget}");
                let to_do = format!(
                    "remove lines, or raise the budget in {BUDGETS} with a commit that says why"
                );
                problems.add(part, found, to_do);
            }
        }
    }
    Ok(())
}

/// Prints budgets for the lines of today, rounded up to the next hundred.
pub(super) fn print(sources: &[SourceFile]) {
    for line in text_of(sources, BUDGETS).lines().take_while(|line| line.starts_with('#')) {
        println!("{line}");
    }
    for (part, Lines { code, tests }) in count(sources) {
        let [code, tests] = [code, tests].map(|lines| lines.next_multiple_of(100));
        println!("\"{part}\" = {{ code = {code}, tests = {tests} }}");
    }
}

fn count(sources: &[SourceFile]) -> LinesByPart {
    let is_counted = |line: &str| !line.is_empty() && !line.starts_with("//");
    let mut parts = LinesByPart::new();
    for source in sources {
        let (path, text) = (source.path.as_str(), source.text.as_deref().unwrap_or_default());
        if source.has_extension("rs") {
            let depth = if path.starts_with("crates/") { 2 } else { 1 };
            let part: Vec<&str> = path.split('/').take(depth).collect();
            let lines = parts.entry(part.join("/")).or_default();
            let mut is_test = format!("/{path}").contains("/tests/") || path.ends_with("/tests.rs");
            for line in text.lines().map(str::trim) {
                is_test |= line.starts_with("#[cfg(test)]");
                let lines = if is_test { &mut lines.tests } else { &mut lines.code };
                *lines += usize::from(is_counted(line));
            }
        } else if path.starts_with(PAGE)
            && ["js", "css", "html"].iter().any(|e| source.has_extension(e))
        {
            let code = without_comments(text);
            let lines = code.lines().filter(|line| !line.trim().is_empty()).count();
            parts.entry("page".to_owned()).or_default().code += lines;
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::super::tests::{expect, source};
    use super::*;

    #[test]
    fn finds_crates_above_their_budget_and_crates_without_one() {
        let code = "//! A.\n\nfn f() {}\n// B.\nfn g() {}\n#[cfg(test)]\nmod tests {\n}\n";
        let check = |budget: &str| {
            let budgets = format!(
                "\"crates/a\" = {budget}\npage = {{ code = 2, tests = 0 }}\nxtask = {{ code = 0, tests = 1 }}\n"
            );
            [
                source("crates/a/src/lib.rs", code),
                source("crates/a/src/b/tests.rs", "fn h() {}\n"),
                source("crates/a/tests/c.rs", "fn i() {}\n"),
                source(
                    "crates/tilebase-serve/page/a.js",
                    "/** A.\n * B. */\nlet b; /* c */\n// d\n",
                ),
                source("crates/tilebase-serve/page/a.md", "text\n"),
                source("crates/tilebase-serve/page/a.css", "a {}\n"),
                source("xtask/tests/a.rs", "fn j() {}\n"),
                source(BUDGETS, &budgets),
            ]
        };
        let run = |sources: &[SourceFile], expected: &[(&str, &str)]| {
            expect(|problems| budgets(sources, problems).unwrap(), expected);
        };
        run(&check("{ code = 2, tests = 5 }"), &[]);
        run(
            &check("{ code = 1, tests = 4 }"),
            &[
                ("crates/a", "2 lines of code, more than its budget of 1"),
                ("crates/a", "5 lines of tests, more than its budget of 4"),
            ],
        );
        let mut sources = check("{ code = 2, tests = 5 }");
        sources[6] = source("tests/a.rs", "fn j() {}\n");
        let found = "only one of the crate and its budget exists";
        run(&sources, &[("tests", found), ("xtask", found)]);
        sources[7] = source(BUDGETS, "page = { lines = 2 }");
        assert!(budgets(&sources, &mut Problems::default()).is_err());
    }
}
