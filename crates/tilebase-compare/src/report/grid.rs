//! Comparisons as grids of text, for Markdown and HTML.

use tilebase::pdb_core::excerpt::printable_text;

use crate::comparison::{Comparison, Pair};
use crate::numbers::{NOTHING, duration, factor, grouped, quantity, size};
use crate::ratio::{Ratio, Ratios};
use crate::row::PairName;
use crate::statistics::{Interval, Spread};
use crate::summary::Spreads;

/// A table: title, names of columns, and lines of cells.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) title: String,
    pub(super) header: Vec<&'static str>,
    /// Number of columns at the start that name a line.
    pub(super) names: usize,
    pub(super) lines: Vec<Vec<String>>,
}

impl Grid {
    /// Creates the lines for each pair of each comparison, with names before the cells.
    fn of(
        comparisons: &[Comparison],
        title: impl Into<String>,
        columns: &'static str,
        cells: impl Fn(&Pair) -> Vec<Vec<String>>,
    ) -> Self {
        let is_alone = comparisons.len() <= 1;
        let names = ["set", "heuristic", "search"];
        let names = &names[usize::from(is_alone)..];
        let mut lines = Vec::new();
        for (comparison, pair) in pairs(comparisons) {
            let set = (!is_alone).then(|| printable_text(&comparison.set.name));
            let PairName { heuristic, search } = pair.row.name.clone();
            let heuristic = heuristic.unwrap_or_else(|| NOTHING.to_owned());
            let names: Vec<String> = set.into_iter().chain([heuristic, search]).collect();
            lines.extend(cells(pair).into_iter().map(|cells| [names.clone(), cells].concat()));
        }
        let header = names.iter().copied().chain(columns.split('|')).collect();
        Self { title: title.into(), header, names: names.len(), lines }
    }
}

fn pairs(comparisons: &[Comparison]) -> impl Iterator<Item = (&Comparison, &Pair)> {
    comparisons
        .iter()
        .flat_map(|comparison| comparison.pairs.iter().map(move |pair| (comparison, pair)))
}

fn or_nothing(value: Option<f64>, show: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| NOTHING.to_owned(), show)
}

fn moves(moves: f64) -> String {
    format!("{moves:.2}")
}

/// Returns the means of each pair. Lengths are compared with the best ones if they differ.
pub(super) fn means(comparisons: &[Comparison]) -> Grid {
    let above_best = |pair: &Pair| pair.summary.spread.above_best.map(|spread| spread.mean);
    let is_longer = |(_, pair): (_, &Pair)| above_best(pair).is_some_and(|mean| mean > 0.0);
    let compares_best = pairs(comparisons).any(is_longer);
    let columns = if compares_best {
        "boards|optimal|estimate|length|above best|off by|generated|expanded|nodes/s|time|tables|\
         memory|b* gen"
    } else {
        "boards|optimal|estimate|length|off by|generated|expanded|nodes/s|time|tables|memory|b* gen"
    };
    Grid::of(comparisons, "Means over the solved boards", columns, |pair| {
        let summary = &pair.summary;
        let share = |part: usize| format!("{part}/{}", summary.boards);
        let mut cells = vec![
            share(summary.solved),
            share(summary.proven),
            or_nothing(summary.estimate, moves),
            or_nothing(summary.length, moves),
            or_nothing(summary.excess_max.map(f64::from), grouped),
            or_nothing(summary.generated, grouped),
            or_nothing(summary.expanded, grouped),
            or_nothing(summary.nodes_per_second, |rate| quantity(rate, "")),
            or_nothing(summary.seconds, duration),
            size(pair.row.table_bytes),
            size(summary.memory_bytes),
            or_nothing(summary.branching, |mean| format!("{mean:.3}")),
        ];
        if compares_best {
            cells.insert(4, or_nothing(above_best(pair), moves));
        }
        vec![cells]
    })
}

