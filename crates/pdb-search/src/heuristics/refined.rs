//! Linear conflicts, and more that is added once a node is entered.

use std::fmt;

use pdb_core::{BLANK, Board, CELLS_MAX, Cell, Heuristic, RootError, Slide};

use super::LinearConflict;
use super::linear_conflict::{ConflictNode, LineCodes, LineConflict};

/// Moves that linear conflicts do not count, from the whole board.
pub trait Addition: fmt::Debug + Sync {
    /// So many moves more than `estimate`, which is that of linear conflicts.
    fn moves(&self, base: &LinearConflict, state: &RefinedState, estimate: u32) -> u32;
}

/// Linear conflicts with an addition, which is worked out for nodes that linear conflicts alone do
/// not prune.
#[derive(Clone, Debug)]
pub struct Refined<A> {
    pub(super) base: LinearConflict,
    pub(super) addition: A,
}

/// A board, where its tiles are, and the codes of its lines.
#[derive(Clone, Debug)]
pub struct RefinedState {
    pub(super) board: Board,
    pub(super) cell_of: [Cell; CELLS_MAX],
    pub(super) codes: LineCodes,
}

impl RefinedState {
    #[inline]
    fn slide(&mut self, tile: u8, from: Cell, to: Cell) {
        self.board.slide(from, to);
        self.cell_of[usize::from(tile)] = to;
        self.cell_of[usize::from(BLANK)] = from;
    }
}

/// An estimate in its two parts.
#[derive(Clone, Copy, Debug)]
pub struct RefinedNode {
    base: ConflictNode,
    added: u32,
}

impl<A: Addition> Refined<A> {
    pub(super) fn with(base: LinearConflict, addition: A) -> Self {
        Self { base, addition }
    }

    /// The lines of a board that have conflicts, as [`LinearConflict::conflicts`].
    pub fn conflicts(&self, board: &Board) -> Vec<LineConflict> {
        self.base.conflicts(board)
    }

    fn with_codes(board: &Board, codes: LineCodes) -> RefinedState {
        RefinedState { board: *board, cell_of: board.cells_by_tile(), codes }
    }

    #[inline]
    fn node(&self, state: &RefinedState, base: ConflictNode) -> RefinedNode {
        let estimate = self.base.estimate(&base);
        let added = self.addition.moves(&self.base, state, estimate);
        RefinedNode { base, added }
    }
}

impl<A: Addition> Heuristic for Refined<A> {
    type State = RefinedState;
    type Node = RefinedNode;
    /// The child, without what is added.
    type Probe = ConflictNode;

    const SETTLES: bool = true;
    const WAITS: bool = false;

    fn state(&self, board: &Board) -> RefinedState {
        Self::with_codes(board, self.base.state(board))
    }

    fn root(&self, board: &Board) -> Result<(RefinedState, RefinedNode), RootError> {
        let (codes, base) = self.base.root(board)?;
        let state = Self::with_codes(board, codes);
        let node = self.node(&state, base);
        Ok((state, node))
    }

    #[inline]
    fn estimate(&self, node: &RefinedNode) -> u32 {
        self.base.estimate(&node.base) + node.added
    }

    #[inline]
    fn locate(&self, state: &RefinedState, parent: &RefinedNode, slide: Slide) -> ConflictNode {
        self.base.locate(&state.codes, &parent.base, slide)
    }

    #[inline]
    fn read(&self, parent: &RefinedNode, slide: Slide, probe: &mut ConflictNode) -> u32 {
        self.base.read(&parent.base, slide, probe)
    }

    #[inline]
    fn enter(
        &self,
        state: &mut RefinedState,
        parent: &RefinedNode,
        slide: Slide,
        probe: &ConflictNode,
    ) -> RefinedNode {
        state.slide(slide.tile, slide.from, slide.to);
        let base = self.base.enter(&mut state.codes, &parent.base, slide, probe);
        self.node(state, base)
    }

    #[inline]
    fn settle(&self, node: &mut RefinedNode) -> u32 {
        self.estimate(node)
    }

    fn lookups(&self) -> [u32; 2] {
        self.base.lookups()
    }

    #[inline]
    fn leave(&self, state: &mut RefinedState, node: &RefinedNode, slide: Slide) {
        self.base.leave(&mut state.codes, &node.base, slide);
        state.slide(slide.tile, slide.to, slide.from);
    }
}
