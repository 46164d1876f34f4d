//! Elsewhere: segments that are in the work folders of other ranks, or of ranks that there were once.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::checkpoint::{Kind, Name, PartReader, WorkFile};
use super::slices::Wanted;
use crate::GenError;
use crate::ranks::Team;

/// What fetches at once: answers take their time on the way, whatever the threads do.
pub(crate) const FETCHES: usize = 4;

/// A work folder of the team.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Name below the table's work folder; empty for that folder itself.
    pub(crate) name: String,
    /// What tells it from others of that name.
    pub(crate) token: String,
    /// The rank that serves it and removes files there.
    pub(crate) keeper: usize,
    /// Its path as that rank has it.
    pub(crate) path: PathBuf,
    /// Its path as this rank sees it, unless a rank is at work there.
    pub(crate) here: Option<PathBuf>,
}

/// Segments that the store's folder has not.
#[derive(Default)]
pub(crate) struct Elsewhere<'a> {
    pub(crate) team: Option<&'a dyn Team>,
    /// Those of the ranks come first, in their order.
    pub(crate) places: Vec<Place>,
    /// The place of each segment and what its file there is.
    pub(crate) files: BTreeMap<Name, (usize, WorkFile)>,
    /// What this rank needs of segments that other ranks wrote in this job.
    parts: BTreeMap<Name, Wanted>,
    fetched_bytes: AtomicU64,
    fetched_files: AtomicU64,
    /// Bytes read from folders that this rank sees.
    read_bytes: AtomicU64,
}

impl<'a> Elsewhere<'a> {
    pub(crate) fn new(team: &'a dyn Team, places: Vec<Place>) -> Self {
        Self { team: Some(team), places, ..Self::default() }
    }

    /// Opens the file of a segment that is elsewhere.
    pub(crate) fn open(&self, name: Name) -> Result<(u64, PartReader), GenError> {
        let (place, file) = self.files.get(&name).expect("only what is on a disk is read");
        Ok((file.bytes, self.open_at(*place, file)?))
    }

    /// Opens a file of a place.
    pub(crate) fn open_at(&self, place: usize, file: &WorkFile) -> Result<PartReader, GenError> {
        let place = &self.places[place];
        let team = self.team.expect("who has no team has all files");
        let folder =
            if place.keeper == team.rank() { Some(&place.path) } else { place.here.as_ref() };
        if let Some(folder) = folder {
            self.read_bytes.fetch_add(file.bytes, Ordering::Relaxed);
            return file.open(folder);
        }
        let path = file.path(&place.path);
        let bytes =
            self.fetch(team, place.keeper, &path, std::slice::from_ref(&(0..file.bytes)))?;
        file.open_fetched(path, bytes, team.name_of(place.keeper))
    }

    fn fetch(
        &self,
        team: &dyn Team,
        rank: usize,
        path: &Path,
        ranges: &[Range<u64>],
    ) -> Result<Vec<u8>, GenError> {
        let bytes = team.fetch(rank, path, ranges).map_err(|error| error.named(team))?;
        self.fetched_bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.fetched_files.fetch_add(1, Ordering::Relaxed);
        Ok(bytes)
    }

    /// Whether others fetch from this rank.
    pub(crate) fn is_shared(&self) -> bool {
        self.team.is_some_and(|team| team.count() > 1)
    }

    /// Notes a segment that a rank wrote, and what is wanted of it.
    pub(crate) fn put(&mut self, name: Name, place: usize, file: WorkFile, wanted: Option<Wanted>) {
        self.files.insert(name, (place, file));
        if let Some(wanted) = wanted {
            self.parts.insert(name, wanted);
        }
    }

    pub(crate) fn forget(&mut self, name: Name) {
        self.files.remove(&name);
        self.parts.remove(&name);
    }

    /// Whether a segment is fetched in slices.
    pub(crate) fn has_slices(&self, name: Name) -> bool {
        self.parts.contains_key(&name)
    }

    /// Reads the blocks of a segment that are wanted, of so many words; all others may hold anything.
    pub(crate) fn read_slices(
        &self,
        name: Name,
        words: usize,
        segment: &mut [u64],
    ) -> Result<(), GenError> {
        let (place, file) = &self.files[&name];
        let (place, wanted) = (&self.places[*place], &self.parts[&name]);
        let ranges = wanted.ranges(file.bytes);
        if ranges.is_empty() {
            return Ok(());
        }
        let team = self.team.expect("who has no team has all files");
        let path = file.path(&place.path);
        let bytes = self.fetch(team, place.keeper, &path, &ranges)?;
        if wanted.take(&ranges, &bytes, words, segment) {
            return Ok(());
        }
        Err(GenError::Fetched { rank: team.name_of(place.keeper), path })
    }

    /// Counts bytes that were read from the rank's own folder.
    pub(crate) fn count_read(&self, bytes: u64) {
        self.read_bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Bytes and files that were fetched, and bytes that were read, since this was asked last.
    pub(crate) fn take_traffic(&self) -> [u64; 3] {
        [&self.fetched_bytes, &self.fetched_files, &self.read_bytes]
            .map(|count| count.swap(0, Ordering::Relaxed))
    }

    /// From now on nothing is elsewhere.
    pub(crate) fn forget_all(&mut self) {
        self.files.clear();
        self.parts.clear();
    }

    /// From now on no segment of a class has a level.
    pub(crate) fn forget_levels(&mut self, class: usize) {
        let is_other = |name: &Name| name.kind != Kind::Level || name.class != class;
        self.files.retain(|name, _| is_other(name));
        self.parts.retain(|name, _| is_other(name));
    }
}

impl std::fmt::Debug for Elsewhere<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Elsewhere").field("places", &self.places).finish_non_exhaustive()
    }
}
