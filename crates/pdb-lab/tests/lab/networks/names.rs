//! Networks by their names, and searches with them.

use pdb_core::{Board, Direction, Goal, Plan};
use pdb_lab::networks::shipped;
use pdb_lab::searches::SolutionQuery;
use pdb_lab::{Engine, EngineError, Estimates, HeuristicName, Proof, SearchName};
use pdb_search::{Claim, Limits, SearchError, Status, Weight, Work};

use super::goal;
use crate::common::shape;

fn parse(text: &str) -> Result<Vec<HeuristicName>, EngineError> {
    let file = |name: &str| match name {
        "my:0.5" | "file" => Some(shipped("8").unwrap().to_vec()),
        "damaged" => Some(shipped("8").unwrap()[..100].to_vec()),
        _ => None,
    };
    HeuristicName::parse_list(text, shape(3, 3), &|_| None, &file)
}

fn engine(name: &str, goal: &Goal) -> Result<Engine, EngineError> {
    let open = &mut |_: &str, _: &Plan| -> Result<_, EngineError> { unreachable!("no tables") };
    Engine::open(&parse(name)?[0], goal, open)
}

#[test]
fn names_of_networks_are_read_back_as_they_are_written() {
    let list = "net:8, net:file, net:8:0.99, net:my:0.5, net:my:0.5:0.9, max(net:8, manhattan)";
    let names = parse(&list.replace("net:file", "net: file")).unwrap();
    let written: Vec<_> = names.iter().map(ToString::to_string).collect();
    assert_eq!(written.join(", "), list);
    assert!(names.iter().all(|name| !name.is_admissible()));
    assert!(parse("manhattan").unwrap()[0].is_admissible());
}

#[test]
fn errors_of_bad_networks_say_what_was_expected() {
    let problem = |text: &str| parse(text).unwrap_err().to_string();
    assert!(problem("net:none").contains("expected net:FILE"), "{}", problem("net:none"));
    assert!(problem("net:").contains("one of 8, 15"));
    assert!(problem("net:damaged").contains("net:damaged is no safetensors file"));
    assert!(problem("net:8:0.5").contains("no shift for \"0.5\": it has 0.9, 0.99, 0.999"));
    assert!(problem("net:a\u{1b}[31m").contains("\\u{1b}"));
    let error = engine("net:8", &goal(4, 4)).unwrap_err();
    assert!(matches!(error, EngineError::NetGoal { .. }), "{error}");
}

#[test]
fn searches_that_prove_by_estimates_refuse_networks() {
    let goal = goal(3, 3);
    let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    for name in ["net:8", "max(net:8, linear-conflict)"] {
        let engine = engine(name, &goal).unwrap();
        assert!(!engine.is_admissible());
        let refused = |outcome: Result<(), SearchError>| {
            assert!(matches!(outcome, Err(SearchError::Inadmissible { .. })), "{outcome:?}");
        };
        for search in SearchName::all().filter(|search| search.needs_admissible()) {
            refused(engine.search(search, &board, Weight::ONE, Limits::default()).map(drop));
        }
        let claim = Claim { board, distance: 31, after: Some(Direction::Up) };
        refused(engine.try_claims(&[claim], &Work::default()).map(drop));
        refused(engine.packets(&board, Work::default()).map(drop));
        let query = SolutionQuery { length: 31, is_shortest: true };
        refused(engine.solutions(&board, query, Limits::default(), None).map(drop));
    }
}

#[test]
fn solutions_of_networks_are_right_and_never_called_optimal() {
    let goal = goal(3, 3);
    let weight = Weight::new(3, 2).unwrap();
    let any = SearchName::all().filter(|search| search.row().estimates == Estimates::Any);
    let batches = ["batch-astar:7", "batch-astar:1000:3/2"].map(|name| name.parse().unwrap());
    let searches: Vec<SearchName> =
        any.flat_map(|search| [search, search.with_weight(weight)]).chain(batches).collect();
    assert!(searches.contains(&SearchName::ASTAR));
    let boards =
        ["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/7 0 8", "1 2 3/4 5 6/7 8 0", "0 1 3/4 2 5/7 8 6"];
    let manhattan = engine("manhattan", &goal).unwrap();
    for name in ["net:8", "net:8:0.99", "max(net:8, linear-conflict)"] {
        let engine = engine(name, &goal).unwrap();
        for text in boards {
            let board: Board = text.parse().unwrap();
            let optimum = manhattan.solve(&board, &Work::default()).unwrap();
            let Status::Optimal { moves: shortest } = optimum.status else { panic!() };
            for &search in &searches {
                let outcome =
                    engine.search(search, &board, Weight::ONE, Limits::default()).unwrap();
                let Status::Solved { moves, lower_bound, .. } = outcome.status else {
                    panic!("{name} {search} {text}: {:?}", outcome.status)
                };
                assert_eq!(board.after(&moves).unwrap(), *goal.board());
                assert_eq!(lower_bound, goal.manhattan_distance(&board));
                assert!(moves.len() >= shortest.len());
                // Greedy search may take a wrong way; the other searches follow good estimates.
                if search.row().proof != Proof::Nothing {
                    assert!(moves.len() <= shortest.len() + 6, "{name} {search} {}", moves.len());
                }
            }
        }
    }
}
