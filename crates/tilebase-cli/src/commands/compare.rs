//! `tilebase compare`: heuristics and searches side by side.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::ValueHint;
use pdb_compare::report::Page;
use pdb_compare::{Comparison, End, Pair, PairName, Row, Settings, chart, report};
use pdb_core::notation::printable_text;
use pdb_lab::{Basic, Engine, HeuristicName, SearchName};
use pdb_search::{Limits, Weight};
use tilebase::{
    BOARDS_MAX, Board, BoardSet, Error, Goal, GoalChoice, Naming, Residence, Search, Shape,
    Tilebase, goal_name,
};

use crate::Place;
use crate::args::{self, InputColumns, MemoryArg};
use crate::failure::{Verdict, usage};
use crate::folder::Folder;
use crate::help;
use crate::interrupt;
use crate::output::{Output, Target};
use crate::progress::Progress;

/// Arguments of `tilebase compare`.
#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(crate) struct Args {
    /// Heuristics with commas between them; spec names may leave out the number of tiles
    #[arg(long, help_heading = help::SEARCH, value_name = "LIST", default_value = "linear-conflict,walking-distance,5-5-5,7-8")]
    heuristics: String,
    /// Searches with commas between them; weighted ones may have a weight, as weighted-ida:81/19 and
    /// batch-astar:1000:3/2, which expands 1000 boards at once
    #[arg(long, help_heading = help::SEARCH, value_name = "LIST", default_value = "ida", value_delimiter = ',')]
    searches: Vec<SearchName>,
    /// A file with a board on each line, a board, or a set of boards: korf100, korf50, hardest,
    /// random:N:SEED, walk:STEPS:N:SEED, optimum:LO..HI:N:SEED; give it again for a further set
    #[arg(long, help_heading = help::BOARDS, value_name = "BOARDS", default_value = "random:10:1")]
    boards: Vec<String>,
    #[command(flatten)]
    columns: InputColumns,
    /// blank-last, blank-first, snail, or a file with a drawn board [default: blank-last, of korf100 and
    /// korf50 blank-first]
    #[arg(long, help_heading = help::BOARDS, value_name = "NAME|FILE")]
    goal: Option<String>,
    /// Rows and columns of random boards, and of boards without row separators [default: 4x4]
    #[arg(long, help_heading = help::BOARDS, value_name = "RxC", value_parser = args::shape)]
    size: Option<Shape>,
    /// Weight of the estimate in weighted searches: a number or a ratio, at least 1; several with commas
    /// between them for a sweep
    #[arg(long, visible_alias = "weights", help_heading = help::SEARCH, value_name = "W",
        default_value = "2", value_delimiter = ',')]
    weight: Vec<Weight>,
    /// Hold all others against this pair, such as manhattan+ida; the heuristic or the search alone where
    /// that is enough
    #[arg(long, help_heading = help::SEARCH, value_name = "HEURISTIC+SEARCH")]
    baseline: Option<String>,
    /// Longest time to search for one board, such as 10s or 500ms
    #[arg(long, help_heading = help::SEARCH, value_name = "TIME", value_parser = args::duration)]
    time_limit: Option<Duration>,
    /// Most nodes to generate for one board
    #[arg(long, help_heading = help::SEARCH, value_name = "N")]
    node_limit: Option<u64>,
    /// Begin no further board of a row after this time, such as 1h
    #[arg(long, help_heading = help::SEARCH, value_name = "TIME", value_parser = args::duration)]
    row_time: Option<Duration>,
    /// Boards that are searched at once, each on a thread of its own
    #[arg(long, help_heading = help::MACHINE, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Print medians, quartiles, deviations and branching factors below the table
    #[arg(long, help_heading = help::OUTPUT)]
    long: bool,
    /// Write a line for each board of each pair to a file, or to standard output (-) in place of the table
    #[arg(long, help_heading = help::OUTPUT, value_name = "FILE", value_hint = ValueHint::FilePath)]
    csv: Option<Target>,
    /// Write a line for each pair, with all its numbers, to a file, or to standard output (-) in place of
    /// the table
    #[arg(long, help_heading = help::OUTPUT, value_name = "FILE", value_hint = ValueHint::FilePath)]
    summary_csv: Option<Target>,
    /// Write everything, each board of each pair too, to a file, or to standard output (-) in place of
    /// the table
    #[arg(long, help_heading = help::OUTPUT, value_name = "FILE", value_hint = ValueHint::FilePath)]
    json: Option<Target>,
    /// Write tables and charts as one page of HTML to a file, or to standard output (-) in place of the
    /// table
    #[arg(long, help_heading = help::OUTPUT, value_name = "FILE", value_hint = ValueHint::FilePath)]
    report: Option<Target>,
    /// Draw charts into a folder, as SVG
    #[arg(long, help_heading = help::OUTPUT, value_name = "DIR")]
    charts: Option<PathBuf>,
    #[command(flatten)]
    memory: MemoryArg,
    #[command(flatten)]
    folder: Folder,
}

