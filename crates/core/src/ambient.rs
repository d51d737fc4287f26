//! Where a thread takes the time and new ids from: the two things that differ from run to run.

use std::fmt;

use annals_rollout::Timestamp;
use uuid::Uuid;

/// The clock and the ids of a thread. Open for implementation: tests bring their own, and get the
/// same bytes in every run.
pub trait Ambient: fmt::Debug + Send + Sync {
    /// The time, in milliseconds since 1970, UTC.
    fn now_unix_ms(&self) -> u64;

    /// A new id: a UUID of version 7, never given twice.
    fn new_id(&self) -> Uuid;
}

/// The system's clock, and ids made from it.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemAmbient;

impl Ambient for SystemAmbient {
    fn now_unix_ms(&self) -> u64 {
        Timestamp::now().unix_ms()
    }

    fn new_id(&self) -> Uuid {
        Uuid::now_v7()
    }
}
