//! What goes over the boundary by value. The comments are the header's.
#![allow(clippy::doc_markdown, reason = "C marks up no names")]

use std::ffi::{c_char, c_void};
use std::mem::offset_of;
use std::ptr;

use crate::api::{Cancel, Progress};

/// The number of this interface. It grows when something that was there changes or goes; what is
/// only added does not count.
pub const TILEBASE_ABI: u32 = 1;

/// The most cells that a board has.
pub const TILEBASE_CELLS_MAX: usize = 36;

/// A buffer of so many bytes holds any board as text.
pub const TILEBASE_BOARD_TEXT_SIZE: usize = 128;

/// A buffer of so many bytes holds any shortest solution that is known: boards of 4 x 4 cells take
/// 80 moves at most. (One that is too small is an error, and nothing is written past it.)
pub const TILEBASE_MOVES_SIZE: usize = 1024;

/// The most threads that may be asked for.
pub const TILEBASE_THREADS_MAX: usize = 1024;

/// The estimate of a board that has no solution.
pub const TILEBASE_INFINITE: u32 = 0xffff_ffff;

/// Build the tables that are missing, and keep them in the folder. Without it a table that is
/// missing is TILEBASE_ERROR_MISSING.
pub const TILEBASE_OPEN_BUILD: u64 = 1;

/// Take the tables as they are. Otherwise every byte is held against the tables' digests while they
/// are opened, or was by an earlier process and is the same since. Damage that goes unnoticed makes
/// solutions longer, and nothing shows it.
pub const TILEBASE_OPEN_TRUST: u64 = 2;

/// Copy the tables into memory of this process alone. Otherwise files are mapped and shared with
/// other processes, and bytes of the caller's are used where they are.
pub const TILEBASE_OPEN_COPY: u64 = 4;

/// Bring all pages of mapped files in at once, instead of as they are touched.
pub const TILEBASE_OPEN_PREFAULT: u64 = 8;

/// Keep all pages of mapped files in memory. The system limits how much a process may lock (ulimit
/// -l).
pub const TILEBASE_OPEN_LOCK: u64 = 16;

/// Map files and bring their pages in as they are touched, which is the default at present.
pub const TILEBASE_OPEN_MAP: u64 = 32;

/// What became of a call. The numbers stay as they are; more may come.
///
/// cbindgen:rename-all=ScreamingSnakeCase
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::enum_variant_names, reason = "C has them in one room with all other names")]
pub enum Code {
    /// It did what it says.
    TilebaseOk = 0,
    /// A pointer is NULL that must not be.
    TilebaseErrorNull = 1,
    /// A number or a flag that means nothing, or text that is not UTF-8.
    TilebaseErrorArgument = 2,
    /// A `struct_size` that was not set, or a structure of a newer header with fields set that this
    /// library does not know.
    TilebaseErrorStructSize = 3,
    /// Text or cells that are no board, or a board of another shape than the tables'.
    TilebaseErrorBoard = 4,
    /// Text that is no moves, or a move that the board does not allow.
    TilebaseErrorMoves = 5,
    /// A spec, heuristic or goal that there is not, or that do not go together.
    TilebaseErrorSpec = 6,
    /// A table that is not there.
    TilebaseErrorMissing = 7,
    /// A table that is damaged, is another one than its name says, is of a newer version, or was
    /// written to while it was in use.
    TilebaseErrorTable = 8,
    /// Memory or disk have no room for the tables.
    TilebaseErrorNoRoom = 9,
    /// The operating system refused something: a file, a folder or a thread.
    TilebaseErrorSystem = 10,
    /// A table that cannot be built.
    TilebaseErrorBuild = 11,
    /// The caller cancelled the build of a table. (A search that was cancelled has an answer.)
    TilebaseErrorCancelled = 12,
    /// A buffer is too small. The message says what it takes.
    TilebaseErrorBuffer = 13,
    /// A mistake in the library: please report it.
    TilebaseErrorInternal = 14,
}

/// How a search ended. The numbers stay as they are; more may come.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The moves lead to the goal, and no fewer do.
    Optimal = 1,
    /// The moves lead to the goal; no solution has fewer than `lower_bound`.
    Solved = 2,
    /// No moves lead to the goal.
    Unsolvable = 3,
    /// The time ran out.
    TimeLimit = 4,
    /// The nodes ran out.
    NodeLimit = 5,
    /// The caller cancelled.
    Cancelled = 6,
    /// The memory ran out.
    MemoryLimit = 7,
}

/// A board: `rows * cols` cells, row by row, each with the number of its tile, and 0 for the blank.
/// What stands behind the last cell does not matter.
///
/// It may be filled in by hand: every function that takes a board checks it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// Rows, at least 2.
    pub rows: u8,
    /// Columns, at least 2.
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
    /// How many bytes it has.
    pub size: usize,
}

