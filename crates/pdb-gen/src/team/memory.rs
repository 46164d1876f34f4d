//! Memory that ranks need for their shares, and numbers of ranks that are enough for a table.

use std::ops::Range;

use pdb_core::TableKey;

use super::columns;
use super::shares::Shares;
use crate::GenError;
use crate::search::record_blocks;
use crate::streaming::budget::usual_slots;
use crate::streaming::segments::{SEGMENTS_MAX, Segments};
use crate::streaming::space::SearchSpace;

/// Number of segments of a class: several for each rank, so that shares have about the same size.
const SEGMENTS_MIN: usize = 64;
const RANK_SEGMENTS: usize = 8;
/// Largest number of ranks that is tried for a table.
const RANKS_MAX: usize = 4096;

/// Divides the classes for a team, in the same way on all ranks.
pub(super) fn cut(
    space: &SearchSpace,
    ranks: usize,
    slots_max: Option<usize>,
) -> Result<Segments, GenError> {
    let count = SEGMENTS_MIN.max(RANK_SEGMENTS * ranks).min(SEGMENTS_MAX);
    let slots_max = slots_max.unwrap_or_else(|| usual_slots(space, count));
    Segments::new(&space.graph, space.key.mode, slots_max.max(1))
        .ok_or(GenError::Segments { segments_max: SEGMENTS_MAX })
}

/// Returns a number of ranks, larger than the team's, whose shares each fit `memory_bytes`; `None`
/// if no number is enough.
fn ranks_enough(space: &SearchSpace, team_ranks: usize, memory_bytes: u64) -> Option<usize> {
    let mut ranks = team_ranks + 1;
    while ranks <= RANKS_MAX {
        let segments = cut(space, ranks, None).ok()?;
        // Every rank has the whole graph.
        if space.searching_bytes(&segments) as u64 > memory_bytes {
            return None;
        }
        let shares = Shares::new(&segments, ranks);
        let needed = self::memory_bytes(space, &segments, &shares, ranks).into_iter().max()?;
        if needed <= memory_bytes {
            return Some(ranks);
        }
        ranks += ranks.div_ceil(4);
    }
    None
}

/// Returns the error of a team in which a rank's share does not fit its memory.
pub(super) fn too_little(
    space: &SearchSpace,
    ranks: usize,
    memory_bytes: u64,
    needed_bytes: u64,
) -> GenError {
    GenError::TeamBudget {
        table: TableKey::Pattern(space.key).file_name(),
        ranks,
        memory_bytes,
        needed_bytes,
        ranks_enough: ranks_enough(space, ranks, memory_bytes),
    }
}

/// Returns the memory that each rank needs for its share, in bytes.
pub(super) fn memory_bytes(
    space: &SearchSpace,
    segments: &Segments,
    shares: &Shares,
    ranks: usize,
) -> Vec<u64> {
    let owners = shares.owners(space, segments);
    let slot_count: usize = owners.iter().map(Vec::len).sum();
    let fixed_bytes = space.searching_bytes(segments) + slot_count * 32;
    // The last rank that was found to need a slot's block, so that each block counts once per rank.
    let mut needed_by = owners.each_ref().map(|owners| vec![u16::MAX; owners.len()]);
    let bytes = (0..ranks).map(|rank| {
        let slots = shares.slots(segments, rank);
        let sets = shares.sets(segments, rank);
        let recorded: usize = (slots.iter().zip(&sets))
            .map(|(slots, sets)| record_blocks(space.key.mode, slots.len(), sets))
            .sum();
        let mut needed = [0, 0];
        for (class, slots) in slots.iter().enumerate() {
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
        let blocks: usize = slots.iter().map(Range::len).sum();
        let searching = blocks * space.block_bytes() + border;
        let packing = columns::most_bytes(space, ranks, recorded);
        let record = recorded * space.record_count() * space.block_bytes();
        (fixed_bytes + record + searching.max(packing)) as u64
    });
    bytes.collect()
}
