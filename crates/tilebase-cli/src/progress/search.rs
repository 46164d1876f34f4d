//! The line about the search of a single board.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tilebase::event::{BoundState, SolutionState};

use crate::output::metric;

/// Both bounds of a board's search, and its progress within the present bound.
///
/// The line promises no end of the search: the number of the next bound's nodes is unknown.
#[derive(Clone, Debug, Default)]
pub(super) struct SearchState {
    /// Length of the best known solution.
    length: Option<u32>,
    lower_bound: u32,
    /// Nodes before the present bound, and those expected within it.
    nodes: Option<(u64, u64)>,
    /// Nodes generated so far, which the search counts.
    generated: Arc<AtomicU64>,
}

impl SearchState {
    pub(super) fn new(generated: Arc<AtomicU64>) -> Self {
        Self { generated, ..Self::default() }
    }

    pub(super) fn add_solution(&mut self, state: &SolutionState<'_>) {
        self.length = Some(state.length() as u32);
        self.lower_bound = self.lower_bound.max(state.lower_bound);
    }

    pub(super) fn add_bound(&mut self, state: &BoundState) {
        self.lower_bound = self.lower_bound.max(state.bound.bound + 2);
        let expected = state.growth.map(|growth| state.bound.generated as f64 * growth);
        let before = self.generated.load(Ordering::Relaxed);
        self.nodes = expected.map(|expected| (before, expected as u64));
    }

    /// Returns both bounds, such as "96 moves, at least 92".
    pub(super) fn bounds(&self) -> String {
        let Self { length, lower_bound, .. } = self;
        match length {
            Some(length) => format!("{length} moves, at least {lower_bound}"),
            None => format!("at least {lower_bound} moves"),
        }
    }

    /// Returns the share of the present bound, as far as it can be estimated, and the nodes per
    /// second since the search began.
    pub(super) fn facts(&self, seconds: f64) -> Vec<String> {
        let generated = self.generated.load(Ordering::Relaxed);
        let rate = format!("{} nodes/s", metric(generated as f64 / seconds.max(1e-9)));
        let share = self.nodes.map(|(before, expected)| {
            let share = 100 * generated.saturating_sub(before) / expected.max(1);
            format!("about {} % of bound {}", share.min(99), self.lower_bound)
        });
        share.into_iter().chain([rate]).collect()
    }
}

impl PartialEq for SearchState {
    fn eq(&self, other: &Self) -> bool {
        let key = |state: &Self| (state.length, state.lower_bound, state.nodes);
        key(self) == key(other)
    }
}
