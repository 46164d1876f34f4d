//! The manifest reads back as it was written, or is refused with the position.

use pdb_format::manifest::{ArchiveEntry, Manifest, TEXT_BYTES_MAX};
use pdb_format::{FormatError, digest};

fn entry(table: &str) -> ArchiveEntry {
    ArchiveEntry {
        table: table.into(),
        archive: format!("{table}.zst"),
        table_digest: digest(b"table"),
        archive_digest: digest(b"archive"),
        table_bytes: 10_952,
        archive_bytes: 1_234,
        entry_count: 5_520,
        description: "4 tiles on 3x3, blank-aware".into(),
    }
}

fn manifest() -> Manifest {
    Manifest::new(vec![entry("3x3-00f-r4-aware.pdb"), entry("wd-3x3-b2.pdb")])
        .expect("the names are allowed")
}

#[track_caller]
fn assert_bad_field<T: std::fmt::Debug>(result: &Result<T, FormatError>, expected: &str) {
    let Err(FormatError::BadField { field, .. }) = result else { panic!("{result:?}") };
    assert_eq!(*field, expected);
}

#[test]
fn a_written_manifest_reads_back() {
    let text = manifest().to_json();
    assert_eq!(Manifest::parse(&text), Ok(manifest()));
    assert!(text.starts_with("{\n  \"format\": 1,\n  \"archives\": [\n"), "{text}");
    assert!(text.ends_with("}\n"));
}

#[test]
fn an_unknown_key_is_refused_with_line_and_column() {
    let text = manifest().to_json().replacen("\"table\"", "\"tabel\"", 1);
    let error = Manifest::parse(&text).unwrap_err();
    assert!(matches!(error, FormatError::Json(_)), "{error:?}");
    let message = error.to_string();
    assert!(message.starts_with("bad manifest: unknown field `tabel`"), "{message}");
    assert!(message.ends_with(" at line 5 column 13"), "{message}");
}

#[test]
fn a_missing_key_and_a_cut_manifest_are_refused() {
    let text = manifest().to_json();
    let lacking = text.replacen("\"entry_count\": 5520,", "", 1);
    for wrong in ["", "[]", "{}", &text[..text.len() / 2], &lacking, &format!("{text}x")] {
        let result = Manifest::parse(wrong);
        assert!(matches!(result, Err(FormatError::Json(_))), "{result:?}");
    }
}

#[test]
fn error_names_a_newer_manifest_whatever_it_contains() {
    assert_eq!(
        Manifest::parse("{\"format\": 2, \"mirrors\": []}"),
        Err(FormatError::NewerVersion { found: 2, supported: 1 })
    );
    assert_bad_field(&Manifest::parse("{\"format\": 0, \"archives\": []}"), "manifest format");
}

#[test]
fn names_that_leave_the_folder_are_refused() {
    let long = format!("{}.pdb", "a".repeat(200));
    let names = [
        "", ".", "..", "../a.pdb", "a/b.pdb", "a\\b.pdb", "/a.pdb", "c:a.pdb", ".a.pdb", "-a.pdb",
        "a b.pdb", "a\n.pdb", "ä.pdb", "a.pdb\0", "a.zst", "a", &long,
    ];
    for name in names {
        assert_bad_field(&Manifest::new(vec![entry(name)]), "file name");
        // A manifest with this name, although it is not allowed.
        let unchecked = Manifest { archives: vec![entry(name)], ..manifest() };
        assert_bad_field(&Manifest::parse(&unchecked.to_json()), "file name");
    }
    let other = ArchiveEntry { archive: "b.pdb.zst".into(), ..entry("a.pdb") };
    assert_eq!(
        Manifest::new(vec![other]).unwrap_err().to_string(),
        "bad file name: expected a.pdb.zst, found b.pdb.zst"
    );
}

#[test]
fn a_table_twice_and_a_description_of_two_lines_are_refused() {
    assert_bad_field(&Manifest::new(Vec::new()), "archives");
    assert_bad_field(&Manifest::new(vec![entry("a.pdb"), entry("a.pdb")]), "file name");
    let two_lines = ArchiveEntry { description: "one\ntwo".into(), ..entry("a.pdb") };
    assert_bad_field(&Manifest::new(vec![two_lines]), "description");
}

#[test]
fn a_text_without_end_is_refused() {
    let text = " ".repeat(TEXT_BYTES_MAX + 1);
    assert_bad_field(&Manifest::parse(&text), "length of the text");
}
