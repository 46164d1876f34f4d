//! Codes, boards, options and answers: the types that cross the boundary by value. The comments are
//! the header's.
#![allow(clippy::doc_markdown, reason = "C marks up no names")]

use std::ffi::{c_char, c_void};
use std::mem::offset_of;
use std::ptr;

use crate::callbacks::{Progress, Solution};

/// The version of this interface. It grows when something is changed or removed, not when something
/// is added.
pub const TILEBASE_ABI: u32 = 2;

/// Largest number of cells of a board.
pub const TILEBASE_CELLS_MAX: usize = 64;

/// Size of a buffer that holds any board as text, in bytes.
pub const TILEBASE_BOARD_TEXT_SIZE: usize = 128;

/// Size in bytes of a buffer for the moves of any answer. The shortest solutions of 4 x 4 boards
/// have at most 80 moves, but the first solutions of 2 x 32 boards have thousands. (A buffer that
/// is too small is an error, nothing is written past its end, and tilebase_moves has the moves.)
pub const TILEBASE_MOVES_SIZE: usize = 16384;

/// Largest number of threads of a call.
pub const TILEBASE_THREADS_MAX: usize = 1024;

/// The estimate of a board that has no solution.
pub const TILEBASE_INFINITE: u32 = 0xffff_ffff;

/// Build missing tables and keep them in the folder. Without this flag a missing table is
/// TILEBASE_ERROR_MISSING.
pub const TILEBASE_OPEN_BUILD: u64 = 1;

/// Skip the check of the tables. Without this flag, opening checks every byte against the tables'
/// digests, unless an earlier process checked the file and it is unchanged. Undetected damage can
/// make solutions too long, without any sign of it.
pub const TILEBASE_OPEN_TRUST: u64 = 2;

/// Copy the tables into private memory of this process. Without this flag, files are mapped and
/// shared with other processes, and the caller's bytes are used in place.
pub const TILEBASE_OPEN_COPY: u64 = 4;

/// Read all pages of mapped files at once, instead of on first access.
pub const TILEBASE_OPEN_PREFAULT: u64 = 8;

/// Lock all pages of mapped files in memory. The system limits the bytes that a process may lock
/// (ulimit -l).
pub const TILEBASE_OPEN_LOCK: u64 = 16;

/// Map files and read their pages on first access, which is the default.
pub const TILEBASE_OPEN_MAP: u64 = 32;

/// Count a slide of one or more tiles of a line at once as one move: in estimates, lengths and
/// lower bounds. Moves are written as letters of single tiles; equal letters in a row are one
/// slide, so that a solution has as many letters as its length or more.
pub const TILEBASE_OPEN_SLIDES: u64 = 64;

/// Result of a call. The numbers never change; more may come.
///
/// cbindgen:rename-all=ScreamingSnakeCase
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::enum_variant_names, reason = "C has one namespace for all names")]
pub enum Code {
    /// Success.
    TilebaseOk = 0,
    /// A pointer that must not be NULL is NULL.
    TilebaseErrorNull = 1,
    /// A number or a flag without a meaning, or text that is not UTF-8.
    TilebaseErrorArgument = 2,
    /// A `struct_size` that was not set, or a structure of a newer header that sets fields which
    /// this library does not know.
    TilebaseErrorStructSize = 3,
    /// Text or cells that are no board, or a board whose shape is not that of the tables.
    TilebaseErrorBoard = 4,
    /// Text that is no list of moves, or a move that the board does not allow.
    TilebaseErrorMoves = 5,
    /// An unknown spec, heuristic or goal, or some that do not fit each other.
    TilebaseErrorSpec = 6,
    /// A missing table.
    TilebaseErrorMissing = 7,
    /// A table that is damaged, has another content than its name says, has a newer version, or was
    /// written to while it was in use.
    TilebaseErrorTable = 8,
    /// Too little memory or disk for the tables.
    TilebaseErrorNoRoom = 9,
    /// The operating system refused a file, a folder or a thread.
    TilebaseErrorSystem = 10,
    /// A table that cannot be built.
    TilebaseErrorBuild = 11,
    /// The caller cancelled the build of a table. (A cancelled search has an answer.)
    TilebaseErrorCancelled = 12,
    /// A buffer is too small. The message has the size that is needed.
    TilebaseErrorBuffer = 13,
    /// A bug of the library: please report it.
    TilebaseErrorInternal = 14,
}

/// Reason that a search ended. The numbers never change; more may come.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The moves are a shortest solution.
    Optimal = 1,
    /// The moves are a solution, the shortest known one when the search ended; no solution has
    /// fewer moves than `lower_bound`.
    Solved = 2,
    /// No moves lead to the goal.
    Unsolvable = 3,
    /// The time ran out before a solution was known.
    TimeLimit = 4,
    /// The nodes ran out before a solution was known.
    NodeLimit = 5,
    /// The caller cancelled before a solution was known.
    Cancelled = 6,
    /// The memory ran out before a solution was known.
    MemoryLimit = 7,
}

/// Stops builds and searches from another thread.
#[derive(Debug)]
pub struct Cancel(pub(crate) tilebase::Cancel);

/// A board: `rows * cols` cells, row by row, each with the number of its tile, and 0 for the blank.
/// Bytes after the last cell are ignored.
///
/// A program may fill it in: every function that takes a board checks it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// Rows, at least 1.
    pub rows: u8,
    /// Columns, at least 1, with 2 to 64 cells in all.
    pub cols: u8,
    /// The tiles.
    pub cells: [u8; TILEBASE_CELLS_MAX],
}

