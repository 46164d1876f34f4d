//! Store of segments: on disk, and as many of them in memory as the budget allows.
//!
//! All buffers have the same size. A buffer belongs to the cache, to the step that works on its
//! segment, or to the writers, which are threads that make changed segments durable while the
//! search continues. A step that needs a buffer takes a free one, a new one within the budget, or
//! that of the least recently used segment; otherwise it waits for a writer.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;

use crossbeam::channel::{Receiver, Sender, unbounded};
use crossbeam::queue::SegQueue;

use super::segments::Segments;
use super::work_files::{BlockCounts, SegmentKind, SegmentName, WorkFile, block_runs, record_head};
use crate::GenError;
use crate::threads::map_in_threads;
use crate::words::Words;

/// Number of threads that write segments. They mostly wait for the disk, which makes many small
/// files durable at once in little more time than one.
pub(crate) const WRITERS: usize = 8;

/// A buffer with a segment's blocks; the words after them have no meaning.
#[derive(Debug)]
pub(crate) struct Segment {
    words: Option<Words>,
    /// Queue that receives the buffer when the segment is dropped.
    free: Arc<SegQueue<Words>>,
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
        if let Some(words) = self.words.take() {
            self.free.push(words);
        }
    }
}

/// A segment to write after a level.
struct WriteJob {
    name: SegmentName,
    level: u32,
    segment: Arc<Segment>,
    head: Vec<BlockCounts>,
}

type WriteResult = Result<(SegmentName, WorkFile), GenError>;

/// The writing threads.
#[derive(Debug)]
struct Writers {
    jobs: Option<Sender<WriteJob>>,
    written: Receiver<WriteResult>,
    threads: Vec<JoinHandle<()>>,
    /// Number of jobs that were sent and are not received back.
    underway: usize,
}

impl Writers {
    fn new(folder: &Path, words: usize) -> Result<Self, GenError> {
        let (jobs, todo) = unbounded::<WriteJob>();
        let (done, written) = unbounded();
        let mut threads = Vec::new();
        while threads.len() < WRITERS {
            let (folder, todo, done) = (folder.to_owned(), todo.clone(), done.clone());
            let write = move || {
                for WriteJob { name, level, segment, head } in todo {
                    let file =
                        WorkFile::write_segment(&folder, name, level, &head, &segment, words);
                    // The buffer is free before its file is reported.
                    drop(segment);
                    if done.send(file.map(|file| (name, file))).is_err() {
                        break;
                    }
                }
            };
            match pdb_core::thread_builder().spawn(write) {
                Ok(thread) => threads.push(thread),
                // One thread is enough, although slow.
                Err(_) if !threads.is_empty() => break,
                Err(source) => return Err(GenError::Threads { source }),
            }
        }
        Ok(Self { jobs: Some(jobs), written, threads, underway: 0 })
    }

    fn send(&mut self, job: WriteJob) {
        let jobs = self.jobs.as_ref().expect("there until it is dropped");
        jobs.send(job).expect("the writing threads listen to the end");
        self.underway += 1;
    }

    fn receive(&mut self) -> WriteResult {
        self.underway -= 1;
        self.written.recv().expect("the writing threads answer each job")
    }
}

impl Drop for Writers {
    fn drop(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            // A panic of the thread was noticed by the step that waited for its file.
            let _ = thread.join();
        }
    }
}

#[derive(Debug)]
struct CacheEntry {
    name: SegmentName,
    segment: Arc<Segment>,
    /// Time of the last use.
    used: u64,
}

