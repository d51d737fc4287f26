//! New futures for an old past: forks by reference or by copy, and reverts as new segments.
//! The files of the past are only read.

use std::path::PathBuf;

use annals_protocol::{RawJson, RecordKind, members};
use serde::Serialize;
use uuid::Uuid;

use crate::error::{Error, ErrorKind};
use crate::files::parent_of;
use crate::layout::{Home, RolloutName, parse_id};
use crate::read::head::SessionHead;
use crate::read::lineage::Lineage;
use crate::read::records::Entry;
use crate::sessions::cut::{CutPoint, FoundCut};
use crate::time::Timestamp;
use crate::write::durability::Durability;
use crate::write::record::NewRecord;
use crate::write::writer::{RolloutWriter, WriterOptions};

#[derive(Serialize)]
struct Base {
    thread_id: String,
    end_ordinal_exclusive: u64,
    end_byte_offset: u64,
}

/// What the newest file of a lineage says about its thread.
struct Past {
    payload: RawJson,
    head: SessionHead,
    name: RolloutName,
    path: PathBuf,
}

/// Forks a thread without copying it: the new file refers to the old one by `history_base`.
///
/// The writer of the fork is ready; its file is created by the first write, or by
/// [`RolloutWriter::persist`]. It lies in the home of the original, or beside it.
///
/// # Errors
///
/// [`ErrorKind::Unsupported`] for a thread without ordinals, which only
/// [`fork_by_copy`] can fork; [`ErrorKind::NotFound`] if the place is not in it;
/// [`ErrorKind::InvalidInput`] if nothing would be kept, or the file's name is not a rollout's.
pub fn fork_by_reference(lineage: &Lineage, cut: &CutPoint) -> Result<RolloutWriter, Error> {
    let past = Past::of(lineage)?;
    let found = past.found(lineage, cut)?;
    let (payload, name) = past.forked(found.end_ordinal)?;
    let payload = with_base(&payload, lineage, &found)?;
    past.create(payload, name)
}

/// Forks a thread by copying its records up to the cut into a new file, which then stands alone.
///
/// The fork's own head comes first; the heads of its ancestors follow as history, as readers of
/// every version expect. Records keep their time; ordinals, where there are any, count anew.
///
/// **Cost**: one pass; the queue of the writer bounds the memory.
///
/// # Errors
///
/// As [`fork_by_reference`], but legacy threads can be forked; and as [`RolloutWriter::append`].
pub fn fork_by_copy(lineage: &Lineage, cut: &CutPoint) -> Result<RolloutWriter, Error> {
    let past = Past::of(lineage)?;
    let found = cut.find(lineage)?;
    let (payload, name) = past.forked(found.end_ordinal)?;
    let payload = payload
        .without_member("history_base")
        .without_member("forked_from_ordinal_exclusive");
    let writer = past.create(payload, name)?;
    let mut records = lineage.scan();
    let mut next = 0;
    while let Some((_, entry)) = records.next()? {
        let Entry::Record(record) = entry else {
            continue;
        };
        let ordinal = record.envelope.ordinal.unwrap_or(next);
        next = ordinal.saturating_add(1);
        if ordinal >= found.end_ordinal {
            continue;
        }
        // A record that does not decode is kept as it stands, if it is JSON at all.
        let copied = match RawJson::parse(record.envelope.payload) {
            Ok(payload) => NewRecord::with_tag(record.envelope.tag, payload)?,
            Err(_) => continue,
        };
        let copied = match record.envelope.metadata.map(RawJson::parse) {
            Some(Ok(metadata)) => copied.with_metadata(metadata),
            _ => copied,
        };
        let copied = match Timestamp::parse(record.envelope.timestamp) {
            Some(time) => copied.at(time),
            None => copied,
        };
        writer.append(&[copied], Durability::Buffered)?;
    }
    writer.persist(Durability::Durable)?;
    Ok(writer)
}

/// Takes a thread back to a place: a new segment of the same thread that goes on from there.
///
/// The files before stay as they are, so the revert can itself be undone by going on with the
/// segment before it.
///
/// # Errors
///
/// As [`fork_by_reference`].
pub fn revert(lineage: &Lineage, cut: &CutPoint) -> Result<RolloutWriter, Error> {
    let past = Past::of(lineage)?;
    let found = past.found(lineage, cut)?;
    let name = RolloutName::new(Timestamp::now(), past.name.thread_id).with_segment(Uuid::now_v7());
    let time = Timestamp::now().to_string();
    let payload = past.payload.with_member("timestamp", &json(&time)?);
    let payload = with_base(&payload, lineage, &found)?;
    past.create(payload, name)
}

