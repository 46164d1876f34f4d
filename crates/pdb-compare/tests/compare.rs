//! Every heuristic with every search, by their names.

use pdb_compare::{
    Basic, Boards, CompareError, End, HeuristicName, Prepared, Row, SearchName, Settings, chart,
    report, run,
};
use pdb_core::{Goal, Plan, Shape};
use pdb_search::{Limits, Weight};

fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).expect("a small shape")
}

fn try_prepare(name: &str, goal: &Goal) -> Result<Prepared, CompareError> {
    let name = HeuristicName::parse(name, goal.shape(), &|_| None)?;
    let open = &mut |_: &str, _: &Plan| -> Result<_, CompareError> {
        unreachable!("these heuristics have no tables")
    };
    Prepared::new(&name, goal, open)
}

fn prepared(name: &str, goal: &Goal) -> Prepared {
    try_prepare(name, goal).expect("a known name that fits the board")
}

fn lengths(row: &Row) -> Vec<u32> {
    row.samples.iter().map(|sample| sample.length.expect("it is solved")).collect()
}

#[test]
fn every_heuristic_works_with_every_search() {
    let goal = Goal::blank_last(shape(3, 3));
    let boards = Boards::random(&goal, 12, 5);
    let settings = Settings { thread_count: 2, ..Settings::default() };
    let manhattan = prepared("manhattan", &goal);
    let plain = run(Some(&manhattan), SearchName::Ida, &boards, &settings, &|| ());
    let shortest = lengths(&plain.expect("a search without limits ends"));
    let names = Basic::ALL.map(Basic::name).into_iter().chain([
        "max(manhattan, inversion)",
        "max(misplaced, pairwise, last-moves)",
        "max(gaschnig, max(inversion, corner-tiles), linear-conflict)",
    ]);
    let mut longer = 0;
    for name in names {
        let heuristic = prepared(name, &goal);
        for (search, _) in SearchName::ALL {
            let row = run(Some(&heuristic), search, &boards, &settings, &|| ())
                .expect("a search without limits ends");
            let numbers: Vec<usize> = row.samples.iter().map(|sample| sample.board).collect();
            assert_eq!(numbers, (0..boards.boards.len()).collect::<Vec<_>>());
            for (sample, &shortest) in row.samples.iter().zip(&shortest) {
                let length = sample.length.expect("it is solved");
                assert!(sample.lower_bound <= shortest && shortest <= length, "{name}, {search}");
                assert_eq!(sample.end == End::Optimal, sample.lower_bound == length);
                assert!(sample.estimate.is_none_or(|estimate| estimate <= shortest));
                match search {
                    SearchName::Greedy => longer += u32::from(length > shortest),
                    SearchName::WeightedAStar(_) | SearchName::WeightedIda(_) => {
                        assert!(length <= 2 * shortest, "{name}, {search}");
                    }
                    _ => assert_eq!((length, sample.end), (shortest, End::Optimal), "{search}"),
                }
            }
        }
    }
    assert!(longer > 0, "greedy search never finds more moves than necessary");
}

#[test]
fn a_memory_limit_ends_searches_that_keep_boards_and_no_others() {
    let goal = Goal::blank_last(shape(3, 3));
    let boards = Boards::random(&goal, 3, 5);
    let limits = Limits { memory: Some(4_000), ..Limits::default() };
    let settings = Settings { limits, ..Settings::default() };
    let heuristic = prepared("misplaced", &goal);
    for (search, _) in SearchName::ALL {
        let row = run(Some(&heuristic), search, &boards, &settings, &|| ()).expect("no damage");
        let summary = row.summary();
        assert_eq!(summary.solved == 0, search.keeps_boards(), "{search}");
        assert!(summary.memory_bytes <= 4_000);
    }
}

