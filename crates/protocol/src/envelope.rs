//! What stands around a record on its line: time, ordinal, kind, payload, metadata.
//!
//! The first of the two steps in which a line is decoded. It finds out what a line *is*; what it
//! *holds* is decoded from the payload by its kind, in [`RolloutLine`](crate::RolloutLine).

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::check::{check_structure, is_grammatical, syntax_error, validate};
use crate::find::finder;
use crate::item::string;
use crate::quick::{is_surely_valid, unescaped_len};
use crate::walk::{members, skip_string, skip_value};
use crate::{DecodeError, RecordKind};

/// One line of a rollout, split into its members; all are slices of the line.
///
/// # Shape
///
/// `{"timestamp":"2026-01-03T12:00:00.000Z","ordinal":7,"type":"response_item","payload":{…},
/// "metadata":{…}}`; `ordinal` only in paginated threads, `metadata` only beside response items.
///
/// # Example
///
/// ```
/// use annals_protocol::{Envelope, RecordKind};
///
/// let line = r#"{"timestamp":"2026-01-03T12:00:00.000Z","type":"event_msg","payload":{"type":"x"}}"#;
/// let envelope = Envelope::parse(line)?;
/// assert_eq!(envelope.kind, RecordKind::EventMsg);
/// assert_eq!(envelope.payload, r#"{"type":"x"}"#);
/// # Ok::<(), annals_protocol::DecodeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Envelope<'a> {
    /// When the line was written, UTC, as it stands: three fractional digits and a `Z`.
    pub timestamp: &'a str,
    /// The record's number within its thread, in paginated threads.
    pub ordinal: Option<u64>,
    /// What the payload is.
    pub kind: RecordKind,
    /// The `type` as it stands.
    pub tag: &'a str,
    /// The text of the payload.
    pub payload: &'a str,
    /// The text of the metadata beside it.
    pub metadata: Option<&'a str>,
}

/// What stands between a payload and the metadata behind it.
static METADATA_KEY: LazyLock<Finder<'static>> = LazyLock::new(|| finder(br#","metadata":"#));

