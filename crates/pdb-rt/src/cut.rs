//! Staying alive when somebody cuts a mapped file short.
//!
//! A page of a mapped file that is no longer there ends the process at the next touch: the system sends
//! `SIGBUS`. A program that would rather go on says so once ([`outlive_cut_files`]). From then on,
//!
//! 1. each map is entered into a list that can be read by a signal handler: it takes no lock;
//! 2. the handler finds the map of the address, puts memory of zeros in the place of the whole map, marks
//!    it, and returns: the touch is made again and finds a zero;
//! 3. whoever asks ([`Table::check_len`](crate::Table::check_len), [`has_lost_pages`]) is told.
//!
//! Look-ups stay within a table whatever it holds, so what was under way ends, and with an answer that
//! means nothing: ask before an answer is believed.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// More maps than these at once are not guarded.
const MAPS_MAX: usize = 256;

/// A place in the list of maps.
struct Slot {
    /// 0 when the place is free, [`RESERVED`] when it is being filled or emptied.
    start: AtomicUsize,
    end: AtomicUsize,
    is_cut: AtomicBool,
}

/// No map starts there.
const RESERVED: usize = 1;

static MAPS: [Slot; MAPS_MAX] = [const {
    Slot { start: AtomicUsize::new(0), end: AtomicUsize::new(0), is_cut: AtomicBool::new(false) }
}; MAPS_MAX];

static HAS_LOST_PAGES: AtomicBool = AtomicBool::new(false);

/// Whether any table of this process, open or closed by now, lost pages that were then touched. It stays
/// so: what was worked out since the last `false` may be wrong.
///
/// Always false where [`outlive_cut_files`] was not called.
pub fn has_lost_pages() -> bool {
    HAS_LOST_PAGES.load(Ordering::SeqCst)
}

/// A map in the list, until it is dropped.
#[derive(Debug)]
pub(crate) struct Guarded(Option<usize>);

impl Guarded {
    /// Enters a map into the list, where there is a place. Its owner must drop this before the map.
    pub(crate) fn new(map: &[u8]) -> Self {
        let range = map.as_ptr_range();
        let (start, end) = (range.start as usize, range.end as usize);
        let take = |slot: &&Slot| {
            let (free, order) = (0, Ordering::SeqCst);
            slot.start.compare_exchange(free, RESERVED, order, order).is_ok()
        };
        let place = MAPS.iter().position(|slot| take(&slot));
        if let Some(slot) = place.map(|place| &MAPS[place]) {
            slot.is_cut.store(false, Ordering::SeqCst);
            slot.end.store(end, Ordering::SeqCst);
            slot.start.store(start, Ordering::SeqCst);
        }
        Self(place)
    }

    /// Whether pages of the map were gone when they were touched.
    pub(crate) fn is_cut(&self) -> bool {
        self.0.is_some_and(|place| MAPS[place].is_cut.load(Ordering::SeqCst))
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        if let Some(slot) = self.0.map(|place| &MAPS[place]) {
            slot.start.store(RESERVED, Ordering::SeqCst);
            slot.start.store(0, Ordering::SeqCst);
        }
    }
}

/// The map that an address is in.
fn map_of(address: usize) -> Option<(&'static Slot, Range<usize>)> {
    MAPS.iter().find_map(|slot| {
        let range = slot.start.load(Ordering::SeqCst)..slot.end.load(Ordering::SeqCst);
        (range.start > RESERVED && range.contains(&address)).then_some((slot, range))
    })
}

/// From now on this process survives a mapped table that is cut short: what is gone reads as zeros,
/// [`has_lost_pages`] becomes true, and [`Table::check_len`](crate::Table::check_len) of that table is an
/// error. Tables that are open already are included. Any other `SIGBUS` goes where it went before.
///
/// This changes what a signal does for the whole process, so it is for programs, not for libraries.
///
/// # Errors
/// [`io::ErrorKind::Unsupported`] on other systems than Linux; what the system says to the handler.
pub fn outlive_cut_files() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    return linux::handle();
    #[cfg(not(target_os = "linux"))]
    return Err(io::ErrorKind::Unsupported.into());
}

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::{c_int, c_void};
    use std::io;
    use std::ptr;
    use std::sync::OnceLock;
    use std::sync::atomic::Ordering;

    use super::{HAS_LOST_PAGES, map_of};

    /// What the signal did before.
    static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

    pub(super) fn handle() -> io::Result<()> {
        if BEFORE.get().is_some() {
            return Ok(());
        }
        // SAFETY: `sigaction` is a plain C structure, for which zeros are a valid value.
        let mut before: libc::sigaction = unsafe { std::mem::zeroed() };
        // SAFETY: with no new action this only reads the present one into `before`.
        let read = unsafe { libc::sigaction(libc::SIGBUS, ptr::null(), &raw mut before) };
        if read != 0 {
            return Err(io::Error::last_os_error());
        }
        if BEFORE.set(before).is_err() {
            return Ok(());
        }
        // SAFETY: as above.
        let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
        action.sa_sigaction = on_bus_error as *const () as libc::sighandler_t;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        // SAFETY: the handler has the signature that SA_SIGINFO asks for and does only what a handler
        // may; the mask is empty.
        if unsafe { libc::sigaction(libc::SIGBUS, &raw const action, ptr::null_mut()) } != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(())
    }

    /// Runs in the middle of anything: atomics, `mmap` and `sigaction` only, no allocation, no lock.
    extern "C" fn on_bus_error(signal: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
        // SAFETY: the system hands over a valid `info`, of which a SIGBUS has the code and, when it is
        // sent for a touch of memory, the address.
        let (is_touch, address) = unsafe { ((*info).si_code > 0, (*info).si_addr() as usize) };
        if is_touch && let Some((slot, range)) = map_of(address) {
            // SAFETY: reading the place of the thread's error number.
            let errno = unsafe { libc::__errno_location() };
            // SAFETY: the place is valid; whoever was interrupted may be about to read it.
            let before = unsafe { *errno };
            // SAFETY: the range is one whole file map of ours, which nobody unmaps while its slot names
            // it. It is replaced by memory of the same extent that may be read as well; all that is
            // ever done with it is to read plain bytes and to unmap it.
            let zeros = unsafe {
                libc::mmap(
                    range.start as *mut c_void,
                    range.len(),
                    libc::PROT_READ,
                    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED,
                    -1,
                    0,
                )
            };
            // SAFETY: as above.
            unsafe { *errno = before };
            if zeros != libc::MAP_FAILED {
                slot.is_cut.store(true, Ordering::SeqCst);
                HAS_LOST_PAGES.store(true, Ordering::SeqCst);
                return;
            }
        }
        // Not ours: as if we were not here. A touch is made again on return; a signal that was sent is
        // sent again.
        if let Some(before) = BEFORE.get() {
            // SAFETY: what was valid before is so again.
            unsafe { libc::sigaction(libc::SIGBUS, before, ptr::null_mut()) };
        }
        if !is_touch {
            // SAFETY: raising a signal is allowed anywhere.
            unsafe { libc::raise(signal) };
        }
    }
}
