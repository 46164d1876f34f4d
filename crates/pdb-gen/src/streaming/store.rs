//! The store: segments on disk, and as many of them in memory as the budget allows.
//!
//! All buffers have one size. A buffer belongs to the cache, to whoever works on its segment, or to
//! the writers, threads of their own that make changed segments durable while the search goes on. Who
//! needs a buffer takes a free one, a new one while the budget lasts, or that of the segment that was
//! used longest ago; else a writer will soon give one back.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use crossbeam::channel::{Receiver, Sender, unbounded};
use crossbeam::queue::SegQueue;
use pdb_format::Digest;

use super::checkpoint::{Kind, Name, WorkFile};
use super::elsewhere::{Elsewhere, FETCHES};
use super::segments::Segments;
use super::slices::{Cut, Wanted};
use crate::GenError;
use crate::disk;
use crate::threads::in_threads;
use crate::words::Words;

/// Buffers that are not in use.
#[derive(Debug, Default)]
struct Free(Mutex<Vec<Words>>);

impl Free {
    fn list(&self) -> std::sync::MutexGuard<'_, Vec<Words>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A buffer with a segment's blocks; what is behind them means nothing.
#[derive(Debug)]
pub(crate) struct Segment {
    words: Option<Words>,
    free: Arc<Free>,
}

impl Deref for Segment {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        self.words.as_ref().expect("there until it is dropped")
    }
}

impl DerefMut for Segment {
    fn deref_mut(&mut self) -> &mut [u64] {
        self.words.as_mut().expect("there until it is dropped")
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        self.free.list().extend(self.words.take());
    }
}

/// A segment and its buffer.
pub(crate) type Part = (Name, Segment);

/// Which blocks of a segment hold anything: a bit a block.
pub(crate) fn present(blocks: impl ExactSizeIterator<Item = bool>) -> Vec<u64> {
    let mut bits = vec![0; blocks.len().div_ceil(64)];
    for (i, _) in blocks.enumerate().filter(|&(_, present)| present) {
        bits[i / 64] |= 1 << (i % 64);
    }
    bits
}

/// Runs of blocks that hold anything, as ranges of words.
fn runs(present: &[u64], words: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    let is_present =
        move |i: usize| present.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 == 1);
    let mut next = 0;
    std::iter::from_fn(move || {
        let start = (next..present.len() * 64).find(|&i| is_present(i))?;
        let end = present.len() * 64;
        next = (start..end).find(|&i| !is_present(i)).unwrap_or(end);
        Some(start * words..next * words)
    })
}

/// A segment to write: the bits of the blocks that hold anything, then those blocks.
struct Job {
    name: Name,
    path: PathBuf,
    segment: Arc<Segment>,
    present: Vec<u64>,
    /// How it is cut for those who will fetch slices of it.
    cut: Option<Cut>,
}

type Written = Result<(Name, WorkFile, Vec<Digest>), GenError>;

/// Threads that write. They mostly wait for the disk, which makes many small files durable at once in
/// little more time than one.
pub(crate) const WRITERS: usize = 8;

/// The threads that write.
#[derive(Debug)]
struct Writers {
    jobs: Option<Sender<Job>>,
    written: Receiver<Written>,
    threads: Vec<JoinHandle<()>>,
    /// Jobs that were sent and not received back.
    underway: usize,
}

impl Writers {
    fn new(words: usize) -> Result<Self, GenError> {
        let (jobs, todo) = unbounded::<Job>();
        let (done, written) = unbounded();
        let mut threads = Vec::new();
        while threads.len() < WRITERS {
            let (todo, done) = (todo.clone(), done.clone());
            let write = move || {
                for Job { name, path, segment, present, cut } in todo {
                    let head = std::iter::once(bytemuck::cast_slice(&present));
                    let blocks =
                        runs(&present, words).map(|run| bytemuck::cast_slice(&segment[run]));
                    let file = WorkFile::write(&path, head.chain(blocks), cut);
                    // The buffer is free before the news of it.
                    drop(segment);
                    if done.send(file.map(|(file, slices)| (name, file, slices))).is_err() {
                        break;
                    }
                }
            };
            match std::thread::Builder::new().spawn(write) {
                Ok(thread) => threads.push(thread),
                // One is enough, if a slow one.
                Err(_) if !threads.is_empty() => break,
                Err(source) => return Err(GenError::Threads { source }),
            }
        }
        Ok(Self { jobs: Some(jobs), written, threads, underway: 0 })
    }

