//! The port behind which threads are kept, for hosts that keep them elsewhere than in files.
//!
//! [`RolloutStore`] is open for implementation. [`JsonlStore`] keeps rollouts in a home, as every
//! other program of the format does; [`MemoryStore`] keeps them as long as the process lives. The
//! conformance suite of `annals-test-support` says whether another store keeps the contract.

mod jsonl;
mod lease;
mod memory;
mod stored;

use std::fmt;

use async_trait::async_trait;
use uuid::Uuid;

pub use jsonl::JsonlStore;
pub use memory::MemoryStore;
pub use stored::StoredRecord;

use crate::error::{Error, ErrorKind};
use crate::read::head::SessionHead;
use crate::sessions::cut::CutPoint;
use crate::write::durability::Durability;
use crate::write::record::NewRecord;

/// Where threads are kept.
///
/// A record's *position* is its ordinal in a paginated thread, else the number of records before it.
/// The records of a thread's parents count: what [`read`](Self::read) gives starts at the oldest one.
/// All methods may be called from many tasks at once. Reading never waits for a writer.
///
/// # Cancel safety
///
/// Dropping a future leaves the store whole: an append that was dropped happened or did not.
#[async_trait]
pub trait RolloutStore: fmt::Debug + Send + Sync {
    /// Takes a new thread's id and its head, and hands out the one right to write it.
    ///
    /// The head must be a `session_meta` with that id; it is the first record. The thread exists
    /// for others from the first append that is more than buffered.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::AlreadyExists`],
    /// [`ErrorKind::InvalidInput`], or what the store says.
    async fn create(&self, thread: Uuid, head: NewRecord) -> Result<Box<dyn WriteLease>, Error>;

    /// Hands out the one right to write an existing thread.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::AlreadyOpen`] while another lease lives,
    /// [`ErrorKind::NotFound`], or what the store says.
    async fn lease(&self, thread: Uuid) -> Result<Box<dyn WriteLease>, Error>;

    /// Reads records in order, from a place on, at most `limit` and at most about 8 MiB.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`], or what the store says. Damaged
    /// records are passed over.
    async fn read(&self, thread: Uuid, from: ReadFrom, limit: usize) -> Result<ReadPage, Error>;

    /// Reads records from the last one back, starting before a place; same limits.
    ///
    /// [`ReadFrom::START`] starts at the end of the thread.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    async fn read_back(
        &self,
        thread: Uuid,
        from: ReadFrom,
        limit: usize,
    ) -> Result<ReadPage, Error>;

    /// Says who a thread is and how many records it has.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    async fn head(&self, thread: Uuid) -> Result<ThreadHead, Error>;

    /// Lists threads, newest first, each once.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidInput`] for a token of another store,
    /// or what the store says.
    async fn list(&self, after: Option<String>, limit: usize) -> Result<ThreadPage, Error>;

    /// Takes a thread back to a place: what stands before it is kept, what is written next comes
    /// behind it. Nothing is removed: [`undo_revert`](Self::undo_revert) brings the rest back.
    ///
    /// The lease of the thread as it was stays good for nothing but flushing and releasing.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unsupported`] for a thread without ordinals, or a
    /// store that cannot; [`ErrorKind::NotFound`] if the place is not in
    /// the thread, or what the store says.
    async fn revert(&self, thread: Uuid, cut: CutPoint) -> Result<Box<dyn WriteLease>, Error> {
        let _unused = (thread, cut);
        Err(unsupported())
    }

    /// Takes back the last revert: the thread is what it was before it. Done twice, the revert holds
    /// again.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] if there was none, and as
    /// [`revert`](Self::revert).
    async fn undo_revert(&self, thread: Uuid) -> Result<Box<dyn WriteLease>, Error> {
        let _unused = thread;
        Err(unsupported())
    }

    /// Makes a thread that begins with what another one has before a place; its id is new.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] if the place is not in the thread,
    /// [`ErrorKind::Unsupported`], or what the store says.
    async fn fork(&self, thread: Uuid, cut: CutPoint) -> Result<Box<dyn WriteLease>, Error> {
        let _unused = (thread, cut);
        Err(unsupported())
    }

    /// Deletes a thread for good.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::AlreadyOpen`] while a lease lives,
    /// [`ErrorKind::NotFound`], or what the store says.
    async fn delete(&self, thread: Uuid) -> Result<(), Error>;
}

