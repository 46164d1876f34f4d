//! Charts of a comparison, as SVG.
//!
//! Colours tell searches apart (or heuristics, where a chart has a line for each), and names stand
//! beside what they name, so that nothing rests on colour alone.

use std::collections::BTreeMap;
use std::fmt::Display;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::{CompareError, Row, Summary};

/// A chart: what its file is called, and what is in it.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Such as `nodes.svg`.
    pub file_name: &'static str,
    /// The SVG document.
    pub svg: String,
}

const FONT: &str = "sans-serif";
const WIDTH: u32 = 900;
/// Height of a bar and of the space around it.
const BAR_HEIGHT: u32 = 22;
const GRID: RGBColor = RGBColor(225, 225, 225);
const INK: RGBColor = RGBColor(40, 40, 40);

/// Colours that people who see fewer of them can tell apart (M. Okabe and K. Ito, "Color universal
/// design", 2008).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(213, 94, 0),
    RGBColor(86, 180, 233),
    RGBColor(110, 110, 110),
];

fn colour(number: usize) -> RGBColor {
    COLOURS[number % COLOURS.len()]
}

fn failed(problem: impl Display) -> CompareError {
    CompareError::Chart { problem: problem.to_string() }
}

/// How many boards of a distance there are, and the sum of their estimates.
type Sums = BTreeMap<u32, (u32, u32)>;

/// A row with something to draw.
struct Drawn<'a> {
    row: &'a Row,
    summary: Summary,
}

impl Drawn<'_> {
    fn heuristic(&self) -> &str {
        self.row.heuristic.as_deref().unwrap_or("no heuristic")
    }
}

/// All charts that the rows have something for.
///
/// # Errors
/// [`CompareError::Chart`] when the drawing library refuses.
pub fn charts(rows: &[Row]) -> Result<Vec<Chart>, CompareError> {
    let drawn: Vec<_> = rows
        .iter()
        .map(|row| Drawn { row, summary: row.summary() })
        .filter(|drawn| drawn.summary.solved > 0)
        .collect();
    let mut charts = Vec::new();
    let mut add = |file_name, svg: Option<String>| {
        charts.extend(svg.map(|svg| Chart { file_name, svg }));
    };
    add(
        "nodes.svg",
        bars(&drawn, "Generated nodes a board (mean)", "", |summary| summary.generated)?,
    );
    add("time.svg", bars(&drawn, "Time a board (mean)", "s", |summary| summary.seconds)?);
    add("estimates.svg", estimates(&drawn)?);
    add("tables.svg", tables(&drawn)?);
    Ok(charts)
}

/// The searches of some rows, each once.
fn searches<'a>(rows: impl Iterator<Item = &'a Drawn<'a>>) -> Vec<&'a str> {
    let mut searches: Vec<&str> = Vec::new();
    for drawn in rows {
        if !searches.contains(&drawn.row.search.as_str()) {
            searches.push(&drawn.row.search);
        }
    }
    searches
}

/// The powers of ten around some values.
fn decades(values: impl Iterator<Item = f64>) -> Option<std::ops::Range<f64>> {
    let (low, high) = values
        .filter(|value| *value > 0.0)
        .fold((f64::INFINITY, 0.0f64), |(low, high), value| (low.min(value), high.max(value)));
    if high == 0.0 {
        return None;
    }
    let (low, high) = (low.log10().floor(), high.log10().ceil());
    Some(10f64.powf(low)..10f64.powf(if high > low { high } else { low + 1.0 }))
}

/// A number in three digits, and the prefix of its unit.
fn prefixed(value: f64) -> (f64, &'static str) {
    // A power of ten may lie a little below itself.
    let around = value * (1.0 + 1e-9);
    match around {
        v if v >= 1e9 => (around / 1e9, "G"),
        v if v >= 1e6 => (around / 1e6, "M"),
        v if v >= 1e3 => (around / 1e3, "k"),
        v if v >= 1.0 => (around, ""),
        v if v >= 1e-3 => (around * 1e3, "m"),
        _ => (around * 1e6, "u"),
    }
}

