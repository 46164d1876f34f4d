//! `tilebase train`: a network that estimates distances.

use std::fs;
use std::io::Write as _;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use pdb_core::Heuristic;
use pdb_search::Manhattan;
use serde::Serialize;
use tilebase::names::GoalChoice;
use tilebase::{Board, Goal, Shape};
use tilebase_train::{
    Band, Curriculum, Labels, Loss, MEASURED_ON, OrderProgress, OrderRecipe, Recipe, Sampling,
    Session, Split, TrainError, TrainingEnd, bands, judge, label, learn, overall, table, train,
    train_order,
};

use crate::args::{GoalArgs, Machine, number};
use crate::choices::{Choices, Format, TEXT_NDJSON, one_of};
use crate::console::Console;
use crate::failure::{Verdict, usage};
use crate::help;
use crate::interrupt;
use crate::output::{OutputTarget, bytes, count, naming_option, seconds, shown};
use crate::record;

/// Limits on the widths and the number of hidden layers.
const WIDTH_MAX: usize = 4096;
const LAYERS_MAX: usize = 8;
/// Largest width of a beam, whose layers are all kept in memory.
const BEAM_WIDTH_MAX: NonZeroU32 = NonZeroU32::new(100_000).expect("it is not 0");

/// Arguments of `tilebase train`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("a network for the 15-puzzle, with labels from the tables of 15/7-8",
     "tilebase train --size 4x4 --spec 15/7-8 --out 15.safetensors"),
    ("use it", r#"tilebase solve --spec net:15.safetensors "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1""#),
    ("the order of a beam on 5x5, which needs no tables", "tilebase train --order --size 5x5"),
]))]
#[command(next_help_heading = help::TRAINING)]
pub(crate) struct Args {
    #[command(flatten)]
    goal: GoalArgs,
    /// Number of boards to solve for labels; every board on their solutions gets a label [default:
    /// 200,000; with --order 4,000]
    #[arg(long, value_name = "N", help_heading = help::BOARDS,
        value_parser = number::<usize>(1..=usize::MAX))]
    boards: Option<usize>,
    /// Learn the order in which a beam keeps boards, instead of distances. It learns from boards
    /// that the beam solves, walks that become longer, and needs no tables
    #[arg(long, conflicts_with_all = ["goal", "walk", "walks_only", "curriculum", "layers", "loss",
        "steps", "batch", "rate", "evaluate", "patience", "precision", "checkpoint", "spec"])]
    order: bool,
    /// Number of boards that a layer of the beam keeps
    #[arg(long, value_name = "N", default_value = "1000", requires = "order",
        value_parser = number::<NonZeroU32>(NonZeroU32::MIN..=BEAM_WIDTH_MAX))]
    width: NonZeroU32,
    /// Longest random walk from the goal; half of the boards are walks of up to this many moves
    #[arg(long, value_name = "MOVES", default_value_t = 80, help_heading = help::BOARDS,
        value_parser = number::<usize>(1..=usize::MAX))]
    walk: usize,
    /// Take only walks; random boards of large shapes take too long to solve
    #[arg(long, help_heading = help::BOARDS)]
    walks_only: bool,
    /// Learn from the network's own solutions instead of labels from tables: 200 walks of each
    /// length from 1 to 35, as P. Jensen did
    #[arg(long, value_enum)]
    curriculum: Option<CurriculumName>,
    /// The longest walk of the curriculum
    #[arg(long, value_name = "MOVES", default_value_t = 35, requires = "curriculum",
        value_parser = number::<usize>(1..=usize::MAX))]
    stages: usize,
    /// Number of boards of each length in the curriculum
    #[arg(long, value_name = "N", default_value_t = 200, requires = "curriculum",
        value_parser = number::<usize>(1..=usize::MAX))]
    stage_boards: usize,
    /// Number of epochs on all previous boards after each length of the curriculum
    #[arg(long, value_name = "N", default_value_t = 25, requires = "curriculum",
        value_parser = number::<usize>(0..=usize::MAX))]
    epochs: usize,
    /// Widths of the hidden layers [default: 512,64,32; with --curriculum 512,1024,512]
    #[arg(long, value_name = "N,N,..", value_delimiter = ',',
        value_parser = number::<usize>(1..=WIDTH_MAX))]
    layers: Vec<usize>,
    /// The loss: squared, absolute, or a quantile such as 0.9, the share of estimates that should
    /// not exceed the distance [default: absolute; with --curriculum squared]
    #[arg(long, value_name = "LOSS", value_parser = loss)]
    loss: Option<Loss>,
    /// Number of steps of Adam
    #[arg(long, value_name = "N", default_value_t = 40_000, conflicts_with = "curriculum",
        value_parser = number::<u64>(1..=u64::MAX))]
    steps: u64,
    /// Number of boards per step
    #[arg(long, value_name = "N", default_value_t = 1024,
        value_parser = number::<usize>(1..=usize::MAX))]
    batch: usize,
    /// The largest step size [default: 0.002; with --curriculum 0.001]
    #[arg(long, value_name = "RATE", value_parser = rate)]
    rate: Option<f64>,
    /// Number of steps between evaluations on the held-out boards
    #[arg(long, value_name = "N", default_value_t = 1000, conflicts_with = "curriculum",
        value_parser = number::<u64>(1..=u64::MAX))]
    evaluate: u64,
    /// Stop after this many evaluations in a row without improvement
    #[arg(long, value_name = "N", conflicts_with = "curriculum",
        value_parser = number::<u32>(1..=u32::MAX))]
    patience: Option<u32>,
    /// Seed of boards, weights and order: the same seed gives the same file
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = number::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Number format of the weights
    #[arg(long, value_parser = one_of(PRECISIONS), default_value = "int8", help_heading = help::OUTPUT)]
    precision: &'static str,
    /// The file of the network [default: net.safetensors; with --order SIZE.order, such as
    /// 5x5.order]
    #[arg(long, short, value_name = "FILE", help_heading = help::OUTPUT)]
    out: Option<PathBuf>,
    /// Checkpoint file; the same command resumes from it after Ctrl-C [default: the file of the
    /// network with .ckpt appended]
    #[arg(long, value_name = "FILE", conflicts_with = "curriculum", help_heading = help::OUTPUT)]
    checkpoint: Option<PathBuf>,
    /// Output format
    #[arg(long, value_parser = one_of(TEXT_NDJSON), default_value = "text", help_heading = help::OUTPUT)]
    format: Format,
    /// Shipped spec or .toml file whose tables give the labels [default: the best spec that is
    /// built or that there is room for]
    #[arg(long, value_name = "NAME|FILE", help_heading = help::TABLES)]
    spec: Option<String>,
    #[command(flatten)]
    machine: Machine,
}

