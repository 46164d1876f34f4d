//! Why a network cannot be used.

use pdb_core::BoardError;
use thiserror::Error;

/// What is wrong with a file of weights.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NetError {
    /// More bytes than any network here has.
    #[error("is too long: {found} bytes; networks have at most {max}")]
    TooLong {
        /// How many there are.
        found: u64,
        /// The largest number.
        max: u64,
    },
    /// The file ends before its header does.
    #[error("is no safetensors file: it has {found} bytes, and its header would end at {expected}")]
    Short {
        /// Where the header would end.
        expected: u64,
        /// How long the file is.
        found: u64,
    },
    /// The header is not what it should be.
    #[error("is no safetensors file: its header is no list of tensors: {problem}")]
    Header {
        /// What the reader of JSON says.
        problem: String,
    },
    /// A key that is there twice.
    #[error("names {key:?} twice: each tensor and each note has one name")]
    Twice {
        /// The key.
        key: String,
    },
    /// The numbers of a tensor do not lie where its shape says.
    #[error(
        "says that {tensor} lies at bytes {begin} to {end} of {length}, which is not the {expected} bytes \
         that its shape and type take"
    )]
    Place {
        /// The tensor.
        tensor: String,
        /// Where it begins.
        begin: u64,
        /// Where it ends.
        end: u64,
        /// The bytes that all tensors have together.
        length: u64,
        /// The bytes that it should have; 0 if there are more than can be counted.
        expected: u64,
    },
    /// Bytes that belong to two tensors or to none.
    #[error("has bytes that belong to two tensors or to none, from byte {at} of its numbers on")]
    Overlap {
        /// Where they are.
        at: u64,
    },
    /// A tensor that networks do not have.
    #[error(
        "has a tensor {tensor:?}: expected 0.weight, 0.bias, 1.weight and so on, and 0.scale beside \
         weights of type I8"
    )]
    UnknownTensor {
        /// Its name.
        tensor: String,
    },
    /// A tensor that is missing.
    #[error("has no tensor {tensor}: expected {expected}")]
    NoTensor {
        /// Its name.
        tensor: String,
        /// What should be there.
        expected: String,
    },
    /// A type of numbers that is not read.
    #[error("has {tensor} as {found}: expected {expected}")]
    Type {
        /// The tensor.
        tensor: String,
        /// Its type.
        found: String,
        /// What it may be.
        expected: &'static str,
    },
    /// A tensor of another shape.
    #[error("has {tensor} of shape {found:?}: expected {expected}")]
    Shape {
        /// The tensor.
        tensor: String,
        /// Its shape.
        found: Vec<u64>,
        /// What it should be.
        expected: String,
    },
    /// A number that is none, or one too large to calculate with.
    #[error(
        "has {tensor}[{at}] = {found}: expected numbers between -{max} and {max}; training may have \
         diverged"
    )]
    Number {
        /// The tensor.
        tensor: String,
        /// Which of its numbers.
        at: usize,
        /// The number.
        found: String,
        /// The largest one.
        max: u32,
    },
    /// A note that must be there.
    #[error(
        "has no note {key:?}: expected the metadata format = \"tilebase-net-1\", shape = \"4x4\" and \
         goal = \"1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0\" (see docs/neural.md)"
    )]
    NoNote {
        /// Its key.
        key: &'static str,
    },
    /// A format that is not known.
    #[error("has the format {found:?}: expected \"tilebase-net-1\"; a newer tilebase may read it")]
    Format {
        /// What is there.
        found: String,
    },
    /// A goal that is no board.
    #[error("has a goal that is no board: {source}")]
    Goal {
        /// What is wrong with it.
        source: BoardError,
    },
    /// A shape that is not that of the goal.
    #[error("has the shape {found:?}: expected {expected}, as its goal has")]
    ShapeNote {
        /// What is there.
        found: String,
        /// That of the goal.
        expected: String,
    },
    /// Shifts that are none.
    #[error("has a note \"shift\" that is no list of shifts: {problem}")]
    Shifts {
        /// What is wrong with it.
        problem: String,
    },
    /// A digest that is not that of the file.
    #[error(
        "is damaged: its metadata promise the digest {expected}, found {found}; get the file again, or \
         leave the note \"digest\" out of a file that was changed on purpose"
    )]
    Digest {
        /// The text of the metadata.
        expected: String,
        /// That of the notes and numbers that are there.
        found: String,
    },
}
