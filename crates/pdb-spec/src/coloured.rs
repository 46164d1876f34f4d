//! Coloured specs for boards and goals that none is shipped for: colourings made by a rule.
//!
//! Small boards have all tiles but two in classes of their own. Then parity tells one of the two
//! from the other, and the entries are distances. For larger boards, the first tiles row by row are
//! divided into classes of one size, and the others are a class.

use pdb_core::colours::CLASSES_MAX;
use pdb_core::{BLANK, CellSet, ColourKey, Goal, Shape};

use crate::generated::{PREFIX, check_sizes, list, sizes_of};
use crate::spec::{draw_all, draw_goal};
use crate::{Spec, SpecError};

/// The mark of these specs in their names.
const KIND: &str = "coloured-";

/// Returns the coloured spec with the most entries, but at most `entry_count_max` of them, which
/// are bytes of its table; or the one with the fewest.
///
/// ```
/// use pdb_core::{Goal, Shape};
///
/// let goal = Goal::blank_last(Shape::new(2, 3)?);
/// assert_eq!(pdb_spec::coloured_within(&goal, 1 << 20).name, "generated/2x3/coloured-1-1-1-2");
/// # Ok::<(), pdb_core::BoardError>(())
/// ```
///
/// # Panics
/// For a board of one line, which has no tables.
pub fn coloured_within(goal: &Goal, entry_count_max: u64) -> Spec {
    let tile_count = goal.shape().cell_count() - 1;
    let exact = [vec![1; tile_count.saturating_sub(2)], vec![2]].concat();
    let equal = (1..tile_count).flat_map(|size| {
        let counts = 1..CLASSES_MAX.min(tile_count.div_ceil(size));
        counts.map(move |count| [vec![size; count], vec![tile_count - size * count]].concat())
    });
    let counted =
        equal.chain([exact]).filter_map(|sizes| Some((entry_count(goal, &sizes)?, sizes)));
    let mut counted: Vec<(u64, Vec<usize>)> = counted.collect();
    counted.sort_unstable();
    let fitting = counted.iter().rfind(|(count, _)| *count <= entry_count_max);
    let (_, sizes) = fitting.or(counted.first()).expect("two classes have few states");
    coloured(goal, sizes).expect("the sizes come to the number of tiles")
}

/// Returns the number of states of a colouring; `None` if it cannot be indexed.
fn entry_count(goal: &Goal, sizes: &[usize]) -> Option<u64> {
    let key = ColourKey::new(goal.shape(), goal.home(BLANK), &classes(goal, sizes)).ok()?;
    pdb_core::ColourIndex::check(&key).ok()?;
    key.entry_count()
}

/// Returns the cells of classes of these sizes: one after another, row by row.
fn classes(goal: &Goal, sizes: &[usize]) -> Vec<CellSet> {
    let shape: Shape = goal.shape();
    let mut cells = shape.all_cells().without(CellSet::single(goal.home(BLANK))).iter();
    sizes.iter().map(|&size| cells.by_ref().take(size).collect()).collect()
}

/// Generates a coloured spec of classes of these sizes, one after another, row by row.
///
/// Its name has shape and sizes, such as `generated/3x3/coloured-1-1-1-1-1-1-2`.
///
/// # Errors
/// [`SpecError::Plan`] for a board of one line. [`SpecError::Sizes`] when the sum of the sizes is
/// not the number of tiles; those of [`Spec::parse`] when the states are too many.
pub fn coloured(goal: &Goal, sizes: &[usize]) -> Result<Spec, SpecError> {
    let shape = goal.shape();
    let tile_count = check_sizes(shape, sizes, CLASSES_MAX)?;
    let list = list(sizes);
    let text = format!(
        "title = \"{tile_count}-puzzle of {shape}, classes of {list} tiles, generated\"\n\
         kind = \"coloured\"\ngoal = \"\"\"\n{}\"\"\"\n{}\n",
        draw_goal(goal),
        draw_all(goal, "colouring", &[classes(goal, sizes)])
    );
    Spec::parse(&format!("{PREFIX}{shape}/{KIND}{list}"), &text)
}

/// Generates the spec of a name such as `generated/3x3/coloured-2-2-2-2`; `None` for other names.
pub(crate) fn coloured_by_name(name: &str, goal: &Goal) -> Option<Result<Spec, SpecError>> {
    let sizes = sizes_of(name, KIND, goal.shape())?;
    Some(sizes.and_then(|sizes| coloured(goal, &sizes)))
}