/// What tables to open, and how. Begin with `TILEBASE_OPEN_OPTIONS`, which sets `struct_size` and
/// leaves all else to the library.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OpenOptions {
    /// `sizeof(tilebase_open_options)`.
    pub struct_size: usize,
    /// `TILEBASE_OPEN_..`, added up.
    pub flags: u64,
    /// The folder of the tables. NULL: the one that all programs share, `$TILEBASE_DB` or that of
    /// the user.
    pub folder: *const c_char,
    /// The spec, such as "15/7-8"; a heuristic, such as "manhattan"; or the path of a spec file,
    /// which ends in ".toml". NULL: the best tables that there are for the goal, or else a
    /// heuristic without tables.
    pub spec: *const c_char,
    /// The goal: "blank-last", "blank-first", "snail", a board, or the path of a file with one.
    /// NULL: the blank in the last cell, or what the spec's file draws.
    pub goal: *const c_char,
    /// Rows of the boards. 0: spec or goal tell.
    pub rows: usize,
    /// Columns of the boards. 0: spec or goal tell.
    pub cols: usize,
    /// How many threads check and build tables, and search if nothing else is said there. 0: one
    /// for each core.
    pub threads: usize,
    /// The memory that tables and their builds may use. 0: what the machine has.
    pub memory_bytes: u64,
    /// What stops a build. NULL: nothing. It may be freed once the call has returned.
    pub cancel: *const Cancel,
    /// Who is told how far a build is. NULL: nobody.
    pub progress: Progress,
    /// What is handed to `progress`.
    pub progress_data: *mut c_void,
}

/// The limits of a search. Begin with `TILEBASE_SOLVE_OPTIONS`, which sets `struct_size` and no
/// limit.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SolveOptions {
    /// `sizeof(tilebase_solve_options)`.
    pub struct_size: usize,
    /// How many threads search, at most TILEBASE_THREADS_MAX. 0: as many as the tables were opened
    /// with.
    pub threads: usize,
    /// The longest time, in milliseconds. 0: no limit.
    pub time_ms: u64,
    /// The most nodes to generate. 0: no limit.
    pub nodes: u64,
    /// What stops the search. NULL: nothing.
    pub cancel: *const Cancel,
}

/// What became of a search. Begin with `TILEBASE_ANSWER`, which sets `struct_size`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// `sizeof(tilebase_answer)`, set by the caller.
    pub struct_size: usize,
    /// How the search ended.
    pub status: Status,
    /// How many moves were found; 0 where none were.
    pub length: u32,
    /// No solution has fewer moves; TILEBASE_INFINITE where there is none.
    pub lower_bound: u32,
    /// What the tables say without a search; TILEBASE_INFINITE where there is no solution.
    pub estimate: u32,
    /// Nodes generated: those whose estimate was asked for, pruned or not.
    pub generated: u64,
    /// Nodes expanded: those whose children were asked for.
    pub expanded: u64,
    /// Look-ups into tables.
    pub lookups: u64,
    /// How long it took, in nanoseconds.
    pub elapsed_ns: u64,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            flags: 0,
            folder: ptr::null(),
            spec: ptr::null(),
            goal: ptr::null(),
            rows: 0,
            cols: 0,
            threads: 0,
            memory_bytes: 0,
            cancel: ptr::null(),
            progress: None,
            progress_data: ptr::null_mut(),
        }
    }
}

impl Default for SolveOptions {
    fn default() -> Self {
        let struct_size = size_of::<Self>();
        Self { struct_size, threads: 0, time_ms: 0, nodes: 0, cancel: ptr::null() }
    }
}

/// Bytes that the fields of a structure had when it was published.
pub(crate) const OPEN_OPTIONS_FIRST: usize = end_of(offset_of!(OpenOptions, progress_data));
pub(crate) const SOLVE_OPTIONS_FIRST: usize = end_of(offset_of!(SolveOptions, cancel));
pub(crate) const ANSWER_FIRST: usize = offset_of!(Answer, elapsed_ns) + size_of::<u64>();

/// Where a pointer ends.
const fn end_of(offset: usize) -> usize {
    offset + size_of::<*const c_void>()
}

// Bytes between fields would have no defined value, and could not be told from fields of a newer header.
const _: () = {
    assert!(
        offset_of!(OpenOptions, progress_data) - offset_of!(OpenOptions, progress)
            == size_of::<usize>()
    );
    assert!(size_of::<Answer>() == ANSWER_FIRST);
    assert!(offset_of!(Answer, generated) == size_of::<usize>() + 16);
};
