//! Regions: the cells that the blank can reach without moving a pattern tile.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

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
/// blocks of a blank-aware table. Takes about a millisecond on the largest boards, once: a choice
/// of tables asks for the same numbers again and again, so they are kept.
pub fn region_count(shape: Shape, set_len: usize) -> u64 {
    static KNOWN: Mutex<BTreeMap<(Shape, usize), u64>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    *known.entry((shape, set_len)).or_insert_with(|| count_regions(shape, set_len))
}

/// Counts the regions of [`region_count`].
///
/// Cells are decided one after another, row by row. Sets with the same open regions at the last
/// row's width of cells (the profile) are counted together, with the number of their closed
/// regions.
fn count_regions(shape: Shape, set_len: usize) -> u64 {
    // The transposed board has the same number, and the shorter side gives the shorter profile.
    let width = shape.rows().min(shape.cols());
    // A profile has a nibble for each cell of the last row's width: its region, numbered from 1 in
    // order, or 0 for an occupied cell.
    let mut first = vec![(0, 0); set_len + 1];
    first[0].0 = 1;
    let mut profiles: BTreeMap<u64, Counts> = [(0, first)].into();
    for cell in 0..shape.cell_count() {
        let column = cell % width;
        let shift = 4 * column;
        let mut next: BTreeMap<u64, Counts> = BTreeMap::new();
        for (profile, counts) in profiles {
            let region = |column: usize| region_at(profile, column);
            let above = region(column);
            let before = if column > 0 { region(column - 1) } else { 0 };
            let occupied = profile & !(15 << shift);
            let mut free = occupied | NEW_REGION << shift;
            for column in (0..width).filter(|&column| region(column) > 0) {
                if [above, before].contains(&region(column)) {
                    free |= NEW_REGION << (4 * column);
                }
            }
            let closes = above > 0 && (0..width).all(|at| at == column || region(at) != above);
            let mut add = |profile: u64, set_growth: usize, closed: u64| {
                let sums = next.entry(renumbered(profile, width));
                let sums = sums.or_insert_with(|| vec![(0, 0); set_len + 1]);
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
    let of_profile = |(&profile, counts): (&u64, &Counts)| {
        let open = (0..width).map(|column| region_at(profile, column)).max().unwrap_or(0);
        let (sets, regions) = counts[set_len];
        regions + open * sets
    };
    profiles.iter().map(of_profile).sum()
}

/// Region number above all numbers in a profile.
const NEW_REGION: u64 = 15;

/// Returns the region of a column's cell in a profile.
fn region_at(profile: u64, column: usize) -> u64 {
    profile >> (4 * column) & 15
}

/// Numbers the regions of a profile from 1, in the order of their first cells.
fn renumbered(profile: u64, width: usize) -> u64 {
    let (mut numbers, mut count, mut renumbered) = ([0; 16], 0, 0);
    for column in 0..width {
        let region = region_at(profile, column);
        let number = &mut numbers[region as usize];
        if region > 0 && *number == 0 {
            count += 1;
            *number = count;
        }
        renumbered |= *number << (4 * column);
    }
    renumbered
}
