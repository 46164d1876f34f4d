//! Sets of boards, and the names of heuristics and searches.

use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use tilebase::names::{GoalChoice, goal_name};
use tilebase::pdb_lab::{HeuristicName, SearchName};
use tilebase::sets::{BoardSet, SetBoard, SetName};
use tilebase::text::letters;
use tilebase::{Cancel, Error, Metric, Search, Tilebase};

use crate::arrays::{bytes_of, cells_of};
use crate::board::{Goal, GoalLike, ShapeLike};
use crate::errors::{ErrorClass, Result, raise};
use crate::handle::Handle;
use crate::wait;

/// The goal of a set, the tiles of its boards, and their optimal lengths, two bytes each, if the
/// set knows them.
type BoardSetParts = (Goal, Py<PyByteArray>, Option<Py<PyByteArray>>);

/// Makes the boards of a set.
#[pyfunction]
pub(crate) fn make_boards(
    py: Python<'_>,
    name: &str,
    goal: Option<GoalLike>,
    shape: Option<ShapeLike>,
    handle: Option<&Handle>,
) -> Result<BoardSetParts> {
    let name: SetName = name.parse()?;
    let tables = match handle {
        Some(handle) => handle.open(py)?,
        None => Tilebase::builder().lazy_open()?,
    };
    let shape = shape.map(|ShapeLike(shape)| shape);
    let choice = goal.map(|goal| goal.choice(shape)).transpose()?;
    if let Some(own) = name.goal() {
        check_own(&name, own, shape, choice.as_ref())?;
    }
    let goal = name.goal_for(shape, choice, &tables)?;
    let cancel = Cancel::new();
    let search = Search { cancel: cancel.clone(), ..tables.search().clone() };
    let make = move || {
        let made = name.make(&goal, &tables, &search)?;
        let goal = *made.goal();
        let boards = made.collect::<Result<Vec<SetBoard>, Error>>()?;
        Ok::<_, Error>((goal, boards))
    };
    let (goal, boards) = wait::work(py, &cancel, make)??;
    let cells = cells_of(boards.iter().map(|made| made.board));
    let optima: Option<Vec<u32>> = boards.iter().map(|made| made.optimum).collect();
    let optima = optima.filter(|_| !boards.is_empty());
    let optima = optima.map(|optima| bytes_of(py, optima, |length| (length as i16).to_le_bytes()));
    Ok((Goal(goal), PyByteArray::new(py, &cells).unbind(), optima))
}

/// Returns the moves of random walks from the goal, a text for each board of the set
/// `walk:STEPS:COUNT:SEED`.
#[pyfunction]
pub(crate) fn walk_moves(
    py: Python<'_>,
    goal: &Goal,
    steps: usize,
    count: usize,
    seed: u64,
) -> Result<Vec<String>> {
    let (goal, cancel) = (goal.0, Cancel::new());
    let stop = cancel.clone();
    let make = move || {
        let walks = BoardSet::walk_moves(&goal, steps, seed).take(count);
        walks.take_while(|_| !stop.is_cancelled()).map(|moves| letters(&moves)).collect()
    };
    wait::work(py, &cancel, make)
}

/// Refuses another shape or goal for a set that has its own.
fn check_own(
    name: &SetName,
    own: tilebase::Goal,
    shape: Option<tilebase::Shape>,
    choice: Option<&GoalChoice>,
) -> Result<()> {
    let refuse = |message| Err(raise(ErrorClass::ArgumentError, message));
    if let Some(found) = shape.filter(|shape| *shape != own.shape()) {
        let own = own.shape();
        return refuse(format!("{name} has {own} boards, found the shape {found}: leave it out"));
    }
    match choice.map(|choice| choice.goal(own.shape())) {
        Some(found) if found != Ok(own) => {
            let (own, found) = (goal_name(&own), found.map(|goal| goal_name(&goal)));
            let found = found.unwrap_or_else(|_| "one of another shape".into());
            refuse(format!("{name} has the goal {own}, found the goal {found}: leave it out"))
        }
        _ => Ok(()),
    }
}

/// Returns the names of all searches.
#[pyfunction]
pub(crate) fn search_names() -> Vec<&'static str> {
    SearchName::all().map(SearchName::name).collect()
}

/// Returns the names of the heuristics that need no spec.
#[pyfunction]
pub(crate) fn heuristic_names() -> Vec<&'static str> {
    HeuristicName::known(Metric::SingleTile)
}
