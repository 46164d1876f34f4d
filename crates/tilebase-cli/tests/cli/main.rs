//! The real binary: exact output and exit codes.
#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

mod answers;
mod boards;
mod compare;
mod damage;
mod draw;
mod explain;
mod hard;
mod help;
mod inputs;
#[cfg(unix)]
mod interrupt;
#[cfg(feature = "model")]
mod model;
mod networks;
#[cfg(unix)]
mod outputs;
#[cfg(all(unix, feature = "play"))]
mod play;
mod rate;
mod scramble;
#[cfg(feature = "serve")]
mod serve;
mod solve;
#[cfg(all(unix, feature = "model"))]
mod solvers;
mod stream;
mod tables;
#[cfg(unix)]
mod terminal;
mod usage;
#[cfg(unix)]
mod waits;
mod within;

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
#[cfg(unix)]
use std::sync::{Arc, Once, atomic::AtomicBool};

use pdb_core::TableKey;
use pdb_tests::tables::plan;
#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use tempfile::TempDir;

/// A folder of one test, with its tables and files.
struct TestFolder {
    folder: TempDir,
}

/// Result of a run.
#[derive(Debug, PartialEq, Eq)]
struct RunResult {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl RunResult {
    /// Checks the exit code and a part of the message; there must be no other output.
    fn says(self, code: i32, message: &str) -> Self {
        assert_eq!((self.code, &*self.stdout), (Some(code), ""), "{self:?}");
        assert!(self.stderr.contains(message), "{message}: {self:?}");
        self
    }

    /// Checks the exit code and a part of the output.
    fn prints(self, code: i32, part: &str) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert!(self.stdout.contains(part), "{part}: {self:?}");
        self
    }
}

impl TestFolder {
    fn new() -> Self {
        #[cfg(unix)]
        give_default_signals();
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// Creates a folder with the tables of a shipped spec: copies of those that all tests share.
    fn with_tables(spec: &str) -> Self {
        let place = Self::new();
        let plan = plan(spec, &pdb_spec::builtin(spec).unwrap().goal);
        pdb_tests::tables::database(&plan);
        fs::create_dir(place.db()).unwrap();
        let shared = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables");
        for name in plan.tables().iter().map(TableKey::file_name) {
            fs::copy(shared.join(&name), place.db().join(&name)).unwrap();
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn db(&self) -> PathBuf {
        self.path("db")
    }

    fn tables(&self) -> Vec<String> {
        // A check is recorded only if the file is old enough.
        let is_table = |name: &String| !name.ends_with(".checked");
        names(&self.db()).into_iter().filter(is_table).collect()
    }

    fn write(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.path(name);
        File::options()
            .write(true)
            .create(true)
            .truncate(true)
            .open(&path)
            .unwrap()
            .write_all(bytes)
            .unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Returns the JSON of a file.
    fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.path(name)).unwrap()).unwrap()
    }

    /// Returns a command in this folder, with an empty environment.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilebase"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env_clear()
            .env("TILEBASE_DB", self.db())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Starts a command with open pipes.
    fn start(&self, arguments: &[&str]) -> Running {
        Running::new(self.command(arguments).stdin(Stdio::piped()))
    }

    fn run(&self, arguments: &[&str]) -> RunResult {
        self.ended(self.command(arguments).output().unwrap())
    }

    /// Runs a command that succeeds.
    fn good(&self, arguments: &[&str]) -> RunResult {
        let run = self.run(arguments);
        assert_eq!(run.code, Some(0), "{run:?}");
        run
    }

    /// Runs the commands of a page, compares their output, and returns it.
    fn run_page(&self, page: &str) -> Vec<String> {
        let blocks = page.split("```console\n").skip(1).map(|rest| rest.split("```").next());
        let examples = blocks.flatten().flat_map(|block| block.split("$ tilebase ").skip(1));
        let run = |example: &str| {
            let (command, expected) = example.split_once('\n').unwrap();
            let ended = self.run(&words(command));
            assert_eq!(ended.stderr + &ended.stdout, expected, "{command}");
            ended.stdout
        };
        examples.map(run).collect()
    }

    fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> RunResult {
        let mut child = self.start(arguments);
        child.stdin.take().unwrap().write_all(input).unwrap();
        let RunResult { code, stdout, stderr } = child.rest();
        RunResult { code, stdout: self.timeless(&stdout), stderr: self.timeless(&stderr) }
    }

    /// Replaces the folder and times, which differ from run to run.
    fn timeless(&self, text: &str) -> String {
        let text = text.replace(self.folder.path().to_str().unwrap(), "PLACE");
        without_times(&if cfg!(windows) { as_on_unix(&text) } else { text })
    }

    fn ended(&self, output: Output) -> RunResult {
        let text = |bytes: Vec<u8>| self.timeless(str::from_utf8(&bytes).unwrap());
        RunResult {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

/// Gives the processes that this one starts the default effect of signals, which commands in the
/// background of a script ignore. A handler here does so; the default effect here stays.
#[cfg(unix)]
fn give_default_signals() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
            let always = Arc::new(AtomicBool::new(true));
            signal_hook::flag::register_conditional_default(signal, always).unwrap();
        }
    });
}

