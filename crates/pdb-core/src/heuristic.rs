//! The contract between IDA* and heuristics that are tuned for speed.

use core::fmt;

use crate::{Board, Cell, RootError};

/// Move of a tile into the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slide {
    /// The tile.
    pub tile: u8,
    /// The cell it leaves, where the blank is afterwards.
    pub from: Cell,
    /// The cell it enters, where the blank was before.
    pub to: Cell,
}

/// Lower bound on the number of moves to the goal, updated move by move, for IDA* over tables.
/// Other heuristics implement [`Estimator`](crate::Estimator), which is far simpler.
///
/// A search keeps two things. The [`State`](Self::State) belongs to the board: a move changes it in
/// place, and taking the move back restores it. The [`Node`](Self::Node) belongs to one node of the
/// tree: a few numbers.
///
/// A look-up has phases, so that a search can work on other nodes while memory answers:
///
/// 1. [`locate`](Self::locate) finds the addresses of a first look at a child, and prefetches them.
/// 2. [`read`](Self::read) returns a first lower bound of the child, which may be enough to prune
///    it.
/// 3. [`enter`](Self::enter) makes the move if the search continues there, and prefetches the rest.
/// 4. [`settle`](Self::settle) returns the child's full estimate.
/// 5. [`leave`](Self::leave) takes the move back.
///
/// Estimates are admissible: never larger than the distance to the goal. They need not have its
/// parity, nor need they be consistent. A heuristic with larger estimates returns `false` from
/// [`is_admissible`](Self::is_admissible), and proves nothing.
pub trait Heuristic: Sync {
    /// State that follows the board move by move.
    type State: Clone + fmt::Debug + Send + Sync + 'static;
    /// Numbers that the heuristic keeps for each node.
    type Node: Copy + fmt::Debug + Send + Sync + 'static;
    /// Addresses and findings of a first look at a child.
    type Probe: Copy + Default + fmt::Debug + Send;

    /// Whether a child is looked up in two steps: [`settle`](Self::settle) may return more than
    /// [`read`](Self::read).
    const SETTLES: bool;

    /// Returns whether look-ups wait for memory, so that other work in between pays off. The
    /// default is for tables.
    #[inline(always)]
    fn waits(&self) -> bool {
        true
    }

    /// Returns the state and the node of the board that a search starts from.
    ///
    /// # Errors
    /// [`RootError`] when the heuristic's table is damaged. A heuristic with tables also refuses
    /// boards of another shape and boards without a solution.
    fn root(&self, board: &Board) -> Result<(Self::State, Self::Node), RootError>;

    /// Returns the lower bound of a settled node's board.
    fn estimate(&self, node: &Self::Node) -> u32;

    /// Locates what a first look at the child after `slide` reads, and may prefetch it.
    fn locate(&self, state: &Self::State, parent: &Self::Node, slide: Slide) -> Self::Probe;

    /// Locates several children at once; `probes` has one place for each.
    #[inline(always)]
    fn locate_all(
        &self,
        state: &mut Self::State,
        parent: &Self::Node,
        slides: &[Slide],
        probes: &mut [Self::Probe],
    ) {
        for (probe, &slide) in probes.iter_mut().zip(slides) {
            *probe = self.locate(state, parent, slide);
        }
    }

    /// Returns a first lower bound of the child.
    fn read(&self, parent: &Self::Node, slide: Slide, probe: &mut Self::Probe) -> u32;

    /// Makes the move, and writes the child's node; `probe` is as [`read`](Self::read) left it.
    ///
    /// The node is written in its place on the stack of a search, because a copy of what was just
    /// written in smaller parts has to wait for them.
    fn enter(
        &self,
        state: &mut Self::State,
        parent: &Self::Node,
        slide: Slide,
        probe: &Self::Probe,
        child: &mut Self::Node,
    );

    /// Completes an entered node and returns its full lower bound. The default is for nodes that
    /// are complete.
    #[inline(always)]
    fn settle(&self, node: &mut Self::Node) -> u32 {
        self.estimate(node)
    }

    /// Takes back the move `slide`, by which `node` was entered. The default is for states that no
    /// move changes.
    #[inline(always)]
    fn leave(&self, _: &mut Self::State, _: &Self::Node, _: Slide) {}

    /// Prefetches data that the search itself reads next, all of it. The default does nothing.
    #[inline(always)]
    fn prefetch<T>(&self, _: &T) {}

    /// Returns the numbers of look-ups into tables of [`locate`](Self::locate) and of
    /// [`enter`](Self::enter).
    fn lookups(&self) -> [u32; 2];

    /// Returns whether no estimate is larger than the distance to the goal.
    fn is_admissible(&self) -> bool {
        true
    }

    /// Runs work with many look-ups. A heuristic that uses instructions of some processors only
    /// compiles the work for them.
    #[inline(always)]
    fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        work()
    }
}
