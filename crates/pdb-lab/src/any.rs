//! One type for many heuristics, so that a search is compiled for a few types and not for each.
//!
//! Each call asks which one it is. That costs a few nanoseconds: [`Small`] is for the heuristics whose
//! nodes are small and whose searches are short, [`Any`] for a maximum that is put together at run
//! time.

use pdb_core::{Board, Heuristic, Max, RootError, Slide, Sum};
use pdb_rt::{AnyPlain, AnySum, WalkingAxis};
use pdb_search::heuristics::{
    CornerTiles, Gaschnig, InversionAxis, InversionDistance, LastMoves, LinearConflict, Manhattan,
    Misplaced, Pairwise,
};

use crate::PARTS_MAX;

/// Both axes of Walking Distance.
pub(crate) type Walking<'a> = Sum<WalkingAxis<'a>, WalkingAxis<'a>>;
/// Of each axis the larger of Walking Distance and inversion distance.
pub(crate) type WalkingInversion<'a> =
    Sum<Max<WalkingAxis<'a>, InversionAxis>, Max<WalkingAxis<'a>, InversionAxis>>;

/// A heuristic's parts are handed back to the heuristic that made them.
#[cold]
fn mixed() -> ! {
    unreachable!("what one heuristic made is handed to another one")
}

/// Makes one type of several heuristics.
macro_rules! any {
    (
        $(#[$doc:meta])*
        $Any:ident, $AnyState:ident, $AnyNode:ident, $AnyProbe:ident, waits: $waits:literal,
        $($(#[$when:meta])* $name:ident($type:ty)),+ $(,)?
    ) => {
        $(#[$doc])*
        #[derive(Debug)]
        #[allow(clippy::large_enum_variant, reason = "there is one of it, or it is copied as a whole")]
        pub(crate) enum $Any<'a> {
            $($(#[$when])* $name($type)),+
        }

        /// Its state.
        #[derive(Clone, Debug)]
        #[allow(clippy::large_enum_variant, reason = "there is one of it, or it is copied as a whole")]
        pub(crate) enum $AnyState<'a> {
            $($(#[$when])* $name(<$type as Heuristic>::State)),+
        }

        /// Its node.
        #[derive(Clone, Copy, Debug)]
        #[allow(clippy::large_enum_variant, reason = "there is one of it, or it is copied as a whole")]
        pub(crate) enum $AnyNode<'a> {
            $($(#[$when])* $name(<$type as Heuristic>::Node)),+
        }

        /// Its probe.
        #[derive(Clone, Copy, Debug, Default)]
        pub(crate) enum $AnyProbe<'a> {
            /// Nothing was located yet.
            #[default]
            Nothing,
            $($(#[$when])* $name(<$type as Heuristic>::Probe)),+
        }

        impl<'a> Heuristic for $Any<'a> {
            type State = $AnyState<'a>;
            type Node = $AnyNode<'a>;
            type Probe = $AnyProbe<'a>;

            const SETTLES: bool = true;
            const WAITS: bool = $waits;

            fn state(&self, board: &Board) -> $AnyState<'a> {
                match self {
                    $($(#[$when])* Self::$name(h) => $AnyState::$name(h.state(board)),)+
                }
            }

            fn root(&self, board: &Board) -> Result<($AnyState<'a>, $AnyNode<'a>), RootError> {
                Ok(match self {
                    $($(#[$when])* Self::$name(h) => {
                        let (state, node) = h.root(board)?;
                        ($AnyState::$name(state), $AnyNode::$name(node))
                    })+
                })
            }

            #[inline]
            fn estimate(&self, node: &$AnyNode<'a>) -> u32 {
                match (self, node) {
                    $($(#[$when])* (Self::$name(h), $AnyNode::$name(node)) => h.estimate(node),)+
                    _ => mixed(),
                }
            }

            #[inline]
            fn locate(
                &self,
                state: &$AnyState<'a>,
                parent: &$AnyNode<'a>,
                slide: Slide,
            ) -> $AnyProbe<'a> {
                match (self, state, parent) {
                    $($(#[$when])*
                    (Self::$name(h), $AnyState::$name(state), $AnyNode::$name(parent)) => {
                        $AnyProbe::$name(h.locate(state, parent, slide))
                    })+
                    _ => mixed(),
                }
            }

            #[inline]
            fn locate_all(
                &self,
                state: &mut $AnyState<'a>,
                parent: &$AnyNode<'a>,
                slides: &[Slide],
                probes: &mut [$AnyProbe<'a>],
            ) {
                match (self, state, parent) {
                    $($(#[$when])*
                    (Self::$name(h), $AnyState::$name(state), $AnyNode::$name(parent)) => {
                        // More children than a board has are not asked for.
                        let mut own = [<$type as Heuristic>::Probe::default(); 4];
                        let own = &mut own[..slides.len()];
                        h.locate_all(state, parent, slides, own);
                        for (probe, own) in probes.iter_mut().zip(own) {
                            *probe = $AnyProbe::$name(*own);
                        }
                    })+
                    _ => mixed(),
                }
            }

            #[inline]
            fn read(&self, parent: &$AnyNode<'a>, slide: Slide, probe: &mut $AnyProbe<'a>) -> u32 {
                match (self, parent, probe) {
                    $($(#[$when])*
                    (Self::$name(h), $AnyNode::$name(parent), $AnyProbe::$name(probe)) => {
                        h.read(parent, slide, probe)
                    })+
                    _ => mixed(),
                }
            }

            #[inline]
            fn enter(
                &self,
                state: &mut $AnyState<'a>,
                parent: &$AnyNode<'a>,
                slide: Slide,
                probe: &$AnyProbe<'a>,
            ) -> $AnyNode<'a> {
                match (self, state, parent, probe) {
                    $($(#[$when])* (
                        Self::$name(h),
                        $AnyState::$name(state),
                        $AnyNode::$name(parent),
                        $AnyProbe::$name(probe),
                    ) => $AnyNode::$name(h.enter(state, parent, slide, probe)),)+
                    _ => mixed(),
                }
            }

            #[inline]
            fn settle(&self, node: &mut $AnyNode<'a>) -> u32 {
                match (self, node) {
                    $($(#[$when])* (Self::$name(h), $AnyNode::$name(node)) => h.settle(node),)+
                    _ => mixed(),
                }
            }

            #[inline]
            fn leave(&self, state: &mut $AnyState<'a>, node: &$AnyNode<'a>, slide: Slide) {
                match (self, state, node) {
                    $($(#[$when])*
                    (Self::$name(h), $AnyState::$name(state), $AnyNode::$name(node)) => {
                        h.leave(state, node, slide);
                    })+
                    _ => mixed(),
                }
            }

            fn lookups(&self) -> [u32; 2] {
                match self {
                    $($(#[$when])* Self::$name(h) => h.lookups(),)+
                }
            }

            fn is_admissible(&self) -> bool {
                match self {
                    $($(#[$when])* Self::$name(h) => h.is_admissible(),)+
                }
            }
        }
    };
}

any! {
    /// A heuristic that has no table, or a table that is near at hand.
    Small, SmallState, SmallNode, SmallProbe, waits: false,
    Misplaced(Misplaced),
    Gaschnig(Gaschnig),
    Manhattan(Manhattan),
    LinearConflict(LinearConflict),
    CornerTiles(CornerTiles),
    LastMoves(LastMoves),
    Inversion(InversionDistance),
    Pairwise(Pairwise),
    Walking(Walking<'a>),
    WalkingInversion(WalkingInversion<'a>),
}

any! {
    /// Any heuristic that is no maximum of others.
    Any, AnyState, AnyNode, AnyProbe, waits: true,
    Small(Small<'a>),
    Additive(AnySum<'a>),
    Plain(AnyPlain<'a>),
    #[cfg(feature = "net")]
    Learned(&'a pdb_net::Learned),
}

/// The largest of up to [`PARTS_MAX`] heuristics.
#[derive(Debug)]
pub(crate) struct Largest<'a>(Vec<Any<'a>>);

impl<'a> Largest<'a> {
    pub(crate) fn new(parts: Vec<Any<'a>>) -> Self {
        assert!(parts.len() <= PARTS_MAX, "a maximum has {PARTS_MAX} parts at most");
        Self(parts)
    }

    /// Something of each part.
    #[inline(always)]
    fn each<T>(&self, mut make: impl FnMut(&Any<'a>, usize) -> T) -> Parts<T> {
        let mut parts = self.0.iter().enumerate();
        std::array::from_fn(|_| parts.next().map(|(i, part)| make(part, i)))
    }

    /// The largest of what each part says.
    #[inline(always)]
    fn largest(&self, mut estimate: impl FnMut(&Any<'a>, usize) -> u32) -> u32 {
        let estimates = self.0.iter().enumerate().map(|(i, part)| estimate(part, i));
        estimates.max().unwrap_or(0)
    }
}

/// One of each part; nothing beyond the last one.
type Parts<T> = [Option<T>; PARTS_MAX];

/// What is there of a part.
const THERE: &str = "each part has its own";

impl<'a> Heuristic for Largest<'a> {
    type State = Parts<AnyState<'a>>;
    type Node = Parts<AnyNode<'a>>;
    type Probe = Parts<AnyProbe<'a>>;

    const SETTLES: bool = true;
    const WAITS: bool = true;

    fn state(&self, board: &Board) -> Self::State {
        self.each(|part, _| part.state(board))
    }

    fn root(&self, board: &Board) -> Result<(Self::State, Self::Node), RootError> {
        let (mut states, mut nodes): (Self::State, Self::Node) = Default::default();
        for (i, part) in self.0.iter().enumerate() {
            let (state, node) = part.root(board)?;
            (states[i], nodes[i]) = (Some(state), Some(node));
        }
        Ok((states, nodes))
    }

    #[inline]
    fn estimate(&self, node: &Self::Node) -> u32 {
        self.largest(|part, i| part.estimate(node[i].as_ref().expect(THERE)))
    }

    #[inline]
    fn locate(&self, state: &Self::State, parent: &Self::Node, slide: Slide) -> Self::Probe {
        self.each(|part, i| {
            let (state, parent) = (state[i].as_ref().expect(THERE), parent[i].as_ref());
            part.locate(state, parent.expect(THERE), slide)
        })
    }

    #[inline]
    fn read(&self, parent: &Self::Node, slide: Slide, probe: &mut Self::Probe) -> u32 {
        self.largest(|part, i| {
            let (parent, probe) = (parent[i].as_ref().expect(THERE), probe[i].as_mut());
            part.read(parent, slide, probe.expect(THERE))
        })
    }

    #[inline]
    fn enter(
        &self,
        state: &mut Self::State,
        parent: &Self::Node,
        slide: Slide,
        probe: &Self::Probe,
    ) -> Self::Node {
        self.each(|part, i| {
            let (state, parent) = (state[i].as_mut().expect(THERE), parent[i].as_ref());
            part.enter(state, parent.expect(THERE), slide, probe[i].as_ref().expect(THERE))
        })
    }

    #[inline]
    fn settle(&self, node: &mut Self::Node) -> u32 {
        self.largest(|part, i| part.settle(node[i].as_mut().expect(THERE)))
    }

    #[inline]
    fn leave(&self, state: &mut Self::State, node: &Self::Node, slide: Slide) {
        for (i, part) in self.0.iter().enumerate() {
            let (state, node) = (state[i].as_mut().expect(THERE), node[i].as_ref());
            part.leave(state, node.expect(THERE), slide);
        }
    }

    fn lookups(&self) -> [u32; 2] {
        self.0
            .iter()
            .map(Heuristic::lookups)
            .fold([0, 0], |sum, more| [sum[0] + more[0], sum[1] + more[1]])
    }

    fn is_admissible(&self) -> bool {
        self.0.iter().all(Heuristic::is_admissible)
    }
}
