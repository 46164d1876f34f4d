//! Split of the solver in two.
//!
//! Most of the solver is not needed before a person asks for more than a game. Binaryen's
//! `wasm-split` moves functions into a second module. The first one has a placeholder for each of
//! them, and the worker of the page loads the rest at the first call of a placeholder. So the two
//! parts together are the same solver, wherever the cut is.
//!
//! 1. An instrumented solver answers what the page asks while it opens and while a person plays
//!    (`first-view.js`, run by Node.js with the page's own worker).
//! 2. The functions that this took are the first part.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::{FEATURES, PAGE, WORKER};
use crate::shell::{self, read};

/// Tool that splits a module.
const SPLITTER: &str = "wasm-split";
/// Prefix of what the first part exports for the rest. The page's worker knows it.
const EXPORT_PREFIX: &str = "%";
/// Scripts of the page's worker, which run without a browser, too.
const WORKER_FILES: [&str; 3] = [WORKER, "web/protocol.js", "web/files.js"];

/// A compiled solver in two parts.
#[derive(Clone, Debug)]
pub(super) struct SolverModule {
    /// The first part, which loads the rest.
    pub(super) first: Vec<u8>,
    pub(super) rest: Vec<u8>,
}

/// Splits a solver.
pub(super) fn split(module: &[u8]) -> Result<SolverModule> {
    let work = shell::temporary_folder()?;
    let file = |name: &str| work.path().join(name);
    shell::write_file(&file("whole.wasm"), module)?;
    run(splitter().arg("--instrument").arg(file("whole.wasm")).arg("-o").arg(file("asked.wasm")))?;
    write_worker(work.path())?;
    shell::write_file(&file("first-view.js"), include_str!("first-view.js"))?;
    let mut node = Command::new("node");
    node.args([file("first-view.js"), file(WORKER), file("asked.wasm"), file("profile")]);
    run(&mut node)?;
    let (first, rest) = (file("first.wasm"), file("rest.wasm"));
    let mut tool = splitter();
    tool.arg(file("whole.wasm")).arg("--profile").arg(file("profile"));
    tool.arg("--export-prefix").arg(EXPORT_PREFIX);
    run(tool.arg("-o1").arg(&first).arg("-o2").arg(&rest))?;
    Ok(SolverModule { first: read(&first)?, rest: read(&rest)? })
}

fn splitter() -> Command {
    let mut command = Command::new(SPLITTER);
    command.args(FEATURES);
    command
}

/// Runs a tool, whose output is shown only if it fails.
pub(super) fn run(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("cannot run {program}"))?;
    let reason = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{program} failed: {}", reason.trim());
    Ok(())
}

/// Copies the page's worker, as modules of Node.js.
fn write_worker(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder.join("web"))?;
    for name in WORKER_FILES {
        let script = read(&shell::root().join(PAGE).join(name))?;
        shell::write_file(&folder.join(name), &script)?;
    }
    shell::write_file(&folder.join("package.json"), "{\"type\":\"module\"}")
}
