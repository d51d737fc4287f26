//! Threads in memory: for tests, and for hosts that must leave nothing on a disk.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use annals_protocol::{Envelope, RawJson, RecordKind, RolloutLine};
use async_trait::async_trait;
use serde_json::json;
use uuid::Uuid;

use crate::error::{Error, ErrorKind};
use crate::read::head::SessionHead;
use crate::read::lines::DEFAULT_LINE_LIMIT_BYTES;
use crate::sessions::cut::CutPoint;
use crate::store::{
    ReadFrom, ReadPage, RolloutStore, StoredRecord, ThreadHead, ThreadPage, WriteLease,
};
use crate::time::Timestamp;
use crate::write::durability::Durability;
use crate::write::record::NewRecord;

/// A [`RolloutStore`] that lives and dies with the process. A clone is the same store.
///
/// # Example
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use annals_protocol::RecordKind;
/// use annals_rollout::store::{MemoryStore, ReadFrom, RolloutStore};
/// use annals_rollout::{Durability, NewRecord};
///
/// let store = MemoryStore::default();
/// let id = "01a22f4d-919e-7c60-8290-89a0ff8f876a".parse().unwrap();
/// let head = serde_json::json!({"id": "01a22f4d-919e-7c60-8290-89a0ff8f876a",
///     "timestamp": "2026-12-01T00:00:00.000Z", "cwd": "/w", "originator": "x", "cli_version": "1"});
/// let lease = store.create(id, NewRecord::serialize(RecordKind::SessionMeta, &head)?).await?;
/// let event = NewRecord::serialize(RecordKind::EventMsg, &serde_json::json!({"type": "x"}))?;
/// assert_eq!(lease.append(1, &[event], Durability::Written).await?, 2);
/// assert_eq!(store.read(id, ReadFrom::START, 10).await?.records.len(), 2);
/// # Ok::<(), annals_rollout::Error>(())
/// # }).unwrap();
/// ```
#[derive(Debug, Clone, Default)]
pub struct MemoryStore {
    threads: Arc<Mutex<BTreeMap<Uuid, Thread>>>,
}

#[derive(Debug)]
struct Thread {
    session: SessionHead,
    numbered: bool,
    /// The head of a thread to which nothing was appended yet.
    deferred: Option<NewRecord>,
    lines: Vec<RolloutLine>,
    /// What the thread was before its last revert.
    before_revert: Option<Vec<RolloutLine>>,
    leased: bool,
    /// Which lease is the live one: a revert hands out a new one.
    epoch: u64,
    created: u64,
}

#[derive(Debug)]
struct MemoryLease {
    store: MemoryStore,
    thread: Uuid,
    epoch: u64,
}

impl MemoryStore {
    fn threads(&self) -> MutexGuard<'_, BTreeMap<Uuid, Thread>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a thread with these records in, in the place of one with the same id.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NoSessionMeta`] if none of them is a usable head.
    pub fn insert(&self, id: Uuid, lines: Vec<RolloutLine>) -> Result<(), Error> {
        let heads = lines.iter().map(RolloutLine::item);
        let mut heads = heads.filter(|item| item.kind() == RecordKind::SessionMeta);
        let head = heads.find_map(|item| SessionHead::parse(item.payload().as_str()));
        let none = || Error::new(ErrorKind::NoSessionMeta, "the thread has no head");
        let session = head.ok_or_else(none)?;
        let mut threads = self.threads();
        let thread = Thread {
            numbered: session.paginated,
            session,
            deferred: None,
            lines,
            before_revert: None,
            leased: false,
            epoch: 0,
            created: created_next(&threads),
        };
        threads.insert(id, thread);
        Ok(())
    }

    fn lease_of(&self, id: Uuid, thread: &mut Thread) -> Box<dyn WriteLease> {
        thread.leased = true;
        Box::new(MemoryLease {
            store: self.clone(),
            thread: id,
            epoch: thread.epoch,
        })
    }

    fn release(&self, id: Uuid, epoch: u64) {
        let mut threads = self.threads();
        if threads.get(&id).is_some_and(|thread| thread.epoch != epoch) {
            return;
        }
        if threads
            .get(&id)
            .is_some_and(|thread| thread.lines.is_empty())
        {
            threads.remove(&id);
        } else if let Some(thread) = threads.get_mut(&id) {
            thread.leased = false;
        }
    }
}

/// A thread that others can see.
fn visible(threads: &BTreeMap<Uuid, Thread>, id: Uuid) -> Result<&Thread, Error> {
    threads
        .get(&id)
        .filter(|thread| !thread.lines.is_empty())
        .ok_or_else(|| missing(id))
}

