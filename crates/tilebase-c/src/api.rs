//! The functions, as the header has them. Each turns pointers into references, does its work in safe code behind
//! [`guarded`], and writes what came of it.
//!
//! The comments on what is public are the header's.
#![allow(clippy::doc_markdown, reason = "C marks up no names")]
#![allow(clippy::missing_safety_doc, reason = "they call it \"Pointers\", which C people know")]

use std::ffi::{CString, c_char, c_void};
use std::ptr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use crate::boards::{self, Located};
use crate::failure::{self, Failure, guarded, guarded_or};
use crate::pointers::{
    board, check_answer, check_place, optional_text, read_grown, reference, text, values,
    values_mut, write_answer, write_if_there, write_text,
};
use crate::tables::{Bounds, Tables, Wish};
use crate::types::{Answer, Board, Bytes, Code, OpenOptions, SolveOptions, TILEBASE_ABI};

/// Called while tables are built: `data` is that of the options, `table` the name of the table's
/// file, valid during the call, and `share` how much of it is done, from 0 to 1.
///
/// It may be called by other threads than the one that waits for the tables, one after another. It
/// must return, and so neither throw nor jump out, and it must not free a handle. It may cancel.
pub type Progress =
    Option<unsafe extern "C" fn(data: *mut c_void, table: *const c_char, share: f64)>;

/// Stops builds and searches from another thread.
#[derive(Debug)]
pub struct Cancel(tilebase::Cancel);

/// The caller's data, on its way back to the caller's function.
struct Receiver {
    progress: Progress,
    data: *mut c_void,
    /// Held during a call: they come one after another. Whether there are any more.
    turn: Mutex<bool>,
}

/// The time of the call that was given the caller's function: when it ends, however it does, that function is called
/// no more.
struct Calls(Arc<Receiver>);

impl Drop for Calls {
    fn drop(&mut self) {
        *self.0.turn.lock().unwrap_or_else(PoisonError::into_inner) = false;
    }
}

// SAFETY: the pointer is never followed here, only handed back to the caller's function, which by its contract may
// be called by other threads.
unsafe impl Send for Receiver {}

// SAFETY: as above; calls come one after another, in turns.
unsafe impl Sync for Receiver {}

impl Receiver {
    fn tell(&self, table: &str, share: f64) {
        if let (Some(progress), Ok(table)) = (self.progress, CString::new(table)) {
            let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
            if *turn {
                // SAFETY: whoever set the function and its data promised that it may be called with them until the
                // call that opens the tables returns, which waits for its turn to end that.
                unsafe { progress(self.data, table.as_ptr(), share) };
            }
        }
    }
}

/// The version of the library, such as "0.1.0". It is never freed. Any thread may call this at any
/// time.
#[unsafe(no_mangle)]
pub extern "C" fn tilebase_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// The number of the library's interface: `TILEBASE_ABI` of the header that it was compiled with. A
/// program goes with it if its own number is the same.
#[unsafe(no_mangle)]
pub extern "C" fn tilebase_abi() -> u32 {
    TILEBASE_ABI
}

/// What the last call of this thread that did not return TILEBASE_OK says: what was expected, what
/// was found, what to do. It is "" before there was one, never NULL, and valid until the next such
/// call of this thread or its end.
#[unsafe(no_mangle)]
pub extern "C" fn tilebase_message() -> *const c_char {
    failure::message()
}

/// The name of a code, such as "TILEBASE_ERROR_BOARD". It is never NULL and never freed.
#[unsafe(no_mangle)]
pub extern "C" fn tilebase_code_name(code: i32) -> *const c_char {
    failure::name_of(code).as_ptr()
}

/// Reads a board from text: "8 6 7/2 5 4/3 0 1", "867254301", the arrays of JSON, and more.
///
/// Rows and columns may be 0: then the text tells, or the board is square. Where the text is no
/// board, `*position` is the byte of the text that is wrong, or SIZE_MAX where no single one is;
/// `position` may be NULL.
///
/// Codes: TILEBASE_ERROR_BOARD; TILEBASE_ERROR_ARGUMENT for rows and columns that are no shape or
/// text that is not UTF-8.
///
/// Pointers: `text` leads to text that ends with a zero byte; `board` and `position` to memory that
/// this call has to itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_board_parse(
    text: *const c_char,
    rows: usize,
    cols: usize,
    board: *mut Board,
    position: *mut usize,
) -> Code {
    guarded(|| {
        check_place("board", board)?;
        // SAFETY: as the caller promised.
        let text = unsafe { self::text("text", text) }?;
        // SAFETY: as the caller promised; that it is not null was checked.
        unsafe { write_located(boards::parse(text, rows, cols), board, position) }
    })
}

