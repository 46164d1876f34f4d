//! One type for every heuristic, so that a maximum of some can be put together at run time.
//!
//! Each call asks which one it is. That costs a few nanoseconds, so only maxima go this way.

use pdb_core::{Board, Goal, Heuristic, Max, RootError, Slide, Sum};
use pdb_rt::{AnyPlain, AnySum, Database, WalkingAxis};
use pdb_search::heuristics::{
    CornerTiles, Gaschnig, InversionAxis, InversionDistance, LastMoves, LinearConflict, Manhattan,
    Misplaced, Pairwise,
};

/// Both axes of Walking Distance.
pub(crate) type Walking<'a> = Sum<WalkingAxis<'a>, WalkingAxis<'a>>;
/// Of each axis the larger of Walking Distance and inversion distance.
pub(crate) type WalkingInversion<'a> =
    Sum<Max<WalkingAxis<'a>, InversionAxis>, Max<WalkingAxis<'a>, InversionAxis>>;

/// Walking Distance from its tables.
pub(crate) fn walking(database: &Database) -> Walking<'_> {
    let [vertical, horizontal] = database.walking().expect("the plan is that of both axes");
    Sum::new(vertical, horizontal)
}

/// K. Takahashi's combination.
pub(crate) fn walking_inversion<'a>(database: &'a Database, goal: &Goal) -> WalkingInversion<'a> {
    let [vertical, horizontal] = database.walking().expect("the plan is that of both axes");
    Sum::new(
        Max::new(vertical, InversionAxis::vertical(goal)),
        Max::new(horizontal, InversionAxis::horizontal(goal)),
    )
}

/// A heuristic's parts are handed back to the heuristic that made them.
#[cold]
fn mixed() -> ! {
    unreachable!("what one heuristic made is handed to another one")
}

/// Makes one type of several heuristics.
macro_rules! any {
    ($($name:ident($type:ty)),+ $(,)?) => {
        /// Any heuristic.
        #[derive(Debug)]
        #[allow(clippy::large_enum_variant, reason = "there is one of it, or it is copied as a whole")]
        pub(crate) enum Any<'a> {
            $($name($type)),+
        }

        /// The state of any heuristic.
        #[derive(Clone, Debug)]
        #[allow(clippy::large_enum_variant, reason = "there is one of it, or it is copied as a whole")]
        pub(crate) enum AnyState<'a> {
            $($name(<$type as Heuristic>::State)),+
        }

        /// The node of any heuristic.
        #[derive(Clone, Copy, Debug)]
        #[allow(clippy::large_enum_variant, reason = "there is one of it, or it is copied as a whole")]
        pub(crate) enum AnyNode<'a> {
            $($name(<$type as Heuristic>::Node)),+
        }

        /// The probe of any heuristic.
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum AnyProbe<'a> {
            $($name(<$type as Heuristic>::Probe)),+
        }

        impl<'a> Heuristic for Any<'a> {
            type State = AnyState<'a>;
            type Node = AnyNode<'a>;
            type Probe = AnyProbe<'a>;

            const SETTLES: bool = true;
            const WAITS: bool = true;

            fn state(&self, board: &Board) -> AnyState<'a> {
                match self {
                    $(Self::$name(h) => AnyState::$name(h.state(board)),)+
                }
            }

            fn root(&self, board: &Board) -> Result<(AnyState<'a>, AnyNode<'a>), RootError> {
                Ok(match self {
                    $(Self::$name(h) => {
                        let (state, node) = h.root(board)?;
                        (AnyState::$name(state), AnyNode::$name(node))
                    })+
                })
            }

            #[inline]
            fn estimate(&self, node: &AnyNode<'a>) -> u32 {
                match (self, node) {
                    $((Self::$name(h), AnyNode::$name(node)) => h.estimate(node),)+
                    _ => mixed(),
                }
            }

            #[inline]
            fn locate(
                &self,
                state: &AnyState<'a>,
                parent: &AnyNode<'a>,
                slide: Slide,
            ) -> AnyProbe<'a> {
                match (self, state, parent) {
                    $((Self::$name(h), AnyState::$name(state), AnyNode::$name(parent)) => {
                        AnyProbe::$name(h.locate(state, parent, slide))
                    })+
                    _ => mixed(),
                }
            }

            #[inline]
            fn read(&self, parent: &AnyNode<'a>, slide: Slide, probe: &mut AnyProbe<'a>) -> u32 {
                match (self, parent, probe) {
                    $((Self::$name(h), AnyNode::$name(parent), AnyProbe::$name(probe)) => {
                        h.read(parent, slide, probe)
                    })+
                    _ => mixed(),
                }
            }

            #[inline]
            fn enter(
                &self,
                state: &mut AnyState<'a>,
                parent: &AnyNode<'a>,
                slide: Slide,
                probe: &AnyProbe<'a>,
            ) -> AnyNode<'a> {
                match (self, state, parent, probe) {
                    $((
                        Self::$name(h),
                        AnyState::$name(state),
                        AnyNode::$name(parent),
                        AnyProbe::$name(probe),
                    ) => AnyNode::$name(h.enter(state, parent, slide, probe)),)+
                    _ => mixed(),
                }
            }

            #[inline]
            fn settle(&self, node: &mut AnyNode<'a>) -> u32 {
                match (self, node) {
                    $((Self::$name(h), AnyNode::$name(node)) => h.settle(node),)+
                    _ => mixed(),
                }
            }

            #[inline]
            fn leave(&self, state: &mut AnyState<'a>, node: &AnyNode<'a>, slide: Slide) {
                match (self, state, node) {
                    $((Self::$name(h), AnyState::$name(state), AnyNode::$name(node)) => {
                        h.leave(state, node, slide);
                    })+
                    _ => mixed(),
                }
            }

            fn lookups(&self) -> [u32; 2] {
                match self {
                    $(Self::$name(h) => h.lookups(),)+
                }
            }
        }
    };
}

any! {
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
    Additive(AnySum<'a>),
    Plain(AnyPlain<'a>),
}

impl Default for AnyProbe<'_> {
    fn default() -> Self {
        Self::Misplaced(0)
    }
}
