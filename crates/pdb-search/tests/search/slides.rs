//! Searches in which a slide of several tiles is one move.

use pdb_core::{Axis, Board, Direction, Goal, Metric, Shape};
use pdb_search::packets::PacketSearch;
use pdb_search::{
    BoardList, Claim, Improvement, KORF_BLANK_LAST, LimitKind, Limits, SlideManhattan, Solver,
    Status, Verdict, Work,
};

use crate::packets::in_shares;

fn solver(goal: &Goal) -> Solver<'static> {
    Solver::of_slides(SlideManhattan::new(goal), goal, KORF_BLANK_LAST, None).unwrap()
}

#[test]
fn a_slide_solves_every_board_of_a_line() {
    for (rows, cols) in [(1, 2), (1, 5), (6, 1), (1, 64)] {
        let shape = Shape::new(rows, cols).unwrap();
        for goal in [Goal::blank_last(shape), Goal::in_order(shape, 1)] {
            let known = pdb_oracle::slide_distances(rows, cols, goal.board().tiles());
            assert_eq!(known.len(), shape.cell_count());
            let solver = solver(&goal);
            for (tiles, distances) in known {
                let board = Board::new(shape, &tiles).unwrap();
                let outcome = solver.solve(&board, &Work::default()).unwrap();
                let moves = outcome.status.moves().unwrap();
                assert_eq!(board.after(moves).as_ref(), Ok(goal.board()));
                assert_eq!(Metric::MultiTile.count(moves) as u32, *distances.iter().min().unwrap());
                assert_eq!(solver.estimate(&board), Ok(outcome.initial_estimate.unwrap()));
            }
        }
    }
}

/// Returns some boards with their distances by the axis of the first slide.
fn sample(goal: &Goal, stride: usize) -> Vec<(Board, [u32; 2])> {
    let shape = goal.shape();
    let known = pdb_oracle::slide_distances(shape.rows(), shape.cols(), goal.board().tiles());
    let mut boards: Vec<_> = known.into_iter().collect();
    boards.sort_unstable();
    let board = |(tiles, distances): (Vec<u8>, _)| (Board::new(shape, &tiles).unwrap(), distances);
    boards.into_iter().step_by(stride).map(board).collect()
}

fn least(distances: [u32; 2]) -> u32 {
    distances[0].min(distances[1])
}

#[test]
fn many_boards_at_a_time_have_their_distances() {
    for (rows, cols, stride) in [(3, 3, 401), (2, 4, 97)] {
        let goal = Goal::blank_last(Shape::new(rows, cols).unwrap());
        let (boards, distances): (Vec<_>, Vec<_>) = sample(&goal, stride).into_iter().unzip();
        for thread_count in [1, 3] {
            let list = BoardList::new(&boards);
            solver(&goal).solve_all(&list, &Work { thread_count, ..Work::default() });
            for (answer, distances) in list.into_answers().into_iter().zip(&distances) {
                let Status::Optimal { moves } = answer.unwrap().status else { panic!("no limit") };
                assert_eq!(Metric::MultiTile.count(&moves) as u32, least(*distances));
            }
        }
    }
}

#[test]
fn claims_about_slides_are_true_for_exactly_the_distance() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let solver = solver(&goal);
    let after = |axis: Axis| axis.other().directions()[0];
    for (board, distances) in sample(&goal, 1999) {
        let length = least(distances);
        let claim = |distance, after: Option<Direction>| Claim { board, distance, after };
        let mut claims: Vec<_> = (0..=length).map(|distance| claim(distance, None)).collect();
        // Along one axis, the first slide may be excluded.
        claims.extend(Axis::BOTH.map(|axis| claim(length, Some(after(axis)))));
        let work = Work { thread_count: 2, ..Work::default() };
        let (verdicts, _) = solver.try_claims(&claims, &work).unwrap();
        for (claim, verdict) in claims.iter().zip(verdicts) {
            let is_open = |axis: &Axis| claim.after != Some(axis.directions()[0]);
            let open = Axis::BOTH.into_iter().filter(is_open);
            let expected = board == *goal.board() && claim.distance == 0
                || open.map(|axis| distances[axis as usize]).min() == Some(claim.distance);
            assert_eq!(matches!(verdict, Verdict::True(_)), expected, "{board}: {claim:?}");
        }
    }
}

#[test]
fn several_threads_search_one_board_within_the_limit_of_nodes() {
    let goal = Goal::blank_last(Shape::new(3, 4).unwrap());
    let board: Board = "6 8 9 3/10 7 11 2/1 5 0 4".parse().unwrap();
    let alone = solver(&goal).solve(&board, &Work::default()).unwrap();
    assert!(alone.generated > 1 << 18, "{alone:?}");
    let (last, complete) = alone.bounds.split_last().unwrap();
    for thread_count in [1, 3] {
        let whole = solver(&goal).solve(&board, &Work { thread_count, ..Work::default() }).unwrap();
        let moves = whole.status.moves().unwrap();
        assert_eq!(board.after(moves).as_ref(), Ok(goal.board()));
        assert_eq!(Metric::MultiTile.count(moves), 22);
        assert_eq!(complete, &whole.bounds[..complete.len()]);
        assert_eq!(last.bound, whole.bounds.last().unwrap().bound);
        for nodes in [0, 1, 100, 5_000, 100_000] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let work = Work { limits, thread_count, ..Work::default() };
            let outcome = solver(&goal).solve(&board, &work).unwrap();
            assert!(outcome.generated <= nodes, "{outcome:?}");
            let Status::Limit { kind, lower_bound } = outcome.status else { panic!("no limit") };
            assert_eq!((kind, lower_bound <= 22), (LimitKind::Nodes, true));
        }
    }
}

#[test]
fn packets_and_shards_of_slides_find_the_fewest() {
    let goal = Goal::blank_last(Shape::new(3, 4).unwrap());
    let solver = solver(&goal);
    let board: Board = "6 8 9 3/10 7 11 2/1 5 0 4".parse().unwrap();
    let search = |thread_count| {
        PacketSearch::new(&solver, &board, Work { thread_count, ..Work::default() }).unwrap()
    };
    let alone = in_shares(&search(1), 40, 1);
    assert_eq!(alone.subject.metric, Metric::MultiTile);
    for count in [1, 2, 3] {
        let ledger = in_shares(&search(2), 40, count);
        let moves = ledger.best().unwrap();
        assert_eq!(board.after(moves).as_ref(), Ok(goal.board()));
        assert_eq!((Metric::MultiTile.count(moves), ledger.lower_bound()), (22, 22));
        assert_eq!(ledger.bounds, alone.bounds);
    }
}

#[test]
fn improved_packets_of_slides_prove_the_fewest() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let solver = solver(&goal);
    let after = std::time::Duration::ZERO;
    let improvement = Some(Improvement { after, share: 0.5, memory: 1 << 24 });
    for (board, distances) in sample(&goal, 9_001) {
        let work = Work { improvement, thread_count: 2, ..Work::default() };
        let search = PacketSearch::new(&solver, &board, work).unwrap();
        for ledger in [1, 2].map(|count| in_shares(&search, 40, count)) {
            let moves = ledger.best().unwrap();
            assert_eq!(board.after(moves).as_ref(), Ok(goal.board()));
            assert_eq!(Metric::MultiTile.count(moves) as u32, least(distances), "{board}");
        }
    }
}
