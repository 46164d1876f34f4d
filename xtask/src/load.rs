//! `cargo xtask load`: many boards, threads and processes with the same tables.
//!
//! This file draws the boards and replays the moves itself, so that the binary is not checked with
//! its own code. Memory is read from Linux's `/proc`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use serde::Deserialize;

use crate::bench::print_table;
use crate::{report, shell};

const SIDE: usize = 4;
const CELL_COUNT: usize = SIDE * SIDE;
/// Number of answers that must arrive before the rest of the boards is written.
const AHEAD: u64 = 100;
/// Number of times that memory is measured in a batch.
const SAMPLES: u64 = 200;
/// Greatest growth of a process's own memory during a batch.
const GROWTH_KIB_MAX: u64 = 4 << 10;
/// Time limit of all waits.
const PATIENCE: Duration = Duration::from_mins(1);
/// Time limit for a process to end after its reader closes the pipe.
const LEAVING: Duration = Duration::from_secs(5);
/// The own memory of a process may be at most the tables' size divided by this.
const OWN_PART: u64 = 10;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Load to run [default: all]
    #[arg(value_enum)]
    what: Vec<LoadKind>,
    /// Number of boards in the batch
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1000..))]
    boards: u64,
    /// Number of processes with the same tables
    #[arg(long, default_value_t = 10)]
    processes: u64,
    /// Seconds for which 64 threads share one map
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Seed of the boards
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A spec of the 15-puzzle
    #[arg(long, default_value = "15/7-8")]
    spec: String,
    /// Folder of the tables [default: tables in cargo's target directory]
    #[arg(long, value_name = "DIR")]
    db: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LoadKind {
    /// A batch through a pipe: order, replayed answers, constant memory
    Batch,
    /// A reader that closes the pipe early
    Leave,
    /// Processes with the same tables: shared memory and own memory
    Processes,
    /// 64 threads on one map, a test of the workspace
    Threads,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let chosen = |what| args.what.is_empty() || args.what.contains(&what);
    let db = shell::db_or_default(args.db.as_ref())?;
    let load = Load { args, db: &db };
    if chosen(LoadKind::Batch) {
        load.batch()?;
    }
    if chosen(LoadKind::Leave) {
        load.leave()?;
    }
    if chosen(LoadKind::Processes) {
        load.processes()?;
    }
    if chosen(LoadKind::Threads) {
        let mut test = shell::cargo();
        test.env("TILEBASE_LOAD_SECONDS", args.seconds.to_string());
        test.args(["test", "--package", "pdb-tests", "--test", "workspace", "--"]);
        test.args(["sharing::", "--nocapture"]);
        shell::become_it(test)?;
    }
    Ok(())
}

type Board = [u8; CELL_COUNT];

