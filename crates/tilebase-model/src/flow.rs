//! The strict form: tiles on cells at times, and the blank as a flow.

use pdb_core::{BLANK, Board, Cell, Goal};

use crate::builder::{Builder, Meaning};
use crate::remaining::{Graph, Grid, Reduction, Remaining};
use crate::{BoardModel, Form, ModelError, Sense, horizon};

/// Returns the strict form of the puzzle as an integer program, for boards of any size and any
/// goal.
///
/// Its solutions are the sequences of exactly `horizon` moves from the board to the goal in which
/// no move takes back the one before. Each sequence is one solution. A shortest solution is among
/// them at its own length; a longer horizon may have none. So a board has no solution of `N` or
/// fewer moves if no horizon from [`least`](crate::horizon::least) to `N`, in steps of 2, has one.
///
/// All variables are binary. A time is the number of moves made; cells are numbered from 0:
///
/// - `at_7_12_3`: tile 7 is on cell 12 at time 3;
/// - `go_2_6_3`: move 3 takes the blank from cell 2 to cell 6;
/// - `slide_7_6_2_3`: move 3 takes tile 7 from cell 6 to cell 2.
///
/// Variables that no solution needs are removed: by the distances of tiles and blank from both
/// ends, and by a relaxed search for the blank and a single tile. If this empties a row that cannot
/// hold, the horizon is too short or has the wrong parity. Then fewer variables are removed, so
/// that a solver can prove it.
///
/// # Errors
/// As [`neos()`](crate::neos()).
pub fn flow(board: &Board, goal: &Goal, horizon: u32) -> Result<BoardModel, ModelError> {
    horizon::check(Form::Flow, board, goal, horizon)?;
    let graph = Graph::new(board.shape());
    let builder = Reduction::ALL
        .into_iter()
        .map(|reduction| build(&graph, board, goal, horizon, reduction))
        .find(|builder| !builder.is_ruled_out)
        .expect("the whole model has no empty row");
    Ok(BoardModel::new(builder, Form::Flow, board, goal, horizon))
}

/// Indices of the variables that remain.
type Variables = Grid<Option<usize>>;

fn build(graph: &Graph, board: &Board, goal: &Goal, horizon: u32, reduction: Reduction) -> Builder {
    let remaining = Remaining::of(graph, board, goal, horizon, reduction);
    let shape = graph.shape;
    let removed = match reduction {
        Reduction::Nothing => {
            "Nothing is left out: the horizon is too short, or of the wrong parity."
        }
        Reduction::Distance | Reduction::Manhattan => {
            "Left out is what distances from both ends rule out."
        }
        Reduction::TileAndBlank => {
            "Left out is what distances from both ends, or blank and tile alone, rule out."
        }
    };
    let mut b = Builder::new(
        format!("flow_{shape}_{horizon}"),
        vec![
            format!("The sliding-tile puzzle {board} with the goal {}.", goal.board()),
            format!("The number of moves is {horizon}; none takes back the one before."),
            "at_i_c_t: tile i is on cell c (from 0) after t moves.".to_owned(),
            "go_a_b_t: move t takes the blank from cell a to cell b.".to_owned(),
            "slide_i_b_a_t: move t takes tile i from cell b to cell a.".to_owned(),
            removed.to_owned(),
        ],
    );
    let variables = add_variables(&mut b, graph, horizon, &remaining);
    add_blank_rows(&mut b, graph, &variables, (board.blank(), goal.home(BLANK)), horizon);
    add_tile_rows(&mut b, graph, &variables, (board, goal), horizon);
    b
}

fn add_variables(b: &mut Builder, graph: &Graph, horizon: u32, remaining: &Remaining) -> Variables {
    let n = graph.cell_count();
    let tiles = || 1..n as u8;
    let cells = || 0..n as Cell;
    let mut variables = Variables::new(graph, horizon, None);
    for time in 0..=horizon {
        // A move comes before the board that it leads to. There is no move 0.
        let arcs = if time == 0 { &[][..] } else { &graph.arcs[..] };
        for (place, arc) in arcs.iter().enumerate().filter(|&(arc, _)| remaining.go(arc, time)) {
            let (from, to, number) = (arc.from, arc.to, time);
            let name = format_args!("go_{from}_{to}_{number}");
            let go = variables.go_place(place, number);
            variables.go[go] = Some(b.variable(name, (0, 1), Meaning::Arc { from, to, number }));
            for tile in tiles().filter(|&tile| remaining.slide(tile, place, number)) {
                let meaning = Meaning::Slide { tile, from: to, to: from, number };
                let name = format_args!("slide_{tile}_{to}_{from}_{number}");
                let slide = variables.slide_place(tile, place, number);
                variables.slide[slide] = Some(b.variable(name, (0, 1), meaning));
            }
        }
        for tile in tiles() {
            for cell in cells().filter(|&cell| remaining.at(tile, cell, time)) {
                let meaning = Meaning::At { tile, cell, time };
                let name = format_args!("at_{tile}_{cell}_{time}");
                let at = variables.at_place(tile, cell, time);
                variables.at[at] = Some(b.variable(name, (0, 1), meaning));
            }
        }
    }
    variables
}

