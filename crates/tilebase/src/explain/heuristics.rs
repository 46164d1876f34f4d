//! The heuristics of a goal, opened once and asked for the parts of any board's estimate.

use std::sync::Arc;

use pdb_core::plan::Plan;
use pdb_core::{Board, CellSet, Goal, RootError, Symmetry};
use pdb_lab::{Basic, HeuristicName};
use pdb_rt::{AnyPlain, AnySum, Database, PatternValue, WalkingAxis, WalkingCounts};
use pdb_search::SearchError;
use pdb_search::heuristics::{
    CornerTiles, Ending, Gaschnig, InversionAxis, Inversions, LastMoves, Line, LineConflict,
    LinearConflict, Misplaced, Pairwise, WrongCorner,
};

use super::parts::{
    AxisInversions, AxisWalking, CornerPart, CyclePart, DetourPart, EndingPart, LargerAxis,
    LineName, LinePart, PairPart, PartitionPart, Parts, PatternPart, ReadTile, TilePart,
};
use super::{Explanation, HeuristicParts, LeftOut};
use crate::shelf::Readiness;
use crate::{Error, Shelf, SpecChoice, choice};

/// What is said where no pattern database is there.
const NO_TABLES: &str = "no tables for these boards are built: name a spec with --spec to build them, \
    or build them first with `tilebase build`";

/// What is said of a network.
const LEARNED: &str = "what a network has learned has no parts, and its estimate is no lower bound";

/// All heuristics of a goal that are explained.
pub(crate) struct Explainer {
    goal: Goal,
    heuristics: Vec<Opened>,
    left_out: Vec<LeftOut>,
}

/// A heuristic with its tables, and its name.
struct Opened {
    name: String,
    kind: Kind,
}

enum Kind {
    Misplaced(Misplaced),
    Gaschnig(Gaschnig),
    Manhattan,
    LinearConflict(LinearConflict),
    CornerTiles(CornerTiles),
    LastMoves(LastMoves),
    Inversion([InversionAxis; 2]),
    Pairwise(Pairwise),
    Walking(Arc<Database>),
    WalkingInversion(Arc<Database>, [InversionAxis; 2]),
    Tables(Arc<Database>),
    Max(Vec<Opened>),
}

impl Explainer {
    /// Opens what is explained to whoever asked for a spec, or for none.
    pub(crate) fn open(goal: &Goal, spec: &SpecChoice, shelf: &Shelf) -> Result<Self, Error> {
        let mut this = Self { goal: *goal, heuristics: Vec::new(), left_out: Vec::new() };
        let named = match spec {
            SpecChoice::Best => None,
            SpecChoice::Heuristic(name) => Some(choice::heuristic(name, goal)?),
            SpecChoice::OfBoards(name) => {
                Some(HeuristicName::from(&pdb_spec::spec_for(name, goal)?))
            }
            SpecChoice::Spec(spec) => Some(HeuristicName::from(spec.as_ref())),
        };
        // What was asked for comes first: it is built where it is missing, and its errors are the
        // caller's.
        let (named, learned) = match named {
            Some(name) if !name.is_admissible() => (None, Some(name)),
            named => (named, None),
        };
        if let Some(name) = &learned {
            this.leave_out(name, &LEARNED);
        }
        let named = named.map(|name| Opened::open(&name, goal, shelf)).transpose()?;
        for basic in Basic::ALL {
            let name = HeuristicName::Basic(basic);
            match Pairwise::check(goal.shape()) {
                Err(problem) if basic == Basic::Pairwise => this.leave_out(&name, &problem),
                _ => this.heuristics.push(Opened::open(&name, goal, shelf)?),
            }
        }
        this.open_walking(shelf)?;
        match named {
            Some(named) if this.heuristics.iter().any(|known| known.name == named.name) => (),
            Some(named) => {
                this.left_out.retain(|left_out| left_out.name != named.name);
                this.heuristics.push(named);
            }
            None => this.open_built(shelf)?,
        }
        Ok(this)
    }

