//! Transposition of a payload from the order of blocks to the order of arrangements.
//!
//! The search works on whole blocks, so packing writes the entries of one block after those of
//! another: a matrix with one row per block and one column per arrangement. A table has the entries
//! of one arrangement after those of another: the transposed matrix. Neither has gaps, so rows
//! start at any bit; only the slabs of a matrix that is larger than memory have rows of whole
//! words.
//!
//! 1. The matrix is divided into patches of 512 by 512 bits, which fit the first-level cache.
//! 2. A patch is divided into slices of as many rows as a word has entries. One word from each row
//!    of a slice makes a square. It is transposed by swapping halves, then halves of halves, and so
//!    on; the eight squares of a slice are processed side by side in vector registers.
//! 3. The rows of the transposed patch are or-ed into the zeroed target.
//!
//! A thread takes 512 bits of columns at a time. These are a multiple of 64 columns, so the rows
//! that they become start with a whole word that no other thread writes.

use std::convert::Infallible;

use pdb_core::processor::with_wide_registers;

use crate::GenError;
use crate::threads::map_in_threads_with;
use crate::words::Words;

/// Bits of a word.
const WORD_BITS: usize = 64;
/// Number of words of a row of a patch, which is also the number of slices.
const PATCH_WORDS: usize = 8;

/// Part of a row, as wide as a patch.
type Run = [u64; PATCH_WORDS];

/// A matrix of entries; its bits are in words, the lowest first, as in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matrix<'a> {
    /// The words, which hold all entries and perhaps more.
    pub(crate) words: &'a [u64],
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Number of bits from the start of one row to that of the next.
    pub(crate) row_bits: usize,
    /// Number of bits of an entry: 1, 4 or 8.
    pub(crate) entry_bits: usize,
}

impl Matrix<'_> {
    /// Returns the number of bytes that the entries fill without gaps.
    pub(crate) fn byte_count(&self) -> usize {
        (self.rows * self.columns * self.entry_bits).div_ceil(8)
    }

    /// Returns the number of words that the entries fill without gaps.
    pub(crate) fn word_count(&self) -> usize {
        self.byte_count().div_ceil(size_of::<u64>())
    }

    /// Returns the transposed matrix in new memory.
    pub(crate) fn transposed(&self, thread_count: usize) -> Result<Words, GenError> {
        let mut target = Words::zeroed(self.word_count())?;
        self.transpose(&mut target, thread_count);
        Ok(target)
    }

    /// Writes the transposed matrix to `target`: [`word_count`](Self::word_count) words, all zero.
    /// Bits after the last entry stay zero.
    pub(crate) fn transpose(&self, target: &mut [u64], thread_count: usize) {
        match self.entry_bits {
            1 => self.transpose_words::<64>(target, thread_count),
            4 => self.transpose_words::<16>(target, thread_count),
            8 => self.transpose_words::<8>(target, thread_count),
            bits => unreachable!("no packing has entries of {bits} bits"),
        }
    }

    /// Does the same for `N` entries per word.
    fn transpose_words<const N: usize>(&self, target: &mut [u64], thread_count: usize) {
        let band_columns = PATCH_WORDS * N;
        let mut bands = Vec::new();
        let mut rest = target;
        for first in (0..self.columns).step_by(band_columns) {
            let columns = band_columns.min(self.columns - first);
            let words = (columns * self.rows * self.entry_bits).div_ceil(WORD_BITS);
            let out = rest.split_off_mut(..words).expect("the target has room for all columns");
            bands.push((first, columns, out));
        }
        let patch = || vec![[0; PATCH_WORDS]; band_columns];
        let Ok(_) = map_in_threads_with(thread_count, bands, patch, |patch, band| {
            let (first, columns, out) = band;
            with_wide_registers(
                #[inline(always)]
                || self.transpose_band::<N>(first, columns, patch, out),
            );
            Ok::<_, Infallible>(())
        });
    }

    /// Transposes the columns `first_column..first_column + columns` into rows, which fill `out`.
    #[inline(always)]
    fn transpose_band<const N: usize>(
        &self,
        first_column: usize,
        columns: usize,
        patch: &mut [Run],
        out: &mut [u64],
    ) {
        for first_row in (0..self.rows).step_by(PATCH_WORDS * N) {
            let rows = (PATCH_WORDS * N).min(self.rows - first_row);
            let tops = (first_row..first_row + rows).step_by(N);
            for (slice, top) in tops.enumerate() {
                let mut squares = [[0; PATCH_WORDS]; N];
                for (row, run) in squares.iter_mut().enumerate().take(self.rows - top) {
                    let bit = (top + row) * self.row_bits + first_column * self.entry_bits;
                    *run = read_run(self.words, bit);
                }
                transpose_squares(&mut squares);
                for (column, run) in squares.iter().enumerate() {
                    for (square, &word) in run.iter().enumerate() {
                        patch[square * N + column][slice] = word;
                    }
                }
            }
            for (column, run) in patch[..columns].iter_mut().enumerate() {
                // Clears the bits of the patch above.
                run[rows.div_ceil(N)..].fill(0);
                let bit = (column * self.rows + first_row) * self.entry_bits;
                or_run(out, bit, run, rows * self.entry_bits);
            }
        }
    }
}

