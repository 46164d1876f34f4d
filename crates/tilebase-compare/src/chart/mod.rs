//! Charts of a comparison, as SVG.
//!
//! Colours distinguish searches, pairs or heuristics. Every line has a name, so no information
//! rests on colour alone.

use std::collections::BTreeMap;

use pdb_lab::SearchName;
use pdb_search::Weight;
use tilebase::pdb_core::excerpt::printable_text;
use tilebase_draw::Pen;

use self::axis::{Axis, Unit};
use self::bands::{Band, Mark};
use self::lines::{REFERENCE, pen, pens};
use self::plane::Plane;
use crate::comparison::{Comparison, Pair};
use crate::ratio::Ratios;
use crate::row::Sample;
use crate::statistics::{Interval, Spread};

mod axis;
mod bands;
mod bounds;
mod lines;
mod plane;

pub use bounds::{Histories, History, Steps, bounds_over_time};

/// Searches, and the weighted ones that search as they do with weight 1.
const UNWEIGHTED: [(SearchName, SearchName); 2] = [
    (SearchName::ASTAR, SearchName::named("weighted-astar")),
    (SearchName::IDA, SearchName::named("weighted-ida")),
];

/// A chart with its file name.
#[derive(Clone, Debug)]
pub struct Chart {
    /// File name, such as `nodes.svg`, or `1-korf100-nodes.svg` if there are several sets.
    pub file_name: String,
    /// Index of the comparison.
    pub comparison: usize,
    /// Title.
    pub title: String,
    /// Description.
    pub about: &'static str,
    /// The SVG document.
    pub svg: String,
}

/// Returns all charts with data, comparison by comparison.
pub fn charts(comparisons: &[Comparison]) -> Vec<Chart> {
    let mut charts = Vec::new();
    for (number, comparison) in comparisons.iter().enumerate() {
        let set = (comparisons.len() > 1).then(|| printable_text(&comparison.set.name));
        add_all(comparison, |name, title, about, draw| {
            let (file_name, title) = match &set {
                Some(set) => {
                    (format!("{}-{}-{name}", number + 1, plain(set)), format!("{title}: {set}"))
                }
                None => (name.to_owned(), title.to_owned()),
            };
            if let Some(svg) = draw(Caption { title: &title, about }) {
                charts.push(Chart { file_name, comparison: number, title, about, svg });
            }
        });
    }
    charts
}

/// Returns a name that is valid in every file system.
fn plain(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
    let name: String = name.chars().map(plain).take(40).collect();
    name.trim_matches(['-', '.']).to_owned()
}

const BARS: &str =
    "Mean over the solved boards of each pair of heuristic and search, on a logarithmic scale.";
const BOXES: &str = "From the smallest to the largest value. The box holds the middle half of the boards. The line \
                     in it is the median, which also stands beside it as a number, and the dot is the mean. \
                     Boards that were not solved are left out.";
const CUMULATIVE: &str = "The share of all boards that were solved with at most so much. A line that ends below \
                          the top has boards that a limit ended.";
const ERRORS: &str = "(h* - h) / h* for the estimate h and the distance h*: 0 % is a perfect estimate, 100 % one \
                      that knows nothing. Boards whose distance no search has proved are left out.";
const LENGTHS: &str = "A dot for each board, larger where boards agree, and a line through the means. On the dashed \
                       line solutions are shortest. Pairs all of whose solutions are shortest are left out.";
const WEIGHTS: &str = "Means over the boards that all of these pairs solved. The number beside a dot is the weight; \
                       A* and IDA* have weight 1. The dashed line is the mean of the shortest lengths.";
const RATIOS: &str = "The geometric mean of the boards' ratios to the baseline, and its 95 % interval from a \
                      bootstrap over the boards. The dashed line is the baseline.";
const ESTIMATES: &str = "The mean estimate of the boards of each distance, as far as searches have proved it. On \
                         the dashed line estimates are perfect.";
