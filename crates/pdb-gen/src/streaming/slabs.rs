//! Packing of a record that is on disk: from segments to the file, in slabs of columns.
//!
//! 1. The [packer](crate::packing) reads each class once, from its first segment to its last.
//! 2. It divides the rows into slabs of columns, each a file, in which a row fills whole words.
//! 3. One slab after another is read, transposed and written to the table.
//!
//! A slab is as wide as possible so that it fits the memory twice: as it is read and as it is
//! written.

use std::fs::File;
use std::ops::Range;
use std::sync::Arc;

use pdb_clock::Instant;
use pdb_format::{CHUNK_BYTES, Header};

use super::levels::StreamedSearch;
use super::segments::Segments;
use super::store::{Segment, Store};
use super::work_files::{SegmentKind, SegmentName, slab_path};
use crate::GenError;
use crate::building::{BuildTimes, TableWriter};
use crate::disk::{self, WriteLock};
use crate::monitor::{Event, Monitor};
use crate::packing::{Dimensions, Packer, RecordSource, Slabs, pack_smallest};
use crate::search::{RecordBlocks, SetPlace, needs_visited};
use crate::threads::{Workers, map_in_threads};
use crate::words::Words;

/// The words of a row in each slab, and the peak memory of the rows in bytes.
type CutRecord = (Vec<Range<usize>>, usize);

const WORD_BYTES: usize = size_of::<u64>();
/// Largest size of the rows that are packed at once, in bytes, unless one cell set has more.
const ROWS_BYTES: usize = 8 << 20;
/// Number of bytes of a slab that a thread reads at a time.
const READ_BYTES: usize = 8 << 20;

/// The record of one segment of a class.
struct RecordWindow {
    first_block: usize,
    visited: Option<Arc<Segment>>,
    planes: Vec<Option<Arc<Segment>>>,
}

/// A record on disk, of which one segment of each class is in memory.
struct RecordOnDisk<'s, 'a> {
    store: &'s mut Store<'a>,
    segments: &'a Segments,
    needs_visited: bool,
    words: usize,
    windows: [Option<RecordWindow>; 2],
    /// A block without states; missing bitsets have none.
    empty: Vec<u64>,
}

impl RecordBlocks for RecordOnDisk<'_, '_> {
    #[inline(always)]
    fn visited(&self, class: usize, block: usize) -> Option<&[u64]> {
        let window = self.window(class);
        self.needs_visited.then(|| self.block(window.visited.as_ref(), block - window.first_block))
    }

    #[inline(always)]
    fn plane(&self, plane: usize, class: usize, block: usize) -> &[u64] {
        let window = self.window(class);
        self.block(window.planes[plane].as_ref(), block - window.first_block)
    }
}

impl RecordSource for RecordOnDisk<'_, '_> {
    fn segment(&self, place: &SetPlace) -> Option<usize> {
        Some(self.segments.classes[place.class].of_set(place.set))
    }

    fn load(&mut self, segments: [Option<usize>; 2], plane_count: usize) -> Result<(), GenError> {
        for (class, segment) in segments.into_iter().enumerate() {
            self.windows[class] = None;
            let Some(segment) = segment else { continue };
            let mut fetch = |kind| -> Result<Option<Arc<Segment>>, GenError> {
                let name = SegmentName { kind, class, segment };
                if !self.store.contains(name) {
                    return Ok(None);
                }
                Ok(self.store.fetch(&[name])?.pop())
            };
            let planes = (0..plane_count).map(|plane| fetch(SegmentKind::Plane(plane as u8)));
            let planes = planes.collect::<Result<_, _>>()?;
            let visited = fetch(SegmentKind::Visited)?;
            let first_block = self.segments.recorded(class, segment).start;
            self.windows[class] = Some(RecordWindow { first_block, visited, planes });
        }
        Ok(())
    }
}

impl RecordOnDisk<'_, '_> {
    #[inline(always)]
    fn block<'b>(&'b self, segment: Option<&'b Arc<Segment>>, nth: usize) -> &'b [u64] {
        segment.map_or(&self.empty[..], |segment| &segment[nth * self.words..][..self.words])
    }

    #[inline(always)]
    fn window(&self, class: usize) -> &RecordWindow {
        self.windows[class].as_ref().expect("the segments of the sets that are packed are there")
    }

