//! Rows, reports and charts of comparisons.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use pdb_lab::{Engine, EngineError, HeuristicName, SearchName};
use pdb_search::Limits;
use tilebase::pdb_core::{Estimator, Memo, Plan, RootError, Slide};
use tilebase::sets::BoardSet;
use tilebase::{Board, Goal, Shape};
use tilebase_compare::{Comparison, PairName, Row, Settings, chart, report, run};

fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).expect("a small shape")
}

fn engine(name: &str, goal: &Goal) -> Engine {
    let names = HeuristicName::parse_list(name, goal.shape(), &|_| None, &|_| None);
    opened(&names.expect("a known name").remove(0), goal)
}

fn opened(name: &HeuristicName, goal: &Goal) -> Engine {
    let open = &mut |_: &str, _: &Plan| -> Result<_, EngineError> {
        unreachable!("these heuristics have no tables")
    };
    Engine::open(name, goal, open).expect("a heuristic that fits the board")
}

fn lengths(row: &Row) -> Vec<u32> {
    row.samples.iter().map(|sample| sample.length.expect("it is solved")).collect()
}

/// The number of tiles out of their row plus the number of tiles out of their column: at least the
/// number of misplaced tiles, and at most Manhattan distance.
#[derive(Debug)]
struct OutOfLine(Goal);

impl Estimator for OutOfLine {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        let shape = board.shape();
        let lines =
            (0..).zip(board.tiles()).filter(|&(_, &tile)| tile != 0).map(|(cell, &tile)| {
                let (at, home) = (shape.row_col(cell), shape.row_col(self.0.home(tile)));
                u32::from(at.0 != home.0) + u32::from(at.1 != home.1)
            });
        Ok(Memo::new(lines.sum(), &[]))
    }

    fn child(&self, board: &Board, _parent: &Memo, _slide: Slide) -> Memo {
        self.root(board).expect("it estimates every board")
    }
}

#[test]
fn own_heuristic_is_compared_beside_built_in_ones() {
    let goal = Goal::blank_last(shape(3, 3));
    let boards = BoardSet::random(&goal, 9, 5);
    let own = HeuristicName::own("out-of-line", |goal| Arc::new(OutOfLine(*goal)));
    let engines = [engine("manhattan", &goal), opened(&own, &goal), engine("misplaced", &goal)];
    let settings = Settings { thread_count: 2, ..Settings::default() };
    let rows = engines.map(|engine| {
        let row = run(&engine, SearchName::ASTAR, &boards, &settings, &|| ());
        row.expect("a search without limits ends")
    });
    let numbers = rows[0].samples.iter().map(|sample| sample.board);
    assert!(numbers.eq(0..boards.boards.len()));
    assert_eq!(rows[1].name.to_string(), "out-of-line+astar");
    assert!(rows[1..].iter().all(|row| lengths(row) == lengths(&rows[0])));
    // It generates more nodes than Manhattan distance, and fewer than the number of misplaced
    // tiles.
    let comparison = Comparison::new(boards, &rows, Some(&rows[1].name));
    let summaries = comparison.pairs.iter().map(|pair| &pair.summary);
    let estimates: Vec<_> = summaries.clone().map(|summary| summary.estimate).collect();
    assert!(estimates.is_sorted_by(|larger, smaller| larger > smaller), "{estimates:?}");
    let expanded: Vec<_> = summaries.clone().map(|summary| summary.expanded).collect();
    assert!(expanded.is_sorted_by(|fewer, more| fewer < more), "{expanded:?}");
    assert!(summaries.into_iter().all(|summary| summary.proven == 9));
    let ratios = report::ratios(&[comparison]).expect("there is a baseline");
    assert!(ratios.starts_with("Ratios to out-of-line+astar"), "{ratios}");
    assert!(ratios.contains("manhattan") && ratios.contains("misplaced"), "{ratios}");
}

