//! A short, stable stand-in for a long text or value in a snapshot.
//!
//! It serves to notice a change, and is no defense against someone who wants two texts to collide.

use crate::canonical;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::Value;
use sha1::{Digest, Sha1};

/// Separates these digests from any other use of SHA-1; Codex uses the same one, so that equal
/// fragments have equal fingerprints in its files and in ours.
const FRAGMENT_DOMAIN: &[u8] = b"codex-world-state-fragment-v1\0";

/// A SHA-1 digest, written as 40 lowercase hexadecimal digits.
///
/// # Shape
/// `"dfd53114f5f6f9f5fd7816370d0bf2847806246d"`
///
/// # Example
/// ```
/// use annals_world_state::Fingerprint;
/// let unix = Fingerprint::of_fragment("developer", "one\ntwo");
/// let dos = Fingerprint::of_fragment("developer", "one\r\ntwo");
/// assert_eq!(unix, dos);
/// assert_ne!(unix, Fingerprint::of_fragment("user", "one\ntwo"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint([u8; 20]);

impl Fingerprint {
    /// Makes the fingerprint of a rendered fragment: its role and its whole text with markers.
    ///
    /// CRLF counts as LF, so that a checkout on another system changes nothing. The cost is one
    /// pass over the text; nothing is copied.
    pub fn of_fragment(role: &str, text: &str) -> Self {
        let mut hasher = Sha1::new();
        hasher.update(FRAGMENT_DOMAIN);
        update_component(&mut hasher, role);
        update_component(&mut hasher, text);
        Self(hasher.finalize().into())
    }

    /// Makes the fingerprint of a JSON value, whatever the order of its keys.
    ///
    /// The order of arrays counts, and so do null members.
    pub fn of_json(value: &Value) -> Self {
        let mut text = String::new();
        canonical::write_sorted(value, &mut text);
        Self(Sha1::digest(text.as_bytes()).into())
    }

    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        Self(Sha1::digest(bytes).into())
    }

    /// Reads 40 hexadecimal digits, `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.as_bytes();
        if digits.len() != 40 {
            return None;
        }
        let mut bytes = [0; 20];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let [high, low] = pair else { return None };
            *byte = (hex_value(*high)? << 4) | hex_value(*low)?;
        }
        Some(Self(bytes))
    }
}

fn update_component(hasher: &mut Sha1, text: &str) {
    let crlf_pairs = text.as_bytes().windows(2).filter(|w| *w == b"\r\n").count();
    hasher.update(((text.len() - crlf_pairs) as u64).to_be_bytes());
    if crlf_pairs == 0 {
        hasher.update(text.as_bytes());
        return;
    }
    let mut pieces = text.split("\r\n");
    hasher.update(pieces.next().unwrap_or_default().as_bytes());
    for piece in pieces {
        hasher.update(b"\n");
        hasher.update(piece.as_bytes());
    }
}

fn hex_value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

impl std::fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl std::fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text)
            .ok_or_else(|| D::Error::custom("expected 40 lowercase hexadecimal digits"))
    }
}

#[cfg(test)]
#[path = "fingerprint_tests.rs"]
mod tests;
