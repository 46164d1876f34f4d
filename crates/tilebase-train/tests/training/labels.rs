//! Labels and measures.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use pdb_lab::networks::{Layer, Learned, Network, Weights};
use tilebase::{Goal, Tilebase};
use tilebase_train::{Band, Labels, Sampling, TrainError, bands, judge, label, overall, table};

use crate::{goal, manhattan, tables};

const SAMPLING: Sampling = Sampling { roots: 1000, walk: 60, has_random: true, seed: 3 };

#[test]
fn labels_are_exact_and_the_same_for_any_number_of_threads() {
    let one = label(&tables(1), &goal(), &SAMPLING, &|_| true).unwrap();
    let three = label(&tables(3), &goal(), &SAMPLING, &|_| true).unwrap();
    assert_eq!(one, three);
    assert_eq!(one.training.digest(), three.training.digest());
    let other = Sampling { seed: 4, ..SAMPLING };
    let other = label(&tables(1), &goal(), &other, &|_| true).unwrap();
    assert_ne!(one.training.digest(), other.training.digest());
    // The expected distances come from an independent breadth-first search of all boards.
    let distances = pdb_oracle::distances(3, 3, &[1, 2, 3, 4, 5, 6, 7, 8, 0]);
    for labels in [&one.training, &one.held_out] {
        for number in 0..labels.len() {
            let tiles = labels.tiles(number).to_vec();
            assert_eq!(u32::from(labels.distance(number)), distances[&tiles]);
        }
    }
    let share = one.held_out.len() as f64 / (one.training.len() + one.held_out.len()) as f64;
    assert!((0.03..0.08).contains(&share), "{share}");
}

#[test]
fn labelling_stops_on_request() {
    let told = AtomicUsize::new(0);
    let tell = |done| {
        told.store(done, Ordering::Relaxed);
        false
    };
    let stopped = label(&tables(1), &goal(), &SAMPLING, &tell);
    assert!(matches!(stopped, Err(TrainError::Stopped)));
    assert!(told.into_inner() < SAMPLING.roots);
}

#[test]
fn heuristics_that_may_overestimate_give_no_labels() {
    let folder = tempfile::tempdir().unwrap();
    let tables = Tilebase::builder().spec("net:8").folder(folder.path()).lazy().unwrap();
    let refused = label(&tables, &goal(), &SAMPLING, &|_| true);
    assert!(matches!(refused, Err(TrainError::NotOptimal { .. })));
}

/// Returns Manhattan distance as a network: a single layer.
fn manhattan_network(goal: &Goal, bias: f32) -> Weights {
    let shape = goal.shape();
    let cells = shape.cell_count();
    let distance = |input: usize| match (input / cells, input % cells) {
        (0, _) => 0.0,
        (tile, cell) => shape.distance(cell as u8, goal.home(tile as u8)) as f32,
    };
    let layer = Layer {
        inputs: cells * cells,
        outputs: 1,
        weights: (0..cells * cells).map(distance).collect(),
        biases: vec![bias],
        scales: None,
    };
    Weights { goal: *goal, layers: vec![layer], notes: BTreeMap::new() }
}

#[test]
fn manhattan_network_has_the_errors_of_manhattan_distance() {
    let labels = label(&tables(1), &goal(), &SAMPLING, &|_| true).unwrap().training;
    let mut weights = manhattan_network(&goal(), 0.0);
    let measured = judge(&mut weights, &labels);
    assert_eq!(measured, bands(manhattan, &labels));
    let (error, over) = overall(&measured);
    assert!(error > 1.0 && over.abs() < 1e-9, "{error} {over}");
    assert_eq!(measured.iter().map(|band| band.boards).sum::<usize>(), labels.len());
    assert_eq!(measured.first().unwrap().from, 0);
    assert_eq!(measured.last().unwrap().to, labels.greatest());
    // Estimates that are never too large need no shift.
    let shifts = weights.shifts().unwrap();
    assert!(shifts.len() == 3 && shifts.iter().all(|s| s.moves.iter().all(|&m| m <= 0.0)));
}

#[test]
fn table_of_errors_names_its_boards() {
    let band = |error| Band { from: 16, to: 25, boards: 200, error, bias: -0.5, over: 0.25 };
    assert_eq!(
        table(&[band(0.75)], &[band(2.5)]),
        "errors on held-out boards on ways to the goal; on random boards they are usually larger\n\
         distance    boards   error    bias  too large   Manhattan's error\n\
         16-25          200   0.750  -0.500      25.0%               2.500\n"
    );
}

#[test]
fn shifts_leave_at_most_the_promised_share_too_large() {
    let sampling = Sampling { roots: 4000, ..SAMPLING };
    let labels = label(&tables(2), &goal(), &sampling, &|_| true).unwrap().training;
    // The estimates are far too large at small distances.
    let mut weights = manhattan_network(&goal(), 9.0);
    let as_it_is = overall(&judge(&mut weights, &labels)).1;
    assert!(as_it_is > 0.3, "{as_it_is}");
    let measure = |share: &str, labels: &Labels| {
        let learned = Learned::with_share(Network::new(&weights), share).unwrap();
        overall(&bands(|boards| learned.estimates(boards), labels)).1
    };
    let (tenth, hundredth) = (measure("0.9", &labels), measure("0.99", &labels));
    assert!(tenth < 0.11 && hundredth < 0.012 && hundredth <= tenth, "{tenth} {hundredth}");
    assert!(weights.notes["shift_measured"].contains("0.99"));
}
