//! Shipping and installing: the same tables come back, and damage leaves nothing behind.

use std::path::{Path, PathBuf};

use pdb_core::{BlankMode, TableKey};
use pdb_format::manifest::Manifest;
use pdb_format::{FormatError, HEADER_BYTES, digest};
use pdb_gen::{
    ArchiveError, Event, GenError, InstalledTable, Monitor, ShipReport, TableFile, install, ship,
};
use zstd::zstd_safe::find_frame_compressed_size;

use crate::coloured::coloured;
use crate::{
    assert_is_table, built, cancelled_at, four_tiles, fresh, names_in, read, scratch, sealed,
    tiles_of_15, walking, write,
};

/// Starts of the texts of faults of archives.
pub(crate) const NO_FRAME: &str = "expected a whole zstd frame ";
pub(crate) const TRAILING: &str = "expected the end of the archive after ";
const NOT_LISTED: &str = "expected the line ";

/// Returns the key of a table with 16.7 MiB of payload: five frames after the first.
fn large() -> TableKey {
    tiles_of_15(9..=15, BlankMode::Aware)
}

fn small() -> TableKey {
    four_tiles(BlankMode::Collapsed)
}

/// Returns the small table with a flipped bit.
fn damaged_small() -> Vec<u8> {
    let mut file = fresh(&small()).to_bytes();
    *file.last_mut().expect("a file has bytes") ^= 1;
    file
}

/// Ships tables; the folder holds `tables` and `archives`.
pub(crate) fn shipped(keys: &[TableKey]) -> (tempfile::TempDir, ShipReport) {
    let folder = scratch();
    let tables = tables_of(&folder, keys);
    for (path, key) in tables.iter().zip(keys) {
        write(path, &fresh(key).to_bytes());
    }
    let out = folder.path().join("archives");
    let report = ship(&tables, &out, 1, 2, &Monitor::silent()).expect("the tables are good");
    (folder, report)
}

/// Returns the paths of shipped tables.
fn tables_of(folder: &tempfile::TempDir, keys: &[TableKey]) -> Vec<PathBuf> {
    keys.iter().map(|key| folder.path().join("tables").join(key.file_name())).collect()
}

pub(crate) fn installed(
    inputs: &[PathBuf],
    folder: &Path,
) -> Result<Vec<InstalledTable>, GenError> {
    install(inputs, folder, None, &|_| None, 2, &Monitor::silent()).map(|report| report.tables)
}

/// Returns the frames of an archive.
fn frames(mut archive: &[u8]) -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    while !archive.is_empty() {
        let (frame, rest) = archive.split_at(find_frame_compressed_size(archive).expect("a frame"));
        frames.push(frame.to_vec());
        archive = rest;
    }
    frames
}

/// Installs one bad input into an empty folder, and into a folder that has a file of the table's
/// name.
fn refused(input: &Path, key: &TableKey) -> GenError {
    let folder = scratch();
    let empty = folder.path().join("empty");
    let error = installed(&[input.to_owned()], &empty).expect_err("a bad input");
    assert_eq!(names_in(&empty), [""; 0], "{error}");
    let full = folder.path().join("full");
    // A file that is not the archive's table: an existing good table would be kept without reading
    // the archive.
    let old = full.join(key.file_name());
    write(&old, b"an old table");
    let again = installed(&[input.to_owned()], &full).expect_err("a bad input");
    assert_eq!(names_in(&full), [key.file_name()], "{again}");
    assert_eq!(read(&old), b"an old table");
    assert_eq!(error.to_string(), again.to_string());
    error
}

/// Returns the error of an archive alone; a manifest would have another length or digest.
fn refused_alone(archive: &[u8], key: &TableKey) -> GenError {
    let folder = scratch();
    let path = folder.path().join("a.pdb.zst");
    write(&path, archive);
    refused(&path, key)
}

/// Returns the text of an archive's fault, without the path.
pub(crate) fn archive_error(error: GenError) -> String {
    match error {
        GenError::Archive { source, .. } => source.to_string(),
        other => panic!("another error: {other}"),
    }
}

