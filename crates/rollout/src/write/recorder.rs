//! The asynchronous face of a writer: the same queue and the same leader, waiting without a thread.

use std::path::Path;
use std::sync::Arc;

use crate::error::Error;
use crate::write::durability::Durability;
use crate::write::record::NewRecord;
use crate::write::shared::{Next, Shared};
use crate::write::state::Queued;
use crate::write::writer::{Appended, RolloutWriter};

/// Where the writes of a [`RolloutRecorder`] happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum WriteOn {
    /// In the task that found nobody writing: a few microseconds on a local disk.
    #[default]
    Caller,
    /// On the runtime's pool for blocking work: for disks on a network or asleep.
    BlockingPool,
}

/// A [`RolloutWriter`] for async code. A clone is another handle to the same writer.
///
/// Back-pressure is the caller's own waiting: an append returns when its records are written, so
/// the queue holds at most what the waiting tasks brought, and
/// [`WriterOptions::buffer_bytes`](crate::WriterOptions::buffer_bytes) of buffered records.
/// A sync for [`Durability::Durable`] always runs on the runtime's pool for blocking work.
///
/// # Example
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use annals_protocol::RecordKind;
/// use annals_rollout::{Durability, NewRecord, RolloutRecorder, RolloutWriter, WriterOptions};
/// use serde_json::json;
///
/// # let dir = std::env::temp_dir().join(format!("annals-doc-recorder-{}", std::process::id()));
/// # let path = dir.join("a.jsonl");
/// let head = NewRecord::serialize(RecordKind::SessionMeta, &json!({
///     "id": "01a22f4d-919e-7c60-8290-89a0ff8f876a", "timestamp": "2026-12-01T01:52:46.000Z",
/// }))?;
/// let recorder = RolloutRecorder::new(RolloutWriter::create(&path, head, WriterOptions::default())?);
/// let event = NewRecord::serialize(RecordKind::EventMsg, &json!({"type": "task_started"}))?;
/// recorder.append(&[event], Durability::Written).await?;
/// recorder.close().await?;
/// assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 2);
/// # std::fs::remove_dir_all(&dir).unwrap();
/// # Ok::<(), annals_rollout::Error>(())
/// # }).unwrap();
/// ```
#[derive(Debug, Clone)]
pub struct RolloutRecorder {
    writer: RolloutWriter,
    write_on: WriteOn,
}

impl RolloutRecorder {
    /// Wraps a writer; both may be used side by side.
    pub fn new(writer: RolloutWriter) -> Self {
        Self {
            writer,
            write_on: WriteOn::default(),
        }
    }

    /// Chooses where writes happen.
    #[must_use = "recorders are values"]
    pub fn write_on(mut self, write_on: WriteOn) -> Self {
        self.write_on = write_on;
        self
    }

    /// The synchronous writer beneath.
    pub fn writer(&self) -> &RolloutWriter {
        &self.writer
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.writer.path()
    }

    /// Appends records, all or none of them; see [`RolloutWriter::append`].
    ///
    /// # Errors
    ///
    /// As [`RolloutWriter::append`].
    ///
    /// # Cancel safety
    ///
    /// Once it was polled, the records are queued and will be written: by this call, by the next
    /// append, flush or close, or when the last handle is dropped. Dropping the future takes
    /// nothing back and doubles nothing.
    pub async fn append(
        &self,
        records: &[NewRecord],
        durability: Durability,
    ) -> Result<Appended, Error> {
        self.append_expecting(records, durability, None).await
    }

    /// As [`append`](Self::append), if the next position is the expected one.
    ///
    /// # Errors
    ///
    /// As [`RolloutWriter::append_expecting`].
    ///
    /// # Cancel safety
    ///
    /// As [`append`](Self::append).
    pub async fn append_expecting(
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
            .writer
            .shared
            .enqueue(records, durability, expected_position)?;
        if !done {
            self.settle(&queued, durability).await?;
        }
        Ok(Appended {
            first_position: queued.first_position,
        })
    }

