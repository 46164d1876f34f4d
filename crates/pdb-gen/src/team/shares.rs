//! Shares: which segments a rank advances.

use std::ops::Range;

use crate::streaming::segments::Segments;

/// Consecutive segments of each class for each rank, about as many blocks for all.
///
/// Both classes are cut at the same part of their blocks, and so near one cell set. A move changes the cell
/// of one tile; the sets whose last cells are the same follow each other, so most moves stay in the share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shares {
    /// By rank.
    ranges: Vec<[Range<usize>; 2]>,
}

impl Shares {
    pub(super) fn new(segments: &Segments, count: usize) -> Self {
        let mut ranges = vec![[0..0, 0..0]; count];
        for (class, cut) in segments.classes.iter().enumerate() {
            let total = cut.slots.last().map_or(0, |slots| slots.end);
            let mut next = 0;
            for (rank, range) in ranges.iter_mut().enumerate() {
                let start = next;
                // A segment belongs to the rank of its middle.
                while next < cut.count()
                    && (cut.slots[next].start + cut.slots[next].end) * count / (2 * total) <= rank
                {
                    next += 1;
                }
                range[class] = start..next;
            }
        }
        Self { ranges }
    }

    /// The segments of each class that a rank has.
    pub(super) fn of(&self, rank: usize) -> &[Range<usize>; 2] {
        &self.ranges[rank]
    }

    /// The sets of each class that a rank has.
    pub(super) fn sets(&self, segments: &Segments, rank: usize) -> [Range<usize>; 2] {
        [0, 1].map(|class| {
            let of_rank = &segments.classes[class].sets[self.ranges[rank][class].clone()];
            match of_rank {
                [] => 0..0,
                [first, .., last] => first.start..last.end,
                [only] => only.clone(),
            }
        })
    }

    /// The slots of each class that a rank has.
    pub(super) fn slots(&self, segments: &Segments, rank: usize) -> [Range<usize>; 2] {
        [0, 1].map(|class| {
            let (range, slots) = (&self.ranges[rank][class], &segments.classes[class].slots);
            let start = slots.get(range.start).map_or(0, |slots| slots.start);
            let end = slots[..range.end].last().map_or(0, |slots| slots.end);
            if range.is_empty() { 0..0 } else { start..end }
        })
    }
}
