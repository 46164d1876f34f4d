//! `cargo xtask dist`: the files of a release, in one folder.
//!
//! 1. Cargo compiles with the profile `dist`. For Linux it links through zig: programs are static
//!    (musl), libraries need glibc 2.17 or later.
//! 2. The program, which runs once for its completions and manual pages, becomes an archive and a
//!    Debian package; [the licences](licences) of everything in it are added.
//! 3. Python's packages, the C library and the exported page are added.
//! 4. [Recipes](recipes) and lists of digests are written for all files of the folder. So runs for
//!    several targets, on several machines, can fill one folder.
//!
//! Two runs on one commit and toolchain give the same bytes: archives are sorted and have the time
//! of the commit, and no path of this machine is compiled in.

mod archive;
mod licences;
mod recipes;

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use self::archive::{Entry, Tree};
use crate::shell::{self, read};
use crate::toolchain::{self, Environment};
use crate::web;

/// The package with the program, whose `Cargo.toml` describes Tilebase.
const PACKAGE: &str = "tilebase-cli";
/// Oldest glibc that libraries can be used with: that of `manylinux2014`.
const GLIBC: &str = "2.17";
const MATURIN: &str =
    "Python's packages need `pip install maturin ziglang` in an active environment";
const ZIG: &str = "for Linux, linking needs zig: `pip install cargo-zigbuild ziglang` in an active \
                   environment";
/// Texts at the top of an archive.
const TEXTS: [&str; 3] = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];
/// The first steps with the program, without a checkout.
const README: &str = include_str!("README.md");
/// Shells with the names of the files of their completions.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "tilebase.bash"),
    ("elvish", "tilebase.elv"),
    ("fish", "tilebase.fish"),
    ("powershell", "tilebase.ps1"),
    ("zsh", "_tilebase"),
];

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Parts of the release to make [default: program]
    #[arg(value_enum)]
    parts: Vec<Part>,
    /// Folder of the release, to which the parts are added
    #[arg(long, value_name = "DIR", default_value = "release")]
    out: PathBuf,
    /// Target of the compiled parts, such as aarch64-unknown-linux-musl [default: this machine, on
    /// Linux with musl]
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    /// Cargo's profile of the compiled parts
    #[arg(long, value_name = "NAME", default_value = "dist")]
    profile: String,
    /// Pack the program, the libraries of C and the solver of the page from this folder, and
    /// compile nothing
    #[arg(long, value_name = "DIR")]
    built: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Part {
    /// The program with completions, manual pages and licences: an archive, for Linux also a
    /// Debian package
    Program,
    /// Header, shared and static library, as an archive (Linux)
    CLibrary,
    /// Python's wheel and its package of sources (maturin)
    Python,
    /// The page for any static host, as an archive
    Page,
    /// Only digests and recipes, which each run writes for all files of the folder
    Digests,
}

/// What archives and recipes say of Tilebase, from its `Cargo.toml`.
#[derive(Deserialize)]
struct Description {
    version: String,
    #[serde(rename = "description")]
    summary: String,
    repository: String,
    authors: Vec<String>,
}

impl Description {
    /// Returns a template with its values in place of the words in capitals.
    fn fill(&self, template: &str) -> String {
        template
            .replace("VERSION", &self.version)
            .replace("REPOSITORY", &self.repository)
            .replace("SUMMARY", &self.summary)
            .replace("AUTHORS", &self.authors.join(", "))
    }
}

/// A release for one target.
struct Release<'a> {
    args: &'a Args,
    description: Description,
    target: String,
    out: PathBuf,
    /// Time of the commit, in seconds since 1970.
    seconds: u64,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let metadata: Value = shell::metadata()?;
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let package = packages.find(|package| package["name"] == PACKAGE);
    let package = package.with_context(|| format!("the workspace has no {PACKAGE}"))?;
    fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    let release = Release {
        args,
        description: Description::deserialize(package)?,
        target: args.target.clone().map_or_else(own_target, Ok)?,
        out: args.out.canonicalize()?,
        seconds: seconds()?,
    };
    let parts = if args.parts.is_empty() { &[Part::Program][..] } else { &args.parts };
    release.check_tools(parts)?;
    for part in parts {
        match part {
            Part::Program => release.program()?,
            Part::CLibrary => release.c_library()?,
            Part::Python => release.python()?,
            Part::Page => release.page()?,
            Part::Digests => {}
        }
    }
    release.finish()
}