    /// Brings everything that was queued to the given durability.
    ///
    /// # Errors
    ///
    /// As [`RolloutWriter::flush`].
    ///
    /// # Cancel safety
    ///
    /// Safe: nothing is lost, but what was asked for may not be done.
    pub async fn flush(&self, durability: Durability) -> Result<(), Error> {
        let queued = self.writer.everything()?;
        if durability == Durability::Buffered {
            return Ok(());
        }
        self.settle(&queued, durability).await
    }

    /// Writes what is queued and gives the lock back, for all handles of the writer.
    ///
    /// # Errors
    ///
    /// As [`RolloutWriter::close`].
    ///
    /// # Cancel safety
    ///
    /// Safe: the writer is then still open.
    pub async fn close(&self) -> Result<(), Error> {
        let closing = self.writer.shared.begin_closing()?;
        self.written(closing.queued()).await?;
        closing.finish()
    }

    async fn settle(&self, queued: &Queued, durability: Durability) -> Result<(), Error> {
        self.written(queued).await?;
        if durability == Durability::Durable {
            self.durable(queued.last_seq).await?;
        }
        Ok(())
    }

    async fn written(&self, queued: &Queued) -> Result<(), Error> {
        let shared = &self.writer.shared;
        loop {
            // Most often nobody else is writing, and there is nothing to wait for.
            match self.look_or_write(queued)? {
                Next::Done => return Ok(()),
                Next::Wait => {
                    let mut woken = std::pin::pin!(shared.wake_async.notified());
                    // Listening starts before the second look, so that no notice falls between.
                    woken.as_mut().enable();
                    let still = Shared::next_for_write(&shared.state(), queued)?;
                    if matches!(still, Next::Wait) {
                        woken.await;
                    }
                }
                Next::Lead => {
                    let shared = Arc::clone(shared);
                    on_blocking_pool(move || shared.lead_write_if_free()).await;
                }
            }
        }
    }

    /// What is to be done for `queued`, after doing it here if it is a write of this task's own.
    fn look_or_write(&self, queued: &Queued) -> Result<Next, Error> {
        let shared = &self.writer.shared;
        let mut state = shared.state();
        let mut next = Shared::next_for_write(&state, queued)?;
        if matches!(next, Next::Lead) && self.write_on == WriteOn::Caller {
            state = shared.lead_write(state);
            next = Shared::next_for_write(&state, queued)?;
        }
        drop(state);
        // Someone may have come between; then it is looked at again.
        Ok(match next {
            Next::Lead if self.write_on == WriteOn::Caller => Next::Wait,
            other => other,
        })
    }

    async fn durable(&self, seq: u64) -> Result<(), Error> {
        let shared = &self.writer.shared;
        let since = shared.durable_arrives();
        let _leaves = Leaves(shared);
        loop {
            let mut woken = std::pin::pin!(shared.wake_async.notified());
            woken.as_mut().enable();
            let next = {
                let state = shared.state();
                Shared::next_for_sync(&state, seq, since)?
            };
            match next {
                Next::Done => return Ok(()),
                Next::Wait => woken.await,
                Next::Lead => {
                    let shared = Arc::clone(shared);
                    on_blocking_pool(move || shared.lead_sync_if_free(seq)).await;
                }
            }
        }
    }
}

/// One who waits for durability, until it is dropped.
struct Leaves<'a>(&'a Shared);

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        self.0.durable_leaves();
    }
}

/// Runs blocking work beside the runtime's tasks; in place where there is no runtime, or none any
/// more: a pool that is shut down refuses all work.
async fn on_blocking_pool<F: Fn() + Clone + Send + 'static>(work: F) {
    match tokio::runtime::Handle::try_current() {
        Ok(runtime) => match runtime.spawn_blocking(work.clone()).await {
            Err(refused) if refused.is_cancelled() => work(),
            // If the work panicked, the state says so.
            _ => {}
        },
        Err(_) => work(),
    }
}
