//! Every search obeys its limits on nodes and time, and stops on request.
//!
//! The tests count the nodes between two checks of the clock and of the stop flag. They do not
//! measure time.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use pdb_core::{Board, Goal, Shape};
use pdb_lab::Proof;
use pdb_search::{LimitKind, Limits, Manhattan, Options, Status, Weight, weighted_ida_star};
use pdb_tests::searches::{Case, Search, SearchReport, Watched};
use pdb_tests::{are_long, korf100};

/// Largest number of nodes between two checks, per lane.
const TOLERANCE: u64 = 4096;

/// Returns a goal and a board 31 moves away.
fn far_3x3() -> (Goal, Board) {
    let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    (Goal::blank_last(board.shape()), board)
}

/// Returns a board that no search solves in a million nodes: Korf's hardest board of the 15-puzzle
/// for searches of shortest solutions, and a board of the 35-puzzle for the others.
fn endless(search: Search) -> (Goal, Board) {
    let is_quick = matches!(search, Search::Named(name) if name.row().proof != Proof::Shortest);
    if is_quick {
        let text = "35 2 17 4 30 6/1 23 9 28 11 12/13 34 15 0 26 18/19 20 33 8 10 24/25 5 27 22 29 \
                    14/31 32 21 16 7 3";
        let board: Board = text.parse().unwrap();
        let goal = Goal::blank_last(board.shape());
        assert!(goal.check_solvable(&board).is_ok());
        return (goal, board);
    }
    let goal = Goal::blank_first(Shape::new(4, 4).unwrap());
    (goal, Board::new(goal.shape(), &korf100()[87].tiles).unwrap())
}

fn kind(found: &SearchReport) -> Option<LimitKind> {
    match found.status {
        Status::Limit { kind, .. } => Some(kind),
        _ => None,
    }
}

/// Returns small numbers, numbers near powers of two, and numbers near the nodes that the search
/// needs. Short tests skip three of four powers.
fn numbers(whole: u64) -> Vec<u64> {
    let powers = (1..=20).step_by(if are_long() { 1 } else { 4 }).map(|i| 1u64 << i);
    let around = powers.flat_map(|n| [n - 1, n, n + 1, n + n / 2]);
    let needed = [whole - 1, whole, whole + 1, 2 * whole, u64::MAX];
    [0, 5, 6, 10, 100, 1000, 10_000].into_iter().chain(around).chain(needed).collect()
}

fn check_node_limits(search: Search, waits: bool) {
    let (goal, board) = far_3x3();
    let run = |nodes| {
        let case = Case::new(&goal, &board, waits, 0);
        let limits = Limits { nodes, ..Limits::default() };
        let found = search.run(&case, limits);
        // The reported number is correct. Only searches that keep boards generate nodes without an
        // estimate, and only packets estimate some nodes twice.
        let (reads, generated) = (case.forward.reads(), found.generated);
        match search {
            Search::Packets(_) => assert!(reads + 1 >= generated, "{search}: {reads} {generated}"),
            _ if search.keeps_boards() => assert!(reads < generated.max(1), "{search}"),
            // Children that come after the path to the goal are estimated, and not counted.
            _ if search.is_ida() => assert!(reads + 1 >= generated, "{search}"),
            _ => assert_eq!(reads + 1, generated.max(1), "{search}, {nodes:?}"),
        }
        found
    };
    let whole = run(None);
    assert_eq!(kind(&whole), None);
    let lanes = search.lanes(&Watched::new(&goal, waits, 0));
    for nodes in numbers(whole.generated) {
        let found = run(Some(nodes));
        let context = format!("{search}, {nodes} of {} nodes: {found:?}", whole.generated);
        // Without the root there is no ledger of packets.
        let root = u64::from(matches!(search, Search::Packets(_)));
        assert!(found.generated <= nodes.max(root), "{context}");
        if nodes < whole.generated_before
            || nodes < whole.generated && search.is_alone() && lanes == 1
        {
            assert_eq!(kind(&found), Some(LimitKind::Nodes), "{context}");
        }
        match found.status {
            Status::Limit { kind, lower_bound } => {
                assert_eq!(kind, LimitKind::Nodes, "{context}");
                assert!(lower_bound <= 31 && lower_bound % 2 == 1, "{context}");
                // The remaining nodes are fewer than each lane needs for the children of its next
                // node.
                if search.to_string().starts_with("beam") {
                    // It counts the children of 256 boards together.
                    assert!(found.generated + 1024 > nodes, "{context}");
                } else if matches!(search, Search::Named(_)) && !search.is_ida() {
                    assert_eq!(found.generated, nodes, "{context}");
                } else if search.is_alone() && nodes > 0 {
                    assert!(found.generated + 4 * lanes > nodes, "{context}");
                }
            }
            _ if lanes == 1 => assert_eq!(found, whole, "{context}"),
            _ => assert_eq!(length(&found), length(&whole), "{context}"),
        }
        // A lane needs nodes for the children that come after the path to the goal.
        let spare = if search.is_ida() { 100 } else { 0 };
        if lanes == 1 && nodes >= whole.generated + spare {
            assert_eq!(found, whole, "{context}");
        }
        // Each of several lanes may have a few nodes left when another lane has none. Near the
        // limit, lanes get fewer nodes at a time, so the order of their turns changes.
        if search.is_alone() && nodes >= whole.generated + 16 * lanes * TOLERANCE {
            assert_eq!(found, whole, "{context}");
        }
    }
}