/// Returns a grid of distributions for each number that any pair has.
pub(super) fn spreads(comparisons: &[Comparison]) -> Vec<Grid> {
    type Number = (&'static str, fn(&Spreads) -> Option<Spread>, fn(f64) -> String);
    let numbers: [Number; 5] = [
        ("Generated nodes", |spread| spread.generated, grouped),
        ("Expanded nodes", |spread| spread.expanded, grouped),
        ("Time", |spread| spread.seconds, duration),
        ("Moves of the solution", |spread| spread.length, moves),
        ("Moves above the optimum, where it is proved", |spread| spread.above_optimum, moves),
    ];
    let grid = |(title, of, show): Number| {
        let is_there = pairs(comparisons).any(|(_, pair)| of(&pair.summary.spread).is_some());
        is_there.then(|| {
            let cells = |pair: &Pair| vec![spread_cells(of(&pair.summary.spread), show)];
            Grid::of(comparisons, title, SPREAD, cells)
        })
    };
    numbers.into_iter().filter_map(grid).chain(errors(comparisons)).collect()
}

/// Columns of a distribution.
const SPREAD: &str = "boards|mean|sd|min|q1|median|q3|max";

fn spread_cells(spread: Option<Spread>, show: fn(f64) -> String) -> Vec<String> {
    let Some(Spread { count, mean, sd, min, q1, median, q3, max }) = spread else {
        return SPREAD.split('|').map(|_| NOTHING.to_owned()).collect();
    };
    let mut cells = vec![count.to_string(), show(mean), or_nothing(sd, show)];
    cells.extend([min, q1, median, q3, max].map(show));
    cells
}

/// Returns the distribution of relative errors, with a line for each heuristic: estimates do not
/// depend on the search. `None` if no distance is known.
fn errors(comparisons: &[Comparison]) -> Option<Grid> {
    let title = "Relative error of the estimate, (h* - h) / h*, where the distance h* is proved";
    let mut grid = Grid::of(comparisons, title, SPREAD, |pair| {
        let spread = pair.summary.spread.relative_error;
        spread
            .map(|spread| spread_cells(Some(spread), |error| format!("{error:.3}")))
            .into_iter()
            .collect()
    });
    // Removes the search, which is the last name.
    grid.names -= 1;
    grid.header.remove(grid.names);
    let mut lines: Vec<Vec<String>> = Vec::new();
    for mut line in grid.lines {
        line.remove(grid.names);
        if lines.iter().all(|other| !other.starts_with(&line[..grid.names])) {
            lines.push(line);
        }
    }
    grid.lines = lines;
    (!grid.lines.is_empty()).then_some(grid)
}

/// Returns the effective branching factors by both definitions.
pub(super) fn branching(comparisons: &[Comparison]) -> Grid {
    let columns = "length|generated|b* by generated|expanded|b* by expanded";
    Grid::of(comparisons, "Effective branching factor b* (means)", columns, |pair| {
        let summary = &pair.summary;
        let branching = |mean| or_nothing(mean, |mean| format!("{mean:.4}"));
        vec![vec![
            or_nothing(summary.length, moves),
            or_nothing(summary.generated, grouped),
            branching(summary.branching),
            or_nothing(summary.expanded, grouped),
            branching(summary.branching_expanded),
        ]]
    })
}

/// Returns the ratios to the baseline, if there is one.
pub(super) fn ratios(comparisons: &[Comparison]) -> Option<Grid> {
    type Number = (&'static str, fn(&Ratios) -> Ratio);
    let baseline = comparisons.iter().find_map(|comparison| comparison.baseline.as_ref())?;
    let resamples = pairs(comparisons).filter_map(|(_, pair)| pair.ratios);
    let resamples = resamples.map(|ratios| ratios.resamples).min().unwrap_or(0);
    let title = format!(
        "Ratios to {baseline} over the boards that both solved, with 95 % intervals ({} bootstrap \
         resamples)",
        grouped(resamples as f64)
    );
    let columns = "of|boards|geometric mean|interval|ratio of sums|interval";
    let numbers: [Number; 4] = [
        ("generated", |ratios| ratios.generated),
        ("expanded", |ratios| ratios.expanded),
        ("time", |ratios| ratios.seconds),
        ("length", |ratios| ratios.length),
    ];
    Some(Grid::of(comparisons, title, columns, |pair| {
        // The baseline's own ratio is 1.
        let Some(ratios) = pair.ratios.filter(|_| pair.row.name != *baseline) else {
            return Vec::new();
        };
        let line = |(name, of): Number| {
            let Ratio { geometric_mean, of_sums } = of(&ratios);
            let mut cells = vec![name.to_owned(), ratios.boards.to_string()];
            for interval in [geometric_mean, of_sums] {
                cells.push(or_nothing(interval.map(|interval| interval.value), factor));
                cells.push(interval.and_then(ends).unwrap_or_else(|| NOTHING.to_owned()));
            }
            cells
        };
        numbers.map(line).into()
    }))
}

fn ends(interval: Interval) -> Option<String> {
    Some(format!("{} to {}", factor(interval.low?), factor(interval.high?)))
}
