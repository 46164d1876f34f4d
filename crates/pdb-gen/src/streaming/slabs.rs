//! Packing of a record that is on disk: from segments to the file, in slabs of columns.
//!
//! 1. Cell sets are packed in the order of their ranks, in groups whose rows fit the memory. Each
//!    class is read once, from its first segment to its last.
//! 2. The packed blocks are rows of a matrix with one column per arrangement. They are divided into
//!    slabs of columns, each a file, in which a row fills whole words.
//! 3. One slab after another is read, transposed and written to the table.
//!
//! A slab is as wide as possible so that it fits the memory twice: as it is read and as it is
//! written.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use crossbeam::queue::SegQueue;
use pdb_clock::Instant;
use pdb_format::{CHUNK_BYTES, Header, Packing};

use super::levels::StreamedSearch;
use super::segments::Segments;
use super::store::{Segment, Store};
use super::work_files::{SegmentKind, SegmentName, slab_path};
use crate::GenError;
use crate::building::{BuildTimes, TableWriter};
use crate::disk::{self, WriteLock};
use crate::monitor::Event;
use crate::packing::{Dimensions, Packer, pack_smallest};
use crate::search::{RecordBlocks, needs_visited};
use crate::threads::map_in_threads;
use crate::words::Words;

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

/// The record of one segment of each class; missing bitsets have no state.
struct RecordWindows {
    needs_visited: bool,
    words: usize,
    classes: [Option<RecordWindow>; 2],
    /// A block without states.
    empty: Vec<u64>,
}

impl RecordWindows {
    #[inline(always)]
    fn block<'a>(&'a self, segment: Option<&'a Arc<Segment>>, nth: usize) -> &'a [u64] {
        segment.map_or(&self.empty[..], |segment| &segment[nth * self.words..][..self.words])
    }

    #[inline(always)]
    fn window(&self, class: usize) -> &RecordWindow {
        self.classes[class].as_ref().expect("the segments of the sets that are packed are there")
    }
}

impl RecordBlocks for RecordWindows {
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

/// The slabs of a matrix.
struct Slabs {
    /// The words of a row in each slab.
    slabs: Vec<Range<usize>>,
    /// Peak size of the rows in memory, in bytes.
    rows_bytes: usize,
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

        let (packing, Slabs { slabs, rows_bytes }) =
            pack_smallest(self.space.key.mode, |packing| self.cut_slabs(packing, memory_bytes))?;
        let buffer_bytes = self.store.release();
        times.pack = begun.elapsed();

        let dimensions = Dimensions::new(&self.space, packing);
        let header = self.checkpoint.header(&self.space, packing, self.folder)?;
        let mut table = TableWriter::begin(lock, header, self.space.thread_count, self.monitor)?;
        let mut slab_bytes = 0;
        for (nth, words) in slabs.iter().enumerate() {
            let begun = Instant::now();
            let transposed = self.transpose_slab(nth, words, dimensions)?;
            times.pack += begun.elapsed();
            slab_bytes = slab_bytes.max(2 * words.len() * dimensions.rows * WORD_BYTES);
            let (words, len) = &transposed;
            table.push(&bytemuck::cast_slice(words)[..*len], times)?;
        }
        let header = table.commit(times)?;
        let peak = (buffer_bytes + rows_bytes).max(slab_bytes + CHUNK_BYTES as usize);
        Ok((header, peak))
    }

