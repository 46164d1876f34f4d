//! Listing of a spec and of its existing tables.

#[cfg(feature = "build")]
use std::path::Path;

use pdb_core::{BLANK, BlankMode, CellSet, Goal, PlanKind, Shape, TableKey};
use pdb_format::Header;
#[cfg(feature = "build")]
use pdb_gen::{GenError, estimate};
use pdb_spec::Spec;
use serde::Serialize;

#[cfg(feature = "build")]
use super::build_plan::header_of;

/// Listing of a spec: its kind, the size of its tables, and which of them exist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SpecListing {
    /// The name of a shipped spec, or the path of a spec file.
    pub name: String,
    /// One line that describes the spec.
    pub title: String,
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub cols: usize,
    /// `additive`, `plain` or `walking-distance`.
    pub kind: &'static str,
    /// `aware`, `collapsed` or `plain`; `None` for Walking Distance.
    pub blank: Option<&'static str>,
    /// Whether all tables exist.
    pub built: BuildState,
    /// Size of all tables, in bytes.
    pub file_bytes: u64,
    /// Whether this size is exact: always.
    pub exact: bool,
    /// The tables.
    pub tables: Vec<TableListing>,
    /// The goal, as a board.
    pub goal: String,
    /// The drawn partitions, or the drawn plain patterns.
    pub drawings: Vec<PatternDrawing>,
    /// Number of mirror images of the drawings that are looked up beside them.
    pub mirror_image_count: usize,
}

/// State of a spec's builds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BuildState {
    /// All tables exist.
    There,
    /// Some tables exist.
    Partly,
    /// No table exists.
    No,
}

/// A table of a spec.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TableListing {
    /// The name of the table's file.
    pub file: String,
    /// One line that describes the table.
    pub description: String,
    /// Size of the file, in bytes.
    pub file_bytes: u64,
    /// Whether the file exists, with the right header and length.
    pub is_there: bool,
}

/// Patterns drawn on one board: those of a partition, or one plain pattern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PatternDrawing {
    /// Number of tiles of each pattern.
    pub tile_counts: Vec<usize>,
    /// The board, with a letter for the pattern of each tile, `-` for tiles in no pattern and `.`
    /// for the blank.
    pub board: String,
    /// Positions of its tables in [`SpecListing::tables`]: one for each pattern, or one for a
    /// colouring. Patterns share a table if a symmetry maps them onto each other.
    pub tables: Vec<usize>,
}

impl SpecListing {
    /// Lists a spec and its tables in `folder`.
    ///
    /// # Errors
    /// A [`GenError`] when a table of the spec can never be built.
    #[cfg(feature = "build")]
    pub fn of(spec: &Spec, folder: &Path) -> Result<Self, GenError> {
        let size = |key: &TableKey| estimate(key).map(|found| found.file_bytes);
        Self::of_tables(spec, |key| header_of(key, folder).ok().flatten(), size)
    }

    /// Lists a spec whose existing tables have the headers that `header_of` returns. `size_of`
    /// estimates the bytes of any other table.
    ///
    /// # Errors
    /// That of `size_of`.
    pub fn of_tables<E>(
        spec: &Spec,
        mut header_of: impl FnMut(&TableKey) -> Option<Header>,
        mut size_of: impl FnMut(&TableKey) -> Result<u64, E>,
    ) -> Result<Self, E> {
        let (goal, plan) = (&spec.goal, &spec.plan);
        let mut tables = Vec::new();
        for key in plan.tables() {
            let header = header_of(key);
            let is_there = header.is_some();
            let file_bytes = match header {
                Some(header) => header.file_bytes(),
                None => size_of(key)?,
            };
            let (file, description) = (key.file_name(), key.describe());
            tables.push(TableListing { file, description, file_bytes, is_there });
        }
        let built = match tables.iter().filter(|table| table.is_there).count() {
            0 => BuildState::No,
            there if there < tables.len() => BuildState::Partly,
            _ => BuildState::There,
        };
        let (kind, used): (_, Vec<Vec<usize>>) = match plan.kind() {
            PlanKind::Additive { partitions } => {
                let used = partitions.iter();
                let used = used.map(|views| views.iter().map(|view| view.table).collect());
                ("additive", used.collect())
            }
            PlanKind::Plain { views } => {
                ("plain", views.iter().map(|view| vec![view.table]).collect())
            }
            PlanKind::Walking { .. } => ("walking-distance", Vec::new()),
            PlanKind::Coloured { views } => {
                ("coloured", views.iter().map(|view| vec![view.table]).collect())
            }
        };
        let patterns = plan.drawn_patterns();
        let mirrored = goal.mirrored(&patterns);
        let drawn = patterns.iter().zip(used).zip(&mirrored).filter(|(_, of)| of.is_none());
        Ok(Self {
            name: spec.name.clone(),
            title: spec.title.clone(),
            rows: goal.shape().rows(),
            cols: goal.shape().cols(),
            kind,
            blank: plan.tables().iter().find_map(blank_mode).map(BlankMode::name),
            built,
            file_bytes: tables.iter().map(|table| table.file_bytes).sum(),
            exact: true,
            tables,
            goal: goal.board().to_string(),
            drawings: drawn
                .map(|((patterns, used), _)| PatternDrawing::of(goal, patterns, used))
                .collect(),
            mirror_image_count: mirrored.iter().flatten().count(),
        })
    }
}

impl PatternDrawing {
    fn of(goal: &Goal, patterns: &[CellSet], tables: Vec<usize>) -> Self {
        let letter = |cell| match patterns.iter().position(|homes| homes.contains(cell)) {
            _ if cell == goal.home(BLANK) => '.',
            Some(pattern) => char::from(b'A' + pattern as u8),
            None => '-',
        };
        Self {
            tile_counts: patterns.iter().map(|homes| homes.len()).collect(),
            board: in_rows(goal.shape(), letter),
            tables,
        }
    }
}

/// Writes a board: rows with `/` between them.
fn in_rows(shape: Shape, letter: impl Fn(u8) -> char) -> String {
    let row = |row| {
        let cells = (0..shape.cols()).map(|col| letter(shape.cell(row, col)).to_string());
        cells.collect::<Vec<_>>().join(" ")
    };
    (0..shape.rows()).map(row).collect::<Vec<_>>().join("/")
}

fn blank_mode(key: &TableKey) -> Option<BlankMode> {
    match key {
        TableKey::Pattern(key) => Some(key.mode),
        TableKey::Walking(_) | TableKey::Coloured(_) => None,
    }
}
