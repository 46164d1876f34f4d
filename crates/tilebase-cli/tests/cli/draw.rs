//! `tilebase draw` and `tilebase animate`: the pictures of the page, and refused requests.

use std::fs;

use pdb_tests::are_long;

use super::{TestFolder, words};

const PAGE: &str = include_str!("../../../../docs/pictures.md");
const BOARD: &str = "8 6 7/2 5 4/3 0 1";

#[test]
fn pictures_page_shows_the_drawn_pictures() {
    let place = TestFolder::new();
    fs::create_dir(place.path("docs")).unwrap();
    fs::create_dir(place.path("docs/pictures")).unwrap();
    let (mut count, mut left_out) = (0, 0);
    let blocks = PAGE.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap());
    for command in blocks.flat_map(str::lines).filter(|line| line.contains("docs/pictures/")) {
        // The tables of 15/7-8 take long to build.
        if command.contains("--spec 15/7-8") && command.contains("animate") && !are_long() {
            left_out += 1;
            continue;
        }
        let arguments = words(command.strip_prefix("tilebase ").unwrap());
        let run = place.run(&arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{command}: {run:?}");
        let name = arguments.iter().find(|word| word.starts_with("docs/pictures/")).unwrap();
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let expected = fs::read(format!("{root}/{name}")).unwrap();
        assert!(fs::read(place.path(name)).unwrap() == expected, "{command}");
        assert!(PAGE.contains(&format!("]({})", name.strip_prefix("docs/").unwrap())), "{name}");
        count += 1;
    }
    assert!(count >= 6 && count + left_out >= 7, "{count}");
}

#[test]
fn picture_is_written_to_a_file_or_standard_output() {
    let place = TestFolder::new();
    let printed = place.run(&["draw", "board", BOARD]);
    assert_eq!((printed.code, printed.stderr.as_str()), (Some(0), ""));
    assert!(printed.stdout.starts_with("<svg ") && printed.stdout.ends_with("</svg>\n"));
    place.run(&["draw", "board", BOARD, "--out", "board.svg"]).says(0, "board.svg: ");
    assert_eq!(fs::read_to_string(place.path("board.svg")).unwrap(), printed.stdout);
    // The picture needs no table, and none is built.
    assert!(place.tables().is_empty());
    let dark = place.run(&["draw", "board", BOARD, "--paper", "dark"]).stdout;
    assert!(dark != printed.stdout && !dark.contains("prefers-color-scheme"));
}