/// Adds rows of the blank: a path from the board to the goal that never turns back.
fn add_blank_rows(
    b: &mut Builder,
    graph: &Graph,
    variables: &Variables,
    (start, home): (Cell, Cell),
    horizon: u32,
) {
    let sum = |arcs: &[usize], number: u32, factor: i64| -> Vec<(i64, usize)> {
        let terms = arcs.iter().filter_map(|&arc| variables.go(arc, number));
        terms.map(|variable| (factor, variable)).collect()
    };
    if horizon > 0 {
        b.family("leave", "the first move takes the blank from where it is");
        for (cell, arcs) in graph.leaving.iter().enumerate() {
            let right = i64::from(cell == usize::from(start));
            b.row(cell, sum(arcs, 1, 1), Sense::Equal, right);
        }
        b.family("reach", "the last move takes the blank home");
        for (cell, arcs) in graph.entering.iter().enumerate() {
            let right = i64::from(cell == usize::from(home));
            b.row(cell, sum(arcs, horizon, 1), Sense::Equal, right);
        }
    }
    b.family("pass", "the blank goes on from where it came to");
    for time in 1..horizon {
        for cell in 0..graph.cell_count() {
            let mut terms = sum(&graph.entering[cell], time, 1);
            terms.extend(sum(&graph.leaving[cell], time + 1, -1));
            b.row(format_args!("{cell}_{time}"), terms, Sense::Equal, 0);
        }
    }
    b.family("one", "each move takes the blank along one arc");
    let all: Vec<usize> = (0..graph.arcs.len()).collect();
    for number in 1..=horizon {
        b.row(number, sum(&all, number, 1), Sense::Equal, 1);
    }
    b.family("turn", "no move takes back the one before");
    for number in 1..horizon {
        for (place, arc) in graph.arcs.iter().enumerate() {
            let Some(go) = variables.go(place, number) else { continue };
            let on = graph.leaving[usize::from(arc.to)].iter();
            let on: Vec<usize> =
                on.copied().filter(|&next| graph.arcs[next].to != arc.from).collect();
            let mut terms = sum(&on, number + 1, -1);
            terms.push((1, go));
            let index = format_args!("{}_{}_{number}", arc.from, arc.to);
            b.row(index, terms, Sense::AtMost, 0);
        }
    }
}

/// Adds rows of the tiles: each starts on its cell, moves with the blank, and ends at its goal
/// cell.
fn add_tile_rows(
    b: &mut Builder,
    graph: &Graph,
    variables: &Variables,
    (board, goal): (&Board, &Goal),
    horizon: u32,
) {
    let n = graph.cell_count();
    let tiles = || 1..n as u8;
    let cells = || 0..n as Cell;
    let ends = [
        ("start", "the tiles begin where the board has them", board, 0),
        ("home", "the tiles end where the goal has them", goal.board(), horizon),
    ];
    for (name, meaning, there, time) in ends {
        b.family(name, meaning);
        let at_time = there.cells_by_tile();
        for tile in tiles() {
            let at = variables.at(tile, at_time[usize::from(tile)], time);
            b.row(tile, at.map(|at| (1, at)), Sense::Equal, 1);
        }
    }
    b.family("tile", "each tile is on one cell");
    for time in 0..=horizon {
        for tile in tiles() {
            let at = cells().filter_map(|cell| variables.at(tile, cell, time));
            b.row(format_args!("{tile}_{time}"), at.map(|at| (1, at)), Sense::Equal, 1);
        }
    }
    b.family("cell", "each cell has one tile or the blank");
    for time in 0..=horizon {
        for cell in cells() {
            let at = tiles().filter_map(|tile| variables.at(tile, cell, time));
            let entering = graph.entering[usize::from(cell)].iter();
            // At time 0 no arc enters the blank's cell.
            let is_blank = time == 0 && board.blank() == cell;
            let blank = (time > 0)
                .then(|| entering.filter_map(|&arc| variables.go(arc, time)))
                .into_iter()
                .flatten();
            let terms = at.chain(blank).map(|variable| (1, variable));
            let right = i64::from(!is_blank);
            b.row(format_args!("{cell}_{time}"), terms, Sense::Equal, right);
        }
    }
    b.family("swap", "one tile slides against the blank");
    for number in 1..=horizon {
        for (place, arc) in graph.arcs.iter().enumerate() {
            let Some(go) = variables.go(place, number) else { continue };
            let slides = tiles().filter_map(|tile| variables.slide(tile, place, number));
            let terms = slides.map(|slide| (-1, slide)).chain([(1, go)]);
            let index = format_args!("{}_{}_{number}", arc.from, arc.to);
            b.row(index, terms, Sense::Equal, 0);
        }
    }
    // A tile slides against the blank.
    let slides = |arcs: &[usize], tile, number, factor| -> Vec<(i64, usize)> {
        let slides = arcs.iter().filter_map(|&arc| variables.slide(tile, arc, number));
        slides.map(|slide| (factor, slide)).collect()
    };
    b.family("stay", "a tile is where it was, unless it slides");
    for number in 1..=horizon {
        for tile in tiles() {
            for cell in cells() {
                let there = usize::from(cell);
                let mut terms = slides(&graph.entering[there], tile, number, 1);
                terms.extend(slides(&graph.leaving[there], tile, number, -1));
                terms.extend(variables.at(tile, cell, number).map(|at| (1, at)));
                terms.extend(variables.at(tile, cell, number - 1).map(|at| (-1, at)));
                b.row(format_args!("{tile}_{cell}_{number}"), terms, Sense::Equal, 0);
            }
        }
    }
    b.family("from", "a tile slides from a cell only if it is there");
    for number in 1..=horizon {
        for tile in tiles() {
            for cell in cells() {
                let mut terms = slides(&graph.entering[usize::from(cell)], tile, number, 1);
                if !terms.is_empty() {
                    terms.extend(variables.at(tile, cell, number - 1).map(|at| (-1, at)));
                    let index = format_args!("{tile}_{cell}_{number}");
                    b.row(index, terms, Sense::AtMost, 0);
                }
            }
        }
    }
}
