//! The licences of everything that is compiled into a program: they ask for copies of their texts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::ZIG;
use crate::{shell, toolchain};

/// Beginnings of the names of files with licences.
const NAMES: [&str; 4] = ["LICENSE", "LICENCE", "COPYING", "NOTICE"];
const OURS: &str = "path+";
const LIBRARY: &str = "Rust's standard library";

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    manifest_path: PathBuf,
}

/// Each text once, with the titles of the code that it belongs to.
#[derive(Default)]
struct Texts(BTreeMap<String, BTreeSet<String>>);

impl Texts {
    fn add(&mut self, title: &str, text: &str) {
        self.0.entry(text.trim_end().to_owned()).or_default().insert(title.to_owned());
    }

    fn add_file(&mut self, title: &str, file: &Path) -> Result<()> {
        self.add(title, &read(file)?);
        Ok(())
    }

    /// Adds the files with licences at the top of a folder.
    fn add_folder(&mut self, title: &str, folder: &Path) -> Result<()> {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let file = entry?;
            let name = file.file_name().to_string_lossy().to_uppercase();
            if NAMES.iter().any(|begin| name.starts_with(begin)) && file.file_type()?.is_file() {
                self.add_file(title, &file.path())?;
            }
        }
        Ok(())
    }

    /// Adds the notices of the standard library for a target and of the crates that it links.
    fn add_library(&mut self, target: &str) -> Result<()> {
        let sysroot = toolchain::sysroot()?;
        if toolchain::has_library(&sysroot, target) {
            let page = read(&sysroot.join("share/doc/rust/COPYRIGHT-library.html"))?;
            self.add(LIBRARY, &text_of(&page));
            return Ok(());
        }
        let sources = toolchain::library_sources()?;
        self.add_file(LIBRARY, &sources.with_file_name("COPYRIGHT"))?;
        for entry in fs::read_dir(sources.join("vendor"))? {
            let folder = entry?;
            let title = format!("{LIBRARY}: {}", folder.file_name().display());
            self.add_folder(&title, &folder.path())?;
        }
        Ok(())
    }
}

/// Returns the licences of all code of others in a package: first the list, then each text once.
pub(super) fn licences(package: &str, features: &[&str], target: &str) -> Result<Vec<u8>> {
    let mut tree = shell::cargo();
    tree.args(["tree", "--locked", "--package", package, "--edges", "normal", "--target", target]);
    let tree = shell::output(tree.args(["--prefix", "none", "--format", "{p}"]).args(features))?;
    let linked: BTreeSet<Vec<&str>> =
        tree.lines().map(|line| line.split(' ').take(2).collect()).collect();
    let json = shell::output(shell::cargo().args(["metadata", "--locked", "--format-version=1"]))?;
    let metadata: Metadata = serde_json::from_str(&json)?;

    let mut list = String::from("Tilebase contains this code of others:\n\n");
    let mut texts = Texts::default();
    writeln!(list, "{LIBRARY}: MIT OR Apache-2.0")?;
    texts.add_library(target)?;
    if target.ends_with("-musl") {
        let mut python = Command::new("python3");
        let folder = python.args(["-c", "import ziglang; print(ziglang.__path__[0])"]);
        let zig = Path::new(shell::output(folder).context(ZIG)?.trim()).join("lib");
        list += "musl: MIT\nlibunwind of LLVM: Apache-2.0 WITH LLVM-exception\n";
        texts.add_file("musl", &zig.join("libc/musl/COPYRIGHT"))?;
        texts.add_file("libunwind of LLVM", &zig.join("libunwind/LICENSE.TXT"))?;
    }
    for package in metadata.packages {
        let version = format!("v{}", package.version);
        if package.id.starts_with(OURS) || !linked.contains(&vec![&*package.name, &*version]) {
            continue;
        }
        let title = format!("{} {}", package.name, package.version);
        writeln!(list, "{title}: {}", package.license.as_deref().unwrap_or("see its text"))?;
        let folder = package.manifest_path.with_file_name("");
        texts.add_folder(&title, &folder)?;
        texts.add_folder(&title, &folder.join("zstd"))?;
    }
    let texts: BTreeSet<_> = texts.0.into_iter().map(|(text, titles)| (titles, text)).collect();
    for (titles, text) in texts {
        let titles = titles.into_iter().collect::<Vec<_>>().join(", ");
        write!(list, "\n{}\n{titles}\n\n{text}\n", "=".repeat(80))?;
    }
    Ok(list.into_bytes())
}

/// Returns the text of a page: without its tags, and without empty lines that follow each other.
fn text_of(page: &str) -> String {
    let parts = page.split('<').filter_map(|part| part.split_once('>'));
    let mut text: String = parts.map(|(_, text)| text).collect();
    let signs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    for (code, sign) in signs {
        text = text.replace(code, sign);
    }
    let mut lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.dedup_by(|next, line| next.is_empty() && line.is_empty());
    lines.join("\n")
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}
