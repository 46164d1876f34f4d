//! One table by several ranks, which are threads here: equal bytes for any number of ranks and
//! after the failure of any rank.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use pdb_core::{BlankMode, CellSet, PatternKey, TableKey};
use pdb_gen::faults::Watch;
use pdb_gen::{Build, Event, GenError, Monitor, Team, TeamBudget, TeamReport, work_folder};
use pdb_oracle::are_long;

use crate::{
    PLENTY, assert_is_table, budget, cancelled_at, fresh, is_level, key_of, names_in, pattern,
    read, scratch_in_memory, shape, tiles, write,
};

/// Exchanges messages between ranks that are threads.
struct Hub {
    state: Mutex<HubState>,
    changed: Condvar,
    /// The rank that is lost, or `NO_RANK`.
    lost: Arc<AtomicUsize>,
}

/// The parts of a round, by rank.
type RoundParts = Vec<Option<Vec<u8>>>;

#[derive(Default)]
struct HubState {
    rounds: Vec<RoundParts>,
    /// Unread messages of each rank, with their senders.
    messages: Vec<VecDeque<(usize, Vec<u8>)>>,
    /// Ranks that have ended.
    gone: Vec<usize>,
}

impl HubState {
    fn is_whole(&self, round: u64) -> bool {
        self.rounds[round as usize].iter().all(Option::is_some)
    }
}

/// Stands for no rank.
const NO_RANK: usize = usize::MAX;

impl Hub {
    fn new(count: usize, lost: Arc<AtomicUsize>) -> Self {
        let messages = vec![VecDeque::new(); count];
        let state = HubState { messages, ..HubState::default() };
        Self { state: Mutex::new(state), changed: Condvar::new(), lost }
    }

    fn state(&self) -> MutexGuard<'_, HubState> {
        self.state.lock().expect("no rank panics with the lock")
    }

    /// Waits until `find` returns something, or a rank has ended.
    fn wait<T>(&self, mut find: impl FnMut(&mut HubState) -> Option<T>) -> Result<T, GenError> {
        let mut state = self.state();
        loop {
            if let Some(found) = find(&mut state) {
                return Ok(found);
            }
            if let Some(&rank) = state.gone.first() {
                return Err(lost(rank));
            }
            state = self.changed.wait(state).expect("no rank panics with the lock");
        }
    }
}

struct Member {
    hub: Arc<Hub>,
    rank: usize,
    count: usize,
}

fn name_of(rank: usize) -> String {
    format!("rank {rank} on thread {rank}")
}

fn lost(rank: usize) -> GenError {
    GenError::RankLost { rank: name_of(rank), problem: "its thread ended".to_owned() }
}

impl Team for Member {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.count
    }

    fn name_of(&self, rank: usize) -> String {
        name_of(rank)
    }

    fn begin_round(&self, part: Vec<u8>) -> Result<u64, GenError> {
        if self.hub.lost.load(Ordering::SeqCst) == self.rank {
            return Err(lost(self.rank));
        }
        let mut state = self.hub.state();
        let is_new = |parts: &RoundParts| parts[self.rank].is_none();
        let round = state.rounds.iter().position(is_new).unwrap_or_else(|| {
            state.rounds.push(vec![None; self.count]);
            state.rounds.len() - 1
        });
        state.rounds[round][self.rank] = Some(part);
        self.hub.changed.notify_all();
        Ok(round as u64)
    }

    fn end_round(&self, round: u64) -> Result<Vec<Vec<u8>>, GenError> {
        self.hub.wait(|state| {
            let parts = state.rounds[round as usize].iter().flatten();
            state.is_whole(round).then(|| parts.cloned().collect())
        })
    }

    fn send(&self, rank: usize, message: Vec<u8>) {
        assert_ne!(rank, self.rank, "a rank sends nothing to itself");
        self.hub.state().messages[rank].push_back((self.rank, message));
        self.hub.changed.notify_all();
    }

    fn receive(&self, round: Option<u64>) -> Result<Option<(usize, Vec<u8>)>, GenError> {
        self.hub.wait(|state| match state.messages[self.rank].pop_front() {
            None if round.is_some_and(|round| state.is_whole(round)) => Some(None),
            message => message.map(Some),
        })
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.hub.state().gone.push(self.rank);
        self.hub.changed.notify_all();
    }
}

/// A team with some disks. Rank `r` writes to `disks[r % disks.len()]`.
struct Crew<'a> {
    disks: &'a [PathBuf],
    count: usize,
    budget: TeamBudget,
    lost: Arc<AtomicUsize>,
}

