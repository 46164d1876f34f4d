//! Pens for the lines of charts, and texts beside them.

use tilebase_draw::{Anchor, COLOURS, Colour, Label, Pen, Sheet};

/// Font size.
const TEXT_SIZE: f64 = 12.0;
/// Font size of titles.
const TITLE_SIZE: f64 = 18.0;
/// Approximate width of a character.
const CHARACTER: f64 = 7.0;

/// Dashes and gaps, to which the round ends of a line of width 2 add and subtract 2.
const DASHES: [&[f64]; 6] = [
    &[],
    &[6.0, 7.0],
    &[0.1, 6.0],
    &[6.0, 6.0, 0.1, 6.0],
    &[14.0, 6.0],
    &[6.0, 6.0, 0.1, 6.0, 0.1, 6.0],
];

/// Pen of reference lines.
pub(super) const REFERENCE: Pen = Pen { colour: Colour::Ink, width: 1.0, dash: &[3.0, 4.0] };

/// Returns the pen of a line by its number. Repeated colours have other dashes.
pub(super) fn pen(number: usize) -> Pen {
    pen_of(number % COLOURS.len(), number / COLOURS.len())
}

fn pen_of(colour: usize, dash: usize) -> Pen {
    let dash = DASHES[dash % DASHES.len()];
    Pen { colour: Colour::Fixed(COLOURS[colour]), width: 2.0, dash }
}

/// Returns the pens of lines that have two numbers each, such as those of their heuristic and their
/// search. If there are enough colours and dashes, the first number is the colour and the second
/// the dashes. If not, lines get pens in their order.
pub(super) fn pens(numbers: &[(usize, usize)]) -> Vec<Pen> {
    let count =
        |of: fn(&(usize, usize)) -> usize| numbers.iter().map(of).max().map_or(0, |n| n + 1);
    let (colours, dashes) = (count(|numbers| numbers.0), count(|numbers| numbers.1));
    if (2..=COLOURS.len()).contains(&colours) && (2..=DASHES.len()).contains(&dashes) {
        return numbers.iter().map(|&(colour, dash)| pen_of(colour, dash)).collect();
    }
    (0..numbers.len()).map(pen).collect()
}

/// Creates the sheet of a chart, with its title.
pub(super) fn sheet(width: f64, height: f64, title: &str, about: &str) -> Sheet {
    let mut sheet = Sheet::new(width, height, title, about.to_owned());
    let label = label((width / 2.0, 26.0), title, Anchor::Middle);
    sheet.label(Label { size: TITLE_SIZE, ..label }, Colour::Ink);
    sheet
}

/// Adds a text that is vertically centred on a point.
pub(super) fn write(sheet: &mut Sheet, (x, y): (f64, f64), text: &str, anchor: Anchor) {
    // Viewers agree only on the baseline.
    sheet.label(label((x, y + TEXT_SIZE / 3.0), text, anchor), Colour::Ink);
}

/// Adds a text that is read upwards, centred on a point.
pub(super) fn write_upwards(sheet: &mut Sheet, at: (f64, f64), text: &str) {
    let label = label(at, text, Anchor::Middle);
    sheet.label(Label { is_upward: true, ..label }, Colour::Ink);
}

fn label(at: (f64, f64), text: &str, anchor: Anchor) -> Label {
    Label { at, size: TEXT_SIZE, text: text.to_owned(), anchor, is_upward: false }
}

/// Shortens a name to fit beside a chart.
pub(super) fn shortened(name: &str) -> String {
    const CHARACTERS_MAX: usize = 44;
    if name.chars().count() <= CHARACTERS_MAX {
        return name.to_owned();
    }
    // Keeps both ends, because names may differ at either.
    let characters: Vec<char> = name.chars().collect();
    let half = CHARACTERS_MAX / 2;
    let (first, last) = (&characters[..half], &characters[characters.len() - half + 1..]);
    format!("{}\u{2026}{}", first.iter().collect::<String>(), last.iter().collect::<String>())
}

/// Returns the width of a column of names.
pub(super) fn width<'a>(names: impl Iterator<Item = &'a str>) -> f64 {
    names.map(|name| name.chars().count()).max().unwrap_or(0) as f64 * CHARACTER
}
