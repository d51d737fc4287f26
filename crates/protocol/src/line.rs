//! One line of a rollout with everything that it holds, decoded.

use crate::check::check_structure;
use crate::event::EventMsg;
use crate::{
    Compacted, DecodeError, Envelope, InterAgentCommunication, InterAgentCommunicationMetadata,
    ItemMetadata, ItemOutline, Lossless, RawJson, RecordKind, ResponseItem, SessionMeta,
    TokenUsageRecord, TurnContext, WorldStateRecord,
};

/// One line of a rollout file.
///
/// # Shape
///
/// As [`Envelope`] says. A line that was read is written back byte for byte.
///
/// # Example
///
/// ```
/// use annals_protocol::{RolloutItem, RolloutLine};
///
/// let text = r#"{"timestamp":"2026-01-03T12:00:00.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[]}}"#;
/// let line = RolloutLine::parse(text)?;
/// assert!(matches!(line.item(), RolloutItem::ResponseItem(_)));
/// assert_eq!(line.raw().as_str(), text);
/// # Ok::<(), annals_protocol::DecodeError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct RolloutLine {
    timestamp: String,
    ordinal: Option<u64>,
    item: RolloutItem,
    metadata: Option<Lossless<ItemMetadata>>,
    raw: RawJson,
}

/// What a line of a rollout holds.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum RolloutItem {
    /// Who the thread is.
    SessionMeta(Lossless<SessionMeta>),
    /// An element of the model's input.
    ResponseItem(Lossless<ResponseItem>),
    /// A message between agents.
    InterAgentCommunication(Lossless<InterAgentCommunication>),
    /// What a host notes about such a message.
    InterAgentCommunicationMetadata(Lossless<InterAgentCommunicationMetadata>),
    /// The history was replaced by a summary.
    Compacted(Lossless<Compacted>),
    /// The settings of a turn.
    TurnContext(Lossless<TurnContext>),
    /// Tokens that a response cost.
    TokenUsageRecord(Lossless<TokenUsageRecord>),
    /// What the model was told of the world.
    WorldState(Lossless<WorldStateRecord>),
    /// Facts that outlive a compaction; never part of the input by themselves.
    RetainedContext(RawJson),
    /// A score that a safety check gave.
    SecurityRiskScore(RawJson),
    /// Something happened.
    EventMsg(Lossless<EventMsg>),
    /// An item of a realtime conversation.
    RealtimeItem(RawJson),
    /// A kind that this version does not know.
    Other {
        /// The `type` of the line.
        tag: String,
        /// The payload.
        payload: RawJson,
    },
}

impl RolloutItem {
    /// The kind as a small value.
    pub fn kind(&self) -> RecordKind {
        match self {
            Self::SessionMeta(_) => RecordKind::SessionMeta,
            Self::ResponseItem(_) => RecordKind::ResponseItem,
            Self::InterAgentCommunication(_) => RecordKind::InterAgentCommunication,
            Self::InterAgentCommunicationMetadata(_) => RecordKind::InterAgentCommunicationMetadata,
            Self::Compacted(_) => RecordKind::Compacted,
            Self::TurnContext(_) => RecordKind::TurnContext,
            Self::TokenUsageRecord(_) => RecordKind::TokenUsageRecord,
            Self::WorldState(_) => RecordKind::WorldState,
            Self::RetainedContext(_) => RecordKind::RetainedContext,
            Self::SecurityRiskScore(_) => RecordKind::SecurityRiskScore,
            Self::EventMsg(_) => RecordKind::EventMsg,
            Self::RealtimeItem(_) => RecordKind::RealtimeItem,
            Self::Other { .. } => RecordKind::Other,
        }
    }

    /// The `type` that its line has.
    pub fn tag(&self) -> &str {
        match self {
            Self::Other { tag, .. } => tag,
            known => known.kind().tag().unwrap_or_default(),
        }
    }

    /// The exact JSON of the payload.
    pub fn payload(&self) -> &RawJson {
        match self {
            Self::SessionMeta(payload) => payload.raw(),
            Self::ResponseItem(payload) => payload.raw(),
            Self::InterAgentCommunication(payload) => payload.raw(),
            Self::InterAgentCommunicationMetadata(payload) => payload.raw(),
            Self::Compacted(payload) => payload.raw(),
            Self::TurnContext(payload) => payload.raw(),
            Self::TokenUsageRecord(payload) => payload.raw(),
            Self::WorldState(payload) => payload.raw(),
            Self::EventMsg(payload) => payload.raw(),
            Self::RetainedContext(payload)
            | Self::SecurityRiskScore(payload)
            | Self::RealtimeItem(payload)
            | Self::Other { payload, .. } => payload,
        }
    }

