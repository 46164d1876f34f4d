//! Boards that are generated, and tables of boards that are read.

use super::{RunResult, TestFolder, ended, words};

/// Returns the values of a field of records, in order.
fn fields(records: &str, name: &str) -> Vec<String> {
    let field = |line: &str| {
        let (_, rest) = line.split_once(&format!("\"{name}\":")).unwrap();
        rest[..rest.find([',', '}']).unwrap()].trim_matches('"').to_owned()
    };
    records.lines().map(field).collect()
}

fn scramble(place: &TestFolder, arguments: &[&str]) -> RunResult {
    place.run(&[&["scramble"], arguments].concat())
}

#[test]
fn equal_seeds_give_equal_boards() {
    let place = TestFolder::new();
    let boards = "10 13 11 0/5 12 9 15/14 4 7 3/2 8 1 6\n8 9 6 5/2 11 7 0/10 15 3 1/13 12 14 4\n";
    assert_eq!(scramble(&place, &["--count", "2", "--seed", "1"]), ended(0, boards, ""));
    // A random seed is printed and differs from run to run.
    let [first, second] = [(); 2].map(|()| scramble(&place, &["-n", "3"]));
    assert_ne!(first.stdout, second.stdout);
    let told = first.stderr.strip_prefix("note: --seed ").unwrap();
    let seed = told.strip_suffix(" gives the same boards again\n").unwrap();
    let again = scramble(&place, &["-n", "3", "--seed", seed]);
    assert_eq!(again, ended(0, &first.stdout, ""));
    assert_eq!(scramble(&place, &["-q"]).stderr, "");
    // No table was built for these boards.
    assert!(place.tables().is_empty());
}

#[test]
fn window_boards_have_their_optimum_with_any_spec() {
    let place = TestFolder::new();
    for (lengths, goal) in [("18..22", "blank-last"), ("21..21", "blank-first")] {
        let window = |spec: &str, format: &str| {
            let how = format!("-q --optimum {lengths} -n 8 --seed 5 --goal {goal}");
            let line = format!("{how} --spec {spec} --format {format}");
            scramble(&place, &words(&line)).prints(0, "").stdout
        };
        let records = window("manhattan", "ndjson");
        assert_eq!(window("walking-distance", "ndjson"), records);
        let boards = window("manhattan", "text");
        assert_eq!(fields(&records, "board").join("\n") + "\n", boards);
        let solve = ["solve", "-q", "--spec", "manhattan", "--goal", goal, "--format", "ndjson"];
        let solved = place.run_with_input(&solve, boards.as_bytes());
        let optima = fields(&records, "optimum");
        assert_eq!(fields(&solved.stdout, "length"), optima);
        let (first, last) = lengths.split_once("..").unwrap();
        let number = |text: &str| text.parse::<u32>().unwrap();
        let window = number(first)..=number(last);
        assert!(optima.iter().all(|optimum| window.contains(&number(optimum))), "{optima:?}");
        let is_one_length = optima.iter().all(|optimum| *optimum == optima[0]);
        assert_eq!(is_one_length, first == last, "{optima:?}");
    }
}

#[test]
fn empty_window_is_refused_with_the_greatest_distance() {
    let place = TestFolder::new();
    for (arguments, problem) in [
        ("--optimum 81", "the greatest distance of any 4x4 board is 80"),
        ("--optimum 81 --goal snail", "the greatest distance of any 4x4 board is 80"),
        ("--optimum 109..110 --size 7x2", "greatest distance of any 7x2 board is 108"),
        (
            "--optimum 99 --goal \"5 4 3/0 2 1\"",
            "no board needs 99 moves to 5 4 3/0 2 1: the greatest distance of any 2x3 board is 21",
        ),
        ("--hardest --size 5x5", "for 3x4, 2x6, 2x7, 3x5, 4x4 and these transposed"),
        ("--hardest -n 18", "there are 17 boards at the greatest distance"),
        ("--hardest --seed 1", "cannot be used with"),
        ("--hardest --walk 1", "cannot be used with"),
        ("--optimum 9..8", "is no window of lengths"),
        ("--count 0", "expected a whole number from 1 to 1000000"),
        ("--size 3x3 --goal \"1 2/3 0\"", "expected a 3x3 board, found one of 2x2"),
    ] {
        scramble(&place, &words(arguments)).says(2, problem);
    }
    // There is no known board to start from.
    let rare = words("--optimum 140 --size 2x8 --seed 1");
    scramble(&place, &rare).says(1, "so hard boards are very rare");
}