    /// Packs the record into files (steps 1 and 2). Returns the words of a row in each slab, and
    /// the peak memory of the rows in bytes; `None` if an excess does not fit the packing.
    fn cut(
        &mut self,
        packer: &Packer<'_>,
        memory_bytes: usize,
        monitor: &Monitor<'_>,
    ) -> Result<Option<CutRecord>, GenError> {
        let (slabs, folder) = (slab_words(packer.dimensions, memory_bytes), self.store.folder);
        let create = |nth| {
            let path = slab_path(folder, nth);
            disk::create(&path).map_err(GenError::io("write", &path))
        };
        let files = (0..slabs.len()).map(create).collect::<Result<Vec<File>, _>>()?;
        let write = |slab: usize, row: usize, part: &[u64]| {
            let at = (row * slabs[slab].len() * WORD_BYTES) as u64;
            let path = slab_path(folder, slab);
            disk::write_at(&files[slab], &path, bytemuck::cast_slice(part), at)
                .map_err(GenError::io("write", &path))
        };
        let mut sink = Slabs::new(packer, &slabs, &write);
        // Memory for the packed rows, and for the divided rows of each thread.
        let share = memory_bytes / 4 / (1 + packer.space.thread_count);
        let fits = packer.pack(self, ROWS_BYTES.min(share), &mut sink, monitor)?;
        let rows_bytes = sink.peak_bytes;
        Ok(fits.then_some((slabs, rows_bytes)))
    }
}

/// Returns the words of a row in each slab: slabs about equally wide that fit the memory.
fn slab_words(dimensions: Dimensions, memory_bytes: usize) -> Vec<Range<usize>> {
    let row_words = dimensions.row_words();
    let word_bytes = 2 * dimensions.rows * WORD_BYTES;
    let left = memory_bytes.saturating_sub(CHUNK_BYTES as usize);
    let widest = (left / word_bytes).clamp(1, row_words);
    let width = row_words.div_ceil(row_words.div_ceil(widest));
    let starts = (0..row_words).step_by(width);
    starts.map(|start| start..(start + width).min(row_words)).collect()
}

impl StreamedSearch<'_> {
    /// Packs the record and commits the table within `memory_bytes`. Returns the header and the
    /// peak memory, in bytes.
    pub(crate) fn pack(
        &mut self,
        lock: &WriteLock,
        memory_bytes: usize,
        times: &mut BuildTimes,
    ) -> Result<(Header, usize), GenError> {
        let begun = Instant::now();
        self.monitor.event(Event::Pack);
        self.end_search();

        let (space, words) = (&self.space, self.space.words());
        let mut record = RecordOnDisk {
            store: &mut self.store,
            segments: self.segments,
            needs_visited: needs_visited(&space.key),
            words,
            windows: [None, None],
            empty: vec![0; words],
        };
        let level_max = self.checkpoint.level as usize;
        let (dimensions, (slabs, rows_bytes)) = pack_smallest(space, level_max, |packer| {
            record.cut(packer, memory_bytes, self.monitor)
        })?;
        drop(record);
        let buffer_bytes = self.store.release();
        times.pack = begun.elapsed();

        let header = self.checkpoint.header(space, dimensions.packing);
        let workers = Workers { thread_count: space.thread_count, monitor: self.monitor };
        let mut table = TableWriter::begin(lock, header, workers)?;
        let mut slab_bytes = 0;
        for (nth, words) in slabs.iter().enumerate() {
            let begun = Instant::now();
            let (transposed, len) = self.transpose_slab(nth, words, dimensions)?;
            times.pack += begun.elapsed();
            slab_bytes = slab_bytes.max(2 * words.len() * dimensions.rows * WORD_BYTES);
            table.push(&bytemuck::cast_slice(&transposed)[..len], times)?;
        }
        let header = table.commit(times)?;
        let peak = (buffer_bytes + rows_bytes).max(slab_bytes + CHUNK_BYTES as usize);
        Ok((header, peak))
    }

    /// Transposes one slab (step 3), and returns its part of the payload with its length in bytes.
    fn transpose_slab(
        &self,
        nth: usize,
        words: &Range<usize>,
        dimensions: Dimensions,
    ) -> Result<(Words, usize), GenError> {
        let path = slab_path(self.folder, nth);
        let error = |source| GenError::io("read", &path)(source);
        let mut slab = Words::zeroed(dimensions.rows * words.len())?;
        let file = File::open(&path).map_err(error)?;
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut slab);
        let parts = bytes.chunks_mut(READ_BYTES).enumerate();
        map_in_threads(self.space.thread_count, parts, |(i, part)| {
            disk::read_exact_at(&file, part, (i * READ_BYTES) as u64).map_err(error)
        })?;
        let matrix = dimensions.slab(words, &slab);
        let transposed = matrix.transposed(self.space.thread_count)?;
        let len = matrix.byte_count();
        disk::remove_file(&path).map_err(GenError::io("remove", &path))?;
        Ok((transposed, len))
    }
}
