//! The synchronous face of a writer: any thread may call it, at any time.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use annals_protocol::RecordKind;

use crate::error::{Error, ErrorKind};
use crate::lock::WriterLock;
use crate::read::head::SessionHead;
use crate::read::lines::DEFAULT_LINE_LIMIT_BYTES;
use crate::read::source::Source;
use crate::write::disk::{FileSystem, StdFileSystem};
use crate::write::durability::Durability;
use crate::write::record::NewRecord;
use crate::write::shared::Shared;
use crate::write::state::{Queued, State};
use crate::write::tail::Tail;

/// Limits of a writer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriterOptions {
    /// The longest line, in bytes without its line end; longer records are refused.
    pub line_limit_bytes: u64,
    /// How much [`Durability::Buffered`] appends may leave in memory, in bytes.
    pub buffer_bytes: usize,
    /// How much may wait in memory, in bytes, while a fault keeps it from the disk.
    pub queue_bytes: usize,
}

impl Default for WriterOptions {
    fn default() -> Self {
        Self {
            line_limit_bytes: DEFAULT_LINE_LIMIT_BYTES,
            buffer_bytes: 1024 * 1024,
            queue_bytes: 64 * 1024 * 1024,
        }
    }
}

/// What an append did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Appended {
    /// The position of the first of the records: its ordinal in a paginated thread, else how many
    /// records come before it. `None` in a legacy thread that was resumed and not
    /// [counted](RolloutWriter::count_records).
    pub first_position: Option<u64>,
}

/// The one writer of a rollout. A clone is another handle to the same writer.
///
/// A new thread's file is created by the first append that is more than
/// [`Durability::Buffered`]; until then nothing is on the disk. An append of several records queues
/// all of them or none, and nothing comes between them.
///
/// **When an append fails** after it queued its records, they stay queued, in order, and the next
/// append or flush writes them: do not append them again. [`Error::queued_records`] says how many
/// wait. The kinds that queue nothing are [`ErrorKind::LineTooLong`], [`ErrorKind::Fenced`],
/// [`ErrorKind::QueueFull`], [`ErrorKind::Closed`] and [`ErrorKind::Replaced`]. If a write broke
/// off inside a line, the next one starts on a fresh line and writes that record whole; readers
/// report the fragment. If the disk refuses to sync, the records are in the file, and the error says
/// that their durability is not known; before the next sync counts, they are written again in place,
/// because a system may take what it failed to bring to the disk for done.
///
/// **Cost**: one `write(2)` for everything that waits, by whichever caller comes first; no thread.
///
/// # Example
///
/// ```
/// use annals_protocol::RecordKind;
/// use annals_rollout::{Durability, NewRecord, RolloutWriter, Source, TypedEntry, WriterOptions};
/// use serde_json::json;
///
/// # let dir = std::env::temp_dir().join(format!("annals-doc-writer-{}", std::process::id()));
/// let path = dir.join("rollout-2026-12-01T01-52-46-01a22f4d-919e-7c60-8290-89a0ff8f876a.jsonl");
/// let head = NewRecord::serialize(RecordKind::SessionMeta, &json!({
///     "id": "01a22f4d-919e-7c60-8290-89a0ff8f876a", "timestamp": "2026-12-01T01:52:46.000Z",
///     "history_mode": "paginated",
/// }))?;
/// let writer = RolloutWriter::create(&path, head, WriterOptions::default())?;
/// assert!(!path.exists());
///
/// let event = NewRecord::serialize(
///     RecordKind::EventMsg,
///     &json!({"type": "task_started", "turn_id": "t1"}),
/// )?;
/// let appended = writer.append(&[event], Durability::Durable)?;
/// assert_eq!(appended.first_position, Some(1));
/// writer.close()?;
/// for entry in Source::open(&path)?.typed() {
///     assert!(matches!(entry?, TypedEntry::Line(_))); // and no fault
/// }
/// # std::fs::remove_dir_all(&dir).unwrap();
/// # Ok::<(), annals_rollout::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct RolloutWriter {
    pub(crate) shared: Arc<Shared>,
}

