//! Names that errors tell and archives use: of the files beside archives, and of a public key.

use std::fmt;

/// Name of the manifest in a folder of archives.
pub(crate) const MANIFEST: &str = "manifest.json";
/// Name of the digest list in a folder of archives.
pub(crate) const DIGEST_LIST: &str = "B3SUMS";
/// Name of the manifest's signature in a folder of archives.
pub(crate) const SIGNATURE: &str = "manifest.json.minisig";
/// The longest signature that is read. minisign's comments, of 1 and 8 KiB at most, make it
/// shorter.
pub(crate) const SIGNATURE_BYTES_MAX: usize = 16 << 10;

/// The number of a public key, which the signatures for it carry too: 16 hexadecimal digits, as
/// minisign shows it.
///
/// Anybody can make a key with any number, so it tells which one is meant and proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PublicKeyId(pub(crate) u64);

impl fmt::Display for PublicKeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016X}", self.0)
    }
}
