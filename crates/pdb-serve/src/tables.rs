//! Handles of tables, by the names that requests give.
//!
//! A request names a spec and a goal. Neither may lead to a file: names of spec files are refused, and a
//! spec that a client drew is kept here, under a name made of its text.

use std::sync::Arc;

use pdb_core::notation::read_board;
use pdb_spec::Spec;
use tilebase::{Error, Goal, GoalChoice, Search, Shape, SpecChoice, Tilebase, load_spec};

use crate::memory::Remembered;
use crate::params::read_shape;
use crate::problem::Problem;
use crate::settings::Settings;

/// So many handles are open at once. Explanations of large boards take 16 MB in each.
const HANDLES_MAX: usize = 16;
/// So many specs that clients drew are kept.
const DRAWN_MAX: usize = 256;
/// The longest name of a spec, in bytes.
const NAME_BYTES_MAX: usize = 200;
/// The longest text of a goal, in bytes: answers are remembered by it.
const GOAL_BYTES_MAX: usize = 1000;
/// What the names of drawn specs begin with.
const DRAWN: &str = "drawn/";
/// What the names of specs begin with that a rule draws for a goal.
const GENERATED: &str = "generated/";

/// What a handle is known by: spec and goal as they were named.
type Key = (Option<String>, Option<String>);

/// All handles, and the specs that clients drew.
#[derive(Debug)]
pub(crate) struct Tables {
    settings: Arc<Settings>,
    handles: Remembered<Key, Tilebase>,
    drawn: Remembered<String, Arc<str>>,
}

/// A spec that a request named.
#[derive(Clone, Debug)]
pub(crate) struct NamedSpec {
    pub(crate) spec: Spec,
    /// The text that it was drawn by.
    pub(crate) toml: String,
}

impl Tables {
    pub(crate) fn new(settings: &Arc<Settings>) -> Self {
        let (handles, drawn) = (Remembered::new(HANDLES_MAX), Remembered::new(DRAWN_MAX));
        Self { settings: Arc::clone(settings), handles, drawn }
    }

    /// The handle for a spec and a goal. It builds nothing.
    ///
    /// # Errors
    /// A [`Problem`] when there is no such spec or goal.
    pub(crate) fn handle(
        &self,
        spec: Option<&str>,
        goal: Option<&str>,
    ) -> Result<Tilebase, Problem> {
        let key = (spec.map(str::to_owned), goal.map(str::to_owned));
        if let Some(handle) = self.handles.get(&key) {
            return Ok(handle);
        }
        let era = self.handles.era();
        let search = Search { thread_count: self.settings.thread_count, ..Search::default() };
        let mut builder = Tilebase::builder()
            .folder(&self.settings.folder)
            .memory(self.settings.memory)
            .search(search);
        if let Some(text) = goal {
            builder = builder.goal(goal_choice(text)?);
        }
        if let Some(name) = spec {
            builder = builder.choice(self.choice(name)?);
        }
        if self.settings.trusts_tables {
            builder = builder.trust_tables();
        }
        let handle = builder.lazy_open()?;
        self.handles.put(era, key, handle.clone());
        Ok(handle)
    }

    /// Why the handle for a spec and a goal has no answer. It is forgotten, unless the board alone is to
    /// blame: it remembers what could not be opened, which may be there the next time.
    pub(crate) fn problem(&self, spec: Option<&str>, goal: Option<&str>, error: Error) -> Problem {
        if !matches!(error, Error::Text(_) | Error::Board(_)) {
            self.handles.forget(&(spec.map(str::to_owned), goal.map(str::to_owned)));
        }
        error.into()
    }

    /// Forgets all handles: other tables are there now.
    pub(crate) fn forget_all(&self) {
        self.handles.clear();
    }

    /// Keeps a spec that a client drew, and gives its name.
    ///
    /// # Errors
    /// A [`Problem`] when the text is no spec.
    pub(crate) fn keep(&self, text: &str) -> Result<NamedSpec, Problem> {
        let digest = blake3::hash(text.as_bytes()).to_hex();
        let name = format!("{DRAWN}{}", &digest[..16]);
        let spec = Spec::parse(&name, text).map_err(Error::from)?;
        self.drawn.put(self.drawn.era(), name, text.into());
        Ok(NamedSpec { spec, toml: text.to_owned() })
    }

