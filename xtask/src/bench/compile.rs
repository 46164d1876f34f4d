//! `cargo xtask bench compile`: compilation time of the README's first command, compared with
//! ripgrep.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

use super::median;
use crate::markdown::print_table;
use crate::shell;

/// Version of ripgrep, a well-known program that is compiled with the same compiler and cores.
const RIPGREP: &str = "14.1.1";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Other checkouts to compile in turn with this one, such as an earlier revision
    #[arg(value_name = "CHECKOUT")]
    others: Vec<PathBuf>,
    /// Number of compilations of each
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Also compile and run `cargo test --workspace` of this checkout in each round
    #[arg(long)]
    tests: bool,
}

/// A command that compiles into an empty folder, and its times in seconds.
struct Compilation {
    label: String,
    checkout: PathBuf,
    arguments: Vec<String>,
    seconds: Vec<f64>,
}

impl Compilation {
    fn new(label: &str, checkout: PathBuf, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(ToString::to_string).collect();
        Self { label: label.to_owned(), checkout, arguments, seconds: Vec::new() }
    }

    fn run(&mut self) -> Result<()> {
        let folder = TempDir::new().context("cannot make a temporary folder")?;
        let mut cargo = shell::cargo();
        cargo.current_dir(&self.checkout).args(&self.arguments).arg("--offline");
        if self.arguments[0] == "install" {
            cargo.arg("--root").arg(folder.path());
        }
        cargo.arg("--target-dir").arg(folder.path().join("target"));
        let begun = Instant::now();
        succeed(&mut cargo)?;
        let seconds = begun.elapsed().as_secs_f64();
        eprintln!("{seconds:7.1} s  {}", self.label);
        self.seconds.push(seconds);
        Ok(())
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let install = ["install", "--quiet", "ripgrep", "--version", RIPGREP];
    let release = ["build", "--quiet", "--release", "--locked"];
    let ripgrep = format!("`cargo install ripgrep --version {RIPGREP}`");
    let root = shell::root().to_owned();
    let mut compilations = vec![
        Compilation::new(&ripgrep, root.clone(), &install),
        Compilation::new("`cargo build --release`", root.clone(), &release),
    ];
    for other in &args.others {
        ensure!(
            other.join("Cargo.lock").is_file(),
            "expected a checkout with a Cargo.lock, found none in {}",
            other.display()
        );
        let label = format!("`cargo build --release` in {}", other.display());
        compilations.push(Compilation::new(&label, other.clone(), &release));
    }
    if args.tests {
        let test = ["test", "--quiet", "--workspace", "--locked"];
        compilations.push(Compilation::new("`cargo test --workspace`", root, &test));
    }
    download(&compilations)?;
    for _ in 0..args.rounds {
        for compilation in &mut compilations {
            compilation.run()?;
        }
    }
    let base = median(compilations[0].seconds.iter().copied());
    let rows: Vec<_> = compilations
        .iter()
        .map(|Compilation { label, seconds, .. }| {
            let all: Vec<_> = seconds.iter().map(|seconds| format!("{seconds:.0}")).collect();
            let middle = median(seconds.iter().copied());
            let ratio = format!("{:.2}", middle / base);
            [label.clone(), all.join(", "), format!("{middle:.0} s"), ratio]
        })
        .collect();
    println!("From an empty target folder, dependencies downloaded, round after round:\n");
    print_table(&["command", "seconds of each round", "median", "of ripgrep's"], &rows);
    Ok(())
}

/// Downloads all dependencies, so that no compilation waits for the network.
fn download(compilations: &[Compilation]) -> Result<()> {
    for Compilation { checkout, arguments, .. } in compilations {
        if arguments[0] != "install" {
            succeed(shell::cargo().current_dir(checkout).args(["fetch", "--quiet", "--locked"]))?;
        }
    }
    // Cargo downloads a program's dependencies only when it installs the program.
    let folder = TempDir::new().context("cannot make a temporary folder")?;
    let install = &compilations[0].arguments;
    succeed(shell::cargo().args(install).arg("--debug").arg("--root").arg(folder.path()))
}

fn succeed(command: &mut Command) -> Result<()> {
    shell::output(command).map(drop)
}
