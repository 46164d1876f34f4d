//! The shipped specs and goldens, by name.

use pdb_core::plan::expect_tables;
use pdb_core::{Goal, Metric, Shape};
use pdb_specs::{GOLDENS, SHIPPED, ShippedSpec};

use crate::coloured::coloured_by_name;
use crate::generated::generated_by_name;
use crate::{Golden, GoldenTable, Spec, SpecError, coloured_within, generated_within};

/// Returns the names of the shipped specs, such as `15/7-8`, smallest puzzle first.
pub fn builtin_names() -> Vec<&'static str> {
    SHIPPED.iter().map(|spec| spec.name).collect()
}

/// Returns the shipped spec of this name.
///
/// # Errors
/// [`SpecError::UnknownName`] names the nearest name.
pub fn builtin(name: &str) -> Result<Spec, SpecError> {
    match shipped(name) {
        Some(spec) => Spec::parse(name, spec.drawing),
        None => Err(SpecError::UnknownName { name: name.to_owned(), nearest: nearest(name) }),
    }
}

/// Returns the golden of the shipped spec of this name, if it exists.
///
/// # Errors
/// [`SpecError::Text`] inside, when the golden cannot be read.
pub fn builtin_golden(name: &str) -> Option<Result<Golden, SpecError>> {
    let at = SHIPPED.iter().position(|spec| spec.name == name)?;
    Some(Golden::parse(name, GOLDENS[at]))
}

/// Returns the expected table of this file name, if a shipped spec has it.
pub fn builtin_golden_table(file: &str) -> Option<GoldenTable> {
    // Reading all goldens would take longer than a small table.
    let named = SHIPPED.iter().zip(GOLDENS).filter(|(_, text)| text.contains(file));
    let goldens = named.map(|(spec, text)| Golden::parse(spec.name, text));
    let mut tables =
        goldens.flat_map(|golden| golden.expect("a shipped golden can be read").tables);
    tables.find(|table| table.file == file)
}

fn shipped(name: &str) -> Option<&'static ShippedSpec> {
    SHIPPED.iter().find(|spec| spec.name == name)
}

/// Returns the shipped name with the fewest edits, unless they would change more than half of it.
fn nearest(name: &str) -> Option<&'static str> {
    // Of names as near, one for the same number of tiles.
    let folder = |name: &'_ str| name.split_once('/').map(|(folder, _)| folder.to_owned());
    let names = builtin_names().into_iter().map(|known| {
        let edit_count = strsim::osa_distance(name, known);
        (edit_count, folder(known) != folder(name), known)
    });
    let near = names.filter(|(edit_count, _, known)| *edit_count <= known.len() / 2);
    near.min().map(|(_, _, known)| known)
}

/// Returns the shipped spec of this name. The name may omit the number of tiles, which the shape
/// gives: `7-8` on 4x4 is `15/7-8`, and `whole` on 2x6 is `11/whole-2x6`.
///
/// # Errors
/// [`SpecError::UnknownNameFor`] lists names that are near.
pub fn builtin_for(name: &str, shape: Shape) -> Result<Spec, SpecError> {
    if let Some(spec) = shipped(name) {
        return Spec::parse(name, spec.drawing);
    }
    let of_shape = builtin_names_for(shape);
    // No name of a spec is another spec's name followed by a shape.
    let is_meant = |known: &&&str| {
        let stem = stem(known);
        stem == name || [shape, shape.transposed()].iter().any(|s| stem == format!("{name}-{s}"))
    };
    if let Some(known) = of_shape.iter().find(is_meant) {
        return builtin(known);
    }
    let same_stem = builtin_names().into_iter().filter(|known| stem(known) == stem(name));
    let mut near: Vec<&str> = of_shape.into_iter().chain(same_stem).chain(nearest(name)).collect();
    let mut seen = Vec::new();
    near.retain(|name| {
        let is_new = !seen.contains(name);
        seen.push(*name);
        is_new
    });
    near.sort_by_key(|known| strsim::osa_distance(stem(name), stem(known)));
    Err(SpecError::UnknownNameFor { name: name.to_owned(), shape, near })
}

/// Returns the spec of a name for a goal: a shipped one as [`builtin_for`] finds it, or a generated
/// one such as `generated/4x7/6-6-6-6-3` or `generated/3x3/coloured-2-2-2-2`.
///
/// # Errors
/// [`SpecError::Plan`] for a board of one line. Those of [`builtin_for`],
/// [`generated`](crate::generated()) and [`coloured`](crate::coloured()).
pub fn spec_for(name: &str, goal: &Goal) -> Result<Spec, SpecError> {
    expect_tables(goal.shape())?;
    let made = generated_by_name(name, goal).or_else(|| coloured_by_name(name, goal));
    made.unwrap_or_else(|| builtin_for(name, goal.shape()))
}

