//! The state of a disk after a power cut.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use pdb_gen::faults::Change;

use super::Files;

/// Size of a sector. Of bytes that were not synced, a crash keeps or loses whole sectors.
const SECTOR_BYTES: usize = 512;

/// The extent of the loss in a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Nothing: the process was killed.
    Nothing,
    /// All bytes that were not synced; names remain.
    Bytes,
    /// All bytes and names that were not synced.
    All,
    /// Some of the sectors and names that were not synced; the seed selects them.
    Some(u64),
}

#[derive(Clone, Debug, Default)]
struct Content {
    now: Vec<u8>,
    synced: Vec<u8>,
}

/// A folder whose changes are recorded, with its current contents and the part that would survive a
/// power cut.
///
/// Only synced contents survive for certain: bytes by a sync of the file, and new, changed or
/// removed names by a sync of their folder. POSIX promises this; most file systems do more.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    contents: Vec<Content>,
    names: BTreeMap<PathBuf, usize>,
    synced_names: BTreeMap<PathBuf, usize>,
    folders: BTreeSet<PathBuf>,
    synced_folders: BTreeSet<PathBuf>,
}

/// Returns a pseudo-random bit (S. Vigna, splitmix64).
fn coin(state: &mut u64) -> bool {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ (mixed >> 31)) & 1 == 1
}

impl Disk {
    /// Creates the state of a folder whose files are all durable.
    pub fn new(folder: &Path, files: &Files) -> Self {
        let mut this = Self::default();
        for (name, bytes) in files {
            let id = this.add(Content { now: bytes.clone(), synced: bytes.clone() });
            this.names.insert(folder.join(name), id);
        }
        if folder.is_dir() {
            this.folders.insert(folder.to_owned());
        }
        this.synced_names.clone_from(&this.names);
        this.synced_folders.clone_from(&this.folders);
        this
    }

    fn add(&mut self, content: Content) -> usize {
        self.contents.push(content);
        self.contents.len() - 1
    }

    fn file(&mut self, path: &Path) -> &mut Content {
        let id = if let Some(&id) = self.names.get(path) {
            id
        } else {
            let id = self.add(Content::default());
            self.names.insert(path.to_owned(), id);
            id
        };
        &mut self.contents[id]
    }

    /// Applies a change.
    ///
    /// # Panics
    /// When the kind of the change is unknown.
    pub fn apply(&mut self, change: &Change<'_>) {
        match *change {
            Change::CreateFolder(path) => drop(self.folders.insert(path.to_owned())),
            Change::Create(path) => self.file(path).now.clear(),
            // Its first write has its name.
            Change::CreateTemporary(_) => {}
            Change::Write { path, offset, bytes } => {
                let now = &mut self.file(path).now;
                let range = offset as usize..offset as usize + bytes.len();
                now.resize(now.len().max(range.end), 0);
                now[range].copy_from_slice(bytes);
            }
            Change::Sync(path) => {
                let content = self.file(path);
                content.synced.clone_from(&content.now);
            }
            Change::Rename { from, to } => {
                let id = self.names.remove(from).expect("only what is there is renamed");
                self.names.insert(to.to_owned(), id);
            }
            Change::SyncFolder(folder) => {
                let is_in = |path: &Path| path.parent() == Some(folder);
                self.synced_names.retain(|path, _| !is_in(path));
                for (path, &id) in self.names.iter().filter(|(path, _)| is_in(path)) {
                    self.synced_names.insert(path.clone(), id);
                }
                self.synced_folders.retain(|path| !is_in(path));
                self.synced_folders.extend(self.folders.iter().filter(|path| is_in(path)).cloned());
            }
            Change::Remove(path) => drop(self.names.remove(path)),
            Change::RemoveFolder(path) => drop(self.folders.remove(path)),
        }
    }

    /// Returns the files that a power failure would leave now.
    pub fn after(&self, loss: Loss) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut seed = if let Loss::Some(seed) = loss { seed } else { 0 };
        let mut keeps_name = |_: &Path| match loss {
            Loss::Nothing | Loss::Bytes => true,
            Loss::All => false,
            Loss::Some(_) => coin(&mut seed),
        };
        let mut names = BTreeMap::new();
        let all: BTreeSet<&PathBuf> = self.names.keys().chain(self.synced_names.keys()).collect();
        for path in all {
            let (now, synced) = (self.names.get(path), self.synced_names.get(path));
            let kept = if now == synced || keeps_name(path) { now } else { synced };
            if let Some(&id) = kept {
                names.insert(path.clone(), id);
            }
        }
        // A lost folder loses its files.
        let mut lost = BTreeSet::new();
        for folder in self.folders.difference(&self.synced_folders) {
            if !keeps_name(folder) {
                lost.insert(folder);
            }
        }
        names.retain(|path, _| !path.ancestors().any(|above| lost.contains(&above.to_owned())));
        let mut seed = if let Loss::Some(seed) = loss { !seed } else { 0 };
        names
            .into_iter()
            .map(|(path, id)| (path, self.contents[id].after(loss, &mut seed)))
            .collect()
    }

    /// Returns the same disk state in another folder.
    #[must_use]
    pub fn moved(&self, from: &Path, to: &Path) -> Self {
        let moved = |path: &PathBuf| below(path, from, to);
        let names = |names: &BTreeMap<PathBuf, usize>| {
            names.iter().map(|(path, &id)| (moved(path), id)).collect()
        };
        Self {
            contents: self.contents.clone(),
            names: names(&self.names),
            synced_names: names(&self.synced_names),
            folders: self.folders.iter().map(moved).collect(),
            synced_folders: self.synced_folders.iter().map(moved).collect(),
        }
    }

    /// Writes the contents of `from` as they are after a power cut into the empty folder `to`.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn restore(&self, loss: Loss, from: &Path, to: &Path) {
        let folders = if loss == Loss::All { &self.synced_folders } else { &self.folders };
        // With `Some`, folders may be lost, and those that still have files are made for the files.
        for folder in folders.iter().filter(|_| !matches!(loss, Loss::Some(_))) {
            fs::create_dir_all(below(folder, from, to)).expect("the folder is writable");
        }
        for (path, bytes) in self.after(loss) {
            let path = below(&path, from, to);
            let folder = path.parent().expect("a file is in a folder");
            fs::create_dir_all(folder).expect("the folder is writable");
            let file = File::options().create_new(true).write(true).open(path);
            file.and_then(|mut file| file.write_all(&bytes)).expect("the folder is writable");
        }
    }
}

/// Returns a path below `from` as a path below `to`.
fn below(path: &Path, from: &Path, to: &Path) -> PathBuf {
    to.join(path.strip_prefix(from).expect("only what is below is followed"))
}

impl Content {
    fn after(&self, loss: Loss, seed: &mut u64) -> Vec<u8> {
        match loss {
            Loss::Nothing => self.now.clone(),
            Loss::Bytes | Loss::All => self.synced.clone(),
            Loss::Some(_) => {
                let keeps_len = self.now.len() == self.synced.len() || coin(seed);
                let mut left = self.synced.clone();
                left.resize(if keeps_len { self.now.len() } else { self.synced.len() }, 0);
                for (sector, bytes) in left.chunks_mut(SECTOR_BYTES).enumerate() {
                    let start = sector * SECTOR_BYTES;
                    let Some(now) = self.now.get(start..start + bytes.len()) else { continue };
                    if now != bytes && coin(seed) {
                        bytes.copy_from_slice(now);
                    }
                }
                left
            }
        }
    }
}