fn with_unit(number: String, prefix: &str, unit: &str) -> String {
    if prefix.is_empty() && unit.is_empty() { number } else { format!("{number} {prefix}{unit}") }
}

/// A power of ten with its unit, for an axis.
fn power(value: f64, unit: &str) -> String {
    let (scaled, prefix) = prefixed(value);
    with_unit(format!("{scaled:.0}"), prefix, unit)
}

/// Three digits and a unit, for the end of a bar.
fn short(value: f64, unit: &str) -> String {
    let (scaled, prefix) = prefixed(value);
    let decimals = match scaled {
        s if s < 10.0 => 2,
        s if s < 100.0 => 1,
        _ => 0,
    };
    with_unit(format!("{scaled:.decimals$}"), prefix, unit)
}

/// A bar for each row, on a logarithmic scale.
fn bars(
    drawn: &[Drawn<'_>],
    title: &str,
    unit: &str,
    value: impl Fn(&Summary) -> Option<f64>,
) -> Result<Option<String>, CompareError> {
    let bars: Vec<(&Drawn<'_>, f64)> = drawn
        .iter()
        .filter_map(|drawn| Some((drawn, value(&drawn.summary)?)))
        .filter(|(_, value)| *value > 0.0)
        .collect();
    let Some(range) = decades(bars.iter().map(|(_, value)| *value)) else { return Ok(None) };
    let searches = searches(bars.iter().map(|bar| bar.0));
    let count = bars.len() as f64;
    let label = |drawn: &Drawn<'_>| match searches.len() {
        1 => drawn.heuristic().to_owned(),
        _ => format!("{}, {}", drawn.heuristic(), drawn.row.search),
    };
    let label_width =
        bars.iter().map(|(drawn, _)| label(drawn).chars().count()).max().unwrap_or(0) as u32;
    let height = 90 + BAR_HEIGHT * bars.len() as u32;
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        root.fill(&WHITE).map_err(failed)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(title, (FONT, 18).into_font().color(&INK))
            .margin(12)
            .margin_right(70)
            .x_label_area_size(28)
            .y_label_area_size(7 * label_width + 10)
            .build_cartesian_2d((range.start..range.end).log_scale(), 0.0..count)
            .map_err(failed)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .light_line_style(WHITE.mix(0.0))
            .bold_line_style(GRID)
            .axis_style(GRID)
            .x_labels(12)
            .x_label_formatter(&|value| power(*value, unit))
            .label_style((FONT, 12).into_font().color(&INK))
            .draw()
            .map_err(failed)?;
        for (number, (drawn, value)) in bars.iter().enumerate() {
            // The first row comes on top.
            let top = count - number as f64;
            let middle = top - 0.5;
            let search = searches.iter().position(|search| *search == drawn.row.search);
            let fill = colour(search.unwrap_or(0)).filled();
            let bar = Rectangle::new([(range.start, top - 0.82), (*value, top - 0.18)], fill);
            let right = (FONT, 12).into_font().color(&INK).pos(Pos::new(HPos::Right, VPos::Center));
            let left = (FONT, 12).into_font().color(&INK).pos(Pos::new(HPos::Left, VPos::Center));
            let name =
                EmptyElement::at((range.start, middle)) + Text::new(label(drawn), (-8, 0), right);
            let number =
                EmptyElement::at((*value, middle)) + Text::new(short(*value, unit), (5, 0), left);
            chart.draw_series([bar]).map_err(failed)?;
            chart.draw_series([name]).map_err(failed)?;
            chart.draw_series([number]).map_err(failed)?;
        }
        root.present().map_err(failed)?;
    }
    Ok(Some(svg))
}

