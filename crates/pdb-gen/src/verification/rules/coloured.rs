//! Rules of coloured tables.

use pdb_core::{Axis, ColourIndex, ColourKey, ColourState, TableKey};
use pdb_format::{Header, Packing, slides};

use super::{ENTRIES_WHOLE_MAX, Exceptions, Rule, check_each};
use crate::GenError;
use crate::threads::Workers;

/// A coloured table to check.
struct Coloured<'a> {
    key: &'a ColourKey,
    index: ColourIndex,
    payload: &'a [u8],
}

/// Checks a coloured table: as a whole, or a sample of its entries.
pub(super) fn check(
    header: &Header,
    key: &ColourKey,
    payload: &[u8],
    workers: Workers<'_>,
) -> Result<Exceptions, GenError> {
    debug_assert!(header.packing == Packing::Slides && header.key == TableKey::Coloured(*key));
    let index = ColourIndex::new(key)?;
    let goal = index.rank(&ColourState::new(key.blank, key.classes()));
    let table = Coloured { key, index, payload };
    let whole = header.entry_count <= ENTRIES_WHOLE_MAX;
    check_each(header, goal, whole, workers, &|entry, exceptions| {
        table.check_entry(entry, goal, exceptions);
        Some(slides::smaller(table.entry(entry)).into())
    })
}

impl Coloured<'_> {
    fn entry(&self, number: u64) -> u8 {
        self.payload[number as usize]
    }

    fn check_entry(&self, number: u64, goal: u64, exceptions: &mut Exceptions) {
        let state = self.index.unrank(number);
        let entry = self.entry(number);
        let is_right =
            if number == goal { entry == slides::pack(0, 0) } else { slides::smaller(entry) > 0 };
        if !is_right {
            exceptions.breaks(Rule::Goal, number);
        }
        if number == goal {
            return;
        }
        for first in Axis::BOTH {
            let distance = slides::distance(entry, first);
            let mut lower = !slides::is_exact(entry, first);
            for next in self.after_slides(&state, first) {
                let next = self.entry(self.index.rank(&next));
                let after = slides::distance(next, first.other());
                lower |= after < distance;
                if slides::is_exact(next, first.other()) && distance > after + 1 {
                    exceptions.breaks(Rule::Slide, number);
                }
            }
            if !lower {
                exceptions.breaks(Rule::Lower, number);
            }
        }
    }

    /// Returns the states after one slide along an axis.
    fn after_slides(&self, state: &ColourState, axis: Axis) -> Vec<ColourState> {
        let mut states = Vec::new();
        for direction in axis.directions() {
            let mut next = *state;
            while let Some(from) = direction.tile_cell(self.key.shape, next.blank) {
                next = next.moved(from);
                states.push(next);
            }
        }
        states
    }
}