type Outcome = Result<TeamReport, GenError>;

/// An interval longer than any of these builds.
const NEVER: Duration = Duration::from_hours(1);
/// An interval that saves a checkpoint after each level.
const ALWAYS: Duration = Duration::ZERO;

impl<'a> Crew<'a> {
    /// Creates a crew with an interval between checkpoints.
    fn new(disks: &'a [PathBuf], count: usize, segment_bytes: u64, saved_after: Duration) -> Self {
        let segment_bytes = Some(segment_bytes);
        let budget = TeamBudget { memory_bytes: PLENTY, segment_bytes, saved_after };
        Self { disks, count, budget, lost: Arc::new(AtomicUsize::new(NO_RANK)) }
    }

    fn disk(&self, rank: usize) -> &Path {
        &self.disks[rank % self.disks.len()]
    }

    /// Builds a table by all ranks. With several keys, each rank asks for its own table. `report`
    /// receives events with the rank.
    fn build_with(
        &self,
        keys: &[PatternKey],
        report: impl Fn(usize, Event) + Sync,
        cancel: &[AtomicBool],
    ) -> Vec<Outcome> {
        let hub = Arc::new(Hub::new(self.count, self.lost.clone()));
        std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for rank in 0..self.count {
                let member = Member { hub: hub.clone(), rank, count: self.count };
                let (report, key) = (&report, &keys[rank % keys.len()]);
                threads.push(scope.spawn(move || {
                    let report = move |event| report(rank, event);
                    let monitor = &Monitor::new(&report, &cancel[rank]);
                    let thread_count = 1 + rank % 2;
                    Build { thread_count, monitor, ..Build::new(self.disk(rank)) }.by_team(
                        key,
                        &self.budget,
                        &member,
                    )
                }));
            }
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        })
    }

    fn build(&self, key: &PatternKey) -> Vec<Outcome> {
        self.build_with(&[*key], |_, _| (), &no_cancel(self.count))
    }

    /// Cancels one rank after a level; returns the level of the checkpoint.
    fn cancelled_after(&self, key: &PatternKey, rank: usize, after: u32) -> u32 {
        let cancel = no_cancel(self.count);
        let report = |by: usize, event: Event| {
            if by == rank && is_level(event, after) {
                cancel[rank].store(true, Ordering::Relaxed);
            }
        };
        let levels = self.build_with(&[*key], report, &cancel).into_iter().map(|outcome| {
            let error = outcome.expect_err("it was cancelled");
            let GenError::Paused { level, .. } = error else { panic!("{error}") };
            level
        });
        let levels: Vec<u32> = levels.collect();
        // All ranks end the level together.
        assert!(levels.iter().all(|&level| level == levels[0] && level > after), "{levels:?}");
        levels[0]
    }

    fn assert_same(&self, key: &PatternKey, case: &str) -> Vec<TeamReport> {
        let table_key = TableKey::Pattern(*key);
        let reports = self.build(key).into_iter().map(|outcome| match outcome {
            Ok(report) => report,
            Err(error) => panic!("{case}: {error}"),
        });
        let reports: Vec<_> = reports.collect();
        let table = fresh(&table_key);
        assert_is_table(&self.disk(0).join(table_key.file_name()), &table_key, case);
        for report in &reports {
            assert_eq!(report.build.header, table.header, "{case}");
            assert_eq!(report.levels, reports[0].levels, "{case}: all know the same");
        }
        for (i, disk) in self.disks.iter().enumerate().take(self.count) {
            let expected: Vec<_> = (i == 0).then(|| table_key.file_name()).into_iter().collect();
            assert_eq!(names_in(disk), expected, "{case}, disk {i}");
        }
        reports
    }

    /// Asserts that the bytes are equal and that the build resumed at a level.
    fn assert_resumed(&self, key: &PatternKey, level: u32, case: &str) {
        for report in self.assert_same(key, case) {
            let streamed = report.build.streamed.expect("it was shared");
            assert_eq!(streamed.resumed_level, Some(level), "{case}");
        }
    }
}

fn no_cancel(count: usize) -> Vec<AtomicBool> {
    (0..count).map(|_| AtomicBool::new(false)).collect()
}

/// Returns the paths of some disks below a folder.
fn disks(folder: &Path, count: usize) -> Vec<PathBuf> {
    (0..count).map(|disk| folder.join(format!("disk{disk}"))).collect()
}