    fn send(&mut self, job: Job) {
        let jobs = self.jobs.as_ref().expect("there until it is dropped");
        jobs.send(job).expect("the writing threads listen to the end");
        self.underway += 1;
    }

    fn receive(&mut self) -> Written {
        self.underway -= 1;
        self.written.recv().expect("the writing threads answer each job")
    }
}

impl Drop for Writers {
    fn drop(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            // Nothing can be done about a panic here, and the one who waits for files has seen it.
            let _ = thread.join();
        }
    }
}

#[derive(Debug)]
struct Cached {
    segment: Arc<Segment>,
    /// When it was used last.
    used: u64,
}

/// All segments of a search.
#[derive(Debug)]
pub(crate) struct Store<'a> {
    pub(crate) folder: &'a Path,
    segments: &'a Segments,
    /// Words of a block.
    words: usize,
    buffer_words: usize,
    buffers_max: usize,
    buffers_made: usize,
    free: Arc<Free>,
    cache: BTreeMap<Name, Cached>,
    clock: u64,
    /// The durable content of each segment that holds anything.
    files: BTreeMap<Name, WorkFile>,
    /// The digests of slices of those that others may fetch.
    pub(crate) slices: BTreeMap<Name, Vec<Digest>>,
    /// The same for what is not in this folder.
    pub(crate) elsewhere: Elsewhere<'a>,
    /// Files that the next checkpoint does not name.
    stale: Vec<PathBuf>,
    /// Bytes of the segments among them.
    stale_bytes: u64,
    writers: Writers,
    thread_count: usize,
}

impl<'a> Store<'a> {
    pub(crate) fn new(
        folder: &'a Path,
        segments: &'a Segments,
        words: usize,
        buffers_max: usize,
        files: BTreeMap<Name, WorkFile>,
        thread_count: usize,
    ) -> Result<Self, GenError> {
        Ok(Self {
            folder,
            segments,
            words,
            buffer_words: segments.slots_largest() * words,
            buffers_max,
            buffers_made: 0,
            free: Arc::default(),
            cache: BTreeMap::new(),
            clock: 0,
            files,
            slices: BTreeMap::new(),
            elsewhere: Elsewhere::default(),
            stale: Vec::new(),
            stale_bytes: 0,
            writers: Writers::new(words)?,
            thread_count,
        })
    }

    /// Lets go of all buffers; returns the bytes that they took.
    pub(crate) fn release(&mut self) -> usize {
        let bytes = self.peak_bytes();
        self.cache.clear();
        self.free.list().clear();
        self.buffers_made = 0;
        bytes
    }

    /// Bytes of all buffers.
    pub(crate) fn peak_bytes(&self) -> usize {
        self.buffers_made * self.buffer_words * size_of::<u64>()
    }

    pub(crate) fn files(&self) -> &BTreeMap<Name, WorkFile> {
        &self.files
    }

    /// Whether a segment holds anything.
    pub(crate) fn contains(&self, name: Name) -> bool {
        self.files.contains_key(&name) || self.elsewhere.files.contains_key(&name)
    }

    /// Threads that read so many segments at once.
    fn readers(&self, count: usize) -> usize {
        let most = if self.elsewhere.team.is_some() {
            self.thread_count.max(FETCHES)
        } else {
            self.thread_count
        };
        most.min(count).max(1)
    }

