//! The heuristics of a goal, opened once, and the parts of their estimates.

use std::sync::Arc;

use pdb_core::plan::Plan;
use pdb_core::{Board, CellSet, Goal, RootError};
use pdb_lab::heuristics::{
    CornerTiles, Ending, Gaschnig, InversionAxis, Inversions, LastMoves, Line, LineConflict,
    LinearConflict, Misplaced, Pairwise, WrongCorner,
};
use pdb_lab::{Basic, Engine, EngineError, HeuristicName};
use pdb_rt::{AnyPlain, AnySum, Database, PatternValue, WalkingAxis, WalkingCounts};

use super::parts::{
    AxisInversions, AxisWalking, CornerPart, CyclePart, DetourPart, EndingPart, LargerAxis,
    LineName, LinePart, PairPart, PartitionPart, Parts, PatternPart, TileInversions, TilePart,
};
use super::{Explanation, HeuristicParts, OmittedHeuristic};
use crate::error::Error;
use crate::names::SpecChoice;
use crate::search::Search;
use crate::shelf::{Readiness, Shelf, confirmed};

/// Reason why no pattern database is explained.
const NO_TABLES: &str = "no tables for these boards are built: name a spec, or build tables first";

/// Reason why a learned heuristic is not explained.
const LEARNED: &str = "what a network has learned has no parts, and its estimate is no lower bound";

/// All explained heuristics of a goal.
pub(crate) struct Explainer {
    goal: Goal,
    heuristics: Vec<ExplainedHeuristic>,
    omitted: Vec<OmittedHeuristic>,
}

/// Function that computes the estimate of a board, and its parts.
type ExplainBoard = dyn Fn(&Board) -> Result<(u32, Parts), RootError> + Send + Sync;

/// An explained heuristic.
struct ExplainedHeuristic {
    name: String,
    /// The engines of its tables.
    engines: Vec<Arc<Engine>>,
    explain: Box<ExplainBoard>,
}

impl Explainer {
    /// Opens the heuristics. Missing tables of `spec` are built, and errors of `spec` are returned;
    /// all other heuristics are optional.
    pub(crate) fn open(
        goal: &Goal,
        spec: &SpecChoice,
        shelf: &Shelf,
        search: &Search,
    ) -> Result<Self, Error> {
        let mut this = Self { goal: *goal, heuristics: Vec::new(), omitted: Vec::new() };
        let name = spec.heuristic(goal)?;
        let mut named = None;
        match &name {
            Some(name) if !name.is_admissible() => this.omit(name, &LEARNED),
            Some(name) => named = Some(ExplainedHeuristic::open(name, goal, shelf, search)?),
            None => (),
        }
        for basic in Basic::ALL {
            let name = HeuristicName::Basic(basic);
            match ExplainedHeuristic::open(&name, goal, shelf, search) {
                Ok(explained) => this.heuristics.push(explained),
                Err(Error::Engine(EngineError::Line { source, .. })) => this.omit(&name, &source),
                Err(error) => return Err(error),
            }
        }
        this.open_walking(shelf, search)?;
        match named {
            Some(named) if this.heuristics.iter().any(|known| known.name == named.name) => (),
            Some(named) => {
                this.omitted.retain(|omitted| omitted.name != named.name);
                this.heuristics.push(named);
            }
            None => this.open_built(shelf, search)?,
        }
        Ok(this)
    }

    /// Opens Walking Distance, where its tables exist or are quick to build.
    fn open_walking(&mut self, shelf: &Shelf, search: &Search) -> Result<(), Error> {
        let names = [HeuristicName::Walking, HeuristicName::WalkingInversion];
        let opened = match shelf.lack_of_walking(&self.goal) {
            Some(reason) => Err(reason.to_owned()),
            None => match shelf.engine(&self.goal, &HeuristicName::Walking, search) {
                #[cfg(feature = "build")]
                Err(Error::Build(error)) if !search.cancel.is_cancelled() => Err(error.to_string()),
                engine => Ok(Arc::new(engine?)),
            },
        };
        match opened {
            Ok(engine) => self.heuristics.extend([
                ExplainedHeuristic::walking(&names[0], &engine),
                ExplainedHeuristic::walking_inversion(&names[1], &engine),
            ]),
            Err(reason) => names.iter().for_each(|name| self.omit(name, &reason)),
        }
        Ok(())
    }

