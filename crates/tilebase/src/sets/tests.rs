use std::collections::{BTreeMap, BTreeSet};

use pdb_core::{Shape, Symmetry};
use pdb_oracle::are_long;
use pdb_tests::{antipodes_small, antipodes80, korf50_24, korf100};

use super::known::Distribution;
use super::*;

fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).expect("a shape")
}

fn texts(boards: &[Board]) -> Vec<String> {
    boards.iter().map(ToString::to_string).collect()
}

/// Returns all boards of a set that needs no search.
fn boards(name: &str, goal: &Goal) -> Vec<SetBoard> {
    let name: SetName = name.parse().expect("a name");
    let made = name.make_with(
        goal,
        Metric::SingleTile,
        Box::new(|board, _| panic!("{board} need not be solved")),
    );
    made.expect("a set").collect::<Result<_, _>>().expect("boards")
}

#[test]
fn korfs_boards_have_their_goal_and_their_lengths() {
    for (set, known) in [(SetName::Korf100, korf100()), (SetName::Korf50, korf50_24())] {
        let (goal, boards) = korf(set);
        assert_eq!(boards.len(), known.len());
        assert_eq!(goal, Goal::blank_first(goal.shape()));
        for (made, known) in boards.iter().zip(&known) {
            assert_eq!(made.board.tiles(), known.tiles);
            assert_eq!(made.optimum, Some(known.length));
        }
    }
}

#[test]
fn random_boards_are_solvable_and_depend_only_on_the_seed() {
    let goal = Goal::blank_last(shape(4, 4));
    let [a, b, c] = [1, 1, 2].map(|seed| BoardSet::random(&goal, 50, seed).boards);
    assert_eq!(a, b);
    assert_ne!(a, c);
    assert!(a.iter().all(|board| goal.check_solvable(board).is_ok()));
    // The boards of a seed never change: measurements name them by their seed.
    assert_eq!(a[0].to_string(), "10 13 11 0/5 12 9 15/14 4 7 3/2 8 1 6");
    let made: Vec<Board> = boards("random:50:1", &goal).iter().map(|made| made.board).collect();
    assert_eq!(made, a);
}

#[test]
fn random_boards_are_drawn_evenly() {
    // All 12 boards of 2x2 that can be solved, each about 1,000 times, and all 360 of 2x3.
    for (cols, count) in [(2, 12), (3, 360)] {
        let goal = Goal::blank_last(shape(2, cols));
        let mut counts = BTreeMap::new();
        for board in BoardSet::random(&goal, count * 1000, 3).boards {
            *counts.entry(board.to_string()).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), count);
        assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}

#[test]
fn walks_have_their_length_and_never_turn_back() {
    let mut dice = Dice::new(4);
    for (rows, cols) in [(2, 2), (2, 3), (3, 3), (4, 4), (6, 6)] {
        let mut board = *Goal::blank_last(shape(rows, cols)).board();
        let mut last = None;
        for _ in 0..1000 {
            let before = board;
            let direction = dice.step(&mut board, last);
            assert_eq!(before.moved(direction), Some(board));
            assert_ne!(Some(direction), last.map(Direction::opposite));
            last = Some(direction);
        }
    }
    // Walks of few moves are shortest paths, because the shortest cycle takes twelve moves.
    let goal = Goal::blank_first(shape(3, 3));
    let distances = pdb_oracle::distances(3, 3, goal.board().tiles());
    for steps in 0..=6 {
        for board in BoardSet::walks(&goal, steps, 200, 9).boards {
            assert_eq!(distances[board.tiles()], steps as u32);
        }
    }
    for board in BoardSet::walks(&goal, 25, 200, 9).boards {
        let length = distances[board.tiles()];
        assert!(length <= 25 && length % 2 == 1);
    }
    let walks = BoardSet::walks(&goal, 25, 200, 9).boards;
    for (moves, board) in BoardSet::walk_moves(&goal, 25, 9).zip(walks) {
        assert_eq!(moves.len(), 25);
        assert_eq!(goal.board().after(&moves), Ok(board));
    }
}

#[test]
fn steps_of_a_walk_are_equally_likely() {
    // From the middle of 3x3 there are four moves. After each of them there are two that do not
    // take it back.
    let goal = Goal::new("1 2 3/4 0 5/6 7 8".parse().expect("a board"));
    for (steps, ends) in [(1, 4), (2, 8)] {
        let mut counts = BTreeMap::new();
        for board in BoardSet::walks(&goal, steps, ends * 1000, 2).boards {
            *counts.entry(board.to_string()).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), ends);
        assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}