impl Past {
    fn of(lineage: &Lineage) -> Result<Self, Error> {
        let Some(segment) = lineage.segments().last() else {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                "the lineage has no file",
            ));
        };
        let path = segment.path().to_path_buf();
        let source = segment.source()?;
        let mut records = source.records();
        let payload = loop {
            match records.next()? {
                None => {
                    let what = "the session has no head";
                    return Err(Error::new(ErrorKind::NoSessionMeta, what).at(&path));
                }
                Some(Entry::Record(record)) if record.envelope.kind == RecordKind::SessionMeta => {
                    break RawJson::parse(record.envelope.payload);
                }
                Some(_) => {}
            }
        };
        let unusable = || Error::new(ErrorKind::NoSessionMeta, "the head is not usable").at(&path);
        let payload = payload.map_err(|_unreachable_for_a_checked_record| unusable())?;
        let head = SessionHead::parse(payload.as_str()).ok_or_else(unusable)?;
        let thread_id = parse_id(&head.id).ok_or_else(|| {
            Error::new(ErrorKind::InvalidId, "the session's id is not a UUID").at(&path)
        })?;
        // A stream or a renamed file still has its thread's id; a reference needs the name, too.
        let name = RolloutName::parse(&path)
            .unwrap_or_else(|| RolloutName::new(Timestamp::from_unix_ms(0), thread_id));
        Ok(Self {
            payload,
            head,
            name,
            path,
        })
    }

    fn found(&self, lineage: &Lineage, cut: &CutPoint) -> Result<FoundCut, Error> {
        if !self.head.paginated {
            let what = "a thread without ordinals can't be referred to by ordinal";
            return Err(Error::new(ErrorKind::Unsupported, what).at(&self.path));
        }
        let found = cut.find(lineage)?;
        if found.end_ordinal == 0 {
            let what = "nothing would be kept; start a new thread instead";
            return Err(Error::new(ErrorKind::InvalidInput, what).at(&self.path));
        }
        Ok(found)
    }

    /// The head of a fork and its name, without a base.
    fn forked(&self, end_ordinal: u64) -> Result<(RawJson, RolloutName), Error> {
        let id = Uuid::now_v7();
        let now = Timestamp::now();
        let mut payload = self
            .payload
            .with_member("session_id", &json(&id.to_string())?)
            .with_member("id", &json(&id.to_string())?);
        payload = with_placed(&payload, "forked_from_id", &json(&self.head.id)?, "id");
        let end = json(&end_ordinal)?;
        payload = with_placed(
            &payload,
            "forked_from_ordinal_exclusive",
            &end,
            "forked_from_id",
        );
        payload = payload.with_member("timestamp", &json(&now.to_string())?);
        // Another thread has another window; a revert goes on in its own.
        if let Some(Ok(window)) = payload.member("context_window").map(RawJson::parse)
            && window.member("window_id").is_some()
        {
            let window = window.with_member("window_id", &json(&Uuid::now_v7().to_string())?);
            payload = payload.with_member("context_window", &window);
        }
        Ok((payload, RolloutName::new(now, id)))
    }

    fn create(&self, payload: RawJson, name: RolloutName) -> Result<RolloutWriter, Error> {
        let path = match Home::of_rollout(&self.path) {
            Some(home) => home.active_path(&name),
            None => parent_of(&self.path).join(name.file_name()),
        };
        let head = NewRecord::new(RecordKind::SessionMeta, payload)?;
        RolloutWriter::create(path, head, WriterOptions::default())
    }
}

fn with_base(payload: &RawJson, lineage: &Lineage, found: &FoundCut) -> Result<RawJson, Error> {
    let segment = lineage.segments().get(found.segment_idx);
    let Some((segment, id)) = segment.and_then(|s| Some((s, s.rollout_id()?))) else {
        let what = "only a file with the name of a rollout can be referred to";
        let error = Error::new(ErrorKind::InvalidInput, what);
        return Err(match segment {
            Some(segment) => error.at(segment.path()),
            None => error,
        });
    };
    let base = Base {
        thread_id: id.to_string(),
        end_ordinal_exclusive: found.end_ordinal,
        end_byte_offset: found.end_byte_offset.min(segment.source()?.end_bytes()),
    };
    Ok(with_placed(
        payload,
        "history_base",
        &json(&base)?,
        "history_mode",
    ))
}

/// An object with one member set: in its old place if it was there, else behind another member,
/// where the reference program has it.
fn with_placed(object: &RawJson, key: &str, value: &RawJson, behind: &str) -> RawJson {
    let text = object.as_str();
    let place = match (object.member(key), members(text).find(|m| m.is(behind))) {
        (None, Some(member)) => text.split_at_checked(member.end),
        _ => None,
    };
    place
        .map(|(head, tail)| format!("{head},\"{key}\":{}{tail}", value.as_str()))
        .and_then(|text| RawJson::parse(text).ok())
        .unwrap_or_else(|| object.with_member(key, value))
}

fn json<T: Serialize + ?Sized>(value: &T) -> Result<RawJson, Error> {
    RawJson::from_serialize(value)
        .map_err(|error| Error::new(ErrorKind::InvalidInput, error.to_string()))
}
