//! Heuristics by their names.

use std::fmt;
use std::sync::Arc;

use pdb_core::excerpt::printable_text;
use pdb_core::{CellSet, Estimator, Goal, Metric, Shape};
use pdb_spec::{Spec, SpecError};

use crate::heuristics::{Basic, PARTS_MAX};
#[cfg(feature = "net")]
use crate::networks::{SHIPPED, Weights, shipped};
use crate::{EngineError, OwnHeuristic};

const MAX: &str = "max";
const WALKING: &str = "walking-distance";
const WALKING_INVERSION: &str = "walking-inversion";
const UNMIRRORED: &str = "unmirrored";
const NET: &str = "net:";

/// A heuristic, as a command line names it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum HeuristicName {
    /// A heuristic without tables.
    Basic(Basic),
    /// Walking Distance.
    Walking,
    /// For each axis, the larger of Walking Distance and inversion distance, as in K. Takahashi's
    /// solver.
    WalkingInversion,
    /// The tables of a spec.
    Tables {
        /// The spec's name as written.
        name: String,
        /// The spec.
        spec: Box<Spec>,
        /// Whether mirror images are omitted although the spec has them: `:unmirrored`.
        is_unmirrored: bool,
    },
    /// A network, whose estimates may be too large: `net:FILE`, or `net:` and the name of an
    /// embedded one. A share after another colon lowers its estimates. Needs the feature `net`.
    #[cfg(feature = "net")]
    Net {
        /// The network as named, without `net:` and the share.
        name: String,
        /// The network.
        weights: Arc<Weights>,
        /// The share of boards that should not be overestimated.
        share: Option<String>,
    },
    /// A heuristic of the calling program: see [`own`](Self::own).
    Own(OwnHeuristic),
    /// The maximum of several heuristics.
    Max(Vec<HeuristicName>),
}

/// Function that reads the file of a network; `None` if there is none of that name.
pub type ReadNet<'a> = dyn Fn(&str) -> Option<Vec<u8>> + 'a;

/// Function that finds the spec of a name; `None` if there is none of that name.
pub type FindSpec<'a> = dyn Fn(&str) -> Option<Result<Spec, SpecError>> + 'a;

impl HeuristicName {
    /// Names a heuristic of the calling program. `make` creates it for each goal.
    ///
    /// Every search, rating and comparison that takes a name accepts this one. Answers show `name`,
    /// which should not be another heuristic's. Searches that prove optimality trust
    /// [`Estimator::is_admissible`].
    pub fn own(
        name: &str,
        make: impl Fn(&Goal) -> Arc<dyn Estimator> + Send + Sync + 'static,
    ) -> Self {
        Self::Own(OwnHeuristic::new(name, make))
    }

    /// Reads a comma-separated list of names, for boards of a shape. Commas within a maximum belong
    /// to the maximum.
    ///
    /// A name that is not a heuristic is a spec: `find` is called with it, first as it is, then
    /// with the number of tiles before it (`7-8` is `15/7-8` on a 4x4 board). `read` reads the
    /// files of networks.
    ///
    /// # Errors
    /// An [`EngineError`] says what was expected.
    pub fn parse_list(
        text: &str,
        shape: Shape,
        find: &FindSpec<'_>,
        read: &ReadNet<'_>,
    ) -> Result<Vec<Self>, EngineError> {
        let syntax = || EngineError::Syntax { found: text.to_owned() };
        let mut depth = 0usize;
        let mut names = Vec::new();
        let mut start = 0;
        for (at, letter) in text.char_indices() {
            match letter {
                '(' => depth += 1,
                ')' => depth = depth.checked_sub(1).ok_or_else(syntax)?,
                ',' if depth == 0 => {
                    names.push(&text[start..at]);
                    start = at + 1;
                }
                _ => (),
            }
        }
        names.push(&text[start..]);
        if depth > 0 || names.iter().any(|name| name.trim().is_empty()) {
            return Err(syntax());
        }
        names.into_iter().map(|name| Self::parse_one(name, shape, find, read)).collect()
    }

