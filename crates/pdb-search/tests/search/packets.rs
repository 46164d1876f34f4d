//! Searches in packets compared with the solver, for any cut, any interruption and any shares.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crate::common::{distances, goals, inconsistent, misplaced, moves, sample, shape};
use pdb_core::{Board, Direction, Goal, Heuristic, RootError};
use pdb_oracle::are_long;
use pdb_search::packets::{
    Advance, Counts, Dealer, Deals, Done, Ledger, LedgerError, PacketEvent, PacketSearch, Round,
    Share, Stage,
};
use pdb_search::{
    BoundCount, Improvement, KORF_BLANK_LAST, LimitKind, Limits, Manhattan, Outcome, SearchError,
    Sharing, Solver, Status, Work,
};

/// Boards of the 15-puzzle, for the goal with the blank first. Korf's search generated from some
/// hundred thousand to ten million nodes for them.
const BOARDS: [&str; 4] = [
    "14 1 9 6/4 8 12 5/7 2 3 0/10 11 13 15",
    "8 11 4 6/7 3 10 9/2 12 15 13/0 1 5 14",
    "13 5 4 10/9 12 8 14/2 3 7 1/0 15 11 6",
    "4 7 14 13/10 3 9 12/11 5 6 15/1 2 8 0",
];

fn solver<'h, H: Heuristic + Clone + Send + 'h>(heuristic: &H, goal: &Goal) -> Solver<'h> {
    Solver::new(heuristic.clone(), goal, KORF_BLANK_LAST).unwrap()
}

fn search<'a>(solver: &'a Solver<'a>, board: &Board, work: Work<'a>) -> PacketSearch<'a> {
    PacketSearch::new(solver, board, work).unwrap()
}

/// Returns work without limits.
fn on(thread_count: usize) -> Work<'static> {
    Work { thread_count, ..Work::default() }
}

/// Solves a board. Each bound is searched from the root, so it has all nodes of its tree.
fn solve<H: Heuristic + Clone + Send>(heuristic: &H, goal: &Goal, board: &Board) -> Outcome {
    let sharing = Sharing { subtrees: 1, ..Sharing::default() };
    solver(heuristic, goal).solve(board, &Work { sharing, ..Work::default() }).unwrap()
}

fn begin(search: &PacketSearch<'_>, packet_count: usize) -> Mutex<Ledger> {
    Mutex::new(search.begin(search.subject("test", Vec::new(), packet_count)))
}

/// Searches until the end.
fn finish<H: Heuristic + Clone + Send>(
    heuristic: &H,
    goal: &Goal,
    board: &Board,
    packet_count: usize,
    threads: usize,
) -> Ledger {
    let solver = solver(heuristic, goal);
    let search = search(&solver, board, on(threads));
    let ledger = begin(&search, packet_count);
    assert_eq!(search.advance(&ledger, Share::ALL, &|_| ()), Ok(Advance::Solved));
    ledger.into_inner().unwrap()
}

fn solution(ledger: &Ledger) -> &[Direction] {
    match &ledger.stage {
        Stage::Solved { moves, .. } => moves,
        Stage::Searching(round) => panic!("bound {} is not done", round.bound),
    }
}

/// Returns the bounds that a solver searched completely.
fn full(outcome: &Outcome) -> &[BoundCount] {
    &outcome.bounds[..outcome.bounds.len() - 1]
}

fn check<H: Heuristic + Clone + Send>(
    heuristic: &H,
    goal: &Goal,
    board: &Board,
    ways: &[(usize, usize)],
) {
    let expected = solve(heuristic, goal, board);
    for &(packets, threads) in ways {
        let ledger = finish(heuristic, goal, board, packets, threads);
        assert_eq!(ledger.bounds, full(&expected), "{board}: {packets} packets");
        let found = solution(&ledger);
        assert_eq!(found.len(), moves(&expected).len(), "{board}: {packets} packets");
        assert_eq!(board.after(found).as_ref(), Ok(goal.board()));
    }
}

fn every_kind(goal: &Goal, board: &Board, ways: &[(usize, usize)]) {
    check(&Manhattan::new(goal), goal, board, ways);
    check(&inconsistent(goal).without_waits(), goal, board, ways);
    check(&misplaced(goal).without_waits(), goal, board, ways);
}