/// Curricula of self-training.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum CurriculumName {
    /// That of P. Jensen, "Solving the 15-Puzzle" (2017)
    Jensen,
}

const INT8: &str = "int8";
/// Number formats of weights.
const PRECISIONS: Choices<&str> = &[
    (INT8, "Eight bits and a scale per output: a quarter of the bytes", INT8),
    ("f32", "32-bit floating point", "f32"),
];

fn rate(text: &str) -> Result<f64, String> {
    let is_right = |&rate: &f64| rate > 0.0 && rate <= 1.0;
    let problem = || "expected a number above 0 and up to 1, such as 0.002".to_owned();
    text.parse().ok().filter(is_right).ok_or_else(problem)
}

fn loss(text: &str) -> Result<Loss, String> {
    match text {
        "squared" => Ok(Loss::Squared),
        "absolute" => Ok(Loss::Absolute),
        share => match share.parse() {
            Ok(share) if share > 0.0 && share < 1.0 => Ok(Loss::Quantile(share)),
            _ => {
                Err("expected squared, absolute, or a share between 0 and 1 such as 0.9".to_owned())
            }
        },
    }
}

/// Record of a finished training.
#[derive(Debug, Serialize)]
struct Report {
    file: String,
    bytes: usize,
    weights: usize,
    layers: Vec<usize>,
    precision: &'static str,
    labels: usize,
    held_out: usize,
    end: TrainingEnd,
    seconds: f64,
    /// The boards on which `error`, `manhattan`, `mean_error` and `over` were measured.
    measured_on: &'static str,
    /// Errors of the network, by distance.
    error: Vec<Band>,
    /// Manhattan distance on the same boards.
    manhattan: Vec<Band>,
    mean_error: f64,
    over: f64,
}

