//! `cargo xtask tidy`: the rules of the house that neither the compiler nor clippy knows.
//!
//! Each check is a function from what it looks at to the problems it found. This file names what it
//! forbids, so the checks of words and paths leave it out.

mod circles;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::shell;

/// Which of our crates a crate may import; `*` stands for all. Dev-dependencies are free.
const ARROWS: &[(&str, &[&str])] = &[
    ("pdb-core", &[]),
    ("pdb-format", &["pdb-core"]),
    ("pdb-spec", &["pdb-core", "pdb-specs"]),
    ("pdb-specs", &[]),
    ("pdb-search", &["pdb-core"]),
    ("pdb-gen", &["pdb-core", "pdb-format"]),
    ("pdb-rt", &["pdb-core", "pdb-format"]),
    ("pdb-net", &["pdb-core"]),
    ("pdb-lab", &["pdb-core", "pdb-net", "pdb-rt", "pdb-search", "pdb-spec"]),
    (
        "tilebase",
        &[
            "pdb-core",
            "pdb-lab",
            "pdb-format",
            "pdb-gen",
            "pdb-net",
            "pdb-rt",
            "pdb-search",
            "pdb-spec",
        ],
    ),
    ("tilebase-train", &["pdb-core", "pdb-net", "tilebase"]),
    ("pdb-draw", &["pdb-core"]),
    ("pdb-model", &["pdb-core"]),
    ("pdb-compare", &["pdb-draw", "pdb-lab", "pdb-search", "tilebase"]),
    ("pdb-serve", &["pdb-core", "pdb-draw", "pdb-lab", "pdb-gen", "pdb-spec", "tilebase"]),
    (
        "tilebase-cli",
        &[
            "pdb-compare",
            "pdb-core",
            "pdb-draw",
            "pdb-lab",
            "pdb-format",
            "pdb-gen",
            "pdb-model",
            "pdb-net",
            "pdb-search",
            "pdb-serve",
            "pdb-spec",
            "tilebase",
            "tilebase-train",
        ],
    ),
    ("tilebase-c", &["tilebase"]),
    ("tilebase-py", &["pdb-draw", "pdb-model", "tilebase"]),
    ("tilebase-mpi", &["pdb-core", "pdb-search", "tilebase", "tilebase-cli"]),
    ("pdb-oracle", &[]),
    ("pdb-tests", &["*"]),
    ("xtask", &[]),
];

/// The oracle judges the others: it must not even test itself by them.
const ORACLE: &str = "pdb-oracle";
const CORE: &str = "pdb-core";
const RUNTIME: &str = "pdb-rt";
/// What C calls: pointers come in.
const BOUNDARY: &str = "tilebase-c";
/// Crates with unsafe code in some of their files.
const MIXED: [&str; 4] = ["pdb-gen", RUNTIME, BOUNDARY, "tilebase-mpi"];

/// All that the runtime imports.
const RUNTIME_IMPORTS: &[&str] =
    &["arrayvec", "blake3", "libc", "memmap2", "pdb-core", "pdb-format", "rustix"];
/// All that the runtime brings along: its imports and what those need in turn.
const RUNTIME_TREE: &[&str] = &[
    "arrayvec",
    "bitflags",
    "blake3",
    "cfg-if",
    "constant_time_eq",
    "cpufeatures",
    "libc",
    "linux-raw-sys",
    "memmap2",
    "pdb-core",
    "pdb-format",
    "pdb-rt",
    "rustix",
];

/// The package that a newcomer compiles first, and the number of packages with all that it needs.
/// One more is a decision, which a change of this number shows.
const DEFAULT_BUILD: (&str, usize) = ("tilebase-cli", 96);

/// The only files that may hold unsafe code.
const UNSAFE_HOMES: [&str; 6] = [
    "crates/pdb-gen/src/wide.rs",
    "crates/pdb-rt/src/bits.rs",
    "crates/pdb-rt/src/map.rs",
    "crates/tilebase-c/src/api.rs",
    "crates/tilebase-c/src/pointers.rs",
    "crates/tilebase-mpi/src/comm.rs",
];
const FORBID_UNSAFE: &str = "#![forbid(unsafe_code)]";

