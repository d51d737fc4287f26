//! A record on its way into a file: checked, encoded once, one line whatever it holds.

use annals_protocol::{
    LineParts, RawJson, RecordKind, RolloutItem, RolloutLine, is_deeper_than, write_line,
};
use serde::Serialize;
use serde_json::Serializer;

use crate::error::{Error, ErrorKind};
use crate::time::Timestamp;
use crate::write::depth::Watched;

/// How deep a part of a line may nest: the line around it is one level more.
const MAX_PART_DEPTH: usize = annals_protocol::MAX_DEPTH - 1;

/// A record to be appended.
///
/// The writer adds the timestamp (the moment at which it is encoded, unless [`at`](Self::at) says
/// otherwise) and, in paginated threads, the ordinal.
///
/// # Example
///
/// ```
/// use annals_protocol::RecordKind;
/// use annals_rollout::NewRecord;
///
/// let record = NewRecord::serialize(RecordKind::EventMsg, &serde_json::json!({"type": "task_started"}))?;
/// assert_eq!(record.payload(), r#"{"type":"task_started"}"#);
/// # Ok::<(), annals_rollout::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct NewRecord {
    tag: Tag,
    payload: Payload,
    metadata: Option<RawJson>,
    timestamp: Option<Timestamp>,
}

#[derive(Debug, Clone)]
enum Tag {
    Known(&'static str),
    Other(String),
}

#[derive(Debug, Clone)]
enum Payload {
    Raw(RawJson),
    Text(String),
}

impl NewRecord {
    /// A record that takes back the last user turns, as files without ordinals have it.
    ///
    /// # Example
    ///
    /// ```
    /// use annals_rollout::NewRecord;
    ///
    /// let record = NewRecord::rolled_back(2);
    /// assert_eq!(record.tag(), "event_msg");
    /// assert_eq!(record.payload(), r#"{"type":"thread_rolled_back","num_turns":2}"#);
    /// ```
    pub fn rolled_back(num_turns: u32) -> Self {
        Self {
            tag: Tag::Known("event_msg"),
            payload: Payload::Text(format!(
                r#"{{"type":"thread_rolled_back","num_turns":{num_turns}}}"#
            )),
            metadata: None,
            timestamp: None,
        }
    }

    /// A record of a known kind with a payload that is JSON already; its bytes are kept.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidInput`] for [`RecordKind::Other`], whose tag only
    /// [`with_tag`](Self::with_tag) can give, and for a payload that nests deeper than a reader takes
    /// in a line.
    pub fn new(kind: RecordKind, payload: RawJson) -> Result<Self, Error> {
        let tag = Tag::Known(known_tag(kind)?);
        Ok(Self {
            tag,
            payload: Payload::Raw(within_depth(payload)?),
            metadata: None,
            timestamp: None,
        })
    }

