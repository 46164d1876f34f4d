//! `cargo xtask bench model`: time of integer programs by the number of moves, for each solver and
//! a search.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::{grouped, median};
use crate::markdown::print_table;
use crate::shell;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Solvers, as `tilebase model --solver` names them
    #[arg(long, value_delimiter = ',', default_value = "microlp,glpsol,cbc,highs")]
    solvers: Vec<String>,
    /// Form of the models: flow or neos
    #[arg(long, default_value = "flow")]
    form: String,
    /// Lengths of shortest solutions; one row of the table for each
    #[arg(long, value_delimiter = ',', default_value = "11,15,19,21,25,29,33")]
    moves: Vec<u32>,
    /// Number of boards per row
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    boards: u32,
    /// Time limit per board and solver; a solver that solves no board of a row skips the later rows
    #[arg(long, default_value = "100s")]
    time_limit: String,
    /// Seed of the boards
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Record of `tilebase model --solve`.
#[derive(Deserialize)]
struct ModelRecord {
    status: String,
    length: Option<u32>,
    agrees_with_search: Option<bool>,
    horizons: Vec<HorizonRecord>,
    seconds: f64,
}

#[derive(Deserialize)]
struct HorizonRecord {
    variables: u64,
    rows: u64,
}

/// Record of `tilebase solve`.
#[derive(Deserialize)]
struct SearchRecord {
    seconds: f64,
    generated: u64,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut head =
        vec!["moves", "boards", "horizons", "variables", "rows", "nodes of IDA*", "IDA*"];
    head.extend(args.solvers.iter().map(String::as_str));
    let mut rows = Vec::new();
    let mut is_lost = vec![false; args.solvers.len()];
    for &moves in &args.moves {
        let boards = boards(args, moves)?;
        let mut searched = Vec::new();
        let mut asked: Vec<Vec<ModelRecord>> = args.solvers.iter().map(|_| Vec::new()).collect();
        for board in &boards {
            searched.push(search(board)?);
            for ((solver, records), is_lost) in args.solvers.iter().zip(&mut asked).zip(&is_lost) {
                if !is_lost {
                    let record = ask(args, solver, board)?;
                    eprintln!("{board}: {solver}: {} in {:.2} s", record.status, record.seconds);
                    ensure!(
                        record.agrees_with_search != Some(false)
                            && record.length.is_none_or(|length| length == moves),
                        "{solver} is wrong about {board}"
                    );
                    records.push(record);
                }
            }
        }
        // The solver that got farthest has built the largest model.
        let farthest = |of: fn(&ModelRecord) -> u64| {
            let largest = (0..boards.len())
                .filter_map(|board| asked.iter().filter_map(|all| all.get(board)).map(of).max());
            largest.map(|value| value as f64).collect::<Vec<_>>()
        };
        let sizes: [fn(&ModelRecord) -> u64; 3] = [
            |record| record.horizons.len() as u64,
            |record| record.horizons.last().map_or(0, |last| last.variables),
            |record| record.horizons.last().map_or(0, |last| last.rows),
        ];
        let mut row = vec![moves.to_string(), boards.len().to_string()];
        row.extend(sizes.map(|size| {
            let sizes = farthest(size);
            if sizes.is_empty() { "-".to_owned() } else { grouped(median(sizes) as u64) }
        }));
        row.push(grouped(median(searched.iter().map(|one| one.generated as f64)) as u64));
        row.push(time(median(searched.iter().map(|one| one.seconds))));
        for (records, is_lost) in asked.iter().zip(&mut is_lost) {
            let solved: Vec<f64> = records
                .iter()
                .filter(|record| record.status == "optimal")
                .map(|record| record.seconds)
                .collect();
            row.push(match (solved.len(), boards.len()) {
                (0, _) => "-".to_owned(),
                (some, all) if some < all => format!("{some} of {all}"),
                _ => time(median(solved.iter().copied())),
            });
            *is_lost |= solved.is_empty();
        }
        rows.push(row);
    }
    println!(
        "Form {}; medians of the whole time, all horizons; \"-\" or \"2 of 3\": the others took more than {}.\n",
        args.form, args.time_limit
    );
    print_table(&head, &rows);
    Ok(())
}

/// Returns boards whose shortest solution has `moves` moves.
fn boards(args: &Args, moves: u32) -> Result<Vec<String>> {
    let (moves, count, seed) = (moves.to_string(), args.boards.to_string(), args.seed.to_string());
    let mut tilebase = shell::tilebase()?;
    tilebase.args(["scramble", "--quiet", "--spec", "manhattan", "--size", "4x4"]);
    tilebase.args(["--optimum", &moves, "--count", &count, "--seed", &seed]);
    Ok(shell::output(&mut tilebase)?.lines().map(str::to_owned).collect())
}

/// Runs a search on one thread, without tables.
fn search(board: &str) -> Result<SearchRecord> {
    let mut tilebase = shell::tilebase()?;
    tilebase.args(["solve", board, "--spec", "manhattan", "--threads", "1"]);
    tilebase.args(["--quiet", "--format", "ndjson"]);
    serde_json::from_str(&shell::output(&mut tilebase)?).context("cannot use a record")
}

fn ask(args: &Args, solver: &str, board: &str) -> Result<ModelRecord> {
    let program = shell::release(&["--package", "tilebase-cli", "--features", "full"])?;
    let mut tilebase = Command::new(program);
    tilebase.args(["model", board, "--solve", "--solver", solver, "--form", &args.form]);
    tilebase.args(["--time-limit", &args.time_limit, "--quiet", "--format", "json"]);
    // A board that hits the time limit gives an error, but its record is valid.
    let output = tilebase.stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
    let text = String::from_utf8(output.stdout).context("a record is text")?;
    serde_json::from_str(&text).with_context(|| format!("{solver} gave no record: {text}"))
}

fn time(seconds: f64) -> String {
    if seconds < 0.1 { format!("{:.1} ms", seconds * 1e3) } else { format!("{seconds:.2} s") }
}
