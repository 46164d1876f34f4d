//! Mapped files that somebody cuts short or writes to.
//!
//! A page of a mapped file that is no longer there ends the process at the next touch: the system sends
//! `SIGBUS`. A program that would rather go on says so once ([`outlive_cut_files`]). From then on,
//!
//! 1. each map is in a list that can be read by a signal handler: it takes no lock;
//! 2. the handler finds the map of the address, marks it, puts memory of zeros in the place of the whole
//!    map, and returns: the touch is made again and finds a zero;
//! 3. whoever asks ([`Table::check_unchanged`](crate::Table::check_unchanged)) is told.
//!
//! The rest of a page in which a file was cut reads as zeros without a signal, and a file that is written
//! to is read as it is now. So those who ask are told of lengths and times of modification, too.
//!
//! Look-ups stay within a table whatever it holds, so what was under way ends, and with an answer that
//! means nothing: ask before an answer is believed.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::SystemTime;

/// More maps than these at once are not guarded against the signal.
const MAPS_MAX: usize = 256;

/// A place in the list of maps.
struct Slot {
    /// Odd while who owns it writes the range.
    version: AtomicUsize,
    is_taken: AtomicBool,
    start: AtomicUsize,
    end: AtomicUsize,
    is_cut: AtomicBool,
}

static MAPS: [Slot; MAPS_MAX] = [const {
    Slot {
        version: AtomicUsize::new(0),
        is_taken: AtomicBool::new(false),
        start: AtomicUsize::new(0),
        end: AtomicUsize::new(0),
        is_cut: AtomicBool::new(false),
    }
}; MAPS_MAX];

impl Slot {
    fn set(&self, range: Range<usize>) {
        self.version.fetch_add(1, Ordering::SeqCst);
        self.is_cut.store(false, Ordering::SeqCst);
        self.start.store(range.start, Ordering::SeqCst);
        self.end.store(range.end, Ordering::SeqCst);
        self.version.fetch_add(1, Ordering::SeqCst);
    }

    /// The range of its map, unless it is being changed: then it is not that of a map in use.
    fn range(&self) -> Option<Range<usize>> {
        let version = self.version.load(Ordering::SeqCst);
        let range = self.start.load(Ordering::SeqCst)..self.end.load(Ordering::SeqCst);
        let is_whole = version.is_multiple_of(2) && self.version.load(Ordering::SeqCst) == version;
        is_whole.then_some(range)
    }
}

/// What became of a file that is mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// So many bytes are left, or none once a page was gone when it was touched.
    CutShort { len: u64 },
    /// It was written to: its time of modification is another.
    Written,
}

/// A file that is mapped, as it was then.
#[derive(Debug)]
struct Watched {
    file: File,
    len: u64,
    modified: Option<SystemTime>,
    /// Its place in the list that the handler reads.
    place: Option<usize>,
    /// What becomes of the file does not matter any more.
    is_settled: AtomicBool,
}

impl Watched {
    fn change(&self) -> io::Result<Option<Change>> {
        if self.place.is_some_and(|place| MAPS[place].is_cut.load(Ordering::SeqCst)) {
            // What was lost does not come back with the file's length.
            return Ok(Some(Change::CutShort { len: 0 }));
        }
        if self.is_settled.load(Ordering::SeqCst) {
            return Ok(None);
        }
        let metadata = self.file.metadata()?;
        Ok(if metadata.len() < self.len {
            Some(Change::CutShort { len: metadata.len() })
        } else if metadata.modified().ok() != self.modified {
            Some(Change::Written)
        } else {
            None
        })
    }
}

/// A map in the lists, until it is dropped.
#[derive(Debug)]
pub(crate) struct Guarded(Watched);

impl Guarded {
    /// Enters a map into the lists.
    ///
    /// # Safety
    /// `map` is the whole of a read-only map of `file`, and stays so until this is dropped:
    /// memory of zeros may be put in its place.
    pub(crate) unsafe fn new(map: &[u8], file: File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        let take = |slot: &Slot| !slot.is_taken.swap(true, Ordering::SeqCst);
        let place = MAPS.iter().position(take);
        if let Some(place) = place {
            let range = map.as_ptr_range();
            MAPS[place].set(range.start as usize..range.end as usize);
        }
        let (len, modified) = (map.len() as u64, metadata.modified().ok());
        Ok(Self(Watched { file, len, modified, place, is_settled: AtomicBool::new(false) }))
    }

    /// The file.
    pub(crate) fn file(&self) -> &File {
        &self.0.file
    }