/// Returns the target of this machine; on Linux with musl, so that programs are static.
fn own_target() -> Result<String> {
    let host = shell::output(Command::new("rustc").args(["--print", "host-tuple"]))?;
    Ok(host.trim().replace("linux-gnu", "linux-musl"))
}

/// Returns the time of all files: `SOURCE_DATE_EPOCH`, or that of the commit.
fn seconds() -> Result<u64> {
    let mut git = Command::new("git");
    git.args(["-c", "safe.directory=*", "log", "-1", "--format=%ct"]);
    let text = env::var("SOURCE_DATE_EPOCH")
        .or_else(|_| shell::output(git.current_dir(shell::root())))
        .context("without git, set SOURCE_DATE_EPOCH to the time of the release")?;
    text.trim().parse().with_context(|| format!("{text:?} is not a number of seconds"))
}

impl Release<'_> {
    fn is_linux(&self) -> bool {
        self.target.contains("-linux-")
    }

    /// Checks that the tools of the parts are installed, before minutes are spent on one of them.
    fn check_tools(&self, parts: &[Part]) -> Result<()> {
        let is_compiled = self.args.built.is_some();
        let links = parts.contains(&Part::Program) || parts.contains(&Part::CLibrary);
        if links && !is_compiled && self.is_linux() {
            ensure!(shell::is_installed("cargo-zigbuild"), ZIG);
        }
        if parts.contains(&Part::Python) {
            ensure!(shell::is_installed("maturin"), MATURIN);
        }
        if parts.contains(&Part::Page) {
            web::check_tools(is_compiled)?;
        }
        Ok(())
    }

    /// Returns the target of libraries, which are not static.
    fn library_target(&self) -> String {
        self.target.replace("linux-musl", "linux-gnu")
    }

    /// Returns the name that an archive of this release has, without its ending.
    fn name(&self, what: &str, target: &str) -> String {
        format!("{what}-{}-{target}", self.description.version)
    }

    /// Returns the file with this name: of the folder with compiled files, or compiled now.
    fn compiled(&self, what: &[&str], target: &str, file: &str) -> Result<PathBuf> {
        if let Some(folder) = &self.args.built {
            return Ok(folder.join(file));
        }
        // zig links programs that are static, and libraries for old versions of glibc.
        let mut build =
            if self.is_linux() { Command::new("cargo-zigbuild") } else { shell::cargo() };
        let suffix =
            if target.ends_with("linux-gnu") { format!(".{GLIBC}") } else { String::new() };
        build.current_dir(shell::root()).envs(self.environment(target)?);
        build.args(["rustc", "--locked", "--profile", &self.args.profile]);
        build.args(["--target", &format!("{target}{suffix}"), shell::JSON]).args(what);
        if target.ends_with("linux-musl") {
            // zig has the files that begin and end a static program.
            build.args(["--", "-Clink-self-contained=no"]);
        }
        shell::built(&mut build, file)
    }

    /// Returns the environment in which compiled files do not depend on this machine.
    fn environment(&self, target: &str) -> Result<Environment> {
        let home = env::var_os("CARGO_HOME").map(PathBuf::from);
        let home = home.or_else(|| Some(env::home_dir()?.join(".cargo")));
        let home = home.context("there is no home folder: set CARGO_HOME")?;
        let remap = |from: &Path, to: &str| format!("--remap-path-prefix={}={to}", from.display());
        // Those of the caller, too, which may say where objects for the linker are.
        let given = env::var("RUSTFLAGS").unwrap_or_default();
        let mut flags: Vec<String> = given.split_whitespace().map(str::to_owned).collect();
        flags.extend([remap(shell::root(), "."), remap(&home, "/cargo")]);
        let mut environment = toolchain::environment_for(target)?;
        environment.push(("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f").into()));
        environment.push(("SOURCE_DATE_EPOCH", self.seconds.to_string().into()));
        Ok(environment)
    }

    fn program(&self) -> Result<()> {
        let ending = if self.target.contains("-windows-") { ".exe" } else { "" };
        let what = ["--package", PACKAGE, "--features", "full", "--bin", "tilebase"];
        let file = format!("tilebase{ending}");
        let program = self.compiled(&what, &self.target, &file)?;
        let licences = licences::licences(PACKAGE, &["--features", "full"], &self.target)?;
        let documents = self.documents(&program)?;
        let program = Entry::Program(read(&program)?);

        let name = self.name("tilebase", &self.target);
        let mut tree = Tree::default();
        tree.add(format!("{name}/{file}"), program.clone());
        for (path, text) in &documents {
            tree.add(format!("{name}/{path}"), Entry::File(text.clone()));
        }
        tree.add(format!("{name}/LICENSES-OF-CRATES.txt"), Entry::File(licences.clone()));
        let readme = self.description.fill(README);
        tree.add(format!("{name}/README.md"), Entry::File(readme.into_bytes()));
        add_texts(&mut tree, &name)?;
        self.pack(&name, &tree)?;
        if self.target.ends_with("-linux-musl") {
            self.debian_package(program, &documents, &licences)?;
        }
        Ok(())
    }

    /// Returns completions and manual pages by path, which the program prints.
    fn documents(&self, program: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
        let mut documents = BTreeMap::new();
        for (name, file) in SHELLS {
            let text = shell::output(self.runner(program).args(["completions", name]))?;
            documents.insert(format!("completions/{file}"), text.into_bytes());
        }
        let folder = shell::temporary_folder()?;
        shell::output(self.runner(program).args(["man", "--out"]).arg(folder.path()))?;
        for (name, file) in shell::files_below(folder.path())? {
            documents.insert(format!("man/{name}"), read(&file)?);
        }
        Ok(documents)
    }

    /// Returns the command that runs a program of the target, with the runner that Cargo would use.
    fn runner(&self, program: &Path) -> Command {
        let variable = self.target.to_uppercase().replace('-', "_");
        let runner = env::var(format!("CARGO_TARGET_{variable}_RUNNER")).unwrap_or_default();
        let mut words = runner.split_whitespace();
        let Some(first) = words.next() else {
            return Command::new(program);
        };
        let mut command = Command::new(first);
        command.args(words).arg(program);
        command
    }

    fn c_library(&self) -> Result<()> {
        ensure!(self.is_linux(), "the C library is packed for Linux only so far");
        let target = self.library_target();
        let what = ["--package", "tilebase-c", "--lib"];
        let library = self.compiled(&what, &target, "libtilebase_c.so")?;
        let folder = shell::temporary_folder()?;
        let mut install = Command::new(shell::root().join("crates/tilebase-c/install"));
        install.args(["--prefix", "/", "--destdir"]).arg(folder.path());
        install.arg("--libraries").arg(library.parent().context("a file is in a folder")?);
        print!("{}", shell::output(&mut install)?);

        let name = self.name("tilebase-c", &target);
        let mut tree = Tree::default();
        tree.add_folder(&name, folder.path())?;
        // The folder can be anywhere.
        let config = fs::read_to_string(folder.path().join("lib/pkgconfig/tilebase.pc"))?;
        let (first, rest) = config.split_once('\n').unwrap_or_default();
        ensure!(first.starts_with("prefix="), "tilebase.pc does not begin with its prefix");
        let config = format!("prefix=${{pcfiledir}}/../..\n{rest}");
        let path = format!("{name}/lib/pkgconfig/tilebase.pc");
        tree.add(path, Entry::File(config.into_bytes()));
        let licences = licences::licences("tilebase-c", &[], &target)?;
        tree.add(format!("{name}/LICENSES-OF-CRATES.txt"), Entry::File(licences));
        tree.add(format!("{name}/README.md"), Entry::File(read(&shell::root().join("README.md"))?));
        add_texts(&mut tree, &name)?;
        self.pack(&name, &tree)
    }

    fn python(&self) -> Result<()> {
        let target = self.library_target();
        let environment = self.environment(&target)?;
        let maturin = |command| {
            let mut maturin = Command::new("maturin");
            maturin.current_dir(shell::root().join("crates/tilebase-py")).envs(environment.clone());
            maturin.args([command, "--out"]).arg(&self.out);
            maturin
        };
        let mut wheel = maturin("build");
        wheel.args(["--locked", "--profile", &self.args.profile, "--target", &target]);
        if self.is_linux() {
            wheel.args(["--zig", "--compatibility", "manylinux2014"]);
            // Sources are the same everywhere.
            shell::output(&mut maturin("sdist")).context(MATURIN)?;
        }
        shell::output(&mut wheel).context(MATURIN)?;
        Ok(())
    }

    fn page(&self) -> Result<()> {
        let folder = shell::temporary_folder()?;
        let module = self.args.built.as_ref().map(|folder| folder.join("tilebase.wasm"));
        web::export_to(folder.path().join("page"), module)?;
        let name = format!("tilebase-{}-page", self.description.version);
        let mut tree = Tree::default();
        tree.add_folder(&name, &folder.path().join("page"))?;
        self.write(&format!("{name}.zip"), &tree.zip()?)
    }

    fn pack(&self, name: &str, tree: &Tree) -> Result<()> {
        if self.target.contains("-windows-") {
            self.write(&format!("{name}.zip"), &tree.zip()?)
        } else {
            self.write(&format!("{name}.tar.gz"), &tree.tar_gz(self.seconds)?)
        }
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        shell::write_file(&self.out.join(name), bytes)
    }

    /// Writes recipes and digests for all files of the folder.
    fn finish(&self) -> Result<()> {
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(&self.out)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_archive = [".tar.gz", ".zip", ".deb", ".whl"].iter().any(|e| name.ends_with(e));
            if is_archive {
                files.insert(name, read(&entry.path())?);
            }
        }
        let digit_pair = |text: String, byte: &u8| text + &format!("{byte:02x}");
        let sha256 = |bytes: &Vec<u8>| Sha256::digest(bytes).iter().fold(String::new(), digit_pair);
        let blake3 = |bytes: &Vec<u8>| blake3::hash(bytes).to_hex().to_string();
        let sums = files.iter().map(|(name, bytes)| (name.as_str(), sha256(bytes))).collect();
        self.write("SHA256SUMS", list(&sums).as_bytes())?;
        let blake3_sums =
            files.iter().map(|(name, bytes)| (name.as_str(), blake3(bytes))).collect();
        self.write("B3SUMS", list(&blake3_sums).as_bytes())?;
        // A container image with the server and nothing else; its archive lies beside the recipe.
        let container = self.description.fill(include_str!("Containerfile"));
        self.write("Containerfile", container.as_bytes())?;
        if let Some(text) = recipes::formula(&self.description, &sums) {
            self.write("tilebase.rb", text.as_bytes())?;
        }
        for (name, bytes) in &files {
            println!("{:>12}  {name}", bytes.len());
        }
        Ok(())
    }
}

/// Returns digests as `sha256sum` and `b3sum` print them.
fn list(sums: &BTreeMap<&str, String>) -> String {
    sums.iter().fold(String::new(), |list, (name, sum)| list + sum + "  " + name + "\n")
}

fn add_texts(tree: &mut Tree, folder: &str) -> Result<()> {
    for name in TEXTS {
        tree.add(format!("{folder}/{name}"), Entry::File(read(&shell::root().join(name))?));
    }
    Ok(())
}
