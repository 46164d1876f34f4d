//! Moves as letters, for serde.

use pdb_core::Direction;
use pdb_core::notation::{letters, parse_letters};
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::Serializer;

/// Writes moves as one string.
///
/// # Errors
/// Those of the format.
pub fn serialize<S: Serializer>(moves: &[Direction], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&letters(moves))
}

/// Reads moves from a string.
///
/// # Errors
/// A letter is no direction, or those of the format.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Direction>, D::Error> {
    let letters = String::deserialize(from)?;
    parse_letters(&letters).ok_or_else(|| Error::custom("a letter that is no direction"))
}
