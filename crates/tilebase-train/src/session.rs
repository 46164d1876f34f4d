//! A training with checkpoints, from the first step to the last.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fs, io};

use serde::{Deserialize, Serialize};
use tilebase::pdb_gen::write_file;

use crate::chain::Adam;
use crate::dice::Purpose;
use crate::{Labels, Recipe, Split, TrainError, Trainer};

/// First bytes of each checkpoint.
const MAGIC: &str = "tilebase-train-2 ";
/// Largest number of held-out boards in an evaluation.
const HELD_OUT_MAX: usize = 20_000;
/// Size of the digest at the end of a checkpoint, in bytes.
const DIGEST_BYTES: usize = 32;

/// Evaluations, checkpoints and the stop flag of a training.
#[derive(Clone, Copy, Debug)]
pub struct Session<'a> {
    /// Number of steps from one evaluation on held-out boards to the next.
    pub evaluate: u64,
    /// The training ends after this number of evaluations in a row without an improvement.
    pub patience: Option<u32>,
    /// The file of the checkpoint. It is read at the start, and written at each evaluation and when
    /// the training stops.
    pub checkpoint: Option<&'a Path>,
    /// The flag that stops the training.
    pub stop: &'a AtomicBool,
}

/// The progress of a training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TrainingProgress {
    /// Number of steps done.
    pub step: u64,
    /// Total number of steps.
    pub steps: u64,
    /// The mean loss since the last evaluation.
    pub loss: f64,
    /// The mean error of outputs on held-out boards, in moves.
    pub error: f64,
    /// The smallest mean error so far, in moves.
    pub best: f64,
}

/// The reason why a training ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TrainingEnd {
    /// All steps were done.
    Done,
    /// The last evaluations brought no improvement.
    Early,
    /// The caller stopped it; it can continue from the checkpoint.
    Stopped,
}

/// The text part of a checkpoint, before the numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedState {
    recipe: Recipe,
    data_digest: String,
    step: u64,
    /// Number of evaluations in a row without an improvement.
    strikes: u32,
    best: Option<f64>,
}

/// The best parameters so far, and their error.
#[derive(Default)]
struct Best {
    error: Option<f64>,
    values: Vec<f32>,
    strikes: u32,
}

/// Trains a network on labels. Returns the network with the smallest error on held-out boards.
///
/// On one machine, the same recipe and labels give the same network, byte for byte, even if the
/// training was resumed.
///
/// # Errors
/// [`TrainError::Checkpoint`] if the checkpoint is damaged or belongs to another training.
pub fn train(
    labels: &Split,
    recipe: &Recipe,
    session: &Session<'_>,
    tell: &mut dyn FnMut(TrainingProgress),
) -> Result<(Trainer, TrainingEnd), TrainError> {
    let training = &labels.training;
    if training.is_empty() || labels.held_out.is_empty() {
        return Err(TrainError::NoLabels);
    }
    let digest = training.digest();
    let mut trainer = Trainer::new(training.goal(), recipe);
    let mut best = Best::default();
    if let Some(path) = session.checkpoint {
        resume(path, &mut trainer, &mut best, &digest)?;
    }
    let held_out = labels.held_out.some(HELD_OUT_MAX);
    let (mut loss, mut count) = (0.0, 0u64);
    let mut epoch = Epoch::default();
    let mut end = TrainingEnd::Done;
    while trainer.step < recipe.steps {
        if session.stop.load(Ordering::Relaxed) {
            end = TrainingEnd::Stopped;
            break;
        }
        let numbers = epoch.batch(training, recipe, trainer.step);
        loss += f64::from(trainer.step(training, numbers));
        count += 1;
        let is_last = trainer.step == recipe.steps;
        if !is_last && !trainer.step.is_multiple_of(session.evaluate.max(1)) {
            continue;
        }
        let error = error(&trainer, &held_out);
        best.meet(error, &trainer);
        let (step, steps) = (trainer.step, recipe.steps);
        tell(TrainingProgress {
            step,
            steps,
            loss: loss / count as f64,
            error,
            best: best.error.unwrap_or(error),
        });
        (loss, count) = (0.0, 0);
        if let Some(path) = session.checkpoint {
            write(path, &trainer, &best, &digest)?;
        }
        if session.patience.is_some_and(|patience| best.strikes >= patience) {
            end = TrainingEnd::Early;
            break;
        }
    }
    if let (TrainingEnd::Stopped, Some(path)) = (end, session.checkpoint) {
        write(path, &trainer, &best, &digest)?;
    }
    if best.error.is_some() {
        trainer.chain.values = best.values;
    }
    Ok((trainer, end))
}

