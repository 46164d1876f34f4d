//! Programs in C that use the library. The system's compiler compiles them with strict warnings.
//! They run without checks, and with the address sanitizer where it is installed; on request those
//! that get and return memory run under valgrind, too.
//!
//! `TILEBASE_C_REQUIRES=valgrind,asan` requests both, and makes it an error if one is not
//! installed.

#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]
#![allow(clippy::print_stderr, reason = "a test names what it leaves out")]

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
use tilebase::pdb_search::solve_by_lines;
use tilebase::sets::BoardSet;
use tilebase::{Goal, Shape, Status, Tilebase};
use tilebase_c::{Answer, Board, Bytes, OpenOptions, SolveOptions, TILEBASE_MOVES_SIZE};

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
/// System libraries that the static library needs.
const SYSTEM: [&str; 6] = ["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl"];
/// Exit code of valgrind after a leak.
const LEAK: &str = "97";

/// A way to compile and run a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Shared,
    Static,
    Valgrind,
    Sanitized,
}

/// The modes of a program that gets and returns memory.
const MEMORY: [Mode; 3] = [Mode::Shared, Mode::Valgrind, Mode::Sanitized];
/// Those of a program that searches for long, which valgrind makes many times as long.
const SEARCH: [Mode; 2] = [Mode::Shared, Mode::Sanitized];

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the folder into which Cargo puts the libraries that belong to this test.
fn libraries() -> PathBuf {
    env::current_exe().unwrap().parent().unwrap().to_owned()
}

