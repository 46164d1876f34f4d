//! Trains the network that orders the boards of a beam ([`OrderNetwork`]), from nothing.
//!
//! 1. Boards are random walks from the goal. A beam that keeps boards by Manhattan distance and the
//!    network so far solves them.
//! 2. The boards that the beam kept get their distances from the goal within these boards, and
//!    groups of boards of one layer are drawn ([`groups`]).
//! 3. The network learns the order within the groups ([`ranking`]), and the walks become longer if
//!    the beam solved nearly all of them. Once walks hardly differ from random boards, a share of
//!    the boards is random.
//! 4. At the end, the network sees each group once more while the rate falls to 0, and its numbers
//!    become integers ([`quantize`]).

mod groups;
mod loss;
mod quantize;
mod ranking;

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};

use pdb_core::{Board, Goal, Shape};
use tilebase::pdb_search::{LearnedOrder, Limits, Options, OrderNetwork, Status, beam_by_order};
use tilebase::sets::Dice;

use crate::TrainError;
use crate::dice::Purpose;
use crate::labels::random_board;
use groups::{Groups, Trace};
use ranking::{BATCH, Ranking};

/// Boards between two parts of the training.
const ROUND: usize = 100;
/// Length of the longest walks of the first round, in moves.
const FIRST_WALK: usize = 30;
/// Length of the longest walks, for each pair of a tile and a cell, in moves.
const WALK_PER_PAIR: usize = 16;
/// Share of a round that has to be solved before the walks grow by a third.
const SOLVED_MIN: f64 = 0.9;
/// One board of so many is random, when walks do not grow any more.
const RANDOM: usize = 3;
/// Node limit of a board for each board of the beam's width; a board that hits it is skipped.
const NODES_PER_WIDTH: u64 = 3000;
/// Groups of a layer and of a board, at most.
const GROUPS_PER_LAYER: usize = 6;
const GROUPS_PER_BOARD: usize = 600;
/// Share of the newest groups that are kept, after some rounds.
const KEPT: f64 = 0.7;
/// Step size of Adam.
const RATE: f32 = 0.001;

/// The settings of a training.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderRecipe {
    /// Number of boards to solve.
    pub boards: usize,
    /// Number of boards that a layer of a beam keeps.
    pub width: NonZeroU32,
    /// Number of times that the network sees a group, about.
    pub epochs: f64,
    /// Seed of boards, groups, weights and steps.
    pub seed: u64,
}

impl Default for OrderRecipe {
    fn default() -> Self {
        let width = NonZeroU32::new(1000).expect("1,000 is not 0");
        Self { boards: 4000, width, epochs: 3.0, seed: 1 }
    }
}

/// The report of a part of the training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrderProgress {
    /// Number of boards so far.
    pub boards: usize,
    /// Length of the longest walks, in moves.
    pub walk: usize,
    /// Number of boards of the last round.
    pub round: usize,
    /// Number of them that were solved.
    pub solved: usize,
    /// Mean length of their solutions, in moves.
    pub length: f64,
    /// Number of groups to learn from.
    pub groups: usize,
    /// Share of pairs of boards that were in the right order while the network learned them.
    pub right: f64,
}

/// Trains a network for boards of a shape. The same recipe gives the same network on every machine.
///
/// # Errors
/// [`TrainError::OneLine`]; [`TrainError::NoLayers`]; [`TrainError::Stopped`] if `stop` was set, as
/// there are no checkpoints.
pub fn train_order(
    shape: Shape,
    recipe: &OrderRecipe,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(OrderProgress),
) -> Result<OrderNetwork, TrainError> {
    if shape.is_line() {
        return Err(TrainError::OneLine { shape });
    }
    let goal = Goal::blank_last(shape);
    let seed = recipe.seed;
    let mut ranking = Ranking::new(&goal, &mut Purpose::Weights.dice(seed, 0));
    let mut groups = Groups::new(&goal);
    let walk_max = WALK_PER_PAIR * shape.cell_count() * shape.cell_count();
    let mut walk = FIRST_WALK.min(walk_max);
    let mut drawn = 0;
    for first in (0..recipe.boards).step_by(ROUND) {
        let network = quantize::quantized(&ranking.chain, &goal);
        let order = LearnedOrder::new(&network, &goal).expect("the network is for this goal");
        let round = first..recipe.boards.min(first + ROUND);
        let count = round.len();
        let (mut solved, mut length, before) = (0, 0, groups.len());
        for number in round {
            let mut dice = Purpose::Root.dice(seed, number as u64);
            let board = draw(&goal, walk, walk == walk_max, &mut dice);
            let trace = solve(&order, &board, recipe.width, stop);
            if stop.load(Ordering::Relaxed) {
                return Err(TrainError::Stopped);
            }
            let Some(trace) = trace else { continue };
            let of_layer = GROUPS_PER_BOARD.div_ceil(trace.length()).min(GROUPS_PER_LAYER);
            let width = recipe.width.get() as usize;
            groups.draw(&goal, &trace, width, of_layer, &mut dice);
            solved += 1;
            length += trace.length();
        }
        let new = groups.len() - before;
        drawn += new;
        let kept = ((drawn as f64 * KEPT) as usize).max(new);
        groups.forget(groups.len().saturating_sub(kept));
        let steps = (new as f64 * recipe.epochs) as usize / BATCH;
        let mut dice = Purpose::Order.dice(seed, first as u64);
        let right = ranking.fit(&groups, steps, [RATE; 2], &mut dice, stop)?;
        tell(OrderProgress {
            boards: first + count,
            walk,
            round: count,
            solved,
            length: length as f64 / solved.max(1) as f64,
            groups: groups.len(),
            right,
        });
        if solved as f64 >= SOLVED_MIN * count as f64 {
            walk = (walk + walk / 3).min(walk_max);
        }
    }
    if groups.len() == 0 {
        return Err(TrainError::NoLayers { width: recipe.width.get() });
    }
    let steps = groups.len() / BATCH;
    let mut dice = Purpose::Order.dice(seed, recipe.boards as u64);
    ranking.fit(&groups, steps, [RATE, 0.0], &mut dice, stop)?;
    Ok(quantize::quantized(&ranking.chain, &goal))
}

/// Solves a board, and returns the boards of the beam, or `None` if it hits the limit.
fn solve(
    order: &LearnedOrder,
    board: &Board,
    width: NonZeroU32,
    stop: &AtomicBool,
) -> Option<Trace> {
    let nodes = Some(NODES_PER_WIDTH * u64::from(width.get()));
    let limits = Limits { nodes, stop: Some(stop), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let mut trace = Trace::default();
    let push = |kept: &[Board], cut: &[Board]| trace.push(board, kept, cut);
    let outcome = beam_by_order(order, board, width, &options, Some(Box::new(push)));
    let outcome = outcome.expect("the board can be solved and has the shape of the goal");
    matches!(outcome.status, Status::Solved { .. } | Status::Optimal { .. }).then_some(trace)
}

/// Draws a board: a walk, or at random if walks do not grow any more.
fn draw(goal: &Goal, walk: usize, is_grown: bool, dice: &mut Dice) -> Board {
    if is_grown && dice.below(RANDOM) == 0 {
        return random_board(goal, dice);
    }
    let steps = walk / 16 + dice.below(walk - walk / 16) + 1;
    dice.walk(goal, steps).1
}
