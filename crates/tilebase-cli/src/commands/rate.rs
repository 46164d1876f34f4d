//! `tilebase rate`: quality of heuristics, without a search.

use std::io::Write;
use std::time::Duration;

use pdb_core::excerpt::printable_text;
use tilebase::names::GoalChoice;
use tilebase::rate::{Interval, Rating, RatingOptions};
use tilebase::sets::SetName;
use tilebase::{Goal, Shape, Tilebase};

use super::compare::board_set;
use crate::args::{self, GoalArgs, InputColumns, Machine, MetricArg};
use crate::choices::{Format, TEXT_NDJSON, one_of};
use crate::console::Console;
use crate::failure::{Verdict, usage};
use crate::help;
use crate::interrupt;
use crate::output::{bytes, count};
use crate::record;

/// Default numbers of random boards: with tables, and without tables, where each board takes
/// milliseconds.
const COUNT: usize = 10_000;
const COUNT_WITHOUT_TABLES: usize = 1000;

/// Arguments of `tilebase rate`.
#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(crate) struct Args {
    /// Heuristics to rate: shipped specs such as 15/7-8, generated ones such as
    /// generated/5x5/6-6-6-6, .toml files, and any heuristic of `compare`
    #[arg(value_name = "SPEC", required = true)]
    specs: Vec<String>,
    /// Number of random boards, random boards with a seed (random:N:SEED), a set such as korf100,
    /// or a file of boards [default: 10000; 1000 with --sample]
    #[arg(long, value_name = "N|SET|FILE", help_heading = help::BOARDS)]
    boards: Option<String>,
    #[command(flatten)]
    goal: GoalArgs,
    /// Also rate the maximum of all heuristics
    #[arg(long, help_heading = help::SEARCH)]
    together: bool,
    /// Use no tables: find the value of each pattern of each board by a search. For additive specs
    /// with patterns of at most 9 tiles
    #[arg(long, help_heading = help::TABLES)]
    sample: bool,
    #[command(flatten)]
    metric: MetricArg,
    /// Time limit per heuristic, such as 10s or 5m; boards that are not rated by then are left out
    #[arg(long, value_name = "TIME", value_parser = args::time, help_heading = help::SEARCH)]
    time: Option<Duration>,
    /// Print the number of boards of each estimate
    #[arg(long, help_heading = help::OUTPUT)]
    long: bool,
    /// Output format
    #[arg(long, value_parser = one_of(TEXT_NDJSON), default_value = "text", help_heading = help::OUTPUT)]
    format: Format,
    #[command(flatten)]
    machine: Machine,
}

