//! Signatures in the format of minisign, with keys that are the same every time.
//!
//! The programs only check signatures. This module creates them, and is written from minisign's
//! page (<https://jedisct1.github.io/minisign/>) with other crates, so that tests can also create
//! signatures that minisign would not create.

use blake2b_simd::blake2b;
use ed25519_compact::{KeyPair, Noise, Seed};

/// The comment of a signature that is not signed.
const UNTRUSTED_COMMENT: &str = "untrusted comment: signature of a test";

/// A key that signs.
#[derive(Debug)]
pub struct SigningKey {
    pair: KeyPair,
    id: [u8; 8],
}

impl SigningKey {
    /// Creates the key of a number. The number determines the seed and the identifier.
    pub fn new(number: u8) -> Self {
        Self::with_id(number, [number; 8])
    }

    /// Creates a key with a given identifier, which another key may have too.
    pub fn with_id(number: u8, id: [u8; 8]) -> Self {
        Self { pair: KeyPair::from_seed(Seed::new([number; Seed::BYTES])), id }
    }

    /// Returns the 56 characters of the public key.
    pub fn public(&self) -> String {
        base64(&self.public_bytes())
    }

    /// Returns the 42 bytes of the public key.
    pub fn public_bytes(&self) -> Vec<u8> {
        [&b"Ed"[..], &self.id, &self.pair.pk[..]].concat()
    }

    /// Returns the key's identifier as minisign shows it.
    pub fn id(&self) -> String {
        format!("{:016X}", u64::from_le_bytes(self.id))
    }

    /// Returns a signature of the digest of `bytes`, as minisign makes it by default.
    pub fn sign(&self, bytes: &[u8], trusted_comment: &str) -> String {
        signature_text(&self.sign_in_bytes(bytes, trusted_comment))
    }

    /// Returns the same signature as bytes for [`signature_text`].
    pub fn sign_in_bytes(&self, bytes: &[u8], trusted_comment: &str) -> Vec<u8> {
        self.signature(*b"ED", blake2b(bytes).as_bytes(), trusted_comment)
    }

    /// Returns a signature of `bytes` without a digest, as `minisign -l` makes it.
    pub fn sign_legacy(&self, bytes: &[u8], trusted_comment: &str) -> String {
        signature_text(&self.signature(*b"Ed", bytes, trusted_comment))
    }

    fn signature(&self, algorithm: [u8; 2], signed: &[u8], trusted_comment: &str) -> Vec<u8> {
        let comment = trusted_comment.as_bytes();
        let sign = |bytes: &[u8]| self.pair.sk.sign(bytes, None::<Noise>).to_vec();
        let signature = sign(signed);
        let global = sign(&[&signature, comment].concat());
        [&algorithm[..], &self.id, &signature, &global, comment].concat()
    }
}

/// Returns the four lines of a signature. `bytes` has 74 bytes of the second line, 64 of the fourth
/// line, and the trusted comment. If there are fewer bytes, the lines are shorter.
pub fn signature_text(bytes: &[u8]) -> String {
    let (first, rest) = bytes.split_at(bytes.len().min(74));
    let (global, comment) = rest.split_at(rest.len().min(64));
    let (first, global) = (base64(first), base64(global));
    let comment = String::from_utf8_lossy(comment);
    format!("{UNTRUSTED_COMMENT}\n{first}\ntrusted comment: {comment}\n{global}\n")
}

/// Encodes bytes in base64 with padding (RFC 4648).
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let four = |three: &[u8]| {
        let bits = three.iter().fold(0, |bits, byte| bits << 8 | usize::from(*byte));
        let bits = bits << (8 * (3 - three.len()));
        [18, 12, 6, 0]
            .map(|shift| DIGITS[bits >> shift & 63] as char)
            .into_iter()
            .take(three.len() + 1)
    };
    let mut text: String = bytes.chunks(3).flat_map(four).collect();
    text.extend(std::iter::repeat_n('=', (3 - bytes.len() % 3) % 3));
    text
}
