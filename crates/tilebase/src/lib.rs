//! Optimal solutions of sliding-tile puzzles: the door to Tilebase.
//!
//! [`Tilebase`] is a handle that any number of threads may use: it finds the tables of a spec, builds
//! those that are missing, maps them, and solves boards, one at a time or a stream of them.
//!
//! ```
//! use tilebase::{Status, Tilebase};
//!
//! # let folder = tempfile::tempdir()?;
//! let tables = Tilebase::builder().spec("8/whole").folder(folder.path()).ensure()?;
//! let answer = tables.solve("8 6 7/2 5 4/3 0 1")?;
//! assert!(matches!(answer.status, Status::Optimal { moves } if moves.len() == 31));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | You want | Look at |
//! |---|---|
//! | one board | [`Tilebase::solve`] |
//! | many boards, in order, on all cores | [`Tilebase::solve_all`] |
//! | a board that takes hours | [`Tilebase::solve_hard`] |
//! | the distance after each of its moves | [`Tilebase::moves`] |
//! | all its solutions, or their number | [`Tilebase::solutions`] |
//! | whether a solution is right, and optimal | [`Tilebase::check`] |
//! | a lower bound without a search | [`Tilebase::estimate`], [`Tilebase::estimate_all`] |
//! | the distances of all boards of a small shape | [`distances`] |
//! | how good heuristics are, without a search | [`Tilebase::rate`], [`Rate`] |
//! | good partitions, before any table is built | [`PartitionSearch`] |
//! | what a board's parity and estimates consist of | [`Tilebase::explain`] |
//! | limits, modes, threads | [`Search`] |
//! | progress, and a way to stop | [`Event`], [`Cancel`] |
//! | the folder of the tables, and room for them | [`Shelf`], [`Builds`] |
//! | which specs there are, and what of them is built | [`SpecListing`] |
//! | a board that somebody plays, with undo and redo | [`Game`] |
//! | boards by name, random ones, of some length | [`SetName`], [`BoardSet`] |
//!
//! The features `build` and `net` are on by default. Without `build` nothing is built and no checkpoint
//! is written: the tables must already be in the folder. Without `net` there are no networks: a name
//! such as `net:15` is an error. Each of them off makes the tree of dependencies shorter. For even fewer
//! dependencies, use `pdb-rt`, which only maps tables and looks boards up.
//!
//! The layers below are open to those who need them: [`pdb_core`] (boards as arithmetic),
//! [`pdb_spec`] (drawn boards), [`pdb_format`] (bytes), [`pdb_rt`] (tables), [`pdb_search`] (the
//! searches themselves, generic over heuristics), [`pdb_lab`] (every heuristic and search by name)
//! and `pdb_gen` (tables are built, checked and shipped).
#![forbid(unsafe_code)]

mod answer;
mod best;
mod check;
mod choice;
mod cores;
mod crew;
mod error;
mod event;
mod explain;
mod game;
#[cfg(feature = "build")]
mod hard;
mod input;
mod into_board;
mod many;
#[cfg(feature = "build")]
mod partition;
mod per_goal;
mod rate;
mod record;
mod sets;
mod shelf;
mod solutions;
mod stream;
mod tilebase;
mod values;

#[cfg(feature = "build")]
pub use pdb_gen;
pub use {pdb_core, pdb_format, pdb_lab, pdb_rt, pdb_search, pdb_spec};

pub use answer::{Answer, Status};
pub use check::Checked;
pub use choice::{
    GoalChoice, SpecChoice, goal_name, goals_of, heuristic, heuristics, load_spec, read_text,
};
pub use cores::core_count;
pub use crew::{Crew, CrewState, Task};
pub use error::Error;
pub use event::{BoundState, Cancel, Event, PacketState, Watch};
pub use explain::{
    AxisInversions, AxisWalking, Branching, CornerPart, CyclePart, DetourPart, EndingPart,
    Exchange, Explanation, HeuristicParts, LargerAxis, LeftOut, LineName, LinePart, PairPart,
    PartitionPart, Parts, PatternPart, ReadTile, Solvability, Space, TilePart,
};
pub use game::Game;
#[cfg(feature = "build")]
pub use hard::{Hard, HardAnswer, Merged, Rest, Shard, merge, read_checkpoint};
pub use input::{BoardsGiven, Given, NamedBoards, Naming};
pub use into_board::IntoBoard;
pub use many::{NO_DISTANCE, distances};
#[cfg(feature = "build")]
pub use partition::{FoundPartition, FoundPartitions, PartitionAim, PartitionSearch};
pub use pdb_core::notation::{
    Columns, MoveNaming, MoveStyle, Replay, WrittenMoves, format_moves, letters, parse_moves,
};
pub use pdb_core::{Board, Direction, Goal, MoveError, Shape};
pub use pdb_rt::{Residence, outlive_cut_files};
pub use pdb_search::{BoundCount, LimitKind};
pub use rate::{
    EstimateCount, ExpectedWithin, Interval, Measured, Nodes, NodesWithin, Quantile, Rate,
    RatedBoards, Rating,
};
pub use record::{
    CheckRecord, LengthRecord, MoveRecord, MovesRecord, Record, SolutionRecord, SolutionsRecord,
};
pub use sets::{
    BOARDS_MAX, BoardSet, MadeBoard, MadeBoards, MadeRecord, STEPS_MAX, SetName, Window,
    greatest_distance,
};
#[cfg(feature = "build")]
pub use shelf::{
    Builds, Built, Drawing, Need, NoRoom, Room, SpecListing, TableListing, ToBuild, Way,
};
pub use shelf::{Bytes, Memory, NamedTable, Shelf, known_digest, peak_memory_bytes, tables_named};
pub use solutions::{LengthCount, SolutionSet, Solutions};
pub use stream::{Answers, Totals};
pub use tilebase::{Builder, Mode, Search, Tilebase, confirm};
pub use values::{MoveValue, MoveValues};
