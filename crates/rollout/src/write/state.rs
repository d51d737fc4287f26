//! What the callers of one writer share: the queue, the file, and how far each promise is kept.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use crate::error::{Error, ErrorKind};
use crate::lock::WriterLock;
use crate::time::Timestamp;
use crate::write::disk::AppendFile;
use crate::write::line::Line;
use crate::write::pending::Pending;
use crate::write::record::NewRecord;
use crate::write::writer::WriterOptions;

/// Numbers of records: each record gets the next one when it is queued.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own; all their combinations are possible"
)]
pub(crate) struct State {
    pub(crate) pending: Pending,
    pub(crate) spare: Pending,
    /// The head of a file that is not there yet; goes before the first record.
    pub(crate) deferred_head: Option<NewRecord>,
    /// The position of the next record: its ordinal, or how many records come before it. Not known
    /// in a legacy thread that was resumed, until someone counts.
    pub(crate) next_position: Option<u64>,
    /// Whether lines carry their position as ordinal.
    pub(crate) numbered: bool,
    /// The number of the last record queued, written, durable.
    pub(crate) queued: u64,
    pub(crate) written: u64,
    pub(crate) durable: u64,
    /// Someone is in `write(2)` or `fdatasync` right now.
    pub(crate) writing: bool,
    pub(crate) syncing: bool,
    pub(crate) write_failure: Failure,
    pub(crate) sync_failure: Failure,
    pub(crate) file: Option<Arc<dyn AppendFile>>,
    pub(crate) len_bytes: u64,
    /// How much of the file the last good sync covered, and whether one failed since.
    pub(crate) durable_bytes: u64,
    pub(crate) in_doubt: bool,
    /// The file ends inside a line.
    pub(crate) torn: bool,
    pub(crate) looked_at: Instant,
    pub(crate) lock: Option<WriterLock>,
    pub(crate) dirs_to_sync: Vec<PathBuf>,
    pub(crate) dead: Option<Error>,
    pub(crate) closed: bool,
    /// Threads that sleep until something is written.
    pub(crate) sleepers: usize,
    /// Threads that sleep until a sync has ended.
    pub(crate) line: Line,
    /// Callers that wait for durability now, and how many did when the last sync ended.
    pub(crate) durable_waiting: usize,
    pub(crate) returning: usize,
    clock: (u64, String),
}

/// The last failure: which records it was about, and how many there were.
#[derive(Debug, Default)]
pub(crate) struct Failure {
    pub(crate) up_to: u64,
    pub(crate) count: u64,
    pub(crate) error: Option<Error>,
}

impl Failure {
    pub(crate) fn note(&mut self, up_to: u64, error: Error) {
        self.up_to = up_to;
        self.count += 1;
        self.error = Some(error);
    }

    /// The error for a caller that waits for `seq` since `count` was `since`.
    pub(crate) fn for_waiter(&self, seq: u64, since: u64) -> Option<Error> {
        (self.count != since && seq <= self.up_to)
            .then(|| self.error.as_ref().map(Error::duplicate))?
    }
}

/// Which records one append queued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Queued {
    pub(crate) last_seq: u64,
    pub(crate) first_position: Option<u64>,
    pub(crate) failures_before: u64,
}

impl State {
    pub(crate) fn new(
        deferred_head: Option<NewRecord>,
        next_position: Option<u64>,
        numbered: bool,
    ) -> Self {
        Self {
            pending: Pending::default(),
            spare: Pending::default(),
            deferred_head,
            next_position,
            numbered,
            queued: 0,
            written: 0,
            durable: 0,
            writing: false,
            syncing: false,
            write_failure: Failure::default(),
            sync_failure: Failure::default(),
            file: None,
            len_bytes: 0,
            durable_bytes: 0,
            in_doubt: false,
            torn: false,
            looked_at: Instant::now(),
            lock: None,
            dirs_to_sync: Vec::new(),
            dead: None,
            closed: false,
            sleepers: 0,
            line: Line::default(),
            durable_waiting: 0,
            returning: 0,
            clock: (u64::MAX, String::new()),
        }
    }

    /// The error that every call gets once the writer is closed or its file is gone.
    pub(crate) fn usable(&self) -> Result<(), Error> {
        if let Some(error) = &self.dead {
            return Err(error.duplicate().with_queued(self.unwritten()));
        }
        if self.closed {
            return Err(Error::new(ErrorKind::Closed, "the writer is closed"));
        }
        Ok(())
    }

    /// Records that are in the queue or on their way.
    pub(crate) fn unwritten(&self) -> u64 {
        self.queued - self.written
    }

    /// Queues all of the records or none.
    pub(crate) fn enqueue(
        &mut self,
        records: &[NewRecord],
        options: &WriterOptions,
    ) -> Result<Queued, Error> {
        let (len_before, n_before) = (self.pending.bytes.len(), self.pending.n_records());
        let (position, queued) = (self.next_position, self.queued);
        let head = self.deferred_head.take();
        let n_head = u64::from(head.is_some());
        for record in head.iter().chain(records) {
            if let Err(error) = self.enqueue_one(record, options) {
                self.pending.undo(n_before, len_before);
                (self.next_position, self.queued) = (position, queued);
                self.deferred_head = head;
                return Err(error.with_queued(self.unwritten()));
            }
        }
        Ok(Queued {
            last_seq: self.queued,
            first_position: position.map(|position| position + n_head),
            failures_before: self.write_failure.count,
        })
    }

    fn enqueue_one(&mut self, record: &NewRecord, options: &WriterOptions) -> Result<(), Error> {
        record.check_metadata()?;
        let start = self.pending.bytes.len();
        self.encode(record);
        let end = self.pending.bytes.len();
        let len_bytes = (end - start).saturating_sub(1) as u64;
        if len_bytes > options.line_limit_bytes {
            let limit = options.line_limit_bytes;
            let what = format!("a record of {len_bytes} bytes is over the limit of {limit}");
            return Err(Error::new(ErrorKind::LineTooLong, what));
        }
        if end > options.queue_bytes && self.write_failure.error.is_some() {
            let what = format!("{start} bytes wait to be written already");
            return Err(Error::new(ErrorKind::QueueFull, what));
        }
        self.queued += 1;
        self.pending.line_added(self.queued, end);
        Ok(())
    }

    fn encode(&mut self, record: &NewRecord) {
        let position = self.next_position;
        self.next_position = position.map(|position| position.saturating_add(1));
        let ordinal = position.filter(|_| self.numbered);
        let time = record.fixed_timestamp().unwrap_or_else(Timestamp::now);
        if self.clock.0 != time.unix_ms() {
            self.clock = (time.unix_ms(), time.to_string());
        }
        record.encode(&mut self.pending.bytes, &self.clock.1, ordinal);
    }
}
