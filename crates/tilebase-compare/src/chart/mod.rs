//! Charts of a comparison, as SVG.
//!
//! A pair has one colour in all charts, if possible that of its heuristic. Every line has a name,
//! so no information rests on colour alone.

use std::collections::BTreeMap;

use pdb_lab::SearchName;
use pdb_search::Weight;
use tilebase::pdb_core::excerpt::printable_text;
use tilebase_draw::{Colour, Pen};

use self::axis::{Axis, Unit};
use self::bands::Band;
use self::bounds::Points;
use self::lines::{REFERENCE, pen, pens};
use self::plane::Plane;
use crate::comparison::{Comparison, Pair};
use crate::statistics::Spread;

mod axis;
mod bands;
mod bounds;
mod lines;
mod plane;

pub use bounds::{Histories, History, Steps, bounds_over_time};

/// Searches, and the weighted ones that search as they do with weight 1.
const UNWEIGHTED: [(SearchName, SearchName); 2] =
    [(SearchName::ASTAR, SearchName::WEIGHTED_ASTAR), (SearchName::IDA, SearchName::WEIGHTED_IDA)];

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

const BOXES: &str = "From the smallest to the largest value, on a logarithmic scale. The box holds the middle half \
                     of the boards. The line in it is the median, which also stands beside it as a number, and \
                     the dot is the mean. Boards that were not solved are left out.";