fn format_error(error: GenError) -> FormatError {
    match error {
        GenError::Format { source, .. }
        | GenError::Archive { source: ArchiveError::Table(source), .. } => source,
        other => panic!("another error: {other}"),
    }
}

/// Writes the digest list of a folder again, so that only the manifest is wrong.
fn list_again(folder: &Path) {
    let names = names_in(folder).into_iter().filter(|name| name != "B3SUMS");
    let line = |name: String| format!("{}  {name}\n", digest(&read(&folder.join(&name))));
    write(&folder.join("B3SUMS"), names.map(line).collect::<String>().as_bytes());
}

#[test]
fn shipped_tables_are_installed_with_the_same_bytes() {
    let coloured = TableKey::Coloured(coloured(3, 3, "aab bcc cd.").canonical().0);
    let keys = [large(), small(), walking(4, 4, 3), coloured];
    let (folder, report) = shipped(&keys);
    let out = folder.path().join("archives");
    assert_eq!(report.manifest, out.join("manifest.json"));
    assert_eq!(names_in(&out).len(), 6);
    // As `b3sum` writes it.
    let listed = report.archives.iter().map(|archive| &archive.path).chain([&report.manifest]);
    let line = |path: &PathBuf| {
        let name = path.file_name().expect("it is a file").to_string_lossy();
        format!("{}  {name}\n", digest(&read(path)))
    };
    assert!(read(&out.join("B3SUMS")) == listed.map(line).collect::<String>().as_bytes());
    let inputs: [Vec<PathBuf>; 3] = [
        vec![out.clone()],
        report.archives.iter().map(|archive| archive.path.clone()).collect(),
        tables_of(&folder, &keys),
    ];
    for (nth, inputs) in inputs.iter().enumerate() {
        let target = folder.path().join(format!("installed-{nth}"));
        for already_there in [false, true] {
            let tables = installed(inputs, &target).expect("everything is good");
            assert_eq!(tables.len(), 4);
            for (table, key) in tables.iter().zip(&keys) {
                assert_eq!(table.already_there, already_there);
                assert_eq!(table.path, target.join(key.file_name()));
                assert_is_table(&table.path, key, "installed");
            }
        }
        assert_eq!(names_in(&target).len(), 4);
    }
}

#[test]
fn archives_are_the_same_for_any_number_of_threads_and_unpack_with_plain_zstd() {
    let (folder, report) = shipped(&[large(), small()]);
    let tables = tables_of(&folder, &[large(), small()]);
    for threads in [1, 7] {
        let other = folder.path().join(format!("threads-{threads}"));
        ship(&tables, &other, 1, threads, &Monitor::silent()).expect("the tables are good");
        for name in names_in(&folder.path().join("archives")) {
            let (one, two) = (folder.path().join("archives").join(&name), other.join(&name));
            assert!(read(&one) == read(&two), "{name} with {threads} threads");
        }
    }
    for (archive, table) in report.archives.iter().zip(&tables) {
        let bytes = read(&archive.path);
        assert_eq!(archive.archive_bytes, bytes.len() as u64);
        assert!(zstd::stream::decode_all(&bytes[..]).expect("standard zstd") == read(table));
        assert!(archive.archive_bits_per_entry() > 0.0);
        let bits = archive.header.packing.bits().map(f64::from);
        assert_eq!(Some(archive.table_bits_per_entry()), bits);
    }
    assert_eq!(frames(&read(&report.archives[0].path)).len(), 6);
}

