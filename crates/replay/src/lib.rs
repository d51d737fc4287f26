//! Pure replay of rollout records into history, baseline and settings.
//!
//! A [`Replay`] is fed the records of a thread's files, oldest first, and rebuilds what a running
//! thread had: its items, what the model was last told, under which settings. It keeps of an item
//! what its [`ItemSource`] keeps: the bytes ([`KeptItems`]), or only where they stand
//! ([`LocatedItems`]), for files larger than memory. A [`CheckpointRule`] says how far back a reader
//! must go at all. [`TurnItem`] shows items as their user saw them.
//!
//! Reading files is left to `annals-rollout`, and the rules of a history to `annals-history`.
#![forbid(unsafe_code)]

mod agent;
mod checkpoint;
mod compaction;
mod display;
mod ignored;
mod live;
mod located;
mod outcome;
mod place;
mod replay;
mod sidecar;
mod tracker;

pub use checkpoint::{CheckpointRule, CheckpointWatch, Reading};
pub use display::TurnItem;
pub use ignored::{Ignored, IgnoredReason};
pub use live::LiveState;
pub use located::{LocatedItem, LocatedItems, write_slot};
pub use outcome::{LastTurn, Measured, Replayed};
pub use place::{ItemSource, KeptItems, Place, Record};
pub use replay::Replay;
