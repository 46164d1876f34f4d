//! Packing of the entries of a table into its payload.

use core::fmt;

use pdb_core::TableKey;

use crate::FormatError;
use crate::walking::Layout;

/// Packing of the entries of a table into its payload.
///
/// A pattern table stores the excess of each entry, (value - base) / 2. The base is the Manhattan
/// distance of the pattern's tiles, or in a plain table the parity of the blank's distance from
/// home.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Packing {
    /// The lowest bit of the excess, 8 entries per byte; for blank-aware and plain tables only.
    Bit,
    /// The excess, up to 14, two entries per byte.
    Nibble,
    /// The excess, up to 254, one entry per byte.
    Byte,
    /// The states of a Walking Distance table as [`Layout`] arranges them.
    Walking,
    /// Two numbers of slides in a byte, as [`slides`](crate::slides) arranges them; for coloured
    /// tables only.
    Slides,
}

impl Packing {
    const ALL: [Self; 5] = [Self::Bit, Self::Nibble, Self::Byte, Self::Walking, Self::Slides];

    /// Returns the code of the packing in a header.
    pub(crate) fn code(self) -> u32 {
        match self {
            Self::Bit => 1,
            Self::Nibble => 2,
            Self::Byte => 3,
            Self::Walking => 4,
            Self::Slides => 5,
        }
    }

    pub(crate) fn from_code(code: u32) -> Result<Self, FormatError> {
        let found = Self::ALL.into_iter().find(|packing| packing.code() == code);
        found.ok_or_else(|| FormatError::bad_field("packing", "1 to 5", code))
    }

    /// Returns the number of bits of one entry; `None` for [`Walking`](Self::Walking), whose states
    /// are records.
    pub fn bits(self) -> Option<u32> {
        match self {
            Self::Bit => Some(1),
            Self::Nibble => Some(4),
            Self::Byte | Self::Slides => Some(8),
            Self::Walking => None,
        }
    }

    /// Returns the mark of an unreached entry, above every excess, if the packing has room for it.
    pub fn unreached(self) -> Option<u8> {
        match self {
            Self::Nibble => Some(15),
            Self::Byte => Some(255),
            Self::Bit | Self::Walking | Self::Slides => None,
        }
    }

    /// Returns the length of the payload of a table with `entry_count` entries (below 2^48), in
    /// bytes.
    pub fn payload_bytes(self, key: &TableKey, entry_count: u64) -> u64 {
        match (self.bits(), key) {
            (Some(bits), _) => (entry_count * u64::from(bits)).div_ceil(8),
            (None, TableKey::Walking(key)) => Layout::new(entry_count, key.lines).payload_bytes(),
            (None, _) => 0,
        }
    }

    /// Reads an entry of a payload: its excess, the lowest bit of it, or a byte of slides.
    ///
    /// Returns `None` when the payload ends before the entry, or the packing has no entries.
    #[inline]
    pub fn read(self, payload: &[u8], entry: u64) -> Option<u8> {
        match self {
            Self::Bit => read_bit(payload, entry),
            Self::Nibble => read_nibble(payload, entry),
            Self::Byte | Self::Slides => read_byte(payload, entry),
            Self::Walking => None,
        }
    }
}

impl fmt::Display for Packing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bit => "1 bit an entry",
            Self::Nibble => "4 bits an entry",
            Self::Byte => "8 bits an entry",
            Self::Walking => "walking distance states",
            Self::Slides => "two numbers of slides a byte",
        })
    }
}

/// Reads an entry of a [`Packing::Bit`] payload, if the payload reaches that far.
#[inline]
pub fn read_bit(payload: &[u8], entry: u64) -> Option<u8> {
    Some(read_byte(payload, entry / 8)? >> (entry % 8) & 1)
}

/// Reads an entry of a [`Packing::Nibble`] payload, if the payload reaches that far.
#[inline]
pub fn read_nibble(payload: &[u8], entry: u64) -> Option<u8> {
    Some(read_byte(payload, entry / 2)? >> (entry % 2 * 4) & 15)
}

/// Reads an entry of a [`Packing::Byte`] payload, if the payload reaches that far.
#[inline]
pub fn read_byte(payload: &[u8], entry: u64) -> Option<u8> {
    payload.get(usize::try_from(entry).ok()?).copied()
}
