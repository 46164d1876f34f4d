//! Tables that are replaced while they are mapped.

#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

use std::path::{Path, PathBuf};
use std::process::{Command, exit};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs};

use pdb_core::{Goal, Plan, Shape};
use pdb_gen::faults::{Change, Watch};
use pdb_gen::{Build, write_file};
use pdb_rt::Table;

/// Builds a table in a folder.
fn built(folder: &Path) -> PathBuf {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    Build::new(folder).in_memory(&Plan::walking(&goal).tables()[0]).unwrap().path
}

/// Returns the names in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn replaced_table_stays_readable_until_it_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let path = built(folder.path());
    let whole = names(folder.path());
    let table = Table::open(&path).unwrap();
    let payload = table.payload().to_vec();
    for new in [&b"a new file"[..], b"another one"] {
        let reader = Table::open(&path).ok();
        write_file(&path, new).unwrap();
        assert_eq!(fs::read(&path).unwrap(), new);
        assert_eq!(table.payload(), payload);
        drop(reader);
    }
    drop(table);
    write_file(&path, b"the last").unwrap();
    assert_eq!(names(folder.path()), whole);
}

/// On Windows, a mapped file can be neither overwritten nor cut short.
#[cfg(windows)]
#[test]
fn mapped_table_cannot_be_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = built(folder.path());
    let table = Table::open(&path).unwrap();
    assert!(fs::File::options().write(true).open(&path).is_err());
    drop(table);
    fs::File::options().write(true).open(&path).unwrap();
}

/// Ends a process before each change of the file system while it replaces a table that it has
/// mapped. The process is this test with the number of the change.
#[test]
fn killed_writer_leaves_the_old_table_or_the_new_one() {
    const FOLDER: &str = "TILEBASE_TEST_FOLDER";
    const CHANGE: &str = "TILEBASE_TEST_CHANGE";
    const KILLED: i32 = 9;
    if let (Some(folder), Ok(stop_at)) = (env::var_os(FOLDER), env::var(CHANGE)) {
        let stop_at: u32 = stop_at.parse().unwrap();
        let path = Path::new(&folder).join("table.pdb");
        let _mapped = Table::open(&path).unwrap();
        let count = AtomicU32::new(0);
        let _watch = Watch::begin(Path::new(&folder), move |_| {
            if count.fetch_add(1, Ordering::SeqCst) == stop_at {
                // No destructor runs.
                exit(KILLED);
            }
            Ok(())
        });
        write_file(&path, b"new").unwrap();
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let old = fs::read(built(place.path())).unwrap();
    let mut absent_count = 0;
    for change in 0.. {
        let folder = place.path().join(change.to_string());
        fs::create_dir(&folder).unwrap();
        let path = folder.join("table.pdb");
        write_file(&path, &old).unwrap();
        let mut writer = Command::new(env::current_exe().unwrap());
        writer.args(["--exact", "killed_writer_leaves_the_old_table_or_the_new_one"]);
        let output = writer.env(FOLDER, &folder).env(CHANGE, change.to_string()).output().unwrap();
        let is_killed = output.status.code() == Some(KILLED);
        assert!(is_killed || output.status.success(), "{output:?}");
        match fs::read(&path) {
            Ok(found) => assert!(found == old || found == b"new", "change {change}"),
            Err(_) => absent_count += 1,
        }
        // The next writer finds the old table before it replaces it.
        let target = path.clone();
        let watch = Watch::begin(&folder, move |change| match change {
            Change::CreateTemporary(_) => fs::metadata(&target).map(drop),
            _ => Ok(()),
        });
        write_file(&path, b"newer").unwrap();
        drop(watch);
        assert_eq!(fs::read(&path).unwrap(), b"newer");
        assert_eq!(names(&folder), ["table.pdb"], "change {change}");
        if !is_killed {
            break;
        }
    }
    // Only where a table in use is moved aside, there is a moment without one.
    assert_eq!(absent_count, u32::from(cfg!(windows)));
}
