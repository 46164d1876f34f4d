//! `cargo xtask bench solve`: Korf's hundred 15-puzzles, one thread.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::{SPECS, grouped, median, print_table, quantile};
use crate::{report, shell};

const BOARDS: &str = "tests/data/korf100_15puzzle.txt";
const CELL_COUNT: usize = 16;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Specs to solve with
    #[arg(default_values = SPECS)]
    specs: Vec<String>,
    /// How often all boards are solved with each
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

/// What `tilebase solve --format ndjson` says of a board, as far as it is used here.
#[derive(Debug, Deserialize)]
struct Answer {
    status: String,
    length: Option<u32>,
    initial_estimate: Option<u32>,
    generated: u64,
    seconds: f64,
}

/// A hundred boards, one a line, and the lengths of their shortest solutions.
struct Boards {
    text: String,
    lengths: Vec<u32>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let boards = Boards::read(&shell::root().join(BOARDS))?;
    let folder = shell::temporary_folder()?;
    let input = folder.path().join("boards.txt");
    shell::write_file(&input, &boards.text)?;

    let db = shell::db_or_default(None)?;
    let bytes = args.specs.iter().map(|spec| report::build_for_bytes(spec, &db));
    let bytes = bytes.collect::<Result<Vec<u64>>>()?;
    let mut rounds: Vec<Vec<Vec<Answer>>> = args.specs.iter().map(|_| Vec::new()).collect();
    for round in 1..=args.rounds {
        for (spec, rounds) in args.specs.iter().zip(&mut rounds) {
            eprintln!("round {round}: {spec}");
            let mut tilebase = shell::tilebase()?;
            tilebase.args("solve --quiet --format ndjson --threads 1 --spec".split(' ')).arg(spec);
            tilebase.args("--goal blank-first --input".split(' ')).arg(&input).arg("--db").arg(&db);
            let answers = report::read_lines(&shell::output(&mut tilebase)?)?;
            boards.check(&answers).with_context(|| format!("{spec} gave a wrong answer"))?;
            rounds.push(answers);
        }
    }
    println!("Korf's 100 boards, one thread, the middle of {} rounds a board:\n", args.rounds);
    let specs = args.specs.iter().zip(&rounds).zip(bytes);
    let rows: Vec<_> = specs.map(|((spec, rounds), bytes)| row(spec, rounds, bytes)).collect();
    let head = [
        "spec",
        "boards/s",
        "mean ms",
        "median ms",
        "p99 ms",
        "worst ms",
        "generated/board",
        "generated/s",
        "initial estimate",
        "length",
        "bytes",
    ];
    print_table(head, &rows);
    Ok(())
}

impl Boards {
    /// Reads the columns id, cells, length; what follows is not needed.
    fn read(path: &Path) -> Result<Self> {
        let name = path.display();
        let file = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
        let mut boards = Self { text: String::new(), lengths: Vec::new() };
        for line in file.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&str> = line.split_whitespace().collect();
            let length = columns.get(CELL_COUNT + 1).and_then(|length| length.parse().ok());
            boards.lengths.push(length.with_context(|| format!("{name}: no board in {line:?}"))?);
            writeln!(boards.text, "{}", columns[1..=CELL_COUNT].join(" "))?;
        }
        Ok(boards)
    }

    /// Checks that every board was solved in as many moves as it needs.
    fn check(&self, answers: &[Answer]) -> Result<()> {
        let (expected, found) = (self.lengths.len(), answers.len());
        ensure!(found == expected, "expected {expected} answers, found {found}");
        for (i, (answer, &expected)) in answers.iter().zip(&self.lengths).enumerate() {
            let is_right = answer.status == "optimal" && answer.length == Some(expected);
            ensure!(is_right, "board {} takes {expected} moves, found {answer:?}", i + 1);
        }
        Ok(())
    }
}

fn row(spec: &str, rounds: &[Vec<Answer>], bytes: u64) -> [String; 11] {
    let answers = &rounds[0];
    let mean = |sum: f64| sum / answers.len() as f64;
    let seconds: Vec<f64> = (0..answers.len())
        .map(|board| median(rounds.iter().map(|answers| answers[board].seconds)))
        .collect();
    let total: f64 = seconds.iter().sum();
    let at = |share| format!("{:.3}", 1e3 * quantile(seconds.iter().copied(), share));
    let generated: u64 = answers.iter().map(|answer| answer.generated).sum();
    let mean_of = |value: fn(&Answer) -> Option<u32>| {
        format!("{:.2}", mean(answers.iter().filter_map(value).map(f64::from).sum()))
    };
    [
        spec.to_owned(),
        format!("{:.1}", answers.len() as f64 / total),
        format!("{:.3}", 1e3 * mean(total)),
        at(0.5),
        at(0.99),
        at(1.0),
        grouped(mean(generated as f64).round() as u64),
        format!("{:.1} M", generated as f64 / total / 1e6),
        mean_of(|answer| answer.initial_estimate),
        mean_of(|answer| answer.length),
        grouped(bytes),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: &str, length: u32) -> Answer {
        Answer {
            status: status.into(),
            length: Some(length),
            initial_estimate: Some(length - 2),
            generated: 1000,
            seconds: 0.5,
        }
    }

    #[test]
    fn korfs_boards_are_read_and_wrong_answers_are_found() {
        let boards = Boards::read(&shell::root().join(BOARDS)).unwrap();
        assert!(boards.text.starts_with("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\n13 5 "));
        assert_eq!((boards.lengths.len(), boards.lengths.iter().sum::<u32>()), (100, 5305));

        let mut answers: Vec<_> = boards.lengths.iter().map(|&n| answer("optimal", n)).collect();
        boards.check(&answers).unwrap();
        answers[7] = answer("limit", boards.lengths[7]);
        assert!(boards.check(&answers).unwrap_err().to_string().starts_with("board 8 takes"));
        answers.pop();
        let error = boards.check(&answers).unwrap_err().to_string();
        assert_eq!(error, "expected 100 answers, found 99");
    }

    #[test]
    fn a_row_takes_the_middle_of_the_rounds() {
        let rounds = [0.5, 9.0, 0.1].map(|seconds| {
            vec![Answer { seconds, ..answer("optimal", 50) }, answer("optimal", 53)]
        });
        let row = row("15/x", &rounds, 1_234_567);
        let expected = [
            "15/x",
            "2.0",
            "500.000",
            "500.000",
            "500.000",
            "500.000",
            "1,000",
            "0.0 M",
            "49.50",
            "51.50",
            "1,234,567",
        ];
        assert_eq!(row, expected);
    }
}
