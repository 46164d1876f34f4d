//! Bringing a file into memory, and asking for a line of it early.
//!
//! What is unsafe in the runtime is here and in the modules `bits` and `cut`.

use std::fs::{self, File, Metadata};
use std::io;
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

#[cfg(target_os = "linux")]
use memmap2::Advice;
#[cfg(not(target_os = "linux"))]
use memmap2::Mmap;
use memmap2::MmapMut;

use crate::cut::{Change, Guarded};
#[cfg(target_os = "linux")]
use linux::Region;

/// How a table's file is brought into memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Residence {
    /// Mapped, and promoted to huge pages behind the searches' back where they turn out long: see
    /// [`Promotion`](crate::Promotion). All processes share what the system can give them in common.
    #[default]
    Auto,
    /// Mapped; pages come as they are touched. All processes share them, opening takes no time, and
    /// what is not touched takes no memory.
    Mapped,
    /// Mapped, and all pages brought in at once.
    Prefaulted,
    /// Mapped, and all pages kept in memory until the table is closed. The system limits how much a
    /// process may lock (`ulimit -l`).
    Locked,
    /// Copied into memory of this process alone, in huge pages where the system has them: fewer
    /// addresses to translate, for the time and the memory of a copy. Whatever becomes of the file
    /// does not matter then.
    Copied,
}

/// What a file was when it was opened, as far as the system tells without reading it. Whoever writes to the
/// file changes some of it: the time of change cannot be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stamp {
    /// The device that it is on.
    pub device: u64,
    /// Its number there.
    pub inode: u64,
    /// Its length.
    pub bytes: u64,
    /// When it was written to last: seconds since 1970, and nanoseconds.
    pub modified: (i64, i64),
    /// When it, its owner, its rights or its names were changed last.
    pub changed: (i64, i64),
}

impl Stamp {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            bytes: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

#[cfg(target_os = "linux")]
type Map = Region;
#[cfg(not(target_os = "linux"))]
type Map = Mmap;

/// A file's bytes, wherever they are.
#[derive(Debug)]
pub(crate) enum Bytes {
    /// In the file, which is kept open to ask what became of it. Dropped in this order.
    Mapped { guarded: Guarded, map: Map },
    /// In anonymous memory.
    Copied(MmapMut),
}

impl Bytes {
    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            Self::Mapped { map, .. } => map,
            Self::Copied(copy) => copy,
        }
    }

    /// Brings a part of a mapped file in, at once rather than page by page.
    pub(crate) fn populate(&self, range: &Range<usize>) {
        #[cfg(target_os = "linux")]
        if let Self::Mapped { map, .. } = self {
            // Where the system does not do it, whoever reads the bytes does.
            let _ = map.advise(libc::MADV_POPULATE_READ, range);
        }
        let _ = range;
    }

    /// What became of a mapped file since. That costs a system call, and says nothing of the moment after.
    pub(crate) fn change(&self) -> io::Result<Option<Change>> {
        match self {
            Self::Mapped { guarded, .. } => guarded.change(),
            Self::Copied(_) => Ok(None),
        }
    }
}

/// Brings a file into memory, to be read only.
///
/// A mapped file must not be cut short: the system would end the process at the next touch of a page
/// that is gone, unless it is [told otherwise](crate::outlive_cut_files). Tables are only ever replaced by
/// renaming (see `docs/format.md`), which leaves a mapping of the old file valid. [`Residence::Copied`] has
/// no such contract.
pub(crate) fn bring_in(path: &Path, residence: Residence) -> io::Result<(Bytes, Stamp)> {
    let expect_file = |metadata: &Metadata| {
        let problem = "expected a regular file, found a folder, a pipe or a device";
        let error = || io::Error::new(io::ErrorKind::InvalidInput, problem);
        metadata.is_file().then_some(()).ok_or_else(error)
    };
    // Before it is opened, since a pipe would wait for its other end; and what was opened.
    expect_file(&fs::metadata(path)?)?;
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    expect_file(&metadata)?;
    let stamp = Stamp::of(&metadata);
    if residence == Residence::Copied {
        let too_long = |_| io::Error::new(io::ErrorKind::InvalidInput, "the file is too long");
        let mut copy = MmapMut::map_anon(usize::try_from(metadata.len()).map_err(too_long)?)?;
        // Where there are no huge pages, small ones do as well.
        #[cfg(target_os = "linux")]
        let _ = copy.advise(Advice::HugePage);
        io::Read::read_exact(&mut file, &mut copy)?;
        return Ok((Bytes::Copied(copy), stamp));
    }
    let map = map_file(&file, &metadata)?;
    // SAFETY: this is the whole map, `Bytes` drops it after the guard and hands out borrows only.
    let guarded = unsafe { Guarded::new(&map, file) }?;
    // Some file systems bring a file in by huge pages if they are asked to; the others say no.
    #[cfg(target_os = "linux")]
    let _ = map.advise(libc::MADV_HUGEPAGE, &(0..map.len()));
    if residence == Residence::Prefaulted {
        touch(&map);
    }
    if residence == Residence::Locked {
        #[cfg(unix)]
        map.lock()?;
    }
    Ok((Bytes::Mapped { guarded, map }, stamp))
}