    /// Opens the pattern databases, shipped and generated, whose tables all exist.
    fn open_built(&mut self, shelf: &Shelf, search: &Search) -> Result<(), Error> {
        let goal = self.goal;
        let shipped = pdb_spec::builtin_names_for(goal.shape()).into_iter();
        let shipped = shipped.map(|name| pdb_spec::builtin(name).expect("a shipped spec is right"));
        // A generated spec may have the plan of a shipped one.
        let mut known = vec![Plan::walking(&goal)];
        for spec in shipped.chain(pdb_spec::specs_for(&goal)) {
            let Ok(plan) = spec.for_goal(&goal) else { continue };
            let is_there = || shelf.readiness(&spec.name, &plan) == Readiness::Ready;
            if known.contains(&plan) || !is_there() {
                continue;
            }
            known.push(plan);
            self.heuristics.push(ExplainedHeuristic::open(
                &HeuristicName::from(&spec),
                &goal,
                shelf,
                search,
            )?);
        }
        if known.len() == 1 {
            self.omit(&"pattern databases", &NO_TABLES);
        }
        Ok(())
    }

    fn omit(&mut self, name: &impl ToString, reason: &impl ToString) {
        let (name, reason) = (name.to_string(), reason.to_string());
        self.omitted.push(OmittedHeuristic { name, reason });
    }

    /// Explains a solvable board.
    pub(crate) fn explain(&self, board: &Board) -> Result<Explanation, Error> {
        let parts = self.heuristics.iter().map(|heuristic| heuristic.parts(board));
        let parts: Result<Vec<_>, RootError> = parts.collect();
        let engines = self.heuristics.iter().flat_map(|heuristic| &heuristic.engines);
        let mut parts = confirmed(engines.map(|engine| &**engine), parts)?;
        // Of equal estimates, that of the simpler heuristic comes first.
        parts.sort_by_key(|heuristic| heuristic.estimate);
        Ok(Explanation::new(board, &self.goal, parts, self.omitted.clone()))
    }
}

impl ExplainedHeuristic {
    fn open(
        name: &HeuristicName,
        goal: &Goal,
        shelf: &Shelf,
        search: &Search,
    ) -> Result<Self, Error> {
        let engine = || shelf.engine(goal, name, search).map(Arc::new);
        Ok(match name {
            HeuristicName::Basic(basic) => {
                // The engine checks the shape.
                drop(engine()?);
                Self::new(name, Vec::new(), basic_parts(*basic, *goal))
            }
            HeuristicName::Walking => Self::walking(name, &engine()?),
            HeuristicName::WalkingInversion => Self::walking_inversion(name, &engine()?),
            HeuristicName::Tables { .. } => Self::tables(name, &engine()?),
            HeuristicName::Max(names) => {
                let parts = names.iter().map(|name| Self::open(name, goal, shelf, search));
                let parts = parts.collect::<Result<Vec<_>, _>>()?;
                let engines = parts.iter().flat_map(|part| part.engines.clone()).collect();
                let explain = move |board: &Board| {
                    let heuristics = parts.iter().map(|part| part.parts(board));
                    let heuristics = heuristics.collect::<Result<Vec<_>, _>>()?;
                    let largest = heuristics.iter().map(|part| part.estimate).max();
                    Ok((largest.unwrap_or(0), Parts::Max { heuristics }))
                };
                Self::new(name, engines, Box::new(explain))
            }
            // Heuristics of users, and networks if any crate of the build asks `pdb-lab` for them.
            other => Self::whole(other, &engine()?),
        })
    }

    fn new(name: &HeuristicName, engines: Vec<Arc<Engine>>, explain: Box<ExplainBoard>) -> Self {
        Self { name: name.to_string(), engines, explain }
    }

    /// Creates the explanation of a heuristic with one engine, whose database is looked up.
    fn of_database(
        name: &HeuristicName,
        engine: &Arc<Engine>,
        explain: impl Fn(&Database, &Board) -> Result<(u32, Parts), RootError> + Send + Sync + 'static,
    ) -> Self {
        let opened = Arc::clone(engine);
        let explain = move |board: &Board| {
            let database = opened.databases().next().expect("the heuristic has tables");
            explain(database, board)
        };
        Self::new(name, vec![Arc::clone(engine)], Box::new(explain))
    }

    fn walking(name: &HeuristicName, engine: &Arc<Engine>) -> Self {
        Self::of_database(name, engine, |database, board| {
            let [vertical, horizontal] = walking(database);
            let [vertical, horizontal] =
                [vertical.parts(board)?, horizontal.parts(board)?].map(AxisWalking::from);
            Ok((vertical.moves + horizontal.moves, Parts::Walking { vertical, horizontal }))
        })
    }

