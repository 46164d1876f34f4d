//! `tilebase draw`: pictures of boards, partitions and search trees.

use tilebase::explain::Explanation;
use tilebase::names::{GoalChoice, heuristic, load_spec};
use tilebase::shelf::confirm;
use tilebase::{Board, Error, Goal, Tilebase};
use tilebase_draw::pictures::{self, Tree};
use tilebase_draw::{Colouring, Sheet};

use crate::args::{InputColumns, number};
use crate::console::Console;
use crate::failure::{Verdict, usage};
use crate::help;
use crate::interrupt;
use crate::output::{OutputTarget, target};
use crate::picture::{self, PARTITION, PictureArgs, Sink};
use crate::record;
use crate::solver_args::{LimitArgs, SolverArgs};

/// Arguments of `tilebase draw`.
#[derive(Debug, clap::Args)]
#[command(after_help = help::examples(&[
    ("a board and its goal", r#"tilebase draw board "8 6 7/2 5 4/3 0 1" --with-goal --out board.svg"#),
    ("which tiles a spec looks up together", "tilebase draw partition 15/7-8 --out 7-8.svg"),
    ("what a search sees first",
     r#"tilebase draw tree "8 6 7/2 5 4/3 0 1" --spec manhattan --depth 3 --out tree.png"#),
]))]
pub(crate) struct Args {
    /// The kind of picture
    #[arg(value_enum, value_name = "PICTURE")]
    picture: Picture,
    /// A spec for a partition; else a board in any usual notation
    #[arg(value_name = "BOARD|SPEC|FILE", required = true)]
    what: Vec<String>,
    /// The file: .svg or .png, - for SVG on standard output
    #[arg(long, short, value_name = "FILE", default_value = "-", value_parser = target("--out"),
        help_heading = help::OUTPUT)]
    out: OutputTarget,
    /// Draw the goal beside the board
    #[arg(long, help_heading = help::OUTPUT)]
    with_goal: bool,
    /// Number of levels of the tree below the board [default: 3]
    #[arg(long, value_name = "N", value_parser = number::<u32>(0..=12),
        help_heading = help::SEARCH)]
    depth: Option<u32>,
    /// The bound of the tree, on moves plus estimate [default: the board's estimate]
    #[arg(long, value_name = "MOVES", value_parser = number::<u32>(0..=u32::MAX),
        help_heading = help::SEARCH)]
    bound: Option<u32>,
    #[command(flatten)]
    style: PictureArgs,
    /// Dots per pixel of a .png
    #[arg(long, value_name = "FACTOR", default_value = "2", value_parser = picture::scale(),
        help_heading = help::OUTPUT)]
    scale: f64,
    #[command(flatten)]
    solver: SolverArgs,
}

/// Kind of picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Picture {
    /// A board
    Board,
    /// The patterns of a spec, mirror images included
    Partition,
    /// The first levels of the search tree of a board, and the nodes that a bound prunes
    Tree,
    /// The order in which inversions read a board's tiles, and the pairs in the wrong order
    Inversions,
    /// Both axes of a board's Walking Distance
    Walking,
}

impl Args {
    pub(crate) fn run(self, console: &mut Console) -> anyhow::Result<Verdict> {
        self.check()?;
        let sheet = match self.picture {
            Picture::Partition => self.partition(),
            _ => self.of_board(console),
        }?;
        let sink = Sink::new(self.out.clone(), "png")?;
        let theme = self.style.paper;
        let png = || tilebase_draw::png(&sheet, theme, self.scale);
        if let Some(note) = sink.write(console, || sheet.to_svg(theme), png)? {
            console.note(note);
        }
        Ok(Verdict::Good)
    }

    /// Refuses options that this picture does not have.
    fn check(&self) -> anyhow::Result<()> {
        picture::expect_single_tiles(self.solver.metric.metric, "draw")?;
        let (of_board, of_tree) = (self.picture == Picture::Board, self.picture == Picture::Tree);
        let of_partition = self.picture == Picture::Partition;
        let options = [
            ("--colours", self.style.colours.is_some() && !of_board, "a board"),
            ("--with-goal", self.with_goal && !of_board, "a board"),
            ("--caption", self.style.caption.is_some() && !of_board, "a board"),
            ("--depth", self.depth.is_some() && !of_tree, "a tree"),
            ("--bound", self.bound.is_some() && !of_tree, "a tree"),
            ("--spec", self.solver.spec.is_some() && of_partition, "a board"),
        ];
        match options.iter().find(|(_, is_wrong, _)| *is_wrong) {
            Some((option, _, what)) => {
                Err(usage(format!("{option} is only for the picture of {what}: omit it")))
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
        // A search takes the default goal if the spec supports it.
        let goal = self.solver.goal.read(Some(shape))?.0.unwrap_or(GoalChoice::of_spec(&spec));
        let goal = goal.goal(shape)?;
        let plan = spec.for_goal(&goal).map_err(Error::from)?;
        Ok(pictures::partition(&plan, &spec.name, &spec.title))
    }

    fn of_board(&self, console: &Console) -> anyhow::Result<Sheet> {
        let (named, tables) =
            self.solver.open(&self.what, InputColumns::default(), LimitArgs::default(), console)?;
        let board = record::only_board(named)?;
        let goal = tables.goal(board.shape()).map_err(usage)?;
        let named = self.solver.spec.as_deref().map(|name| heuristic(name, &goal)).transpose()?;
        match self.picture {
            Picture::Tree => interrupt::orderly(|| self.tree(board, &goal, &tables)),
            Picture::Inversions | Picture::Walking => {
                let explain = || axes(&tables, board, &goal);
                let explanation = console.progress.slowly("explaining", explain)?;
                let axes = |name| explanation.as_ref().and_then(|all| axis_moves(all, name));
                Ok(match self.picture {
                    Picture::Inversions => pictures::inversions(&board, &goal, axes("inversion")),
                    _ => pictures::walking(&board, &goal, axes("walking-distance")),
                })
            }
            _ => {
                let usual = if named.is_some() { PARTITION } else { Colouring::Plain };
                let colours = self.style.colours.clone().unwrap_or(usual);
                let colouring = picture::coloured(colours, &goal, named.as_ref())?;
                let caption = self.style.caption.as_deref();
                Ok(pictures::board(&board, &goal, &colouring, self.with_goal, caption))
            }
        }
    }

    fn tree(&self, board: Board, goal: &Goal, tables: &Tilebase) -> anyhow::Result<Sheet> {
        goal.check_solvable(&board).map_err(|reason| {
            usage(format!("the board has no search tree, because it cannot be solved: {reason}"))
        })?;
        let engine = tables.engine(goal)?;
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

/// Returns the explanation of a board by heuristics without tables of patterns; `None` if the board
/// cannot be solved.
fn axes(tables: &Tilebase, board: Board, goal: &Goal) -> anyhow::Result<Option<Explanation>> {
    if goal.check_solvable(&board).is_err() {
        return Ok(None);
    }
    let quick = Tilebase::builder()
        .spec("manhattan")
        .goal(GoalChoice::Drawn(*goal))
        .folder(&tables.shelf().folder)
        .lazy()?;
    Ok(Some(quick.explain(board)?))
}

/// Returns the estimates of a heuristic along each axis.
fn axis_moves(explanation: &Explanation, name: &str) -> Option<[u32; 2]> {
    let heuristic = explanation.heuristics.iter().find(|heuristic| heuristic.name == name)?;
    let moves = |key| heuristic.parts.list(key).iter().map(|axis| axis.moves()).sum();
    Some(["vertical", "horizontal"].map(moves))
}