    /// Decodes a payload by the kind of its line: the second step.
    ///
    /// # Errors
    ///
    /// [`DecodeError::Malformed`] if a known member does not have its shape.
    pub fn decode(kind: RecordKind, tag: &str, payload: RawJson) -> Result<Self, DecodeError> {
        let decoded = match kind {
            RecordKind::SessionMeta => Lossless::parse(payload).map(Self::SessionMeta),
            RecordKind::ResponseItem => Lossless::parse(payload).map(Self::ResponseItem),
            RecordKind::InterAgentCommunication => {
                Lossless::parse(payload).map(Self::InterAgentCommunication)
            }
            RecordKind::InterAgentCommunicationMetadata => {
                Lossless::parse(payload).map(Self::InterAgentCommunicationMetadata)
            }
            RecordKind::Compacted => Compacted::parse(payload).map(Self::Compacted),
            RecordKind::TurnContext => Lossless::parse(payload).map(Self::TurnContext),
            RecordKind::TokenUsageRecord => Lossless::parse(payload).map(Self::TokenUsageRecord),
            RecordKind::WorldState => Lossless::parse(payload).map(Self::WorldState),
            RecordKind::RetainedContext => Ok(Self::RetainedContext(payload)),
            RecordKind::SecurityRiskScore => Ok(Self::SecurityRiskScore(payload)),
            RecordKind::EventMsg => Lossless::parse(payload).map(Self::EventMsg),
            RecordKind::RealtimeItem => Ok(Self::RealtimeItem(payload)),
            RecordKind::Other => Ok(Self::Other {
                tag: tag.to_owned(),
                payload,
            }),
        };
        decoded.map_err(|error| match error {
            DecodeError::Malformed { reason, .. } => DecodeError::malformed(tag, reason),
            other => other,
        })
    }
}

impl RolloutItem {
    /// Checks that a payload can be decoded by the kind of its line, without keeping what it holds.
    ///
    /// # Errors
    ///
    /// As [`decode`](Self::decode).
    pub fn check(kind: RecordKind, payload: &str) -> Result<(), DecodeError> {
        let result = match kind {
            RecordKind::SessionMeta => has_shape::<SessionMeta>(payload),
            RecordKind::ResponseItem if ItemOutline::look(payload).is_some() => Ok(()),
            RecordKind::ResponseItem => has_shape::<ResponseItem>(payload),
            RecordKind::InterAgentCommunication => has_shape::<InterAgentCommunication>(payload),
            RecordKind::InterAgentCommunicationMetadata => {
                has_shape::<InterAgentCommunicationMetadata>(payload)
            }
            RecordKind::Compacted => RawJson::parse(payload).and_then(Compacted::parse).map(drop),
            RecordKind::TurnContext => has_shape::<TurnContext>(payload),
            RecordKind::TokenUsageRecord => has_shape::<TokenUsageRecord>(payload),
            RecordKind::WorldState => has_shape::<WorldStateRecord>(payload),
            RecordKind::EventMsg => has_shape::<EventMsg>(payload),
            RecordKind::RetainedContext
            | RecordKind::SecurityRiskScore
            | RecordKind::RealtimeItem
            | RecordKind::Other => Ok(()),
        };
        result.map_err(|error| match error {
            DecodeError::Malformed { reason, .. } => {
                DecodeError::malformed(kind.tag().unwrap_or_default(), reason)
            }
            other => other,
        })
    }
}

fn has_shape<T: serde::de::DeserializeOwned>(payload: &str) -> Result<(), DecodeError> {
    serde_json::from_str::<T>(payload)
        .map(drop)
        .map_err(|error| DecodeError::malformed("payload", error))
}

impl RolloutLine {
    /// Makes a line for a record, to be written.
    ///
    /// `timestamp` is UTC with three fractional digits and a `Z`; `ordinal` belongs to paginated
    /// threads, `metadata` to response items.
    ///
    /// # Errors
    ///
    /// [`DecodeError::TooLarge`] from 4 GiB on.
    pub fn new(
        timestamp: &str,
        ordinal: Option<u64>,
        item: RolloutItem,
        metadata: Option<Lossless<ItemMetadata>>,
    ) -> Result<Self, DecodeError> {
        let mut text = Vec::with_capacity(item.payload().len_bytes() + 128);
        write_line(
            &mut text,
            &LineParts {
                timestamp,
                ordinal,
                tag: item.tag(),
                payload: item.payload().as_str(),
                metadata: metadata.as_ref().map(|metadata| metadata.raw().as_str()),
            },
        );
        // The newline is no part of the record.
        text.pop();
        let text = String::from_utf8(text)
            .map_err(|error| DecodeError::malformed("line", error.utf8_error()))?;
        Ok(Self {
            timestamp: timestamp.to_owned(),
            ordinal,
            item,
            metadata,
            raw: RawJson::from_checked(text.into())?,
        })
    }

