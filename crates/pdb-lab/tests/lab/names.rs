//! Heuristics and searches by their names.

use pdb_core::{Goal, Plan, Shape};
use pdb_lab::{Engine, EngineError, HeuristicName, Proof, SearchName};
use pdb_search::Weight;

use crate::common::shape;

fn parse(list: &str, shape: Shape) -> Result<Vec<HeuristicName>, EngineError> {
    HeuristicName::parse_list(list, shape, &|_| None, &|_| None)
}

#[test]
fn writes_names_as_it_reads_them() {
    let list = "manhattan, max(inversion , gaschnig),walking-inversion";
    let names = parse(list, shape(4, 4)).expect("all are known");
    let written: Vec<_> = names.iter().map(ToString::to_string).collect();
    assert_eq!(written, ["manhattan", "max(inversion, gaschnig)", "walking-inversion"]);
    for search in ["astar", "weighted-ida:81/19", "batch-astar:7:3/2", "beam:70", "beam:70:net"] {
        assert_eq!(search.parse::<SearchName>().expect("a search").to_string(), search);
    }
    let weight = Weight::new(3, 2).expect("a weight");
    let weighted = SearchName::WEIGHTED_ASTAR.with_weight(weight);
    assert_eq!(weighted.to_string(), "weighted-astar:3/2");
    for search in SearchName::all() {
        assert_eq!(search.name().parse::<SearchName>().expect("a name"), search);
        let weighted = search.with_weight(weight);
        assert_eq!(weighted.to_string().parse::<SearchName>().expect("a name"), weighted);
        assert_eq!(weighted != search, search.takes_weight(), "{search}");
        // A row that contradicts itself.
        assert!(search.row().proof != Proof::WithinWeight || search.takes_weight(), "{search}");
    }
    let batch: SearchName = "batch-astar".parse().expect("a search");
    assert_eq!(batch.to_string(), "batch-astar:100");
    assert_eq!(batch.with_weight(weight).to_string(), "batch-astar:100:3/2");
    let own: SearchName = "batch-astar: 5 : 2".parse().expect("a search");
    assert_eq!(own.with_weight(weight).to_string(), "batch-astar:5:2");
}

#[test]
fn asks_for_specs_with_the_number_of_tiles_too() {
    let asked = std::cell::RefCell::new(Vec::new());
    let find = |name: &str| {
        asked.borrow_mut().push(name.to_owned());
        (name == "8/4-4").then(|| pdb_spec::builtin(name))
    };
    let names = HeuristicName::parse_list("4-4:unmirrored", shape(3, 3), &find, &|_| None);
    assert_eq!(names.expect("a spec")[0].to_string(), "4-4:unmirrored");
    assert_eq!(asked.into_inner(), ["4-4", "8/4-4"]);
}

#[test]
fn errors_of_bad_names_say_what_was_expected() {
    let heuristic =
        |text: &str| parse(text, shape(4, 4)).expect_err("it is no list of heuristics").to_string();
    assert!(heuristic("manhatan").contains("expected misplaced, gaschnig, manhattan"));
    for text in ["", "manhattan,", "max(manhattan", "manhattan)", "max()", ",,"] {
        assert!(heuristic(text).contains("all brackets closed"), "{text}");
    }
    assert!(heuristic("max(manhattan)").contains("2 to 4 heuristics, found 1"));
    let five = "max(manhattan, inversion, gaschnig, misplaced, pairwise)";
    assert!(heuristic(five).contains("found 5"));
    let search = |text: &str| text.parse::<SearchName>().expect_err("no search").to_string();
    assert!(search("a*").contains("expected one of breadth-first, greedy, astar"));
    let takes_none = search("astar:2");
    assert!(takes_none.contains("takes no weight, found \"2\": weights are for weighted-astar, "));
    assert!(search("weighted-astar:1/2").contains("1/2"));
    for text in ["0", "-1", "3/2", "1000001", "", "99999999999"] {
        let problem = search(&format!("batch-astar:{text}"));
        assert!(problem.contains("1 to 1000000") && problem.contains(text), "{problem}");
        assert!(problem.ends_with("write batch-astar:100, or batch-astar:100:3/2 with a weight"));
    }
    let order = "expected net, for a learned order, found \"nets\": write beam:70:net, or beam:70";
    assert_eq!(search("beam:70:nets"), order);
    assert!(search("batch-astar:10:1/2").contains("1/2"));
    assert!(search("batch-astar:10:").contains("expected a weight"));
}

#[test]
fn refuses_pairwise_distances_for_long_lines() {
    let goal = Goal::blank_last(shape(2, 8));
    let names = parse("pairwise", goal.shape()).expect("a known name");
    let open = &mut |_: &str, _: &Plan| -> Result<_, EngineError> { unreachable!("no tables") };
    let error = Engine::open(&names[0], &goal, open).expect_err("lines of 8 are too long");
    assert!(error.to_string().contains("lines of 8 cells"), "{error}");
}
