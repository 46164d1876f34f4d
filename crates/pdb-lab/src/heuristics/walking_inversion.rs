//! Walking Distance and inversion distance together.

use pdb_core::{Board, Estimator, Goal, Memo, RootError, Slide};
use pdb_rt::WalkingAxis;

use super::{DIRECTIONS, InversionAxis};
use crate::parts::{Explain, Part};

/// The sum, over both axes, of the larger of Walking Distance and inversion distance: K.
/// Takahashi's combination. Each bounds the moves along its axis alone, so it is admissible.
#[derive(Debug)]
pub(crate) struct WalkingInversion<'a> {
    axes: [(WalkingAxis<'a>, InversionAxis); 2],
}

impl<'a> WalkingInversion<'a> {
    /// Makes the heuristic from the vertical and the horizontal axis of Walking Distance to a goal.
    pub(crate) fn new([vertical, horizontal]: [WalkingAxis<'a>; 2], goal: &Goal) -> Self {
        let [by_row, by_column] = InversionAxis::both(goal);
        Self { axes: [(vertical, by_row), (horizontal, by_column)] }
    }

    /// Makes the memo from the state and the inversions of each axis.
    fn memo(&self, of_axes: [(u32, i16); 2]) -> Memo {
        let bounds =
            self.axes.iter().zip(of_axes).map(|((walking, order), (state, inversions))| {
                walking.value(state).max(order.bound(inversions))
            });
        let notes = of_axes.map(|(state, inversions)| {
            let [low, high] = Memo::halves(state);
            [low, high, inversions]
        });
        Memo::new(bounds.sum(), notes.as_flattened())
    }
}

impl Estimator for WalkingInversion<'_> {
    fn root(&self, board: &Board) -> Result<Memo, RootError> {
        let of_axis = |(walking, order): &(WalkingAxis<'_>, InversionAxis)| {
            Ok((walking.state(board)?, order.inversions(board)))
        };
        Ok(self.memo([of_axis(&self.axes[0])?, of_axis(&self.axes[1])?]))
    }

    fn child(&self, board: &Board, parent: &Memo, slide: Slide) -> Memo {
        let of_axis = |number: usize| {
            let (walking, order) = &self.axes[number];
            let (state, inversions) = (parent.whole(3 * number), parent.notes[3 * number + 2]);
            (walking.after(state, slide), order.after(board, inversions, slide))
        };
        self.memo([of_axis(0), of_axis(1)])
    }

    fn note_count(&self) -> usize {
        6
    }

    fn lookups(&self) -> [u32; 2] {
        // A link and a value for each axis, where the move crosses it.
        [2, 0]
    }
}

/// The estimate is the sum of both axes.
impl Explain for WalkingInversion<'_> {
    fn parts(&self, _: &Goal, board: &Board) -> Result<Part, RootError> {
        let mut whole = Part::of("walking-inversion");
        let keys = ["vertical", "horizontal"].into_iter().zip(DIRECTIONS);
        for ((key, direction), (walking, order)) in keys.zip(&self.axes) {
            let walking = walking.value(walking.state(board)?);
            let inversion = order.bound(order.inversions(board));
            let text = format!(
                "{direction}: the larger of {walking} (Walking Distance) and {inversion} (inversions)"
            );
            let part = Part::default().text(text).field("walking", walking);
            let part = part.field("inversion", inversion).plus("moves", walking.max(inversion));
            whole = whole.plus(key, part);
        }
        Ok(whole)
    }
}