#[test]
fn packets_of_small_boards_add_up_to_the_counts_of_the_solver() {
    for shape in [shape(3, 3), shape(2, 4), shape(2, 2)] {
        for goal in goals(shape) {
            for (board, _) in sample(&goal, distances(&goal).len() / 8 + 1) {
                every_kind(&goal, &board, &[(1, 1), (2, 1), (7, 2), (5000, 1)]);
            }
        }
    }
    // Boards that are their own mirror images: one of two mirrored first moves is pruned.
    let goal = Goal::blank_last(shape(3, 3));
    for board in ["1 4 3/2 5 8/7 6 0", "1 6 4/8 5 7/2 3 0"] {
        every_kind(&goal, &board.parse().unwrap(), &[(1, 1), (3, 1), (40, 2)]);
    }
}

#[test]
fn packets_of_large_boards_add_up_to_the_counts_of_the_solver() {
    // Three of the boards; all of them in long tests.
    for board in &BOARDS[..if are_long() { 4 } else { 3 }] {
        let board: Board = board.parse().unwrap();
        let goal = Goal::blank_first(board.shape());
        let ways = [(1, 2), (10, 1), (500, 1), (500, 3), (20_000, 2)];
        check(&Manhattan::new(&goal), &goal, &board, &ways);
    }
}

#[test]
fn the_goal_is_solved_in_no_moves() {
    let goal = Goal::blank_last(shape(3, 3));
    let ledger = finish(&Manhattan::new(&goal), &goal, goal.board(), 10, 2);
    assert!(solution(&ledger).is_empty());
    assert_eq!(ledger.counts(), Counts { generated: 1, expanded: 0 });
}

#[test]
fn rejects_a_board_without_a_solution() {
    let board: Board = "1 2 3/4 5 6/8 7 0".parse().unwrap();
    let goal = Goal::blank_last(board.shape());
    let solver = Solver::new(Manhattan::new(&goal), &goal, KORF_BLANK_LAST).unwrap();
    let error = PacketSearch::new(&solver, &board, Work::default());
    assert!(matches!(error, Err(SearchError::Root(RootError::Unsolvable(_)))));
}

#[test]
fn stopped_and_continued_search_has_the_same_counts() {
    let board: Board = BOARDS[3].parse().unwrap();
    let goal = Goal::blank_first(board.shape());
    let heuristic = Manhattan::new(&goal);
    let expected = solve(&heuristic, &goal, &board);
    let solver = solver(&heuristic, &goal);
    for (packet_count, every, threads) in [(50, 1, 1), (300, 7, 2), (300, 100, 3), (2000, 199, 1)] {
        let mut kept: Option<Ledger> = None;
        let mut runs = 0;
        loop {
            let (stop, packets) = (AtomicBool::new(false), AtomicUsize::new(0));
            let limits = Limits { stop: Some(&stop), ..Limits::default() };
            let search = search(&solver, &board, Work { limits, ..on(threads) });
            let subject = search.subject("test", Vec::new(), packet_count);
            let ledger = kept.unwrap_or_else(|| search.begin(subject.clone()));
            search.check(&ledger, &subject).unwrap();
            let ledger = Mutex::new(ledger);
            let watch = |event| {
                if event == PacketEvent::Packet
                    && packets.fetch_add(1, Ordering::Relaxed) + 1 >= every
                {
                    stop.store(true, Ordering::Relaxed);
                }
            };
            let end = search.advance(&ledger, Share::ALL, &watch).unwrap();
            runs += 1;
            let ledger = ledger.into_inner().unwrap();
            if end == Advance::Solved {
                assert_eq!(ledger.bounds, full(&expected));
                assert_eq!(solution(&ledger).len(), moves(&expected).len());
                break;
            }
            assert!(matches!(end, Advance::Limit { kind: LimitKind::Interrupted, .. }));
            kept = Some(ledger);
        }
        assert!(runs > 2, "{every} packets a run need more than {runs} runs");
    }
}

