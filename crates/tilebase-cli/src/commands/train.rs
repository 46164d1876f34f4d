//! `tilebase train`: a network that estimates distances.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use pdb_core::Heuristic;
use pdb_gen::write_file;
use pdb_search::heuristics::Manhattan;
use serde::Serialize;
use tilebase::{Board, Goal, GoalChoice, Shape, Tilebase};
use tilebase_train::{
    Band, Curriculum, End, Labels, Loss, MEASURED_ON, Recipe, Sampling, Session, Split, TrainError,
    bands, judge, label, learn, overall, table, train,
};

use crate::args::{self, MemoryArg, OutputFormat, Threads};
use crate::failure::{Verdict, usage};
use crate::folder::Folder;
use crate::help;
use crate::interrupt;
use crate::output::{Output, bytes, count, seconds};
use crate::progress::Progress;

/// Networks are at most so wide and so deep.
const WIDTH_MAX: usize = 4096;
const LAYERS_MAX: usize = 8;

/// Arguments of `tilebase train`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("a network for the 15-puzzle, with labels from the tables of 15/7-8",
     "tilebase train --size 4x4 --spec 15/7-8 --out 15.safetensors"),
    ("use it", r#"tilebase solve --spec net:15.safetensors "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1""#),
    ("P. Jensen's curriculum, which needs no tables but to measure",
     "tilebase train --curriculum jensen --out jensen.safetensors"),
]))]
pub(crate) struct Args {
    /// Rows and columns of the boards
    #[arg(long, value_name = "RxC", value_parser = args::shape, default_value = "4x4",
        help_heading = help::BOARDS)]
    size: Shape,
    /// blank-last, blank-first, snail, a board, or a file with one
    #[arg(long, value_name = "NAME|BOARD|FILE", default_value = "blank-last",
        help_heading = help::BOARDS)]
    goal: String,
    /// Boards that are solved for labels: every board on the way of each is labelled
    #[arg(long, value_name = "N", default_value_t = 200_000, help_heading = help::BOARDS)]
    boards: usize,
    /// The longest random walk from the goal: half of the boards are walks of up to so many moves
    #[arg(long, value_name = "MOVES", default_value_t = 80, help_heading = help::BOARDS)]
    walk: usize,
    /// Take walks alone and no random boards, which are out of reach on large boards
    #[arg(long, help_heading = help::BOARDS)]
    walks_only: bool,
    /// Learn from solutions of its own in place of labels from tables: 200 walks of each length from 1
    /// to 35, as P. Jensen did
    #[arg(long, value_enum, help_heading = help::TRAINING)]
    curriculum: Option<CurriculumName>,
    /// The longest walk of the curriculum
    #[arg(long, value_name = "MOVES", default_value_t = 35, requires = "curriculum",
        help_heading = help::TRAINING)]
    stages: usize,
    /// Boards of each length in the curriculum
    #[arg(long, value_name = "N", default_value_t = 200, requires = "curriculum",
        help_heading = help::TRAINING)]
    stage_boards: usize,
    /// How often the curriculum trains on all boards seen, after each length
    #[arg(long, value_name = "N", default_value_t = 25, requires = "curriculum",
        help_heading = help::TRAINING)]
    epochs: usize,
    /// Widths of the hidden layers [default: 512,64,32; with --curriculum 512,1024,512]
    #[arg(long, value_name = "N,N,..", value_delimiter = ',', help_heading = help::TRAINING)]
    layers: Vec<usize>,
    /// What is made small: squared, absolute, or a share such as 0.9, the share of estimates that are to be no
    /// larger than the distance [default: absolute; with --curriculum squared]
    #[arg(long, value_name = "LOSS", value_parser = loss, help_heading = help::TRAINING)]
    loss: Option<Loss>,
    /// Steps of Adam
    #[arg(long, value_name = "N", default_value_t = 40_000, conflicts_with = "curriculum",
        help_heading = help::TRAINING)]
    steps: u64,
    /// Boards of a step
    #[arg(long, value_name = "N", default_value_t = 1024, help_heading = help::TRAINING)]
    batch: usize,
    /// The largest step size [default: 0.002; with --curriculum 0.001]
    #[arg(long, value_name = "RATE", help_heading = help::TRAINING)]
    rate: Option<f64>,
    /// Look at boards that were held out after so many steps
    #[arg(long, value_name = "N", default_value_t = 1000, conflicts_with = "curriculum",
        help_heading = help::TRAINING)]
    evaluate: u64,
    /// End after so many looks in a row that found nothing better
    #[arg(long, value_name = "N", conflicts_with = "curriculum", help_heading = help::TRAINING)]
    patience: Option<u32>,
    /// What boards, weights and order are drawn by: the same seed gives the same file
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = help::TRAINING)]
    seed: u64,
    /// In what numbers weights are written
    #[arg(long, value_enum, default_value_t, help_heading = help::OUTPUT)]
    precision: Precision,
    /// The file of the network
    #[arg(long, short, value_name = "FILE", default_value = "net.safetensors",
        help_heading = help::OUTPUT)]
    out: PathBuf,
    /// The file that the same command resumes from after Ctrl-C [default: that of the network and .ckpt]
    #[arg(long, value_name = "FILE", conflicts_with = "curriculum", help_heading = help::OUTPUT)]
    checkpoint: Option<PathBuf>,
    /// How the result is told
    #[arg(long, value_enum, default_value = "text", help_heading = help::OUTPUT)]
    format: OutputFormat,
    /// Shipped spec or .toml file whose tables give the labels [default: the best spec that is built or
    /// that there is room for]
    #[arg(long, value_name = "NAME|FILE", help_heading = help::TABLES)]
    spec: Option<String>,
    #[command(flatten)]
    memory: MemoryArg,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    folder: Folder,
}

