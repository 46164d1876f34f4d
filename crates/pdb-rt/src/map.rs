//! Table files in memory, mapped or copied, and changes of mapped files.
//!
//! The unsafe code of the runtime is here and in the module `bits`.
#![allow(unsafe_code, reason = "it maps files and handles a signal")]

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, TryLockError};

#[cfg(target_os = "linux")]
use memmap2::Advice;
use memmap2::{Mmap, MmapMut, MmapOptions};
use pdb_core::lock;

use crate::platform;
use crate::residence::{Change, Residence, Stamp};

/// File in memory.
#[derive(Debug)]
pub(crate) struct FileBytes {
    /// `None` for a copy. Dropped before the map.
    watch: Option<WatchedFile>,
    map: Mmap,
    stamp: Stamp,
}

/// Mapped file, kept open to notice changes.
#[derive(Debug)]
struct WatchedFile {
    guard: Guard,
    file: File,
    /// The stamp of the last state that is known to be right; `None` after a wrong state.
    right: Mutex<Option<Stamp>>,
}

impl WatchedFile {
    fn change_since(&self, seen: Option<Stamp>) -> io::Result<Option<Change>> {
        if self.guard.is_cut() {
            // Lost pages stay zeros, even if the file has its length again.
            return Ok(Some(Change::CutShort { len: 0 }));
        }
        let Some(seen) = seen else { return Ok(Some(Change::Written)) };
        let now = platform::stamp(&self.file)?;
        Ok(if now == seen {
            None
        } else if now.bytes < seen.bytes {
            Some(Change::CutShort { len: now.bytes })
        } else if (Stamp { changed: seen.changed, ..now }) == seen {
            Some(Change::Touched(now))
        } else {
            Some(Change::Written)
        })
    }
}

impl FileBytes {
    /// Opens a file in memory, for reading only.
    ///
    /// A mapped file must not be cut short: the system ends a process that touches a lost page,
    /// unless it asked to [outlive that](crate::outlive_cut_files). Tables are only ever replaced
    /// by renaming (see `docs/format.md`), which leaves a map of the old file valid.
    pub(crate) fn open(path: &Path, residence: Residence) -> io::Result<Self> {
        let invalid = |problem| io::Error::new(io::ErrorKind::InvalidInput, problem);
        let expect_file = |metadata: &Metadata| {
            let problem = "expected a regular file, found a folder, a pipe or a device";
            if metadata.is_file() { Ok(()) } else { Err(invalid(problem)) }
        };
        // Checked before opening, which would wait for the other end of a pipe, and again for the
        // open file.
        expect_file(&fs::metadata(path)?)?;
        let mut file = platform::open(path)?;
        expect_file(&file.metadata()?)?;
        // The stamp is older than the first byte that is read: any later change differs from it.
        let stamp = platform::stamp(&file)?;
        let len = usize::try_from(stamp.bytes).map_err(|_| invalid("the file is too long"))?;
        if residence == Residence::Copied {
            let mut copy = MmapMut::map_anon(len)?;
            // If the system has no huge pages, it uses small ones.
            #[cfg(target_os = "linux")]
            let _ = copy.advise(Advice::HugePage);
            file.read_exact(&mut copy)?;
            return Ok(Self { watch: None, map: copy.make_read_only()?, stamp });
        }
        // SAFETY: the map is read-only and shared with others, so its bytes may change, which no
        // reference to plain memory may see. Tables are replaced by a rename, which leaves this map
        // the old file: that is the contract with the owner of the folder. If the contract is
        // broken, the bytes are read as plain `u8`, for which every value is valid, and every
        // look-up is bounded whatever it reads. A change can make an answer wrong, which
        // `Table::check_unchanged` tells before the answer is believed. For lost pages see `Guard`.
        let map = unsafe { MmapOptions::new().len(len).map(&file) }?;
        // SAFETY: this is the whole of a read-only map, which is dropped after its guard.
        let guard = unsafe { Guard::new(&map) };
        // Some file systems read a file in huge pages only if they are asked to; the others refuse.
        #[cfg(target_os = "linux")]
        let _ = map.advise(match residence {
            Residence::Mapped if is_large(len) => Advice::Random,
            _ => Advice::HugePage,
        });
        match residence {
            Residence::Prefaulted => read_pages(&map),
            Residence::Locked => platform::lock(&map)?,
            Residence::Mapped | Residence::Copied => {}
        }
        Ok(Self {
            watch: Some(WatchedFile { guard, file, right: Mutex::new(Some(stamp)) }),
            map,
            stamp,
        })
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.map
    }

