//! Boards that a beam has met, as many as memory keeps.

/// Marks in a bucket, which is one cache line.
const BUCKET: usize = 8;

/// Memory of a table for each board of a beam's width, at most: marks of four boards, and the next
/// power of two.
pub(crate) const BYTES_PER_BOARD: usize = 2 * 4 * size_of::<u64>();

/// Marks of a narrow beam on large boards, at most: 8 MiB. Such a beam meets a board again after
/// many layers, and goes around in circles if it has forgotten it.
const LONG_MARKS: usize = 1 << 20;
/// Marks of such a beam for each board of its width: some hundred layers.
const LONG_MARKS_PER_BOARD: usize = 512;

/// Memory of these marks, at most, and for each board of the width, with the next power of two.
pub(crate) const LONG_BYTES: u64 = (LONG_MARKS * size_of::<u64>()) as u64;
pub(crate) const LONG_BYTES_PER_BOARD: u64 = 2 * (LONG_MARKS_PER_BOARD * size_of::<u64>()) as u64;

/// Returns the number of buckets in the table of a beam.
fn bucket_count(width: usize, is_long: bool) -> usize {
    let long = if is_long { LONG_MARKS.min(LONG_MARKS_PER_BOARD * width) } else { 0 };
    (long.max(4 * width) / BUCKET).next_power_of_two().max(64)
}

/// Returns the memory that a table with a long memory takes beyond [`BYTES_PER_BOARD`].
pub(crate) fn long_bytes(width: u32) -> u64 {
    let width = width as usize;
    let bytes = bucket_count(width, true) * size_of::<Bucket>();
    bytes.saturating_sub(BYTES_PER_BOARD * width) as u64
}

/// A mark is the hash of a board without its last byte, which is the depth of the board.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket([u64; BUCKET]);

/// A table of boards that were met, which forgets the ones with the smallest depth.
#[derive(Debug)]
pub(crate) struct Seen {
    buckets: Vec<Bucket>,
}

impl Seen {
    /// Makes the table of a beam of a width. With a long memory, a narrow beam remembers more than
    /// its last layers.
    pub(crate) fn new(width: usize, is_long: bool) -> Self {
        Self { buckets: vec![Bucket([0; BUCKET]); bucket_count(width, is_long)] }
    }

    #[inline(always)]
    fn place(&self, hash: u64) -> usize {
        (hash >> 16) as usize & (self.buckets.len() - 1)
    }

    /// Returns what is read next for a board, for a prefetch.
    #[inline(always)]
    pub(crate) fn line(&self, hash: u64) -> &impl Sized {
        &self.buckets[self.place(hash)]
    }

    /// Returns whether a board was not met before, as far as is remembered, and marks it.
    #[inline(always)]
    pub(crate) fn is_new(&mut self, hash: u64, depth: u8) -> bool {
        let place = self.place(hash);
        let bucket = &mut self.buckets[place].0;
        let mut oldest = (0, 0);
        for (i, &mark) in bucket.iter().enumerate() {
            if (mark ^ hash) >> 8 == 0 {
                return false;
            }
            let age = if mark == 0 { 256 } else { u32::from(depth.wrapping_sub(mark as u8)) + 1 };
            if age > oldest.0 {
                oldest = (age, i);
            }
        }
        bucket[oldest.1] = hash & !255 | u64::from(depth);
        true
    }
}
