//! The free MPS format.

use std::collections::BTreeMap;

use super::{Program, Sum, is_name};

/// Reads a free MPS file.
pub(crate) fn mps(text: &str) -> Program {
    let mut program = Program::default();
    let mut section = String::new();
    let mut senses = BTreeMap::new();
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    let mut rights = BTreeMap::new();
    let mut columns = Vec::<String>::new();
    let mut is_whole = false;
    for line in text.lines().filter(|line| !line.starts_with('*')) {
        let words: Vec<&str> = line.split(' ').collect();
        if let [name, rest @ ..] = &words[..]
            && !name.is_empty()
        {
            (*name).clone_into(&mut section);
            assert!(rest.is_empty() || (section == "NAME" && rest.len() == 1), "{line}");
            continue;
        }
        match (&section[..], &words[1..]) {
            ("ROWS", [sense, name]) => {
                assert!(is_name(name));
                let sense = match *sense {
                    "N" if *name == "cost" => continue,
                    "L" => "<=",
                    "G" => ">=",
                    "E" => "=",
                    _ => panic!("{line}"),
                };
                assert_eq!(senses.insert((*name).to_owned(), sense), None);
            }
            ("COLUMNS", ["MARKER", "'MARKER'", marker]) => {
                assert_eq!(is_whole, *marker == "'INTEND'");
                is_whole = *marker == "'INTORG'";
            }
            ("COLUMNS", [name, row, factor]) => {
                assert!(is_whole && is_name(name));
                // All of a column stand together.
                if columns.last().is_none_or(|last| last != name) {
                    assert!(!columns.contains(&(*name).to_owned()), "{name} is there twice");
                    columns.push((*name).to_owned());
                }
                let factor = factor.parse().unwrap();
                let sum = if *row == "cost" {
                    &mut program.objective
                } else {
                    assert!(senses.contains_key(*row), "{row}");
                    sums.entry((*row).to_owned()).or_default()
                };
                if factor != 0 {
                    assert_eq!(sum.insert((*name).to_owned(), factor), None);
                }
            }
            ("RHS", ["RHS", row, right]) => {
                assert!(senses.contains_key(*row));
                let right: i64 = right.parse().unwrap();
                assert_eq!(rights.insert((*row).to_owned(), right), None);
            }
            ("BOUNDS", ["BV", "BOUND", name]) => program.add_variable(name, (0, 1)),
            ("BOUNDS", ["LO", "BOUND", name, low]) => {
                program.add_variable(name, (low.parse().unwrap(), i64::MAX));
            }
            ("BOUNDS", ["UP", "BOUND", name, high]) => {
                program.variables.get_mut(*name).unwrap().1 = high.parse().unwrap();
            }
            _ => panic!("{section}: {line}"),
        }
    }
    assert_eq!(section, "ENDATA");
    columns.sort_unstable();
    assert!(columns.iter().eq(program.variables.keys()));
    for (name, sense) in senses {
        let row =
            (sums.remove(&name).unwrap(), sense.to_owned(), rights.remove(&name).unwrap_or(0));
        program.add_row(&name, row);
    }
    program.checked()
}
