//! Merging the shards of a bound into one checkpoint.

use std::path::{Path, PathBuf};

use pdb_gen::OwnedFile;
use pdb_search::packets::Ledger;

use super::checkpoint;
use super::run::acquire;
use crate::error::Error;

/// Merges checkpoints of one bound into the file `into`, and returns the result. An existing
/// checkpoint of the same search and bound is merged as well; one that is further on is refused.
/// Unless the result `may_be_incomplete`, a packet that is in no file is an error.
///
/// # Errors
/// [`Error::Checkpoint`] when a file cannot be read, when the files belong to different searches,
/// or when packets are missing; [`Error::InUse`] when another run writes `into`. After an error
/// nothing has been written.
pub fn merge(files: &[PathBuf], into: &Path, may_be_incomplete: bool) -> Result<Ledger, Error> {
    let [first, others @ ..] = files else {
        let problem = "there is nothing to merge into it: name one checkpoint at least".to_owned();
        return Err(Error::Checkpoint { path: into.to_owned(), problem });
    };
    let mut merged = checkpoint::read(first)?;
    for path in others {
        let other = checkpoint::read(path)?;
        merged.merge(&other).map_err(|error| Error::Checkpoint {
            path: path.clone(),
            problem: format!(
                "it does not belong with {}: nothing was written: {error}",
                first.display()
            ),
        })?;
    }
    let file: OwnedFile = acquire(into)?;
    if into.exists() {
        keep(&mut merged, &checkpoint::read(into)?, into)?;
    }
    if let Some(round) = merged.round()
        && let Some(missing) = round.packets.iter().position(|packet| packet.done.is_none())
        && !may_be_incomplete
    {
        let problem = format!(
            "{} of {} packets of bound {} are in no file, the first is packet {missing}: search the \
             shards that hold them, or add --incomplete to merge what there is; nothing was written",
            round.packets.len() - round.done_count(),
            round.packets.len(),
            round.bound
        );
        return Err(Error::Checkpoint { path: into.to_owned(), problem });
    }
    file.replace(checkpoint::text(&merged).as_bytes())?;
    Ok(merged)
}

/// Merges the checkpoint that is about to be replaced, so that no proved work is lost.
fn keep(merged: &mut Ledger, old: &Ledger, into: &Path) -> Result<(), Error> {
    merged
        .subject
        .check_same(&old.subject)
        .map_err(|source| Error::OtherSearch { path: into.to_owned(), source })?;
    let error = |problem| Error::Checkpoint { path: into.to_owned(), problem };
    let (expected, found) = (merged.bound(), old.bound());
    if found > expected {
        let is_solved = old.round().is_none();
        let at = if is_solved { "holds the solution, at bound" } else { "is at bound" };
        return Err(error(format!(
            "it {at} {found}, further on than bound {expected}, to which the files come: nothing was \
             written; resume it, or merge into another file"
        )));
    }
    if found == expected && merged.bounds.len() == old.bounds.len() {
        let mut kept = old.clone();
        kept.merge(merged).map_err(|source| {
            error(format!("it does not belong with the files: nothing was written: {source}"))
        })?;
        *merged = kept;
    }
    Ok(())
}