/// The only file of the builder that changes the file system: what it does not announce, no crash test sees.
const DISK_HOME: &str = "crates/pdb-gen/src/disk/changes.rs";
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

const WORDS: &[&str] = &["TODO", "FIXME", "XXX"];
const ATTRIBUTES: &[&str] = &["#[ignore", "#[should_panic", "```ignore", "```should_panic"];
const MACHINE_PATHS: &[&str] = &["/work/", "/root/", "/home/"];
const REGISTRY_HOSTS: &[&str] = &["crates.io", "artifactory"];
/// The one source of packages in the lock file.
const REGISTRY: &str = "\"registry+https://github.com/rust-lang/crates.io-index\"";

/// Something that is not as it should be.
#[derive(Debug, PartialEq, Eq)]
struct Problem {
    file: String,
    found: String,
    to_do: String,
}

impl Problem {
    fn new(file: impl Into<String>, found: impl Into<String>, to_do: impl Into<String>) -> Self {
        Self { file: file.into(), found: found.into(), to_do: to_do.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", self.file, self.found, self.to_do)
    }
}

/// A file of the repository.
#[derive(Debug)]
struct Source {
    /// From the repository's root, with `/`.
    path: String,
    bytes: u64,
    /// Nothing where the file is not text.
    text: Option<String>,
}

impl Source {
    fn has_extension(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|e| e == extension)
    }

    /// The lines with their numbers; none where the file is not text.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.iter().flat_map(|text| (1..).zip(text.lines()))
    }
}

/// What `cargo metadata` knows.
#[derive(Debug, Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

/// A package of the workspace.
#[derive(Debug, Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
    targets: Vec<Target>,
}

#[derive(Debug, Deserialize)]
struct Dependency {
    name: String,
    /// `dev` or `build`, or nothing for a normal one.
    kind: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Target {
    kind: Vec<String>,
    src_path: String,
}

impl Package {
    /// What the package imports, dev-dependencies aside.
    fn imports(&self) -> impl Iterator<Item = &str> {
        let imported = |d: &&Dependency| d.kind.as_deref() != Some("dev");
        self.dependencies.iter().filter(imported).map(|d| d.name.as_str())
    }