/// For each heuristic the mean estimate of the boards of each true distance.
fn estimates(drawn: &[Drawn<'_>]) -> Result<Option<String>, CompareError> {
    // A board's distance is known wherever any search has proved it.
    let mut distances = BTreeMap::new();
    for sample in drawn.iter().flat_map(|drawn| &drawn.row.samples) {
        if let Some(length) = sample.length.filter(|length| *length == sample.lower_bound) {
            distances.insert(sample.board, length);
        }
    }
    // What every search says of an estimate is the same.
    let mut lines: Vec<(&str, Sums)> = Vec::new();
    for drawn in drawn.iter().filter(|drawn| drawn.row.heuristic.is_some()) {
        if lines.iter().any(|(name, _)| *name == drawn.heuristic()) {
            continue;
        }
        let mut sums = Sums::new();
        for sample in &drawn.row.samples {
            if let (Some(&distance), Some(estimate)) =
                (distances.get(&sample.board), sample.estimate)
            {
                let (count, sum) = sums.entry(distance).or_default();
                *count += 1;
                *sum += estimate;
            }
        }
        if !sums.is_empty() {
            lines.push((drawn.heuristic(), sums));
        }
    }
    let all = || lines.iter().flat_map(|(_, sums)| sums.keys());
    let (Some(&first), Some(&last)) = (all().min(), all().max()) else { return Ok(None) };
    let lowest = lines
        .iter()
        .flat_map(|(_, sums)| sums.values())
        .map(|&(count, sum)| sum / count)
        .min()
        .unwrap_or(0);
    let (x, y) = (f64::from(first) - 1.0..f64::from(last) + 1.0, f64::from(lowest) - 1.0);
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH, 560)).into_drawing_area();
        root.fill(&WHITE).map_err(failed)?;
        let mut chart = ChartBuilder::on(&root)
            .caption("Mean estimate by true distance", (FONT, 18).into_font().color(&INK))
            .margin(12)
            .margin_right(150)
            .x_label_area_size(40)
            .y_label_area_size(50)
            .build_cartesian_2d(x.clone(), y..f64::from(last) + 1.0)
            .map_err(failed)?;
        chart
            .configure_mesh()
            .light_line_style(WHITE.mix(0.0))
            .bold_line_style(GRID)
            .axis_style(GRID)
            .x_label_formatter(&|value| format!("{value:.0}"))
            .y_label_formatter(&|value| format!("{value:.0}"))
            .x_desc("true distance, moves")
            .y_desc("estimate, moves")
            .label_style((FONT, 12).into_font().color(&INK))
            .axis_desc_style((FONT, 13).into_font().color(&INK))
            .draw()
            .map_err(failed)?;
        let perfect = [(f64::from(first), f64::from(first)), (f64::from(last), f64::from(last))];
        chart.draw_series(LineSeries::new(perfect, INK.stroke_width(1))).map_err(failed)?;
        let mut names = vec![("true distance".to_owned(), f64::from(last), INK)];
        for (number, (name, sums)) in lines.iter().enumerate() {
            let mean = |(&distance, &(count, sum)): (&u32, &(u32, u32))| {
                (f64::from(distance), f64::from(sum) / f64::from(count))
            };
            let points: Vec<_> = sums.iter().map(mean).collect();
            // More lines than colours: the second of a colour is dashed, the third dotted.
            let stroke = colour(number).stroke_width(2);
            let line = points.iter().copied();
            match number / COLOURS.len() {
                0 => chart.draw_series(LineSeries::new(line, stroke)).map_err(failed)?,
                1 => {
                    chart.draw_series(DashedLineSeries::new(line, 8, 5, stroke)).map_err(failed)?
                }
                _ => {
                    chart.draw_series(DashedLineSeries::new(line, 2, 4, stroke)).map_err(failed)?
                }
            };
            let dots = points.iter().map(|&point| Circle::new(point, 2, colour(number).filled()));
            chart.draw_series(dots).map_err(failed)?;
            let end = points.last().map_or(0.0, |&(_, estimate)| estimate);
            names.push(((*name).to_owned(), end, colour(number)));
        }
        // Names stand where the lines end, apart from each other.
        names.sort_by(|a, b| b.1.total_cmp(&a.1));
        let spacing = (f64::from(last) + 1.0 - y) / 32.0;
        let mut below = f64::INFINITY;
        for (name, end, colour) in names {
            let at = end.min(below - spacing);
            below = at;
            let style =
                (FONT, 12).into_font().color(&colour).pos(Pos::new(HPos::Left, VPos::Center));
            let text = EmptyElement::at((x.end, at)) + Text::new(name, (6, 0), style);
            chart.draw_series([text]).map_err(failed)?;
        }
        root.present().map_err(failed)?;
    }
    Ok(Some(svg))
}

