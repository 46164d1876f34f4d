//! Commands on tables run the command line with their arguments, and end with its exit code.

use std::path::Path;
use std::process::Command;

use crate::{run, tilebase};

#[test]
fn built_tables_are_shipped_installed_elsewhere_and_verified() {
    let Some(tilebase) = tilebase() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (folder.path().join("here"), folder.path().join("there"));
    let archives = folder.path().join("archives");
    let xtask = |args: &[&str], db: &Path, code| {
        let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
        run(xtask.env("TILEBASE", &tilebase).env("TILEBASE_DB", db).args(args), code)
    };
    let out = archives.to_str().unwrap();

    let built = xtask(&["build", "8/4-4"], &here, 0);
    assert!(built.contains("3x3-00f-r4-aware.pdb: "), "{built}");
    let verified = xtask(&["verify", "8/4-4"], &here, 0);
    assert!(verified.contains("level rebuild: ok\n"), "{verified}");
    xtask(&["ship", "8/4-4", "--out", out], &here, 0);
    let installed = xtask(&["install", out], &there, 0);
    assert!(installed.contains("installed\n"), "{installed}");
    // All built specs: the two tables that were installed.
    let verified = xtask(&["verify", "--level", "digest"], &there, 0);
    assert_eq!(verified.matches(": ok\n").count(), 2, "{verified}");
    // A named folder has priority.
    let db = here.to_str().unwrap();
    let built = xtask(&["build", "8/4-4", "--db", db], folder.path(), 0);
    assert!(built.contains("already there"), "{built}");
    // If a check fails, the exit code is the same. So it is in a folder without tables.
    let verified = xtask(&["verify", "8/whole"], &here, 1);
    assert!(verified.contains("not checked"), "{verified}");
    xtask(&["verify"], folder.path(), 1);
}