/// Returns the next number of S. Vigna's splitmix64.
fn mixed(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Returns the board with this number, drawn evenly from all solvable boards.
pub(crate) fn board(seed: u64, number: u64) -> Board {
    let mut state = seed ^ number.wrapping_mul(0x2545_f491_4f6c_dd1d);
    let mut board: Board = std::array::from_fn(|cell| cell as u8);
    for last in (1..CELL_COUNT).rev() {
        board.swap(last, (mixed(&mut state) % (last as u64 + 1)) as usize);
    }
    // A move along a row changes neither the inversions nor the blank's row. A move along a column
    // moves a tile past three others, and changes the parity of both.
    let blank = board.iter().position(|&tile| tile == 0).unwrap_or(0);
    let tiles: Vec<u8> = board.iter().copied().filter(|&tile| tile != 0).collect();
    let inverted = |i: usize| tiles[i + 1..].iter().filter(|&&tile| tile < tiles[i]).count();
    let inversions: usize = (0..tiles.len()).map(inverted).sum();
    if !(inversions + SIDE - 1 - blank / SIDE).is_multiple_of(2) {
        let first = usize::from(blank == 0);
        let second = if blank == first + 1 { first + 2 } else { first + 1 };
        board.swap(first, second);
    }
    board
}

/// Returns the rows of a board, separated by slashes.
pub(crate) fn text(board: &Board) -> String {
    let row = |row: &[u8]| row.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
    board.chunks(SIDE).map(row).collect::<Vec<_>>().join("/")
}

/// Returns the board after moves. A letter is the direction in which a tile moves.
fn replayed(mut board: Board, moves: &str) -> Result<Board> {
    let mut blank = board.iter().position(|&tile| tile == 0).context("a board has a blank")?;
    for letter in moves.chars() {
        let (row, col) = (blank / SIDE, blank % SIDE);
        let tile = match letter {
            'U' if row + 1 < SIDE => blank + SIDE,
            'D' if row > 0 => blank - SIDE,
            'L' if col + 1 < SIDE => blank + 1,
            'R' if col > 0 => blank - 1,
            _ => bail!("no tile goes {letter} into the blank of {}", text(&board)),
        };
        board.swap(blank, tile);
        blank = tile;
    }
    Ok(board)
}

/// Record of a board, from `tilebase solve --format ndjson`.
#[derive(Deserialize)]
struct Answer {
    board: String,
    status: String,
    length: Option<usize>,
    moves: Option<String>,
}

/// Checks that a line is a correct answer for a board, and returns the number of moves.
fn check(line: &str, board: &Board) -> Result<usize> {
    let answer: Answer =
        serde_json::from_str(line).with_context(|| format!("cannot use {line}"))?;
    ensure!(answer.board == text(board), "expected the answer to {}: {line}", text(board));
    ensure!(answer.status == "optimal", "expected a solution: {line}");
    let moves = answer.moves.unwrap_or_default();
    ensure!(answer.length == Some(moves.len()), "the length is not that of the moves: {line}");
    let end = replayed(*board, &moves).with_context(|| line.to_owned())?;
    let goal: Board = std::array::from_fn(|cell| ((cell + 1) % CELL_COUNT) as u8);
    ensure!(end == goal, "the moves lead to {}: {line}", text(&end));
    Ok(moves.len())
}

/// Returns the memory of a process in KiB, by kinds such as `Rss` and `Anonymous`.
fn memory(child: &Child) -> Result<BTreeMap<String, u64>> {
    let path = format!("/proc/{}/smaps_rollup", child.id());
    let rollup = fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
    let field = |line: &str| {
        let (name, value) = line.split_once(':')?;
        Some((name.to_owned(), value.trim().strip_suffix("kB")?.trim().parse().ok()?))
    };
    Ok(rollup.lines().filter_map(field).collect())
}

/// A running solver: boards are written to it, and lines are read from it.
struct Solver {
    child: Child,
    input: Option<ChildStdin>,
    lines: BufReader<ChildStdout>,
}

impl Solver {
    /// Returns the next line.
    fn answer(&mut self) -> Result<String> {
        let mut line = String::new();
        ensure!(self.lines.read_line(&mut line)? > 0, "the answers ended before the boards did");
        Ok(line)
    }

    /// Waits for the end. The exit code must be 0 and standard error must be empty.
    fn end(mut self) -> Result<()> {
        drop(self.lines);
        let status = self.child.wait()?;
        let mut problems = String::new();
        self.child.stderr.take().context("it is a pipe")?.read_to_string(&mut problems)?;
        ensure!(status.success() && problems.is_empty(), "{status}: {problems}");
        Ok(())
    }
}

struct Load<'a> {
    args: &'a Args,
    db: &'a Path,
}

