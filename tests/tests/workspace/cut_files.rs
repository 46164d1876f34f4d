//! A mapped table that is truncated ends the process or gives an error.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::FileExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};

use pdb_core::{BlankMode, CellSet, Shape, TableKey};
use pdb_gen::Build;
use pdb_tests::tables::pattern_key;
use rustix::process::Signal;

/// The end of a process whose table was truncated to `len` bytes, and its output after that.
struct ExitReport {
    code: Option<i32>,
    signal: Option<i32>,
    stdout: String,
    stderr: String,
}

fn cut(path: &Path, how: &str, change: impl FnOnce(&File)) -> ExitReport {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cut"))
        .arg(path)
        .arg(how)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it was built with this test");
    let mut out = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut line = String::new();
    out.read_line(&mut line).expect("it has opened the table");
    assert!(line.ends_with(" false\n") && !line.starts_with("0 "), "{line}");
    change(&File::options().write(true).open(path).expect("it is there"));
    child.stdin.take().expect("it is piped").write_all(b"\n").expect("it waits");
    let (mut stdout, mut stderr) = (String::new(), String::new());
    out.read_to_string(&mut stdout).expect("text");
    child.stderr.take().expect("it is piped").read_to_string(&mut stderr).expect("text");
    let status = child.wait().expect("it ends");
    ExitReport { code: status.code(), signal: status.signal(), stdout, stderr }
}

#[test]
fn a_truncated_table_ends_a_process_that_does_not_handle_sigbus() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let shape = Shape::new(3, 3).expect("a shape that is supported");
    let key = pattern_key(shape, CellSet(0b0_0011_1110), 8, BlankMode::Collapsed);
    let key = TableKey::Pattern(key);
    let table = || {
        let report = Build { replace: true, ..Build::new(folder.path()) }.in_memory(&key);
        let path = report.expect("a small table").path;
        let len = path.metadata().expect("it is there").len();
        (path, len)
    };
    for left in [0, 4096, 8192] {
        let (path, len) = table();
        let ended = cut(&path, "bare", |file| file.set_len(left).expect("it is writable"));
        assert_eq!(ended.signal, Some(Signal::BUS.as_raw()), "{left}: {}", ended.stderr);
        let (path, _) = table();
        let ended = cut(&path, "outlive", |file| file.set_len(left).expect("it is writable"));
        assert_eq!((ended.code, &*ended.stdout), (Some(1), "0 true\n"), "{}", ended.stderr);
        let error = format!("CutShort {{ expected: {len}, found: 0 }}");
        assert!(ended.stderr.contains(&error), "{}", ended.stderr);
    }
    for how in ["bare", "outlive"] {
        // There is no signal inside the last page, or if the file has its length again.
        let (path, len) = table();
        let ended = cut(&path, how, |file| file.set_len(len - 100).expect("it is writable"));
        assert!(ended.stdout.ends_with(" true\n"), "{}", ended.stdout);
        let error = format!("CutShort {{ expected: {len}, found: {} }}", len - 100);
        assert_eq!(ended.code, Some(1));
        assert!(ended.stderr.contains(&error), "{}", ended.stderr);
        let (path, len) = table();
        let ended = cut(&path, how, |file| {
            file.set_len(0).expect("it is writable");
            file.set_len(len).expect("it is writable");
        });
        assert_eq!((ended.code, &*ended.stdout), (Some(1), "0 true\n"), "{}", ended.stderr);
        assert!(ended.stderr.contains("Written"), "{}", ended.stderr);
        // The file has other bytes instead.
        let (path, len) = table();
        let ended = cut(&path, how, |file| file.write_all_at(b"x", len - 1).expect("writable"));
        assert!(ended.stdout.ends_with(" true\n"), "{}", ended.stdout);
        assert!(ended.code == Some(1) && ended.stderr.contains("Written"), "{}", ended.stderr);
    }
}