/// Makes a board of `rows * cols` cells that stand row by row, 0 for the blank.
///
/// Where they are no board, `*position` is the number of the cell that is wrong, from 0, or
/// SIZE_MAX where no single one is; `position` may be NULL.
///
/// Codes: TILEBASE_ERROR_BOARD.
///
/// Pointers: `cells` leads to `rows * cols` bytes; `board` and `position` to memory that this call
/// has to itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_board_from_cells(
    rows: usize,
    cols: usize,
    cells: *const u8,
    board: *mut Board,
    position: *mut usize,
) -> Code {
    guarded(|| {
        check_place("board", board)?;
        let shape = tilebase::Shape::new(rows, cols)?;
        // SAFETY: as the caller promised.
        let cells = unsafe { values("cells", cells, shape.cell_count()) }?;
        // SAFETY: as the caller promised; that it is not null was checked.
        unsafe { write_located(boards::from_cells(shape, cells), board, position) }
    })
}

/// Writes a board as text, such as "8 6 7/2 5 4/3 0 1", with a zero byte at its end.
/// TILEBASE_BOARD_TEXT_SIZE bytes are enough for any board.
///
/// Codes: TILEBASE_ERROR_BOARD; TILEBASE_ERROR_BUFFER, and nothing is written.
///
/// Pointers: `board` leads to a board, and `text` to `size` bytes that this call has to itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_board_format(
    board: *const Board,
    text: *mut c_char,
    size: usize,
) -> Code {
    guarded(|| {
        // SAFETY: as the caller promised.
        let board = unsafe { self::board("board", board) }?;
        check_place("text", text)?;
        // SAFETY: as the caller promised.
        let text = unsafe { values_mut("text", text.cast::<u8>(), size) }?;
        write_text("text", text, &board.to_string())
    })
}

/// Makes moves on a board: letters U, R, D and L, for the direction that a tile moves in, as
/// tilebase_solve writes them.
///
/// Where they cannot be made, the board stays as it was, and `*position` is the number of the first
/// move that is wrong, from 0; `position` may be NULL.
///
/// Codes: TILEBASE_ERROR_BOARD, TILEBASE_ERROR_MOVES.
///
/// Pointers: `board` leads to a board that this call has to itself, as has `position`; `moves` to
/// text that ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_board_apply(
    board: *mut Board,
    moves: *const c_char,
    position: *mut usize,
) -> Code {
    guarded(|| {
        // SAFETY: as the caller promised.
        let begin = unsafe { self::board("board", board.cast_const()) }?;
        // SAFETY: as the caller promised.
        let moves = unsafe { text("moves", moves) }?;
        // SAFETY: as the caller promised; that it is not null was checked.
        unsafe { write_located(boards::apply(&begin, moves), board, position) }
    })
}

/// Opens the tables of a spec for one goal, from a folder, and builds those that are missing if the
/// flags say so.
///
/// It returns when every table was checked, so that no later call waits for that. On TILEBASE_OK
/// `*tables` is a handle that the caller frees by tilebase_tables_free; otherwise it is NULL. The
/// options, and what they lead to, are not needed any more when it returns.
///
/// Files must stay as they are while they are mapped: they may be removed, or replaced by a rename,
/// but not written to or cut short. TILEBASE_OPEN_COPY does without that.
///
/// Codes: TILEBASE_ERROR_ARGUMENT, TILEBASE_ERROR_STRUCT_SIZE, TILEBASE_ERROR_BOARD (goal and spec
/// have other shapes), TILEBASE_ERROR_SPEC, TILEBASE_ERROR_MISSING, TILEBASE_ERROR_TABLE,
/// TILEBASE_ERROR_NO_ROOM, TILEBASE_ERROR_SYSTEM, TILEBASE_ERROR_BUILD, TILEBASE_ERROR_CANCELLED.
///
/// Pointers: `options` leads to options whose size is set and whose pointers are NULL or lead to
/// what they say; `tables` to memory that this call has to itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_tables_open(
    options: *const OpenOptions,
    tables: *mut *mut Tables,
) -> Code {
    guarded(|| {
        check_place("tables", tables)?;
        // SAFETY: that it is not null was checked, so it leads to memory for a pointer.
        unsafe { tables.write(ptr::null_mut()) };
        // SAFETY: as the caller promised.
        let options = unsafe { read_grown(options) }?;
        let calls = Calls(Arc::new(Receiver {
            progress: options.progress,
            data: options.progress_data,
            turn: Mutex::new(true),
        }));
        let receiver = Arc::clone(&calls.0);
        // SAFETY: as the caller promised.
        let wish = unsafe { wish_of(&options) }?;
        let opened = wish.open(move |table, share| receiver.tell(table, share))?;
        // SAFETY: as above.
        unsafe { tables.write(Box::into_raw(Box::new(opened))) };
        Ok(())
    })
}