    /// Opens Walking Distance, where its tables are there or are built in no time.
    fn open_walking(&mut self, shelf: &Shelf) -> Result<(), Error> {
        let names = [HeuristicName::Walking, HeuristicName::WalkingInversion];
        let opened = match shelf.lack_of_walking(&self.goal) {
            Some(reason) => Err(reason.to_owned()),
            None => match shelf.database(&names[0].to_string(), &Plan::walking(&self.goal)) {
                // Nobody asked for it, so what cannot be built is no reason to say nothing at all.
                #[cfg(feature = "build")]
                Err(Error::Build(error)) if !shelf.cancel.is_cancelled() => Err(error.to_string()),
                database => Ok(Arc::new(database?)),
            },
        };
        match opened {
            Ok(database) => {
                let kinds = [
                    Kind::Walking(Arc::clone(&database)),
                    Kind::WalkingInversion(database, axes(&self.goal)),
                ];
                let named = names.iter().zip(kinds);
                let named = named.map(|(name, kind)| Opened { name: name.to_string(), kind });
                self.heuristics.extend(named);
            }
            Err(reason) => names.iter().for_each(|name| self.leave_out(name, &reason)),
        }
        Ok(())
    }

    /// Opens the pattern databases whose tables are all there, shipped ones and generated ones.
    fn open_built(&mut self, shelf: &Shelf) -> Result<(), Error> {
        let goal = self.goal;
        let shipped = pdb_spec::builtin_names_for(goal.shape()).into_iter();
        let shipped = shipped.map(|name| pdb_spec::builtin(name).expect("a shipped spec is right"));
        // A generated spec may be what a shipped one is.
        let mut known = vec![Plan::walking(&goal)];
        for spec in shipped.chain(pdb_spec::specs_for(&goal)) {
            let Ok(plan) = spec.for_goal(&goal) else { continue };
            let is_there = || shelf.readiness(&spec.name, &plan) == Readiness::There;
            if known.contains(&plan) || !is_there() {
                continue;
            }
            known.push(plan);
            self.heuristics.push(Opened::open(&HeuristicName::from(&spec), &goal, shelf)?);
        }
        if known.len() == 1 {
            self.leave_out(&"pattern databases", &NO_TABLES);
        }
        Ok(())
    }

    fn leave_out(&mut self, name: &impl ToString, reason: &impl ToString) {
        self.left_out.push(LeftOut { name: name.to_string(), reason: reason.to_string() });
    }

    /// Explains a board that can be solved.
    pub(crate) fn explain(&self, board: &Board) -> Result<Explanation, Error> {
        let parts = self.heuristics.iter().map(|heuristic| heuristic.parts(&self.goal, board));
        let parts: Result<Vec<_>, RootError> = parts.collect();
        // A table that is damaged explains whatever came of it.
        self.heuristics.iter().try_for_each(Opened::confirm)?;
        let mut parts = parts.map_err(SearchError::from)?;
        // Of equals, those that are simpler come first.
        parts.sort_by_key(|heuristic| heuristic.estimate);
        Ok(Explanation::new(board, &self.goal, parts, self.left_out.clone()))
    }
}

/// The vertical and the horizontal axis.
fn axes(goal: &Goal) -> [InversionAxis; 2] {
    [InversionAxis::vertical(goal), InversionAxis::horizontal(goal)]
}

impl Opened {
    fn open(name: &HeuristicName, goal: &Goal, shelf: &Shelf) -> Result<Self, Error> {
        let label = name.to_string();
        let database = |plan: &Plan| Ok::<_, Error>(Arc::new(shelf.database(&label, plan)?));
        let kind = match name {
            HeuristicName::Basic(basic) => Kind::basic(*basic, &label, goal)?,
            HeuristicName::Walking => Kind::Walking(database(&Plan::walking(goal))?),
            HeuristicName::WalkingInversion => {
                Kind::WalkingInversion(database(&Plan::walking(goal))?, axes(goal))
            }
            HeuristicName::Tables { spec, is_unmirrored, .. } => {
                let plan = if *is_unmirrored {
                    spec.for_goal_unmirrored(goal)?
                } else {
                    spec.for_goal(goal)?
                };
                let database = database(&plan)?;
                if database.walking().is_some() {
                    Kind::Walking(database)
                } else {
                    Kind::Tables(database)
                }
            }
            HeuristicName::Max(names) => {
                let opened = names.iter().map(|name| Self::open(name, goal, shelf));
                Kind::Max(opened.collect::<Result<_, _>>()?)
            }
            _ => unreachable!("there are five kinds of names"),
        };
        Ok(Self { name: label, kind })
    }

