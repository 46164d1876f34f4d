//! Plans: the tables of a heuristic, and how boards are looked up in them.
//!
//! A table depends only on the home cells of its tiles and on where the blank is at the goal, never
//! on the names of the tiles. Two patterns that a symmetry of the board maps onto each other share
//! one table; [`TableKey`] is the same for both.

use core::fmt;
use std::error::Error;

use crate::colours::{ColourIndex, ColourKey};
use crate::index::{check_tile_count, factorial};
use crate::region::region_of;
use crate::{BLANK, BlankMode, Cell, CellSet, Goal, IndexError, Shape, Symmetry};

/// Largest number of patterns in a partition: a spec draws each as a letter.
pub const PARTITION_PATTERNS_MAX: usize = 26;
/// Largest number of patterns in a plan, mirror images included, that a board is looked up in.
pub const LOOKUPS_MAX: usize = 32;
/// Largest number of partitions in a plan, mirror images included.
pub const PARTITIONS_MAX: usize = 8;

/// Key of a pattern table: everything its entries depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PatternKey {
    /// The board's shape.
    pub shape: Shape,
    /// Home cells of the pattern's tiles.
    pub homes: CellSet,
    /// Smallest cell of the blank's region when the pattern is at home; for a plain table the
    /// blank's home itself.
    pub goal_region: Cell,
    /// The part of the blank in the index.
    pub mode: BlankMode,
}

impl PatternKey {
    /// Creates the key of the tiles with these homes, for a goal with the blank at `blank`.
    ///
    /// # Errors
    /// [`IndexError::TileCount`] when the pattern is empty or too large.
    ///
    /// # Panics
    /// When the blank's home is one of the pattern's.
    pub fn new(
        shape: Shape,
        homes: CellSet,
        blank: Cell,
        mode: BlankMode,
    ) -> Result<Self, IndexError> {
        check_tile_count(shape, homes.len())?;
        assert!(!homes.contains(blank), "the blank is not a pattern tile");
        let key = Self { shape, homes, goal_region: blank, mode };
        let goal_region = key.goal_cells().first().expect("the region holds the blank");
        Ok(Self { goal_region, ..key })
    }

    /// Returns the blank's region when the pattern is at home; for a plain table the blank's home
    /// alone.
    pub fn goal_cells(&self) -> CellSet {
        if self.mode == BlankMode::Plain {
            return CellSet::single(self.goal_region);
        }
        region_of(self.shape, self.shape.all_cells().without(self.homes), self.goal_region)
    }

    /// Returns the number of tiles in the pattern.
    pub fn tile_count(&self) -> usize {
        self.homes.len()
    }

    /// Returns the canonical key of all symmetric images of this pattern, and the symmetry that
    /// leads to it.
    ///
    /// The canonical image is the widest, then has the largest goal region, then the largest home
    /// cells. So a pattern drawn for the usual goal, with the blank last, is its own canonical
    /// image.
    pub fn canonical(&self) -> (Self, Symmetry) {
        let image = |s: &Symmetry| Self {
            shape: s.to_shape(),
            homes: s.set(self.homes),
            goal_region: s.set(self.goal_cells()).first().expect("a region has a cell"),
            mode: self.mode,
        };
        // The identity is the first symmetry.
        let key = |image: &Self| (image.shape.cols(), image.goal_region, image.homes);
        Symmetry::to_largest(self.shape, image, key)
    }

    /// Returns whether parity forbids half of the states, region or cell of the blank included:
    /// with every tile but one in the pattern, or every tile.
    ///
    /// A blank-collapsed table that leaves one tile out has fewer unreached entries, because an
    /// entry needs only one region from which the goal can be reached.
    pub fn is_half_reachable(&self) -> bool {
        self.tile_count() + 2 >= self.shape.cell_count()
    }
}