/// The curricula there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum CurriculumName {
    /// That of P. Jensen, "Solving the 15-Puzzle" (2017)
    Jensen,
}

/// In what numbers weights are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Precision {
    /// Eight bits and a scale for each output: a quarter of the bytes
    #[default]
    Int8,
    /// 32-bit floating point
    F32,
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

/// What came of a training, as an object for programs.
#[derive(Debug, Serialize)]
struct Report {
    file: String,
    bytes: usize,
    weights: usize,
    layers: Vec<usize>,
    precision: &'static str,
    labels: usize,
    held_out: usize,
    end: End,
    seconds: f64,
    /// The boards of `error`, `manhattan`, `mean_error` and `over`.
    measured_on: &'static str,
    /// Errors of the network, by distance.
    error: Vec<Band>,
    /// Manhattan distance on the same boards.
    manhattan: Vec<Band>,
    mean_error: f64,
    over: f64,
}

impl Args {
    pub(crate) fn run(self, output: &mut Output, progress: Progress) -> anyhow::Result<Verdict> {
        let started = Instant::now();
        self.check()?;
        let goal = GoalChoice::read(&self.goal, Some(self.size))?.goal(self.size).map_err(usage)?;
        let recipe = self.recipe();
        let trained = interrupt::orderly(|| self.train(&goal, &recipe, progress));
        let (weights, labels, held_out, end) = match trained {
            Err(error) if interrupt::is_set() => {
                progress.note(format_args!("{error:#}"));
                return Ok(Verdict::Bad);
            }
            trained => trained?,
        };
        if end == End::Stopped {
            let checkpoint = self.checkpoint();
            progress.note(format_args!(
                "stopped: the same command resumes it from {}",
                checkpoint.display()
            ));
            return Ok(Verdict::Bad);
        }
        let mut weights = match self.precision {
            Precision::Int8 => weights.to_int8(),
            Precision::F32 => weights,
        };
        let mut note = |key: &str, text: String| weights.notes.insert(key.to_owned(), text);
        note("labels", self.what(labels.len()));
        note("held_out", held_out.len().to_string());
        note("seed", self.seed.to_string());
        note("data_digest", labels.digest());
        note("recipe", serde_json::to_string(&recipe)?);
        let widths: Vec<_> = weights.widths().iter().map(ToString::to_string).collect();
        weights.notes.insert("layers".to_owned(), widths.join("-"));
        let error = judge(&mut weights, &held_out);
        let file = weights.write();
        write_file(&self.out, &file)?;
        if self.curriculum.is_none() {
            // It is of no use any more; that it cannot be removed is no reason to fail.
            let _ = fs::remove_file(self.checkpoint());
        }
        let (mean_error, over) = overall(&error);
        let manhattan = Manhattan::new(&goal);
        let of_manhattan = |boards: &[Board]| {
            let root = |board| manhattan.root(board).expect("there is no table").1;
            boards.iter().map(root).collect()
        };
        let report = Report {
            file: self.out.display().to_string(),
            bytes: file.len(),
            weights: weights.count(),
            layers: weights.widths(),
            precision: if self.precision == Precision::Int8 { "int8" } else { "f32" },
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
            OutputFormat::Text => write!(output, "{}", report.text())?,
            OutputFormat::Ndjson => writeln!(output, "{}", serde_json::to_string(&report)?)?,
        }
        Ok(Verdict::Good)
    }

