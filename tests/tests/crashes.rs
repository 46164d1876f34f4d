//! Stops builds, archives, installations and checkpoints at every change that they make in the file
//! system: by an error, by the end of the process, and by a power cut.
#![allow(clippy::print_stdout, reason = "the counts of cases are written down")]

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pdb_gen::faults::{Change, Watch};
use pdb_gen::{GenError, Monitor, OwnedFile};
use pdb_tests::crashes::{Disk, Files, Loss, Work, files_below};
use pdb_tests::{are_long, scratch};
use tempfile::TempDir;

/// Runs one test at a time, because a process that is being started holds the locks of this process
/// for a moment.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a folder that is prepared for a work.
fn prepared(work: Work) -> TempDir {
    let place = scratch();
    work.prepare(place.path());
    place
}

/// Returns the changes at which a work of `count` changes is disturbed. The levels of a streamed
/// table are alike, so one in 23 of its changes is selected, or each in long tests.
fn places(work: Work, count: u64) -> impl Iterator<Item = u64> {
    let step = if work == Work::Stream && !are_long() { 23 } else { 1 };
    (0..=count).step_by(step)
}

/// Returns the files at the end of an undisturbed work, and the number of its changes.
fn undisturbed(work: Work) -> (Files, u64) {
    let place = prepared(work);
    let count = Arc::new(AtomicU64::new(0));
    let counter = count.clone();
    let watch = Watch::begin(&Work::disk(place.path()), move |_| {
        counter.fetch_add(1, Ordering::SeqCst);
        Ok(())
    });
    work.run(place.path(), &Monitor::silent()).expect("nothing disturbs it");
    drop(watch);
    (files_below(&Work::disk(place.path())), count.load(Ordering::SeqCst))
}

/// The kind of failure of a change.
#[derive(Clone, Copy, Debug)]
enum Failure {
    /// Only this change fails.
    Once,
    /// This change and all later ones fail.
    Ever,
    /// This change fails after half of it was written.
    Half,
}

/// Returns whether a change only removes leftovers: a lock file, a temporary file or a work folder.
/// A failure of it is not an error.
fn is_tidying(change: &Change<'_>) -> bool {
    match change {
        Change::Remove(path) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.ends_with(".lock") || name.contains(".tmp-")
        }
        Change::RemoveFolder(_) => true,
        _ => false,
    }
}

/// Makes changes fail. Counts the failures, without those that only remove leftovers.
fn fail(place: &Path, failure: Failure, at: u64) -> (Watch, Arc<AtomicU64>) {
    let (count, failed) = (AtomicU64::new(0), Arc::new(AtomicU64::new(0)));
    let counted = failed.clone();
    let watch = Watch::begin(&Work::disk(place), move |change| {
        let now = count.fetch_add(1, Ordering::SeqCst);
        match (failure, change) {
            (Failure::Ever, _) if now >= at => {}
            (Failure::Once, _) if now == at => {}
            (Failure::Half, &Change::Write { path, offset, bytes }) if now == at => {
                let file = File::options().write(true).open(path)?;
                file.write_all_at(&bytes[..bytes.len() / 2], offset)?;
            }
            _ => return Ok(()),
        }
        counted.fetch_add(u64::from(!is_tidying(change)), Ordering::SeqCst);
        Err(io::ErrorKind::StorageFull.into())
    });
    (watch, failed)
}

