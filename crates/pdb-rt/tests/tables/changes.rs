//! Mapped files that another program writes to, which Windows refuses.

use std::fs::{File, Permissions};
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use pdb_core::{Goal, Shape};
use pdb_gen::Build;
use pdb_rt::{Database, OpenError, Residence, Table};

use crate::runtime::{RESIDENCES, folder_of, plans};
use crate::{roots, walk};

/// A file that can be changed without changing its modification time, as `touch -r` and `cp -p`
/// can.
struct ChangedFile {
    file: File,
    modified: SystemTime,
}

impl ChangedFile {
    fn open(table: &Table) -> Self {
        let file = File::options().write(true).open(table.name()).unwrap();
        let modified = file.metadata().unwrap().modified().unwrap();
        // The next change needs a later tick of the file system's clock.
        sleep(Duration::from_millis(20));
        Self { file, modified }
    }

    fn write(&self, bytes: &[u8], at: u64) {
        self.file.write_all_at(bytes, at).unwrap();
        self.file.set_modified(self.modified).unwrap();
    }
}

#[test]
fn file_that_is_written_to_while_mapped_is_refused_although_its_time_is_put_back() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    for plan in plans(&goal) {
        for residence in RESIDENCES {
            let folder = folder_of(&plan);
            // The system may limit locked memory to less than a table.
            let Ok(tables) = Database::open_as(&plan, folder.path(), residence) else {
                assert_eq!(residence, Residence::Locked);
                continue;
            };
            let database = tables.check(2).unwrap();
            let table = &database.tables()[0];
            let (last, byte) = (table.header().file_bytes() - 1, *table.payload().last().unwrap());
            ChangedFile::open(table).write(&[!byte], last);
            if residence == Residence::Copied {
                database.confirm().unwrap();
                continue;
            }
            // The change is found when the payload is read again, and is remembered from then on.
            assert!(!database.is_spoilt());
            for _ in 0..2 {
                let error = database.confirm().unwrap_err();
                assert!(matches!(error, OpenError::Written { .. }), "{residence:?}: {error}");
                assert!(database.is_spoilt());
            }
            ChangedFile::open(table).write(&[byte], last);
            assert!(database.confirm().is_err());
        }
    }
}

#[test]
fn digests_that_are_written_with_the_payload_are_refused_too() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let key = plans(&goal)[0].tables()[0];
    let path = Build::new(folder.path()).in_memory(&key).unwrap().path;
    let table = Table::open(&path).unwrap();
    let digests = table.header().digests_range();
    let changed = ChangedFile::open(&table);
    let payload = vec![0x55; table.payload().len()];
    changed.write(&payload, table.header().payload_offset());
    changed.write(&pdb_format::digest(&payload).0, digests.start);
    assert_eq!(table.header().chunk_count(), 1);
    // Only the header's digest of the digest section still shows the change.
    table.check_payload().unwrap();
    assert!(matches!(table.check_unchanged().unwrap_err(), OpenError::Written { .. }));
}

#[test]
fn file_of_which_only_the_time_of_change_differs_is_answered_after_it_was_read_again() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    for plan in plans(&goal) {
        let folder = folder_of(&plan);
        // The tables are trusted, so only a change causes a payload to be read.
        let database = Database::open(&plan, folder.path()).unwrap().trust();
        let (table, before) = (&database.tables()[0], walk(&goal, 100));
        let expected = roots(&database, &before);
        for round in 0..3 {
            sleep(Duration::from_millis(20));
            let old = std::fs::metadata(table.name()).unwrap();
            std::fs::set_permissions(table.name(), Permissions::from_mode(0o600 + round)).unwrap();
            let new = std::fs::metadata(table.name()).unwrap();
            assert_ne!((old.ctime(), old.ctime_nsec()), (new.ctime(), new.ctime_nsec()));
            assert!(!database.is_spoilt());
            database.confirm().unwrap();
            assert_eq!(roots(&database, &before), expected);
        }
        // A write through another descriptor with the same times is found.
        ChangedFile::open(table)
            .write(&[!*table.payload().last().unwrap()], table.header().file_bytes() - 1);
        assert!(database.confirm().is_err());
    }
}