/// Returns the bits from `bit` on; zeros after the last word.
#[inline(always)]
fn read_run(words: &[u64], bit: usize) -> Run {
    let (first, shift) = (bit / WORD_BITS, bit % WORD_BITS);
    let mut raw = [0; PATCH_WORDS + 1];
    if let Some(whole) = words.get(first..first + raw.len()) {
        raw.copy_from_slice(whole);
    } else {
        for (word, &found) in raw.iter_mut().zip(&words[first.min(words.len())..]) {
            *word = found;
        }
    }
    let mut run = [0; PATCH_WORDS];
    for i in 0..PATCH_WORDS {
        // Two shifts, because a shift by all 64 bits would shift by none.
        let (low, high) = (u64::from_le(raw[i]), u64::from_le(raw[i + 1]));
        run[i] = low >> shift | high << 1 << (WORD_BITS - 1 - shift);
    }
    run
}

/// Copies the bits from `bit` on that fill `out`; zeros after the last word.
pub(super) fn copy_bits(words: &[u64], bit: usize, out: &mut [u64]) {
    for (nth, out) in out.chunks_mut(PATCH_WORDS).enumerate() {
        let run = read_run(words, bit + nth * PATCH_WORDS * WORD_BITS);
        for (out, word) in out.iter_mut().zip(run) {
            *out = word.to_le();
        }
    }
}

/// Transposes adjacent squares of `N` by `N` entries, with one word per row.
#[inline(always)]
fn transpose_squares<const N: usize>(rows: &mut [Run; N]) {
    let entry_bits = WORD_BITS / N;
    let mut half = N / 2;
    while half > 0 {
        let shift = half * entry_bits;
        // The lower half of each part of a word.
        let lower = u64::MAX / ((1 << shift) + 1);
        for part in rows.chunks_exact_mut(2 * half) {
            let (above, below) = part.split_at_mut(half);
            for (above, below) in above.iter_mut().zip(below) {
                for i in 0..PATCH_WORDS {
                    let differ = (above[i] >> shift ^ below[i]) & lower;
                    below[i] ^= differ;
                    above[i] ^= differ << shift;
                }
            }
        }
        half /= 2;
    }
}

/// Adds the first `bit_count` bits of a run to `out`, from `bit` on. All other bits of the run are
/// zero.
#[inline(always)]
fn or_run(out: &mut [u64], bit: usize, run: &Run, bit_count: usize) {
    let (first, shift) = (bit / WORD_BITS, bit % WORD_BITS);
    let mut shifted = [0; PATCH_WORDS + 1];
    let mut before = 0;
    for i in 0..PATCH_WORDS {
        shifted[i] = (run[i] << shift | before >> 1 >> (WORD_BITS - 1 - shift)).to_le();
        before = run[i];
    }
    shifted[PATCH_WORDS] = (before >> 1 >> (WORD_BITS - 1 - shift)).to_le();
    let target = &mut out[first..];
    if let Some((whole, _)) = target.split_first_chunk_mut::<{ PATCH_WORDS + 1 }>() {
        for i in 0..=PATCH_WORDS {
            whole[i] |= shifted[i];
        }
    } else {
        let word_count = (shift + bit_count).div_ceil(WORD_BITS);
        for (word, added) in target[..word_count].iter_mut().zip(&shifted) {
            *word |= added;
        }
    }
}

#[cfg(test)]
mod tests {
    use pdb_format::Packing;
    use pdb_oracle::Random;

    use super::*;

    /// Transposes entry by entry.
    fn transposed_plainly(bytes: &[u8], rows: usize, columns: usize, packing: Packing) -> Vec<u8> {
        let bits = packing.bits().expect("entries have bits") as usize;
        let mut target = vec![0; (rows * columns * bits).div_ceil(8)];
        for row in 0..rows {
            for column in 0..columns {
                let entry = row * columns + column;
                let value = packing.read(bytes, entry as u64).expect("there are enough bytes");
                let to = (column * rows + row) * bits;
                target[to / 8] |= value << (to % 8);
            }
        }
        target
    }

    /// Transposes random bits, including those after the last entry.
    fn check(rows: usize, columns: usize, packing: Packing) {
        let entry_bits = packing.bits().expect("entries have bits") as usize;
        let mut random = Random::new((rows * columns) as u64);
        let word_count = (rows * columns * entry_bits).div_ceil(WORD_BITS);
        let words: Vec<u64> = (0..word_count).map(|_| random.number()).collect();
        let bytes: &[u8] = bytemuck::cast_slice(&words);
        let row_bits = columns * entry_bits;
        let matrix = Matrix { words: &words, rows, columns, row_bits, entry_bits };
        let mut target = vec![0; matrix.word_count()];
        matrix.transpose(&mut target, 1);
        let found: &[u8] = bytemuck::cast_slice(&target);
        let (found, behind) = found.split_at(matrix.byte_count());
        assert!(behind.iter().all(|&byte| byte == 0));
        let expected = transposed_plainly(bytes, rows, columns, packing);
        assert!(found == expected, "{rows} rows, {columns} columns, {packing}");
    }

    #[test]
    fn transposes_sides_near_those_of_slices_and_patches() {
        let sides = [1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 72, 127, 128, 129, 144, 511, 512, 576];
        for packing in [Packing::Bit, Packing::Nibble, Packing::Byte] {
            for rows in sides {
                for columns in sides {
                    check(rows, columns, packing);
                }
            }
        }
    }
}