impl<'a> Envelope<'a> {
    /// Splits a line whose members stand in the order in which they are always written.
    ///
    /// Only the frame is looked at: whether the payload and the metadata are JSON is not checked.
    /// `None` means doubt, not damage: [`parse`](Self::parse) decides. Cost: independent of the
    /// payload's size but for one search for the metadata.
    pub fn scan(line: &'a str) -> Option<Self> {
        let line = match line.as_bytes().last() {
            Some(b'}') => line,
            _ => line.trim_end_matches(['\r', ' ', '\t']),
        };
        let bytes = line.as_bytes();
        let rest = line.strip_prefix(r#"{"timestamp":""#)?;
        let timestamp = plain_text(rest)?;
        let mut rest = rest.get(timestamp.len() + 1..)?;
        let mut ordinal = None;
        if let Some(behind) = rest.strip_prefix(r#","ordinal":"#) {
            let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
            // A leading zero is for the parser to refuse.
            if digits > 1 && behind.starts_with('0') {
                return None;
            }
            ordinal = Some(behind.get(..digits)?.parse().ok()?);
            rest = behind.get(digits..)?;
        }
        let rest = rest.strip_prefix(r#","type":""#)?;
        let tag = plain_text(rest)?;
        let rest = rest.get(tag.len() + 1..)?.strip_prefix(r#","payload":"#)?;
        let payload_start = line.len() - rest.len();
        let last_brace = line.len().checked_sub(1)?;
        if bytes.get(last_brace) != Some(&b'}') {
            return None;
        }
        let body = bytes.get(payload_start..last_brace)?;
        // A quote inside a string is escaped, so this can only be a key. It is the envelope's own
        // if its value ends where the line does.
        let key = METADATA_KEY.needle();
        let metadata = METADATA_KEY
            .find_iter(body)
            .last()
            .filter(|at| skip_value(body, at + key.len()) == Some(body.len()))
            .map(|at| payload_start + at);
        let payload_end = metadata.unwrap_or(last_brace);
        Some(Self {
            timestamp,
            ordinal,
            kind: RecordKind::from_tag(tag),
            tag,
            payload: line.get(payload_start..payload_end)?,
            metadata: match metadata {
                Some(at) => Some(line.get(at + key.len()..last_brace)?),
                None => None,
            },
        })
    }

    /// Splits a line and checks that all of it is valid JSON, in whatever order its members stand.
    ///
    /// # Errors
    ///
    /// What [`validate`] finds, [`DecodeError::NotObject`], [`DecodeError::MissingMember`] for
    /// `timestamp`, `type` and `payload`, [`DecodeError::Malformed`] for a member of another type.
    pub fn parse(line: &'a str) -> Result<Self, DecodeError> {
        match Self::scan(line) {
            Some(envelope) => envelope.confirm(line),
            None => Self::parse_any_order(line),
        }
    }

    /// Checks what [`scan`](Self::scan) did not, of the line that this was split from.
    ///
    /// What comes back is what [`parse`](Self::parse) gives for the line.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub fn confirm(self, line: &'a str) -> Result<Self, DecodeError> {
        if self.is_valid(line) {
            return Ok(self);
        }
        Self::parse_any_order(line)
    }

    /// Whether a quick look tells that all but the payload is valid. No means doubt, not damage.
    ///
    /// Of an envelope that [`scan`](Self::scan) made; cost: one pass over the metadata.
    pub fn has_sure_frame(&self) -> bool {
        !has_control(self.timestamp)
            && !has_control(self.tag)
            && self
                .metadata
                .is_none_or(|metadata| is_surely_valid(metadata, 1))
    }

    fn is_valid(&self, line: &str) -> bool {
        if self.has_sure_frame() && is_surely_valid(self.payload, 1) {
            return true;
        }
        is_grammatical(self.payload)
            && self.metadata.is_none_or(is_grammatical)
            && !has_control(self.timestamp)
            && !has_control(self.tag)
            && check_structure(line).is_ok()
    }

    fn parse_any_order(line: &'a str) -> Result<Self, DecodeError> {
        validate(line)?;
        if !line.trim_start().starts_with('{') {
            return Err(DecodeError::NotObject);
        }
        let mut envelope = Self {
            timestamp: "",
            ordinal: None,
            kind: RecordKind::Other,
            tag: "",
            payload: "",
            metadata: None,
        };
        let mut seen = [false; 3];
        for member in members(line) {
            if member.is("timestamp") {
                envelope.timestamp = unquoted("timestamp", member.value)?;
                seen[0] = true;
            } else if member.is("ordinal") {
                envelope.ordinal = ordinal(member.value)?;
            } else if member.is("type") {
                envelope.tag = unquoted("type", member.value)?;
                seen[1] = true;
            } else if member.is("payload") {
                envelope.payload = member.value;
                seen[2] = true;
            } else if member.is("metadata") {
                envelope.metadata = (member.value != "null").then_some(member.value);
            }
        }
        for (seen, member) in seen.into_iter().zip(["timestamp", "type", "payload"]) {
            if !seen {
                return Err(DecodeError::MissingMember { member });
            }
        }
        let quoted = format!("\"{}\"", envelope.tag);
        envelope.kind = string(&quoted).map_or(RecordKind::Other, |tag| RecordKind::from_tag(&tag));
        Ok(envelope)
    }
}

/// What stands before the quote that ends a string, if it is written without escapes.
fn plain_text(rest: &str) -> Option<&str> {
    let len = unescaped_len(rest.as_bytes());
    (rest.as_bytes().get(len) == Some(&b'"')).then(|| rest.get(..len))?
}

/// The end of the first record on a line that holds several, glued together by a lost newline.
///
/// `None` if the line does not start with a whole object. Both strings and nesting are minded:
/// braces and quotes inside texts do not end a record.
pub fn first_record_end(line: &str) -> Option<usize> {
    let mut stream = serde_json::Deserializer::from_str(line).into_iter::<serde::de::IgnoredAny>();
    if !line.trim_start().starts_with('{') {
        return None;
    }
    stream.next()?.ok()?;
    Some(stream.byte_offset())
}

fn has_control(text: &str) -> bool {
    text.bytes().any(|byte| byte < 0x20)
}

fn unquoted<'a>(member: &'static str, value: &'a str) -> Result<&'a str, DecodeError> {
    if skip_string(value.as_bytes(), 0) == Some(value.len()) {
        Ok(value.get(1..value.len() - 1).unwrap_or_default())
    } else {
        Err(DecodeError::malformed(member, "not a string"))
    }
}

fn ordinal(value: &str) -> Result<Option<u64>, DecodeError> {
    serde_json::from_str(value).map_err(|error| match syntax_error(value, &error) {
        DecodeError::Syntax { reason, .. } => DecodeError::malformed("ordinal", reason),
        other => other,
    })
}

#[cfg(test)]
#[path = "envelope_tests.rs"]
mod tests;
