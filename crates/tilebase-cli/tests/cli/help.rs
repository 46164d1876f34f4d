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

#[test]
fn help_ends_with_examples() {
    let place = TestFolder::new();
    let commands = commands(&place);
    assert!(commands.len() >= 12, "{commands:?}");
    for command in &commands {
        let run = place.run(&[command, "--help"]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{command}");
        let (_, examples) = run.stdout.split_once("\nExamples:\n").unwrap();
        // The help of a left-out subcommand shows how cargo builds it.
        let is_command =
            |line: &&str| ["  tilebase ", "  cargo "].iter().any(|s| line.starts_with(s));
        let count = examples.lines().filter(is_command).count();
        assert!((2..=3).contains(&count), "{command}: {examples}");
    }
}

/// The subcommands that this build leaves out, with the features that have them.
#[cfg(not(all(feature = "model", feature = "play", feature = "serve")))]
const LEFT_OUT: &[(&str, &str)] = &[
    #[cfg(not(feature = "model"))]
    ("model", "full"),
    #[cfg(not(feature = "play"))]
    ("play", "full"),
    #[cfg(not(feature = "serve"))]
    ("serve", "full"),
];

#[cfg(not(all(feature = "model", feature = "play", feature = "serve")))]
#[test]
fn left_out_subcommand_names_its_build() {
    let place = TestFolder::new();
    let commands = commands(&place);
    for (name, feature) in LEFT_OUT {
        assert!(commands.iter().any(|command| command == name), "{name}: {commands:?}");
        let run = place.run(&[name, "--an-option", "argument"]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{name}");
        assert!(run.stderr.contains(&format!("does not contain `{name}`")), "{run:?}");
        let command = format!("cargo run --release -F {feature} -- {name}");
        assert!(run.stderr.contains(&command), "{run:?}");
        let help = place.run(&[name, "--help"]).stdout;
        assert!(
            help.contains("This build does not contain it.") && help.contains(&command),
            "{help}"
        );
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
    let run = place.run(&["man"]);
    assert!(run.code == Some(0) && run.stdout.contains(".TH tilebase 1"), "{run:?}");
    let run = place.run(&["man", "solve"]);
    assert!(run.code == Some(0) && run.stdout.contains("\\-\\-time\\-limit"), "{run:?}");
    let run = place.run(&["man", "build"]);
    let example = "\n.SH EXAMPLES\nThe usual tables of the 15\\-puzzle:\n.PP\n.RS 4\n.nf\n\\fBtilebase \
        build 15/7\\-8\\fR\n.fi\n.RE\n.PP\n";
    assert!(run.code == Some(0) && run.stdout.contains(example), "{run:?}");
    assert!(run.stdout.contains("\n.SH MACHINE\n"), "{run:?}");

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
        assert!(text.contains("\n.SH EXAMPLES\n"), "{page}");
        assert!(!text.contains("\n.SH EXTRA\n"), "{page}");
    }
    let run = place.run(&["man", "build", "--out", "pages"]);
    assert!(run.code == Some(2) && run.stderr.contains("cannot be used with"), "{run:?}");
}

/// Returns the script of a shell.
fn completions(shell: &str) -> String {
    let run = TestFolder::new().run(&["completions", shell]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(!run.stdout.contains("TILEBASE_SPECS") && !run.stdout.contains("TILEBASE_HEUR"));
    run.stdout
}

/// Commands that take specs as arguments.
const OF_SPECS: [&str; 7] = ["build", "estimate", "rate", "ship", "specs", "inspect", "verify"];
/// Commands with an option that takes a spec, and the option's name.
const WITH_SPECS: &[(&str, &str)] = &[
    ("solve", "spec"),
    ("moves", "spec"),
    ("check", "spec"),
    ("explain", "spec"),
    #[cfg(feature = "play")]
    ("play", "spec"),
    ("compare", "heuristics"),
    ("scramble", "spec"),
    ("draw", "spec"),
    ("animate", "spec"),
    ("animate", "heuristics"),
];

#[test]
fn bash_completes_specs() {
    let script = completions("bash");
    let part = |command: &str| {
        let start = format!("\n        tilebase__subcmd__{command})\n");
        let (_, part) = script.split_once(&start).unwrap();
        part.split("\n        tilebase__subcmd__").next().unwrap().to_owned()
    };
    for command in OF_SPECS {
        let text = part(command);
        let words = text.lines().next().unwrap();
        assert!(words.contains(" 15/7-8 ") && words.contains(" --db "), "{command}: {words}");
    }
    for (command, option) in WITH_SPECS.iter().copied() {
        let text = part(command);
        let (_, rest) = text.split_once(&format!("--{option})\n")).unwrap();
        assert!(rest.lines().next().unwrap().contains(" 15/7-8 "), "{command}: {rest}");
    }
    for command in ["merge", "install", "man", "completions"] {
        assert!(!part(command).contains("15/7-8"), "{command}");
    }
    // Files are completed if no name is possible.
    assert!(script.contains("-o default tilebase"));
}

#[test]
fn zsh_completes_specs() {
    let script = completions("zsh");
    let function = |name: &str| {
        let (_, text) = script.split_once(&format!("\n{name}() {{\n")).unwrap();
        text.split("\n}\n").next().unwrap().to_owned()
    };
    for name in ["_tilebase_specs", "_tilebase_heuristics"] {
        let text = function(name);
        assert!(text.contains("'15/7-8:15-puzzle, 7-8 partition'"), "{text}");
        assert!(text.ends_with("\n    _files"), "{text}");
    }
    let part = |command: &str| {
        let (_, text) = script.split_once(&format!("({command})\n_arguments ")).unwrap();
        text.split("\n;;\n").next().unwrap().to_owned()
    };
    for command in OF_SPECS {
        assert!(part(command).contains(":_tilebase_specs' \\\n"), "{command}");
    }
    for (command, option) in WITH_SPECS.iter().copied() {
        let text = part(command);
        let line = text.lines().find(|line| line.contains(&format!("--{option}="))).unwrap();
        assert!(line.ends_with(":_tilebase_heuristics' \\"), "{line}");
    }
    assert!(!part("merge").contains("_tilebase_specs"));
}

#[test]
fn fish_completes_specs() {
    let script = completions("fish");
    assert!(script.contains("printf '%s\\t%s\\n' '15/7-8' '15-puzzle, 7-8 partition'"), "{script}");
    let lines = |command: &str| {
        let start =
            format!("complete -c tilebase -n \"__fish_tilebase_using_subcommand {command}\" ");
        let lines = script.lines().filter_map(|line| line.strip_prefix(&start));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    for command in OF_SPECS {
        assert!(lines(command).contains(&"-a \"(__fish_tilebase_specs)\"".to_owned()), "{command}");
        assert!(!lines(command).iter().any(|line| line == "-f"), "{command}");
    }
    for (command, option) in WITH_SPECS.iter().copied() {
        let lines = lines(command);
        let line = lines
            .iter()
            .find(|line| {
                line.contains(&format!(" -l {option} "))
                    || line.starts_with(&format!("-l {option} "))
            })
            .unwrap();
        assert!(line.ends_with(" -r -F -a \"(__fish_tilebase_heuristics)\""), "{line}");
    }
    assert!(!lines("merge").iter().any(|line| line.contains("tilebase_specs")));
}

#[test]
fn other_shells_complete_without_specs() {
    for shell in ["elvish", "powershell"] {
        assert!(completions(shell).contains("--heuristics"), "{shell}");
    }
}
