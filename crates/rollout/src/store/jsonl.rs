//! Threads as rollouts in a home: the store that every program of the format shares.

use std::path::PathBuf;

use async_trait::async_trait;
use uuid::Uuid;

use crate::error::{Error, ErrorKind};
use crate::layout::{Home, RolloutName};
use crate::read::head::SessionHead;
use crate::read::lineage::{Lineage, ParentSearch};
use crate::read::records::{Entry, ReadOptions};
use crate::read::source::Source;
use crate::sessions::cut::CutPoint;
use crate::sessions::fork::{fork_by_copy, fork_by_reference, revert};
use crate::sessions::list::Cursor;
use crate::sessions::lookup::lookup;
use crate::sessions::walk::{Scope, key, walk};
use crate::store::lease::JsonlLease;
use crate::store::memory::session_of;
use crate::store::{
    ReadFrom, ReadPage, RolloutStore, StoredRecord, ThreadHead, ThreadPage, WriteLease,
};
use crate::time::Timestamp;
use crate::write::durability::Durability;
use crate::write::record::NewRecord;
use crate::write::recorder::{RolloutRecorder, WriteOn};
use crate::write::writer::{RolloutWriter, WriterOptions};

/// About how many bytes of records one page holds.
const PAGE_BYTES: usize = 8 * 1024 * 1024;

/// A [`RolloutStore`] on a home.
///
/// A thread is its newest segment, with its parents before it. Work on files runs on the runtime's
/// pool for blocking work.
///
/// **Cost**: a page that goes on from another reads only itself. A legacy thread's records are
/// counted, at scanning speed, for a lease, a head, and the first page read back.
///
/// # Example
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use annals_rollout::Home;
/// use annals_rollout::store::{JsonlStore, RolloutStore};
///
/// let store = JsonlStore::new(Home::new("no/such/home"));
/// assert!(store.list(None, 10).await?.threads.is_empty());
/// # Ok::<(), annals_rollout::Error>(())
/// # }).unwrap();
/// ```
#[derive(Debug, Clone)]
pub struct JsonlStore {
    home: Home,
    options: WriterOptions,
    write_on: WriteOn,
}

impl JsonlStore {
    /// Keeps threads in a home.
    pub fn new(home: Home) -> Self {
        Self {
            home,
            options: WriterOptions::default(),
            write_on: WriteOn::default(),
        }
    }

    /// Sets the limits of its writers.
    #[must_use = "stores are values"]
    pub fn with_options(mut self, options: WriterOptions) -> Self {
        self.options = options;
        self
    }

    /// Chooses where its writes happen.
    #[must_use = "stores are values"]
    pub fn write_on(mut self, write_on: WriteOn) -> Self {
        self.write_on = write_on;
        self
    }

    /// The home.
    pub fn home(&self) -> &Home {
        &self.home
    }

    fn path(&self, thread: Uuid) -> Result<PathBuf, Error> {
        lookup(&self.home, &thread.to_string())
    }

    fn open(&self, thread: Uuid) -> Result<(SessionHead, Lineage), Error> {
        let source = Source::open(self.path(thread)?)?;
        let head = SessionHead::read(&source)?;
        let search = ParentSearch::in_home(self.home.clone());
        let lineage = Lineage::resolve_from(source, head.history_base.clone(), &search)?;
        Ok((head, lineage))
    }

    fn lease_of(&self, thread: Uuid, writer: RolloutWriter) -> Box<dyn WriteLease> {
        let recorder = RolloutRecorder::new(writer).write_on(self.write_on);
        Box::new(JsonlLease { thread, recorder })
    }
}

#[async_trait]
impl RolloutStore for JsonlStore {
    async fn create(&self, thread: Uuid, head: NewRecord) -> Result<Box<dyn WriteLease>, Error> {
        session_of(thread, &head)?;
        let this = self.clone();
        let writer = blocking(move || {
            if this.path(thread).is_ok() {
                let what = format!("there is a thread {thread}");
                return Err(Error::new(ErrorKind::AlreadyExists, what));
            }
            let path = this
                .home
                .active_path(&RolloutName::new(Timestamp::now(), thread));
            RolloutWriter::create(path, head, this.options)
        });
        Ok(self.lease_of(thread, writer.await?))
    }

    async fn lease(&self, thread: Uuid) -> Result<Box<dyn WriteLease>, Error> {
        let this = self.clone();
        let writer = blocking(move || {
            let writer = RolloutWriter::resume(this.path(thread)?, this.options)?;
            writer.count_records()?;
            Ok(writer)
        });
        Ok(self.lease_of(thread, writer.await?))
    }

