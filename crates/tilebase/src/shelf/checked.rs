//! Records of checked tables: a small file beside each table, so that the next process need not
//! check the payload again.
//!
//! A record says that a file matched its digests in one state. The file's [`Stamp`] shows whether
//! it is still in that state: a write changes its change time, which no program can set. There are
//! three exceptions.
//!
//! - A store through a shared map changes the times only if the page was clean. A further store to
//!   the same page does not change them until the system has written the page back, after some 35
//!   seconds. A write within one tick of the clock does not change them either. So a file that was
//!   changed less than a minute before its check gets no record.
//! - File systems in memory never write pages back. Their files get no records.
//! - A disk may lose data. So a record is valid for a week only.
//!
//! A record ends with a digest of its text, which detects damage, as in tables. It does not stop
//! people who may write to the folder: they could as well replace a table.

use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use pdb_format::digest;
use pdb_rt::{Stamp, Table};
use rustix::fs::OFlags;

/// Time for which a record is valid.
const AGE_MAX: Duration = Duration::from_hours(7 * 24);
/// Longest time for which a changed page may wait to be written back. Until then it can be changed
/// again without a new change time.
const WRITE_BACK_MAX: Duration = Duration::from_mins(1);
/// File systems that never write pages back: tmpfs, ramfs and hugetlbfs, as `statfs` numbers them.
#[cfg(target_os = "linux")]
const IN_MEMORY: [u32; 3] = [0x0102_1994, 0x8584_58f6, 0x9584_58f6];
/// Size limit of a record, in bytes.
const BYTES_MAX: u64 = 4096;

/// Returns whether a valid record exists for the table's file in its current state.
pub(super) fn is_known(table: &Table) -> bool {
    is_known_at(table, SystemTime::now())
}

fn is_known_at(table: &Table, now: SystemTime) -> bool {
    let Some(stamp) = stamp_of(table) else { return false };
    let Some(found) = read(table) else { return false };
    let checked = found.lines().find_map(|line| line.strip_prefix("checked ")?.parse().ok());
    let Some(checked) = checked.map(Duration::from_secs) else { return false };
    let age = now.duration_since(UNIX_EPOCH).ok().and_then(|now| now.checked_sub(checked));
    age.is_some_and(|age| age <= AGE_MAX)
        && is_old_enough(&stamp, checked)
        && found == text(table, &stamp, checked)
}

/// Writes the record of a checked table that was opened after `begun`. If that fails, the next
/// process checks the table again.
pub(super) fn record(table: &Table, begun: SystemTime) {
    let Some(stamp) = stamp_of(table) else { return };
    let Ok(begun) = begun.duration_since(UNIX_EPOCH) else { return };
    // Rounds down to whole seconds, so that the time is not later than `begun`.
    let begun = Duration::from_secs(begun.as_secs());
    if !is_old_enough(&stamp, begun) {
        return;
    }
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).custom_flags(FLAGS);
    if let Ok(mut file) = options.open(path(table))
        && file.metadata().is_ok_and(|metadata| metadata.is_file())
    {
        // A partly written record is invalid, because it lacks its digest.
        let _ = file.write_all(text(table, &stamp, begun).as_bytes());
    }
}

/// Follows no link, and does not wait for a pipe.
const FLAGS: i32 = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).bits() as i32;

fn path(table: &Table) -> PathBuf {
    format!("{}.checked", table.name()).into()
}

fn read(table: &Table) -> Option<String> {
    let file = OpenOptions::new().read(true).custom_flags(FLAGS).open(path(table)).ok()?;
    file.metadata().ok().filter(std::fs::Metadata::is_file)?;
    let mut text = String::new();
    file.take(BYTES_MAX).read_to_string(&mut text).ok()?;
    Some(text)
}

/// Returns the stamp of a table's file, unless its file system makes stamps meaningless.
fn stamp_of(table: &Table) -> Option<Stamp> {
    let stamp = table.stamp()?;
    #[cfg(target_os = "linux")]
    if IN_MEMORY.contains(&(rustix::fs::statfs(table.name()).ok()?.f_type as u32)) {
        return None;
    }
    Some(stamp)
}

fn is_old_enough(stamp: &Stamp, checked: Duration) -> bool {
    let latest = stamp.changed.0.max(stamp.modified.0);
    i64::try_from(checked.as_secs()).is_ok_and(|checked| {
        // A started second counts as a whole one.
        latest.saturating_add(1).saturating_add(WRITE_BACK_MAX.as_secs() as i64) <= checked
    })
}

fn text(table: &Table, stamp: &Stamp, checked: Duration) -> String {
    let Stamp { device, inode, bytes, modified, changed, .. } = stamp;
    let said = format!(
        "Tilebase found this table to be right.\ntable {}\ndevice {device}\ninode {inode}\n\
         bytes {bytes}\nmodified {}.{:09}\nchanged {}.{:09}\nchecked {}\n",
        table.digest(),
        modified.0,
        modified.1,
        changed.0,
        changed.1,
        checked.as_secs()
    );
    let seal = digest(said.as_bytes());
    format!("{said}seal {seal}\n")
}

#[cfg(all(test, feature = "build"))]
mod tests {
    use std::fs::{self, File, Permissions};
    use std::os::unix::fs::{FileExt, PermissionsExt, symlink};
    use std::path::Path;

