//! The functions, as the header has them. Each turns pointers into references, does its work in
//! safe code behind [`guarded`], and writes the results.
//!
//! The comments on what is public are the header's.
#![allow(unsafe_code, reason = "C calls it with pointers")]
#![allow(clippy::doc_markdown, reason = "C marks up no names")]
#![allow(clippy::missing_safety_doc, reason = "they call it \"Pointers\", which C people know")]

use std::ffi::c_char;
use std::ptr;
use std::sync::atomic::Ordering;

use crate::boards;
use crate::callbacks::CallbackScope;
use crate::failure::{self, Failure, guarded, guarded_or};
use crate::last;
use crate::pointers::{
    answer_size, board, optional_text, place, position_place, read_options, reference, text,
    values, values_mut, write_answer, write_text,
};
use crate::tables::{OpenRequest, Tables};
use crate::types::{Answer, Board, Bytes, Cancel, Code, OpenOptions, SolveOptions, TILEBASE_ABI};

/// Returns the version of the library, such as "0.1.0". It is never freed. Any thread may call this
/// at any time.
#[unsafe(no_mangle)]
pub extern "C" fn tilebase_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Returns the version of the library's interface: `TILEBASE_ABI` of the header that the library
/// was compiled with. A program is compatible with the library if its own number is the same.
#[unsafe(no_mangle)]
pub extern "C" fn tilebase_abi() -> u32 {
    TILEBASE_ABI
}

/// Returns the message of this thread's last failed call: what was expected, what was found, what
/// to do. It is never NULL, and "" before the first failure. It is valid until the next failure or
/// the end of the thread.
#[unsafe(no_mangle)]
pub extern "C" fn tilebase_message() -> *const c_char {
    last::pointer(&last::MESSAGE)
}

/// Returns the name of a code, such as "TILEBASE_ERROR_BOARD". It is never NULL and never freed.
#[unsafe(no_mangle)]
pub extern "C" fn tilebase_code_name(code: i32) -> *const c_char {
    failure::name_of(code).as_ptr()
}

/// Reads a board from text in any notation: "8 6 7/2 5 4/3 0 1", "867254301", JSON arrays, and
/// more.
///
/// If rows and columns are 0, the text gives them, or the board is square. If the text is not a
/// board, `*position` is the index of the first wrong byte: of a repeated tile, the second copy. It
/// is SIZE_MAX if no single byte is wrong, and after success. `position` may be NULL.
///
/// Codes: TILEBASE_ERROR_BOARD; TILEBASE_ERROR_ARGUMENT for rows and columns that are not a
/// supported shape, or text that is not UTF-8.
///
/// Pointers: `text` points to text that ends with a zero byte; `board` and `position` point to
/// memory that nothing else accesses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_board_parse(
    text: *const c_char,
    rows: usize,
    cols: usize,
    board: *mut Board,
    position: *mut usize,
) -> Code {
    // SAFETY: as the caller promised.
    unsafe { tilebase_board_parse_with_blank(text, rows, cols, ptr::null(), board, position) }
}

/// Reads a board as tilebase_board_parse does, with another sign of the blank.
///
/// `blank` is the only sign of the blank: a number, such as "-1" or "8", or a character. Beside it,
/// tiles may count from 0; the board counts them from 1, with 0 for the blank. It may be NULL.
///
/// Codes: those of tilebase_board_parse; TILEBASE_ERROR_ARGUMENT also for a `blank` that is
/// neither.
///
/// Pointers: `text` and `blank` point to text that ends with a zero byte; `board` and `position`
/// point to memory that nothing else accesses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_board_parse_with_blank(
    text: *const c_char,
    rows: usize,
    cols: usize,
    blank: *const c_char,
    board: *mut Board,
    position: *mut usize,
) -> Code {
    guarded(|| {
        // SAFETY: as the caller promised.
        let position = unsafe { position_place(position) };
        // SAFETY: as the caller promised.
        let board = unsafe { place("board", board) }?;
        // SAFETY: as the caller promised.
        let text = unsafe { self::text("text", text) }?;
        // SAFETY: as the caller promised.
        let blank = unsafe { optional_text("blank", blank) }?;
        let parsed = boards::parse(text, rows, cols, blank);
        board.write(parsed.map_err(|error| error.report(position))?);
        Ok(())
    })
}