/// Compares some heuristics and searches on some boards of 3x3.
fn comparison(
    name: &str,
    seed: u64,
    heuristics: &[&str],
    searches: &[&str],
    baseline: Option<&str>,
) -> Comparison {
    let goal = Goal::blank_last(shape(3, 3));
    let boards = BoardSet { name: name.to_owned(), ..BoardSet::random(&goal, 9, seed) };
    let mut rows = Vec::new();
    for heuristic in heuristics {
        let heuristic = engine(heuristic, &goal);
        for search in searches {
            let search = search.parse().expect("a known name");
            let row = run(&heuristic, search, &boards, &Settings::default(), &|| ());
            rows.push(row.expect("a search without limits ends"));
        }
    }
    let names: Vec<_> = rows.iter().map(|row| row.name.clone()).collect();
    let baseline = baseline.map(|name| PairName::find(&names, name).expect("a pair of these"));
    Comparison::new(boards, &rows, baseline.as_ref())
}

/// Returns the cells of CSV by the names of their columns.
fn records(csv: &[u8]) -> Vec<BTreeMap<String, String>> {
    csv::Reader::from_reader(csv)
        .deserialize()
        .map(|record| record.expect("it is CSV with a cell for each name"))
        .collect()
}

#[test]
fn csv_has_a_line_for_each_board_and_pair() {
    let compared = [
        comparison("a,\"b\"\nc", 3, &["manhattan"], &["astar", "greedy", "breadth-first"], None),
        comparison("second", 4, &["manhattan"], &["astar", "greedy", "breadth-first"], None),
    ];
    let lines = records(&report::csv(&compared));
    assert_eq!(lines.len(), 2 * 3 * 9);
    let mut lines = lines.iter();
    for comparison in &compared {
        for pair in &comparison.pairs {
            for (sample, line) in pair.row.samples.iter().zip(lines.by_ref()) {
                assert_eq!(line["set"], comparison.set.name);
                assert_eq!(line["number"], (sample.board + 1).to_string());
                assert_eq!(line["board"], comparison.set.boards[sample.board].to_string());
                assert_eq!(line["heuristic"], pair.row.name.heuristic.clone().unwrap_or_default());
                assert_eq!(line["generated"].parse(), Ok(sample.generated));
                assert_eq!(line["seconds"].parse(), Ok(sample.seconds));
                let optimum: u32 = line["optimum"].parse().expect("A* has proved it");
                let length: u32 = line["length"].parse().expect("it is solved");
                assert_eq!(line["above_optimum"], (length - optimum).to_string());
                match sample.estimate {
                    Some(estimate) => {
                        let error: f64 = line["relative_error"].parse().expect("a number");
                        let by_hand = f64::from(optimum - estimate) / f64::from(optimum);
                        assert!((error - by_hand).abs() < 1e-12);
                    }
                    None => assert_eq!(line["relative_error"], ""),
                }
                let branching = |by: &str| line[&format!("branching_{by}")].parse::<f64>().ok();
                assert!(branching("generated") > branching("expanded"));
            }
        }
    }
}

#[test]
fn json_has_the_ratios_to_the_baseline() {
    let heuristics = ["manhattan", "misplaced"];
    let compared = [comparison("set", 3, &heuristics, &["astar", "ida"], Some("misplaced+ida"))];
    let json: serde_json::Value =
        serde_json::from_slice(&report::json(&compared)).expect("it is JSON");
    assert_eq!(json["baseline"], "misplaced+ida");
    assert_eq!(json["sets"][0]["optima"].as_array().map(Vec::len), Some(9));
    assert_eq!(json["sets"][0]["boards"], json["boards"]);
    // The baseline beside itself, and Manhattan distance, which generates fewer nodes on every
    // board.
    assert_eq!(json["rows"][3]["ratios"]["expanded"]["of_sums"]["value"], 1.0);
    let better = &json["rows"][1]["ratios"]["generated"]["geometric_mean"];
    assert!(
        better["high"].as_f64() < Some(1.0) && better["low"].as_f64() < better["value"].as_f64()
    );
    let table = report::ratios(&compared).expect("there is a baseline");
    assert!(
        table.starts_with("Ratios to misplaced+ida over the boards that both solved"),
        "{table}"
    );
    // Three other pairs, each with four numbers.
    assert_eq!(table.lines().count(), 2 + 2 + 3 * 4, "{table}");
}

