//! Tests of ratings against exact means, and of partition searches against all partitions.

use std::collections::BTreeMap;
use std::time::Duration;

use pdb_oracle::{additive_pattern_distances, are_long, distances};
use tilebase::names::{Spec, heuristics};
use tilebase::partition::PartitionSearch;
use tilebase::rate::{Rating, RatingOptions};
use tilebase::sets::BoardSet;
use tilebase::{Board, Error, Goal, Shape, Tilebase};

use crate::shape;

fn tables(folder: &tempfile::TempDir) -> Tilebase {
    Tilebase::builder().folder(folder.path()).lazy().unwrap()
}

fn rated(goal: &Goal, names: &str, rate: &RatingOptions) -> Vec<Rating> {
    let folder = tempfile::tempdir().unwrap();
    tables(&folder).rate(goal, &heuristics(names, goal).unwrap(), rate).unwrap()
}

/// Returns the mean value of a pattern over all boards, from the oracle: with at least two tiles
/// outside, all its states with the blank's cell are equally likely.
fn mean_value(goal: &Goal, homes: &[usize]) -> f64 {
    let shape = goal.shape();
    let blank = usize::from(goal.board().blank());
    let all = additive_pattern_distances(shape.rows(), shape.cols(), homes, blank);
    all.values().map(|&value| f64::from(value)).sum::<f64>() / all.len() as f64
}

#[test]
fn intervals_contain_the_mean_of_all_boards() {
    let goal = Goal::blank_last(shape(3, 3));
    let exact = mean_value(&goal, &[0, 1, 2, 3]) + mean_value(&goal, &[4, 5, 6, 7]);
    let manhattan = 14.0;
    let rate = RatingOptions { count: 5000, ..RatingOptions::default() };
    let ratings = rated(&goal, "manhattan,8/4-4:unmirrored,8/4-4", &rate);
    for (rating, exact) in ratings.iter().zip([manhattan, exact]) {
        let of = [Some(rating.estimate), rating.controlled];
        for interval in of.into_iter().flatten() {
            assert!(interval.low <= exact && exact <= interval.high, "{interval:?}: {exact}");
        }
        assert!(rating.estimate.high - rating.estimate.mean < 0.2);
        assert!((rating.manhattan - manhattan).abs() < 1e-12);
        let shares: f64 = rating.distribution.iter().map(|count| count.share).sum();
        assert!((shares - 1.0).abs() < 1e-9);
        assert_eq!(rating.distribution.iter().map(|count| count.boards).sum::<u64>(), 5000);
    }
    // A mirror image never makes the estimate smaller.
    assert!(ratings[2].estimate.mean > ratings[1].estimate.mean);
}

#[test]
fn searched_values_agree_with_the_tables() {
    let rate = RatingOptions { count: 60, ..RatingOptions::default() };
    for (goal, names) in [
        (Goal::blank_last(shape(3, 3)), "8/4-4"),
        (Goal::blank_first(shape(3, 3)), "8/4-4"),
        (Goal::snail(shape(3, 3)), "generated/3x3/3-3-2"),
        (Goal::blank_last(shape(4, 4)), "15/5-5-5"),
        (Goal::blank_first(shape(4, 4)), "15/5-5-5:unmirrored"),
    ] {
        let looked_up = &rated(&goal, names, &rate)[0];
        let searched =
            &rated(&goal, names, &RatingOptions { without_tables: true, ..rate.clone() })[0];
        assert!(searched.without_tables && searched.table_bytes.is_none());
        assert!(looked_up.table_bytes.is_some());
        assert_eq!(searched.estimate, looked_up.estimate, "{names}");
        assert_eq!(searched.distribution, looked_up.distribution, "{names}");
    }
}

#[test]
fn rating_together_takes_the_largest_estimate() {
    let goal = Goal::blank_last(shape(3, 3));
    let rate = RatingOptions {
        count: 300,
        together: true,
        without_tables: true,
        ..RatingOptions::default()
    };
    let ratings = rated(&goal, "8/4-4:unmirrored,generated/3x3/5-3:unmirrored,manhattan", &rate);
    let [one, other, _, together] = &ratings[..] else { panic!("{ratings:?}") };
    assert_eq!(together.name, "together");
    assert!(together.estimate.mean > one.estimate.mean.max(other.estimate.mean));
}