    /// The root files of its library and binaries.
    fn roots(&self) -> impl Iterator<Item = &str> {
        let shipped = |t: &&Target| t.kind.iter().any(|kind| kind == "lib" || kind == "bin");
        self.targets.iter().filter(shipped).map(|t| t.src_path.as_str())
    }
}

/// Runs every check and prints what was found.
pub(crate) fn run() -> Result<()> {
    let sources = sources()?;
    let packages = packages()?;
    let problems: Vec<Problem> = [
        arrows(&packages),
        oracle_and_core(&packages),
        runtime(&packages, &tree(RUNTIME, "normal")?),
        default_build(&tree(DEFAULT_BUILD.0, "normal,build")?),
        unsafe_code(&packages, &sources),
        circles::circles(&packages, &sources),
        disk_changes(&sources),
        words(&sources),
        sizes(&sources),
        goldens(&sources),
        machine_paths(&sources),
        registries(&sources),
        links(&sources),
        library_docs(&packages, &sources),
        architecture(&packages, &sources),
    ]
    .into_iter()
    .flatten()
    .collect();
    for problem in &problems {
        eprintln!("{problem}");
    }
    ensure!(problems.is_empty(), "{} problems", problems.len());
    println!("tidy: {} files, {} packages, no problem", sources.len(), packages.len());
    Ok(())
}

/// The files of the repository that git does not ignore, whether they are committed yet or not.
fn sources() -> Result<Vec<Source>> {
    let mut git = Command::new("git");
    // Whoever runs this has trusted the checkout already, also one that belongs to another user.
    git.args("-c safe.directory=* ls-files -z --deduplicate".split(' '));
    git.args(["--cached", "--others", "--exclude-standard"]);
    let list = shell::output(git.current_dir(shell::root()))
        .context("tidy needs git to tell which files belong to the repository")?;
    let mut sources = Vec::new();
    for path in list.split_terminator('\0') {
        let file = shell::root().join(path);
        // A file that was deleted is listed until that is committed.
        let Ok(metadata) = file.metadata() else {
            continue;
        };
        let bytes = std::fs::read(&file).with_context(|| format!("cannot read {path}"))?;
        let text = String::from_utf8(bytes).ok();
        sources.push(Source { path: path.to_owned(), bytes: metadata.len(), text });
    }
    Ok(sources)
}

/// The packages of the workspace, with paths from the repository's root.
fn packages() -> Result<Vec<Package>> {
    let json = shell::output(shell::cargo().args(["metadata", "--no-deps", "--format-version=1"]))?;
    let mut metadata: Metadata =
        serde_json::from_str(&json).context("cargo metadata gave another JSON than expected")?;
    for target in metadata.packages.iter_mut().flat_map(|package| &mut package.targets) {
        let path = Path::new(&target.src_path).strip_prefix(shell::root())?;
        target.src_path = path.display().to_string();
    }
    Ok(metadata.packages)
}

/// The names of a package, with its default features, and of all packages that it needs.
fn tree(package: &str, edges: &str) -> Result<BTreeSet<String>> {
    let args = ["tree", "--package", package, "--edges", edges, "--prefix", "none"];
    let tree = shell::output(shell::cargo().args(args))?;
    Ok(tree.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect())
}

fn arrows(packages: &[Package]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for package in packages {
        let name = package.name.as_str();
        let Some((_, allowed)) = ARROWS.iter().find(|(from, _)| *from == name) else {
            let to_do = format!("say in {SELF} and {ARCHITECTURE} what it may import");
            problems.push(Problem::new(name, "this crate is in no table of imports", to_do));
            continue;
        };
        for import in package.imports() {
            let is_ours = packages.iter().any(|package| package.name == import);
            if is_ours && !allowed.contains(&import) && *allowed != ["*"] {
                let found = format!("imports {import}");
                let to_do = "turn the arrow round: move what is shared to a crate that both import";
                problems.push(Problem::new(format!("{name}/Cargo.toml"), found, to_do));
            }
        }
    }
    problems
}

fn oracle_and_core(packages: &[Package]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for package in packages {
        let file = format!("{}/Cargo.toml", package.name);
        if package.name == ORACLE {
            let ours = |d: &&Dependency| packages.iter().any(|package| package.name == d.name);
            problems.extend(package.dependencies.iter().filter(ours).map(|d| {
                let to_do = "compare in pdb-tests: the oracle shares nothing with what it judges";
                Problem::new(&file, format!("depends on {}", d.name), to_do)
            }));
        }
        if package.name == CORE {
            problems.extend(package.imports().map(|import| {
                let to_do = "drop it: the puzzle's arithmetic depends on nothing";
                Problem::new(&file, format!("imports {import}"), to_do)
            }));
        }
    }
    problems
}

fn runtime(packages: &[Package], tree: &BTreeSet<String>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let file = format!("{RUNTIME}/Cargo.toml");
    for package in packages.iter().filter(|package| package.name == RUNTIME) {
        let found: BTreeSet<&str> = package.imports().collect();
        let expected: BTreeSet<&str> = RUNTIME_IMPORTS.iter().copied().collect();
        if found != expected {
            let found = format!("imports {found:?}, not {expected:?}");
            problems.push(Problem::new(
                &file,
                found,
                "keep the runtime slim for those who embed it",
            ));
        }
    }
    for name in tree.iter().filter(|name| !RUNTIME_TREE.contains(&name.as_str())) {
        let to_do = format!("drop it, or add it to {SELF} if blake3 or memmap2 came to need it");
        problems.push(Problem::new(&file, format!("brings {name} along"), to_do));
    }
    problems
}

fn default_build(tree: &BTreeSet<String>) -> Vec<Problem> {
    let (package, expected) = DEFAULT_BUILD;
    if tree.len() == expected {
        return Vec::new();
    }
    let found = format!("its default build has {} packages, not {expected}", tree.len());
    let to_do = format!(
        "put what neither solves nor builds behind a feature, or change the number in {SELF}"
    );
    vec![Problem::new(format!("{package}/Cargo.toml"), found, to_do)]
}

fn unsafe_code(packages: &[Package], sources: &[Source]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let has_none = |package: &&Package| !MIXED.contains(&&*package.name);
    for root in packages.iter().filter(has_none).flat_map(Package::roots) {
        let text = text_of(sources, root);
        if !text.lines().any(|line| line == FORBID_UNSAFE) {
            let to_do = format!("add {FORBID_UNSAFE}");
            problems.push(Problem::new(root, "this crate does not forbid unsafe code", to_do));
        }
    }
    for source in sources.iter().filter(|s| s.has_extension("rs")) {
        for (number, line) in source.lines() {
            let code = line.split("//").next().unwrap_or_default();
            let is_home = UNSAFE_HOMES.contains(&source.path.as_str()) || source.path == SELF;
            if has_word(code, "unsafe") && !is_home {
                let file = format!("{}:{number}", source.path);
                let to_do = format!("only {} may hold unsafe code", UNSAFE_HOMES.join(", "));
                problems.push(Problem::new(file, "unsafe", to_do));
            }
        }
    }
    problems
}

fn disk_changes(sources: &[Source]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let is_builder =
        |source: &&Source| source.path.starts_with(BUILDER) && source.path != DISK_HOME;
    for source in sources.iter().filter(is_builder) {
        for (number, line) in source.lines() {
            for change in DISK_CHANGES.iter().filter(|change| line.contains(*change)) {
                let file = format!("{}:{number}", source.path);
                problems.push(Problem::new(file, *change, format!("go through {DISK_HOME}")));
            }
        }
    }
    problems
}

fn words(sources: &[Source]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for source in sources.iter().filter(|source| source.path != SELF) {
        for (number, line) in source.lines() {
            let file = || format!("{}:{number}", source.path);
            for word in WORDS.iter().filter(|word| has_word(line, word)) {
                problems.push(Problem::new(file(), *word, "finish it, or leave it out"));
            }
            let is_rust = source.has_extension("rs");
            for attribute in ATTRIBUTES.iter().filter(|a| is_rust && line.contains(*a)) {
                let to_do =
                    "expect an error instead of a panic; slow checks belong to xtask verify";
                problems.push(Problem::new(file(), *attribute, to_do));
            }
        }
    }
    problems
}

fn sizes(sources: &[Source]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for source in sources {
        if source.bytes > FILE_BYTES_MAX {
            let found = format!("{} bytes, more than {FILE_BYTES_MAX}", source.bytes);
            problems.push(Problem::new(&source.path, found, "keep it out of the repository"));
        }
        if source.has_extension("pdb") {
            let to_do = "build it from its spec instead; the golden tells what it must be";
            problems.push(Problem::new(&source.path, "a table", to_do));
        }
    }
    problems
}

fn goldens(sources: &[Source]) -> Vec<Problem> {
    let stems = |extension: &str| -> BTreeSet<&str> {
        // In a folder for a number of tiles; the package's own files stand beside these folders.
        let is_spec = |s: &Source| s.path.strip_prefix(SPECS).is_some_and(|p| p.contains('/'));
        let ours = |s: &&Source| is_spec(s) && s.has_extension(extension);
        let stem = |s: &'_ Source| s.path.len() - extension.len() - 1;
        sources.iter().filter(ours).map(|s| &s.path[..stem(s)]).collect()
    };
    let (specs, goldens) = (stems("toml"), stems("golden"));
    let mut problems = Vec::new();
    for stem in specs.difference(&goldens) {
        let to_do = "write it with `cargo xtask golden`";
        problems.push(Problem::new(format!("{stem}.toml"), "no golden beside it", to_do));
    }
    for stem in goldens.difference(&specs) {
        problems.push(Problem::new(format!("{stem}.golden"), "no spec beside it", "remove it"));
    }
    problems
}

fn machine_paths(sources: &[Source]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for source in sources.iter().filter(|source| source.path != SELF) {
        for (number, line) in source.lines() {
            for path in MACHINE_PATHS.iter().filter(|path| line.contains(*path)) {
                let file = format!("{}:{number}", source.path);
                let to_do = "write it from the repository's root, or take it as an argument";
                problems.push(Problem::new(file, format!("a path of one machine, {path}"), to_do));
            }
        }
    }
    problems
}

fn registries(sources: &[Source]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for source in sources.iter().filter(|source| source.path != SELF) {
        for (number, line) in source.lines() {
            let is_named = match line.strip_prefix("source = ") {
                Some(registry) if source.path == LOCK_FILE => registry != REGISTRY,
                _ => REGISTRY_HOSTS.iter().any(|host| line.contains(host)),
            };
            if is_named {
                let file = format!("{}:{number}", source.path);
                let to_do = "leave it to Cargo's configuration where packages come from";
                problems.push(Problem::new(file, "a registry", to_do));
            }
        }
    }
    problems
}

fn links(sources: &[Source]) -> Vec<Problem> {
    let pages: Vec<&Source> = sources.iter().filter(|s| s.has_extension("md")).collect();
    let anchors: BTreeMap<&str, BTreeSet<String>> = pages
        .iter()
        .map(|page| {
            (page.path.as_str(), prose(page).filter_map(|(_, line)| anchor(line)).collect())
        })
        .collect();
    let mut problems = Vec::new();
    for page in &pages {
        for (number, line) in prose(page) {
            for target in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
                if target.contains("://") || target.starts_with("mailto:") {
                    continue;
                }
                let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
                let path =
                    if file.is_empty() { page.path.clone() } else { resolve(&page.path, file) };
                let is_there = sources.iter().any(|source| {
                    source.path == path || source.path.starts_with(&format!("{path}/"))
                });
                let has_anchor = fragment.is_empty()
                    || anchors.get(path.as_str()).is_some_and(|known| known.contains(fragment));
                if !is_there || !has_anchor {
                    let place = format!("{}:{number}", page.path);
                    let found = format!("a link to {target}, which is not there");
                    problems.push(Problem::new(place, found, "link to a file or heading that is"));
                }
            }
        }
    }
    problems
}