    /// Bytes of all segment files, those that the next checkpoint does not name included.
    pub(crate) fn file_bytes(&self) -> u64 {
        self.files.values().map(|file| file.bytes).sum::<u64>() + self.stale_bytes
    }

    /// Blocks that a segment file is about.
    fn blocks(&self, name: Name) -> usize {
        match name.kind {
            Kind::Level => self.segments.classes[name.class].slots[name.segment].len(),
            Kind::Visited | Kind::Plane(_) => self.segments.record_blocks(name.class, name.segment),
        }
    }

    /// A buffer with any content.
    pub(crate) fn buffer(&mut self) -> Result<Segment, GenError> {
        let words = loop {
            let free = self.free.list().pop();
            if let Some(words) = free {
                break words;
            }
            if self.buffers_made < self.buffers_max {
                self.buffers_made += 1;
                break Words::zeroed(self.buffer_words)?;
            }
            if !self.evict() {
                assert!(self.writers.underway > 0, "the budget holds what is needed at once");
                self.receive()?;
            }
        };
        Ok(Segment { words: Some(words), free: self.free.clone() })
    }

    /// A buffer without any state of a segment.
    pub(crate) fn empty(&mut self, name: Name) -> Result<Segment, GenError> {
        let mut segment = self.buffer()?;
        segment[..self.blocks(name) * self.words].fill(0);
        Ok(segment)
    }

    /// Lets go of the record used longest ago, or else of the level.
    fn evict(&mut self) -> bool {
        let idle = self.cache.iter().filter(|(_, cached)| Arc::strong_count(&cached.segment) == 1);
        let oldest = idle.min_by_key(|(name, cached)| (name.kind == Kind::Level, cached.used));
        let Some(name) = oldest.map(|(&name, _)| name) else {
            return false;
        };
        self.cache.remove(&name);
        true
    }

    fn receive(&mut self) -> Result<(), GenError> {
        let (name, file, slices) = self.writers.receive()?;
        if !slices.is_empty() {
            self.slices.insert(name, slices);
        }
        self.elsewhere.forget(name);
        if let Some(old) = self.files.insert(name, file) {
            self.discard(&old);
        }
        Ok(())
    }

    /// Segments that hold something, to be read only; those on disk are read on all threads.
    pub(crate) fn fetch(&mut self, names: &[Name]) -> Result<Vec<Arc<Segment>>, GenError> {
        self.clock += 1;
        // What is there already is held first, so that room is not made at its cost.
        let mut found: Vec<Option<Arc<Segment>>> = Vec::with_capacity(names.len());
        for name in names {
            let cached = self.cache.get_mut(name);
            found.push(cached.map(|cached| {
                cached.used = self.clock;
                cached.segment.clone()
            }));
        }
        let mut missing = Vec::new();
        for (&name, _) in names.iter().zip(&found).filter(|(_, found)| found.is_none()) {
            missing.push((name, self.buffer()?));
        }
        for (name, segment) in self.read_all(missing)? {
            let segment = Arc::new(segment);
            let place = names.iter().position(|&wanted| wanted == name).expect("it was asked for");
            found[place] = Some(segment.clone());
            self.cache.insert(name, Cached { segment, used: self.clock });
        }
        Ok(found.into_iter().map(|found| found.expect("each one was found or read")).collect())
    }

    /// Reads segments into their buffers, several at once.
    pub(crate) fn read_all(&self, parts: Vec<Part>) -> Result<Vec<Part>, GenError> {
        let (todo, done) = (SegQueue::new(), SegQueue::new());
        for part in parts {
            todo.push(part);
        }
        in_threads(self.readers(todo.len()), || -> Result<(), GenError> {
            while let Some((name, mut segment)) = todo.pop() {
                self.read(name, &mut segment)?;
                done.push((name, segment));
            }
            Ok(())
        })?;
        Ok(done.into_iter().collect())
    }

