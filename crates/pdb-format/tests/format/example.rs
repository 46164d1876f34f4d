//! The worked examples of `docs/format.md`, built the plain way; the document quotes their numbers.

use std::collections::{BTreeMap, VecDeque};

use pdb_core::region::{region_of, regions};
use pdb_core::{
    BlankMode, CellSet, PatternIndex, PatternKey, PatternState, Shape, TableKey, WalkingKey,
};
use pdb_format::walking::{self, Layout, NO_LINK, Step};
use pdb_format::{CHUNK_BYTES, Header, Packing, digest, digest_section, table_digest};

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
        let level_max = values.iter().flatten().max().copied().unwrap();
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
        Self {
            header,
            section,
            payload,
        }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        [&self.header.to_bytes()[..], &self.section, &self.payload].concat()
    }
}

/// The table of the 8-puzzle's tiles with these homes, the blank at home in the last cell.
pub(crate) fn pattern_table(homes: u64, mode: BlankMode, packing: Packing) -> Table {
    let shape = Shape::new(3, 3).unwrap();
    let key = PatternKey::new(shape, CellSet(homes), 8, mode).unwrap();
    let index = PatternIndex::new(shape, key.tile_count(), mode).unwrap();
    let values = pattern_values(&key, &index);
    let mut payload =
        vec![0; packing.payload_bytes(&TableKey::Pattern(key), index.entry_count()) as usize];
    let bits = packing.bits().unwrap() as usize;
    for (entry, value) in values.iter().enumerate() {
        let (state, _) = index.unrank(entry as u64);
        let stored = match value {
            Some(value) => {
                (value - manhattan_distance(&key, &index, state)) / 2 & ((1 << bits) - 1) as u8
            }
            None => packing.unreached().unwrap_or(0),
        };
        payload[entry * bits / 8] |= stored << (entry * bits % 8);
    }
    Table::new(TableKey::Pattern(key), packing, &values, payload)
}

fn manhattan_distance(key: &PatternKey, index: &PatternIndex, state: PatternState) -> u8 {
    let homes: Vec<_> = key.homes.iter().collect();
    let distance = |cell| key.shape.distance(cell, homes[index.label_at(state, cell)]);
    state.cells.iter().map(distance).sum::<u32>() as u8
}

fn pattern_values(key: &PatternKey, index: &PatternIndex) -> Vec<Option<u8>> {
    let aware = PatternIndex::new(key.shape, key.tile_count(), BlankMode::Aware).unwrap();
    let mut values = vec![None; aware.entry_count() as usize];
    let goal = aware.entry(aware.state(key.homes, |home| home), key.goal_region);
    values[goal as usize] = Some(0);
    let mut queue = VecDeque::from([goal]);
    while let Some(entry) = queue.pop_front() {
        let value: u8 = values[entry as usize].unwrap();
        let (state, blank) = aware.unrank(entry);
        let region = region_of(key.shape, key.shape.all_cells().without(state.cells), blank);
        for from in state.cells.iter() {
            for to in region
                .iter()
                .filter(|&to| key.shape.distance(from, to) == 1)
            {
                let next = aware.entry(state.moved(from, to, aware.label_bits()), from) as usize;
                if values[next].is_none() {
                    values[next] = Some(value + 1);
                    queue.push_back(next as u64);
                }
            }
        }
    }
    if key.mode == BlankMode::Aware {
        return values;
    }
    let mut collapsed = vec![None; index.entry_count() as usize];
    for (entry, value) in values.into_iter().enumerate() {
        let (state, blank) = aware.unrank(entry as u64);
        let least = &mut collapsed[index.entry(state, blank) as usize];
        *least = match (*least, value) {
            (Some(a), Some(b)) => Some(u8::min(a, b)),
            (a, b) => a.or(b),
        };
    }
    collapsed
}

/// The Walking Distance table of the 8-puzzle, the blank at home in the last line.
pub(crate) fn walking_table() -> Table {
    let key = WalkingKey {
        lines: 3,
        line_len: 3,
        blank_line: 2,
    };
    let goal = walking::pack_key(
        3,
        |line, home| {
            if line != home {
                0
            } else {
                3 - u8::from(line == 2)
            }
        },
        2,
    );
    let mut values = BTreeMap::from([(goal, 0u8)]);
    let mut queue = VecDeque::from([goal]);
    while let Some(state) = queue.pop_front() {
        for next in (0..6).filter_map(|i| exchanged(state, Step::ALL[i / 3], i % 3)) {
            if !values.contains_key(&next) {
                values.insert(next, values[&state] + 1);
                queue.push_back(next);
            }
        }
    }
    let mut states: Vec<_> = values.iter().map(|(&key, &value)| (value, key)).collect();
    states.sort_unstable();
    let number = |key| states.iter().position(|&(_, k)| k == key).unwrap() as u32;
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

/// The key after the blank moved one line on, in exchange with a tile of `home`.
fn exchanged(key: u128, step: Step, home: usize) -> Option<u128> {
    let blank = walking::blank_line(key);
    let other = match step {
        Step::Up => blank.checked_sub(1)?,
        Step::Down => Some(blank + 1).filter(|&line| line < 3)?,
    };
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

#[test]
fn dump() {
    for (m,p) in [(BlankMode::Aware,Packing::Nibble),(BlankMode::Aware,Packing::Bit),(BlankMode::Collapsed,Packing::Nibble)] {
    let t = pattern_table(0x00f, m,p);
    let h=&t.header;
    println!("{:?} {} bytes {} chunks {} off {} file {} td {}", h, h.key.file_name(), h.payload_bytes(), h.chunk_count(), h.payload_offset(), h.file_bytes(), table_digest(&h.to_bytes()));
    let ix=PatternIndex::new(Shape::new(3,3).unwrap(),4,m).unwrap();
    let st=PatternState{cells:CellSet(0x14a), labels: 2 | 0<<3 | 3<<6 | 1<<9};
    for b in [0u8,7] {
        let e=ix.entry(st,b);
        println!("set rank {} block {} first {} entry {} v {:?}", ix.set_rank(st.cells), ix.block(st.cells,b), ix.block(st.cells,0), e, p.read(&t.payload,e));
        let by=(e*u64::from(p.bits().unwrap())/8) as usize; println!("byte {} = {:#x}", by, t.payload[by]);
    }
    println!("md {}", {let TableKey::Pattern(k)=h.key else {panic!()}; manhattan_distance(&k,&ix,st)});
    println!("max {:?}", (0..h.entry_count).map(|e|p.read(&t.payload,e)).max());
    }
    let t=walking_table(); let h=&t.header;
    println!("{:?} {} bytes {} off {} file {} td {}", h, h.key.file_name(), h.payload_bytes(), h.payload_offset(), h.file_bytes(), table_digest(&h.to_bytes()));
    let l=Layout::new(105,3);
    println!("{} {}", l.links_offset(), l.values_offset());
    for s in 0..4 { println!("{:#034x} v {:?} {:?}", l.key(&t.payload,s).unwrap(), l.value(&t.payload,s), Step::ALL.map(|d|[0,1,2].map(|j|l.link(&t.payload,s,d,j).unwrap() as i32))); }
    let t=pattern_table(0xff, BlankMode::Aware, Packing::Byte);println!("{:?} ",t.header);
    let t=pattern_table(0xff, BlankMode::Collapsed, Packing::Nibble);println!("{:?} ",t.header);
    let t=pattern_table(0x7f, BlankMode::Aware, Packing::Bit);println!("{:?} ",t.header);
    let _ = (regions(Shape::new(3,3).unwrap(), CellSet(1)).count(), DOCUMENT.len());
}