    /// A record of a kind that this version does not know.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidInput`] if the tag is empty or holds anything but ASCII letters,
    /// digits, `_`, `-`, `.` and `/`, and as [`new`](Self::new).
    pub fn with_tag(tag: &str, payload: RawJson) -> Result<Self, Error> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte);
        if tag.is_empty() || !tag.bytes().all(plain) {
            let shown: String = tag.chars().take(40).collect();
            let what = format!("{shown:?} can't be the type of a record");
            return Err(Error::new(ErrorKind::InvalidInput, what));
        }
        let tag = Tag::Other(tag.to_owned());
        Ok(Self {
            tag,
            payload: Payload::Raw(within_depth(payload)?),
            metadata: None,
            timestamp: None,
        })
    }

    /// Serializes a value as the payload of a record: the cheapest way from a typed value to a line.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidInput`] if the value can't be written as JSON, or nests deeper than a
    /// reader takes.
    pub fn serialize<T: Serialize + ?Sized>(kind: RecordKind, value: &T) -> Result<Self, Error> {
        let tag = Tag::Known(known_tag(kind)?);
        let mut bytes = Vec::with_capacity(4096);
        let mut watched = Watched::default();
        let mut serializer = Serializer::with_formatter(&mut bytes, &mut watched);
        let written = value.serialize(&mut serializer);
        written.map_err(refuse)?;
        let text = String::from_utf8(bytes).map_err(refuse)?;
        let payload = if watched.is_surely_within(MAX_PART_DEPTH) {
            Payload::Text(text)
        } else {
            Payload::Raw(checked(text)?)
        };
        Ok(Self {
            tag,
            payload,
            metadata: None,
            timestamp: None,
        })
    }

    /// A record from a typed item.
    ///
    /// # Errors
    ///
    /// As [`with_tag`](Self::with_tag), for an item of an unknown kind with an impossible tag.
    pub fn from_item(item: &RolloutItem) -> Result<Self, Error> {
        match item {
            RolloutItem::Other { tag, payload } => Self::with_tag(tag, payload.clone()),
            known => Self::new(known.kind(), known.payload().clone()),
        }
    }

    /// A line as it was read, to be written again: same time, payload and metadata, new ordinal.
    ///
    /// # Errors
    ///
    /// As [`from_item`](Self::from_item).
    pub fn from_line(line: &RolloutLine) -> Result<Self, Error> {
        let mut record = Self::from_item(line.item())?;
        record.metadata = line.metadata().map(|metadata| metadata.raw().clone());
        record.timestamp = Timestamp::parse(line.timestamp());
        Ok(record)
    }

    /// Adds the metadata that stands beside a response item's payload.
    ///
    /// Metadata that nests deeper than a reader takes is refused by the append.
    #[must_use = "records are values"]
    pub fn with_metadata(mut self, metadata: RawJson) -> Self {
        self.metadata = Some(metadata);
        self
    }

    /// Fixes the timestamp.
    #[must_use = "records are values"]
    pub fn at(mut self, timestamp: Timestamp) -> Self {
        self.timestamp = Some(timestamp);
        self
    }

    /// The record's type as it is written.
    pub fn tag(&self) -> &str {
        match &self.tag {
            Tag::Known(tag) => tag,
            Tag::Other(tag) => tag,
        }
    }

    /// The payload's JSON.
    pub fn payload(&self) -> &str {
        match &self.payload {
            Payload::Raw(raw) => raw.as_str(),
            Payload::Text(text) => text,
        }
    }

    /// What [`new`](Self::new) says of a payload, of the metadata.
    pub(crate) fn check_metadata(&self) -> Result<(), Error> {
        match &self.metadata {
            Some(metadata) if is_deeper_than(metadata.as_str(), MAX_PART_DEPTH) => {
                within_depth(metadata.clone()).map(drop)
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn fixed_timestamp(&self) -> Option<Timestamp> {
        self.timestamp
    }

    /// Appends the line to `out`.
    pub(crate) fn encode(&self, out: &mut Vec<u8>, timestamp: &str, ordinal: Option<u64>) {
        let start = out.len();
        let parts = LineParts {
            timestamp,
            ordinal,
            tag: self.tag(),
            payload: self.payload(),
            metadata: self.metadata.as_ref().map(RawJson::as_str),
        };
        write_line(out, &parts);
        // In valid JSON a raw line end is white space between tokens, never part of a text, and the
        // serializer writes none.
        let is_compact = matches!(self.payload, Payload::Text(_)) && self.metadata.is_none();
        if !is_compact
            && let Some((_line_end, line)) = out.get_mut(start..).and_then(<[u8]>::split_last_mut)
            && memchr::memchr2(b'\n', b'\r', line).is_some()
        {
            for byte in line.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')) {
                *byte = b' ';
            }
        }
    }
}

fn refuse<W: std::fmt::Display>(why: W) -> Error {
    let what = format!("cannot write the record: {why}");
    Error::new(ErrorKind::InvalidInput, what)
}

/// For text that a value brought along as JSON.
fn checked(text: String) -> Result<RawJson, Error> {
    within_depth(RawJson::parse(text).map_err(refuse)?)
}

fn within_depth(part: RawJson) -> Result<RawJson, Error> {
    if is_deeper_than(part.as_str(), MAX_PART_DEPTH) {
        let what = format!("it nests deeper than {MAX_PART_DEPTH} levels, which no reader takes");
        return Err(refuse(what));
    }
    Ok(part)
}

fn known_tag(kind: RecordKind) -> Result<&'static str, Error> {
    kind.tag().ok_or_else(|| {
        Error::new(
            ErrorKind::InvalidInput,
            "a record of no known kind needs a tag of its own",
        )
    })
}