    fn databases(&self) -> Vec<&Database> {
        match &self.kind {
            Kind::Walking(database)
            | Kind::WalkingInversion(database, _)
            | Kind::Tables(database) => vec![database],
            Kind::Max(parts) => parts.iter().flat_map(Self::databases).collect(),
            _ => Vec::new(),
        }
    }

    fn confirm(&self) -> Result<(), Error> {
        self.databases().into_iter().try_for_each(Database::confirm).map_err(Error::Damaged)
    }

    fn parts(&self, goal: &Goal, board: &Board) -> Result<HeuristicParts, RootError> {
        let (estimate, parts) = self.kind.parts(goal, board)?;
        let is_trusted = self.databases().into_iter().any(Database::is_trusted);
        let tables_checked = is_trusted.then_some(false);
        Ok(HeuristicParts { name: self.name.clone(), estimate, parts, tables_checked })
    }
}

impl Kind {
    fn basic(basic: Basic, label: &str, goal: &Goal) -> Result<Self, Error> {
        Ok(match basic {
            Basic::Misplaced => Self::Misplaced(Misplaced::new(goal)),
            Basic::Gaschnig => Self::Gaschnig(Gaschnig::new(goal)),
            Basic::Manhattan => Self::Manhattan,
            Basic::LinearConflict => Self::LinearConflict(LinearConflict::new(goal)),
            Basic::CornerTiles => Self::CornerTiles(CornerTiles::new(goal)),
            Basic::LastMoves => Self::LastMoves(LastMoves::new(goal)),
            Basic::Inversion => Self::Inversion(axes(goal)),
            Basic::Pairwise => {
                let name = label.to_owned();
                let pairwise = Pairwise::new(goal);
                Self::Pairwise(
                    pairwise.map_err(|source| pdb_lab::EngineError::Line { name, source })?,
                )
            }
            _ => unreachable!("there are eight heuristics without tables"),
        })
    }

    /// The estimate of a board, and what it consists of.
    fn parts(&self, goal: &Goal, board: &Board) -> Result<(u32, Parts), RootError> {
        let manhattan = goal.manhattan_distance(board);
        Ok(match self {
            Self::Misplaced(misplaced) => {
                let tiles = misplaced.tiles(board);
                (tiles.len() as u32, Parts::Misplaced { tiles })
            }
            Self::Gaschnig(gaschnig) => {
                let cycles = gaschnig.cycles(board).into_iter();
                let cycles: Vec<_> = cycles
                    .map(|cycle| CyclePart { tiles: cycle.tiles, jumps: cycle.jumps })
                    .collect();
                (cycles.iter().map(|cycle| cycle.jumps).sum(), Parts::Gaschnig { cycles })
            }
            Self::Manhattan => (manhattan, Parts::Manhattan { tiles: tiles_away(goal, board) }),
            Self::LinearConflict(conflict) => {
                let lines = lines(conflict.conflicts(board));
                let sum = lines.iter().map(|line| line.moves).sum::<u32>();
                (manhattan + sum, Parts::LinearConflict { manhattan, lines })
            }
            Self::CornerTiles(heuristic) => {
                let lines = lines(heuristic.conflicts(board));
                let corners = corners(board, heuristic.corners(board));
                let sum = lines.iter().map(|line| line.moves).sum::<u32>()
                    + corners.iter().map(|corner| corner.moves).sum::<u32>();
                (manhattan + sum, Parts::CornerTiles { manhattan, lines, corners })
            }
            Self::LastMoves(heuristic) => {
                let lines = lines(heuristic.conflicts(board));
                let corners = corners(board, heuristic.corners(board));
                let mut endings: Vec<_> =
                    heuristic.endings(board).into_iter().map(EndingPart::from).collect();
                endings.sort_by_key(|ending| ending.moves);
                let sum = lines.iter().map(|line| line.moves).sum::<u32>()
                    + corners.iter().map(|corner| corner.moves).sum::<u32>()
                    + endings.first().map_or(0, |ending| ending.moves);
                (manhattan + sum, Parts::LastMoves { manhattan, lines, corners, endings })
            }
            Self::Inversion(axes) => {
                let [vertical, horizontal] =
                    axes.each_ref().map(|axis| AxisInversions::from(axis.inversions(board)));
                (vertical.moves + horizontal.moves, Parts::Inversion { vertical, horizontal })
            }
            Self::Pairwise(pairwise) => {
                let pairs = pairwise.matching(board).into_iter();
                let pairs: Vec<_> =
                    pairs.map(|pair| PairPart { tiles: pair.tiles, moves: pair.moves }).collect();
                let sum = pairs.iter().map(|pair| pair.moves).sum::<u32>();
                (manhattan + sum, Parts::Pairwise { manhattan, pairs })
            }
            Self::Walking(database) => {
                let [vertical, horizontal] = walking(database);
                let [vertical, horizontal] =
                    [vertical.parts(board)?, horizontal.parts(board)?].map(AxisWalking::from);
                (vertical.moves + horizontal.moves, Parts::Walking { vertical, horizontal })
            }
            Self::WalkingInversion(database, inversion) => {
                let [walking_down, walking_across] = walking(database);
                let [down, across] = inversion;
                let vertical = larger(&walking_down, down, board)?;
                let horizontal = larger(&walking_across, across, board)?;
                let sum = vertical.moves + horizontal.moves;
                (sum, Parts::WalkingInversion { vertical, horizontal })
            }
            Self::Tables(database) => match (database.additive(), database.plain()) {
                (Some(sum), _) => additive(goal, board, &sum)?,
                (_, Some(plain)) => self::plain(goal, board, &plain)?,
                _ => unreachable!("tables that are neither are those of Walking Distance"),
            },
            Self::Max(parts) => {
                let heuristics = parts.iter().map(|part| part.parts(goal, board));
                let heuristics = heuristics.collect::<Result<Vec<_>, _>>()?;
                let largest = heuristics.iter().map(|part| part.estimate).max();
                (largest.unwrap_or(0), Parts::Max { heuristics })
            }
        })
    }
}

