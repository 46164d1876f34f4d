//! Programs in C against the library: compiled by the system's compiler, strictly, and run as they are, with
//! the address sanitizer where it is installed, and under valgrind where that is asked for.
//!
//! `TILEBASE_C_REQUIRES=valgrind,asan` asks for both, and makes it an error if they are not installed.

#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]
#![allow(clippy::print_stderr, reason = "what was left out")]

use std::cell::RefCell;
use std::env;
use std::fs::File;
use std::io::Write;
use std::mem::offset_of;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use tempfile::TempDir;
use tilebase::{BoardSet, Goal, Shape, Status, Tilebase};
use tilebase_c::{Answer, Board, Bytes, OpenOptions, SolveOptions};

const STRICT: [&str; 9] = [
    "-std=c99",
    "-O1",
    "-g",
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Wconversion",
    "-Wshadow",
    "-Werror",
];
/// The libraries of the system that a static library needs.
const SYSTEM: [&str; 6] = ["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl"];
const LEAK: &str = "97";

/// How a program is compiled and run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Shared,
    Static,
    Valgrind,
    Sanitized,
}

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where Cargo puts the libraries that belong to this test.
fn libraries() -> PathBuf {
    env::current_exe().unwrap().parent().unwrap().to_owned()
}

fn is_there(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Whether a way can be gone on this machine. What `TILEBASE_C_REQUIRES` names must be; valgrind, which takes
/// longer than all else, is left out where it is not named.
fn can(way: Way) -> bool {
    let required = env::var("TILEBASE_C_REQUIRES").unwrap_or_default();
    let is_required = |name: &str| required.split(',').any(|word| word == name);
    let (name, can) = match way {
        Way::Shared | Way::Static => return true,
        Way::Valgrind if !is_required("valgrind") => {
            eprintln!("left out: valgrind, which TILEBASE_C_REQUIRES=valgrind asks for");
            return false;
        }
        Way::Valgrind => ("valgrind", is_there("valgrind")),
        Way::Sanitized => ("asan", has_sanitizer()),
    };
    assert!(can || !is_required(name), "{name} is not installed");
    if !can {
        eprintln!("left out: {name} is not installed");
    }
    can
}

fn has_sanitizer() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("empty");
        let mut cc = Command::new("cc");
        cc.args(["-fsanitize=address,undefined", "-xc", "-", "-o"]).arg(&program);
        run_with(&mut cc, "int main(void) { return 0; }\n").status.success()
            && Command::new(&program).status().is_ok_and(|status| status.success())
    })
}

