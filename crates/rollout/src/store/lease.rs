//! The lease of the JSONL store: a recorder and its thread.

use async_trait::async_trait;
use uuid::Uuid;

use crate::error::Error;
use crate::store::WriteLease;
use crate::write::durability::Durability;
use crate::write::record::NewRecord;
use crate::write::recorder::RolloutRecorder;

/// Holds the writer lock of the thread's file.
#[derive(Debug)]
pub(crate) struct JsonlLease {
    pub(crate) thread: Uuid,
    pub(crate) recorder: RolloutRecorder,
}

#[async_trait]
impl WriteLease for JsonlLease {
    fn thread(&self) -> Uuid {
        self.thread
    }

    fn next_position(&self) -> u64 {
        // Known: the store counted a legacy thread's records when it handed out the lease.
        self.recorder.writer().next_position().unwrap_or_default()
    }

    async fn append(
        &self,
        expected: u64,
        records: &[NewRecord],
        durability: Durability,
    ) -> Result<u64, Error> {
        let appended = self
            .recorder
            .append_expecting(records, durability, Some(expected))
            .await?;
        let first = appended.first_position.unwrap_or(expected);
        Ok(first + records.len() as u64)
    }

    async fn flush(&self, durability: Durability) -> Result<(), Error> {
        self.recorder.flush(durability).await
    }

    async fn release(&self) -> Result<(), Error> {
        self.recorder.close().await
    }
}
