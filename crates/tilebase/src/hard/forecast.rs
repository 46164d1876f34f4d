//! Forecast of the duration of a bound.

use std::time::Duration;

use pdb_search::packets::{Counts, Done, Ledger};

/// Number of finished packets from which their mean predicts more than the earlier bounds.
const PACKETS_MIN: usize = 50;
/// Growth of the nodes from one bound to the next, while fewer than two bounds are finished.
const GROWTH: f64 = 8.0;

/// Finished and remaining packets of the current bound.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tally {
    pub(super) bound: u32,
    /// Number of packets of this search.
    pub(super) total: usize,
    /// Number of finished packets, and their nodes.
    pub(super) done: usize,
    pub(super) generated: u64,
    /// Expected cost of all packets, and of the finished ones, as weights.
    weight: f64,
    weight_done: f64,
}

impl Tally {
    /// Counts the packets for which `is_mine` holds. Returns `None` if the board is solved.
    pub(super) fn of(ledger: &Ledger, is_mine: impl Fn(usize) -> bool) -> Option<Self> {
        let round = ledger.round()?;
        let mut tally = Self { bound: round.bound, ..Self::default() };
        for (_, packet) in round.packets.iter().enumerate().filter(|(i, _)| is_mine(*i)) {
            tally.total += 1;
            tally.weight += packet.weight as f64;
            if let Some(Done { counts: Counts { generated, .. }, .. }) = packet.done {
                tally.done += 1;
                tally.weight_done += packet.weight as f64;
                tally.generated = tally.generated.saturating_add(generated);
            }
        }
        Some(tally)
    }

    /// Returns the expected number of nodes of all packets of this search, if none holds the
    /// solution. With enough finished packets, their nodes per weight predict the rest; before
    /// that, the growth of the earlier bounds does.
    fn expected(&self, ledger: &Ledger) -> Option<f64> {
        if self.done >= PACKETS_MIN.min(self.total) {
            return Some(self.generated as f64 / self.weight_done.max(1.0) * self.weight);
        }
        let packets = ledger.round()?.packets.len().max(1);
        let share = self.total as f64 / packets as f64;
        let growth = match &ledger.bounds[..] {
            [.., before, last] if before.generated > 0 => {
                last.generated as f64 / before.generated as f64
            }
            _ => GROWTH,
        };
        Some(ledger.bounds.last()?.generated as f64 * growth * share)
    }

    /// Returns the expected time until the bound is finished, if `generated` of its nodes exist
    /// already and `rate` nodes are generated per second.
    pub(super) fn left(&self, ledger: &Ledger, generated: f64, rate: f64) -> Option<Duration> {
        let nodes = (self.expected(ledger)? - generated).max(0.0);
        Duration::try_from_secs_f64(nodes / rate).ok()
    }
}