fn run_with(command: &mut Command, input: &str) -> Output {
    // Cargo names the folder of `cargo build` first, and what lies there may be older.
    command.env_remove("LD_LIBRARY_PATH");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Whoever ends before reading all of it says why.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

#[track_caller]
fn expect_success(command: &mut Command, input: &str) -> String {
    let output = run_with(command, input);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{text}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

/// Compiles a source of this package.
fn compile(source: &str, way: Way, folder: &Path) -> PathBuf {
    compile_with(source, way, folder, &[])
}

fn compile_with(source: &str, way: Way, folder: &Path, options: &[String]) -> PathBuf {
    let source = package().join(source);
    let program = folder.join(format!("{}-{way:?}", source.file_stem().unwrap().display()));
    let is_c = source.extension().is_some_and(|extension| extension == "c");
    let mut compiler = Command::new(if is_c { "cc" } else { "c++" });
    if is_c {
        compiler.args(STRICT);
    } else {
        compiler.args(["-std=c++11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]);
    }
    compiler.arg("-pthread").arg("-I").arg(package().join("include")).arg(&source);
    match way {
        Way::Static => {
            compiler.arg(libraries().join("libtilebase_c.a")).args(SYSTEM);
        }
        Way::Shared | Way::Valgrind | Way::Sanitized => {
            let at = |option: &str| format!("{option}{}", libraries().display());
            compiler.args([&at("-L"), "-ltilebase_c", &at("-Wl,-rpath,")]);
            // The program looks for the name that the library is installed by.
            let _ =
                symlink(libraries().join("libtilebase_c.so"), folder.join("libtilebase.so.0.1"));
            compiler.arg(format!("-Wl,-rpath,{}", folder.display()));
        }
    }
    if way == Way::Sanitized {
        compiler.args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    }
    expect_success(compiler.args(options).arg("-o").arg(&program), "");
    program
}

fn command(program: &Path, way: Way) -> Command {
    if way != Way::Valgrind {
        return Command::new(program);
    }
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect"]);
    valgrind.arg(format!("--error-exitcode={LEAK}")).arg(program);
    valgrind
}

/// Compiles and runs a program in every way that there is.
fn run_in_every_way(source: &str, arguments: impl Fn() -> Vec<PathBuf>, input: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let ways = [Way::Shared, Way::Static, Way::Valgrind, Way::Sanitized];
    let answers = ways.into_iter().filter(|&way| can(way)).map(|way| {
        let program = compile(source, way, folder.path());
        expect_success(command(&program, way).args(arguments()), input)
    });
    let answers: Vec<String> = answers.collect();
    for other in &answers[1..] {
        assert_eq!(&answers[0], other);
    }
    answers[0].clone()
}

/// A folder with the tables of the specs for 3x3 boards.
fn tables() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let make = || {
        let folder = tempfile::tempdir().unwrap();
        for spec in ["8/whole", "8/4-4", "walking-distance"] {
            let shape = Shape::new(3, 3).unwrap();
            let tables = Tilebase::builder().spec(spec).folder(folder.path()).lazy().unwrap();
            tables.engine(&Goal::blank_last(shape)).unwrap();
        }
        folder
    };
    FOLDER.get_or_init(make).path()
}

/// The files of a spec's tables.
fn files(spec: &str) -> Vec<PathBuf> {
    let tables = Tilebase::builder().spec(spec).folder(tables()).open().unwrap();
    let goal = tables.goal(Shape::new(3, 3).unwrap()).unwrap();
    let engine = tables.engine(&goal).unwrap();
    engine.tables().iter().map(|table| table.name().into()).collect()
}

#[test]
fn answers_are_those_of_the_library() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let hardest =
        ["8 6 7/2 5 4/3 0 1", "6 4 7/8 5 0/3 2 1", "1 2 3/4 5 6/7 8 0", "2 1 3/4 5 6/7 8 0"];
    let random = BoardSet::random(&goal, 60, 1).boards.into_iter().map(|board| board.to_string());
    let boards: Vec<String> = hardest.map(str::to_owned).into_iter().chain(random).collect();
    let input = boards.join("\n") + "\n";
    for spec in ["8/whole", "8/4-4"] {
        let answers =
            run_in_every_way("tests/c/answers.c", || vec![spec.into(), tables().into()], &input);
        assert_eq!(answers.lines().count(), boards.len());
        let ours = Tilebase::builder().spec(spec).folder(tables()).threads(1).open().unwrap();
        for (answer, board) in answers.lines().zip(&boards) {
            let found = ours.solve(board).unwrap();
            let expected = match &found.status {
                Status::Optimal { moves } => format!(
                    "1 {0} {0} {1} {2} {3}",
                    moves.len(),
                    ours.estimate(board).unwrap(),
                    found.generated,
                    tilebase::letters(moves)
                ),
                _ => format!("3 0 {0} {0} 0 ", u32::MAX),
            };
            assert_eq!(answer, expected, "{board}");
        }
    }
}

#[test]
fn bad_input_gets_an_error_and_nothing_else_happens() {
    // The empty folder is filled by a build, and the good table is written to.
    let folders = RefCell::new(Vec::new());
    let folder = || {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        folders.borrow_mut().push(folder);
        path
    };
    let [table] = files("8/whole").try_into().unwrap();
    let bytes = std::fs::read(&table).unwrap();
    let copy = |bytes: &[u8]| {
        let path = folder().join(table.file_name().unwrap());
        let mut file = File::options().write(true).create_new(true).open(&path).unwrap();
        file.write_all(bytes).unwrap();
        path
    };
    let arguments = || {
        let mut damaged = bytes.clone();
        *damaged.last_mut().unwrap() ^= 1;
        vec![tables().to_owned(), folder(), copy(&damaged), copy(&bytes)]
    };
    run_in_every_way("tests/c/wrong.c", arguments, "");
}

#[test]
fn tables_come_from_memory_and_what_is_wrong_with_them_is_said() {
    let arguments = [files("8/whole"), files("8/4-4")].concat();
    assert_eq!(arguments.len(), 3);
    run_in_every_way("tests/c/memory.c", || arguments.clone(), "");
}

#[test]
fn threads_share_a_handle_and_stop_each_other() {
    run_in_every_way("tests/c/threads.c", || vec![tables().into()], "");
}

#[test]
fn a_look_up_allocates_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let functions = ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"];
    let wraps: Vec<String> = functions.iter().map(|name| format!("-Wl,--wrap={name}")).collect();
    let program = compile_with("tests/c/allocation.c", Way::Static, folder.path(), &wraps);
    let mut command = Command::new(program);
    command.arg(tables()).args(["8/whole", "8/4-4", "walking-distance", "manhattan"]);
    expect_success(&mut command, "");
}

#[test]
fn the_example_solves_a_board_and_says_what_is_wrong_with_another() {
    let folder = tempfile::tempdir().unwrap();
    let db = tempfile::tempdir().unwrap();
    let program = compile("examples/solve.c", Way::Shared, folder.path());
    let run = |board: &str| run_with(Command::new(&program).arg(board).arg(db.path()), "");
    let solved = run("8 6 7/2 5 4/3 0 1");
    let text = String::from_utf8(solved.stdout).unwrap();
    assert!(text.starts_with("at least 31 moves\n31 moves: "), "{text}");
    assert!(run("2 1 3/4 5 6/7 8 0").stdout == b"no solution\n");
    let wrong = run("1 2 3/4 5 6/7 8 8");
    assert_eq!(wrong.status.code(), Some(1));
    assert!(String::from_utf8(wrong.stderr).unwrap().contains("tile 8 stands at row 3, column 2"));
    assert_eq!(Command::new(&program).status().unwrap().code(), Some(2));
}

#[test]
fn the_header_is_one_for_cpp_too() {
    if !is_there("c++") {
        eprintln!("left out: there is no C++ compiler");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for way in [Way::Shared, Way::Static] {
        let program = compile("tests/c/plusplus.cc", way, folder.path());
        expect_success(&mut Command::new(program), "");
    }
}

/// The names and numbers of fields.
macro_rules! layout {
    ($c:literal, $type:ty, $($field:ident),+) => {{
        let mut lines = vec![format!("{} {}", $c, size_of::<$type>())];
        $(lines.push(format!("{}.{} {}", $c, stringify!($field), offset_of!($type, $field)));)+
        lines
    }};
}

#[test]
fn structures_have_the_same_layout_on_both_sides() {
    let expected = [
        layout!("tilebase_board", Board, rows, cols, cells),
        layout!("tilebase_bytes", Bytes, data, size),
        layout!(
            "tilebase_open_options",
            OpenOptions,
            struct_size,
            flags,
            folder,
            spec,
            goal,
            rows,
            cols,
            threads,
            memory_bytes,
            cancel,
            progress,
            progress_data
        ),
        layout!(
            "tilebase_solve_options",
            SolveOptions,
            struct_size,
            threads,
            time_ms,
            nodes,
            cancel
        ),
        layout!(
            "tilebase_answer",
            Answer,
            struct_size,
            status,
            length,
            lower_bound,
            estimate,
            generated,
            expanded,
            lookups,
            elapsed_ns
        ),
    ];
    let found = run_in_every_way("tests/c/sizes.c", Vec::new, "");
    assert_eq!(found.lines().collect::<Vec<_>>(), expected.concat());
}

#[test]
fn the_header_has_every_function_and_no_other() {
    let names = |text: &str, before: &str| {
        let starts = text.split(before).skip(1);
        let word = |rest: &str| {
            rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap().to_owned()
        };
        let mut names: Vec<String> = starts.map(word).collect();
        names.sort_unstable();
        names
    };
    let read = |path: &str| std::fs::read_to_string(package().join(path)).unwrap();
    let ours = names(&read("src/api.rs"), "extern \"C\" fn ");
    let header = read("include/tilebase.h");
    let declared = |line: &&str| line.contains('(') && !line.starts_with([' ', '*', '#', '/']);
    let lines: Vec<&str> = header.lines().filter(declared).collect();
    let mut theirs: Vec<String> = lines
        .iter()
        .filter(|line| !line.starts_with("typedef"))
        .map(|line| {
            let name = line.split('(').next().unwrap();
            name.rsplit([' ', '*']).next().unwrap().to_owned()
        })
        .collect();
    theirs.sort_unstable();
    assert!(ours.len() > 15);
    assert_eq!(ours, theirs, "run `cargo xtask c-header`");
}
