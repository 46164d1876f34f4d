//! The licences of everything that is compiled into a program: they ask for copies of their texts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::shell;

/// Beginnings of the names of files with licences.
const NAMES: [&str; 4] = ["LICENSE", "LICENCE", "COPYING", "NOTICE"];
const OURS: &str = "path+";

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

/// Returns the licences of all crates of others in a package: first the list, then each text once.
pub(super) fn licences(package: &str, features: &[&str], target: &str) -> Result<Vec<u8>> {
    let mut tree = shell::cargo();
    tree.args(["tree", "--locked", "--package", package, "--edges", "normal", "--target", target]);
    let tree = shell::output(tree.args(["--prefix", "none", "--format", "{p}"]).args(features))?;
    let linked: BTreeSet<Vec<&str>> =
        tree.lines().map(|line| line.split(' ').take(2).collect()).collect();
    let json = shell::output(shell::cargo().args(["metadata", "--locked", "--format-version=1"]))?;
    let metadata: Metadata = serde_json::from_str(&json)?;

    let mut list = String::from("Tilebase contains this code of others:\n\n");
    list += "Rust's standard library: MIT OR Apache-2.0\n";
    if target.ends_with("-musl") {
        list += "musl: MIT\nlibunwind of LLVM: Apache-2.0 WITH LLVM-exception\n";
    }
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in metadata.packages {
        let version = format!("v{}", package.version);
        if package.id.starts_with(OURS) || !linked.contains(&vec![&*package.name, &*version]) {
            continue;
        }
        let title = format!("{} {}", package.name, package.version);
        writeln!(list, "{title}: {}", package.license.as_deref().unwrap_or("see its text"))?;
        let folder = package.manifest_path.with_file_name("");
        for folder in [folder.clone(), folder.join("zstd")] {
            for entry in fs::read_dir(&folder).into_iter().flatten() {
                let file = entry?;
                let name = file.file_name().to_string_lossy().to_uppercase();
                if NAMES.iter().any(|begin| name.starts_with(begin)) && file.file_type()?.is_file()
                {
                    let text = fs::read_to_string(file.path())
                        .with_context(|| format!("cannot read {}", file.path().display()))?;
                    texts.entry(text.trim_end().to_owned()).or_default().push(title.clone());
                }
            }
        }
    }
    let mut texts: Vec<(Vec<String>, String)> =
        texts.into_iter().map(|(text, titles)| (titles, text)).collect();
    texts.sort();
    for (mut titles, text) in texts {
        titles.dedup();
        write!(list, "\n{}\n{}\n\n{text}\n", "=".repeat(80), titles.join(", "))?;
    }
    Ok(list.into_bytes())
}
