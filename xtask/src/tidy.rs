//! `cargo xtask tidy`: rules of this repository that the compiler and clippy do not check.
//!
//! Each check adds the problems that it finds. This file contains the forbidden words and paths, so
//! the checks of lines skip it.

mod budgets;
mod circles;
mod tokens;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::shell;

/// The crates of the workspace that each crate may import; `*` stands for all. Dev-dependencies are
/// free.
const ARROWS: &str = "
pdb-clock:
pdb-system:
pdb-core:
pdb-specs:
pdb-format: pdb-core
pdb-spec: pdb-core pdb-specs
pdb-search: pdb-clock pdb-core
pdb-gen: pdb-clock pdb-core pdb-format
pdb-rt: pdb-core pdb-format pdb-system
pdb-lab: pdb-clock pdb-core pdb-rt pdb-search pdb-spec
tilebase: pdb-clock pdb-core pdb-format pdb-gen pdb-lab pdb-rt pdb-search pdb-spec pdb-system
tilebase-train: pdb-core pdb-lab tilebase
tilebase-draw: pdb-core
tilebase-model: pdb-core
tilebase-compare: pdb-core pdb-lab pdb-search tilebase tilebase-draw
tilebase-api: pdb-clock pdb-core pdb-format pdb-gen pdb-lab pdb-spec tilebase tilebase-draw
tilebase-serve: pdb-core pdb-format pdb-gen pdb-spec tilebase tilebase-api
tilebase-cli: pdb-core pdb-format pdb-gen pdb-lab pdb-search pdb-spec pdb-system tilebase \
 tilebase-compare tilebase-draw tilebase-model tilebase-serve tilebase-train
tilebase-c: tilebase
tilebase-py: pdb-format pdb-spec tilebase tilebase-draw tilebase-model
tilebase-web: pdb-clock pdb-core pdb-format pdb-gen pdb-spec tilebase tilebase-api
tilebase-mpi: pdb-core pdb-search pdb-spec tilebase tilebase-cli
pdb-oracle:
pdb-tests: *
xtask:";

/// The reference implementation. Even its tests must not use other crates.
const ORACLE: &str = "pdb-oracle";
const CORE: &str = "pdb-core";

/// The packages that must stay slim, because programs embed the first and a newcomer compiles the
/// second first, and the number of packages in the default build of each. A change of a number
/// needs a decision.
const SLIM: [(&str, usize); 2] = [("pdb-rt", 16), ("tilebase-cli", 89)];

/// Longest line of a comment in Rust, in characters: as wide as rustfmt lets code be.
const COMMENT_CHARS_MAX: usize = 100;
/// Lines of each `Cargo.toml`: the lints of the workspace, of which one refuses unsafe code.
const LINTS: &str = "[lints]\nworkspace = true\n";

/// The only file of the builder that changes the file system. Crash tests see only the changes that
/// it announces.
const DISK_HOME: &str = "crates/pdb-gen/src/disk/changes.rs";
/// The system calls of that file.
const DISK_CALLS: &str = "crates/pdb-gen/src/disk/platform.rs";
const BUILDER: &str = "crates/pdb-gen/src/";
const DISK_CHANGES: [&str; 9] = [
    "File::options",
    "OpenOptions",
    "fs::remove",
    "fs::rename",
    "create_dir",
    "sync_all",
    "sync_data",
    "write_all_at",
    ".persist(",
];

const FILE_BYTES_MAX: u64 = 512 << 10;
const SELF: &str = "xtask/src/tidy.rs";
const LOCK_FILE: &str = "Cargo.lock";
const ARCHITECTURE: &str = "docs/architecture.md";
const SPECS: &str = "pdb-specs/";

/// The crates whose messages name no command: libraries do not know which program shows them. A
/// program adds advice in its own words: see `Remedy` of `tilebase`.
const LIBRARIES: [&str; 6] = [
    "crates/pdb-",
    "crates/tilebase/",
    "crates/tilebase-api/",
    "crates/tilebase-web/",
    "crates/tilebase-c/",
    "crates/tilebase-py/",
];
/// The page in the browser, whose readers need not be those who run its server.
const PAGE: &str = "crates/tilebase-serve/page/";

