//! The path of tables from the build to another machine: build, ship, copy, install, solve and
//! verify with the real commands.

use std::ffi::OsString;
use std::os::unix::fs::FileExt;
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
    for level in ["header", "digest", "entries", "rebuild"] {
        let verified = xtask(&["verify", "8/4-4", "--level", level], &here, 0);
        assert!(verified.contains(&format!("level {level}: ok\n")), "{verified}");
    }
    xtask(&["ship", "8/4-4", "--out", out], &here, 0);

    // The other machine has only the archives.
    let copied = folder.path().join("copied");
    std::fs::create_dir(&copied).unwrap();
    for file in archives.read_dir().unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), copied.join(file.file_name())).unwrap();
    }
    let installed = xtask(&["install", copied.to_str().unwrap()], &there, 0);
    assert!(installed.contains("installed\n"), "{installed}");
    // All built specs: the two tables that were installed.
    let verified = xtask(&["verify", "--level", "digest"], &there, 0);
    assert_eq!(verified.matches(": ok\n").count(), 2, "{verified}");
    let before = tables(&there);
    let solved = run(
        Command::new(&tilebase)
            .args(["solve", "867254301", "--spec", "8/4-4", "--format", "ndjson"])
            .env("TILEBASE_DB", &there),
        0,
    );
    assert!(solved.contains("\"length\":31,"), "{solved}");
    assert_eq!(tables(&there), before);

    // A named folder has priority.
    let db = here.to_str().unwrap();
    let built = xtask(&["build", "8/4-4", "--db", db], folder.path(), 0);
    assert!(built.contains("already there"), "{built}");

    // If a check fails, the exit code is the same.
    let table = there.join("3x3-00f-r4-aware.pdb");
    let last = std::fs::metadata(&table).unwrap().len() - 1;
    let file = std::fs::File::options().read(true).write(true).open(&table).unwrap();
    let mut byte = [0];
    file.read_exact_at(&mut byte, last).unwrap();
    file.write_all_at(&[byte[0] ^ 1], last).unwrap();
    let verified = xtask(&["verify", "8/4-4", "--level", "digest"], &there, 1);
    assert!(verified.contains("bad"), "{verified}");
    // The same holds for a folder without tables.
    xtask(&["verify"], folder.path(), 1);
}

/// Returns the names of the tables in a folder, in order.
fn tables(folder: &Path) -> Vec<OsString> {
    let files = folder.read_dir().unwrap().map(|file| file.unwrap().path());
    let tables = files.filter(|file| file.extension().is_some_and(|extension| extension == "pdb"));
    let mut names: Vec<_> = tables.map(|table| table.file_name().unwrap().to_owned()).collect();
    names.sort();
    names
}
