//! `cargo xtask web`: the page as a folder for any static host.
//!
//! 1. Cargo compiles the solver to WebAssembly, and binaryen makes it smaller.
//! 2. With Node.js and `wasm-split` of binaryen, the solver is [split](mod@split) into a small
//!    first part and the rest, which the page loads later.
//! 3. The page gets a content security policy, the addresses of the solver, the expected digests of
//!    tables, and a web app manifest.
//! 4. A service worker keeps all files for times without a network. The name of its cache depends
//!    on their contents, so that the next export replaces it.

mod split;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use self::split::{SolverModule, split};
use crate::shell::{self, read};
use crate::toolchain::{self, BROWSER};

/// Folder of the page.
const PAGE: &str = "crates/tilebase-serve/page";
/// The first part of the solver.
const MODULE: &str = "tilebase.wasm";
/// The rest of the solver.
const REST: &str = "tilebase-rest.wasm";
const DIGESTS: &str = "digests.json";
/// Folder of the networks, by which the solver chooses boards, in the repository and in the export.
const NETS_SOURCE: &str = "crates/pdb-lab/nets";
const NETS: &str = "nets";
/// Folder of the goldens.
const SPECS: &str = "pdb-specs";
/// Web app manifest, with which browsers install the page.
const MANIFEST: &str = "manifest.webmanifest";
/// Script of the service worker. It must lie beside `index.html` to answer for the page.
const OFFLINE: &str = "offline.js";
/// Digits of digests in names.
const DIGEST_CHARS: usize = 16;
/// Largest compressed size of the first view, in bytes. `docs/page.md` names it.
const FIRST_VIEW_MAX: usize = 300_000;

/// Lines for the head of `index.html`. Pages of a static host have no headers of ours, so the
/// policy is in the page. The first view loads the modules beside those of `index.html`.
const HEAD: &str = include_str!("head.html");
const WORKER: &str = "web/worker.js";

/// Script for the pages of others, who copy and read it.
const ELEMENT: &str = "tilebase-board.js";

/// Picture that other sites show beside a link to the page.
const PREVIEW: &str = "preview.png";
const PREVIEW_SOURCE: &str = "docs/pictures/page.png";

/// Post-MVP features that compilers use without being asked.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder to write; an earlier export is replaced
    #[arg(long, value_name = "DIR", default_value = "dist")]
    out: PathBuf,
    /// Use this compiled solver, and compile nothing
    #[arg(long, value_name = "FILE")]
    module: Option<PathBuf>,
    /// Address where the page will be, such as `https://example.org/tiles/`; other sites then find
    /// the picture of the page
    #[arg(long, value_name = "URL")]
    url: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    check_tools(args.module.is_some())?;
    let module = if let Some(file) = &args.module {
        read(file)?
    } else {
        eprintln!(
            "compiling the solver: the first time about seven minutes on two cores, later less than \
             two if little has changed"
        );
        optimized(&compile()?)?
    };
    let files = export(page_files()?, split(&module)?, args.url.as_deref())?;
    check_sizes(&files)?;
    write(&args.out, &files)?;
    println!("{}: copy this folder to any static host", args.out.display());
    Ok(())
}

/// Exports the page into a folder, with this solver in place of a new one.
pub(crate) fn export_to(out: PathBuf, module: Option<PathBuf>) -> Result<()> {
    run(&Args { out, module, url: None })
}

/// Checks that the tools of the export are installed, before minutes are spent on compiling.
pub(crate) fn check_tools(is_compiled: bool) -> Result<()> {
    let tools = [("wasm-opt", "binaryen"), ("wasm-split", "binaryen"), ("node", "nodejs")];
    for (tool, package) in tools {
        ensure!(shell::is_installed(tool), "{tool} is missing: install the package {package}");
    }
    if !is_compiled {
        toolchain::environment_for(BROWSER)?;
    }
    Ok(())
}

/// Compiles the solver and returns its path.
fn compile() -> Result<PathBuf> {
    let mut build = shell::cargo();
    build.envs(toolchain::environment_for(BROWSER)?);
    build.args(["build", "--locked", "--profile", "web", "--package", "tilebase-web"]);
    shell::built(build.args(["--target", BROWSER, shell::JSON]), "tilebase_web.wasm")
}

/// Returns the bytes of a module, made smaller by binaryen.
fn optimized(module: &Path) -> Result<Vec<u8>> {
    let work = shell::temporary_folder()?;
    let small = work.path().join(MODULE);
    let mut tool = Command::new("wasm-opt");
    split::run(tool.arg("-O3").args(FEATURES).arg(module).arg("-o").arg(&small))?;
    read(&small)
}