    /// Buffers for those of some segments that must be fetched from elsewhere, as far as there are any
    /// without waiting, and without letting go of one that is named.
    pub(crate) fn reserve(&mut self, names: &[Name]) -> Result<Vec<Part>, GenError> {
        let held: Vec<_> = names.iter().filter_map(|name| self.cache.get(name)).collect();
        let held: Vec<_> = held.into_iter().map(|cached| cached.segment.clone()).collect();
        let mut parts = Vec::new();
        for &name in names {
            if self.cache.contains_key(&name) || self.files.contains_key(&name) {
                continue;
            }
            let is_at_once = !self.free.list().is_empty()
                || self.buffers_made < self.buffers_max
                || self.evict();
            if !is_at_once {
                break;
            }
            parts.push((name, self.buffer()?));
        }
        drop(held);
        Ok(parts)
    }

    /// Keeps segments that were read ahead.
    pub(crate) fn keep(&mut self, parts: Vec<Part>) {
        self.clock += 1;
        for (name, segment) in parts {
            self.cache.insert(name, Cached { segment: Arc::new(segment), used: self.clock });
        }
    }

    /// Ends a level of a team: no segment of the class has an older level, and nothing that was fetched
    /// for it is needed again. `is_own` tells which segments are this rank's.
    pub(crate) fn end_level(&mut self, class: usize, level: u32, is_own: impl Fn(Name) -> bool) {
        let old = self.files.iter().filter(|(name, file)| {
            let is_new = Name::parse(file.name()).is_some_and(|(_, of)| of == level);
            name.kind == Kind::Level && name.class == class && !is_new
        });
        for name in old.map(|(&name, _)| name).collect::<Vec<_>>() {
            self.forget(name);
        }
        self.elsewhere.forget_levels(class);
        self.cache.retain(|&name, _| is_own(name));
    }

    /// Notes that a segment is in another place from now on.
    pub(crate) fn put_elsewhere(
        &mut self,
        name: Name,
        place: usize,
        file: WorkFile,
        wanted: Option<Wanted>,
    ) {
        self.forget(name);
        self.elsewhere.put(name, place, file, wanted);
    }

    /// A segment to be changed, if it holds anything.
    pub(crate) fn take(&mut self, name: Name) -> Result<Option<Segment>, GenError> {
        if let Some(cached) = self.cache.remove(&name) {
            let segment = Arc::try_unwrap(cached.segment);
            return Ok(Some(segment.expect("what was written before the level is written")));
        }
        if !self.contains(name) {
            return Ok(None);
        }
        let mut segment = self.buffer()?;
        self.read(name, &mut segment)?;
        Ok(Some(segment))
    }

    fn read(&self, name: Name, segment: &mut Segment) -> Result<(), GenError> {
        if self.elsewhere.has_slices(name) {
            return self.elsewhere.read_slices(name, self.words, segment);
        }
        let (file_bytes, mut reader) = match self.files.get(&name) {
            Some(file) => {
                self.elsewhere.count_read(file.bytes);
                (file.bytes, file.open(self.folder)?)
            }
            None => self.elsewhere.open(name)?,
        };
        let blocks = self.blocks(name);
        let mut present = vec![0u64; blocks.div_ceil(64)];
        let head_bytes = size_of_val(&present[..]) as u64;
        if file_bytes < head_bytes {
            return Err(reader.damaged());
        }
        reader.read(bytemuck::cast_slice_mut(&mut present))?;
        let count: u32 = present.iter().map(|word| word.count_ones()).sum();
        let block_bytes = (self.words * size_of::<u64>()) as u64;
        let padding = blocks % 64;
        let is_padded = padding == 0 || present.last().is_none_or(|word| word >> padding == 0);
        if file_bytes != head_bytes + u64::from(count) * block_bytes || !is_padded {
            return Err(reader.damaged());
        }
        // A level's block without ones may hold anything: the counts tell.
        let must_fill = name.kind != Kind::Level;
        let mut end = 0;
        for run in runs(&present, self.words) {
            if must_fill {
                segment[end..run.start].fill(0);
            }
            end = run.end;
            reader.read(bytemuck::cast_slice_mut(&mut segment[run]))?;
        }
        if must_fill {
            segment[end..blocks * self.words].fill(0);
        }
        reader.finish()
    }