/// Makes a board of `rows * cols` cells, row by row, 0 for the blank.
///
/// If the cells are not a board, `*position` is the index of the first wrong cell: of a repeated
/// tile, the second copy. It is SIZE_MAX if no single cell is wrong, and after success. `position`
/// may be NULL.
///
/// Codes: TILEBASE_ERROR_BOARD; TILEBASE_ERROR_ARGUMENT for rows and columns that are not a
/// supported shape.
///
/// Pointers: `cells` points to `rows * cols` bytes; `board` and `position` point to memory that
/// nothing else accesses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_board_from_cells(
    rows: usize,
    cols: usize,
    cells: *const u8,
    board: *mut Board,
    position: *mut usize,
) -> Code {
    guarded(|| {
        // SAFETY: as the caller promised.
        let position = unsafe { position_place(position) };
        // SAFETY: as the caller promised.
        let board = unsafe { place("board", board) }?;
        let shape = boards::shape_of(rows, cols)?;
        // SAFETY: as the caller promised.
        let cells = unsafe { values("cells", cells, shape.cell_count()) }?;
        board.write(boards::from_cells(shape, cells).map_err(|error| error.report(position))?);
        Ok(())
    })
}

/// Writes a board as text with a zero byte at its end, such as "8 6 7/2 5 4/3 0 1". A buffer of
/// TILEBASE_BOARD_TEXT_SIZE bytes holds any board.
///
/// Codes: TILEBASE_ERROR_BOARD; TILEBASE_ERROR_BUFFER (nothing is written).
///
/// Pointers: `board` points to a board, and `text` to `size` bytes that nothing else accesses
/// during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_board_format(
    board: *const Board,
    text: *mut c_char,
    size: usize,
) -> Code {
    guarded(|| {
        // SAFETY: as the caller promised.
        let board = unsafe { self::board("board", board) }?;
        // SAFETY: as the caller promised.
        let text = unsafe {
            place("text", text)?;
            values_mut("text", text.cast::<u8>(), size)
        }?;
        write_text("text", text, &board.to_string())
    })
}

/// Makes moves on a board. The moves are letters U, R, D and L, the directions of the tiles, as
/// tilebase_solve writes them.
///
/// If a move is impossible, the board stays unchanged, and `*position` is the index of the first
/// wrong move. Otherwise it is SIZE_MAX. `position` may be NULL.
///
/// Codes: TILEBASE_ERROR_BOARD, TILEBASE_ERROR_MOVES.
///
/// Pointers: `board` points to a board and `moves` to text that ends with a zero byte. Nothing else
/// accesses `board` and `position` during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_board_apply(
    board: *mut Board,
    moves: *const c_char,
    position: *mut usize,
) -> Code {
    guarded(|| {
        // SAFETY: as the caller promised.
        let position = unsafe { position_place(position) };
        // SAFETY: as the caller promised.
        let begin = unsafe { self::board("board", board.cast_const()) }?;
        // SAFETY: as the caller promised.
        let moves = unsafe { text("moves", moves) }?;
        let end = boards::apply(&begin, moves).map_err(|error| error.report(position))?;
        // SAFETY: as the caller promised; a board was read from there.
        unsafe { board.write(end) };
        Ok(())
    })
}

/// Opens the tables of a spec for one goal from a folder. With TILEBASE_OPEN_BUILD, builds missing
/// tables.
///
/// When it returns, every table is checked, so that no later call waits for the check. On
/// TILEBASE_OK, `*tables` is a handle that the caller frees with tilebase_tables_free; otherwise it
/// is NULL. The library keeps no pointer to the options or to the memory that they point to.
///
/// Files must stay unchanged while they are mapped: they may be removed, or replaced by a rename,
/// but not written to or truncated. With TILEBASE_OPEN_COPY, they may change after the call.
///
/// Codes: TILEBASE_ERROR_ARGUMENT, TILEBASE_ERROR_STRUCT_SIZE, TILEBASE_ERROR_BOARD (goal and spec
/// have other shapes), TILEBASE_ERROR_SPEC, TILEBASE_ERROR_MISSING, TILEBASE_ERROR_TABLE,
/// TILEBASE_ERROR_NO_ROOM, TILEBASE_ERROR_SYSTEM, TILEBASE_ERROR_BUILD, TILEBASE_ERROR_CANCELLED.
///
/// Pointers: `options` points to options whose size is set and whose pointers are NULL or valid for
/// their fields; `tables` points to memory that nothing else accesses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_tables_open(
    options: *const OpenOptions,
    tables: *mut *mut Tables,
) -> Code {
    guarded(|| {
        // SAFETY: as the caller promised.
        let tables = unsafe { place("tables", tables) }?.write(ptr::null_mut());
        // SAFETY: as the caller promised.
        let request = unsafe { request_of(options) }?;
        let OpenOptions { progress, progress_data, .. } = request.options;
        // SAFETY: the caller promised that the function may be called until this call returns.
        let scope = unsafe { CallbackScope::new(progress, progress_data) };
        *tables = Box::into_raw(Box::new(request.open(scope.report())?));
        Ok(())
    })
}