/// Searches each bound in shares, one after another, and merges the shares.
pub(crate) fn in_shares(search: &PacketSearch<'_>, packet_count: usize, count: usize) -> Ledger {
    let subject = search.subject("test", Vec::new(), packet_count);
    let mut whole = search.begin(subject.clone());
    while whole.round().is_some() {
        let share = |index| {
            let ledger = Mutex::new(whole.clone());
            let share = Share::new(index, count).unwrap();
            let end = search.advance(&ledger, share, &|_| ()).unwrap();
            assert!(!matches!(end, Advance::Limit { .. }));
            ledger.into_inner().unwrap()
        };
        let mut shares: Vec<_> = (1..=count).map(share).collect();
        let is_solved = shares.iter().any(|share| share.round().is_none());
        // A small bound may have no packet for some share.
        let is_part = |round: &Round| round.packets.len() < count || !round.is_done();
        // In any order.
        let mut merged = shares.pop().unwrap();
        for share in &shares {
            assert!(is_solved || merged.round().is_some_and(is_part));
            merged.merge(share).unwrap();
            let once = merged.clone();
            merged.merge(share).unwrap();
            assert_eq!(merged, once, "a share that is merged twice counts once");
        }
        search.check(&merged, &subject).unwrap();
        assert!(is_solved || merged.round().is_some_and(Round::is_done));
        whole = merged;
    }
    whole
}

#[test]
fn merged_shares_have_the_counts_of_one_search() {
    for (board, count) in BOARDS.iter().zip([2, 3, 5, 17]) {
        let board: Board = board.parse().unwrap();
        let goal = Goal::blank_first(board.shape());
        let heuristic = Manhattan::new(&goal);
        let expected = solve(&heuristic, &goal, &board);
        let solver = solver(&heuristic, &goal);
        let ledger = in_shares(&search(&solver, &board, on(2)), 20, count);
        assert_eq!(ledger.bounds, full(&expected), "{board}");
        assert_eq!(solution(&ledger).len(), moves(&expected).len(), "{board}");
    }
}

#[test]
fn shares_hold_each_packet_once() {
    for count in 1..20 {
        for packet in 0..100 {
            let holds = |&index: &usize| Share::new(index, count).unwrap().holds(packet);
            let holders = (1..=count).filter(holds).map(|index| index % count);
            assert!(holders.eq([packet % count]));
        }
        assert_eq!((Share::new(0, count), Share::new(count + 1, count)), (None, None));
    }
}

/// Returns a ledger in the middle of a bound of some hundred packets.
fn half_done() -> (Goal, Board, Ledger) {
    let board: Board = BOARDS[2].parse().unwrap();
    let goal = Goal::blank_first(board.shape());
    let heuristic = Manhattan::new(&goal);
    let stop = AtomicBool::new(false);
    let packets = AtomicUsize::new(0);
    let limits = Limits { stop: Some(&stop), ..Limits::default() };
    let solver = solver(&heuristic, &goal);
    let search = search(&solver, &board, Work { limits, ..on(1) });
    let ledger = begin(&search, 100);
    let watch = |event| match event {
        PacketEvent::Begin => packets.store(0, Ordering::Relaxed),
        PacketEvent::Packet if packets.fetch_add(1, Ordering::Relaxed) >= 50 => {
            stop.store(true, Ordering::Relaxed);
        }
        _ => (),
    };
    let end = search.advance(&ledger, Share::ALL, &watch).unwrap();
    assert!(matches!(end, Advance::Limit { .. }));
    (goal, board, ledger.into_inner().unwrap())
}

fn round_of(ledger: &mut Ledger) -> &mut Round {
    match &mut ledger.stage {
        Stage::Searching(round) => round,
        Stage::Solved { .. } => panic!("the ledger is half done"),
    }
}

