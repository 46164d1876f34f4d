//! Histograms of tables.

use pdb_core::numbers::{grouped, metric};

use super::{HEADING, MARGIN, TEXT};
use crate::colour::Colour;
use crate::shape::{Anchor, Pen};
use crate::sheet::Sheet;

const WIDTH: f64 = 700.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 62.0;

/// Draws a histogram for each table: its name, and the number of entries by value from 0.
pub fn histogram(title: &str, tables: &[(String, &[u64])]) -> Sheet {
    let pitch = HEIGHT + 96.0;
    let height = MARGIN + 40.0 + pitch * tables.len() as f64;
    let notes: Vec<String> = tables.iter().map(|(_, counts)| note(counts)).collect();
    let of = tables.iter().zip(&notes).map(|((name, _), note)| format!("{name}: {note}."));
    let about = format!(
        "How many entries of a table have which value. {}",
        of.collect::<Vec<_>>().join(" ")
    );
    let mut sheet = Sheet::new(WIDTH + LEFT + 2.0 * MARGIN, height, title, about);
    sheet.bold((MARGIN, MARGIN + HEADING), HEADING, title, Anchor::Start, Colour::Ink);
    for (nth, ((name, counts), note)) in tables.iter().zip(&notes).enumerate() {
        let top = MARGIN + 60.0 + pitch * nth as f64;
        let left = LEFT + MARGIN;
        sheet.text(
            (left, top - 12.0),
            TEXT,
            &format!("{name}: {note}"),
            Anchor::Start,
            Colour::Ink,
        );
        bars(&mut sheet, (left, top), counts);
    }
    sheet
}

/// Returns a text such as "182,000 entries, mean 13.70, largest 45".
fn note(counts: &[u64]) -> String {
    let entries: u128 = counts.iter().map(|&count| u128::from(count)).sum();
    let sum: u128 = (0..).zip(counts).map(|(value, &count)| value * u128::from(count)).sum();
    let what = if entries == 1 { "entry" } else { "entries" };
    match counts.iter().rposition(|&count| count > 0) {
        Some(largest) => {
            let mean = sum as f64 / entries as f64;
            format!("{} {what}, mean {mean:.2}, largest {largest}", grouped(entries))
        }
        None => "no entries".to_owned(),
    }
}

/// Returns the smallest step of 1, 2 or 5 times a power of ten with at most five lines.
fn step(largest: u64) -> u64 {
    let mut power: u64 = 1;
    loop {
        for factor in [1, 2, 5] {
            let step = power.saturating_mul(factor);
            if largest / step <= 5 || step == u64::MAX {
                return step;
            }
        }
        power = power.saturating_mul(10);
    }
}

/// Formats a number with a prefix: 20 M. Steps are at least a tenth of a unit.
fn prefixed(number: u64) -> String {
    metric(number as f64).replace(".0 ", " ")
}

fn bars(sheet: &mut Sheet, (left, top): (f64, f64), counts: &[u64]) {
    let largest = counts.iter().copied().max().unwrap_or(0).max(1);
    let values = counts.iter().rposition(|&count| count > 0).map_or(1, |last| last + 1);
    let bottom = top + HEIGHT;
    let height = |count: u64| HEIGHT * count as f64 / largest as f64;
    let step = step(largest);
    for line in 0..=largest / step {
        let count = line * step;
        let y = bottom - height(count);
        sheet.line(&[(left, y), (left + WIDTH, y)], Pen::new(Colour::Grid, 1.0));
        let at = (left - 8.0, y + TEXT * 0.45);
        sheet.text(at, TEXT * 0.9, &prefixed(count), Anchor::End, Colour::Quiet);
    }
    let pitch = WIDTH / values as f64;
    let stride = [1, 2, 5, 10, 20, 50].into_iter().find(|&n| pitch * f64::from(n) >= 22.0);
    let stride = stride.unwrap_or(100) as usize;
    for (value, &count) in counts.iter().take(values).enumerate() {
        let x = left + pitch * value as f64;
        if count > 0 {
            // A value with any entry is visible.
            let high = height(count).max(1.0);
            let wide = (pitch * 0.84).max(0.5);
            let place = [x + (pitch - wide) / 2.0, bottom - high, wide, high];
            sheet.rectangle(place, 0.0, Colour::Fixed("#0072b2"));
        }
        if value % stride == 0 {
            let at = (x + pitch / 2.0, bottom + 18.0);
            sheet.text(at, TEXT * 0.9, &value.to_string(), Anchor::Middle, Colour::Ink);
        }
    }
    sheet.line(&[(left, bottom), (left + WIDTH, bottom)], Pen::new(Colour::Ink, 1.2));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_count_the_entries() {
        assert_eq!(note(&[1, 0, 3]), "4 entries, mean 1.50, largest 2");
        assert_eq!(note(&[1]), "1 entry, mean 0.00, largest 0");
        assert_eq!(note(&[]), "no entries");
        assert_eq!(note(&[0, 0]), "no entries");
    }

    #[test]
    fn lines_are_few_and_round() {
        for largest in [1, 5, 6, 99, 1_000, 123_456, u64::MAX] {
            let step = step(largest);
            assert!(largest / step <= 5, "{largest}: {step}");
        }
        assert_eq!(
            (prefixed(500), prefixed(2_000), prefixed(2_500_000)),
            ("500".into(), "2 k".into(), "2.5 M".into())
        );
    }
}