fn after_help() -> String {
    let searches: Vec<_> = SearchName::ALL
        .into_iter()
        .map(|(search, what)| format!("  {:<16}{what}", search.name()))
        .collect();
    let examples = help::examples(&[
        ("the usual heuristics on ten random boards", "tilebase compare"),
        (
            "two heuristics on Korf's boards, with ratios and a report",
            "tilebase compare --boards korf100 --heuristics 5-5-5,7-8 --baseline 5-5-5 --report r.html",
        ),
        ("for programs", "tilebase compare --boards random:100:1 --json - > rows.json"),
    ]);
    format!(
        "Heuristics: {}, the name of a spec (see `tilebase specs`), the same with :unmirrored to \
         leave its mirror images out, net:FILE for a network (net:8 and net:15 are there; its estimates may be \
         too large), and max(..) of two to four of them.\n\nSearches:\n{}\n\n\
         The table gives means over the boards that were solved. \"off by\" is the most moves that a \
         solution may be longer than a shortest one, as far as is proved; b* gen is the effective \
         branching factor by generated nodes. --long also gives the one by expanded nodes. Distances \
         that any search proves serve all of them. --memory is shared by all threads; a search that keeps boards ends when \
         its share is used up.\n\n{examples}",
        HeuristicName::known().join(", "),
        searches.join("\n"),
    )
}