    async fn read(&self, thread: Uuid, from: ReadFrom, limit: usize) -> Result<ReadPage, Error> {
        let this = self.clone();
        blocking(move || page(&this.open(thread)?.1, from, limit)).await
    }

    async fn read_back(
        &self,
        thread: Uuid,
        from: ReadFrom,
        limit: usize,
    ) -> Result<ReadPage, Error> {
        let this = self.clone();
        blocking(move || {
            let (head, lineage) = this.open(thread)?;
            page_back(&head, &lineage, from, limit)
        })
        .await
    }

    async fn head(&self, thread: Uuid) -> Result<ThreadHead, Error> {
        let this = self.clone();
        blocking(move || {
            let (head, lineage) = this.open(thread)?;
            let next = next_position(&head, &lineage)?;
            Ok(ThreadHead::new(thread, head, next))
        })
        .await
    }

    async fn list(&self, after: Option<String>, limit: usize) -> Result<ThreadPage, Error> {
        let this = self.clone();
        blocking(move || thread_page(&this.home, after.as_deref(), limit)).await
    }

    async fn revert(&self, thread: Uuid, cut: CutPoint) -> Result<Box<dyn WriteLease>, Error> {
        let this = self.clone();
        let writer = blocking(move || {
            let (_, lineage) = this.open(thread)?;
            written(revert(&lineage, &cut)?)
        });
        Ok(self.lease_of(thread, writer.await?))
    }

    async fn undo_revert(&self, thread: Uuid) -> Result<Box<dyn WriteLease>, Error> {
        let this = self.clone();
        let writer = blocking(move || {
            let mut segments = Vec::new();
            for found in walk(&this.home, Scope::Both)? {
                let found = found?;
                if found.name.thread_id == thread {
                    segments.push(found);
                }
            }
            segments.sort_by_key(|found| key(&found.name));
            let _newest = segments.pop();
            let Some(before) = segments.pop() else {
                let what = format!("thread {thread} was never reverted");
                return Err(Error::new(ErrorKind::NotFound, what));
            };
            let search = ParentSearch::in_home(this.home.clone());
            let lineage = Lineage::resolve(Source::open(&before.path)?, &search)?;
            written(revert(&lineage, &CutPoint::End)?)
        });
        Ok(self.lease_of(thread, writer.await?))
    }

    async fn fork(&self, thread: Uuid, cut: CutPoint) -> Result<Box<dyn WriteLease>, Error> {
        let this = self.clone();
        let (thread, writer) = blocking(move || {
            let (head, lineage) = this.open(thread)?;
            let writer = if head.paginated {
                fork_by_reference(&lineage, &cut)?
            } else {
                fork_by_copy(&lineage, &cut)?
            };
            let writer = written(writer)?;
            writer.count_records()?;
            let name = RolloutName::parse(writer.path());
            let unnamed = || Error::new(ErrorKind::InvalidInput, "the fork has no name");
            Ok((name.ok_or_else(unnamed)?.thread_id, writer))
        })
        .await?;
        Ok(self.lease_of(thread, writer))
    }

    async fn delete(&self, thread: Uuid) -> Result<(), Error> {
        let this = self.clone();
        blocking(move || {
            let mut deleted = false;
            // The newest first: what is left after an error is still a thread.
            for found in walk(&this.home, Scope::Both)? {
                let found = found?;
                if found.name.thread_id == thread {
                    crate::sessions::archive::delete(&found.path)?;
                    deleted = true;
                }
            }
            let what = format!("no thread {thread}");
            if deleted {
                Ok(())
            } else {
                Err(Error::new(ErrorKind::NotFound, what))
            }
        })
        .await
    }
}

/// A segment counts from when it is there.
fn written(writer: RolloutWriter) -> Result<RolloutWriter, Error> {
    writer.persist(Durability::Written)?;
    Ok(writer)
}

/// Runs work on files where it hinders no task.
async fn blocking<T, F>(work: F) -> Result<T, Error>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T, Error> + Send + 'static,
{
    match tokio::runtime::Handle::try_current() {
        Ok(runtime) => runtime
            .spawn_blocking(work)
            .await
            .unwrap_or_else(|_cancelled| {
                Err(Error::new(
                    ErrorKind::Closed,
                    "the runtime is shutting down",
                ))
            }),
        Err(_) => work(),
    }
}

