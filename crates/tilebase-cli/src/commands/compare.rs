//! `tilebase compare`: heuristics and searches side by side.

use std::env;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use pdb_core::excerpt::printable_text;
use pdb_gen::GenError;
use pdb_lab::{Basic, Engine, Estimates, HeuristicName, SearchName};
use pdb_search::{Limits, Weight};
use tilebase::names::goal_name;
use tilebase::pdb_search::StatusKind;
use tilebase::sets::{BOARDS_MAX, BoardSet, InputOptions, SetName};
use tilebase::shelf::{Residence, core_count};
use tilebase::{Board, Error, Goal, Metric, Search, Shape, Tilebase};
use tilebase_compare::report::Page;
use tilebase_compare::{Comparison, Pair, PairName, Row, Settings, chart, report};

use crate::Surroundings;
use crate::args::{self, Folder, GoalArgs, InputColumns, MemoryArg, MetricArg};
use crate::choices::SearchParser;
use crate::console::Console;
use crate::failure::{Verdict, usage};
use crate::help;
use crate::interrupt;
use crate::output::{OutputTarget, bytes, counted, naming_option, shown, target};
use crate::record;

/// Arguments of `tilebase compare`.
#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
#[command(next_help_heading = help::OUTPUT)]
pub(crate) struct Args {
    /// Heuristics, separated by commas; spec names may omit the number of tiles [default:
    /// linear-conflict,walking-distance,5-5-5,7-8; for slides, the first spec of the shape]
    #[arg(long, help_heading = help::SEARCH, value_name = "LIST")]
    heuristics: Option<String>,
    /// Searches, separated by commas; weighted ones may have a weight, such as weighted-ida:81/19
    /// and batch-astar:1000:3/2, which expands 1000 boards at once
    #[arg(long, help_heading = help::SEARCH, value_name = "LIST", default_value = "ida", value_delimiter = ',',
        value_parser = SearchParser, hide_possible_values = true)]
    searches: Vec<SearchName>,
    /// A file with a board on each line, a board, or a set of boards: korf100, korf50, hardest,
    /// random:N:SEED, walk:STEPS:N:SEED, optimum:LO..HI:N:SEED; repeat the option for further sets
    #[arg(long, help_heading = help::BOARDS, value_name = "BOARDS", default_value = "random:10:1")]
    boards: Vec<String>,
    #[command(flatten)]
    columns: InputColumns,
    #[command(flatten)]
    goal: GoalArgs,
    /// Weight of the estimate in weighted searches: a number or a ratio, at least 1; several
    /// weights, separated by commas, for a sweep
    #[arg(long, visible_alias = "weights", help_heading = help::SEARCH, value_name = "W",
        default_value = "2", value_delimiter = ',')]
    weight: Vec<Weight>,
    /// Compare all other pairs with this one, such as manhattan+ida; the heuristic or the search is
    /// enough where it is unique
    #[arg(long, help_heading = help::SEARCH, value_name = "HEURISTIC+SEARCH")]
    baseline: Option<String>,
    /// Time limit per board, such as 10s or 500ms
    #[arg(long, help_heading = help::SEARCH, value_name = "TIME", value_parser = args::time)]
    time_limit: Option<Duration>,
    /// Limit on generated nodes per board
    #[arg(long, help_heading = help::SEARCH, value_name = "N",
        value_parser = args::number::<u64>(1..=u64::MAX))]
    node_limit: Option<u64>,
    /// Start no further board of a row after this time, such as 1h
    #[arg(long, help_heading = help::SEARCH, value_name = "TIME", value_parser = args::time)]
    row_time: Option<Duration>,
    /// Number of boards that are searched at the same time, one thread each
    #[arg(long, help_heading = help::MACHINE, value_name = "N", default_value_t = 1,
        value_parser = args::number::<u16>(1..=1024))]
    threads: u16,
    /// Print medians, quartiles, deviations and branching factors below the table
    #[arg(long)]
    long: bool,
    /// Write a line for each board of each pair to a file, or to standard output (-) instead of the
    /// table
    #[arg(long, value_name = "FILE", value_parser = target("--csv"))]
    csv: Option<OutputTarget>,
    /// Write everything as JSON, with the numbers of each pair and of its boards, to a file, or to
    /// standard output (-) instead of the table
    #[arg(long, value_name = "FILE", value_parser = target("--json"))]
    json: Option<OutputTarget>,
    /// Write tables and charts as one page of HTML to a file, or to standard output (-) instead of
    /// the table
    #[arg(long, value_name = "FILE", value_parser = target("--report"))]
    report: Option<OutputTarget>,
    /// Draw charts into a folder, as SVG
    #[arg(long, value_name = "DIR")]
    charts: Option<PathBuf>,
    #[command(flatten)]
    metric: MetricArg,
    #[command(flatten)]
    memory: MemoryArg,
    #[command(flatten)]
    folder: Folder,
}