const WORDS: &[&str] = &["TODO", "FIXME", "XXX"];
const ATTRIBUTES: &[&str] = &["#[ignore", "#[should_panic", "```ignore", "```should_panic"];
const MACHINE_PATHS: &[&str] = &["/work/", "/root/", "/home/"];
const REGISTRY_HOSTS: &[&str] = &["crates.io", "artifactory"];
/// The only source of packages in the lock file.
const REGISTRY: &str = "\"registry+https://github.com/rust-lang/crates.io-index\"";

/// Problems of the repository: the file, the finding, and what to do.
#[derive(Debug, Default)]
struct Problems(Vec<[String; 3]>);

impl Problems {
    fn add(&mut self, file: impl Into<String>, found: impl Into<String>, to_do: impl Into<String>) {
        self.0.push([file.into(), found.into(), to_do.into()]);
    }

    /// Adds a problem for each forbidden text in a line of these files.
    fn forbid<'a>(
        &mut self,
        sources: impl IntoIterator<Item = &'a SourceFile>,
        texts: &[&str],
        is_in: fn(&str, &str) -> bool,
        to_do: &str,
    ) {
        for source in sources.into_iter().filter(|source| source.path != SELF) {
            for (number, line) in source.lines() {
                for text in texts.iter().filter(|text| is_in(line, text)) {
                    self.add(format!("{}:{number}", source.path), *text, to_do);
                }
            }
        }
    }
}

/// A file of the repository.
#[derive(Debug)]
struct SourceFile {
    /// Path from the repository's root, with `/`.
    path: String,
    bytes: u64,
    /// `None` if the file is not text.
    text: Option<String>,
}

impl SourceFile {
    fn has_extension(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|e| e == extension)
    }

    /// Returns whether it is code of a library without its tests.
    fn is_of_library(&self) -> bool {
        LIBRARIES.iter().any(|start| self.path.starts_with(start))
            && self.path.contains("/src/")
            && !self.path.ends_with("/tests.rs")
            && self.has_extension("rs")
    }

    /// Returns the lines with their numbers; none if the file is not text.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.iter().flat_map(|text| (1..).zip(text.lines()))
    }
}

/// Output of `cargo metadata`.
#[derive(Debug, Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

/// A package of the workspace.
#[derive(Debug, Deserialize)]
struct Package {
    name: String,
    manifest_path: String,
    dependencies: Vec<Dependency>,
    targets: Vec<CargoTarget>,
}

#[derive(Debug, Deserialize)]
struct Dependency {
    name: String,
    /// `dev` or `build`; `None` for a normal one.
    kind: Option<String>,
}

#[derive(Debug, Deserialize)]
struct CargoTarget {
    kind: Vec<String>,
    src_path: String,
    /// Whether `cargo test` runs the tests in its source.
    test: bool,
}

impl Package {
    /// Returns the packages that this one imports, without dev-dependencies.
    fn imports(&self) -> impl Iterator<Item = &str> {
        let is_imported = |d: &&Dependency| d.kind.as_deref() != Some("dev");
        self.dependencies.iter().filter(is_imported).map(|d| d.name.as_str())
    }

    /// Returns the root files of its libraries, of any kind, and of its binaries.
    fn roots(&self) -> impl Iterator<Item = &str> {
        let others = ["test", "example", "bench", "custom-build"];
        let is_shipped =
            move |t: &&CargoTarget| !t.kind.iter().any(|kind| others.contains(&&**kind));
        self.targets.iter().filter(is_shipped).map(|t| t.src_path.as_str())
    }
}

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print budgets for the lines of today instead, as xtask/budgets.toml has them
    #[arg(long)]
    budgets: bool,
}

/// Runs all checks and prints the problems.
pub(crate) fn run(args: &Args) -> Result<()> {
    let sources = sources()?;
    if args.budgets {
        budgets::print(&sources);
        return Ok(());
    }
    let packages = packages()?;
    let mut problems = Problems::default();
    arrows(&packages, &mut problems);
    for slim in SLIM {
        default_build(slim, &tree(slim.0)?, &mut problems);
    }
    roots(&packages, &sources, &mut problems);
    silent_tests(&packages, &sources, &mut problems);
    circles::circles(&packages, &sources, &mut problems);
    lines(&sources, &mut problems);
    files(&sources, &mut problems);
    budgets::budgets(&sources, &mut problems)?;
    for [file, found, to_do] in &problems.0 {
        eprintln!("{file}: {found}; {to_do}");
    }
    ensure!(problems.0.is_empty(), "{} problems", problems.0.len());
    println!("tidy: {} files, {} packages, no problem", sources.len(), packages.len());
    Ok(())
}

