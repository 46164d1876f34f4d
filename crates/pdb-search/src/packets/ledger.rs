//! The work list of a search in packets, and the merge of several into one.

use std::collections::HashMap;

use pdb_core::notation::letters;
use pdb_core::{Board, Direction, Dual, Goal, Metric};

use super::error::LedgerError;
use super::frontier::{Frontier, PacketRoot};
use crate::BoundCount;
use crate::counts::Counts;
use crate::rules::Rules;

/// Number of nodes of the previous bound per packet. It is small, because packets determine the
/// order of the next bound.
const NODES_PER_PACKET: u64 = 256;

/// Subject of a search: everything that determines its packets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The board to solve.
    pub board: Board,
    /// The board that a solution ends at.
    pub goal: Board,
    /// The name of the heuristic.
    pub heuristic: String,
    /// The names of the heuristic's tables, with their digests.
    pub tables: Vec<(String, String)>,
    /// Metric of lengths and bounds.
    pub metric: Metric,
    /// The order in which moves are tried.
    pub order: [Direction; 4],
    /// Number of packets of a large bound.
    pub packet_count: usize,
    /// The goal of the board's [dual](Dual), if the dual is searched: then the moves to packets are
    /// the dual's. A solution is always the board's.
    pub dual: Option<Board>,
}

impl Subject {
    /// Returns a solution of the board as moves of the searched board.
    fn searched(&self, solution: &[Direction]) -> Vec<Direction> {
        let Some(dual_goal) = self.dual else { return solution.to_vec() };
        let dual = Dual::new(&Goal::new(self.goal), &self.board, &Goal::new(dual_goal));
        // Moves that the board does not allow lead to no packet.
        dual.and_then(|dual| dual.of_solution(solution)).unwrap_or_default()
    }

    /// Checks that another subject is the same.
    ///
    /// # Errors
    /// [`LedgerError::Subject`] with the first difference.
    pub fn check_same(&self, other: &Self) -> Result<(), LedgerError> {
        let tables = |subject: &Self| {
            let name = |(name, digest): &(String, String)| format!("{name} {digest}");
            match &subject.tables[..] {
                [] => "none".to_owned(),
                tables => tables.iter().map(name).collect::<Vec<_>>().join(", "),
            }
        };
        let order = |subject: &Self| subject.order.map(Direction::letter).iter().collect();
        let texts = |subject: &Self| {
            [
                ("board", subject.board.to_string()),
                ("goal", subject.goal.to_string()),
                ("heuristic", subject.heuristic.clone()),
                ("list of tables and their digests", tables(subject)),
                ("metric", subject.metric.to_string()),
                ("order of moves", order(subject)),
                ("number of packets to a bound", subject.packet_count.to_string()),
                ("goal of the dual", subject.dual.map_or("none".to_owned(), |b| b.to_string())),
            ]
        };
        for ((what, expected), (_, found)) in texts(self).into_iter().zip(texts(other)) {
            if expected != found {
                return Err(LedgerError::Subject { what, expected, found });
            }
        }
        Ok(())
    }
}

/// The result of a packet without a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// The nodes in the packet.
    pub counts: Counts,
    /// The smallest estimate of an expanded node in the packet, which shows how near it came to the
    /// goal.
    pub nearest: u32,
}

/// A packet: the moves from the board, or from its dual if that is searched, to its root, and its
/// result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The directions in which the tiles move.
    pub moves: Vec<Direction>,
    /// Position in the order in which packets are searched. Packets are sorted by 2 e + n, the
    /// smallest first: e is the estimate of the packet's root, and n the smallest estimate that the
    /// previous bound met in the packet. Equal packets keep their previous order.
    pub turn: usize,
    /// Expected share of the bound: the number of nodes that the previous bound had there.
    pub weight: u64,
    /// The result; `None` while the packet is open.
    pub done: Option<Done>,
}

impl Entry {
    fn named(&self, number: usize) -> String {
        format!("packet {number} ({})", letters(&self.moves))
    }
}

