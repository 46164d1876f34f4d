//! Estimating what ranks will exchange, from the graph of blocks alone.

use pdb_core::PatternKey;

use super::shares::Shares;
use crate::GenError;
use crate::search::{BlockLayout, Rotations, graph_of};
use crate::streaming::budget::{Budget, Fixed, Sharing, cut};
use crate::streaming::elsewhere::FETCHES;
use crate::streaming::slices::Wanted;

/// How a table's blocks and moves are shared out to ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareEstimate {
    /// Number of ranks.
    pub ranks: usize,
    /// Blocks of both classes.
    pub blocks: u64,
    /// Bytes of a block, a bit a state.
    pub block_bytes: u64,
    /// Segments of both classes.
    pub segments: usize,
    /// The most blocks that a rank has.
    pub share_max: u64,
    /// Moves from block to block.
    pub moves: u64,
    /// Those within the blocks of one rank.
    pub local_moves: u64,
    /// Blocks of others that moves come from, all ranks together, each once a rank: what must be fetched when
    /// every block has states, both classes together. Bitsets go through the net one class a level.
    pub fetched_blocks: u64,
    /// The bytes of the slices of segments that these are in, which is what is fetched.
    pub fetched_bytes: u64,
    /// The most that one rank fetches.
    pub fetched_bytes_max: u64,
    /// The most that one rank is asked for.
    pub served_bytes_max: u64,
}

/// Estimates what ranks will fetch from each other when they build a table, see
/// [`build_shared`](crate::build_shared).
///
/// # Errors
/// [`GenError::Index`] or another that says why the table cannot be built.
pub fn estimate_shares(
    key: &PatternKey,
    budget: &Budget,
    ranks: usize,
) -> Result<ShareEstimate, GenError> {
    let graph = graph_of(key)?;
    let layout = BlockLayout::new(key.tile_count());
    let rotations = Rotations::new(key.tile_count(), key.shape.cols() - 1);
    let fixed = Fixed::new(&graph, &layout, &rotations, 1);
    let (segments, _) = cut(key, &graph, &fixed, budget, Sharing { ranks, fetches: FETCHES })?;
    let shares = Shares::new(&segments, ranks);
    let mut estimate = ShareEstimate {
        ranks,
        blocks: graph.classes.iter().map(|class| class.slot_count as u64).sum(),
        block_bytes: fixed.block_bytes as u64,
        segments: segments.count(),
        share_max: 0,
        moves: 0,
        local_moves: 0,
        fetched_blocks: 0,
        fetched_bytes: 0,
        fetched_bytes_max: 0,
        served_bytes_max: 0,
    };
    let mut served = segments.classes.each_ref().map(|class| vec![0u64; class.count()]);
    for rank in 0..ranks {
        let slots = shares.slots(&segments, rank);
        let mut fetched_bytes = 0;
        for class in 0..2 {
            let own = &slots[1 - class];
            // Each block of others once, whatever moves come from it.
            let mut sources: Vec<u32> = Vec::new();
            for slot in slots[class].clone() {
                let pulls = graph.classes[class].pulls(slot);
                estimate.moves += pulls.len() as u64;
                let foreign = pulls.iter().map(|pull| pull.source);
                let before = sources.len();
                sources.extend(foreign.filter(|&source| !own.contains(&(source as usize))));
                estimate.local_moves += (pulls.len() - (sources.len() - before)) as u64;
            }
            sources.sort_unstable();
            sources.dedup();
            estimate.fetched_blocks += sources.len() as u64;
            let cut = &segments.classes[1 - class];
            let mut needed = sources.iter().map(|&source| source as usize).peekable();
            while let Some(&first) = needed.peek() {
                let segment = cut.of_slot(first);
                let slots = cut.slots[segment].clone();
                let mut is_needed = vec![false; slots.len()];
                while let Some(slot) = needed.next_if(|slot| slots.contains(slot)) {
                    is_needed[slot - slots.start] = true;
                }
                let blocks = is_needed.iter().map(|is_needed| (true, is_needed));
                let wanted = Wanted::new(layout.word_count, blocks);
                let ranges = wanted.ranges(wanted.file_bytes(slots.len()));
                let bytes = ranges.iter().map(|range| range.end - range.start).sum::<u64>();
                fetched_bytes += bytes;
                served[1 - class][segment] += bytes;
            }
        }
        estimate.share_max =
            estimate.share_max.max(slots.iter().map(|slots| slots.len() as u64).sum());
        estimate.fetched_bytes += fetched_bytes;
        estimate.fetched_bytes_max = estimate.fetched_bytes_max.max(fetched_bytes);
    }
    for rank in 0..ranks {
        let own = shares.of(rank).iter().zip(&served);
        let bytes = own.map(|(range, served)| served[range.clone()].iter().sum::<u64>()).sum();
        estimate.served_bytes_max = estimate.served_bytes_max.max(bytes);
    }
    Ok(estimate)
}