    fn walking_inversion(name: &HeuristicName, engine: &Arc<Engine>) -> Self {
        let [down, across] = InversionAxis::both(engine.goal());
        Self::of_database(name, engine, move |database, board| {
            let [walking_down, walking_across] = walking(database);
            let vertical = larger(&walking_down, &down, board)?;
            let horizontal = larger(&walking_across, &across, board)?;
            let sum = vertical.moves + horizontal.moves;
            Ok((sum, Parts::WalkingInversion { vertical, horizontal }))
        })
    }

    /// Creates the explanation of a spec's tables, which may be those of Walking Distance.
    fn tables(name: &HeuristicName, engine: &Arc<Engine>) -> Self {
        if engine.databases().any(|database| database.walking().is_some()) {
            return Self::walking(name, engine);
        }
        let goal = *engine.goal();
        Self::of_database(name, engine, move |database, board| {
            match (database.additive(), database.plain()) {
                (Some(sum), _) => additive(&goal, board, &sum),
                (None, Some(patterns)) => plain(&goal, board, &patterns),
                (None, None) => Ok((0, Parts::Plain { patterns: Vec::new() })),
            }
        })
    }

    /// Creates the explanation of a heuristic whose estimate has no parts.
    fn whole(name: &HeuristicName, engine: &Arc<Engine>) -> Self {
        let opened = Arc::clone(engine);
        let explain = move |board: &Board| Ok((opened.estimate(board)?, Parts::Own {}));
        Self::new(name, vec![Arc::clone(engine)], Box::new(explain))
    }

    fn parts(&self, board: &Board) -> Result<HeuristicParts, RootError> {
        let (estimate, parts) = (self.explain)(board)?;
        let is_trusted = self.engines.iter().any(|engine| engine.is_trusted());
        let tables_checked = is_trusted.then_some(false);
        Ok(HeuristicParts { name: self.name.clone(), estimate, parts, tables_checked })
    }
}

/// Explains a heuristic without tables. Its shape is checked.
fn basic_parts(basic: Basic, goal: Goal) -> Box<ExplainBoard> {
    match basic {
        Basic::Misplaced => {
            let heuristic = Misplaced::new(&goal);
            Box::new(move |board| {
                let tiles = heuristic.tiles(board);
                Ok((tiles.len() as u32, Parts::Misplaced { tiles }))
            })
        }
        Basic::Gaschnig => {
            let heuristic = Gaschnig::new(&goal);
            Box::new(move |board| {
                let cycles = heuristic.cycles(board).into_iter();
                let cycles: Vec<_> = cycles
                    .map(|cycle| CyclePart { tiles: cycle.tiles, jumps: cycle.jumps })
                    .collect();
                Ok((cycles.iter().map(|cycle| cycle.jumps).sum(), Parts::Gaschnig { cycles }))
            })
        }
        Basic::Manhattan => Box::new(move |board| {
            let tiles = tiles_away(&goal, board);
            Ok((goal.manhattan_distance(board), Parts::Manhattan { tiles }))
        }),
        Basic::LinearConflict => {
            let heuristic = LinearConflict::new(&goal);
            Box::new(move |board| {
                let manhattan = goal.manhattan_distance(board);
                let lines = lines(heuristic.conflicts(board));
                let sum = lines.iter().map(|line| line.moves).sum::<u32>();
                Ok((manhattan + sum, Parts::LinearConflict { manhattan, lines }))
            })
        }
        Basic::CornerTiles => {
            let heuristic = CornerTiles::new(&goal);
            Box::new(move |board| {
                let manhattan = goal.manhattan_distance(board);
                let lines = lines(heuristic.conflict.conflicts(board));
                let corners = corners(board, heuristic.corners(board));
                let sum = lines.iter().map(|line| line.moves).sum::<u32>()
                    + corners.iter().map(|corner| corner.moves).sum::<u32>();
                Ok((manhattan + sum, Parts::CornerTiles { manhattan, lines, corners }))
            })
        }
        Basic::LastMoves => {
            let heuristic = LastMoves::new(&goal);
            Box::new(move |board| {
                let manhattan = goal.manhattan_distance(board);
                let lines = lines(heuristic.corners.conflict.conflicts(board));
                let corners = corners(board, heuristic.corners.corners(board));
                let endings = heuristic.endings(board).into_iter();
                let mut endings: Vec<_> = endings.map(EndingPart::from).collect();
                endings.sort_by_key(|ending| ending.moves);
                let sum = lines.iter().map(|line| line.moves).sum::<u32>()
                    + corners.iter().map(|corner| corner.moves).sum::<u32>()
                    + endings.first().map_or(0, |ending| ending.moves);
                Ok((manhattan + sum, Parts::LastMoves { manhattan, lines, corners, endings }))
            })
        }
        Basic::Inversion => {
            let axes = InversionAxis::both(&goal);
            Box::new(move |board| {
                let axes = axes.each_ref().map(|axis| AxisInversions::from(axis.inversions(board)));
                let [vertical, horizontal] = axes;
                Ok((vertical.moves + horizontal.moves, Parts::Inversion { vertical, horizontal }))
            })
        }
        Basic::Pairwise => {
            let heuristic = Pairwise::new(&goal).expect("the shape was checked");
            Box::new(move |board| {
                let manhattan = goal.manhattan_distance(board);
                let pairs = heuristic.matching(board).into_iter();
                let pairs: Vec<_> =
                    pairs.map(|pair| PairPart { tiles: pair.tiles, moves: pair.moves }).collect();
                let sum = pairs.iter().map(|pair| pair.moves).sum::<u32>();
                Ok((manhattan + sum, Parts::Pairwise { manhattan, pairs }))
            })
        }
    }
}

