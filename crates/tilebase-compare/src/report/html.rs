//! Comparisons as one HTML file without scripts or links to other files.

use std::fmt::Write;

use super::grid::{self, Grid};
use crate::chart::Chart;
use crate::comparison::Comparison;
use tilebase::names::goal_name;
use tilebase_draw::xml;

/// Styles for light and dark screens. Printers use the light ones.
const STYLE: &str = "
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1f2328; --quiet: #59636e; --grid: #d8dee4; --shade: #f6f8fa; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #15191e; --ink: #e6e8eb; --quiet: #9aa4af; --grid: #343b44; --shade: #1d232a; }
}
@media print {
  :root { color-scheme: light; --paper: #ffffff; --ink: #000000; --quiet: #333333; --grid: #cccccc; --shade: #ffffff; }
}
body { margin: 2rem auto; max-width: 78rem; padding: 0 1rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; } h2 { margin-top: 2.5rem; } h3 { margin-top: 2rem; }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
dl.facts dt { color: var(--quiet); } dl.facts dd { margin: 0; overflow-wrap: anywhere; }
dl.words dt { font-weight: 600; margin-top: .6rem; } dl.words dd { margin: 0; }
.wide { overflow-x: auto; margin: 1.2rem 0; }
table { border-collapse: collapse; font-size: .82rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; caption-side: top; }
caption span { display: inline-block; position: sticky; left: 0; max-width: calc(100vw - 2rem); }
th, td { padding: .25rem .55rem; border-bottom: 1px solid var(--grid); white-space: nowrap; text-align: right; }
th.name { text-align: left; font-weight: 400; } thead th, thead th.name { font-weight: 600; background: var(--shade); }
figure { margin: 1.5rem 0; break-inside: avoid; } figcaption { color: var(--quiet); font-size: .9rem; }
figure svg { max-width: 100%; min-width: 44rem; height: auto; border: 1px solid var(--grid); border-radius: 4px; }
figure svg .paper { fill: var(--paper); } figure svg .ink { fill: var(--ink); } figure svg .grid { fill: var(--grid); }
figure svg .ink-line { stroke: var(--ink); } figure svg .grid-line { stroke: var(--grid); }
@media print { body { margin: 0; max-width: none; font-size: 11px; } .wide { overflow: visible; }
  figure svg { min-width: 0; }
  tr { break-inside: avoid; } caption { break-after: avoid; }
  table { font-size: 7.5px; } th, td { padding: .15rem .3rem; } h2, h3 { break-after: avoid; } }
";

/// Terms of the page and their definitions.
const WORDS: [(&str, &str); 12] = [
    (
        "generated, expanded",
        "Generated nodes are those whose estimate was computed; expanded nodes are those whose children were \
         generated. Repeated nodes count each time.",
    ),
    ("boards, optimal", "Number of solved boards, and of boards with a proved optimum."),
    (
        "above best",
        "Mean number of moves above the shortest solution that any of the searches found.",
    ),
    ("off by", "Largest number of moves above the proved lower bound."),
    (
        "optimum, distance h*",
        "The length of a board's shortest solutions, if the searches together have proved it.",
    ),
    (
        "sd, quartiles",
        "The standard deviation of the sample, with the divisor n - 1. Quantiles are interpolated around the index \
         (n - 1) p: type 7 of Hyndman and Fan, as in R and NumPy.",
    ),
    ("relative error", "(h* - h) / h* for the estimate h of a board and its distance h*."),
    (
        "b*",
        "The effective branching factor: a tree with the depth of the solution, in which each node has b* children, \
         has N + 1 nodes. N is the number of generated or of expanded nodes; the mean is over the boards.",
    ),
    (
        "geometric mean of ratios",
        "Geometric mean of the ratios of the boards that pair and baseline both solved. All boards count equally; \
         boards where one number is 0 are skipped.",
    ),
    (
        "ratio of sums",
        "The sum over these boards, divided by the baseline's sum. Hard boards dominate it. It equals the ratio of \
         the means.",
    ),
    (
        "95 % interval",
        "A bootstrap percentile interval: the boards are resampled with replacement, with a fixed seed, and the \
         interval has the middle 95 % of the values.",
    ),
    ("time", "Wall time of a board's search, on the machine and under the load of the run."),
];

/// Title and facts of the page.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// Title.
    pub title: String,
    /// Conditions of the searches: names and values.
    pub conditions: Vec<(String, String)>,
}

