//! Explanations as printed text for people, within eighty columns.

use std::io::{self, Write};

use pdb_core::numbers::grouped;
use pdb_lab::parts::cycle;
use tilebase::explain::{Explanation, HeuristicParts, OmittedHeuristic, Part, Solvability, Value};
use tilebase::names::goal_name;
use tilebase::{Board, Goal, Metric};

use crate::output::counted;
use crate::record::board_text;

/// Greatest width of a line, unless a single word is longer.
const WIDTH: usize = 80;

/// Writes the explanation of a board.
pub(crate) fn write(output: &mut impl Write, explained: &Explanation) -> io::Result<()> {
    let mut page = WrappedText(board_text(&explained.board));
    let goal = Goal::new(explained.goal);
    page.line("");
    page.paragraph("", &format!("The goal is {}.", goal_name(&goal)));
    write_solvability(&mut page, explained);
    if !explained.heuristics.is_empty() {
        write_estimates(&mut page, explained);
    }
    for heuristic in &explained.heuristics {
        page.line("");
        write_heuristic(&mut page, heuristic);
    }
    write_space(&mut page, explained);
    output.write_all(page.0.as_bytes())
}

/// Text in lines.
struct WrappedText(String);

impl WrappedText {
    fn line(&mut self, line: &str) {
        self.0.push_str(line);
        self.0.push('\n');
    }

    /// Writes a line with its spaces, or a paragraph if the line is too long.
    fn line_or_paragraph(&mut self, indent: &str, text: &str) {
        if indent.len() + text.chars().count() > WIDTH {
            return self.paragraph(indent, text);
        }
        self.line(&format!("{indent}{text}"));
    }

    /// Writes a text, broken into lines. All lines but the first are indented by two more columns.
    fn paragraph(&mut self, indent: &str, text: &str) {
        let mut line = indent.to_owned();
        let mut is_empty = true;
        for word in text.split_whitespace() {
            if !is_empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
                self.line(&line);
                line = format!("{indent}  ");
                is_empty = true;
            }
            if !is_empty {
                line.push(' ');
            }
            line.push_str(word);
            is_empty = false;
        }
        self.line(&line);
    }
}

fn parity(number: u32) -> &'static str {
    if number.is_multiple_of(2) { "even" } else { "odd" }
}

fn write_solvability(page: &mut WrappedText, explained: &Explanation) {
    let solvable = &explained.solvable;
    page.line(&format!(
        "\nCan it be solved? {}.\n",
        if solvable.is_solvable { "Yes" } else { "No" }
    ));
    if let Some(is_in_order) = solvable.is_in_order {
        return write_order(page, explained, is_in_order);
    }
    let Solvability { cycles, transpositions, permutation, blank_distance, .. } = solvable;
    if cycles.is_empty() {
        page.paragraph("  ", "Each tile is at home, so nothing has to be exchanged: even.");
    } else {
        let text = "An arrow leads to the tile that stands on a tile's home; . is the blank:";
        page.paragraph("  ", text);
        for tiles in cycles {
            let exchanges = counted((tiles.len() - 1) as u64, "exchange");
            page.paragraph("    ", &format!("{} ({exchanges})", cycle(tiles)));
        }
        let text = format!(
            "A cycle of n pieces takes n - 1 exchanges: {transpositions} in all, an {permutation} number."
        );
        page.paragraph("  ", &text);
    }
    let text = format!(
        "The blank is {} and {} from its home: {}, an {} number.",
        counted(solvable.blank_rows, "row"),
        counted(solvable.blank_columns, "column"),
        counted(*blank_distance, "move"),
        parity(*blank_distance)
    );
    page.paragraph("  ", &text);
    let rule = "Each move exchanges the blank with a tile and takes it one cell on, so it changes both \
        parities. At the goal both are even.";
    page.paragraph("  ", rule);
    let text = if solvable.is_solvable {
        format!(
            "Here they agree, so moves lead to the goal, an {} number of them in every solution.",
            parity(*blank_distance)
        )
    } else {
        "Here they differ, so no moves lead to the goal.".to_owned()
    };
    page.paragraph("  ", &text);
    if let Some(exchange) = &solvable.exchange {
        let [first, second] = exchange.tiles;
        page.line("");
        let text = format!(
            "Exchange {first} and {second}, or any two tiles, and moves lead from here to the goal:"
        );
        page.paragraph("  ", &text);
        page.line("");
        page.0.push_str(&board_text(&exchange.board));
        page.line("");
        let text = match &solvable.solvable_with[..] {
            [] => "As it is, moves lead to no goal that has a name.".to_owned(),
            goals => format!("As it is, moves lead to --goal {}.", goals.join(" and to --goal ")),
        };
        page.paragraph("  ", &text);
    }
}

