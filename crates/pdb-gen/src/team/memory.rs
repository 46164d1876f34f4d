//! Memory that ranks need for their shares, and numbers of ranks that are enough for a table.

use std::ops::Range;

use super::columns;
use super::shares::Shares;
use crate::search::{SearchSpace, bitset_count, recorded};
use crate::streaming::budget::{searching_bytes, usual_slots};
use crate::streaming::segments::{SEGMENTS_MAX, Segments};

/// Number of segments of a class: several for each rank, so that shares have about the same size.
const SEGMENTS_MIN: usize = 64;
const RANK_SEGMENTS: usize = 8;
/// Largest number of ranks that is tried for a table.
const RANKS_MAX: usize = 4096;

/// Divides the classes for a team, in the same way on all ranks.
pub(super) fn cut(space: &SearchSpace, ranks: usize, slots_max: Option<usize>) -> Segments {
    let count = SEGMENTS_MIN.max(RANK_SEGMENTS * ranks).min(SEGMENTS_MAX);
    let slots_max = slots_max.unwrap_or_else(|| usual_slots(space, count));
    Segments::new(space, slots_max.max(1))
}

/// Returns a number of ranks, larger than the team's, whose shares each fit `memory_bytes`; `None`
/// if no number is enough.
pub(super) fn ranks_enough(
    space: &SearchSpace,
    team_ranks: usize,
    memory_bytes: u64,
) -> Option<usize> {
    let mut ranks = team_ranks + 1;
    while ranks <= RANKS_MAX {
        let segments = cut(space, ranks, None);
        // Every rank has the whole graph.
        if searching_bytes(space, &segments) as u64 > memory_bytes {
            return None;
        }
        let shares = Shares::new(&segments, ranks);
        let needed = self::memory_bytes(space, &segments, &shares).into_iter().max()?;
        if needed <= memory_bytes {
            return Some(ranks);
        }
        ranks += ranks.div_ceil(4);
    }
    None
}

/// Returns the memory that each rank needs for its share, in bytes.
pub(super) fn memory_bytes(space: &SearchSpace, segments: &Segments, shares: &Shares) -> Vec<u64> {
    let owners = shares.owners(space);
    let slot_count: usize = owners.iter().map(Vec::len).sum();
    let fixed_bytes = searching_bytes(space, segments) + slot_count * 32;
    // The last rank that was found to need a slot's block, so that each block counts once per rank.
    let mut needed_by = owners.each_ref().map(|owners| vec![u16::MAX; owners.len()]);
    let ranks = shares.iter().count();
    let bytes = shares.iter().enumerate().map(|(rank, share)| {
        let recorded: usize = (share.slots.iter().zip(&share.sets))
            .map(|(slots, sets)| recorded(space.key.mode, slots, sets).len())
            .sum();
        let mut needed = [0, 0];
        for (class, slots) in share.slots.iter().enumerate() {
            let other = 1 - class;
            let pulls = slots.clone().flat_map(|slot| space.graph.classes[class].pulls(slot));
            for source in pulls.map(|pull| pull.source as usize) {
                if usize::from(owners[other][source]) != rank
                    && needed_by[other][source] != rank as u16
                {
                    needed_by[other][source] = rank as u16;
                    needed[other] += 1;
                }
            }
        }
        // The border that is sent, the one that was received, and that of the next level; each has
        // about as many blocks.
        let border = 3 * needed[0].max(needed[1]) * (space.block_bytes() + size_of::<u64>());
        let blocks: usize = share.slots.iter().map(Range::len).sum();
        let searching = blocks * space.block_bytes() + border;
        let packing = columns::most_bytes(space, ranks, recorded);
        let record = recorded * bitset_count(&space.key) * space.block_bytes();
        (fixed_bytes + record + searching.max(packing)) as u64
    });
    bytes.collect()
}