#[test]
fn ledgers_that_do_not_belong_together_are_refused_and_nothing_changes() {
    let (goal, board, ledger) = half_done();
    let heuristic = Manhattan::new(&goal);
    let solver = solver(&heuristic, &goal);
    let search = search(&solver, &board, on(1));
    search.check(&ledger, &ledger.subject).unwrap();
    let round = ledger.round().unwrap();
    let done = round.packets.iter().position(|packet| packet.done.is_some()).unwrap();
    let expect = |name: &str, change: &dyn Fn(&mut Ledger), is_checked: bool| {
        let mut other = ledger.clone();
        change(&mut other);
        let mut merged = ledger.clone();
        let error = merged.merge(&other).unwrap_err();
        assert!(format!("{error:?}").starts_with(name), "{name}: {error:?}");
        assert_eq!(merged, ledger, "{name}");
        if is_checked {
            search.check(&other, &ledger.subject).unwrap_err();
        }
    };
    expect("Subject", &|l| l.subject.board = *goal.board(), true);
    expect("Subject", &|l| l.subject.goal = board, true);
    expect("Subject", &|l| l.subject.heuristic.push('x'), true);
    expect("Subject", &|l| l.subject.tables.push(("a".into(), "b".into())), true);
    expect("Subject", &|l| l.subject.order.reverse(), true);
    expect("Subject", &|l| l.subject.packet_count += 1, true);
    expect("OtherResult { what: \"bound ", &|l| l.bounds[0].generated += 1, false);
    expect("OtherResult { what: \"bound ", &|l| l.bounds[0].expanded = u64::MAX, false);
    expect("Bound ", &|l| l.bounds[0].bound += 2, true);
    expect("OtherBound", &|l| l.bounds.truncate(l.bounds.len() - 1), true);
    expect("OtherBound", &|l| round_of(l).bound += 2, true);
    expect("OtherPackets", &|l| round_of(l).trunk.generated += 1, true);
    expect("OtherPackets", &|l| drop(round_of(l).packets.pop()), true);
    expect("OtherPackets", &|l| round_of(l).packets.swap(3, 4), true);
    expect("OtherPackets", &|l| round_of(l).packets[9].moves.truncate(1), true);
    let one_more = |l: &mut Ledger| {
        round_of(l).packets[done].done.as_mut().unwrap().counts.generated += 1;
    };
    expect("OtherResult { what: \"packet ", &one_more, false);
    let through = round.packets[done].moves.clone();
    let solved = |l: &mut Ledger| {
        let mut moves = through.clone();
        moves.resize(round.bound as usize, Direction::Up);
        l.stage = Stage::Solved { moves, last: Counts::default(), is_proved_by_bounds: false };
    };
    expect("OtherResult { what: \"packet ", &solved, true);
    // Merging in the other direction fails, too.
    let mut other = ledger.clone();
    solved(&mut other);
    assert!(matches!(other.merge(&ledger), Err(LedgerError::OtherResult { .. })));
}

#[test]
fn absurd_counts_do_not_overflow() {
    let (_, _, mut ledger) = half_done();
    ledger.bounds[0].generated = u64::MAX;
    assert_eq!(ledger.counts().generated, u64::MAX);
    assert!(!ledger.is_small());
}