/// Opens the tables of a spec for one goal from table files that are in memory, in any order.
/// Nothing is read from a folder, and nothing is built.
///
/// The bytes are used where they are: they must stay there, unchanged, until the handle is freed.
/// With TILEBASE_OPEN_COPY they are copied, and not needed any more when it returns. They need no
/// alignment.
///
/// Where the options name no spec, the best one serves whose tables are all there. All else is as
/// for tilebase_tables_open; a table of the spec that is not among the files is
/// TILEBASE_ERROR_MISSING, and bytes that are no whole table are TILEBASE_ERROR_TABLE.
///
/// Pointers: As for tilebase_tables_open; `files` leads to `file_count` structures, each of which
/// leads to so many bytes as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_tables_open_memory(
    options: *const OpenOptions,
    files: *const Bytes,
    file_count: usize,
    tables: *mut *mut Tables,
) -> Code {
    guarded(|| {
        check_place("tables", tables)?;
        // SAFETY: that it is not null was checked, so it leads to memory for a pointer.
        unsafe { tables.write(ptr::null_mut()) };
        // SAFETY: as the caller promised.
        let options = unsafe { read_grown(options) }?;
        // SAFETY: as the caller promised.
        let files = unsafe { values("files", files, file_count) }?;
        let bytes = |file: &Bytes| -> Result<&'static [u8], Failure> {
            // SAFETY: as the caller promised, the bytes stay as they are until the handle is freed, and so outlive all that
            // is made of them: the handle owns the tables, no thread is left when a call returns, and nothing
            // else keeps them. If they are to be copied or opening fails, they are not used after this call.
            unsafe { values("data", file.data.cast::<u8>(), file.size) }
        };
        let files = files.iter().map(bytes).collect::<Result<Vec<_>, _>>()?;
        // SAFETY: as the caller promised.
        let opened = unsafe { wish_of(&options) }?.open_memory(&files)?;
        // SAFETY: as above.
        unsafe { tables.write(Box::into_raw(Box::new(opened))) };
        Ok(())
    })
}

/// Frees tables. NULL is fine. No other thread may use them any more, and using them afterwards is
/// undefined behaviour.
///
/// Pointers: `tables` is NULL or came from this library, is freed for the first time, and nobody
/// uses it now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_tables_free(tables: *mut Tables) {
    guarded_or((), || {
        if !tables.is_null() {
            // SAFETY: it came from `Box::into_raw`, and the caller gives it back.
            drop(unsafe { Box::from_raw(tables) });
        }
    });
}

/// The name of the spec or heuristic that boards are looked up in: that of the options, or the one
/// that was chosen. It is valid until the tables are freed; NULL where `tables` is NULL.
///
/// Pointers: `tables` is NULL or an open handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_tables_spec(tables: *const Tables) -> *const c_char {
    // SAFETY: as the caller promised.
    unsafe { tables.as_ref() }.map_or(ptr::null(), |tables| tables.spec().as_ptr())
}

/// The bytes of all tables together; 0 where `tables` is NULL.
///
/// Pointers: `tables` is NULL or an open handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_tables_bytes(tables: *const Tables) -> u64 {
    // SAFETY: as the caller promised.
    unsafe { tables.as_ref() }.map_or(0, Tables::bytes)
}

/// The goal that boards are solved to, which also tells their shape.
///
/// Pointers: `tables` is NULL or an open handle; `goal` leads to memory that this call has to
/// itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_tables_goal(tables: *const Tables, goal: *mut Board) -> Code {
    guarded(|| {
        check_place("goal", goal)?;
        // SAFETY: as the caller promised.
        let tables = unsafe { reference("tables", tables) }?;
        // SAFETY: as the caller promised; that it is not null was checked.
        unsafe { goal.write(Board::of(tables.goal().board())) };
        Ok(())
    })
}

