//! The heuristics of a goal, opened once, and the parts of their estimates.

use pdb_core::plan::Plan;
use pdb_core::{Board, Goal, Metric, RootError};
use pdb_lab::{Basic, Engine, EngineError, HeuristicName};

use super::{Explanation, OmittedHeuristic};
use crate::error::Error;
use crate::names::SpecChoice;
use crate::search::Search;
use crate::shelf::{Bytes, MissingTables, Readiness, Shelf, confirmed};

/// Reason why no pattern database is explained.
const NO_TABLES: &str = "no tables for these boards are built: name a spec, or build tables first";

/// Reason why a learned heuristic is not explained.
const LEARNED: &str = "what a network has learned has no parts, and its estimate is no lower bound";

/// Longest build of Walking Distance, in seconds, for boards whose tables the caller did not
/// choose.
const SMALL_SECONDS: f64 = 1.0;

/// All explained heuristics of a goal.
pub(crate) struct Explainer {
    goal: Goal,
    metric: Metric,
    heuristics: Vec<Engine>,
    omitted: Vec<OmittedHeuristic>,
}

impl Explainer {
    /// Opens the heuristics. Missing tables of `spec` are built, and errors of `spec` are returned;
    /// all other heuristics are optional. Without `spec`, for boards without a solution, it opens
    /// those that need no tables.
    pub(crate) fn open(
        goal: &Goal,
        metric: Metric,
        spec: Option<&SpecChoice>,
        shelf: &Shelf,
        search: &Search,
    ) -> Result<Self, Error> {
        let (heuristics, omitted) = Default::default();
        let mut this = Self { goal: *goal, metric, heuristics, omitted };
        let Some(spec) = spec else {
            this.open_basic(shelf, search)?;
            return Ok(this);
        };
        let name = spec.heuristic(goal)?;
        let mut named = None;
        match &name {
            Some(name) if !name.is_admissible() => this.omit(name, &LEARNED),
            Some(name) => named = Some(this.engine(name, shelf, search)?),
            None => (),
        }
        this.open_basic(shelf, search)?;
        let has_tables = !goal.shape().is_line();
        if metric == Metric::SingleTile && has_tables {
            this.open_walking(shelf, search)?;
        }
        match named {
            Some(named) if this.heuristics.iter().any(|known| known.name() == named.name()) => (),
            Some(named) => {
                this.omitted.retain(|omitted| omitted.name != named.name());
                this.heuristics.push(named);
            }
            None if has_tables => this.open_built(shelf, search)?,
            None => (),
        }
        Ok(this)
    }

    fn engine(
        &self,
        name: &HeuristicName,
        shelf: &Shelf,
        search: &Search,
    ) -> Result<Engine, Error> {
        shelf.engine(&self.goal, self.metric, name, search)
    }

    /// Opens the heuristics that need no tables. Only Manhattan distance bounds slides, and is for
    /// boards of one line.
    fn open_basic(&mut self, shelf: &Shelf, search: &Search) -> Result<(), Error> {
        for name in Basic::ALL.map(HeuristicName::Basic) {
            if name.expect_metric(self.metric, &self.goal).is_err() {
                continue;
            }
            match self.engine(&name, shelf, search) {
                Ok(explained) => self.heuristics.push(explained),
                Err(Error::Engine(EngineError::Line { source, .. })) => self.omit(&name, &source),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Opens Walking Distance, where its tables exist or are quick to build.
    fn open_walking(&mut self, shelf: &Shelf, search: &Search) -> Result<(), Error> {
        let plan = Plan::walking(&self.goal);
        let (reason, is_buildable) = match shelf.readiness("walking-distance", &plan) {
            Readiness::Buildable(MissingTables { disk_bytes, seconds, .. })
                if seconds >= SMALL_SECONDS =>
            {
                let reason = format!(
                    "its tables are not built: they take {} on disk and about {seconds:.0} s to build on \
                     two cores",
                    Bytes(disk_bytes)
                );
                (reason, true)
            }
            Readiness::Ready | Readiness::Buildable(_) => {
                match self.engine(&HeuristicName::Walking, shelf, search) {
                    #[cfg(feature = "build")]
                    Err(Error::Build(error)) if !search.cancel.is_cancelled() => {
                        (error.to_string(), false)
                    }
                    engine => {
                        let engine = engine?;
                        let with_inversions = engine.with_inversions();
                        self.heuristics.push(engine);
                        self.heuristics.extend(with_inversions);
                        return Ok(());
                    }
                }
            }
            Readiness::Missing => ("its tables are not built".to_owned(), false),
            Readiness::TooLarge => ("its tables do not fit the memory".to_owned(), false),
            Readiness::DiskFull(_) => ("its tables do not fit the disk".to_owned(), false),
        };
        for name in [HeuristicName::Walking, HeuristicName::WalkingInversion] {
            let (name, reason) = (name.to_string(), reason.clone());
            self.omitted.push(OmittedHeuristic { is_buildable, name, reason });
        }
        Ok(())
    }

    /// Opens the pattern databases, shipped and generated, whose tables all exist.
    fn open_built(&mut self, shelf: &Shelf, search: &Search) -> Result<(), Error> {
        let goal = self.goal;
        let shipped = pdb_spec::builtin_names_for(goal.shape()).into_iter();
        let shipped = shipped.map(|name| pdb_spec::builtin(name).expect("a shipped spec is right"));
        let shipped = shipped.filter(|spec| spec.metric() == self.metric);
        // A generated spec may have the plan of a shipped one.
        let mut known = vec![Plan::walking(&goal)];
        for spec in shipped.chain(pdb_spec::specs_for(&goal, self.metric)) {
            let Ok(plan) = spec.for_goal(&goal) else { continue };
            let is_there = || shelf.readiness(&spec.name, &plan) == Readiness::Ready;
            if known.contains(&plan) || !is_there() {
                continue;
            }
            known.push(plan);
            self.heuristics.push(self.engine(&HeuristicName::from(&spec), shelf, search)?);
        }
        if known.len() == 1 {
            self.omit(&"pattern databases", &NO_TABLES);
        }
        Ok(())
    }

    fn omit(&mut self, name: &impl ToString, reason: &impl ToString) {
        let (name, reason) = (name.to_string(), reason.to_string());
        self.omitted.push(OmittedHeuristic { is_buildable: false, name, reason });
    }

    /// Explains a board.
    pub(crate) fn explain(&self, board: &Board) -> Result<Explanation, Error> {
        let parts = self.heuristics.iter().map(|engine| engine.parts(board));
        let parts: Result<Vec<_>, RootError> = parts.collect();
        let mut parts = confirmed(&self.heuristics, parts)?;
        // Of equal estimates, that of the simpler heuristic comes first.
        parts.sort_by_key(|heuristic| heuristic.estimate);
        Ok(Explanation::new(board, &self.goal, self.metric, parts, self.omitted.clone()))
    }
}
