//! `tilebase partition`: partitions whose mean estimate is large.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueHint;
use tilebase::{
    FoundPartition, Goal, GoalChoice, Interval, PartitionAim, PartitionSearch, Shape, Watch,
};

use crate::args::{self, OutputFormat, Threads};
use crate::failure::{Verdict, usage};
use crate::help;
use crate::interrupt;
use crate::output::{Output, Target, bytes, count};
use crate::progress::Progress;
use crate::record;

/// Arguments of `tilebase partition`.
#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(crate) struct Args {
    /// Rows and columns of the board [default: as the goal has, or 4x4]
    #[arg(long, visible_alias = "size", value_name = "RxC", value_parser = args::shape,
        help_heading = help::BOARDS)]
    board: Option<Shape>,
    /// blank-last, blank-first, snail, a board, or a file with one [default: blank-last]
    #[arg(long, value_name = "NAME|BOARD|FILE", help_heading = help::BOARDS)]
    goal: Option<String>,
    /// Tiles of each pattern, with commas between them; together all tiles, and at most 9 each
    #[arg(long, value_name = "LIST", required = true, value_delimiter = ',', help_heading = help::SEARCH)]
    sizes: Vec<usize>,
    /// How many partitions are looked up together: the largest of their sums is the estimate
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = help::SEARCH,
        value_parser = clap::value_parser!(u8).range(1..=8))]
    partitions: u8,
    /// What is made as large as can be
    #[arg(long, value_enum, default_value_t, help_heading = help::SEARCH)]
    by: By,
    /// Prefer partitions whose tables take no more, such as 40M
    #[arg(long, value_name = "SIZE", value_parser = args::size, help_heading = help::SEARCH)]
    memory: Option<u64>,
    /// Random boards that the best partition is rated on at the end
    #[arg(long, value_name = "N", default_value_t = 4000, help_heading = help::SEARCH,
        value_parser = boards)]
    boards: usize,
    /// What boards and first partitions are drawn with
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = help::SEARCH)]
    seed: u64,
    /// From how many partitions the search for each one begins, the first one made by a rule and the others at random
    #[arg(long, value_name = "N", default_value_t = 6, help_heading = help::SEARCH,
        value_parser = clap::value_parser!(u32).range(1..=100_000))]
    starts: u32,
    /// Search for partitions that are looked up as they are drawn, without mirror images
    #[arg(long, help_heading = help::SEARCH)]
    no_mirror: bool,
    /// Longest time to search, such as 30s or 10m; what was found by then is rated, which takes some time too
    #[arg(long, value_name = "TIME", value_parser = args::duration, help_heading = help::SEARCH)]
    time: Option<Duration>,
    /// How many results are printed
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = help::OUTPUT,
        value_parser = clap::value_parser!(u8).range(1..=20))]
    best: u8,
    /// Write the best partition to a spec file, which --spec takes
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = help::OUTPUT)]
    out: Option<PathBuf>,
    /// How partitions are written
    #[arg(long, value_enum, default_value_t, help_heading = help::OUTPUT)]
    format: OutputFormat,
    #[command(flatten)]
    threads: Threads,
}

/// What a search makes as large as it can.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum By {
    /// The mean estimate of all boards
    #[default]
    Mean,
    /// The estimate that tells the nodes which IDA* expects; small estimates count most
    Nodes,
}

fn after_help() -> String {
    let examples = help::examples(&[
        (
            "a spec file to solve with, and to rate more closely",
            "tilebase partition --sizes 5,5,5 --out my.toml",
        ),
        (
            "two partitions, the largest of whose sums counts",
            "tilebase partition --board 5x5 --sizes 6,6,6,6 --partitions 2",
        ),
        (
            "patterns that share tables, where memory is short",
            "tilebase partition --board 5x5 --sizes 6,6,6,6 --memory 35M --time 2m",
        ),
    ]);
    format!(
        "No table is built: partitions are compared on samples of boards, each pattern's value of which is \
         searched for. What is printed is a spec; a single one can be written to a file as it is.\n\n{examples}"
    )
}