/// Looks a board up: a lower bound of the moves to the goal, without a search. It is
/// TILEBASE_INFINITE for a board that has no solution. (A learned heuristic, net:FILE, gives no lower
/// bound but a guess.)
///
/// It allocates nothing, and takes a system call for each mapped table, which tells whether its
/// file is still the same; tilebase_estimate_all does that once for many boards.
///
/// Codes: TILEBASE_ERROR_BOARD; TILEBASE_ERROR_TABLE for a table that turns out to be damaged or
/// was written to.
///
/// Pointers: `tables` is an open handle, `board` leads to a board, and `estimate` to memory that
/// this call has to itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_estimate(
    tables: *const Tables,
    board: *const Board,
    estimate: *mut u32,
) -> Code {
    guarded(|| {
        check_place("estimate", estimate)?;
        // SAFETY: as the caller promised.
        let tables = unsafe { reference("tables", tables) }?;
        // SAFETY: as the caller promised.
        let board = unsafe { self::board("board", board) }?;
        let found = tables.estimate(&board)?;
        // SAFETY: as the caller promised; that it is not null was checked.
        unsafe { estimate.write(found) };
        Ok(())
    })
}

/// Looks `count` boards up, as tilebase_estimate does one. `cells` has the cells of all of them,
/// one board after another, each row by row and of the tables' shape, and `estimates` room for a
/// number each.
///
/// It allocates nothing and starts no thread; several threads may share out the boards among
/// themselves. It ends at the first board that is none: then `*position` is its number, from 0, and
/// the boards before have their estimates, which count if the tables are not damaged. `position`
/// may be NULL.
///
/// Codes: TILEBASE_ERROR_BOARD, TILEBASE_ERROR_TABLE (no estimate counts; `*position` is SIZE_MAX),
/// TILEBASE_ERROR_ARGUMENT for more boards than memory holds.
///
/// Pointers: `tables` is an open handle, `cells` leads to `count` times as many bytes as its boards
/// have cells, `estimates` to `count` numbers that this call has to itself, as has `position`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_estimate_all(
    tables: *const Tables,
    cells: *const u8,
    count: usize,
    estimates: *mut u32,
    position: *mut usize,
) -> Code {
    guarded(|| {
        // SAFETY: as the caller promised.
        let tables = unsafe { reference("tables", tables) }?;
        let cell_count = tables.goal().shape().cell_count();
        let byte_count = count.checked_mul(cell_count);
        let too_many = || Failure::argument(format!("no memory holds {count} boards"));
        // SAFETY: as the caller promised.
        let cells = unsafe { values("cells", cells, byte_count.ok_or_else(too_many)?) }?;
        // SAFETY: as the caller promised.
        let estimates = unsafe { values_mut("estimates", estimates, count) }?;
        let mut wrong = None;
        let result = tables.estimate_all(cells, estimates, &mut wrong);
        if result.is_err() {
            // SAFETY: as the caller promised.
            unsafe { write_if_there(position, wrong.unwrap_or(usize::MAX)) };
        }
        result
    })
}

/// Solves a board, with as few moves as possible.
///
/// A board without a solution, a limit and a cancelled search are answers, not errors:
/// `answer->status` tells.
///
/// `moves` takes the letters of the moves, U, R, D and L for the direction that a tile moves in,
/// and a zero byte; where no moves were found it is "". TILEBASE_MOVES_SIZE bytes are enough. If
/// `size` is too small for them, the code is TILEBASE_ERROR_BUFFER, `*answer` is there, and
/// `answer->length + 1` bytes are needed. Who only wants the answer gives NULL and 0. `options` may
/// be NULL: then there are no limits.
///
/// It starts threads, as many as the options say, which have ended when it returns.
///
/// Codes: TILEBASE_ERROR_BOARD, TILEBASE_ERROR_STRUCT_SIZE, TILEBASE_ERROR_BUFFER;
/// TILEBASE_ERROR_TABLE for a table that turns out to be damaged or was written to;
/// TILEBASE_ERROR_SYSTEM.
///
/// Pointers: `tables` is an open handle and `board` leads to a board; `options` and `answer` lead
/// to structures whose size is set, `moves` to `size` bytes. The call has `answer` and `moves` to
/// itself.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_solve(
    tables: *const Tables,
    board: *const Board,
    options: *const SolveOptions,
    moves: *mut c_char,
    size: usize,
    answer: *mut Answer,
) -> Code {
    guarded(|| {
        // SAFETY: as the caller promised.
        let tables = unsafe { reference("tables", tables) }?;
        // SAFETY: as the caller promised.
        let board = unsafe { self::board("board", board) }?;
        // SAFETY: as the caller promised.
        unsafe { check_answer(answer) }?;
        let options = if options.is_null() {
            SolveOptions::default()
        } else {
            // SAFETY: as the caller promised.
            unsafe { read_grown(options) }?
        };
        // SAFETY: as the caller promised.
        let buffer = unsafe { values_mut("moves", moves.cast::<u8>(), size) }?;
        let bounds = Bounds {
            threads: options.threads,
            time_ms: options.time_ms,
            nodes: options.nodes,
            // SAFETY: as the caller promised.
            cancel: unsafe { cancel_of(options.cancel) },
        };
        let (found, letters) = tables.solve(&board, &bounds)?;
        // SAFETY: as the caller promised; its size was checked.
        unsafe { write_answer(answer, found) }?;
        if moves.is_null() { Ok(()) } else { write_text("moves", buffer, &letters) }
    })
}