    /// A shipped spec, one that a rule draws for the goal, or one that a client drew.
    ///
    /// # Errors
    /// A [`Problem`] when there is none, or when it does not lead to the goal.
    pub(crate) fn spec(&self, name: &str, goal: Option<&str>) -> Result<NamedSpec, Problem> {
        check_name(name)?;
        let goal = goal.map(goal_choice).transpose()?;
        let goal_of = |shape| match goal {
            Some(choice) => choice.goal(shape).map_err(Error::from),
            None => Ok(Goal::blank_last(shape)),
        };
        if let Some(shape) = generated_shape(name) {
            let spec = pdb_spec::spec_for(name, &goal_of(shape)?).map_err(Error::from)?;
            let toml = spec.to_toml();
            return Ok(NamedSpec { spec, toml });
        }
        let (spec, toml) = if name.starts_with(DRAWN) {
            let toml = self.drawn.get(&name.to_owned()).ok_or_else(|| unknown_drawn(name))?;
            (Spec::parse(name, &toml).map_err(Error::from)?, toml.to_string())
        } else {
            let spec = load_spec(name)?;
            let toml = spec.to_toml();
            (spec, toml)
        };
        if goal.is_some() {
            spec.for_goal(&goal_of(spec.goal.shape())?).map_err(Error::from)?;
        }
        Ok(NamedSpec { spec, toml })
    }

    fn choice(&self, name: &str) -> Result<SpecChoice, Problem> {
        check_name(name)?;
        if name.starts_with(DRAWN) {
            return Ok(SpecChoice::Spec(Box::new(self.spec(name, None)?.spec)));
        }
        Ok(SpecChoice::read(name, None)?)
    }
}

/// Refuses what names a file, or is no name.
fn check_name(name: &str) -> Result<(), Problem> {
    if name.len() > NAME_BYTES_MAX {
        return Err(Problem::bad(format!(
            "the name of the spec has {} bytes: expected at most {NAME_BYTES_MAX}",
            name.len()
        )));
    }
    if name.to_ascii_lowercase().contains(".toml") {
        return Err(Problem::bad(
            "a spec file has no place in a request: post its text to /v1/specs, which gives it a name",
        ));
    }
    if name.contains("net:") {
        return Err(Problem::bad(
            "networks are not served: their answers are not proved, and may take much memory; name a spec \
             or another heuristic",
        ));
    }
    Ok(())
}

/// The shape in a name such as `generated/4x7/6-6-6-6-3`.
fn generated_shape(name: &str) -> Option<Shape> {
    let (shape, _) = name.strip_prefix(GENERATED)?.split_once('/')?;
    read_shape(shape)
}

fn unknown_drawn(name: &str) -> Problem {
    Problem::new(
        axum::http::StatusCode::NOT_FOUND,
        format!("{name} is not known, or was forgotten since: post its text to /v1/specs again"),
    )
}

/// A goal by its name, or drawn.
fn goal_choice(text: &str) -> Result<GoalChoice, Problem> {
    match text {
        "blank-last" => Ok(GoalChoice::Preset(Goal::blank_last)),
        "blank-first" => Ok(GoalChoice::Preset(Goal::blank_first)),
        "snail" => Ok(GoalChoice::Preset(Goal::snail)),
        drawn if drawn.len() > GOAL_BYTES_MAX => Err(Problem::bad(format!(
            "the goal has {} bytes: expected at most {GOAL_BYTES_MAX}",
            drawn.len()
        ))),
        drawn => match read_board(drawn, None) {
            Ok(board) => Ok(GoalChoice::Drawn(Goal::new(board))),
            Err(problem) => Err(Problem::bad(format!(
                "the goal: {problem}; expected blank-last, blank-first, snail, or a board"
            ))),
        },
    }
}
