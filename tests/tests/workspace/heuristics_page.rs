//! Every number in the tables of `docs/heuristics.md` agrees with the library.
//!
//! The tests read the tables of the page itself. So a test fails if a number changes only there or
//! only in the library, or if an example of the literature is removed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock, Mutex};

use pdb_core::{Board, Goal, Plan, Shape};
use pdb_lab::heuristics::InversionAxis;
use pdb_lab::{Engine, EngineError, HeuristicName, Proof, SearchName};
use pdb_spec::builtin;
use pdb_tests::tables::{self, LATENCY, solve, solve_all, thread_count};
use pdb_tests::{Random, are_long, korf100, rotated, walk};

/// The page without its measurements, which are not examples.
static PAGE: LazyLock<&str> = LazyLock::new(|| {
    let page = include_str!("../../../docs/heuristics.md");
    page.split_once("\n## Measured\n").unwrap().0
});

const RUNNING: &str = "7 12 1 2/5 10 0 8/14 11 6 4/3 15 13 9";

/// Examples of the literature: a board, a heuristic, and the number that the page must have.
const LITERATURE: [(&str, &str, &str); 11] = [
    ("0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1", "manhattan", "58"),
    ("0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1", "inversion", "35 + 35"),
    ("0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1", "inversion", "70"),
    ("0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1", "distance", "78"),
    ("1 2 3 0/5 6 7 8/9 10 11 12/13 14 15 4", "manhattan", "3"),
    ("1 2 3 0/5 6 7 8/9 10 11 12/13 14 15 4", "walking-distance", "11"),
    ("1 2 3 0/5 6 7 8/9 10 11 12/13 14 15 4", "distance", "19"),
    ("1 5 9 13/2 6 10 14/3 7 11 15/4 8 12 0", "walking-distance", "20 + 20"),
    ("1 5 9 13/2 6 10 14/3 7 11 15/4 8 12 0", "inversion", "12 + 12"),
    ("1 5 9 13/2 6 10 14/3 7 11 15/4 8 12 0", "distance", "72"),
    ("5 1 2 3/9 6 7 4/13 10 11 8/14 15 0 12", "distance", "11"),
];

const SMALL: &str = "6-6-3";

/// Returns whether the numbers of a heuristic are compared. Two have tables of 391 and 288 MB, and
/// are left to long tests.
fn is_tried(name: &str) -> bool {
    are_long() || !["7-8-max", "7-8-collapsed"].contains(&name)
}

/// Returns a heuristic of the page with all searches, opened once.
fn engine(name: &str) -> Arc<Engine> {
    static OPENED: Mutex<BTreeMap<String, Arc<Engine>>> = Mutex::new(BTreeMap::new());
    let mut opened = OPENED.lock().unwrap();
    let open = || {
        let find = |name: &str| pdb_spec::builtin_names().contains(&name).then(|| builtin(name));
        let names = HeuristicName::parse_list(name, goal().shape(), &find, &|_| None);
        let open = &mut |_: &str, plan: &Plan| Ok::<_, EngineError>(tables::database(plan));
        Arc::new(Engine::open(&names.unwrap()[0], &goal(), open).unwrap())
    };
    Arc::clone(opened.entry(name.to_owned()).or_insert_with(open))
}

fn goal() -> Goal {
    Goal::blank_last(Shape::new(4, 4).unwrap())
}

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

/// Returns the vertical and the horizontal part of an estimate that is a sum of both.
fn axes(name: &str, board: &Board) -> Option<[u32; 2]> {
    let goal = goal();
    let inversion = InversionAxis::both(&goal).map(|axis| axis.bound(axis.inversions(board)));
    let walking = || {
        let engine = engine("walking-distance");
        let axes = engine.databases().next().unwrap().walking().unwrap();
        axes.map(|axis| axis.value(axis.state(board).unwrap()))
    };
    match name {
        "inversion" => Some(inversion),
        "walking-distance" => Some(walking()),
        "walking-inversion" => {
            let [vertical, horizontal] = walking();
            Some([vertical.max(inversion[0]), horizontal.max(inversion[1])])
        }
        _ => None,
    }
}

/// Returns the estimate of a heuristic by its name.
fn estimate(name: &str, board: &Board) -> u32 {
    engine(name).estimate(board).unwrap()
}

