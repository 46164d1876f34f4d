//! Merging the shards of a bound into one checkpoint.

use std::path::{Path, PathBuf};

use pdb_gen::OwnedFile;
use pdb_search::packets::Ledger;

use super::checkpoint;
use super::run::acquire;
use crate::error::Error;

/// Merges checkpoints of one bound into the file `into`, and returns the result. An existing
/// checkpoint of the same search and bound is merged as well; one that is further on is refused.
/// The shortest known solution is kept, also that of an existing checkpoint of an earlier bound.
/// Unless the result `may_be_incomplete`, a packet that is in no file is an error.
///
/// # Errors
/// [`Error::Checkpoint`] when a file cannot be read, or when the files belong to different
/// searches; [`Error::MissingPackets`] when packets are missing; [`Error::InUse`] when another run
/// writes `into`. After an error nothing has been written.
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
        return Err(Error::MissingPackets {
            path: into.to_owned(),
            missing_count: round.packets.len() - round.done_count(),
            packet_count: round.packets.len(),
            bound: round.bound,
            first: missing,
        });
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
    } else if let Some(moves) = &old.known {
        merged.keep_known(moves);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use pdb_core::notation::parse_letters;
    use pdb_core::{Board, Goal};
    use pdb_search::packets::PacketSearch;
    use pdb_search::{KORF_BLANK_LAST, Manhattan, Solver, Work};

    use super::*;

    #[test]
    fn merged_checkpoints_keep_the_shortest_solution() {
        let board: Board = "1 2 3/4 5 6/0 7 8".parse().expect("a board");
        let goal = Goal::blank_last(board.shape());
        let solver = Solver::new(Manhattan::new(&goal), &goal, KORF_BLANK_LAST).expect("an order");
        let search = PacketSearch::new(&solver, &board, Work::default()).expect("a solvable board");
        let mut ledger = search.begin(search.subject("manhattan", Vec::new(), 1));
        let folder = tempfile::tempdir().expect("a folder");
        let mut write = |name: &str, letters: Option<&str>| {
            ledger.known = letters.map(|letters| parse_letters(letters).expect("letters"));
            let path = folder.path().join(name);
            let file = acquire(&path).expect("a file");
            file.replace(checkpoint::text(&ledger).as_bytes()).expect("it is written");
            path
        };
        let none = write("none", None);
        let long = write("long", Some("LLRLRL"));
        let short = write("short", Some("LLRL"));
        let into = folder.path().join("into");
        for (files, expected) in [
            (&[&none][..], None),
            (&[&none, &long], Some("LLRLRL")),
            (&[&long, &none], Some("LLRLRL")),
            (&[&long, &short, &none], Some("LLRL")),
            (&[&none], Some("LLRL")),
            (&[&long], Some("LLRL")),
        ] {
            let files: Vec<_> = files.iter().map(|&path| path.clone()).collect();
            let merged = merge(&files, &into, true).expect("they belong together");
            assert_eq!(merged, checkpoint::read(&into).expect("it was written"));
            assert_eq!(merged.known, expected.map(|letters| parse_letters(letters).expect("too")));
        }
    }
}
