use std::fs;

use super::{TestFolder, names};

/// Returns every command except `help`.
fn commands(place: &TestFolder) -> Vec<String> {
    let help = place.run(&["--help"]).stdout;
    let (_, list) = help.split_once("\nCommands:\n").unwrap();
    let lines = list.lines().take_while(|line| !line.is_empty());
    let first = |line: &str| line.split_whitespace().next().unwrap().to_owned();
    lines.map(first).filter(|name| name != "help").collect()
}

/// The commands that this build lacks.
const ABSENT: &[&str] = &[
    #[cfg(not(feature = "play"))]
    "play",
    #[cfg(not(feature = "serve"))]
    "serve",
    #[cfg(not(feature = "model"))]
    "model",
];

#[test]
fn help_names_the_commands_that_this_build_lacks() {
    let place = TestFolder::new();
    let (commands, help) = (commands(&place), place.run(&["--help"]).stdout);
    let absent = format!("Not in this build: {}. To have all", ABSENT.join(", "));
    assert_eq!(help.contains("Not in this build"), !ABSENT.is_empty(), "{help}");
    assert!(ABSENT.is_empty() || help.contains(&absent), "{help}");
    for name in ABSENT {
        assert!(!commands.iter().any(|command| command == name), "{name}: {commands:?}");
        place.run(&[name]).says(2, "unrecognized subcommand");
    }
}

#[test]
fn options_are_grouped_by_headings() {
    let run = TestFolder::new().run(&["compare", "--help"]);
    let place = |text: &str| run.stdout.find(text).unwrap_or_else(|| panic!("{text}: {run:?}"));
    for (heading, option) in [
        ("\nSearch:\n", "--searches <LIST>"),
        ("\nBoards:\n", "--size <RxC>"),
        ("\nMachine:\n", "--threads <N>"),
        ("\nOutput:\n", "--csv <FILE>"),
        ("\nTables:\n", "--db <DIR>"),
    ] {
        let between = &run.stdout[place(heading) + heading.len()..place(option)];
        assert!(!between.contains("\n\n"), "{heading}: {between}");
    }
}

#[test]
fn every_command_has_a_manual_page_with_examples() {
    let place = TestFolder::new();
    place.run(&["man"]).prints(0, ".TH tilebase 1");
    place.run(&["man", "solve"]).prints(0, "\\-\\-time\\-limit");
    let run = place.run(&["man", "build"]).prints(0, "\n  tilebase build 15/7\\-8\n");
    run.prints(0, "\n.SH MACHINE\n");

    let run = place.run(&["man", "--out", "pages"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let mut expected: Vec<String> =
        commands(&place).iter().map(|name| format!("tilebase-{name}.1")).collect();
    expected.push("tilebase.1".to_owned());
    expected.sort();
    assert_eq!(names(&place.path("pages")), expected);
    assert_eq!(run.stdout.lines().count(), expected.len());
    for page in &expected {
        let text = fs::read_to_string(place.path("pages").join(page)).unwrap();
        assert!(text.contains("\nExamples:\n"), "{page}");
    }
    place.run(&["man", "build", "--out", "pages"]).says(2, "cannot be used with");
}

/// Returns the script of a shell.
fn completions(shell: &str) -> String {
    let run = TestFolder::new().run(&["completions", shell]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    run.stdout
}

#[test]
fn shells_complete_lists_and_files_and_nothing_in_place_of_numbers() {
    let script = completions("bash");
    let (_, solve) = script.split_once("\n        tilebase__subcmd__solve)\n").unwrap();
    let completed = |option: &str| {
        let (_, rest) = solve.split_once(&format!("                {option})\n")).unwrap();
        rest.split(";;").next().unwrap().to_owned()
    };
    let is_file = |option: &str| completed(option).contains("compgen -f");
    assert!(completed("--metric").contains("compgen -W \"stm mtm\""), "{script}");
    assert_eq!(
        [is_file("--metric"), is_file("--threads"), is_file("--spec")],
        [false, false, true]
    );
    assert!(completed("--db").contains("-o plusdirs"), "{script}");
    for shell in ["zsh", "fish", "elvish", "powershell"] {
        assert!(completions(shell).contains("heuristics"), "{shell}");
    }
}
