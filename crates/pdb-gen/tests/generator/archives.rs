//! Shipping and installing: the same tables come back, and damage leaves nothing behind.

use std::path::{Path, PathBuf};

use pdb_core::{BlankMode, TableKey};
use pdb_format::manifest::{Manifest, digest_list};
use pdb_format::{Digest, FormatError, HEADER_BYTES, digest};
use pdb_gen::{
    ArchiveError, Event, GenError, InstalledTable, Monitor, ShipReport, TableFile, install, ship,
};
use zstd::zstd_safe::find_frame_compressed_size;

use crate::coloured::coloured;
use crate::{
    assert_is_table, built, cancelled_at, four_tiles, fresh, names_in, read, scratch, sealed,
    tiles_of_15, walking, write,
};

/// Returns the key of a table with 16.7 MiB of payload: five frames after the first.
fn large() -> TableKey {
    tiles_of_15(9..=15, BlankMode::Aware)
}

fn small() -> TableKey {
    four_tiles(BlankMode::Collapsed)
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

pub(crate) fn archive_error(error: GenError) -> ArchiveError {
    match error {
        GenError::Archive { source, .. } => source,
        other => panic!("another error: {other}"),
    }
}

fn format_error(error: GenError) -> FormatError {
    match error {
        GenError::Format { source, .. } | GenError::DamagedArchive { fault: source, .. } => source,
        other => panic!("another error: {other}"),
    }
}

/// Writes the digest list of a folder again, so that only the manifest is wrong.
fn list_again(folder: &Path) {
    let names = names_in(folder).into_iter().filter(|name| name != "B3SUMS");
    let files: Vec<(Digest, String)> =
        names.map(|name| (digest(&read(&folder.join(&name))), name)).collect();
    let lines = files.iter().map(|(digest, name)| (*digest, name.as_str()));
    write(&folder.join("B3SUMS"), digest_list(lines).expect("plain names").as_bytes());
}

#[test]
fn shipped_tables_are_installed_with_the_same_bytes() {
    let coloured = TableKey::Coloured(coloured(3, 3, "aab bcc cd.").canonical().0);
    let keys = [large(), small(), walking(4, 4, 3), coloured];
    let (folder, report) = shipped(&keys);
    let out = folder.path().join("archives");
    assert_eq!(report.manifest, out.join("manifest.json"));
    assert_eq!(names_in(&out).len(), 6);
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
    let mut file = read(&path);
    *file.last_mut().expect("a file has bytes") ^= 1;
    let damaged = folder.path().join("damaged").join(small().file_name());
    write(&damaged, &file);
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
    let mut flipped = good.clone();
    *flipped.last_mut().expect("a file has bytes") ^= 1;
    for file in [&flipped[..], &good[..good.len() - 1], b""] {
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
    let (folder, report) = shipped(&[large()]);
    let good = read(&report.archives[0].path);
    let parts = frames(&good);
    // The archive alone; a manifest would have another length or digest.
    let alone = folder.path().join("alone").join("a.pdb.zst");
    let refused_alone = |bytes: &[u8]| {
        write(&alone, bytes);
        refused(&alone, &large())
    };
    let mut swapped = parts.clone();
    swapped.swap(2, 3);
    let error = format_error(refused_alone(&swapped.concat()));
    assert!(matches!(error, FormatError::ChunkDigest { .. }), "{error}");
    let mut swapped = parts.clone();
    swapped.swap(4, 5);
    let error = archive_error(refused_alone(&swapped.concat()));
    assert!(matches!(error, ArchiveError::FrameSize { .. }), "{error}");

    // The tests in `damage` do not have these: an archive cut between two frames, and one with a
    // repeated frame.
    let cut = good.len() - parts[5].len();
    let error = archive_error(refused_alone(&good[..cut]));
    assert!(matches!(error, ArchiveError::NoFrame { offset } if offset == cut as u64));
    let error = archive_error(refused_alone(&[&good[..], &parts[5]].concat()));
    assert!(matches!(error, ArchiveError::Trailing { .. }), "{error}");
    // A skippable frame is not a frame of a table.
    let skippable = [&[0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0][..], b"skip"].concat();
    for at in [0, 1, 3] {
        let mut parts = parts.clone();
        parts.insert(at, skippable.clone());
        let error = archive_error(refused_alone(&parts.concat()));
        assert!(matches!(error, ArchiveError::NoFrame { .. }), "{error}");
    }
    // A frame of a format before zstd 1.0 is not one either.
    for version in 0x22..=0x27 {
        let frame = [&[version, 0xb5, 0x2f, 0xfd][..], &parts[0][4..]].concat();
        let error = archive_error(refused_alone(&[&frame[..], &parts[1..].concat()].concat()));
        assert!(matches!(error, ArchiveError::NoFrame { offset: 0 }), "{error}");
    }
    for bytes in [&b""[..], b"not an archive, but long enough for a frame's header"] {
        let error = archive_error(refused_alone(bytes));
        assert!(matches!(error, ArchiveError::NoFrame { offset: 0 }), "{error}");
    }
}

#[test]
fn a_frame_with_a_huge_size_is_refused() {
    let (folder, report) = shipped(&[large()]);
    let parts = frames(&read(&report.archives[0].path));
    let alone = folder.path().join("alone").join("a.pdb.zst");
    // One segment, eight bytes of content size, then one block of one repeated byte.
    let huge = |content_bytes: u64| {
        let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0xe0];
        frame.extend(content_bytes.to_le_bytes());
        frame.extend([0x03, 0x00, 0x10, 0x00]);
        frame
    };
    let size = 1 << 60;
    write(&alone, &[&huge(size)[..], &parts[1..].concat()].concat());
    let error = archive_error(refused(&alone, &large()));
    assert!(matches!(error, ArchiveError::FirstFrameSize { found, .. } if found == size));
    write(&alone, &[&parts[0][..], &huge(size), &parts[2..].concat()].concat());
    let error = archive_error(refused(&alone, &large()));
    assert!(matches!(error, ArchiveError::FrameSize { found, .. } if found == size), "{error}");
    // The right size, but less content.
    write(&alone, &[&parts[0][..], &huge(4 << 20), &parts[2..].concat()].concat());
    let error = archive_error(refused(&alone, &large()));
    assert!(matches!(error, ArchiveError::Unpack { .. }), "{error}");
    // The right content in too many bytes: empty blocks between.
    let empty_blocks = vec![0; 3 << 21];
    let mut padded = huge(4 << 20)[..13].to_vec();
    padded.extend(empty_blocks);
    write(&alone, &[&parts[0][..], &padded, &parts[2..].concat()].concat());
    let error = archive_error(refused(&alone, &large()));
    assert!(matches!(error, ArchiveError::NoFrame { .. }), "{error}");
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
    assert_eq!(
        installed(std::slice::from_ref(&alone), &folder.path().join("t")).expect("good").len(),
        1
    );
    let changed = |at: usize| {
        let mut head = head.to_vec();
        head[at] ^= 1;
        write(&alone, &packed(&head, payload));
        format_error(refused(&alone, &small()))
    };
    assert!(matches!(changed(0), FormatError::NotATable { .. }));
    assert!(matches!(changed(9), FormatError::NewerVersion { .. }));
    assert!(matches!(changed(60), FormatError::HeaderDigest { .. }));
    assert!(matches!(changed(HEADER_BYTES + 2), FormatError::SectionDigest { .. }));
    write(&alone, &packed(&head[..HEADER_BYTES], payload));
    let error = format_error(refused(&alone, &small()));
    assert!(matches!(error, FormatError::BadField { .. }), "{error}");
    // Right digests, but another number of entries than the index has.
    let aware = four_tiles(BlankMode::Aware);
    let mut table = fresh(&aware);
    table.header.entry_count += 24;
    table.header.histogram[5] += 24;
    table.payload.extend([0; 3]);
    let file = sealed(table);
    let (head, payload) = file.split_at(2 * HEADER_BYTES);
    write(&alone, &packed(head, payload));
    let error = format_error(refused(&alone, &aware));
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
        assert!(matches!(error, FormatError::FileName { .. }), "{elsewhere}: {error}");
    }
    assert!(matches!(format_error(with("{")), FormatError::Json { .. }));
    let error = format_error(with(&text.replace("\"format\": 1", "\"format\": 2")));
    assert!(matches!(error, FormatError::NewerVersion { .. }), "{error}");

    let says = |change: &dyn Fn(&mut Manifest)| {
        let mut manifest = manifest.clone();
        change(&mut manifest);
        archive_error(with(&manifest.to_json()))
    };
    let field = |error: ArchiveError| match error {
        ArchiveError::Manifest { field, .. } => field,
        other => panic!("another error: {other}"),
    };
    assert_eq!(field(says(&|m| m.archives[0].archive_bytes += 1)), "length in bytes");
    assert_eq!(field(says(&|m| m.archives[0].table_bytes += 1)), "table length in bytes");
    assert_eq!(field(says(&|m| m.archives[0].table_digest.0[0] ^= 1)), "table digest");
    assert_eq!(field(says(&|m| m.archives[0].entry_count += 1)), "entry count");
    // The digest list was written from the files, so here it disagrees with the manifest.
    let error = says(&|m| m.archives[0].archive_digest.0[0] ^= 1);
    assert!(matches!(error, ArchiveError::Digest { list: "B3SUMS", .. }), "{error}");

    // Another table with this table's name.
    write(&report.manifest, text.as_bytes());
    let (other, other_report) = shipped(&[walking(3, 3, 2)]);
    let packed = read(&other_report.archives[0].path);
    let mut manifest = manifest.clone();
    manifest.archives[0].archive_bytes = packed.len() as u64;
    manifest.archives[0].archive_digest = digest(&packed);
    write(&report.archives[0].path, &packed);
    assert_eq!(field(archive_error(with(&manifest.to_json()))), "table");
    drop(other);
}

