//! `tilebase partition`: partitions with a large mean estimate.

use std::io::Write;
use std::time::Duration;

use clap::ValueHint;
use tilebase::event::Watch;
use tilebase::partition::{PartitionSearch, RatedPartition};

use super::rate::interval;
use crate::args::{self, GoalArgs, Threads};
use crate::choices::{Format, TEXT_NDJSON, one_of};
use crate::console::Console;
use crate::failure::{Verdict, usage};
use crate::help;
use crate::interrupt;
use crate::output::{OutputTarget, bytes, count, shown, target};
use crate::record;

/// Arguments of `tilebase partition`.
#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
#[command(next_help_heading = help::SEARCH)]
pub(crate) struct Args {
    #[command(flatten)]
    goal: GoalArgs,
    /// Number of tiles of each pattern, separated by commas: at most 9 each, and together all tiles
    #[arg(long, value_name = "LIST", required = true, value_delimiter = ',',
        value_parser = args::number::<usize>(1..=usize::MAX))]
    sizes: Vec<usize>,
    /// Number of partitions that are looked up together; the estimate is the largest of their sums
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = args::number::<u8>(1..=8))]
    partitions: u8,
    /// Prefer partitions whose tables take at most this much memory, such as 40M
    #[arg(long, value_name = "SIZE", value_parser = args::size)]
    memory: Option<u64>,
    /// Number of random boards for the final rating of the best partition
    #[arg(long, value_name = "N", default_value_t = 4000,
        value_parser = args::number::<usize>(250..=1_000_000))]
    boards: usize,
    /// Seed of boards and starting partitions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = args::number::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Number of starting partitions per search; the first is made by a rule, the others are random
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = args::number::<u32>(1..=100_000))]
    starts: u32,
    /// Search for partitions that are looked up without their mirror images
    #[arg(long)]
    no_mirror: bool,
    /// Time limit, such as 30s or 10m; a third of it is for the final rating
    #[arg(long, value_name = "TIME", value_parser = args::time)]
    time: Option<Duration>,
    /// Number of partitions to print
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = help::OUTPUT,
        value_parser = args::number::<u8>(1..=20))]
    best: u8,
    /// Write the best partition to a spec file, for --spec
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath,
        value_parser = target("--out"), help_heading = help::OUTPUT)]
    out: Option<OutputTarget>,
    /// Output format
    #[arg(long, value_parser = one_of(TEXT_NDJSON), default_value = "text", help_heading = help::OUTPUT)]
    format: Format,
    #[command(flatten)]
    threads: Threads,
}

fn after_help() -> String {
    let examples = help::examples(&[
        (
            "a spec file to solve with, and to rate more closely",
            "tilebase partition --sizes 5,5,5 --out my.toml",
        ),
        (
            "two partitions; the estimate is the larger of their sums",
            "tilebase partition --size 5x5 --sizes 6,6,6,6 --partitions 2",
        ),
        (
            "patterns that share tables, to save memory",
            "tilebase partition --size 5x5 --sizes 6,6,6,6 --memory 35M --time 2m",
        ),
    ]);
    format!(
        "No table is built: partitions are compared on samples of boards, and the value of each pattern is found by a \
         search. The output is a spec; a single one can be saved as a spec file.\n\n{examples}"
    )
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let goal = self.goal.of_shape(self.goal.read(None)?.1.unwrap_or_default())?;
        if let Some(target) = &self.out {
            let path = target.file.as_deref().unwrap_or("-".as_ref());
            if path.extension().is_none_or(|extension| extension != "toml") {
                return Err(usage(format!(
                    "--out {}: a spec file needs a name that ends in .toml",
                    shown(path)
                )));
            }
            target.prepare()?;
        }
        let search = PartitionSearch {
            sizes: self.sizes.clone(),
            partitions: usize::from(self.partitions),
            memory_bytes: self.memory,
            reflect: !self.no_mirror,
            boards: self.boards,
            seed: self.seed,
            starts: self.starts as usize,
            count: usize::from(self.best),
            time: self.time,
            thread_count: self.threads.count(),
            watch: Watch::new(console.progress.watcher()),
            cancel: interrupt::cancel(),
        };
        let found = interrupt::orderly(|| search.run(&goal))?;
        for (number, partition) in found.best.iter().enumerate() {
            if self.format == Format::Ndjson {
                record::write_json(console, partition)?;
            } else {
                if number > 0 {
                    writeln!(console)?;
                }
                write_text(console, partition)?;
            }
        }
        if let (Some(target), Some(best)) = (&self.out, found.best.first()) {
            target.write(console, best.toml.as_bytes())?;
        }
        let how = if found.is_complete { "" } else { "; stopped by the time limit" };
        console.note(format_args!(
            "{} partitions compared, {} patterns rated, {:.1} s{how}",
            count(found.compared),
            count(found.patterns),
            found.elapsed.as_secs_f64()
        ));
        let fits = found.best.first().is_some_and(|best| best.fits);
        if !fits {
            console.note("no partition with tables of that size was found: raise --memory");
        }
        Ok(Verdict::of(fits))
    }
}

/// Writes a spec with its rating as comments.
fn write_text(output: &mut impl Write, found: &RatedPartition) -> anyhow::Result<()> {
    writeln!(
        output,
        "# mean estimate {} ({} random boards)",
        interval(&found.estimate),
        count(found.board_count as u64)
    )?;
    writeln!(output, "# without mirror images {}", interval(&found.single))?;
    if found.alone.len() > 1 {
        let alone: Vec<String> =
            found.alone.iter().map(|interval| format!("{:.2}", interval.mean)).collect();
        writeln!(output, "# each partition alone {}", alone.join(", "))?;
    }
    let what = if found.table_count == 1 { "table" } else { "different tables" };
    writeln!(output, "# {} {what}, {}", found.table_count, bytes(found.table_bytes))?;
    write!(output, "{}", found.toml)?;
    Ok(())
}