/// Reads the number of boards of the last rating.
fn boards(text: &str) -> Result<usize, String> {
    let is_right = |number: &usize| (250..=1_000_000).contains(number);
    let problem = || "expected a number from 250 to 1000000".to_owned();
    text.parse().ok().filter(is_right).ok_or_else(problem)
}

impl Args {
    pub(crate) fn run(self, output: &mut Output, progress: Progress) -> anyhow::Result<Verdict> {
        let goal = self.goal()?;
        let target = self.out.as_ref().map(|path| Target::File(path.clone()));
        if let (Some(target), Some(path)) = (&target, &self.out) {
            if path.extension().is_none_or(|extension| extension != "toml") {
                return Err(usage(format!(
                    "--out {}: expected a name that ends in .toml, as spec files have to be called",
                    path.display()
                )));
            }
            target.prepare()?;
        }
        let search = PartitionSearch {
            sizes: self.sizes.clone(),
            partitions: usize::from(self.partitions),
            aim: match self.by {
                By::Mean => PartitionAim::Mean,
                By::Nodes => PartitionAim::Nodes,
            },
            memory_bytes: self.memory,
            reflect: !self.no_mirror,
            boards: self.boards,
            seed: self.seed,
            starts: self.starts as usize,
            count: usize::from(self.best),
            time: self.time,
            thread_count: self.threads.count(),
            watch: Watch::new(progress.watcher()),
            cancel: interrupt::cancel(),
        };
        let found = interrupt::orderly(|| search.run(&goal))?;
        for (number, partition) in found.best.iter().enumerate() {
            match self.format {
                OutputFormat::Ndjson => record::write_json(output, partition)?,
                OutputFormat::Text => {
                    if number > 0 {
                        writeln!(output)?;
                    }
                    write_text(output, partition)?;
                }
            }
        }
        if let (Some(target), Some(best)) = (target, found.best.first()) {
            target.write(output, best.toml.as_bytes())?;
        }
        let how = if found.is_complete { "" } else { "; the time was over before the search was" };
        progress.note(format_args!(
            "{} partitions compared, {} patterns rated, {:.1} s{how}",
            count(found.compared),
            count(found.patterns),
            found.elapsed.as_secs_f64()
        ));
        let fits = found.best.first().is_some_and(|best| best.fits);
        if !fits {
            progress.note(
                "no partition was found whose tables take so little: give more with --memory",
            );
        }
        Ok(Verdict::of(fits))
    }

    fn goal(&self) -> anyhow::Result<Goal> {
        let named =
            self.goal.as_deref().map(|name| GoalChoice::read(name, self.board)).transpose()?;
        let drawn = named.as_ref().and_then(GoalChoice::shape);
        let usual = Shape::new(4, 4).expect("4x4 is a shape");
        let shape = args::agreed(self.board, drawn)?.unwrap_or(usual);
        named.map_or(Ok(Goal::blank_last(shape)), |goal| goal.goal(shape).map_err(usage))
    }
}

/// A spec with what is known of it as comments.
fn write_text(output: &mut Output, found: &FoundPartition) -> anyhow::Result<()> {
    let mean = |interval: &Interval| {
        format!("{:.2}, 95 % interval {:.2} to {:.2}", interval.mean, interval.low, interval.high)
    };
    writeln!(
        output,
        "# mean estimate {} ({} random boards)",
        mean(&found.estimate),
        count(found.board_count as u64)
    )?;
    writeln!(output, "# without mirror images {}", mean(&found.single))?;
    if found.alone.len() > 1 {
        let alone: Vec<String> =
            found.alone.iter().map(|interval| format!("{:.2}", interval.mean)).collect();
        writeln!(output, "# each partition alone {}", alone.join(", "))?;
    }
    if let Some(effective) = &found.effective {
        writeln!(output, "# nodes as if each estimate were {}", mean(effective))?;
    }
    let what = if found.table_count == 1 { "table" } else { "different tables" };
    writeln!(output, "# {} {what}, {}", found.table_count, bytes(found.table_bytes))?;
    write!(output, "{}", found.toml)?;
    Ok(())
}