    fn check(&self) -> anyhow::Result<()> {
        let is_wide = |&width: &usize| (1..=WIDTH_MAX).contains(&width);
        if self.layers.len() > LAYERS_MAX || !self.layers.iter().all(is_wide) {
            return Err(usage(format!(
                "--layers takes up to {LAYERS_MAX} widths from 1 to {WIDTH_MAX}"
            )));
        }
        if self.boards == 0 || self.batch == 0 || self.steps == 0 {
            return Err(usage("--boards, --batch and --steps take numbers of at least 1"));
        }
        if self.rate.is_some_and(|rate| !(rate > 0.0 && rate <= 1.0)) {
            return Err(usage("--rate takes a number above 0 and up to 1"));
        }
        let folder = self.out.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(usage(format!(
                "--out names a folder that is not there: {}",
                folder.display()
            )));
        }
        Ok(())
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

    fn checkpoint(&self) -> PathBuf {
        self.checkpoint.clone().unwrap_or_else(|| {
            let mut name = self.out.clone().into_os_string();
            name.push(".ckpt");
            name.into()
        })
    }

    /// What the network was trained on, in words.
    fn what(&self, labels: usize) -> String {
        if self.curriculum.is_some() {
            return format!(
                "{labels} boards on the ways that A* with the network itself found, of {} walks of each \
                 length from 1 to {}",
                self.stage_boards, self.stages
            );
        }
        let kinds = if self.walks_only { "walks" } else { "random boards and walks" };
        format!(
            "{labels} boards on shortest ways of {} {kinds} of up to {} moves, solved by tables",
            self.boards, self.walk
        )
    }

    /// The network, what it was trained on, what was held out, and how the training ended.
    fn train(
        &self,
        goal: &Goal,
        recipe: &Recipe,
        progress: Progress,
    ) -> anyhow::Result<(pdb_net::Weights, Labels, Labels, End)> {
        let split = self.label(goal, progress)?;
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
                    progress.note(format_args!(
                        "walks of {}: {} solved, {:.1} boards expanded, {} labels, held-out error {:.3}",
                        stage.walk,
                        stage.solved,
                        stage.expanded,
                        count(stage.labels as u64),
                        stage.error,
                    ));
                },
            )?;
            return Ok((trainer.weights(), labels, held_out, End::Done));
        }
        let checkpoint = self.checkpoint();
        let session = Session {
            evaluate: self.evaluate,
            patience: self.patience,
            checkpoint: Some(&checkpoint),
            stop: interrupt::flag(),
        };
        let begun = Instant::now();
        let mut tell = |now: tilebase_train::Progress| {
            progress.note(format_args!(
                "step {} of {}: loss {:.4}, held-out error {:.3} (best {:.3}), {}",
                count(now.step),
                count(now.steps),
                now.loss,
                now.error,
                now.best,
                seconds(begun.elapsed().as_secs_f64()),
            ));
        };
        let (trainer, end) = train(&split, recipe, &session, &mut tell)?;
        Ok((trainer.weights(), split.training, split.held_out, end))
    }

    /// Labels from tables; for the curriculum those that are held out alone.
    fn label(&self, goal: &Goal, progress: Progress) -> anyhow::Result<Split> {
        let mut builder = Tilebase::builder()
            .shape(self.size)
            .goal(GoalChoice::Drawn(*goal))
            .folder(&self.folder.path()?)
            .memory(self.memory.memory())
            .search(tilebase::Search {
                thread_count: self.threads.count(),
                cancel: interrupt::cancel(),
                ..tilebase::Search::default()
            })
            .watch(progress.watcher());
        if let Some(spec) = &self.spec {
            builder = builder.spec(spec);
        }
        let tables = builder.lazy()?;
        let roots = if self.curriculum.is_some() { self.boards.min(20_000) } else { self.boards };
        let sampling =
            Sampling { roots, walk: self.walk, has_random: !self.walks_only, seed: self.seed };
        let begun = Instant::now();
        let split = label(&tables, goal, &sampling, &|_| !interrupt::is_set())
            .map_err(|error| match error {
                TrainError::Tables(error) => anyhow::Error::from(error),
                error => error.into(),
            })
            .context("no labels")?;
        progress.note(format_args!(
            "{} boards solved: {} labels, {} held out, all on ways to the goal, {}",
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
