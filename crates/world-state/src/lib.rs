//! World state for LLM agents: told in full once, afterwards only what changed.
//!
//! Settings, environment and instructions change while a thread runs. This crate keeps what the
//! model was last told of them as a [`WorldStateSnapshot`] and finds the least to append so that the
//! model is right again.
//! Reading files, asking for the time and keeping the history are left to its callers.

mod canonical;
mod chain;
mod error;
mod fingerprint;
mod patch;
mod snapshot;

pub use canonical::MAX_SNAPSHOT_DEPTH;
pub use chain::{BaselineChain, ChainStep};
pub use error::SnapshotFault;
pub use fingerprint::Fingerprint;
pub use patch::{WorldStatePatch, merge_apply, merge_diff};
pub use snapshot::{SectionSnapshot, WorldStateSnapshot};