/// Maps a whole file.
///
/// The map is shared with whoever else has the file, and read-only here: its bytes may change at any time, which
/// no reference to plain memory may see. Two things make up for it. Tables are only ever replaced by a rename,
/// which leaves this map the old file; that is the contract with whoever owns the folder. And where somebody
/// breaks it, the bytes are read as plain `u8`, for which every value is valid, and every look-up is bounded
/// whatever it reads: a change can make an answer wrong, which `Table::check_unchanged` tells before the answer
/// is believed. Cutting the file short ends the process, or reads as zeros: see `cut`.
fn map_file(file: &File, metadata: &Metadata) -> io::Result<Map> {
    #[cfg(target_os = "linux")]
    return Region::of_file(file, metadata.len());
    #[cfg(not(target_os = "linux"))]
    {
        let _ = metadata;
        // SAFETY: as said above.
        unsafe { Mmap::map(file) }
    }
}

/// Brings all pages of a map in.
fn touch(map: &Map) {
    #[cfg(target_os = "linux")]
    if map.advise(libc::MADV_POPULATE_READ, &(0..map.len())).is_ok() {
        return;
    }
    // Where the system does not do it at once, a byte of each page does it.
    for page in map.chunks(4096) {
        std::hint::black_box(page[0]);
    }
}

/// Asks the processor to bring the line of `bytes[index]` closer.
#[inline(always)]
pub(crate) fn prefetch(bytes: &[u8], index: usize) {
    prefetch_at(bytes.as_ptr().wrapping_add(index));
}

