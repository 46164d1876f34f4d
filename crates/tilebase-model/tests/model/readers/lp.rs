//! The LP format of CPLEX.

use super::{Program, is_name, sum};

/// Reads an LP file.
pub(crate) fn lp(text: &str) -> Program {
    let mut program = Program::default();
    let mut section = "";
    let mut statement = String::new();
    let mut bounds = std::collections::BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('\\')) {
        if !line.starts_with(' ') {
            section = line;
            assert!(statement.is_empty(), "{statement} does not end");
            continue;
        }
        match section {
            "Minimize" | "Subject To" => {
                // A statement goes on in lines that begin with two spaces, and has one colon.
                statement.push_str(line);
                let is_whole = section == "Minimize" || statement.contains('=');
                if !is_whole {
                    continue;
                }
                let (name, rest) = statement.split_once(':').unwrap_or(("", &statement));
                let mut words: Vec<&str> = rest.split_whitespace().collect();
                if section == "Minimize" {
                    assert!(name.trim() == "cost" || name.is_empty());
                    program.objective.append(&mut sum(words, None));
                } else {
                    let right = words.pop().unwrap().parse().unwrap();
                    let sense = words.pop().unwrap().to_owned();
                    assert!(["<=", ">=", "="].contains(&&sense[..]), "{sense}");
                    assert!(is_name(name.trim()), "{name}");
                    program.add_row(name.trim(), (sum(words, None), sense, right));
                }
                statement.clear();
            }
            "Bounds" => {
                let words: Vec<&str> = line.split_whitespace().collect();
                let [low, "<=", name, "<=", high] = words[..] else { panic!("{line}") };
                let both = (low.parse().unwrap(), high.parse().unwrap());
                assert_eq!(bounds.insert(name.to_owned(), both), None);
            }
            "Binaries" => {
                line.split_whitespace().for_each(|name| program.add_variable(name, (0, 1)));
            }
            "Generals" => {
                for name in line.split_whitespace() {
                    program.add_variable(name, bounds.remove(name).unwrap());
                }
            }
            _ => panic!("unknown section {section}"),
        }
    }
    assert_eq!(section, "End");
    assert!(bounds.is_empty());
    program.checked()
}