    fn parse_one(
        text: &str,
        shape: Shape,
        find: &FindSpec<'_>,
        read: &ReadNet<'_>,
    ) -> Result<Self, EngineError> {
        let text = text.trim();
        let in_parentheses = || text.strip_prefix(MAX)?.trim().strip_prefix('(')?.strip_suffix(')');
        if let Some(inner) = in_parentheses() {
            let parts = Self::parse_list(inner, shape, find, read)?;
            let flat = parts.into_iter().flat_map(|part| match part {
                Self::Max(parts) => parts,
                other => vec![other],
            });
            let flat: Vec<_> = flat.collect();
            if !(2..=PARTS_MAX).contains(&flat.len()) {
                let (name, found) = (text.to_owned(), flat.len());
                return Err(EngineError::Parts { name, found, max: PARTS_MAX });
            }
            return Ok(Self::Max(flat));
        }
        if let Some(basic) = Basic::ALL.into_iter().find(|basic| basic.name() == text) {
            return Ok(Self::Basic(basic));
        }
        match text {
            WALKING => return Ok(Self::Walking),
            WALKING_INVERSION => return Ok(Self::WalkingInversion),
            _ => (),
        }
        if let Some(name) = text.strip_prefix(NET) {
            return Self::parse_net(name.trim(), read);
        }
        let (name, is_unmirrored) = match text.rsplit_once(':') {
            Some((name, UNMIRRORED)) => (name, true),
            _ => (text, false),
        };
        let of_shape = format!("{}/", shape.cell_count() - 1);
        if let Some(spec) = find(name).or_else(|| find(&format!("{of_shape}{name}"))) {
            let spec = Box::new(spec?);
            return Ok(Self::Tables { name: name.to_owned(), spec, is_unmirrored });
        }
        let mut known = Self::known(Metric::SingleTile);
        let specs = pdb_spec::builtin_names_for(shape);
        let specs = specs.into_iter().filter_map(|name| name.strip_prefix(&of_shape));
        known.extend(specs.filter(|name| *name != WALKING));
        Err(EngineError::UnknownHeuristic { found: text.to_owned(), known: known.join(", ") })
    }

    /// Reads the name of a network after `net:`. A share at its end may be a part of the name, so
    /// the whole text is tried first.
    #[cfg(feature = "net")]
    fn parse_net(text: &str, read: &ReadNet<'_>) -> Result<Self, EngineError> {
        let known = || SHIPPED.map(|(name, _)| name).join(", ");
        let read = |name: &str| match shipped(name) {
            Some(bytes) => Some(bytes.to_vec()),
            None => read(name),
        };
        let is_share = |share: &str| share.parse::<f64>().is_ok();
        let split = || text.rsplit_once(':').filter(|(_, share)| is_share(share));
        let (name, share, bytes) = match (read(text), split()) {
            (Some(bytes), _) => (text, None, Some(bytes)),
            (None, Some((name, share))) => (name, Some(share), read(name)),
            (None, None) => (text, None, None),
        };
        let Some(bytes) = bytes else {
            return Err(EngineError::UnknownNet { found: name.to_owned(), known: known() });
        };
        let problem =
            |source| EngineError::Net { name: format!("{NET}{}", printable_text(name)), source };
        let weights = Arc::new(Weights::read(&bytes).map_err(problem)?);
        if let Some(share) = share {
            let shares: Vec<_> =
                weights.shifts().map_err(problem)?.into_iter().map(|shift| shift.share).collect();
            if !shares.iter().any(|known| known == share) {
                let known = if shares.is_empty() { "none".to_owned() } else { shares.join(", ") };
                let (name, found) = (format!("{NET}{}", printable_text(name)), share.to_owned());
                return Err(EngineError::Share { name, found, known });
            }
        }
        Ok(Self::Net { name: name.to_owned(), weights, share: share.map(str::to_owned) })
    }

    /// Refuses every network in a build without networks.
    #[cfg(not(feature = "net"))]
    fn parse_net(text: &str, _: &ReadNet<'_>) -> Result<Self, EngineError> {
        Err(EngineError::WithoutNetworks { found: format!("{NET}{text}") })
    }

    /// Returns whether its estimates are never larger than distances: whether it contains no
    /// network.
    pub fn is_admissible(&self) -> bool {
        match self {
            #[cfg(feature = "net")]
            Self::Net { .. } => false,
            Self::Max(parts) => parts.iter().all(Self::is_admissible),
            _ => true,
        }
    }