#[test]
fn seeds_give_the_recorded_boards() {
    let goal = Goal::blank_last(shape(3, 3));
    let first = |name: &str| boards(name, &goal)[0].board.to_string();
    let found = ["walk:25:3:1", "optimum:20..25:3:1", "optimum:31:3:1", "hardest"].map(first);
    let expected =
        ["6 0 8/2 7 5/3 1 4", "4 6 0/3 8 1/5 2 7", "6 4 7/8 5 0/3 2 1", "6 4 7/8 5 0/3 2 1"];
    assert_eq!(found, expected);
    // A longer set begins with the boards of a shorter one.
    let goal = Goal::blank_last(shape(2, 3));
    for name in ["random", "walk:9", "optimum:9..12"] {
        let [few, many] = [5, 50].map(|count| boards(&format!("{name}:{count}:7"), &goal));
        assert_eq!(few, many[..5]);
    }
}

#[test]
fn names_of_sets_are_read_and_written() {
    let goal = Goal::blank_last(shape(3, 3));
    for (text, name) in [
        ("random:10:5", "random:10:5"),
        (" walk:25:100:1 ", "walk:25:100:1"),
        ("optimum:20..25:10:1", "optimum:20..25:10:1"),
        ("optimum:20-25:10:1", "optimum:20..25:10:1"),
        ("optimum:22:10:1", "optimum:22:10:1"),
        ("optimum:22..22:10:18446744073709551615", "optimum:22:10:18446744073709551615"),
        ("hardest", "hardest"),
        ("korf100", "korf100"),
        ("korf50", "korf50"),
    ] {
        assert!(SetName::is_name(text));
        let set: SetName = text.parse().expect(text);
        assert_eq!(set.to_string(), name);
        assert_eq!(name.parse::<SetName>().expect(name), set);
        let made = set
            .make_with(&goal, Metric::SingleTile, Box::new(|_, _| panic!("no search")))
            .expect("boards");
        assert_eq!(made.name(), set);
        assert!(set.count().is_none_or(|count| count == made.board_count()));
        assert_eq!(made.goal() == &goal, set.goal().is_none());
    }
    for bad in [
        "random",
        "random:5",
        "random:5:1:1",
        "random:0:1",
        "random:1000001:1",
        "random:-1:1",
        "random:+1:1",
        "random:1:x",
        "random:1:18446744073709551616",
        "walk:1:1",
        "walk:x:1:1",
        "walk:1000001:1:1",
        "walk:1:1:1:1",
        "optimum:5..4:1:1",
        "optimum:..:1:1",
        "optimum:5:1",
        "optimum:1..2..3:1:1",
        "hardest:1",
        "korf100:1",
        "korf",
        "",
    ] {
        let error = bad.parse::<SetName>().expect_err(bad);
        assert!(matches!(error, Error::Set { .. }) && error.kind().is_usage(), "{bad}: {error}");
    }
    assert!(!SetName::is_name("randoms") && !SetName::is_name("1 2/3 0"));
}

#[test]
fn distributions_count_all_boards_and_agree_with_the_oracle() {
    let shapes = "2x2 2x3 2x4 2x5 2x6 2x7 2x8 3x3 3x4 3x5 4x4";
    for shape in shapes.split(' ').map(|shape| shape.parse::<Shape>().expect("a shape")) {
        let blanks = match shape.to_string().as_str() {
            "3x3" => &[0, 1, 4][..],
            "4x4" => &[0, 1, 5],
            _ => &[0],
        };
        for (shape, &blank) in [shape, shape.transposed()]
            .into_iter()
            .flat_map(|shape| blanks.iter().map(move |blank| (shape, blank)))
        {
            let mut tiles: Vec<u8> = (1..shape.cell_count() as u8).rev().collect();
            tiles.insert(blank, BLANK);
            let goal = Goal::new(Board::new(shape, &tiles).expect("a board"));
            let found = Distribution::of(&goal, Metric::SingleTile).expect("the counts are there");
            assert_eq!(found.total().to_string(), shape.board_count());
            assert_eq!(greatest_distance(&goal), Some(found.counts.len() as u32 - 1));
            if shape.cell_count() <= 9 {
                let mut counts = vec![0; found.counts.len()];
                for distance in pdb_oracle::distances(shape.rows(), shape.cols(), &tiles).values() {
                    counts[*distance as usize] += 1;
                }
                assert_eq!(found.counts, counts, "{goal:?}");
            }
        }
    }
    let five = Goal::blank_last(shape(5, 5));
    let begun = Distribution::of(&five, Metric::SingleTile).expect("the first counts are known");
    assert_eq!((begun.is_whole, greatest_distance(&five)), (false, None));
    assert_eq!(greatest_distance(&Goal::blank_last(shape(3, 6))), None);
    assert_eq!(greatest_distance(&Goal::new("1 0 2/3 4 5".parse().expect("a board"))), None);
}