const TABLES: &str = "Mean nodes beside the size of the tables, both on logarithmic scales.";

/// Title and description of a chart.
#[derive(Clone, Copy)]
struct Caption<'a> {
    title: &'a str,
    about: &'a str,
}

type Draw<'a> = &'a dyn Fn(Caption<'_>) -> Option<String>;

/// Calls `add` for each chart with its file name, title, description and drawing function.
fn add_all(
    comparison: &Comparison,
    mut add: impl FnMut(&'static str, &'static str, &'static str, Draw<'_>),
) {
    let solved = comparison.pairs.iter().filter(|pair| pair.summary.solved > 0);
    let chart = Drawing { comparison, pairs: solved.collect() };
    add("nodes.svg", "Generated nodes a board (mean)", BARS, &|caption| {
        chart.bars(caption, Unit::Count, |pair| pair.summary.generated)
    });
    add("time.svg", "Time a board (mean)", BARS, &|caption| {
        chart.bars(caption, Unit::Seconds, |pair| pair.summary.seconds)
    });
    add("box-nodes.svg", "Generated nodes a board", BOXES, &|caption| {
        chart.boxes(caption, Unit::Count, |pair| pair.summary.spread.generated)
    });
    add("box-time.svg", "Time a board", BOXES, &|caption| {
        chart.boxes(caption, Unit::Seconds, |pair| pair.summary.spread.seconds)
    });
    add("box-length.svg", "Moves of a solution", BOXES, &|caption| {
        chart.boxes(caption, Unit::Moves, |pair| pair.summary.spread.length)
    });
    add("box-error.svg", "Relative error of the estimate", ERRORS, &|caption| {
        chart.errors(caption)
    });
    add("cumulative-nodes.svg", "Boards solved by generated nodes", CUMULATIVE, &|caption| {
        let axis = ("generated nodes", Unit::Count);
        chart.cumulative(caption, axis, |sample| sample.generated as f64)
    });
    add("cumulative-time.svg", "Boards solved by time", CUMULATIVE, &|caption| {
        chart.cumulative(caption, ("time", Unit::Seconds), |sample| sample.seconds)
    });
    add("lengths.svg", "Solution length beside optimum", LENGTHS, &|caption| {
        chart.lengths(caption)
    });
    add("weights.svg", "Solution length and nodes by weight", WEIGHTS, &|caption| {
        chart.weights(caption)
    });
    add("ratios-nodes.svg", "Generated nodes beside the baseline", RATIOS, &|caption| {
        chart.ratios(caption, |ratios| ratios.generated.geometric_mean)
    });
    add("ratios-time.svg", "Time beside the baseline", RATIOS, &|caption| {
        chart.ratios(caption, |ratios| ratios.seconds.geometric_mean)
    });
    add("estimates.svg", "Mean estimate by true distance", ESTIMATES, &|caption| {
        chart.estimates(caption)
    });
    add("tables.svg", "Generated nodes a board (mean) by size of tables", TABLES, &|caption| {
        chart.tables(caption)
    });
}

fn heuristic(pair: &Pair) -> &str {
    pair.row.name.heuristic.as_deref().unwrap_or("no heuristic")
}

/// Removes duplicates.
fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut distinct = Vec::new();
    for name in names {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    distinct
}

fn number_of(name: &str, names: &[&str]) -> usize {
    names.iter().position(|other| *other == name).unwrap_or(0)
}

/// A comparison with its pairs that have solved a board.
struct Drawing<'a> {
    comparison: &'a Comparison,
    pairs: Vec<&'a Pair>,
}

impl<'a> Drawing<'a> {
    /// Returns the names of pairs: without the search if all have the same.
    fn names(&self) -> Vec<String> {
        let is_one =
            distinct(self.pairs.iter().map(|pair| pair.row.name.search.as_str())).len() == 1;
        let name = |pair: &&Pair| {
            if is_one {
                heuristic(pair).to_owned()
            } else {
                format!("{}, {}", heuristic(pair), pair.row.name.search)
            }
        };
        self.pairs.iter().map(name).collect()
    }