/// Key of a Walking Distance table: everything its entries depend on.
///
/// A state of an axis counts, for each line (such as a row), the tiles of each home line in it. A
/// move exchanges the blank with a tile of a neighbouring line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WalkingKey {
    /// Number of lines across the axis: rows for vertical moves.
    pub lines: usize,
    /// Number of cells of one line.
    pub line_len: usize,
    /// The blank's home line, counted from 0; the canonical key has it in the further half.
    pub blank_line: usize,
}

impl WalkingKey {
    /// Returns the key with the blank's home line in the further half, and whether the lines are
    /// counted from the other side for it.
    pub fn canonical(self) -> (Self, bool) {
        let flipped = self.lines - 1 - self.blank_line > self.blank_line;
        let blank_line = self.blank_line.max(self.lines - 1 - self.blank_line);
        (Self { blank_line, ..self }, flipped)
    }
}

/// Key of a table of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableKey {
    /// A pattern table.
    Pattern(PatternKey),
    /// A Walking Distance table.
    Walking(WalkingKey),
    /// A coloured table.
    Coloured(ColourKey),
}

impl TableKey {
    /// Returns the table's file name, such as `4x4-00ff-r8-aware.pdb`: shape, home cells as a
    /// hexadecimal mask, smallest cell of the goal region (or the blank's home), blank mode.
    pub fn file_name(&self) -> String {
        match self {
            Self::Pattern(key) => {
                let digits = key.shape.cell_count().div_ceil(4);
                format!(
                    "{}-{:0digits$x}-r{}-{}.pdb",
                    key.shape,
                    key.homes.0,
                    key.goal_region,
                    key.mode.name()
                )
            }
            Self::Walking(key) => {
                format!("wd-{}x{}-b{}.pdb", key.lines, key.line_len, key.blank_line)
            }
            Self::Coloured(key) => format!("{}-{}.pdb", key.shape, key.letters()),
        }
    }

    /// Returns one line that describes the table.
    pub fn describe(&self) -> String {
        match self {
            Self::Pattern(key) => {
                let prefix = if key.mode == BlankMode::Plain { "" } else { "blank-" };
                let mode = key.mode.name();
                format!("{} tiles on {}, {prefix}{mode}", key.tile_count(), key.shape)
            }
            Self::Walking(key) => {
                format!("walking distance, {} lines of {}", key.lines, key.line_len)
            }
            Self::Coloured(key) => {
                format!("tiles of {} colours on {}", key.classes().len(), key.shape)
            }
        }
    }

    /// Returns the number of entries as far as the key tells it: exact for coloured tables, and for
    /// blank-collapsed and plain pattern tables, else a lower bound. Allocates nothing.
    pub fn entry_count_min(&self) -> u64 {
        match self {
            Self::Pattern(key) => {
                let (cell_count, tile_count) = (key.shape.cell_count(), key.tile_count());
                let blanks = match key.mode {
                    BlankMode::Aware | BlankMode::Collapsed => 1,
                    BlankMode::Plain => (cell_count - tile_count) as u64,
                };
                crate::binomial(cell_count, tile_count)
                    .saturating_mul(factorial(tile_count))
                    .saturating_mul(blanks)
            }
            Self::Walking(_) => 1,
            Self::Coloured(key) => key.entry_count().unwrap_or(u64::MAX),
        }
    }
}

/// Look-up of a pattern of the plan in its table: a tile with home `h` on cell `c` is the table's
/// tile with home `symmetry(h)` on cell `symmetry(c)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Position of the table in [`Plan::tables`].
    pub table: usize,
    /// From the plan's board to the table's.
    pub symmetry: Symmetry,
}

/// Look-up of one axis of the board in a Walking Distance table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisView {
    /// Position of the table in [`Plan::tables`].
    pub table: usize,
    /// Whether the lines are counted from the other side.
    pub flipped: bool,
}

/// Combination of the tables of a plan to a heuristic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanKind {
    /// The maximum over partitions of the sum over each one's patterns.
    Additive {
        /// Each partition's patterns; mirror images are partitions of their own.
        partitions: Vec<Vec<View>>,
    },
    /// The maximum over plain patterns.
    Plain {
        /// The patterns; mirror images are patterns of their own.
        views: Vec<View>,
    },
    /// The sum of the vertical and the horizontal Walking Distance.
    Walking {
        /// Moves between rows.
        vertical: AxisView,
        /// Moves between columns.
        horizontal: AxisView,
    },
    /// The maximum over colourings.
    Coloured {
        /// The colourings; mirror images are colourings of their own.
        views: Vec<View>,
    },
}

