//! Specs: the meaning of a drawn board and its keys.

use core::fmt::Write;

use pdb_core::{
    BLANK, BlankMode, BoardError, Cell, CellSet, Goal, Metric, Plan, PlanError, Symmetry,
};
use serde::Deserialize;
use toml::Spanned;

use crate::drawing::{Cover, letter, read_goal, read_patterns};
use crate::source::SpecSource;
use crate::{Fault, SpecError};

/// Checked spec with its plan of tables.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Spec {
    /// The spec's name, such as `15/7-8` for a shipped one.
    pub name: String,
    /// The text that it was read from, in TOML.
    pub toml: String,
    /// One line that describes the spec.
    pub title: String,
    /// The goal as drawn.
    pub goal: Goal,
    /// The tables for that goal, and the look-ups in them.
    pub plan: Plan,
    tables: SpecTables,
}

impl Spec {
    /// Reads and checks the text of a spec; errors name it by `name`.
    ///
    /// # Errors
    /// [`SpecError::Text`] shows the line and marks the wrong cell.
    pub fn parse(name: &str, text: &str) -> Result<Self, SpecError> {
        let source = SpecSource { name, text };
        let read: SpecText = source.read()?;
        read.expect_keys(&source)?;
        check_title(&source, &read.title)?;
        let goal = read_goal(&source, &read.goal)?;
        let tables = SpecTables::read(&source, &read, &goal)?;
        let plan = tables.plan(&goal, &Symmetry::identity(goal.shape()), true);
        let plan = plan.map_err(|error| match error {
            PlanError::Empty => source.error(None, Fault::NotDrawn(read.kind.key())),
            PlanError::DualPartitions { place, .. } | PlanError::DualTwice { place } => {
                source.error(read.dual.get(place).map(|dual| dual.goal.span()), error.into())
            }
            // The patterns are checked, so this is about the mirror images.
            _ => source.error(read.reflect.as_ref().map(Spanned::span), error.into()),
        })?;
        let (name, toml, title) = (name.to_owned(), text.to_owned(), read.title.into_inner());
        Ok(Self { name, toml, title, goal, plan, tables })
    }

    /// Returns the metric whose moves its tables count.
    pub fn metric(&self) -> Metric {
        match self.tables.kind {
            SpecKind::Coloured => Metric::MultiTile,
            _ => Metric::SingleTile,
        }
    }

    /// Returns the plan of the same tables for another goal. A symmetry of the board leads from the
    /// blank's home to that of `goal` and maps each pattern's home cells.
    ///
    /// # Errors
    /// [`SpecError::OtherBlank`] when there is no such symmetry.
    pub fn for_goal(&self, goal: &Goal) -> Result<Plan, SpecError> {
        self.plan_for(goal, true)
    }

    /// Returns the same plan without mirror images and duals.
    ///
    /// # Errors
    /// Those of [`for_goal`](Self::for_goal).
    pub fn for_goal_unmirrored(&self, goal: &Goal) -> Result<Plan, SpecError> {
        self.plan_for(goal, false)
    }

    fn plan_for(&self, goal: &Goal, is_mirrored: bool) -> Result<Plan, SpecError> {
        let place = |goal: &Goal| (goal.shape(), goal.shape().row_col(goal.home(BLANK)));
        let symmetry = self.goal.board().symmetries_to(goal.board()).next();
        let symmetry = symmetry.ok_or_else(|| SpecError::OtherBlank {
            name: self.name.clone(),
            expected: place(&self.goal),
            found: place(goal),
        })?;
        let plan = self.tables.plan(goal, &symmetry, is_mirrored);
        Ok(plan.expect("a symmetric image of a plan is one too"))
    }
}

/// Returns whether mirror images are looked up: as written, or by default where the board has them.
fn reflects(goal: &Goal, written: Option<&Spanned<bool>>) -> bool {
    written.map_or_else(|| goal.mirrors().count() > 1, |value| *value.get_ref())
}

/// Checks that a title has no control characters, which could affect a terminal.
fn check_title(source: &SpecSource<'_>, title: &Spanned<String>) -> Result<(), SpecError> {
    match title.get_ref().chars().find(|c| c.is_control()) {
        Some(found) => Err(source.error(Some(title.span()), Fault::Control { found })),
        None => Ok(()),
    }
}

