//! Errors of files of weights.

use thiserror::Error;

/// Reason why a file of weights cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NetError {
    /// The file is longer than any network's.
    #[error("is too long: {found} bytes; networks have at most {max}")]
    TooLong {
        /// Length of the file, in bytes.
        found: u64,
        /// The largest length.
        max: u64,
    },
    /// The file does not end where its header says.
    #[error("is no safetensors file: expected {expected} bytes, found {found}")]
    Length {
        /// The expected length, in bytes; that of the header, if the file ends before.
        expected: u64,
        /// Length of the file, in bytes.
        found: u64,
    },
    /// The header is not a JSON object of tensors.
    #[error("is no safetensors file: its header is no list of tensors: {problem}")]
    Header {
        /// The message of the reader of JSON.
        problem: String,
    },
    /// A tensor is missing or unknown, has another type, shape or place, or a number that is not
    /// finite or too large for the calculation.
    #[error("has {found}: expected {expected}")]
    Tensor {
        /// The tensor as it is.
        found: String,
        /// The tensor as it should be.
        expected: String,
    },
    /// A note is missing, or has a value that no network has.
    #[error("has {problem}")]
    Note {
        /// The key of the note.
        key: &'static str,
        /// The fault, and the expected value.
        problem: String,
    },
    /// The digest does not match the file.
    #[error(
        "is damaged: its metadata promise the digest {expected}, found {found}; get the file again, or \
         leave the note \"digest\" out of a file that was changed on purpose"
    )]
    Digest {
        /// The digest in the metadata.
        expected: String,
        /// The digest of the notes and numbers in the file.
        found: String,
    },
}