fn page(lineage: &Lineage, from: ReadFrom, limit: usize) -> Result<ReadPage, Error> {
    let options = ReadOptions::structure_only();
    let (segment, offset) = from.hint;
    let mut reader = match from.hint {
        (0, 0) => lineage.reader(options),
        _ => lineage.reader_from(segment as usize, offset, from.position, options),
    };
    let mut next = if from.hint == (0, 0) {
        0
    } else {
        from.position
    };
    let mut page = ReadPage::default();
    let mut bytes = 0;
    let path = PathBuf::new();
    while let Some((segment_idx, entry)) = reader.next()? {
        let Entry::Record(record) = entry else {
            page.faults += 1;
            continue;
        };
        let position = record.envelope.ordinal.unwrap_or(next);
        next = position.saturating_add(1);
        if position < from.position {
            continue;
        }
        if page.records.len() >= limit || bytes > PAGE_BYTES {
            let segment = u32::try_from(segment_idx).unwrap_or(0);
            page.next = Some(ReadFrom::position(position).with_hint(segment, record.byte_offset));
            break;
        }
        bytes += record.text.len();
        match record.check(&path) {
            Ok(record) => page.records.push(StoredRecord::of(position, &record)),
            Err(_) => page.faults += 1,
        }
    }
    Ok(page)
}

fn page_back(
    head: &SessionHead,
    lineage: &Lineage,
    from: ReadFrom,
    limit: usize,
) -> Result<ReadPage, Error> {
    // Without a hint the reader starts at the end, and so does the count of unnumbered records.
    let mut next = match from.hint {
        (0, 0) => next_position(head, lineage)?,
        _ => from.position,
    };
    let mut reader = lineage.backward(ReadOptions::structure_only());
    if from != ReadFrom::START && from.hint != (0, 0) {
        reader = reader.starting_before(from.hint.0 as usize, from.hint.1)?;
    }
    let mut page = ReadPage::default();
    let mut bytes = 0;
    let path = PathBuf::new();
    let mut last = (0, 0);
    while let Some((segment_idx, entry)) = reader.next()? {
        let Entry::Record(record) = entry else {
            page.faults += 1;
            continue;
        };
        let position = record.envelope.ordinal.unwrap_or(next.saturating_sub(1));
        if from != ReadFrom::START && position >= from.position {
            next = position;
            continue;
        }
        if page.records.len() >= limit || bytes > PAGE_BYTES {
            page.next = Some(ReadFrom::position(next).with_hint(last.0, last.1));
            break;
        }
        next = position;
        last = (u32::try_from(segment_idx).unwrap_or(0), record.byte_offset);
        bytes += record.text.len();
        match record.check(&path) {
            Ok(record) => page.records.push(StoredRecord::of(position, &record)),
            Err(_) => page.faults += 1,
        }
    }
    Ok(page)
}

/// The position of the next record: from the last ordinal, else by counting.
fn next_position(head: &SessionHead, lineage: &Lineage) -> Result<u64, Error> {
    if head.paginated {
        let mut reader = lineage.backward(ReadOptions::structure_only());
        let mut unnumbered = 0;
        while let Some((_, entry)) = reader.next()? {
            let Entry::Record(record) = entry else {
                continue;
            };
            match record.envelope.ordinal {
                Some(ordinal) => return Ok(ordinal.saturating_add(1 + unnumbered)),
                None => unnumbered += 1,
            }
        }
        return Ok(unnumbered);
    }
    let mut reader = lineage.scan();
    let mut records = 0;
    while let Some((_, entry)) = reader.next()? {
        records += u64::from(matches!(entry, Entry::Record(_)));
    }
    Ok(records)
}

fn thread_page(home: &Home, after: Option<&str>, limit: usize) -> Result<ThreadPage, Error> {
    let position = match after.map(|token| (token, Cursor::parse(token))) {
        None => None,
        Some((_, Some(cursor))) => Some(cursor.place()),
        Some((_, None)) => {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                "no token of this store",
            ));
        }
    };
    let mut page = ThreadPage::default();
    let mut last = None;
    for found in walk(home, Scope::Both)?.behind(position) {
        let found = found?;
        // A thread stands where it began: its later segments are not entries of their own.
        if found.name.segment_id.is_some() {
            continue;
        }
        if page.threads.len() >= limit {
            page.next = last.map(|place| Cursor::at(place).to_string());
            break;
        }
        last = Some(key(&found.name));
        page.threads.push(found.name.thread_id);
    }
    Ok(page)
}