#[test]
fn archives_of_a_folder_are_regular_files_that_both_lists_name() {
    let key = small();
    let (folder, report) = shipped(&[key]);
    let out = folder.path().join("archives");
    let archive = &report.archives[0].path;
    let list = read(&out.join("B3SUMS"));
    let lines = String::from_utf8(list.clone()).expect("text");

    let without = |name: &str| {
        let kept: Vec<&str> =
            lines.split_inclusive('\n').filter(|line| !line.trim_end().ends_with(name)).collect();
        write(&out.join("B3SUMS"), kept.concat().as_bytes());
        archive_error(refused(&out, &key))
    };
    assert!(matches!(without(".zst"), ArchiveError::NotListed { .. }));
    assert!(matches!(without("manifest.json"), ArchiveError::NotListed { .. }));
    let changed = lines.replacen(|c: char| c.is_ascii_hexdigit(), "f", 1);
    let changed = if changed == lines { lines.replacen('f', "0", 1) } else { changed };
    write(&out.join("B3SUMS"), changed.as_bytes());
    let error = archive_error(refused(&out, &key));
    assert!(matches!(error, ArchiveError::Digest { list: "B3SUMS", .. }), "{error}");
    write(&out.join("B3SUMS"), b"not a list");
    let error = format_error(refused(&out, &key));
    assert!(matches!(error, FormatError::DigestLine { .. }), "{error}");
    write(&out.join("B3SUMS"), b"\xff\xfe");
    assert!(matches!(archive_error(refused(&out, &key)), ArchiveError::NotText { .. }));
    write(&out.join("B3SUMS"), &list);

    let elsewhere = folder.path().join("elsewhere.pdb.zst");
    std::fs::rename(archive, &elsewhere).expect("same file system");
    assert!(matches!(refused(&out, &key), GenError::Io { .. }));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&elsewhere, archive).expect("links can be made");
        assert!(matches!(archive_error(refused(&out, &key)), ArchiveError::NotAFile));
        std::fs::remove_file(archive).expect("the link is there");
    }
    std::fs::create_dir(archive).expect("the folder is writable");
    assert!(matches!(archive_error(refused(&out, &key)), ArchiveError::NotAFile));

    std::fs::remove_file(out.join("B3SUMS")).expect("it is there");
    assert!(matches!(refused(&out, &key), GenError::Io { .. }));
    std::fs::remove_file(out.join("manifest.json")).expect("it is there");
    assert!(matches!(refused(&out, &key), GenError::NoManifest { .. }));
}

