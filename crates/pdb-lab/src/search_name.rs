//! Names of searches.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use pdb_core::Metric;
use pdb_search::{SearchError, Weight};

use crate::EngineError;
use crate::registry::{
    A_STAR, Estimates, IDA, LANES, Param, Params, Proof, SEARCHES, SearchFunction, SearchRow,
    WEIGHTED_A_STAR, WEIGHTED_IDA,
};

/// A search with its parameters, as a command line names it: a name, and values with a colon before
/// each.
///
/// `weighted-astar` and `weighted-ida` take a weight, as in `weighted-ida:81/19`. `batch-astar`
/// takes the number of boards that are expanded at once, and a weight after that, as in
/// `batch-astar:1000:3/2`. `beam` takes the number of boards that it keeps, and `net` after that to
/// keep them by a learned order, as in `beam:1000:net`.
///
/// ```
/// use pdb_lab::{Proof, SearchName};
///
/// let search: SearchName = "batch-astar:1000".parse()?;
/// assert_eq!(search.with_weight("1.5".parse()?).to_string(), "batch-astar:1000:3/2");
/// assert_eq!(search.row().proof, Proof::WithinWeight);
/// assert!(SearchName::all().any(|search| search == SearchName::ASTAR));
/// # Ok::<(), pdb_lab::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SearchName {
    row: &'static SearchRow,
    /// `None` if the search takes no size.
    size: Option<NonZeroU32>,
    /// `None` for the weight of the caller.
    weight: Option<Weight>,
    by_order: bool,
}

impl SearchName {
    /// A*.
    pub const ASTAR: Self = Self::of(&A_STAR);
    /// A* with a weight.
    pub const WEIGHTED_ASTAR: Self = Self::of(&WEIGHTED_A_STAR);
    /// IDA* as Korf described it.
    pub const IDA: Self = Self::of(&IDA);
    /// IDA* with a weight.
    pub const WEIGHTED_IDA: Self = Self::of(&WEIGHTED_IDA);
    /// IDA* in lanes, without duplicate sequences of moves, as `tilebase solve` uses it.
    pub const LANES: Self = Self::of(&LANES);

    const fn of(row: &'static SearchRow) -> Self {
        let size = match row.params {
            [Param::Size { default, .. }, ..] => Some(*default),
            _ => None,
        };
        Self { row, size, weight: None, by_order: false }
    }

    /// Returns all searches, with the defaults of their parameters.
    pub fn all() -> impl Iterator<Item = Self> {
        SEARCHES.iter().map(Self::of)
    }

    /// Returns the names of the searches with a property, separated by commas.
    pub fn list(has: impl Fn(Self) -> bool) -> String {
        let names: Vec<_> = Self::all().filter(|&search| has(search)).map(Self::name).collect();
        names.join(", ")
    }

