//! Signatures of manifests, in the format of [minisign](https://jedisct1.github.io/minisign/).
//!
//! Digests detect damage. A signature detects forgery, because only the owner of a secret key can
//! make one. The manifest contains the digests of all archives, so its signature covers them too.
//! This program only checks signatures and never makes any: it never reads a secret key.
//!
//! A signature is four lines:
//!
//! 1. an untrusted comment, which may have any text;
//! 2. in base64, the public key's identifier and the signature of the file's digest (`BLAKE2b`);
//! 3. a trusted comment;
//! 4. in base64, the signature of the first signature and the trusted comment.
//!
//! Any difference of a bit is refused, except in the text of the first line, and for `\r` before
//! the end of a line.

use minisign_verify::{Error, Signature};

use crate::names::PublicKeyId;
use crate::{PublicKeyError, SignatureError};

/// Start of the first line, which may continue with any text.
const COMMENT: &str = "untrusted comment: ";
/// Start of a key, and of a signature of the file itself; a signature of the file's digest has
/// another one.
const PLAIN: &str = "RW";

/// A minisign public key, which checks signatures.
///
/// ```
/// use pdb_gen::PublicKey;
///
/// let key = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";
/// let file = format!("untrusted comment: minisign public key E7620F1842B4E81F\n{key}\n");
/// assert_eq!(PublicKey::parse(key)?, PublicKey::parse(&file)?);
/// assert_eq!(PublicKey::parse(key)?.id().to_string(), "E7620F1842B4E81F");
/// # Ok::<(), pdb_gen::PublicKeyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    key: minisign_verify::PublicKey,
    id: PublicKeyId,
}

impl PublicKey {
    /// Reads a public key: its 56 characters, or the text of a `.pub` file, which has a line of
    /// comment before them.
    ///
    /// # Errors
    /// [`PublicKeyError`]. It does not show the text, which might be a secret key by mistake.
    pub fn parse(text: &str) -> Result<Self, PublicKeyError> {
        let mut lines = text.lines();
        let line = match (lines.next(), lines.next(), lines.next()) {
            (Some(line), None, None) => line,
            (Some(comment), Some(line), None) if comment.starts_with(COMMENT) => line,
            _ => return Err(PublicKeyError),
        };
        match (key_id(line), minisign_verify::PublicKey::from_base64(line)) {
            (Some(id), Ok(key)) if line.starts_with(PLAIN) => Ok(Self { key, id }),
            _ => Err(PublicKeyError),
        }
    }

    /// Returns the public key's identifier.
    pub fn id(&self) -> PublicKeyId {
        self.id
    }

    /// Checks the text of a signature of `bytes`, and returns its trusted comment, which is signed
    /// too. The comment may contain any character except line ends.
    ///
    /// Signatures in the old form, of a file itself instead of its digest, are refused: minisign
    /// makes them only with an option, and with one form a signature has one meaning.
    ///
    /// # Errors
    /// [`SignatureError`].
    pub fn verify(&self, bytes: &[u8], signature: &str) -> Result<String, SignatureError> {
        let malformed = SignatureError::Malformed;
        let mut lines = signature.lines();
        let (Some(comment), Some(line), 2) = (lines.next(), lines.next(), lines.count()) else {
            return Err(malformed);
        };
        let (Some(found), true) = (key_id(line), comment.starts_with(COMMENT)) else {
            return Err(malformed);
        };
        let Ok(signature) = Signature::decode(signature) else {
            return Err(malformed);
        };
        match self.key.verify(bytes, &signature, false) {
            Ok(()) => Ok(signature.trusted_comment().to_owned()),
            Err(Error::UnexpectedKeyId) => Err(SignatureError::OtherKey(found)),
            Err(Error::UnexpectedAlgorithm) => Err(SignatureError::Legacy),
            Err(_) => Err(SignatureError::Mismatch),
        }
    }
}

