//! Files appear completely or not at all, also during simultaneous builds and after interruptions.

use std::path::Path;

use pdb_core::{BlankMode, TableKey};
use pdb_gen::{Build, Event, GenError, Level, Monitor, verify};

use crate::{
    assert_is_table, built, cancelled_at, is_level, names_in, quiet, read, scratch, tiles_of_15,
    walking, write,
};

fn five() -> TableKey {
    tiles_of_15([3, 4, 7, 8, 12], BlankMode::Aware)
}

fn six() -> TableKey {
    tiles_of_15([1, 2, 5, 6, 9, 10], BlankMode::Aware)
}

#[test]
fn simultaneous_builds_of_one_table_write_one_file() {
    let folder = scratch();
    let build = |replace| Build { replace, ..quiet(folder.path()) }.in_memory(&five());
    for replace in [false, true] {
        let reports: Vec<_> = std::thread::scope(|scope| {
            let builds: Vec<_> = (0..3).map(|_| scope.spawn(|| build(replace))).collect();
            builds.into_iter().map(|b| b.join().expect("no panic").expect("no error")).collect()
        });
        let new = reports.iter().filter(|report| !report.already_there).count();
        assert_eq!(new, if replace { 3 } else { 1 });
        assert_eq!(names_in(folder.path()), [five().file_name()]);
        let path = &reports[0].path;
        let report = verify(path, Level::Digest, 2, &Monitor::silent()).expect("it can be read");
        assert!(report.is_good());
    }
}

#[test]
fn leftovers_of_a_killed_build_are_removed_and_other_files_are_not() {
    let folder = scratch();
    let own = format!(".{}.tmp-k1LLed", five().file_name());
    let others = format!(".{}.tmp-a1iVe0", six().file_name());
    for name in [&own, &others, "notes.txt"] {
        write(&folder.path().join(name), b"half a table");
    }
    built(&five(), folder.path());
    assert_eq!(names_in(folder.path()), [&others, &five().file_name(), "notes.txt"]);
}

#[test]
fn a_damaged_table_is_built_again_and_a_whole_one_is_left_alone() {
    let folder = scratch();
    let path = built(&five(), folder.path());
    let whole = read(&path);
    write(&path, &whole[..whole.len() - 1]);
    let build = || quiet(folder.path()).in_memory(&five()).expect("no error");
    assert!(!build().already_there);
    assert!(build().already_there);
    assert!(read(&path) == whole);
}

/// Cancels a build at the first event that `when` accepts; returns the names it leaves in the
/// folder.
fn left_after_cancelling(when: impl Fn(Event) -> bool + Sync, folder: &Path) -> Vec<String> {
    let error = cancelled_at(when, |monitor| {
        let build = Build { replace: true, monitor, ..quiet(folder) };
        build.in_memory(&five()).expect_err("cancelled before the end")
    });
    assert!(matches!(error, GenError::Interrupted));
    assert_eq!(error.to_string(), "interrupted; nothing half-written was left behind");
    names_in(folder)
}

#[test]
fn a_cancelled_build_leaves_no_file_or_the_existing_one() {
    let cancellations: [fn(Event) -> bool; 4] = [
        |event| is_level(event, 1),
        |event| is_level(event, 12),
        |event| event == Event::Pack,
        |event| matches!(event, Event::Write { .. }),
    ];
    for when in cancellations {
        let folder = scratch();
        assert_eq!(left_after_cancelling(when, folder.path()), [""; 0]);
        let path = built(&five(), folder.path());
        assert_eq!(left_after_cancelling(when, folder.path()), [five().file_name()]);
        assert_is_table(&path, &five(), "it was there before");
    }
}

#[test]
fn error_names_a_folder_that_cannot_be_written() {
    let folder = scratch();
    let file = folder.path().join("file");
    write(&file, b"");
    let below = file.join("tables");
    let mut unwritable =
        vec![(below.clone(), format!("cannot create the folder {}: ", below.display()))];
    if cfg!(unix) {
        unwritable.extend([
            ("/proc/tilebase".into(), "cannot create the folder /proc/tilebase: ".to_owned()),
            ("/proc".into(), "cannot lock /proc/.wd-2x2-b1.pdb.lock: ".to_owned()),
        ]);
    }
    for (target, start) in unwritable {
        let error =
            quiet(&target).in_memory(&walking(2, 2, 1)).expect_err("the folder is not writable");
        assert!(matches!(error, GenError::Io { .. }));
        assert!(error.to_string().starts_with(&start), "{error}");
    }
    assert_eq!(names_in(folder.path()), ["file"]);
}