    /// Returns the state of the file when it was opened.
    pub(crate) fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// Reads a part of a mapped file at once rather than page by page.
    pub(crate) fn populate(&self, range: &Range<usize>) {
        // If the system refuses, the pages are read as they are touched.
        #[cfg(target_os = "linux")]
        {
            // Pages that are read alone are read together if they are announced.
            if is_large(self.map.len()) {
                let _ = self.map.advise_range(Advice::WillNeed, range.start, range.len());
            }
            let _ = self.map.advise_range(Advice::PopulateRead, range.start, range.len());
        }
        let _ = range;
    }

    /// Returns the change of a mapped file since its content was checked or it was opened. If only
    /// the time of change differs, `is_right` checks the content again, and the result is kept.
    /// Otherwise this costs one system call.
    pub(crate) fn check_unchanged(
        &self,
        is_right: impl FnOnce() -> bool,
    ) -> io::Result<Option<Change>> {
        let Some(watch) = &self.watch else { return Ok(None) };
        let mut right = lock(&watch.right);
        let change = watch.change_since(*right)?;
        let Some(Change::Touched(now)) = change else { return Ok(change) };
        // The stamp is older than what is read, so the next call notices a write in between.
        *right = is_right().then_some(now);
        Ok(right.is_none().then_some(Change::Written))
    }

    /// Returns the change without checking the content, or waiting for a thread that does.
    pub(crate) fn change(&self) -> io::Result<Option<Change>> {
        let Some(watch) = &self.watch else { return Ok(None) };
        let right = match watch.right.try_lock() {
            Ok(right) => *right,
            Err(TryLockError::Poisoned(right)) => *right.into_inner(),
            Err(TryLockError::WouldBlock) => Some(self.stamp),
        };
        watch.change_since(right)
    }
}

/// Returns whether the memory may be too small for a file, so that each page that is read drops
/// another one. Then a look-up reads one page, not those around it.
#[cfg(target_os = "linux")]
fn is_large(len: usize) -> bool {
    len as u64 > 4 << 30
}

/// Reads all pages of a map.
fn read_pages(map: &Mmap) {
    #[cfg(target_os = "linux")]
    if map.advise(Advice::PopulateRead).is_ok() {
        return;
    }
    for page in map.chunks(4096) {
        std::hint::black_box(page[0]);
    }
}

/// Largest number of guarded maps.
const MAPS_MAX: usize = 256;

/// The guarded maps, without a lock because the signal handler reads them.
static MAPS: [MapSlot; MAPS_MAX] = [const {
    MapSlot { start: AtomicUsize::new(0), end: AtomicUsize::new(0), is_cut: AtomicBool::new(false) }
}; MAPS_MAX];

/// Place in the list of maps.
#[derive(Debug)]
struct MapSlot {
    /// 0 in a free place, and `usize::MAX` while the range is being written.
    start: AtomicUsize,
    end: AtomicUsize,
    is_cut: AtomicBool,
}

/// Place of a map in the list until this is dropped; `None` if the list was full.
#[derive(Debug)]
struct Guard(Option<&'static MapSlot>);

impl Guard {
    /// # Safety
    /// `map` is the whole of a read-only map of a file, and stays so until the guard is dropped:
    /// zeros may be put in its place.
    unsafe fn new(map: &[u8]) -> Self {
        let take =
            |place: &&MapSlot| place.start.compare_exchange(0, usize::MAX, SeqCst, SeqCst).is_ok();
        let place = MAPS.iter().find(take);
        if let Some(place) = place {
            let range = map.as_ptr_range();
            place.is_cut.store(false, SeqCst);
            place.end.store(range.end as usize, SeqCst);
            place.start.store(range.start as usize, SeqCst);
        }
        Self(place)
    }

    fn is_cut(&self) -> bool {
        self.0.is_some_and(|place| place.is_cut.load(SeqCst))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(place) = self.0 {
            place.start.store(0, SeqCst);
        }
    }
}

/// Lets this process survive the truncation of a mapped table: lost pages read as zeros, and
/// [`Table::check_unchanged`](crate::Table::check_unchanged) of that table is an error. Tables that
/// are already open are included. Any other `SIGBUS` restores the previous action.
///
/// This changes the meaning of a signal for the whole process, so it is meant for programs, not for
/// libraries.
///
/// # Errors
/// [`io::ErrorKind::Unsupported`] on other systems than Linux and macOS; the system's error if it
/// refuses the handler. Windows needs none: a mapped file cannot be cut short.
pub fn outlive_cut_files() -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    return handler::install();
    #[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
    return Err(io::ErrorKind::Unsupported.into());
}

