//! What a build needs of the other ranks: everybody's part of something, and files that they have.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::slice;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::thread;

use serde::{Deserialize, Serialize};
use tilebase::pdb_gen::{Team, TeamError};

use crate::counter::{State, Wanted};
use crate::desk::{Desk, kind, read};

/// Files travel in slices of so many bytes, so that other messages get in between.
const SLICE_BYTES: usize = 1 << 20;

impl Desk {
    /// Gives this rank's part of its next round; gives the number of the round.
    pub(crate) fn give(&self, part: Vec<u8>) -> u64 {
        let mut state = self.counter.state();
        let round = state.round;
        state.round += 1;
        if self.rank == 0 {
            self.add(&mut state, round, 0, part);
        } else {
            self.send(0, kind::PART, numbered(part, round));
        }
        round
    }

    /// Waits for the parts of all ranks, in their order.
    ///
    /// # Errors
    /// The rank that is lost.
    pub(crate) fn take(&self, round: u64) -> Result<Vec<Vec<u8>>, usize> {
        self.wait(|state| state.whole.remove(&round))
    }

    /// Waits for a letter of the present build, and gives it with who sent it; nothing when a round is whole
    /// and no letter is there.
    ///
    /// # Errors
    /// The rank that is lost.
    pub(crate) fn receive(&self, round: Option<u64>) -> Result<Option<(usize, Vec<u8>)>, usize> {
        self.wait(|state| {
            let letter = state.letters.pop_front();
            let is_whole = || round.is_some_and(|round| state.whole.contains_key(&round));
            if letter.is_some() || is_whole() { Some(letter) } else { None }
        })
    }

    /// Waits until something is there.
    fn wait<T>(&self, mut find: impl FnMut(&mut State) -> Option<T>) -> Result<T, usize> {
        let mut state = self.counter.state();
        loop {
            if let Some(found) = find(&mut state) {
                return Ok(found);
            }
            if let Some(rank) = state.lost {
                return Err(rank);
            }
            state = self.counter.news.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Asks a rank for ranges of a file of the folder that it serves, and waits for their bytes.
    ///
    /// # Errors
    /// The rank that is lost, or why there is no such file.
    pub(crate) fn fetch(
        &self,
        rank: usize,
        file: &Path,
        ranges: &[Range<u64>],
    ) -> Result<Vec<u8>, Result<usize, String>> {
        let mut state = self.counter.state();
        let number = state.file_count;
        state.file_count += 1;
        state.files.insert(number, Wanted { bytes: Vec::new(), total: None, problem: None });
        let asked = Asked { file: file.to_owned(), ranges: ranges.to_vec() };
        let asked = serde_json::to_vec(&asked).expect("a path of a build and numbers are JSON");
        self.send(rank, kind::ASK, numbered(asked, number));
        loop {
            let lost = state.lost;
            let wanted = state.files.get_mut(&number).expect("it is waited for here");
            let is_whole = wanted.total == Some(wanted.bytes.len() as u64);
            let end = match (wanted.problem.take(), is_whole, lost) {
                (Some(problem), ..) => Err(Err(problem)),
                (None, true, _) => Ok(std::mem::take(&mut wanted.bytes)),
                (None, false, Some(rank)) => Err(Ok(rank)),
                (None, false, None) => {
                    state = self.counter.news.wait(state).unwrap_or_else(PoisonError::into_inner);
                    continue;
                }
            };
            state.files.remove(&number);
            return end;
        }
    }

    /// Takes what has arrived.
    pub(crate) fn take_part(self: &Arc<Self>, from: usize, kind: u8, mut bytes: Vec<u8>) {
        let counter = &self.counter;
        let Some(number) = pop_number(&mut bytes) else { return };
        match kind {
            kind::PART if self.rank == 0 => {
                self.add(&mut counter.state(), number, from, bytes);
            }
            kind::PARTS => {
                if let Some(parts) = apart(&bytes) {
                    counter.state().whole.insert(number, parts);
                }
            }
            kind::LETTER => {
                let mut state = counter.state();
                if number == state.build {
                    state.letters.push_back((from, bytes));
                }
            }
            kind::STOP if number == counter.state().build => {
                counter.is_stopped.store(true, Ordering::Relaxed);
            }
            kind::GONE => {
                let lost = usize::try_from(number).unwrap_or(0).min(self.count() - 1);
                self.lose(lost);
            }
            kind::ASK => {
                let Some(asked) = read(&bytes) else { return };
                let (desk, served) = (Arc::clone(self), counter.state().served.clone());
                // The post goes on meanwhile.
                let hand_out = move || hand_out(&desk, from, number, served, &asked);
                let spawned = thread::Builder::new().name("files".into()).spawn(hand_out);
                if let Err(error) = spawned {
                    let problem = format!("cannot start a thread: {error}");
                    self.send(from, kind::NONE, numbered(problem.into(), number));
                }
            }
            kind::SLICE => {
                let Some(total) = pop_number(&mut bytes) else { return };
                if let Some(wanted) = counter.state().files.get_mut(&number) {
                    wanted.total = Some(total);
                    wanted.bytes.extend_from_slice(&bytes);
                }
            }
            kind::NONE => {
                if let Some(wanted) = counter.state().files.get_mut(&number) {
                    wanted.problem = Some(String::from_utf8_lossy(&bytes).into_owned());
                }
            }
            _ => (),
        }
        counter.news.notify_all();
    }

    /// Rank 0 has one more part; when it has all, all get them.
    fn add(&self, state: &mut State, round: u64, rank: usize, part: Vec<u8>) {
        let parts = state.parts.entry(round).or_insert_with(|| vec![None; state.rank_count]);
        parts[rank] = Some(part);
        if parts.iter().any(Option::is_none) {
            return;
        }
        let whole: Vec<_> = state.parts.remove(&round).into_iter().flatten().flatten().collect();
        let message = numbered(together(&whole), round);
        self.others().for_each(|to| self.send(to, kind::PARTS, &message[..]));
        state.whole.insert(round, whole);
    }
}

/// The ranks of a job, as the builder of a table sees them.
pub(crate) struct Mates<'a>(pub(crate) &'a Desk);

impl Team for Mates<'_> {
    fn rank(&self) -> usize {
        self.0.rank
    }