    /// Returns the pen of each pair's line. If possible, colours stand for heuristics and dashes
    /// for searches.
    fn pens(&self) -> Vec<Pen> {
        let heuristics = distinct(self.pairs.iter().map(|pair| heuristic(pair)));
        let searches = distinct(self.pairs.iter().map(|pair| pair.row.name.search.as_str()));
        let numbers = self.pairs.iter().map(|pair| {
            (number_of(heuristic(pair), &heuristics), number_of(&pair.row.name.search, &searches))
        });
        pens(&numbers.collect::<Vec<_>>())
    }

    /// Draws a band for each pair with a mark, in the colour of its line.
    fn bands(
        &self,
        caption: Caption<'_>,
        (unit, is_logarithmic): (Unit, bool),
        at: Option<f64>,
        mark: impl Fn(&Pair) -> Option<Mark>,
    ) -> Option<String> {
        let mut bands = Vec::new();
        for ((pair, name), pen) in self.pairs.iter().zip(self.names()).zip(self.pens()) {
            if let Some(mark) = mark(pair) {
                bands.push(Band { name, colour: pen.colour, mark });
            }
        }
        let numbers = bands.iter().flat_map(|band| band.mark.numbers());
        let axis = Axis::around(numbers, unit, is_logarithmic)?;
        Some(bands::draw(caption.title, caption.about, axis, &bands, at))
    }

    fn bars(
        &self,
        caption: Caption<'_>,
        unit: Unit,
        value: impl Fn(&Pair) -> Option<f64>,
    ) -> Option<String> {
        let mark = |pair: &Pair| value(pair).filter(|value| *value > 0.0).map(Mark::Bar);
        self.bands(caption, (unit, true), None, mark)
    }

    fn boxes(
        &self,
        caption: Caption<'_>,
        unit: Unit,
        spread: impl Fn(&Pair) -> Option<Spread>,
    ) -> Option<String> {
        let axis = (unit, unit != Unit::Moves);
        self.bands(caption, axis, None, |pair| spread(pair).map(boxed))
    }

    /// Draws a box for each heuristic: estimates do not depend on the search.
    fn errors(&self, caption: Caption<'_>) -> Option<String> {
        let mut bands: Vec<Band> = Vec::new();
        for pair in &self.pairs {
            let name = heuristic(pair);
            if let Some(spread) = pair.summary.spread.relative_error
                && bands.iter().all(|band| band.name != name)
            {
                let colour = pen(0).colour;
                bands.push(Band { name: name.to_owned(), colour, mark: boxed(spread) });
            }
        }
        let numbers = bands.iter().flat_map(|band| band.mark.numbers());
        // The axis includes 0.
        let axis = (!bands.is_empty()).then(|| numbers.chain([0.0]))?;
        Some(bands::draw(
            caption.title,
            caption.about,
            Axis::around(axis, Unit::Share, false)?,
            &bands,
            None,
        ))
    }

    fn ratios(
        &self,
        caption: Caption<'_>,
        of: impl Fn(&Ratios) -> Option<Interval>,
    ) -> Option<String> {
        let mark = |pair: &Pair| {
            let Interval { value, low, high } = of(&pair.ratios?)?;
            Some(Mark::Interval { value, ends: low.zip(high) })
        };
        // The baseline alone needs no chart.
        (self.pairs.iter().filter_map(|pair| mark(pair)).count() > 1)
            .then(|| self.bands(caption, (Unit::Factor, true), Some(1.0), mark))?
    }

