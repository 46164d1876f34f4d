//! `tilebase draw`: pictures of boards, partitions, search trees and values.

use std::ffi::OsString;
use std::path::PathBuf;

use pdb_draw::pictures::{self, Tree};
use pdb_draw::{Sheet, Theme};
use pdb_gen::TableFile;
use tilebase::{
    Explanation, Given, GoalChoice, Mode, NamedTable, Parts, Tilebase, confirm, heuristic,
    load_spec,
};

use crate::failure::{Verdict, usage};
use crate::help;
use crate::interrupt;
use crate::output::Output;
use crate::picture::{self, Colours, Kind, Paper, Sink};
use crate::progress::Progress;
use crate::solver::{Limits, Setup, Solver};

/// Arguments of `tilebase draw`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("a board and its goal", r#"tilebase draw board "8 6 7/2 5 4/3 0 1" --with-goal --out board.svg"#),
    ("which tiles a spec looks up together", "tilebase draw partition 15/7-8 --out 7-8.svg"),
    ("what a search sees first",
     r#"tilebase draw tree "8 6 7/2 5 4/3 0 1" --spec manhattan --depth 3 --out tree.png"#),
]))]
pub(crate) struct Args {
    /// What is drawn
    #[arg(value_enum, value_name = "PICTURE")]
    picture: Picture,
    /// Of a partition, a spec; of a histogram, a spec or tables (.pdb); else a board in any usual
    /// notation
    #[arg(value_name = "BOARD|SPEC|FILE", required = true)]
    what: Vec<String>,
    /// The file: .svg or .png, - for SVG on standard output
    #[arg(long, short, value_name = "FILE", default_value = "-", help_heading = help::OUTPUT)]
    out: OsString,
    /// What the colours of a board's tiles say [default: rows; with --spec, partition]
    #[arg(long, visible_alias = "colors", value_enum, value_name = "WHAT", help_heading = help::OUTPUT)]
    colours: Option<Colours>,
    /// Draw the goal beside the board
    #[arg(long, help_heading = help::OUTPUT)]
    with_goal: bool,
    /// A line above a board
    #[arg(long, value_name = "TEXT", help_heading = help::OUTPUT)]
    caption: Option<String>,
    /// How many levels of the tree are drawn below the board [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=12),
        help_heading = help::SEARCH)]
    depth: Option<u32>,
    /// The tree's bound on moves made plus estimate [default: the board's estimate]
    #[arg(long, value_name = "MOVES", help_heading = help::SEARCH)]
    bound: Option<u32>,
    /// The paper
    #[arg(long, value_enum, default_value_t, help_heading = help::OUTPUT)]
    paper: Paper,
    /// Dots for a pixel of a .png
    #[arg(long, value_name = "FACTOR", default_value = "2", value_parser = picture::scale,
        help_heading = help::OUTPUT)]
    scale: f64,
    #[command(flatten)]
    solver: Solver,
}

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Picture {
    /// A board
    Board,
    /// The patterns of a spec, mirror images included
    Partition,
    /// The first levels of the search tree of a board, and what a bound prunes
    Tree,
    /// The order in which a board's tiles are read, and the pairs that are in the wrong one
    Inversions,
    /// Both axes of a board's Walking Distance
    Walking,
    /// How the values of tables are spread
    Histogram,
}

const KINDS: [(&str, Kind); 2] = [("svg", Kind::Svg), ("png", Kind::Png)];

impl Args {
    pub(crate) fn run(self, output: &mut Output, progress: Progress) -> anyhow::Result<Verdict> {
        self.check()?;
        let sheet = match self.picture {
            Picture::Partition => self.partition(),
            Picture::Histogram => self.histogram(),
            _ => self.of_board(progress),
        }?;
        // A picture takes no time, so the file need not be tried before.
        let sink = Sink::read(&self.out, &KINDS)?;
        let theme = Theme::from(self.paper);
        let dots = |_| dots(&sheet, theme, self.scale);
        let written = sink.write(output, || sheet.to_svg(theme), dots)?;
        if let Some(note) = written.note() {
            progress.note(note);
        }
        Ok(Verdict::Good)
    }

    /// Refuses options that say nothing about this picture.
    fn check(&self) -> anyhow::Result<()> {
        let (of_board, of_tree) = (self.picture == Picture::Board, self.picture == Picture::Tree);
        let options = [
            ("--colours", self.colours.is_some() && !of_board, "a board"),
            ("--with-goal", self.with_goal && !of_board, "a board"),
            ("--caption", self.caption.is_some() && !of_board, "a board"),
            ("--depth", self.depth.is_some() && !of_tree, "a tree"),
            ("--bound", self.bound.is_some() && !of_tree, "a tree"),
        ];
        match options.iter().find(|(_, is_wrong, _)| *is_wrong) {
            Some((option, _, what)) => {
                Err(usage(format!("{option} is for the picture of {what}: leave it away")))
            }
            None => Ok(()),
        }
    }

    fn partition(&self) -> anyhow::Result<Sheet> {
        let [name] = &self.what[..] else {
            return Err(usage("a picture shows the partition of one spec: name one"));
        };
        let spec = load_spec(name)?;
        let shape = spec.goal.shape();
        // As it is searched with: the goal is the usual one, where the spec can lead there.
        let goal = GoalChoice::of_spec(&spec).goal(shape)?;
        let plan = spec.for_goal(&goal)?;
        Ok(pictures::partition(&plan, &spec.name, &spec.title))
    }