/// Returns the key identifier in a base64 line, after two bytes for the algorithm.
fn key_id(line: &str) -> Option<PublicKeyId> {
    let mut bits = 0_u128;
    for &c in line.as_bytes().get(..16)? {
        let digit = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u128::from(digit);
    }
    // 12 bytes, of which the last two belong to the key or the signature.
    let [_, _, id @ .., _, _, _, _, _, _] = (bits << 32).to_be_bytes();
    Some(PublicKeyId(u64::from_le_bytes(id)))
}

#[cfg(test)]
mod tests {
    use super::*;

    // Made with minisign 0.11: `minisign -G -W`, then `minisign -S -W -m text -t "a trusted
    // comment"`, the second time with `-l`.
    const KEY: &str = "RWSuka7D/0DBeRiu0WnELnY9t9wI9w7ILbveQYSDfy4KJGL/6eDUHAOu";
    const ID: PublicKeyId = PublicKeyId(0x79C1_40FF_C3AE_91AE);
    const TEXT: &[u8] = b"A text that was signed.\n";
    const GOOD: &str = "untrusted comment: signature from minisign secret key
RUSuka7D/0DBeelAjEJwE4UjjGJI0lLHgYlTim8pA/zPTMsEQATdG/WppUFo2tnqPI1nssY5TfDmI6W/W/tIyxxskbEJw7dE5gY=
trusted comment: a trusted comment
lRhqLNXCsGhv3fqWFX+3E3Q9YiwLQHnFmMrUUy36eUVwS3Ot+6YvGfn3+/VkEHtzkIDQSmo3uWUnPDYSGjuXDA==
";
    const LEGACY: &str = "untrusted comment: signature from minisign secret key
RWSuka7D/0DBeVR3s7A2XIqIvwxlUHjufoAieRAC5VWIZMSnoYkH6yly//OuJfn1ieOikj1MQ7uXhQgIRiInacQBYwpwagX+GgI=
trusted comment: a trusted comment
cPCbfKQrPqzmg0Ue3ehj1amU8k6jggWWszybdY605K2LSO/SgYm31BNJEwDaF8rwUI7UAxXiINCx/WWwcI92Ag==
";

    fn key() -> PublicKey {
        PublicKey::parse(KEY).expect("minisign made it")
    }

    #[test]
    fn minisign_signatures_are_accepted_and_legacy_ones_refused() {
        assert_eq!(key().id(), ID);
        assert_eq!(key().verify(TEXT, GOOD).as_deref(), Ok("a trusted comment"));
        let crlf = GOOD.replace('\n', "\r\n");
        assert_eq!(key().verify(TEXT, &crlf).as_deref(), Ok("a trusted comment"));
        let changed = SignatureError::Mismatch;
        assert_eq!(key().verify(b"Another text.\n", GOOD), Err(changed));
        assert_eq!(key().verify(TEXT, LEGACY), Err(SignatureError::Legacy));
        // Each form with the other form's prefix.
        let renamed = LEGACY.replace("\nRW", "\nRU");
        let changed = SignatureError::Mismatch;
        assert_eq!(key().verify(TEXT, &renamed), Err(changed));
    }

    #[test]
    fn parses_a_key_alone_or_behind_a_comment() {
        let file = format!("{COMMENT}minisign public key {ID}\n{KEY}");
        for text in [KEY, &format!("{KEY}\n"), &file, &format!("{file}\r\n")] {
            assert_eq!(PublicKey::parse(text), Ok(key()), "{text}");
        }
        for text in ["", "\n\n\n", &format!("{file}\n\n"), &format!("a comment\n{KEY}"), GOOD] {
            assert_eq!(PublicKey::parse(text), Err(PublicKeyError), "{text}");
        }
        for text in
            ["\n", &KEY[1..], &format!(" {KEY}"), &format!("{KEY}A"), &format!("{COMMENT}\n")]
        {
            assert_eq!(PublicKey::parse(text), Err(PublicKeyError), "{text}");
        }
        let changes = [("R", "="), ("WSuk", "W\u{e9}uk"), ("HAOu", "HA=="), ("RW", "RU")];
        for (from, to) in changes {
            let text = KEY.replacen(from, to, 1);
            assert_eq!(PublicKey::parse(&text), Err(PublicKeyError), "{text}");
        }
    }
}
