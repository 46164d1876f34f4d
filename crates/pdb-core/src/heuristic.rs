//! The contract between IDA* and a heuristic that is raced.

use core::fmt;
use std::error::Error;

use crate::{Board, Cell};

/// A tile that moves into the blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slide {
    /// The tile.
    pub tile: u8,
    /// The cell it leaves, where the blank is afterwards.
    pub from: Cell,
    /// The cell it enters, where the blank was before.
    pub to: Cell,
}

/// Why a heuristic cannot say anything about a board.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RootError {
    /// A table contradicts itself: following its values downhill did not end at the goal.
    Damaged {
        /// The table's file, or what is known of it.
        table: String,
    },
}

impl fmt::Display for RootError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged { table } => write!(
                f,
                "{table} contradicts itself: its values do not lead downhill to the goal; \
                 run `tilebase verify --level digest` on it, and build it again with --replace or \
                 install it again"
            ),
        }
    }
}

impl Error for RootError {}

/// A lower bound on the number of moves to the goal, kept up to date along a search, for IDA* over tables.
/// Everything that is not raced is an [`Estimator`](crate::Estimator) instead, which is far less to write.
///
/// What a search carries along has two parts. The [`State`](Self::State) belongs to the board: a
/// move changes it in place, and taking the move back restores it. The [`Node`](Self::Node) belongs
/// to one node of the tree: a handful of numbers.
///
/// A look-up has phases, so that a search can do something else while memory answers:
///
/// 1. [`locate`](Self::locate) works out what a first look at a child touches, and asks for it.
/// 2. [`read`](Self::read) gives a first lower bound of the child, which may be enough to prune it.
/// 3. [`enter`](Self::enter) makes the move where the search goes on, and asks for the rest.
/// 4. [`settle`](Self::settle) gives the child's full estimate.
/// 5. [`leave`](Self::leave) takes the move back.
///
/// A search that goes on with a board from elsewhere keeps its node, and asks for the
/// [`state`](Self::state) when it comes to it.
///
/// Estimates are admissible: never larger than the distance to the goal. They need not have its
/// parity, nor need they be consistent. A heuristic whose estimates may be larger says so
/// ([`is_admissible`](Self::is_admissible)), and nothing is proved by it.
pub trait Heuristic: Sync {
    /// What follows the board move by move.
    type State: Clone + fmt::Debug + Send + Sync;
    /// What the heuristic keeps for each node.
    type Node: Copy + fmt::Debug + Send + Sync;
    /// What a first look at a child touches, and what it found: addresses, or nothing at all.
    type Probe: Copy + Default + fmt::Debug + Send;

    /// Whether a child is asked for in two goes: whether [`settle`](Self::settle) may say more than
    /// [`read`](Self::read) did.
    const SETTLES: bool;

    /// Whether what is located takes its time to come from memory, so that it pays to do something
    /// else in between.
    fn waits(&self) -> bool;

    /// The state of any board.
    fn state(&self, board: &Board) -> Self::State;

    /// The state and the node of a board that a search starts from.
    ///
    /// # Errors
    /// [`RootError`] when the heuristic's table is damaged.
    fn root(&self, board: &Board) -> Result<(Self::State, Self::Node), RootError>;

    /// The lower bound of a settled node's board.
    fn estimate(&self, node: &Self::Node) -> u32;

    /// Works out what a first look at the child after `slide` touches, and may ask memory for it.
    fn locate(&self, state: &Self::State, parent: &Self::Node, slide: Slide) -> Self::Probe;

    /// Does the same for several children at once; `probes` has a place for each.
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

    /// A first lower bound of the child.
    fn read(&self, parent: &Self::Node, slide: Slide, probe: &mut Self::Probe) -> u32;

    /// Makes the move; `probe` is as [`read`](Self::read) left it.
    fn enter(
        &self,
        state: &mut Self::State,
        parent: &Self::Node,
        slide: Slide,
        probe: &Self::Probe,
    ) -> Self::Node;

    /// The full lower bound of a node that was entered; only then is it settled.
    fn settle(&self, node: &mut Self::Node) -> u32;

    /// Takes back the move `slide`, by which `node` was entered.
    fn leave(&self, state: &mut Self::State, node: &Self::Node, slide: Slide);

    /// Asks memory for what the search itself reads after the next wait. By default nothing is done.
    #[inline(always)]
    fn fetch<T>(&self, _: &T) {}

    /// How many look-ups into tables [`locate`](Self::locate) makes, and how many more
    /// [`enter`](Self::enter) does.
    fn lookups(&self) -> [u32; 2];

    /// Whether no estimate is larger than the distance to the goal.
    fn is_admissible(&self) -> bool {
        true
    }

    /// Runs a piece of work that looks a lot up: a heuristic that uses instructions which not every
    /// processor has runs it where they may be used.
    #[inline(always)]
    fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        work()
    }
}

/// A reference to a heuristic is as good as the heuristic.
impl<H: Heuristic> Heuristic for &H {
    type State = H::State;
    type Node = H::Node;
    type Probe = H::Probe;

    const SETTLES: bool = H::SETTLES;

    #[inline(always)]
    fn waits(&self) -> bool {
        (**self).waits()
    }

    fn state(&self, board: &Board) -> Self::State {
        (**self).state(board)
    }

    fn root(&self, board: &Board) -> Result<(Self::State, Self::Node), RootError> {
        (**self).root(board)
    }

    #[inline(always)]
    fn estimate(&self, node: &Self::Node) -> u32 {
        (**self).estimate(node)
    }

    #[inline(always)]
    fn locate(&self, state: &Self::State, parent: &Self::Node, slide: Slide) -> Self::Probe {
        (**self).locate(state, parent, slide)
    }

    #[inline(always)]
    fn locate_all(
        &self,
        state: &mut Self::State,
        parent: &Self::Node,
        slides: &[Slide],
        probes: &mut [Self::Probe],
    ) {
        (**self).locate_all(state, parent, slides, probes);
    }

    #[inline(always)]
    fn read(&self, parent: &Self::Node, slide: Slide, probe: &mut Self::Probe) -> u32 {
        (**self).read(parent, slide, probe)
    }

    #[inline(always)]
    fn enter(
        &self,
        state: &mut Self::State,
        parent: &Self::Node,
        slide: Slide,
        probe: &Self::Probe,
    ) -> Self::Node {
        (**self).enter(state, parent, slide, probe)
    }

    #[inline(always)]
    fn settle(&self, node: &mut Self::Node) -> u32 {
        (**self).settle(node)
    }

    #[inline(always)]
    fn leave(&self, state: &mut Self::State, node: &Self::Node, slide: Slide) {
        (**self).leave(state, node, slide);
    }

    #[inline(always)]
    fn fetch<T>(&self, at: &T) {
        (**self).fetch(at);
    }

    fn lookups(&self) -> [u32; 2] {
        (**self).lookups()
    }

    fn is_admissible(&self) -> bool {
        (**self).is_admissible()
    }

    #[inline(always)]
    fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        (**self).run(work)
    }
}