    /// Reads a line and everything in it.
    ///
    /// A line end is no part of a line; a trailing carriage return is let pass.
    ///
    /// # Errors
    ///
    /// What [`Envelope::parse`] finds, or [`DecodeError::Malformed`] for a payload that does not
    /// have the shape of its kind.
    pub fn parse(line: &str) -> Result<Self, DecodeError> {
        let raw = RawJson::from_checked(line.into())?;
        if let Some(parsed) = Self::parse_in_usual_order(&raw) {
            return Ok(parsed);
        }
        let envelope = Envelope::parse(raw.as_str())?;
        Self::from_envelope(&raw, &envelope)
    }

    /// Decodes a line in one pass, without a check of its own for valid JSON: what is decoded is
    /// checked on the way. `None` means doubt; the careful way then says what is wrong.
    fn parse_in_usual_order(raw: &RawJson) -> Option<Self> {
        let envelope = Envelope::scan(raw.as_str())?;
        let has_plain_frame = |text: &str| !text.bytes().any(|byte| byte < 0x20);
        if !has_plain_frame(envelope.timestamp)
            || !has_plain_frame(envelope.tag)
            || !envelope.kind.is_typed()
            || check_structure(raw.as_str()).is_err()
        {
            return None;
        }
        let line = Self::from_envelope(raw, &envelope).ok()?;
        // Metadata of an odd shape was let pass undecoded, so nobody has checked it yet.
        (line.metadata.is_some() == envelope.metadata.is_some()).then_some(line)
    }

    fn from_envelope(raw: &RawJson, envelope: &Envelope<'_>) -> Result<Self, DecodeError> {
        let slice = |part: &str| raw.slice_ref(part).ok_or(DecodeError::NotObject);
        let item = RolloutItem::decode(envelope.kind, envelope.tag, slice(envelope.payload)?)?;
        let metadata = match envelope.metadata {
            // A sidecar of an unexpected shape is no reason to lose the item beside it.
            Some(metadata) => Lossless::parse(slice(metadata)?).ok(),
            None => None,
        };
        Ok(Self {
            timestamp: envelope.timestamp.to_owned(),
            ordinal: envelope.ordinal,
            item,
            metadata,
            raw: raw.clone(),
        })
    }

    /// When the line was written, UTC, as it stands.
    pub fn timestamp(&self) -> &str {
        &self.timestamp
    }

    /// The record's number within its thread.
    pub fn ordinal(&self) -> Option<u64> {
        self.ordinal
    }

    /// What the line holds.
    pub fn item(&self) -> &RolloutItem {
        &self.item
    }

    /// What the host notes beside a response item.
    pub fn metadata(&self) -> Option<&Lossless<ItemMetadata>> {
        self.metadata.as_ref()
    }

    /// The exact JSON of the line, without its line end.
    pub fn raw(&self) -> &RawJson {
        &self.raw
    }

    /// Takes the record out of its line.
    pub fn into_item(self) -> RolloutItem {
        self.item
    }
}

/// The members of a line, each as the JSON that stands for it.
#[derive(Debug, Clone, Copy)]
pub struct LineParts<'a> {
    /// UTC, three fractional digits, `Z`; must hold nothing that JSON escapes.
    pub timestamp: &'a str,
    /// The record's number, in paginated threads.
    pub ordinal: Option<u64>,
    /// The `type`; must hold nothing that JSON escapes.
    pub tag: &'a str,
    /// The JSON of the payload, on one line.
    pub payload: &'a str,
    /// The JSON of the metadata, on one line.
    pub metadata: Option<&'a str>,
}

/// Appends a line with its line end to a buffer, copying each part once.
pub fn write_line(out: &mut Vec<u8>, parts: &LineParts<'_>) {
    out.extend_from_slice(br#"{"timestamp":""#);
    out.extend_from_slice(parts.timestamp.as_bytes());
    out.push(b'"');
    if let Some(ordinal) = parts.ordinal {
        out.extend_from_slice(br#","ordinal":"#);
        out.extend_from_slice(ordinal.to_string().as_bytes());
    }
    out.extend_from_slice(br#","type":""#);
    out.extend_from_slice(parts.tag.as_bytes());
    out.extend_from_slice(br#"","payload":"#);
    out.extend_from_slice(parts.payload.as_bytes());
    if let Some(metadata) = parts.metadata {
        out.extend_from_slice(br#","metadata":"#);
        out.extend_from_slice(metadata.as_bytes());
    }
    out.extend_from_slice(b"}\n");
}

#[cfg(test)]
#[path = "line_tests.rs"]
mod tests;
