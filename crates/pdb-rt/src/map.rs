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
use memmap2::{Mmap, MmapMut};

use crate::cut::{Change, Guarded};

/// How a table's file is brought into memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Residence {
    /// Mapped; pages come as they are touched. All processes share them, opening takes no time, and
    /// what is not touched takes no memory.
    #[default]
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

/// A file's bytes, wherever they are.
#[derive(Debug)]
pub(crate) enum Bytes {
    /// In the file, which is kept open to ask what became of it. Dropped in this order.
    Mapped { guarded: Guarded, map: Mmap },
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
            let _ = map.advise_range(Advice::PopulateRead, range.start, range.len());
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
    // SAFETY: the map is shared with whoever else has the file, and read-only here: its bytes may change
    // at any time, which no reference to plain memory may see. Two things make up for it. Tables are only
    // ever replaced by a rename, which leaves this map the old file; that is the contract with whoever
    // owns the folder. And where somebody breaks it, the bytes are read as plain `u8`, for which every
    // value is valid, and every look-up is bounded whatever it reads: a change can make an answer wrong,
    // which `Table::check_unchanged` tells before the answer is believed. Cutting the file short ends
    // the process, or reads as zeros: see `cut`.
    let map = unsafe { Mmap::map(&file) }?;
    // SAFETY: this is the whole map, `Bytes` drops it after the guard and hands out borrows only.
    let guarded = unsafe { Guarded::new(&map, file) }?;
    // Some file systems bring a file in by huge pages if they are asked to; the others say no.
    #[cfg(target_os = "linux")]
    let _ = map.advise(Advice::HugePage);
    if residence == Residence::Prefaulted {
        touch(&map);
    }
    if residence == Residence::Locked {
        #[cfg(unix)]
        map.lock()?;
    }
    Ok((Bytes::Mapped { guarded, map }, stamp))
}

/// Brings all pages of a map in.
fn touch(map: &Mmap) {
    #[cfg(target_os = "linux")]
    if map.advise(Advice::PopulateRead).is_ok() {
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
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address = bytes.as_ptr().wrapping_add(index);
        // SAFETY: a prefetch has no effect but on caches, whatever the address: it neither reads
        // nor faults. SSE is part of every x86-64 processor.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (bytes, index);
}