#[test]
fn a_damaged_table_is_not_shipped_and_one_is_not_shipped_twice() {
    let folder = scratch();
    let path = built(&small(), &folder.path().join("tables"));
    let out = folder.path().join("archives");
    let damaged = folder.path().join("damaged").join(small().file_name());
    write(&damaged, &damaged_small());
    let error = ship(std::slice::from_ref(&damaged), &out, 1, 2, &Monitor::silent())
        .expect_err("it is damaged");
    assert!(matches!(format_error(error), FormatError::ChunkDigest { chunk: 0, .. }));
    assert_eq!(names_in(&out), [""; 0]);
    let error = ship(&[path, damaged], &out, 1, 2, &Monitor::silent()).expect_err("twice");
    assert!(matches!(error, GenError::ShippedTwice { .. }), "{error}");
    assert_eq!(names_in(&out), [""; 0]);
}

#[test]
fn an_existing_damaged_table_is_replaced() {
    let (folder, report) = shipped(&[small()]);
    let target = folder.path().join("installed");
    let path = target.join(small().file_name());
    let good = fresh(&small()).to_bytes();
    for file in [&damaged_small(), &good[..good.len() - 1], b""] {
        for input in [&folder.path().join("archives"), &report.archives[0].path] {
            write(&path, file);
            let tables = installed(std::slice::from_ref(input), &target).expect("good archives");
            assert!(!tables[0].already_there);
            assert!(read(&path) == good);
        }
    }
}

#[test]
fn archives_whose_frames_are_not_those_of_a_table_are_refused() {
    let (_folder, report) = shipped(&[large()]);
    let good = read(&report.archives[0].path);
    let parts = frames(&good);
    let refused = |bytes: &[u8]| refused_alone(bytes, &large());
    let swapped = |one, other| {
        let mut parts = parts.clone();
        parts.swap(one, other);
        refused(&parts.concat())
    };
    let error = format_error(swapped(2, 3));
    assert!(matches!(error, FormatError::ChunkDigest { .. }), "{error}");
    let error = archive_error(swapped(4, 5));
    assert!(error.starts_with("expected a frame that unpacks to "), "{error}");

    // The tests in `damage` do not have these: an archive cut between two frames, and one with a
    // repeated frame.
    let cut = good.len() - parts[5].len();
    let error = archive_error(refused(&good[..cut]));
    assert!(error.starts_with(NO_FRAME) && error.ends_with(&format!(" at byte {cut}, found none")));
    let error = archive_error(refused(&[&good[..], &parts[5]].concat()));
    assert!(error.starts_with(TRAILING), "{error}");
    // A skippable frame is not a frame of a table.
    let skippable = [&[0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0][..], b"skip"].concat();
    for at in [0, 3] {
        let mut parts = parts.clone();
        parts.insert(at, skippable.clone());
        let error = archive_error(refused(&parts.concat()));
        assert!(error.starts_with(NO_FRAME), "{error}");
    }
    // A frame of a format before zstd 1.0 is not one either.
    let old = [&[0x27, 0xb5, 0x2f, 0xfd][..], &good[4..]].concat();
    for bytes in [&old[..], b"", b"not an archive, but long enough for a frame's header"] {
        let error = archive_error(refused(bytes));
        assert!(
            error.starts_with(NO_FRAME) && error.ends_with(" at byte 0, found none"),
            "{error}"
        );
    }
}

#[test]
fn a_frame_with_a_huge_size_is_refused() {
    let (_folder, report) = shipped(&[large()]);
    let parts = frames(&read(&report.archives[0].path));
    let refused = |first: &[u8], second: &[u8]| {
        let archive = [first, second, &parts[2..].concat()].concat();
        archive_error(refused_alone(&archive, &large()))
    };
    // One segment, eight bytes of content size, then one block of one repeated byte.
    let huge = |content_bytes: u64| {
        let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0xe0];
        frame.extend(content_bytes.to_le_bytes());
        frame.extend([0x03, 0x00, 0x10, 0x00]);
        frame
    };
    let size = 1 << 60;
    let error = refused(&huge(size), &parts[1]);
    assert!(error.starts_with("expected a first frame that unpacks to at most "), "{error}");
    assert!(error.ends_with(&format!(" bytes, found one of {size}")), "{error}");
    let error = refused(&parts[0], &huge(size));
    assert!(error.ends_with(&format!(", found one of {size}")), "{error}");
    // The right size, but less content.
    let error = refused(&parts[0], &huge(4 << 20));
    assert!(error.contains(" does not unpack: "), "{error}");
    // The right content in too many bytes: empty blocks between.
    let mut padded = huge(4 << 20)[..13].to_vec();
    padded.extend(vec![0; 3 << 21]);
    let error = refused(&parts[0], &padded);
    assert!(error.starts_with(NO_FRAME), "{error}");
}