    /// Packs and divides the rows (steps 1 and 2); `None` if an excess does not fit the packing.
    fn cut_slabs(
        &mut self,
        packing: Packing,
        memory_bytes: usize,
    ) -> Result<Option<Slabs>, GenError> {
        let (key, thread_count) = (self.space.key, self.space.thread_count);
        let dimensions = Dimensions::new(&self.space, packing);
        let row_words = dimensions.row_words();
        let word_bytes = 2 * dimensions.rows * WORD_BYTES;
        let left = memory_bytes.saturating_sub(CHUNK_BYTES as usize);
        let slab_words = (left / word_bytes).clamp(1, row_words);
        // Makes the slabs about equally wide.
        let slab_words = row_words.div_ceil(row_words.div_ceil(slab_words));
        let slabs: Vec<_> = (0..row_words)
            .step_by(slab_words)
            .map(|start| start..(start + slab_words).min(row_words))
            .collect();
        let files = self.new_slabs(slabs.len())?;

        let packer = Packer::new(&self.space, packing, self.checkpoint.level as usize);
        let (needs_visited, words) = (needs_visited(&key), self.space.words());
        let mut windows =
            RecordWindows { needs_visited, words, classes: [None, None], empty: vec![0; words] };
        let row_bits = dimensions.row_bits();
        // Memory for the packed rows, and for the divided rows of each thread.
        let share = memory_bytes / 4 / (1 + thread_count);
        let rows_bytes_max = ROWS_BYTES.min(share);
        let mut rows_bytes = 0;
        let places = &self.space.graph.places;
        // Anonymous memory, which the system gets back before slabs are transposed.
        let mut packed = Words::zeroed(0)?;
        let spare_cuts: SegQueue<Words> = SegQueue::new();
        let (mut rank, mut row) = (0, 0);
        while rank < places.len() {
            self.monitor.check_cancelled()?;
            let first = rank;
            let mut current = [None, None];
            let mut rows = 0;
            while let Some(place) = places.get(rank) {
                let segment = self.segments.classes[place.class].of_set(place.set);
                let blocks = packer.blocks(place);
                let bytes = ((rows + blocks) * row_bits).div_ceil(8);
                let is_other = current[place.class].is_some_and(|there| there != segment);
                if rank > first && (is_other || bytes > rows_bytes_max) {
                    break;
                }
                current[place.class] = Some(segment);
                rows += blocks;
                rank += 1;
            }
            for (class, &segment) in current.iter().enumerate() {
                windows.classes[class] = None;
                if let Some(segment) = segment {
                    let planes = packer.plane_count();
                    let window = window(&mut self.store, self.segments, class, segment, planes)?;
                    windows.classes[class] = Some(window);
                }
            }
            let word_count = dimensions.words(rows);
            if packed.len() < word_count {
                packed = Words::zeroed(word_count)?;
            }
            packed[..word_count].fill(0);
            if !packer.pack(&windows, first..rank, &mut packed[..word_count], thread_count) {
                return Ok(None);
            }
            let folder = self.folder;
            let parts = slabs.iter().zip(&files).enumerate();
            map_in_threads(thread_count, parts, |(nth, (slab, file))| {
                let len = rows * slab.len();
                let mut cut = match spare_cuts.pop() {
                    Some(cut) if cut.len() >= len => cut,
                    _ => Words::zeroed(len)?,
                };
                dimensions.cut(&packed[..word_count], slab, &mut cut[..len]);
                let at = (row * slab.len() * WORD_BYTES) as u64;
                let path = slab_path(folder, nth);
                disk::write_at(file, &path, bytemuck::cast_slice(&cut[..len]), at)
                    .map_err(GenError::io("write", &path))?;
                spare_cuts.push(cut);
                Ok::<_, GenError>(())
            })?;
            let cut_words = rows * slab_words * thread_count.min(slabs.len());
            rows_bytes = rows_bytes.max((packed.len() + cut_words) * WORD_BYTES);
            row += rows;
        }
        Ok(Some(Slabs { slabs, rows_bytes }))
    }

    /// Creates empty files for slabs.
    fn new_slabs(&self, count: usize) -> Result<Vec<File>, GenError> {
        let open = |nth| {
            let path = slab_path(self.folder, nth);
            disk::create(&path).map_err(GenError::io("write", &path))
        };
        (0..count).map(open).collect()
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
            file.read_exact_at(part, (i * READ_BYTES) as u64).map_err(error)
        })?;
        let matrix = dimensions.slab(words, &slab);
        let mut transposed = Words::zeroed(matrix.word_count())?;
        matrix.transpose(&mut transposed, self.space.thread_count);
        let len = matrix.byte_count();
        disk::remove_file(&path).map_err(GenError::io("remove", &path))?;
        Ok((transposed, len))
    }
}

/// Reads the record of a segment.
fn window(
    store: &mut Store<'_>,
    segments: &Segments,
    class: usize,
    segment: usize,
    planes: usize,
) -> Result<RecordWindow, GenError> {
    let mut fetch = |kind| -> Result<Option<Arc<Segment>>, GenError> {
        let name = SegmentName { kind, class, segment };
        if !store.contains(name) {
            return Ok(None);
        }
        Ok(store.fetch(&[name])?.pop())
    };
    let planes = (0..planes).map(|plane| fetch(SegmentKind::Plane(plane as u8)));
    let planes = planes.collect::<Result<_, _>>()?;
    let visited = fetch(SegmentKind::Visited)?;
    Ok(RecordWindow { first_block: segments.recorded(class, segment).start, visited, planes })
}