/// Returns a spec's name without the number of tiles.
fn stem(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, stem)| stem)
}

/// Returns the names of the shipped specs for boards of a shape, also transposed.
pub fn builtin_names_for(shape: Shape) -> Vec<&'static str> {
    let suits = |name: &&str| {
        let found = builtin(name).map(|spec| spec.goal.shape());
        found.is_ok_and(|found| [found, found.transposed()].contains(&shape))
    };
    builtin_names().into_iter().filter(suits).collect()
}

/// Sizes of the tables of generated specs, in entries of one bit: from 256 MiB down to a size that
/// is small everywhere.
const ENTRY_COUNTS: [u64; 5] = [8 << 28, 8 << 25, 8 << 22, 8 << 19, 8 << 16];

/// Returns the specs for boards with this goal in a metric, best first: shipped ones, then
/// generated ones from large patterns to small ones. Larger patterns give shorter searches, smaller
/// ones take less memory. Every goal has at least one spec, but none on a board of one line, and
/// [`Spec::for_goal`] has a plan for each.
///
/// The iterator makes generated specs on demand.
pub fn specs_for(goal: &Goal, metric: Metric) -> impl Iterator<Item = Spec> + use<> {
    let goal = *goal;
    let shipped = match (metric, goal.shape().rows(), goal.shape().cols()) {
        (Metric::SingleTile, ..) => defaults_for(goal.shape()),
        (Metric::MultiTile, 4, 4) => &["15/coloured"],
        (Metric::MultiTile, ..) => &[],
    };
    let shipped = shipped_for(goal, shipped);
    let mut last = String::new();
    let counts: &[u64] = if goal.shape().is_line() { &[] } else { &ENTRY_COUNTS };
    let made = counts.iter().filter_map(move |&max| {
        let spec = match metric {
            Metric::SingleTile => generated_within(&goal, max),
            Metric::MultiTile => coloured_within(&goal, max / 8),
        };
        let is_new = spec.name != last;
        last.clone_from(&spec.name);
        is_new.then_some(spec)
    });
    shipped.chain(made)
}

/// Returns the shipped specs with larger tables and shorter searches than the first one of
/// [`specs_for`], best first. They are for tables that exist already, because most boards are
/// solved sooner than these are built.
pub fn larger_specs_for(goal: &Goal, metric: Metric) -> impl Iterator<Item = Spec> {
    let larger: &'static [&'static str] = match (metric, goal.shape().rows(), goal.shape().cols()) {
        (Metric::MultiTile, 4, 4) => &["15/coloured-max-5", "15/coloured-max"],
        (Metric::SingleTile, 4, 4) => &["15/7-8-max"],
        (Metric::SingleTile, 5, 5) => &["24/8-8-8-max", "24/7-7-7-3-max"],
        _ => &[],
    };
    shipped_for(*goal, larger)
}

/// Returns those of the named specs that serve a goal.
fn shipped_for(goal: Goal, names: &'static [&'static str]) -> impl Iterator<Item = Spec> {
    names.iter().filter_map(move |name| {
        let spec = builtin(name).expect("a shipped spec is right");
        spec.for_goal(&goal).is_ok().then_some(spec)
    })
}

/// Returns the shipped specs that suit a board of this shape, the one with the shortest
/// searches and the largest tables first.
pub fn defaults_for(shape: Shape) -> &'static [&'static str] {
    match (shape.rows(), shape.cols()) {
        (2, 2) => &["3/whole"],
        (2, 3) | (3, 2) => &["5/whole"],
        (2, 4) | (4, 2) => &["7/whole"],
        (3, 3) => &["8/whole", "8/4-4"],
        (2, 5) | (5, 2) => &["9/whole"],
        (3, 4) | (4, 3) => &["11/whole"],
        (2, 6) | (6, 2) => &["11/whole-2x6"],
        (2, 7) | (7, 2) => &["13/7-6"],
        (3, 5) | (5, 3) => &["14/7-7"],
        (2, 8) | (8, 2) => &["15/8-7-2x8"],
        (4, 4) => &["15/7-8", "15/6-6-3", "15/5-5-5"],
        (3, 6) | (6, 3) => &["17/7-7-3-max", "17/7-7-3"],
        (4, 5) | (5, 4) => &["19/7-6-6-max", "19/7-6-6"],
        (4, 6) | (6, 4) => &["23/6-6-6-5-max", "23/6-6-6-5"],
        (5, 5) => &["24/6-6-6-6-dual", "24/6-6-6-6-max", "24/6-6-6-6"],
        (5, 6) | (6, 5) => &["29/6-6-6-6-5"],
        (6, 6) => &["35/6-6-6-6-6-5", "35/5-5-5-5-5-5-5"],
        _ => &[],
    }
}
