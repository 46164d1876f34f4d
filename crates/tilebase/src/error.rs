//! Errors of the library.

use std::io;
use std::path::PathBuf;

use pdb_core::{Board, BoardError, Metric, RootError, Shape};
#[cfg(feature = "build")]
use pdb_gen::GenError;
use pdb_lab::EngineError;
use pdb_rt::OpenError;
use pdb_search::SearchError;
#[cfg(feature = "build")]
use pdb_search::packets::LedgerError;
use pdb_spec::SpecError;
use thiserror::Error;

use crate::remedy::Remedy;
#[cfg(feature = "build")]
use crate::shortage::Shortage;
use crate::text::{BoardTextError, ImpossibleMoves, TextErrorKind};

/// End of the message about a word that names no boards.
const NO_SET: &str = "nor is there a file or a set of boards with this name; sets are random:N:SEED, \
    walk:STEPS:N:SEED, optimum:LO..HI:N:SEED, hardest, korf100 and korf50";

/// Error of the library: why a request cannot be fulfilled.
///
/// A board without a solution and a limit that was hit are answers, not errors: see
/// [`Status`](crate::Status).
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A board that does not fit the spec or the goal.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A text that is not a board; the error can mark the wrong cell.
    #[error(transparent)]
    Text(#[from] BoardTextError),
    /// A word that names no boards.
    #[error("{0}; {NO_SET}")]
    NoBoards(BoardTextError),
    /// A text among many that is not a board.
    #[error("{}{problem}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
    Invalid {
        /// The text, cut short, without control characters.
        text: String,
        /// The line of the text, counted from 1, if it comes from a file.
        line: Option<u64>,
        /// The error.
        problem: String,
        /// Its remedy.
        remedy: Option<Remedy>,
    },
    /// A board among many that no heuristic or table can search.
    #[error("{problem}")]
    NoEngine {
        /// The board.
        board: Board,
        /// The reason.
        problem: Box<Self>,
    },
    /// The error of one of several boards.
    #[error("board {place}: {problem}")]
    OfMany {
        /// Position of the board among them, counted from 0.
        place: usize,
        /// The error.
        problem: Box<Self>,
    },
    /// Moves that a board does not allow.
    #[error(transparent)]
    Moves(#[from] ImpossibleMoves),
    /// A shape with too many boards to list in memory.
    #[error(
        "the distances of all {shape} boards would be {} numbers: lists are limited to boards of up to \
         {cells_max} cells; solve the boards that you need", shape.arrangement_count()
    )]
    TooManyBoards {
        /// The shape.
        shape: Shape,
        /// Largest number of cells of a shape whose boards can be listed.
        cells_max: usize,
    },
    /// The caller cancelled.
    #[error("interrupted")]
    Interrupted,
    /// A file named by the caller that cannot be opened.
    #[error("cannot read {}: {source}; check the path", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// An error while boards were being read from a file.
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
    /// A spec's name without its number of tiles, which several shipped specs have.
    #[error("\"{name}\" names several specs, {}: name one of them", found.join(", "))]
    SeveralSpecs {
        /// The name.
        name: String,
        /// The specs with this name.
        found: Vec<&'static str>,
    },
    /// A name that is neither a table's file nor a spec.
    #[error(
        "there is no file and no spec \"{name}\"{}: expected a .pdb file, a .toml file or a shipped \
         spec",
        nearest.map(|name| format!(" (did you mean {name}?)")).unwrap_or_default()
    )]
    NoTable {
        /// The name.
        name: String,
        /// The spec with the nearest name.
        nearest: Option<&'static str>,
    },
    /// A table of a spec that does not exist.
    #[error("{} is missing", path.display())]
    MissingTable {
        /// The table's file.
        path: PathBuf,
        /// The spec.
        spec: String,
    },
    /// A table of a spec that is not among the tables in memory.
    #[error(
        "{name} needs the table {table}, which is not among those that were given: give it too"
    )]
    NotGiven {
        /// The spec or heuristic.
        name: String,
        /// The name of the table's file.
        table: String,
    },
    /// Invalid options of a rating or of a search for partitions, or a heuristic that cannot be
    /// rated without its tables.
    #[error("{problem}")]
    Rate {
        /// The reason, and what to do.
        problem: String,
    },
    /// An unknown heuristic or search.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A name of several heuristics where one is expected.
    #[error("{name:?} names {found} heuristics: name one")]
    SeveralHeuristics {
        /// The name.
        name: String,
        /// Number of heuristics that it names.
        found: usize,
    },
    /// An unknown set of boards.
    #[error("{found:?} is no set of boards: {expected}")]
    Set {
        /// The text.
        found: String,
        /// The expected form.
        expected: &'static str,
    },
    /// A text that is not a window of lengths.
    #[error(
        "{found:?} is no window of lengths: expected the least and the greatest number of moves, such as \
         20..25, or one number"
    )]
    Lengths {
        /// The text.
        found: String,
    },
    /// A window of lengths that contains no distance of any board.
    #[error(
        "no board needs {shortest} {}s to {goal}: the greatest distance of any {} board is {greatest}",
        metric.noun(), goal.shape()
    )]
    Window {
        /// Metric of the lengths.
        metric: Metric,
        /// The smallest number of moves that was asked for.
        shortest: u32,
        /// The goal.
        goal: Board,
        /// The greatest distance from the goal.
        greatest: u32,
    },
    /// A window of lengths in which no board was found.
    #[error(
        "no board was found that needs {lengths} {}s to {goal}: {tried}; try a window nearer to the \
         lengths of most boards",
        metric.noun()
    )]
    NotFound {
        /// The window, as text.
        lengths: String,
        /// The metric of the lengths.
        metric: Metric,
        /// The goal.
        goal: Board,
        /// The attempted action.
        tried: String,
    },
    /// A goal whose hardest boards are unknown.
    #[error(
        "the hardest boards of {goal} are not known: they are known for up to 10 cells{}",
        listed(known)
    )]
    NoHardest {
        /// The goal.
        goal: Board,
        /// The shapes whose hardest boards are listed in the metric.
        known: Vec<Shape>,
    },
    /// A file named by the caller that cannot be used.
    #[error("{} {problem}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The fault of the file, and what to do.
        problem: String,
    },
    /// Boards that were named together and have different goals.
    #[error(
        "{first} has {first_goal}, but {other} has {other_goal}: solve them apart, or name the goal of all boards"
    )]
    SeveralGoals {
        /// The first boards, as they were named.
        first: String,
        /// Their goal.
        first_goal: String,
        /// The first boards with another goal.
        other: String,
        /// Their goal.
        other_goal: String,
    },
    /// A text that is not a preset goal, a drawn goal or a file.
    #[error("this is no goal: {source}; draw the goal, or name blank-last, blank-first or snail")]
    Goal {
        /// The error of the text as a board or as the name of a file.
        source: Box<Self>,
    },
    /// A word that is neither a preset goal, nor a drawn goal, nor a file.
    #[error(
        "\"{name}\" is no goal: name blank-last, blank-first or snail, draw the goal, or name a file \
         with one"
    )]
    NoGoal {
        /// The word, cut short and without control characters.
        name: String,
    },
    /// The default folder of the tables is unknown.
    #[error("{problem}: set TILEBASE_DB to the folder of the tables, or name the folder")]
    NoFolder {
        /// The error of the system.
        problem: String,
    },
    /// Tables that cannot be used, or that are missing and may not be built.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Tables that do not fit the memory or the disk.
    #[cfg(feature = "build")]
    #[error(transparent)]
    NoRoom(#[from] Shortage),
    /// A table that cannot be built, or a file that cannot be written.
    #[cfg(feature = "build")]
    #[error(transparent)]
    Build(#[from] GenError),
    /// A search that ended without an answer.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The error of an earlier board with the same goal, which is not tried again.
    #[error("{}", .0.text)]
    Again(FirstError),
    /// A table whose payload is damaged, or that was truncated or modified during the search.
    #[error("{0}; results that were found with it are left out, and earlier answers are right")]
    Damaged(OpenError),
    /// A checkpoint that cannot be read, or cannot be resumed.
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
        "{} is a checkpoint of another search: {source}; the file was not changed", path.display()
    )]
    OtherSearch {
        /// The checkpoint.
        path: PathBuf,
        /// The difference.
        source: LedgerError,
    },
    /// Packets that are in none of the files to merge.
    #[cfg(feature = "build")]
    #[error(
        "{}: {missing_count} of {packet_count} packets of bound {bound} are in no file, the first is packet \
         {first}; nothing was written", path.display()
    )]
    MissingPackets {
        /// The checkpoint.
        path: PathBuf,
        /// Number of missing packets.
        missing_count: usize,
        /// Number of packets of the bound.
        packet_count: usize,
        /// The bound.
        bound: u32,
        /// The first missing packet.
        first: usize,
    },
    /// Another machine that should search too, and cannot.
    #[error("{problem}")]
    Crew {
        /// The machine, the reason, and what to do.
        problem: String,
    },
    /// The system cannot start another thread.
    #[error(
        "cannot start a thread: {source}; raise the limit on processes (ulimit -u) or on memory"
    )]
    Threads {
        /// The error of the operating system.
        source: io::Error,
    },
    /// A checkpoint that another run is writing.
    #[error("{} is in use by another run: wait for it, or name another file", path.display())]
    InUse {
        /// The checkpoint.
        path: PathBuf,
    },
}