fn missing(id: Uuid) -> Error {
    Error::new(ErrorKind::NotFound, format!("no thread {id}"))
}

#[async_trait]
impl RolloutStore for MemoryStore {
    async fn create(&self, id: Uuid, head: NewRecord) -> Result<Box<dyn WriteLease>, Error> {
        let session = session_of(id, &head)?;
        if session.history_base.is_some() {
            let what = "threads in memory have no parents by reference; fork by copy";
            return Err(Error::new(ErrorKind::Unsupported, what));
        }
        let mut threads = self.threads();
        if threads.contains_key(&id) {
            return Err(Error::new(
                ErrorKind::AlreadyExists,
                format!("there is a thread {id}"),
            ));
        }
        let created = created_next(&threads);
        let numbered = session.paginated;
        let mut thread = Thread {
            session,
            numbered,
            deferred: Some(head),
            lines: Vec::new(),
            before_revert: None,
            leased: true,
            epoch: 0,
            created,
        };
        let lease = self.lease_of(id, &mut thread);
        threads.insert(id, thread);
        Ok(lease)
    }

    async fn lease(&self, id: Uuid) -> Result<Box<dyn WriteLease>, Error> {
        let mut threads = self.threads();
        let thread = threads.get_mut(&id).ok_or_else(|| missing(id))?;
        if thread.leased {
            return Err(Error::new(
                ErrorKind::AlreadyOpen,
                format!("thread {id} is leased"),
            ));
        }
        // A lease that was released and is dropped later must not release this one.
        thread.epoch += 1;
        Ok(self.lease_of(id, thread))
    }

    async fn read(&self, id: Uuid, from: ReadFrom, limit: usize) -> Result<ReadPage, Error> {
        let threads = self.threads();
        let thread = visible(&threads, id)?;
        let start = usize::try_from(from.position)
            .unwrap_or(usize::MAX)
            .min(thread.lines.len());
        let end = start.saturating_add(limit).min(thread.lines.len());
        let next = (end < thread.lines.len()).then(|| ReadFrom::position(end as u64));
        Ok(ReadPage::new(
            records(thread, start..end).collect::<Result<_, _>>()?,
            next,
            0,
        ))
    }

    async fn read_back(&self, id: Uuid, from: ReadFrom, limit: usize) -> Result<ReadPage, Error> {
        let threads = self.threads();
        let thread = visible(&threads, id)?;
        let end = match from {
            ReadFrom::START => thread.lines.len(),
            from => usize::try_from(from.position)
                .unwrap_or(usize::MAX)
                .min(thread.lines.len()),
        };
        let start = end.saturating_sub(limit);
        let next = (start > 0).then(|| ReadFrom::position(start as u64));
        Ok(ReadPage::new(
            records(thread, start..end)
                .rev()
                .collect::<Result<_, _>>()?,
            next,
            0,
        ))
    }

    async fn head(&self, id: Uuid) -> Result<ThreadHead, Error> {
        let threads = self.threads();
        let thread = visible(&threads, id)?;
        Ok(ThreadHead::new(
            id,
            thread.session.clone(),
            thread.lines.len() as u64,
        ))
    }

    async fn list(&self, after: Option<String>, limit: usize) -> Result<ThreadPage, Error> {
        let before = match after.as_deref().map(str::parse::<u64>) {
            None => u64::MAX,
            Some(Ok(token)) => token,
            Some(Err(_)) => {
                return Err(Error::new(
                    ErrorKind::InvalidInput,
                    "no token of this store",
                ));
            }
        };
        let threads = self.threads();
        let mut found: Vec<(u64, Uuid)> = threads
            .iter()
            .filter(|(_, thread)| !thread.lines.is_empty() && thread.created < before)
            .map(|(id, thread)| (thread.created, *id))
            .collect();
        found.sort_unstable_by_key(|found| std::cmp::Reverse(*found));
        let more = found.len() > limit;
        found.truncate(limit);
        let next = found
            .last()
            .filter(|_| more)
            .map(|(created, _)| created.to_string());
        Ok(ThreadPage::new(
            found.into_iter().map(|(_, id)| id).collect(),
            next,
        ))
    }