/// Tables of a heuristic for one goal, and the look-ups of boards in them.
///
/// ```
/// use pdb_core::{BlankMode, Goal, Plan, Shape};
///
/// // The 8-puzzle, split into its upper and its lower tiles.
/// let goal = Goal::blank_last(Shape::new(3, 3)?);
/// let partition = vec![vec![1, 2, 3, 4], vec![5, 6, 7, 8]];
/// let plan = Plan::additive(&goal, &[partition], BlankMode::Aware, true)?;
/// assert_eq!(plan.tables().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    goal: Goal,
    tables: Vec<TableKey>,
    kind: PlanKind,
    duals: Vec<DualPlan>,
}

/// Look-ups of those [duals](crate::Dual) of boards whose goal has the blank in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DualPlan {
    /// The goal of these duals.
    pub goal: Goal,
    /// Each partition's patterns, as in [`PlanKind::Additive`].
    pub partitions: Vec<Vec<View>>,
}

/// Failure of tiles and tables to make a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// A pattern or a colouring that cannot be indexed.
    Index(IndexError),
    /// The goal has no such tile, or it is the blank.
    NotATile {
        /// The tile as it was given.
        tile: u8,
    },
    /// A tile is in no pattern of a partition, or in several.
    NotDisjoint {
        /// The tile.
        tile: u8,
        /// Number of the partition's patterns with the tile.
        found: usize,
    },
    /// A pattern names a tile more than once.
    Repeated {
        /// The tile.
        tile: u8,
    },
    /// The plan has more than [`LOOKUPS_MAX`] patterns, or more than [`PARTITIONS_MAX`] partitions.
    TooMany {
        /// `patterns` or `partitions`.
        what: &'static str,
        /// Their number in the plan, mirror images included.
        found: usize,
        /// The largest number.
        max: usize,
    },
    /// The board is one line, whose goals need no tables.
    OneLine {
        /// The goal's shape.
        shape: Shape,
    },
    /// No symmetry of the board but the identity leaves the blank's home where it is.
    NoReflection {
        /// The goal's shape.
        shape: Shape,
    },
    /// The plan has no partition, no plain pattern or no colouring.
    Empty,
    /// Duals have tables of another kind than boards, or another shape.
    DualKind,
    /// Two goals are for the same duals.
    DualTwice {
        /// Position of the second one among the duals, counted from 0.
        place: usize,
    },
    /// Duals have another number of partitions than boards.
    DualPartitions {
        /// Position of the dual, counted from 0.
        place: usize,
        /// Number of partitions for boards, mirror images included.
        expected: usize,
        /// Number of partitions for duals.
        found: usize,
    },
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(error) => error.fmt(f),
            Self::NotATile { tile } => write!(f, "{tile} is not a tile of this goal"),
            Self::NotDisjoint { tile, found: 0 } => {
                write!(f, "tile {tile} is in no pattern: a partition covers every tile once")
            }
            Self::NotDisjoint { tile, found } => {
                write!(f, "tile {tile} is in {found} patterns: a partition covers every tile once")
            }
            Self::Repeated { tile } => {
                write!(f, "tile {tile} is named twice in a pattern: name each tile once")
            }
            Self::TooMany { what, found, max } => write!(
                f,
                "the plan has {found} {what}, mirror images included, but at most {max} are \
                 supported: use fewer of them, or set reflect = false"
            ),
            Self::OneLine { shape } => write!(
                f,
                "there are no tables for {shape} boards: on a board of one line, Manhattan distance is \
                 exact without tables"
            ),
            Self::NoReflection { shape } => write!(
                f,
                "no reflection of a {shape} board leaves the blank's home in place: \
                 set reflect = false"
            ),
            Self::Empty => f.write_str("a plan needs at least one partition, pattern or colouring"),
            Self::DualKind => {
                f.write_str("duals need additive tables, and a goal of the board's shape")
            }
            Self::DualTwice { .. } => f.write_str(
                "a symmetry of the board takes the blank's home from another goal of the spec to this \
                 one: leave one of them out",
            ),
            Self::DualPartitions { expected, found, .. } => write!(
                f,
                "duals need as many partitions as boards, mirror images included: expected {expected}, \
                 found {found}"
            ),
        }
    }
}

