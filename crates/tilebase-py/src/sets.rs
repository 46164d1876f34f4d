//! Boards that are made, and the names of heuristics.

use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use tilebase::pdb_lab::HeuristicName;
use tilebase::{
    BoardSet, Cancel, Error, GoalChoice, MadeBoard, Search, SetName, Tilebase, goal_name, letters,
};

use crate::arrays::{bytes_of, cells_of};
use crate::board::{Goal, GoalLike, Shape, ShapeLike};
use crate::errors::{self, Kind, raise};
use crate::handle::Handle;
use crate::wait;

/// Tiles of each board, and their optimal lengths, two bytes each, where making them told these.
type Made = (Goal, Py<PyByteArray>, Option<Py<PyByteArray>>);

/// The boards of a set: its goal, a byte a tile, and optimal lengths.
#[pyfunction]
#[pyo3(signature = (name, goal, shape, handle))]
pub(crate) fn made_boards(
    py: Python<'_>,
    name: &str,
    goal: Option<GoalLike>,
    shape: Option<ShapeLike>,
    handle: Option<&Handle>,
) -> PyResult<Made> {
    let name: SetName = name.parse().map_err(errors::of)?;
    let tables = match handle {
        Some(handle) => handle.open(py)?,
        None => Tilebase::builder().lazy_open().map_err(errors::of)?,
    };
    let shape = shape.map(|ShapeLike(shape)| shape);
    let choice = goal.map(|goal| goal.choice(shape)).transpose()?;
    if let Some(own) = name.goal() {
        check_own(&name, own, shape, choice.as_ref())?;
    }
    let drawn = choice.as_ref().and_then(GoalChoice::shape);
    let usual = Shape::of(4, 4)?;
    let shape = shape.or(drawn).or(tables.shape()).unwrap_or(usual);
    let goal = match (name.goal(), choice) {
        (Some(own), _) => Ok(own),
        (None, Some(choice)) => choice.goal(shape),
        (None, None) => tables.goal(shape),
    };
    let goal = goal.map_err(|error| errors::of(error.into()))?;
    let cancel = Cancel::new();
    let search = Search { cancel: cancel.clone(), ..tables.search().clone() };
    let make = move || {
        let made = name.make_with_search(&goal, &tables, &search)?;
        let goal = *made.goal();
        let boards = made.collect::<Result<Vec<MadeBoard>, Error>>()?;
        Ok((goal, boards))
    };
    let made = wait::work(py, &cancel, make)?;
    let (goal, boards) = made.map_err(errors::of)?;
    let cells = cells_of(boards.iter().map(|made| made.board));
    let optima: Option<Vec<u32>> = boards.iter().map(|made| made.optimum).collect();
    let optima = optima.filter(|_| !boards.is_empty());
    let optima = optima.map(|optima| bytes_of(py, optima, |length| (length as i16).to_le_bytes()));
    Ok((Goal(goal), PyByteArray::new(py, &cells).unbind(), optima))
}

/// The moves of random walks from the goal, a text for each board of the set `walk:STEPS:COUNT:SEED`.
#[pyfunction]
pub(crate) fn walk_moves(
    py: Python<'_>,
    goal: &Goal,
    steps: usize,
    count: usize,
    seed: u64,
) -> PyResult<Vec<String>> {
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
) -> PyResult<()> {
    let refuse = |message| Err(raise(Kind::Argument, message, None));
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

/// The names of the heuristics that need no spec.
#[pyfunction]
pub(crate) fn heuristic_names() -> Vec<&'static str> {
    HeuristicName::known()
}