/// Default heuristics.
const HEURISTICS: &str = "linear-conflict,walking-distance,5-5-5,7-8";

fn after_help() -> String {
    let searches: Vec<_> = SearchName::all()
        .map(|search| format!("  {:<16}{}", search.name(), search.row().help))
        .collect();
    let examples = help::examples(&[
        ("the default heuristics on ten random boards", "tilebase compare"),
        (
            "two heuristics on Korf's boards, with ratios and a report",
            "tilebase compare --boards korf100 --heuristics 5-5-5,7-8 --baseline 5-5-5 --report r.html",
        ),
        ("for programs", "tilebase compare --boards random:100:1 --json - > rows.json"),
    ]);
    format!(
        "Heuristics: {}, the name of a spec (see `tilebase specs`), a spec with :unmirrored for look-ups \
         without mirror images, net:FILE for a network (net:8 and net:15 are built in; estimates may be \
         too large), and max(..) of two to four of these.\n\nSearches:\n{}\n\n\
         The table has means over the solved boards. If searches find solutions of different lengths, \
         \"above best\" is the mean number of moves above the shortest of them. \"off by\" is an upper limit \
         on the extra moves of a solution; b* gen is the effective branching factor by generated nodes. --long also prints the \
         factor by expanded nodes. A distance that one search proves is used for all of them. All threads \
         share --memory; a search that keeps boards stops when its share is used up.\n\n{examples}",
        HeuristicName::known(Metric::SingleTile).join(", "),
        searches.join("\n"),
    )
}