impl Args {
    pub(crate) fn run(self, output: &mut Output, progress: Progress) -> anyhow::Result<Verdict> {
        self.check_targets()?;
        let is_stdout_taken = self.targets().any(|(_, target)| *target == Target::Stdout);
        let sets = self.sets(progress)?;
        if interrupt::is_set() {
            return Ok(Verdict::Bad);
        }
        let searches = self.searches()?;
        let mut goals: Vec<(Goal, Vec<HeuristicName>)> = Vec::new();
        for set in &sets {
            if goals.iter().all(|(goal, _)| *goal != set.goal) {
                goals.push((set.goal, tilebase::heuristics(&self.heuristics, &set.goal)?));
            }
        }
        leave_out_networks(&goals, &searches, progress)?;
        let baseline = self.baseline(&goals, &searches)?;
        if let Some(folder) = &self.charts {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        // What cannot be written is better known before the boards are solved.
        self.targets().try_for_each(|(_, target)| target.prepare())?;
        let memory = self.memory.memory();
        let tables = Tilebase::builder()
            .folder(&self.folder.path()?)
            .memory(memory)
            .residence(Residence::Prefaulted)
            .search(Search { cancel: interrupt::cancel(), ..Search::default() })
            .watch(progress.watcher())
            .lazy()?;
        let settings = Settings {
            limits: Limits {
                time: self.time_limit,
                nodes: self.node_limit,
                stop: Some(interrupt::flag()),
                memory: Some(memory.bytes() / u64::from(self.threads)),
                progress: None,
            },
            row_time: self.row_time,
            thread_count: usize::from(self.threads),
            crew: Place::here().crew.as_deref().map(|crew| (crew, &tables)),
            ..Settings::default()
        };
        for set in &sets {
            let name = match sets.len() {
                1 => String::new(),
                _ => format!(" of {}", printable_text(&set.name)),
            };
            let goal = goal_name(&set.goal);
            progress.note(format_args!("boards{name}: {}, goal: {goal}", set.boards.len()));
        }
        let rows =
            interrupt::orderly(|| rows(&goals, &searches, &sets, &settings, &tables, progress))?;
        let of_set = |(set, rows)| Comparison::new(set, rows, baseline.as_ref());
        let comparisons: Vec<Comparison> =
            progress.slowly("resampling", || sets.into_iter().zip(rows).map(of_set).collect());
        if !is_stdout_taken {
            self.print(output, &comparisons)?;
        }
        self.write(output, &comparisons)?;
        if interrupt::is_set() {
            progress
                .note("interrupted: what is shown covers only the boards that were done by then");
        }
        for Comparison { set, pairs, .. } in &comparisons {
            let count =
                |pair: &Pair| pair.row.samples.iter().filter(|s| s.end == End::Unsolvable).count();
            if let Some(count) = pairs.iter().map(count).find(|count| *count > 0) {
                progress.note(format_args!(
                    "{count} of the boards cannot be solved: no moves lead to the goal {}",
                    set.goal.board()
                ));
            }
        }
        let pairs = comparisons.iter().flat_map(|comparison| &comparison.pairs);
        let mut ends = pairs.flat_map(|pair| &pair.row.samples).map(|sample| sample.end);
        Ok(Verdict::of(!ends.any(|end| matches!(end, End::Limit | End::Unsolvable))))
    }

    /// The results that go to files or to standard output, with the options that ask for them.
    fn targets(&self) -> impl Iterator<Item = (&'static str, &Target)> {
        [
            ("--csv", &self.csv),
            ("--summary-csv", &self.summary_csv),
            ("--json", &self.json),
            ("--report", &self.report),
        ]
        .into_iter()
        .filter_map(|(option, target)| Some((option, target.as_ref()?)))
    }

    /// Each result needs a place of its own.
    fn check_targets(&self) -> anyhow::Result<()> {
        for (number, (option, target)) in self.targets().enumerate() {
            let Some((other, _)) = self.targets().take(number).find(|(_, other)| *other == target)
            else {
                continue;
            };
            return Err(match target {
                Target::Stdout => usage(format!(
                    "{other} and {option} both name standard output (-), which takes one of them: name a \
                     file for the other"
                )),
                // A device takes whatever comes.
                Target::File(path) if fs::metadata(path).is_ok_and(|there| !there.is_file()) => {
                    continue;
                }
                Target::File(path) => usage(format!(
                    "{other} and {option} both name {}, which would hold the last of them: name another \
                     file",
                    path.display()
                )),
            });
        }
        Ok(())
    }

    fn print(&self, output: &mut Output, comparisons: &[Comparison]) -> anyhow::Result<()> {
        output.write_all(report::table(comparisons).as_bytes())?;
        if let Some(ratios) = report::ratios(comparisons) {
            write!(output, "\n{ratios}")?;
        }
        if self.long {
            write!(output, "\n{}", report::distributions(comparisons))?;
        }
        Ok(())
    }

    /// Writes what was asked for.
    fn write(&self, output: &mut Output, comparisons: &[Comparison]) -> anyhow::Result<()> {
        if let Some(target) = &self.csv {
            target.write(output, &report::csv(comparisons))?;
        }
        if let Some(target) = &self.summary_csv {
            target.write(output, &report::summary_csv(comparisons))?;
        }
        if let Some(target) = &self.json {
            target.write(output, &report::json(comparisons))?;
        }
        if self.charts.is_none() && self.report.is_none() {
            return Ok(());
        }
        let charts = chart::charts(comparisons);
        if let Some(folder) = &self.charts {
            for chart in &charts {
                pdb_gen::write_file(&folder.join(&chart.file_name), chart.svg.as_bytes())?;
            }
        }
        if let Some(target) = &self.report {
            let page = report::html(&self.page(), comparisons, &charts);
            target.write(output, page.as_bytes())?;
        }
        Ok(())
    }

    /// What the report says of this comparison.
    fn page(&self) -> Page {
        let mut conditions = vec![("threads", self.threads.to_string())];
        let time = |time: Duration| format!("{} s", time.as_secs_f64());
        let limits = [
            ("time limit a board", self.time_limit.map(time)),
            ("node limit a board", self.node_limit.map(|nodes| nodes.to_string())),
            ("time limit a pair", self.row_time.map(time)),
        ];
        conditions.extend(limits.into_iter().filter_map(|(name, limit)| Some((name, limit?))));
        if interrupt::is_set() {
            let what = "only the boards that were done before an interrupt are covered";
            conditions.push(("incomplete", what.to_owned()));
        }
        conditions
            .push(("command", command(crate::ARGUMENTS.get().into_iter().flatten().cloned())));
        let conditions =
            conditions.into_iter().map(|(name, what)| (name.to_owned(), what)).collect();
        Page { title: "Heuristics and searches compared".to_owned(), conditions }
    }

    /// The searches, each that takes a weight and has none with every weight.
    fn searches(&self) -> anyhow::Result<Vec<SearchName>> {
        let mut searches: Vec<SearchName> = Vec::new();
        for &search in &self.searches {
            let first = search.with_weight(self.weight[0]);
            if self.weight.len() == 1 || first == search {
                searches.push(first);
                continue;
            }
            for &weight in &self.weight {
                let search = search.with_weight(weight);
                // A weight may also have been named with the search.
                if !searches.contains(&search) && !self.searches.contains(&search) {
                    searches.push(search);
                }
            }
        }
        let takes_weight = |search: &SearchName| search.with_weight(self.weight[0]) != *search;
        if self.weight.len() > 1 && !self.searches.iter().any(takes_weight) {
            return Err(usage(
                "several weights and no search that takes them: expected weighted-astar, weighted-ida or \
                 batch-astar without a weight of its own in --searches",
            ));
        }
        Ok(searches)
    }

    /// The pair that the others are held against. It is looked for before anything is solved, in every
    /// set, since heuristics may be called in another way for another shape.
    fn baseline(
        &self,
        goals: &[(Goal, Vec<HeuristicName>)],
        searches: &[SearchName],
    ) -> anyhow::Result<Option<PairName>> {
        let Some(text) = &self.baseline else { return Ok(None) };
        let mut baseline = None;
        for (_, names) in goals {
            let names: Vec<PairName> = pairs(names, searches)
                .map(|(heuristic, search)| {
                    PairName::new(&heuristic.map(ToString::to_string).unwrap_or_default(), search)
                })
                .collect();
            baseline = Some(PairName::find(&names, text).map_err(usage)?);
        }
        Ok(baseline)
    }

    fn sets(&self, progress: Progress) -> anyhow::Result<Vec<BoardSet>> {
        let mut sets: Vec<BoardSet> = Vec::new();
        for text in &self.boards {
            let set = self.set(text, progress)?;
            if sets.iter().any(|other| other.name == set.name) {
                return Err(usage(format!(
                    "--boards names {} twice: name each set once",
                    set.name
                )));
            }
            sets.push(set);
        }
        Ok(sets)
    }

    fn set(&self, text: &str, progress: Progress) -> anyhow::Result<BoardSet> {
        let text = text.trim();
        let usual = Shape::new(4, 4).expect("4x4 is a shape");
        let mut boards = if BoardSet::is_name(text) {
            let goal = self.goal(self.size.unwrap_or(usual))?;
            // What boards of some length are solved with while they are made.
            let tables = Tilebase::builder()
                .folder(&self.folder.path()?)
                .memory(self.memory.memory())
                .search(Search { cancel: interrupt::cancel(), ..Search::default() })
                .watch(progress.watcher())
                .lazy()?;
            interrupt::orderly(|| BoardSet::named(text, &goal, &tables))?
        } else {
            let boards = self.read(text)?;
            BoardSet { name: text.to_owned(), goal: self.goal(boards[0].shape())?, boards }
        };
        if self.goal.is_some() {
            boards.goal = self.goal(boards.goal.shape())?;
        }
        Ok(boards)
    }

    /// The goal for boards of a shape.
    fn goal(&self, shape: Shape) -> anyhow::Result<Goal> {
        match &self.goal {
            None => Ok(Goal::blank_last(shape)),
            Some(name) => GoalChoice::read(name, self.size)?.goal(shape).map_err(usage),
        }
    }

    /// One board that the argument is, or those of the file that it names; at least one.
    fn read(&self, text: &str) -> anyhow::Result<Vec<Board>> {
        let mut boards: Vec<Board> = Vec::new();
        let naming =
            Naming { shape: self.size, columns: self.columns.input_columns, ..Naming::default() };
        for given in naming.words(&[text.to_owned()])?.boards {
            let given = given.map_err(|error| usage(format!("{text}: {error}")))?;
            if let Some(first) = boards.first()
                && first.shape() != given.board.shape()
            {
                return Err(usage(format!(
                    "{text}: line {}: a {} board among {} boards: compare boards of one shape",
                    given.line.unwrap_or(0),
                    given.board.shape(),
                    first.shape()
                )));
            }
            boards.push(given.board);
            if boards.len() > BOARDS_MAX {
                return Err(usage(format!("{text}: more than {BOARDS_MAX} boards")));
            }
        }
        if boards.is_empty() {
            return Err(usage(format!("{text} has no board: write one on each line")));
        }
        Ok(boards)
    }
}

/// The heuristics with the searches that use them. Searches without a heuristic come first, each once.
fn pairs<'a>(
    names: &'a [HeuristicName],
    searches: &'a [SearchName],
) -> impl Iterator<Item = (Option<&'a HeuristicName>, SearchName)> {
    let uninformed = searches.iter().filter(|search| !search.is_informed());
    let informed = names.iter().flat_map(move |name| {
        let searches = searches.iter().filter(|search| search.is_informed());
        let searches = searches.filter(|search| name.is_admissible() || !search.needs_admissible());
        searches.map(move |&search| (Some(name), search))
    });
    uninformed.map(|&search| (None, search)).chain(informed)
}