#[test]
fn a_header_in_an_archive_is_checked_like_that_of_a_file() {
    let folder = scratch();
    let alone = folder.path().join("a.pdb.zst");
    let file = fresh(&small()).to_bytes();
    let packed = |head: &[u8], payload: &[u8]| {
        let pack = |bytes| zstd::bulk::compress(bytes, 1).expect("zstd packs anything");
        [pack(head), pack(payload)].concat()
    };
    let (head, payload) = file.split_at(2 * HEADER_BYTES);
    write(&alone, &packed(head, payload));
    // The name of the archive does not matter, and other tables stay.
    let target = folder.path().join("t");
    let other = built(&walking(3, 3, 2), &target);
    let good = installed(&[alone], &target).expect("it is a good archive");
    assert_is_table(&good[0].path, &small(), "under its own name");
    assert_is_table(&other, &walking(3, 3, 2), "as it was before");
    assert_eq!(names_in(&target).len(), 2);
    let changed = |at: usize| {
        let mut head = head.to_vec();
        head[at] ^= 1;
        format_error(refused_alone(&packed(&head, payload), &small()))
    };
    assert!(matches!(changed(0), FormatError::NotATable { .. }));
    assert!(matches!(changed(9), FormatError::NewerVersion { .. }));
    assert!(matches!(changed(60), FormatError::HeaderDigest { .. }));
    assert!(matches!(changed(HEADER_BYTES + 2), FormatError::SectionDigest { .. }));
    let error = format_error(refused_alone(&packed(&head[..HEADER_BYTES], payload), &small()));
    assert!(matches!(error, FormatError::BadField { .. }), "{error}");
    // Right digests, but another number of entries than the index has.
    let aware = four_tiles(BlankMode::Aware);
    let mut table = fresh(&aware);
    table.header.entry_count += 24;
    table.header.histogram[5] += 24;
    table.payload.extend([0; 3]);
    let file = sealed(table);
    let (head, payload) = file.split_at(2 * HEADER_BYTES);
    let error = format_error(refused_alone(&packed(head, payload), &aware));
    assert!(matches!(error, FormatError::BadField { field: "entry count", .. }), "{error}");
}

#[test]
fn a_manifest_with_other_paths_or_other_contents_is_refused() {
    let key = small();
    let (folder, report) = shipped(&[key]);
    let out = folder.path().join("archives");
    let text = String::from_utf8(read(&report.manifest)).expect("text");
    let manifest = Manifest::parse(&text).expect("a manifest");
    let name = key.file_name();
    let with = |text: &str| {
        write(&report.manifest, text.as_bytes());
        list_again(&out);
        refused(&out, &key)
    };
    for elsewhere in ["../x", "/tmp/x", "a/b", ".hidden", "x\\\\y"] {
        let error = format_error(with(&text.replace(&name, &format!("{elsewhere}.pdb"))));
        assert!(
            matches!(error, FormatError::BadField { field: "file name", .. }),
            "{elsewhere}: {error}"
        );
    }
    assert!(matches!(format_error(with("{")), FormatError::Json(_)));
    let error = format_error(with(&text.replace("\"format\": 1", "\"format\": 2")));
    assert!(matches!(error, FormatError::NewerVersion { .. }), "{error}");

    let says = |change: &dyn Fn(&mut Manifest)| {
        let mut manifest = manifest.clone();
        change(&mut manifest);
        archive_error(with(&manifest.to_json()))
    };
    let length = says(&|m| m.archives[0].table_bytes += 1);
    assert!(length.starts_with("expected table length in bytes "), "{length}");
    let digest_of_table = says(&|m| m.archives[0].table_digest.0[0] ^= 1);
    assert!(digest_of_table.starts_with("expected table digest "), "{digest_of_table}");
    let count = says(&|m| m.archives[0].entry_count += 1);
    assert!(count.starts_with("expected entry count "), "{count}");
    // The digest list was written from the files, so here it disagrees with the manifest.
    let error = says(&|m| m.archives[0].archive_digest.0[0] ^= 1);
    assert!(error.starts_with(NOT_LISTED), "{error}");

    // Another table with this table's name.
    write(&report.manifest, text.as_bytes());
    let (other, other_report) = shipped(&[walking(3, 3, 2)]);
    let packed = read(&other_report.archives[0].path);
    let mut manifest = manifest.clone();
    manifest.archives[0].archive_bytes = packed.len() as u64;
    manifest.archives[0].archive_digest = digest(&packed);
    write(&report.archives[0].path, &packed);
    let error = archive_error(with(&manifest.to_json()));
    assert!(error.starts_with(&format!("expected table {name} as in manifest.json")), "{error}");
    drop(other);
}