/// Files of an export by path.
type Files = BTreeMap<String, Vec<u8>>;

/// Reads the files of the page.
fn page_files() -> Result<Files> {
    let mut files = Files::new();
    for (name, path) in shell::files_below(&shell::root().join(PAGE))? {
        // Configuration of the type checker.
        if has_extension(&name, &["json"]) {
            continue;
        }
        let mut bytes = read(&path)?;
        if has_extension(&name, &["js", "css"]) && name != ELEMENT {
            bytes = without_comments(&String::from_utf8(bytes)?).into_bytes();
        }
        files.insert(name, bytes);
    }
    Ok(files)
}

fn has_extension(name: &str, extensions: &[&str]) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|extension| extensions.iter().any(|one| extension == *one))
}

/// Returns a script or style sheet without the comments at the beginnings of its lines, which are
/// for its authors. They are a quarter of the page.
pub(crate) fn without_comments(code: &str) -> String {
    let mut kept = String::new();
    let mut is_comment = false;
    for line in code.lines() {
        let begun = line.trim_start();
        if !is_comment && begun.starts_with("//") {
            continue;
        }
        let mut rest = line;
        if is_comment || begun.starts_with("/*") {
            let end = begun.split_once("*/");
            is_comment = end.is_none();
            rest = end.map_or("", |(_, rest)| rest.trim_start());
        }
        if !rest.is_empty() {
            kept.push_str(rest);
            kept.push('\n');
        }
    }
    kept
}

/// Makes an export of the files of the page.
fn export(mut files: Files, solver: SolverModule, url: Option<&str>) -> Result<Files> {
    let SolverModule { first, rest } = solver;
    ensure!(first.starts_with(b"\0asm"), "the solver is no WebAssembly module");
    // A browser's cache may combine old and new files, but not an old module with a new page, nor
    // the parts of two solvers.
    let version = digest([(MODULE, &first[..]), (REST, &rest[..])]);
    let address = |name: &str| format!("{name}?{version}");
    let index = files.get("index.html").context("the page has no index.html")?;
    let index = with_head(std::str::from_utf8(index)?, &address(MODULE), &address(REST), url)?;
    files.insert("index.html".to_owned(), index.into_bytes());
    files.insert(PREVIEW.to_owned(), read(&shell::root().join(PREVIEW_SOURCE))?);
    files.insert(MANIFEST.to_owned(), include_bytes!("manifest.webmanifest").to_vec());
    files.insert(DIGESTS.to_owned(), serde_json::to_vec(&known_digests()?)?);
    let nets = shell::files_below(&shell::root().join(NETS_SOURCE))?;
    for (name, path) in nets.iter().filter(|(name, _)| has_extension(name, &["order"])) {
        files.insert(format!("{NETS}/{name}"), read(path)?);
    }
    files.insert(MODULE.to_owned(), first);
    files.insert(REST.to_owned(), rest);
    let script = files.remove(&format!("web/{OFFLINE}")).context("the page has no offline.js")?;

    let is_solver = |name: &str| [MODULE, REST].contains(&name);
    let name = |name: &String| if is_solver(name) { address(name) } else { name.clone() };
    let names: Vec<String> = files.keys().map(name).collect();
    let contents = files.iter().map(|(name, bytes)| (name.as_str(), &bytes[..]));
    let constants =
        format!("const VERSION = {:?};\nconst FILES = {};\n", digest(contents), json!(names));
    files.insert(OFFLINE.to_owned(), [constants.as_bytes(), &script].concat());
    Ok(files)
}

/// Returns a digest of files and their names.
fn digest<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> String {
    let mut hasher = blake3::Hasher::new();
    for (name, bytes) in files {
        hasher.update(blake3::hash(name.as_bytes()).as_bytes());
        hasher.update(blake3::hash(bytes).as_bytes());
    }
    hasher.finalize().to_hex()[..DIGEST_CHARS].to_owned()
}

/// Adds to the head of `index.html` what an exported page needs.
fn with_head(index: &str, module: &str, rest: &str, url: Option<&str>) -> Result<String> {
    let first = "<meta charset=\"utf-8\">\n";
    let at = index.find(first).context("index.html does not declare its encoding")? + first.len();
    let base = url.map(|url| format!("{}/", url.trim_end_matches('/'))).unwrap_or_default();
    ensure!(
        !base.contains(['"', '<', '>', '&']),
        "the address {base} has characters that no address has: write it as https://example.org/tiles/"
    );
    // A page without an address has no line with it.
    let is_kept = |line: &&str| url.is_some() || !line.contains("{URL}");
    let head: String = HEAD.split_inclusive('\n').filter(is_kept).collect();
    let head = head.replace("{MODULE}", module).replace("{REST}", rest);
    let head = head.replace("{URL}", &base).replace("{BASE}", &base);
    Ok([&index[..at], &head, &index[at..]].concat())
}