#[cfg(unix)]
#[test]
fn a_manifest_or_a_list_that_is_a_link_is_not_followed() {
    let (folder, report) = shipped(&[small()]);
    let out = folder.path().join("archives");
    for name in ["manifest.json", "B3SUMS"] {
        let (path, elsewhere) = (out.join(name), folder.path().join(name));
        std::fs::rename(&path, &elsewhere).expect("same file system");
        for leads_to in [elsewhere.as_path(), Path::new("/dev/zero"), Path::new("nowhere")] {
            std::os::unix::fs::symlink(leads_to, &path).expect("links can be made");
            let mut inputs = vec![&out];
            // An archive alone has a manifest beside it, and no list.
            inputs.extend((name == "manifest.json").then_some(&report.archives[0].path));
            for input in inputs {
                let error = archive_error(refused(input, &small()));
                assert!(matches!(error, ArchiveError::NotAFile), "{error}");
            }
            std::fs::remove_file(&path).expect("the link is there");
        }
        std::fs::rename(&elsewhere, &path).expect("same file system");
    }
    installed(&[out], &folder.path().join("installed")).expect("all is in its place again");
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_device_is_refused_without_waiting() {
    let (folder, report) = shipped(&[small()]);
    let pipe = |path: &Path| {
        let made = std::process::Command::new("mkfifo")
            .arg(path)
            .status()
            .expect("a tool of every system");
        assert!(made.success());
    };
    let table = folder.path().join("pipe.pdb");
    let archive = folder.path().join("pipe.pdb.zst");
    pipe(&table);
    pipe(&archive);
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
    pipe(&target.join(small().file_name()));
    let out = folder.path().join("archives");
    let tables = installed(std::slice::from_ref(&out), &target).expect("all is good");
    assert_is_table(&tables[0].path, &small(), "in the place of a pipe");
    for path in [&report.archives[0].path, &out.join("B3SUMS"), &report.manifest] {
        std::fs::remove_file(path).expect("it was shipped");
        pipe(path);
        assert!(matches!(archive_error(refused(&out, &small())), ArchiveError::NotAFile));
    }
}

#[cfg(unix)]
#[test]
fn a_link_where_a_table_goes_is_replaced_and_not_followed() {
    let key = small();
    let (folder, report) = shipped(&[key]);
    let table = folder.path().join("tables").join(key.file_name());
    let precious = folder.path().join("precious");
    for input in [&folder.path().join("archives"), &report.archives[0].path, &table] {
        for exists in [true, false] {
            let target = folder.path().join("target");
            std::fs::create_dir(&target).expect("the folder is writable");
            if exists {
                write(&precious, b"precious");
            }
            let path = target.join(key.file_name());
            std::os::unix::fs::symlink(&precious, &path).expect("links can be made");
            let tables = installed(std::slice::from_ref(input), &target).expect("all is good");
            assert!(!tables[0].already_there);
            assert!(std::fs::symlink_metadata(&path).expect("it is there").is_file());
            assert_is_table(&path, &key, "in the place of a link");
            assert_eq!(precious.exists(), exists);
            if exists {
                assert_eq!(read(&precious), b"precious");
                std::fs::remove_file(&precious).expect("it is there");
            }
            std::fs::remove_dir_all(&target).expect("it is there");
        }
    }
}

#[test]
fn an_archive_with_any_name_replaces_only_its_own_table() {
    let (one, other) = (small(), walking(3, 3, 2));
    let (folder, report) = shipped(&[one]);
    let target = folder.path().join("target");
    let other_path = built(&other, &target);
    let before = read(&other_path);
    let alone = folder.path().join("alone").join(format!("{}.zst", other.file_name()));
    write(&alone, &read(&report.archives[0].path));
    installed(&[alone], &target).expect("a good archive under another name");
    let mut names = vec![one.file_name(), other.file_name()];
    names.sort();
    assert_eq!(names_in(&target), names);
    assert!(read(&other_path) == before);
    assert_is_table(&target.join(one.file_name()), &one, "under its own name");
}

#[test]
fn refuses_to_install_anything_but_tables() {
    let folder = scratch();
    let note = folder.path().join("note.txt");
    write(&note, b"a note");
    let error = refused(&note, &small());
    assert!(error.to_string().contains("expected a folder of archives"), "{error}");
    assert!(matches!(refused(&folder.path().join("none.pdb"), &small()), GenError::Io { .. }));
    let mut file = fresh(&small()).to_bytes();
    *file.last_mut().expect("a file has bytes") ^= 1;
    let damaged = folder.path().join("damaged.pdb");
    write(&damaged, &file);
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