/// A bound that is being searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// The largest number of moves that a path may have.
    pub bound: u32,
    /// The nodes above the packets.
    pub trunk: Counts,
    /// The packets, in the order of a depth-first search.
    pub packets: Vec<Entry>,
}

/// The record of a bound in a subtree.
#[derive(Clone, Copy, Debug)]
struct Visit {
    generated: u64,
    nearest: u32,
    turn: usize,
}

impl Visit {
    fn plus(self, other: Self) -> Self {
        Self {
            generated: self.generated.saturating_add(other.generated),
            nearest: self.nearest.min(other.nearest),
            turn: self.turn.min(other.turn),
        }
    }
}

/// Returns the number of each root.
fn numbers<'a>(roots: impl Iterator<Item = &'a [Direction]>) -> HashMap<&'a [Direction], usize> {
    roots.zip(0..).collect()
}

/// Returns the root that moves lead to or through.
fn above(moves: &[Direction], roots: &HashMap<&[Direction], usize>, rules: Rules) -> Option<usize> {
    let firsts = (0..=moves.len()).map(|length| &moves[..length]);
    firsts.filter(|first| rules.begins(first, moves)).find_map(|first| roots.get(first).copied())
}

impl Round {
    /// Makes the round of a bound, whose packets are ordered by the bound before, if it is known.
    pub(crate) fn new(
        bound: u32,
        frontier: &Frontier,
        before: Option<&Self>,
        rules: Rules,
    ) -> Self {
        let roots = &frontier.packets;
        let met =
            before.map_or_else(|| vec![None; roots.len()], |before| before.met_below(roots, rules));
        let key = |&i: &usize| {
            let estimate = roots[i].estimate;
            // For a packet that was not searched, only the root is known.
            let (nearest, turn) =
                met[i].map_or((estimate, usize::MAX), |met| (met.nearest, met.turn));
            (2 * estimate + nearest.min(estimate), turn, i)
        };
        let mut order: Vec<usize> = (0..roots.len()).collect();
        order.sort_unstable_by_key(key);
        let packet = |(root, met): (&PacketRoot, &Option<Visit>)| {
            let weight = met.map_or(1, |met| met.generated.max(1));
            Entry { moves: root.moves.clone(), turn: 0, weight, done: None }
        };
        let mut packets: Vec<_> = roots.iter().zip(&met).map(packet).collect();
        for (turn, i) in order.into_iter().enumerate() {
            packets[i].turn = turn;
        }
        Self { bound, trunk: frontier.trunk, packets }
    }

    /// Returns the records of this bound in the subtrees of the next bound's packets. A packet that
    /// is cut further distributes its nodes evenly; packets inside one larger packet are added up.
    fn met_below(&self, next: &[PacketRoot], rules: Rules) -> Vec<Option<Visit>> {
        let here = numbers(self.packets.iter().map(|packet| &*packet.moves));
        let there = numbers(next.iter().map(|root| &*root.moves));
        let wholes: Vec<_> = next.iter().map(|root| above(&root.moves, &here, rules)).collect();
        let mut parts = vec![0; self.packets.len()];
        wholes.iter().flatten().for_each(|&whole: &usize| parts[whole] += 1);
        let met = |packet: &Entry| {
            let Done { counts: Counts { generated, .. }, nearest } = packet.done?;
            Some(Visit { generated, nearest, turn: packet.turn })
        };
        let part = |whole: usize| {
            let met = met(&self.packets[whole])?;
            Some(Visit { generated: met.generated / parts[whole], ..met })
        };
        let mut all: Vec<_> = wholes.into_iter().map(|whole| part(whole?)).collect();
        for (packet, _) in self.packets.iter().zip(&parts).filter(|(_, parts)| **parts == 0) {
            if let (Some(met), Some(i)) = (met(packet), above(&packet.moves, &there, rules)) {
                all[i] = Some(all[i].map_or(met, |sum| sum.plus(met)));
            }
        }
        all
    }

    /// Returns the number of finished packets.
    pub fn done_count(&self) -> usize {
        self.packets.iter().filter(|packet| packet.done.is_some()).count()
    }

