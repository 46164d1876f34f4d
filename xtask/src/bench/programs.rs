//! Programs that are measured: their commands, and the numbers in their output.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::boards::{BenchBoards, InputFormat};
use crate::shell;

/// A program, its input and its output.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Program {
    pub(super) name: String,
    /// The program and its arguments.
    pub(super) command: Vec<String>,
    /// A command before each run, which is not measured.
    #[serde(default)]
    before: Vec<String>,
    #[serde(default)]
    input: InputFormat,
    #[serde(default)]
    output: Output,
    /// Folder in which it runs.
    #[serde(skip, default = "root")]
    pub(super) folder: PathBuf,
}

fn root() -> PathBuf {
    shell::root().to_owned()
}

/// Numbers in the output of a program.
#[derive(Clone, Default, Deserialize)]
struct Output {
    /// Text that only the lines with an answer contain. Without it, all lines are read.
    answers: Option<String>,
    /// `length` is the length of a board's solution, which is checked.
    #[serde(flatten)]
    numbers: BTreeMap<String, NumberPlace>,
}

/// Place of a number in a line.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum NumberPlace {
    /// Its position among the numbers of the line, from 1.
    Position(usize),
    /// The word before it.
    Word(String),
}

/// Key of the time of the whole process.
const SECONDS: &str = "seconds";
/// Key of the length of a board's solution.
const LENGTH: &str = "length";

/// One run of a program over all boards.
pub(super) struct Round {
    pub(super) processor_seconds: f64,
    /// By key; a number for each line that has it.
    pub(super) numbers: BTreeMap<String, Vec<f64>>,
}

impl Round {
    pub(super) fn seconds(&self) -> f64 {
        self.numbers[SECONDS][0]
    }

    pub(super) fn lengths(&self) -> Option<Vec<u64>> {
        let lengths = self.numbers.get(LENGTH)?;
        Some(lengths.iter().map(|&length| length as u64).collect())
    }
}

impl Program {
    /// Returns this program for each combination of the names in its own name, and for given
    /// places.
    pub(super) fn expanded(
        &self,
        each: &BTreeMap<String, Vec<String>>,
        places: &[(&str, PathBuf)],
    ) -> Vec<Self> {
        let mut programs = vec![self.clone()];
        for (name, values) in each {
            if self.name.contains(&format!("{{{name}}}")) {
                let with = |program: &Self| {
                    values.iter().map(|value| program.with(name, value)).collect::<Vec<_>>()
                };
                programs = programs.iter().flat_map(with).collect();
            }
        }
        for (name, value) in places {
            let value = value.display().to_string();
            programs = programs.iter().map(|program| program.with(name, &value)).collect();
        }
        programs
    }

    /// Returns whether a name is in its commands.
    pub(super) fn mentions(&self, name: &str) -> bool {
        self.command.iter().chain(&self.before).any(|word| word.contains(&format!("{{{name}}}")))
    }

    fn with(&self, name: &str, value: &str) -> Self {
        let mut program = self.clone();
        let words = program.command.iter_mut().chain(&mut program.before);
        for word in words.chain([&mut program.name]) {
            *word = word.replace(&format!("{{{name}}}"), value);
        }
        program
    }

    pub(super) fn check(&self) -> Result<()> {
        let (name, line) = (&self.name, &self.input.line);
        ensure!(
            !self.command.is_empty(),
            "{name}: the command is empty; expected a list such as [\"./solver\", \"-q\"]"
        );
        ensure!(
            line.contains("{board}"),
            "{name}: the line {line:?} has no place for the board; expected {{board}} in it"
        );
        Ok(())
    }

    /// Returns whether the lengths of its solutions are known.
    pub(super) fn is_checked(&self) -> bool {
        self.output.numbers.contains_key(LENGTH)
    }

    /// Runs the program over boards and checks its answers.
    pub(super) fn run(&self, boards: Option<&BenchBoards>) -> Result<Round> {
        let name = &self.name;
        if !self.before.is_empty() {
            shell::output(&mut self.process(&self.before))?;
        }
        let mut process = self.process(&self.command);
        let folder = shell::temporary_folder()?;
        process.stdin(Stdio::null()).stderr(Stdio::inherit());
        if let Some(boards) = boards {
            let input = folder.path().join("boards.txt");
            shell::write_file(&input, self.input.of(boards))?;
            process.stdin(File::open(&input)?);
        }
        let (before, begun) = (children_seconds()?, Instant::now());
        let result = process.output().with_context(|| {
            let program = process.get_program().display();
            format!("{name}: cannot run {program}; build it, or correct its command")
        })?;
        let (seconds, after) = (begun.elapsed().as_secs_f64(), children_seconds()?);
        ensure!(result.status.success(), "{name} failed: {}", result.status);
        let text = String::from_utf8_lossy(&result.stdout);
        let mut numbers = self.output.read(&text);
        numbers.insert(SECONDS.to_owned(), vec![seconds]);
        let round = Round { processor_seconds: after - before, numbers };
        if let (Some(lengths), Some(boards)) = (round.lengths(), boards) {
            check(&lengths, boards, &text).with_context(|| format!("{name} gave wrong answers"))?;
        }
        Ok(round)
    }

