//! The subcommands, one a file.

#[cfg(feature = "pictures")]
mod animate;
mod apply;
mod build;
mod check;
#[cfg(feature = "research")]
mod compare;
#[cfg(feature = "shell")]
mod completions;
#[cfg(feature = "pictures")]
mod draw;
mod estimate;
mod explain;
mod inspect;
mod install;
#[cfg(feature = "shell")]
mod man;
mod merge;
#[cfg(feature = "model")]
mod model;
mod moves;
#[cfg(feature = "research")]
mod partition;
#[cfg(feature = "play")]
mod play;
#[cfg(feature = "research")]
mod rate;
mod scramble;
#[cfg(feature = "serve")]
mod serve;
mod ship;
mod solve;
mod specs;
#[cfg(feature = "research")]
mod train;
mod verify;

use clap::Subcommand;

use crate::console::Console;
use crate::failure::Verdict;

/// Commands that a build may lack.
const OPTIONAL: [&str; 11] = [
    "draw",
    "animate",
    "play",
    "serve",
    "model",
    "compare",
    "rate",
    "partition",
    "train",
    "completions",
    "man",
];

/// The command that installs a build with all commands.
pub(crate) const INSTALLING: &str = "cargo install --path crates/tilebase-cli -F full --locked";

/// Returns the commands that this build lacks.
pub(crate) fn absent() -> Vec<&'static str> {
    OPTIONAL.into_iter().filter(|name| !Command::has_subcommand(name)).collect()
}

/// Defines the subcommands, and runs each by its arguments.
macro_rules! commands {
    ($($(#[$attribute:meta])* $name:ident($arguments:ty),)*) => {
        /// The subcommands, in the order of the help.
        #[allow(clippy::large_enum_variant, reason = "a process has one")]
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command {
            $($(#[$attribute])* $name($arguments),)*
        }

        impl Command {
            #[allow(unused_doc_comments, reason = "an arm needs the features of its variant alone")]
            pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
                match self {
                    $($(#[$attribute])* Self::$name(arguments) => arguments.run(console),)*
                }
            }
        }
    };
}

commands! {
    /// Find shortest solutions; builds the tables that are missing
    ///
    /// A board that takes longer has a solution at once, which becomes shorter until it is proved
    /// to be a shortest one. --within 10s takes the best one after ten seconds.
    Solve(solve::Args),
    /// Show the distance to the goal after each move of a board
    Moves(moves::Args),
    /// Check moves: whether they are legal, solve the board, and are optimal
    Check(check::Args),
    /// Print the board after moves
    Apply(apply::Args),
    /// Explain a board without a search: its parity, and the parts of each estimate
    Explain(explain::Args),
    /// Make boards: random ones, walks, boards of a given length, the hardest ones
    Scramble(scramble::Args),
    /// Draw a board, a partition, a search tree, or what a heuristic counts
    #[cfg(feature = "pictures")]
    Draw(draw::Args),
    /// Make a film of a board's moves
    #[cfg(feature = "pictures")]
    Animate(animate::Args),
    /// Play in the terminal, with hints and shortest solutions step by step
    #[cfg(feature = "play")]
    Play(play::Args),
    /// Serve the tables over HTTP, and a page for browsers
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    /// Write a board as an integer program for solvers, or as a problem for planners
    #[cfg(feature = "model")]
    Model(model::Args),
    /// Merge checkpoints of shards into one
    Merge(merge::Args),
    /// Compare heuristics and searches, in a table and in charts
    #[cfg(feature = "research")]
    Compare(compare::Args),
    /// Rate heuristics without a search: mean estimates and predicted nodes
    #[cfg(feature = "research")]
    Rate(rate::Args),
    /// Search for good partitions without building tables
    #[cfg(feature = "research")]
    Partition(partition::Args),
    /// Train a network that estimates distances, on labels from tables
    #[cfg(feature = "research")]
    Train(train::Args),
    /// Build the tables of specs
    Build(build::Args),
    /// Print the size of the tables of specs, and what building them takes
    Estimate(estimate::Args),
    /// Print the headers of tables, and a histogram of their values
    Inspect(inspect::Args),
    /// Check tables
    Verify(verify::Args),
    /// Compress the tables of specs for shipping
    Ship(ship::Args),
    /// Install shipped tables
    Install(install::Args),
    /// List the shipped specs, and which of their tables are built
    Specs(specs::Args),
    /// Print the completions of a shell
    #[cfg(feature = "shell")]
    Completions(completions::Args),
    /// Print the manual page
    #[cfg(feature = "shell")]
    Man(man::Args),
}
