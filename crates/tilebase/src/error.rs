//! Why something cannot be done.

use std::io;
use std::path::PathBuf;

use pdb_core::{Board, BoardError, Shape};
#[cfg(feature = "build")]
use pdb_gen::GenError;
use pdb_lab::EngineError;
use pdb_rt::OpenError;
use pdb_search::SearchError;
#[cfg(feature = "build")]
use pdb_search::packets::LedgerError;
use pdb_spec::SpecError;
use thiserror::Error;

use crate::sets::Window;
#[cfg(feature = "build")]
use crate::shelf::Shortage;
use crate::text::BoardTextError;

/// Why something cannot be done.
///
/// A board without a solution and a limit that was hit are answers, not errors: see
/// [`Status`](crate::Status).
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A board that does not fit spec or goal.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A text that is no board; it can point at the cell that is wrong.
    #[error(transparent)]
    Text(#[from] BoardTextError),
    /// A word that names no boards at all.
    #[error("{0}; nor is there a file or a set of boards with this name")]
    NoBoards(BoardTextError),
    /// A text among many that is no board.
    #[error("{}{problem}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
    Invalid {
        /// The text, as much of it as is worth showing, without control characters.
        text: String,
        /// The line that it stands on, from 1, where it comes from a file.
        line: Option<u64>,
        /// The error.
        problem: String,
    },
    /// A board among many for which there is nothing to search with.
    #[error("{problem}")]
    NoEngine {
        /// The board.
        board: Board,
        /// Why not.
        problem: Box<Self>,
    },
    /// An error of one of several boards.
    #[error("board {place}: {problem}")]
    OfMany {
        /// Its place among them, from 0.
        place: usize,
        /// The error.
        problem: Box<Self>,
    },
    /// A shape with more boards than are kept in memory at once.
    #[error(
        "the distances of all {shape} boards would be {} numbers: there are lists for boards of up to \
         {cells_max} cells; solve those that you need", shape.arrangement_count()
    )]
    TooManyBoards {
        /// The shape.
        shape: Shape,
        /// The most cells of boards that are all listed.
        cells_max: usize,
    },
    /// The caller cancelled.
    #[error("interrupted")]
    Interrupted,
    /// A file that the caller names and that cannot be opened.
    #[error("cannot read {}: {source}; check the path", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Boards that cannot be read any further.
    #[error("cannot read {name}: {source}")]
    Input {
        /// The file.
        name: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A spec that cannot be used.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A spec's name without its number of tiles that several shipped specs have.
    #[error("\"{name}\" names several specs, {}: name one of them", found.join(", "))]
    SeveralSpecs {
        /// The name.
        name: String,
        /// The specs.
        found: Vec<&'static str>,
    },
    /// A name that is neither that of a table's file nor that of a spec.
    #[error(
        "there is no file and no spec \"{name}\"{}: expected a .pdb file, a .toml file or a shipped \
         spec, which `tilebase specs` lists",
        nearest.map(|name| format!(" (did you mean {name}?)")).unwrap_or_default()
    )]
    NoTable {
        /// The name.
        name: String,
        /// The spec that was probably meant.
        nearest: Option<&'static str>,
    },
    /// A table of a spec that is not there.
    #[error("{} is missing: build it first with `tilebase build {spec}`", path.display())]
    MissingTable {
        /// The table's file.
        path: PathBuf,
        /// The spec.
        spec: String,
    },
    /// A table of a spec that is not among those that take the folder's place.
    #[error(
        "{name} needs the table {table}, which is not among those that were given: give it too"
    )]
    NotGiven {
        /// The spec or heuristic.
        name: String,
        /// The name that the table's file has.
        table: String,
    },
    /// A heuristic that cannot be rated without its tables.
    #[error("{name} cannot be rated without tables: {problem}")]
    NoSample {
        /// The spec or heuristic.
        name: String,
        /// Why not, and what to do.
        problem: String,
    },
    /// A rating or a search for partitions with options that do not work.
    #[error("{problem}")]
    Rate {
        /// Why not, and what to do.
        problem: String,
    },
    /// A heuristic or a search that there is not.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A name for several heuristics where one is asked for.
    #[error("{name:?} names {found} heuristics: name one")]
    SeveralHeuristics {
        /// The name.
        name: String,
        /// How many it names.
        found: usize,
    },
    /// A set of boards that there is not.
    #[error("{found:?} is no set of boards: {expected}")]
    Set {
        /// The text.
        found: String,
        /// The expectation.
        expected: &'static str,
    },
    /// A text that is no window of lengths.
    #[error(
        "{found:?} is no window of lengths: expected the least and the greatest number of moves, such as \
         20..25, or one number"
    )]
    Lengths {
        /// The text.
        found: String,
    },
    /// A window of lengths that no board has.
    #[error(
        "no board needs {} moves to {goal}: the greatest distance of any {} board is {greatest}",
        window.first(), goal.shape()
    )]
    Window {
        /// The window.
        window: Window,
        /// The goal.
        goal: Board,
        /// The greatest distance from it.
        greatest: u32,
    },
    /// A window of lengths that no board was found in.
    #[error(
        "no board was found that needs {window} moves to {goal}: {tried}; try a window nearer to the \
         lengths of most boards"
    )]
    NotFound {
        /// The window.
        window: Window,
        /// The goal.
        goal: Board,
        /// The attempts.
        tried: String,
    },
    /// A goal whose hardest boards are not known.
    #[error(
        "the hardest boards of {goal} are not known: they are for up to 10 cells and, with the blank \
         in a corner at the goal, for {} and these turned",
        known.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    )]
    NoHardest {
        /// The goal.
        goal: Board,
        /// The shapes that have a list of them.
        known: Vec<Shape>,
    },
    /// A file that the caller names and that cannot be used.
    #[error("{} {problem}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The fault of the file, and what to do.
        problem: String,
    },
    /// A goal that is neither a preset, nor drawn, nor a file.
    #[error("{source}, or name blank-last, blank-first or snail, or draw the goal")]
    Goal {
        /// The error of the text as a file name.
        source: Box<Self>,
    },
    /// The folder of the tables is not known.
    #[error("{problem}: say where the tables are, by TILEBASE_DB or by name")]
    NoFolder {
        /// The error of the system.
        problem: String,
    },
    /// Tables that cannot be used, or are missing and may not be built.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Tables that the memory or the disk has no room for.
    #[cfg(feature = "build")]
    #[error(transparent)]
    NoRoom(#[from] Box<Shortage>),
    /// A table that cannot be built, or a file that cannot be written.
    #[cfg(feature = "build")]
    #[error(transparent)]
    Build(#[from] GenError),
    /// A search without an answer.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The error of an earlier board of this kind, which is not tried again.
    #[error("{0}")]
    Again(String),
    /// A table whose payload is damaged, or that was cut short or written to while it was searched.
    #[error(
        "{0}. What was found with it would mean nothing, so it is left out; what was answered before is \
         right"
    )]
    Damaged(OpenError),
    /// A checkpoint that cannot be resumed.
    #[error("{}: {problem}", path.display())]
    Checkpoint {
        /// The checkpoint.
        path: PathBuf,
        /// The error, and what to do.
        problem: String,
    },
    /// A checkpoint of another search.
    #[cfg(feature = "build")]
    #[error(
        "{} is a checkpoint of another search and was left as it is: name another --checkpoint, or \
         search as it says: {source}", path.display()
    )]
    OtherSearch {
        /// The checkpoint.
        path: PathBuf,
        /// The difference.
        source: LedgerError,
    },
    /// Others who should search too, and cannot.
    #[error("{problem}")]
    Crew {
        /// The machine, the reason, and what to do.
        problem: String,
    },
    /// The system starts no more threads.
    #[error(
        "cannot start a thread: {source}; raise the limit on processes (ulimit -u) or on memory"
    )]
    Threads {
        /// The error of the operating system.
        source: io::Error,
    },
    /// A checkpoint that another run writes.
    #[error("{} is in use by another run: wait for it, or name another file", path.display())]
    InUse {
        /// The checkpoint.
        path: PathBuf,
    },
}