#[test]
fn any_number_of_ranks_builds_equal_tables_of_larger_boards() {
    let square = shape(3, 3);
    let half = |mode| key_of(pattern(square, CellSet(0b0_0111_1111), 8, mode));
    let wide = |mode| key_of(pattern(shape(2, 5), CellSet(0b11000_11000), 2, mode));
    for mode in [BlankMode::Aware, BlankMode::Collapsed, BlankMode::Plain] {
        let keys = [half(mode), wide(mode), tiles([1, 2, 5, 6, 9], mode)];
        let crews = [(1, 3_000), (2, 300), (3, 40_000), (5, 3_000), (4, PLENTY)];
        for (k, key) in keys.into_iter().enumerate() {
            for (c, (count, segment_bytes)) in crews.into_iter().enumerate() {
                // Each crew builds some of the keys and each key is built by some crews; all pairs
                // in long tests.
                if !are_long() && !(k + c).is_multiple_of(3) {
                    continue;
                }
                let place = scratch_in_memory();
                let disks = disks(place.path(), count);
                let crew = Crew::new(&disks, count, segment_bytes, NEVER);
                let case = format!("{count} ranks, {segment_bytes} bytes");
                let reports = crew.assert_same(&key, &case);
                let states: u64 = reports[0].levels.iter().map(|level| level.states).sum();
                assert_eq!(states + 1, reports[0].build.state_count, "{case}");
                let streamed = reports[0].build.streamed.expect("it was shared");
                assert_eq!(streamed.work_bytes, 0, "{case}: there was no reason for files");
                let ranks = reports[0].levels.iter().flat_map(|level| &level.ranks);
                let fetched: u64 = ranks.map(|rank| rank.fetched_bytes).sum();
                // Larger segments may all belong to one rank.
                assert!(fetched > 0 || segment_bytes > 300, "{case}");
                assert!(fetched == 0 || count > 1 && segment_bytes < PLENTY, "{case}");
            }
        }
    }
}

#[test]
fn a_cancelled_build_is_resumed_by_another_number_of_ranks() {
    for mode in [BlankMode::Aware, BlankMode::Collapsed] {
        let key = key_of(pattern(shape(3, 3), CellSet(0b0_0110_1101), 8, mode));
        let last = fresh(&TableKey::Pattern(key)).header.level_max();
        let in_turn = scratch_in_memory();
        let all_in_turn = disks(in_turn.path(), 1);
        let mut reached_in_turn = 0;
        for after in (1..last - 3).step_by(if are_long() { 1 } else { 3 }) {
            let counts = [1, 2, 3, 5];
            let count = counts[after as usize % 4];
            let place = scratch_in_memory();
            // Either all ranks share one disk, or each has its own. Then the later ranks must see
            // the disks of the first ones.
            let all = disks(place.path(), if after % 2 == 0 { 1 } else { count + 2 });
            let first = &all[..all.len().min(count)];
            let rank = after as usize % count;
            let level = Crew::new(first, count, 500, NEVER).cancelled_after(&key, rank, after);
            let more = if all.len() == 1 { counts[(after as usize + 1) % 4] } else { count + 2 };
            let saved_after = if after % 4 == 1 { ALWAYS } else { NEVER };
            let later = Crew::new(&all, more, 9_999, saved_after);
            later.assert_resumed(&key, level, &format!("level {level}"));
            // In addition, one build continues with a new number of ranks each time.
            if after > reached_in_turn {
                let crew = Crew::new(&all_in_turn, count, 500, NEVER);
                reached_in_turn = crew.cancelled_after(&key, rank, after);
            }
        }
        Crew::new(&all_in_turn, 4, 500, NEVER).assert_same(&key, "in turn");
    }
}

#[test]
fn ranks_resume_a_build_of_one_machine() {
    let key = tiles([1, 2, 5, 6, 9], BlankMode::Collapsed);
    for (count, after) in [(1, 3), (2, 9), (3, 20)] {
        let place = scratch_in_memory();
        let disks = disks(place.path(), count);
        // Any rank may see the files of the machine.
        let alone = cancelled_at(
            |event| is_level(event, after),
            |monitor| {
                let alone = Build { monitor, ..Build::new(&disks[count - 1]) };
                alone.streamed(&key, &budget(PLENTY, 2_000))
            },
        );
        assert!(matches!(alone, Err(GenError::Paused { .. })), "{alone:?}");
        Crew::new(&disks, count, 9_999, NEVER).assert_resumed(&key, after, "from one machine");
    }
}

