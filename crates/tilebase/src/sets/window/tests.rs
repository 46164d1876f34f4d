use std::collections::BTreeMap;
use std::sync::Arc;

use pdb_core::{BLANK, Shape};
use pdb_oracle::{Distances, distances};

use super::*;

fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).expect("a small shape")
}

fn all(goal: &Goal) -> Arc<Distances> {
    let shape = goal.shape();
    Arc::new(distances(shape.rows(), shape.cols(), goal.board().tiles()))
}

/// Returns a solver that looks boards up.
fn by_table(all: &Arc<Distances>) -> Solve {
    let all = Arc::clone(all);
    Box::new(move |board, greatest| {
        let length = all[board.tiles()];
        Ok(if length > greatest { Length::Greater } else { Length::Optimal(length) })
    })
}

/// Returns a solver that must not be called.
fn never() -> Solve {
    Box::new(|board, _| panic!("{board} need not be solved"))
}

fn window(first: u32, last: u32) -> Window {
    Window::new(first, last).expect("a window")
}

fn draw(windowed: &mut WindowBoards, count: usize) -> Vec<SetBoard> {
    let next = |_| windowed.next().expect("a board is found").expect("nothing stops it");
    (0..count).map(next).collect()
}

#[test]
fn window_boards_have_their_optimum_without_a_search() {
    for (rows, cols, last) in [(2, 2, 6), (2, 3, 21), (3, 2, 21), (3, 3, 31)] {
        let goal = Goal::blank_last(shape(rows, cols));
        let all = all(&goal);
        // Each case repeats the search, so only long tests try all windows.
        let step = match last {
            _ if pdb_oracle::are_long() => 1,
            31 => 16,
            _ => 3,
        };
        for first in (0..=last).step_by(step) {
            // All windows of two small boards, and those of one, two or all lengths of the
            // 8-puzzle.
            let ends =
                if last < 31 { (first..=last).collect() } else { vec![first, first + 1, 99] };
            for end in ends {
                let window = window(first, end);
                let mut made = WindowBoards::new(&goal, Metric::SingleTile, window, 5, never())
                    .expect("boards")
                    .expect("on");
                assert!(made.is_even());
                for SetBoard { board, optimum } in draw(&mut made, 20) {
                    assert_eq!(optimum, Some(all[board.tiles()]));
                    assert!(window.contains(all[board.tiles()]), "{window} {board}");
                }
            }
        }
        let none = WindowBoards::new(&goal, Metric::SingleTile, window(last + 1, 99), 5, never());
        let error = none.err().expect("no board is so far");
        assert!(matches!(error, Error::Window { greatest, .. } if greatest == last), "{error}");
    }
}

#[test]
fn listing_has_each_board_of_the_window_once() {
    // The blank in the middle of a side at the goal, and tiles of other names.
    let goal = Goal::new("3 1 5/2 0 4".parse().expect("a board"));
    let all = all(&goal);
    for first in 0..=30 {
        for last in first..=30 {
            let inside = |d: &u32| (first..=last).contains(d);
            let expected = all.values().filter(|d| inside(d)).count();
            match listed(&goal, Metric::SingleTile, window(first, last), None) {
                Ok(boards) => {
                    let boards = boards.expect("360 boards are not too many");
                    let mut tiles: Vec<_> =
                        boards.iter().map(|made| made.board.tiles().to_vec()).collect();
                    assert!(tiles.iter().all(|tiles| inside(&all[tiles])));
                    tiles.sort_unstable();
                    tiles.dedup();
                    assert_eq!(tiles.len(), expected);
                }
                Err(greatest) => {
                    assert_eq!(Some(&greatest), all.values().max());
                    assert_eq!(expected, 0);
                }
            }
        }
    }
}

#[test]
fn window_boards_are_drawn_evenly() {
    let goal = Goal::blank_last(shape(2, 3));
    let all = all(&goal);
    let window = window(18, 20);
    let expected = all.values().filter(|&&length| window.contains(length)).count();
    assert_eq!(expected, 18 + 12 + 6);
    for way in 0..2 {
        let mut made = WindowBoards::new(&goal, Metric::SingleTile, window, 5, by_table(&all))
            .expect("boards")
            .expect("on");
        if way == 1 {
            made.method = DrawMethod::All;
        }
        let mut counts = BTreeMap::new();
        for made in draw(&mut made, 36_000) {
            *counts.entry(made.board.tiles().to_vec()).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), expected);
        assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}