fn walking(database: &Database) -> [WalkingAxis<'_>; 2] {
    database.walking().expect("the plan is that of both axes")
}

/// Returns the tiles that are not at home.
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
        let tile = |(tile, inversions)| TileInversions { tile, inversions };
        let lines = lines.into_iter().map(|line| line.into_iter().map(tile).collect()).collect();
        Self { lines, inversions, passed, moves }
    }
}

impl From<WalkingCounts> for AxisWalking {
    fn from(WalkingCounts { lines, blank_line, blank_home, value }: WalkingCounts) -> Self {
        Self { lines, blank: blank_line + 1, blank_home: blank_home + 1, moves: value }
    }
}

/// Returns both bounds of an axis, and the larger of them.
fn larger(
    walking: &WalkingAxis<'_>,
    inversion: &InversionAxis,
    board: &Board,
) -> Result<LargerAxis, RootError> {
    let walking = walking.value(walking.state(board)?);
    let inversion = inversion.inversions(board).moves;
    Ok(LargerAxis { walking, inversion, moves: walking.max(inversion) })
}

/// Returns the Manhattan distance of some tiles.
fn manhattan_of(goal: &Goal, board: &Board, tiles: &[u8]) -> u32 {
    let cells = board.cells_by_tile();
    let distance = |&tile: &u8| goal.shape().distance(cells[usize::from(tile)], goal.home(tile));
    tiles.iter().map(distance).sum()
}

/// Explains a sum of partitions.
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
    let partitions = parts.into_iter().zip(sums).zip(goal.mirrored(&homes)).enumerate();
    let partitions = partitions.map(|(i, ((patterns, moves), mirror_of))| PartitionPart {
        patterns: patterns.into_iter().map(pattern).collect(),
        moves,
        mirror_of: mirror_of.map(|drawn| drawn + 1),
        counts: Some(i) == lead,
    });
    Ok((estimate, Parts::Additive { partitions: partitions.collect() }))
}

/// Explains plain patterns.
fn plain(goal: &Goal, board: &Board, plain: &AnyPlain<'_>) -> Result<(u32, Parts), RootError> {
    let parts = plain.parts(board)?;
    let homes = |pattern: &PatternValue| vec![goal.homes(pattern.tiles.iter().copied())];
    let homes: Vec<Vec<CellSet>> = parts.iter().map(homes).collect();
    let estimate = parts.iter().map(|pattern| pattern.value).max().unwrap_or(0);
    let lead = parts.iter().position(|pattern| pattern.value == estimate);
    let patterns = parts.into_iter().zip(goal.mirrored(&homes)).enumerate();
    let patterns = patterns.map(|(i, (PatternValue { tiles, value }, mirror_of))| {
        let manhattan = manhattan_of(goal, board, &tiles);
        let mirror_of = mirror_of.map(|drawn| drawn + 1);
        PatternPart { tiles, moves: value, manhattan, mirror_of, counts: Some(Some(i) == lead) }
    });
    Ok((estimate, Parts::Plain { patterns: patterns.collect() }))
}
