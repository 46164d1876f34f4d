//! Two heuristics as one.

use core::fmt;
use core::marker::PhantomData;

use super::{Heuristic, RootError, Slide};
use crate::Board;

/// The larger of two estimates: admissible where both are, consistent where both are.
pub type Max<A, B> = Both<A, B, Larger>;

/// The sum of two estimates: admissible where no move counts in both.
pub type Sum<A, B> = Both<A, B, Together>;

/// Two heuristics, each kept up to date, and one estimate.
#[derive(Clone, Debug)]
pub struct Both<A, B, C> {
    a: A,
    b: B,
    how: PhantomData<C>,
}

impl<A, B, C> Both<A, B, C> {
    /// Both must have been made for one goal.
    pub fn new(a: A, b: B) -> Self {
        Self { a, b, how: PhantomData }
    }
}

/// What two estimates make together.
pub trait Combine: Copy + fmt::Debug + Send + Sync {
    /// The estimate that two make.
    fn combine(a: u32, b: u32) -> u32;
}

/// The larger one.
#[derive(Clone, Copy, Debug)]
pub enum Larger {}

/// Their sum.
#[derive(Clone, Copy, Debug)]
pub enum Together {}

impl Combine for Larger {
    #[inline(always)]
    fn combine(a: u32, b: u32) -> u32 {
        a.max(b)
    }
}

impl Combine for Together {
    #[inline(always)]
    fn combine(a: u32, b: u32) -> u32 {
        a + b
    }
}

impl<A: Heuristic, B: Heuristic, C: Combine> Heuristic for Both<A, B, C> {
    type State = (A::State, B::State);
    type Node = (A::Node, B::Node);
    type Probe = (A::Probe, B::Probe);

    const SETTLES: bool = A::SETTLES || B::SETTLES;
    const WAITS: bool = A::WAITS || B::WAITS;

    fn state(&self, board: &Board) -> Self::State {
        (self.a.state(board), self.b.state(board))
    }

    fn root(&self, board: &Board) -> Result<(Self::State, Self::Node), RootError> {
        let ((a_state, a), (b_state, b)) = (self.a.root(board)?, self.b.root(board)?);
        Ok(((a_state, b_state), (a, b)))
    }

    #[inline(always)]
    fn estimate(&self, (a, b): &Self::Node) -> u32 {
        C::combine(self.a.estimate(a), self.b.estimate(b))
    }

    #[inline(always)]
    fn locate(
        &self,
        (a_state, b_state): &Self::State,
        (a, b): &Self::Node,
        slide: Slide,
    ) -> Self::Probe {
        (self.a.locate(a_state, a, slide), self.b.locate(b_state, b, slide))
    }

    #[inline(always)]
    fn read(&self, (a, b): &Self::Node, slide: Slide, (a_probe, b_probe): &mut Self::Probe) -> u32 {
        C::combine(self.a.read(a, slide, a_probe), self.b.read(b, slide, b_probe))
    }

    #[inline(always)]
    fn enter(
        &self,
        (a_state, b_state): &mut Self::State,
        (a, b): &Self::Node,
        slide: Slide,
        (a_probe, b_probe): &Self::Probe,
    ) -> Self::Node {
        (self.a.enter(a_state, a, slide, a_probe), self.b.enter(b_state, b, slide, b_probe))
    }

    #[inline(always)]
    fn settle(&self, (a, b): &mut Self::Node) -> u32 {
        C::combine(self.a.settle(a), self.b.settle(b))
    }

    #[inline(always)]
    fn leave(&self, (a_state, b_state): &mut Self::State, (a, b): &Self::Node, slide: Slide) {
        self.a.leave(a_state, a, slide);
        self.b.leave(b_state, b, slide);
    }

    fn lookups(&self) -> [u32; 2] {
        let ([a_first, a_late], [b_first, b_late]) = (self.a.lookups(), self.b.lookups());
        [a_first + b_first, a_late + b_late]
    }

    fn is_admissible(&self) -> bool {
        self.a.is_admissible() && self.b.is_admissible()
    }

    #[inline(always)]
    fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        self.a.run(|| self.b.run(work))
    }
}
