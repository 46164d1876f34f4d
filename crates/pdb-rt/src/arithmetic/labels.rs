//! Cell set and labels apart, for every board and pattern.

use pdb_core::{Cell, PatternIndex, PatternState};

use super::{Arithmetic, TableIndex};

/// Cell set and labels apart, for every board and pattern.
#[derive(Clone, Copy, Debug)]
pub struct Labels;

impl Arithmetic for Labels {
    type State = PatternState;
    type Tables = PatternIndex;

    fn tables(self, index: &TableIndex) -> Option<&PatternIndex> {
        Some(&index.index)
    }

    fn state(self, _: &PatternIndex, state: PatternState) -> PatternState {
        state
    }

    #[inline(always)]
    fn moved(
        self,
        index: &PatternIndex,
        state: PatternState,
        _: u8,
        from: Cell,
        to: Cell,
    ) -> PatternState {
        state.moved(from, to, index.label_bits())
    }

    #[inline(always)]
    fn entry(self, index: &PatternIndex, state: PatternState, blank: Cell) -> u64 {
        index.entry(state, blank)
    }

    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }
}
