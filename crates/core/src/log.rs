//! What is on its way from the history to the store, and from there to observers.

use std::fmt;
use std::time::Instant;

use annals_protocol::RecordKind;
use annals_rollout::store::WriteLease;
use annals_rollout::{Durability, NewRecord, Timestamp};
use serde::Serialize;
use tokio::sync::broadcast;
use tracing::Instrument as _;

use crate::error::Error;
use crate::observe::{OBSERVER_EVENTS, Subscription, ThreadEvent};

/// The records and events that are not yet where they belong, in order.
///
/// Everything is queued here in the same call that changes the history, before anything is awaited.
/// So a future that is dropped takes nothing with it: what it left is written by the next call.
pub(crate) struct Log {
    lease: Box<dyn WriteLease>,
    waiting: Vec<NewRecord>,
    events: Vec<ThreadEvent>,
    /// The position that the first waiting record gets.
    position: u64,
    /// How many of the waiting were handed to the store and not yet heard of.
    handed: usize,
    observers: broadcast::Sender<ThreadEvent>,
}

impl Log {
    pub(crate) fn new(lease: Box<dyn WriteLease>) -> Self {
        Self {
            position: lease.next_position(),
            lease,
            waiting: Vec::new(),
            events: Vec::new(),
            handed: 0,
            observers: broadcast::Sender::new(OBSERVER_EVENTS),
        }
    }

    /// Goes on in another rollout, with the same observers.
    pub(crate) fn moved_to(&mut self, lease: Box<dyn WriteLease>) {
        self.position = lease.next_position();
        self.lease = lease;
        self.handed = 0;
    }

    pub(crate) fn subscribe(&self) -> Subscription {
        Subscription::new(self.observers.subscribe())
    }

    /// The position that the next record gets.
    pub(crate) fn next_position(&self) -> u64 {
        self.position + self.waiting.len() as u64
    }

    pub(crate) fn queue(&mut self, record: NewRecord, now_unix_ms: u64) {
        self.waiting
            .push(record.at(Timestamp::from_unix_ms(now_unix_ms)));
    }

    pub(crate) fn tell(&mut self, event: ThreadEvent) {
        self.events.push(event);
    }

    /// Takes out what the store has: a record counts as had once it has a position.
    fn settle(&mut self) {
        let had = self.lease.next_position().saturating_sub(self.position);
        if self.handed > 0 && had >= self.handed as u64 {
            self.waiting.drain(..self.handed);
            self.position += self.handed as u64;
        }
        self.handed = 0;
    }

    /// Writes everything that waits, then tells the observers.
    ///
    /// Safe to cancel: a later call finds out what was written.
    pub(crate) async fn write(&mut self, durability: Durability) -> Result<(), Error> {
        self.settle();
        let span = tracing::debug_span!("flush", records = self.waiting.len(), ?durability);
        let began = Instant::now();
        if self.waiting.is_empty() {
            if !self.events.is_empty() || durability == Durability::Durable {
                self.lease.flush(durability).instrument(span).await?;
            }
        } else {
            self.handed = self.waiting.len();
            let appended = self
                .lease
                .append(self.position, &self.waiting, durability)
                .instrument(span.clone())
                .await;
            span.in_scope(|| {
                let waiting = self.waiting.iter();
                let bytes: usize = waiting.map(|record| record.payload().len()).sum();
                let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
                tracing::debug!(bytes, micros, failed = appended.is_err(), "stored");
            });
            self.settle();
            appended?;
        }
        for event in self.events.drain(..) {
            // Nobody listening is no error.
            let _receivers = self.observers.send(event);
        }
        Ok(())
    }

    pub(crate) async fn release(&mut self) -> Result<(), Error> {
        self.write(Durability::Durable).await?;
        Ok(self.lease.release().await?)
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Log")
            .field("position", &self.position)
            .field("waiting", &self.waiting.len())
            .finish_non_exhaustive()
    }
}

/// A record of a known kind.
pub(crate) fn record_of<T: Serialize + ?Sized>(
    kind: RecordKind,
    payload: &T,
) -> Result<NewRecord, Error> {
    Ok(NewRecord::serialize(kind, payload)?)
}