#[test]
fn rating_obeys_its_time_and_cancellation() {
    let goal = Goal::blank_last(shape(4, 4));
    let folder = tempfile::tempdir().unwrap();
    let names = heuristics("15/5-5-5", &goal).unwrap();
    let rate = RatingOptions {
        count: 100_000,
        without_tables: true,
        time: Some(Duration::from_millis(1)),
        ..RatingOptions::default()
    };
    let rating = &tables(&folder).rate(&goal, &names, &rate).unwrap()[0];
    assert!((2..1000).contains(&rating.board_count), "{}", rating.board_count);
    assert_eq!(rating.boards, format!("random:{}:1", rating.board_count));
    rate.cancel.cancel();
    let error = tables(&folder).rate(&goal, &names, &rate).unwrap_err();
    assert!(matches!(error, Error::Interrupted), "{error}");
}

#[test]
fn unratable_heuristics_are_refused_with_advice() {
    let goal = Goal::blank_last(shape(4, 4));
    let folder = tempfile::tempdir().unwrap();
    let refused = |names: &str, rate: &RatingOptions| {
        let names = heuristics(names, &goal).unwrap();
        tables(&folder).rate(&goal, &names, rate).unwrap_err().to_string()
    };
    let sampled = RatingOptions { without_tables: true, count: 10, ..RatingOptions::default() };
    for (name, expected) in [
        ("15/fringe", "only additive patterns are"),
        ("max(15/5-5-5, manhattan)", "it is a maximum"),
        ("generated/4x4/10-5", "a pattern has 10 tiles, and 9 are the most"),
    ] {
        let found = refused(name, &sampled);
        assert!(found.contains(expected), "{name}: {found}");
    }
    let found = refused("manhattan", &RatingOptions { count: 1, ..RatingOptions::default() });
    assert!(found.starts_with("a sample has 2 to 10000000 boards, found 1"), "{found}");
    let board: Board = "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0".parse().unwrap();
    let boards = vec![board; 2];
    let set = BoardSet { name: String::from("mine"), goal, boards };
    let given = RatingOptions { boards: Some(set), ..RatingOptions::default() };
    assert!(refused("manhattan", &given).contains("cannot be solved"));
}

/// Returns all connected sets of `size` of these cells that contain the first one.
fn connected(shape: Shape, cells: &[usize], size: usize) -> Vec<Vec<usize>> {
    let beside = |a: usize, b: usize| shape.distance(a as u8, b as u8) == 1;
    let mut found = vec![vec![cells[0]]];
    for _ in 1..size {
        let mut next = Vec::new();
        for set in &found {
            let is_beside = |cell: &&usize| {
                !set.contains(cell) && set.iter().any(|&other| beside(**cell, other))
            };
            for &cell in cells.iter().filter(is_beside) {
                let mut larger = set.clone();
                larger.push(cell);
                larger.sort_unstable();
                next.push(larger);
            }
        }
        next.sort_unstable();
        next.dedup();
        found = next;
    }
    found
}

