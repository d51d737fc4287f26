//! Pure replay of rollout lines into history, baseline and settings.
#![forbid(unsafe_code)]

mod agent;
mod compaction;
mod located;
mod place;
mod replay;

pub use located::{LocatedItem, LocatedItems, write_slot};
pub use place::{ItemSource, KeptItems, Place, Record};
pub use replay::{Ignored, IgnoredReason, Replay};