    fn process(&self, command: &[String]) -> Command {
        let program = command[0].as_str();
        // The folder does not change the place of a program that the path names.
        let is_path = program.contains('/');
        let program = if is_path { self.folder.join(program) } else { program.into() };
        let mut process = Command::new(program);
        process.args(&command[1..]).current_dir(&self.folder);
        process
    }
}

/// Returns the processor time, in seconds, of all processes that this one has started and that have
/// ended. Linux counts it in hundredths of a second, in the fields 16 and 17 (see `man 5 proc`).
fn children_seconds() -> Result<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").context("cannot read processor times")?;
    // The second field, the name of this program, may contain spaces.
    let (_, fields) = stat.rsplit_once(") ").context("/proc/self/stat has another form")?;
    let ticks = fields.split(' ').skip(13).take(2).map(str::parse::<f64>);
    Ok(ticks.sum::<Result<f64, _>>()? / 100.0)
}

/// Checks that each board has a length, and that it is the known one if there is one.
fn check(lengths: &[u64], boards: &BenchBoards, output: &str) -> Result<()> {
    let (expected, found) = (boards.tiles.len(), lengths.len());
    ensure!(
        found == expected,
        "expected {expected} lengths, found {found}; correct `output.length` and `output.answers` \
         where the program is described; the output begins with {:?}",
        output.chars().take(EXCERPT_CHARS_MAX).collect::<String>()
    );
    for (i, (found, expected)) in lengths.iter().zip(boards.lengths.iter().flatten()).enumerate() {
        let board = &boards.tiles[i];
        ensure!(
            found == expected,
            "board {} ({board:?}) takes {expected} moves, found {found}",
            i + 1
        );
    }
    Ok(())
}

/// Longest excerpt of a program's output in an error, in characters.
const EXCERPT_CHARS_MAX: usize = 200;

impl Output {
    /// Returns the numbers of all lines with an answer, by key.
    fn read(&self, text: &str) -> BTreeMap<String, Vec<f64>> {
        let is_answer = |line: &&str| self.answers.as_ref().is_none_or(|text| line.contains(text));
        let lines = || text.lines().filter(is_answer);
        let read = |(key, place): (&String, &NumberPlace)| {
            (key.clone(), lines().filter_map(|line| place.number(line)).collect())
        };
        self.numbers.iter().map(read).collect()
    }
}

impl NumberPlace {
    /// Returns the number at this place of a line; none if it is negative.
    fn number(&self, line: &str) -> Option<f64> {
        let number = match self {
            Self::Position(position) => numbers(line).nth(position.checked_sub(1)?)?,
            Self::Word(word) => {
                let is_whole = |&(at, _): &(usize, &str)| {
                    let is_end = |c: Option<char>| c.is_none_or(|c| !is_word(c));
                    let after = &line[at + word.len()..];
                    is_end(line[..at].chars().next_back()) && is_end(after.chars().next())
                };
                let (at, _) = line.match_indices(word).find(is_whole)?;
                numbers(&line[at + word.len()..]).next()?
            }
        };
        number.parse().ok().filter(|number| *number >= 0.0)
    }
}

/// Returns the numbers of a line. Digits within words are not numbers.
fn numbers(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !is_word(c) && c != '.' && c != '-')
        .map(|word| word.trim_end_matches(['.', '-']))
        .filter(|word| word.parse::<f64>().is_ok_and(f64::is_finite))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_position_and_by_word() {
        let position = |line: &str, position| NumberPlace::Position(position).number(line);
        let word = |line: &str, word: &str| NumberPlace::Word(word.to_owned()).number(line);
        assert_eq!(position("1: 57 moves, 499 nodes in 0.5 s.", 2), Some(57.0));
        assert_eq!(position("15puzzle 57;499;0.53", 2), Some(499.0));
        assert_eq!(position("57", 2), None);
        assert_eq!(word(r#"{"length":31,"moves":"L"}"#, "length"), Some(31.0));
        assert_eq!(word("path_length=9 length=31.", "length"), Some(31.0));
        assert_eq!(word("length: none", "length"), None);
        assert_eq!(word("length: -1", "length"), None);
    }

    #[test]
    fn row_is_repeated_for_the_names_in_its_name() {
        let row = "name = '{a} {b}'\ncommand = ['{a}', '{db}/{b}']";
        let row: Program = toml::from_str(row).unwrap();
        let values = |values: &[&str]| values.iter().map(ToString::to_string).collect::<Vec<_>>();
        let each = [("a", values(&["1", "2"])), ("b", values(&["3"])), ("c", values(&["4", "5"]))];
        let each = each.map(|(name, values)| (name.to_owned(), values)).into();
        let rows = row.expanded(&each, &[("db", "d".into())]);
        let rows: Vec<_> = rows.iter().map(|row| (&*row.name, row.command.join(" "))).collect();
        assert_eq!(rows, [("1 3", "1 d/3".to_owned()), ("2 3", "2 d/3".to_owned())]);
    }
}
