//! The caller's function that is called during builds.

use std::ffi::{CString, c_char, c_void};
use std::sync::{Arc, Mutex, PoisonError};

/// Function that is called while tables are built. `data` is `progress_data` of the options.
/// `table` is the name of the table's file, valid during the call. `share` is the finished share of
/// this table, from 0 to 1.
///
/// Calls may come from other threads than the one that waits for the tables, but never two at once.
/// The function must return normally: it must neither throw nor use longjmp. It must not free a
/// handle. It may cancel the build.
pub type Progress =
    Option<unsafe extern "C" fn(data: *mut c_void, table: *const c_char, share: f64)>;

/// The caller's function and its data.
struct Receiver {
    function: Progress,
    data: *mut c_void,
    /// False once the call that was given the function is over. Locked during a call of the
    /// function, so that calls come one after another.
    is_open: Mutex<bool>,
}

// SAFETY: the pointer is never followed here, only handed back to the caller's function, which by
// its contract may be called by other threads.
unsafe impl Send for Receiver {}

// SAFETY: as above; calls come one after another.
unsafe impl Sync for Receiver {}

/// A receiver of progress for the time of one call: no function is called after this is dropped.
pub(crate) struct ProgressScope(Arc<Receiver>);

impl ProgressScope {
    /// Creates the scope of a call that opens tables.
    ///
    /// # Safety
    /// Any thread may call `function` with `data` until the scope is dropped.
    pub(crate) unsafe fn new(function: Progress, data: *mut c_void) -> Self {
        Self(Arc::new(Receiver { function, data, is_open: Mutex::new(true) }))
    }

    /// Returns a closure that passes a table's name and the share that is done on to the function.
    pub(crate) fn report(&self) -> impl Fn(&str, f64) + Send + Sync + 'static {
        let receiver = Arc::clone(&self.0);
        move |table, share| {
            if let (Some(function), Ok(table)) = (receiver.function, CString::new(table)) {
                let is_open = receiver.is_open.lock().unwrap_or_else(PoisonError::into_inner);
                if *is_open {
                    // SAFETY: as promised to `new`; dropping the scope waits for this lock.
                    unsafe { function(receiver.data, table.as_ptr(), share) };
                }
            }
        }
    }
}

impl Drop for ProgressScope {
    fn drop(&mut self) {
        *self.0.is_open.lock().unwrap_or_else(PoisonError::into_inner) = false;
    }
}
