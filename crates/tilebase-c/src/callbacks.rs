//! The caller's functions that are called during builds and searches. The
//! comments on what is public are the header's.
#![allow(unsafe_code, reason = "it calls functions of C")]
#![allow(clippy::doc_markdown, reason = "C marks up no names")]

use std::ffi::{CString, c_char, c_void};
use std::sync::{Arc, Mutex};

use tilebase::Cancel;
use tilebase::event::{Event, Watch};
use tilebase::pdb_core::lock;
use tilebase::text::letters;

/// Function that is called while tables are built. `data` is `progress_data` of the options.
/// `table` is the name of the table's file, valid during the call. `share` is the finished share of
/// this table, from 0 to 1.
///
/// Calls may come from other threads than the one that waits for the tables, but never two at once.
/// The function must return normally: it must neither throw nor use longjmp. It must not free a
/// handle. It may cancel the build.
pub type Progress =
    Option<unsafe extern "C" fn(data: *mut c_void, table: *const c_char, share: f64)>;

/// Function that is called with each solution of a search that is shorter than all before. `data`
/// is `solution_data` of the options. `moves` are the letters of the solution, valid during the
/// call. `length` is its number of moves, which is that of the letters unless TILEBASE_OPEN_SLIDES
/// counts slides. No solution has fewer than `lower_bound` moves. `seconds` is the time since the
/// search began.
///
/// A result other than 0 stops the search, which then has this solution as its answer. If the
/// options have a `cancel`, this also sets it, as tilebase_cancel_now does.
///
/// Calls may come from other threads than the one that waits for the answer, but never two at once.
/// The function must return normally: it must neither throw nor use longjmp. It must not free a
/// handle.
pub type Solution = Option<
    unsafe extern "C" fn(
        data: *mut c_void,
        moves: *const c_char,
        length: u32,
        lower_bound: u32,
        seconds: f64,
    ) -> i32,
>;

/// The caller's function and its data.
struct Receiver<F> {
    function: F,
    data: *mut c_void,
    /// False once the call that was given the function is over. Locked during a call of the
    /// function, so that calls come one after another.
    is_open: Mutex<bool>,
}

// SAFETY: the pointer is never followed here, only handed back to the caller's function, which by
// its contract may be called by other threads.
unsafe impl<F: Send> Send for Receiver<F> {}

// SAFETY: as above; calls come one after another.
unsafe impl<F: Sync> Sync for Receiver<F> {}

impl<F: Copy> Receiver<F> {
    /// Calls the function, unless the call that was given it is over.
    fn call<R>(&self, call: impl FnOnce(F, *mut c_void) -> R) -> Option<R> {
        let is_open = lock(&self.is_open);
        is_open.then(|| call(self.function, self.data))
    }
}

/// A receiver for the time of one call: no function is called after this is dropped.
pub(crate) struct CallbackScope<F>(Arc<Receiver<F>>);

impl<F> CallbackScope<F> {
    /// Creates the scope of a call.
    ///
    /// # Safety
    /// Any thread may call `function` with `data` until the scope is dropped.
    pub(crate) unsafe fn new(function: F, data: *mut c_void) -> Self {
        Self(Arc::new(Receiver { function, data, is_open: Mutex::new(true) }))
    }
}

impl CallbackScope<Progress> {
    /// Returns a closure that passes a table's name and the share that is done on to the function.
    pub(crate) fn report(&self) -> impl Fn(&str, f64) + Send + Sync + 'static {
        let receiver = Arc::clone(&self.0);
        move |table, share| {
            let Ok(table) = CString::new(table) else { return };
            receiver.call(|function, data| {
                if let Some(function) = function {
                    // SAFETY: as promised to `new`; dropping the scope waits for this lock.
                    unsafe { function(data, table.as_ptr(), share) };
                }
            });
        }
    }
}

impl CallbackScope<Solution> {
    /// Returns a receiver that passes each better solution on to the function, and cancels the
    /// search if the function says so.
    pub(crate) fn watch(&self, cancel: Cancel) -> Watch {
        let receiver = Arc::clone(&self.0);
        Watch::new(move |event| {
            let Event::Solution(state) = event else { return };
            let moves = CString::new(letters(state.moves)).unwrap_or_default();
            let (length, seconds) = (state.length() as u32, state.elapsed.as_secs_f64());
            let result = receiver.call(|function, data| match function {
                // SAFETY: as promised to `new`; dropping the scope waits for this lock.
                Some(function) => unsafe {
                    function(data, moves.as_ptr(), length, state.lower_bound, seconds)
                },
                None => 0,
            });
            if result.is_some_and(|result| result != 0) {
                cancel.cancel();
            }
        })
    }
}

impl<F> Drop for CallbackScope<F> {
    fn drop(&mut self) {
        *lock(&self.0.is_open) = false;
    }
}