fn walking(database: &Database) -> [WalkingAxis<'_>; 2] {
    database.walking().expect("the plan is that of both axes")
}

/// The tiles that are not at home.
fn tiles_away(goal: &Goal, board: &Board) -> Vec<TilePart> {
    let shape = goal.shape();
    let cells = board.cells_by_tile();
    let way = |tile: u8| {
        let (row, col) = shape.row_col(cells[usize::from(tile)]);
        let (home_row, home_col) = shape.row_col(goal.home(tile));
        let (vertical, horizontal) = (row.abs_diff(home_row) as u32, col.abs_diff(home_col) as u32);
        TilePart { tile, vertical, horizontal, moves: vertical + horizontal }
    };
    (1..shape.cell_count() as u8).map(way).filter(|way| way.moves > 0).collect()
}

fn lines(conflicts: Vec<LineConflict>) -> Vec<LinePart> {
    let part = |LineConflict { line, tiles, pairs, leaving }: LineConflict| {
        let line = match line {
            Line::Row(row) => LineName::Row(row + 1),
            Line::Column(col) => LineName::Column(col + 1),
        };
        let moves = 2 * leaving.len() as u32;
        LinePart { line, tiles, pairs, leaving, moves }
    };
    conflicts.into_iter().map(part).collect()
}

fn corners(board: &Board, corners: Vec<WrongCorner>) -> Vec<CornerPart> {
    let part = |WrongCorner { cell, tile, beside }: WrongCorner| {
        let (row, col) = board.shape().row_col(cell);
        let moves = 2 * beside.len() as u32;
        CornerPart { row: row + 1, column: col + 1, tile, beside, moves }
    };
    corners.into_iter().map(part).collect()
}

impl From<Ending> for EndingPart {
    fn from(ending: Ending) -> Self {
        let detour = |(tile, moves)| DetourPart { tile, moves };
        Self { last: detour(ending.last), before: ending.before.map(detour), moves: ending.moves() }
    }
}

impl From<Inversions> for AxisInversions {
    fn from(Inversions { lines, passed, inversions, moves }: Inversions) -> Self {
        let tile = |(tile, inversions)| ReadTile { tile, inversions };
        let lines = lines.into_iter().map(|line| line.into_iter().map(tile).collect()).collect();
        Self { lines, inversions, passed, moves }
    }
}

