//! Names of specs, heuristics and goals.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::text::{BoardFormat, read_board};
use pdb_core::excerpt::{WORD_CHARS_MAX, excerpt};
use pdb_core::{Board, BoardError, Goal, Metric, Shape};
use pdb_lab::{EngineError, HeuristicName};
pub use pdb_spec::{Spec, SpecError};

use crate::error::Error;

/// Prefix of the names of generated specs.
const GENERATED: &str = "generated/";
/// Size limit of a spec or goal file, in bytes.
const TEXT_BYTES_MAX: u64 = 1 << 20;

/// Goal that boards lead to.
#[derive(Clone, Copy, Debug)]
pub enum GoalChoice {
    /// A goal for each shape: [`Goal::blank_last`], [`Goal::blank_first`] or [`Goal::snail`].
    Preset(fn(Shape) -> Goal),
    /// A goal for a single shape.
    Drawn(Goal),
}

/// Function that returns the goal for a shape.
type Preset = fn(Shape) -> Goal;

/// The named goals, the default one first.
const GOALS: [(&str, Preset); 3] =
    [("blank-last", Goal::blank_last), ("blank-first", Goal::blank_first), ("snail", Goal::snail)];

/// Returns a goal's name, or else the goal as a board.
pub fn goal_name(goal: &Goal) -> String {
    let is_named = |(_, preset): &&(&str, Preset)| preset(goal.shape()) == *goal;
    match GOALS.iter().find(is_named) {
        Some((name, _)) => (*name).to_owned(),
        None => goal.board().to_string(),
    }
}

/// Returns the names of the named goals that can be reached from a board.
pub fn goals_of(board: &Board) -> Vec<&'static str> {
    let leads_to = |preset: Preset| preset(board.shape()).check_solvable(board).is_ok();
    GOALS.iter().filter(|(_, preset)| leads_to(*preset)).map(|(name, _)| *name).collect()
}

impl GoalChoice {
    /// Returns the default goal of a spec: [`Goal::blank_last`] if the spec is shipped and a
    /// symmetry of the board leads to that goal, otherwise the goal that the spec draws.
    pub fn of_spec(spec: &Spec) -> Self {
        let usual = Goal::blank_last(spec.goal.shape());
        let is_shipped = !is_spec_file(&spec.name);
        let is_usual = is_shipped && spec.for_goal(&usual).is_ok();
        Self::Drawn(if is_usual { usual } else { spec.goal })
    }

    /// Returns the default goal of the specs in the name of a heuristic such as `max(my.toml,
    /// manhattan)`, if it has any.
    pub(crate) fn of_heuristic(name: &str) -> Option<Self> {
        let parts = name.split(['(', ',', ')']).map(|part| part.trim().to_owned());
        Self::of_heuristics(&parts.filter(|part| !part.is_empty()).collect::<Vec<_>>(), None).0
    }

    /// Returns the goal and the shape that the specs among names of heuristics have: the default
    /// goal of the first spec, and the first shape that a spec draws or a generated one names. A
    /// name that cannot be read is skipped; [`heuristics`] reports it. A name without a number of
    /// tiles is for boards of `shape`.
    pub fn of_heuristics(names: &[String], shape: Option<Shape>) -> (Option<Self>, Option<Shape>) {
        let (mut goal, mut drawn) = (None, None);
        for name in names {
            if let Ok(SpecChoice::Spec(spec)) = SpecChoice::read(name, shape.or(drawn)) {
                drawn = drawn.or(Some(spec.goal.shape()));
                goal = goal.or_else(|| Some(Self::of_spec(&spec)));
            }
        }
        (goal, drawn.or_else(|| names.iter().find_map(|name| generated_shape(name))))
    }

    /// Returns the preset goal of a name; `None` for other texts.
    pub fn preset(name: &str) -> Option<Self> {
        GOALS.iter().find(|(known, _)| *known == name).map(|(_, preset)| Self::Preset(*preset))
    }

    /// Reads the name of a preset goal (`blank-last`, `blank-first`, `snail`), a drawn goal, or the
    /// name of a file with one. A goal has the format, which may be a shape alone.
    ///
    /// # Errors
    /// [`Error::NoGoal`], [`Error::Goal`] or [`Error::File`] when the text is none of these.
    pub fn read(text: &str, format: impl Into<BoardFormat>) -> Result<Self, Error> {
        let format = format.into();
        if let Some(preset) = Self::preset(text) {
            return Ok(preset);
        }
        let problem = match read_board(text, format) {
            Ok(board) => return Ok(Self::Drawn(Goal::new(board))),
            Err(problem) => problem,
        };
        // A text that looks like a board is not a file name.
        let is_board = !text.contains(char::is_alphabetic)
            || text.contains(|c: char| c.is_whitespace() || ",;|[".contains(c));
        if is_board && !Path::new(text).exists() {
            return Err(Error::Goal { source: Box::new(problem.into()) });
        }
        let drawing = read_text(text).map_err(|error| match error {
            Error::Unreadable { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                Error::NoGoal { name: excerpt(text, WORD_CHARS_MAX) }
            }
            error => Error::Goal { source: error.into() },
        })?;
        let board = read_board(drawing.trim(), format).map_err(|problem| Error::File {
            path: text.into(),
            problem: format!("is no goal: {problem}"),
        })?;
        Ok(Self::Drawn(Goal::new(board)))
    }

