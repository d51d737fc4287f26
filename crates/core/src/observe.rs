//! What those are told who watch a thread.
//!
//! Events go through a bounded channel that never waits: whoever is too slow misses the oldest and is
//! told how many, and whatever an observer does, it does in a task of its own.

use annals_history::ItemEnvelope;
use tokio::sync::broadcast;

/// How many events wait for a slow observer before it misses the oldest.
pub const OBSERVER_EVENTS: usize = 1024;

/// Something that happened to a thread, told after it is in the history and as safe in the store as
/// was asked for, in that order.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum ThreadEvent {
    /// A turn began.
    TurnStarted {
        /// The turn.
        turn_id: String,
    },
    /// An item was recorded: whole, as it stands in the store.
    Item(ItemEnvelope),
    /// A compaction put other items in the place of all.
    Compacted {
        /// How many items there are now.
        n_items: usize,
    },
    /// Turns were taken back, or brought back.
    Reverted {
        /// How many items there are now.
        n_items: usize,
    },
    /// A turn ended.
    TurnEnded {
        /// The turn.
        turn_id: String,
        /// Whether it was cut off.
        is_aborted: bool,
    },
    /// The observer was too slow for so many events, which it does not get; the store has them.
    Missed(u64),
}

/// The events of a thread for one observer.
///
/// # Bounds
///
/// [`OBSERVER_EVENTS`] wait at most. Dropping it ends it.
#[derive(Debug)]
pub struct Subscription {
    receiver: broadcast::Receiver<ThreadEvent>,
}

impl Subscription {
    pub(crate) const fn new(receiver: broadcast::Receiver<ThreadEvent>) -> Self {
        Self { receiver }
    }

    /// The next event; `None` when the thread is gone.
    ///
    /// # Cancel safety
    ///
    /// Safe: no event is lost.
    pub async fn next(&mut self) -> Option<ThreadEvent> {
        match self.receiver.recv().await {
            Ok(event) => Some(event),
            Err(broadcast::error::RecvError::Lagged(missed)) => Some(ThreadEvent::Missed(missed)),
            Err(broadcast::error::RecvError::Closed) => None,
        }
    }

    /// The next event if one waits.
    pub fn try_next(&mut self) -> Option<ThreadEvent> {
        match self.receiver.try_recv() {
            Ok(event) => Some(event),
            Err(broadcast::error::TryRecvError::Lagged(missed)) => {
                Some(ThreadEvent::Missed(missed))
            }
            Err(_) => None,
        }
    }
}