    async fn revert(&self, id: Uuid, cut: CutPoint) -> Result<Box<dyn WriteLease>, Error> {
        let mut threads = self.threads();
        let thread = visible(&threads, id)?;
        let lines = thread.cut_before(&cut)?;
        let lines = with_head(lines, &thread.own_head()?, id)?;
        let thread = threads.get_mut(&id).ok_or_else(|| missing(id))?;
        thread.before_revert = Some(std::mem::replace(&mut thread.lines, lines));
        thread.epoch += 1;
        Ok(self.lease_of(id, thread))
    }

    async fn undo_revert(&self, id: Uuid) -> Result<Box<dyn WriteLease>, Error> {
        let mut threads = self.threads();
        let thread = threads.get_mut(&id).ok_or_else(|| missing(id))?;
        let Some(before) = thread.before_revert.clone() else {
            let what = format!("thread {id} was never reverted");
            return Err(Error::new(ErrorKind::NotFound, what));
        };
        let lines = with_head(before, &thread.own_head()?, id)?;
        thread.before_revert = Some(std::mem::replace(&mut thread.lines, lines));
        thread.epoch += 1;
        Ok(self.lease_of(id, thread))
    }

    async fn fork(&self, id: Uuid, cut: CutPoint) -> Result<Box<dyn WriteLease>, Error> {
        let mut threads = self.threads();
        let parent = visible(&threads, id)?;
        let kept = parent.cut_before(&cut)?;
        let new = Uuid::now_v7();
        let own = parent.own_head()?;
        let text = |id: Uuid| RawJson::from_serialize(&id.to_string());
        let head = text(new).and_then(|new| {
            let head = own.with_member("session_id", &new).with_member("id", &new);
            Ok(head.with_member("forked_from_id", &text(id)?))
        });
        let head = head.map_err(|error| Error::new(ErrorKind::InvalidInput, error.to_string()))?;
        let lines = if parent.numbered {
            with_head(kept, &head, id)?
        } else {
            let own = NewRecord::new(RecordKind::SessionMeta, head.clone())?;
            let mut lines = vec![line_of(&own, None)?];
            lines.extend(kept);
            lines
        };
        let unusable = || Error::new(ErrorKind::InvalidInput, "the head is not usable");
        let mut thread = Thread {
            session: SessionHead::parse(head.as_str()).ok_or_else(unusable)?,
            numbered: parent.numbered,
            deferred: None,
            lines,
            before_revert: None,
            leased: true,
            epoch: 0,
            created: created_next(&threads),
        };
        let lease = self.lease_of(new, &mut thread);
        threads.insert(new, thread);
        Ok(lease)
    }

    async fn delete(&self, id: Uuid) -> Result<(), Error> {
        let mut threads = self.threads();
        if visible(&threads, id)?.leased {
            return Err(Error::new(
                ErrorKind::AlreadyOpen,
                format!("thread {id} is leased"),
            ));
        }
        threads.remove(&id);
        Ok(())
    }
}

fn created_next(threads: &BTreeMap<Uuid, Thread>) -> u64 {
    let created = threads.values().map(|thread| thread.created + 1);
    created.max().unwrap_or(0)
}

impl Thread {
    /// The payload of the thread's newest head.
    fn own_head(&self) -> Result<RawJson, Error> {
        let heads = self.lines.iter().map(RolloutLine::item);
        let mut heads = heads.filter(|item| item.kind() == RecordKind::SessionMeta);
        let head = if self.numbered {
            heads.next_back()
        } else {
            heads.next()
        };
        let none = || Error::new(ErrorKind::NoSessionMeta, "the thread has no head");
        Ok(head.ok_or_else(none)?.payload().clone())
    }

    /// The lines before a place.
    fn cut_before(&self, cut: &CutPoint) -> Result<Vec<RolloutLine>, Error> {
        let is_at = |(position, line): (usize, &RolloutLine)| {
            Envelope::scan(line.raw().as_str())
                .is_some_and(|record| cut.is_at(&record, position as u64))
        };
        let found = self.lines.iter().enumerate().position(is_at);
        let end = match (found, cut) {
            (Some(at), _) => at,
            (None, CutPoint::End) => self.lines.len(),
            (None, CutPoint::Ordinal(at)) if *at == self.lines.len() as u64 => self.lines.len(),
            _ => {
                let what = format!("the thread has no {cut:?}");
                return Err(Error::new(ErrorKind::NotFound, what));
            }
        };
        if end == 0 {
            let what = "nothing would be kept; start a new thread instead";
            return Err(Error::new(ErrorKind::InvalidInput, what));
        }
        Ok(self.lines.iter().take(end).cloned().collect())
    }
}