/// Draws a goal row by row, with aligned numbers.
pub(crate) fn draw_goal(goal: &Goal) -> String {
    let width = (goal.shape().cell_count() - 1).to_string().len();
    draw(goal, |cell| match goal.board().tile(cell) {
        BLANK => format!("{:>width$}", '.'),
        tile => format!("{tile:>width$}"),
    })
}

/// Returns the line of a spec for drawings: one drawing has its own key, several are a list.
pub(crate) fn draw_all(goal: &Goal, key: &str, drawings: &[Vec<CellSet>]) -> String {
    let drawn = |homes: &Vec<CellSet>| format!("\"\"\"\n{}\"\"\"", draw_patterns(goal, homes));
    match drawings {
        [one] => format!("{key} = {}", drawn(one)),
        more => {
            let drawings: Vec<String> = more.iter().map(drawn).collect();
            format!("{key}s = [{}]", drawings.join(", "))
        }
    }
}

/// Draws the patterns of a partition row by row, with a letter for each tile.
fn draw_patterns(goal: &Goal, patterns: &[CellSet]) -> String {
    draw(goal, |cell| {
        let pattern = patterns.iter().position(|homes| homes.contains(cell));
        pattern.map_or('.', letter).to_string()
    })
}

fn draw(goal: &Goal, drawn: impl Fn(u8) -> String) -> String {
    let shape = goal.shape();
    let mut text = String::new();
    for row in 0..shape.rows() {
        let cells: Vec<String> = (0..shape.cols()).map(|col| drawn(shape.cell(row, col))).collect();
        writeln!(text, "{}", cells.join(" ")).expect("a string takes everything");
    }
    text
}

/// Tables of a spec by cells: the goal gives the names of the tiles.
#[derive(Clone, Debug)]
struct SpecTables {
    kind: SpecKind,
    /// Home cells of the patterns of each drawing, or of the classes of each colouring.
    drawings: Vec<Vec<CellSet>>,
    mode: BlankMode,
    reflect: bool,
    duals: Vec<DualTables>,
}

/// Tables of duals with the blank's home in one place.
#[derive(Clone, Debug)]
struct DualTables {
    /// The home of the blank.
    blank: Cell,
    partitions: Vec<Vec<CellSet>>,
    reflect: bool,
}

impl SpecTables {
    /// Reads the drawings of a spec.
    fn read(source: &SpecSource<'_>, text: &SpecText, goal: &Goal) -> Result<Self, SpecError> {
        let drawn =
            |goal: &Goal, one: &Option<Spanned<String>>, more: &[Spanned<String>], cover| {
                let read = |value| read_patterns(source, value, goal, cover);
                one.iter().chain(more).map(read).collect::<Result<Vec<_>, SpecError>>()
            };
        let (one, more, cover) = match text.kind {
            SpecKind::Additive | SpecKind::WalkingDistance => {
                (&text.partition, &text.partitions, Cover::All)
            }
            SpecKind::Plain => (&text.pattern, &text.patterns, Cover::Some),
            SpecKind::Coloured => (&text.colouring, &text.colourings, Cover::Classes),
        };
        let drawings = drawn(goal, one, more, cover)?;
        let shape = goal.shape();
        let dual = |dual: &DualText| {
            let goal = read_goal(source, &dual.goal)?;
            if goal.shape() != shape {
                let fault = BoardError::OtherShape { expected: shape, found: goal.shape() };
                return Err(source.error(Some(dual.goal.span()), fault.into()));
            }
            let partitions = drawn(&goal, &dual.partition, &dual.partitions, Cover::All)?;
            if partitions.is_empty() {
                return Err(source.error(Some(dual.goal.span()), Fault::NotDrawn("partition")));
            }
            let reflect = reflects(&goal, dual.reflect.as_ref());
            if reflect && goal.mirrors().count() == 1 {
                let place = dual.reflect.as_ref().map(Spanned::span);
                return Err(source.error(place, PlanError::NoReflection { shape }.into()));
            }
            Ok(DualTables { blank: goal.home(BLANK), partitions, reflect })
        };
        Ok(Self {
            kind: text.kind,
            drawings,
            mode: match text.blank.as_ref().map(Spanned::get_ref) {
                Some(Blank::Collapsed) => BlankMode::Collapsed,
                Some(Blank::Aware) | None => BlankMode::Aware,
            },
            reflect: reflects(goal, text.reflect.as_ref()),
            duals: text.dual.iter().map(dual).collect::<Result<_, SpecError>>()?,
        })
    }

