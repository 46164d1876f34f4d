//! `tilebase merge`: merges shards of one bound into one checkpoint.

use std::io::Write;
use std::path::PathBuf;

use pdb_core::notation::letters;
use pdb_search::packets::{Counts, Stage};
use tilebase::KnownLength;

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
        let length = merged.known.as_ref().map(|moves| moves.len() as u32);
        let known =
            KnownLength { length, lower_bound: merged.lower_bound(), ..KnownLength::default() };
        match &merged.stage {
            Stage::Solved { moves, .. } => {
                writeln!(console, "{} moves: {}", moves.len(), letters(moves))?;
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
            writeln!(console, "best known solution, {known}: {}", letters(moves))?;
        }
        writeln!(console, "{} generated, {} expanded", count(generated), count(expanded))?;
        Ok(Verdict::Good)
    }
}