/// Returns the expected digests of tables by file name, as the goldens have them.
fn known_digests() -> Result<BTreeMap<String, String>> {
    let mut digests = BTreeMap::new();
    let files = shell::files_below(&shell::root().join(SPECS))?;
    for (_, file) in files.iter().filter(|(name, _)| has_extension(name, &["golden"])) {
        let golden: toml::Table = toml::from_str(std::str::from_utf8(&read(file)?)?)?;
        for table in golden["table"].as_array().into_iter().flatten() {
            let text = |key: &str| table[key].as_str().map(str::to_owned);
            digests.extend(text("file").zip(text("digest")));
        }
    }
    ensure!(!digests.is_empty(), "{SPECS} has no goldens");
    Ok(digests)
}

/// Writes an export. Replaces an earlier one, and nothing else.
fn write(folder: &Path, files: &Files) -> Result<()> {
    if folder.exists() {
        let earlier = shell::files_below(folder)?;
        ensure!(
            earlier.is_empty() || earlier.contains_key(MODULE),
            "{} has other files than an exported page: choose another folder",
            folder.display()
        );
        for path in earlier.values() {
            fs::remove_file(path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    for (name, bytes) in files {
        let path = folder.join(name);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent)
            .with_context(|| format!("cannot make the folder {}", parent.display()))?;
        shell::write_file(&path, bytes)?;
    }
    Ok(())
}

/// Returns the files of the first view.
fn first_view(files: &Files) -> Result<Vec<&str>> {
    let index = std::str::from_utf8(&files["index.html"])?;
    let mut names = vec!["index.html", WORKER];
    for attribute in [" href=\"", " src=\""] {
        let values = index.split(attribute).skip(1).filter_map(|rest| rest.split_once('"'));
        names.extend(values.map(|(value, _)| value.split(['?', '#']).next().unwrap_or_default()));
    }
    names.retain(|name| !name.is_empty());
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

/// Prints the sizes of an export, and compares that of its first view with the limit.
fn check_sizes(files: &Files) -> Result<()> {
    println!("{:<14}{:>6}{:>12}{:>12}", "", "files", "bytes", "gzip -9");
    let print = |what: &str, names: &[&str]| -> Result<usize> {
        let (mut plain, mut packed) = (0, 0);
        for name in names {
            let bytes = files.get(*name).with_context(|| format!("the page has no {name}"))?;
            plain += bytes.len();
            packed += compressed_len(bytes)?;
        }
        println!("{what:<14}{:>6}{plain:>12}{packed:>12}", names.len());
        Ok(packed)
    };
    let size = print("first view", &first_view(files)?)?;
    print(MODULE, &[MODULE])?;
    print("all", &files.keys().map(String::as_str).collect::<Vec<_>>())?;
    ensure!(
        size <= FIRST_VIEW_MAX,
        "the first view has {size} bytes when it is compressed, which is more than {FIRST_VIEW_MAX}: \
         see what has become larger, or what the page asks for in xtask/src/web/first-view.js"
    );
    Ok(())
}

fn compressed_len(bytes: &[u8]) -> Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exported(module: &[u8]) -> Files {
        let solver = SolverModule { first: module.to_vec(), rest: b"\0asm, the rest".to_vec() };
        export(page_files().unwrap(), solver, None).unwrap()
    }

    #[test]
    fn guide_names_the_limit_of_the_size() {
        let guide = fs::read_to_string(shell::root().join("docs/page.md")).unwrap();
        let guide = guide.split_whitespace().collect::<Vec<_>>().join(" ");
        let sentence = format!("the page loads at most {} kB", FIRST_VIEW_MAX / 1000);
        assert!(guide.contains(&sentence), "docs/page.md does not say: {sentence}");
    }

    #[test]
    fn export_larger_than_its_limit_is_refused() {
        let mut files = exported(b"\0asm1");
        check_sizes(&files).unwrap();
        // Bytes that no compressor makes smaller.
        let mut noise = vec![0; FIRST_VIEW_MAX];
        blake3::Hasher::new().finalize_xof().fill(&mut noise);
        files.insert(MODULE.to_owned(), noise);
        let error = check_sizes(&files).unwrap_err().to_string();
        assert!(error.starts_with("the first view has "), "{error}");
    }

    #[test]
    fn head_has_the_address_of_the_page_and_of_its_picture() {
        let solver = SolverModule { first: b"\0asm1".to_vec(), rest: Vec::new() };
        let at = |url| export(page_files().unwrap(), solver.clone(), Some(url));
        let files = at("https://example.org/tiles").unwrap();
        let index = text(&files, "index.html");
        assert!(index.contains("content=\"https://example.org/tiles/preview.png\""), "{index}");
        assert!(at("https://example.org/\"><script>").is_err());
    }

    #[test]
    fn scripts_and_styles_have_no_comments_of_their_authors() {
        let code =
            "// a\nlet b; // c\n\n  /** d\n   * e */\n/** @type {F} */ (g);\n/* h\n */ i {}\n";
        assert_eq!(without_comments(code), "let b; // c\n(g);\ni {}\n");
        let files = exported(b"\0asm1");
        let begins =
            |name: &str, sign| text(&files, name).lines().any(|line| line.starts_with(sign));
        assert!(!begins("board.js", "//") && !begins("style.css", "/*"));
        assert!(begins(ELEMENT, "//"));
    }

    #[test]
    fn digests_are_those_of_the_goldens() {
        let files = exported(b"\0asm1");
        let digests: BTreeMap<String, String> = serde_json::from_slice(&files[DIGESTS]).unwrap();
        let golden = fs::read_to_string(shell::root().join("pdb-specs/8/whole.golden")).unwrap();
        let digest = &digests["3x3-0ff-r8-aware.pdb"];
        assert!(golden.contains(&format!("\ndigest = \"{digest}\"\n")), "{golden}");
    }

    #[test]
    fn rest_of_the_solver_is_no_part_of_the_first_view() {
        let files = exported(b"\0asm1");
        assert!(files.contains_key(REST) && text(&files, "index.html").contains(REST));
        let first = first_view(&files).unwrap();
        assert!(first.contains(&MODULE) && !first.contains(&REST) && !first.contains(&DIGESTS));
    }

    fn text<'a>(files: &'a Files, name: &str) -> &'a str {
        std::str::from_utf8(&files[name]).unwrap()
    }

    #[test]
    fn export_has_relative_links_to_its_own_files_only() {
        let files = exported(b"\0asm1");
        for name in first_view(&files).unwrap() {
            assert!(files.contains_key(name), "{name}");
        }
        assert!(!files.contains_key("tsconfig.json"));
        let index = text(&files, "index.html");
        assert!(!index.contains("=\"/") && !index.contains("://"), "{index}");
        let policy = index.find("Content-Security-Policy").unwrap();
        assert!(policy < index.find("<script").unwrap() && policy < index.find("<link").unwrap());
        assert!(!index.contains("'unsafe-eval'") && !index.contains("'unsafe-inline'"));
    }

    #[test]
    fn service_worker_lists_every_other_file_and_changes_with_each_of_them() {
        let (first, second) = (exported(b"\0asm1"), exported(b"\0asm2"));
        let list = |files: &Files| -> Vec<String> {
            let script = text(files, OFFLINE);
            let line = script.lines().find_map(|line| line.strip_prefix("const FILES = ")).unwrap();
            serde_json::from_str(line.trim_end_matches(';')).unwrap()
        };
        let named = |name: &String| name.split('?').next().unwrap_or_default().to_owned();
        let mut listed: Vec<String> = list(&first).iter().map(named).collect();
        listed.sort_unstable();
        let others = first.keys().filter(|name| *name != OFFLINE).cloned();
        assert_eq!(listed, others.collect::<Vec<_>>());
        let version = |files: &Files| text(files, OFFLINE).lines().next().map(str::to_owned);
        assert_ne!(version(&first), version(&second));
        assert_ne!(first["index.html"], second["index.html"]);
        assert_eq!(version(&first), version(&exported(b"\0asm1")));
    }

    #[test]
    fn folder_with_other_files_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let files = exported(b"\0asm1");
        let other = folder.path().join("other.txt");
        shell::write_file(&other, "mine").unwrap();
        assert!(write(folder.path(), &files).is_err());
        fs::remove_file(&other).unwrap();
        write(folder.path(), &files).unwrap();
        shell::write_file(&folder.path().join("views/old.js"), "").unwrap();
        write(folder.path(), &files).unwrap();
        assert!(!folder.path().join("views/old.js").exists());
        assert_eq!(fs::read(folder.path().join(MODULE)).unwrap(), b"\0asm1");
    }
}