    /// Checks that it bounds the moves of a metric to a goal, before its tables are opened. Bounds
    /// on slides of several tiles are bounds on moves of single tiles, too.
    ///
    /// # Errors
    /// [`EngineError::OneLine`] on a board of one line, for all but Manhattan distance, and
    /// heuristics of the calling program if single tiles count. [`EngineError::NoSlides`] if it
    /// does not bound slides; of a maximum, its first part that does not. The error names tables
    /// for the goal.
    pub fn expect_metric(&self, metric: Metric, goal: &Goal) -> Result<(), EngineError> {
        let shape = goal.shape();
        let bounds_lines = match self {
            Self::Basic(Basic::Manhattan) => true,
            Self::Own(_) => metric == Metric::SingleTile,
            _ => false,
        };
        if shape.is_line() && !bounds_lines {
            return Err(EngineError::OneLine { name: self.to_string(), shape });
        }
        let bounds_slides = match self {
            Self::Basic(basic) => basic.bounds(metric),
            Self::Tables { spec, .. } => spec.metric() == Metric::MultiTile,
            Self::Max(parts) => {
                return parts.iter().try_for_each(|part| part.expect_metric(metric, goal));
            }
            _ => false,
        };
        if metric == Metric::SingleTile || bounds_slides {
            return Ok(());
        }
        Err(EngineError::no_slides(&self.to_string(), goal))
    }

    /// Returns the names that need no spec and bound the moves of a metric.
    pub fn known(metric: Metric) -> Vec<&'static str> {
        let basic = Basic::ALL.into_iter().filter(|basic| basic.bounds(metric)).map(Basic::name);
        let walking = [WALKING, WALKING_INVERSION].into_iter();
        basic.chain(walking.filter(|_| metric == Metric::SingleTile)).collect()
    }

    /// Returns the spec whose tables it looks up; for several heuristics, the first spec.
    pub fn tables(&self) -> Option<&Spec> {
        match self {
            Self::Tables { spec, .. } => Some(spec),
            Self::Max(parts) => parts.iter().find_map(Self::tables),
            _ => None,
        }
    }

    /// Returns the first partition of its tables, or their first plain pattern, as goal cells; of
    /// several heuristics, that of the first which has one.
    ///
    /// # Errors
    /// A [`SpecError`] when the spec cannot lead to the goal.
    pub fn first_partition(&self, goal: &Goal) -> Result<Option<Vec<CellSet>>, SpecError> {
        match self {
            Self::Tables { spec, .. } => {
                Ok(spec.for_goal(goal)?.drawn_patterns().into_iter().next())
            }
            Self::Max(parts) => {
                parts.iter().find_map(|part| part.first_partition(goal).transpose()).transpose()
            }
            _ => Ok(None),
        }
    }
}

/// Names the tables of a spec by the spec's name.
impl From<&Spec> for HeuristicName {
    fn from(spec: &Spec) -> Self {
        let name = spec.name.clone();
        Self::Tables { name, spec: Box::new(spec.clone()), is_unmirrored: false }
    }
}

impl fmt::Display for HeuristicName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Basic(basic) => f.write_str(basic.name()),
            Self::Walking => f.write_str(WALKING),
            Self::WalkingInversion => f.write_str(WALKING_INVERSION),
            // A file's name may have any characters, and this name goes to terminals and pages.
            Self::Tables { name, is_unmirrored, .. } => {
                f.write_str(&printable_text(name))?;
                if *is_unmirrored { write!(f, ":{UNMIRRORED}") } else { Ok(()) }
            }
            #[cfg(feature = "net")]
            Self::Net { name, share, .. } => {
                write!(f, "{NET}{}", printable_text(name))?;
                share.as_ref().map_or(Ok(()), |share| write!(f, ":{share}"))
            }
            Self::Own(own) => f.write_str(own.name()),
            Self::Max(parts) => {
                let parts: Vec<_> = parts.iter().map(ToString::to_string).collect();
                write!(f, "{MAX}({})", parts.join(", "))
            }
        }
    }
}