#[test]
fn window_walks_end_at_the_drawn_length() {
    let goal = Goal::blank_last(shape(3, 3));
    let all = all(&goal);
    let (greatest, hardest) = hardest_by_search(&goal, Metric::SingleTile).expect("a small board");
    assert_eq!((greatest, hardest.len()), (31, 2));
    let from_goal = (vec![*goal.board()], 0);
    let from_above = (hardest, greatest);
    for first in 0..=31 {
        for ((starts, length), is_meant) in [(&from_goal, first <= 26), (&from_above, first >= 14)]
        {
            if !is_meant {
                continue;
            }
            let last = (first + 2).min(31);
            let targets = window(first, last);
            let method = DrawMethod::Walks { starts: starts.clone(), length: *length, targets };
            let mut made = WindowBoards {
                goal,
                metric: Metric::SingleTile,
                window: targets,
                method,
                dice: Dice::new(3),
                solve: by_table(&all),
            };
            assert!(!made.is_even());
            let mut seen = BTreeMap::new();
            for SetBoard { board, optimum } in draw(&mut made, 60) {
                assert_eq!(optimum, Some(all[board.tiles()]), "{board}");
                *seen.entry(all[board.tiles()]).or_insert(0) += 1;
            }
            // All lengths of the window are equally likely.
            let lengths: Vec<u32> = seen.keys().copied().collect();
            assert_eq!(lengths, (first..=last).collect::<Vec<_>>());
            let least = 60 / lengths.len() / 3;
            assert!(seen.values().all(|&count| count >= least), "{first}: {seen:?}");
        }
    }
}

#[test]
fn unreachable_window_is_an_error() {
    let goal = Goal::blank_last(shape(3, 3));
    let all = all(&goal);
    // No board is as far from the goal.
    for method in [
        DrawMethod::Walks { starts: vec![*goal.board()], length: 0, targets: window(40, 40) },
        DrawMethod::All,
    ] {
        let mut made = WindowBoards {
            goal,
            metric: Metric::MultiTile,
            window: window(40, 40),
            method,
            dice: Dice::new(3),
            solve: by_table(&all),
        };
        let error = made.next().expect_err("there is none");
        assert!(matches!(error, Error::NotFound { .. }), "{error}");
        assert!(error.to_string().contains("needs 40 slides"), "{error}");
        assert!(!error.kind().is_usage());
    }
}

#[test]
fn stopped_search_ends_the_boards() {
    let goal = Goal::blank_last(shape(4, 4));
    for window in [window(30, 30), window(50, 55), window(79, 79)] {
        let stopped = WindowBoards::new(
            &goal,
            Metric::SingleTile,
            window,
            1,
            Box::new(|_, _| Ok(Length::Stopped)),
        );
        let mut made = stopped.expect("a way").expect("hard boards are known without a search");
        assert_eq!(made.next().expect("no error"), None);
    }
}

#[test]
fn draw_method_depends_on_goal_and_window() {
    let way = |goal: &Goal, first, last| {
        let lengths: Solve = Box::new(|_, _| Ok(Length::Optimal(78)));
        let made = WindowBoards::new(goal, Metric::SingleTile, window(first, last), 1, lengths);
        match made.expect("a way").expect("not stopped").method {
            DrawMethod::List(boards) => format!("list of {}", boards.len()),
            DrawMethod::All => "all".to_owned(),
            DrawMethod::Walks { starts, length, targets } => {
                format!("{} starts at {length}, to {targets}", starts.len())
            }
        }
    };
    let last = Goal::blank_last(shape(4, 4));
    // The counts are those of OEIS A089484.
    assert_eq!(way(&last, 0, 10), "list of 3754");
    assert_eq!(way(&last, 12, 12), "list of 7808");
    assert_eq!(way(&last, 20, 25), "1 starts at 0, to 20..25");
    assert_eq!(way(&last, 50, 55), "all");
    assert_eq!(way(&last, 0, 99), "all");
    assert_eq!(way(&last, 70, 99), "17 starts at 80, to 70..80");
    assert_eq!(way(&Goal::snail(shape(4, 4)), 70, 75), "17 starts at 78, to 70..75");
    assert_eq!(way(&Goal::blank_first(shape(4, 3)), 50, 53), "18 starts at 53, to 50..53");
    let five = Goal::blank_last(shape(5, 5));
    assert_eq!(way(&five, 8, 8), "list of 862");
    assert_eq!(way(&five, 30, 40), "1 starts at 0, to 30..40");
    assert_eq!(way(&five, 95, 105), "all");
    let two_by_eight = Goal::blank_last(shape(2, 8));
    let error = WindowBoards::new(&two_by_eight, Metric::SingleTile, window(139, 140), 1, never())
        .err()
        .expect("rare");
    assert!(matches!(error, Error::NotFound { .. }), "{error}");
    let error = WindowBoards::new(&two_by_eight, Metric::SingleTile, window(141, 150), 1, never())
        .err()
        .expect("none");
    assert!(matches!(error, Error::Window { greatest: 140, .. }), "{error}");
    assert_eq!(five.home(BLANK), 24);
}