/// Returns everything except the boards as one HTML file, with the charts.
pub fn html(page: &Page, comparisons: &[Comparison], charts: &[Chart]) -> String {
    let title = xml(&page.title);
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"generator\" content=\"tilebase {}\"/>\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n",
        env!("CARGO_PKG_VERSION")
    );
    facts(&mut html, page, comparisons);
    html.push_str("<h2>Means</h2>\n");
    table(&mut html, &grid::means(comparisons));
    if let Some(ratios) = grid::ratios(comparisons) {
        html.push_str("<h2>Beside the baseline</h2>\n");
        table(&mut html, &ratios);
    }
    html.push_str("<h2>Distributions</h2>\n");
    for grid in grid::spreads(comparisons) {
        table(&mut html, &grid);
    }
    html.push_str("<h2>Branching</h2>\n");
    table(&mut html, &grid::branching(comparisons));
    html.push_str("<h2>Figures</h2>\n");
    for (number, chart) in charts.iter().enumerate() {
        let number = number + 1;
        push(
            &mut html,
            format_args!(
                "<figure>\n<div class=\"wide\" role=\"region\" aria-label=\"Figure {number}\" tabindex=\"0\">\n{}</div>\n\
                 <figcaption><strong>Figure {number}.</strong> {}. {}</figcaption>\n</figure>\n",
                chart.svg,
                xml(&chart.title),
                xml(chart.about)
            ),
        );
    }
    html.push_str("<h2>Words and methods</h2>\n<dl class=\"words\">\n");
    for (word, meaning) in WORDS {
        push(&mut html, format_args!("<dt>{}</dt><dd>{}</dd>\n", xml(word), xml(meaning)));
    }
    html.push_str("</dl>\n</main>\n</body>\n</html>\n");
    html
}

/// Appends text. Writing to a string cannot fail.
fn push(html: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = html.write_fmt(text);
}

/// Appends boards, baseline and conditions.
fn facts(html: &mut String, page: &Page, comparisons: &[Comparison]) {
    html.push_str("<dl class=\"facts\">\n");
    let mut fact = |name: &str, what: &str| {
        push(html, format_args!("<dt>{}</dt><dd>{}</dd>\n", xml(name), xml(what)));
    };
    for comparison in comparisons {
        let set = &comparison.set;
        let count = set.boards.len();
        let boards = if count == 1 { "board" } else { "boards" };
        let goal = goal_name(&set.goal);
        let what = format!("{} ({count} {boards} of {}, goal {goal})", set.name, set.goal.shape());
        fact("boards", &what);
    }
    if let Some(baseline) = comparisons.iter().find_map(|comparison| comparison.baseline.as_ref()) {
        fact("baseline", &baseline.to_string());
    }
    for (name, what) in &page.conditions {
        fact(name, what);
    }
    html.push_str("</dl>\n");
}

fn table(html: &mut String, grid: &Grid) {
    let title = xml(&grid.title);
    // A scrollable region needs a tab stop for keyboards.
    push(
        html,
        format_args!(
            "<div class=\"wide\" role=\"region\" aria-label=\"{title}\" tabindex=\"0\">\n<table>\n\
             <caption><span>{title}</span></caption>\n<thead>\n<tr>"
        ),
    );
    for (column, name) in grid.header.iter().enumerate() {
        let class = if column < grid.names { " class=\"name\"" } else { "" };
        push(html, format_args!("<th scope=\"col\"{class}>{}</th>", xml(name)));
    }
    html.push_str("</tr>\n</thead>\n<tbody>\n");
    for line in &grid.lines {
        html.push_str("<tr>");
        for (column, cell) in line.iter().enumerate() {
            let cell = xml(cell);
            if column < grid.names {
                push(html, format_args!("<th scope=\"row\" class=\"name\">{cell}</th>"));
            } else {
                push(html, format_args!("<td>{cell}</td>"));
            }
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table>\n</div>\n");
}
