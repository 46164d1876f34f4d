//! The bytes of an [`OrderNetwork`].
//!
//! 1. `tilebase-order-1`; rows, columns and `last_bits`, a byte each, and five zeros.
//! 2. The numbers in the order of the fields, little-endian: `rows`, `skip`, `base`, `second`,
//!    `second_bias`, `last`, `last_bias`.
//! 3. A checksum of all bytes before it, as eight bytes.

use pdb_core::Shape;
use thiserror::Error;

use super::{OrderHead, OrderNetwork, ROW, UNITS};
use crate::mixed::mixed;

const FORMAT: &[u8; 16] = b"tilebase-order-1";
const HEADER_BYTES: usize = 24;
const HEAD_BYTES: usize = 2 * ROW + 2 * ROW * UNITS + 4 * UNITS + 2 * UNITS + 4;
const CHECKSUM_BYTES: usize = 8;

/// Reason why bytes are no [`OrderNetwork`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OrderError {
    /// The bytes do not begin as those of a network.
    #[error(
        "is no learned order: expected a header of 24 bytes, \"tilebase-order-1\" and the shape of a \
         board"
    )]
    Format,
    /// The length does not follow from the shape.
    #[error("has {found} bytes: expected {expected} for {shape}")]
    Length {
        /// The shape in the header.
        shape: Shape,
        /// The length that the shape needs, in bytes.
        expected: usize,
        /// The length, in bytes.
        found: usize,
    },
    /// The bytes are damaged.
    #[error("is damaged: its checksum is {expected:016x}, that of its bytes is {found:016x}")]
    Checksum {
        /// The checksum at the end.
        expected: u64,
        /// The checksum of the bytes before it.
        found: u64,
    },
}

/// Mixes bytes, eight at a time.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mixed(sum ^ u64::from_le_bytes(word)).wrapping_add(1)
    })
}

/// The numbers that are not read yet.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (bytes, rest) = self.0.split_first_chunk().expect("the length was checked");
        self.0 = rest;
        *bytes
    }

    fn shorts<const N: usize>(&mut self) -> [i16; N] {
        std::array::from_fn(|_| i16::from_le_bytes(self.take()))
    }
}

impl OrderNetwork {
    /// Returns the number of bytes of a network of a shape.
    pub fn byte_count(shape: Shape) -> usize {
        let pairs = shape.cell_count() * shape.cell_count();
        HEADER_BYTES + pairs * (ROW + 2) + HEAD_BYTES + CHECKSUM_BYTES
    }

    /// Reads and checks the bytes of a network.
    ///
    /// # Errors
    /// An [`OrderError`] with the first problem.
    pub fn read(bytes: &[u8]) -> Result<Self, OrderError> {
        let header: &[u8; HEADER_BYTES] = bytes.first_chunk().ok_or(OrderError::Format)?;
        if !header.starts_with(FORMAT) {
            return Err(OrderError::Format);
        }
        let [rows, cols, last_bits] = [header[16], header[17], header[18]];
        let shape = Shape::new(rows.into(), cols.into()).ok().filter(|_| last_bits < 32);
        let shape = shape.ok_or(OrderError::Format)?;
        let expected = Self::byte_count(shape);
        if bytes.len() != expected {
            return Err(OrderError::Length { shape, expected, found: bytes.len() });
        }
        let (covered, sum) = bytes.split_last_chunk().expect("the length was checked");
        let (expected, found) = (u64::from_le_bytes(*sum), checksum(covered));
        if expected != found {
            return Err(OrderError::Checksum { expected, found });
        }
        let mut numbers = Numbers(&covered[HEADER_BYTES..]);
        let pairs = shape.cell_count() * shape.cell_count();
        let rows = (0..pairs).map(|_| numbers.take::<ROW>().map(|byte| byte as i8)).collect();
        let skip = (0..pairs).map(|_| i16::from_le_bytes(numbers.take())).collect();
        let head = OrderHead {
            base: numbers.shorts(),
            second: std::array::from_fn(|_| numbers.shorts()),
            second_bias: std::array::from_fn(|_| i32::from_le_bytes(numbers.take())),
            last: numbers.shorts(),
            last_bias: i32::from_le_bytes(numbers.take()),
            last_bits,
        };
        Ok(Self { shape, rows, skip, head })
    }

    /// Returns the bytes of the network.
    pub fn write(&self) -> Vec<u8> {
        let Self { shape, rows, skip, head } = self;
        let mut bytes = FORMAT.to_vec();
        bytes.extend([shape.rows() as u8, shape.cols() as u8, head.last_bits, 0, 0, 0, 0, 0]);
        bytes.extend(rows.as_flattened().iter().map(|&number| number as u8));
        let shorts = skip.iter().chain(&head.base).chain(head.second.as_flattened());
        bytes.extend(shorts.flat_map(|number| number.to_le_bytes()));
        bytes.extend(head.second_bias.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend(head.last.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend(head.last_bias.to_le_bytes());
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }
}