fn unsupported() -> Error {
    Error::new(
        ErrorKind::Unsupported,
        "the store cannot go back in a thread",
    )
}

/// The one right to write a thread; it ends when it is dropped, or with the process.
#[async_trait]
pub trait WriteLease: fmt::Debug + Send + Sync {
    /// The thread.
    fn thread(&self) -> Uuid;

    /// The position that the next record gets.
    fn next_position(&self) -> u64;

    /// Appends records, all or none, if the next position is `expected`; returns the next position.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Fenced`] if it is another one, and nothing happened;
    /// [`ErrorKind::LineTooLong`] and nothing happened; otherwise
    /// what the store says. Whether the records of a failed append are kept for the next one is
    /// told by [`Error::queued_records`] and by [`next_position`](Self::next_position), which
    /// counts them then.
    ///
    /// # Cancel safety
    ///
    /// It happens whole or not at all; [`next_position`](Self::next_position) tells.
    async fn append(
        &self,
        expected: u64,
        records: &[NewRecord],
        durability: Durability,
    ) -> Result<u64, Error>;

    /// Brings everything that was appended to the given durability.
    ///
    /// # Errors
    ///
    /// What the store says; nothing is forgotten then.
    async fn flush(&self, durability: Durability) -> Result<(), Error>;

    /// Flushes and ends the lease.
    ///
    /// # Errors
    ///
    /// What the store says; the lease lives on then.
    async fn release(&self) -> Result<(), Error>;
}

/// Where a page starts: a position, and what only the store knows of the place.
///
/// A place that [`read_back`](RolloutStore::read_back) gave is one that [`read`](RolloutStore::read)
/// takes: the record that was read last is the first one then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadFrom {
    /// The first position wanted; when reading back, the first one not wanted.
    pub position: u64,
    /// A hint of the store's own; 0 is none.
    pub hint: (u32, u64),
}

impl ReadFrom {
    /// The start of a thread; when reading back, its end.
    pub const START: Self = Self {
        position: 0,
        hint: (0, 0),
    };

    /// From a position on, without a hint.
    pub fn position(position: u64) -> Self {
        Self {
            position,
            hint: (0, 0),
        }
    }

    /// With a store's hint.
    #[must_use = "places are values"]
    pub fn with_hint(mut self, segment: u32, offset: u64) -> Self {
        self.hint = (segment, offset);
        self
    }
}

/// Some records, in the order in which they were asked for.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
#[must_use = "a page is what was asked for"]
pub struct ReadPage {
    /// The records.
    pub records: Vec<StoredRecord>,
    /// Where the next page starts; `None` at the end.
    pub next: Option<ReadFrom>,
    /// How many damaged records were passed over.
    pub faults: u64,
}

impl ReadPage {
    /// For stores.
    pub fn new(records: Vec<StoredRecord>, next: Option<ReadFrom>, faults: u64) -> Self {
        Self {
            records,
            next,
            faults,
        }
    }
}

/// Who a thread is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ThreadHead {
    /// The thread.
    pub thread: Uuid,
    /// What its first `session_meta` says.
    pub session: SessionHead,
    /// The position that the next record will get.
    pub next_position: u64,
}

impl ThreadHead {
    /// For stores.
    pub fn new(thread: Uuid, session: SessionHead, next_position: u64) -> Self {
        Self {
            thread,
            session,
            next_position,
        }
    }
}

/// Some threads.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
#[must_use = "a page is what was asked for"]
pub struct ThreadPage {
    /// The threads, newest first.
    pub threads: Vec<Uuid>,
    /// The token of the next page; `None` at the end.
    pub next: Option<String>,
}

impl ThreadPage {
    /// For stores.
    pub fn new(threads: Vec<Uuid>, next: Option<String>) -> Self {
        Self { threads, next }
    }
}