impl From<WalkingCounts> for AxisWalking {
    fn from(WalkingCounts { lines, blank_line, blank_home, value }: WalkingCounts) -> Self {
        Self { lines, blank: blank_line + 1, blank_home: blank_home + 1, moves: value }
    }
}

/// Both bounds of an axis.
fn larger(
    walking: &WalkingAxis<'_>,
    inversion: &InversionAxis,
    board: &Board,
) -> Result<LargerAxis, RootError> {
    let walking = walking.value(walking.state(board)?);
    let inversion = inversion.inversions(board).moves;
    Ok(LargerAxis { walking, inversion, moves: walking.max(inversion) })
}

/// Manhattan distance of some tiles.
fn manhattan_of(goal: &Goal, board: &Board, tiles: &[u8]) -> u32 {
    let cells = board.cells_by_tile();
    let distance = |&tile: &u8| goal.shape().distance(cells[usize::from(tile)], goal.home(tile));
    tiles.iter().map(distance).sum()
}

/// Which of the earlier ones each is the mirror image of, from 1: by a symmetry that leaves the blank's
/// home where it is.
fn mirrors(goal: &Goal, all: &[Vec<CellSet>]) -> Vec<Option<usize>> {
    let home = goal.home(pdb_core::BLANK);
    let symmetries: Vec<Symmetry> = Symmetry::keeping(goal.shape(), home).collect();
    let is_image = |of: &[CellSet], image: &[CellSet]| {
        symmetries.iter().any(|symmetry| {
            let turned = of.iter().map(|&homes| symmetry.set(homes));
            of.len() == image.len() && turned.eq(image.iter().copied())
        })
    };
    let first = |i: usize| (0..i).find(|&j| is_image(&all[j], &all[i])).map(|j| j + 1);
    (0..all.len()).map(first).collect()
}

/// The partitions of a board.
fn additive(goal: &Goal, board: &Board, sum: &AnySum<'_>) -> Result<(u32, Parts), RootError> {
    let parts = sum.parts(board)?;
    let homes = |pattern: &PatternValue| goal.homes(pattern.tiles.iter().copied());
    let homes: Vec<Vec<CellSet>> =
        parts.iter().map(|patterns| patterns.iter().map(homes).collect()).collect();
    let sums: Vec<u32> =
        parts.iter().map(|patterns| patterns.iter().map(|pattern| pattern.value).sum()).collect();
    let estimate = sums.iter().copied().max().unwrap_or(0);
    let lead = sums.iter().position(|&sum| sum == estimate);
    let pattern = |PatternValue { tiles, value }: PatternValue| {
        let manhattan = manhattan_of(goal, board, &tiles);
        PatternPart { tiles, moves: value, manhattan, mirror_of: None, counts: None }
    };
    let partitions = parts.into_iter().zip(sums).zip(mirrors(goal, &homes)).enumerate();
    let partitions = partitions.map(|(i, ((patterns, moves), mirror_of))| PartitionPart {
        patterns: patterns.into_iter().map(pattern).collect(),
        moves,
        mirror_of,
        counts: Some(i) == lead,
    });
    Ok((estimate, Parts::Additive { partitions: partitions.collect() }))
}

/// The plain patterns of a board.
fn plain(goal: &Goal, board: &Board, plain: &AnyPlain<'_>) -> Result<(u32, Parts), RootError> {
    let parts = plain.parts(board)?;
    let homes = |pattern: &PatternValue| vec![goal.homes(pattern.tiles.iter().copied())];
    let homes: Vec<Vec<CellSet>> = parts.iter().map(homes).collect();
    let estimate = parts.iter().map(|pattern| pattern.value).max().unwrap_or(0);
    let lead = parts.iter().position(|pattern| pattern.value == estimate);
    let patterns = parts.into_iter().zip(mirrors(goal, &homes)).enumerate();
    let patterns = patterns.map(|(i, (PatternValue { tiles, value }, mirror_of))| {
        let manhattan = manhattan_of(goal, board, &tiles);
        PatternPart { tiles, moves: value, manhattan, mirror_of, counts: Some(Some(i) == lead) }
    });
    Ok((estimate, Parts::Plain { patterns: patterns.collect() }))
}