#[test]
fn distributions_have_the_quartiles_of_each_pair() {
    let compared = [comparison("set", 3, &["manhattan"], &["astar", "greedy"], None)];
    let text = report::distributions(&compared);
    for title in [
        "Generated nodes:",
        "Expanded nodes:",
        "Time:",
        "Moves of the solution:",
        "Moves above the optimum, where it is proved:",
        "Relative error of the estimate, (h* - h) / h*, where the distance h* is proved:",
        "Effective branching factor b* (means):",
    ] {
        let (_, table) = text.split_once(&format!("{title}\n\n")).expect(title);
        // The error comes from the estimate, for every search.
        let pairs = if title.starts_with("Relative") { 1 } else { 2 };
        let lines = table.lines().take_while(|line| !line.is_empty()).count();
        assert_eq!(lines, 2 + pairs, "{title}");
    }
    let length = compared[0].pairs[1].summary.spread.length.expect("boards were solved");
    assert_eq!(length.count, 9);
    assert!(text.contains(&format!(" {:.2} | {:.2} ", length.median, length.q3)), "{text}");
}

#[test]
fn reports_are_written_without_solutions() {
    let goal = Goal::blank_last(shape(3, 3));
    let boards = BoardSet::random(&goal, 2, 3);
    let limits = Limits { nodes: Some(3), ..Limits::default() };
    let settings = Settings { limits, ..Settings::default() };
    let row = run(&engine("manhattan", &goal), SearchName::ASTAR, &boards, &settings, &|| ());
    let rows = vec![row.expect("a limit is an answer")];
    let name = rows[0].name.clone();
    for rows in [rows, Vec::new()] {
        let compared = [Comparison::new(boards.clone(), &rows, Some(&name))];
        let charts = chart::charts(&compared);
        assert!(charts.is_empty());
        assert!(
            !report::table(&compared).is_empty() && !report::distributions(&compared).is_empty()
        );
        assert!(records(&report::csv(&compared)).iter().all(|line| line["length"].is_empty()));
        let page = report::html(&report::Page::default(), &compared, &charts);
        roxmltree_of(&page, |_| ());
    }
    let none: [Comparison; 0] = [];
    assert!(serde_json::from_slice::<serde_json::Value>(&report::json(&none)).is_ok());
    assert_eq!(report::csv(&none).split(|&byte| byte == b'\n').count(), 2);
}