impl Load<'_> {
    fn command(&self, tables: &str) -> Result<Command> {
        let mut command = shell::tilebase()?;
        command.args(["solve", "--quiet", "--input", "-", "--format", "ndjson", "--goal"]);
        command.args(["blank-last", "--spec", &self.args.spec, "--tables", tables, "--db"]);
        command.arg(self.db);
        Ok(command)
    }

    fn start(&self, tables: &str) -> Result<Solver> {
        let mut command = self.command(tables)?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().context("cannot run tilebase")?;
        let lines = BufReader::new(child.stdout.take().context("it is a pipe")?);
        let input = child.stdin.take();
        Ok(Solver { child, input, lines })
    }

    /// Builds missing tables and returns the size of all tables, in bytes.
    fn table_bytes(&self) -> Result<u64> {
        let tables: Vec<report::TableReport> = report::build(&self.args.spec, self.db)?;
        Ok(tables.iter().map(|table| table.file_bytes).sum())
    }

    /// Writes boards; those after the first few once `go_on` says so. The input stays open.
    fn write(
        &self,
        input: ChildStdin,
        count: u64,
        go_on: &Receiver<()>,
    ) -> std::io::Result<ChildStdin> {
        let mut writer = BufWriter::new(input);
        for number in 0..count {
            if number == AHEAD {
                writer.flush()?;
                // A reader that fails reports its own error.
                let _ = go_on.recv_timeout(PATIENCE);
            }
            writeln!(writer, "{}", text(&board(self.args.seed, number)))?;
        }
        Ok(writer.into_inner()?)
    }

    fn batch(&self) -> Result<()> {
        let (count, table_bytes) = (self.args.boards, self.table_bytes()?);
        let mut solver = self.start("mapped")?;
        let input = solver.input.take().context("it is a pipe")?;
        let (go_on, wait) = channel();
        let begun = Instant::now();
        let mut moves = 0;
        let mut anonymous = Vec::new();
        let mut mapped = Vec::new();
        thread::scope(|scope| -> Result<()> {
            scope.spawn(move || self.write(input, count, &wait));
            for number in 0..count {
                let line = solver.answer()?;
                moves += check(&line, &board(self.args.seed, number))?;
                if number + 1 == AHEAD {
                    ensure!(begun.elapsed() < PATIENCE, "no answer came while input was open");
                    println!("{AHEAD} answers came while the other boards were not written yet");
                    go_on.send(())?;
                }
                if (number + 1).is_multiple_of(count / SAMPLES.min(count)) && number >= AHEAD {
                    let memory = memory(&solver.child)?;
                    anonymous.push(memory["Anonymous"]);
                    mapped.push(memory["Rss"] - memory["Anonymous"]);
                }
            }
            ensure!(solver.answer().is_err(), "more answers than boards");
            Ok(())
        })?;
        let seconds = begun.elapsed().as_secs_f64();
        solver.end()?;
        let tenths: Vec<u64> = anonymous
            .chunks(anonymous.len().div_ceil(10))
            .map(|samples| samples.iter().copied().max().unwrap_or(0))
            .collect();
        println!(
            "{count} boards in {seconds:.1} s, {moves} moves, all in order and replayed\n\
             anonymous memory at most, by tenths of the boards, by {} samples: {tenths:?} KiB\n\
             files mapped in at most: {} KiB, the tables have {} KiB",
            anonymous.len(),
            mapped.iter().max().unwrap_or(&0),
            table_bytes >> 10
        );
        let (first, last) = (tenths[0], tenths[tenths.len() - 1]);
        ensure!(
            last <= first + GROWTH_KIB_MAX,
            "anonymous memory grew from {first} to {last} KiB, expected {GROWTH_KIB_MAX} KiB more at \
             most: something keeps what belongs to boards that are answered"
        );
        Ok(())
    }

    /// The input stays open, and full.
    fn leave(&self) -> Result<()> {
        self.table_bytes()?;
        let mut solver = self.start("mapped")?;
        let input = solver.input.take().context("it is a pipe")?;
        let (go_on, wait) = channel();
        go_on.send(())?;
        thread::scope(|scope| {
            let writer = scope.spawn(move || self.write(input, u64::MAX, &wait));
            for number in 0..1000 {
                check(&solver.answer()?, &board(self.args.seed, number))?;
            }
            let Solver { mut child, lines, .. } = solver;
            drop(lines);
            let left = Instant::now();
            while child.try_wait()?.is_none() {
                if left.elapsed() > LEAVING {
                    child.kill()?;
                    bail!("the process went on for {LEAVING:?} after its reader had left");
                }
                thread::sleep(Duration::from_millis(1));
            }
            let milliseconds = left.elapsed().as_secs_f64() * 1e3;
            let mut problems = String::new();
            child.stderr.take().context("it is a pipe")?.read_to_string(&mut problems)?;
            let status = child.wait()?;
            ensure!(status.code() == Some(0) && problems.is_empty(), "{status}: {problems}");
            ensure!(writer.join().is_ok_and(|end| end.is_err()), "the input was open to its end");
            println!(
                "a reader that left after 1000 answers: the process ended {milliseconds:.0} ms later, \
                 quietly, with exit code 0"
            );
            Ok(())
        })
    }

    fn processes(&self) -> Result<()> {
        let table_kib = self.table_bytes()? >> 10;
        for tables in ["mapped", "prefaulted", "auto"] {
            let mut solvers = Vec::new();
            for _ in 0..self.args.processes {
                solvers.push(self.start(tables)?);
            }
            // The processes solve different boards, and all run while the memory is measured.
            for (solver, process) in solvers.iter_mut().zip(0..) {
                let boards: Vec<Board> = (0..1000)
                    .map(|number| board(self.args.seed, process * 1000 + number))
                    .collect();
                let lines: String = boards.iter().map(|board| text(board) + "\n").collect();
                let mut input = solver.input.take().context("it is a pipe")?;
                let writer =
                    thread::spawn(move || input.write_all(lines.as_bytes()).map(|()| input));
                for board in &boards {
                    check(&solver.answer()?, board)?;
                }
                let input = writer.join().ok().context("the writer panicked")?;
                solver.input = Some(input?);
            }
            let memory: Vec<_> =
                solvers.iter().map(|solver| memory(&solver.child)).collect::<Result<_>>()?;
            let columns = |memory: &BTreeMap<String, u64>| {
                let shared = memory["Shared_Clean"] + memory["Shared_Dirty"];
                let own = memory["Private_Clean"] + memory["Private_Dirty"];
                [memory["Rss"], memory["Pss"], shared, own, memory["Anonymous"]]
            };
            println!("\n{} processes, tables {tables}, KiB:\n", solvers.len());
            let row = |name: String, columns: [u64; 5]| {
                [vec![name], columns.map(|kib| kib.to_string()).to_vec()].concat()
            };
            let of_each: Vec<[u64; 5]> = memory.iter().map(columns).collect();
            let sums = std::array::from_fn(|i| of_each.iter().map(|columns| columns[i]).sum());
            let numbered =
                (1..).zip(of_each).map(|(number, of_one)| row(format!("{number}"), of_one));
            let rows: Vec<_> = numbered.chain([row("all".to_owned(), sums)]).collect();
            let head = ["process", "resident", "its share", "shared", "its own", "anonymous"];
            print_table(&head, &rows);
            println!("\nthe tables have {table_kib} KiB");
            for memory in &memory {
                let [.., own, _] = columns(memory);
                let most = table_kib / OWN_PART;
                ensure!(own <= most, "a process has {own} KiB of its own, expected at most {most}");
            }
            for mut solver in solvers {
                drop(solver.input.take());
                solver.end()?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_replayed_and_wrong_answers_refused() {
        let goal: Board = std::array::from_fn(|cell| ((cell + 1) % CELL_COUNT) as u8);
        assert_eq!(text(&goal), "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0");
        let board = replayed(goal, "RDLU").unwrap();
        assert_eq!(text(&board), "1 2 3 4/5 6 7 8/9 10 12 15/13 14 11 0");
        assert!(replayed(goal, "U").is_err());
        let answer = |board: &str, length: u32, moves: &str| {
            format!(
                r#"{{"board":"{board}","status":"optimal","length":{length},"moves":"{moves}"}}"#
            )
        };
        let shown = text(&board);
        let right = answer(&shown, 4, "DRUL");
        assert_eq!(check(&right, &board).unwrap(), 4);
        for (wrong, problem) in [
            (answer(&text(&goal), 4, "DRUL"), "expected the answer to"),
            (answer(&shown, 5, "DRUL"), "the length is not"),
            (answer(&shown, 3, "DRU"), "the moves lead to"),
            (right.replace("optimal", "limit"), "expected a solution"),
        ] {
            let error = check(&wrong, &board).unwrap_err().to_string();
            assert!(error.starts_with(problem), "{error}");
        }
    }

    /// Checks by parity, from the cycles of the permutation, that a board can be solved.
    #[test]
    fn boards_can_be_solved_and_differ() {
        let mut boards = std::collections::BTreeSet::new();
        for number in 0..1000 {
            let board = board(7, number);
            let mut seen = [false; CELL_COUNT];
            let mut transpositions = 0;
            for start in 0..CELL_COUNT {
                let mut cell = start;
                while !seen[cell] {
                    seen[cell] = true;
                    cell = (usize::from(board[cell]) + CELL_COUNT - 1) % CELL_COUNT;
                    transpositions += usize::from(!seen[cell]);
                }
            }
            let blank = board.iter().position(|&tile| tile == 0).unwrap();
            let moves = 2 * (SIDE - 1) - blank / SIDE - blank % SIDE;
            assert!((transpositions + moves).is_multiple_of(2), "{}", text(&board));
            boards.insert(board);
        }
        assert_eq!(boards.len(), 1000);
    }
}