    fn histogram(&self) -> anyhow::Result<Sheet> {
        let names: Vec<PathBuf> = self.what.iter().map(PathBuf::from).collect();
        let tables = tilebase::tables_named(&names, self.solver.named_folder())?;
        tables.iter().try_for_each(NamedTable::check_is_there)?;
        let files: Vec<TableFile> = tables
            .iter()
            .map(|table| TableFile::open_unindexed(&table.path))
            .collect::<Result<_, _>>()?;
        let headers = files.iter().map(TableFile::header);
        let charts: Vec<(String, &[u64])> = headers
            .map(|header| {
                let name = format!("{}, {}", header.key.file_name(), header.key.describe());
                (name, &header.histogram[..])
            })
            .collect();
        let title = match &tables[..] {
            [table] if table.spec.is_none() => {
                format!("Entries by value: {}", files[0].header().key.describe())
            }
            _ => format!("Entries by value: {}", self.what.join(", ")),
        };
        Ok(pictures::histogram(&title, &charts))
    }

    fn of_board(&self, progress: Progress) -> anyhow::Result<Sheet> {
        let setup = self.solver.begin((Mode::Auto, Limits::default()), progress, None)?;
        let (given, tables) = one_board(setup, &self.what, progress)?;
        let board = given.board;
        let goal = tables.goal(board.shape()).map_err(usage)?;
        let named = self.solver.spec().map(|name| heuristic(name, &goal)).transpose()?;
        match self.picture {
            Picture::Tree => interrupt::orderly(|| self.tree(given, &tables)),
            Picture::Inversions | Picture::Walking => {
                let moves = progress.slowly("explaining", || axes(&tables, given))?;
                let (inversions, walking) =
                    moves.map_or((None, None), |explanation| of(&explanation));
                Ok(match self.picture {
                    Picture::Inversions => pictures::inversions(&board, &goal, inversions),
                    _ => pictures::walking(&board, &goal, walking),
                })
            }
            _ => {
                let colours = self.colours.unwrap_or(match named {
                    Some(_) => Colours::Partition,
                    None => Colours::Rows,
                });
                let colouring = colours.of(&goal, named.as_ref())?;
                let caption = self.caption.as_deref();
                Ok(pictures::board(&board, &goal, &colouring, self.with_goal, caption))
            }
        }
    }

    fn tree(&self, given: Given, tables: &Tilebase) -> anyhow::Result<Sheet> {
        let board = given.board;
        let goal = tables.goal(board.shape()).map_err(usage)?;
        goal.check_solvable(&board).map_err(|reason| {
            usage(format!("there is no tree to search, as the board cannot be solved: {reason}"))
        })?;
        let engine = tables.engine(&goal)?;
        let tree = Tree {
            board,
            depth: self.depth.unwrap_or(3),
            bound: self.bound,
            heuristic: engine.name(),
        };
        let sheet =
            pictures::tree::<anyhow::Error>(&tree, &mut |board| Ok(engine.estimate(board)?));
        confirm(&engine)?;
        sheet.map_err(|error| if error.is::<pictures::TooLarge>() { usage(error) } else { error })
    }
}

/// The only board that is named.
pub(crate) fn one_board(
    setup: Setup<'_>,
    words: &[String],
    progress: Progress,
) -> anyhow::Result<(Given, Tilebase)> {
    let named = setup.words(words, None)?;
    let tables = setup.open(named.goal, progress)?;
    let boards: Vec<Given> = named.boards.take(2).collect::<Result<_, _>>()?;
    let [given] = boards[..] else {
        let found = if boards.is_empty() { "none" } else { "more" };
        return Err(usage(format!("a picture shows one board and there are {found}: name one")));
    };
    Ok((given, tables))
}

/// What is said of the board by heuristics without tables of patterns; nothing where it cannot be solved.
fn axes(tables: &Tilebase, given: Given) -> anyhow::Result<Option<Explanation>> {
    let goal = tables.goal(given.board.shape()).map_err(usage)?;
    if goal.check_solvable(&given.board).is_err() {
        return Ok(None);
    }
    let quick = Tilebase::builder()
        .spec("manhattan")
        .goal(GoalChoice::Drawn(goal))
        .folder(&tables.shelf().folder)
        .lazy()?;
    Ok(Some(quick.explain(given.board)?))
}

/// What moves along each axis inversions and Walking Distance ask for.
fn of(explanation: &Explanation) -> (Option<[u32; 2]>, Option<[u32; 2]>) {
    let (mut inversions, mut walkings) = (None, None);
    for heuristic in &explanation.heuristics {
        match &heuristic.parts {
            Parts::Inversion { vertical, horizontal } => {
                inversions = Some([vertical.moves, horizontal.moves]);
            }
            Parts::Walking { vertical, horizontal } => {
                walkings = Some([vertical.moves, horizontal.moves]);
            }
            _ => (),
        }
    }
    (inversions, walkings)
}

#[cfg(feature = "raster")]
fn dots(sheet: &Sheet, theme: Theme, scale: f64) -> anyhow::Result<Vec<u8>> {
    Ok(pdb_draw::png(sheet, theme, scale)?)
}

#[cfg(not(feature = "raster"))]
fn dots(_: &Sheet, _: Theme, _: f64) -> anyhow::Result<Vec<u8>> {
    unreachable!("names of such files are refused")
}