/// Returns the files of the repository that git does not ignore, committed or not.
fn sources() -> Result<Vec<SourceFile>> {
    let mut git = Command::new("git");
    // Running this program implies trust in the checkout, even if another user owns it.
    git.args("-c safe.directory=* ls-files -z --deduplicate".split(' '));
    git.args(["--cached", "--others", "--exclude-standard"]);
    let list = shell::output(git.current_dir(shell::root()))
        .context("tidy needs git to list the files of the repository")?;
    let mut sources = Vec::new();
    for path in list.split_terminator('\0') {
        let file = shell::root().join(path);
        // A deleted file is listed until the deletion is committed.
        let Ok(metadata) = file.metadata() else {
            continue;
        };
        let bytes = std::fs::read(&file).with_context(|| format!("cannot read {path}"))?;
        let text = String::from_utf8(bytes).ok();
        sources.push(SourceFile { path: path.to_owned(), bytes: metadata.len(), text });
    }
    Ok(sources)
}

/// Returns the packages of the workspace, with paths from the repository's root.
fn packages() -> Result<Vec<Package>> {
    let mut metadata: Metadata = shell::metadata()?;
    for package in &mut metadata.packages {
        let sources = package.targets.iter_mut().map(|target| &mut target.src_path);
        for path in sources.chain([&mut package.manifest_path]) {
            *path = Path::new(path).strip_prefix(shell::root())?.display().to_string();
        }
    }
    Ok(metadata.packages)
}

/// Returns the names of a package and of all packages that it needs with its default features.
fn tree(package: &str) -> Result<BTreeSet<String>> {
    let args = ["tree", "--package", package, "--edges", "normal,build", "--prefix", "none"];
    let tree = shell::output(shell::cargo().args(args))?;
    Ok(tree.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect())
}

/// Checks the imports between crates.
fn arrows(packages: &[Package], problems: &mut Problems) {
    let is_ours = |name: &str| packages.iter().any(|package| package.name == name);
    for package in packages {
        let name = package.name.as_str();
        let file = format!("{name}/Cargo.toml");
        let arrow = ARROWS.lines().filter_map(|line| line.split_once(':')).find(|a| a.0 == name);
        let Some((_, allowed)) = arrow else {
            let to_do = format!("add its imports to {SELF} and {ARCHITECTURE}");
            problems.add(file, "this crate is not in the table of imports", to_do);
            continue;
        };
        let allowed: Vec<&str> = allowed.split_whitespace().collect();
        for import in package.imports().filter(|import| is_ours(import)) {
            if !allowed.contains(&import) && allowed != ["*"] {
                let to_do = "reverse the import: move the shared code to a crate that both import";
                problems.add(&file, format!("imports {import}"), to_do);
            }
        }
        if name == ORACLE {
            for d in package.dependencies.iter().filter(|d| is_ours(&d.name)) {
                let to_do =
                    "compare in pdb-tests: the oracle shares nothing with the code it tests";
                problems.add(&file, format!("depends on {}", d.name), to_do);
            }
        }
        if name == CORE {
            for import in package.imports() {
                let to_do = "drop it: the arithmetic of the puzzle depends on nothing";
                problems.add(&file, format!("imports {import}"), to_do);
            }
        }
    }
}

/// Checks that `cargo test` runs all tests in the source of libraries and binaries.
fn silent_tests(packages: &[Package], sources: &[SourceFile], problems: &mut Problems) {
    // The root of a binary is all of its source if the package has a library, too.
    let is_silent =
        |t: &&CargoTarget| !t.test && t.kind.iter().any(|k| k.ends_with("lib") || k == "bin");
    for target in packages.iter().flat_map(|package| &package.targets).filter(is_silent) {
        let is_root_alone = target.kind.iter().any(|kind| kind == "bin");
        let folder = target.src_path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let is_of_target = |source: &&SourceFile| {
            source.path == target.src_path
                || !is_root_alone && source.path.starts_with(&format!("{folder}/"))
        };
        for source in sources.iter().filter(|s| s.has_extension("rs")).filter(is_of_target) {
            if source.lines().any(|(_, line)| line.trim() == "#[cfg(test)]") {
                let to_do = "move them to tests/, or drop `test = false` from its Cargo.toml";
                problems.add(&source.path, "its tests are never run", to_do);
            }
        }
    }
}

