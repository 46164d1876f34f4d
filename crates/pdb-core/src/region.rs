//! Regions: the cells that the blank can reach without moving a pattern tile.

use std::collections::BTreeMap;

use crate::shape::Growth;
use crate::{Cell, CellSet, Shape};

/// Returns the region of `free` that contains `cell`.
///
/// `free` are the cells that no pattern tile occupies; `cell` is one of them.
pub fn region_of(shape: Shape, free: CellSet, cell: Cell) -> CellSet {
    RegionFinder::new(shape).region_of(free, cell)
}

/// Finds many regions on one board.
#[derive(Clone, Copy, Debug)]
pub struct RegionFinder(Growth);

impl RegionFinder {
    /// A finder for boards of a shape.
    pub fn new(shape: Shape) -> Self {
        Self(Growth::new(shape))
    }

    /// Returns the region of `free` that contains `cell`, like [`region_of`].
    #[inline]
    pub fn region_of(&self, free: CellSet, cell: Cell) -> CellSet {
        debug_assert!(free.contains(cell));
        let mut region = CellSet::single(cell);
        loop {
            let wider = CellSet(self.0.grown(region).0 & free.0);
            if wider == region {
                return region;
            }
            region = wider;
        }
    }

    /// Returns the regions of `free`, like [`regions`].
    #[inline]
    pub fn regions(self, free: CellSet) -> impl Iterator<Item = CellSet> {
        let mut rest = free;
        core::iter::from_fn(move || {
            let region = self.region_of(free, rest.first()?);
            rest = rest.without(region);
            Some(region)
        })
    }
}

/// Returns the regions of `free`, in the order of their smallest cells.
///
/// That order numbers the regions of a cell set: region 0 holds its smallest free cell.
pub fn regions(shape: Shape, free: CellSet) -> impl Iterator<Item = CellSet> {
    RegionFinder::new(shape).regions(free)
}

/// The sets with one profile and the sum of their closed regions, by the number of occupied cells.
type Counts = Vec<(u64, u64)>;

/// Returns the number of regions that all sets of `set_len` occupied cells leave together: the
/// blocks of a blank-aware table. Takes about a millisecond on the largest boards.
///
/// Cells are decided one after another, row by row. Sets with the same open regions at the last
/// row's width of cells (the profile) are counted together, with the number of their closed
/// regions.
pub fn region_count(shape: Shape, set_len: usize) -> u64 {
    // The transposed board has the same number, and the shorter side gives the shorter profile.
    let width = shape.rows().min(shape.cols());
    // A profile has the region of each cell of the last row's width, numbered from 1 in order, and
    // 0 for an occupied cell.
    let mut profiles: BTreeMap<Vec<u8>, Counts> = BTreeMap::new();
    let mut first = vec![(0, 0); set_len + 1];
    first[0].0 = 1;
    profiles.insert(vec![0; width], first);
    for cell in 0..shape.cell_count() {
        let column = cell % width;
        let mut next: BTreeMap<Vec<u8>, Counts> = BTreeMap::new();
        for (profile, counts) in profiles {
            let above = profile[column];
            let before = if column > 0 { profile[column - 1] } else { 0 };
            let free = {
                let mut profile = profile.clone();
                for region in &mut profile {
                    if *region > 0 && [above, before].contains(region) {
                        *region = NEW_REGION;
                    }
                }
                profile[column] = NEW_REGION;
                profile
            };
            let mut occupied = profile;
            occupied[column] = 0;
            let closes = above > 0 && !occupied.contains(&above);
            let mut add = |mut profile: Vec<u8>, set_growth: usize, closed: u64| {
                renumber(&mut profile);
                let sums = next.entry(profile).or_insert_with(|| vec![(0, 0); set_len + 1]);
                for (sum, &(sets, regions)) in sums[set_growth..].iter_mut().zip(&counts) {
                    sum.0 += sets;
                    sum.1 += regions + closed * sets;
                }
            };
            add(free, 0, 0);
            add(occupied, 1, u64::from(closes));
        }
        profiles = next;
    }
    let open = |profile: &[u8]| u64::from(profile.iter().copied().max().unwrap_or(0));
    let of_profile = |(profile, counts): (&Vec<u8>, &Counts)| {
        let (sets, regions) = counts[set_len];
        regions + open(profile) * sets
    };
    profiles.iter().map(of_profile).sum()
}

/// Region number above all numbers in a profile.
const NEW_REGION: u8 = u8::MAX;

/// Numbers the regions of a profile from 1, in the order of their first cells.
fn renumber(profile: &mut [u8]) {
    let mut known: Vec<u8> = Vec::new();
    for region in profile.iter_mut().filter(|region| **region > 0) {
        let place = known.iter().position(|number| number == region).unwrap_or_else(|| {
            known.push(*region);
            known.len() - 1
        });
        *region = place as u8 + 1;
    }
}
