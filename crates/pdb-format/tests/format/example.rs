//! The worked examples of `docs/format.md`, computed in a simple way; the document quotes their
//! numbers.

use std::collections::BTreeMap;

use pdb_core::index::cell_sets;
use pdb_core::region::regions;
use pdb_core::{
    BlankMode, CellSet, ColourKey, PatternIndex, PatternKey, PatternState, Shape, TableKey,
    WalkingKey,
};
use pdb_format::slides;
use pdb_format::walking::{self, Layout, NO_LINK, Step};
use pdb_format::{CHUNK_BYTES, Header, Packing, digest, digest_section, table_digest};
use pdb_oracle::{
    WalkingState, additive_pattern_distances, plain_pattern_distances, walking_distances,
};

const DOCUMENT: &str = include_str!("../../../../docs/format.md");

/// A whole table in memory.
pub(crate) struct Table {
    pub(crate) header: Header,
    pub(crate) section: Vec<u8>,
    pub(crate) payload: Vec<u8>,
}

impl Table {
    fn new(key: TableKey, packing: Packing, values: &[Option<u8>], payload: Vec<u8>) -> Self {
        let digests: Vec<_> = payload.chunks(CHUNK_BYTES as usize).map(digest).collect();
        let (section, payload_digest) = digest_section(&digests);
        let level_max = values.iter().flatten().max().copied().unwrap_or(0);
        let mut histogram = vec![0; usize::from(level_max) + 1];
        for value in values.iter().flatten() {
            histogram[usize::from(*value)] += 1;
        }
        let header = Header {
            key,
            packing,
            entry_count: values.len() as u64,
            unreached_count: values.iter().filter(|value| value.is_none()).count() as u64,
            histogram,
            payload_digest,
        };
        Self { header, section, payload }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        [&self.header.to_bytes()[..], &self.section, &self.payload].concat()
    }
}

/// Returns the table of the 8-puzzle's tiles with these homes, the blank at home in the last cell.
pub(crate) fn pattern_table(homes: u64, mode: BlankMode, packing: Packing) -> Table {
    let shape = Shape::new(3, 3).expect("3x3 is a shape");
    let key = PatternKey::new(shape, CellSet(homes), 8, mode).expect("the pattern fits");
    let table_key = TableKey::Pattern(key);
    let index = index(&key, mode);
    let values = pattern_values(&key);
    let bits = packing.bits().expect("a pattern's packing has entries") as usize;
    let mut payload = vec![0; packing.payload_bytes(&table_key, index.entry_count()) as usize];
    for (entry, value) in values.iter().enumerate() {
        let (state, blank) = index.unrank(entry as u64);
        let base = match mode {
            BlankMode::Plain => (shape.distance(blank, key.goal_region) % 2) as u8,
            _ => manhattan_distance(&key, &index, state),
        };
        let stored = match value {
            Some(value) => (value - base) / 2,
            None => packing.unreached().unwrap_or(0),
        };
        let lowest_bits = stored & (0xff >> (8 - bits));
        payload[entry * bits / 8] |= lowest_bits << (entry * bits % 8);
    }
    Table::new(table_key, packing, &values, payload)
}

fn pattern_key(table: &Table) -> PatternKey {
    let TableKey::Pattern(key) = table.header.key else {
        unreachable!("the table was made for a pattern")
    };
    key
}

fn index(key: &PatternKey, mode: BlankMode) -> PatternIndex {
    PatternIndex::new(key.shape, key.tile_count(), mode).expect("the pattern fits")
}

fn manhattan_distance(key: &PatternKey, index: &PatternIndex, state: PatternState) -> u8 {
    let homes: Vec<_> = key.homes.iter().collect();
    let distance = |cell| key.shape.distance(cell, homes[index.label_at(state, cell)]);
    state.cells.iter().map(distance).sum::<u32>() as u8
}

fn pattern_values(key: &PatternKey) -> Vec<Option<u8>> {
    let (rows, cols) = (key.shape.rows(), key.shape.cols());
    let homes: Vec<usize> = key.homes.iter().map(usize::from).collect();
    let blank = usize::from(key.goal_region);
    let distances = match key.mode {
        BlankMode::Plain => plain_pattern_distances(rows, cols, &homes, blank),
        _ => additive_pattern_distances(rows, cols, &homes, blank),
    };
    let index = index(key, key.mode);
    let mut values = vec![None; index.entry_count() as usize];
    for ((cells, blank), distance) in distances {
        let place = |home: u8| homes.iter().position(|&other| other == usize::from(home));
        let state = index.state(key.homes, |home| cells[place(home).expect("a home")]);
        let value = &mut values[index.entry(state, blank) as usize];
        *value = Some(value.unwrap_or(u8::MAX).min(distance as u8));
    }
    values
}

