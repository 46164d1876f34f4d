//! Learning without tables, from solutions that the network finds itself. The boards become a
//! little harder at each stage.
//!
//! P. Jensen, "Solving the 15-Puzzle" (2017). Boards are scrambled with k moves, for each k from 1
//! to 35, and are solved by A* with the network trained so far. Each board on a solution is
//! labelled with the number of moves that remain, and the network is trained on all labels so far.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pdb_core::Goal;
use tilebase::pdb_lab::{Engine, EngineError, HeuristicName, SearchName};
use tilebase::pdb_search::{Limits, Status, Weight};

use crate::dice::Purpose;
use crate::session::error;
use crate::{Labels, Recipe, TrainError, Trainer};

/// Node limit of a board; a board that hits it is skipped.
const NODES_MAX: u64 = 200_000;

/// Number and difficulty of the boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Curriculum {
    /// Number of stages. Stage k scrambles its boards with k moves.
    pub stages: usize,
    /// Number of boards per stage.
    pub boards: usize,
    /// Number of times that a stage trains on each label.
    pub epochs: usize,
}

/// The report of a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageReport {
    /// The number of scrambling moves.
    pub walk: usize,
    /// Number of boards that were solved.
    pub solved: usize,
    /// Number of labelled boards so far.
    pub labels: usize,
    /// Mean number of nodes that A* expanded for a board.
    pub expanded: f64,
    /// The mean error on held-out boards, in moves.
    pub error: f64,
}

/// Trains a network by stages. The labels `held_out` must be exact; they are only used for the
/// reports.
///
/// Returns the network and all labels that it was trained on.
///
/// # Errors
/// [`TrainError::Stopped`].
pub fn learn(
    goal: &Goal,
    recipe: &Recipe,
    curriculum: &Curriculum,
    held_out: &Labels,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(StageReport),
) -> Result<(Trainer, Labels), TrainError> {
    let mut trainer = Trainer::new(goal, recipe);
    let mut labels = Labels::new(goal);
    let held_out = held_out.some(20_000);
    for length in 1..=curriculum.stages {
        let name = HeuristicName::Net {
            name: "training".to_owned(),
            weights: Arc::new(trainer.weights()),
            share: None,
        };
        let open = &mut |_: &str, _: &_| -> Result<_, EngineError> {
            unreachable!("a network has no tables")
        };
        let engine = Engine::open(&name, goal, open).expect("the network has this goal");
        let (mut solved, mut expanded) = (0usize, 0);
        for number in 0..curriculum.boards {
            if stop.load(Ordering::Relaxed) {
                return Err(TrainError::Stopped);
            }
            let number = (length * curriculum.boards + number) as u64;
            let board = Purpose::Walk.dice(recipe.seed, number).walk(goal, length).1;
            let limits = Limits { nodes: Some(NODES_MAX), ..Limits::default() };
            let outcome = engine
                .search(SearchName::ASTAR, &board, Weight::ONE, limits)
                .map_err(tilebase::Error::from)?;
            expanded += outcome.expanded;
            let Status::Solved { moves, .. } = outcome.status else { continue };
            solved += 1;
            labels.push_all(board, &moves);
        }
        if labels.is_empty() {
            continue;
        }
        let batch = recipe.batch.clamp(1, labels.len());
        let steps = (curriculum.epochs * (labels.len() / batch)) as u64;
        let mut order: Vec<u32> = (0..labels.len() as u32).collect();
        for step in 0..steps {
            if stop.load(Ordering::Relaxed) {
                return Err(TrainError::Stopped);
            }
            let at = step as usize % (labels.len() / batch);
            if at == 0 {
                Purpose::Order.dice(recipe.seed, trainer.step).shuffle(&mut order);
            }
            trainer.step(&labels, &order[at * batch..][..batch]);
        }
        tell(StageReport {
            walk: length,
            solved,
            labels: labels.len(),
            expanded: expanded as f64 / curriculum.boards.max(1) as f64,
            error: error(&trainer, &held_out),
        });
    }
    Ok((trainer, labels))
}