/// A goal of the boards, and the heuristics for it. Their names depend on the shape.
struct GoalHeuristics {
    goal: Goal,
    names: Vec<HeuristicName>,
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        self.check_targets()?;
        let search = Search { cancel: interrupt::cancel(), ..Search::default() };
        let tables = Tilebase::builder()
            .folder(&self.folder.path()?)
            .memory(self.memory.memory())
            .metric(self.metric.metric)
            .residence(Residence::Prefaulted)
            .search(search)
            .watch(console.progress.watcher())
            .lazy()?;
        let shape = self.goal.read(None)?.1;
        let goal_of = |shape| self.goal.of_shape(shape);
        let set = |text| board_set(text, &self.goal, (self.columns, shape), &goal_of, &tables);
        let sets = self.boards.iter().map(|text| set(text.trim()));
        let sets = sets.collect::<anyhow::Result<Vec<BoardSet>>>()?;
        if interrupt::is_set() {
            return Ok(Verdict::Bad);
        }
        let searches = self.searches()?;
        for search in &searches {
            search.expect_metric(self.metric.metric).map_err(Error::from)?;
        }
        let mut goals: Vec<GoalHeuristics> = Vec::new();
        for BoardSet { goal, .. } in &sets {
            if goals.iter().all(|other| other.goal != *goal) {
                let names = self.heuristics(goal)?;
                goals.push(GoalHeuristics { goal: *goal, names });
            }
        }
        note_networks(&goals[0].names, &searches, console)?;
        let baseline = self.baseline(&goals, &searches)?;
        // Files that cannot be written are reported before the search.
        if let Some(folder) = &self.charts {
            fs::create_dir_all(folder).map_err(|source| {
                let (action, path) = ("create the folder", folder.clone());
                naming_option("--charts", folder, GenError::Io { action, path, source })
            })?;
        }
        self.targets().try_for_each(OutputTarget::prepare)?;
        for set in &sets {
            let name = match sets.len() {
                1 => String::new(),
                _ => format!(" of {}", printable_text(&set.name)),
            };
            let goal = goal_name(&set.goal);
            console.note(format_args!("boards{name}: {}, goal: {goal}", set.boards.len()));
        }
        let rows = interrupt::orderly(|| self.rows(&goals, &searches, &sets, &tables, console))?;
        let of_set = |(set, rows): (_, Vec<_>)| Comparison::new(set, &rows, baseline.as_ref());
        let compare = || sets.into_iter().zip(rows).map(of_set).collect();
        let comparisons: Vec<Comparison> = console.progress.slowly("resampling", compare);
        if !self.targets().any(|target| target.file.is_none()) {
            self.print(console, &comparisons)?;
        }
        self.write(console, &comparisons)?;
        if interrupt::is_set() {
            console.note("interrupted: the results cover only the boards that were finished");
        }
        let mut is_good = true;
        for Comparison { set, pairs, .. } in &comparisons {
            let count = |pair: &Pair, status| {
                pair.row.samples.iter().filter(|sample| sample.status == status).count()
            };
            let unsolvable = pairs
                .iter()
                .map(|pair| count(pair, StatusKind::Unsolvable))
                .find(|&count| count > 0);
            if let Some(count) = unsolvable {
                console.note(format_args!(
                    "{count} of the boards cannot be solved: no moves lead to the goal {}",
                    set.goal.board()
                ));
            }
            is_good &= unsolvable.is_none()
                && pairs.iter().all(|pair| count(pair, StatusKind::Limit) == 0);
        }
        Ok(Verdict::of(is_good))
    }

    /// Returns the destinations of results, except for the charts.
    fn targets(&self) -> impl Iterator<Item = &OutputTarget> {
        [&self.csv, &self.json, &self.report].into_iter().flatten()
    }

    /// Refuses two results with one destination.
    fn check_targets(&self) -> anyhow::Result<()> {
        for (number, OutputTarget { option, file }) in self.targets().enumerate() {
            let place = match file {
                None => "standard output (-)".to_owned(),
                Some(path) => shown(path),
            };
            if let Some(other) = self.targets().take(number).find(|other| other.file == *file) {
                return Err(usage(format!(
                    "{} and {option} both name {place}, which takes one result: name another file",
                    other.option
                )));
            }
        }
        Ok(())
    }

    fn print(&self, console: &mut Console, comparisons: &[Comparison]) -> anyhow::Result<()> {
        console.write_all(report::table(comparisons).as_bytes())?;
        if let Some(ratios) = report::ratios(comparisons) {
            write!(console, "\n{ratios}")?;
        }
        if self.long {
            write!(console, "\n{}", report::distributions(comparisons))?;
        }
        Ok(())
    }

    /// Writes the results that go to files or to standard output.
    fn write(&self, console: &mut Console, comparisons: &[Comparison]) -> anyhow::Result<()> {
        if let Some(target) = &self.csv {
            target.write(console, &report::csv(comparisons))?;
        }
        if let Some(target) = &self.json {
            target.write(console, &report::json(comparisons))?;
        }
        if self.charts.is_none() && self.report.is_none() {
            return Ok(());
        }
        let charts = chart::charts(comparisons);
        if let Some(folder) = &self.charts {
            for chart in &charts {
                let path = folder.join(&chart.file_name);
                pdb_gen::write_output(&path, chart.svg.as_bytes())
                    .map_err(|error| naming_option("--charts", folder, error))?;
            }
        }
        if let Some(target) = &self.report {
            let page = report::html(&self.page(), comparisons, &charts);
            target.write(console, page.as_bytes())?;
        }
        Ok(())
    }

    /// Returns the title and the conditions of the report.
    fn page(&self) -> Page {
        let time = |time: Duration| format!("{} s", time.as_secs_f64());
        let is_incomplete = interrupt::is_set();
        let slides = "mtm: a slide of several tiles is one move";
        let conditions = [
            ("version", Some(format!("tilebase {}", env!("CARGO_PKG_VERSION")))),
            ("date", Some(httpdate::fmt_http_date(SystemTime::now()))),
            ("processor", Some(processor())),
            ("memory", Some(bytes(self.memory.memory().bytes()).to_string())),
            ("metric", self.metric.metric.unusual_name().map(|_| slides.to_owned())),
            ("threads", Some(self.threads.to_string())),
            ("time limit per board", self.time_limit.map(time)),
            ("node limit per board", self.node_limit.map(|nodes| nodes.to_string())),
            ("time limit per pair", self.row_time.map(time)),
            (
                "incomplete",
                is_incomplete.then(|| "interrupted: only finished boards are covered".to_owned()),
            ),
            ("command", Some(command())),
        ];
        let conditions =
            conditions.into_iter().filter_map(|(name, what)| Some((name.to_owned(), what?)));
        let title = "Heuristics and searches compared".to_owned();
        Page { title, conditions: conditions.collect() }
    }

    /// Returns the heuristics for a goal.
    fn heuristics(&self, goal: &Goal) -> anyhow::Result<Vec<HeuristicName>> {
        let metric = self.metric.metric;
        let names = match (&self.heuristics, metric) {
            (Some(list), _) => tilebase::names::heuristics(list, goal)?,
            (None, Metric::SingleTile) => tilebase::names::heuristics(HEURISTICS, goal)?,
            (None, Metric::MultiTile) => {
                pdb_spec::specs_for(goal, metric).take(1).map(|spec| (&spec).into()).collect()
            }
        };
        for name in &names {
            name.expect_metric(metric, goal).map_err(Error::from)?;
        }
        Ok(names)
    }

    /// Returns the searches. A search that takes a weight and names none is repeated for each
    /// weight.
    fn searches(&self) -> anyhow::Result<Vec<SearchName>> {
        let mut searches: Vec<SearchName> = Vec::new();
        let mut takes_weight = false;
        for &search in &self.searches {
            let first = search.with_weight(self.weight[0]);
            takes_weight |= first != search;
            if self.weight.len() == 1 || first == search {
                searches.push(first);
                continue;
            }
            for &weight in &self.weight {
                let search = search.with_weight(weight);
                // --searches may also name a search with this weight explicitly.
                if !searches.contains(&search) && !self.searches.contains(&search) {
                    searches.push(search);
                }
            }
        }
        if self.weight.len() > 1 && !takes_weight {
            return Err(usage(format!(
                "several weights but no search that takes one: expected one of {} in --searches, without a \
                 weight of its own",
                SearchName::list(SearchName::takes_weight),
            )));
        }
        Ok(searches)
    }

    /// Returns the pair to compare the others with. Every goal must have it.
    fn baseline(
        &self,
        goals: &[GoalHeuristics],
        searches: &[SearchName],
    ) -> anyhow::Result<Option<PairName>> {
        let Some(text) = &self.baseline else { return Ok(None) };
        let mut baseline = None;
        for GoalHeuristics { names, .. } in goals {
            let heuristic =
                |nth: Option<usize>| nth.map_or_else(String::new, |nth| names[nth].to_string());
            let names: Vec<PairName> = pairs(names, searches)
                .map(|(nth, search)| PairName::new(&heuristic(nth), search))
                .collect();
            baseline = Some(PairName::find(&names, text).map_err(usage)?);
        }
        Ok(baseline)
    }

    /// Solves all boards with all pairs, and returns the rows of each set.
    fn rows(
        &self,
        goals: &[GoalHeuristics],
        searches: &[SearchName],
        sets: &[BoardSet],
        tables: &Tilebase,
        console: &Console,
    ) -> anyhow::Result<Vec<Vec<Row>>> {
        let settings = Settings {
            limits: Limits {
                time: self.time_limit,
                nodes: self.node_limit,
                stop: Some(interrupt::flag()),
                memory: Some(self.memory.memory().bytes() / u64::from(self.threads)),
                ..Limits::default()
            },
            row_time: self.row_time,
            thread_count: usize::from(self.threads),
            crew: Surroundings::here().crew.as_deref().map(|crew| (crew, tables)),
            ..Settings::default()
        };
        // All tables are opened first, so that a wrong one is reported before the first search. The
        // last engine is for searches without a heuristic, which accept any engine.
        let mut engines: Vec<Vec<Engine>> = Vec::new();
        for GoalHeuristics { goal, names } in goals {
            let any = HeuristicName::Basic(Basic::Manhattan);
            let open = |name: &HeuristicName| {
                let open = || tables.engine_of(goal, name, tables.search());
                console.progress.slowly(&format!("opening {name}"), open)
            };
            engines.push(names.iter().chain([&any]).map(open).collect::<Result<_, _>>()?);
        }
        let of_goal = |set: &BoardSet| {
            let nth = goals.iter().position(|of| of.goal == set.goal);
            let nth = nth.expect("the goals are those of the sets");
            (&engines[nth], pairs(&goals[nth].names, searches))
        };
        let total: usize = sets.iter().map(|set| of_goal(set).1.count() * set.boards.len()).sum();
        let bar = console.progress.boards(Some(total as u64));
        let mut finished = 0;
        let mut rows = Vec::new();
        for set in sets {
            let mut of_set = Vec::new();
            let (engines, pairs) = of_goal(set);
            for (nth, search) in pairs {
                if interrupt::is_set() {
                    break;
                }
                let engine = &engines[nth.unwrap_or(engines.len() - 1)];
                let heuristic = if nth.is_some() { engine.name() } else { "no heuristic" };
                bar.begin(&format!("{heuristic}, {search}"));
                let row = tilebase_compare::run(engine, search, set, &settings, &|| bar.count());
                tilebase::shelf::confirm(engine)?;
                of_set.push(row?);
                // A row that reached its time limit has fewer boards.
                finished += set.boards.len();
                bar.end_of_part(finished as u64);
            }
            rows.push(of_set);
        }
        Ok(rows)
    }
}