/// Returns the coloured table of a 2x2 board with three equal tiles, as the page writes it.
pub(crate) fn coloured_table() -> Table {
    let shape = Shape::new(2, 2).expect("2x2 is a shape");
    let key = ColourKey::new(shape, 3, &[CellSet(0b0111)]).expect("a colouring");
    // The slides from each cell of the blank, if the first one is horizontal, and if it is
    // vertical.
    let distances = [(2, 2), (3, 1), (1, 3), (0, 0)];
    let payload = distances.map(|(horizontal, vertical)| slides::pack(horizontal, vertical));
    let values = distances.map(|(horizontal, vertical)| Some(horizontal.min(vertical)));
    Table::new(TableKey::Coloured(key), Packing::Slides, &values, payload.to_vec())
}

/// Returns the Walking Distance table of the 8-puzzle, the blank at home in the last line.
pub(crate) fn walking_table() -> Table {
    let key = WalkingKey { lines: 3, line_len: 3, blank_line: 2 };
    let distances = walking_distances(key.lines, key.line_len, key.blank_line).into_iter();
    let packed = |(counts, blank): WalkingState| {
        walking::pack_key(3, |line: usize, home: usize| counts[line][home], blank)
    };
    let values: BTreeMap<u128, u8> =
        distances.map(|(state, distance)| (packed(state), distance as u8)).collect();
    let mut states: Vec<_> = values.iter().map(|(&key, &value)| (value, key)).collect();
    states.sort_unstable();
    let number = |key| states.partition_point(|&state| state < (values[&key], key)) as u32;
    let mut payload = Vec::new();
    for (_, key) in &states {
        payload.extend(key.to_le_bytes());
    }
    for &(_, key) in &states {
        for step in Step::ALL {
            for home in 0..3 {
                let link = exchanged(key, step, home).map_or(NO_LINK, number);
                payload.extend(link.to_le_bytes());
            }
        }
    }
    payload.extend(states.iter().map(|&(value, _)| value));
    let values: Vec<_> = states.iter().map(|&(value, _)| Some(value)).collect();
    Table::new(TableKey::Walking(key), Packing::Walking, &values, payload)
}

/// Returns the key after the blank has moved by one line, in exchange with a tile of `home`.
fn exchanged(key: u128, step: Step, home: usize) -> Option<u128> {
    let blank = walking::blank_line(key);
    let other = step.target(blank, 3)?;
    if walking::count(key, 3, other, home) == 0 {
        return None;
    }
    let count = |line, h| {
        let count = walking::count(key, 3, line, h);
        match (h == home, line == blank, line == other) {
            (true, true, _) => count + 1,
            (true, _, true) => count - 1,
            _ => count,
        }
    };
    Some(walking::pack_key(3, count, other))
}

/// Asserts that the document quotes a number as the code has it, wherever its lines break.
fn assert_quoted(text: &str) {
    let unwrapped = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(unwrapped(DOCUMENT).contains(&unwrapped(text)), "docs/format.md lacks: {text}");
}

fn joined<T: ToString>(items: &[T], separator: &str) -> String {
    let items: Vec<_> = items.iter().map(T::to_string).collect();
    items.join(separator)
}

#[test]
fn the_header_of_the_pattern_example_is_as_documented() {
    let table = pattern_table(0x00f, BlankMode::Aware, Packing::Nibble);
    let header = &table.header;
    assert_quoted(&format!("`{}`", header.key.file_name()));
    assert_quoted(&format!("| entry_count | {} |", header.entry_count));
    assert_quoted(&format!("| payload_offset | {} |", header.payload_offset()));
    assert_quoted(&format!("| payload_bytes | {} |", header.payload_bytes()));
    assert_quoted(&format!("| chunk_count | {} |", header.chunk_count()));
    assert_quoted(&format!("| file_bytes | {} |", header.file_bytes()));
    assert_quoted(&format!("| level_count | {} |", header.histogram.len()));
    assert_quoted(&format!("| payload_digest | `{}` |", header.payload_digest));
    assert_quoted(&format!("Histogram: `{}`", joined(&header.histogram, " ")));
    let digest = table_digest(&header.to_bytes());
    assert_quoted(&format!("| header digest | `{digest}` |"));
    // The bytes are fixed here too: if they change, the format version must change.
    assert_eq!(
        digest.to_string(),
        "5fcfe2ec4bfdce24982fdf4ac7ecc7715321f632065a7ce7c9c728c2220800a2"
    );
}

#[test]
fn the_first_blocks_of_the_pattern_example_are_as_documented() {
    let shape = Shape::new(3, 3).unwrap();
    let index = PatternIndex::new(shape, 4, BlankMode::Aware).unwrap();
    for (rank, set) in cell_sets(shape, 4).take(6).enumerate() {
        let mut names = Vec::new();
        let mut blocks = Vec::new();
        for region in regions(shape, shape.all_cells().without(set)) {
            names.push(joined(&region.iter().collect::<Vec<_>>(), ""));
            blocks.push(index.block(set, region.first().unwrap()));
        }
        assert_quoted(&format!(
            "| {} | `{:#05x}` | {rank} | {} | {} |",
            joined(&set.iter().collect::<Vec<_>>(), " "),
            set.0,
            joined(&names, ", "),
            joined(&blocks, ", ")
        ));
    }
}

