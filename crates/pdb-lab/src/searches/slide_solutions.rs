//! All solutions of a number of slides, of one or more tiles each.

use pdb_core::{Axis, Board, Direction, Goal};
use pdb_search::{Options, SearchError, Solver};

use super::counts::CountKey;
use super::solutions::{Enumeration, EnumerationEnd, SolutionQuery, Tally, Tell};

/// Boards are stored if the number of remaining slides is a multiple of this.
const MEMO_EVERY: u32 = 2;

/// Finds all solutions of a board that have exactly the number of slides of the query.
///
/// A solution is a sequence of slides, along rows and along columns in turn, that ends at the goal
/// and does not reach it before. Two slides of one axis in turn would be one slide, or none. All
/// else is as in [`solutions`](super::solutions()); slides of a direction are in the order of their
/// lengths, the short ones first.
///
/// # Errors
/// As [`solutions`](super::solutions()).
pub(crate) fn slide_solutions(
    solver: &Solver<'_>,
    goal: &Goal,
    board: &Board,
    query: SolutionQuery,
    options: &Options<'_>,
    tell: Option<&mut Tell<'_>>,
) -> Result<Enumeration, SearchError> {
    Tally::run(goal, board, query, options, tell, |tally| {
        let needed = solver.estimate(board)?;
        let mut search = SlideSolutionSearch { solver, goal, order: options.order, tally };
        Ok(search.run(needed))
    })
}

struct SlideSolutionSearch<'a, 'b, 't> {
    solver: &'b Solver<'b>,
    goal: &'b Goal,
    order: [Direction; 4],
    tally: &'b mut Tally<'a, 't>,
}

impl SlideSolutionSearch<'_, '_, '_> {
    fn run(&mut self, needed: u32) -> Result<(), EnumerationEnd> {
        self.tally.meter.count()?;
        let length = self.tally.query.length;
        if self.tally.board == *self.goal.board() {
            return self.tally.reach(length);
        }
        if needed > length {
            self.tally.found.has_longer = true;
            return Ok(());
        }
        self.expand(length)
    }

    /// Expands the current board, unless its solutions are known.
    fn expand(&mut self, left: u32) -> Result<(), EnumerationEnd> {
        // On a shortest solution, the previous slide does not matter: no solution of as many slides
        // goes on along its axis. Else its axis does, of which one direction is the name.
        let last = self.tally.path.last().map(|&last| Axis::of(last));
        let name = last.filter(|_| !self.tally.query.is_shortest).map(|axis| axis.directions()[0]);
        let rest = CountKey { left: left as u16, last: name };
        let is_kept = left.is_multiple_of(MEMO_EVERY) && u16::try_from(left).is_ok();
        if is_kept && self.tally.merge(rest)? {
            return Ok(());
        }
        self.tally.check_stack()?;
        let before = self.tally.found.count;
        self.tally.found.expanded += 1;
        for direction in self.order.into_iter().filter(|&next| Some(Axis::of(next)) != last) {
            self.slide(direction, left - 1)?;
        }
        if is_kept {
            self.tally.keep(rest, before);
        }
        Ok(())
    }

    /// Searches the boards after one slide in a direction; `left` slides remain after it.
    fn slide(&mut self, direction: Direction, left: u32) -> Result<(), EnumerationEnd> {
        let (board, length) = (self.tally.board, self.tally.path.len());
        let next = Axis::of(direction).other();
        let mut flow = Ok(());
        while let (Some(moved), Ok(())) = (self.tally.board.moved(direction), &flow) {
            self.tally.meter.count()?;
            self.tally.board = moved;
            self.tally.path.push(direction);
            // The goal counts with any bound: a damaged table must not hide it.
            flow = if moved == *self.goal.board() {
                self.tally.reach(left)
            } else if left == 0 || self.needed(&moved, next) > left {
                self.tally.found.has_longer = true;
                Ok(())
            } else {
                self.expand(left)
            };
        }
        self.tally.board = board;
        self.tally.path.truncate(length);
        flow
    }

    /// Returns a lower bound on the slides from a board, of which the first is along an axis.
    fn needed(&self, board: &Board, first: Axis) -> u32 {
        // A damaged table bounds nothing; its error follows when the answer is confirmed.
        let bounds = self.solver.estimates(board).unwrap_or_default();
        let by_axis = Axis::BOTH.into_iter().zip(bounds).find(|&(axis, _)| axis == first);
        by_axis.map_or(0, |(_, bound)| bound)
    }
}
