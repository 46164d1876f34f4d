//! Patterns of a plan.

use pdb_core::plan::{PlanKind, View};
use pdb_core::{CellSet, Goal, Plan, Symmetry, TableKey};

use super::{HEADING, MARGIN, TEXT};
use crate::colour::Colour;
use crate::sheet::Sheet;
use crate::svg::Anchor;
use crate::tiles::{self, Colouring};

const CELL: f64 = 44.0;
const BETWEEN: f64 = 30.0;
/// Number of boards side by side.
const COLUMNS: usize = 4;

/// Returns the patterns that are looked up, as goal cells: those of each partition, or each plain
/// pattern. Mirror images follow their originals. Walking Distance has none.
pub fn drawn_patterns(plan: &Plan) -> Vec<Vec<CellSet>> {
    let homes = |view: &View| match &plan.tables()[view.table] {
        TableKey::Pattern(key) => view.symmetry.inverse().set(key.homes),
        TableKey::Walking(_) => CellSet::EMPTY,
    };
    match plan.kind() {
        PlanKind::Additive { partitions } => {
            partitions.iter().map(|views| views.iter().map(homes).collect()).collect()
        }
        PlanKind::Plain { views } => views.iter().map(|view| vec![homes(view)]).collect(),
        PlanKind::Walking { .. } => Vec::new(),
    }
}

/// Returns, for each drawing, the earlier one of which it is the mirror image, if any.
fn mirrored(goal: &Goal, drawings: &[Vec<CellSet>]) -> Vec<Option<usize>> {
    let mirrors: Vec<Symmetry> = goal.mirrors().collect();
    let sorted = |mut sets: Vec<CellSet>| {
        sets.sort_unstable();
        sets
    };
    let is_image = |of: &[CellSet], drawing: &[CellSet]| {
        let image = |mirror: &Symmetry| sorted(of.iter().map(|set| mirror.set(*set)).collect());
        mirrors.iter().any(|mirror| image(mirror) == sorted(drawing.to_vec()))
    };
    let of = |nth: usize| (0..nth).find(|&before| is_image(&drawings[before], &drawings[nth]));
    (0..drawings.len()).map(of).collect()
}

/// Draws the patterns of a plan, each drawing on a board of its own, including mirror images; for
/// Walking Distance, the lines of both axes.
pub fn partition(plan: &Plan, name: &str, title: &str) -> Sheet {
    let goal = plan.goal();
    let shape = goal.shape();
    let patterns = drawn_patterns(plan);
    let boards: Vec<(Colouring, String)> = if patterns.is_empty() {
        let axis = |colouring, what: &str| (colouring, what.to_owned());
        vec![
            axis(Colouring::Rows, "moves from row to row"),
            axis(Colouring::Columns, "from column to column"),
        ]
    } else {
        let sizes = |sets: &[CellSet]| {
            let sizes: Vec<String> = sets.iter().map(|set| set.len().to_string()).collect();
            sizes.join(" + ")
        };
        let mirrored = mirrored(goal, &patterns);
        let label = |(nth, sets): (usize, &Vec<CellSet>)| match mirrored[nth] {
            Some(of) => format!("mirror image of {}", of + 1),
            None if sets.len() == 1 && sets[0].len() == 1 => format!("{}: 1 tile", nth + 1),
            None => format!("{}: {} tiles", nth + 1, sizes(sets)),
        };
        let labels: Vec<String> = patterns.iter().enumerate().map(label).collect();
        patterns.into_iter().map(Colouring::Patterns).zip(labels).collect()
    };
    let texts = boards.iter().map(|(_, label)| crate::text_width(label, TEXT));
    let (wide, high) = (CELL * shape.cols() as f64, CELL * shape.rows() as f64);
    let pitch = texts.fold(wide, f64::max) + BETWEEN;
    let columns = boards.len().min(COLUMNS);
    let rows = boards.len().div_ceil(COLUMNS);
    let heading = crate::text_width(name, HEADING).max(crate::text_width(title, TEXT));
    let width = (pitch * columns as f64 - BETWEEN).max(heading) + 2.0 * MARGIN;
    let top = MARGIN + 58.0;
    let height = top + (high + 48.0) * rows as f64;
    let about = format!(
        "The goal {}, {} with colours for what is looked up together: {}.",
        goal.board(),
        if boards.len() == 1 { "once,".to_owned() } else { format!("{} times,", boards.len()) },
        boards.iter().map(|(_, label)| label.as_str()).collect::<Vec<_>>().join("; ")
    );
    let mut sheet = Sheet::new(width, height, &format!("{name}: {title}"), about);
    sheet.bold((MARGIN, MARGIN + HEADING), HEADING, name, Anchor::Start, Colour::Ink);
    sheet.text((MARGIN, MARGIN + HEADING + 20.0), TEXT, title, Anchor::Start, Colour::Quiet);
    for (nth, (colouring, label)) in boards.iter().enumerate() {
        let x = MARGIN + pitch * (nth % COLUMNS) as f64 + 3.0;
        let y = top + (high + 48.0) * (nth / COLUMNS) as f64;
        let colour = |tile, cell| colouring.of(goal, tile, cell);
        tiles::board(&mut sheet, (x, y), CELL, goal.board(), |tile| tile.to_string(), colour);
        sheet.text((x, y + high + 20.0), TEXT, label, Anchor::Start, Colour::Ink);
    }
    sheet
}