/// Makes a handle that stops builds and searches which it is given to. The caller frees it by
/// tilebase_cancel_free. It is NULL only where the library has a mistake.
#[unsafe(no_mangle)]
pub extern "C" fn tilebase_cancel_new() -> *mut Cancel {
    let make = || Box::into_raw(Box::new(Cancel(tilebase::Cancel::new())));
    guarded_or(ptr::null_mut(), make)
}

/// Stops all work that the handle was given to, and all that it will be given to, as soon as that
/// looks: within milliseconds. Any thread may call this, and so may a signal handler. NULL is fine.
///
/// Pointers: `cancel` is NULL or a handle that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_cancel_now(cancel: *const Cancel) {
    // SAFETY: as the caller promised.
    if let Some(cancel) = unsafe { cancel.as_ref() } {
        cancel.0.cancel();
    }
}

/// Makes a handle stop nothing any more, so that it can be used again. NULL is fine.
///
/// Pointers: `cancel` is NULL or a handle that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_cancel_reset(cancel: *const Cancel) {
    // SAFETY: as the caller promised.
    if let Some(cancel) = unsafe { cancel.as_ref() } {
        cancel.0.flag().store(false, Ordering::Relaxed);
    }
}

/// Whether the handle stops what it is given to: 1 or 0; 0 where it is NULL.
///
/// Pointers: `cancel` is NULL or a handle that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_cancel_is_set(cancel: *const Cancel) -> i32 {
    // SAFETY: as the caller promised.
    unsafe { cancel.as_ref() }.is_some_and(|cancel| cancel.0.is_cancelled()).into()
}

/// Frees a handle. NULL is fine. No call that it was given to may be under way.
///
/// Pointers: `cancel` is NULL or came from this library, is freed for the first time, and nobody
/// uses it now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_cancel_free(cancel: *mut Cancel) {
    guarded_or((), || {
        if !cancel.is_null() {
            // SAFETY: it came from `Box::into_raw`, and the caller gives it back.
            drop(unsafe { Box::from_raw(cancel) });
        }
    });
}

/// What a handle stands for; one that nobody cancels where it is null.
///
/// # Safety
///
/// A pointer that is not null leads to a handle that was not freed.
unsafe fn cancel_of(cancel: *const Cancel) -> tilebase::Cancel {
    // SAFETY: as promised.
    unsafe { cancel.as_ref() }.map(|cancel| cancel.0.clone()).unwrap_or_default()
}

/// What options ask for.
///
/// # Safety
///
/// The pointers of the options are null or lead to what they say, during `'a`.
unsafe fn wish_of<'a>(options: &OpenOptions) -> Result<Wish<'a>, Failure> {
    Ok(Wish {
        flags: options.flags,
        // SAFETY: as promised.
        folder: unsafe { optional_text("folder", options.folder) }?,
        // SAFETY: as promised.
        spec: unsafe { optional_text("spec", options.spec) }?,
        // SAFETY: as promised.
        goal: unsafe { optional_text("goal", options.goal) }?,
        rows: options.rows,
        cols: options.cols,
        threads: options.threads,
        memory_bytes: options.memory_bytes,
        // SAFETY: as promised.
        cancel: unsafe { cancel_of(options.cancel) },
    })
}

/// Writes a board, or where it is wrong.
///
/// # Safety
///
/// `board` may be written to, and so may `position` if it is not null.
unsafe fn write_located(
    result: Result<Board, Located>,
    board: *mut Board,
    position: *mut usize,
) -> Result<(), Failure> {
    match result {
        Ok(made) => {
            // SAFETY: as promised.
            unsafe { board.write(made) };
            Ok(())
        }
        Err(Located { failure, position: at }) => {
            // SAFETY: as promised.
            unsafe { write_if_there(position, at.unwrap_or(usize::MAX)) };
            Err(failure)
        }
    }
}