const WEIGHTS: &str = "Means over the boards that all of these pairs solved. The number beside a dot is the weight; \
                       A* and IDA* have weight 1. The dashed line is the mean of the shortest lengths.";
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
    add("nodes.svg", "Generated nodes per board", BOXES, &|caption| {
        chart.boxes(caption, Unit::Count, |pair| pair.summary.spread.generated)
    });
    add("time.svg", "Time per board", BOXES, &|caption| {
        chart.boxes(caption, Unit::Seconds, |pair| pair.summary.spread.seconds)
    });
    add("weights.svg", "Solution length and nodes by weight", WEIGHTS, &|caption| {
        chart.weights(caption)
    });
    add("estimates.svg", "Mean estimate by true distance", ESTIMATES, &|caption| {
        chart.estimates(caption)
    });
    add("tables.svg", "Generated nodes per board (mean) by size of tables", TABLES, &|caption| {
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

    /// Draws a box for each pair, in the colour of its line.
    fn boxes(
        &self,
        caption: Caption<'_>,
        unit: Unit,
        spread: impl Fn(&Pair) -> Option<Spread>,
    ) -> Option<String> {
        let pairs = self.pairs.iter().zip(self.names()).zip(self.pens());
        let bands: Vec<Band> = pairs
            .filter_map(|((pair, name), Pen { colour, .. })| {
                Some(Band { name, colour, spread: spread(pair)? })
            })
            .collect();
        let ends = bands.iter().flat_map(|band| [band.spread.min, band.spread.max]);
        let axis = Axis::around(ends, unit, true)?;
        Some(bands::draw(caption.title, caption.about, axis, &bands))
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

    /// Counts the boards of a pair by optimum and estimate.
    fn counts(&self, pair: &Pair) -> Counts {
        let mut counts = Counts::new();
        for sample in &pair.row.samples {
            let optimum = self.comparison.optima.of_board(sample.board);
            if let Some(place) = optimum.zip(sample.estimate) {
                *counts.entry(place).or_default() += 1;
            }
        }
        counts
    }

    /// Draws the mean estimate by true distance, for each heuristic.
    fn estimates(&self, caption: Caption<'_>) -> Option<String> {
        let mut lines: Vec<(&str, Colour, Points)> = Vec::new();
        for (pair, pen) in self.pairs.iter().zip(self.pens()) {
            // Estimates do not depend on the search.
            if pair.row.name.heuristic.is_none()
                || lines.iter().any(|(name, ..)| *name == heuristic(pair))
            {
                continue;
            }
            let points = means(&self.counts(pair));
            if !points.is_empty() {
                lines.push((heuristic(pair), pen.colour, points));
            }
        }
        let points = || lines.iter().flat_map(|(.., points)| points);
        let x = Axis::around(points().map(|point| point.0), Unit::Moves, false)?;
        let y = points().flat_map(|&(distance, estimate)| [distance, estimate]);
        let y = Axis::around(y, Unit::Moves, false)?;
        let names = lines.iter().map(|(name, ..)| *name).chain(["true distance"]);
        let names: Vec<&str> = names.collect();
        let axes = (("true distance, moves", x), ("estimate, moves", y));
        let mut plane = Plane::new(caption, axes.0, axes.1, &names);
        let (low, high) = (x.low.max(y.low), x.high.min(y.high));
        plane.mark((low, low), (high, high));
        let mut ends = vec![("true distance", REFERENCE, high)];
        for (name, colour, points) in &lines {
            plane.line(points, Pen::new(*colour, 2.0));
            for &point in points {
                plane.dot(point, 2.0, *colour, 1.0);
            }
            let end = points.last().map_or(0.0, |point| point.1);
            ends.push((name, Pen::new(*colour, 2.0), end));
        }
        plane.names_at_ends(&ends);
        Some(plane.to_svg())
    }

    /// Draws nodes by size of tables, on logarithmic axes.
    fn tables(&self, caption: Caption<'_>) -> Option<String> {
        let points: Vec<(&Pair, Pen, (f64, f64))> = self
            .pairs
            .iter()
            .zip(self.pens())
            .filter(|(pair, _)| pair.row.table_bytes > 0)
            .filter_map(|(pair, pen)| {
                Some((*pair, pen, (pair.row.table_bytes as f64, pair.summary.generated?)))
            })
            .collect();
        let x = Axis::around(points.iter().map(|(.., point)| point.0), Unit::Bytes, true)?;
        let y = Axis::around(points.iter().map(|(.., point)| point.1), Unit::Count, true)?;
        let searches = distinct(points.iter().map(|(pair, ..)| pair.row.name.search.as_str()));
        let heuristics = points.iter().map(|(pair, ..)| heuristic(pair));
        // Reserves room for names beside their points.
        let room: Vec<&str> = searches.iter().copied().chain(heuristics).collect();
        let axes = (("tables", x), ("generated nodes (mean)", y));
        let mut plane = Plane::new(caption, axes.0, axes.1, &room);
        let mut named: Vec<&str> = Vec::new();
        // Colours stand for searches only if there are several; the names stand for heuristics.
        let is_one = searches.len() == 1;
        for (pair, own, point) in &points {
            let search = pen(number_of(&pair.row.name.search, &searches));
            plane.dot(*point, 4.0, if is_one { own.colour } else { search.colour }, 1.0);
            // Names each heuristic once.
            if !named.contains(&heuristic(pair)) {
                named.push(heuristic(pair));
                plane.word(*point, heuristic(pair));
            }
        }
        if !is_one {
            plane.names(numbered(&searches));
        }
        Some(plane.to_svg())
    }
}

/// Returns names with the pens of their numbers.
fn numbered<'a>(names: &[&'a str]) -> impl Iterator<Item = (&'a str, Pen)> {
    names.iter().enumerate().map(|(number, &name)| (name, pen(number)))
}

/// Numbers of boards by optimum and estimate.
type Counts = BTreeMap<(u32, u32), u32>;

/// Returns the mean estimate of each optimum.
fn means(counts: &Counts) -> Points {
    let mut sums: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
    for (&(optimum, estimate), &count) in counts {
        let (boards, sum) = sums.entry(optimum).or_default();
        *boards += count;
        *sum += count * estimate;
    }
    let mean = |(optimum, (boards, sum))| (f64::from(optimum), f64::from(sum) / f64::from(boards));
    sums.into_iter().map(mean).collect()
}
