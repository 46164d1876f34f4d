//! `tilebase scramble`: boards to solve.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use tilebase::Goal;
use tilebase::names::goal_name;
use tilebase::record::csv_line;
use tilebase::sets::{SetBoard, SetBoards, SetName, Window};

use crate::args;
use crate::choices::{Format, SCRAMBLE_FORMATS, one_of};
use crate::console::Console;
use crate::failure::{Verdict, usage};
use crate::help;
use crate::interrupt;
use crate::solver_args::{LimitArgs, SolverArgs};

/// Time after which a board is shown at once, because the next one may take as long.
const SLOW: Duration = Duration::from_millis(20);

/// Arguments of `tilebase scramble`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("ten random boards, solved", "tilebase scramble --count 10 | tilebase solve --input -"),
    ("easy boards for a lesson", "tilebase scramble --optimum 20..25 --count 30 --seed 1"),
    ("the boards that need 80 moves, for programs", "tilebase scramble --hardest --format ndjson"),
]))]
#[command(next_help_heading = help::BOARDS)]
pub(crate) struct Args {
    /// Number of boards [default: 1; with --hardest, all]
    #[arg(long, short = 'n', value_name = "N", value_parser = args::number::<u32>(1..=1_000_000))]
    count: Option<u32>,
    /// Seed: the same seed gives the same boards on every machine [default: a random seed, which is
    /// printed]
    #[arg(long, value_name = "S", value_parser = args::number::<u64>(0..=u64::MAX),
        conflicts_with = "hardest")]
    seed: Option<u64>,
    /// Make random walks from the goal with this number of moves; no move takes back the previous
    /// one
    #[arg(long, value_name = "MOVES", value_parser = args::number::<u32>(0..=1_000_000), group = "way")]
    walk: Option<u32>,
    /// Make boards whose shortest solutions have this many moves, such as 20..25 or 22; each board
    /// is solved
    #[arg(long, value_name = "LO..HI", group = "way")]
    optimum: Option<Window>,
    /// The boards that are farthest from the goal, for shapes where they are known
    #[arg(long, group = "way")]
    hardest: bool,
    /// Output format
    #[arg(long, value_parser = one_of(SCRAMBLE_FORMATS), default_value = "text", help_heading = help::OUTPUT)]
    format: Format,
    #[command(flatten)]
    solver: SolverArgs,
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let setup = self.solver.begin(LimitArgs::default(), console)?;
        let shape = setup.shape;
        let tables = setup.open(None, console)?;
        let shape = shape.or(tables.shape()).unwrap_or_default();
        let goal = tables.goal(shape).map_err(usage)?;
        let mut made = interrupt::orderly(|| self.name().make(&goal, &tables, tables.search()))?;
        let count = match self.count {
            Some(count) if self.hardest && count as usize > made.board_count() => {
                return Err(usage(format_args!(
                    "there are {} boards at the greatest distance: lower --count, or omit it",
                    made.board_count()
                )));
            }
            Some(count) => count as usize,
            None => made.board_count(),
        };
        self.note(&made, console);
        interrupt::orderly(|| self.write_all(&mut made, count, console))?;
        Ok(Verdict::Good)
    }

    fn name(&self) -> SetName {
        let count = self.count.map_or(1, |count| count as usize);
        let seed = || self.seed.unwrap_or_else(args::random_seed);
        match (self.walk, self.optimum, self.hardest) {
            (Some(steps), ..) => SetName::Walk { steps: steps as usize, count, seed: seed() },
            (None, Some(window), _) => SetName::Optimum { window, count, seed: seed() },
            (None, None, true) => SetName::Hardest,
            (None, None, false) => SetName::Random { count, seed: seed() },
        }
    }

    /// Prints the seed that makes the same boards again, and the goal to solve them for.
    fn note(&self, made: &SetBoards, console: &Console) {
        let seed = match made.name() {
            SetName::Random { seed, .. }
            | SetName::Walk { seed, .. }
            | SetName::Optimum { seed, .. } => Some(seed),
            _ => None,
        };
        if let Some(seed) = seed
            && self.seed.is_none()
        {
            console.note(format_args!("note: --seed {seed} gives the same boards again"));
        }
        if *made.goal() != Goal::blank_last(made.goal().shape()) {
            console.note(format_args!(
                "note: the goal is {}; solve these boards with --goal {}",
                goal_name(made.goal()),
                args::goal_argument(made.goal())
            ));
        }
        if self.optimum.is_some() && !made.is_even() {
            console.note(
                "note: boards at these distances are too rare to draw them evenly; these are ends of random \
                 walks, with each length equally likely",
            );
        }
    }

    /// Writes boards until there are enough or the reader of the output has gone.
    fn write_all(
        &self,
        made: &mut SetBoards,
        count: usize,
        console: &mut Console,
    ) -> anyhow::Result<()> {
        if self.format == Format::Csv {
            console.write_all(&csv_line(["board", "goal", "metric", "set", "optimum"]))?;
        }
        let mut begun = Instant::now();
        for _ in 0..count {
            let Some(board) = made.next().transpose()? else { break };
            self.write(made, &board, console)?;
            if begun.elapsed() >= SLOW {
                console.flush()?;
            }
            if console.is_done() {
                break;
            }
            begun = Instant::now();
        }
        Ok(())
    }

    fn write(&self, made: &SetBoards, board: &SetBoard, console: &mut Console) -> io::Result<()> {
        match self.format {
            Format::Csv => {
                let optimum = board.optimum.map(|optimum| optimum.to_string()).unwrap_or_default();
                let (goal, metric) = (made.goal().board().to_string(), made.metric().to_string());
                let set = made.name().to_string();
                let cells = [board.board.to_string(), goal, metric, set, optimum];
                console.write_all(&csv_line(cells))
            }
            Format::Ndjson => {
                serde_json::to_writer(&mut *console, &made.record(board))?;
                writeln!(console)
            }
            _ => writeln!(console, "{}", board.board),
        }
    }
}