/// Returns the number of changes that a rank makes in its folder during a whole build.
fn change_count(key: &PatternKey, count: usize, rank: usize) -> usize {
    let place = scratch_in_memory();
    let disks = disks(place.path(), count);
    let changes = Arc::new(AtomicUsize::new(0));
    let counted = changes.clone();
    let _watch = Watch::begin(&disks[rank], move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
        Ok(())
    });
    Crew::new(&disks, count, 3_000, ALWAYS).assert_same(key, "counted");
    changes.load(Ordering::SeqCst)
}

#[test]
fn a_build_is_resumed_after_a_rank_was_lost_at_any_change() {
    let key = key_of(pattern(shape(3, 3), CellSet(0b0_0000_1101), 8, BlankMode::Collapsed));
    for rank in [0, 1] {
        let changes = change_count(&key, 3, rank);
        let step = changes.div_ceil(if are_long() { 24 } else { 10 });
        for at in (0..changes).step_by(step) {
            let place = scratch_in_memory();
            let all = disks(place.path(), 5);
            let crew = Crew::new(&all[..3], 3, 3_000, ALWAYS);
            let (seen, gone) = (Arc::new(AtomicUsize::new(0)), crew.lost.clone());
            let watch = Watch::begin(&all[rank], move |_| {
                if seen.fetch_add(1, Ordering::SeqCst) < at {
                    return Ok(());
                }
                // Later changes and messages of the lost rank have no effect.
                gone.store(rank, Ordering::SeqCst);
                Err(io::ErrorKind::Other.into())
            });
            let mut failed = 0;
            for (other, outcome) in crew.build(&key).into_iter().enumerate() {
                let Err(error) = outcome else { continue };
                failed += 1;
                let name = name_of(rank);
                let is_named = other == rank || error.to_string().contains(&name);
                assert!(is_named, "change {at}, rank {other}: {error}");
            }
            // The last changes only remove files.
            assert!(failed > 0 || at > changes - 10, "change {at} of {changes}");
            drop(watch);
            let more = [3, 5, 4][at % 3];
            Crew::new(&all[..more], more, 3_000, NEVER)
                .assert_same(&key, &format!("change {at} of {rank}"));
        }
    }
}

#[test]
fn a_full_disk_of_one_rank_ends_all_ranks_and_is_named() {
    let key = tiles([1, 2, 5, 6, 9], BlankMode::Aware);
    for (rank, at) in [(0, 25), (1, 0), (2, 25)] {
        let place = scratch_in_memory();
        let disks = disks(place.path(), 3);
        let crew = Crew::new(&disks, 3, 3_000, ALWAYS);
        let seen = AtomicUsize::new(0);
        let watch = Watch::begin(&disks[rank], move |change| {
            let is_segment = change.path().to_string_lossy().contains("level-");
            if is_segment && seen.fetch_add(1, Ordering::SeqCst) >= at {
                return Err(io::ErrorKind::StorageFull.into());
            }
            Ok(())
        });
        for (other, outcome) in crew.build(&key).into_iter().enumerate() {
            let text = outcome.expect_err("there is no room").to_string();
            assert!(text.contains("cannot write") && text.contains("no storage space"), "{text}");
            let name = format!("{}: ", name_of(rank));
            assert_eq!(text.contains(&name), other != rank, "{text}");
        }
        drop(watch);
        crew.assert_same(&key, "with room");
    }
}

#[test]
fn a_file_that_no_rank_sees_is_named() {
    let key = tiles([1, 2, 5, 6, 9], BlankMode::Aware);
    let place = scratch_in_memory();
    let all = disks(place.path(), 3);
    let reached = Crew::new(&all, 3, 3_000, NEVER).cancelled_after(&key, 2, 9);
    let left: Vec<_> = [0, 2].map(|disk| all[disk].clone()).into();
    for outcome in Crew::new(&left, 2, 3_000, NEVER).build(&key) {
        let error = outcome.expect_err("a disk is missing");
        let text = error.to_string();
        let GenError::MissingFile { level, asked, .. } = error else { panic!("{text}") };
        assert_eq!(level, reached, "{text}");
        assert_eq!(asked, "rank 0 on thread 0, rank 1 on thread 1");
    }
    let work = work_folder(&all[1], &TableKey::Pattern(key));
    let name = names_in(&work).into_iter().find(|name| name.starts_with("level-1-"));
    let path = work.join(name.expect("it has a part of the level"));
    let bytes = read(&path);
    let mut flipped = bytes.clone();
    *flipped.last_mut().expect("it has bytes") ^= 4;
    // A missing or truncated file counts as missing; a damaged one is refused when it is read.
    for change in [None, Some(&bytes[..bytes.len() - 1]), Some(&flipped)] {
        match change {
            None => std::fs::remove_file(&path).expect("it is there"),
            Some(bytes) => write(&path, bytes),
        }
        for outcome in Crew::new(&all, 3, 3_000, NEVER).build(&key) {
            let error = outcome.expect_err("a file is missing");
            if change.is_some_and(|bytes| bytes.len() == flipped.len()) {
                let text = error.to_string();
                assert!(text.contains("expected the bytes that were written"), "{text}");
            } else {
                assert!(matches!(error, GenError::MissingFile { .. }), "{error}");
            }
        }
    }
    write(&path, &bytes);
    Crew::new(&all, 3, 3_000, NEVER).assert_resumed(&key, reached, "with all its files");
}

