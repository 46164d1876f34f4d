//! Every heuristic with every search, by their names.

use pdb_compare::{End, Row, Settings, chart, report, run};
use pdb_engine::{Basic, Engine, EngineError, HeuristicName, SearchName};
use pdb_search::Limits;
use tilebase::pdb_core::Plan;
use tilebase::{BoardSet, Goal, Shape};

fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).expect("a small shape")
}

fn engine(name: &str, goal: &Goal) -> Engine {
    let name = HeuristicName::parse(name, goal.shape(), &|_| None).expect("a known name");
    let open = &mut |_: &str, _: &Plan| -> Result<_, EngineError> {
        unreachable!("these heuristics have no tables")
    };
    Engine::open(&name, goal, open).expect("a heuristic that fits the board")
}

fn lengths(row: &Row) -> Vec<u32> {
    row.samples.iter().map(|sample| sample.length.expect("it is solved")).collect()
}

#[test]
fn every_heuristic_works_with_every_search() {
    let goal = Goal::blank_last(shape(3, 3));
    let boards = BoardSet::random(&goal, 12, 5);
    let settings = Settings { thread_count: 2, ..Settings::default() };
    let manhattan = engine("manhattan", &goal);
    let plain = run(&manhattan, SearchName::Ida, &boards, &settings, &|| ());
    let shortest = lengths(&plain.expect("a search without limits ends"));
    let names = Basic::ALL.map(Basic::name).into_iter().chain([
        "max(manhattan, inversion)",
        "max(misplaced, pairwise, last-moves)",
        "max(gaschnig, max(inversion, corner-tiles), linear-conflict)",
    ]);
    let mut longer = 0;
    for name in names {
        let heuristic = engine(name, &goal);
        for (search, _) in SearchName::ALL {
            let row = run(&heuristic, search, &boards, &settings, &|| ())
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
    let boards = BoardSet::random(&goal, 3, 5);
    let limits = Limits { memory: Some(4_000), ..Limits::default() };
    let settings = Settings { limits, ..Settings::default() };
    let heuristic = engine("misplaced", &goal);
    for (search, _) in SearchName::ALL {
        let row = run(&heuristic, search, &boards, &settings, &|| ()).expect("no damage");
        let summary = row.summary();
        assert_eq!(summary.solved == 0, search.keeps_boards(), "{search}");
        assert!(summary.memory_bytes <= 4_000);
    }
}

#[test]
fn reports_and_charts_have_every_row() {
    let goal = Goal::blank_last(shape(3, 3));
    let boards = BoardSet::random(&goal, 5, 9);
    let mut rows = Vec::new();
    for name in ["manhattan", "inversion"] {
        for search in [SearchName::AStar, SearchName::Ida, SearchName::BreadthFirst] {
            let heuristic = engine(name, &goal);
            let row = run(&heuristic, search, &boards, &Settings::default(), &|| ());
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