    /// Returns the plan for a goal whose cells are the images of the spec's under `symmetry`, with
    /// mirror images and duals or without.
    fn plan(&self, goal: &Goal, symmetry: &Symmetry, is_mirrored: bool) -> Result<Plan, PlanError> {
        let all_tiles = |goal: &Goal, drawings: &[Vec<CellSet>]| -> Vec<Vec<Vec<u8>>> {
            let tile = |cell| goal.board().tile(symmetry.cell(cell));
            let tiles = |homes: &CellSet| homes.iter().map(tile).collect();
            let patterns = |homes: &Vec<CellSet>| homes.iter().map(tiles).collect();
            drawings.iter().map(patterns).collect()
        };
        let (drawings, reflect) = (all_tiles(goal, &self.drawings), self.reflect && is_mirrored);
        match self.kind {
            SpecKind::Additive => {
                let plan = Plan::additive(goal, &drawings, self.mode, reflect)?;
                self.duals.iter().filter(|_| is_mirrored).try_fold(plan, |plan, dual| {
                    let goal = Goal::in_order(symmetry.to_shape(), symmetry.cell(dual.blank));
                    let partitions = all_tiles(&goal, &dual.partitions);
                    plan.with_dual(&Plan::additive(&goal, &partitions, self.mode, dual.reflect)?)
                })
            }
            SpecKind::Plain => Plan::plain(goal, &drawings.concat(), reflect),
            SpecKind::WalkingDistance => Ok(Plan::walking(goal)),
            SpecKind::Coloured => Plan::coloured(goal, &drawings, reflect),
        }
    }
}

/// Kinds of specs.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum SpecKind {
    #[default]
    Additive,
    Plain,
    WalkingDistance,
    Coloured,
}

impl SpecKind {
    /// Returns the key of a single drawing.
    fn key(self) -> &'static str {
        match self {
            Self::Additive | Self::WalkingDistance => "partition",
            Self::Plain => "pattern",
            Self::Coloured => "colouring",
        }
    }
}

/// Keys of all kinds of specs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpecText {
    title: Spanned<String>,
    goal: Spanned<String>,
    #[serde(default)]
    kind: SpecKind,
    partition: Option<Spanned<String>>,
    #[serde(default)]
    partitions: Vec<Spanned<String>>,
    pattern: Option<Spanned<String>>,
    #[serde(default)]
    patterns: Vec<Spanned<String>>,
    colouring: Option<Spanned<String>>,
    #[serde(default)]
    colourings: Vec<Spanned<String>>,
    blank: Option<Spanned<Blank>>,
    reflect: Option<Spanned<bool>>,
    #[serde(default)]
    dual: Vec<DualText>,
}

impl SpecText {
    /// Checks that the spec has no key of another kind.
    fn expect_keys(&self, source: &SpecSource<'_>) -> Result<(), SpecError> {
        let (kind, keys): (_, &[&str]) = match self.kind {
            SpecKind::Additive => {
                ("additive", &["partition", "partitions", "blank", "reflect", "dual"])
            }
            SpecKind::Plain => ("plain", &["pattern", "patterns", "reflect"]),
            SpecKind::WalkingDistance => ("walking-distance", &[]),
            SpecKind::Coloured => ("coloured", &["colouring", "colourings", "reflect"]),
        };
        let given = [
            ("partition", self.partition.as_ref().map(Spanned::span)),
            ("partitions", self.partitions.first().map(Spanned::span)),
            ("pattern", self.pattern.as_ref().map(Spanned::span)),
            ("patterns", self.patterns.first().map(Spanned::span)),
            ("colouring", self.colouring.as_ref().map(Spanned::span)),
            ("colourings", self.colourings.first().map(Spanned::span)),
            ("blank", self.blank.as_ref().map(Spanned::span)),
            ("reflect", self.reflect.as_ref().map(Spanned::span)),
            ("dual", self.dual.first().map(|dual| dual.goal.span())),
        ];
        let mut others = given.into_iter().filter(|(key, _)| !keys.contains(key));
        match others.find_map(|(key, place)| Some((key, place?))) {
            Some((key, place)) => {
                Err(source.error(Some(place), Fault::OtherKind { kind, keys, found: key }))
            }
            None => Ok(()),
        }
    }
}

/// Keys of a `[[dual]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DualText {
    goal: Spanned<String>,
    partition: Option<Spanned<String>>,
    #[serde(default)]
    partitions: Vec<Spanned<String>>,
    reflect: Option<Spanned<bool>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Blank {
    Aware,
    Collapsed,
}
