//! Entries of coloured tables: two numbers of slides in a byte.
//!
//! A state has two distances: the fewest slides to the goal if the first one is horizontal, and if
//! it is vertical. The lower five bits of an entry hold the smaller one, or 31 if it is larger. The
//! upper three bits hold the vertical minus the horizontal one, from -4 to 3, plus 4. They seldom
//! differ by more; then the difference is cut, so an entry may be less than the distance, never
//! more.

use pdb_core::Axis;

/// End of the range of the smaller distance in an entry.
pub const VALUE_END: usize = 32;

/// Packs the distances of a state if the first slide is horizontal, and if it is vertical.
///
/// ```
/// use pdb_core::Axis;
/// use pdb_format::slides;
///
/// let entry = slides::pack(12, 10);
/// assert_eq!(slides::distance(entry, Axis::Horizontal), 12);
/// assert_eq!(slides::distance(entry, Axis::Vertical), 10);
/// assert_eq!(slides::smaller(entry), 10);
/// // A large difference is cut.
/// assert_eq!(slides::distance(slides::pack(10, 20), Axis::Vertical), 13);
/// ```
#[inline]
pub fn pack(horizontal: u8, vertical: u8) -> u8 {
    let smaller = horizontal.min(vertical).min(VALUE_END as u8 - 1);
    let difference = (i16::from(vertical) - i16::from(horizontal)).clamp(-4, 3);
    smaller | ((difference + 4) as u8) << 5
}

/// Returns the smaller distance of an entry.
#[inline]
pub fn smaller(entry: u8) -> u8 {
    entry & 31
}

/// Returns whether the distance if the first slide has an axis is certain not to be cut.
pub fn is_exact(entry: u8, first: Axis) -> bool {
    let is_smaller = distance(entry, first) == smaller(entry);
    usize::from(smaller(entry)) + 1 < VALUE_END && (is_smaller || (1..7).contains(&(entry >> 5)))
}

/// The distances of each entry, by the axis of the first slide.
static DISTANCES: [[u8; 256]; 2] = {
    let mut distances = [[0; 256]; 2];
    let mut entry = 0;
    while entry < 256 {
        let (smaller, difference) = (entry as u8 & 31, (entry >> 5) as u8);
        distances[0][entry] = smaller + 4u8.saturating_sub(difference);
        distances[1][entry] = smaller + difference.saturating_sub(4);
        entry += 1;
    }
    distances
};

/// Returns the distance if the first slide has an axis.
#[inline(always)]
pub fn distance(entry: u8, first: Axis) -> u8 {
    DISTANCES[first as usize][usize::from(entry)]
}