#[test]
fn after_any_failed_change_files_are_whole_and_the_next_run_succeeds() {
    let _alone = alone();
    for work in Work::ALL {
        let (end, count) = undisturbed(work);
        let (mut errors, mut tried) = (0, 0);
        for failure in [Failure::Once, Failure::Ever, Failure::Half] {
            for at in places(work, count - 1) {
                tried += 1;
                let case = format!("{failure:?} at {at} of {count}");
                let place = prepared(work);
                let (watch, failed) = fail(place.path(), failure, at);
                let result = work.run(place.path(), &Monitor::silent());
                drop(watch);
                work.assert_whole(place.path(), &end, &case);
                assert_eq!(result.is_err(), failed.load(Ordering::SeqCst) > 0, "{work:?}, {case}");
                match result {
                    Ok(_) => work.assert_ended(place.path(), &end, &case),
                    Err(GenError::Io { source, .. }) => {
                        assert_eq!(source.kind(), io::ErrorKind::StorageFull, "{work:?}, {case}");
                        let left = files_below(&Work::disk(place.path()));
                        let mut names = left.keys().map(|path| path.to_string_lossy());
                        let is_left = names.any(|name| name.contains(".tmp-"));
                        // If no change is possible any more, the file cannot be removed either.
                        assert!(!is_left || matches!(failure, Failure::Ever), "{work:?}, {case}");
                        errors += 1;
                    }
                    Err(error) => panic!("{work:?}, {case}: {error}"),
                }
                work.assert_recovers(place.path(), &end, &case);
            }
        }
        println!("{work:?}: {count} changes, {errors} errors");
        assert!(3 * errors > tried, "{work:?}: {errors} of {tried}");
    }
}

