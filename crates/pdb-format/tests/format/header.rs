//! A header reads back as it was written. Every other header is refused, and the error names the
//! fault.

use pdb_core::{BlankMode, CellSet, PatternIndex, PatternKey, Shape, TableKey, WalkingKey};
use pdb_format::walking::{self, Layout};
use pdb_format::{
    Digest, DigestTextError, FormatError, HEADER_BYTES, Header, MAGIC, Packing, digest,
};

use crate::example::{Table, coloured_table, pattern_table, walking_table};

const PAYLOAD_DIGEST: core::ops::Range<usize> = 128..160;
const HEADER_DIGEST: usize = 4064;

fn samples() -> Vec<Table> {
    vec![
        pattern_table(0x00f, BlankMode::Aware, Packing::Nibble),
        pattern_table(0x00f, BlankMode::Aware, Packing::Bit),
        pattern_table(0x00f, BlankMode::Collapsed, Packing::Byte),
        pattern_table(0x07f, BlankMode::Aware, Packing::Bit),
        pattern_table(0x0ff, BlankMode::Collapsed, Packing::Nibble),
        pattern_table(0x04b, BlankMode::Plain, Packing::Bit),
        pattern_table(0x0df, BlankMode::Plain, Packing::Bit),
        walking_table(),
        coloured_table(),
    ]
}

fn sample() -> Table {
    pattern_table(0x00f, BlankMode::Aware, Packing::Nibble)
}

/// Returns the file with some bytes of its header changed, and a matching header digest.
fn signed(file: &[u8], changes: Changes) -> Vec<u8> {
    let mut file = file.to_vec();
    for (at, bytes) in changes {
        file[*at..at + bytes.len()].copy_from_slice(bytes);
    }
    let digest = digest(&file[..HEADER_DIGEST]);
    file[HEADER_DIGEST..HEADER_BYTES].copy_from_slice(&digest.0);
    file
}

fn parse(file: &[u8]) -> Result<Header, FormatError> {
    Header::parse(file, file.len() as u64)
}

#[test]
fn a_written_table_reads_back() {
    for table in samples() {
        let file = table.bytes();
        let header = parse(&file).unwrap();
        assert_eq!(header, table.header);
        assert_eq!(header.to_bytes(), file[..HEADER_BYTES]);
        assert_eq!(header.file_bytes(), file.len() as u64);
        assert_eq!(header.expect_key(&table.header.key), Ok(()));
        let section = header.digests_range();
        let section = &file[section.start as usize..section.end as usize];
        assert_eq!(header.check_digest_section(section), Ok(()));
        for chunk in 0..header.chunk_count() {
            let range = header.chunk_range(chunk);
            let bytes = &file[range.start as usize..range.end as usize];
            assert_eq!(header.check_chunk(section, chunk, bytes), Ok(()));
        }
    }
}

#[test]
fn every_flipped_bit_of_a_header_is_refused() {
    let mut file = sample().bytes();
    for bit in 0..HEADER_BYTES * 8 {
        file[bit / 8] ^= 1 << (bit % 8);
        let error = parse(&file).unwrap_err();
        let is_named = match bit / 8 {
            0..8 => matches!(error, FormatError::NotATable { .. }),
            8..12 if bit > 64 => matches!(error, FormatError::NewerVersion { .. }),
            _ => matches!(error, FormatError::HeaderDigest { .. }),
        };
        assert!(is_named, "{bit}: {error}");
        file[bit / 8] ^= 1 << (bit % 8);
    }
}

/// Returns whether the payload belongs to the header's key, as callers check it after the header.
fn fits_payload(header: &Header, table: &Table) -> bool {
    match header.key {
        TableKey::Pattern(key) => PatternIndex::new(key.shape, key.tile_count(), key.mode)
            .is_ok_and(|index| header.expect_entry_count(index.entry_count()).is_ok()),
        // All of it follows from the key.
        TableKey::Coloured(_) => true,
        TableKey::Walking(key) => {
            let layout = Layout::new(header.entry_count, key.lines);
            layout.key(&table.payload, 0) == Some(walking::goal_key(&key))
        }
    }
}

