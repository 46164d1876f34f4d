//! Drawn partitions.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::prelude::*;
use tilebase::names::{GoalChoice, load_spec};
use tilebase_draw::{Theme, pictures};

use crate::board::{Goal, PickleParts, pickle_parts};
use crate::errors::Result;

/// A drawn goal, and the tables that a board is looked up in.
///
/// `Spec(name)` is a shipped spec, such as "15/7-8", or that of a file, whose name ends in .toml;
/// `Spec.parse(name, text)` reads the text of such a file. `tilebase.partition` draws one.
///
/// >>> spec = Spec("8/4-4")
/// >>> spec.name, spec.goal
/// ('8/4-4', Goal('1 2 3/4 5 6/7 8 0'))
#[pyclass(frozen, module = "tilebase", from_py_object)]
#[derive(Clone, Debug)]
pub(crate) struct Spec {
    pub(crate) spec: pdb_spec::Spec,
    /// Whether it is shipped, so that its name alone stands for it.
    is_shipped: bool,
}

impl Spec {
    /// Returns the default goal of its boards.
    pub(crate) fn own_goal(&self) -> tilebase::Goal {
        match (self.is_shipped, GoalChoice::of_spec(&self.spec)) {
            (true, GoalChoice::Drawn(goal)) => goal,
            _ => self.spec.goal,
        }
    }
}

#[pymethods]
impl Spec {
    #[new]
    fn new(name: &str) -> Result<Self> {
        let spec = load_spec(name)?;
        let is_shipped = pdb_spec::builtin(&spec.name).is_ok();
        Ok(Self { spec, is_shipped })
    }

    /// Reads a spec that is written in TOML and gives it a name.
    #[staticmethod]
    fn parse(name: &str, text: &str) -> Result<Self> {
        Ok(Self { spec: pdb_spec::Spec::parse(name, text)?, is_shipped: false })
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        &self.spec.name
    }

    /// A description in one line.
    #[getter]
    fn title(&self) -> &str {
        &self.spec.title
    }

    /// The default goal of its boards.
    #[getter]
    fn goal(&self) -> Goal {
        Goal(self.own_goal())
    }

    /// The spec as TOML, which `Spec.parse` reads.
    fn to_toml(&self) -> &str {
        &self.spec.toml
    }

    fn __repr__(&self) -> String {
        format!("Spec('{}')", self.spec.name)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            (&self.spec.name, &self.spec.toml) == (&other.spec.name, &other.spec.toml)
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.spec.name, &self.spec.toml).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<PickleParts<'py>> {
        let Self { spec, is_shipped } = slf.get();
        if *is_shipped {
            return pickle_parts(slf, (&spec.name,));
        }
        let parse = slf.as_any().get_type().getattr("parse")?;
        Ok((parse, (&spec.name, &spec.toml).into_pyobject(slf.py())?))
    }

    fn _repr_svg_(&self) -> Result<String> {
        let plan = self.spec.for_goal(&self.own_goal())?;
        Ok(pictures::partition(&plan, &self.spec.name, &self.spec.title).to_svg(Theme::Auto))
    }
}

/// Returns the names of the specs that are shipped.
#[pyfunction]
pub(crate) fn spec_names() -> Vec<&'static str> {
    pdb_spec::builtin_names()
}