#[test]
fn film_shows_a_shortest_solution() {
    let place = TestFolder::new();
    let run = place.run(&["animate", "-q", BOARD, "--out", "film.svg"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
    let noted = place.run(&["animate", BOARD, "--out", "film.svg"]).stderr;
    assert!(noted.ends_with(" kB, 31 moves, plays for T s\n"), "{noted}");
    let film = fs::read_to_string(place.path("film.svg")).unwrap();
    assert!(film.contains("31 moves lead from 8 6 7/2 5 4/3 0 1 to 1 2 3/4 5 6/7 8 0: "));
    // One area for the moves, and none for estimates.
    assert_eq!(film.matches("<clipPath ").count(), 1);
    let two = place.run(&["animate", "-q", BOARD, "--beside", "1 2 3/4 5 6/0 7 8"]).stdout;
    let file = place.write("other.txt", b"1 2 3/4 5 6/0 7 8\n");
    assert_eq!(place.good(&["animate", "-q", BOARD, "--beside", &file]).stdout, two);
    let problem = "nor is there a file or a set of boards with this name";
    place.run(&["animate", "-q", BOARD, "--beside", "nowhere"]).says(2, problem);
    let several = place.write("several.txt", b"1 2 3/4 5 6/0 7 8\n1 2 3/4 5 6/7 0 8\n");
    place
        .run(&["animate", "-q", BOARD, "--beside", &several])
        .says(2, "expected one board, found several");
    assert!(
        two.contains("31 moves lead from 8 6 7")
            && two.contains("2 moves lead from 1 2 3/4 5 6/0 7 8")
    );
}

#[test]
fn film_of_given_moves_needs_no_tables() {
    let place = TestFolder::new();
    let run = place.run(&["animate", "-q", "1 2 3/4 5 6/7 8 0", "--sequence", "DDRRU"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.contains("5 moves lead from 1 2 3/4 5 6/7 8 0 to "));
    assert!(place.tables().is_empty());
    let tiles = place.run(&["animate", "-q", "1 2 3/4 5 6/7 8 0", "--sequence", "6 3 2 1 4"]);
    assert_eq!(tiles, run);
    let blank =
        place.run(&["animate", "-q", "1 2 3/4 5 6/7 8 0", "--sequence", "UULLD", "--of-blank"]);
    assert_eq!(blank, run);
    // Moves may end anywhere, even on a board that is unsolvable.
    let run = place.run(&["animate", "-q", "1 2 3/4 5 6/8 7 0", "--sequence", "D"]);
    assert!(run.code == Some(0) && run.stdout.contains("1 move leads from"), "{run:?}");
}

#[test]
fn wrong_usage_writes_no_file() {
    let place = TestFolder::new();
    let five = "misplaced,manhattan,pairwise,inversion,gaschnig";
    let refused: [(&[&str], &str); 13] = [
        (&["animate", BOARD, "--out", "film.bmp"], "ends in .svg or .gif"),
        (&["draw", "board", BOARD, "--out", "board"], "ends in .svg or .png"),
        (&["animate", BOARD, "--sequence", "U", "--out", "film.svg"], "move 1"),
        (&["animate", BOARD, "--colours", "distance", "--out", "film.svg"], "choose others"),
        (&["animate", BOARD, "--heuristics", five, "--out", "film.svg"], "expected at most 4"),
        (&["animate", BOARD, "--beside-sequence", "D", "--out", "film.svg"], "--beside"),
        (&["animate", BOARD, "--speed", "0", "--out", "film.svg"], "0.2 to 20"),
        (&["animate", "random:2:1", "--size", "3x3", "--out", "film.svg"], "expected one board"),
        (&["draw", "board", BOARD, "--depth", "2"], "--depth is only for the picture of a tree"),
        (&["draw", "board", BOARD, "--colours", "partition"], "--spec 15/7-8"),
        (&["draw", "tree", "1 2 3/4 5 6/8 7 0", "--spec", "manhattan"], "cannot be solved"),
        (
            &["draw", "tree", BOARD, "--spec", "manhattan", "--depth", "12", "--bound", "50"],
            "fewer levels",
        ),
        (&["draw", "partition", "8/4-4", "8/whole"], "name one"),
    ];
    for (arguments, problem) in refused {
        place.run(arguments).says(2, problem);
    }
    assert!(!place.path("film.svg").exists());
    place.run(&["draw", "board", BOARD, "--out", "missing/board.svg"]).says(1, "missing/board.svg");
}

#[test]
fn film_without_a_solution_exits_1() {
    let place = TestFolder::new();
    let unsolvable = ["animate", "1 2 3/4 5 6/8 7 0", "--out", "film.svg"];
    place.run(&unsolvable).says(1, "has no solution to show");
    assert!(!place.path("film.svg").exists());
    let arguments =
        ["animate", "-q", BOARD, "--spec", "manhattan", "--node-limit", "5", "--out", "film.svg"];
    place.run(&arguments).says(1, "at least 21 moves");
    assert!(!place.path("film.svg").exists());
}

#[test]
fn file_name_chooses_the_raster_format() {
    let place = TestFolder::new();
    let begins: [(&[&str], &[u8]); 3] = [
        (&["draw", "board", BOARD, "--out", "a.png"], b"\x89PNG\r\n"),
        (&["animate", BOARD, "--sequence", "RD", "--out", "b.GIF"], b"GIF89a"),
        (&["animate", BOARD, "--sequence", "RD", "--out", "d.svg"], b"<svg "),
    ];
    for (arguments, begin) in begins {
        place.good(arguments);
        let bytes = fs::read(place.path(arguments[arguments.len() - 1])).unwrap();
        assert!(bytes.starts_with(begin), "{arguments:?}");
    }
    assert_eq!(super::names(&place.path("")).len(), 3);
}

#[test]
fn closed_pipe_is_no_error() {
    let place = TestFolder::new();
    for arguments in
        [&["draw", "inversions", BOARD][..], &["explain", "-q", "random:1000:1", "--size", "3x3"]]
    {
        let mut child = place.start(arguments);
        drop(child.stdout.take());
        assert_eq!(child.code(), Some(0), "{arguments:?}");
    }
    let several = ["draw", "inversions", "korf100", "--size", "4x4"];
    assert_eq!(place.run(&several).code, Some(2));
}