    /// Returns whether all packets are finished.
    pub fn is_done(&self) -> bool {
        self.packets.iter().all(|packet| packet.done.is_some())
    }

    /// Returns the number of nodes above the packets and in the finished packets.
    pub fn counts(&self) -> Counts {
        self.packets
            .iter()
            .filter_map(|packet| packet.done)
            .fold(self.trunk, |sum, done| sum.plus(done.counts))
    }
}

/// The stage of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A bound is being searched, or is finished and the next one has not begun.
    Searching(Round),
    /// The board is solved.
    Solved {
        /// A shortest solution: the directions in which the tiles move.
        moves: Vec<Direction>,
        /// The known nodes within the last bound.
        last: Counts,
        /// Whether the finished bounds prove a solution that was known before. Otherwise it was
        /// found in a packet, or in the nodes above.
        is_proved_by_bounds: bool,
    },
}

/// The record of a search in packets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    /// The subject of the search.
    pub subject: Subject,
    /// The finished bounds, in order.
    pub bounds: Vec<BoundCount>,
    /// The stage after these bounds.
    pub stage: Stage,
    /// The best known solution until the board is solved: the directions in which the tiles move.
    pub known: Option<Vec<Direction>>,
}

impl Ledger {
    /// Returns the bound that is being searched, or in which the solution was found.
    pub fn bound(&self) -> u32 {
        match &self.stage {
            Stage::Searching(round) => round.bound,
            Stage::Solved { moves, .. } => self.rules().count(moves),
        }
    }

    /// Returns a lower bound on the moves of every solution.
    pub fn lower_bound(&self) -> u32 {
        let is_done = self.round().is_some_and(Round::is_done);
        self.bound() + if is_done { self.rules().step } else { 0 }
    }

    fn rules(&self) -> Rules {
        Rules::of(self.subject.metric)
    }

    /// Returns all counted nodes.
    pub fn counts(&self) -> Counts {
        let bounds = self.bounds.iter().copied().map(Counts::from);
        let last = match &self.stage {
            Stage::Searching(round) => round.counts(),
            Stage::Solved { last, .. } => *last,
        };
        bounds.fold(last, Counts::plus)
    }

    /// Returns the bound that is being searched.
    pub fn round(&self) -> Option<&Round> {
        match &self.stage {
            Stage::Searching(round) => Some(round),
            Stage::Solved { .. } => None,
        }
    }

    /// Returns the number of packets of the bound after `bounds`: fewer than the subject's if the
    /// bound is small.
    pub(crate) fn packet_count(subject: &Subject, bounds: &[BoundCount]) -> usize {
        let worth = bounds.last().map_or(0, |last| last.generated / NODES_PER_PACKET);
        usize::try_from(worth).unwrap_or(usize::MAX).min(subject.packet_count).max(1)
    }

    /// Returns the best known solution, which is a shortest one if the board is solved.
    pub fn best(&self) -> Option<&[Direction]> {
        match &self.stage {
            Stage::Searching(_) => self.known.as_deref(),
            Stage::Solved { moves, .. } => Some(moves),
        }
    }

    /// Keeps a solution if the board is not solved and no shorter or equal one is known. Returns
    /// whether it was kept.
    pub fn keep_known(&mut self, moves: &[Direction]) -> bool {
        let count = |moves: &[Direction]| self.rules().count(moves);
        let is_better = self.round().is_some()
            && self.known.as_ref().is_none_or(|known| count(moves) < count(known));
        if is_better {
            self.known = Some(moves.to_vec());
        }
        is_better
    }

    /// Returns whether the current bound has fewer packets because it takes little time. Then every
    /// shard searches all of it.
    pub fn is_small(&self) -> bool {
        Self::packet_count(&self.subject, &self.bounds) < self.subject.packet_count
    }