#[test]
fn one_machine_with_all_files_resumes_a_build_of_ranks() {
    let key = tiles([1, 2, 5, 6, 9], BlankMode::Collapsed);
    let place = scratch_in_memory();
    let disks = disks(place.path(), 1);
    let level = Crew::new(&disks, 3, 3_000, NEVER).cancelled_after(&key, 1, 9);
    let report = Build::new(&disks[0]).streamed(&key, &budget(PLENTY, 500)).expect("all is there");
    assert_eq!(report.streamed.expect("it was streamed").resumed_level, Some(level));
    assert_is_table(&report.path, &TableKey::Pattern(key), "by one machine");
}

#[test]
fn ranks_with_different_tables_are_refused() {
    let place = scratch_in_memory();
    let disks = disks(place.path(), 1);
    let keys = [tiles([1, 2, 5], BlankMode::Aware), tiles([1, 2, 6], BlankMode::Aware)];
    for outcome in Crew::new(&disks, 2, 500, NEVER).build_with(&keys, |_, _| (), &no_cancel(2)) {
        let error = outcome.expect_err("they differ");
        assert!(matches!(error, GenError::RankFailed { .. }), "{error}");
        assert!(error.to_string().starts_with("rank 1 on thread 1: expected"), "{error}");
    }
}

#[test]
fn a_table_that_exists_is_left_alone_by_all_and_leftovers_are_removed() {
    let key = tiles([1, 2, 5, 6, 9], BlankMode::Aware);
    let place = scratch_in_memory();
    let disks = disks(place.path(), 2);
    let crew = Crew::new(&disks, 2, 3_000, NEVER);
    crew.assert_same(&key, "first");
    Crew::new(&disks[1..], 1, 3_000, NEVER).cancelled_after(&key, 0, 5);
    for report in crew.assert_same(&key, "second") {
        assert!(report.build.already_there);
    }
}

#[test]
fn a_share_that_does_not_fit_the_memory_is_an_error_that_names_enough_ranks() {
    let key = tiles([1, 2, 5, 6, 9, 10], BlankMode::Collapsed);
    let place = scratch_in_memory();
    let all = disks(place.path(), 2);
    let with = |memory_bytes: u64| {
        let mut crew = Crew::new(&all, 2, 20_000, NEVER);
        crew.budget.memory_bytes = memory_bytes;
        crew
    };
    let refused = |memory_bytes: u64| {
        let mut outcomes = with(memory_bytes).build(&key).into_iter();
        let error = outcomes.next_back().expect("two ranks").expect_err("it does not fit");
        let text = error.to_string();
        let first = outcomes.next().expect("two ranks").expect_err("it does not fit");
        assert_eq!(first.to_string(), text);
        let GenError::TeamBudget { ranks: 2, needed_bytes, ranks_enough, .. } = error else {
            panic!("{text}")
        };
        assert!(needed_bytes > memory_bytes, "{text}");
        (needed_bytes, ranks_enough, text)
    };
    let (_, none, text) = refused(1 << 20);
    assert_eq!(none, None, "every rank has the graph: {text}");
    assert!(text.contains("no number of ranks with that memory is enough"), "{text}");
    let (needed, ..) = refused(17 << 20);
    refused(needed - 1);
    let built = with(needed).assert_same(&key, "what is needed");
    for report in built {
        let taken = report.build.streamed.expect("it was shared").memory_bytes;
        assert!(taken <= needed, "{taken} of {needed}");
    }
}
