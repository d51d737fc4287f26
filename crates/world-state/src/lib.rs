//! World state for LLM agents: told in full once, afterwards only what changed.
//!
//! Settings, environment and instructions change while a thread runs. This crate keeps what the
//! model was last told of them as a [`WorldStateSnapshot`] and finds the least to append so that the
//! model is right again.
//! Reading files, asking for the time and keeping the history are left to its callers.

#![forbid(unsafe_code)]

mod assemble;
mod canonical;
mod chain;
mod erased;
mod error;

pub mod sections;

mod extension;
mod fingerprint;
mod history;
mod patch;
mod prepared;
mod record;
mod retired;
mod scan;
mod section;
mod snapshot;
mod state;
mod telling;
#[cfg(test)]
mod testing;
mod update;

pub use canonical::MAX_SNAPSHOT_DEPTH;
pub use chain::{BaselineChain, ChainStep};
pub use error::{SnapshotFault, StateError};
pub use extension::{ExtensionSection, ExtensionTransition};
pub use fingerprint::Fingerprint;
pub use history::{HistoryTexts, HistoryView, TextPart};
pub use patch::{WorldStatePatch, merge_apply, merge_diff};
pub use prepared::PreparedSection;
pub use section::{PreviousSectionState, SectionTransition, WorldStateSection};
pub use snapshot::{SectionSnapshot, WorldStateSnapshot};
pub use state::WorldState;
pub use telling::{StateIssue, Telling, ToldItem};
pub use update::{Placement, SectionUpdate, UpdateContent};