/// A process, which is killed when its test ends before it.
struct Running(Option<Child>);

impl Running {
    fn new(command: &mut Command) -> Self {
        Self(Some(command.spawn().unwrap()))
    }

    #[cfg(unix)]
    fn send(&self, signal: Signal) {
        kill_process(Pid::from_child(self), signal).unwrap();
    }

    /// Writes to standard input, which stays open.
    fn write(&mut self, text: &str) {
        self.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    /// Reads a line of standard output, with its end.
    fn line(&mut self) -> String {
        let mut line = String::new();
        // Without a buffer, so that the rest can be read by others.
        let mut stdout = BufReader::with_capacity(1, self.stdout.as_mut().unwrap());
        stdout.read_line(&mut line).unwrap();
        line
    }

    /// Reads a line of standard error, with its end.
    #[cfg(unix)]
    fn error_line(&mut self) -> String {
        let mut line = String::new();
        let mut stderr = BufReader::with_capacity(1, self.stderr.as_mut().unwrap());
        stderr.read_line(&mut line).unwrap();
        line
    }

    /// Waits for the end, and returns the exit code.
    fn code(mut self) -> Option<i32> {
        self.wait().unwrap().code()
    }

    /// Waits for the end, and returns the exit code and the rest of the output.
    fn rest(mut self) -> RunResult {
        let output = self.0.take().unwrap().wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let (stdout, stderr) = (text(output.stdout), text(output.stderr));
        RunResult { code: output.status.code(), stdout, stderr }
    }
}

impl Deref for Running {
    type Target = Child;

    fn deref(&self) -> &Child {
        self.0.as_ref().unwrap()
    }
}

impl DerefMut for Running {
    fn deref_mut(&mut self) -> &mut Child {
        self.0.as_mut().unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Checks that wrong usage exits with 2, says what is wrong, and builds nothing.
fn refused(arguments: &[&str], problem: &str) {
    let place = TestFolder::new();
    place.run(arguments).says(2, problem);
    assert!(place.tables().is_empty());
}

/// Splits a command line into words. Quotes may contain spaces.
fn words(line: &str) -> Vec<&str> {
    let parts = line.split('"').enumerate();
    let words = parts.flat_map(|(nth, part)| match nth % 2 {
        1 => vec![part],
        _ => part.split_whitespace().collect(),
    });
    words.collect()
}

/// Makes a named pipe, which no process has opened.
#[cfg(unix)]
fn make_pipe(place: &TestFolder, name: &str) -> PathBuf {
    let path = place.path(name);
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    path
}

/// Replaces paths of tests, and words, of Windows or wine by those of Unix.
fn as_on_unix(text: &str) -> String {
    let starts = ["PLACE", "out", "other", "third", "single-", "whole-"];
    let is_path = |word: &str| starts.iter().any(|start| word.starts_with(start));
    let words = text.split_inclusive([' ', '\n']);
    let words =
        words.map(|word| if is_path(word) { word.replace('\\', "/") } else { word.to_owned() });
    let text: String = words.collect();
    let missing = "No such file or directory (os error 2)";
    text.replace("File not found. (os error 2)", missing)
        .replace("The system cannot find the file specified. (os error 2)", missing)
}

/// Replaces the numbers in "0.66 s", "1.2 ms" and `"seconds":0.66` by T.
fn without_times(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        for i in 1..words.len() {
            let unit = words[i].trim_end_matches([',', ':', ';']).to_owned();
            if (unit == "s" || unit == "ms") && words[i - 1].parse::<f64>().is_ok() {
                words[i - 1] = String::from("T");
                words[i] = words[i].replacen(&unit, "s", 1);
            }
        }
        let line = words.join(" ");
        lines.push(match line.split_once("\"seconds\":") {
            Some((before, after)) if !after.starts_with("null") => {
                let end = after.find([',', '}']).unwrap();
                format!("{before}\"seconds\":T{}", &after[end..])
            }
            _ => line,
        });
    }
    lines.join("\n")
}

/// Returns the records of an output, a JSON object per line, with 0 for times.
fn records(output: &str) -> Vec<Value> {
    let output = output.replace("\"seconds\":T", "\"seconds\":0");
    output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn ended(code: i32, stdout: &str, stderr: &str) -> RunResult {
    RunResult { code: Some(code), stdout: stdout.to_owned(), stderr: stderr.to_owned() }
}

/// Returns the sorted names of the files in a folder; none if there is no folder.
fn names(path: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(path) else { return Vec::new() };
    let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<_> = entries.map(name).collect();
    names.sort();
    names
}
