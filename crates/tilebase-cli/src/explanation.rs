//! Explanations as printed text for people, within eighty columns.

use std::fmt::Display;
use std::io::{self, Write};

use tilebase::explain::{
    AxisInversions, AxisWalking, CornerPart, EndingPart, Explanation, HeuristicParts, LineName,
    LinePart, PartitionPart, Parts, PatternPart, Solvability, TilePart,
};
use tilebase::names::goal_name;
use tilebase::{Board, Goal};
use tilebase_draw::grouped;

use crate::output::counted;
use crate::record::board_text;

/// Greatest width of a line, unless a single word is longer.
const WIDTH: usize = 80;

/// Writes the explanation of a board.
pub(crate) fn write(output: &mut impl Write, explained: &Explanation) -> io::Result<()> {
    let mut page = Page(board_text(&explained.board));
    let goal = Goal::new(explained.goal);
    page.line("");
    page.paragraph("", &format!("The goal is {}.", goal_name(&goal)));
    write_solvability(&mut page, &explained.solvable);
    if !explained.heuristics.is_empty() {
        write_estimates(&mut page, explained);
    }
    for heuristic in &explained.heuristics {
        page.line("");
        write_heuristic(&mut page, &explained.board, heuristic);
    }
    write_space(&mut page, explained);
    output.write_all(page.0.as_bytes())
}

/// Text in lines.
struct Page(String);

impl Page {
    fn line(&mut self, line: &str) {
        self.0.push_str(line);
        self.0.push('\n');
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

/// Converts a count.
fn number(count: usize) -> u64 {
    count as u64
}

fn parity(number: u32) -> &'static str {
    if number.is_multiple_of(2) { "even" } else { "odd" }
}

/// Returns a piece as boards show it, the blank as a dot.
fn piece(tile: u8) -> String {
    if tile == 0 { ".".to_owned() } else { tile.to_string() }
}

/// Returns a list such as "1", "1 and 2" or "1, 2 and 3".
fn listed(items: &[impl Display]) -> String {
    match items {
        [] => String::new(),
        [only] => only.to_string(),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(ToString::to_string).collect();
            format!("{} and {last}", first.join(", "))
        }
    }
}