fn after_help() -> String {
    let examples = help::examples(&[
        ("two specs on the same 10,000 boards", "tilebase rate 15/5-5-5 15/7-8"),
        ("a drawing of your own before its tables are built", "tilebase rate my.toml --sample"),
        ("on given boards", "tilebase rate 7-8 --boards korf100"),
    ]);
    format!(
        "The mean estimate has a 95 % confidence interval. \"All boards\" is the mean over all boards, estimated \
         more precisely with the Manhattan distance as a control variate. \
         The difference from the first heuristic has a smaller interval than the two means, because both rate the \
         same boards.\n\n{examples}"
    )
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        let tables = self.machine.builder(console.progress)?.metric(self.metric.metric).lazy()?;
        let (choice, shape) = self.goal()?;
        let mut rate = RatingOptions {
            count: if self.sample { COUNT_WITHOUT_TABLES } else { COUNT },
            without_tables: self.sample,
            together: self.together,
            time: self.time,
            thread_count: self.machine.thread_count(),
            cancel: interrupt::cancel(),
            ..RatingOptions::default()
        };
        let goal = self.boards(choice, shape, &tables, &mut rate)?;
        let mut heuristics = Vec::new();
        for name in &self.specs {
            heuristics.extend(tilebase::names::heuristics(name, &goal)?);
        }
        let ratings = interrupt::orderly(|| tables.rate(&goal, &heuristics, &rate))?;
        for (number, rating) in ratings.iter().enumerate() {
            if self.format == Format::Ndjson {
                record::write_json(console, rating)?;
            } else {
                if number > 0 {
                    writeln!(console)?;
                }
                write_text(console, rating, &ratings[0].name, self.long)?;
            }
        }
        let board_count = rate.boards.as_ref().map_or(rate.count, |set| set.boards.len());
        if ratings.iter().any(|rating| rating.board_count < board_count) {
            console
                .note("stopped by the time limit: ratings cover only the boards that were rated");
        }
        Ok(Verdict::Good)
    }

    /// Returns the goal and the shape that arguments and specs name.
    fn goal(&self) -> anyhow::Result<(Option<GoalChoice>, Option<Shape>)> {
        let (named, shape) = self.goal.read(None)?;
        let (of_specs, drawn) = GoalChoice::of_heuristics(&self.specs, shape);
        let drawn = named.as_ref().and_then(GoalChoice::shape).or(drawn);
        Ok((named.or(of_specs), args::agreed(self.goal.size, drawn)?))
    }

    /// Reads the boards to rate, and returns their goal.
    fn boards(
        &self,
        choice: Option<GoalChoice>,
        named_shape: Option<Shape>,
        tables: &Tilebase,
        rate: &mut RatingOptions,
    ) -> anyhow::Result<Goal> {
        let goal_of = |shape: Shape| {
            let goal = choice.map(|choice| choice.goal(shape).map_err(usage));
            goal.unwrap_or_else(|| Ok(Goal::blank_last(shape)))
        };
        let default = goal_of(named_shape.unwrap_or_default())?;
        let Some(text) = self.boards.as_deref().map(str::trim) else { return Ok(default) };
        if let Ok(number) = text.parse() {
            rate.count = number;
            return Ok(default);
        }
        if SetName::is_name(text)
            && let SetName::Random { count, seed } = text.parse::<SetName>()?.checked()?
        {
            (rate.count, rate.seed) = (count, seed);
            return Ok(default);
        }
        let columns = (InputColumns::default(), named_shape);
        let set = board_set(text, &self.goal, columns, &goal_of, tables)?;
        let goal = set.goal;
        rate.boards = Some(set);
        Ok(goal)
    }
}

fn write_text(
    output: &mut impl Write,
    rating: &Rating,
    first: &str,
    is_long: bool,
) -> anyhow::Result<()> {
    let how = match (rating.without_tables, rating.table_bytes) {
        (true, _) => "without tables".to_owned(),
        (false, Some(size)) => bytes(size).to_string(),
        (false, None) => "needs no tables".to_owned(),
    };
    let unit = if rating.metric.is_some() { ", estimates in slides" } else { "" };
    writeln!(output, "{}: {how}{unit}", printable_text(&rating.name))?;
    writeln!(
        output,
        "  boards         {} ({} boards)",
        printable_text(&rating.boards),
        count(rating.board_count as u64)
    )?;
    let mean = interval(&rating.estimate);
    writeln!(output, "  mean estimate  {mean}, deviation {:.2}", rating.deviation)?;
    if let Some(all) = rating.controlled {
        let (all, manhattan) = (interval(&all), rating.manhattan);
        writeln!(output, "  all boards     {all}; Manhattan distance {manhattan:.2}")?;
    }
    if let Some(difference) = rating.difference {
        let (difference, first) = (interval(&difference), printable_text(first));
        writeln!(output, "  difference     {difference}, from {first} on the same boards")?;
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
    Ok(())
}

/// Returns a mean with its confidence interval.
pub(super) fn interval(interval: &Interval) -> String {
    format!("{:.2}, 95 % interval {:.2} to {:.2}", interval.mean, interval.low, interval.high)
}

/// Returns a share of all boards, which may be very small.
fn share(share: f64) -> String {
    if share >= 0.001 { format!("{share:.4}") } else { format!("{share:.2e}") }
}