#[test]
fn records_are_lines() {
    let place = TestFolder::new();
    let of = |format: &str, arguments: &[&str]| {
        scramble(&place, &[&["-q", "--size", "2x2", "--format", format], arguments].concat()).stdout
    };
    let hardest =
        "{\"board\":\"0 3/2 1\",\"goal\":\"1 2/3 0\",\"set\":\"hardest\",\"optimum\":6}\n";
    assert_eq!(of("ndjson", &["--hardest"]), hardest);
    let two = of("json", &["--walk", "12", "-n", "2", "--seed", "9"]);
    let solved = "{\"board\":\"1 2/3 0\",\"goal\":\"1 2/3 0\",\"set\":\"walk:12:2:9\"}";
    assert_eq!(two, format!("{solved}\n{solved}\n"));
}

#[test]
fn solve_and_compare_take_sets() {
    let place = TestFolder::new();
    let made =
        scramble(&place, &["-q", "--optimum", "20..22", "-n", "3", "--seed", "1", "--size", "3x3"]);
    let solve = ["solve", "-q", "--spec", "manhattan", "--size", "3x3", "--format", "ndjson"];
    let solved = place.run(&[&solve[..], &["optimum:20..22:3:1"]].concat());
    assert_eq!(fields(&solved.stdout, "board").join("\n") + "\n", made.stdout, "{solved:?}");
    let single = words("solve -q --spec manhattan --goal snail walk:2:1:1");
    place.run(&single).prints(0, "2 moves to snail: ");
    for set in ["walk:10:5:1", "optimum:8-10:5:1", "hardest"] {
        let arguments = ["compare", "--size", "3x3", "--boards", set, "--heuristics", "manhattan"];
        place.good(&arguments);
    }
    for bad in ["walk:1:1", "hardest:1", "optimum:90..99:1:1"] {
        place.run(&["solve", bad]).says(2, "error: ");
        place.run(&["compare", "--boards", bad]).says(2, "error: ");
    }
}

/// The first lines of Korf's table.
const KORF: &str = "# number, cells, length, Manhattan distance, nodes\n\
                    1 14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3 57 41 276361933\n\
                    2 13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6 55 43 15300442\n";

#[test]
fn files_with_columns_are_read() {
    let place = TestFolder::new();
    let file = place.write("korf.txt", KORF.as_bytes());
    let solve =
        ["solve", "-q", "--goal", "blank-first", "--spec", "manhattan", "--node-limit", "1"];
    let limit = |estimate| {
        format!(": limit: stopped by the node limit, at least {estimate} moves are needed\n")
    };
    let expected = [
        "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3",
        &limit(41),
        "13 5 4 10/9 12 8 14/2 3 7 1/0 15 11 6",
        &limit(43),
    ]
    .concat();
    for arguments in [
        &["--input", &file][..],
        &[&file],
        &["--input", &file, "--input-columns", "2..17"],
        &["--input-columns", "2-17", &file],
    ] {
        assert_eq!(place.run(&[&solve[..], arguments].concat()), ended(1, &expected, ""));
    }
    let compare = format!(
        "compare --goal blank-first --boards {file} --input-columns 2..17 --heuristics manhattan \
         --node-limit 1 --json -"
    );
    let compared = place.run(&words(&compare));
    assert!(compared.stdout.contains("14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3"), "{compared:?}");
    // An ambiguous table is reported with its columns.
    let doubtful = place.run_with_input(&["solve", "-q"], b"1 8 6 7 2 5 4 3 0 1\n");
    doubtful.prints(1, "columns 1..9 are the board 1 8 6/7 2 5/4 3 0");
    let wrong = ["solve", "--input", &file, "--input-columns", "2..18"];
    place.run(&wrong).says(2, "17 cells make no board");
}

#[test]
fn page_about_making_boards_shows_the_output() {
    let place = TestFolder::new();
    place.write("korf.txt", KORF.as_bytes());
    let printed = place.run_page(include_str!("../../../../docs/making-boards.md"));
    assert_eq!(printed.len(), 6);
}