impl Error {
    /// Whether the caller asked for something that there is not, as opposed to work that failed.
    pub fn is_usage(&self) -> bool {
        if let Self::OfMany { problem, .. } = self {
            return problem.is_usage();
        }
        matches!(
            self,
            Self::Board(_)
                | Self::TooManyBoards { .. }
                | Self::Text(_)
                | Self::NoBoards(_)
                | Self::Invalid { .. }
                | Self::Spec(_)
                | Self::Engine(_)
                | Self::NoSample { .. }
                | Self::Rate { .. }
                | Self::SeveralSpecs { .. }
                | Self::NoTable { .. }
                | Self::SeveralHeuristics { .. }
                | Self::Set { .. }
                | Self::Lengths { .. }
                | Self::Window { .. }
                | Self::NoHardest { .. }
                | Self::File { .. }
                | Self::Unreadable { .. }
                | Self::Goal { .. }
                | Self::NoFolder { .. }
                | Self::InUse { .. }
        )
    }

    /// The error as a terminal shows it: on several lines, with the place marked, where that helps.
    pub fn drawing(&self) -> String {
        match self {
            Self::Text(error) => error.drawing(),
            Self::NoBoards(error) => format!(
                "{}\nnor is there a file or a set of boards with this name",
                error.drawing()
            ),
            other => other.to_string(),
        }
    }

    /// The message for users of a program in which more memory is given with `memory`, and another
    /// folder of tables with `folder`; [`Display`](std::fmt::Display) names the options of the
    /// command line.
    #[cfg_attr(
        not(feature = "build"),
        allow(clippy::only_used_in_recursion, reason = "only what is built needs room")
    )]
    pub fn message(&self, memory: &str, folder: &str) -> String {
        match self {
            #[cfg(feature = "build")]
            Self::NoRoom(problem) => problem.message(memory, folder),
            #[cfg(feature = "build")]
            Self::Build(problem) => problem.message(folder),
            Self::NoEngine { problem, .. } => problem.message(memory, folder),
            Self::OfMany { place, problem } => {
                format!("board {place}: {}", problem.message(memory, folder))
            }
            other => other.to_string(),
        }
    }

    /// Whether it is the end of cancelled work.
    pub(crate) fn is_interrupted(&self) -> bool {
        match self {
            Self::Interrupted => true,
            #[cfg(feature = "build")]
            Self::Build(GenError::Interrupted | GenError::Paused { .. }) => true,
            _ => false,
        }
    }

    /// Whether it concerns one board of many, so that the others can be answered.
    pub fn is_of_board(&self) -> bool {
        matches!(
            self,
            Self::Board(_) | Self::Text(_) | Self::Invalid { .. } | Self::NoEngine { .. }
        )
    }
}
