//! Changes of single entries of small tables: which ones the rules alone detect, and which ones
//! only the fresh build detects. `docs/verification.md` proves these counts.

use std::collections::BTreeSet;

use pdb_core::Shape;
use pdb_oracle::are_long;

use super::super::verify::{compare, difference};
use super::*;
use crate::building::Table;

/// Builds a table by the library beside this program, so that the builder is not compiled again.
fn fresh(key: &TableKey) -> Table {
    let built = pdb_gen::Table::build(key, 1, &pdb_gen::Monitor::silent());
    let pdb_gen::Table { header, digest_section, payload } = built.expect("a small table");
    Table { header, digest_section, payload }
}

/// Returns the rules that a payload breaks under the header of a right table.
fn broken(table: &Table, payload: &[u8]) -> Vec<Rule> {
    let workers = Workers { thread_count: 1, monitor: &Monitor::silent() };
    let broken = check(&table.header, payload, workers).expect("it can be indexed");
    broken.into_iter().map(|broken| broken.rule).collect()
}

/// Steps between the tables that are tried, for 2x3 and for 3x3.
const STEPS: [usize; 2] = [29, 97];

/// Returns every `step`th table of a board, or all of them in long tests.
fn some(keys: Vec<TableKey>, step: usize) -> Vec<TableKey> {
    let step = if are_long() { 1 } else { step };
    println!("{} of {} tables are tried", keys.len().div_ceil(step), keys.len());
    keys.into_iter().step_by(step).collect()
}

/// Returns every table of a board with at most `tiles_max` tiles, symmetric images once.
fn patterns(rows: usize, cols: usize, tiles_max: usize, mode: BlankMode) -> Vec<TableKey> {
    let shape = Shape::new(rows, cols).expect("a shape that is supported");
    let all = shape.all_cells();
    let mut names = BTreeSet::new();
    let mut keys = Vec::new();
    for homes in (1..all.0).map(CellSet).filter(|homes| homes.iter().count() <= tiles_max) {
        for blank in all.without(homes).iter() {
            let key = PatternKey::new(shape, homes, blank, mode).expect("it can be indexed");
            let key = TableKey::Pattern(key.canonical().0);
            if names.insert(key.file_name()) {
                keys.push(key);
            }
        }
    }
    keys
}

/// Changes each entry of each table to each other content. The fresh build detects every change.
/// Returns the number of changes, and of those that the rules detect.
fn change_each(keys: &[TableKey]) -> (u64, u64) {
    let (mut changes, mut found_by_rules) = (0, 0);
    for key in keys {
        let good = fresh(key);
        assert_eq!(broken(&good, &good.payload), [], "{}", key.file_name());
        let TableKey::Pattern(pattern) = key else { unreachable!("a pattern's key") };
        let table = PatternTable::new(&good.header, pattern, &good.payload).expect("indexed");
        let bits = match good.header.packing {
            Packing::Bit => 1,
            Packing::Nibble => 4,
            other => unreachable!("a small table is not packed as {other}"),
        };
        for entry in 0..good.header.entry_count {
            let reachable = table.is_reachable(table.node(entry));
            for change in 1..1 << bits {
                let mut payload = good.payload.clone();
                payload[(entry * bits / 8) as usize] ^= change << (entry * bits % 8);
                let by_rules = !broken(&good, &payload).is_empty();
                changes += 1;
                found_by_rules += u64::from(by_rules);
                let wrong = difference(&good.header, &payload, &good);
                let wrong = wrong.map(|wrong| (wrong.count, wrong.entry));
                assert_eq!(wrong, Some((1, entry)), "{}", key.file_name());
                // `docs/verification.md` proves that the rules suffice for blank-aware and plain
                // tables.
                if pattern.mode != BlankMode::Collapsed {
                    assert_eq!(by_rules, reachable, "{}, entry {entry}", key.file_name());
                }
            }
        }
    }
    println!("{} tables, {changes} changes, {found_by_rules} found by the rules", keys.len());
    (changes, found_by_rules)
}

#[test]
fn every_changed_value_of_small_tables_is_found() {
    // The largest numbers of tiles on 2x3 and on 3x3.
    let sizes =
        [(BlankMode::Aware, [4, 3]), (BlankMode::Plain, [4, 2]), (BlankMode::Collapsed, [3, 2])];
    for (mode, tiles_max) in sizes {
        let mut keys = patterns(2, 2, 3, mode);
        keys.extend(some(patterns(2, 3, tiles_max[0], mode), STEPS[0]));
        keys.extend(some(patterns(3, 3, tiles_max[1], mode), STEPS[1]));
        let (changes, by_rules) = change_each(&keys);
        // One changed value of a blank-collapsed table already shows in the histogram.
        assert!(mode != BlankMode::Collapsed || by_rules == changes);
    }
}