/// The same for any address.
#[inline(always)]
pub(crate) fn prefetch_at(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no effect but on caches, whatever the address: it neither reads
        // nor faults. SSE is part of every x86-64 processor.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// What promotes a map to huge pages while it is read.
#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::{c_int, c_void};
    use std::fs::{self, File};
    use std::io;
    use std::ops::{Deref, Range};
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::FileExt;
    use std::ptr;

    use super::Bytes;
    use crate::cut::Guarded;

    /// The size and the alignment of a huge page, where pages have 4 KiB. Where it is another, there is nothing
    /// gained and nothing lost.
    pub(crate) const HUGE_BYTES: usize = 2 << 20;

    /// A range of addresses that is ours until this is dropped, from a multiple of [`HUGE_BYTES`] on: only there
    /// can huge pages be put.
    #[derive(Debug)]
    pub(crate) struct Region {
        start: *mut c_void,
        len: usize,
    }

    // SAFETY: it is plain memory, which no thread changes while another one has it; see `replace` for the exception.
    unsafe impl Send for Region {}
    // SAFETY: as above.
    unsafe impl Sync for Region {}

    impl Region {
        /// Addresses that nothing may be read from.
        fn reserve(len: usize) -> io::Result<Self> {
            if len == 0 {
                return Err(io::ErrorKind::InvalidInput.into());
            }
            let more = len.checked_add(HUGE_BYTES).ok_or(io::ErrorKind::OutOfMemory)?;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
            // SAFETY: a new map where the system likes it is in nobody's way.
            let whole = unsafe { libc::mmap(ptr::null_mut(), more, libc::PROT_NONE, flags, -1, 0) };
            if whole == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
            // Both ends are given back. The first is shorter than what is too much, as both are whole pages.
            let before = (whole as usize).next_multiple_of(HUGE_BYTES) - whole as usize;
            let page_bytes = page_bytes();
            let kept = len.next_multiple_of(page_bytes);
            let region = Self { start: whole.wrapping_byte_add(before), len };
            let all = more.next_multiple_of(page_bytes);
            for (start, len) in [(0, before), (before + kept, all - before - kept)] {
                if len > 0 {
                    // SAFETY: it is a part of the map above, which nobody else knows of.
                    unsafe { libc::munmap(whole.wrapping_byte_add(start), len) };
                }
            }
            Ok(region)
        }

        /// Maps a file of this length, to be read.
        pub(super) fn of_file(file: &File, len: u64) -> io::Result<Self> {
            let too_long = |_| io::Error::new(io::ErrorKind::InvalidInput, "the file is too long");
            let region = Self::reserve(usize::try_from(len).map_err(too_long)?)?;
            region.show(file)?;
            Ok(region)
        }

        /// Puts a map of the file in the place of what is there.
        fn show(&self, file: &File) -> io::Result<()> {
            let (flags, fd) = (libc::MAP_SHARED | libc::MAP_FIXED, file.as_raw_fd());
            // SAFETY: the addresses are ours, and whoever reads them reads plain bytes: see `map_file`.
            let map = unsafe { libc::mmap(self.start, self.len, libc::PROT_READ, flags, fd, 0) };
            if map == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(()) }
        }

        /// Advice that changes no byte.
        pub(super) fn advise(&self, advice: c_int, range: &Range<usize>) -> io::Result<()> {
            assert!(range.start <= range.end && range.end <= self.len, "{range:?}");
            // Advice is for whole pages.
            let before = range.start % page_bytes();
            let start = self.start.wrapping_byte_add(range.start - before);
            // SAFETY: the range is within the region, and the advice is about where its pages lie.
            let result = unsafe { libc::madvise(start, range.len() + before, advice) };
            if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
        }

        /// Keeps all pages in memory.
        pub(super) fn lock(&self) -> io::Result<()> {
            // SAFETY: the range is ours, and stays as it is.
            let result = unsafe { libc::mlock(self.start, self.len) };
            if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
        }

        /// How many of the bytes are in huge pages that are mapped as such.
        fn huge_bytes(&self) -> io::Result<u64> {
            let range =
                self.start as usize..self.start as usize + self.len.next_multiple_of(page_bytes());
            Ok(huge_bytes(&fs::read_to_string("/proc/self/smaps")?, &range))
        }
    }

    impl Deref for Region {
        type Target = [u8];

        fn deref(&self) -> &[u8] {
            // SAFETY: whoever hands a region out has put a map there that can be read. What is said in `map_file`
            // is true of a file; anonymous memory is written before it is handed out.
            unsafe { std::slice::from_raw_parts(self.start.cast(), self.len) }
        }
    }

    impl Drop for Region {
        fn drop(&mut self) {
            // SAFETY: the addresses are ours, and nobody borrows them any more.
            unsafe { libc::munmap(self.start, self.len) };
        }
    }

    fn page_bytes() -> usize {
        // SAFETY: asking for a number.
        usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
    }

    /// Adds up what the system says of the maps within a range of addresses.
    fn huge_bytes(smaps: &str, range: &Range<usize>) -> u64 {
        let (mut is_within, mut sum) = (false, 0);
        for line in smaps.lines() {
            let Some((first, rest)) = line.split_once([' ', '\t']) else { continue };
            if let Some((start, end)) = first.split_once('-') {
                let number = |text| usize::from_str_radix(text, 16).ok();
                is_within = number(start).is_some_and(|start| range.start <= start)
                    && number(end).is_some_and(|end| end <= range.end);
            } else if is_within
                && ["AnonHugePages:", "ShmemPmdMapped:", "FilePmdMapped:"].contains(&first)
            {
                let kib: u64 = rest.trim().trim_end_matches("kB").trim().parse().unwrap_or(0);
                sum += kib * 1024;
            }
        }
        sum
    }

    /// A copy of a mapped file in huge pages, of this process alone.
    #[derive(Debug)]
    pub(crate) struct HugeCopy(Region);

    impl HugeCopy {
        /// Copies the file, from the file and not from the map, a huge page at a time. Nothing where the system
        /// gives no huge pages, or as soon as `is_over` says so.
        fn of(file: &File, len: usize, is_over: &dyn Fn() -> bool) -> io::Result<Option<Self>> {
            let region = Region::reserve(len)?;
            // SAFETY: the region is ours alone, and from here on it can be read and written.
            let result =
                unsafe { libc::mprotect(region.start, len, libc::PROT_READ | libc::PROT_WRITE) };
            if result != 0 {
                return Err(io::Error::last_os_error());
            }
            region.advise(libc::MADV_HUGEPAGE, &(0..len))?;
            // SAFETY: nobody else has these bytes, and those that were not written are zeros.
            let bytes = unsafe { std::slice::from_raw_parts_mut(region.start.cast::<u8>(), len) };
            for (i, part) in bytes.chunks_mut(HUGE_BYTES).enumerate() {
                if is_over() {
                    return Ok(None);
                }
                file.read_exact_at(part, (i * HUGE_BYTES) as u64)?;
                if i == 0 && region.huge_bytes()? == 0 {
                    return Ok(None);
                }
            }
            // SAFETY: as above.
            if unsafe { libc::mprotect(region.start, len, libc::PROT_READ) } != 0 {
                return Err(io::Error::last_os_error());
            }
            Ok(Some(Self(region)))
        }

        /// The bytes of the copy.
        pub(crate) fn as_slice(&self) -> &[u8] {
            &self.0
        }
    }

    impl Bytes {
        /// The map, unless the bytes were copied when they were opened.
        fn mapped(&self) -> Option<(&Guarded, &Region)> {
            match self {
                Self::Mapped { guarded, map } => Some((guarded, map)),
                Self::Copied(_) => None,
            }
        }

        /// Whether at least three quarters of a map are in huge pages.
        pub(crate) fn is_huge(&self) -> bool {
            let is_huge = |(_, map): (_, &Region)| {
                map.huge_bytes().is_ok_and(|huge| huge >= map.len() as u64 / 4 * 3)
            };
            self.mapped().is_some_and(is_huge)
        }

        /// Asks the system to make huge pages of those of the file, for all who have it mapped.
        pub(crate) fn collapse(&self) -> io::Result<()> {
            let (_, map) = self.mapped().ok_or(io::ErrorKind::Unsupported)?;
            // The pages at the end that do not make up a huge one are left out.
            map.advise(libc::MADV_COLLAPSE, &(0..map.len() / HUGE_BYTES * HUGE_BYTES))
        }

        /// The file of a map.
        pub(crate) fn file(&self) -> Option<&File> {
            self.mapped().map(|(guarded, _)| guarded.file())
        }

        /// A copy of the file of a map, as [`HugeCopy::of`] makes it.
        pub(crate) fn copy(&self, is_over: &dyn Fn() -> bool) -> io::Result<Option<HugeCopy>> {
            let (guarded, map) = self.mapped().ok_or(io::ErrorKind::Unsupported)?;
            HugeCopy::of(guarded.file(), map.len(), is_over)
        }

        /// Puts a copy in the place of a map that others may be reading from. The caller has checked that it holds
        /// what the file held when it was opened.
        pub(crate) fn replace(&self, copy: HugeCopy) -> io::Result<()> {
            let (guarded, map) = self.mapped().ok_or(io::ErrorKind::Unsupported)?;
            assert_eq!(copy.0.len, map.len, "the copy is of this map");
            let copy = std::mem::ManuallyDrop::new(copy);
            let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
            // SAFETY: both ranges are ours, of one length and apart. Nobody borrows the copy. The map is borrowed
            // and read by other threads meanwhile: the system takes the file's pages away and puts those of the
            // copy in their place while it holds the lock on the process's addresses for writing, so that a touch
            // in between waits and then finds the copy. The bytes are the same; where the file was written to
            // meanwhile, what `map_file` says holds.
            let moved =
                unsafe { libc::mremap(copy.0.start, copy.0.len, copy.0.len, flags, map.start) };
            if moved == libc::MAP_FAILED {
                let error = io::Error::last_os_error();
                // Whether the addresses were emptied before it failed is not said.
                if map.show(guarded.file()).is_err() {
                    // Whoever reads next would end the process at an address without meaning.
                    std::process::abort();
                }
                // SAFETY: a copy that was not moved is still ours.
                unsafe { libc::munmap(copy.0.start, copy.0.len) };
                return Err(error);
            }
            // All that was read before came from a file that nobody had changed: from here on it does not matter.
            if matches!(guarded.change(), Ok(None)) {
                guarded.settle();
            }
            Ok(())
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn huge_pages_are_counted_within_the_range_and_of_all_kinds() {
            let smaps = "7f0000000000-7f0000400000 r--s 00000000 fe:00 12 /a b.pdb\nSize:  4096 kB\n\
                         AnonHugePages:         0 kB\nFilePmdMapped:      2048 kB\nVmFlags: rd mr\n\
                         7f0000400000-7f0000800000 r--p 00000000 00:00 0 \n\
                         AnonHugePages:      4096 kB\nShmemPmdMapped:     0 kB\n\
                         7f0000800000-7f0000a00000 rw-p 00000000 00:00 0 \nAnonHugePages:   2048 kB\n";
            let of = |start, end| huge_bytes(smaps, &(start..end));
            assert_eq!(of(0x7f00_0000_0000, 0x7f00_0080_0000), 6 << 20);
            assert_eq!(of(0x7f00_0080_0000, 0x7f00_00a0_0000), 2 << 20);
            assert_eq!(of(0x7f00_0000_0000, 0x7f00_0030_0000), 0);
        }

        #[test]
        fn regions_begin_where_a_huge_page_can_and_are_as_long_as_they_say() {
            for len in [1, 4096, HUGE_BYTES - 1, HUGE_BYTES, 3 * HUGE_BYTES + 17] {
                let region = Region::reserve(len).expect("there are addresses");
                assert_eq!((region.start as usize % HUGE_BYTES, region.len), (0, len));
            }
            assert!(Region::reserve(0).is_err() && Region::reserve(usize::MAX - 5).is_err());
        }
    }
}
