//! Handles of tables and drawn specs, by name.
//!
//! Requests cannot name files: names of spec files are refused. A spec that a client has drawn is
//! stored here, under a name derived from its text.

use std::sync::Arc;

use pdb_spec::Spec;
use tilebase::names::{GoalChoice, SpecChoice, generated_shape, load_spec};
use tilebase::text::BoardFormat;
use tilebase::{Error, Goal, Metric, Tilebase};

use crate::cache::Cache;
use crate::params::read_goal;
use crate::place::Place;
use crate::problem::Problem;

/// Number of cached handles. Each takes 16 MB for explanations of large boards.
const HANDLE_CAPACITY: usize = 16;
/// Number of stored specs that clients have drawn.
const DRAWN_CAPACITY: usize = 256;
/// Longest name of a spec, in bytes.
const NAME_BYTES_MAX: usize = 200;
/// Prefix of the names of drawn specs.
const DRAWN: &str = "drawn/";
/// Epoch of drawn specs, which depend on no tables.
const DRAWN_EPOCH: u64 = 0;

/// Key of a handle: spec and goal as given, and what counts as one move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct HandleKey {
    /// The spec or heuristic; without it, the best tables.
    pub spec: Option<String>,
    /// The goal; without it, the usual one.
    pub goal: Option<String>,
    /// Metric of lengths.
    pub metric: Metric,
}

/// Handles by spec and goal, and specs that clients have drawn.
#[derive(Debug)]
pub struct Catalogue {
    place: Arc<dyn Place>,
    handles: Cache<HandleKey, Tilebase>,
    drawn: Cache<String, Arc<str>>,
}

impl Catalogue {
    /// Creates a catalogue without handles and drawn specs.
    pub fn new(place: Arc<dyn Place>) -> Self {
        let (handles, drawn) = (Cache::new(HANDLE_CAPACITY), Cache::new(DRAWN_CAPACITY));
        Self { place, handles, drawn }
    }

    /// Returns the place of the tables.
    pub fn place(&self) -> &dyn Place {
        &*self.place
    }

    /// Returns the handle of a key. It builds no tables, and is opened anew if the tables of the
    /// place have changed.
    ///
    /// # Errors
    /// A [`Problem`] if the spec or the goal does not exist.
    pub fn handle(&self, key: &HandleKey) -> Result<Tilebase, Problem> {
        let epoch = self.place.epoch();
        self.handles.start_epoch(epoch);
        if let Some(handle) = self.handles.get(key) {
            return Ok(handle);
        }
        let mut builder = self.place.builder().metric(key.metric);
        if let Some(text) = &key.goal {
            builder = builder.goal(goal_choice(text)?);
        }
        if let Some(name) = &key.spec {
            builder = builder.choice(self.choice(name)?);
        }
        let handle = builder.lazy_open()?;
        self.handles.insert(epoch, key.clone(), handle.clone());
        Ok(handle)
    }

    /// Converts the error of a handle. Drops the handle, unless the error is about the board: the
    /// handle remembers tables that could not be opened, and they may exist the next time.
    pub fn problem(&self, key: &HandleKey, error: Error) -> Problem {
        if !matches!(error, Error::Text(_) | Error::Board(_)) {
            self.handles.remove(key);
        }
        error.into()
    }

    /// Stores a spec that a client has drawn, and names it.
    ///
    /// # Errors
    /// A [`Problem`] if the text is no spec.
    pub fn store(&self, text: &str) -> Result<Spec, Problem> {
        let digest = blake3::hash(text.as_bytes()).to_hex();
        let name = format!("{DRAWN}{}", &digest[..16]);
        let spec = Spec::parse(&name, text).map_err(Error::from)?;
        self.drawn.insert(DRAWN_EPOCH, name, text.into());
        Ok(spec)
    }

    /// Returns a spec by its name: a shipped one, one generated for the goal, or one that a client
    /// has drawn.
    ///
    /// # Errors
    /// A [`Problem`] if it does not exist, or has another goal.
    pub fn spec(&self, name: &str, goal: Option<&str>) -> Result<Spec, Problem> {
        check_name(name)?;
        let goal = goal.map(goal_choice).transpose()?;
        let goal_of = |shape| match goal {
            Some(choice) => choice.goal(shape).map_err(Error::from),
            None => Ok(Goal::blank_last(shape)),
        };
        if let Some(shape) = generated_shape(name) {
            return Ok(pdb_spec::spec_for(name, &goal_of(shape)?).map_err(Error::from)?);
        }
        let spec = if name.starts_with(DRAWN) {
            let toml = self.drawn.get(&name.to_owned()).ok_or_else(|| unknown_drawn(name))?;
            Spec::parse(name, &toml).map_err(Error::from)?
        } else {
            load_spec(name)?
        };
        if goal.is_some() {
            spec.for_goal(&goal_of(spec.goal.shape())?).map_err(Error::from)?;
        }
        Ok(spec)
    }

    fn choice(&self, name: &str) -> Result<SpecChoice, Problem> {
        check_name(name)?;
        if name.starts_with(DRAWN) {
            return Ok(SpecChoice::Spec(Box::new(self.spec(name, None)?)));
        }
        Ok(SpecChoice::read(name, None)?)
    }
}

/// Rejects names of files, and names that are too long.
fn check_name(name: &str) -> Result<(), Problem> {
    if name.len() > NAME_BYTES_MAX {
        return Err(Problem::bad(format!(
            "the name of the spec has {} bytes: expected at most {NAME_BYTES_MAX}",
            name.len()
        )));
    }
    if name.to_ascii_lowercase().contains(".toml") {
        return Err(Problem::bad(
            "a request cannot name a spec file: send its text with POST /v1/specs, which names it",
        ));
    }
    if name.contains("net:") {
        return Err(Problem::bad(
            "networks are not served: their answers are not proved and may need much memory; name a spec or \
             another heuristic",
        ));
    }
    Ok(())
}

fn unknown_drawn(name: &str) -> Problem {
    Problem::new(
        404,
        format!(
            "{name} does not exist, or is no longer stored: send its text with POST /v1/specs again"
        ),
    )
}

/// Reads a goal: a name, or a board.
fn goal_choice(text: &str) -> Result<GoalChoice, Problem> {
    if let Some(preset) = GoalChoice::preset(text) {
        return Ok(preset);
    }
    read_goal(text, BoardFormat::default()).map(|board| GoalChoice::Drawn(Goal::new(board)))
}