fn library_docs(packages: &[Package], sources: &[Source]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let is_library = |root: &&str| root.ends_with("lib.rs");
    for root in packages.iter().flat_map(Package::roots).filter(is_library) {
        let docs: Vec<&str> =
            text_of(sources, root).lines().map_while(|line| line.strip_prefix("//!")).collect();
        let to_do = "open it with what it is, what it may not do, an example, where to read next";
        if docs.is_empty() {
            problems.push(Problem::new(root, "no documentation at its top", to_do));
        } else if !docs.iter().any(|line| line.trim_start().starts_with("```")) {
            problems.push(Problem::new(root, "no example in its documentation", to_do));
        }
    }
    problems
}

fn architecture(packages: &[Package], sources: &[Source]) -> Vec<Problem> {
    let text = text_of(sources, ARCHITECTURE);
    let missing = packages.iter().filter(|package| !text.contains(&format!("`{}`", package.name)));
    missing
        .map(|package| {
            let found = format!("no `{}`", package.name);
            Problem::new(ARCHITECTURE, found, "say what the crate is for and what it may not do")
        })
        .collect()
}

/// The text of a file; empty where there is none, which every check takes for a problem.
fn text_of<'a>(sources: &'a [Source], path: &str) -> &'a str {
    let source = sources.iter().find(|source| source.path == path);
    source.and_then(|source| source.text.as_deref()).unwrap_or_default()
}