impl RolloutWriter {
    /// Prepares a new rollout whose first record is `head`; nothing is created yet.
    ///
    /// Lines carry ordinals if the head says `"history_mode":"paginated"`, starting where its
    /// `history_base` ends, else at 0. Only the head's `id`, `history_mode` and `history_base` are
    /// looked at; typed readers ask for its `timestamp` as well, so make it from a
    /// [`SessionMeta`](annals_protocol::SessionMeta) where you can.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidInput`] if `head` is no usable `session_meta`,
    /// [`ErrorKind::AlreadyExists`] if there is a file of that name with anything in it.
    pub fn create<P: Into<PathBuf>>(
        path: P,
        head: NewRecord,
        options: WriterOptions,
    ) -> Result<Self, Error> {
        Self::create_on(path, head, options, Arc::new(StdFileSystem))
    }

    /// As [`create`](Self::create), on a file system of the caller's.
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create).
    pub fn create_on<P: Into<PathBuf>>(
        path: P,
        head: NewRecord,
        options: WriterOptions,
        file_system: Arc<dyn FileSystem>,
    ) -> Result<Self, Error> {
        let path = path.into();
        let parsed = (head.tag() == RecordKind::SessionMeta.tag().unwrap_or_default())
            .then(|| SessionHead::parse(head.payload()))
            .flatten();
        let Some(parsed) = parsed else {
            let what = "a rollout starts with a session_meta that has an id";
            return Err(Error::new(ErrorKind::InvalidInput, what).at(&path));
        };
        if std::fs::metadata(&path).is_ok_and(|found| found.len() > 0) {
            return Err(Error::new(ErrorKind::AlreadyExists, "the rollout exists").at(&path));
        }
        let base = parsed
            .history_base
            .map_or(0, |base| base.end_ordinal_exclusive);
        let state = State::new(Some(head), Some(base), parsed.paginated);
        Ok(Self {
            shared: Arc::new(Shared::new(path, options, file_system, state)),
        })
    }

    /// Goes on with an existing rollout; what is in it stays byte for byte.
    ///
    /// A compressed file is decompressed first. After a torn last line the next record starts on a
    /// fresh one. In a paginated thread the next ordinal is that of the last readable record plus
    /// one; a record without an ordinal is no error.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::AlreadyOpen`] with the holder; [`ErrorKind::NotFound`], [`ErrorKind::Empty`],
    /// [`ErrorKind::NoSessionMeta`], [`ErrorKind::Unreadable`] or [`ErrorKind::PermissionDenied`].
    /// The file is untouched then.
    pub fn resume<P: AsRef<Path>>(path: P, options: WriterOptions) -> Result<Self, Error> {
        Self::resume_on(path, options, Arc::new(StdFileSystem))
    }

    /// As [`resume`](Self::resume), on a file system of the caller's.
    ///
    /// # Errors
    ///
    /// As [`resume`](Self::resume).
    pub fn resume_on<P: AsRef<Path>>(
        path: P,
        options: WriterOptions,
        file_system: Arc<dyn FileSystem>,
    ) -> Result<Self, Error> {
        let path = plain_path(path.as_ref());
        // The lock lies beside the file: a missing file must not leave a lock behind.
        let packed = crate::read::source::other_representation(&path);
        if !path.exists() && !packed.exists() {
            return Err(Error::io(
                "open",
                &path,
                std::io::ErrorKind::NotFound.into(),
            ));
        }
        let lock = WriterLock::acquire(&path)?;
        if !path.exists() {
            crate::compress::unpack_locked(&path)?;
        }
        let tail = Tail::read(&path)?;
        let file = file_system
            .open(&path)
            .map_err(|error| Error::io("open", &path, error))?;
        let mut state = State::new(None, tail.next_ordinal, tail.head.paginated);
        state.file = Some(Arc::from(file));
        state.len_bytes = tail.len_bytes;
        state.durable_bytes = tail.len_bytes;
        state.torn = tail.unfinished;
        state.lock = Some(lock);
        Ok(Self {
            shared: Arc::new(Shared::new(path, options, file_system, state)),
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.shared.path
    }

    /// Appends records, all or none of them.
    ///
    /// # Errors
    ///
    /// What the disk says, with the records kept in the queue, or one of the kinds that queue
    /// nothing: see [`RolloutWriter`].
    pub fn append(&self, records: &[NewRecord], durability: Durability) -> Result<Appended, Error> {
        self.append_expecting(records, durability, None)
    }

    /// As [`append`](Self::append), if the next position is the expected one.
    ///
    /// `None` expects nothing, and neither does a legacy thread whose records were not
    /// [counted](Self::count_records).
    ///
    /// # Errors
    ///
    /// As [`append`](Self::append), and [`ErrorKind::Fenced`].
    pub fn append_expecting(
        &self,
        records: &[NewRecord],
        durability: Durability,
        expected_position: Option<u64>,
    ) -> Result<Appended, Error> {
        if records.is_empty() {
            return Ok(Appended {
                first_position: None,
            });
        }
        let (queued, done) = self
            .shared
            .enqueue(records, durability, expected_position)?;
        if !done {
            self.settle(&queued, durability)?;
        }
        Ok(Appended {
            first_position: queued.first_position,
        })
    }

    fn settle(&self, queued: &Queued, durability: Durability) -> Result<(), Error> {
        if durability == Durability::Durable {
            self.shared.wait_durable(queued)
        } else {
            self.shared.wait_written(queued)
        }
    }

    /// Brings everything that was queued to the given durability. A new thread to which nothing
    /// was appended stays without a file; see [`persist`](Self::persist).
    ///
    /// # Errors
    ///
    /// What the disk says; everything stays queued then.
    pub fn flush(&self, durability: Durability) -> Result<(), Error> {
        let queued = self.everything()?;
        if durability == Durability::Buffered {
            Ok(())
        } else {
            self.settle(&queued, durability)
        }
    }

    /// Creates the file of a new thread with its head, even if nothing else was appended.
    ///
    /// # Errors
    ///
    /// As [`append`](Self::append).
    pub fn persist(&self, durability: Durability) -> Result<(), Error> {
        {
            let mut state = self.shared.state();
            state
                .usable()
                .map_err(|error| error.at(&self.shared.path))?;
            if state.deferred_head.is_some() {
                state
                    .enqueue(&[], &self.shared.options)
                    .map_err(|error| error.at(&self.shared.path))?;
            }
        }
        self.flush(durability.max(Durability::Written))
    }

    pub(crate) fn everything(&self) -> Result<Queued, Error> {
        let state = self.shared.state();
        state
            .usable()
            .map_err(|error| error.at(&self.shared.path))?;
        Ok(Queued {
            last_seq: state.queued,
            first_position: None,
            failures_before: state.write_failure.count,
        })
    }

    /// The ordinal that the next record gets; `None` in a legacy thread.
    pub fn next_ordinal(&self) -> Option<u64> {
        self.next_position()
            .filter(|_| self.shared.state().numbered)
    }

    /// The position that the next record gets: its ordinal, or how many records come before it;
    /// `None` in a legacy thread that was resumed and not [counted](Self::count_records).
    pub fn next_position(&self) -> Option<u64> {
        let state = self.shared.state();
        let head = u64::from(state.deferred_head.is_some());
        state.next_position.map(|position| position + head)
    }

    /// Counts the records of a legacy thread that was resumed, so that appends can be fenced.
    ///
    /// **Cost**: one pass over the file at scanning speed, once; nothing if the position is known.
    ///
    /// # Errors
    ///
    /// As [`flush`](Self::flush); [`ErrorKind::Io`] if the file can't be read.
    pub fn count_records(&self) -> Result<u64, Error> {
        if let Some(position) = self.next_position() {
            return Ok(position);
        }
        self.flush(Durability::Written)?;
        // Held over the count: nothing may be appended meanwhile, and no write be under way.
        let mut state = self.shared.state();
        while state.writing {
            state = self.shared.sleep(state);
        }
        let mut records = Source::open(&self.shared.path)?.scan();
        while records.next()?.is_some() {}
        let position = records.counts().records + state.unwritten();
        state.next_position = Some(position);
        Ok(position)
    }

    /// How many records were queued by this writer and are not in the file.
    pub fn queued_records(&self) -> u64 {
        self.shared.state().unwritten()
    }

    /// How many records this writer brought into the file.
    pub fn written_records(&self) -> u64 {
        self.shared.state().written
    }

    /// Writes what is queued and gives the lock back, for all handles of this writer.
    ///
    /// Records of other handles are refused from the first moment on; an append that was taken
    /// before keeps its promise. The file is looked at once more, so that one that was removed or
    /// replaced since is noticed.
    ///
    /// # Errors
    ///
    /// What the disk says; the writer stays open and everything queued then, so that it can be
    /// tried again.
    pub fn close(&self) -> Result<(), Error> {
        let closing = self.shared.begin_closing()?;
        self.shared.wait_written(closing.queued())?;
        closing.finish()
    }
}

/// The path without `.zst`: what is appended to is always the plain file.
pub(crate) fn plain_path(path: &Path) -> PathBuf {
    match path.extension() {
        Some(extension) if extension == "zst" => path.with_extension(""),
        _ => path.to_path_buf(),
    }
}
