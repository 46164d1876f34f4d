//! `tilebase scramble`: boards to solve.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Write};
use std::time::{Duration, Instant};

use tilebase::{Goal, MadeBoard, MadeBoards, Mode, SetName, Shape, Window, goal_name};

use crate::args;
use crate::failure::{Verdict, usage};
use crate::help;
use crate::interrupt;
use crate::output::Output;
use crate::progress::Progress;
use crate::solver::{Limits, Solver};

/// Boards that took so long to make are shown at once.
const SLOW: Duration = Duration::from_millis(20);

/// Arguments of `tilebase scramble`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("ten random boards, solved", "tilebase scramble --count 10 | tilebase solve --input -"),
    ("easy boards for a lesson", "tilebase scramble --optimum 20..25 --count 30 --seed 1"),
    ("the boards that need 80 moves, for programs", "tilebase scramble --hardest --format ndjson"),
]))]
pub(crate) struct Args {
    /// How many boards [default: 1; all, with --hardest]
    #[arg(long, short = 'n', value_name = "N", help_heading = help::BOARDS,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: Option<u32>,
    /// The same seed gives the same boards, everywhere [default: another one each time, which is told]
    #[arg(long, value_name = "S", help_heading = help::BOARDS, conflicts_with = "hardest")]
    seed: Option<u64>,
    /// Walk so many random moves from the goal, none of which takes back the one before
    #[arg(long, value_name = "MOVES", help_heading = help::BOARDS,
          value_parser = clap::value_parser!(u32).range(0..=1_000_000), group = "way")]
    walk: Option<u32>,
    /// Boards whose shortest solution has so many moves, such as 20..25 or 22; each is solved
    #[arg(long, value_name = "LO..HI", help_heading = help::BOARDS, value_parser = args::window, group = "way")]
    optimum: Option<Window>,
    /// The boards that are farthest from the goal, where they are known
    #[arg(long, help_heading = help::BOARDS, group = "way")]
    hardest: bool,
    /// How boards are written
    #[arg(long, value_enum, default_value_t, help_heading = help::OUTPUT)]
    format: Format,
    #[command(flatten)]
    solver: Solver,
}

/// How boards are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A board a line, ready for `--input`
    #[default]
    Text,
    /// For programs: an array of objects
    Json,
    /// For programs: a JSON object a line
    Ndjson,
}

impl Args {
    pub(crate) fn run(self, output: &mut Output, progress: Progress) -> anyhow::Result<Verdict> {
        let setup = self.solver.begin((Mode::Auto, Limits::default()), progress, None)?;
        let shape = setup.shape;
        let tables = setup.open(None, progress)?;
        let usual = Shape::new(4, 4).expect("4x4 is a shape");
        let goal = tables.goal(shape.or(tables.shape()).unwrap_or(usual)).map_err(usage)?;
        let mut made = interrupt::orderly(|| self.name().make(&goal, &tables))?;
        let count = match self.count {
            // Fewer boards than were asked for are better no boards.
            Some(count) if self.hardest && count as usize > made.count_of_all() => {
                return Err(usage(format_args!(
                    "there are {} boards at the greatest distance: ask for no more, or leave --count \
                     away",
                    made.count_of_all()
                )));
            }
            Some(count) => count as usize,
            None => made.count_of_all(),
        };
        self.note(&made, progress);
        interrupt::orderly(|| self.write_all(&mut made, count, output))?;
        Ok(Verdict::Good)
    }

    fn name(&self) -> SetName {
        let count = self.count.map_or(1, |count| count as usize);
        // Short enough to be typed again.
        let any = || RandomState::new().build_hasher().finish() >> 32;
        let seed = || self.seed.unwrap_or_else(any);
        match (self.walk, self.optimum, self.hardest) {
            (Some(steps), ..) => SetName::Walk { steps: steps as usize, count, seed: seed() },
            (None, Some(window), _) => SetName::Optimum { window, count, seed: seed() },
            (None, None, true) => SetName::Hardest,
            (None, None, false) => SetName::Random { count, seed: seed() },
        }
    }

    /// Says what is needed to make the same boards again, and to solve them.
    fn note(&self, made: &MadeBoards, progress: Progress) {
        let seed = match made.name() {
            SetName::Random { seed, .. }
            | SetName::Walk { seed, .. }
            | SetName::Optimum { seed, .. } => Some(seed),
            _ => None,
        };
        if let Some(seed) = seed
            && self.seed.is_none()
        {
            progress.note(format_args!("note: --seed {seed} gives the same boards again"));
        }
        if *made.goal() != Goal::blank_last(made.goal().shape()) {
            progress.note(format_args!(
                "note: the goal is {0}; solve these boards with --goal {1}{0}{1}",
                goal_name(made.goal()),
                if goal_name(made.goal()).contains(' ') { "\"" } else { "" }
            ));
        }
        if self.optimum.is_some() && !made.is_even() {
            progress.note(
                "note: too few of all boards are so far from the goal to draw them evenly; random walks \
                 lead to these, each length as likely as the others",
            );
        }
    }

    /// Writes the boards until there are enough or the reader of the output leaves.
    fn write_all(
        &self,
        made: &mut MadeBoards,
        count: usize,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        let mut begun = Instant::now();
        let mut is_first = true;
        for _ in 0..count {
            let Some(board) = made.next().transpose()? else { break };
            self.write(made, &board, is_first, output)?;
            is_first = false;
            if begun.elapsed() >= SLOW {
                output.flush()?;
            }
            if output.is_closed() || interrupt::is_set() {
                break;
            }
            begun = Instant::now();
        }
        if self.format == Format::Json {
            writeln!(output, "{}", if is_first { "[]" } else { "\n]" })?;
        }
        Ok(())
    }

    fn write(
        &self,
        made: &MadeBoards,
        board: &MadeBoard,
        is_first: bool,
        output: &mut Output,
    ) -> io::Result<()> {
        if self.format == Format::Text {
            return writeln!(output, "{}", board.board);
        }
        if self.format == Format::Json {
            write!(output, "{}", if is_first { "[\n" } else { ",\n" })?;
        }
        serde_json::to_writer(&mut *output, &made.record(board))?;
        if self.format == Format::Ndjson { writeln!(output) } else { Ok(()) }
    }
}