/// Lines that go on under a head which refers to them, as a file that refers to another does.
fn with_head(
    mut lines: Vec<RolloutLine>,
    head: &RawJson,
    parent: Uuid,
) -> Result<Vec<RolloutLine>, Error> {
    let end = lines.len() as u64;
    if lines.first().is_none_or(|line| line.ordinal().is_none()) {
        let what = "a thread without ordinals can't be referred to by ordinal";
        return Err(Error::new(ErrorKind::Unsupported, what));
    }
    let base = json!({"thread_id": parent.to_string(), "end_ordinal_exclusive": end,
        "end_byte_offset": 0});
    let base = RawJson::from_serialize(&base)
        .map_err(|error| Error::new(ErrorKind::InvalidInput, error.to_string()))?;
    let head = NewRecord::new(
        RecordKind::SessionMeta,
        head.with_member("history_base", &base),
    )?;
    lines.push(line_of(&head, Some(end))?);
    Ok(lines)
}

fn records(
    thread: &Thread,
    range: std::ops::Range<usize>,
) -> impl DoubleEndedIterator<Item = Result<StoredRecord, Error>> {
    let start = range.start;
    let lines = thread.lines.get(range).unwrap_or_default();
    lines.iter().enumerate().map(move |(idx, line)| {
        StoredRecord::parse((start + idx) as u64, line.raw().as_str())
            .map_err(|error| Error::new(ErrorKind::InvalidInput, error.to_string()))
    })
}

/// The head of a new thread, checked.
pub(crate) fn session_of(id: Uuid, head: &NewRecord) -> Result<SessionHead, Error> {
    let session = SessionHead::parse(head.payload()).filter(|session| {
        head.tag() == "session_meta" && session.id.parse::<Uuid>().is_ok_and(|found| found == id)
    });
    session.ok_or_else(|| {
        Error::new(
            ErrorKind::InvalidInput,
            format!("the head is not that of thread {id}"),
        )
    })
}

#[async_trait]
impl WriteLease for MemoryLease {
    fn thread(&self) -> Uuid {
        self.thread
    }

    fn next_position(&self) -> u64 {
        let threads = self.store.threads();
        threads.get(&self.thread).map_or(0, |thread| {
            thread.lines.len() as u64 + u64::from(thread.deferred.is_some())
        })
    }

    async fn append(
        &self,
        expected: u64,
        records: &[NewRecord],
        _durability: Durability,
    ) -> Result<u64, Error> {
        let mut threads = self.store.threads();
        let thread = threads
            .get_mut(&self.thread)
            .ok_or_else(|| missing(self.thread))?;
        if !thread.leased || thread.epoch != self.epoch {
            return Err(Error::new(ErrorKind::Closed, "the lease was released"));
        }
        let next = thread.lines.len() as u64 + u64::from(thread.deferred.is_some());
        if expected != next {
            let what = format!("record {expected} was expected, {next} is next");
            return Err(Error::new(ErrorKind::Fenced, what));
        }
        if records.is_empty() {
            return Ok(next);
        }
        let mut lines = Vec::with_capacity(records.len() + 1);
        for record in thread.deferred.iter().chain(records) {
            let position = thread.lines.len() + lines.len();
            lines.push(line_of(record, thread.numbered.then_some(position as u64))?);
        }
        thread.deferred = None;
        thread.lines.extend(lines);
        Ok(thread.lines.len() as u64)
    }

    async fn flush(&self, _durability: Durability) -> Result<(), Error> {
        Ok(())
    }

    async fn release(&self) -> Result<(), Error> {
        self.store.release(self.thread, self.epoch);
        Ok(())
    }
}

impl Drop for MemoryLease {
    fn drop(&mut self) {
        self.store.release(self.thread, self.epoch);
    }
}

/// The line that a file would hold.
fn line_of(record: &NewRecord, ordinal: Option<u64>) -> Result<RolloutLine, Error> {
    let time = record
        .fixed_timestamp()
        .unwrap_or_else(Timestamp::now)
        .to_string();
    let mut text = Vec::new();
    record.encode(&mut text, &time, ordinal);
    text.pop();
    if text.len() as u64 > DEFAULT_LINE_LIMIT_BYTES {
        let what = format!("a record of {} bytes is over the limit", text.len());
        return Err(Error::new(ErrorKind::LineTooLong, what));
    }
    let text = simdutf8::basic::from_utf8(&text).unwrap_or_default();
    RolloutLine::parse(text).map_err(|error| Error::new(ErrorKind::InvalidInput, error.to_string()))
}