/// The text, the kind and the remedy of the first error for a goal.
#[derive(Clone, Debug)]
pub struct FirstError {
    kind: ErrorKind,
    text: String,
    remedy: Option<Remedy>,
}

impl FirstError {
    pub(crate) fn of(error: &Error) -> Self {
        Self { kind: error.kind(), text: error.to_string(), remedy: error.remedy() }
    }
}

/// Kind of an [`enum@Error`]: what a caller can do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A text, a board or a set that is none, or that does not fit the goal.
    Board,
    /// Moves that a board does not allow.
    Moves,
    /// Options that do not fit each other or the request.
    Argument,
    /// A request for more boards than memory holds.
    TooLarge,
    /// A wrong name of a spec, a table, a heuristic, a search or a goal.
    Spec,
    /// A file named by the caller that cannot be read.
    File,
    /// A folder or a checkpoint that the caller must choose.
    Folder,
    /// A board without a solution where a request needs one.
    Unsolvable,
    /// A table that does not exist.
    MissingTable,
    /// A table's file that the operating system cannot read or write.
    TableFile,
    /// A file that is not the expected table.
    WrongTable,
    /// A table whose bytes are wrong, found during the work.
    DamagedTable,
    /// Too little memory or disk.
    NoRoom,
    /// A table that cannot be built.
    Build,
    /// A refusal of the operating system: a thread, or a file during reading.
    System,
    /// The caller cancelled.
    Interrupted,
    /// Any other failure: the message explains it.
    Other,
}

