//! One table by several ranks, which are threads here: the same bytes, whatever their number, and whatever
//! happens to one of them.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use pdb_core::{BlankMode, CellSet, PatternKey, TableKey};
use pdb_gen::faults::Watch;
use pdb_gen::{
    Budget, Event, GenError, Monitor, Parts, SharedReport, Team, TeamBudget, TeamError,
    build_shared, build_streamed, work_folder,
};
use pdb_oracle::are_long;

use crate::{
    PLENTY, all_patterns, all_plain_patterns, budget, fresh, key_of, names_in, pattern,
    scratch_in_memory, shape, tiles,
};

/// What is changed on the way from one rank to another.
type Meddle = fn(&Path, &mut Vec<u8>);

/// Where ranks that are threads meet.
struct Hub {
    state: Mutex<State>,
    changed: Condvar,
    served: Mutex<Vec<Option<PathBuf>>>,
    meddle: Option<Meddle>,
    /// A rank that is to be lost from now on.
    lost: Arc<AtomicUsize>,
}

/// The parts of a round, by rank.
type RoundParts = Vec<Option<Vec<u8>>>;

#[derive(Default)]
struct State {
    /// Rounds that each rank has given a part of.
    given: Vec<u64>,
    /// What was given in each round, and how many ranks have not taken it.
    rounds: BTreeMap<u64, (RoundParts, usize)>,
    /// What each rank has not read.
    letters: Vec<VecDeque<(usize, Vec<u8>)>>,
    /// Ranks that are gone.
    gone: Vec<usize>,
}

impl State {
    fn is_whole(&self, round: u64) -> bool {
        self.rounds.get(&round).is_some_and(|(parts, _)| parts.iter().all(Option::is_some))
    }
}

const NOBODY: usize = usize::MAX;