fn default_build(
    (package, expected): (&str, usize),
    tree: &BTreeSet<String>,
    problems: &mut Problems,
) {
    if tree.len() != expected {
        let found = format!("its default build has {} packages, not {expected}", tree.len());
        let to_do = format!("put what is new behind a feature, or change the number in {SELF}");
        problems.add(format!("{package}/Cargo.toml"), format!("{found}: {tree:?}"), to_do);
    }
}

/// Checks the lints and the first lines of crates, and that the architecture describes each crate.
fn roots(packages: &[Package], sources: &[SourceFile], problems: &mut Problems) {
    let architecture = text_of(sources, ARCHITECTURE);
    for package in packages {
        if !architecture.contains(&format!("`{}`", package.name)) {
            let to_do = "describe the job of the crate and what it must not do";
            problems.add(ARCHITECTURE, format!("no `{}`", package.name), to_do);
        }
        let manifest = &package.manifest_path;
        if !text_of(sources, manifest).contains(LINTS) {
            let to_do = "inherit them: an own list would allow what the others refuse";
            problems.add(manifest, "not the lints of the workspace", to_do);
        }
        for root in package.roots().filter(|root| root.ends_with("lib.rs")) {
            let lines = text_of(sources, root).lines();
            let mut docs = lines.map_while(|line| line.strip_prefix("//!"));
            if !docs.any(|line| line.trim_start().starts_with("```")) {
                let to_do = "begin it with its job, its limits, an example, and where to read next";
                problems.add(root, "no example in its documentation", to_do);
            }
        }
    }
}

/// Checks each line of the files that a rule is about.
fn lines(sources: &[SourceFile], problems: &mut Problems) {
    let rust = || sources.iter().filter(|source| source.has_extension("rs"));
    let contains = |line: &str, text: &str| line.contains(text);
    let builder = rust()
        .filter(|s| s.path.starts_with(BUILDER) && ![DISK_HOME, DISK_CALLS].contains(&&*s.path));
    problems.forbid(builder, &DISK_CHANGES, contains, &format!("call {DISK_HOME} instead"));
    let untested = |source: &SourceFile| SourceFile {
        path: source.path.clone(),
        bytes: source.bytes,
        text: source.text.as_deref().map(tokens::untested),
    };
    let libraries: Vec<_> = sources.iter().filter(|s| s.is_of_library()).map(untested).collect();
    let to_do = "state the facts only, and add a `Remedy` for the programs to word";
    problems.forbid(&libraries, &["tilebase ", "--"], is_advice, to_do);
    let page = sources.iter().filter(|source| source.path.starts_with(PAGE));
    problems.forbid(page, &["tilebase "], is_advice, "say what the page can do, or whom to ask");
    problems.forbid(sources, WORDS, has_word, "finish it, or leave it out");
    let to_do = "expect an error instead of a panic; slow checks belong to xtask verify";
    problems.forbid(rust(), ATTRIBUTES, contains, to_do);
    let is_wide = |line: &str, mark: &str| {
        line.trim_start().starts_with(mark) && line.chars().count() > COMMENT_CHARS_MAX
    };
    problems.forbid(rust(), &["//"], is_wide, "wrap the comment at 100 columns");
    let to_do = "write it from the repository's root, or take it as an argument";
    problems.forbid(sources, MACHINE_PATHS, contains, to_do);
    let to_do = "leave it to Cargo's configuration where packages come from";
    let others = sources.iter().filter(|source| source.path != LOCK_FILE);
    problems.forbid(others, REGISTRY_HOSTS, contains, to_do);
    let lock = sources.iter().filter(|source| source.path == LOCK_FILE);
    let is_other = |line: &str, source: &str| {
        line.strip_prefix(source).is_some_and(|registry| registry != REGISTRY)
    };
    problems.forbid(lock, &["source = "], is_other, to_do);
}

