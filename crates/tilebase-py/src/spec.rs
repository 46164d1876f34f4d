//! Drawn partitions.

use pdb_draw::{Theme, pictures};
use pyo3::prelude::*;
use tilebase::{GoalChoice, SpecListing, load_spec, pdb_spec};

use crate::board::{Goal, Reduced, reduced};
use crate::errors::{self, Kind, raise};
use crate::files::folder_of;

/// A drawn goal, and which tables a board is looked up in.
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
    /// The text that it was read from, if it is not shipped.
    text: Option<String>,
}

impl Spec {
    /// The goal of its boards, if nobody says otherwise.
    pub(crate) fn own_goal(&self) -> tilebase::Goal {
        match (&self.text, GoalChoice::of_spec(&self.spec)) {
            (None, GoalChoice::Drawn(goal)) => goal,
            _ => self.spec.goal,
        }
    }
}

fn problem(error: pdb_spec::SpecError) -> PyErr {
    errors::of(error.into())
}

#[pymethods]
impl Spec {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        let spec = load_spec(name).map_err(errors::of)?;
        let is_file = pdb_spec::builtin(&spec.name).is_err();
        let text = is_file.then(|| spec.to_toml());
        Ok(Self { spec, text })
    }

    /// Reads a spec that is written in TOML; `name` is what it is called.
    #[staticmethod]
    fn parse(name: &str, text: &str) -> PyResult<Self> {
        let spec = pdb_spec::Spec::parse(name, text).map_err(problem)?;
        Ok(Self { spec, text: Some(text.to_owned()) })
    }

    /// What it is called.
    #[getter]
    fn name(&self) -> &str {
        &self.spec.name
    }

    /// One line that says what it is.
    #[getter]
    fn title(&self) -> &str {
        &self.spec.title
    }

    /// The goal that boards are solved to, if nobody names another one.
    #[getter]
    fn goal(&self) -> Goal {
        Goal(self.own_goal())
    }

    /// The spec as TOML, which `Spec.parse` reads.
    fn to_toml(&self) -> String {
        self.text.clone().unwrap_or_else(|| self.spec.to_toml())
    }

    /// What it is, how large its tables are and which of them are in the folder, as JSON.
    #[pyo3(signature = (folder=None))]
    fn _listing(&self, folder: Option<std::path::PathBuf>) -> PyResult<String> {
        let listing = SpecListing::of(&self.spec, &folder_of(folder)?);
        let listing = listing.map_err(errors::of_build)?;
        serde_json::to_string(&listing).map_err(|error| raise(Kind::Other, error.to_string(), None))
    }

    fn __repr__(&self) -> String {
        format!("Spec('{}')", self.spec.name)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            (&self.spec.name, self.to_toml()) == (&other.spec.name, other.to_toml())
        })
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (&self.spec.name, self.to_toml()).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let Self { spec, text } = slf.get();
        match text {
            None => reduced(slf, (&spec.name,)),
            Some(text) => {
                let parse = slf.as_any().get_type().getattr("parse")?;
                Ok((parse, (&spec.name, text).into_pyobject(slf.py())?))
            }
        }
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        let plan = self.spec.for_goal(&self.own_goal()).map_err(problem)?;
        Ok(pictures::partition(&plan, &self.spec.name, &self.spec.title).to_svg(Theme::Auto))
    }
}

/// The names of the specs that are shipped.
#[pyfunction]
pub(crate) fn spec_names() -> Vec<&'static str> {
    pdb_spec::builtin_names()
}