    use pdb_core::{Goal, Plan, Shape};
    use pdb_gen::{Build, write_file};

    use super::*;

    fn open(path: &Path) -> Table {
        Table::open(path).expect("it is whole but for its payload")
    }

    #[test]
    fn table_is_known_until_it_changes() {
        let folder = tempfile::tempdir().expect("a folder");
        let goal = Goal::blank_last(Shape::new(3, 3).expect("a shape"));
        let key = Plan::walking(&goal).tables()[0];
        let built = Build::new(folder.path()).in_memory(&key).expect("a table");
        let (path, beside) = (&built.path, folder.path().join(key.file_name() + ".checked"));
        // The file's pages may not be written back yet.
        record(&open(path), SystemTime::now());
        record(&open(path), SystemTime::now() + WRITE_BACK_MAX - Duration::from_secs(2));
        assert!(!beside.exists());
        let other = folder.path().join("other.pdb");
        fs::copy(path, &other).expect("there is room");
        // Change times cannot be set back, so the clock is set forward.
        let now = SystemTime::now() + 2 * WRITE_BACK_MAX;
        let is_known = |table: &Table| is_known_at(table, now);
        let table = open(path);
        assert!(!is_known(&table));
        record(&table, now);
        assert!(is_known(&table) && is_known(&open(path)));

        // An older program recorded files that were too young, as this record does with a valid
        // digest.
        let young = text(&table, &table.stamp().expect("a file"), since_1970(SystemTime::now()));
        let good = fs::read(&beside).expect("it is there");
        write_file(&beside, young.as_bytes()).expect("it is writable");
        assert!(!is_known(&table));
        write_file(&beside, &good).expect("it is writable");

        // A record is invalid after a week, and if it is from the future.
        assert!(is_known_at(&table, now + AGE_MAX - Duration::from_secs(5)));
        assert!(!is_known_at(&table, now + AGE_MAX + Duration::from_secs(5)));
        assert!(!is_known_at(&table, now - Duration::from_hours(1)));

        // Every changed byte of the record makes it invalid.
        for place in 0..good.len() {
            let mut bad = good.clone();
            bad[place] ^= 1;
            write_file(&beside, &bad).expect("it is writable");
            assert!(!is_known(&table), "byte {place}");
            write_file(&beside, &good[..place]).expect("it is writable");
            assert!(!is_known(&table), "{place} bytes");
        }
        write_file(&beside, &good).expect("it is writable");
        assert!(is_known(&table));

        // Every change of the file makes it invalid, even if its bytes and its time are restored.
        let modified = path.metadata().expect("a file").modified().expect("a time");
        let file = File::options().write(true).open(path).expect("it is writable");
        let touch = || {
            file.set_modified(modified).expect("it is ours");
        };
        let last = table.header().file_bytes() - 1;
        let byte = *table.payload().last().expect("a payload");
        let changes: [&dyn Fn(); 3] = [
            &|| {
                file.write_all_at(&[byte ^ 1], last).expect("it is writable");
                touch();
            },
            &|| {
                file.write_all_at(&[byte], last).expect("it is writable");
                touch();
            },
            &|| fs::set_permissions(path, Permissions::from_mode(0o600)).expect("it is ours"),
        ];
        for change in changes {
            let before = table.stamp().expect("a file");
            change();
            let table = open(path);
            let after = table.stamp().expect("a file");
            assert_eq!((before.modified, before.inode), (after.modified, after.inode));
            assert!(!is_known(&table));
        }
        // A copy with the same bytes is another file.
        let copy = folder.path().join("copy.pdb");
        fs::copy(path, &copy).expect("there is room");
        fs::copy(&beside, folder.path().join("copy.pdb.checked")).expect("there is room");
        assert!(!is_known(&open(&copy)));

        // A link in the record's place is not followed.
        let elsewhere = folder.path().join("elsewhere");
        write_file(&elsewhere, b"not ours").expect("there is room");
        symlink(&elsewhere, folder.path().join("other.pdb.checked")).expect("links can be made");
        record(&open(&other), now);
        assert_eq!(fs::read_to_string(&elsewhere).expect("it is there"), "not ours");
        assert!(!is_known(&open(&other)));
        fs::remove_file(folder.path().join("other.pdb.checked")).expect("it is there");
        record(&open(&other), now);
        assert!(is_known(&open(&other)));
    }

    fn since_1970(time: SystemTime) -> Duration {
        let since = time.duration_since(UNIX_EPOCH).expect("it is later");
        Duration::from_secs(since.as_secs())
    }

    /// A second store through a shared map does not change the times of a file in memory.
    #[cfg(target_os = "linux")]
    #[test]
    fn tmpfs_tables_have_no_trusted_record() {
        let folder = tempfile::tempdir_in("/dev/shm").expect("a folder in memory");
        let goal = Goal::blank_last(Shape::new(3, 3).expect("a shape"));
        let key = Plan::walking(&goal).tables()[0];
        let built = Build::new(folder.path()).in_memory(&key).expect("a table");
        let table = open(&built.path);
        let now = SystemTime::now() + 2 * WRITE_BACK_MAX;
        record(&table, now);
        assert!(!path(&table).exists());
        let stamp = table.stamp().expect("a file");
        write_file(&path(&table), text(&table, &stamp, since_1970(now)).as_bytes())
            .expect("it is writable");
        assert!(!is_known_at(&table, now));
    }
}