impl Error for PlanError {}

impl From<IndexError> for PlanError {
    fn from(error: IndexError) -> Self {
        Self::Index(error)
    }
}

impl Plan {
    /// Creates the plan of additive pattern tables for partitions of the goal's tiles.
    ///
    /// With `reflect`, every symmetry that leaves the blank's home in place adds the mirror image
    /// of each partition, looked up in the same tables.
    ///
    /// # Errors
    /// A [`PlanError`] when a partition does not cover each tile exactly once, a pattern cannot be
    /// indexed, `reflect` is asked for where the board has no such symmetry, or there are too many
    /// patterns or partitions.
    pub fn additive(
        goal: &Goal,
        partitions: &[Vec<Vec<u8>>],
        mode: BlankMode,
        reflect: bool,
    ) -> Result<Self, PlanError> {
        // Partitions that are drawn twice are looked up once, but they are too many all the same.
        check_count("partitions", partitions.len(), PARTITIONS_MAX)?;
        let key = |homes: CellSet| PatternKey::new(goal.shape(), homes, goal.home(BLANK), mode);
        let (tables, views) = look_ups(goal, partitions, reflect, |partition, back| {
            let homes = homes_of_all(goal, partition)?.into_iter();
            // The pattern that holds m(h) is the mirror image of a drawn one.
            let mut image: Vec<CellSet> = homes.clone().map(|homes| back.set(homes)).collect();
            image.sort_unstable();
            let table = |homes| {
                let (key, symmetry) = key(homes)?.canonical();
                Ok((TableKey::Pattern(key), symmetry))
            };
            Ok((image, homes.map(table).collect::<Result<_, IndexError>>()?))
        })?;
        check_count("partitions", views.len(), PARTITIONS_MAX)?;
        check_count("patterns", pattern_count(&views), LOOKUPS_MAX)?;
        Ok(Self::new(goal, tables, PlanKind::Additive { partitions: views }))
    }

    /// Creates the plan of plain pattern tables: the maximum over `patterns`, which may overlap and
    /// need not cover all tiles.
    ///
    /// With `reflect`, every symmetry that leaves the blank's home in place adds the mirror image
    /// of each pattern, looked up in the same table; an image that is a pattern of the plan already
    /// is left out.
    ///
    /// # Errors
    /// A [`PlanError`] when there is no pattern or too many, one cannot be indexed, or `reflect` is
    /// asked for where the board has no such symmetry.
    pub fn plain(goal: &Goal, patterns: &[Vec<u8>], reflect: bool) -> Result<Self, PlanError> {
        let (tables, views) = look_ups(goal, patterns, reflect, |pattern, back| {
            let homes = homes_of(goal, pattern)?;
            let key = PatternKey::new(goal.shape(), homes, goal.home(BLANK), BlankMode::Plain)?;
            let (key, symmetry) = key.canonical();
            Ok((back.set(homes), vec![(TableKey::Pattern(key), symmetry)]))
        })?;
        let views = views.concat();
        check_count("patterns", views.len(), LOOKUPS_MAX)?;
        Ok(Self::new(goal, tables, PlanKind::Plain { views }))
    }