#[test]
fn hardest_boards_agree_with_the_distributions() {
    let shapes = "2x2 2x3 3x2 3x3 2x4 3x4 4x3 2x6 6x2 2x7 7x2 3x5 5x3 4x4";
    for shape in shapes.split(' ').map(|shape| shape.parse::<Shape>().expect("a shape")) {
        for preset in [Goal::blank_last, Goal::blank_first] {
            let goal = preset(shape);
            let counts = Distribution::of(&goal, Metric::SingleTile).expect("known").counts;
            let (distance, set) = BoardSet::hardest(&goal, Metric::SingleTile).expect("known");
            let different: BTreeSet<String> = texts(&set.boards).into_iter().collect();
            assert_eq!(distance as usize, counts.len() - 1, "{shape}");
            assert_eq!(different.len() as u64, counts[distance as usize], "{shape}");
            assert_eq!(different.len(), set.boards.len());
            for board in &set.boards {
                assert!(goal.check_solvable(board).is_ok(), "{board}");
                assert!(goal.manhattan_distance(board) <= distance);
            }
        }
    }
    // They are listed for goals with the blank in a corner.
    assert!(BoardSet::hardest(&Goal::snail(shape(4, 4)), Metric::SingleTile).is_err());
}

#[test]
fn hardest_boards_are_images_of_the_published_ones() {
    let sorted = |boards: &[Board]| texts(boards).into_iter().collect::<BTreeSet<_>>();
    let hardest =
        |goal: &Goal| sorted(&BoardSet::hardest(goal, Metric::SingleTile).expect("known").1.boards);
    let four = shape(4, 4);
    let tiles = |tiles: &[u8]| Board::new(four, tiles).expect("a board");
    let published: Vec<Board> = antipodes80().iter().map(|known| tiles(&known.tiles)).collect();
    assert_eq!(hardest(&Goal::blank_last(four)), sorted(&published));
    let published: Vec<Board> =
        antipodes80().iter().map(|known| tiles(&known.blank_first)).collect();
    assert_eq!(hardest(&Goal::blank_first(four)), sorted(&published));
    let mut compared = 0;
    for known in antipodes_small() {
        let board =
            |tiles: &[u8]| Board::new(shape(known.rows, known.cols), tiles).expect("a board");
        let goal = Goal::new(board(&known.goal));
        // For nine or ten cells, the hardest boards are found by a search, so only long tests do
        // it.
        if known.rows * known.cols < 9 || known.rows * known.cols > 10 || are_long() {
            assert!(hardest(&goal).contains(&board(&known.tiles).to_string()), "{known:?}");
            compared += 1;
        }
    }
    assert!(compared >= 6, "{compared}");
    // A goal with the blank in another corner and tiles in another order, compared with a search.
    let goal = Goal::new("5 2 0/1 4 3/8 7 6".parse().expect("a board"));
    let distances = pdb_oracle::distances(3, 3, goal.board().tiles());
    for board in BoardSet::hardest(&goal, Metric::SingleTile).expect("known").1.boards {
        assert_eq!(distances[board.tiles()], 31);
    }
}

#[test]
fn far_boards_are_the_hardest_ones_of_the_nearest_corner() {
    for symmetry in Symmetry::all(shape(4, 4)) {
        for (cell, moves) in [(0, 0), (1, 1), (5, 2), (4, 1)] {
            let mut tiles: Vec<u8> = (1..16).collect();
            tiles.insert(usize::from(symmetry.cell(cell)), BLANK);
            let goal = Goal::new(Board::new(shape(4, 4), &tiles).expect("a board"));
            let far = known::far(&goal);
            assert_eq!(far.len(), 17);
            for board in far {
                goal.check_solvable(&board).expect("a board that can be solved");
                // The board is 80 moves from the goal with the blank in the corner, which is
                // `moves` moves from this goal. Each move takes the blank to a neighbouring cell.
                // So the blank's distance from its home is even if `moves` is.
                let distance = goal.shape().distance(board.blank(), goal.home(BLANK));
                assert_eq!(distance % 2, moves % 2);
            }
        }
    }
    assert!(known::far(&Goal::blank_last(shape(5, 5))).is_empty());
}