/// Says which pairs are left out, because the search proves solutions by estimates and these are learned.
fn leave_out_networks(
    goals: &[(Goal, Vec<HeuristicName>)],
    searches: &[SearchName],
    progress: Progress,
) -> anyhow::Result<()> {
    let Some((_, names)) = goals.first() else { return Ok(()) };
    let proving: Vec<_> = searches.iter().filter(|search| search.needs_admissible()).collect();
    let learned = names.iter().find(|name| !name.is_admissible());
    let (Some(learned), false) = (learned, proving.is_empty()) else { return Ok(()) };
    let list: Vec<_> = proving.iter().map(ToString::to_string).collect();
    let why = format!(
        "{learned} is learned, so {} would prove nothing by it: it is searched with by astar, weighted-astar, \
         greedy and weighted-ida alone",
        list.join(", ")
    );
    if pairs(names, searches).next().is_none() {
        return Err(usage(why));
    }
    progress.note(format_args!("note: {why}"));
    Ok(())
}

/// The rows of each set.
fn rows(
    goals: &[(Goal, Vec<HeuristicName>)],
    searches: &[SearchName],
    sets: &[BoardSet],
    settings: &Settings<'_>,
    tables: &Tilebase,
    progress: Progress,
) -> anyhow::Result<Vec<Vec<Row>>> {
    // What does not fit board or goal is better known before the first board is solved.
    let mut opened: Vec<(Goal, Engine, Vec<Engine>)> = Vec::new();
    for (goal, names) in goals {
        let open = |name: &HeuristicName| -> Result<Engine, Error> {
            progress.slowly(&format!("opening {name}"), || tables.engine_of(goal, name))
        };
        // A search without a heuristic takes any.
        let any = open(&HeuristicName::Basic(Basic::Manhattan))?;
        opened.push((*goal, any, names.iter().map(open).collect::<Result<_, _>>()?));
    }
    let pairs_of = |goal: &Goal| {
        let of_goal = opened.iter().find(|(other, ..)| other == goal);
        let (_, any, engines) = of_goal.expect("there are engines for the goal of each set");
        let (informed, uninformed): (Vec<SearchName>, Vec<SearchName>) =
            searches.iter().partition(|search| search.is_informed());
        let mut pairs: Vec<(&Engine, SearchName)> = Vec::new();
        pairs.extend(uninformed.into_iter().map(|search| (any, search)));
        for engine in engines {
            let is_taken =
                |search: &&SearchName| engine.is_admissible() || !search.needs_admissible();
            pairs.extend(informed.iter().filter(is_taken).map(|&search| (engine, search)));
        }
        pairs
    };
    let total: usize = sets.iter().map(|set| pairs_of(&set.goal).len() * set.boards.len()).sum();
    let bar = progress.counter(total as u64);
    let mut begun = 0;
    let mut rows = Vec::new();
    for set in sets {
        let mut of_set = Vec::new();
        for (engine, search) in pairs_of(&set.goal) {
            if interrupt::is_set() {
                break;
            }
            let heuristic = if search.is_informed() { engine.name() } else { "no heuristic" };
            bar.begin(&format!("{heuristic}, {search}"));
            let row = pdb_compare::run(engine, search, set, settings, &|| bar.count());
            tilebase::confirm(engine)?;
            of_set.push(row?);
            // A row that ran out of time has fewer boards.
            begun += set.boards.len();
            bar.end_of_part(begun as u64);
        }
        rows.push(of_set);
    }
    Ok(rows)
}

/// What was called, so that it can be called again.
fn command(words: impl Iterator<Item = OsString>) -> String {
    let quoted = |word: OsString| {
        let word = word.to_string_lossy().into_owned();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=+,.:/@%".contains(c);
        if !word.is_empty() && word.chars().all(is_plain) {
            return word;
        }
        format!("'{}'", word.replace('\'', "'\\''"))
    };
    // Where the program is says nothing to others.
    std::iter::once("tilebase".to_owned())
        .chain(words.skip(1).map(quoted))
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_can_be_given_to_a_shell_again() {
        let words = ["/usr/bin/tilebase", "compare", "--boards", "1 2 3/4 5 6/7 0 8", "it's", ""];
        let expected = "tilebase compare --boards '1 2 3/4 5 6/7 0 8' 'it'\\''s' ''";
        assert_eq!(command(words.into_iter().map(OsString::from)), expected);
    }
}