    /// From now on what becomes of the file does not matter: its map is one of other memory. A part that was lost
    /// before is still told of.
    pub(crate) fn settle(&self) {
        self.0.is_settled.store(true, Ordering::SeqCst);
    }

    /// What became of the file since it was mapped.
    pub(crate) fn change(&self) -> io::Result<Option<Change>> {
        self.0.change()
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        if let Some(place) = self.0.place {
            MAPS[place].set(0..0);
            MAPS[place].is_taken.store(false, Ordering::SeqCst);
        }
    }
}

/// From now on this process survives a mapped table that is cut short: what is gone reads as zeros,
/// and [`Table::check_unchanged`](crate::Table::check_unchanged) of that table is an error. Tables that are open already are included. Any other `SIGBUS` goes where it went
/// before.
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
    use std::sync::atomic::Ordering;
    use std::sync::{Mutex, OnceLock, PoisonError};

    use super::MAPS;

    /// What the signal did before.
    static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

    pub(super) fn handle() -> io::Result<()> {
        static IS_HANDLED: Mutex<bool> = Mutex::new(false);
        let mut is_handled = IS_HANDLED.lock().unwrap_or_else(PoisonError::into_inner);
        if *is_handled {
            return Ok(());
        }
        // SAFETY: `sigaction` is a plain C structure, for which zeros are a valid value.
        let mut before: libc::sigaction = unsafe { std::mem::zeroed() };
        // SAFETY: with no new action this only reads the present one into `before`.
        if unsafe { libc::sigaction(libc::SIGBUS, ptr::null(), &raw mut before) } != 0 {
            return Err(io::Error::last_os_error());
        }
        BEFORE.get_or_init(|| before);
        // SAFETY: as above.
        let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
        action.sa_sigaction = on_bus_error as *const () as libc::sighandler_t;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        // SAFETY: the handler has the signature that SA_SIGINFO asks for and does only what a handler
        // may; the mask is empty.
        if unsafe { libc::sigaction(libc::SIGBUS, &raw const action, ptr::null_mut()) } != 0 {
            return Err(io::Error::last_os_error());
        }
        *is_handled = true;
        Ok(())
    }

    /// Runs in the middle of anything: atomics, `mmap` and `sigaction` only, no allocation, no lock.
    extern "C" fn on_bus_error(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
        // SAFETY: the system hands over a valid `info`, of which a SIGBUS has the code and, when it is
        // sent for a touch of memory, the address.
        let (is_touch, address) = unsafe { ((*info).si_code > 0, (*info).si_addr() as usize) };
        let found = MAPS.iter().find_map(|slot| {
            let range = slot.range().filter(|range| range.contains(&address))?;
            Some((slot, range))
        });
        if is_touch && let Some((slot, range)) = found {
            // Before anybody can read a zero.
            slot.is_cut.store(true, Ordering::SeqCst);
            // SAFETY: reading the place of the thread's error number.
            let errno = unsafe { libc::__errno_location() };
            // SAFETY: the place is valid; whoever was interrupted may be about to read it.
            let before = unsafe { *errno };
            // SAFETY: who touched it borrows the map, so its slot was not changed meanwhile, and the
            // range is the whole of a file map of ours. It is replaced by memory of the same extent that
            // may be read as well; all that is ever done with it is to read plain bytes and to unmap it.
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
                return;
            }
        }
        pass_on(signal, info, context, is_touch);
    }

    /// Does what would have been done without us.
    fn pass_on(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void, is_touch: bool) {
        // Set before the handler was.
        let Some(before) = BEFORE.get() else { return };
        match before.sa_sigaction {
            libc::SIG_IGN if !is_touch => {}
            libc::SIG_DFL | libc::SIG_IGN => {
                // The process ends: a touch is made again on return, a signal that was sent is sent again.
                // SAFETY: `before` was read from the system; the default action has no handler.
                unsafe { libc::sigaction(signal, before, ptr::null_mut()) };
                if !is_touch {
                    // SAFETY: raising a signal is allowed anywhere.
                    unsafe { libc::raise(signal) };
                }
            }
            handler if before.sa_flags & libc::SA_SIGINFO != 0 => {
                type Handler = extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);
                // SAFETY: whoever set it with SA_SIGINFO gave a function of this signature.
                let handler: Handler = unsafe { std::mem::transmute(handler) };
                handler(signal, info, context);
            }
            handler => {
                // SAFETY: whoever set it without SA_SIGINFO gave a function of this signature.
                let handler: extern "C" fn(c_int) = unsafe { std::mem::transmute(handler) };
                handler(signal);
            }
        }
    }
}
