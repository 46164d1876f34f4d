//! The calls of Windows, on Windows.
#![cfg(windows)]
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, thread};

use pdb_system::{
    FileState, Job, available_memory_bytes, free_disk_bytes, peak_memory_bytes,
    physical_memory_bytes,
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

/// The processes are this test: the first one starts the second, and both wait.
#[test]
fn processes_of_a_job_end_with_it() {
    const LEVEL: &str = "TILEBASE_TEST_LEVEL";
    let start = |level: &str| {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", "processes_of_a_job_end_with_it"]).env(LEVEL, level);
        command
    };
    match env::var(LEVEL).as_deref() {
        Ok("first") => {
            // Until this process belongs to the job.
            thread::sleep(Duration::from_millis(500));
            start("second").status().unwrap();
            return;
        }
        Ok(_) => {
            io::stdout().write_all(b"\nready\n").unwrap();
            thread::sleep(Duration::from_mins(1));
            return;
        }
        Err(_) => {}
    }
    let begun = Instant::now();
    let job = Job::new().unwrap();
    let mut child = start("first").stdout(Stdio::piped()).spawn().unwrap();
    job.add(&child).unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while line.trim() != "ready" {
        line.clear();
        assert_ne!(output.read_line(&mut line).unwrap(), 0, "the second process did not start");
    }
    job.kill().unwrap();
    // The output ends with the last process that can write to it.
    output.read_to_end(&mut Vec::new()).unwrap();
    assert!(!child.wait().unwrap().success());
    assert!(begun.elapsed() < Duration::from_secs(50));
}
