//! Names of the files beside archives and of public keys, for errors and archives.

use std::fmt;

/// Name of the manifest in a folder of archives.
pub(crate) const MANIFEST: &str = "manifest.json";
/// Name of the digest list in a folder of archives.
pub(crate) const DIGEST_LIST: &str = "B3SUMS";
/// Name of the manifest's signature in a folder of archives.
pub(crate) const SIGNATURE: &str = "manifest.json.minisig";
/// Size limit of a signature, in bytes. minisign's comments, of at most 1 and 8 KiB, keep it
/// shorter.
pub(crate) const SIGNATURE_BYTES_MAX: usize = 16 << 10;

/// Identifier of a public key, which the signatures of that key contain too: 16 hexadecimal digits,
/// as minisign shows it.
///
/// Anybody can make a key with any identifier, so it names a key but proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PublicKeyId(pub(crate) u64);

impl fmt::Display for PublicKeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016X}", self.0)
    }
}