    /// Returns the shape of a drawn goal; `None` for a preset goal.
    pub fn shape(&self) -> Option<Shape> {
        match self {
            Self::Preset(_) => None,
            Self::Drawn(goal) => Some(goal.shape()),
        }
    }

    /// Returns the goal for boards of a shape.
    ///
    /// # Errors
    /// [`BoardError::OtherShape`] when the goal is drawn for another shape.
    pub fn goal(&self, shape: Shape) -> Result<Goal, BoardError> {
        match self {
            Self::Preset(preset) => Ok(preset(shape)),
            Self::Drawn(goal) if goal.shape() == shape => Ok(*goal),
            Self::Drawn(goal) => {
                Err(BoardError::OtherShape { expected: goal.shape(), found: shape })
            }
        }
    }
}

/// Choice of a spec or heuristic for searches.
#[derive(Clone, Debug)]
pub enum SpecChoice {
    /// The best spec that the machine has room for.
    Best,
    /// A heuristic that every shape has, or a maximum of several.
    Heuristic(String),
    /// A spec's name without its number of tiles, such as `7-8`: the boards show the number. Or a
    /// spec that is generated for the boards.
    OfBoards(String),
    /// The tables of a spec.
    Spec(Box<Spec>),
    /// A heuristic that no text can name.
    Named(HeuristicName),
}

impl SpecChoice {
    /// Reads the name of a shipped spec or of a heuristic, or the path of a spec file, which ends
    /// in `.toml`. A spec's name without a number of tiles is for boards of `shape`; without
    /// `shape`, the number follows from the boards.
    ///
    /// # Errors
    /// [`Error::Spec`], [`Error::Engine`] or [`Error::File`] says what was expected.
    pub fn read(name: &str, shape: Option<Shape>) -> Result<Self, Error> {
        let name = name.trim();
        // A path may have the signs of heuristics: on Windows it begins with a drive, such as C:.
        let is_file = is_spec_file(name) && Path::new(name).exists();
        if !is_file
            && (HeuristicName::known(Metric::SingleTile).contains(&name)
                || name.contains(['(', ':', ',']))
        {
            // Reports an unreadable name before any board is read.
            let named = || name.find(GENERATED).and_then(|at| generated_shape(&name[at..]));
            heuristic(name, &Goal::blank_last(shape.or_else(named).unwrap_or_default()))?;
            return Ok(Self::Heuristic(name.to_owned()));
        }
        let is_whole = is_spec_file(name) || pdb_spec::builtin_names().contains(&name);
        if !is_whole && (!of_short_name(name).is_empty() || name.starts_with(GENERATED)) {
            // Reports an unknown spec before any board is read, if the shape is known.
            if let Some(shape) = shape {
                pdb_spec::spec_for(name, &Goal::blank_last(shape))?;
            }
            return Ok(Self::OfBoards(name.to_owned()));
        }
        let spec = load_spec(name).map_err(|error| match error {
            Error::Spec(SpecError::UnknownName { name, nearest }) => {
                let nearest = nearest_of(&name, nearest);
                SpecError::UnknownName { name, nearest }.into()
            }
            other => other,
        });
        Ok(Self::Spec(Box::new(spec?)))
    }

    /// Returns the heuristic for boards with a goal; `None` for the best tables.
    pub(crate) fn heuristic(&self, goal: &Goal) -> Result<Option<HeuristicName>, Error> {
        Ok(Some(match self {
            Self::Best => return Ok(None),
            Self::Heuristic(name) => heuristic(name, goal)?,
            Self::OfBoards(name) => HeuristicName::from(&pdb_spec::spec_for(name, goal)?),
            Self::Spec(spec) => HeuristicName::from(spec.as_ref()),
            Self::Named(name) => name.clone(),
        }))
    }

    /// Returns the shape that the spec draws; `None` for other choices.
    pub fn shape(&self) -> Option<Shape> {
        match self {
            Self::Spec(spec) => Some(spec.goal.shape()),
            _ => None,
        }
    }
}