/// Record of a finished training of an order.
#[derive(Debug, Serialize)]
struct OrderReport {
    file: String,
    bytes: usize,
    shape: String,
    boards: usize,
    width: u32,
    seed: u64,
    seconds: f64,
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let started = Instant::now();
        self.check()?;
        if self.order {
            return self.train_order(console);
        }
        let goal = self.goal.of_shape(self.goal.read(None)?.1.unwrap_or_default())?;
        let recipe = self.recipe();
        let (weights, labels, held_out, end) =
            interrupt::orderly(|| self.train(&goal, &recipe, console))?;
        if end == TrainingEnd::Stopped {
            let checkpoint = self.checkpoint();
            console.note(format_args!(
                "stopped: the same command resumes it from {}",
                shown(&checkpoint)
            ));
            return Ok(Verdict::Bad);
        }
        let mut weights = if self.precision == INT8 { weights.to_int8() } else { weights };
        let mut note = |key: &str, text: String| weights.notes.insert(key.to_owned(), text);
        note("labels", self.labels_text(labels.len()));
        note("held_out", held_out.len().to_string());
        note("seed", self.seed.to_string());
        note("data_digest", labels.digest());
        note("recipe", serde_json::to_string(&recipe)?);
        let widths: Vec<_> = weights.widths().iter().map(ToString::to_string).collect();
        weights.notes.insert("layers".to_owned(), widths.join("-"));
        let error = judge(&mut weights, &held_out);
        let file = weights.write();
        OutputTarget::file("--out", &self.out()).write(console, &file)?;
        if self.curriculum.is_none() {
            // The network is written, so a checkpoint that cannot be removed is not an error.
            let _ = fs::remove_file(self.checkpoint());
        }
        let (mean_error, over) = overall(&error);
        let manhattan = Manhattan::new(&goal);
        let of_manhattan = |boards: &[Board]| {
            let root = |board| manhattan.root(board).expect("there is no table").1;
            boards.iter().map(root).collect()
        };
        let report = Report {
            file: self.out().to_string_lossy().into_owned(),
            bytes: file.len(),
            weights: weights.count(),
            layers: weights.widths(),
            precision: self.precision,
            labels: labels.len(),
            held_out: held_out.len(),
            end,
            seconds: (started.elapsed().as_secs_f64() * 1e3).round() / 1e3,
            measured_on: MEASURED_ON,
            manhattan: bands(of_manhattan, &held_out),
            error,
            mean_error,
            over,
        };
        match self.format {
            Format::Ndjson => record::write_json(console, &report)?,
            _ => write!(console, "{}", report.text())?,
        }
        Ok(Verdict::Good)
    }

    fn check(&self) -> anyhow::Result<()> {
        if self.layers.len() > LAYERS_MAX {
            return Err(usage(format!(
                "--layers has {} widths: expected at most {LAYERS_MAX}",
                self.layers.len()
            )));
        }
        OutputTarget::file("--out", &self.out()).prepare()
    }

    fn recipe(&self) -> Recipe {
        let is_curriculum = self.curriculum.is_some();
        let hidden = match (&self.layers[..], is_curriculum) {
            ([], true) => vec![512, 1024, 512],
            ([], false) => vec![512, 64, 32],
            (layers, _) => layers.to_vec(),
        };
        Recipe {
            hidden,
            loss: self.loss.unwrap_or(if is_curriculum { Loss::Squared } else { Loss::Absolute }),
            batch: self.batch,
            steps: if is_curriculum { 0 } else { self.steps },
            rate: self.rate.unwrap_or(if is_curriculum { 0.001 } else { 0.002 }),
            dropout: if is_curriculum { 0.1 } else { 0.0 },
            mirrors: !is_curriculum,
            seed: self.seed,
        }
    }

    fn boards(&self) -> usize {
        let default = if self.order { OrderRecipe::default().boards } else { 200_000 };
        self.boards.unwrap_or(default)
    }

    fn out(&self) -> PathBuf {
        let default = || {
            if self.order { format!("{}.order", self.shape()) } else { "net.safetensors".into() }
        };
        self.out.clone().unwrap_or_else(|| default().into())
    }

    /// Returns the shape of boards of an order.
    fn shape(&self) -> Shape {
        self.goal.size.unwrap_or_default()
    }

    /// Trains the order of a beam.
    fn train_order(&self, console: &mut Console) -> anyhow::Result<Verdict> {
        let started = Instant::now();
        let recipe = OrderRecipe {
            boards: self.boards(),
            width: self.width,
            seed: self.seed,
            ..OrderRecipe::default()
        };
        let mut tell = |now: OrderProgress| {
            console.note(format_args!(
                "{} boards: walks of up to {}, {} of {} solved in {:.1} moves, {:.1} % of pairs in order, {}",
                count(now.boards as u64),
                count(now.walk as u64),
                now.solved,
                now.round,
                now.length,
                now.right * 100.0,
                seconds(started.elapsed().as_secs_f64()),
            ));
        };
        let network = interrupt::orderly(|| {
            train_order(self.shape(), &recipe, interrupt::flag(), &mut tell)
        })?;
        let file = network.write();
        OutputTarget::file("--out", &self.out()).write(console, &file)?;
        let report = OrderReport {
            file: self.out().to_string_lossy().into_owned(),
            bytes: file.len(),
            shape: self.shape().to_string(),
            boards: recipe.boards,
            width: recipe.width.get(),
            seed: recipe.seed,
            seconds: (started.elapsed().as_secs_f64() * 1e3).round() / 1e3,
        };
        match self.format {
            Format::Ndjson => record::write_json(console, &report)?,
            _ => writeln!(
                console,
                "{}: {}, the order of a beam on {}, learned from {} boards in {}",
                report.file,
                bytes(report.bytes as u64),
                report.shape,
                count(report.boards as u64),
                seconds(report.seconds),
            )?,
        }
        Ok(Verdict::Good)
    }

    fn checkpoint(&self) -> PathBuf {
        self.checkpoint.clone().unwrap_or_else(|| {
            let mut name = self.out().into_os_string();
            name.push(".ckpt");
            name.into()
        })
    }

    /// Describes the training boards.
    fn labels_text(&self, labels: usize) -> String {
        if self.curriculum.is_some() {
            return format!(
                "{labels} boards on solutions that A* with the network itself found, of {} walks of each \
                 length from 1 to {}",
                self.stage_boards, self.stages
            );
        }
        let kinds = if self.walks_only { "walks" } else { "random boards and walks" };
        format!(
            "{labels} boards on shortest solutions of {} {kinds} of up to {} moves, solved with tables",
            self.boards(),
            self.walk
        )
    }

    /// Trains the network. Returns it with the training labels, the held-out labels, and the way in
    /// which the training ended.
    fn train(
        &self,
        goal: &Goal,
        recipe: &Recipe,
        console: &Console,
    ) -> anyhow::Result<(pdb_lab::networks::Weights, Labels, Labels, TrainingEnd)> {
        let split = self.label(goal, console)?;
        if self.curriculum.is_some() {
            let curriculum =
                Curriculum { stages: self.stages, boards: self.stage_boards, epochs: self.epochs };
            let held_out = split.held_out;
            let (trainer, labels) = learn(
                goal,
                recipe,
                &curriculum,
                &held_out,
                interrupt::flag(),
                &mut |stage| {
                    console.note(format_args!(
                        "walks of {}: {} solved, {:.1} boards expanded, {} labels, held-out error {:.3}",
                        stage.walk,
                        stage.solved,
                        stage.expanded,
                        count(stage.labels as u64),
                        stage.error,
                    ));
                },
            )?;
            return Ok((trainer.weights(), labels, held_out, TrainingEnd::Done));
        }
        let checkpoint = self.checkpoint();
        let session = Session {
            evaluate: self.evaluate,
            patience: self.patience,
            checkpoint: Some(&checkpoint),
            stop: interrupt::flag(),
        };
        let begun = Instant::now();
        let mut tell = |now: tilebase_train::TrainingProgress| {
            console.note(format_args!(
                "step {} of {}: loss {:.4}, held-out error {:.3} (best {:.3}), {}",
                count(now.step),
                count(now.steps),
                now.loss,
                now.error,
                now.best,
                seconds(begun.elapsed().as_secs_f64()),
            ));
        };
        let trained = train(&split, recipe, &session, &mut tell);
        let (trainer, end) =
            trained.map_err(|error| naming_option("--checkpoint", &checkpoint, error))?;
        Ok((trainer.weights(), split.training, split.held_out, end))
    }

    /// Returns labels from tables; the curriculum uses only the held-out ones.
    fn label(&self, goal: &Goal, console: &Console) -> anyhow::Result<Split> {
        let mut builder = self.machine.builder(console.progress)?;
        builder = builder.shape(goal.shape()).goal(GoalChoice::Drawn(*goal));
        if let Some(spec) = &self.spec {
            builder = builder.spec(spec);
        }
        let tables = builder.lazy()?;
        let boards = self.boards();
        let roots = if self.curriculum.is_some() { boards.min(20_000) } else { boards };
        let sampling =
            Sampling { roots, walk: self.walk, has_random: !self.walks_only, seed: self.seed };
        let begun = Instant::now();
        let split = label(&tables, goal, &sampling, &|_| !interrupt::is_set())
            .map_err(|error| match error {
                TrainError::Tables(error) => anyhow::Error::from(error),
                error => error.into(),
            })
            .context("cannot make labels")?;
        console.note(format_args!(
            "{} boards solved: {} labels, {} held out, all on solutions, {}",
            count(roots as u64),
            count(split.training.len() as u64),
            count(split.held_out.len() as u64),
            seconds(begun.elapsed().as_secs_f64()),
        ));
        Ok(split)
    }
}

impl Report {
    fn text(&self) -> String {
        let widths: Vec<_> = self.layers.iter().map(ToString::to_string).collect();
        format!(
            "{}: {}, {} weights ({}, {}), trained on {} boards in {}\n\n{}",
            self.file,
            bytes(self.bytes as u64),
            count(self.weights as u64),
            widths.join("-"),
            self.precision,
            count(self.labels as u64),
            seconds(self.seconds),
            table(&self.error, &self.manhattan),
        )
    }
}