/// Returns a table's row, cell by cell, without the quotes around code.
fn cells(line: &str) -> Vec<&str> {
    let inner = line.strip_prefix('|').unwrap().strip_suffix('|').unwrap();
    inner.split('|').map(|cell| cell.trim().trim_matches('`')).collect()
}

/// Returns the tables whose first column has this name: head and rows.
fn tables_of(first: &str) -> Vec<(Vec<&'static str>, Vec<Vec<&'static str>>)> {
    let start = format!("| {first} |");
    let mut tables = Vec::new();
    let mut lines = PAGE.lines();
    while let Some(line) = lines.next() {
        if line.starts_with(&start) {
            assert!(lines.next().unwrap().starts_with("|---|"), "{line}");
            let head = cells(line);
            let rows: Vec<_> = lines.by_ref().take_while(|row| row.starts_with('|')).collect();
            let rows: Vec<_> = rows.into_iter().map(cells).collect();
            assert!(!rows.is_empty() && rows.iter().all(|row| row.len() == head.len()), "{line}");
            tables.push((head, rows));
        }
    }
    assert!(!tables.is_empty(), "the page has no table of a {first}");
    tables
}

/// Returns the examples of the page: board, heuristic or `distance`, number.
fn examples() -> Vec<(&'static str, &'static str, &'static str)> {
    let mut examples = Vec::new();
    for (head, rows) in tables_of("board") {
        assert_eq!(head.last(), Some(&"distance"));
        for row in rows {
            let pairs = head.iter().zip(&row).skip(1).filter(|(name, _)| is_tried(name));
            examples.extend(pairs.map(|(&name, &number)| (row[0], name, number)));
        }
    }
    examples
}

/// Returns the boards of the page's examples, each once.
fn example_boards() -> Vec<Board> {
    let texts: BTreeSet<&str> = examples().into_iter().map(|(text, _, _)| text).collect();
    texts.into_iter().map(board).collect()
}

fn distances(boards: &[Board]) -> Vec<u32> {
    let largest = if are_long() { "7-8-max" } else { "7-8" };
    let answers = solve_all(&engine(largest), boards, LATENCY, thread_count());
    answers.into_iter().map(|(length, _)| length as u32).collect()
}

/// Returns the names of all heuristics, with or without tables, except maxima.
fn overview() -> Vec<Vec<&'static str>> {
    let mut tables = tables_of("name");
    let (head, mut rows) = tables.remove(0);
    assert_eq!(head[2..5], ["admissible", "consistent", "parity"]);
    rows.retain(|row| !row[0].starts_with("max(") && is_tried(row[0]));
    assert!(rows.iter().all(|row| row[2] == "yes"));
    rows
}

#[test]
fn searches_of_the_page_are_those_of_the_registry() {
    let (head, rows) = tables_of("name").remove(1);
    assert_eq!(head, ["name", "order", "keeps", "proves"]);
    let names: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(names, SearchName::all().map(SearchName::name).collect::<Vec<_>>());
    for (row, search) in rows.iter().zip(SearchName::all()) {
        let proof = match search.row().proof {
            Proof::Shortest => "shortest",
            Proof::WithinWeight => "at most W times shortest",
            Proof::Nothing => "nothing",
        };
        assert_eq!((!row[2].starts_with("one path"), row[3]), (search.keeps_boards(), proof));
        assert!(PAGE.contains(&format!("\n- **{}** ", row[0])), "{search}");
    }
}

#[test]
fn the_numbers_of_the_example_boards_are_right() {
    if !are_long() {
        println!("7-8-max and 7-8-collapsed are left to long tests");
    }
    let boards = example_boards();
    let distances = distances(&boards);
    for (text, name, number) in examples() {
        let this = board(text);
        let distance = distances[boards.iter().position(|other| *other == this).unwrap()];
        let expected = match name {
            "distance" => distance.to_string(),
            _ if number.contains('+') => {
                axes(name, &this).unwrap().map(|n| n.to_string()).join(" + ")
            }
            _ => estimate(name, &this).to_string(),
        };
        assert_eq!(number, expected, "{name} of {text}");
        assert!(name == "distance" || estimate(name, &this) <= distance, "{name} of {text}");
    }
}

#[test]
fn the_page_has_the_examples_of_the_literature() {
    let examples = examples();
    for example in LITERATURE {
        assert!(examples.contains(&example), "{example:?}");
    }
}