fn has_word(line: &str, word: &str) -> bool {
    // What has a hyphen is a word of another language, such as 'unsafe-inline'.
    line.split(|c: char| !c.is_alphanumeric() && !['_', '-'].contains(&c))
        .any(|found| found == word)
}

/// The lines of a page outside of code blocks.
fn prose(page: &Source) -> impl Iterator<Item = (usize, &str)> {
    let mut in_code = false;
    page.lines().filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    })
}

/// What a link to a heading says after `#`; nothing where the line is no heading.
fn anchor(line: &str) -> Option<String> {
    let heading = line.trim_start_matches('#');
    let title = heading.strip_prefix(' ').filter(|_| heading.len() < line.len())?;
    let kept = |c: &char| c.is_alphanumeric() || [' ', '-', '_'].contains(c);
    Some(title.trim().to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-"))
}

/// The path from the repository's root that `link` means on the page at `page`.
fn resolve(page: &str, link: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn source(path: &str, text: &str) -> Source {
        Source { path: path.into(), bytes: text.len() as u64, text: Some(text.into()) }
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
            dependencies: normal.chain(dev.iter().map(dependency(Some("dev")))).collect(),
            targets: vec![Target { kind: vec!["lib".into()], src_path }],
        }
    }

    #[track_caller]
    pub(super) fn expect(problems: &[Problem], expected: &[(&str, &str)]) {
        let found: Vec<_> = problems.iter().map(|p| (p.file.as_str(), p.found.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_reversed_arrow_is_found() {
        let packages = [
            package("pdb-core", &[], &["pdb-gen"]),
            package("pdb-gen", &["pdb-core", "pdb-search", "libc"], &["pdb-new"]),
            package("pdb-search", &[], &[]),
            package("pdb-tests", &["pdb-core", "pdb-gen"], &[]),
            package("pdb-new", &[], &[]),
        ];
        expect(
            &arrows(&packages),
            &[
                ("pdb-gen/Cargo.toml", "imports pdb-search"),
                ("pdb-new", "this crate is in no table of imports"),
            ],
        );
    }

    #[test]
    fn an_oracle_that_knows_us_and_a_core_that_needs_others_are_found() {
        let packages = [
            package("pdb-core", &["libc"], &["proptest"]),
            package("pdb-oracle", &["libc"], &["pdb-core"]),
        ];
        expect(
            &oracle_and_core(&packages),
            &[
                ("pdb-core/Cargo.toml", "imports libc"),
                ("pdb-oracle/Cargo.toml", "depends on pdb-core"),
            ],
        );
    }

    #[test]
    fn a_runtime_that_grew_is_found() {
        let tree = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let slim = [package(RUNTIME, RUNTIME_IMPORTS, &["zstd"])];
        expect(&runtime(&slim, &tree(RUNTIME_TREE)), &[]);
        let fat = [package(RUNTIME, &["blake3", "serde"], &[])];
        let problems = runtime(&fat, &tree(&["blake3", "serde"]));
        assert_eq!(problems.len(), 2);
        assert!(problems[0].found.starts_with("imports {\"blake3\", \"serde\"}, not"));
        assert_eq!(problems[1].found, "brings serde along");
    }

    #[test]
    fn a_default_build_that_grew_is_found() {
        let tree = |count: usize| (0..count).map(|number| number.to_string()).collect();
        let (_, count) = DEFAULT_BUILD;
        expect(&default_build(&tree(count)), &[]);
        let found = format!("its default build has {} packages, not {count}", count + 1);
        expect(&default_build(&tree(count + 1)), &[("tilebase-cli/Cargo.toml", &found)]);
    }

    #[test]
    fn unsafe_code_outside_its_home_is_found() {
        let packages = [package("a", &[], &[]), package("b", &[], &[]), package(RUNTIME, &[], &[])];
        let sources = [
            source("a/src/lib.rs", "#![forbid(unsafe_code)]\n// An unsafe idea.\n"),
            source("b/src/lib.rs", "mod c;\n"),
            source("pdb-rt/src/lib.rs", "let x = unsafe { y() };\n"),
            source(UNSAFE_HOMES[0], "unsafe { z() }\n"),
        ];
        expect(
            &unsafe_code(&packages, &sources),
            &[
                ("b/src/lib.rs", "this crate does not forbid unsafe code"),
                ("pdb-rt/src/lib.rs:1", "unsafe"),
            ],
        );
    }

    #[test]
    fn a_change_of_the_file_system_that_is_not_announced_is_found() {
        let text = "let file = File::open(path)?;\nfile.sync_all()?;\nfs::rename(a, b)?;\n";
        let of_builder = source("crates/pdb-gen/src/archives/ship.rs", text);
        let others = [source(DISK_HOME, text), source("crates/tilebase/src/main.rs", text)];
        expect(&disk_changes(&others), &[]);
        expect(
            &disk_changes(&[of_builder]),
            &[
                ("crates/pdb-gen/src/archives/ship.rs:2", "sync_all"),
                ("crates/pdb-gen/src/archives/ship.rs:3", "fs::rename"),
            ],
        );
    }

    #[test]
    fn unfinished_work_and_forbidden_attributes_are_found() {
        let text = "// TODO: more\n#[ignore = \"slow\"]\n#[should_panic]\nTODOS\n/// ```ignore\n";
        expect(
            &words(&[source("a.rs", text), source("b.md", "XXX `#[ignore]`")]),
            &[
                ("a.rs:1", "TODO"),
                ("a.rs:2", "#[ignore"),
                ("a.rs:3", "#[should_panic"),
                ("a.rs:5", "```ignore"),
                ("b.md:1", "XXX"),
            ],
        );
    }

    #[test]
    fn large_files_and_tables_are_found() {
        let large = Source { path: "a.bin".into(), bytes: FILE_BYTES_MAX + 1, text: None };
        let problems = sizes(&[large, source("tests/data/b.pdb", ""), source("c.txt", "")]);
        expect(
            &problems,
            &[("a.bin", "524289 bytes, more than 524288"), ("tests/data/b.pdb", "a table")],
        );
    }

    #[test]
    fn a_spec_without_golden_and_a_golden_without_spec_are_found() {
        let paths = ["8/a.toml", "8/a.golden", "8/b.toml", "8/c.golden"];
        let sources = paths.map(|path| source(&format!("{SPECS}{path}"), ""));
        expect(
            &goldens(&sources),
            &[
                ("pdb-specs/8/b.toml", "no golden beside it"),
                ("pdb-specs/8/c.golden", "no spec beside it"),
            ],
        );
    }

    #[test]
    fn paths_of_one_machine_are_found() {
        let sources = [source("a.md", "see\n/home/somebody/x"), source("b.md", "~/x, docs/home")];
        expect(&machine_paths(&sources), &[("a.md:2", "a path of one machine, /home/")]);
    }

    #[test]
    fn registries_are_found() {
        let lock = format!("source = {REGISTRY}\nsource = \"registry+https://example.org\"\n");
        let sources = [source(LOCK_FILE, &lock), source("a.md", "https://crates.io/x")];
        expect(&registries(&sources), &[("Cargo.lock:2", "a registry"), ("a.md:1", "a registry")]);
    }

    #[test]
    fn links_that_lead_nowhere_are_found() {
        let page = "# A `b`: c\n[x](../README.md) [y](#a-b-c) [z](b.md#none)\n```\n[v](w)\n```\n\
                    [u](https://example.org/u) [t](missing.md) [s](../docs)\n";
        let sources =
            [source("docs/a.md", page), source("docs/b.md", "# B"), source("README.md", "")];
        expect(
            &links(&sources),
            &[
                ("docs/a.md:2", "a link to b.md#none, which is not there"),
                ("docs/a.md:6", "a link to missing.md, which is not there"),
            ],
        );
    }

    #[test]
    fn a_library_without_documentation_or_example_is_found() {
        let packages = ["a", "b", "c"].map(|name| package(name, &[], &[]));
        let sources = [
            source("a/src/lib.rs", "//! A.\n//!\n//! ```\n//! ```\n"),
            source("b/src/lib.rs", "//! B.\nmod x;\n//! ```\n"),
            source("c/src/lib.rs", "mod x;\n"),
        ];
        expect(
            &library_docs(&packages, &sources),
            &[
                ("b/src/lib.rs", "no example in its documentation"),
                ("c/src/lib.rs", "no documentation at its top"),
            ],
        );
    }

    #[test]
    fn a_crate_that_the_architecture_leaves_out_is_found() {
        let packages = ["a", "b"].map(|name| package(name, &[], &[]));
        let sources = [source(ARCHITECTURE, "| `a` | its one job |")];
        expect(&architecture(&packages, &sources), &[(ARCHITECTURE, "no `b`")]);
    }
}