/// The segments of a search.
#[derive(Debug)]
pub(crate) struct Store<'a> {
    pub(crate) folder: &'a Path,
    segments: &'a Segments,
    /// Number of words of a block.
    words: usize,
    buffer_words: usize,
    buffers_max: usize,
    buffers_made: usize,
    free: Arc<SegQueue<Words>>,
    /// The segments in buffers, at most as many as there are buffers.
    cache: Vec<CacheEntry>,
    clock: u64,
    /// The durable content of each segment with any state.
    pub(crate) files: BTreeMap<SegmentName, WorkFile>,
    /// Size of the segments that the next checkpoint will not name, in bytes.
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
        files: BTreeMap<SegmentName, WorkFile>,
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
            cache: Vec::new(),
            clock: 0,
            files,
            stale_bytes: 0,
            writers: Writers::new(folder, words)?,
            thread_count,
        })
    }

    /// Frees all buffers, and returns the bytes that they took.
    pub(crate) fn release(&mut self) -> usize {
        let bytes = self.peak_bytes();
        self.cache.clear();
        while self.free.pop().is_some() {}
        self.buffers_made = 0;
        bytes
    }

    /// Returns the size of all buffers, in bytes.
    pub(crate) fn peak_bytes(&self) -> usize {
        self.buffers_made * self.buffer_words * size_of::<u64>()
    }

    /// Returns whether a segment has any state.
    pub(crate) fn contains(&self, name: SegmentName) -> bool {
        self.files.contains_key(&name)
    }

    /// Returns the size of all segment files, including those that the next checkpoint will not
    /// name, in bytes.
    pub(crate) fn file_bytes(&self) -> u64 {
        self.files.values().map(|file| file.bytes).sum::<u64>() + self.stale_bytes
    }

    /// Returns a buffer with any content.
    pub(crate) fn buffer(&mut self) -> Result<Segment, GenError> {
        let words = loop {
            if let Some(words) = self.free.pop() {
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

    /// Returns a buffer for a segment, without any state.
    pub(crate) fn empty(&mut self, name: SegmentName) -> Result<Segment, GenError> {
        let mut segment = self.buffer()?;
        segment[..name.blocks(self.segments) * self.words].fill(0);
        Ok(segment)
    }

    /// Drops the least recently used record from the cache, or else the least recently used level.
    fn evict(&mut self) -> bool {
        let cached = self.cache.iter().enumerate();
        let idle = cached.filter(|(_, cached)| Arc::strong_count(&cached.segment) == 1);
        let oldest =
            idle.min_by_key(|(_, cached)| (cached.name.kind == SegmentKind::Level, cached.used));
        let place = oldest.map(|(place, _)| place);
        place.map(|place| self.cache.swap_remove(place)).is_some()
    }

    /// Removes a segment from the cache.
    fn uncached(&mut self, name: SegmentName) -> Option<Arc<Segment>> {
        let place = self.cache.iter().position(|cached| cached.name == name)?;
        Some(self.cache.swap_remove(place).segment)
    }

    /// Puts a segment into the cache, in place of what it held of that name.
    fn cache(&mut self, name: SegmentName, segment: Arc<Segment>) {
        self.uncached(name);
        self.cache.push(CacheEntry { name, segment, used: self.clock });
    }

    fn receive(&mut self) -> Result<(), GenError> {
        let (name, file) = self.writers.receive()?;
        self.stale_bytes += self.files.insert(name, file).map_or(0, |old| old.bytes);
        Ok(())
    }

    /// Returns segments with any state for reading; those on disk are read on all threads.
    pub(crate) fn fetch(&mut self, names: &[SegmentName]) -> Result<Vec<Arc<Segment>>, GenError> {
        self.clock += 1;
        // Cached segments are held first, so that they are not evicted for the others.
        let mut fetched: Vec<Option<Arc<Segment>>> = Vec::with_capacity(names.len());
        for &name in names {
            let cached = self.cache.iter_mut().find(|cached| cached.name == name);
            fetched.push(cached.map(|cached| {
                cached.used = self.clock;
                cached.segment.clone()
            }));
        }
        let missing: Vec<usize> = (0..names.len()).filter(|&nth| fetched[nth].is_none()).collect();
        let mut buffers = Vec::with_capacity(missing.len());
        for _ in &missing {
            buffers.push(self.buffer()?);
        }
        let missing = missing.into_iter().zip(buffers);
        let read = map_in_threads(self.thread_count, missing, |(nth, mut segment)| {
            self.read(names[nth], &mut segment)?;
            Ok::<_, GenError>((nth, Arc::new(segment)))
        })?;
        for (nth, segment) in read {
            fetched[nth] = Some(segment.clone());
            self.cache(names[nth], segment);
        }
        Ok(fetched.into_iter().map(|segment| segment.expect("it was cached or read")).collect())
    }

    /// Returns a segment for changing, if it has any state.
    pub(crate) fn take(&mut self, name: SegmentName) -> Result<Option<Segment>, GenError> {
        if let Some(cached) = self.uncached(name) {
            let segment = Arc::try_unwrap(cached);
            return Ok(Some(segment.expect("the writers ended before the level began")));
        }
        if !self.contains(name) {
            return Ok(None);
        }
        let mut segment = self.buffer()?;
        self.read(name, &mut segment)?;
        Ok(Some(segment))
    }

    fn read(&self, name: SegmentName, segment: &mut Segment) -> Result<(), GenError> {
        let file = &self.files[&name];
        let mut reader = file.open(self.folder)?;
        let blocks = name.blocks(self.segments);
        let head = reader.read_head(blocks, self.words)?;
        // A level's block whose count is zero may contain anything, so it is not cleared.
        let must_fill = name.kind != SegmentKind::Level;
        let mut end = 0;
        for run in block_runs(&head, self.words) {
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

    /// Puts an unchanged segment back.
    pub(crate) fn put_back(&mut self, name: SegmentName, segment: Segment) {
        if self.contains(name) {
            self.clock += 1;
            self.cache(name, Arc::new(segment));
        }
    }

    /// Stores the new content of a segment after a level, with the counts of its blocks.
    pub(crate) fn put(
        &mut self,
        name: SegmentName,
        segment: Segment,
        head: Vec<BlockCounts>,
        level: u32,
    ) {
        self.clock += 1;
        let segment = Arc::new(segment);
        self.writers.send(WriteJob { name, level, segment: segment.clone(), head });
        self.cache(name, segment);
    }

    /// Stores the new content of a segment of the record after a level.
    pub(crate) fn put_record(&mut self, name: SegmentName, segment: Segment, level: u32) {
        let blocks = &segment[..name.blocks(self.segments) * self.words];
        let head = record_head(blocks, self.words);
        self.put(name, segment, head, level);
    }

    /// Marks a segment as empty.
    pub(crate) fn forget(&mut self, name: SegmentName) {
        self.uncached(name);
        self.stale_bytes += self.files.remove(&name).map_or(0, |file| file.bytes);
    }

    /// Marks the levels of all segments as empty.
    pub(crate) fn forget_levels(&mut self) {
        let levels = self.files.keys().filter(|name| name.kind == SegmentKind::Level).copied();
        for name in levels.collect::<Vec<_>>() {
            self.forget(name);
        }
    }

    /// Waits until everything is written.
    pub(crate) fn flush(&mut self) -> Result<(), GenError> {
        while self.writers.underway > 0 {
            self.receive()?;
        }
        Ok(())
    }

    /// Notes that the files that no checkpoint names were removed.
    pub(crate) fn forget_stale(&mut self) {
        self.stale_bytes = 0;
    }
}