fn length(found: &SearchReport) -> usize {
    match &found.status {
        Status::Optimal { moves } => moves.len(),
        other => panic!("expected a shortest solution, found {other:?}"),
    }
}

#[test]
fn a_node_limit_is_never_exceeded_and_a_large_one_changes_nothing() {
    for search in Search::all() {
        check_node_limits(search, false);
        check_node_limits(search, true);
    }
}

#[test]
fn no_time_and_an_early_stop_flag_leave_no_more_than_the_root() {
    let stop = AtomicBool::new(true);
    for search in Search::all() {
        for (goal, board) in [far_3x3(), endless(search)] {
            let case = Case::new(&goal, &board, false, 0);
            let time = Limits { time: Some(Duration::ZERO), ..Limits::default() };
            let stop = Limits { stop: Some(&stop), ..Limits::default() };
            for (limits, expected) in [(time, LimitKind::Time), (stop, LimitKind::Interrupted)] {
                let found = search.run(&case, limits);
                let Status::Limit { kind, lower_bound } = found.status else {
                    panic!("{search}: {found:?}");
                };
                assert_eq!(kind, expected, "{search}");
                assert!(found.generated <= 1, "{search}: {found:?}");
                // The root alone proves no more than its estimate, or nothing.
                let estimate = goal.manhattan_distance(&board);
                assert!(lower_bound <= estimate && lower_bound % 2 == estimate % 2, "{search}");
            }
        }
    }
}

fn check_stop(search: Search, waits: bool) {
    let (goal, board) = endless(search);
    let last = [1, 1024, 4095, 4096, 4097, 12_288, 50_000, 2, 1000, 100_000, 400_000];
    for last in last.into_iter().take(if are_long() { 11 } else { 7 }) {
        let case = Case::new(&goal, &board, waits, last);
        let forward = &case.forward;
        let limits = Limits { stop: Some(&forward.flag), ..Limits::default() };
        let found = search.run(&case, limits);
        let more = forward.reads() - last;
        let context = format!("{search}: {more} estimates after number {last}: {found:?}");
        assert_eq!(kind(&found), Some(LimitKind::Interrupted), "{context}");
        let lanes = search.lanes(forward);
        // The moves to a packet's root are made before the first check.
        let ways = if let Search::Packets(_) = search { 100 * lanes } else { 0 };
        assert!(more <= TOLERANCE * lanes + ways, "{context}");
    }
}

#[test]
fn stop_flag_ends_a_search_within_4096_nodes_per_lane() {
    for search in Search::all() {
        // An uninformed search makes no estimates, which set the flag; its nodes are counted like
        // those of A*.
        if !matches!(search, Search::Named(name) if !name.is_informed()) {
            check_stop(search, false);
            check_stop(search, true);
        }
    }
}

fn check_slow_stop(search: Search, waits: bool, last: u64) {
    let (goal, board) = endless(search);
    let mut forward = Watched::new(&goal, waits, last);
    forward.delay = Some(Duration::from_millis(1));
    let case = Case::with(forward, &goal, &board);
    let limits = Limits { stop: Some(&case.forward.flag), ..Limits::default() };
    let found = search.run(&case, limits);
    let more = case.forward.reads() - last;
    let context = format!("{search}: {more} estimates after number {last}: {found:?}");
    assert_eq!(kind(&found), Some(LimitKind::Interrupted), "{context}");
    // Lanes that wait for memory make 64 rounds before each check, whatever the time of a step:
    // with fewer they would be split elsewhere, and generate other nodes.
    let per_lane = if waits { 64 } else { 12 };
    assert!(more <= per_lane * search.lanes(&case.forward), "{context}");
}

#[test]
fn a_stop_flag_waits_for_few_estimates_where_each_takes_a_millisecond() {
    // Only lanes ask whether a heuristic waits. A search is split among them after some thousand
    // nodes.
    for search in Search::all() {
        let cases = match search {
            Search::Named(name) if !name.is_informed() => &[][..],
            Search::Named(_) => &[(false, 20)],
            _ => &[(false, 20), (true, 20), (true, 2500)],
        };
        for &(waits, last) in cases {
            check_slow_stop(search, waits, last);
        }
    }
}

#[test]
fn a_path_of_any_length_ends_in_a_limit_and_not_in_an_overflow_of_the_stack() {
    let (goal, board) = endless(Search::Lanes(1));
    let weight = Weight::new(10_000, 1).unwrap();
    // If a build needs less stack, the node limit ends the search.
    let limits = Limits { nodes: Some(20_000_000), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let found = weighted_ida_star(&Manhattan::new(&goal), &goal, &board, weight, &options).unwrap();
    let Status::Limit { kind: LimitKind::Memory, lower_bound } = found.status else {
        panic!("expected the limit on memory, found {:?}", found.status);
    };
    assert!((40..=80).contains(&lower_bound), "{lower_bound}");
}