/// Checks the sizes and kinds of files, and that each spec has a golden.
fn files(sources: &[SourceFile], problems: &mut Problems) {
    for source in sources {
        if source.bytes > FILE_BYTES_MAX {
            let found = format!("{} bytes, more than {FILE_BYTES_MAX}", source.bytes);
            problems.add(&source.path, found, "keep it out of the repository");
        }
        if source.has_extension("pdb") {
            let to_do = "build it from its spec instead; the golden has its digest";
            problems.add(&source.path, "a table", to_do);
        }
    }
    let stems = |extension: &str| -> BTreeSet<&str> {
        // Specs are in a folder for their number of tiles; other files of the package are beside
        // them.
        let is_spec = |path: &str| path.strip_prefix(SPECS).is_some_and(|path| path.contains('/'));
        let paths = sources.iter().filter(|s| is_spec(&s.path) && s.has_extension(extension));
        paths.map(|s| &s.path[..s.path.len() - extension.len() - 1]).collect()
    };
    let (specs, goldens) = (stems("toml"), stems("golden"));
    for stem in specs.difference(&goldens) {
        let to_do = "write it with `cargo xtask golden`";
        problems.add(format!("{stem}.toml"), "no golden beside it", to_do);
    }
    for stem in goldens.difference(&specs) {
        problems.add(format!("{stem}.golden"), "no spec beside it", "remove it");
    }
}

/// Returns the text of a file; empty if there is no such file, which every check reports.
fn text_of<'a>(sources: &'a [SourceFile], path: &str) -> &'a str {
    let source = sources.iter().find(|source| source.path == path);
    source.and_then(|source| source.text.as_deref()).unwrap_or_default()
}

/// Returns whether a line names a command or an option, which begins so, and is no comment.
fn is_advice(line: &str, start: &str) -> bool {
    let is_comment = ["//", "/*", "*", "<!--"].iter().any(|mark| line.trim().starts_with(mark));
    let is_word = |rest: &str| rest.starts_with(|c: char| c.is_ascii_lowercase());
    !is_comment && line.split(start).skip(1).any(is_word)
}

