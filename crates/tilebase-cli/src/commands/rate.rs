//! `tilebase rate`: how good heuristics are, without searching.

use std::io::Write;
use std::time::Duration;

use pdb_core::notation::printable_text;
use tilebase::{
    BoardSet, Goal, GoalChoice, Naming, Nodes, Rate, RatedBoards, Rating, Search, SetName, Shape,
    SpecChoice, Tilebase, Window,
};

use crate::args::{self, MemoryArg, OutputFormat, Threads};
use crate::failure::{Verdict, usage};
use crate::folder::Folder;
use crate::help;
use crate::interrupt;
use crate::output::{Output, bytes, count};
use crate::progress::Progress;
use crate::record;

/// Random boards where nobody says how many: with tables, and without, where each takes milliseconds.
const COUNT: usize = 10_000;
const COUNT_WITHOUT_TABLES: usize = 1000;

/// Arguments of `tilebase rate`.
#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Args {
    /// What is rated: shipped specs such as 15/7-8, generated ones such as generated/5x5/6-6-6-6, .toml files,
    /// and any heuristic that `compare` knows
    #[arg(value_name = "SPEC", required = true)]
    specs: Vec<String>,
    /// How many random boards, or which ones (random:N:SEED), or boards of your own: a set such as korf100, or
    /// a file [default: 10000; 1000 with --sample]
    #[arg(long, value_name = "N|SET|FILE", help_heading = help::BOARDS)]
    boards: Option<String>,
    /// Where --boards names boards of your own: how many random ones tell how estimates are spread over all
    /// boards [default: 10000; 1000 with --sample]
    #[arg(long, value_name = "N", help_heading = help::BOARDS)]
    draws: Option<usize>,
    /// blank-last, blank-first, snail, a board, or a file with one [default: blank-last; of korf100 and korf50
    /// blank-first; of a spec that cannot lead there, what it draws]
    #[arg(long, value_name = "NAME|BOARD|FILE", help_heading = help::BOARDS)]
    goal: Option<String>,
    /// Rows and columns of the boards [default: as the specs draw them, or 4x4]
    #[arg(long, value_name = "RxC", value_parser = args::shape, help_heading = help::BOARDS)]
    size: Option<Shape>,
    /// Rate the largest estimate of all that are named, too
    #[arg(long, help_heading = help::SEARCH)]
    together: bool,
    /// Need no tables: search for the value of each pattern of each board. For additive specs of patterns of at
    /// most 9 tiles
    #[arg(long, help_heading = help::TABLES)]
    sample: bool,
    /// Bounds for which nodes are predicted, such as 50..60 [default: twenty, from the mean estimate on]
    #[arg(long, value_name = "A..B", value_parser = args::window, help_heading = help::SEARCH)]
    bounds: Option<Window>,
    /// Predict no nodes, which takes less time
    #[arg(long, conflicts_with_all = ["bounds", "measure"], help_heading = help::SEARCH)]
    no_nodes: bool,
    /// Count nodes, too: search the boards that --boards names by plain IDA*; from random ones go through all of
    /// the tree within each of --bounds
    #[arg(long, help_heading = help::SEARCH)]
    measure: bool,
    /// Longest time for each heuristic, such as 10s or 5m: boards that are not rated by then are left out
    #[arg(long, value_name = "TIME", value_parser = args::duration, help_heading = help::SEARCH)]
    time: Option<Duration>,
    /// Print how many boards have which estimate
    #[arg(long, help_heading = help::OUTPUT)]
    long: bool,
    /// How ratings are written
    #[arg(long, value_enum, default_value_t, help_heading = help::OUTPUT)]
    format: OutputFormat,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: MemoryArg,
    #[command(flatten)]
    folder: Folder,
}

fn after_help() -> String {
    let examples = help::examples(&[
        ("two specs on the same 10,000 boards", "tilebase rate 15/5-5-5 15/7-8"),
        ("a drawing of your own before its tables are built", "tilebase rate my.toml --sample"),
        ("predictions beside what searches count", "tilebase rate 7-8 --boards korf100 --measure"),
    ]);
    format!(
        "The mean estimate comes with its 95 % confidence interval. \"All boards\" is the mean over all boards as \
         the sample tells it with the Manhattan distance as a control variate, which is more certain. Nodes are \
         those that plain IDA* is expected to generate within a bound: by the equilibrium distribution (Korf, \
         Reid and Edelkamp 2001) and by the conditional one (Zahavi and others 2010).\n\n{examples}"
    )
}