/// Returns the boards that a text names, all of one shape: a set, those of a file, or a single one.
/// `goal_of` returns their goal, unless they have one of their own. `shape` is that of boards that
/// do not show it, and of sets.
pub(super) fn board_set(
    text: &str,
    goal: &GoalArgs,
    (columns, shape): (InputColumns, Option<Shape>),
    goal_of: &dyn Fn(Shape) -> anyhow::Result<Goal>,
    tables: &Tilebase,
) -> anyhow::Result<BoardSet> {
    let mut set = if SetName::is_name(text) {
        let goal = goal_of(shape.unwrap_or_default())?;
        // Boards of a given length are solved while they are made.
        interrupt::orderly(|| BoardSet::named(text, &goal, tables))?
    } else {
        let mut boards: Vec<Board> = Vec::new();
        let InputColumns { input_columns: columns, pairs } = columns;
        let (goal, blank) = (goal.read(None)?.0, goal.blank.blank);
        let options = InputOptions { shape, blank, columns, pairs, goal, tables: None };
        let named = options.words(&[text.to_owned()])?;
        for given in named.boards {
            let given = given.map_err(|error| usage(format!("{text}: {error}")))?;
            if let Some(first) = boards.first()
                && first.shape() != given.board.shape()
            {
                return Err(usage(format!(
                    "{text}: line {}: a {} board among {} boards: name boards of one shape",
                    given.line.unwrap_or(0),
                    given.board.shape(),
                    first.shape()
                )));
            }
            if boards.len() == BOARDS_MAX {
                return Err(usage(format!("{text}: more than {BOARDS_MAX} boards")));
            }
            boards.push(given.board);
        }
        let shape = boards.first().map(Board::shape).ok_or_else(record::no_board)?;
        let goal = named.goal.map_or_else(|| goal_of(shape), Ok)?;
        BoardSet { name: text.to_owned(), goal, boards }
    };
    if goal.goal.is_some() {
        set.goal = goal_of(set.goal.shape())?;
    }
    Ok(set)
}

