//! Places: the folders of ranks below a table's work folder, what is found there, and what goes.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use pdb_format::{Digest, digest};
use serde::{Deserialize, Serialize};

use crate::GenError;
use crate::disk::{self, OwnedFile, create_folder, sync_folder, write_file};
use crate::streaming::checkpoint::{CHECKPOINT, CHECKPOINT_BYTES_MAX, Name};

/// Holds what tells a folder from others of the same name.
const TOKEN: &str = "token";
const TOKEN_BYTES_MAX: u64 = 64;

/// A place as one rank sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seen {
    /// Its name below the work folder; empty for that folder itself.
    pub(super) name: String,
    pub(super) token: String,
    pub(super) path: PathBuf,
    /// Its checkpoints.
    pub(super) checkpoints: Vec<Found>,
}

/// A checkpoint in a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Found {
    pub(super) file_name: String,
    pub(super) digest: Digest,
}

/// The file of a team's checkpoint. Packing follows the last level.
pub(super) fn checkpoint_name(level: u32, searched: bool) -> String {
    format!("{CHECKPOINT}-{:03}", level + u32::from(searched))
}

/// The start of the files that hold packed rows.
pub(super) const ROWS: &str = "rows-";

/// Makes a rank's folder, if it is not there, and gives its token.
pub(super) fn make(path: &Path) -> Result<String, GenError> {
    create_folder(path).map_err(GenError::io("create the folder", path))?;
    if let Some(token) = token_of(path)? {
        return Ok(token);
    }
    let random = || RandomState::new().build_hasher().finish();
    let token = format!("{:016x}{:016x}", random(), random());
    write_file(&path.join(TOKEN), token.as_bytes())?;
    Ok(token)
}

fn read(path: &Path, bytes_max: u64) -> Result<Option<Vec<u8>>, GenError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(bytes_max).read_to_end(&mut bytes));
    match read {
        Ok(_) => Ok(Some(bytes)),
        // A rank on the same disk may have removed it just now; or it is no folder of a rank.
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            Ok(None)
        }
        Err(error) => Err(GenError::io("read", path)(error)),
    }
}

fn token_of(path: &Path) -> Result<Option<String>, GenError> {
    let bytes = read(&path.join(TOKEN), TOKEN_BYTES_MAX)?;
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    Ok(text.filter(|text| !text.is_empty()))
}

/// The text of a checkpoint.
pub(super) fn checkpoint_text(path: &Path) -> Result<Option<Vec<u8>>, GenError> {
    read(path, CHECKPOINT_BYTES_MAX)
}

fn names_in(folder: &Path) -> Result<Vec<String>, GenError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(GenError::io("list", folder)(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(GenError::io("list", folder))?;
        names.extend(entry.file_name().into_string());
    }
    names.sort_unstable();
    Ok(names)
}

/// All places below a work folder that this rank sees; that folder itself is one if a build on one machine
/// left its checkpoint there.
pub(super) fn look(work: &Path) -> Result<Vec<Seen>, GenError> {
    let mut places = Vec::new();
    for name in names_in(work)? {
        let path = work.join(&name);
        if name == CHECKPOINT {
            let Some(text) = checkpoint_text(&path)? else { continue };
            let digest = digest(&text);
            let checkpoints = vec![Found { file_name: name, digest }];
            // Whoever has the same checkpoint has the same files.
            let (token, path) = (digest.to_string(), work.to_owned());
            places.push(Seen { name: String::new(), token, path, checkpoints });
        } else if is_number(&name)
            && let Some(token) = token_of(&path)?
        {
            let mut checkpoints = Vec::new();
            let start = format!("{CHECKPOINT}-");
            for file_name in names_in(&path)?.into_iter().filter(|name| name.starts_with(&start)) {
                if let Some(text) = checkpoint_text(&path.join(&file_name))? {
                    checkpoints.push(Found { file_name, digest: digest(&text) });
                }
            }
            places.push(Seen { name, token, path, checkpoints });
        }
    }
    Ok(places)
}

/// Whether a file of this name in a place is of a build.
fn is_of_build(name: &str) -> bool {
    let starts = ["counts-", "slab-", ROWS, "checkpoint-", ".checkpoint", ".token."];
    name == CHECKPOINT
        || Name::parse(name).is_some()
        || starts.iter().any(|start| name.starts_with(start))
}

/// Removes all files of a build from a place but those that are named.
pub(super) fn clean(path: &Path, named: &BTreeSet<String>) -> Result<(), GenError> {
    let names = names_in(path)?.into_iter();
    let stale: Vec<String> =
        names.filter(|name| is_of_build(name) && !named.contains(name)).collect();
    // First the checkpoints, which would name what is no longer there.
    let (checkpoints, others): (Vec<_>, Vec<_>) =
        stale.into_iter().partition(|name| name.starts_with(CHECKPOINT));
    let any = !checkpoints.is_empty();
    for name in checkpoints {
        remove(&path.join(name))?;
    }
    if any {
        sync_folder(path)?;
    }
    others.into_iter().try_for_each(|name| remove(&path.join(name)))
}

pub(super) fn remove(path: &Path) -> Result<(), GenError> {
    match disk::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(GenError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}

/// Removes a place with all that a build put there. The work folder itself stays.
pub(super) fn remove_place(place: &Path, is_work_folder: bool) -> Result<(), GenError> {
    clean(place, &BTreeSet::new())?;
    if !is_work_folder {
        remove(&place.join(TOKEN))?;
        // Somebody else's files keep the folder.
        let _ = disk::remove_folder(place);
    }
    Ok(())
}

/// Removes the work folder and what ranks left in it that were killed while they removed theirs, as far
/// as nothing else is in it. Every rank has let go of its place.
pub(super) fn remove_work_folder(work: &Path) -> Result<(), GenError> {
    for name in names_in(work)? {
        let path = work.join(&name);
        if is_number(&name) && token_of(&path)?.is_none() {
            remove_place(&path, false)?;
        }
        if let Some(number) = name.strip_prefix('.').and_then(|name| name.strip_suffix(".lock"))
            && is_number(number)
        {
            // Whoever gives a lock up removes its file.
            drop(OwnedFile::try_acquire(&work.join(number))?);
        }
    }
    // Ranks on one disk find it gone.
    if work.exists() {
        let _ = disk::remove_folder(work);
    }
    Ok(())
}

fn is_number(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit())
}
