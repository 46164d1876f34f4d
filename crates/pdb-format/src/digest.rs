//! Digests and the digest section.

use core::fmt;
use core::str::FromStr;
use std::error::Error;

/// Alignment of the digest section and the payload, in bytes.
pub const PAGE_BYTES: u64 = 4096;
/// Length of a [`Digest`], in bytes.
pub const DIGEST_BYTES: usize = 32;

/// BLAKE3 digest of bytes; as text, 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "manifest",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "String", into = "String")
)]
pub struct Digest(pub [u8; DIGEST_BYTES]);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

impl FromStr for Digest {
    type Err = DigestTextError;

    fn from_str(text: &str) -> Result<Self, DigestTextError> {
        // Upper case is refused, so that a digest has only one text and lists can be compared byte
        // by byte.
        blake3::Hash::from_hex(text)
            .ok()
            .filter(|_| !text.bytes().any(|byte| byte.is_ascii_uppercase()))
            .map(|hash| Self(*hash.as_bytes()))
            .ok_or_else(|| DigestTextError { found: text.into() })
    }
}

impl TryFrom<String> for Digest {
    type Error = DigestTextError;

    fn try_from(text: String) -> Result<Self, DigestTextError> {
        text.parse()
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.to_string()
    }
}

/// A text that is not a digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DigestTextError {
    /// The text.
    pub found: String,
}

impl fmt::Display for DigestTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = &self.found;
        write!(f, "\"{found}\" is not a digest: expected 64 lower-case hexadecimal digits")
    }
}

impl Error for DigestTextError {}

/// Returns the BLAKE3 digest of `bytes`.
pub fn digest(bytes: &[u8]) -> Digest {
    Digest(*blake3::hash(bytes).as_bytes())
}

/// Returns the digest section of a payload whose chunks have these digests, and the payload digest
/// for the header.
pub fn digest_section(chunks: &[Digest]) -> (Vec<u8>, Digest) {
    let mut section: Vec<u8> = chunks.iter().flat_map(|chunk| chunk.0).collect();
    let payload_digest = digest(&section);
    section.resize(section.len().next_multiple_of(PAGE_BYTES as usize), 0);
    (section, payload_digest)
}