/// Writes why a board of one line can be solved, or why not.
fn write_order(page: &mut WrappedText, explained: &Explanation, is_in_order: bool) {
    let order = |board: &Board| {
        board.tiles_in_order().map(|tile| tile.to_string()).collect::<Vec<_>>().join(" ")
    };
    let rule = "On a board of one line tiles cannot pass each other, so moves change only the blank's \
        place.";
    page.paragraph("  ", rule);
    page.paragraph("  ", &format!("The order of the tiles is {}.", order(&explained.board)));
    page.paragraph("  ", &format!("The order at the goal is {}.", order(&explained.goal)));
    let text = if is_in_order {
        format!(
            "They are the same, so the blank goes home: {}.",
            counted(explained.solvable.blank_distance, "move")
        )
    } else {
        "They differ, so no moves lead to the goal.".to_owned()
    };
    page.paragraph("  ", &text);
}

/// Writes the table of estimates, and the lower bound that follows from it.
fn write_estimates(page: &mut WrappedText, explained: &Explanation) {
    let is_solvable = explained.solvable.is_solvable;
    let noun = explained.metric.noun();
    page.line(&if is_solvable {
        format!("\nHow many {noun}s at least?\n")
    } else {
        "\nWhat do heuristics estimate, though there is no solution?\n".to_owned()
    });
    let heuristics = &explained.heuristics;
    let longest = heuristics.iter().map(|heuristic| heuristic.name.chars().count()).max();
    let width = longest.unwrap_or(0).min(WIDTH - 12);
    for HeuristicParts { name, estimate, tables_checked, .. } in heuristics {
        let unchecked = if tables_checked.is_some() { "  (tables not checked)" } else { "" };
        page.line(&format!("  {name:<width$}  {estimate:>4}{unchecked}"));
    }
    if explained.lower_bound.is_some() || !explained.left_out.is_empty() {
        page.line("");
    }
    if let Some(bound) = explained.lower_bound {
        let largest = heuristics.last().map_or(0, |heuristic| heuristic.estimate);
        let odd = parity(explained.solvable.blank_distance);
        let because = if bound == largest {
            String::new()
        } else {
            format!(", since {largest} is not {odd}")
        };
        let text = format!("No solution has fewer than {}{because}.", counted(bound, noun));
        page.paragraph("  ", &text);
    }
    for left_out in &explained.left_out {
        let OmittedHeuristic { name, reason, is_buildable, .. } = left_out;
        let advice =
            if *is_buildable { format!("; --spec {name} builds them") } else { String::new() };
        page.paragraph("  ", &format!("Left out: {name}: {reason}{advice}."));
    }
}

/// Writes an estimate and its parts.
fn write_heuristic(page: &mut WrappedText, heuristic: &HeuristicParts) {
    page.paragraph("", &format!("{}: {}", heuristic.name, heuristic.parts.sum()));
    write_part(page, "  ", &heuristic.parts);
}

/// Writes the text of a part, and below it the text of the parts that it consists of.
fn write_part(page: &mut WrappedText, indent: &str, part: &Part) {
    let mut indent = indent.to_owned();
    if let Some((sentence, lines)) = part.text.split_first() {
        page.paragraph(&indent, sentence);
        indent.push_str("  ");
        for line in lines {
            page.line_or_paragraph(&indent, line);
        }
    }
    part.fields.iter().for_each(|(_, value)| write_value(page, &indent, value));
}

fn write_value(page: &mut WrappedText, indent: &str, value: &Value) {
    match value {
        Value::Part(part) => write_part(page, indent, part),
        Value::List(values) => values.iter().for_each(|value| write_value(page, indent, value)),
        Value::Heuristic(heuristic) => {
            page.line("");
            write_heuristic(page, heuristic);
        }
        Value::Null | Value::Flag(_) | Value::Number(_) | Value::Name(_) => (),
    }
}

fn write_space(page: &mut WrappedText, explained: &Explanation) {
    let (space, branching) = (&explained.space, &explained.branching);
    let is_line = explained.solvable.is_in_order.is_some();
    page.line("\nHow large is it?\n");
    let text = format!(
        "{} cells hold their pieces in {}! = {} ways. From {} moves lead to the goal: {} \
         boards.",
        space.cells,
        space.cells,
        grouped(&space.arrangements),
        if is_line { "those in its order" } else { "half of them" },
        grouped(&space.boards)
    );
    page.paragraph("  ", &text);
    let moves = counted(branching.moves as u64, explained.metric.noun());
    let text = match explained.metric {
        _ if is_line => {
            format!("This board has {moves}. The tree ends at the ends of the line.")
        }
        Metric::SingleTile => format!(
            "This board has {moves}, and boards have {:.4} on average. Without moves that take the \
             last one back, the tree of moves grows by a factor of {:.4} from level to level in the \
             long run.",
            branching.mean, branching.tree
        ),
        Metric::MultiTile => format!(
            "Each board has {moves}. Slides along rows and along columns take turns in a shortest \
             solution, so the tree of slides grows by a factor of {:.4} from level to level.",
            branching.tree
        ),
    };
    page.paragraph("  ", &text);
    let [this, other] = branching.tree_levels;
    if (this - other).abs() > 1e-5 && !is_line {
        let first = match explained.metric {
            Metric::SingleTile => "that of this board's level",
            Metric::MultiTile => "that of slides along rows",
        };
        let text = format!(
            "That is the geometric mean of {this:.4} and {other:.4}, which take turns; the first is \
             {first}."
        );
        page.paragraph("  ", &text);
    }
}