fn is_there(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Returns whether this machine has a mode. Fails if `TILEBASE_C_REQUIRES` names a missing one.
/// Valgrind is slow, so it runs only if it is named.
fn can(mode: Mode) -> bool {
    let required = env::var("TILEBASE_C_REQUIRES").unwrap_or_default();
    let is_required = |name: &str| required.split(',').any(|word| word == name);
    let (name, can) = match mode {
        Mode::Shared | Mode::Static => return true,
        Mode::Valgrind => ("valgrind", is_there("valgrind")),
        Mode::Sanitized => ("asan", has_sanitizer()),
    };
    if mode == Mode::Valgrind && !is_required(name) {
        eprintln!("left out: {name}, which TILEBASE_C_REQUIRES={name} requests");
        return false;
    }
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
    // Cargo names the folder of `cargo build` first, whose libraries may be older.
    command.env_remove("LD_LIBRARY_PATH");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that ends before it has read all input reports an error itself.
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
fn compile(source: &str, mode: Mode, folder: &Path, options: &[String]) -> PathBuf {
    let source = package().join(source);
    let program = folder.join(format!("{}-{mode:?}", source.file_stem().unwrap().display()));
    let is_c = source.extension().is_some_and(|extension| extension == "c");
    let mut compiler = Command::new(if is_c { "cc" } else { "c++" });
    if is_c {
        compiler.args(STRICT);
    } else {
        compiler.args(["-std=c++11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]);
    }
    compiler.arg("-pthread").arg("-I").arg(package().join("include")).arg(&source);
    match mode {
        Mode::Static => {
            compiler.arg(libraries().join("libtilebase_c.a")).args(SYSTEM);
        }
        Mode::Shared | Mode::Valgrind | Mode::Sanitized => {
            let at = |option: &str| format!("{option}{}", libraries().display());
            compiler.args([&at("-L"), "-ltilebase_c", &at("-Wl,-rpath,")]);
            // The program looks for the installed name of the library.
            let _ =
                symlink(libraries().join("libtilebase_c.so"), folder.join("libtilebase.so.0.1"));
            compiler.arg(format!("-Wl,-rpath,{}", folder.display()));
        }
    }
    if mode == Mode::Sanitized {
        compiler.args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    }
    expect_success(compiler.args(options).arg("-o").arg(&program), "");
    program
}

fn command(program: &Path, mode: Mode) -> Command {
    if mode != Mode::Valgrind {
        return Command::new(program);
    }
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--quiet", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect"]);
    valgrind.arg(format!("--error-exitcode={LEAK}")).arg(program);
    valgrind
}

/// Compiles and runs a program in those of some modes that this machine has; returns its output in
/// each.
fn outputs(
    source: &str,
    modes: &[Mode],
    arguments: impl Fn() -> Vec<PathBuf>,
    input: &str,
) -> Vec<(Mode, String)> {
    let folder = tempfile::tempdir().unwrap();
    let output = |mode| {
        let program = compile(source, mode, folder.path(), &[]);
        (mode, expect_success(command(&program, mode).args(arguments()), input))
    };
    modes.iter().copied().filter(|&mode| can(mode)).map(output).collect()
}

/// As [`outputs`], for a program that prints the same in every mode.
fn run_alike(source: &str, modes: &[Mode], arguments: impl Fn() -> Vec<PathBuf>) -> String {
    let outputs = outputs(source, modes, arguments, "");
    let mut outputs = outputs.into_iter().map(|(_, output)| output);
    let first = outputs.next().unwrap();
    outputs.for_each(|other| assert_eq!(first, other));
    first
}

/// Returns a folder with the tables of the specs for 3x3 boards.
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

/// Returns the files of a spec's tables.
fn files(spec: &str) -> Vec<PathBuf> {
    let tables = Tilebase::builder().spec(spec).folder(tables()).open().unwrap();
    let goal = tables.goal(Shape::new(3, 3).unwrap()).unwrap();
    let engine = tables.engine(&goal).unwrap();
    engine.tables().iter().map(|table| table.name().into()).collect()
}

/// Returns the status, the length and the bounds of an answer.
fn without_nodes(answer: &str) -> Vec<&str> {
    answer.split(' ').take(4).collect()
}

#[test]
fn answers_equal_those_of_the_library() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let hardest =
        ["8 6 7/2 5 4/3 0 1", "6 4 7/8 5 0/3 2 1", "1 2 3/4 5 6/7 8 0", "2 1 3/4 5 6/7 8 0"];
    let random = BoardSet::random(&goal, 60, 1).boards.into_iter().map(|board| board.to_string());
    let boards: Vec<String> = hardest.map(str::to_owned).into_iter().chain(random).collect();
    let input = boards.join("\n") + "\n";
    for spec in ["8/whole", "8/4-4"] {
        let ours = Tilebase::builder().spec(spec).folder(tables()).threads(1).open().unwrap();
        let expected = |board: &String| {
            let found = ours.solve(board).unwrap();
            match &found.status {
                Status::Optimal { moves } => format!(
                    "1 {0} {0} {1} {2} {3}",
                    moves.len(),
                    ours.estimate(board).unwrap(),
                    found.generated,
                    tilebase::text::letters(moves)
                ),
                _ => format!("3 0 {0} {0} 0 ", u32::MAX),
            }
        };
        let expected: Vec<String> = boards.iter().map(expected).collect();
        let arguments = || vec![spec.into(), tables().into()];
        for (mode, answers) in outputs("tests/c/answers.c", &MEMORY, arguments, &input) {
            assert_eq!(answers.lines().count(), boards.len());
            for (answer, expected) in answers.lines().zip(&expected) {
                if mode == Mode::Valgrind {
                    // Searches take so long that beams look for solutions, too.
                    assert_eq!(without_nodes(answer), without_nodes(expected), "{mode:?}");
                } else {
                    assert_eq!(answer, expected, "{mode:?}");
                }
            }
        }
    }
}

#[test]
fn bad_input_gives_an_error_and_no_result() {
    // A build fills the empty folder, and the good table is overwritten.
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
    run_alike("tests/c/wrong.c", &MEMORY, arguments);
}

#[test]
fn opens_tables_from_memory_and_refuses_damaged_ones() {
    let arguments = [files("8/whole"), files("8/4-4")].concat();
    assert_eq!(arguments.len(), 3);
    run_alike("tests/c/memory.c", &MEMORY, || arguments.clone());
}

#[test]
fn threads_share_a_handle_and_cancel_searches() {
    run_alike("tests/c/threads.c", &MEMORY, || vec![tables().into()]);
}

#[test]
fn better_solutions_are_reported_until_the_search_ends() {
    run_alike("tests/c/improve.c", &SEARCH, || vec![tables().into()]);
}

#[test]
fn slides_of_several_tiles_count_as_one_move() {
    let folder = tempfile::tempdir().unwrap();
    run_alike("tests/c/slides.c", &SEARCH, || vec![folder.path().into()]);
}

#[test]
fn moves_of_long_solutions_are_kept() {
    run_alike("tests/c/long.c", &SEARCH, || vec![tables().into()]);
}

/// Solutions line by line are the longest answers: a search only makes them shorter.
#[test]
fn longest_answers_of_64_cells_fit_the_buffer() {
    let mut longest = 0;
    for (rows, cols) in [(2, 32), (32, 2), (4, 16), (16, 4), (8, 8), (3, 21), (1, 64)] {
        let goal = Goal::blank_last(Shape::new(rows, cols).unwrap());
        let mut reversed: Vec<u8> = goal.board().tiles().to_vec();
        let tile_count = reversed.len() - 1;
        reversed[..tile_count].reverse();
        let mut boards = vec![tilebase::Board::new(goal.shape(), &reversed).unwrap()];
        reversed.swap(0, 1);
        boards.push(tilebase::Board::new(goal.shape(), &reversed).unwrap());
        boards.extend(BoardSet::random(&goal, 1, 1).boards);
        let moves = boards.iter().filter_map(|board| solve_by_lines(board, &goal).ok());
        longest = moves.map(|moves| moves.len()).fold(longest, usize::max);
    }
    // Unknown boards may have some more moves.
    assert!(longest > 2_000 && 2 * longest < TILEBASE_MOVES_SIZE, "{longest}");
}

#[test]
fn look_up_allocates_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let functions = ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"];
    let wraps: Vec<String> = functions.iter().map(|name| format!("-Wl,--wrap={name}")).collect();
    let program = compile("tests/c/allocation.c", Mode::Static, folder.path(), &wraps);
    let mut command = Command::new(program);
    command.arg(tables()).args(["8/whole", "8/4-4", "walking-distance", "manhattan"]);
    expect_success(&mut command, "");
}

#[test]
fn example_solves_a_board_and_reports_an_invalid_one() {
    let folder = tempfile::tempdir().unwrap();
    let db = tempfile::tempdir().unwrap();
    let program = compile("examples/solve.c", Mode::Shared, folder.path(), &[]);
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
fn header_compiles_as_cpp() {
    if !is_there("c++") {
        eprintln!("left out: there is no C++ compiler");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for mode in [Mode::Shared, Mode::Static] {
        let program = compile("tests/c/plusplus.cc", mode, folder.path(), &[]);
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
fn structures_have_the_same_layout_in_c_and_rust() {
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
            cancel,
            within_ms,
            solution,
            solution_data
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
    let found = run_alike("tests/c/sizes.c", &[Mode::Shared], Vec::new);
    assert_eq!(found.lines().collect::<Vec<_>>(), expected.concat());
}