/// Returns all partitions of the cells into connected patterns of these sizes.
fn partitions(shape: Shape, cells: &[usize], sizes: &[usize]) -> Vec<Vec<Vec<usize>>> {
    if cells.is_empty() {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    let mut tried = Vec::new();
    for (place, &size) in sizes.iter().enumerate() {
        if tried.contains(&size) {
            continue;
        }
        tried.push(size);
        let mut others = sizes.to_vec();
        others.remove(place);
        for pattern in connected(shape, cells, size) {
            let rest: Vec<usize> =
                cells.iter().copied().filter(|cell| !pattern.contains(cell)).collect();
            for mut partition in partitions(shape, &rest, &others) {
                partition.push(pattern.clone());
                found.push(partition);
            }
        }
    }
    found
}

/// Mean of each pattern, computed once.
#[derive(Default)]
struct Means(BTreeMap<Vec<usize>, f64>);

impl Means {
    fn of(&mut self, goal: &Goal, partition: &[Vec<usize>]) -> f64 {
        let of_pattern = |pattern: &Vec<usize>| {
            *self.0.entry(pattern.clone()).or_insert_with(|| mean_value(goal, pattern))
        };
        partition.iter().map(of_pattern).sum()
    }
}

#[test]
fn search_finds_the_best_partition() {
    for (rows, cols, sizes, least_count) in [
        (3, 3, &[4, 4][..], 4),
        (3, 3, &[3, 3, 2], 12),
        (2, 4, &[4, 3], 4),
        (4, 4, &[3, 3, 3, 3, 3], 47),
    ] {
        let shape = shape(rows, cols);
        let goal = Goal::blank_last(shape);
        let cells: Vec<usize> = (0..shape.cell_count() - 1).collect();
        let all = partitions(shape, &cells, sizes);
        assert!(all.len() >= least_count, "{}", all.len());
        let mut means = Means::default();
        let best = all.iter().map(|partition| means.of(&goal, partition)).fold(0.0, f64::max);
        let search = PartitionSearch {
            sizes: sizes.to_vec(),
            reflect: false,
            boards: 2000,
            ..PartitionSearch::default()
        };
        let found = search.run(&goal).unwrap();
        assert!(found.is_complete && found.compared > 0);
        let first = &found.best[0];
        let spec = Spec::parse("found.toml", &first.toml).unwrap();
        let drawn = drawings_of(&first.toml, shape).remove(0);
        assert_eq!(spec.goal, goal);
        assert!(all.iter().any(|partition| {
            let mut sorted = partition.clone();
            sorted.sort_unstable();
            sorted == drawn
        }));
        let exact = means.of(&goal, &drawn);
        let interval = first.single;
        assert_eq!(first.estimate, first.single);
        assert!(interval.low <= exact && exact <= interval.high, "{interval:?} {exact}");
        assert!(
            best - exact <= interval.high - interval.mean,
            "{rows}x{cols} {sizes:?}: {best} {exact}"
        );
    }
}

/// Returns the cells of each letter in a spec's drawings.
fn drawings_of(toml: &str, shape: Shape) -> Vec<Vec<Vec<usize>>> {
    let (_, drawings) = toml.split_once("\npartition").unwrap();
    let patterns_of = |drawing: &str| {
        let letters: Vec<&str> = drawing.split_whitespace().collect();
        assert_eq!(letters.len(), shape.cell_count());
        let mut patterns: Vec<Vec<usize>> = Vec::new();
        for letter in 'A'..='Z' {
            let is_it = |cell: &usize| letters[*cell] == letter.to_string();
            let cells: Vec<usize> = (0..letters.len()).filter(is_it).collect();
            if !cells.is_empty() {
                patterns.push(cells);
            }
        }
        patterns.sort_unstable();
        patterns
    };
    drawings.split("\"\"\"").skip(1).step_by(2).map(patterns_of).collect()
}

/// All solvable boards of a shape, with the values of patterns on each.
struct AllBoards {
    goal: Goal,
    boards: Vec<Vec<u8>>,
    values: BTreeMap<Vec<usize>, Vec<u32>>,
}

impl AllBoards {
    fn new(goal: Goal) -> Self {
        let shape = goal.shape();
        let solvable = distances(shape.rows(), shape.cols(), goal.board().tiles());
        let by_tile = |tiles: &Vec<u8>| {
            Board::new(shape, tiles).unwrap().cells_by_tile()[..tiles.len()].to_vec()
        };
        Self { goal, boards: solvable.keys().map(by_tile).collect(), values: BTreeMap::new() }
    }

    /// Returns the larger sum of a partition and of its mirror image on each board.
    fn sums(&mut self, partition: &[Vec<usize>], reflect: bool) -> Vec<u32> {
        let cols = self.goal.shape().cols();
        let transposed = |&home: &usize| home % cols * cols + home / cols;
        let mirrored: Vec<Vec<usize>> =
            partition.iter().map(|homes| homes.iter().map(transposed).collect()).collect();
        let drawn = self.sums_as_drawn(partition);
        if !reflect {
            return drawn;
        }
        drawn.into_iter().zip(self.sums_as_drawn(&mirrored)).map(|(a, b)| a.max(b)).collect()
    }

    fn sums_as_drawn(&mut self, partition: &[Vec<usize>]) -> Vec<u32> {
        let mut sums = vec![0; self.boards.len()];
        for homes in partition {
            let mut homes = homes.clone();
            homes.sort_unstable();
            let Self { goal, boards, values } = self;
            let values = values.entry(homes.clone()).or_insert_with(|| {
                let (shape, blank) = (goal.shape(), usize::from(goal.board().blank()));
                let all = additive_pattern_distances(shape.rows(), shape.cols(), &homes, blank);
                let of_board = |by_tile: &Vec<u8>| {
                    let cell = |&home: &usize| by_tile[usize::from(goal.board().tile(home as u8))];
                    all[&(homes.iter().map(cell).collect(), by_tile[0])]
                };
                boards.iter().map(of_board).collect()
            });
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += *value;
            }
        }
        sums
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

#[test]
fn search_finds_the_best_pair_of_partitions() {
    let shape = shape(3, 3);
    let goal = Goal::blank_last(shape);
    let cells: Vec<usize> = (0..8).collect();
    let mut boards = AllBoards::new(goal);
    assert_eq!(boards.boards.len(), 181_440);
    let mut searches = vec![(&[4, 4][..], true), (&[3, 3, 2], false)];
    if are_long() {
        searches.push((&[3, 3, 2], true));
    }
    for (sizes, reflect) in searches {
        let all = partitions(shape, &cells, sizes);
        let sums: Vec<Vec<u32>> = all.iter().map(|drawn| boards.sums(drawn, reflect)).collect();
        let together = |one: &[u32], other: &[u32]| {
            mean(one.iter().zip(other).map(|(&a, &b)| f64::from(a.max(b))))
        };
        let mut best: f64 = 0.0;
        for (place, one) in sums.iter().enumerate() {
            for other in &sums[place..] {
                best = best.max(together(one, other));
            }
        }
        let search = PartitionSearch {
            sizes: sizes.to_vec(),
            partitions: 2,
            reflect,
            boards: 2000,
            ..PartitionSearch::default()
        };
        let found = search.run(&goal).unwrap();
        assert!(found.is_complete);
        let first = &found.best[0];
        let [one, other] = &drawings_of(&first.toml, shape)[..] else { panic!("{first:?}") };
        let [one, other] = [one, other].map(|drawn| boards.sums(drawn, reflect));
        let exact = together(&one, &other);
        for (interval, exact) in [(first.estimate, exact), (first.alone[0], together(&one, &one))] {
            assert!(interval.low <= exact && exact <= interval.high, "{interval:?} {exact}");
        }
        assert!(first.alone[0].mean >= first.alone[1].mean);
        assert!(first.estimate.mean > first.alone[0].mean);
        assert!(best - exact < 0.02, "{sizes:?} {reflect}: {best} {exact}");
    }
}

#[test]
fn partitions_that_fit_the_memory_are_preferred() {
    let goal = Goal::blank_last(shape(3, 4));
    let search = PartitionSearch {
        sizes: vec![4, 4, 3],
        boards: 250,
        starts: 1,
        memory_bytes: Some(25_000),
        ..PartitionSearch::default()
    };
    let found = search.run(&goal).unwrap();
    let best = &found.best[0];
    assert!(best.fits && best.table_bytes <= 25_000 && best.table_count <= 2, "{best:?}");
    // Two partitions use four tables. If there is no room for a second partition, the first has all
    // memory.
    for (memory, partitions, tables) in [(40_000, 2, 4), (36_000, 1, 3)] {
        let pair = PartitionSearch { partitions: 2, memory_bytes: Some(memory), ..search.clone() };
        let found = pair.run(&goal).unwrap();
        let best = &found.best[0];
        assert!(best.fits && best.table_bytes <= memory && best.table_count <= tables, "{best:?}");
        assert_eq!(best.alone.len(), partitions, "{best:?}");
        assert!(best.estimate.mean > 27.0, "{best:?}");
    }
    let search = PartitionSearch { memory_bytes: Some(1000), ..search };
    assert!(!search.run(&goal).unwrap().best[0].fits);
}

#[test]
fn partition_search_obeys_its_time_and_cancellation() {
    let goal = Goal::blank_last(shape(4, 4));
    let search = PartitionSearch {
        sizes: vec![5, 5, 5],
        boards: 250,
        time: Some(Duration::ZERO),
        ..PartitionSearch::default()
    };
    let found = search.run(&goal).unwrap();
    assert!(!found.is_complete && found.compared <= 1);
    assert_eq!(found.best.len(), 1);
    let pair = PartitionSearch { partitions: 2, ..search.clone() };
    let found = pair.run(&goal).unwrap();
    assert!(!found.is_complete && found.best[0].alone.len() <= 2, "{found:?}");
    search.cancel.cancel();
    assert!(matches!(search.run(&goal).unwrap_err(), Error::Interrupted));
    let search = PartitionSearch { sizes: vec![5, 5], ..PartitionSearch::default() };
    assert!(search.run(&goal).unwrap_err().to_string().contains("15"));
    let search = PartitionSearch { sizes: vec![10, 5], ..PartitionSearch::default() };
    assert!(search.run(&goal).unwrap_err().to_string().contains("at most 9"));
    let search = PartitionSearch { sizes: vec![7, 8], partitions: 5, ..PartitionSearch::default() };
    assert!(search.run(&goal).unwrap_err().to_string().contains("found 10 of 20: name fewer"));
}

#[test]
fn time_limit_of_a_partition_search_includes_the_last_rating() {
    let goal = Goal::blank_last(shape(4, 4));
    let search = PartitionSearch {
        sizes: vec![5, 5, 5],
        boards: 4000,
        time: Some(Duration::ZERO),
        ..PartitionSearch::default()
    };
    let found = search.run(&goal).expect("a partition");
    // The first round alone is not limited in time.
    assert_eq!((found.best[0].board_count, found.is_complete), (250, false));
}