/// Parses a document that may have a document type.
fn roxmltree_of(text: &str, look: impl Fn(&roxmltree::Document<'_>)) {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(text, options);
    look(&document.expect("it is well-formed"));
}

/// Two sets with everything that can be drawn without tables.
static EVERYTHING: LazyLock<[Comparison; 2]> = LazyLock::new(|| {
    let searches = ["astar", "weighted-astar:3/2", "weighted-astar:5", "greedy", "ida", "lanes"];
    ["<b>&\"first\u{1b}]]>", "second"].map(|name| {
        let seed = name.len() as u64;
        comparison(name, seed, &["manhattan", "inversion"], &searches, Some("inversion+ida"))
    })
});

#[test]
fn html_report_is_one_well_formed_file_without_references() {
    let compared = &*EVERYTHING;
    let charts = chart::charts(compared);
    let page = report::Page {
        title: "<i>a & b</i>".to_owned(),
        conditions: vec![("command".to_owned(), "tilebase 'a<b>'".to_owned())],
    };
    let html = report::html(&page, compared, &charts);
    assert!(!html.contains('\u{1b}') && !html.contains("<b>") && !html.contains("<i>"));
    roxmltree_of(&html, |document| {
        let elements = || document.descendants().filter(roxmltree::Node::is_element);
        let count = |name: &str| elements().filter(|node| node.tag_name().name() == name).count();
        assert_eq!(count("figure"), charts.len());
        assert_eq!(count("svg"), charts.len());
        assert_eq!(count("caption"), count("table"));
        assert!(count("table") >= 8 && charts.len() >= 8, "{} {}", count("table"), charts.len());
        let loading = ["script", "link", "img", "image", "iframe", "object", "embed", "use", "a"];
        assert!(loading.iter().all(|name| count(name) == 0));
        for node in elements() {
            for attribute in node.attributes() {
                let value = attribute.value();
                assert!(!value.contains("://") && !value.contains("url("), "{value}");
                assert!(!["src", "href", "style"].contains(&attribute.name()), "{attribute:?}");
            }
            // Every table names its columns, and every figure has a description.
            match node.tag_name().name() {
                "svg" => {
                    assert_eq!(node.attribute("role"), Some("img"));
                    let label = node.attribute("aria-label").expect("a name");
                    let title = node.first_element_child().expect("a title");
                    assert_eq!((title.tag_name().name(), title.text()), ("title", Some(label)));
                }
                "style" => {
                    let style = node.text().expect("a style");
                    assert!(!style.contains("@import") && !style.contains("url"));
                    assert!(
                        style.contains("prefers-color-scheme: dark")
                            && style.contains("@media print")
                    );
                }
                "tr" => {
                    let cells = node.children().filter(roxmltree::Node::is_element).count();
                    let table = node.ancestors().find(|node| node.has_tag_name("table"));
                    let table = table.expect("lines are in tables");
                    let header = table.descendants().find(|node| node.has_tag_name("tr"));
                    let header = header.expect("a header").children();
                    assert_eq!(cells, header.filter(roxmltree::Node::is_element).count());
                }
                _ => (),
            }
        }
        let text: String = document.descendants().filter_map(|node| node.text()).collect();
        for word in
            ["inversion+ida", "weighted-astar:3/2", "<i>a & b</i>", "tilebase 'a<b>'", "type 7"]
        {
            assert!(text.contains(word), "{word}");
        }
    });
}

#[test]
fn charts_are_well_formed_and_named_after_their_sets() {
    let compared = &*EVERYTHING;
    let charts = chart::charts(compared);
    let of_second = || charts.iter().filter(|chart| chart.comparison == 1);
    for name in ["nodes", "time", "weights", "estimates"] {
        let name = format!("2-second-{name}.svg");
        let chart = of_second().find(|chart| chart.file_name == name).expect(&name);
        assert!(chart.title.ends_with(": second"), "{}", chart.title);
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    assert!(charts.iter().all(|chart| chart.file_name.chars().all(plain)));
    for chart in &charts {
        roxmltree_of(&chart.svg, |document| {
            for node in document.descendants() {
                for name in ["x", "y", "cx", "cy", "r", "width", "height"] {
                    let Some(value) = node.attribute(name) else { continue };
                    let value: f64 = value.parse().expect("a number");
                    assert!((0.0..=2_000.0).contains(&value), "{}: {node:?}", chart.file_name);
                }
            }
        });
    }
    // A heuristic has its own colour, the same in all charts.
    for name in ["nodes", "time", "estimates"] {
        let name = format!("2-second-{name}.svg");
        let chart = of_second().find(|chart| chart.file_name == name).expect(&name);
        let is_used = tilebase_draw::COLOURS.map(|colour| chart.svg.contains(colour));
        let expected: Vec<bool> = (0..is_used.len()).map(|number| number < 2).collect();
        assert_eq!(is_used[..], expected, "{name}");
    }
    // A*, two weights and their names beside the points.
    let weights = of_second().find(|chart| chart.file_name == "2-second-weights.svg");
    let weights = &weights.expect("it was there").svg;
    assert!(
        [">1<", ">3/2<", ">5<", "manhattan, weighted-astar"]
            .iter()
            .all(|word| weights.contains(word))
    );
}
