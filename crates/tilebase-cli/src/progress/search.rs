//! The line about the search of a single board.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use indicatif::ProgressState;
use pdb_core::lock;
use pdb_core::numbers::metric;
use tilebase::KnownLength;
use tilebase::event::{BoundState, SolutionState};

use super::ProgressDisplay;
use super::line::{Line, SEARCH};

/// Both bounds of a board's search, and its progress within the present bound.
///
/// The line promises no end of the search: the number of the next bound's nodes is unknown.
#[derive(Debug)]
pub(super) struct SearchLine {
    line: Line,
    known: KnownLength,
    /// Nodes generated so far, which the search counts.
    generated: Arc<AtomicU64>,
    bound: Arc<Mutex<BoundProgress>>,
}

/// Progress within a bound.
#[derive(Debug, Default)]
struct BoundProgress {
    bound: u32,
    /// Nodes before the bound, and those expected within it.
    nodes: Option<(u64, u64)>,
}

impl SearchLine {
    pub(super) fn new(progress: ProgressDisplay, generated: Arc<AtomicU64>) -> Self {
        let bound = Arc::new(Mutex::new(BoundProgress::default()));
        let (of_line, count) = (Arc::clone(&bound), Arc::clone(&generated));
        let write = move |state: &ProgressState, text: &mut dyn Write| {
            let generated = count.load(Ordering::Relaxed);
            let rate = generated as f64 / state.elapsed().as_secs_f64().max(1e-9);
            let _ = write!(text, "{}{} nodes/s", lock(&of_line).share(generated), metric(rate));
        };
        let line = Line::with(progress, SEARCH, "facts", write);
        Self { line, known: KnownLength::default(), generated, bound }
    }

    pub(super) fn add_solution(&mut self, state: &SolutionState<'_>) {
        let known = state.known_length();
        let lower_bound = self.known.lower_bound.max(known.lower_bound);
        self.known = KnownLength { lower_bound, ..known };
        self.show();
    }

    pub(super) fn add_bound(&mut self, state: &BoundState) {
        let bound = state.lower_bound;
        self.known.metric = state.metric;
        self.known.lower_bound = self.known.lower_bound.max(bound);
        // A bound that proves nothing is no number of moves.
        let growth = state.growth.filter(|_| bound > 0);
        let expected = growth.map(|growth| state.bound.generated as f64 * growth);
        let before = self.generated.load(Ordering::Relaxed);
        let nodes = expected.map(|expected| (before, expected as u64));
        *lock(&self.bound) = BoundProgress { bound, nodes };
        self.show();
    }

    /// Shows both bounds, such as "92 to 96 moves".
    fn show(&mut self) {
        self.line.show(self.known.range());
    }
}

impl BoundProgress {
    /// Returns the share of the bound, as far as it can be estimated.
    fn share(&self, generated: u64) -> String {
        let Some((before, expected)) = self.nodes else { return String::new() };
        let share = 100 * generated.saturating_sub(before) / expected.max(1);
        format!("about {} % of bound {}, ", share.min(99), self.bound)
    }
}