    fn cumulative(
        &self,
        caption: Caption<'_>,
        (name, unit): (&str, Unit),
        value: impl Fn(&Sample) -> f64,
    ) -> Option<String> {
        /// Largest number of steps of a line.
        const STEPS_MAX: usize = 400;
        let sorted = |pair: &&Pair| {
            let solved = pair.row.samples.iter().filter(|sample| sample.length.is_some());
            let mut values: Vec<f64> = solved.map(&value).collect();
            values.sort_unstable_by(f64::total_cmp);
            values
        };
        let lines: Vec<Vec<f64>> = self.pairs.iter().map(sorted).collect();
        let x = Axis::around(lines.iter().flatten().copied(), unit, true)?;
        let y = Axis::around([0.0, 1.0].into_iter(), Unit::Share, false)?;
        let (names, pens) = (self.names(), self.pens());
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut plane = Plane::new(caption, (name, x), ("boards solved", y), &names);
        let boards = self.comparison.set.boards.len().max(1) as f64;
        for (values, pen) in lines.iter().zip(&pens) {
            let mut points = vec![(x.low, 0.0)];
            let stride = values.len().div_ceil(STEPS_MAX).max(1);
            let mut share = 0.0;
            for (place, value) in values.iter().enumerate() {
                if place % stride == 0 || place + 1 == values.len() {
                    points.push((*value, share));
                    share = (place + 1) as f64 / boards;
                    points.push((*value, share));
                }
            }
            points.push((x.high, share));
            plane.line(&points, *pen);
        }
        plane.names(names.into_iter().zip(pens));
        Some(plane.to_svg())
    }

    fn lengths(&self, caption: Caption<'_>) -> Option<String> {
        let mut drawn: Vec<(String, Pen, Counts)> = Vec::new();
        for ((pair, name), pen) in self.pairs.iter().zip(self.names()).zip(self.pens()) {
            let above = pair.summary.spread.above_optimum.map_or(0.0, |spread| spread.max);
            if above == 0.0 {
                continue;
            }
            drawn.push((name, pen, self.counts(pair, |sample| sample.length)));
        }
        let places = || drawn.iter().flat_map(|(.., counts)| counts.keys());
        let optima = || places().map(|&(optimum, _)| f64::from(optimum));
        let x = Axis::around(optima(), Unit::Moves, false)?;
        let lengths = places().map(|&(_, length)| f64::from(length));
        let y = Axis::around(optima().chain(lengths), Unit::Moves, false)?;
        let mut names: Vec<(&str, _)> = vec![("optimum", REFERENCE)];
        names.extend(drawn.iter().map(|(name, pen, _)| (name.as_str(), *pen)));
        let texts: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
        let axes = (("optimum, moves", x), ("solution found, moves", y));
        let mut plane = Plane::new(caption, axes.0, axes.1, &texts);
        let end = x.high.min(y.high);
        plane.mark((x.low, x.low), (end, end));
        for (_, pen, counts) in &drawn {
            for (&(optimum, length), &count) in counts {
                let radius = f64::from(count).sqrt().mul_add(0.8, 1.2).min(9.0);
                plane.dot((f64::from(optimum), f64::from(length)), radius, pen.colour, 0.35);
            }
            plane.line(&means(counts), *pen);
        }
        plane.names(names);
        Some(plane.to_svg())
    }

