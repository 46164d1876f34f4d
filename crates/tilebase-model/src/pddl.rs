//! Boards as planning problems, in the language PDDL.
//!
//! A planner reads two files: [`DOMAIN`], which is the same for all boards, and the [`problem`] of
//! a board. They need only STRIPS and `:typing`. A plan has one action for each move, so a shortest
//! plan is a shortest solution.

use std::fmt::{self, Write};

use pdb_core::{BLANK, Board, Cell, Goal, Shape};

use crate::{ModelError, horizon};

/// The domain of all boards, goals and shapes: one action, which slides a tile to the blank.
pub const DOMAIN: &str = "\
; Sliding-tile puzzles: a tile next to the blank slides to its place.
(define (domain sliding-tiles)
  (:requirements :strips :typing)
  (:types tile position)
  (:predicates
    (at ?tile - tile ?position - position)
    (blank ?position - position)
    (neighbour ?from - position ?to - position))
  (:action slide
    :parameters (?tile - tile ?from - position ?to - position)
    :precondition (and
      (at ?tile ?from)
      (blank ?to)
      (neighbour ?from ?to))
    :effect (and
      (not (at ?tile ?from))
      (not (blank ?to))
      (at ?tile ?to)
      (blank ?from))))
";

/// Returns the problem of a board: its tiles and positions, where they are, and where the goal has
/// them.
///
/// `t5` is tile 5, and `p-2-3` the position in row 2 and column 3, counted from 1.
///
/// # Errors
/// [`ModelError::OtherShape`], and [`ModelError::Unsolvable`] for an unsolvable board.
pub fn problem(board: &Board, goal: &Goal) -> Result<String, ModelError> {
    horizon::check_solvable(board, goal)?;
    let mut text = String::new();
    write(&mut text, board, goal).expect("a string takes all that is written");
    Ok(text)
}

fn write(text: &mut String, board: &Board, goal: &Goal) -> fmt::Result {
    let shape = board.shape();
    writeln!(text, "; The sliding-tile puzzle {board}, with the goal {}.", goal.board())?;
    text.push_str("; t5 is tile 5, and p-2-3 the position in row 2 and column 3.\n");
    text.push_str("(define (problem board)\n  (:domain sliding-tiles)\n  (:objects\n   ");
    for tile in 1..shape.cell_count() {
        write!(text, " t{tile}")?;
    }
    text.push_str(" - tile\n   ");
    for cell in shape.all_cells().iter() {
        write!(text, " {}", position(shape, cell))?;
    }
    text.push_str(" - position)\n  (:init");
    write_tiles(text, board)?;
    for from in shape.all_cells().iter() {
        for to in shape.neighbours(from).iter() {
            let (from, to) = (position(shape, from), position(shape, to));
            write!(text, "\n    (neighbour {from} {to})")?;
        }
    }
    text.push_str(")\n  (:goal (and");
    write_tiles(text, goal.board())?;
    text.push_str(")))\n");
    Ok(())
}

/// Writes a fact for each cell of a board.
fn write_tiles(text: &mut String, board: &Board) -> fmt::Result {
    let shape = board.shape();
    for cell in shape.all_cells().iter() {
        let position = position(shape, cell);
        match board.tile(cell) {
            BLANK => write!(text, "\n    (blank {position})")?,
            tile => write!(text, "\n    (at t{tile} {position})")?,
        }
    }
    Ok(())
}

/// Returns the name of a cell.
fn position(shape: Shape, cell: Cell) -> String {
    let (row, col) = shape.row_col(cell);
    format!("p-{}-{}", row + 1, col + 1)
}