#[test]
fn the_entries_of_the_pattern_example_are_as_documented() {
    let lookup = |mode, packing, blank| {
        let table = pattern_table(0x00f, mode, packing);
        let index = PatternIndex::new(Shape::new(3, 3).unwrap(), 4, mode).unwrap();
        // Tile 1 stands on cell 3, tile 2 on 8, tile 3 on 1 and tile 4 on 6.
        let state = index.state(CellSet(0x00f), |home| [3, 8, 1, 6][usize::from(home)]);
        let key = pattern_key(&table);
        let entry = index.entry(state, blank);
        let stored = packing.read(&table.payload, entry).unwrap();
        (entry, stored, manhattan_distance(&key, &index, state))
    };
    for packing in [Packing::Nibble, Packing::Byte, Packing::Bit] {
        assert_eq!(lookup(BlankMode::Aware, packing, 7), (3169, 1, 6));
    }
    assert_eq!(lookup(BlankMode::Aware, Packing::Nibble, 0), (3168, 0, 6));
    assert_eq!(lookup(BlankMode::Collapsed, Packing::Nibble, 7), (1732, 0, 6));
    assert_quoted("5520 / 24 = 230 blocks, so the entry is 13 * 230 + 179 = 3169.");
    assert_quoted("the entry 3168; the excess is 0");
    assert_quoted("The blank-collapsed table has 3024 entries.");
    assert_quoted("both states have the entry 13 * 126 + 94 = 1732");

    let aware = pattern_table(0x00f, BlankMode::Aware, Packing::Nibble);
    assert_eq!(aware.payload[1584], 0x10);
    assert_quoted("byte 1584 of the payload. That byte is `0x10`");
    let bits = pattern_table(0x00f, BlankMode::Aware, Packing::Bit);
    assert_eq!(bits.payload[396], 0xee);
    assert_quoted("bit 1 of byte 396, which is `0xee`");
}

#[test]
fn the_plain_example_is_as_documented() {
    let table = pattern_table(0x04b, BlankMode::Plain, Packing::Bit);
    let header = &table.header;
    let key = pattern_key(&table);
    let index = index(&key, BlankMode::Plain);
    let digest = table_digest(&header.to_bytes());
    assert_quoted(&format!("`{}` has {} entries", header.key.file_name(), header.entry_count));
    assert_quoted(&format!("Histogram: `{}`", joined(&header.histogram, " ")));
    assert_quoted(&format!("The header digest is `{digest}`."));
    // The bytes are fixed here too: if they change, the format version must change.
    assert_eq!(
        digest.to_string(),
        "c5fb901a211d026f3b0ea04f0642f67e297370d0bfecc6ec0707cf6e133ec958"
    );
    let goal = index.entry(index.state(key.homes, |home| home), 8);
    assert_quoted(&format!("the entry is 16 * 5 + 4 = {goal}."));
    // The state of the blank-aware example, reflected at the diagonal.
    let reflected = |cell: u8| cell % 3 * 3 + cell / 3;
    let cells = [3, 8, 1, 6].map(reflected);
    let state = index.state(key.homes, |home| cells[usize::from(reflected(home))]);
    let entry = index.entry(state, reflected(7));
    assert_quoted(&format!("the entry is 1 * 630 + 367 = {entry}."));
    let value = pattern_values(&key)[entry as usize].unwrap();
    let bit = Packing::Bit.read(&table.payload, entry).unwrap();
    assert_quoted(&format!("the value is {value}, so the excess is {}", value / 2));
    assert_quoted(&format!("and the bit {bit}."));
}

#[test]
fn the_walking_distance_example_is_as_documented() {
    let table = walking_table();
    let header = &table.header;
    let layout = Layout::new(header.entry_count, 3);
    assert_quoted(&format!(
        "`{}` has {} states: its links start at byte {} of the payload, its values at {}, and \
         the payload has {} bytes. Histogram: `{}`. The header digest is `{}`.",
        header.key.file_name(),
        header.entry_count,
        layout.links_offset(),
        layout.values_offset(),
        header.payload_bytes(),
        joined(&header.histogram, " "),
        table_digest(&header.to_bytes())
    ));
    for state in 0..4 {
        let links = Step::ALL.map(|step| {
            let link = |home| layout.link(&table.payload, state, step, home).unwrap();
            let name = |link| match link {
                NO_LINK => "-".to_owned(),
                link => link.to_string(),
            };
            joined(&[0, 1, 2].map(link).map(name), ", ")
        });
        assert_quoted(&format!(
            "| {state} | `{:#034x}` | {} | {} | {} |",
            layout.key(&table.payload, state).unwrap(),
            layout.value(&table.payload, state).unwrap(),
            links[0],
            links[1]
        ));
    }
}

#[test]
fn the_coloured_example_is_as_documented() {
    let table = coloured_table();
    let file = table.header.key.file_name();
    let bytes: Vec<String> = table.payload.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_quoted(&format!(
        "`{file}` has a state for each cell of the blank. The payload is `{}`.",
        bytes.join(" ")
    ));
    assert_quoted(&format!("Histogram: `{}`.", joined(&table.header.histogram, " ")));
    let header = table.header.to_bytes();
    assert_eq!(header[3360..3424], [&[1, 1, 1][..], &[0; 61]].concat());
}