    /// Puts a segment back that was not changed.
    pub(crate) fn put_back(&mut self, name: Name, segment: Segment) {
        if self.contains(name) {
            self.clock += 1;
            self.cache.insert(name, Cached { segment: Arc::new(segment), used: self.clock });
        }
    }

    /// Puts the new content of a segment, as it is after a level.
    pub(crate) fn put(&mut self, name: Name, segment: Segment, present: Vec<u64>, level: u32) {
        self.clock += 1;
        let segment = Arc::new(segment);
        let path = WorkFile::path_of(self.folder, name, level);
        let is_fetched = name.kind == Kind::Level && self.elsewhere.is_shared();
        let cut = is_fetched.then(|| Cut::new(self.blocks(name), self.words));
        self.writers.send(Job { name, path, segment: segment.clone(), present, cut });
        self.cache.insert(name, Cached { segment, used: self.clock });
    }

    /// Which blocks of a segment of the record hold anything.
    pub(crate) fn present_records(&self, name: Name, segment: &Segment) -> Vec<u64> {
        let blocks = segment[..self.blocks(name) * self.words].chunks_exact(self.words);
        present(blocks.map(|block| block.iter().any(|&word| word != 0)))
    }

    fn discard(&mut self, file: &WorkFile) {
        self.stale_bytes += file.bytes;
        self.stale.push(file.path(self.folder));
    }

    /// From now on a segment holds nothing.
    pub(crate) fn forget(&mut self, name: Name) {
        self.cache.remove(&name);
        self.slices.remove(&name);
        self.elsewhere.forget(name);
        if let Some(file) = self.files.remove(&name) {
            self.discard(&file);
        }
    }

    /// From now on no segment holds a level.
    pub(crate) fn forget_levels(&mut self) {
        let levels = self.files.keys().filter(|name| name.kind == Kind::Level).copied();
        for name in levels.collect::<Vec<_>>() {
            self.forget(name);
        }
        (0..2).for_each(|class| self.elsewhere.forget_levels(class));
    }

    /// Waits until everything is written.
    pub(crate) fn flush(&mut self) -> Result<(), GenError> {
        while self.writers.underway > 0 {
            self.receive()?;
        }
        Ok(())
    }

    /// Adds a file that is not a segment to those that the next checkpoint does not name.
    pub(crate) fn add_stale(&mut self, path: PathBuf) {
        self.stale.push(path);
    }

    /// Forgets which files the checkpoint does not name: somebody else removes them.
    pub(crate) fn forget_stale(&mut self) {
        self.stale_bytes = 0;
        self.stale.clear();
    }

    /// Takes note of segments that there are, with the numbers of their places; `own` is the store's.
    pub(crate) fn place_files(&mut self, own: usize, files: BTreeMap<Name, (usize, WorkFile)>) {
        for (name, (place, file)) in files {
            if place == own {
                self.files.insert(name, file);
            } else {
                self.elsewhere.files.insert(name, (place, file));
            }
        }
    }

    /// From now on, the files of a new checkpoint are all that there is.
    pub(crate) fn replace_files(&mut self, own: usize, files: BTreeMap<Name, (usize, WorkFile)>) {
        self.cache.clear();
        self.files.clear();
        self.slices.clear();
        self.elsewhere.forget_all();
        self.place_files(own, files);
    }

    /// Removes the files that the checkpoint does not name.
    pub(crate) fn remove_stale(&mut self) -> Result<(), GenError> {
        self.stale_bytes = 0;
        for path in self.stale.drain(..) {
            disk::remove_file(&path).map_err(GenError::io("remove", &path))?;
        }
        Ok(())
    }
}