/// Returns numbers with a space between them.
fn spaced(items: &[impl Display]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn cycle(tiles: &[u8]) -> String {
    let pieces: Vec<String> = tiles.iter().chain(tiles.first()).map(|&tile| piece(tile)).collect();
    pieces.join(" -> ")
}

fn write_solvability(page: &mut Page, solvable: &Solvability) {
    page.line(&format!(
        "\nCan it be solved? {}.\n",
        if solvable.is_solvable { "Yes" } else { "No" }
    ));
    let Solvability { cycles, transpositions, permutation, blank_distance, .. } = solvable;
    if cycles.is_empty() {
        page.paragraph("  ", "Each tile is at home, so nothing has to be exchanged: even.");
    } else {
        let text = "An arrow leads to the tile that stands on a tile's home; . is the blank:";
        page.paragraph("  ", text);
        for tiles in cycles {
            let exchanges = counted(number(tiles.len() - 1), "exchange");
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
            "It would take an exchange of two tiles, any two. With {first} and {second} exchanged, \
             moves lead from here to the goal:"
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

/// Writes the table of estimates, and the lower bound that follows from it.
fn write_estimates(page: &mut Page, explained: &Explanation) {
    page.line("\nHow many moves at least?\n");
    let heuristics = &explained.heuristics;
    let longest = heuristics.iter().map(|heuristic| heuristic.name.chars().count()).max();
    let width = longest.unwrap_or(0).min(WIDTH - 12);
    for HeuristicParts { name, estimate, tables_checked, .. } in heuristics {
        let unchecked = if tables_checked.is_some() { "  (tables not checked)" } else { "" };
        page.line(&format!("  {name:<width$}  {estimate:>4}{unchecked}"));
    }
    page.line("");
    if let Some(bound) = explained.lower_bound {
        let largest = heuristics.last().map_or(0, |heuristic| heuristic.estimate);
        let odd = parity(explained.solvable.blank_distance);
        let because = if bound == largest {
            String::new()
        } else {
            format!(", since {largest} is not {odd}")
        };
        let text = format!("No solution has fewer than {}{because}.", counted(bound, "move"));
        page.paragraph("  ", &text);
    }
    for left_out in &explained.left_out {
        page.paragraph("  ", &format!("Left out: {}: {}.", left_out.name, left_out.reason));
    }
}

/// Returns the summands of an estimate as text.
fn sum(parts: &[u32]) -> String {
    if parts.len() < 2 {
        return String::new();
    }
    format!(" = {}", parts.iter().map(ToString::to_string).collect::<Vec<_>>().join(" + "))
}

fn write_heuristic(page: &mut Page, board: &Board, heuristic: &HeuristicParts) {
    let HeuristicParts { name, estimate, parts, .. } = heuristic;
    let summands: Vec<u32> = match parts {
        Parts::Gaschnig { cycles } => cycles.iter().map(|cycle| cycle.jumps).collect(),
        Parts::LinearConflict { manhattan, lines } => {
            [*manhattan].into_iter().chain(lines.iter().map(|line| line.moves)).collect()
        }
        Parts::CornerTiles { manhattan, lines, corners } => {
            let of_lines: u32 = lines.iter().map(|line| line.moves).sum();
            [manhattan + of_lines].into_iter().chain(corners.iter().map(|c| c.moves)).collect()
        }
        Parts::LastMoves { endings, .. } => {
            let ending = endings.first().map_or(0, |ending| ending.moves);
            vec![estimate - ending, ending]
        }
        Parts::Pairwise { manhattan, pairs } => {
            [*manhattan].into_iter().chain(pairs.iter().map(|pair| pair.moves)).collect()
        }
        Parts::Inversion { vertical, horizontal } => vec![vertical.moves, horizontal.moves],
        Parts::Walking { vertical, horizontal } => vec![vertical.moves, horizontal.moves],
        Parts::WalkingInversion { vertical, horizontal } => vec![vertical.moves, horizontal.moves],
        Parts::Misplaced { .. }
        | Parts::Manhattan { .. }
        | Parts::Additive { .. }
        | Parts::Plain { .. }
        | Parts::Max { .. }
        | Parts::Own {} => Vec::new(),
    };
    page.paragraph("", &format!("{name}: {estimate}{}", sum(&summands)));
    write_parts(page, board, parts);
}

fn write_parts(page: &mut Page, board: &Board, parts: &Parts) {
    match parts {
        Parts::Misplaced { tiles } if tiles.is_empty() => nothing(page),
        Parts::Misplaced { tiles } => {
            page.paragraph("  ", &format!("not at home: {}", spaced(tiles)));
        }
        Parts::Gaschnig { cycles } if cycles.is_empty() => nothing(page),
        Parts::Gaschnig { cycles } => {
            page.paragraph("  ", "Any tile may jump into the blank, near or far:");
            for part in cycles {
                let jumps = counted(part.jumps, "jump");
                page.paragraph("    ", &format!("{}: {jumps}", cycle(&part.tiles)));
            }
        }
        Parts::Manhattan { tiles } => write_shares(page, board, tiles),
        Parts::LinearConflict { lines, .. } => write_lines(page, lines),
        Parts::CornerTiles { corners, .. } => {
            page.paragraph("  ", "Linear conflicts, and:");
            write_corners(page, corners);
        }
        Parts::LastMoves { endings, .. } => write_endings(page, endings),
        Parts::Inversion { vertical, horizontal } => {
            write_inversions(page, "from row to row", vertical);
            write_inversions(page, "from column to column", horizontal);
        }
        Parts::Pairwise { pairs, .. } if pairs.is_empty() => {
            page.paragraph("  ", "No two tiles are in each other's way.");
        }
        Parts::Pairwise { pairs, .. } => {
            page.paragraph("  ", "Manhattan distance, and for pairs in each other's way:");
            for pair in pairs {
                let [first, second] = pair.tiles;
                let moves = counted(pair.moves, "move");
                page.paragraph("    ", &format!("{first} and {second}: {moves}"));
            }
        }
        Parts::Walking { vertical, horizontal } => {
            write_walking(page, "row", vertical);
            write_walking(page, "column", horizontal);
        }
        Parts::WalkingInversion { vertical, horizontal } => {
            for (moves, axis) in
                [("from row to row", vertical), ("from column to column", horizontal)]
            {
                let text = format!(
                    "{moves}: the larger of {} (Walking Distance) and {} (inversions)",
                    axis.walking, axis.inversion
                );
                page.paragraph("  ", &text);
            }
        }
        Parts::Additive { partitions } => write_partitions(page, partitions),
        Parts::Plain { patterns } => write_patterns(page, patterns),
        Parts::Max { heuristics } => {
            page.paragraph("  ", "The largest of:");
            for part in heuristics {
                page.line("");
                write_heuristic(page, board, part);
            }
        }
        Parts::Own {} => (),
    }
}

fn nothing(page: &mut Page) {
    page.paragraph("  ", "Each tile is at home.");
}

/// Writes the share of each tile at its place on the board.
fn write_shares(page: &mut Page, board: &Board, tiles: &[TilePart]) {
    page.paragraph("  ", "Rows and columns between each tile and its home:");
    for row in board.tiles().chunks(board.shape().cols()) {
        let share = |&tile: &u8| match tiles.iter().find(|way| way.tile == tile) {
            Some(way) => format!("{:>2}", way.moves),
            None => format!("{:>2}", if tile == 0 { "." } else { "0" }),
        };
        page.line(&format!("    {}", row.iter().map(share).collect::<Vec<_>>().join(" ")));
    }
}

fn line_name(line: LineName) -> String {
    match line {
        LineName::Row(row) => format!("row {row}"),
        LineName::Column(column) => format!("column {column}"),
    }
}

fn write_lines(page: &mut Page, lines: &[LinePart]) {
    if lines.is_empty() {
        page.paragraph("  ", "In no line are tiles of that line in the wrong order.");
        return;
    }
    page.paragraph("  ", "Manhattan distance, and for tiles that have to let others pass:");
    for LinePart { line, tiles, leaving, moves, .. } in lines {
        let leave = if leaving.len() == 1 {
            "leaves the line and comes back"
        } else {
            "leave the line and come back"
        };
        let text = format!(
            "{}: {} are not in order: {} {leave}: {}",
            line_name(*line),
            spaced(tiles),
            listed(leaving),
            counted(*moves, "move")
        );
        page.paragraph("    ", &text);
    }
}

fn write_corners(page: &mut Page, corners: &[CornerPart]) {
    if corners.is_empty() {
        page.paragraph("    ", "no tile at home has to let one out of a corner");
        return;
    }
    for CornerPart { row, column, tile, beside, moves, .. } in corners {
        let verb = if beside.len() == 1 { "makes way and comes" } else { "make way and come" };
        let text = format!(
            "{tile} has to leave the corner in row {row}, column {column}: {}, at home beside it, {verb} \
             back: {}",
            listed(beside),
            counted(*moves, "move")
        );
        page.paragraph("    ", &text);
    }
}

fn write_endings(page: &mut Page, endings: &[EndingPart]) {
    if endings.is_empty() {
        nothing(page);
        return;
    }
    let text = "Corner tiles, and the detours of the cheapest way in which a solution may end:";
    page.paragraph("  ", text);
    for (i, EndingPart { last, before, moves, .. }) in endings.iter().enumerate() {
        let before = before.map_or_else(String::new, |before| {
            format!(", before it {} ({})", before.tile, counted(before.moves, "move"))
        });
        let counts = if i == 0 { COUNTS } else { "" };
        let text = format!(
            "last {} ({}){before}: {}{counts}",
            last.tile,
            counted(last.moves, "move"),
            counted(*moves, "move")
        );
        page.paragraph("    ", &text);
    }
}

/// Mark of the part that determines the estimate.
const COUNTS: &str = " <- counts";

fn write_inversions(page: &mut Page, moves: &str, axis: &AxisInversions) {
    let AxisInversions { lines, inversions, passed, moves: bound, .. } = axis;
    let line = |line: &Vec<tilebase::explain::TileInversions>| {
        spaced(&line.iter().map(|read| read.tile).collect::<Vec<_>>())
    };
    let read = lines.iter().map(line).collect::<Vec<_>>().join(" | ");
    page.paragraph("  ", &format!("{moves}: read {read}"));
    let text = format!(
        "{}, {} of which a move undoes at most: {}",
        counted(*inversions, "inversion"),
        passed,
        counted(*bound, "move")
    );
    page.paragraph("    ", &text);
}

/// Writes K. Takahashi's table: tiles by their line and their home line.
fn write_walking(page: &mut Page, word: &str, axis: &AxisWalking) {
    let AxisWalking { lines, blank, blank_home, moves, .. } = axis;
    let text = format!(
        "from {word} to {word}: {}; tiles from {word} k, and the blank (.):",
        counted(*moves, "move")
    );
    page.paragraph("  ", &text);
    let heads: Vec<String> = (1..=lines.len()).map(|home| format!("{home:>3}")).collect();
    let label = word.len() + 6;
    page.line(&format!("    {:label$} k ={}", "", heads.concat()));
    for (i, counts) in lines.iter().enumerate() {
        let cells: Vec<String> = counts.iter().map(|count| format!("{count:>3}")).collect();
        let line = i + 1;
        let blank = match (line == *blank, line == *blank_home) {
            (true, true) => "  . at home",
            (true, false) => "  .",
            (false, true) => "  home of .",
            (false, false) => "",
        };
        page.line(&format!("    in {word} {line:>2}{:3}{}{blank}", "", cells.concat()));
    }
}

fn write_partitions(page: &mut Page, partitions: &[PartitionPart]) {
    for (i, PartitionPart { patterns, moves, mirror_of, counts, .. }) in
        partitions.iter().enumerate()
    {
        let mirror = mirror_of.map_or_else(String::new, |of| format!(", mirror image of {of}"));
        let values: Vec<u32> = patterns.iter().map(|pattern| pattern.moves).collect();
        let counts = if *counts { COUNTS } else { "" };
        let text = format!("partition {}{mirror}: {moves}{}{counts}", i + 1, sum(&values));
        page.paragraph("  ", &text);
        for PatternPart { tiles, moves, manhattan, .. } in patterns {
            let beyond = moves.saturating_sub(*manhattan);
            let text = format!("{}: {moves}, {beyond} beyond Manhattan distance", spaced(tiles));
            page.paragraph("    ", &text);
        }
    }
}

fn write_patterns(page: &mut Page, patterns: &[PatternPart]) {
    for (i, PatternPart { tiles, moves, mirror_of, counts, .. }) in patterns.iter().enumerate() {
        let mirror = mirror_of.map_or_else(String::new, |of| format!(", mirror image of {of}"));
        let counts = if *counts == Some(true) { COUNTS } else { "" };
        let text = format!("pattern {}{mirror}: {}: {moves}{counts}", i + 1, spaced(tiles));
        page.paragraph("  ", &text);
    }
}

fn write_space(page: &mut Page, explained: &Explanation) {
    let (space, branching) = (&explained.space, &explained.branching);
    page.line("\nHow large is it?\n");
    let text = format!(
        "{} cells hold their pieces in {}! = {} ways. From half of them moves lead to the goal: {} \
         boards.",
        space.cells,
        space.cells,
        grouped(&space.arrangements),
        grouped(&space.boards)
    );
    page.paragraph("  ", &text);
    let text = format!(
        "This board has {}, and boards have {:.4} on average. Without moves that take the last one \
         back, the tree of moves grows by a factor of {:.4} from level to level in the long run.",
        counted(number(branching.moves), "move"),
        branching.mean,
        branching.tree
    );
    page.paragraph("  ", &text);
    let [this, other] = branching.tree_levels;
    if (this - other).abs() > 1e-5 {
        let text = format!(
            "That is the geometric mean of {this:.4} and {other:.4}, which take turns; the first is that \
             of this board's level."
        );
        page.paragraph("  ", &text);
    }
}