#[test]
fn every_flipped_bit_with_a_matching_digest_is_refused() {
    for table in samples() {
        let file = table.bytes();
        // One bit in 31; all in long tests.
        for bit in (0..HEADER_DIGEST * 8).step_by(if pdb_oracle::are_long() { 1 } else { 31 }) {
            let byte = file[bit / 8] ^ 1 << (bit % 8);
            let result = parse(&signed(&file, &[(bit / 8, &[byte])]));
            let fits = result.as_ref().is_ok_and(|header| fits_payload(header, &table));
            // Any digest may be right for some payload, so only the digest section can show the
            // change.
            assert_eq!(fits, PAYLOAD_DIGEST.contains(&(bit / 8)), "{bit}: {result:?}");
        }
    }
}

#[test]
fn files_cut_at_any_length_or_lengthened_are_refused() {
    let file = sample().bytes();
    let expected = file.len() as u64;
    for len in 0..file.len() {
        let found = len as u64;
        let expected = if len < HEADER_BYTES { HEADER_BYTES as u64 } else { expected };
        assert_eq!(parse(&file[..len]), Err(FormatError::CutShort { expected, found }));
    }
    let long = [&file[..], &[0]].concat();
    let found = expected + 1;
    assert_eq!(parse(&long), Err(FormatError::TooLong { expected, found }));
}

#[test]
fn other_files_are_not_tables() {
    for (bytes, found) in [
        (&[0; 8192][..], "\\x00".repeat(8)),
        (b"hello", "hello".into()),
        (b"\x28\xb5\x2f\xfd and so on", "(\\xb5/\\xfd and".into()),
    ] {
        assert_eq!(parse(bytes), Err(FormatError::NotATable { expected: MAGIC, found }));
    }
}

#[test]
fn error_names_a_newer_version_before_other_problems() {
    let mut file = sample().bytes();
    file[8] = 2;
    file[100] = 77;
    let error = parse(&file).unwrap_err();
    assert_eq!(error, FormatError::NewerVersion { found: 2, supported: 1 });
    assert_eq!(
        error.to_string(),
        "format version 2 is newer than version 1, the latest that this program reads: update the \
         program"
    );
}

#[test]
fn error_names_the_other_pattern() {
    let table = sample();
    let other = walking_table().header.key;
    let error = table.header.expect_key(&other).unwrap_err();
    assert_eq!(
        error,
        FormatError::OtherTable {
            expected: "wd-3x3-b2.pdb".into(),
            found: "3x3-00f-r4-aware.pdb".into(),
        }
    );
    assert_eq!(table.header.expect_entry_count(5520), Ok(()));
    assert!(matches!(
        table.header.expect_entry_count(5544),
        Err(FormatError::BadField { field: "entry count", .. })
    ));
}

