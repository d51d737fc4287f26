//! What the first `session_meta` of a file says about the session, read leniently.
//! A field of the wrong shape reads as absent; a head that can't be read at all is no head.

use annals_protocol::RecordKind;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::error::{Error, ErrorKind};
use crate::read::records::{Entry, Record, RecordReader};
use crate::read::source::Source;

/// Identity and origin of a session, as its first `session_meta` record tells them.
///
/// Later `session_meta` records were copied in from a parent by old forks and never override it.
/// **Shape**: `{"id":"01a2…","cwd":"/home/dev","source":"cli","history_mode":"paginated",
/// "history_base":{"thread_id":"01a2…","end_ordinal_exclusive":95},…}`, every member but `id` optional.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct SessionHead {
    /// The thread's id as written; not necessarily a UUID in a damaged or foreign file.
    pub id: String,
    /// When the session began, as written.
    pub timestamp: Option<String>,
    /// The working directory, as written.
    pub cwd: Option<String>,
    /// The program that wrote it.
    pub originator: Option<String>,
    /// The version of that program.
    pub cli_version: Option<String>,
    /// Where the session came from: a word, or the first key of an object (`subagent`).
    pub source: Option<String>,
    /// The model provider.
    pub model_provider: Option<String>,
    /// The thread that this one was forked from.
    pub forked_from_id: Option<String>,
    /// Whether lines carry ordinals.
    pub paginated: bool,
    /// The prefix in another file that comes before this file's own records.
    pub history_base: Option<HistoryBase>,
}

/// A prefix of another rollout: all of its records with an ordinal below the end.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HistoryBase {
    /// The rollout id of the other file; named `thread_id` on the wire for historical reasons.
    pub rollout_id: String,
    /// The first ordinal that no longer belongs to it.
    pub end_ordinal_exclusive: u64,
    /// Where that is in bytes, as the writer saw it; a hint only.
    pub end_byte_offset: Option<u64>,
}

#[derive(Deserialize)]
struct Payload<'a> {
    id: String,
    #[serde(borrow, default)]
    timestamp: Option<&'a RawValue>,
    #[serde(borrow, default)]
    cwd: Option<&'a RawValue>,
    #[serde(borrow, default)]
    originator: Option<&'a RawValue>,
    #[serde(borrow, default)]
    cli_version: Option<&'a RawValue>,
    #[serde(borrow, default)]
    source: Option<&'a RawValue>,
    #[serde(borrow, default)]
    model_provider: Option<&'a RawValue>,
    #[serde(borrow, default)]
    forked_from_id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    history_mode: Option<&'a RawValue>,
    #[serde(borrow, default)]
    history_base: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct BasePayload {
    thread_id: String,
    end_ordinal_exclusive: u64,
    #[serde(default)]
    end_byte_offset: Option<u64>,
}

impl SessionHead {
    /// Reads the payload of a `session_meta` record; `None` without a usable `id`.
    pub fn parse(payload: &str) -> Option<Self> {
        let read: Payload<'_> = serde_json::from_str(payload).ok()?;
        let text = |raw: Option<&RawValue>| serde_json::from_str::<String>(raw?.get()).ok();
        let base = read
            .history_base
            .and_then(|raw| serde_json::from_str(raw.get()).ok());
        Some(Self {
            id: read.id,
            timestamp: text(read.timestamp),
            cwd: text(read.cwd),
            originator: text(read.originator),
            cli_version: text(read.cli_version),
            source: read.source.and_then(|raw| source_word(raw.get())),
            model_provider: text(read.model_provider),
            forked_from_id: text(read.forked_from_id),
            paginated: text(read.history_mode).as_deref() == Some("paginated"),
            history_base: base.map(|base: BasePayload| HistoryBase {
                rollout_id: base.thread_id,
                end_ordinal_exclusive: base.end_ordinal_exclusive,
                end_byte_offset: base.end_byte_offset,
            }),
        })
    }

    /// The head of a record, if it is a `session_meta`.
    pub(crate) fn of(record: &Record<'_>) -> Option<Self> {
        (record.envelope.kind == RecordKind::SessionMeta)
            .then(|| Self::parse(record.envelope.payload))?
    }

    /// Finds the first `session_meta` of a source, wherever in the file it stands.
    ///
    /// **Cost**: one line for a healthy file; the whole file, at scanning speed, if there is none.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NoSessionMeta`] if there is none, [`ErrorKind::Unreadable`] if no line at all
    /// is a record, [`ErrorKind::Io`] if the file can't be read.
    pub fn read(source: &Source) -> Result<Self, Error> {
        Self::find(&mut source.scan())
    }

    pub(crate) fn find<R: std::io::Read>(records: &mut RecordReader<R>) -> Result<Self, Error> {
        while let Some(entry) = records.next()? {
            if let Entry::Record(record) = entry
                && let Some(head) = Self::of(&record)
            {
                return Ok(head);
            }
        }
        let counts = records.counts();
        let (kind, what) = if counts.records == 0 {
            (
                ErrorKind::Unreadable,
                format!("none of {} lines is a record", counts.lines),
            )
        } else {
            (
                ErrorKind::NoSessionMeta,
                format!("no session_meta in {} records", counts.records),
            )
        };
        Err(Error::new(kind, what).at(records.path()))
    }
}

/// `"cli"` → `cli`; `{"subagent":{…}}` → `subagent`.
fn source_word(raw: &str) -> Option<String> {
    if let Ok(word) = serde_json::from_str::<String>(raw) {
        return Some(word);
    }
    annals_protocol::members(raw)
        .next()
        .map(|member| member.key.to_owned())
}
