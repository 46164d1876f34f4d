//! The functions that a page's script calls, and those that it provides.
//!
//! Texts and bytes are passed as a pointer and a length in the module's memory. The unsafe code of
//! this crate is here. The script is part of this project: `tilebase-serve/page/web/worker.js`.
#![allow(unsafe_code, reason = "a script calls it with places in memory, and it calls the script")]

use std::panic;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::{Host, PageSolver};

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Returns the milliseconds since any fixed moment. They never go back.
    safe fn now() -> f64;
    /// Fills memory with random bytes.
    fn random(bytes: *mut u8, len: usize);
    /// Begins a response.
    fn head(status: u32, content_type: *const u8, len: usize);
    /// Sends a part of the response.
    fn chunk(part: *const u8, len: usize);
    /// Stores a table file.
    fn table(name: *const u8, name_len: usize, file: *const u8, len: usize);
    /// Reads the first bytes of a file, as [`Host::read`]. Returns 1, or 0 if it has fewer.
    fn read(name: *const u8, name_len: usize, bytes: *mut u8, len: usize) -> u32;
    /// Writes the digits of the expected digest of a table file. Returns 1, or 0 if it is unknown.
    fn digest(name: *const u8, name_len: usize, digits: *mut u8, len: usize) -> u32;
    /// Keeps the text of a panic.
    fn log(text: *const u8, len: usize);
}

/// Hexadecimal digits of a digest.
const DIGEST_CHARS: usize = 64;

/// The page's script.
#[derive(Debug)]
struct PageScript;

// SAFETY of all calls below: each pointer and its length are those of a slice that lives until the
// call returns. The script reads or writes nothing else, and keeps no pointer.
impl Host for PageScript {
    fn start(&self, status: u16, content_type: &str) {
        // SAFETY: see above.
        unsafe { head(status.into(), content_type.as_ptr(), content_type.len()) };
    }

    fn send(&self, part: &[u8]) {
        // SAFETY: see above.
        unsafe { chunk(part.as_ptr(), part.len()) };
    }

    fn store(&self, name: &str, file: &[u8]) {
        // SAFETY: see above.
        unsafe { table(name.as_ptr(), name.len(), file.as_ptr(), file.len()) };
    }

    fn read(&self, name: &str, len: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; len];
        // SAFETY: see above; every byte is a valid `u8`.
        let is_read = unsafe { read(name.as_ptr(), name.len(), bytes.as_mut_ptr(), len) == 1 };
        is_read.then_some(bytes)
    }

    fn known_digest(&self, name: &str) -> Option<String> {
        let mut digits = vec![0; DIGEST_CHARS];
        let place = digits.as_mut_ptr();
        // SAFETY: see above; every byte is a valid `u8`.
        let is_known = unsafe { digest(name.as_ptr(), name.len(), place, digits.len()) == 1 };
        is_known.then(|| String::from_utf8(digits).unwrap_or_default())
    }

    fn random(&self) -> u64 {
        let mut bytes = [0; 8];
        // SAFETY: see above; every byte is a valid `u8`.
        unsafe { random(bytes.as_mut_ptr(), bytes.len()) };
        u64::from_le_bytes(bytes)
    }
}

/// Returns the solver. The first call makes it.
fn solver() -> &'static PageSolver {
    static SOLVER: OnceLock<PageSolver> = OnceLock::new();
    SOLVER.get_or_init(|| {
        pdb_clock::set_clock(|| Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default());
        panic::set_hook(Box::new(|info| {
            let text = info.to_string();
            // SAFETY: as in `PageScript`.
            unsafe { log(text.as_ptr(), text.len()) };
        }));
        PageSolver::new(Arc::new(PageScript))
    })
}

/// # Safety
/// The pointer and the length are those of memory from [`allocate`] that the script has filled.
unsafe fn text<'a>(text: *const u8, len: usize) -> &'a str {
    // SAFETY: that is the contract of this function.
    let bytes = unsafe { std::slice::from_raw_parts(text, len) };
    std::str::from_utf8(bytes).unwrap_or_default()
}

/// Returns zeroed memory for a text.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(len: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; len].into_boxed_slice()).cast()
}

/// Frees memory.
///
/// # Safety
/// The pointer and the length are those of a call of [`allocate`], and are not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(bytes: *mut u8, len: usize) {
    // SAFETY: `allocate` made this box of that length.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(bytes, len)) });
}

/// Sets the number of bytes that the page can store.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: f64) {
    solver().set_room(bytes as u64);
}

/// Takes note of a stored table file.
///
/// # Safety
/// Name and length are those of memory from [`allocate`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn offer(name: *const u8, name_len: usize, file_bytes: f64) {
    // SAFETY: that is the contract of this function.
    solver().offer(unsafe { text(name, name_len) }, file_bytes as u64);
}

/// Answers a request.
///
/// # Safety
/// Request and length are those of memory from [`allocate`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn answer(request: *const u8, len: usize) {
    // SAFETY: that is the contract of this function.
    solver().answer(unsafe { text(request, len) });
}

/// Runs the build with a number, in decimal digits.
///
/// # Safety
/// The digits and their length are those of memory from [`allocate`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn build(id: *const u8, len: usize) {
    // SAFETY: that is the contract of this function.
    if let Ok(id) = unsafe { text(id, len) }.parse() {
        solver().build(id);
    }
}
