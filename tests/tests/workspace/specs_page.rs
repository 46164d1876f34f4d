//! `docs/specs.md` and `docs/tutorial.md` agree with the parser of specs: its keys are those of the
//! page, it reads the drawings, and it refuses the examples of errors.

use std::collections::BTreeSet;

use pdb_spec::{Spec, builtin, builtin_names};

const PAGE: &str = include_str!("../../../docs/specs.md");
const TUTORIAL: &str = include_str!("../../../docs/tutorial.md");

const KINDS: [&str; 4] = ["additive", "plain", "walking-distance", "coloured"];

/// Returns the keys that the parser lists when it finds one of another kind.
fn known_keys(kind: &str) -> BTreeSet<String> {
    let other = if kind == "plain" { "partition" } else { "pattern" };
    let text = format!("title = ''\ngoal = '1 2/3 .'\nkind = '{kind}'\n{other} = ''");
    let error = Spec::parse("x", &text).unwrap_err().to_string();
    let (_, list) = error.lines().next().unwrap().split_once("expected one of ").unwrap();
    list.split(", ").map(|key| key.trim_matches('`').to_owned()).collect()
}

/// Returns the blocks of the page that are marked as `language`.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let start = format!("```{language}\n");
    let rest = page.split(start.as_str()).skip(1);
    rest.map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn the_table_of_keys_has_the_keys_that_the_parser_knows() {
    let (_, table) = PAGE.split_once("\n| Key |").unwrap();
    let mut on_page: Vec<(&str, BTreeSet<String>)> =
        KINDS.iter().map(|&kind| (kind, BTreeSet::new())).collect();
    for line in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let key = cells[1].trim_matches('`');
        for (kind, keys) in &mut on_page {
            if cells[2] == "all" || cells[2].split(", ").any(|named| named == *kind) {
                keys.insert(key.to_owned());
            }
        }
    }
    for (kind, keys) in on_page {
        assert_eq!(keys, known_keys(kind), "{kind}");
    }
}

#[test]
fn every_key_has_a_part_of_its_own_with_an_example() {
    let all: BTreeSet<String> = KINDS.iter().flat_map(|kind| known_keys(kind)).collect();
    let mut found = BTreeSet::new();
    for part in PAGE.split("\n### `").skip(1) {
        let (key, rest) = part.split_once('`').unwrap();
        let body = rest.split("\n## ").next().unwrap();
        let begins = [format!("{key} ="), format!("[[{key}]]")];
        let has_key = |block: &&str| {
            block.lines().any(|line| begins.iter().any(|begin| line.starts_with(begin)))
        };
        assert!(blocks(body, "toml").iter().any(has_key), "{key} has no example");
        assert!(found.insert(key.to_owned()), "{key} has two parts");
    }
    assert_eq!(found, all);
}

#[test]
fn every_example_can_be_read() {
    let examples: Vec<&str> = [blocks(PAGE, "toml"), blocks(TUTORIAL, "toml")].concat();
    assert!(examples.len() > 8, "{}", examples.len());
    for example in examples {
        Spec::parse("example", example).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn every_message_of_the_page_agrees_with_the_parser() {
    let (_, part) = PAGE.split_once("\n## What is refused\n").unwrap();
    let part = part.split("\n## ").next().unwrap();
    let base: Vec<&str> = blocks(part, "toml")[0].lines().collect();
    let rows: Vec<&str> = part.lines().filter(|line| line.starts_with("| `")).collect();
    assert!(rows.len() > 10, "{}", rows.len());
    for row in rows {
        let (changes, message) = row.trim_matches(['|', ' ']).split_once(" | ").unwrap();
        let mut lines = base.clone();
        for change in changes.trim_matches('`').split("` and `") {
            let key = |line: &str| line.split(' ').next().unwrap().to_owned();
            match lines.iter_mut().find(|line| key(line) == key(change)) {
                Some(line) => *line = change,
                None => lines.push(change),
            }
        }
        let error = Spec::parse("my.toml", &lines.join("\n")).unwrap_err().to_string();
        let expected = message.trim_matches('`').trim();
        assert_eq!(error.lines().next().unwrap(), expected, "{changes}");
    }
}

#[test]
fn every_spec_on_the_page_is_shipped() {
    let mut count = 0;
    for page in [PAGE, TUTORIAL] {
        for word in page.split('`').skip(1).step_by(2) {
            let is_name = word.split_once('/').is_some_and(|(tiles, rest)| {
                tiles.parse::<u8>().is_ok() && !rest.contains([' ', '.', '/'])
            });
            if is_name {
                assert!(builtin(word).is_ok(), "{word} is not shipped");
                count += 1;
            }
        }
    }
    assert!(count > 8, "{count}");
    // The list of defaults has the default of every shape.
    for name in
        builtin_names().iter().filter(|name| name.ends_with("-max") || name.ends_with("-dual"))
    {
        assert!(PAGE.contains(&format!("`{name}`")), "{name} is not on the page");
    }
}
