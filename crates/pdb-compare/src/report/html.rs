//! Comparisons as a page in one file: no other file, no script and no network is needed to read it.

use std::fmt::Write;

use super::grid::{self, Grid};
use crate::chart::Chart;
use crate::comparison::Comparison;
use pdb_draw::xml;
use tilebase::goal_name;

/// Colours for light and dark screens; printers get the light ones.
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
th, td { padding: .25rem .55rem; border-bottom: 1px solid var(--grid); white-space: nowrap; text-align: right; }
th.name { text-align: left; font-weight: 400; } thead th, thead th.name { font-weight: 600; background: var(--shade); }
figure { margin: 1.5rem 0; break-inside: avoid; } figcaption { color: var(--quiet); font-size: .9rem; }
figure svg { max-width: 100%; height: auto; border: 1px solid var(--grid); border-radius: 4px; }
figure svg .paper { fill: var(--paper); } figure svg .ink { fill: var(--ink); } figure svg .grid { fill: var(--grid); }
figure svg .line { fill: none; } figure svg .ink.line { stroke: var(--ink); } figure svg .grid.line { stroke: var(--grid); }
@media print { body { margin: 0; max-width: none; font-size: 11px; } .wide { overflow: visible; }
  tr { break-inside: avoid; } caption { break-after: avoid; }
  table { font-size: 7.5px; } th, td { padding: .15rem .3rem; } h2, h3 { break-after: avoid; } }
";

/// What the words of the page mean: the term, and how it is reckoned.
const WORDS: [(&str, &str); 11] = [
    (
        "generated, expanded",
        "Nodes whose estimate was asked for, pruned or not; nodes whose children were generated. What is done \
         twice counts twice.",
    ),
    (
        "boards, optimal",
        "How many boards were solved, and how many with the proof that no solution is shorter.",
    ),
    (
        "off by",
        "The most moves that a solution may be longer than a shortest one, as far as its search has proved.",
    ),
    (
        "optimum, distance h*",
        "The length of a board's shortest solutions. It is known where any of the searches, or several together, \
         have proved it.",
    ),
    (
        "sd, quartiles",
        "The standard deviation of the sample, with n - 1 below the sum. Quantiles lie on the line between the \
         values around the place (n - 1) p: type 7 of Hyndman and Fan, as in R and NumPy.",
    ),
    ("relative error", "(h* - h) / h* for the estimate h of a board and its distance h*."),
    (
        "b*",
        "The effective branching factor: a tree of as many moves as the solution has, in which each node has b* \
         children, has N + 1 nodes. \"By generated\" takes generated nodes for N, \"by expanded\" expanded ones; the \
         mean is over the boards.",
    ),
    (
        "geometric mean of ratios",
        "A ratio for each board that pair and baseline both solved, each board counting alike. Boards where one of \
         the numbers is 0 are left out.",
    ),
    (
        "ratio of sums",
        "The sum over these boards, over the baseline's sum. Hard boards decide it. It is the ratio of the means.",
    ),
    (
        "95 % interval",
        "A percentile interval of the bootstrap: as many boards as there are were drawn with replacement again and \
         again, from a generator with a fixed seed, and the middle 95 % of the values is given.",
    ),
    (
        "time",
        "From the beginning of a board's search to its answer, on the machine and beside the load of that day.",
    ),
];

/// What the page says of itself.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// Its title.
    pub title: String,
    /// Under which conditions the boards were searched: what, and how much of it.
    pub conditions: Vec<(String, String)>,
}

/// The page.
pub(super) fn page(page: &Page, comparisons: &[Comparison], charts: &[Chart]) -> String {
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
                "<figure>\n{}<figcaption><strong>Figure {number}.</strong> {}. {}</figcaption>\n</figure>\n",
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

/// To write into a string cannot fail.
fn push(html: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = html.write_fmt(text);
}

/// What was compared, and how.
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
    // What may be scrolled has to be reached without a mouse.
    push(
        html,
        format_args!(
            "<div class=\"wide\" role=\"region\" aria-label=\"{title}\" tabindex=\"0\">\n<table>\n\
             <caption>{title}</caption>\n<thead>\n<tr>"
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
