//! Shares: the segments that each rank advances.

use std::ops::Range;

use super::ranks::Team;
use crate::monitor::Monitor;
use crate::search::SearchSpace;
use crate::streaming::segments::Segments;

/// The data of a build that every rank has.
#[derive(Clone, Copy)]
pub(super) struct TeamContext<'a> {
    pub(super) team: &'a dyn Team,
    pub(super) space: &'a SearchSpace,
    pub(super) segments: &'a Segments,
    pub(super) shares: &'a Shares,
    pub(super) monitor: &'a Monitor<'a>,
}

impl<'a> TeamContext<'a> {
    /// Returns the share of this rank.
    pub(super) fn share(&self) -> &'a Share {
        self.shares.of(self.team.rank())
    }
}

/// The segments that a rank advances, with their sets and slots: consecutive ones of each class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) segments: [Range<usize>; 2],
    pub(super) sets: [Range<usize>; 2],
    pub(super) slots: [Range<usize>; 2],
}

/// The shares of all ranks, with about equally many blocks.
///
/// Both classes are divided at the same part of their blocks, and so near one cell set. A move
/// changes the cell of one tile, and sets with the same last cells are adjacent, so most moves stay
/// within a share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shares(Vec<Share>);

impl Shares {
    pub(super) fn new(segments: &Segments, count: usize) -> Self {
        let mut next = [0, 0];
        let share = |rank: usize| {
            let own = [0, 1].map(|class| {
                let cut = &segments.classes[class];
                let total = cut.slots.last().map_or(0, |slots| slots.end);
                let start = next[class];
                // A segment belongs to the rank of its middle.
                while let Some(slots) = cut.slots.get(next[class])
                    && (slots.start + slots.end) * count / (2 * total) <= rank
                {
                    next[class] += 1;
                }
                start..next[class]
            });
            let of_class = |class: usize| (&segments.classes[class], own[class].clone());
            let sets = [0, 1].map(of_class).map(|(cut, own)| union(&cut.sets[own]));
            let slots = [0, 1].map(of_class).map(|(cut, own)| union(&cut.slots[own]));
            Share { segments: own, sets, slots }
        };
        Self((0..count).map(share).collect())
    }

    /// Returns the share of a rank.
    pub(super) fn of(&self, rank: usize) -> &Share {
        &self.0[rank]
    }

    /// Returns the shares in the order of the ranks.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Share> {
        self.0.iter()
    }

    /// Returns the rank that has a segment.
    pub(super) fn owner(&self, class: usize, segment: usize) -> Option<usize> {
        self.0.iter().position(|share| share.segments[class].contains(&segment))
    }

    /// Returns the rank of each slot of each class.
    pub(super) fn owners(&self, space: &SearchSpace) -> [Vec<u16>; 2] {
        let mut owners = space.graph.classes.each_ref().map(|class| vec![0; class.slot_count]);
        for (rank, share) in self.0.iter().enumerate() {
            for (owners, slots) in owners.iter_mut().zip(&share.slots) {
                owners[slots.clone()].fill(rank as u16);
            }
        }
        owners
    }
}

/// Returns the union of consecutive ranges.
fn union(ranges: &[Range<usize>]) -> Range<usize> {
    match ranges {
        [] => 0..0,
        [first, ..] => first.start..ranges[ranges.len() - 1].end,
    }
}