impl Args {
    pub(crate) fn run(self, output: &mut Output, progress: Progress) -> anyhow::Result<Verdict> {
        let memory = self.memory.memory();
        let cancel = interrupt::cancel();
        let tables = Tilebase::builder()
            .folder(&self.folder.path()?)
            .memory(memory)
            .threads(self.threads.count())
            .search(Search { cancel: cancel.clone(), ..Search::default() })
            .watch(progress.watcher())
            .lazy()?;
        let (goal, shape) = self.goal()?;
        let usual = if self.sample { COUNT_WITHOUT_TABLES } else { COUNT };
        let mut rate = Rate {
            count: self.draws.unwrap_or(usual),
            predicts_nodes: !self.no_nodes,
            bounds: self.bounds.map(|window| window.first()..=window.last()),
            without_tables: self.sample,
            together: self.together,
            measures: self.measure,
            time: self.time,
            thread_count: self.threads.count(),
            cancel,
            ..Rate::default()
        };
        let goal = self.boards(goal, shape, &tables, &mut rate)?;
        let heuristics: Vec<_> = self
            .specs
            .iter()
            .map(|name| tilebase::heuristics(name, &goal))
            .collect::<Result<Vec<_>, _>>()?
            .concat();
        let work = || tables.rate(&goal, &heuristics, &rate);
        let ratings = interrupt::orderly(work)?;
        for (number, rating) in ratings.iter().enumerate() {
            match self.format {
                OutputFormat::Ndjson => record::write_json(output, rating)?,
                OutputFormat::Text => {
                    if number > 0 {
                        writeln!(output)?;
                    }
                    write_text(output, rating, self.long)?;
                }
            }
        }
        let wanted = |rating: &&Rating| match &rate.boards {
            RatedBoards::Given(set) => rating.board_count < set.boards.len(),
            _ => rating.board_count < rate.count,
        };
        if ratings.iter().any(|rating| wanted(&rating)) {
            progress
                .note("the time was over before all boards were rated; those that were are shown");
        }
        Ok(Verdict::Good)
    }

    /// The goal, and the shape, as arguments and specs tell them.
    fn goal(&self) -> anyhow::Result<(Option<Goal>, Shape)> {
        let named =
            self.goal.as_deref().map(|name| GoalChoice::read(name, self.size)).transpose()?;
        let mut drawn = named.as_ref().and_then(GoalChoice::shape);
        let mut of_spec = None;
        for name in &self.specs {
            let choice = SpecChoice::read(name, self.size.or(drawn));
            // What is wrong with a name is told when it is read for the goal.
            if let Ok(choice) = choice {
                drawn = drawn.or(choice.shape());
                if let SpecChoice::Spec(spec) = &choice
                    && of_spec.is_none()
                {
                    of_spec = Some(GoalChoice::of_spec(spec));
                }
            }
        }
        let usual = Shape::new(4, 4).expect("4x4 is a shape");
        let of_generated = self.specs.iter().find_map(|name| {
            name.strip_prefix("generated/")?.split_once('/')?.0.parse::<Shape>().ok()
        });
        let shape = args::agreed(self.size, drawn)?.or(of_generated).unwrap_or(usual);
        let goal = match named.or(of_spec) {
            Some(goal) => Some(goal.goal(shape).map_err(usage)?),
            None => None,
        };
        Ok((goal.filter(|goal| self.goal.is_some() || *goal != Goal::blank_last(shape)), shape))
    }

    /// Reads which boards are rated, and says where they lead.
    fn boards(
        &self,
        goal: Option<Goal>,
        shape: Shape,
        tables: &Tilebase,
        rate: &mut Rate,
    ) -> anyhow::Result<Goal> {
        let usual = goal.unwrap_or_else(|| Goal::blank_last(shape));
        let Some(text) = self.boards.as_deref().map(str::trim) else { return Ok(usual) };
        if let Ok(number) = text.parse() {
            if self.draws.is_some() {
                return Err(usage(
                    "--boards and --draws both say how many random boards there are: leave --draws out",
                ));
            }
            rate.count = number;
            return Ok(usual);
        }
        let mut set = if BoardSet::is_name(text) {
            if let SetName::Random { count, seed } = text.parse::<SetName>()?.checked()? {
                (rate.count, rate.seed) = (count, seed);
                return Ok(usual);
            }
            interrupt::orderly(|| BoardSet::named(text, &usual, tables))?
        } else {
            let naming = Naming { shape: Some(shape), ..Naming::default() };
            let given = naming.words(&[text.to_owned()])?.boards;
            let boards = given
                .map(|given| given.map(|given| given.board))
                .collect::<Result<Vec<_>, _>>()
                .map_err(|error| usage(format!("{text}: {error}")))?;
            if let Some(other) = boards.iter().find(|board| board.shape() != shape) {
                return Err(usage(format!(
                    "{text}: a {} board, where the specs are for {shape}: name boards of that shape",
                    other.shape()
                )));
            }
            BoardSet { name: text.to_owned(), goal: usual, boards }
        };
        if let Some(goal) = goal.filter(|_| self.goal.is_some()) {
            set.goal = goal;
        }
        let goal = set.goal;
        rate.boards = RatedBoards::Given(set);
        Ok(goal)
    }
}

