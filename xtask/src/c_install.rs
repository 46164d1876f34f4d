//! `cargo xtask c-install`: header, libraries and pkg-config file under a prefix.
//!
//! 1. Cargo compiles a shared and a static library, unless compiled ones are given.
//! 2. The shared library must export exactly the names in the header.
//! 3. Debug information is removed from both. The static library becomes a single object, in which
//!    all other names are local. So none of them, such as those of zstd, conflicts with a name of
//!    the program.
//! 4. All files go to their places, each of them atomically.

use std::ffi::OsString;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::c_header::HEADER;
use crate::shell;

/// Prefix of the names of the interface.
const PREFIX: &str = "tilebase_";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Prefix of the installation: files go to include, lib and lib/pkgconfig below it
    #[arg(long, value_name = "DIR")]
    prefix: PathBuf,
    /// Folder that is put before the prefix when files are written, for packagers
    #[arg(long, value_name = "DIR")]
    destdir: Option<PathBuf>,
    /// Cargo's profile: release, dist (smaller, takes longer), dev
    #[arg(long, default_value = "release")]
    profile: String,
    /// Leave out the builder of tables
    #[arg(long)]
    no_build: bool,
    /// Install the libraries of this folder, such as target/release, without compiling
    #[arg(long, value_name = "DIR", conflicts_with_all = ["profile", "no_build"])]
    libraries: Option<PathBuf>,
}

/// The compiled libraries, and what Cargo says about them.
struct Libraries {
    shared: PathBuf,
    fixed: PathBuf,
    /// System libraries of the static library, as options of the linker.
    system: String,
    version: String,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    ensure!(cfg!(target_os = "linux"), "the libraries are installed on Linux only so far");
    let prefix = std::path::absolute(&args.prefix)?;
    let root = match &args.destdir {
        Some(folder) => std::path::absolute(folder)?.join(prefix.strip_prefix("/")?),
        None => prefix.clone(),
    };
    let work = shell::temporary_folder()?;
    let made = make(args, work.path())?;
    let exported = exports(&made.shared)?;
    let archive = one_object(&made.fixed, &exported, work.path())?;
    let shared = work.path().join("libtilebase.so");
    let mut objcopy = Command::new("objcopy");
    shell::output(objcopy.arg("--strip-unneeded").args([&made.shared, &shared]))?;

    let lib = root.join("lib");
    let (whole, series) = (format!("libtilebase.so.{}", made.version), shared_name(&made.version));
    put(&shell::root().join(HEADER), &root.join("include/tilebase.h"), 0o644)?;
    put(&shared, &lib.join(&whole), 0o755)?;
    link(&whole, &lib.join(&series))?;
    link(&series, &lib.join("libtilebase.so"))?;
    put(&archive, &lib.join("libtilebase.a"), 0o644)?;
    let description = work.path().join("tilebase.pc");
    shell::write_file(&description, &package_config(&prefix, &made))?;
    put(&description, &lib.join("pkgconfig/tilebase.pc"), 0o644)?;
    println!("{} functions, and no other name", exported.len());
    Ok(())
}

/// Returns the name by which programs look for the library. Before version 1.0, each second number
/// of the version is incompatible with the others.
fn shared_name(version: &str) -> String {
    let mut numbers = version.split('.');
    match (numbers.next(), numbers.next()) {
        (Some("0"), Some(minor)) => format!("libtilebase.so.0.{minor}"),
        (major, _) => format!("libtilebase.so.{}", major.unwrap_or_default()),
    }
}

fn make(args: &Args, work: &Path) -> Result<Libraries> {
    let metadata: Value = shell::metadata()?;
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let package = packages.iter().find(|package| package["name"] == "tilebase-c");
    let version = package.and_then(|package| package["version"].as_str());
    let version = version.context("cargo metadata knows no tilebase-c")?.to_owned();

    let libraries = match &args.libraries {
        Some(folder) => ["so", "a"].map(|e| folder.join(format!("libtilebase_c.{e}"))).to_vec(),
        None => compile(args)?,
    };
    let of_kind = |extension: &str| {
        let found = libraries.iter().find(|path| path.extension().is_some_and(|e| e == extension));
        found.cloned().with_context(|| format!("cargo made no .{extension} file"))
    };
    Ok(Libraries {
        shared: of_kind("so")?,
        fixed: of_kind("a")?,
        system: system_libraries(work)?,
        version,
    })
}

