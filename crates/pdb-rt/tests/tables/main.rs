//! Tables in use: estimates compared with the oracle, parts of estimates, and invalid bytes. All
//! tests are one program, because every look-up is compiled for each form of tables.

#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

mod allocation;
#[cfg(unix)]
mod changes;
mod coloured;
mod examples;
mod parts;
mod plain;
mod runtime;

use std::collections::BTreeMap;
use std::slice::from_ref;
use std::sync::Mutex;

use pdb_core::{Board, Direction, Goal, Heuristic, Plan, RootError, Slide, TableKey};
use pdb_gen::Monitor;
use pdb_oracle::Random;
use pdb_rt::{Database, Table, Visitor};

/// Returns the files of a plan's tables. Each table is built once for all tests.
fn bytes_of(plan: &Plan) -> Vec<Vec<u8>> {
    static BUILT: Mutex<BTreeMap<String, Vec<u8>>> = Mutex::new(BTreeMap::new());
    let mut built = BUILT.lock().unwrap();
    let mut bytes = |key: &TableKey| {
        let build = || pdb_gen::Table::build(key, 2, &Monitor::silent()).unwrap().to_bytes();
        built.entry(key.file_name()).or_insert_with(build).clone()
    };
    plan.tables().iter().map(&mut bytes).collect()
}

/// Opens files in memory.
fn opened(files: Vec<Vec<u8>>) -> Vec<Table> {
    files.into_iter().map(|bytes| Table::from_bytes("memory", bytes).unwrap()).collect()
}

/// Returns the tables of a plan in memory.
fn from_memory(plan: &Plan) -> Database {
    Database::of_tables(plan, opened(bytes_of(plan))).unwrap().check(1).unwrap()
}

/// Returns a walk of a number of moves, the same every time.
fn walk(goal: &Goal, moves: usize) -> Vec<Board> {
    let mut random = Random::default();
    let mut boards = vec![*goal.board()];
    while boards.len() <= moves {
        let direction = Direction::ALL[random.below(4)];
        boards.extend(boards[boards.len() - 1].moved(direction));
    }
    boards
}

/// Computes the estimate of each board from scratch.
struct Roots<'a>(&'a [Board]);

impl<'h> Visitor<'h> for Roots<'_> {
    type Output = Vec<Result<u32, RootError>>;

    fn visit<H: Heuristic + Send + 'h>(self, heuristics: Vec<H>) -> Self::Output {
        let heuristic = &heuristics[0];
        let estimate = |board| Ok(heuristic.estimate(&heuristic.root(board)?.1));
        self.0.iter().map(estimate).collect()
    }
}

/// Returns the estimate of each board, computed from scratch.
fn roots(database: &Database, boards: &[Board]) -> Vec<u32> {
    database.visit(Roots(boards)).into_iter().collect::<Result<_, _>>().unwrap()
}

/// Computes estimates along a walk, updated from board to board. Every move is undone and made
/// again.
struct WalkEstimates<'a> {
    boards: &'a [Board],
    is_damaged: bool,
}

impl<'h> Visitor<'h> for WalkEstimates<'_> {
    type Output = Result<Vec<u32>, RootError>;

    fn visit<H: Heuristic + Send + 'h>(self, heuristics: Vec<H>) -> Self::Output {
        let heuristic = &heuristics[0];
        let (mut state, mut node) = heuristic.root(&self.boards[0])?;
        let mut estimates = vec![heuristic.estimate(&node)];
        for pair in self.boards.windows(2) {
            let (from, to) = (pair[1].blank(), pair[0].blank());
            let slide = Slide { tile: pair[0].tile(from), from, to };
            let mut together = [H::Probe::default()];
            heuristic.locate_all(&mut state, &node, &[slide], &mut together);
            let before = format!("{state:?}");
            let mut probe = heuristic.locate(&state, &node, slide);
            let read = heuristic.read(&node, slide, &mut probe);
            assert_eq!(heuristic.read(&node, slide, &mut together[0]), read);
            let mut child = node;
            heuristic.enter(&mut state, &node, slide, &probe, &mut child);
            let settled = heuristic.settle(&mut child);
            assert_eq!(settled, heuristic.estimate(&child));
            // A first look is never larger than the settled estimate, and equal if nothing needs
            // settling.
            assert!(self.is_damaged || read <= settled && (H::SETTLES || read == settled));
            heuristic.leave(&mut state, &child, slide);
            assert_eq!(format!("{state:?}"), before);
            heuristic.enter(&mut state, &node, slide, &together[0], &mut child);
            assert_eq!(heuristic.settle(&mut child), settled);
            node = child;
            estimates.push(settled);
        }
        Ok(estimates)
    }
}

/// Returns the updated estimates along a walk, with undamaged tables.
fn carried(database: &Database, boards: &[Board]) -> Vec<u32> {
    database.visit(WalkEstimates { boards, is_damaged: false }).unwrap()
}

/// Returns the estimate of one board, computed from scratch.
fn estimate(database: &Database, board: &Board) -> Result<u32, RootError> {
    database.visit(Roots(from_ref(board))).remove(0)
}
