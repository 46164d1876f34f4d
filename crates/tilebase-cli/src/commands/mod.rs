//! The subcommands, one a file.

mod animate;
mod apply;
mod build;
mod check;
mod compare;
mod completions;
mod draw;
mod estimate;
mod explain;
mod inspect;
mod install;
#[cfg(not(all(feature = "model", feature = "play", feature = "serve", feature = "train")))]
mod left_out;
mod man;
mod merge;
#[cfg(feature = "model")]
mod model;
mod moves;
mod partition;
#[cfg(feature = "play")]
mod play;
mod rate;
mod scramble;
#[cfg(feature = "serve")]
mod serve;
mod ship;
mod solve;
mod specs;
#[cfg(feature = "train")]
mod train;
mod verify;

use crate::failure::Verdict;
use crate::output::Output;
use crate::progress::Progress;
#[cfg(not(feature = "model"))]
use left_out as model;
#[cfg(not(feature = "play"))]
use left_out as play;
#[cfg(not(feature = "serve"))]
use left_out as serve;
#[cfg(not(feature = "train"))]
use left_out as train;

// The feature that has a subcommand, and an example of it, where this build leaves it out.
#[cfg(not(feature = "model"))]
const MODEL: (&str, &str) = ("full", "model 867254301 --horizon 31");
#[cfg(not(feature = "play"))]
const PLAY: (&str, &str) = ("full", "play");
#[cfg(not(feature = "serve"))]
const SERVE: (&str, &str) = ("full", "serve --open");
#[cfg(not(feature = "train"))]
const TRAIN: (&str, &str) = ("train", "train --help");

/// What to do.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Find shortest solutions; builds the tables that are missing
    Solve(solve::Args),
    /// Say how far each move of a board leaves it from the goal
    Moves(moves::Args),
    /// Check moves: are they legal, do they solve the board, are they optimal
    Check(check::Args),
    /// Print the board after moves
    Apply(apply::Args),
    /// Explain a board without a search: its parity, and what each estimate consists of
    Explain(explain::Args),
    /// Make boards: random ones, walks, boards of some length, the hardest ones
    Scramble(scramble::Args),
    /// Draw a board, a partition, a search tree, or how values are spread
    Draw(draw::Args),
    /// Make a film of a board's moves
    Animate(animate::Args),
    /// Play in the terminal: with hints, and a shortest solution step by step
    #[cfg_attr(not(feature = "play"), command(after_help = left_out::after_help(PLAY.0, PLAY.1)))]
    Play(play::Args),
    /// Serve the tables over HTTP, and a page in the browser
    #[cfg_attr(not(feature = "serve"), command(after_help = left_out::after_help(SERVE.0, SERVE.1)))]
    Serve(serve::Args),
    /// Write a board as an integer program, for solvers
    #[cfg_attr(not(feature = "model"), command(after_help = left_out::after_help(MODEL.0, MODEL.1)))]
    Model(model::Args),
    /// Merge checkpoints of shards into one
    Merge(merge::Args),
    /// Set heuristics and searches side by side, in a table and in charts
    Compare(compare::Args),
    /// Rate heuristics without a search: mean estimates, and the nodes to expect
    Rate(rate::Args),
    /// Search for good partitions, before any table is built
    Partition(partition::Args),
    /// Train a network that estimates distances, on labels from tables
    #[cfg_attr(not(feature = "train"), command(after_help = left_out::after_help(TRAIN.0, TRAIN.1)))]
    Train(train::Args),
    /// Build the tables of specs
    Build(build::Args),
    /// Say how large the tables of specs are and what building them takes
    Estimate(estimate::Args),
    /// Show what tables say of themselves, and how their values are spread
    Inspect(inspect::Args),
    /// Check tables
    Verify(verify::Args),
    /// Compress the tables of specs for shipping
    Ship(ship::Args),
    /// Install shipped tables
    Install(install::Args),
    /// List the specs that are shipped, and what of them is built
    Specs(specs::Args),
    /// Print the completions of a shell
    Completions(completions::Args),
    /// Print the manual page
    Man(man::Args),
}

impl Command {
    pub(crate) fn run(self, output: &mut Output, progress: Progress) -> anyhow::Result<Verdict> {
        match self {
            Self::Solve(args) => args.run(output, progress),
            Self::Moves(args) => args.run(output, progress),
            Self::Check(args) => args.run(output, progress),
            Self::Apply(args) => args.run(output),
            Self::Explain(args) => args.run(output, progress),
            Self::Scramble(args) => args.run(output, progress),
            Self::Draw(args) => args.run(output, progress),
            Self::Animate(args) => args.run(output, progress),
            #[cfg(feature = "play")]
            Self::Play(args) => args.run(progress),
            #[cfg(not(feature = "play"))]
            Self::Play(_) => left_out::refuse(PLAY.0, PLAY.1),
            #[cfg(feature = "serve")]
            Self::Serve(args) => args.run(progress),
            #[cfg(not(feature = "serve"))]
            Self::Serve(_) => left_out::refuse(SERVE.0, SERVE.1),
            #[cfg(feature = "model")]
            Self::Model(args) => args.run(output, progress),
            #[cfg(not(feature = "model"))]
            Self::Model(_) => left_out::refuse(MODEL.0, MODEL.1),
            Self::Merge(args) => args.run(output),
            Self::Compare(args) => args.run(output, progress),
            Self::Rate(args) => args.run(output, progress),
            Self::Partition(args) => args.run(output, progress),
            #[cfg(feature = "train")]
            Self::Train(args) => args.run(output, progress),
            #[cfg(not(feature = "train"))]
            Self::Train(_) => left_out::refuse(TRAIN.0, TRAIN.1),
            Self::Build(args) => args.run(output, progress),
            Self::Estimate(args) => args.run(output, progress),
            Self::Inspect(args) => args.run(output),
            Self::Verify(args) => args.run(output, progress),
            Self::Ship(args) => args.run(output, progress),
            Self::Install(args) => args.run(output, progress),
            Self::Specs(args) => args.run(output, progress),
            Self::Completions(args) => args.run(output),
            Self::Man(args) => args.run(output),
        }
    }
}