/// The order of the boards of an epoch.
#[derive(Default)]
struct Epoch {
    number: Option<u64>,
    order: Vec<u32>,
}

impl Epoch {
    /// Returns the boards of a step. Each epoch has all boards in a new order, without the last
    /// boards that do not fill a batch.
    fn batch(&mut self, labels: &Labels, recipe: &Recipe, step: u64) -> &[u32] {
        let batch = recipe.batch.clamp(1, labels.len());
        let batches = (labels.len() / batch) as u64;
        let number = step / batches;
        if self.number != Some(number) {
            self.order = (0..labels.len() as u32).collect();
            Purpose::Order.dice(recipe.seed, number).shuffle(&mut self.order);
            self.number = Some(number);
        }
        &self.order[(step % batches) as usize * batch..][..batch]
    }
}

impl Best {
    fn meet(&mut self, error: f64, trainer: &Trainer) {
        if self.error.is_none_or(|best| error < best) {
            self.error = Some(error);
            self.values.clone_from(&trainer.chain.values);
            self.strikes = 0;
        } else {
            self.strikes += 1;
        }
    }
}

/// Returns the mean error of the outputs, in moves.
pub(crate) fn error(trainer: &Trainer, labels: &Labels) -> f64 {
    let numbers: Vec<u32> = (0..labels.len() as u32).collect();
    let outputs = trainer.outputs(labels, &numbers);
    let errors = outputs.iter().zip(&numbers).map(|(output, &number)| {
        f64::from((output - f32::from(labels.distance(number as usize))).abs())
    });
    errors.sum::<f64>() / labels.len() as f64
}

fn write(path: &Path, trainer: &Trainer, best: &Best, digest: &str) -> Result<(), TrainError> {
    let state = SavedState {
        recipe: trainer.recipe.clone(),
        data_digest: digest.to_owned(),
        step: trainer.step,
        strikes: best.strikes,
        best: best.error,
    };
    let state = serde_json::to_string(&state).expect("numbers and texts are JSON");
    let mut bytes = format!("{MAGIC}{state}\n").into_bytes();
    let Adam { means, squares, decays } = &trainer.adam;
    for values in [&trainer.chain.values, means, squares, &decays[..], &best.values] {
        bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    }
    let digest = blake3::hash(&bytes);
    bytes.extend_from_slice(digest.as_bytes());
    write_file(path, &bytes).map_err(|error| TrainError::Write { source: error.into() })
}

/// Continues from a checkpoint, if there is one.
fn resume(
    path: &Path,
    trainer: &mut Trainer,
    best: &mut Best,
    digest: &str,
) -> Result<(), TrainError> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        bytes => bytes.map_err(|source| TrainError::Read { path: path.into(), source })?,
    };
    let problem =
        |problem: &str| TrainError::Checkpoint { path: path.into(), problem: problem.to_owned() };
    let (bytes, found) =
        bytes.split_last_chunk::<DIGEST_BYTES>().ok_or_else(|| problem("is too short"))?;
    if blake3::hash(bytes).as_bytes() != found {
        return Err(problem("is damaged: its digest is another one"));
    }
    let text = bytes.strip_prefix(MAGIC.as_bytes()).ok_or_else(|| problem("is none"))?;
    let end = text.iter().position(|&byte| byte == b'\n').ok_or_else(|| problem("is none"))?;
    let state: SavedState =
        serde_json::from_slice(&text[..end]).map_err(|error| problem(&error.to_string()))?;
    if state.recipe != trainer.recipe {
        return Err(problem("is of another recipe: name another file, or give the same arguments"));
    }
    if state.data_digest != digest {
        return Err(problem("is of other labels: name another file, or give the same arguments"));
    }
    let mut numbers =
        text[end + 1..].as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes));
    let Adam { means, squares, decays } = &mut trainer.adam;
    if state.best.is_some() {
        best.values = vec![0.0; trainer.chain.values.len()];
    }
    for values in [&mut trainer.chain.values, means, squares, &mut decays[..], &mut best.values] {
        for value in values {
            *value = numbers.next().ok_or_else(|| problem("is too short"))?;
        }
    }
    best.error = state.best;
    best.strikes = state.strikes;
    trainer.step = state.step;
    Ok(())
}
