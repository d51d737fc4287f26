//! Where the members of a record stand in its text, so that a line is split once.
//! Knows offsets only; what is a record is found elsewhere.

use annals_protocol::{Envelope, RecordKind};

/// The members of an [`Envelope`] without the text that they are slices of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spans {
    timestamp: Span,
    ordinal: Option<u64>,
    kind: RecordKind,
    tag: Span,
    payload: Span,
    metadata: Option<Span>,
}

#[derive(Debug, Clone, Copy)]
struct Span {
    start: usize,
    end: usize,
}

impl Span {
    fn of(part: &str, text: &str) -> Self {
        let start = part.as_ptr().addr().saturating_sub(text.as_ptr().addr());
        Self {
            start,
            end: start + part.len(),
        }
    }

    fn on(self, text: &str) -> Option<&str> {
        text.get(self.start..self.end)
    }
}

impl Spans {
    /// Of an envelope that was split from `text`.
    pub(crate) fn of(envelope: &Envelope<'_>, text: &str) -> Self {
        Self {
            timestamp: Span::of(envelope.timestamp, text),
            ordinal: envelope.ordinal,
            kind: envelope.kind,
            tag: Span::of(envelope.tag, text),
            payload: Span::of(envelope.payload, text),
            metadata: envelope.metadata.map(|part| Span::of(part, text)),
        }
    }

    /// What the payload is.
    pub(crate) fn kind(&self) -> RecordKind {
        self.kind
    }

    /// The envelope again, on the same text.
    pub(crate) fn on<'a>(&self, text: &'a str) -> Option<Envelope<'a>> {
        Some(Envelope {
            timestamp: self.timestamp.on(text)?,
            ordinal: self.ordinal,
            kind: self.kind,
            tag: self.tag.on(text)?,
            payload: self.payload.on(text)?,
            metadata: match self.metadata {
                Some(span) => Some(span.on(text)?),
                None => None,
            },
        })
    }
}
