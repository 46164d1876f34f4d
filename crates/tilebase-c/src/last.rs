//! Text of a thread's last call, which the library keeps for the caller.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::thread::LocalKey;

type Text = RefCell<CString>;

thread_local! {
    /// Message of this thread's last failed call.
    pub(crate) static MESSAGE: Text = RefCell::default();
    /// Letters of the moves of this thread's last answer.
    pub(crate) static MOVES: Text = RefCell::default();
}

/// Keeps a text until the next one.
pub(crate) fn keep(place: &'static LocalKey<Text>, text: &str) {
    let text = CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default();
    // A thread that is about to end keeps no text.
    let _ = place.try_with(|kept| kept.replace(text));
}

/// Returns the text that was kept last.
pub(crate) fn pointer(place: &'static LocalKey<Text>) -> *const c_char {
    place.try_with(|kept| kept.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}
