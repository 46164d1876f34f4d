use std::fs;

use pdb_tests::signing::SigningKey;

use super::{TestFolder, ended, names, records};
#[cfg(unix)]
use super::{make_pipe, waits::limited};

const UPPER: &str = "3x3-00f-r4-aware.pdb";
const LOWER: &str = "3x3-0f0-r8-aware.pdb";

/// Returns a folder in which 8/4-4 is built.
fn built() -> TestFolder {
    let place = TestFolder::new();
    assert_eq!(place.run(&["build", "-q", "8/4-4"]).code, Some(0));
    place
}

#[test]
fn build_prints_a_line_a_table_and_keeps_built_ones() {
    let place = TestFolder::new();
    let run = place.run(&["build", "8/4-4"]);
    let notes = "building 3x3-00f-r4-aware.pdb: 4 tiles on 3x3, blank-aware
building 3x3-0f0-r8-aware.pdb: 4 tiles on 3x3, blank-aware
";
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), notes));
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 2);
    for (line, table) in lines.iter().zip([UPPER, LOWER]) {
        let start = format!("{table}: 5,520 entries, 8.88 kB, 5,520 states, T s: search ");
        assert!(line.starts_with(&start), "{line}");
        for part in [" %, pack ", " %, digest ", " %, write ", " %, sync ", " entries/s, "] {
            assert!(line.contains(part), "{line}");
        }
    }
    assert_eq!(place.tables(), [UPPER, LOWER]);
    let again = "3x3-00f-r4-aware.pdb: 5,520 entries, 8.88 kB, already there
3x3-0f0-r8-aware.pdb: 5,520 entries, 8.88 kB, already there
";
    assert_eq!(place.run(&["build", "8/4-4"]), ended(0, again, ""));
    // Shared tables are built once.
    let replaced = place.run(&["build", "-q", "--replace", "8/4-4", "8/4-4", "4-4"]);
    assert_eq!(replaced.prints(0, "search").stdout.lines().count(), 2);
}

#[test]
fn build_reports_json_with_the_peak_of_memory() {
    let place = TestFolder::new();
    let run = place.run(&["build", "-q", "15/walking-distance", "--report", "json"]);
    let start = r#"{"table":"wd-4x4-b3.pdb","path":"PLACE/db/wd-4x4-b3.pdb","already_there":false,"entry_count":24964,"unreached_count":0,"state_count":24964,"file_bytes":1231428,"histogram":[1,1,2,3,6,"#;
    assert!(run.stdout.starts_with(start), "{run:?}");
    let (_, peak) = run.stdout.trim_end().split_once("\"peak_memory_bytes\":").unwrap();
    let peak: u64 = peak.trim_end_matches('}').parse().unwrap();
    assert!((1_000_000..1_000_000_000).contains(&peak), "{peak}");
}

