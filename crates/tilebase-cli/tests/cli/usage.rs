use super::{TestFolder, ended, refused};

const BOARD: &str = "1 2 3/4 5 6/7 8 0";

#[test]
fn malformed_board_is_wrong_usage() {
    let problem = "error: tile 8 stands at row 3, column 2 and again at row 3, column 3, and the \
        blank is missing\n  1 2 3/4 5 6/7 8 8\n                ^ ^\n";
    let run = TestFolder::new().run(&["solve", "1 2 3/4 5 6/7 8 8"]);
    assert_eq!(run, ended(2, "", problem));
    refused(&["solve", ""], "the board is empty");
    refused(&["solve", BOARD, "1 2/3 y"], "row 2, column 2 holds \"y\"");
    refused(&["solve", "--size", "2x4", BOARD], "expected a 2x4 board, found one of 3x3");
}

#[test]
fn solve_takes_boards_from_one_source() {
    refused(&["solve"], "there is no board: the arguments or standard input contain none");
    refused(&["solve", BOARD, "--input", "-"], "cannot be used with");
    refused(&["solve", "--input", "nowhere"], "cannot read nowhere: No such file");
    refused(&["solve", "--input", "."], ". is a folder: name a file of boards");
}

#[test]
fn unknown_spec_names_the_nearest_one() {
    refused(&["build", "15/8-7"], "(did you mean 15/7-8?)");
    refused(&["solve", "--spec", "manhatan", BOARD], "\"manhatan\" (did you mean manhattan?)");
    refused(&["estimate", "nowhere.toml"], "cannot read nowhere.toml: No such file");
    refused(&["ship", "x", "--out", "out"], "no spec is named \"x\"");
}

#[test]
fn ambiguous_spec_lists_its_candidates() {
    let several = "\"whole\" names several specs, 3/whole, 5/whole, 7/whole, 8/whole, 9/whole, \
        11/whole: name one of them";
    for command in ["build", "estimate", "inspect", "verify"] {
        refused(&[command, "whole"], several);
    }
    refused(&["ship", "whole", "--out", "out"], several);
}

#[test]
fn neither_table_nor_spec_is_wrong_usage() {
    let neither = "there is no file and no spec \"15/7-9\" (did you mean 15/7-8?): expected a .pdb \
        file, a .toml file or a shipped spec; `tilebase specs` lists the shipped specs";
    refused(&["inspect", "15/7-9"], neither);
    refused(&["verify", "x.pdb", "15/7-9"], neither);
    refused(&["verify", "nowhere.toml"], "cannot read nowhere.toml: No such file");
}

#[test]
fn bad_spec_file_shows_line_and_cell() {
    let place = TestFolder::new();
    let spec =
        "title = \"bad\"\ngoal = \"\"\"\n1 2\n3 3\n\"\"\"\npartition = \"\"\"\nA A\nA .\n\"\"\"\n";
    let file = place.write("bad.toml", spec.as_bytes());
    let expected = "error: tile 3 stands at row 2, column 1 and again at row 2, column 2, and the blank is missing
 --> PLACE/bad.toml:4:3
  |
4 | 3 3
  |   ^
";
    assert_eq!(place.run(&["build", &file]), ended(2, "", expected));
}

#[test]
fn spec_of_another_goal_is_wrong_usage() {
    refused(
        &["solve", "--spec", "8/4-4", "--goal", "snail", BOARD],
        "no symmetry of the board maps one blank to the other",
    );
    refused(&["solve", "--spec", "15/7-8", BOARD], "expected a 4x4 board, found one of 3x3");
    refused(&["solve", "--spec", "15/7-8", "--size", "3x3", BOARD], "--size is 3x3, but");
    let no_goal =
        "error: \"nowhere\" is no goal: name blank-last, blank-first or snail, draw the goal";
    refused(&["solve", "--goal", "nowhere", BOARD], no_goal);
    refused(&["solve", "--goal", "123456788", BOARD], "this is no goal: tile 8 stands at");
    refused(&["solve", "--goal", "/dev/zero", BOARD], "/dev/zero is too long");
}

#[test]
fn error_of_a_line_of_a_table_names_the_option() {
    let place = TestFolder::new();
    let lines = "Nr;Aufgabe;Zuege\n1;867254301;31\n2;123456708;1\n";
    let file = place.write("table.csv", lines.as_bytes());
    let answers = place.run(&["solve", "-q", "--spec", "manhattan", &file]).stdout;
    let advised =
        "say which column holds the board; name the columns of a file with --input-columns";
    assert_eq!(answers.matches(advised).count(), 2, "{answers}");
}

#[test]
fn values_out_of_range_are_wrong_usage() {
    refused(&["verify", "x.pdb", "--level", "deep"], "invalid value 'deep'");
    refused(
        &["ship", "8/4-4", "--out", "out", "--level", "99"],
        "expected a whole number from 1 to 22",
    );
    refused(&["merge", "a.ckpt", "--into", "-"], "--into takes a file, found -");
}

#[test]
fn limits_of_zero_are_refused() {
    let no_time = "expected a time above 0, such as 500ms, 10s";
    let (of_compare, of_partition) =
        (["compare", "--boards", BOARD], ["partition", "--sizes", "4,4"]);
    for (command, option) in [
        (&["solve", BOARD][..], "--within"),
        (&["solve", BOARD], "--time-limit"),
        (&of_compare, "--time-limit"),
        (&of_compare, "--row-time"),
        (&of_partition, "--time"),
        (&["rate", "manhattan"], "--time"),
    ] {
        refused(&[command, &[option, "0.0ms"]].concat(), no_time);
    }
    for command in [&["solve", BOARD][..], &of_compare] {
        refused(&[command, &["--node-limit", "0"]].concat(), "expected a whole number from 1 to ");
    }
}

#[test]
fn bad_public_key_is_refused_and_not_shown() {
    let place = TestFolder::new();
    let run = |key: &str| {
        let run = place.run(&["install", "nowhere", "--public-key", key]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        let start = "error: --public-key takes a minisign public key, 56 characters that begin with \
            RW, or a file that has it: ";
        run.stderr.strip_prefix(start).unwrap().to_owned()
    };
    let to_do = "take the file that ends in .pub, or its second line\n";
    let no_file = "No such file or directory (os error 2); check the path\n";
    assert_eq!(run("RWshort"), format!("cannot read RWshort: {no_file}"));
    place.write("secret.key", format!("untrusted comment: x\n{}\n", "A".repeat(212)).as_bytes());
    let problem = "expected a minisign public key of 56 characters that begin with RW, alone or after \
        a line of comment, found another text";
    assert_eq!(run("secret.key"), format!("secret.key: {problem}; {to_do}"));
    assert_eq!(run(""), format!("cannot read : {no_file}"));
    assert!(run("/dev/zero").starts_with("/dev/zero is too long"));
}

#[test]
fn commands_without_arguments_are_wrong_usage() {
    for command in ["build", "estimate", "inspect", "verify", "ship", "install", "completions"] {
        refused(&[command], "required arguments were not provided");
    }
    refused(&[], "Usage: tilebase");
    refused(&["solv"], "a similar subcommand exists: 'solve'");
    refused(&["man", "solv"], "there is no command \"solv\"");
}
