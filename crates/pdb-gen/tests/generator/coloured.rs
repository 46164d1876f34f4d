//! Coloured tables against the oracle.

use pdb_core::{Axis, BLANK, CellSet, ColourIndex, ColourKey, ColourState, Goal, Plan, TableKey};
use pdb_format::slides;
use pdb_gen::{Finding, Level, Rule};
use pdb_oracle::{are_long, slide_distances};

use crate::verification::{found_at, rules};
use crate::{fresh, sealed, shape};

/// Returns the key of a colouring, drawn with a letter for each tile and `.` for the blank.
pub(crate) fn coloured(rows: usize, cols: usize, drawn: &str) -> ColourKey {
    let letters: Vec<char> = drawn.chars().filter(|c| !c.is_whitespace()).collect();
    let blank = letters.iter().position(|&c| c == '.').expect("the blank is drawn") as u8;
    let mut names: Vec<char> = letters.iter().copied().filter(|&c| c != '.').collect();
    names.sort_unstable();
    names.dedup();
    let class = |name: &char| -> CellSet {
        (0..letters.len() as u8).filter(|&cell| letters[usize::from(cell)] == *name).collect()
    };
    let classes: Vec<CellSet> = names.iter().map(class).collect();
    ColourKey::new(shape(rows, cols), blank, &classes).expect("a colouring")
}

/// Returns the tiles of a state: 0 for the blank, then the number of the class from 1.
fn tiles(key: &ColourKey, state: &ColourState) -> Vec<u8> {
    let last = key.classes().len();
    let tile = |cell: usize| {
        let class = state.classes[..last - 1].iter().position(|&class| class >> cell & 1 == 1);
        class.map_or(last, |class| class + 1) as u8
    };
    let mut tiles: Vec<u8> = (0..key.shape.cell_count()).map(tile).collect();
    tiles[usize::from(state.blank)] = BLANK;
    tiles
}

const COLOURINGS: [(usize, usize, &str); 13] = [
    (2, 2, "ab b."),
    (2, 2, "aa a."),
    (2, 3, "aab b.a"),
    (3, 2, "ab ca .b"),
    (3, 3, "aab bcc cd."),
    (3, 3, "aaa .aa aaa"),
    (3, 3, "abc dea fg."),
    (2, 4, "aabb ccd."),
    (4, 2, "ab .b cc aa"),
    (2, 5, "aabbc cddd."),
    (3, 4, "aabb aacc bbc."),
    (3, 4, "abbb .bbb baab"),
    (2, 9, "aaabbbbbb bbbbbbbb."),
];

#[test]
fn every_entry_is_right() {
    for (rows, cols, drawn) in COLOURINGS {
        // The boards of 2x5 and 3x4 take most of the time.
        if (10..=12).contains(&(rows * cols)) && !are_long() {
            println!("{drawn} on {rows}x{cols} is left to long tests");
            continue;
        }
        let key = coloured(rows, cols, drawn);
        let index = ColourIndex::new(&key).expect("an index");
        let goal = tiles(&key, &ColourState::new(key.blank, key.classes()));
        let expected = slide_distances(rows, cols, &goal);
        let table = fresh(&TableKey::Coloured(key));
        assert_eq!(table.header.entry_count, expected.len() as u64, "{rows}x{cols} {drawn}");
        let mut histogram = vec![0; table.header.histogram.len()];
        for number in 0..index.entry_count() {
            let state = index.unrank(number);
            assert_eq!(index.rank(&state), number);
            let [horizontal, vertical] =
                expected[&tiles(&key, &state)].map(|distance| distance as u8);
            let entry = table.payload[number as usize];
            assert_eq!(
                entry,
                slides::pack(horizontal, vertical),
                "{rows}x{cols} {drawn} {state:?}"
            );
            assert!(slides::distance(entry, Axis::Horizontal) <= horizontal);
            assert!(slides::distance(entry, Axis::Vertical) <= vertical);
            histogram[usize::from(horizontal.min(vertical).min(31))] += 1;
        }
        assert_eq!(table.header.histogram, histogram);
    }
}

#[test]
fn images_of_a_colouring_share_its_table() {
    let goal = Goal::blank_last(shape(3, 3));
    // A A B/B C C/C B .
    let drawn = vec![vec![1, 2], vec![3, 4, 8], vec![5, 6, 7]];
    let plan = Plan::coloured(&goal, std::slice::from_ref(&drawn), true).expect("a plan");
    assert_eq!(plan.tables().len(), 1);
    // The same with rows as columns and other letters: C B A/C A B/B A .
    let turned = vec![vec![3, 5, 8], vec![2, 6, 7], vec![1, 4]];
    let both = Plan::coloured(&goal, &[drawn, turned], true).expect("a plan");
    assert_eq!(both, plan);
    // A colouring that is its own image is looked up once: A B C/B C A/C A .
    let symmetric = vec![vec![1, 6, 8], vec![2, 4], vec![3, 5, 7]];
    let plan = Plan::coloured(&goal, &[symmetric], true).expect("a plan");
    let pdb_core::PlanKind::Coloured { views } = plan.kind() else { panic!("{plan:?}") };
    assert_eq!(views.len(), 1);
}

#[test]
fn a_wrong_distance_breaks_a_rule() {
    let key = TableKey::Coloured(coloured(3, 3, "aab bcc cd."));
    let good = fresh(&key);
    for number in (0..good.payload.len()).step_by(997) {
        let [horizontal, vertical] =
            Axis::BOTH.map(|first| slides::distance(good.payload[number], first));
        if horizontal.min(vertical) == 0 || horizontal.abs_diff(vertical) > 1 {
            continue;
        }
        for (wrong, rule) in [(1, Rule::Slide), (-1, Rule::Lower)] {
            let mut table = good.clone();
            let wrong = slides::pack(horizontal.saturating_add_signed(wrong), vertical);
            table.payload[number] = wrong;
            let findings = found_at(Level::Entries, &key, &sealed(table));
            let Finding::Entries(entries) = &findings[0] else { panic!("{findings:?}") };
            assert_eq!((entries.count, entries.entry), (1, number as u64));
            assert_eq!(entries.found, u128::from(wrong));
            assert!(rules(&findings).contains(&rule), "{findings:?}");
        }
    }
}