#[test]
fn build_refuses_what_does_not_fit() {
    let place = TestFolder::new();
    let run = place.run(&["build", "15/7-8", "--memory", "10M"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    let fits = "of disk, but may use 10.00 MB; what would fit is 15/5-5-5, 15/5-5-5-collapsed, \
        15/6-6-3, 15/walking-distance; give more with --memory\n";
    assert!(run.stderr.starts_with("error: 15/7-8 needs "), "{run:?}");
    assert!(run.stderr.ends_with(fits), "{run:?}");
    let small = ["build", "8/4-4", "--memory", "1k"];
    place
        .run(&small)
        .says(1, "no shipped spec for 3x3 boards would fit; give more with --memory\n");
    assert!(place.tables().is_empty());
}

#[test]
fn unwritable_folder_is_named() {
    let place = TestFolder::new();
    let file = place.write("file", b"");
    place
        .run(&["build", "-q", "8/4-4", "--db", &format!("{file}/db")])
        .says(1, "error: cannot create the folder PLACE/file/db: ");
}

#[test]
fn estimate_shows_sizes_and_whether_they_fit() {
    let place = built();
    let run = place.run(&["estimate", "8/4-4", "15/7-8", "--memory", "10M"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 13);
    assert_eq!(lines[0], "8/4-4: 8-puzzle, 4-4 partition");
    let first = "  3x3-00f-r4-aware.pdb: 5,520 entries, 5,520 states, 8.88 kB on disk, ";
    assert!(lines[1].starts_with(first), "{}", lines[1]);
    assert!(lines[5].ends_with("; already built"), "{}", lines[5]);
    assert_eq!(lines[6], "15/7-8: 15-puzzle, 7-8 partition");
    assert!(lines[7].contains("1,425,191,040 entries"), "{}", lines[7]);
    assert!(lines[11].contains("; does not fit: 15/7-8 needs "), "{}", lines[11]);
    assert!(lines[12].contains("; does not fit: the sum of 8/4-4 and 15/7-8 needs "), "{run:?}");
    assert!(lines[12].ends_with("; fewer specs need less; give more with --memory"), "{run:?}");
}

#[test]
fn generated_specs_are_estimated_and_built_by_name() {
    let place = TestFolder::new();
    let name = "generated/2x4/4-3";
    let run = place.run(&["estimate", name]);
    assert!(run.stdout.starts_with("generated/2x4/4-3: 7-puzzle of 2x4, "), "{run:?}");
    assert_eq!(place.run(&["build", name, "--quiet"]).code, Some(0));
    place.run(&["estimate", name]).prints(0, "; already built");
    let wrong = ["build", "generated/2x4/4-4"];
    place.run(&wrong).says(2, "patterns of 4-4 tiles have 8 tiles in all");
}

#[test]
fn estimate_counts_shared_tables_once() {
    let place = TestFolder::new();
    let sum = |names: &[&str]| {
        let run = place.run(&[&["estimate"], names].concat());
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
        run.stdout.lines().last().unwrap().to_owned()
    };
    let expected = "all 2 specs: 3 tables, 71.32 kB on disk, ";
    assert!(sum(&["8/4-4", "8/whole"]).starts_with(expected), "{}", sum(&["8/4-4", "8/whole"]));
    // The other spec has the patterns of 8, too.
    let shared = sum(&["15/7-8", "15/7-8-max", "15/7-8"]);
    assert!(shared.starts_with("all 3 specs: 4 tables, "), "{shared}");
    assert_eq!(place.run(&["build", "-q", "8/4-4"]).code, Some(0));
    let rest = sum(&["8/4-4", "8/whole"]);
    assert!(rest.contains("; 1 of them to build, "), "{rest}");
    assert!(rest.ends_with(" on disk; fits"), "{rest}");
}

#[test]
fn inspect_draws_the_pattern_and_the_histogram() {
    let place = built();
    let file = place.db().join(UPPER);
    let run = place.run(&["inspect", file.to_str().unwrap()]);
    let expected = "table           3x3-00f-r4-aware.pdb
kind            4 tiles on 3x3, blank-aware
format version  1
packing         1 bit an entry
entries         5,520
unreached       0
file size       8.88 kB
bits an entry   12.87
digest          074b6202379d883e3021ad3a26c8bffbd700312dab4dc0afc8a99bc93717d6b9
";
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.starts_with(expected), "{}", run.stdout);
    let drawn = "
pattern at home (A: its tiles; .: cells of the blank; -: others)
  A A A
  A . .
  . . .

entries of each value, bars to scale
   0      1  #
   1      4  #
   2     10  #
";
    assert!(run.stdout.contains(drawn), "{}", run.stdout);
    let longest = format!("  {}\n", "#".repeat(50));
    assert_eq!(run.stdout.matches(&longest).count(), 1, "{}", run.stdout);
}

#[test]
fn inspect_takes_a_spec_or_a_file() {
    let place = built();
    let (upper, lower) = (format!("PLACE/db/{UPPER}"), format!("PLACE/db/{LOWER}"));
    let line = |table: &str| format!("{table}: level entries: ok\n");
    // Each table is checked once, even if it is named twice.
    let file = place.db().join(LOWER);
    let names = ["verify", "--level", "entries", file.to_str().unwrap(), "8/4-4", "4-4"];
    let expected = format!("{}{}", line(&lower), line(&upper));
    assert_eq!(place.run(&names), ended(0, &expected, ""));
    let run = place.run(&["inspect", "4-4"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let starts: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with("table ")).collect();
    assert_eq!(starts, [format!("table           {UPPER}"), format!("table           {LOWER}")]);
    fs::rename(place.db(), place.path("other")).unwrap();
    let run = place.run(&["verify", "8/4-4", "--db", "other"]);
    let expected = format!("other/{UPPER}: level digest: ok\nother/{LOWER}: level digest: ok\n");
    assert_eq!(run, ended(0, &expected, ""));
}

#[test]
fn missing_table_names_the_build_command() {
    let place = built();
    let missing = "PLACE/db/3x3-0ff-r8-aware.pdb is missing; build it first with `tilebase build \
        8/whole`\n";
    let error = ended(1, "", &format!("error: {missing}"));
    assert_eq!(place.run(&["inspect", "8/4-4", "8/whole"]), error);
    assert_eq!(place.run(&["ship", "8/whole", "--out", "out"]), error);
    let run = place.run(&["verify", "8/whole", "8/4-4"]);
    let expected = format!(
        "PLACE/db/3x3-0ff-r8-aware.pdb: not checked: {missing}PLACE/db/{UPPER}: level digest: ok\n\
         PLACE/db/{LOWER}: level digest: ok\n"
    );
    assert_eq!(run, ended(1, &expected, ""));
    let draft = "title = \"draft\"\ngoal = \"1 2/3 .\"\npartition = \"A A/A .\"\n";
    place.write("draft.toml", draft.as_bytes());
    let run = place.run(&["inspect", "draft.toml"]);
    let expected = "error: PLACE/db/2x2-7-r3-aware.pdb is missing; build it first with `tilebase \
        build draft.toml`\n";
    assert_eq!(run, ended(1, "", expected));
    assert_eq!(place.run(&["build", "-q", "draft.toml"]).code, Some(0));
    assert_eq!(place.run(&["inspect", "draft.toml"]).code, Some(0));
}

#[test]
fn file_named_like_a_spec_needs_its_folder() {
    let place = built();
    fs::create_dir(place.path("8")).unwrap();
    fs::copy(place.db().join(UPPER), place.path("8/4-4")).unwrap();
    let run = place.run(&["inspect", "./8/4-4"]);
    assert_eq!(run.stdout.matches("digest          ").count(), 1, "{run:?}");
    let run = place.run(&["inspect", "8/4-4"]);
    assert_eq!(run.stdout.matches("digest          ").count(), 2, "{run:?}");
}

#[test]
fn verify_of_a_damaged_table_names_the_bytes_and_exits_1() {
    let place = built();
    let path = place.db().join(UPPER);
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    place.write(&format!("db/{UPPER}"), &bytes);
    let missing = place.db().join("missing.pdb");
    let lower = place.db().join(LOWER);
    let files = [&missing, &path, &lower].map(|path| path.to_str().unwrap());
    let run = place.run(&[&["verify"], &files[..]].concat());
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(run.code, Some(1));
    assert_eq!(lines.len(), 4);
    let not_there =
        "PLACE/db/missing.pdb: not checked: cannot read PLACE/db/missing.pdb: No such file";
    assert!(lines[0].starts_with(not_there), "{}", lines[0]);
    assert_eq!(lines[1], format!("PLACE/db/{UPPER}: level digest: bad"));
    assert!(lines[2].starts_with("  chunk 0 of "), "{}", lines[2]);
    let advice = "; build the table again with `tilebase build --replace`, or install it again";
    assert!(lines[2].ends_with(advice), "{}", lines[2]);
    assert_eq!(lines[3], format!("PLACE/db/{LOWER}: level digest: ok"));
    // Only the header is still good.
    assert_eq!(place.run(&["verify", "--level", "header", files[1]]).code, Some(0));
}

#[test]
fn truncated_table_is_rebuilt_before_use() {
    let place = built();
    let path = place.db().join(UPPER);
    let bytes = fs::read(&path).unwrap();
    place.write(&format!("db/{UPPER}"), &bytes[..bytes.len() - 1]);
    assert_eq!(place.run(&["verify", path.to_str().unwrap()]).code, Some(1));
    assert_eq!(place.run(&["inspect", path.to_str().unwrap()]).code, Some(1));
    let solved = place.good(&["solve", "--spec", "8/4-4", "1 2 3/4 5 6/7 0 8"]);
    assert!(solved.stderr.contains(" is damaged: building it again"), "{solved:?}");
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn shipped_tables_install_with_equal_bytes() {
    let place = built();
    let run = place.good(&["ship", "-q", "8/4-4", "--out", "out"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines[0].starts_with("out/3x3-00f-r4-aware.pdb.zst: "), "{run:?}");
    assert!(lines[1].starts_with("out/3x3-0f0-r8-aware.pdb.zst: "), "{run:?}");
    assert_eq!(lines[2..], ["out/manifest.json"]);
    let archives = [format!("{UPPER}.zst"), format!("{LOWER}.zst")];
    let [upper, lower] = archives.each_ref().map(String::as_str);
    assert_eq!(names(&place.path("out")), [upper, lower, "B3SUMS", "manifest.json"]);

    let installed =
        |state: &str| format!("other/{UPPER}: 8.88 kB, {state}\nother/{LOWER}: 8.88 kB, {state}\n");
    let install = ["install", "-q", "out", "--db", "other"];
    assert_eq!(place.run(&install), ended(0, &installed("installed"), ""));
    assert_eq!(place.run(&install), ended(0, &installed("already there"), ""));
    for table in [UPPER, LOWER] {
        let copy = fs::read(place.path("other").join(table)).unwrap();
        assert_eq!(copy, fs::read(place.db().join(table)).unwrap());
    }
    let single = place.run(&["install", "-q", &format!("out/{upper}"), "--db", "third"]);
    assert_eq!(single, ended(0, &format!("third/{UPPER}: 8.88 kB, installed\n"), ""));
}

#[test]
fn damaged_archive_is_not_installed() {
    let place = built();
    place.run(&["ship", "8/4-4", "--out", "out"]);
    let archive = format!("out/{UPPER}.zst");
    let mut bytes = fs::read(place.path(&archive)).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    place.write(&archive, &bytes);
    let problem = "in its table, chunk 0 of the payload (bytes 8192 to 8882 of the file) is damaged: \
        its digest is not the one in the digest section; fetch it again\n";
    place
        .run(&["install", "out", "--db", "other"])
        .says(1, &format!("error: out/{UPPER}.zst: {problem}"));
    assert!(!place.path("other").join(UPPER).exists());
    fs::remove_file(place.path("out/manifest.json")).unwrap();
    let problem = "error: out: expected a folder of shipped archives, found no manifest.json \
        in it; copy the whole folder, or name its archives (.pdb.zst)\n";
    place.run(&["install", "out", "--db", "other"]).says(1, problem);
}

/// Returns a folder in which 8/4-4 is shipped to `out` and signed.
fn signed(signer: &SigningKey) -> TestFolder {
    let place = built();
    assert_eq!(place.run(&["ship", "-q", "8/4-4", "--out", "out"]).code, Some(0));
    sign(&place, signer);
    place
}

fn sign(place: &TestFolder, signer: &SigningKey) {
    let manifest = fs::read(place.path("out/manifest.json")).unwrap();
    let comment = "timestamp:1\tfile:manifest.json\u{1b}[2J\u{202e}";
    place.write("out/manifest.json.minisig", signer.sign(&manifest, comment).as_bytes());
}

#[test]
fn signed_archives_install_with_the_key() {
    let signer = SigningKey::new(1);
    let place = signed(&signer);
    let file = format!("untrusted comment: minisign public key\n{}\n", signer.public());
    place.write("minisign.pub", file.as_bytes());
    place.write("line.pub", signer.public().as_bytes());
    let expected = |to: &str, tables: &[&str]| {
        let start = r"out/manifest.json: signed for public key 0101010101010101, trusted comment: ";
        let comment = r"timestamp:1\tfile:manifest.json\u{1b}[2J\u{202e}";
        let tables = tables.iter().map(|table| format!("{to}/{table}: 8.88 kB, installed\n"));
        ended(0, &format!("{start}{comment}\n{}", tables.collect::<String>()), "")
    };
    let (upper, lower) = (format!("out/{UPPER}.zst"), format!("out/{LOWER}.zst"));
    for (nth, key) in [&*signer.public(), "minisign.pub", "line.pub"].iter().enumerate() {
        let to = format!("whole-{nth}");
        let run = place.run(&["install", "-q", "out", "--db", &to, "--public-key", key]);
        assert_eq!(run, expected(&to, &[UPPER, LOWER]));
        let to = format!("single-{nth}");
        let run = place.run(&["install", "-q", &upper, &lower, "--db", &to, "--public-key", key]);
        assert_eq!(run, expected(&to, &[UPPER, LOWER]));
    }
}

#[test]
fn unsigned_archives_are_refused_with_advice() {
    let signer = SigningKey::new(1);
    let place = signed(&signer);
    let key = signer.public();
    let refused = |input: &str, problem: &str| {
        let run = place.run(&["install", "-q", input, "--db", "other", "--public-key", &key]);
        assert_eq!(run, ended(1, "", &format!("error: {problem}\n")));
        assert!(names(&place.path("other")).is_empty());
    };
    let beside = "expected an archive that a manifest beside it names, signed for public key \
        0101010101010101, found";
    let to_do = "install the archive from its folder, or do without a public key";
    let table = format!("db/{UPPER}");
    refused(&table, &format!("{table}: {beside} a table, which no manifest names; {to_do}"));
    sign(&place, &SigningKey::new(2));
    let problem = "out/manifest.json.minisig: expected a signature for public key \
        0101010101010101, found one for public key 0202020202020202; ask the shipper of the \
        archives for the right key, and install nothing until you know";
    refused("out", problem);
}

#[test]
fn ship_reports_a_removed_old_signature() {
    let place = signed(&SigningKey::new(1));
    place.run(&["build", "-q", "8/whole"]);
    let same = place.run(&["ship", "-q", "8/4-4", "--out", "out"]);
    assert!(same.stdout.ends_with("\nout/manifest.json\n"), "{same:?}");
    assert!(place.path("out/manifest.json.minisig").exists());
    let another = place.run(&["ship", "-q", "8/whole", "--out", "out"]);
    let lines = "\nout/manifest.json\nout/manifest.json.minisig: removed, because it signed an older \
        manifest; sign the new one: minisign -Sm out/manifest.json\n";
    assert!(another.stdout.ends_with(lines), "{another:?}");
    assert!(!place.path("out/manifest.json.minisig").exists());
}

#[cfg(unix)]
#[test]
fn pipe_in_place_of_a_table_is_refused() {
    let place = TestFolder::new();
    make_pipe(&place, "pipe.pdb");
    let problem = "expected a regular file, found a folder, a pipe or a device";
    place.run(&["inspect", "pipe.pdb"]).says(1, problem);
    place.run(&["install", "pipe.pdb"]).says(1, "expected a regular file, found");
    for level in ["header", "digest", "entries", "rebuild"] {
        place.run(&["verify", "--level", level, "pipe.pdb"]).prints(1, "expected a regular file");
    }
}

#[test]
fn specs_lists_names_and_titles() {
    let run = TestFolder::new().run(&["specs"]).prints(0, "\n15/7-8              ");
    assert_eq!(run.prints(0, "  15-puzzle, 7-8 partition\n").stderr, "");
}

#[test]
fn specs_list_size_drawing_and_state() {
    let place = built();
    let run = place.run(&["specs", "--long", "8/4-4", "8/whole", "15/fringes", "15/7-8-max"]);
    let expected = "8/4-4: 8-puzzle, 4-4 partition
  additive, blank-aware; patterns of 4+4 tiles, and 1 mirror image
  17.76 kB in 2 tables, built
    1 2 3    A A A
    4 5 6    A B B
    7 8 .    B B .

8/whole: 8-puzzle, the whole board in one pattern
  additive, blank-aware; patterns of 8 tiles
  53.55 kB in 1 table, not built
    1 2 3    A A A
    4 5 6    A A A
    7 8 .    A A .

15/fringes: 15-puzzle, two fringes: the maximum of two plain patterns of 7 tiles
  plain; patterns of 2 times 7 tiles
  129.75 MB in 2 tables, not built
     1  2  3  4    A A A A    - - - A
     5  6  7  8    A - - -    - - - A
     9 10 11 12    A - - -    - - A A
    13 14 15  .    A - - .    A A A .

";
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.starts_with(expected), "{}", run.stdout);
    fs::remove_file(place.db().join(LOWER)).unwrap();
    let run = place.run(&["specs", "--long", "4-4"]);
    assert!(run.stdout.contains("\n  17.76 kB in 2 tables, partly built, 1 of them\n"), "{run:?}");
    // All lines fit a terminal.
    let run = place.run(&["specs", "--long"]);
    assert_eq!(run.stdout.matches(" tables, ").count() + run.stdout.matches(" table, ").count(), {
        place.run(&["specs"]).stdout.lines().count()
    });
    assert!(run.stdout.lines().all(|line| line.len() <= 90), "{}", run.stdout);
}

#[test]
fn specs_write_records() {
    let place = built();
    fs::remove_file(place.db().join(LOWER)).unwrap();
    let run = place.run(&["specs", "--format", "json"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let lines = records(&run.stdout);
    let spec = lines.iter().find(|line| line["name"] == "8/4-4").unwrap();
    let expected = serde_json::json!({
        "name": "8/4-4", "title": "8-puzzle, 4-4 partition", "rows": 3, "cols": 3,
        "kind": "additive", "blank": "aware", "built": "partly", "file_bytes": 17764, "exact": true,
        "tables": [
            {"file": UPPER, "description": "4 tiles on 3x3, blank-aware", "file_bytes": 8882,
             "is_there": true},
            {"file": LOWER, "description": "4 tiles on 3x3, blank-aware", "file_bytes": 8882,
             "is_there": false},
        ],
        "goal": "1 2 3/4 5 6/7 8 0",
        "drawings": [{"tile_counts": [4, 4], "board": "A A A/A B B/B B .", "tables": [0, 1]}],
        "mirror_image_count": 1,
    });
    assert_eq!(*spec, expected);
}

#[cfg(unix)]
#[test]
fn unreadable_table_is_not_taken_for_missing() {
    let place = TestFolder::with_tables("8/whole");
    let name = "3x3-0ff-r8-aware.pdb";
    // The superuser can read any file, so a link to itself stands for an unreadable one.
    let table = place.db().join(name);
    fs::remove_file(&table).unwrap();
    std::os::unix::fs::symlink(name, &table).unwrap();
    for arguments in [
        &["solve", "--spec", "8/whole", "1 2 3/4 5 6/7 0 8"][..],
        &["solve", "1 2 3/4 5 6/7 0 8"],
        &["build", "8/whole"],
        &["estimate", "8/whole"],
        &["ship", "8/whole", "--out", "out"],
    ] {
        let run = place.run(arguments);
        assert_eq!(run.code, Some(1), "{run:?}");
        let problem =
            format!("error: cannot read PLACE/db/{name}: Too many levels of symbolic links");
        assert!(run.stderr.starts_with(&problem), "{run:?}");
    }
}

#[cfg(unix)]
#[test]
fn sparse_file_of_terabytes_is_refused_at_once() {
    let place = TestFolder::new();
    // 9 tiles of 5x5: even the index would take minutes.
    let shape = pdb_core::Shape::new(5, 5).unwrap();
    let homes = pdb_core::CellSet(0x1ff);
    let key = pdb_core::PatternKey::new(shape, homes, 24, pdb_core::BlankMode::Aware).unwrap();
    let key = pdb_core::TableKey::Pattern(key.canonical().0);
    let header = pdb_format::Header {
        key,
        packing: pdb_format::Packing::Bit,
        entry_count: 9_797_760_000_000,
        unreached_count: 0,
        histogram: vec![1, 9_797_759_999_999],
        payload_digest: pdb_format::Digest([7; 32]),
    };
    fs::create_dir(place.db()).unwrap();
    let path = place.db().join(key.file_name());
    place.write(&format!("db/{}", key.file_name()), &header.to_bytes());
    fs::File::options().write(true).open(&path).unwrap().set_len(header.file_bytes()).unwrap();
    let begun = std::time::Instant::now();
    let inspect = ["inspect", path.to_str().unwrap()];
    let (code, signal, text) = limited(&place, "-v 400000", &inspect);
    assert_eq!((code, signal), (Some(0), None), "{text}");
    assert!(text.contains("file size       1.22 TB"), "{text}");
    // A reader that reads too much takes minutes. This is not a measurement.
    assert!(begun.elapsed().as_secs() < 30);
}