/// Returns the pairs to compare, with the index of the heuristic. Searches without a heuristic come
/// first.
fn pairs<'a>(
    names: &'a [HeuristicName],
    searches: &'a [SearchName],
) -> impl Iterator<Item = (Option<usize>, SearchName)> + 'a {
    let uninformed = searches.iter().filter(|search| !search.is_informed());
    let informed = names.iter().enumerate().flat_map(move |(nth, name)| {
        let searches = searches.iter().filter(|search| search.is_informed());
        let searches = searches.filter(|search| name.is_admissible() || !search.needs_admissible());
        searches.map(move |&search| (Some(nth), search))
    });
    uninformed.map(|&search| (None, search)).chain(informed)
}

/// Reports the omitted pairs: searches that prove solutions by estimates, with learned estimates.
fn note_networks(
    names: &[HeuristicName],
    searches: &[SearchName],
    console: &Console,
) -> anyhow::Result<()> {
    let proving: Vec<String> =
        searches.iter().filter(|s| s.needs_admissible()).map(ToString::to_string).collect();
    let learned = names.iter().find(|name| !name.is_admissible());
    let (Some(learned), false) = (learned, proving.is_empty()) else { return Ok(()) };
    let why = format!(
        "{learned} is learned, so {} cannot prove anything by it: expected one of {}",
        proving.join(", "),
        SearchName::list(|search| search.row().estimates == Estimates::Any)
    );
    if pairs(names, searches).next().is_none() {
        return Err(usage(why));
    }
    console.note(format_args!("note: {why}"));
    Ok(())
}

/// Returns the name of the processor, or of its architecture if the system does not report it, and
/// the number of its cores.
fn processor() -> String {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let name = line.map(|(_, name)| name.to_owned());
    let name = name.or_else(|| env::var("PROCESSOR_IDENTIFIER").ok());
    let name = name.unwrap_or_else(|| env::consts::ARCH.to_owned());
    format!("{name}, {}", counted(core_count() as u64, "core"))
}

/// Returns the command line, quoted for a shell. The path of the program depends on the machine.
fn command() -> String {
    let words = crate::ARGUMENTS.get().into_iter().flatten().skip(1);
    format!("tilebase {}", shell_words::join(words.map(|word| word.to_string_lossy())))
}