/// Loads a shipped spec by its name, or a spec file by its path, which ends in `.toml`. A name may
/// omit the number of tiles if only one spec fits: `7-8` is `15/7-8`. A generated spec, such as
/// `generated/4x7/6-6-6-6-3`, is for [`Goal::blank_last`].
///
/// # Errors
/// [`Error::Spec`] when the spec does not exist or is wrong. [`Error::SeveralSpecs`] when a name
/// without a number of tiles fits several specs. [`Error::Unreadable`] or [`Error::File`] when the
/// file cannot be read.
pub fn load_spec(name: &str) -> Result<Spec, Error> {
    if is_spec_file(name) {
        return Ok(Spec::parse(name, &read_text(name)?)?);
    }
    if let Some(shape) = generated_shape(name) {
        return Ok(pdb_spec::spec_for(name, &Goal::blank_last(shape))?);
    }
    match &of_short_name(name)[..] {
        [full] => Ok(pdb_spec::builtin(full)?),
        [] => Ok(pdb_spec::builtin(name)?),
        found => Err(Error::SeveralSpecs { name: name.to_owned(), found: found.to_vec() }),
    }
}

/// Returns the shape in the name of a generated spec, such as `generated/4x7/6-6-6-6-3`.
pub fn generated_shape(name: &str) -> Option<Shape> {
    name.strip_prefix(GENERATED)?.split_once('/')?.0.parse().ok()
}

/// Reads the name of a heuristic for boards with a goal.
///
/// # Errors
/// [`Error::Engine`] says what was expected.
pub fn heuristic(name: &str, goal: &Goal) -> Result<HeuristicName, Error> {
    let heuristics = heuristics(name, goal)?;
    let [heuristic] = &heuristics[..] else {
        return Err(Error::SeveralHeuristics { name: name.to_owned(), found: heuristics.len() });
    };
    Ok(heuristic.clone())
}

/// Reads the names of heuristics, separated by commas.
///
/// # Errors
/// [`Error::Engine`] says what was expected.
pub fn heuristics(list: &str, goal: &Goal) -> Result<Vec<HeuristicName>, Error> {
    let problem = RefCell::new(None);
    let find = |name: &str| -> Option<Result<Spec, SpecError>> {
        if is_spec_file(name) {
            return match read_text(name) {
                Ok(text) => Some(Spec::parse(name, &text)),
                Err(error) => {
                    problem.borrow_mut().get_or_insert(error);
                    None
                }
            };
        }
        // An unknown name is reported with the names of heuristics.
        match pdb_spec::spec_for(name, goal) {
            Err(SpecError::UnknownName { .. } | SpecError::UnknownNameFor { .. }) => None,
            found => Some(found),
        }
    };
    #[cfg(not(feature = "net"))]
    let read = |_: &str| None;
    #[cfg(feature = "net")]
    let read = |name: &str| {
        read_net(name).unwrap_or_else(|error| {
            problem.borrow_mut().get_or_insert(error);
            None
        })
    };
    let names: Result<_, EngineError> = HeuristicName::parse_list(list, goal.shape(), &find, &read);
    match problem.into_inner() {
        // A name that is the path of a file cannot be another heuristic's.
        Some(error) => Err(error),
        None => Ok(names?),
    }
}

/// Returns the known name with the fewest edits: the nearest spec or a heuristic without tables,
/// unless the edits would change more than half of it.
fn nearest_of(name: &str, spec: Option<&'static str>) -> Option<&'static str> {
    let edit_count = |known: &&str| strsim::osa_distance(name, known);
    let is_near = |known: &&str| edit_count(known) <= known.len() / 2;
    let heuristics = HeuristicName::known(Metric::SingleTile).into_iter().filter(is_near);
    spec.into_iter().chain(heuristics).min_by_key(edit_count)
}

/// Returns the shipped specs with this name after their number of tiles.
fn of_short_name(name: &str) -> Vec<&'static str> {
    let is_short = |full: &&str| full.split_once('/').is_some_and(|(_, short)| short == name);
    pdb_spec::builtin_names().into_iter().filter(is_short).collect()
}

pub(crate) fn is_spec_file(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "toml")
}

/// Reads a file of weights that the caller names. A missing file is no error here: the caller
/// reports the name together with the embedded networks.
#[cfg(feature = "net")]
fn read_net(path: &str) -> Result<Option<Vec<u8>>, Error> {
    let mut bytes = Vec::new();
    let read = File::open(path)
        .and_then(|file| file.take(pdb_lab::networks::FILE_BYTES_MAX + 1).read_to_end(&mut bytes));
    match read {
        Ok(_) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Error::Unreadable { path: path.into(), source }),
    }
}

/// Reads a small text file that the caller names.
///
/// # Errors
/// [`Error::Unreadable`] when it cannot be read or is too long.
pub fn read_text(path: &str) -> Result<String, Error> {
    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(TEXT_BYTES_MAX + 1).read_to_string(&mut text))
        .map_err(|source| Error::Unreadable { path: path.into(), source })?;
    if text.len() as u64 > TEXT_BYTES_MAX {
        let problem = format!("is too long: at most {TEXT_BYTES_MAX} bytes are read");
        return Err(Error::File { path: path.into(), problem });
    }
    Ok(text)
}
