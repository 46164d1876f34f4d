//! The ranks of a job, as the builder of a table sees them.

use std::sync::atomic::Ordering;

use tilebase::pdb_gen::{GenError, Team};

use crate::mailbox::{Mailbox, kind};
use crate::rounds::RoundsState;

impl Mailbox {
    /// Handles an arrived message of a build.
    pub(crate) fn take_build_message(&self, from: usize, kind: u8, mut bytes: Vec<u8>) {
        let Some(number) = pop_number(&mut bytes) else { return };
        let mut state = self.rounds.state.lock();
        match kind {
            kind::PART if self.rank == 0 => self.add_part(&mut state, number, from, bytes),
            kind::PARTS => {
                if let Some(parts) = split_parts(&bytes) {
                    state.whole.insert(number, parts);
                }
            }
            kind::MESSAGE if number == state.build => state.messages.push_back((from, bytes)),
            kind::STOP if number == state.build => {
                self.rounds.is_stopped.store(true, Ordering::Relaxed);
            }
            kind::LOST => {
                drop(state);
                self.exclude(usize::try_from(number).unwrap_or(0).min(self.count() - 1));
            }
            _ => (),
        }
        self.rounds.notify();
    }

    /// Adds a part on rank 0, which sends all parts to all ranks when the round is complete.
    fn add_part(&self, state: &mut RoundsState, round: u64, rank: usize, part: Vec<u8>) {
        let parts = state.parts.entry(round).or_default();
        parts.insert(rank, part);
        if parts.len() < self.count() {
            return;
        }
        let whole: Vec<_> = state.parts.remove(&round).into_iter().flatten().collect();
        let whole: Vec<_> = whole.into_iter().map(|(_, part)| part).collect();
        let message = numbered(join_parts(&whole), round);
        self.active_peers().for_each(|to| self.send(to, kind::PARTS, &message[..]));
        state.whole.insert(round, whole);
    }
}

/// The ranks of a job.
pub(crate) struct JobTeam<'a>(pub(crate) &'a Mailbox);

impl JobTeam<'_> {
    fn lost(&self, rank: usize) -> GenError {
        let problem = "it has been silent for too long".to_owned();
        GenError::RankLost { rank: self.name_of(rank), problem }
    }
}

impl Team for JobTeam<'_> {
    fn rank(&self) -> usize {
        self.0.rank
    }

    fn count(&self) -> usize {
        self.0.count()
    }

    fn name_of(&self, rank: usize) -> String {
        self.0.name(rank)
    }

    fn begin_round(&self, part: Vec<u8>) -> Result<u64, GenError> {
        let mut state = self.0.rounds.state.lock();
        let round = state.next_round;
        state.next_round += 1;
        if self.0.rank == 0 {
            self.0.add_part(&mut state, round, 0, part);
        } else {
            self.0.send(0, kind::PART, numbered(part, round));
        }
        Ok(round)
    }

    fn end_round(&self, round: u64) -> Result<Vec<Vec<u8>>, GenError> {
        self.0.rounds.wait(|state| state.whole.remove(&round)).map_err(|rank| self.lost(rank))
    }

    fn send(&self, rank: usize, message: Vec<u8>) {
        let build = self.0.rounds.state.lock().build;
        self.0.send(rank, kind::MESSAGE, numbered(message, build));
    }

    fn receive(&self, round: Option<u64>) -> Result<Option<(usize, Vec<u8>)>, GenError> {
        let find = |state: &mut RoundsState| {
            let message = state.messages.pop_front();
            let is_whole = || round.is_some_and(|round| state.whole.contains_key(&round));
            if message.is_some() || is_whole() { Some(message) } else { None }
        };
        self.0.rounds.wait(find).map_err(|rank| self.lost(rank))
    }

    fn give_up(&self) {
        let build = self.0.rounds.state.lock().build;
        self.0.active_peers().for_each(|to| self.0.send(to, kind::STOP, build.to_le_bytes()));
    }
}

/// Returns bytes followed by a number.
fn numbered(mut bytes: Vec<u8>, number: u64) -> Vec<u8> {
    bytes.extend(number.to_le_bytes());
    bytes
}

/// Removes the number after some bytes.
fn pop_number(bytes: &mut Vec<u8>) -> Option<u64> {
    let &number = bytes.last_chunk()?;
    bytes.truncate(bytes.len() - size_of::<u64>());
    Some(u64::from_le_bytes(number))
}

/// Joins parts, each after its length.
fn join_parts(parts: &[Vec<u8>]) -> Vec<u8> {
    let with_length = |part: &Vec<u8>| [&(part.len() as u64).to_le_bytes(), &part[..]].concat();
    parts.iter().flat_map(with_length).collect()
}

/// Splits parts that [`join_parts`] joined.
fn split_parts(mut bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut parts = Vec::new();
    while !bytes.is_empty() {
        let (&length, rest) = bytes.split_first_chunk()?;
        let (part, rest) =
            rest.split_at_checked(usize::try_from(u64::from_le_bytes(length)).ok()?)?;
        parts.push(part.to_vec());
        bytes = rest;
    }
    Some(parts)
}