/// The system sends `SIGBUS` to a thread that touches a lost page of a mapped file. The handler
/// finds the map of the address, marks it, and replaces the whole map by zeros; the touch is
/// repeated and reads a zero.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
mod handler {
    use std::ffi::{c_int, c_void};
    use std::io;
    use std::ops::RangeInclusive;
    use std::sync::atomic::Ordering::SeqCst;
    use std::sync::{Mutex, OnceLock};

    use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};

    use super::MAPS;

    /// Codes of a `SIGBUS` that the system sends for a touch, rather than a process.
    #[cfg(target_os = "linux")]
    const TOUCHES: RangeInclusive<c_int> = 1..=c_int::MAX;
    /// `BUS_ADRALN`, `BUS_ADRERR` and `BUS_OBJERR`; the code of a process is positive, too.
    #[cfg(target_vendor = "apple")]
    const TOUCHES: RangeInclusive<c_int> = 1..=3;

    /// The previous action of the signal.
    static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

    pub(super) fn install() -> io::Result<()> {
        static IS_INSTALLED: Mutex<bool> = Mutex::new(false);
        let mut is_installed = pdb_core::lock(&IS_INSTALLED);
        if *is_installed {
            return Ok(());
        }
        // SAFETY: `sigaction` is a plain C structure, for which zeros are a valid value.
        let [mut action, mut before]: [libc::sigaction; 2] = unsafe { std::mem::zeroed() };
        action.sa_sigaction = on_bus_error as *const () as libc::sighandler_t;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        // SAFETY: the handler has the signature that SA_SIGINFO asks for and does only what a
        // handler may; the mask is empty.
        if unsafe { libc::sigaction(libc::SIGBUS, &raw const action, &raw mut before) } != 0 {
            return Err(io::Error::last_os_error());
        }
        BEFORE.get_or_init(|| before);
        *is_installed = true;
        Ok(())
    }

    /// Runs in the middle of anything: atomics and system calls only, no allocation, no lock. The
    /// map is made by rustix; `errno` stays as it is, because a call that succeeds does not set it.
    extern "C" fn on_bus_error(signal: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
        // SAFETY: the system hands over a valid `info`, and with a SIGBUS for a touch an address in
        // it.
        let (code, address) = unsafe { ((*info).si_code, (*info).si_addr() as usize) };
        let is_touch = TOUCHES.contains(&code);
        // The range of a map in use does not change. Another one may be half-written, and then has
        // another start at the second look.
        let found = MAPS.iter().find_map(|place| {
            let range = place.start.load(SeqCst)..place.end.load(SeqCst);
            let is_whole = range.start != 0 && place.start.load(SeqCst) == range.start;
            (is_whole && range.contains(&address)).then_some((place, range))
        });
        if is_touch && let Some((place, range)) = found {
            // Before any thread can read a zero.
            place.is_cut.store(true, SeqCst);
            let (start, flags) = (range.start as *mut c_void, MapFlags::PRIVATE | MapFlags::FIXED);
            // SAFETY: the thread that touched the map borrows it, so the range is that of a
            // read-only map of a file of ours. It is replaced by memory of the same extent that can
            // be read as well; it is only ever read as plain bytes, and unmapped.
            if unsafe { mmap_anonymous(start, range.len(), ProtFlags::READ, flags) }.is_ok() {
                return;
            }
        }
        hand_back(signal, is_touch);
    }

    /// Restores the previous action for a signal that does not concern a map. It stays in place
    /// from then on.
    fn hand_back(signal: c_int, is_touch: bool) {
        // Set right after the handler is; until then the touch is repeated.
        let Some(before) = BEFORE.get() else { return };
        // SAFETY: `before` was read from the system.
        unsafe { libc::sigaction(signal, before, std::ptr::null_mut()) };
        // A touch is made again on return. A signal that was sent is sent again.
        if !is_touch {
            // SAFETY: raising a signal is allowed anywhere.
            unsafe { libc::raise(signal) };
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn pages_of_files_that_may_exceed_the_memory_are_read_alone() -> io::Result<()> {
        let file = tempfile::NamedTempFile::new()?;
        for (len, expected) in [(4 << 30, false), ((4 << 30) + 1, true)] {
            file.as_file().set_len(len)?;
            let mapped = FileBytes::open(file.path(), Residence::Mapped)?;
            let start = format!("{:x}-", mapped.as_slice().as_ptr() as usize);
            let maps = fs::read_to_string("/proc/self/smaps")?;
            let flags = maps.split(&start).nth(1).and_then(|map| map.split("VmFlags:").nth(1));
            let is_alone = flags.and_then(|flags| flags.lines().next()?.find(" rr")).is_some();
            assert_eq!(is_alone, expected, "{len} bytes");
        }
        Ok(())
    }
}