#[test]
fn archives_of_a_folder_are_regular_files_that_both_lists_name() {
    let key = small();
    let (folder, report) = shipped(&[key]);
    let out = folder.path().join("archives");
    let archive = &report.archives[0].path;
    let list = out.join("B3SUMS");
    let lines = String::from_utf8(read(&list)).expect("text");
    let with = |text: &[u8]| {
        write(&list, text);
        refused(&out, &key)
    };
    for name in [".zst", "manifest.json"] {
        let kept = lines.split_inclusive('\n').filter(|line| !line.trim_end().ends_with(name));
        let error = archive_error(with(kept.collect::<String>().as_bytes()));
        assert!(error.starts_with(NOT_LISTED), "{error}");
    }
    let (digit, rest) = lines.split_at(1);
    let other = if digit == "f" { "0" } else { "f" };
    for bad in [format!("{other}{rest}"), lines.replace("  ", " "), lines.to_uppercase()] {
        let error = archive_error(with(bad.as_bytes()));
        assert!(error.starts_with(NOT_LISTED), "{error}");
    }
    assert!(archive_error(with(b"\xff\xfe")).starts_with("expected text in UTF-8 "));
    write(&list, lines.as_bytes());

    std::fs::remove_file(archive).expect("it is there");
    assert!(matches!(refused(&out, &key), GenError::Io { .. }));
    std::fs::create_dir(archive).expect("the folder is writable");
    assert!(archive_error(refused(&out, &key)).starts_with("expected a regular file, "));

    std::fs::remove_file(list).expect("it is there");
    assert!(matches!(refused(&out, &key), GenError::Io { .. }));
    std::fs::remove_file(out.join("manifest.json")).expect("it is there");
    assert!(matches!(refused(&out, &key), GenError::NoManifest { .. }));
}

#[cfg(unix)]
fn make_pipe(path: &Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status();
    assert!(made.expect("a tool of every system").success());
}

