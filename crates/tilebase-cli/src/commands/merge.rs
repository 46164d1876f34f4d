//! `tilebase merge`: shards of one bound become one checkpoint.

use std::io::Write;
use std::path::PathBuf;

use pdb_core::notation::letters;
use pdb_search::packets::{Counts, Stage};

use crate::failure::{Verdict, usage};
use crate::help;
use crate::output::{Output, count};

/// Arguments of `tilebase merge`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("four shards of a bound become the checkpoint that solve resumes", "tilebase merge 1.ckpt 2.ckpt 3.ckpt 4.ckpt --into all.ckpt"),
    ("what three of them have found so far", "tilebase merge 1.ckpt 2.ckpt 3.ckpt --into some.ckpt --incomplete"),
]))]
pub(crate) struct Args {
    /// Checkpoints of one bound, which `solve --shard` wrote
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Checkpoint to write, for `solve` to resume; one of the same search is replaced
    #[arg(long, help_heading = help::OUTPUT, value_name = "FILE")]
    into: PathBuf,
    /// Merge what there is, even if packets are missing
    #[arg(long, help_heading = help::OUTPUT)]
    incomplete: bool,
}

impl Args {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<Verdict> {
        if self.into.as_os_str() == "-" {
            return Err(usage(
                "--into takes a file, found -: a checkpoint is read again by solve and merge, so give it \
                 a name",
            ));
        }
        let merged = tilebase::merge(&self.files, &self.into, self.incomplete)?.ledger;
        let Counts { generated, expanded } = merged.counts();
        match &merged.stage {
            Stage::Solved { moves, .. } => {
                writeln!(output, "{} moves: {}", moves.len(), letters(moves))?;
            }
            Stage::Searching(round) => writeln!(
                output,
                "bound {}: {} of {} packets done, at least {} moves are needed",
                round.bound,
                round.done_count(),
                round.packets.len(),
                merged.lower_bound()
            )?,
        }
        writeln!(output, "{} generated, {} expanded", count(generated), count(expanded))?;
        Ok(Verdict::Good)
    }
}