    /// Returns its properties.
    pub fn row(self) -> &'static SearchRow {
        self.row
    }

    /// Returns the name without parameters.
    pub fn name(self) -> &'static str {
        self.row.name
    }

    /// Returns whether it uses a heuristic.
    pub fn is_informed(self) -> bool {
        self.row.estimates != Estimates::Unused
    }

    /// Returns whether it proves solutions by estimates, and so refuses learned heuristics: see
    /// [`Engine::is_admissible`](crate::Engine::is_admissible).
    pub fn needs_admissible(self) -> bool {
        self.row.estimates == Estimates::Admissible
    }

    /// Returns whether it keeps the boards that it meets, so that it obeys a memory limit.
    pub fn keeps_boards(self) -> bool {
        self.row.keeps_boards
    }

    /// Checks that it counts the moves of a metric.
    ///
    /// # Errors
    /// [`SearchError::SingleTiles`] if it counts moves of single tiles only.
    pub fn expect_metric(self, metric: Metric) -> Result<(), SearchError> {
        self.function(metric).map(|_| ())
    }

    /// Returns its form for a metric.
    pub(crate) fn function(self, metric: Metric) -> Result<SearchFunction, SearchError> {
        match metric {
            Metric::SingleTile => Ok(self.row.search),
            Metric::MultiTile => {
                self.row.slides.ok_or(SearchError::SingleTiles { search: self.row.name })
            }
        }
    }

    /// Returns whether it takes a weight.
    pub fn takes_weight(self) -> bool {
        self.row.params.contains(&Param::Weight)
    }

    /// Returns its own weight.
    pub fn weight(self) -> Option<Weight> {
        self.weight
    }

    /// Returns the factor by which its solutions may be longer than a shortest one; `None` if they
    /// may have any length. `weight` is for a search that takes a weight and has none of its own.
    pub fn factor(self, weight: Weight) -> Option<Weight> {
        match self.row.proof {
            Proof::Shortest => Some(Weight::ONE),
            Proof::WithinWeight => Some(self.weight.unwrap_or(weight)),
            Proof::Nothing => None,
        }
    }

    /// Returns the same search, with `weight` if it takes a weight and has none.
    #[must_use]
    pub fn with_weight(self, weight: Weight) -> Self {
        Self { weight: self.weight.or(self.takes_weight().then_some(weight)), ..self }
    }

    /// Returns the same search without a weight of its own.
    #[must_use]
    pub fn without_weight(self) -> Self {
        Self { weight: None, ..self }
    }

    /// Returns examples of the name with its parameters.
    fn usage(self) -> String {
        let weighted = format_args!(", or {self}:3/2 with a weight");
        if self.takes_weight() { format!("{self}{weighted}") } else { self.to_string() }
    }

    /// Returns the values of all parameters; `weight` is the default of the caller.
    pub(crate) fn params(self, weight: Weight) -> Params {
        let size = self.size.unwrap_or(NonZeroU32::MIN);
        Params { size, weight: self.weight.unwrap_or(weight), by_order: self.by_order }
    }
}

impl PartialEq for SearchName {
    fn eq(&self, other: &Self) -> bool {
        let key = |search: &Self| (search.name(), search.size, search.weight, search.by_order);
        key(self) == key(other)
    }
}

impl Eq for SearchName {}

impl fmt::Display for SearchName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        self.size.map_or(Ok(()), |size| write!(f, ":{size}"))?;
        self.weight.map_or(Ok(()), |weight| write!(f, ":{weight}"))?;
        f.write_str(if self.by_order { ":net" } else { "" })
    }
}

impl FromStr for SearchName {
    type Err = EngineError;

    fn from_str(text: &str) -> Result<Self, EngineError> {
        let (name, values) = match text.split_once(':') {
            Some((name, values)) => (name.trim(), Some(values.trim())),
            None => (text.trim(), None),
        };
        let Some(mut search) = Self::all().find(|search| search.name() == name) else {
            let known = Self::list(|_| true);
            return Err(EngineError::UnknownSearch { found: name.to_owned(), known });
        };
        let Some(values) = values else { return Ok(search) };
        let SearchRow { name, params, .. } = *search.row;
        if params.is_empty() {
            let known = Self::list(Self::takes_weight);
            return Err(EngineError::NoWeight { search: name, found: values.to_owned(), known });
        }
        for (param, found) in params.iter().zip(values.splitn(params.len(), ':')) {
            let found = found.trim();
            let wrong = |expected: String, example: String| {
                Err(EngineError::Param { expected, found: found.to_owned(), example })
            };
            match *param {
                Param::Size { what, max, .. } => {
                    search.size = found.parse().ok().filter(|size: &NonZeroU32| size.get() <= max);
                    if search.size.is_none() {
                        return wrong(format!("{what}, 1 to {max}"), Self::of(search.row).usage());
                    }
                }
                Param::Weight => search.weight = Some(found.parse()?),
                Param::Order if found == "net" => search.by_order = true,
                Param::Order => {
                    let expected = "net, for a learned order".to_owned();
                    return wrong(expected, format!("{search}:net, or {search}"));
                }
            }
        }
        Ok(search)
    }
}
