//! `tilebase merge`: merges shards of one bound into one checkpoint.

use std::io::Write;
use std::path::PathBuf;

use pdb_core::notation::{MoveStyle, format_moves};
use pdb_search::packets::{Counts, Stage};
use tilebase::{KnownLength, counted};

use crate::console::Console;
use crate::failure::{Verdict, usage};
use crate::help;
use crate::output::{count, naming_option};

/// Arguments of `tilebase merge`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("merge four shards of a bound, for solve to resume",
     "tilebase merge 1.ckpt 2.ckpt 3.ckpt 4.ckpt --into all.ckpt"),
    ("merge three of them so far",
     "tilebase merge 1.ckpt 2.ckpt 3.ckpt --into some.ckpt --incomplete"),
]))]
pub(crate) struct Args {
    /// Checkpoints of one bound, which `solve --shard` wrote
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Checkpoint to write, for `solve` to resume; one of the same search is replaced
    #[arg(long, help_heading = help::OUTPUT, value_name = "FILE")]
    into: PathBuf,
    /// Merge even if packets are missing
    #[arg(long, help_heading = help::OUTPUT)]
    incomplete: bool,
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        if self.into.as_os_str() == "-" {
            return Err(usage(
                "--into takes a file, found -: solve and merge read the checkpoint again, so name a file",
            ));
        }
        let merged = tilebase::hard::merge(&self.files, &self.into, self.incomplete)
            .map_err(|error| naming_option("--into", &self.into, error))?;
        let Counts { generated, expanded } = merged.counts();
        let metric = merged.subject.metric;
        let board = merged.subject.board;
        let style = MoveStyle::default().in_metric(metric);
        let length = merged.known.as_ref().map(|moves| metric.count(moves) as u32);
        let lower_bound = merged.lower_bound();
        let known = KnownLength { metric, length, lower_bound, optimum: None };
        match &merged.stage {
            Stage::Solved { moves, .. } => {
                let length = counted(metric, metric.count(moves));
                writeln!(console, "{length}: {}", format_moves(&board, moves, style))?;
            }
            Stage::Searching(round) => writeln!(
                console,
                "bound {}: {} of {} packets done, {}",
                round.bound,
                round.done_count(),
                round.packets.len(),
                KnownLength { length: None, ..known }
            )?,
        }
        if let Some(moves) = &merged.known {
            let moves = format_moves(&board, moves, style);
            writeln!(console, "best known solution, {known}: {moves}")?;
        }
        writeln!(console, "{} generated, {} expanded", count(generated), count(expanded))?;
        Ok(Verdict::Good)
    }
}