impl ErrorKind {
    /// Returns whether the request itself is wrong, as opposed to work that failed.
    pub fn is_usage(self) -> bool {
        matches!(
            self,
            Self::Board
                | Self::Moves
                | Self::Argument
                | Self::TooLarge
                | Self::Spec
                | Self::File
                | Self::Folder
        )
    }
}

impl Error {
    /// Returns the kind, from which programs derive exit codes, exceptions and statuses.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Again(first) => first.kind,
            Self::NoEngine { problem, .. } | Self::OfMany { problem, .. } => problem.kind(),
            Self::Goal { source } if matches!(**source, Self::Text(_)) => ErrorKind::Board,
            Self::Board(_)
            | Self::Text(_)
            | Self::NoBoards(_)
            | Self::Invalid { .. }
            | Self::Set { .. }
            | Self::Lengths { .. }
            | Self::Window { .. }
            | Self::NoHardest { .. }
            | Self::Search(SearchError::Root(RootError::Board(_))) => ErrorKind::Board,
            Self::Moves(_) => ErrorKind::Moves,
            Self::SeveralGoals { .. }
            | Self::Rate { .. }
            | Self::Search(SearchError::SingleTiles { .. } | SearchError::NoOrder { .. }) => {
                ErrorKind::Argument
            }
            Self::TooManyBoards { .. } => ErrorKind::TooLarge,
            Self::Spec(_)
            | Self::Engine(_)
            | Self::SeveralSpecs { .. }
            | Self::NoTable { .. }
            | Self::SeveralHeuristics { .. }
            | Self::File { .. }
            | Self::Goal { .. }
            | Self::NoGoal { .. }
            | Self::Search(SearchError::Inadmissible { .. }) => ErrorKind::Spec,
            Self::Unreadable { .. } => ErrorKind::File,
            Self::NoFolder { .. } | Self::InUse { .. } => ErrorKind::Folder,
            Self::MissingTable { .. } | Self::NotGiven { .. } => ErrorKind::MissingTable,
            Self::Open(OpenError::Io { source, .. }) => match source.kind() {
                io::ErrorKind::NotFound => ErrorKind::MissingTable,
                _ => ErrorKind::TableFile,
            },
            Self::Open(_) => ErrorKind::WrongTable,
            Self::Damaged(_) => ErrorKind::DamagedTable,
            Self::Search(SearchError::Root(RootError::Unsolvable(_))) => ErrorKind::Unsolvable,
            // A search finds fault with its heuristic where the tables are damaged.
            Self::Search(SearchError::Root(_) | SearchError::NotLowerBound { .. }) => {
                ErrorKind::DamagedTable
            }
            Self::Input { .. } | Self::Threads { .. } => ErrorKind::System,
            Self::Interrupted => ErrorKind::Interrupted,
            #[cfg(feature = "build")]
            Self::NoRoom(_) => ErrorKind::NoRoom,
            #[cfg(feature = "build")]
            Self::Build(error) => match error {
                GenError::Io { .. } | GenError::Threads { .. } => ErrorKind::TableFile,
                GenError::Format { .. } | GenError::OtherTable { .. } => ErrorKind::DamagedTable,
                GenError::Memory { .. } | GenError::Budget { .. } => ErrorKind::NoRoom,
                GenError::Interrupted | GenError::Paused { .. } => ErrorKind::Interrupted,
                _ => ErrorKind::Build,
            },
            #[cfg(feature = "build")]
            Self::OtherSearch { .. } | Self::MissingPackets { .. } => ErrorKind::Other,
            Self::NotFound { .. }
            | Self::Checkpoint { .. }
            | Self::Crew { .. }
            | Self::Search(_) => ErrorKind::Other,
        }
    }

    /// Returns the error for a terminal: on several lines with the wrong place marked, where that
    /// helps.
    pub fn drawing(&self) -> String {
        match self {
            Self::Text(error) => error.drawing(),
            Self::NoBoards(error) => format!("{}\n{NO_SET}", error.drawing()),
            Self::Goal { source } => match source.drawing().split_once('\n') {
                Some((_, marked_lines)) => format!("{self}\n{marked_lines}"),
                None => self.to_string(),
            },
            other => other.to_string(),
        }
    }

    /// Returns what the user can do about the error, if the message does not say it. The program
    /// that shows the error adds it in its own words.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::Moves(moves) => moves.possible_as.map(Remedy::NameMoves),
            Self::Text(error) | Self::NoBoards(error) => match error.kind() {
                TextErrorKind::TilesFromZero => Some(Remedy::NameBlank),
                TextErrorKind::MayBeTable { .. } => Some(Remedy::NameColumns),
                TextErrorKind::CalledGoal | TextErrorKind::BelowDashes => Some(Remedy::NamePairs),
                _ => None,
            },
            Self::Goal { source } => source.remedy(),
            Self::NoTable { .. } => Some(Remedy::ListSpecs),
            Self::MissingTable { spec, .. } => Some(Remedy::Build(Some(spec.clone()))),
            Self::Invalid { remedy, .. } | Self::Again(FirstError { remedy, .. }) => remedy.clone(),
            #[cfg(feature = "build")]
            Self::NoRoom(Shortage::Memory(_)) => Some(Remedy::MoreMemory),
            #[cfg(feature = "build")]
            Self::NoRoom(Shortage::Disk { .. }) => Some(Remedy::OtherFolder),
            #[cfg(feature = "build")]
            Self::OtherSearch { .. } => Some(Remedy::OtherCheckpoint),
            #[cfg(feature = "build")]
            Self::MissingPackets { .. } => Some(Remedy::MergeIncomplete),
            #[cfg(feature = "build")]
            Self::Build(error) => Remedy::of(error),
            Self::NoEngine { problem, .. } | Self::OfMany { problem, .. } => problem.remedy(),
            Self::Spec(error) => Remedy::of(error),
            Self::Engine(error) => Remedy::of(error),
            Self::Open(error) | Self::Damaged(error) => Remedy::of(error),
            Self::Search(error) => Remedy::of(error),
            _ => None,
        }
    }

    /// Returns whether the error ended cancelled work.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.kind() == ErrorKind::Interrupted
    }

    /// Returns whether the error concerns one board of many, so that the others can be answered.
    pub fn is_of_board(&self) -> bool {
        matches!(
            self,
            Self::Board(_) | Self::Text(_) | Self::Invalid { .. } | Self::NoEngine { .. }
        )
    }
}

/// Names the shapes whose hardest boards are listed.
fn listed(known: &[Shape]) -> String {
    let shapes: Vec<String> = known.iter().map(ToString::to_string).collect();
    match &shapes[..] {
        [] => String::new(),
        shapes => format!(
            " and, with the blank in a corner at the goal, for {} and these transposed",
            shapes.join(", ")
        ),
    }
}