/// A table file that is in memory.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Bytes {
    /// Its first byte.
    pub data: *const c_void,
    /// Its size in bytes.
    pub size: usize,
}

/// Options for opening tables. Initialise them with `TILEBASE_OPEN_OPTIONS`, which sets
/// `struct_size` and the defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OpenOptions {
    /// `sizeof(tilebase_open_options)`.
    pub struct_size: usize,
    /// Sum of `TILEBASE_OPEN_..` flags.
    pub flags: u64,
    /// The folder of the tables. NULL: `$TILEBASE_DB` if it is set, else the default folder of all
    /// programs.
    pub folder: *const c_char,
    /// The spec, such as "15/7-8"; a heuristic, such as "manhattan"; or the path of a spec file,
    /// which ends in ".toml". NULL: the best tables in the folder for the goal, or a heuristic
    /// without tables if there are none.
    pub spec: *const c_char,
    /// The goal: "blank-last", "blank-first", "snail", a board, or the path of a file with one.
    /// NULL: the blank in the last cell, or the goal that the spec's file draws.
    pub goal: *const c_char,
    /// Rows of the boards. 0: those of the spec or the goal.
    pub rows: usize,
    /// Columns of the boards. 0: those of the spec or the goal.
    pub cols: usize,
    /// Number of threads that check and build tables, and the default for searches. 0: one for each
    /// core.
    pub threads: usize,
    /// Memory limit of tables and their builds, in bytes. 0: the memory of the machine.
    pub memory_bytes: u64,
    /// The handle that stops a build, or NULL. It may be freed once the call has returned.
    pub cancel: *const Cancel,
    /// The function that receives the progress of a build, or NULL.
    pub progress: Progress,
    /// The first argument of `progress`.
    pub progress_data: *mut c_void,
}

/// The limits of a search. Initialise them with `TILEBASE_SOLVE_OPTIONS`, which sets `struct_size`
/// and no limit.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SolveOptions {
    /// `sizeof(tilebase_solve_options)`.
    pub struct_size: usize,
    /// Number of threads of the search, at most TILEBASE_THREADS_MAX. 0: that of the tables'
    /// options.
    pub threads: usize,
    /// Time limit in milliseconds. 0: none.
    pub time_ms: u64,
    /// Limit on the nodes generated. 0: none.
    pub nodes: u64,
    /// The handle that stops the search, or NULL.
    pub cancel: *const Cancel,
    /// Time in milliseconds after which the best known solution is the answer, even if it is not
    /// proved to be a shortest one. 0: none.
    pub within_ms: u64,
    /// The function that receives each better solution, or NULL.
    pub solution: Solution,
    /// The first argument of `solution`.
    pub solution_data: *mut c_void,
}

/// Result of a search. Initialise it with `TILEBASE_ANSWER`, which sets `struct_size`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// `sizeof(tilebase_answer)`, set by the caller.
    pub struct_size: usize,
    /// Reason that the search ended.
    pub status: Status,
    /// Number of moves found; 0 without a solution. With TILEBASE_OPEN_SLIDES, a move has one or
    /// more letters.
    pub length: u32,
    /// Lower bound of the moves of any solution; TILEBASE_INFINITE if there is no solution.
    pub lower_bound: u32,
    /// The tables' estimate without a search; TILEBASE_INFINITE if there is no solution.
    pub estimate: u32,
    /// Nodes generated: those with an estimate, pruned or not.
    pub generated: u64,
    /// Nodes expanded: those whose children were generated.
    pub expanded: u64,
    /// Look-ups into tables.
    pub lookups: u64,
    /// Duration in nanoseconds.
    pub elapsed_ns: u64,
}

impl Default for SolveOptions {
    fn default() -> Self {
        let struct_size = size_of::<Self>();
        Self {
            struct_size,
            threads: 0,
            time_ms: 0,
            nodes: 0,
            cancel: ptr::null(),
            within_ms: 0,
            solution: None,
            solution_data: ptr::null_mut(),
        }
    }
}

/// Sizes of the structures' fields in the first published version, in bytes.
pub(crate) const OPEN_OPTIONS_FIRST: usize = end_of(offset_of!(OpenOptions, progress_data));
pub(crate) const SOLVE_OPTIONS_FIRST: usize = end_of(offset_of!(SolveOptions, cancel));
pub(crate) const ANSWER_FIRST: usize = offset_of!(Answer, elapsed_ns) + size_of::<u64>();

/// Returns the end of a pointer at an offset.
const fn end_of(offset: usize) -> usize {
    offset + size_of::<*const c_void>()
}

// Padding between fields would have no defined value, and would look like fields of a newer header.
const _: () = {
    assert!(
        offset_of!(OpenOptions, progress_data) - offset_of!(OpenOptions, progress)
            == size_of::<usize>()
    );
    assert!(size_of::<Answer>() == ANSWER_FIRST);
    assert!(offset_of!(Answer, generated) == size_of::<usize>() + 16);
    assert!(
        offset_of!(SolveOptions, within_ms)
            == SOLVE_OPTIONS_FIRST.next_multiple_of(align_of::<SolveOptions>())
    );
    assert!(
        offset_of!(SolveOptions, solution_data) - offset_of!(SolveOptions, solution)
            == size_of::<usize>()
    );
};