    /// Creates the plan of the two Walking Distance tables for a goal, or of one where both axes
    /// agree.
    pub fn walking(goal: &Goal) -> Self {
        let shape = goal.shape();
        let (blank_row, blank_col) = shape.row_col(goal.home(BLANK));
        let mut tables = Vec::new();
        let mut axis = |lines, line_len, blank_line| {
            let (key, flipped) = WalkingKey { lines, line_len, blank_line }.canonical();
            AxisView { table: table_position(&mut tables, TableKey::Walking(key)), flipped }
        };
        let vertical = axis(shape.rows(), shape.cols(), blank_row);
        let horizontal = axis(shape.cols(), shape.rows(), blank_col);
        Self::new(goal, tables, PlanKind::Walking { vertical, horizontal })
    }

    /// Creates the plan of coloured tables: the maximum over colourings, each a list of classes of
    /// tiles.
    ///
    /// With `reflect`, every symmetry that leaves the blank's home in place adds the mirror image
    /// of each colouring, looked up in the same table.
    ///
    /// # Errors
    /// A [`PlanError`] when a colouring does not hold each tile exactly once or cannot be indexed,
    /// `reflect` is asked for where the board has no such symmetry, or there are too many
    /// colourings.
    pub fn coloured(
        goal: &Goal,
        colourings: &[Vec<Vec<u8>>],
        reflect: bool,
    ) -> Result<Self, PlanError> {
        let (tables, views) = look_ups(goal, colourings, reflect, |colouring, back| {
            let classes = homes_of_all(goal, colouring)?;
            let key = |classes| ColourKey::new(goal.shape(), goal.home(BLANK), classes);
            let drawn = key(&classes)?;
            let images: Vec<CellSet> = classes.iter().map(|&class| back.set(class)).collect();
            let (table, symmetry) = drawn.canonical();
            ColourIndex::check(&table)?;
            // A table counts both axes, so an image that exchanges them tells no more of a
            // colouring that is its own image.
            Ok((key(&images)?, vec![(TableKey::Coloured(table), symmetry)]))
        })?;
        let views = views.concat();
        check_count("patterns", views.len(), LOOKUPS_MAX)?;
        Ok(Self::new(goal, tables, PlanKind::Coloured { views }))
    }

    fn new(goal: &Goal, tables: Vec<TableKey>, kind: PlanKind) -> Self {
        Self { goal: *goal, tables, kind, duals: Vec::new() }
    }

    /// Adds the plan of another goal for the [duals](crate::Dual) that lead there.
    ///
    /// # Errors
    /// [`PlanError::DualKind`] unless both are additive and of one shape;
    /// [`PlanError::DualPartitions`] unless they have as many partitions; [`PlanError::DualTwice`]
    /// where the plan has a goal for the same duals already.
    pub fn with_dual(mut self, dual: &Self) -> Result<Self, PlanError> {
        let (PlanKind::Additive { partitions }, PlanKind::Additive { partitions: duals }) =
            (&self.kind, &dual.kind)
        else {
            return Err(PlanError::DualKind);
        };
        if dual.goal.shape() != self.goal.shape() {
            return Err(PlanError::DualKind);
        }
        let place = self.duals.len();
        let (expected, found) = (partitions.len(), duals.len());
        if found != expected {
            return Err(PlanError::DualPartitions { place, expected, found });
        }
        let leads_there =
            |goal: &Goal| goal.board().symmetries_to(dual.goal.board()).next().is_some();
        if self.duals.iter().map(|dual| &dual.goal).chain([&self.goal]).any(leads_there) {
            return Err(PlanError::DualTwice { place });
        }
        let mut view = |view: &View| {
            let table = table_position(&mut self.tables, dual.tables[view.table]);
            View { table, ..*view }
        };
        let partitions = duals.iter().map(|patterns| patterns.iter().map(&mut view).collect());
        let partitions = partitions.collect();
        self.duals.push(DualPlan { goal: dual.goal, partitions });
        Ok(self)
    }

    /// Returns the look-ups of duals, one for each home of the blank with tables.
    pub fn duals(&self) -> &[DualPlan] {
        &self.duals
    }

    /// Returns the goal that the plan is for.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// Returns the tables that the plan needs, each once.
    pub fn tables(&self) -> &[TableKey] {
        &self.tables
    }

    /// Returns the combination of the tables to a heuristic.
    pub fn kind(&self) -> &PlanKind {
        &self.kind
    }
}

