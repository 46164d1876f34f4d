//! A team's checkpoint: how far all ranks have come, and which files of which places count.
//!
//! Every rank has the same one in its folder, so that any of them tells what there was. It is written beside
//! the last one, when all files that it names are durable; the last one and its files go when every rank
//! has written the new one. So there is always a checkpoint of which nothing is missing, and the newest of
//! those is gone on with.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::WorkError;
use crate::streaming::checkpoint::{Checkpoint, Name, Saved, Whole, WorkFile, unseal};
use crate::streaming::segments::Segments;

const VERSION: u32 = 1;

/// A place, by what it can be found again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlaceName {
    pub(super) name: String,
    pub(super) token: String,
}

/// The counts of some slots of each class: states of the last levels of both, then states of all levels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Counts {
    pub(super) place: usize,
    pub(super) slots: [Range<usize>; 2],
    pub(super) file: WorkFile,
}

/// How far a team has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TeamCheckpoint {
    version: u32,
    /// Without files.
    pub(super) progress: Checkpoint,
    pub(super) places: Vec<PlaceName>,
    /// Together, those of all slots; none once all is searched.
    pub(super) counts: Vec<Counts>,
    /// Each with the number of its place.
    pub(super) segments: Vec<(usize, WorkFile)>,
}

impl TeamCheckpoint {
    pub(super) fn new(
        progress: &Checkpoint,
        places: Vec<PlaceName>,
        counts: Vec<Counts>,
        segments: Vec<(usize, WorkFile)>,
    ) -> Self {
        Self { version: VERSION, progress: progress.clone(), places, counts, segments }
    }

    /// The team's checkpoint with a text.
    pub(super) fn parse(bytes: Vec<u8>, table: &str) -> Result<Self, WorkError> {
        let this: Self = unseal(bytes, VERSION)?;
        this.progress.expect_table(table)?;
        Ok(this)
    }

    /// The same for a checkpoint that a build on one machine left in the work folder itself. The slots of
    /// its counts are set by [`check`](Self::check).
    pub(super) fn parse_alone(bytes: Vec<u8>, table: &str, token: &str) -> Result<Self, WorkError> {
        let Saved { mut checkpoint, files } = Saved::parse(bytes, table)?;
        let counts = checkpoint.counts.take().into_iter();
        let counts = counts.map(|file| Counts { place: 0, slots: [0..0, 0..0], file }).collect();
        let places = vec![PlaceName { name: String::new(), token: token.to_owned() }];
        let segments = files.into_values().map(|file| (0, file)).collect();
        Ok(Self { version: VERSION, progress: checkpoint, places, counts, segments })
    }

    /// Checks that a build of this table can have come to this checkpoint, as far as that can be told
    /// without reading its files. Returns the segments that it names.
    pub(super) fn check(
        &mut self,
        whole: &Whole<'_>,
    ) -> Result<BTreeMap<Name, (usize, WorkFile)>, WorkError> {
        self.progress.check_progress(whole.total)?;
        let mut files = BTreeMap::new();
        for (place, file) in &self.segments {
            self.progress.check_file(file, whole)?;
            let (name, _) = Name::parse(file.name()).expect("it was checked");
            let other = files.insert(name, (*place, file.clone()));
            if *place >= self.places.len() || other.is_some() {
                let expected = "one file of a segment, in a place that is named";
                return Err(WorkError::impossible(expected, file.name()));
            }
        }
        self.check_counts(whole.segments)?;
        Ok(files)
    }

    fn check_counts(&mut self, segments: &Segments) -> Result<(), WorkError> {
        let totals = segments
            .classes
            .each_ref()
            .map(|class| class.slots.last().map_or(0, |slots| slots.end));
        if let [alone] = &mut self.counts[..]
            && self.places[0].name.is_empty()
        {
            alone.slots = totals.map(|total| 0..total);
        }
        for (class, &total) in totals.iter().enumerate() {
            let mut ranges: Vec<_> =
                self.counts.iter().map(|counts| counts.slots[class].clone()).collect();
            ranges.sort_unstable_by_key(|range| (range.start, range.end));
            let mut end = 0;
            for range in ranges.iter().filter(|range| !range.is_empty()) {
                if range.start != end {
                    let expected = "counts of each slot once";
                    return Err(WorkError::impossible(expected, format!("{range:?} after {end}")));
                }
                end = range.end;
            }
            let expected_end = if self.progress.searched { 0 } else { total };
            if end != expected_end {
                let expected = "counts of all slots until all is searched";
                return Err(WorkError::impossible(expected, format!("those of {end}")));
            }
        }
        match self.counts.iter().find(|counts| counts.place >= self.places.len()) {
            Some(counts) => {
                Err(WorkError::impossible("counts in a place that is named", counts.file.name()))
            }
            None => Ok(()),
        }
    }
}

/// Bytes of the counts of so many slots.
pub(super) fn counts_bytes(slots: &[Range<usize>; 2]) -> u64 {
    let slots: usize = slots.iter().map(Range::len).sum();
    (slots * 2 * size_of::<u32>()) as u64
}
