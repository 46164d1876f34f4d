//! Compilers for other targets than this machine's.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::shell;

/// Target of the page's solver.
pub(crate) const BROWSER: &str = "wasm32-unknown-unknown";

/// Environment variables of a command.
pub(crate) type Environment = Vec<(&'static str, OsString)>;

/// Returns the environment in which Cargo can compile to a target: with the toolchain's own
/// standard library, or with Debian's compiler for browsers, which ships the standard library as
/// source.
pub(crate) fn environment_for(target: &str) -> Result<Environment> {
    if has_library(&sysroot()?, target) {
        return Ok(Vec::new());
    }
    let is_browser = target == BROWSER;
    let linker = if is_browser { ", and lld-19" } else { "" };
    let advice = format!(
        "install the target with `rustup target add {target}`, or on Debian the packages rustc-web, \
         rust-web-src{linker}"
    );
    let compiler = packaged("rustc-web", "/bin/rustc").with_context(|| {
        format!("this toolchain has no standard library for {target}: {advice}")
    })?;
    let library = library_sources()
        .with_context(|| format!("the sources of the standard library are missing: {advice}"))?;
    let panic = if is_browser { "panic_abort" } else { "panic_unwind" };
    // `build-std` is unstable, and its variable for sources elsewhere is meant for tests of cargo.
    let mut environment = vec![
        ("RUSTC", compiler.into()),
        ("RUSTC_BOOTSTRAP", "1".into()),
        ("__CARGO_TESTS_ONLY_SRC_ROOT", library.into()),
        ("CARGO_UNSTABLE_BUILD_STD", format!("std,{panic}").into()),
    ];
    if is_browser {
        let linker = packaged("lld-19", "/wasm-ld-19")
            .with_context(|| format!("the linker wasm-ld-19 is missing: {advice}"))?;
        environment.push(("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker.into()));
    }
    Ok(environment)
}

/// Returns the folder of the toolchain.
pub(crate) fn sysroot() -> Result<PathBuf> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let sysroot = shell::output(Command::new(&rustc).args(["--print", "sysroot"]))?;
    Ok(sysroot.trim().into())
}

/// Returns whether a toolchain has the standard library for a target.
pub(crate) fn has_library(sysroot: &Path, target: &str) -> bool {
    sysroot.join("lib/rustlib").join(target).join("lib").exists()
}

/// Returns the folder with Debian's sources of the standard library.
pub(crate) fn library_sources() -> Result<PathBuf> {
    Ok(packaged("rust-web-src", "/library/Cargo.lock")?.with_file_name(""))
}

/// Returns the file of a Debian package whose path ends so.
fn packaged(package: &str, ending: &str) -> Result<PathBuf> {
    let output = Command::new("dpkg").args(["-L", package]).output();
    let output = output.context("there is no dpkg")?;
    ensure!(output.status.success(), "the package {package} is not installed");
    let list = String::from_utf8(output.stdout)?;
    let file = list.lines().find(|line| line.ends_with(ending));
    file.map(PathBuf::from).with_context(|| format!("{package} has no file {ending}"))
}