/// Opens the tables of a spec for one goal from table files in memory, in any order. It reads no
/// folder and builds nothing.
///
/// The bytes are used in place: they must stay there, unchanged, until the handle is freed. With
/// TILEBASE_OPEN_COPY, they are copied, and the caller may free them after the call. They need no
/// alignment.
///
/// If the options name no spec, the call uses the best one whose tables are all given. Everything
/// else is as for tilebase_tables_open. If a table of the spec is not among the files, the code is
/// TILEBASE_ERROR_MISSING; if bytes are not a complete table, it is TILEBASE_ERROR_TABLE.
///
/// Pointers: as for tilebase_tables_open; `files` points to `file_count` structures, and each of
/// these points to as many bytes as its size says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_tables_open_memory(
    options: *const OpenOptions,
    files: *const Bytes,
    file_count: usize,
    tables: *mut *mut Tables,
) -> Code {
    guarded(|| {
        // SAFETY: as the caller promised.
        let tables = unsafe { place("tables", tables) }?.write(ptr::null_mut());
        // SAFETY: as the caller promised.
        let request = unsafe { request_of(options) }?;
        // SAFETY: as the caller promised.
        let files = unsafe { values("files", files, file_count) }?;
        let bytes = |file: &Bytes| -> Result<&'static [u8], Failure> {
            // SAFETY: as the caller promised, the bytes stay unchanged until the handle is freed,
            // and so outlive all that is made of them: the handle owns the tables, no thread is
            // left when a call returns, and nothing else keeps them. If they are copied or opening
            // fails, they are not used after this call.
            unsafe { values("data", file.data.cast::<u8>(), file.size) }
        };
        let files = files.iter().map(bytes).collect::<Result<Vec<_>, _>>()?;
        *tables = Box::into_raw(Box::new(request.open_memory(&files)?));
        Ok(())
    })
}

/// Frees tables. NULL is allowed. No other thread may use them during the call, and using them
/// afterwards is undefined behaviour.
///
/// Pointers: `tables` is NULL or came from this library, is freed for the first time, and is not
/// used now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_tables_free(tables: *mut Tables) {
    // SAFETY: as the caller promised.
    unsafe { free(tables) };
}

/// Returns the name of the spec or heuristic of the look-ups: that of the options, or the one that
/// the library chose. It is valid until the tables are freed. It is NULL if `tables` is NULL.
///
/// Pointers: `tables` is NULL or an open handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_tables_spec(tables: *const Tables) -> *const c_char {
    // SAFETY: as the caller promised.
    unsafe { tables.as_ref() }.map_or(ptr::null(), |tables| tables.spec.as_ptr())
}

/// Returns the size of all tables together in bytes; 0 if `tables` is NULL.
///
/// Pointers: `tables` is NULL or an open handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_tables_bytes(tables: *const Tables) -> u64 {
    // SAFETY: as the caller promised.
    unsafe { tables.as_ref() }.map_or(0, |tables| tables.bytes)
}

/// Gets the goal of the tables, which also gives the shape of their boards.
///
/// Pointers: `tables` is NULL or an open handle; `goal` points to memory that nothing else accesses
/// during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_tables_goal(tables: *const Tables, goal: *mut Board) -> Code {
    guarded(|| {
        // SAFETY: as the caller promised.
        let (goal, tables) = unsafe { (place("goal", goal)?, reference("tables", tables)?) };
        goal.write(Board::of(tables.goal.board()));
        Ok(())
    })
}

