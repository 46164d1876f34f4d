//! The memory that searches allocate, as counted by the allocator, compared with their memory
//! limits.

use pdb_core::{Board, Goal, Shape};
use pdb_search::{LimitKind, Limits, Status};
use pdb_tests::are_long;
use pdb_tests::searches::{Case, Search, SearchReport};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Memory of a search that keeps boards in addition to its counted memory, in bytes. It is the
/// uncounted part of one node in each tree of keys, the way back, and the search's own numbers.
const BESIDE_BYTES: u64 = 4 << 10;
/// Largest memory of the other searches, by the number of cells. With lanes, nearly all of it is
/// used while redundant moves are found.
const DEPTH_FIRST_BYTES: [(usize, u64); 4] =
    [(9, 256 << 10), (16, 2 << 20), (25, 16 << 20), (36, 1 << 20)];

/// Returns the peak of the memory that a search allocated, in bytes.
fn allocated(
    search: Search,
    goal: &Goal,
    board: &Board,
    limits: Limits<'_>,
) -> (SearchReport, u64) {
    let case = Case::new(goal, board, true, 0);
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    let found = search.run(&case, limits);
    (found, (ALLOCATOR.peak_usage() - before) as u64)
}

/// Returns a board that is far from the goal and not symmetric.
fn far(side: usize) -> (Goal, Board) {
    let goal = Goal::blank_last(Shape::new(side, side).unwrap());
    let mut tiles = goal.board().tiles().to_vec();
    tiles[..side * side - 1].reverse();
    tiles.swap(0, 3);
    let board = Board::new(goal.shape(), &tiles).unwrap();
    if goal.check_solvable(&board).is_ok() {
        return (goal, board);
    }
    tiles.swap(1, 2);
    (goal, Board::new(goal.shape(), &tiles).unwrap())
}

#[test]
fn no_search_exceeds_its_memory_limit_plus_the_documented_extra() {
    if !pdb_oracle::is_alone("memory::no_search_exceeds_its_memory_limit_plus_the_documented_extra")
    {
        return;
    }
    let mut beside = 0;
    for side in [4, 5, 6] {
        let (goal, board) = far(side);
        for search in Search::all().into_iter().filter(|search| search.keeps_boards()) {
            let largest = if side == 4 { 25 } else { 21 } - if are_long() { 0 } else { 3 };
            for memory in [0, 1, 100, 1000].into_iter().chain((12..=largest).map(|i| 3 << (i - 1)))
            {
                let limits = Limits { memory: Some(memory), ..Limits::default() };
                let (found, peak) = allocated(search, &goal, &board, limits);
                let context = format!("{search} on {board}, {memory} bytes: {peak}, {found:?}");
                assert!(found.memory_bytes <= memory, "{context}");
                assert!(peak <= found.memory_bytes + BESIDE_BYTES, "{context}");
                beside = beside.max(peak.saturating_sub(found.memory_bytes));
                match found.status {
                    Status::Limit { kind, .. } => {
                        assert_eq!(kind, LimitKind::Memory, "{context}");
                        // The next allocation would be a chunk of each kind, or a hash table of
                        // twice the size, or a beam of its width.
                        let is_beam = search.to_string().starts_with("beam");
                        let is_used = found.memory_bytes > memory / 2 || is_beam;
                        assert!(memory < 1 << 20 || is_used, "{context}");
                    }
                    _ => assert!(memory > 1 << 16, "{context}"),
                }
            }
        }
    }
    println!("searches that keep boards: at most {beside} bytes beside what they count");

    for (side, (cells, most)) in (3..).zip(DEPTH_FIRST_BYTES) {
        assert_eq!(cells, side * side);
        let (goal, board) = far(side);
        for search in Search::all().into_iter().filter(|search| !search.keeps_boards()) {
            let mut peaks = Vec::new();
            for nodes in [1_000, if are_long() { 1_000_000 } else { 100_000 }] {
                let limits = Limits { nodes: Some(nodes), memory: Some(0), ..Limits::default() };
                let (found, peak) = allocated(search, &goal, &board, limits);
                let kinds =
                    matches!(found.status, Status::Limit { kind, .. } if kind != LimitKind::Nodes);
                assert!(!kinds, "a depth-first search has no limit on memory: {found:?}");
                assert!(peak <= most, "{search} on {board}: {peak} bytes");
                peaks.push(peak);
            }
            println!("{search}, {cells} cells: {peaks:?} bytes for few nodes and for many");
        }
    }
}
