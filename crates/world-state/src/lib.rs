//! World state for LLM agents: told in full once, afterwards only what changed.
//!
//! Settings, environment and instructions change while a thread runs. This crate keeps what the
//! model was last told of them as a [`WorldStateSnapshot`] and finds the least to append so that the
//! model is right again. Nothing that was told is ever changed in place.
//!
//! A host builds a [`WorldState`] of [sections] for each step, tells it in full once and afterwards as
//! the difference from the baseline, and records items first and state second:
//!
//! ```
//! use annals_world_state::sections::{AgentsMdSection, EnvironmentState, EnvironmentsSection};
//! use annals_world_state::{BaselineChain, HistoryView, WorldState};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let world = |rules: &str| -> Result<WorldState, annals_world_state::StateError> {
//!     let mut environments = EnvironmentsSection::default();
//!     let local = EnvironmentState::available("/repo", "bash");
//!     environments.environments.insert("local".to_owned(), local);
//!     let mut world = WorldState::new();
//!     world.insert(AgentsMdSection::new(Some("/repo"), rules))?;
//!     world.insert(environments)?;
//!     Ok(world)
//! };
//!
//! // The first turn: one message of the user with both parts, then the whole state.
//! let told = world("Use tabs.")?.render_full();
//! assert_eq!(told.items().len(), 1);
//! let mut chain = BaselineChain::new();
//! chain.record(&told.record()?.ok_or("a full telling is recorded")?);
//!
//! // A step in which nothing changed.
//! let told = world("Use tabs.")?.render_diff(chain.baseline(), HistoryView::Intact);
//! assert!(told.is_silent() && told.record()?.is_none());
//!
//! // A step with other rules: only they are told, and only they are in the patch.
//! let told = world("Use blanks.")?.render_diff(chain.baseline(), HistoryView::Intact);
//! assert_eq!(told.n_updates(), 1);
//! let patch = told.record()?.ok_or("a change is recorded")?;
//! assert_eq!(patch.state.as_str(), r#"{"agents_md":{"text":"Use blanks."}}"#);
//! # Ok(())
//! # }
//! ```
//!
//! After a resume, or when the history was rewritten, [`HistoryView::Texts`] lends the texts of the
//! history: a state whose text is gone is told again, and a text that was told before states were
//! stored is not.
//!
//! The crate is pure: reading files, asking for the time and keeping the history are left to its
//! callers.

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