#[cfg(unix)]
#[test]
fn a_link_or_a_pipe_in_a_folder_of_archives_is_not_followed() {
    let (folder, report) = shipped(&[small()]);
    let (out, archive) = (folder.path().join("archives"), &report.archives[0].path);
    for path in [&report.manifest, &out.join("B3SUMS"), archive] {
        let elsewhere = folder.path().join("elsewhere");
        std::fs::rename(path, &elsewhere).expect("same file system");
        for leads_to in [Some(&*elsewhere), Some(Path::new("/dev/zero")), None] {
            if let Some(target) = leads_to {
                std::os::unix::fs::symlink(target, path).expect("links can be made");
            } else {
                make_pipe(path);
            }
            let mut inputs = vec![&out];
            // An archive alone has a manifest beside it, and no list.
            inputs.extend((path == &report.manifest).then_some(archive));
            for input in inputs {
                let error = archive_error(refused(input, &small()));
                assert!(error.starts_with("expected a regular file, "), "{error}");
            }
            std::fs::remove_file(path).expect("the link or the pipe is there");
        }
        std::fs::rename(&elsewhere, path).expect("same file system");
    }
    installed(&[out], &folder.path().join("installed")).expect("all is in its place again");
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_device_is_refused_without_waiting() {
    let (folder, _) = shipped(&[small()]);
    let table = folder.path().join("pipe.pdb");
    let archive = folder.path().join("pipe.pdb.zst");
    make_pipe(&table);
    make_pipe(&archive);
    let regular = |error: GenError| {
        assert!(error.to_string().contains("expected a regular file, found"), "{error}");
    };
    regular(refused(&table, &small()));
    regular(refused(&archive, &small()));
    regular(TableFile::open(&table).expect_err("a pipe"));
    regular(TableFile::open(Path::new("/dev/zero")).expect_err("a device"));
    // Anything may exist at a table's path.
    let target = folder.path().join("installed");
    std::fs::create_dir(&target).expect("the folder is writable");
    make_pipe(&target.join(small().file_name()));
    let tables = installed(&[folder.path().join("archives")], &target).expect("all is good");
    assert_is_table(&tables[0].path, &small(), "in the place of a pipe");
}

#[cfg(unix)]
#[test]
fn a_link_where_a_table_goes_is_replaced_and_not_followed() {
    let key = small();
    let (folder, report) = shipped(&[key]);
    let table = folder.path().join("tables").join(key.file_name());
    for input in [&folder.path().join("archives"), &report.archives[0].path, &table] {
        for exists in [true, false] {
            let (target, elsewhere) = (scratch(), scratch());
            let precious = elsewhere.path().join("precious");
            if exists {
                write(&precious, b"precious");
            }
            let path = target.path().join(key.file_name());
            std::os::unix::fs::symlink(&precious, &path).expect("links can be made");
            let input = std::slice::from_ref(input);
            let tables = installed(input, target.path()).expect("all is good");
            assert!(!tables[0].already_there);
            assert!(std::fs::symlink_metadata(&path).expect("it is there").is_file());
            assert_is_table(&path, &key, "in the place of a link");
            assert_eq!(precious.exists(), exists);
            assert!(!exists || read(&precious) == b"precious");
        }
    }
}

#[test]
fn refuses_to_install_anything_but_tables() {
    let folder = scratch();
    let note = folder.path().join("note.txt");
    write(&note, b"a note");
    let error = refused(&note, &small());
    assert!(error.to_string().contains("expected a folder of archives"), "{error}");
    assert!(matches!(refused(&folder.path().join("none.pdb"), &small()), GenError::Io { .. }));
    let damaged = folder.path().join("damaged.pdb");
    write(&damaged, &damaged_small());
    let error = format_error(refused(&damaged, &small()));
    assert!(matches!(error, FormatError::ChunkDigest { .. }), "{error}");
}

#[test]
fn a_cancelled_ship_or_install_leaves_nothing_behind() {
    let (folder, report) = shipped(&[large()]);
    let tables = tables_of(&folder, &[large()]);
    let is_progress = |event| matches!(event, Event::Write { .. } | Event::Check { .. });
    let out = folder.path().join("out");
    let refused = |result: Result<(), GenError>| {
        let error = result.expect_err("cancelled");
        assert!(matches!(error, GenError::Interrupted), "{error}");
        assert_eq!(names_in(&out), [""; 0]);
    };
    refused(cancelled_at(is_progress, |monitor| ship(&tables, &out, 1, 2, monitor).map(drop)));
    for input in [&folder.path().join("archives"), &report.archives[0].path, &tables[0]] {
        let inputs = [input.to_owned()];
        refused(cancelled_at(is_progress, |monitor| {
            install(&inputs, &out, None, &|_| None, 2, monitor).map(drop)
        }));
    }
}