    fn weights(&self, caption: Caption<'_>) -> Option<String> {
        let lines = self.sweeps();
        let pairs = || lines.iter().flat_map(|(_, points)| points).map(|(_, pair)| *pair);
        // Only boards that all pairs solved are comparable.
        let mut solved_by = vec![0; self.comparison.set.boards.len()];
        for sample in pairs().flat_map(|pair| &pair.row.samples) {
            if let (Some(_), Some(count)) = (sample.length, solved_by.get_mut(sample.board)) {
                *count += 1;
            }
        }
        let pair_count = pairs().count();
        let boards: Vec<usize> =
            (0..solved_by.len()).filter(|&board| solved_by[board] == pair_count).collect();
        let mean = |pair: &Pair| {
            let samples = pair.row.samples.iter();
            let common = samples.filter(|sample| boards.binary_search(&sample.board).is_ok());
            let (nodes, moves) = common.fold((0.0, 0.0), |(nodes, moves), sample| {
                (nodes + sample.generated as f64, moves + f64::from(sample.length.unwrap_or(0)))
            });
            let count = boards.len() as f64;
            (nodes / count, moves / count)
        };
        if boards.is_empty() {
            return None;
        }
        let optima: Option<Vec<u32>> =
            boards.iter().map(|&board| self.comparison.optima.of_board(board)).collect();
        let optimum = optima.and_then(|optima| Spread::of(optima.into_iter().map(f64::from)));
        let optimum = optimum.map(|spread| spread.mean);
        let means: Vec<(f64, f64)> = pairs().map(mean).collect();
        let x = Axis::around(means.iter().map(|mean| mean.0), Unit::Count, true)?;
        let y = Axis::around(means.iter().map(|mean| mean.1).chain(optimum), Unit::Moves, false)?;
        let names: Vec<&str> = lines.iter().map(|(name, _)| name.as_str()).collect();
        let axes = (("generated nodes (mean)", x), ("moves of a solution (mean)", y));
        let mut plane = Plane::new(caption, axes.0, axes.1, &names);
        if let Some(optimum) = optimum {
            plane.mark((x.low, optimum), (x.high, optimum));
        }
        for (number, (_, points)) in lines.iter().enumerate() {
            let places: Vec<_> = points.iter().map(|(_, pair)| mean(pair)).collect();
            plane.line(&places, pen(number));
            for ((weight, _), place) in points.iter().zip(places) {
                plane.dot(place, 3.5, pen(number).colour, 1.0);
                plane.word(place, &weight.to_string());
            }
        }
        plane.names(numbered(&names));
        Some(plane.to_svg())
    }

