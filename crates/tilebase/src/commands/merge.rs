//! `tilebase merge`: shards of one bound become one checkpoint.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use pdb_core::notation::{MoveStyle, format_moves};
use pdb_gen::OwnedFile;
use pdb_search::packets::{Counts, Stage};

use crate::failure::{Verdict, usage};
use crate::hard;
use crate::output::{Output, count};

/// Arguments of `tilebase merge`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Checkpoints of one bound, which `solve --shard` wrote
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Checkpoint to write, for `solve` to go on with; one of the same search is replaced
    #[arg(long, value_name = "FILE")]
    into: PathBuf,
    /// Merge what there is, even if packets are missing
    #[arg(long)]
    incomplete: bool,
}

impl Args {
    pub(crate) fn run(self, output: &mut Output) -> anyhow::Result<Verdict> {
        let (first, others) = self.files.split_first().context("clap asks for one file")?;
        let mut merged = hard::read(first)?;
        for path in others {
            let other = hard::read(path)?;
            merged.merge(&other).with_context(|| {
                format!(
                    "{} does not belong with {}: nothing was written",
                    path.display(),
                    first.display()
                )
            })?;
        }
        if let Some(round) = merged.round()
            && let Some(missing) = round.packets.iter().position(|packet| packet.done.is_none())
            && !self.incomplete
        {
            bail!(
                "{} of {} packets of bound {} are in no file, the first is packet {missing}: search \
                 the shards that hold them, or add --incomplete to merge what there is; nothing was \
                 written",
                round.packets.len() - round.done_count(),
                round.packets.len(),
                round.bound
            );
        }
        let into = self.into.display();
        let file = OwnedFile::try_acquire(&self.into)?.ok_or_else(|| {
            usage(format!("{into} is in use by another run: wait for it, or name another --into"))
        })?;
        if self.into.exists() {
            // What is replaced must be worth less than what comes.
            let old = hard::read(&self.into)?;
            merged.subject.check_same(&old.subject).with_context(|| {
                format!("{into} is a checkpoint of another search and was left as it is")
            })?;
        }
        file.replace(hard::text(&merged)?.as_bytes())?;
        let Counts { generated, expanded } = merged.counts();
        match &merged.stage {
            Stage::Solved { moves, .. } => {
                let letters = format_moves(moves, MoveStyle::default());
                writeln!(output, "{} moves: {letters}", moves.len())?;
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