/// Looks up a lower bound of the moves from a board to the goal, without a search. The estimate is
/// TILEBASE_INFINITE for a board without a solution. (The estimate of a learned heuristic,
/// net:FILE, may be too large.)
///
/// It allocates nothing. It makes a system call for each mapped table, to check whether the file is
/// unchanged. tilebase_estimate_all makes these calls once for many boards.
///
/// Codes: TILEBASE_ERROR_BOARD; TILEBASE_ERROR_TABLE for a table that is damaged or was written to.
///
/// Pointers: `tables` is an open handle, `board` points to a board, and `estimate` to memory that
/// nothing else accesses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_estimate(
    tables: *const Tables,
    board: *const Board,
    estimate: *mut u32,
) -> Code {
    guarded(|| {
        // SAFETY: as the caller promised.
        let (estimate, tables) =
            unsafe { (place("estimate", estimate)?, reference("tables", tables)?) };
        // SAFETY: as the caller promised.
        let board = unsafe { self::board("board", board) }?;
        estimate.write(tables.estimate(&board)?);
        Ok(())
    })
}

/// Looks up `count` boards, each as tilebase_estimate does. `cells` has the cells of all boards,
/// one board after another, each row by row. All boards have the tables' shape. `estimates` has
/// room for one number per board.
///
/// It allocates nothing and starts no thread; several threads may share the boards among
/// themselves. It ends at the first invalid board. `*position` is then the index of this board, and
/// `estimates` has the estimates of the boards before it, which are right if the tables are not
/// damaged. Otherwise `*position` is SIZE_MAX. `position` may be NULL.
///
/// Codes: TILEBASE_ERROR_BOARD, TILEBASE_ERROR_TABLE (no estimate is valid if `*position` is
/// SIZE_MAX), TILEBASE_ERROR_ARGUMENT for more boards than memory holds.
///
/// Pointers: `tables` is an open handle, `cells` points to the cells of `count` boards, `estimates`
/// to `count` numbers. Nothing else accesses `estimates` and `position` during the call.
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
        let position = unsafe { position_place(position) };
        // SAFETY: as the caller promised.
        let tables = unsafe { reference("tables", tables) }?;
        let byte_count = count.checked_mul(tables.goal.shape().cell_count());
        let too_many = || Failure::argument(format!("no memory holds {count} boards"));
        // SAFETY: as the caller promised.
        let cells = unsafe { values("cells", cells, byte_count.ok_or_else(too_many)?) }?;
        // SAFETY: as the caller promised.
        let estimates = unsafe { values_mut("estimates", estimates, count) }?;
        tables.estimate_all(cells, estimates).map_err(|error| error.report(position))
    })
}

/// Solves a board with as few moves as possible.
///
/// If the board has no solution, a limit is reached or the search is cancelled, the call still
/// returns TILEBASE_OK, and `answer->status` has the reason. If a solution is known by then, the
/// status is TILEBASE_STATUS_SOLVED: `answer->length` is its number of moves, and no solution has
/// fewer than `answer->lower_bound`.
///
/// `moves` receives the letters of the moves and a zero byte: U, R, D and L for the direction of
/// the tile, or "" without a solution. TILEBASE_MOVES_SIZE bytes are enough for any answer. If
/// `size` is too small, the code is TILEBASE_ERROR_BUFFER, `*answer` is set, and tilebase_moves
/// returns the letters. Callers that need no buffer pass NULL and 0. If `options` is NULL, the
/// search has no limits.
///
/// With TILEBASE_OPEN_SLIDES, `answer->length` counts slides, which have one or more letters each.
///
/// It starts as many threads as the options say. All of them have ended when it returns.
///
/// Codes: TILEBASE_ERROR_BOARD, TILEBASE_ERROR_STRUCT_SIZE, TILEBASE_ERROR_BUFFER;
/// TILEBASE_ERROR_TABLE for a table that is damaged or was written to; TILEBASE_ERROR_SYSTEM.
///
/// Pointers: `tables` is an open handle and `board` points to a board; `options` and `answer` point
/// to structures whose size is set, `moves` to `size` bytes. Nothing else accesses `answer` and
/// `moves` during the call. Any thread may call `options->solution` with `options->solution_data`
/// until the call has returned.
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
        let (tables, board) =
            unsafe { (reference("tables", tables)?, self::board("board", board)?) };
        // SAFETY: as the caller promised.
        let answer_size = unsafe { answer_size(answer) }?;
        let options = if options.is_null() {
            SolveOptions::default()
        } else {
            // SAFETY: as the caller promised.
            unsafe { read_options(options) }?
        };
        // SAFETY: as the caller promised.
        let buffer = unsafe { values_mut("moves", moves.cast::<u8>(), size) }?;
        // SAFETY: as the caller promised.
        let cancel = unsafe { cancel_of(options.cancel) };
        // SAFETY: as the caller promised.
        let scope = unsafe { CallbackScope::new(options.solution, options.solution_data) };
        let watch = options.solution.map(|_| scope.watch(cancel.clone()));
        let (found, letters) = tables.solve(&board, &options, cancel, watch)?;
        // SAFETY: as the caller promised; this size was checked.
        unsafe { write_answer(answer, answer_size, found) };
        let written = if moves.is_null() { Ok(()) } else { write_text("moves", buffer, &letters) };
        last::keep(&last::MOVES, &letters);
        written
    })
}