/// Searches boards from their duals, whose blank has another home than the boards' blank, with
/// frequent interruptions.
#[test]
fn packets_of_duals_lead_to_solutions_of_the_board() {
    let shape = shape(3, 3);
    let goal = Goal::blank_last(shape);
    let heuristic = |goal: &Goal| inconsistent(goal).without_waits();
    let straight = Solver::new(heuristic(&goal), &goal, KORF_BLANK_LAST).unwrap();
    let mut goals = vec![goal];
    goals.extend([0, 1, 4].map(|blank| Goal::in_order(shape, blank)));
    let heuristics = goals.iter().map(heuristic).collect();
    let solver = Solver::with_duals(heuristics, goals, KORF_BLANK_LAST).unwrap();
    let (mut duals, mut merged, mut others) = (0, 0, 0);
    for (board, distance) in sample(&goal, 499) {
        let plain = search(&straight, &board, on(1)).initial_estimate();
        let subject = |search: &PacketSearch<'_>| search.subject("test", Vec::new(), 40);
        let first = search(&solver, &board, on(1));
        duals += usize::from(first.initial_estimate() != plain);
        let ledger = Mutex::new(first.begin(subject(&first)));
        let mut before = None;
        for goes in 0.. {
            before = Some(ledger.lock().unwrap().clone());
            let limits = Limits { nodes: Some(8000), ..Limits::default() };
            let work = Work { limits, ..on(2) };
            let next =
                PacketSearch::with_dual(&solver, &board, first.dual().as_ref(), work).unwrap();
            next.check(&ledger.lock().unwrap(), &subject(&next)).unwrap();
            match next.advance(&ledger, Share::ALL, &|_| ()).unwrap() {
                Advance::Solved => break,
                Advance::Limit { kind: LimitKind::Nodes, .. } => assert!(goes < 1000, "{board}"),
                other => panic!("{board}: {other:?}"),
            }
        }
        let ledger = ledger.into_inner().unwrap();
        assert_eq!(solution(&ledger).len(), distance, "{board}");
        assert_eq!(board.after(solution(&ledger)).as_ref(), Ok(goal.board()));
        first.check(&ledger, &subject(&first)).unwrap();
        // The other tree has a solution of the same length, and is not the one of the ledger.
        let dual = Goal::in_order(shape, board.blank());
        let other = if first.dual().is_some() { None } else { Some(dual.board()) };
        let other = PacketSearch::with_dual(&solver, &board, other, Work::default()).unwrap();
        if other.dual() != first.dual() {
            others += 1;
            assert!(matches!(
                other.check(&ledger, &subject(&other)),
                Err(LedgerError::Subject { what: "goal of the dual", .. })
            ));
            let ledger = Mutex::new(other.begin(subject(&other)));
            assert_eq!(other.advance(&ledger, Share::ALL, &|_| ()), Ok(Advance::Solved));
            assert_eq!(solution(&ledger.lock().unwrap()).len(), distance, "{board}");
        }
        // Other results of the last bound can be merged with the solution, unless they claim that
        // there is none.
        if let Some(mut other) = before.filter(|before| before.bound() == ledger.bound()) {
            ledger.clone().merge(&other).unwrap();
            other.clone().merge(&ledger).unwrap();
            let packets = round_of(&mut other).packets.iter_mut();
            packets.for_each(|packet| packet.done = Some(Done::default()));
            let result = other.merge(&ledger);
            assert!(matches!(result, Err(LedgerError::OtherResult { .. })), "{board}: {result:?}");
            merged += 1;
        }
    }
    assert!(merged > 10, "{merged} ledgers were merged");
    assert!(duals > 10, "{duals} boards were searched from their duals with another estimate");
    assert!(others > 10, "{others} boards were searched in both trees");
}

/// An improvement that takes part in the search of any board.
const EAGER: Option<Improvement> =
    Some(Improvement { after: Duration::ZERO, share: 0.5, memory: 1 << 24 });

/// Checks what a ledger and the outcome of its search say about a board of known distance.
fn check_bounds(goal: &Goal, board: &Board, distance: usize, ledger: &Ledger, outcome: &Outcome) {
    if let Some(moves) = outcome.status.moves() {
        assert_eq!(board.after(moves).as_ref(), Ok(goal.board()), "{board}");
        assert!(moves.len() >= distance, "{board} needs {distance} moves");
    }
    let lower_bound = ledger.lower_bound() as usize;
    assert!(lower_bound <= distance, "{board} needs {distance} moves");
    match &outcome.status {
        Status::Optimal { moves } => {
            assert_eq!(moves.len(), distance, "{board}");
            assert_eq!((moves.as_slice(), &ledger.known), (solution(ledger), &None));
        }
        Status::Solved { moves, lower_bound: bound, limit } => {
            assert_eq!(ledger.known.as_ref(), Some(moves));
            assert_eq!(*bound as usize, lower_bound);
            assert!(moves.len() > lower_bound && limit.is_some(), "{board}");
        }
        Status::Limit { .. } => assert_eq!(ledger.known, None),
        Status::ShardDone { .. } => assert!(ledger.round().is_some()),
        Status::Unsolvable(_) => panic!("{board} has a solution"),
    }
}

