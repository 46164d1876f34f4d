//! Forecast of the time that a bound will take.

use std::time::Duration;

use pdb_search::packets::{Counts, Done, Ledger};

/// Number of finished packets from which their mean predicts more than the earlier bounds.
const PACKETS_MIN: usize = 50;
/// Growth of the nodes from one bound to the next, while fewer than two bounds are finished.
const GROWTH: f64 = 8.0;

/// Finished and remaining packets of the present bound.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tally {
    pub(super) bound: u32,
    /// Packets that the search takes.
    pub(super) total: usize,
    /// Those of them that are done, and their nodes.
    pub(super) done: usize,
    pub(super) generated: u64,
    /// How much the packets are expected to be, and those of them that are done.
    weight: f64,
    weight_done: f64,
}

impl Tally {
    /// Counts the packets that `is_mine`; nothing when the board is solved.
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

    /// Nodes that the packets of this search will have in all, if none has the solution: each is as
    /// much as the bound before made expect, in proportion to those that are done. As long as these
    /// are few, the bounds before tell.
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

    /// The time that is left within the bound, if `generated` nodes of it are there already, done
    /// or not, and each second brings so many more.
    pub(super) fn left(&self, ledger: &Ledger, generated: f64, rate: f64) -> Option<Duration> {
        let nodes = (self.expected(ledger)? - generated).max(0.0);
        Duration::try_from_secs_f64(nodes / rate).ok()
    }
}
