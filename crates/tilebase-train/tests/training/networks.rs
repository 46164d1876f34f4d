//! Training, and a comparison of a trainer's outputs with those of `pdb-lab`.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use pdb_lab::networks::{Learned, Network, SHIPPED, Weights};
use tilebase::pdb_lab::SearchName;
use tilebase::pdb_search::{Limits, Status, Weight};
use tilebase::{Goal, Shape, Tilebase};
use tilebase_train::{
    Curriculum, Labels, Loss, Recipe, Sampling, Session, Split, TrainError, Trainer, TrainingEnd,
    bands, judge, label, learn, overall, train,
};

use crate::{goal, manhattan, tables};

/// Returns labels of the 8-puzzle, computed once.
fn labels() -> &'static Split {
    static LABELS: OnceLock<Split> = OnceLock::new();
    LABELS.get_or_init(|| {
        let sampling = Sampling { roots: 6000, walk: 100, has_random: true, seed: 1 };
        label(&tables(2), &goal(), &sampling, &|_| true).unwrap()
    })
}

fn recipe(steps: u64) -> Recipe {
    Recipe {
        hidden: vec![64, 16],
        loss: Loss::Absolute,
        batch: 64,
        steps,
        rate: 0.002,
        dropout: 0.0,
        mirrors: true,
        seed: 1,
    }
}

fn session<'a>(checkpoint: Option<&'a Path>, stop: &'a AtomicBool) -> Session<'a> {
    Session { evaluate: 100, patience: None, checkpoint, stop }
}

/// Returns the file of a network that was trained with a recipe.
fn trained(recipe: &Recipe) -> Vec<u8> {
    let stop = AtomicBool::new(false);
    let (trainer, end) = train(labels(), recipe, &session(None, &stop), &mut |_| ()).unwrap();
    assert_eq!(end, TrainingEnd::Done);
    trainer.weights().write()
}