fn write_text(output: &mut Output, rating: &Rating, is_long: bool) -> anyhow::Result<()> {
    let how = match (rating.without_tables, rating.table_bytes) {
        (true, _) => "without tables".to_owned(),
        (false, Some(size)) => bytes(size).to_string(),
        (false, None) => "needs no tables".to_owned(),
    };
    writeln!(output, "{}: {how}", printable_text(&rating.name))?;
    let tail = match rating.tail_count {
        0 => String::new(),
        tail => format!(", and {} by their distance", count(tail as u64)),
    };
    writeln!(
        output,
        "  boards         {} ({} boards){tail}",
        printable_text(&rating.boards),
        count(rating.board_count as u64)
    )?;
    let mean = rating.estimate;
    writeln!(
        output,
        "  mean estimate  {:.2}, 95 % interval {:.2} to {:.2}, deviation {:.2}",
        mean.mean, mean.low, mean.high, rating.deviation
    )?;
    if let Some(all) = rating.controlled {
        writeln!(
            output,
            "  all boards     {:.2}, 95 % interval {:.2} to {:.2}; Manhattan distance {:.2}",
            all.mean, all.low, all.high, rating.manhattan
        )?;
    }
    let quantiles: Vec<String> = rating
        .quantiles
        .iter()
        .map(|quantile| format!("{} % {}", 100.0 * quantile.share, quantile.estimate))
        .collect();
    writeln!(
        output,
        "  estimates      {} to {}; at most: {}",
        rating.least,
        rating.greatest,
        quantiles.join(", ")
    )?;
    if is_long {
        writeln!(output, "\n  estimate   boards      share    at most")?;
        for one in &rating.distribution {
            writeln!(
                output,
                "  {:>8} {:>8} {:>10} {:>10}",
                one.estimate,
                one.boards,
                share(one.share),
                share(one.at_most)
            )?;
        }
    }
    rating.nodes.as_ref().map_or(Ok(()), |nodes| write_nodes(output, nodes))
}

fn write_nodes(output: &mut Output, nodes: &Nodes) -> anyhow::Result<()> {
    if let Some(all) = nodes.effective {
        writeln!(
            output,
            "  nodes          as if each estimate were {:.2}, 95 % interval {:.2} to {:.2}",
            all.mean, all.low, all.high
        )?;
    }
    if nodes.within.is_empty() {
        return Ok(());
    }
    let has_boards = nodes.within.iter().any(|within| within.boards.is_some());
    let is_measured = nodes.within.iter().any(|within| within.measured.is_some());
    let boards = if has_boards { "  boards" } else { "" };
    let measured = if is_measured { "     measured  eq./m.  cond./m." } else { "" };
    writeln!(output, "\n  bound{boards}  equilibrium    +/-  conditional{measured}")?;
    for within in &nodes.within {
        let (expected, conditional) = (within.equilibrium.generated, within.conditional.generated);
        write!(output, "  {:>5}", within.bound)?;
        if has_boards {
            let boards = within.boards.map_or_else(String::new, |boards| boards.to_string());
            write!(output, " {boards:>7}")?;
        }
        let half = within.equilibrium.interval.map_or_else(String::new, |[_, high]| {
            format!("{:.0} %", 100.0 * (high / expected - 1.0))
        });
        let half = if expected > 0.0 { half } else { "-".to_owned() };
        write!(output, " {:>12} {half:>6} {:>12}", number(expected), number(conditional))?;
        if let Some(measured) = within.measured {
            let ratio = |expected: f64| match expected / measured.generated {
                ratio if ratio < 100.0 => format!("{ratio:.2}"),
                ratio if ratio.is_finite() => format!("{ratio:.0e}"),
                _ => "-".to_owned(),
            };
            let (one, other) = (ratio(expected), ratio(conditional));
            write!(output, " {:>12} {one:>7} {other:>9}", number(measured.generated))?;
        }
        writeln!(output)?;
    }
    Ok(())
}

/// A number of nodes: with decimals where there are few, in powers of ten where there are many.
fn number(nodes: f64) -> String {
    match nodes {
        1e9.. => format!("{nodes:.2e}"),
        100.0.. => count(nodes.round() as u64).to_string(),
        _ => format!("{nodes:.2}"),
    }
}

/// A share of all boards, which may be very small.
fn share(share: f64) -> String {
    if share >= 0.001 { format!("{share:.4}") } else { format!("{share:.2e}") }
}
