//! Pure replay of rollout lines into history, baseline and settings.
#![forbid(unsafe_code)]

mod agent;
mod checkpoint;
mod compaction;
mod display;
mod ignored;
mod located;
mod outcome;
mod place;
mod replay;
mod sidecar;
mod tracker;

pub use checkpoint::{CheckpointRule, Reading};
pub use display::TurnItem;
pub use ignored::{Ignored, IgnoredReason};
pub use located::{LocatedItem, LocatedItems, write_slot};
pub use outcome::{LastTurn, Measured, Replayed};
pub use place::{ItemSource, KeptItems, Place, Record};
pub use replay::Replay;