/// Starts a process that runs a work and stops at a change.
fn child(work: Work, place: &Path, how: &str, at: u64) -> Child {
    Command::new(env!("CARGO_BIN_EXE_crash"))
        .arg(format!("{work:?}"))
        .arg(place)
        .args([how, &at.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it was built with this test")
}

/// A process that runs a work and waits before a change. Dropping this value kills it.
struct StoppedProcess(Child);

impl StoppedProcess {
    fn new(work: Work, place: &Path, at: u64) -> Self {
        let mut this = Self(child(work, place, "wait", at));
        let mut line = String::new();
        let out = this.0.stdout.take().expect("it is piped");
        BufReader::new(out).read_line(&mut line).expect("it tells");
        assert_eq!(line, "waiting\n", "{work:?}, stopped at {at}");
        this
    }
}

impl Drop for StoppedProcess {
    fn drop(&mut self) {
        self.0.kill().and_then(|()| self.0.wait()).expect("it is there");
    }
}

#[test]
fn after_a_kill_at_any_change_files_are_whole_and_the_next_run_succeeds() {
    let _alone = alone();
    for work in Work::ALL {
        let (end, count) = undisturbed(work);
        let (mut killed, mut tried) = (0, 0);
        for how in ["kill", "half"] {
            for at in places(work, count - 1) {
                tried += 1;
                let case = format!("{how} at {at} of {count}");
                let place = prepared(work);
                let status = child(work, place.path(), how, at).wait().expect("it ends");
                assert!(status.code().is_none_or(|code| code == 0), "{work:?}, {case}: {status}");
                assert!(status.code().is_none() || how == "half", "{work:?}, {case}: not killed");
                killed += u64::from(status.code().is_none());
                work.assert_whole(place.path(), &end, &case);
                work.assert_recovers(place.path(), &end, &case);
            }
        }
        println!("{work:?}: killed {killed} times");
        assert!(2 * killed > tried, "{work:?}: no write has a middle");
    }
}

/// A disk in the middle of a work.
#[derive(Clone)]
struct Moment {
    disk: Disk,
    /// Number of checkpoints that are durable.
    saved: u32,
}

/// Runs a work in a place. Returns the disk at the start, before each later change, and after the
/// last change.
fn moments(work: Work, place: &Path, start: Disk) -> Vec<Moment> {
    let moments = Arc::new(Mutex::new(vec![Moment { disk: start, saved: 0 }]));
    let (all, is_renamed) = (moments.clone(), AtomicBool::new(false));
    let watch = Watch::begin(&Work::disk(place), move |change| {
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        let mut moment = all.last().expect("there is a start").clone();
        moment.disk.apply(change);
        match change {
            Change::Rename { to, .. } if to.ends_with("checkpoint") => {
                is_renamed.store(true, Ordering::Relaxed);
            }
            Change::SyncFolder(_) => {
                moment.saved += u32::from(is_renamed.swap(false, Ordering::Relaxed));
            }
            _ => {}
        }
        all.push(moment);
        Ok(())
    });
    work.run(place, &Monitor::silent()).expect("nothing disturbs it");
    drop(watch);
    std::mem::take(&mut *moments.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Returns the moments of an undisturbed work, and the folder that the disks are about.
fn followed(work: Work) -> (Vec<Moment>, PathBuf) {
    let place = prepared(work);
    let from = Work::disk(place.path());
    let start = Disk::new(&from, &files_below(&from));
    (moments(work, place.path(), start), from)
}

/// Returns a folder with the files of a disk after a loss.
fn after(work: Work, disk: &Disk, loss: Loss, from: &Path) -> TempDir {
    let place = prepared(work);
    let to = Work::disk(place.path());
    std::fs::remove_dir_all(&to).expect("it is there");
    std::fs::create_dir(&to).expect("the place is writable");
    disk.restore(loss, from, &to);
    place
}

#[test]
fn a_disk_model_keeps_only_synced_bytes_and_names() {
    let (folder, file, other) = (Path::new("/d"), Path::new("/d/file"), Path::new("/d/other"));
    let mut disk = Disk::new(folder, &Files::from([("file".into(), b"old".to_vec())]));
    let left = |disk: &Disk, loss, path: &Path| {
        disk.after(loss).get(path).map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    };
    let write = |path| Change::Write { path, offset: 0, bytes: b"newer" };
    disk.apply(&Change::CreateTemporary(folder));
    disk.apply(&write(other));
    assert_eq!(left(&disk, Loss::Nothing, other).as_deref(), Some("newer"));
    assert_eq!(left(&disk, Loss::Bytes, other).as_deref(), Some(""));
    assert_eq!(left(&disk, Loss::All, other), None);
    disk.apply(&Change::Rename { from: other, to: file });
    assert_eq!(left(&disk, Loss::Bytes, file).as_deref(), Some(""));
    assert_eq!(left(&disk, Loss::All, file).as_deref(), Some("old"));
    let some: Vec<_> = (0..64).map(|seed| left(&disk, Loss::Some(seed), file)).collect();
    for expected in ["old", "", "newer", "\0\0\0\0\0"] {
        assert!(some.contains(&Some(expected.to_owned())), "{expected:?}");
    }
    disk.apply(&Change::Sync(file));
    assert_eq!(left(&disk, Loss::All, file).as_deref(), Some("old"));
    disk.apply(&Change::SyncFolder(folder));
    assert_eq!(left(&disk, Loss::All, file).as_deref(), Some("newer"));
    disk.apply(&Change::Remove(file));
    assert_eq!(left(&disk, Loss::Bytes, file), None);
    assert_eq!(left(&disk, Loss::All, file).as_deref(), Some("newer"));
}

#[test]
fn after_a_power_cut_at_any_change_files_are_whole_and_the_next_run_succeeds() {
    let _alone = alone();
    for work in Work::ALL {
        let (end, count) = undisturbed(work);
        let (moments, from) = followed(work);
        assert_eq!(moments.len() as u64, count + 1);
        let saved_in_all = moments.last().expect("there is a start").saved;
        let mut cases = 0;
        // The end is always included.
        for at in places(work, count).filter(|&at| at < count).chain([count]) {
            let Moment { disk, saved } = &moments[at as usize];
            let losses = [
                Loss::Nothing,
                Loss::Bytes,
                Loss::All,
                Loss::Some(3 * at),
                Loss::Some(3 * at + 1),
                Loss::Some(3 * at + 2),
            ];
            for loss in losses {
                let case = format!("{loss:?} at {at} of {count}");
                let place = after(work, disk, loss, &from);
                work.assert_whole(place.path(), &end, &case);
                if at == count {
                    // The work has reported its success.
                    work.assert_ended(place.path(), &end, &case);
                }
                let is_table = |path: &PathBuf| path.extension().is_some_and(|end| end == "pdb");
                let is_there = files_below(place.path()).keys().any(is_table);
                let done = work.assert_recovers(place.path(), &end, &case);
                if work == Work::Stream && *saved > 0 && !is_there {
                    // The first checkpoint is that of level 0, the last one that of the level
                    // before the last.
                    let level = done.resumed_level.unwrap_or_else(|| panic!("{case}: begun anew"));
                    let expected = *saved - if *saved == saved_in_all { 2 } else { 1 };
                    assert!(level >= expected, "{case}: {level} after {saved} checkpoints");
                }
                cases += 1;
            }
        }
        println!("{work:?}: {count} changes, {cases} power cuts");
    }
}

/// The second process must also sync what the first one did not, even if all files exist.
#[test]
fn work_finished_after_a_kill_survives_a_power_cut() {
    let _alone = alone();
    for work in Work::ALL {
        let (end, count) = undisturbed(work);
        let (first, from) = followed(work);
        for at in places(work, count) {
            let killed = &first[at as usize];
            let case = format!("killed at {at} of {count}");
            let place = after(work, &killed.disk, Loss::Nothing, &from);
            let to = Work::disk(place.path());
            let second = moments(work, place.path(), killed.disk.moved(&from, &to));
            let last = &second.last().expect("there is a start").disk;
            let place = after(work, last, Loss::All, &to);
            work.assert_ended(place.path(), &end, &case);
        }
    }
}

#[test]
fn a_second_writer_waits_for_a_stopped_one_or_is_cancelled() {
    let _alone = alone();
    for work in Work::ALL.into_iter().filter(|&work| work != Work::Checkpoint) {
        let (end, count) = undisturbed(work);
        let mut waited = 0;
        // A writer looks again only after a while. The levels of a streamed table are alike.
        let places = if are_long() { 20 } else { 6 };
        for at in (0..count).step_by((count / places).max(1) as usize) {
            let case = format!("stopped at {at} of {count}");
            let place = prepared(work);
            let child = StoppedProcess::new(work, place.path(), at);
            let cancelled = AtomicBool::new(true);
            match work.run(place.path(), &Monitor::new(&|_| (), &cancelled)) {
                Err(GenError::Interrupted | GenError::Paused { .. }) => {}
                // The work was finished before it noticed the request to stop.
                Ok(_) => work.assert_ended(place.path(), &end, &case),
                Err(error) => panic!("{work:?}, {case}: {error}"),
            }
            work.assert_whole(place.path(), &end, &case);
            std::thread::scope(|scope| {
                let other = scope.spawn(|| work.run(place.path(), &Monitor::silent()));
                std::thread::sleep(Duration::from_millis(10));
                waited += u64::from(!other.is_finished());
                drop(child);
                other.join().expect("no panic").expect("nothing disturbs it");
            });
            work.assert_ended(place.path(), &end, &case);
            // Removes leftovers of the stopped process.
            work.assert_recovers(place.path(), &end, &case);
        }
        println!("{work:?}: {waited} times waited");
        assert!(waited > 0, "{work:?}");
    }
}

#[test]
fn a_small_file_belongs_to_one_process_until_it_ends() {
    let _alone = alone();
    let work = Work::Checkpoint;
    let (_, count) = undisturbed(work);
    // The second change creates the lock file.
    for at in 2..count {
        let place = prepared(work);
        let file = Work::disk(place.path()).join("out/checkpoint");
        let own = || OwnedFile::try_acquire(&file).expect("the folder is writable");
        let child = StoppedProcess::new(work, place.path(), at);
        assert!(own().is_none(), "stopped at {at}");
        drop(child);
        assert!(own().is_some(), "stopped at {at}");
    }
}
