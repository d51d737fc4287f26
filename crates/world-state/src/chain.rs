//! The baseline as a file tells it: full states and patches, replayed in their order.
//!
//! Which records live, after rollbacks and forks, is left to the caller.

use crate::{error::SnapshotFault, patch::WorldStatePatch, snapshot::WorldStateSnapshot};

/// Replays the `world_state` records of a thread into a baseline.
///
/// When a link is missing there is no baseline, and the next telling is full: telling something
/// twice costs tokens, a state that never existed costs the truth.
///
/// # Example
/// ```
/// use annals_world_state::{BaselineChain, ChainStep};
/// let mut chain = BaselineChain::new();
/// assert_eq!(chain.patch(r#"{"a":{"y":2}}"#), ChainStep::PatchWithoutBase);
/// assert!(chain.baseline().is_none());
/// assert_eq!(chain.full(r#"{"a":{"x":1}}"#), ChainStep::Replaced);
/// assert_eq!(chain.patch(r#"{"a":{"x":null,"y":2}}"#), ChainStep::Patched { fits: true });
/// assert_eq!(chain.baseline().map(|state| state.to_json()).as_deref(), Some(r#"{"a":{"y":2}}"#));
/// chain.compacted();
/// assert!(chain.baseline().is_none());
/// ```
#[derive(Debug, Clone, Default)]
pub struct BaselineChain {
    baseline: Option<WorldStateSnapshot>,
}

/// What a record did to the baseline.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChainStep {
    /// A full state replaced whatever was known.
    Replaced,
    /// A patch was applied.
    Patched {
        /// Whether each member of it changed something. A patch written for this very base does; if
        /// not, one was written twice or one before it is missing.
        fits: bool,
    },
    /// A patch came without a base: it says nothing on its own, and there is still no baseline.
    PatchWithoutBase,
    /// The record could not be read: the baseline is gone, and patches have no base until the next
    /// full state.
    Unreadable(SnapshotFault),
}

impl BaselineChain {
    /// A chain at the start of a thread: nothing was told.
    pub fn new() -> Self {
        Self::default()
    }

    /// A chain that goes on from a known baseline, as a fork does.
    pub fn from_baseline(baseline: Option<WorldStateSnapshot>) -> Self {
        Self { baseline }
    }

    /// Replays a full state, given as the JSON text of its object.
    pub fn full(&mut self, state: &str) -> ChainStep {
        match WorldStateSnapshot::parse(state) {
            Ok(snapshot) => {
                self.baseline = Some(snapshot);
                ChainStep::Replaced
            }
            Err(fault) => self.unreadable(fault),
        }
    }

    /// Replays a patch, given as the JSON text of its object.
    pub fn patch(&mut self, patch: &str) -> ChainStep {
        let Some(base) = &self.baseline else {
            return ChainStep::PatchWithoutBase;
        };
        let applied = WorldStatePatch::parse(patch)
            .and_then(|patch| base.apply(&patch).map(|after| (patch, after)));
        match applied {
            Ok((patch, after)) => {
                let fits = after.diff_from(base).is_some_and(|least| least == patch);
                self.baseline = Some(after);
                ChainStep::Patched { fits }
            }
            Err(fault) => self.unreadable(fault),
        }
    }

    /// A compaction replaced the history: what was told is gone with it.
    pub fn compacted(&mut self) {
        self.baseline = None;
    }

    /// A record is known to be missing or damaged: the baseline is not known any more.
    pub fn lost(&mut self) {
        self.baseline = None;
    }

    /// What the model was last told, where that is known.
    pub fn baseline(&self) -> Option<&WorldStateSnapshot> {
        self.baseline.as_ref()
    }

    /// Gives the baseline away.
    pub fn into_baseline(self) -> Option<WorldStateSnapshot> {
        self.baseline
    }

    fn unreadable(&mut self, fault: SnapshotFault) -> ChainStep {
        self.baseline = None;
        ChainStep::Unreadable(fault)
    }
}

#[cfg(test)]
#[path = "chain_tests.rs"]
mod tests;
