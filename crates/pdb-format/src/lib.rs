//! The bytes of tables: header, packings, digests and (with the feature `manifest`) the manifest of
//! shipped archives.
//!
//! This crate opens no path, starts no thread and parses no TOML. Any bytes give a value or a
//! [`FormatError`], never a panic.
//!
//! ```
//! use pdb_core::{BlankMode, CellSet, PatternKey, Shape, TableKey};
//! use pdb_format::{Header, Packing, digest, digest_section};
//!
//! // One tile of the 3-puzzle. Its home is cell 0, and the blank's is cell 3. On the cells 0 to 3,
//! // it is 0, 1, 1 and 2 moves from home. These are the Manhattan distances too, so every excess
//! // (half of the difference) is 0.
//! let key = PatternKey::new(Shape::new(2, 2)?, CellSet(0b0001), 3, BlankMode::Collapsed)?;
//! let payload = [0x00, 0x00];
//! let (section, payload_digest) = digest_section(&[digest(&payload)]);
//! let header = Header {
//!     key: TableKey::Pattern(key),
//!     packing: Packing::Nibble,
//!     entry_count: 4,
//!     unreached_count: 0,
//!     histogram: vec![1, 2, 1],
//!     payload_digest,
//! };
//! header.check()?;
//! let file = [&header.to_bytes()[..], &section, &payload].concat();
//!
//! let read = Header::parse(&file, file.len() as u64)?;
//! assert_eq!(read, header);
//! read.check_digest_section(&section)?;
//! read.check_chunk(&section, 0, &payload)?;
//! assert_eq!(Packing::Nibble.read(&payload, 3), Some(0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Read next: `docs/format.md`, which is the authority on every byte, then [`Header::parse`].

mod digest;
mod error;
mod header;
#[cfg(feature = "manifest")]
pub mod manifest;
mod packing;
pub mod slides;
pub mod walking;

pub use digest::{DIGEST_BYTES, Digest, DigestTextError, PAGE_BYTES, digest, digest_section};
pub use error::FormatError;
pub use header::{
    CHUNK_BYTES, FORMAT_VERSION, HEADER_BYTES, Header, LEVELS_MAX, MAGIC, table_digest,
};
pub use packing::{Packing, read_bit, read_byte, read_nibble};
