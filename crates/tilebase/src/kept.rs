//! Solutions of boards, kept from search to search.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use pdb_core::{Board, Direction, Goal, Metric};
use pdb_search::Account;

use crate::answer::Answer;
use crate::sync::lock;

type Solutions = HashMap<(Board, Goal, Metric), Arc<[Direction]>>;

/// The solutions of boards that searches have found, for the next searches of the same boards.
#[derive(Debug, Default)]
pub struct Kept(Mutex<Solutions>);

impl Kept {
    /// Keeps the solution of an answer.
    pub(crate) fn keep(&self, answer: &Answer) {
        if let Some(moves) = answer.moves() {
            lock(&self.0).insert((answer.board, answer.goal, answer.metric), moves.into());
        }
    }

    /// Lets a search of a board begin with its solution.
    pub(crate) fn tell(&self, board: Board, goal: Goal, metric: Metric, account: &Account) {
        let moves = lock(&self.0).get(&(board, goal, metric)).cloned();
        if let Some(moves) = moves {
            account.offer(&moves, metric.count(&moves) as u32);
        }
    }
}
