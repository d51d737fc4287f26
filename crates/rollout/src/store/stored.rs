//! A record as a store hands it out: valid JSON, split into its members, not decoded until asked.

use std::sync::Arc;

use annals_protocol::{DecodeError, Envelope, RecordKind, RolloutLine};

use crate::read::records::Record;
use crate::read::spans::Spans;

/// A record as a store gives it.
///
/// Its text is valid JSON with the outer members of a record; what the payload holds is found out
/// by [`decode`](Self::decode), so that a reader pays for the records that it needs.
///
/// # Example
///
/// ```
/// use annals_protocol::{RecordKind, RolloutItem, RolloutLine};
/// use annals_rollout::store::StoredRecord;
///
/// let text = r#"{"timestamp":"2026-01-03T12:00:00.000Z","type":"event_msg","payload":{"type":"x"}}"#;
/// let record = StoredRecord::parse(7, text)?;
/// assert_eq!((record.position, record.kind()), (7, RecordKind::EventMsg));
/// assert_eq!(record.envelope()?.payload, r#"{"type":"x"}"#);
/// assert!(matches!(record.decode()?.item(), RolloutItem::EventMsg(_)));
/// # Ok::<(), annals_protocol::DecodeError>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct StoredRecord {
    /// Its position in the thread.
    pub position: u64,
    text: Arc<str>,
    spans: Spans,
}

impl StoredRecord {
    /// Takes the text of a line, without its line end. For stores.
    ///
    /// # Errors
    ///
    /// As [`Envelope::parse`].
    pub fn parse<T: Into<Arc<str>>>(position: u64, text: T) -> Result<Self, DecodeError> {
        let text = text.into();
        let spans = Spans::of(&Envelope::parse(&text)?, &text);
        Ok(Self {
            position,
            text,
            spans,
        })
    }

    /// A record whose text was checked.
    pub(crate) fn of(position: u64, record: &Record<'_>) -> Self {
        Self {
            position,
            text: record.text.into(),
            spans: Spans::of(&record.envelope, record.text),
        }
    }

    /// The exact JSON of the line, without its line end.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What the payload is.
    pub fn kind(&self) -> RecordKind {
        self.spans.kind()
    }

    /// The members of the line; cost: independent of its length.
    ///
    /// # Errors
    ///
    /// As [`Envelope::parse`].
    pub fn envelope(&self) -> Result<Envelope<'_>, DecodeError> {
        match self.spans.on(&self.text) {
            Some(envelope) => Ok(envelope),
            None => Envelope::parse(&self.text),
        }
    }

    /// Decodes the record into its type.
    ///
    /// # Errors
    ///
    /// As [`RolloutLine::parse`].
    pub fn decode(&self) -> Result<RolloutLine, DecodeError> {
        RolloutLine::parse(&self.text)
    }
}

impl PartialEq for StoredRecord {
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position && self.text == other.text
    }
}

#[cfg(test)]
#[path = "stored_tests.rs"]
mod tests;
