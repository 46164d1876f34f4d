//! The calls of Windows, on Windows.
#![cfg(windows)]
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

use std::fs::File;
use std::io::Write;
use std::time::Duration;
use std::{env, thread};

use pdb_system::{
    FileState, available_memory_bytes, free_disk_bytes, peak_memory_bytes, physical_memory_bytes,
};

#[test]
fn sizes_are_plausible() {
    let physical = physical_memory_bytes().unwrap();
    assert!(physical > 1 << 28);
    assert!(available_memory_bytes().unwrap() <= physical);
    assert!((1 << 20..physical).contains(&peak_memory_bytes().unwrap()));
    assert!(free_disk_bytes(&env::temp_dir()).unwrap() > 0);
    assert_eq!(free_disk_bytes(&env::temp_dir().join("absent")), None);
}

#[test]
fn state_of_a_file_shows_a_write_and_a_new_file() {
    let path = env::temp_dir().join(format!("tilebase-state-{}", std::process::id()));
    let mut file = File::options().create_new(true).write(true).open(&path).unwrap();
    let empty = FileState::of(&file).unwrap();
    let since_1970 = Duration::from_secs(empty.modified.0.unsigned_abs());
    assert!(std::time::UNIX_EPOCH.elapsed().unwrap().abs_diff(since_1970).as_secs() < 60);
    assert_eq!(empty, FileState::of(&file).unwrap());
    thread::sleep(Duration::from_millis(50));
    file.write_all(b"text").unwrap();
    file.sync_all().unwrap();
    let written = FileState::of(&file).unwrap();
    assert_eq!((written.volume, written.index, written.bytes), (empty.volume, empty.index, 4));
    assert!(written.changed > empty.changed && written.modified > empty.modified);
    let other = path.with_extension("other");
    let second = File::options().create_new(true).write(true).open(&other).unwrap();
    assert_ne!(FileState::of(&second).unwrap().index, empty.index);
    drop((file, second));
    std::fs::remove_file(path).unwrap();
    std::fs::remove_file(other).unwrap();
}
