//! Packed entries and states read back, and nothing is read beyond the payload.

use pdb_core::WalkingKey;
use pdb_format::walking::{self, Layout, Step};
use pdb_format::{FormatError, Packing};
use pdb_oracle::Random;

use crate::example::{pattern_table, walking_table};

#[test]
fn packed_entries_read_back() {
    let mut random = Random::default();
    let key = pattern_table(0x001, pdb_core::BlankMode::Aware, Packing::Bit).header.key;
    for len in 1..100 {
        for packing in [Packing::Bit, Packing::Nibble, Packing::Byte] {
            let bits = packing.bits().unwrap() as usize;
            let payload_bytes = packing.payload_bytes(&key, len);
            let mut payload = vec![0; payload_bytes as usize];
            let entries: Vec<u8> = (0..len).map(|_| random.below(1 << bits) as u8).collect();
            for (i, entry) in entries.iter().enumerate() {
                payload[i * bits / 8] |= entry << (i * bits % 8);
            }
            for (i, entry) in entries.iter().enumerate() {
                assert_eq!(packing.read(&payload, i as u64), Some(*entry), "{packing}, {len}");
            }
            assert_eq!(packing.read(&payload, payload_bytes * 8 / bits as u64), None);
            assert_eq!(packing.read(&payload, u64::MAX), None);
            assert_eq!(Packing::Walking.read(&payload, 0), None);
        }
    }
}

#[test]
fn counts_and_the_blank_read_back_from_a_key() {
    let mut random = Random::default();
    for lines in 2..=walking::LINES_MAX {
        for case in 0..40 {
            let counts: Vec<u8> =
                (0..lines * lines).map(|_| random.below(walking::LINE_LEN_MAX + 1) as u8).collect();
            let count = |line: usize, home: usize| counts[line * lines + home];
            let blank = case % lines;
            let key = walking::pack_key(lines, count, blank);
            assert_eq!(walking::blank_line(key), blank);
            for (line, home) in (0..lines * lines).map(|i| (i / lines, i % lines)) {
                assert_eq!(walking::count(key, lines, line, home), count(line, home));
            }
            assert_eq!(key >> 123, 0);
        }
    }
}

#[test]
fn states_that_fit_no_key_are_refused() {
    let fits = |lines, line_len| walking::fits(&WalkingKey { lines, line_len, blank_line: 0 });
    assert_eq!(fits(6, 6), Ok(()));
    assert_eq!(fits(5, 7), Ok(()));
    for (lines, line_len) in [(7, 5), (2, 8), (18, 2)] {
        let (expected, found) =
            ("at most 6 lines of at most 7 cells", format!("{lines} lines of {line_len}"));
        let error = FormatError::bad_field("walking distance", expected, found);
        assert_eq!(fits(lines, line_len), Err(error));
    }
}

#[test]
fn nothing_is_read_beyond_the_states() {
    let table = walking_table();
    let layout = Layout::new(105, 3);
    for state in [105, u32::MAX] {
        assert_eq!(layout.key(&table.payload, state), None);
        assert_eq!(layout.link(&table.payload, state, Step::Up, 0), None);
        assert_eq!(layout.value(&table.payload, state), None);
    }
    assert_eq!(layout.link(&table.payload, 0, Step::Up, 3), None);
    assert_eq!(layout.value(&table.payload[..4304], 104), None);
    assert_eq!(layout.link(&table.payload[..4199], 104, Step::Down, 2), None);
    assert_eq!(layout.key(&[], 0), None);
}