/// Counts the patterns of partitions.
pub fn pattern_count(partitions: &[Vec<View>]) -> usize {
    partitions.iter().map(Vec::len).sum()
}

fn check_count(what: &'static str, found: usize, max: usize) -> Result<(), PlanError> {
    if found > max { Err(PlanError::TooMany { what, found, max }) } else { Ok(()) }
}

/// Checks that there are tables for boards of a shape.
///
/// # Errors
/// [`PlanError::OneLine`] for boards of one line.
pub fn expect_tables(shape: Shape) -> Result<(), PlanError> {
    if shape.is_line() { Err(PlanError::OneLine { shape }) } else { Ok(()) }
}

/// Returns the identity and, with `reflect`, the other mirrors of a goal, of which there is one.
fn mirrors(goal: &Goal, reflect: bool) -> Result<Vec<Symmetry>, PlanError> {
    let shape = goal.shape();
    expect_tables(shape)?;
    let mirrors: Vec<Symmetry> = goal.mirrors().take(if reflect { 8 } else { 1 }).collect();
    if reflect && mirrors.len() == 1 {
        return Err(PlanError::NoReflection { shape });
    }
    Ok(mirrors)
}

/// Returns the tables of drawings, each once, and the look-ups of each drawing. With `reflect`, the
/// mirror images of all drawings follow; one that is the image of an earlier drawing is left out.
///
/// `read` returns the image of a drawing under a symmetry, and its tables with the symmetries that
/// lead to them. A tile with home h on c is the tile with home m(h) on m(c) of the board under the
/// mirror m, so the image is that under the inverse of m.
fn look_ups<D, I: PartialEq>(
    goal: &Goal,
    drawings: &[D],
    reflect: bool,
    read: impl Fn(&D, &Symmetry) -> Result<(I, Vec<(TableKey, Symmetry)>), PlanError>,
) -> Result<(Vec<TableKey>, Vec<Vec<View>>), PlanError> {
    if drawings.is_empty() {
        return Err(PlanError::Empty);
    }
    let (mut tables, mut seen, mut views) = (Vec::new(), Vec::new(), Vec::new());
    for mirror in mirrors(goal, reflect)? {
        for drawing in drawings {
            let (image, found) = read(drawing, &mirror.inverse())?;
            if seen.contains(&image) {
                continue;
            }
            seen.push(image);
            let view = |(key, symmetry)| View {
                table: table_position(&mut tables, key),
                symmetry: mirror.then(&symmetry),
            };
            views.push(found.into_iter().map(view).collect());
        }
    }
    Ok((tables, views))
}

fn table_position(tables: &mut Vec<TableKey>, key: TableKey) -> usize {
    tables.iter().position(|&k| k == key).unwrap_or_else(|| {
        tables.push(key);
        tables.len() - 1
    })
}

/// Returns the home cells of some tiles.
fn homes_of(goal: &Goal, tiles: &[u8]) -> Result<CellSet, PlanError> {
    let mut homes = CellSet::EMPTY;
    for &tile in tiles {
        if tile == BLANK || usize::from(tile) >= goal.shape().cell_count() {
            return Err(PlanError::NotATile { tile });
        }
        if homes.contains(goal.home(tile)) {
            return Err(PlanError::Repeated { tile });
        }
        homes.0 |= 1 << goal.home(tile);
    }
    Ok(homes)
}

/// Returns the home cells of each pattern of a partition.
fn homes_of_all(goal: &Goal, partition: &[Vec<u8>]) -> Result<Vec<CellSet>, PlanError> {
    let homes = partition.iter().map(|tiles| homes_of(goal, tiles));
    let homes = homes.collect::<Result<Vec<_>, _>>()?;
    for tile in 1..goal.shape().cell_count() as u8 {
        let found = homes.iter().filter(|homes| homes.contains(goal.home(tile))).count();
        if found != 1 {
            return Err(PlanError::NotDisjoint { tile, found });
        }
    }
    Ok(homes)
}