#[test]
fn improved_packets_of_small_boards_prove_shortest_solutions() {
    let mut by_bounds = 0;
    for shape in [shape(3, 3), shape(2, 4), shape(2, 2)] {
        for goal in goals(shape) {
            let solver = solver(&inconsistent(&goal).without_waits(), &goal);
            for (board, distance) in sample(&goal, distances(&goal).len() / 60 + 1) {
                for (packet_count, threads) in [(1, 1), (7, 2), (60, 1), (60, 3)] {
                    let search =
                        search(&solver, &board, Work { improvement: EAGER, ..on(threads) });
                    let ledger = begin(&search, packet_count);
                    let end = search.advance(&ledger, Share::ALL, &|_| ()).unwrap();
                    assert_eq!(end, Advance::Solved);
                    let ledger = ledger.into_inner().unwrap();
                    let outcome = search.outcome(&ledger, end);
                    check_bounds(&goal, &board, distance, &ledger, &outcome);
                    search.check(&ledger, &ledger.subject).unwrap();
                    by_bounds += usize::from(is_proved_by_bounds(&ledger));
                }
            }
        }
    }
    assert!(by_bounds > 10, "{by_bounds} solutions were proved by the bounds below");
}

fn is_proved_by_bounds(ledger: &Ledger) -> bool {
    matches!(ledger.stage, Stage::Solved { is_proved_by_bounds: true, .. })
}

#[test]
fn a_solution_of_the_next_bound_ends_the_search() {
    let board: Board = BOARDS[3].parse().unwrap();
    let goal = Goal::blank_first(board.shape());
    let heuristic = Manhattan::new(&goal);
    let whole = finish(&heuristic, &goal, &board, 300, 2);
    let solver = solver(&heuristic, &goal);
    let search = search(&solver, &board, on(2));
    let ledger = begin(&search, 300);
    // Such a solution may run through packets that prune it.
    ledger.lock().unwrap().keep_known(solution(&whole));
    assert_eq!(search.advance(&ledger, Share::ALL, &|_| ()), Ok(Advance::Solved));
    let ledger = ledger.into_inner().unwrap();
    assert!(is_proved_by_bounds(&ledger));
    assert_eq!((&ledger.bounds, solution(&ledger)), (&whole.bounds, solution(&whole)));
    let below: u64 = whole.bounds.iter().map(|bound| bound.generated).sum();
    assert_eq!(search.outcome(&ledger, Advance::Solved).generated, below);
    search.check(&ledger, &ledger.subject).unwrap();
}

#[test]
fn a_solution_within_the_bound_ends_the_packets_of_other_machines() {
    let goal = Goal::blank_last(shape(3, 3));
    let heuristic = Manhattan::new(&goal);
    let solver = solver(&heuristic, &goal);
    let boards = sample(&goal, 101).into_iter();
    let exact = boards.filter(|(board, distance)| {
        *distance > 8 && goal.manhattan_distance(board) as usize == *distance
    });
    for (board, distance) in exact.take(20) {
        let search = search(&solver, &board, Work { improvement: EAGER, ..on(1) });
        let ledger = begin(&search, 1);
        // The other machines search forever.
        let elsewhere = |deals: &dyn Deals, _: &(dyn Fn(&dyn Dealer) + Sync)| {
            while !deals.is_over() {
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        let end = search.advance_with(&ledger, Share::ALL, &|_| (), &elsewhere);
        assert_eq!(end, Ok(Advance::Solved));
        let ledger = ledger.into_inner().unwrap();
        assert_eq!((solution(&ledger).len(), is_proved_by_bounds(&ledger)), (distance, true));
    }
}

#[test]
fn known_solution_that_misses_the_goal_or_is_too_short_is_refused() {
    let (goal, board, ledger) = half_done();
    let heuristic = Manhattan::new(&goal);
    let solver = solver(&heuristic, &goal);
    let search = search(&solver, &board, on(1));
    let mut wrong = ledger.clone();
    assert!(wrong.keep_known(&[Direction::Up; 3]));
    assert_eq!(search.check(&wrong, &ledger.subject), Err(LedgerError::Solution { length: 3 }));
    // A bound that is above the solution was wrongly searched in full.
    let whole = finish(&heuristic, &goal, &board, 100, 2);
    let mut wrong = ledger.clone();
    wrong.known = Some(solution(&whole).to_vec());
    round_of(&mut wrong).bound = solution(&whole).len() as u32 + 2;
    let error = search.advance(&Mutex::new(wrong), Share::ALL, &|_| ());
    assert!(matches!(error, Err(SearchError::NotLowerBound { .. })), "{error:?}");
}