#[test]
fn trained_network_guides_a_search() {
    let mut weights = Weights::read(&trained(&recipe(5000))).unwrap().to_int8();
    let held_out = &labels().held_out;
    let measured = judge(&mut weights, held_out);
    let (error, _) = overall(&measured);
    let of_manhattan = bands(manhattan, held_out);
    assert!(error < 0.65, "{error}");
    for (band, manhattan) in measured.iter().zip(&of_manhattan) {
        assert!(band.error < manhattan.error / 3.0, "{band:?} {manhattan:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("8.safetensors");
    tilebase::pdb_gen::write_file(&path, &weights.write()).unwrap();
    let name = format!("net:{}", path.display());
    let expanded = |name: &str| {
        let tables = Tilebase::builder().spec(name).folder(folder.path()).lazy().unwrap();
        let engine = tables.engine(&goal()).unwrap();
        let board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
        let found = engine.search(SearchName::ASTAR, &board, Weight::ONE, Limits::default());
        let found = found.unwrap();
        let (Status::Optimal { moves } | Status::Solved { moves, .. }) = found.status else {
            panic!("{:?}", found.status)
        };
        assert!((31..=33).contains(&moves.len()), "{}", moves.len());
        found.expanded
    };
    let (network, manhattan) = (expanded(&name), expanded("manhattan"));
    assert!(4 * network < manhattan, "{network} {manhattan}");
}

#[test]
fn only_equal_seeds_give_equal_bytes() {
    let recipe = recipe(300);
    let first = trained(&recipe);
    assert_eq!(first, trained(&recipe));
    assert_ne!(first, trained(&Recipe { seed: 2, ..recipe.clone() }));
    assert_ne!(first, trained(&Recipe { loss: Loss::Squared, ..recipe }));
}

#[test]
fn resumed_training_ends_with_equal_bytes() {
    for dropout in [0.0, 0.2] {
        let recipe = Recipe { dropout, ..recipe(500) };
        let expected = trained(&recipe);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        let mut ends = Vec::new();
        let mut steps = BTreeSet::new();
        // Each run is stopped at its second check.
        let last = loop {
            let stop = AtomicBool::new(false);
            let mut looks = 0;
            let mut tell = |now: tilebase_train::TrainingProgress| {
                looks += 1;
                assert!(steps.insert(now.step), "a step is done once");
                stop.store(looks == 2, Ordering::Relaxed);
            };
            let (trainer, end) =
                train(labels(), &recipe, &session(Some(&path), &stop), &mut tell).unwrap();
            ends.push(end);
            if end != TrainingEnd::Stopped {
                break trainer;
            }
        };
        assert_eq!(ends, [TrainingEnd::Stopped, TrainingEnd::Stopped, TrainingEnd::Done]);
        assert_eq!(last.weights().write(), expected);
    }
}

#[test]
fn damaged_and_foreign_checkpoints_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let stop = AtomicBool::new(true);
    let session = session(Some(&path), &stop);
    train(labels(), &recipe(10), &session, &mut |_| ()).unwrap();
    let refused = |labels: &Split, recipe: &Recipe| {
        matches!(train(labels, recipe, &session, &mut |_| ()), Err(TrainError::Checkpoint { .. }))
    };
    assert!(!refused(labels(), &recipe(10)));
    assert!(refused(labels(), &recipe(11)));
    let other = Split { training: labels().held_out.clone(), held_out: labels().held_out.clone() };
    assert!(refused(&other, &recipe(10)));
    let bytes = std::fs::read(&path).unwrap();
    for at in [0, 20, bytes.len() / 2, bytes.len() - 1] {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        tilebase::pdb_gen::write_file(&path, &bytes).unwrap();
        assert!(refused(labels(), &recipe(10)), "{at}");
    }
    for length in [0, 31, 100, bytes.len() - 4] {
        tilebase::pdb_gen::write_file(&path, &bytes[..length]).unwrap();
        assert!(refused(labels(), &recipe(10)), "{length}");
    }
}

#[test]
fn training_ends_early_without_improvement() {
    let stop = AtomicBool::new(false);
    let session = Session { evaluate: 10, patience: Some(3), checkpoint: None, stop: &stop };
    // The step size is so large that the network does not learn.
    let recipe = Recipe { rate: 0.9, ..recipe(100_000) };
    let mut last = 0;
    let (_, end) = train(labels(), &recipe, &session, &mut |now| last = now.step).unwrap();
    assert!(end == TrainingEnd::Early && last < 5000, "{end:?} {last}");
}

#[test]
fn quantile_loss_makes_overestimates_rare() {
    let over = |loss| {
        let weights = Weights::read(&trained(&Recipe { loss, ..recipe(1500) })).unwrap();
        let learned = Learned::new(Network::new(&weights));
        overall(&bands(|boards| learned.estimates(boards), &labels().held_out)).1
    };
    let (low, middle) = (over(Loss::Quantile(0.95)), over(Loss::Absolute));
    assert!(low < 0.05 && low < middle / 2.0, "{low} {middle}");
}

#[test]
fn curriculum_learns_without_tables() {
    let goal = goal();
    let recipe =
        Recipe { loss: Loss::Squared, dropout: 0.1, mirrors: false, batch: 32, ..recipe(0) };
    let curriculum = Curriculum { stages: 20, boards: 60, epochs: 3 };
    let stop = AtomicBool::new(false);
    let mut stages = Vec::new();
    let mut tell = |stage| stages.push(stage);
    let held_out = &labels().held_out;
    let (trainer, seen) = learn(&goal, &recipe, &curriculum, held_out, &stop, &mut tell).unwrap();
    assert_eq!(stages.len(), 20);
    assert_eq!(stages.last().unwrap().labels, seen.len());
    assert!(stages.iter().all(|stage| stage.solved == 60));
    let near = |labels: &Labels| {
        let mut near = Labels::new(&goal);
        for number in (0..labels.len()).filter(|&n| labels.distance(n) <= 20) {
            near.push(&labels.board(number), labels.distance(number));
        }
        near
    };
    let near = near(held_out);
    let learned = Learned::new(Network::new(&trainer.weights()));
    let (error, _) = overall(&bands(|boards| learned.estimates(boards), &near));
    let (of_manhattan, _) = overall(&bands(manhattan, &near));
    assert!(error < of_manhattan / 2.0, "{error} {of_manhattan}");
    // The same seed gives the same bytes.
    let short = Curriculum { stages: 2, ..curriculum };
    let bytes = || {
        let learned = learn(&goal, &recipe, &short, held_out, &stop, &mut |_| ());
        learned.unwrap().0.weights().write()
    };
    assert_eq!(bytes(), bytes());
}

/// Returns boards of a shape at every distance that walks reach, with their distances if tables
/// exist.
fn boards(side: usize, count: usize) -> Labels {
    let folder = tempfile::tempdir().unwrap();
    let large = || Tilebase::builder().folder(folder.path()).spec("15/5-5-5").ensure().unwrap();
    let (tables, walk) = if side == 3 { (tables(2), 100) } else { (large(), 60) };
    let sampling = Sampling { roots: count / 10, walk, has_random: side == 3, seed: 77 };
    let goal = Goal::blank_last(Shape::new(side, side).unwrap());
    label(&tables, &goal, &sampling, &|_| true).unwrap().training.some(count)
}

#[test]
fn inference_agrees_with_training_on_ten_thousand_boards() {
    for (name, bytes) in SHIPPED {
        let weights = Weights::read(bytes).unwrap();
        let labels = boards(weights.shape().rows(), 10_000);
        assert_eq!(labels.len(), 10_000);
        let numbers: Vec<u32> = (0..labels.len() as u32).collect();
        let expected = Trainer::of_weights(&weights, &recipe(0)).outputs(&labels, &numbers);
        let mut floats = weights.clone();
        floats.layers.iter_mut().for_each(|layer| layer.scales = None);
        for (kind, weights, tolerance) in [("f32", floats, 1e-3), ("int8", weights, 2e-2)] {
            let network = Network::new(&weights);
            let off = |(number, output): (usize, &f32)| {
                (network.output(&labels.board(number)) - output).abs()
            };
            let worst = expected.iter().enumerate().map(off).fold(0f32, f32::max);
            assert!(worst < tolerance, "{name} {kind} {worst}");
        }
    }
}

/// A step moves each weight along its gradient, which is a difference quotient of the loss.
#[test]
fn gradients_are_difference_quotients() {
    let labels = &labels().training;
    let numbers: Vec<u32> = (0..64).collect();
    let recipe = Recipe { loss: Loss::Squared, mirrors: false, ..recipe(0) };
    let trainer = Trainer::new(labels.goal(), &recipe);
    let loss = |weights: &Weights| {
        let outputs = Trainer::of_weights(weights, &recipe).outputs(labels, &numbers);
        let square = |(output, &number): (&f32, &u32)| {
            (f64::from(*output) - f64::from(labels.distance(number as usize))).powi(2)
        };
        outputs.iter().zip(&numbers).map(square).sum::<f64>() / 64.0
    };
    let before = trainer.weights();
    let mut after = Trainer::of_weights(&before, &recipe);
    after.step(labels, &numbers);
    let after = after.weights();
    // The first step of Adam has one size for each weight, with the sign of its gradient.
    for layer in 0..before.layers.len() {
        let mut checked = 0;
        for place in (0..before.layers[layer].weights.len()).step_by(7) {
            let quotient = |offset: f32| {
                let mut moved = before.clone();
                moved.layers[layer].weights[place] += offset;
                loss(&moved)
            };
            let slope = (quotient(1e-2) - quotient(-1e-2)) / 2e-2;
            let moved = after.layers[layer].weights[place] - before.layers[layer].weights[place];
            if slope.abs() > 0.1 {
                assert!(f64::from(moved) * slope < 0.0, "{layer} {place}: {moved} {slope}");
                checked += 1;
            }
        }
        assert!(checked > 0, "layer {layer}");
    }
}

#[test]
fn loaded_weights_are_trained_further() {
    let weights = Weights::read(&trained(&recipe(200))).unwrap();
    let trainer = Trainer::of_weights(&weights, &recipe(200));
    assert_eq!(Weights { notes: weights.notes.clone(), ..trainer.weights() }, weights);
}