impl Hub {
    fn new(count: usize, meddle: Option<Meddle>, lost: Arc<AtomicUsize>) -> Self {
        let letters = (0..count).map(|_| VecDeque::new()).collect();
        let state = State { given: vec![0; count], letters, ..State::default() };
        let (changed, served) = (Condvar::new(), Mutex::new(vec![None; count]));
        Self { state: Mutex::new(state), changed, served, meddle, lost }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until something is there, or a rank is gone.
    fn wait<T>(&self, mut find: impl FnMut(&mut State) -> Option<T>) -> Result<T, TeamError> {
        let mut state = self.state();
        loop {
            if let Some(found) = find(&mut state) {
                return Ok(found);
            }
            if let Some(&rank) = state.gone.first() {
                return Err(lost(rank));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

struct Member {
    hub: Arc<Hub>,
    rank: usize,
    count: usize,
}

fn lost(rank: usize) -> TeamError {
    TeamError::Lost { rank, problem: "its thread ended".to_owned() }
}

impl Team for Member {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.count
    }

    fn name_of(&self, rank: usize) -> String {
        format!("rank {rank} on thread {rank}")
    }

    fn give(&self, bytes: Vec<u8>) -> Result<u64, TeamError> {
        if self.hub.lost.load(Ordering::SeqCst) == self.rank {
            return Err(lost(self.rank));
        }
        let mut state = self.hub.state();
        let round = state.given[self.rank];
        state.given[self.rank] += 1;
        let all = (vec![None; self.count], self.count);
        state.rounds.entry(round).or_insert(all).0[self.rank] = Some(bytes);
        self.hub.changed.notify_all();
        Ok(round)
    }

    fn take(&self, round: u64) -> Result<Vec<Vec<u8>>, TeamError> {
        self.hub.wait(|state| {
            if !state.is_whole(round) {
                return None;
            }
            let (parts, waiting) = state.rounds.get_mut(&round).expect("it is whole");
            *waiting -= 1;
            let (parts, is_taken) = (parts.iter().flatten().cloned().collect(), *waiting == 0);
            if is_taken {
                state.rounds.remove(&round);
            }
            Some(parts)
        })
    }

    fn send(&self, rank: usize, letter: Vec<u8>) {
        assert_ne!(rank, self.rank, "nobody writes to itself");
        self.hub.state().letters[rank].push_back((self.rank, letter));
        self.hub.changed.notify_all();
    }

    fn receive(&self, round: Option<u64>) -> Result<Option<(usize, Vec<u8>)>, TeamError> {
        self.hub.wait(|state| match state.letters[self.rank].pop_front() {
            None if round.is_some_and(|round| state.is_whole(round)) => Some(None),
            letter => letter.map(Some),
        })
    }

    fn fetch(&self, rank: usize, file: &Path, ranges: &[Range<u64>]) -> Result<Vec<u8>, TeamError> {
        assert_ne!(rank, self.rank, "what is there is not fetched");
        let served = self.hub.served.lock().unwrap_or_else(PoisonError::into_inner)[rank].clone();
        let is_served = served.is_some_and(|folder| file.starts_with(folder));
        assert!(is_served, "{} is not served", file.display());
        let failed = |error: io::Error| {
            let problem = format!("cannot read {}: {error}", file.display());
            TeamError::Failed { rank, problem }
        };
        let read = || -> io::Result<Vec<u8>> {
            let (file, mut bytes) = (File::open(file)?, Vec::new());
            for range in ranges {
                let start = bytes.len();
                bytes.resize(start + (range.end - range.start) as usize, 0);
                file.read_exact_at(&mut bytes[start..], range.start)?;
            }
            Ok(bytes)
        };
        let mut bytes = read().map_err(failed)?;
        if let Some(meddle) = self.hub.meddle {
            meddle(file, &mut bytes);
        }
        Ok(bytes)
    }

    fn serve(&self, folder: Option<&Path>) {
        let mut served = self.hub.served.lock().unwrap_or_else(PoisonError::into_inner);
        served[self.rank] = folder.map(Path::to_owned);
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.hub.state().gone.push(self.rank);
        self.hub.changed.notify_all();
    }
}

/// A team on some disks: rank `r` writes to `disks[r % disks.len()]`.
struct Crew<'a> {
    disks: &'a [PathBuf],
    count: usize,
    budget: Budget,
    parts: Parts,
    meddle: Option<Meddle>,
    lost: Arc<AtomicUsize>,
}

type Outcome = Result<SharedReport, GenError>;

impl<'a> Crew<'a> {
    fn new(disks: &'a [PathBuf], count: usize, segment_bytes: u64) -> Self {
        let budget = budget(PLENTY, segment_bytes);
        let lost = Arc::new(AtomicUsize::new(NOBODY));
        Self { disks, count, budget, parts: Parts::OnDisk, meddle: None, lost }
    }

    /// The same with shares in memory, and a checkpoint after so long.
    fn in_memory(self, saved_after: Duration) -> Self {
        Self { parts: Parts::InMemory { saved_after }, ..self }
    }

    fn disk(&self, rank: usize) -> &Path {
        &self.disks[rank % self.disks.len()]
    }

    /// Builds a table; `report` is told of events with the rank.
    fn build_with(
        &self,
        keys: &[PatternKey],
        report: impl Fn(usize, Event) + Sync,
        cancel: &[AtomicBool],
    ) -> Vec<Outcome> {
        let hub = Arc::new(Hub::new(self.count, self.meddle, self.lost.clone()));
        std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for rank in 0..self.count {
                let member = Member { hub: hub.clone(), rank, count: self.count };
                let (report, key) = (&report, &keys[rank % keys.len()]);
                threads.push(scope.spawn(move || {
                    let report = move |event| report(rank, event);
                    let monitor = Monitor::new(&report, &cancel[rank]);
                    let threads = 1 + rank % 2;
                    let folder = self.disk(rank);
                    let budget = TeamBudget { budget: self.budget, parts: self.parts };
                    build_shared(key, folder, &budget, threads, false, &monitor, &member)
                }));
            }
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        })
    }

    fn build(&self, key: &PatternKey) -> Vec<Outcome> {
        self.build_with(&[*key], |_, _| (), &no_cancel(self.count))
    }

    fn assert_same(&self, key: &PatternKey, case: &str) -> Vec<SharedReport> {
        let table_key = TableKey::Pattern(*key);
        let reports = self.build(key).into_iter().map(|outcome| match outcome {
            Ok(report) => report,
            Err(error) => panic!("{case}: {error}"),
        });
        let reports: Vec<_> = reports.collect();
        let table = fresh(&table_key);
        let bytes = std::fs::read(self.disk(0).join(table_key.file_name())).expect("it is there");
        assert!(bytes == table.to_bytes(), "{case}: {}", table_key.file_name());
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
}

fn no_cancel(count: usize) -> Vec<AtomicBool> {
    (0..count).map(|_| AtomicBool::new(false)).collect()
}

/// So many disks below a folder.
fn disks(folder: &Path, count: usize) -> Vec<PathBuf> {
    (0..count).map(|disk| folder.join(format!("disk{disk}"))).collect()
}

/// Whether a crew builds a key: each crew some of the keys and each key by some crews, all in long tests.
fn is_tried(key: usize, crew: usize) -> bool {
    are_long() || (key + crew).is_multiple_of(3)
}

#[test]
fn every_table_of_a_small_board_is_the_same_by_several_ranks() {
    let small = shape(2, 3);
    let all = all_patterns(small).into_iter().chain(all_plain_patterns(small));
    // One in five, and all in long tests.
    for (i, key) in all.enumerate().step_by(if are_long() { 1 } else { 5 }) {
        let place = scratch_in_memory();
        let count = [2, 3, 5, 1][i % 4];
        let disks = disks(place.path(), 1 + i % count);
        Crew::new(&disks, count, 1).assert_same(&key, &format!("{count} ranks"));
    }
}

#[test]
fn tables_of_larger_boards_are_the_same_by_any_number_of_ranks_on_any_disks() {
    let square = shape(3, 3);
    let half = |mode| key_of(pattern(square, CellSet(0b0_0111_1111), 8, mode));
    let wide = |mode| key_of(pattern(shape(2, 5), CellSet(0b11000_11000), 2, mode));
    for mode in [BlankMode::Aware, BlankMode::Collapsed, BlankMode::Plain] {
        let keys = [half(mode), wide(mode), tiles([1, 2, 5, 6, 9], mode)];
        let crews = [(1, 1, 3_000), (2, 2, 300), (3, 1, 40_000), (5, 5, 3_000), (4, 2, PLENTY)];
        for (k, key) in keys.into_iter().enumerate() {
            for (c, (count, disk_count, segment_bytes)) in crews.into_iter().enumerate() {
                if !is_tried(k, c) {
                    continue;
                }
                let place = scratch_in_memory();
                let disks = disks(place.path(), disk_count);
                let crew = Crew::new(&disks, count, segment_bytes);
                let case = format!("{count} ranks, {disk_count} disks, {segment_bytes} bytes");
                let reports = crew.assert_same(&key, &case);
                let states: u64 = reports[0].levels.iter().map(|level| level.states).sum();
                assert_eq!(states, reports[0].build.state_count, "{case}");
                let fetched = reports[0].levels.iter().flat_map(|level| &level.ranks);
                let fetched: u64 = fetched.map(|rank| rank.fetched_bytes).sum();
                // Larger segments may all belong to one rank.
                assert!(fetched > 0 || segment_bytes > 300, "{case}");
                assert!(fetched == 0 || count > 1 && segment_bytes < PLENTY, "{case}");
            }
        }
    }
}

/// Cancels one rank after a level.
fn cancelled_after(crew: &Crew<'_>, key: &PatternKey, rank: usize, after: u32) {
    let cancel = no_cancel(crew.count);
    let report = |by: usize, event: Event| {
        if by == rank && matches!(event, Event::Level { level, .. } if level == after) {
            cancel[rank].store(true, Ordering::Relaxed);
        }
    };
    for outcome in crew.build_with(&[*key], report, &cancel) {
        let error = outcome.expect_err("it was cancelled");
        assert!(matches!(error, GenError::Paused { level, .. } if level == after), "{error}");
    }
}

#[test]
fn a_build_that_is_cancelled_on_one_rank_goes_on_with_another_number_of_ranks() {
    for mode in [BlankMode::Aware, BlankMode::Collapsed] {
        let key = key_of(pattern(shape(3, 3), CellSet(0b0_0110_1101), 8, mode));
        let last = fresh(&TableKey::Pattern(key)).header.level_max();
        let in_turn = scratch_in_memory();
        let all_in_turn = disks(in_turn.path(), 1);
        for level in 1..last {
            let counts = [1, 2, 3, 5];
            let count = counts[level as usize % 4];
            let place = scratch_in_memory();
            // One disk that all see, or one each: then later ranks must see those of the ranks before.
            let disks = disks(place.path(), if level % 2 == 0 { 1 } else { count });
            let rank = level as usize % count;
            cancelled_after(&Crew::new(&disks, count, 500), &key, rank, level);
            let more = if disks.len() == 1 { counts[(level as usize + 1) % 4] } else { count + 2 };
            let reports =
                Crew::new(&disks, more, 9_999).assert_same(&key, &format!("level {level}"));
            let streamed = reports[0].build.streamed.expect("it was streamed");
            assert_eq!(streamed.resumed_level, Some(level));
            // And one build by ever another number of ranks.
            cancelled_after(&Crew::new(&all_in_turn, count, 500), &key, rank, level);
        }
        Crew::new(&all_in_turn, 4, 500).assert_same(&key, "in turn");
    }
}

#[test]
fn ranks_go_on_at_the_checkpoint_of_one_machine() {
    let key = tiles([1, 2, 5, 6, 9], BlankMode::Collapsed);
    for (count, after) in [(1, 3), (2, 9), (3, 20)] {
        let place = scratch_in_memory();
        let disks = disks(place.path(), count);
        let cancel = AtomicBool::new(false);
        let report = |event| {
            if matches!(event, Event::Level { level, .. } if level == after) {
                cancel.store(true, Ordering::Relaxed);
            }
        };
        let monitor = Monitor::new(&report, &cancel);
        // Any rank may see it.
        let seen_by = &disks[count - 1];
        let alone = build_streamed(&key, seen_by, &budget(PLENTY, 2_000), 2, false, &monitor);
        assert!(matches!(alone, Err(GenError::Paused { .. })), "{alone:?}");
        let reports = Crew::new(&disks, count, 9_999).assert_same(&key, "from one machine");
        let streamed = reports[0].build.streamed.expect("it was streamed");
        assert_eq!(streamed.resumed_level, Some(after));
    }
}

/// How often a rank changes the files in its folder in a whole build.
fn change_count(key: &PatternKey, count: usize, rank: usize) -> usize {
    let place = scratch_in_memory();
    let disks = disks(place.path(), count);
    let changes = Arc::new(AtomicUsize::new(0));
    let counted = changes.clone();
    let _watch = Watch::begin(&disks[rank], move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
        Ok(())
    });
    Crew::new(&disks, count, 3_000).assert_same(key, "counted");
    changes.load(Ordering::SeqCst)
}

#[test]
fn a_rank_that_is_lost_at_any_change_costs_no_more_than_a_level() {
    let key = key_of(pattern(shape(3, 3), CellSet(0b0_0000_1101), 8, BlankMode::Collapsed));
    for rank in [0, 1] {
        let changes = change_count(&key, 3, rank);
        let step = changes.div_ceil(24);
        for at in (0..changes).step_by(step) {
            let place = scratch_in_memory();
            let all = disks(place.path(), 5);
            let crew = Crew::new(&all[..3], 3, 3_000);
            let (seen, gone) = (Arc::new(AtomicUsize::new(0)), crew.lost.clone());
            let watch = Watch::begin(&all[rank], move |_| {
                if seen.fetch_add(1, Ordering::SeqCst) < at {
                    return Ok(());
                }
                // Nothing that it does after it was lost comes to its disk or to others.
                gone.store(rank, Ordering::SeqCst);
                Err(io::ErrorKind::Other.into())
            });
            let mut reached = 0;
            for (other, outcome) in crew.build(&key).into_iter().enumerate() {
                let Err(error) = outcome else { continue };
                reached += 1;
                let name = format!("rank {rank} on thread {rank}");
                let is_named = other == rank || error.to_string().contains(&name);
                assert!(is_named, "change {at}, rank {other}: {error}");
            }
            // The last ones give up what is no longer needed.
            assert!(reached > 0 || at > changes - 10, "change {at} of {changes}");
            drop(watch);
            let more = [3, 5, 4][at % 3];
            Crew::new(&all[..more], more, 3_000)
                .assert_same(&key, &format!("change {at} of {rank}"));
        }
    }
}

#[test]
fn a_full_disk_on_one_rank_ends_all_with_its_name() {
    let key = tiles([1, 2, 5, 6, 9], BlankMode::Aware);
    for rank in 0..3 {
        let place = scratch_in_memory();
        let disks = disks(place.path(), 3);
        let crew = Crew::new(&disks, 3, 3_000);
        let seen = Arc::new(AtomicUsize::new(0));
        let watch = Watch::begin(&disks[rank], move |change| {
            let is_segment = change.path().to_string_lossy().contains("level-");
            if is_segment && seen.fetch_add(1, Ordering::SeqCst) >= 12 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            Ok(())
        });
        for (other, outcome) in crew.build(&key).into_iter().enumerate() {
            let text = outcome.expect_err("there is no room").to_string();
            assert!(text.contains("cannot write") && text.contains("free some space"), "{text}");
            let name = format!("rank {rank} on thread {rank}: ");
            assert_eq!(text.contains(&name), other != rank, "{text}");
        }
        drop(watch);
        crew.assert_same(&key, "with room");
    }
}

#[test]
fn a_file_that_was_changed_on_the_way_is_refused() {
    let key = tiles([1, 2, 5, 6, 9], BlankMode::Aware);
    let meddles: [Meddle; 3] = [
        |_, bytes| {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 4;
        },
        |_, bytes| bytes.truncate(bytes.len() - 1),
        |_, bytes| bytes.clear(),
    ];
    for meddle in meddles {
        let place = scratch_in_memory();
        let disks = disks(place.path(), 2);
        let mut crew = Crew::new(&disks, 2, 3_000);
        crew.meddle = Some(meddle);
        let outcomes = crew.build(&key);
        let is_refused = |outcome: &Outcome| matches!(outcome, Err(GenError::Fetched { .. }));
        assert!(outcomes.iter().any(is_refused), "{outcomes:?}");
        for outcome in outcomes {
            let text = outcome.expect_err("it was changed").to_string();
            assert!(text.contains("the bytes that it announced, found others"), "{text}");
        }
        crew.meddle = None;
        crew.assert_same(&key, "unchanged");
    }
}

#[test]
fn a_part_that_no_rank_sees_is_named() {
    let key = tiles([1, 2, 5, 6, 9], BlankMode::Aware);
    let place = scratch_in_memory();
    let all = disks(place.path(), 3);
    cancelled_after(&Crew::new(&all, 3, 3_000), &key, 2, 9);
    let left: Vec<_> = [0, 2].map(|disk| all[disk].clone()).into();
    for outcome in Crew::new(&left, 2, 3_000).build(&key) {
        let error = outcome.expect_err("a disk is missing");
        let text = error.to_string();
        let GenError::NoSuchPart { level, place, file, asked, .. } = error else {
            panic!("{text}")
        };
        assert_eq!((level, &place[..]), (9, "1"), "{text}");
        assert!(file.contains("segment") && file.contains("class"), "{text}");
        assert_eq!(asked, "rank 0 on thread 0, rank 1 on thread 1");
    }
    // One file that is gone, or cut short, is as good as none.
    let work = work_folder(&all[1], &TableKey::Pattern(key)).join("1");
    let name = names_in(&work).into_iter().find(|name| name.starts_with("level-1-"));
    let path = work.join(name.expect("it has a part of the level"));
    let bytes = std::fs::read(&path).expect("it is there");
    for shorter in [None, Some(bytes.len() - 1)] {
        match shorter {
            None => std::fs::remove_file(&path).expect("it is there"),
            Some(len) => pdb_gen::write_file(&path, &bytes[..len]).expect("the folder is there"),
        }
        for outcome in Crew::new(&all, 3, 3_000).build(&key) {
            let error = outcome.expect_err("a file is missing");
            assert!(matches!(error, GenError::NoSuchPart { level: 9, .. }), "{error}");
        }
    }
    pdb_gen::write_file(&path, &bytes).expect("the folder is there");
    Crew::new(&all, 3, 3_000).assert_same(&key, "with all its parts");
}

#[test]
fn ranks_that_build_different_tables_are_told_so() {
    let place = scratch_in_memory();
    let disks = disks(place.path(), 1);
    let keys = [tiles([1, 2, 5], BlankMode::Aware), tiles([1, 2, 6], BlankMode::Aware)];
    for outcome in Crew::new(&disks, 2, 500).build_with(&keys, |_, _| (), &no_cancel(2)) {
        let error = outcome.expect_err("they differ");
        assert!(matches!(error, GenError::RanksDiffer { .. }), "{error}");
        assert!(error.to_string().starts_with("rank 1 on thread 1: expected"), "{error}");
    }
}

#[test]
fn a_table_that_is_there_is_left_alone_by_all_and_leftovers_go() {
    let key = tiles([1, 2, 5, 6, 9], BlankMode::Aware);
    let place = scratch_in_memory();
    let disks = disks(place.path(), 2);
    let crew = Crew::new(&disks, 2, 3_000);
    crew.assert_same(&key, "first");
    cancelled_after(&Crew::new(&disks[1..], 1, 3_000), &key, 0, 5);
    for report in crew.assert_same(&key, "second") {
        assert!(report.build.already_there);
    }
}

#[test]
fn the_smallest_budget_works_and_is_kept_by_every_rank() {
    for mode in [BlankMode::Aware, BlankMode::Collapsed] {
        let key = tiles([1, 2, 5, 6, 9, 10], mode);
        let place = scratch_in_memory();
        let disks = disks(place.path(), 3);
        let mut crew = Crew::new(&disks, 3, 20_000);
        crew.budget.memory_bytes = 0;
        let needed = crew.build(&key).into_iter().filter_map(|outcome| match outcome {
            Err(GenError::Budget { needed_bytes, .. }) => Some(needed_bytes),
            _ => None,
        });
        crew.budget.memory_bytes = needed.max().expect("nothing is too little");
        for report in crew.assert_same(&key, "least") {
            let streamed = report.build.streamed.expect("it was streamed");
            assert!(streamed.memory_bytes <= crew.budget.memory_bytes, "{streamed:?}");
        }
    }
}

/// Longer than any of these builds takes.
const NEVER: Duration = Duration::from_hours(1);

#[test]
fn every_table_of_a_small_board_is_the_same_by_ranks_with_their_shares_in_memory() {
    let small = shape(2, 3);
    let all = all_patterns(small).into_iter().chain(all_plain_patterns(small));
    // One in five, and all in long tests.
    for (i, key) in all.enumerate().step_by(if are_long() { 1 } else { 5 }) {
        let place = scratch_in_memory();
        let count = [2, 3, 5, 1][i % 4];
        let disks = disks(place.path(), 1 + i % count);
        let saved_after = if i % 3 == 0 { Duration::ZERO } else { NEVER };
        let crew = Crew::new(&disks, count, 1).in_memory(saved_after);
        crew.assert_same(&key, &format!("{count} ranks"));
    }
}

#[test]
fn tables_of_larger_boards_are_the_same_by_any_number_of_ranks_with_their_shares_in_memory() {
    let square = shape(3, 3);
    let half = |mode| key_of(pattern(square, CellSet(0b0_0111_1111), 8, mode));
    let wide = |mode| key_of(pattern(shape(2, 5), CellSet(0b11000_11000), 2, mode));
    for mode in [BlankMode::Aware, BlankMode::Collapsed, BlankMode::Plain] {
        let keys = [half(mode), wide(mode), tiles([1, 2, 5, 6, 9], mode)];
        let crews = [(1, 3_000), (2, 300), (3, 40_000), (5, 3_000), (4, PLENTY)];
        for (k, key) in keys.into_iter().enumerate() {
            for (c, (count, segment_bytes)) in crews.into_iter().enumerate() {
                if !is_tried(k, c) {
                    continue;
                }
                let place = scratch_in_memory();
                let disks = disks(place.path(), count);
                let crew = Crew::new(&disks, count, segment_bytes).in_memory(NEVER);
                let case = format!("{count} ranks, {segment_bytes} bytes");
                let reports = crew.assert_same(&key, &case);
                let states: u64 = reports[0].levels.iter().map(|level| level.states).sum();
                assert_eq!(states + 1, reports[0].build.state_count, "{case}");
                let streamed = reports[0].build.streamed.expect("it was shared");
                assert_eq!(streamed.work_bytes, 0, "{case}: there was no reason for files");
            }
        }
    }
}

#[test]
fn shares_in_memory_are_saved_and_gone_on_with_in_memory_and_on_disk() {
    for mode in [BlankMode::Aware, BlankMode::Collapsed] {
        let key = key_of(pattern(shape(3, 3), CellSet(0b0_0110_1101), 8, mode));
        let last = fresh(&TableKey::Pattern(key)).header.level_max();
        for after in (1..last - 3).step_by(2) {
            let counts = [1, 2, 3, 5];
            let count = counts[after as usize / 2 % 4];
            let place = scratch_in_memory();
            let disks = disks(place.path(), count + 1);
            let crew = Crew::new(&disks[..count], count, 500).in_memory(NEVER);
            let cancel = no_cancel(count);
            let who = after as usize % count;
            let report = |by: usize, event: Event| {
                if by == who && matches!(event, Event::Level { level, .. } if level == after) {
                    cancel[who].store(true, Ordering::Relaxed);
                }
            };
            let mut levels = Vec::new();
            for outcome in crew.build_with(&[key], report, &cancel) {
                let error = outcome.expect_err("it was cancelled");
                let GenError::Paused { level, .. } = error else { panic!("{error}") };
                levels.push(level);
            }
            // They come to the end of a level together.
            assert!(levels.iter().all(|&level| level == levels[0] && level > after), "{levels:?}");
            let next = Crew::new(&disks, count + 1, 9_999);
            let next = if after % 4 == 1 { next.in_memory(Duration::ZERO) } else { next };
            for report in next.assert_same(&key, &format!("level {after}")) {
                let streamed = report.build.streamed.expect("it was shared");
                assert_eq!(streamed.resumed_level, Some(levels[0]));
            }
        }
    }
}

#[test]
fn shares_that_fit_the_memory_of_one_rank_and_not_of_all_are_on_disk() {
    let key = tiles([1, 2, 5, 6, 9, 10], BlankMode::Aware);
    let place = scratch_in_memory();
    let disks = disks(place.path(), 2);
    let mut crew = Crew::new(&disks, 2, 20_000).in_memory(NEVER);
    crew.budget.memory_bytes = 17 << 20;
    for report in crew.assert_same(&key, "little memory") {
        let streamed = report.build.streamed.expect("it was streamed");
        assert!(streamed.work_bytes > 0 && streamed.memory_bytes <= 17 << 20, "{streamed:?}");
    }
}

#[test]
fn a_rank_that_fails_while_shares_are_in_memory_ends_all_with_its_name() {
    let key = tiles([1, 2, 5, 6, 9], BlankMode::Aware);
    for rank in 0..3 {
        for at in [0, 7, 25] {
            let place = scratch_in_memory();
            let disks = disks(place.path(), 3);
            let crew = Crew::new(&disks, 3, 3_000).in_memory(Duration::ZERO);
            let seen = Arc::new(AtomicUsize::new(0));
            let watch = Watch::begin(&disks[rank], move |change| {
                let is_segment = change.path().to_string_lossy().contains("level-");
                if is_segment && seen.fetch_add(1, Ordering::SeqCst) >= at {
                    return Err(io::ErrorKind::StorageFull.into());
                }
                Ok(())
            });
            for (other, outcome) in crew.build(&key).into_iter().enumerate() {
                let text = outcome.expect_err("there is no room").to_string();
                assert!(text.contains("cannot write"), "{text}");
                let name = format!("rank {rank} on thread {rank}: ");
                assert_eq!(text.contains(&name), other != rank, "{text}");
            }
            drop(watch);
            crew.assert_same(&key, "with room");
        }
    }
}
