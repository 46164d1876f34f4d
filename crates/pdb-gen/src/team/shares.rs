//! Shares: the segments that each rank advances.

use std::ops::Range;

use super::ranks::Team;
use crate::monitor::Monitor;
use crate::streaming::segments::Segments;
use crate::streaming::space::SearchSpace;

/// The data of a build that every rank has.
#[derive(Clone, Copy)]
pub(super) struct TeamContext<'a> {
    pub(super) team: &'a dyn Team,
    pub(super) space: &'a SearchSpace,
    pub(super) segments: &'a Segments,
    pub(super) shares: &'a Shares,
    pub(super) monitor: &'a Monitor<'a>,
}

/// Consecutive segments of each class for each rank, with about equally many blocks.
///
/// Both classes are divided at the same part of their blocks, and so near one cell set. A move
/// changes the cell of one tile, and sets with the same last cells are adjacent, so most moves stay
/// within a share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shares {
    /// The ranges of segments, by rank.
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

    /// Returns the segments of each class that a rank has.
    pub(super) fn of(&self, rank: usize) -> &[Range<usize>; 2] {
        &self.ranges[rank]
    }

    /// Returns the rank that has a segment.
    pub(super) fn owner(&self, class: usize, segment: usize) -> Option<usize> {
        self.ranges.iter().position(|ranges| ranges[class].contains(&segment))
    }

    /// Returns the sets of each class that a rank has.
    pub(super) fn sets(&self, segments: &Segments, rank: usize) -> [Range<usize>; 2] {
        [0, 1].map(|class| joined(&segments.classes[class].sets[self.ranges[rank][class].clone()]))
    }

    /// Returns the slots of each class that a rank has.
    pub(super) fn slots(&self, segments: &Segments, rank: usize) -> [Range<usize>; 2] {
        [0, 1].map(|class| joined(&segments.classes[class].slots[self.ranges[rank][class].clone()]))
    }

    /// Returns the rank of each slot of each class.
    pub(super) fn owners(&self, space: &SearchSpace, segments: &Segments) -> [Vec<u16>; 2] {
        let mut owners = space.graph.classes.each_ref().map(|class| vec![0; class.slot_count]);
        for rank in 0..self.ranges.len() {
            for (owners, slots) in owners.iter_mut().zip(self.slots(segments, rank)) {
                owners[slots].fill(rank as u16);
            }
        }
        owners
    }
}

/// Returns the union of consecutive ranges.
fn joined(ranges: &[Range<usize>]) -> Range<usize> {
    match ranges {
        [] => 0..0,
        [first, ..] => first.start..ranges[ranges.len() - 1].end,
    }
}
