//! A record on its way into a file: checked, encoded once, one line whatever it holds.

use annals_protocol::{
    LineParts, RawJson, RecordKind, RolloutItem, RolloutLine, validate, write_line,
};
use serde::Serialize;

use crate::error::{Error, ErrorKind};
use crate::time::Timestamp;

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
    /// [`with_tag`](Self::with_tag) can give.
    pub fn new(kind: RecordKind, payload: RawJson) -> Result<Self, Error> {
        let tag = Tag::Known(known_tag(kind)?);
        Ok(Self {
            tag,
            payload: Payload::Raw(payload),
            metadata: None,
            timestamp: None,
        })
    }

    /// A record of a kind that this version does not know.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidInput`] if the tag is empty or holds anything but ASCII letters,
    /// digits, `_`, `-`, `.` and `/`.
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
            payload: Payload::Raw(payload),
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
        let refuse = |why: String| {
            Error::new(
                ErrorKind::InvalidInput,
                format!("cannot write the record: {why}"),
            )
        };
        let mut bytes = Vec::with_capacity(4096);
        serde_json::to_writer(&mut bytes, value).map_err(|error| refuse(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|error| refuse(error.to_string()))?;
        // Few brackets can't nest deep; only a suspicious text is walked.
        let brackets = memchr::memchr2_iter(b'{', b'[', text.as_bytes());
        if brackets.take(annals_protocol::MAX_DEPTH).count() == annals_protocol::MAX_DEPTH {
            validate(&text).map_err(|error| refuse(error.to_string()))?;
        }
        Ok(Self {
            tag,
            payload: Payload::Text(text),
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
        // In valid JSON a raw line end is white space between tokens, never part of a text.
        if let Some((_line_end, line)) = out.get_mut(start..).and_then(<[u8]>::split_last_mut)
            && memchr::memchr2(b'\n', b'\r', line).is_some()
        {
            for byte in line.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')) {
                *byte = b' ';
            }
        }
    }
}

fn known_tag(kind: RecordKind) -> Result<&'static str, Error> {
    kind.tag().ok_or_else(|| {
        Error::new(
            ErrorKind::InvalidInput,
            "a record of no known kind needs a tag of its own",
        )
    })
}
