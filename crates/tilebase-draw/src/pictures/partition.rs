//! Patterns of a plan.

use pdb_core::{CellSet, Plan};

use super::{HEADING, MARGIN, TEXT};
use crate::colour::Colour;
use crate::shape::Anchor;
use crate::sheet::Sheet;
use crate::tiles::{self, Colouring};

const CELL: f64 = 44.0;
const BETWEEN: f64 = 30.0;
/// Number of boards side by side.
const COLUMNS: usize = 4;

/// Draws the patterns of a plan, each drawing on a board of its own, including mirror images; for
/// Walking Distance, the lines of both axes.
pub fn partition(plan: &Plan, name: &str, title: &str) -> Sheet {
    let goal = plan.goal();
    let shape = goal.shape();
    let patterns = plan.drawn_patterns();
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
        let mirrored = goal.mirrored(&patterns);
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
        let look = |tile, cell| colouring.look(goal, tile, cell);
        tiles::board(&mut sheet, (x, y), CELL, goal.board(), |tile| tile.to_string(), look);
        sheet.text((x, y + high + 20.0), TEXT, label, Anchor::Start, Colour::Ink);
    }
    sheet
}