fn has_word(line: &str, word: &str) -> bool {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|found| found == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn source(path: &str, text: &str) -> SourceFile {
        SourceFile { path: path.into(), bytes: text.len() as u64, text: Some(text.into()) }
    }

    pub(super) fn package(name: &str, normal: &[&str], dev: &[&str]) -> Package {
        let dependency = |kind: Option<&str>| {
            let kind = kind.map(str::to_owned);
            move |name: &&str| Dependency { name: (*name).into(), kind: kind.clone() }
        };
        let normal = normal.iter().map(dependency(None));
        let src_path = format!("{name}/src/lib.rs");
        Package {
            name: name.into(),
            manifest_path: format!("{name}/Cargo.toml"),
            dependencies: normal.chain(dev.iter().map(dependency(Some("dev")))).collect(),
            targets: vec![CargoTarget { kind: vec!["cdylib".into()], src_path, test: false }],
        }
    }

    /// Runs a check and compares the files and findings of its problems.
    #[track_caller]
    pub(super) fn expect(check: impl FnOnce(&mut Problems), expected: &[(&str, &str)]) {
        let mut problems = Problems::default();
        check(&mut problems);
        let found: Vec<_> =
            problems.0.iter().map(|[file, found, _]| (file.as_str(), found.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn finds_unit_tests_that_are_never_run() {
        let packages = [package("a", &[], &[])];
        let sources =
            [source("a/src/parts.rs", "#[cfg(test)]"), source("b/src/lib.rs", "#[cfg(test)]")];
        expect(
            |problems| silent_tests(&packages, &sources, problems),
            &[("a/src/parts.rs", "its tests are never run")],
        );
    }

    #[test]
    fn finds_forbidden_imports_between_crates() {
        let packages = [
            package("pdb-core", &["libc"], &["pdb-gen"]),
            package("pdb-gen", &["pdb-core", "pdb-search", "libc"], &["pdb-new"]),
            package("pdb-search", &[], &[]),
            package("pdb-oracle", &["libc"], &["pdb-core"]),
            package("pdb-tests", &["pdb-core", "pdb-gen"], &[]),
            package("pdb-new", &[], &[]),
        ];
        expect(
            |problems| arrows(&packages, problems),
            &[
                ("pdb-core/Cargo.toml", "imports libc"),
                ("pdb-gen/Cargo.toml", "imports pdb-search"),
                ("pdb-oracle/Cargo.toml", "depends on pdb-core"),
                ("pdb-new/Cargo.toml", "this crate is not in the table of imports"),
            ],
        );
    }

    #[test]
    fn finds_new_packages_of_slim_builds() {
        let tree = BTreeSet::from(["a", "serde"].map(str::to_owned));
        expect(|problems| default_build(("a", 2), &tree, problems), &[]);
        let found = "its default build has 2 packages, not 1: {\"a\", \"serde\"}";
        let expected = [("a/Cargo.toml", found)];
        expect(|problems| default_build(("a", 1), &tree, problems), &expected);
    }

    #[test]
    fn finds_crates_without_example_lints_or_architecture() {
        let packages = ["a", "b", "c"].map(|name| package(name, &[], &[]));
        let lints = format!("[package]\n\n{LINTS}\n[dependencies]\n");
        let sources = [
            source("a/Cargo.toml", &lints),
            source("a/src/lib.rs", "//! A.\n//!\n//! ```\n//! ```\n"),
            source("b/Cargo.toml", "[lints.rust]\nunused = \"allow\"\n"),
            source("b/src/lib.rs", "//! B.\nmod x;\n//! ```\n"),
            source("c/Cargo.toml", &lints),
            source("c/src/lib.rs", "mod x;\n"),
            source(ARCHITECTURE, "`a` `c`"),
        ];
        expect(
            |problems| roots(&packages, &sources, problems),
            &[
                (ARCHITECTURE, "no `b`"),
                ("b/Cargo.toml", "not the lints of the workspace"),
                ("b/src/lib.rs", "no example in its documentation"),
                ("c/src/lib.rs", "no example in its documentation"),
            ],
        );
    }

    #[test]
    fn finds_forbidden_lines() {
        let lock = format!("source = {REGISTRY}\nsource = \"registry+https://example.org\"\n");
        let wide = format!("// {}\n// {}", "a".repeat(97), "a".repeat(98));
        for (path, text, expected) in [
            (
                "crates/pdb-gen/src/a.rs",
                "File::open(a)?.sync_all()?;\nfs::rename(a, b)?;",
                &["1 sync_all", "2 fs::rename"][..],
            ),
            (DISK_HOME, "fs::rename(a, b)?;", &[]),
            (
                "a.rs",
                "// TODO: more\n#[ignore = \"slow\"]\n#[should_panic]\nTODOS\n/// ```ignore",
                &["1 TODO", "2 #[ignore", "3 #[should_panic", "5 ```ignore"],
            ),
            ("b.md", "XXX `#[ignore]`", &["1 XXX"]),
            ("a.md", "see\n/home/somebody/x", &["2 /home/"]),
            ("c.md", "~/x, docs/home", &[]),
            ("d.md", "https://crates.io/x", &["1 crates.io"]),
            (LOCK_FILE, &lock, &["2 source = "]),
            ("e.rs", &wide, &["2 //"]),
            (
                "crates/pdb-a/src/b.rs",
                "// tilebase build\nf(\"run tilebase build\", \"a -- b, ---\", \"give --db\");\n\
                 #[cfg(test)]\nmod tests { const A: &str = \"--db\"; }",
                &["2 tilebase ", "2 --"],
            ),
            ("crates/pdb-a/tests/b.rs", "f(\"tilebase build --db\");", &[]),
            (
                "crates/tilebase-serve/page/a.js",
                "// tilebase serve\nf('tilebase serve'); f('var(--size)');",
                &["2 tilebase "],
            ),
        ] {
            let mut problems = Problems::default();
            lines(&[source(path, text)], &mut problems);
            let found: Vec<String> = problems
                .0
                .iter()
                .map(|[file, found, _]| format!("{} {found}", &file[path.len() + 1..]))
                .collect();
            assert_eq!(found, expected, "{path}");
        }
    }

    #[test]
    fn finds_large_files_tables_and_unpaired_specs() {
        let large = SourceFile { path: "a.bin".into(), bytes: FILE_BYTES_MAX + 1, text: None };
        let paths = ["tests/data/b.pdb", "c.txt", "pdb-specs/Cargo.toml"];
        let specs = ["8/a.toml", "8/a.golden", "8/b.toml", "8/c.golden"];
        let mut sources = vec![large];
        sources.extend(paths.map(|path| source(path, "")));
        sources.extend(specs.map(|path| source(&format!("{SPECS}{path}"), "")));
        expect(
            |problems| files(&sources, problems),
            &[
                ("a.bin", "524289 bytes, more than 524288"),
                ("tests/data/b.pdb", "a table"),
                ("pdb-specs/8/b.toml", "no golden beside it"),
                ("pdb-specs/8/c.golden", "no spec beside it"),
            ],
        );
    }
}