    fn count(&self) -> usize {
        self.0.count()
    }

    fn name_of(&self, rank: usize) -> String {
        self.0.name(rank).to_string()
    }

    fn give(&self, bytes: Vec<u8>) -> Result<u64, TeamError> {
        Ok(self.0.give(bytes))
    }

    fn take(&self, round: u64) -> Result<Vec<Vec<u8>>, TeamError> {
        self.0.take(round).map_err(lost)
    }

    fn send(&self, rank: usize, letter: Vec<u8>) {
        let build = self.0.counter.state().build;
        self.0.send(rank, kind::LETTER, numbered(letter, build));
    }

    fn give_up(&self) {
        let build = self.0.counter.state().build;
        self.0.others().for_each(|to| self.0.send(to, kind::STOP, build.to_le_bytes()));
    }

    fn receive(&self, round: Option<u64>) -> Result<Option<(usize, Vec<u8>)>, TeamError> {
        self.0.receive(round).map_err(lost)
    }

    fn fetch(&self, rank: usize, file: &Path, ranges: &[Range<u64>]) -> Result<Vec<u8>, TeamError> {
        self.0.fetch(rank, file, ranges).map_err(|error| match error {
            Ok(rank) => lost(rank),
            Err(problem) => TeamError::Failed { rank, problem },
        })
    }

    fn serve(&self, folder: Option<&Path>) {
        self.0.counter.serve(folder);
    }
}

fn lost(rank: usize) -> TeamError {
    TeamError::Lost { rank, problem: "it says nothing any more".to_owned() }
}

/// Bytes with a number behind them.
fn numbered(mut bytes: Vec<u8>, number: u64) -> Vec<u8> {
    bytes.extend(number.to_le_bytes());
    bytes
}

/// The number behind some bytes, which it leaves.
fn pop_number(bytes: &mut Vec<u8>) -> Option<u64> {
    let &number = bytes.last_chunk()?;
    bytes.truncate(bytes.len() - size_of::<u64>());
    Some(u64::from_le_bytes(number))
}

/// Parts behind each other, each with its length before it.
fn together(parts: &[Vec<u8>]) -> Vec<u8> {
    let with_length = |part: &Vec<u8>| [&(part.len() as u64).to_le_bytes(), &part[..]].concat();
    parts.iter().flat_map(with_length).collect()
}

/// What [`together`] put together.
fn apart(mut bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
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

/// Ranges of a file that a rank asks for; all of it, if there are none.
#[derive(Debug, Serialize, Deserialize)]
struct Asked {
    file: PathBuf,
    ranges: Vec<Range<u64>>,
}

/// Sends what a rank has asked for, or says why not.
fn hand_out(desk: &Desk, to: usize, number: u64, served: Option<PathBuf>, asked: &Asked) {
    let Asked { file, ranges } = asked;
    let refuse = |problem: String| desk.send(to, kind::NONE, numbered(problem.into(), number));
    // What is asked for is a file below the folder, and nothing else.
    let has_way_out = file.components().any(|part| part == Component::ParentDir);
    if has_way_out || !served.is_some_and(|folder| file.starts_with(folder)) {
        return refuse(format!("{} is none of the files of a build under way", file.display()));
    }
    let send = || -> std::io::Result<()> {
        let mut open = File::open(file)?;
        let whole = 0..open.metadata()?.len();
        let ranges = if ranges.is_empty() { slice::from_ref(&whole) } else { ranges };
        let length = |range: &Range<u64>| range.end.saturating_sub(range.start);
        let total: u64 = ranges.iter().map(length).sum();
        let hand = |slice| desk.send(to, kind::SLICE, numbered(numbered(slice, total), number));
        let mut slice = Vec::new();
        for range in ranges {
            open.seek(SeekFrom::Start(range.start))?;
            let mut left = length(range);
            while left > 0 {
                let room = (SLICE_BYTES - slice.len()) as u64;
                let count = open.by_ref().take(left.min(room)).read_to_end(&mut slice)? as u64;
                if count == 0 {
                    return Err(std::io::ErrorKind::UnexpectedEof.into());
                }
                left -= count;
                if slice.len() == SLICE_BYTES {
                    hand(std::mem::take(&mut slice));
                }
            }
        }
        // The last one, or the only one of nothing.
        if !slice.is_empty() || total == 0 {
            hand(slice);
        }
        Ok(())
    };
    if let Err(error) = send() {
        refuse(format!("{} on {}: {error}", file.display(), desk.name(desk.rank)));
    }
}