    /// Returns the pairs with weighted searches: a line for each heuristic and kind of search with
    /// several weights, in ascending order. A* and IDA* have weight 1.
    fn sweeps(&self) -> Vec<(String, Vec<(Weight, &'a Pair)>)> {
        let mut lines: Vec<(String, Vec<(Weight, &Pair)>)> = Vec::new();
        for &pair in &self.pairs {
            let Ok(search) = pair.row.name.search.parse::<SearchName>() else { continue };
            let weighted = UNWEIGHTED.iter().find(|(unweighted, _)| *unweighted == search);
            let (search, weight) = match (weighted, search.weight()) {
                (Some((_, weighted)), _) => (*weighted, Weight::ONE),
                (None, Some(weight)) => (search.without_weight(), weight),
                (None, None) => continue,
            };
            let name = format!("{}, {search}", heuristic(pair));
            match lines.iter_mut().find(|(other, _)| *other == name) {
                Some((_, points)) if points.iter().any(|(other, _)| *other == weight) => (),
                Some((_, points)) => points.push((weight, pair)),
                None => lines.push((name, vec![(weight, pair)])),
            }
        }
        lines.retain(|(_, points)| points.len() > 1);
        let ratio =
            |weight: Weight| f64::from(weight.numerator()) / f64::from(weight.denominator());
        for (_, points) in &mut lines {
            points.sort_by(|a, b| ratio(a.0).total_cmp(&ratio(b.0)));
        }
        lines
    }

    /// Counts the boards of a pair by optimum and another number.
    fn counts(&self, pair: &Pair, number: impl Fn(&Sample) -> Option<u32>) -> Counts {
        let mut counts = Counts::new();
        for sample in &pair.row.samples {
            let optimum = self.comparison.optima.of_board(sample.board);
            if let Some(place) = optimum.zip(number(sample)) {
                *counts.entry(place).or_default() += 1;
            }
        }
        counts
    }

    /// Draws the mean estimate by true distance, for each heuristic.
    fn estimates(&self, caption: Caption<'_>) -> Option<String> {
        let mut lines: Vec<(&str, Vec<(f64, f64)>)> = Vec::new();
        for pair in self.pairs.iter().filter(|pair| pair.row.name.heuristic.is_some()) {
            // Estimates do not depend on the search.
            if lines.iter().any(|(name, _)| *name == heuristic(pair)) {
                continue;
            }
            let points = means(&self.counts(pair, |sample| sample.estimate));
            if !points.is_empty() {
                lines.push((heuristic(pair), points));
            }
        }
        let points = || lines.iter().flat_map(|(_, points)| points);
        let x = Axis::around(points().map(|point| point.0), Unit::Moves, false)?;
        let y = points().flat_map(|&(distance, estimate)| [distance, estimate]);
        let y = Axis::around(y, Unit::Moves, false)?;
        let names = lines.iter().map(|(name, _)| *name).chain(["true distance"]);
        let names: Vec<&str> = names.collect();
        let axes = (("true distance, moves", x), ("estimate, moves", y));
        let mut plane = Plane::new(caption, axes.0, axes.1, &names);
        let (low, high) = (x.low.max(y.low), x.high.min(y.high));
        plane.mark((low, low), (high, high));
        let mut ends = vec![("true distance", REFERENCE, high)];
        for (number, (name, points)) in lines.iter().enumerate() {
            plane.line(points, pen(number));
            for &point in points {
                plane.dot(point, 2.0, pen(number).colour, 1.0);
            }
            ends.push((name, pen(number), points.last().map_or(0.0, |point| point.1)));
        }
        plane.names_at_ends(&ends);
        Some(plane.to_svg())
    }

    /// Draws nodes by size of tables, on logarithmic axes.
    fn tables(&self, caption: Caption<'_>) -> Option<String> {
        let points: Vec<(&Pair, (f64, f64))> = self
            .pairs
            .iter()
            .filter(|pair| pair.row.table_bytes > 0)
            .filter_map(|pair| {
                Some((*pair, (pair.row.table_bytes as f64, pair.summary.generated?)))
            })
            .collect();
        let x = Axis::around(points.iter().map(|(_, point)| point.0), Unit::Bytes, true)?;
        let y = Axis::around(points.iter().map(|(_, point)| point.1), Unit::Count, true)?;
        let searches = distinct(points.iter().map(|(pair, _)| pair.row.name.search.as_str()));
        let heuristics = points.iter().map(|(pair, _)| heuristic(pair));
        // Reserves room for names beside their points.
        let room: Vec<&str> = searches.iter().copied().chain(heuristics).collect();
        let axes = (("tables", x), ("generated nodes (mean)", y));
        let mut plane = Plane::new(caption, axes.0, axes.1, &room);
        let mut named: Vec<&str> = Vec::new();
        for (pair, point) in &points {
            plane.dot(*point, 4.0, pen(number_of(&pair.row.name.search, &searches)).colour, 1.0);
            // Names each heuristic once.
            if !named.contains(&heuristic(pair)) {
                named.push(heuristic(pair));
                plane.word(*point, heuristic(pair));
            }
        }
        plane.names(numbered(&searches));
        Some(plane.to_svg())
    }
}

/// Returns names with the pens of their numbers.
fn numbered<'a>(names: &[&'a str]) -> impl Iterator<Item = (&'a str, Pen)> {
    names.iter().enumerate().map(|(number, &name)| (name, pen(number)))
}

/// Numbers of boards by optimum and another number.
type Counts = BTreeMap<(u32, u32), u32>;

/// Returns the mean of the other number for each optimum.
fn means(counts: &Counts) -> Vec<(f64, f64)> {
    let mut sums: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
    for (&(optimum, number), &count) in counts {
        let (boards, sum) = sums.entry(optimum).or_default();
        *boards += count;
        *sum += count * number;
    }
    let mean = |(optimum, (boards, sum))| (f64::from(optimum), f64::from(sum) / f64::from(boards));
    sums.into_iter().map(mean).collect()
}

fn boxed(spread: Spread) -> Mark {
    let Spread { min, q1, median, q3, max, mean, .. } = spread;
    Mark::Box { five: [min, q1, median, q3, max], mean }
}