/// Compiles the libraries and returns their paths.
fn compile(args: &Args) -> Result<Vec<PathBuf>> {
    let mut build = shell::cargo();
    build.args(["build", "--locked", "--package", "tilebase-c", "--lib"]);
    build.args(["--message-format=json-render-diagnostics", "--profile", &args.profile]);
    if args.no_build {
        build.arg("--no-default-features");
    }
    let output = shell::output(&mut build)?;
    let messages = output.lines().map(serde_json::from_str::<Value>);
    let messages: Vec<Value> = messages.collect::<Result<_, _>>()?;
    let library = messages.iter().find(|message| {
        message["reason"] == "compiler-artifact" && message["target"]["name"] == "tilebase_c"
    });
    let files = library.and_then(|message| message["filenames"].as_array()).into_iter().flatten();
    Ok(files.filter_map(Value::as_str).map(PathBuf::from).collect())
}

/// Returns the system libraries that a static library needs. They are those of an empty library, as
/// everything else is compiled in.
fn system_libraries(work: &Path) -> Result<String> {
    let (source, list) = (work.join("empty.rs"), work.join("list"));
    shell::write_file(&source, "")?;
    let mut rustc = Command::new("rustc");
    rustc.args(["--crate-type=staticlib", "--out-dir"]).args([work, &source]);
    shell::output(rustc.arg(format!("--print=native-static-libs={}", list.display())))?;
    Ok(std::fs::read_to_string(&list)?.trim().to_owned())
}

/// Returns the names that a shared library exports; all of them must belong to the interface.
fn exports(library: &Path) -> Result<Vec<String>> {
    let list = shell::output(
        Command::new("nm").args(["--dynamic", "--defined-only", "--format=posix"]).arg(library),
    )?;
    let names = list.lines().filter_map(|line| line.split(' ').next());
    let names: Vec<String> = names.map(str::to_owned).collect();
    let other = names.iter().find(|name| !name.starts_with(PREFIX));
    ensure!(other.is_none(), "{} also exports {other:?}", library.display());
    let header = std::fs::read_to_string(shell::root().join(HEADER))?;
    let unknown = names.iter().find(|name| !header.contains(&format!("{name}(")));
    ensure!(unknown.is_none(), "{HEADER} lacks {unknown:?}: run `cargo xtask c-header`");
    ensure!(!names.is_empty(), "{} exports nothing", library.display());
    Ok(names)
}

/// Returns a static library with the code that these functions need; all other names are hidden.
fn one_object(library: &Path, names: &[String], work: &Path) -> Result<PathBuf> {
    let (all, object, archive) =
        (work.join("all.o"), work.join("tilebase.o"), work.join("libtilebase.a"));
    let mut ld = Command::new("ld");
    ld.args(["--relocatable", "--gc-sections"]);
    ld.args(names.iter().map(|name| format!("--undefined={name}")));
    shell::output(ld.arg("--whole-archive").arg(library).arg("-o").arg(&all))?;
    let mut objcopy = Command::new("objcopy");
    objcopy.args(["--wildcard", "--strip-debug"]);
    objcopy.arg(format!("--keep-global-symbol={PREFIX}*"));
    // The concatenated bitcode of several objects is not valid, so it is removed.
    objcopy.args(["--remove-section=.llvmbc", "--remove-section=.llvmcmd"]);
    shell::output(objcopy.args([&all, &object]))?;
    shell::output(Command::new("ar").arg("rcsD").args([&archive, &object]))?;
    Ok(archive)
}

fn package_config(prefix: &Path, made: &Libraries) -> String {
    let Libraries { system, version, .. } = made;
    format!(
        "prefix={}\n\
         includedir=${{prefix}}/include\n\
         libdir=${{prefix}}/lib\n\
         \n\
         Name: tilebase\n\
         Description: Optimal solutions of sliding-tile puzzles\n\
         Version: {version}\n\
         Cflags: -I${{includedir}}\n\
         Libs: -L${{libdir}} -ltilebase\n\
         Libs.private: {system}\n",
        prefix.display()
    )
}

/// Copies a file atomically.
fn put(from: &Path, to: &Path, mode: u32) -> Result<()> {
    let bytes = std::fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
    let folder = to.parent().unwrap_or(Path::new("/"));
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    shell::write_bytes(to, &bytes, mode)?;
    println!("{}", to.display());
    Ok(())
}

/// Creates a symbolic link beside a file, and replaces an older one.
fn link(target: &str, name: &Path) -> Result<()> {
    let mut new = OsString::from(name);
    new.push(".new");
    let make = || -> std::io::Result<()> {
        // A link may remain from an interrupted run.
        let _ = std::fs::remove_file(&new);
        symlink(target, &new)?;
        std::fs::rename(&new, name)
    };
    make().with_context(|| format!("cannot make the link {}", name.display()))?;
    println!("{} -> {target}", name.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_names_differ_between_versions_before_1_0() {
        assert_eq!(shared_name("0.1.0"), "libtilebase.so.0.1");
        assert_eq!(shared_name("0.12.3"), "libtilebase.so.0.12");
        assert_eq!(shared_name("2.1.0"), "libtilebase.so.2");
    }
}