/// If several entries change, the histogram can stay right, which is why the level builds the table
/// again.
#[test]
fn two_values_of_a_blank_collapsed_table_in_exchange_may_obey_the_rules_and_are_found() {
    let (mut exchanges, mut by_rules) = (0, 0);
    for key in some(patterns(2, 3, 3, BlankMode::Collapsed), 3) {
        let good = fresh(&key);
        let TableKey::Pattern(pattern) = &key else { unreachable!("a pattern's key") };
        let table = PatternTable::new(&good.header, pattern, &good.payload).expect("indexed");
        let read = |entry| good.header.packing.read(&good.payload, entry).expect("it has them all");
        for (a, b) in (1..good.header.entry_count).flat_map(|b| (0..b).map(move |a| (a, b))) {
            // Both have the same Manhattan distance, so the histogram stays right.
            let bases = [a, b].map(|entry| table.base(table.node(entry)));
            if read(a) == read(b) || bases[0] != bases[1] {
                continue;
            }
            let mut payload = good.payload.clone();
            for (entry, held) in [(a, read(b)), (b, read(a))] {
                let byte = &mut payload[(entry / 2) as usize];
                *byte = *byte & !(15 << (entry % 2 * 4)) | held << (entry % 2 * 4);
            }
            exchanges += 1;
            by_rules += u64::from(!broken(&good, &payload).is_empty());
            assert_ne!(compare(&good.header, &payload, &good), [], "entries {a} and {b}");
        }
    }
    println!("{exchanges} exchanges, {by_rules} found by the rules alone");
    assert!(by_rules < exchanges);
}

#[test]
fn every_changed_byte_of_small_walking_distance_tables_is_found_by_the_rules() {
    let mut changes = 0;
    let steps = if are_long() { [1, 1, 32] } else { [1, 29, 127] };
    let tables = [(2, 2, 1), (2, 3, 1), (3, 3, 2)];
    for ((lines, line_len, blank_line), every) in tables.into_iter().zip(steps) {
        let key = TableKey::Walking(WalkingKey { lines, line_len, blank_line }.canonical().0);
        let good = fresh(&key);
        assert_eq!(broken(&good, &good.payload), []);
        for byte in 0..good.payload.len() {
            for change in (1..=255).step_by(every) {
                let mut payload = good.payload.clone();
                payload[byte] ^= change;
                changes += 1;
                assert_ne!(broken(&good, &payload), [], "byte {byte} by {change}");
            }
        }
    }
    println!("{changes} changes");
}

/// A table with each state twice, and links that change from one sheet to the other at one link of
/// a cycle: according to the keys, every move leads to the right state. Only two states with the
/// same key and value show the fault.
#[test]
fn a_walking_distance_table_that_covers_the_right_one_twice_is_out_of_order() {
    let key = WalkingKey { lines: 3, line_len: 3, blank_line: 2 };
    let good = fresh(&TableKey::Walking(key));
    let count = good.header.entry_count as u32;
    let layout = Layout::new(count.into(), key.lines);
    let links: Vec<(u32, Step, usize, u32)> = (0..count)
        .flat_map(|state| Step::ALL.map(|step| (state, step)))
        .flat_map(|(state, step)| (0..key.lines).map(move |home| (state, step, home)))
        .filter_map(|(state, step, home)| {
            let link = layout.link(&good.payload, state, step, home)?;
            (link != NO_LINK).then_some((state, step, home, link))
        })
        .collect();
    let mut covers = 0;
    for &(a, _, _, b) in links.iter().filter(|(a, _, _, b)| a < b) {
        // States of the cover are numbered 2 * state + sheet.
        let twin = |from: u32, to: u32, sheet: u32| {
            let crosses = (from, to) == (a, b) || (from, to) == (b, a);
            2 * to + (sheet ^ u32::from(crosses))
        };
        let mut values = vec![None; 2 * count as usize];
        values[0] = Some(0u8);
        let mut level = vec![0u32];
        while !level.is_empty() {
            let mut next = Vec::new();
            for node in level {
                let value = values[node as usize].expect("it was reached");
                for &(from, _, _, to) in links.iter().filter(|link| link.0 == node / 2) {
                    let to = twin(from, to, node % 2);
                    if values[to as usize].is_none() {
                        values[to as usize] = Some(value + 1);
                        next.push(to);
                    }
                }
            }
            level = next;
        }
        // A link that is on no cycle leaves the second sheet unreached.
        let Some(values) = values.into_iter().collect::<Option<Vec<u8>>>() else {
            continue;
        };
        covers += 1;
        let key_of = |node: u32| layout.key(&good.payload, node / 2).expect("a state has a key");
        let mut order: Vec<u32> = (0..2 * count).collect();
        order.sort_by_key(|&node| (values[node as usize], key_of(node)));
        let place = |node: u32| order.iter().position(|&n| n == node).expect("it is there") as u32;
        let mut payload: Vec<u8> =
            order.iter().flat_map(|&node| key_of(node).to_le_bytes()).collect();
        for &node in &order {
            for step in Step::ALL {
                for home in 0..key.lines {
                    let link = layout.link(&good.payload, node / 2, step, home);
                    let link = link.filter(|&link| link != NO_LINK);
                    let link = link.map_or(NO_LINK, |to| place(twin(node / 2, to, node % 2)));
                    payload.extend(link.to_le_bytes());
                }
            }
        }
        payload.extend(order.iter().map(|&node| values[node as usize]));
        let mut table = good.clone();
        table.header.entry_count *= 2;
        table.header.histogram = vec![0; usize::from(*values.iter().max().expect("states")) + 1];
        for &value in &values {
            table.header.histogram[usize::from(value)] += 1;
        }
        let broken = broken(&table, &payload);
        assert_eq!(broken, [Rule::Order], "the link from {a} to {b}");
    }
    assert!(covers > 10, "{covers}");
}