    /// Adds the results of another search of the same bound.
    ///
    /// A packet that is finished in both must have the same counts. If one of them found the
    /// solution, the other's packets must not exclude it. The shorter known solution is kept.
    ///
    /// # Errors
    /// A [`LedgerError`] with the first difference; then the ledger is unchanged.
    pub fn merge(&mut self, other: &Self) -> Result<(), LedgerError> {
        self.subject.check_same(&other.subject)?;
        for (a, b) in self.bounds.iter().zip(&other.bounds) {
            if a.bound != b.bound {
                return Err(LedgerError::Bound { expected: a.bound, found: b.bound });
            }
            if a != b {
                let (expected, found) =
                    (Counts::from(*a).to_string(), Counts::from(*b).to_string());
                let what = format!("bound {}", a.bound);
                return Err(LedgerError::OtherResult { what, expected, found });
            }
        }
        let (expected, found) = (self.bound(), other.bound());
        if expected != found || self.bounds.len() != other.bounds.len() {
            return Err(LedgerError::OtherBound { expected, found });
        }
        match (&mut self.stage, &other.stage) {
            (Stage::Searching(round), Stage::Searching(other_round)) => {
                round.merge(other_round)?;
                if let Some(moves) = &other.known {
                    self.keep_known(moves);
                }
                Ok(())
            }
            (Stage::Searching(round), solved @ Stage::Solved { .. }) => {
                round.check_solution(&self.subject, solved)?;
                self.stage = solved.clone();
                self.known = None;
                Ok(())
            }
            (solved @ Stage::Solved { .. }, Stage::Searching(round)) => {
                round.check_solution(&self.subject, solved)
            }
            // Any two shortest solutions are equally good.
            (Stage::Solved { .. }, Stage::Solved { .. }) => Ok(()),
        }
    }
}

impl Round {
    /// Checks that the packets and the nodes above them are those of `other`, finished or not.
    pub(crate) fn check_same(&self, other: &Self) -> Result<(), LedgerError> {
        let differ = |expected: String, found: String| {
            Err(LedgerError::OtherPackets { bound: self.bound, expected, found })
        };
        if self.trunk != other.trunk {
            let trunk = |counts: Counts| format!("a trunk of {counts}");
            return differ(trunk(self.trunk), trunk(other.trunk));
        }
        let (expected, found) = (self.packets.len(), other.packets.len());
        if expected != found {
            let packets = |count: usize| format!("{count} packets");
            return differ(packets(expected), packets(found));
        }
        let pairs = self.packets.iter().zip(&other.packets);
        match pairs.enumerate().find(|(_, (a, b))| a.moves != b.moves) {
            None => Ok(()),
            Some((i, (a, b))) => differ(a.named(i), b.named(i)),
        }
    }

    fn merge(&mut self, other: &Self) -> Result<(), LedgerError> {
        self.check_same(other)?;
        for (packet, (a, b)) in self.packets.iter().zip(&other.packets).enumerate() {
            if let (Some(expected), Some(found)) = (a.done, b.done)
                && expected.counts != found.counts
            {
                let (expected, found) = (expected.counts.to_string(), found.counts.to_string());
                return Err(LedgerError::OtherResult { what: a.named(packet), expected, found });
            }
        }
        for (a, b) in self.packets.iter_mut().zip(&other.packets) {
            a.done = match (a.done, b.done) {
                (Some(a), Some(b)) => Some(Done { nearest: a.nearest.min(b.nearest), ..a }),
                (a, b) => a.or(b),
            };
        }
        Ok(())
    }

    /// Checks that no finished packet contains the solution of packets elsewhere. Packets may prune
    /// the moves of another solution.
    fn check_solution(&self, subject: &Subject, solved: &Stage) -> Result<(), LedgerError> {
        let Stage::Solved { moves, is_proved_by_bounds: false, .. } = solved else { return Ok(()) };
        let moves = subject.searched(moves);
        let rules = Rules::of(subject.metric);
        let leads_there =
            |entry: &Entry| entry.done.is_some() && rules.begins(&entry.moves, &moves);
        match self.packets.iter().enumerate().find(|(_, entry)| leads_there(entry)) {
            None => Ok(()),
            Some((packet, entry)) => Err(LedgerError::OtherResult {
                what: entry.named(packet),
                expected: format!("{} without a solution", entry.done.unwrap_or_default().counts),
                found: format!("a solution of {} moves", rules.count(&moves)),
            }),
        }
    }
}