#[test]
fn names_are_read_back_as_they_are_written() {
    let list = "manhattan, max(inversion , gaschnig),walking-inversion";
    let names = HeuristicName::parse_list(list, shape(4, 4), &|_| None).expect("all are known");
    let written: Vec<_> = names.iter().map(ToString::to_string).collect();
    assert_eq!(written, ["manhattan", "max(inversion, gaschnig)", "walking-inversion"]);
    for search in ["astar", "weighted-ida:81/19", "lanes"] {
        assert_eq!(search.parse::<SearchName>().expect("a search").to_string(), search);
    }
    let weight = Weight::new(3, 2).expect("a weight");
    let weighted = SearchName::WeightedAStar(None).with_weight(weight);
    assert_eq!(weighted.to_string(), "weighted-astar:3/2");
}

#[test]
fn specs_are_asked_for_with_the_number_of_tiles_too() {
    let asked = std::cell::RefCell::new(Vec::new());
    let find = |name: &str| {
        asked.borrow_mut().push(name.to_owned());
        (name == "8/4-4").then(|| pdb_spec::builtin(name))
    };
    let name = HeuristicName::parse("4-4:unmirrored", shape(3, 3), &find).expect("a spec");
    assert_eq!(name.to_string(), "4-4:unmirrored");
    assert_eq!(asked.into_inner(), ["4-4", "8/4-4"]);
}

#[test]
fn bad_names_say_what_was_expected() {
    let heuristic = |text: &str| {
        let names = HeuristicName::parse_list(text, shape(4, 4), &|_| None);
        names.expect_err("it is no list of heuristics").to_string()
    };
    assert!(heuristic("manhatan").contains("expected misplaced, gaschnig, manhattan"));
    for text in ["", "manhattan,", "max(manhattan", "manhattan)", "max()", ",,"] {
        assert!(heuristic(text).contains("is no list of names"), "{text}");
    }
    assert!(heuristic("max(manhattan)").contains("2 to 4 heuristics, found 1"));
    let five = "max(manhattan, inversion, gaschnig, misplaced, pairwise)";
    assert!(heuristic(five).contains("found 5"));
    let search = |text: &str| text.parse::<SearchName>().expect_err("no search").to_string();
    assert!(search("a*").contains("expected one of breadth-first, greedy, astar"));
    assert!(search("astar:2").contains("takes no weight"));
    assert!(search("weighted-astar:1/2").contains("1/2"));
}

#[test]
fn pairs_of_long_boards_are_refused_with_the_reason() {
    let goal = Goal::blank_last(shape(2, 8));
    let error = try_prepare("pairwise", &goal).expect_err("lines of 8 are too long");
    assert!(error.to_string().contains("lines of 8 cells"), "{error}");
}

#[test]
fn reports_and_charts_have_every_row() {
    let goal = Goal::blank_last(shape(3, 3));
    let boards = Boards::random(&goal, 5, 9);
    let mut rows = Vec::new();
    for name in ["manhattan", "inversion"] {
        for search in [SearchName::AStar, SearchName::Ida, SearchName::BreadthFirst] {
            let heuristic = prepared(name, &goal);
            let row = run(Some(&heuristic), search, &boards, &Settings::default(), &|| ());
            rows.push(row.expect("a search without limits ends"));
        }
    }
    let table = report::table(&rows);
    assert_eq!(table.lines().count(), 8);
    let widths: Vec<_> = table.lines().map(str::len).collect();
    assert!(widths.iter().all(|width| *width == widths[0]), "{table}");
    let csv = String::from_utf8(report::csv(&boards, &rows)).expect("CSV is text");
    assert_eq!(csv.lines().count(), 7);
    assert!(csv.starts_with("set,heuristic,search,boards,solved,optimal,estimate"));
    let json: serde_json::Value =
        serde_json::from_slice(&report::json(&boards, &rows)).expect("it is JSON");
    assert_eq!(json["rows"][1]["samples"].as_array().map(Vec::len), Some(5));
    assert_eq!(json["rows"][1]["summary"]["proven"], 5);
    assert_eq!(json["rows"][2]["heuristic"], serde_json::Value::Null);
    let charts = chart::charts(&rows).expect("numbers can be drawn");
    let names: Vec<_> = charts.iter().map(|chart| chart.file_name).collect();
    // There is no table whose size could be drawn.
    assert_eq!(names, ["nodes.svg", "time.svg", "estimates.svg"]);
    assert!(charts.iter().all(|chart| chart.svg.contains("inversion")));
}