/// Nodes against bytes of tables, both logarithmic, for the rows that have tables.
fn tables(drawn: &[Drawn<'_>]) -> Result<Option<String>, CompareError> {
    let points: Vec<(&Drawn<'_>, f64, f64)> = drawn
        .iter()
        .filter(|drawn| drawn.row.table_bytes > 0)
        .filter_map(|drawn| Some((drawn, drawn.row.table_bytes as f64, drawn.summary.generated?)))
        .collect();
    let (Some(x), Some(y)) =
        (decades(points.iter().map(|point| point.1)), decades(points.iter().map(|point| point.2)))
    else {
        return Ok(None);
    };
    let searches = searches(points.iter().map(|point| point.0));
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH, 560)).into_drawing_area();
        root.fill(&WHITE).map_err(failed)?;
        let title = "Generated nodes a board (mean) by size of tables";
        let mut chart = ChartBuilder::on(&root)
            .caption(title, (FONT, 18).into_font().color(&INK))
            .margin(12)
            .margin_right(150)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d((x.start..x.end).log_scale(), (y.start..y.end).log_scale())
            .map_err(failed)?;
        chart
            .configure_mesh()
            .light_line_style(WHITE.mix(0.0))
            .bold_line_style(GRID)
            .axis_style(GRID)
            .x_label_formatter(&|value| power(*value, "B"))
            .y_label_formatter(&|value| power(*value, ""))
            .x_desc("tables, bytes")
            .y_desc("generated nodes")
            .label_style((FONT, 12).into_font().color(&INK))
            .axis_desc_style((FONT, 13).into_font().color(&INK))
            .draw()
            .map_err(failed)?;
        let mut named: Vec<&str> = Vec::new();
        for (drawn, bytes, nodes) in &points {
            let search = searches.iter().position(|search| *search == drawn.row.search);
            let colour = colour(search.unwrap_or(0));
            let point = Circle::new((*bytes, *nodes), 4, colour.filled());
            chart.draw_series([point]).map_err(failed)?;
            // A heuristic is named once, beside the first of its searches.
            if named.contains(&drawn.heuristic()) {
                continue;
            }
            named.push(drawn.heuristic());
            let style = (FONT, 12).into_font().color(&INK).pos(Pos::new(HPos::Left, VPos::Center));
            let name = EmptyElement::at((*bytes, *nodes))
                + Text::new(drawn.heuristic().to_owned(), (8, 0), style);
            chart.draw_series([name]).map_err(failed)?;
        }
        for (number, search) in searches.iter().enumerate() {
            let (left, top) = (WIDTH as i32 - 130, 60 + 20 * number as i32);
            let style = (FONT, 12).into_font().color(&INK).pos(Pos::new(HPos::Left, VPos::Center));
            let point = Circle::new((left, top), 4, colour(number).filled());
            root.draw(&point).map_err(failed)?;
            let name = Text::new((*search).to_owned(), (left + 10, top), style);
            root.draw(&name).map_err(failed)?;
        }
        root.present().map_err(failed)?;
    }
    Ok(Some(svg))
}