#[test]
fn the_running_example_is_korfs_and_is_compared_by_all() {
    let running = board(RUNNING);
    let korf = &korf100()[67];
    assert_eq!((korf.id, rotated(&korf.tiles).as_slice()), (68, running.tiles()));
    let distance = distances(&[running])[0];
    assert_eq!((distance, korf.length), (51, 51));
    let (head, rows) = tables_of("heuristic").remove(0);
    assert_eq!(head, ["heuristic", "estimate", "short of 51 by"]);
    let mut last = 0;
    for row in rows.iter().filter(|row| is_tried(row[0])) {
        let value = estimate(row[0], &running);
        assert_eq!(row[1..], [value.to_string(), (distance - value).to_string()], "{}", row[0]);
        assert!(value >= last, "the rows are in the order of their estimates");
        last = value;
    }
    let compared: BTreeSet<&str> =
        rows.iter().map(|row| row[0]).filter(|name| is_tried(name)).collect();
    let all: BTreeSet<&str> = overview().into_iter().map(|row| row[0]).collect();
    assert_eq!(compared, all);
}

#[test]
fn consistency_and_parity_on_the_page_agree_with_a_walk() {
    let boards = walk(&board(RUNNING), 2000, &mut Random::default());
    let manhattan: Vec<u32> = boards.iter().map(|board| estimate("manhattan", board)).collect();
    let word = |is_so: bool| if is_so { "yes" } else { "no" };
    for row in overview() {
        let estimates: Vec<u32> = boards.iter().map(|board| estimate(row[0], board)).collect();
        let is_consistent = estimates.windows(2).all(|pair| pair[0].abs_diff(pair[1]) <= 1);
        // A move changes Manhattan distance by 1, so it has the parity of the distance.
        let has_parity = estimates.iter().zip(&manhattan).all(|(a, b)| a % 2 == b % 2);
        assert_eq!(row[3..5], [word(is_consistent), word(has_parity)], "{}", row[0]);
    }
}

#[test]
fn dominating_heuristics_of_the_page_are_never_smaller() {
    let mut boards = walk(&board(RUNNING), 1000, &mut Random::default());
    boards.extend(example_boards());
    let chains = PAGE.lines().filter(|line| line.contains(" <= "));
    let mut link_count = 0;
    for chain in chains {
        let names: Vec<&str> = chain.split(" <= ").map(str::trim).collect();
        for pair in names.windows(2) {
            link_count += 1;
            if !pair.iter().all(|name| is_tried(name)) {
                continue;
            }
            for board in &boards {
                let [low, high] = [pair[0], pair[1]].map(|name| estimate(name, board));
                assert!(low <= high, "{} and {} of {board}", pair[0], pair[1]);
            }
        }
    }
    assert_eq!(link_count, 18);
}

#[test]
fn partitions_are_drawn_as_in_their_specs() {
    let drawn = |text: &'static str| {
        let is_row = |line: &&str| {
            line.len() == 7 && !line.starts_with(|c: char| c.is_numeric() || c == ' ')
        };
        text.lines().filter(is_row).collect::<Vec<_>>()
    };
    let [fives, sixes, halves, both, fringes] = [
        include_str!("../../../pdb-specs/15/5-5-5.toml"),
        include_str!("../../../pdb-specs/15/6-6-3.toml"),
        include_str!("../../../pdb-specs/15/7-8.toml"),
        include_str!("../../../pdb-specs/15/7-8-max.toml"),
        include_str!("../../../pdb-specs/15/fringes.toml"),
    ]
    .map(drawn);
    let assert_line =
        |line: &str| assert!(PAGE.lines().any(|other| other.starts_with(line)), "{line}");
    for row in 0..4 {
        assert_line(&[fives[row], sixes[row], halves[row]].join("     "));
        assert_line(&[both[row], both[4 + row]].join("     "));
        assert_line(&[fringes[row], fringes[4 + row]].join("     "));
    }
}

#[test]
fn the_bounds_of_the_running_example_are_right() {
    let (head, rows) = tables_of("bound").remove(0);
    let (length, outcome) = solve(&engine(SMALL), &board(RUNNING));
    assert_eq!((length, outcome.initial_estimate), (51, Some(41)));
    let bounds: Vec<String> = outcome.bounds.iter().map(|b| b.bound.to_string()).collect();
    let generated: Vec<String> = outcome.bounds.iter().map(|b| b.generated.to_string()).collect();
    assert_eq!(head[1..], bounds);
    let found: Vec<String> = rows[0][1..].iter().map(|number| number.replace(',', "")).collect();
    assert_eq!(found, generated);
}