/// Bytes that replace those of a header from an offset on.
type Changes<'a> = &'a [(usize, &'a [u8])];

/// Applies each change with a matching digest, and asserts the field that the error names.
fn assert_bad_fields(table: &Table, changes: &[(Changes, &str)]) {
    for (change, expected) in changes {
        match parse(&signed(&table.bytes(), change)) {
            Err(FormatError::BadField { field, .. }) => assert_eq!(field, *expected, "{change:?}"),
            result => panic!("{change:?} should be a bad {expected}, but gave {result:?}"),
        }
    }
}

/// Changes single bytes, each with a matching digest, and asserts the field that the error names.
fn assert_bad_bytes(table: &Table, fields: &[(&str, &[(usize, u8)])]) {
    for (field, bytes) in fields {
        for &(at, byte) in *bytes {
            assert_bad_fields(table, &[(&[(at, &[byte])], field)]);
        }
    }
}

#[test]
fn every_field_of_a_coloured_table_is_checked() {
    assert_bad_bytes(
        &coloured_table(),
        &[
            ("blank line", &[(16, 2)]),
            ("packing", &[(24, 3)]),
            ("classes", &[(33, 3), (35, 0), (35, 200), (3360, 0), (3360, 3), (3360, 255)]),
            ("entry count", &[(48, 5)]),
            ("unreached count", &[(56, 1)]),
            ("histogram's first count", &[(160, 2)]),
            ("header", &[(20, 1), (28, 3), (34, 4), (40, 1), (3364, 1), (3424, 1)]),
        ],
    );
}

#[test]
fn every_field_of_a_pattern_table_is_checked() {
    let most: u64 = 24 * 126 * 17;
    assert_bad_bytes(
        &sample(),
        &[
            // Format version, header bytes, indexing, tile count and digests offset.
            ("header", &[(8, 0), (12, 1), (28, 1), (28, 4), (34, 5), (64, 1)]),
            // Not the smallest cell of the region.
            ("header", &[(35, 5)]),
            // Reserved bytes.
            ("header", &[(39, 1), (127, 1), (160 + 16 * 8, 1), (4063, 1)]),
            ("kind", &[(16, 4)]),
            ("blank line", &[(16, 2)]),
            ("classes", &[(16, 3)]),
            ("blank mode", &[(20, 0), (20, 4)]),
            ("packing", &[(20, 3), (24, 0), (24, 4)]),
            ("shape", &[(32, 1), (33, 255)]),
            ("goal region", &[(35, 0), (35, 200)]),
            ("unreached count", &[(56, 1)]),
            ("level count", &[(112, 0)]),
            ("histogram's sum", &[(112, 15), (168, 5)]),
            ("histogram's last count", &[(112, 17)]),
            ("histogram's first count", &[(160, 2)]),
        ],
    );
    assert_bad_fields(
        &sample(),
        &[
            (&[(34, &[0]), (40, &[0])], "home cells"),
            (&[(34, &[9]), (40, &[255, 1])], "goal region"),
            (&[(40, &[7, 2])], "home cells"),
            // Another image of this key is the canonical one.
            (&[(35, &[0]), (40, &[0b1110_0000, 1])], "header"),
            (&[(48, &5521u64.to_le_bytes())], "entry count"),
            (&[(48, &(24 * 125u64).to_le_bytes())], "entry count"),
            (&[(48, &most.to_le_bytes())], "entry count"),
            (&[(48, &[255; 8])], "entry count"),
            (&[(72, &[255; 8])], "header"),
            (&[(80, &[255; 8])], "header"),
            (&[(88, &[0; 8])], "header"),
            (&[(96, &[255; 8])], "header"),
            (&[(104, &[0; 8])], "header"),
            (&[(112, &[0x91, 1])], "level count"),
            (&[(112, &[255; 4])], "level count"),
            (&[(168, &[255; 16])], "histogram's sum"),
        ],
    );
    let collapsed = pattern_table(0x00f, BlankMode::Collapsed, Packing::Nibble);
    let more = (24 * 127u64).to_le_bytes();
    assert_bad_bytes(&collapsed, &[("packing", &[(24, 1)])]);
    assert_bad_fields(&collapsed, &[(&[(48, &more)], "entry count")]);
    let plain = pattern_table(0x04b, BlankMode::Plain, Packing::Bit);
    assert_bad_bytes(
        &plain,
        &[
            ("goal region", &[(35, 0), (35, 200)]),
            ("packing", &[(20, 2), (24, 2), (24, 3)]),
            // Another mode, and another home of the blank, whose table is that of another image.
            ("header", &[(20, 1), (35, 4)]),
            ("unreached count", &[(56, 1)]),
        ],
    );
    for count in [24 * 126 * 5 - 24u64, 24 * 126 * 5 + 24] {
        assert_bad_fields(&plain, &[(&[(48, &count.to_le_bytes())], "entry count")]);
    }
}

#[test]
fn every_field_of_a_walking_distance_table_is_checked() {
    let table = walking_table();
    assert_bad_bytes(
        &table,
        &[
            ("blank mode", &[(16, 1)]),
            ("packing", &[(24, 2)]),
            ("shape", &[(33, 1)]),
            ("blank line", &[(35, 3)]),
            ("header", &[(20, 1), (28, 1), (28, 3), (34, 1), (35, 0), (40, 1)]),
            ("entry count", &[(48, 0)]),
            ("unreached count", &[(56, 1)]),
        ],
    );
    assert_bad_fields(
        &table,
        &[
            (&[(48, &[255; 8])], "entry count"),
            (&[(112, &[1, 1])], "level count"),
            (&[(32, &[7, 5])], "walking distance"),
        ],
    );
}

#[test]
fn a_header_made_by_hand_is_checked_too() {
    let good = walking_table().header;
    assert_eq!(good.check(), Ok(()));
    let with = |change: &dyn Fn(&mut Header)| {
        let mut header = good.clone();
        change(&mut header);
        header.check()
    };
    let no_levels = with(&|header| header.histogram.clear());
    assert!(matches!(no_levels, Err(FormatError::BadField { field: "level count", .. })));
    // 258 lines become 2 in the one byte that the header has for them.
    let too_many = with(&|header| {
        header.key = TableKey::Walking(WalkingKey { lines: 258, line_len: 3, blank_line: 1 });
    });
    assert!(matches!(too_many, Err(FormatError::BadField { field: "key", .. })), "{too_many:?}");
}

#[test]
fn damage_of_the_payload_is_located() {
    // The 15-puzzle with 7 tiles has 28,828,800 bytes of payload; the last of its 28 chunks is
    // shorter.
    let shape = Shape::new(4, 4).unwrap();
    let key = PatternKey::new(shape, CellSet(0x7f00), 15, BlankMode::Collapsed).unwrap();
    let header = Header {
        key: TableKey::Pattern(key),
        packing: Packing::Nibble,
        entry_count: 57_657_600,
        unreached_count: 0,
        histogram: vec![1, 57_657_599],
        payload_digest: Digest([0; 32]),
    };
    assert_eq!(header.payload_bytes(), 28_828_800);
    assert_eq!(header.chunk_count(), 28);
    assert_eq!(header.payload_offset(), 8192);
    assert_eq!(header.file_bytes(), 28_836_992);
    assert_eq!(header.level_max(), 1);
    assert_eq!(header.chunk_range(0), 8192..1_056_768);
    assert_eq!(header.chunk_range(27), 28_319_744..28_836_992);
    assert!(header.chunk_range(28).is_empty());
    assert!(header.chunk_range(u64::MAX).is_empty());
    let error = header.check_chunk(&[0; 4096], 27, b"damaged").unwrap_err();
    assert_eq!(error, FormatError::ChunkDigest { chunk: 27, start: 28_319_744, end: 28_836_992 });
    assert_eq!(
        error.to_string(),
        "chunk 27 of the payload (bytes 28319744 to 28836992 of the file) is damaged: its digest \
         is not the one in the digest section"
    );
}

#[test]
fn a_digest_is_64_lower_case_digits() {
    let text = digest(b"").to_string();
    assert_eq!(text, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
    assert_eq!(text.parse(), Ok(digest(b"")));
    for wrong in ["", &text[1..], &text.to_uppercase(), &text.replace('a', "g")] {
        let found = wrong.to_owned();
        assert_eq!(wrong.parse::<Digest>(), Err(DigestTextError { found }));
    }
}

#[test]
fn messages_say_what_was_expected_and_found() {
    let file = sample().bytes();
    for (file, message) in [
        (
            b"PK\x03\x04".to_vec(),
            "not a table: expected a file that starts with \"TILEBASE\", found \"PK\\x03\\x04\"",
        ),
        (file[..10_000].to_vec(), "the file is cut short: expected 10952 bytes, found 10000"),
        (signed(&file, &[(28, &[1])]), "bad header: expected 3 at byte 28, found 1"),
        (
            signed(&file, &[(35, &[0])]),
            "bad goal region: expected a cell outside the pattern, found 0",
        ),
        (
            signed(&file, &[(200, &[1])]),
            "bad histogram's sum: expected 5520 with the unreached entries, found 5405",
        ),
    ] {
        assert_eq!(parse(&file).unwrap_err().to_string(), message);
    }
}