/// Returns the letters of the moves of this thread's last answer, as tilebase_solve writes them,
/// also if its buffer was too small. It is never NULL, and "" before the first answer. It is valid
/// until the next answer or the end of the thread.
#[unsafe(no_mangle)]
pub extern "C" fn tilebase_moves() -> *const c_char {
    last::pointer(&last::MOVES)
}

/// Makes a handle that stops the builds and searches that have it in their options. The caller
/// frees it with tilebase_cancel_free. It is NULL only if the library has a bug.
#[unsafe(no_mangle)]
pub extern "C" fn tilebase_cancel_new() -> *mut Cancel {
    let make = || Box::into_raw(Box::new(Cancel(tilebase::Cancel::new())));
    guarded_or(ptr::null_mut(), make)
}

/// Stops all present and future work that has the handle, within milliseconds. Any thread and any
/// signal handler may call this. NULL is allowed.
///
/// Pointers: `cancel` is NULL or a handle that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_cancel_now(cancel: *const Cancel) {
    // SAFETY: as the caller promised.
    if let Some(cancel) = unsafe { cancel.as_ref() } {
        cancel.0.cancel();
    }
}

/// Resets a handle, so that it can be used again. NULL is allowed.
///
/// Pointers: `cancel` is NULL or a handle that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_cancel_reset(cancel: *const Cancel) {
    // SAFETY: as the caller promised.
    if let Some(cancel) = unsafe { cancel.as_ref() } {
        cancel.0.flag().store(false, Ordering::Relaxed);
    }
}

/// Returns 1 if the handle is set to stop work, and 0 if it is not set or is NULL.
///
/// Pointers: `cancel` is NULL or a handle that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_cancel_is_set(cancel: *const Cancel) -> i32 {
    // SAFETY: as the caller promised.
    unsafe { cancel.as_ref() }.is_some_and(|cancel| cancel.0.is_cancelled()).into()
}

/// Frees a handle. NULL is allowed. No running build or search may have the handle.
///
/// Pointers: `cancel` is NULL or came from this library, is freed for the first time, and is not
/// used now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_cancel_free(cancel: *mut Cancel) {
    // SAFETY: as the caller promised.
    unsafe { free(cancel) };
}

/// Frees a handle, unless it is null.
///
/// # Safety
///
/// A pointer that is not null came from `Box::into_raw`, and is not used any more.
unsafe fn free<T>(handle: *mut T) {
    guarded_or((), || {
        if !handle.is_null() {
            // SAFETY: it came from `Box::into_raw`, and the caller gives it back.
            drop(unsafe { Box::from_raw(handle) });
        }
    });
}

/// Returns the flag of a handle, or one that is never set for a null pointer.
///
/// # Safety
///
/// A pointer that is not null leads to a handle that was not freed.
unsafe fn cancel_of(cancel: *const Cancel) -> tilebase::Cancel {
    // SAFETY: as promised.
    unsafe { cancel.as_ref() }.map(|cancel| cancel.0.clone()).unwrap_or_default()
}

/// Reads options and the texts that they lead to.
///
/// # Safety
///
/// `options` is null or leads to options whose size is set. Their pointers are null or lead to what
/// their fields say, during `'a`.
unsafe fn request_of<'a>(options: *const OpenOptions) -> Result<OpenRequest<'a>, Failure> {
    // SAFETY: as promised.
    let options = unsafe { read_options(options) }?;
    // SAFETY: as promised.
    unsafe {
        Ok(OpenRequest {
            folder: optional_text("folder", options.folder)?,
            spec: optional_text("spec", options.spec)?,
            goal: optional_text("goal", options.goal)?,
            cancel: cancel_of(options.cancel),
            options,
        })
    }
}
